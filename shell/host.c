/* host: a new Shell, and what it does for Lua (strategy.h, StrategyHost). */
#include "lesson.h"
#include "cmdline.h"
#include "commands.h"
#include "guide.h"

#include <langinfo.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* An argument as it is typed: quoted unless it is one word by itself. */
static void put_word(Shell *sh, const char *text, Buf *out)
{
    int *starts, *ends;
    int n = line_words(sh->scratch, text, &starts, &ends);
    if (n == 1 && starts[0] == 0 && ends[0] == (int)strlen(text)) buf_puts(out, text);
    else buf_quoted(out, text);
}

static bool run_command(void *data, const char *verb, const StrategyWord *words, int count, Buf *out, json_t **report)
{
    Shell *sh = data;
    Buf line = {0};
    diag_clear(diag(sh));
    const Command *c = command_find(sh, verb, diag(sh));
    if (!c) return false;
    /* The line behind the verb. Strategies and raw text stay as they are; flags go in front of them. */
    for (int flags = 1; flags >= 0; flags--)
        for (const StrategyWord *w = words; w < words + count; w++) {
            if ((w->flag != NULL) != flags) continue;
            bool dashed = w->flag && strlen(w->flag) > 1;
            if (line.len) buf_putc(&line, ' ');
            if (w->flag) buf_printf(&line, dashed ? "--%s" : "-%s", w->flag);
            /* quotes count around whole words */
            if (w->flag && *w->text) buf_putc(&line, dashed && !strpbrk(w->text, " \t\n\"'") ? '=' : ' ');
            if (w->flag ? *w->text != 0 : c->tail == TAIL_WORDS) put_word(sh, w->text, &line);
            else buf_puts(&line, w->text);
        }
    const char *rest = buf_take(&line, sh->scratch);
    Piece p = {.command = c, .verb = c->name, .rest = rest, .text = arena_printf(sh->scratch, "%s %s", c->name, rest)};
    return shell_call(sh, &p, out, report);
}

static const char *verb(int i) { return i < command_count() ? command_get(i)->name : NULL; }

static bool allowed(void *data, const char *name, bool rule) { return guide_allows(data, rule ? NAMED_RULE : NAMED_MACRO, name); }

static const char *file(void *data, const char *name) { return shell_path(data, name); }

static bool place(void *data, const Version *v, const char *text, Path *out)
{
    Shell *sh = data;
    if (v == session_version(sh->session)) return shell_place(sh, text, out);
    Path focus = place_path(v->focus);
    *out = focus;
    return !text || shell_place_in(sh, v, &focus, text, out);
}

static bool accept(void *data, const Version *from, const StrategyResult *r, bool lowering)
{
    return trust_allows(data, r) && (!lowering || r->new_param_count || shell_plannable(data, from, r->root));
}

static const DeviceInfo *target(void *data) { return shell_chosen_device(data); }

static Device *device(void *data) { return shell_device(data); }

static Device *const *devices(void *data, int *count)
{
    const Shell *sh = data;
    *count = sh->team_count;
    return sh->team;
}

static Results *results(void *data) { return shell_results(data); }

Shell *shell_new(volatile int *stop)
{
    Shell *sh = mem_alloc(sizeof *sh);
    sh->session = session_new();
    sh->c = session_ctx(sh->session);
    sh->stop = stop;
    sh->objects = stdout;
    sh->c->stop = stop;
    sh->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    sh->terminal = isatty(STDOUT_FILENO);
    unsigned secret = 0;
    if (getrandom(&secret, sizeof secret, GRND_NONBLOCK) < 0) secret = (unsigned)getpid();
    snprintf(sh->ink, sizeof sh->ink, "%u;", secret);
    sh->moves.arena = arena_new();
    sh->labels.arena = arena_new();
    sh->watch_calls = -1;
    sh->guide = &lesson_guide;
    sh->run_text = shell_text;
    sh->host = (StrategyHost){sh, run_command, verb, shell_printed, place, accept, lower_hints, .target = target, .device = device,
                              .devices = devices, .results = results, .progress = search_progress, .event = search_event,
                              .begun = search_begun, .allowed = allowed, .file = file};
    return sh;
}
