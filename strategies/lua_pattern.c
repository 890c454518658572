/* lua_pattern: string.find, match, gmatch and gsub as Lua's manual describes them (6.4.1), with what they do charged to the
 * fuel: the ones of Lua's library take exponential time where neither the fuel nor Ctrl-C reaches them. */
#include "lua_private.h"

#include <ctype.h>
#include <string.h>

enum { MAX_CAPTURES = 32, MAX_DEPTH = 200, OPEN_CAPTURE = -1, POSITION_CAPTURE = -2 };

typedef struct Capture {
    const char *at;
    ptrdiff_t length;
} Capture;

typedef struct Match {
    lua_State *L;
    const char *subject, *end;
    const char *pattern, *pattern_end;
    bool anchored;                       /* the pattern began with ^ */
    int64_t work;                        /* not charged yet */
    int depth, count;                    /* of captures */
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

/* p: a set of characters, "x", ".", "%a" or "[...]", that ends at end */
static bool in_set(unsigned char c, const char *p, const char *end)
{
    switch (*p) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)p[1]);
    case '[': return in_brackets(c, p + 1, end - 1);
    default: return (unsigned char)*p == c;
    }
}

/* Behind the one set of characters that begins at p. */
static const char *end_of_set(const Match *m, const char *p)
{
    if (*p == '%' && p + 1 == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    if (*p == '%') return p + 2;
    if (*p != '[') return p + 1;
    p += p[1] == '^' ? 2 : 1;
    for (const char *first = p; p < m->pattern_end; p++) {
        if (*p == ']' && p > first) return p + 1;
        if (*p == '%') p++;
    }
    luaL_error(m->L, "malformed pattern (missing ']')");
    return NULL;
}

/* ---- matching ---- */

static void work(Match *m, int64_t units)
{
    m->work += units;
    if (m->work < HOOK_INSTRUCTIONS) return;
    spend_work(m->L, m->work);
    m->work = 0;
}

static bool fits(Match *m, const char *s, const char *p, const char *end)
{
    work(m, 1 + (end - p) / 8);
    return s < m->end && in_set((unsigned char)*s, p, end);
}

static const char *match(Match *m, const char *s, const char *p);

/* ( or () at p */
static const char *match_open(Match *m, const char *s, const char *p)
{
    bool position = p[1] == ')';
    if (m->count == MAX_CAPTURES) luaL_error(m->L, "too many captures");
    m->captures[m->count++] = (Capture){s, position ? POSITION_CAPTURE : OPEN_CAPTURE};
    const char *end = match(m, s, p + (position ? 2 : 1));
    if (!end) m->count--;
    return end;
}

static const char *match_close(Match *m, const char *s, const char *p)
{
    int i = m->count;
    do if (i-- == 0) luaL_error(m->L, "invalid pattern capture");
    while (m->captures[i].length != OPEN_CAPTURE);
    m->captures[i].length = s - m->captures[i].at;
    const char *end = match(m, s, p + 1);
    if (!end) m->captures[i].length = OPEN_CAPTURE;
    return end;
}

/* Behind what is between the characters at p, which is in balance; NULL: there is none. */
static const char *balanced(Match *m, const char *s, const char *p)
{
    if (m->pattern_end - p < 2) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s == m->end || *s != p[0]) return NULL;
    for (int64_t open = 1; ++s < m->end;) {
        work(m, 1);
        if (*s == p[1] && --open == 0) return s + 1;
        if (*s == p[0] && p[0] != p[1]) open++;
    }
    return NULL;
}

/* Behind the text of capture n once more. */
static const char *repeated(Match *m, const char *s, int n)
{
    if (n < 0 || n >= m->count || m->captures[n].length == OPEN_CAPTURE) luaL_error(m->L, "invalid capture index %%%d", n + 1);
    const Capture *c = &m->captures[n];
    if (c->length < 0) return NULL;
    size_t length = (size_t)c->length;
    work(m, (int64_t)(length / 16));
    return (size_t)(m->end - s) >= length && !memcmp(c->at, s, length) ? s + length : NULL;
}

/* Where the pattern from p on, met from s on, ends; NULL: nowhere. */
static const char *match(Match *m, const char *s, const char *p)
{
    if (++m->depth > MAX_DEPTH) luaL_error(m->L, "pattern too complex");
    bool done = false;
    while (s && !done && p < m->pattern_end) {
        work(m, 1);
        const char *end = NULL;
        if (*p == '(' || *p == ')') {
            s = *p == '(' ? match_open(m, s, p) : match_close(m, s, p);
            done = true;
        } else if (*p == '$' && p + 1 == m->pattern_end) {
            if (s != m->end) s = NULL;
            done = true;
        } else if (*p == '%' && p[1] == 'b') {
            s = balanced(m, s, p + 2);
            p += 4;
        } else if (*p == '%' && isdigit((unsigned char)p[1])) {
            s = repeated(m, s, p[1] - '1');
            p += 2;
        } else if (*p == '%' && p[1] == 'f') {
            unsigned char before = s > m->subject ? (unsigned char)s[-1] : '\0', here = s < m->end ? (unsigned char)*s : '\0';
            p += 2;
            if (*p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
            end = end_of_set(m, p);
            if (in_set(before, p, end) || !in_set(here, p, end)) s = NULL;
            p = end;
        } else {
            const char *q = end_of_set(m, p);
            if (q < m->pattern_end && *q == '?') {
                end = fits(m, s, p, q) ? match(m, s + 1, q + 1) : NULL;
                if (end) s = end, done = true;
                p = q + 1;
            } else if (q < m->pattern_end && (*q == '*' || *q == '+')) {
                ptrdiff_t n = 0, least = *q == '+';
                while (fits(m, s + n, p, q)) n++;
                for (; n >= least && !end; n--) end = match(m, s + n, q + 1);
                s = end, done = true;
            } else if (q < m->pattern_end && *q == '-') {
                while (!(end = match(m, s, q + 1)) && fits(m, s, p, q)) s++;
                s = end, done = true;
            } else {
                s = fits(m, s, p, q) ? s + 1 : NULL;
                p = q;
            }
        }
    }
    m->depth--;
    return s;
}

/* A match of the pattern at s, or NULL. */
static const char *match_at(Match *m, const char *s)
{
    m->count = m->depth = 0;
    return match(m, s, m->pattern);
}

/* anchors: a ^ in front is one. */
static Match begin_match(lua_State *L, const char *subject, size_t n, const char *pattern, size_t length, bool anchors)
{
    bool anchored = anchors && length && *pattern == '^';
    return (Match){.L = L, .subject = subject, .end = subject + n, .pattern = pattern + anchored, .pattern_end = pattern + length,
                   .anchored = anchored};
}

static void finish(Match *m)
{
    spend_work(m->L, m->work);
    m->work = 0;
}

/* ---- captures ---- */

/* The i-th; the first, where there is none, is the match. */
static void push_capture(Match *m, int i, const char *from, const char *to)
{
    if (i >= m->count) {
        if (i > 0) luaL_error(m->L, "invalid capture index %%%d", i + 1);
        lua_pushlstring(m->L, from, (size_t)(to - from));
        return;
    }
    const Capture *c = &m->captures[i];
    if (c->length == OPEN_CAPTURE) luaL_error(m->L, "unfinished capture");
    if (c->length == POSITION_CAPTURE) lua_pushinteger(m->L, c->at - m->subject + 1);
    else lua_pushlstring(m->L, c->at, (size_t)c->length);
}

/* All of them; where there are none, and whole: the match. Their number. */
static int push_captures(Match *m, const char *from, const char *to, bool whole)
{
    int n = m->count ? m->count : whole;
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
    Match m = begin_match(L, subject, n, text, length, true);
    const char *from = subject + start, *to;
    while (!(to = match_at(&m, from)) && !m.anchored && from < m.end) from++;
    finish(&m);
    if (!to) return lua_pushnil(L), 1;
    if (!find) return push_captures(&m, from, to, true);
    lua_pushinteger(L, from - subject + 1);
    lua_pushinteger(L, to - subject);
    return push_captures(&m, from, to, false) + 2;
}

static int string_find(lua_State *L) { return find_or_match(L, true); }
static int string_match(lua_State *L) { return find_or_match(L, false); }

enum { UP_SUBJECT = 1, UP_PATTERN, UP_AT, UP_LAST };

/* An empty match where the last one ended is none. */
static int next_match(lua_State *L)
{
    size_t n, length;
    const char *subject = lua_tolstring(L, lua_upvalueindex(UP_SUBJECT), &n);
    const char *text = lua_tolstring(L, lua_upvalueindex(UP_PATTERN), &length);
    Match m = begin_match(L, subject, n, text, length, false);
    size_t at = (size_t)lua_tointeger(L, lua_upvalueindex(UP_AT));
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(UP_LAST));
    for (const char *from = subject + at; at <= n && from <= m.end; from++) {
        const char *to = match_at(&m, from);
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
    size_t n;
    luaL_checklstring(L, 1, &n);
    luaL_checkstring(L, 2);
    size_t start = start_at(L, 3, n);
    lua_settop(L, 2);
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
            push_capture(m, *p - '1', from, to);
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
    Match m = begin_match(L, s, n, text, length, true);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    while (count < most) {
        const char *to = match_at(&m, s);
        if (to && to != last) {
            count++;
            if (texts) add_text(&m, &b, s, to);
            else add_value(&m, &b, s, to);
            s = last = to;
        } else if (s < m.end) luaL_addchar(&b, *s++);
        else break;
        if (m.anchored) break;
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
