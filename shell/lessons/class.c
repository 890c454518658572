/* class: `lesson grade FOLDER`: the submissions of a class, graded one by one, as a table, as CSV, and as a page for who teaches. */
#include "lesson.h"
#include "results.h"
#include "show.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct Work {                    /* one submission; texts in scratch */
    const char *name, *file;
    const char *state;
    const char *message;                 /* why it is not done; NULL: it is */
    json_t *report;                      /* of lesson_grade_file; NULL: it could not be judged */
    int done, points, hints, wrong;
    bool late;
    Texts like;                          /* "part 2 as NAME" */
} Work;

typedef struct Class {
    Shell *sh;
    VEC(Work) works;
    Texts others;                        /* files of the folder that are none, by their names */
    json_t *parts;                       /* of the first that could be judged: their titles */
    const char *lesson;                  /* its name */
    const char **own;                    /* what its solutions do, by part */
    int64_t for_done, for_par;
    time_t deadline;                     /* 0: none */
} Class;

static const char *text_at(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }
static int int_at(const json_t *o, const char *key) { return (int)json_integer_value(json_object_get(o, key)); }
static const json_t *part_of(const Work *w, size_t i) { return json_array_get(json_object_get(w->report, "parts"), i); }
static bool is_done(const json_t *part) { return part && !strcmp(text_at(part, "state"), "done"); }
static bool is_within(const json_t *part) { return is_done(part) && (int_at(part, "par") == 0 || int_at(part, "steps") <= int_at(part, "par")); }

/* ---- what is asked ---- */

/* "2026-12-01 18:00", or a day, whose end it is; the clock of this machine. E05. */
static bool read_deadline(Shell *sh, const char *text, time_t *out)
{
    static const char *const forms[] = {"%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
    for (int i = 0; i < COUNT(forms); i++) {
        struct tm t = {.tm_isdst = -1};
        const char *end = strptime(text, forms[i], &t);
        if (!end || *end) continue;
        if (i == COUNT(forms) - 1) t.tm_hour = 23, t.tm_min = t.tm_sec = 59;
        *out = mktime(&t);
        return true;
    }
    return shell_error(sh, E05, "--deadline: \"%.40s\" is no day and time\ntry --deadline \"2026-12-01 18:00\"", text);
}

static bool read_asked(Class *c, const Args *a)
{
    enum { MOST = 1000 };
    const char *points = arg_flag(a, "points"), *deadline = arg_flag(a, "deadline");
    const char *comma = points ? strchr(points, ',') : NULL;
    c->for_done = 8, c->for_par = 2;
    if (points && !arg_int(c->sh, "--points DONE", arena_strndup(c->sh->scratch, points, strcspn(points, ",")), 0, MOST, &c->for_done)) return false;
    if (points) c->for_par = 0;
    if (comma && !arg_int(c->sh, "--points PAR", comma + 1, 0, MOST, &c->for_par)) return false;
    return !deadline || read_deadline(c->sh, deadline, &c->deadline);
}

/* ---- grading ---- */

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }
static int by_name(const void *a, const void *b) { return strcmp(((const Work *)a)->name, ((const Work *)b)->name); }

static bool find_files(Class *c, const char *folder)
{
    static const char ending[] = ".session";
    DIR *dir = opendir(folder);
    if (!dir) return shell_error(c->sh, E06, "cannot read %s: %s", folder, strerror(errno));
    for (const struct dirent *e; (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (*e->d_name == '.') continue;
        if (n < sizeof ending || strcmp(e->d_name + n - strlen(ending), ending)) {
            vec_push(&c->others, arena_strdup(c->sh->scratch, e->d_name));
            continue;
        }
        Work w = {.name = arena_strndup(c->sh->scratch, e->d_name, n - strlen(ending)), .file = arena_printf(c->sh->scratch, "%s/%s", folder, e->d_name)};
        vec_push(&c->works, w);
    }
    closedir(dir);
    if (c->works.n) qsort(c->works.v, (size_t)c->works.n, sizeof *c->works.v, by_name);
    return c->works.n || shell_error(c->sh, E06, "%s holds no .session files\nhint lesson submit FILE.session writes one", folder);
}

static void grade_work(Class *c, Work *w, const char *where)
{
    static const struct { ErrorId id; const char *state; } states[] = {{E87, "unfinished"}, {E88, "wrong"}, {E89, "forged"}};
    Shell *sh = c->sh;
    size_t printed = sh->out.len;
    bool json = sh->json;
    struct stat st;
    sh->json = true;                     /* the report is what is wanted */
    bool ok = lesson_grade_file(sh, w->file, where);
    sh->json = json;
    w->report = sh->data;
    sh->data = NULL;
    print_taken(sh, printed);
    w->state = ok ? "done" : "unreadable";
    for (int i = 0; i < COUNT(states) && !ok; i++)
        if (diag(sh)->id == states[i].id) w->state = states[i].state;
    w->message = ok ? NULL : arena_strdup(sh->scratch, diag(sh)->message ? diag(sh)->message : "");
    diag_clear(diag(sh));
    w->late = c->deadline && stat(w->file, &st) == 0 && st.st_mtime > c->deadline;
    size_t i;
    const json_t *part;
    json_array_foreach(json_object_get(w->report, "parts"), i, part) {
        bool forged = !strcmp(w->state, "forged");
        w->done += is_done(part);
        w->points += forged ? 0 : (int)(is_done(part) * c->for_done + is_within(part) * c->for_par);
        w->hints += int_at(part, "hints");
        w->wrong += int_at(part, "wrong_answers");
    }
    if (w->report && !c->parts) {
        c->parts = json_incref(json_object_get(w->report, "parts"));
        c->lesson = text_at(w->report, "lesson");
    }
}

/* Are they the steps of the lesson's own solution, in whatever order? */
static bool is_own(const Class *c, size_t part, const char *way)
{
    const char *own = c->own ? c->own[part] : NULL;
    return own && !strncmp(own, way, (size_t)(strrchr(own, ':') - own) + 1);
}

/* Two did the same in a part where there is something to decide: several steps, and not those of the lesson's own solution. */
static void compare_works(Class *c)
{
    for (size_t i = 0; i < json_array_size(c->parts); i++)
        for (int a = 0; a < c->works.n; a++)
            for (int b = 0; b < c->works.n; b++) {
                const char *mine = text_at(part_of(&c->works.v[a], i), "way"), *other = text_at(part_of(&c->works.v[b], i), "way");
                if (a == b || !mine || !other || strcmp(mine, other) || atoi(mine) < 2 || is_own(c, i, mine)) continue;
                vec_push(&c->works.v[a].like, arena_printf(c->sh->scratch, "part %zu as %s", i + 1, c->works.v[b].name));
            }
}

static const char *like_text(const Class *c, const Work *w)
{
    const char *text = "";
    for (int i = 0; i < w->like.n; i++) text = arena_printf(c->sh->scratch, "%s%s%s", text, i ? ", " : "", w->like.v[i]);
    return text;
}

static int full_points(const Class *c) { return (int)(json_array_size(c->parts) * (size_t)(c->for_done + c->for_par)); }

/* ---- of the parts ---- */

typedef struct PartCount { int done, within, stopped, hints, wrong; const char *tried; } PartCount;

typedef struct Tried { const char *answer; int count; } Tried;

static int by_count(const void *a, const void *b)
{
    const Tried *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->answer, y->answer);
}

/* The answers that were tried in vain, the most frequent first, as "5 (3 times), 7". */
static const char *wrong_answers(const Class *c, size_t part)
{
    enum { SHOWN = 4 };
    LOCAL(drop) VEC(Tried) all = {0};
    const char *text = "";
    for (int k = 0; k < c->works.n; k++) {
        const char *tried = text_at(part_of(&c->works.v[k], part), "tried");
        for (const char *p = tried; p && *p;) {
            const char *end = strstr(p, " | ");
            const char *one = arena_strndup(c->sh->scratch, p, end ? (size_t)(end - p) : strlen(p));
            int i = 0;
            while (i < all.n && strcmp(all.v[i].answer, one)) i++;
            if (i == all.n) vec_push(&all, ((Tried){one, 0}));
            all.v[i].count++;
            p = end ? end + 3 : "";
        }
    }
    if (all.n) qsort(all.v, (size_t)all.n, sizeof *all.v, by_count);
    for (int i = 0; i < SHOWN && i < all.n; i++) {
        const char *times = all.v[i].count > 1 ? arena_printf(c->sh->scratch, " (%d times)", all.v[i].count) : "";
        text = arena_printf(c->sh->scratch, "%s%s%s%s", text, i ? ", " : "", all.v[i].answer, times);
    }
    return text;
}

/* Where somebody stopped: the first part that is not done, when something of the lesson was. */
static PartCount count_part(const Class *c, size_t i)
{
    PartCount out = {.tried = wrong_answers(c, i)};
    for (int k = 0; k < c->works.n; k++) {
        const Work *w = &c->works.v[k];
        const json_t *part = part_of(w, i);
        bool before = true;
        for (size_t j = 0; j < i; j++) before = before && is_done(part_of(w, j));
        out.done += is_done(part);
        out.within += is_within(part);
        out.stopped += part && before && !is_done(part);
        out.hints += int_at(part, "hints");
        out.wrong += int_at(part, "wrong_answers");
    }
    return out;
}

/* ---- what is written ---- */

static void put_text(const Class *c)
{
    Shell *sh = c->sh;
    int longest = 4, parts = (int)json_array_size(c->parts);
    for (int i = 0; i < c->works.n; i++)
        if ((int)strlen(c->works.v[i].name) > longest) longest = (int)strlen(c->works.v[i].name);
    if (longest > 24) longest = 24;
    print(sh, "%s: %d submission%s\n", c->lesson ? c->lesson : "no lesson", c->works.n, plural(c->works.n));
    print(sh, "  %-*s  %-10s  %7s  %5s  %5s  %5s\n", longest, "name", "state", "points", "done", "hints", "wrong");
    for (int i = 0; i < c->works.n; i++) {
        const Work *w = &c->works.v[i];
        print(sh, "  %-*.*s  %-10s  %3d/%-3d  %2d/%-2d  %5d  %5d%s\n", longest, longest, w->name, w->state, w->points, full_points(c), w->done, parts,
              w->hints, w->wrong, w->late ? "  late" : "");
        if (w->message && strcmp(w->state, "unfinished")) show_wrapped(sh, "      ", "      ", w->message);
        if (w->like.n) show_wrapped(sh, "      the same: ", "        ", like_text(c, w));
    }
    if (c->others.n) qsort(c->others.v, (size_t)c->others.n, sizeof *c->others.v, by_text);
    for (int i = 0; i < c->others.n; i++) print(sh, "  %s is not graded: its name does not end in .session\n", c->others.v[i]);
    if (parts) print(sh, "  %-30s %5s %6s %7s %5s  %s\n", "part", "done", "in par", "stopped", "hints", "wrong answers");
    for (int i = 0; i < parts; i++) {
        PartCount n = count_part(c, (size_t)i);
        print(sh, "  %2d %-27.27s %5d %6d %7d %5d  %d%s%s\n", i + 1, text_at(json_array_get(c->parts, (size_t)i), "title"), n.done, n.within, n.stopped,
              n.hints, n.wrong, *n.tried ? ": " : "", n.tried);
    }
}

static void put_field(Buf *out, bool first, const char *text) { results_field(text, FORMAT_CSV, first, out); }

static bool write_csv(const Class *c, const char *file)
{
    Arena *a = c->sh->scratch;
    LOCAL(buf_free) Buf out = {0};
    static const char *const heads[] = {"name", "state", "points", "of", "done", "late", "handed_in", "hints", "wrong_answers", "same_as", "message"};
    for (int i = 0; i < COUNT(heads); i++) put_field(&out, i == 0, heads[i]);
    for (size_t i = 0; i < json_array_size(c->parts); i++) put_field(&out, false, arena_printf(a, "part %zu: %s", i + 1, text_at(json_array_get(c->parts, i), "title")));
    results_line_end(FORMAT_CSV, &out);
    for (int k = 0; k < c->works.n; k++) {
        const Work *w = &c->works.v[k];
        struct stat st;
        const char *when = stat(w->file, &st) == 0 ? arena_date(a, "%Y-%m-%d %H:%M", st.st_mtime, true) : "";
        const char *const values[] = {w->name, w->state, arena_printf(a, "%d", w->points), arena_printf(a, "%d", full_points(c)), arena_printf(a, "%d", w->done),
            w->late ? "late" : "", when, arena_printf(a, "%d", w->hints), arena_printf(a, "%d", w->wrong), like_text(c, w), w->message ? w->message : ""};
        for (int i = 0; i < COUNT(values); i++) put_field(&out, i == 0, values[i]);
        for (size_t i = 0; i < json_array_size(c->parts); i++) {
            const json_t *part = part_of(w, i);
            bool counted = is_done(part) && int_at(part, "par");
            put_field(&out, false, !part ? "" : counted ? arena_printf(a, "done in %d (par %d)", int_at(part, "steps"), int_at(part, "par")) : text_at(part, "state"));
        }
        results_line_end(FORMAT_CSV, &out);
    }
    return file_write(diag(c->sh), file, buf_text(&out), out.len);
}

static void put_html(Buf *out, const char *text)
{
    for (; *text; text++) {
        const char *escaped = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (escaped) buf_puts(out, escaped);
        else buf_putc(out, *text);
    }
}

static void put_cells(Buf *out, const char *tag, const char *const *cells, int n)
{
    buf_puts(out, "<tr>");
    for (int i = 0; i < n; i++) {
        buf_printf(out, "<%s>", tag);
        put_html(out, cells[i]);
        buf_printf(out, "</%s>", tag);
    }
    buf_puts(out, "</tr>\n");
}

/* Why the parts of a submission are not done, "2 Go on: ..." each. */
static const char *reasons_text(const Class *c, const Work *w)
{
    const char *text = w->message && strcmp(w->state, "unfinished") ? w->message : "";
    size_t i;
    const json_t *part;
    json_array_foreach(json_object_get(w->report, "parts"), i, part) {
        if (is_done(part)) continue;
        const char *why = json_string_value(json_array_get(json_object_get(part, "reasons"), 0));
        text = arena_printf(c->sh->scratch, "%s%spart %zu %s%s%s", text, *text ? "; " : "", i + 1, text_at(part, "state"), why ? ": " : "", why ? why : "");
    }
    return text;
}

static bool write_page(const Class *c, const char *file)
{
    static const char *const heads[] = {"name", "state", "points", "done", "hints", "wrong answers", "the same", "what is missing"};
    static const char *const part_heads[] = {"part", "done", "within par", "stopped here", "hints", "wrong answers"};
    Arena *a = c->sh->scratch;
    LOCAL(buf_free) Buf out = {0};
    buf_puts(&out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    put_html(&out, c->lesson ? c->lesson : "");
    buf_puts(&out, "</title>\n<style>body { font-family: sans-serif; margin: 2em; } table { border-collapse: collapse; margin-bottom: 2em; }\n"
                   "td, th { border: 1px solid #bbb; padding: .2em .6em; text-align: left; vertical-align: top; } th { background: #eee; }</style></head><body>\n<h1>");
    put_html(&out, c->lesson ? c->lesson : "");
    buf_puts(&out, "</h1>\n<h2>Parts</h2>\n<table>\n");
    put_cells(&out, "th", part_heads, COUNT(part_heads));
    for (size_t i = 0; i < json_array_size(c->parts); i++) {
        PartCount n = count_part(c, i);
        const char *const cells[] = {arena_printf(a, "%zu %s", i + 1, text_at(json_array_get(c->parts, i), "title")), arena_printf(a, "%d of %d", n.done, c->works.n),
            arena_printf(a, "%d", n.within), arena_printf(a, "%d", n.stopped), arena_printf(a, "%d", n.hints),
            arena_printf(a, "%d%s%s", n.wrong, *n.tried ? ": " : "", n.tried)};
        put_cells(&out, "td", cells, COUNT(cells));
    }
    buf_puts(&out, "</table>\n<h2>Who</h2>\n<table>\n");
    put_cells(&out, "th", heads, COUNT(heads));
    for (int k = 0; k < c->works.n; k++) {
        const Work *w = &c->works.v[k];
        const char *const cells[] = {w->name, arena_printf(a, "%s%s", w->state, w->late ? ", late" : ""), arena_printf(a, "%d of %d", w->points, full_points(c)),
            arena_printf(a, "%d", w->done), arena_printf(a, "%d", w->hints), arena_printf(a, "%d", w->wrong), like_text(c, w), reasons_text(c, w)};
        put_cells(&out, "td", cells, COUNT(cells));
    }
    buf_puts(&out, "</table>\n</body></html>\n");
    return file_write(diag(c->sh), file, buf_text(&out), out.len);
}

static void report(const Class *c)
{
    json_t *files = json_array(), *parts = json_array();
    for (int k = 0; k < c->works.n; k++) {
        const Work *w = &c->works.v[k];
        json_add(files, "{name:s file:s state:s points:i of:i late?:b like:o message?:s}", w->name, w->file, w->state, w->points, full_points(c), w->late,
                 JSON_LIST(i, w->like.n, json_string(w->like.v[i])), w->message);
    }
    for (size_t i = 0; i < json_array_size(c->parts); i++) {
        PartCount n = count_part(c, i);
        json_add(parts, "{part:i title:s done:i within:i stopped:i hints:i wrong_answers:i}", (int)i + 1, text_at(json_array_get(c->parts, i), "title"), n.done,
                 n.within, n.stopped, n.hints, n.wrong);
    }
    shell_report(c->sh, "{lesson:s files:o parts:o text:s}", c->lesson ? c->lesson : "", files, parts, buf_text(&c->sh->out));
}

bool lesson_grade_class(Shell *sh, const Args *a)
{
    const char *csv = arg_flag(a, "csv"), *page = arg_flag(a, "page"), *where = arg(a, 2);
    Class c = {.sh = sh};
    if (sh->restricted && (csv || page)) return shell_error(sh, E05, "files are off with --restricted");
    bool ok = read_asked(&c, a) && find_files(&c, arg(a, 1));
    for (int i = 0; ok && i < c.works.n && !*sh->stop; i++) {
        show_progress(sh, arena_printf(sh->scratch, "%d of %d: %s", i + 1, c.works.n, c.works.v[i].name));
        grade_work(&c, &c.works.v[i], where);
    }
    show_progress(sh, "");
    const char *dir = c.lesson ? lesson_find_again(sh->c, sh->scratch, where ? where : c.lesson, NULL) : NULL;
    Lesson *lesson = dir ? lesson_read(sh->c, dir) : NULL;
    if (ok) diag_clear(diag(sh));
    if (lesson && ok && (size_t)lesson->parts.n == json_array_size(c.parts)) c.own = lesson_own_ways(sh, lesson);
    else if (lesson) lesson_free(lesson);
    if (ok) {
        compare_works(&c);
        put_text(&c);
        report(&c);
        ok = (!csv || write_csv(&c, csv)) && (!page || write_page(&c, page));
        if (ok && csv) print(sh, "%s written\n", csv);
        if (ok && page) print(sh, "%s written\n", page);
    }
    for (int i = 0; i < c.works.n; i++) json_decref(c.works.v[i].report), free(c.works.v[i].like.v);
    json_decref(c.parts);
    free(c.works.v);
    free(c.others.v);
    return ok;
}
