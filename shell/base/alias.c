/* alias: abbreviations of command lines, with $1 to $9. */
#include "cmdline.h"
#include "commands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

Alias *alias_find(const Shell *sh, const char *name) { return FIND(sh->aliases.v, sh->aliases.n, name, name); }

void alias_set(Shell *sh, const char *name, const char *line)
{
    Alias *old = alias_find(sh, name), made = {strdup(name), strdup(line)};
    if (old) {
        free(old->name);
        free(old->line);
        *old = made;
    } else vec_push(&sh->aliases, made);
}

static bool no_alias(Shell *sh, const char *name)
{
    const char *near = NEAREST(name, i, sh->aliases.n, sh->aliases.v[i].name);
    return shell_error(sh, E02, "no alias \"%.60s\"%s\ntry %s", name, near_text(sh->scratch, near),
                       sh->aliases.n ? "list aliases" : "help alias");
}

char *alias_expand(Shell *sh, Arena *arena, const Alias *a, const char *tail)
{
    int *starts, *ends, used = 0, n = line_words(arena, tail, &starts, &ends);
    Buf b = {0};
    for (const char *p = a->line; *p; p++) {
        if (!(*p == '$' && p[1] >= '1' && p[1] <= '9' && !isdigit((unsigned char)p[2]))) {
            buf_putc(&b, *p);
            continue;
        }
        int i = *++p - '1';
        if (i < n) buf_write(&b, tail + starts[i], (size_t)(ends[i] - starts[i]));     /* as typed, quotes and all */
        used = i + 1 > used ? i + 1 : used;
    }
    if (used > n)
        shell_error(sh, E05, "%s takes %d argument%s, not %d\nis %s = %s", a->name, used, plural(used), n, a->name, a->line);
    if (used < n) buf_printf(&b, " %s", tail + starts[used]);      /* what no $ took follows */
    char *text = buf_take(&b, arena);
    return used > n ? NULL : text;
}

/* ---- the command ---- */

static bool name_ok(Shell *sh, const char *name)
{
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    const Command *c = command_find(NULL, name, NULL);
    if (!n || name[n] || !isalpha((unsigned char)*name))
        return shell_error(sh, E05, "\"%.60s\" is no name for an alias: letters, digits, _ and -, a letter first", name);
    bool exact = c && !strcmp(c->name, name), letter = c && !name[1] && c->letter == *name;
    if (!exact && !letter) return true;
    return shell_error(sh, E05, "\"%s\" is %s%s\nhint another name", name, exact ? "a command" : "short for the command ",
                       exact ? "" : c->name);
}

bool alias_take(Shell *sh, const char *name, const char *line)
{
    if (!name_ok(sh, name)) return false;
    alias_set(sh, name, line);
    return true;
}

static void print_alias(Shell *sh, const Alias *a) { print(sh, "  %s = %s\n", a->name, a->line); }

static bool reported(Shell *sh)
{
    const Alias *v = sh->aliases.v;
    json_t *all = JSON_LIST(i, sh->aliases.n, json_of("{name:s line:s}", v[i].name, v[i].line));
    return shell_report(sh, "{aliases:o}", all);
}

bool cmd_alias(Shell *sh, Args *a)
{
    const char *eq = strchr(a->rest, '=');
    for (int i = 0; !*a->rest && i < sh->aliases.n; i++) print_alias(sh, &sh->aliases.v[i]);
    if (!*a->rest && sh->aliases.n == 0) print(sh, "no aliases; alias NAME = LINE makes one\n");
    if (!*a->rest) return reported(sh);
    const char *gone = arg_deleted(sh, a);
    if (gone) {
        Alias *old = alias_find(sh, gone);
        if (!*gone) return shell_error(sh, E05, "delete which alias?\nform %s", a->command->form);
        if (!old) return no_alias(sh, gone);
        free(old->name);
        free(old->line);
        memmove(old, old + 1, sizeof *old * (size_t)(sh->aliases.v + sh->aliases.n - old - 1));
        sh->aliases.n--;
        return reported(sh);
    }
    size_t n = eq ? (size_t)(eq - a->rest) : strlen(a->rest);
    while (n && isspace((unsigned char)a->rest[n - 1])) n--;
    const char *name = arena_strndup(sh->scratch, a->rest, n), *line = eq ? eq + 1 + strspn(eq + 1, " \t\n") : NULL;
    if (!line) {
        const Alias *found = alias_find(sh, name);
        if (found) print_alias(sh, found);
        return found ? reported(sh) : no_alias(sh, name);
    }
    if (!name_ok(sh, name)) return false;
    if (!*line) return shell_error(sh, E05, "%s would stand for nothing; alias -d %s deletes it", name, name);
    alias_set(sh, name, line);
    return reported(sh);
}
