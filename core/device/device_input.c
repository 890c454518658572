/* device_input: inputs that the worker holds, by content, so that each is sent once. */
#include "device_private.h"

#include <stdio.h>
#include <string.h>

static Cached *find_input(Device *d, const char *key)
{
    for (int i = 0; i < d->inputs.n; i++)
        if (!strcmp(d->inputs.v[i].key, key)) return &d->inputs.v[i];
    return NULL;
}

static bool free_input(Device *d, Cached *c, Outcome *o)
{
    json_t *head = json_pack("{s:s,s:s}", "op", "free", "key", c->key);
    *c = d->inputs.v[--d->inputs.n];
    return worker_tell(d, DO_MOVE, head, o);
}

void input_forget(Device *d, const char *key)
{
    Cached *c = find_input(d, key);
    if (c) free_input(d, c, NULL);
}

/* A quarter of the device's memory, at most 4 GiB, is for inputs that might come again: those go that were not used the longest, but
 * for what the present request needs. */
static bool make_room(Device *d, size_t bytes, Outcome *o)
{
    int64_t quarter = d->info.global_bytes / 4, most = (int64_t)4 << 30;
    for (;;) {
        Cached *oldest = NULL;
        size_t held = 0;
        for (Cached *c = d->inputs.v; c < d->inputs.v + d->inputs.n; c++) {
            held += c->bytes;
            if (c->used < d->requests && (!oldest || c->used < oldest->used)) oldest = c;
        }
        if (!oldest || held + bytes <= (size_t)(quarter < most ? quarter : most)) return true;
        if (!free_input(d, oldest, o)) return false;
    }
}

Key *input_keys(Device *d, const RunRequest *r)
{
    Key *keys = mem_alloc(sizeof *keys * (size_t)r->buffer_count);
    d->requests++;
    for (int i = 0; i < r->buffer_count; i++) {
        if (r->buffers[i].role != BUF_INPUT) continue;
        const RunBuffer *b = &r->buffers[i];
        ContentKey k = content_key_known(b->key) ? b->key : content_key(b->input, b->bytes);
        snprintf(keys[i], sizeof(Key), "%016llx%016llx", (unsigned long long)k.a, (unsigned long long)k.b);
        Cached *c = find_input(d, keys[i]);
        if (c) c->used = d->requests;
    }
    return keys;
}

bool inputs_need(Device *d, const RunRequest *r, const Key *keys, Outcome *o)
{
    for (int i = 0; i < r->buffer_count; i++) {
        const RunBuffer *b = &r->buffers[i];
        if (b->role != BUF_INPUT || find_input(d, keys[i])) continue;
        if (!make_room(d, b->bytes, o)) return false;
        for (size_t at = 0; at < b->bytes; at += WINDOW_BYTES) {
            size_t left = b->bytes - at, bytes = left < WINDOW_BYTES ? left : WINDOW_BYTES;
            json_t *head = json_pack("{s:s,s:s,s:I,s:I,s:I}", "op", "upload", "key", keys[i], "offset", (json_int_t)at, "bytes",
                                     (json_int_t)bytes, "total", (json_int_t)b->bytes);
            memcpy(process_window(d->process), (const char *)b->input + at, bytes);
            d->uploaded += (int64_t)bytes;
            if (!worker_tell(d, DO_MOVE, head, o)) return false;
        }
        Cached c = {.bytes = b->bytes, .used = d->requests};
        memcpy(c.key, keys[i], sizeof c.key);
        vec_push(&d->inputs, c);
    }
    return true;
}
