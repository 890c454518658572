/* contents: what tells long contents apart. */
#include "contents.h"
#include "team.h"

#include <stdlib.h>

enum { PIECE = 4 << 20 };

/* Words go in turns into sums that do not wait for one another. */
static ContentKey piece_key(const char *p, size_t bytes)
{
    enum { SUMS = 8 };
    uint64_t sums[SUMS], words[SUMS];
    ContentKey k = {bytes, ~(uint64_t)bytes};
    for (int i = 0; i < SUMS; i++) sums[i] = hash_mix(bytes, (uint64_t)i);
    for (size_t left = bytes; left; p += sizeof words) {
        size_t n = left < sizeof words ? left : sizeof words;
        memset(words, 0, n < sizeof words ? sizeof words : 0);
        memcpy(words, p, n);
        for (int i = 0; i < SUMS; i++) {
            uint64_t h = (sums[i] ^ words[i]) * 0x9e3779b97f4a7c15u;
            sums[i] = h ^ h >> 32;
        }
        left -= n;
    }
    for (int i = 0; i < SUMS; i++) k = (ContentKey){hash_mix(k.a, sums[i]), hash_mix(sums[i], k.b)};
    return k;
}

typedef struct Pieces { const char *data; size_t bytes; ContentKey *keys; } Pieces;

static void find_key(void *data, int64_t i, int member)
{
    (void)member;
    Pieces *p = data;
    size_t at = (size_t)i * PIECE, left = p->bytes - at;
    p->keys[i] = piece_key(p->data + at, left < PIECE ? left : PIECE);
}

ContentKey content_key(const void *data, size_t bytes)
{
    int64_t n = (int64_t)((bytes + PIECE - 1) / PIECE);
    ContentKey *keys = mem_alloc((size_t)n * sizeof *keys);
    team_run(0, n, find_key, &(Pieces){data, bytes, keys});
    ContentKey all = piece_key((const char *)keys, (size_t)n * sizeof *keys);
    free(keys);
    return content_key_known(all) ? all : (ContentKey){1, 1};
}
