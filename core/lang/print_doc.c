/* print_doc: documents that break where they are too wide (a pretty printer), and names in scope. */
#include "print_private.h"
#include "text.h"

#include <string.h>

static const Doc *doc_new(Printer *p, DocKind kind, const char *text, const Doc *a, const Doc *b, int width)
{
    return MAKE(p->arena, Doc, kind, text, width, a, b);
}

const Doc *doc_text(Printer *p, const char *s) { return doc_new(p, DOC_TEXT, s, NULL, NULL, text_width(s)); }
const Doc *doc_note(Printer *p, const char *s) { return doc_new(p, DOC_TEXT, s, NULL, NULL, 0); }
const Doc *doc_cat(Printer *p, const Doc *a, const Doc *b)
{
    return doc_new(p, DOC_CAT, NULL, a, b, a->width + b->width);
}
const Doc *doc_line(Printer *p) { return doc_new(p, DOC_LINE, NULL, NULL, NULL, 1); }
const Doc *doc_nest(Printer *p, const Doc *a) { return doc_new(p, DOC_NEST, NULL, a, NULL, a->width); }
const Doc *doc_group(Printer *p, const Doc *a) { return doc_new(p, DOC_GROUP, NULL, a, NULL, a->width); }
const Doc *doc_cat3(Printer *p, const Doc *a, const Doc *b, const Doc *c) { return doc_cat(p, doc_cat(p, a, b), c); }
const Doc *doc_format(Printer *p, const char *fmt, const char *s)
{
    return doc_text(p, arena_printf(p->arena, fmt, s));
}
const Doc *doc_brackets(Printer *p, const Doc *d) { return doc_cat3(p, doc_text(p, "("), d, doc_text(p, ")")); }
const Doc *doc_bracket_if(Printer *p, bool yes, const Doc *d) { return yes ? doc_brackets(p, d) : d; }

void doc_layout(Layout *l, const Doc *d, int indent, bool flat)
{
    switch (d->kind) {
    case DOC_TEXT:
        buf_puts(l->out, d->text);
        l->column += d->width;
        break;
    case DOC_LINE:
        if (!flat) {
            buf_putc(l->out, '\n');
            for (int i = 0; i < indent; i++) buf_putc(l->out, ' ');
            l->column = indent;
        } else buf_putc(l->out, ' '), l->column++;
        break;
    case DOC_CAT:
        doc_layout(l, d->a, indent, flat);
        doc_layout(l, d->b, indent, flat);
        break;
    case DOC_NEST:
        doc_layout(l, d->a, indent + 2, flat);
        break;
    case DOC_GROUP:
        doc_layout(l, d->a, indent, flat || l->width == 0 || l->column + d->width <= l->width);
        break;
    }
}

/* ---- names ---- */

static unsigned bucket(const char *name)
{
    unsigned h = 0;
    for (; *name; name++) h = 31 * h + (unsigned char)*name;
    return h % NAME_BUCKETS;
}

bool name_taken(Printer *p, const char *name)
{
    for (int i = p->last[bucket(name)]; i >= 0; i = p->before[i])
        if (strcmp(p->names[i], name) == 0) return true;
    static const char *const words[] = {"let", "in", "if", "then", "else", "with", "param", "true", "false",
                                        "pi", "inf", "nan", "length", "zip3", "zip4", "size"};
    return text_index(words, COUNT(words), name) >= 0 || prim_from_name(name) != PRIM_COUNT || defs_find(p->c, NULL, intern(p->c->names, name));
}

const char *name_unused(Printer *p, const char *hint)
{
    const char *name = hint;
    for (int i = 1; name_taken(p, name); i++) name = arena_printf(p->arena, "%s%d", hint, i);
    return name;
}

const char *name_default(const Type *t)
{
    if (t->kind == TY_ARRAY) return t->elems[0]->kind == TY_ARRAY ? "xss" : "xs";
    return t->kind == TY_VECTOR ? "v" : t->kind == TY_TUPLE ? "p" : "x";
}

void names_push(Printer *p, const char *name)
{
    if (p->name_count == NAMES_MAX) return;
    int *last = &p->last[bucket(name)];
    p->before[p->name_count] = *last;
    *last = p->name_count;
    p->lengths[p->name_count] = NULL;
    p->names[p->name_count++] = name;
}

void names_pop(Printer *p, int count)
{
    while (p->name_count > count) {
        int i = --p->name_count;
        p->last[bucket(p->names[i])] = p->before[i];
    }
}
