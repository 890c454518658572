/* features_numbers: what indices and trip counts are on average, and as sets of numbers. */
#include "features_private.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

enum { UNKNOWN_SIZE = 1024 };

static double size_value(Numbers *in, const NatAtom *a)
{
    const SizeSubst *l = in->b->subst;
    for (int i = 0; i < l->count; i++)
        if (l->back[i].var == a) return numbers_mean(in, l->back[i].value);
    return UNKNOWN_SIZE;
}

double numbers_power(double x, int e)
{
    double r = 1;
    for (; e > 0; e--) r *= x;
    for (; e < 0; e++) r /= x;
    return r;
}

double numbers_mean(Numbers *in, const Nat *n)
{
    if (n->is_const) return (double)n->value;
    double sum = 0;
    for (int i = 0; i < n->term_count; i++) {
        double x = (double)n->terms[i].num / (double)n->terms[i].den;
        for (int f = 0; f < n->terms[i].factor_count; f++)
            x *= numbers_power(numbers_use(in, n->terms[i].factors[f].atom)->mean, n->terms[i].factors[f].exp);
        sum += x;
    }
    return sum;
}

/* Atoms are never negative. */
static void numbers_range(Numbers *in, const Nat *n, double *lo, double *hi)
{
    *lo = *hi = 0;
    for (int i = 0; i < n->term_count; i++) {
        double c = (double)n->terms[i].num / (double)n->terms[i].den, least = 1, most = 1;
        for (int f = 0; f < n->terms[i].factor_count; f++) {
            const AtomUse *u = numbers_use(in, n->terms[i].factors[f].atom);
            int e = n->terms[i].factors[f].exp;
            least *= numbers_power(e < 0 ? u->hi : u->lo, e);
            most *= numbers_power(e < 0 ? u->lo : u->hi, e);
        }
        *lo += c * (c < 0 ? most : least);
        *hi += c * (c < 0 ? least : most);
    }
}

static void use_operand(Numbers *in, AtomUse *u, const Nat *n)
{
    for (int i = 0; i < n->term_count; i++) {
        for (int f = 0; f < n->terms[i].factor_count; f++) {
            const AtomUse *part = numbers_use(in, n->terms[i].factors[f].atom);
            u->lane |= part->lane;
            u->moves |= part->moves;
            u->loaded |= part->loaded;
        }
    }
}

/* The values that n takes within a group, and the largest step between two of them that are next to each other. */
static double nat_span(Numbers *in, const Nat *n)
{
    double span = 1;
    for (int i = 0; i < n->term_count; i++) {
        double c = fabs((double)n->terms[i].num / (double)n->terms[i].den);
        for (int f = 0; f < n->terms[i].factor_count; f++) {
            const AtomUse *u = numbers_use(in, n->terms[i].factors[f].atom);
            if (u->moves) span += c * (u->span - 1);
            else c *= numbers_power(u->mean, n->terms[i].factors[f].exp);
        }
    }
    return span;
}

static void use_variable(Numbers *in, AtomUse *u)
{
    const VarInfo *v = kernel_var(in->k, u->atom);
    if (u->atom->var != VAR_INDEX) {
        u->mean = u->lo = u->hi = size_value(in, u->atom);
        u->span = 1;
        return;
    }
    double extent = u->atom->hi ? numbers_mean(in, u->atom->hi) : 1;
    u->hi = fmax(0, extent - 1);
    u->mean = v && v->whole ? numbers_mean(in, v->whole) / fmax(1, numbers_mean(in, v->among)) : u->hi / 2;
    u->moves = !v || v->kind != VAR_ID || v->id != ID_GROUP;
    u->loaded = v && v->kind == VAR_OPAQUE && !v->shared;
    u->lane = v && (v->kind == VAR_STRIDED || u->loaded || (v->kind == VAR_ID && v->id != ID_GROUP));
    u->span = !u->moves ? 1 : v && v->kind == VAR_ID ? fmin(extent, in->k->local[v->dim]) : extent;
}

static bool same_use(const void *key, const void *item) { return ((const AtomUse *)item)->atom == key; }

const AtomUse *numbers_use(Numbers *in, const NatAtom *a)
{
    AtomUse *u = ptr_table_find(&in->atoms, hash_mix(3, a->id), same_use, a);
    if (u) return u;
    u = NEW(in->b->arena, AtomUse);
    u->atom = a;
    if (a->kind != ATOM_VAR) {
        use_operand(in, u, a->a);
        use_operand(in, u, a->b);
    }
    if (a->kind == ATOM_VAR) use_variable(in, u);
    else if (a->kind == ATOM_DIV || a->kind == ATOM_MOD) {
        double lo, hi, by = numbers_mean(in, u->atom->b), x = numbers_mean(in, u->atom->a), span = nat_span(in, u->atom->a);
        bool remainder = u->atom->kind == ATOM_MOD, fixed;
        numbers_range(in, u->atom->a, &lo, &hi);
        fixed = lo == hi;
        if (by < 1) by = 1;
        if (remainder) {
            bool within = hi < by;
            u->mean = fixed ? fmod(x, by) : within ? x : (by - 1) / 2;
            u->lo = fixed ? u->mean : within ? lo : 0;
            u->hi = fixed ? u->mean : within ? hi : by - 1;
            u->span = fmin(span, by);
        } else {
            u->mean = fixed ? floor(x / by) : fmax(0, (x - (by - 1) / 2) / by);
            u->lo = floor(lo / by);
            u->hi = floor(hi / by);
            u->span = fmax(1, ceil(span / by));
        }
    } else {
        double lo[2], hi[2], x = numbers_mean(in, u->atom->a), y = numbers_mean(in, u->atom->b);
        bool least = u->atom->kind == ATOM_MIN;
        numbers_range(in, u->atom->a, &lo[0], &hi[0]);
        numbers_range(in, u->atom->b, &lo[1], &hi[1]);
        u->mean = least ? fmin(x, y) : fmax(x, y);
        u->lo = least ? fmin(lo[0], lo[1]) : fmax(lo[0], lo[1]);
        u->hi = least ? fmin(hi[0], hi[1]) : fmax(hi[0], hi[1]);
        u->span = fmax(nat_span(in, u->atom->a), nat_span(in, u->atom->b));
    }
    ptr_table_add(&in->atoms, hash_mix(3, a->id), u);
    return u;
}

/* ---- how often ---- */

/* Rounds of a loop. From an id in steps of its range they differ by one at most, and this is their mean. */
double numbers_rounds(Numbers *in, const Stmt *s)
{
    double from = numbers_mean(in, s->from), limit = numbers_mean(in, s->limit), step = fmax(1, numbers_mean(in, s->step)), lo, hi;
    numbers_range(in, s->from, &lo, &hi);
    if (lo == hi) return fmax(0, ceil((limit - from) / step));
    return fmax(0, (limit - from + (step - 1) / 2) / step);
}

double numbers_single(const Numbers *in, unsigned pinned)
{
    double share = 1;
    for (int kind = 0; kind < ID_KINDS; kind++)
        for (int d = 0; d < 3; d++)
            if (pinned >> (3 * kind + d) & 1u)
                share /= fmax(1, (kind == ID_GROUP ? 1 : in->k->local[d]) * (kind == ID_LOCAL ? 1 : (double)in->groups[d]));
    return share;
}

static bool index_range(Numbers *in, const Expr *e, double *lo, double *hi)
{
    if (e->kind == X_LIT && !scalar_is_float(e->scalar)) *lo = *hi = (double)e->lit.i;
    else if (e->kind == X_NAT) numbers_range(in, e->nat, lo, hi);
    else return false;
    return true;
}

/* The part of the cases in which x < y, x <= y or x = y, as if all values between the bounds were as frequent. */
static double share_of_compare(Numbers *in, PrimId op, const Expr *x, const Expr *y)
{
    double xl, xh, yl, yh;
    if (!index_range(in, x, &xl, &xh) || !index_range(in, y, &yl, &yh)) return 0.5;
    double lo = yl - xh, hi = yh - xl, n = hi - lo + 1;
    if (op == PRIM_EQ) return lo > 0 || hi < 0 ? 0 : 1 / n;
    return fmin(1, fmax(0, (op == PRIM_LE ? hi + 1 : hi) / n));
}

double numbers_share(Numbers *in, const Expr *e)
{
    if (e->kind == X_LIT) return e->lit.i != 0;
    if (e->kind != X_OP) return 0.5;
    switch (e->op) {
    case PRIM_AND: return numbers_share(in, e->args[0]) * numbers_share(in, e->args[1]);
    case PRIM_OR: return 1 - (1 - numbers_share(in, e->args[0])) * (1 - numbers_share(in, e->args[1]));
    case PRIM_NOT: return 1 - numbers_share(in, e->args[0]);
    case PRIM_LT: case PRIM_LE: case PRIM_EQ: return share_of_compare(in, e->op, e->args[0], e->args[1]);
    case PRIM_GT: return share_of_compare(in, PRIM_LT, e->args[1], e->args[0]);
    case PRIM_GE: return share_of_compare(in, PRIM_LE, e->args[1], e->args[0]);
    case PRIM_NE: return 1 - share_of_compare(in, PRIM_EQ, e->args[0], e->args[1]);
    default: return 0.5;
    }
}

/* ---- sets of numbers ---- */

uint64_t numbers_term_hash(const NatTerm *m)
{
    uint64_t h = hash_mix(0, (uint64_t)m->num ^ (uint64_t)m->den << 48);
    for (int f = 0; f < m->factor_count; f++) h = hash_mix(h, m->factors[f].atom->id ^ (uint64_t)m->factors[f].exp << 32);
    return h;
}

int numbers_different(double *v, int n)
{
    int k = 0;
    stats_sort(v, n);
    for (int i = 0; i < n; i++)
        if (k == 0 || v[k - 1] != v[i]) v[k++] = v[i];
    return k;
}

int numbers_axes(double *v, int n, Axis *axes, int most)
{
    int count = 0;
    n = numbers_different(v, n);
    while (n > 1 && count < most) {
        double step = v[1] - v[0];
        int run = 2;
        while (run < n && v[run] - v[run - 1] == step) run++;
        bool even = n % run == 0;
        for (int i = 0; i < n && even; i++) even = i % run == 0 || v[i] - v[i - 1] == step;
        axes[count++] = even ? (Axis){step, run} : (Axis){(v[n - 1] - v[0]) / (n - 1), n};
        if (!even) return count;
        for (int i = 0; i < n / run; i++) v[i] = v[i * run];
        n /= run;
    }
    return count;
}

static int by_step(const void *a, const void *b)
{
    double x = ((const Axis *)a)->step, y = ((const Axis *)b)->step;
    return (x > y) - (x < y);
}

void numbers_sort_axes(Axis *axes, int n) { qsort(axes, (size_t)n, sizeof *axes, by_step); }
