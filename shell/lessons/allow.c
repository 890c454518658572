/* allow: what of the shell is there in a lesson: rules, macros, commands, files. */
#include "lesson.h"

#include <string.h>
#include <unistd.h>

static bool names(const LessonEntry *e, const char *name)
{
    size_t n = strlen(e->name);
    if (n && e->name[n - 1] == '*') return !strncmp(e->name, name, n - 1);
    return !strcmp(e->name, name);
}

typedef enum { UNSAID, ALLOWED, FORBIDDEN } Verdict;

/* *listed: names of that kind are allowed one by one. */
static Verdict verdict(const LessonEntries *all, LessonKind kind, const char *name, bool *listed)
{
    Verdict v = UNSAID;
    for (int i = 0; i < all->n; i++) {
        const LessonEntry *e = &all->v[i];
        if (e->kind != kind) continue;
        *listed = *listed || e->allow;
        if (!names(e, name)) continue;
        if (!e->allow) return FORBIDDEN;
        v = ALLOWED;
    }
    return v;
}

/* The part's own lines come first. */
static bool listed_allows(const LessonRun *run, LessonKind kind, const char *name)
{
    bool listed = false;
    Verdict v = verdict(&lesson_part(run)->entries, kind, name, &listed);
    if (v == UNSAID) v = verdict(&run->lesson->entries, kind, name, &listed);
    return v == ALLOWED || (v == UNSAID && !listed);
}

static bool is_users(const Shell *sh, LessonKind kind, const char *name)
{
    if (kind == LESSON_COMMAND) return false;
    if (kind == LESSON_MACRO) {
        const StrategyName *n = sh->strategies ? strategies_find(sh->strategies, name) : NULL;
        return n && n->user;
    }
    const Rule *r = rules_find(session_rules(sh->session), name);
    return r && rule_is_user(r);
}

bool lesson_has(const Shell *sh, LessonKind kind, const char *name)
{
    static const char *const always[] = {"lesson", "help", "quit", "undo", "goto", "log", "show"};
    const LessonRun *run = sh->lesson;
    bool listed = false;
    if (!run) return true;
    for (int i = 0; kind == LESSON_COMMAND && i < COUNT(always); i++)
        if (!strcmp(always[i], name)) return true;
    if (is_users(sh, kind, name))        /* only what is forbidden by its name */
        return verdict(&lesson_part(run)->entries, kind, name, &listed) != FORBIDDEN
            && verdict(&run->lesson->entries, kind, name, &listed) != FORBIDDEN;
    return listed_allows(run, kind, name);
}

bool lesson_allows(const Shell *sh, LessonKind kind, const char *name)
{
    return !sh->lesson || sh->lesson->own || lesson_has(sh, kind, name);
}

bool lesson_is_own(const Shell *sh) { return sh->lesson && sh->lesson->own; }

bool lesson_allows_name(const Shell *sh, const StrategyName *n)
{
    return n->kind > NAME_LOWERING || lesson_allows(sh, LESSON_MACRO, n->name);
}

bool lesson_not_yet(Shell *sh, const char *name)
{
    diag_error(&sh->c->diag, E83, "%s is not in this lesson yet", name);
    diag_note(&sh->c->diag, "try", "lesson hint");
    return false;
}

bool lesson_may_name(Shell *sh, LessonKind kind, const char *name)
{
    return lesson_allows(sh, kind, name) || lesson_not_yet(sh, name);
}

void lesson_say_later(Shell *sh, int n)
{
    if (n) buf_printf(&sh->out, "%d more %s not in this lesson yet\n", n, n == 1 ? "is" : "are");
}

bool lesson_may_advise(void *sh, const char *rule) { return lesson_allows(sh, LESSON_RULE, rule); }

static const char *beside_script(Shell *sh, const char *file)
{
    if (!sh->script || *file == '/' || access(file, F_OK) == 0) return file;
    for (int n = (int)strlen(sh->script); n > 0;) {
        while (n > 0 && sh->script[n - 1] != '/') n--;           /* the folder with its slash */
        const char *found = arena_printf(sh->scratch, "%.*s%s", n, sh->script, file);
        if (access(found, F_OK) == 0) return found;
        if (*file == '.') break;
        n--;
    }
    return file;
}

const char *lesson_path(Shell *sh, const char *file)
{
    const char *own = sh->lesson && *file != '/' && *file != '.'
        ? arena_printf(sh->scratch, "%s/%s", sh->lesson->lesson->dir, file) : NULL;
    return own && access(own, F_OK) == 0 ? own : beside_script(sh, file);
}
