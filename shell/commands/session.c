/* session: quit, set, list. */
#include "cmdline.h"
#include "commands.h"
#include "keep.h"
#include "manual.h"
#include "show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- quit and set ---- */

bool cmd_quit(Shell *sh, Args *a)
{
    int64_t code = 0;
    if (!arg_limit(sh, a, 1) || (arg(a, 0) && !arg_int(sh, "the exit code", arg(a, 0), 0, 255, &code))) return false;
    Unsaved u = shell_may_ask(sh) ? keep_users_unsaved(sh) : (Unsaved){0};
    if (u.any && !u.always &&
        !shell_ask(arena_printf(sh->scratch, "%snot saved: %s; %s. Leave?", sh->guided ? "your own session is " : "", u.work,
                                u.lost ? "it will be lost" : "autosave keeps it"), true))
        return true;
    sh->quit = true;
    sh->exit_code = (int)code;
    return shell_report(sh, json_pack("{s:i}", "code", (int)code));
}

static void setting_line(Shell *sh, SettingId id)
{
    size_t start = sh->out.len;
    buf_printf(&sh->out, "  %s", setting(id)->name);
    show_column(sh, start, 18);
    buf_puts(&sh->out, session_setting(sh->session, id));
    show_column(sh, start, 40);
    buf_printf(&sh->out, "%s\n", setting(id)->help);
}

void show_setting(Shell *sh, SettingId id)
{
    const Setting *t = setting(id);
    const char *gap = strchr(t->choices, ' ');
    setting_line(sh, id);
    if (t->kind == SETTING_INT || t->kind == SETTING_AUTO)
        buf_printf(&sh->out, "  %sfrom %.*s to %s, initially %s\n", t->kind == SETTING_AUTO ? "auto, or " : "",
                   (int)(gap - t->choices), t->choices, gap + 1, t->initial);
    else if (t->kind == SETTING_WORD) buf_printf(&sh->out, "  one of: %s; initially %s\n", t->choices, t->initial);
    else buf_printf(&sh->out, "  initially %s\n", t->initial);
}

json_t *setting_json(Shell *sh, SettingId id)
{
    static const char *const kinds[] = {
        [SETTING_INT] = "integer", [SETTING_AUTO] = "integer or auto", [SETTING_REAL] = "number", [SETTING_WORD] = "word",
        [SETTING_TEXT] = "text", [SETTING_WARNINGS] = "warnings", [SETTING_RULE] = "rule", [SETTING_GROUP] = "group",
    };
    const Setting *t = setting(id);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", t->name,
                     "value", session_setting(sh->session, id), "kind", kinds[t->kind],
                     "choices", t->choices, "initial", t->initial, "help", t->help);
}

bool cmd_set(Shell *sh, Args *a)
{
    if (a->count == 0) {
        json_t *all = JSON_LIST(i, SETTING_COUNT, setting_json(sh, (SettingId)i));
        for (int i = 0; i < SETTING_COUNT; i++) setting_line(sh, (SettingId)i);
        return shell_report(sh, json_pack("{s:o}", "settings", all));
    }
    SettingId id = setting_from_name(a->words[0]);
    bool text = id == SET_PROMPT, several = id == SET_SILENCE && a->count > 2;
    if (!text && !several && !arg_limit(sh, a, 2)) return false;
    const char *value = several ? a->rest + strcspn(a->rest, " \t") + 1 : arg(a, 1);
    if (!session_set(sh->session, a->words[0], value)) return false;
    if (a->count == 1) show_setting(sh, setting_from_name(a->words[0]));
    return shell_report(sh, json_pack("{s:[o]}", "settings", setting_json(sh, setting_from_name(a->words[0]))));
}

/* ---- list ---- */

typedef struct Lines {
    Shell *sh;
    const char *filter;                  /* NULL: all */
    bool detail;
    int shown;
    int later;                           /* of those that the filter keeps: not there yet */
    bool there;                          /* is what the line is about? */
    size_t start;                        /* of the line being written */
    const char *name;                    /* of what it is about */
    json_t *items;                       /* NULL: no JSON is wanted */
} Lines;

static void line_begin(Lines *l, const char *name)
{
    l->start = l->sh->out.len;
    l->name = name;
    l->there = true;
    buf_printf(&l->sh->out, "  %s", name);
}

/* The line is taken back when the filter is not in it, or a guide keeps for later what it is about. */
static void line_end(Lines *l)
{
    bool wanted = !l->filter || strcasestr(l->sh->out.data + l->start, l->filter);
    l->later += wanted && !l->there;
    if (!wanted || !l->there) {
        l->sh->out.len = l->start;
        l->sh->out.data[l->start] = 0;
        return;
    }
    if (l->items) {
        /* The name, and what is said of it. */
        const char *text = l->sh->out.data + l->start + 2 + strlen(l->name);
        json_t *said = json_string(text + strspn(text, " "));
        json_array_append_new(l->items, json_pack("{s:s, s:o}", "name", l->name, "text", said ? said : json_string("")));
    }
    buf_putc(&l->sh->out, '\n');
    l->shown++;
}

static void row_if(Lines *l, bool there, const char *name, int column, const char *text)
{
    line_begin(l, name);
    l->there = there;
    if (*text) show_column(l->sh, l->start, column);
    buf_puts(&l->sh->out, text);
    line_end(l);
}

static void row(Lines *l, const char *name, int column, const char *text) { row_if(l, true, name, column, text); }

static void list_commands(Lines *l)
{
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        row_if(l, guide_allows(l->sh, NAMED_COMMAND, c->name), c->form, 60, c->help);
    }
}

static void list_programs(Lines *l)
{
    Session *s = l->sh->session;
    for (int i = 0; i < session_count(s); i++) {
        const Derivation *d = session_get(s, i);
        line_begin(l, d->name);
        show_column(l->sh, l->start, 18);
        buf_printf(&l->sh->out, "@%d, %d version%s%s", d->current, d->live, d->live == 1 ? "" : "s",
                   d == session_current(s) ? "  (current)" : "");
        show_column(l->sh, l->start, 46);
        buf_puts(&l->sh->out, type_text(l->sh->c, d->program->body->type));
        line_end(l);
    }
}

static void list_rules(Lines *l)
{
    Rules *rules = session_rules(l->sh->session);
    for (int i = 0; i < rules_count(rules); i++) {
        const Rule *r = rules_get(rules, i);
        line_begin(l, r->name);
        l->there = guide_allows(l->sh, NAMED_RULE, r->name);
        show_column(l->sh, l->start, 26);
        buf_puts(&l->sh->out, r->text ? r->text : r->doc);
        if (l->detail) {
            Buf *out = &l->sh->out;
            buf_printf(out, "\n      %s; ", r->kind);
            trust_text(r, out);
            if (*r->doc) buf_printf(out, "; %s", r->doc);
            if (*r->origin) buf_printf(out, "; %s", r->origin);
        }
        line_end(l);
    }
}

static void list_names(Lines *l, StrategyNameKind first, StrategyNameKind last)
{
    Strategies *s = shell_strategies(l->sh);
    for (int i = 0; s && i < strategies_name_count(s); i++) {
        const StrategyName *n = strategies_name(s, i);
        if (n->kind < first || n->kind > last) continue;
        bool there = guide_allows_name(l->sh, n);
        const char *form = arena_printf(l->sh->scratch, "%s%s", n->name, n->params ? n->params : "");
        row_if(l, there, form, 30, n->doc ? n->doc : "");
    }
}

static void list_macros(Lines *l) { list_names(l, NAME_MACRO, NAME_LOWERING); }

static void list_strategies(Lines *l)
{
    SearchStrategy one;
    Strategies *s = shell_strategies(l->sh);
    list_names(l, NAME_LOWERING, NAME_VALUE);
    for (int i = 0; s && strategies_search_strategy(s, i, l->sh->scratch, &one); i++)
        row(l, arena_printf(l->sh->scratch, "search using %s", one.name), 30,
            arena_printf(l->sh->scratch, "%s%s%s", one.doc, *one.options ? "; --set " : "", one.options));
}

static void list_inputs(Lines *l)
{
    const Version *v = shell_version(l->sh);
    const Derivation *d = session_current(l->sh->session);
    for (int i = 0; v && i < d->program->input_count; i++) {
        line_begin(l, d->inputs[i].name);
        show_column(l->sh, l->start, 18);
        buf_puts(&l->sh->out, type_text(l->sh->c, d->inputs[i].type));
        show_column(l->sh, l->start, 40);
        if (d->inputs[i].spec.kind == FILL_DEFAULT) buf_puts(&l->sh->out, "(default; random)");
        else fill_print(&d->inputs[i].spec, &l->sh->out);
        line_end(l);
    }
}

static void list_params(Lines *l)
{
    const Version *v = shell_version(l->sh);
    for (int i = 0; v && i < v->param_count; i++)
        row(l, v->params[i].name, 18,
            v->params[i].value ? arena_printf(l->sh->scratch, "%lld", (long long)v->params[i].value) : "?");
}

static void list_tags(Lines *l)
{
    const Derivation *d = session_current(l->sh->session);
    for (const Version *v = NULL; d && (v = derivation_next(d, v));)
        if (v->tag) row(l, v->tag, 18, arena_printf(l->sh->scratch, "@%d  %s", v->number, v->call));
}

static void list_marks(Lines *l)
{
    const Version *v = shell_version(l->sh);
    const Derivation *d = session_current(l->sh->session);
    for (int i = 0; v && i < d->marks.n; i++)
        row(l, arena_printf(l->sh->scratch, "$%s", d->marks.v[i].name), 18, mark_text(l->sh, &d->marks.v[i], v));
}

static void list_devices(Lines *l)
{
    const DeviceInfo *list;
    int n = devices_list(shell_devices(l->sh), &list);
    for (int i = 0; i < n; i++) {
        line_begin(l, list[i].id);
        show_column(l->sh, l->start, 18);
        buf_puts(&l->sh->out, list[i].name);
        const DeviceInfo *d = &list[i];
        Buf *out = &l->sh->out;
        if (l->detail) {
            buf_printf(out, "\n      %s%s, %lld units; groups of at most %lld work-items, %lld x %lld x %lld", d->is_gpu ? "GPU" : "CPU",
                       d->is_checker ? ", checker" : "", (long long)d->compute_units, (long long)d->max_group,
                       (long long)d->max_local[0], (long long)d->max_local[1], (long long)d->max_local[2]);
            buf_printf(out, "\n      local %lld KiB, global %lld MiB, buffers of at most %lld MiB%s%s", (long long)(d->local_bytes >> 10),
                       (long long)(d->global_bytes >> 20), (long long)(d->max_alloc >> 20), d->has_f64 ? "; f64" : "",
                       d->has_f16 ? "; f16" : "; f16 as storage");
            if (!d->has_i64) buf_puts(out, "; no i64, u64");
            if (d->image_width) buf_printf(out, "; images of at most %lld x %lld", (long long)d->image_width, (long long)d->image_height);
            if (d->vector_f32) buf_printf(out, "; prefers vectors of %lld f32", (long long)d->vector_f32);
            if (d->vector_f32 && d->vector_f64) buf_printf(out, ", %lld f64", (long long)d->vector_f64);
            buf_printf(out, "\n      %s; %s; driver %s", d->platform, d->version, d->driver);
        }
        line_end(l);
    }
}

static void list_settings(Lines *l)
{
    for (int i = 0; i < SETTING_COUNT; i++)
        row(l, setting((SettingId)i)->name, 18,
            arena_printf(l->sh->scratch, "%-20s  %s", session_setting(l->sh->session, (SettingId)i),
                         setting((SettingId)i)->help));
}

static void list_functions(Lines *l)
{
    for (int i = 0; i < PRIM_COUNT; i++) {
        const Prim *p = prim((PrimId)i);
        line_begin(l, p->name);
        show_column(l->sh, l->start, 18);
        buf_puts(&l->sh->out, p->scheme);
        show_column(l->sh, l->start, 66);
        buf_puts(&l->sh->out, p->help);
        line_end(l);
    }
}

static void list_aliases(Lines *l)
{
    for (int i = 0; i < l->sh->aliases.n; i++) row(l, l->sh->aliases.v[i].name, 18, l->sh->aliases.v[i].line);
}

static void list_errors(Lines *l)
{
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++) row(l, error_name((ErrorId)i), 8, error_help((ErrorId)i));
}

static void list_warnings(Lines *l)
{
    for (int i = 0; i < WARNING_COUNT; i++) row(l, warning_name((WarningId)i), 8, warning_help((WarningId)i));
}

static void list_topics(Lines *l)
{
    Topic t;
    for (int i = 0; topic_get(l->sh->scratch, i, &t); i++) row(l, t.name, 18, t.title);
}

static void list_columns(Lines *l)
{
    for (int i = 0; i < result_column_count(); i++) row(l, result_column(i)->name, 18, result_column(i)->help);
}

static void list_lessons(Lines *l)
{
    const char **names, **texts;
    int n = l->sh->guide->list(l->sh, &names, &texts);
    for (int i = 0; i < n; i++) row(l, names[i], 18, texts[i]);
}

static const struct { const char *name, *one; void (*list)(Lines *l); } kinds[] = {
    {"commands", "command", list_commands}, {"programs", "program", list_programs}, {"rules", "rule", list_rules},
    {"macros", "macro", list_macros}, {"strategies", "strategy", list_strategies}, {"inputs", "input", list_inputs},
    {"params", "parameter", list_params}, {"tags", "tag", list_tags}, {"marks", "mark", list_marks},
    {"devices", "device", list_devices}, {"settings", "setting", list_settings}, {"functions", "primitive", list_functions},
    {"aliases", "alias", list_aliases}, {"errors", "error", list_errors}, {"warnings", "warning", list_warnings},
    {"topics", "topic", list_topics}, {"columns", "column", list_columns},
    {"lessons", "lesson", list_lessons},
};

const char *list_kind(int i) { return i < COUNT(kinds) ? kinds[i].name : NULL; }

static int kind_index(const char *name)
{
    int found = -1;
    for (int i = 0; i < COUNT(kinds); i++) {
        if (!strcmp(kinds[i].name, name)) return i;
        if (!strncmp(kinds[i].name, name, strlen(name))) found = found == -1 ? i : -2;
    }
    return found;
}

bool cmd_list(Shell *sh, Args *a)
{
    int kind = arg(a, 0) ? kind_index(arg(a, 0)) : -1;
    if (!arg_limit(sh, a, 2)) return false;
    if (kind < 0) {
        Buf b = {0};
        for (int i = 0; i < COUNT(kinds); i++) buf_printf(&b, " %s", kinds[i].name);
        if (arg(a, 0)) diag_error(diag(sh), E05, "no kind \"%.60s\" to list", arg(a, 0));
        else diag_error(diag(sh), E05, "list what?");
        diag_note(diag(sh), "one of", "%s", buf_text(&b) + 1);
        buf_free(&b);
        return false;
    }
    Lines l = {.sh = sh, .filter = arg(a, 1), .detail = arg_flag(a, "v") != NULL, .items = sh->json ? json_array() : NULL};
    kinds[kind].list(&l);
    if (l.items) sh->data = json_pack("{s:s, s:o}", "kind", kinds[kind].name, "items", l.items);
    if (l.items && l.later) json_object_set_new(sh->data, "later", json_integer(l.later));
    if (diag_failed(diag(sh))) return false;
    if (l.shown == 0)
        buf_printf(&sh->out, "no %s%s%s%s%s\n", kinds[kind].name, l.filter ? " with " : "", l.filter ? l.filter : "",
                   l.later ? " " : "", l.later ? sh->guide->later : "");
    else guide_say_later(sh, l.later);
    return true;
}

/* ---- what `help` takes from the lists ---- */

/* A line of a page, in as many as it takes. */
static void page_line(Lines *l, const Topic *t, const char *text)
{
    enum { COLUMN = 18 };
    Buf *out = &l->sh->out;
    size_t start = out->len;
    row(l, t->name, COLUMN, text);
    if (out->len - start <= (size_t)session_setting_int(l->sh->session, SET_WIDTH)) return;
    out->len = start;
    show_wrapped(l->sh, arena_printf(l->sh->scratch, "  %-*s", COLUMN - 2, t->name),
                 arena_printf(l->sh->scratch, "%*s", COLUMN, ""), text);
}

json_t *list_mentions(Shell *sh, const char *word)
{
    void (*const apart[])(Lines *) = {list_devices, list_programs, list_inputs, list_params, list_marks, list_lessons};
    int later = 0;
    json_t *all = json_array();
    for (int i = 0; i < COUNT(kinds); i++) {
        Lines l = {.sh = sh, .filter = word, .items = json_array()};
        if (kinds[i].list == list_topics) {
            /* The lines of all pages that hold the filter. */
            Topic t;
            for (int j = 0; topic_get(l.sh->scratch, j, &t); j++) {
                if (strcasestr(t.title, l.filter)) page_line(&l, &t, t.title);
                for (const char *p = t.text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
                    const char *line = text_trimmed(l.sh->scratch, p, p + strcspn(p, "\n"));
                    if (strcasestr(line, l.filter)) page_line(&l, &t, line);
                }
            }
        } else if (ALL(k, COUNT(apart), kinds[i].list != apart[k])) kinds[i].list(&l);
        size_t k;
        json_t *item;
        json_array_foreach(l.items, k, item) {
            json_object_set_new(item, "kind", json_string(kinds[i].one));
            json_array_append(all, item);
        }
        json_decref(l.items);
        later += l.later;
    }
    if (json_array_size(all)) guide_say_later(sh, later);
    else buf_printf(&sh->out, "nothing %s%smentions \"%s\"\n", later ? sh->guide->later : "", later ? " " : "", word);
    return all;
}
