/* check_property: properties that a function declares (associative, commutative, neutral), tried like rules: both sides of
 * the law on random finite values, at every type of a list that the function takes. */
#include "check_private.h"

#include <string.h>

enum { TRIALS = 40, LITERALS_TO = 1000 };

/* Values of such functions. */
static const char *const types[] = {
    "f32", "i32", "bool", "u32", "i64", "f64", "i8", "u8", "i16", "u16", "u64",
    "(f32, f32)", "(i32, i32)", "(f32, i32)", "(i32, f32)", "(bool, f32)", "(bool, i32)",
    "(f32, f32, f32)", "(i32, i32, i32)", "(f32, f32, i32)", "(bool, f32, i32)",
    "(f32, f32, f32, f32)", "(i32, i32, i32, i32)",
    "((f32, f32), f32)", "(f32, (f32, f32))", "[3]f32", "[3]i32", "[3](f32, i32)", "[2][2]f32", "[2][2]i32",
    "(f32, [3]f32)", "(f32, f32, [3]f32)", "<4>f32",
};

typedef struct Law {
    const char *name;
    PropKind kind;
    const Term *left, *right;
} Law;

static const Term *apply(Ctx *c, const Term *f, const Term *a, const Term *b)
{
    const Term *both[2] = {a, b};
    return a && b ? term_beta(c, f, term_tuple(c, both, 2)) : NULL;
}

static int laws_of(Ctx *c, unsigned props, const Term *f, const Term *z, const Term *const v[3], Law out[4])
{
    int n = 0;
    if (props & PROP_ASSOCIATIVE)
        out[n++] = (Law){"associative", PROP_ASSOCIATIVE, apply(c, f, apply(c, f, v[0], v[1]), v[2]),
                         apply(c, f, v[0], apply(c, f, v[1], v[2]))};
    if (props & PROP_COMMUTATIVE)
        out[n++] = (Law){"commutative", PROP_COMMUTATIVE, apply(c, f, v[0], v[1]), apply(c, f, v[1], v[0])};
    if ((props & PROP_NEUTRAL) && z) {
        out[n++] = (Law){"neutral", PROP_NEUTRAL, apply(c, f, z, v[0]), v[0]};
        out[n++] = (Law){"neutral", PROP_NEUTRAL, apply(c, f, v[0], z), v[0]};
    }
    return n;
}

typedef struct Trying {
    Ctx *c;
    Arena *arena;
    const Type *type;
    const Term *v[3];
    Literals literals;
    const volatile int *stop;
} Trying;

static const char *const names[3] = {"a", "b", "c"};

static Outcome try_once(Trying *t, const Law *law, Rng *r, int level, const char **why)
{
    Data *data[3];
    EvalInput inputs[3];
    int count = law->kind == PROP_ASSOCIATIVE ? 3 : law->kind == PROP_COMMUTATIVE ? 2 : 1;
    for (int i = 0; i < count; i++) {
        data[i] = data_new(t->c, t->type);
        trial_fill(data[i], r, level);
        if (level % 2 && rng_below(r, 2))
            data_mix_literals(data[i], rng_next(r), &t->literals, -LITERALS_TO, LITERALS_TO, INTEGERS_ANY);
        inputs[i] = (EvalInput){t->v[i]->u.name, data[i]};
    }
    Comparison k = {.c = t->c, .arena = t->arena, .left = law->left, .right = law->right, .inputs = inputs,
                    .input_count = count, .stop = t->stop};
    Outcome o = comparison_run(&k);
    if (o == DIFFERENT) {
        Buf b = {0};
        for (int i = 0; i < count; i++) {
            buf_printf(&b, "%s%s = ", i ? ", " : "", names[i]);
            data_print_head(data[i], 16, &b);
        }
        buf_puts(&b, ": ");
        comparison_print(&k, &b);
        *why = buf_take(&b, t->arena);
    }
    for (int i = 0; i < count; i++) data_free(data[i]);
    return o;
}

static void try_type(Trying *t, Defs *d, int def, const char *text)
{
    Ctx *c = t->c;
    Source s = {"type", text, strlen(text)};
    LangScope scope = {.defs = d};
    t->type = lang_type(c, &scope, &s);
    const Type *both[2] = {t->type, t->type};
    const Term *z = NULL, *f = t->type ? defs_function(c, d, def, type_tuple(c, both, 2), t->type, &z) : NULL;
    unsigned props = defs_properties(d, def);
    if (!f || ((props & PROP_NEUTRAL) && !z)) return;
    Law laws[4];
    bool tried = false;
    t->literals = (Literals){.count = 0};
    literals_collect(&t->literals, f);
    for (int i = 0; i < 3; i++) t->v[i] = term_input(c, intern(c->names, names[i]), t->type);
    for (int i = 0, n = laws_of(c, props, f, z, t->v, laws); i < n; i++) {
        const Law *law = &laws[i];
        const char *why = NULL;
        Rng r = {hash_mix(0, (uint64_t)law->kind)};
        for (int k = 0; law->left && law->right && k < TRIALS && !why && !(t->stop && *t->stop); k++) {
            Outcome o = try_once(t, law, &r, k % 4, &why);
            tried |= o == SAME || o == ROUNDED || o == DIFFERENT;
        }
        if (why) defs_refute(d, def, t->type, law->kind, arena_printf(t->arena, "%s at %s: %s", law->name, text, why));
    }
    if (tried) defs_tested(d, def);
}

void properties_check(Ctx *c, Defs *d, int i, const volatile int *stop)
{
    if (!defs_properties(d, i)) return;
    Diag saved = diag_aside(&c->diag);                /* errors here mean that a type does not suit */
    Trying t = {.c = c, .arena = arena_new(), .stop = stop};
    for (int k = 0; k < COUNT(types) && !(stop && *stop); k++) {
        try_type(&t, d, i, types[k]);
        diag_clear(&c->diag);
    }
    diag_back(&c->diag, saved);
    arena_free(t.arena);
}
