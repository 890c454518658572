/* build: errors, warnings and sizes while kernels are made. */
#include "plan_private.h"

#include <stdarg.h>
#include <string.h>

bool build_fail(Build *b, ErrorId id, const Term *at, const char *fmt, ...)
{
    if (b->failed) return false;
    b->failed = true;
    va_list ap;
    va_start(ap, fmt);
    char *text = arena_vprintf(b->c->diag.arena, fmt, ap);
    va_end(ap);
    if (diag_error(&b->c->diag, id, "%s", text)) diag_note(&b->c->diag, "at", "%s", build_path(b, at ? at : b->root));
    return false;
}

bool build_goes_on(Build *b, const Term *at)
{
    enum { NODES_MOST = 1 << 21, BUFFERS_MOST = 1024 };
    if (b->failed) return false;
    if (ctx_stopped(b->c)) return build_fail(b, E25, at, "interrupted while the kernels were made");
    if (++b->translated <= NODES_MOST && b->plan_buffers.n <= BUFFERS_MOST) return true;
    return build_fail(b, E54, at, "the kernels would take more than %d buffers, or more than %d nodes to translate", BUFFERS_MOST,
                      NODES_MOST);
}

const Nat *build_printable(Build *b, const Nat *n)
{
    const Nat *plain = build_plain(b, n);
    for (int i = 0; i < plain->term_count; i++)
        if (plain->terms[i].den != 1 && plain->terms[i].factor_count > 1) return n;
    return plain;
}

const Nat *build_plain(Build *b, const Nat *n)
{
    const Nat *r = b->lift->count ? nat_subst(b->n, n, b->lift->back, b->lift->count, NULL) : n;
    if (!r && n) build_fail(b, E54, NULL, "an index is too large");
    return r ? r : nat_const(b->n, 0);
}

void build_warn(Build *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(b->arena, fmt, ap);
    va_end(ap);
    for (int i = 0; i < b->warnings.n; i++)
        if (strcmp(b->warnings.v[i], text) == 0) return;
    vec_push(&b->warnings, text);
}
