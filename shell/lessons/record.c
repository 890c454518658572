/* record: `lesson record`: the present session as the skeleton of a lesson. Each tag is a part, the tagged version
 * its goal, the steps to it the solution, what else was tried there wrong answers; what is to be said is left to the author. */
#include "lesson.h"
#include "export.h"
#include "pattern.h"
#include "show.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The commands that export_script writes for a way, by what they are for. */
enum { DEFINITIONS, DATA, RULES, STEPS, KINDS };
typedef struct Way {
    Texts lines[KINDS];                  /* as typed; declarations over several lines end these with \ */
    int count;                           /* of versions on it */
} Way;

typedef struct Recording {
    Shell *sh;
    const char *dir;
    bool force;
    Buf page;
    int parts;
} Recording;

/* ---- a way as commands ---- */

static bool begins(const char *text, const char *word) { return !strncmp(text, word, strlen(word)); }

static bool has_text(const Texts *all, const char *text) { return text_index(all->v, all->n, text) >= 0; }

static void way_free(Way *w) { for (int i = 0; i < KINDS; i++) free(w->lines[i].v); }

/* False: E40. The program is the current one. */
static bool read_way(Shell *sh, const Version *from, const Version *to, Way *out)
{
    LOCAL(buf_free) Buf script = {0};
    ExportRange range = {.from = from, .to = to};
    bool ok = export_script(sh, &range, &script), stepping = false;
    *out = (Way){0};
    for (const char *p = buf_text(&script); ok && *p;) {
        /* without its line break: with lines that go on behind \, Lua up to its end */
        const char *stop = p + strcspn(p, "\n");
        bool chunk = begins(p, "lua do"), code = begins(p, "lua t.code");
        while (*stop && (stop[-1] == '\\' || (chunk && strncmp(stop - 4, "\nend", 4)) || (code && stop[-1] != '}')))
            stop += 1 + strcspn(stop + 1, "\n");
        const char *command = arena_strndup(sh->scratch, p, (size_t)(stop - p));
        p = stop + (*stop != 0);
        bool expect = begins(command, "expect ");
        if (expect && stepping) out->count++;
        stepping = stepping || expect;
        if (expect || begins(command, "#") || begins(command, "tag ") || begins(command, "note ")) continue;
        Texts *kind = &out->lines[stepping ? STEPS : begins(command, "let ") ? DEFINITIONS : begins(command, "data ") ? DATA : RULES];
        vec_push(kind, command);
    }
    return ok;
}

static bool write_file(Recording *r, const char *name, const Buf *text)
{
    Shell *sh = r->sh;
    const char *file = arena_printf(sh->scratch, "%s/%s", r->dir, name);
    if (!r->force && access(file, F_OK) == 0)
        return shell_error(sh, E17, "%s is there already\ntry lesson record %s --force", file, r->dir);
    return file_write(diag(sh), file, buf_text(text), text->len);
}

static void put_block(Recording *r, const char *directive, const Texts *lines)
{
    buf_printf(&r->page, "```%s\n", directive);
    for (int i = 0; i < lines->n; i++) buf_printf(&r->page, "%s\n", lines->v[i]);
    buf_puts(&r->page, "```\n");
}

/* ---- programs ---- */

/* The commands before the first step: the program under a name of its own, data, the rules of all parts. */
static bool put_load(Recording *r, const Derivation *d, const Way *whole, int times, Texts *load)
{
    Arena *a = r->sh->scratch;
    LOCAL(buf_free) Buf text = {0};
    for (int i = 0; i < whole->lines[DEFINITIONS].n; i++) {
        for (const char *p = whole->lines[DEFINITIONS].v[i]; *p; p++)
            if (!(p[0] == ' ' && p[1] == '\\' && p[2] == '\n') && !(p[0] == '\\' && p[1] == '\n')) buf_putc(&text, *p);
        buf_putc(&text, '\n');
    }
    bool ok = times || write_file(r, arena_printf(a, "%s.fun", d->name), &text);
    if (!ok) return false;
    vec_push(load, times == 0 ? arena_printf(a, "load %s.fun", d->name)
                   : arena_printf(a, "load %s.fun as %s_%d", d->name, d->name, times + 1));
    for (int i = 0; i < whole->lines[DATA].n; i++) vec_push(load, whole->lines[DATA].v[i]);
    for (int i = 0; i < d->versions.n && times == 0; i++) {
        const Version *v = derivation_version(d, i);
        Way way = {0};
        if (v && v->tag && i > 0 && !read_way(r->sh, derivation_version(d, 0), v, &way)) return way_free(&way), false;
        for (int k = 0; k < way.lines[RULES].n; k++)
            if (!has_text(load, way.lines[RULES].v[k])) vec_push(load, way.lines[RULES].v[k]);
        way_free(&way);
    }
    return true;
}

/* ---- goals as patterns ---- */

/* t as a pattern of its form, so many levels of it: `_` for values, functions of numbers and lengths that are not numbers. */
static void put_form(Ctx *c, const Term *t, int levels, Buf *out)
{
    const Prim *of = t->kind == T_PRIM ? prim((PrimId)t->prim) : NULL;
    if (t->kind == T_LAM) {
        size_t from = out->len;
        buf_puts(out, "(\\_ -> ");
        size_t body = out->len;
        put_form(c, t->args[0], levels, out);
        if (!strcmp(buf_text(out) + body, "_")) out->len = from, buf_putc(out, '_');
        else buf_putc(out, ')');
        return;
    }
    if (!of || !levels || of->family == FAM_SCALAR || of->family == FAM_BIND || !isalpha((unsigned char)*of->name)) {
        buf_putc(out, '_');
        return;
    }
    buf_puts(out, of->name);
    for (int i = 0; i < t->static_count; i++) {
        bool number = prim_static_kind(c, (PrimId)t->prim, i) != STATIC_MODE && t->statics[i]->is_const;
        buf_printf(out, number ? " %lld" : " _", number ? (long long)t->statics[i]->value : 0);
    }
    for (int i = 0; i < t->arg_count; i++) {
        LOCAL(buf_free) Buf part = {0};
        put_form(c, t->args[i], levels - 1, &part);
        bool apart = strchr(buf_text(&part), ' ') && *buf_text(&part) != '(';
        buf_printf(out, apart ? " (%s)" : " %s", buf_text(&part));
    }
}

/* Proposes the goal if it holds of the version, but not where the part begins. */
static bool put_form_goal(Recording *r, GoalKind kind, const char *form, const Version *from, const Version *v)
{
    Ctx *c = r->sh->c;
    Diag kept = diag_aside(diag(r->sh));
    Path at;
    const SearchPattern *p = strlen(form) > 1 ? pattern_parse(c, r->sh->scratch, MAKE(r->sh->scratch, Source, "goal", form, strlen(form))) : NULL;
    bool no = kind == GOAL_NO, holds = p && goal_matches(c, kind, p, v->root, &at) != no && goal_matches(c, kind, p, from->root, &at) == no;
    diag_back(diag(r->sh), kept);
    if (holds) buf_printf(&r->page, "%s %s -- TODO: in words, or leave it out\n", kind == GOAL_TERM ? "term" : no ? "no" : "has", form);
    return holds;
}

/* Patterns that say what is new: the form of the whole; of the first part that is new; of the first that is gone. */
static void put_forms(Recording *r, const Version *from, const Version *v)
{
    enum { WIDTH = 100, LEVELS = 8 };
    Ctx *c = r->sh->c;
    LOCAL(buf_free) Buf form = {0};
    for (int levels = LEVELS; levels; levels--) {
        form.len = 0;
        put_form(c, v->root, levels, &form);
        if (form.len <= WIDTH) break;
    }
    put_form_goal(r, GOAL_TERM, buf_text(&form), from, v);
    for (int gone = 0; gone < 2; gone++) {
        const Term *root = gone ? from->root : v->root;
        bool put = false;
        Path at = {0};
        do {
            form.len = 0;
            put_form(c, path_term(root, &at), 1, &form);
            put = put_form_goal(r, gone ? GOAL_NO : GOAL_HAS, buf_text(&form), from, v);
        } while (!put && path_next(root, &at));
    }
}

/* ---- wrong answers ---- */

/* The first step to v as a question, if others were tried there that lead to no tag: these are its wrong answers. The right one; NULL: none. */
static const char *put_question(Recording *r, const Derivation *d, const Version *from, const Version *v)
{
    LOCAL(drop) Texts calls = {0};
    const Version *first = v;
    while (first->parent != from->number) first = derivation_version(d, first->parent);
    vec_push(&calls, first->call);
    LOCAL(buf_free) Buf wrong = {0};
    for (int i = from->first_child; i >= 0; i = derivation_version(d, i)->next_sibling) {
        const Version *other = derivation_version(d, i);
        bool leads = false;
        for (int k = 0; k < d->versions.n; k++) {
            const Version *tagged = derivation_version(d, k);
            leads = leads || (tagged && tagged->tag && session_ancestor(other, tagged) == other);
        }
        if (leads || has_text(&calls, other->call)) continue;
        vec_push(&calls, other->call);
        buf_printf(&wrong, "not %s: TODO: why not? It makes  %s\n", other->call, show_typed(r->sh, other->root, &(Path){0}, 60));
    }
    if (calls.n < 2) return NULL;
    buf_printf(&r->page, "```ask\nTODO: Which step leads to %s?\nchoice %s", v->tag, calls.v[1]);
    for (int i = 0; i < calls.n; i++)
        if (i != 1) buf_printf(&r->page, " | %s", calls.v[i]);
    buf_printf(&r->page, "\nanswer %s\nbecause TODO: why.\n%s```\n", first->call, buf_text(&wrong));
    return first->call;
}

/* A part goes on where the one before ended, if that is on its way; else the program is loaded once more. */
static bool put_program(Recording *r, const Derivation *d)
{
    const Version *last = NULL, *source = derivation_version(d, 0);
    int times = 0;
    for (int i = 1; i < d->versions.n; i++) {
        const Version *v = derivation_version(d, i);
        if (!v || !v->tag) continue;
        Way way;
        LOCAL(drop) Texts load = {0};
        bool on = last && session_ancestor(last, v) == last;
        bool ok = read_way(r->sh, on ? last : source, v, &way) && (on || put_load(r, d, &way, times++, &load));
        if (ok) {
            buf_printf(&r->page, "\n## %s\n\nTODO: what is to be done, and why. Of its goals keep the hash, which this term alone has, or the patterns, which other ways reach, too.\n\n", v->tag);
            if (load.n) put_block(r, "load", &load);
            const char *answer = put_question(r, d, on ? last : source, v);
            buf_printf(&r->page, "```goal\nhash %s -- TODO: the goal in words\n", hash_text(r->sh, v->hash));
            put_forms(r, on ? last : source, v);
            buf_puts(&r->page, "```\n");
            buf_printf(&r->page, "```steps <= %d\n```\n", way.count);
            LOCAL(drop) Texts seen = {0};
            buf_puts(&r->page, "```hint\nTODO: the idea.\n```\n```hint\nWhat is needed: ");
            for (int j = 0; j < way.lines[STEPS].n; j++) {
                const char *p = way.lines[STEPS].v[j];
                if (begins(p, "apply ")) p += 6;
                const char *name = arena_strndup(r->sh->scratch, p, strcspn(p, "({ \n"));
                if (has_text(&seen, name)) continue;
                buf_printf(&r->page, "%s%s", seen.n ? ", " : "", name);
                vec_push(&seen, name);
            }
            buf_puts(&r->page, ".\n```\n");
            if (way.lines[STEPS].n > 1) buf_printf(&r->page, "```hint\nThe first step: %s\n```\n", way.lines[STEPS].v[0]);
            if (answer) vec_push(&way.lines[STEPS], arena_printf(r->sh->scratch, "lesson check %s", answer));
            put_block(r, "hint", &way.lines[STEPS]);
            put_block(r, "solution", &way.lines[STEPS]);
            r->parts++;
        }
        way_free(&way);
        if (!ok) return false;
        last = v;
    }
    return true;
}

static bool put_programs(Recording *r)
{
    Shell *sh = r->sh;
    const Derivation *current = session_current(sh->session);
    bool ok = true;
    for (int i = 0; i < session_count(sh->session) && ok; i++) {
        const Derivation *d = session_get(sh->session, i);
        const Version *tagged = derivation_next(d, derivation_version(d, 0));
        while (tagged && !tagged->tag) tagged = derivation_next(d, tagged);
        if (!tagged) continue;
        session_use(sh->session, d->name);
        if (mkdir(r->dir, 0777) && errno != EEXIST) ok = shell_error(sh, E06, "cannot make %s: %s", r->dir, strerror(errno));
        ok = ok && put_program(r, d);
    }
    if (current) session_use(sh->session, current->name);
    if (!ok || r->parts || (!current && !shell_version(sh))) return ok && r->parts;
    return shell_error(sh, E13, "no version has a tag: each tagged version becomes the goal of a part\ntry tag NAME");
}

bool lesson_record(Shell *sh, const Args *a)
{
    const char *where = arg(a, 1);
    if (sh->restricted) return shell_error(sh, E05, "files are off with --restricted");
    if (!where) return shell_error(sh, E05, "record into which folder?\ntry lesson record mylesson");
    Recording r = {.sh = sh, .dir = where, .force = arg_flag(a, "force")};
    size_t n = strlen(where);
    while (n > 1 && where[n - 1] == '/') n--;
    r.dir = arena_strndup(sh->scratch, where, n);
    const char *name = strrchr(r.dir, '/') ? strrchr(r.dir, '/') + 1 : r.dir;
    buf_printf(&r.page, "# %s\n\nTODO: what this lesson is about.\n", name);
    bool ok = put_programs(&r) && write_file(&r, "lesson.md", &r.page);
    const char *path = strchr(where, '/') ? r.dir : arena_printf(sh->scratch, "./%s", r.dir), *s = plural(r.parts);
    if (ok) print(sh, "%s/lesson.md: %d part%s        lesson test %s\n", r.dir, r.parts, s, path);
    if (ok) shell_report(sh, "{folder:s parts:i text:s}", r.dir, r.parts, buf_text(&sh->out));
    buf_free(&r.page);
    return ok;
}
