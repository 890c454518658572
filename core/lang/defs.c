/* defs: the definitions of a session, and the prelude. */
#include "elab.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the prelude: ordinary helpers, inlined where they are used ---- */

static const char prelude_text[] =
    "let id x = x\n"
    "let const c x = c\n"
    "let fst (a, b) = a\n"
    "let snd (a, b) = b\n"
    "let replicate (n: size) x = generate n (\\i -> x)\n"
    "let iota (n: size) = generate n (\\i -> i)\n"
    "let loop (k: size) f x = reduceSeq (\\(s, i) -> f s i) x (iota k)\n"
    "let loopWhile (k: size) p f x = reduceSeq (\\(s, i) -> if p s then f s else s) x (iota k)\n"
    "let loopUpTo (k: size) n f x = slice 1 (reduceSeq (\\(s, i) -> f s i) x) 0 n (iota k)\n"
    "let mapSegments f o x = map (\\w -> slice 1 f (at 0 w) (at 1 w) x) (slide 2 1 o)\n"
    "let segmentStarts o xs =\n"        /* the starts of segments without elements are written behind the others and dropped */
    "  let rows = slide 2 1 o\n"
    "  in take (length xs) (scatter (generate (length xs + length o) (\\i -> false))\n"
    "    (map (\\(j, w) -> if at 0 w < at 1 w then at 0 w else length xs + j) (zip (iota (length rows)) rows))\n"
    "    (map (\\w -> true) rows))\n"
    "let scanSegments f z starts xs =\n"
    "  map snd (scan (\\((a, v), (b, w)) -> (a || b, if b then w else f (v, w))) (false, z)\n"
    "    (map (\\(b, x) -> (b, if b then f (z, x) else x)) (zip starts xs)))\n"
    "let filter p fill xs =\n"
    "  let ends = scan (+) 0 (map (\\x -> if p x then 1 else 0) xs)\n"
    "  let count = at (length xs - 1) ends\n"
    "  in (scatter xs\n"
    "    (map (\\(i, x, e) -> if p x then e - 1 else count + i - e) (zip (iota (length xs)) xs ends))\n"
    "    (map (\\x -> if p x then x else fill) xs), count)\n"
    "let zipWith f xs ys = map f (zip xs ys)\n"
    "let negate x = -x\n"
    "let subtract y x = x - y\n";

/* map2 f, pad2 l r m, slide2 k s and so on: over arrays of that rank; zipWith3 f: over three. */
enum { RANK_LAST = 6 };

/* map2, of rank 1 map */
static const char *ranked(Arena *arena, const char *name, int rank)
{
    return rank > 1 ? arena_printf(arena, "%s%d", name, rank) : name;
}

typedef struct Prelude {
    Arena *arena;
    Source source;
    DefVec defs;
    VEC(const char *) shadowed;            /* names that texts define anew */
} Prelude;

static void prelude_free(void *p)
{
    Prelude *prelude = p;
    arena_free(prelude->arena);
    free(prelude->defs.v);
    free(prelude->shadowed.v);
    free(prelude);
}

static const Prelude *prelude(const Ctx *c)
{
    if (c->lang) return c->lang;
    Ctx *w = (Ctx *)c;                     /* a cache: filled once, on first use */
    Prelude *p = mem_alloc(sizeof *p);
    p->arena = arena_new();
    LOCAL(buf_free) Buf text = {0};
    buf_puts(&text, prelude_text);
    Arena *arena = p->arena;
    const char *inwards = "transpose", *arrays = "x0 x1";      /* takes the first of so many dimensions behind the others */
    for (int r = 2; r <= RANK_LAST; r++) {
        buf_printf(&text, "let map%d f x = map (%s f) x\n", r, ranked(arena, "map", r - 1));
        buf_printf(&text, "let pad%d l r m x = pad l r m (map (%s l r m) x)\n", r, ranked(arena, "pad", r - 1));
        buf_printf(&text, "let slide%d k s x = map %s (slide k s (map (%s k s) x))\n", r, inwards, ranked(arena, "slide", r - 1));
        inwards = arena_printf(arena, "(map %s . transpose)", inwards);
        if (r == 2) buf_puts(&text, "let zipWith2 f x0 x1 = map2 f (zip x0 x1)\n");
        else buf_printf(&text, "let zipWith%d f %s = map f (zip %s)\n", r, arrays, arrays);
        arrays = arena_printf(arena, "%s x%d", arrays, r);
    }
    p->source = (Source){"prelude", arena_strdup(p->arena, buf_text(&text)), text.len};
    LOCAL(diag_free) Diag none;
    diag_init(&none);
    Parser parser = {.arena = p->arena, .names = w->names, .diag = &none};
    AstFile *f = parse_file(&parser, &p->source);
    for (int i = 0; f && i < f->decl_count; i++) {
        Def d = {.name = f->decls[i]->name, .source = &p->source, .decl = f->decls[i]};
        vec_push(&p->defs, d);
    }
    w->lang = p;
    w->lang_free = prelude_free;
    return p;
}

/* The latest definition of a name wins. */
const Def *def_in(const DefVec *v, const char *name)
{
    for (int i = v->n - 1; i >= 0; i--)
        if (v->v[i].name == name) return &v->v[i];
    return NULL;
}

bool prelude_has(const Ctx *c, const char *name)
{
    const Prelude *p = prelude(c);
    const char *interned = intern(c->names, name);
    return def_in(&p->defs, interned) && !ANY(i, p->shadowed.n, p->shadowed.v[i] == interned);
}

const AstDecl *prelude_derived(const Ctx *c, const char *name)
{
    bool ranked = *name && isdigit((unsigned char)name[strlen(name) - 1]);
    const Def *d = ranked || !strcmp(name, "iota") ? def_in(&prelude(c)->defs, name) : NULL;
    return d ? d->decl : NULL;
}

void prelude_shadow(Ctx *c, const char *name)
{
    Prelude *p = (Prelude *)prelude(c);
    if (prelude_has(c, name)) vec_push(&p->shadowed, name);
}

const Def *defs_find(const Ctx *c, const Defs *d, const char *name)
{
    const Def *found = d ? def_in(&d->defs, name) : NULL;
    return found ? found : def_in(&prelude(c)->defs, name);
}

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
    free(d->params.v);
    free(d);
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

bool defs_is_param(const Defs *d, const char *name)
{
    return text_index(d->params.v, d->params.n, name) >= 0;
}

/* ---- suggestions ---- */

void defs_suggest(Ctx *c, const Defs *d, NearName *near)
{
    for (int i = 0; d && i < d->defs.n; i++) near_try(near, d->defs.v[i].name);
    for (int i = 0; i < PRIM_COUNT; i++)
        if (isalpha((unsigned char)*prim((PrimId)i)->name)) near_try(near, prim((PrimId)i)->name);
    const Prelude *p = prelude(c);
    for (int i = 0; i < p->defs.n; i++) near_try(near, p->defs.v[i].name);
}
