/* suggestions: what an error or a warning of lathe suggests can be typed. The transcripts are typed into shells of this
 * process, as into lathe --json --keep-going; where a diagnostic says `try`, `or` or `next`, a fork of it goes on with what is
 * suggested, in a copy of its folder.
 * Usage: suggestions [TRANSCRIPT...]     in the root of the repository; all of tests/cases unless given */
#include <ctype.h>
#include <glob.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "guide.h"
#include "keep.h"
#include "show.h"

enum { CODE_MOST = 8 };                  /* of a command that failed; what is beyond is an accident */

static char home[1000], folder[64];      /* of the tree; in the folder: now/{work,state,config}, trial (its copy), what is printed */
static const char *file;                 /* the transcript */
static FILE *say, *heard;                /* standard output; what shells print in its place */
static volatile int stop;
static int problems, tried;
static bool seen_id[ERROR_COUNT];
static VEC(char *) known;                /* suggestions that were tried, digits as 0 */

/* ---- folders ---- */

PRINTF_LIKE(1, 2) static void system_do(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    Buf line = {0};
    buf_vprintf(&line, fmt, ap);
    va_end(ap);
    if (system(line.data)) fprintf(say, "suggestions: %s\n", line.data), exit(2);
    buf_free(&line);
}

/* Where files are from now on. */
static void enter(const char *which)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s/state", folder, which);
    setenv("XDG_STATE_HOME", path, 1);
    snprintf(path, sizeof path, "%s/%s/config", folder, which);
    setenv("XDG_CONFIG_HOME", path, 1);
    snprintf(path, sizeof path, "%s/%s/work", folder, which);
    if (chdir(path)) perror(path), exit(2);
}

/* A file's name in the copy. */
static char *moved(const char *name)
{
    Buf out = {0};
    size_t n = strlen(folder);
    if (!name) return NULL;
    if (!strncmp(name, folder, n) && !strncmp(name + n, "/now/", 5)) buf_printf(&out, "%s/trial/%s", folder, name + n + 5);
    else buf_puts(&out, name);
    return out.data;
}

/* Is it of a diagnostic that suggests something? */
static bool suggests(const char *line)
{
    static const char *const notes[] = {"  try ", "  or ", "  next "}, *const members[] = {"\"try\":", "\"or\":", "\"next\":"};
    bool warns = *line == 'W' && isdigit((unsigned char)line[1]);
    return ANY(i, COUNT(notes), !strncmp(line, notes[i], strlen(notes[i]))) || ANY(i, COUNT(members), strstr(line, members[i]))
        || !strncmp(line, "**", 2) || (warns && strstr(line, "; silence: "));
}

/* The error that a line begins with is met by this transcript, as far as it is typed or not. */
static void see_error(const char *line)
{
    for (int e = 1; e < ERROR_COUNT; e++) {
        const char *name = error_name((ErrorId)e);
        size_t n = strlen(name);
        seen_id[e] = seen_id[e] || (!strncmp(line, name, n) && line[n] == ' ');
    }
}

/* What is typed in a transcript, up to the last line that suggests something. */
static char *typed_in(void)
{
    Buf out = {0};
    char *line = NULL;
    size_t cap = 0, last = 0;
    FILE *f = fopen(file, "r");
    if (!f) perror(file), exit(2);
    while (getline(&line, &cap, f) > 0)
        if (*line == '>') buf_puts(&out, line + 1 + (line[1] == ' '));
        else if (see_error(line), suggests(line)) last = out.len;
    fclose(f);
    free(line);
    buf_putc(&out, 0);
    out.data[last] = 0;
    return out.data;
}

/* ---- one suggestion ---- */

static const char *text_of(json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* What may come of a good suggestion: these find out something, and say it in their own words. */
static bool is_verdict(const char *command, const char *id)
{
    static const struct { const char *command, *ids; } verdicts[] = {
        {"check ", "E31 E32"}, {"source ", "E21"}, {"lesson check", "E84"}, {"lesson record ", "E13"}, {"replay ", "E42"}, {"run", "E38 E62 E63 E64"},
        {"device ", "E38 E62 E63 E64"}, {"lesson grade FILE", "E06"},
        {"apply mapLocal(0)", "E21"}, {"apply mapGlobal(0)", "E12 E21"},
        /* how its argument is given; that it stands elsewhere is another error */
    };
    for (int i = 0; i < COUNT(verdicts); i++)
        if (begins(command, verdicts[i].command) && strstr(verdicts[i].ids, id)) return true;
    return !strcmp(command, "code --edit") && !strcmp(id, "E05");       /* wants a terminal */
}

static bool is_new(const char *id, const char *command)
{
    Buf key = {0};
    buf_printf(&key, "%s %s", id, command);
    for (char *p = key.data; *p; p++)
        if (*p >= '0' && *p <= '9' && p > key.data + 3) *p = '0';
    for (int i = 0; i < known.n; i++)
        if (!strcmp(known.v[i], key.data)) return buf_free(&key), false;
    vec_push(&known, key.data);
    return true;
}

static char last_error[8];               /* of the last command of a trial; "" */

static void ignore(Shell *sh) { (void)sh; }
static void ignore_text(Shell *sh, const char *text) { (void)sh, (void)text; }
static void ignore_event(Shell *sh, const json_t *event) { (void)sh, (void)event; }

/* What shells print goes to a file, which is read behind each command. */
static void print_to(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f;
    if (!freopen(path, "w", stdout) || !(f = fopen(path, "r"))) perror(path), exit(2);
    if (heard) fclose(heard);
    heard = f;
}

/* The diagnostics that were printed since the last time; there are none of commands that Lua runs. A new reference. */
static json_t *diagnostics(void)
{
    static char *line;
    static size_t cap;
    json_t *diag = json_array();
    fflush(stdout);
    clearerr(heard);
    while (getline(&line, &cap, heard) > 0) {
        json_t *o = json_loads(line, 0, NULL);
        json_array_extend(diag, json_object_get(o, "diag"));
        json_decref(o);
    }
    return diag;
}

static void note_error(Shell *sh)
{
    json_t *diag = diagnostics();
    (void)sh;
    snprintf(last_error, sizeof last_error, "%s", text_of(json_array_get(diag, json_array_size(diag) - 1), "id"));
    json_decref(diag);
}

/* The shell of a fork is one of its own: nothing that it does is seen by the process it comes from. */
static void stand_alone(Shell *sh)
{
    static const Observer trial = {note_error, ignore, ignore, ignore_text, ignore_event, ignore, ignore};
    enter("trial");
    print_to("tried");
    if (sh->device) {
        Device *before = sh->device;
        sh->device = device_open(device_info(before));
        device_set_paused(sh->device, device_paused(before, NULL));
        shell_watch(sh, sh->device);
    }
    if (!sh->results_fleeting) sh->results = NULL;                   /* in memory it is a copy already */
    sh->results_file = moved(sh->results_file);
    struct stat was, is;
    bool same = sh->keep.file && stat(sh->keep.file, &was) == 0 && was.st_ino == sh->keep.stamp.st_ino;
    sh->keep.file = moved(sh->keep.file);
    if (same && stat(sh->keep.file, &is) == 0) sh->keep.stamp.st_ino = is.st_ino;
    sh->keep.journal = NULL;
    sh->keep.kept = false;
    sh->script = NULL;
    sh->depth = 0;
    sh->watch = &trial;
}

/* lines, one by one: how the last one ends. An exit status of 1: not well, and that is told. */
static int trial_status(Shell *sh, const char *const *lines, int n, const char *id, bool corrects)
{
    int code = 0;
    char *line = NULL;
    stand_alone(sh);
    for (int i = 0; i < n && code <= CODE_MOST; i++) {
        free(line);
        line = strdup(lines[i]);
        *last_error = 0;
        code = shell_text(sh, line, NULL, 1);
    }
    bool known_now = corrects && strcmp(last_error, "E01") && strcmp(last_error, "E02");     /* another error is another matter */
    bool ok = !code || (code <= CODE_MOST && (is_verdict(line, last_error) || known_now));
    if (!ok) fprintf(say, "%s: %s suggests \"%s\", which gives %s (code %d)\n", file, id, line, last_error, code);
    fflush(say);
    return !ok;
}

/* corrects: what is suggested is a name in place of a mistyped one. */
static void try_out(Shell *sh, const char *const *lines, int n, const char *id, bool corrects)
{
    int status;
    system_do("rm -rf %s/trial && cp -a %s/now %s/trial", folder, folder, folder);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(trial_status(sh, lines, n, id, corrects));
    bool ended = child > 0 && waitpid(child, &status, 0) == child;
    tried++;
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    problems++;
    if (!ended || !WIFEXITED(status)) fprintf(say, "%s: %s suggests \"%s\", which ends lathe\n", file, id, lines[n - 1]);
}

/* Suggestions one by one; `next` is behind what was to be tried first. */
static void take_diagnostic(Shell *sh, json_t *diag)
{
    static const char *const labels[] = {"try", "or", "next"};
    const char *id = text_of(diag, "id");
    char *said = json_dumps(diag, 0);
    bool corrects = said && strstr(said, "did you mean");
    free(said);
    VEC(const char *) lines = {0};
    json_t *command;
    size_t k;
    for (int i = 0; i < COUNT(labels); i++) {
        json_array_foreach(json_object_get(diag, labels[i]), k, command) {
            const char *text = json_string_value(command);
            if (!strcmp(text, "code --edit")) continue;
            if (i < 2 && is_new(id, text)) try_out(sh, &text, 1, id, corrects);
            if (i == 0) vec_push(&lines, text);
            if (i < 2 || !is_new(id, text)) continue;
            vec_push(&lines, text);
            try_out(sh, lines.v, lines.n, id, corrects);
            lines.n--;
        }
    }
    free(lines.v);
}

/* ---- a transcript ---- */

static void take_command(Shell *sh)
{
    size_t k;
    json_t *list, *diag;
    list = diagnostics();
    json_array_foreach(list, k, diag) {
        for (int e = 1; e < ERROR_COUNT; e++) seen_id[e] = seen_id[e] || !strcmp(text_of(diag, "id"), error_name((ErrorId)e));
        take_diagnostic(sh, diag);
    }
    json_decref(list);
}

static void take_transcript(const char *name)
{
    static const Observer watch = {take_command, ignore, ignore, ignore_text, ignore_event, ignore, ignore};
    file = name;
    char *typed = typed_in();
    print_to("printed");
    system_do("cd %s && rm -rf now && mkdir -p now/work && ln -s '%s'/* now/work", folder, home);
    enter("now");
    stop = STOP_NONE;
    Shell *sh = shell_new(&stop);
    sh->json = sh->keep_going = true;
    sh->watch = &watch;
    session_set(sh->session, "times", "off");
    session_set(sh->session, "run_timeout", "60");
    keep_start(sh);
    int code = shell_text(sh, typed, NULL, 1);
    if (sh->guided) sh->guide->end(sh);
    int end = keep_end(sh);
    if (code > CODE_MOST || end > CODE_MOST) fprintf(say, "%s: ends with code %d\n", file, code > end ? code : end), problems++;
    shell_free(sh);
    free(typed);
    if (chdir(home)) perror(home), exit(2);
}

/* Every error is met, but for those that a transcript cannot bring about. */
static void all_met(void)
{
    static const ErrorId elsewhere[] = {E60, E70, E86};        /* tests/batch.sh; E86 is another lathe's, in lesson.t */
    for (int e = 1; e < ERROR_COUNT; e++) {
        bool met = seen_id[e];
        for (int i = 0; i < COUNT(elsewhere); i++) met = met || elsewhere[i] == (ErrorId)e;
        if (!met) fprintf(say, "suggestions: no transcript has %s\n", error_name((ErrorId)e)), problems++;
    }
}

static void pass(int sig) { (void)sig; }

int main(int argc, char **argv)
{
    glob_t found;
    strcpy(folder, "/tmp/suggestions-XXXXXX");
    say = fdopen(dup(STDOUT_FILENO), "w");
    if (!say || !getcwd(home, sizeof home) || !mkdtemp(folder)) return perror("suggestions"), 2;
    setenv("LANG", "C.UTF-8", 1);
    setlocale(LC_CTYPE, "");
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = pass}, NULL);
    if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stderr)) return perror("/dev/null"), 2;
    for (int i = 1; i < argc; i++) take_transcript(argv[i]);
    if (argc == 1 && glob("tests/cases/*.t", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) take_transcript(found.gl_pathv[i]);
        globfree(&found);
        all_met();
    }
    for (int i = 0; i < known.n; i++) free(known.v[i]);
    free(known.v);
    system_do("rm -rf '%s'", folder);
    fprintf(say, "%d suggestions tried, %d do not work\n", tried, problems);
    return fclose(say) != 0 || problems > 0;
}
