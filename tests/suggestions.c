/* suggestions: what an error or a warning of lathe suggests can be typed. The transcripts are run with --json; where a
 * diagnostic says `try`, `or` or `next`, lathe is started again, does the same as before and then what is suggested.
 * Usage: suggestions [TRANSCRIPT...]     in the root of the repository; all of tests/cases unless given */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shell.h"

static char folder[64];
static int problems, tried;
static bool seen_id[ERROR_COUNT];
static VEC(char *) known;                /* suggestions that were tried, digits as 0 */

/* ---- lathe ---- */

static void write_text(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f)) perror(path), exit(2);
}

/* The lines of --json for what is typed, in a fresh folder that sees this one. */
static json_t *run(const char *typed)
{
    char command[1000], *line = NULL, *here = getcwd(NULL, 0);
    size_t cap = 0;
    json_t *all = json_array(), *o;
    write_text("typed", typed);
    snprintf(command, sizeof command,
             "cd %s && rm -rf work state && mkdir work && ln -s '%s'/* work && cd work && LANG=C.UTF-8 XDG_STATE_HOME=%s/state "
             "XDG_CONFIG_HOME=%s '%s' --json --keep-going --no-init --set times=off <../typed 2>../errors",
             folder, here, folder, folder, LATHE);
    free(here);
    FILE *f = popen(command, "r");
    while (f && getline(&line, &cap, f) > 0)
        if ((o = json_loads(line, 0, NULL)) && json_object_get(o, "cmd")) json_array_append_new(all, o);
        else json_decref(o);
    int status = f ? pclose(f) : -1;
    free(line);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 8) {
        printf("suggestions: lathe ended with status %d behind %d commands:\n%s", status, (int)json_array_size(all), typed);
        snprintf(command, sizeof command, "tail -20 %s/errors", folder);
        fflush(stdout);
        if (system(command)) perror(command);
        problems++;
    }
    return all;
}

/* What is typed in a transcript. */
static char *typed_in(const char *file)
{
    Buf out = {0};
    char *line = NULL;
    size_t cap = 0;
    FILE *f = fopen(file, "r");
    if (!f) perror(file), exit(2);
    while (getline(&line, &cap, f) > 0)
        if (*line == '>') buf_puts(&out, line + 1 + (line[1] == ' '));
    fclose(f);
    free(line);
    return out.data ? out.data : strdup("");
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
        {"check ", "E31 E32"}, {"source ", "E21"}, {"lesson check", "E84"}, {"replay ", "E42"}, {"run", "E38 E62 E63 E64"},
        {"device ", "E38 E62 E63 E64"}, {"lesson grade FILE", "E06"},
        {"apply mapLocal(0)", "E21"}, {"apply mapGlobal(0)", "E12 E21"},
        /* how its argument is given; that it stands elsewhere is another error */
    };
    for (int i = 0; i < COUNT(verdicts); i++)
        if (begins(command, verdicts[i].command) && strstr(verdicts[i].ids, id)) return true;
    return !strcmp(command, "code --edit") && !strcmp(id, "E05");       /* wants a terminal */
}

/* FILE stands for a file of the user's. */
static char *filled_in(const char *command)
{
    Buf out = {0};
    const char *at = strstr(command, "load FILE");
    if (at == command) buf_puts(&out, "load tests/programs/dot.fun");
    else buf_puts(&out, command);
    return out.data;
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

/* command, typed behind `before`: the last thing that lathe says is good. */
static void try_out(const char *file, const char *before, json_t *at, const char *id, const char *command)
{
    Buf text = {0};
    char *line = filled_in(command);
    buf_printf(&text, "%s\n\n%s\n", before, line);
    json_t *all = run(text.data), *last = json_array_get(all, json_array_size(all) - 1);
    json_t *diag = json_object_get(last, "diag");
    const char *failed = text_of(json_array_get(diag, json_array_size(diag) - 1), "id");
    char *said = json_dumps(json_object_get(at, "diag"), 0);
    bool corrects = said && strstr(said, "did you mean");
    free(said);
    bool known_now = corrects && strcmp(failed, "E01") && strcmp(failed, "E02");     /* another error is another matter */
    bool ok = json_is_true(json_object_get(last, "ok")) || is_verdict(line, failed) || known_now;
    tried++;
    if (!ok) {
        printf("%s: after \"%s\" %s suggests \"%s\", which gives %s\n", file, text_of(at, "cmd"), id, command, failed);
        problems++;
    }
    free(line);
    buf_free(&text);
    json_decref(all);
}

/* ---- a transcript ---- */

/* Its suggestions one by one; `next` is behind what was to be tried first. */
static void take_diagnostic(const char *file, const char *before, json_t *at, json_t *diag)
{
    static const char *const labels[] = {"try", "or", "next"};
    const char *id = text_of(diag, "id");
    Buf done = {0};
    json_t *command;
    size_t k;
    buf_puts(&done, before);
    for (int i = 0; i < COUNT(labels); i++) {
        json_array_foreach(json_object_get(diag, labels[i]), k, command) {
            const char *text = json_string_value(command);
            if (!strcmp(text, "code --edit")) continue;
            if (is_new(id, text)) try_out(file, i == 2 ? done.data : before, at, id, text);
            if (i == 0) buf_printf(&done, "\n\n%s", text);
        }
    }
    buf_free(&done);
}

/* What was done is repeated by what was done last in it: lines of a script instead of `source`. */
static bool is_repeated(json_t *o)
{
    const char *verb = text_of(o, "verb");
    return strcmp(verb, "source") || strstr(text_of(o, "cmd"), ".lua");
}

static void take_transcript(const char *file)
{
    Buf before = {0};
    char *typed = typed_in(file);
    json_t *all = run(typed), *o, *diag;
    size_t i, k;
    json_array_foreach(all, i, o) {
        if (!strcmp(text_of(o, "verb"), "quit")) break;
        if (is_repeated(o)) buf_printf(&before, "%s\n\n", text_of(o, "cmd"));
        json_array_foreach(json_object_get(o, "diag"), k, diag) {
            for (int e = 1; e < ERROR_COUNT; e++) seen_id[e] = seen_id[e] || !strcmp(text_of(diag, "id"), error_name((ErrorId)e));
            take_diagnostic(file, buf_text(&before), o, diag);
        }
    }
    json_decref(all);
    buf_free(&before);
    free(typed);
}

/* Every error is met, but for those that a transcript cannot bring about. */
static void all_met(void)
{
    static const ErrorId elsewhere[] = {E60, E70, E86};        /* tests/batch.sh; E86 is another lathe's, in lesson.t */
    for (int e = 1; e < ERROR_COUNT; e++) {
        bool met = seen_id[e];
        for (int i = 0; i < COUNT(elsewhere); i++) met = met || elsewhere[i] == (ErrorId)e;
        if (!met) printf("suggestions: no transcript has %s\n", error_name((ErrorId)e)), problems++;
    }
}

int main(int argc, char **argv)
{
    glob_t found;
    strcpy(folder, "/tmp/suggestions-XXXXXX");
    if (!mkdtemp(folder)) return perror(folder), 2;
    for (int i = 1; i < argc; i++) take_transcript(argv[i]);
    if (argc == 1 && glob("tests/cases/*.t", 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) take_transcript(found.gl_pathv[i]);
        globfree(&found);
        all_met();
    }
    for (int i = 0; i < known.n; i++) free(known.v[i]);
    free(known.v);
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command)) problems++;
    printf("%d suggestions tried, %d do not work\n", tried, problems);
    return problems > 0;
}
