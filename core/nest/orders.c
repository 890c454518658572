/* orders: in which order the last two dimensions of a named array lie, by what reads it and what it reads. */
#include "nest_private.h"

/* A place in a term: how many binders are around it, and which of them count the last dimension of the array that it is an element of, and the one before; -1:
 * there is none. Numbers of sums are no dimensions. */
typedef struct Place { int depth, last, before; } Place;

/* Of an array: its uses, those of them that read one element, and how many more of these count its last dimension but one than its last. own: how many more of its
 * own reads run along the dimension before. */
typedef struct Votes { const char *name; int uses, reads, wanted, own; } Votes;

static bool mentions(const Term *t, int level, const Place *p) { return level >= 0 && term_mentions(t, p->depth - 1 - level, 1); }

/* The array that t reads one element of, of two dimensions at least, indexed by all but the last two; NULL: it does not. */
static const Term *matrix_read(const Term *t)
{
    if (!term_is(t, PRIM_AT) || t->type->kind == TY_ARRAY || !term_is(t->args[1], PRIM_AT)) return NULL;
    return t->args[1]->args[1];
}

static const char *name_of(const Term *t)
{
    while (term_is(t, PRIM_AT)) t = t->args[1];
    return t->kind == T_INPUT ? t->u.name : NULL;
}

static void vote(const Term *t, Place p, bool summed, Votes *v)
{
    const Term *of = matrix_read(t);
    if (of) {
        const Term *last = t->args[0], *before = t->args[1]->args[0];
        bool along = mentions(last, p.last, &p), across = mentions(before, p.last, &p);
        if (name_of(of) == v->name) {
            v->reads++;
            v->wanted += across - along;
        }
        v->own += mentions(last, p.before, &p) - along;
    }
    v->uses += t->kind == T_INPUT && t->u.name == v->name;
    if (t->kind == T_LAM) p.depth += t->type->elems[0]->leaf_count;
    if (term_is(t, PRIM_GENERATE) && !summed) p.before = p.last, p.last = p.depth;
    bool folds = term_is(t, PRIM_REDUCE) || term_is(t, PRIM_REDUCE_SEQ);
    for (int i = 0; i < t->arg_count; i++) vote(t->args[i], p, folds && i == t->arg_count - 1, v);
}

static const Term *generated(Ctx *c, const Term *like, const Term *body)
{
    const Term *f = like->args[0], *lambda = body ? term_lam(c, f->type->elems[0], body, f->u.hints) : NULL;
    return lambda ? term_prim(c, PRIM_GENERATE, like->statics, like->static_count, &lambda, 1) : NULL;
}

/* An array in element form with its last two dimensions turned; NULL: its elements are no scalars by two numbers. */
static const Term *turned(Ctx *c, const Term *t)
{
    const Term *inner = term_is(t, PRIM_GENERATE) ? t->args[0]->args[0] : NULL;
    if (!inner || !term_is(inner, PRIM_GENERATE)) return NULL;
    const Term *e = inner->args[0]->args[0];
    if (term_is(e, PRIM_GENERATE)) return generated(c, t, turned(c, inner));
    if (e->type->kind == TY_ARRAY) return NULL;
    const Term *numbers[2] = {term_var(c, 1, inner->args[0]->type->elems[0]), term_var(c, 0, t->args[0]->type->elems[0])};
    return generated(c, inner, generated(c, t, term_subst(c, term_shift(c, e, 2, 2), numbers, 2)));
}

/* t, which reads that array as `in` instead. */
static const Term *reads_turned(Ctx *c, const Term *t, const char *name, const Term *in)
{
    const Term *of = matrix_read(t);
    if (t->kind == T_INPUT) return t->u.name == name ? in : t;
    if (!t->arg_count) return t;
    if (of && name_of(of) == name) {
        const Term *last = reads_turned(c, t->args[0], name, in), *before = reads_turned(c, t->args[1]->args[0], name, in);
        return term_prim2(c, PRIM_AT, before, term_prim2(c, PRIM_AT, last, reads_turned(c, of, name, in)));
    }
    return TERM_MAP(c, t, i, reads_turned(c, t->args[i], name, in));
}

const Term *nest_orders(Ctx *c, NamedTerm *arrays, int count, const Term *t)
{
    for (int k = count - 1; k >= 0 && t; k--) {
        Votes v = {.name = arrays[k].name}, own = {.name = arrays[k].name};
        const Place top = {0, -1, -1};
        for (int i = k + 1; i < count; i++) vote(arrays[i].value, top, false, &v);
        vote(t, top, false, &v);
        vote(arrays[k].value, top, false, &own);
        const Term *value = v.uses == v.reads && v.wanted + own.own > 0 ? turned(c, arrays[k].value) : NULL;
        if (!value) continue;
        const Term *in = term_input(c, arrays[k].name, value->type);
        arrays[k].value = value;
        for (int i = k + 1; i < count; i++) arrays[i].value = reads_turned(c, arrays[i].value, arrays[k].name, in);
        t = reads_turned(c, t, arrays[k].name, in);
    }
    return t;
}
