/* find: where lessons are, and what their folders hold. */
#include "lesson.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder ---- */

bool lesson_is_at(const char *dir)
{
    LOCAL(buf_free) Buf file = {0};
    buf_printf(&file, "%s/lesson.md", dir);
    return access(file.data, R_OK) == 0;
}

/* Names of plain files, or of folders with a lesson.md; sorted. */
static Texts names_in(Arena *arena, const char *dir, bool lessons)
{
    Texts all = {0};
    const char **found;
    int n = folder_names(arena, dir, &found);
    for (int i = 0; i < n; i++) {
        struct stat st;
        const char *full = arena_printf(arena, "%s/%s", dir, found[i]);
        if (stat(full, &st) == 0 && (lessons ? S_ISDIR(st.st_mode) && lesson_is_at(full) : S_ISREG(st.st_mode))) vec_push(&all, found[i]);
    }
    return all;
}

const char *lesson_hash(Arena *arena, const char *dir)
{
    uint8_t digest[32];
    LOCAL(buf_free) Buf all = {0};
    LOCAL(drop) Texts names = names_in(arena, dir, false);
    for (int i = 0; i < names.n; i++) {
        size_t len;
        const char *text = text_read(NULL, arena, arena_printf(arena, "%s/%s", dir, names.v[i]), NULL, &len);
        buf_printf(&all, "%s %zu\n", names.v[i], len);
        if (text) buf_write(&all, text, len);
    }
    sha256(buf_text(&all), all.len, digest);
    char *out = arena_alloc(arena, 17);
    for (int i = 0; i < 8; i++) snprintf(out + 2 * i, 3, "%02x", digest[i]);
    return out;
}

/* ---- where they are ---- */

/* $LATHE_LESSONS, lessons/ beside the program, and where it is installed. */
static Texts roots(Arena *arena)
{
    Texts all = {0};
    const char *own = getenv("LATHE_LESSONS");
    for (const char *p = own ? own : ""; *p; p += strcspn(p, ":"), p += *p == ':')
        if (strcspn(p, ":")) vec_push(&all, arena_strndup(arena, p, strcspn(p, ":")));
    vec_push(&all, file_of_program(arena, "lessons"));
    vec_push(&all, file_of_program(arena, "../share/lathe/scripts/lessons"));
    return all;
}

static const char *absolute(Arena *arena, const char *dir)
{
    LOCAL(drop) char *real = realpath(dir, NULL);
    return arena_strdup(arena, real ? real : dir);
}

static const char *base_name(const char *dir) { return strrchr(dir, '/') ? strrchr(dir, '/') + 1 : dir; }

/* Of a title "# 3. Splitting"; those without one come last. */
static int number_of(const char *dir)
{
    char name[4096], line[32] = "";
    snprintf(name, sizeof name, "%s/lesson.md", dir);
    FILE *f = fopen(name, "r");
    if (f && !fgets(line, sizeof line, f)) *line = 0;
    if (f) fclose(f);
    int n = !strncmp(line, "# ", 2) ? atoi(line + 2) : 0;
    return n > 0 ? n : INT_MAX;
}

static int by_number(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int m = number_of(x), n = number_of(y);
    return m != n ? (m > n) - (m < n) : strcmp(base_name(x), base_name(y));
}

/* ---- where those are that were begun by a path ---- */

/* The folder in the last record of a file of progress, whether it is still there or not; NULL: it says none. */
static const char *recorded_folder(Arena *arena, const char *name)
{
    const char *head = arena_printf(arena, "\nlesson %s ", name), *found = NULL;
    LOCAL(drop) char *file = shell_state_path(arena_printf(arena, "lessons/%s.session", name), false);
    const char *text = file ? text_read(NULL, arena, file, NULL, NULL) : NULL;
    for (const char *p = text; p && (p = strstr(p, head)); p++) {
        found = NULL;
        for (const char *line = strchr(p + 1, '\n'); line && !strncmp(line, "\n| ", 3); line = strchr(line + 1, '\n'))
            if (!strncmp(line, "\n| dir ", 7)) found = arena_strndup(arena, line + 7, strcspn(line + 7, "\n"));
    }
    return found;
}

static void add_folder(Arena *arena, Texts *all, const char *dir)
{
    if (ANY(i, all->n, !strcmp(base_name(all->v[i]), base_name(dir)))) return;
    vec_push(all, absolute(arena, dir));
}

/* ---- finding them ---- */

int lesson_folders(Arena *arena, bool begun, const char ***out)
{
    Texts all = {0};
    LOCAL(drop) Texts where = roots(arena);
    for (int i = 0; i < where.n; i++) {
        LOCAL(drop) Texts names = names_in(arena, where.v[i], true);
        for (int k = 0; k < names.n; k++) add_folder(arena, &all, arena_printf(arena, "%s/%s", where.v[i], names.v[k]));
    }
    if (begun) {
        LOCAL(drop) char *state = shell_state_path("lessons", false);
        LOCAL(drop) Texts files = state ? names_in(arena, state, false) : (Texts){0};
        for (int i = 0; i < files.n; i++) {
            const char *end = strstr(files.v[i], ".session");
            const char *dir = end && !strcmp(end, ".session")
                                ? recorded_folder(arena, arena_strndup(arena, files.v[i], (size_t)(end - files.v[i]))) : NULL;
            if (dir && lesson_is_at(dir)) add_folder(arena, &all, dir);
        }
    }
    if (all.n) qsort(all.v, (size_t)all.n, sizeof *all.v, by_number);
    *out = vec_take(&all, arena);
    return all.n;
}

const char *lesson_after_it(Arena *arena, const Lesson *l)
{
    const char **all;
    int mine = number_of(l->dir), n = lesson_folders(arena, false, &all);
    for (int i = 0; i < n && mine < INT_MAX; i++)
        if (number_of(all[i]) > mine && number_of(all[i]) < INT_MAX) return base_name(all[i]);
    return NULL;
}

const char *lesson_find(Ctx *c, Arena *arena, const char *name)
{
    const char **all;
    bool path = strchr(name, '/'), number = *name && !name[strspn(name, "0123456789")];
    if (lesson_is_at(name)) return absolute(arena, name);
    int n = lesson_folders(arena, true, &all);
    for (int i = 0; i < n && !path; i++)
        if (!strcmp(base_name(all[i]), name)) return all[i];
    const char *near = NEAREST(name, i, n, base_name(all[i]));
    n = number ? lesson_folders(arena, false, &all) : 0;
    for (int i = 0; i < n; i++)
        if (number_of(all[i]) == atoi(name)) return all[i];
    const char *gone = path || !*name ? NULL : recorded_folder(arena, name);
    if (path) diag_error(&c->diag, E81, "%s is no lesson: it holds no lesson.md", name);
    else if (gone) diag_error(&c->diag, E81, "the lesson %.60s was in %s, and is not there any more", name, gone);
    else diag_error(&c->diag, E81, "no lesson \"%.60s\"%s", name, near_text(arena, near));
    if (gone) diag_note(&c->diag, "hint", "lesson FOLDER, where it is now, goes on with what was done in it");
    else diag_note(&c->diag, "try", "list lessons");
    return NULL;
}

const char *lesson_find_again(Ctx *c, Arena *arena, const char *name, const char *dir)
{
    bool there = dir && !strcmp(base_name(dir), name) && lesson_is_at(dir);
    return there ? dir : lesson_find(c, arena, name);
}
