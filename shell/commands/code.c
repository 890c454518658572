/* code: the generated kernels of a version, and kernels edited by hand. */
#include "child.h"
#include "commands.h"
#include "guide.h"
#include "keep.h"
#include "manifest.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is reported ---- */

/* What a host must pass: name, role (input output temp scalar size), element type, and for a buffer how many elements. */
static json_t *arg_json(Shell *sh, const Plan *plan, const PlanArg *a)
{
    if (a->kind != PLAN_ARG_BUFFER)
        return json_of("{name:s role:s type:s}", a->name,
                       a->kind == PLAN_ARG_SCALAR ? "scalar" : a->kind == PLAN_ARG_ROUND ? "round" : "size",
                       a->kind == PLAN_ARG_SCALAR ? scalar_name(a->scalar) : plan->long_index ? "i64" : "i32");
    const PlanBuffer *buffer = &plan->buffers[a->buffer];
    return json_of("{name:s role:s type:s count:s}", a->name, buffer->kind == PLAN_TEMP ? "temp" : buffer_role(buffer->kind),
                   scalar_name(buffer->scalar), nat_text(buffer->count, 0, sh->scratch));
}

/* Of each kernel also the bytes of its local memory, and those of them that the launch has to give (CUDA C). */
static json_t *code_json(Shell *sh, const Version *v, const Plan *plan)
{
    json_t *kernels = json_array(), *loops = json_array();
    for (const PlanKernel *k = plan->kernels; k < plan->kernels + plan->kernel_count; k++)
        json_add(kernels, "{name:s source:s global:o local:o local_bytes:l launch_bytes:l args:o}", k->name, k->body ? k->body : "",
                 JSON_LIST(j, 3, json_string(k->global[j] ? nat_text(k->global[j], 0, sh->scratch) : "")),
                 JSON_LIST(j, 3, json_integer(k->local[j])), k->local_bytes,
                 k->launch_bytes, JSON_LIST(j, k->arg_count, arg_json(sh, plan, &k->args[j])));
    /* What a host does again and again: kernels [first, end) so many rounds, with the buffers that a state's names stand for. */
    for (const PlanLoop *l = plan->loops; l < plan->loops + plan->loop_count; l++) {
        const PlanBuffer *b = plan->buffers;
        const PlanState *s = l->states;
        json_t *states = JSON_LIST(i, l->state_count, json_of("{from:s to:s init:s out:s spare:s}", b[s[i].from].name, b[s[i].to].name,
                                                              b[s[i].init].name, b[s[i].out].name, b[s[i].spare].name));
        json_add(loops, "{around:i first:i step:i end:i rounds:s test:s? states:o}", l->around, l->first, l->step, l->end,
                 nat_text(l->rounds, 0, sh->scratch), l->test < 0 ? NULL : b[l->test].name, states);
    }
    const char **sizes;
    Port *ports;
    int n = ports_find(sh, session_current(sh->session)->program, &sizes, &ports);
    json_t *manifest = version_manifest(sh, plan);
    json_object_set_new(manifest, "ports", JSON_LIST(i, n, port_json(&ports[i])));
    return json_of("{kernels:o loops:o facts:o source:s trust:s manifest:o}", kernels, loops,
                   JSON_LIST(i, plan->fact_count, json_string(fact_text(&plan->facts[i].fact, sh->scratch))), plan->source,
                   trust_name(v->trust), manifest);
}

/* ---- --map: generated lines with the labels of the places that they were made for ---- */

typedef struct Map {
    Shell *sh;
    const Version *v;
    Texts places;                       /* that have a label, in the order of their numbers */
} Map;

/* The label of a place; 0: it is none of the version's term. */
static int label_of(Map *m, const char *place)
{
    Path p, top = {0};
    for (int i = 0; place && i < m->places.n; i++)
        if (!strcmp(m->places.v[i], place)) return i + 1;
    if (!place || !path_parse(m->sh->c, m->v->root, &top, place, &p)) return diag_clear(&m->sh->c->diag), 0;
    vec_push(&m->places, place);
    return labels_add(m->sh, &p);
}

/* Print the source of a plan (made with origins), each line behind the label of the place that it was made for (what has none,
 * such as barriers, behind blanks), and what these are. They are the labels of the last display. {"KERNEL": [{line, label,
 * place}, ...]}, a new reference. */
static json_t *code_map(Shell *sh, const Version *v, const Plan *plan)
{
    Map m = {.sh = sh, .v = v};
    json_t *maps = json_object();
    labels_begin(sh, v);
    for (int i = 0; i < plan->kernel_count; i++) json_object_set_new(maps, plan->kernels[i].name, json_array());
    for (CodeLine l = {.at = plan->source}; code_line(plan, &l);) {
        int label = label_of(&m, l.place);
        const char *mark = label ? arena_printf(sh->scratch, ":%d", label) : "";
        print(sh, l.n ? "%-5s %.*s\n" : "%s%.*s\n", mark, l.n, l.text);
        if (label)
            json_add(json_object_get(maps, l.kernel->name), "{line:i label:s place:s}", l.number, mark, l.place);
    }
    Path p, top = {0};
    print(sh, "\n");
    for (int i = 0; i < m.places.n; i++) {
        path_parse(sh->c, v->root, &top, m.places.v[i], &p);
        print(sh, ":%-4d %s" AT(32) "%s\n", i + 1, m.places.v[i], show_short(sh, v->root, &p, show_left(sh, 32)));
    }
    free(m.places.v);
    return maps;
}

/* ---- the text of an edited source ---- */

/* As we write it: behind our comment, no blanks at line ends, one line break at the end. */
static const char *own_form(Shell *sh, const char *text)
{
    LOCAL(buf_free) Buf b = {0};
    const char *ours = arena_printf(sh->scratch, "/* %s@", session_current(sh->session)->name);
    const char *p = strncmp(text, ours, strlen(ours)) ? text : source_body(text);
    p += strspn(p, " \t\r\n");
    for (size_t n; *p; p += n + (p[n] == '\n')) {
        n = strcspn(p, "\n");
        size_t end = n;
        while (end && strchr(" \t\r", p[end - 1])) end--;
        buf_write(&b, p, end);
        buf_putc(&b, '\n');
    }
    while (b.len > 1 && b.data[b.len - 2] == '\n') b.len--;
    return arena_strndup(sh->scratch, buf_text(&b), b.len);
}

static const char *editor(void)
{
    static const char *const names[] = {"VISUAL", "EDITOR"};
    for (int i = 0; i < COUNT(names); i++)
        if (getenv(names[i]) && *getenv(names[i])) return getenv(names[i]);
    return "vi";
}

/* The edited text from where the command says, or what the user makes of it in an editor of his. NULL: an error. */
static const char *edited_text(Shell *sh, const Args *a, const char *file, const char *text)
{
    if (arg_flag(a, "source")) return arg_flag(a, "source");
    if (file) return text_read(diag(sh), sh->scratch, shell_path(sh, file), sh->stop, NULL);
    if (!shell_may_ask(sh) || !sh->terminal) {
        const char *name = session_current(sh->session)->name, *v = arg(a, 0) ? arg(a, 0) : "", *gap = *v ? " " : "";
        return shell_error(sh, E05, "code --edit opens an editor, and there is no terminal\n"
                           "try code%s%s -o %s.cl        edit that file, then\n"
                           "next code%s%s --edit %s.cl", gap, v, name, gap, v, name), NULL;
    }
    const char *temporary = shell_temporary(sh, ".cl", text);
    if (!temporary) return NULL;
    fflush(stdout);
    const char *line = arena_printf(sh->scratch, "%s \"$1\"", editor());      /* it may have arguments of its own */
    int status = child_run((const char *const[]){"sh", "-c", line, editor(), temporary, NULL}, sh->stop);
    const char *edited = NULL;
    if (status == 0) edited = text_read(diag(sh), sh->scratch, temporary, sh->stop, NULL);
    else
        shell_error(sh, E05, "the editor %s ended with status %d; nothing was changed\n"
                    "hint VISUAL or EDITOR names another; or code -o FILE, and then code --edit FILE", editor(), status);
    unlink(temporary);
    return edited;
}

/* ---- an edited version ---- */

/* At most one of these says what code does. */
static bool one_form(Shell *sh, const Args *a)
{
    static const char *const forms[] = {"edit", "source", "host", "map"};
    const char *first = NULL;
    for (int i = 0; i < COUNT(forms); i++) {
        if (!arg_flag(a, forms[i])) continue;
        if (first) return shell_error(sh, E05, "--%s or --%s, not both", first, forms[i]);
        first = forms[i];
    }
    if (first && arg_flag(a, "dialect"))
        return shell_error(sh, E05, "--%s is of %s alone\n"
                           "hint export cuda FILE.cu writes a program around the kernels in %s", first,
                           dialect_title(dialect_find(NULL)), dialect_title(dialect_find("cuda")));
    if (!first || strcmp(first, "map") || !arg_flag(a, "o")) return true;
    return shell_error(sh, E05, "--map is for reading: its lines are no program\n"
                       "try code --map > %s.map", session_current(sh->session)->name);
}

bool cmd_code(Shell *sh, Args *a)
{
    const char *out = arg_flag(a, "o"), *file = NULL, *named = arg_flag(a, "dialect");
    const Dialect *dialect = named ? dialect_find(named) : NULL;
    const Version *v = shell_version(sh);
    bool edits = arg_flag(a, "edit") != NULL;
    if (!v || !one_form(sh, a) || !arg_limit(sh, a, 1 + edits)) return false;
    for (int i = 0; i < a->count; i++) { /* "@3" is the version; with --edit another word is the file */
        if (edits && *a->words[i] != '@') file = a->words[i];
        else if (!(v = session_ref(sh->session, a->words[i]))) {
            if (diag(sh)->id != E13 || !dialect_find(a->words[i])) return false;
            diag_clear(diag(sh));
            return shell_error(sh, E05, "\"%.60s\" is no version, but what kernels may be written in\ntry code --dialect %s", a->words[i], a->words[i]);
        }
    }
    if (edits || arg_flag(a, "source")) {
        EditedCode code;
        if (sh->restricted && !(sh->guided && sh->guided->own))
            return shell_error(sh, E05, "code --edit is switched off by --restricted");
        if (!trust_allows_code(sh)) return false;
        Plan *plan = shell_plan_edit(sh, v, &code);
        const char *text = plan ? edited_text(sh, a, file, plan->source) : NULL;
        if (!text) return false;
        code.source = own_form(sh, text);
        for (int i = 0; i < plan->kernel_count; i++) {
            if (strstr(code.source, plan->kernels[i].name)) continue;
            return shell_error(sh, E61, "the edited source has no kernel %s\n"
                               "needs the kernels of before, with their names and arguments: they are launched as before",
                               plan->kernels[i].name);
        }
        if (!strcmp(code.source, own_form(sh, plan->source))) {
            print(sh, "the source is what it was; still @%d\n", v->number);
            return shell_report(sh, "o", code_json(sh, v, plan));
        }
        const Version *from = session_open(sh->session, v), *made = session_code(sh->session, &code);
        const Version *same = session_same(sh->session, made);
        if (!sh->quiet) print(sh, "@%d?  code --edit        assumed    from @%d\n", made->number, from->number);
        if (same && !sh->quiet) print(sh, "  same   as @%d        goto @%d\n", same->number, same->number);
        if (!sh->quiet) print(sh, "  next   run; diff @%d @%d --code\n", from->number, made->number);
        if (sh->json && (plan = shell_plan(sh, made))) sh->data = code_json(sh, made, plan);
        return true;
    }
    if (arg_flag(a, "map")) {
        if (v->code)
            return shell_error(sh, E18, "the kernels of %s were edited by hand: which place a line is for is not known\n"
                               "try code @%d --map        those that were edited", version_name(sh, v), v->parent);
        Plan *plan = shell_plan_mapped(sh, v);
        if (!plan) return false;
        json_t *data = code_json(sh, v, plan);
        json_object_set_new(data, "map", code_map(sh, v, plan));
        return shell_report(sh, "o", data);
    }
    Plan *plan = shell_plan_in(sh, v, arg_flag(a, "host") ? dialect_find("opencl") : dialect);          /* the host is one of OpenCL */
    const char *text = !plan ? NULL : arg_flag(a, "host") ? code_host(sh, v, plan) : plan->source;
    if (!text) return false;
    bool host = text != plan->source;
    sh->exact = !out && host;
    if (out && !results_output(sh, out, text, strlen(text))) return false;
    size_t start = sh->out.len;
    if (!out) buf_puts(&sh->out, text), show_painted_code(sh, start);
    else
        print(sh, "%s: %s%d kernel%s of %s\n", out, host ? "a program around " : "", plan->kernel_count,
              plural(plan->kernel_count), version_name(sh, v));
    json_t *data = code_json(sh, v, plan);
    if (host) json_object_set_new(data, "host", json_string(text));
    return shell_report(sh, "o", data);
}
