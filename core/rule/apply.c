/* apply: one attempt to apply a rule: arguments, match, conditions, right side; what is said when it fails. */
#include "rule_private.h"

#include <stdio.h>
#include <string.h>

/* ---- arguments ---- */

static void bind_arg(Ctx *c, Arena *arena, const Env **env, const RuleParam *p, const RuleArg *arg)
{
    BIND(arena, env, intern(c->names, p->name), p->kind == STATIC_PERM ? BIND_PERM : p->kind == STATIC_MODE ? BIND_MODE : BIND_SIZE,
         .nat = p->kind == STATIC_PERM && !arg->size ? nat_const(c->nats, 0) : arg->size, .perm = arg->perm, .fwd = arg->fwd,
         .inv = arg->inv);
}

static const Env *bind_args(Ctx *c, Arena *arena, const Rule *rule, const RuleArg *args)
{
    const Env *env = NULL;
    for (int i = 0; args && i < rule->param_count; i++)
        if (args[i].set) bind_arg(c, arena, &env, &rule->params[i], &args[i]);
    return env;
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
        const Env *b = env_find(env, intern(a->c->names, p->name));
        *arg = b ? (RuleArg){true, b->nat, b->perm, b->fwd, b->inv} : (RuleArg){0};
        if (b || p->list) continue;
        *arg = (RuleArg){.set = true};
        arg->size = fresh_param(a, &r->new_params[r->new_param_count]);
        if (r->new_param_count < COUNT(r->new_params) - 1) r->new_param_count++;
        bind_arg(a->c, a->arena, &env, p, arg);
    }
    return env;
}

/* ---- a match was found: conditions, right side ---- */

/* Does the match divide its lists as was asked for? */
static bool is_asked_part(Attempt *a, const Env *env)
{
    int i = rule_part_param(a->rule);
    if (i < 0) return true;
    const Env *asked = env_find(env, intern(a->c->names, PART_PARAM)), *list = env_find(env, a->rule->params[i].list);
    if (!asked || !list || (asked->nat->is_const && asked->nat->value == list->count)) return true;
    bool more = a->needs && a->why && !strncmp(a->needs, PART_PARAM, strlen(PART_PARAM));
    a->why = arena_printf(a->arena, more ? "%s, part %d" : "%sit matches at part %d", more ? a->why : "", list->count);
    a->needs = PART_PARAM " as asked";
    return false;
}

static const Term *build(Ctx *c, Arena *arena, const Rule *rule, const Env *env, const UserHint *hints, const Type *type)
{
    Elab e = elab_start(c, arena, NULL);
    e.hints = hints;
    for (int i = 0; i < rule->param_count && !e.lone; i++) {                 /* is one of its widths 1? */
        const Env *b = rule->params[i].kind == STATIC_WIDTH ? env_find(env, intern(c->names, rule->params[i].name)) : NULL;
        e.lone = b && b->nat && b->nat->is_const && b->nat->value == 1;
    }
    return elab_expr(&e, (Scope){env, 0, rule->code->source}, rule->code->rhs, type);
}

static bool found(void *data, const MatchState *s)
{
    Attempt *a = data;
    RuleResult fresh = {0};
    if (!is_asked_part(a, s->env)) return false;
    *a->out = fresh;
    a->next_param = a->env->next_param;
    const Env *env = complete_args(a, s->env, a->out);
    bool report = !a->quiet && a->matcher.explain;
    if (report) {
        RuleResult *r = a->out;
        for (const Env *b = env; b && r->binding_count < BINDINGS_MAX; b = b->next) {
            const char *text = b->kind == BIND_SIZE && b->nat ? nat_text(b->nat, 0, a->c->diag.arena)
                             : b->term ? lang_text_of(a->c, a->root, a->at->slots, a->at->length, b->term, 70) : NULL;
            if (!text) continue;
            r->bindings[r->binding_count].name = b->name;
            r->bindings[r->binding_count++].text = text;
        }
    }
    Diag saved = diag_aside(&a->c->diag);                 /* what goes wrong here is a reason, not an error of its own */
    bool ok = condition_all(a, env, report);
    const Term *t = ok ? build(a->c, a->arena, a->rule, env, s->hints, a->place->type) : NULL;
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
    diag_back(&a->c->diag, saved);
    if (problem) return false;
    a->after = t;
    a->out->root = root;
    return true;
}

static bool attempt(Attempt *a, const RuleArg *args)
{
    a->matcher = (Matcher){.c = a->c, .arena = a->arena, .source = a->code->source, .found = found, .data = a,
                           .explain = a->matcher.explain};
    return match_term(&a->matcher, a->code->lhs, a->place, bind_args(a->c, a->arena, a->rule, args));
}

/* ---- legal values of parameters that must be given ---- */

static const char *legal_text(StaticKind kind)
{
    switch (kind) {
    case STATIC_DIM: return "0, 1 or 2";
    case STATIC_WIDTH: return "1 (scalars), 2, 3, 4, 8 or 16";
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
    static const int64_t widths[] = {4, 2, 8, 16};
    StaticKind kind = a->rule->params[i].kind;
    int n = kind == STATIC_DIM ? 3 : kind == STATIC_WIDTH ? COUNT(widths) : kind == STATIC_MODE ? PAD_MODES : 1;
    bool ok = false;
    args[i].set = true;
    if (kind == STATIC_PERM) args[i].perm = PERM_REVERSE;
    for (int k = 0; k < n && !ok; k++) {
        args[i].size = nat_const(a->c->nats, kind == STATIC_WIDTH ? widths[k] : k);
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

/* brief: how far it got, without texts. */
static void misfit_of(Attempt *a, bool brief, RuleMisfit *m)
{
    const Mismatch *x = &a->matcher.mismatch;
    Arena *arena = a->c->diag.arena;
    *m = (RuleMisfit){.matched = a->needs != NULL, .progress = a->needs ? 1 << 20 : x->progress, .at = *a->at};
    if (brief) return;
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
    return arena_printf(c->diag.arena, "%s: %s%s%s", r->conds[i].text, verdicts[r->conds[i].verdict + 1],
                        *why ? ", " : "", why);
}

static void report_failure(Attempt *a)
{
    Diag *d = &a->c->diag;
    RuleMisfit m;
    if (!diag_error(d, E21, "%s does not apply at %s", a->rule->name, path_text(a->c, a->root, a->at))) return;
    if (!a->matcher.explain) return;
    enum { LONG = 100 };                 /* conditions that do not matter where the form does not fit */
    misfit_of(a, false, &m);
    const char *text = a->rule->text, *when = strstr(text, "  when ");
    if (when && strlen(when) > LONG && !m.matched)
        diag_note(d, "rule", "%.*s  when ...        help %s", (int)(when - text), text, a->rule->name);
    else diag_note(d, "rule", "%s", text);
    if (m.at.length == a->at->length) diag_note(d, "needs", "%s", m.needs);
    else diag_note(d, "needs", "%s at %s", m.needs, path_text(a->c, a->root, &m.at));
    diag_note(d, "found", "%s", m.found);
    if (m.because) diag_note(d, "because", "%s", m.because);
    for (int i = 0; m.matched && a->out->cond_count > 1 && i < a->out->cond_count; i++)
        diag_note(d, "when", "%s", cond_report(a->c, a->out, i));
}

/* Until attempt_end. */
static Attempt attempt_at(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleResult *out)
{
    return (Attempt){.env = env, .c = env->c, .arena = env->c->scratch, .mark = arena_mark(env->c->scratch), .rule = rule,
                     .code = rule->code, .root = root, .at = at, .out = out, .place = path_term(root, at)};
}

static void attempt_end(Attempt *a) { arena_release(a->arena, a->mark); }

/* The end of an attempt that reports: what came of it, or why not. */
static bool conclude(Attempt *a, bool ok)
{
    if (ok) {
        a->out->before = a->place;
        a->out->after = a->after;
        memcpy(a->out->args, a->args, sizeof a->out->args);
        a->env->next_param = a->next_param;
    } else {
        report_failure(a);
    }
    /* The texts of conditions live longer than the attempt. */
    for (int i = 0; i < a->out->cond_count; i++) {
        a->out->conds[i].text = arena_strdup(a->c->diag.arena, a->out->conds[i].text);
        a->out->conds[i].why = arena_strdup(a->c->diag.arena, a->out->conds[i].why);
    }
    attempt_end(a);
    return ok;
}

static bool is_place(const Term *t) { return t && t->kind != T_LAM; }

bool rule_may_apply(const Rule *rule, const Term *place) { return is_place(place) && !head_differs(rule, place); }

bool rule_apply(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at,
                bool explain, RuleResult *out)
{
    Attempt a = attempt_at(env, rule, root, at, out);
    memset(out, 0, sizeof *out);
    if (!is_place(a.place)) {
        const char *place = path_text(a.c, root, at);
        return ctx_error(a.c, E11, "rules apply to values; %s is a function" NOTE("hint") "did you mean %s/body?", place, place);
    }
    int missing = missing_param(rule, args);
    if (missing >= 0) {
        const RuleParam *p = &a.rule->params[missing];
        const char *some = p->kind == STATIC_DIM ? "0" : p->kind == STATIC_WIDTH ? "4" : p->kind == STATIC_MODE ? "\"clamp\"" : "stride(32)";
        return ctx_error(a.c, E22, "%s needs its argument %s: %s" NOTE("try") "apply %s(%s)%s%s", rule->name, p->name, legal_text(p->kind),
                         rule->name, some, at->length ? " at " : "", at->length ? path_text(a.c, root, at) : "");
    }
    for (int i = 0; args && i < rule->param_count; i++) {                      /* is there one that no place could take? */
        const RuleParam *p = &rule->params[i];
        int64_t n, most;
        if (!args[i].set || (p->kind != STATIC_DIM && p->kind != STATIC_WIDTH)) continue;
        if (!nat_lower(a.c->nats, args[i].size, &n) || !nat_upper(a.c->nats, args[i].size, &most) || n != most) continue;
        if (p->kind == STATIC_DIM ? n < 0 || n > 2 : n < 1 || n > 16 || (n != 3 && (n & (n - 1))))
            return ctx_error(a.c, E22, "the argument %s of %s is %s", p->name, rule->name, legal_text(p->kind));
    }
    a.matcher.explain = explain;
    return conclude(&a, (explain || !head_differs(rule, a.place)) && attempt(&a, args));
}

bool rule_instantiate(RewriteEnv *env, const Rule *rule, const Env *metas, const Term *root, const Path *at, bool explain,
                      RuleResult *out)
{
    Attempt a = attempt_at(env, rule, root, at, out);
    a.matcher.explain = explain;
    return conclude(&a, found(&a, &(MatchState){.env = metas}));
}

/* Without messages; what args leaves open is found, and set there. */
static bool apply_with(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleArg args[6], RuleResult *out)
{
    if (!rule_may_apply(rule, path_term(root, at))) return false;
    RewriteEnv copy = *env;
    Attempt a = attempt_at(&copy, rule, root, at, out);
    a.quiet = true;
    bool ok = attempt_any(&a, args);
    attempt_end(&a);
    if (!ok) return false;
    out->before = a.place;
    out->after = a.after;
    memcpy(out->args, a.args, sizeof out->args);
    return true;
}

bool rule_applies_with(RewriteEnv *env, const Rule *rule, const RuleArg *given, const Term *root, const Path *at)
{
    if (!rule_may_apply(rule, path_term(root, at))) return false;
    RuleResult r;
    RuleArg args[6] = {{0}};
    if (given) memcpy(args, given, sizeof *args * (size_t)rule->param_count);
    return apply_with(env, rule, root, at, args, &r);
}

bool rule_applies(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at)
{
    return rule_applies_with(env, rule, NULL, root, at);
}

bool rule_apply_default(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at, RuleArg args[6],
                        RuleResult *out)
{
    memset(args, 0, sizeof *args * 6);
    return apply_with(env, rule, root, at, args, out);
}

bool rule_apply_part(RewriteEnv *env, const Rule *rule, int part, const Term *root, const Path *at, RuleArg args[6],
                     RuleResult *out)
{
    memset(args, 0, sizeof *args * 6);
    args[rule_part_param(rule)] = (RuleArg){.set = true, .size = nat_const(env->c->nats, part)};
    return apply_with(env, rule, root, at, args, out);
}

static bool misfit(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at,
                   bool brief, RuleMisfit *out)
{
    RewriteEnv copy = *env;
    RuleResult r;
    Attempt a = attempt_at(&copy, rule, root, at, &r);
    a.quiet = true;
    a.matcher.explain = true;
    bool fits = is_place(a.place) && attempt(&a, args);
    if (!fits) misfit_of(&a, brief, out);
    attempt_end(&a);
    return !fits;
}

bool rule_misfit(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root, const Path *at, RuleMisfit *out)
{
    return misfit(env, rule, args, root, at, false, out);
}

bool rule_misfit_brief(RewriteEnv *env, const Rule *rule, const RuleArg *args, const Term *root,
                       const Path *at, RuleMisfit *out)
{
    return misfit(env, rule, args, root, at, true, out);
}

/* ---- the two halves of a step, for tracing it ---- */

bool rule_each_match(Ctx *c, Arena *arena, const Rule *rule, const RuleArg *args, const Term *place,
                     MatchEach *each, void *data)
{
    Matcher m = {.c = c, .arena = arena, .source = rule->code->source, .trace = true, .found = each, .data = data};
    return match_term(&m, rule->code->lhs, place, bind_args(c, arena, rule, args));
}

const Term *rule_right_side(Ctx *c, Arena *arena, const Rule *rule, const Env *env, const UserHint *hints, const Type *type)
{
    Diag saved = diag_aside(&c->diag);
    const Term *t = build(c, arena, rule, env, hints, type);
    diag_back(&c->diag, saved);
    return t;
}
