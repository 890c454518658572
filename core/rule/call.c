/* call: an elementary rewrite read back from its text (rule_call_text): splitJoin{n=s0}, mapLocal(0), mapReorder.rev. */
#include "rule.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

typedef struct Call {
    Ctx *c;
    Arena *arena;
    LangScope scope;                     /* fresh tuning parameters that the arguments name are in it */
    const Rule *rule;
    const char *text;
} Call;

static bool bad_call(const Call *k, const char *what)
{
    return ctx_error(k->c, E22, "\"%.80s\" %s" NOTE("needs") "%s as in RULE{n=s0, d=1}, RULE(4) or RULE", k->text, what,
                     k->rule ? k->rule->name : "a rule");
}

/* ---- scope ---- */

static bool is_name(const char *name, const char *s, size_t n) { return strlen(name) == n && !strncmp(name, s, n); }

/* Names of new tuning parameters in a text: those that rules give; of a size all that begin with a small letter and name none of the program's. */
static void add_names(Call *k, const char *text, bool size)
{
    const Program *program = k->scope.program;
    int most = k->scope.param_count + (int)strlen(text) / 2 + 1;
    const char **names = NEW_ARRAY(k->arena, const char *, most);
    for (int i = 0; i < k->scope.param_count; i++) names[i] = k->scope.params[i];
    k->scope.params = names;
    for (const char *p = text; *p;) {
        size_t n = 0;
        while (is_name_char(p[n])) n++;
        /* s0, s1 ...: what rule_apply calls a fresh tuning parameter. */
        bool fits = (n > 1 && *p == 's' && strspn(p + 1, "0123456789") >= n - 1)
                 || (size && n && *p >= 'a' && *p <= 'z' && p[n] != '('
                     && !(program && ANY(i, program->size_count, is_name(nat_atom(program->sizes[i])->name, p, n))));
        if (fits && !ANY(i, k->scope.param_count, is_name(names[i], p, n)))
            names[k->scope.param_count++] = arena_strndup(k->arena, p, n);
        p += n ? n : 1;
    }
}

/* ---- one argument ---- */

static const Source *source_of(const Call *k, const char *text)
{
    return MAKE(k->arena, Source, "call", text, strlen(text));
}

/* [[text]] or "text" with \" and \\ taken back; NULL when it is not quoted. *end is behind it. */
static char *quoted(const Call *k, const char *text, const char **end)
{
    const char *close = strncmp(text, "[[", 2) ? NULL : strstr(text, "]]");
    if (close) return *end = close + 2, arena_strndup(k->arena, text + 2, (size_t)(close - text - 2));
    if (*text != '"') return NULL;
    char *out = arena_strdup(k->arena, text + 1), *to = out;
    const char *p = text + 1;
    for (; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1]) p++;
        *to++ = *p;
    }
    if (!*p) return NULL;
    *to = 0;
    *end = p + 1;
    return out;
}

/* A function i32 -> i32: read as that of a `generate`, where it has this type. */
static const Term *index_function(const Call *k, const char *text)
{
    const char *whole = arena_printf(k->arena, "generate 1 (%s)", text);
    const Type *array = type_array(k->c, nat_const(k->c->nats, 1), type_scalar(k->c, SC_I32));
    const Term *t = lang_expr(k->c, &k->scope, source_of(k, whole), array);
    return t && t->kind == T_PRIM && t->prim == PRIM_GENERATE && t->type == array ? t->args[0] : NULL;
}

static bool read_size(const Call *k, const char *text, RuleArg *out)
{
    Call named = *k;
    add_names(&named, text, true);
    out->size = lang_size(k->c, &named.scope, source_of(k, text));
    return out->size != NULL;
}

static bool read_perm(const Call *k, const char *text, RuleArg *out)
{
    size_t n = strcspn(text, "("), len = strlen(text);
    PermKind kind = perm_kind_from_name(arena_strndup(k->arena, text, n));
    if (kind == PERM_KINDS) return bad_call(k, "has no permutation where one belongs");
    out->perm = kind;
    out->size = nat_const(k->c->nats, 0);
    if (kind == PERM_FUN) {                                    /* ([[f]], [[g]]) */
        const char *end = text + n, *fwd = *end == '(' ? quoted(k, end + 1, &end) : NULL;
        if (fwd) end += strspn(end, ", ");
        const char *inv = fwd ? quoted(k, end, &end) : NULL;
        out->fwd = inv && !strcmp(end, ")") ? index_function(k, fwd) : NULL;
        out->inv = out->fwd ? index_function(k, inv) : NULL;
        return out->inv || bad_call(k, "has no perm([[f]], [[g]]) of two index functions where one belongs");
    }
    if (kind == PERM_REVERSE) return !text[n] || bad_call(k, "has an argument after reverse");
    if (!text[n] || text[len - 1] != ')') return bad_call(k, "has a permutation without its number");
    return read_size(k, arena_strndup(k->arena, text + n + 1, len - n - 2), out);
}

/* ---- the list of arguments ---- */

/* The end of the argument at p: a comma outside brackets and quotes, or the end. */
static const char *argument_end(const char *p)
{
    int depth = 0;
    for (; *p && (depth > 0 || *p != ','); p++) {
        if (strchr("([{", *p)) depth++;
        else if (strchr(")]}", *p)) depth--;
        else if (*p == '"')
            for (p++; *p && *p != '"'; p++) p += *p == '\\' && p[1];
        if (!*p) break;
    }
    return p;
}

static char *trimmed(const Call *k, const char *from, const char *to)
{
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    return arena_strndup(k->arena, from, (size_t)(to - from));
}

static bool read_argument(const Call *k, bool named, int i, const char *text, RuleArg args[RULE_ARGS])
{
    if (named) {
        size_t n = 0;
        while (is_name_char(text[n])) n++;
        if (text[n] != '=') return bad_call(k, "has an argument without NAME=");
        for (i = 0; i < k->rule->param_count && !is_name(k->rule->params[i].name, text, n);) i++;
        text += n + 1;
    }
    if (i >= k->rule->param_count) return bad_call(k, "has an argument that the rule does not take");
    StaticKind kind = k->rule->params[i].kind;
    RuleArg *out = &args[i];
    *out = (RuleArg){.set = true};
    if (kind == STATIC_MODE) {
        const char *end = text, *name = quoted(k, text, &end);
        PadMode mode = name && !*end ? pad_mode_from_name(name) : PAD_MODES;
        out->size = nat_const(k->c->nats, mode);
        return mode != PAD_MODES || bad_call(k, "has no mode \"clamp\", \"mirror\" or \"wrap\" where one belongs");
    }
    if (kind == STATIC_PERM) return read_perm(k, text, out);
    return read_size(k, text, out);
}

static bool read_arguments(Call *k, const char *text, RuleArg args[RULE_ARGS])
{
    size_t len = strlen(text);
    bool named = *text == '{';
    if (len < 2 || (*text != '(' && !named) || text[len - 1] != (named ? '}' : ')'))
        return bad_call(k, "is not a call of a rule");
    const char *p = trimmed(k, text + 1, text + len - 1);
    add_names(k, p, false);
    for (int i = 0; *p; i++) {
        const char *end = argument_end(p);
        if (!read_argument(k, named, i, trimmed(k, p, end), args)) return false;
        p = end + (*end == ',');
        p += strspn(p, " ");
    }
    return true;
}

const Rule *rule_call_parse(Ctx *c, const Rules *rules, const LangScope *scope, const char *text, RuleArg args[RULE_ARGS])
{
    Call k = {.c = c, .arena = arena_new(), .scope = *scope, .text = text};
    size_t n = strcspn(text, "({ ");
    memset(args, 0, sizeof *args * RULE_ARGS);
    k.rule = rules_find(rules, arena_strndup(k.arena, text, n));
    if (!k.rule) diag_error(&c->diag, E02, "no rule called \"%.*s\"", (int)(n < 60 ? n : 60), text);
    bool ok = k.rule && (!text[n] || read_arguments(&k, text + n, args));
    arena_free(k.arena);
    return ok ? k.rule : NULL;
}
