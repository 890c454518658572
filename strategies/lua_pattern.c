/* lua_pattern: string.find, match, gmatch and gsub as Lua's manual describes them (6.4.1), with what they do charged to the
 * fuel: the ones of Lua's library take exponential time where neither the fuel nor Ctrl-C reaches them.
 *
 * A pattern is compiled to a list of items, one after the other; a malformed one is an error even where no text meets its
 * faulty end. Only items that may match in several ways recurse, so the depth is bounded by their number. */
#include "lua_private.h"

#include <ctype.h>
#include <string.h>

enum { MAX_CAPTURES = 32, MAX_DEPTH = 200, OPEN_CAPTURE = -1, POSITION_CAPTURE = -2 };

typedef enum ItemKind {
    ITEM_ONE, ITEM_OPTIONAL, ITEM_MANY, ITEM_LAZY,       /* a set of characters, and how often */
    ITEM_OPEN, ITEM_POSITION, ITEM_CLOSE, ITEM_BACK,     /* captures */
    ITEM_BALANCE, ITEM_FRONTIER, ITEM_AT_END, ITEM_DONE,
} ItemKind;

typedef struct Item {
    ItemKind kind;
    int capture;
    int least;                           /* of ITEM_MANY: 0 or 1 */
    const char *set, *set_end;           /* in the pattern: "x", ".", "%a", "[...]"; the two characters of %b */
} Item;

typedef struct Pattern {
    bool anchored;
    int captures, count, deep;
    Item items[];
} Pattern;

typedef struct Capture {
    const char *at;
    ptrdiff_t length;
} Capture;

typedef struct Match {
    lua_State *L;
    const Pattern *pattern;
    const char *subject, *end;
    int64_t work;                        /* not charged yet */
    Capture captures[MAX_CAPTURES];
} Match;

/* ---- sets of characters ---- */

static bool in_class(unsigned char c, unsigned char letter)
{
    bool yes;
    switch (tolower(letter)) {
    case 'a': yes = isalpha(c); break;
    case 'c': yes = iscntrl(c); break;
    case 'd': yes = isdigit(c); break;
    case 'g': yes = isgraph(c); break;
    case 'l': yes = islower(c); break;
    case 'p': yes = ispunct(c); break;
    case 's': yes = isspace(c); break;
    case 'u': yes = isupper(c); break;
    case 'w': yes = isalnum(c); break;
    case 'x': yes = isxdigit(c); break;
    default: return c == letter;
    }
    return isupper(letter) ? !yes : yes;
}

/* p: behind the [ ; end: at the ] */
static bool in_brackets(unsigned char c, const char *p, const char *end)
{
    bool found = false, negated = *p == '^' && p < end;
    for (p += negated; p < end && !found; p++) {
        if (*p == '%') found = in_class(c, (unsigned char)*++p);
        else if (p + 2 < end && p[1] == '-') {
            found = (unsigned char)p[0] <= c && c <= (unsigned char)p[2];
            p += 2;
        } else found = (unsigned char)*p == c;
    }
    return found != negated;
}

static bool in_set(const Item *it, unsigned char c)
{
    switch (*it->set) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)it->set[1]);
    case '[': return in_brackets(c, it->set + 1, it->set_end - 1);
    default: return (unsigned char)*it->set == c;
    }
}

/* ---- compiling ---- */

/* Behind the one set of characters that begins at p. */
static const char *end_of_set(lua_State *L, const char *p, const char *end)
{
    if (*p == '%' && p + 1 == end) luaL_error(L, "malformed pattern (ends with '%%')");
    if (*p == '%') return p + 2;
    if (*p != '[') return p + 1;
    p += p + 1 < end && p[1] == '^' ? 2 : 1;
    for (const char *first = p; p < end; p++) {
        if (*p == ']' && p > first) return p + 1;
        if (*p == '%') p++;
    }
    luaL_error(L, "malformed pattern (missing ']')");
    return NULL;
}

typedef struct Compiler {
    lua_State *L;
    const char *p, *end;
    Pattern *out;
    int open[MAX_CAPTURES], open_count;
    bool closed[MAX_CAPTURES];
} Compiler;

static Item *add_item(Compiler *k, ItemKind kind)
{
    Item *it = &k->out->items[k->out->count++];
    *it = (Item){.kind = kind};
    bool recurses = kind != ITEM_ONE && kind < ITEM_BALANCE && kind != ITEM_BACK;
    if (recurses && ++k->out->deep > MAX_DEPTH) luaL_error(k->L, "pattern too complex");
    return it;
}

static void add_close(Compiler *k)
{
    if (!k->open_count) luaL_error(k->L, "invalid pattern capture");
    int n = k->open[--k->open_count];
    add_item(k, ITEM_CLOSE)->capture = n;
    k->closed[n] = true;
    k->p++;
}

static void add_set(Compiler *k, ItemKind kind)
{
    Item *it = add_item(k, kind);
    it->set = k->p;
    it->set_end = k->p = end_of_set(k->L, k->p, k->end);
    if (kind == ITEM_FRONTIER || k->p == k->end || !strchr("*+-?", *k->p) || !*k->p) return;
    it->kind = *k->p == '?' ? ITEM_OPTIONAL : *k->p == '-' ? ITEM_LAZY : ITEM_MANY;
    it->least = *k->p++ == '+';
    if (++k->out->deep > MAX_DEPTH) luaL_error(k->L, "pattern too complex");
}

/* Pushes a userdata that points into the pattern text, which is to be kept as long. anchors: a ^ in front is one. */
static const Pattern *compile(lua_State *L, const char *text, size_t length, bool anchors)
{
    Compiler k = {.L = L, .p = text, .end = text + length};
    k.out = lua_newuserdatauv(L, sizeof(Pattern) + (length + 1) * sizeof(Item), 0);
    *k.out = (Pattern){.anchored = anchors && length && *text == '^'};
    if (k.out->anchored) k.p++;
    while (k.p < k.end) {
        if (*k.p == '(') {
            bool position = k.p + 1 < k.end && k.p[1] == ')';
            if (k.out->captures == MAX_CAPTURES) luaL_error(k.L, "too many captures");
            int n = k.out->captures++;
            add_item(&k, position ? ITEM_POSITION : ITEM_OPEN)->capture = n;
            if (!position) k.open[k.open_count++] = n;
            k.closed[n] = position;
            k.p += position ? 2 : 1;
        } else if (*k.p == ')') add_close(&k);
        else if (*k.p == '%') {
            char c = k.p + 1 < k.end ? k.p[1] : '\0';
            if (c == 'b') {
                if (k.end - k.p < 4) luaL_error(k.L, "malformed pattern (missing arguments to '%%b')");
                Item *it = add_item(&k, ITEM_BALANCE);
                it->set = k.p + 2;
                k.p += 4;
            } else if (c == 'f') {
                k.p += 2;
                if (k.p == k.end || *k.p != '[') luaL_error(k.L, "missing '[' after '%%f' in pattern");
                add_set(&k, ITEM_FRONTIER);
            } else if (isdigit((unsigned char)c)) {
                int n = k.p[1] - '1';
                if (n < 0 || n >= k.out->captures || !k.closed[n]) luaL_error(k.L, "invalid capture index %%%d", n + 1);
                add_item(&k, ITEM_BACK)->capture = n;
                k.p += 2;
            } else add_set(&k, ITEM_ONE);
        } else if (*k.p == '$' && k.p + 1 == k.end) add_item(&k, ITEM_AT_END), k.p++;
        else add_set(&k, ITEM_ONE);
    }
    if (k.open_count) luaL_error(L, "unfinished capture");
    add_item(&k, ITEM_DONE);
    return k.out;
}

/* ---- matching ---- */

static void work(Match *m, int64_t units)
{
    m->work += units;
    if (m->work < HOOK_INSTRUCTIONS) return;
    spend_work(m->L, m->work);
    m->work = 0;
}

static bool fits(Match *m, const Item *it, const char *s)
{
    work(m, 1 + (it->set_end - it->set) / 8);
    return s < m->end && in_set(it, (unsigned char)*s);
}

static const char *match(Match *m, const char *s, const Item *it);

static const char *match_lazy(Match *m, const char *s, const Item *it)
{
    for (;; s++) {
        const char *end = match(m, s, it + 1);
        if (end) return end;
        if (!fits(m, it, s)) return NULL;
    }
}

static const char *match_capture(Match *m, const char *s, const Item *it)
{
    Capture *c = &m->captures[it->capture], before = *c;
    if (it->kind == ITEM_CLOSE) c->length = s - c->at;
    else *c = (Capture){s, it->kind == ITEM_OPEN ? OPEN_CAPTURE : POSITION_CAPTURE};
    const char *end = match(m, s, it + 1);
    if (!end) *c = before;
    return end;
}

static const char *match_balance(Match *m, const char *s, const Item *it)
{
    if (s == m->end || *s != it->set[0]) return NULL;
    for (int64_t open = 1; ++s < m->end;) {
        work(m, 1);
        if (*s == it->set[1] && --open == 0) return s + 1;
        if (*s == it->set[0] && it->set[0] != it->set[1]) open++;
    }
    return NULL;
}

static const char *match_back(Match *m, const char *s, const Item *it)
{
    const Capture *c = &m->captures[it->capture];
    if (c->length < 0) return NULL;
    size_t n = (size_t)c->length;
    work(m, (int64_t)(n / 16));
    return (size_t)(m->end - s) >= n && !memcmp(c->at, s, n) ? s + n : NULL;
}

static bool at_frontier(const Match *m, const char *s, const Item *it)
{
    unsigned char before = s > m->subject ? (unsigned char)s[-1] : '\0', here = s < m->end ? (unsigned char)*s : '\0';
    return !in_set(it, before) && in_set(it, here);
}

/* Where the items from `it` on, met from s on, end; NULL: nowhere. */
static const char *match(Match *m, const char *s, const Item *it)
{
    for (; s; it++) {
        work(m, 1);
        switch (it->kind) {
        case ITEM_DONE: return s;
        case ITEM_AT_END: s = s == m->end ? s : NULL; break;
        case ITEM_ONE: s = fits(m, it, s) ? s + 1 : NULL; break;
        case ITEM_OPTIONAL: {
            const char *end = fits(m, it, s) ? match(m, s + 1, it + 1) : NULL;
            if (end) return end;
            break;
        }
        case ITEM_MANY: {
            ptrdiff_t n = 0;
            while (fits(m, it, s + n)) n++;
            for (; n >= it->least; n--) {
                const char *end = match(m, s + n, it + 1);
                if (end) return end;
            }
            return NULL;
        }
        case ITEM_LAZY: return match_lazy(m, s, it);
        case ITEM_OPEN: case ITEM_POSITION: case ITEM_CLOSE: return match_capture(m, s, it);
        case ITEM_BACK: s = match_back(m, s, it); break;
        case ITEM_BALANCE: s = match_balance(m, s, it); break;
        case ITEM_FRONTIER: s = at_frontier(m, s, it) ? s : NULL; break;
        }
    }
    return NULL;
}

/* The first match from *s on, which is set to its start. */
static const char *search(Match *m, const char **s)
{
    for (;; ++*s) {
        const char *end = match(m, *s, m->pattern->items);
        if (end || m->pattern->anchored || *s == m->end) return end;
    }
}

static void finish(Match *m)
{
    spend_work(m->L, m->work);
    m->work = 0;
}

/* ---- captures ---- */

static void push_capture(Match *m, int i, const char *from, const char *to)
{
    if (i == 0 && m->pattern->captures == 0) {
        lua_pushlstring(m->L, from, (size_t)(to - from));
        return;
    }
    const Capture *c = &m->captures[i];
    if (c->length == POSITION_CAPTURE) lua_pushinteger(m->L, c->at - m->subject + 1);
    else lua_pushlstring(m->L, c->at, (size_t)c->length);
}

/* All of them; where there are none, and whole: the match. Their number. */
static int push_captures(Match *m, const char *from, const char *to, bool whole)
{
    int n = m->pattern->captures ? m->pattern->captures : whole;
    luaL_checkstack(m->L, n, "too many captures");
    for (int i = 0; i < n; i++) push_capture(m, i, from, to);
    return n;
}

/* ---- the functions ---- */

/* Where a search begins: an argument that may count from the end. Beyond the end: length + 1. */
static size_t start_at(lua_State *L, int i, size_t length)
{
    lua_Integer at = luaL_optinteger(L, i, 1);
    if (at > 0) return (size_t)at - 1 <= length ? (size_t)at - 1 : length + 1;
    return at == 0 || at < -(lua_Integer)length ? 0 : length - (size_t)-at;
}

static bool is_plain(const char *pattern, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (pattern[i] && strchr("^$*+?.([%-", pattern[i])) return false;
    return true;
}

static int find_or_match(lua_State *L, bool find)
{
    size_t n, length;
    const char *subject = luaL_checklstring(L, 1, &n), *text = luaL_checklstring(L, 2, &length);
    size_t start = start_at(L, 3, n);
    if (start > n) return lua_pushnil(L), 1;
    if (find && (lua_toboolean(L, 4) || is_plain(text, length))) {
        spend_work(L, (int64_t)((n - start) / 16));
        const char *at = memmem(subject + start, n - start, text, length);
        if (!at) return lua_pushnil(L), 1;
        lua_pushinteger(L, at - subject + 1);
        lua_pushinteger(L, at - subject + (lua_Integer)length);
        return 2;
    }
    Match m = {.L = L, .pattern = compile(L, text, length, true), .subject = subject, .end = subject + n};
    const char *from = subject + start, *to = search(&m, &from);
    finish(&m);
    if (!to) return lua_pushnil(L), 1;
    if (!find) return push_captures(&m, from, to, true);
    lua_pushinteger(L, from - subject + 1);
    lua_pushinteger(L, to - subject);
    return push_captures(&m, from, to, false) + 2;
}

static int string_find(lua_State *L) { return find_or_match(L, true); }
static int string_match(lua_State *L) { return find_or_match(L, false); }

enum { UP_SUBJECT = 1, UP_TEXT, UP_PATTERN, UP_AT, UP_LAST };

/* An empty match where the last one ended is none. */
static int next_match(lua_State *L)
{
    size_t n;
    const char *subject = lua_tolstring(L, lua_upvalueindex(UP_SUBJECT), &n);
    Match m = {.L = L, .pattern = lua_touserdata(L, lua_upvalueindex(UP_PATTERN)), .subject = subject, .end = subject + n};
    size_t at = (size_t)lua_tointeger(L, lua_upvalueindex(UP_AT));
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(UP_LAST));
    for (const char *from = subject + at; at <= n && from <= m.end; from++) {
        const char *to = match(&m, from, m.pattern->items);
        if (!to || to - subject == last) continue;
        finish(&m);
        lua_pushinteger(L, to - subject);
        lua_copy(L, -1, lua_upvalueindex(UP_AT));
        lua_replace(L, lua_upvalueindex(UP_LAST));
        return push_captures(&m, from, to, true);
    }
    finish(&m);
    lua_pushinteger(L, (lua_Integer)n + 1);
    lua_replace(L, lua_upvalueindex(UP_AT));
    return 0;
}

static int string_gmatch(lua_State *L)
{
    size_t n, length;
    luaL_checklstring(L, 1, &n);
    const char *text = luaL_checklstring(L, 2, &length);
    size_t start = start_at(L, 3, n);
    lua_settop(L, 2);
    compile(L, text, length, false);
    lua_pushinteger(L, (lua_Integer)start);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, UP_LAST);
    return 1;
}

/* A text that replaces: %0 the match, %1 ... its captures, %% a %. */
static void add_text(Match *m, luaL_Buffer *b, const char *from, const char *to)
{
    size_t n;
    const char *p = lua_tolstring(m->L, 3, &n);
    for (const char *end = p + n; p < end; p++) {
        if (*p != '%') luaL_addchar(b, *p);
        else if (++p < end && *p == '%') luaL_addchar(b, '%');
        else if (p < end && *p == '0') luaL_addlstring(b, from, (size_t)(to - from));
        else if (p < end && isdigit((unsigned char)*p)) {
            int i = *p - '1', count = m->pattern->captures ? m->pattern->captures : 1;
            if (i >= count) luaL_error(m->L, "invalid capture index %%%d", i + 1);
            push_capture(m, i, from, to);
            luaL_addvalue(b);
        } else luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
}

/* What a table or a function gives for a match; false and nil leave it as it is. */
static void add_value(Match *m, luaL_Buffer *b, const char *from, const char *to)
{
    lua_State *L = m->L;
    if (lua_type(L, 3) == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        lua_call(L, push_captures(m, from, to, true), 1);
    } else {
        push_capture(m, 0, from, to);
        lua_gettable(L, 3);
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(b, from, (size_t)(to - from));
    } else if (lua_isstring(L, -1)) luaL_addvalue(b);
    else luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
}

static int string_gsub(lua_State *L)
{
    size_t n, length;
    const char *s = luaL_checklstring(L, 1, &n), *text = luaL_checklstring(L, 2, &length), *last = NULL;
    int kind = lua_type(L, 3);
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)n + 1), count = 0;
    bool texts = kind == LUA_TSTRING || kind == LUA_TNUMBER;
    if (!texts && kind != LUA_TTABLE && kind != LUA_TFUNCTION) return luaL_typeerror(L, 3, "string/function/table");
    if (texts) lua_tostring(L, 3);
    Match m = {.L = L, .pattern = compile(L, text, length, true), .subject = s, .end = s + n};
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    while (count < most) {
        const char *to = match(&m, s, m.pattern->items);
        if (to && to != last) {
            count++;
            if (texts) add_text(&m, &b, s, to);
            else add_value(&m, &b, s, to);
            s = last = to;
        } else if (s < m.end) luaL_addchar(&b, *s++);
        else break;
        if (m.pattern->anchored) break;
    }
    luaL_addlstring(&b, s, (size_t)(m.end - s));
    luaL_pushresult(&b);
    finish(&m);
    lua_pushinteger(L, count);
    return 2;
}

const luaL_Reg pattern_functions[] = {
    {"find", string_find}, {"match", string_match}, {"gmatch", string_gmatch}, {"gsub", string_gsub}, {NULL, NULL},
};
