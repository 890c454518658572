/* command: the commands by name; what each does is bound to them in shell.c. */
#include "file.h"
#include "guide.h"
#include "plan.h"

#include <string.h>
#include <sys/stat.h>

static const Command table[] = {
#define COMMAND(name, letter, group, form, args, flags, tail, help, more, report, examples) \
    {#name, letter, group, form, args, flags, tail, help, more, report, examples},
#define NAME(id) #id
#define OR() "|"
#include "commands.def"
#undef COMMAND
};

int command_count(void) { return COUNT(table); }
const Command *command_get(int i) { return &table[i]; }

static bool is_there(const Shell *sh, const Command *c) { return !sh || guide_allows(sh, NAMED_COMMAND, c->name); }

/* Other shells' words for what takes a line here. */
static const struct { const char *typed, *line; } shown[] = {
    {"tree", "show --as tree"}, {"type", "info"}, {"types", "show --as typed"}, {"kernel", "code"}, {"compile", "code"},
    {"build", "code"}, {"time", "run"}, {"bench", "run"}, {"execute", "run"}, {"rules", "list rules"}, {"macros", "list macros"},
    {"programs", "list programs"}, {"devices", "list devices"}, {"settings", "set"}, {"lessons", "lesson"},
    {"tutorial", "lesson terms"}, {"practice", "lesson practice"}, {"challenges", "lesson challenges"}, {"what", "next"},
    {"reset", "goto @0"}, {"clear", "! clear"}, {"faster", "next"}, {"optimise", "next"}, {"optimize", "next"}, {"cost", "moves --cost"},
    {"compare", "diff @0"}, {"versions", "log"}, {"sessions", "open --old"}, {"verify", "run"}, {"profile", "plan"}, {"def", "help let"},
    {"fun", "help let"}, {"fn", "help let"}, {"function", "help let"}, {"define", "help let"},
};

typedef struct Meant { const char *text, *hint; } Meant;       /* what would do it, NULL: not known; what else is to be said, or NULL */

/* A file by its name: what opens it. */
static const char *file_line(Arena *arena, const char *name)
{
    static const char *const opens[][2] = {{".fun", "load"}, {".session", "open"}, {".lathe", "source"}, {".lua", "source"}};
    for (int i = 0; i < COUNT(opens); i++)
        if (file_ends(name, opens[i][0])) return arena_printf(arena, "%s %s", opens[i][1], name);
    return arena_printf(arena, "! %s", name);
}

/* What a line that begins with no command may be: a place, a version, a rule or macro (which may apply nowhere), a program, an expression. */
static Meant meant_line(const Shell *sh, Arena *arena, const char *name)
{
    struct stat st;
    if (sh && !sh->restricted && strchr(name, '/') && !stat(name, &st) && S_ISREG(st.st_mode)) return (Meant){file_line(arena, name), NULL};
    if (*name && strchr("/:$.'", *name)) return (Meant){arena_printf(arena, "cd %.60s", name), NULL};
    if (*name == '@') return (Meant){arena_printf(arena, "goto %.60s", name), NULL};
    const Strategies *strategies = sh ? shell_strategies((Shell *)sh) : NULL;      /* which may read files, and clear the arena */
    const char *head = arena_strndup(arena, name, strcspn(name, "({"));
    const StrategyName *macro = strategies ? strategies_find(strategies, head) : NULL;
    if (sh && (rules_find(session_rules(sh->session), head) || (macro && macro->kind <= NAME_LOWERING)))
        return (Meant){arena_printf(arena, "where %.60s", name), arena_printf(arena, "apply %.60s applies it, where it may be", name)};
    for (int i = 0; sh && i < COUNT(shown); i++)
        if (!strcmp(shown[i].typed, name)) return (Meant){shown[i].line, NULL};
    const Derivation *now = sh ? session_current(sh->session) : NULL;
    const Version *v = sh ? session_version(sh->session) : NULL;
    Datum datum = now ? derivation_datum(now, name) : DATUM_NONE;
    if (datum == DATUM_SIZE) return (Meant){arena_printf(arena, "data %.60s", name), NULL};
    if (datum == DATUM_INPUT) return (Meant){arena_printf(arena, "eval %.60s", name), NULL};
    for (int i = 0; v && i < v->param_count; i++)
        if (!strcmp(v->params[i].name, name)) return (Meant){arena_printf(arena, "param %.60s", name), NULL};
    for (int i = 0; sh && i < session_count(sh->session); i++)
        if (!strcmp(session_get(sh->session, i)->name, name)) return (Meant){arena_printf(arena, "use %.60s", name), NULL};
    if (prim_from_name(name) == PRIM_COUNT) return (Meant){0};
    return (Meant){NULL, "eval EXPR works out an expression, let NAME = EXPR makes it a program"};
}

static const Command *no_command(const Shell *sh, const char *name, const char *matches, Diag *diag)
{
    NearName near = {.typed = name};
    if (!diag) return NULL;
    Meant line = meant_line(sh, diag->arena, name);
    for (int i = 0; i < COUNT(table) && !line.text && !line.hint; i++) {
        if (is_there(sh, &table[i])) near_try(&near, table[i].name);
    }
    if (*matches) diag_error(diag, E01, "\"%.60s\" is short for several commands:%s", name, matches);
    else diag_error(diag, E01, "no command \"%.60s\"%s", name, near_text(diag->arena, near.name));
    if (line.hint && (line.text || !*matches)) diag_note(diag, "hint", "%s", line.hint);
    diag_note(diag, "try", "%s", line.text ? line.text : "help");
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

const Command *command_find(const Shell *sh, const char *name, Diag *diag)
{
    /* What people type who come from other shells; what a guide is told without its command's name. */
    static const struct { const char *typed, *command; } known[] = {
        {"?", "help"}, {"man", "help"}, {"exit", "quit"}, {"bye", "quit"}, {"ls", "info"}, {"pwd", "cd"}, {"focus", "cd"},
        {"print", "show"}, {"back", "undo"}, {"history", "log"}, {"rewrite", "apply"},
    };
    int n;
    LOCAL(buf_free) Buf matches = {0};
    bool ours = ANY(i, COUNT(table), !strcmp(table[i].name, name)) && !(sh && sh->guided);      /* `next` */
    for (const char *const *word = sh && !ours ? sh->guide->words : NULL; word && *word; word++)
        if (!strcmp(*word, name)) name = sh->guide->command;
    for (int i = 0; i < COUNT(known); i++)
        if (!strcmp(known[i].typed, name)) name = known[i].command;
    for (int i = 0; i < COUNT(table); i++)
        if (!strcmp(table[i].name, name) || (strlen(name) == 1 && table[i].letter == *name)) return &table[i];
    const Command *found = by_prefix(sh, name, &matches, &n);
    if (!found) found = by_prefix(NULL, name, &matches, &n);
    return n == 1 ? found : no_command(sh, name, buf_text(&matches), diag);
}
