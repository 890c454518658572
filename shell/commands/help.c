/* help: help, from the tables, for people and as JSON. */
#include "commands.h"
#include "guide.h"
#include "manual.h"
#include "show.h"

#include <string.h>

#include "check.h"

enum { NAMES = 11 };                     /* where the names of a group begin */

/* ---- entries: what help says of one thing, as JSON ---- */

/* Added to the command's report; all that a name is. more: further members, which it takes, or NULL. */
static void entry(Shell *sh, const char *kind, const char *name, const char *text, json_t *more)
{
    json_t *o = json_of("{kind:s name:s text:s}", kind, name, text ? text : "");
    if (!sh->data) sh->data = json_of("{entries:[]}");
    json_object_update(o, more);
    json_decref(more);
    json_array_append_new(json_object_get(sh->data, "entries"), o);
}

static const char *some(const char *text) { return text && *text ? text : NULL; }

static void command_json(Shell *sh, const Command *c)
{
    /* "as=expr|tree depth= full": = takes a value, | divides those there are. */
    json_t *flags = json_array(), *word;
    json_auto_t *words = json_parts(c->flags, " ");
    size_t i;
    json_array_foreach(words, i, word) {
        const char *text = json_string_value(word), *value = strchr(text, '=');
        bool choices = value && value[1] && value[1] != '@';
        json_add(flags, "{name:o value:b choices?:o}", json_stringn(text, strcspn(text, "=")), value != NULL,
                 choices ? json_parts(value + 1, "|") : NULL);
    }
    entry(sh, "command", c->name, c->help,
          json_of("{form?:s group?:s short?:s details?:s arguments:o flags:o examples:o}", some(c->form), some(c->group),
                  some((char[]){c->letter, 0}), some(c->more), json_parts(c->args, " "), flags,
                  json_parts(c->examples, "\n")));
}

/* ---- help for people ---- */

/* A group on as many lines as its names take. */
static void put_names(Shell *sh, const char *title, const char *names)
{
    if (*names) show_wrapped(sh, arena_printf(sh->scratch, "%-*s", NAMES, title), arena_printf(sh->scratch, "%*s", NAMES, ""), names);
}

static void help_overview(Shell *sh)
{
    const char *group = "", *listed = "";
    int later = 0;
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        bool there = guide_allows(sh, NAMED_COMMAND, c->name);
        later += !there;
        if (!there) continue;
        if (strcmp(group, c->group)) put_names(sh, group, listed), listed = "";
        group = c->group;
        const char *letter = c->letter ? arena_printf(sh->scratch, ",%c", c->letter) : "";
        listed = arena_printf(sh->scratch, "%s%s%s%s", listed, *listed ? "  " : "", c->name, letter);
        command_json(sh, c);
    }
    put_names(sh, group, listed);
    guide_say_later(sh, later);
    Topic t;
    const char *names = "";
    for (int i = 0; topic_get(sh->scratch, i, &t); i++) {
        names = arena_printf(sh->scratch, "%s%s%s", names, i ? " " : "", t.name);
        entry(sh, "topic", t.name, t.title, NULL);
    }
    put_names(sh, "topics", names);
    print(sh, "list commands: a line each        help COMMAND, TOPIC, RULE or E21: all of it\n"
          "help /WORD searches everything    lesson terms: learn by doing\n");
}

static bool help_command(Shell *sh, const Command *c)
{
    if (!guide_may_name(sh, NAMED_COMMAND, c->name)) return false;
    for (const char *p = c->form; *p; p += strcspn(p, "\n"), p += *p == '\n')
        show_wrapped(sh, "", "      ", arena_strndup(sh->scratch, p, strcspn(p, "\n")));
    show_wrapped(sh, "  ", "    ", c->help);
    if (c->letter) print(sh, "  short: %c\n", c->letter);
    /* A sentence a line, its further lines further in. */
    char *joined = arena_strdup(sh->scratch, c->more);
    for (char *p = joined; *p; p++)
        if (*p == '\n') *p = ' ';
    for (const char *p = joined; *p;) {
        const char *end = strstr(p, ". ");
        size_t n = end ? (size_t)(end - p) + 1 : strlen(p);
        show_wrapped(sh, "  ", "    ", arena_strndup(sh->scratch, p, n));
        p += n + strspn(p + n, " ");
    }
    /* An example of the table on one line, its first column for the commands that follow the same one. */
    for (const char *p = c->examples; *p; p += strcspn(p, "\n"), p += *p == '\n')
        print(sh, "  %s %.*s\n", p == c->examples ? "example " : "        ", (int)strcspn(p, "\n"), p);
    command_json(sh, c);
    return true;
}

static bool help_error(Shell *sh, const char *name)
{
    WarningId w = warning_from_name(name, strlen(name));
    if (w != WARNING_COUNT) {
        print(sh, "%s  %s\n  set silence %s\n", warning_name(w), warning_help(w), warning_name(w));
        entry(sh, "warning", warning_name(w), warning_help(w), NULL);
        return true;
    }
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++) {
        const char *id = error_name((ErrorId)i), *text = error_help((ErrorId)i);
        if (strcasecmp(id, name)) continue;
        print(sh, "%s  %s\n  exit code %d\n", id, text, error_code((ErrorId)i));
        entry(sh, "error", id, text, json_of("{code:i}", error_code((ErrorId)i)));
        return true;
    }
    return false;
}

/* A line a primitive, by families; what it does on a line of its own where that would be too long. */
static void help_prims(Shell *sh)
{
    enum { COLUMN = 36 };
    int width = show_width(sh);
    for (int family = 0; prim_family_title((PrimFamily)family); family++) {
        print(sh, "%s  %s\n", family ? "\n" : "", prim_family_title((PrimFamily)family));
        for (int i = 0; i < PRIM_COUNT; i++) {
            const Prim *p = prim((PrimId)i);
            size_t start = sh->out.len;
            if ((int)p->family != family) continue;
            print(sh, *p->scheme ? "    %s : %s" : "    %s", p->name, p->scheme);
            if (sh->out.len - start + 2 <= COLUMN && COLUMN + (int)strlen(p->help) <= width) {
                print(sh, AT(%d) "%s\n", COLUMN, p->help);
            } else {
                buf_putc(&sh->out, '\n');
                show_wrapped(sh, "        ", "        ", p->help);
            }
        }
    }
}

/* A line a field or method, by what it is of; what it is below. */
static void help_lua(Shell *sh)
{
    const LuaApi *a;
    for (int of = 0; of < API_OF_COUNT; of++) {
        print(sh, "%s  %s\n", of ? "\n" : "", api_title((LuaApiOf)of));
        for (int i = 0; (a = api_entry(i)); i++) {
            if ((int)a->of != of) continue;
            show_wrapped(sh, "    ", "        ", a->form);
            show_wrapped(sh, "        ", "        ", a->about);
        }
    }
}

static bool help_page(Shell *sh, const char *name)
{
    Topic t;
    int i = 0;
    while (topic_get(sh->scratch, i, &t) && strcmp(t.name, name)) i++;
    if (strcmp(t.name, name)) return false;
    Prose title = {PROSE_HEADING, t.title, strlen(t.title)};
    const char *text = t.text;
    prose_put(sh, &title, 0);
    buf_putc(&sh->out, '\n');
    for (Prose piece; prose_next(&text, &piece);) {
        if (piece.kind == PROSE_MARK && !strncmp(piece.text, "lua", piece.n)) help_lua(sh);
        else if (piece.kind == PROSE_MARK) help_prims(sh);
        else prose_put(sh, &piece, 2);
    }
    entry(sh, "topic", name, t.title, json_of("{details?:s}", some(t.text)));
    return true;
}

static bool help_strategy(Shell *sh, const char *name)
{
    Strategies *s = shell_strategies(sh);
    const StrategyName *n = s ? strategies_find(s, name) : NULL;
    if (!n) {
        if (!s) return false;
        SearchStrategy one;
        for (int i = 0; strategies_search_strategy(s, i, sh->scratch, &one); i++) {
            if (strcmp(one.name, name)) continue;
            print(sh, "search params|rules using %s\n  %s\n", one.name, one.doc);
            if (*one.options) print(sh, "  options  %s        --set NAME=VALUE,...\n", one.options);
            return true;
        }
        return false;
    }
    if (n->kind <= NAME_LOWERING && !guide_may_name(sh, NAMED_MACRO, name)) return false;
    show_macro(sh, n);
    entry(sh, n->kind <= NAME_LOWERING ? "macro" : "strategy", n->name, n->doc,
          json_of("{form:s definition?:s user:b}", arena_printf(sh->scratch, "%s%s", n->name, n->params ? n->params : ""),
                  some(n->text), n->user));
    return true;
}

static bool help_topic(Shell *sh, const char *name)
{
    const Command *c = command_find(sh, name, NULL);
    const Rule *r = rules_find(session_rules(sh->session), name);
    PrimId p = prim_from_name(name);
    SettingId s = setting_from_name(name);
    if (c && (!strcmp(c->name, name) || strlen(name) == 1)) return help_command(sh, c);
    if (r && !guide_allows(sh, NAMED_RULE, name)) {
        if (p == PRIM_COUNT && s == SETTING_COUNT) return guide_may_name(sh, NAMED_RULE, name);
        r = NULL;
    }
    if (r) {
        show_rule(sh, r);
        show_example(sh, r);
        const char **conditions, *text = r->text ? r->text : "", *end = strstr(text, "  when ");
        int n = rule_conditions(r, sh->scratch, &conditions);
        json_t *when = JSON_LIST(i, n, json_string(conditions[i]));
        json_t *params = JSON_LIST(i, r->param_count, json_of("{name:s kind:s given:b}", r->params[i].name,
                                                              rule_param_word(&r->params[i]), r->params[i].given));
        entry(sh, "rule", r->name, r->doc,
              json_of("{equation:o conditions:o params:o group?:s trust:s origin?:s example?:s}",
                      json_stringn(text, end ? (size_t)(end - text) : strlen(text)), when, params, some(r->kind), trust_name(r->trust),
                      some(r->origin), some(rule_example(sh->c, r))));
    }
    if (p != PRIM_COUNT) {
        const Prim *one = prim(p);
        const char *slots = *one->slots == '#' ? "0 1 2 ..." : one->slots;
        print(sh, "%s : %s\n  %s\n  slots: %s\n", one->name, *one->scheme ? one->scheme : "(special)", one->help, slots);
        entry(sh, "primitive", one->name, one->help, json_of("{scheme?:s slots:o}", some(one->scheme), json_parts(slots, " ")));
    }
    if (s != SETTING_COUNT) {
        show_setting(sh, s);
        entry(sh, "setting", setting(s)->name, setting(s)->help, json_of("{setting:o}", setting_json(sh, s)));
    }
    const char *about, *text = defs_prelude(sh->c, sh->scratch, name, &about);
    if (text) {
        print(sh, "%s\n", text);
        show_wrapped(sh, "  ", "  ", about);
        entry(sh, "definition", name, about, json_of("{definition:s}", text));
    }
    if (r || p != PRIM_COUNT || s != SETTING_COUNT || text) return true;
    if (help_error(sh, name) || help_strategy(sh, name)) return true;
    return diag(sh)->id != E83 && (help_page(sh, name) || (c && help_command(sh, c)));
}

bool cmd_help(Shell *sh, Args *a)
{
    const char *topic = arg(a, 0);
    if (topic && !strncmp(topic, "t.", 2)) topic += 2;                   /* a command as Lua calls it */
    if (!arg_limit(sh, a, 1)) return diag_note(diag(sh), "hint", "one word at a time: help %.60s", arg(a, 1)), false;
    if (!topic) return help_overview(sh), true;
    if (*topic == '/' && topic[1]) {
        json_t *found = list_mentions(sh, topic + 1);
        return shell_report(sh, "{entries:o}", found);
    }
    if (help_topic(sh, topic)) return true;
    if (diag(sh)->id == E83) return false;
    diag_clear(diag(sh));
    const char *near = sh->strategies ? strategies_suggest(sh->strategies, topic) : NULL;
    bool id = strchr("EW", *topic) && topic[1] && strspn(topic + 1, "0123456789") == strlen(topic + 1);
    return shell_error(sh, E02, "no help for \"%.60s\"%s\ntry %s%.60s", topic, near_text(sh->scratch, near),
                       id ? "list " : "help /", !id ? topic : *topic == 'E' ? "errors" : "warnings");
}
