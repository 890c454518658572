#include "elab.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- documents: text with places where a line may break (Oppen, Wadler) ---- */

typedef enum DocKind { DOC_TEXT, DOC_LINE, DOC_CAT, DOC_NEST, DOC_GROUP } DocKind;   /* LINE: a blank, or a line break */
typedef struct Doc Doc;
struct Doc {
    DocKind kind;
    const char *text;
    int width;                             /* flat width, for TEXT and everything above */
    const Doc *a, *b;
};

/* The printer's state. Names of leaves in scope, innermost last (index 0 is names[count - 1]). */
enum { NAMES_MAX = 4096, NAME_BUCKETS = 512 };
typedef struct Printer {
    Ctx *c;
    Arena *arena;
    const PrintOptions *o;
    const char **names;
    int name_count;
    int last[NAME_BUCKETS], *before;       /* the last name with that hash, and of each name the one before it; -1: none */
    bool long_inits;                       /* print literals in left folds' initial values with their type */
    int short_inits;                       /* how many were printed without */
    uint8_t path[256];                     /* where we are, while on the way to the mark */
    int path_length;
    bool on_path;
    const Term *open_end;   /* known not to be the start of a chain: it goes on from one whose end is no atom */
} Printer;

/* Precedences of language.md 2. */
enum { P_TOP = 0, P_PIPE = 1, P_OR = 2, P_AND = 3, P_CMP = 4, P_SUM = 5, P_PRODUCT = 6, P_PREFIX = 7,
      P_COMPOSE = 8, P_APP = 9, P_ATOM = 10 };

static const Doc *doc(Printer *p, DocKind kind, const char *text, const Doc *a, const Doc *b, int width)
{
    Doc *d = NEW(p->arena, Doc);
    *d = (Doc){kind, text, width, a, b};
    return d;
}

static int columns(const char *s)
{
    int n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static const Doc *text(Printer *p, const char *s) { return doc(p, DOC_TEXT, s, NULL, NULL, columns(s)); }
static const Doc *cat(Printer *p, const Doc *a, const Doc *b) { return doc(p, DOC_CAT, NULL, a, b, a->width + b->width); }
static const Doc *line(Printer *p) { return doc(p, DOC_LINE, NULL, NULL, NULL, 1); }
static const Doc *nest(Printer *p, const Doc *a) { return doc(p, DOC_NEST, NULL, a, NULL, a->width); }
static const Doc *group(Printer *p, const Doc *a) { return doc(p, DOC_GROUP, NULL, a, NULL, a->width); }
static const Doc *cat3(Printer *p, const Doc *a, const Doc *b, const Doc *c) { return cat(p, cat(p, a, b), c); }
static const Doc *format(Printer *p, const char *fmt, const char *s) { return text(p, arena_printf(p->arena, fmt, s)); }
static const Doc *brackets(Printer *p, const Doc *d) { return cat3(p, text(p, "("), d, text(p, ")")); }
static const Doc *bracket_if(Printer *p, bool yes, const Doc *d) { return yes ? brackets(p, d) : d; }

typedef struct Layout {
    Buf *out;
    int width, column;
} Layout;

static void newline(Layout *l, int indent)
{
    buf_putc(l->out, '\n');
    for (int i = 0; i < indent; i++) buf_putc(l->out, ' ');
    l->column = indent;
}

static void layout(Layout *l, const Doc *d, int indent, bool flat)
{
    switch (d->kind) {
    case DOC_TEXT:
        buf_puts(l->out, d->text);
        l->column += d->width;
        break;
    case DOC_LINE:
        if (!flat) newline(l, indent);
        else buf_putc(l->out, ' '), l->column++;
        break;
    case DOC_CAT:
        layout(l, d->a, indent, flat);
        layout(l, d->b, indent, flat);
        break;
    case DOC_NEST:
        layout(l, d->a, indent + 2, flat);
        break;
    case DOC_GROUP:
        layout(l, d->a, indent, flat || l->width == 0 || l->column + d->width <= l->width);
        break;
    }
}

/* ---- names ---- */

static bool reserved(Printer *p, const char *name)
{
    static const char *const words[] = {"let", "in", "if", "then", "else", "with", "param", "true", "false",
                                        "pi", "inf", "nan", "length", "zip3", "zip4", "size"};
    for (int i = 0; i < COUNT(words); i++)
        if (strcmp(name, words[i]) == 0) return true;
    return prim_from_name(name) != PRIM_COUNT || defs_find(p->c, NULL, intern(p->c->names, name));
}

static unsigned bucket(const char *name)
{
    unsigned h = 0;
    for (; *name; name++) h = 31 * h + (unsigned char)*name;
    return h % NAME_BUCKETS;
}

static bool taken(Printer *p, const char *name)
{
    for (int i = p->last[bucket(name)]; i >= 0; i = p->before[i])
        if (strcmp(p->names[i], name) == 0) return true;
    return reserved(p, name);
}

static const char *unused_name(Printer *p, const char *hint)
{
    const char *name = hint;
    for (int i = 1; taken(p, name); i++) name = arena_printf(p->arena, "%s%d", hint, i);
    return name;
}

/* A name for a value of that type where neither source nor rule gave one. */
static const char *default_hint(const Type *t)
{
    if (t->kind == TY_ARRAY) return t->elems[0]->kind == TY_ARRAY ? "xss" : "xs";
    return t->kind == TY_VECTOR ? "v" : t->kind == TY_TUPLE ? "p" : "x";
}

static void push_name(Printer *p, const char *name)
{
    if (p->name_count == NAMES_MAX) return;
    int *last = &p->last[bucket(name)];
    p->before[p->name_count] = *last;
    *last = p->name_count;
    p->names[p->name_count++] = name;
}

static void pop_names(Printer *p, int count)
{
    while (p->name_count > count) {
        int i = --p->name_count;
        p->last[bucket(p->names[i])] = p->before[i];
    }
}

/* ---- patterns: which tuples are used only as wholes ---- */

static bool is_whole(const Term *t, const Type *type, int base)
{
    if (type->kind != TY_TUPLE) return t->kind == T_VAR && t->u.index == base;
    if (t->kind != T_PRIM || t->prim != PRIM_TUPLE || t->arg_count != type->count) return false;
    int below = base + type->leaf_count;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        if (!is_whole(t->args[i], type->elems[i], below)) return false;
    }
    return true;
}

/* Is every use of the leaves [base, base + n) inside a whole tuple of that type? */
static bool only_whole(const Term *t, const Type *type, int base)
{
    if (t->free_limit <= base || is_whole(t, type, base)) return true;
    if (t->kind == T_VAR) return t->u.index < base || t->u.index >= base + type->leaf_count;
    int in = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    for (int i = 0; i < t->arg_count; i++)
        if (!only_whole(t->args[i], type, base + in)) return false;
    return true;
}

/* A parameter that is mapped over with a named element: the name's plural. */
static const char *plural_hint(Printer *p, const Term *t, int base)
{
    if (t->free_limit <= base) return NULL;
    if (t->kind == T_PRIM && prim_is_map((PrimId)t->prim) && is_whole(t->args[1], t->args[1]->type, base)
        && t->args[0]->u.hints) {
        const char *h = t->args[0]->u.hints[0];
        if (h && strlen(h) < 12) return arena_printf(p->arena, "%ss", h);
    }
    int in = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    const char *found = NULL;
    for (int i = 0; i < t->arg_count && !found; i++) found = plural_hint(p, t->args[i], base + in);
    return found;
}

/* Print a binding pattern for a parameter and push its leaf names, left to right. A tuple used only whole is
 * one name: its leaves are pushed as that name with a mark that tells print_tuple to print it alone. */
static const Doc *pattern(Printer *p, const Type *type, const char *const *hints, const Term *body, int base,
                          const char *fallback)
{
    const char *hint = hints && hints[0] ? hints[0] : NULL;
    if (!hint && !fallback && type->kind == TY_ARRAY) hint = plural_hint(p, body, base);
    if (type->kind != TY_TUPLE || only_whole(body, type, base)) {
        const char *name = unused_name(p, hint ? hint : fallback ? fallback : default_hint(type));
        for (int i = 0; i < type->leaf_count; i++) push_name(p, name);
        return text(p, name);
    }
    const Doc *d = text(p, "(");
    int below = base + type->leaf_count, h = 1;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        if (i) d = cat(p, d, text(p, ", "));
        const char *sub = hint ? arena_printf(p->arena, "%s%d", hint, i) : i == 0 ? fallback : NULL;
        d = cat(p, d, pattern(p, type->elems[i], hints ? hints + h : NULL, body, below, sub));
        h += hint_count(type->elems[i]);
    }
    return cat(p, d, text(p, ")"));
}

/* ---- literals ---- */

static const char *float_digits(Printer *p, Scalar s, double v, bool short_form)
{
    char buf[64];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, v);
        double back = strtod(buf, NULL);
        if (s == SC_F32 ? (float)back == (float)v : s == SC_F16 ? (double)(_Float16)back == v : back == v) break;
    }
    if (!strpbrk(buf, ".e") && !short_form) strcat(buf, ".0");
    char *plus = strstr(buf, "e+");
    if (plus) memmove(plus + 1, plus + 2, strlen(plus + 2) + 1);
    return arena_strdup(p->arena, buf);
}

static const Doc *float_literal(Printer *p, const Term *t, bool known)
{
    Scalar s = t->type->scalar;
    double v = t->u.lit.f;
    bool plain = known || s == SC_F32;
    if (isnan(v) || isinf(v)) {
        const char *word = isnan(v) ? "nan" : v < 0 ? "-inf" : "inf";
        return plain ? text(p, word) : text(p, arena_printf(p->arena, "(%s : %s)", word, scalar_name(s)));
    }
    const char *digits = float_digits(p, s, v, known);
    return plain ? text(p, digits) : text(p, arena_printf(p->arena, "%s%s", digits, scalar_name(s)));
}

static const Doc *literal(Printer *p, const Term *t, int prec, bool known)
{
    Scalar s = t->type->scalar;
    if (s == SC_BOOL) return text(p, t->u.lit.i ? "true" : "false");
    bool negative = scalar_is_float(s) ? signbit(t->u.lit.f) && !isnan(t->u.lit.f) : t->u.lit.i < 0;
    const Doc *d;
    if (scalar_is_float(s)) d = float_literal(p, t, known);
    else d = text(p, arena_printf(p->arena, "%lld%s", (long long)t->u.lit.i, known || s == SC_I32 ? "" : scalar_name(s)));
    return bracket_if(p, negative && prec > P_PREFIX, d);
}

static const Doc *nat_doc(Printer *p, const Nat *n, int prec)
{
    Buf b = {0};
    nat_print(n, prec > 9 ? 9 : prec, &b);
    const Doc *d = text(p, arena_strdup(p->arena, buf_text(&b)));
    buf_free(&b);
    return d;
}

static bool is_plain_name(const Nat *n)
{
    return n->term_count == 1 && n->terms[0].factor_count == 1 && n->terms[0].num == 1 && n->terms[0].den == 1 &&
           n->terms[0].factors[0].exp == 1 && n->terms[0].factors[0].atom->kind == ATOM_VAR;
}

static const Doc *size_value(Printer *p, const Term *t, bool known)
{
    bool plain = is_plain_name(t->u.nat);
    if (plain && (known || t->type->scalar == SC_I32)) return nat_doc(p, t->u.nat, P_ATOM);
    const Doc *d = plain ? nat_doc(p, t->u.nat, P_ATOM) : brackets(p, cat(p, nat_doc(p, t->u.nat, 0), text(p, " : size")));
    if (known || t->type->scalar == SC_I32) return d;
    return brackets(p, cat(p, d, format(p, " : %s", scalar_name(t->type->scalar))));
}

/* ---- terms ---- */

static const Doc *print(Printer *p, const Term *t, int prec, bool known);
static const Doc *function(Printer *p, const Term *f, int prec, bool known, const char *fallback);

static bool is_prim(const Term *t, PrimId id) { return t->kind == T_PRIM && t->prim == id; }

/* Is the mark strictly below the node now printed? Then it is not folded into a chain. */
static bool leads_to_mark(const Printer *p) { return p->on_path && p->path_length < p->o->path_length; }

static const Doc *print_slot(Printer *p, const Term *t, int slot, int prec, bool known)
{
    bool was = p->on_path;
    int depth = p->path_length;
    p->on_path = was && depth < p->o->path_length && p->o->path[depth] == slot;
    p->path_length++;
    const Doc *d = print(p, term_slot(t, slot), prec, known);
    p->path_length = depth;
    p->on_path = was;
    return d;
}

static const Doc *print_function_slot(Printer *p, const Term *t, int slot, int prec, bool known, const char *fallback)
{
    bool was = p->on_path;
    int depth = p->path_length;
    p->on_path = was && depth < p->o->path_length && p->o->path[depth] == slot;
    p->path_length++;
    const Doc *d = function(p, t->args[slot], prec, known, fallback);
    p->path_length = depth;
    p->on_path = was;
    return d;
}

/* Printed as prefix application whose last argument is the data it works on: the links of chains. */
static bool is_link(const Term *t)
{
    if (t->kind != T_PRIM || t->arg_count == 0) return false;
    PrimId id = (PrimId)t->prim;
    switch (prim(id)->family) {
    case FAM_MAP: case FAM_REDUCE: case FAM_SCAN: case FAM_MEMORY: return true;
    case FAM_LAYOUT: return id != PRIM_ZIP && id != PRIM_CONCAT;
    case FAM_VECTOR: return id == PRIM_AS_VECTOR || id == PRIM_AS_SCALAR || id == PRIM_MAP_VEC;
    case FAM_ACCESS: return id == PRIM_ITERATE || id == PRIM_GATHER;
    case FAM_SCALAR: return t->arg_count == 1 && isalpha((unsigned char)*prim(id)->name) && id != PRIM_NEG;
    default: return false;
    }
}

static const Term *last_arg(const Term *t) { return t->args[t->arg_count - 1]; }

static bool others_mention(const Term *t, int base, int n)
{
    for (int i = 0; i + 1 < t->arg_count; i++)
        if (term_mentions(t->args[i], base, n)) return true;
    return false;
}

static const Doc *perm(Printer *p, const Term *t)
{
    PermKind k = (PermKind)t->statics[0]->value;
    if (k == PERM_REVERSE) return text(p, "reverse");
    const Doc *d = format(p, "%s ", perm_kind_name(k));
    if (k != PERM_FUN) return brackets(p, cat(p, d, nat_doc(p, t->statics[1], P_ATOM)));
    d = cat3(p, d, print_function_slot(p, t, 0, P_ATOM, true, "i"), text(p, " "));
    return brackets(p, cat(p, d, print_function_slot(p, t, 1, P_ATOM, true, "i")));
}

static const Doc *statics(Printer *p, const Term *t, const Doc *d)
{
    PrimId id = (PrimId)t->prim;
    if (id == PRIM_REORDER) return cat3(p, d, text(p, " "), perm(p, t));
    for (int i = 0; i < t->static_count; i++) {
        bool mode = prim_static_kind(p->c, id, i) == STATIC_MODE;
        const Doc *s = mode ? text(p, pad_mode_name((PadMode)t->statics[i]->value)) : nat_doc(p, t->statics[i], P_ATOM);
        d = cat3(p, d, text(p, " "), s);
    }
    return d;
}

/* Printed as text whose type the context gives (elab_bind.c: is_flexible). */
static bool is_flexible(const Term *t) { return t->kind == T_LIT || (t->kind == T_SIZE && is_plain_name(t->u.nat)); }

/* Does the elaborator know the type of argument i from its context? Mirrors elab_prim.c; when in doubt, no. */
static bool arg_known(Printer *p, const Term *t, int i, bool known)
{
    PrimId id = (PrimId)t->prim;
    switch (id) {
    case PRIM_REDUCE: case PRIM_REDUCE_PART: case PRIM_SCAN: return i == 1;
    case PRIM_PAD_CONST: return i == 0;
    case PRIM_REDUCE_SEQ: case PRIM_REDUCE_SEQ_UNROLL: case PRIM_REDUCE_SEQ_PREFETCH: case PRIM_SCAN_SEQ:
        if (i != 1 || known) return i == 1;
        p->short_inits += !p->long_inits;
        return !p->long_inits;
    case PRIM_TUPLE: case PRIM_ZIP: case PRIM_TO_GLOBAL: case PRIM_TO_GLOBAL_STREAM: case PRIM_TO_LOCAL:
    case PRIM_TO_PRIVATE:
        return known;
    case PRIM_AT: return i == 0;
    case PRIM_VDOT: return i == 1;
    case PRIM_VEC:
        for (int k = 0; k < (is_flexible(t->args[i]) ? t->arg_count : i); k++)
            if (k != i && !is_flexible(t->args[k])) return true;
        return known;
    default: break;
    }
    const Scheme *s = prim_scheme(p->c, id);
    if (prim(id)->family != FAM_SCALAR || !s || s->args[i]->kind != SCH_VAR) return false;
    bool result = s->result->kind == SCH_VAR && s->result->var == s->args[i]->var;
    if (result && known) return true;
    /* rigid arguments are read in order, then the flexible ones */
    int last = is_flexible(t->args[i]) ? t->arg_count : i;
    for (int k = 0; k < last; k++)
        if (k != i && s->args[k]->kind == SCH_VAR && s->args[k]->var == s->args[i]->var && !is_flexible(t->args[k]))
            return true;
    return false;
}

static bool result_known(const Term *t, bool known)
{
    PrimFamily f = prim((PrimId)t->prim)->family;
    if (f == FAM_REDUCE || f == FAM_SCAN) return true;
    return known && (f == FAM_MAP || t->prim == PRIM_GENERATE);
}

static const char *function_fallback(const Term *t)
{
    PrimFamily f = prim((PrimId)t->prim)->family;
    return f == FAM_REDUCE || f == FAM_SCAN ? "acc" : t->prim == PRIM_GENERATE ? "i" : NULL;
}

/* The head of an application: name, statics, and the first n arguments. */
static const Doc *head(Printer *p, const Term *t, int n, bool known, bool open)
{
    const Doc *d = statics(p, t, text(p, prim((PrimId)t->prim)->name)), *args = NULL;
    int first = t->prim == PRIM_REORDER ? t->arg_count - 1 : 0;       /* its functions are part of the permutation */
    for (int i = first; i < n; i++) {
        if (open && i == t->arg_count - 1) p->open_end = t->args[i];
        const Doc *a = t->args[i]->kind == T_LAM
                           ? print_function_slot(p, t, i, P_ATOM, result_known(t, known), function_fallback(t))
                           : print_slot(p, t, i, P_ATOM, arg_known(p, t, i, known));
        args = args ? cat3(p, args, line(p), a) : cat(p, line(p), a);
    }
    return args ? cat(p, d, nest(p, args)) : d;
}

static const char *dot(const Printer *p) { return p->o->unicode ? " ∘" : " ."; }

/* g1 . g2 . g3 for the links from t down to (not including) end. */
static const Doc *chain(Printer *p, const Term *t, const Term *end)
{
    const Doc *d = NULL;
    for (; t != end; t = last_arg(t)) {
        const Doc *h = group(p, head(p, t, t->arg_count - 1, false, false));
        d = d ? cat3(p, d, cat(p, text(p, dot(p)), line(p)), h) : h;
    }
    return d;
}

static const Doc *application(Printer *p, const Term *t, int prec, bool known)
{
    const Term *end = t;
    int links = 0;
    bool open = p->open_end == t;
    while (!open && is_link(end) && !leads_to_mark(p)) end = last_arg(end), links++;
    if (links >= 2 && term_is_atom(end) && end->kind != T_LIT && end->kind != T_SIZE) {
        bool was = p->on_path;
        p->on_path = false;                                     /* the mark, if any, is round the whole chain */
        const Doc *d = cat3(p, chain(p, t, end), text(p, " $ "), print(p, end, P_TOP, false));
        p->on_path = was;
        return bracket_if(p, prec > P_TOP, group(p, nest(p, d)));
    }
    open = is_link(t) && (open || links >= 2);
    const Doc *d = group(p, head(p, t, t->arg_count, known, open));
    return bracket_if(p, prec > P_APP && (t->arg_count || t->static_count), d);
}

static int operator_prec(PrimId id)
{
    switch (id) {
    case PRIM_OR: return P_OR;
    case PRIM_AND: return P_AND;
    case PRIM_EQ: case PRIM_NE: case PRIM_LT: case PRIM_LE: case PRIM_GT: case PRIM_GE: return P_CMP;
    case PRIM_ADD: case PRIM_SUB: return P_SUM;
    case PRIM_MUL: case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_MOD: return P_PRODUCT;
    default: return -1;
    }
}

static const Doc *infix(Printer *p, const Term *t, int op, int prec, bool known)
{
    bool right = op == P_OR || op == P_AND, none = op == P_CMP;
    const Doc *a = print_slot(p, t, 0, right || none ? op + 1 : op, arg_known(p, t, 0, known));
    const Doc *b = print_slot(p, t, 1, right ? op : op + 1, arg_known(p, t, 1, known));
    const Doc *d = cat3(p, a, format(p, " %s", prim((PrimId)t->prim)->name), nest(p, cat(p, line(p), b)));
    return bracket_if(p, prec > op, group(p, d));
}

static const Doc *let(Printer *p, const Term *t, int prec, bool known)
{
    const Term *f = t->args[1];
    const Doc *value = print_slot(p, t, 0, P_TOP, false);
    int names = p->name_count;
    const Doc *name = pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, "t");
    const Doc *body = print_slot(p, t, 1, P_TOP, known);
    pop_names(p, names);
    const Doc *d = cat3(p, cat3(p, text(p, "let "), name, text(p, " = ")), value, cat3(p, line(p), text(p, "in "), body));
    return bracket_if(p, prec > P_TOP, group(p, d));
}

static const Doc *conditional(Printer *p, const Term *t, int prec, bool known)
{
    const Doc *d = cat(p, text(p, "if "), print_slot(p, t, 0, P_TOP, true));
    d = cat3(p, d, cat(p, line(p), text(p, "then ")), print_slot(p, t, 1, P_TOP, arg_known(p, t, 1, known)));
    d = cat3(p, d, cat(p, line(p), text(p, "else ")), print_slot(p, t, 2, P_TOP, arg_known(p, t, 2, known)));
    return bracket_if(p, prec > P_TOP, group(p, nest(p, d)));
}

/* A tuple that is exactly a parameter printed as one name. */
static const char *whole_name(Printer *p, const Term *t)
{
    const Term *last = t;
    while (is_prim(last, PRIM_TUPLE)) last = last_arg(last);
    if (last->kind != T_VAR || !is_whole(t, t->type, last->u.index)) return NULL;
    int from = p->name_count - 1 - last->u.index, n = t->type->leaf_count;
    if (from - n + 1 < 0) return NULL;
    for (int i = 1; i < n; i++)
        if (p->names[from - i] != p->names[from]) return NULL;
    return p->names[from];
}

static const Doc *tuple(Printer *p, const Term *t, bool known)
{
    const char *name = whole_name(p, t);
    if (name) return text(p, name);
    const Doc *d = text(p, "(");
    for (int i = 0; i < t->arg_count; i++) {
        if (i) d = cat3(p, d, text(p, ","), line(p));
        d = cat(p, d, print_slot(p, t, i, P_TOP, arg_known(p, t, i, known)));
    }
    return group(p, nest(p, cat(p, d, text(p, ")"))));
}

static const Doc *postfix(Printer *p, const Term *t, int prec, bool known)
{
    int last = t->arg_count - 1;
    if (t->prim == PRIM_PROJ)
        return cat(p, print_slot(p, t, 0, P_ATOM, false), text(p, arena_printf(p->arena, ".%d", t->u.proj)));
    if (t->prim == PRIM_AT && !term_is_atom(t->args[1]) && !is_prim(t->args[1], PRIM_AT)) {
        (void)known;
        return bracket_if(p, prec > P_APP, group(p, head(p, t, 2, false, false)));
    }
    const Doc *in = print_slot(p, t, last, P_ATOM, false);
    const Doc *index = t->prim == PRIM_LANE ? nat_doc(p, t->statics[0], 0) : print_slot(p, t, 0, P_TOP, true);
    return cat3(p, cat(p, in, text(p, "[")), index, text(p, "]"));
}

static const Doc *prefix(Printer *p, const Term *t, int prec, bool known)
{
    bool minus = t->prim == PRIM_NEG, minus_literal = minus && t->args[0]->kind == T_LIT;       /* -(5): not the number -5 */
    const Doc *a = print_slot(p, t, 0, minus_literal ? P_TOP : P_PREFIX, known && minus);
    if (minus_literal) a = brackets(p, a);
    return bracket_if(p, prec > P_PREFIX, cat(p, text(p, minus ? "-" : "!"), a));
}

static const Doc *print_prim(Printer *p, const Term *t, int prec, bool known)
{
    int op = operator_prec((PrimId)t->prim);
    if (op >= 0) return infix(p, t, op, prec, known);
    switch (t->prim) {
    case PRIM_LET: return let(p, t, prec, known);
    case PRIM_IF: return conditional(p, t, prec, known);
    case PRIM_TUPLE: return tuple(p, t, known);
    case PRIM_PROJ: case PRIM_AT: case PRIM_LANE: return postfix(p, t, prec, known);
    case PRIM_NEG: case PRIM_NOT: return prefix(p, t, prec, known);
    default: return application(p, t, prec, known);
    }
}

static const Doc *print_node(Printer *p, const Term *t, int prec, bool known)
{
    switch (t->kind) {
    case T_VAR: {
        int i = p->name_count - 1 - t->u.index;
        return text(p, i >= 0 ? p->names[i] : arena_printf(p->arena, "_%d", t->u.index));
    }
    case T_INPUT: return text(p, t->u.name);
    case T_LIT: return literal(p, t, prec, known);
    case T_SIZE: return size_value(p, t, known);
    case T_LAM: return function(p, t, prec, known, NULL);
    default: return print_prim(p, t, prec, known);
    }
}

static bool at_mark(const Printer *p) { return p->o->mark_before && p->on_path && p->path_length == p->o->path_length; }

static const Doc *print(Printer *p, const Term *t, int prec, bool known)
{
    if (p->o->max_depth && p->path_length > p->o->max_depth && t->arg_count) return text(p, "..");
    const Doc *d = print_node(p, t, prec, known);
    return at_mark(p) ? cat3(p, text(p, p->o->mark_before), d, text(p, p->o->mark_after)) : d;
}

/* ---- functions ---- */

/* \(a, b) -> a op b, and \x -> f x for scalar functions: the operator's or function's name; NULL otherwise. */
static const Doc *named_function(Printer *p, const Term *f)
{
    const Type *param = f->type->elems[0];
    const Term *b = f->args[0];
    if (is_whole(b, param, 0)) return text(p, "id");
    if (b->kind != T_PRIM || prim((PrimId)b->prim)->family != FAM_SCALAR || b->prim == PRIM_IF
        || b->prim == PRIM_NEG || b->prim == PRIM_NOT)
        return NULL;
    int parts = b->arg_count == 1 ? 1 : param->kind == TY_TUPLE ? param->count : 0;
    if (parts != b->arg_count) return NULL;
    int below = param->leaf_count;
    for (int i = 0; i < parts; i++) {
        const Type *t = parts == 1 ? param : param->elems[i];
        below -= t->leaf_count;
        if (!is_whole(b->args[i], t, below)) return NULL;
    }
    const char *name = prim((PrimId)b->prim)->name;
    return format(p, isalpha((unsigned char)*name) ? "%s" : "(%s)", name);
}

/* \x -> g1 (g2 (... x)) with x at the end only: g1 . g2 . ... (one link: a partial application); NULL otherwise. */
static const Doc *composed_function(Printer *p, const Term *f, int prec)
{
    int leaves = f->type->elems[0]->leaf_count, links = 0;
    const Term *t = f->args[0];
    for (; is_link(t) && !others_mention(t, 0, leaves); t = last_arg(t)) links++;
    if (!links || !is_whole(t, f->type->elems[0], 0)) return NULL;
    int names = p->name_count;
    for (int i = 0; i < leaves; i++) push_name(p, "");        /* not mentioned in what is printed */
    const Doc *d = chain(p, f->args[0], t);
    pop_names(p, names);
    bool single_word = links == 1 && f->args[0]->arg_count == 1 && f->args[0]->static_count == 0;
    int own = links > 1 ? P_COMPOSE : single_word ? P_ATOM : P_APP;
    return bracket_if(p, prec > own, group(p, d));
}

static const Doc *function(Printer *p, const Term *f, int prec, bool known, const char *fallback)
{
    bool plain = !leads_to_mark(p);
    const Doc *d = plain ? named_function(p, f) : NULL;
    if (!d && plain) d = composed_function(p, f, prec);
    if (d) return at_mark(p) ? cat3(p, text(p, p->o->mark_before), d, text(p, p->o->mark_after)) : d;
    int names = p->name_count;
    const Doc *param = pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, fallback);
    param = cat3(p, text(p, p->o->unicode ? "λ" : "\\"), param, text(p, p->o->unicode ? " →" : " ->"));
    d = cat(p, param, nest(p, cat(p, line(p), print_slot(p, f, 0, P_TOP, known))));
    pop_names(p, names);
    return bracket_if(p, prec > P_TOP, group(p, d));
}

/* ---- entry points ---- */

static Printer printer(Ctx *c, const PrintOptions *o)
{
    Printer p = {.c = c, .arena = arena_new(), .o = o, .on_path = o->mark_before != NULL};
    p.names = NEW_ARRAY(p.arena, const char *, NAMES_MAX);
    p.before = NEW_ARRAY(p.arena, int, NAMES_MAX);
    for (int i = 0; i < NAME_BUCKETS; i++) p.last[i] = -1;
    return p;
}

/* Sizes, parameters and inputs are names too: binders avoid them. */
static void reserve_nat(Printer *p, const Nat *n)
{
    NatAtomVec vars = {0};
    nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++)
        if (!taken(p, vars.v[i]->name)) push_name(p, vars.v[i]->name);
    free(vars.v);
}

static void reserve_type(Printer *p, const Type *t)
{
    if (t->size && !t->size->is_const) reserve_nat(p, t->size);
    for (int i = 0; i < t->count; i++) reserve_type(p, t->elems[i]);
}

typedef struct Seen { Printer *p; PtrTable terms; } Seen;
static bool same_pointer(const void *key, const void *item) { return key == item; }

static void reserve_names(Seen *s, const Term *t)
{
    if (ptr_table_find(&s->terms, t->id, same_pointer, t)) return;
    ptr_table_add(&s->terms, t->id, (void *)t);
    if (t->kind == T_INPUT) {
        if (!taken(s->p, t->u.name)) push_name(s->p, t->u.name);
        reserve_type(s->p, t->type);
    }
    if (t->kind == T_SIZE) reserve_nat(s->p, t->u.nat);
    for (int i = 0; i < t->static_count; i++)
        if (t->statics[i] && !t->statics[i]->is_const) reserve_nat(s->p, t->statics[i]);
    for (int i = 0; i < t->arg_count; i++) reserve_names(s, t->args[i]);
}

/* The names are pushed below every index, so de Bruijn lookups never reach them. */
static void reserve_all(Printer *p, const Term *root)
{
    Seen s = {.p = p};
    reserve_names(&s, root);
    ptr_table_free(&s.terms);
}

static bool mentions_fold(const Term *t)
{
    if (!(t->flags & TF_REDUCES)) return false;
    if (t->kind == T_PRIM && prim_is_fold((PrimId)t->prim)) return true;
    for (int i = 0; i < t->arg_count; i++)
        if (mentions_fold(t->args[i])) return true;
    return false;
}

static void free_inputs(const Term *t, Program *out, int max, PtrTable *seen)
{
    if (ptr_table_find(seen, t->id, same_pointer, t)) return;
    ptr_table_add(seen, t->id, (void *)t);
    if (t->kind == T_INPUT && out->input_count < max) out->inputs[out->input_count++] = (Input){t->u.name, t->type};
    for (int i = 0; i < t->arg_count; i++) free_inputs(t->args[i], out, max, seen);
}

/* Does the text read back as this very term? Names of sizes and parameters are taken from the printer's reserved names. */
static bool reads_back(Ctx *c, Printer *p, const Term *t, const char *s)
{
    enum { MAX = 64 };
    Input inputs[MAX];
    const Nat *sizes[MAX];
    const char *params[MAX];
    Program program = {.inputs = inputs, .sizes = sizes};
    LangScope scope = {.program = &program, .params = params};
    PtrTable seen = {0};
    free_inputs(t, &program, MAX, &seen);
    ptr_table_free(&seen);
    for (int i = 0; i < p->name_count && i < MAX; i++) {
        if (isupper((unsigned char)*p->names[i])) {
            bool is_input = false;
            for (int k = 0; k < program.input_count; k++) is_input |= strcmp(inputs[k].name, p->names[i]) == 0;
            if (!is_input) sizes[program.size_count++] = nat_var(c->nats, p->names[i], VAR_SIZE, NULL, NULL);
        } else {
            params[scope.param_count++] = p->names[i];
        }
    }
    Diag saved = c->diag;
    diag_init(&c->diag);
    Source source = {"printed", s, strlen(s)};
    bool same = lang_expr(c, &scope, &source, NULL) == t;
    diag_free(&c->diag);
    c->diag = saved;
    return same;
}

/* Should initial values of left folds carry their types? Only where the short text would read as something else. */
static bool needs_long_inits(Ctx *c, const Term *root)
{
    if (!mentions_fold(root)) return false;
    PrintOptions plain = {0};
    Printer p = printer(c, &plain);
    reserve_all(&p, root);
    Buf b = {0};
    Layout l = {&b, 0, 0};
    layout(&l, print(&p, root, P_TOP, false), 0, true);
    bool needs = p.short_inits > 0 && !reads_back(c, &p, root, buf_text(&b));
    buf_free(&b);
    arena_free(p.arena);
    return needs;
}

/* The node at a path, with the names of the binders on the way pushed as they print in the whole term. */
static const Term *walk_to(Printer *p, const Term *t, const uint8_t *path, int length)
{
    const Term *parent = NULL;
    for (int i = 0; i < length; i++) {
        const Term *f = t->kind == T_LAM ? t : t->kind == T_PRIM && t->prim == PRIM_LET && path[i] == 1 ? t->args[1] : NULL;
        const char *fallback = f != t ? "t" : parent ? function_fallback(parent) : NULL;
        if (f) pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, fallback);
        parent = t;
        t = term_slot(t, path[i]);
    }
    return t;
}

/* A term taken out of its functions has free indices: _0 is the innermost. */
static void name_free(Printer *p, const Term *root)
{
    for (int i = root->free_limit - 1; i >= 0; i--) push_name(p, arena_printf(p->arena, "_%d", i));
}

/* The node at a path, or another term that could stand there. */
static void print_from(Ctx *c, const Term *root, const uint8_t *path, int length, const Term *instead,
                       const PrintOptions *o, Buf *out)
{
    Printer p = printer(c, o);
    p.long_inits = !o->max_depth && needs_long_inits(c, root);     /* elided text does not read back anyway */
    reserve_all(&p, root);
    if (instead) reserve_all(&p, instead);
    name_free(&p, root);
    const Term *t = walk_to(&p, root, path, length);
    if (instead) t = instead;
    Layout l = {out, o->width, 0};
    layout(&l, print(&p, t, P_TOP, false), 0, o->width == 0);
    arena_free(p.arena);
}

void lang_print(Ctx *c, const Term *t, const PrintOptions *o, Buf *out) { print_from(c, t, NULL, 0, NULL, o, out); }

void lang_print_at(Ctx *c, const Term *root, const uint8_t *path, int length, const PrintOptions *o, Buf *out)
{
    print_from(c, root, path, length, NULL, o, out);
}

const char *lang_text(Ctx *c, const Term *root, const uint8_t *path, int length, int max)
{
    return lang_text_of(c, root, path, length, NULL, max);
}

const char *lang_text_of(Ctx *c, const Term *root, const uint8_t *path, int length, const Term *instead, int max)
{
    Buf b = {0};
    for (int depth = 12; depth >= 1; depth -= depth > 4 ? 2 : 1) {
        PrintOptions o = {.max_depth = depth};
        buf_clear(&b);
        print_from(c, root, path, length, instead, &o, &b);
        if (columns(buf_text(&b)) <= max) break;
    }
    if ((int)b.len > max) {
        b.len = (size_t)(max > 2 ? max - 2 : 0);
        while (b.len && ((unsigned char)b.data[b.len] & 0xc0) == 0x80) b.len--;
        b.data[b.len] = '\0';
        buf_puts(&b, "..");
    }
    const char *s = arena_strdup(c->diag.arena, buf_text(&b));
    buf_free(&b);
    return s;
}

/* ---- names ---- */

/* Push the names that the lambda, or the lambda of a let, binds; NULL: t binds nothing. */
static const Doc *bind(Printer *p, const Term *t, const char *fallback)
{
    const Term *f = t->kind == T_LAM ? t : t->kind == T_PRIM && t->prim == PRIM_LET ? t->args[1] : NULL;
    return f ? pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, f == t ? fallback : "t") : NULL;
}

static const char *fallback_below(const Term *parent)
{
    return parent && parent->kind == T_PRIM ? function_fallback(parent) : NULL;
}

const char *lang_binder(Ctx *c, const Term *root, const uint8_t *path, int path_length)
{
    PrintOptions plain = {0};
    Printer p = printer(c, &plain);
    reserve_all(&p, root);
    const Term *t = walk_to(&p, root, path, path_length), *parent = root;
    for (int i = 0; i + 1 < path_length; i++) parent = term_slot(parent, path[i]);
    const Doc *d = bind(&p, t, path_length ? fallback_below(parent) : NULL);
    Buf b = {0};
    Layout l = {&b, 0, 0};
    if (d) layout(&l, d, 0, true);
    const char *s = arena_strdup(c->diag.arena, buf_text(&b));
    buf_free(&b);
    arena_free(p.arena);
    return s;
}

/* Names that no text gave are left out: they often do not print at all. */
static bool has_hints(const Term *f)
{
    int n = f->u.hints ? hint_count(f->type->elems[0]) : 0;
    while (n > 0 && !f->u.hints[n - 1]) n--;
    return n > 0;
}

static bool binds_name(Printer *p, const Term *t, const char *fallback, const char *name)
{
    int names = p->name_count;
    bool found = false, let = t->kind == T_PRIM && t->prim == PRIM_LET;
    if (let) found = binds_name(p, t->args[0], NULL, name);
    if (!found && bind(p, t, fallback) && has_hints(let ? t->args[1] : t))
        for (int i = names; i < p->name_count; i++) found = found || !strcmp(p->names[i], name);
    for (int i = let; i < term_slot_count(t) && !found; i++) found = binds_name(p, term_slot(t, i), fallback_below(t), name);
    pop_names(p, names);
    return found;
}

bool lang_has_name(Ctx *c, const Term *root, const char *name)
{
    PrintOptions plain = {0};
    Printer p = printer(c, &plain);
    reserve_all(&p, root);
    bool found = false;
    for (int i = 0; i < p.name_count; i++) found = found || !strcmp(p.names[i], name);
    found = found || binds_name(&p, root, NULL, name);
    arena_free(p.arena);
    return found;
}

/* ---- trees ---- */

static const char *tree_head(Printer *p, const Term *t)
{
    Buf b = {0};
    Layout l = {&b, 0, 0};
    if (t->kind != T_PRIM) layout(&l, print(p, t, P_TOP, true), 0, true);
    else if (t->prim == PRIM_PROJ) buf_printf(&b, ".%d", t->u.proj);
    else if (t->prim == PRIM_REORDER && t->arg_count == 3) buf_puts(&b, "reorder perm");
    else layout(&l, statics(p, t, text(p, prim((PrimId)t->prim)->name)), 0, true);
    const char *s = arena_strdup(p->arena, buf_text(&b));
    buf_free(&b);
    return s;
}

typedef struct Tree {
    Printer *p;
    bool types;
    Buf *out;
    int top, length;                         /* length of the path of the whole tree, of the present node */
    uint8_t path[256];                       /* nodes with longer paths have no label */
} Tree;

static void tree_line(Tree *t, const Term *node, const char *slot, const char *fallback)
{
    Printer *p = t->p;
    if (p->o->label) p->o->label(p->o->label_data, t->length <= COUNT(t->path) ? t->path : NULL, t->length, t->out);
    buf_printf(t->out, "%*s%s%s", 2 * (t->length - t->top), "", slot, *slot ? ": " : "");
    Layout l = {t->out, 0, 0};
    if (node->kind == T_LAM) {
        buf_puts(t->out, p->o->unicode ? "λ" : "\\");
        layout(&l, pattern(p, node->type->elems[0], node->u.hints, node->args[0], 0, fallback), 0, true);
    } else {
        buf_puts(t->out, tree_head(p, node));
    }
    if (t->types) {
        buf_puts(t->out, "  : ");
        type_print(node->type, t->out);
    }
    buf_putc(t->out, '\n');
}

static void tree(Tree *t, const Term *node, const char *slot, const char *fallback)
{
    Printer *p = t->p;
    int names = p->name_count, depth = t->length - t->top;
    tree_line(t, node, slot, fallback);
    bool elide = p->o->max_depth && depth >= p->o->max_depth;
    if (elide && node->arg_count) {
        if (p->o->label) p->o->label(p->o->label_data, NULL, 0, t->out);
        buf_printf(t->out, "%*s..\n", 2 * depth + 2, "");
    }
    for (int i = 0; i < term_slot_count(node) && !elide; i++) {
        if (node->kind == T_PRIM && node->prim == PRIM_LET && i == 1) bind(p, node, NULL);
        const char *below = node->kind == T_PRIM ? function_fallback(node) : NULL;
        if (t->length < COUNT(t->path)) t->path[t->length] = (uint8_t)i;
        t->length++;
        tree(t, term_slot(node, i), term_slot_name(p->c, node, i), below);
        t->length--;
    }
    pop_names(p, names);
}

void lang_print_tree(Ctx *c, const Term *root, const uint8_t *path, int length, const PrintOptions *o, bool types, Buf *out)
{
    Printer p = printer(c, o);
    Tree t = {.p = &p, .types = types, .out = out, .top = length, .length = length};
    reserve_all(&p, root);
    if (length) memcpy(t.path, path, (size_t)length);
    tree(&t, walk_to(&p, root, path, length), "", NULL);
    arena_free(p.arena);
}
