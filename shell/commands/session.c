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
                                u.lost ? "it will be lost" : "autosave keeps it"), true)) return true;
    sh->quit = true;
    sh->exit_code = (int)code;
    return shell_report(sh, "{code:i}", (int)code);
}

static void setting_line(Shell *sh, SettingId id)
{
    print(sh, "  %s" AT(18) "%s" AT(40) "%s\n", setting(id)->name, session_setting(sh->session, id), setting(id)->help);
}

void show_setting(Shell *sh, SettingId id)
{
    const Setting *t = setting(id);
    const char *gap = strchr(t->choices, ' ');
    setting_line(sh, id);
    if (t->kind == SETTING_INT || t->kind == SETTING_AUTO)
        print(sh, "  %sfrom %.*s to %s, initially %s\n", t->kind == SETTING_AUTO ? "auto, or " : "",
              (int)(gap - t->choices), t->choices, gap + 1, t->initial);
    else if (t->kind == SETTING_WORD) print(sh, "  one of: %s; initially %s\n", t->choices, t->initial);
    else print(sh, "  initially %s\n", t->initial);
}

json_t *setting_json(Shell *sh, SettingId id)
{
    static const char *const kinds[] = {
        [SETTING_INT] = "integer", [SETTING_AUTO] = "integer or auto", [SETTING_REAL] = "number", [SETTING_WORD] = "word",
        [SETTING_TEXT] = "text", [SETTING_WARNINGS] = "warnings", [SETTING_RULE] = "rule", [SETTING_GROUP] = "group",
        };
    const Setting *t = setting(id);
    return json_of("{name:s value:s kind:s choices:s initial:s help:s}", t->name, session_setting(sh->session, id), kinds[t->kind],
                   t->choices, t->initial, t->help);
}

/* For "N=64", "N = 64" or "N 64" what sets a size or an input of the program, or the setting before the sign; NULL: neither. */
static const char *set_meant(Shell *sh, const Args *a)
{
    const Derivation *d = session_current(sh->session);
    const char *name = arena_strndup(sh->scratch, a->words[0], strcspn(a->words[0], "=")), *rest = a->rest + strlen(name);
    const char *value = rest + strspn(rest, " =");
    if (!*value) return NULL;
    if (d && derivation_datum(d, name) != DATUM_NONE) return arena_printf(sh->scratch, "data %s = %s", name, value);
    return strchr(a->rest, '=') && setting_from_name(name) != SETTING_COUNT ? arena_printf(sh->scratch, "set %s %s", name, value) : NULL;
}

bool cmd_set(Shell *sh, Args *a)
{
    if (a->count == 0) {
        json_t *all = JSON_LIST(i, SETTING_COUNT, setting_json(sh, (SettingId)i));
        for (int i = 0; i < SETTING_COUNT; i++) setting_line(sh, (SettingId)i);
        return shell_report(sh, "{settings:o}", all);
    }
    SettingId id = setting_from_name(a->words[0]);
    bool text = id == SET_PROMPT, several = id == SET_SILENCE && a->count > 2;
    const char *meant = id == SETTING_COUNT || (!text && a->count == 3) ? set_meant(sh, a) : NULL;
    if (meant) return shell_error(sh, E02, "no setting \"%.60s\"\ntry %s", a->words[0], meant);
    if (!text && !several && !arg_limit(sh, a, 2)) return false;
    const char *value = several ? a->rest + strcspn(a->rest, " \t") + 1 : arg(a, 1);
    if (!session_set(sh->session, a->words[0], value) || (value && id == SET_TARGET && !shell_take_target(sh))) return false;
    if (a->count == 1) show_setting(sh, setting_from_name(a->words[0]));
    return shell_report(sh, "{settings:[o]}", setting_json(sh, setting_from_name(a->words[0])));
}

/* ---- list ---- */

/* 0: the word is the name, 1: the name begins so, 2: it is in the name, 3: elsewhere, up to FIT_WORST. */
enum { FIT_WORST = 3 };

static int fit_of(const char *name, const char *word)
{
    if (!strcasecmp(name, word)) return 0;
    return !strncasecmp(name, word, strlen(word)) ? 1 : strcasestr(name, word) ? 2 : 3;
}

typedef struct Lines {
    Shell *sh;
    const char *filter;                  /* NULL: all */
    const int *fit;                      /* only names that fit it so well (fit_of); NULL: however well */
    bool detail;
    int shown;
    int later;                           /* of those that the filter keeps: not there yet */
    json_t *items;
} Lines;

/* The name, and what is said of it. It is taken back when the filter is not in it, or a guide keeps for later what it is about. */
PRINTF_LIKE(4, 5) static void row(Lines *l, bool there, const char *name, const char *fmt, ...)
{
    Shell *sh = l->sh;
    size_t start = sh->out.len;
    print(sh, "  %s", name);
    WITH_ARGS(fmt, ap, vprint(sh, fmt, ap));
    bool wanted = !l->filter || (strcasestr(sh->out.data + start, l->filter) && (!l->fit || fit_of(name, l->filter) == *l->fit));
    l->later += wanted && !there;
    if (!wanted || !there) {
        sh->out.data[sh->out.len = start] = 0;
        return;
    }
    const char *text = sh->out.data + start + 2 + strlen(name);
    json_t *said = json_string(text + strspn(text, " "));
    json_add(l->items, "{name:s text:o}", name, said ? said : json_string(""));
    show_line_end(sh);
    l->shown++;
}

static void list_commands(Lines *l)
{
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        row(l, guide_allows(l->sh, NAMED_COMMAND, c->name), c->form, AT(60) "%s", c->help);
    }
}

static void list_programs(Lines *l)
{
    Session *s = l->sh->session;
    for (int i = 0; i < session_count(s); i++) {
        const Derivation *d = session_get(s, i);
        row(l, true, d->name, AT(18) "@%d, %d version%s%s" AT(46) "%s", d->current, d->live, plural(d->live),
            d == session_current(s) ? "  (current)" : "", type_text(l->sh->c, d->program->body->type));
    }
}

static void list_rules(Lines *l)
{
    Rules *rules = session_rules(l->sh->session);
    for (int i = 0; i < rules_count(rules); i++) {
        const Rule *r = rules_get(rules, i);
        LOCAL(buf_free) Buf more = {0};
        if (l->detail) {
            buf_printf(&more, "\n      %s; ", r->kind);
            trust_text(r, &more);
            buf_printf(&more, "%s%s%s%s", *r->doc ? "; " : "", r->doc, *r->origin ? "; " : "", r->origin);
        }
        row(l, guide_allows(l->sh, NAMED_RULE, r->name), r->name, AT(26) "%s%s", r->text ? r->text : r->doc, buf_text(&more));
    }
}

static void list_names(Lines *l, StrategyNameKind first, StrategyNameKind last)
{
    Strategies *s = shell_strategies(l->sh);
    for (int i = 0; s && i < strategies_name_count(s); i++) {
        const StrategyName *n = strategies_name(s, i);
        if (n->kind < first || n->kind > last) continue;
        const char *form = arena_printf(l->sh->scratch, "%s%s", n->name, n->params ? n->params : "");
        row(l, guide_allows_name(l->sh, n), form, n->doc && *n->doc ? AT(30) "%s" : "%s", n->doc ? n->doc : "");
    }
}

static void list_macros(Lines *l) { list_names(l, NAME_MACRO, NAME_LOWERING); }

static void list_strategies(Lines *l)
{
    SearchStrategy one;
    Strategies *s = shell_strategies(l->sh);
    list_names(l, NAME_LOWERING, NAME_VALUE);
    for (int i = 0; s && strategies_search_strategy(s, i, l->sh->scratch, &one); i++)
        row(l, true, arena_printf(l->sh->scratch, "search using %s", one.name), AT(30) "%s%s%s", one.doc,
            *one.options ? "; --set " : "", one.options);
}

static void list_inputs(Lines *l)
{
    const Version *v = shell_version(l->sh);
    const Derivation *d = session_current(l->sh->session);
    for (int i = 0; v && i < d->program->input_count; i++) {
        const char *spec = input_spec_text(l->sh, &d->inputs[i]);
        row(l, true, d->inputs[i].name, AT(18) "%s" AT(40) "%s", type_text(l->sh->c, d->inputs[i].type),
            spec ? spec : "(default; random)");
    }
}

static void list_params(Lines *l)
{
    const Version *v = shell_version(l->sh);
    for (int i = 0; v && i < v->param_count; i++)
        row(l, true, v->params[i].name, v->params[i].value ? AT(18) "%lld" : AT(18) "?", (long long)v->params[i].value);
}

static void list_tags(Lines *l)
{
    const Derivation *d = session_current(l->sh->session);
    for (const Version *v = NULL; d && (v = derivation_next(d, v));)
        if (v->tag) row(l, true, v->tag, AT(18) "@%d  %s", v->number, v->call);
}

static void list_marks(Lines *l)
{
    const Version *v = shell_version(l->sh);
    const Derivation *d = session_current(l->sh->session);
    for (int i = 0; v && i < d->marks.n; i++)
        row(l, true, arena_printf(l->sh->scratch, "$%s", d->marks.v[i].name), AT(18) "%s", mark_text(l->sh, &d->marks.v[i], v));
}

static void list_devices(Lines *l)
{
    const DeviceInfo *list;
    int n = devices_list(shell_devices(l->sh), &list);
    if (devices_stopped(l->sh->devices, diag(l->sh))) return;
    for (const DeviceInfo *d = list; d < list + n; d++) {
        LOCAL(buf_free) Buf more = {0};
        if (l->detail) {
            buf_printf(&more, "\n      %s%s, %lld units; groups of at most %lld work-items, %lld x %lld x %lld", d->is_gpu ? "GPU" : "CPU",
                       d->is_checker ? ", checker" : "", (long long)d->compute_units, (long long)d->max_group,
                       (long long)d->max_local[0], (long long)d->max_local[1], (long long)d->max_local[2]);
            buf_printf(&more, "\n      local %lld KiB, global %lld MiB, buffers of at most %lld MiB%s%s", (long long)(d->local_bytes >> 10),
                       (long long)(d->global_bytes >> 20), (long long)(d->max_alloc >> 20), d->has_f64 ? "; f64" : "",
                       d->has_f16 ? "; f16" : "; f16 as storage");
            if (!d->has_i64) buf_puts(&more, "; no i64, u64");
            if (d->image_width) buf_printf(&more, "; images of at most %lld x %lld", (long long)d->image_width, (long long)d->image_height);
            if (d->vector_f32) buf_printf(&more, "; prefers vectors of %lld f32", (long long)d->vector_f32);
            if (d->vector_f32 && d->vector_f64) buf_printf(&more, ", %lld f64", (long long)d->vector_f64);
            buf_printf(&more, "\n      %s; %s; driver %s", d->platform, d->version, d->driver);
        }
        row(l, true, d->id, AT(18) "%s%s", d->name, buf_text(&more));
    }
}

#define LIST(kind, n, ...) \
    static void list_##kind(Lines *l) \
    { \
        for (int i = 0; i < (n); i++) row(l, true, __VA_ARGS__); \
    }
LIST(settings, SETTING_COUNT, setting((SettingId)i)->name, AT(18) "%-20s  %s", session_setting(l->sh->session, (SettingId)i),
     setting((SettingId)i)->help)
LIST(primitives, PRIM_COUNT, prim((PrimId)i)->name, AT(18) "%s" AT(66) "%s", prim((PrimId)i)->scheme, prim((PrimId)i)->help)
LIST(aliases, l->sh->aliases.n, l->sh->aliases.v[i].name, AT(18) "%s", l->sh->aliases.v[i].line)
LIST(errors, ERROR_COUNT - 1, error_name((ErrorId)(i + 1)), AT(8) "%s", error_help((ErrorId)(i + 1)))
LIST(warnings, WARNING_COUNT, warning_name((WarningId)i), AT(8) "%s", warning_help((WarningId)i))
LIST(columns, result_column_count(), result_column(i)->name, AT(18) "%s", result_column(i)->help)

static void list_functions(Lines *l)
{
    const char *name, *about;
    list_primitives(l);
    for (int i = 0; (name = defs_prelude_name(l->sh->c, i)); i++) {
        const char *text = defs_prelude(l->sh->c, l->sh->scratch, name, &about) + strlen("let ");
        bool family = strchr("3456", name[strlen(name) - 1]);           /* as with 2 */
        if (!family) row(l, true, name, AT(18) "%.*s" AT(66) "%s", (int)(strchr(text, '=') - text), text, about);
    }
}

static void list_topics(Lines *l)
{
    Topic t;
    for (int i = 0; topic_get(l->sh->scratch, i, &t); i++) row(l, true, t.name, AT(18) "%s", t.title);
}

static void list_lessons(Lines *l)
{
    const char **names, **texts;
    int n = l->sh->guide->list(l->sh, &names, &texts);
    for (int i = 0; i < n; i++) row(l, true, names[i], AT(18) "%s", texts[i]);
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
        LOCAL(buf_free) Buf b = {0};
        for (int i = 0; i < COUNT(kinds); i++) buf_printf(&b, " %s", kinds[i].name);
        if (arg(a, 0)) diag_error(diag(sh), E05, "no kind \"%.60s\" to list", arg(a, 0));
        else diag_error(diag(sh), E05, "list what?");
        diag_note(diag(sh), "one of", "%s", buf_text(&b) + 1);
        return false;
    }
    Lines l = {.sh = sh, .filter = arg(a, 1), .detail = arg_flag(a, "v") != NULL, .items = json_array()};
    for (int fit = 0; fit <= (l.filter ? FIT_WORST : 0); fit++) {          /* what fits best first */
        l.fit = l.filter ? &fit : NULL;
        kinds[kind].list(&l);
    }
    shell_report(sh, "{kind:s items:o later?:i}", kinds[kind].name, l.items, l.later);
    if (diag_failed(diag(sh))) return false;
    if (l.shown == 0)
        print(sh, "no %s%s%s%s%s\n", kinds[kind].name, l.filter ? " with " : "", l.filter ? l.filter : "",
              l.later ? " " : "", l.later ? sh->guide->later : "");
    else guide_say_later(sh, l.later);
    return true;
}

/* ---- what `help` takes from the lists ---- */

typedef struct Mention {                 /* all that one name says of a word; texts as long as the items live */
    const char *name, *text;             /* the first line that holds it */
    int fit, count, n;                   /* fit_of its name; lines; as it was found */
} Mention;

static int by_fit(const void *a, const void *b)
{
    const Mention *x = a, *y = b;
    return x->fit != y->fit ? x->fit - y->fit : x->count != y->count ? y->count - x->count : x->n - y->n;
}

/* The lines of all pages that hold the filter. */
static void mention_pages(Lines *l)
{
    Topic t;
    for (int j = 0; topic_get(l->sh->scratch, j, &t); j++) {
        if (strcasestr(t.title, l->filter)) row(l, true, t.name, AT(18) "%s", t.title);
        for (const char *p = t.text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
            const char *line = arena_trimmed(l->sh->scratch, p, p + strcspn(p, "\n"));
            if (strcasestr(line, l->filter)) row(l, true, t.name, AT(18) "%s", line);
        }
    }
}

/* The name in "fuse [--best K]" or "fuseAs(fusion, ...)". */
static const char *named_by(Shell *sh, const char *form) { return arena_strndup(sh->scratch, form, strcspn(form, " ({")); }

/* One group: what fits best first, of many only those. */
static void put_mentions(Shell *sh, int kind, const json_t *items, const char *word)
{
    enum { COLUMN = 26, MOST = 6 };
    int n = 0;
    size_t k;
    json_t *item;
    Mention *all = NEW_ARRAY(sh->scratch, Mention, (int)json_array_size(items));
    json_array_foreach(items, k, item) {
        const char *form = json_string_value(json_object_get(item, "name")), *name = named_by(sh, form);
        if (n && !strcmp(all[n - 1].name, name)) all[n - 1].count++;
        else all[n] = (Mention){name, json_string_value(json_object_get(item, "text")), fit_of(name, word), 1, n}, n++;
    }
    qsort(all, (size_t)n, sizeof *all, by_fit);
    bool pages = kinds[kind].list == list_topics;
    show_color(sh, "1", arena_printf(sh->scratch, "%s", pages ? "pages: help NAME" : kinds[kind].name));
    buf_putc(&sh->out, '\n');
    for (int i = 0; i < n && i < MOST; i++) {
        const char *lines = all[i].count > 1 ? arena_printf(sh->scratch, "  (%d lines)", all[i].count) : "";
        print(sh, "  %s" AT(%d) "%s%s\n", all[i].name, COLUMN, show_cut(sh, all[i].text, show_left(sh, COLUMN + (int)strlen(lines))), lines);
    }
    if (n > MOST && pages) print(sh, "  ... %d more\n", n - MOST);
    else if (n > MOST) print(sh, "  ... %d more        list %s %s\n", n - MOST, kinds[kind].name, word);
}

json_t *list_mentions(Shell *sh, const char *word)
{
    void (*const apart[])(Lines *) = {list_devices, list_programs, list_inputs, list_params, list_marks, list_lessons};
    int later = 0;
    json_t *all = json_array(), *groups[COUNT(kinds)];
    for (int i = 0; i < COUNT(kinds); i++) {
        Lines l = {.sh = sh, .filter = word, .items = json_array()};
        size_t printed = sh->out.len, k;
        if (kinds[i].list == list_topics) mention_pages(&l);
        else if (ALL(m, COUNT(apart), kinds[i].list != apart[m])) kinds[i].list(&l);
        print_taken(sh, printed);
        groups[i] = l.items;
        later += l.later;
        json_t *item;
        json_array_foreach(l.items, k, item) {
            json_object_set_new(item, "kind", json_string(kinds[i].one));
            json_array_append(all, item);
        }
    }
    /* groups with what is called so come first */
    for (int fit = 0; fit <= FIT_WORST; fit++)
        for (int i = 0; i < COUNT(kinds); i++) {
            int best = FIT_WORST + 1;
            size_t k;
            json_t *item;
            json_array_foreach(groups[i], k, item) {
                int one = fit_of(named_by(sh, json_string_value(json_object_get(item, "name"))), word);
                if (one < best) best = one;
            }
            if (best == fit) put_mentions(sh, i, groups[i], word);
        }
    for (int i = 0; i < COUNT(kinds); i++) json_decref(groups[i]);
    if (json_array_size(all)) guide_say_later(sh, later);
    else print(sh, "nothing %s%smentions \"%s\"\n", later ? sh->guide->later : "", later ? " " : "", word);
    return all;
}
