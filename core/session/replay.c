/* replay: recorded steps repeated. */
#include "mark.h"
#include "pattern.h"
#include "session_private.h"
#include "replay.h"
#include "results.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was done ---- */

enum { SHAPES = COUNT(((PastRewrite *)0)->shapes) };

/* "map _ (zip _ _)": the primitives of a term down to a depth, functions and all else as holes.
 * False: it starts with none. */
static bool print_shape(Ctx *c, const Term *t, int depth, Buf *out)
{
    if (t->kind != T_PRIM || depth == 0) return false;
    const char *name = prim((PrimId)t->prim)->name;            /* that a search pattern can say? */
    if (t->prim == PRIM_TUPLE || t->prim == PRIM_PROJ || t->prim == PRIM_LET || t->prim == PRIM_VEC || !isalpha((unsigned char)*name)) return false;
    buf_puts(out, name);
    int statics = t->prim == PRIM_REORDER ? 1 : prim_static_count(c, (PrimId)t->prim);
    for (int i = 0; i < statics; i++) buf_puts(out, " _");
    for (int i = t->prim == PRIM_REORDER ? t->arg_count - 1 : 0; i < t->arg_count; i++) {
        LOCAL(buf_free) Buf inner = {0};
        if (print_shape(c, t->args[i], depth - 1, &inner))
            buf_printf(out, strchr(inner.data, ' ') ? " (%s)" : " %s", inner.data);
        else buf_puts(out, " _");
    }
    return true;
}

static const SearchPattern *shape_pattern(Ctx *c, Arena *arena, const char *shape)
{
    Source *source = NEW(arena, Source);
    *source = (Source){"shape", shape, strlen(shape)};
    const SearchPattern *p = pattern_parse(c, arena, source);
    diag_clear(&c->diag);
    return p;
}

/* What the redex of a rewrite looked like, the most exact shape first; none that would not find it. */
static void describe(Ctx *c, Arena *arena, const Term *root, PastRewrite *out)
{
    Path at;
    if (!path_parse(c, root, NULL, out->place, &at)) return diag_clear(&c->diag);
    const Term *t = path_term(root, &at);
    out->head = t->kind == T_PRIM ? prim((PrimId)t->prim)->name : "";
    for (int depth = SHAPES + 1, n = 0; depth > 1; depth--) {
        LOCAL(buf_free) Buf b = {0};
        bool ok = print_shape(c, t, depth, &b) && !(n > 0 && !strcmp(out->shapes[n - 1], b.data));
        const SearchPattern *p = ok ? shape_pattern(c, arena, arena_strdup(arena, b.data)) : NULL;
        if (p && pattern_matches(c, p, root, &at)) out->shapes[n++] = arena_strdup(arena, b.data);
    }
}

/* The source that v's edited kernels replace, generated again for the sizes of then; v is of d. In the arena; NULL: it
 * cannot be, or comes out otherwise. */
static const char *code_replaced_then(Session *s, const Derivation *d, const Version *v, Arena *arena)
{
    const EditedCode *code = v->code;
    PlanOptions how = {0};
    if (diag_failed(diag(s))) return NULL;
    plan_as_edited(code, &how);
    /* Parameters as they are bound, sizes as they were when the kernels were edited. */
    Values values;
    int64_t *sizes = NEW_ARRAY(arena, int64_t, d->program->size_count);
    for (int i = 0; i < d->program->size_count; i++) result_binding(code->sizes, size_name(d->program, i), &sizes[i]);
    values_with_sizes(d, v->from, sizes, arena, &values);
    Plan *plan = session_plan_of(s, d->program, &values, !code->arguments, arena, how);
    diag_clear(diag(s));
    return plan && source_hash(plan->source) == code->replaces ? plan->source : NULL;
}

static PastStep past_step(Session *s, const Derivation *d, const Version *v, Arena *arena)
{
    PastStep step = {.number = v->number, .kind = v->kind, .call = arena_strdup(arena, v->call),
                     .place = v->at ? arena_strdup(arena, step_place(s->ctx, v->from, v)) : NULL, .hash = v->hash, .from_hash = v->from->hash};
    TuneParam *b;
    int n = v->kind == STEP_PARAM ? bindings_read(v->call + strlen("param "), arena, &b) : 0;
    if (n > 0) step.param_count = n, step.params = b;
    if (v->code) step.code = code_copy(arena, v->code), step.replaced = code_replaced_then(s, d, v, arena);
    /* The elementary rewrites of a version; its terms are known. */
    const Term *root = v->from->root;
    step.count = v->sub_count;
    step.rewrites = NEW_ARRAY(arena, PastRewrite, v->sub_count);
    for (int i = 0; i < v->sub_count; i++) {
        PastRewrite *r = &step.rewrites[i];
        *r = (PastRewrite){.call = arena_strdup(arena, v->subs[i].call),
                           .place = arena_strdup(arena, place_text(s->ctx, root, v->subs[i].at)), .head = ""};
        r->within = macro_use_copy(arena, v->subs[i].within, i ? v->subs[i - 1].within : NULL, i ? r[-1].within : NULL);
        describe(s->ctx, arena, root, r);
        root = v->subs[i].root;
    }
    return step;
}

static void past_params(const Version *v, Arena *arena, Past *out)
{
    out->param_count = v->param_count;
    out->params = NEW_ARRAY(arena, const char *, v->param_count);
    for (int i = 0; i < v->param_count; i++) out->params[i] = arena_strdup(arena, v->params[i].name);
}

bool session_past(Session *s, const Version *a, const Version *b, Arena *arena, Past *out)
{
    const Version *v = b;
    *out = (Past){.program = s->current->name};
    for (; v && v != a; v = v->from) out->count++;
    if (!v) return diag_fail(diag(s), E13, "@%d does not lead to @%d\ntry log @%d --path", a->number, b->number, b->number);
    out->steps = NEW_ARRAY(arena, PastStep, out->count);
    v = b;
    for (int i = out->count - 1; i >= 0; i--, v = v->from) out->steps[i] = past_step(s, s->current, v, arena);
    past_params(a, arena, out);
    return true;
}

/* ---- from a file ---- */

static const PastStep *stored(const ReadReport *r, const char *program, int number)
{
    return FIRST(i, r->steps.v, r->steps.n, r->steps.v[i].number == number && !strcmp(r->steps.v[i].program, program));
}

bool report_past(const ReadReport *r, Session *read, const char *program, int from, int to, Arena *arena,
                 Diag *diag, Past *out)
{
    const Derivation *d = derivation_called(read, program);
    LOCAL(drop) VEC(const PastStep *) way = {0};
    *out = (Past){.program = program};
    const PastStep *step = stored(r, program, to);
    for (; step && step->number != from; step = stored(r, program, step->parent)) vec_push(&way, step);
    bool ok = step ? step->number == from : from == 0 && (way.n > 0 ? way.v[way.n - 1]->parent == 0 : to == 0);
    if (!ok)
        diag_error(diag, E13, "@%d of %s does not lead to @%d, or steps between them are not readable", from, program, to);
    out->count = ok ? way.n : 0;
    out->steps = NEW_ARRAY(arena, PastStep, way.n);
    for (int i = 0; ok && i < way.n; i++) {
        const PastStep *one = way.v[way.n - 1 - i];
        const Version *v = d ? derivation_version(d, one->number) : NULL;
        out->steps[i] = v ? past_step(read, d, v, arena) : *one;
    }
    const Version *start = d ? derivation_version(d, from) : NULL;
    if (start) past_params(start, arena, out);
    return ok;
}

/* ---- doing it again ---- */

typedef struct Moved { const char *from, *to; } Moved;       /* a parameter that is called, or a step that was done, otherwise than it was recorded */

struct Replay {
    Session *s;
    Arena *arena;
    VEC(Moved) names, moved;             /* of parameters; of places */
};

Replay *replay_new(Session *s, const Past *past)
{
    Replay *r = mem_alloc(sizeof *r);
    const Version *v = session_version(s);
    r->s = s;
    r->arena = arena_new();
    for (int i = 0; i < past->param_count; i++) {
        const char *name = arena_strdup(r->arena, past->params[i]);
        if (version_has_param(v, name)) vec_push(&r->names, ((Moved){name, name}));
    }
    return r;
}

void replay_free(Replay *r)
{
    if (!r) return;
    arena_free(r->arena);
    free(r->names.v);
    free(r->moved.v);
    free(r);
}

const char *replay_level_name(ReplayLevel level)
{
    static const char *const names[] = {[REPLAY_EXACT] = "exact", [REPLAY_PLACE] = "same place",
                                        [REPLAY_FORWARDED] = "forwarded", [REPLAY_SHAPE] = "by pattern"};
    return names[level];
}

/* One step being repeated. */
typedef struct Try {
    Replay *r;
    const PastStep *step;
    const Version *parent;
    bool exact;                          /* at the recorded places or not at all; what went wrong stays in the diag */
    RewriteEnv env;
    LangScope lang;                      /* of env */
    NewStep made;
    SubStep *subs;                       /* of made */
    VEC(const char *) params;            /* there are now; interned */
    const Term *root;
    ReplayLevel level;
    Buf how;                             /* of rewrites that are elsewhere now */
} Try;

/* What a recorded parameter is called here. One that is met for the first time was made by this step: it
 * keeps its name if that is free. */
static const char *renamed(Try *t, const char *name)
{
    Replay *r = t->r;
    Interns *interns = r->s->ctx->names;
    for (int i = 0; i < r->names.n; i++)
        if (!strcmp(r->names.v[i].from, name)) return intern(interns, r->names.v[i].to);
    const char *now = name;
    while (text_index(t->params.v, t->params.n, now) >= 0) now = arena_printf(r->arena, "s%d", t->env.next_param++);
    vec_push(&r->names, ((Moved){arena_strdup(r->arena, name), arena_strdup(r->arena, now)}));
    vec_push(&t->params, intern(interns, now));
    return intern(interns, now);
}

static bool fits(Try *t, const Rule *rule, const RuleArg *args, const Path *at, RuleResult *out)
{
    const Term *place = path_term(t->root, at);
    if (!place || place->kind == T_LAM) return false;
    bool ok = rule_apply(&t->env, rule, args, t->root, at, false, out);
    if (!ok) diag_clear(&t->r->s->ctx->diag);
    return ok;
}

static bool read_path(Try *t, const char *text, Path *out)
{
    bool ok = path_parse(t->r->s->ctx, t->root, NULL, text, out);
    if (!ok) diag_clear(&t->r->s->ctx->diag);
    return ok;
}

/* Where the place is that the step had in the version of the recorded hash, if the tree holds that version. */
static bool forwarded(Try *t, const PastRewrite *past, Path *out)
{
    PlaceNow now;
    Path p;
    Derivation *d = t->r->s->current;
    for (const Version *v = derivation_next(d, NULL); v && t->step->from_hash; v = derivation_next(d, v)) {
        if (v->hash != t->step->from_hash || v == t->parent) continue;
        bool there = path_parse(t->r->s->ctx, v->root, NULL, past->place, &p);
        diag_clear(&t->r->s->ctx->diag);
        if (!there) continue;
        session_forward(t->r->s, v, &p, t->parent, &now);
        if (now.fate != PLACE_HERE || now.copies != 1) continue;
        *out = now.at;
        return true;
    }
    return false;
}

/* The place moved along with that of an earlier rewrite at or above it. */
static bool moved_along(Try *t, const PastRewrite *past, Path *out)
{
    for (int i = t->r->moved.n - 1; i >= 0; i--) {
        const Moved *m = &t->r->moved.v[i];
        size_t n = strcmp(m->from, "/") ? strlen(m->from) : 0;
        if (strncmp(past->place, m->from, n) || (past->place[n] && past->place[n] != '/')) continue;
        const char *top = strcmp(m->to, "/") ? m->to : "";
        if (read_path(t, arena_printf(t->r->arena, "%s%s", top, past->place + n), out)) return true;
    }
    return false;
}

/* At how many places the rule applies, all or those that have the shape; the first ones, at most `room`. */
static int places_for(Try *t, const Rule *rule, const RuleArg *args, const char *shape, Path *out, int room)
{
    Path p = {0};
    RuleResult r;
    int found = 0;
    const SearchPattern *pattern = shape ? shape_pattern(t->r->s->ctx, t->r->arena, shape) : NULL;
    do {
        int next = t->env.next_param;
        if (shape && !(pattern && pattern_matches(t->r->s->ctx, pattern, t->root, &p))) continue;
        if (!fits(t, rule, args, &p, &r)) continue;
        t->env.next_param = next;
        if (found < room) out[found] = p;
        found++;
    } while (path_next(t->root, &p));
    return found;
}

static void elsewhere(Try *t, const PastRewrite *past, const Path *at, ReplayLevel level, const char *shape)
{
    const char *place = arena_strdup(t->r->arena, path_text(t->r->s->ctx, t->root, at));
    if (level > t->level) t->level = level;
    buf_printf(&t->how, "%s%s at %s, was %s", t->how.len ? "; " : "", past->call, place, past->place);
    if (shape) buf_printf(&t->how, ", by '%s'", shape);
    if (strcmp(place, past->place)) vec_push(&t->r->moved, ((Moved){arena_strdup(t->r->arena, past->place), place}));
}

/* Find the place of a rewrite and do it there: where it was, else forwarded, else by its shape. */
static bool find_and_apply(Try *t, int i, const Rule *rule, const RuleArg *args, Path *at, RuleResult *out)
{
    const PastRewrite *past = &t->step->rewrites[i];
    if (read_path(t, past->place, at) && fits(t, rule, args, at, out)) {
        if (t->level < REPLAY_PLACE) t->level = REPLAY_PLACE;
        return true;
    }
    if (((i == 0 && forwarded(t, past, at)) || moved_along(t, past, at)) && fits(t, rule, args, at, out)) {
        elsewhere(t, past, at, REPLAY_FORWARDED, NULL);
        return true;
    }
    for (int k = 0; k < SHAPES && past->shapes[k]; k++) {
        if (places_for(t, rule, args, past->shapes[k], at, 1) != 1 || !fits(t, rule, args, at, out)) continue;
        elsewhere(t, past, at, REPLAY_SHAPE, past->shapes[k]);
        return true;
    }
    return false;
}

/* ---- where it diverged ---- */

const char *substep_typed(const Session *s, const Version *v, const SubStep *sub)
{
    RuleArg given[RULE_ARGS];
    const Rule *rule = sub->rule ? sub->rule : rules_called(s->rules, sub->call);
    if (!rule || !sub->args) return rule ? rule->name : sub->call;
    for (int i = 0; i < rule->param_count; i++) {
        LOCAL(drop) NatAtomVec vars = {0};
        given[i] = sub->args[i];
        if (given[i].set && given[i].size) nat_vars(given[i].size, &vars);
        if (ANY(k, vars.n, vars.v[k]->var == VAR_PARAM && !version_has_param(v, vars.v[k]->name))) given[i].set = false;
    }
    return rule_typed_text(s->ctx, rule, given);
}

/* "step @4 splitJoin at /in/f" or "step @4 tile(4, 8), inner step 2, splitJoin at /in/f" */
static const char *step_text(Try *t, int i)
{
    const PastStep *s = t->step;
    const PastRewrite *p = i < s->count ? &s->rewrites[i] : NULL;
    Buf b = {0};
    buf_printf(&b, "step @%d ", s->number);
    if (s->kind != STEP_RULE || !p) buf_puts(&b, s->call);
    if (p && s->kind != STEP_RULE) buf_printf(&b, ", inner step %d of %d, ", i + 1, s->count);
    if (p) buf_printf(&b, "%s at %s", p->call, p->place);
    return buf_take(&b, t->r->arena);
}

static const char gone[] = "there is no such place now";

static const char *node_now(Try *t, const PastRewrite *past)
{
    static const char *const heads[] = {[T_VAR] = "a variable", [T_INPUT] = "an input", [T_LIT] = "a literal", [T_SIZE] = "a size",
                                        [T_LAM] = "a function"};
    Path at;
    if (!read_path(t, past->place, &at)) return gone;
    const Term *term = path_term(t->root, &at);
    const char *head = term->kind == T_PRIM ? prim((PrimId)term->prim)->name : heads[term->kind];
    if (!strcmp(head, past->head)) return arena_printf(t->r->arena, "the %s there has changed", head);
    return arena_printf(t->r->arena, "node is now %s%s%s%s", head, *past->head ? " (was " : "", past->head,
                        *past->head ? ")" : "");
}

/* Between the rewrites of a macro there is no version that a command could go on from. */
static bool diverged(Try *t, int i, const Rule *rule, const RuleArg *args)
{
    Ctx *c = t->r->s->ctx;
    enum { SHOWN = 4 };
    Path here[SHOWN];
    int n = places_for(t, rule, args, NULL, here, SHOWN);
    const char *node = node_now(t, &t->step->rewrites[i]);
    diag_clear(&c->diag);
    diag_error(&c->diag, E42, "%s: %s; %d candidate%s", step_text(t, i), node, n, n == 1 ? "" : "s");
    for (int k = 0; k < n && k < SHOWN; k++)
        diag_note(&c->diag, "here", "%s: %s", path_text(c, t->root, &here[k]), lang_text(c, t->root, here[k].slots, here[k].length, 60));
    if (i == 0 && n > 0) {
        const SubStep sub = {.rule = rule, .args = args};
        diag_note(&c->diag, "try", "apply %s at %s", substep_typed(t->r->s, t->parent, &sub), path_text(c, t->root, &here[0]));
    } else if (i == 0 && strcmp(node, gone))
        diag_note(&c->diag, "try", "why %s at %s", rule->name, t->step->rewrites[i].place);
    return false;
}

/* The step cannot be tried at all: the reason is in the diag. */
static bool refused(Try *t, int i)
{
    if (t->exact) return false;
    Diag *diag = &t->r->s->ctx->diag;
    const char *why = arena_strdup(t->r->arena, diag->message ? diag->message : "it cannot be repeated");
    diag_clear(diag);
    return diag_fail(diag, E42, "%s: %s", step_text(t, i), why);
}

/* ---- one step ---- */

/* A condition that was a Lua function held when the step was made; the hash proves the rest. */
static bool held(void *data, const char *name, const ConditionArg *args, int n, const char **why)
{
    (void)data, (void)name, (void)args, (void)n;
    *why = NULL;
    return true;
}

/* The number of the next fresh parameter once those that the arguments name are there. */
static int next_after(const SubStep *sub, int next)
{
    LOCAL(drop) NatAtomVec vars = {0};
    for (int i = 0; i < sub->rule->param_count; i++)
        if (sub->args[i].set && sub->args[i].size) nat_vars(sub->args[i].size, &vars);
    for (int i = 0; i < vars.n; i++) {
        char *end;
        long n = vars.v[i]->var == VAR_PARAM && vars.v[i]->name[0] == 's' ? strtol(vars.v[i]->name + 1, &end, 10) : -1;
        if (n >= next && n < INT32_MAX && !*end) next = (int)n + 1;
    }
    return next;
}

static bool repeat_rewrite(Try *t, int i)
{
    Ctx *c = t->r->s->ctx;
    Arena *arena = t->r->arena;
    const PastRewrite *past = &t->step->rewrites[i];
    RuleResult r;
    RuleArg args[RULE_ARGS];
    Path at;
    SubStep *sub = &t->subs[i];
    t->lang = (LangScope){t->r->s->defs, t->r->s->current->program, t->params.v, t->params.n};
    if (!*past->place) diag_error(&c->diag, E03, "\"%.60s\" is no recorded step", past->call);
    const Rule *rule = *past->place ? rule_call_parse(c, t->r->s->rules, &t->lang, past->call, args) : NULL;
    if (!rule) return refused(t, i);
    for (int j = 0; j < rule->param_count && !t->exact; j++) {
        LOCAL(drop) NatAtomVec vars = {0};
        if (args[j].set && args[j].size) nat_vars(args[j].size, &vars);
        NatBinding *map = NEW_ARRAY(arena, NatBinding, vars.n);
        int n = 0;
        for (int k = 0; k < vars.n; k++)
            if (vars.v[k]->var == VAR_PARAM && !defs_is_param(t->r->s->defs, vars.v[k]->name))
                map[n++] = (NatBinding){vars.v[k],
                                        nat_var(c->nats, renamed(t, vars.v[k]->name), VAR_PARAM, NULL, NULL)};
        if (n) args[j].size = nat_subst(c->nats, args[j].size, map, n, NULL);
    }
    t->lang.params = t->params.v;
    t->lang.param_count = t->params.n;
    t->env.scope = &t->lang;
    if (t->exact && !(path_parse(c, t->root, NULL, past->place, &at) && rule_apply(&t->env, rule, args, t->root, &at, false, &r))) return false;
    if (!t->exact && !find_and_apply(t, i, rule, args, &at, &r)) return diverged(t, i, rule, args);
    *sub = (SubStep){.call = t->exact ? past->call : arena_strdup(arena, rule_call_text(c, rule, r.args)), .at = session_place(t->r->s, &at),
                     .trust = rule_trust(rule, &r), .assumes = r.assumes, .root = r.root, .rule = rule, .within = past->within,
                     .args = arena_copy(arena, r.args, sizeof r.args)};
    if (r.fact_count) {
        Fact *facts = NEW_ARRAY(arena, Fact, t->made.fact_count + r.fact_count);
        for (int k = 0; k < t->made.fact_count; k++) facts[k] = t->made.facts[k];
        for (int k = 0; k < r.fact_count; k++) facts[t->made.fact_count++] = r.facts[k];
        t->made.facts = facts;
    }
    sub->fact_count = t->made.fact_count;
    sub->next_param = t->made.next_param = next_after(sub, t->made.next_param);
    t->root = r.root;
    if (sub->trust > t->made.trust) t->made.trust = sub->trust;
    return true;
}

/* Into t->made; false: not beyond rewrite *failed. */
static bool repeat_rewrites(Try *t, int *failed)
{
    const Version *v = t->parent;
    const PastStep *s = t->step;
    for (int i = 0; i < v->param_count; i++) vec_push(&t->params, v->params[i].name);
    t->root = v->root;
    t->made.next_param = v->next_param;
    t->subs = NEW_ARRAY(t->r->arena, SubStep, s->count);
    session_env(t->r->s, v, NULL, &t->env);
    if (t->exact || s->from_hash == v->hash) t->env.call = held;
    *failed = 0;
    while (*failed < s->count && repeat_rewrite(t, *failed)) ++*failed;
    if (*failed < s->count || (!s->count && !t->exact)) return false;
    t->made.kind = s->kind;
    t->made.root = t->root;
    t->made.call = !t->exact && s->kind == STEP_RULE && s->count == 1 ? t->subs[0].call : s->call;
    t->made.sub_count = s->count;
    t->made.subs = t->subs;
    if (!s->place) return true;
    /* Where a macro or a lowering was asked for; it may lie in the term before or after it. */
    Path *at = NEW(t->r->arena, Path);
    t->made.at = at;
    if (!t->exact && (s->count == 1 || t->level > REPLAY_PLACE)) return *at = place_path(t->subs[0].at), true;
    t->root = v->root;
    if (read_path(t, s->place, at)) return true;
    t->root = t->made.root;
    if (!read_path(t, s->place, at)) at->length = 0;
    return true;
}

bool step_repeat(Session *s, const Version *parent, const PastStep *step, Arena *arena, NewStep *out, int *failed)
{
    Replay r = {.s = s, .arena = arena};
    Try t = {.r = &r, .step = step, .parent = parent, .exact = true};
    bool ok = repeat_rewrites(&t, failed);
    *out = t.made;
    free(t.params.v);
    return ok;
}

/* Without the blanks before it; what is said where there is none. */
static const char *line_text(Arena *arena, const char *line)
{
    if (!*line) return "nothing: they end here";
    line += strspn(line, " \t");
    size_t n = strcspn(line, "\n");
    return n ? arena_strndup(arena, line, n) : "an empty line";
}

static const char *next_line(const char *p) { return p += strcspn(p, "\n"), *p ? p + 1 : p; }

/* Notes with the first line in which two generated sources differ, their comments at the head apart. */
static void note_first_difference(Diag *diag, Arena *arena, const char *then, const char *now)
{
    static const char begin[] = "kernel void ";
    const char *a = source_body(then), *b = source_body(now), *kernel = NULL;
    int line = 1;
    for (; *a && *b; a = next_line(a), b = next_line(b), line++) {
        size_t n = strcspn(a, "\n"), head = strlen(begin);
        if (!strncmp(a, begin, head)) kernel = arena_strndup(arena, a + head, strcspn(a + head, "(\n"));
        if (n != strcspn(b, "\n") || strncmp(a, b, n)) break;
    }
    if (!*a && !*b) return;
    diag_note(diag, "differs", "first in line %d%s%s", line, kernel ? ", of " : "", kernel ? kernel : "");
    diag_note(diag, "needs", "%s", line_text(arena, a));
    diag_note(diag, "found", "%s", line_text(arena, b));
}

static const Version *repeat_param(Try *t)
{
    int n = t->step->param_count;
    TuneParam *b = NEW_ARRAY(t->r->arena, TuneParam, n);
    t->level = REPLAY_PLACE;
    for (int k = 0; k < n; k++) {
        b[k] = t->step->params[k];
        for (int i = 0; i < t->r->names.n; i++)
            if (!strcmp(t->r->names.v[i].from, b[k].name)) b[k].name = t->r->names.v[i].to;
    }
    if (!session_params_check(t->r->s, t->parent, b, n, false, t->r->arena)) return refused(t, t->step->count), NULL;
    return session_params(t->r->s, b, n);
}

bool replay_code(Replay *r, const PastStep *step, const char *generated, const char *sizes, ReplayResult *out)
{
    const Version *parent = session_version(r->s);
    *out = (ReplayResult){.level = REPLAY_PLACE, .how = ""};
    /* The reason in the diag becomes that of a divergence; its notes stay. generated: what there is now, or NULL. */
    if (!generated || !edited_fits(step->code, generated, sizes, &r->s->ctx->diag)) {
        Diag *diag = &r->s->ctx->diag, why = diag_aside(diag);
        diag_error(diag, E42, "step @%d %s: %s", step->number, step->call, why.message);
        if (step->replaced && generated) note_first_difference(diag, r->arena, step->replaced, generated);
        for (int i = 0; i < why.note_count; i++) diag_note(diag, why.notes[i].label, "%s", why.notes[i].text);
        diag_free(&why);
        return false;
    }
    out->made = session_code(r->s, step->code);
    if (step->from_hash == parent->hash && step->hash == out->made->hash) out->level = REPLAY_EXACT;
    return true;
}

bool replay_step(Replay *r, const PastStep *step, ReplayResult *out)
{
    out->made = NULL;
    /* What a person wrote for some kernels says nothing of others: the caller says which are generated (replay_code). */
    if (step->kind == STEP_CODE)
        return diag_fail(&r->s->ctx->diag, E42, "step @%d %s: the kernels edited by hand are not readable", step->number, step->call);
    if (!session_may_step(r->s, session_version(r->s))) return false;
    Try t = {.r = r, .step = step, .parent = session_version(r->s), .level = REPLAY_EXACT};
    int moved = r->moved.n, names = r->names.n, failed;
    out->made = step->kind == STEP_PARAM ? repeat_param(&t) : repeat_rewrites(&t, &failed) ? session_add(r->s, &t.made) : NULL;
    if (out->made && t.level == REPLAY_PLACE && step->from_hash == t.parent->hash && step->hash == out->made->hash)
        t.level = REPLAY_EXACT;
    if (!out->made) {
        r->moved.n = moved;
        r->names.n = names;
    }
    out->level = t.level;
    out->how = buf_take(&t.how, r->arena);
    free(t.params.v);
    return out->made != NULL;
}
