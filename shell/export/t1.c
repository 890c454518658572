/* t1: the tuning problem of a version as T1 1.0.0, and the results of its program as T4, the
 * formats shared by KTT and Kernel Tuner, for other tuners. Kernels of other points are made by lathe: T1 has no place for
 * a generator. */
#include "commands.h"
#include "export.h"
#include "show.h"
#include "spaces.h"
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
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&c);
    buf_free(&b);
    return text;
}

/* A condition of the user's, in Lua, where Python says the same: comparisons, + - * // % and words. NULL: it does not. */
static const char *asked_text(Shell *sh, const Constraint *c)
{
    const char *p = c->text;
    Buf b = {0};
    for (; *p && (isalnum((unsigned char)*p) || strchr("_ ()<>=~+-*/%", *p)); p++) {
        bool unequal = p[0] == '~' && p[1] == '=', division = p[0] == '/' && p[1] != '/' && (p == c->text || p[-1] != '/');
        if (division || (*p == '~' && !unequal) || (*p == '(' && p > c->text && isalnum((unsigned char)p[-1]))) break;
        if (unequal) buf_putc(&b, '!');
        else buf_putc(&b, *p);
    }
    const char *text = *p || strcmp(c->reason, "asked") ? NULL : arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return text;
}

static const char *condition_text(Shell *sh, const Constraint *c)
{
    switch (c->kind) {
    case CON_DIVIDES: return arena_printf(sh->scratch, "(%s) %% (%s) == 0", python(sh, c->b), python(sh, c->a));
    case CON_LE: return arena_printf(sh->scratch, "%s <= %s", python(sh, c->a), python(sh, c->b));
    case CON_LT: return arena_printf(sh->scratch, "%s < %s", python(sh, c->a), python(sh, c->b));
    case CON_CALL: return asked_text(sh, c);
    }
    return NULL;
}

/* ---- the space ---- */

static json_t *names_of(const Constraint *c, const TuneSpace *s)
{
    NatAtomVec used = {0};
    json_t *list = json_array();
    for (int i = 0; i < c->var_count; i++) json_array_append_new(list, json_string(tune_name(s, c->vars[i])));
    if (c->kind == CON_CALL) return list;
    nat_vars(c->a, &used);
    nat_vars(c->b, &used);
    for (int i = 0; i < used.n; i++) {
        bool seen = false;
        for (int k = 0; k < i; k++) seen = seen || used.v[k] == used.v[i];
        if (!seen) json_array_append_new(list, json_string(used.v[i]->name));
    }
    free(used.v);
    return list;
}

static json_t *conditions(Shell *sh, const TuneSpace *s, const Values *at, const SpaceOptions *options)
{
    Constraint *all;
    json_t *list = json_array();
    int n = session_constraints(sh->session, at, options, sh->scratch, &all);
    for (int i = 0; i < n; i++) {
        const char *text = condition_text(sh, &all[i]);
        json_t *names = text ? names_of(&all[i], s) : NULL;
        if (names && json_array_size(names))
            json_array_append_new(list, json_pack("{s:O, s:s}", "Parameters", names, "Expression", text));
        if (!text) shell_warn(sh, W14, NULL, "%s of %s is no Python and was left out", all[i].text, all[i].from);
        json_decref(names);
    }
    return list;
}

/* The values that it takes in some point, "[1, 2, 4]". */
static const char *values_text(Shell *sh, const TuneSpace *s, int var)
{
    int64_t *values;
    Buf b = {0};
    int n = tune_values(s, var, NULL, sh->scratch, &values);
    for (int i = 0; i < n; i++) buf_printf(&b, "%s%lld", i ? ", " : "[", (long long)values[i]);
    buf_puts(&b, n ? "]" : "[]");
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return text;
}

static json_t *parameters(Shell *sh, const TuneSpace *s)
{
    json_t *list = json_array();
    for (int i = 0; i < tune_var_count(s); i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s}", "Name", tune_name(s, i), "Type", "int", "Values", values_text(sh, s, i)));
    return list;
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

static const char *type_name_of(Shell *sh, const Type *t)
{
    static const char *const floats[SC_COUNT] = {[SC_F16] = "half", [SC_F32] = "float", [SC_F64] = "double"};
    while (t->kind == TY_ARRAY) t = t->elems[0];
    if (t->kind != TY_SCALAR && t->kind != TY_VECTOR) return "custom";
    if (!scalar_is_int(t->scalar)) return scalar_is_float(t->scalar) ? floats[t->scalar] : "bool";
    return arena_printf(sh->scratch, "%sint%d", scalar_is_unsigned(t->scalar) ? "u" : "", 8 * scalar_bytes(t->scalar));
}

/* How many elements, as a number where the sizes are known. */
static json_t *element_count(Shell *sh, const Type *t)
{
    int64_t n = 1, length;
    for (; t->kind == TY_ARRAY; t = t->elems[0]) {
        if (!nat_eval(t->size, NULL, NULL, &length)) return json_string(type_text(sh->c, t));
        n *= length;
    }
    return json_integer(n);
}

static json_t *argument(Shell *sh, const char *name, const Type *t, bool input)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s}", "Name", name, "Type", type_name_of(sh, t), "MemoryType",
                     t->kind == TY_ARRAY ? "Vector" : "Scalar", "AccessType", input ? "ReadOnly" : "WriteOnly", "Size",
                     element_count(sh, t), "FillType", input ? "Random" : "Constant");
}

static json_t *arguments(Shell *sh, const Values *at)
{
    const Program *p = session_current(sh->session)->program;
    json_t *list = json_array();
    const Type *result = NULL;
    for (int i = 0; i < p->input_count; i++) {
        const Type *t = session_bound_type(sh->session, at, p->inputs[i].type);
        if (t) json_array_append_new(list, argument(sh, p->inputs[i].name, t, true));
    }
    result = session_bound_type(sh->session, at, p->body->type);
    if (result) json_array_append_new(list, argument(sh, "out", result, false));
    return list;
}

/* Of several kernels the one with the most work-items to say something about: the first with groups, else the first. */
static json_t *kernel(Shell *sh, const Version *v, const Values *at)
{
    PlanResources *list, *r;
    const Term *t = session_bound_term(sh->session, at, true);
    if (!t) return NULL;
    int n = plan_resources(sh->c, sh->scratch, t, shell_on_gpu(sh), &list);
    for (r = list; r < list + n - 1 && r->global[0];) r++;
    if (r->global[0]) r = list;
    bool chosen = r->global[0] != NULL;          /* mapGlobal: the plan chooses the groups */
    json_t *global = chosen ? dimensions(sh, r->global, NULL) : dimensions(sh, r->groups, r->items);
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "Language", "OpenCL", "KernelName",
                     arena_printf(sh->scratch, "%s_k0", session_current(sh->session)->program->name),
                     "Derivation", session_derivation(sh->session, v, sh->scratch), "GlobalSizeType", "OpenCL",
                     "GlobalSize", global, "LocalSize", chosen ? json_object() : dimensions(sh, r->items, NULL),
                     "Arguments", arguments(sh, at));
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
    json_t *spec = s && tune_var_count(s) ? kernel(sh, range->to, &at) : NULL;
    if (spec)
        json_put(json_pack("{s:{s:o, s:o}, s:{s:s, s:s, s:s, s:s}, s:o}", "ConfigurationSpace", "TuningParameters",
                           parameters(sh, s), "Conditions", conditions(sh, s, &at, &options), "General", "FormatVersion",
                           "1.0.0", "TimeUnit", "Milliseconds", "OutputFormat", "JSON", "LoggingLevel", "Info",
                           "KernelSpecification", spec),
                 JSON_INDENT(1), out);
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
    if (n >= 0) results_write(list, n, FORMAT_T4, session_setting_is(sh->session, SET_TIMES, "on"), out);
    return n >= 0;
}
