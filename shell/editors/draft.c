/* draft: a program as it stands in an editor, checked declaration by declaration. */
#include "draft.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { PROBLEMS_MOST = 20 };

/* ---- checking ---- */

static void note_type(void *data, const Source *s, Span span, const Type *type)
{
    Draft *t = data;
    if (!strcmp(s->name, t->source.name)) vec_push(&t->types, ((TypedSpan){span, type}));
}

static const char *problem_text(Draft *t, const Diag *d)
{
    Buf b = {0};
    buf_puts(&b, d->message);
    for (int i = 0; i < d->note_count; i++) buf_printf(&b, "\n%s: %s", d->notes[i].label, d->notes[i].text);
    return buf_take(&b, t->arena);
}

static const AstDecl *decl_at(const AstFile *f, uint32_t at)
{
    for (int i = 0; f && i < f->decl_count; i++)
        if (f->decls[i]->span.from <= at && at < f->decls[i]->span.to) return f->decls[i];
    return NULL;
}

/* Is it about a name that was taken out because of another problem? */
static bool follows(const Draft *t, const char *message, const AstDecl *const *gone, int n)
{
    return ANY(i, n, strstr(message, arena_printf(t->arena, "\"%s\"", gone[i]->name)));
}

/* Reads the text; false: there is a problem. A declaration with one is taken out, as blanks, so that those of others are found. */
static bool check_once(Draft *t, char *text, const AstDecl **gone, int *n)
{
    Defs *defs = defs_new(t->c);
    const Program *first;
    Diag *d = &t->c->diag;
    defs_watch(defs, note_type, t);
    bool ok = defs_load(t->c, defs, &(Source){t->source.name, text, t->source.len}, &first), again = false;
    if (!ok) {
        bool ours = d->source && !strcmp(d->source->name, t->source.name);
        const AstDecl *decl = ours ? decl_at(t->file, d->span.from) : NULL;
        if (!follows(t, d->message, gone, *n)) {
            Problem p = {ours ? d->span : (Span){0, 1}, error_name(d->id), problem_text(t, d)};
            vec_push(&t->problems, p);
        }
        again = decl != NULL;
        if (decl) {
            gone[(*n)++] = decl;
            for (uint32_t i = decl->span.from; i < decl->span.to; i++)
                if (text[i] != '\n') text[i] = ' ';
        }
        diag_clear(d);
    }
    for (int i = 0; ok && i < defs_count(defs); i++) {
        const char *about;
        const Program *program;
        const char *name = defs_name(defs, i, &about, &program);
        for (Symbol *s = t->symbols.v; s < t->symbols.v + t->symbols.n; s++)
            if (program && !strcmp(s->name, name)) s->about = program_type_text(t->c, t->arena, program);
    }
    defs_free(defs);
    return !again;
}

Draft *draft_check(const char *text)
{
    Draft *t = mem_alloc(sizeof *t);
    const AstDecl *gone[PROBLEMS_MOST];
    int n = 0;
    t->arena = arena_new();
    t->c = ctx_new();
    t->source = (Source){"text", arena_strdup(t->arena, text), strlen(text)};
    LOCAL(diag_free) Diag none = diag_new();
    t->file = parse_file(&(Parser){.arena = t->arena, .names = t->c->names, .diag = &none}, &t->source);
    for (int i = 0; t->file && i < t->file->decl_count; i++) {
        const AstDecl *d = t->file->decls[i];
        const char *head = arena_strndup(t->arena, text + d->span.from, strcspn(text + d->span.from, "=\n"));
        vec_push(&t->symbols, ((Symbol){d->name, head, d->name_span, d->span}));
    }
    char *left = arena_strdup(t->arena, text);
    while (n < PROBLEMS_MOST && !check_once(t, left, gone, &n)) {}
    return t;
}

void draft_free(Draft *t)
{
    if (!t) return;
    ctx_free(t->c);
    arena_free(t->arena);
    free(t->problems.v);
    free(t->symbols.v);
    free(t->types.v);
    free(t);
}

/* ---- types ---- */

const char *draft_type(Draft *t, uint32_t at, Span *span)
{
    const TypedSpan *best = NULL;
    for (int i = t->types.n - 1; i >= 0; i--) {          /* of the same span the last holds */
        const TypedSpan *s = &t->types.v[i];
        bool around = s->span.from <= at && at < s->span.to;
        if (around && (!best || s->span.to - s->span.from < best->span.to - best->span.from)) best = s;
    }
    if (!best) return NULL;
    *span = best->span;
    const char *text = arena_strdup(t->arena, type_text(t->c, best->type));
    diag_clear(&t->c->diag);
    return text;
}

/* ---- names ---- */

Span draft_name(const char *text, uint32_t at)
{
    Span s = {at, at};
    while (s.from > 0 && is_name_char(text[s.from - 1])) s.from--;
    while (text[s.to] && is_name_char(text[s.to])) s.to++;
    return s;
}

typedef struct Lookup { uint32_t at; const char *name; Span found; bool is; } Lookup;

static void look_in_pattern(Lookup *l, const AstPat *p)
{
    if (p->name && !strcmp(p->name, l->name)) l->found = p->span, l->is = true;
    for (int i = 0; i < p->kid_count; i++) look_in_pattern(l, p->kids[i]);
}

static bool holds(Span s, uint32_t at) { return s.from <= at && at <= s.to; }

/* The innermost pattern that binds the name where `at` is. */
static void look_in(Lookup *l, const Ast *a)
{
    if (!holds(a->span, l->at)) return;
    bool bound = a->kind == AST_LAMBDA || (a->kind == AST_LET && !holds(a->kids[0]->span, l->at));
    for (int i = 0; bound && i < (a->kind == AST_LET ? 1 : a->pat_count); i++) look_in_pattern(l, a->pats[i]);
    for (int i = 0; i < a->kid_count; i++) look_in(l, a->kids[i]);
}

bool draft_definition(const Draft *t, uint32_t at, Span *out)
{
    Span word = draft_name(t->source.text, at);
    Lookup l = {at, arena_strndup(t->arena, t->source.text + word.from, word.to - word.from), word, false};
    const AstDecl *d = decl_at(t->file, at);
    if (word.from == word.to) return false;
    for (int i = 0; i < t->symbols.n; i++)
        if (!strcmp(t->symbols.v[i].name, l.name)) l.found = t->symbols.v[i].span, l.is = true;
    for (int i = 0; d && i < d->param_count; i++) look_in_pattern(&l, d->params[i]);
    if (d) look_in(&l, d->body);
    *out = l.found;
    return l.is;
}
