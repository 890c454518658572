/* scalars: the only place where a scalar type is declared.
 *
 * A row is X(A, id, name, class, key, type, opencl, cuda, npy), with A as it was given to the list:
 *   id      SC_id, and PRIM_TO_id of the cast
 *   name    in the language, a token (as text: #name)
 *   class   BOOL SIGNED UNSIGNED FLOAT
 *   key     its number in content hashes; it never changes, nor is it used again
 *   type    of this machine's C, as values lie in a buffer; a bool is 0 or 1
 *   opencl, cuda   the type in kernels; in memory a bool is the type of u8
 *   npy     the dtype of .npy files; NumPy has none for bf16: "V2" are two bytes of any meaning
 * To add one: a row. What else must be said of it (a meaning of its own, a literal's suffix in C) does not compile or
 * fails in tests/unit/test_scalars.c without it. */
#ifndef SCALARS_H
#define SCALARS_H

#include "base.h"

/* The upper half of the bits of a float. What becomes one is a float first, and is rounded to the nearest, ties to even; a NaN stays one. */
typedef struct Bf16 { uint16_t bits; } Bf16;

static inline float float_of_bits(uint32_t bits) { return ((union { uint32_t bits; float value; }){bits}).value; }
static inline uint32_t bits_of_float(float v) { return ((union { float value; uint32_t bits; }){v}).bits; }
static inline double double_of_bf16(Bf16 v) { return (double)float_of_bits((uint32_t)v.bits << 16); }
static inline Bf16 bf16_of_double(double v)
{
    uint32_t bits = bits_of_float((float)v);
    return (Bf16){(uint16_t)(v != v ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

/* A float of the 10 bits that NVIDIA's matrix units take of one, rounded to the nearest, ties away from 0. */
static inline double tf32_of_double(double v)
{
    return v != v ? v : (double)float_of_bits((bits_of_float((float)v) + 0x1000) & 0xffffe000);
}

#define SCALARS_BOOL(X, A) X(A, BOOL, bool, BOOL, 0, uint8_t, "bool", "bool", "|b1")

#define SCALARS_INT(X, A) \
    X(A, I8, i8, SIGNED, 7, int8_t, "char", "signed char", "|i1") \
    X(A, I16, i16, SIGNED, 8, int16_t, "short", "short", "<i2") \
    X(A, I32, i32, SIGNED, 1, int32_t, "int", "int", "<i4") \
    X(A, I64, i64, SIGNED, 2, int64_t, "long", "long long", "<i8") \
    X(A, U8, u8, UNSIGNED, 9, uint8_t, "uchar", "unsigned char", "|u1") \
    X(A, U16, u16, UNSIGNED, 10, uint16_t, "ushort", "unsigned short", "<u2") \
    X(A, U32, u32, UNSIGNED, 3, uint32_t, "uint", "unsigned", "<u4") \
    X(A, U64, u64, UNSIGNED, 11, uint64_t, "ulong", "unsigned long long", "<u8")

#define SCALARS_FLOAT(X, A) \
    X(A, BF16, bf16, FLOAT, 12, Bf16, "ushort", "unsigned short", "<V2") \
    X(A, F16, f16, FLOAT, 4, _Float16, "half", "lathe_half", "<f2") \
    X(A, F32, f32, FLOAT, 5, float, "float", "float", "<f4") \
    X(A, F64, f64, FLOAT, 6, double, "double", "double", "<f8")

#define SCALARS(X, A) SCALARS_BOOL(X, A) SCALARS_INT(X, A) SCALARS_FLOAT(X, A)

typedef enum Scalar {              /* bool, the integers, signed ones first, the floats; each kind by width, floats by what is exact */
#define SCALAR_ID(A, id, ...) SC_##id,
    SCALARS(SCALAR_ID, )
#undef SCALAR_ID
    SC_COUNT
} Scalar;
const char *scalar_name(Scalar s);                       /* "f32" */
bool scalar_from_name(const char *name, Scalar *out);
const char *scalar_names(void);                          /* "f16 f32 ... bool": what a type may be, for messages */
const char *scalar_npy(Scalar s);                        /* "<f4" */
int scalar_key(Scalar s);                                /* in content hashes */
static inline bool scalar_is_float(Scalar s) { return s >= SC_BF16; }
static inline bool scalar_is_int(Scalar s) { return s >= SC_I8 && s <= SC_U64; }
static inline bool scalar_is_signed(Scalar s) { return s >= SC_I8 && s <= SC_I64; }
static inline bool scalar_is_unsigned(Scalar s) { return s >= SC_U8 && s <= SC_U64; }
static inline bool scalar_is_numeric(Scalar s) { return s != SC_BOOL; }
int scalar_bytes(Scalar s);                              /* in a buffer; bool 1 */
static inline Scalar scalar_unsigned(Scalar s) { return scalar_is_signed(s) ? (Scalar)(s + (SC_U8 - SC_I8)) : s; }     /* as wide */
static inline bool scalar_is_narrow(Scalar s) { return scalar_is_int(s) && scalar_bytes(s) < 4; }   /* C computes with it as an int */

/* An integer (or bool) is kept in an int64_t; a u64 by its bits, all others as the number. */
int64_t scalar_least(Scalar s);
int64_t scalar_most(Scalar s);
int64_t scalar_wrapped(Scalar s, int64_t v);             /* modulo the type */
const char *scalar_range(Scalar s, Arena *arena);        /* "-128 to 127" */
void scalar_print(Scalar s, int64_t v, Buf *out);        /* the number, in decimal */
const char *scalar_text(Scalar s, double v, char room[32]);      /* as few digits as read back as the same value of a type of floats */
bool scalar_holds(Scalar s, int64_t number);             /* is the number (not its bits) one of the type? */
bool scalar_widens(Scalar from, Scalar to);              /* does a cast hold every value, or round it? */
static inline double scalar_number(Scalar s, int64_t v) { return s == SC_U64 ? (double)(uint64_t)v : (double)v; }
typedef struct FloatRange {
    double smallest, least, most;        /* of the numbers above 0: the first, the first of full precision, the last */
    double exact;                        /* integers of no larger magnitude are exact */
} FloatRange;
extern const FloatRange float_ranges[SC_COUNT];
bool scalar_narrows(Scalar from, Scalar to);             /* of floats: does a cast round, or leave the range? */

/* Floats as they lie in a buffer, of the type that a row has. */
static inline double double_of_f16(_Float16 v) { return (double)v; }
static inline double double_of_f32(float v) { return (double)v; }
static inline double double_of_f64(double v) { return v; }
static inline _Float16 f16_of_double(double v) { return (_Float16)v; }
static inline float f32_of_double(double v) { return (float)v; }
#define FLOAT_VALUE(x) _Generic((x), Bf16: double_of_bf16, _Float16: double_of_f16, float: double_of_f32, double: double_of_f64)(x)
#define FLOAT_KEPT(T, v) _Generic((T){0}, Bf16: bf16_of_double, _Float16: f16_of_double, float: f32_of_double, double: double_of_f64)(v)
static inline double scalar_rounded(Scalar s, double v)
{
    return s == SC_F32 ? (double)(float)v : s == SC_F64 ? v : s == SC_F16 ? (double)(_Float16)v : double_of_bf16(bf16_of_double(v));
}
static inline int scalar_order(Scalar s, int64_t a, int64_t b)       /* < 0, 0, > 0 */
{
    if (s == SC_U64) return ((uint64_t)a > (uint64_t)b) - ((uint64_t)a < (uint64_t)b);
    return (a > b) - (a < b);
}

#endif
