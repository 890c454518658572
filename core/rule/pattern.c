/* pattern: search patterns, which find places. */
#include "match.h"
#include "pattern.h"

#include <string.h>

typedef struct Known {                       /* a name of the pattern, looked up in the term */
    const char *name;
    bool in_term;
    const struct Known *next;
} Known;

struct SearchPattern {
    const Source *source;
    const Ast *ast;                          /* in normal form */
    Arena *arena;
    const Term *root;                        /* the term that known is about */
    const Known *known;
};

/* ---- parsing ---- */

/* `f x` with an f that is no primitive can only match when x is bound by the pattern: else f was misspelt. */
static bool check_heads(Ctx *c, Arena *arena, const Source *s, const Ast *a, const Env *bound)
{
    const Ast *h = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? a->kids[0] : NULL;
    bool function = h && !pattern_is_guard(h->name) && strcmp(h->name, "id") && perm_kind_from_name(h->name) == PERM_KINDS
                 && pattern_prim(h->name) == PRIM_COUNT;
    for (int i = 1; i < a->kid_count && function; i++) {
        const Ast *k = a->kids[i]->kind == AST_SPREAD ? a->kids[i]->kids[0] : a->kids[i];
        if (k->kind == AST_NAME && env_find(bound, k->name)) continue;
        NearName near = {.typed = h->name};
        for (int j = 0; j < PRIM_COUNT; j++) near_try(&near, prim((PrimId)j)->name);
        if (near.name) diag_error_at(&c->diag, E02, s, h->span, "no primitive \"%.60s\"; did you mean %s?", h->name, near.name);
        else diag_error_at(&c->diag, E02, s, h->span, "no primitive \"%.60s\" to look for", h->name);
        diag_note(&c->diag, "try", "list functions");
        return false;
    }
    for (int i = 0; i < a->pat_count; i++) bound = env_with_names(arena, a->pats[i], bound);
    return ALL(i, a->kid_count, check_heads(c, arena, s, a->kids[i], bound));
}

SearchPattern *pattern_parse(Ctx *c, Arena *arena, const Source *s)
{
    SearchPattern *p = NEW(arena, SearchPattern);
    Parser parser = {.arena = arena, .names = c->names, .diag = &c->diag};
    *p = (SearchPattern){.source = s, .arena = arena};
    const Ast *a = parse_expr(&parser, s);
    if (!a || !check_heads(c, arena, s, a, NULL)) return NULL;
    p->ast = pattern_normalise_search(c, arena, s, a);
    return p->ast ? p : NULL;
}

PrimId pattern_head(const SearchPattern *p)
{
    const Ast *a = p->ast;
    if (a->kind == AST_BINARY) return prim_from_name(a->name);
    if (a->kind == AST_TUPLE) return PRIM_TUPLE;
    if (a->kind == AST_APP) a = a->kids[0];
    return a->kind == AST_NAME ? pattern_prim(a->name) : a->kind == AST_OP ? prim_from_name(a->name) : PRIM_COUNT;
}

/* ---- names of the term ---- */

typedef struct Names {
    Ctx *c;
    SearchPattern *p;
    const Term *root;
    const Path *at;
} Names;

static bool in_term(Ctx *c, SearchPattern *p, const Term *root, const char *name)
{
    if (p->root != root) p->known = NULL;
    p->root = root;
    for (const Known *k = p->known; k; k = k->next)
        if (!strcmp(k->name, name)) return k->in_term;
    Known *k = MAKE(p->arena, Known, name, lang_has_name(c, root, name), p->known);
    p->known = k;
    return k->in_term;
}

/* The path of what is at slots below the place; false: it is too long. */
static bool whole_path(const Names *n, const uint8_t *slots, int count, Path *out)
{
    if (n->at->length + count > PATH_MAX_LENGTH) return false;
    *out = *n->at;
    memcpy(out->slots + out->length, slots, (size_t)count);
    out->length = (uint8_t)(out->length + count);
    return true;
}

static int named(void *data, const char *name, const char *text, const uint8_t *slots, int count)
{
    enum { NAME_LENGTH = 100 };
    const Names *n = data;
    Path p;
    if (name[0] == '%' || !in_term(n->c, n->p, n->root, name)) return -1;
    if (!slots) return !strcmp(text, name);
    return whole_path(n, slots, count, &p) && !strcmp(lang_text(n->c, n->root, p.slots, p.length, NAME_LENGTH), name);
}

static const char *behind_part(const char *s)        /* behind one name or bracketed list */
{
    int open = 0;
    for (; *s && (open || (*s != ',' && *s != ')')); s++) open += (*s == '(') - (*s == ')');
    return s;
}

/* Does a printed binder "(acc, (x, y))" have the names of the pattern that the body does not use? */
static bool same_names(const AstPat *p, const Ast *body, const char *text)
{
    size_t n = (size_t)(behind_part(text) - text);
    if (p->name) {
        bool free = !strcmp(p->name, "_") || p->name[0] == '%' || p->spread || ast_mentions(body, p->name);
        return free || (strlen(p->name) == n && !strncmp(p->name, text, n));
    }
    if (*text != '(') return true;                       /* a tuple used whole has one name; the matcher decides */
    text++;
    for (int i = 0; i < p->kid_count; i++) {
        if (p->kids[i]->spread) return true;
        if (!same_names(p->kids[i], body, text)) return false;
        text = behind_part(text);
        text += strspn(text, ", ");
    }
    return true;
}

static bool all_used(const AstPat *p, const Ast *body)
{
    bool used = !p->name || !strcmp(p->name, "_") || p->name[0] == '%' || ast_mentions(body, p->name);
    for (int i = 0; i < p->kid_count; i++) used = used && all_used(p->kids[i], body);
    return used;
}

static bool binds(void *data, const AstPat *pat, const Ast *body, const uint8_t *slots, int count)
{
    const Names *n = data;
    Path p;
    if (all_used(pat, body)) return true;
    return whole_path(n, slots, count, &p) && same_names(pat, body, lang_binder(n->c, n->root, p.slots, p.length));
}

/* ---- matching ---- */

static bool match(Ctx *c, const SearchPattern *p, const Term *root, const Path *at, Matcher *m)
{
    Names names = {c, (SearchPattern *)p, root, at};     /* its memory of names changes */
    *m = (Matcher){.c = c, .arena = m->arena, .source = p->source, .explain = m->explain, .named = named, .binds = binds,
                   .names = &names};
    return match_term(m, p->ast, path_term(root, at), NULL);
}

bool pattern_matches(Ctx *c, const SearchPattern *p, const Term *root, const Path *at)
{
    const Term *t = path_term(root, at);
    if (!t || t->kind == T_LAM) return false;
    ArenaMark mark = arena_mark(c->scratch);
    Matcher m = {.arena = c->scratch};
    bool ok = match(c, p, root, at, &m);
    arena_release(c->scratch, mark);
    return ok;
}

int pattern_mismatch(Ctx *c, const SearchPattern *p, const Term *root, const Path *at, PatternMiss *out)
{
    Matcher m = {.arena = arena_new(), .explain = true};
    const Mismatch *x = &m.mismatch;
    int progress = 0;
    if (!match(c, p, root, at, &m) && x->needs) {
        progress = x->progress;
        *out = (PatternMiss){arena_strdup(c->diag.arena, x->needs),
                             x->detail ? arena_strdup(c->diag.arena, x->detail) : NULL, *at};
        for (int i = 0; i < x->path_length && out->where.length < PATH_MAX_LENGTH; i++)
            out->where.slots[out->where.length++] = x->path[i];
    }
    arena_free(m.arena);
    return progress;
}

static const char *free_name(Ctx *c, SearchPattern *p, const Term *root, const Ast *a, const Env *bound)
{
    const char *found = NULL;
    if (a->kind == AST_NAME) {
        const char *name = a->name;
        bool own = name[0] == '_' || name[0] == '%' || env_find(bound, name) || !strcmp(name, "id")
                || pad_mode_from_name(name) != PAD_MODES || perm_kind_from_name(name) != PERM_KINDS || pattern_prim(name) != PRIM_COUNT;
        return own || in_term(c, p, root, name) ? NULL : name;
    }
    for (int i = 0; i < a->pat_count; i++) bound = env_with_names(p->arena, a->pats[i], bound);
    for (int i = 0; i < a->kid_count && !found; i++) found = free_name(c, p, root, a->kids[i], bound);
    return found;
}

const char *pattern_free_name(Ctx *c, const SearchPattern *p, const Term *root)
{
    return free_name(c, (SearchPattern *)p, root, p->ast, NULL);
}
