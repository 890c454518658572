/* suggest: whole commands for errors that name places: the rule, with its place, that is known to apply there. */
#include "cmdline.h"
#include "commands.h"
#include "guide.h"
#include "text.h"

#include <string.h>

#include "plan.h"

static const char *note_of(const Diag *d, const char *label)
{
    for (int i = 0; i < d->note_count; i++)
        if (!strcmp(d->notes[i].label, label)) return d->notes[i].text;
    return NULL;
}

/* ---- E51: what is still high-level ---- */

/* Does a fold of the work-item that is at work there read it? Then it is the item's own: what others made it could not read. */
static bool is_read_by_item(const Version *v, const Path *at)
{
    bool item = false, read = false;
    const Term *t = v->root;
    for (int i = 0; i < at->length; t = term_slot(t, at->slots[i++])) {
        if (t->kind != T_PRIM) continue;
        const PrimId id = (PrimId)t->prim;
        const bool function = term_slot(t, at->slots[i])->kind == T_LAM;
        if (function && prim_is_parallel(id)) item = id != PRIM_MAP_WORKGROUP, read = false;
        else if (!function && (prim(id)->family == FAM_REDUCE || prim(id)->family == FAM_SCAN)) read = item;
    }
    return read;
}

/* The first place that it names where one of the choices applies. */
static const char *mapped(Shell *sh, const Version *v, const Diag *d)
{
    static const char *const dims[] = {"", "(0)", "(1)", "(2)"};
    for (int i = 0; i < d->note_count; i++) {
        const char *place = d->notes[i].label, *p = strstr(d->notes[i].text, " as ");
        Path at;
        if (*place != '/' || !p || !shell_place(sh, place, &at)) continue;
        if (strstr(p, "mapSeq") && is_read_by_item(v, &at) && result_of(sh, v, "mapSeq", &at))
            return arena_printf(sh->scratch, "apply mapSeq at %s", place);
        size_t n;
        for (p += 4; (n = name_length(p)) > 0; p += n, p += strspn(p, ", "))
            for (int k = 0; k < COUNT(dims); k++) {
                const char *call = arena_printf(sh->scratch, "%.*s%s", (int)n, p, dims[k]);
                if (result_of(sh, v, call, &at)) return arena_printf(sh->scratch, "apply %s at %s", call, place);
            }
    }
    return NULL;
}

/* ---- E52: what needs a memory ---- */

static const char *producer_of(Shell *sh, const Diag *d)
{
    const char *text = note_of(d, "producer");
    if (!text) text = note_of(d, "at");
    return text ? arena_strndup(sh->scratch, text, strcspn(text, " ")) : "";
}

/* With that term, kernels can be made, or what hinders them is elsewhere than at that place. */
static bool helps(Shell *sh, const Version *v, const Term *root, const char *place)
{
    if (shell_plannable(sh, v, root)) return true;
    const char *still = producer_of(sh, diag(sh));
    bool elsewhere = diag(sh)->id == E52 && strncmp(still, place, strlen(place));
    diag_clear(diag(sh));
    return elsewhere;
}

/* A memory or a copy for what is produced there, else for what is made of it. What the items of a group make for one of them to read is in
 * none's private memory, though with a group of one item that would do. */
static const char *placed(Shell *sh, const Version *v, const Diag *d)
{
    static const char *const calls[] = {"toPrivate", "toLocal", "toGlobal", "copySeq", "copyLocal(0)", "copyGlobal(0)"};
    const char *place = producer_of(sh, d), *by = note_of(d, "producer"), *reader = note_of(d, "reader");
    bool shared = by && reader && strstr(by, " mapLocal ") && !strstr(reader, " mapLocal");
    Path at;
    if (*place != '/' || !shell_place(sh, place, &at)) return NULL;
    for (int up = 0; up < 2 && at.length >= up; up++) {
        at.length -= up;
        place = arena_strdup(sh->scratch, path_text(sh->c, v->root, &at));
        for (int i = shared; i < COUNT(calls); i++) {
            const Term *root = result_of(sh, v, calls[i], &at);
            if (root && helps(sh, v, root, place)) return arena_printf(sh->scratch, "apply %s at %s", calls[i], place);
        }
    }
    return NULL;
}

/* ---- E36, E53: kernels that were made for other sizes ---- */

/* Do the sizes that are set keep what v asks of them? */
static bool sizes_fit(Shell *sh, const Version *v)
{
    Values values;
    Diag kept = diag_aside(diag(sh));
    session_given_values(sh->session, v, sh->scratch, &values);
    bool broken = session_violated(sh->session, &values, sh->scratch) != NULL;
    diag_back(diag(sh), kept);
    return !broken;
}

/* The last version before v that nobody lowered, as its number: kernels can be made of it. -1: there is none. */
static int unlowered_before(Shell *sh, const Version *v)
{
    if (!plan_is_lowered(sh->c, v->root) || !guide_allows(sh, NAMED_COMMAND, "lower")) return -1;
    const Version *from = v->from;
    while (from && (plan_is_lowered(sh->c, from->root) || !sizes_fit(sh, from))) from = from->from;
    return from && lower_works(sh, from) ? from->number : -1;
}

static const char *lower_before(Shell *sh, const Version *v)
{
    Diag kept = diag_aside(diag(sh));
    int from = unlowered_before(sh, v);
    diag_back(diag(sh), kept);
    return from >= 0 ? arena_printf(sh->scratch, "goto @%d ; lower", from) : NULL;
}

const char *lower_again(Shell *sh, const Version *v)
{
    return sizes_fit(sh, v) ? NULL : lower_before(sh, v);       /* other kernels would fail as well */
}

/* ---- E12: several places match a pattern ---- */

/* Is the line good with that behind the command's name? Of an error the caller takes care. */
static bool is_good(Shell *sh, const Version *v, const Piece *p, const char *rest)
{
    Request q = {0};
    Args a = {.command = p->command, .rest = rest};
    bool rewrites = p->command->tail == TAIL_STRATEGY && strcmp(p->command->name, "why");
    return !rewrites || (parse_request(sh, &a, true, &q) && result_of(sh, v, q.strategy, &q.at));
}

/* The line with [k] behind the pattern: the first k that it is good for. */
static const char *picked(Shell *sh, const Version *v, const Piece *p, const Diag *d)
{
    enum { PLACES_MOST = 20 };
    const char *pattern = strstr(d->message, "match '"), *found = NULL;
    pattern = pattern ? pattern + strlen("match ") : "";
    const char *at = *pattern ? strstr(p->rest, pattern) : NULL;
    for (int k = 1; at && k <= PLACES_MOST && !found; k++) {
        size_t n = strlen(pattern);
        const char *rest = arena_printf(sh->scratch, "%.*s%s[%d]%s", (int)(at - p->rest), p->rest, pattern, k, at + n);
        bool good = is_good(sh, v, p, rest);
        bool over = diag(sh)->id == E11;     /* there are no more */
        diag_clear(diag(sh));
        if (over) break;
        if (good) found = arena_printf(sh->scratch, "%s %s", p->verb, rest);
    }
    return found;
}

/* ---- E14: a label of an older display ---- */

/* The line with the place that the label names now. */
static const char *relabelled(Shell *sh, const Version *v, const Piece *p, const Diag *d)
{
    const char *label = d->message + strcspn(d->message, ":"), *place = strstr(d->message, "that node is /");
    size_t n = strspn(label + (*label != 0), "0123456789") + 1;
    const char *at = place ? strstr(p->rest, arena_strndup(sh->scratch, label, n)) : NULL;
    if (!at || isdigit((unsigned char)at[n])) return NULL;
    place += strlen("that node is ");
    const char *rest = arena_printf(sh->scratch, "%.*s%.*s%s", (int)(at - p->rest), p->rest, (int)strcspn(place, " "), place, at + n);
    bool good = is_good(sh, v, p, rest);
    diag_clear(diag(sh));
    return good ? arena_printf(sh->scratch, "%s %s", p->verb, rest) : NULL;
}

/* ---- E21, E23: what was asked for is of programs that nobody lowered ---- */

/* The way back to the last version that is not lowered, and there, at its top, what was asked for, with numbers that fit the sizes. */
static const char *applied_before(Shell *sh, const Version *v, const Piece *p)
{
    Request q = {0};
    StrategyResult r;
    Args a = {.command = p->command, .rest = p->rest};
    const Path top = {0};
    const Version *from = v;
    int next;
    while (from && plan_is_lowered(sh->c, from->root)) from = from->from;
    if (!from || from == v || !parse_request(sh, &a, true, &q) || (q.placed && q.at.length)) return diag_clear(diag(sh)), NULL;
    if (!call_result(sh, from, q.strategy, &top, &r, &next)) return NULL;
    const char *call = arena_printf(sh->scratch, "apply %s", q.strategy);
    if (!sizes_allow(sh, from, &r)) {
        note_fitting(sh, from, q.strategy, &top);
        const char *fits = note_of(diag(sh), "try");
        call = fits && !strncmp(fits, "apply ", strlen("apply ")) && !strstr(fits, "leaves it open") ? arena_strdup(sh->scratch, fits) : NULL;
        diag_clear(diag(sh));
    }
    return call ? arena_printf(sh->scratch, "goto @%d ; %s", from->number, call) : NULL;
}

/* Without it, there is nothing to type but a list. */
static bool tries_list_alone(const Diag *d)
{
    const char *line = note_of(d, "try");
    return !line || !strncmp(line, "moves", strlen("moves"));
}

void suggest_whole(Shell *sh, const Piece *p)
{
    const Version *v = session_version(sh->session);
    Diag *d = diag(sh);
    ErrorId id = d->id;
    bool misfits = (id == E21 || id == E23) && p->command && p->command->tail == TAIL_STRATEGY && tries_list_alone(d);
    bool knows = id == E12 || id == E14 || id == E36 || id == E51 || id == E52 || id == E53 || misfits;
    if (!knows || !v || !p->command || sh->captured) return;
    /* of another version than the current one, or of a result that was not kept, the places are not those of a command */
    if (id != E12 && id != E14 && (strchr(p->rest, '@') || !strcmp(p->command->name, "lower"))) return;
    /* in a lesson it is for the student to find which: hints are there */
    if (sh->guided && (id == E51 || id == E52 || misfits)) return;
    Diag kept = diag_aside(d);
    const char *line = misfits ? applied_before(sh, v, p) : id == E12 ? picked(sh, v, p, &kept) : id == E14 ? relabelled(sh, v, p, &kept)
        : id == E36 ? lower_again(sh, v) : id == E53 ? lower_before(sh, v)
        : id == E51 ? mapped(sh, v, &kept) : placed(sh, v, &kept);
    diag_back(d, kept);
    if (!line) return;
    int last = d->note_count - 1;
    bool lower = last >= 0 && (id == E51 || id == E52) && !strcmp(d->notes[last].text, "lower");
    d->note_count -= lower || id == E14; /* what was tried comes first, or instead */
    diag_note(d, id == E36 || (id == E53 && last >= 0) ? "or" : "try", "%s", line);
    if (lower) diag_note(d, "or", "lower");
}
