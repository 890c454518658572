/* match: higher-order pattern matching, with backtracking, in reading order: patterns in normal form; names of a term, for search
 * patterns; goals, metavariables, contexts, nodes, functions, guards; search patterns, which find places. */
#include "match.h"

#include <string.h>

PrimId pattern_begins(const Ast *p)
{
    if (p->kind == AST_TUPLE) return PRIM_TUPLE;
    if (p->kind == AST_IF) return PRIM_IF;
    if (p->kind == AST_LET) return PRIM_LET;
    if (p->kind == AST_AT) return PRIM_AT;
    if (p->kind == AST_APP) p = p->kids[0];
    return ast_prim(p);
}

bool pattern_binds_name(const Ast *p, const char *name)
{
    return ANY(i, p->pat_count, pattern_binds(p->pats[i], name)) || ANY(i, p->kid_count, pattern_binds_name(p->kids[i], name));
}

/* As pattern_begins, where names are bound around. */
static PrimId begins(const Ast *p) { return p->kid_count ? (PrimId)(p->begins ? p->begins - 1 : PRIM_COUNT) : ast_prim(p); }

PrimId pattern_inner(const Ast *p)
{
    if (p->kind == AST_LAMBDA && p->pat_count == 1) p = p->kids[0];
    return p->kid_count ? begins(p) : PRIM_COUNT;
}

/* ---- normal form of patterns ---- */

typedef struct Normaliser {
    Ctx *c;
    Arena *arena;
    const Source *source;
    bool search;
    int fresh;
} Normaliser;

static const Ast *normalise(Normaliser *n, const Ast *a);

static Ast *node(Normaliser *n, AstKind kind, const Ast *like, int kids)
{
    return MAKE(n->arena, Ast, .kind = kind, .span = like->span, .kid_count = kids,
                .kids = NEW_ARRAY(n->arena, Ast *, kids));
}

static Ast *name_node(Normaliser *n, const char *name, const Ast *like)
{
    Ast *a = node(n, AST_NAME, like, 0);
    a->name = name;
    a->prim = (uint16_t)(named_prim(name) + 1);
    return a;
}

/* f applied to one more argument, flattened. */
static Ast *apply_node(Normaliser *n, const Ast *f, const Ast *arg)
{
    int had = f->kind == AST_APP ? f->kid_count : 1;
    Ast *a = node(n, AST_APP, f, had + 1);
    for (int i = 0; i < had; i++) a->kids[i] = f->kind == AST_APP ? f->kids[i] : (Ast *)f;
    a->kids[had] = (Ast *)arg;
    if (f->kind == AST_BINARY && *f->name == '.') return apply_node(n, f->kids[0], apply_node(n, f->kids[1], arg));
    return a;
}

static AstPat *pattern_node(Normaliser *n, const char *name, int kids, Span span)
{
    return MAKE(n->arena, AstPat, .name = name, .span = span, .kid_count = kids,
                .kids = NEW_ARRAY(n->arena, AstPat *, kids));
}

static const char *fresh_name(Normaliser *n) { return intern(n->c->names, arena_printf(n->arena, "%%%d", n->fresh++)); }

static const Ast *lambda_node(Normaliser *n, AstPat *p, const Ast *body, const Ast *like)
{
    Ast *a = node(n, AST_LAMBDA, like, 1);
    a->kids[0] = (Ast *)body;
    a->pat_count = 1;
    a->pats = NEW_ARRAY(n->arena, AstPat *, 1);
    a->pats[0] = p;
    return a;
}

/* (op) and scalar functions given by name: \(a, b) -> a op b. */
static const Ast *operator_lambda(Normaliser *n, PrimId id, const Ast *like)
{
    int k = prim_arg_count(n->c, id);
    Ast *body = node(n, AST_APP, like, k + 1);
    AstPat *p = pattern_node(n, NULL, k, like->span);
    body->kids[0] = name_node(n, intern(n->c->names, prim(id)->name), like);
    for (int i = 0; i < k; i++) {
        const char *name = fresh_name(n);
        p->kids[i] = pattern_node(n, name, 0, like->span);
        body->kids[i + 1] = name_node(n, name, like);
    }
    return lambda_node(n, k == 1 ? p->kids[0] : p, body, like);
}

/* ---- guards of search patterns: what a function or an expression must be like ----
 * `not? WORD p` becomes an application of %WORD or %not WORD, which no text can name, to p. */

static const char *const guards[] = {"layout", "computes", "scalar", "contains"};

static bool is_guard_word(const char *name) { return text_index(guards, COUNT(guards), name) >= 0; }
static bool is_guard_name(const char *name) { return is_guard_word(name) || !strcmp(name, "not"); }

static const Ast *head_name(const Ast *a)
{
    if (a->kind == AST_APP) a = a->kids[0];
    return a->kind == AST_NAME ? a : NULL;
}

static bool is_guard(const Normaliser *n, const Ast *a)
{
    const Ast *h = head_name(a);
    return n->search && h && is_guard_name(h->name);
}

/* What an application applies its head to: one thing, or an application of it. NULL: nothing. */
static const Ast *rest_of(Normaliser *n, const Ast *a)
{
    if (a->kind != AST_APP) return NULL;
    if (a->kid_count == 2) return a->kids[1];
    Ast *r = node(n, AST_APP, a, a->kid_count - 1);
    for (int i = 1; i < a->kid_count; i++) r->kids[i - 1] = a->kids[i];
    return r;
}

static const Ast *normalise_function(Normaliser *n, const Ast *a);

static const Ast *guard_error(Normaliser *n, const Ast *a, const char *word)
{
    return ctx_error_at(n->c, E03, n->source, a->span, "%s%s" NOTE("as in") "map (layout _) _, map (not contains reduceSeq) _", word,
                        strcmp(word, "not") ? " what?" : " goes with layout, computes, scalar or contains");
}

static const Ast *normalise_guard(Normaliser *n, const Ast *a, bool function)
{
    const char *word = head_name(a)->name;
    const Ast *what = rest_of(n, a);
    bool negated = !strcmp(word, "not");
    if (negated) {
        if (!what || !head_name(what) || !is_guard_word(head_name(what)->name)) return guard_error(n, a, word);
        a = what;
        word = head_name(a)->name;
        what = rest_of(n, a);
    }
    bool contains = !strcmp(word, "contains");
    if (contains && !what) return guard_error(n, a, word);
    Ast *g = node(n, AST_APP, a, what ? 2 : 1);
    g->kids[0] = name_node(n, intern(n->c->names, arena_printf(n->arena, "%%%s%s", negated ? "not " : "", word)), a);
    if (what) g->kids[1] = (Ast *)(function && !contains ? normalise_function(n, what) : normalise(n, what));
    return what && !g->kids[1] ? NULL : g;
}

/* Where `or` stands among the parts of an application; 0: nowhere. */
static int or_at(const Ast *a)
{
    for (int i = 1; a->kind == AST_APP && i + 1 < a->kid_count; i++)
        if (a->kids[i]->kind == AST_NAME && !strcmp(a->kids[i]->name, "or")) return i;
    return 0;
}

static Ast *part_of(Normaliser *n, const Ast *a, int from, int to)
{
    if (to - from == 1) return a->kids[from];
    Ast *part = node(n, AST_APP, a->kids[from], to - from);
    memcpy(part->kids, a->kids + from, sizeof *part->kids * (size_t)(to - from));
    part->span.to = a->kids[to - 1]->span.to;
    return part;
}

/* p or q is %or p q. */
static const Ast *normalise_or(Normaliser *n, const Ast *a, bool function)
{
    int at = or_at(a);
    Ast *g = node(n, AST_APP, a, 3);
    g->kids[0] = name_node(n, intern(n->c->names, "%or"), a);
    for (int i = 1; i <= 2; i++) {
        const Ast *part = i == 1 ? part_of(n, a, 0, at) : part_of(n, a, at + 1, a->kid_count);
        g->kids[i] = (Ast *)(function ? normalise_function(n, part) : normalise(n, part));
        if (!g->kids[i]) return NULL;
    }
    return g;
}

static bool is_id(const Ast *a) { return a->kind == AST_NAME && strcmp(a->name, "id") == 0; }

/* A function position: a metavariable or hole stays, everything else becomes a lambda. */
static const Ast *normalise_function(Normaliser *n, const Ast *a)
{
    if (n->search && or_at(a)) return normalise_or(n, a, true);
    if (is_guard(n, a)) return normalise_guard(n, a, true);
    if (a->kind == AST_LAMBDA) return normalise(n, a);
    if (a->kind == AST_OP) return operator_lambda(n, prim_from_name(a->name), a);
    if (a->kind == AST_NAME && !is_id(a)) {
        PrimId id = named_prim(a->name);
        if (id == PRIM_COUNT) return a;
        if (prim(id)->family == FAM_SCALAR) return operator_lambda(n, id, a);
    }
    const char *x = fresh_name(n);
    Ast *arg = name_node(n, x, a);
    const Ast *body = is_id(a) ? arg : normalise(n, apply_node(n, a, arg));
    return body ? lambda_node(n, pattern_node(n, x, 0, a->span), body, a) : NULL;
}

/* The body of d with its parameters replaced by arguments, every part where `like` stands. */
static Ast *with_arguments(Normaliser *n, const Ast *body, const AstDecl *d, Ast *const *args, const Ast *like)
{
    for (int i = 0; i < d->param_count && body->kind == AST_NAME; i++)
        if (d->params[i]->name == body->name) return args[i];
    Ast *a = node(n, body->kind, like, body->kid_count), **kids = a->kids;
    *a = *body;
    a->span = like->span;
    a->kids = kids;
    for (int i = 0; i < body->kid_count; i++) kids[i] = with_arguments(n, body->kids[i], d, args, like);
    return a;
}

/* What a derived form means; in a search pattern, arguments that are left out are holes. NULL: a is none, or lacks arguments. */
static const Ast *derived_meaning(Normaliser *n, const Ast *a)
{
    const Ast *h = a->kind == AST_APP ? a->kids[0] : a;
    const AstDecl *d = h->kind == AST_NAME ? prelude_derived(n->c, h->name) : NULL;
    int given = a->kind == AST_APP ? a->kid_count - 1 : 0;
    if (!d || (given < d->param_count && !n->search)) return NULL;
    Ast **args = MAKE_LIST(n->arena, Ast *, i, d->param_count, i < given ? a->kids[1 + i] : name_node(n, intern(n->c->names, "_"), a));
    const Ast *meaning = with_arguments(n, d->body, d, args, a);
    for (int i = d->param_count; i < given; i++) meaning = apply_node(n, meaning, a->kids[1 + i]);
    return meaning;
}

static const Ast *normalise(Normaliser *n, const Ast *a)
{
    if (n->search && or_at(a)) return normalise_or(n, a, false);
    if (is_guard(n, a)) return normalise_guard(n, a, false);
    const Ast *meaning = derived_meaning(n, a);
    if (meaning) return normalise(n, meaning);
    if (a->kind == AST_BINARY && strcmp(a->name, "$") == 0) return normalise(n, apply_node(n, a->kids[0], a->kids[1]));
    if (a->kind == AST_BINARY && strcmp(a->name, "|>") == 0) return normalise(n, apply_node(n, a->kids[1], a->kids[0]));
    if (a->kind == AST_APP && is_id(a->kids[0]) && a->kid_count == 2) return normalise(n, a->kids[1]);
    if (a->kind == AST_APP) {
        Ast *out = node(n, AST_APP, a, a->kid_count);
        const Ast *h = a->kids[0];
        PrimId id = ast_prim(h);
        if (h->kind != AST_NAME && h->kind != AST_OP)
            return ctx_error_at(n->c, n->search ? E03 : E30, n->source, h->span,
                          "only a primitive or a metavariable can be applied in a pattern");
        out->kids[0] = (Ast *)h;
        int statics = id == PRIM_COUNT ? 0 : prim_static_count(n->c, id);
        for (int i = 1; i < a->kid_count; i++) {
            bool function = i > statics && id != PRIM_COUNT && prim_arg_is_function(n->c, id, i - 1 - statics);
            if (i <= statics) out->kids[i] = a->kids[i];
            else out->kids[i] = (Ast *)(function ? normalise_function(n, a->kids[i]) : normalise(n, a->kids[i]));
            if (!out->kids[i]) return NULL;
        }
        return out;
    }
    if (a->kid_count == 0) return a;
    Ast *out = node(n, a->kind, a, a->kid_count);
    Ast **kids = out->kids;
    *out = *a;
    out->kids = kids;
    for (int i = 0; i < a->kid_count; i++) {
        kids[i] = (Ast *)normalise(n, a->kids[i]);
        if (!kids[i]) return NULL;
    }
    return out;
}

typedef struct Around { const Ast *binder; const struct Around *up; } Around;

/* Ast.begins of it and all in it: what is applied, and bound around, is no primitive. */
static void note_begins(Ast *p, const Around *around)
{
    const Ast *h = p->kind == AST_APP ? p->kids[0] : p;
    bool bound = false;
    if (!p->kid_count) return;
    for (const Around *a = around; a && p != h && h->kind == AST_NAME; a = a->up)
        bound |= ANY(i, a->binder->pat_count, pattern_binds(a->binder->pats[i], h->name));
    PrimId id = bound ? PRIM_COUNT : pattern_begins(p);
    p->begins = id == PRIM_COUNT ? 0 : (uint16_t)(id + 1);
    Around inside = {p, around};
    for (int i = 0; i < p->kid_count; i++) note_begins(p->kids[i], p->kind == AST_LET && i == 0 ? around : &inside);
}

static const Ast *normal_form(Normaliser n, const Ast *a)
{
    Ast *p = (Ast *)normalise(&n, a);
    if (p) note_begins(p, NULL);
    return p;
}

const Ast *pattern_normalise(Ctx *c, Arena *arena, const Source *s, const Ast *a)
{
    return normal_form((Normaliser){.c = c, .arena = arena, .source = s}, a);
}

/* ---- names of the term that a search pattern is matched with ---- */

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

/* Does what is at slots have that name (1), another (0), or is it no name of the term (-1: a metavariable)? text: a size that
 * prints as text. */
static int called(const Names *n, const char *name, const char *text, const uint8_t *slots, int count)
{
    enum { NAME_LENGTH = 100 };
    Path p;
    if (name[0] == '%' || !in_term(n->c, n->p, n->root, name)) return -1;
    if (text) return !strcmp(text, name);
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

/* Do the binders there have the names that the pattern of a function gives and its body does not use? */
static bool binds(const Names *n, const AstPat *pat, const Ast *body, const uint8_t *slots, int count)
{
    Path p;
    if (all_used(pat, body)) return true;
    return whole_path(n, slots, count, &p) && same_names(pat, body, lang_binder(n->c, n->root, p.slots, p.length));
}

/* ---- goals: what is still to be matched; a linked list, so that going back costs nothing ---- */

typedef struct Goal {
    const Ast *pattern;
    const Term *term;
    const Term *part;                      /* not NULL: what is matched is what stands around it in term */
    bool function;                         /* term is a lambda, pattern a function */
    bool of_let;                           /* that lambda is a let's: its body is the slot itself */
    const Bound *bound;
    int depth;                             /* leaves bound since the place */
    const Step *where;
    Step last;                             /* of its own way there, if it is one step further than the goal's that it came from */
    const struct Goal *next;
} Goal;

static bool solve(Matcher *m, const Goal *g, MatchState s, int progress);
static bool match_function(Matcher *m, const Goal *g, MatchState s, int progress);

/* False; the furthest failure is remembered, the first of equal ones. */
static bool fail(Matcher *m, const Goal *g, int progress, const char *detail)
{
    Mismatch *x = &m->mismatch;
    if (!m->explain || progress < x->progress || (progress == x->progress && x->needs)) return false;
    x->progress = progress;
    Span span = g->pattern->span;
    x->needs = arena_strndup(m->arena, m->source->text + span.from, span.to - span.from);
    x->detail = detail;
    x->path_length = g->where ? g->where->length : 0;
    if (x->path_length > COUNT(x->path)) x->path_length = COUNT(x->path);
    for (const Step *w = g->where; w; w = w->up)
        if (w->length <= COUNT(x->path)) x->path[w->length - 1] = w->slot;
    return false;
}

static const Step *step(Matcher *m, const Step *up, int slot)
{
    if (!m->explain && !m->trace && !m->names && !m->equal) return NULL;
    return MAKE(m->arena, Step, (uint8_t)slot, up ? up->length + 1 : 1, up);
}

static Goal *push(Matcher *m, const Goal *from, const Ast *pattern, const Term *term, int slot, const Goal *next)
{
    Goal *g = arena_copy(m->arena, from, sizeof *from);
    g->pattern = pattern;
    g->term = term;
    g->part = NULL;
    g->function = g->of_let = false;
    g->next = next;
    if (slot < 0) return g;
    g->last = (Step){(uint8_t)slot, from->where ? from->where->length + 1 : 1, from->where};
    g->where = &g->last;
    return g;
}

static const Bound *find_bound(const Bound *b, const char *name)
{
    while (b && b->name != name) b = b->next;
    return b;
}

/* Of the value whose leaves are at `level`, seen from `depth`. */
static int index_of(const Type *type, int level, int depth) { return depth - level - type->leaf_count; }

/* ---- metavariables ---- */

static const char *which_bound(Matcher *m, const Goal *g, const char *meta)
{
    if (!m->explain) return NULL;
    for (const Bound *b = g->bound; b; b = b->next)
        if (!b->is_list && b->name[0] != '%'
            && term_mentions(g->term, index_of(b->type, b->level, g->depth), b->type->leaf_count))
            return arena_printf(m->arena, "%s would mention %s, which the rule binds", meta, b->name);
    return arena_printf(m->arena, "%s would mention a variable that the rule binds", meta);
}

static const uint8_t *slots_of(Matcher *m, const Step *w, int *n)
{
    *n = w ? w->length : 0;
    uint8_t *slots = NEW_ARRAY(m->arena, uint8_t, *n);
    for (; w; w = w->up) slots[w->length - 1] = w->slot;
    return slots;
}

/* Remember that the metavariable stands for what is at w. */
static void trace(Matcher *m, MatchState *s, const char *name, int index, bool applied, const Step *w)
{
    if (!m->trace) return;
    MetaPlace *p = MAKE(m->arena, MetaPlace, .name = name, .index = index, .applied = applied, .next = s->metas);
    p->slots = slots_of(m, w, &p->length);
    s->metas = p;
}

/* As called; in rules every name is a metavariable. */
static int named(Matcher *m, const char *name, const Goal *g)
{
    int n;
    if (!m->names) return -1;
    const uint8_t *slots = slots_of(m, g->where, &n);
    return called(m->names, name, NULL, slots, n);
}

/* Let the name stand for that; false: it stands for something else. */
static bool bind(Matcher *m, MatchState *s, Env b)
{
    const Env *old = env_find(s->env, b.name);
    bool two_numbers = old && old->kind == BIND_TERM && b.kind == BIND_TERM && old->term != b.term && old->term->type == b.term->type;
    if (old && (old->kind != b.kind || two_numbers)) {          /* N + M, calculated and as one size, is the same number */
        const Nat *size = env_size(m->c, old);
        return size && size == env_size(m->c, &b);
    }
    if (old)
        return old->term == b.term && old->arity == b.arity && old->nat == b.nat && old->perm == b.perm
            && old->fwd == b.fwd && old->inv == b.inv;
    b.next = s->env;
    s->env = arena_copy(m->arena, &b, sizeof b);
    return true;
}

/* Of a function: arity arguments, taken as one. */
static bool bind_term(Matcher *m, const Goal *g, MatchState s, const char *name, BindKind kind, const Term *t,
                      int arity, int progress)
{
    trace(m, &s, name, 0, kind == BIND_FUN && !g->function, g->where);
    if (bind(m, &s, (Env){.name = name, .kind = kind, .term = t, .arity = arity})) return solve(m, g->next, s, progress + 1);
    return fail(m, g, progress, m->explain ? arena_printf(m->arena, "%s already stands for something else", name) : NULL);
}

static bool match_meta(Matcher *m, const Goal *g, MatchState s, int progress)
{
    const char *name = g->pattern->name;
    if (name[0] == '_' && !name[1]) return solve(m, g->next, s, progress + 1);
    const Bound *b = find_bound(g->bound, name);
    if (b && !b->is_list && !g->function) {
        if (term_is_param(g->term, b->type, index_of(b->type, b->level, g->depth))) return solve(m, g->next, s, progress + 1);
        return fail(m, g, progress, NULL);
    }
    int is = named(m, name, g);
    if (is >= 0) return is ? solve(m, g->next, s, progress + 1) : fail(m, g, progress, NULL);
    const Term *t = term_shift(m->c, g->term, -g->depth, 0);
    if (!t) return fail(m, g, progress, which_bound(m, g, name));
    return bind_term(m, g, s, name, g->function ? BIND_FUN : BIND_TERM, t, g->function ? 1 : 0, progress);
}

/* The component of a bound variable that p or p.0.1 is: its type and level; NULL: none. */
static const Type *bound_part(const Goal *g, const Ast *p, int *level)
{
    if (p->kind == AST_NAME) {
        const Bound *b = find_bound(g->bound, p->name);
        *level = b ? b->level : 0;
        return b && !b->is_list ? b->type : NULL;
    }
    const Type *whole = p->kind == AST_PROJ ? bound_part(g, p->kids[0], level) : NULL;
    if (!whole || whole->kind != TY_TUPLE || p->ival >= whole->count) return NULL;
    for (int i = 0; i < p->ival; i++) *level += whole->elems[i]->leaf_count;
    return whole->elems[p->ival];
}

/* The bound variables a higher-order metavariable is applied to, spreads expanded: types and first
 * indices. False: not a pattern. */
static bool applied_to(const Goal *g, const Ast *a, const Type **types, int *indices, int *count)
{
    *count = 0;
    for (int i = 1; i < a->kid_count; i++) {
        const Ast *k = a->kids[i];
        bool spread = k->kind == AST_SPREAD;
        if (spread) k = k->kids[0];
        int level = 0;
        const Bound *list = spread && k->kind == AST_NAME ? find_bound(g->bound, k->name) : NULL;
        const Type *one = spread ? NULL : bound_part(g, k, &level);
        if (spread ? !list || !list->is_list : !one) return false;
        for (int j = 0; j < (spread ? list->count : 1); j++) {
            if (*count == ARG_MAX) return false;
            types[*count] = spread ? list->types[j] : one;
            indices[*count] = index_of(types[*count], spread ? list->levels[j] : level, g->depth);
            (*count)++;
        }
    }
    return true;
}

/* ---- contexts: e p a with patterns p that are no bound variables. e is what stands around a part that matches p; every
 * occurrence of that part is its argument. Of several patterns, the first is matched first. Parts are tried in pre-order;
 * a part does not use what is bound inside the term, and has no name there. ---- */

typedef struct Context {
    Matcher *m;
    const Goal *g;
    int hole;                              /* which of the pattern's kids p is */
    PrimId head;                           /* that p starts with; PRIM_COUNT: no certain one */
    const MatchState *s;
    int progress;
} Context;

/* t with parameter `index` (its last leaf) for the part; all are seen from inside what t has bound. */
static const Term *with_hole(Ctx *c, const Term *t, const Term *part, int index)
{
    if (t == part) return term_param(c, part->type, index);
    if (t->size <= part->size) return t;
    int leaves = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    const Term *inside = leaves ? term_shift(c, part, leaves, 0) : part;
    return TERM_MAP(c, t, i, with_hole(c, t->args[i], inside, index + leaves));
}

/* Match p against the part at w, seen from outside, then e against the term with a bound variable in place of the part. */
static bool match_part(const Context *k, const Term *part, const Step *w)
{
    const Goal *g = k->g;
    Arena *a = k->m->arena;
    const char *unnamed = arena_strdup(a, "%part");       /* names are told apart by where they are */
    Bound *bound = MAKE(a, Bound, .name = unnamed, .type = part->type, .level = g->depth, .next = g->bound);
    Ast *name = NEW(a, Ast), *applied = NEW(a, Ast);
    *name = (Ast){.kind = AST_NAME, .name = unnamed, .span = g->pattern->kids[k->hole]->span};
    *applied = *g->pattern;
    applied->kids = NEW_ARRAY(a, Ast *, applied->kid_count);
    memcpy(applied->kids, g->pattern->kids, sizeof *applied->kids * (size_t)applied->kid_count);
    applied->kids[k->hole] = name;
    Goal *context = push(k->m, g, applied, g->term, -1, g->next);
    context->part = part;
    context->bound = bound;
    context->depth += part->type->leaf_count;
    Goal *inside = push(k->m, g, g->pattern->kids[k->hole], part, -1, context);
    inside->where = w;
    MatchState s = *k->s;
    s.around = true;
    return solve(k->m, inside, s, k->progress);
}

/* Does a choice guard what t reads, or the divisors in it, where they are not known to be right anyway? */
static bool needs_guard(const Context *k, const Term *t)
{
    const Matcher *m = k->m;
    if (m->root) return term_part_may_fail(m->c, m->root, m->at->slots, m->at->length, t);
    return term_part_may_fail(m->c, k->g->term, NULL, 0, t);
}

static void part_is_guarded(const Context *k, const Term *part, const Step *w)
{
    Goal *inside = push(k->m, k->g, k->g->pattern->kids[k->hole], part, -1, NULL);
    inside->where = w;
    fail(k->m, inside, k->progress + 2, "only an arm of a choice asks for it; elsewhere an index may be out of range, or a divisor 0");
}

/* named: t is the value of a let, which would vanish with it. guarded: in an arm of a choice, out of which nothing may come that could fail. */
static bool match_parts(const Context *k, const Term *t, int leaves, const Step *w, bool named, bool guarded)
{
    if (k->m->fuel-- <= 0) return false;
    /* What would say how far it got tries all. */
    bool other = k->head != PRIM_COUNT && (t->kind != T_PRIM || t->prim != k->head) && !k->m->explain;
    const Term *part = named || other || t->kind == T_LAM || t == k->g->term ? NULL : leaves ? term_shift(k->m->c, t, -leaves, 0) : t;
    if (part && guarded && needs_guard(k, t)) {
        if (k->m->explain && k->head != PRIM_COUNT && term_is(t, k->head)) part_is_guarded(k, part, w);
        part = NULL;
    }
    if (part && match_part(k, part, w)) return true;
    for (int i = 0; i < term_slot_count(t); i++) {
        bool value = i == 0 && term_is(t, PRIM_LET);
        if (match_parts(k, term_slot(t, i), leaves + term_slot_binds(t, i), step(k->m, w, i), value, guarded || term_guards(t, i))) return true;
    }
    return false;
}

/* e a b: the open term becomes a lambda over (a, b) at the depth of the place. */
static bool match_higher_order(Matcher *m, const Goal *g, MatchState s, int progress)
{
    const Type *types[ARG_MAX];
    int indices[ARG_MAX], n, leaves = 0;
    const char *name = g->pattern->kids[0]->name;
    for (int i = 1; i < g->pattern->kid_count; i++) {
        const Ast *k = g->pattern->kids[i];
        if (k->kind == AST_SPREAD || (k->kind == AST_NAME && find_bound(g->bound, k->name))) continue;
        Context context = {m, g, i, begins(k), &s, progress};
        return match_parts(&context, g->term, 0, g->where, false, false)
            || fail(m, g, progress, m->explain ? arena_printf(m->arena, "%s stands for what is around such a part", name) : NULL);
    }
    if (!applied_to(g, g->pattern, types, indices, &n) || n == 0)
        return fail(m, g, progress, m->explain ? arena_printf(m->arena, "%s is not applied to bound variables", name) : NULL);
    for (int i = 0; i < n; i++) leaves += types[i]->leaf_count;
    /* Every bound index i becomes a variable of the new lambda if it belongs to an argument; then
     * none of the old may remain. */
    const Term **values = MAKE_LIST(m->arena, const Term *, i, g->depth, NULL);
    int next = leaves;
    for (int i = 0; i < n; i++)
        for (int k = types[i]->leaf_count - 1; k >= 0; k--) {
            const Type *leaf = type_leaf(types[i], types[i]->leaf_count - 1 - k);
            values[indices[i] + k] = term_var(m->c, --next, leaf);
        }
    for (int i = 0; i < g->depth; i++) {
        if (!values[i] && term_mentions(g->term, i, 1)) return fail(m, g, progress, which_bound(m, g, name));
        if (!values[i]) values[i] = term_int(m->c, type_scalar(m->c, SC_I32), 0);     /* never used */
    }
    const Term *body = term_subst(m->c, term_shift(m->c, g->term, leaves, g->depth), values, g->depth);
    const Type *param = type_tuple(m->c, types, n);
    const Term *f = body ? term_lam(m->c, param, body, NULL) : NULL;
    return f && bind_term(m, g, s, name, BIND_FUN, f, n, progress);
}

/* ---- statics ---- */

/* The value of a size expression of the pattern; NULL: a name of it is not bound, or it has none. */
static const Nat *size_value(Matcher *m, const MatchState *s, const Ast *a)
{
    Diag saved = diag_aside(&m->c->diag);
    Elab e = elab_start(m->c, m->arena, NULL);
    const Nat *n = elab_size(&e, (Scope){s->env, 0, m->source}, a);
    diag_back(&m->c->diag, saved);
    return n;
}

static bool match_size(Matcher *m, const Goal *g, MatchState *s, const Ast *a, const Nat *found)
{
    if (a->kind != AST_NAME) {
        const Nat *n = size_value(m, s, a);
        if (n) return n == found;
        OpenSize *later = MAKE(m->arena, OpenSize, a, found, g, s->open);
        s->open = later;
        return true;
    }
    if (strcmp(a->name, "_") == 0) return true;
    int is = m->names ? called(m->names, a->name, nat_text(found, 0, m->arena), NULL, 0) : -1;
    return is >= 0 ? is : bind(m, s, (Env){.name = a->name, .kind = BIND_SIZE, .nat = found});
}

static bool match_perm(Matcher *m, const Goal *g, MatchState *s, const Ast *a)
{
    const Term *t = g->term;
    const Ast *h = a->kind == AST_APP ? a->kids[0] : a, *n = a->kind == AST_APP && a->kid_count == 2 ? a->kids[1] : NULL;
    if (h->kind != AST_NAME) return false;
    if (strcmp(h->name, "_") == 0) return true;
    PermKind kind = perm_kind_from_name(h->name), is = (PermKind)t->statics[0]->value;
    if (kind != PERM_KINDS)
        return kind == is && (kind == PERM_REVERSE || (kind != PERM_FUN && n && match_size(m, g, s, n, t->statics[1])));
    Env b = {.name = h->name, .kind = BIND_PERM, .perm = is, .nat = t->statics[1]};
    if (is == PERM_FUN) {
        b.fwd = term_shift(m->c, t->args[0], -g->depth, 0);
        b.inv = term_shift(m->c, t->args[1], -g->depth, 0);
        if (!b.fwd || !b.inv) return false;
    }
    return bind(m, s, b);
}

/* ---- nodes ---- */

/* The name in xs.., or in (transpose xs).., where *under is the primitive of one argument; NULL: it is neither. */
static const char *spread_name(const Ast *spread, PrimId *under)
{
    const Ast *of = spread->kids[0];
    *under = PRIM_COUNT;
    if (of->kind == AST_APP && of->kid_count == 2 && of->kids[0]->kind == AST_NAME) {
        *under = named_prim(of->kids[0]->name);
        if (*under == PRIM_COUNT) return NULL;
        of = of->kids[1];
    }
    return of->kind == AST_NAME ? of->name : NULL;
}

/* Arguments of zip and of tuples, with spreads: every way to divide the terms is tried. */
static bool match_list(Matcher *m, const Goal *g, Ast *const *pats, int np, const Term *const *terms, int nt, int first_slot,
                       const Goal *rest, MatchState s, int progress)
{
    if (np == 0) return nt == 0 ? solve(m, rest, s, progress) : fail(m, g, progress, NULL);
    const Ast *p = pats[0];
    if (p->kind != AST_SPREAD) {
        if (nt == 0) return fail(m, g, progress, NULL);
        const Goal *mine = push(m, g, p, terms[0], first_slot, rest);
        return match_list(m, g, pats + 1, np - 1, terms + 1, nt - 1, first_slot + 1, mine, s, progress);
    }
    PrimId under;
    const char *name = spread_name(p, &under);
    if (!name) return fail(m, g, progress, NULL);
    const Bound *params = under == PRIM_COUNT ? find_bound(g->bound, name) : NULL;
    if (params && params->is_list) {
        int n = params->count;
        bool same = n <= nt && ALL(i, n, term_is_param(terms[i], params->types[i],
                                                       index_of(params->types[i], params->levels[i], g->depth)));
        if (!same) return fail(m, g, progress, NULL);
        return match_list(m, g, pats + 1, np - 1, terms + n, nt - n, first_slot + n, rest, s, progress);
    }
    const Env *old = env_find(s.env, name);
    for (int k = 0; k <= nt; k++) {
        if (old && (old->kind != BIND_LIST || old->count != k)) continue;
        MatchState t = s;
        const Term **list = NEW_ARRAY(m->arena, const Term *, k);
        bool ok = true;
        for (int i = 0; i < k && ok; i++) {
            const Term *x = terms[i];
            if (under != PRIM_COUNT) x = x->kind == T_PRIM && x->prim == under && x->arg_count == 1 ? x->args[0] : NULL;
            list[i] = term_shift(m->c, x, -g->depth, 0);
            ok = list[i] && (!old || old->terms[i] == list[i]);
        }
        if (!ok) continue;
        for (int i = 0; i < k; i++) {
            const Step *at = step(m, g->where, first_slot + i);
            trace(m, &t, name, i, false, under == PRIM_COUNT ? at : step(m, at, 0));
        }
        if (!old) BIND(m->arena, &t.env, name, BIND_LIST, .terms = list, .count = k);
        if (match_list(m, g, pats + 1, np - 1, terms + k, nt - k, first_slot + k, rest, t, progress)) return true;
    }
    return fail(m, g, progress, NULL);
}

static bool match_variadic(Matcher *m, const Goal *g, PrimId id, Ast *const *pats, int np, MatchState s, int progress)
{
    const Term *t = g->term;
    if (t->kind != T_PRIM || t->prim != id) return fail(m, g, progress, NULL);
    bool leaves_out = m->names && id == PRIM_ZIP && np < t->arg_count;      /* a search pattern: arguments on the right */
    for (int i = 0; i < np; i++) leaves_out = leaves_out && pats[i]->kind != AST_SPREAD;
    return match_list(m, g, pats, np, t->args, leaves_out ? np : t->arg_count, 0, g->next, s, progress + 1);
}

/* Modulo equations: may a term that is equal to that one match, by what the pattern has to begin with? */
static bool may_match(const Matcher *m, const Ast *p, const Term *t)
{
    PrimId inner = pattern_inner(p);
    if (inner == PRIM_COUNT) return true;
    while (t->kind == T_LAM) t = t->args[0];
    return m->equal->heads(m->equal->data, t) & pattern_bit(inner);
}

static bool match_prim(Matcher *m, const Goal *g, PrimId id, Ast *const *pats, int np, MatchState s, int progress)
{
    const Term *t = g->term;
    if (id == PRIM_ZIP) return match_variadic(m, g, id, pats, np, s, progress);
    if (t->kind != T_PRIM || t->prim != id) return fail(m, g, progress, NULL);
    int statics = prim_static_count(m->c, id);
    for (int i = 0; i < statics && i < np; i++) {
        const Ast *a = pats[i];
        StaticKind kind = prim_static_kind(m->c, id, i);
        bool fits;
        if (kind == STATIC_PERM) {
            fits = match_perm(m, g, &s, a);
        } else if (kind == STATIC_MODE && a->kind == AST_NAME && strcmp(a->name, "_") != 0) {
            PadMode mode = pad_mode_from_name(a->name);
            fits = mode == PAD_MODES ? bind(m, &s, (Env){.name = a->name, .kind = BIND_MODE, .nat = t->statics[i]})
                                     : t->statics[i]->value == (int64_t)mode;
        } else {
            fits = match_size(m, g, &s, a, t->statics[i]);
        }
        if (!fits) return fail(m, g, progress, NULL);
    }
    int skip = id == PRIM_REORDER ? t->arg_count - 1 : 0, args = t->arg_count - skip;
    int given = np > statics ? np - statics : 0;
    if (given > args) return fail(m, g, progress, NULL);
    for (int i = 0; m->equal && i < given; i++)
        if (!may_match(m, pats[statics + i], t->args[skip + i])) return false;
    /* A search pattern may leave out arguments from the right. Data before functions: lists of zip arguments
     * give binder lists their lengths. */
    const Goal *goals = g->next;
    for (int pass = 0; pass < 2; pass++)
        for (int i = given - 1; i >= 0; i--) {
            const Term *arg = t->args[skip + i];
            if ((arg->kind == T_LAM) != (pass == 0)) continue;
            Goal *k = push(m, g, pats[statics + i], arg, skip + i, goals);
            k->function = pass == 0;
            goals = k;
        }
    return solve(m, goals, s, progress + 1);
}

/* A literal of the pattern is the term that it would be at that type: 0.1 is the f32 nearest to it in a program of f32. */
static bool match_literal(Matcher *m, const Goal *g, MatchState s, int progress)
{
    const Term *t = g->term;
    if (t->kind != T_LIT) return fail(m, g, progress, NULL);
    Diag saved = diag_aside(&m->c->diag);
    Elab e = elab_start(m->c, m->arena, NULL);
    const Term *literal = elab_whole(&e, (Scope){NULL, 0, m->source}, g->pattern, t->type);
    diag_back(&m->c->diag, saved);
    if (literal == t) return solve(m, g->next, s, progress + 1);
    const Type *type = literal ? literal->type : NULL;
    const char *why = NULL;
    if (type && type != t->type)
        why = arena_printf(m->arena, "the literal of the rule is of type %s, not %s", scalar_name(type->scalar),
                           scalar_name(t->type->scalar));
    return fail(m, g, progress, why);
}

/* ---- functions ---- */

typedef struct Binding {                   /* binding a pattern to a parameter while lists are divided */
    const Goal *goal;                      /* the function goal */
    const Bound *bound;
    MatchState s;
} Binding;

/* A queue of (pattern, type, level, hints) still to be bound. */
typedef struct Todo {
    const AstPat *pat;
    const Type *type;
    int level;
    const char *const *hints;
    const struct Todo *next;
} Todo;

static bool bind_todo(Matcher *m, Binding b, const Todo *todo, int progress);

/* Components of a tuple parameter against patterns with spreads; a parameter that is no tuple is a list of one. */
static bool bind_tuple(Matcher *m, Binding b, AstPat *const *pats, int np, const Todo *parts, int nt,
                       const Todo *rest, int progress)
{
    if (np == 0) return nt == 0 && bind_todo(m, b, rest, progress);
    const AstPat *p = pats[0];
    if (!p->spread) {
        if (nt == 0) return false;
        const Todo *next = MAKE(m->arena, Todo, p, parts->type, parts->level, parts->hints, rest);
        return bind_tuple(m, b, pats + 1, np - 1, parts->next, nt - 1, next, progress);
    }
    const Env *list = env_find(b.s.env, p->name);
    for (int k = 0; k <= nt; k++) {
        if (list && list->kind == BIND_LIST && list->count != k) continue;
        const Type **types = NEW_ARRAY(m->arena, const Type *, k);
        int *levels = NEW_ARRAY(m->arena, int, k);
        const Todo *at = parts;
        Binding with = b;
        for (int i = 0; i < k; i++, at = at->next) {
            types[i] = at->type;
            levels[i] = at->level;
            with.s.hints = MAKE(m->arena, UserHint, p->name, i, at->type, at->hints, with.s.hints);
        }
        with.bound = MAKE(m->arena, Bound, .name = p->name, .is_list = true, .count = k, .types = types, .levels = levels,
                          .next = b.bound);
        if (bind_tuple(m, with, pats + 1, np - 1, at, nt - k, rest, progress)) return true;
    }
    return false;
}

static bool bind_todo(Matcher *m, Binding b, const Todo *todo, int progress)
{
    if (!todo) {
        const Goal *g = b.goal;
        Goal *body = push(m, g, g->pattern->kids[0], g->term->args[0], g->of_let ? -1 : 0, g->next);
        body->bound = b.bound;
        body->depth = g->depth + g->term->type->elems[0]->leaf_count;
        return solve(m, body, b.s, progress + 1);
    }
    const AstPat *p = todo->pat;
    if (p->name) {
        if (p->name[0] != '_' || p->name[1]) {
            b.bound = MAKE(m->arena, Bound, .name = p->name, .type = todo->type, .level = todo->level, .next = b.bound);
            if (*p->name != '%') b.s.hints = MAKE(m->arena, UserHint, p->name, 0, todo->type, todo->hints, b.s.hints);
        }
        return bind_todo(m, b, todo->next, progress);
    }
    const Type *t = todo->type;
    if (t->kind != TY_TUPLE && !ANY(i, p->kid_count, p->kids[i]->spread)) return false;
    const Todo *parts = NULL;
    int n = t->kind == TY_TUPLE ? t->count : 1, leaf = todo->level + t->leaf_count, slot = hint_count(t);
    for (int i = n - 1; i >= 0; i--) {
        const Type *part = t->kind == TY_TUPLE ? t->elems[i] : t;
        leaf -= part->leaf_count;
        slot -= hint_count(part);
        parts = MAKE(m->arena, Todo, NULL, part, leaf, todo->hints ? todo->hints + slot : NULL, parts);
    }
    return bind_tuple(m, b, p->kids, p->kid_count, parts, n, todo->next, progress);
}

/* ---- guards ---- */

/* Has nothing that is bound around it a name in p, but for what is closed? */
static bool stands_alone(const Goal *g, const MatchState *s, const Ast *p)
{
    const Env *b = p->kind == AST_NAME ? env_find(s->env, p->name) : NULL;
    bool open = b && b->kind != BIND_SIZE && !(b->kind == BIND_TERM && !b->term->free_limit);
    return !open && !(p->kind == AST_NAME && find_bound(g->bound, p->name)) && ALL(i, p->kid_count, stands_alone(g, s, p->kids[i]));
}

/* Is there a match of the pattern somewhere in the term of goal g, itself included? Binds nothing. alone: its names stand for what is there, variables
 * that are bound on the way among it. */
static bool somewhere(Matcher *m, const Goal *g, const MatchState *s, bool alone)
{
    const Term *t = g->term;
    if (t->kind != T_LAM) {
        Matcher inner = *m;
        inner.found = NULL;
        inner.explain = false;
        Goal here = *g;
        here.function = false;
        here.next = NULL;
        if (alone) here.depth = 0, here.bound = NULL;
        bool ok = solve(&inner, &here, *s, 1);
        m->fuel = inner.fuel;
        if (ok) return true;
    }
    for (int i = 0; i < term_slot_count(t); i++) {
        Goal *under = push(m, g, g->pattern, term_slot(t, i), i, NULL);
        under->depth += term_slot_binds(t, i);
        if (somewhere(m, under, s, alone)) return true;
    }
    return false;
}

/* The same with that term in place of the goal's, which it equals. */
static MatchState chosen(Matcher *m, const Goal *g, MatchState s, const Term *t)
{
    if (t != g->term) s.choices = MAKE(m->arena, Choice, g->where, t, s.choices);
    return s;
}

static bool is_guard_node(const Ast *p)
{
    const char *name = p->kind == AST_APP && p->kids[0]->kind == AST_NAME ? p->kids[0]->name : "";
    return name[0] == '%' && name[1] >= 'a' && name[1] <= 'z';
}

static bool match_or(Matcher *m, const Goal *g, MatchState s, int progress)
{
    for (int i = 1; i <= 2; i++) {
        Goal *k = push(m, g, g->pattern->kids[i], g->term, -1, g->next);
        k->function = g->function;
        k->of_let = g->of_let;
        if (solve(m, k, s, progress)) return true;
    }
    return false;
}

static bool match_guard(Matcher *m, const Goal *g, MatchState s, int progress)
{
    const Term *t = g->term;
    const char *word = g->pattern->kids[0]->name + 1;
    if (!strcmp(word, "or")) return match_or(m, g, s, progress);
    if (m->equal && !strcmp(word, "contains")) {
        const Term *with = m->equal->containing(m->equal->data, g->pattern->kids[1], t);
        return with && solve(m, g->next, chosen(m, g, s, with), progress + 1);
    }
    bool negated = !strncmp(word, "not ", 4), holds, more = g->pattern->kid_count > 1;
    if (negated) word += 4;
    if (!strcmp(word, "layout")) {
        holds = term_is_layout(t);
    } else if (!strcmp(word, "computes")) {
        holds = t->flags & TF_COMPUTES;
    } else if (!strcmp(word, "scalar")) {
        holds = type_is_scalar_like(t->kind == T_LAM ? t->type->elems[1] : t->type);
    } else {                                               /* contains */
        Goal inner = *g;
        inner.pattern = g->pattern->kids[1];
        holds = somewhere(m, &inner, &s, stands_alone(g, &s, inner.pattern));
        more = false;
    }
    if (holds == negated) return fail(m, g, progress, NULL);
    if (!more) return solve(m, g->next, s, progress + 1);
    Goal *k = push(m, g, g->pattern->kids[1], g->term, -1, g->next);
    k->function = g->function;
    k->of_let = g->of_let;
    return solve(m, k, s, progress + 1);
}

static bool match_kids(Matcher *m, const Goal *g, PrimId id, MatchState s, int progress)
{
    const Term *t = g->term;
    if (t->kind != T_PRIM || t->prim != id || t->arg_count != g->pattern->kid_count) return fail(m, g, progress, NULL);
    const Goal *goals = g->next;
    for (int i = t->arg_count - 1; i >= 0; i--) goals = push(m, g, g->pattern->kids[i], t->args[i], i, goals);
    return solve(m, goals, s, progress + 1);
}

/* pi, inf or nan, where nothing else has that name */
static bool is_float_name(Matcher *m, const Goal *g, const Ast *a, const MatchState *s)
{
    return a->kind == AST_NAME && ast_is_float_name(a->name) && !find_bound(g->bound, a->name) && !env_find(s->env, a->name)
           && named(m, a->name, g) < 0;
}

static bool match_expression(Matcher *m, const Goal *g, MatchState s, int progress)
{
    const Ast *p = g->pattern;
    const Term *t = g->term;
    switch (p->kind) {
    case AST_NAME: {
        if (is_float_name(m, g, p, &s)) return match_literal(m, g, s, progress);
        PrimId id = find_bound(g->bound, p->name) || env_find(s.env, p->name) ? PRIM_COUNT : ast_prim(p);
        return id == PRIM_COUNT ? match_meta(m, g, s, progress) : match_prim(m, g, id, NULL, 0, s, progress);
    }
    case AST_INT: case AST_FLOAT: case AST_BOOL:
        return match_literal(m, g, s, progress);
    case AST_BINARY: return match_kids(m, g, ast_prim(p), s, progress);
    case AST_UNARY: {
        const Ast *k = p->kids[0];
        bool minus = *p->name == '-';
        if (minus && (k->kind == AST_INT || k->kind == AST_FLOAT || is_float_name(m, g, k, &s)))
            return match_literal(m, g, s, progress);
        return match_kids(m, g, minus ? PRIM_NEG : PRIM_NOT, s, progress);
    }
    case AST_TUPLE: return match_variadic(m, g, PRIM_TUPLE, p->kids, p->kid_count, s, progress);
    case AST_IF: return match_kids(m, g, PRIM_IF, s, progress);
    case AST_LET: {
        if (!term_is(t, PRIM_LET)) return fail(m, g, progress, NULL);
        Ast *lambda = arena_copy(m->arena, p, sizeof *p);
        lambda->kind = AST_LAMBDA;
        lambda->kids = p->kids + 1;
        lambda->kid_count = 1;
        Goal *f = push(m, g, lambda, t->args[1], 1, g->next);
        f->function = f->of_let = true;
        return solve(m, push(m, g, p->kids[0], t->args[0], 0, f), s, progress + 1);
    }
    case AST_AT: {
        if (!term_is(t, PRIM_AT)) return fail(m, g, progress, NULL);
        const Goal *goals = push(m, g, p->kids[1], t->args[0], 0, g->next);
        return solve(m, push(m, g, p->kids[0], t->args[1], 1, goals), s, progress + 1);
    }
    case AST_PROJ: {
        int level;
        const Type *part = bound_part(g, p, &level);
        if (part && term_is_param(t, part, index_of(part, level, g->depth))) return solve(m, g->next, s, progress + 1);
        if (t->kind != T_PRIM || t->u.proj != p->ival) return fail(m, g, progress, NULL);
        return match_kids(m, g, PRIM_PROJ, s, progress);
    }
    case AST_ANNOT: return solve(m, push(m, g, p->kids[0], t, -1, g->next), s, progress);
    case AST_APP: {
        PrimId id = begins(p);
        if (id != PRIM_COUNT) return match_prim(m, g, id, p->kids + 1, p->kid_count - 1, s, progress);
        return is_guard_node(p) ? match_guard(m, g, s, progress) : match_higher_order(m, g, s, progress);
    }
    default: return fail(m, g, progress, NULL);
    }
}

/* Does the pattern ask what the term is made of, so that one equal to it may match where it does not? */
static bool asks_for_node(const Goal *g, const MatchState *s)
{
    const Ast *p = g->pattern;
    if (p->kind == AST_APP) return p->begins || (p->kids[0]->kind != AST_NAME && !is_guard_node(p));
    if (p->kind != AST_NAME) return p->kind != AST_ANNOT;
    return ast_prim(p) != PRIM_COUNT && !find_bound(g->bound, p->name) && !env_find(s->env, p->name);
}

static bool match_equals(Matcher *m, const Goal *g, MatchState s, int progress)
{
    int n;
    const EqualTerm *all = m->equal->all(m->equal->data, g->term, begins(g->pattern), &n);
    Goal one = *g;
    for (int i = 0; i < n; i++) {
        one.term = all[i].term;
        if (match_expression(m, &one, chosen(m, g, s, one.term), progress)) return true;
    }
    return false;
}

/* ---- parts of a sketch that hang on nothing else ---- */

typedef struct Smallest {
    const MatchEqual *equal;
    const Term *of, *best;
} Smallest;

static bool found_smaller(void *data, const MatchState *s)
{
    Smallest *k = data;
    const Term *t = k->equal->chosen(k->equal->data, k->of, s->choices), *best = k->best;
    if (t && (!best || t->size < best->size)) k->best = t;
    return false;
}

static uint64_t key_of(const Goal *g)
{
    uint64_t key = hash_mix(hash_mix(0, (uint64_t)(uintptr_t)g->pattern), (uint64_t)g->term->id << 16 | (uint64_t)g->depth << 1 | g->function);
    for (const Bound *b = g->bound; b; b = b->next)
        key = hash_mix(hash_mix(key, (uint64_t)(uintptr_t)b->name), b->is_list ? (uint64_t)b->count : (uint64_t)b->type->id << 16 | (uint64_t)b->level);
    return key;
}

static bool match_apart(Matcher *m, const Goal *g, MatchState s, int progress)
{
    const MatchEqual *equal = m->equal;
    Smallest smallest = {equal, g->term, NULL};
    uint64_t key = key_of(g);
    if (!equal->known(equal->data, key, &smallest.best)) {
        Matcher inner = *m;
        inner.found = found_smaller;
        inner.data = &smallest;
        Goal alone = *g;
        alone.next = NULL;
        alone.where = NULL;
        if (alone.function) match_function(&inner, &alone, (MatchState){.env = s.env}, 1);
        else match_equals(&inner, &alone, (MatchState){.env = s.env}, 1);
        m->fuel = inner.fuel;
        equal->remember(equal->data, key, smallest.best);
    }
    return smallest.best && solve(m, g->next, chosen(m, g, s, smallest.best), progress + 1);
}

static bool solve(Matcher *m, const Goal *g, MatchState s, int progress)
{
    if (!g) {                                              /* all else matches: do the sizes that had to wait? */
        for (const OpenSize *o = s.open; o; o = o->next) {
            const Nat *n = size_value(m, &s, o->size);
            if (n == o->found) continue;
            const char *why = n ? arena_printf(m->arena, "its size would be %s", nat_text(n, 0, m->arena)) : NULL;
            return fail(m, o->goal, progress, why);
        }
        return !m->found || m->found(m->data, &s);
    }
    if (m->fuel-- <= 0) return false;
    if (g->part) {
        int leaves = g->part->type->leaf_count;
        const Term *t = with_hole(m->c, term_shift(m->c, g->term, leaves, 0), term_shift(m->c, g->part, leaves, 0), 0);
        g = push(m, g, g->pattern, t, -1, g->next);
    }
    bool apart = m->equal && m->equal->is_apart && !g->of_let && m->equal->is_apart(m->equal->data, g->pattern);
    if (g->function) return apart && g->pattern->kind == AST_LAMBDA ? match_apart(m, g, s, progress) : match_function(m, g, s, progress);
    if (m->equal && asks_for_node(g, &s)) return apart ? match_apart(m, g, s, progress) : match_equals(m, g, s, progress);
    return match_expression(m, g, s, progress);
}

static bool match_function(Matcher *m, const Goal *g, MatchState s, int progress)
{
    const Ast *p = g->pattern;
    if (p->kind == AST_NAME) return match_meta(m, g, s, progress);
    if (is_guard_node(p)) return match_guard(m, g, s, progress);
    if (p->kind != AST_LAMBDA || p->pat_count != 1) return fail(m, g, progress, NULL);
    if (m->names) {
        int n;
        const Step *binder = g->of_let ? g->where->up : g->where;
        const uint8_t *slots = slots_of(m, binder, &n);
        if (!binds(m->names, p->pats[0], p->kids[0], slots, n)) return fail(m, g, progress, NULL);
    }
    const Todo *todo = MAKE(m->arena, Todo, p->pats[0], g->term->type->elems[0], g->depth, g->term->u.hints, NULL);
    return bind_todo(m, (Binding){g, g->bound, s}, todo, progress) || fail(m, g, progress, NULL);
}

bool match_term(Matcher *m, const Ast *p, const Term *t, const Env *start)
{
    if (!m->fuel) m->fuel = 200000;
    return solve(m, &(Goal){.pattern = p, .term = t}, (MatchState){.env = start}, 1);
}

static const Env *kept_env(Arena *arena, const Env *env)
{
    const Env *first = NULL, **last = &first;
    for (; env; env = env->next) {
        Env *b = arena_copy(arena, env, sizeof *env);
        if (b->kind == BIND_LIST) b->terms = arena_copy(arena, b->terms, sizeof *b->terms * (size_t)b->count);
        *last = b;
        last = &b->next;
    }
    return first;
}

MatchState match_kept(Arena *arena, const MatchState *s)
{
    const UserHint *first = NULL, **last = &first;
    for (const UserHint *h = s->hints; h; h = h->next) {
        UserHint *kept = arena_copy(arena, h, sizeof *h);
        *last = kept;
        last = &kept->next;
    }
    return (MatchState){.env = kept_env(arena, s->env), .hints = first};
}

/* ---- parsing ---- */

/* `f x` with an f that is no primitive can only match when x is bound by the pattern: else f was misspelt. */
static bool check_heads(Ctx *c, Arena *arena, const Source *s, const Ast *a, const Env *bound)
{
    const Ast *h = a->kind == AST_APP && a->kids[0]->kind == AST_NAME ? a->kids[0] : NULL;
    bool function = h && !is_guard_name(h->name) && strcmp(h->name, "id") && perm_kind_from_name(h->name) == PERM_KINDS
                 && named_prim(h->name) == PRIM_COUNT && !prelude_derived(c, h->name) && or_at(a) != 1;
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
    p->ast = normal_form((Normaliser){.c = c, .arena = arena, .source = s, .search = true}, a);
    return p->ast ? p : NULL;
}

const Ast *pattern_ast(const SearchPattern *p, const Source **source) { return *source = p->source, p->ast; }
PrimId pattern_head(const SearchPattern *p) { return pattern_begins(p->ast); }

/* ---- matching ---- */

static bool match(Ctx *c, const SearchPattern *p, const Term *root, const Path *at, Matcher *m)
{
    Names names = {c, (SearchPattern *)p, root, at};     /* its memory of names changes */
    *m = (Matcher){.c = c, .arena = m->arena, .source = p->source, .explain = m->explain, .names = &names};
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
    LOCAL(drop_arena) Arena *arena = arena_new();
    Matcher m = {.arena = arena, .explain = true};
    const Mismatch *x = &m.mismatch;
    if (match(c, p, root, at, &m) || !x->needs) return 0;
    *out = (PatternMiss){arena_strdup(c->diag.arena, x->needs), x->detail ? arena_strdup(c->diag.arena, x->detail) : NULL, *at};
    for (int i = 0; i < x->path_length && out->where.length < PATH_MAX_LENGTH; i++) out->where.slots[out->where.length++] = x->path[i];
    return x->progress;
}

typedef VEC(const SearchPattern *) Parts;

static void add_parts(const SearchPattern *p, const Ast *a, Arena *arena, Parts *parts)
{
    for (int i = 0; i < a->kid_count; i++) add_parts(p, a->kids[i], arena, parts);
    if (a == p->ast || a->kind != AST_APP || pattern_begins(a) == PRIM_COUNT || a->span.to <= a->span.from) return;
    const SearchPattern *part = MAKE(arena, SearchPattern, .source = p->source, .ast = a, .arena = arena);
    if (!ANY(i, parts->n, !strcmp(pattern_text(parts->v[i], arena), pattern_text(part, arena)))) vec_push(parts, part);
}

int pattern_parts(const SearchPattern *p, Arena *arena, const SearchPattern ***out)
{
    LOCAL(drop) Parts parts = {0};
    add_parts(p, p->ast, arena, &parts);
    *out = parts.n ? arena_copy(arena, parts.v, sizeof *parts.v * (size_t)parts.n) : NULL;
    return parts.n;
}

const char *pattern_text(const SearchPattern *p, Arena *arena)
{
    return arena_trimmed(arena, p->source->text + p->ast->span.from, p->source->text + p->ast->span.to);
}

static const char *free_name(Ctx *c, SearchPattern *p, const Term *root, const Ast *a, const Env *bound)
{
    const char *found = NULL;
    if (a->kind == AST_NAME) {
        const char *name = a->name;
        bool own = name[0] == '_' || !strcmp(name, "or") || name[0] == '%' || env_find(bound, name) || !strcmp(name, "id")
                || pad_mode_from_name(name) != PAD_MODES || perm_kind_from_name(name) != PERM_KINDS || named_prim(name) != PRIM_COUNT;
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
