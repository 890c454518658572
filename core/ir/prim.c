/* prim: the primitive table (prims.def); the types of primitives as it writes them; the shape of calls: static arguments, arguments.
 * scheme = { name ":" kind "->" } type { "->" type } [ "{" fact { "," fact } "}" ] */
#include "ir_private.h"

#include <ctype.h>
#include <string.h>

const Prim prim_table[PRIM_COUNT] = {
#define PRIM(id, name, family, scheme, slots, meaning, read, write, traits, help) \
    {PRIM_##id, name, family, scheme, slots, WRITE_##write, DIMS_NONE, traits, WORK_NONE, NULL, help},
#define LAYOUT(id, name, family, scheme, slots, meaning, write, dims, traits, help) \
    {PRIM_##id, name, family, scheme, slots, WRITE_##write, DIMS_##dims, traits, WORK_NONE, NULL, help},
#define OP(id, name, scheme, slots, work, traits, function, help) \
    {PRIM_##id, name, FAM_SCALAR, scheme, slots, WRITE_VALUE, DIMS_NONE, traits, WORK_##work, function, help},
#include "prims.def"
};

static const char *const choices[PRIM_COUNT] = {
#define CHOICE(id, forms) [PRIM_##id] = forms,
#include "prims.def"
};

const char *prim_choices(PrimId id) { return choices[id]; }

bool prim_rounds(PrimId id)
{
    const Prim *p = prim(id);
    return prim_computes(id) && !prim_is_cast(id) && !(p->traits & PT_CHOOSES);
}

const char *prim_memory(PrimId id)
{
    PrimWrite w = prim(id)->write;
    return w == WRITE_GLOBAL ? "global" : w == WRITE_LOCAL ? "local" : w == WRITE_PRIVATE ? "private" : NULL;
}

int prim_flops(PrimId id) { return prim_table[id].work == WORK_NONE ? 0 : prim_table[id].work == WORK_FMA ? 2 : 1; }

PrimId prim_from_name(const char *name)
{
    static const char firsts[PRIM_COUNT] = {             /* all in two or three lines of the cache */
#define PRIM(id, name, family, scheme, slots, meaning, read, write, traits, help) name[0],
#define OP(id, name, scheme, slots, work, traits, function, help) name[0],
#include "prims.def"
    };
    for (const char *at = firsts, *end = firsts + PRIM_COUNT; (at = memchr(at, *name, (size_t)(end - at))); at++)
        if (strcmp(prim_table[at - firsts].name, name) == 0) return (PrimId)(at - firsts);
    return PRIM_COUNT;
}

static const char *const pad_modes[PAD_MODES] = {"clamp", "mirror", "wrap"};
static const char *const perm_kinds[PERM_KINDS] = {"reverse", "rotate", "stride", "perm"};

/* Which of the names it is; n: none. */
static int named(const char *const *names, int n, const char *name)
{
    int i = 0;
    while (i < n && (*name != *names[i] || strcmp(name, names[i]))) i++;      /* most are not it: asked of every name in a rule */
    return i;
}

const char *pad_mode_name(PadMode m) { return pad_modes[m]; }
PadMode pad_mode_from_name(const char *name) { return (PadMode)named(pad_modes, PAD_MODES, name); }
const char *perm_kind_name(PermKind k) { return perm_kinds[k]; }
PermKind perm_kind_from_name(const char *name) { return (PermKind)named(perm_kinds, PERM_KINDS, name); }

/* ---- the types of primitives ---- */

typedef struct SchemeParser {
    Ctx *c;
    Scheme *s;
    const char *p;
    char type_names[SCHEME_TYPE_VARS][4];
} SchemeParser;

static void skip(SchemeParser *sp)
{
    while (*sp->p == ' ') sp->p++;
}

static bool eat(SchemeParser *sp, const char *text)
{
    skip(sp);
    size_t n = strlen(text);
    if (strncmp(sp->p, text, n) != 0) return false;
    sp->p += n;
    return true;
}

static int scheme_nat_var(SchemeParser *sp, char name)
{
    Scheme *s = sp->s;
    for (int i = 0; i < s->nat_var_count; i++)
        if (s->nat_names[i] == name) return i;
    s->nat_names[s->nat_var_count] = name;
    return s->nat_var_count++;
}

static const SchemeNat *scheme_chain(SchemeParser *sp, bool sum);

static const SchemeNat *scheme_nat_atom(SchemeParser *sp)
{
    if (eat(sp, "(")) {
        const SchemeNat *n = scheme_chain(sp, true);
        eat(sp, ")");
        return n;
    }
    char letter = *sp->p++;
    if (isdigit((unsigned char)letter)) return MAKE(sp->c->arena, SchemeNat, .op = "c", .value = letter - '0');
    return MAKE(sp->c->arena, SchemeNat, .var = scheme_nat_var(sp, letter));
}

/* sum = product { ( "+" | "-" ) product }, product = atom { ( "*" | "/" ) atom } */
static const SchemeNat *scheme_chain(SchemeParser *sp, bool sum)
{
    const SchemeNat *a = sum ? scheme_chain(sp, false) : scheme_nat_atom(sp);
    for (skip(sp); *sp->p && strchr(sum ? "+-" : "*/", *sp->p) && strncmp(sp->p, "->", 2); skip(sp)) {
        char op = *sp->p++;
        const SchemeNat *b = sum ? scheme_chain(sp, false) : scheme_nat_atom(sp);
        a = MAKE(sp->c->arena, SchemeNat, .op = {op}, .a = a, .b = b);
    }
    return a;
}

static int scheme_type_var(SchemeParser *sp, const char *name)
{
    static const struct { const char *name; TypeClass cls; } classes[] = {
        {"s", CLASS_SCALAR}, {"t", CLASS_SCALAR}, {"num", CLASS_NUMERIC}, {"flt", CLASS_FLOAT}, {"int", CLASS_INT},
        {"w32", CLASS_W32}, {"w64", CLASS_W64}};
    Scheme *s = sp->s;
    for (int i = 0; i < s->type_var_count; i++)
        if (strcmp(sp->type_names[i], name) == 0) return i;
    strcpy(sp->type_names[s->type_var_count], name);
    for (int i = 0; i < COUNT(classes); i++)
        if (strcmp(classes[i].name, name) == 0) s->classes[s->type_var_count] = classes[i].cls;
    return s->type_var_count++;
}

static const SchemeType *scheme_fun(SchemeParser *sp);

static const SchemeType *scheme_atom(SchemeParser *sp)
{
    skip(sp);
    if (*sp->p == '[' || *sp->p == '<') {
        bool array = *sp->p++ == '[';
        const SchemeNat *size = scheme_chain(sp, true);
        eat(sp, array ? "]" : ">");
        return MAKE(sp->c->arena, SchemeType, .kind = array ? SCH_ARRAY : SCH_VECTOR, .size = size, .count = 1, .kids = {scheme_atom(sp)});
    }
    if (!eat(sp, "(")) {
        char name[8] = "";
        for (int i = 0; i < 7 && isalnum((unsigned char)*sp->p); i++) name[i] = *sp->p++;
        Scalar scalar;
        if (scalar_from_name(name, &scalar)) return MAKE(sp->c->arena, SchemeType, .kind = SCH_SCALAR, .scalar = scalar);
        return MAKE(sp->c->arena, SchemeType, .kind = SCH_VAR, .var = scheme_type_var(sp, name));
    }
    const SchemeType *first = scheme_fun(sp);
    if (eat(sp, ")")) return first;
    SchemeType *t = MAKE(sp->c->arena, SchemeType, .kind = SCH_TUPLE, .count = 1, .kids = {first});
    while (eat(sp, ",")) t->kids[t->count++] = scheme_fun(sp);
    eat(sp, ")");
    return t;
}

static const SchemeType *scheme_fun(SchemeParser *sp)
{
    const SchemeType *a = scheme_atom(sp);
    if (!eat(sp, "->")) return a;
    const SchemeType *b = scheme_fun(sp);
    return MAKE(sp->c->arena, SchemeType, .kind = SCH_FUN, .count = 2, .kids = {a, b});
}

static const char *const static_kinds[] = {[STATIC_SIZE] = "size", [STATIC_DIM] = "dim", [STATIC_WIDTH] = "width",
                                           [STATIC_MODE] = "mode", [STATIC_PERM] = "perm"};

int static_kind_from_name(const char *name) { return text_index(static_kinds, COUNT(static_kinds), name); }

static bool scheme_static(SchemeParser *sp)
{
    skip(sp);
    if (!isalpha((unsigned char)sp->p[0]) || sp->p[1] != ':') return false;
    Scheme *s = sp->s;
    int i = s->static_count++;
    s->statics[i].name[0] = *sp->p;
    s->statics[i].nat_var = scheme_nat_var(sp, *sp->p);
    sp->p += 2;
    for (int k = 0; k < COUNT(static_kinds); k++)
        if (eat(sp, static_kinds[k])) s->statics[i].kind = (StaticKind)k;
    eat(sp, "->");
    return true;
}

/* The scheme that a text of prims.def says; the text is right. In c->arena. */
static const Scheme *scheme_parse(Ctx *c, const char *text)
{
    SchemeParser sp = {.c = c, .s = NEW(c->arena, Scheme), .p = text};
    while (scheme_static(&sp)) {
    }
    sp.s->result = scheme_atom(&sp);
    while (eat(&sp, "->")) {
        sp.s->args[sp.s->arg_count++] = sp.s->result;
        sp.s->result = scheme_atom(&sp);
    }
    if (eat(&sp, "{")) {
        do {
            SchemeFact *f = &sp.s->facts[sp.s->fact_count++];
            f->a = scheme_chain(&sp, true);
            f->kind = eat(&sp, "divides") ? FACT_DIVIDES : eat(&sp, "<=") ? FACT_LE : FACT_LT;
            if (f->kind == FACT_LT) eat(&sp, "<");
            f->b = scheme_chain(&sp, true);
        } while (eat(&sp, ","));
    }
    return sp.s;
}

/* ---- the shape of calls ---- */

/* Of those that no scheme types it says how many of what they take. None: any number. */
static const char *const shapes[PRIM_COUNT] = {
    [PRIM_REORDER] = "p:perm -> a -> b", [PRIM_ITERATE] = "k:size -> (a -> b) -> a -> b",
    [PRIM_SLICE] = "s:size -> (a -> b) -> i32 -> i32 -> a -> b", [PRIM_UNZIP] = "a -> b", [PRIM_PROJ] = "a -> b",
};

static const Scheme *shape(Ctx *c, PrimId id)
{
    const char *text = *prim_table[id].scheme ? prim_table[id].scheme : shapes[id];
    const Scheme **slot = &c->tables->schemes[id];
    if (!*slot && text) *slot = scheme_parse(c, text);
    return *slot;
}

const Scheme *prim_scheme(Ctx *c, PrimId id) { return *prim_table[id].scheme ? shape(c, id) : NULL; }

int prim_static_count(Ctx *c, PrimId id)
{
    const Scheme *s = shape(c, id);
    return s ? s->static_count : 0;
}

StaticKind prim_static_kind(Ctx *c, PrimId id, int i) { return shape(c, id)->statics[i].kind; }
const char *prim_static_name(Ctx *c, PrimId id, int i) { return shape(c, id)->statics[i].name; }

int prim_arg_count(Ctx *c, PrimId id)
{
    const Scheme *s = shape(c, id);
    return s ? s->arg_count : -1;
}

bool prim_arg_is_function(Ctx *c, PrimId id, int i)
{
    const Scheme *s = shape(c, id);
    return s && i >= 0 && i < s->arg_count && s->args[i]->kind == SCH_FUN;
}

/* ---- where layouts read ---- */

const Nat *pad_index(Nats *n, PadMode mode, const Nat *length, const Nat *j, const NatFacts *facts)
{
    const Nat *one = nat_const(n, 1), *t;
    switch (mode) {
    case PAD_CLAMP: return nat_min(n, nat_max(n, j, nat_const(n, 0)), nat_sub(n, length, one));
    case PAD_MIRROR:
        t = nat_max(n, j, nat_sub(n, nat_const(n, -1), j));
        return nat_min(n, t, nat_sub(n, nat_sub(n, nat_add(n, length, length), one), t));
    default: return nat_mod(n, nat_add(n, j, length), length, facts);
    }
}

const Nat *perm_index(Nats *n, PermKind kind, const Nat *k, const Nat *length, const Nat *i, const NatFacts *facts)
{
    const Nat *chunk;
    switch (kind) {
    case PERM_REVERSE: return nat_sub(n, nat_sub(n, length, nat_const(n, 1)), i);
    case PERM_ROTATE: return nat_mod(n, nat_add(n, i, k), length, facts);
    default:
        chunk = nat_exact(n, length, k);
        return nat_add(n, nat_div(n, i, chunk, facts), nat_mul(n, k, nat_mod(n, i, chunk, facts)));
    }
}

/* ---- what operators make of integers ---- */

const Nat *prim_calculate(Nats *n, PrimId op, const Nat *a, const Nat *b, const NatFacts *facts)
{
    switch (op) {
    case PRIM_ADD: return nat_add(n, a, b);
    case PRIM_SUB: return nat_sub(n, a, b);
    case PRIM_MUL: return nat_mul(n, a, b);
    case PRIM_MIN: return nat_min(n, a, b);
    case PRIM_MAX: return nat_max(n, a, b);
    case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_QUOT: return nat_div(n, a, b, facts);
    case PRIM_MOD: case PRIM_REM: return nat_mod(n, a, b, facts);
    default: return NULL;
    }
}

int prim_decide(Nats *n, PrimId op, const Nat *a, const Nat *b)
{
    if (op == PRIM_EQ || op == PRIM_NE) return a == b ? op == PRIM_EQ : nat_less(n, a, b) || nat_less(n, b, a) ? op == PRIM_NE : -1;
    if (!prim_orders(op)) return -1;
    if (!prim_is_upper(op)) return prim_decide(n, op == PRIM_GT ? PRIM_LT : PRIM_LE, b, a);
    bool strict = prim_is_strict(op);
    return (strict ? nat_less : nat_less_eq)(n, a, b) ? 1 : (strict ? nat_less_eq : nat_less)(n, b, a) ? 0 : -1;
}
