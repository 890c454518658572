/* elements: normalisation by evaluation. A term becomes a value whose arrays are functions from a number to a value; written out again
 * at fresh numbers these are the elements. */
#include "elements.h"
#include "lang.h"
#include "nest_private.h"

#include <stdlib.h>

typedef struct Value Value;
typedef struct Env { Value *v; struct Env *up; } Env;

enum { DIMENSIONS_MAX = 8 };

typedef enum ValueKind {
    VALUE_TERM,                          /* a scalar, or a tuple of scalars: an expression */
    VALUE_TUPLE,                         /* parts */
    VALUE_MEMORY,                        /* term: an array that has a name, at numbers */
    VALUE_LAYOUT,                        /* of x, or of x and y: what the node says */
    VALUE_ZIP,                           /* parts */
    VALUE_FIELD,                         /* component k of every element of x */
    VALUE_COLUMN, VALUE_PART,            /* of x: column `at`, or from `at` on */
    VALUE_ANTIDIAGONAL,
    VALUE_CHOICE,                        /* x or y, by the term */
    VALUE_SCAN,                          /* of x by the node, or the node's map over the scan x: not in memory yet, where it can have one more map */
    VALUE_ROWS,                          /* x at each number instead of `at`: rows that scans in memory make, worked out once */
    VALUE_GATHER,                        /* what pairs bring to one element, by their numbers but for those that are solved for; `at`: the first of them */
} ValueKind;

struct Value {
    ValueKind kind;
    const Type *type;
    const Term *term, *node;
    Env *env;                            /* of the node's function */
    Value *x, *y, *const *parts;
    Value *made;                         /* a scan, once it is in memory */
    double nodes;                        /* of the term that an element is written as, or more; 0: not counted yet */
    const Nat *const *at;
    int at_count, k;
    const struct Gather *gather;
};

/* What is open while an element is written: the root, a number that counts, or an arm of a choice. */
typedef NamedTerm Binding;
typedef struct Scope {
    struct Scope *up;
    int level;                           /* how many are around it */
    bool arm;                            /* nothing is moved out of it */
    const Nat *number;                   /* NULL: the root, or an arm */
    const Nat *extent;
    const char *hint, *name;             /* name: of the number where a term has been written */
    VEC(Binding) bindings;
} Scope;

/* A number, by atom or name, or a name. set: the levels of the scopes that it depends on; value: what an opaque number stands for. */
typedef struct Level { const char *name; const Nat *number; const Term *value; uint64_t set; } Level;
typedef struct Elements {
    Ctx *c;
    Arena *arena;
    Scope *scope;
    VEC(Level) levels;                   /* by age */
    VEC(Binding) arrays;                 /* that have a name of their own, by age */
    int names;
    const NatFacts *divides;             /* what the lengths in the term say */
    bool stages;                         /* scans make arrays one after the other: what is dear has one, too */
    bool keeps;                          /* whatever is computed and read again has one */
    bool gathers;                        /* the term is a reduction by index, which is written by itself */
    bool parts;                          /* numbers of sums are in parts, too, and a product with a factor that is left out is 0 */
    bool failed;
} Elements;

static Value *eval(Elements *m, const Term *t, Env *env);
static Value *element(Elements *m, Value *array, const Nat *i);
static const Term *written(Elements *m, Value *v);
static Value *gathered(Elements *m, Value *v, const Nat *i);

#define VALUE(m, k, t, ...) MAKE((m)->arena, Value, .kind = (k), .type = (t), __VA_ARGS__)

static Value *fail(Elements *m, const Type *type, const char *what)
{
    if (!m->failed) ctx_error(m->c, E52, "%s has no element form", what);
    m->failed = true;
    return VALUE(m, VALUE_MEMORY, type, .term = term_input(m->c, "?", type));
}

static const Type *i32(const Elements *m) { return type_scalar(m->c, SC_I32); }
static Value *of_term(Elements *m, const Term *t) { return VALUE(m, VALUE_TERM, t ? t->type : i32(m), .term = t); }
static const char *fresh_name(Elements *m, char kind) { return intern(m->c->names, arena_printf(m->arena, "%c%d", kind, m->names++)); }
static bool is_own(const char *name) { return name[0] == '#' || name[0] == '$' || name[0] == '@'; }        /* number, binding, array */

/* ---- what a term depends on ---- */

static const Level *level_named(const Elements *m, const char *name)
{
    for (int i = m->levels.n - 1; i >= 0; i--)
        if (m->levels.v[i].name == name) return &m->levels.v[i];
    return NULL;
}

static const Level *level_of_atom(const Elements *m, const NatAtom *atom)
{
    for (int i = m->levels.n - 1; i >= 0; i--)
        if (m->levels.v[i].number && nat_atom(m->levels.v[i].number) == atom) return &m->levels.v[i];
    return NULL;
}

static uint64_t bit(int level) { return (uint64_t)1 << (level < 63 ? level : 63); }

/* The levels of the scopes whose numbers t mentions, itself or by a name, a bit each. */
static uint64_t depends(const Elements *m, const Term *t)
{
    uint64_t set = 0;
    if (t->kind == T_SIZE) {
        LOCAL(drop) NatAtomVec vars = nat_kind_in(t->u.nat, VAR_INDEX);
        for (int i = 0; i < vars.n; i++) {
            const Level *l = level_of_atom(m, vars.v[i]);
            if (l) set |= l->set;
        }
    } else if (t->kind == T_INPUT && is_own(t->u.name)) {
        const Level *l = level_named(m, t->u.name);
        if (l) set |= l->set;
    }
    for (int i = 0; i < t->arg_count; i++) set |= depends(m, t->args[i]);
    return set;
}

static bool is_heavy(const Term *t) { return t->flags & TF_REDUCES; }

static bool has_scan(const Term *t)
{
    return (t->kind == T_PRIM && prim((PrimId)t->prim)->family == FAM_SCAN) || ((t->flags & TF_REDUCES) && ANY(i, t->arg_count, has_scan(t->args[i])));
}

/* ---- numbers as terms ---- */

static const Term *nat_written(Elements *m, const Nat *n);
static const Term *numbers_named(Elements *m, const Term *t);

static const Term *atom_written(Elements *m, const NatAtom *atom)
{
    static const PrimId prims[] = {[ATOM_DIV] = PRIM_FLOOR_DIV, [ATOM_MOD] = PRIM_MOD, [ATOM_MIN] = PRIM_MIN, [ATOM_MAX] = PRIM_MAX};
    if (atom->kind != ATOM_VAR) return term_prim2(m->c, prims[atom->kind], nat_written(m, atom->a), nat_written(m, atom->b));
    const Level *l = level_of_atom(m, atom);
    if (!l) return NULL;
    return l->value ? numbers_named(m, l->value) : term_input(m->c, l->name, i32(m));
}

static bool mentions_number(const Nat *n)
{
    LOCAL(drop) NatAtomVec vars = nat_kind_in(n, VAR_INDEX);
    return vars.n;
}

static bool has_number(const NatAtom *atom)
{
    if (atom->kind == ATOM_VAR) return atom->var == VAR_INDEX;
    return mentions_number(atom->a) || mentions_number(atom->b);
}

/* One term of a sum without its sign; NULL: it has a part of a number. */
static const Term *product_written(Elements *m, const NatTerm *t)
{
    Nats *s = m->c->nats;
    const Nat *size = nat_const(s, t->num < 0 ? -t->num : t->num);
    const Term *out = NULL;
    for (int i = 0; i < t->factor_count && size; i++) {
        const NatFactor *f = &t->factors[i];
        if (has_number(f->atom)) {
            if (f->exp < 0) return NULL;
            for (int k = 0; k < f->exp; k++) {
                const Term *x = atom_written(m, f->atom);
                out = out ? term_prim2(m->c, PRIM_MUL, out, x) : x;
            }
        } else {
            const Nat *x = nat_self(f->atom);
            for (int k = 0; k < abs(f->exp); k++) size = f->exp > 0 ? nat_mul(s, size, x) : nat_exact(s, size, x);
        }
    }
    if (size && t->den != 1) size = nat_exact(s, size, nat_const(s, t->den));
    if (!size) return NULL;
    if (!out) return term_size(m->c, i32(m), size);
    return size->is_const && size->value == 1 ? out : term_prim2(m->c, PRIM_MUL, out, term_size(m->c, i32(m), size));
}

/* The same of a sum whose terms are no whole numbers by themselves: what it is so many times, divided by that. */
static const Term *fraction_written(Elements *m, const Nat *n)
{
    int64_t whole = 1;
    for (int i = 0; i < n->term_count; i++) {
        int64_t den = n->terms[i].den;
        if (den > INT32_MAX || whole > INT32_MAX) return NULL;
        whole *= den / gcd64(whole, den);
    }
    const Term *times = whole > 1 ? nat_written(m, nat_mul(m->c->nats, n, nat_const(m->c->nats, whole))) : NULL;
    return times ? term_prim2(m->c, PRIM_FLOOR_DIV, times, term_int(m->c, i32(m), whole)) : NULL;
}

/* A number as a term, in which the numbers that count are inputs of their names. */
static const Term *nat_written(Elements *m, const Nat *n)
{
    const Term *out = NULL;
    if (!n) return NULL;
    if (ANY(i, n->term_count, n->terms[i].den != 1) && !mentions_number(n)) return term_size(m->c, i32(m), n);       /* its terms alone may be no sizes */
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < n->term_count; i++) {
            if ((n->terms[i].num > 0) != (sign > 0)) continue;
            const Term *t = product_written(m, &n->terms[i]);
            if (!t) return fraction_written(m, n);
            if (!out) out = sign > 0 ? t : term_prim1(m->c, PRIM_NEG, t);
            else out = term_prim2(m->c, sign > 0 ? PRIM_ADD : PRIM_SUB, out, t);
        }
    }
    return out ? out : term_int(m->c, i32(m), 0);
}

/* t with every number that counts as an input of its name. */
static const Term *numbers_named(Elements *m, const Term *t)
{
    if (!t) return NULL;
    if (t->kind == T_SIZE) {
        LOCAL(drop) NatAtomVec vars = nat_kind_in(t->u.nat, VAR_INDEX);
        return vars.n ? nat_written(m, t->u.nat) : t;
    }
    if (!t->arg_count) return t;
    bool same = true;
    const Term **args = NEW_ARRAY(m->arena, const Term *, t->arg_count);
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = numbers_named(m, t->args[i]);
        if (!args[i]) return NULL;
        same &= args[i] == t->args[i];
    }
    return same ? t : term_with_args(m->c, t, args);
}

static const Term *of_nat(Elements *m, const Nat *n) { return n ? term_size(m->c, i32(m), n) : NULL; }

/* ---- terms as numbers ---- */

/* Does m divide n, whatever its sign? x % k is as x is where m divides k. */
static bool is_multiple_of(Nats *s, const Nat *n, int64_t m)
{
    const Nat *like = n;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        const NatAtom *x = t->factor_count == 1 && t->factors[0].exp == 1 && t->den == 1 ? t->factors[0].atom : NULL;
        if (x && x->kind == ATOM_MOD && x->b->is_const && x->b->value % m == 0) like = nat_add(s, like, nat_mul(s, nat_const(s, t->num), nat_sub(s, x->a, nat_self(x))));
    }
    return like && ALL(i, like->term_count, like->terms[i].den == 1 && like->terms[i].num % m == 0);
}

/* A value in i32 that is a sum or product of numbers, as one; NULL: it is none, or may be beyond 31 bits. */
static const Nat *nat_of(Elements *m, const Term *t)
{
    Nats *s = m->c->nats;
    if (t->kind == T_SIZE) return t->u.nat;
    if (t->kind == T_LIT) return nat_const(s, t->u.lit.i);
    if (t->kind == T_INPUT && t->u.name[0] == '#') {
        const Level *l = level_named(m, t->u.name);
        return l ? l->number : NULL;
    }
    if (t->kind != T_PRIM || t->arg_count != 2) return NULL;
    const Nat *a = nat_of(m, t->args[0]), *b = a ? nat_of(m, t->args[1]) : NULL;
    if (!b) return NULL;
    PrimId op = (PrimId)t->prim;
    bool divides = op == PRIM_DIV || op == PRIM_FLOOR_DIV || op == PRIM_MOD;
    if (!divides && op != PRIM_ADD && op != PRIM_SUB && op != PRIM_MUL) return NULL;
    if (divides && b->is_const && b->value > 0 && is_multiple_of(s, a, b->value)) return op == PRIM_MOD ? nat_const(s, 0) : nat_div(s, a, b, NULL);
    if (divides && (!nat_is_nonneg(s, a) || !nat_less(s, nat_const(s, 0), b))) return NULL;
    return prim_calculate(s, op, a, b, NULL);
}

/* The scopes whose numbers it mentions. */
static int deepest(uint64_t set)
{
    int level = 0;
    for (int i = 0; i < 64; i++)
        if (set >> i & 1) level = i;
    return level;
}

/* The number that a value of an index is, below the length; one of its own where it is known only when the program runs. */
static const Nat *number_of(Elements *m, const Term *t, const Nat *length)
{
    const Nat *n = t ? nat_of(m, t) : NULL;
    if (n || !t) return n;
    const Nat *atom = nat_fresh_index(m->c->nats, "at", length);
    uint64_t set = depends(m, t);
    vec_push(&m->levels, ((Level){NULL, atom, t, set}));
    return atom;
}

/* ---- scopes ---- */

static Scope *open_scope(Elements *m, const Nat *extent, const char *hint, bool arm)
{
    Scope *s = NEW(m->arena, Scope);
    *s = (Scope){.up = m->scope, .level = m->scope ? m->scope->level + 1 : 0, .arm = arm, .extent = extent, .hint = hint};
    if (extent) {
        s->number = nat_fresh_index(m->c->nats, hint, extent);
        s->name = fresh_name(m, '#');
        vec_push(&m->levels, ((Level){s->name, s->number, NULL, bit(s->level)}));
    }
    if (s->level > 60) fail(m, i32(m), "so deep a nest");
    return m->scope = s;
}

/* Is t what is called so, or the tuple of all its components? */
static bool is_called(const Term *t, const char *name)
{
    if (t->kind == T_INPUT) return t->u.name == name;
    if (!term_is(t, PRIM_TUPLE)) return false;
    for (int i = 0; i < t->arg_count; i++) {
        const Term *part = t->args[i];
        if (!term_is(part, PRIM_PROJ) || part->u.proj != i || !is_called(part->args[0], name)) return false;
        if (part->args[0]->type->count != t->arg_count) return false;
    }
    return true;
}

const Term *nest_let(Ctx *c, const char *name, const Term *value, const Term *t, bool written_out)
{
    if (t && value && is_called(t, name)) return value;
    const Term *moved = t && value ? term_shift(c, t, value->type->leaf_count, 0) : NULL;
    const Term *body = moved ? term_subst_input(c, moved, name, term_param(c, value->type, 0)) : NULL;
    if (!body || body == moved) return t && value ? t : NULL;
    const Term *lambda = term_lam(c, value->type, body, NULL);
    return written_out ? term_let_written(c, value, lambda) : term_let(c, value, lambda);
}

/* The same where t is an array in element form: at each of its elements. */
static const Term *let_inside(Elements *m, const char *name, const Term *value, const Term *t)
{
    if (!t || !term_is(t, PRIM_GENERATE)) return nest_let(m->c, name, value, t, false);
    const Term *lam = t->args[0], *body = let_inside(m, name, value, lam->args[0]);
    if (!body) return NULL;
    lam = term_lam(m->c, lam->type->elems[0], body, lam->u.hints);
    return term_prim(m->c, PRIM_GENERATE, t->statics, t->static_count, &lam, 1);
}

static const Term *counted(Elements *m, const char *name, const char *hint, const Nat *extent, const Term *body)
{
    const Term *t = body ? term_subst_input(m->c, body, name, term_var(m->c, 0, i32(m))) : NULL;
    const char **hints = NEW_ARRAY(m->arena, const char *, 1);
    hints[0] = intern(m->c->names, hint);
    const Term *lam = t ? term_lam(m->c, i32(m), t, hints) : NULL;
    return lam ? term_prim(m->c, PRIM_GENERATE, &extent, 1, &lam, 1) : NULL;
}

static Scope *scope_at(Elements *m, int level)
{
    Scope *s = m->scope;
    while (s->level > level) s = s->up;
    return s;
}

/* t with its names replaced by what they stand for, in let bindings around it: all in scopes behind that level. */
static const Term *with_bindings(Elements *m, const Term *t, int level)
{
    for (Scope *s = m->scope; s && s->level > level; s = s->up)
        for (int i = s->bindings.n - 1; i >= 0; i--) t = let_inside(m, s->bindings.v[i].name, numbers_named(m, s->bindings.v[i].value), t);
    return t;
}

/* Does t ask of the number called name only which part of so many of its values it is in, as j // k says? *k: the number of them as a term, or NULL
 * where t does not mention it. */
static bool asks_part_only(const Term *t, const char *name, const Term **k)
{
    if (t->kind == T_INPUT) return t->u.name != name;
    bool part = (term_is(t, PRIM_FLOOR_DIV) || term_is(t, PRIM_DIV)) && t->args[0]->kind == T_INPUT && t->args[0]->u.name == name;
    if (!part) return ALL(i, t->arg_count, asks_part_only(t->args[i], name, k));
    if (*k && *k != t->args[1]) return false;
    *k = t->args[1];
    return true;
}

static const Term *parts_named(Elements *m, const Term *t, const Term *part, const Term *with)
{
    if (t == part) return with;
    return t->arg_count ? TERM_MAP(m->c, t, i, parts_named(m, t->args[i], part, with)) : t;
}

/* t counted by the number of s, or by the parts of it that t asks for; *at: where the element for the number of s is. */
static const Term *counted_by(Elements *m, const Scope *s, const Term *t, const Nat **at)
{
    const Term *k = NULL;
    Nats *n = m->c->nats;
    *at = s->number;
    const Nat *size = asks_part_only(t, s->name, &k) && k ? nat_of(m, k) : NULL;
    if (!size || (size->is_const && size->value < 2)) return counted(m, s->name, s->hint, s->extent, t);
    if (!nat_less(n, nat_const(n, 0), size) || !nat_divides(n, size, s->extent, m->divides)) return counted(m, s->name, s->hint, s->extent, t);
    const char *name = fresh_name(m, '#');
    const Term *part = term_prim2(m->c, PRIM_FLOOR_DIV, term_input(m->c, s->name, i32(m)), k), *named = term_input(m->c, name, i32(m));
    t = parts_named(m, t, part, named);
    t = parts_named(m, t, term_prim2(m->c, PRIM_DIV, term_input(m->c, s->name, i32(m)), k), named);
    *at = nat_div(n, s->number, size, NULL);
    return counted(m, name, s->hint, nat_exact(n, s->extent, size), t);
}

/* An array of its own for t, with a dimension for each number that it depends on; the array at these. */
static const Term *array_of(Elements *m, const Term *t, Value **memory)
{
    uint64_t set = depends(m, t);
    VEC(const Nat *) at = {0};
    t = numbers_named(m, with_bindings(m, numbers_named(m, t), -1));
    const Type *type = t ? t->type : NULL;
    for (Scope *s = m->scope; s && t; s = s->up) {
        if (!s->number || !(set >> s->level & 1)) continue;
        const Nat *where;
        t = counted_by(m, s, t, &where);
        vec_push(&at, where);
    }
    if (!t) {
        free(at.v);
        return fail(m, i32(m), "a number")->term;
    }
    const char *name = NULL;
    for (int i = 0; i < m->arrays.n && !name; i++) name = m->arrays.v[i].value == t ? m->arrays.v[i].name : NULL;
    if (!name) {
        name = fresh_name(m, '@');
        vec_push(&m->arrays, ((Binding){name, t}));
    }
    const Term *read = term_input(m->c, name, t->type);
    const Nat **reads = MAKE_LIST(m->arena, const Nat *, i, at.n, at.v[at.n - 1 - i]);
    if (memory) *memory = VALUE(m, VALUE_MEMORY, type, .term = read, .at = reads, .at_count = at.n);
    for (int i = 0; i < at.n && read; i++) read = term_prim2(m->c, PRIM_AT, of_nat(m, reads[i]), read);
    free(at.v);
    return read;
}

/* Does t ask only for parts of the number of one of these scopes? */
static bool asks_parts(Elements *m, const Term *t, uint64_t all)
{
    const Term *named = numbers_named(m, with_bindings(m, numbers_named(m, t), -1));          /* a name may ask for more */
    for (const Scope *s = m->scope; s && named; s = s->up) {
        const Term *k = NULL;
        if (s->number && (all >> s->level & 1) && asks_part_only(named, s->name, &k) && k) return true;
    }
    return false;
}

/* What the i-th name in s stands for is that from now on. */
static void bind_anew(Elements *m, Scope *s, int i, const Term *value)
{
    s->bindings.v[i].value = value;
    for (int k = 0; k < m->levels.n; k++)
        if (m->levels.v[k].name == s->bindings.v[i].name) m->levels.v[k].set = depends(m, value) | bit(s->level);
}

/* What reduces and is bound in s has an array of its own from now on; elements: unless it depends on all that these do; what does not, or only on parts of
 * it, would be computed again for each of them. */
static void bind_apart(Elements *m, Scope *s, const Term *elements)
{
    uint64_t all = elements ? depends(m, elements) & ~(uint64_t)1 : 0;
    for (int i = 0; i < s->bindings.n && !s->arm; i++) {
        Binding *b = &s->bindings.v[i];
        if (!is_heavy(b->value) || (elements && !(all & ~depends(m, b->value)) && !asks_parts(m, b->value, all))) continue;
        bind_anew(m, s, i, array_of(m, b->value, NULL));
    }
}

static void end_scope(Elements *m)
{
    Scope *s = m->scope;
    free(s->bindings.v);
    m->scope = s->up;
}

/* The body of the innermost scope with what is bound there around it; an array of its own for each binding that reduces, where the body is
 * an array. */
static const Term *close_scope(Elements *m, const Term *body)
{
    Scope *s = m->scope;
    body = numbers_named(m, body);
    bool inside = body && !type_is_scalar_like(body->type);
    if (body) bind_apart(m, s, inside ? NULL : body);
    for (int i = s->bindings.n - 1; i >= 0 && body; i--) {
        const Term *value = numbers_named(m, s->bindings.v[i].value);
        body = inside ? let_inside(m, s->bindings.v[i].name, value, body) : nest_let(m->c, s->bindings.v[i].name, value, body, false);
    }
    if (s->number && body) body = counted(m, s->name, s->hint, s->extent, body);
    end_scope(m);
    return body;
}

/* ---- names ---- */

/* Where a value that is used again is computed: as far out as what it depends on allows, but in the arm it is in. */
static Scope *scope_for(Elements *m, uint64_t set)
{
    int level = deepest(set);
    for (Scope *s = m->scope; s && s->level > level; s = s->up)
        if (s->arm) return s;
    return scope_at(m, level);
}

static const Term *named(Elements *m, const Term *t)
{
    if (!t || term_is_atom(t) || (t->type->kind == TY_SCALAR && t->type->scalar == SC_I32 && nat_of(m, t))) return t;
    Scope *s = scope_for(m, depends(m, t));
    for (int i = 0; i < s->bindings.n; i++)
        if (s->bindings.v[i].value == t) return term_input(m->c, s->bindings.v[i].name, t->type);
    const char *name = fresh_name(m, '$');
    uint64_t set = depends(m, t) | bit(s->level);
    vec_push(&s->bindings, ((Binding){name, t}));
    vec_push(&m->levels, ((Level){name, NULL, NULL, set}));
    return term_input(m->c, name, t->type);
}

/* ---- values ---- */

static Value *value_of_term(Elements *m, const Term *t)
{
    if (t && t->type->kind == TY_ARRAY) return VALUE(m, VALUE_MEMORY, t->type, .term = t);
    if (!t || t->type->kind != TY_TUPLE) return of_term(m, t);
    return VALUE(m, VALUE_TUPLE, t->type, .parts = MAKE_LIST(m->arena, Value *, i, t->type->count, value_of_term(m, term_proj(m->c, t, i))));
}

static Value *memory(Elements *m, const Term *t, const Nat *const *at, int n, const Type *type)
{
    if (type->kind == TY_ARRAY) return VALUE(m, VALUE_MEMORY, type, .term = t, .at = at, .at_count = n);
    for (int i = 0; i < n && t; i++) t = term_prim2(m->c, PRIM_AT, of_nat(m, at[i]), t);
    return value_of_term(m, t);
}

static Value *field(Elements *m, Value *v, int k)
{
    if (v->kind == VALUE_TUPLE) return v->parts[k];
    if (v->kind == VALUE_TERM) return value_of_term(m, term_proj(m->c, v->term, k));
    return fail(m, v->type->elems[k], "a component");
}

/* Component k of every element. */
static Value *fields(Elements *m, Value *array, int k)
{
    const Type *type = type_array(m->c, array->type->size, array->type->elems[0]->elems[k]);
    if (array->kind == VALUE_ZIP) return array->parts[k];
    return VALUE(m, VALUE_FIELD, type, .x = array, .k = k);
}

static int part_count(const Value *v) { return v->kind == VALUE_ZIP ? v->type->elems[0]->count : v->kind == VALUE_TUPLE ? v->type->count : 0; }
static int number_count(const Value *v) { return v->kind == VALUE_MEMORY ? v->at_count : v->at ? 1 : 0; }

/* Does it take a reduction to make an element? */
static bool is_computed(const Value *v)
{
    switch (v->kind) {
    case VALUE_TERM: return v->term && is_heavy(v->term);
    case VALUE_TUPLE: case VALUE_ZIP:
        return ANY(i, part_count(v), is_computed(v->parts[i]));
    case VALUE_MEMORY: return false;
    case VALUE_SCAN: return true;
    case VALUE_LAYOUT:
        if (v->node->prim == PRIM_MAP || v->node->prim == PRIM_GENERATE)
            if (is_heavy(v->node->args[0])) return true;
        return (v->x && is_computed(v->x)) || (v->y && is_computed(v->y));
    default: return (v->x && is_computed(v->x)) || (v->y && is_computed(v->y));
    }
}

static Value *keep(Elements *m, Value *v, bool all);
static Value *scan_made(Elements *m, Value *v);

static Value *keep_parts(Elements *m, Value *v, bool all)
{
    int n = part_count(v);
    return VALUE(m, v->kind, v->type, .parts = MAKE_LIST(m->arena, Value *, i, n, keep(m, v->parts[i], all)));
}

static bool is_in_arm(const Elements *m)
{
    for (const Scope *s = m->scope; s; s = s->up)
        if (s->arm) return true;
    return false;
}

/* May what is made here have an array of its own? What is bound around it has one, then. */
static bool may_keep(Elements *m, const Type *type)
{
    if (is_in_arm(m)) return fail(m, type, "an array that is kept in an arm of a choice"), false;
    for (Scope *s = m->scope; s; s = s->up) bind_apart(m, s, NULL);
    return true;
}

static Value *in_memory(Elements *m, const Term *t)
{
    Value *out = NULL;
    array_of(m, t, &out);
    if (!out) return fail(m, t->type, "");
    return out->at_count ? out : memory(m, out->term, NULL, 0, t->type);
}

/* An array whose elements take reductions, or any array, as one in memory. */
static Value *keep(Elements *m, Value *v, bool all)
{
    if (m->failed || v->kind == VALUE_TERM || v->kind == VALUE_MEMORY || !(all || is_computed(v))) return v;
    if (v->kind == VALUE_TUPLE) return keep_parts(m, v, all);
    if (v->type->kind != TY_ARRAY) return v;
    if (v->kind == VALUE_ZIP) return keep_parts(m, v, all);
    if (v->kind == VALUE_SCAN) return scan_made(m, v);
    if (!may_keep(m, v->type)) return fail(m, v->type, "");
    const Term *t = written(m, v);
    return t && (all || is_heavy(t)) ? in_memory(m, t) : v;
}

static Value *kept(Elements *m, Value *v) { return keep(m, v, false); }

/* Operations on floats that an element takes, by what is seen of it; as many as a division or a sine are dear. */
enum { DEAR = 8 };
static int effort(const Term *t)
{
    static const int each[] = {[WORK_CHEAP] = 1, [WORK_SUM] = 1, [WORK_PRODUCT] = 1, [WORK_FMA] = 1, [WORK_QUOTIENT] = DEAR, [WORK_SPECIAL] = DEAR};
    int sum = t->kind == T_PRIM && t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar) ? each[prim((PrimId)t->prim)->work] : 0;
    for (int i = 0; i < t->arg_count; i++) sum += effort(t->args[i]);
    return sum;
}

static int effort_of(const Value *v)
{
    int parts = part_count(v), sum = 0;
    for (int i = 0; i < parts; i++) sum += effort_of(v->parts[i]);
    if (v->kind == VALUE_LAYOUT && (v->node->prim == PRIM_MAP || v->node->prim == PRIM_GENERATE)) sum += effort(v->node->args[0]);
    return sum + (v->x ? effort_of(v->x) : 0) + (v->y ? effort_of(v->y) : 0);
}

static double nodes_of(Value *v);

/* Of t where `bound` names are its own and those around it are env's. */
static double nodes_in(const Term *t, const Env *env, int bound)
{
    if (t->kind == T_VAR && t->u.index >= bound) {
        for (int i = t->u.index - bound; env && i > 0; i--) env = env->up;
        return env ? nodes_of(env->v) : 1;
    }
    if (t->free_limit <= bound) return t->size;
    if (t->kind == T_LAM) bound += t->type->elems[0]->leaf_count;
    double sum = 1;
    for (int i = 0; i < t->arg_count; i++) sum += nodes_in(t->args[i], env, bound);
    return sum;
}

static double nodes_of(Value *v)
{
    if (v->nodes) return v->nodes;
    double sum = v->kind == VALUE_TERM && v->term ? v->term->size : 1;
    if (v->kind == VALUE_LAYOUT && (v->node->prim == PRIM_MAP || v->node->prim == PRIM_GENERATE)) sum += nodes_in(v->node->args[0], v->env, 0);
    for (int i = 0; i < part_count(v); i++) sum += nodes_of(v->parts[i]);
    return v->nodes = sum + (v->x ? nodes_of(v->x) : 0) + (v->y ? nodes_of(v->y) : 0);
}

/* Is v, which is read several times, worth an array of its own among others? One whose elements are computed, and as long as that, is everywhere: what is
 * read at several places of what is read at several places grows exponentially. */
enum { LONG = 50 };
static bool is_dear(const Elements *m, Value *v)
{
    if (v->type->kind != TY_ARRAY || v->kind == VALUE_SCAN || is_in_arm(m)) return false;
    return (m->keeps && effort_of(v) > 0) || (m->stages && effort_of(v) >= 2 * DEAR) || (effort_of(v) > 0 && nodes_of(v) >= LONG);
}

static Value *read_again(Elements *m, Value *v);

/* v in memory, as it is before it is only laid out; of arrays side by side those that are computed. */
static Value *kept_below(Elements *m, Value *v)
{
    int parts = part_count(v);
    if (parts) {
        return VALUE(m, v->kind, v->type, .parts = MAKE_LIST(m->arena, Value *, i, parts, read_again(m, v->parts[i])));
    }
    if (v->kind != VALUE_LAYOUT || !v->x || v->y || v->node->prim == PRIM_MAP) return keep(m, v, true);
    Value *r = arena_copy(m->arena, v, sizeof *v);
    r->x = kept_below(m, v->x);
    return r;
}

/* What is read several times. */
static Value *read_again(Elements *m, Value *v)
{
    if (!is_dear(m, v)) return kept(m, v);
    return m->keeps ? kept_below(m, v) : keep(m, v, true);
}

/* What gets a border; windows follow mostly, and then it is kept without. */
static Value *bordered(Elements *m, Value *v) { return m->keeps ? read_again(m, v) : kept(m, v); }

/* The value of a name: a scalar that is computed is computed once. */
static Value *once(Elements *m, Value *v)
{
    if (v->kind == VALUE_TERM) return value_of_term(m, named(m, v->term));
    if (v->kind == VALUE_TUPLE && type_is_scalar_like(v->type)) {
        return VALUE(m, VALUE_TUPLE, v->type, .parts = MAKE_LIST(m->arena, Value *, i, v->type->count, once(m, v->parts[i])));
    }
    return kept(m, v);
}

/* The leaves of a parameter, the last one innermost. */
static Env *bind(Elements *m, Env *env, const Type *type, Value *v)
{
    if (type->kind == TY_TUPLE) {
        for (int i = 0; i < type->count; i++) env = bind(m, env, type->elems[i], field(m, v, i));
        return env;
    }
    return MAKE(m->arena, Env, .v = v, .up = env);
}

static Value *call(Elements *m, const Term *lambda, Env *env, Value *arg)
{
    if (type_is_scalar_like(arg->type)) arg = once(m, arg);
    return eval(m, lambda->args[0], bind(m, env, lambda->type->elems[0], arg));
}

/* The array in memory whose rows these are, each where it lies; NULL: they lie otherwise. */
static const Term *rows_as_they_lie(const Value *v)
{
    const Nat *numbers[64];
    int depth = 0;
    for (; v->kind == VALUE_ROWS && depth < COUNT(numbers); v = v->x) numbers[depth++] = v->at[0];
    return v->kind == VALUE_MEMORY && v->at_count == depth && ALL(i, depth, v->at[i] == numbers[i]) ? v->term : NULL;
}

static const Term *written(Elements *m, Value *v)
{
    if (m->failed) return NULL;
    const Term *lying = v->kind == VALUE_ROWS ? rows_as_they_lie(v) : NULL;
    if (lying) return lying;
    if (v->kind == VALUE_TERM) return v->term;
    if (v->type->kind == TY_TUPLE) {
        return term_tuple(m->c, MAKE_LIST(m->arena, const Term *, i, v->type->count, written(m, field(m, v, i))), v->type->count);
    }
    if (v->kind == VALUE_SCAN) v = scan_made(m, v);
    if (v->kind == VALUE_MEMORY) {
        const Term *t = v->term;
        for (int i = 0; i < v->at_count && t; i++) t = term_prim2(m->c, PRIM_AT, of_nat(m, v->at[i]), t);
        if (v->type == v->term->type) return t;
    }
    static const char *const hints[] = {"i", "j", "k", "l", "p", "q"};
    int depth = 0;
    for (Scope *s = m->scope; s; s = s->up) depth += s->number != NULL;
    Scope *s = open_scope(m, v->type->size, hints[depth < 5 ? depth : 5], false);
    return close_scope(m, written(m, element(m, v, s->number)));
}

/* What is written in an arm of a choice. */
static const Term *in_arm(Elements *m, const Term *t, Env *env, Value *array, const Nat *i)
{
    open_scope(m, NULL, NULL, true);
    return close_scope(m, written(m, t ? eval(m, t, env) : element(m, array, i)));
}

static Value *choice(Elements *m, const Term *cond, const Type *type, const Term *sides[2], Env *env[2], Value *arrays[2], const Nat *at[2])
{
    if (cond->kind == T_LIT) return sides[!cond->u.lit.i] ? eval(m, sides[!cond->u.lit.i], env[!cond->u.lit.i])
                                                          : element(m, arrays[!cond->u.lit.i], at[!cond->u.lit.i]);
    if (type_is_scalar_like(type)) {
        const Term *x = in_arm(m, sides[0], env[0], arrays[0], at[0]), *y = in_arm(m, sides[1], env[1], arrays[1], at[1]);
        return value_of_term(m, x && y ? x == y ? x : term_prim(m->c, PRIM_IF, NULL, 0, (const Term *[]){cond, x, y}, 3) : NULL);
    }
    Value *v[2];
    cond = named(m, cond);
    for (int i = 0; i < 2; i++) v[i] = sides[i] ? eval(m, sides[i], env[i]) : element(m, arrays[i], at[i]);
    if (type->kind == TY_ARRAY) return VALUE(m, VALUE_CHOICE, type, .term = cond, .x = v[0], .y = v[1]);
    Value **parts = NEW_ARRAY(m->arena, Value *, type->count);
    for (int i = 0; i < type->count; i++) {
        Value *x = field(m, v[0], i), *y = field(m, v[1], i);
        parts[i] = type->elems[i]->kind == TY_ARRAY ? VALUE(m, VALUE_CHOICE, type->elems[i], .term = cond, .x = x, .y = y)
            : value_of_term(m, term_prim(m->c, PRIM_IF, NULL, 0, (const Term *[]){cond, written(m, x), written(m, y)}, 3));
    }
    return VALUE(m, VALUE_TUPLE, type, .parts = parts);
}

/* ---- elements ---- */

/* a op b of two numbers where that is known, as a literal; NULL: it is not. */
static const Term *known_to_hold(Elements *m, PrimId op, const Nat *a, const Nat *b)
{
    int is = prim_decide(m->c->nats, op, a, b);
    return is >= 0 ? term_integer(m->c, type_scalar(m->c, SC_BOOL), is) : NULL;
}

static const Term *compared(Elements *m, PrimId op, const Nat *a, const Nat *b)
{
    const Term *known = known_to_hold(m, op, a, b);
    return known ? known : term_prim2(m->c, op, of_nat(m, a), of_nat(m, b));
}

static const Term *both(Elements *m, const Term *a, const Term *b)
{
    if (!a || !b) return NULL;
    if (a->kind == T_LIT) return a->u.lit.i ? b : a;
    if (b->kind == T_LIT) return b->u.lit.i ? a : b;
    return term_prim2(m->c, PRIM_AND, a, b);
}

static const Nat *permuted(Elements *m, const Value *v, const Nat *i)
{
    const Nat *size = v->type->size;
    PermKind kind = (PermKind)v->node->statics[0]->value;
    if (kind != PERM_FUN) return perm_index(m->c->nats, kind, v->node->statics[1], size, i, NULL);
    return number_of(m, written(m, call(m, v->node->args[0], v->env, of_term(m, of_nat(m, i)))), size);
}

static Value *part(Elements *m, Value *x, const Nat *from, const Type *type)
{
    return VALUE(m, VALUE_PART, type, .x = x, .at = arena_copy(m->arena, &from, sizeof from));
}

static Value *layout_element(Elements *m, Value *v, const Nat *i)
{
    Nats *n = m->c->nats;
    const Term *t = v->node;
    const Type *type = v->type->elems[0];
    const Nat *const *s = t->statics;
    switch ((PrimId)t->prim) {
    case PRIM_MAP: return call(m, t->args[0], v->env, element(m, v->x, i));
    case PRIM_GENERATE: return call(m, t->args[0], v->env, of_term(m, of_nat(m, i)));
    case PRIM_SPLIT: return part(m, v->x, nat_mul(n, i, s[0]), type);
    case PRIM_JOIN: {
        const Nat *k = v->x->type->elems[0]->size;
        return element(m, element(m, v->x, nat_div(n, i, k, NULL)), nat_mod(n, i, k, NULL));
    }
    case PRIM_TRANSPOSE: return VALUE(m, VALUE_COLUMN, type, .x = v->x, .at = arena_copy(m->arena, &i, sizeof i));
    case PRIM_ANTIDIAGONALS: return VALUE(m, VALUE_ANTIDIAGONAL, type, .x = v->x, .at = arena_copy(m->arena, &i, sizeof i));
    case PRIM_SLIDE: return part(m, v->x, nat_mul(n, i, s[1]), type);
    case PRIM_PAD: return element(m, v->x, pad_index(n, (PadMode)s[2]->value, v->x->type->size, nat_sub(n, i, s[0]), NULL));
    case PRIM_TAKE: return element(m, v->x, i);
    case PRIM_DROP: return element(m, v->x, nat_add(n, i, s[0]));
    case PRIM_REORDER: return element(m, v->x, permuted(m, v, i));
    case PRIM_GATHER: return element(m, v->x, number_of(m, written(m, element(m, v->y, i)), v->x->type->size));
    case PRIM_PAD_CONST: {
        const Nat *behind = nat_sub(n, i, s[0]);
        const Term *cond = both(m, compared(m, PRIM_GE, i, s[0]), compared(m, PRIM_LT, i, nat_add(n, s[0], v->x->type->size)));
        if (!cond) return fail(m, type, "a border");
        return choice(m, cond, type, (const Term *[]){NULL, t->args[0]}, (Env *[]){NULL, v->env}, (Value *[]){v->x, NULL}, (const Nat *[]){behind, NULL});
    }
    case PRIM_CONCAT: {
        const Term *cond = compared(m, PRIM_LT, i, v->x->type->size);
        return choice(m, cond, type, (const Term *[]){NULL, NULL}, (Env *[]){NULL, NULL}, (Value *[]){v->x, v->y},
                      (const Nat *[]){i, nat_sub(n, i, v->x->type->size)});
    }
    default: return fail(m, type, prim((PrimId)t->prim)->name);
    }
}

/* Is it where it lies by numbers alone, that of s among them, so that another number can stand for that? */
static bool is_laid_out(Elements *m, const Value *v, const Scope *s)
{
    int parts = part_count(v);
    bool good = (!v->x || is_laid_out(m, v->x, s)) && (!v->y || is_laid_out(m, v->y, s)) && ALL(i, parts, is_laid_out(m, v->parts[i], s));
    LOCAL(drop) NatAtomVec vars = {0};
    int count = number_count(v);
    for (int i = 0; i < count; i++) nat_vars_of(v->at[i], VAR_INDEX, &vars);
    for (int i = 0; i < vars.n; i++) {
        const Level *l = level_of_atom(m, vars.v[i]);
        good &= !l || !(l->set >> s->level & 1) || l->number == s->number;
    }
    if (v->term) good &= !(depends(m, v->term) >> s->level & 1);
    return good && v->kind != VALUE_SCAN && !(v->kind == VALUE_LAYOUT && ANY(i, v->node->arg_count, v->node->args[i]->kind == T_LAM))
        && !(v->kind == VALUE_LAYOUT && v->node->prim == PRIM_PAD_CONST);
}

/* The same with the number i for that. */
static Value *at_row(Elements *m, Value *v, const NatAtom *number, const Nat *i)
{
    NatBinding b = {number, i};
    Value *r = arena_copy(m->arena, v, sizeof *v);
    int parts = part_count(v);
    int count = number_count(v);
    if (v->x) r->x = at_row(m, v->x, number, i);
    if (v->y) r->y = at_row(m, v->y, number, i);
    Value **each = NEW_ARRAY(m->arena, Value *, parts + 1);
    for (int k = 0; k < parts; k++) each[k] = at_row(m, v->parts[k], number, i);
    if (parts) r->parts = each;
    const Nat **at = NEW_ARRAY(m->arena, const Nat *, count + 1);
    for (int k = 0; k < count; k++) at[k] = nat_subst(m->c->nats, v->at[k], &b, 1, NULL);
    if (count) r->at = at;
    return r;
}

static Value *element(Elements *m, Value *v, const Nat *i)
{
    Nats *n = m->c->nats;
    const Type *type = v->type->elems[0];
    if (!i || m->failed) return m->failed ? VALUE(m, VALUE_MEMORY, type, .term = term_input(m->c, "?", type)) : fail(m, type, "a number");
    switch (v->kind) {
    case VALUE_MEMORY: {
        const Nat **at = NEW_ARRAY(m->arena, const Nat *, v->at_count + 1);
        if (v->at_count) memcpy(at, v->at, sizeof *at * (size_t)v->at_count);
        at[v->at_count] = i;
        return memory(m, v->term, at, v->at_count + 1, type);
    }
    case VALUE_ZIP: {
        return VALUE(m, VALUE_TUPLE, type, .parts = MAKE_LIST(m->arena, Value *, k, type->count, element(m, v->parts[k], i)));
    }
    case VALUE_FIELD: return field(m, element(m, v->x, i), v->k);
    case VALUE_PART: return element(m, v->x, nat_add(n, v->at[0], i));
    case VALUE_COLUMN: return element(m, element(m, v->x, i), v->at[0]);
    case VALUE_ANTIDIAGONAL: {
        const Nat *size = v->type->size, *from_last = nat_mod(n, nat_add(n, v->at[0], i), size, NULL);
        return element(m, element(m, v->x, nat_sub(n, nat_sub(n, size, nat_const(n, 1)), from_last)), i);
    }
    case VALUE_CHOICE:
        return choice(m, v->term, type, (const Term *[]){NULL, NULL}, (Env *[]){NULL, NULL}, (Value *[]){v->x, v->y}, (const Nat *[]){i, i});
    case VALUE_SCAN: return element(m, scan_made(m, v), i);
    case VALUE_ROWS: return at_row(m, v->x, nat_atom(v->at[0]), i);
    case VALUE_GATHER: return gathered(m, v, i);
    default: return layout_element(m, v, i);
    }
}

/* ---- evaluation ---- */

static Value *layout(Elements *m, const Term *t, Value *x, Value *y, Env *env)
{
    return VALUE(m, VALUE_LAYOUT, t->type, .node = t, .x = x, .y = y, .env = env);
}

/* The function of a reduction, its arguments variables. */
static const Term *function_written(Elements *m, const Term *f, Env *env)
{
    const Type *param = f->type->elems[0];
    const char *name = fresh_name(m, '$');
    vec_push(&m->levels, ((Level){name, NULL, NULL, bit(m->scope->level + 1)}));
    open_scope(m, NULL, NULL, true);
    const Term *body = close_scope(m, written(m, call(m, f, env, memory(m, term_input(m->c, name, param), NULL, 0, param))));
    body = body ? term_subst_input(m->c, body, name, term_param(m->c, param, 0)) : NULL;
    return body ? term_lam(m->c, param, body, f->u.hints) : NULL;
}

/* t, an element of what is reduced, with what is dear in it and depends on the number of s but not on all numbers that t does read from arrays of its own: it
 * would be made again for each of the others. all: the numbers that t, or what it stands in, depends on. What is in one arm of a choice stays there. */
static const Term *dear_apart(Elements *m, const Term *t, const Scope *s, uint64_t all)
{
    uint64_t set = depends(m, t) & all;
    if (!(set & bit(s->level)) || t->kind != T_PRIM || is_heavy(t)) return t;
    bool chooses = prim_is_lazy((PrimId)t->prim);
    if (t->arg_count) t = TERM_MAP(m->c, t, i, chooses && i > 0 ? t->args[i] : dear_apart(m, t->args[i], s, set));
    return set != all && t && t->type->kind == TY_SCALAR && scalar_is_float(t->type->scalar) && effort(t) >= DEAR ? array_of(m, t, NULL) : t;
}

/* Of two numbers a term asks nothing but x_step * x + y_step * y, one of these steps 1: `of` in their place. */
typedef struct Diagonal { const Nat *x, *y, *of; int64_t x_step, y_step; } Diagonal;

static bool asks_number(const Nat *n, const Nat *number) { return n && nat_mentions(n, nat_atom(number)); }

/* The factor of that number in n, which has no other part of it; 0: it has none. */
static int64_t factor_of(Nats *s, const Nat *n, const Nat *number)
{
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        bool is = t->den == 1 && t->factor_count == 1 && t->factors[0].exp == 1 && t->factors[0].atom == nat_atom(number);
        if (is) return asks_number(nat_sub(s, n, nat_mul(s, nat_const(s, t->num), number)), number) ? 0 : t->num;
    }
    return 0;
}

/* The first sum of multiples of both numbers in t, as steps; false: there is none, or neither step is 1. */
static bool diagonal_in(Elements *m, const Term *t, Diagonal *d)
{
    const Nat *n = t->type == i32(m) ? nat_of(m, t) : NULL;
    if (!asks_number(n, d->x) || !asks_number(n, d->y)) return ANY(i, t->arg_count, diagonal_in(m, t->args[i], d));
    int64_t a = factor_of(m->c->nats, n, d->x), b = factor_of(m->c->nats, n, d->y), least = a < b ? a : b;
    if (least < 1 || a % least || b % least) return false;
    d->x_step = a / least;
    d->y_step = b / least;
    return true;
}

static const Nat *along(Nats *s, int64_t step, const Nat *number) { return nat_mul(s, nat_const(s, step), number); }

/* t by the number of the diagonal; NULL: it asks more of the two. */
static const Term *by_diagonal(Elements *m, const Term *t, const Diagonal *d)
{
    Nats *s = m->c->nats;
    const Nat *n = t->type == i32(m) ? nat_of(m, t) : NULL;
    if (n) {
        bool first = d->x_step == 1;
        const Nat *rest = nat_sub(s, d->of, first ? along(s, d->y_step, d->y) : along(s, d->x_step, d->x));
        const Nat *r = nat_subst(s, n, &(NatBinding){nat_atom(first ? d->x : d->y), rest}, 1, m->divides);
        return r && !asks_number(r, d->x) && !asks_number(r, d->y) ? of_nat(m, r) : NULL;
    }
    if (t->kind == T_INPUT && is_own(t->u.name)) {
        const Level *l = level_named(m, t->u.name);
        return l && l->set & (depends(m, of_nat(m, d->x)) | depends(m, of_nat(m, d->y))) ? NULL : t;
    }
    return t->arg_count ? TERM_MAP(m->c, t, i, by_diagonal(m, t->args[i], d)) : t;
}

/* The same for the numbers of s and of o around it: o counts what they add up to from now on. NULL, and nothing else: it asks more, or these sums do not meet. */
static const Term *joined_in(Elements *m, const Term *t, const Scope *s, Scope *o, Diagonal *d)
{
    Nats *n = m->c->nats;
    *d = (Diagonal){.x = s->number, .y = o->number};
    if (!o->number || !diagonal_in(m, t, d)) return NULL;
    const Nat *one = nat_const(n, 1), *met = d->x_step == 1 ? s->extent : o->extent;
    if (nat_less_eq(n, met, nat_const(n, d->x_step * d->y_step))) return NULL;
    const Nat *extent = nat_add(n, nat_add(n, along(n, d->x_step, nat_sub(n, s->extent, one)), along(n, d->y_step, nat_sub(n, o->extent, one))), one);
    const char *name = fresh_name(m, '#');
    d->of = nat_fresh_index(n, o->hint, extent);
    vec_push(&m->levels, ((Level){name, d->of, NULL, bit(o->level)}));
    t = by_diagonal(m, t, d);
    if (t) o->number = d->of, o->extent = extent, o->name = name;
    return t;
}

/* An array of its own for t, which asks of the number of s and of another around it only what they add up to, as windows do: it is the same for all of one
 * sum. Of other numbers, too, where it is so. NULL: it is not. */
static const Term *along_diagonals(Elements *m, const Term *t, Scope *s)
{
    Nats *n = m->c->nats;
    struct { Scope *scope, before; } joined[DIMENSIONS_MAX];
    Diagonal d[DIMENSIONS_MAX];
    int count = 0;
    for (Scope *x = s; x && (x == s || count); x = x->up) {
        const Term *r = NULL;
        if (!x->number || !(depends(m, t) & bit(x->level))) continue;
        for (Scope *o = x->up; o && !r && count < DIMENSIONS_MAX; o = o->up) {
            joined[count].scope = o, joined[count].before = *o;
            if ((r = joined_in(m, t, x, o, &d[count]))) t = r, count++;
        }
    }
    Value *made = NULL;
    if (count) array_of(m, t, &made);
    for (int i = count - 1; i >= 0; i--) {
        const Scope *before = &joined[i].before;
        joined[i].scope->number = before->number, joined[i].scope->extent = before->extent, joined[i].scope->name = before->name;
    }
    const Term *read = made ? made->term : NULL;
    for (int i = 0; read && i < made->at_count; i++) {
        const Nat *at = made->at[i];
        for (int k = count - 1; k >= 0; k--) {
            const Nat *sum = nat_add(n, along(n, d[k].x_step, d[k].x), along(n, d[k].y_step, d[k].y));
            at = nat_subst(n, at, &(NatBinding){nat_atom(d[k].of), sum}, 1, m->divides);
        }
        read = term_prim2(m->c, PRIM_AT, of_nat(m, at), read);
    }
    return read;
}

/* t, an element of what is reduced by the number of s, with the sums in it that are the same along diagonals from arrays of their own. */
static const Term *shared_apart(Elements *m, const Term *t, Scope *s)
{
    if (!is_heavy(t) || !type_is_scalar_like(t->type) || t->kind != T_PRIM) return t;
    const Term *r = depends(m, t) & bit(s->level) ? along_diagonals(m, t, s) : NULL;
    if (r || t->prim == PRIM_REDUCE || t->prim == PRIM_SCAN) return r ? r : t;
    return TERM_MAP(m->c, t, i, t->args[i]->kind == T_LAM ? t->args[i] : shared_apart(m, t->args[i], s));
}

/* The same with what has a name in s. */
static const Term *sums_shared(Elements *m, const Term *in, Scope *s)
{
    for (int i = 0; i < s->bindings.n; i++) {
        const Term *value = s->bindings.v[i].value, *shared = shared_apart(m, value, s);
        if (shared && shared != value) bind_anew(m, s, i, shared);
    }
    return shared_apart(m, in, s);
}

/* Of some numbers that count only each step-th is asked for, from the first on. */
enum { RESIDUES_MAX = 16 };
typedef struct Residue { const Nat *first, *step; } Residue;

/* n as c * the number of s + behind: c; 0: it is not such. */
static int64_t times_number(Elements *m, const Nat *n, const Scope *s, const Nat **behind)
{
    *behind = nat_subst(m->c->nats, n, &(NatBinding){nat_atom(s->number), nat_const(m->c->nats, 0)}, 1, NULL);
    const Nat *times = *behind ? nat_sub(m->c->nats, n, *behind) : NULL;
    if (!times || times->term_count != 1 || times->terms[0].den != 1) return 0;
    int64_t c = times->terms[0].num;
    return nat_mul(m->c->nats, nat_const(m->c->nats, c), s->number) == times ? c : 0;
}

/* A number with the same rest divided by step, of which no part counts negatively. */
static const Nat *same_rest(Nats *s, const Nat *n, int64_t step)
{
    const Nat *out = n;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        const Nat *part = nat_const(s, ((t->num % step) + step) % step - t->num);
        if (t->den != 1 || ANY(k, t->factor_count, t->factors[k].exp < 0)) return n;
        for (int k = 0; k < t->factor_count; k++) part = nat_mul(s, part, nat_pow(s, nat_self(t->factors[k].atom), t->factors[k].exp));
        out = nat_add(s, out, part);
    }
    return out ? out : n;
}

/* Does the condition, or that it does not hold, ask for one rest of the number of s divided by a literal? */
static bool asks_residue(Elements *m, const Term *cond, bool holds, const Scope *s, Residue *out)
{
    Nats *n = m->c->nats;
    if (term_is(cond, PRIM_NOT)) return asks_residue(m, cond->args[0], !holds, s, out);
    if (term_is(cond, holds ? PRIM_AND : PRIM_OR)) return ANY(i, 2, asks_residue(m, cond->args[i], holds, s, out));
    if (cond->kind != T_PRIM || !prim_compares((PrimId)cond->prim) || cond->args[0]->type != i32(m)) return false;
    const Term *asked = cond->args[0];
    bool remainder = term_is(asked, PRIM_MOD);
    const Nat *whole = remainder ? NULL : nat_of(m, asked), *than = nat_of(m, cond->args[1]), *rest = NULL;
    const NatAtom *atom = whole ? nat_atom(whole) : NULL;
    if (!remainder && !(atom && atom->kind == ATOM_MOD)) return false;
    const Nat *of = remainder ? nat_of(m, asked->args[0]) : atom->a, *step = remainder ? nat_of(m, asked->args[1]) : atom->b;
    if (!of || !than || !step || !step->is_const || step->value < 2 || step->value > RESIDUES_MAX) return false;
    for (int64_t i = 0; i < step->value; i++) {
        const Term *yes = known_to_hold(m, (PrimId)cond->prim, nat_const(n, i), than);
        if (!yes || (!!yes->u.lit.i == holds && rest)) return false;
        if (!!yes->u.lit.i == holds) rest = nat_const(n, i);
    }
    if (!rest) return false;
    const Nat *behind;
    int64_t c = times_number(m, of, s, &behind);
    if (!c) return false;
    int64_t common = gcd64(c, step->value), apart = step->value / common, inverse = 0;
    if (apart < 2) return false;
    while ((inverse * (c / common) - 1) % apart) inverse++;
    const Nat *left = nat_sub(n, rest, behind);
    const Nat *at = left ? nat_div(n, same_rest(n, left, step->value), nat_const(n, common), NULL) : NULL;      /* what common does not divide is that of no number */
    at = at ? same_rest(n, nat_mul(n, nat_const(n, inverse), at), apart) : NULL;
    if (!at || !nat_is_nonneg(n, at)) return false;
    step = nat_const(n, apart);
    *out = (Residue){nat_mod(n, at, step, NULL), step};
    return out->first != NULL;
}

/* Is t, an element of a fold by f from z, that z but for some numbers of s? So is a fold by f from z of such. */
static bool leaves_out(Elements *m, const Term *t, const Term *f, const Term *z, const Scope *s, Residue *out)
{
    if (t->kind == T_INPUT && t->u.name[0] == '$') {
        for (const Scope *o = m->scope; o; o = o->up)
            for (int i = 0; i < o->bindings.n; i++)
                if (o->bindings.v[i].name == t->u.name) return leaves_out(m, o->bindings.v[i].value, f, z, s, out);
        return false;
    }
    bool product = m->parts && term_is(t, PRIM_MUL) && z->kind == T_LIT && term_is(f->args[0], PRIM_ADD);
    if (product) return ANY(i, 2, leaves_out(m, t->args[i], f, z, s, out));
    if (term_is(t, PRIM_REDUCE)) return t->args[0] == f && t->args[1] == z && leaves_out(m, t->args[2]->args[0]->args[0], f, z, s, out);
    if (!term_is(t, PRIM_IF)) return false;
    for (int other = 1; other <= 2; other++)
        if (t->args[other] == z) return asks_residue(m, t->args[0], other == 2, s, out) || leaves_out(m, t->args[3 - other], f, z, s, out);
    return false;
}

/* t where the condition holds, else z; of a fold by f from z, so is each element. */
static const Term *where_holds(Elements *m, const Term *cond, const Term *t, const Term *f, const Term *z)
{
    if (!cond || !t) return NULL;
    if (term_is(t, PRIM_REDUCE) && t->args[0] == f && t->args[1] == z && term_is(t->args[2], PRIM_GENERATE)) {
        const Term *in = t->args[2], *lam = in->args[0], *body = where_holds(m, cond, lam->args[0], f, z);
        lam = body ? term_lam(m->c, lam->type->elems[0], body, lam->u.hints) : NULL;
        in = lam ? term_prim(m->c, PRIM_GENERATE, in->statics, in->static_count, &lam, 1) : NULL;
        return in ? term_prim(m->c, PRIM_REDUCE, NULL, 0, (const Term *[]){f, z, in}, 3) : NULL;
    }
    return term_prim(m->c, PRIM_IF, NULL, 0, (const Term *[]){cond, t, z}, 3);
}

/* Is a // b, a % b about parts of the number of s, each of b numbers? */
static bool is_about_parts(Elements *m, const Nat *a, const Nat *b, const Scope *s)
{
    Nats *n = m->c->nats;
    const Nat *behind;
    if (!a || !b || mentions_number(b) || b == s->extent || !nat_less(n, nat_const(n, b->is_const), b)) return false;
    return times_number(m, a, s, &behind) && ((b->is_const && b->value <= RESIDUES_MAX) || nat_divides(n, b, s->extent, m->divides));
}

/* *size: of the parts of the number of s that what was seen is about, the largest that others divide; NULL: of none yet. */
static void see_part(Elements *m, const Nat *a, const Nat *b, const Scope *s, const Nat **size)
{
    if (is_about_parts(m, a, b, s) && (!*size || nat_divides(m->c->nats, *size, b, NULL))) *size = b;
}

static void find_part_size(Elements *m, const Nat *n, const Scope *s, const Nat **size)
{
    for (int i = 0; i < n->term_count; i++) {
        for (int k = 0; k < n->terms[i].factor_count; k++) {
            const NatAtom *x = n->terms[i].factors[k].atom;
            if (x->kind == ATOM_VAR) continue;
            if (x->kind == ATOM_DIV || x->kind == ATOM_MOD) see_part(m, x->a, x->b, s, size);
            find_part_size(m, x->a, s, size);
            find_part_size(m, x->b, s, size);
        }
    }
}

static void part_sizes_in(Elements *m, const Term *t, const Scope *s, const Nat **size)
{
    if (t->kind == T_SIZE) find_part_size(m, t->u.nat, s, size);
    if (term_is(t, PRIM_GENERATE)) {
        const Scope *of = open_scope(m, t->type->size, "r", false);
        const Term *number = term_input(m->c, of->name, i32(m)), *body = term_subst(m->c, t->args[0]->args[0], &number, 1);
        if (body) part_sizes_in(m, body, s, size);
        end_scope(m);
        return;
    }
    if (t->type == i32(m) && (term_is(t, PRIM_DIV) || term_is(t, PRIM_FLOOR_DIV) || term_is(t, PRIM_MOD)))
        see_part(m, nat_of(m, t->args[0]), nat_of(m, t->args[1]), s, size);
    for (int i = 0; i < t->arg_count; i++) part_sizes_in(m, t->args[i], s, size);
}

static const Nat *part_size_in(Elements *m, const Term *t, const Scope *s)
{
    const Nat *size = NULL;
    part_sizes_in(m, t, s, &size);
    return size;
}

/* How many times is every part of n a multiple of, beside k? */
static int64_t common_factor(const Nat *n, int64_t k)
{
    for (int i = 0; i < n->term_count; i++) k = n->terms[i].den == 1 ? gcd64(n->terms[i].num, k) : 1;
    return k;
}

/* What two numbers are beside each other, of as small numbers as it takes; NULL: they are no such numbers. */
static const Term *number_compared(Elements *m, PrimId op, const Term *const args[2])
{
    const Nat *a = nat_of(m, args[0]), *b = a ? nat_of(m, args[1]) : NULL;
    const Term *known = b ? known_to_hold(m, op, a, b) : NULL;
    if (!b || known) return known;
    const Nat *by = nat_const(m->c->nats, common_factor(a, common_factor(b, 0)));
    return term_prim2(m->c, op, of_nat(m, nat_exact(m->c->nats, a, by)), of_nat(m, nat_exact(m->c->nats, b, by)));
}

/* How many parts of so many numbers there are, the last one maybe shorter. */
static const Nat *part_count_of(Nats *s, const Nat *numbers, const Nat *by) { return nat_div(s, nat_add(s, numbers, nat_sub(s, by, nat_const(s, 1))), by, NULL); }

/* t with what is known of the numbers in it. */
static const Term *simplified(Elements *m, const Term *t)
{
    if (!t || !t->arg_count) return t;
    t = TERM_MAP(m->c, t, i, simplified(m, t->args[i]));
    if (!t || t->kind != T_PRIM) return t;
    if (t->prim == PRIM_AND) return both(m, t->args[0], t->args[1]);
    if (t->prim == PRIM_IF && t->args[0]->kind == T_LIT) return t->args[t->args[0]->u.lit.i ? 1 : 2];
    const Term *known = prim_compares((PrimId)t->prim) && t->args[0]->type == i32(m) ? number_compared(m, (PrimId)t->prim, t->args) : NULL;
    const Nat *number = t->type == i32(m) ? nat_of(m, t) : NULL;
    return known ? known : number ? of_nat(m, number) : t;
}

/* all, the numbers of a fold by f from z, as generate makes them: every step-th from the first on. */
static const Term *every_step(Elements *m, const Term *all, const Residue *r, const char *hint, const Term *f, const Term *z)
{
    Nats *n = m->c->nats;
    const Nat *size = all->type->size;
    Scope *s = open_scope(m, part_count_of(n, size, r->step), hint, false);
    const Nat *at = nat_add(n, r->first, nat_mul(n, r->step, s->number));
    const Term *number = of_nat(m, at), *inside = numbers_named(m, compared(m, PRIM_LT, at, size));
    const Term *t = number && inside ? numbers_named(m, simplified(m, term_subst(m->c, all->args[0]->args[0], &number, 1))) : NULL;
    return close_scope(m, !t || (inside->kind == T_LIT && inside->u.lit.i) ? t : where_holds(m, inside, t, f, z));
}

/* A reduction or scan by f from z; restarts: a reduction of results of it is one of all. */
typedef struct Fold { PrimId prim; const Term *f, *z; bool restarts; } Fold;

static Fold fold_of(Elements *m, const Term *t, Env *env)
{
    Fold fold = {.prim = (PrimId)t->prim, .f = function_written(m, t->args[0], env), .z = written(m, eval(m, t->args[1], env))};
    fold.restarts = fold.f && fold.z && fold.prim == PRIM_REDUCE && lang_property(m->c, NULL, PROP_RESTARTS, fold.f, fold.z, NULL);
    return fold;
}

/* The lengths of the dimensions that x joins, or that its elements are made of, the outermost first; of one that joins none, its own. */
typedef struct Extents { const Nat *of[DIMENSIONS_MAX]; int count; } Extents;

static Extents joined(const Value *x)
{
    if (x->kind == VALUE_FIELD || (x->kind == VALUE_LAYOUT && x->node->prim == PRIM_MAP)) return joined(x->x);
    for (int i = 0; i < part_count(x); i++) {
        Extents e = joined(x->parts[i]);
        if (e.count > 1) return e;
    }
    Extents e = {.of = {x->type->size}, .count = 1};
    if (x->kind != VALUE_LAYOUT || x->node->prim != PRIM_JOIN) return e;
    e = joined(x->x);
    if (e.count == DIMENSIONS_MAX) return (Extents){.of = {x->type->size}, .count = 1};
    e.of[e.count++] = x->x->type->elems[0]->size;
    return e;
}

/* Does what is bound for each number of s reduce? It may depend on a part of that number alone. */
static bool has_sums(const Scope *s) { return ANY(i, s->bindings.n, is_heavy(s->bindings.v[i].value)); }

/* A reduction or scan of x by its numbers, a reduction for each of the lengths from that level on: its elements behind so many rows `before`; rows: by these
 * instead, where elements have sums of their own. Of a reduction by those numbers alone that a choice does not leave out for each. */
static const Term *fold_by(Elements *m, const Fold *fold, Value *x, Extents e, int level, const Nat *before, const Extents *rows)
{
    const Term *f = fold->f, *z = fold->z;
    static const char *const hints[] = {"r", "s", "t", "u", "v"};
    int depth = 0;
    for (Scope *s = m->scope; s; s = s->up) depth += s->number && strchr("rstuv", s->hint[0]);
    const char *hint = hints[depth < 4 ? depth : 4];
    Nats *n = m->c->nats;
    const Nat *size = e.of[level];
    Scope *s = open_scope(m, size, hint, false);
    bool last = level + 1 == e.count;
    int arrays = m->arrays.n;
    const Nat *at = nat_add(n, nat_mul(n, before, size), s->number);
    const Term *in = last ? written(m, element(m, x, at)) : fold_by(m, fold, x, e, level + 1, at, NULL);
    if (rows && in && (m->arrays.n > arrays || has_sums(s))) {
        end_scope(m);
        return fold_by(m, fold, x, *rows, 0, before, NULL);
    }
    if (in && m->keeps && !is_in_arm(m)) in = sums_shared(m, in, s);
    bool reduces = in && fold->restarts;
    const Nat *by = reduces && m->parts && last && e.count < DIMENSIONS_MAX ? part_size_in(m, in, s) : NULL;
    if (by && nat_divides(n, by, size, m->divides)) {
        end_scope(m);
        e.of[level] = nat_exact(n, size, by);
        e.of[e.count++] = by;
        return fold_by(m, fold, x, e, level, before, NULL);
    }
    Residue r;
    bool some = reduces && leaves_out(m, in, f, z, s, &r);
    uint64_t numbers = 0;
    bool stays = !in || term_is(in, PRIM_MUL) || is_in_arm(m);         /* factors are made for blocks of products */
    for (const Scope *o = s; o; o = o->up) numbers |= o->number ? bit(o->level) : 0;
    in = close_scope(m, stays ? in : dear_apart(m, in, s, depends(m, in) & numbers));
    if (some && in && !m->failed) in = every_step(m, in, &r, hint, f, z);
    return m->failed || !in ? NULL : term_prim(m->c, fold->prim, NULL, 0, (const Term *[]){f, z, in}, 3);
}

static const Term *fold_written(Elements *m, const Fold *fold, Value *x)
{
    Extents all = {.of = {x->type->size}, .count = 1}, rows = fold->restarts ? joined(x) : all;
    return m->failed || !fold->f || !fold->z ? NULL : fold_by(m, fold, x, all, 0, nat_const(m->c->nats, 0), rows.count > 1 ? &rows : NULL);
}

static Value *reduction(Elements *m, const Term *t, Env *env)
{
    if (!type_is_scalar_like(t->type)) return fail(m, t->type, "a reduction of arrays");
    Value *x = eval(m, t->args[2], env);
    Fold fold = fold_of(m, t, env);
    const Term *r = fold_written(m, &fold, x);
    return r ? value_of_term(m, named(m, r)) : fail(m, t->type, "a reduction");
}

/* A scan, with the maps that follow it. */
static const Term *scan_written(Elements *m, const Value *v)
{
    if (v->node->prim != PRIM_MAP) {
        Fold fold = fold_of(m, v->node, v->env);
        return fold_written(m, &fold, v->x);
    }
    if (v->x->made) return written(m, layout(m, v->node, v->x->made, NULL, v->env));
    const Term *x = scan_written(m, v->x), *f = x ? function_written(m, v->node->args[0], v->env) : NULL;
    return f ? term_prim2(m->c, PRIM_MAP, f, x) : NULL;
}

/* In memory: an array of its own, a row for all that it depends on. */
static Value *scan_made(Elements *m, Value *v)
{
    if (v->made) return v->made;
    if (!may_keep(m, v->type)) return fail(m, v->type, "");
    const Term *t = scan_written(m, v);
    v->made = t ? in_memory(m, t) : fail(m, v->type, "a scan");
    return v->made;
}

static Value *scalar_operation(Elements *m, const Term *t, Env *env)
{
    const Term *args[4];
    if (t->type->kind == TY_VECTOR || t->arg_count > 4) return fail(m, t->type, "a vector");
    bool lazy = t->prim == PRIM_AND || t->prim == PRIM_OR;
    for (int i = 0; i < t->arg_count; i++) {
        args[i] = lazy && i == 1 ? in_arm(m, t->args[i], env, NULL, NULL) : written(m, eval(m, t->args[i], env));
        if (!args[i]) return fail(m, t->type, "");
        if (lazy && i == 0 && args[0]->kind == T_LIT)
            return !!args[0]->u.lit.i == (t->prim == PRIM_OR) ? of_term(m, args[0]) : eval(m, t->args[1], env);
    }
    if (t->prim == PRIM_AND) return of_term(m, both(m, args[0], args[1]));
    bool divides = t->type == i32(m) && (t->prim == PRIM_DIV || t->prim == PRIM_FLOOR_DIV || t->prim == PRIM_MOD);
    for (int i = 0; i < 2 && divides; i++) {
        const Nat *n = nat_of(m, args[i]);                   /* numbers in parts are parts of it, which a sum alone does not say */
        args[i] = n ? of_nat(m, n) : args[i];
    }
    const Term *known = prim_compares((PrimId)t->prim) && args[0]->type == i32(m) ? number_compared(m, (PrimId)t->prim, args) : NULL;
    return of_term(m, known ? known : term_prim(m->c, (PrimId)t->prim, t->statics, t->static_count, args, t->arg_count));
}

static bool overlaps(const Elements *m, const Term *slide) { return !nat_less_eq(m->c->nats, slide->statics[0], slide->statics[1]); }

/* How does it read an array: ONCE each element, in windows, or some elements AGAIN, where windows overlap or it goes beyond their ends? */
typedef enum Reading { READ_ONCE, READ_WINDOWS, READ_AGAIN } Reading;
static Reading reading(const Elements *m, const Term *t)
{
    if (term_is(t, PRIM_PAD) || term_is(t, PRIM_PAD_CONST) || term_is(t, PRIM_GATHER)) return READ_AGAIN;
    Reading r = !term_is(t, PRIM_SLIDE) ? READ_ONCE : overlaps(m, t) ? READ_AGAIN : READ_WINDOWS;
    for (int i = 0; i < t->arg_count && r != READ_AGAIN; i++) {
        Reading of = reading(m, t->args[i]);
        if (of > r) r = of;
    }
    return r;
}

/* What a loop on the host, a lowered map or the work-items of a group make, which is made before all this and has a name. */
static Value *made_before(Elements *m, const Term *t)
{
    if (t->free_limit) return fail(m, t->type, "what is lowered already, in a function,");
    const char *name = NULL;
    for (int i = 0; i < m->arrays.n; i++)
        if (m->arrays.v[i].value == t) name = m->arrays.v[i].name;
    if (!name) {
        name = fresh_name(m, '@');
        vec_push(&m->arrays, ((Binding){name, t}));
    }
    return memory(m, term_input(m->c, name, t->type), NULL, 0, t->type);
}

/* The same with the scans in it in memory, where they are only laid out. */
static Value *scans_made(Elements *m, Value *v)
{
    if (v->kind == VALUE_SCAN) return scan_made(m, v);
    int parts = part_count(v);
    Value **each = NEW_ARRAY(m->arena, Value *, parts + 1), *r = arena_copy(m->arena, v, sizeof *v);
    for (int i = 0; i < parts; i++) each[i] = scans_made(m, v->parts[i]);
    if (parts) r->parts = each;
    if (v->x) r->x = scans_made(m, v->x);
    if (v->y) r->y = scans_made(m, v->y);
    return r;
}

/* A map of x to rows that scans make, or generate: these are in memory, each for all rows, and what is made of them is laid out anew, or is in memory, too. */
static Value *rows(Elements *m, const Term *t, Value *x, Env *env)
{
    if (m->failed) return fail(m, t->type, "");
    Scope *s = open_scope(m, t->type->size, "i", false);
    Value *row = call(m, t->args[0], env, x ? element(m, x, s->number) : of_term(m, of_nat(m, s->number)));
    row = scans_made(m, row);
    if (is_laid_out(m, row, s)) {
        end_scope(m);
        return VALUE(m, VALUE_ROWS, t->type, .x = row, .at = arena_copy(m->arena, &s->number, sizeof s->number));
    }
    for (Scope *o = m->scope; o; o = o->up) bind_apart(m, o, NULL);
    const Term *all = close_scope(m, written(m, row));
    return all ? in_memory(m, all) : fail(m, t->type, "");
}

static bool makes_rows(const Term *t) { return t->type->elems[0]->kind == TY_ARRAY && has_scan(t->args[0]); }

static Value *eval_prim(Elements *m, const Term *t, Env *env)
{
    switch ((PrimId)t->prim) {
    case PRIM_LET: {
        Value *x = eval(m, t->args[0], env);
        bool again = t->args[0]->type->kind == TY_ARRAY && term_uses(t->args[1]->args[0], 0, 1) > 1;
        if (x->kind == VALUE_SCAN && !again) return call(m, t->args[1], env, x);           /* the map that may follow is part of it */
        return call(m, t->args[1], env, again ? read_again(m, x) : once(m, x));
    }
    case PRIM_TUPLE: {
        return VALUE(m, VALUE_TUPLE, t->type, .parts = MAKE_LIST(m->arena, Value *, i, t->arg_count, eval(m, t->args[i], env)));
    }
    case PRIM_PROJ: return field(m, eval(m, t->args[0], env), t->u.proj);
    case PRIM_IF: {
        const Term *cond = written(m, eval(m, t->args[0], env));
        if (!cond) return fail(m, t->type, "");
        return choice(m, cond, t->type, (const Term *[]){t->args[1], t->args[2]}, (Env *[]){env, env}, (Value *[]){NULL, NULL}, (const Nat *[]){NULL, NULL});
    }
    case PRIM_MAP: {
        Value *x = eval(m, t->args[1], env);
        const Type *param = t->args[0]->type->elems[0];
        if (x->kind == VALUE_SCAN && !x->made && type_is_scalar_like(t->type->elems[0]) && !is_heavy(t->args[0]))
            return VALUE(m, VALUE_SCAN, t->type, .node = t, .x = x, .env = env);
        if (makes_rows(t)) return rows(m, t, x, env);
        Reading how = reading(m, t->args[0]);
        bool again = how == READ_AGAIN;                    /* is a row, or an element of it, used several times, and would be computed each time? */
        for (int i = 0; i < param->leaf_count; i++)
            again |= type_leaf(param, i)->kind == TY_ARRAY && term_uses(t->args[0]->args[0], param->leaf_count - 1 - i, 1) > 1;
        return layout(m, t, again ? read_again(m, x) : how == READ_WINDOWS ? kept(m, x) : x, NULL, env);
    }
    case PRIM_ZIP: {
        return VALUE(m, VALUE_ZIP, t->type, .parts = MAKE_LIST(m->arena, Value *, i, t->arg_count, eval(m, t->args[i], env)));
    }
    case PRIM_UNZIP: {
        Value *x = eval(m, t->args[0], env), **parts = NEW_ARRAY(m->arena, Value *, t->type->count);
        for (int i = 0; i < t->type->count; i++) parts[i] = fields(m, x, i);
        return VALUE(m, VALUE_TUPLE, t->type, .parts = parts);
    }
    case PRIM_GENERATE: return makes_rows(t) ? rows(m, t, NULL, env) : layout(m, t, NULL, NULL, env);
    case PRIM_TO_GLOBAL: return (t->args[0]->flags & TF_MAPPED) ? made_before(m, t) : keep(m, eval(m, t->args[0], env), true);
    case PRIM_SPLIT: case PRIM_JOIN: case PRIM_TRANSPOSE: case PRIM_ANTIDIAGONALS: case PRIM_TAKE: case PRIM_DROP: case PRIM_REORDER:
        return layout(m, t, eval(m, t->args[t->arg_count - 1], env), NULL, env);
    case PRIM_SLIDE: {
        Value *x = eval(m, t->args[0], env);
        return layout(m, t, overlaps(m, t) ? read_again(m, x) : kept(m, x), NULL, env);
    }
    case PRIM_PAD: return layout(m, t, bordered(m, eval(m, t->args[0], env)), NULL, env);
    case PRIM_PAD_CONST: return layout(m, t, bordered(m, eval(m, t->args[1], env)), NULL, env);
    case PRIM_CONCAT: return layout(m, t, eval(m, t->args[0], env), eval(m, t->args[1], env), env);
    case PRIM_GATHER: return layout(m, t, kept(m, eval(m, t->args[1], env)), eval(m, t->args[0], env), env);
    case PRIM_AT: {
        Value *x = eval(m, t->args[1], env);
        const Nat *i = number_of(m, written(m, eval(m, t->args[0], env)), x->type->size);
        return element(m, x, i);
    }
    case PRIM_REDUCE: case PRIM_REDUCE_SEQ: return reduction(m, t, env);
    case PRIM_SCAN: case PRIM_SCAN_SEQ:
        if (!type_is_scalar_like(t->type->elems[0])) return fail(m, t->type, "a scan of arrays");
        return VALUE(m, VALUE_SCAN, t->type, .node = t, .x = kept(m, eval(m, t->args[2], env)), .env = env);
    case PRIM_REDUCE_HOST: case PRIM_MAP_GLOBAL: case PRIM_MAP_WORKGROUP: case PRIM_TO_LOCAL: return made_before(m, t);
    case PRIM_REDUCE_BY_INDEX:
        if (m->gathers) return layout(m, t, eval(m, t->args[2], env), eval(m, t->args[1], env), env);
        return fail(m, t->type, prim(PRIM_REDUCE_BY_INDEX)->name);
    default:
        if (t->type->kind == TY_SCALAR && prim((PrimId)t->prim)->family == FAM_SCALAR) return scalar_operation(m, t, env);
        return fail(m, t->type, prim((PrimId)t->prim)->name);
    }
}

static Value *eval(Elements *m, const Term *t, Env *env)
{
    if (m->failed) return fail(m, t->type, "");
    switch (t->kind) {
    case T_VAR:
        for (int i = t->u.index; env; i--, env = env->up)
            if (!i) return env->v;
        return fail(m, t->type, "an open term");
    case T_INPUT: return memory(m, t, NULL, 0, t->type);
    case T_LIT: case T_SIZE: return of_term(m, t);
    case T_PRIM: return eval_prim(m, t, env);
    default: return fail(m, t->type, "a function");
    }
}

/* ---- terms ---- */

/* The variables that are free in t have names of their own while it is written: at[i] of that with index i. */
static void free_names(const Term *t, int bound, const Type **types)
{
    if (t->free_limit <= bound) return;
    if (t->kind == T_VAR) types[t->u.index - bound] = t->type;
    if (t->kind == T_LAM) bound += t->type->elems[0]->leaf_count;
    for (int i = 0; i < t->arg_count; i++) free_names(t->args[i], bound, types);
}

static const char *free_name(Elements *m, int i) { return intern(m->c->names, arena_printf(m->arena, "?%d", i)); }

static const Term *closed(Elements *m, const Term *t)
{
    int n = t->free_limit;
    const Type **types = NEW_ARRAY(m->arena, const Type *, n);
    const Term **values = NEW_ARRAY(m->arena, const Term *, n);
    free_names(t, 0, types);
    for (int i = 0; i < n; i++) values[i] = term_input(m->c, free_name(m, i), types[i] ? types[i] : i32(m));
    return term_subst(m->c, t, values, n);
}

static const Term *opened(Elements *m, const Term *t, const Term *was)
{
    const Type **types = NEW_ARRAY(m->arena, const Type *, was->free_limit);
    free_names(was, 0, types);
    for (int i = 0; i < was->free_limit && t; i++)
        if (types[i]) t = term_subst_input(m->c, t, free_name(m, i), term_var(m->c, i, types[i]));
    return t;
}

/* A length N/s is whole. */
static const NatFacts *divides_by(Nats *s, Arena *arena, const Nat *n, const NatFacts *known)
{
    const NatTerm *t = n->term_count == 1 ? &n->terms[0] : NULL;
    const Nat *by = nat_const(s, t ? t->den : 1);
    for (int i = 0; t && by && i < t->factor_count; i++)
        if (t->factors[i].exp < 0) by = nat_mul(s, by, nat_pow(s, nat_self(t->factors[i].atom), -t->factors[i].exp));
    const Nat *all = !by || (by->is_const && by->value == 1) ? NULL : nat_mul(s, n, by);
    for (const NatFacts *f = known; f && all; f = f->next)
        if (f->divisor == by && f->number == all) return known;
    return all ? MAKE(arena, NatFacts, by, all, known) : known;
}

/* What t takes for granted of its lengths: what it splits is divided, and so is what it reads. */
static const NatFacts *divides_in(Ctx *c, Arena *arena, const Term *t, const NatFacts *known)
{
    Fact facts[8];
    int n = term_own_facts(c, t, facts);
    for (int i = 0; i < n; i++)
        if (facts[i].kind == FACT_DIVIDES) known = MAKE(arena, NatFacts, facts[i].a, facts[i].b, known);
    for (const Type *type = t->kind == T_INPUT || t->kind == T_VAR ? t->type : NULL; type && type->kind == TY_ARRAY; type = type->elems[0]) known = divides_by(c->nats, arena, type->size, known);
    for (int i = 0; i < t->arg_count; i++) known = divides_in(c, arena, t->args[i], known);
    return known;
}

/* What write makes of the value of t, as a term with the arrays that it needs around it. */
static const Term *elements_by(Ctx *c, const Term *t, bool keeps, const Term *write(Elements *m, Value *v, const void *data), const void *data)
{
    if (!t) return NULL;
    LOCAL(drop_arena) Arena *arena = arena_new();
    Elements m = {.c = c, .arena = arena, .stages = has_scan(t), .keeps = keeps, .divides = divides_in(c, arena, t, NULL), .gathers = term_is(t, PRIM_REDUCE_BY_INDEX)};
    open_scope(&m, NULL, NULL, false);
    const Term *r = write(&m, eval(&m, closed(&m, t), NULL), data);
    if (r) bind_apart(&m, m.scope, type_is_scalar_like(r->type) ? r : NULL);
    r = numbers_named(&m, with_bindings(&m, numbers_named(&m, r), -1));
    if (keeps && r) r = nest_orders(c, m.arrays.v, m.arrays.n, r);
    for (int i = m.arrays.n - 1; i >= 0 && r; i--) {
        const Binding *b = &m.arrays.v[i];
        r = nest_let(m.c, b->name, b->value, r, !type_is_scalar_like(b->value->type));
    }
    r = opened(&m, r, t);
    while (m.scope) end_scope(&m);
    free(m.levels.v);
    free(m.arrays.v);
    if (!r && !m.failed && !diag_failed(&c->diag)) ctx_error(c, E52, "the program has no element form");
    return m.failed ? NULL : r;
}

/* v; pairs of arrays as pairs, one array for each part. */
static const Term *write_all(Elements *m, Value *v, const void *data)
{
    (void)data;
    const Type *of = v->type->kind == TY_ARRAY ? v->type->elems[0] : NULL;
    if (!of || of->kind != TY_TUPLE || type_is_scalar_like(of)) return written(m, v);
    const Term **parts = MAKE_LIST(m->arena, const Term *, i, of->count, write_all(m, fields(m, v, i), NULL));
    return m->failed ? NULL : term_prim(m->c, PRIM_ZIP, NULL, 0, parts, of->count);
}

const Term *elements_of(Ctx *c, const Term *t) { return elements_by(c, t, false, write_all, NULL); }
const Term *elements_kept(Ctx *c, const Term *t) { return elements_by(c, t, true, write_all, NULL); }

/* ---- what is reduced by index, by elements ---- */

enum { SPREAD_MAX = 8, SOLVED_STEP_MAX = 16 };

/* The numbers of an array: one for each array that joins lay out one behind the other. given: they are there; else they are opened. */
typedef struct Spread { int count; bool given; const Nat *size[SPREAD_MAX], *number[SPREAD_MAX]; } Spread;

static const Nat *next_number(Elements *m, Spread *s, const Nat *size)
{
    if (s->count == SPREAD_MAX || (s->given && s->size[s->count] != size)) return fail(m, i32(m), "what is joined otherwise than what it is zipped with"), NULL;
    if (!s->given) {
        s->size[s->count] = size;
        s->number[s->count] = open_scope(m, size, "p", false)->number;
    }
    return s->number[s->count++];
}

/* The element of v at its numbers. */
static Value *spread(Elements *m, Value *v, Spread *s)
{
    if (m->failed) return fail(m, v->type->elems[0], "");
    if (v->kind == VALUE_LAYOUT && v->node->prim == PRIM_JOIN) return spread(m, spread(m, v->x, s), s);
    if (v->kind == VALUE_LAYOUT && v->node->prim == PRIM_MAP) return call(m, v->node->args[0], v->env, spread(m, v->x, s));
    if (v->kind != VALUE_ZIP) return element(m, v, next_number(m, s, v->type->size));
    int parts = part_count(v);
    Value **each = NEW_ARRAY(m->arena, Value *, parts);
    Spread first = *s;
    for (int i = 0; i < parts; i++) {
        Spread again = *s;
        again.count = first.count;
        again.given = i || s->given;
        each[i] = spread(m, v->parts[i], &again);
        if (!i) *s = again, s->given = first.given;
        else if (again.count != s->count) fail(m, i32(m), "what is joined otherwise than what it is zipped with");
    }
    return VALUE(m, VALUE_TUPLE, v->type->elems[0], .parts = each);
}

/* A number of pairs that their index is solved for: what the index, or what is left of it, is of `by` (NULL: all of it, the last) is step times the number and
 * others, in which it is not. */
typedef struct Solved { int number; int64_t step; const Nat *others, *by; } Solved;

/* Pairs whose index is a sum of their numbers: an element takes, for all other numbers, the pair whose solved numbers make up its own. */
typedef struct Gather {
    Fold fold;
    Value *pairs;
    Spread numbers;                      /* of the pairs, as `others` have them */
    Solved solved[SPREAD_MAX];
    int count;
    const Nat *element;                  /* its own number */
} Gather;

static bool is_solved(const Gather *g, int number) { return ANY(i, g->count, g->solved[i].number == number); }

static const Nat *step_of(Nats *n, const Nat *index, const Nat *number)
{
    NatBinding next = {nat_atom(number), nat_add(n, number, nat_const(n, 1))};
    return nat_sub(n, nat_subst(n, index, &next, 1, NULL), index);
}

/* The index, or what is left of it, for that number; the last: as it is, else its part that counts in steps of the number's. *left: what is left then. */
static bool solve_for(Elements *m, const Spread *s, int number, bool last, const Nat **left, Solved *out)
{
    Nats *n = m->c->nats;
    const Nat *of = s->number[number], *index = *left, *by = last ? NULL : step_of(n, index, of);
    if (by && (mentions_number(by) || !nat_less(n, nat_const(n, 0), by))) return false;
    const Nat *part = by ? nat_div(n, index, by, NULL) : index, *step = part ? step_of(n, part, of) : NULL;
    if (!step || !step->is_const || !step->value || llabs(step->value) > SOLVED_STEP_MAX) return false;
    *left = by ? nat_mod(n, index, by, NULL) : nat_const(n, 0);
    *out = (Solved){number, step->value, nat_sub(n, part, nat_mul(n, step, of)), by};
    return *left && out->others && !nat_mentions(out->others, nat_atom(of)) && !nat_mentions(*left, nat_atom(of));
}

/* code: the numbers, from 1 on, a digit each, those of the largest steps first. */
static bool solve(Elements *m, Value *pairs, int code, Gather *g)
{
    Scope *inner = m->scope;
    int by = 1;
    Value *pair = spread(m, pairs, &g->numbers);
    const Term *index = m->failed ? NULL : written(m, field(m, pair, 0));
    const Nat *left = index ? nat_of(m, index) : NULL;
    while (code / by >= 10) by *= 10;
    bool good = left && code > 0;
    for (; by && good; by /= 10) {
        int number = code / by % 10 - 1;
        good = number >= 0 && number < g->numbers.count && !is_solved(g, number)
            && solve_for(m, &g->numbers, number, by == 1, &left, &g->solved[g->count]);
        g->count++;
    }
    while (m->scope != inner) end_scope(m);
    if (good || m->failed) return good;
    m->failed = true;
    return ctx_error(m->c, E52, "the index is no sum of these numbers of its %d, at most %d times the last, and others", g->numbers.count, SOLVED_STEP_MAX);
}

/* The number that is step times what is solved for, and whether there is one. */
static const Term *solution(Elements *m, const Solved *o, const Nat *sum, const Nat *others, const Nat *size, const Nat **number)
{
    Nats *n = m->c->nats;
    const Nat *left = o->step > 0 ? nat_sub(n, sum, others) : nat_sub(n, others, sum), *step = nat_const(n, llabs(o->step));
    const Term *there = both(m, compared(m, PRIM_GE, left, nat_const(n, 0)), compared(m, PRIM_LT, left, nat_mul(n, step, size)));
    *number = left;
    if (step->value == 1) return there;
    const Term *steps = of_nat(m, step), *whole = of_nat(m, left);
    *number = number_of(m, term_prim2(m->c, PRIM_FLOOR_DIV, whole, steps), size);
    return both(m, there, term_prim2(m->c, PRIM_EQ, term_prim2(m->c, PRIM_MOD, whole, steps), term_int(m->c, i32(m), 0)));
}

/* The value of the pair at these numbers, where there is one whose index is that of the element. */
static Value *gathered_pair(Elements *m, const Gather *g, const Nat *const *at)
{
    Nats *n = m->c->nats;
    NatBinding now[SPREAD_MAX];
    int known = 0;
    Spread s = g->numbers;
    const Term *there = term_integer(m->c, type_scalar(m->c, SC_BOOL), 1);
    for (int i = 0, k = 0; i < s.count; i++) {
        if (is_solved(g, i)) continue;
        now[known++] = (NatBinding){nat_atom(g->numbers.number[i]), at[k]};
        s.number[i] = at[k++];
    }
    const Nat *left = g->element;
    for (int i = 0; i < g->count; i++) {
        const Solved *o = &g->solved[i];
        const Nat *sum = o->by ? nat_div(n, left, o->by, NULL) : left, **number = &s.number[o->number];
        there = both(m, there, solution(m, o, sum, nat_subst(n, o->others, now, known, NULL), s.size[o->number], number));
        left = o->by ? nat_mod(n, left, o->by, NULL) : left;
        now[known++] = (NatBinding){nat_atom(g->numbers.number[o->number]), *number};
    }
    s.given = true;
    s.count = 0;
    if (!there) return fail(m, i32(m), "a number");
    open_scope(m, NULL, NULL, true);
    const Term *x = close_scope(m, written(m, field(m, spread(m, g->pairs, &s), 1)));
    if (!x) return fail(m, i32(m), "a pair");
    return value_of_term(m, there->kind == T_LIT ? there->u.lit.i ? x : g->fold.z : term_prim(m->c, PRIM_IF, NULL, 0, (const Term *[]){there, x, g->fold.z}, 3));
}

/* What pairs bring to the element, those at the numbers `at`: folded over the other numbers. */
static Value *gathered_at(Elements *m, const Gather *g, const Nat *const *at, int count)
{
    int i = 0;
    for (int left = count; i < g->numbers.count; i++)
        if (!is_solved(g, i) && left-- == 0) break;
    if (i == g->numbers.count) return gathered_pair(m, g, at);
    const Nat *size = g->numbers.size[i];
    const Term *r = fold_written(m, &g->fold, VALUE(m, VALUE_GATHER, type_array(m->c, size, g->fold.z->type), .gather = g, .at = at, .at_count = count));
    return r ? value_of_term(m, r) : fail(m, g->fold.z->type, "a reduction by index");
}

static Value *gathered(Elements *m, Value *v, const Nat *i)
{
    const Nat **at = NEW_ARRAY(m->arena, const Nat *, v->at_count + 1);
    if (v->at_count) memcpy(at, v->at, sizeof *at * (size_t)v->at_count);
    at[v->at_count] = i;
    return gathered_at(m, v->gather, at, v->at_count + 1);
}

/* data: the code of the pairs' numbers that are solved for. */
static const Term *write_gathered(Elements *m, Value *v, const void *data)
{
    if (m->failed) return NULL;
    Gather g = {.pairs = v->x};
    Scope *s = open_scope(m, v->type->size, "i", false);
    g.element = s->number;
    g.fold = (Fold){PRIM_REDUCE, function_written(m, v->node->args[0], v->env), written(m, element(m, v->y, s->number)), true};
    if (!g.fold.f || !g.fold.z || !solve(m, v->x, *(const int *)data, &g)) return NULL;
    Value *made = gathered_at(m, &g, NULL, 0);
    if (g.count == g.numbers.count) {    /* no fold begins from z */
        const Term *f = v->node->args[0];
        Value *parts[] = {value_of_term(m, g.fold.z), made};
        made = call(m, f, v->env, VALUE(m, VALUE_TUPLE, f->type->elems[0], .parts = arena_copy(m->arena, parts, sizeof parts)));
    }
    return close_scope(m, written(m, made));
}

const Term *elements_gathered(Ctx *c, const Term *t, int64_t k)
{
    int number = k > 0 && k < 1000000000 ? (int)k : 0;
    if (!term_is(t, PRIM_REDUCE_BY_INDEX) || !type_is_scalar_like(t->type->elems[0])) return ctx_error(c, E52, "a reduction by index of arrays has no such form");
    return elements_by(c, t, false, write_gathered, &number);
}

/* ---- in groups ---- */

enum { BETWEEN = 9 };
typedef struct Groups {
    int rank, count;
    int dim[DIMENSIONS_MAX], group[DIMENSIONS_MAX];          /* in the new order: which dimension it was, in which group it is */
    const Nat *size[DIMENSIONS_MAX];                         /* of dimensions as they were */
    int64_t step[DIMENSIONS_MAX];                            /* of groups: their numbers are as many as it divides */
    const Nat *extent[DIMENSIONS_MAX];
} Groups;

static bool read_groups(Ctx *c, const Type *type, int64_t code, const int64_t *steps, int step_count, Groups *g)
{
    int digits[2 * DIMENSIONS_MAX], n = 0, seen = 0;
    *g = (Groups){0};
    for (; code > 0 && n < COUNT(digits); code /= 10) digits[n++] = (int)(code % 10);
    const Type *t = type;
    for (; t->kind == TY_ARRAY && g->rank < DIMENSIONS_MAX; t = t->elems[0]) g->size[g->rank++] = t->size;
    int k = 0;
    for (int i = n - 1; i >= 0; i--) {
        if (digits[i] == BETWEEN && k && g->group[k - 1] == g->count) {
            g->count++;
            continue;
        }
        if (digits[i] < 1 || digits[i] > g->rank || k == g->rank || seen >> digits[i] & 1) break;
        seen |= 1 << digits[i];
        g->dim[k] = digits[i] - 1;
        g->group[k++] = g->count;
    }
    if (code || !k || k != g->rank || g->group[k - 1] != g->count++ || !type_is_scalar_like(t))
        return ctx_error(c, E22, "groups are the dimensions 1 to %d in an order, each once, with a 9 between groups", g->rank);
    for (int i = 0; i < g->count; i++) g->step[i] = i < step_count && steps[i] > 0 ? steps[i] : 1;
    for (int i = 0; i < g->count; i++) g->extent[i] = nat_const(c->nats, 1);
    for (int i = 0; i < g->rank; i++) g->extent[g->group[i]] = nat_mul(c->nats, g->extent[g->group[i]], g->size[g->dim[i]]);
    return true;
}

/* How many more than n the step divides. */
static const Nat *behind(Nats *s, const Nat *n, int64_t step)
{
    const Nat *by = nat_const(s, step);
    return nat_mod(s, nat_sub(s, by, nat_mod(s, n, by, NULL)), by, NULL);
}

/* The element whose numbers are parts of those of the groups. */
static const Term *write_groups(Elements *m, Value *v, const void *data)
{
    const Groups *g = data;
    Nats *s = m->c->nats;
    const Nat *at[DIMENSIONS_MAX];
    static const char *const hints[] = {"i", "j", "k", "l", "p", "q", "p", "q"};
    if (m->failed) return NULL;
    for (int k = 0, next; k < g->rank; k = next) {
        for (next = k; next < g->rank && g->group[next] == g->group[k]; next++) {}
        const Nat *extent = g->extent[g->group[k]], *more = behind(s, extent, g->step[g->group[k]]);
        const Nat *left = open_scope(m, nat_add(s, extent, more), hints[g->group[k]], false)->number;
        if (!more->is_const || more->value) left = nat_min(s, left, nat_sub(s, extent, nat_const(s, 1)));
        for (int i = next - 1; i > k; i--) {
            at[g->dim[i]] = nat_mod(s, left, g->size[g->dim[i]], NULL);
            left = nat_div(s, left, g->size[g->dim[i]], NULL);
        }
        at[g->dim[k]] = left;
    }
    for (int i = 0; i < g->rank; i++) v = element(m, v, at[i]);
    const Term *t = written(m, v);
    for (int i = 0; i < g->count; i++) t = close_scope(m, t);
    return t;
}

/* A layout at so many dimensions from the outermost. */
static const Term *layout_at(Ctx *c, int depth, PrimId p, const Nat *size, const Term *x)
{
    if (!x) return NULL;
    if (!depth) return term_prim(c, p, &size, size ? 1 : 0, &x, 1);
    const Term *lambda = term_lam(c, x->type->elems[0], layout_at(c, depth - 1, p, size, term_var(c, 0, x->type->elems[0])), NULL);
    return term_prim2(c, PRIM_MAP, lambda, x);
}

/* r, whose n dimensions are those numbers, with these in their order, by turning neighbours. */
static const Term *in_order(Ctx *c, const Term *r, int *dim, int n)
{
    for (int done = 0; done < n && r; done++) {
        for (int i = n - 1; i > done; i--) {
            if (dim[i - 1] < dim[i]) continue;
            int d = dim[i];
            dim[i] = dim[i - 1];
            dim[i - 1] = d;
            r = layout_at(c, i - 1, PRIM_TRANSPOSE, NULL, r);
        }
    }
    return r;
}

const Term *elements_grouped(Ctx *c, const Term *t, int64_t code, const int64_t *steps, int step_count)
{
    Groups g;
    if (!t || !read_groups(c, t->type, code, steps, step_count, &g)) return NULL;
    const Term *r = elements_by(c, t, false, write_groups, &g);
    for (int k = 0, next, first; k < g.rank && r; k = next) {
        for (next = k; next < g.rank && g.group[next] == g.group[k]; next++) {}
        int group = g.group[k];
        first = k;                       /* what was split before is dimensions of its own */
        if (g.step[group] > 1 && !nat_divides(c->nats, nat_const(c->nats, g.step[group]), g.extent[group], NULL)) r = layout_at(c, first, PRIM_TAKE, g.extent[group], r);
        for (int i = next - 1; i > k; i--) r = layout_at(c, first, PRIM_SPLIT, g.size[g.dim[i]], r);
    }
    return in_order(c, r, g.dim, g.rank);
}

/* ---- in parts ---- */

typedef struct Parts {
    int rank;
    bool found;
    const Nat *size[DIMENSIONS_MAX], *by[DIMENSIONS_MAX];    /* by: NULL: that dimension stays */
    bool even[DIMENSIONS_MAX];                               /* by divides the size */
    bool merged;                                             /* the numbers in parts of a known size are one: there would be too many */
} Parts;

/* Which dimensions of v its elements ask for parts of. */
static void find_parts(Elements *m, Value *v, Parts *p)
{
    Scope *inner = m->scope;
    for (int k = 0; k < p->rank; k++) v = element(m, v, open_scope(m, p->size[k], "i", false)->number);
    const Term *t = written(m, v);
    Scope *s = m->scope;
    for (int k = p->rank - 1; k >= 0 && t; k--, s = s->up) {
        p->by[k] = part_size_in(m, t, s);
        for (Scope *o = m->scope; o != inner && !p->by[k]; o = o->up)
            for (int i = 0; i < o->bindings.n && !p->by[k]; i++) p->by[k] = part_size_in(m, o->bindings.v[i].value, s);
        p->even[k] = p->by[k] && nat_divides(m->c->nats, p->by[k], p->size[k], m->divides);
        if (p->by[k] && !p->even[k] && t->type->kind != TY_SCALAR) p->by[k] = NULL;        /* nothing stands for what is beyond the length */
    }
    while (m->scope != inner) end_scope(m);
    int found = 0;
    for (int k = 0; k < p->rank; k++) found += p->by[k] != NULL;
    p->found = found;
    p->merged = p->rank + found > DIMENSIONS_MAX;
}

static bool is_merged(const Parts *p, int k) { return p->merged && p->by[k] && p->by[k]->is_const; }

/* t where the condition holds; elsewhere its folds are of nothing. */
static const Term *folds_where(Elements *m, const Term *cond, const Term *t)
{
    if (!t || !cond || !t->arg_count || !is_heavy(t)) return t;
    if (term_is(t, PRIM_REDUCE)) return where_holds(m, cond, t, t->args[0], t->args[1]);
    return TERM_MAP(m->c, t, i, folds_where(m, cond, t->args[i]));
}

/* Is the element at these numbers one of the array? For what is made once for all numbers inside of s: is there such an element? */
static const Term *is_within(Elements *m, const Parts *p, const Nat *const *at, const Scope *s)
{
    Nats *n = m->c->nats;
    const Term *within = term_integer(m->c, type_scalar(m->c, SC_BOOL), 1);
    for (int k = 0; k < p->rank && within; k++) {
        if (!p->by[k] || p->even[k]) continue;
        const Nat *first = at[k];
        for (const Scope *o = m->scope; o != s; o = o->up) first = nat_subst(n, first, &(NatBinding){nat_atom(o->number), nat_const(n, 0)}, 1, NULL);
        within = both(m, within, compared(m, PRIM_LT, first, p->size[k]));
    }
    return within ? numbers_named(m, within) : NULL;
}

/* The element whose numbers are of parts, and in these. */
static const Term *write_parts(Elements *m, Value *v, const void *data)
{
    Parts *p = *(Parts *const *)data;
    Nats *n = m->c->nats;
    static const char *const hints[] = {"i", "j", "k", "l", "p", "q", "p", "q"};
    if (m->failed) return NULL;
    m->parts = true;
    find_parts(m, v, p);
    int open = 0;
    const Nat *in_part[DIMENSIONS_MAX], *at[DIMENSIONS_MAX], *all = nat_const(n, 1);
    for (int k = 0; k < p->rank; k++)
        if (is_merged(p, k)) all = nat_mul(n, all, p->by[k]);
    const Nat *left = p->merged ? open_scope(m, all, "h", false)->number : NULL;
    for (int k = p->rank - 1; k >= 0; k--) {
        if (!is_merged(p, k)) continue;
        in_part[k] = nat_mod(n, left, p->by[k], NULL);
        left = nat_div(n, left, p->by[k], NULL);
    }
    open += p->merged;
    for (int k = 0; k < p->rank; k++) {
        if (!p->by[k] || is_merged(p, k)) continue;
        in_part[k] = open_scope(m, p->by[k], hints[k], false)->number;
        open++;
    }
    for (int k = 0; k < p->rank; k++, open++) {
        const Nat *by = p->by[k], *size = p->size[k];
        at[k] = open_scope(m, !by ? size : p->even[k] ? nat_exact(n, size, by) : part_count_of(n, size, by), hints[k], false)->number;
        if (by) at[k] = nat_add(n, nat_mul(n, by, at[k]), in_part[k]);
        v = element(m, v, at[k]);
    }
    const Term *t = numbers_named(m, written(m, v)), *within = t ? is_within(m, p, at, m->scope) : NULL;
    if (within && within->kind != T_LIT) {
        for (Scope *s = m->scope; s->number; s = s->up)
            for (int i = 0; i < s->bindings.n; i++) {
                const Term *bound = s->bindings.v[i].value, *some = is_within(m, p, at, s);
                if (some && some->kind == T_LIT && some->u.lit.i) continue;
                if (is_heavy(bound)) s->bindings.v[i].value = folds_where(m, some, bound);
                else if (bound->type->kind != TY_SCALAR) return fail(m, i32(m), "what has a name and is no number, in parts that are not all as long,")->term;
                else s->bindings.v[i].value = where_holds(m, some, bound, NULL, term_int(m->c, bound->type, 0));
            }
        t = term_prim(m->c, PRIM_IF, NULL, 0, (const Term *[]){within, folds_where(m, within, t), term_int(m->c, t->type, 0)}, 3);
    }
    for (int i = 0; i < open; i++) t = close_scope(m, t);
    return t;
}

const Term *elements_in_parts(Ctx *c, const Term *t)
{
    Parts p = {0}, *pointer = &p;
    const Type *type = t ? t->type : NULL;
    for (; type && type->kind == TY_ARRAY && p.rank < DIMENSIONS_MAX; type = type->elems[0]) p.size[p.rank++] = type->size;       /* its dimensions */
    if (!t || !type_is_scalar_like(type)) return elements_of(c, t);
    const Term *r = elements_by(c, t, false, write_parts, &pointer);
    if (!p.found) return r;
    int dim[2 * DIMENSIONS_MAX], n = 0;
    for (int alone = !p.merged; alone < 2; alone++)          /* numbers in parts come first, merged ones before the others */
        for (int k = 0; k < p.rank; k++)
            if (p.by[k] && is_merged(&p, k) == !alone) dim[n++] = 2 * k + 1;
    for (int k = p.rank - 1; k >= 0; k--)
        if (is_merged(&p, k) && ANY(i, k, is_merged(&p, i))) r = layout_at(c, 0, PRIM_SPLIT, p.by[k], r);
    for (int k = 0; k < p.rank; k++) dim[n++] = 2 * k;
    r = in_order(c, r, dim, n);
    for (int k = 0; k < p.rank && r; k++) {
        if (p.by[k]) r = layout_at(c, k, PRIM_JOIN, NULL, r);
        if (p.by[k] && !p.even[k]) r = layout_at(c, k, PRIM_TAKE, p.size[k], r);
    }
    return r;
}
