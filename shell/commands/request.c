/* request: what commands about rewriting are asked for: a strategy, a place, a tag, a move by its number, a rule by its name. */
#include "cmdline.h"
#include "commands.h"
#include "guide.h"
#include "text.h"

#include <string.h>

/* ---- "STRATEGY at PLACE as TAG" ---- */

/* The word that follows keyword `word` (at the last such word outside brackets); *end moves before the keyword. */
static const char *take_clause(Shell *sh, const char *text, const char *word, int *end)
{
    int *starts, *ends;
    int n = line_words(sh->scratch, text, &starts, &ends);
    for (int i = n - 2; i >= 0; i--) {
        size_t len = strlen(word);
        if ((size_t)(ends[i] - starts[i]) != len || strncmp(text + starts[i], word, len) || starts[i] >= *end) continue;
        *end = starts[i];
        return line_word(sh->scratch, text, starts[i + 1], ends[i + 1]);
    }
    return NULL;
}

static bool is_keyword(const char *text, int from, int to)
{
    return to - from == 2 && (!strncmp(text + from, "at", 2) || !strncmp(text + from, "as", 2));
}

static bool is_plain(const char *word)
{
    static const char *const lua[] = {"and", "or", "not", "function", "end"};
    return *word && !word[name_length(word)] && text_index(lua, COUNT(lua), word) < 0;
}

/* `mapGlobal 0` and `reduceSeq /in`, which are no Lua, are mapGlobal(0) and reduceSeq at /in; so is `reduceSeq in /in`. */
static void as_call(Shell *sh, Request *r, const char **place)
{
    int *starts, *ends;
    int n = line_words(sh->scratch, r->strategy, &starts, &ends);
    const char *last = n > 1 ? line_word(sh->scratch, r->strategy, starts[n - 1], ends[n - 1]) : "";
    bool placed = !*place && *last && strchr("/:$'", *last);
    const char *before = placed ? line_word(sh->scratch, r->strategy, starts[n - 2], ends[n - 2]) : "";
    int words = n - placed - (n > 2 && (!strcmp(before, "in") || !strcmp(before, "on") || !strcmp(before, "to")));
    if (n < 2) return;
    if (placed) *place = last, r->strategy = arena_strndup(sh->scratch, r->strategy, (size_t)ends[words - 1]);
    /* `splitJoin n=4, m = 2` is splitJoin{n=4, m = 2} */
    const char *text = r->strategy;
    size_t name = name_length(text), gap = strspn(text + name, " "), key = name_length(text + name + gap);
    const char *equals = text + name + gap + key + strspn(text + name + gap + key, " ");
    bool named = name && gap && key && *equals == '=' && equals[1] != '=' && !strpbrk(text, "({[*+^");
    if (named) r->strategy = arena_printf(sh->scratch, "%.*s{%s}", (int)name, text, text + name + gap);
    if (ANY(i, words, named || !is_plain(line_word(sh->scratch, r->strategy, starts[i], ends[i])))) return;
    Buf call = {0};
    for (int i = 0; i < words; i++)
        buf_printf(&call, "%s%.*s", i == 0 ? "" : i == 1 ? "(" : ", ", ends[i] - starts[i], r->strategy + starts[i]);
    if (words > 1) buf_putc(&call, ')');
    r->strategy = buf_take(&call, sh->scratch);
}

const char *take_tagged(Shell *sh, const char *text, const char **tag)
{
    int end = (int)strlen(text);
    *tag = take_clause(sh, text, "as", &end);
    return arena_trimmed(sh->scratch, text, text + end);
}

bool parse_request(Shell *sh, const Args *a, bool tags, Request *r)
{
    static const char *const verbs[] = {"apply ", "try ", "why "};       /* `why apply splitJoin` asks about splitJoin */
    const char *rest = a->rest;
    for (int i = 0; i < COUNT(verbs) && rest == a->rest; i++)
        if (!strncmp(rest, verbs[i], strlen(verbs[i]))) rest += strlen(verbs[i]) + strspn(rest + strlen(verbs[i]), " ");
    int end = (int)strlen(rest), before_at = end, before_as = end, *starts, *ends;
    const char *place = take_clause(sh, rest, "at", &before_at);
    r->tag = tags ? take_clause(sh, rest, "as", &before_as) : NULL;
    end = before_at < before_as ? before_at : before_as;
    r->strategy = arena_trimmed(sh->scratch, rest, rest + end);
    if (!*rest) return shell_error(sh, E05, "which rule or macro?\nform %s\ntry moves", a->command->form);
    /* Nothing may stand between `at PLACE`, `as TAG` and the end, and no such word without another behind it. */
    int n = line_words(sh->scratch, rest + end, &starts, &ends);
    bool whole = *r->strategy && n % 2 == 0;
    for (int i = 0; i < n; i += 2) whole = whole && is_keyword(rest + end, starts[i], ends[i]);
    n = line_words(sh->scratch, rest, &starts, &ends);
    if (!whole || is_keyword(rest, starts[n - 1], ends[n - 1])) return arg_error(sh, a, "the form is not complete");
    as_call(sh, r, &place);
    r->placed = place != NULL;
    return shell_place(sh, place, &r->at);
}

bool parse_move(Shell *sh, const Version *v, Request *q)
{
    int64_t n;
    Path focus, then;
    const MoveList *list = &sh->moves;
    if (!*q->strategy || strspn(q->strategy, "0123456789") != strlen(q->strategy)) return true;
    if (!list->moves) return shell_error(sh, E14, "no moves were listed yet\ntry moves");
    focus = session_focus(sh->session);
    then = place_path(list->focus);
    if (list->derivation != session_current(sh->session) || list->version != v->number || !path_equal(&focus, &then))
        return shell_error(sh, E14, "move %s belongs to the list for %s@%d; version or focus changed since\ntry moves", q->strategy,
                           list->derivation->name, list->version);
    if (list->count == 0) return shell_error(sh, E14, "the last list of moves is empty");
    if (!whole_number(q->strategy, &n) || n < 1 || n > list->count)
        return shell_error(sh, E14, "there is no move %s: the list of before has %d", q->strategy, list->count);
    q->strategy = list->moves[n - 1].text;
    q->at = place_path(list->moves[n - 1].at);
    q->placed = true;
    return true;
}

/* ---- rules ---- */

bool rule_unknown(Shell *sh, const char *name)
{
    const char *near = rules_suggest(sh->c, session_rules(sh->session), name, guide_may_advise, sh);
    const StrategyName *macro = sh->strategies ? strategies_find(sh->strategies, name) : NULL;
    bool primitive = prim_from_name(name) != PRIM_COUNT;
    if (primitive) return shell_error(sh, E02, "%s is a primitive, not a rule\ntry help /%s", name, name);
    if (macro && macro->kind <= NAME_LOWERING) return shell_error(sh, E02, "%s is a macro, not a rule\ntry list rules", name);
    return shell_error(sh, E02, "no rule called \"%s\"%s\ntry list rules", name, near_text(sh->scratch, near));
}

Rule *rule_named(Shell *sh, const char *name)
{
    Rule *r = rules_find(session_rules(sh->session), name);
    if (!r) rule_unknown(sh, name);
    return r && guide_may_name(sh, NAMED_RULE, name) ? r : NULL;
}

/* ---- what a rewrite works in ---- */

enum { TRACED = 200 };                   /* attempts told of one command */

static void told_attempt(void *data, const Rule *rule, const Term *root, const Path *at, const RuleMisfit *misfit)
{
    Shell *sh = data;
    Buf *out = &sh->out;
    if (sh->traced++ >= TRACED) return;
    buf_printf(out, "  trace   %s at %s: ", rule->name, path_text(sh->c, root, at));
    if (!misfit) buf_puts(out, "applied\n");
    else if (misfit->at.length == at->length) buf_printf(out, "needs %s, found %s\n", misfit->needs, misfit->found);
    else buf_printf(out, "needs %s at %s, found %s\n", misfit->needs, path_text(sh->c, root, &misfit->at), misfit->found);
    if (sh->traced == TRACED) buf_puts(out, "  trace   ... (no more is told)\n");
}

void trace_start(Shell *sh)
{
    bool none = session_setting_is(sh->session, SET_TRACE, "none");
    sh->traced = 0;
    strategies_trace(sh->strategies, none ? NULL : session_setting(sh->session, SET_TRACE), told_attempt, sh);
}

void present_env(Shell *sh, const Version *v, Scope *scope, RewriteEnv *env)
{
    shell_env_now(sh, v, scope, env);
    env->advise = true;
    env->advisable = guide_may_advise;
    env->advisable_data = sh;
}
