/* complete: what Tab offers at a point of a line, by the kinds of arguments. */
#include "complete_private.h"
#include "cmdline.h"
#include "commands.h"
#include "guide.h"
#include "manual.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- names ---- */

static void offer_command(Completer *f)
{
    for (int i = 0; i < command_count(); i++)
        if (guide_allows(f->sh, NAMED_COMMAND, command_get(i)->name)) offer(f, command_get(i)->name, command_get(i)->help);
}

static void offer_setting(Completer *f)
{
    for (int i = 0; i < SETTING_COUNT; i++) offer(f, setting((SettingId)i)->name, setting((SettingId)i)->help);
}

static void offer_topic(Completer *f)
{
    Strategies *s = shell_strategies(f->sh);
    offer_command(f);
    offer_rules(f, true);
    for (int i = 0; s && i < strategies_name_count(s); i++) {
        const StrategyName *n = strategies_name(s, i);
        if (guide_allows_name(f->sh, n)) offer(f, n->name, n->doc);
    }
    for (int i = 0; i < PRIM_COUNT; i++) offer(f, prim((PrimId)i)->name, prim((PrimId)i)->help);
    offer_setting(f);
    Topic t;
    for (int i = 0; topic_get(f->arena, i, &t); i++) offer(f, t.name, t.title);
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++) offer(f, error_name((ErrorId)i), error_help((ErrorId)i));
    for (int i = 0; i < WARNING_COUNT; i++) offer(f, warning_name((WarningId)i), warning_help((WarningId)i));
}

static void offer_tag(Completer *f)
{
    const Derivation *d = session_current(f->sh->session);
    for (int i = 0; d && i < d->versions.n; i++) {
        const Version *v = derivation_version(d, i);
        if (v && v->tag) offer(f, v->tag, v->call);
    }
}

static void offer_kind(Completer *f) { for (int i = 0; list_kind(i); i++) offer(f, list_kind(i), NULL); }

/* The legal words of the setting named before, the current one starred. */
static void offer_value(Completer *f)
{
    SettingId id = setting_from_name(f->previous);
    if (id == SETTING_COUNT) return;
    const Setting *s = setting(id);
    const char *now = session_setting(f->sh->session, id);
    offer(f, now, "* now");
    if (s->kind == SETTING_WORD) offer_words(f, s->choices);
    if (s->kind == SETTING_RULE) offer_rule(f);
    offer(f, s->initial, "initially");
}

void offer_program(Completer *f)
{
    for (int i = 0; i < session_count(f->sh->session); i++) {
        const Derivation *d = session_get(f->sh->session, i);
        offer(f, d->name, type_text(f->sh->c, d->program->body->type));
    }
}

static void offer_name(Completer *f, const char *name, const char *gloss)
{
    Candidate *c = offer(f, name, gloss);
    if (c) c->text = arena_printf(f->arena, "%s =", name);
}

/* In "a = 1, b = 2" or "a = 1 b = 2": is a value under construction? Then completion is of it, and *name is what it is
 * for; else of a name. */
static bool value_begun(Completer *f, const char **name)
{
    int *starts, *ends;
    const char *part = assignment_last(f->text), *eq = strchr(part, '=');
    if (!eq && part > f->text) complete_from(f, part + strspn(part, " "));
    if (!eq) return false;
    const char *value = eq + 1 + strspn(eq + 1, " ");
    int n = line_words(f->arena, value, &starts, &ends);
    if (n > 1 || (n == 1 && value[ends[0]])) return false;
    *name = arena_trimmed(f->arena, part, eq);
    complete_from(f, value);
    return true;
}

/* Behind file(" comes the name of a file, with what ends it. */
static void offer_input(Completer *f)
{
    static const char file[] = "file(\"";
    if (strncmp(f->word, file, sizeof file - 1)) return offer_words(f, "random( iota const( file(\" adversarial( stochastic( offsets(");
    complete_from(f, f->word + sizeof file - 2);
    offer_file(f);
    for (int i = 0; i < f->out->items.n; i++) {
        Candidate *c = &f->out->items.v[i];
        if (!c->more) c->text = arena_printf(f->arena, "%s)", c->text);
    }
}

static void offer_data(Completer *f)
{
    const Derivation *d = session_current(f->sh->session);
    const char *name;
    if (!d) return;
    const Program *p = d->program;
    if (!value_begun(f, &name)) {
        for (int i = 0; i < p->size_count; i++) offer_name(f, size_name(p, i), "a size");
        for (int i = 0; i < p->input_count; i++) offer_name(f, d->inputs[i].name, type_text(f->sh->c, d->inputs[i].type));
        return;
    }
    Datum datum = derivation_datum(d, name);
    if (datum == DATUM_SIZE) {
        Values at;
        if (session_trial_values(f->sh->session, session_version(f->sh->session), f->arena, &at))
            for (int i = 0; i < at.count; i++)
                if (at.b[i].kind == VAR_SIZE && !strcmp(at.b[i].name, name))
                    offer(f, arena_printf(f->arena, "%lld", (long long)at.b[i].value), at.chosen[i] ? "now, by default" : "now");
        diag_clear(diag(f->sh));
    } else if (datum == DATUM_INPUT) offer_input(f);
    offer(f, "?", "unset it");
}

static void offer_param(Completer *f)
{
    const char *name;
    const Version *v = session_version(f->sh->session);
    if (value_begun(f, &name)) {
        offer_param_values(f, name);
        offer(f, "?", "unbind it");
        return;
    }
    for (int i = 0; v && i < v->param_count; i++) {
        int64_t value = v->params[i].value;
        offer_name(f, v->params[i].name, value ? arena_printf(f->arena, "%lld", (long long)value) : "not bound");
    }
}

/* Only devices that were asked for already: asking OpenCL may take long. */
static void offer_device(Completer *f)
{
    const DeviceInfo *list;
    int n = f->sh->devices ? devices_list(f->sh->devices, &list) : 0;
    for (int i = 0; i < n; i++) offer(f, list[i].id, list[i].name);
    offer_words(f, "cpu gpu");
}

/* Results that completion looks at: the newest. */
static int recent_results(Completer *f, Result **out)
{
    const ResultQuery some = {.limit = 200, .sort = "-id"};
    int n = results_query(shell_results(f->sh), &some, f->arena, out, diag(f->sh));
    diag_clear(diag(f->sh));
    return n > 0 ? n : 0;
}

/* device=: what there is in that column, or of that size or parameter. */
static void offer_cells(Completer *f, const char *column)
{
    Result *list;
    int64_t value;
    int n = recent_results(f, &list);
    for (int i = 0; i < n && !complete_late(f); i++) {
        const char *text = NULL;
        if (result_column_find(column)) text = result_text(&list[i], column, f->arena);
        else if (result_binding(list[i].key.sizes, column, &value) || result_binding(list[i].key.params, column, &value))
            text = arena_printf(f->arena, "%lld", (long long)value);
        if (text && *text && !strpbrk(text, " \t\n;|>#\"")) offer(f, text, NULL);
    }
}

/* Columns of results, then parameters and sizes of those there are; as filters, values behind the =. */
static void offer_column(Completer *f)
{
    Result *list;
    const char **names, *eq = strchr(f->word, '='), *comma = strrchr(f->word, ',');
    bool filter = !strcmp(f->detail, "filter");
    if (filter && eq) {
        const char *column = arena_strndup(f->arena, f->word, (size_t)(eq - f->word));
        complete_from(f, eq + 1);
        if (strcmp(column, "state")) return offer_cells(f, column);
        for (int i = 0; i < RESULT_STATES; i++)
            if (!strchr(result_state_name((ResultState)i), ' ')) offer(f, result_state_name((ResultState)i), NULL);
        return offer_words(f, "build-failed timed-out");
    }
    if (!filter && comma) complete_from(f, comma + 1);
    else if (!filter && *f->word == '-') complete_from(f, f->word + 1);
    for (int i = 0; i < result_column_count(); i++) offer(f, result_column(i)->name, result_column(i)->help);
    int n = recent_results(f, &list);
    const Result **refs = MAKE_LIST(f->arena, const Result *, i, n, &list[i]);
    for (int sizes = 0; sizes < 2; sizes++) {
        int count = result_names(refs, n, sizes, f->arena, &names);
        for (int i = 0; i < count; i++) offer(f, names[i], sizes ? "a size" : "a parameter");
    }
    for (int i = 0; i < f->out->items.n; i++) f->out->items.v[i].more = filter;
}

/* Strategies of `search ... using`. */
static void offer_searcher(Completer *f)
{
    SearchStrategy one;
    Strategies *s = shell_strategies(f->sh);
    for (int i = 0; s && strategies_search_strategy(s, i, f->arena, &one); i++) offer(f, one.name, one.doc);
}

static bool offer_one(void *to, const char *text, const char *gloss)
{
    offer(to, text, gloss);
    return !complete_late(to);
}

/* An answer in its own words, if it is one. */
static bool offer_said(void *to, const char *number, const char *said) { return strchr(said, ' ') || offer_one(to, said, number); }

/* The answers to what a lesson asks: by number, and what has begun otherwise in words. */
static void offer_answers(Completer *f)
{
    f->out->wanted = f->sh->guide->answers(f->sh, f->arena, *f->word && !isdigit((unsigned char)*f->word) ? offer_said : offer_one, f);
}

/* Where a lesson asks something, its answers, and on an empty line nothing else. */
static void offer_verb(Completer *f)
{
    offer_answers(f);
    if (*f->word || (!f->out->items.n && !f->out->wanted)) offer_command(f);
}

static void offer_lesson(Completer *f) { f->sh->guide->offer(f->sh, f->arena, f->previous, offer_one, f); }

static void offer_fixed(Completer *f) { offer_words(f, f->detail); }

/* ---- files ---- */

/* Has the name one of the suffixes ".fun,.lathe"? No suffixes: every name has. */
static bool has_suffix(const char *name, const char *suffixes)
{
    if (!*suffixes) return true;
    for (const char *p = suffixes; *p; p += strspn(p, ",")) {
        size_t n = strcspn(p, ",");
        size_t m = strlen(name);
        if (m >= n && !strncmp(name + m - n, p, n)) return true;
        p += n;
    }
    return false;
}

/* folder: as it is typed */
static void offer_files_in(Completer *f, const char *where, const char *folder, bool quoted)
{
    const char **names;
    int n = folder_names(f->arena, where, &names);
    const char *begin = f->word + (*f->word == '"') + strlen(folder);
    for (int i = 0; i < n && !complete_late(f); i++) {
        struct stat st;
        if (strncmp(names[i], begin, strlen(begin))) continue;          /* a folder on a network answers slowly */
        if (stat(arena_printf(f->arena, "%s/%s", where, names[i]), &st)) continue;
        bool is_folder = S_ISDIR(st.st_mode);
        if (is_folder || has_suffix(names[i], f->detail)) {
            const char *full = arena_printf(f->arena, "%s%s%s", folder, names[i], is_folder ? "/" : "");
            bool quote = quoted || strpbrk(full, " \t;|>#");
            Candidate *c = offer(f, quote ? arena_printf(f->arena, "\"%s%s", full, is_folder ? "" : "\"") : full, NULL);
            if (!c) continue;
            c->shown = arena_printf(f->arena, "%s%s", names[i], is_folder ? "/" : "");
            c->more = is_folder;
        }
    }
}

/* With a guide its own files too, as shell_path finds them. */
void offer_file(Completer *f)
{
    bool quoted = *f->word == '"';
    const char *typed = f->word + quoted, *slash = strrchr(typed, '/');
    const char *folder = slash ? arena_strndup(f->arena, typed, (size_t)(slash - typed) + 1) : "";
    if (f->sh->guided && *folder != '/' && *folder != '.')
        offer_files_in(f, arena_printf(f->arena, "%s/%s", f->sh->guided->folder, folder), folder, quoted);
    offer_files_in(f, *folder ? folder : ".", folder, quoted);
    if (f->out->items.n) qsort(f->out->items.v, (size_t)f->out->items.n, sizeof *f->out->items.v, compare_text);
}

/* ---- by kind ---- */

static const struct { const char *name; OfferFn *fn; } kinds[] = {
    {"command", offer_command}, {"topic", offer_topic}, {"kind", offer_kind}, {"setting", offer_setting},
    {"value", offer_value},
    {"file", offer_file}, {"program", offer_program}, {"data", offer_data}, {"param", offer_param}, {"device", offer_device},
    {"words", offer_fixed}, {"strategy", offer_strategy}, {"rule", offer_rule},
    {"declaration", offer_declaration}, {"tag", offer_tag}, {"place", offer_place},
    {"pattern", offer_pattern}, {"sketch", offer_sketch}, {"mark", offer_mark}, {"version", offer_version}, {"lua", offer_lua},
    {"column", offer_column}, {"searcher", offer_searcher}, {"lesson", offer_lesson},
};

static OfferFn *kind_function(const char *kind, size_t n)
{
    for (int i = 0; i < COUNT(kinds); i++)
        if (strlen(kinds[i].name) == n && !strncmp(kinds[i].name, kind, n)) return kinds[i].fn;
    return NULL;
}

bool completion_knows(const char *kind) { return !*kind || kind_function(kind, strcspn(kind, ":|")) != NULL; }

static void offer_by_kind(Completer *f, const char *kind)
{
    while (*kind) {
        /* The end of one alternative in "rule|words:a,b|version": a '|' ends it, but within words: it belongs to them. */
        size_t n = strncmp(kind, "words:", 6) ? strcspn(kind, "| ") : strcspn(kind, " "), name = strcspn(kind, ":| ");
        OfferFn *fn = kind_function(kind, name < n ? name : n);
        f->detail = name < n ? arena_strndup(f->arena, kind + name + 1, n - name - 1) : "";
        if (fn) fn(f);
        kind += n + (kind[n] == '|');
    }
}

/* ---- where the cursor is ---- */

/* The values that a flag may take ("as=expr|tree"), NULL: it takes none or is not known. */
static const char *flag_values(Completer *f, const Command *c, const char *flag, size_t n)
{
    while (n && *flag == '-') flag++, n--;
    const char *p = n ? flag_find(c->flags, flag, n) : NULL;
    return p && p[n] == '=' ? arena_strndup(f->arena, p + n + 1, strcspn(p + n + 1, " ")) : NULL;
}

/* `--as=ex` or `--as ex`. */
static bool offer_flag_value(Completer *f, const Command *c)
{
    const char *eq = *f->word == '-' ? strchr(f->word, '=') : NULL;
    bool apart = !eq && *f->previous == '-' && !strchr(f->previous, '=');
    const char *values = eq ? flag_values(f, c, f->word, (size_t)(eq - f->word))
                            : apart ? flag_values(f, c, f->previous, strlen(f->previous)) : NULL;
    if (!values) return false;
    if (eq) complete_from(f, eq + 1);
    if (*values == '@') offer_by_kind(f, values + 1);
    else offer_words(f, values);
    return true;
}

/* The i-th kind of "setting value"; the last one holds for all further arguments of a form with "...". "": none. */
static const char *kind_of(Completer *f, const Command *c, int i)
{
    const char *p = c->args;
    for (; i > 0 && strchr(p, ' '); i--) p = strchr(p, ' ') + 1;
    bool beyond = i > 0 && !strstr(c->form, "...") && strncmp(p, "data", 4) && strncmp(p, "param", 5);
    return beyond ? "" : arena_strndup(f->arena, p, strcspn(p, " "));
}

/* Words that begin with a sign say themselves what they are. */
static bool offer_by_sign(Completer *f, const char *kind)
{
    if (!strncmp(kind, "file", 4) || !strncmp(kind, "topic", 5)) return false;
    if (*f->word == '@') offer_version(f);
    else if (*f->word == '$') offer_mark(f);
    else if (*f->word == '\'' && strncmp(kind, "strategy", 8)) (strcmp(kind, "sketch") ? offer_pattern : offer_sketch)(f);
    else return false;
    return true;
}

typedef struct Words {
    int count;                           /* complete ones before the word under construction */
    int plain;                           /* of these, neither flags nor their values */
    int *starts, *ends;
} Words;

static Words words_of(Completer *f, const Command *c)
{
    Words w = {0};
    w.count = line_words(f->arena, f->text, &w.starts, &w.ends);
    size_t n = strlen(f->text);
    bool open = w.count && (size_t)w.ends[w.count - 1] == n;
    if (open) w.count--;
    complete_from(f, f->text + (open ? w.starts[w.count] : (int)n));
    f->previous = w.count ? arena_strndup(f->arena, f->text + w.starts[w.count - 1],
                                          (size_t)(w.ends[w.count - 1] - w.starts[w.count - 1])) : "";
    for (int i = 0; i < w.count; i++) {
        const char *word = f->text + w.starts[i];
        size_t len = (size_t)(w.ends[i] - w.starts[i]);
        bool flag = *word == '-' && len > 1;
        w.plain += !flag;
        if (flag && !memchr(word, '=', len) && flag_values(f, c, word, len)) i++;
    }
    return w;
}

static void offer_argument(Completer *f, const Command *c)
{
    static const char *const keywords[] = {"at", "in", "from", "as", "on"};      /* behind the first three stands a place or a version */
    Words w = words_of(f, c);
    const char *kind = kind_of(f, c, w.plain);
    int keyword = text_index(keywords, COUNT(keywords), f->previous);
    f->command = c;
    if (c->tail >= TAIL_RAW) {
        offer_by_kind(f, kind_of(f, c, 0));
        return;
    }
    if (offer_flag_value(f, c)) return;
    if (!strcmp(c->name, "check") && !w.count) offer_answers(f);
    if (!*f->word && (f->out->items.n || f->out->wanted)) return;        /* a question is asked */
    if (*f->word == '-' && *c->flags) {
        for (const char *p = c->flags; *p; p += strspn(p, " ")) {
            size_t n = strcspn(p, "= ");
            bool value = n > 1 && p[n] == '=';
            Candidate *made = offer(f, arena_printf(f->arena, "%s%.*s%s", n == 1 ? "-" : "--", (int)n, p, value ? "=" : ""),
                                    NULL);
            if (made) made->more = value;
            p += strcspn(p, " ");
        }
    } else if (keyword >= 0 && keyword < 3) {
        bool applied = keyword == 0 && c->tail == TAIL_STRATEGY && (!*f->word || *f->word == '/') && w.count > 1;
        if (applied) offer_where(f, arena_trimmed(f->arena, f->text, f->text + w.starts[w.count - 1]));
        if (!f->out->items.n) offer_by_kind(f, *f->word == '@' ? "version" : "place");
    } else if (!strcmp(f->previous, "using") && strstr(c->form, "using RULE")) {
        offer_rules_and_kinds(f);
        return;
    } else if (keyword == 3) return;
    else if (keyword == 4) offer_program(f);
    else if (offer_by_sign(f, kind)) return;
    else offer_by_kind(f, c->tail == TAIL_STRATEGY ? "strategy" : kind);
    if (c->tail != TAIL_STRATEGY && strncmp(kind, "rule", 4) && (w.plain || !*kind) && (keyword < 0 || keyword == 2)) offer_keywords(f, c);
}

void complete(Shell *sh, const char *line, int point, bool rest, double budget_ms, Completion *out)
{
    *out = (Completion){.arena = arena_new(), .from = point};
    const char *typed = arena_strndup(out->arena, line, (size_t)point);
    LineCursor at;
    line_cursor(typed, &at);
    Completer f = {.sh = sh, .arena = out->arena, .rest = rest, .deadline = clock_exact_ms() + budget_ms, .out = out};
    Diag kept = diag_aside(diag(sh));
    Arena *scratch = sh->scratch;
    sh->scratch = out->arena;
    f.offset = at.rest;
    f.text = arena_strdup(f.arena, typed + at.rest);
    f.previous = f.detail = "";
    complete_from(&f, f.text);
    if (at.redirect == '>') offer_file(&f);
    else if (at.in_verb && !at.redirect) offer_verb(&f);
    else if (at.lua && !at.redirect) offer_lua(&f);
    else if (at.command && !at.redirect) offer_argument(&f, at.command);
    sh->scratch = scratch;
    diag_back(diag(sh), kept);
    if (f.late) out->items.n = 0;
}

void completion_free(Completion *c)
{
    arena_free(c->arena);
    free(c->items.v);
    *c = (Completion){0};
}
