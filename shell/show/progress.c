/* progress: how far what takes long is: lines on a terminal that are written over, and gone when it ends. */
#include "show.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool shows_progress(const Shell *sh) { return sh->streams && isatty(STDERR_FILENO); }

void show_progress(Shell *sh, const char *text)
{
    if (!shows_progress(sh)) return;
    int width = show_width(sh);
    if (sh->progress_lines > 1) fprintf(stderr, "\033[%dA", sh->progress_lines - 1);
    fputs("\r\033[J", stderr);
    sh->progress_lines = 0;
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        fprintf(stderr, "%s%s", sh->progress_lines++ ? "\n" : "", show_cut(sh, arena_strndup(sh->scratch, text, n), width - 1));
    }
    fflush(stderr);
}
