/* main: the options of lathe, and how a session begins and ends (batch.md). */
#include "commands.h"
#include "editors.h"
#include "keep.h"
#include "line.h"
#include "manual.h"
#include "schema.h"
#include "show.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* TERMINATE_SECONDS: so long SIGTERM leaves to end in order. */
enum { EXIT_USAGE = 2, EXIT_TERMINATED = 143, TERMINATE_SECONDS = 3 };

/* Raised by signals, looked at by everything that may take long: the only state that a signal handler can reach. */
static volatile int stop;

static void on_signal(int sig)
{
    if (sig == SIGTERM) stop = STOP_TERMINATE, alarm(TERMINATE_SECONDS);
    else if (sig == SIGINT && stop == STOP_NONE) stop = STOP_INTERRUPT;
    else if (sig == SIGINT && stop == STOP_INTERRUPT) stop = STOP_INSIST;
}

#define FILE_HELP ".fun: load it; .lathe or .lua: run it (words behind a .lua are its arguments); .session: open it"

typedef enum JobKind { JOB_FILE, JOB_SESSION, JOB_LINE, JOB_SCRIPT } JobKind;
typedef struct Job {
    JobKind kind;
    const char *text;
    const char **args;                   /* of a Lua script, NULL at the end; NULL: none */
    int arg_count;
} Job;

typedef struct Options {
    VEC(Job) jobs;
    Texts settings;                     /* NAME=VALUE */
    const char *device, *session, *results, *completion;
    unsigned display;
    bool json, keep_going, restricted, no_init, init, quiet, echo, batch, help, version, schema, man, jupyter, lsp;
    const char *editor;
} Options;

static int bad_usage(const char *what, const char *word)
{
    fprintf(stderr, "E05 %s %s\n  try     lathe --help\n", what, word);
    return EXIT_USAGE;
}

/* ---- options ---- */

static void add_job(Options *o, JobKind kind, const char *text)
{
    vec_push(&o->jobs, ((Job){.kind = kind, .text = text}));
}

/* What is no option: a file, or an argument of the Lua script before it. */
static int take_word(Options *o, const char *word)
{
    Job *job = o->jobs.n ? &o->jobs.v[o->jobs.n - 1] : NULL;
    if (job && job->kind == JOB_SCRIPT && file_ends(job->text, ".lua")) {
        job->args = mem_grow(job->args, sizeof *job->args * (size_t)(job->arg_count + 2));
        job->args[job->arg_count++] = word;
        job->args[job->arg_count] = NULL;
        return 0;
    }
    bool program = file_ends(word, ".fun"), session = file_ends(word, ".session");
    bool lua = file_ends(word, ".lua"), script = lua || file_ends(word, ".lathe");
    if (!program && !script && !session)
        return bad_usage("a file must be .fun (a program), .lathe or .lua (a script) or .session, not", word);
    add_job(o, program ? JOB_FILE : session ? JOB_SESSION : JOB_SCRIPT, word);
    o->batch = o->batch || lua;
    return 0;
}

static int take_long(Options *o, const char *name, const char *value)
{
    const struct { const char *name; bool *flag; } flags[] = {
        {"json", &o->json}, {"keep-going", &o->keep_going}, {"restricted", &o->restricted}, {"no-init", &o->no_init}, {"init", &o->init},
        {"help", &o->help}, {"version", &o->version}, {"jupyter-install", &o->jupyter}, {"lsp", &o->lsp}, {"schema", &o->schema}, {"man", &o->man},
    };
    const struct { const char *name, **text; } texts[] = {
        {"device", &o->device}, {"session", &o->session}, {"completion", &o->completion}, {"editor-install", &o->editor}, {"results", &o->results},
    };
    for (int i = 0; i < COUNT(flags); i++)
        if (!strcmp(flags[i].name, name)) return *flags[i].flag = true, 0;
    for (int i = 0; i < COUNT(texts); i++)
        if (!strcmp(texts[i].name, name)) return *texts[i].text = value, 0;
    if (!strcmp(name, "display")) {
        o->display = (strstr(value, "html") ? DISPLAY_HTML : 0) | (strstr(value, "svg") ? DISPLAY_SVG : 0);
        bool known = !strcmp(value, "html") || !strcmp(value, "svg") || !strcmp(value, "html,svg") || !strcmp(value, "svg,html");
        return known ? 0 : bad_usage("--display is html, svg or html,svg, not", value);
    }
    Buf setting = {0};                   /* --set NAME=VALUE; --seed and --color are settings */
    if (strcmp(name, "set")) buf_printf(&setting, "%s=", name);
    buf_puts(&setting, value);
    vec_push(&o->settings, setting.data);
    return 0;
}

static int parse_options(Options *o, int argc, char **argv)
{
    enum { WORD = 1, LONG = 256 };       /* LONG and above: no letter, by number, for those with one code are not told apart */
    struct option longs[] = {      /* those that are a letter have no name here */
#define OPTION(name, letter, value, help) {&name[2], (value) ? required_argument : no_argument, NULL, LONG},
#include "options.def"
#undef OPTION
        {0}};
    for (int i = 0; longs[i].name; i++) longs[i].val += i;
    opterr = 0;
    for (int failed = 0, code; (code = getopt_long(argc, argv, "-:e:f:qxh", longs, NULL)) != -1;) {
        char letter[] = {'-', (char)optopt, 0};
        const char *name = optopt && optopt < LONG ? letter : argv[optind - 1];
        switch (code) {
        case WORD: failed = take_word(o, optarg); break;
        case 'e': case 'f': add_job(o, code == 'e' ? JOB_LINE : JOB_SCRIPT, optarg), o->batch = true; break;
        case 'q': o->quiet = true; break;
        case 'x': o->echo = true; break;
        case 'h': o->help = true; break;
        case ':': return bad_usage("a value is missing after", name);
        case '?': return bad_usage(optopt >= LONG ? "no value belongs to" : "unknown option, or short for several:", name);
        default: failed = take_long(o, longs[code - LONG].name, optarg); break;
        }
        if (failed) return failed;
    }
    for (; optind < argc; optind++) {    /* behind -- */
        int failed = take_word(o, argv[optind]);
        if (failed) return failed;
    }
    return 0;
}

/* ---- running ---- */

static int run_file(Shell *sh, const char *verb, const char *file, const char **args)
{
    LOCAL(buf_free) Buf line = {0};
    int code = 0;
    buf_printf(&line, "%s ", verb);
    buf_quoted(&line, file);
    for (; args && *args; args++) buf_putc(&line, ' '), buf_quoted(&line, *args);
    shell_line(sh, line.data, &code);
    return code;
}

static void greet(const Shell *sh)
{
    LOCAL(buf_free) Buf text = {0};
    show_broken(sh, "lathe " LATHE_VERSION ": help, load FILE, lesson terms, quit; Right takes what a `try` says\n", &text);
    fputs(buf_text(&text), stdout);
}

static int run_stdin(Shell *sh)
{
    Reader *r = sh->json ? reader_requests(sh) : reader_stream(sh, stdin);
    sh->converses = sh->json;
    int code = shell_read(sh, r);
    sh->converses = sh->interactive;
    reader_free(r);
    return code;
}

static int apply_settings(Shell *sh, const Options *o)
{
    for (int i = 0; i < o->settings.n; i++) {
        const char *eq = strchr(o->settings.v[i], '=');
        if (!eq) return bad_usage("--set needs NAME=VALUE, not", o->settings.v[i]);
        char *name = strndup(o->settings.v[i], (size_t)(eq - o->settings.v[i]));
        bool ok = session_set(sh->session, name, eq + 1) && shell_take_target(sh);
        free(name);
        if (ok) continue;
        shell_complain(sh);
        return EXIT_USAGE;
    }
    return 0;
}

/* Options outweigh the settings in the file. */
static int open_session(Shell *sh, const Options *o, const char *file)
{
    int code = run_file(sh, "open", file, NULL), settings = apply_settings(sh, o);
    keep_settled(sh);
    return code ? code : settings;
}

static int worst(int a, int b) { return a > b ? a : b; }

/* Standard output is for objects alone: what Lua, or a program that it starts, would write there goes to standard error. */
static FILE *objects_apart(void)
{
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (f && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) freopen("/dev/null", "w", stdout);
    return f ? f : stdout;
}

static int run_all(Shell *sh, const Options *o)
{
    bool terminal = isatty(STDIN_FILENO), stdin_used = false;
    int code = 0;
    sh->interactive = sh->converses = terminal && !o->batch;
    if (!o->no_init && (sh->interactive || o->init)) {
        const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
        LOCAL(buf_free) Buf file = {0};
        if (config && *config == '/') buf_printf(&file, "%s/lathe/init.lathe", config);
        else if (home && *home == '/') buf_printf(&file, "%s/.config/lathe/init.lathe", home);
        if (file.len && access(file.data, R_OK) == 0) code = run_file(sh, "source", file.data, NULL);
    }
    keep_start(sh);
    if (o->session) {
        sh->keep.always = true;
        if (access(o->session, F_OK) == 0) code = worst(code, open_session(sh, o, o->session));
        else keep_file(sh, o->session, true);
    }
    if (code && !sh->keep_going && !sh->interactive) return code;
    for (int i = 0; i < o->jobs.n && !sh->quit; i++) {
        const Job *job = &o->jobs.v[i];
        bool input = job->kind == JOB_SCRIPT && !strcmp(job->text, "-");
        stdin_used = stdin_used || input;
        code = worst(code, job->kind == JOB_SESSION ? open_session(sh, o, job->text)
                           : job->kind == JOB_LINE ? shell_text(sh, job->text, NULL, 1)
                           : input ? run_stdin(sh)
                                   : run_file(sh, job->kind == JOB_FILE ? "load" : "source", job->text, job->args));
        if (code && !sh->keep_going && !sh->interactive) return code;
    }
    if (sh->interactive && !sh->quit) {
        Reader *r = reader_terminal(sh);
        if (!sh->quiet) greet(sh);
        keep_offer(sh);
        terminal_open(sh);
        shell_read(sh, r);
        terminal_close();
        reader_free(r);
        return stop == STOP_TERMINATE ? EXIT_TERMINATED : 0;
    }
    if (!o->batch && !stdin_used && !sh->quit) code = worst(code, run_stdin(sh));
    return code;
}

static int run_shell(const Options *o)
{
    Shell *sh = shell_new(&stop);
    fault_catch(sh);
    sh->json = o->json;
    sh->display = o->display;
    if (o->json && (o->batch || !isatty(STDIN_FILENO))) sh->objects = objects_apart();
    sh->keep_going = o->keep_going;
    sh->restricted = o->restricted;
    sh->quiet = o->quiet;
    sh->echo = o->echo;
    sh->results_file = o->results;
    if (o->device) sh->device_wanted = strdup(o->device);
    int code = apply_settings(sh, o);
    if (!code) code = run_all(sh, o);
    if (sh->exit_code) code = sh->exit_code;
    if (sh->watch) sh->watch->end(sh);
    if (sh->guided) sh->guide->end(sh);
    code = worst(code, keep_end(sh));
    shell_free(sh);
    return code;
}

static int install(const Options *o, Buf *out)
{
    LOCAL(diag_free) Diag diag = diag_new();
    if (o->jupyter ? jupyter_install(&diag, out) : editor_install(&diag, o->editor, out)) return 0;
    LOCAL(buf_free) Buf error = {0};
    diag_render(&diag, &error);
    fputs(buf_text(&error), stderr);
    return error_code(diag.id);
}

int main(int argc, char **argv)
{
    Options o = {0};
    setlocale(LC_CTYPE, "");
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);   /* a write fails; programs that are started get the default back */
    sigaction(SIGXFSZ, &action, NULL);   /* so does one beyond ulimit -f */
    int code = parse_options(&o, argc, argv);
    LOCAL(buf_free) Buf page = {0};
    if (!code && o.help) {
        buf_printf(&page, "usage: lathe [FILE...] [-e LINE]... [-f SCRIPT]... [OPTION...]\n  %-18s %s\n", "FILE", FILE_HELP);
        options_print(&page);
        buf_puts(&page, "Without -e, -f and with a terminal as standard input it is interactive.\n");
    } else if (!code && o.version) buf_printf(&page, *LATHE_COMMIT ? "lathe " LATHE_VERSION " (%s)\n" : "lathe " LATHE_VERSION "\n", LATHE_COMMIT);
    else if (!code && o.schema) json_put(schema_all(), JSON_INDENT(2), &page);
    else if (!code && o.man) manual_print(LATHE_VERSION, &page);
    else if (!code && o.completion) code = completions_print(o.completion, &page) ? 0 : bad_usage("--completion is for bash, zsh or fish, not", o.completion);
    else if (!code && o.lsp) {
        Shell *sh = shell_new(&stop);
        code = lsp_serve(sh);
        shell_free(sh);
    }
    else if (!code && (o.jupyter || o.editor)) code = install(&o, &page);
    else if (!code) code = run_shell(&o);
    fputs(buf_text(&page), stdout);
    if (!code && output_failed(stdout)) {
        fprintf(stderr, "E06 cannot write standard output: %s\n", strerror(errno));
        code = error_code(E06);
    }
    for (int i = 0; i < o.settings.n; i++) free((char *)o.settings.v[i]);
    for (int i = 0; i < o.jobs.n; i++) free(o.jobs.v[i].args);
    free(o.settings.v);
    free(o.jobs.v);
    return code;
}
