/* data: values as flat buffers, one a component: made, filled, as text. */
#include "eval.h"
#include "statistics.h"
#include "team.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>

/* ---- making ---- */

enum { DATA_BITS_MAX = 40 };             /* the whole has at most 2^40 bytes */

bool type_part(const Type *t, int part, PartShape *out)
{
    out->rank = 0;
    while (t->kind != TY_SCALAR) {
        int i = 0;
        if (t->kind == TY_TUPLE) {
            for (; part >= type_components(t->elems[i]); i++) part -= type_components(t->elems[i]);
        } else {
            if (out->rank == SHAPE_RANK || (t->kind == TY_ARRAY && !t->size->is_const)) return false;
            out->dims[out->rank++] = t->kind == TY_VECTOR ? t->width : t->size->value;
            if (t->kind == TY_VECTOR) break;
        }
        t = t->elems[i];
    }
    out->scalar = t->scalar;
    return true;
}

Data *data_new(Ctx *c, const Type *t)
{
    if (!t) return NULL;
    Data *d = mem_alloc(sizeof *d);
    *d = (Data){t, type_components(t), NULL, c->stop};
    d->parts = mem_alloc(sizeof *d->parts * (size_t)d->part_count);
    int64_t bytes, all = 0;
    bool good = true;
    PartShape s;
    for (int i = 0; i < d->part_count && good; i++) {
        DataPart *p = &d->parts[i];
        good = type_part(t, i, &s);
        if (!good && s.rank < SHAPE_RANK) diag_error(&c->diag, E35, "%s has a size that is not bound to a number", type_text(c, t));
        *p = (DataPart){.scalar = s.scalar, .count = 1};
        good = good && ALL(k, s.rank, mul_ok(p->count, s.dims[k], &p->count)) && mul_ok(p->count, scalar_bytes(p->scalar), &bytes)
            && add_ok(all, bytes, &all);
    }
    if (!good || all > (int64_t)1 << DATA_BITS_MAX || !mem_holds((double)all)) {
        diag_error(&c->diag, E08, "%s is too large: the most is 2^%d bytes, and what memory there is", type_text(c, t), DATA_BITS_MAX);
        data_free(d);
        return NULL;
    }
    for (DataPart *p = d->parts; p < d->parts + d->part_count; p++)
        p->values = mem_alloc_large((size_t)p->count * (size_t)scalar_bytes(p->scalar));
    return d;
}

void data_free(Data *d)
{
    if (!d) return;
    for (int i = 0; i < d->part_count; i++) {
        DataPart *p = &d->parts[i];
        if (p->map) munmap(p->map, p->map_bytes);
        else free(p->values);
    }
    free(d->parts);
    free(d);
}

static size_t part_bytes(const DataPart *p) { return (size_t)p->count * (size_t)scalar_bytes(p->scalar); }

size_t data_bytes(const Data *d)
{
    size_t n = 0;
    for (int i = 0; i < d->part_count; i++) n += part_bytes(&d->parts[i]);
    return n;
}

void data_seal(Data *d)
{
    for (int i = 0; i < d->part_count; i++) d->parts[i].key = content_key(d->parts[i].values, part_bytes(&d->parts[i]));
}

/* ---- scalars ---- */

double data_get(const Data *d, int part, int64_t i)
{
    const DataPart *p = &d->parts[part];
#define INT(A, id, name, class, key, T, ...) case SC_##id: return (double)((const T *)p->values)[i];
#define FLT(A, id, name, class, key, T, ...) case SC_##id: return FLOAT_VALUE(((const T *)p->values)[i]);
    switch (p->scalar) { SCALARS_BOOL(INT, ) SCALARS_INT(INT, ) SCALARS_FLOAT(FLT, ) default: return 0; }
#undef INT
#undef FLT
}

/* A double as it is kept in that integer type: towards zero; what no integer of 64 bits is gives the nearest end, NaN 0. */
static int64_t to_int(Scalar s, double v)
{
    if (isnan(v)) return 0;
    if (s == SC_U64 && v >= 0x1p63) return v >= 0x1p64 ? -1 : (int64_t)(uint64_t)v;
    if (v >= 0x1p63) return INT64_MAX;
    return v < -0x1p63 ? INT64_MIN : (int64_t)v;
}

int64_t data_get_int(const Data *d, int part, int64_t i)
{
    const DataPart *p = &d->parts[part];
#define ROW(A, id, name, class, key, T, ...) case SC_##id: return (int64_t)((const T *)p->values)[i];
    switch (p->scalar) { SCALARS_BOOL(ROW, ) SCALARS_INT(ROW, ) default: return to_int(SC_I64, data_get(d, part, i)); }
#undef ROW
}

void data_set_int(Data *d, int part, int64_t i, int64_t v)
{
    DataPart *p = &d->parts[part];
#define ROW(A, id, name, class, key, T, ...) case SC_##id: ((T *)p->values)[i] = (T)v; return;
    switch (p->scalar) {
    case SC_BOOL: ((uint8_t *)p->values)[i] = v != 0; return;
    case SC_F32: ((float *)p->values)[i] = (float)v; return;             /* rounded once */
    SCALARS_INT(ROW, ) default: data_set(d, part, i, (double)v);
    }
#undef ROW
}

void data_set(Data *d, int part, int64_t i, double v)
{
    DataPart *p = &d->parts[part];
#define ROW(A, id, name, class, key, T, ...) case SC_##id: ((T *)p->values)[i] = FLOAT_KEPT(T, v); return;
    switch (p->scalar) {
    case SC_BOOL: ((uint8_t *)p->values)[i] = v != 0; return;
    SCALARS_FLOAT(ROW, ) default: data_set_int(d, part, i, to_int(p->scalar, v));
    }
#undef ROW
}

int64_t data_find_filled(const Data *d, int part, int64_t from, uint8_t byte)
{
    const DataPart *p = &d->parts[part];
    int64_t width = scalar_bytes(p->scalar), i = from;
    const uint8_t *v = p->values;
    uint8_t want[8];
    memset(want, byte, sizeof want);
    if (width == 1) {
        const uint8_t *found = i < p->count ? memchr(v + i, byte, (size_t)(p->count - i)) : NULL;
        return found ? found - v : p->count;
    }
    if (width == sizeof(wchar_t)) {      /* what most components are */
        const wchar_t *found = i < p->count ? wmemchr((const wchar_t *)p->values + i, (wchar_t)(byte * 0x01010101u), (size_t)(p->count - i)) : NULL;
        return found ? found - (const wchar_t *)p->values : p->count;
    }
    while (i < p->count && memcmp(v + i * width, want, (size_t)width) != 0) i++;
    return i;
}

/* ---- blocks of all components, by all cores ---- */

uint64_t data_seed(uint64_t seed, int part) { return hash_mix(seed, (uint64_t)part); }

typedef struct Blocks {
    const Data *d;
    uint64_t seed;
    int draws;
    DataBlock *block;
    const void *how;
} Blocks;

enum { TASK_BLOCKS = 64 };               /* one task's share */

static int64_t part_tasks(const DataPart *p) { return (p->count + TASK_BLOCKS * DATA_BLOCK - 1) / (TASK_BLOCKS * DATA_BLOCK); }

static void fill_blocks(void *data, int64_t task, int member)
{
    (void)member;
    const Blocks *b = data;
    int part = 0;
    for (; task >= part_tasks(&b->d->parts[part]); part++) task -= part_tasks(&b->d->parts[part]);
    const DataPart *p = &b->d->parts[part];
    const uint64_t seed = data_seed(b->seed, part);
    for (int64_t k = task * TASK_BLOCKS; k < (task + 1) * TASK_BLOCKS && k * DATA_BLOCK < p->count; k++) {
        int64_t at = k * DATA_BLOCK;
        if (b->d->stop && *b->d->stop) return;
        Rng r = {b->draws || !k ? seed : hash_mix(seed, (uint64_t)k)};
        rng_skip(&r, b->draws * at);
        b->block(b->how, p, at, p->count - at < DATA_BLOCK ? (int)(p->count - at) : DATA_BLOCK, r);
    }
}

void data_each_block(Data *d, uint64_t seed, int draws, DataBlock *block, const void *how)
{
    int64_t tasks = 0;
    for (int p = 0; p < d->part_count; p++) tasks += part_tasks(&d->parts[p]);
    team_run(0, tasks, fill_blocks, &(Blocks){d, seed, draws, block, how});
}

/* ---- fillers: values(random, scalar, index of the first) for a block ---- */

typedef struct Filler Filler;
struct Filler {
    void (*values)(const Filler *f, Rng *r, Scalar s, int64_t first, int n, double *out);
    int draws;
    double lo, hi;
    bool whole;                          /* floats are whole numbers */
    FillSign sign;
    int one_in;                          /* so many are 0 but one; 0 or 1: none is */
};

static void fill_block(const void *how, const DataPart *p, int64_t at, int n, Rng r)
{
    const Filler *f = how;
    double v[DATA_BLOCK];
    f->values(f, &r, p->scalar, at, n, v);
#define INT(A, id, name, class, key, T, ...) \
    case SC_##id: for (int i = 0; i < n; i++) ((T *)p->values)[at + i] = (T)to_int(SC_##id, v[i]); return;
#define FLT(A, id, name, class, key, T, ...) case SC_##id: for (int i = 0; i < n; i++) ((T *)p->values)[at + i] = FLOAT_KEPT(T, v[i]); return;
    switch (p->scalar) {
    case SC_BOOL: for (int i = 0; i < n; i++) ((uint8_t *)p->values)[at + i] = v[i] != 0; return;
    SCALARS_INT(INT, ) SCALARS_FLOAT(FLT, ) default: return;
    }
#undef INT
#undef FLT
}

static void fill(Data *d, uint64_t seed, const Filler *f) { data_each_block(d, seed, f->draws, fill_block, f); }

/* rng_below, many times with the same n: the quotient by n's reciprocal is exact or one too small. */
typedef struct Below { uint64_t n, reciprocal; } Below;
static Below below(int64_t n) { return (Below){(uint64_t)n, UINT64_MAX / (uint64_t)n}; }

static inline int64_t next_below(Rng *r, Below b)
{
    uint64_t x = rng_next(r), q = (uint64_t)((unsigned __int128)x * b.reciprocal >> 64), rest = x - q * b.n;
    return (int64_t)(rest >= b.n ? rest - b.n : rest);
}

/* From lo to hi; of none, or of more than can be counted, the first. */
static void some_integers(Rng *r, double lo, double hi, int n, double *out)
{
    int64_t first = to_int(SC_I64, ceil(lo)), more;
    if (!add_ok(to_int(SC_I64, floor(hi)), -first, &more) || more < 0 || more == INT64_MAX) more = 0;
    Below b = below(more + 1);
    for (int i = 0; i < n; i++) out[i] = (double)(first + next_below(r, b));
}

static void coins(Rng *r, int n, double *out)
{
    for (int i = 0; i < n; i++) out[i] = (double)(rng_next(r) & 1);
}

/* The bound, or the next that the type has. */
static double bounded(Scalar s, double v) { return fmin(fmax(v, (double)scalar_least(s)), scalar_number(s, scalar_most(s))); }

static void uniform(const Filler *f, Rng *r, Scalar s, int64_t first, int n, double *out)
{
    (void)first;
    if (s == SC_BOOL) coins(r, n, out);
    else if (scalar_is_int(s)) some_integers(r, bounded(s, f->lo), bounded(s, f->hi), n, out);
    else if (f->whole) some_integers(r, f->lo, f->hi, n, out);
    else for (int i = 0; i < n; i++) out[i] = f->lo + (f->hi - f->lo) * rng_unit(r);
    for (int i = 0; f->sign == SIGN_NOT_ZERO && i < n; i++) out[i] = out[i] ? out[i] : f->hi;
    for (int i = 0; f->sign == SIGN_POSITIVE && i < n; i++) out[i] = fmax(1, fabs(out[i]));
    Below b = below(f->one_in > 1 ? f->one_in : 1);
    for (int i = 0; f->one_in > 1 && i < n; i++)
        if (next_below(r, b)) out[i] = 0;
}

static void ordinals(const Filler *f, Rng *r, Scalar s, int64_t first, int n, double *out)
{
    (void)f, (void)r;
    for (int i = 0; i < n; i++) out[i] = (double)(s == SC_BOOL ? (first + i) & 1 : first + i);
}

static void constants(const Filler *f, Rng *r, Scalar s, int64_t first, int n, double *out)
{
    (void)r, (void)s, (void)first;
    for (int i = 0; i < n; i++) out[i] = f->lo;
}

static double hostile_float(Rng *r, Scalar s, double most)
{
    double sign = rng_next(r) & 1 ? -1 : 1;
    switch (rng_below(r, 8)) {
    case 0: return sign * 0.0;
    case 1: return sign * float_ranges[s].smallest;
    case 2: return sign * float_ranges[s].smallest * (double)(1 + rng_below(r, 1000));
    case 3: return sign * most;
    case 4: return sign * most * rng_unit(r);
    case 5: return sign * exp((rng_unit(r) * 2 - 1) * log(most < 2 ? 2 : most));
    case 6: return sign;
    default: return sign * rng_unit(r);
    }
}

static double hostile_int(Rng *r, Scalar s, double most)
{
    double hi = fmin(most, fmin(scalar_number(s, scalar_most(s)), 0x1p62)), lo = fmax(-most, fmax((double)scalar_least(s), -0x1p62)), any;
    switch (rng_below(r, 6)) {
    case 0: return 0;
    case 1: return fmax(-1, lo);
    case 2: return fmin(1, hi);
    case 3: return floor(hi);
    case 4: return ceil(lo);
    default: some_integers(r, lo, hi, 1, &any); return any;
    }
}

static void hostile(const Filler *f, Rng *r, Scalar s, int64_t first, int n, double *out)
{
    (void)first;
    if (s == SC_BOOL) coins(r, n, out);
    else for (int i = 0; i < n; i++)
        out[i] = scalar_is_int(s) ? hostile_int(r, s, f->hi) : hostile_float(r, s, fmin(f->hi, float_ranges[s].most));
}

void data_fill_random(Data *d, uint64_t seed, double lo, double hi)
{
    fill(d, seed, &(Filler){.values = uniform, .draws = 1, .lo = lo, .hi = hi});
}

void data_fill_exact(Data *d, uint64_t seed, int magnitude) { data_fill_thinned(d, seed, magnitude, SIGN_ANY, 1); }

void data_fill_thinned(Data *d, uint64_t seed, int magnitude, FillSign sign, int one_in)
{
    fill(d, seed, &(Filler){uniform, one_in > 1 ? 2 : 1, -magnitude, magnitude, true, sign, one_in});
}

void data_fill_iota(Data *d) { fill(d, 0, &(Filler){.values = ordinals}); }

void data_fill_offsets(Data *d, uint64_t seed, int64_t n)
{
    for (int p = 0; p < d->part_count; p++) {
        int64_t last = d->parts[p].count - 1;
        Rng rng = {data_seed(seed, p)};
        LOCAL(drop) double *at = mem_alloc(sizeof *at * (size_t)(last + 1));
        for (int64_t i = 0; i <= last && !(d->stop && *d->stop); i++)
            at[i] = i == last ? (double)n : !i ? 0 : seed ? (double)rng_below(&rng, n + 1) : floor((double)n / (double)last * (double)i);
        if (seed) stats_sort(at, (int)last + 1);
        for (int64_t i = 0; i <= last; i++) data_set(d, p, i, at[i]);
    }
}

void data_fill_stochastic(Data *d, uint64_t seed)
{
    data_fill_random(d, seed, 0, 1);
    for (int p = 0; p < d->part_count; p++) {
        PartShape shape;
        int64_t row = type_part(d->type, p, &shape) && shape.rank ? shape.dims[shape.rank - 1] : 1;
        bool whole = !scalar_is_float(shape.scalar);
        for (int64_t i = 0; i < d->parts[p].count && !(d->stop && *d->stop); i += row) {
            double sum = 0;
            for (int64_t k = 0; k < row; k++) sum += data_get(d, p, i + k);
            for (int64_t k = 0; k < row; k++) data_set(d, p, i + k, whole ? k == 0 : sum > 0 ? data_get(d, p, i + k) / sum : 1 / (double)row);
        }
    }
}

void data_fill_const(Data *d, double v) { fill(d, 0, &(Filler){.values = constants, .lo = v}); }

void data_fill_adversarial(Data *d, uint64_t seed, double largest)
{
    fill(d, seed, &(Filler){.values = hostile, .hi = fabs(largest)});
}

static void mix_extremes(const void *how, const DataPart *p, int64_t at, int n, Rng r)
{
    (void)how;
    Data one = {NULL, 1, (DataPart *)(uintptr_t)p, NULL};
    Scalar s = p->scalar;
    uint64_t half = (uint64_t)1 << (8 * scalar_bytes(s) - 1);
    const int64_t extremes[] = {0, 1, -1, (int64_t)(half - 1), (int64_t)half};
    for (int64_t i = at; scalar_is_int(s) && i < at + n; i++) {
        int64_t k = rng_below(&r, 2 * COUNT(extremes));
        if (k < COUNT(extremes)) data_set_int(&one, 0, i, extremes[k]);
    }
}

void data_mix_extremes(Data *d, uint64_t seed) { data_each_block(d, seed, 1, mix_extremes, NULL); }

/* ---- hashing ---- */

/* The parts' hashes, hashed: nothing has to be copied together. */
void data_hash(const Data *d, uint8_t out[32])
{
    size_t n = 32 * (size_t)d->part_count;
    LOCAL(drop) uint8_t *all = mem_alloc(n);
    for (int i = 0; i < d->part_count; i++) sha256(d->parts[i].values, part_bytes(&d->parts[i]), all + 32 * i);
    sha256(all, n, out);
}

/* ---- printing ---- */

typedef struct Printer {
    const Data *d;
    Buf *out;
    int left;                            /* scalars that may still be printed */
} Printer;

void data_print_at(const Data *d, int part, int64_t at, Buf *out)
{
    Scalar s = d->parts[part].scalar;
    if (s == SC_BOOL) buf_puts(out, data_get_int(d, part, at) ? "true" : "false");
    else if (scalar_is_int(s)) scalar_print(s, data_get_int(d, part, at), out);
    else {
        char room[32];
        double v = data_get(d, part, at);
        if (v == rint(v) && fabs(v) < 1e15) buf_printf(out, "%.0f", v);
        else buf_puts(out, isnan(v) ? "nan" : scalar_text(s, v, room));
    }
}

static void print_scalar(Printer *p, int part, int64_t at)
{
    p->left--;
    data_print_at(p->d, part, at, p->out);
}

/* Value number `at` of type t, its first component being part. */
static void print_value(Printer *p, const Type *t, int part, int64_t at)
{
    if (t->kind == TY_SCALAR) {
        print_scalar(p, part, at);
        return;
    }
    bool tuple = t->kind == TY_TUPLE, vector = t->kind == TY_VECTOR;
    int64_t n = tuple ? t->count : vector ? t->width : t->size->value;
    buf_puts(p->out, tuple ? "(" : vector ? "<" : "[");
    for (int64_t i = 0; i < n; i++) {
        if (i) buf_puts(p->out, ", ");
        if (!tuple && p->left <= 0) {
            buf_puts(p->out, "...");
            break;
        }
        if (vector) print_scalar(p, part, at * n + i);
        else print_value(p, t->elems[tuple ? i : 0], part, tuple ? at : at * n + i);
        part += tuple ? type_components(t->elems[i]) : 0;
    }
    buf_puts(p->out, tuple ? ")" : vector ? ">" : "]");
}

void data_print_head(const Data *d, int limit, Buf *out)
{
    print_value(&(Printer){d, out, limit}, d->type, 0, 0);
}

/* ---- reading what was printed ---- */

typedef struct TextReader {
    Data *d;
    const char *at;
    Diag *diag;
} TextReader;

static bool bad_text(TextReader *r, const char *needs)
{
    const char *near = r->at + strspn(r->at, " \t\n");
    LOCAL(buf_free) Buf type = {0};
    if (*near) diag_error(r->diag, E37, "the values do not fit: expected %s at \"%.20s\"", needs, near);
    else diag_error(r->diag, E37, "the values do not fit: expected %s at the end", needs);
    type_print(r->d->type, &type);
    diag_note(r->diag, "needs", "%s", buf_text(&type));
    return false;
}

static bool take(TextReader *r, char c)
{
    r->at += strspn(r->at, " \t\n");
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static bool take_word(TextReader *r, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(r->at, word, n) || isalnum((unsigned char)r->at[n])) return false;
    r->at += n;
    return true;
}

static bool read_scalar(TextReader *r, int part, int64_t at)
{
    Scalar s = r->d->parts[part].scalar;
    char *end;
    r->at += strspn(r->at, " \t\n");
    const char *from = r->at;
    if (s == SC_BOOL) {
        bool yes = take_word(r, "true");
        if (!yes && !take_word(r, "false")) return bad_text(r, "true or false");
        return data_set_int(r->d, part, at, yes), true;
    }
    errno = 0;
    bool real = scalar_is_float(s), bits = s == SC_U64 && *from != '-';
    if (real) data_set(r->d, part, at, strtod(from, &end));
    int64_t v = real ? 0 : bits ? (int64_t)strtoull(from, &end, 10) : strtoll(from, &end, 10);
    bool whole = end > from && !isalnum((unsigned char)*end) && *end != '.';
    if (!whole || (errno && !real)) return bad_text(r, real ? "a number" : "a whole number");
    if (!real && !bits && !scalar_holds(s, v))
        return bad_text(r, arena_printf(r->diag->arena, "a whole number, %s,", scalar_range(s, r->diag->arena)));
    if (!real) data_set_int(r->d, part, at, v);
    r->at = end;
    return true;
}

static bool read_value(TextReader *r, const Type *t, int part, int64_t at)
{
    if (t->kind == TY_SCALAR) return read_scalar(r, part, at);
    bool tuple = t->kind == TY_TUPLE, vector = t->kind == TY_VECTOR;
    int64_t n = tuple ? t->count : vector ? t->width : t->size->value;
    const char *ends = tuple ? "(\0)" : vector ? "<\0>" : "[\0]";
    if (!take(r, *ends)) return bad_text(r, ends);
    for (int64_t i = 0; i < n; i++) {
        if (i && !take(r, ',')) return bad_text(r, tuple ? ", and more components" : ", and more elements");
        if (vector ? !read_scalar(r, part, at * n + i) : !read_value(r, t->elems[tuple ? i : 0], part, tuple ? at : at * n + i)) return false;
        part += tuple ? type_components(t->elems[i]) : 0;
    }
    return take(r, ends[2]) || bad_text(r, ends + 2);
}

bool data_read_text(Data *d, const char *text, Diag *diag)
{
    TextReader r = {d, text, diag};
    if (!read_value(&r, d->type, 0, 0)) return false;
    return !r.at[strspn(r.at, " \t\n")] || bad_text(&r, "the end");
}
