/* Latency of the prompt: start; a key, and Tab, at a terminal; every rewriting command, alone and with 1,000 versions in the
 * tree; all on a term of some 300 nodes (blackScholes in chunks). */
#include "bench.h"

#include <jansson.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STARTS = 15, ROUNDS = 9, VERBS = 16, KEYS = 101 };

static const char *lathe(void) { return getenv("LATHE") ? getenv("LATHE") : "build/lathe"; }

static void print_ms(const char *what, double ms)
{
    bench_print(&(BenchLine){.bench = "latency", .device = "-", .what = what, .ours = ms, .unit = "ms"});
}

static int start(void)
{
    double v[STARTS];
    char command[512];
    snprintf(command, sizeof command, "%s --no-init -e quit", lathe());
    for (int i = 0; i < STARTS; i++) {
        double t = bench_seconds();
        if (system(command) != 0) return 1;
        v[i] = (bench_seconds() - t) * 1e3;
    }
    print_ms("start to first command", bench_median(v, STARTS));
    return 0;
}

static const char prelude[] = "load tests/unit/ten.fun\nuse blackScholes\nset times on\n";
static const char many[] = "lua for i = 1, 1000 do t.apply(\"splitJoin(32)\", {at = \"/\"}) t.goto_(\"@0\") end\n";
static const char script[] =
    "why mapFusion\nwhy reduceSeq\n"
    "moves\nmoves --deep\nwhere mapFusion\nwhere toPrivate\nwhere mulAdd\n"
    "apply splitJoin(32)\ntry mapSeq at /in\napply topdown(mulAdd)\nundo\nredo\ngoto @0\n"
    "apply splitJoin\nparam s0 = 64\nlog\ninfo\nshow\ncd /f\ncd /\n";

typedef struct Verb {
    char name[32];
    double v[ROUNDS * 8];
    int n;
} Verb;

static void add(Verb *verbs, int *count, const char *line, double ms)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s%s", (int)strcspn(line, " "), line, strstr(line, "--deep") ? " --deep" : "");
    int i = 0;
    while (i < *count && strcmp(verbs[i].name, name) != 0) i++;
    if (i == VERBS) return;
    if (i == *count) snprintf(verbs[(*count)++].name, sizeof verbs[i].name, "%s", name);
    if (verbs[i].n < ROUNDS * 8) verbs[i].v[verbs[i].n++] = ms;
}

/* versions: of how many the tree is full, for the lines printed. */
static int rewriting(const char *before, const char *versions)
{
    char path[] = "/tmp/lathe-bench-XXXXXX", command[600], *line = NULL;
    size_t cap = 0;
    Verb *verbs = calloc(VERBS, sizeof *verbs);
    double all[VERBS];
    int count = 0, fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fprintf(f, "%s%s", prelude, before);
    for (int i = 0; i < ROUNDS; i++) fputs(script, f);
    fclose(f);
    snprintf(command, sizeof command, "%s --json -q --no-init -f %s", lathe(), path);
    FILE *out = popen(command, "r");
    while (out && getline(&line, &cap, out) > 0) {
        json_t *j = json_loads(line, 0, NULL);
        const char *cmd = json_string_value(json_object_get(j, "cmd"));
        if (cmd && strncmp(cmd, "source", 6) != 0 && strncmp(cmd, "lua", 3) != 0 && strncmp(cmd, "load", 4) != 0 && strncmp(cmd, "set", 3) != 0 && strncmp(cmd, "use", 3) != 0)
            add(verbs, &count, cmd, json_real_value(json_object_get(j, "ms")));
        json_decref(j);
    }
    int code = out ? pclose(out) : 1;
    remove(path);
    free(line);
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", verbs[i].name, versions);
        print_ms(name, all[i] = bench_median(verbs[i].v, verbs[i].n));
    }
    char name[64];
    snprintf(name, sizeof name, "median of the rewriting commands%s", versions);
    if (count) print_ms(name, bench_median(all, count));
    free(verbs);
    return code != 0;
}

/* ---- keys at a terminal ---- */

/* Read until nothing comes for so long. */
static void settle(int terminal, int ms)
{
    char text[4096];
    struct pollfd p = {.fd = terminal, .events = POLLIN};
    while (poll(&p, 1, ms) > 0 && read(terminal, text, sizeof text) > 0) {}
}

static void type(int terminal, const char *keys)
{
    if (write(terminal, keys, strlen(keys)) < 0) perror("latency");
}

/* The time from a key to the first answer to it, behind `before`. */
static void time_key(int terminal, const char *what, const char *before, const char *key)
{
    double v[KEYS];
    struct pollfd p = {.fd = terminal, .events = POLLIN};
    for (int i = 0; i < KEYS; i++) {
        type(terminal, before);
        settle(terminal, 20);
        double t = bench_seconds();
        type(terminal, key);
        poll(&p, 1, 1000);
        v[i] = (bench_seconds() - t) * 1e3;
        settle(terminal, 20);
        type(terminal, "\025");                      /* Ctrl-U: an empty line again */
        settle(terminal, 20);
    }
    print_ms(what, bench_median(v, KEYS));
}

static int keys(void)
{
    int terminal;
    struct winsize size = {24, 80, 0, 0};
    pid_t child = forkpty(&terminal, NULL, NULL, &size);
    if (child < 0) return 1;
    if (child == 0) {
        setenv("TERM", "xterm-256color", 1);
        execl(lathe(), lathe(), "--no-init", "--set", "autosave=off", (char *)NULL);
        _exit(127);
    }
    settle(terminal, 500);
    type(terminal, "load tests/unit/ten.fun\nuse blackScholes\napply splitJoin(32)\n");
    settle(terminal, 1500);
    time_key(terminal, "a key", "apply spl", "i");
    time_key(terminal, "Tab behind a rule", "apply splitJ", "\t");
    time_key(terminal, "Tab behind a place", "cd /in/f/bod", "\t");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(terminal);
    return 0;
}

int main(void) { return start() | keys() | rewriting("", "") | rewriting(many, ", 1000 versions"); }
