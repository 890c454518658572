/* open: random programs, and random steps that leave their parameters open, at a prompt of their own. A command that does not
 * end in time, one that ends the process, and a version whose values differ are failures, printed as a script.
 * Usage: open [-v] [-o NUMBER] [-t SECONDS] [COUNT [SEED]] */
#include "names.h"
#include "shell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS_MOST = 14, TEXT_MOST = 1 << 14, SHOWN = 10, CODE_REFUTED = 3 };

typedef struct Shared {                  /* seen by both processes */
    char script[TEXT_MOST], note[256];
    int loaded, checked;
    double slowest_ms;
    char slowest[256];
} Shared;

typedef struct Options { int count, only, seconds; uint64_t seed; bool verbose; } Options;

static Shared *shared;
static Rng rng;
static volatile int stop;
static Options o;

static int below(int n) { return (int)rng_below(&rng, n > 0 ? n : 1); }
static bool chance(int percent) { return below(100) < percent; }

/* ---- programs: well typed by construction ---- */

typedef enum Kind { SCALAR, ROW, MATRIX, COLUMNS } Kind;      /* t, [N]t, [N][M]t, [M][N]t, of one scalar type t */

static Scalar type;                      /* of the program */

typedef struct Name { char text[8]; Kind kind; bool inner; } Name;  /* inner: of a row's length M rather than N */
typedef struct Bound { Name names[24]; int n, made; } Bound;

static void expression(Buf *out, Bound *s, Kind kind, bool inner, int depth);

static const char *bind(Bound *s, Kind kind, bool inner)
{
    Name *v = &s->names[s->n++];
    snprintf(v->text, sizeof v->text, "v%d", s->made++ % 1000);
    v->kind = kind;
    v->inner = inner;
    return v->text;
}

/* Something that is there already. */
static void leaf(Buf *out, const Bound *s, Kind kind, bool inner)
{
    const char *found = NULL;
    for (int i = 0, n = 0; i < s->n; i++)
        if (s->names[i].kind == kind && (kind != ROW || s->names[i].inner == inner) && !below(++n)) found = s->names[i].text;
    if (found) buf_puts(out, found);
    else if (kind == SCALAR) buf_printf(out, scalar_is_float(type) ? "%d.5" : "%d", below(3));
    else if (kind == ROW) buf_puts(out, inner ? "y" : "x");
    else buf_puts(out, kind == MATRIX ? "A" : "(transpose A)");
}

static void operand(Buf *out, Bound *s, Kind kind, bool inner, int depth)
{
    buf_putc(out, '(');
    expression(out, s, kind, inner, depth);
    buf_putc(out, ')');
}

static void scalar(Buf *out, Bound *s, int depth)
{
    static const char *const two[] = {"+", "-", "*"}, *const calls[] = {"max", "min"}, *const folds[] = {"(+) 0", "(*) 1", "max 0"};
    static const char *const ones[2][5] = {{"sqrt (abs", "exp (-", "log (1 + abs", "floor (", "(abs"},
                                           {"bxor 5 (-", "shl 1 (", "shr 9 (", "(abs", "(band 7"}};
    const char *const *one = ones[!scalar_is_float(type)];
    int n = s->n;
    bool inner = chance(50);
    switch (below(8)) {
    case 0: case 1:
        operand(out, s, SCALAR, inner, depth - 1);
        buf_printf(out, " %s ", two[below(3)]);
        operand(out, s, SCALAR, inner, depth - 1);
        break;
    case 2:
        buf_printf(out, "%s ", calls[below(2)]);
        operand(out, s, SCALAR, inner, depth - 1);
        operand(out, s, SCALAR, inner, depth - 1);
        break;
    case 3:
        buf_printf(out, "%s", one[below(COUNT(ones[0]))]);
        operand(out, s, SCALAR, inner, depth - 1);
        buf_putc(out, ')');
        break;
    case 4: case 5:
        buf_printf(out, "reduce %s ", folds[below(chance(70) ? 1 : 3)]);
        operand(out, s, ROW, inner, depth - 1);
        break;
    case 6:
        buf_puts(out, "if ");
        operand(out, s, SCALAR, inner, depth - 2);
        buf_puts(out, " < ");
        operand(out, s, SCALAR, inner, depth - 2);
        buf_puts(out, " then ");
        operand(out, s, SCALAR, inner, depth - 1);
        buf_puts(out, " else ");
        operand(out, s, SCALAR, inner, depth - 1);
        break;
    default: {
        Buf value = {0};
        operand(&value, s, SCALAR, inner, depth - 1);
        const char *name = bind(s, SCALAR, inner);
        buf_printf(out, "let %s = %s in ", name, value.data);
        buf_free(&value);
        expression(out, s, SCALAR, inner, depth - 1);
    }
    }
    s->n = n;
}

static Kind element(Kind kind) { return kind == ROW ? SCALAR : ROW; }

/* Are the elements of such an array rows of length M? */
static bool element_inner(Kind kind) { return kind == MATRIX; }

static void mapped(Buf *out, Bound *s, Kind kind, bool inner, int depth)
{
    Kind from = kind == ROW && chance(40) ? inner ? COLUMNS : MATRIX : kind;
    int n = s->n;
    if (chance(30)) {
        Buf f = {0};
        const char *a = bind(s, element(from), element_inner(from));
        Kind second = kind == ROW && chance(30) ? inner ? COLUMNS : MATRIX : kind;
        const char *b = bind(s, element(second), element_inner(second));
        buf_printf(&f, "map (\\(%s, %s) -> ", a, b);
        expression(&f, s, element(kind), element_inner(kind), depth - 1);
        buf_puts(out, f.data);
        buf_free(&f);
        s->n = n;
        buf_puts(out, ") (zip ");
        operand(out, s, from, inner, depth - 2);
        operand(out, s, second, inner, depth - 2);
        buf_putc(out, ')');
        return;
    }
    buf_printf(out, "map (\\%s -> ", bind(s, element(from), element_inner(from)));
    expression(out, s, element(kind), element_inner(kind), depth - 1);
    s->n = n;
    buf_puts(out, ") ");
    operand(out, s, from, inner, depth - 1);
}

static void array(Buf *out, Bound *s, Kind kind, bool inner, int depth)
{
    static const char *const permuted[] = {"reverse", "(rotate 1)"};
    int n = s->n;
    Buf value = {0};
    switch (below(10)) {
    case 0:
        buf_printf(out, "reorder %s ", permuted[below(2)]);
        operand(out, s, kind, inner, depth - 1);
        break;
    case 1:
        if (kind == ROW) buf_puts(out, chance(50) ? "scan (+) 0 " : "map (reduce (+) 0) $ slide 3 1 $ pad 1 1 clamp ");
        else buf_puts(out, "transpose ");
        operand(out, s, kind == MATRIX ? COLUMNS : kind == COLUMNS ? MATRIX : kind, inner, depth - 1);
        break;
    case 2: case 3: {
        Kind k = chance(50) ? kind : (Kind)below(4);
        bool in = k == kind ? inner : chance(50);
        operand(&value, s, k, in, depth - 1);
        buf_printf(out, "let %s = %s in ", bind(s, k, in), value.data);
        buf_free(&value);
        expression(out, s, kind, inner, depth - 1);
        break;
    }
    case 4:
        buf_puts(out, "join (split 2 ");
        operand(out, s, kind, inner, depth - 1);
        buf_putc(out, ')');
        break;
    default: mapped(out, s, kind, inner, depth);
    }
    s->n = n;
}

static void expression(Buf *out, Bound *s, Kind kind, bool inner, int depth)
{
    if (depth <= 0 || out->len > 600 || s->n > 18 || chance(8)) leaf(out, s, kind, inner);
    else if (kind == SCALAR) scalar(out, s, depth);
    else array(out, s, kind, inner, depth);
}

static void write_program(const char *file)
{
    Buf b = {0};
    Bound s = {0};
    static const Kind kinds[] = {SCALAR, ROW, ROW, MATRIX, COLUMNS};
    type = chance(60) ? SC_F32 : (Scalar)(SC_I8 + below(SC_U64 - SC_I8 + 1));
    const char *t = scalar_name(type);
    buf_printf(&b, "let f (A: [N][M]%s) (x: [N]%s) (y: [M]%s) =\n  ", t, t, t);
    expression(&b, &s, kinds[below(COUNT(kinds))], false, 2 + below(4));
    buf_putc(&b, '\n');
    FILE *f = fopen(file, "w");
    if (f) fputs(b.data, f), fclose(f);
    snprintf(shared->script, TEXT_MOST, "# %s: %s", file, b.data);
    buf_free(&b);
}

/* ---- steps ---- */

static void on_alarm(int sig)
{
    static const char text[] = "the last command does not end";
    memcpy(shared->note, text, sizeof text);
    (void)sig;
    _exit(3);
}

/* So long a command may compute; ten times as long if it waits. 0: as long as it likes. */
static void limit(int seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
    alarm(10 * (unsigned)seconds);
}

/* The line as somebody types it. Its own errors are no failures. */
static int type_line(Shell *sh, const char *line)
{
    int code = 0;
    size_t used = strlen(shared->script);
    snprintf(shared->script + used, TEXT_MOST - used, "%s\n", line);
    double begin = clock_exact_ms();
    limit(o.seconds);
    shell_line(sh, line, &code);
    limit(0);
    double ms = clock_exact_ms() - begin;
    if (ms > shared->slowest_ms) {
        shared->slowest_ms = ms;
        snprintf(shared->slowest, sizeof shared->slowest, "%s", line);
    }
    if (code < 70) return code;
    snprintf(shared->note, sizeof shared->note, "code %d", code);
    _exit(4);
}

static const char *random_place(Shell *sh)
{
    const Version *v = session_version(sh->session);
    Path p = {0}, chosen = {0};
    int n = 0;
    do if (!below(++n)) chosen = p;
    while (path_next(v->root, &p));
    return path_text(sh->c, v->root, &chosen);
}

static const char *random_rule(Shell *sh)
{
    const Rules *rules = session_rules(sh->session);
    const Strategies *s = shell_strategies(sh);
    if (chance(80)) return rules_get(rules, below(rules_count(rules)))->name;
    return strategies_name(s, below(strategies_name_count(s)))->name;
}

/* One of the moves of the present version, with whatever they leave open. */
static void take_move(Shell *sh)
{
    char line[300];
    snprintf(line, sizeof line, chance(60) ? "moves --deep" : "moves %s", random_place(sh));
    type_line(sh, line);
    if (sh->moves.count) snprintf(line, sizeof line, "apply %d", 1 + below(sh->moves.count));
    else snprintf(line, sizeof line, "apply %s at %s", random_rule(sh), random_place(sh));
    type_line(sh, line);
}

/* A value that is wrong is told by `check`, whose code for it is that of a wrong result. */
static void compare_with_source(Shell *sh)
{
    char line[64];
    const Version *v = session_version(sh->session);
    if (v->number == 0) return;
    snprintf(line, sizeof line, "check @%d @0 --trials 3", v->number);
    shared->checked++;
    if (type_line(sh, line) != CODE_REFUTED) return;
    snprintf(shared->note, sizeof shared->note, "the values differ");
    _exit(5);
}

static void look(Shell *sh)
{
    static const char *const plain[] = {
        "param", "lower", "eval", "info", "show --as tree", "show --as typed", "code", "undo", "log --expand", "moves --cost",
        "explain @0 @%d", "diff @0 @%d", "moves --deep", "export t1 /dev/null", "param --all", "code --map", "info /",
        "list constraints", "log", "features", "param s0 = 4", "param s1 = 2, s2 = 2", "param s0 = ?", "lower; code", "moves /in --cost",
    };
    char line[300];
    switch (below(6)) {
    case 0: snprintf(line, sizeof line, "why %s at %s", random_rule(sh), random_place(sh)); break;
    case 1: snprintf(line, sizeof line, "try %s at %s", random_rule(sh), random_place(sh)); break;
    case 2: snprintf(line, sizeof line, "where %s", random_rule(sh)); break;
    default: {
        const char *what = plain[below(COUNT(plain))];
        const char *hole = strchr(what, '%');
        if (hole) snprintf(line, sizeof line, "%.*s%d", (int)(hole - what), what, session_version(sh->session)->number);
        else snprintf(line, sizeof line, "%s", what);
    }
    }
    type_line(sh, line);
}

static void set_sizes(Shell *sh)
{
    static const int sizes[] = {2, 4, 6, 7, 8, 12, 16, 24, 60, 64, 360, 1024, 5040};
    char line[80];
    snprintf(line, sizeof line, "data N = %d, M = %d", sizes[below(COUNT(sizes))], sizes[below(COUNT(sizes))]);
    type_line(sh, line);
}

/* In the child. */
static void walk(int number, bool shown)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (!shown && (!freopen("/dev/null", "w", stdout) || !freopen("errors", "w", stderr))) _exit(2);
    rng = (Rng){hash_mix(hash_mix(0, o.seed), (uint64_t)number)};
    write_program("walk.fun");
    Shell *sh = shell_new(&stop);
    sh->results_file = ":memory:";
    sh->restricted = false;
    if (type_line(sh, "load walk.fun") == 0) {
        shared->loaded++;
        if (chance(60)) set_sizes(sh);
        for (int n = 3 + below(STEPS_MOST); n > 0; n--) {
            if (chance(55)) take_move(sh);
            else if (chance(8)) set_sizes(sh);
            else look(sh);
        }
        type_line(sh, "param");
        compare_with_source(sh);
        if (chance(50)) type_line(sh, "lower"), compare_with_source(sh);
    }
    limit(o.seconds);
    shell_free(sh);
    fflush(NULL);
    _exit(0);
}

/* ---- in the parent ---- */

static bool walk_ends_well(int number, bool shown)
{
    int status = 0;
    *shared->script = *shared->note = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) walk(number, shown);
    waitpid(child, &status, 0);
    if (status == 0) return true;
    printf("# walk %d of seed %llu: %s (%s %d)\n%s\n", number, (unsigned long long)o.seed, *shared->note ? shared->note : "it died",
           WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
           shared->script);
    FILE *f = fopen("errors", "r");
    char line[300];
    for (int n = 0; f && n < 40 && fgets(line, sizeof line, f); n++)
        if (strstr(line, "ERROR") || strstr(line, "runtime error") || strstr(line, "    #")) fputs(line, stdout);
    if (f) fclose(f);
    return false;
}

static bool read_options(int argc, char **argv)
{
    int c;
    o = (Options){.count = 100, .only = -1, .seed = 1, .seconds = 10};
    while ((c = getopt(argc, argv, "vo:t:")) != -1) {
        if (c == 'v') o.verbose = true;
        else if (c == 'o') o.only = atoi(optarg);
        else if (c == 't') o.seconds = atoi(optarg);
        else return false;
    }
    if (optind < argc) o.count = atoi(argv[optind++]);
    if (optind < argc) o.seed = strtoull(argv[optind++], NULL, 10);
    return optind == argc && o.count > 0 && o.seconds > 0;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/walk-lathe-XXXXXX";
    int failed = 0;
    if (!read_options(argc, argv)) {
        fprintf(stderr, "usage: open [-v] [-o NUMBER] [-t SECONDS] [COUNT [SEED]]\n");
        return 2;
    }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !mkdtemp(folder) || chdir(folder)) return 2;
    int from = o.only >= 0 ? o.only : 0, to = o.only >= 0 ? o.only + 1 : o.count;
    for (int i = from; i < to && failed < SHOWN; i++) failed += !walk_ends_well(i, o.only >= 0 && o.verbose);
    printf("%d walks with open parameters, seed %llu: %d programs, %d compared with their source, %d failed\n", to - from,
           (unsigned long long)o.seed, shared->loaded, shared->checked, failed);
    if (o.verbose) printf("slowest: %.0f ms, %s\n", shared->slowest_ms, shared->slowest);
    unlink("errors");
    unlink("walk.fun");
    if (chdir("/") == 0) rmdir(folder);
    return failed > 0;
}
