/* mutants: mutation tests of verification. Each constant, operator, index, bound, store ... of generated kernels is changed in turn, and
 * the kernel is run as one that a user edits: what changes a value must not be OK, and what nobody changed must not be wrong.
 * Usage: mutants [-v] [-g] [-r] [-u] [-n EDITS] [-s SEED] [-j PROCESSES] [-t SECONDS] [-a OTHERS] [-o EDIT] [-k NAME] [-d DEVICE] [FILE...]
 * Sections of the files (standard input without any; tests/mutants/README.md says what stands in them) are taken in turn; -n: so many
 * edits of each (0: all), -a: the kernels as they are with so many other inputs and seeds, -g: as for a GPU, on the device that is there, -r: edits of the program's text,
 * judged by the source as it was, as after false rules, -u: no edits, -t: none is
 * begun after that, -k: only sections whose name has that text, -o: that edit of each alone, with its kernels. -v prints every verdict.
 * Ends with 1 where a verdict is not what it should be. Every section is a process of its own, and kernels run in a worker process. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mutants.h"

enum { RECORDS_MOST = 200000, LINE_MOST = 240, SECTION_S = 300, HANG_S = 600, SKIPPED = 77 };

typedef struct Replacement { const char *from, *to; int which; } Replacement;        /* which: 0 all, else the which-th */

typedef struct Section {
    const char *name;
    VEC(const char *) typed;
    VEC(Replacement) edits;
    bool gpu, zeroes;                    /* zeroes: every store to an array is one of 0 */
    const char *want;                    /* NULL: edits at random */
} Section;

typedef enum RecordKind { RECORD_PLAIN, RECORD_EDIT, RECORD_WANT, RECORD_DIED } RecordKind;
typedef struct Record {                  /* shared between processes */
    RecordKind kind;
    int section, edit_kind, number, line;        /* number: of the edit */
    int blame;                           /* RECORD_EDIT: who is not to be (VerifyOutcome.culprit) */
    bool good;                           /* RECORD_WANT: it is what it should be */
    Judged judged;
    char before[LINE_MOST], after[LINE_MOST];
} Record;

typedef struct Shared {
    int next, count, begun, no_device;
    double ms;                           /* of all sections */
    Record records[RECORDS_MOST];
} Shared;

typedef struct Options {
    bool verbose, gpu, rules, unedited;
    int edits, processes, seconds, again, only;
    uint64_t seed;
    const char *pattern, *device;
    Arena *arena;
    VEC(Section) sections;
    Shared *shared;
    double from;
} Options;

static volatile int stop;

/* ---- sections ---- */

static bool starts(const char *line, const char *with) { return !strncmp(line, with, strlen(with)); }

static void read_edit(Options *o, Section *s, const char *text)
{
    char *end;
    Replacement r = {.which = (int)strtol(text, &end, 10)};
    text = r.which && *end == ':' ? end + 1 : text;
    if (*end != ':') r.which = 0;
    const char *arrow = strstr(text, " => ");
    if (!arrow) fprintf(stderr, "mutants: edit FROM => TO, not: edit %s\n", text), exit(2);
    r.from = arena_trimmed(o->arena, text, arrow);
    r.to = arena_trimmed(o->arena, arrow + 4, text + strlen(text));
    if (!strcmp(r.from, "stores") && !strcmp(r.to, "0")) s->zeroes = true;
    else vec_push(&s->edits, r);
}

static void read_sections(Options *o, FILE *f)
{
    char *line = NULL;
    size_t cap = 0;
    Section *s = NULL;
    while (getline(&line, &cap, f) > 0) {
        const char *text = arena_trimmed(o->arena, line, line + strlen(line));
        if (!*text || *text == '#') continue;
        if (starts(text, "== ")) {
            vec_push(&o->sections, ((Section){.name = text + 3}));
            s = &o->sections.v[o->sections.n - 1];
        } else if (!s) fprintf(stderr, "mutants: a section begins with == NAME, not: %s\n", text), exit(2);
        else if (!strcmp(text, "gpu")) s->gpu = true;
        else if (starts(text, "want ")) s->want = text + 5;
        else if (starts(text, "edit ")) read_edit(o, s, text + 5);
        else vec_push(&s->typed, text);
    }
    free(line);
}

/* ---- in the process of a section ---- */

static Record *record(const Options *o, RecordKind kind, int section)
{
    int i = __atomic_fetch_add(&o->shared->count, 1, __ATOMIC_SEQ_CST);
    if (i >= RECORDS_MOST) exit(3);
    Record *r = &o->shared->records[i];
    *r = (Record){.kind = kind, .section = section};
    return r;
}

static double seconds_since(double from) { return (clock_exact_ms() - from) / 1000; }

static bool is_late(const Options *o, double from)
{
    return seconds_since(from) > SECTION_S || (o->seconds && seconds_since(o->from) > o->seconds);
}

static void shuffle(Rng *r, int *v, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int k = (int)rng_below(r, i + 1), x = v[i];
        v[i] = v[k];
        v[k] = x;
    }
}

/* Numbers of edits, a kind after the other, of each at random. */
static int *choose(const Options *o, Arena *arena, const char *name, const Edit *edits, int n)
{
    int *all = NEW_ARRAY(arena, int, n), *out = NEW_ARRAY(arena, int, n), count = 0, next[EDIT_KIND_COUNT] = {0}, kinds[EDIT_KIND_COUNT];
    Rng r = {hash_mix(o->seed, hash_bytes(1, name, strlen(name)))};
    for (int i = 0; i < n; i++) all[i] = i;
    for (int k = 0; k < EDIT_KIND_COUNT; k++) kinds[k] = k;
    shuffle(&r, all, n);
    while (count < n) {
        shuffle(&r, kinds, EDIT_KIND_COUNT);
        for (int i = 0; i < EDIT_KIND_COUNT; i++) {
            int k = kinds[i];
            while (next[k] < n && edits[all[next[k]]].kind != (EditKind)k) next[k]++;
            if (next[k] < n) out[count++] = all[next[k]++];
        }
    }
    return out;
}

static bool is_fault(const Judged *j) { return j->seen == SEEN_OK && j->measured && j->change > CHANGED; }

static bool type_lines(Shell *sh, const Section *s, Judged *j)
{
    Buf errors = {0};
    bool ok = true;
    int out = dup(1);
    sh->errors = &errors;
    fflush(stdout);
    if (!freopen("/dev/null", "w", stdout)) exit(3);         /* what is typed is not shown */
    for (int i = 0, code; i < s->typed.n && ok; i++) ok = shell_line(sh, s->typed.v[i], &code);
    sh->errors = NULL;
    fflush(stdout);
    dup2(out, 1);
    close(out);
    *j = (Judged){.seen = SEEN_REFUSED};
    const char *error = buf_text(&errors);
    for (const char *p = error; *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (*p == 'E') error = p;
    snprintf(j->why, sizeof j->why, "%.*s", (int)strcspn(error, "\n"), error);
    buf_free(&errors);
    return ok;
}

/* The section again, with that text in the place of the file it loads. */
static void judge_program(Subject *s, const Section *sec, const char *text, Judged *j)
{
    char name[] = "/tmp/mutant-XXXXXX";
    int file = mkstemp(name);
    FILE *f = file < 0 ? NULL : fdopen(file, "w");
    *j = (Judged){.seen = SEEN_REFUSED};
    if (!f) return;
    fputs(text, f);
    fclose(f);
    Section edited = {.name = sec->name};
    for (int i = 0; i < sec->typed.n; i++)
        vec_push(&edited.typed, starts(sec->typed.v[i], "load ") ? arena_printf(s->arena, "load %s", name) : sec->typed.v[i]);
    if (type_lines(s->sh, &edited, j)) subject_judge_version(s, j);
    free(edited.typed.v);
    unlink(name);
}

static void judge_edit(const Options *o, Subject *s, int section, const char *text, const Edit *e, int number)
{
    ArenaMark mark = arena_mark(s->arena);
    const Section *sec = &o->sections.v[section];
    const char *before, *after, *source = edit_apply(s->arena, text, e);
    Judged j;
    if (o->only >= 0) printf("%s\n", source), fflush(stdout);
    for (int i = 0; i < 2; i++) {
        if (o->rules) judge_program(s, sec, source, &j);
        else subject_judge(s, source, o->only >= 0, &j);
        if (!is_fault(&j)) break;
        subject_restart(s);              /* what others left behind is no fault of this one */
    }
    Record *r = record(o, RECORD_EDIT, section);
    r->line = edit_lines(s->arena, text, e, &before, &after);
    r->edit_kind = (int)e->kind;
    r->blame = o->rules ? CULPRIT_KERNEL : CULPRIT_RULES;
    r->number = number;
    snprintf(r->before, LINE_MOST, "%s", before);
    snprintf(r->after, LINE_MOST, "%s", after);
    r->judged = j;
    arena_release(s->arena, mark);
}

static const char *loaded_text(Arena *arena, const Section *sec)
{
    Buf b = {0};
    for (int i = 0, c; i < sec->typed.n; i++) {
        FILE *f = starts(sec->typed.v[i], "load ") ? fopen(sec->typed.v[i] + 5, "r") : NULL;
        while (f && (c = fgetc(f)) != EOF) buf_putc(&b, (char)c);
        if (f) fclose(f);
    }
    return buf_take(&b, arena);
}

static void judge_edits(const Options *o, Subject *s, int section, double from)
{
    Edit *edits;
    const Section *sec = &o->sections.v[section];
    const char *text = o->rules ? loaded_text(s->arena, sec) : s->source;
    int n = o->rules ? edits_find_program(s->arena, text, &edits) : edits_find(s->arena, text, &edits), most = o->edits && o->edits < n ? o->edits : n;
    int *order = choose(o, s->arena, sec->name, edits, n);
    if (o->only >= 0 && o->only < n) judge_edit(o, s, section, text, &edits[o->only], o->only);
    if (o->only >= 0) return;
    for (int i = 0; i < most && !is_late(o, from); i++) judge_edit(o, s, section, text, &edits[order[i]], order[i]);
}

/* ---- one that says what it wants ---- */

/* NULL: there is no such text. */
static const char *replaced(Arena *arena, const char *source, const Replacement *r)
{
    Buf b = {0};
    int n = 0;
    size_t length = strlen(r->from);
    for (const char *p = source; *p;) {
        bool here = !strncmp(p, r->from, length);
        if (here && ++n && (!r->which || n == r->which)) buf_puts(&b, r->to), p += length;
        else buf_putc(&b, *p++);
    }
    const char *text = buf_take(&b, arena);
    return n && n >= r->which ? text : NULL;
}

static const char *zeroed(Arena *arena, const char *source)
{
    Edit *edits;
    const char *out = source;
    for (int i = edits_find(arena, source, &edits) - 1; i >= 0; i--)
        if (edits[i].result) out = edit_apply(arena, out, &edits[i]);
    return out;
}

static bool is_wanted(const char *want, Seen seen)
{
    bool ran = seen == SEEN_OK || seen == SEEN_INACCURATE || seen == SEEN_ILL;
    if (!strcmp(want, "ok")) return seen == SEEN_OK;
    if (!strcmp(want, "inaccurate")) return seen == SEEN_INACCURATE;
    if (!strcmp(want, "not wrong")) return ran;
    if (!strcmp(want, "wrong")) return seen == SEEN_WRONG;
    if (!strcmp(want, "not ok")) return seen != SEEN_OK && seen != SEEN_REFUSED && seen != SEEN_NOT_BUILT;
    fprintf(stderr, "mutants: want ok, not ok, wrong, not wrong or inaccurate, not: %s\n", want);
    exit(2);
}

static void judge_wanted(const Options *o, Subject *s, int section, bool open, const Judged *plain)
{
    const Section *sec = &o->sections.v[section];
    Judged j = *plain;
    bool edited = sec->edits.n || sec->zeroes;
    const char *source = s->source;
    for (int i = 0; source && open && i < sec->edits.n; i++) {
        const char *next = replaced(s->arena, source, &sec->edits.v[i]);
        if (!next) snprintf(j.why, sizeof j.why, "the kernels have no such text: %s", sec->edits.v[i].from), j.seen = SEEN_REFUSED;
        source = next;
    }
    if (source && open && sec->zeroes) source = zeroed(s->arena, source);
    if (source && open && edited) subject_judge(s, source, false, &j);
    if (o->only >= 0) printf("%s\n", source ? source : s->source), fflush(stdout);
    Record *r = record(o, RECORD_WANT, section);
    r->judged = j;
    r->good = is_wanted(sec->want, j.seen);
}

/* ---- a section ---- */

static void take_section(const Options *o, int section)
{
    const Section *sec = &o->sections.v[section];
    double from = clock_exact_ms();
    Subject s = {0};
    Judged j = {0};
    alarm(HANG_S);
    Shell *sh = shell_new(&stop);
    sh->results_file = ":memory:";
    sh->results_fleeting = true;
    sh->device_wanted = mem_strdup(o->device);
    Device *d = shell_device(sh);
    if (!d) {
        o->shared->no_device = 1;
        exit(0);
    }
    if (o->gpu || sec->gpu) {                       /* everything is made as for one */
        DeviceInfo *info = (DeviceInfo *)device_info(d);
        info->is_gpu = true;
        info->target = target_of_kind(true);
    }
    bool open = type_lines(sh, sec, &j) && subject_open(&s, sh, &j);
    __atomic_fetch_add(&o->shared->begun, 1, __ATOMIC_SEQ_CST);
    if (sec->want) judge_wanted(o, &s, section, open, &j);
    else {
        record(o, RECORD_PLAIN, section)->judged = j;
        for (int k = 0; open && k < o->again && !is_late(o, from) && subject_again(&s, k, &j); k++) record(o, RECORD_PLAIN, section)->judged = j;
        if (open && !o->unedited) judge_edits(o, &s, section, from);
    }
    if (s.arena) subject_close(&s);
    shell_free(sh);
}

static void run_sections(const Options *o)
{
    for (int i; (i = __atomic_fetch_add(&o->shared->next, 1, __ATOMIC_SEQ_CST)) < o->sections.n;) {
        if (o->pattern && !strstr(o->sections.v[i].name, o->pattern)) continue;
        if (o->seconds && seconds_since(o->from) > o->seconds) continue;
        int status;
        pid_t child = fork();
        if (!child) {
            take_section(o, i);
            fflush(NULL);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (status) snprintf(record(o, RECORD_DIED, i)->judged.why, 200, "%s %d", WIFSIGNALED(status) ? "signal" : "code",
                             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

/* ---- the report ---- */

static void print_figures(const Judged *j)
{
    static const char *const culprits[] = {"", ", the kernel", ", the rules"};
    if (j->seen < SEEN_WRONG) printf(" (error %.2g, the source's own %.2g, power %.2g)", j->error, j->own, j->power);
    else if (j->seen == SEEN_WRONG) printf("%s", culprits[j->culprit]);
}

static void print_verdict(const Options *o, const Record *r)
{
    const Judged *j = &r->judged;
    const char *name = o->sections.v[r->section].name;
    if (r->kind == RECORD_DIED) printf("%s: the process ended with %s\n", name, j->why);
    else if (r->kind == RECORD_WANT)
        printf("%s  %s: %s, %s is right  %s\n", r->good ? "ok    " : "FAILED", name, seen_names[j->seen], o->sections.v[r->section].want, r->good ? "" : j->why);
    else if (r->kind == RECORD_PLAIN) {
        printf("%s  unedited%s%s: %s", name, *j->inputs ? ", " : "", j->inputs, seen_names[j->seen]);
        print_figures(j);
        printf("  %s\n", j->why);
    } else {
        printf("%s  -o %d  %s: %s", name, r->number, edit_kind_names[r->edit_kind], seen_names[j->seen]);
        print_figures(j);
        if (j->seen < SEEN_WRONG && *j->why) printf(" %s", j->why);
        if (j->measured) printf("  %.3g %% of the values change, %.3g %% by more than 1e-4, the most by %.3g", 100 * j->any, 100 * j->share, j->change);
        printf("\n  line %d  %s\n       =>  %s\n", r->line, r->before, r->after);
    }
}

/* Which tells most: of all values, by how much. */
static int most_telling(const void *a, const void *b)
{
    const Record *x = *(Record *const *)a, *y = *(Record *const *)b;
    if (x->judged.share != y->judged.share) return x->judged.share < y->judged.share ? 1 : -1;
    if (x->judged.change != y->judged.change) return x->judged.change < y->judged.change ? 1 : -1;
    return x < y ? -1 : 1;
}

typedef bool IsRecord(const Record *r);
static bool is_ok_fault(const Record *r) { return r->kind == RECORD_EDIT && is_fault(&r->judged) && r->judged.sets & SETS_VERIFIED; }
static bool is_unseen(const Record *r) { return r->kind == RECORD_EDIT && is_fault(&r->judged) && !(r->judged.sets & SETS_VERIFIED); }
static bool is_soft_fault(const Record *r)
{
    bool soft = r->judged.seen == SEEN_INACCURATE || r->judged.seen == SEEN_ILL;
    return r->kind == RECORD_EDIT && soft && r->judged.measured && r->judged.change > CHANGED;
}
static bool is_blamed(const Record *r) { return r->kind == RECORD_EDIT && r->judged.seen == SEEN_WRONG && r->judged.culprit == r->blame; }
static bool is_plain_fault(const Record *r) { return r->kind == RECORD_PLAIN && r->judged.seen == SEEN_WRONG; }
static bool is_plain_soft(const Record *r) { return r->kind == RECORD_PLAIN && (r->judged.seen == SEEN_INACCURATE || r->judged.seen == SEEN_ILL); }
static bool is_plain_refused(const Record *r) { return r->kind == RECORD_PLAIN && r->judged.seen > SEEN_WRONG; }
static bool is_bad_want(const Record *r) { return r->kind == RECORD_WANT && !r->good; }
static bool is_death(const Record *r) { return r->kind == RECORD_DIED; }

static int list(const Options *o, const char *title, IsRecord *is)
{
    VEC(const Record *) found = {0};
    for (int i = 0; i < o->shared->count; i++)
        if (is(&o->shared->records[i])) vec_push(&found, &o->shared->records[i]);
    if (found.n) {
        printf("\n%s: %d\n", title, found.n);
        qsort(found.v, (size_t)found.n, sizeof *found.v, most_telling);
    }
    for (int i = 0; i < found.n; i++) print_verdict(o, found.v[i]);
    free(found.v);
    return found.n;
}

static void print_table(const Options *o)
{
    int n[EDIT_KIND_COUNT + 1][SEEN_COUNT + 3] = {{0}};
    for (int i = 0; i < o->shared->count; i++) {
        const Record *r = &o->shared->records[i];
        const Judged *j = &r->judged;
        for (int k = 0; r->kind == RECORD_EDIT && k < 2; k++) {
            int *row = n[k ? EDIT_KIND_COUNT : r->edit_kind];
            row[SEEN_COUNT]++;
            row[j->seen]++;
            row[SEEN_COUNT + 1] += is_fault(j);
            row[SEEN_COUNT + 2] += j->seen == SEEN_OK && j->measured && j->any == 0;
        }
    }
    if (!n[EDIT_KIND_COUNT][SEEN_COUNT]) return;
    printf("%-10s %7s %7s %9s %9s %7s %11s %6s %9s %10s %6s %6s\n", "edit of", "edits", "OK", "unchanged", "> 1e-4", "WRONG", "INACCURATE", "ILL", "not built", "forbidden",
           "died", "time");
    for (int k = 0; k <= EDIT_KIND_COUNT; k++) {
        const int *row = n[k];
        if (row[SEEN_COUNT])
            printf("%-10s %7d %7d %9d %9d %7d %11d %6d %9d %10d %6d %6d\n", k < EDIT_KIND_COUNT ? edit_kind_names[k] : "all", row[SEEN_COUNT], row[SEEN_OK],
                   row[SEEN_COUNT + 2], row[SEEN_COUNT + 1], row[SEEN_WRONG], row[SEEN_INACCURATE], row[SEEN_ILL], row[SEEN_NOT_BUILT], row[SEEN_FINDING],
                   row[SEEN_DIED] + row[SEEN_REFUSED], row[SEEN_TIMED_OUT]);
    }
}

static int report(const Options *o)
{
    for (int i = 0; o->verbose && i < o->shared->count; i++) print_verdict(o, &o->shared->records[i]);
    printf("%d of %d sections, seed %llu%s, %.0f s\n", o->shared->begun, o->sections.n, (unsigned long long)o->seed, o->gpu ? ", as for a GPU" : "",
           seconds_since(o->from));
    print_table(o);
    list(o, "sections that did not run", is_plain_refused);
    list(o, "edits that change values, INACCURATE or ILL-CONDITIONED", is_soft_fault);
    list(o, "unedited, INACCURATE or ILL-CONDITIONED", is_plain_soft);
    list(o, "WRONG by the fault of another than is edited", is_blamed);
    int bad = list(o, "the process of a section ended", is_death);
    bad += list(o, "unedited and WRONG", is_plain_fault);
    list(o, "edits that are OK, and change values on inputs alone that verification may not have had", is_unseen);
    bad += list(o, "edits that change values and are OK", is_ok_fault);
    bad += list(o, "not what it should be", is_bad_want);
    printf("%d verdicts are not what they should be\n", bad);
    return bad;
}

static bool read_options(int argc, char **argv, Options *o)
{
    int c;
    while ((c = getopt(argc, argv, "vgrun:s:j:t:a:o:k:d:")) != -1) {
        if (c == 'v') o->verbose = true;
        else if (c == 'g') o->gpu = true;
        else if (c == 'r') o->rules = true;
        else if (c == 'u') o->unedited = true;
        else if (c == 'n') o->edits = atoi(optarg);
        else if (c == 's') o->seed = strtoull(optarg, NULL, 10);
        else if (c == 'j') o->processes = atoi(optarg);
        else if (c == 't') o->seconds = atoi(optarg);
        else if (c == 'a') o->again = atoi(optarg);
        else if (c == 'o') o->only = atoi(optarg);
        else if (c == 'k') o->pattern = optarg;
        else if (c == 'd') o->device = optarg;
        else return false;
    }
    return o->processes > 0;
}

int main(int argc, char **argv)
{
    Options o = {.edits = 20, .processes = 1, .only = -1, .seed = 1, .device = "pocl0", .arena = arena_new(), .from = clock_exact_ms()};
    setlocale(LC_ALL, "");
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: mutants [-v] [-g] [-r] [-u] [-n EDITS] [-s SEED] [-j PROCESSES] [-t SECONDS] [-a OTHERS] [-o EDIT] [-k NAME] [-d DEVICE] [FILE...]\n");
        return 2;
    }
    o.shared = mmap(NULL, sizeof *o.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (o.shared == MAP_FAILED) return perror("mutants: mmap"), 2;
    if (optind == argc) read_sections(&o, stdin);
    for (int i = optind; i < argc; i++) {
        FILE *f = fopen(argv[i], "r");
        if (!f) return perror(argv[i]), 2;
        read_sections(&o, f);
        fclose(f);
    }
    fflush(NULL);
    for (int i = 0; i < o.processes; i++)
        if (!fork()) {
            run_sections(&o);
            _exit(0);
        }
    while (wait(NULL) > 0 || errno == EINTR) {}
    if (o.shared->no_device) return printf("mutants: no device\n"), SKIPPED;
    int bad = report(&o);
    for (int i = 0; i < o.sections.n; i++) free(o.sections.v[i].typed.v), free(o.sections.v[i].edits.v);
    free(o.sections.v);
    arena_free(o.arena);
    return bad > 0;
}
