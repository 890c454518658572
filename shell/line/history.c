/* history: the lines typed, kept in $XDG_STATE_HOME/lathe/history as they are typed. */
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

enum { HISTORY_LINES = 10000 };

/* One process has one history; Readline's own is a global too. */
static struct { char *file; bool complain; } kept;       /* file NULL: there is no place for it */

/* An earlier entry of the same text goes: each line is there once, where it was last typed. */
static void add_once(const char *line)
{
    for (int i = history_length - 1; i >= 0; i--) {
        HIST_ENTRY *e = history_get(history_base + i);
        if (!e || strcmp(e->line, line)) continue;
        free_history_entry(remove_history(i));
        break;
    }
    add_history(line);
}

static void complain(void)
{
    if (kept.complain) fprintf(stderr, "lathe: the history of this session cannot be kept%s%s\n",
                               kept.file ? ": " : ": HOME is not set", kept.file ? kept.file : "");
    kept.complain = false;
}

void history_open(const Shell *sh)
{
    using_history();
    stifle_history(HISTORY_LINES);
    kept.file = shell_state_path("history", true);
    kept.complain = !sh->quiet;
    FILE *f = kept.file ? fopen(kept.file, "r") : NULL;
    if (f) {
        LOCAL(drop) char *line = NULL;
        size_t cap = 0;
        int lines = 0;
        for (ssize_t n; (n = getline(&line, &cap, f)) >= 0; lines++) {
            if (n && line[n - 1] == '\n') line[n - 1] = 0;
            if (*line) add_once(line);
        }
        if (lines > history_length) {
            /* Rewrite the file without what is double or too old, whole or not at all. */
            LOCAL(buf_free) Buf name = {0};
            buf_printf(&name, "%s.%ld", kept.file, (long)getpid());
            if (write_history(name.data) || rename(name.data, kept.file)) unlink(name.data);
        }
    }
    if (f) fclose(f);
}

void history_add(const char *line, bool first)
{
    if (!*line || (first && *line == ' ')) return;
    add_once(line);
    FILE *f = kept.file ? fopen(kept.file, "a") : NULL;
    if (f) chmod(kept.file, 0600);
    bool ok = f && fprintf(f, "%s\n", line) > 0;
    if (f) ok = fclose(f) == 0 && ok;
    if (!ok) complain();
}

void history_block(const char *text)
{
    LOCAL(drop) char *block = strdup(text);
    size_t n = strlen(text);
    while (n && block[n - 1] == '\n') block[--n] = 0;
    if (strchr(block, '\n')) add_once(block);
}

void history_close(void)
{
    free(kept.file);
    kept.file = NULL;
}
