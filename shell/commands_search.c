/* commands_search: `search`: what was typed as a specification for strategies/search; progress and events on the way. */
#include "shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Diag *diag(Shell *sh) { return &sh->c->diag; }

static const char *const copied[] = {"budget", "o", "devices", "set"};
static const char *const switches[] = {"again", "all", "simulate", "generate"};

static bool wrong_form(Shell *sh, const Args *a, const char *what)
{
    diag_error(diag(sh), E05, "%s", what);
    diag_note(diag(sh), "form", "%s", a->command->form);
    return false;
}

/* "params using random" */
static bool read_words(Shell *sh, const Args *a, json_t *spec)
{
    if (a->count == 0) return true;
    if (strcmp(arg(a, 0), "params") && strcmp(arg(a, 0), "rules")) return wrong_form(sh, a, "search params, or search rules?");
    json_object_set_new(spec, "what", json_string(arg(a, 0)));
    if (a->count == 1) return true;
    if (strcmp(arg(a, 1), "using") || a->count > 3) return wrong_form(sh, a, "`using` and a strategy are expected there");
    if (a->count == 2) return wrong_form(sh, a, "using which strategy? `list strategies`");
    json_object_set_new(spec, "using", json_string(arg(a, 2)));
    return true;
}

static bool read_numbers(Shell *sh, const Args *a, json_t *spec)
{
    static const char *const names[] = {"keep", "seeds"};
    for (int i = 0; i < COUNT(names); i++) {
        int64_t n;
        if (!arg_flag(a, names[i])) continue;
        if (!arg_int(sh, names[i], arg_flag(a, names[i]), 1, 1000000, &n)) return false;
        json_object_set_new(spec, names[i], json_integer(n));
    }
    return true;
}

/* The recording that a simulation goes by. */
static bool read_recording(Shell *sh, const Args *a, json_t *spec)
{
    char piece[8192];
    const char *file = arg_flag(a, "from");
    Buf text = {0};
    if (!file) return true;
    FILE *f = fopen(file, "rb");
    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;) buf_write(&text, piece, n);
    bool ok = f && !ferror(f);
    if (!ok) diag_error(diag(sh), E06, "cannot read %s: %s", file, strerror(errno));
    if (f) fclose(f);
    if (ok) json_object_set_new(spec, "text", json_stringn(buf_text(&text), text.len));
    ok = ok && json_object_get(spec, "text");
    if (!ok && !diag_failed(diag(sh))) diag_error(diag(sh), E03, "%s is no UTF-8 text", file);
    buf_free(&text);
    return ok;
}

static json_t *read_spec(Shell *sh, const Args *a)
{
    json_t *spec = json_object();
    for (int i = 0; i < COUNT(copied); i++)
        if (arg_flag(a, copied[i])) json_object_set_new(spec, copied[i], json_string(arg_flag(a, copied[i])));
    for (int i = 0; i < COUNT(switches); i++)
        if (arg_flag(a, switches[i])) json_object_set_new(spec, switches[i], json_true());
    json_object_set_new(spec, "seed", json_integer(session_setting_int(sh->session, SET_SEED)));
    json_object_set_new(spec, "label", json_string(a->text));
    if (session_setting_int(sh->session, SET_VERBOSE) == 2) json_object_set_new(spec, "all", json_true());
    if (sh->quiet) json_object_set_new(spec, "quiet", json_true());
    if (read_words(sh, a, spec) && read_numbers(sh, a, spec) && read_recording(sh, a, spec)) return spec;
    json_decref(spec);
    return NULL;
}

bool cmd_search(Shell *sh, Args *a)
{
    Strategies *s = shell_strategies(sh);
    if (!s || (!arg_flag(a, "simulate") && !shell_version(sh))) return false;
    json_t *spec = read_spec(sh, a), *report = NULL;
    bool ok = spec && strategies_search(s, "search_command", spec, &sh->out, &report);
    json_decref(spec);
    if (sh->json) sh->data = report;
    else json_decref(report);
    return ok;
}

/* ---- what Lua gets of the shell for it (host.c) ---- */

void search_progress(void *data, const char *text)
{
    Shell *sh = data;
    if (!sh->streams || !isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r%s\033[K", *text ? show_cut(sh, text, (int)session_setting_int(sh->session, SET_WIDTH) - 1) : "");
    fflush(stderr);
}

void search_event(void *data, json_t *event)
{
    Shell *sh = data;
    char *text = sh->json && !sh->captured ? json_dumps(event, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
    if (text) puts(text);
    if (text) fflush(stdout);
    free(text);
    json_decref(event);
}
