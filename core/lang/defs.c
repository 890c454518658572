/* defs: the definitions of a session, and the prelude. */
#include "elab.h"
#include "embedded.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

Defs *defs_new(Ctx *c)
{
    Defs *d = mem_alloc(sizeof *d);
    d->c = c;
    d->arena = arena_new();
    return d;
}

void defs_free(Defs *d)
{
    if (!d) return;
    arena_free(d->arena);
    free(d->defs.v);
    ptr_table_free(&d->defs.by_name);
    free(d->params.v);
    free(d->shadowed.v);
    free(d);
}

typedef struct Named { const DefVec *v; const char *name; const Def **latest; } Named;

/* The latest definition of a name wins: all are looked at, by age. */
static bool keep_latest(const void *key, const void *number)
{
    const Named *k = key;
    const Def *d = &k->v->v[(intptr_t)number - 1];
    if (d->name == k->name) *k->latest = d;
    return false;
}

static uint64_t name_hash(const char *interned) { return hash_mix(0, (uintptr_t)interned); }

void defs_push(DefVec *v, Def d)
{
    vec_push(v, d);
    ptr_table_add(&v->by_name, name_hash(d.name), (void *)(intptr_t)v->n);
}

void defs_cut(DefVec *v, int n)
{
    v->n = n;
    ptr_table_cut(&v->by_name, (size_t)n);
}

const Def *def_in(const DefVec *v, const char *name)
{
    const Def *latest = NULL;
    ptr_table_find(&v->by_name, name_hash(name), keep_latest, &(Named){v, name, &latest});
    return latest;
}

void defs_watch(Defs *d, DefsTyped *typed, void *data)
{
    d->typed = typed;
    d->typed_data = data;
}

/* ---- the prelude: ordinary helpers, inlined where they are used: prelude.fun, and families over ranks ---- */

/* map2 f, pad2 l r m, slide2 k s and so on: over arrays of that rank; zipWith3 f: over three. */
enum { RANK_LAST = 6 };

const char *ranked(Arena *arena, const char *name, int rank) { return rank > 1 ? arena_printf(arena, "%s%d", name, rank) : name; }

/* What has a form for every rank, the same in each dimension: arguments before the array; what it makes of rows it does to their
 * elements, along axis 0; it makes windows, whose dimensions come behind the others. */
static const struct { const char *name, *before; bool elements, windows; } in_each[] = {
    {"pad", "l r m", false, false}, {"padConst", "l r v", true, false}, {"every", "k", false, false}, {"spread", "k v", true, false},
    {"slide", "k s", false, true}, {"slideFloor", "k s", false, true}, {"slideDilated", "k d s", false, true},
};

/* The function f along the first of `rank` dimensions. */
static const char *along_first(Arena *arena, const char *f, int rank)
{
    for (int k = 1; k < rank; k++) f = arena_printf(arena, "transpose . map (%s) . transpose", f);
    return f;
}

static void print_ranks(Arena *arena, Buf *text)
{
    const char *inwards = "transpose", *arrays = "x0 x1";      /* takes the first of so many dimensions behind the others */
    const char *others = " f1";                                /* functions of all dimensions but the first */
    for (int r = 2; r <= RANK_LAST; r++) {
        buf_printf(text, "# f of each element of an array of rank %d\nlet map%d f x = map (%s f) x\n", r, r, ranked(arena, "map", r - 1));
        for (int i = 0; i < COUNT(in_each); i++) {
            const char *name = in_each[i].name, *before = in_each[i].before, *one = ranked(arena, name, r - 1);
            const char *all = arena_printf(arena, "%s %s", name, before);
            if (in_each[i].elements) all = along_first(arena, all, r);
            const char *windows = in_each[i].windows ? arena_printf(arena, "map %s (", inwards) : "";
            buf_printf(text, "# %s %s in each of %d dimensions\nlet %s%d %s x = %s%s%smap (%s %s) x%s%s\n", name, before, r, name, r, before,
                       windows, all, in_each[i].elements ? " $ " : " (", one, before, in_each[i].elements ? "" : ")", *windows ? ")" : "");
        }
        const char *inner = r > 2 ? arena_printf(arena, "windows%d%s", r - 1, others) : "f1";
        buf_printf(text, "# windows of %d dimensions, by a function for each: windows2 (slide 3 1) (slideFloor 5 2) x\n"
                   "let windows%d f0%s x = map %s (f0 (map (%s) x))\n", r, r, others, inwards, inner);
        inner = r > 2 ? arena_printf(arena, "dims%d%s", r - 1, others) : "f1";
        buf_printf(text, "# each of %d dimensions by its function: dims2 (spread 2 0) (pad 1 1 clamp) x\n"
                   "let dims%d f0%s x = %s $ map (%s) x\n", r, r, others, along_first(arena, "f0", r), inner);
        if (r == 2) buf_puts(text, "# f of each two elements of matrices\nlet zipWith2 f x0 x1 = map2 f x0 x1\n");
        else buf_printf(text, "# f of each %d elements\nlet zipWith%d f %s = map f (zip %s)\n", r, r, arrays, arrays);
        inwards = arena_printf(arena, "(map %s . transpose)", inwards);
        arrays = arena_printf(arena, "%s x%d", arrays, r);
        others = arena_printf(arena, "%s f%d", others, r);
    }
}

/* The function that a family's or loop's definition hands to a primitive tells how its user wrote it, so that it prints likewise. */
static void mark_function(Interns *names, const AstDecl *d)
{
    const bool loops = !strcmp(d->name, "loop") || !strcmp(d->name, "loopWhile");
    const bool maps = !strncmp(d->name, "map", 3) && isdigit((unsigned char)d->name[3]);
    if (loops || maps) d->body->kids[1]->mark = intern(names, loops ? "%loop" : "%map");
}

static void prelude_free(void *p) { defs_free(p); }

/* The prelude, whether or not its text has been read. */
static Defs *prelude_unread(const Ctx *c)
{
    Ctx *w = (Ctx *)c;
    if (!w->lang) {
        w->lang = defs_new(w);
        w->lang_free = prelude_free;
    }
    return w->lang;
}

const Defs *prelude(const Ctx *c)
{
    Ctx *w = (Ctx *)c;                     /* a cache: filled once, on first use */
    Defs *p = prelude_unread(c);
    if (p->defs.n) return p;
    LOCAL(buf_free) Buf text = {0};
    buf_puts(&text, embedded_prelude->text);
    print_ranks(p->arena, &text);
    const Source *source = MAKE(p->arena, Source, "prelude", arena_strdup(p->arena, buf_text(&text)), text.len);
    LOCAL(diag_free) Diag none = diag_new();
    Parser parser = {.arena = p->arena, .names = w->names, .diag = &none};
    AstFile *f = parse_file(&parser, source);
    const Env *all = NULL;
    for (int i = 0; f && i < f->decl_count; i++) {
        const AstDecl *decl = f->decls[i];
        mark_function(w->names, decl);
        Ast *lambda = NEW(p->arena, Ast);
        *lambda = (Ast){.kind = AST_LAMBDA, .span = decl->span, .pats = decl->params, .pat_count = decl->param_count,
                        .kids = arena_copy(p->arena, &decl->body, sizeof decl->body), .kid_count = 1, .height = decl->body->height + 1};
        BIND(p->arena, &all, decl->name, BIND_CLOSURE, .ast = lambda, .source = source);
    }
    for (const Env *b = all; b; b = b->next) ((Env *)b)->env = all;
    for (int i = 0; f && i < f->decl_count; i++) {
        Def d = {.name = f->decls[i]->name, .source = source, .decl = f->decls[i], .env = all, .tested = true};
        defs_push(&p->defs, d);
    }
    return p;
}


bool prelude_has(const Ctx *c, const char *name)
{
    const Defs *p = prelude(c);
    const char *interned = intern(c->names, name);
    return def_in(&p->defs, interned) && !ANY(i, p->shadowed.n, p->shadowed.v[i] == interned);
}

const AstDecl *prelude_derived(const Ctx *c, const char *name)
{
    static const char *const families[] = {"map", "pad", "padConst", "slide", "zipWith"};     /* of primitives and one another alone */
    size_t letters = strcspn(name, "0123456789");
    bool ranked = name[letters] && ANY(i, COUNT(families), strlen(families[i]) == letters && !strncmp(name, families[i], letters));
    const Def *d = ranked || !strcmp(name, "iota") ? def_in(&prelude(c)->defs, name) : NULL;
    return d ? d->decl : NULL;
}

void prelude_shadow(Ctx *c, const char *name)
{
    Defs *p = prelude_unread(c);           /* most starts need none of its text */
    if (!ANY(i, p->shadowed.n, p->shadowed.v[i] == name)) vec_push(&p->shadowed, name);
}

bool ast_is_float_name(const char *name)
{
    bool may = *name == 'p' || *name == 'i' || *name == 'n';             /* asked of every name of every pattern */
    return may && (strcmp(name, "pi") == 0 || strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0);
}

const Def *defs_find(const Ctx *c, const Defs *d, const char *name)
{
    const Def *found = d ? def_in(&d->defs, name) : NULL;
    /* Programs of these names alone need no prelude, all of whose are in lower case. */
    bool own = !islower((unsigned char)*name) || prim_from_name(name) != PRIM_COUNT || ast_is_float_name(name)
               || pad_mode_from_name(name) != PAD_MODES || !strcmp(name, "length");
    if (found || own) return found;
    return def_in(&prelude(c)->defs, name);
}

int defs_count(const Defs *d) { return d->defs.n; }

const char *defs_name(const Defs *d, int i, const char **text, const Program **program)
{
    const Def *def = &d->defs.v[i];
    Span span = def->decl->span;
    if (text) *text = arena_strndup(d->arena, def->source->text + span.from, span.to - span.from);
    if (program) *program = def->program;
    return def->name;
}

const Program *defs_program(const Defs *d, const char *name)
{
    const Def *def = def_in(&d->defs, intern(d->c->names, name));
    return def ? def->program : NULL;
}

bool defs_is_param(const Defs *d, const char *name) { return text_index(d->params.v, d->params.n, name) >= 0; }

/* ---- suggestions ---- */

void defs_suggest(Ctx *c, const Defs *d, NearName *near)
{
    for (int i = 0; d && i < d->defs.n; i++) near_try(near, d->defs.v[i].name);
    for (int i = 0; i < PRIM_COUNT; i++)
        if (isalpha((unsigned char)*prim((PrimId)i)->name)) near_try(near, prim((PrimId)i)->name);
    const Defs *p = prelude(c);
    for (int i = 0; i < p->defs.n; i++) near_try(near, p->defs.v[i].name);
}

const char *defs_prelude_name(const Ctx *c, int i) { return i < prelude(c)->defs.n ? prelude(c)->defs.v[i].name : NULL; }

const char *defs_prelude(const Ctx *c, Arena *arena, const char *name, const char **about)
{
    static const struct { const char *name, *form, *about; } built_in[] = {
        {"length", "length x", "the size of x, a number of whatever type is wanted"}, {"rank", "rank x", "how many dimensions x has"},
        {"axis", "axis d x", "the number of x's axis d: of -1 that of the last, of a size in upper case that of so long an axis"},
        {"nest", "nest d f x", "f under d dimensions of x: map (map f) x where d is 2"},
        {"repeated", "repeated a b f x", "f (b-1) (... (f (a+1) (f a x))), written out while the program is read"},
        {"lowest", "lowest", "the least number of whatever type is wanted; -inf of floats"},
        {"highest", "highest", "the largest number of whatever type is wanted; inf of floats"},
    };
    for (int i = 0; i < COUNT(built_in); i++)
        if (!strcmp(built_in[i].name, name)) return *about = built_in[i].about, built_in[i].form;
    const Def *d = def_in(&prelude(c)->defs, intern(c->names, name));
    if (!d) return NULL;
    const char *text = d->source->text, *from = text + d->decl->span.from, *doc = from;
    while (doc > text) {                  /* the comment: the lines before it that begin so */
        const char *line = doc - 1;
        while (line > text && line[-1] != '\n') line--;
        if (*line != '#') break;
        doc = line;
    }
    *about = doc == from ? "" : arena_trimmed(arena, doc + 1, from);
    return arena_trimmed(arena, from, text + d->decl->span.to);
}
