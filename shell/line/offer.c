/* offer: candidates of a completion: what begins as the word under construction does; places, patterns, versions and marks from the live
 * tree; Lua text: globals, and the fields of a table that a dotted name leads to. */
#include "complete_private.h"
#include "guide.h"
#include "mark.h"
#include "pattern.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <string.h>

enum { RECENT_VERSIONS = 10, GLOSS = 44 };

bool complete_late(Completer *f)
{
    f->late = f->late || clock_exact_ms() > f->deadline;
    return f->late;
}

Candidate *offer(Completer *f, const char *text, const char *gloss)
{
    if (strncmp(text, f->word, strlen(f->word)) || FIND(f->out->items.v, f->out->items.n, text, text)) return NULL;
    char *copy = arena_strdup(f->arena, text);
    Candidate c = {.text = copy, .shown = copy, .gloss = gloss ? arena_strdup(f->arena, gloss) : "", .fits = true};
    vec_push(&f->out->items, c);
    return &f->out->items.v[f->out->items.n - 1];
}

void offer_rules(Completer *f, bool doc)
{
    Rules *rules = session_rules(f->sh->session);
    for (int i = 0; i < rules_count(rules); i++) {
        const Rule *r = rules_get(rules, i);
        if (guide_allows(f->sh, NAMED_RULE, r->name)) offer(f, r->name, r->text && !doc ? r->text : r->doc);
    }
}

void offer_words(Completer *f, const char *words)
{
    for (const char *p = words; *p; p += strspn(p, " |")) {
        size_t n = strcspn(p, " |");
        Candidate *c = offer(f, arena_strndup(f->arena, p, n), NULL);
        if (c) c->more = strchr("(\"", p[n - 1]) != NULL;
        p += n;
    }
}

void complete_from(Completer *f, const char *word)
{
    f->word = word;
    f->out->from = f->offset + (int)(word - f->text);
}

/* The words that stand in the form as they are: "[as NAME]", "[in PLACE]". */
static bool is_typed(Completer *f, const char *keyword) { return strstr(f->text, arena_printf(f->arena, " %s ", keyword)) != NULL; }

void offer_keywords(Completer *f, const Command *c)
{
    const char *words[8];
    int count = 0;
    for (const char *p = strchr(c->form, '['); p && count < COUNT(words); p = strchr(p + 1, '[')) {
        size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz");
        if (n && p[n + 1] == ' ') words[count++] = arena_strndup(f->arena, p + 1, n);
    }
    int from = count;
    while (from > 0 && !is_typed(f, words[from - 1])) from--;
    for (; from < count; from++) offer(f, words[from], NULL);
}

/* ---- places ---- */

void offer_place(Completer *f)
{
    const Version *v = session_version(f->sh->session);
    const char *slash = strrchr(f->word, '/');
    Path base, focus;
    if (!v) return;
    focus = session_focus(f->sh->session);
    base = focus;
    size_t folder = slash ? slash == f->word ? 1 : (size_t)(slash - f->word) : 0;
    if (slash && !path_parse(f->sh->c, v->root, &focus, arena_strndup(f->arena, f->word, folder), &base)) return;
    if (slash) complete_from(f, slash + 1);
    const Term *t = path_term(v->root, &base);
    for (int i = 0; i < term_slot_count(t) && base.length < PATH_MAX_LENGTH; i++) {
        const char *name = term_slot_name(f->sh->c, t, i);
        bool leaf = term_slot_count(term_slot(t, i)) == 0;
        base.slots[base.length++] = (uint8_t)i;
        const char *gloss = arena_printf(f->arena, "%s  %s", show_short(f->sh, v->root, &base, GLOSS),
                                         type_text(f->sh->c, term_slot(t, i)->type));
        Candidate *c = offer(f, leaf ? name : arena_printf(f->arena, "%s/", name), gloss);
        if (c) c->more = !leaf;
        base.length--;
    }
    if (!slash && focus.length) offer(f, "..", "up");
    if (!slash && !*f->word) offer(f, "/", "the root");
    for (int i = 0; i < f->out->items.n; i++) f->out->items.v[i].more |= !strcmp(f->out->items.v[i].text, "/");
    if (!slash) offer_mark(f);
}

/* ---- patterns ---- */

static bool occurs(const Term *t, PrimId id)
{
    Path p = {0};
    do {
        const Term *at = path_term(t, &p);
        if (at->kind == T_PRIM && (PrimId)at->prim == id) return true;
    } while (path_next(t, &p));
    return false;
}

/* Is its last word a constructor, a hole or the end of a part? */
static bool ends_pattern(const char *last)
{
    size_t n = strlen(last);
    return n && (last[n - 1] == ')' || !strcmp(last, "_") || prim_from_name(last) != PRIM_COUNT);
}

/* The pattern as it stands, when it is one that ends with a constructor or a hole: its quote
 * closed, with how often it matches. */
static void offer_whole(Completer *f, const Term *root, const char *last)
{
    if (!ends_pattern(last)) return;
    Source s = {"pattern", f->word + 1, strlen(f->word + 1)};
    SearchPattern *p = pattern_parse(f->sh->c, f->arena, &s);
    Path at = {0};
    int matches = 0;
    diag_clear(diag(f->sh));
    if (!p) return;
    do matches += pattern_matches(f->sh->c, p, root, &at);
    while (!complete_late(f) && path_next(root, &at));
    if (f->late || matches == 0) return;
    Candidate *c = offer(f, arena_printf(f->arena, "%s%c", f->word, *f->word),
                         arena_printf(f->arena, "%d match%s", matches, matches == 1 ? "" : "es"));
    if (c) c->more = true;
}

static void offer_constructors(Completer *f, const Term *root, size_t before, bool here)
{
    for (int i = 0; i < PRIM_COUNT; i++) {
        const Prim *p = prim((PrimId)i);
        if (!isalpha((unsigned char)*p->name) || occurs(root, (PrimId)i) != here) continue;
        Candidate *c = offer(f, arena_printf(f->arena, "%.*s%s", (int)before, f->word, p->name), p->help);
        if (!c) continue;
        c->shown = p->name;
        c->fits = here;
        c->more = true;
    }
}

/* A word of the pattern behind the first n characters. */
static void offer_in_pattern(Completer *f, size_t n, const char *word, const char *gloss)
{
    Candidate *c = offer(f, arena_printf(f->arena, "%.*s%s", (int)n, f->word, word), gloss);
    if (c) c->shown = word, c->more = true;
}

static size_t pattern_last(const Completer *f)       /* where its last word begins */
{
    size_t n = strlen(f->word);
    while (n > 1 && !strchr(" (", f->word[n - 1])) n--;
    return n;
}

static void offer_words_of_pattern(Completer *f, const Term *root, size_t n)
{
    offer_constructors(f, root, n, true);
    if (f->rest || f->out->items.n == 0) offer_constructors(f, root, n, false);
    offer_in_pattern(f, n, "_", "anything");
}

void offer_pattern(Completer *f)
{
    const Version *v = session_version(f->sh->session);
    if (!v || !*f->word) return;
    size_t n = pattern_last(f);
    offer_whole(f, v->root, f->word + n);
    offer_words_of_pattern(f, v->root, n);
}

/* A pattern of what is wanted, which need not be there: what could stand in it, and its quote. */
void offer_sketch(Completer *f)
{
    const Derivation *d = session_current(f->sh->session);
    const Version *v = session_version(f->sh->session);
    bool begins = !*f->previous || !strcmp(f->previous, "through");
    if (!v || (*f->word ? *f->word != '\'' : !begins)) return;
    if (!*f->word) f->word = "'";
    size_t n = pattern_last(f);
    const Program *names = d->program;
    const char *last = f->word + n;
    bool argument = f->word[n - 1] == ' ', whole = ends_pattern(last) || ANY(i, names->input_count, !strcmp(d->inputs[i].name, last));
    Source s = {"sketch", f->word + 1, strlen(f->word + 1)};
    SearchPattern *p = whole ? pattern_parse(f->sh->c, f->arena, &s) : NULL;
    diag_clear(diag(f->sh));
    if (p) {
        bool is = pattern_matches(f->sh->c, p, v->root, &(Path){0});
        Candidate *c = offer(f, arena_printf(f->arena, "%s'", f->word), is ? "what is there has that shape" : "");
        if (c) c->more = true;
    }
    for (int i = 0; i < names->input_count && argument; i++) offer_in_pattern(f, n, d->inputs[i].name, type_text(f->sh->c, d->inputs[i].type));
    for (int i = 0; i < names->size_count && argument; i++) offer_in_pattern(f, n, size_name(names, i), "a size");
    offer_in_pattern(f, n, argument ? "or" : "contains", argument ? "either shape" : "anywhere in it");
    offer_words_of_pattern(f, v->root, n);
}

void offer_rules_and_kinds(Completer *f)
{
    Rules *rules = session_rules(f->sh->session);
    const char *comma = strrchr(f->word, ',');
    if (comma) complete_from(f, comma + 1);
    for (int i = 0; i < rules_count(rules); i++) offer(f, rules_get(rules, i)->kind, "all rules of the kind");
    offer_rules(f, true);
}

/* ---- versions and marks ---- */

void offer_version(Completer *f)
{
    const Derivation *d = session_current(f->sh->session);
    int last = d ? d->versions.n - 1 : -1, shown = 0;
    bool all = f->word[0] && f->word[1];
    for (int i = 0; i <= last; i++) {
        const Version *v = derivation_version(d, i);
        if (v && v->tag) offer(f, arena_printf(f->arena, "@%s", v->tag), arena_printf(f->arena, "@%d  %s", i, v->call));
    }
    for (int i = last; i >= 0 && (all || shown < RECENT_VERSIONS); i--) {
        const Version *v = derivation_version(d, i);
        if (v) shown += offer(f, arena_printf(f->arena, "@%d", i), v->call) != NULL;
    }
}

/* Marks with where each is now; those that are nowhere in this version come with a second Tab. */
void offer_mark(Completer *f)
{
    const Derivation *d = session_current(f->sh->session);
    const Version *v = session_version(f->sh->session);
    for (int i = 0; d && i < d->marks.n; i++) {
        const Mark *m = &d->marks.v[i];
        PlaceNow now = session_mark_now(f->sh->session, m, v);
        bool here = now.fate == PLACE_HERE;
        if (!here && !f->rest) continue;
        Candidate *c = offer(f, arena_printf(f->arena, "$%s", m->name),
                             here ? path_text(f->sh->c, v->root, &now.at) : "not in this version");
        if (c) c->fits = here;
    }
}

/* ---- Lua ---- */

/* A command that is not in the lesson yet. */
static bool is_kept_verb(const Completer *f, const char *name)
{
    const Command *c = command_find(NULL, name, NULL);
    return c && !strcmp(c->name, name) && !guide_allows(f->sh, NAMED_COMMAND, name);
}

void offer_lua(Completer *f)
{
    size_t end = strlen(f->text), from = end, word = end;        /* of the dotted name, of its last part */
    while (from && (is_name_char(f->text[from - 1]) || strchr(".:", f->text[from - 1]))) from--;
    while (word > from && is_name_char(f->text[word - 1])) word--;
    complete_from(f, f->text + word);
    const char *path = arena_strndup(f->arena, f->text + from, word > from ? word - from - 1 : 0);
    Strategies *s = shell_strategies(f->sh);
    if (!s) return;
    if (!strcmp(path, "t")) {
        /* The session object has every command as a field. */
        for (int i = 0; i < command_count(); i++) {
            const Command *command = command_get(i);
            if (is_kept_verb(f, command->name)) continue;
            Candidate *c = offer(f, arena_printf(f->arena, "%s(", command->name), command->help);
            if (c) c->more = true;
        }
    }
    strategies_limit(s, &(StrategyLimits){.stop = f->sh->stop, .instructions = 1000000});
    int n;
    const char **names = strategies_members(s, path, f->arena, &n);
    for (int i = 0; i < n; i++) {
        if (!strcmp(path, "t") && is_kept_verb(f, names[i])) continue;
        const StrategyName *known = *path ? NULL : strategies_find(s, names[i]);
        Candidate *c = *names[i] == '_' && *f->word != '_' ? NULL : offer(f, names[i], known ? known->doc : NULL);
        if (c) c->more = true;
    }
    shell_strategy_limits(f->sh);
    if (*path) return;
    /* Rules, macros and what else strategy text may name are globals too. */
    for (int i = 0; i < strategies_name_count(s); i++) {
        const StrategyName *known = strategies_name(s, i);
        if (guide_allows_name(f->sh, known)) offer(f, known->name, known->doc);
    }
    if (*f->word) offer_rules(f, false);
    for (int i = 0; i < f->out->items.n; i++) f->out->items.v[i].more = true;
}
