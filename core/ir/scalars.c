/* scalars: the scalar types, and the integers of each. */
#include "scalars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name, *npy; int bytes, key; } scalars[SC_COUNT] = {
#define ROW(A, id, name, class, key, type, opencl, cuda, npy) [SC_##id] = {#name, npy, sizeof(type), key},
    SCALARS(ROW, )
#undef ROW
};

const char *scalar_name(Scalar s) { return scalars[s].name; }
const char *scalar_npy(Scalar s) { return scalars[s].npy; }
int scalar_bytes(Scalar s) { return scalars[s].bytes; }
int scalar_key(Scalar s) { return scalars[s].key; }

const char *scalar_names(void)
{
#define NAME(A, id, name, ...) #name " "
    return SCALARS_FLOAT(NAME, ) SCALARS_INT(NAME, ) "bool";
#undef NAME
}

int64_t scalar_least(Scalar s) { return scalar_is_signed(s) ? (int64_t)(UINT64_MAX << (8 * scalar_bytes(s) - 1)) : 0; }

int64_t scalar_most(Scalar s)
{
    int bits = s == SC_BOOL ? 1 : 8 * scalar_bytes(s) - scalar_is_signed(s);
    return (int64_t)(UINT64_MAX >> (64 - bits));
}

int64_t scalar_wrapped(Scalar s, int64_t v)
{
    int unused = 64 - 8 * scalar_bytes(s);
    if (s == SC_BOOL) return v != 0;
    if (scalar_is_signed(s)) return (int64_t)((uint64_t)v << unused) >> unused;
    return (int64_t)((uint64_t)v << unused >> unused);
}

bool scalar_holds(Scalar s, int64_t number) { return scalar_wrapped(s, number) == number && (s != SC_U64 || number >= 0); }

bool scalar_from_name(const char *name, Scalar *out)
{
    for (Scalar s = 0; s < SC_COUNT; s++)
        if (!strcmp(name, scalars[s].name)) return *out = s, true;
    return false;
}

bool scalar_widens(Scalar from, Scalar to)
{
    if (scalar_is_float(to) || to == SC_BOOL) return true;
    if (scalar_is_float(from)) return false;
    bool most = from == SC_U64 ? to == SC_U64 : scalar_holds(to, scalar_most(from));
    return most && scalar_holds(to, scalar_least(from));
}

bool scalar_narrows(Scalar from, Scalar to)
{
    return float_ranges[to].exact < float_ranges[from].exact || float_ranges[to].most < float_ranges[from].most;
}

void scalar_print(Scalar s, int64_t v, Buf *out)
{
    if (s == SC_U64) buf_printf(out, "%llu", (unsigned long long)v);
    else buf_int(out, v);
}

const FloatRange float_ranges[SC_COUNT] = {
    [SC_BF16] = {0x1p-133, 0x1p-126, 0x1.fep127, 0x1p8},
    [SC_F16] = {0x1p-24, 0x1p-14, 65504, 0x1p11},
    [SC_F32] = {0x1p-149, 0x1p-126, 0x1.fffffep127, 0x1p24},
    [SC_F64] = {0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 0x1p53},
};

const char *scalar_text(Scalar s, double v, char room[32])
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(room, 32, "%.*g", digits, v);
        if (scalar_rounded(s, strtod(room, NULL)) == scalar_rounded(s, v)) break;
    }
    return room;
}

const char *scalar_range(Scalar s, Arena *arena)
{
    Buf b = {0};
    scalar_print(s, scalar_least(s), &b);
    buf_puts(&b, " to ");
    scalar_print(s, scalar_most(s), &b);
    return buf_take(&b, arena);
}
