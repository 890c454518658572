/* walk: random derivations of the sample programs, lowered, run and compared with the interpreter; a failure is shrunk to a
 * script. Usage: walk [-v] [-d DEVICE] [-o NUMBER] [COUNT [SEED]], from the top folder. -v prints what is refused, too, and
 * shrinks it when given twice; -o takes one walk alone. Walks are made in a process of their own, so that one that crashes
 * is a failure like others. */
#include "walk.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GROUP = 20, SECONDS = 300, SKIPPED = 77, SHRINKS = 80, SHOWN = 10 };

typedef struct Shared {                  /* seen by both processes */
    bool no_device, running;             /* running: the whole group is on the device */
    int count, at;                       /* walks of this group; the one at work */
    Walk walks[GROUP];
    Finding findings[GROUP];
} Shared;

typedef struct Options {
    int count, only;
    uint64_t seed;
    int verbose;                         /* 1: refusals too; 2: shrunk */
    const char *device;
} Options;

typedef struct Tally {
    int ran, checked, grouped, kernels, refused, no_sizes, long_ones, failed;
    int errors[ERROR_COUNT];
    int slowest;
    double slowest_ms;
} Tally;

/* ---- in the child ---- */

static void run_alone(World *w, Derived *d, RunSpec *spec)
{
    RunOutcome o;
    run_version(w->c, d->walk->checker ? w->checker : w->device, spec, &o);
    walk_take(d, &o);
    run_outcome_free(&o);
}

static void run_together(World *w, Derived **d, RunSpec *specs, int n)
{
    RunOutcome outcomes[GROUP];
    run_versions(w->c, w->device, specs, n, true, outcomes);
    for (int i = 0; i < n; i++) {
        walk_take(d[i], &outcomes[i]);
        run_outcome_free(&outcomes[i]);
    }
}

static void run_all(World *w, Shared *s, Derived **d, RunSpec *specs, int n)
{
    Derived *batch[GROUP];
    RunSpec batch_specs[GROUP];
    int together = 0;
    for (int i = 0; i < n; i++) {
        if (d[i]->walk->checker && !w->checker) continue;
        if (d[i]->walk->checker) {
            run_alone(w, d[i], &specs[i]);
            continue;
        }
        batch[together] = d[i];
        batch_specs[together++] = specs[i];
    }
    s->running = true;
    if (together) run_together(w, batch, batch_specs, together);
    s->running = false;
}

/* again: take the steps that are there rather than random ones. */
static void make_group(World *w, const char *device, Shared *s, bool again)
{
    Derived *all[GROUP], *ready[GROUP];
    RunSpec specs[GROUP];
    int n = 0;
    for (s->at = 0; s->at < s->count; s->at++) {
        double from = clock_exact_ms();
        Derived *d = all[s->at] = derived_new(w, &s->walks[s->at], &s->findings[s->at]);
        if (again) derive_again(d);
        else derive(d);
        if (walk_prepare(d, &specs[n])) ready[n++] = d;
        s->findings[s->at].ms = clock_exact_ms() - from;
    }
    if (n && world_devices(w, device)) run_all(w, s, ready, specs, n);
    else s->no_device = n > 0;
    for (int i = 0; i < s->count; i++) derived_free(all[i]);
}

static void child(const Options *o, Shared *s, bool again)
{
    World w;
    alarm(SECONDS);
    world_open(&w);
    make_group(&w, o->device, s, again);
    world_close(&w);
}

/* ---- in the parent ---- */

static void blame(Shared *s, int number, int status)
{
    Finding *f = &s->findings[number];
    f->verdict = WALK_FAILED;
    f->error = E_NONE;
    f->signal = WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
    snprintf(f->text, TEXT_MAX, "the process ended with %s %d", f->signal > 0 ? "signal" : "status", abs(f->signal));
}

/* False: the process did not end well; s->at says where. */
static bool in_child(const Options *o, Shared *s, bool again, int *status)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        perror("walk: fork");
        exit(2);
    }
    if (!pid) {
        child(o, s, again);
        exit(0);
    }
    waitpid(pid, status, 0);
    return WIFEXITED(*status) && !WEXITSTATUS(*status);
}

static Shared *shared_new(void)
{
    Shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED) {
        perror("walk: mmap");
        exit(2);
    }
    return s;
}

/* One walk in a process of its own. */
static void make_one(const Options *o, Shared *one, const Walk *walk, bool again)
{
    int status;
    memset(one, 0, sizeof *one);
    one->count = 1;
    one->walks[0] = *walk;
    if (!in_child(o, one, again, &status)) blame(one, 0, status);
}

/* A group, and when its process dies every walk of it alone. */
static void make_walks(const Options *o, Shared *s, Shared *one)
{
    int status;
    Walk chosen[GROUP];
    memcpy(chosen, s->walks, sizeof chosen);
    if (in_child(o, s, false, &status)) return;
    for (int i = 0; i < s->count; i++) {
        make_one(o, one, &chosen[i], false);
        s->walks[i] = one->walks[0];
        s->findings[i] = one->findings[0];
    }
}

/* ---- shrinking ---- */

static bool same_failure(const Finding *a, const Finding *b)
{
    return a->verdict == b->verdict && a->error == b->error && a->signal == b->signal;
}

static void remove_step(Walk *walk, int i)
{
    walk->step_count--;
    memmove(&walk->steps[i], &walk->steps[i + 1], sizeof *walk->steps * (size_t)(walk->step_count - i));
}

/* Keep the candidate when it still fails in the same way. */
static bool still_fails(const Options *o, Shared *one, Walk *walk, Finding *f, const Walk *candidate)
{
    make_one(o, one, candidate, true);
    if (!same_failure(&one->findings[0], f)) return false;
    *walk = one->walks[0];
    *f = one->findings[0];
    return true;
}

static void simplify(const Options *o, Shared *one, Walk *walk, Finding *f)
{
    Walk w = *walk;
    w.sizes_as_arguments = w.checker = false;
    if ((walk->sizes_as_arguments || walk->checker) && still_fails(o, one, walk, f, &w)) return;
    w = *walk;
    w.local_sizes = false;
    if (still_fails(o, one, walk, f, &w)) return;
    w = *walk;
    w.sizes_known = false;
    w.at_least = 1;
    still_fails(o, one, walk, f, &w);
}

static void shrink(const Options *o, Shared *one, Walk *walk, Finding *f)
{
    int fuel = SHRINKS;
    Walk w = *walk;
    if (!still_fails(o, one, walk, f, &w)) return;               /* not without what came before it: as it was */
    for (bool again = true; again;) {
        again = false;
        for (int i = walk->step_count - 1; i >= 0 && fuel-- > 0; i--) {
            if (i >= walk->step_count) continue;
            w = *walk;
            remove_step(&w, i);
            again = still_fails(o, one, walk, f, &w) || again;
        }
    }
    simplify(o, one, walk, f);
}

/* ---- reporting ---- */

static void print_lines(const char *prefix, const char *text)
{
    for (const char *end; *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, "\n");
        printf("%s%.*s\n", prefix, (int)(end - text), text);
    }
}

static void print_walk(const Options *o, int number, const Finding *f)
{
    printf("# walk %d of seed %llu: %s at stage %s\n", number, (unsigned long long)o->seed,
           f->verdict == WALK_FAILED ? "FAILED" : "refused", stage_names[f->stage]);
    print_lines("# ", f->text);
    print_lines("", f->script);
    printf("\n");
    fflush(stdout);
}

static void count(Tally *t, const Walk *walk, const Finding *f)
{
    t->errors[f->error] += f->verdict == WALK_REFUSED;
    t->refused += f->verdict == WALK_REFUSED;
    t->no_sizes += f->verdict == WALK_NO_SIZES;
    t->long_ones += f->verdict == WALK_LONG;
    t->failed += f->verdict == WALK_FAILED;
    if (f->verdict != WALK_OK) return;
    t->ran++;
    t->checked += walk->checker;
    t->kernels += f->kernels;
    t->grouped += f->group > 1;
}

static void print_tally(const Options *o, const Tally *t)
{
    const char *gap = "";
    printf("%d walks, seed %llu: %d ran (%d kernels, %d under oclgrind, %d in groups of work-items), %d refused (",
           o->count, (unsigned long long)o->seed, t->ran, t->kernels, t->checked, t->grouped, t->refused);
    for (int i = 0; i < ERROR_COUNT; i++) {
        if (!t->errors[i]) continue;
        printf("%s%s %d", gap, error_name((ErrorId)i), t->errors[i]);
        gap = ", ";
    }
    printf("), %d without small sizes, %d too long, %d failed\n", t->no_sizes, t->long_ones, t->failed);
}

static void report(const Options *o, Shared *s, Shared *one, int first, Tally *t)
{
    for (int i = 0; i < s->count; i++) {
        Finding *f = &s->findings[i];
        count(t, &s->walks[i], f);
        if (f->ms > t->slowest_ms) {
            t->slowest_ms = f->ms;
            t->slowest = first + i;
        }
        bool failed = f->verdict == WALK_FAILED, refused = f->verdict == WALK_REFUSED;
        if ((failed && t->failed <= SHOWN) || (refused && o->verbose > 1)) shrink(o, one, &s->walks[i], f);
        if (failed || (refused && o->verbose)) print_walk(o, first + i, f);
    }
}

static void make_all(const Options *o, Tally *t)
{
    Shared *s = shared_new(), *one = shared_new();
    int from = o->only >= 0 ? o->only : 0, to = o->only >= 0 ? o->only + 1 : o->count;
    for (int first = from; first < to; first += GROUP) {
        memset(s, 0, sizeof *s);
        for (s->count = 0; s->count < GROUP && first + s->count < to; s->count++)
            walk_choose(&s->walks[s->count], o->seed, first + s->count);
        make_walks(o, s, one);
        if (s->no_device) {
            printf("walk: no device %s\n", o->device);
            exit(SKIPPED);
        }
        report(o, s, one, first, t);
    }
}

static bool read_options(int argc, char **argv, Options *o)
{
    int c;
    *o = (Options){.count = 200, .only = -1, .seed = 1, .device = "pocl0"};
    while ((c = getopt(argc, argv, "vd:o:")) != -1) {
        if (c == 'v') o->verbose++;
        else if (c == 'd') o->device = optarg;
        else if (c == 'o') o->only = atoi(optarg);
        else return false;
    }
    if (optind < argc) o->count = atoi(argv[optind++]);
    if (optind < argc) o->seed = strtoull(argv[optind++], NULL, 10);
    return optind == argc && o->count > 0;
}

int main(int argc, char **argv)
{
    Options o;
    Tally t = {0};
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: walk [-v] [-d DEVICE] [-o NUMBER] [COUNT [SEED]]\n");
        return 2;
    }
    if (access(program_file(0), R_OK)) {
        fprintf(stderr, "walk: cannot read %s; run it from the top folder\n", program_file(0));
        return 2;
    }
    make_all(&o, &t);
    if (o.verbose) printf("slowest to make: walk %d, %.0f ms\n", t.slowest, t.slowest_ms);
    print_tally(&o, &t);
    return t.failed ? 1 : 0;
}
