/* table: the commands by name; what each does is bound to them in shell.c. */
#include "shell.h"

#include <string.h>

static const Command table[] = {
#define COMMAND(name, letter, group, form, args, flags, tail, help, more) \
    {#name, letter, group, form, args, flags, tail, help, more},
#include "commands.def"
#undef COMMAND
};

int command_count(void) { return COUNT(table); }
const Command *command_get(int i) { return &table[i]; }

static const Command *no_command(const char *name, const char *matches, Diag *diag)
{
    const char *near = NULL;
    int best = strlen(name) < 3 ? (int)strlen(name) : 3;
    if (!diag) return NULL;
    for (int i = 0; i < COUNT(table); i++) {
        int d = edit_distance(name, table[i].name);
        if (d < best) best = d, near = table[i].name;
    }
    if (*matches) diag_error(diag, E01, "\"%.60s\" is short for several commands:%s", name, matches);
    else if (near) diag_error(diag, E01, "no command \"%.60s\"; did you mean %s?", name, near);
    else diag_error(diag, E01, "no command \"%.60s\"", name);
    diag_note(diag, "try", "help");
    return NULL;
}

const Command *command_find(const char *name, Diag *diag)
{
    const Command *found = NULL;
    Buf matches = {0};
    size_t n = strlen(name);
    for (int i = 0; i < COUNT(table); i++) {
        if (!strcmp(table[i].name, name) || (n == 1 && table[i].letter == *name)) {
            buf_free(&matches);
            return &table[i];
        }
        if (n == 0 || strncmp(table[i].name, name, n)) continue;
        found = &table[i];
        buf_printf(&matches, " %s", table[i].name);
    }
    bool unique = matches.len && !strchr(matches.data + 1, ' ');
    if (!unique) found = no_command(name, buf_text(&matches), diag);
    buf_free(&matches);
    return found;
}
