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

static const NatAtom *lone_atom(const NatTerm *t, int n)
{
    bool alone = n == 1 && t->num == 1 && t->den == 1 && t->factor_count == 1 && t->factors->exp == 1;
    return alone ? t->factors->atom : NULL;
}

/* x of min hi (max lo x), lo a constant at most hi; NULL: it is another form. */
static const Nat *clamped(Nats *s, const NatAtom *min, const Nat **lo, const Nat **hi)
{
    for (int i = 0; i < 2 && min->kind == ATOM_MIN; i++) {
        const Nat *other = i ? min->a : min->b;
        const NatAtom *max = lone_atom(other->terms, other->term_count);
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
    LOCAL(drop) NatFactor *own = t->factor_count > 1 ? nat_sorted(t->factors, t->factor_count, sizeof *own, nat_factor_compare) : NULL;
    const NatFactor *f = own ? own : t->factors;
    int n = count_factors(t, sign), printed = 0;
    if (num != 1 || n == 0) printed++, buf_int(p->out, num);
    for (int i = 0; i < t->factor_count; i++) {
        for (int e = 0; e < sign * f[i].exp; e++) {
            if (printed++) buf_putc(p->out, '*');
            print_atom(p, f[i].atom, num == 1 && n == 1 ? prec : LEVEL_ATOM);
        }
    }
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
typedef struct Group { const NatTerm *t; int n; } Group;

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
    if (t[n - 1].factor_count || t[n - 1].den == 1) return;
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

static void print_language(Printer *p, const Nat *a, int prec)
{
    NatFactor room[2 * BELOW_MAX];
    if (!a->term_count) {
        buf_putc(p->out, '0');
        return;
    }
    LOCAL(drop) NatTerm *t = nat_sorted(a->terms, a->term_count, sizeof *t, nat_term_compare);
    LOCAL(drop) Group *g = mem_alloc((size_t)a->term_count * sizeof *g);
    int n = 0;
    scale_to_constant(t, a->term_count, room);
    for (int i = 0; i < a->term_count; i += g[n++].n)
        g[n] = (Group){t + i, is_fraction(&t[i]) ? gather(t + i, a->term_count - i) : 1};
    int alone = is_fraction(t) ? LEVEL_PRODUCT : product_level(t);
    bool sum = n > 1 || t->num < 0, brackets = prec > (sum ? LEVEL_SUM : alone), first = true;
    open_if(p, brackets);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < n; i++) {
            const NatTerm *of = g[i].t;
            bool negative = of->num < 0;                       /* then all of the group are */
            if (negative != (pass == 1)) continue;
            print_sign(p, negative, first);
            if (g[i].n == 1) {
                int level = is_fraction(of) || (first && negative) ? LEVEL_ATOM : sum || brackets ? LEVEL_PRODUCT : prec;
                print_product(p, llabs(of->num), of, 1, level);
            } else {
                buf_putc(p->out, '(');
                for (int j = 0; j < g[i].n; j++) {
                    print_sign(p, (of[j].num < 0) != negative, j == 0);
                    print_product(p, llabs(of[j].num), &of[j], 1, LEVEL_PRODUCT);
                }
                buf_putc(p->out, ')');
            }
            print_below(p, of->den, of, -1);
            first = false;
        }
    }
    close_if(p, brackets);
}

void nat_print(const Nat *a, int prec, Buf *out)
{
    Printer p = {.out = out};
    if (a) print_language(&p, a, prec);
    else buf_putc(out, '?');
}

const char *nat_text(const Nat *a, int prec, Arena *arena) { return TEXT_OF(arena, b, nat_print(a, prec, &b)); }

/* ---- C text ---- */

/* A summand: factor * (t[0] + t[1] + ...) / (den * below); n 0: without a sum. */
typedef struct Piece {
    NatTerm factor;
    const NatTerm *t;
    int n;
    int64_t den;
    const Mono *below;
    bool negative;
    const Nat *sum;                      /* of a fraction, while it grows */
} Piece;

/* Multiplications of so many factors besides a number. */
static int product_cost(int factors, int64_t num)
{
    int n = factors + (llabs(num) != 1);
    return n > 1 ? n - 1 : 0;
}

/* Of whole terms: is t a multiple of g? */
static bool is_multiple(const NatTerm *t, const NatTerm *g)
{
    return t->num % g->num == 0 && ALL(i, g->factor_count, mono_exp(mono_of(t), g->factors[i].atom) >= g->factors[i].exp);
}

/* Multiplications saved when g is taken out of the terms that are multiples of it; -1: not worth it. */
static int saving(const NatTerm *t, int n, const NatTerm *g)
{
    int count = 0, saved = 0, taken = count_factors(g, 1);
    bool constant = false;
    for (int i = 0; i < n; i++) {
        if (!is_multiple(&t[i], g)) continue;
        int all = mono_of(&t[i])->degree;
        saved += product_cost(all, t[i].num) - product_cost(all - taken, t[i].num / g->num);
        constant = constant || all == taken;
        count++;
    }
    saved -= product_cost(taken, g->num) + 1;
    return count < 2 || (saved == 0 && constant) ? -1 : saved;
}

/* The factor most worth taking out of a sum of whole terms; false: none. Ties go to the larger by content. */
static bool best_factor(Nats *s, const NatTerm *t, int n, NatTerm *best)
{
    int most = -1;
    for (int i = 0; i < n && n <= 24; i++) {
        for (int j = i + 1; j < n; j++) {
            NatFactor f[32];
            NatTerm g = {gcd64(t[i].num, t[j].num), 1, 0, f};
            for (int k = 0; k < t[i].factor_count && g.factor_count < COUNT(f); k++) {
                int x = t[i].factors[k].exp, y = mono_exp(mono_of(&t[j]), t[i].factors[k].atom);
                if (y > 0) f[g.factor_count++] = (NatFactor){t[i].factors[k].atom, x < y ? x : y};
            }
            int saved = g.num == 1 && !g.factor_count ? -1 : saving(t, n, &g);
            if (saved < 0 || saved < most) continue;
            g.factors = mono_new(s, f, g.factor_count)->f;
            int order = saved > most ? 1 : !g.factor_count != !best->factor_count ? g.factor_count - best->factor_count : nat_term_compare(&g, best);
            if (order < 0) continue;
            *best = g;
            most = saved;
        }
    }
    return most >= 0;
}

/* Cuts a sum of whole terms into pieces with common factors taken out; how many. t is used up, pool has room for as many. */
static int add_pieces(Nats *s, NatTerm *t, int n, NatTerm *pool, Piece *out)
{
    int pieces = 0;
    for (NatTerm g; best_factor(s, t, n, &g);) {
        Piece x = {.factor = g, .t = pool, .den = 1, .below = s->unit, .negative = true};
        int left = 0;
        for (int i = 0; i < n; i++) {
            if (!is_multiple(&t[i], &g)) {
                t[left++] = t[i];
                continue;
            }
            const Mono *rest = mono_mul(s, mono_of(&t[i]), mono_of(&g), -1);
            pool[x.n++] = (NatTerm){t[i].num / g.num, 1, rest->count, rest->f};
            x.negative = x.negative && t[i].num < 0;
        }
        for (int i = 0; x.negative && i < x.n; i++) pool[i].num = -pool[i].num;
        pool += x.n;
        n = left;
        out[pieces++] = x;
    }
    for (int i = 0; i < n; i++) {
        out[pieces] = (Piece){.factor = t[i], .den = 1, .below = s->unit, .negative = t[i].num < 0};
        out[pieces++].factor.num = llabs(t[i].num);
    }
    return pieces;
}

/* What t has below its line: den and the factors with negative exponents, inverted. */
static const Mono *below_of(Nats *s, const NatTerm *t)
{
    const Mono *m = s->unit;
    for (int i = 0; i < t->factor_count; i++)
        if (t->factors[i].exp < 0) m = mono_mul(s, m, mono_new(s, &t->factors[i], 1), -1);
    return m;
}

/* Adds t to the fraction x, over a common denominator: the lcm of whole products. */
static bool add_fraction(Nats *s, Piece *x, const NatTerm *t)
{
    const Mono *below = x->below, *other = below_of(s, t);
    for (int i = 0; i < other->count; i++) {
        NatFactor f = other->f[i];
        f.exp -= mono_exp(below, f.atom);
        if (f.exp > 0) below = mono_mul(s, below, mono_new(s, &f, 1), 1);
    }
    int64_t den;
    if (!mul_ok(x->den / gcd64(x->den, t->den), t->den, &den)) return false;
    const Nat *sum = nat_scale(s, x->sum, (Rat){den / x->den, 1}, mono_mul(s, below, x->below, -1), 1);
    x->sum = nat_plus(s, sum, nat_scale(s, nat_of_term(s, t), (Rat){den, 1}, below, 1), 1);
    x->den = den;
    x->below = below;
    return x->sum != NULL;
}

/* Fractions: those known to be integers apart stand alone, the others share one denominator, so that the division
 * comes out even whenever the sum as a whole is an integer. How many pieces there are then; -1: too large. */
static int add_fractions(Nats *s, const NatTerm *t, int n, Piece *out, int from)
{
    Terms all;
    terms_init(&all);
    for (int i = 0; i < n; i++) terms_push(&all, term_coef(&t[i]), mono_of(&t[i]));
    const Nat *a = terms_done(s, &all);
    const Piece none = {.factor = *s->one->terms, .sum = s->zero, .den = 1, .below = s->unit};
    Piece rest = none;
    int pieces = from;
    for (int i = 0; i < n; i++) {
        if (!is_fraction(&t[i])) continue;
        Piece *x = &rest;
        if (nat_term_is_integer(s, a, &t[i])) {
            const Mono *below = below_of(s, &t[i]);
            for (x = out + from; x < out + pieces && (x->den != t[i].den || x->below != below);) x++;
            if (x == out + pieces) out[pieces++] = none;
        }
        if (!add_fraction(s, x, &t[i])) return -1;
    }
    if (rest.sum->term_count) out[pieces++] = rest;
    for (Piece *x = out + from; x < out + pieces; x++) {
        x->negative = ALL(i, x->sum->term_count, x->sum->terms[i].num <= 0);
        if (x->negative) x->sum = nat_scale(s, x->sum, (Rat){-1, 1}, s->unit, 1);
        x->t = x->sum->terms;
        x->n = x->sum->term_count;
    }
    return pieces;
}

static const NatTerm *leading(const Piece *x)
{
    const NatTerm *best = x->t;
    for (int i = 1; i < x->n; i++)
        if (nat_term_compare(&x->t[i], best) < 0) best = &x->t[i];
    return best;
}

/* Positive pieces first, then by content. */
static int compare_pieces(const void *x, const void *y)
{
    const Piece *a = x, *b = y;
    if (a->negative != b->negative) return a->negative - b->negative;
    int order = 0;
    bool a_const = !a->factor.factor_count && !a->n, b_const = !b->factor.factor_count && !b->n;
    if (a_const != b_const) return a_const - b_const;
    if (a->n && b->n) order = nat_term_compare(leading(a), leading(b));
    if (!order) order = (b->n != 0) - (a->n != 0);
    return order ? order : nat_term_compare(&a->factor, &b->factor);
}

static void print_sum_c(Printer *p, const NatTerm *t, int n, int prec);

static void print_piece(Printer *p, const Piece *x, int prec)
{
    bool fraction = x->den != 1 || x->below->count;
    NatTerm below = {1, 1, x->below->count, x->below->f};
    const NatTerm *f = &x->factor;
    if (!x->n) {
        print_product(p, f->num, f, 1, prec);
    } else if (!f->factor_count && f->num == 1) {
        print_sum_c(p, x->t, x->n, fraction && !lone_atom(x->t, x->n) ? LEVEL_PRODUCT : prec);
    } else {
        print_product(p, f->num, f, 1, LEVEL_ATOM);
        buf_putc(p->out, '*');
        print_sum_c(p, x->t, x->n, LEVEL_ATOM);
    }
    print_below(p, x->den, &below, 1);
}

static void print_sum_c(Printer *p, const NatTerm *t, int n, int prec)
{
    enum { FEW = 12 };
    NatTerm few[2 * FEW], *whole = n > FEW ? mem_alloc(2 * (size_t)n * sizeof *whole) : few;
    Piece few_pieces[FEW], *v = n > FEW ? mem_alloc((size_t)n * sizeof *v) : few_pieces;
    int wholes = 0;
    for (int i = 0; i < n; i++)
        if (!is_fraction(&t[i])) whole[wholes++] = t[i];
    int count = add_pieces(p->s, whole, wholes, whole + n, v);
    if (wholes < n) count = add_fractions(p->s, t, n, v, count);
    if (count > 0) {
        if (count > 1) qsort(v, (size_t)count, sizeof *v, compare_pieces);
        int alone = v[0].n ? LEVEL_PRODUCT : product_level(&v[0].factor);
        bool sum = count > 1 || v[0].negative, brackets = prec > (sum ? LEVEL_SUM : alone);
        open_if(p, brackets);
        for (int i = 0; i < count; i++) {
            print_sign(p, v[i].negative, i == 0);
            print_piece(p, &v[i], i == 0 && v[i].negative ? LEVEL_ATOM : sum || brackets ? LEVEL_PRODUCT : prec);
        }
        close_if(p, brackets);
    } else buf_puts(p->out, count ? "#error overflow" : "0");
    if (n > FEW) free(whole), free(v);
}

/* What two terms share is all that may be taken out: a factor of one term and k alone saves nothing. */
int nat_c_steps(const Nat *a, int64_t *factors, int most)
{
    int count = 0;
    if (!a->term_count || a->term_count > 11) return -1;
    for (int i = 0; i < a->term_count; i++) {
        const NatTerm *t = &a->terms[i];
        if (t->num <= 0 || t->den != 1 || t->factor_count > 1 || (t->factor_count && t->factors->exp != 1)) return -1;
        for (int j = i + 1; j < a->term_count; j++) {
            int64_t g = gcd64(t->num, a->terms[j].num);
            if (g == 1) continue;
            if (count == most) return -1;
            factors[count++] = g;
        }
    }
    return count;
}

static void print_nat(Printer *p, const Nat *a, int prec)
{
    if (p->s) print_sum_c(p, a->terms, a->term_count, prec);
    else print_language(p, a, prec);
}

void nat_print_c(Nats *s, const Nat *a, int prec, NatName *name, void *data, Buf *out, bool *used_helpers, const char *suffix)
{
    Printer p = {s, name, data, used_helpers, suffix, out};
    if (a) print_nat(&p, a, prec);
    else buf_putc(out, '?');
}
