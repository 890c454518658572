/* base: arenas, text buffers, interned strings, hash tables and hashing behind base.h. */
#include "base.h"

#include <ctype.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static void out_of_memory(void)
{
    fputs("lathe: out of memory\n", stderr);
    abort();
}

char *mem_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(mem_alloc(n), s, n);
}

void drop(void *p) { free(*(void **)p); }
void drop_arena(void *arena) { arena_free(*(Arena **)arena); }

bool mem_holds(double bytes)
{
    enum { ALWAYS = 1 << 20 };           /* asking the system takes longer than most of what is asked for */
    return bytes <= ALWAYS || bytes <= (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

void *mem_alloc(size_t bytes)
{
    void *p = calloc(1, bytes ? bytes : 1);
    if (!p) out_of_memory();
    return p;
}

enum { LARGE_PAGE = 2 << 20 };

static void *of_large_pages(void *p, size_t bytes)
{
    uintptr_t from = ((uintptr_t)p + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE, to = ((uintptr_t)p + bytes) / LARGE_PAGE * LARGE_PAGE;
    if (bytes >= 2 * LARGE_PAGE && to > from) madvise((void *)from, to - from, MADV_HUGEPAGE);         /* refused: small pages */
    return p;
}

void *mem_alloc_large(size_t bytes) { return of_large_pages(mem_alloc(bytes), bytes); }

void *mem_grow(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p) out_of_memory();
    return p;
}

/* ---- arena ---- */

typedef struct ArenaBlock {
    struct ArenaBlock *next;
    size_t size;
    _Alignas(16) unsigned char data[];
} ArenaBlock;

enum { BLOCK_MIN = 1 << 14, BLOCK_MAX = LARGE_PAGE - sizeof(ArenaBlock) };      /* from there on a block is a large page */

/* What was released is out of bounds for the address sanitizer until it is allocated again. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
static void forbid(void *p, size_t n) { ASAN_POISON_MEMORY_REGION(p, n); }
static void allow(void *p, size_t n) { ASAN_UNPOISON_MEMORY_REGION(p, n); }
#else
static void forbid(void *p, size_t n) { (void)p, (void)n; }
static void allow(void *p, size_t n) { (void)p, (void)n; }
#endif

static void fill(Arena *a, ArenaBlock *b)
{
    a->head = b;
    a->free = b ? b->data : NULL;
    a->end = b ? b->data + b->size : NULL;
}

Arena *arena_new(void) { return mem_alloc(sizeof(Arena)); }

static void free_blocks(ArenaBlock *b)
{
    while (b) {
        ArenaBlock *next = b->next;
        allow(b->data, b->size);
        free(b);
        b = next;
    }
}

void arena_free(Arena *a)
{
    if (!a) return;
    free_blocks(a->head);
    free_blocks(a->spare);
    free(a);
}

void *arena_more(Arena *a, size_t bytes)
{
    if ((size_t)(a->end - a->free) < bytes) {
        /* A released block of at least that size, taken off the list; NULL: none. */
        ArenaBlock **at = &a->spare;
        while (*at && (*at)->size < bytes) at = &(*at)->next;
        ArenaBlock *b = *at;
        if (b) *at = b->next;
        else {
            size_t size = a->total < BLOCK_MIN ? BLOCK_MIN : a->total > BLOCK_MAX ? BLOCK_MAX : a->total;
            if (size < bytes) size = bytes;
            b = size < BLOCK_MAX ? malloc(sizeof *b + size) : aligned_alloc(LARGE_PAGE, (sizeof *b + size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
            if (!b) out_of_memory();
            if (size >= BLOCK_MAX) madvise(b, sizeof *b + size, MADV_HUGEPAGE);
            b->size = size;
            a->total += sizeof *b + size;
        }
        b->next = a->head;
        fill(a, b);
    }
    void *p = a->free;
    a->free += bytes;
    allow(p, bytes);
    return p;
}

ArenaMark arena_mark(const Arena *a) { return (ArenaMark){a->head, a->free}; }

void arena_release(Arena *a, ArenaMark m)
{
    while (a->head && a->head != m.block) {
        ArenaBlock *b = a->head, *next = b->next;
        forbid(b->data, b->size);
        b->next = a->spare;
        a->spare = b;
        fill(a, next);
    }
    if (!a->head) return;
    a->free = m.free;
    forbid(a->free, (size_t)(a->end - a->free));
}

void arena_reset(Arena *a) { arena_release(a, (ArenaMark){NULL, NULL}); }

char *arena_strndup(Arena *a, const char *s, size_t n)
{
    char *p = arena_raw(a, n + 1);
    memcpy(p, s, n);
    p[n] = '\0';
    return p;
}

char *arena_trimmed(Arena *a, const char *from, const char *to)
{
    while (from < to && is_blank(*from)) from++;
    while (to > from && is_blank(to[-1])) to--;
    return arena_strndup(a, from, (size_t)(to - from));
}

void *arena_take(Arena *a, void *bytes, size_t n)
{
    void *copy = arena_alloc(a, n ? n : 1);
    if (n) memcpy(copy, bytes, n);
    free(bytes);
    return copy;
}

char *arena_strdup(Arena *a, const char *s) { return arena_strndup(a, s, strlen(s)); }

char *arena_vprintf(Arena *a, const char *fmt, va_list ap)
{
    char room[256];
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(room, sizeof room, fmt, again);
    va_end(again);
    if (n < (int)sizeof room) return arena_strndup(a, room, (size_t)n);
    char *p = arena_raw(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, ap);
    return p;
}

char *arena_date(Arena *a, const char *form, int64_t seconds, bool here)
{
    time_t t = seconds;
    struct tm tm;
    char text[64];
    bool is_day = (here ? localtime_r(&t, &tm) : gmtime_r(&t, &tm)) && strftime(text, sizeof text, form, &tm);
    return arena_strdup(a, is_day ? text : "");
}

char *arena_printf(Arena *a, const char *fmt, ...) { return FORMATTED(a, fmt); }

/* ---- text buffer ---- */

void buf_reserve(Buf *b, size_t more)
{
    if (b->len + more + 1 <= b->cap) return;
    size_t cap = b->cap ? b->cap * 2 : 64;
    while (cap < b->len + more + 1) cap *= 2;
    b->data = mem_grow(b->data, cap);
    b->cap = cap;
}

void buf_int(Buf *b, int64_t v)
{
    char text[20], *p = text + sizeof text;
    uint64_t left = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do *--p = (char)('0' + left % 10);
    while (left /= 10);
    if (v < 0) *--p = '-';
    buf_write(b, p, (size_t)(text + sizeof text - p));
}

void buf_vprintf(Buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    buf_reserve(b, 63);
    int n = vsnprintf(b->data + b->len, b->cap - b->len, fmt, ap);
    if (b->len + (size_t)n >= b->cap) {
        buf_reserve(b, (size_t)n);
        vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    b->len += (size_t)n;
}

void buf_escaped(Buf *b, const char *s)
{
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') buf_putc(b, '\\');
        buf_putc(b, *s);
    }
}

void buf_comment(Buf *b, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i && s[i] == '/' && s[i - 1] == '*') buf_putc(b, ' ');
        buf_putc(b, s[i]);
    }
}

void buf_quoted(Buf *b, const char *s)
{
    buf_putc(b, '"');
    buf_escaped(b, s);
    buf_putc(b, '"');
}

void buf_printf(Buf *b, const char *fmt, ...)
{
    WITH_ARGS(fmt, ap, buf_vprintf(b, fmt, ap));
}

void buf_clear(Buf *b)
{
    b->len = 0;
    if (b->data) b->data[0] = '\0';
}

void buf_free(Buf *b)
{
    free(b->data);
    *b = (Buf){0};
}

const char *buf_text(const Buf *b) { return b->data ? b->data : ""; }

char *buf_take(Buf *b, Arena *a)
{
    char *text = arena_strdup(a, buf_text(b));
    buf_free(b);
    return text;
}

void *vec_more(void *v, int *cap, size_t item)
{
    *cap = *cap ? *cap * 2 : 8;
    return mem_grow(v, (size_t)*cap * item);
}

/* ---- interned strings ---- */

typedef struct Text { const char *s; size_t n; } Text;

struct Interns {
    Arena *arena;
    PtrTable texts;
};

Interns *interns_new(void)
{
    Interns *t = mem_alloc(sizeof *t);
    t->arena = arena_new();
    return t;
}

void interns_free(Interns *t)
{
    if (!t) return;
    arena_free(t->arena);
    ptr_table_free(&t->texts);
    free(t);
}

static bool same_text(const void *key, const void *item)
{
    const Text *k = key;
    return !strncmp(item, k->s, k->n) && !((const char *)item)[k->n];
}

const char *intern_n(Interns *t, const char *s, size_t n)
{
    uint64_t hash = hash_bytes(0, s, n);
    char *text = ptr_table_find(&t->texts, hash, same_text, &(Text){s, n});
    if (text) return text;
    text = arena_strndup(t->arena, s, n);
    ptr_table_add(&t->texts, hash, text);
    return text;
}

const char *intern(Interns *t, const char *s) { return intern_n(t, s, strlen(s)); }

/* ---- pointer table ---- */

static void ptr_table_put(PtrTable *t, uint64_t hash, size_t at)
{
    size_t i = hash & (t->slot_count - 1);
    while (t->slots[i].item) i = (i + 1) & (t->slot_count - 1);
    t->slots[i] = (struct PtrSlot){(uint32_t)(hash >> 32), (uint32_t)at + 1};
}

static void *more_items(const PtrTable *t, void *old, size_t item)
{
    if (!t->arena) return mem_grow(old, t->cap * item);
    void *items = arena_raw(t->arena, t->cap * item);
    if (t->used) memcpy(items, old, t->used * item);
    return items;
}

/* By age, so that the slots are what they would be had they been as many from the start: see ptr_table_cut. */
static void ptr_table_grow(PtrTable *t, size_t slot_count)
{
    t->slot_count = slot_count;
    t->cap = t->slot_count / 2;
    if (!t->arena) free(t->slots);
    t->slots = t->arena ? arena_alloc(t->arena, slot_count * sizeof *t->slots) : mem_alloc_large(slot_count * sizeof *t->slots);
    t->items = more_items(t, t->items, sizeof *t->items);
    t->hashes = more_items(t, t->hashes, sizeof *t->hashes);
    for (size_t i = 0; i < t->used; i++) ptr_table_put(t, t->hashes[i], i);
}

void ptr_table_reserve(PtrTable *t, size_t items)
{
    size_t n = t->slot_count ? t->slot_count : 16;
    while (n / 2 < items) n *= 2;
    if (n > t->slot_count) ptr_table_grow(t, n);
}

void ptr_table_add(PtrTable *t, uint64_t hash, void *item)
{
    if (t->used == t->cap) ptr_table_grow(t, t->slot_count ? t->slot_count * 2 : 16);
    ptr_table_put(t, hash, t->used);
    t->items[t->used] = item;
    t->hashes[t->used++] = hash;
}

/* The youngest first: no item was placed past its slot, so emptying it breaks no search. */
void ptr_table_cut(PtrTable *t, size_t used)
{
    while (t->used > used) {
        uint32_t item = (uint32_t)t->used--;
        size_t i = t->hashes[item - 1] & (t->slot_count - 1);
        while (t->slots[i].item != item) i = (i + 1) & (t->slot_count - 1);
        t->slots[i] = (struct PtrSlot){0, 0};
    }
}

void ptr_table_free(PtrTable *t)
{
    if (t->arena) return;
    free(t->items);
    free(t->hashes);
    free(t->slots);
}

/* ---- hashing ---- */

uint64_t hash_bytes(uint64_t h, const void *p, size_t n)
{
    const unsigned char *s = p;
    h ^= 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) h = (h ^ s[i]) * 0x100000001b3u;
    return h ^ (h >> 29);
}

void sha256(const void *data, size_t n, uint8_t out[32])
{
    struct sha256_ctx state;
    sha256_init(&state);
    sha256_update(&state, n, data);
    sha256_digest(&state, SHA256_DIGEST_SIZE, out);
}

/* ---- small things ---- */

static double clock_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double clock_cpu_ms(void) { return clock_of(CLOCK_PROCESS_CPUTIME_ID); }
double clock_thread_ms(void) { return clock_of(CLOCK_THREAD_CPUTIME_ID); }
double clock_exact_ms(void) { return clock_of(CLOCK_MONOTONIC); }
int64_t clock_ms(void) { return (int64_t)clock_exact_ms(); }

static bool same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* Optimal string alignment, whatever the case. */
static int edit_distance(const char *a, const char *b)
{
    enum { MAX = 62 };
    int d[MAX + 1][MAX + 1], n = (int)strlen(a), m = (int)strlen(b);         /* of their first i and j characters */
    if (m > MAX || n > MAX) return 99;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            int *at = &d[i][j];
            *at = i ? i : j;
            if (!i || !j) continue;
            *at = d[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]);
            if (d[i - 1][j] + 1 < *at) *at = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < *at) *at = d[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]);
            if (swapped && d[i - 2][j - 2] + 1 < *at) *at = d[i - 2][j - 2] + 1;
        }
    return d[n][m];
}

void near_try(NearName *n, const char *name)
{
    size_t length = strlen(n->typed);
    int limit = length < 2 ? 0 : length < 7 ? 1 : 2, d = edit_distance(n->typed, name);
    if (length >= 3 && d > 1 && !strncasecmp(n->typed, name, length)) d = 1;
    if (d <= limit && (!n->name || d < n->distance)) n->name = name, n->distance = d;
}

const char *near_text(Arena *arena, const char *name) { return name ? arena_printf(arena, "; did you mean %s?", name) : ""; }

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }

int64_t floor_mod(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

int64_t gcd64(int64_t a, int64_t b)
{
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

int compare_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

int compare_numbered(const void *a, const void *b) { return strverscmp(*(const char *const *)a, *(const char *const *)b); }

void *find_item(const void *items, int n, size_t size, size_t member, const char *text)
{
    for (const char *item = items; text && n-- > 0; item += size)
        if (!strcmp(*(const char *const *)(const void *)(item + member), text)) return (void *)item;
    return NULL;
}

int text_index(const char *const *list, int n, const char *text)
{
    const char *const *found = find_item(list, n, sizeof *list, 0, text);
    return found ? (int)(found - list) : -1;
}

int compare_int64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}
