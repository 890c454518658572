/* prim: the primitive table (prims.def), and the shape of calls: static arguments, arguments, slots. */
#include "ir_private.h"

#include <string.h>

const Prim prim_table[PRIM_COUNT] = {
#define PRIM(id, name, family, scheme, slots, meaning, read, write, traits, help) \
    {PRIM_##id, name, family, scheme, slots, WRITE_##write, traits, WORK_NONE, NULL, help},
#define OP(id, name, scheme, slots, work, traits, function, help) \
    {PRIM_##id, name, FAM_SCALAR, scheme, slots, WRITE_VALUE, traits, WORK_##work, function, help},
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
    bool computes = (p->family == FAM_SCALAR && !prim_is_cast(id)) || id == PRIM_VDOT;
    return computes && !(p->traits & PT_CHOOSES);
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

const Scheme *prim_scheme(Ctx *c, PrimId id)
{
    if (!*prim_table[id].scheme) return NULL;
    const Scheme **slot = &c->tables->schemes[id];
    if (!*slot) *slot = scheme_parse(c, prim_table[id].scheme);
    return *slot;
}

/* ---- shape of a primitive ---- */

int prim_static_count(Ctx *c, PrimId id)
{
    if (id == PRIM_REORDER || id == PRIM_ITERATE || id == PRIM_SLICE) return 1;
    const Scheme *s = prim_scheme(c, id);
    return s ? s->static_count : 0;
}

StaticKind prim_static_kind(Ctx *c, PrimId id, int i)
{
    if (id == PRIM_REORDER) return STATIC_PERM;
    if (id == PRIM_ITERATE || id == PRIM_SLICE) return STATIC_SIZE;
    return prim_scheme(c, id)->statics[i].kind;
}

const char *prim_static_name(Ctx *c, PrimId id, int i)
{
    if (id == PRIM_REORDER) return "p";
    if (id == PRIM_ITERATE) return "k";
    if (id == PRIM_SLICE) return "s";
    return prim_scheme(c, id)->statics[i].name;
}

int prim_arg_count(Ctx *c, PrimId id)
{
    switch (id) {
    case PRIM_ZIP: case PRIM_TUPLE: case PRIM_VEC: return -1;
    case PRIM_UNZIP: case PRIM_PROJ: case PRIM_REORDER: return 1;
    case PRIM_ITERATE: return 2;
    case PRIM_SLICE: return 4;
    default: return prim_scheme(c, id)->arg_count;
    }
}

bool prim_arg_is_function(Ctx *c, PrimId id, int i)
{
    if (id == PRIM_ITERATE || id == PRIM_SLICE) return i == 0;
    const Scheme *s = prim_scheme(c, id);
    return s && i >= 0 && i < s->arg_count && s->args[i]->kind == SCH_FUN;
}
