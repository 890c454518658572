/* goal: does a goal hold of a version, and what is missing. */
#include "lesson.h"
#include "commands.h"
#include "show.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "pattern.h"
#include "plan.h"
#include "text.h"

typedef struct Judging {
    Shell *sh;
    const LessonGoal *g;
    const Version *v;
    GoalVerdict out;
} Judging;

PRINTF_LIKE(2, 3) static void lacks(Judging *k, const char *fmt, ...)
{
    bool found = k->g->kind == GOAL_PARAM || k->g->kind == GOAL_LUA;         /* of these the words are the goal, and more is known */
    k->out.missing = k->g->words && !found ? k->g->words : FORMATTED(k->sh->scratch, fmt);
}

/* ---- patterns ---- */

static SearchPattern *read_pattern(Shell *sh, const char *text)
{
    return pattern_parse(sh->c, sh->scratch, MAKE(sh->scratch, Source, "pattern", text, strlen(text)));
}

/* What a pattern needs where it comes nearest to matching: at a place, or anywhere. */
static void nearest(Judging *k, const SearchPattern *p, bool anywhere)
{
    Path at = {0}, best_at = {0};
    PatternMiss miss, best = {0};
    int most = 0;
    do {
        const Term *t = path_term(k->v->root, &at);
        if (anywhere && (t->kind != T_PRIM || t->prim != pattern_head(p))) continue;
        int progress = pattern_mismatch(k->sh->c, p, k->v->root, &at, &miss);
        if (progress > most) most = progress, best = miss, best_at = at;
    } while (anywhere && path_next(k->v->root, &at));
    const Path *w = &best.where;
    bool elsewhere = anywhere && best_at.length > 0 && strcmp(best.needs ? best.needs : "", k->g->name);
    if (most)
        lacks(k, "%s is %s; wanted there: %s%s%s", path_text(k->sh->c, k->v->root, w),
              lang_text(k->sh->c, k->v->root, w->slots, w->length, 50), best.needs, elsewhere ? ", for " : "",
              elsewhere ? k->g->name : "");
    else if (anywhere) lacks(k, "nothing in %s is %s", version_name(k->sh, k->v), k->g->name);
    else
        lacks(k, "%s is %s; wanted: %s", version_name(k->sh, k->v), show_typed(k->sh, k->v->root, &(Path){0}, 60),
              k->g->name);
}

/* A name in a pattern that is none in the term matches anything. Not so one that a goal of the part binds: where it stands a number does not. */
static bool is_parameter_missing(const Judging *k, const SearchPattern *p)
{
    const LessonPart *part = lesson_part(k->sh);
    const char *name = pattern_free_name(k->sh->c, p, k->v->root);
    return name && ANY(i, part->goals.n, part->goals.v[i].kind == GOAL_PARAM && part->goals.v[i].name && !strcmp(part->goals.v[i].name, name));
}

bool goal_matches(Ctx *c, GoalKind kind, const SearchPattern *p, const Term *root, Path *at)
{
    *at = (Path){0};
    bool found = pattern_matches(c, p, root, at);
    while (!found && kind != GOAL_TERM && path_next(root, at)) found = pattern_matches(c, p, root, at);
    return found;
}

/* The term of a version, with numbers where parameters are bound: split s0, s0 being 4, is split 4. */
static const Term *with_numbers(Shell *sh, const Version *v)
{
    Binding *b = MAKE_LIST(sh->scratch, Binding, i, v->param_count, (Binding){v->params[i].name, VAR_PARAM, v->params[i].value > 0, v->params[i].value});
    return bindings_term(sh->c, v->root, b, v->param_count, false);
}

/* A pattern of the body, somewhere in it, nowhere. */
static void judge_pattern(Judging *k)
{
    const Shell *sh = k->sh;
    const SearchPattern *p = read_pattern(k->sh, k->g->name);
    Path at;
    if (!p) return;
    bool never = is_parameter_missing(k, p), found = !never && goal_matches(sh->c, k->g->kind, p, k->v->root, &at);
    if (!found && !never && k->g->kind != GOAL_NO) found = goal_matches(sh->c, k->g->kind, p, with_numbers(k->sh, k->v), &at);
    if (found && k->g->kind == GOAL_NO)
        lacks(k, "%s is still %s", path_text(sh->c, k->v->root, &at), show_typed(k->sh, k->v->root, &at, 60));
    else if (!found && k->g->kind != GOAL_NO) nearest(k, p, k->g->kind == GOAL_HAS);
}

/* ---- what a version is ---- */

static void judge_param(Judging *k)
{
    const Version *v = k->v;
    if (!k->g->name) {
        int i = session_unbound(v);
        if (i >= 0) lacks(k, "%s is not bound        param %s", v->params[i].name, v->params[i].name);
        return;
    }
    for (int i = 0; i < v->param_count; i++) {
        const TuneParam *p = &v->params[i];
        if (strcmp(p->name, k->g->name)) continue;
        if (!p->value) lacks(k, "%s is not bound        param %s", p->name, p->name);
        else if (k->g->value && p->value != k->g->value && k->g->words)   /* which are the goal's own text */
            lacks(k, "%s is %lld", p->name, (long long)p->value);
        else if (k->g->value && p->value != k->g->value)
            lacks(k, "%s is %lld; wanted: %lld", p->name, (long long)p->value, (long long)k->g->value);
        return;
    }
    lacks(k, "%s has no parameter %s", version_name(k->sh, v), k->g->name);
}

static void judge_lowered(Judging *k)
{
    if (plan_is_lowered(k->sh->c, k->v->root)) return;
    const Diag *d = diag(k->sh);
    LOCAL(buf_free) Buf b = {0};
    int shown = 0;
    for (int i = 0; i < d->note_count; i++) {
        if (*d->notes[i].label != '/') continue;
        const char *text = d->notes[i].text;
        buf_printf(&b, "%s%s is still %.*s", shown ? ", " : "", d->notes[i].label, (int)strcspn(text, " "), text);
        shown++;
    }
    lacks(k, "%s: high-level pattern%s", buf_text(&b), shown == 1 ? "" : "s");
}

/* ---- what was measured ---- */

double goal_ratio(Shell *sh, const Version *v, const char *ref)
{
    const Version *to = session_ref(sh->session, ref);
    const RunNote *mine = v->run, *other = to ? to->run : NULL;
    bool both = mine && other && mine->turns && mine->turns == other->turns && other->turns_ns > 0;
    return both ? mine->turns_ns / other->turns_ns : 0;
}

/* The file defines the function, which is called with t: true, or false and what is missing. */
static void judge_lua(Judging *k)
{
    Shell *sh = k->sh;
    LOCAL(buf_free) Buf printed = {0};
    json_auto_t *values = NULL;
    const char *file = arena_printf(sh->scratch, "%s/%s", lesson_on(sh)->lesson->dir, k->g->name);
    const char *text = text_read(diag(sh), sh->scratch, file, sh->stop, NULL);
    Strategies *s = text ? shell_strategies(sh) : NULL;
    bool own = sh->guided->own;
    sh->guided->own = true;
    LuaChunk chunk = {.name = arena_printf(sh->scratch, "=%s", k->g->name), .expression = true, .out = &printed,
                      .values = &values, .text = ""};
    if (text) chunk.text = arena_printf(sh->scratch, "(function() %s\nreturn %s(t) end)()", text, k->g->function);
    bool ok = s && strategies_lua(s, &chunk);
    sh->guided->own = own;
    const char *why = json_string_value(json_array_get(values, 1));
    if (!ok) lacks(k, "%s", diag(sh)->message ? diag(sh)->message : "its Lua failed");
    else if (!json_is_true(json_array_get(values, 0)))
        lacks(k, "%s", why ? why : k->g->words ? k->g->words : "it is not what it should be yet");
}

/* ---- judging ---- */

static void judge(Judging *k)
{
    Shell *sh = k->sh;
    const char *name = k->g->name, *version = k->v ? version_name(sh, k->v) : "";
    const Rule *r = k->g->kind == GOAL_CHECKED || k->g->kind == GOAL_REFUTED ? rules_find(session_rules(sh->session), name) : NULL;
    const Version *ref = k->g->kind == GOAL_EQUAL || k->g->kind == GOAL_TIME ? session_ref(sh->session, name) : NULL;
    const char *why;
    double ratio;
    switch (k->g->kind) {
    case GOAL_TERM: case GOAL_HAS: case GOAL_NO: judge_pattern(k); break;
    case GOAL_HASH:
        if (strncmp(hash_text(sh, k->v->hash), name, strlen(name)))
            lacks(k, "%s is another version than the one wanted: its hash is %s", version, hash_text(sh, k->v->hash));
        break;
    case GOAL_TRUST:
        why = version_assumed(sh, k->v);
        if ((int64_t)k->v->trust > k->g->value)
            lacks(k, "%s rests on %s%s", version, why ? "the " : "a rule that is ", why ? why : trust_name(k->v->trust));
        break;
    case GOAL_PARAM: judge_param(k); break;
    case GOAL_LOWERED: judge_lowered(k); break;
    case GOAL_EQUAL:
        if (!ref) lacks(k, "there is no %s", name);
        else if (ref->root != k->v->root) lacks(k, "%s differs from %s        diff %s", version, name, name);
        break;
    case GOAL_CHECKED: case GOAL_REFUTED:        /* a rule of the student's */
        if (!r) lacks(k, "there is no rule %s        rule %s: LEFT => RIGHT", name, name);
        else if (k->g->kind == GOAL_CHECKED && r->trust == TRUST_ASSUMED)
            lacks(k, "%s %s        check %s", name, r->refuted ? "was refuted" : "was not checked yet", name);
        else if (k->g->kind == GOAL_REFUTED && !r->refuted)
            lacks(k, "no counterexample to %s is known        check %s", name, name);
        break;
    case GOAL_RAN:
        if ((lesson_now(sh)->ran && lesson_now(sh)->ran == k->v->hash) || (k->v->run && k->v->run->verified)) break;
        k->out.judged = k->v->run != NULL;
        lacks(k, "%s did not run yet, its result verified        run", version);
        break;
    case GOAL_TIME:
        ratio = ref ? goal_ratio(sh, k->v, name) : 0;
        k->out.judged = ratio > 0;
        if (!ref) lacks(k, "there is no %s", name);
        else if (ratio == 0)
            lacks(k, "both are to be timed in turns        run @%d @%d", ref->number, k->v->number);
        else if (ratio > k->g->factor)
            lacks(k, "%s takes %s of the time of %s; wanted: %g", version,
                  show_times(sh) ? arena_printf(sh->scratch, "%.2f", ratio) : "-", name, k->g->factor);
        break;
    case GOAL_ANSWER:
        if (!lesson_now(sh)->answer) lacks(k, "%s", goal_words(sh, k->g));
        break;
    case GOAL_LUA: judge_lua(k); break;
    }
}

GoalVerdict goal_judge(Shell *sh, const LessonGoal *g, const Version *v)
{
    Judging k = {sh, g, v, {.judged = true}};
    bool anyhow = g->kind == GOAL_CHECKED || g->kind == GOAL_REFUTED || g->kind == GOAL_ANSWER || g->kind == GOAL_LUA;
    diag_clear(diag(sh));
    if (!v && !anyhow) lacks(&k, "no program is loaded");
    else judge(&k);
    diag_clear(diag(sh));
    k.out.holds = !k.out.missing;
    k.out.judged = k.out.judged || k.out.holds;
    return k.out;
}

bool goal_equal(Shell *sh, const Version *v, int trials, const char **difference)
{
    LessonRun *run = lesson_on(sh);
    const Derivation *d = session_current(sh->session);
    bool known = run && run->asked == v->hash && run->trials >= trials && (!difference || run->equal);
    if (difference) *difference = NULL;
    if (v->number == 0 || v->root == d->versions.v[0]->root) return true;
    if (known) return run->equal;
    CheckResult k = source_check(sh, v, trials, 1);
    /* where no instance can be made, what the rules promise has to do */
    bool equal = k.verdict == CHECK_PASSED || (k.verdict == CHECK_IMPOSSIBLE && v->trust != TRUST_ASSUMED);
    const char *found = k.difference ? k.difference : k.reason ? k.reason : "";
    if (difference && !equal) *difference = arena_strdup(sh->scratch, found);
    if (run) run->asked = v->hash, run->trials = trials, run->equal = equal;
    diag_clear(diag(sh));
    return equal;
}

const char *goal_doubt(const Shell *sh, const Version *v)
{
    const RunNote *run = v->run;
    const PartProgress *p = lesson_now(sh);
    if ((run && run->verified) || (p->ran && p->ran == v->hash)) return NULL;
    if (run && run->state == STATE_WRONG) return "on the device its result was another one        run";
    return v->code ? "its kernel was edited: what it computes, a run will say        run" : NULL;
}

bool goals_hold(Shell *sh, const Version *v)
{
    const LessonPart *part = lesson_part(sh);
    return ALL(i, part->goals.n, part->goals.v[i].kind == GOAL_ANSWER || goal_judge(sh, &part->goals.v[i], v).holds);
}

/* ---- answers ---- */

/* A whole number however it is spelt, 64.0, 1,024, 2^6, N = 64 or 64 elements, as digits; else as it is typed. */
static const char *number_meant(Arena *arena, const char *answer)
{
    LOCAL(buf_free) Buf b = {0};
    char *end;
    int64_t n;
    if (*answer == '-' && answer[1] == ' ') answer = arena_printf(arena, "-%s", answer + 1 + strspn(answer + 1, " "));
    size_t name = name_length(answer), gap = strspn(answer + name, " ");
    const char *from = answer + (name && answer[name + gap] == '=' ? name + gap + 1 : 0);
    for (const char *p = from + strspn(from, " "); *p; p++) {
        size_t digits = strspn(p + 1, "0123456789");
        bool groups = strchr(",_ ", *p) && p > from && isdigit((unsigned char)p[-1]) && digits == 3;
        if (*p == ' ' && isalpha((unsigned char)p[1]) && !strpbrk(p + 1, "0123456789")) break;       /* what is counted */
        if (!groups) buf_putc(&b, *p);
    }
    double x = strtod(buf_text(&b), &end);
    bool whole = end != buf_text(&b) && !*end && x == floor(x) && fabs(x) < 1e15;
    if (whole_number(buf_text(&b), &n)) return arena_printf(arena, "%lld", (long long)n);
    return whole ? arena_printf(arena, "%.0f", x == 0 ? 0 : x) : answer;
}

/* What two spellings of a choice have in common: without blanks, quotes, an article, the first / of a path. */
static const char *choice_form(Arena *arena, const char *text)
{
    static const char *const articles[] = {"the ", "an ", "a "};
    Buf b = {0};
    for (int i = 0; i < COUNT(articles); i++)
        if (!strncasecmp(text, articles[i], strlen(articles[i]))) text += strlen(articles[i]);
    text += *text == '/' && text[1];
    for (; *text; text++)
        if (!strchr(" \t'\"`", *text)) buf_putc(&b, (char)tolower((unsigned char)*text));
    return buf_take(&b, arena);
}

/* A choice by its text, its number in the list, or words that only one of them has; else as it is typed. */
const char *answer_meant(Arena *arena, const LessonAsk *ask, const char *answer)
{
    const char *found = NULL;
    int several = 0;
    size_t length = strlen(answer += strspn(answer, " \t"));
    while (length && strchr(" \t", answer[length - 1])) length--;
    answer = arena_strndup(arena, answer, length);
    if (ask->kind == ASK_NUMBER) return number_meant(arena, answer);
    if (ask->kind != ASK_CHOICE || !length) return answer;
    const char *form = choice_form(arena, answer);
    for (int i = 0; *form && i < ask->choices.n; i++) {
        if (!strcmp(choice_form(arena, ask->choices.v[i]), form)) return ask->choices.v[i];
        const char *p = ask->choices.v[i];       /* does a word of it, and what follows, begin so? */
        while (*p && strncmp(choice_form(arena, p), form, strlen(form))) p += strcspn(p, " "), p += *p == ' ';
        if (!*p) continue;
        found = ask->choices.v[i];
        several++;
    }
    bool numbers = true;                 /* `w = 16` and `63 draws` are numbers, where all choices are */
    for (int i = 0; i < ask->choices.n; i++)
        numbers = numbers && strspn(ask->choices.v[i], "0123456789") == strlen(ask->choices.v[i]);
    if (numbers && strcmp(number_meant(arena, answer), answer)) return answer_meant(arena, ask, number_meant(arena, answer));
    const char *comma = strchr(answer, ',');
    if (comma && !several) return answer_meant(arena, ask, arena_strndup(arena, answer, (size_t)(comma - answer)));
    size_t digits = strspn(answer, "0123456789");
    int k = digits && !answer[digits] && digits < 6 ? atoi(answer) : 0;
    if (k >= 1 && k <= ask->choices.n) return ask->choices.v[k - 1];
    return several == 1 ? found : answer;
}

bool answer_right(Shell *sh, const LessonAsk *ask, const char *answer, const Version *v)
{
    answer = answer_meant(sh->scratch, ask, answer);
    if (ask->kind == ASK_PATTERN) {
        if (!v) return false;
        SearchPattern *p = read_pattern(sh, answer), *q = p ? read_pattern(sh, ask->answer) : NULL;
        Path at = {0};
        if (!q) return false;
        do {
            if (pattern_matches(sh->c, p, v->root, &at) != pattern_matches(sh->c, q, v->root, &at)) return false;
        } while (path_next(v->root, &at));
        return true;
    }
    if (ask->kind == ASK_NUMBER) return strtoll(answer, NULL, 10) == strtoll(ask->answer, NULL, 10);
    return !strcasecmp(answer, ask->answer);
}

/* ---- in words ---- */

const char *goal_words(Shell *sh, const LessonGoal *g)
{
#define WORDS(kind, name, words) words,
    static const char *const words[] = {GOALS(WORDS)};
#undef WORDS
    bool hidden = g->kind <= GOAL_HASH || g->kind == GOAL_LUA;           /* the term is for the student to find */
    if (hidden && g->words) return g->words;
    if (g->kind == GOAL_TRUST && g->value == TRUST_BUILTIN) return "it rests on built-in rules only";
    if (g->kind == GOAL_PARAM && !g->name) return "all parameters are bound";
    if (g->kind == GOAL_PARAM && g->value)   /* the value is for the student to find */
        return g->words ? arena_printf(sh->scratch, "%s: %s", g->name, g->words)
                        : arena_printf(sh->scratch, "%s = %lld", g->name, (long long)g->value);
    return arena_printf(sh->scratch, words[g->kind], g->name, g->factor);
}
