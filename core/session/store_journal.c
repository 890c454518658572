/* store_journal: a session file that grows by what is new, for autosave. */
#include "store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Written {                 /* a record that is in the file */
    char *key;
    uint64_t hash;
    RecordClass class;
    int seen;                            /* the round in which the session still had it */
} Written;

struct Journal {
    char *file;
    int fd;                              /* -1: nothing is written yet */
    off_t good;                          /* length of the file as written without an error */
    int round;
    PtrTable written;                    /* Written, by key */
    VEC(int) versions;                   /* by derivation: how many are in the file */
};

Journal *journal_new(const char *file)
{
    Journal *j = mem_alloc(sizeof *j);
    j->file = strdup(file);
    j->fd = -1;
    return j;
}

static void forget(Journal *j)
{
    for (size_t i = 0; i < j->written.used; i++) {
        Written *w = j->written.items[i];
        free(w->key);
        free(w);
    }
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
    free(j->file);
    free(j);
}

const char *journal_file(const Journal *j) { return j->fd >= 0 ? j->file : NULL; }

/* ---- what is new ---- */

typedef struct Delta {
    Journal *j;
    Buf base, state, text;
    bool rewrite;                        /* something in the file no longer holds, and a later record cannot say so */
} Delta;

static bool same_key(const void *key, const void *item) { return !strcmp(key, ((const Written *)item)->key); }

static void note(void *data, RecordClass class, const char *key, RecordText *record)
{
    Delta *d = data;
    Journal *j = d->j;
    buf_clear(&d->text);
    record_end(record, &d->text);
    uint64_t at = hash_bytes(0, key, strlen(key)), hash = hash_bytes(0, d->text.data, d->text.len);
    Written *w = ptr_table_find(&j->written, at, same_key, key);
    if (w && w->hash != hash && class == RECORD_BASE) d->rewrite = true;
    if (!w || w->hash != hash) buf_write(class == RECORD_BASE ? &d->base : &d->state, d->text.data, d->text.len);
    if (!w) {
        w = mem_alloc(sizeof *w);
        w->key = strdup(key);
        ptr_table_add(&j->written, at, w);
    }
    w->class = class;
    w->hash = hash;
    w->seen = j->round;
}

static void collect(Delta *d, const Session *s, const StoreItem *items, int count)
{
    d->j->round++;
    store_base(s, note, d);
    Journal *j = d->j;
    RecordText r = {0};
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *e = s->derivations.v[i];
        while (j->versions.n <= i) vec_push(&j->versions, 1);
        for (int *k = &j->versions.v[i]; *k < e->versions.n; ++*k) {
            if (e->versions.v[*k]->dropped) continue;
            store_step(s, e, e->versions.v[*k], &r);
            record_end(&r, &d->base);
        }
    }
    record_free(&r);
    store_state(s, items, count, true, note, d);
    for (size_t i = 0; i < j->written.used; i++) d->rewrite |= ((const Written *)j->written.items[i])->seen != j->round;     /* gone */
    buf_write(&d->base, buf_text(&d->state), d->state.len);
}

static void delta_free(Delta *d)
{
    buf_free(&d->base);
    buf_free(&d->state);
    buf_free(&d->text);
}

/* ---- writing it ---- */

/* The file from scratch; afterwards it is known what is in it. */
static bool rewrite(Journal *j, const Session *s, const StoreItem *items, int count)
{
    Buf text = {0};
    Delta all = {.j = j};
    int fd = -1;
    store_whole(s, items, count, "autosave", &text);
    bool ok = store_replace(&s->ctx->diag, j->file, &text, &fd);
    if (ok) {
        forget(j);
        j->fd = fd;
        j->good = (off_t)text.len;
        collect(&all, s, items, count);
    }
    delta_free(&all);
    buf_free(&text);
    return ok;
}

/* One write, so that a kill leaves all or nothing of it; what a full disk leaves is cut off again. */
static bool append(Journal *j, Diag *diag, const Buf *text)
{
    ssize_t n = write(j->fd, text->data, text->len);
    if (n == (ssize_t)text->len && fdatasync(j->fd) == 0) {
        j->good += n;
        return true;
    }
    diag_error(diag, E06, "cannot write %s: %s", j->file, strerror(n >= 0 && n < (ssize_t)text->len ? ENOSPC : errno));
    if (ftruncate(j->fd, j->good)) forget(j);
    return false;
}

bool journal_write(Journal *j, const Session *s, const StoreItem *items, int count)
{
    Delta d = {.j = j};
    struct stat a, b;
    if (j->fd < 0) return rewrite(j, s, items, count);
    collect(&d, s, items, count);
    /* Is the file that it appends to still the one of that name? */
    bool there = fstat(j->fd, &a) == 0 && stat(j->file, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev, ok = true;
    if (d.rewrite || (d.base.len && !there)) ok = rewrite(j, s, items, count);
    else if (d.base.len && !append(j, &s->ctx->diag, &d.base)) ok = false, forget(j);      /* the next time all of it */
    delta_free(&d);
    return ok;
}
