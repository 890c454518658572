/* device_say: how builds and runs that failed are explained; when a device is paused. */
#include "device_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- what to say ---- */

/* The k-th non-blank line of a text without its indentation, at most 200 bytes of it. NULL: it has not so many. */
static const char *log_line(const char *text, int k, int *len)
{
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        size_t indent = strspn(text, " \t\r");
        if (indent >= n || k-- > 0) continue;
        *len = n - indent > 200 ? 200 : (int)(n - indent);
        return text + indent;
    }
    *len = 0;
    return NULL;
}

/* At most so many of its lines from the k-th on. */
static void note_lines(Diag *diag, const char *text, int k, int most)
{
    int len;
    const char *line;
    for (int i = 0; i < most && (line = log_line(text, k + i, &len)); i++) diag_note(diag, i ? "" : "log", "%.*s", len, line);
}

static void explain_plain(ErrorId id, const char *what, const Outcome *o, int most, Diag *diag)
{
    int len;
    const char *text = buf_text(&o->log), *line = log_line(text, 0, &len);
    if (diag_error(diag, id, "%s%s%.*s", what, *what && len ? ": " : "", len, line ? line : "")) note_lines(diag, text, 1, most);
}

void outcome_explain(const Device *d, const Outcome *o, const char *subject, Diag *diag)
{
    const char *text = buf_text(&o->log), *doing = o->is_building ? "building" : "running",
               *limit = o->is_building ? "build_timeout" : "run_timeout";
    enum { LINES = 1000 };               /* of a log, that are looked through */
    int len, k = 0;
    const char *line;
    Buf lost = {0};
    switch (o->status) {
    case RUN_OK: break;
    case RUN_BUILD_FAILED:               /* the line of the log that names the first error, or else its first */
        while (k < LINES && (line = log_line(text, k, &len)) && !memmem(line, (size_t)len, "error", 5)) k++;
        if (k == LINES || !line) line = log_line(text, 0, &len);
        if (diag_error(diag, E61, "%s does not build: %.*s", subject, len, line ? line : "")) note_lines(diag, text, 0, 8);
        break;
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
        line = log_line(text, 0, &len);
        if (!diag_error(diag, E62, "%.*s while %s %s", len, line ? line : "", doing, subject)) break;
        note_lines(diag, text, 1, 4);
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
