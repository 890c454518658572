/* mutate: every edit of a kernel's text that mutation tests try: numbers, operators, functions, indices, bounds, choices, stores, names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "mutants.h"
#include "text.h"

#define EDIT_NAME_OF(id, name) [EDIT_##id] = name,
const char *const edit_kind_names[EDIT_KIND_COUNT] = {EDIT_KINDS(EDIT_NAME_OF)};

typedef enum LexemeKind { LEXEME_NAME, LEXEME_NUMBER, LEXEME_MARK } LexemeKind;
/* What stands round a token. */
typedef enum Place { PLACE_VALUE, PLACE_INDEX, PLACE_BOUND, PLACE_FIXED } Place;

typedef struct Lexeme {
    LexemeKind kind;
    int at, length;
    int other;                           /* of a bracket: its partner; else -1 */
    Place place;
    int depth;                           /* of braces */
    bool starts;                         /* a statement */
} Lexeme;

typedef struct Variable { const char *type, *name; int depth; } Variable;

typedef struct Mutator {
    Arena *arena;
    const char *source;
    VEC(Lexeme) lexemes;
    VEC(Edit) edits;
    VEC(Variable) variables;             /* in scope */
} Mutator;

/* ---- tokens ---- */

static int number_length(const char *p)
{
    const char *from = p;
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    for (; isalnum((unsigned char)*p) || *p == '.' || ((*p == '+' || *p == '-') && strchr(hex ? "pP" : "eE", p[-1])); p++) {}
    return (int)(p - from);
}

static int mark_length(const char *p)
{
    static const char *const marks[] = {"<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "<=", ">=", "==", "!=",
                                        "&&", "||", "->"};
    for (int i = 0; i < COUNT(marks); i++)
        if (!strncmp(p, marks[i], strlen(marks[i]))) return (int)strlen(marks[i]);
    return 1;
}

static void read_lexemes(Mutator *m)
{
    for (const char *p = m->source; *p;) {
        Lexeme t = {.at = (int)(p - m->source), .other = -1, .kind = LEXEME_MARK};
        if (is_blank(*p)) { p++; continue; }
        if (*p == '#') { p += strcspn(p, "\n"); continue; }
        if (!strncmp(p, "//", 2)) { p += strcspn(p, "\n"); continue; }
        if (!strncmp(p, "/*", 2)) {
            const char *end = strstr(p, "*/");
            p = end ? end + 2 : p + strlen(p);
            continue;
        }
        if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
            t.kind = LEXEME_NUMBER;
            t.length = number_length(p);
        } else if (is_name_char(*p)) {
            t.kind = LEXEME_NAME;
            while (is_name_char(p[t.length])) t.length++;
        } else t.length = mark_length(p);
        vec_push(&m->lexemes, t);
        p += t.length;
    }
}

static bool is(const Mutator *m, int i, const char *text)
{
    if (i < 0 || i >= m->lexemes.n) return false;
    const Lexeme *t = &m->lexemes.v[i];
    return (size_t)t->length == strlen(text) && !strncmp(m->source + t->at, text, (size_t)t->length);
}

static bool is_one_of(const Mutator *m, int i, const char *const *texts, int n) { return ANY(k, n, is(m, i, texts[k])); }

static bool is_kind(const Mutator *m, int i, LexemeKind k) { return i >= 0 && i < m->lexemes.n && m->lexemes.v[i].kind == k; }

static const char *text_of(const Mutator *m, int i) { return arena_strndup(m->arena, m->source + m->lexemes.v[i].at, (size_t)m->lexemes.v[i].length); }

static bool is_type(const Mutator *m, int i)
{
    static const char *const types[] = {"float", "double", "half", "int", "uint", "long", "ulong", "short", "ushort", "char", "uchar", "bool", "size_t"};
    if (!is_kind(m, i, LEXEME_NAME)) return false;
    const char *s = m->source + m->lexemes.v[i].at;
    int n = m->lexemes.v[i].length;
    while (n > 1 && isdigit((unsigned char)s[n - 1])) n--;
    return ANY(k, COUNT(types), (int)strlen(types[k]) == n && !strncmp(s, types[k], (size_t)n));
}

/* ---- brackets, and what stands within ---- */

/* What an opening bracket says of what stands within it. */
static Place place_within(const Mutator *m, int open, Place outside)
{
    static const char *const fixed[] = {"get_global_id", "get_local_id", "get_group_id", "get_local_size", "get_global_size", "get_num_groups",
                                        "__attribute__", "barrier", "mem_fence", "reqd_work_group_size"};
    static const char *const at_index[] = {"vload2", "vload3", "vload4", "vload8", "vload16"};
    if (outside == PLACE_FIXED) return outside;
    if (is(m, open, "[")) return is_kind(m, open - 1, LEXEME_NAME) && is_kind(m, open - 2, LEXEME_NAME) && !is(m, open - 2, "return") ? PLACE_FIXED : PLACE_INDEX;
    if (is(m, open, "(") && is(m, open - 1, "for")) return PLACE_BOUND;
    if (is(m, open, "(") && is_one_of(m, open - 1, fixed, COUNT(fixed))) return PLACE_FIXED;
    if (is(m, open, "(") && is_one_of(m, open - 1, at_index, COUNT(at_index))) return PLACE_INDEX;
    return is(m, open, "{") ? PLACE_VALUE : outside;
}

static void match_brackets(Mutator *m)
{
    VEC(int) open = {0};
    VEC(Place) within = {0};
    Place place = PLACE_VALUE;
    int depth = 0;
    for (int i = 0; i < m->lexemes.n; i++) {
        Lexeme *t = &m->lexemes.v[i];
        char c = t->length == 1 ? m->source[t->at] : 0;
        if (c == ')' || c == ']' || c == '}') {
            if (!open.n) break;
            t->other = open.v[--open.n];
            place = within.v[--within.n];
            m->lexemes.v[t->other].other = i;
            depth -= c == '}';
        }
        t->place = place;
        t->depth = depth;
        t->starts = depth > 0 && place == PLACE_VALUE && (is(m, i - 1, ";") || is(m, i - 1, "{") || is(m, i - 1, "}") || is(m, i - 1, "else")
                                                          || (is(m, i - 1, ")") && is_kind(m, i, LEXEME_NAME)));
        if (c == '(' || c == '[' || c == '{') {
            vec_push(&open, i);
            vec_push(&within, place);
            place = place_within(m, i, place);
            depth += c == '{';
        }
    }
    free(open.v);
    free(within.v);
}

/* ---- edits ---- */

static void add_result(Mutator *m, EditKind kind, int at, int end, const char *with, bool result)
{
    if ((size_t)(end - at) == strlen(with) && !strncmp(m->source + at, with, (size_t)(end - at))) return;
    vec_push(&m->edits, ((Edit){kind, result, at, end - at, with}));
}

static void add(Mutator *m, EditKind kind, int at, int end, const char *with) { add_result(m, kind, at, end, with, false); }

static int end_of(const Mutator *m, int i) { return m->lexemes.v[i].at + m->lexemes.v[i].length; }

static const char *between(const Mutator *m, int from, int to)       /* tokens from .. to - 1, as they stand */
{
    if (from >= to) return "";
    return arena_strndup(m->arena, m->source + m->lexemes.v[from].at, (size_t)(end_of(m, to - 1) - m->lexemes.v[from].at));
}

static void replace(Mutator *m, EditKind kind, int i, const char *with) { add(m, kind, m->lexemes.v[i].at, end_of(m, i), with); }

/* The kind of an edit of a value there. */
static EditKind kind_at(const Mutator *m, int i, EditKind of_values)
{
    Place p = m->lexemes.v[i].place;
    return p == PLACE_INDEX ? EDIT_INDEX : p == PLACE_BOUND ? EDIT_BOUND : of_values;
}

static void edit_number(Mutator *m, int i)
{
    const char *text = text_of(m, i);
    bool hex = !strncmp(text, "0x", 2) || !strncmp(text, "0X", 2);
    bool real = strpbrk(text, hex ? "pP" : ".eEfFhH") != NULL;
    double value = strtod(text, NULL);
    if (real) {
        const char *suffix = text + strlen(text);
        while (suffix > text && strchr("fFhH", suffix[-1])) suffix--;
        if (hex) suffix = strpbrk(text, "fFhH") && strchr("fFhH", text[strlen(text) - 1]) && strpbrk(text, "pP") ? suffix : text + strlen(text);
        if (value != 0) {
            replace(m, EDIT_CONSTANT, i, arena_printf(m->arena, "(%s*1.1%s)", text, suffix));
            replace(m, EDIT_CONSTANT, i, arena_printf(m->arena, "0.0%s", suffix));
            replace(m, EDIT_CONSTANT, i, arena_printf(m->arena, "(-%s)", text));
        }
        replace(m, EDIT_CONSTANT, i, arena_printf(m->arena, "(%s + 1.0%s)", text, suffix));
        return;
    }
    EditKind kind = kind_at(m, i, EDIT_CONSTANT);
    replace(m, kind, i, arena_printf(m->arena, "(%s + 1)", text));
    if (value > 0 || kind != EDIT_BOUND) replace(m, kind, i, arena_printf(m->arena, "(%s - 1)", text));
    if (kind == EDIT_CONSTANT && value != 0) {
        replace(m, kind, i, "0");
        replace(m, kind, i, arena_printf(m->arena, "(-%s)", text));
    }
}

static bool ends_operand(const Mutator *m, int i)
{
    return !is_type(m, i) && !is(m, i, "return") && (is_kind(m, i, LEXEME_NAME) || is_kind(m, i, LEXEME_NUMBER) || is(m, i, ")") || is(m, i, "]"));
}

static void edit_operator(Mutator *m, int i)
{
    static const struct { const char *from, *to[2]; } table[] = {
        {"+", {"-", "*"}}, {"-", {"+"}}, {"*", {"+", "/"}}, {"/", {"*"}}, {"%", {"/"}}, {"<", {"<=", ">"}}, {"<=", {"<"}}, {">", {">=", "<"}}, {">=", {">"}},
        {"==", {"!="}}, {"!=", {"=="}}, {"&&", {"||"}}, {"||", {"&&"}}, {"+=", {"-=", "="}}, {"-=", {"+="}}, {"*=", {"+="}}, {"/=", {"*="}},
        {"&", {"|"}}, {"|", {"&"}}, {"^", {"|"}}, {"<<", {">>"}}, {">>", {"<<"}},
    };
    bool cast = is(m, i - 1, ")") && m->lexemes.v[i - 1].other >= 0 && m->lexemes.v[i - 1].other == i - 3 && is_type(m, i - 2);
    if (cast || !ends_operand(m, i - 1) || is(m, i + 1, ")") || is(m, i + 1, "restrict")) return;
    EditKind kind = kind_at(m, i, EDIT_OPERATOR);
    for (int k = 0; k < COUNT(table); k++)
        for (int j = 0; j < 2 && is(m, i, table[k].from); j++) {
            /* a loop that never ends says nothing */
            bool endless = m->lexemes.v[i].place == PLACE_BOUND && (j || table[k].from[1] == '=' ? *table[k].from != '<' : *table[k].from == '>');
            if (table[k].to[j] && !endless) replace(m, kind, i, table[k].to[j]);
        }
}

/* The first token of the k-th argument of a call; the bracket behind the last where there are no more. */
static int argument(const Mutator *m, int open, int k)
{
    int i = open + 1, close = m->lexemes.v[open].other;
    for (; k > 0 && i < close; i++) {
        if (m->lexemes.v[i].other > i) i = m->lexemes.v[i].other;
        else if (is(m, i, ",")) k--;
    }
    return i;
}

static void edit_fma(Mutator *m, int i)
{
    int open = i + 1, close = m->lexemes.v[open].other, b = argument(m, open, 1), c = argument(m, open, 2);
    if (c >= close) return;
    const char *x = between(m, open + 1, b - 1), *y = between(m, b, c - 1), *z = between(m, c, close), *f = text_of(m, i);
    int at = m->lexemes.v[i].at, end = end_of(m, close);
    add(m, EDIT_FUNCTION, at, end, arena_printf(m->arena, "%s(%s, %s, -(%s))", f, x, y, z));
    add(m, EDIT_FUNCTION, at, end, arena_printf(m->arena, "%s(-(%s), %s, %s)", f, x, y, z));
    add(m, EDIT_FUNCTION, at, end, arena_printf(m->arena, "%s(%s, %s, %s)", f, x, z, y));
    add(m, EDIT_FUNCTION, at, end, arena_printf(m->arena, "((%s) * (%s))", x, y));
    add(m, EDIT_FUNCTION, at, end, arena_printf(m->arena, "((%s) + (%s))", y, z));
}

static void edit_call(Mutator *m, int i)
{
    static const char *const table[][2] = {
        {"fmin", "fmax"}, {"fmax", "fmin"}, {"min", "max"}, {"max", "min"}, {"sin", "cos"}, {"cos", "sin"}, {"exp", "exp2"}, {"log", "log2"},
        {"exp2", "exp"}, {"log2", "log"}, {"floor", "ceil"}, {"ceil", "floor"}, {"rint", "floor"}, {"round", "floor"}, {"trunc", "floor"}, {"sqrt", ""}, {"rsqrt", "sqrt"},
        {"tanh", "sin"}, {"fabs", ""}, {"abs", ""}, {"erf", "tanh"}, {"expm1", "exp"}, {"log1p", "log"}, {"lgamma", "fabs"}, {"popcount", "clz"},
        {"sign", ""}, {"exp", "-exp"}, {"atomic_add", "atomic_sub"}, {"atomic_min", "atomic_max"},
        {"atomic_max", "atomic_min"}, {"fmod", "fmin"}, {"pow", "fmax"}, {"mad", "fma"},
    };
    if (!is(m, i + 1, "(") || m->lexemes.v[i].place == PLACE_FIXED) return;
    for (int k = 0; k < COUNT(table); k++)
        if (is(m, i, table[k][0])) replace(m, kind_at(m, i, EDIT_FUNCTION), i, table[k][1]);
    if (is(m, i, "fma") || is(m, i, "mad")) edit_fma(m, i);
    if (is(m, i, "if")) {
        int close = m->lexemes.v[i + 1].other;
        add(m, EDIT_CHOICE, m->lexemes.v[i + 1].at, end_of(m, close), arena_printf(m->arena, "(!(%s))", between(m, i + 2, close)));
        add(m, EDIT_CHOICE, m->lexemes.v[i + 1].at, end_of(m, close), "(1)");
    }
}

/* The end of what an operator like ?: reaches to on the right: a comma, a semicolon or a bracket that it stands in. */
static int reach(const Mutator *m, int i, const char *stop)
{
    for (; i < m->lexemes.n && !is(m, i, ";") && !is(m, i, ",") && !is(m, i, ")") && !is(m, i, "]") && !is(m, i, "}") && !is(m, i, stop); i++)
        if (m->lexemes.v[i].other > i) i = m->lexemes.v[i].other;
    return i;
}

static void edit_choice(Mutator *m, int i)
{
    int colon = reach(m, i + 1, ":"), end = reach(m, colon + 1, ";");
    if (!is(m, colon, ":") || ANY(k, colon - i - 1, is(m, i + 1 + k, "?"))) return;
    const char *yes = between(m, i + 1, colon), *no = between(m, colon + 1, end);
    int at = m->lexemes.v[i + 1].at, last = end_of(m, end - 1);
    EditKind kind = kind_at(m, i, EDIT_CHOICE);
    add(m, kind, at, last, arena_printf(m->arena, "%s : %s", no, yes));
    add(m, kind, at, last, arena_printf(m->arena, "%s : %s", yes, yes));
    add(m, kind, at, last, arena_printf(m->arena, "%s : %s", no, no));
}

static void edit_index(Mutator *m, int open)
{
    int close = m->lexemes.v[open].other;
    if (close <= open + 1 || m->lexemes.v[open + 1].place != PLACE_INDEX || m->lexemes.v[open].place == PLACE_FIXED) return;
    const char *e = between(m, open + 1, close);
    int at = m->lexemes.v[open + 1].at, end = end_of(m, close - 1);
    add(m, EDIT_INDEX, at, end, arena_printf(m->arena, "(%s) + 1", e));
    add(m, EDIT_INDEX, at, end, arena_printf(m->arena, "(%s) - 1", e));
    if (close > open + 2 || !is_kind(m, open + 1, LEXEME_NUMBER)) {
        add(m, EDIT_INDEX, at, end, arena_printf(m->arena, "(%s) * 2", e));
        add(m, EDIT_INDEX, at, end, arena_printf(m->arena, "(%s) / 2", e));
    }
}

/* A statement that stores: NAME = E; NAME[I] += E; vstore4(E, I, P); */
static void edit_store(Mutator *m, int i)
{
    int end = i;
    while (end < m->lexemes.n && !is(m, end, ";") && !is(m, end, "{") && !is(m, end, "}")) end++;
    if (!is(m, end, ";") || !is_kind(m, i, LEXEME_NAME) || is_type(m, i)) return;
    int at = m->lexemes.v[i].at, last = end_of(m, end);
    const char *text = text_of(m, i);
    if (!strncmp(text, "vstore", 6) || !strncmp(text, "atomic_", 7)) {
        add(m, EDIT_STORE, at, last, ";");
        return;
    }
    int k = i + 1;
    bool array = is(m, k, "[");
    if (array) k = m->lexemes.v[k].other + 1;
    if (is(m, k, ".")) k += 2;
    bool sets = is(m, k, "="), adds = is(m, k, "+=") || is(m, k, "-=") || is(m, k, "*=");
    if (!sets && !adds) return;
    add(m, EDIT_STORE, at, last, ";");
    if (adds) add(m, EDIT_STORE, at, last, arena_printf(m->arena, "%s %s", between(m, i, end + 1), between(m, i, end + 1)));
    if (!sets || is(m, k + 1, "{")) return;
    int from = m->lexemes.v[k + 1].at, to = end_of(m, end - 1);
    add_result(m, EDIT_STORE, from, to, "0", array);
    if (!array) return;
    const char *what = between(m, k + 1, end), *where = between(m, i + 2, m->lexemes.v[i + 1].other);
    add(m, EDIT_SLIGHT, from, to, arena_printf(m->arena, "(%s) * 1.0002f", what));
    add(m, EDIT_ONE, from, to, arena_printf(m->arena, "(%s) == 5 ? (%s) * 2 + 1 : (%s)", where, what, what));
    add(m, EDIT_ONE, from, to, arena_printf(m->arena, "(%s) %% 7 == 6 ? -(%s) : (%s)", where, what, what));
}

/* Another component of a vector; another dimension of an index space. */
static void edit_component(Mutator *m, int i)
{
    static const char *const table[][2] = {{"x", "y"}, {"y", "x"}, {"z", "x"}, {"w", "z"}, {"s0", "s1"}, {"s1", "s0"}, {"s2", "s3"}, {"s3", "s2"}, {"s7", "s6"}};
    for (int k = 0; k < COUNT(table) && is(m, i - 1, "."); k++)
        if (is(m, i, table[k][0])) replace(m, kind_at(m, i, EDIT_NAME), i, table[k][1]);
    bool space = is(m, i, "get_global_id") || is(m, i, "get_local_id") || is(m, i, "get_group_id");
    if (space) replace(m, EDIT_INDEX, i + 2, is(m, i + 2, "0") ? "1" : "0");
}

/* a - b and a / b the other way round, where both are names, numbers or elements. */
static void edit_order(Mutator *m, int i)
{
    bool turns = (is(m, i, "-") || is(m, i, "/")) && m->lexemes.v[i].place == PLACE_VALUE;
    if (!turns || !is_kind(m, i + 1, LEXEME_NAME) || is_type(m, i + 1) || is(m, i + 2, "(")) return;
    int from = is(m, i - 1, "]") ? m->lexemes.v[i - 1].other - 1 : i - 1, to = is(m, i + 2, "[") ? m->lexemes.v[i + 2].other + 1 : i + 2;
    if (is(m, i - 1, ")") || !ends_operand(m, from) || is(m, from - 1, ".") || is(m, to, ".")) return;
    add(m, EDIT_OPERATOR, m->lexemes.v[from].at, end_of(m, to - 1),
        arena_printf(m->arena, "%s %s %s", between(m, i + 1, to), text_of(m, i), between(m, from, i)));
}

/* Another variable of the same type, the nearest before. */
static void edit_name(Mutator *m, int i)
{
    const char *name = text_of(m, i);
    const Variable *self = NULL;
    bool target = is(m, i + 1, "=") || is(m, i + 1, "+=") || is(m, i + 1, "-=") || is(m, i + 1, "*=") || is(m, i + 1, "++") || is(m, i - 1, ".");
    Place place = m->lexemes.v[i].place;
    if (target || place == PLACE_FIXED || place == PLACE_BOUND || is(m, i + 1, "(")) return;         /* many a loop would never end */
    for (int k = m->variables.n - 1; k >= 0 && !self; k--)
        if (!strcmp(m->variables.v[k].name, name)) self = &m->variables.v[k];
    for (int k = m->variables.n - 1, made = 0; self && k >= 0 && made < 2; k--) {
        const Variable *v = &m->variables.v[k];
        if (v == self || strcmp(v->type, self->type) || !strcmp(v->name, name)) continue;
        replace(m, kind_at(m, i, EDIT_NAME), i, v->name);
        made++;
    }
}

static void note_variable(Mutator *m, int i)
{
    if (!is_type(m, i) || !is_kind(m, i + 1, LEXEME_NAME) || !(is(m, i + 2, "=") || is(m, i + 2, ";") || is(m, i + 2, ","))) return;
    vec_push(&m->variables, ((Variable){text_of(m, i), text_of(m, i + 1), m->lexemes.v[i].depth}));
}

static void edit_lexeme(Mutator *m, int i)
{
    const Lexeme *t = &m->lexemes.v[i];
    while (m->variables.n && m->variables.v[m->variables.n - 1].depth > t->depth) m->variables.n--;
    if (t->depth == 0 || t->place == PLACE_FIXED) return;
    if (t->starts) edit_store(m, i);
    if (t->kind == LEXEME_NUMBER) edit_number(m, i);
    else if (t->kind == LEXEME_NAME) {
        edit_call(m, i);
        edit_name(m, i);
        edit_component(m, i);
    } else if (is(m, i, "[")) edit_index(m, i);
    else if (is(m, i, "?")) edit_choice(m, i);
    else {
        edit_operator(m, i);
        edit_order(m, i);
    }
    if (i > 0) note_variable(m, i - 1);            /* once its type and name are behind us */
}

int edits_find(Arena *arena, const char *source, Edit **out)
{
    Mutator m = {.arena = arena, .source = source};
    read_lexemes(&m);
    match_brackets(&m);
    for (int i = 0; i < m.lexemes.n; i++) edit_lexeme(&m, i);
    int n = m.edits.n;
    *out = vec_take(&m.edits, arena);
    free(m.lexemes.v);
    free(m.variables.v);
    return n;
}

/* ---- programs ---- */

static void edit_program_number(Mutator *m, int i)
{
    const char *text = text_of(m, i);
    bool real = strpbrk(text, ".e") != NULL;
    double value = strtod(text, NULL);
    static const double factors[] = {1.001, 1.1, 2};
    for (int k = 0; k < COUNT(factors) && real && value != 0; k++)
        replace(m, k ? EDIT_CONSTANT : EDIT_SLIGHT, i, arena_printf(m->arena, "%#.10g", value * factors[k]));
    if (real) replace(m, EDIT_CONSTANT, i, arena_printf(m->arena, "%#.10g", value + 1));
    else replace(m, EDIT_CONSTANT, i, arena_printf(m->arena, "%.0f", value + 1));
    if (!real && value > 0) replace(m, EDIT_CONSTANT, i, arena_printf(m->arena, "%.0f", value - 1));
}

static void edit_program_word(Mutator *m, int i)
{
    static const struct { EditKind kind; const char *from, *to; } table[] = {
        {EDIT_FUNCTION, "min", "max"}, {EDIT_FUNCTION, "max", "min"}, {EDIT_FUNCTION, "exp", "abs"}, {EDIT_FUNCTION, "sqrt", "abs"}, {EDIT_FUNCTION, "sin", "cos"},
        {EDIT_FUNCTION, "cos", "sin"}, {EDIT_FUNCTION, "abs", ""}, {EDIT_FUNCTION, "floor", "ceil"}, {EDIT_FUNCTION, "tanh", "sin"}, {EDIT_INDEX, "clamp", "wrap"},
        {EDIT_INDEX, "clamp", "mirror"}, {EDIT_INDEX, "wrap", "clamp"}, {EDIT_INDEX, "transpose", ""}, {EDIT_CHOICE, "true", "false"},
    };
    static const struct { const char *from, *to; } operators[] = {
        {"+", "-"}, {"-", "+"}, {"*", "+"}, {"/", "*"}, {"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}, {"==", "!="}, {"&&", "||"}, {"||", "&&"},
    };
    for (int k = 0; k < COUNT(table); k++)
        if (is(m, i, table[k].from) && !is(m, i + 1, "=")) replace(m, table[k].kind, i, table[k].to);
    bool section = is(m, i - 1, "(") && is(m, i + 1, ")"), arrow = is(m, i + 1, ">") || is(m, i, "->");
    for (int k = 0; k < COUNT(operators) && !arrow; k++)
        if (is(m, i, operators[k].from) && (section || ends_operand(m, i - 1))) replace(m, EDIT_OPERATOR, i, operators[k].to);
}

int edits_find_program(Arena *arena, const char *text, Edit **out)
{
    Mutator m = {.arena = arena, .source = text};
    read_lexemes(&m);                    /* a comment is as long as a line of a preprocessor */
    for (int i = 0; i < m.lexemes.n; i++)
        if (m.lexemes.v[i].kind == LEXEME_NUMBER) edit_program_number(&m, i);
        else edit_program_word(&m, i);
    int n = m.edits.n;
    *out = vec_take(&m.edits, arena);
    free(m.lexemes.v);
    return n;
}

const char *edit_apply(Arena *arena, const char *source, const Edit *e)
{
    return arena_printf(arena, "%.*s%s%s", e->at, source, e->with, source + e->at + e->length);
}

/* A line of which what is far from there is left out. */
static const char *shown(Arena *arena, const char *from, const char *to, const char *at)
{
    enum { BEFORE = 70, BEHIND = 110 };
    const char *first = at - from > BEFORE ? at - BEFORE : from, *last = to - at > BEHIND ? at + BEHIND : to;
    char *text = arena_printf(arena, "%s%.*s%s", first > from ? "... " : "", (int)(last - first), first, last < to ? " ..." : "");
    for (char *p = text; *p; p++)
        if (*p == '\n') *p = ' ';
    return text;
}

int edit_lines(Arena *arena, const char *source, const Edit *e, const char **before, const char **after)
{
    int line = 1;
    const char *from = source, *at = source + e->at, *to = at + e->length;
    for (const char *p = source; p < at; p++)
        if (*p == '\n') line++, from = p + 1;
    from += strspn(from, " ");
    if (from > at) from = at;
    to += strcspn(to, "\n");
    *before = shown(arena, from, to, at);
    const char *now = arena_printf(arena, "%.*s%s%.*s", (int)(at - from), from, e->with, (int)(to - at - e->length), at + e->length);
    *after = shown(arena, now, now + strlen(now), now + (at - from));
    return line;
}
