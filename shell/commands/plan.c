/* plan: the kernels of a version for the sizes that are set, as a run would generate them at present. */
#include "commands.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

const char *kernel_header(Shell *sh, const Version *v, const Values *values)
{
    const Derivation *d = session_current(sh->session);
    Buf b = {0};
    VEC(const Version *) path = {0};
    buf_printf(&b, "%s%s", d->name, version_name(sh, v));
    show_hash(sh, &b, "  ", v->hash, "");
    buf_putc(&b, '\n');
    for (const Version *p = v; p->parent >= 0; p = derivation_version(d, p->parent)) vec_push(&path, p);
    for (int i = path.n - 1; i >= 0; i--) {
        Path at;
        const Version *parent = derivation_version(d, path.v[i]->parent);
        buf_printf(&b, "  %s %s", version_name(sh, path.v[i]), path.v[i]->call);
        if (path.v[i]->at) place_path(path.v[i]->at, &at);
        if (path.v[i]->at) buf_printf(&b, " at %s", path_text(sh->c, parent->root, &at));
        buf_putc(&b, '\n');
    }
    bool paranoid = v->code ? v->code->paranoid : session_setting_is(sh->session, SET_SYNC, "paranoid");
    if (paranoid) buf_puts(&b, "sync paranoid: with every barrier that may stand, needed or not\n");
    if (version_assumed(sh, v)) buf_printf(&b, "? rests on the %s\n", version_assumed(sh, v));
    values_print(values, &b);
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    free(path.v);
    buf_free(&b);
    return text;
}

/* How a run would generate kernels at present; how they are made in another dialect, when that is not NULL. */
static EditedCode generated_now(Shell *sh, const Dialect *dialect)
{
    PlanOptions o = {0};
    plan_for_device(shell_run_device(sh), &o);
    if (dialect) dialect_plan(dialect, &o);
    EditedCode now = {.single = o.prefer_single, .gpu = o.on_gpu, .max_group = o.max_group, .source = "", .sizes = "",
                      .arguments = !session_setting_is(sh->session, SET_SIZES, "constant"),
                      .paranoid = session_setting_is(sh->session, SET_SYNC, "paranoid")};
    memcpy(now.max_local, o.max_local, sizeof now.max_local);
    session_local(sh->session, now.local);
    return now;
}

/* The values that were given for sizes and parameters, no others; false + error: they do not fit. */
static bool given_values(Shell *sh, const Version *v, Values *out)
{
    if (!session_values(sh->session, v, sh->scratch, out)) return false;
    session_given_values(sh->session, v, sh->scratch, out);
    return true;
}

static Plan *plan_with(Shell *sh, const Values *values, const EditedCode *how, PlanOptions options)
{
    plan_as_edited(how, &options);
    return session_plan(sh->session, values, !how->arguments, sh->scratch, options);
}

/* "N=64 M=32": the sizes that are set. *unset: is one not? */
static const char *sizes_text(Shell *sh, const Values *values, bool *unset)
{
    *unset = false;
    for (int i = 0; i < values->count; i++) *unset = *unset || (values->b[i].kind == VAR_SIZE && !values->b[i].set);
    return record_sizes(sh, values);
}

/* The plan with the edited source in the place of the generated one; NULL + E55 when that is another now. */
static Plan *put_edited(Shell *sh, const EditedCode *code, Plan *plan, const Values *values)
{
    bool unset;
    if (!edited_fits(code, plan->source, sizes_text(sh, values, &unset), diag(sh))) return NULL;
    int head = (int)(source_body(plan->source) - plan->source);
    plan->source = arena_printf(sh->scratch, "%.*s%s", head, plan->source, code->source);
    for (int i = 0; i < plan->kernel_count; i++) plan->kernels[i].body = code->source;
    return plan;
}

static Plan *plan_of(Shell *sh, const Version *v, bool origins, const Dialect *dialect)
{
    Values values;
    EditedCode now = generated_now(sh, dialect);
    if (v->code && dialect && dialect != dialect_find(NULL)) {
        diag_error(diag(sh), E18, "the kernels of %s were edited by hand, in %s: there are none in %s", version_name(sh, v),
                   dialect_title(dialect_find(NULL)), dialect_title(dialect));
        diag_note(diag(sh), "try", "code @%d --dialect %s        those that were edited", v->parent, dialect_name(dialect));
        return NULL;
    }
    if (!given_values(sh, v, &values)) return NULL;
    PlanOptions options = {.header = kernel_header(sh, v, &values), .origins = origins, .dialect = dialect};
    Plan *plan = plan_with(sh, &values, v->code ? v->code : &now, options);
    return plan && v->code ? put_edited(sh, v->code, plan, &values) : plan;
}

Plan *shell_plan(Shell *sh, const Version *v) { return plan_of(sh, v, false, NULL); }
Plan *shell_plan_in(Shell *sh, const Version *v, const Dialect *dialect) { return plan_of(sh, v, false, dialect); }
Plan *shell_plan_mapped(Shell *sh, const Version *v) { return plan_of(sh, v, !v->code, NULL); }

const char *code_replaced(Shell *sh, const Version *v, const EditedCode *code, const char **sizes)
{
    Values values;
    bool unset;
    *sizes = "";
    if (!given_values(sh, v, &values)) return NULL;
    *sizes = sizes_text(sh, &values, &unset);
    Plan *plan = plan_with(sh, &values, code, (PlanOptions){0});
    return plan ? plan->source : NULL;
}

bool shell_plannable(Shell *sh, const Version *v, const Term *root)
{
    Values values;
    Version trial = *v;
    EditedCode how = generated_now(sh, NULL);
    how.arguments = false;
    trial.root = root;
    if (session_unbound(&trial) >= 0 || !session_trial_values(sh->session, &trial, sh->scratch, &values)) return true;
    return plan_with(sh, &values, &how, (PlanOptions){0}) != NULL;
}

void lower_hints(void *data, const Version *v, Arena *arena, LowerHints *out)
{
    Shell *sh = data;
    Values *values = NEW(arena, Values);
    session_given_values(sh->session, v, arena, values);
    *out = (LowerHints){.gpu = shell_on_gpu(sh), .constants = !session_setting_is(sh->session, SET_SIZES, "argument"),
                        .value = values_of, .value_data = values};
}

/* What its kernels would replace. False + E55: sizes are half set, and run would have the others as numbers too. */
static bool base_of(Shell *sh, const Version *v, const Values *values, EditedCode *out)
{
    bool unset;
    const char *sizes = sizes_text(sh, values, &unset);
    if (v->code) return *out = *v->code, true;
    *out = generated_now(sh, NULL);
    out->arguments = out->arguments || !*sizes;
    if (!out->arguments && unset) {
        diag_error(diag(sh), E55, "of the sizes only %s is set: kernels are edited for all sizes, or for sizes as arguments",
                   sizes);
        diag_note(diag(sh), "try", "set sizes argument        or set the others: data NAME = VALUE");
        return false;
    }
    out->sizes = out->arguments ? "" : sizes;
    return true;
}

Plan *shell_plan_edit(Shell *sh, const Version *v, EditedCode *code)
{
    Values values;
    if (!given_values(sh, v, &values) || !base_of(sh, v, &values, code)) return NULL;
    Plan *plan = plan_with(sh, &values, code, (PlanOptions){.header = kernel_header(sh, v, &values)});
    if (plan && !v->code) code->replaces = source_hash(plan->source);
    return plan && v->code ? put_edited(sh, v->code, plan, &values) : plan;
}
