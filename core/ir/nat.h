/* nat: the arithmetic of sizes and indices (types.md: Sizes).
 *
 * A Nat is a hash-consed Laurent polynomial with rational coefficients over atoms. Atoms are variables, floor
 * quotients, floor remainders, min and max of Nats. Equal normal forms are the same pointer. Exact division `a / b`
 * by a monomial is the Laurent term itself (N/s0 is N * s0^-1), so (N/s0)*s0 = N holds by itself; whether b really
 * divides a is a fact that the caller records. A Nat denotes an integer whenever its facts hold.
 *
 * Floor semantics everywhere: a = b*(a // b) + a % b, 0 <= a % b < b for b > 0 (b is always positive in sizes).
 * A variable carries its own interval, so simplification needs no separate environment; divisibility beyond the
 * integrality of Laurent terms comes from NatFacts, which may be NULL.
 *
 * Overflow of a coefficient or exponent, and anything absurdly large (more than 4096 terms), yields NULL; NULL
 * arguments yield NULL, so a chain of operations is checked once at its end. A Nat lives as long as its Nats. */
#ifndef NAT_H
#define NAT_H

#include "base.h"

typedef struct Nats Nats;            /* the store: atoms and polynomials */
typedef struct Nat Nat;
typedef struct NatAtom NatAtom;

enum { NAT_TERMS_MAX = 4096 };
typedef enum { ATOM_VAR, ATOM_DIV, ATOM_MOD, ATOM_MIN, ATOM_MAX } AtomKind;
typedef enum { VAR_SIZE, VAR_PARAM, VAR_INDEX } VarKind;    /* size variable, tuning parameter, loop variable or id */

struct NatAtom {
    uint32_t id;                     /* creation order; the canonical order of atoms */
    AtomKind kind;
    const Nat *a, *b;                /* operands of DIV MOD MIN MAX */
    const char *name;                /* VAR: interned by the store */
    VarKind var;
    const Nat *lo, *hi;              /* VAR: lo <= v < hi; NULL: unbounded on that side. Sizes and parameters: lo = 1 */
};

/* One term: num/den * product of atom[i]^exp[i]; den >= 1, gcd(num, den) = 1, atoms in id order, exponents not 0. */
typedef struct NatFactor { const NatAtom *atom; int exp; } NatFactor;
typedef struct NatTerm {
    int64_t num, den;
    int factor_count;
    const NatFactor *factors;
} NatTerm;

struct Nat {
    uint32_t id;                     /* creation order: how many there were */
    int term_count;                  /* 0: the number zero */
    const NatTerm *terms;            /* canonical order; a constant term, if any, is last */
    bool is_const;                   /* integer constant */
    int64_t value;                   /* when is_const */
};

/* d divides n, both as wholes; chained through next. Facts only ever help: a missing one gives a longer form. */
typedef struct NatFacts {
    const Nat *divisor, *number;
    const struct NatFacts *next;
} NatFacts;

Nats *nats_new(void);
void nats_free(Nats *s);
typedef struct ConsCount { uint64_t calls, hits; } ConsCount;        /* lookups of what may exist already, and those that found it */
ConsCount nats_conses(const Nats *s);
/* Taking back: after nats_release no Nat or atom that was made since the mark exists, and the store is as it was, ids and
 * fresh variables included (names stay). Marks nest; releasing one releases those taken after it. */
typedef struct NatsMark {
    ArenaMark arena;
    size_t atoms, monos, nats;
    uint64_t next_serial;
    int joined;
} NatsMark;
NatsMark nats_mark(Nats *s);
void nats_release(Nats *s, const NatsMark *m);

const Nat *nat_const(Nats *s, int64_t v);
const Nat *nat_of_term(Nats *s, const NatTerm *t);                   /* one term of a number, as one */
/* The variable of that name and kind; the same (name, kind, lo, hi) is the same variable. SIZE is 1 or more, or from lo on; it and PARAM
 * ignore the rest. */
const Nat *nat_var(Nats *s, const char *name, VarKind kind, const Nat *lo, const Nat *hi);
/* A loop variable lo <= v < hi, or 0 <= v < extent, that differs from every other one, though it may share its name. */
const Nat *nat_fresh_between(Nats *s, const char *name, const Nat *lo, const Nat *hi);
const Nat *nat_fresh_index(Nats *s, const char *name, const Nat *extent);

const Nat *nat_add(Nats *s, const Nat *a, const Nat *b);
const Nat *nat_sub(Nats *s, const Nat *a, const Nat *b);
const Nat *nat_mul(Nats *s, const Nat *a, const Nat *b);
const Nat *nat_pow(Nats *s, const Nat *a, int exponent);                     /* exponent >= 0 */
/* Exact a / b. Divides polynomials when it comes out even; a monomial b always works (Laurent); otherwise NULL.
 * Two integer constants that do not divide: NULL. b = 0: NULL. */
const Nat *nat_exact(Nats *s, const Nat *a, const Nat *b);
/* Floor quotient and remainder, simplified as far as intervals and facts prove. b must be positive; b = 0: NULL. */
const Nat *nat_div(Nats *s, const Nat *a, const Nat *b, const NatFacts *facts);
const Nat *nat_mod(Nats *s, const Nat *a, const Nat *b, const NatFacts *facts);
/* As sizes are written: + - * / (exact) // %; NULL: it is no such operator, the result is too large or not whole. */
const Nat *nat_operator(Nats *s, const char *op, const Nat *a, const Nat *b);
bool nat_is_operator(const char *op);
/* a = d*q + r with every coefficient of r from 0 to d - 1, for a number d > 0. False: a has fractions, or too large. */
bool nat_split(Nats *s, const Nat *a, int64_t d, const Nat **q, const Nat **r);
const Nat *nat_min(Nats *s, const Nat *a, const Nat *b);
const Nat *nat_max(Nats *s, const Nat *a, const Nat *b);

/* Interval analysis. Each is "proved", so false means "not known". Fine on Laurent terms and on every atom. */
bool nat_is_nonneg(Nats *s, const Nat *a);                 /* a >= 0 */
bool nat_less(Nats *s, const Nat *a, const Nat *b);        /* a < b */
bool nat_less_eq(Nats *s, const Nat *a, const Nat *b);     /* a <= b */
bool nat_divides(Nats *s, const Nat *d, const Nat *n, const NatFacts *facts);    /* n / d is an integer: proved */
bool nat_is_whole(const Nat *a);                           /* integer coefficients, no negative exponents: an integer, plainly */
bool nat_refuted_divides(Nats *s, const Nat *d, const Nat *n);                   /* both constant and it does not */
/* Constant bounds, when there are any: false leaves *out alone. Inclusive. */
bool nat_lower(Nats *s, const Nat *a, int64_t *out);
bool nat_upper(Nats *s, const Nat *a, int64_t *out);

const NatAtom *nat_atom(const Nat *a);                     /* the single one that a is; NULL: it is another form */
const Nat *nat_self(const NatAtom *x);                       /* what is that one alone */
bool nat_mentions(const Nat *a, const NatAtom *var);
bool nat_bends(const Nat *a, const NatAtom *var);          /* is var in a quotient, a rest, a least or a largest in a? */
/* Every variable atom in a, each once, in id order, appended to out (which the caller frees). */
typedef VEC(const NatAtom *) NatAtomVec;
void nat_vars(const Nat *a, NatAtomVec *out);
void nat_vars_of(const Nat *n, VarKind kind, NatAtomVec *out);       /* of that kind, those that are not in out yet */
/* The same as a list of its own, to be dropped; of NULL none. */
NatAtomVec nat_vars_in(const Nat *n);
NatAtomVec nat_kind_in(const Nat *n, VarKind kind);
const NatAtom *nat_var_of(const Nat *a, VarKind kind, const char *name);      /* the youngest of that kind, called so unless NULL; NULL: none */

/* Simultaneous substitution of variables; re-normalises. map[i]: var -> value. Exact divisions that become constant
 * and do not come out even yield NULL. Substitution into the bounds of index variables replaces such a variable by
 * one with the substituted bounds (same identity for the same result, within one store). */
typedef struct NatBinding { const NatAtom *var; const Nat *value; } NatBinding;
const Nat *nat_subst(Nats *s, const Nat *a, const NatBinding *map, int count, const NatFacts *facts);

/* n where `known` is not negative: a least or a largest in it that this decides is the one of its two. */
const Nat *nat_given(Nats *s, const Nat *n, const Nat *known);

/* Value under a valuation of the variables: value(data, atom, &v) gives each variable, false = unbound.
 * False: unbound, overflow, division by zero or an exact division that does not come out even. */
typedef bool NatValue(void *data, const NatAtom *var, int64_t *out);
bool nat_eval(const Nat *a, NatValue *value, void *data, int64_t *out);

/* Solve pattern = n for the single variable v in pattern, where pattern is linear in v (c*v + r, c a monomial):
 * the value, or NULL when it does not have that shape. The caller checks integrality through facts. */
const Nat *nat_solve(Nats *s, const Nat *pattern, const NatAtom *v, const Nat *n);

/* Language text, parseable (language.md, Grammar: + - * / // % parentheses, min/max as `min a b`). `N/s0` for N * s0^-1,
 * positive terms first, no superfluous brackets. prec: 0 top, 5 inside a sum, 6 inside a product, 9 as an atom. */
void nat_print(const Nat *a, int prec, Buf *out);
const char *nat_text(const Nat *a, int prec, Arena *arena);
/* C text over int (or long) variables: exact for values whose facts hold; `/` and `%` only where the operand is proved
 * nonnegative, else floor_div_/floor_mod_ helper calls (DIV_HELPER, MOD_HELPER names below); min, max and clamp are
 * OpenCL's, whose arguments have one type: with a suffix, that of numbers with it ("L"); NULL: int. Horner-factored: common factors are taken out
 * (4*(a + 16*b) rather than 4*a + 64*b). name(data, atom, out) prints a variable. */
#define NAT_C_DIV "lathe_floor_div"
#define NAT_C_MOD "lathe_floor_mod"
typedef void NatName(void *data, const NatAtom *var, Buf *out);
void nat_print_c(Nats *s, const Nat *a, int prec, NatName *name, void *data, Buf *out, bool *used_helpers, const char *suffix);
/* For numbers k > 0 that no factors[i] divides, the C text of a + k is that of a and " + k", at the precedence of a sum
 * or none. Returns how many factors there are; -1: it is not so, or there are more than `most`. a has no constant term. */
int nat_c_steps(const Nat *a, int64_t *factors, int most);

/* Total order by content of the printed form's structure (independent of creation order), for canonical listings. */
int nat_compare(const Nat *a, const Nat *b);
/* Equal for sums that differ in their constant term only: a's is `number`, 0: it has none. By ids: within a run only. */
uint64_t nat_rest_key(const Nat *a, int64_t number);

#endif
