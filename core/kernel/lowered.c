/* lowered: what must hold of a term before kernels are made of it: E35, E51, nesting (E53); the facts that it needs. */
#include "plan_private.h"

/* The way down to a node: its parent, which slot of that it is in, and the way to the parent. NULL: it is the root. */
typedef struct Way {
    const struct Way *up;
    const Term *t;
    int slot;
} Way;

static void print_way(Ctx *c, const Way *at, Buf *out)
{
    if (!at) return;
    print_way(c, at->up, out);
    buf_printf(out, "/%s", term_slot_name(c, at->t, at->slot));
}

static const char *way_text(Ctx *c, const Way *at)
{
    Buf text = {0};
    print_way(c, at, &text);
    return at ? buf_take(&text, c->diag.arena) : "/";
}

/* ---- E51 ---- */

typedef struct High { int count; const char *label[DIAG_NOTES - 1], *note[DIAG_NOTES - 1]; } High;

/* operand: of an mma, whose elements are made where they are read, in the lanes of a warp. */
static void find_high(Ctx *c, const Term *t, const Way *at, bool operand, High *out)
{
    if (!(t->flags & (TF_COMPUTES | TF_MEMORY | TF_REDUCES | TF_MAPPED))) return;
    if (t->kind == T_PRIM && prim_choices((PrimId)t->prim) && (t->prim != PRIM_MAP || !(operand || term_is_layout(t->args[0])))) {
        if (out->count < DIAG_NOTES - 1) {
            const char *place = out->label[out->count] = way_text(c, at);
            out->note[out->count] = arena_printf(c->diag.arena, "%-8s as %s        moves %s", prim((PrimId)t->prim)->name,
                                                 prim_choices((PrimId)t->prim), place);
        }
        out->count++;
    }
    for (int i = 0; i < term_slot_count(t); i++) find_high(c, term_slot(t, i), &(Way){at, t, i}, operand || (term_is(t, PRIM_MMA) && i < 2), out);
}

bool plan_is_lowered(Ctx *c, const Term *t)
{
    High high = {0};
    find_high(c, t, NULL, false, &high);
    if (!high.count) return true;
    const char *are = high.count == 1 ? " is" : "s are";
    if (diag_error(&c->diag, E51, "not runnable yet: %d node%s still high-level", high.count, are)) {
        for (int i = 0; i < high.count && i < DIAG_NOTES - 1; i++) diag_note(&c->diag, high.label[i], "%s", high.note[i]);
        diag_note(&c->diag, "or", "lower");
    }
    return false;
}

/* ---- E35 ---- */

bool lowered_bound(Ctx *c, const Term *t)
{
    LOCAL(drop) NatAtomVec params = term_vars_in(t, VAR_PARAM);
    if (!params.n) return true;
    if (diag_error(&c->diag, E35, "the tuning parameter %s is not bound", params.v[0]->name))
        diag_note(&c->diag, "try", "param %s        lists its legal values", params.v[0]->name);
    return false;
}

/* ---- E53: nesting ---- */

/* What encloses a node. in: parallel maps of each kind, by dimension, as bits; in_element: of an array that is made by its numbers */
typedef struct Nest { unsigned in[ID_KINDS]; bool in_element, in_warp; } Nest;

/* Does each of many work-items, of all groups, make some elements of t? */
static bool made_by_all(const Term *t)
{
    if (t->kind != T_PRIM) return false;
    if (t->prim == PRIM_MAP_GLOBAL || t->prim == PRIM_MAP_WORKGROUP) return true;
    if (t->prim == PRIM_LET) return made_by_all(t->args[1]->args[0]);
    PrimFamily family = prim((PrimId)t->prim)->family;
    return (family == FAM_LAYOUT || family == FAM_MEMORY || t->prim == PRIM_TUPLE) && ANY(i, t->arg_count, made_by_all(t->args[i]));
}

static const char *nesting_error(const Term *t, Nest n)
{
    unsigned bit = prim_is_parallel((PrimId)t->prim) ? 1u << term_map_dim(t) : 0;
    bool shared = t->prim == PRIM_MAP_WORKGROUP || t->prim == PRIM_MAP_GLOBAL, global = n.in[ID_GLOBAL], group = n.in[ID_GROUP], local = n.in[ID_LOCAL];
    if (shared && n.in_element) return "an element of generate is made by the work-item that reads it, so no others share it";
    switch (t->prim) {
    case PRIM_MAP_LOCAL:
        if (!group) return "mapLocal stands under mapWorkgroup only";
        return n.in[ID_LOCAL] & bit ? "an enclosing mapLocal has the same dimension" : NULL;
    case PRIM_MAP_WARP:
        if (!group) return "mapWarp stands under mapWorkgroup only";
        return n.in[ID_LOCAL] & 3 ? "it takes dimensions 0 and 1 of a group, and an enclosing mapLocal has one of them" : NULL;
    case PRIM_MAP_LANE:
        if (!n.in_warp) return "mapLane stands under mapWarp only";
        return n.in[ID_LOCAL] & bit ? "an enclosing mapLane, or mapLocal 0, has the lanes" : NULL;
    case PRIM_MAP_WORKGROUP:
        if (global) return "mapGlobal and mapWorkgroup never enclose each other";
        if (local) return "mapWorkgroup cannot stand under mapLocal";
        return n.in[ID_GROUP] & bit ? "an enclosing mapWorkgroup has the same dimension" : NULL;
    case PRIM_MAP_GLOBAL:
        if (group || local) return "mapGlobal never stands under mapWorkgroup or mapLocal";
        return n.in[ID_GLOBAL] & bit ? "an enclosing mapGlobal has the same dimension" : NULL;
    case PRIM_REDUCE_HOST:
        return global || group || local ? "its steps are launches, so it stands outside every parallel map; inside one a "
               "fold is reduceSeq" : NULL;
    case PRIM_SCAN_GROUPS:
        return global || group || local ? "it stands outside every parallel map, where mapWorkgroup 0 reads it" : NULL;
    case PRIM_TO_PRIVATE:
        return made_by_all(t->args[0]) ? "many work-items make its elements, and private memory is a work-item's own" : NULL;
    case PRIM_TO_LOCAL: case PRIM_TO_LOCAL_PADDED: case PRIM_TO_LOCAL_SWIZZLED:
        return group ? NULL : "toLocal outside mapWorkgroup: there is no work-group to share it";
    case PRIM_TO_LANES:
        return n.in_warp ? NULL : "toLanes outside mapWarp: there is no warp to share it";
    default: return NULL;
    }
}

static Nest inside(const Term *t, int slot, Nest n)
{
    if (t->kind == T_PRIM && t->prim == PRIM_SCAN_GROUPS && slot == 2) n.in[ID_GROUP] |= 1;        /* the work of the groups that read it */
    if (t->kind == T_PRIM && prim_is_parallel((PrimId)t->prim) && slot == 0) n.in[id_of_map(t)] |= 1u << term_map_dim(t);
    n.in_warp |= term_is(t, PRIM_MAP_WARP) && slot == 0;
    n.in_element |= term_is(t, PRIM_GENERATE) && slot == 0;
    return n;
}

static bool check_nesting(Ctx *c, const Term *t, const Way *at, Nest n)
{
    if (!(t->flags & (TF_MAPPED | TF_MEMORY))) return true;
    const char *why = t->kind == T_PRIM ? nesting_error(t, n) : NULL;
    if (!why) return ALL(i, term_slot_count(t), check_nesting(c, term_slot(t, i), &(Way){at, t, i}, inside(t, i, n)));
    const char *place = way_text(c, at);
    if (diag_error(&c->diag, E53, "%s at %s: %s", prim((PrimId)t->prim)->name, place, why))
        diag_note(&c->diag, "found", "%s : %s", place, type_text(c, t->type));
    return false;
}

bool lowered_nested(Ctx *c, const Term *t) { return check_nesting(c, t, NULL, (Nest){0}); }

/* ---- facts ---- */

/* The length variable that an iterate's step binds, and what it is at each step. */
typedef struct Steps {
    const struct Steps *up;              /* of the iterate around */
    const NatAtom *var;
    int count;
    const Nat *lengths[ITERATE_LENGTHS];
    Fact own;                            /* the iterate's; or none */
} Steps;

typedef struct Facts {
    Ctx *c;
    Arena *arena;
    VEC(PlanFact) found;
} Facts;

/* Do sizes alone, or what the innermost iterate asks of its own input, make it true? */
static bool is_implied(Nats *n, const Steps *s, Fact fact)
{
    return fact_is_certain(n, &fact, s->own.a ? &(NatFacts){s->own.a, s->own.b, NULL} : NULL);
}

/* A fact about the lengths of the innermost steps is one about each of them. */
static void put_fact(Facts *f, const Term *t, const Way *at, Fact fact, const Steps *s)
{
    Nats *n = f->c->nats;
    if (s && !(s->var && (nat_mentions(fact.a, s->var) || nat_mentions(fact.b, s->var)))) {
        put_fact(f, t, at, fact, s->up);
    } else if (s) {
        for (int i = 0; i < s->count; i++) {
            NatBinding to = {s->var, s->lengths[i]};
            Fact there = {fact.kind, nat_subst(n, fact.a, &to, 1, NULL), nat_subst(n, fact.b, &to, 1, NULL)};
            /* a size that does not come out even is the doing of another fact */
            if (there.a && there.b && !is_implied(n, s, there)) put_fact(f, t, at, there, s->up);
        }
    } else if (!ANY(i, f->found.n, fact_equal(&f->found.v[i].fact, &fact))) {
        Buf who = {0};
        buf_puts(&who, prim((PrimId)t->prim)->name);
        for (int i = 0; i < t->static_count && t->prim != PRIM_REORDER; i++) {
            buf_putc(&who, ' ');
            if (prim_static_kind(f->c, (PrimId)t->prim, i) == STATIC_MODE) buf_puts(&who, pad_mode_name((PadMode)t->statics[i]->value));
            else nat_print(t->statics[i], 9, &who);
        }
        buf_puts(&who, at ? " at " : " at /");
        print_way(f->c, at, &who);
        vec_push(&f->found, ((PlanFact){fact, t, buf_take(&who, f->arena)}));
    }
}

static void collect_facts(Facts *f, const Term *t, const Way *at, const Steps *steps)
{
    Fact own[8];
    int n = term_own_facts(f->c, t, own);
    for (int i = 0; i < n; i++) put_fact(f, t, at, own[i], steps);
    for (int i = 0; i < term_slot_count(t); i++) {
        Way down = {at, t, i};
        if (t->kind == T_PRIM && t->prim == PRIM_ITERATE && i == 0) {
            Steps s = {.up = steps};
            s.count = iterate_lengths(f->c, t, s.lengths);
            if (s.count && n == 1 && own[0].kind == FACT_DIVIDES) s.own = own[0];
            if (s.count) s.var = type_any_length(t->args[0]->type->elems[0]);
            collect_facts(f, term_slot(t, i), &down, &s);
        } else collect_facts(f, term_slot(t, i), &down, steps);
    }
}

int plan_facts(Ctx *c, Arena *arena, const Term *t, PlanFact **out)
{
    Facts f = {.c = c, .arena = arena};
    collect_facts(&f, t, NULL, NULL);
    *out = vec_take(&f.found, arena);
    return f.found.n;
}

/* ---- sizes as multiples ---- */

/* d divides (num/den) * v: the number that v must be a multiple of. */
static const Nat *multiple_of(Nats *n, const Nat *d, const NatTerm *t)
{
    if (!d->is_const) return t->num == 1 && t->den == 1 && !nat_mentions(d, t->factors[0].atom) ? d : NULL;
    if (d->value <= 0 || t->num <= 0 || d->value > INT32_MAX || t->den > INT32_MAX) return NULL;
    int64_t m = d->value * t->den;
    return nat_const(n, m / gcd64(m, t->num));
}

/* Of 32 divides N - 64: N. A constant that is divided too says nothing. */
static const Nat *without_constant(Nats *n, const Nat *d, const Nat *a)
{
    for (int i = 0; i < a->term_count && d->is_const && d->value > 0; i++) {
        const NatTerm *t = &a->terms[i];
        if (t->factor_count == 0 && t->den == 1 && t->num % d->value == 0) return nat_sub(n, a, nat_const(n, t->num));
    }
    return a;
}

/* The size is `factor` times a fresh one, `name`, which is `least` or more (NULL: 1). */
static bool substitute_size(Nats *n, SizeSubst *l, int i, const NatAtom *size, const Nat *factor, const char *name, const Nat *least)
{
    const Nat *part = nat_exact(n, nat_var(n, size->name, VAR_SIZE, size->lo, NULL), factor);
    const Nat *fresh = nat_var(n, name, VAR_SIZE, least, NULL);
    if (i == l->count) l->count++;
    l->factor[i] = factor;
    l->to[i] = (NatBinding){size, nat_mul(n, factor, fresh)};
    l->back[i] = (NatBinding){nat_atom(fresh), part};
    return l->to[i].value != NULL;
}

/* Where the substitution has that size, or puts it; SIZE_SUBST_MAX: it has no room. */
static int lifted_at(const SizeSubst *l, const NatAtom *var)
{
    int i = 0;
    while (i < l->count && l->to[i].var != var && l->back[i].var != var) i++;
    return i;
}

/* 2 < M: a size that is 3 or more. */
static bool substitute_least(Ctx *c, SizeSubst *l, Fact f)
{
    Nats *n = c->nats;
    const Nat *gap = nat_sub(n, f.b, f.a);
    const NatTerm *t = NULL;
    int64_t least = f.kind == FACT_LT;
    for (int i = 0; gap && i < gap->term_count; i++) {
        if (gap->terms[i].den != 1 || (gap->terms[i].factor_count && t)) return false;
        if (gap->terms[i].factor_count) t = &gap->terms[i];
        else least -= gap->terms[i].num;
    }
    const NatAtom *var = t && t->num > 0 && t->factor_count == 1 && t->factors[0].exp == 1 ? t->factors[0].atom : NULL;
    if (!var || var->kind != ATOM_VAR || var->var != VAR_SIZE) return false;
    least = -floor_div(-least, t->num);
    int i = lifted_at(l, var);
    if (least <= var->lo->value || i == SIZE_SUBST_MAX) return false;
    bool fresh = i == l->count;
    return substitute_size(n, l, i, fresh ? var : l->to[i].var, fresh ? nat_const(n, 1) : l->factor[i], var->name, nat_const(n, least));
}

static bool substitute_fact(Ctx *c, SizeSubst *l, Fact f)
{
    if (f.kind != FACT_DIVIDES) return substitute_least(c, l, f);
    f.b = without_constant(c->nats, f.a, f.b);
    if (f.b->term_count != 1 || nat_divides(c->nats, f.a, f.b, NULL)) return false;
    const NatTerm *t = f.b->terms;
    if (t->factor_count != 1 || t->factors[0].exp != 1) return false;
    const NatAtom *var = t->factors[0].atom;
    if (var->kind != ATOM_VAR || var->var != VAR_SIZE) return false;
    const Nat *m = multiple_of(c->nats, f.a, t);
    if (!m) return false;
    /* v = factor * (v / factor), the latter a size of its own. */
    Nats *n = c->nats;
    int i = lifted_at(l, var);
    if (i == SIZE_SUBST_MAX) return false;
    const NatAtom *size = i == l->count ? var : l->to[i].var;
    const Nat *factor = i == l->count ? m : nat_mul(n, l->factor[i], m);
    const Nat *part = nat_exact(n, nat_var(n, size->name, VAR_SIZE, size->lo, NULL), factor);
    LOCAL(buf_free) Buf text = {0};
    if (part) nat_print(part, 9, &text);
    return part && substitute_size(n, l, i, size, factor, buf_text(&text), NULL);
}

typedef struct Substituting { Ctx *c; SizeSubst *l; } Substituting;

/* take (M - 8) x: M is 8 or more. */
static bool substitute_count(void *data, const Term *t)
{
    Substituting *to = data;
    if (!term_is(t, PRIM_TAKE) && !term_is(t, PRIM_DROP)) return false;
    return !nat_is_nonneg(to->c->nats, *t->statics) && substitute_least(to->c, to->l, (Fact){FACT_LE, nat_const(to->c->nats, 0), *t->statics});
}

const Term *lowered_substitute(Ctx *c, Arena *arena, const Term *t, PlanFact **facts, int *count, SizeSubst *out)
{
    const Term *r = t;
    bool again = true;
    *out = (SizeSubst){0};
    for (int round = 0; again && r && round < 2 * SIZE_SUBST_MAX; round++) {
        if (round) *count = plan_facts(c, arena, r, facts);
        again = false;
        for (int i = 0; i < *count && !again; i++) again = substitute_fact(c, out, (*facts)[i].fact);
        again = again || (*count && term_find(r, substitute_count, &(Substituting){c, out}));        /* none: all is constant, as often as not */
        if (again) r = term_subst_nats(c, t, out->to, out->count);
    }
    if (again && r) *count = plan_facts(c, arena, r, facts);
    return r;
}
