/* base: memory arenas, text buffers, growable vectors, interned strings, hashing. Nothing here knows about lathe. */
#ifndef BASE_H
#define BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
/* LOCAL(buf_free) Buf b = {0}; buf_free(&b) is called where the scope of b is left, however that is. */
#define LOCAL(release) __attribute__((cleanup(release)))
/* For LOCAL: free() of what a pointer points to, or of the items of a VEC; and of an Arena *. */
void drop(void *p);
void drop_arena(void *arena);

/* Heap memory; out of memory aborts with one line on stderr: ask first where a user's sizes say how much. Release with free(). */
bool mem_holds(double bytes);                  /* no more than this machine has */
void *mem_alloc(size_t bytes);                 /* zeroed */
void *mem_alloc_large(size_t bytes);           /* the same, of large pages where it is long: for what is written whole */
void *mem_grow(void *old, size_t bytes);
char *mem_strdup(const char *s);

/* An arena: objects live until arena_free (or arena_reset), none is released alone. */
typedef struct Arena {
    unsigned char *free, *end;                 /* what is left of the block being filled */
    struct ArenaBlock *head, *spare;           /* that block and the full ones; released ones */
    size_t total;                              /* bytes taken from the system */
} Arena;
Arena *arena_new(void);
void arena_free(Arena *a);                     /* NULL is fine */
void arena_reset(Arena *a);                    /* forget all objects, keep the memory */
void *arena_more(Arena *a, size_t bytes);      /* arena_raw where the block may not have the room; bytes a multiple of 16 */
static inline void *arena_raw(Arena *a, size_t bytes)          /* 16-byte aligned, with anything in it */
{
    bytes = (bytes + 15) & ~(size_t)15;
#ifndef __SANITIZE_ADDRESS__
    if ((size_t)(a->end - a->free) >= bytes) {
        void *p = a->free;
        a->free += bytes;
        return p;
    }
#endif
    return arena_more(a, bytes);
}
static inline void *arena_alloc(Arena *a, size_t bytes) { return memset(arena_raw(a, bytes), 0, bytes); }     /* zeroed */
/* Everything allocated since the mark is gone at the release; the memory is kept for what comes. Marks nest. */
typedef struct ArenaMark { struct ArenaBlock *block; unsigned char *free; } ArenaMark;
ArenaMark arena_mark(const Arena *a);
void arena_release(Arena *a, ArenaMark m);
static inline void *arena_copy(Arena *a, const void *p, size_t bytes) { return memcpy(arena_raw(a, bytes), p, bytes); }
char *arena_strndup(Arena *a, const char *s, size_t n);
static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
char *arena_trimmed(Arena *a, const char *from, const char *to);            /* what is between, without blanks and ends of lines around it */
char *arena_strdup(Arena *a, const char *s);
char *arena_printf(Arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);
/* Seconds since 1970 in a form of strftime, here or in UTC; "": no calendar has that day. */
char *arena_date(Arena *a, const char *form, int64_t seconds, bool here);

#define NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
/* A new one with that content: MAKE(arena, Point, .x = 1, .y = 2). */
#define MAKE(arena, T, ...) \
    __extension__({ \
        T *made_of_##T = arena_raw((arena), sizeof(T)); \
        *made_of_##T = (T){__VA_ARGS__}; \
        made_of_##T; \
    })
#define NEW_ARRAY(arena, T, n) ((T *)arena_alloc((arena), sizeof(T) * (size_t)((n) > 0 ? (n) : 1)))
/* One of n items, item i being that. */
#define MAKE_LIST(arena, T, i, n, ...) \
    __extension__({ \
        T *list_##i = NEW_ARRAY((arena), T, (n)); \
        for (int i = 0; i < (n); i++) list_##i[i] = (__VA_ARGS__); \
        list_##i; \
    })

/* In a function whose arguments end in fmt, ...: the text that they make; and what is done with them as a va_list. */
#define FORMATTED(arena, fmt) \
    __extension__({ \
        va_list args_of_##fmt; \
        va_start(args_of_##fmt, fmt); \
        char *text_of_##fmt = arena_vprintf((arena), fmt, args_of_##fmt); \
        va_end(args_of_##fmt); \
        text_of_##fmt; \
    })
#define WITH_ARGS(last, ap, does) \
    do { \
        va_list ap; \
        va_start(ap, last); \
        does; \
        va_end(ap); \
    } while (0)

/* Does it hold for some i of 0 .. n - 1, for all of them? Asked one after the other, until that is known. */
#define ANY(i, n, holds) \
    __extension__({ \
        bool any_##i = false; \
        for (int i = 0; i < (n) && !any_##i; i++) any_##i = (holds); \
        any_##i; \
    })
#define ALL(i, n, holds) (!ANY(i, n, !(holds)))
/* The first i for which it holds, -1: none; and a pointer to that item, NULL. */
#define FIRST_NUMBER(i, n, holds) \
    __extension__({ \
        int first_##i = -1; \
        for (int i = 0; i < (n) && first_##i < 0; i++) \
            if (holds) first_##i = i; \
        first_##i; \
    })
#define FIRST(i, items, n, holds) \
    __extension__({ \
        int number_##i = FIRST_NUMBER(i, n, holds); \
        number_##i < 0 ? NULL : &(items)[number_##i]; \
    })
/* A new array in JSON of n items (jansson.h). */
#define JSON_LIST(i, n, item) \
    __extension__({ \
        json_t *list_##i = json_array(); \
        for (int i = 0; i < (n); i++) json_array_append_new(list_##i, (item)); \
        list_##i; \
    })

/* A growing text buffer, always NUL-terminated once written. Start from {0}; buf_free releases it. */
typedef struct Buf {
    char *data;
    size_t len, cap;
} Buf;
void buf_reserve(Buf *b, size_t more);          /* room for so many more, and the NUL */
static inline void buf_write(Buf *b, const char *s, size_t n)
{
    if (b->len + n + 1 > b->cap) buf_reserve(b, n);
    if (n) memcpy(b->data + b->len, s, n);
    b->len += n;
    b->data[b->len] = '\0';
}
static inline void buf_putc(Buf *b, char c) { buf_write(b, &c, 1); }
static inline void buf_puts(Buf *b, const char *s) { buf_write(b, s, strlen(s)); }
void buf_int(Buf *b, int64_t v);                /* in decimal */
void buf_escaped(Buf *b, const char *s);       /* with a backslash before each " and \ */
void buf_comment(Buf *b, const char *s, size_t n);     /* so many bytes as a comment of C may have them, which they do not end */
void buf_quoted(Buf *b, const char *s);        /* the same between quotes */
void buf_printf(Buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(Buf *b, const char *fmt, va_list ap);
void buf_clear(Buf *b);                        /* length 0, memory kept */
void buf_free(Buf *b);
const char *buf_text(const Buf *b);            /* never NULL */
char *buf_take(Buf *b, Arena *a);        /* its text, in the arena; the buffer is free */
/* What is put into a buffer called b, as a text in the arena. */
#define TEXT_OF(arena, b, puts) \
    __extension__({ \
        Buf b = {0}; \
        puts; \
        buf_take(&b, (arena)); \
    })

/* A growing array on the heap: struct { T *v; int n, cap; }. Release with free(x.v), or with vec_take, which gives its items in an
 * arena; n stays. */
#define VEC(T) struct { T *v; int n, cap; }
void *vec_more(void *v, int *cap, size_t item);
#define vec_push(x, item) \
    do { \
        if ((x)->n == (x)->cap) (x)->v = vec_more((x)->v, &(x)->cap, sizeof *(x)->v); \
        (x)->v[(x)->n++] = (item); \
    } while (0)

void *arena_take(Arena *a, void *bytes, size_t n);      /* a copy; the argument is freed */
#define vec_take(x, arena) arena_take(arena, (x)->v, sizeof *(x)->v * (size_t)(x)->n)

/* Interned strings: equal text is the same pointer; they live as long as the table. */
typedef struct Interns Interns;
Interns *interns_new(void);
void interns_free(Interns *t);
const char *intern(Interns *t, const char *s);
const char *intern_n(Interns *t, const char *s, size_t n);

/* A hash table of pointers; equal(data, item) decides among items of the same hash. Start from {0}, or {.arena = a} for memory
 * that goes with an arena and needs no ptr_table_free. Items stand in the order they were added in, so the last ones can be
 * taken back. */
typedef struct PtrTable {
    void **items;                              /* used of them, by age */
    uint64_t *hashes;
    struct PtrSlot { uint32_t tag, item; } *slots;      /* open addressing: high half of the hash, 1 + index; item 0: empty */
    size_t slot_count;                         /* a power of two */
    size_t used, cap;                          /* of items */
    Arena *arena;
} PtrTable;
typedef bool PtrEqual(const void *key, const void *item);
static inline void *ptr_table_find(const PtrTable *t, uint64_t hash, PtrEqual *equal, const void *key)   /* NULL: absent */
{
    if (!t->slot_count) return NULL;
    uint32_t tag = (uint32_t)(hash >> 32);
    for (size_t i = hash & (t->slot_count - 1); t->slots[i].item; i = (i + 1) & (t->slot_count - 1)) {
        size_t at = t->slots[i].item - 1;
        if (t->slots[i].tag == tag && equal(key, t->items[at])) return t->items[at];
    }
    return NULL;
}
void ptr_table_add(PtrTable *t, uint64_t hash, void *item);                                  /* an equal one is found before it */
void ptr_table_reserve(PtrTable *t, size_t items);                                           /* room for so many */
void ptr_table_cut(PtrTable *t, size_t used);                                                /* forget all younger items */
void ptr_table_free(PtrTable *t);                                                            /* not the items */

/* Hashing; stable between runs. */
static inline uint64_t hash_mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 27);
}
/* Of two numbers, which it tells from all others even where both are small, as hash_mix of them does not: 1, 0 and 0, 63 are one. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b) { return hash_mix(hash_mix(0, a), b); }
uint64_t hash_bytes(uint64_t h, const void *p, size_t n);

/* SHA-256 of n bytes, 32 bytes into out (version hashes). */
void sha256(const void *data, size_t n, uint8_t out[32]);

/* For qsort, ascending: of int64_t; of texts, which are pointed to, by bytes, and by the numbers in them. */
int compare_int64(const void *a, const void *b);
int compare_text(const void *a, const void *b);
int compare_numbered(const void *a, const void *b);

/* The first of n items whose text `member` is `text`, which may be NULL; NULL: none is. */
#define FIND(items, n, member, text) \
    ((__typeof__(&*(items)))find_item((items), (n), sizeof *(items), offsetof(__typeof__(*(items)), member) \
        + 0 * sizeof(char[sizeof((items)->member) == sizeof(char *) ? 1 : -1]), (text)))       /* no array of characters */
void *find_item(const void *items, int n, size_t size, size_t member, const char *text);
int text_index(const char *const *list, int n, const char *text);       /* of the first text that is so; -1: none is */

/* A small deterministic random generator (splitmix64); any seed is good. */
typedef struct Rng { uint64_t state; } Rng;
#define RNG_STEP 0x9e3779b97f4a7c15u
static inline uint64_t rng_next(Rng *r)
{
    uint64_t z = r->state += RNG_STEP;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* As after so many calls of rng_next. */
static inline void rng_skip(Rng *r, int64_t n) { r->state += (uint64_t)n * RNG_STEP; }
/* 0 <= result < n, n >= 1 */
static inline int64_t rng_below(Rng *r, int64_t n) { return (int64_t)(rng_next(r) % (uint64_t)n); }
/* [0, 1) */
static inline double rng_unit(Rng *r) { return (double)(rng_next(r) >> 11) * 0x1p-53; }

/* Milliseconds of a clock that only goes forward. */
int64_t clock_ms(void);
double clock_exact_ms(void);
double clock_cpu_ms(void);                     /* of this process, all its threads */
double clock_thread_ms(void);                  /* of this thread: what it worked, not what it waited */

/* "did you mean": of the names that are tried the one most like what was typed, whatever the case; NULL: none is like it. It
 * is like a name that at least three letters of it begin, or that one edit makes of it, or two from seven letters on. */
typedef struct NearName { const char *typed, *name; int distance; } NearName;
void near_try(NearName *n, const char *name);
const char *near_text(Arena *arena, const char *name);         /* "; did you mean NAME?" "" for NULL: behind what is not there */

/* Checked 64-bit arithmetic: false on overflow, *out untouched. */
static inline bool add_ok(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    return !__builtin_add_overflow(a, b, &r) && (*out = r, true);
}
static inline bool mul_ok(int64_t a, int64_t b, int64_t *out)
{
    int64_t r;
    return !__builtin_mul_overflow(a, b, &r) && (*out = r, true);
}
/* A number towards 0, the nearest one that fits; 0 for NaN. */
static inline int64_t int64_from(double v)
{
    return v >= 0x1p63 ? INT64_MAX : v <= -0x1p63 ? INT64_MIN : v == v ? (int64_t)v : 0;
}
static inline int int_from(double v) { return (int)int64_from(v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v); }
int64_t floor_div(int64_t a, int64_t b);       /* b != 0 */
int64_t floor_mod(int64_t a, int64_t b);       /* b != 0 */
int64_t gcd64(int64_t a, int64_t b);           /* >= 0 */

#endif
