/* device_say: how builds and runs that failed are explained; when a device is paused. */
#include "device_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what to say ---- */

/* The next non-blank line of *text without its indentation, at most 200 bytes of it. NULL: no more. */
static const char *next_line(const char **text, int *len)
{
    while (**text) {
        const char *line = *text;
        size_t n = strcspn(line, "\n");
        *text = line + n + (line[n] == '\n');
        size_t indent = strspn(line, " \t\r");
        if (indent >= n) continue;
        line += indent;
        n -= indent;
        *len = n > 200 ? 200 : (int)n;
        return line;
    }
    return NULL;
}

static void note_lines(Diag *diag, const char *text, int most)
{
    int len;
    const char *label = "log", *line;
    while (most-- > 0 && (line = next_line(&text, &len)) != NULL) {
        diag_note(diag, label, "%.*s", len, line);
        label = "";
    }
}

static void note_rest(Diag *diag, const char *text, int most)
{
    int len;
    next_line(&text, &len);
    note_lines(diag, text, most);
}

static const char *first_line(const Outcome *o, int *len)
{
    const char *text = buf_text(&o->log), *line = next_line(&text, len);
    if (!line) *len = 0;
    return line ? line : "";
}

static void explain_plain(ErrorId id, const char *what, const Outcome *o, int most, Diag *diag)
{
    int len;
    const char *line = first_line(o, &len);
    if (diag_error(diag, id, "%s%s%.*s", what, *what && len ? ": " : "", len, line)) note_rest(diag, buf_text(&o->log), most);
}

void outcome_explain(const Device *d, const Outcome *o, const char *subject, Diag *diag)
{
    const char *text = buf_text(&o->log), *doing = o->is_building ? "building" : "running",
               *limit = o->is_building ? "build_timeout" : "run_timeout";
    int len;
    Buf lost = {0};
    switch (o->status) {
    case RUN_OK: break;
    case RUN_BUILD_FAILED: {             /* the line of the log that names the first error, or else its first */
        const char *line;
        while ((line = next_line(&text, &len)) != NULL && !memmem(line, (size_t)len, "error", 5)) continue;
        if (!line) line = first_line(o, &len);
        if (diag_error(diag, E61, "%s does not build: %.*s", subject, len, line)) note_lines(diag, buf_text(&o->log), 8);
        break;
    }
    case RUN_BAD_LAUNCH: explain_plain(E65, "", o, 4, diag); break;
    case RUN_FAILED: explain_plain(E62, "", o, 4, diag); break;
    case RUN_FINDING: explain_plain(E64, subject, o, 9, diag); break;
    case RUN_LOST:
        buf_printf(&lost, "device %s failed with %s", d->info.id, subject);
        explain_plain(E62, buf_text(&lost), o, 4, diag);
        buf_free(&lost);
        break;
    case RUN_TIMED_OUT:
        if (!diag_error(diag, E62, "%s%s timed out after %.1f s (limit: %s)", subject, o->is_building ? " (being built)" : "",
                        o->limit_ms / 1000.0, limit)) break;
        diag_note(diag, "worker", "killed; the next run starts a new one");
        diag_note(diag, "next", "set %s %d", limit, (o->limit_ms * 4 + 999) / 1000);
        break;
    case RUN_DIED:
        if (o->signal == SIGINT) {
            diag_error(diag, E62, "interrupted; the worker was killed while %s %s", doing, subject);
            break;
        }
        text = first_line(o, &len);
        if (!diag_error(diag, E62, "%.*s while %s %s", len, text, doing, subject)) break;
        note_rest(diag, buf_text(&o->log), 4);
        /* Which worker the next run gets. The death has been counted. */
        if (!device_paused(d, NULL)) diag_note(diag, "worker", "the next run starts a new one");
        else diag_note(diag, "worker", "died %d times in a row: %s is paused until `device %s`", d->deaths, d->info.id, d->info.id);
        if (!d->info.is_checker && !o->is_building)
            diag_note(diag, "next", "device oclgrind ; run        at small sizes: it says what a kernel does wrong");
        break;
    }
}

void kernels_name(char *const *names, int n, Buf *out)
{
    buf_puts(out, n == 1 ? "kernel " : "kernels ");
    for (int i = 0; i < n && i < 3; i++) buf_printf(out, "%s%s", i ? ", " : "", names[i]);
    if (n > 3) buf_puts(out, " ...");
}

char *outcome_conclude(Device *d, Outcome *o, bool ran, Buf *subject, Diag *diag)
{
    bool interrupted = o->status == RUN_DIED && o->signal == SIGINT;
    if (o->status == RUN_LOST || (o->status == RUN_DIED && !interrupted)) d->deaths++;
    else if (ran && o->status != RUN_TIMED_OUT && !interrupted) d->deaths = 0;
    outcome_explain(d, o, buf_text(subject), diag);
    buf_free(subject);
    char *text = o->log.data ? o->log.data : device_text("");
    o->log = (Buf){0};
    return text;
}

bool device_paused(const Device *d, Diag *diag)
{
    if (d->deaths < DEVICE_DEATHS) return false;
    if (diag && diag_error(diag, E62, "%s is paused: its worker died %d times in a row", d->info.id, DEVICE_DEATHS)) {
        diag_note(diag, "try", "device %s        takes it up again; search then goes on behind them", d->info.id);
        if (!d->info.is_checker)
            diag_note(diag, "or", "device oclgrind        says what a kernel does wrong, at small sizes");
    }
    return true;
}

void device_set_paused(Device *d, bool paused) { d->deaths = paused ? DEVICE_DEATHS : 0; }
