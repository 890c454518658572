/* solver: do facts of sizes follow from others? A second means beside the normal forms of nat.c: Z3, where the system has it, asked
 * in SMT-LIB. It is loaded at the first question, so that nothing is built with it and who does not prove does not wait for it. */
#include "egraph_private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define Z3_LIBRARY "libz3.so.4"
/* Steps and not seconds, so that an answer is the same on each machine; so many questions for each equation. */
enum { STEPS_MOST = 200000, QUESTIONS_MOST = 64 };

typedef struct Answer { Fact fact; bool follows; } Answer;
struct Solver {
    bool tried;
    void *config, *context;              /* Z3's; NULL: there is none */
    void (*del_config)(void *), (*del_context)(void *);
    const char *(*eval)(void *context, const char *text);
    VEC(Answer) answers;
    int used;                            /* how many were yes */
};

/* Without declarations of its own: the five functions have been the same since 4.8. */
static bool is_there(Solver *s)
{
    if (s->tried) return s->context;
    s->tried = true;
    void *library = dlopen(Z3_LIBRARY, RTLD_NOW), *f[5];
    static const char *const names[] = {"Z3_mk_config", "Z3_mk_context", "Z3_del_config", "Z3_del_context", "Z3_eval_smtlib2_string"};
    for (int i = 0; i < COUNT(f); i++)
        if (!library || !(f[i] = dlsym(library, names[i]))) return false;
    void *(*mk_config)(void) = (__typeof__(mk_config))f[0], *(*mk_context)(void *) = (__typeof__(mk_context))f[1];
    s->del_config = (__typeof__(s->del_config))f[2];
    s->del_context = (__typeof__(s->del_context))f[3];
    s->eval = (__typeof__(s->eval))f[4];
    s->config = mk_config();
    s->context = mk_context(s->config);
    return s->context;
}

Solver *solver_new(void) { return mem_alloc(sizeof(Solver)); }

void solver_free(Solver *s)
{
    if (s && s->context) s->del_context(s->context);
    if (s && s->config) s->del_config(s->config);
    if (s) free(s->answers.v);
    free(s);
}

int solver_used(const Solver *s) { return s ? s->used : 0; }

/* ---- a question as text ---- */

typedef struct Question {
    Buf declared, asserted;
    Ints atoms, parts;                   /* ids of those that are declared; parts: numbers with fractions in them */
    bool known;                          /* is what is written known to be whole? */
    bool failed;
} Question;

static void put_nat(Question *q, Buf *out, const Nat *n);

static bool is_declared(Ints *ids, uint32_t id)
{
    if (ANY(i, ids->n, ids->v[i] == (int)id)) return true;
    vec_push(ids, (int)id);
    return false;
}

static void put_two(Question *q, Buf *out, const char *op, const Nat *a, const Nat *b)
{
    buf_printf(out, "(%s ", op);
    put_nat(q, out, a);
    buf_puts(out, " ");
    put_nat(q, out, b);
    buf_puts(out, ")");
}

static void assert_two(Question *q, const char *op, const Nat *a, const Nat *b)
{
    LOCAL(buf_free) Buf text = {0};
    put_two(q, &text, op, a, b);
    buf_printf(&q->asserted, "(assert %s)\n", buf_text(&text));
}

/* A variable between its bounds; what is computed is a variable, too, that equals it. */
static void put_atom(Question *q, Buf *out, const NatAtom *x)
{
    static const char *const ops[] = {[ATOM_DIV] = "div", [ATOM_MOD] = "mod", [ATOM_MIN] = "<=", [ATOM_MAX] = ">="};
    buf_printf(out, "a%u", x->id);
    if (is_declared(&q->atoms, x->id)) return;
    buf_printf(&q->declared, "(declare-const a%u Int)\n", x->id);
    LOCAL(buf_free) Buf text = {0};
    if (x->kind == ATOM_VAR) {
        const Nat *bounds[] = {x->lo, x->hi};
        for (int i = 0; i < 2; i++) {
            if (!bounds[i]) continue;
            buf_printf(&text, "(assert (%s a%u ", i ? "<" : ">=", x->id);
            put_nat(q, &text, bounds[i]);
            buf_puts(&text, "))\n");
        }
    } else {
        buf_printf(&text, "(assert (= a%u ", x->id);
        bool chosen = x->kind == ATOM_MIN || x->kind == ATOM_MAX;
        if (chosen) buf_puts(&text, "(ite ");
        put_two(q, &text, ops[x->kind], x->a, x->b);
        for (int i = 0; i < 2 && chosen; i++) {
            buf_puts(&text, " ");
            put_nat(q, &text, i ? x->b : x->a);
        }
        buf_puts(&text, chosen ? ")))\n" : "))\n");
        if (!chosen) {                   /* a divisor is positive wherever the number means anything */
            buf_puts(&text, "(assert (< 0 ");
            put_nat(q, &text, x->b);
            buf_puts(&text, "))\n");
        }
    }
    buf_puts(&q->asserted, buf_text(&text));
}

static void put_power(Question *q, Buf *out, const NatAtom *x, int exponent)
{
    for (int i = 0; i < exponent; i++) {
        buf_puts(out, " ");
        put_atom(q, out, x);
    }
}

/* The exponent of the atom below the line, in the whole number. */
static int below(const Nat *n, const NatAtom *x)
{
    int most = 0;
    for (int i = 0; i < n->term_count; i++)
        for (int k = 0; k < n->terms[i].factor_count; k++)
            if (n->terms[i].factors[k].atom == x && -n->terms[i].factors[k].exp > most) most = -n->terms[i].factors[k].exp;
    return most;
}

static int64_t gcd(int64_t a, int64_t b) { return b ? gcd(b, a % b) : a; }

/* The number times what is below its lines, and that: " x x y", of no factors nothing. */
static void put_fraction(Question *q, Buf *over, Buf *under, const Nat *n)
{
    NatAtomVec all = {0};
    int64_t den = 1;
    for (int i = 0; i < n->term_count; i++) {
        int64_t g = gcd(den, n->terms[i].den);
        if (__builtin_mul_overflow(den / g, n->terms[i].den, &den)) q->failed = true, den = 1;
        for (int k = 0; k < n->terms[i].factor_count; k++) {
            const NatAtom *x = n->terms[i].factors[k].atom;
            if (!ANY(j, all.n, all.v[j] == x) && below(n, x)) vec_push(&all, x);
        }
    }
    buf_printf(under, " %lld", (long long)den);
    for (int j = 0; j < all.n; j++) put_power(q, under, all.v[j], below(n, all.v[j]));
    buf_puts(over, "(+ 0");
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        int64_t times;
        if (__builtin_mul_overflow(t->num, den / t->den, &times)) q->failed = true, times = 0;
        buf_printf(over, times < 0 ? " (* (- %lld)" : " (* %lld", (long long)(times < 0 ? -times : times));
        for (int j = 0; j < all.n; j++)
            if (!ANY(k, t->factor_count, t->factors[k].atom == all.v[j])) put_power(q, over, all.v[j], below(n, all.v[j]));
        for (int k = 0; k < t->factor_count; k++) put_power(q, over, t->factors[k].atom, t->factors[k].exp + below(n, t->factors[k].atom));
        buf_puts(over, ")");
    }
    buf_puts(over, ")");
    free(all.v);
}

/* N/s is a whole number where that is known, else nothing is said. */
static void put_nat(Question *q, Buf *out, const Nat *n)
{
    LOCAL(buf_free) Buf over = {0}, under = {0};
    put_fraction(q, &over, &under, n);
    if (nat_is_whole(n)) {
        buf_puts(out, buf_text(&over));
        return;
    }
    buf_printf(out, "n%u", n->id);
    if (ANY(i, q->parts.n, q->parts.v[i] == (int)n->id)) return;
    if (!q->known) q->failed = true;
    vec_push(&q->parts, (int)n->id);
    buf_printf(&q->declared, "(declare-const n%u Int)\n", n->id);
    buf_printf(&q->asserted, "(assert (= (* n%u%s) %s))\n", n->id, buf_text(&under), buf_text(&over));
}

static void know(Question *q, const Fact *f, int number)
{
    if (f->kind != FACT_DIVIDES) {
        assert_two(q, f->kind == FACT_LE ? "<=" : "<", f->a, f->b);
        return;
    }
    LOCAL(buf_free) Buf a = {0}, b = {0};
    put_nat(q, &a, f->a);
    put_nat(q, &b, f->b);
    buf_printf(&q->declared, "(declare-const q%d Int)\n", number);
    buf_printf(&q->asserted, "(assert (not (= %s 0)))\n(assert (= (* q%d %s) %s))\n", buf_text(&a), number, buf_text(&a), buf_text(&b));
}

/* The contrary of what is asked: where nothing can be so, it follows. */
static void deny(Question *q, const Fact *f)
{
    LOCAL(buf_free) Buf a = {0}, b = {0};
    put_nat(q, &a, f->a);
    put_nat(q, &b, f->b);
    if (f->kind == FACT_DIVIDES) buf_printf(&q->asserted, "(assert (or (= %s 0) (not (= (mod %s %s) 0))))\n", buf_text(&a), buf_text(&b), buf_text(&a));
    else buf_printf(&q->asserted, "(assert (%s %s %s))\n", f->kind == FACT_LE ? ">" : ">=", buf_text(&a), buf_text(&b));
}

static bool ask(Solver *s, const Fact *known, int n, const Fact *goal)
{
    Question q = {.known = true};
    for (int i = 0; i < n; i++) know(&q, &known[i], i);
    q.known = false;
    deny(&q, goal);
    LOCAL(buf_free) Buf text = {0};
    buf_printf(&text, "(set-option :rlimit %d)\n%s%s(check-sat)\n(reset)\n", STEPS_MOST, buf_text(&q.declared), buf_text(&q.asserted));
    const char *said = q.failed ? NULL : s->eval(s->context, buf_text(&text));
    bool follows = said && !strncmp(said, "unsat", strlen("unsat"));
    buf_free(&q.declared);
    buf_free(&q.asserted);
    free(q.atoms.v);
    free(q.parts.v);
    return follows;
}

bool solver_follows(Solver *s, const Fact *known, int n, const Fact *goal)
{
    for (int i = 0; i < s->answers.n; i++)
        if (fact_equal(&s->answers.v[i].fact, goal)) return s->answers.v[i].follows;
    if (s->answers.n == QUESTIONS_MOST || !is_there(s)) return false;
    bool follows = ask(s, known, n, goal);
    s->used += follows;
    vec_push(&s->answers, ((Answer){*goal, follows}));
    return follows;
}
