/* t1: the tuning problem of a version as T1 1.0.0, and the results of its program as T4, the
 * formats shared by KTT and Kernel Tuner, for other tuners. T1 has no place for a generator, so that the source has the kernels of
 * all points, each where the preprocessor finds its parameters. */
#include "commands.h"
#include "export.h"
#include "show.h"
#include "values.h"
#include "tune.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- expressions ---- */

static void put_name(void *data, const NatAtom *var, Buf *out)
{
    (void)data;
    buf_puts(out, var->name);
}

/* In Python, as T1 wants it: whole numbers divided by //. */
static const char *python(Shell *sh, const Nat *n)
{
    Buf c = {0}, b = {0};
    bool helpers = false;
    nat_print_c(sh->c->nats, n, 0, put_name, NULL, &c, &helpers, NULL);
    for (const char *p = buf_text(&c); *p; p++) buf_puts(&b, *p == '/' ? "//" : (char[]){*p, 0});
    buf_free(&c);
    return buf_take(&b, sh->scratch);
}

static const char *condition_text(Shell *sh, const Constraint *c)
{
    switch (c->kind) {
    case CON_DIVIDES: return arena_printf(sh->scratch, "(%s) %% (%s) == 0", python(sh, c->b), python(sh, c->a));
    case CON_LE: return arena_printf(sh->scratch, "%s <= %s", python(sh, c->a), python(sh, c->b));
    case CON_LT: return arena_printf(sh->scratch, "%s < %s", python(sh, c->a), python(sh, c->b));
    case CON_CALL: {
        /* A condition of the user's, in Lua, where Python says the same: comparisons, + - * // % and words. NULL: it
         * does not. */
        const char *p = c->text;
        Buf b = {0};
        for (; *p && (isalnum((unsigned char)*p) || strchr("_ ()<>=~+-*/%", *p)); p++) {
            bool unequal = p[0] == '~' && p[1] == '=', division = p[0] == '/' && p[1] != '/' && (p == c->text || p[-1] != '/');
            if (division || (*p == '~' && !unequal) || (*p == '(' && p > c->text && isalnum((unsigned char)p[-1]))) break;
            if (unequal) buf_putc(&b, '!');
            else buf_putc(&b, *p);
        }
        const char *text = buf_take(&b, sh->scratch);
        return *p || strcmp(c->reason, "asked") ? NULL : text;
    }
    }
    return NULL;
}

/* ---- the kernel ---- */

static json_t *dimensions(Shell *sh, const Nat **of, const Nat **times)
{
    static const char *const names[] = {"X", "Y", "Z"};
    json_t *o = json_object();
    for (int d = 0; d < 3; d++) {
        const Nat *n = of[d] && times && times[d] ? nat_mul(sh->c->nats, of[d], times[d]) : of[d];
        if (n) json_object_set_new(o, names[d], json_string(python(sh, n)));
    }
    return o;
}

static json_t *argument(Shell *sh, const char *name, const Type *t, bool input)
{
    static const char *const floats[SC_COUNT] = {[SC_BF16] = "bfloat16", [SC_F16] = "half", [SC_F32] = "float", [SC_F64] = "double"};
    int64_t n = 1, length;
    bool known = true;                   /* how many elements, as a number */
    const Type *e = t;
    for (; e->kind == TY_ARRAY; e = e->elems[0])
        if ((known = known && nat_eval(e->size, NULL, NULL, &length))) n *= length;
    const char *type = "custom";
    if ((e->kind == TY_SCALAR || e->kind == TY_VECTOR) && scalar_is_int(e->scalar))
        type = arena_printf(sh->scratch, "%sint%d", scalar_is_unsigned(e->scalar) ? "u" : "", 8 * scalar_bytes(e->scalar));
    else if (e->kind == TY_SCALAR || e->kind == TY_VECTOR) type = scalar_is_float(e->scalar) ? floats[e->scalar] : "bool";
    return json_of("{Name:s Type:s MemoryType:s AccessType:s Size:o FillType:s}", name, type, t->kind == TY_ARRAY ? "Vector" : "Scalar",
                   input ? "ReadOnly" : "WriteOnly", known ? json_integer(n) : json_string(type_text(sh->c, t)),
                   input ? "Random" : "Constant");
}

/* ---- its source ---- */

enum { POINTS_MAX = 4096, SOURCE_MAX = 64 << 20 };

typedef struct Group {                   /* what plans have in common, and whose they are */
    uint64_t key;                        /* the hash of their source, or a local size */
    const char *source;
    Buf points;                          /* "s0 == 1 && s1 == 2 || ...", or "(1, 2), (1, 4), " */
} Group;
typedef VEC(Group) Groups;

typedef struct Sources { Groups variants, local[3]; size_t bytes; } Sources;

/* The group of that key, which is made where there is none. */
static Group *group_of(Groups *all, uint64_t key)
{
    int i = 0;
    while (i < all->n && all->v[i].key != key) i++;
    if (i == all->n) vec_push(all, ((Group){.key = key}));
    return &all->v[i];
}

static void add_point(Shell *sh, Sources *s, const TuneSpace *space, const int64_t *values, const Plan *plan)
{
    const int vars = tune_var_count(space);
    Group *g = group_of(&s->variants, source_hash(plan->source));
    if (!g->source) {
        g->source = arena_strdup(sh->scratch, source_body(plan->source));
        s->bytes += strlen(g->source);
    }
    for (int i = 0; i < vars; i++)
        buf_printf(&g->points, "%s%s == %lld", i ? " && " : g->points.len ? " || " : "", tune_name(space, i), (long long)values[i]);
    for (int d = 0; d < 3; d++) {
        g = group_of(&s->local[d], (uint64_t)plan->kernels[0].local[d]);
        for (int i = 0; i < vars; i++) buf_printf(&g->points, "%s%lld", i ? ", " : "(", (long long)values[i]);
        buf_puts(&g->points, vars > 1 ? "), " : ",), ");
    }
}

static void groups_free(Groups *all)
{
    for (int i = 0; i < all->n; i++) buf_free(&all->v[i].points);
    free(all->v);
}

/* Of every point; false + error: E08 where they are too many, or what planning one says. */
static bool make_sources(Shell *sh, const TuneSpace *space, Values *at, Sources *out)
{
    PlanOptions options = {0};
    int vars = tune_var_count(space);
    int64_t *values = NEW_ARRAY(sh->scratch, int64_t, vars), count = tune_count(space);
    if (count > POINTS_MAX)
        return shell_error(sh, E08, "%lld points are too many for one source; %d at most\n"
                           "hint narrow them: param s0 in 1, 2, 4; or search.constraints", (long long)count, POINTS_MAX);
    plan_for_device(shell_run_device(sh), &options);
    session_local(sh->session, options.local);
    for (int64_t k = 0; k < count && !*sh->stop; k++) {
        Arena *arena = arena_new();
        tune_at(space, k, values);
        for (int i = 0; i < at->count; i++) {
            int var = at->b[i].kind == VAR_PARAM ? tune_find(space, at->b[i].name) : -1;
            if (var >= 0) at->b[i].set = true, at->b[i].value = values[var];
        }
        Plan *plan = session_plan(sh->session, at, true, arena, options);
        if (plan) add_point(sh, out, space, values, plan);
        arena_free(arena);
        if (!plan) return false;
        if (out->bytes > SOURCE_MAX)
            return shell_error(sh, E08, "the kernels of all points have more than %d MB", SOURCE_MAX >> 20);
    }
    return true;
}

/* The group that the plan chose, "64", or, where it differs from point to point, "64 if (s0, s1) in ((1, 1), ) else 32". */
static json_t *chosen_groups(const Sources *s, const TuneSpace *space)
{
    static const char *const names[] = {"X", "Y", "Z"};
    json_t *o = json_object();
    for (int d = 0; d < 3; d++) {
        Buf b = {0};
        const Groups *all = &s->local[d];
        for (int g = 0; g + 1 < all->n; g++) {
            buf_printf(&b, "%d if (", (int)all->v[g].key);
            for (int i = 0; i < tune_var_count(space); i++) buf_printf(&b, "%s, ", tune_name(space, i));
            buf_printf(&b, ") in (%s) else ", buf_text(&all->v[g].points));
        }
        buf_printf(&b, "%d", all->n ? (int)all->v[all->n - 1].key : 1);
        json_object_set_new(o, names[d], json_string(buf_text(&b)));
        buf_free(&b);
    }
    return o;
}

/* Of several kernels the one with the most work-items to say something about: the first with groups, else the first. */
static json_t *kernel(Shell *sh, const Version *v, const TuneSpace *space, const Values *at, const Sources *sources, const char *file)
{
    PlanResources *list, *r;
    const Program *p = session_current(sh->session)->program;
    const Term *t = session_bound_term(sh->session, at, true);
    if (!t) return NULL;
    int n = plan_resources(sh->c, sh->scratch, t, shell_on_gpu(sh), &list);
    for (r = list; r < list + n - 1 && r->global[0];) r++;
    if (r->global[0]) r = list;
    const char *name = arena_printf(sh->scratch, "%s_k%d", p->name, (int)(r - list));
    if (n > 1)
        shell_warn(sh, W14, NULL, "T1 names one kernel, of %d %s: the others are in the source, and a tuner does not run them", n, name);
    json_t *arguments = json_array();
    for (int i = 0; i <= p->input_count; i++) {
        bool input = i < p->input_count;
        const Type *type = session_bound_type(sh->session, at, input ? p->inputs[i].type : p->body->type);
        if (type) json_array_append_new(arguments, argument(sh, input ? p->inputs[i].name : "out", type, input));
    }
    bool chosen = r->global[0] != NULL;          /* mapGlobal: the plan chooses the groups */
    json_t *global = chosen ? dimensions(sh, r->global, NULL) : dimensions(sh, r->groups, r->items);
    return json_of("{Language:s KernelName:s KernelFile:s Derivation:s GlobalSizeType:s GlobalSize:o LocalSize:o Arguments:o}", "OpenCL",
                   name, file, session_derivation(sh->session, v, sh->scratch), "OpenCL", global,
                   chosen ? chosen_groups(sources, space) : dimensions(sh, r->items, NULL), arguments);
}

bool export_t1(Shell *sh, const ExportRange *range, Buf *out)
{
    Values at;
    TuneLimits limits = {0};
    const SpaceOptions options = {.bound = true, .asked = true, .limits = &limits};
    if (!session_may_step(sh->session, range->to)) return false;
    const DeviceInfo *device = shell_chosen_device(sh);
    if (device) tune_device_limits(device, &limits);
    TuneSpace *s = session_space(sh->session, range->to, &options, sh->scratch, &at);
    if (s && tune_var_count(s) == 0)
        diag_error(diag(sh), E05, "%s has no tuning parameter: there is nothing to tune", version_name(sh, range->to));
    Sources sources = {0};
    Values open = at;
    if (s) open.b = memcpy(NEW_ARRAY(sh->scratch, Binding, at.count), at.b, sizeof *at.b * (size_t)at.count);
    bool made = s && tune_var_count(s) && make_sources(sh, s, &open, &sources);
    json_t *spec = made ? kernel(sh, range->to, s, &at, &sources, range->beside_name) : NULL;
    if (spec) {
        buf_printf(range->beside, "/* %s: the kernel of every point of its space; the parameters are macros. Generated by lathe. */\n",
                   session_current(sh->session)->program->name);
        /* The macros go before the kernels come, which may have such words: acc.s0 is the first of a vector. */
        for (int i = 0; i < sources.variants.n; i++)
            buf_printf(range->beside, "#%sif %s\n#define LATHE_VARIANT %d\n", i ? "el" : "", buf_text(&sources.variants.v[i].points), i);
        buf_puts(range->beside, "#else\n#error \"this is no point of the space\"\n#endif\n");
        for (int i = 0; i < tune_var_count(s); i++) buf_printf(range->beside, "#undef %s\n", tune_name(s, i));
        for (int i = 0; i < sources.variants.n; i++)
            buf_printf(range->beside, "#%sif LATHE_VARIANT == %d\n%s\n", i ? "el" : "", i, sources.variants.v[i].source);
        buf_puts(range->beside, "#endif\n");
    }
    groups_free(&sources.variants);
    for (int d = 0; d < 3; d++) groups_free(&sources.local[d]);
    if (spec) {
        Constraint *all;
        json_t *list = json_array(), *parameters = json_array();
        for (int i = 0; i < tune_var_count(s); i++) {
            int64_t *values;
            Buf b = {0};
            int n = tune_values(s, i, NULL, sh->scratch, &values);
            for (int j = 0; j < n; j++) buf_printf(&b, "%s%lld", j ? ", " : "", (long long)values[j]);
            json_add(parameters, "{Name:s Type:s Values:s}", tune_name(s, i), "int", arena_printf(sh->scratch, "[%s]", buf_text(&b)));
            buf_free(&b);
        }
        int n = session_constraints(sh->session, &at, &options, sh->scratch, &all);
        for (int i = 0; i < n; i++) {
            const Constraint *c = &all[i];
            const char *text = condition_text(sh, c);
            if (!text) {
                shell_warn(sh, W14, NULL, "%s of %s is no Python and was left out", c->text, c->from);
                continue;
            }
            NatAtomVec used = {0};
            json_t *names = JSON_LIST(k, c->var_count, json_string(tune_name(s, c->vars[k])));
            if (c->kind != CON_CALL) nat_vars(c->a, &used), nat_vars(c->b, &used);
            for (int k = 0; k < used.n; k++)
                if (!ANY(j, k, used.v[j] == used.v[k])) json_array_append_new(names, json_string(used.v[k]->name));
            free(used.v);
            if (json_array_size(names)) json_add(list, "{Parameters:o Expression:s}", names, text);
            else json_decref(names);
        }
        json_put(json_of("{ConfigurationSpace:{TuningParameters:o Conditions:o} General:{FormatVersion:i TimeUnit:s OutputFormat:s "
                         "LoggingLevel:s} KernelSpecification:o}", parameters, list, 1, "Milliseconds", "JSON", "Info", spec),
                 JSON_INDENT(1), out);
    }
    tune_free(s);
    return spec != NULL;
}

bool export_t4(Shell *sh, const ExportRange *range, Buf *out)
{
    const char *filter = arena_printf(sh->scratch, "program=%s", session_current(sh->session)->program->name);
    const ResultQuery q = {.filters = &filter, .filter_count = 1, .sort = "id"};
    Result *list;
    (void)range;
    int n = results_query(shell_results(sh), &q, sh->scratch, &list, diag(sh));
    if (n >= 0) results_write(list, n, FORMAT_T4, show_times(sh), out);
    return n >= 0;
}
