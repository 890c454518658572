/* search: `search`: what was typed as a specification for strategies/search; progress and events on the way. */
#include "commands.h"
#include "show.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --from FILE.json without --simulate: T1, what others want tuned, with the source of its kernel where that is there (problem.lua). */
static bool read_problem(Shell *sh, const Args *a, json_t *spec, const char *file)
{
    const char *slash = strrchr(file, '/'), *text = text_read(diag(sh), sh->scratch, shell_path(sh, file), sh->stop, NULL);
    json_t *all = text ? json_loads(text, 0, NULL) : NULL, *space = json_object_get(all, "ConfigurationSpace");
    if (text && !json_is_object(space)) {
        json_decref(all);
        return arg_error(sh, a, "--from is for --simulate, or names a T1 file, what others want tuned: search params --from FILE.json");
    }
    if (!text) return false;
    const char *kernel = json_string_value(json_object_get(json_object_get(all, "KernelSpecification"), "KernelFile"));
    json_t *problem = json_of("{file:s t1:o}", file, all);
    json_object_set_new(spec, "problem", problem);
    if (kernel) {
        const char *path = arena_printf(sh->scratch, "%.*s%s", *kernel == '/' || !slash ? 0 : (int)(slash + 1 - file), file, kernel);
        const char *source = text_read(NULL, sh->scratch, shell_path(sh, path), sh->stop, NULL);
        if (source) json_object_set_new(problem, "source", json_string(source));
    }
    return true;
}

/* The recording that a simulation goes by, or a search that is done again without a device. */
static bool read_recording(Shell *sh, const Args *a, json_t *spec)
{
    const char *again = arg_flag(a, "replay"), *file = again ? again : arg_flag(a, "from");
    if (!file) return true;
    if (!again && !arg_flag(a, "simulate")) return read_problem(sh, a, spec, file);
    if (again) json_object_set_new(spec, "recorded", json_true());      /* then also of which sizes (say_circumstances) */
    const char *text = record_file(sh, shell_path(sh, file));
    if (text && json_object_set_new(spec, "text", json_string(text))) diag_error(diag(sh), E03, "%s is no UTF-8 text", file);
    return !diag_failed(diag(sh));
}

/* "params using random" and the flags */
static bool read_words(Shell *sh, const Args *a, json_t *spec)
{
    static const char *const apart[] = {"again", "from", "replay", "sizes"};     /* read elsewhere */
    static const char *const numbers[] = {"keep", "seeds", "best", "limit"};
    const char *what = arg(a, 0);
    if (what && strcmp(what, "params") && strcmp(what, "rules") && strcmp(what, "fusions"))
        return arg_error(sh, a, "search params, search rules or search fusions?");
    if (a->count > 1 && (strcmp(arg(a, 1), "using") || a->count > 3))
        return arg_error(sh, a, "`using` and a strategy are expected there");
    if (a->count == 2) return arg_error(sh, a, "using which strategy? `list strategies`");
    if (what) json_object_set_new(spec, "what", json_string(what));
    if (a->count == 3) json_object_set_new(spec, "using", json_string(arg(a, 2)));
    for (int i = a->flag_count - 1; i >= 0; i--) {           /* of a flag that is there twice the first counts */
        const char *name = a->flags[i].name, *value = a->flags[i].value;
        bool valued = flag_find(a->command->flags, name, strlen(name))[strlen(name)] == '=';
        int64_t n;
        if (text_index(apart, COUNT(apart), name) >= 0) continue;
        if (text_index(numbers, COUNT(numbers), name) < 0)
            json_object_set_new(spec, name, valued ? json_string(value) : json_true());
        else if (arg_int(sh, name, value, 1, 1000000, &n)) json_object_set_new(spec, name, json_integer(n));
        else return false;
    }
    return true;
}

static json_t *read_spec(Shell *sh, const Args *a)
{
    json_t *spec = json_object();
    if (arg_flag(a, "again")) json_object_set_new(spec, "since", json_integer(results_newest(shell_results(sh))));
    json_object_set_new(spec, "seed", json_integer(session_setting_int(sh->session, SET_SEED)));
    json_object_set_new(spec, "label", json_string(a->text));
    if (session_setting_int(sh->session, SET_VERBOSE) == 2) json_object_set_new(spec, "all", json_true());
    if (sh->quiet) json_object_set_new(spec, "quiet", json_true());
    if (read_words(sh, a, spec) && read_recording(sh, a, spec)) return spec;
    json_decref(spec);
    return NULL;
}

/* ---- the last search, which `search` alone goes on with, in another process too ---- */

/* Sizes as they were given, inputs, device: what results of v are known by, as far as it does not depend on the point. */
static ResultKey circumstances(Shell *sh, const Version *v)
{
    const Derivation *d = session_current(sh->session);
    Values values;
    ResultKey key = {0};
    session_given_values(sh->session, v, sh->scratch, &values);
    RunSpec spec = {.bindings = values.b, .binding_count = values.count, .inputs = d->inputs,
                    .input_count = d->program->input_count};
    result_key(&spec, sh->device ? device_info(sh->device) : NULL, sh->scratch, &key);
    return key;
}

void search_begun(void *data, const Version *v, const json_t *spec)
{
    static const char *const passing[] = {"replay", "started", "interrupted", "version", "force", "all", "plot", "quiet", "since"};
    Shell *sh = data;
    ResultKey key = circumstances(sh, v);
    json_auto_t *kept = json_copy((json_t *)spec);
    for (int i = 0; i < COUNT(passing); i++) json_object_del(kept, passing[i]);
    json_object_set_new(kept, "device", json_string(key.device));
    LOCAL(drop) char *text = json_dumps(kept, JSON_COMPACT);
    const ResultSearch begun = {
        .program = session_current(sh->session)->program->name, .version = v->hash, .sizes = key.sizes,
        .inputs = key.inputs, .spec = text,
        .derivation = session_derivation(sh->session, v, sh->scratch),
        .since = json_integer_value(json_object_get(spec, "since"))};
    results_search_begin(shell_results(sh), &begun);
}

/* With other sizes, inputs or another device its results would not be found, and all begin anew. */
static bool same_circumstances(Shell *sh, const ResultSearch *last, const json_t *spec, const ResultKey *now)
{
    const char *device = json_object_get(spec, "devices") ? now->device : json_string_value(json_object_get(spec, "device"));
    bool sizes = !strcmp(last->sizes, now->sizes), inputs = !strcmp(last->inputs, now->inputs),
        same = !device || !strcmp(device, now->device);
    if (sizes && inputs && same) return true;
    shell_error(sh, E05, "the last search of %s was %s\nneeds %s\nfound %s", last->program,
                !sizes ? "at other sizes" : !inputs ? "with other inputs" : "on another device",
                !sizes ? *last->sizes ? last->sizes : "the default sizes" : !inputs ? last->inputs : device,
                !sizes ? *now->sizes ? now->sizes : "the default sizes" : !inputs ? now->inputs : now->device);
    if (!sizes && *last->sizes) diag_note(diag(sh), "try", "%ssearch", sizes_commands(sh, last->sizes, "; "));
    else if (sizes && inputs) diag_note(diag(sh), "try", "device %s; search", device);
    return false;
}

/* The specification of the last search with what was given now, and the version it was of. NULL: E05, E60. */
static json_t *resumed(Shell *sh, const json_t *given, const char *form)
{
    static const char *const overriding[] = {"budget", "o", "set", "devices", "force", "all", "plot", "quiet", "keep", "since"};
    ResultSearch last;
    if (!shell_device(sh)) return NULL;
    if (!results_search_last(shell_results(sh), session_current(sh->session)->program->name, sh->scratch, &last))
        return shell_error(sh, E05, "there is no search of %s to go on with\n"
                           "form %s", session_current(sh->session)->program->name, form), NULL;
    const Version *v = session_version(sh->session);
    const Derivation *d = session_current(sh->session);
    if (v->hash != last.version)
        for (v = derivation_next(d, NULL); v && v->hash != last.version;) v = derivation_next(d, v);
    if (!v)
        return shell_error(sh, E05, "the last search of %s was of a version that this session does not have\n"
                           "needs %s\n"
                           "hint open the session with it, or repeat its steps; then search", d->program->name,
                           *last.derivation ? last.derivation : "the source"), NULL;
    json_t *spec = json_loads(last.spec, 0, NULL);
    ResultKey now = circumstances(sh, v);
    if (!spec || !same_circumstances(sh, &last, spec, &now)) return json_decref(spec), NULL;
    if (last.since) json_object_set_new(spec, "since", json_integer(last.since));
    if (v != session_version(sh->session)) json_object_set_new(spec, "version", json_integer(v->number));
    for (int i = 0; i < COUNT(overriding); i++)
        if (json_object_get(given, overriding[i])) json_object_set(spec, overriding[i], json_object_get(given, overriding[i]));
    return spec;
}

void search_progress(void *data, const char *text)
{
    Shell *sh = data;
    const char *last = strrchr(text, '\n');
    if (sh->progress_to && *text) dprintf(sh->progress_to, "%s\n", last ? last + 1 : text);
    if (sh->watch) sh->watch->progress(sh, text);
    show_progress(sh, text);
}

static bool run_command(Shell *sh, Strategies *s, const char *module, const json_t *spec, json_t **report)
{
    bool ok = strategies_command(s, module, spec, &sh->out, report);
    search_progress(sh, "");
    return ok;
}

/* ---- several devices: those that are alike are a team, over which one search is spread. Where they differ each team has a search
 * and a process of its own, all at the same time, which fills the result store; then their trials are taken from there ---- */

enum { TEAMS_MAX = 16, WAIT_MS = 20, EXIT_PAUSED = 3, SAID_MAX = 160 };

typedef struct Team {
    int count;
    const DeviceInfo *infos[SEARCH_DEVICES_MAX];
    Device *devices[SEARCH_DEVICES_MAX]; /* while they are borrowed */
    Device *before;                      /* the current one then */
    pid_t child;
    bool paused;                         /* its child said so */
    int told;                            /* where it says how far it is; 0: nowhere */
    char said[SAID_MAX];                 /* what it said last */
} Team;

typedef struct Fleet {
    int count;
    Team teams[TEAMS_MAX];
} Fleet;

/* "pocl0@a,pocl0@b" "nvidia0*4": the second has four workers on one device, or by a launcher that chooses where. Infos that were found stay
 * where they are only until the next is looked for, so that all are looked for first. */
static bool find_fleet(Shell *sh, const char *list, Fleet *out)
{
    out->count = 0;
    for (int round = 0; round < 2; round++)
        for (const char *p = list + strspn(list, ","); *p; p += strspn(p, ",")) {
            size_t n = strcspn(p, ","), name = strcspn(p, ",*");
            int64_t workers = 1;
            const DeviceInfo *info = shell_find_device(sh, arena_strndup(sh->scratch, p, name));
            if (!info || (name < n && !arg_int(sh, "workers", arena_strndup(sh->scratch, p + name + 1, n - name - 1), 1, SEARCH_DEVICES_MAX, &workers)))
                return false;
            for (const Team *t = out->teams; round && t < out->teams + out->count; t++)
                if (ANY(i, t->count, t->infos[i] == info))
                    return shell_error(sh, E05, "%s is named twice\nform %s*2: two workers on it", info->id, info->id);
            for (int64_t i = 0; round && i < workers; i++) {
                /* Another worker on that device, in the team of its like. */
                Team *t = out->teams;
                while (t < out->teams + out->count && !devices_alike(t->infos[0], info)) t++;
                if (t == out->teams + TEAMS_MAX || t->count == SEARCH_DEVICES_MAX)
                    return shell_error(sh, E08, "more than %d devices alike, or %d kinds of them", SEARCH_DEVICES_MAX, TEAMS_MAX);
                if (t == out->teams + out->count) out->count++;
                t->infos[t->count++] = info;
            }
            p += n;
        }
    return out->count > 0 || shell_error(sh, E05, "which devices? --devices pocl0,nvidia0; list devices");
}

/* The devices of the team are the current ones until they are given back. */
static bool borrow(Shell *sh, Team *t)
{
    int n = 0;
    t->before = sh->device;
    for (; n < t->count && (t->devices[n] = device_open(t->infos[n])) != NULL; n++) shell_watch(sh, t->devices[n]);
    sh->device = n == t->count ? t->devices[0] : NULL;
    sh->team = t->devices;
    sh->team_count = n;
    return sh->device;
}

static void give_back(Shell *sh, const Team *t)
{
    for (int i = 0; i < sh->team_count; i++) device_close(t->devices[i]);
    sh->device = t->before;
    sh->team = NULL;
    sh->team_count = 0;
}

/* What the parent has open (store, worker) is left alone in the child. */
static void start_child(Shell *sh, Strategies *s, const json_t *spec, Team *t)
{
    int ends[2] = {0, 0};
    if (!shows_progress(sh) || pipe2(ends, O_CLOEXEC | O_NONBLOCK)) ends[0] = ends[1] = 0;
    fflush(NULL);
    t->child = fork();
    if (t->child) {
        if (t->child > 0) setpgid(t->child, t->child);       /* Ctrl-C is passed on, and comes once */
        if (ends[1]) close(ends[1]);
        t->told = ends[0];
        return;
    }
    if (sh->watch) sh->watch->leave(sh);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sh->results = NULL;
    sh->streams = sh->json = false;
    sh->progress_to = ends[1];
    json_t *report = NULL;
    bool paused = borrow(sh, t) && (run_command(sh, s, "command", spec, &report), device_paused(sh->device, NULL));
    give_back(sh, t);
    results_close(sh->results);
    _exit(paused ? EXIT_PAUSED : 0);
}

/* Until all have ended; Ctrl-C and SIGTERM are passed on. */
static void wait_for(Shell *sh, Fleet *f)
{
    int told = STOP_NONE;
    for (int left = f->count; left > 0;) {
        left = 0;
        /* How far all are, on one line. */
        LOCAL(buf_free) Buf b = {0};
        bool any = false;
        for (Team *t = f->teams; t < f->teams + f->count; t++) {
            char text[4096];
            ssize_t n = t->told ? read(t->told, text, sizeof text - 1) : 0;
            if (n > 0 && text[n - 1] == '\n') {                 /* the last whole line that a child wrote */
                text[n - 1] = 0;
                const char *line = strrchr(text, '\n');
                snprintf(t->said, SAID_MAX, "%.*s", SAID_MAX - 1, line ? line + 1 : text);
                any = true;
            }
            buf_printf(&b, "%s%s %s", t > f->teams ? "   |   " : "", t->infos[0]->id, *t->said ? t->said : "begins");
        }
        if (any) search_progress(sh, buf_text(&b));
        for (Team *t = f->teams; t < f->teams + f->count; t++) {
            int how = 0;
            if (t->child > 0 && waitpid(t->child, &how, WNOHANG) != 0) t->child = 0;
            t->paused = t->paused || (WIFEXITED(how) && WEXITSTATUS(how) == EXIT_PAUSED);
            left += t->child > 0;
            if (t->child > 0 && *sh->stop != told) kill(t->child, *sh->stop == STOP_TERMINATE ? SIGTERM : SIGINT);
        }
        told = *sh->stop;
        if (left) poll(NULL, 0, WAIT_MS);
    }
    for (Team *t = f->teams; t < f->teams + f->count; t++)
        if (t->told) close(t->told);
    search_progress(sh, "");
}

static bool search_team(Shell *sh, Strategies *s, const json_t *spec, Team *t, json_t *reports)
{
    json_t *report = NULL;
    bool opened = borrow(sh, t);
    if (opened) device_set_paused(sh->device, t->paused);
    bool ok = opened && run_command(sh, s, "command", spec, &report);
    give_back(sh, t);
    if (report) json_array_append_new(reports, report);
    return ok;
}

/* Each team has its search, at the same time where the store is a file. */
static bool search_fleet(Shell *sh, Strategies *s, json_t *spec, Fleet *f, json_t *reports)
{
    bool any = false;
    json_object_set_new(spec, "started", json_integer((json_int_t)time(NULL)));
    bool together = results_path(shell_results(sh)) != NULL;
    for (int i = 0; together && i < f->count; i++) start_child(sh, s, spec, &f->teams[i]);
    if (!together) print(sh, "one device after the other, for results are kept in memory        lathe --results FILE\n");
    if (together) wait_for(sh, f);
    if (together) json_object_set_new(spec, "replay", json_true());
    if (together) json_object_del(spec, "force");
    int stopped = together && *sh->stop == STOP_INTERRUPT ? STOP_INTERRUPT : STOP_NONE;
    if (stopped) {                       /* heeded; what was done is reported all the same */
        *sh->stop = STOP_NONE;
        json_object_set_new(spec, "interrupted", json_true());
    }
    for (int i = 0; i < f->count; i++) {
        if (any) diag_clear(diag(sh));
        any = search_team(sh, s, spec, &f->teams[i], reports) || any;
    }
    if (any) diag_clear(diag(sh));
    if (*sh->stop == STOP_NONE) *sh->stop = stopped;
    return any;
}

bool cmd_search(Shell *sh, Args *a)
{
    const char *folder = arg_flag(a, "generate") ? arg_flag(a, "o") : NULL;      /* where kernels are written; it is made */
    if (folder && sh->restricted) return shell_error(sh, E05, "-o is switched off by --restricted");
    if (folder && mkdir(folder, 0777) && errno != EEXIST)
        return shell_error(sh, E06, "cannot make the folder %s: %s", folder, strerror(errno));
    if (arg_flag(a, "replay") && a->count != 3) return arg_error(sh, a, "--replay is for a search with a strategy");
    Strategies *s = shell_strategies(sh);
    bool ours = !arg_flag(a, "simulate") && !(arg_flag(a, "from") && !arg_flag(a, "replay"));        /* about the current version */
    if (!s || (ours && !shell_version(sh))) return false;
    if (a->count && ours && !session_may_step(sh->session, shell_version(sh))) return false;
    json_t *given = read_spec(sh, a), *spec = given;
    if (given && arg_flag(a, "replay")) {
        /* What a recording is compared with: results of a version at other sizes are other ones. */
        ResultKey key = circumstances(sh, session_version(sh->session));
        json_object_set_new(given, "sizes", json_string(key.sizes));
        json_object_set_new(given, "inputs", json_string(key.inputs));
    }
    bool sweep = arg_flag(a, "sizes");   /* a search at each of them; then those of before come back */
    if (given && sweep && (a->count != 3 || arg_flag(a, "devices") || arg_flag(a, "replay"))) {
        arg_error(sh, a, "--sizes is for a search with a strategy, on one device");
        spec = NULL;
    } else if (given && sweep) {
        json_object_set_new(spec, "sweep", json_string(arg_flag(a, "sizes")));
        json_object_set_new(spec, "before", json_string(circumstances(sh, session_version(sh->session)).sizes));
    } else if (given && a->count == 0 && ours) spec = resumed(sh, given, a->command->form);
    if (spec != given) json_decref(given);
    const char *devices = spec && json_object_get(spec, "using") && !arg_flag(a, "replay")
        ? json_string_value(json_object_get(spec, "devices")) : NULL;
    if (arg_flag(a, "force") && sh->device) device_set_paused(sh->device, false);
    bool ok = false;
    if (spec && devices && !arg_flag(a, "simulate")) {
        Fleet *f = NEW(sh->scratch, Fleet);
        json_t *reports = json_array();
        ok = find_fleet(sh, devices, f)
            && (f->count == 1 ? search_team(sh, s, spec, &f->teams[0], reports) : search_fleet(sh, s, spec, f, reports));
        shell_report(sh, "{devices:o}", reports);
    } else if (spec) ok = run_command(sh, s, "command", spec, sh->json ? &sh->data : NULL);
    json_decref(spec);
    shell_results_check(sh);
    return ok;
}

static bool search_module(Shell *sh, Args *a, const char *module)
{
    const Version *v = shell_version(sh);
    Strategies *s = v ? shell_strategies(sh) : NULL;
    if (!s || !arg_limit(sh, a, 0) || !session_may_step(sh->session, v)) return false;
    json_auto_t *spec = read_spec(sh, a);
    if (arg_flag(a, "force") && sh->device) device_set_paused(sh->device, false);
    bool ok = spec && run_command(sh, s, module, spec, sh->json ? &sh->data : NULL);
    shell_results_check(sh);
    return ok;
}

bool cmd_tune(Shell *sh, Args *a) { return search_module(sh, a, "tuning"); }

bool cmd_fuse(Shell *sh, Args *a) { return search_module(sh, a, "fuse"); }

/* ---- what Lua gets of the shell for it (host.c) ---- */

void search_event(void *data, json_t *event)
{
    Shell *sh = data;
    if (sh->watch) sh->watch->trial(sh, event);
    if (sh->json && !sh->captured) json_print(sh, event);
    else json_decref(event);
}
