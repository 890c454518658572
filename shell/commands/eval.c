/* eval: the reference interpreter on versions and on expressions. */
#include "commands.h"
#include "show.h"

#include <string.h>

typedef struct Evaluation {
    bool expression;                     /* not a version of the program */
    Outputs outputs;
    Values values;
    const Term *term;
    int count;
    EvalInput *inputs;
    Data **data;
    Data *result;
} Evaluation;

/* Is it that input, NULL: any? */
static bool is_input(void *name, const Term *t) { return t->kind == T_INPUT && (!name || !strcmp(t->u.name, name)); }
static bool names_input(const Term *t, const char *name) { return term_find(t, is_input, (void *)name); }

/* The value of v, with those inputs of the program that it needs. */
static bool evaluate(Shell *sh, const Version *v, Evaluation *e)
{
    LOCAL(drop) NatAtomVec sizes = term_vars_in(v->root, VAR_SIZE);
    bool closed = e->expression && sizes.n == 0 && !names_input(v->root, NULL);
    if (!closed && !session_values(sh->session, v, sh->scratch, &e->values)) return false;
    e->term = closed ? v->root : session_bound_term(sh->session, &e->values, true);
    if (!e->term || !outputs_fit(sh, &e->outputs, e->term->type)) return false;
    const Derivation *d = e->values.derivation;
    int n = d ? d->program->input_count : 0;
    e->inputs = NEW_ARRAY(sh->scratch, EvalInput, n);
    e->data = NEW_ARRAY(sh->scratch, Data *, n);
    for (int i = 0; i < n; i++) {
        const char *name = d->program->inputs[i].name;
        if (e->expression && !names_input(e->term, name)) continue;
        Data *data = session_input_data(sh->session, &e->values, i);
        if (!data) return false;
        e->data[e->count] = data;
        e->inputs[e->count++] = (EvalInput){name, data, fill_is_given(&d->inputs[i].spec)};
    }
    e->result = data_new(sh->c, e->term->type);
    Eval *eval = e->result ? eval_new(sh->c, e->term, e->inputs, e->count, EVAL_EXACT) : NULL;
    if (!eval) return false;
    eval_limit(eval, 0, sh->stop);
    bool ok = eval_full(eval, e->result, diag(sh));
    eval_free(eval);
    return ok;
}

enum { HEAD = 8 };                       /* scalars that are shown of a value */

/* ---- the values on the way ---- */

static void trace_part(Shell *sh, const Evaluation *e, const Path *p, json_t *list)
{
    /* The first elements of a part of the term that stands alone; the error's text where it has no value. In scratch. */
    const Term *t = path_term(e->term, p);
    Buf head = {0};
    Data *d = data_new(sh->c, t->type);
    Eval *eval = d ? eval_new(sh->c, t, e->inputs, e->count, EVAL_EXACT) : NULL;
    if (eval) eval_limit(eval, 0, sh->stop);
    if (eval && eval_full(eval, d, diag(sh))) data_print_head(d, HEAD, &head);
    else if (diag_failed(diag(sh))) buf_printf(&head, "%s %s", error_name(diag(sh)->id), diag(sh)->message);
    diag_clear(diag(sh));
    if (eval) eval_free(eval);
    if (d) data_free(d);
    const char *value = buf_take(&head, sh->scratch);
    const char *place = arena_strdup(sh->scratch, path_text(sh->c, e->term, p)), *text = show_short(sh, e->term, p, 36);
    print(sh, "  %s" AT(14) "%s" AT(52) "%s\n", place, text, value);
    json_add(list, "{place:s term:s head:s}", place, text, value);
}

/* What `eval` is about: the current version, another, or an expression, which may stand in quotes. */
static const Version *evaluated_version(Shell *sh, const Args *a, Evaluation *e)
{
    if (!arg(a, 0)) return shell_version(sh);
    if (*arg(a, 0) == '@' && a->count == 1) return shell_version(sh) ? session_ref(sh->session, arg(a, 0)) : NULL;
    e->expression = true;
    /* An expression as a version that is nowhere, so that sizes and facts are those of its term; NULL + E03 E04. In
     * scratch. */
    const char *text = a->count == 1 ? arg(a, 0) : a->rest;
    const Derivation *d = session_current(sh->session);
    LangScope scope = {.defs = session_defs(sh->session), .program = d ? d->program : NULL};
    const Term *t = lang_expr(sh->c, &scope, MAKE(sh->scratch, Source, "eval", arena_strdup(sh->scratch, text), strlen(text)), NULL);
    const Program *named = t ? NULL : defs_program(session_defs(sh->session), text);
    if (named) diag_note(diag(sh), "try", "use %s ; eval", named->name);
    return t ? MAKE(sh->scratch, Version, .number = -1, .parent = -1, .root = t, .call = "the expression") : NULL;
}

bool cmd_eval(Shell *sh, Args *a)
{
    Evaluation e = {0};
    if (!outputs_read(sh, a, &e.outputs)) return false;
    const Version *v = evaluated_version(sh, a, &e);
    if (!v) return false;
    bool ok = evaluate(sh, v, &e);
    if (ok) {
        uint8_t digest[32];
        const char *head = outputs_text(sh, &e.outputs, e.result);
        data_hash(e.result, digest);
        uint64_t hash = 0;
        for (int i = 0; i < 8; i++) hash = hash << 8 | digest[i];
        if (!e.expression) print(sh, "%s  ", version_name(sh, v));
        print(sh, "%s%s", type_text(sh->c, e.term->type), e.values.count ? "    " : "");
        values_print(&e.values, &sh->out);
        print(sh, "\n  %s\n", head);
        show_hash(sh, &sh->out, "  hash ", hash, "\n");
        shell_report(sh, "{type:s head:s hash:s}", type_text(sh->c, e.term->type), head, hash_text(sh, hash));
    }
    if (e.result && arg_flag(a, "trace")) {
        /* What each part that needs no bound variable is worth, what is read before what reads it; the error of the
         * whole stays. */
        LOCAL(drop) VEC(Path) places = {0};
        Path p = {0};
        Diag whole = diag_aside(diag(sh));
        do {
            const Term *t = path_term(e.term, &p);
            if (t->kind == T_PRIM && t->free_limit == 0) vec_push(&places, p);
        } while (path_next(e.term, &p));
        json_t *list = json_array();
        for (int i = places.n - 1; i >= 0 && !*sh->stop; i--) trace_part(sh, &e, &places.v[i], list);
        if (!sh->data) sh->data = json_object();
        json_object_set_new(sh->data, "trace", list);
        diag_back(diag(sh), whole);
    }
    if (ok) ok = outputs_write(sh, &e.outputs, e.result, sh->data);
    for (int i = 0; i < e.count; i++) data_free(e.data[i]);
    if (e.result) data_free(e.result);
    return ok;
}
