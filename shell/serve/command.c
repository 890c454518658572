/* command: `serve`: what is to be seen of the session, made again when it has changed, and given to the server.
 *
 * All is made by the thread of the session, where it waits for a command or has carried one out, as texts that do not change; the
 * server's thread hands them out. A version's section is made when it becomes current or is picked, and kept until
 * something that it says may be another. */
#include "commands.h"
#include "export.h"
#include "server.h"
#include "show.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* BUSY_MS: so often it is shown what a script does, and it spends at most a 20th of its time on it */
enum { KEPT = 400, BUSY_MS = 500, SHARE = 20, LINE_MAX = 160 };

typedef struct Section { int number; uint64_t key; int64_t used; char *text; } Section;

typedef struct Trials { char *device; VEC(double) ns; } Trials;      /* of one search on a device; ns 0: no time */

typedef struct Live {
    Server *server;
    bool changed;                        /* since something was published */
    int64_t shown, count;                /* when that was; how many there were */
    double cost;                         /* what it took, in ms */
    uint64_t all, tree_key, section_key; /* what everything, the tree and the current section were made from */
    int current;                         /* number of the version shown; -1: no program */
    char *title;                         /* malloc */
    char *tree, *plot;                   /* malloc */
    const char *section;                 /* of sections, or fixed; NULL: there is none */
    VEC(Section) sections;
    VEC(char *) gone;                    /* texts that may still be handed out, until others are published */
    VEC(Trials) trials;
    int trials_of;                       /* Shell.seq of the search */
    int64_t trial_count;
    bool trials_new;
    char progress[LINE_MAX];
} Live;

static Live *live(const Shell *sh) { return sh->watched; }

/* ---- what a page is made from ---- */

static uint64_t text_hash(uint64_t h, const char *text) { return text ? hash_bytes(h, text, strlen(text) + 1) : hash_mix(h, 0); }

static uint64_t section_key(uint64_t all, const Version *v)
{
    uint64_t h = hash_mix(hash_mix(all, (uint64_t)v->number), v->hash);
    h = hash_mix(hash_mix(h, (uint64_t)(v->parent + 1)), v->from ? v->from->hash : 0);
    return hash_mix(text_hash(text_hash(text_hash(h, v->call), v->tag), v->note), (uint64_t)v->trust);
}

static uint64_t tree_key(uint64_t all, const Derivation *d)
{
    uint64_t h = hash_mix(hash_mix(all, (uint64_t)d->current), (uint64_t)d->live);
    for (const Version *v = NULL; (v = derivation_next(d, v));) h = hash_mix(section_key(h, v), (uint64_t)(v->visited_child + 1));
    return h;
}

/* ---- sections ---- */

static Section *section_of(Live *l, int number)
{
    return FIRST(i, l->sections.v, l->sections.n, l->sections.v[i].number == number);
}

/* The tree, where it may be another, and the sections that are missing of the current version and the one that is wanted. */
static void make_parts(Shell *sh, const Version *wanted)
{
    enum { MOST = 2 };
    Live *l = live(sh);
    const Derivation *d = session_current(sh->session);
    const Version *asked[MOST] = {session_version(sh->session), wanted}, *missing[MOST];
    Buf tree = {0}, made[MOST] = {0};
    int n = 0;
    /* All that sections say beside what is in their versions: sizes, inputs, settings, device, rules, results. */
    uint64_t h = text_hash(text_hash(1, d->name), d->program->text);
    Values values;
    LOCAL(buf_free) Buf b = {0};
    session_given_values(sh->session, session_version(sh->session), sh->scratch, &values);
    values_print(&values, &b);
    h = text_hash(h, buf_text(&b));
    for (int i = 0; i < SETTING_COUNT; i++) h = text_hash(h, session_setting(sh->session, (SettingId)i));
    const DeviceInfo *device = sh->device ? device_info(sh->device) : NULL;
    h = text_hash(text_hash(h, device ? device->id : NULL), sh->device_wanted);
    const Rules *rules = session_rules(sh->session);
    const Rule *r;
    for (int i = 0; (r = rules_user(rules, i)); i++) h = hash_mix(h, (uint64_t)r->trust);
    h = hash_mix(h, (uint64_t)rules_count(rules));
    l->all = hash_mix(h, (uint64_t)results_newest(shell_results(sh)));
    uint64_t key = tree_key(l->all, d);
    for (int i = 0; i < MOST; i++) {
        Section *s = asked[i] ? section_of(l, asked[i]->number) : NULL;
        if (s) s->used = l->count;
        if (asked[i] && !(s && s->key == section_key(l->all, asked[i])) && !(n && missing[0] == asked[i])) missing[n++] = asked[i];
    }
    if ((n || key != l->tree_key) && export_html_parts(sh, &tree, missing, n, made) && !*sh->stop) {
        for (int i = 0; i < n; i++) {
            /* The one not used for longest goes where there are too many. */
            const Section *new = &(Section){missing[i]->number, section_key(l->all, missing[i]), l->count,
                                            mem_strdup(buf_text(&made[i]))};
            Section *at = section_of(l, new->number);
            if (!at && l->sections.n == KEPT) {
                at = l->sections.v;
                for (int j = 1; j < l->sections.n; j++)
                    if (l->sections.v[j].used < at->used) at = &l->sections.v[j];
            }
            if (at) vec_push(&l->gone, at->text);
            else vec_push(&l->sections, *new);
            if (at) *at = *new;
        }
        vec_push(&l->gone, l->tree);
        l->tree = mem_strdup(buf_text(&tree));
        l->tree_key = key;
    }
    buf_free(&tree);
    for (int i = 0; i < n; i++) buf_free(&made[i]);
    Section *s = section_of(l, asked[0]->number);
    l->section = s ? s->text : NULL;
    l->section_key = s ? s->key : 0;
    l->current = asked[0]->number;
    free(l->title);
    l->title = mem_strdup(d->name);
}

static void forget_trials(Live *l)
{
    for (int i = 0; i < l->trials.n; i++) {
        free(l->trials.v[i].device);
        free(l->trials.v[i].ns.v);
    }
    l->trials.n = 0;
}

/* ---- publishing ---- */

static void publish(Shell *sh)
{
    static const char html[] = "text/html; charset=utf-8", json[] = "application/json", css[] = "text/css; charset=utf-8",
                      js[] = "text/javascript; charset=utf-8";
    static const char head[] =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>lathe</title>\n"
        "<link rel=\"stylesheet\" href=\"page.css\">\n<link rel=\"stylesheet\" href=\"live.css\">\n</head>\n";
    static const char nav[] = "\n<nav>\n<h1>lathe</h1>\n<div class=\"tree\">\n";
    static const char middle[] =
        "</div>\n<p id=\"keys\"><kbd>f</kbd> follow the session, <kbd>t</kbd> tree, <kbd>o</kbd> fold, <kbd>Tab</kbd> "
        "rules</p>\n</nav>\n<main>\n"
        "<p id=\"bar\"><span id=\"gone\" hidden>the session has ended</span><button id=\"follow\" hidden>follow the "
        "session</button>"
        "<span id=\"note\"></span><span id=\"progress\"></span></p>\n<div id=\"plots\"></div>\n<div id=\"shown\">\n";
    static const char foot[] =
        "</div>\n</main>\n<div id=\"card\" class=\"card\" role=\"tooltip\" hidden></div>\n"
        "<script src=\"cards.js\"></script>\n<script src=\"live.js\"></script>\n</body>\n</html>\n";
    Live *l = live(sh);
    if (l->trials_new || !l->plot) {
        json_auto_t *all = json_array();
        for (int i = 0; i < l->trials.n; i++) {
            const Trials *t = &l->trials.v[i];
            json_t *ns = JSON_LIST(k, t->ns.n, json_real(t->ns.v[k]));
            json_add(all, "{device:s ns:o}", t->device, ns);
        }
        vec_push(&l->gone, l->plot);
        l->plot = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(6));
        l->trials_new = false;
    }
    json_auto_t *o = json_of("{title:s lecture:b current:s tree:s section:s all:s plot:s progress:s}", l->title, shell_lecture(sh),
                        l->current < 0 ? "none" : arena_printf(sh->scratch, "v%d", l->current), hash_text(sh, l->tree_key),
                        hash_text(sh, l->section_key), hash_text(sh, l->all), arena_printf(sh->scratch, "%lld", (long long)l->trial_count),
                        l->progress);
    char *state = json_dumps(o, JSON_COMPACT);
    const char *body = shell_lecture(sh) ? "<body class=\"lecture\">" : "<body>", *tree = l->tree ? l->tree : "";
    const Served plain[] = {
        {"", html, {head, body, nav, tree, middle, l->section ? l->section : foot, l->section ? foot : NULL}},
        {"state", json, {state ? state : "{}"}}, {"tree", html, {tree}}, {"plot", json, {l->plot}}, {"page.css", css, {page_text("parts.css"), page_text("page.css")}},
        {"live.css", css, {page_text("live.css")}}, {"cards.js", js, {page_text("cards.js")}}, {"live.js", js, {page_text("live.js")}},
    };
    LOCAL(drop) VEC(Served) all = {0};
    for (int i = 0; i < COUNT(plain); i++) vec_push(&all, plain[i]);
    if (l->current < 0 && l->section) vec_push(&all, ((Served){"none", html, {l->section}}));
    const Derivation *d = session_current(sh->session);
    for (int i = 0; i < l->sections.n && d; i++) {
        const Section *section = &l->sections.v[i];
        const Version *v = derivation_version(d, section->number);
        Served one = {.type = html, .pieces = {section->text}};
        snprintf(one.name, sizeof one.name, "v%d", section->number);
        if (v && section->key == section_key(l->all, v)) vec_push(&all, one);
    }
    server_publish(l->server, all.v, all.n);
    for (int i = 0; i < l->gone.n; i++) free(l->gone.v[i]);
    l->gone.n = 0;
    vec_push(&l->gone, state);
}

/* What the session is now. Nothing of the command that has ended is touched: neither what it printed nor its error. */
static void show_session(Shell *sh, const char *name)
{
    Live *l = live(sh);
    CommandState before = sh->running;
    double begin = clock_exact_ms();
    diag_clear(diag(sh));
    sh->running = (CommandState){.scratch = arena_new()};
    int number = *name == 'v' ? atoi(name + 1) : -1;
    l->count++;
    if (session_version(sh->session)) make_parts(sh, number < 0 ? NULL : derivation_version(session_current(sh->session), number));
    else if (l->current >= 0) {
        vec_push(&l->gone, l->tree);
        l->tree = NULL;
        l->section = "<section id=\"none\"><p>No program is loaded.</p></section>\n";
        l->tree_key = l->section_key = l->all = 0;
        l->current = -1;
        free(l->title);
        l->title = mem_strdup("lathe");
    }
    publish(sh);
    diag_clear(diag(sh));
    arena_free(sh->scratch);
    buf_free(&sh->out);
    free(sh->warnings.v);
    sh->running = before;
    l->changed = false;
    l->shown = clock_ms();
    l->cost = clock_exact_ms() - begin;
}

/* ---- when ---- */

static void after(Shell *sh)
{
    Live *l = live(sh);
    l->changed = true;
    *l->progress = 0;
    if (sh->depth == 0 || sh->captured || *sh->stop || !server_is_watched(l->server)) return;
    double passed = (double)(clock_ms() - l->shown);
    if (passed > BUSY_MS && passed > SHARE * l->cost) show_session(sh, "");
}

static void waiting(Shell *sh)
{
    Live *l = live(sh);
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    if (!l->changed || *sh->stop || (poll(&p, 1, 0) > 0 && p.revents & POLLIN)) return;      /* there is more to read */
    if (!sh->interactive || server_is_watched(l->server)) show_session(sh, "");
    else server_stale(l->server);
}

static void called(Shell *sh)
{
    char name[WANTED_MAX];
    Live *l = live(sh);
    bool wanted = server_heard(l->server, name);
    if (wanted || l->changed) show_session(sh, name);
}

/* While a command runs the session is left alone: only what is known of its search is shown, to who comes in the middle too. */
static void show_search(Shell *sh)
{
    enum { SEARCH_MS = 300 };
    Live *l = live(sh);
    if (clock_ms() - l->shown < SEARCH_MS) return;
    Arena *scratch = sh->scratch;
    sh->scratch = arena_new();
    publish(sh);
    arena_free(sh->scratch);
    sh->scratch = scratch;
    l->shown = clock_ms();
}

static void progress(Shell *sh, const char *text)
{
    Live *l = live(sh);
    const char *last = strrchr(text, '\n');
    if (!*text) return;
    snprintf(l->progress, LINE_MAX, "%s", last ? last + 1 : text);
    show_search(sh);
}

static void trial(Shell *sh, const json_t *event)
{
    Live *l = live(sh);
    const char *device = json_string_value(json_object_get(event, "device"));
    const json_t *state = json_object_get(event, "state"), *ns = json_object_get(event, "ns");
    if (!device || !json_is_string(state)) return;
    if (sh->seq != l->trials_of) forget_trials(l);
    l->trials_of = sh->seq;
    if (!l->trials.n || strcmp(l->trials.v[l->trials.n - 1].device, device))
        vec_push(&l->trials, ((Trials){.device = mem_strdup(device)}));
    vec_push(&l->trials.v[l->trials.n - 1].ns, !strcmp(json_string_value(state), "ok") ? json_number_value(ns) : 0);
    l->trial_count++;
    l->trials_new = true;
    if (!show_times(sh)) show_search(sh);        /* else how far it is follows */
}

static void end(Shell *sh)
{
    Live *l = live(sh);
    server_stop(l->server);
    for (int i = 0; i < l->sections.n; i++) free(l->sections.v[i].text);
    for (int i = 0; i < l->gone.n; i++) free(l->gone.v[i]);
    free(l->gone.v);
    free(l->tree);
    free(l->plot);
    forget_trials(l);
    free(l->sections.v);
    free(l->trials.v);
    free(l->title);
    free(l);
    sh->watched = NULL;
    sh->watch = NULL;
    sh->watch_calls = -1;
}

static void leave(Shell *sh)
{
    server_forget(live(sh)->server);
    sh->watch = NULL;
}

static const Observer watch = {after, waiting, called, progress, trial, leave, end};

/* ---- serve ---- */

static bool begin(Shell *sh, int port)
{
    Server *server = server_start(port, diag(sh));
    if (!server) return false;
    Live *l = mem_alloc(sizeof *l);
    l->server = server;
    l->title = mem_strdup("lathe");
    sh->watched = l;
    sh->watch = &watch;
    sh->watch_calls = server_calls(server);
    shell_results(sh);                   /* what it warns of is this command's */
    show_session(sh, "");
    return true;
}

bool cmd_serve(Shell *sh, Args *a)
{
    int64_t port = 0;
    const char *word = arg(a, 0);
    bool off = word && !strcmp(word, "off");
    if (!arg_limit(sh, a, 1) || (word && !off && !arg_int(sh, "the port", word, 1, 65535, &port))) return false;
    if (sh->restricted) return shell_error(sh, E05, "serve is switched off by --restricted");
    bool other = sh->watch && port && port != server_port(live(sh)->server);
    if (sh->watch && (off || other)) end(sh);
    if (!off && !sh->watch && !begin(sh, (int)port)) return false;
    const char *url = sh->watch ? server_url(live(sh)->server) : NULL;
    if (url) {
        print(sh, "  serving %s\n", url);
        show_wrapped(sh, "  ", "  ", "for browsers of this machine; `serve off` or the end ends it");
    } else print(sh, "nothing is served\n");
    return shell_report(sh, "{url:s?}", url);
}
