/* Command lines, one after the other in one session: none may bring it down. Devices and files are left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shell.h"

static volatile int stop;

static bool is_left_out(const char *line)
{
    return strstr(line, "run") || strstr(line, "device") || strstr(line, "source") || strstr(line, "load") || *line == 'r';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static bool quiet;
    if (!quiet) quiet = freopen("/dev/null", "w", stdout) != NULL;
    Shell *sh = shell_new(&stop);
    char *text = strndup((const char *)data, n);
    int code;
    sh->restricted = true;
    sh->json = n % 2;
    shell_line(sh, "let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 (map (*) (zip xs ys))", &code);
    for (char *line = strtok(text, "\n"); line && !sh->quit; line = strtok(NULL, "\n"))
        if (!is_left_out(line)) shell_line(sh, line, &code);
    free(text);
    shell_free(sh);
    return 0;
}
