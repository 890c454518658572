/* rule: the table of rules, and rules defined from text; an elementary rewrite as text (splitJoin{n=s0}, mapLocal(0), mapReorder.rev),
 * and read back from it. */
#include "match.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static const struct { const char *text, *kind, *origin, *doc; } builtin[] = {
#define RULE(text, kind, origin, doc) {text, kind, origin, doc},
#include "rules.def"
#undef RULE
};

struct Rules {
    Ctx *c;
    Arena *arena;
    VEC(Rule *) rules;
    int builtin;                             /* so many of them, the first ones */
    unsigned generation;
};

const char *trust_name(Trust t)
{
    static const char *const names[] = {
        [TRUST_BUILTIN] = "builtin", [TRUST_PROVED] = "proved", [TRUST_CHECKED] = "checked", [TRUST_ASSUMED] = "assumed",
    };
    return names[t];
}

int rules_count(const Rules *r) { return r->rules.n; }
const char *rules_name(const Rules *r, int i) { return r->rules.v[i]->name; }

/* Of the rule with the first n bytes of name for its name; -1: there is none. */
static int index_named(const Rules *rs, const char *name, size_t n)
{
    for (int i = 0; i < rs->rules.n; i++) {
        const char *other = rs->rules.v[i]->name;
        if (*other == *name && !strncmp(other, name, n) && !other[n]) return i;
    }
    return -1;
}

static int index_of(const Rules *rs, const char *name) { return index_named(rs, name, strlen(name)); }

const char *rules_suggest(Ctx *c, const Rules *r, const char *name, RuleFilter *may, void *data)
{
    NearName near = {.typed = name};
    for (int i = 0; i < r->rules.n; i++)
        if (!may || may(data, rules_name(r, i))) near_try(&near, rules_name(r, i));
    return near.name ? arena_strdup(c->diag.arena, near.name) : NULL;
}

/* ---- definition ---- */

/* The kind of the static argument as which a parameter is used somewhere in a; -1 if nowhere. */
static int use_of(Ctx *c, const Ast *a, const char *name)
{
    if (a->kind == AST_APP && a->kids[0]->kind == AST_NAME) {
        PrimId id = ast_prim(a->kids[0]);
        int statics = id == PRIM_COUNT ? 0 : prim_static_count(c, id);
        for (int i = 0; i < statics && i + 1 < a->kid_count; i++)
            if (a->kids[i + 1]->kind == AST_NAME && a->kids[i + 1]->name == name) return (int)prim_static_kind(c, id, i);
    }
    for (int i = 0; i < a->kid_count; i++) {
        int k = use_of(c, a->kids[i], name);
        if (k >= 0) return k;
    }
    return -1;
}

/* The name of the first list of a division into several parts, one of which is no list: as in zip as.. (map g b) cs..; NULL:
 * the left side has none. */
static const char *divided_list(const Ast *a)
{
    const char *first = NULL;
    int lists = 0, others = 0;
    bool heads = a->kind == AST_APP;
    for (int i = heads; i < a->kid_count; i++) {
        const Ast *k = a->kids[i];
        bool list = k->kind == AST_SPREAD && k->kids[0]->kind == AST_NAME;
        if (list && !first) first = k->kids[0]->name;
        lists += list;
        others += !list;
    }
    if (lists > 1 && others) return first;
    for (int i = a->kid_count - 1; i >= 0; i--) {             /* arrays before functions, whose parameters follow them */
        const char *below = divided_list(a->kids[i]);
        if (below) return below;
    }
    return NULL;
}

int rule_part_param(const Rule *rule) { return FIRST_NUMBER(i, rule->param_count, rule->params[i].list); }

/* Every free name of the right side must be bound: by the left side, as a parameter, by a lambda,
 * or known to the language. */
typedef struct NameCheck {
    Ctx *c;
    Arena *arena;
    const AstRule *rule;
    const Ast *lhs;
} NameCheck;

static bool known_word(const NameCheck *n, const char *name)
{
    if (strcmp(name, "length") == 0 || ast_is_float_name(name)) return true;
    if (perm_kind_from_name(name) != PERM_KINDS || pad_mode_from_name(name) != PAD_MODES) return true;
    if (named_prim(name) != PRIM_COUNT || ast_mentions(n->lhs, name)) return true;
    return ANY(i, n->rule->param_count, n->rule->params[i] == name) || defs_find(n->c, NULL, name);
}

static bool check_names(const NameCheck *n, const Ast *a, const Env *bound)
{
    if (a->kind == AST_NAME && strcmp(a->name, "_") && !env_find(bound, a->name) && !known_word(n, a->name)) {
        return ctx_error_at(n->c, E30, n->rule->source, a->span, "the left side does not bind \"%s\"" NOTE("hint") "put it on the left, "
                            "or make it a parameter: rule %s(%s): ...", a->name, n->rule->name, a->name);
    }
    for (int i = 0; i < a->pat_count; i++) bound = env_with_names(n->arena, a->pats[i], bound);
    return ALL(i, a->kid_count, check_names(n, a->kids[i], bound));
}

const char *source_part(Arena *arena, const Source *s, Span span) { return arena_trimmed(arena, s->text + span.from, s->text + span.to); }

/* One direction of a parsed rule. */
static Rule *make_rule(Ctx *c, Arena *arena, const AstRule *a, bool reversed)
{
    const Source *s = a->source;
    Rule *r = MAKE(arena, Rule, .name = reversed ? arena_printf(arena, "%s.rev", a->name) : a->name, .ast = a,
                   .reversed = reversed, .kind = "user", .trust = TRUST_ASSUMED, .doc = "", .origin = "");
    const Ast *left = rule_side(r, false), *right = rule_side(r, true);
    r->pattern = pattern_normalise(c, arena, s, left);
    if (!r->pattern) return NULL;
    r->head = pattern_begins(r->pattern);
    r->text = arena_printf(arena, "%s  =>  %s%s%s%s%s", source_part(arena, s, left->span), elements_word(r->ast->elements), r->ast->elements ? " " : "",
                           source_part(arena, s, right->span), a->cond_count ? "  " : "",
                           source_part(arena, s, a->cond_text));
    if (a->param_count > COUNT(r->params))
        return ctx_error_at(c, E30, s, a->span, "a rule has at most %d parameters", COUNT(r->params));
    for (int i = 0; i < a->param_count; i++) {
        int on_left = use_of(c, left, a->params[i]), on_right = use_of(c, right, a->params[i]);
        int kind = a->kinds[i] ? static_kind_from_name(a->kinds[i]) : on_left >= 0 ? on_left : on_right >= 0 ? on_right : STATIC_SIZE;
        r->params[r->param_count++] = (RuleParam){a->params[i], (StaticKind)kind, on_left < 0, NULL};
    }
    const char *list = ast_mentions(left, intern(c->names, PART_PARAM)) ? NULL : divided_list(left);
    if (list && r->param_count < COUNT(r->params) && !ANY(i, r->param_count, !strcmp(r->params[i].name, PART_PARAM)))
        r->params[r->param_count++] = (RuleParam){PART_PARAM, STATIC_SIZE, true, list};
    NameCheck check = {c, arena, a, left};
    if (!check_names(&check, right, NULL)) return NULL;
    for (int i = 0; i < a->cond_count; i++)
        if (!ALL(k, a->conds[i]->arg_count, check_names(&check, a->conds[i]->args[k], NULL))) return NULL;
    return r;
}

static void put(Rules *rs, Rule *r)
{
    int at = index_of(rs, r->name);
    rs->generation++;
    if (at >= 0) rs->rules.v[at] = r;
    else vec_push(&rs->rules, r);
}

static void take_out(Rules *rs, int at)
{
    memmove(&rs->rules.v[at], &rs->rules.v[at + 1], sizeof *rs->rules.v * (size_t)(rs->rules.n - at - 1));
    rs->rules.n--;
    rs->generation++;
}

/* `reduce + z x` reads as a sum of reduce and z x: E04. */
static bool operators_stand_alone(Ctx *c, const Source *s, const Ast *a)
{
    bool sum = a->kind == AST_BINARY && !strchr(".$|", *a->name);
    if (sum && a->kids[0]->kind == AST_NAME && ast_prim(a->kids[0]) != PRIM_COUNT)
        return ctx_error_at(c, E04, s, a->span, "a function stands where a value is needed" NOTE("hint") "an operator that is an argument "
                            "stands in brackets: (%s)", a->name);
    return ALL(i, a->kid_count, operators_stand_alone(c, s, a->kids[i]));
}

static Rule *define(Ctx *c, Arena *arena, const Source *s, Rule **reverse)
{
    Parser p = {.arena = arena, .names = c->names, .diag = &c->diag};
    const AstRule *a = parse_rule(&p, s);
    bool good = a && operators_stand_alone(c, s, a->lhs) && operators_stand_alone(c, s, a->rhs);
    Rule *r = good ? make_rule(c, arena, a, false) : NULL;
    *reverse = r && a->both_ways ? make_rule(c, arena, a, true) : NULL;
    return r && a->both_ways && !*reverse ? NULL : r;
}

Rule *rules_read(Ctx *c, Rules *rs, const Source *source, Rule **reverse)
{
    Rule *back = NULL;
    Source *s = MAKE(rs->arena, Source, arena_strdup(rs->arena, source->name), arena_strndup(rs->arena, source->text, source->len),
                     source->len);
    Rule *r = define(c, rs->arena, s, &back);       /* once as typed, for the carets of errors */
    if (r) {
        /* The tokens of a text on one line, without comments and without the word `rule`. */
        Buf b = {0};
        uint32_t offset = 0, after, end = 0;
        Token t = lex_token(s, &offset, c->names, NULL);
        after = offset;
        if (t.kind == TOK_NAME && !strcmp(t.text, "rule") && lex_token(s, &after, c->names, NULL).kind == TOK_NAME)
            t = lex_token(s, &offset, c->names, NULL);
        for (; t.kind != TOK_END && t.kind != TOK_ERROR; t = lex_token(s, &offset, c->names, NULL)) {
            if (b.len && t.span.from > end) buf_putc(&b, ' ');
            buf_write(&b, s->text + t.span.from, t.span.to - t.span.from);
            end = t.span.to;
        }
        s->text = buf_take(&b, rs->arena);
        s->len = strlen(s->text);
        r = define(c, rs->arena, s, &back);
    }
    if (reverse) *reverse = back;
    return r;
}

bool rules_put(Rules *rs, Rule *r, Rule *reverse)
{
    int old = index_of(rs, r->name);
    if (old >= 0 && old < rs->builtin) return false;
    put(rs, r);
    int back = index_of(rs, arena_printf(rs->arena, "%s.rev", r->name));
    if (reverse) put(rs, reverse);
    else if (back >= 0) take_out(rs, back);
    return true;
}

Rule *rules_define(Ctx *c, Rules *rs, const Source *source, Rule **reverse)
{
    Rule *back, *r = rules_read(c, rs, source, &back);
    if (reverse) *reverse = back;
    if (!r || rules_put(rs, r, back)) return r;
    return ctx_error(c, E30, "\"%s\" is a built-in rule and cannot be replaced", r->name);
}

bool rules_remove(Rules *rs, const char *name)
{
    int at = index_of(rs, name);
    if (at < 0 || !rule_is_user(rs->rules.v[at]) || rs->rules.v[at]->reversed) return false;
    take_out(rs, at);
    int back = index_of(rs, arena_printf(rs->arena, "%s.rev", name));
    if (back >= 0) take_out(rs, back);
    return true;
}

bool rule_is_user(const Rule *r) { return r->trust != TRUST_BUILTIN; }
const char *rule_definition(const Rule *r) { return r->ast->source->text; }

int rule_conditions(const Rule *r, Arena *arena, const char ***out)
{
    int n = r->ast->cond_count;
    *out = NEW_ARRAY(arena, const char *, n);
    for (int i = 0; i < n; i++)
        (*out)[i] = source_part(arena, r->ast->source, r->ast->conds[i]->span);
    return n;
}

bool rule_takes_finite(const Rule *r) { return ANY(i, r->ast->cond_count, r->ast->conds[i]->kind == COND_FINITE); }

bool rule_asks(const Rule *r) { return ANY(i, r->ast->cond_count, r->ast->conds[i]->kind == COND_CALL); }

unsigned rules_generation(const Rules *r) { return r->generation; }

/* ---- the built-in rules ---- */

/* Lists a built-in rule, and its reverse: what they are is read when one of them is first asked for, for reading all would be nine tenths
 * of what lathe does before its first prompt. Until then their text is the definition, and they have no tree. */
static void list_builtin(Rules *rs, int i)
{
    const char *text = builtin[i].text, *name = intern_n(rs->c->names, text, strcspn(text, "(:"));
    for (int reversed = 0; reversed <= (strstr(text, "<=>") != NULL); reversed++)
        put(rs, MAKE(rs->arena, Rule, .name = reversed ? arena_printf(rs->arena, "%s.rev", name) : name, .text = text,
                     .kind = builtin[i].kind, .origin = builtin[i].origin, .doc = builtin[i].doc, .reversed = reversed,
                     .trust = TRUST_BUILTIN));
}

Rule *rules_get(const Rules *rs, int i)
{
    Rule *r = rs->rules.v[i];
    if (r->ast) return r;
    Rule *const *both = &rs->rules.v[i - r->reversed];
    Source *s = MAKE(rs->arena, Source, "rules.def", r->text, strlen(r->text));
    Diag aside = diag_aside(&rs->c->diag);
    Rule *back, *read = define(rs->c, rs->arena, s, &back);
    if (!read) {
        Buf why = {0};
        diag_render(&rs->c->diag, &why);
        fputs(buf_text(&why), stderr);
        abort();                                             /* lua_check reads them all: a build ends here, not a session */
    }
    diag_back(&rs->c->diag, aside);
    for (int k = 0; read; read = k++ ? NULL : back) {
        Rule listed = *both[k];
        *both[k] = *read;
        both[k]->kind = listed.kind, both[k]->origin = listed.origin, both[k]->doc = listed.doc, both[k]->trust = listed.trust;
    }
    return r;
}

static Rule *get_named(const Rules *rs, const char *name, size_t n)
{
    int i = index_named(rs, name, n);
    return i < 0 ? NULL : rules_get(rs, i);
}

Rule *rules_find(const Rules *rs, const char *name) { return get_named(rs, name, strlen(name)); }
Rule *rules_called(const Rules *rs, const char *call) { return get_named(rs, call, strcspn(call, "({")); }

/* Built-in rules stand first: none is ever taken out. */
Rule *rules_user(const Rules *rs, int i)
{
    i += rs->builtin;
    return i < rs->rules.n ? rs->rules.v[i] : NULL;
}

uint64_t rules_hash(void)
{
    uint64_t h = 0;
    for (int i = 0; i < COUNT(builtin); i++) h = hash_bytes(h, builtin[i].text, strlen(builtin[i].text));
    return h;
}

static Rules *no_rules(Ctx *c)
{
    Rules *rs = mem_alloc(sizeof *rs);
    rs->c = c;
    rs->arena = arena_new();
    return rs;
}

Rules *rules_new(Ctx *c)
{
    Rules *rs = no_rules(c);
    for (int i = 0; i < COUNT(builtin); i++) list_builtin(rs, i);
    rs->builtin = rs->rules.n;
    return rs;
}

Rules *rules_alone(Ctx *c, const Rule *r)
{
    Rules *rs = no_rules(c);
    if (rule_is_user(r)) rules_define(c, rs, r->ast->source, NULL);
    for (int i = 0; i < COUNT(builtin) && !rule_is_user(r); i++)
        if (builtin[i].text == rule_definition(r)) list_builtin(rs, i);
    return rs;
}

void rules_free(Rules *rs)
{
    if (!rs) return;
    arena_free(rs->arena);
    free(rs->rules.v);
    free(rs);
}

/* ---- calls as text ---- */

static void print_size(const Nat *n, bool quoted, Buf *out)
{
    const char *quote = quoted && !n->is_const ? "\"" : "";
    buf_puts(out, quote);
    nat_print(n, 0, out);
    buf_puts(out, quote);
}

static void print_arg(Ctx *c, const RuleParam *p, const RuleArg *a, bool quoted, Buf *out)
{
    if (p->kind == STATIC_PERM) {
        buf_puts(out, perm_kind_name(a->perm));
        /* perm([[\i -> ..]], [[\i -> ..]]): both are texts to Lua. */
        if (a->perm == PERM_FUN && a->fwd && a->inv) {
            PrintOptions plain = {0};
            buf_puts(out, "([[");
            lang_print(c, a->fwd, &plain, out);
            buf_puts(out, "]], [[");
            lang_print(c, a->inv, &plain, out);
            buf_puts(out, "]])");
        }
        if (a->perm == PERM_ROTATE || a->perm == PERM_STRIDE) {
            buf_putc(out, '(');
            print_size(a->size, quoted, out);
            buf_putc(out, ')');
        }
    } else if (p->kind == STATIC_MODE) buf_printf(out, "\"%s\"", pad_mode_name((PadMode)a->size->value));
    else print_size(a->size, quoted, out);
}

static const char *call_text(Ctx *c, const Rule *r, const RuleArg *args, bool quoted)
{
    Buf b = {0};
    int shown = 0;
    buf_puts(&b, r->name);
    for (int i = 0; i < r->param_count; i++) {
        if (!r->params[i].given || !args[i].set) continue;
        bool number = args[i].size && args[i].size->is_const;
        bool positional = number && r->param_count == 1;
        buf_puts(&b, shown++ ? ", " : positional ? "(" : "{");
        if (!positional) buf_printf(&b, "%s=", r->params[i].name);
        print_arg(c, &r->params[i], &args[i], quoted, &b);
    }
    if (shown) buf_putc(&b, strchr(b.data, '{') ? '}' : ')');
    return buf_take(&b, c->diag.arena);
}

const char *rule_call_text(Ctx *c, const Rule *r, const RuleArg *args) { return call_text(c, r, args, false); }
const char *rule_typed_text(Ctx *c, const Rule *r, const RuleArg *args) { return call_text(c, r, args, true); }

/* ---- calls read back ---- */

typedef struct Call {
    Ctx *c;
    Arena *arena;
    LangScope scope;                     /* fresh tuning parameters that the arguments name are in it */
    const Rule *rule;
    const char *text;
} Call;

static bool bad_call(const Call *k, const char *what)
{
    return ctx_error(k->c, E22, "\"%.80s\" %s" NOTE("needs") "%s as in RULE{n=s0, d=1}, RULE(4) or RULE", k->text, what,
                     k->rule ? k->rule->name : "a rule");
}

static bool is_name(const char *name, const char *s, size_t n) { return strlen(name) == n && !strncmp(name, s, n); }

/* Names of new tuning parameters in a text: those that rules give; of a size all that begin with a small letter and name none of the program's. */
static void add_names(Call *k, const char *text, bool size)
{
    const Program *program = k->scope.program;
    int most = k->scope.param_count + (int)strlen(text) / 2 + 1;
    const char **names = NEW_ARRAY(k->arena, const char *, most);
    for (int i = 0; i < k->scope.param_count; i++) names[i] = k->scope.params[i];
    k->scope.params = names;
    for (const char *p = text; *p;) {
        size_t n = name_length(p);
        /* s0, s1 ...: what rule_apply calls a fresh tuning parameter. */
        bool fits = (n > 1 && *p == 's' && strspn(p + 1, "0123456789") >= n - 1)
                 || (size && n && *p >= 'a' && *p <= 'z' && p[n] != '('
                     && !(program && ANY(i, program->size_count, is_name(nat_atom(program->sizes[i])->name, p, n))));
        if (fits && !ANY(i, k->scope.param_count, is_name(names[i], p, n)))
            names[k->scope.param_count++] = arena_strndup(k->arena, p, n);
        p += n ? n : 1;
    }
}

static const Source *source_of(const Call *k, const char *text) { return MAKE(k->arena, Source, "call", text, strlen(text)); }

/* [[text]] or "text" with \" and \\ taken back; NULL when it is not quoted. *end is behind it. */
static char *quoted(const Call *k, const char *text, const char **end)
{
    const char *close = strncmp(text, "[[", 2) ? NULL : strstr(text, "]]");
    if (close) return *end = close + 2, arena_strndup(k->arena, text + 2, (size_t)(close - text - 2));
    if (*text != '"') return NULL;
    char *out = arena_strdup(k->arena, text + 1), *to = out;
    const char *p = text + 1;
    for (; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1]) p++;
        *to++ = *p;
    }
    if (!*p) return NULL;
    *to = 0;
    *end = p + 1;
    return out;
}

/* A function i32 -> i32: read as that of a `generate`, where it has this type. */
static const Term *index_function(const Call *k, const char *text)
{
    const char *whole = arena_printf(k->arena, "generate 1 (%s)", text);
    const Type *array = type_array(k->c, nat_const(k->c->nats, 1), type_scalar(k->c, SC_I32));
    const Term *t = lang_expr(k->c, &k->scope, source_of(k, whole), array);
    return t && term_is(t, PRIM_GENERATE) && t->type == array ? t->args[0] : NULL;
}

static bool read_size(const Call *k, const char *text, RuleArg *out)
{
    Call named = *k;
    add_names(&named, text, true);
    out->size = lang_size(k->c, &named.scope, source_of(k, text));
    return out->size != NULL;
}

static bool read_perm(const Call *k, const char *text, RuleArg *out)
{
    size_t n = strcspn(text, "("), len = strlen(text);
    PermKind kind = perm_kind_from_name(arena_strndup(k->arena, text, n));
    if (kind == PERM_KINDS) return bad_call(k, "has no permutation where one belongs");
    out->perm = kind;
    out->size = nat_const(k->c->nats, 0);
    if (kind == PERM_FUN) {                                    /* ([[f]], [[g]]) */
        const char *end = text + n, *fwd = *end == '(' ? quoted(k, end + 1, &end) : NULL;
        if (fwd) end += strspn(end, ", ");
        const char *inv = fwd ? quoted(k, end, &end) : NULL;
        out->fwd = inv && !strcmp(end, ")") ? index_function(k, fwd) : NULL;
        out->inv = out->fwd ? index_function(k, inv) : NULL;
        return out->inv || bad_call(k, "has no perm([[f]], [[g]]) of two index functions where one belongs");
    }
    if (kind == PERM_REVERSE) return !text[n] || bad_call(k, "has an argument after reverse");
    if (!text[n] || text[len - 1] != ')') return bad_call(k, "has a permutation without its number");
    return read_size(k, arena_strndup(k->arena, text + n + 1, len - n - 2), out);
}

/* The end of the argument at p: a comma outside brackets and quotes, or the end. */
static const char *argument_end(const char *p)
{
    int depth = 0;
    for (; *p && (depth > 0 || *p != ','); p++) {
        if (strchr("([{", *p)) depth++;
        else if (strchr(")]}", *p)) depth--;
        else if (*p == '"')
            for (p++; *p && *p != '"'; p++) p += *p == '\\' && p[1];
        if (!*p) break;
    }
    return p;
}

static bool read_argument(const Call *k, bool named, int i, const char *text, RuleArg args[RULE_ARGS])
{
    if (named) {
        size_t n = name_length(text);
        if (text[n] != '=') return bad_call(k, "has an argument without NAME=");
        for (i = 0; i < k->rule->param_count && !is_name(k->rule->params[i].name, text, n);) i++;
        text += n + 1;
    }
    if (i >= k->rule->param_count) return bad_call(k, "has an argument that the rule does not take");
    StaticKind kind = k->rule->params[i].kind;
    RuleArg *out = &args[i];
    *out = (RuleArg){.set = true};
    if (kind == STATIC_MODE) {
        const char *end = text, *name = quoted(k, text, &end);
        PadMode mode = name && !*end ? pad_mode_from_name(name) : PAD_MODES;
        out->size = nat_const(k->c->nats, mode);
        return mode != PAD_MODES || bad_call(k, "has no mode \"clamp\", \"mirror\" or \"wrap\" where one belongs");
    }
    if (kind == STATIC_PERM) return read_perm(k, text, out);
    return read_size(k, text, out);
}

static bool read_arguments(Call *k, const char *text, RuleArg args[RULE_ARGS])
{
    size_t len = strlen(text);
    bool named = *text == '{';
    if (len < 2 || (*text != '(' && !named) || text[len - 1] != (named ? '}' : ')'))
        return bad_call(k, "is not a call of a rule");
    const char *p = arena_trimmed(k->arena, text + 1, text + len - 1);
    add_names(k, p, false);
    for (int i = 0; *p; i++) {
        const char *end = argument_end(p);
        if (!read_argument(k, named, i, arena_trimmed(k->arena, p, end), args)) return false;
        p = end + (*end == ',');
        p += strspn(p, " ");
    }
    return true;
}

const Rule *rule_call_parse(Ctx *c, const Rules *rules, const LangScope *scope, const char *text, RuleArg args[RULE_ARGS])
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    Call k = {.c = c, .arena = arena, .scope = *scope, .text = text};
    size_t n = strcspn(text, "({ ");
    memset(args, 0, sizeof *args * RULE_ARGS);
    k.rule = rules_find(rules, arena_strndup(k.arena, text, n));
    if (!k.rule) diag_error(&c->diag, E02, "no rule called \"%.*s\"", (int)(n < 60 ? n : 60), text);
    return k.rule && (!text[n] || read_arguments(&k, text + n, args)) ? k.rule : NULL;
}
