/* json: terms, facts, parameters and whole commands as JSON. */
#include "show.h"

#include <string.h>

enum { TREE_NODES_MAX = 20000, TREE_DEPTH_MAX = 400 };      /* larger terms come as text alone */

json_t *json_tree(Shell *sh, const Term *t)
{
    json_t *o = json_object();
    switch ((TermKind)t->kind) {
    case T_VAR: json_object_set_new(o, "var", json_integer(t->u.index)); break;
    case T_INPUT: json_object_set_new(o, "input", json_string(t->u.name)); break;
    case T_LIT: {                        /* JSON's integers have a sign */
        Scalar s = t->type->scalar;
        bool large = s == SC_U64 && t->u.lit.i < 0;
        json_object_set_new(o, "literal", large ? json_real(scalar_number(s, t->u.lit.i))
                            : scalar_is_float(s) ? json_real(t->u.lit.f) : json_integer(t->u.lit.i));
        break;
    }
    case T_SIZE: json_object_set_new(o, "size", json_string(nat_text(t->u.nat, 0, sh->scratch))); break;
    case T_LAM: json_object_set_new(o, "lambda", json_string(type_text(sh->c, t->type->elems[0]))); break;
    case T_PRIM: json_object_set_new(o, "prim", json_string(prim((PrimId)t->prim)->name)); break;
    }
    json_object_set_new(o, "type", json_string(type_text(sh->c, t->type)));
    if (t->static_count) {
        json_t *list = JSON_LIST(i, t->static_count, json_string(nat_text(t->statics[i], 0, sh->scratch)));
        json_object_set_new(o, "statics", list);
    }
    if (term_slot_count(t) == 0) return o;
    json_t *slots = json_object();
    for (int i = 0; i < term_slot_count(t); i++)
        json_object_set_new(slots, term_slot_name(sh->c, t, i), json_tree(sh, term_slot(t, i)));
    json_object_set_new(o, "slots", slots);
    return o;
}

json_t *json_facts(Shell *sh, const Version *v, const Term *t, bool whole)
{
    PlanFact *all;
    int n = whole ? session_facts(sh->session, v, sh->scratch, &all) : plan_facts(sh->c, sh->scratch, t, &all);
    return JSON_LIST(i, n, json_string(fact_text(&all[i].fact, sh->scratch)));
}

void json_term(Shell *sh, const Version *v, const Term *root, const Path *p, bool tree)
{
    if (!sh->json) return;
    const Term *t = path_term(root, p);
    tree = tree && t->size <= TREE_NODES_MAX && t->depth <= TREE_DEPTH_MAX;
    shell_report(sh, "{term:s tree:o? type:s facts:o params:o place:s trust:s}", show_lines(sh, root, p, &(PrintOptions){0}),
                 tree ? json_tree(sh, t) : NULL, type_text(sh->c, t->type), json_facts(sh, v, t, true), json_params(v),
                 path_text(sh->c, root, p), trust_name(v->trust));
}

void json_note(json_t *o, const char *label, const char *text)
{
    json_t *list = json_object_get(o, label);
    if (!json_is_array(list)) json_object_set_new(o, label, list = json_array());
    json_add(list, "s", text);
}

static json_t *diagnostics(const Shell *sh)
{
    const Diag *d = &sh->c->diag;
    json_t *list = json_array();
    for (int i = 0; i < sh->warnings.n; i++) {
        const Warning *w = &sh->warnings.v[i];
        json_t *hint = w->hint ? json_of("[s]", w->hint) : NULL;
        json_add(list, "{id:s severity:s message:s try?:o}", warning_name(w->id), "warning", w->message, hint);
    }
    if (!diag_failed(d)) return list;
    int line = 0, column = 0;
    if (d->source) source_position(d->source, d->span.from, &line, &column);
    json_t *o = json_of("{id:s severity:s message?:s file?:s line?:i column?:i}", error_name(d->id), "error", d->message,
                        d->source ? d->source->name : NULL, line, column);
    for (int i = 0; i < d->note_count; i++) {
        /* Of what is to be typed, the command without the comment behind it, which two blanks set off. */
        const char *label = d->notes[i].label, *text = d->notes[i].text;
        bool command = !strcmp(label, "try") || !strcmp(label, "or") || !strcmp(label, "next");
        const char *comment = command ? strstr(text, "  ") : NULL;
        json_note(o, label, comment ? arena_strndup(sh->scratch, text, (size_t)(comment - text)) : text);
    }
    json_array_append_new(list, o);
    return list;
}

json_t *json_line(Shell *sh, const char *text, const char *verb, bool ok, int code, double ms)
{
    const Version *v = session_version(sh->session);
    json_t *data = sh->data ? json_incref(sh->data) : json_of("{text:o}", json_text(buf_text(&sh->out), sh->out.len));
    /* not by json_of, which would leave version 0 out */
    return json_pack("{s:i, s:i, s:o, s:s?, s:b, s:i, s:o*, s:s*, s:o, s:o, s:s*, s:o*}", "v", 1, "seq", sh->seq, "cmd",
                     json_text(text, strlen(text)), "verb", verb && *verb ? verb : NULL, "ok", ok, "code", code, "version",
                     v ? json_integer(v->number) : NULL, "hash", v ? hash_text(sh, v->hash) : NULL, "data", data, "diag",
                     diagnostics(sh), "trust", v ? trust_name(v->trust) : NULL, "ms", show_times(sh) ? json_real(ms) : NULL);
}

void json_put(json_t *j, size_t flags, Buf *out)
{
    char *text = json_dumps(j, flags);
    buf_printf(out, "%s\n", text ? text : "");
    free(text);
    json_decref(j);
}

void json_answer(Shell *sh, json_t *j)
{
    if (!sh->request) {
        json_print(sh, j);
        return;
    }
    if (sh->held) json_print(sh, sh->held);
    sh->held = j;
}

void json_answered(Shell *sh)
{
    json_t *j = sh->held ? sh->held : json_of("{v:i cmd:s ok:b code:i data:o diag:o text:s}", 1, "", true, 0, json_object(), json_array(), "");
    sh->held = NULL;
    json_object_set(j, "id", sh->request);
    json_print(sh, j);
    pthread_mutex_lock(&sh->asking);
    json_decref(sh->request);
    sh->request = NULL;
    pthread_mutex_unlock(&sh->asking);
}

void json_print(Shell *sh, json_t *j)
{
    if (sh->request && !json_object_get(j, "id")) json_object_set(j, "parent", sh->request);
    json_dumpf(j, sh->objects, JSON_COMPACT | JSON_ENSURE_ASCII);
    putc('\n', sh->objects);
    fflush(sh->objects);
    json_decref(j);
}
