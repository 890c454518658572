/* Text patterns and table functions of the shell's Lua do what those of Lua's own library do, on random cases. */
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "lua_host.h"
#include "names.h"
#include "unit.h"
#include "strategy.h"

typedef struct World {
    Ctx *c;
    Defs *defs;
    Rules *rules;
    Strategies *s;
    lua_State *plain;                    /* with Lua's own library */
} World;

static int set_up(void **state)
{
    World *w = mem_alloc(sizeof *w);
    w->c = ctx_new();
    w->defs = defs_new(w->c);
    w->rules = rules_new(w->c);
    w->s = strategies_new(w->c, w->rules, w->defs);
    w->plain = luaL_newstate();
    assert_true(w->s && w->plain);
    luaL_openlibs(w->plain);
    assert_int_equal(luaL_dostring(w->plain, "function print(text) printed = text .. '\\n' end"), LUA_OK);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    World *w = *state;
    lua_close(w->plain);
    strategies_free(w->s);
    rules_free(w->rules);
    defs_free(w->defs);
    ctx_free(w->c);
    free(w);
    return 0;
}

/* What the text prints with ours and with Lua's own library is the same; at least so many bytes. */
static void same(World *w, const char *text, size_t least)
{
    Buf out = {0};
    LuaChunk chunk = {.text = text, .name = "=test", .out = &out};
    if (!strategies_lua(w->s, &chunk)) fail_msg("%s", w->c->diag.message);
    if (luaL_dostring(w->plain, text) != LUA_OK) fail_msg("%s", lua_tostring(w->plain, -1));
    lua_getglobal(w->plain, "printed");
    const char *ours = buf_text(&out), *theirs = lua_tostring(w->plain, -1);
    size_t i = 0;
    while (ours[i] && ours[i] == theirs[i]) i++;
    size_t line = i;
    while (line && ours[line - 1] != '\n') line--;
    if (ours[i] || theirs[i])
        fail_msg("ours:\n%.*s\ntheirs:\n%.*s", (int)strcspn(ours + line, "\n"), ours + line,
                 (int)strcspn(theirs + line, "\n"), theirs + line);
    assert_true(strlen(ours) >= least);
    lua_pop(w->plain, 1);
    buf_free(&out);
}

#define RANDOM "local seed = 1 local function pick(n) seed = (seed * 1103515245 + 12345) & 0x7fffffff return (seed >> 8) % n + 1 end\n" \
    "local out = {} local function note(...) local p = table.pack(...) for i = 1, p.n do p[i] = string.format('%q', tostring(p[i])) end\n" \
    "  out[#out + 1] = table.concat(p, '|') end\n"

static void patterns(void **state)
{
    same(*state, RANDOM
         "local sets = {'a', 'b', '.', '%a', '%d', '[ab]', '[^a]', '[a-c%d]', '%W', '[]x]', '[^]]', '%.', ' ', '[%w_-]', '[a-]',\n"
         "  '%S', '[%]]', '[+--]', 'x', '$', '^', '%(', '[^%s^]', '\\0', '[\\0-a]', '%u', '%P'}\n"
         "local often = {'', '', '*', '+', '-', '?'}\n"
         "local odd = {'()', '%b()', '%bxx', '%f[%w]', '%f[^a]'}\n"
         "local letters = 'aaabbc1 .()x_-]A$^\\0'\n"
         "local function word(n) local w = {} for i = 1, n do local k = pick(#letters) w[i] = letters:sub(k, k) end return table.concat(w) end\n"
         "local function pattern()\n"
         "  local p, open, closed = {pick(6) == 1 and '^' or ''}, false, false\n"
         "  for _ = 1, pick(5) do\n"
         "    local kind = pick(12)\n"
         "    if kind == 1 then p[#p + 1] = odd[pick(#odd)]\n"
         "    elseif kind == 2 and not open then p[#p + 1], open = '(', true\n"
         "    elseif kind == 3 and open then p[#p + 1], open, closed = ')', false, true\n"
         "    elseif kind == 4 and closed then p[#p + 1] = '%1'\n"
         "    else p[#p + 1] = sets[pick(#sets)] .. often[pick(#often)] end\n"
         "  end\n"
         "  if open then p[#p + 1] = ')' end\n"
         "  return table.concat(p) .. (pick(6) == 1 and '$' or '')\n"
         "end\n"
         "for i = 1, 20000 do\n"
         "  local p, s, from = pattern(), word(pick(14) - 1), pick(20) - 10\n"
         "  note(i, p, s, pcall(string.find, s, p, from)) note(pcall(string.match, s, p, from))\n"
         "  local all = {} for a, b in s:gmatch(p) do all[#all + 1] = tostring(a) .. ',' .. tostring(b) if #all > 50 then break end end\n"
         "  note(table.concat(all, ';'), pcall(string.gsub, s, p, '<%0,%1>', pick(8) > 1 and 100 or pick(3)))\n"
         "  note(pcall(string.gsub, s, p, {a = 'A', b = 7, x = false})) note(pcall(string.gsub, s, p, '%2') and 1)\n"
         "  note(s:gsub(p, function(c, d) return d or (c ~= 'a' and c) end)) note(s:find(p, from, true))\n"
         "end\n"
         "print(table.concat(out, '\\n'))", 1 << 20);
}

static void wrong_patterns(void **state)
{
    same(*state, RANDOM
         "for _, p in ipairs({'%', 'a%', '[a', '[', '[^', '[]', '[%', '(', '(a', ')', '%b', '%bx', '%f', '%fa', '%1', '(a%1)', ('(a)'):rep(33),\n"
         "  ('()'):rep(32), ('a?'):rep(199), ('a?'):rep(250)}) do\n"
         "  note(p, select(2, pcall(string.find, ('a'):rep(300), p)))\n"
         "end\n"
         "note(select(2, pcall(string.gsub, 'a', 'a', '%')), select(2, pcall(string.gsub, 'a', 'a', '%x')),\n"
         "     select(2, pcall(string.gsub, 'a', 'a', '%2')), select(2, pcall(string.gsub, 'a', 'a', function() return print end)))\n"
         "note(('hello world'):gsub('o', 0), ('abc'):gsub('', '-'), ('abc'):gsub('%w', '%%%0'), string.rep(12, 2), ('a'):rep(3, ','), ('a'):rep(-1))\n"
         "note(('x'):rep(0, 'y'), (''):rep(5), (''):rep(3, '-'), ('äöü'):gsub('[äü]', '?'))\n"
         "print(table.concat(out, '\\n'))", 100);
}

static void tables(void **state)
{
    same(*state, RANDOM
         "local function shown(t) local p = {} for i = -3, 14 do p[#p + 1] = tostring(t[i]) end return table.concat(p, ' ') end\n"
         "for i = 1, 5000 do\n"
         "  local t, kind = {}, pick(5)\n"
         "  for k = 1, pick(8) - 1 do t[k] = pick(100) end\n"
         "  if kind == 1 then note('insert', pcall(table.insert, t, pick(10) - 1, 'new'))\n"
         "  elseif kind == 2 then note('add', pcall(table.insert, t, 'new'))\n"
         "  elseif kind == 3 then note('remove', (pcall(table.remove, t, pick(10) - 1))) note(pcall(table.remove, t))\n"
         "  elseif kind == 4 then\n"
         "    local u = pick(2) == 1 and t or {}\n"
         "    note('move', select('#', pcall(table.move, t, pick(9) - 1, pick(9) - 1, pick(9) - 4, u))) note(shown(u))\n"
         "  else table.sort(t) note('sort', pcall(table.sort, t, function(a, b) return a > b end)) end\n"
         "  out[#out] = out[#out]:gsub('table: %w+', 'table')\n"
         "  note(shown(t))\n"
         "end\n"
         "note(pcall(table.insert, {}, 1, 2, 3)) note(pcall(table.insert, {})) note(pcall(table.move, {}, 1, math.maxinteger, 2))\n"
         "note(pcall(table.move, {}, -1, math.maxinteger, 2))\n"
         "local long = {} for i = 1, 30000 do long[i] = pick(1 << 20) end table.sort(long) note(table.concat(long, ' '))\n"
         "print(table.concat(out, '\\n'))", 1 << 16);
}

/* Work in C is fuelled; ordinary uses are far from the limit. */
static bool runs(World *w, const char *macro)
{
    bool ok = strategies_define(w->s, macro);
    if (!ok) assert_int_equal(w->c->diag.id, E25);
    return ok;
}

static void fuel(void **state)
{
    World *w = *state;
    StrategyLimits limits = {.instructions = 20000000};
    strategies_limit(w->s, &limits);
    assert_false(runs(w, "m1 = string.find(('a'):rep(40000), ('.-'):rep(20) .. 'b') and id or id"));
    assert_false(runs(w, "m2 = string.find(('a'):rep(30), ('a?'):rep(30) .. ('a'):rep(30) .. 'b') and id or id"));
    assert_false(runs(w, "m3 = ('a'):rep(30000):gsub('.-.-b', '') and id or id"));
    assert_false(runs(w, "m4 = (function() for _ in ('a'):rep(30000):gmatch('.-.-b') do end return id end)()"));
    assert_false(runs(w, "m5 = table.move({}, 1, 1 << 40, 2) and id"));
    assert_false(runs(w, "m6 = (function() for i = 1, 1000 do string.rep('x', 10000000) end return id end)()"));
    assert_true(runs(w, "m7 = string.rep('', 1 << 60) == '' and id"));
    assert_true(runs(w, "m8 = ('  let x = 1  '):match('^%s*(.-)%s*$') == 'let x = 1' and id"));
    assert_true(runs(w, "m9 = ('map f x '):rep(12500):gsub('%a+', '<%0>') and id"));
    assert_true(runs(w, "m10 = ('a=1, '):rep(200):find('(%w+)%s*=%s*(%w+).-$') and id"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(patterns), TEST(wrong_patterns), TEST(tables), TEST(fuel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
