/* allow: what of the shell is there in a lesson: rules, macros, commands. */
#include "lesson.h"

#include <string.h>

typedef enum { UNSAID, ALLOWED, FORBIDDEN } Verdict;

/* *listed: names of that kind are allowed one by one. */
static Verdict verdict(const LessonEntries *all, NamedKind kind, const char *name, bool *listed)
{
    Verdict v = UNSAID;
    for (int i = 0; i < all->n; i++) {
        const LessonEntry *e = &all->v[i];
        if (e->kind != kind) continue;
        *listed = *listed || e->allow;
        size_t n = strlen(e->name);
        if (!(n && e->name[n - 1] == '*' ? !strncmp(e->name, name, n - 1) : !strcmp(e->name, name))) continue;
        if (!e->allow) return FORBIDDEN;
        v = ALLOWED;
    }
    return v;
}

bool lesson_has(const Shell *sh, NamedKind kind, const char *name)
{
    static const char *const always[] = {"lesson", "help", "quit", "undo", "goto", "log", "show", "serve"};
    const LessonRun *run = lesson_on(sh);
    bool listed = false;
    if (kind == NAMED_COMMAND && text_index(always, COUNT(always), name) >= 0) return true;
    const StrategyName *macro = kind == NAMED_MACRO && sh->strategies ? strategies_find(sh->strategies, name) : NULL;
    const Rule *rule = kind == NAMED_RULE ? rules_find(session_rules(sh->session), name) : NULL;
    Verdict part = verdict(&lesson_part(run)->entries, kind, name, &listed);     /* its own lines come first */
    Verdict all = part == UNSAID ? verdict(&run->lesson->entries, kind, name, &listed) : part;
    if ((macro && macro->user) || (rule && rule_is_user(rule)))          /* of the user's only what is forbidden by its name */
        return all != FORBIDDEN && verdict(&run->lesson->entries, kind, name, &listed) != FORBIDDEN;
    return all == ALLOWED || (all == UNSAID && !listed);
}

bool lesson_allows(const Shell *sh, NamedKind kind, const char *name)
{
    return lesson_on(sh)->own || lesson_has(sh, kind, name);
}

bool lesson_not_yet(Shell *sh, const char *name)
{
    return shell_error(sh, E83, "%s is not in this lesson yet\ntry lesson hint", name);
}
