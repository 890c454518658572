/* sessions: fuzzing of whole sessions. Their lines are made of the command table, transcripts and programs, mutated; each
 * session is a process of its own, and one that dies, or that does not end when it is interrupted, is a finding.
 * Usage: sessions SECONDS [SEED [SESSION]]        with SESSION: that one alone, with what it prints */
#include "names.h"
#include "shell.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE_S = 2, HANG_S = 60, LINES_MOST = 20, LINE_MOST = 4000, FINDINGS_MOST = 10 };

typedef VEC(char *) Pool;
static Pool typed, programs, files;     /* what lines are made of */
static Rng rng;
static volatile int stop;

/* ---- the material ---- */

static char *read_file(const char *name)
{
    Buf b = {0};
    char piece[4096];
    FILE *f = fopen(name, "r");
    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;) buf_write(&b, piece, n);
    if (f) fclose(f);
    return b.data ? b.data : strdup("");
}

static void take_typed(const char *file)
{
    char *text = read_file(file);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (line[0] == '>' && line[1] == ' ') vec_push(&typed, strdup(line + 2));
    free(text);
}

static void take_files(const char *pattern, void (*take)(const char *file))
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found)) return;
    for (size_t i = 0; i < found.gl_pathc; i++) take(found.gl_pathv[i]);
    globfree(&found);
}

static void take_program(const char *file)
{
    vec_push(&programs, read_file(file));
    vec_push(&files, strdup(strrchr(file, '/') + 1));
}

/* ---- random text ---- */

static int below(int n) { return (int)rng_below(&rng, n > 0 ? n : 1); }
static bool chance(int percent) { return below(100) < percent; }
static const char *pick(const Pool *t) { return t->n ? t->v[below(t->n)] : ""; }

static const char *word(Shell *sh)
{
    static const char *const words[] = {
        "/", "/in", "/in/f", "/in/f/body", "..", "./in", "@", "@0", "@1", "@^", "@-", "@99", "@2.1", ":1", ":7", "$a", "'map _ _'", "'zip'[last]", "'_'",
        "at", "as", "in", "on", "0", "1", "4", "-1", "1024", "99999999999999999999", "s0", "N", "N = 8", "s0 = 4", "?", "=", "=>", "--", "-v", "-n", "1e30",
        "map f x => map f x", "\\x -> x", "(", ")", "{", "}", "[", "]", "\"", "'", ";", "|", ">", "#", "a * b", "^0", "^-1", "+", ",", "λ", "\xff\xfe",
        "random(1,2,3)", "iota", "file(\"x\")", "seq(", "topdown(", "rep(", "function() return 1 end", "nil", "{}", "string.rep('a', 1000000)",
    };
    Rules *rules = session_rules(sh->session);
    Strategies *s = shell_strategies(sh);
    switch (below(6)) {
    case 0: return rules_get(rules, below(rules_count(rules)))->name;
    case 1: return strategies_name(s, below(strategies_name_count(s)))->name;
    case 2: return prim((PrimId)below(PRIM_COUNT))->name;
    case 3: return command_get(below(command_count()))->name;
    default: return words[below(COUNT(words))];
    }
}

/* A command with words that may or may not suit it. */
static void made_line(Shell *sh, Buf *out)
{
    const Command *c = command_get(below(command_count()));
    buf_puts(out, c->name);
    for (int n = below(5); n > 0; n--) {
        size_t flag = strcspn(c->flags, " =");
        if (flag && chance(20)) buf_printf(out, " --%.*s", (int)flag, c->flags);
        else buf_printf(out, "%s%s", chance(90) ? " " : "", word(sh));
    }
}

/* A step that may well apply. */
static void made_step(Shell *sh, Buf *out)
{
    static const char *const places[] = {"", "", " at /", " at /in", " at /in/f/body", " at /f/body", " at /in/in",
                                         " at 'map _ _'[1]", " at 'zip'[last]"};
    static const char *const forms[] = {"%s", "topdown(%s)", "rep(topdown(%s))", "bottomup(%s)", "%s^-1 * fuse",
                                        "try(%s)", "all(%s)", "%s(4)", "%s(0)", "%s{n=2}",
                                        "normalize(%s)", "tryAll(%s)"};
    static const char *const verbs[] = {"apply", "apply", "apply", "try", "why", "where", "lower"};
    Rules *rules = session_rules(sh->session);
    Strategies *s = shell_strategies(sh);
    const char *name = chance(70) ? rules_get(rules, below(rules_count(rules)))->name
            : strategies_name(s, below(strategies_name_count(s)))->name;
    if (chance(10)) buf_puts(out, "moves --deep ; ");
    buf_printf(out, "%s ", verbs[below(COUNT(verbs))]);
    if (chance(15)) buf_printf(out, "%d", below(20));
    else buf_printf(out, forms[below(COUNT(forms))], name);
    buf_puts(out, places[below(COUNT(places))]);
}

static void mutate(Shell *sh, Buf *b)
{
    size_t at = b->len ? (size_t)below((int)b->len) : 0;
    Buf out = {0};
    buf_write(&out, buf_text(b), at);
    switch (below(6)) {
    case 0: buf_puts(&out, b->data ? b->data + at + (b->len > at) : ""); break;                      /* a byte less */
    case 1: buf_putc(&out, (char)(1 + below(255))); buf_puts(&out, buf_text(b) + at); break;         /* one more */
    case 2: buf_puts(&out, word(sh)); buf_puts(&out, buf_text(b) + at); break;
    case 3: break;                                                                                 /* cut */
    case 4: buf_puts(&out, pick(&typed)); break;                                                     /* spliced */
    default: for (int n = below(4) + 1; n > 0; n--) buf_puts(&out, buf_text(b) + at);                /* repeated */
    }
    buf_free(b);
    *b = out;
    if (b->len > LINE_MOST) b->len = LINE_MOST, b->data[LINE_MOST] = 0;
}

/* Devices are slow, and their own tests try them; a session is not to end early. */
static bool is_left_out(const char *line)
{
    static const char *const verbs[] = {"run", "r", "ru", "device", "dev", "quit", "q", "qu", "qui", "search", "results"};
    size_t n = strcspn(line, " \t;|>(");
    for (int i = 0; i < COUNT(verbs); i++)
        if (strlen(verbs[i]) == n && !strncmp(line, verbs[i], n)) return true;
    return strstr(line, "os.") || strstr(line, "io.") || strstr(line, "run") || strstr(line, "device");
}

static char *line_of(Shell *sh)
{
    Buf b = {0};
    int kind = below(12);
    if (kind < 5) buf_puts(&b, pick(&typed));
    else if (kind < 8) made_step(sh, &b);
    else if (kind < 11) made_line(sh, &b);
    else for (int n = below(30); n > 0; n--) buf_putc(&b, (char)(1 + below(255)));
    for (int n = chance(40) ? below(4) : 0; n > 0; n--) mutate(sh, &b);
    if (is_left_out(buf_text(&b) + strspn(buf_text(&b), " \t;"))) buf_clear(&b), buf_puts(&b, "show");
    return b.data ? b.data : strdup("");
}

/* A program, perhaps with mistakes; it is written to mutant.fun. */
static void write_mutant(Shell *sh)
{
    Buf b = {0};
    buf_puts(&b, pick(&programs));
    for (int k = below(4); k >= 0; k--) mutate(sh, &b);
    FILE *f = fopen("mutant.fun", "w");
    if (f) fwrite(buf_text(&b), 1, b.len, f);
    if (f) fclose(f);
    buf_free(&b);
}

/* Most sessions begin with a program, so that something happens in them. */
static char **session_of(Shell *sh, int *n)
{
    Buf load = {0};
    write_mutant(sh);
    *n = 1 + below(LINES_MOST);
    char **lines = mem_alloc(sizeof *lines * (size_t)*n);
    for (int i = 0; i < *n; i++) {
        if (i > 0 || chance(10)) lines[i] = line_of(sh);
        else {
            if (chance(25)) buf_puts(&load, "load mutant.fun");
            else buf_printf(&load, "load tests/programs/%s", pick(&files));
            lines[i] = strdup(load.data);
        }
    }
    buf_free(&load);
    return lines;
}

/* ---- playing one ---- */

static void on_alarm(int sig)
{
    (void)sig;
    stop = STOP_INTERRUPT;               /* as if somebody pressed Ctrl-C */
    alarm(PATIENCE_S);
}

static void limit(int resource, rlim_t most)
{
    struct rlimit r = {most, most};
    setrlimit(resource, &r);
}

/* In the child. */
static void play(char **lines, int n, bool shown)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    limit(RLIMIT_CPU, HANG_S);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 16 << 20);
    if (!shown && !freopen("/dev/null", "w", stdout)) _exit(3);
    if (!shown && !freopen("errors", "w", stderr)) _exit(3);
    Shell *sh = shell_new(&stop);
    sh->results_file = ":memory:";
    sh->restricted = true;
    for (int i = 0, code; i < n; i++) {
        if (shown) printf("> %s\n", lines[i]), fflush(stdout);
        stop = STOP_NONE;
        alarm(PATIENCE_S);
        shell_line(sh, lines[i], &code);
        alarm(0);
        sh->quit = false;
    }
    shell_free(sh);
    fflush(NULL);
    _exit(0);
}

static void report(uint64_t seed, int session, int status, char **lines, int n)
{
    printf("fuzz: session %d of seed %llu: %s %d\n", session, (unsigned long long)seed,
           WIFSIGNALED(status) ? "signal" : "code",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    for (int i = 0; i < n; i++) printf("> %s\n", lines[i]);
    char *errors = read_file("errors");
    size_t len = strlen(errors);
    printf("%s%s\n", len > 4000 ? "..." : "", len > 4000 ? errors + len - 4000 : errors);
    free(errors);
    fflush(stdout);
}

static bool try_session(Shell *sh, uint64_t seed, int session, bool shown)
{
    int n, status = 0;
    rng = (Rng){hash_mix(seed, (uint64_t)session)};
    char **lines = session_of(sh, &n);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) play(lines, n, shown);
    waitpid(child, &status, 0);
    if (status) report(seed, session, status, lines, n);
    for (int i = 0; i < n; i++) free(lines[i]);
    free(lines);
    return status == 0;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 20, begin = clock_exact_ms();
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int findings = 0, session = argc > 3 ? atoi(argv[3]) : 0;
    take_files(TEST_DIR "/../cases/*.t", take_typed);
    take_files(TEST_DIR "/../programs/*.fun", take_program);
    char folder[] = "/tmp/fuzz-lathe-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) || symlink(TEST_DIR "/..", "tests")) return 2;
    Shell *sh = shell_new(&stop);
    sh->results_file = ":memory:";
    if (argc > 3) return !try_session(sh, seed, session, true);
    for (; clock_exact_ms() - begin < seconds * 1000 && findings < FINDINGS_MOST; session++)
        findings += !try_session(sh, seed, session, false);
    printf("fuzz: %d sessions of seed %llu, %d findings\n", session, (unsigned long long)seed, findings);
    shell_free(sh);
    unlink("errors");
    unlink("mutant.fun");
    unlink("tests");
    if (chdir("/") == 0) rmdir(folder);
    for (int i = 0; i < typed.n; i++) free(typed.v[i]);
    for (int i = 0; i < programs.n; i++) free(programs.v[i]);
    for (int i = 0; i < files.n; i++) free(files.v[i]);
    free(files.v);
    free(typed.v);
    free(programs.v);
    return findings > 0;
}
