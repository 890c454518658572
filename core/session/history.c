/* history: versions made and moved between; their content hash. */
#include "session_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds of steps ---- */

const char *step_kind_name(StepKind k)
{
    static const char *const names[STEP_KINDS] = {
        [STEP_SOURCE] = "source", [STEP_RULE] = "rule", [STEP_MACRO] = "macro", [STEP_PARAM] = "param", [STEP_LOWER] = "lower", [STEP_CODE] = "code"};
    return names[k];
}

/* ---- content hash ---- */

static uint64_t content_hash(Session *s, const Version *v)
{
    LOCAL(buf_free) Buf b = {0};
    uint8_t digest[32];
    LOCAL(drop_arena) Arena *arena = arena_new();
    term_digest(s->ctx, v->root, digest);
    buf_write(&b, (const char *)digest, sizeof digest);
    for (int i = 0; i < v->param_count; i++)
        if (v->params[i].value) buf_printf(&b, "%s=%lld\n", v->params[i].name, (long long)v->params[i].value);
    /* The facts as sorted lines, so that their order does not matter. */
    const char **lines = MAKE_LIST(arena, const char *, i, v->fact_count, fact_text(&v->facts[i], arena));
    qsort(lines, (size_t)v->fact_count, sizeof *lines, compare_text);
    for (int i = 0; i < v->fact_count; i++) buf_printf(&b, "%s\n", lines[i]);
    if (v->code) buf_printf(&b, "code %016llx\n%s", (unsigned long long)v->code->replaces, v->code->source);
    sha256(b.data, b.len, digest);
    uint64_t h = 0;
    for (int i = 0; i < 8; i++) h = h << 8 | digest[i];
    return h;
}

/* ---- making versions ---- */

static const TuneParam *param_of(const Version *v, const char *name) { return FIND(v->params, v->param_count, name, name); }

bool version_has_param(const Version *v, const char *name) { return param_of(v, name) != NULL; }

bool version_is_approximate(const Version *v)
{
    return v && (ANY(i, v->sub_count, v->subs[i].rule && rule_is_approximate(v->subs[i].rule)) || version_is_approximate(v->from));
}

int64_t version_param(const Version *v, const char *name)
{
    const TuneParam *p = param_of(v, name);
    return p ? p->value : 0;
}

/* The parent's parameters and those of the root that are new, in order of appearance. */
static void collect_params(Session *s, Version *v, const Version *parent)
{
    LOCAL(drop) NatAtomVec vars = term_vars_in(v->root, VAR_PARAM);
    for (int i = 0; i < v->fact_count; i++) {
        nat_vars_of(v->facts[i].a, VAR_PARAM, &vars);
        nat_vars_of(v->facts[i].b, VAR_PARAM, &vars);
    }
    int old = parent ? parent->param_count : 0, fresh = 0;
    for (int i = 0; i < vars.n; i++) fresh += !parent || !param_of(parent, vars.v[i]->name);
    v->param_count = old;
    v->params = parent ? parent->params : NULL;
    if (fresh) {
        TuneParam *all = NEW_ARRAY(s->arena, TuneParam, old + fresh);
        for (int i = 0; i < old; i++) all[i] = parent->params[i];
        for (int i = 0; i < vars.n; i++)
            if (!parent || !param_of(parent, vars.v[i]->name)) all[v->param_count++].name = vars.v[i]->name;
        v->params = all;
    }
}

static Version *version_new(Session *s, const Term *root)
{
    Version *v = NEW(s->arena, Version);
    v->root = root;
    v->parent = v->first_child = v->last_child = v->next_sibling = v->visited_child = -1;
    return v;
}

/* A step that leaves the term as it is. */
static Version *version_like(Session *s, const Version *parent, StepKind kind)
{
    Version *v = version_new(s, parent->root);
    v->number = -1;
    v->from = parent;
    v->kind = kind;
    v->trust = parent->trust;
    v->next_param = parent->next_param;
    v->fact_count = parent->fact_count;
    v->facts = parent->facts;
    v->param_count = parent->param_count;
    v->params = parent->params;
    v->focus = parent->focus;
    return v;
}

/* A version outside the tree with that part of the source's names inlined. */
static Version *names_version(Session *s, const Version *source, const Term *root, int inner)
{
    Version *v = version_like(s, source, STEP_RULE);
    v->root = root;
    v->number = v->parent = 0;
    v->inner = inner;
    v->call = inner == AS_WRITTEN ? "the names as they are written" : "letDuplicate";
    v->focus = NULL;
    v->hash = content_hash(s, v);
    return v;
}

/* Derivation.names: names that are used once, inlined one after the other as they are written. */
static const Version *names_inlined(Session *s, const Program *program, Version *source)
{
    VEC(SubStep) steps = {0};
    const Term *t = program->written;
    while (t && t != program->body) {
        PathWalk w;
        path_walk(&w, t, &(Path){0});
        const Term *let = t;
        while (let && !term_let_is_written(let)) let = path_walk_next(&w);
        if (!let) break;
        t = path_replace(s->ctx, t, &w.at, term_inline(s->ctx, let->args[1], let->args[0]));
        SubStep step = {.call = "letDuplicate", .at = place_ref(s->arena, &w.at), .root = t};
        vec_push(&steps, step);
    }
    Version *v = NULL;
    if (steps.n && t == program->body) {
        v = names_version(s, source, t, 0);
        v->from = names_version(s, source, program->written, AS_WRITTEN);
        v->call = steps.n == 1 ? "letDuplicate" : arena_printf(s->arena, "letDuplicate, %d times", steps.n);
        v->at = steps.n == 1 ? steps.v[0].at : NULL;
        v->sub_count = steps.n;
        v->subs = vec_take(&steps, s->arena);
    } else free(steps.v);
    return v;
}

typedef struct Known { Session *s; uint64_t hash; } Known;

static bool know(void *data, const Term *f)
{
    Known *k = data;
    const Type *t = f->type;
    bool pairs = f->kind == T_LAM && t->elems[0]->kind == TY_TUPLE && t->elems[0]->count == 2 && t->elems[0]->elems[0] == t->elems[1];
    for (PropKind kind = PROP_ASSOCIATIVE; pairs && kind <= PROP_COMMUTATIVE; kind <<= 1)
        if (lang_property(k->s->ctx, k->s->defs, kind, f, NULL, NULL)) k->hash = hash_pair(k->hash, hash_pair(f->id, kind));
    return false;
}

uint64_t properties_known(Session *s, const Program *p)
{
    Known k = {s, 0};
    term_find(p->body, know, &k);
    return k.hash;
}

Derivation *derivation_new(Session *s, const char *name, const Program *program)
{
    Derivation *d = NEW(s->arena, Derivation);
    d->name = arena_strdup(s->arena, name);
    d->program = program;
    d->properties = properties_known(s, program);
    d->previous = -1;
    d->sizes = NEW_ARRAY(s->arena, int64_t, program->size_count);
    d->inputs = NEW_ARRAY(s->arena, RunInput, program->input_count);
    for (int i = 0; i < program->input_count; i++)
        d->inputs[i] = (RunInput){.name = program->inputs[i].name, .type = program->inputs[i].type};
    Version *v = version_new(s, program->body);
    v->call = "source";
    collect_params(s, v, NULL);
    v->hash = content_hash(s, v);
    vec_push(&d->versions, v);
    d->names = names_inlined(s, program, v);
    d->live = 1;
    ptr_table_add(&d->by_hash, v->hash, v);
    return d;
}

void derivation_free(Derivation *d)
{
    free(d->versions.v);
    d->versions.v = NULL;
    ptr_table_free(&d->by_hash);
    free(d->marks.v);
    d->marks.v = NULL;
}

const MacroUse *macro_use_copy(Arena *arena, const MacroUse *use, const MacroUse *last, const MacroUse *made)
{
    if (!use) return NULL;
    while (last && last->depth > use->depth) last = last->outer, made = made->outer;
    if (last == use) return made;
    bool deeper = last && last->depth == use->depth;
    MacroUse *copy = NEW(arena, MacroUse);
    *copy = (MacroUse){arena_strdup(arena, use->call), arena_strdup(arena, use->place), NULL, use->depth};
    copy->outer = macro_use_copy(arena, use->outer, deeper ? last->outer : last, deeper ? made->outer : made);
    return copy;
}

int use_shared(const MacroUse *before, const MacroUse *now)
{
    while (before && (!now || before->depth > now->depth)) before = before->outer;
    while (now && (!before || now->depth > before->depth)) now = now->outer;
    for (; now != before; now = now->outer) before = before->outer;
    return now ? now->depth + 1 : 0;
}

const MacroUse *use_at(const MacroUse *use, int depth)
{
    while (use && use->depth > depth) use = use->outer;
    return use && use->depth == depth ? use : NULL;
}

static const SubStep *copy_subs(Session *s, const Version *v, const Version *parent, const NewStep *step)
{
    if (step->sub_count == 0) return NULL;
    SubStep *subs = NEW_ARRAY(s->arena, SubStep, step->sub_count);
    for (int i = 0; i < step->sub_count; i++) {
        const Rule *rule = step->subs[i].rule;
        Path at = place_path(step->subs[i].at);
        subs[i] = step->subs[i];
        subs[i].call = intern(s->ctx->names, step->subs[i].call);
        subs[i].at = session_place(s, &at);
        bool known = rule && subs[i].args && rule->param_count;
        subs[i].args = known ? arena_copy(s->arena, subs[i].args, sizeof *subs[i].args * (size_t)rule->param_count) : NULL;
        subs[i].within = macro_use_copy(s->arena, step->subs[i].within, i ? step->subs[i - 1].within : NULL,
                                        i ? subs[i - 1].within : NULL);
        /* How many of v's facts (the parent's come first) are there after the first `count` of the step. */
        int n = parent->fact_count;
        for (int j = 0; j < step->subs[i].fact_count; j++)
            if (n < v->fact_count && fact_equal(&v->facts[n], &step->facts[j])) n++;
        subs[i].fact_count = n;
    }
    return subs;
}

static void link_child(Derivation *d, Version *parent, Version *v)
{
    v->number = d->versions.n;
    v->parent = parent->number;
    if (parent->last_child < 0) parent->first_child = v->number;
    else d->versions.v[parent->last_child]->next_sibling = v->number;
    parent->last_child = v->number;
    vec_push(&d->versions, v);
    d->live++;
    ptr_table_add(&d->by_hash, v->hash, v);
}

/* Make a version current, remembering the way there. */
static void enter(Derivation *d, int number)
{
    if (number == d->current) return;
    d->previous = d->current;
    d->current = number;
    Version *v = d->versions.v[number];
    for (; v->parent >= 0; v = d->versions.v[v->parent]) d->versions.v[v->parent]->visited_child = v->number;
}

static Version *current_version(const Session *s) { return s->current ? s->current->versions.v[s->current->current] : NULL; }

Version *session_make(Session *s, const Version *parent, const NewStep *step)
{
    Version *v = version_like(s, parent, step->kind);
    v->root = step->root;
    v->call = intern(s->ctx->names, step->call);         /* mostly that of its only elementary rewrite, too */
    v->at = step->at ? session_place(s, step->at) : NULL;
    v->own = step->trust;
    if (step->trust > v->trust) v->trust = step->trust;
    if (step->next_param > v->next_param) v->next_param = step->next_param;
    if (step->fact_count) {              /* the parent's facts and the step's, each once */
        Fact *all = NEW_ARRAY(s->arena, Fact, parent->fact_count + step->fact_count);
        for (int i = 0; i < parent->fact_count; i++) all[i] = parent->facts[i];
        for (int i = 0; i < step->fact_count; i++)
            if (!ANY(k, v->fact_count, fact_equal(&all[k], &step->facts[i]))) all[v->fact_count++] = step->facts[i];
        v->facts = all;
    }
    collect_params(s, v, parent);
    v->sub_count = step->sub_count;
    v->subs = copy_subs(s, v, parent, step);
    v->focus = forward_focus(s, parent, v);
    v->hash = content_hash(s, v);
    return v;
}

int bindings_read(const char *text, Arena *arena, TuneParam **out)
{
    int n = 0;
    *out = NEW_ARRAY(arena, TuneParam, (int)strlen(text) / 2 + 1);
    for (const char *p = text;; p++) {
        const char *name = p += strspn(p, " \t\n");
        p += strcspn(p, " \t\n=,");
        int length = (int)(p - name);
        p += strspn(p, " \t\n");
        if (length == 0 || *p++ != '=') return -1;
        const char *value = p += strspn(p, " \t\n");
        char *end;
        errno = 0;
        TuneParam b = {.name = arena_strndup(arena, name, (size_t)length), .value = strtoll(value, &end, 10)};
        if (*value == '?') end = (char *)(uintptr_t)(value + 1);
        if (end == value || errno == ERANGE) return -1;
        p = end + strspn(end, " \t\n");
        (*out)[n++] = b;
        if (*p != ',') return *p ? -1 : n;
    }
}

Version *session_make_params(Session *s, const Version *parent, const TuneParam *b, int n)
{
    TuneParam *params = MAKE_LIST(s->arena, TuneParam, i, parent->param_count, parent->params[i]);
    for (int i = 0; i < n; i++) FIND(params, parent->param_count, name, b[i].name)->value = b[i].value;
    Version *v = version_like(s, parent, STEP_PARAM);
    /* "param s0 = 32, s1 = ?" */
    Buf text = {0};
    for (int i = 0; i < n; i++) {
        buf_printf(&text, "%s%s = ", i ? ", " : "param ", b[i].name);
        if (b[i].value) buf_printf(&text, "%lld", (long long)b[i].value);
        else buf_putc(&text, '?');
    }
    v->call = buf_take(&text, s->arena);
    v->params = params;
    v->hash = content_hash(s, v);
    return v;
}

const EditedCode *code_copy(Arena *arena, const EditedCode *code)
{
    EditedCode *copy = NEW(arena, EditedCode);
    *copy = *code;
    copy->source = arena_strdup(arena, code->source);
    copy->sizes = arena_strdup(arena, code->sizes);
    copy->dialect = arena_strdup(arena, code->dialect);
    return copy;
}

Version *session_make_code(Session *s, const Version *parent, const EditedCode *code)
{
    Version *v = version_like(s, parent, STEP_CODE);
    v->call = "code --edit";
    v->code = code_copy(s->arena, code);
    v->own = v->trust = TRUST_ASSUMED;
    v->hash = content_hash(s, v);
    return v;
}

bool session_may_step(Session *s, const Version *v)
{
    const Version *generated = v;
    while (generated->kind == STEP_CODE) generated = generated->from;
    if (generated == v) return true;
    return diag_fail(diag(s), E18, "the kernels of @%d were edited by hand: a step would change the term, not them\n"
                     "try goto @%d      whose kernels these were\nor code --edit      to edit them further", v->number, generated->number);
}

void session_keep(Session *s, Version *v)
{
    link_child(s->current, s->current->versions.v[v->from->number], v);
}

static const Version *keep_and_enter(Session *s, Version *v)
{
    session_keep(s, v);
    enter(s->current, v->number);
    return v;
}

const Version *session_add(Session *s, const NewStep *step)
{
    return keep_and_enter(s, session_make(s, current_version(s), step));
}

const Version *session_params(Session *s, const TuneParam *b, int n)
{
    return keep_and_enter(s, session_make_params(s, current_version(s), b, n));
}

const Version *session_code(Session *s, const EditedCode *code)
{
    return keep_and_enter(s, session_make_code(s, current_version(s), code));
}

/* ---- moving ---- */

const Version *session_version(const Session *s) { return current_version(s); }

Path session_focus(const Session *s)
{
    const Version *v = current_version(s);
    return place_path(v ? v->focus : NULL);
}

static bool no_program(const Session *s) { return diag_fail(diag(s), E10, NO_PROGRAM); }

bool session_set_focus(Session *s, const Path *p)
{
    Version *v = current_version(s);
    if (!v) return no_program(s);
    v->focus_before = v->focus ? v->focus : session_place(s, &(Path){0});
    v->focus = session_place(s, p);
    return true;
}

bool session_focus_back(Session *s)
{
    Version *v = current_version(s);
    if (!v || !v->focus_before) return false;
    const PlaceRef *to = v->focus_before;
    v->focus_before = v->focus;
    v->focus = to;
    return true;
}

const Version *derivation_version(const Derivation *d, int number)
{
    return number >= 0 && number < d->versions.n && !d->versions.v[number]->dropped ? d->versions.v[number] : NULL;
}

const Version *derivation_next(const Derivation *d, const Version *v)
{
    for (int i = v ? v->number + 1 : 0; i < d->versions.n; i++)
        if (!d->versions.v[i]->dropped) return d->versions.v[i];
    return NULL;
}

void version_print(const Version *v, Buf *out)
{
    if (v->inner) buf_printf(out, "@%d.%d", v->number, v->inner == AS_WRITTEN ? 0 : v->inner);
    else buf_printf(out, "@%d", v->number);
}

static bool no_version(Session *s, int number)
{
    const Derivation *d = s->current;
    if (number >= 0 && number < d->versions.n) return diag_fail(diag(s), E13, "@%d of %s was dropped\ntry log", number, d->name);
    return diag_fail(diag(s), E13, "%s has no version @%d; the newest is @%d\ntry log", d->name, number, d->versions.n - 1);
}

static const Version *tagged(const Derivation *d, const char *tag)
{
    const Version *v = derivation_next(d, NULL);
    while (v && (!v->tag || strcmp(v->tag, tag))) v = derivation_next(d, v);
    return v;
}

/* The first k inner steps of v as a version outside the tree. */
static Version *inner_version(Session *s, const Version *v, int k)
{
    const Version *parent = s->current->versions.v[v->parent];
    const SubStep *last = &v->subs[k - 1];
    NewStep step = {.kind = k == 1 ? STEP_RULE : STEP_MACRO, .root = last->root, .next_param = last->next_param,
                    .call = k == 1 ? v->subs[0].call : arena_printf(s->arena, "first %d inner steps of %s", k, v->call),
                    .facts = v->facts + parent->fact_count, .fact_count = last->fact_count - parent->fact_count};
    for (int i = 0; i < k; i++)
        if (v->subs[i].trust > step.trust) step.trust = v->subs[i].trust;
    Version *made = session_make(s, parent, &step);
    made->number = v->number;
    made->parent = v->parent;
    made->inner = k;
    made->at = k == 1 ? v->subs[0].at : v->at;
    made->sub_count = k;
    made->subs = v->subs;
    made->focus = NULL;
    return made;
}

static const Version *ref_inner(Session *s, const Version *v, const char *text)
{
    char *end;
    long k = strtol(text, &end, 10);
    bool digits = *text >= '0' && *text <= '9' && !*end;
    const Version *names = v->number == 0 ? s->current->names : NULL;
    if (names && digits && k >= 0 && k < names->sub_count)
        return k ? names_version(s, s->current->versions.v[0], names->subs[k - 1].root, (int)k) : names->from;
    if (names && digits && k == names->sub_count) return v;
    if (digits && v->sub_count > 1 && k == v->sub_count) return v;
    if (digits && v->sub_count > 1 && k > 0 && k < v->sub_count) return inner_version(s, v, (int)k);
    if (names)
        diag_error(diag(s), E13, "@0.0 is the program as it is written; names are inlined up to @0.%d", names->sub_count);
    else if (v->sub_count > 1)
        diag_error(diag(s), E13, "@%d has inner steps @%d.1 to @%d.%d", v->number, v->number, v->number, v->sub_count);
    else diag_error(diag(s), E13, "@%d is a single step: %s", v->number, v->call);
    diag_note(diag(s), "try", "log @%d --expand", v->number);
    return NULL;
}

static uint64_t hash_of_sizes(const Derivation *d) { return hash_bytes(1, d->sizes, sizeof *d->sizes * (size_t)d->program->size_count); }

/* Of those that ran with these sizes and were right, the one with the least time; what was timed in turns with others counts as it was there. */
static const Version *best_version(const Derivation *d)
{
    uint64_t sizes = hash_of_sizes(d);
    const Version *best = d->searched && d->searched_sizes == sizes ? derivation_version(d, d->searched) : NULL;
    double least = d->searched_ns;
    int turns = 0;
    for (int i = 0; i < d->versions.n; i++)
        if (d->versions.v[i]->run && d->versions.v[i]->run->turns > turns) turns = d->versions.v[i]->run->turns;
    for (int i = 0; i < d->versions.n; i++) {
        const RunNote *r = d->versions.v[i]->run;
        if (!r || d->versions.v[i]->dropped || !r->verified || r->sizes != sizes || r->best_ns <= 0) continue;
        double ns = turns && r->turns == turns ? r->turns_ns : r->best_ns;
        if (best && ns >= least) continue;
        best = d->versions.v[i];
        least = ns;
    }
    return best;
}

/* Why there is none, and what to do about it. */
static void no_best(Session *s)
{
    const Derivation *d = s->current;
    const Program *p = d->program;
    const Version *now = current_version(s);
    bool ran = ANY(i, d->versions.n, d->versions.v[i]->run), lowered = plan_is_lowered(s->ctx, now->root);
    diag_clear(diag(s));                 /* that asked in vain what hinders kernels */
    LOCAL(buf_free) Buf open = {0};
    diag_error(diag(s), E13, ran ? "no version of %s ran with these sizes and was right" : "no version of %s has run yet", d->name);
    for (int i = 0; i < p->size_count; i++)
        if (!d->sizes[i]) buf_printf(&open, "%s%s", open.len ? ", " : "", nat_atom(p->sizes[i])->name);
    if (open.len) diag_note(diag(s), "sizes", "%s: not set; `data %.*s = 1024` sets one, `run` takes small ones", buf_text(&open), (int)strcspn(buf_text(&open), ","), buf_text(&open));
    diag_note(diag(s), "try", lowered ? "run" : "lower ; run");
}

const Version *session_ref(Session *s, const char *text)
{
    if (!s->current) return no_program(s), NULL;
    const char *t = *text == '@' ? text + 1 : text;
    if (!*t && *text == '@') return current_version(s);
    if ((*t == '^' || *t == '-') && !t[1]) {
        Derivation *d = s->current;
        int number = *t == '^' ? current_version(s)->parent : d->previous;
        if (derivation_version(d, number)) return d->versions.v[number];
        if (*t == '^') return diag_fail(diag(s), E13, "@%d is the source: it has no parent", d->current), NULL;
        return diag_fail(diag(s), E13, "no other version was visited yet"), NULL;
    }
    if (*t >= '0' && *t <= '9') {
        char *end;
        long n = strtol(t, &end, 10);
        if (*end && *end != '.') return diag_fail(diag(s), E13, "\"%s\" is no version: write @12 or a tag", t), NULL;
        const Version *v = n <= INT32_MAX ? derivation_version(s->current, (int)n) : NULL;
        if (!v) no_version(s, n <= INT32_MAX ? (int)n : INT32_MAX);
        return v && *end ? ref_inner(s, v, end + 1) : v;
    }
    const Version *v = tagged(s->current, t);
    if (!v && !strcmp(t, "best")) {
        if (!(v = best_version(s->current))) no_best(s);
        return v;
    }
    bool any = v || ANY(i, s->current->versions.n, s->current->versions.v[i]->tag);
    if (!v) diag_fail(diag(s), E13, "%s has no version tagged \"%s\"\ntry %s", s->current->name, t, any ? "list tags" : "log");
    return v;
}

bool session_goto(Session *s, int number)
{
    if (!s->current) return no_program(s);
    if (!derivation_version(s->current, number)) return no_version(s, number);
    enter(s->current, number);
    return true;
}

const Version *session_open(Session *s, const Version *v)
{
    Derivation *d = s->current;
    if (v->inner && v->number == 0) {
        diag_fail(diag(s), E15, "steps are made from @0, where names that are used once are inlined\ntry show @0.%d",
                  v->inner == AS_WRITTEN ? 0 : v->inner);
        return NULL;
    }
    if (v->inner) {                      /* the child of its parent that has the same term, made if there is none */
        Version *parent = d->versions.v[v->parent];
        int same = parent->first_child;
        while (same >= 0 && d->versions.v[same]->hash != v->hash) same = d->versions.v[same]->next_sibling;
        if (same < 0) {
            Version *made = NEW(s->arena, Version);
            *made = *v;
            made->inner = 0;
            made->focus = forward_focus(s, parent, made);
            link_child(d, parent, made);
            same = made->number;
        }
        v = d->versions.v[same];
    }
    enter(d, v->number);
    return v;
}

bool session_undo(Session *s, int steps)
{
    Version *v = current_version(s);
    if (!v) return no_program(s);
    const Version *to = v;
    int n = 0;
    for (; n < steps && to->parent >= 0; n++) to = s->current->versions.v[to->parent];
    if (n && n == steps) return enter(s->current, to->number), true;
    if (n) return diag_fail(diag(s), E15, "cannot undo %d steps: @%d is %d from the source\ntry undo %d", steps, v->number, n, n);
    diag_error(diag(s), E15, "nothing to undo: @%d is the source", v->number);
    if (s->current->names) diag_note(diag(s), "try", "show @0.0        the program as it is written");
    return false;
}

bool session_redo(Session *s, int steps)
{
    Version *v = current_version(s);
    if (!v) return no_program(s);
    for (; steps > 0; steps--) {
        if (v->first_child < 0) return diag_fail(diag(s), E15, "nothing to redo: @%d is the last on its branch", v->number);
        int next = v->visited_child >= 0 ? v->visited_child : v->first_child;
        if (v->visited_child < 0 && v->first_child != v->last_child) {
            diag_error(diag(s), E15, "@%d has several children and none was visited; name one", v->number);
            for (int i = v->first_child; i >= 0; i = s->current->versions.v[i]->next_sibling)
                diag_note(diag(s), "or", "redo @%d      %s", i, s->current->versions.v[i]->call);
            return false;
        }
        v = s->current->versions.v[next];
    }
    enter(s->current, v->number);
    return true;
}

bool session_tag_check(Session *s, int number, const char *tag)
{
    size_t n = strspn(tag, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (n == 0 || tag[n] || (tag[0] >= '0' && tag[0] <= '9') || tag[0] == '-')
        return diag_fail(diag(s), E05, "\"%s\" is not a tag: letters, digits, _ and -, not starting with a digit", tag);
    const Version *other = tagged(s->current, tag);
    if (!other || other->number == number) return true;
    return diag_fail(diag(s), E05, "the tag \"%s\" already names @%d\ntry tag -d %s", tag, other->number, tag);
}

bool session_tag(Session *s, int number, const char *tag)
{
    if (tag && !session_tag_check(s, number, tag)) return false;
    s->current->versions.v[number]->tag = tag ? arena_strdup(s->arena, tag) : NULL;
    return true;
}

bool session_note(Session *s, int number, const char *text)
{
    if (text && strchr(text, '\n')) return diag_fail(diag(s), E05, "a note is one line");
    s->current->versions.v[number]->note = text && *text ? arena_strdup(s->arena, text) : NULL;
    return true;
}

const char *session_derivation(const Session *s, const Version *v, Arena *arena)
{
    LOCAL(drop) VEC(const Version *) way = {0};
    Buf b = {0};
    for (; v->from; v = v->from)
        if (v->kind != STEP_PARAM) vec_push(&way, v);
    for (int i = way.n - 1; i >= 0; i--) {
        const PlaceRef *at = way.v[i]->at;
        buf_printf(&b, "%s%s", b.len ? "; " : "", way.v[i]->call);
        if (at && at->length) buf_printf(&b, " at %s", place_text(s->ctx, way.v[i]->from->root, at));
    }
    return buf_take(&b, arena);
}

void session_note_best(Session *s, const Version *v, double ns)
{
    s->current->searched = v->number;
    s->current->searched_ns = ns;
    s->current->searched_sizes = hash_of_sizes(s->current);
}

void session_note_run(Session *s, const Version *v, const RunOutcome *o, int turns)
{
    if (v->inner || v->number < 0 || !o->device_id) return;
    RunNote *note = NEW(s->arena, RunNote);
    uint64_t sizes = hash_of_sizes(s->current);
    const RunNote *old = v->run && v->run->sizes == sizes && !strcmp(v->run->device, o->device_id) ? v->run : NULL;
    *note = old ? *old : (RunNote){.device = arena_strdup(s->arena, o->device_id), .sizes = sizes};
    note->state = o->state;
    note->verified = o->state == STATE_OK && o->verify.status != VERIFY_OFF;
    double median = o->state == STATE_OK && o->time.trials ? o->time.median_ns : 0;
    if (median > 0 && (note->best_ns == 0 || median < note->best_ns)) note->best_ns = median;
    if (median > 0 && turns) note->turns = turns, note->turns_ns = median;
    s->current->versions.v[v->number]->run = note;
}

/* ---- dropping ---- */

int session_drop(Session *s, int number, bool force)
{
    Derivation *d = s->current;
    int n = 0;
    if (!d) return no_program(s), 0;
    const Version *top = derivation_version(d, number), *tag = NULL;         /* the first with one */
    if (!top) return no_version(s, number), 0;
    if (top->parent < 0) return diag_fail(diag(s), E16, "@0 is the source: it cannot be dropped"), 0;
    bool current = version_is_below(d, d->versions.v[d->current], top);
    for (const Version *v = top; v && !tag; v = derivation_next(d, v)) tag = v->tag && version_is_below(d, v, top) ? v : NULL;
    if (current && !force)
        return diag_fail(diag(s), E16, "@%d %s\ntry drop @%d --force", d->current, d->current == number ? "is current" : "below it is current", number), 0;
    if (tag && !force) return diag_fail(diag(s), E16, "@%d is tagged \"%s\"\ntry drop @%d --force", tag->number, tag->tag, number), 0;
    for (const Version *v = top; v; v = derivation_next(d, v)) {         /* children have higher numbers than their parent */
        if (v != top && !d->versions.v[v->parent]->dropped) continue;
        d->versions.v[v->number]->dropped = true;
        d->versions.v[v->number]->tag = d->versions.v[v->number]->note = NULL;
        n++;
    }
    Version *parent = d->versions.v[top->parent];
    int before = -1;
    for (int i = parent->first_child; i != top->number; i = d->versions.v[i]->next_sibling) before = i;
    if (before < 0) parent->first_child = top->next_sibling;
    else d->versions.v[before]->next_sibling = top->next_sibling;
    if (parent->last_child == top->number) parent->last_child = before;
    if (parent->visited_child == top->number) parent->visited_child = -1;
    /* Marks that were set in a dropped version go with it. */
    int kept = 0;
    for (int i = 0; i < d->marks.n; i++)
        if (!d->versions.v[d->marks.v[i].version]->dropped) d->marks.v[kept++] = d->marks.v[i];
    d->marks.n = kept;
    d->live -= n;
    if (d->versions.v[d->current]->dropped) d->current = top->parent;
    if (d->previous >= 0 && d->versions.v[d->previous]->dropped) d->previous = -1;
    return n;
}

/* ---- looking back ---- */

/* Found by its hash, which is its identity; of equal ones the oldest comes first. */
static bool is_there(const void *key, const void *item)
{
    (void)key;
    return !((const Version *)item)->dropped;
}

const Version *session_same(const Session *s, const Version *v)
{
    const Version *first = ptr_table_find(&s->current->by_hash, v->hash, is_there, v);
    return first && (v->number < 0 || first->number < v->number) ? first : NULL;
}

static bool contains(const Term *t, const Term *part)
{
    if (t == part) return true;
    if (t->size <= part->size || t->depth <= part->depth) return false;
    return ANY(i, t->arg_count, contains(t->args[i], part));
}

bool version_is_below(const Derivation *d, const Version *v, const Version *top)
{
    while (v->number > top->number) v = derivation_version(d, v->parent);
    return v == top;
}

const Version *version_origin(const Version *v, const Path *p)
{
    const Term *part = path_term(v->root, p);
    while (v->from && contains(v->from->root, part)) v = v->from;
    return v;
}
