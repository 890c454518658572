/* progress: how far a student is, as items of a session file. */
#include "lesson.h"

#include <stdlib.h>
#include <string.h>

LessonPart *lesson_part(const LessonRun *run) { return run->lesson->parts.v[run->progress.part]; }
PartProgress *lesson_now(const LessonRun *run) { return &run->progress.parts[run->progress.part]; }

/* ---- where it is ---- */

const Derivation *lesson_program(const Session *s, const PartProgress *p)
{
    const Derivation *found = NULL;
    for (int i = 0; p->program && i < session_count(s); i++) {
        const Derivation *d = session_get(s, i);
        if (d->versions.v[0]->hash != p->source) continue;
        if (!found || !strcmp(d->name, p->program)) found = d;
    }
    return found;
}

const Version *lesson_version(Shell *sh, const PartProgress *p, const char **why)
{
    const Derivation *now = session_current(sh->session), *d = lesson_program(sh->session, p);
    *why = NULL;
    if (!p->program || (d && d == now)) return session_version(sh->session);
    *why = d ? arena_printf(sh->scratch, "this part is about %s        use %s", d->name, d->name)
             : arena_printf(sh->scratch, "%s, which this part is about, is gone        lesson reset all", p->program);
    return NULL;
}

/* ---- progress as items of a session file ---- */

static const char *const states[] = {[PART_OPEN] = "open", [PART_DONE] = "done", [PART_SKIPPED] = "skipped"};

const char *part_state_name(PartState state) { return states[state]; }

static void push_item(Arena *arena, StoreItems *out, const char *name, Buf *text)
{
    while (text->len && text->data[text->len - 1] == '\n') text->data[--text->len] = 0;
    StoreItem item = {"lesson", name, arena_strdup(arena, buf_text(text))};
    vec_push(out, item);
    buf_clear(text);
}

/* The value of a line "key value" of a text; in the arena. NULL: there is none. */
static const char *field(Arena *arena, const char *text, const char *key)
{
    size_t n = strlen(key);
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (!strncmp(p, key, n) && p[n] == ' ') return arena_strndup(arena, p + n + 1, strcspn(p + n + 1, "\n"));
    return NULL;
}

static int int_field(Arena *arena, const char *text, const char *key, int missing)
{
    const char *value = field(arena, text, key);
    return value ? atoi(value) : missing;
}

static uint64_t hex_field(Arena *arena, const char *text, const char *key)
{
    const char *value = field(arena, text, key);
    return value ? strtoull(value, NULL, 16) : 0;
}

bool progress_read(const StoreItem *items, int count, Arena *arena, Progress *out)
{
    enum { PARTS_MOST = 1000 };
    const StoreItem *head = NULL;
    for (int i = 0; i < count; i++)
        if (!strcmp(items[i].kind, "lesson") && !strchr(items[i].name, '/')) head = &items[i];
    if (!head) return false;
    const char *hash = field(arena, head->text, "hash");
    int n = int_field(arena, head->text, "parts", 0), part = int_field(arena, head->text, "part", 1) - 1;
    if (n < 1 || n > PARTS_MOST) return false;
    *out = (Progress){.name = arena_strdup(arena, head->name), .hash = hash ? hash : "",
                      .dir = field(arena, head->text, "dir"), .part = part < 0 || part >= n ? 0 : part, .count = n,
                      .parts = NEW_ARRAY(arena, PartProgress, n)};
    size_t length = strlen(head->name);
    for (int i = 0; i < count; i++) {
        if (strcmp(items[i].kind, "lesson") || strncmp(items[i].name, head->name, length) || items[i].name[length] != '/')
            continue;
        int k = atoi(items[i].name + length + 1);
        if (k < 1 || k > n) continue;
        const char *text = items[i].text, *state = field(arena, text, "state"), *ratio = field(arena, text, "ratio");
        out->parts[k - 1] = (PartProgress){
            .begun = true, .fastest = int_field(arena, text, "fastest", -1), .ratio = ratio ? strtod(ratio, NULL) : 0,
            .program = field(arena, text, "program"), .source = hex_field(arena, text, "source"),
            .begin = int_field(arena, text, "begin", -1), .end = int_field(arena, text, "end", -1),
            .steps = int_field(arena, text, "steps", 0), .hints = int_field(arena, text, "hints", 0),
            .wrong = int_field(arena, text, "wrong", 0), .answer = field(arena, text, "answer"),
            .ran = hex_field(arena, text, "ran"), .said = (unsigned)hex_field(arena, text, "said"),
            };
        int known = state ? text_index(states, COUNT(states), state) : -1;
        if (known >= 0) out->parts[k - 1].state = (PartState)known;
    }
    return true;
}

int progress_count(const Progress *p, PartState state)
{
    int n = 0;
    for (int i = 0; i < p->count; i++) n += p->parts[i].state == state;
    return n;
}

int lesson_items(const Shell *sh, Arena *arena, StoreItem **out)
{
    StoreItems items = {0};
    /* As items, appended to out; in the arena. */
    const Progress *p = &lesson_on(sh)->progress;
    Buf b = {0};
    buf_printf(&b, "hash %s\npart %d\nparts %d", p->hash, p->part + 1, p->count);
    if (p->dir && !strchr(p->dir, '\n')) buf_printf(&b, "\ndir %s", p->dir);
    push_item(arena, &items, p->name, &b);
    for (int i = 0; i < p->count; i++) {
        if (!p->parts[i].begun) continue;
        buf_printf(&b, "state %s\n", states[p->parts[i].state]);
        if (p->parts[i].program)
            buf_printf(&b, "program %s\nsource %016llx\nbegin %d\nend %d\nsteps %d\n", p->parts[i].program,
                       (unsigned long long)p->parts[i].source, p->parts[i].begin, p->parts[i].end, p->parts[i].steps);
        buf_printf(&b, "hints %d\nwrong %d\n", p->parts[i].hints, p->parts[i].wrong);
        if (p->parts[i].ratio > 0) buf_printf(&b, "fastest %d\nratio %.4g\n", p->parts[i].fastest, p->parts[i].ratio);
        if (p->parts[i].answer) buf_printf(&b, "answer %s\n", p->parts[i].answer);
        if (p->parts[i].ran) buf_printf(&b, "ran %016llx\n", (unsigned long long)p->parts[i].ran);
        if (p->parts[i].said) buf_printf(&b, "said %x\n", p->parts[i].said);
        push_item(arena, &items, arena_printf(arena, "%s/%d", p->name, i + 1), &b);
    }
    buf_free(&b);
    *out = vec_take(&items, arena);
    return items.n;
}

/* ---- how much of a lesson is done ---- */

int lesson_parts_done(const Shell *sh, const Lesson *l)
{
    for (const LessonRun *run = lesson_on(sh); run; run = run->outer)
        if (!strcmp(run->lesson->dir, l->dir)) return progress_count(&run->progress, PART_DONE);
    /* What a file of progress says of a part of NAME, without replaying its steps: records, of which later ones count. */
    char *file = shell_state_path(arena_printf(sh->scratch, "lessons/%s.session", l->name), false);
    const char *head = arena_printf(sh->scratch, "\nlesson %s/", l->name);
    bool *done = NEW_ARRAY(sh->scratch, bool, l->parts.n);
    int n = 0;
    const char *text = file ? text_read(NULL, sh->scratch, file, NULL, NULL) : NULL;
    bool begun = text != NULL;
    for (const char *p = text; p && (p = strstr(p, head)); p++) {
        int k = atoi(p + strlen(head));
        const char *line = strchr(p + 1, '\n');
        line = line ? line + strspn(line, "\n| ") : "";
        if (k >= 1 && k <= l->parts.n) done[k - 1] = !strncmp(line, "state done", 10);
    }
    for (int i = 0; i < l->parts.n; i++) n += done[i];
    free(file);
    return begun ? n : -1;
}

const char *lesson_progress_text(Shell *sh, const Lesson *l)
{
    int n = lesson_parts_done(sh, l);
    if (n < 0) return "-";
    return n == l->parts.n ? "done" : arena_printf(sh->scratch, "%d of %d", n, l->parts.n);
}
