/* complete_lua: Lua text: globals, and the fields of a table that a dotted name leads to. */
#include "complete_private.h"
#include "guide.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* A command that is not in the lesson yet. */
static bool is_kept_verb(const Completer *f, const char *name)
{
    const Command *c = command_find(NULL, name, NULL);
    return c && !strcmp(c->name, name) && !guide_allows(f->sh, NAMED_COMMAND, name);
}

void offer_lua(Completer *f)
{
    size_t end = strlen(f->text), from = end, word = end;        /* of the dotted name, of its last part */
    while (from && (is_name_char(f->text[from - 1]) || strchr(".:", f->text[from - 1]))) from--;
    while (word > from && is_name_char(f->text[word - 1])) word--;
    complete_from(f, f->text + word);
    const char *path = arena_strndup(f->arena, f->text + from, word > from ? word - from - 1 : 0);
    Strategies *s = shell_strategies(f->sh);
    if (!s) return;
    if (!strcmp(path, "t")) {
        /* The session object has every command as a field. */
        for (int i = 0; i < command_count(); i++) {
            const Command *command = command_get(i);
            if (is_kept_verb(f, command->name)) continue;
            Candidate *c = offer(f, arena_printf(f->arena, "%s(", command->name), command->help);
            if (c) c->more = true;
        }
    }
    strategies_limit(s, &(StrategyLimits){.stop = f->sh->stop, .instructions = 1000000});
    int n;
    const char **names = strategies_members(s, path, f->arena, &n);
    for (int i = 0; i < n; i++) {
        if (!strcmp(path, "t") && is_kept_verb(f, names[i])) continue;
        const StrategyName *known = *path ? NULL : strategies_find(s, names[i]);
        Candidate *c = *names[i] == '_' && *f->word != '_' ? NULL : offer(f, names[i], known ? known->doc : NULL);
        if (c) c->more = true;
    }
    shell_strategy_limits(f->sh);
    if (*path) return;
    /* Rules, macros and what else strategy text may name are globals too. */
    for (int i = 0; i < strategies_name_count(s); i++) {
        const StrategyName *known = strategies_name(s, i);
        if (guide_allows_name(f->sh, known)) offer(f, known->name, known->doc);
    }
    if (*f->word) offer_rules(f, false);
    for (int i = 0; i < f->out->items.n; i++) f->out->items.v[i].more = true;
}
