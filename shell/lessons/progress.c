/* progress: how far a student is, as items of a session file. */
#include "lesson.h"

#include <stdlib.h>
#include <string.h>

LessonPart *lesson_part(const Shell *sh) { return lesson_on(sh)->lesson->parts.v[lesson_on(sh)->progress.part]; }
PartProgress *lesson_now(const Shell *sh) { return &lesson_on(sh)->progress.parts[lesson_on(sh)->progress.part]; }

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

const Version *lesson_version(Shell *sh, const char **why)
{
    const PartProgress *p = lesson_now(sh);
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

/* What is kept of a part beside its state, a line "name value" each, unless it is what a missing line says. */
typedef enum { TEXT, INT, HEX, REAL } FieldKind;
static const struct Field { const char *name; FieldKind kind; size_t at; int missing; } fields[] = {
#define FIELD(name, kind, missing) {#name, kind, offsetof(PartProgress, name), missing}
    FIELD(program, TEXT, 0), FIELD(source, HEX, 0), FIELD(begin, INT, -1), FIELD(end, INT, -1), FIELD(steps, INT, 0),
    FIELD(hints, INT, 0), FIELD(wrong, INT, 0), FIELD(fastest, INT, -1), FIELD(ratio, REAL, 0), FIELD(answer, TEXT, 0), FIELD(tried, TEXT, 0),
    FIELD(ran, HEX, 0), FIELD(said, HEX, 0),
#undef FIELD
};

static void read_part(Arena *arena, const char *text, PartProgress *out)
{
    const char *state = field(arena, text, "state");
    int known = state ? text_index(states, COUNT(states), state) : -1;
    *out = (PartProgress){.begun = true, .state = known < 0 ? PART_OPEN : (PartState)known};
    for (const struct Field *f = fields; f < fields + COUNT(fields); f++) {
        const char *value = field(arena, text, f->name);
        void *to = (char *)out + f->at;
        switch (f->kind) {
        case TEXT: *(const char **)to = value; break;
        case INT: *(int *)to = value ? atoi(value) : f->missing; break;
        case HEX: *(uint64_t *)to = value ? strtoull(value, NULL, 16) : 0; break;
        case REAL: *(double *)to = value ? strtod(value, NULL) : 0; break;
        }
    }
}

static void write_part(const PartProgress *p, Buf *out)
{
    buf_printf(out, "state %s\n", states[p->state]);
    for (const struct Field *f = fields; f < fields + COUNT(fields); f++) {
        const void *from = (const char *)p + f->at;
        const char *text = f->kind == TEXT ? *(const char *const *)from : NULL;
        int n = f->kind == INT ? *(const int *)from : f->missing;
        uint64_t hash = f->kind == HEX ? *(const uint64_t *)from : 0;
        double real = f->kind == REAL ? *(const double *)from : 0;
        if (text) buf_printf(out, "%s %s\n", f->name, text);
        if (n != f->missing) buf_printf(out, "%s %d\n", f->name, n);
        if (hash) buf_printf(out, "%s %016llx\n", f->name, (unsigned long long)hash);
        if (real > 0) buf_printf(out, "%s %.4g\n", f->name, real);
    }
}

bool progress_read(const StoreItem *items, int count, Arena *arena, Progress *out)
{
    enum { PARTS_MOST = 1000 };
    const StoreItem *head = NULL;
    for (int i = 0; i < count; i++)
        if (!strcmp(items[i].kind, "lesson") && !strchr(items[i].name, '/')) head = &items[i];
    if (!head) return false;
    const char *hash = field(arena, head->text, "hash"), *parts = field(arena, head->text, "parts"), *now = field(arena, head->text, "part");
    int n = parts ? atoi(parts) : 0, part = now ? atoi(now) : 0;
    if (n < 1 || n > PARTS_MOST) return false;
    *out = (Progress){.name = arena_strdup(arena, head->name), .hash = hash ? hash : "",
                      .dir = field(arena, head->text, "dir"), .part = part < 1 || part > n ? 0 : part - 1, .count = n,
                      .parts = NEW_ARRAY(arena, PartProgress, n)};
    for (int i = 0; i < SETTING_COUNT; i++)
        out->set[i] = setting((SettingId)i)->kept ? NULL : field(arena, head->text, arena_printf(arena, "set %s", setting((SettingId)i)->name));
    size_t length = strlen(head->name);
    for (int i = 0; i < count; i++) {
        if (strcmp(items[i].kind, "lesson") || strncmp(items[i].name, head->name, length) || items[i].name[length] != '/')
            continue;
        int k = atoi(items[i].name + length + 1);
        if (k >= 1 && k <= n) read_part(arena, items[i].text, &out->parts[k - 1]);
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
    const Progress *p = &lesson_on(sh)->progress;
    LOCAL(buf_free) Buf b = {0};
    buf_printf(&b, "hash %s\npart %d\nparts %d", p->hash, p->part + 1, p->count);
    if (p->dir && !strchr(p->dir, '\n')) buf_printf(&b, "\ndir %s", p->dir);
    for (int i = 0; i < SETTING_COUNT; i++)
        if (p->set[i] && !strchr(p->set[i], '\n')) buf_printf(&b, "\nset %s %s", setting((SettingId)i)->name, p->set[i]);
    push_item(arena, &items, p->name, &b);
    for (int i = 0; i < p->count; i++) {
        if (!p->parts[i].begun) continue;
        write_part(&p->parts[i], &b);
        push_item(arena, &items, arena_printf(arena, "%s/%d", p->name, i + 1), &b);
    }
    *out = vec_take(&items, arena);
    return items.n;
}

/* ---- how much of a lesson is done ---- */

int lesson_parts_done(const Shell *sh, const Lesson *l)
{
    for (const LessonRun *run = lesson_on(sh); run; run = run->outer)
        if (!strcmp(run->lesson->dir, l->dir)) return progress_count(&run->progress, PART_DONE);
    /* What a file of progress says of a part of NAME, without replaying its steps: records, of which later ones count. */
    LOCAL(drop) char *file = shell_state_path(arena_printf(sh->scratch, "lessons/%s.session", l->name), false);
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
    return begun ? n : -1;
}

const char *lesson_progress_text(Shell *sh, const Lesson *l)
{
    int n = lesson_parts_done(sh, l);
    if (n < 0) return "-";
    return n == l->parts.n ? "done" : arena_printf(sh->scratch, "%d of %d", n, l->parts.n);
}
