/* term: the context, and hash-consed terms: makers that type, normalise and intern; shifting, substitution, hashes. */
#include "ir_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERM_SIZE_MAX = 1 << 20 };       /* nodes of a term seen as a tree; bounds every later traversal */

/* ---- the context ---- */

Ctx *ctx_new(void)
{
    Ctx *c = mem_alloc(sizeof *c);
    c->arena = arena_new();
    c->scratch = arena_new();
    c->names = interns_new();
    c->nats = nats_new();
    c->tables = NEW(c->arena, struct IrTables);
    c->diag = diag_new();
    return c;
}

void ctx_free(Ctx *c)
{
    if (!c) return;
    if (c->lang) c->lang_free(c->lang);
    ptr_table_free(&c->tables->types);
    ptr_table_free(&c->tables->terms);
    free(c->tables->hinted.v);
    nats_free(c->nats);
    interns_free(c->names);
    diag_free(&c->diag);
    arena_free(c->scratch);
    arena_free(c->arena);
    free(c);
}

/* What is made on first use and kept is made before. */
CtxMark ctx_mark(Ctx *c)
{
    struct IrTables *t = c->tables;
    for (int i = 0; i < SC_COUNT; i++) type_scalar(c, (Scalar)i);
    for (int i = 0; i < PRIM_COUNT; i++) prim_static_count(c, (PrimId)i);
    return (CtxMark){arena_mark(c->arena), nats_mark(c->nats), t->types.used, t->terms.used, t->hinted.n};
}

void ctx_release(Ctx *c, const CtxMark *m)
{
    struct IrTables *t = c->tables;
    while (t->hinted.n > m->hinted) t->hinted.v[--t->hinted.n]->u.hints = NULL;
    ptr_table_cut(&t->types, m->types);
    ptr_table_cut(&t->terms, m->terms);
    arena_release(c->arena, m->arena);
    nats_release(c->nats, &m->nats);
}

/* ---- interning ---- */

static bool same_term(const void *key, const void *item)
{
    const Term *a = key, *b = item;
    if (a->kind != b->kind || a->prim != b->prim || a->type != b->type) return false;
    if (a->arg_count != b->arg_count || a->static_count != b->static_count) return false;
    if (a->kind != T_LAM && a->u.lit.i != b->u.lit.i) return false;
    if (ANY(i, a->static_count, a->statics[i] != b->statics[i])) return false;
    return ALL(i, a->arg_count, a->args[i] == b->args[i]);
}

static unsigned own_flags(const Term *t)
{
    if (t->kind != T_PRIM) return 0;
    switch (prim((PrimId)t->prim)->family) {
    case FAM_SCALAR: return TF_COMPUTES;
    case FAM_MEMORY: return TF_MEMORY;
    case FAM_REDUCE: case FAM_SCAN: return t->prim == PRIM_REDUCE_HOST ? TF_REDUCES | TF_MAPPED : TF_REDUCES;
    case FAM_MAP: return t->prim == PRIM_MAP ? 0 : TF_MAPPED;
    default: break;
    }
    switch (t->prim) {
    case PRIM_ITERATE: case PRIM_SCATTER: case PRIM_SCAN_GROUPS: return TF_REDUCES;
    case PRIM_SLICE: return TF_REDUCES | TF_SLICES;
    case PRIM_VDOT: return TF_COMPUTES;
    case PRIM_MMA: return TF_COMPUTES | TF_REDUCES | TF_MAPPED;
    default: return 0;
    }
}

/* size, depth, flags and free_limit from the children. False: the term is too large. */
static bool measure(Ctx *c, Term *t)
{
    t->size = 1;
    t->flags = (uint8_t)own_flags(t);
    if (t->kind == T_VAR) t->free_limit = t->u.index + 1;
    for (int i = 0; i < t->arg_count; i++) {
        const Term *a = t->args[i];
        bool index_function = term_is(t, PRIM_REORDER) && i + 1 < t->arg_count;
        t->size += a->size;
        if (a->depth >= t->depth) t->depth = a->depth + 1;
        if (!index_function) t->flags |= a->flags;
        int limit = t->kind == T_LAM ? a->free_limit - t->type->elems[0]->leaf_count : a->free_limit;
        if (limit > t->free_limit) t->free_limit = limit;
    }
    if (t->depth <= TERM_DEPTH_MAX && t->size <= TERM_SIZE_MAX) return true;
    return ctx_error(c, E08, "the term is too large: %u nodes, nested %u deep; the most are %d, and %d deep", t->size, t->depth, TERM_SIZE_MAX,
                     TERM_DEPTH_MAX);
}

static const char *const *copy_hints(Ctx *c, const char *const *hints, const Type *param)
{
    if (!hints) return NULL;
    int n = hint_count(param);
    const char **copy = NEW_ARRAY(c->arena, const char *, n);
    memcpy(copy, hints, sizeof *copy * (size_t)n);
    return copy;
}

static const Term *intern_term(Ctx *c, Term key)
{
    if (!key.type) return NULL;
    /* By creation ids, never by address: names and Nats hash by content or id. */
    uint64_t h = hash_mix((uint64_t)key.kind << 16 | key.prim, key.type->id);
    switch (key.kind) {
    case T_VAR: h = hash_mix(h, (uint64_t)key.u.index); break;
    case T_INPUT: h = hash_bytes(h, key.u.name, strlen(key.u.name)); break;
    case T_LIT: h = hash_mix(h, (uint64_t)key.u.lit.i); break;
    case T_SIZE: h = hash_mix(h, key.u.nat->id); break;
    case T_PRIM: h = hash_mix(h, (uint64_t)key.u.proj); break;
    default: break;
    }
    for (int i = 0; i < key.static_count; i++) h = hash_mix(h, key.statics[i]->id);
    for (int i = 0; i < key.arg_count; i++) h = hash_mix(h, key.args[i]->id);
    Term *t = ptr_table_find(&c->tables->terms, h, same_term, &key);
    c->tables->conses.calls++;
    c->tables->conses.hits += t != NULL;
    if (t) {
        if (t->kind == T_LAM && !t->u.hints && key.u.hints) {
            t->u.hints = copy_hints(c, key.u.hints, key.type->elems[0]);
            vec_push(&c->tables->hinted, t);
        }
        return t;
    }
    if (!measure(c, &key)) return NULL;
    t = NEW(c->arena, Term);
    *t = key;
    if (key.kind == T_LAM) t->u.hints = copy_hints(c, key.u.hints, key.type->elems[0]);
    const Term **args = NEW_ARRAY(c->arena, const Term *, key.arg_count);
    if (key.arg_count) memcpy(args, key.args, sizeof *args * key.arg_count);
    t->args = args;
    t->statics = key.static_count ? arena_copy(c->arena, key.statics, sizeof *key.statics * key.static_count) : NULL;
    t->id = (uint32_t)c->tables->terms.used + 1;
    ptr_table_add(&c->tables->terms, h, t);
    return t;
}

/* ---- leaves ---- */

ConsCount ctx_conses(const Ctx *c) { return c->tables->conses; }

const Term *term_var(Ctx *c, int index, const Type *type)
{
    return intern_term(c, (Term){.kind = T_VAR, .type = type, .u.lit.i = index});
}

const Term *term_input(Ctx *c, const char *name, const Type *type)
{
    return intern_term(c, (Term){.kind = T_INPUT, .type = type, .u.name = intern(c->names, name)});
}

const Term *term_int(Ctx *c, const Type *scalar, int64_t v)
{
    if (!scalar) return NULL;
    if (scalar_is_float(scalar->scalar)) return term_float(c, scalar, (double)v);
    if (!scalar_holds(scalar->scalar, v))
        return ctx_error(c, E04, "%lld is out of range for %s" NOTE("needs") "%s", (long long)v, scalar_name(scalar->scalar),
                         scalar_range(scalar->scalar, c->diag.arena));
    return term_integer(c, scalar, v);
}

const Term *term_integer(Ctx *c, const Type *scalar, int64_t kept)
{
    return intern_term(c, (Term){.kind = T_LIT, .type = scalar, .u.lit.i = kept});
}

const Term *term_float(Ctx *c, const Type *scalar, double v)
{
    if (!scalar) return NULL;
    v = isnan(v) ? (double)NAN : scalar_rounded(scalar->scalar, v);
    return intern_term(c, (Term){.kind = T_LIT, .type = scalar, .u.lit.f = v});
}

const Term *term_size(Ctx *c, const Type *scalar, const Nat *n)
{
    if (!n || !scalar) return ctx_error(c, E08, SIZE_REFUSED, NAT_TERMS_MAX);
    if (n->is_const) return term_int(c, scalar, n->value);
    return intern_term(c, (Term){.kind = T_SIZE, .type = scalar, .u.nat = n});
}

int hint_count(const Type *param)
{
    int n = 1;
    if (param->kind == TY_TUPLE)
        for (int i = 0; i < param->count; i++) n += hint_count(param->elems[i]);
    return n;
}

const Term *term_lam(Ctx *c, const Type *param, const Term *body, const char *const *hints)
{
    if (!param || !body) return NULL;
    return intern_term(c, (Term){.kind = T_LAM, .arg_count = 1, .args = &body, .u.hints = hints,
                                 .type = type_fun(c, param, body->type)});
}

const Term *term_param(Ctx *c, const Type *param, int base)
{
    if (param->kind != TY_TUPLE) return term_var(c, base, param);
    const Term *parts[ARG_MAX];
    int below = base + param->leaf_count;
    for (int i = 0; i < param->count; i++) {
        below -= param->elems[i]->leaf_count;
        parts[i] = term_param(c, param->elems[i], below);
    }
    return term_tuple(c, parts, param->count);
}

bool term_is_param(const Term *t, const Type *type, int base)
{
    if (type->kind != TY_TUPLE) return t->kind == T_VAR && t->u.index == base;
    if (!term_is(t, PRIM_TUPLE) || t->arg_count != type->count) return false;
    int below = base + type->leaf_count;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        if (!term_is_param(t->args[i], type->elems[i], below)) return false;
    }
    return true;
}

/* ---- primitive nodes ---- */

static Term prim_node(PrimId id, const Nat *const *statics, int static_count, const Term *const *args, int arg_count)
{
    return (Term){.kind = T_PRIM, .prim = id, .static_count = (uint16_t)static_count, .arg_count = (uint16_t)arg_count,
                  .statics = statics, .args = args};
}

static const Term *make_prim(Ctx *c, Term n)
{
    n.type = prim_type(c, &n);
    return intern_term(c, n);
}

/* (t.0, t.1, ...) with all components of t is t. */
static const Term *whole_of_projections(const Term *const *parts, int n)
{
    const Term *whole = NULL;
    for (int i = 0; i < n; i++) {
        const Term *p = parts[i];
        if (!term_is(p, PRIM_PROJ) || p->u.proj != i) return NULL;
        if (i && p->args[0] != whole) return NULL;
        whole = p->args[0];
    }
    return whole && whole->type->count == n ? whole : NULL;
}

/* How deep slices nest in t. */
static int slice_depth(const Term *t)
{
    int most = 0;
    if (!(t->flags & TF_SLICES)) return 0;
    for (int i = 0; i < t->arg_count; i++) {
        int d = slice_depth(t->args[i]);
        if (d > most) most = d;
    }
    return most + (term_is(t, PRIM_SLICE));
}

static bool sizes_mention(const Term *t, const NatAtom *v)
{
    if (type_mentions(t->type, v) || (t->kind == T_SIZE && nat_mentions(t->u.nat, v))) return true;
    if (ANY(i, t->static_count, nat_mentions(t->statics[i], v))) return true;
    return ANY(i, t->arg_count, sizes_mention(t->args[i], v));
}

/* With f's length named as ir.h says. */
static const Term *make_slice(Ctx *c, const Nat *step, const Term *const *given)
{
    const Term *args[4] = {given[0], given[1], given[2], given[3]};
    Term n = prim_node(PRIM_SLICE, &step, 1, args, 4);
    const NatAtom *own = slice_variable(&n);
    for (int k = own ? slice_depth(args[0]) : 0; own; k++) {
        char name[16] = "n";
        if (k) snprintf(name, sizeof name, "n%d", k);
        const Nat *zero = nat_const(c->nats, 0), *named = nat_var(c->nats, name, VAR_INDEX, zero, slice_extent(c, &n));
        if (!named || nat_atom(named) == own) break;
        if (sizes_mention(args[0], nat_atom(named))) continue;
        args[0] = term_subst_nats(c, args[0], &(NatBinding){own, named}, 1);
        break;
    }
    return args[0] ? make_prim(c, n) : NULL;
}

const NatAtom *slice_length(const Term *slice) { return nat_atom(slice->args[0]->type->elems[0]->size); }

const Term *slice_function(Ctx *c, const Term *slice, const Nat *length)
{
    bool before = c->empty;
    c->empty = true;
    const Term *f = term_subst_nats(c, slice->args[0], &(NatBinding){slice_length(slice), length}, 1);
    c->empty = before;
    return f;
}

const Term *term_tuple(Ctx *c, const Term *const *parts, int n) { return term_prim(c, PRIM_TUPLE, NULL, 0, parts, n); }

const Term *term_proj(Ctx *c, const Term *t, int i)
{
    if (!t) return NULL;
    if (term_is(t, PRIM_TUPLE) && i >= 0 && i < t->arg_count) return t->args[i];
    Term n = prim_node(PRIM_PROJ, NULL, 0, &t, 1);
    n.u.lit.i = i;
    return make_prim(c, n);
}

const Term *term_prim(Ctx *c, PrimId id, const Nat *const *statics, int static_count,
                      const Term *const *args, int arg_count)
{
    if (ANY(i, arg_count, !args[i])) return NULL;
    if (arg_count > ARG_MAX) return ctx_error(c, E08, "%s has %d arguments, and %d are the most", prim(id)->name, arg_count, ARG_MAX);
    if (id == PRIM_LET) return term_let(c, args[0], args[1]);
    if ((id == PRIM_TUPLE || id == PRIM_ZIP) && arg_count == 1) return args[0];
    if (id == PRIM_REORDER && statics[1] && (statics[0]->value == PERM_REVERSE || statics[0]->value == PERM_FUN)) {
        const Nat *plain[2] = {statics[0], nat_const(c->nats, 0)};
        return make_prim(c, prim_node(id, plain, 2, args, arg_count));
    }
    if (id == PRIM_SLICE) return make_slice(c, statics[0], args);
    if (id == PRIM_TUPLE) {
        const Term *whole = whole_of_projections(args, arg_count);
        if (whole) return whole;
    }
    return make_prim(c, prim_node(id, statics, static_count, args, arg_count));
}

const Term *term_prim1(Ctx *c, PrimId id, const Term *a) { return term_prim(c, id, NULL, 0, &a, 1); }

const Term *term_prim2(Ctx *c, PrimId id, const Term *a, const Term *b)
{
    const Term *args[2] = {a, b};
    return term_prim(c, id, NULL, 0, args, 2);
}

const Term *term_with_args(Ctx *c, const Term *t, const Term *const *args)
{
    if (ANY(i, t->arg_count, !args[i])) return NULL;
    if (t->kind == T_LAM) return term_lam(c, t->type->elems[0], args[0], t->u.hints);
    if (t->kind != T_PRIM) return t;
    if (t->prim == PRIM_PROJ) return term_proj(c, args[0], t->u.proj);
    if (term_let_is_written(t)) return term_let_written(c, args[0], args[1]);
    if (t->prim == PRIM_LET || t->prim == PRIM_TUPLE || t->prim == PRIM_SLICE
        || !ALL(i, t->arg_count, args[i]->type == t->args[i]->type))
        return term_prim(c, (PrimId)t->prim, t->statics, t->static_count, args, t->arg_count);
    Term key = *t;
    key.args = args;
    key.depth = 0;
    key.free_limit = 0;
    return intern_term(c, key);
}

/* ---- shifting and substitution: one traversal ---- */

typedef struct Walk {
    Ctx *c;
    int by;                              /* shift */
    const Term *const *values;           /* substitution of n values */
    int n;
    const char *input;                   /* or values[0] for that input */
} Walk;

static const Term *walk(Walk *w, const Term *t, int depth)
{
    if (!w->input && t->free_limit <= depth) return t;
    if (t->kind == T_INPUT && t->u.name == w->input) return term_shift(w->c, w->values[0], depth, 0);
    if (w->input && !t->arg_count) return t;
    if (t->kind == T_VAR) {
        int i = t->u.index - depth;
        if (!w->values) return i + w->by < 0 ? NULL : term_var(w->c, t->u.index + w->by, t->type);
        return i < w->n ? term_shift(w->c, w->values[i], depth, 0) : term_var(w->c, t->u.index - w->n, t->type);
    }
    if (t->kind == T_LAM) depth += t->type->elems[0]->leaf_count;
    return TERM_MAP(w->c, t, i, walk(w, t->args[i], depth));
}

const Term *term_shift(Ctx *c, const Term *t, int by, int cutoff)
{
    if (!t || by == 0 || t->free_limit <= cutoff) return t;
    return walk(&(Walk){.c = c, .by = by}, t, cutoff);
}

const Term *term_subst(Ctx *c, const Term *t, const Term *const *values, int n)
{
    if (!t) return NULL;
    if (n == 0) return t;
    return walk(&(Walk){.c = c, .values = values, .n = n}, t, 0);
}

const Term *term_subst_input(Ctx *c, const Term *t, const char *name, const Term *value)
{
    return t && value ? walk(&(Walk){.c = c, .values = &value, .input = intern(c->names, name)}, t, 0) : NULL;
}

bool term_mentions(const Term *t, int from, int n)
{
    if (n <= 0 || t->free_limit <= from) return false;
    if (t->kind == T_VAR) return t->u.index >= from && t->u.index < from + n;
    if (t->kind == T_LAM) from += t->type->elems[0]->leaf_count;
    return ANY(i, t->arg_count, term_mentions(t->args[i], from, n));
}

void type_vars(const Type *t, VarKind kind, NatAtomVec *out)
{
    if (t->kind == TY_ARRAY) nat_vars_of(t->size, kind, out);
    for (int i = 0; i < t->count; i++) type_vars(t->elems[i], kind, out);
}

void term_vars(const Term *t, VarKind kind, NatAtomVec *out)
{
    for (int i = 0; i < t->static_count; i++) nat_vars_of(t->statics[i], kind, out);
    if (t->kind == T_SIZE) nat_vars_of(t->u.nat, kind, out);
    if (t->kind == T_INPUT) type_vars(t->type, kind, out);
    for (int i = 0; i < t->arg_count; i++) term_vars(t->args[i], kind, out);
}

NatAtomVec term_vars_in(const Term *t, VarKind kind)
{
    NatAtomVec vars = {0};
    term_vars(t, kind, &vars);
    return vars;
}

/* seen: by id, of which those of arguments are smaller */
static const Term *find_in(const Term *t, bool (*is)(void *data, const Term *t), void *data, bool *seen)
{
    const Term *found = NULL;
    if (seen[t->id]) return NULL;
    seen[t->id] = true;
    if (is(data, t)) return t;
    for (int i = 0; i < t->arg_count && !found; i++) found = find_in(t->args[i], is, data, seen);
    return found;
}

const Term *term_find(const Term *t, bool (*is)(void *data, const Term *t), void *data)
{
    LOCAL(drop) bool *seen = mem_alloc((size_t)t->id + 1);
    return find_in(t, is, data, seen);
}

static int count_uses(const Term *t, int from, int n, int weight)
{
    if (t->free_limit <= from) return 0;
    if (t->kind == T_VAR) return t->u.index < from + n ? weight : 0;
    if (t->kind == T_LAM) {
        from += t->type->elems[0]->leaf_count;
        weight = 2;
    }
    int uses = 0;
    for (int i = 0; i < t->arg_count && uses < 1000; i++) {
        const Term *a = t->args[i];
        if (term_is(t, PRIM_LET) && i == 1)        /* a let's lambda runs once */
            uses += count_uses(a->args[0], from + a->type->elems[0]->leaf_count, n, weight);
        else
            uses += count_uses(a, from, n, weight);
    }
    return uses;
}

int term_uses(const Term *t, int from, int n) { return count_uses(t, from, n, 1); }

bool term_let_is_written(const Term *t)
{
    if (!term_is(t, PRIM_LET)) return false;
    const Term *lambda = t->args[1];
    return term_uses(lambda->args[0], 0, lambda->type->elems[0]->leaf_count) <= 1;
}

bool term_is_layout(const Term *t) { return !(t->flags & (TF_COMPUTES | TF_MEMORY | TF_REDUCES | TF_MAPPED)); }

bool term_is_atom(const Term *t)
{
    while (term_is(t, PRIM_PROJ)) t = t->args[0];
    return t->kind != T_PRIM && t->kind != T_LAM;
}

/* ---- beta and let ----
 * The argument is taken apart into components: parts of a tuple literal, or the whole. A component that computes and
 * would be evaluated more than once is kept by a let; all others are substituted. */

typedef struct Component {
    const Term *term;
    int first, count;                    /* its leaves, left to right */
    bool keep;
} Component;

typedef struct Beta {
    Ctx *c;
    int n, leaf_count;
    Component parts[ARG_MAX * 4];
} Beta;

static bool take_apart(Beta *b, const Term *t)
{
    if (term_is(t, PRIM_TUPLE)) {
        return ALL(i, t->arg_count, take_apart(b, t->args[i]));
    }
    if (b->n == COUNT(b->parts)) return ctx_error(b->c, E08, "a tuple has more than %d leaves", COUNT(b->parts));
    b->parts[b->n++] = (Component){t, b->leaf_count, t->type->leaf_count, false};
    b->leaf_count += t->type->leaf_count;
    return true;
}

/* The leaves of t as terms, the last leaf first (index order), into values[0..leaf_count). */
static void leaf_values(Ctx *c, const Term *t, const Type *type, const Term **values)
{
    if (type->kind != TY_TUPLE) {
        values[0] = t;
        return;
    }
    int below = type->leaf_count;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        leaf_values(c, term_proj(c, t, i), type->elems[i], values + below);
    }
}

const Term *term_let_written(Ctx *c, const Term *value, const Term *lambda)
{
    if (!value || !lambda) return NULL;
    const Term *args[2] = {value, lambda};
    return make_prim(c, prim_node(PRIM_LET, NULL, 0, args, 2));
}

/* Names for component k of a lambda's parameter: only for a parameter that is one name, or a component at top level. */
static const char *const *component_hints(const Term *lambda, const Component *k)
{
    const Type *param = lambda->type->elems[0];
    if (!lambda->u.hints) return NULL;
    if (k->count == param->leaf_count) return lambda->u.hints;
    const char *const *h = lambda->u.hints + 1;
    int leaf = 0;
    for (int i = 0; param->kind == TY_TUPLE && i < param->count; i++) {
        if (leaf == k->first && param->elems[i] == k->term->type) return h;
        leaf += param->elems[i]->leaf_count;
        h += hint_count(param->elems[i]);
    }
    return NULL;
}

static const Term *beta(Ctx *c, const Term *lambda, const Term *arg, bool keep)
{
    if (!lambda || !arg) return NULL;
    const Type *param = lambda->type->elems[0];
    if (!type_same(c, param, arg->type))
        return ctx_error(c, E04, "a function of %s is applied to %s", type_text(c, param), type_text(c, arg->type));
    Beta b;
    b.c = c, b.n = b.leaf_count = 0;     /* its parts are filled as they come */
    if (!take_apart(&b, arg)) return NULL;
    int kept = 0, total = b.leaf_count;
    for (int i = 0; i < b.n; i++) {
        Component *k = &b.parts[i];
        int from = total - k->first - k->count;
        k->keep = keep && !term_is_atom(k->term) && !term_is_layout(k->term) && term_uses(lambda->args[0], from, k->count) > 1;
        if (k->keep) kept += k->count;
    }
    if (b.n == 1 && b.parts[0].keep) return term_let_written(c, arg, lambda);     /* nothing to substitute */
    ArenaMark mark = arena_mark(c->scratch);
    const Term **values = NEW_ARRAY(c->scratch, const Term *, total);
    int seen = 0;                        /* leaves of kept components so far */
    for (int i = 0; i < b.n; i++) {
        Component *k = &b.parts[i];
        if (k->keep) seen += k->count;
        const Term *v = k->keep ? term_param(c, k->term->type, kept - seen) : term_shift(c, k->term, kept, 0);
        leaf_values(c, v, k->term->type, values + (total - k->first - k->count));
    }
    const Term *body = term_subst(c, term_shift(c, lambda->args[0], kept, total), values, total);
    for (int i = b.n - 1; i >= 0 && body; i--) {
        Component *k = &b.parts[i];
        if (!k->keep) continue;
        seen -= k->count;
        const Term *f = term_lam(c, k->term->type, body, component_hints(lambda, k));
        body = term_let_written(c, term_shift(c, k->term, seen, 0), f);
    }
    arena_release(c->scratch, mark);
    return body;
}

const Term *term_beta(Ctx *c, const Term *lambda, const Term *arg) { return beta(c, lambda, arg, true); }

const Term *term_inline(Ctx *c, const Term *lambda, const Term *arg) { return beta(c, lambda, arg, false); }

const Term *term_let(Ctx *c, const Term *value, const Term *lambda) { return term_beta(c, lambda, value); }

/* ---- sizes ---- */

typedef struct NatWalk {
    Ctx *c;
    const NatBinding *map;
    int count;
    PtrTable done;                       /* of the terms, by id; in an arena of the walk */
    struct { const Nat *from, *to; } nats[64];       /* the last ones */
    struct { const Type *from, *to; } types[64];
} NatWalk;

typedef struct Done { const Term *from, *to; } Done;

static bool same_done(const void *key, const void *item) { return ((const Done *)item)->from == key; }

static const Nat *bind_nat(NatWalk *w, const Nat *n)
{
    if (!n || n->is_const) return n;
    __typeof__(*w->nats) *d = &w->nats[n->id % COUNT(w->nats)];
    if (d->from != n) d->to = nat_subst(w->c->nats, d->from = n, w->map, w->count, NULL);
    return d->to;
}

static const Type *bind_type(NatWalk *w, const Type *t)
{
    const Type *parts[ARG_MAX], *r;
    __typeof__(*w->types) *d = &w->types[t->id % COUNT(w->types)];
    if (t->kind == TY_SCALAR || t->kind == TY_VECTOR) return t;
    if (d->from == t) return d->to;
    for (int i = 0; i < t->count; i++) {
        parts[i] = bind_type(w, t->elems[i]);
        if (!parts[i]) return NULL;
    }
    if (t->kind == TY_TUPLE) r = type_tuple(w->c, parts, t->count);
    else if (t->kind == TY_FUN) r = type_fun(w->c, parts[0], parts[1]);
    else r = type_array(w->c, bind_nat(w, t->size), parts[0]);
    d->from = t;
    return d->to = r;
}

const Type *type_subst(Ctx *c, const Type *t, const NatBinding *map, int count)
{
    return t ? bind_type(&(NatWalk){.c = c, .map = map, .count = count}, t) : NULL;
}

static const Term *bind_nats(NatWalk *w, const Term *t)
{
    Ctx *c = w->c;
    const Nat *statics[STATIC_MAX];
    const Term *args[ARG_MAX], *r = t;
    Done *d = ptr_table_find(&w->done, t->id, same_done, t);
    if (d) return d->to;
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = bind_nats(w, t->args[i]);
        if (!args[i]) return NULL;
    }
    bool same = true;
    for (int i = 0; i < t->static_count; i++) {
        statics[i] = bind_nat(w, t->statics[i]);
        same = same && statics[i] == t->statics[i];
        if (!statics[i]) return ctx_error(c, E08, "%s: " SIZE_REFUSED, prim((PrimId)t->prim)->name, NAT_TERMS_MAX);
    }
    switch (t->kind) {
    case T_VAR: r = term_var(c, t->u.index, bind_type(w, t->type)); break;
    case T_INPUT: r = term_input(c, t->u.name, bind_type(w, t->type)); break;
    case T_SIZE: r = term_size(c, t->type, bind_nat(w, t->u.nat)); break;
    case T_LAM: r = term_lam(c, bind_type(w, t->type->elems[0]), args[0], t->u.hints); break;
    case T_PRIM:
        if (t->prim == PRIM_PROJ) {
            r = term_proj(c, args[0], t->u.proj);
        } else if (same && prim_fits_any_size(c, (PrimId)t->prim)) {
            Term n = prim_node((PrimId)t->prim, statics, t->static_count, args, t->arg_count);
            n.type = bind_type(w, t->type);
            r = intern_term(c, n);
        } else {
            r = same ? term_with_args(c, t, args) : term_prim(c, (PrimId)t->prim, statics, t->static_count, args, t->arg_count);
        }
    }
    if (r) ptr_table_add(&w->done, t->id, MAKE(w->done.arena, Done, t, r));
    return r;
}

const Term *term_subst_nats(Ctx *c, const Term *t, const NatBinding *map, int count)
{
    if (!t || count == 0) return t;
    LOCAL(drop_arena) Arena *arena = arena_new();
    NatWalk w = {.c = c, .map = map, .count = count, .done.arena = arena};
    ptr_table_reserve(&w.done, 256);
    return bind_nats(&w, t);
}

/* ---- slots ---- */

const char *term_slot_name(Ctx *c, const Term *t, int i)
{
    char name[16];
    const char *s = t->kind == T_LAM ? "body" : prim((PrimId)t->prim)->slots;
    if (term_is(t, PRIM_REORDER) && t->arg_count == 3) s = "fwd inv in";
    if (*s == '#') {
        snprintf(name, sizeof name, "%d", i);
        return intern(c->names, name);
    }
    for (; i > 0; i--) s = strchr(s, ' ') + 1;
    return intern_n(c->names, s, strcspn(s, " "));
}

const Term *term_with_slots(Ctx *c, const Term *t, const Term *const *children)
{
    const Term *args[ARG_MAX];
    for (int i = 0; i < t->arg_count; i++) args[i] = children[i] ? children[i] : t->args[i];
    if (term_is(t, PRIM_LET) && children[1])
        args[1] = term_lam(c, t->args[1]->type->elems[0], children[1], t->args[1]->u.hints);
    return term_with_args(c, t, args);
}

/* ---- content hash ---- */

static void serialise(const Term *t, Buf *out)
{
    switch (t->kind) {
    case T_VAR: buf_printf(out, "v%d", t->u.index); return;
    case T_INPUT: buf_printf(out, "i%s", t->u.name); return;
    case T_LIT: buf_printf(out, "l%d:%llx", scalar_key(t->type->scalar), (unsigned long long)t->u.lit.i); return;
    case T_SIZE:
        buf_putc(out, 'n');
        nat_print(t->u.nat, 0, out);
        return;
    case T_LAM:
        buf_puts(out, "\\");
        type_print(t->type->elems[0], out);
        break;
    default:
        buf_printf(out, "(%s", prim((PrimId)t->prim)->name);
        if (t->prim == PRIM_PROJ) buf_printf(out, "%d", t->u.proj);
    }
    for (int i = 0; i < t->static_count; i++) {
        buf_putc(out, ' ');
        nat_print(t->statics[i], 9, out);
    }
    for (int i = 0; i < t->arg_count; i++) {
        buf_putc(out, ' ');
        serialise(t->args[i], out);
    }
    if (t->kind == T_PRIM) buf_putc(out, ')');
}

void term_digest(Ctx *c, const Term *t, uint8_t out[32])
{
    (void)c;
    LOCAL(buf_free) Buf b = {0};
    serialise(t, &b);
    sha256(buf_text(&b), b.len, out);
}
