/* guide: what a guide (a lesson) leaves of the shell, rules, macros, commands and files, where one is on. */
#include "guide.h"

#include <string.h>
#include <unistd.h>

bool guide_allows(const Shell *sh, NamedKind kind, const char *name)
{
    return !sh->guided || sh->guided->own || sh->guide->allows(sh, kind, name);
}

bool guide_allows_name(const Shell *sh, const StrategyName *n)
{
    return n->kind > NAME_LOWERING || guide_allows(sh, NAMED_MACRO, n->name);
}

static bool refuse(Shell *sh, const char *name)
{
    return shell_error(sh, E83, "%s is not %s\ntry lesson hint", name, sh->guide->later);
}

bool guide_may_name(Shell *sh, NamedKind kind, const char *name) { return guide_allows(sh, kind, name) || refuse(sh, name); }

bool guide_may_repeat(Shell *sh, const PastStep *step)
{
    const char *name = sh->guided && !sh->guided->own ? sh->guide->lacks(sh, step) : NULL;
    return !name || refuse(sh, name);
}

bool guide_may_advise(void *sh, const char *rule) { return guide_allows(sh, NAMED_RULE, rule); }

void guide_say_later(Shell *sh, int n)
{
    if (n) print(sh, "%d more %s not %s\n", n, n == 1 ? "is" : "are", sh->guide->later);
}

const char *shell_path(Shell *sh, const char *file)
{
    const char *own = sh->guided && *file != '/' && *file != '.'
        ? arena_printf(sh->scratch, "%s/%s", sh->guided->folder, file) : NULL;
    if (own && access(own, F_OK) == 0) return own;
    if (*file == '/' || access(file, F_OK) == 0) return file;
    for (int n = sh->script ? (int)strlen(sh->script) : 0; n > 0;) {
        while (n > 0 && sh->script[n - 1] != '/') n--;           /* the folder with its slash */
        const char *found = arena_printf(sh->scratch, "%.*s%s", n, sh->script, file);
        if (access(found, F_OK) == 0) return found;
        if (*file == '.') break;
        n--;
    }
    /* What README and help call scripts/... and tests/programs/...: where lathe is installed, or built. */
    static const char *const with[] = {"../share/lathe/", "../"};
    bool ours = !strncmp(file, "scripts/", strlen("scripts/")) || !strncmp(file, "tests/", strlen("tests/"));
    for (int i = 0; i < COUNT(with) && ours; i++) {
        const char *found = file_of_program(sh->scratch, arena_printf(sh->scratch, "%s%s", with[i], file));
        if (access(found, F_OK) == 0) return found;
    }
    return file;
}
