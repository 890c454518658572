/* scheme: the types of primitives as prims.def writes them.
 * scheme = { name ":" kind "->" } type { "->" type } [ "{" fact { "," fact } "}" ] */
#include "ir_private.h"

#include <ctype.h>
#include <string.h>

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

static SchemeNat *nat_node(SchemeParser *sp, char op, const SchemeNat *a, const SchemeNat *b)
{
    return MAKE(sp->c->arena, SchemeNat, .op = {op}, .a = a, .b = b);
}

static const SchemeNat *scheme_sum(SchemeParser *sp);

static const SchemeNat *scheme_nat_atom(SchemeParser *sp)
{
    skip(sp);
    if (eat(sp, "(")) {
        const SchemeNat *n = scheme_sum(sp);
        eat(sp, ")");
        return n;
    }
    SchemeNat *n = nat_node(sp, 0, NULL, NULL);
    if (isdigit((unsigned char)*sp->p)) {
        *n->op = 'c';
        n->value = *sp->p++ - '0';
    } else {
        n->var = scheme_nat_var(sp, *sp->p++);
    }
    return n;
}

/* sum = product { ( "+" | "-" ) product }, product = atom { ( "*" | "/" ) atom } */
static const SchemeNat *scheme_chain(SchemeParser *sp, bool sum)
{
    const SchemeNat *a = sum ? scheme_chain(sp, false) : scheme_nat_atom(sp);
    for (skip(sp); *sp->p && strchr(sum ? "+-" : "*/", *sp->p) && strncmp(sp->p, "->", 2); skip(sp)) {
        char op = *sp->p++;
        a = nat_node(sp, op, a, sum ? scheme_chain(sp, false) : scheme_nat_atom(sp));
    }
    return a;
}

static const SchemeNat *scheme_sum(SchemeParser *sp) { return scheme_chain(sp, true); }

static int scheme_type_var(SchemeParser *sp, const char *name)
{
    static const struct { const char *name; TypeClass cls; } classes[] = {
        {"s", CLASS_SCALAR}, {"t", CLASS_SCALAR}, {"num", CLASS_NUMERIC}, {"flt", CLASS_FLOAT}, {"int", CLASS_INT}};
    Scheme *s = sp->s;
    for (int i = 0; i < s->type_var_count; i++)
        if (strcmp(sp->type_names[i], name) == 0) return i;
    strcpy(sp->type_names[s->type_var_count], name);
    for (int i = 0; i < COUNT(classes); i++)
        if (strcmp(classes[i].name, name) == 0) s->classes[s->type_var_count] = classes[i].cls;
    return s->type_var_count++;
}

static SchemeType *type_node(SchemeParser *sp, SchemeKind kind) { return MAKE(sp->c->arena, SchemeType, .kind = kind); }

static const SchemeType *scheme_fun(SchemeParser *sp);

static const SchemeType *scheme_atom(SchemeParser *sp)
{
    skip(sp);
    if (*sp->p == '[' || *sp->p == '<') {
        SchemeType *t = type_node(sp, *sp->p == '[' ? SCH_ARRAY : SCH_VECTOR);
        const char *close = *sp->p++ == '[' ? "]" : ">";
        t->size = scheme_sum(sp);
        eat(sp, close);
        t->count = 1;
        t->kids[0] = scheme_atom(sp);
        return t;
    }
    if (!eat(sp, "(")) {
        char name[8] = "";
        for (int i = 0; i < 7 && isalnum((unsigned char)*sp->p); i++) name[i] = *sp->p++;
        Scalar scalar;
        SchemeType *t = type_node(sp, SCH_VAR);
        if (scalar_from_name(name, &scalar)) {
            t->kind = SCH_SCALAR;
            t->scalar = scalar;
        } else {
            t->var = scheme_type_var(sp, name);
        }
        return t;
    }
    const SchemeType *first = scheme_fun(sp);
    if (eat(sp, ")")) return first;
    SchemeType *t = type_node(sp, SCH_TUPLE);
    t->kids[t->count++] = first;
    while (eat(sp, ",")) t->kids[t->count++] = scheme_fun(sp);
    eat(sp, ")");
    return t;
}

static const SchemeType *scheme_fun(SchemeParser *sp)
{
    const SchemeType *a = scheme_atom(sp);
    if (!eat(sp, "->")) return a;
    SchemeType *t = type_node(sp, SCH_FUN);
    t->count = 2;
    t->kids[0] = a;
    t->kids[1] = scheme_fun(sp);
    return t;
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

const Scheme *scheme_parse(Ctx *c, const char *text)
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
            f->a = scheme_sum(&sp);
            f->kind = eat(&sp, "divides") ? FACT_DIVIDES : eat(&sp, "<=") ? FACT_LE : FACT_LT;
            if (f->kind == FACT_LT) eat(&sp, "<");
            f->b = scheme_sum(&sp);
        } while (eat(&sp, ","));
    }
    return sp.s;
}
