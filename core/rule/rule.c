#include "match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

static const struct { const char *text, *kind, *origin, *doc; } builtin[] = {
#define RULE(text, kind, origin, doc) {text, kind, origin, doc},
#include "rules.def"
#undef RULE
};

struct RuleCode {                            /* what a rule is matched and rebuilt with */
    const Source *source;
    const Ast *lhs, *rhs;                    /* lhs in normal form */
    const AstCond *const *conds;
    int cond_count;
    PrimId head;                             /* primitive that the left side starts with; PRIM_COUNT: none */
};

struct Rules {
    Ctx *c;
    Arena *arena;
    VEC(Rule *) rules;
    unsigned generation;
};

int rules_count(const Rules *r) { return r->rules.n; }
Rule *rules_get(const Rules *r, int i) { return r->rules.v[i]; }

Rule *rules_find(const Rules *r, const char *name)
{
    for (int i = 0; i < r->rules.n; i++)
        if (strcmp(r->rules.v[i]->name, name) == 0) return r->rules.v[i];
    return NULL;
}

const char *rules_suggest(Ctx *c, const Rules *r, const char *name)
{
    const char *best = NULL;
    int distance = 3;
    for (int i = 0; i < r->rules.n; i++) {
        int d = edit_distance(name, r->rules.v[i]->name);
        if (d < distance && d <= (int)strlen(name) / 2) best = r->rules.v[i]->name, distance = d;
    }
    return best ? arena_strdup(c->diag.arena, best) : NULL;
}

/* ---- definition ---- */

/* The kind of the static argument as which a parameter is used somewhere in a; -1 if nowhere. */
static int use_of(Ctx *c, const Ast *a, const char *name)
{
    if (a->kind == AST_APP && a->kids[0]->kind == AST_NAME) {
        PrimId id = pattern_prim(a->kids[0]->name);
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

static bool mentions_name(const Ast *a, const char *name)
{
    if (a->kind == AST_NAME && a->name == name) return true;
    for (int i = 0; i < a->kid_count; i++)
        if (mentions_name(a->kids[i], name)) return true;
    return false;
}

static bool kind_from_name(const char *name, StaticKind *out)
{
    static const char *const names[] = {[STATIC_SIZE] = "size", [STATIC_DIM] = "dim", [STATIC_WIDTH] = "width",
                                        [STATIC_MODE] = "mode", [STATIC_PERM] = "perm"};
    for (int i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0) {
            *out = (StaticKind)i;
            return true;
        }
    return false;
}

static bool rule_params(Ctx *c, Rule *r, const AstRule *a, const Ast *lhs, const Ast *rhs)
{
    if (a->param_count > COUNT(r->params)) {
        diag_error_at(&c->diag, E30, a->source, a->span, "a rule has at most %d parameters", COUNT(r->params));
        return false;
    }
    for (int i = 0; i < a->param_count; i++) {
        RuleParam *p = &r->params[r->param_count++];
        int on_left = use_of(c, lhs, a->params[i]), on_right = use_of(c, rhs, a->params[i]);
        *p = (RuleParam){a->params[i], (StaticKind)(on_left >= 0 ? on_left : on_right >= 0 ? on_right : STATIC_SIZE), on_left < 0};
        if (a->kinds[i] && !kind_from_name(a->kinds[i], &p->kind)) {
            diag_error_at(&c->diag, E30, a->source, a->span, "\"%s\" is no kind of parameter: size, dim, width, perm or mode", a->kinds[i]);
            return false;
        }
    }
    return true;
}

/* Every free name of the right side must be bound: by the left side, as a parameter, by a lambda, or known to the language. */
typedef struct NameCheck {
    Ctx *c;
    Arena *arena;
    const AstRule *rule;
    const Ast *lhs;
} NameCheck;

static bool known_word(const NameCheck *n, const char *name)
{
    static const char *const words[] = {"length", "pi", "inf", "nan", "reverse", "rotate", "stride", "perm", "clamp", "mirror", "wrap"};
    for (int i = 0; i < COUNT(words); i++)
        if (strcmp(words[i], name) == 0) return true;
    if (pattern_prim(name) != PRIM_COUNT || defs_find(n->c, NULL, name)) return true;
    for (int i = 0; i < n->rule->param_count; i++)
        if (n->rule->params[i] == name) return true;
    return mentions_name(n->lhs, name);
}

static const Env *bind_names(const NameCheck *n, const AstPat *p, const Env *next)
{
    if (p->name) {
        Env *b = NEW(n->arena, Env);
        *b = (Env){.name = p->name, .next = next};
        next = b;
    }
    for (int i = 0; i < p->kid_count; i++) next = bind_names(n, p->kids[i], next);
    return next;
}

static bool check_names(const NameCheck *n, const Ast *a, const Env *bound)
{
    if (a->kind == AST_NAME && strcmp(a->name, "_") && !env_find(bound, a->name) && !known_word(n, a->name)) {
        diag_error_at(&n->c->diag, E30, n->rule->source, a->span, "the left side does not bind \"%s\"", a->name);
        diag_note(&n->c->diag, "try", "put it on the left, or make it a parameter: rule %s(%s): ...", n->rule->name, a->name);
        return false;
    }
    for (int i = 0; i < a->pat_count; i++) bound = bind_names(n, a->pats[i], bound);
    for (int i = 0; i < a->kid_count; i++)
        if (!check_names(n, a->kids[i], bound)) return false;
    return true;
}

static bool check_cond_names(const NameCheck *n)
{
    for (int i = 0; i < n->rule->cond_count; i++)
        for (int k = 0; k < n->rule->conds[i]->arg_count; k++)
            if (!check_names(n, n->rule->conds[i]->args[k], NULL)) return false;
    return true;
}

static const char *between(Arena *arena, const Source *s, uint32_t from, uint32_t to)
{
    while (from < to && strchr(" \t\n", s->text[from])) from++;
    while (to > from && strchr(" \t\n", s->text[to - 1])) to--;
    return arena_strndup(arena, s->text + from, to - from);
}

static PrimId head_of(const Ast *lhs)
{
    if (lhs->kind == AST_APP && lhs->kids[0]->kind == AST_NAME) return pattern_prim(lhs->kids[0]->name);
    return lhs->kind == AST_BINARY ? prim_from_name(lhs->name) : PRIM_COUNT;
}

/* One direction of a parsed rule. */
static Rule *make_rule(Ctx *c, Rules *rs, const AstRule *a, bool reversed)
{
    Rule *r = NEW(rs->arena, Rule);
    const Ast *left = reversed ? a->rhs : a->lhs, *right = reversed ? a->lhs : a->rhs;
    struct RuleCode *code = NEW(rs->arena, struct RuleCode);
    *code = (struct RuleCode){.source = a->source, .rhs = right, .conds = (const AstCond *const *)a->conds, .cond_count = a->cond_count};
    code->lhs = pattern_normalise(c, rs->arena, a->source, left);
    if (!code->lhs) return NULL;
    code->head = head_of(code->lhs);
    r->name = reversed ? arena_printf(rs->arena, "%s.rev", a->name) : a->name;
    r->ast = a;
    r->code = code;
    r->reversed = reversed;
    r->kind = "user";
    r->trust = TRUST_ASSUMED;
    r->doc = r->origin = "";
    const Source *s = a->source;
    r->text = arena_printf(rs->arena, "%s  =>  %s%s%s", between(rs->arena, s, left->span.from, left->span.to),
                           between(rs->arena, s, right->span.from, right->span.to), a->cond_count ? "  " : "",
                           between(rs->arena, s, a->cond_text.from, a->cond_text.to));
    if (!rule_params(c, r, a, left, right)) return NULL;
    NameCheck check = {c, rs->arena, a, left};
    if (!check_names(&check, right, NULL) || !check_cond_names(&check)) return NULL;
    return r;
}

static const AstRule *parse(Ctx *c, Rules *rs, const Source *s)
{
    Parser p = {.arena = rs->arena, .names = c->names, .diag = &c->diag};
    return parse_rule(&p, s);
}

static int index_of(const Rules *rs, const char *name)
{
    for (int i = 0; i < rs->rules.n; i++)
        if (strcmp(rs->rules.v[i]->name, name) == 0) return i;
    return -1;
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

static Rule *define(Ctx *c, Rules *rs, const Source *s, Rule **reverse)
{
    const AstRule *a = parse(c, rs, s);
    Rule *r = a ? make_rule(c, rs, a, false) : NULL;
    *reverse = r && a->both_ways ? make_rule(c, rs, a, true) : NULL;
    return r && a->both_ways && !*reverse ? NULL : r;
}

/* The tokens of a text on one line, without comments and without the word `rule`. */
static char *one_line(Ctx *c, Arena *arena, const Source *s)
{
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
    char *text = arena_strdup(arena, buf_text(&b));
    buf_free(&b);
    return text;
}

Rule *rules_read(Ctx *c, Rules *rs, const Source *source, Rule **reverse)
{
    Rule *back = NULL;
    Source *s = NEW(rs->arena, Source);
    *s = (Source){arena_strdup(rs->arena, source->name), arena_strndup(rs->arena, source->text, source->len), source->len};
    Rule *r = define(c, rs, s, &back);       /* once as typed, for the carets of errors */
    if (r) {
        s->text = one_line(c, rs->arena, s);
        s->len = strlen(s->text);
        r = define(c, rs, s, &back);
    }
    if (reverse) *reverse = back;
    return r;
}

bool rules_put(Rules *rs, Rule *r, Rule *reverse)
{
    const Rule *old = rules_find(rs, r->name);
    if (old && !rule_is_user(old)) return false;
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
    diag_error(&c->diag, E30, "\"%s\" is a built-in rule and cannot be replaced", r->name);
    return NULL;
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
const char *rule_definition(const Rule *r) { return r->code->source->text; }
unsigned rules_generation(const Rules *r) { return r->generation; }

static void add_builtin(Rules *rs, int i)
{
    Source *s = NEW(rs->arena, Source);
    *s = (Source){"rules.def", builtin[i].text, strlen(builtin[i].text)};
    Rule *back, *r = define(rs->c, rs, s, &back);
    Rule *both[2] = {r, back};
    for (int k = 0; k < 2; k++) {
        if (!both[k]) continue;
        both[k]->trust = TRUST_BUILTIN;
        both[k]->kind = builtin[i].kind;
        both[k]->origin = builtin[i].origin;
        both[k]->doc = builtin[i].doc;
        put(rs, both[k]);
    }
}

Rules *rules_new(Ctx *c)
{
    Rules *rs = mem_alloc(sizeof *rs);
    rs->c = c;
    rs->arena = arena_new();
    for (int i = 0; i < COUNT(builtin) && !diag_failed(&c->diag); i++) add_builtin(rs, i);
    return rs;
}

void rules_free(Rules *rs)
{
    if (!rs) return;
    arena_free(rs->arena);
    free(rs->rules.v);
    free(rs);
}

/* ---- arguments ---- */

/* perm([[\i -> ..]], [[\i -> ..]]): both are texts to Lua. */
static void print_perm_functions(Ctx *c, const RuleArg *a, Buf *out)
{
    PrintOptions plain = {0};
    buf_puts(out, "([[");
    lang_print(c, a->fwd, &plain, out);
    buf_puts(out, "]], [[");
    lang_print(c, a->inv, &plain, out);
    buf_puts(out, "]])");
}

static void print_perm(Ctx *c, const RuleArg *a, Buf *out)
{
    buf_puts(out, perm_kind_name(a->perm));
    if (a->perm == PERM_FUN && a->fwd && a->inv) print_perm_functions(c, a, out);
    if (a->perm == PERM_ROTATE || a->perm == PERM_STRIDE) {
        buf_putc(out, '(');
        nat_print(a->size, 0, out);
        buf_putc(out, ')');
    }
}

static void print_arg(Ctx *c, const RuleParam *p, const RuleArg *a, bool quoted, Buf *out)
{
    quoted = quoted && p->kind == STATIC_SIZE && !a->size->is_const;
    if (quoted) buf_putc(out, '"');
    if (p->kind == STATIC_PERM) print_perm(c, a, out);
    else if (p->kind == STATIC_MODE) buf_printf(out, "\"%s\"", pad_mode_name((PadMode)a->size->value));
    else nat_print(a->size, 0, out);
    if (quoted) buf_putc(out, '"');
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
    const char *s = arena_strdup(c->diag.arena, buf_text(&b));
    buf_free(&b);
    return s;
}

const char *rule_call_text(Ctx *c, const Rule *r, const RuleArg *args) { return call_text(c, r, args, false); }
const char *rule_typed_text(Ctx *c, const Rule *r, const RuleArg *args) { return call_text(c, r, args, true); }

/* ---- one attempt to apply a rule ---- */

typedef struct Attempt {
    RewriteEnv *env;
    Ctx *c;
    Arena *arena;
    const Rule *rule;
    const struct RuleCode *code;
    const Term *root, *place;
    const Path *at;
    bool quiet;                              /* no messages: rule_applies */
    RuleArg args[6];
    int next_param;
    RuleResult *out;
    const Term *after;
    const char *needs, *why;                 /* a match was not taken: the condition and what is known; NULL: there was none */
    Matcher matcher;
} Attempt;

static Env *bind_arg(Attempt *a, const Env *next, const RuleParam *p, const RuleArg *arg)
{
    Env *b = NEW(a->arena, Env);
    b->name = intern(a->c->names, p->name);
    b->next = next;
    b->nat = arg->size;
    b->kind = p->kind == STATIC_PERM ? BIND_PERM : p->kind == STATIC_MODE ? BIND_MODE : BIND_SIZE;
    b->perm = arg->perm;
    b->fwd = arg->fwd;
    b->inv = arg->inv;
    if (p->kind == STATIC_PERM && !b->nat) b->nat = nat_const(a->c->nats, 0);
    return b;
}

static void read_arg(const Env *env, const char *name, RuleArg *out)
{
    const Env *b = env_find(env, name);
    if (b) *out = (RuleArg){true, b->nat, b->perm, b->fwd, b->inv};
}

static const Nat *fresh_param(Attempt *a, const char **name)
{
    const LangScope *ls = a->env->scope;
    for (;; a->next_param++) {
        char text[16];
        snprintf(text, sizeof text, "s%d", a->next_param);
        bool used = a->env->defs && defs_is_param(a->env->defs, text);
        for (int i = 0; ls && i < ls->param_count; i++) used |= strcmp(ls->params[i], text) == 0;
        if (used) continue;
        a->next_param++;
        *name = intern(a->c->names, text);
        return nat_var(a->c->nats, *name, VAR_PARAM, NULL, NULL);
    }
}

/* Parameters that neither the call nor the left side gave: sizes become fresh tuning parameters. */
static const Env *complete_args(Attempt *a, const Env *env, RuleResult *r)
{
    for (int i = 0; i < a->rule->param_count; i++) {
        const RuleParam *p = &a->rule->params[i];
        RuleArg *arg = &a->args[i];
        *arg = (RuleArg){0};
        read_arg(env, intern(a->c->names, p->name), arg);
        if (arg->set) continue;
        *arg = (RuleArg){.set = true};
        arg->size = fresh_param(a, &r->new_params[r->new_param_count]);
        if (r->new_param_count < COUNT(r->new_params) - 1) r->new_param_count++;
        env = bind_arg(a, env, p, arg);
    }
    return env;
}

/* ---- conditions ---- */

typedef struct CondCheck {
    Attempt *a;
    const Env *env;
    const AstCond *cond;
    const char *why;
} CondCheck;

static Elab elab_of(Attempt *a) { return elab_start(a->c, a->arena, NULL); }
static Scope scope_of(const Attempt *a, const Env *env) { return (Scope){env, 0, a->code->source}; }

static const Nat *cond_size(CondCheck *k, int i)
{
    Elab e = elab_of(k->a);
    return elab_size(&e, scope_of(k->a, k->env), k->cond->args[i]);
}

static const char *nat_words(CondCheck *k, const Nat *n)
{
    Buf b = {0};
    nat_print(n, 0, &b);
    const char *s = arena_strdup(k->a->arena, buf_text(&b));
    buf_free(&b);
    return s;
}

enum { NO = 0, YES = 1, UNKNOWN = -1, ASSUME = 2 };      /* ASSUME: becomes a fact of the version */

/* "s0 divides N", with what it comes to for the present sizes. */
static const char *fact_why(CondCheck *k, FactKind kind, const Nat *x, const Nat *y)
{
    const RewriteEnv *env = k->a->env;
    int64_t a, b;
    bool known = env->value && nat_eval(x, env->value, env->value_data, &a) && nat_eval(y, env->value, env->value_data, &b) && a > 0;
    const char *op = kind == FACT_DIVIDES ? "divides" : kind == FACT_LE ? "<=" : "<";
    const char *fact = arena_printf(k->a->arena, "%s %s %s", nat_words(k, x), op, nat_words(k, y));
    if (!known) return arena_printf(k->a->arena, "%s is a fact from now on", fact);
    bool holds = kind == FACT_DIVIDES ? b % a == 0 : kind == FACT_LE ? a <= b : a < b;
    const char *now = kind == FACT_DIVIDES ? arena_printf(k->a->arena, "%lld mod %lld = %lld", (long long)b, (long long)a, (long long)(b % a))
                                           : arena_printf(k->a->arena, "%lld %s %lld", (long long)a, op, (long long)b);
    return arena_printf(k->a->arena, "%s is a fact from now on; at present %s%s", fact, holds ? "" : "it does not hold: ", now);
}

static int add_fact(CondCheck *k, FactKind kind, const Nat *x, const Nat *y)
{
    RuleResult *r = k->a->out;
    if (k->cond->negated) return UNKNOWN;
    if (r->fact_count < COUNT(r->facts)) r->facts[r->fact_count++] = (Fact){kind, x, y};
    k->why = fact_why(k, kind, x, y);
    return ASSUME;
}

static int check_divides(CondCheck *k)
{
    Nats *n = k->a->c->nats;
    const Nat *d = cond_size(k, 0), *x = d ? cond_size(k, 1) : NULL;
    if (!x) return NO;
    bool numbers = d->is_const && x->is_const && d->value > 0;
    bool yes = nat_divides(n, d, x, NULL), no = !yes && nat_refuted_divides(n, d, x);
    if (!yes && !no) return add_fact(k, FACT_DIVIDES, d, x);
    if (numbers)
        k->why = arena_printf(k->a->arena, "%lld mod %lld = %lld", (long long)x->value, (long long)d->value, (long long)(x->value % d->value));
    else k->why = arena_printf(k->a->arena, "%s %s %s", nat_words(k, d), yes ? "divides" : "does not divide", nat_words(k, x));
    return yes ? YES : NO;
}

static int check_compare(CondCheck *k)
{
    Nats *n = k->a->c->nats;
    const Nat *x = cond_size(k, 0), *y = x ? cond_size(k, 1) : NULL;
    const char *op = k->cond->name;
    if (!y) return NO;
    k->why = arena_printf(k->a->arena, "they are %s and %s", nat_words(k, x), nat_words(k, y));
    if (strcmp(op, "==") == 0) return x == y ? YES : NO;
    if (strcmp(op, "!=") == 0) return x == y ? NO : nat_less(n, x, y) || nat_less(n, y, x) ? YES : UNKNOWN;
    if (*op == '>') {
        const Nat *t = x;
        x = y;
        y = t;
    }
    bool strict = !op[1];
    if (strict ? nat_less(n, x, y) : nat_less_eq(n, x, y)) return YES;
    if (strict ? nat_less_eq(n, y, x) : nat_less(n, y, x)) return NO;
    return add_fact(k, strict ? FACT_LT : FACT_LE, x, y);
}

/* The function an argument of a condition names: a metavariable's lambda, or an operator at that lambda's type. */
static const Term *cond_function(CondCheck *k, int i)
{
    const Ast *a = k->cond->args[i];
    const Env *b = a->kind == AST_NAME ? env_find(k->env, a->name) : NULL;
    return b && b->kind == BIND_FUN ? b->term : NULL;
}

static int check_property(CondCheck *k, PropKind kind)
{
    Attempt *a = k->a;
    int at = kind == PROP_NEUTRAL ? 1 : 0;
    const Term *f = cond_function(k, at), *e = NULL;
    if (!f) return UNKNOWN;
    if (kind == PROP_NEUTRAL) {
        Elab el = elab_of(a);
        e = elab_expr(&el, scope_of(a, k->env), k->cond->args[0], f->type->elems[1]);
        if (!e) return NO;
    }
    bool yes = lang_property(a->c, a->env->defs, kind, f, e, &k->why);
    k->why = arena_strdup(a->arena, k->why);
    return yes ? YES : UNKNOWN;
}

static int check_scalar(CondCheck *k)
{
    const Ast *a = k->cond->args[0], *h = a->kind == AST_APP ? a->kids[0] : a;
    const Env *b = h->kind == AST_NAME ? env_find(k->env, h->name) : NULL;
    const Type *t = NULL;
    if (b && b->kind == BIND_FUN) {                            /* f _: the result of a function */
        t = b->term->type->elems[1];
    } else {
        Elab e = elab_of(k->a);
        const Term *x = elab_expr(&e, scope_of(k->a, k->env), a, NULL);
        if (!x) return NO;
        t = x->type;
    }
    k->why = arena_printf(k->a->arena, "its type is %s", type_text(k->a->c, t));
    return type_is_scalar_like(t) ? YES : NO;
}

static bool is_dim(const Term *t, PrimId id, const Nat *dim)
{
    return t->kind == T_PRIM && t->prim == id && (!dim || t->statics[0] == dim);
}

static int check_under(CondCheck *k)
{
    Attempt *a = k->a;
    PrimId id = pattern_prim(k->cond->name);
    const Nat *dim = k->cond->arg_count ? cond_size(k, 0) : NULL;
    const Term *t = a->root;
    for (int i = 0; i < a->at->length; i++) {
        bool inside = t->kind == T_PRIM && t->args[a->at->slots[i]]->kind == T_LAM;     /* under the function, not beside it */
        if (inside && is_dim(t, id, dim)) {
            k->why = arena_printf(a->arena, "under %s", k->cond->name);
            return YES;
        }
        t = term_slot(t, a->at->slots[i]);
    }
    k->why = arena_printf(a->arena, "not under %s%s%s", k->cond->name, dim ? " " : "", dim ? nat_words(k, dim) : "");
    return NO;
}

static bool contains(const Term *t, PrimId id, const Nat *dim)
{
    if (is_dim(t, id, dim)) return true;
    for (int i = 0; i < t->arg_count; i++)
        if (contains(t->args[i], id, dim)) return true;
    return false;
}

static int check_contains(CondCheck *k)
{
    PrimId id = pattern_prim(k->cond->name);
    int last = k->cond->arg_count - 1;
    const Term *f = cond_function(k, last);
    const Nat *dim = last > 0 ? cond_size(k, 0) : NULL;
    if (!f) return UNKNOWN;
    bool yes = contains(f, id, dim);
    k->why = arena_printf(k->a->arena, "%s %s", yes ? "it contains" : "it does not contain", k->cond->name);
    return yes ? YES : NO;
}

static int check_call(CondCheck *k)
{
    RewriteEnv *env = k->a->env;
    const Term *args[8];
    int n = 0;
    k->why = "Lua functions are not at hand here";
    if (!env->call) return UNKNOWN;
    k->why = NULL;
    for (int i = 0; i < k->cond->arg_count && n < COUNT(args); i++) {
        const Ast *a = k->cond->args[i];
        const Env *b = a->kind == AST_NAME ? env_find(k->env, a->name) : NULL;
        if (!b || !b->term) return UNKNOWN;
        args[n++] = b->term;
    }
    bool yes = env->call(env->call_data, k->cond->name, args, n, &k->why);
    if (k->why) k->why = arena_strdup(k->a->arena, k->why);
    return yes ? YES : NO;
}

static int check_one(CondCheck *k)
{
    const Term *f;
    switch (k->cond->kind) {
    case COND_DIVIDES: return check_divides(k);
    case COND_COMPARE: return check_compare(k);
    case COND_CONSTANT: {
        const Nat *n = cond_size(k, 0);
        k->why = n ? arena_printf(k->a->arena, n->is_const ? "it is %s" : "it is %s, no number", nat_words(k, n)) : NULL;
        return n && n->is_const ? YES : NO;
    }
    case COND_ASSOCIATIVE: return check_property(k, PROP_ASSOCIATIVE);
    case COND_COMMUTATIVE: return check_property(k, PROP_COMMUTATIVE);
    case COND_NEUTRAL: return check_property(k, PROP_NEUTRAL);
    case COND_COMPUTES: return (f = cond_function(k, 0)) ? (f->flags & TF_COMPUTES) != 0 : UNKNOWN;
    case COND_LAYOUT: return (f = cond_function(k, 0)) ? term_is_layout(f) : UNKNOWN;
    case COND_SCALAR: return check_scalar(k);
    case COND_UNDER: return check_under(k);
    case COND_CONTAINS: return check_contains(k);
    default: return check_call(k);
    }
}

static const char *cond_text(const Attempt *a, const AstCond *c)
{
    return between(a->arena, a->code->source, c->span.from, c->span.to);
}

/* All conditions; the first that does not hold stops, unless all are to be reported. */
static bool check_conditions(Attempt *a, const Env *env, bool all)
{
    bool ok = true;
    for (int i = 0; i < a->code->cond_count && (ok || all); i++) {
        CondCheck k = {.a = a, .env = env, .cond = a->code->conds[i]};
        int v = check_one(&k);
        if (k.cond->negated && v != UNKNOWN) v = v == NO ? YES : NO;
        bool holds = v == YES || v == ASSUME;
        RuleResult *r = a->out;
        if (all && r->cond_count < COUNT(r->conds)) {
            r->conds[r->cond_count].text = cond_text(a, k.cond);
            r->conds[r->cond_count].verdict = v == ASSUME ? 2 : holds ? 1 : v == UNKNOWN ? -1 : 0;
            r->conds[r->cond_count++].why = k.why ? k.why : "";
        }
        if (!holds && ok) a->needs = cond_text(a, k.cond);
        if (!holds && ok) a->why = arena_printf(a->arena, "%s%s%s", v == UNKNOWN ? "unknown" : "", v == UNKNOWN && k.why ? ", " : "",
                                                k.why ? k.why : v == UNKNOWN ? "" : "it does not hold");
        ok &= holds;
    }
    return ok;
}

/* ---- a match was found: conditions, right side ---- */

static void list_bindings(Attempt *a, const Env *env)
{
    RuleResult *r = a->out;
    for (const Env *b = env; b && r->binding_count < BINDINGS_MAX; b = b->next) {
        const char *text = NULL;
        if (b->kind == BIND_SIZE && b->nat) {
            Buf buf = {0};
            nat_print(b->nat, 0, &buf);
            text = arena_strdup(a->c->diag.arena, buf_text(&buf));
            buf_free(&buf);
        } else if (b->term) {
            text = lang_text_of(a->c, a->root, a->at->slots, a->at->length, b->term, 70);
        }
        if (!text) continue;
        r->bindings[r->binding_count].name = b->name;
        r->bindings[r->binding_count++].text = text;
    }
}

static const Term *build(Attempt *a, const Env *env, const UserHint *hints)
{
    Elab e = elab_of(a);
    e.hints = hints;
    return elab_expr(&e, scope_of(a, env), a->code->rhs, a->place->type);
}

static bool found(void *data, const MatchState *s)
{
    Attempt *a = data;
    RuleResult fresh = {0};
    *a->out = fresh;
    a->next_param = a->env->next_param;
    const Env *env = complete_args(a, s->env, a->out);
    bool report = !a->quiet && a->matcher.explain;
    if (report) list_bindings(a, env);
    Diag saved = a->c->diag;                 /* what goes wrong here is a reason, not an error of its own */
    diag_init(&a->c->diag);
    bool ok = check_conditions(a, env, report);
    const Term *t = ok ? build(a, env, s->hints) : NULL;
    const char *problem = NULL;
    if (!ok) problem = a->why;
    else if (!t) problem = a->c->diag.message ? a->c->diag.message : "it does not type";
    else if (t->type != a->place->type) problem = arena_printf(a->arena, "its type would be %s", type_text(a->c, t->type));
    const Term *root = problem ? NULL : path_replace(a->c, a->root, a->at, t);
    if (!problem && !root) problem = a->c->diag.message ? a->c->diag.message : "the whole term would not type";
    if (problem && ok) {
        a->needs = "a right side that fits";
        a->why = arena_strdup(a->arena, problem);
    }
    diag_free(&a->c->diag);
    a->c->diag = saved;
    if (problem) return false;
    a->after = t;
    a->out->root = root;
    return true;
}

static bool attempt(Attempt *a, const RuleArg *args)
{
    const Env *env = NULL;
    for (int i = 0; i < a->rule->param_count; i++)
        if (args && args[i].set) env = bind_arg(a, env, &a->rule->params[i], &args[i]);
    a->matcher = (Matcher){.c = a->c, .arena = a->arena, .source = a->code->source, .found = found, .data = a,
                           .explain = a->matcher.explain};
    return match_term(&a->matcher, a->code->lhs, a->place, env);
}

/* ---- legal values of parameters that must be given ---- */

static int legal_values(StaticKind kind, int64_t out[8])
{
    static const int64_t dims[] = {0, 1, 2}, widths[] = {4, 2, 8, 16};
    int n = kind == STATIC_DIM ? 3 : kind == STATIC_WIDTH ? 4 : kind == STATIC_MODE ? PAD_MODES : 0;
    for (int i = 0; i < n; i++) out[i] = kind == STATIC_DIM ? dims[i] : kind == STATIC_WIDTH ? widths[i] : i;
    return n;
}

static const char *legal_text(StaticKind kind)
{
    switch (kind) {
    case STATIC_DIM: return "0, 1 or 2";
    case STATIC_WIDTH: return "2, 4, 8 or 16";
    case STATIC_MODE: return "\"clamp\", \"mirror\" or \"wrap\"";
    default: return "reverse, rotate(k) or stride(s)";
    }
}

/* A parameter that is neither given nor found on the left, and cannot be a fresh tuning parameter; -1: none. */
static int missing_param(const Rule *r, const RuleArg *args)
{
    for (int i = 0; i < r->param_count; i++)
        if (r->params[i].given && r->params[i].kind != STATIC_SIZE && !(args && args[i].set)) return i;
    return -1;
}

/* Try every legal value of the missing parameters in turn. */
static bool attempt_any(Attempt *a, RuleArg *args)
{
    int i = missing_param(a->rule, args);
    if (i < 0) return attempt(a, args);
    int64_t values[8];
    int n = legal_values(a->rule->params[i].kind, values);
    bool ok = false;
    args[i].set = true;
    if (a->rule->params[i].kind == STATIC_PERM) {
        args[i].perm = PERM_REVERSE;
        args[i].size = nat_const(a->c->nats, 0);
        ok = attempt_any(a, args);
    }
    for (int k = 0; k < n && !ok; k++) {
        args[i].size = nat_const(a->c->nats, values[k]);
        ok = attempt_any(a, args);
    }
    args[i].set = ok;
    return ok;
}

/* ---- failures ---- */

static bool head_differs(const Rule *r, const Term *place)
{
    PrimId head = r->code->head;
    return head != PRIM_COUNT && (place->kind != T_PRIM || place->prim != head);
}

/* "(map g x)" without its brackets, in the diag arena. */
static const char *bare_text(Ctx *c, const char *s)
{
    size_t n = strlen(s);
    int depth = 0;
    bool whole = n > 2 && s[0] == '(' && s[n - 1] == ')';
    for (size_t i = 0; i + 1 < n && whole; i++) {
        depth += s[i] == '(' ? 1 : s[i] == ')' ? -1 : s[i] == ',' && depth == 1 ? 1000 : 0;
        whole = depth > 0 && depth < 1000;
    }
    return whole ? arena_strndup(c->diag.arena, s + 1, n - 2) : arena_strdup(c->diag.arena, s);
}

static void misfit_of(Attempt *a, RuleMisfit *m)
{
    const Mismatch *x = &a->matcher.mismatch;
    Arena *arena = a->c->diag.arena;
    *m = (RuleMisfit){.matched = a->needs != NULL, .progress = a->needs ? 1 << 20 : x->progress, .at = *a->at};
    if (m->matched) {
        m->needs = arena_strdup(arena, a->needs);
        m->found = arena_strdup(arena, a->why);
        return;
    }
    for (int i = 0; i < x->path_length && m->at.length < PATH_MAX_LENGTH; i++) m->at.slots[m->at.length++] = x->path[i];
    m->needs = x->needs ? bare_text(a->c, x->needs) : "the left side";
    m->found = lang_text(a->c, a->root, m->at.slots, m->at.length, 70);
    m->because = x->detail ? arena_strdup(arena, x->detail) : NULL;
}

const char *cond_report(Ctx *c, const RuleResult *r, int i)
{
    static const char *const verdicts[] = {"unknown", "no", "yes", "yes"};
    const char *why = r->conds[i].why;
    return arena_printf(c->diag.arena, "%s: %s%s%s", r->conds[i].text, verdicts[r->conds[i].verdict + 1], *why ? ", " : "", why);
}

static void report_failure(Attempt *a)
{
    Diag *d = &a->c->diag;
    RuleMisfit m;
    if (!diag_error(d, E21, "%s does not apply at %s", a->rule->name, path_text(a->c, a->root, a->at))) return;
    if (!a->matcher.explain) return;
    misfit_of(a, &m);
    diag_note(d, "rule", "%s", a->rule->text);
    if (m.at.length == a->at->length) diag_note(d, "needs", "%s", m.needs);
    else diag_note(d, "needs", "%s at %s", m.needs, path_text(a->c, a->root, &m.at));
    diag_note(d, "found", "%s", m.found);
    if (m.because) diag_note(d, "because", "%s", m.because);
    for (int i = 0; m.matched && a->out->cond_count > 1 && i < a->out->cond_count; i++)
        diag_note(d, "when", "%s", cond_report(a->c, a->out, i));
}

static bool report_missing(Attempt *a, int i)
{
    const RuleParam *p = &a->rule->params[i];
    if (diag_error(&a->c->diag, E22, "%s needs its argument %s: %s", a->rule->name, p->name, legal_text(p->kind)))
        diag_note(&a->c->diag, "try", "%s(%s)", a->rule->name,
                  p->kind == STATIC_DIM ? "0" : p->kind == STATIC_WIDTH ? "4" : p->kind == STATIC_MODE ? "\"clamp\"" : "stride(32)");
    return false;
}

/* The texts of conditions live longer than the attempt. */
static void keep_conditions(Ctx *c, RuleResult *out)
{
    for (int i = 0; i < out->cond_count; i++) {
        out->conds[i].text = arena_strdup(c->diag.arena, out->conds[i].text);
        out->conds[i].why = arena_strdup(c->diag.arena, out->conds[i].why);
    }
}

static Attempt attempt_at(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleResult *out)
{
    return (Attempt){.env = env, .c = env->c, .rule = rule, .code = rule->code, .root = root, .at = at, .out = out,
                     .place = path_term(root, at)};
}

static bool is_place(const Term *t) { return t && t->kind != T_LAM; }

bool rule_apply(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at,
                bool explain, RuleResult *out)
{
    Attempt a = attempt_at(env, rule, root, at, out);
    memset(out, 0, sizeof *out);
    if (!is_place(a.place)) {
        if (diag_error(&env->c->diag, E11, "rules apply to values; %s is a function", path_text(env->c, root, at)))
            diag_note(&env->c->diag, "try", "did you mean %s/body?", path_text(env->c, root, at));
        return false;
    }
    int missing = missing_param(rule, args);
    if (missing >= 0) return report_missing(&a, missing);
    a.arena = arena_new();
    a.matcher.explain = explain;
    bool ok = (explain || !head_differs(rule, a.place)) && attempt(&a, args);
    if (ok) {
        out->before = a.place;
        out->after = a.after;
        memcpy(out->args, a.args, sizeof out->args);
        env->next_param = a.next_param;
    } else {
        report_failure(&a);
    }
    keep_conditions(env->c, out);
    arena_free(a.arena);
    return ok;
}

bool rule_applies_with(RewriteEnv *env, const Rule *rule, const RuleArg *given, const Term *root, const Path *at)
{
    RewriteEnv copy = *env;
    RuleResult r;
    RuleArg args[6] = {{0}};
    Attempt a = attempt_at(&copy, rule, root, at, &r);
    if (!is_place(a.place) || head_differs(rule, a.place)) return false;
    if (given) memcpy(args, given, sizeof args);
    a.arena = arena_new();
    a.quiet = true;
    bool ok = attempt_any(&a, args);
    arena_free(a.arena);
    return ok;
}

bool rule_applies(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at)
{
    return rule_applies_with(env, rule, NULL, root, at);
}

bool rule_apply_default(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleArg args[6], RuleResult *out)
{
    RewriteEnv copy = *env;
    memset(args, 0, sizeof *args * 6);
    memset(out, 0, sizeof *out);
    Attempt a = attempt_at(&copy, rule, root, at, out);
    if (!is_place(a.place) || head_differs(rule, a.place)) return false;
    a.arena = arena_new();
    a.quiet = true;
    bool ok = attempt_any(&a, args);
    out->before = a.place;
    out->after = a.after;
    memcpy(out->args, a.args, sizeof out->args);
    arena_free(a.arena);
    return ok;
}

bool rule_misfit(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at, RuleMisfit *out)
{
    RewriteEnv copy = *env;
    RuleResult r;
    Attempt a = attempt_at(&copy, rule, root, at, &r);
    a.arena = arena_new();
    a.quiet = true;
    a.matcher.explain = true;
    bool fits = is_place(a.place) && attempt(&a, args);
    if (!fits) misfit_of(&a, out);
    arena_free(a.arena);
    return !fits;
}

/* ---- the two halves of a step, for tracing it ---- */

bool rule_each_match(Ctx *c, Arena *arena, const Rule *rule, const RuleArg *args, const Term *place, MatchEach *each, void *data)
{
    const Env *env = NULL;
    Attempt a = {.c = c, .arena = arena};
    for (int i = 0; i < rule->param_count; i++)
        if (args && args[i].set) env = bind_arg(&a, env, &rule->params[i], &args[i]);
    Matcher m = {.c = c, .arena = arena, .source = rule->code->source, .trace = true, .found = each, .data = data};
    return match_term(&m, rule->code->lhs, place, env);
}

const Term *rule_right_side(Ctx *c, Arena *arena, const Rule *rule, const Env *env, const UserHint *hints, const Type *type)
{
    Diag saved = c->diag;
    diag_init(&c->diag);
    Elab e = elab_start(c, arena, NULL);
    e.hints = hints;
    const Term *t = elab_expr(&e, (Scope){env, 0, rule->code->source}, rule->code->rhs, type);
    diag_free(&c->diag);
    c->diag = saved;
    return t;
}
