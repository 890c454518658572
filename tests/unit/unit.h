/* unit: what every test here begins with: cmocka and the headers it wants, texts as sources, files, errors that fail the test. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "file.h"
#include "lang.h"

/* So many terms are there. */
static inline size_t terms_made(Ctx *c) { return ctx_mark(c).terms; }

static inline Source source_of(const char *text) { return (Source){"test", text, strlen(text)}; }

/* Fails the test with the error, after what it was about. */
_Noreturn static inline void fail_with(const Diag *d, const char *what)
{
    Buf b = {0};
    diag_render(d, &b);
    print_error("%s\n%s\n", what, buf_text(&b));
    buf_free(&b);
    fail();
    abort();
}

/* The file's text, in the context's arena; fails the test where it cannot be read. */
static inline const char *file_text(Ctx *c, const char *path)
{
    const char *text = text_read(&c->diag, c->arena, path, NULL, NULL);
    if (!text) fail_with(&c->diag, path);
    return text;
}

/* A program's text is itself; a name stands for that of a program in tests/golden. */
static inline const char *golden_text(Ctx *c, const char *text)
{
    return strchr(text, '=') ? text : file_text(c, arena_printf(c->arena, "tests/golden/%s.fun", text));
}

/* The first program of a text, which fails the test where it is refused: of one as in a file, or of one after let. */
static inline const Program *program_loaded(Ctx *c, Defs *defs, const char *text)
{
    Source s = source_of(text);
    const Program *first = NULL;
    if (!defs_load(c, defs, &s, &first) || !first) fail_with(&c->diag, text);
    return first;
}

static inline const Program *program_defined(Ctx *c, Defs *defs, const char *text)
{
    Source s = source_of(text);
    const Program *p = NULL;
    diag_clear(&c->diag);
    if (!defs_define(c, defs, &s, &p) || !p) fail_with(&c->diag, text);
    return p;
}

#endif
