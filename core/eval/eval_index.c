/* eval_index: loops, code nodes and index arithmetic, interned (hash-consed) in an Eval. */
#include "eval_compile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- loops and dependencies ---- */

bool deps_on(const Deps *d, const Loop *l)
{
    for (int i = 0; i < d->n && i < DEPS_ROOM; i++)
        if (d->loops[i] == l || (d->loops[i]->depth > l->depth && deps_on(&d->loops[i]->above, l))) return true;
    return false;
}

Deps deps_join(Deps a, Deps b)
{
    for (int i = 0; i < b.n && i < DEPS_ROOM; i++) {
        /* Adds a loop and drops what it is below of. */
        Loop *l = b.loops[i];
        if (deps_on(&a, l)) continue;
        int n = 0;
        for (int k = 0; k < a.n && k < DEPS_ROOM; k++)
            if (a.loops[k]->depth >= l->depth || !deps_on(&l->above, a.loops[k])) a.loops[n++] = a.loops[k];
        if (n < DEPS_ROOM) a.loops[n] = l;
        a.n = a.n > DEPS_ROOM ? a.n : n + 1;
    }
    if (b.n > a.n) a.n = b.n > DEPS_ROOM ? b.n : a.n;
    a.mask |= b.mask;
    return a;
}

static bool deps_same(const Deps *a, const Deps *b)
{
    return a->n == b->n && ALL(i, a->n < DEPS_ROOM ? a->n : DEPS_ROOM, a->loops[i] == b->loops[i]);
}

static uint64_t depth_bit(const Loop *l) { return (uint64_t)1 << (l->depth & 63); }

uint64_t deps_chain(const Deps *d)
{
    uint64_t chain = 0;
    for (int i = 0; i < d->n && i < DEPS_ROOM; i++) chain |= d->loops[i]->chain;
    return chain;
}

Loop *loop_new(Eval *e, Deps above)
{
    Loop *l = NEW(e->arena, Loop);
    l->above = above;
    for (int i = 0; i < above.n && i < DEPS_ROOM; i++)
        if (above.loops[i]->depth >= l->depth) l->depth = above.loops[i]->depth + 1;
    l->chain = deps_chain(&above) | depth_bit(l);
    return l;
}

Deps loop_deps(Loop *l) { return (Deps){.n = 1, .loops = {l}, .mask = l->depth ? depth_bit(l) : 0}; }

/* ---- codes ---- */


Code *code_blank(Eval *e, Scalar s)
{
    Code *k = NEW(e->arena, Code);
    k->id = ++e->ids;
    k->scalar = s;
    k->deps = deps_none(e);
    k->lo = INT64_MIN / 4;
    k->hi = INT64_MAX / 4;
    if (++e->codes > CODE_MAX) diag_error(&e->diag, E08, "the program is too large for the interpreter, which takes %d operations", CODE_MAX);
    return k;
}

static void code_use(Code *k, const Code *kid)
{
    k->deps = deps_join(k->deps, kid->deps);
    if (kid->depth >= k->depth) k->depth = kid->depth + 1;
    uint32_t weight = kid->cached && kid->weight ? 1 : kid->weight;      /* kept: computed for its first user */
    k->weight = k->weight + weight > 1000000 ? 1000000 : k->weight + weight;
}

void code_use_index(Code *k, const Index *x)
{
    k->index = x;
    k->deps = deps_join(k->deps, x->deps);
    if (x->depth >= k->depth) k->depth = x->depth + 1;
}

const Code *code_done(Eval *e, Code *k)
{
    for (int i = 0; i < COUNT(k->kids); i++)
        if (k->kids[i] && !deps_same(&k->kids[i]->deps, &k->deps)) code_keep(k->kids[i]);
    if (k->depth > CODE_DEPTH_MAX) diag_error(&e->diag, E08, "the program nests more than %d deep, too deep for the interpreter", CODE_DEPTH_MAX);
    return k;
}

const Code *code_kids(Eval *e, Scalar s, Fn run, const Code *a, const Code *b, const Code *c, const Term *t)
{
    Code *k = code_blank(e, s);
    k->run = run;
    k->heavy = true;
    k->term = t;
    k->weight = 1;
    k->kids[0] = a, k->kids[1] = b, k->kids[2] = c;
    for (int i = 0; i < 3; i++)
        if (k->kids[i]) code_use(k, k->kids[i]);
    return code_done(e, k);
}

const Code *code_literal(Eval *e, Scalar s, LitValue v)
{
    Code *k = code_blank(e, s);
    k->exact = true;
    if (scalar_is_float(s)) {
        k->run.f = e->run.draws_literals && v.f != scalar_rounded(SC_F16, v.f) ? run_literal : run_flt;
        k->f = (Flt){v.f, e->mode == EVAL_REFERENCE ? fabs(v.f) : 0};
    } else {
        k->run.i = run_int;
        k->i = k->lo = k->hi = v.i;
    }
    return k;
}

Code *code_reg(Eval *e, Loop *l, int64_t n)
{
    Code *k = code_blank(e, SC_I32);
    k->run.i = run_reg;
    k->deps = loop_deps(l);
    k->loop = l;
    k->lo = 0;
    k->hi = n - 1;
    return k;
}

/* ---- indices ---- */

static bool same_index(const void *key, const void *item)
{
    const Index *a = key, *b = item;
    return a->c == b->c && a->n == b->n && ALL(i, a->n, a->terms[i].atom == b->terms[i].atom && a->terms[i].coef == b->terms[i].coef);
}

static const Index *index_intern(Eval *e, int64_t c, const IndexTerm *terms, int n)
{
    Index key = {.c = c, .n = n, .terms = terms};
    uint64_t h = hash_mix((uint64_t)n, (uint64_t)c);
    for (int i = 0; i < n; i++) h = hash_mix(hash_mix(h, terms[i].atom->id), (uint64_t)terms[i].coef);
    Index *x = ptr_table_find(&e->indices, h, same_index, &key);
    if (x) return x;
    x = NEW(e->arena, Index);
    *x = key;
    IndexTerm *copy = NEW_ARRAY(e->arena, IndexTerm, n);
    if (n) memcpy(copy, terms, sizeof *copy * (size_t)n);
    x->terms = copy;
    x->id = ++e->ids;
    x->deps = deps_none(e);
    x->lo = x->hi = x->c;
    for (int i = 0; i < x->n; i++) {
        const IndexTerm *t = &x->terms[i];
        x->lo += t->coef * (t->coef > 0 ? t->atom->lo : t->atom->hi);
        x->hi += t->coef * (t->coef > 0 ? t->atom->hi : t->atom->lo);
        x->deps = deps_join(x->deps, t->atom->deps);
        if (t->atom->depth >= x->depth) x->depth = t->atom->depth + 1;
    }
    for (int i = 0; i < x->n; i++)
        if (!deps_same(&x->terms[i].atom->deps, &x->deps)) code_keep(x->terms[i].atom);
    ptr_table_add(&e->indices, h, x);
    return x;
}

const Index *index_const(Eval *e, int64_t c) { return index_intern(e, c, NULL, 0); }

const Index *index_of_code(Eval *e, const Code *k)
{
    if (k->as_index) return k->as_index;
    if (k->run.i == run_int) return index_const(e, k->i);
    return index_intern(e, 0, &(IndexTerm){1, k}, 1);
}

/* Terms in order of their atoms' ids. */
const Index *index_sum(Eval *e, const Index *a, const Index *b, int64_t scale)
{
    IndexTerm small[32], *out = a->n + b->n > COUNT(small) ? NEW_ARRAY(e->arena, IndexTerm, a->n + b->n) : small;
    int n = 0, i = 0, j = 0;
    while (i < a->n || j < b->n) {
        IndexTerm t;
        if (j == b->n || (i < a->n && a->terms[i].atom->id < b->terms[j].atom->id)) t = a->terms[i++];
        else if (i == a->n || b->terms[j].atom->id < a->terms[i].atom->id)
            t = (IndexTerm){scale * b->terms[j].coef, b->terms[j].atom}, j++;
        else t = (IndexTerm){a->terms[i].coef + scale * b->terms[j].coef, a->terms[i].atom}, i++, j++;
        if (t.coef) out[n++] = t;
    }
    return index_intern(e, a->c + scale * b->c, out, n);
}

const Index *index_add(Eval *e, const Index *a, const Index *b) { return index_sum(e, a, b, 1); }
const Index *index_shift(Eval *e, const Index *a, int64_t c) { return index_sum(e, a, index_const(e, c), 1); }
const Index *index_scale(Eval *e, const Index *a, int64_t k) { return index_sum(e, index_const(e, 0), a, k); }
const Index *index_pair(Eval *e, const Index *a, int64_t k, const Index *b) { return index_sum(e, b, a, k); }

/* Integer codes over an index or a code, one each: div, mod, clamp, check ... */
static bool same_atom(const void *key, const void *item)
{
    const Code *a = key, *b = item;
    return a->impl.i == b->impl.i && a->index == b->index && a->kids[0] == b->kids[0] && a->n == b->n
        && a->term == b->term;
}

const Code *code_atom(Eval *e, IntFn *run, const Index *x, const Code *kid, int64_t n, const Term *t)
{
    Code key = {.impl.i = run, .index = x, .kids = {kid}, .n = n, .term = t};
    uint64_t h = hash_mix(hash_mix((uint64_t)n, x ? x->id : 0), kid ? kid->id : 0);
    Code *k = ptr_table_find(&e->atoms, h, same_atom, &key);
    if (k) return k;
    k = code_blank(e, SC_I32);
    k->run.i = k->impl.i = run;
    k->n = n;
    k->term = t;
    k->heavy = true;
    k->lo = 0;
    k->hi = n - 1;
    k->weight = 1;
    if (x) code_use_index(k, x);
    k->kids[0] = kid;
    if (kid) code_use(k, kid);
    code_done(e, k);
    ptr_table_add(&e->atoms, h, k);
    return k;
}

/* x = k * quotient + rest, by the terms that k divides; true when 0 <= rest < k. */
static bool index_parts(Eval *e, const Index *x, int64_t k, const Index **quotient, const Index **rest)
{
    IndexTerm *q = NEW_ARRAY(e->arena, IndexTerm, x->n), *r = NEW_ARRAY(e->arena, IndexTerm, x->n);
    int nq = 0, nr = 0;
    for (int i = 0; i < x->n; i++) {
        if (x->terms[i].coef % k) r[nr++] = x->terms[i];
        else q[nq++] = (IndexTerm){x->terms[i].coef / k, x->terms[i].atom};
    }
    *quotient = index_intern(e, floor_div(x->c, k), q, nq);
    *rest = index_intern(e, floor_mod(x->c, k), r, nr);
    return (*rest)->lo >= 0 && (*rest)->hi < k;
}

const Index *index_div(Eval *e, const Index *x, int64_t k)
{
    if (!k) return index_const(e, 0);            /* into rows of no elements: nobody asks for one */
    const Index *q, *r;
    if (k == 1 || index_parts(e, x, k, &q, &r)) return k == 1 ? x : q;
    Code *d = (Code *)code_atom(e, run_div, r, NULL, k, NULL);
    d->lo = floor_div(r->lo, k);
    d->hi = floor_div(r->hi, k);
    return index_add(e, q, index_of_code(e, d));
}

const Index *index_mod(Eval *e, const Index *x, int64_t k)
{
    if (!k) return index_const(e, 0);
    const Index *q, *r;
    if (k == 1) return index_const(e, 0);
    if (index_parts(e, x, k, &q, &r)) return r;
    return index_of_code(e, code_atom(e, run_mod, r, NULL, k, NULL));
}

const Code *code_index(Eval *e, const Index *x, Scalar s)
{
    if (x->n == 0) return code_literal(e, s, (LitValue){.i = x->c});
    if (x->n == 1 && x->c == 0 && x->terms[0].coef == 1) return x->terms[0].atom;
    Code *k = (Code *)code_atom(e, run_index, x, NULL, 0, NULL);
    k->lo = x->lo;
    k->hi = x->hi;
    k->as_index = x;
    return k;
}

bool index_is_atomic(const Index *x) { return ALL(i, x->n, x->terms[i].atom->run.i == run_reg); }

/* Loop variables, and quotients and rests of what is injective itself (the other of the two stands elsewhere). */
static bool is_distinct(const Code *atom)
{
    if (!atom->index) return !atom->kids[0];
    bool bends = atom->impl.i == run_clamp || atom->impl.i == run_mirror;
    return index_is_injective(atom->index) && !(bends && atom->index->n > 1);
}

bool index_is_injective(const Index *x)
{
    int64_t reach = 0;
    bool done[PATH_MAX_STEPS] = {false};
    if (x->n > PATH_MAX_STEPS) return false;
    for (int round = 0; round < x->n; round++) {
        int least = -1;
        for (int i = 0; i < x->n; i++)
            if (!done[i] && (least < 0 || llabs(x->terms[i].coef) < llabs(x->terms[least].coef))) least = i;
        const IndexTerm *t = &x->terms[least];
        done[least] = true;
        if (llabs(t->coef) <= reach || !is_distinct(t->atom)) return false;
        reach += llabs(t->coef) * (t->atom->hi - t->atom->lo);
    }
    return true;
}
