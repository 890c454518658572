/* keep: the file of the session, what is not in it yet, autosave, what other sessions left behind (sessions.md); another
 * session in its place. */
#include "keep.h"
#include "cmdline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { ORPHANS_SHOWN = 3 };

/* ---- what a session file keeps for the shell ---- */

int keep_items(Shell *sh, Arena *arena, StoreItem **out)
{
    int macros = sh->strategies ? strategies_name_count(sh->strategies) : 0, n = 0;
    StoreItem *lua = NULL;
    int chunks = sh->strategies ? strategies_kept(sh->strategies, NULL, arena, &lua) : 0;
    StoreItem *guided;
    int progress = sh->guided ? sh->guide->items(sh, arena, &guided) : 0;
    StoreItem *items = NEW_ARRAY(arena, StoreItem, chunks + macros + sh->aliases.n + progress);
    for (int i = 0; i < chunks; i++) items[n++] = lua[i];
    for (int i = 0; i < macros; i++) {
        const StrategyName *m = strategies_name(sh->strategies, i);
        if (m->user && m->text) items[n++] = (StoreItem){"macro", m->name, m->text};
    }
    for (int i = 0; i < sh->aliases.n; i++) items[n++] = (StoreItem){"alias", sh->aliases.v[i].name, sh->aliases.v[i].line};
    for (int i = 0; i < progress; i++) items[n++] = guided[i];
    *out = items;
    return n;
}

/* Within do ... end a chunk is complete only at its end; an empty line would end it. */
void put_lua(Shell *sh, const Rule *only, Buf *out)
{
    StoreItem *items;
    Strategies *strategies = shell_strategies(sh);
    int n = strategies ? strategies_kept(strategies, only, sh->scratch, &items) : 0;
    for (int i = 0; i < n; i++) {
        buf_puts(out, "lua do\n");
        for (const char *p = items[i].text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
            int length = (int)strcspn(p, "\n");
            buf_printf(out, "%.*s\n", length ? length : 2, length ? p : "--");
        }
        buf_puts(out, "end\n");
    }
}

static uint64_t work_now(Shell *sh)
{
    StoreItem *items;
    LOCAL(drop_arena) Arena *arena = arena_new();
    int n = keep_items(sh, arena, &items);
    return session_work(sh->session, items, n, sh->keep.file && !sh->keep.fresh);
}

static int count_versions(const Session *s)
{
    int n = 0;
    for (int i = 0; i < session_count(s); i++) n += session_get(s, i)->live - 1;
    return n;
}

bool keep_unsaved(Shell *sh) { return work_now(sh) != sh->keep.saved; }

void keep_settled(Shell *sh) { if (sh->keep.saved) keep_start(sh); }

void keep_start(Shell *sh)
{
    sh->keep.saved = work_now(sh);
    sh->keep.versions = count_versions(sh->session);
}

const char *keep_work_text(Shell *sh)
{
    int n = count_versions(sh->session) - sh->keep.versions;
    if (n <= 0) return "tags, data, settings or definitions";
    return arena_printf(sh->c->diag.arena, "%d version%s", n, plural(n));
}

static bool keep_autosaves(const Shell *sh)
{
    if (sh->keep.kept) return true;
    const char *value = session_setting(sh->session, SET_AUTOSAVE);
    return !strcmp(value, "on") || (!strcmp(value, "auto") && (sh->interactive || sh->keep.always));
}

Unsaved keep_users_unsaved(Shell *sh)
{
    if (sh->guided) return sh->guided->waiting;
    bool any = keep_unsaved(sh);
    return (Unsaved){.any = any, .lost = !keep_autosaves(sh) || sh->keep.warned, .always = sh->keep.always,
                     .work = any ? keep_work_text(sh) : ""};
}

/* ---- its file ---- */

void keep_file(Shell *sh, const char *file, bool fresh)
{
    char *real = realpath(file, NULL), *name = strdup(real ? real : file);
    free(real);
    free(sh->keep.file);
    sh->keep.file = name;
    sh->keep.fresh = fresh;
    sh->keep.damaged = false;
    if (stat(name, &sh->keep.stamp)) sh->keep.stamp = (struct stat){0};
    keep_start(sh);
}

const char *keep_name(Shell *sh)
{
    LOCAL(drop) char *here = getcwd(NULL, 0);
    size_t n = here ? strlen(here) : 0;
    const char *file = sh->keep.file;
    if (n > 1 && !strncmp(file, here, n) && file[n] == '/') file += n + 1;
    return file;
}

/* mm.session: mm-2.session, or what else is free. */
static const char *other_name(Shell *sh, const char *file)
{
    const char *dot = strrchr(file, '.');
    int n = dot && !strchr(dot, '/') ? (int)(dot - file) : (int)strlen(file);
    for (int i = 2; i < 100; i++) {
        const char *name = arena_printf(sh->c->diag.arena, "%.*s-%d.session", n, file, i);
        if (access(name, F_OK)) return name;
    }
    return file;
}

bool keep_may_write(Shell *sh, const char *file)
{
    struct stat now, own, *then = &sh->keep.stamp;
    if (stat(file, &now)) return true;
    bool mine = sh->keep.file && !stat(sh->keep.file, &own) && own.st_dev == now.st_dev && own.st_ino == now.st_ino;
    bool same = now.st_dev == then->st_dev && now.st_ino == then->st_ino && now.st_size == then->st_size
        && now.st_mtim.tv_sec == then->st_mtim.tv_sec && now.st_mtim.tv_nsec == then->st_mtim.tv_nsec;
    if (mine && !sh->keep.damaged && same) return true;
    return shell_error(sh, E17, "%s %s\ntry save %s --force\nor save %s", file,
                       !mine ? "exists, and this session did not come from it"
                       : sh->keep.damaged ? "was damaged when it was opened: saving would remove what could not be read"
                                          : "was changed by another program since it was opened", file, other_name(sh, file));
}

bool keep_save(Shell *sh, const char *file, bool terms)
{
    StoreItem *kept;
    LOCAL(drop) StoreItems items = {0};
    LOCAL(drop_arena) Arena *arena = arena_new();
    int n = keep_items(sh, arena, &kept);
    for (int i = 0; i < n; i++) vec_push(&items, kept[i]);
    if (terms) {
        /* The terms of all versions as text, for a reader without lathe, or with another one. */
        enum { WIDTH = 100 };
        LOCAL(buf_free) Buf text = {0};
        for (int i = 0; i < session_count(sh->session); i++) {
            const Derivation *d = session_get(sh->session, i);
            for (const Version *v = derivation_version(d, 0); v; v = derivation_next(d, v)) {
                buf_clear(&text);
                lang_print(sh->c, v->root, &(PrintOptions){.width = WIDTH}, &text);
                StoreItem item = {"ir", arena_printf(arena, "%s@%d", d->name, v->number), arena_strdup(arena, buf_text(&text))};
                vec_push(&items, item);
            }
        }
    }
    bool ok = session_save(sh->session, items.v, items.n, file);
    if (ok) keep_file(sh, file, false);
    return ok;
}

/* ---- questions ---- */

bool shell_may_ask(const Shell *sh) { return sh->interactive && !sh->json && sh->depth == 0; }

bool shell_ask(const char *question, bool at_end)
{
    LOCAL(drop) char *line = NULL;
    size_t size = 0;
    printf("%s [y/n] ", question);
    fflush(stdout);
    errno = 0;
    ssize_t n = getline(&line, &size, stdin);
    bool yes = n > 0 ? line[strspn(line, " \t")] == 'y' || line[strspn(line, " \t")] == 'Y' : at_end && errno != EINTR;
    if (n <= 0) putchar('\n');
    clearerr(stdin);
    return yes;
}

/* ---- autosave ---- */

/* malloc. NULL: there is no place for it. */
static char *autosave_folder(bool make)
{
    char *folder = shell_state_path("autosave/", make);
    if (folder) folder[strlen(folder) - 1] = 0;
    return folder;
}

typedef struct Orphan { const char *file; time_t time; } Orphan;
typedef VEC(Orphan) Orphans;

/* Its process is gone: nobody holds the lock. */
static bool is_orphan(int fd) { return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0; }

static int newest_first(const void *a, const void *b)
{
    const Orphan *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time ? 1 : -1) : strcmp(x->file, y->file);
}

/* All of them, the newest first; their names are in the arena. */
static Orphans orphans(Arena *arena, const char *folder)
{
    Orphans all = {0};
    const char **names;
    int n = folder ? folder_names(arena, folder, &names) : 0;
    for (int i = 0; i < n; i++) {
        struct stat st;
        if (names[i][strspn(names[i], "0123456789-")]) continue;
        const char *file = arena_printf(arena, "%s/%s", folder, names[i]);
        int fd = open(file, O_RDONLY | O_CLOEXEC);
        if (is_orphan(fd) && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) vec_push(&all, ((Orphan){file, st.st_mtime}));
        if (fd >= 0) close(fd);
    }
    if (all.n) qsort(all.v, (size_t)all.n, sizeof *all.v, newest_first);
    return all;
}

static Journal *journal(Shell *sh)
{
    enum { KEPT = 20, DAYS = 30 };
    LOCAL(drop) char *folder = sh->keep.journal ? NULL : autosave_folder(true);
    if (!folder) return sh->keep.journal;
    LOCAL(drop_arena) Arena *arena = arena_new();
    const char *file = arena_printf(arena, "%s/%ld", folder, (long)getpid());
    for (int i = 1; access(file, F_OK) == 0; i++) file = arena_printf(arena, "%s/%ld-%d", folder, (long)getpid(), i);
    sh->keep.journal = journal_new(file);
    /* What nobody opened goes after a while; the newest stay however old they are. */
    LOCAL(drop) Orphans all = orphans(arena, folder);
    time_t oldest = time(NULL) - DAYS * 24 * 3600;
    for (int i = KEPT; i < all.n; i++)
        if (all.v[i].time < oldest) unlink(all.v[i].file);
    return sh->keep.journal;
}

static void autosave_failed(Shell *sh, const char *why)
{
    if (!sh->keep.warned) fprintf(stderr, "lathe: autosave does not work: %s\n", why);
    sh->keep.warned = true;
}

void keep_autosave(Shell *sh)
{
    if (!keep_autosaves(sh)) return;
    bool begun = sh->keep.kept || (sh->keep.journal && journal_file(sh->keep.journal));
    if (begun || sh->keep.adopted || keep_unsaved(sh)) {
        StoreItem *items;
        Diag *diag = &sh->c->diag;
        LOCAL(drop_arena) Arena *arena = arena_new();
        Journal *j = journal(sh);
        int n = keep_items(sh, arena, &items);
        diag_clear(diag);
        if (!j) autosave_failed(sh, "neither XDG_STATE_HOME nor HOME names a folder");
        else if (!journal_write(j, sh->session, items, n)) autosave_failed(sh, diag->message);
        else sh->keep.warned = false;
        if (j && journal_file(j) && sh->keep.adopted) {        /* what an orphan held is in this session's journal now */
            unlink(sh->keep.adopted);
            free(sh->keep.adopted);
            sh->keep.adopted = NULL;
        }
        diag_clear(diag);
    }
}

/* The journal ends; it stays when there is work in it that is nowhere else. */
void keep_leave_journal(Shell *sh)
{
    bool keep = sh->keep.kept || keep_unsaved(sh);
    if (keep) keep_autosave(sh);
    const char *file = sh->keep.journal ? journal_file(sh->keep.journal) : NULL;
    if (keep && file && !sh->keep.kept && sh->interactive && !sh->quiet) printf("unsaved work is kept; open it with: open %s\n", file);
    journal_free(sh->keep.journal, keep);
    sh->keep.journal = NULL;
}

int keep_end(Shell *sh)
{
    int code = 0;
    const char *file = sh->keep.file;
    bool wanted = sh->keep.always && file && (keep_unsaved(sh) || (sh->keep.fresh && session_count(sh->session)));
    if (wanted) diag_clear(diag(sh));
    if (wanted && !(keep_may_write(sh, file) && keep_save(sh, file, false))) {
        code = error_code(sh->c->diag.id);
        shell_complain(sh);
    }
    keep_leave_journal(sh);
    free(sh->keep.file);
    free(sh->keep.adopted);
    sh->keep.file = sh->keep.adopted = NULL;
    return code;
}

/* ---- what other sessions left behind ---- */

/* "session from 14:02 ended without saving: dot and mm, 3 versions; open --old 1 opens it", of that number. */
static void put_orphan(Arena *arena, const Orphan *o, int number, Buf *out)
{
    enum { NAMED = 3 };
    const char *day = arena_date(arena, "%Y-%m-%d", o->time, true), *minute = arena_date(arena, "%H:%M", o->time, true);
    bool same_day = !strcmp(day, arena_date(arena, "%Y-%m-%d", (int64_t)time(NULL), true));
    const char *when = same_day ? minute : arena_printf(arena, "%s %s", day, minute);
    int n = 0, programs = 0;
    const char *p = text_read(NULL, arena, o->file, NULL, NULL), *names = "";
    for (; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
        n += !strncmp(p, "step ", 5);
        if (strncmp(p, "program ", 8) || programs++ >= NAMED) continue;
        names = arena_printf(arena, "%s%.*s, ", names, (int)strcspn(p + 8, " \n"), p + 8);
    }
    if (programs > NAMED) names = arena_printf(arena, "%s%d more, ", names, programs - NAMED);
    const char *what = n ? arena_printf(arena, "%d version%s", n, plural(n)) : "no step";
    buf_printf(out, "session from %s ended without saving: %s%s; open --old %d opens it\n", when, names, what, number);
}

/* Each is told once: those that were are in a file beside them, a line "NAME TIME" each. */
void keep_offer(Shell *sh)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    LOCAL(drop) char *folder = autosave_folder(false);
    LOCAL(drop) Orphans all = orphans(arena, folder);
    LOCAL(buf_free) Buf out = {0}, told = {0};
    if (!all.n || sh->quiet) return;
    const char *list = arena_printf(arena, "%s/told", folder), *before = text_read(NULL, arena, list, NULL, NULL);
    int fresh = 0;
    for (int i = 0; i < all.n; i++) {
        const Orphan *o = &all.v[i];
        const char *line = arena_printf(arena, "%s %lld\n", strrchr(o->file, '/') + 1, (long long)o->time);
        buf_puts(&told, line);
        if (before && strstr(before, line)) continue;
        if (fresh++ < ORPHANS_SHOWN) put_orphan(arena, o, i + 1, &out);
    }
    if (!fresh) return;
    if (all.n > 1) buf_printf(&out, "open --old lists all %d, open --old --drop drops them\n", all.n);
    shell_put(sh, stdout, buf_text(&out));
    if (!file_write(&sh->c->diag, list, buf_text(&told), told.len)) diag_clear(&sh->c->diag);     /* then they are told again */
}

int keep_old(int number, bool dropped, Buf *out)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    LOCAL(drop) char *folder = autosave_folder(false);
    LOCAL(drop) Orphans all = orphans(arena, folder);
    int n = 0;
    for (int i = 0; i < all.n; i++) {
        if (number && i + 1 != number) continue;
        if (!dropped) put_orphan(arena, &all.v[i], i + 1, out);
        n += !dropped || unlink(all.v[i].file) == 0;
    }
    return n;
}

const char *keep_old_file(Arena *arena, int number)
{
    LOCAL(drop) char *folder = autosave_folder(false);
    LOCAL(drop) Orphans all = orphans(arena, folder);
    return number > 0 && number <= all.n ? all.v[number - 1].file : NULL;
}

bool keep_is_autosave(const char *file)
{
    LOCAL(drop) char *folder = autosave_folder(false), *there = folder ? realpath(folder, NULL) : NULL, *real = realpath(file, NULL);
    size_t n = there ? strlen(there) : 0;
    return n && real && !strncmp(real, there, n) && real[n] == '/' && !strchr(real + n + 1, '/');
}

void keep_adopt(Shell *sh, const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    free(sh->keep.file);
    sh->keep.file = NULL;
    sh->keep.fresh = sh->keep.damaged = false;
    sh->keep.saved = 0;                  /* its work is in no file of the user */
    sh->keep.versions = 0;
    if (is_orphan(fd)) {
        free(sh->keep.adopted);
        sh->keep.adopted = realpath(file, NULL);
    }
    if (fd >= 0) close(fd);
}

/* ---- another session in the place of the present one, for a while ---- */

void shell_put_aside(Shell *sh, SuspendedSession *out)
{
    const char *limited;
    const TuneLimits *limits = session_limits(sh->session, &limited);
    *out = (SuspendedSession){.session = sh->now, .device = sh->device != NULL, .device_wanted = sh->device_wanted ? strdup(sh->device_wanted) : NULL};
    sh->now = (SessionState){.session = session_new(), .moves = {.arena = arena_new()}, .labels = {.arena = arena_new()},
                             .results_fleeting = true};
    sh->c = session_ctx(sh->session);
    sh->c->stop = sh->stop;
    shell_copy_display(out->session.session, sh->session);
    if (limits) session_set_limits(sh->session, limited, limits);
    for (int i = 0; i < out->session.aliases.n; i++) alias_set(sh, out->session.aliases.v[i].name, out->session.aliases.v[i].line);
}

void shell_take_back(Shell *sh, SuspendedSession *from)
{
    vec_push(&sh->retired, ((Retired){sh->session, sh->strategies}));
    shell_forget(sh);
    results_close(sh->results);
    sh->now = from->session;
    /* The device that was chosen then; it is opened again when it was open. */
    const char *now = sh->device_wanted ? sh->device_wanted : "", *then = from->device_wanted ? from->device_wanted : "";
    bool same = !strcmp(now, then);
    if (!same) {
        device_close(sh->device);
        sh->device = NULL;
        free((char *)sh->device_wanted);
        sh->device_wanted = from->device_wanted;
    } else free(from->device_wanted);
    if (!same && from->device && !sh->host.device(sh)) diag_clear(&sh->c->diag);
}
