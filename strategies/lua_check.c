/* lua_check: a program of the build: fails where a built-in rule cannot be read, or a Lua file of this folder names a rule, or
 * something of the library, that there is not. Usage: lua_check [FILE]      FILE: one more, as if it were of this folder */
#include "strategy.h"

#include <stdio.h>

#include "file.h"

int main(int argc, char **argv)
{
    Ctx *c = ctx_new();
    Rules *rules = rules_new(c);
    for (int i = 0; i < rules_count(rules); i++) rules_get(rules, i);
    Strategies *s = strategies_new(c, rules, NULL);
    const char *text = s && argc > 1 ? text_read(&c->diag, c->diag.arena, argv[1], NULL, NULL) : NULL;
    bool ok = s && (argc < 2 || text) && strategies_check(s, argv[1], text);
    LOCAL(buf_free) Buf out = {0};
    if (!ok) diag_render(&c->diag, &out);
    fputs(buf_text(&out), stderr);
    strategies_free(s);
    rules_free(rules);
    ctx_free(c);
    return !ok;
}
