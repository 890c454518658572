/* store_write: a session as records; files of them that replace others safely, or that grow by what is new (autosave).
 *
 * A file is a sequence of records. A record is a head line `KIND WORD... KEY=VALUE...  #CHECK` and continuation
 * lines that start with `|`. CHECK, 8 hex digits, covers head and continuation, so that a damaged or cut record is
 * known as such. What is not a plain word is "quoted" with \" \\ \n \t \xNN. */
#include "session_private.h"
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- records ---- */

typedef enum RecordClass {               /* what may happen to a record in a file that only grows */
    RECORD_BASE,                         /* before all steps; does not change */
    RECORD_STEP,                         /* is new once */
    RECORD_STATE,                        /* after them; a later one of its key replaces it */
} RecordClass;

typedef struct Writer {
    void (*sink)(void *data, RecordClass class, const char *key, const Buf *record);       /* key: the words that tell it from others */
    void *data;
    Arena *arena;                        /* of words, until their record is written */
    Buf record, lines;
} Writer;

static Writer writer_new(void (*sink)(void *, RecordClass, const char *, const Buf *), void *data)
{
    return (Writer){.sink = sink, .data = data, .arena = arena_new()};
}

static void writer_free(Writer *w)
{
    buf_free(&w->record);
    buf_free(&w->lines);
    arena_free(w->arena);
}

/* As one word. */
static const char *word(Writer *w, const char *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@/+-:,*";
    Buf b = {0};
    if (*s && !s[strspn(s, plain)]) return s;
    buf_putc(&b, '"');
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\') buf_printf(&b, "\\%c", c);
        else if (c == '\n') buf_puts(&b, "\\n");
        else if (c == '\t') buf_puts(&b, "\\t");
        else if (c < ' ' || c == 127) buf_printf(&b, "\\x%02x", c);
        else buf_putc(&b, *s);
    }
    buf_putc(&b, '"');
    return buf_take(&b, w->arena);
}

uint32_t record_check(const char *head, size_t head_len, const char *lines, size_t lines_len)
{
    return (uint32_t)hash_bytes(hash_bytes(STORE_FORMAT, head, head_len), lines, lines_len);
}

/* One whose kind and first `keyed` words tell it from others. text: its continuation, NULL: it has none. */
PRINTF_LIKE(5, 6) static void put(Writer *w, RecordClass class, int keyed, const char *text, const char *fmt, ...)
{
    Buf *record = &w->record, *lines = &w->lines;
    buf_clear(record);
    buf_clear(lines);
    WITH_ARGS(fmt, ap, buf_vprintf(record, fmt, ap));
    size_t key = 0;
    while (key < record->len && (record->data[key] != ' ' || keyed-- > 0)) key++;
    for (size_t n; text; text = text[n] ? text + n + 1 : NULL) {
        n = strcspn(text, "\n");
        buf_puts(lines, n ? "| " : "|");
        buf_write(lines, text, n);
        buf_putc(lines, '\n');
    }
    buf_printf(record, "  #%08x\n", record_check(record->data, record->len, buf_text(lines), lines->len));
    buf_write(record, buf_text(lines), lines->len);
    w->sink(w->data, class, arena_strndup(w->arena, record->data, key), record);
    arena_reset(w->arena);
}

/* ---- before the steps ---- */

static void put_header(Writer *w, const char *kind)
{
    put(w, RECORD_STEP, 0, NULL, "lathe-session %d %s lathe=" LATHE_VERSION " rules=%016llx", STORE_FORMAT, kind,
        (unsigned long long)rules_hash());
}

/* The load and the name under which the program of a derivation was defined. */
static bool origin(const Session *s, const Derivation *d, int *load, const char **name)
{
    for (*load = 0; *load < s->loads.n; ++*load)
        for (int i = s->loads.v[*load].from; i < s->loads.v[*load].to; i++) {
            const Program *p;
            *name = defs_name(s->defs, i, NULL, &p);
            if (p == d->program) return true;
        }
    return false;
}

static void put_base(Writer *w, const Session *s)
{
    const Rule *r;
    int load;
    const char *name;
    for (int i = 0; i < s->loads.n; i++) {
        const Load *l = &s->loads.v[i];
        put(w, RECORD_BASE, 1, l->text, "source %d %s %s", i + 1, l->declaration ? "let" : "file", word(w, l->name));
    }
    for (int i = 0; (r = rules_user(s->rules, i)); i++)
        if (!r->reversed) put(w, RECORD_BASE, 1, r->ast->source->text, "rule %s", word(w, r->name));
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *d = s->derivations.v[i];
        if (origin(s, d, &load, &name))
            put(w, RECORD_BASE, 1, NULL, "program %s source=%d name=%s hash=%016llx", d->name, load + 1, name,
                (unsigned long long)d->versions.v[0]->hash);
    }
}

/* ---- steps ---- */

/* The elementary rewrites, a line each, and where macros began and ended between them. */
static const char *rewrites_text(const Session *s, const Version *v, Arena *arena)
{
    const Term *root = v->from->root;
    Buf b = {0};
    for (const SubStep *sub = v->subs; sub < v->subs + v->sub_count; root = sub++->root) {
        const MacroUse *before = sub > v->subs ? sub[-1].within : NULL, *use;
        int level = use_shared(before, sub->within);
        for (int k = before ? before->depth + 1 : 0; k > level; k--) buf_puts(&b, "}\n");
        for (; (use = use_at(sub->within, level)); level++) {
            size_t from = b.len;
            buf_printf(&b, "{ %s at %s", use->call, use->place);
            for (size_t i = from; i < b.len; i++)
                if (b.data[i] == '\n') b.data[i] = ' ';
            buf_putc(&b, '\n');
        }
        buf_printf(&b, "%s at %s\n", sub->call, place_text(s->ctx, root, sub->at));
    }
    if (!b.len) return NULL;
    b.data[--b.len] = 0;                 /* lines are parted by their ends */
    return buf_take(&b, arena);
}

static void put_step(Writer *w, const Session *s, const Derivation *d, const Version *v)
{
    LOCAL(buf_free) Buf rest = {0};
    TuneParam *b;
    const EditedCode *c = v->code;
    /* The first binding; all of them are in the call. */
    if (v->kind == STEP_PARAM && bindings_read(v->call + strlen("param "), w->arena, &b) > 0)
        buf_printf(&rest, " name=%s value=%lld", word(w, b->name), (long long)b->value);
    if (v->at) buf_printf(&rest, " at=%s", word(w, step_place(s->ctx, v->from, v)));
    buf_printf(&rest, " %s", word(w, v->call));
    if (c) {
        buf_printf(&rest, " replaces=%016llx single=%d gpu=%d local=%dx%dx%d arguments=%d", (unsigned long long)c->replaces, c->single, c->gpu,
                   c->local[0], c->local[1], c->local[2], c->arguments);
        if (c->paranoid) buf_puts(&rest, " paranoid=1");
        if (strcmp(c->dialect, "opencl")) buf_printf(&rest, " dialect=%s", c->dialect);
        if (c->max_group)
            buf_printf(&rest, " most=%dx%lldx%lldx%lld", c->max_group, (long long)c->max_local[0], (long long)c->max_local[1], (long long)c->max_local[2]);
        buf_printf(&rest, " sizes=%s", word(w, c->sizes));
    }
    put(w, RECORD_STEP, 0, c ? c->source : rewrites_text(s, v, w->arena), "step %s @%d from=@%d %s trust=%s next=%d hash=%016llx%s",
        d->name, v->number, v->parent, step_kind_name(v->kind), trust_name(v->trust), v->next_param, (unsigned long long)v->hash, rest.data);
}

/* Those of a derivation from number `from` on. */
static void put_steps(Writer *w, const Session *s, const Derivation *d, int from)
{
    for (const Version *v = d->versions.v[from - 1]; (v = derivation_next(d, v));) put_step(w, s, d, v);
}

/* ---- behind the steps ---- */

/* Where the user is and was: what `goto` and `redo` go by. The branch last visited is by itself the youngest. */
static void put_places(Writer *w, Ctx *c, const Derivation *d)
{
    const char *name = d->name;
    for (const Version *v = NULL; (v = derivation_next(d, v));) {
        if (v->focus) put(w, RECORD_STATE, 2, NULL, "focus %s @%d %s", name, v->number, word(w, place_text(c, v->root, v->focus)));
        if (v->visited_child != v->last_child) put(w, RECORD_STATE, 2, NULL, "visited %s @%d @%d", name, v->number, v->visited_child);
    }
    if (d->previous >= 0) put(w, RECORD_STATE, 1, NULL, "at %s @%d @%d", name, d->current, d->previous);
    else put(w, RECORD_STATE, 1, NULL, "at %s @%d", name, d->current);
}

static void put_state(Writer *w, const Session *s, const StoreItem *items, int count, bool places)
{
    const Rule *r;
    for (SettingId i = 0; i < SETTING_COUNT; i++)
        if (setting(i)->kept && strcmp(session_setting(s, i), setting(i)->initial))
            put(w, RECORD_STATE, 1, NULL, "set %s %s", setting(i)->name, word(w, session_setting(s, i)));
    for (int i = 0; i < count; i++) put(w, RECORD_STATE, 1, items[i].text, "%s %s", items[i].kind, word(w, items[i].name));
    for (int i = 0; (r = rules_user(s->rules, i)); i++)
        if (r->trust != TRUST_ASSUMED && r->check_count)             /* a proof is made anew, where it is wanted */
            put(w, RECORD_STATE, 1, NULL, "trust %s %s seed=%llu count=%d", word(w, r->name), trust_name(TRUST_CHECKED),
                (unsigned long long)r->check_seed, r->check_count);
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *d = s->derivations.v[i];
        const char *name = d->name;
        LOCAL(buf_free) Buf dropped = {0};
        for (int j = 0; j < d->program->size_count; j++)
            if (d->sizes[j]) put(w, RECORD_STATE, 2, NULL, "size %s %s %lld", name, size_name(d->program, j), (long long)d->sizes[j]);
        for (const RunInput *in = d->inputs; in < d->inputs + d->program->input_count; in++) {
            LOCAL(buf_free) Buf b = {0};
            if (in->spec.kind == FILL_DEFAULT || in->spec.kind == FILL_DATA) continue;
            fill_print(&in->spec, &b);
            put(w, RECORD_STATE, 2, NULL, "input %s %s %s", name, in->name, word(w, buf_text(&b)));
        }
        bool tags = false;                /* thousands of versions are gone through behind each command: once, where none has a tag or note */
        for (int k = 0; k < d->versions.n; k++) {
            if (d->versions.v[k]->dropped) buf_printf(&dropped, " @%d", k);
            tags |= d->versions.v[k]->tag || d->versions.v[k]->note;
        }
        if (dropped.len) put(w, RECORD_STATE, 1, NULL, "dropped %s%s", name, dropped.data);
        for (const Version *v = NULL; tags && (v = derivation_next(d, v));) {
            if (v->tag) put(w, RECORD_STATE, 2, NULL, "tag %s @%d %s", name, v->number, v->tag);
            if (v->note) put(w, RECORD_STATE, 2, NULL, "note %s @%d %s", name, v->number, word(w, v->note));
        }
        for (const Mark *m = d->marks.v; m < d->marks.v + d->marks.n; m++) {
            const Version *v = derivation_version(d, m->version);
            if (v) put(w, RECORD_STATE, 2, NULL, "mark %s %s @%d %s", name, m->name, m->version, word(w, place_text(s->ctx, v->root, m->at)));
        }
        if (places) put_places(w, s->ctx, d);
    }
    if (s->current && places) put(w, RECORD_STATE, 0, NULL, "use %s", s->current->name);
}

/* ---- files that replace others ---- */

static bool write_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

/* The file itself when it is a link; malloc. */
static char *link_target(const char *file)
{
    char *real = realpath(file, NULL);
    return real ? real : strdup(file);
}

/* Is that "mm.session.tmp1234" beside mm.session, its process gone? What one is still being written
 * is younger than a minute. */
static bool is_leftover(int folder, const char *name, const char *base)
{
    enum { SECONDS = 60 };
    struct stat st;
    size_t n = strlen(base);
    if (strncmp(name, base, n) || strncmp(name + n, ".tmp", 4)) return false;
    const char *digits = name + n + 4;
    if (!*digits || digits[strspn(digits, "0123456789")]) return false;
    if (kill((pid_t)atol(digits), 0) == 0 || errno != ESRCH) return false;
    return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && time(NULL) - st.st_mtime > SECONDS;
}

void store_sweep(const char *file)
{
    LOCAL(drop) char *target = link_target(file), *copy = strdup(target);
    const char *slash = strrchr(target, '/'), *base = slash ? slash + 1 : target;
    DIR *folder = opendir(dirname(copy));
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (is_leftover(dirfd(folder), e->d_name, base)) unlinkat(dirfd(folder), e->d_name, 0);
    if (folder) closedir(folder);
}

/* Write a file beside the one of that name, sync it, and rename it over it. Its descriptor, which is locked,
 * is left in *keep unless NULL. False + E06. */
static bool replace(Diag *diag, const char *file, const Buf *text, int *keep)
{
    struct stat old;
    LOCAL(drop) char *target = link_target(file);
    LOCAL(buf_free) Buf temporary = {0};
    buf_printf(&temporary, "%s.tmp%ld", target, (long)getpid());
    mode_t mode = stat(target, &old) == 0 ? old.st_mode & 0777 : 0666;
    unlink(temporary.data);
    int fd = open(temporary.data, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode);
    if (fd >= 0 && keep) flock(fd, LOCK_EX | LOCK_NB);      /* where there are no locks, nobody is told of the file */
    bool ok = fd >= 0 && write_all(fd, buf_text(text), text->len) && fsync(fd) == 0 && rename(temporary.data, target) == 0;
    int error = errno;
    if (ok) {                            /* a rename lasts only once its folder is on the disk */
        LOCAL(drop) char *copy = strdup(target);
        int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ok = folder >= 0 && (fsync(folder) == 0 || errno == EINVAL);
        error = errno;
        if (folder >= 0) close(folder);
    } else if (fd >= 0) unlink(temporary.data);
    if (fd >= 0 && (!ok || !keep)) ok = close(fd) == 0 && ok;
    if (ok && keep) *keep = fd;
    return ok || diag_fail(diag, E06, "cannot write %s: %s", file, strerror(error));
}

static void append(void *data, RecordClass class, const char *key, const Buf *record)
{
    (void)class, (void)key;
    buf_write(data, record->data, record->len);
}

bool session_save(const Session *s, const StoreItem *items, int count, const char *file)
{
    LOCAL(buf_free) Buf text = {0};
    Writer w = writer_new(append, &text);
    put_header(&w, "saved");
    put_base(&w, s);
    for (int i = 0; i < s->derivations.n; i++) put_steps(&w, s, s->derivations.v[i], 1);
    put_state(&w, s, items, count, true);
    put(&w, RECORD_STATE, 0, NULL, "end");
    store_sweep(file);
    bool ok = replace(diag(s), file, &text, NULL);
    writer_free(&w);
    return ok;
}

/* ---- what a session holds, as a number ---- */

typedef struct Work { uint64_t hash; bool programs; } Work;

static void add_work(void *data, RecordClass class, const char *key, const Buf *record)
{
    Work *w = data;
    bool loaded = !strncmp(key, "program ", 8) || (!strncmp(key, "source ", 7) && !strncmp(record->data + strlen(key), " file ", 6));
    (void)class;
    if (!loaded || w->programs) w->hash = hash_bytes(w->hash, record->data, record->len);
}

uint64_t session_work(const Session *s, const StoreItem *items, int count, bool programs)
{
    Work work = {.programs = programs};
    Writer w = writer_new(add_work, &work);
    put_base(&w, s);
    for (int i = 0; i < s->derivations.n; i++)
        if (s->derivations.v[i]->versions.n > 1) work.hash = hash_mix(work.hash, (uint64_t)s->derivations.v[i]->versions.n);
    put_state(&w, s, items, count, false);
    writer_free(&w);
    return work.hash;
}

/* ---- a file that grows by what is new ---- */

typedef struct Written {                 /* a record that is in the file */
    const char *key;
    uint64_t hash;
    int seen;                            /* the round in which the session still had it */
} Written;

struct Journal {
    char *file;
    int fd;                              /* -1: nothing is written yet */
    off_t good;                          /* length of the file as written without an error */
    int round;
    Arena *arena;                        /* of what is written */
    PtrTable written;                    /* Written, by key */
    VEC(int) versions;                   /* by derivation: how many are in the file */
    Buf text;                            /* what is new ... */
    bool rewrite;                        /* ... and something in the file no longer holds, which a later record cannot say */
};

Journal *journal_new(const char *file)
{
    Journal *j = mem_alloc(sizeof *j);
    *j = (Journal){.file = mem_strdup(file), .fd = -1, .arena = arena_new()};
    return j;
}

static void forget(Journal *j)
{
    arena_reset(j->arena);
    ptr_table_free(&j->written);
    j->written = (PtrTable){0};
    j->versions.n = 0;
    if (j->fd >= 0) close(j->fd);
    j->fd = -1;
}

void journal_free(Journal *j, bool keep)
{
    if (!j) return;
    if (!keep && j->fd >= 0) unlink(j->file);
    forget(j);
    free(j->versions.v);
    buf_free(&j->text);
    arena_free(j->arena);
    free(j->file);
    free(j);
}

const char *journal_file(const Journal *j) { return j->fd >= 0 ? j->file : NULL; }

static bool same_key(const void *key, const void *item) { return !strcmp(key, ((const Written *)item)->key); }

static void note(void *data, RecordClass class, const char *key, const Buf *record)
{
    Journal *j = data;
    uint64_t at = hash_bytes(0, key, strlen(key)), hash = hash_bytes(0, record->data, record->len);
    Written *w = class == RECORD_STEP ? NULL : ptr_table_find(&j->written, at, same_key, key);
    bool changed = w && w->hash != hash;
    j->rewrite |= changed && class == RECORD_BASE;
    if (!w || changed) buf_write(&j->text, record->data, record->len);
    if (class == RECORD_STEP) return;
    if (!w) {
        w = MAKE(j->arena, Written, .key = arena_strdup(j->arena, key));
        ptr_table_add(&j->written, at, w);
    }
    w->hash = hash;
    w->seen = j->round;
}

/* What is not yet in the file, into j->text; from now on it counts as written. */
static void collect(Journal *j, const Session *s, const StoreItem *items, int count)
{
    Writer w = writer_new(note, j);
    buf_clear(&j->text);
    j->rewrite = false;
    j->round++;
    if (j->fd < 0) put_header(&w, "autosave");
    put_base(&w, s);
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *d = s->derivations.v[i];
        while (j->versions.n <= i) vec_push(&j->versions, 1);
        put_steps(&w, s, d, j->versions.v[i]);
        j->versions.v[i] = d->versions.n;
    }
    put_state(&w, s, items, count, true);
    for (size_t i = 0; i < j->written.used; i++) j->rewrite |= ((const Written *)j->written.items[i])->seen != j->round;     /* gone */
    writer_free(&w);
}

/* One write, so that a kill leaves all or nothing of it; what a full disk leaves is cut off again. */
static bool grow(Journal *j, Diag *diag)
{
    const Buf *text = &j->text;
    ssize_t n = write(j->fd, text->data, text->len);
    if (n == (ssize_t)text->len && fdatasync(j->fd) == 0) return j->good += n, true;
    diag_error(diag, E06, "cannot write %s: %s", j->file, strerror(n >= 0 && n < (ssize_t)text->len ? ENOSPC : errno));
    if (ftruncate(j->fd, j->good)) forget(j);
    return false;
}

bool journal_write(Journal *j, const Session *s, const StoreItem *items, int count)
{
    struct stat a, b;
    bool ok = true;
    if (j->fd >= 0) {
        collect(j, s, items, count);
        /* Is the file that it appends to still the one of that name? */
        bool there = fstat(j->fd, &a) == 0 && stat(j->file, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
        if (!j->rewrite && !j->text.len) return true;
        if (!j->rewrite && there) ok = grow(j, diag(s));
        else forget(j);
    }
    if (j->fd < 0) {                     /* from scratch */
        collect(j, s, items, count);
        ok = replace(diag(s), j->file, &j->text, &j->fd);
        j->good = (off_t)j->text.len;
    }
    if (!ok) forget(j);                  /* the next time all of it */
    return ok;
}
