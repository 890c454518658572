/* Program text: whatever bytes it has, reading it survives, and what a program prints reads back as the same term. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang.h"

static void check_program(Ctx *c, const Program *p, Defs *d)
{
    PrintOptions plain = {.unicode = p->body->size % 2};
    LangScope scope = {.defs = d, .program = p};
    Buf b = {0};
    lang_print(c, p->body, &plain, &b);
    Source s = {"printed", buf_text(&b), b.len};
    const Term *again = lang_expr(c, &scope, &s, p->body->type);
    if (again != p->body && !(c->diag.id == E08)) {
        Buf why = {0};
        diag_render(&c->diag, &why);
        fprintf(stderr, "does not read back: %s\n%s\n", buf_text(&b), buf_text(&why));
        abort();
    }
    buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    Ctx *c = ctx_new();
    Defs *d = defs_new(c);
    const Program *first = NULL;
    char *text = strndup((const char *)data, n);
    Source s = {"fuzz", text, strlen(text)};
    if (defs_load(c, d, &s, &first) && first) check_program(c, first, d);
    defs_free(d);
    ctx_free(c);
    free(text);
    return 0;
}
