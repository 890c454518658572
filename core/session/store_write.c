/* store_write: a session as records, and files that replace others safely. */
#include "store_private.h"

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

typedef struct Writer {
    RecordSink *sink;
    void *data;
    RecordText record;
    Buf key;
} Writer;

/* A record whose first words, as far as they are not "", tell it from others of its kind. */
static void begin(Writer *w, const char *kind, const char *a, const char *b)
{
    buf_clear(&w->key);
    buf_printf(&w->key, "%s %s %s", kind, a, b);
    record_begin(&w->record, kind);
    if (*a) record_word(&w->record, a);
    if (*b) record_word(&w->record, b);
}

/* Of a version. */
static void begin_version(Writer *w, const char *kind, const Derivation *d, int number)
{
    char version[32];
    snprintf(version, sizeof version, "@%d", number);
    begin(w, kind, d->name, version);
}

static void end(Writer *w, RecordClass class)
{
    w->sink(w->data, class, buf_text(&w->key), &w->record);
}

static void writer_free(Writer *w)
{
    record_free(&w->record);
    buf_free(&w->key);
}

/* ---- before the steps ---- */

void store_header(const char *kind, RecordText *r)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)rules_hash());
    record_begin(r, "lathe-session");
    record_printf(r, "%d %s", STORE_FORMAT, kind);
    record_pair(r, "lathe", LATHE_VERSION);
    record_pair(r, "rules", hash);
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

void store_base(const Session *s, RecordSink *sink, void *data)
{
    Writer w = {.sink = sink, .data = data};
    for (int i = 0; i < s->loads.n; i++) {
        const Load *load = &s->loads.v[i];
        char number[16];
        snprintf(number, sizeof number, "%d", i + 1);
        begin(&w, "source", number, "");
        record_word(&w.record, load->declaration ? "let" : "file");
        record_word(&w.record, load->name);
        record_text(&w.record, load->text);
        end(&w, RECORD_BASE);
    }
    const Rule *r;
    for (int i = 0; (r = rules_user(s->rules, i)); i++) {
        if (r->reversed) continue;
        begin(&w, "rule", r->name, "");
        record_text(&w.record, r->ast->source->text);
        end(&w, RECORD_BASE);
    }
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *d = s->derivations.v[i];
        int load;
        const char *name;
        if (!origin(s, d, &load, &name)) continue;
        begin(&w, "program", d->name, "");
        record_printf(&w.record, "source=%d name=%s hash=%016llx", load + 1, name,
                      (unsigned long long)d->versions.v[0]->hash);
        end(&w, RECORD_BASE);
    }
    writer_free(&w);
}

/* ---- steps ---- */

static void step_lines(const Session *s, const Version *v, const Version *parent, RecordText *r)
{
    const Term *root = parent->root;
    Buf b = {0};
    for (int i = 0; i < v->sub_count; i++) {
        /* Macros that ended between two rewrites, "}" each, and those that began, "{ tile(4) at /in". */
        const MacroUse *a = i ? v->subs[i - 1].within : NULL, *z = v->subs[i].within, *begun[MACRO_DEPTH];
        int n = 0;
        for (; a && (!z || a->depth > z->depth); a = a->outer) record_line(r, "}", 1);
        for (; z && (!a || z->depth > a->depth); z = z->outer)
            if (n < MACRO_DEPTH) begun[n++] = z;
        for (; a != z; a = a->outer, z = z->outer) {
            record_line(r, "}", 1);
            if (n < MACRO_DEPTH) begun[n++] = z;
        }
        while (n-- > 0) {
            buf_clear(&b);
            buf_printf(&b, "{ %s at %s", begun[n]->call, begun[n]->place);
            for (size_t j = 0; j < b.len; j++)
                if (b.data[j] == '\n') b.data[j] = ' ';
            record_line(r, b.data, b.len);
        }
        buf_clear(&b);
        buf_printf(&b, "%s at %s", v->subs[i].call, place_text(s->ctx, root, v->subs[i].at));
        record_line(r, b.data, b.len);
        buf_clear(&b);
        root = v->subs[i].root;
    }
    buf_free(&b);
}

void store_step(const Session *s, const Derivation *d, const Version *v, RecordText *r)
{
    const Version *parent = d->versions.v[v->parent];
    record_begin(r, "step");
    record_word(r, d->name);
    record_printf(r, "@%d from=@%d %s trust=%s next=%d hash=%016llx", v->number, v->parent,
                  step_kind_name(v->kind), trust_name(v->trust), v->next_param, (unsigned long long)v->hash);
    /* The first binding; all of them are in the call. */
    if (v->kind == STEP_PARAM) {
        TuneParam *b;
        Arena *arena = arena_new();
        if (bindings_read(v->call + strlen("param "), arena, &b) > 0) {
            record_pair(r, "name", b->name);
            record_printf(r, "value=%lld", (long long)b->value);
        }
        arena_free(arena);
    }
    if (v->at) record_pair(r, "at", step_place(s->ctx, parent, v));
    record_word(r, v->call);
    if (v->code) {
        /* Its source is the record's text. */
        record_printf(r, "replaces=%016llx single=%d gpu=%d local=%dx%dx%d arguments=%d",
                      (unsigned long long)v->code->replaces, v->code->single, v->code->gpu, v->code->local[0],
                      v->code->local[1], v->code->local[2], v->code->arguments);
        if (v->code->paranoid) record_printf(r, "paranoid=1");
        if (v->code->max_group)
            record_printf(r, "most=%dx%lldx%lldx%lld", v->code->max_group, (long long)v->code->max_local[0],
                          (long long)v->code->max_local[1], (long long)v->code->max_local[2]);
        record_pair(r, "sizes", v->code->sizes);
    }
    if (v->code) record_text(r, v->code->source);
    else step_lines(s, v, parent, r);
}

/* ---- behind the steps ---- */

bool setting_is_kept(SettingId id)
{
    static const char *const looks[] = {"autosave", "color", "debug", "depth", "launcher", "pager", "prompt", "repeat",
                                        "silence", "spoilers", "times", "trace", "unicode", "verbose", "view", "width"};
    return text_index(looks, COUNT(looks), setting(id)->name) < 0;
}

/* Where the user is and was: what `goto` and `redo` go by. The branch last visited is by itself the youngest. */
static void state_places(Writer *w, Ctx *c, const Derivation *d)
{
    for (int i = 0; i < d->versions.n; i++) {
        const Version *v = d->versions.v[i];
        if (v->dropped) continue;
        if (v->focus) {
            begin_version(w, "focus", d, i);
            record_word(&w->record, place_text(c, v->root, v->focus));
            end(w, RECORD_PLACE);
        }
        if (v->visited_child == v->last_child) continue;
        begin_version(w, "visited", d, i);
        record_printf(&w->record, "@%d", v->visited_child);
        end(w, RECORD_PLACE);
    }
    begin(w, "at", d->name, "");
    record_printf(&w->record, "@%d", d->current);
    if (d->previous >= 0) record_printf(&w->record, "@%d", d->previous);
    end(w, RECORD_PLACE);
}

void store_state(const Session *s, const StoreItem *items, int count, bool places, RecordSink *sink, void *data)
{
    Writer w = {.sink = sink, .data = data};
    for (int i = 0; i < SETTING_COUNT; i++) {
        const Setting *t = setting((SettingId)i);
        const char *value = session_setting(s, (SettingId)i);
        if (!setting_is_kept((SettingId)i) || !strcmp(value, t->initial)) continue;
        begin(&w, "set", t->name, "");
        record_word(&w.record, value);
        end(&w, RECORD_STATE);
    }
    for (int i = 0; i < count; i++) {
        begin(&w, items[i].kind, items[i].name, "");
        record_text(&w.record, items[i].text);
        end(&w, RECORD_STATE);
    }
    const Rule *r;
    for (int i = 0; (r = rules_user(s->rules, i)); i++) {
        if (r->trust == TRUST_ASSUMED) continue;
        begin(&w, "trust", r->name, "");
        record_printf(&w.record, "%s seed=%llu count=%d", trust_name(r->trust), (unsigned long long)r->check_seed,
                      r->check_count);
        end(&w, RECORD_STATE);
    }
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *d = s->derivations.v[i];
        const Program *p = d->program;
        for (int j = 0; j < p->size_count; j++) {
            if (!d->sizes[j]) continue;
            begin(&w, "size", d->name, size_name(p, j));
            record_printf(&w.record, "%lld", (long long)d->sizes[j]);
            end(&w, RECORD_STATE);
        }
        for (int j = 0; j < p->input_count; j++) {
            Buf b = {0};
            if (d->inputs[j].spec.kind == FILL_DEFAULT || d->inputs[j].spec.kind == FILL_DATA) continue;
            fill_print(&d->inputs[j].spec, &b);
            begin(&w, "input", d->name, d->inputs[j].name);
            record_word(&w.record, buf_text(&b));
            end(&w, RECORD_STATE);
            buf_free(&b);
        }
        begin(&w, "dropped", d->name, "");
        bool any = false;
        for (int k = 0; k < d->versions.n; k++) {
            if (!d->versions.v[k]->dropped) continue;
            record_printf(&w.record, "@%d", k);
            any = true;
        }
        if (any) end(&w, RECORD_STATE);
        for (int k = 0; k < d->versions.n; k++) {
            if (!d->versions.v[k]->tag) continue;
            begin_version(&w, "tag", d, k);
            record_word(&w.record, d->versions.v[k]->tag);
            end(&w, RECORD_STATE);
        }
        for (const Mark *m = d->marks.v; m < d->marks.v + d->marks.n; m++) {
            if (!derivation_version(d, m->version)) continue;
            begin(&w, "mark", d->name, m->name);
            record_printf(&w.record, "@%d", m->version);
            record_word(&w.record, place_text(s->ctx, d->versions.v[m->version]->root, m->at));
            end(&w, RECORD_STATE);
        }
        if (places) state_places(&w, s->ctx, d);
    }
    if (s->current && places) {
        begin(&w, "use", "", "");
        record_word(&w.record, s->current->name);
        end(&w, RECORD_PLACE);
    }
    writer_free(&w);
}

/* ---- a whole file ---- */

static void append(void *data, RecordClass class, const char *key, RecordText *record)
{
    (void)class, (void)key;
    record_end(record, data);
}

void store_whole(const Session *s, const StoreItem *items, int count, const char *kind, Buf *out)
{
    RecordText r = {0};
    store_header(kind, &r);
    record_end(&r, out);
    store_base(s, append, out);
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *d = s->derivations.v[i];
        for (int k = 1; k < d->versions.n; k++) {
            if (d->versions.v[k]->dropped) continue;
            store_step(s, d, d->versions.v[k], &r);
            record_end(&r, out);
        }
    }
    store_state(s, items, count, true, append, out);
    record_free(&r);
}

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
    char *target = link_target(file), *copy = strdup(target), *slash = strrchr(target, '/');
    const char *base = slash ? slash + 1 : target;
    DIR *folder = opendir(dirname(copy));
    for (struct dirent *e; folder && (e = readdir(folder));)
        if (is_leftover(dirfd(folder), e->d_name, base)) unlinkat(dirfd(folder), e->d_name, 0);
    if (folder) closedir(folder);
    free(copy);
    free(target);
}

bool store_replace(Diag *diag, const char *file, const Buf *text, int *keep)
{
    struct stat old;
    char *target = link_target(file);
    Buf temporary = {0};
    buf_printf(&temporary, "%s.tmp%ld", target, (long)getpid());
    mode_t mode = stat(target, &old) == 0 ? old.st_mode & 0777 : 0666;
    unlink(temporary.data);
    int fd = open(temporary.data, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, mode);
    if (fd >= 0 && keep) flock(fd, LOCK_EX | LOCK_NB);      /* where there are no locks, nobody is told of the file */
    bool ok = fd >= 0 && write_all(fd, buf_text(text), text->len) && fsync(fd) == 0 && rename(temporary.data, target) == 0;
    int error = errno;
    if (ok) {                            /* a rename lasts only once its folder is on the disk */
        char *copy = strdup(target);
        int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ok = folder >= 0 && (fsync(folder) == 0 || errno == EINVAL);
        error = errno;
        if (folder >= 0) close(folder);
        free(copy);
    } else if (fd >= 0) unlink(temporary.data);
    if (fd >= 0 && (!ok || !keep)) ok = close(fd) == 0 && ok;
    if (ok && keep) *keep = fd;
    buf_free(&temporary);
    free(target);
    return ok || (diag_error(diag, E06, "cannot write %s: %s", file, strerror(error)), false);
}

bool session_save(const Session *s, const StoreItem *items, int count, const char *file)
{
    Buf text = {0};
    RecordText r = {0};
    store_whole(s, items, count, "saved", &text);
    record_begin(&r, "end");
    record_end(&r, &text);
    store_sweep(file);
    bool ok = store_replace(&s->ctx->diag, file, &text, NULL);
    record_free(&r);
    buf_free(&text);
    return ok;
}

typedef struct Work {
    uint64_t hash;
    bool programs;
    Buf text;
} Work;

static void add_work(void *data, RecordClass class, const char *key, RecordText *record)
{
    (void)class;
    Work *w = data;
    bool loaded = !strncmp(key, "program ", 8) || (!strncmp(key, "source ", 7) && strstr(record->head.data, " file "));
    if (loaded && !w->programs) return;
    buf_clear(&w->text);
    record_end(record, &w->text);
    w->hash = hash_bytes(w->hash, w->text.data, w->text.len);
}

uint64_t session_work(const Session *s, const StoreItem *items, int count, bool programs)
{
    Work w = {.programs = programs};
    store_base(s, add_work, &w);
    for (int i = 0; i < s->derivations.n; i++)
        if (s->derivations.v[i]->versions.n > 1) w.hash = hash_mix(w.hash, (uint64_t)s->derivations.v[i]->versions.n);
    store_state(s, items, count, false, add_work, &w);
    buf_free(&w.text);
    return w.hash;
}
