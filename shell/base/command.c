/* command: the commands by name; what each does is bound to them in shell.c. */
#include "guide.h"

#include <string.h>

static const Command table[] = {
#define COMMAND(name, letter, group, form, args, flags, tail, help, more) \
    {#name, letter, group, form, args, flags, tail, help, more},
#include "commands.def"
#undef COMMAND
};

int command_count(void) { return COUNT(table); }
const Command *command_get(int i) { return &table[i]; }

static bool is_there(const Shell *sh, const Command *c) { return !sh || guide_allows(sh, NAMED_COMMAND, c->name); }

static const Command *no_command(const Shell *sh, const char *name, const char *matches, Diag *diag)
{
    const char *near = NULL;
    int best = strlen(name) < 3 ? (int)strlen(name) : 3;
    bool sign = *name && strchr("@/:$.'", *name);                 /* of a version or a place */
    if (!diag) return NULL;
    for (int i = 0; i < COUNT(table) && !sign; i++) {
        int d = edit_distance(name, table[i].name);
        if (d < best && is_there(sh, &table[i])) best = d, near = table[i].name;
    }
    if (*matches) diag_error(diag, E01, "\"%.60s\" is short for several commands:%s", name, matches);
    else if (near) diag_error(diag, E01, "no command \"%.60s\"; did you mean %s?", name, near);
    else diag_error(diag, E01, "no command \"%.60s\"", name);
    if (sign) diag_note(diag, "try", "%s %.60s", *name == '@' ? "goto" : "cd", name);
    else if (sh && rules_find(session_rules(sh->session), name)) diag_note(diag, "try", "apply %.60s", name);
    else diag_note(diag, "try", "help");
    return NULL;
}

/* The first command that begins so, and how many do; their names are appended to matches. */
static const Command *by_prefix(const Shell *sh, const char *name, Buf *matches, int *count)
{
    const Command *found = NULL;
    size_t n = strlen(name);
    *count = 0;
    for (int i = 0; i < COUNT(table) && n > 0; i++) {
        if (strncmp(table[i].name, name, n) || !is_there(sh, &table[i])) continue;
        if (!found) found = &table[i];
        buf_printf(matches, " %s", table[i].name);
        ++*count;
    }
    return found;
}

/* What people type who come from other shells; what a lesson is told without its command's name (as_meant). */
static const char *meant(const char *name)
{
    static const struct { const char *typed, *command; } known[] = {
        {"?", "help"}, {"exit", "quit"}, {"ls", "info"}, {"hint", "lesson"}, {"next", "lesson"}, {"skip", "lesson"},
    };
    for (int i = 0; i < COUNT(known); i++)
        if (!strcmp(known[i].typed, name)) return known[i].command;
    return name;
}

const Command *command_find(const Shell *sh, const char *name, Diag *diag)
{
    int n;
    Buf matches = {0};
    name = meant(name);
    for (int i = 0; i < COUNT(table); i++)
        if (!strcmp(table[i].name, name) || (strlen(name) == 1 && table[i].letter == *name)) return &table[i];
    const Command *found = by_prefix(sh, name, &matches, &n);
    if (!found) found = by_prefix(NULL, name, &matches, &n);
    if (n != 1) found = no_command(sh, name, buf_text(&matches), diag);
    buf_free(&matches);
    return found;
}
