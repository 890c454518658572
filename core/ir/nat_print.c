/* Nats as language text and as C text. */
#include "nat_private.h"

#include <stdlib.h>
#include <string.h>

/* Precedences of both notations: a printed form of a lower level than asked for gets brackets. */
enum { LEVEL_SUM = 5, LEVEL_PRODUCT = 6, LEVEL_APPLY = 8, LEVEL_ATOM = 9 };

/* How to print: as language text (s is NULL) or as C. */
typedef struct Printer {
    Nats *s;
    NatName *name;
    void *data;
    bool *used_helpers;
    const char *suffix;                  /* C: of numbers that are as wide as variables, which are longer than int; NULL: they are int */
    Buf *out;
} Printer;

static void print_nat(Printer *p, const Nat *a, int prec);

static void open_if(Printer *p, bool yes) { if (yes) buf_putc(p->out, '('); }
static void close_if(Printer *p, bool yes) { if (yes) buf_putc(p->out, ')'); }

/* ---- atoms ---- */

static void print_binary(Printer *p, const NatAtom *x, const char *op, int prec)
{
    bool brackets = prec > LEVEL_PRODUCT;
    open_if(p, brackets);
    print_nat(p, x->a, LEVEL_PRODUCT);
    buf_puts(p->out, op);
    print_nat(p, x->b, LEVEL_ATOM);
    close_if(p, brackets);
}

static const NatAtom *lone_atom(const Nat *a)
{
    if (a->term_count != 1 || a->terms->num != 1 || a->terms->den != 1) return NULL;
    return a->terms->factor_count == 1 && a->terms->factors->exp == 1 ? a->terms->factors->atom : NULL;
}

/* x of min hi (max lo x), lo a constant at most hi; NULL: it is another form. */
static const Nat *clamped(Nats *s, const NatAtom *min, const Nat **lo, const Nat **hi)
{
    for (int i = 0; i < 2 && min->kind == ATOM_MIN; i++) {
        const NatAtom *max = lone_atom(i ? min->a : min->b);
        if (!max || max->kind != ATOM_MAX || !(max->a->is_const || max->b->is_const)) continue;
        *hi = i ? min->b : min->a;
        *lo = max->a->is_const ? max->a : max->b;
        if (nat_less_eq(s, *lo, *hi)) return max->a->is_const ? max->b : max->a;
    }
    return NULL;
}

static void print_atom(Printer *p, const NatAtom *x, int prec)
{
    if (x->kind == ATOM_VAR) {
        if (p->s && p->name) p->name(p->data, x, p->out);
        else buf_puts(p->out, x->name);
    } else if (x->kind == ATOM_DIV || x->kind == ATOM_MOD) {
        bool div = x->kind == ATOM_DIV;
        if (!p->s) print_binary(p, x, div ? " // " : " % ", prec);
        else if (nat_is_nonneg(p->s, x->a)) print_binary(p, x, div ? "/" : "%", prec);
        else {
            if (p->used_helpers) *p->used_helpers = true;
            buf_puts(p->out, div ? NAT_C_DIV : NAT_C_MOD);
            buf_putc(p->out, '(');
            print_nat(p, x->a, 0);
            buf_puts(p->out, ", ");
            print_nat(p, x->b, 0);
            buf_putc(p->out, ')');
        }
    } else if (p->s) {
        const Nat *lo = NULL, *hi = NULL, *inner = clamped(p->s, x, &lo, &hi);
        const Nat *args[3] = {inner ? inner : x->a, inner ? lo : x->b, hi};
        buf_puts(p->out, inner ? "clamp(" : x->kind == ATOM_MIN ? "min(" : "max(");
        for (int i = 0; i < (inner ? 3 : 2); i++) {
            if (i) buf_puts(p->out, ", ");
            print_nat(p, args[i], 0);
            if (p->suffix && args[i]->is_const) buf_puts(p->out, p->suffix);
        }
        buf_putc(p->out, ')');
    } else {
        bool brackets = prec > LEVEL_APPLY;
        open_if(p, brackets);
        buf_puts(p->out, x->kind == ATOM_MIN ? "min " : "max ");
        print_nat(p, x->a, LEVEL_ATOM);
        buf_putc(p->out, ' ');
        print_nat(p, x->b, LEVEL_ATOM);
        close_if(p, brackets);
    }
}

/* ---- products ---- */

/* The factors of t by content, in room for few of them or in an array of their own, which the caller frees. */
static const NatFactor *sorted_factors(const NatTerm *t, NatFactor *room, int most)
{
    if (t->factor_count < 2) return t->factors;
    NatFactor *f = t->factor_count <= most ? room : mem_alloc((size_t)t->factor_count * sizeof *f);
    memcpy(f, t->factors, (size_t)t->factor_count * sizeof *f);
    qsort(f, (size_t)t->factor_count, sizeof *f, nat_factor_compare);
    return f;
}

static int count_factors(const NatTerm *t, int sign)
{
    int n = 0;
    for (int i = 0; i < t->factor_count; i++)
        if (sign * t->factors[i].exp > 0) n += abs(t->factors[i].exp);
    return n;
}

/* num times the factors with exponents of that sign; num = 1 is left out. At prec only when it is a lone atom. */
static void print_product(Printer *p, int64_t num, const NatTerm *t, int sign, int prec)
{
    NatFactor room[8];
    const NatFactor *f = sorted_factors(t, room, COUNT(room));
    int n = count_factors(t, sign), printed = 0;
    if (num != 1 || n == 0) printed++, buf_int(p->out, num);
    for (int i = 0; i < t->factor_count; i++) {
        for (int e = 0; e < sign * f[i].exp; e++) {
            if (printed++) buf_putc(p->out, '*');
            print_atom(p, f[i].atom, num == 1 && n == 1 ? prec : LEVEL_ATOM);
        }
    }
    if (f != room && f != t->factors) free((void *)(uintptr_t)f);
}

static void print_below(Printer *p, int64_t den, const NatTerm *t, int sign)
{
    int n = count_factors(t, sign) + (den != 1);
    if (n == 0) return;
    buf_putc(p->out, '/');
    open_if(p, n > 1);
    print_product(p, den, t, sign, LEVEL_ATOM);
    close_if(p, n > 1);
}

static void print_sign(Printer *p, bool negative, bool first)
{
    if (first) buf_puts(p->out, negative ? "-" : "");
    else buf_puts(p->out, negative ? " - " : " + ");
}

/* ---- language text ---- */

/* Terms over one denominator: t[0..n), each with num scaled to den. */
typedef struct Group {
    const NatTerm *t;
    int n;
    int64_t den;
    bool negative;                   /* all of them */
} Group;

static bool same_below(const NatTerm *a, const NatTerm *b)
{
    int i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a->factor_count && a->factors[i].exp > 0) i++;
        while (j < b->factor_count && b->factors[j].exp > 0) j++;
        if (i == a->factor_count || j == b->factor_count) return i == a->factor_count && j == b->factor_count;
        if (a->factors[i].atom != b->factors[j].atom || a->factors[i].exp != b->factors[j].exp) return false;
    }
}

enum { BELOW_MAX = 8 };

/* c is a constant, put over what t is over: 3/2 beside N/(2*s) becomes (3*s)/(2*s). room: of its factors. */
static void put_over(NatTerm *c, NatTerm *t, NatFactor room[2 * BELOW_MAX])
{
    int n = 0;
    int64_t den, num[2];
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int i = 0; i < t->factor_count && n < 2 * BELOW_MAX; i++)
            if (t->factors[i].exp < 0) room[n++] = (NatFactor){t->factors[i].atom, -sign * t->factors[i].exp};
    if (n == 2 * BELOW_MAX || !mul_ok(c->den / gcd64(c->den, t->den), t->den, &den)) return;
    if (!mul_ok(c->num, den / c->den, &num[0]) || !mul_ok(t->num, den / t->den, &num[1])) return;
    *c = (NatTerm){.num = num[0], .den = den, .factors = room, .factor_count = n};
    t->num = num[1];
    t->den = den;
}

/* A fraction with a constant numerator cannot stand alone: N/2 + 3/2 is (N + 3)/2, N/6 + 1/2 is (N + 3)/6, and N/(2*s) + 3/2
 * is (N + 3*s)/(2*s). */
static void scale_to_constant(NatTerm *t, int n, NatFactor room[2 * BELOW_MAX])
{
    int64_t den = 1;
    int below = -1, beside = 0;
    if (n == 0 || t[n - 1].factor_count || t[n - 1].den == 1) return;
    for (int i = 0; i < n; i++) {
        if (count_factors(&t[i], -1)) below = i;
        else if (!mul_ok(den / gcd64(den, t[i].den), t[i].den, &den)) return;
        else beside += t[i].den != 1;
    }
    if (beside == 1 && below >= 0) {
        put_over(&t[n - 1], &t[below], room);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (count_factors(&t[i], -1) || t[i].den == 1) continue;
        if (!mul_ok(t[i].num, den / t[i].den, &t[i].num)) return;
        t[i].den = den;
    }
}

/* Moves the terms over the denominator of t[0] to the front, positive ones first; how many. */
static int gather(NatTerm *t, int n)
{
    int count = 1;
    for (int i = 1; i < n; i++) {
        if (t[i].den != t[0].den || !same_below(&t[i], &t[0])) continue;
        NatTerm x = t[i];
        int at = count;
        while (x.num > 0 && at > 0 && t[at - 1].num < 0) at--;
        memmove(&t[at + 1], &t[at], (size_t)(i - at) * sizeof *t);
        t[at] = x;
        count++;
    }
    return count;
}

static bool is_fraction(const NatTerm *t) { return t->den != 1 || count_factors(t, -1) > 0; }

/* Of num times the factors of t above its line. */
static int product_level(const NatTerm *t) { return count_factors(t, 1) + (t->num != 1) > 1 ? LEVEL_PRODUCT : LEVEL_ATOM; }

static void print_groups(Printer *p, const Group *g, int n, int prec)
{
    int alone = is_fraction(g[0].t) ? LEVEL_PRODUCT : product_level(g[0].t);
    bool sum = n > 1 || g[0].negative, brackets = prec > (sum ? LEVEL_SUM : alone);
    bool first = true;
    open_if(p, brackets);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            if (g[i].negative != (pass == 1)) continue;
            print_sign(p, g[i].negative, first);
            bool below = is_fraction(g[i].t);
            if (g[i].n == 1) {
                print_product(p, llabs(g[i].t->num), g[i].t, 1,
                              below || (first && g[i].negative) ? LEVEL_ATOM
                                                                : (sum || brackets ? LEVEL_PRODUCT : prec));
            } else {
                buf_putc(p->out, '(');
                for (int j = 0; j < g[i].n; j++) {
                    print_sign(p, (g[i].t[j].num < 0) != g[i].negative, j == 0);
                    print_product(p, llabs(g[i].t[j].num), &g[i].t[j], 1, LEVEL_PRODUCT);
                }
                buf_putc(p->out, ')');
            }
            print_below(p, g[i].den, g[i].t, -1);
            first = false;
        }
    }
    close_if(p, brackets);
}

static void print_language(Printer *p, const Nat *a, int prec)
{
    NatFactor room[2 * BELOW_MAX];
    NatTerm *t = mem_alloc((size_t)(a->term_count + 1) * sizeof *t);
    Group *g = mem_alloc((size_t)(a->term_count + 1) * sizeof *g);
    memcpy(t, a->terms, (size_t)a->term_count * sizeof *t);
    qsort(t, (size_t)a->term_count, sizeof *t, nat_terms_order);
    scale_to_constant(t, a->term_count, room);
    if (a->term_count) {
        int groups = 0;
        for (int i = 0; i < a->term_count;) {
            int count = is_fraction(&t[i]) ? gather(t + i, a->term_count - i) : 1;
            g[groups++] = (Group){t + i, count, t[i].den, t[i].num < 0};
            i += count;
        }
        print_groups(p, g, groups, prec);
    } else buf_putc(p->out, '0');
    free(g);
    free(t);
}

void nat_print(const Nat *a, int prec, Buf *out)
{
    Printer p = {.out = out};
    if (a) print_language(&p, a, prec);
    else buf_putc(out, '?');
}

const char *nat_text(const Nat *a, int prec, Arena *arena)
{
    Buf b = {0};
    nat_print(a, prec, &b);
    return buf_take(&b, arena);
}

/* ---- C text ---- */

/* A summand: (factor * sum) / (den * below), sum NULL: 1. */
typedef struct Piece {
    NatTerm factor;
    const Nat *sum;
    int64_t den;
    const Mono *below;
    bool negative;
} Piece;

typedef struct PieceVec {
    Piece *v;
    int n, cap;
    Piece local[8];
} PieceVec;

static Piece *add_piece(PieceVec *p, Piece x)
{
    if (p->n == p->cap) {
        Piece *more = mem_alloc(2 * (size_t)p->cap * sizeof x);
        memcpy(more, p->v, (size_t)p->n * sizeof x);
        if (p->v != p->local) free(p->v);
        p->v = more;
        p->cap *= 2;
    }
    p->v[p->n] = x;
    return &p->v[p->n++];
}

static int product_cost(const NatTerm *t)
{
    int n = count_factors(t, 1) + (llabs(t->num) != 1);
    return n > 1 ? n - 1 : 0;
}

static bool divides_term(Nats *s, const NatTerm *t, const Nat *g, NatTerm *out)
{
    const Mono *m = mono_mul(s, mono_of(t), mono_of(g->terms), -1);
    if (!m || !mono_is_whole(m) || t->num % g->terms->num) return false;
    *out = (NatTerm){t->num / g->terms->num, 1, m->count, m->f};
    return true;
}

/* Multiplications saved when g is taken out of the terms of a that it divides; -1: not worth it. */
static int saving(Nats *s, const Nat *a, const Nat *g)
{
    int count = 0, saved = 0;
    bool constant = false;
    NatTerm rest;
    for (int i = 0; i < a->term_count; i++) {
        if (!divides_term(s, &a->terms[i], g, &rest)) continue;
        saved += product_cost(&a->terms[i]) - product_cost(&rest);
        constant = constant || !rest.factor_count;
        count++;
    }
    saved -= product_cost(g->terms) + 1;
    return count < 2 || (saved == 0 && constant) ? -1 : saved;
}

/* A number and a multiple of a variable: nothing is saved by what they share. */
static bool is_short(const Nat *a)
{
    if (a->term_count < 2) return true;
    return a->term_count == 2 && !a->terms[1].factor_count && a->terms->factor_count == 1 && a->terms->factors->exp == 1;
}

/* The factor most worth taking out of a sum; NULL: none. Ties go to the larger by content. */
static const Nat *best_factor(Nats *s, const Nat *a)
{
    const Nat *best = NULL;
    int most = -1;
    for (int i = 0; i < a->term_count && a->term_count <= 24; i++) {
        for (int j = i + 1; j < a->term_count; j++) {
            const NatTerm *x = &a->terms[i], *y = &a->terms[j];
            int64_t number = gcd64(x->num, y->num);
            NatFactor f[32];
            int n = 0;
            for (int k = 0; k < x->factor_count && n < COUNT(f); k++) {
                int e = mono_exp(mono_of(y), x->factors[k].atom);
                if (e > x->factors[k].exp) e = x->factors[k].exp;
                if (e > 0) f[n++] = (NatFactor){x->factors[k].atom, e};
            }
            if (n == 0 && number == 1) continue;
            const Nat *g = nat_term(s, (Rat){number, 1}, mono_new(s, f, n));
            int saved = g == s->one || g == best ? -1 : saving(s, a, g);
            if (saved < 0 || saved < most) continue;
            if (saved == most && nat_compare(g, best) < 0) continue;
            best = g;
            most = saved;
        }
    }
    return best;
}

static bool all_negative(const Nat *a) { return ALL(i, a->term_count, a->terms[i].num <= 0); }

static const Nat *negated(Nats *s, const Nat *a) { return nat_scale(s, a, (Rat){-1, 1}, s->unit, 1); }

static Piece factor_piece(Nats *s, const Nat *a, const Nat *g, const Nat **rest)
{
    Terms in, out;
    terms_init(&in);
    terms_init(&out);
    for (int i = 0; i < a->term_count; i++) {
        NatTerm t;
        if (divides_term(s, &a->terms[i], g, &t)) terms_push(&in, term_coef(&t), mono_of(&t));
        else terms_push(&out, term_coef(&a->terms[i]), mono_of(&a->terms[i]));
    }
    const Nat *sum = terms_done(s, &in);
    *rest = terms_done(s, &out);
    bool negative = all_negative(sum);
    return (Piece){*g->terms, negative ? negated(s, sum) : sum, 1, s->unit, negative};
}

/* Cuts a sum of whole terms into pieces with common factors taken out. */
static void add_pieces(Nats *s, const Nat *a, PieceVec *out)
{
    for (const Nat *g; !is_short(a) && (g = best_factor(s, a));) {
        const Nat *rest;
        add_piece(out, factor_piece(s, a, g, &rest));
        a = rest;
    }
    for (int i = 0; i < a->term_count; i++) {
        NatTerm t = a->terms[i];
        bool negative = t.num < 0;
        if (negative) t.num = -t.num;
        add_piece(out, (Piece){t, NULL, 1, s->unit, negative});
    }
}

/* What t has below its line: den and the factors with negative exponents, inverted. */
static const Mono *below_of(Nats *s, const NatTerm *t)
{
    const Mono *m = s->unit;
    for (int i = 0; i < t->factor_count; i++)
        if (t->factors[i].exp < 0) m = mono_mul(s, m, mono_new(s, &t->factors[i], 1), -1);
    return m;
}

/* Adds t to the piece x, over a common denominator. */
static bool add_fraction(Nats *s, Piece *x, const NatTerm *t)
{
    /* lcm of whole products. */
    const Mono *a = x->below;
    const Mono *b = below_of(s, t);
    for (int i = 0; i < b->count; i++) {
        NatFactor f = b->f[i];
        f.exp -= mono_exp(a, f.atom);
        if (f.exp > 0) a = mono_mul(s, a, mono_new(s, &f, 1), 1);
    }
    const Mono *below = a;
    int64_t den;
    if (!mul_ok(x->den / gcd64(x->den, t->den), t->den, &den)) return false;
    Rat by = {den / x->den, 1};
    const Mono *more = mono_mul(s, below, x->below, -1);
    const Nat *sum = more ? nat_scale(s, x->sum, by, more, 1) : NULL;
    const Nat *term = nat_scale(s, nat_of_term(s, t), (Rat){den, 1}, below, 1);
    *x = (Piece){*s->one->terms, nat_plus(s, sum, term, 1), den, below, false};
    return x->sum != NULL;
}

static Piece *piece_over(Nats *s, PieceVec *v, int from, const NatTerm *t)
{
    const Mono *below = below_of(s, t);
    for (int i = from; i < v->n; i++)
        if (v->v[i].den == t->den && v->v[i].below == below) return &v->v[i];
    return add_piece(v, (Piece){*s->one->terms, s->zero, t->den, below, false});
}

/* Fractions: those known to be integers apart stand alone, the others share one denominator, so that the division
 * comes out even whenever the sum as a whole is an integer. */
static bool add_fractions(Nats *s, const Nat *a, PieceVec *out)
{
    Piece rest = {*s->one->terms, s->zero, 1, s->unit, false};
    int from = out->n;
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        if (!is_fraction(t)) continue;
        Piece *x = nat_term_is_integer(s, a, t) ? piece_over(s, out, from, t) : &rest;
        if (!add_fraction(s, x, t)) return false;
    }
    if (rest.sum->term_count) add_piece(out, rest);
    for (int i = from; i < out->n; i++) {
        out->v[i].negative = all_negative(out->v[i].sum);
        if (out->v[i].negative) out->v[i].sum = negated(s, out->v[i].sum);
    }
    return true;
}

static const NatTerm *leading(const Nat *a)
{
    const NatTerm *best = a->terms;
    for (int i = 1; i < a->term_count; i++)
        if (nat_term_compare(&a->terms[i], best) < 0) best = &a->terms[i];
    return best;
}

/* Positive pieces first, then by content. */
static int compare_pieces(const void *x, const void *y)
{
    const Piece *a = x, *b = y;
    if (a->negative != b->negative) return a->negative - b->negative;
    int order = 0;
    bool a_const = !a->factor.factor_count && !a->sum, b_const = !b->factor.factor_count && !b->sum;
    if (a_const != b_const) return a_const - b_const;
    if (a->sum && b->sum) order = nat_term_compare(leading(a->sum), leading(b->sum));
    if (!order) order = (b->sum != NULL) - (a->sum != NULL);
    return order ? order : nat_term_compare(&a->factor, &b->factor);
}

static void print_sum_c(Printer *p, const Nat *a, int prec);

static void print_piece(Printer *p, const Piece *x, int prec)
{
    bool fraction = x->den != 1 || x->below->count;
    NatTerm below = {1, 1, x->below->count, x->below->f};
    const NatTerm *f = &x->factor;
    if (!x->sum) {
        print_product(p, f->num, f, 1, prec);
    } else if (!f->factor_count && f->num == 1) {
        print_sum_c(p, x->sum, fraction && !lone_atom(x->sum) ? LEVEL_PRODUCT : prec);
    } else {
        print_product(p, f->num, f, 1, LEVEL_ATOM);
        buf_putc(p->out, '*');
        print_sum_c(p, x->sum, LEVEL_ATOM);
    }
    print_below(p, x->den, &below, 1);
}

/* ---- C text of sums of positive numbers, alone or times one atom: what most indices are; the same text, found directly ---- */

enum { FLAT_MAX = 12 };
typedef struct FlatPiece { int64_t factor; const NatTerm *t; int n; } FlatPiece;        /* factor 0: one term as it is */

static bool is_flat(const Nat *a)
{
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        if (t->num <= 0 || t->den != 1 || t->factor_count > 1 || (t->factor_count && t->factors[0].exp != 1)) return false;
    }
    return a->term_count > 0 && a->term_count <= FLAT_MAX;
}

/* As saving, of a number. */
static int flat_saving(const NatTerm *t, int n, int64_t g)
{
    int count = 0, saved = -1;
    bool constant = false;
    for (int i = 0; i < n; i++) {
        if (t[i].num % g) continue;
        saved += t[i].factor_count && t[i].num == g;          /* g*x becomes x */
        constant = constant || !t[i].factor_count;
        count++;
    }
    return count < 2 || (saved == 0 && constant) ? -1 : saved;
}

/* As best_factor; 0: none. */
static int64_t flat_factor(Nats *s, const NatTerm *t, int n)
{
    int64_t best = 0;
    int most = -1;
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            int64_t g = gcd64(t[i].num, t[j].num);
            int saved = g == 1 || g == best ? -1 : flat_saving(t, n, g);
            if (saved < 0 || saved < most) continue;
            if (saved == most && nat_compare(nat_const(s, g), nat_const(s, best)) < 0) continue;
            best = g;
            most = saved;
        }
    }
    return best;
}

static int compare_flat(const FlatPiece *a, const FlatPiece *b)
{
    bool a_const = !a->factor && !a->t->factor_count, b_const = !b->factor && !b->t->factor_count;
    if (a_const != b_const) return a_const - b_const;
    if (!a->factor != !b->factor) return !a->factor - !b->factor;
    return nat_term_compare(a->t, b->t);
}

/* The term that comes first to the front. */
static void lead(NatTerm *t, int n)
{
    for (int i = 1; i < n; i++) {
        NatTerm x = t[i];
        if (nat_term_compare(&x, &t[0]) >= 0) continue;
        t[i] = t[0];
        t[0] = x;
    }
}

/* t is in pieces afterwards, and its terms lie in pool. */
static int flat_pieces(Nats *s, NatTerm *t, int n, NatTerm *pool, FlatPiece *out)
{
    int pieces = 0;
    for (int64_t g = flat_factor(s, t, n); g || n; g = g ? flat_factor(s, t, n) : 0) {
        FlatPiece x = {g, pool, 0};
        int left = 0;
        for (int i = 0; i < n; i++) {
            bool in = g ? t[i].num % g == 0 : i == 0;
            if (in) *pool = t[i];
            if (in && g) pool->num /= g;
            if (in) x.n++, pool++;
            else t[left++] = t[i];
        }
        n = left;
        lead(pool - x.n, x.n);
        int at = pieces++;
        for (; at > 0 && compare_flat(&out[at - 1], &x) > 0; at--) out[at] = out[at - 1];
        out[at] = x;
    }
    return pieces;
}

static void print_flat(Printer *p, const NatTerm *terms, int n, int prec)
{
    NatTerm t[FLAT_MAX], pool[FLAT_MAX];
    FlatPiece v[FLAT_MAX] = {{0, terms, 1}};
    memcpy(t, terms, (size_t)n * sizeof *t);
    int pieces = flat_pieces(p->s, t, n, pool, v);
    bool brackets = prec > (pieces > 1                                                  ? LEVEL_SUM
                            : v[0].factor || (v[0].t->factor_count && v[0].t->num != 1) ? LEVEL_PRODUCT
                                                                                        : LEVEL_ATOM);
    open_if(p, brackets);
    for (int i = 0; i < pieces; i++) {
        print_sign(p, false, i == 0);
        if (v[i].factor) {
            buf_int(p->out, v[i].factor);
            buf_putc(p->out, '*');
            print_flat(p, v[i].t, v[i].n, LEVEL_ATOM);
        } else {
            print_product(p, v[i].t->num, v[i].t, 1, pieces > 1 || brackets ? LEVEL_PRODUCT : prec);
        }
    }
    close_if(p, brackets);
}

/* What two terms share is all that may be taken out: a factor of one term and k alone saves nothing. */
int nat_c_steps(const Nat *a, int64_t *factors, int most)
{
    int count = 0;
    if (!is_flat(a) || a->term_count == FLAT_MAX) return -1;
    for (int i = 0; i < a->term_count; i++) {
        for (int j = i + 1; j < a->term_count; j++) {
            int64_t g = gcd64(a->terms[i].num, a->terms[j].num);
            if (g == 1) continue;
            if (count == most) return -1;
            factors[count++] = g;
        }
    }
    return count;
}

static void print_sum_c(Printer *p, const Nat *a, int prec)
{
    PieceVec v;
    if (is_flat(a)) {
        print_flat(p, a->terms, a->term_count, prec);
        return;
    }
    v.v = v.local;
    v.n = 0;
    v.cap = COUNT(v.local);
    Nats *s = p->s;
    const Nat *whole = a;
    if (!nat_is_whole(a)) {
        Terms t;
        terms_init(&t);
        for (int i = 0; i < a->term_count; i++)
            if (!is_fraction(&a->terms[i])) terms_push(&t, term_coef(&a->terms[i]), mono_of(&a->terms[i]));
        whole = terms_done(s, &t);
    }
    add_pieces(p->s, whole, &v);
    if (whole != a && !add_fractions(p->s, a, &v)) buf_puts(p->out, "#error overflow");
    else if (v.n) {
        if (v.n > 1) qsort(v.v, (size_t)v.n, sizeof *v.v, compare_pieces);
        int alone = v.v[0].sum ? LEVEL_PRODUCT : product_level(&v.v[0].factor);
        bool sum = v.n > 1 || v.v[0].negative, brackets = prec > (sum ? LEVEL_SUM : alone);
        open_if(p, brackets);
        for (int i = 0; i < v.n; i++) {
            bool negative = v.v[i].negative;
            print_sign(p, negative, i == 0);
            print_piece(p, &v.v[i], i == 0 && negative ? LEVEL_ATOM : sum || brackets ? LEVEL_PRODUCT : prec);
        }
        close_if(p, brackets);
    } else buf_putc(p->out, '0');
    if (v.v != v.local) free(v.v);
}

static void print_nat(Printer *p, const Nat *a, int prec)
{
    if (p->s) print_sum_c(p, a, prec);
    else print_language(p, a, prec);
}

void nat_print_c(Nats *s, const Nat *a, int prec, NatName *name, void *data, Buf *out, bool *used_helpers, const char *suffix)
{
    Printer p = {s, name, data, used_helpers, suffix, out};
    if (a) print_nat(&p, a, prec);
    else buf_putc(out, '?');
}
