/* lowered: what must hold of a term before kernels are made of it; the facts that it needs. */
#include "plan_private.h"

#include <stdlib.h>
#include <string.h>

/* What must hold of a term before it is translated: E35, E51, nesting (E53); and the facts of a term. */

typedef struct Nest {                    /* what encloses a node, as bits per dimension */
    unsigned global, group, local;
} Nest;

typedef struct Step { const Term *t; int slot; } Step;

typedef struct Check {
    Ctx *c;
    VEC(Step) steps;                     /* down to the node at hand */
    Buf path;                            /* the same as text, when asked for */
    int high;                            /* nodes of E51 so far */
    const char *high_note[DIAG_NOTES];
    const char *high_label[DIAG_NOTES];
} Check;

static const char *path_text(Check *k)
{
    buf_clear(&k->path);
    for (int i = 0; i < k->steps.n; i++) {
        buf_putc(&k->path, '/');
        buf_puts(&k->path, term_slot_name(k->c, k->steps.v[i].t, k->steps.v[i].slot));
    }
    return k->path.len ? buf_text(&k->path) : "/";
}

static void go(Check *k, const Term *t, int slot)
{
    Step s = {t, slot};
    vec_push(&k->steps, s);
}

static void back(Check *k) { k->steps.n--; }

static void check_free(Check *k)
{
    free(k->steps.v);
    buf_free(&k->path);
}

/* ---- E51 ---- */

static void find_high(Check *k, const Term *t)
{
    if (!(t->flags & (TF_COMPUTES | TF_MEMORY | TF_REDUCES | TF_MAPPED))) return;
    if (t->kind == T_PRIM && prim_choices((PrimId)t->prim) && (t->prim != PRIM_MAP || !term_is_layout(t->args[0]))) {
        if (k->high < DIAG_NOTES - 1) {
            k->high_label[k->high] = arena_strdup(k->c->diag.arena, path_text(k));
            k->high_note[k->high] = arena_printf(k->c->diag.arena, "%-8s as %s        moves %s", prim((PrimId)t->prim)->name,
                                                 prim_choices((PrimId)t->prim), path_text(k));
        }
        k->high++;
    }
    for (int i = 0; i < term_slot_count(t); i++) {
        go(k, t, i);
        find_high(k, term_slot(t, i));
        back(k);
    }
}

bool plan_is_lowered(Ctx *c, const Term *t)
{
    Check k = {.c = c};
    find_high(&k, t);
    check_free(&k);
    if (!k.high) return true;
    const char *are = k.high == 1 ? " is" : "s are";
    if (diag_error(&c->diag, E51, "not runnable yet: %d node%s still high-level", k.high, are)) {
        for (int i = 0; i < k.high && i < DIAG_NOTES - 1; i++)
            diag_note(&c->diag, k.high_label[i], "%s", k.high_note[i]);
        diag_note(&c->diag, "or", "lower");
    }
    return false;
}

/* ---- E35 ---- */

typedef struct Bound { const Type *types[64]; } Bound;       /* the last ones that mention no parameter */

static const NatAtom *param_in_type(Bound *k, const Type *t)
{
    const Type **known = &k->types[t->id % COUNT(k->types)];
    if (*known == t) return NULL;
    const NatAtom *found = t->kind == TY_ARRAY ? nat_var_of(t->size, VAR_PARAM, NULL) : NULL;
    for (int i = 0; i < t->count && !found; i++) found = param_in_type(k, t->elems[i]);
    if (!found) *known = t;
    return found;
}

static const NatAtom *unbound(Bound *k, const Term *t)
{
    const NatAtom *found = param_in_type(k, t->type);
    if (t->kind == T_SIZE && !found) found = nat_var_of(t->u.nat, VAR_PARAM, NULL);
    for (int i = 0; i < t->static_count && !found; i++) found = nat_var_of(t->statics[i], VAR_PARAM, NULL);
    for (int i = 0; i < t->arg_count && !found; i++) found = unbound(k, t->args[i]);
    return found;
}

bool lowered_bound(Ctx *c, const Term *t)
{
    Bound known = {0};
    const NatAtom *p = unbound(&known, t);
    if (!p) return true;
    if (diag_error(&c->diag, E35, "the tuning parameter %s is not bound", p->name))
        diag_note(&c->diag, "try", "param %s        lists its legal values", p->name);
    return false;
}

/* ---- E53: nesting ---- */

static const char *nesting_error(const Term *t, Nest n)
{
    unsigned bit = prim_is_parallel((PrimId)t->prim) ? 1u << t->statics[0]->value : 0;
    switch (t->prim) {
    case PRIM_MAP_LOCAL:
        if (!n.group) return "mapLocal stands under mapWorkgroup only";
        return n.local & bit ? "an enclosing mapLocal has the same dimension" : NULL;
    case PRIM_MAP_WORKGROUP:
        if (n.global) return "mapGlobal and mapWorkgroup never enclose each other";
        if (n.local) return "mapWorkgroup cannot stand under mapLocal";
        return n.group & bit ? "an enclosing mapWorkgroup has the same dimension" : NULL;
    case PRIM_MAP_GLOBAL:
        if (n.group || n.local) return "mapGlobal never stands under mapWorkgroup or mapLocal";
        return n.global & bit ? "an enclosing mapGlobal has the same dimension" : NULL;
    case PRIM_REDUCE_HOST:
        return n.global || n.group || n.local ? "its steps are launches, so it stands outside every parallel map; inside one a "
               "fold is reduceSeq" : NULL;
    case PRIM_SCAN_GROUPS:
        return n.global || n.group || n.local ? "it stands outside every parallel map, where mapWorkgroup 0 reads it" : NULL;
    case PRIM_TO_LOCAL: case PRIM_TO_LOCAL_PADDED:
        return n.group ? NULL : "toLocal outside mapWorkgroup: there is no work-group to share it";
    default: return NULL;
    }
}

static Nest inside(const Term *t, int slot, Nest n)
{
    if (t->kind == T_PRIM && t->prim == PRIM_SCAN_GROUPS && slot == 2) n.group |= 1;       /* the work of the groups that read it */
    if (t->kind != T_PRIM || !prim_is_parallel((PrimId)t->prim) || slot != 0) return n;
    unsigned bit = 1u << t->statics[0]->value;
    if (t->prim == PRIM_MAP_GLOBAL) n.global |= bit;
    if (t->prim == PRIM_MAP_WORKGROUP) n.group |= bit;
    if (t->prim == PRIM_MAP_LOCAL) n.local |= bit;
    return n;
}

static bool check_nesting(Check *k, const Term *t, Nest n)
{
    if (!(t->flags & (TF_MAPPED | TF_MEMORY))) return true;
    const char *why = t->kind == T_PRIM ? nesting_error(t, n) : NULL;
    if (why) {
        if (diag_error(&k->c->diag, E53, "%s at %s: %s", prim((PrimId)t->prim)->name, path_text(k), why))
            diag_note(&k->c->diag, "found", "%s : %s", path_text(k), type_text(k->c, t->type));
        return false;
    }
    for (int i = 0; i < term_slot_count(t); i++) {
        go(k, t, i);
        bool ok = check_nesting(k, term_slot(t, i), inside(t, i, n));
        back(k);
        if (!ok) return false;
    }
    return true;
}

bool lowered_nested(Ctx *c, const Term *t)
{
    Check k = {.c = c};
    bool ok = check_nesting(&k, t, (Nest){0});
    check_free(&k);
    return ok;
}

/* ---- paths ---- */

static bool find_node(Check *k, const Term *t, const Term *node)
{
    if (t == node) return true;
    if (t->size <= node->size) return false;
    for (int i = 0; i < term_slot_count(t); i++) {
        go(k, t, i);
        if (find_node(k, term_slot(t, i), node)) return true;
        back(k);
    }
    return false;
}

const char *lowered_path(Ctx *c, const Term *root, const Term *node)
{
    Check k = {.c = c};
    const char *r = find_node(&k, root, node) ? arena_strdup(c->diag.arena, path_text(&k)) : "a step of an iterate";
    check_free(&k);
    return r;
}

/* ---- facts ---- */

/* The length variable that an iterate's step binds, and what it is at each step. */
typedef struct Steps {
    const NatAtom *var;
    int count;
    const Nat *lengths[ITERATE_LENGTHS];
    Fact own;                            /* the iterate's; or none */
} Steps;

typedef struct Facts {
    Check k;
    Arena *arena;
    VEC(PlanFact) found;
    VEC(Steps) bound;                    /* by enclosing iterates, outermost first */
} Facts;

static Steps steps_of(const Facts *f, const Term *iterate)
{
    Steps s = {0};
    Fact own[8];
    s.count = iterate_lengths(f->k.c, iterate, s.lengths);
    if (!s.count) return s;
    if (term_own_facts(f->k.c, iterate, own) == 1 && own[0].kind == FACT_DIVIDES) s.own = own[0];
    s.var = type_any_length(iterate->args[0]->type->elems[0]);
    return s;
}

/* Do sizes alone, or what the innermost iterate asks of its own input, make it true? */
static bool is_implied(const Facts *f, const Steps *s, Fact fact)
{
    Nats *n = f->k.c->nats;
    if (fact.kind != FACT_DIVIDES) return fact.kind == FACT_LE ? nat_less_eq(n, fact.a, fact.b) : nat_less(n, fact.a, fact.b);
    NatFacts known = {s->own.a, s->own.b, NULL};
    return nat_divides(n, fact.a, fact.b, s->own.a ? &known : NULL);
}

static bool seen(const Facts *f, Fact fact)
{
    for (int i = 0; i < f->found.n; i++) {
        Fact g = f->found.v[i].fact;
        if (g.kind == fact.kind && g.a == fact.a && g.b == fact.b) return true;
    }
    return false;
}

/* A fact about the lengths of the innermost steps is one about each of them. */
static void put_fact(Facts *f, const Term *t, Fact fact, const char *who, int steps)
{
    if (steps) {
        const Steps *s = &f->bound.v[steps - 1];
        bool of_it = s->var && (nat_mentions(fact.a, s->var) || nat_mentions(fact.b, s->var));
        if (!of_it) put_fact(f, t, fact, who, steps - 1);
        for (int i = 0; of_it && i < s->count; i++) {
            NatBinding at = {s->var, s->lengths[i]};
            Nats *n = f->k.c->nats;
            Fact there = {fact.kind, nat_subst(n, fact.a, &at, 1, NULL), nat_subst(n, fact.b, &at, 1, NULL)};
            /* a size that does not come out even is the doing of another fact */
            if (there.a && there.b && !is_implied(f, s, there)) put_fact(f, t, there, who, steps - 1);
        }
    } else if (!seen(f, fact)) {
        PlanFact found = {fact, t, arena_strdup(f->arena, who)};
        vec_push(&f->found, found);
    }
}

static void collect_facts(Facts *f, const Term *t)
{
    Fact own[8];
    int n = term_own_facts(f->k.c, t, own);
    for (int i = 0; i < n; i++) {
        Buf who = {0};
        buf_puts(&who, prim((PrimId)t->prim)->name);
        for (int j = 0; j < t->static_count && t->prim != PRIM_REORDER; j++) {
            buf_putc(&who, ' ');
            nat_print(t->statics[j], 9, &who);
        }
        buf_puts(&who, " at ");
        buf_puts(&who, path_text(&f->k));
        put_fact(f, t, own[i], who.data, f->bound.n);
        buf_free(&who);
    }
    for (int i = 0; i < term_slot_count(t); i++) {
        bool step = t->kind == T_PRIM && t->prim == PRIM_ITERATE && i == 0;
        go(&f->k, t, i);
        if (step) vec_push(&f->bound, steps_of(f, t));
        collect_facts(f, term_slot(t, i));
        if (step) f->bound.n--;
        back(&f->k);
    }
}

int plan_facts(Ctx *c, Arena *arena, const Term *t, PlanFact **out)
{
    Facts f = {.k = {.c = c}, .arena = arena};
    collect_facts(&f, t);
    *out = NEW_ARRAY(arena, PlanFact, f.found.n);
    if (f.found.n) memcpy(*out, f.found.v, sizeof **out * (size_t)f.found.n);
    int n = f.found.n;
    free(f.found.v);
    free(f.bound.v);
    check_free(&f.k);
    return n;
}

/* ---- sizes as multiples ---- */

static int lift_slot(Lift *l, const NatAtom *var)
{
    for (int i = 0; i < l->count; i++)
        if (l->to[i].var == var || l->back[i].var == var) return i;
    return -1;
}

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

static bool lift_fact(Ctx *c, Lift *l, Fact f)
{
    if (f.kind != FACT_DIVIDES) return false;
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
    int i = lift_slot(l, var);
    if (i < 0 && l->count == LIFT_MAX) return false;
    const NatAtom *size = i < 0 ? var : l->to[i].var;
    const Nat *whole = nat_var(n, size->name, VAR_SIZE, NULL, NULL);
    const Nat *factor = i < 0 ? m : nat_mul(n, l->factor[i], m), *part = nat_exact(n, whole, factor);
    if (!part) return false;
    Buf text = {0};
    nat_print(part, 9, &text);
    const Nat *fresh = nat_var(n, intern(c->names, buf_text(&text)), VAR_SIZE, NULL, NULL);
    buf_free(&text);
    if (i < 0) i = l->count++;
    l->factor[i] = factor;
    l->to[i] = (NatBinding){size, nat_mul(n, factor, fresh)};
    l->back[i] = (NatBinding){fresh->terms[0].factors[0].atom, part};
    return l->to[i].value != NULL;
}

const Term *lowered_lift(Ctx *c, Arena *arena, const Term *t, PlanFact **facts, int *count, Lift *out)
{
    const Term *r = t;
    bool again = true;
    *out = (Lift){0};
    for (int round = 0; again && r && round < 2 * LIFT_MAX; round++) {
        if (round) *count = plan_facts(c, arena, r, facts);
        again = false;
        for (int i = 0; i < *count && !again; i++) again = lift_fact(c, out, (*facts)[i].fact);
        if (again) r = term_subst_nats(c, t, out->to, out->count);
    }
    if (again && r) *count = plan_facts(c, arena, r, facts);
    return r;
}
