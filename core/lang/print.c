/* print: terms as text, in reading order: documents that break where they are too wide (a pretty printer: Oppen, Wadler); names in
 * scope; literals and patterns, terms with minimal brackets, composition; whole terms, binders, trees. */
#include "elab.h"
#include "scheme.h"
#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- documents: text with places where a line may break ---- */

/* DOC_LINE: a blank, or a line break; NEST: two columns further in; GROUP: on one line where that has room. */
typedef enum DocKind { DOC_TEXT, DOC_LINE, DOC_CAT, DOC_NEST, DOC_GROUP } DocKind;
typedef struct Doc Doc;
struct Doc {
    DocKind kind;
    const char *text;
    int width;                             /* flat width, for TEXT and everything above */
    const Doc *a, *b;
};

/* The printer's state. Names of leaves in scope, innermost last (index 0 is names[count - 1]). */
enum { NAMES_MAX = 4096, NAME_BUCKETS = 512, INPUTS_READ = 64 };
typedef struct Printer {
    Ctx *c;
    Arena *arena;
    const PrintOptions *o;
    const char **names;
    const NatAtom **lengths;               /* of each name: the length that its array has by slice or iterate alone (type_any_length), or NULL */
    int name_count;
    int last[NAME_BUCKETS], *before;       /* the last name with that hash, and of each name the one before it; -1: none */
    Input inputs[INPUTS_READ];             /* of the term, in whose scope its text is read back */
    int input_count;
    bool long_inits;                       /* print literals in left folds' initial values with their type */
    int short_inits;                       /* how many were printed without */
    uint8_t path[256];                     /* where we are: path_length + links slots */
    int path_length, links;                /* links: of chains, which are no deeper than the first */
    Scalar floats, ints;                   /* what literals are here where nothing else decides; SC_COUNT: who knows */
    bool on_path;
    const Term *open_end;   /* known not to be the start of a chain: it goes on from one whose end is no atom */
} Printer;

static const Doc *doc_new(Printer *p, DocKind kind, const char *text, const Doc *a, const Doc *b, int width)
{
    return MAKE(p->arena, Doc, kind, text, width, a, b);
}

static const Doc *doc_text(Printer *p, const char *s) { return doc_new(p, DOC_TEXT, s, NULL, NULL, text_width(s)); }
static const Doc *doc_cat(Printer *p, const Doc *a, const Doc *b) { return doc_new(p, DOC_CAT, NULL, a, b, a->width + b->width); }
static const Doc *doc_nest(Printer *p, const Doc *a) { return doc_new(p, DOC_NEST, NULL, a, NULL, a->width); }
static const Doc *doc_group(Printer *p, const Doc *a) { return doc_new(p, DOC_GROUP, NULL, a, NULL, a->width); }

/* "let @ = @\nin @": text in which each @ is the next of the documents, and a line may break at \n. */
static const Doc *doc(Printer *p, const char *form, ...)
{
    const Doc *d = NULL;
    va_list ap;
    va_start(ap, form);
    for (size_t n; *form; form += n ? n : 1) {
        n = strcspn(form, "@\n");
        const Doc *part = n ? doc_text(p, arena_strndup(p->arena, form, n)) : *form == '@' ? va_arg(ap, const Doc *)
                                                                                         : doc_new(p, DOC_LINE, NULL, NULL, NULL, 1);
        d = d ? doc_cat(p, d, part) : part;
    }
    va_end(ap);
    return d;
}

static const Doc *doc_bracket_if(Printer *p, bool yes, const Doc *d) { return yes ? doc(p, "(@)", d) : d; }

typedef struct Layout {
    Buf *out;
    int width, column;                     /* width 0: never breaks a line */
} Layout;

static void doc_layout(Layout *l, const Doc *d, int indent, bool flat)
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

static bool name_in_scope(const Printer *p, const char *name)
{
    for (int i = p->last[bucket(name)]; i >= 0; i = p->before[i])
        if (strcmp(p->names[i], name) == 0) return true;
    return false;
}

/* In scope, or a word of the language. */
static bool name_taken(Printer *p, const char *name)
{
    if (name_in_scope(p, name)) return true;
    static const char *const words[] = {"let", "in", "if", "then", "else", "with", "param", "true", "false",
                                        "pi", "inf", "nan", "id", "length", "zip3", "zip4", "size"};
    return text_index(words, COUNT(words), name) >= 0 || prim_from_name(name) != PRIM_COUNT;
}

/* hint, hint1, hint2 ... */
static const char *name_unused(Printer *p, const char *hint)
{
    const char *name = hint;
    for (int i = 1; name_taken(p, name); i++) name = arena_printf(p->arena, "%s%d", hint, i);
    return name;
}

/* Where neither source nor rule gave one. */
static const char *name_default(const Type *t)
{
    if (t->kind == TY_ARRAY) return t->elems[0]->kind == TY_ARRAY ? "xss" : "xs";
    return t->kind == TY_VECTOR ? "v" : t->kind == TY_TUPLE ? "p" : "x";
}

static void names_push(Printer *p, const char *name)
{
    if (p->name_count == NAMES_MAX) return;
    int *last = &p->last[bucket(name)];
    p->before[p->name_count] = *last;
    *last = p->name_count;
    p->lengths[p->name_count] = NULL;
    p->names[p->name_count++] = name;
}

/* Until so many are left. */
static void names_pop(Printer *p, int count)
{
    while (p->name_count > count) {
        int i = --p->name_count;
        p->last[bucket(p->names[i])] = p->before[i];
    }
}

/* ---- patterns: which tuples are used only as wholes ---- */

/* Is every use of the leaves [base, base + n) inside a whole tuple of that type? */
static bool only_whole(const Term *t, const Type *type, int base)
{
    if (t->free_limit <= base || term_is_param(t, type, base)) return true;
    if (t->kind == T_VAR) return t->u.index < base || t->u.index >= base + type->leaf_count;
    int in = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    return ALL(i, t->arg_count, only_whole(t->args[i], type, base + in));
}

/* A parameter that is mapped over with a named element: the name's plural. */
static const char *plural_hint(Printer *p, const Term *t, int base)
{
    if (t->free_limit <= base) return NULL;
    if (t->kind == T_PRIM && prim_is_map((PrimId)t->prim) && term_is_param(t->args[1], t->args[1]->type, base)
        && t->args[0]->u.hints) {
        const char *h = hint_name(t->args[0]->u.hints[0]);
        if (h && strlen(h) < 12) return arena_printf(p->arena, "%ss", h);
    }
    int in = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    const char *found = NULL;
    for (int i = 0; i < t->arg_count && !found; i++) found = plural_hint(p, t->args[i], base + in);
    return found;
}

/* A binding pattern for a parameter, whose leaf names are pushed, left to right. A tuple used only whole is one name: its
 * leaves are pushed as that name with a mark that tells a tuple of them to print it alone. */
static const Doc *print_pattern(Printer *p, const Type *type, const char *const *hints, const Term *body, int base,
                         const char *fallback)
{
    const char *hint = hints ? hint_name(hints[0]) : NULL;
    if (!hint && !fallback && type->kind == TY_ARRAY) hint = plural_hint(p, body, base);
    if (type->kind != TY_TUPLE || only_whole(body, type, base)) {
        const char *name = name_unused(p, hint ? hint : fallback ? fallback : name_default(type));
        for (int i = 0; i < type->leaf_count; i++) names_push(p, name);
        if (p->name_count) p->lengths[p->name_count - 1] = type_any_length(type);
        return doc_text(p, name);
    }
    const Doc *d = NULL;
    int below = base + type->leaf_count, h = 1;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        const char *sub = hint ? arena_printf(p->arena, "%s%d", hint, i) : i == 0 ? fallback : NULL;
        const Doc *part = print_pattern(p, type->elems[i], hints ? hints + h : NULL, body, below, sub);
        d = d ? doc(p, "@, @", d, part) : part;
        h += hint_count(type->elems[i]);
    }
    return doc(p, "(@)", d);
}

/* ---- literals ---- */

static const Doc *float_literal(Printer *p, const Term *t, bool known)
{
    Scalar s = t->type->scalar;
    double v = t->u.lit.f;
    bool plain = known || s == p->floats;
    if (isnan(v) || isinf(v)) {
        const char *word = isnan(v) ? "nan" : v < 0 ? "-inf" : "inf";
        return plain ? doc_text(p, word) : doc_text(p, arena_printf(p->arena, "(%s : %s)", word, scalar_name(s)));
    }
    char buf[64];
    scalar_text(s, v, buf);
    char *e = strchr(buf, 'e'), *digits_of_e = e ? e + 1 + (e[1] == '-') : NULL;
    if (e && fabs(v) >= 1 && fabs(v) < 1e6) snprintf(buf, sizeof buf, "%.0f", v);      /* as people write them: 1000, 1e9, 1e-5 */
    else if (e) memmove(digits_of_e, e + 1 + strspn(e + 1, "+-0"), strlen(e + 1 + strspn(e + 1, "+-0")) + 1);
    if (!strpbrk(buf, ".e") && !known) strcat(buf, ".0");
    const char *digits = arena_strdup(p->arena, buf);
    return plain ? doc_text(p, digits) : doc_text(p, arena_printf(p->arena, "%s%s", digits, scalar_name(s)));
}

/* The lengths of the arrays that slice and iterate hand to functions have no names in text: they are those arrays'. */
static const Nat *in_names(Printer *p, const Nat *n)
{
    if (n->is_const) return n;
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    for (int i = 0; i < vars.n; i++) {
        int k = p->name_count - 1;
        while (k >= 0 && p->lengths[k] != vars.v[i]) k--;
        if (k < 0) continue;
        const char *text = arena_printf(p->arena, "(length %s)", p->names[k]);
        NatBinding b = {vars.v[i], nat_var(p->c->nats, text, VAR_SIZE, NULL, NULL)};
        n = nat_subst(p->c->nats, n, &b, 1, NULL);
    }
    return n;
}

static const Doc *nat_doc(Printer *p, const Nat *n, int prec)
{
    return doc_text(p, nat_text(in_names(p, n), prec > 9 ? 9 : prec, p->arena));
}

static bool is_plain_name(const Nat *n)
{
    const NatAtom *v = nat_atom(n);
    return v && v->kind == ATOM_VAR;
}

/* ---- terms ---- */

/* prec: how tightly what stands around it binds. known: the context gives a literal its type, so that it needs no suffix. */
static const Doc *print_term(Printer *p, const Term *t, int prec, bool known);
static const Doc *function(Printer *p, const Term *f, int prec, bool known, const char *fallback);

/* Is the mark strictly below the node now printed? Then it is not folded into a chain. */
static bool leads_to_mark(const Printer *p) { return p->on_path && p->path_length < p->o->path_length; }

/* Where we are is followed for the notes. */
static void step_to(Printer *p, int slot)
{
    int at = p->path_length + p->links;
    if (at < COUNT(p->path)) p->path[at] = (uint8_t)slot;
}

static const char *note(Printer *p, bool whole)
{
    int at = p->path_length + p->links;
    return p->o->note && at <= COUNT(p->path) ? p->o->note(p->o->note_data, p->path, at, whole) : NULL;
}

static const Doc *with_note(Printer *p, const char *text, const Doc *d)
{
    return text ? doc_cat(p, doc_new(p, DOC_TEXT, text, NULL, NULL, 0), d) : d;
}

/* As a function: fallback is a name for its parameter if it has none. */
/* A float that nothing else decides is what the cast around it makes; an integer is that where it is all that is cast. */
static void literals_under(Printer *p, const Term *t)
{
    if (t->kind != T_PRIM || !prim_is_cast((PrimId)t->prim)) return;
    const Scalar to = prim_cast_to((PrimId)t->prim);
    const Term *of = term_is(t->args[0], PRIM_NEG) ? t->args[0]->args[0] : t->args[0];
    const bool alone = of->kind == T_LIT;
    p->floats = !scalar_is_float(to) || to == SC_F32 ? SC_F32 : alone ? to : SC_COUNT;
    p->ints = alone && scalar_is_int(to) ? to : SC_I32;
}

static const Doc *print_slot_as(Printer *p, const Term *t, int slot, int prec, bool known, bool as_function, const char *fallback)
{
    bool was = p->on_path;
    int depth = p->path_length;
    p->on_path = was && depth < p->o->path_length && p->o->path[depth] == slot;
    const Scalar floats = p->floats, ints = p->ints;
    step_to(p, slot);
    p->path_length++;
    literals_under(p, t);
    const Doc *d = as_function ? function(p, t->args[slot], prec, known, fallback)
                               : print_term(p, term_slot(t, slot), prec, known);
    p->floats = floats;
    p->ints = ints;
    p->path_length = depth;
    p->on_path = was;
    return d;
}

static const Doc *print_slot(Printer *p, const Term *t, int slot, int prec, bool known)
{
    return print_slot_as(p, t, slot, prec, known, false, NULL);
}

static bool is_own_param(const Term *t) { return t->kind == T_VAR && t->u.index == 0; }

/* Steps of a loop over their numbers, as it was written: loop k f x. A tuple that x makes as a whole would have a name there. */
static bool is_loop(const Term *t)
{
    if (!term_is(t, PRIM_REDUCE_SEQ) || !written_with(t->args[0], "%loop") || !term_is(t->args[2], PRIM_GENERATE)) return false;
    if (t->type->kind == TY_TUPLE && !term_is(t->args[1], PRIM_TUPLE) && !term_is_atom(t->args[1])) return false;
    return is_own_param(t->args[2]->args[0]->args[0]) && t->args[0]->type->elems[0]->count == 2;
}

/* Printed as prefix application whose last argument is the data it works on: the links of chains. */
static bool is_link(const Term *t)
{
    if (t->kind != T_PRIM || t->arg_count == 0 || is_loop(t)) return false;
    PrimId id = (PrimId)t->prim;
    switch (prim(id)->family) {
    case FAM_MAP: case FAM_REDUCE: case FAM_SCAN: case FAM_MEMORY: return true;
    case FAM_LAYOUT: return id != PRIM_ZIP && id != PRIM_CONCAT;
    case FAM_VECTOR: return id == PRIM_AS_VECTOR || id == PRIM_AS_SCALAR || id == PRIM_MAP_VEC;
    case FAM_ACCESS: return id == PRIM_ITERATE || id == PRIM_GATHER || id == PRIM_SLICE;
    case FAM_SCALAR: return t->arg_count == 1 && isalpha((unsigned char)*prim(id)->name) && id != PRIM_NEG;
    default: return false;
    }
}

static const Term *last_arg(const Term *t) { return t->args[t->arg_count - 1]; }

/* ---- derived forms: slide2 k s, pad3 l r m, padConst2 l r v, windows2 f g, dims2 f g (defs.c), slideFloor k s, every k, spread k v (prelude.fun) ---- */

/* How a form of more dimensions is made of that of one, as in_each in defs.c has it. */
typedef enum FormKind { FORM_ROWS, FORM_ELEMENTS, FORM_WINDOWS } FormKind;

/* What is printed as a derived form: its name in one dimension and in how many it is, its arguments, what it is of. */
enum { FORM_NUMBERS = 3 };
typedef struct Form {
    const char *name;                      /* NULL: it is none */
    FormKind kind;
    int rank;
    const Nat *numbers[FORM_NUMBERS];
    const char *mode;                      /* of pad; or NULL */
    const Term *value;                     /* of padConst, spread; or NULL */
    const Term *x;
    const struct Form *each;               /* of windows, dims: the form of each dimension, the outermost first; or NULL */
} Form;

/* The body of map's function, where that takes one value and x is all of it; NULL: it is no such map. */
static const Term *mapped(const Term *t) { return term_is(t, PRIM_MAP) && t->args[0]->type->elems[0]->leaf_count == 1 ? t->args[0]->args[0] : NULL; }

/* Is it, of its function's parameter, what takes the first of `rank` dimensions behind the others? */
static bool moves_inwards(const Term *t, int rank)
{
    if (rank == 2) return term_is(t, PRIM_TRANSPOSE) && is_own_param(t->args[0]);
    const Term *f = mapped(t);
    return f && moves_inwards(t->args[1], 2) && moves_inwards(f, rank - 1);
}

/* The value that a function of one parameter uses, outside of it. NULL: it is made of the parameter, or more than a name or a number; as an
 * argument that is used in there it would get a name. */
static const Term *atom_outside(Printer *p, const Term *t) { return t && term_is_atom(t) ? term_shift(p->c, t, -1, 0) : NULL; }

/* Are windows of k elements, step s, which have so many of n, as many as there are whole ones? */
static bool are_whole(Printer *p, const Nat *k, const Nat *s, const Nat *n, const Nat *taken)
{
    Nats *nats = p->c->nats;
    const Nat *rest = nat_operator(nats, "//", nat_sub(nats, n, k), s);
    return rest && nat_add(nats, nat_mul(nats, rest, s), k) == taken;
}

/* Windows, or the elements of those of one. */
static Form windows(Printer *p, const Term *t)
{
    const bool joined = term_is(t, PRIM_JOIN);
    const Term *w = joined ? t->args[0] : t;
    if (!term_is(w, PRIM_SLIDE) || (joined && w->statics[0] != nat_const(p->c->nats, 1))) return (Form){0};
    const Nat *k = w->statics[0], *s = w->statics[1];
    const Term *in = w->args[0], *x = term_is(in, PRIM_TAKE) ? in->args[0] : in;
    bool floors = (joined || x != in) && are_whole(p, k, s, x->type->size, in->type->size);
    if (joined) return floors ? (Form){"every", FORM_ROWS, 1, {s}, .x = x} : (Form){0};
    return (Form){floors ? "slideFloor" : "slide", FORM_WINDOWS, 1, {k, s}, .x = floors ? x : in};
}

/* The form of one dimension that t is. */
static Form form_of_one(Printer *p, const Term *t)
{
    if (term_is(t, PRIM_PAD))
        return (Form){"pad", FORM_ROWS, 1, {t->statics[0], t->statics[1]}, .mode = pad_mode_name((PadMode)t->statics[2]->value), .x = t->args[0]};
    if (term_is(t, PRIM_PAD_CONST)) return (Form){"padConst", FORM_ELEMENTS, 1, {t->statics[0], t->statics[1]}, .value = t->args[0], .x = t->args[1]};
    Nats *n = p->c->nats;
    const Nat *one = nat_const(n, 1);
    const Term *f = mapped(t);
    if (f) {
        const Form each = windows(p, f), w = windows(p, t->args[1]);
        if (!each.name || each.kind != FORM_ROWS || !is_own_param(each.x) || !w.name || w.kind != FORM_WINDOWS) return (Form){0};
        const Nat *apart = each.numbers[0], *k = w.numbers[0], *s = w.numbers[1], *of = f->type->size;
        if (nat_add(n, nat_mul(n, nat_sub(n, of, one), apart), one) != k) return (Form){0};
        if (!strcmp(w.name, "slide") && !are_whole(p, k, s, w.x->type->size, w.x->type->size)) return (Form){0};
        return (Form){"slideDilated", FORM_WINDOWS, 1, {of, apart, s}, .x = w.x};
    }
    const Term *joined = term_is(t, PRIM_TAKE) ? t->args[0] : NULL, *between = joined && term_is(joined, PRIM_JOIN) ? joined->args[0] : NULL;
    const Term *pads = between ? mapped(between) : NULL;
    if (pads && term_is(pads, PRIM_PAD_CONST) && pads->statics[0] == nat_const(n, 0) && is_own_param(pads->args[1])) {
        const Term *split = between->args[1], *v = atom_outside(p, pads->args[0]);
        const Nat *k = nat_add(n, pads->statics[1], one);
        if (!v || !term_is(split, PRIM_SPLIT) || split->statics[0] != one) return (Form){0};
        const Nat *length = nat_add(n, nat_mul(n, nat_sub(n, split->args[0]->type->size, one), k), one);
        return length == t->type->size ? (Form){"spread", FORM_ELEMENTS, 1, {k}, .value = v, .x = split->args[0]} : (Form){0};
    }
    return windows(p, t);
}

/* Out of a function of one parameter. */
static bool moves_out(Printer *p, Form *f) { return !f->value || (f->value = atom_outside(p, f->value)); }

/* What t does to the elements of its rows, along the first dimension, which changes places with each of the others in turn. */
static Form across(Printer *p, const Term *t)
{
    const Term *maps = term_is(t, PRIM_TRANSPOSE) ? t->args[0] : NULL, *f = maps ? mapped(maps) : NULL;
    if (!f || !term_is(maps->args[1], PRIM_TRANSPOSE)) return (Form){0};
    Form in = term_is(f, PRIM_TRANSPOSE) ? across(p, f) : form_of_one(p, f);
    if (!in.name || in.kind == FORM_WINDOWS || !is_own_param(in.x) || !moves_out(p, &in)) return (Form){0};
    in.rank++;
    in.x = maps->args[1]->args[0];
    return in;
}

/* Is the form in a function over rows that of what these are in, too? */
static bool is_same(Printer *p, const Form *outer, const Form *rows)
{
    return !strcmp(rows->name, outer->name) && rows->mode == outer->mode && ALL(i, FORM_NUMBERS, rows->numbers[i] == outer->numbers[i])
        && (!outer->value || atom_outside(p, rows->value) == outer->value);
}

/* The form of the outermost dimension, and of the others as the rows have it, by a function for each. Its name is NULL: a value cannot stand
 * outside of them. */
static Form of_each(Printer *p, const char *name, FormKind kind, const Form *outer, const Form *rows)
{
    Form *each = NEW_ARRAY(p->arena, Form, outer->rank);
    each[0] = *outer;
    for (int i = 1; i < outer->rank; i++) {
        each[i] = rows->each ? rows->each[i - 1] : *rows;
        if (!moves_out(p, &each[i])) return (Form){0};
    }
    return (Form){name, kind, outer->rank, .x = outer->x, .each = each};
}

/* The form that t is, of as many dimensions as there are. */
static Form form_of(Printer *p, const Term *t)
{
    const Form one = form_of_one(p, t);
    const Term *turns = one.name ? NULL : mapped(t);
    Form outer = turns ? form_of_one(p, t->args[1]) : one.name ? one : across(p, t);
    if (!outer.name || (turns && outer.kind != FORM_WINDOWS)) return (Form){0};
    const Term *rows = mapped(outer.x);
    const Form inner = rows && (outer.kind == FORM_ROWS || !one.name) ? form_of(p, rows) : (Form){0};
    const bool crosses = outer.rank > 1;
    if (!inner.name || !is_own_param(inner.x) || (turns && !moves_inwards(turns, inner.rank + 1)) || (crosses && inner.rank + 1 != outer.rank)) return one;
    const bool same = is_same(p, &outer, &inner) && (!crosses || outer.kind == FORM_ELEMENTS);
    if (same || turns || crosses) outer.x = outer.x->args[1];
    outer.rank = inner.rank + 1;
    const bool rows_alone = inner.rank == 1 ? inner.kind != FORM_WINDOWS : inner.kind == FORM_ELEMENTS;
    if (same) return outer;
    if (turns) return inner.kind == FORM_WINDOWS ? of_each(p, "windows", FORM_WINDOWS, &outer, &inner) : one;
    return crosses && rows_alone ? of_each(p, "dims", FORM_ELEMENTS, &outer, &inner) : one;
}

/* The function inside of a map's, where that maps it over all of its elements and was written so, with map2: of a lambda over tuples of
 * arrays over these together. NULL: it is none. */
static const Term *mapped_inside(const Term *f)
{
    const Type *param = f->type->elems[0];
    const Term *b = f->args[0];
    if (!written_with(f, "%map") || !term_is(b, PRIM_MAP) || term_mentions(b->args[0], 0, param->leaf_count)) return NULL;
    const Term *of = b->args[1];
    if (term_is_param(of, param, 0)) return b->args[0];
    if (!term_is(of, PRIM_ZIP) || param->kind != TY_TUPLE || of->arg_count != param->count || param->leaf_count != param->count) return NULL;
    for (int i = 0; i < param->count; i++)
        if (!term_is_param(of->args[i], param->elems[i], param->count - 1 - i)) return NULL;
    return b->args[0];
}

/* Of how many dimensions the map t is, as it was written, with the function of their elements in *f. 1: it is a map alone. */
static int map_rank(Printer *p, const Term *t, const Term **f)
{
    int rank = 1;
    *f = t->args[0];
    if (t->prim != PRIM_MAP || leads_to_mark(p)) return 1;
    for (const Term *in; (in = mapped_inside(*f)); rank++) *f = in;
    const char *name = ranked(p->arena, "map", rank);
    if (rank == 1 || (prelude_has(p->c, name) && !name_in_scope(p, name))) return rank;
    *f = t->args[0];
    return 1;
}

static bool is_helper(Printer *p, const char *name) { return prelude_has(p->c, name) && !name_in_scope(p, name); }

static bool is_called(Printer *p, Form *f)
{
    if (f->name) f->name = ranked(p->arena, f->name, f->rank);
    return f->name && is_helper(p, f->name)
        && ALL(i, f->each ? f->rank : 0, prim_from_name(f->each[i].name) != PRIM_COUNT || is_helper(p, f->each[i].name));
}

/* The link t of a chain as a derived form: of all dimensions, or of one where another has that name. Its name is NULL where it is none, or the
 * mark is in it. */
static Form derived(Printer *p, const Term *t)
{
    if (t->kind != T_PRIM || leads_to_mark(p)) return (Form){0};
    Form f = form_of(p, t);
    if (is_called(p, &f)) return f;
    f = form_of_one(p, t);
    return is_called(p, &f) ? f : (Form){0};
}

/* What the link t of a chain is of. */
static const Term *behind_link(Printer *p, const Term *t)
{
    const Form f = derived(p, t);
    return f.name ? f.x : last_arg(t);
}

static const Doc *print_statics(Printer *p, const Term *t, const Doc *d)
{
    PrimId id = (PrimId)t->prim;
    if (id == PRIM_REORDER) {
        PermKind k = (PermKind)t->statics[0]->value;
        if (k == PERM_REVERSE) return doc(p, "@ reverse", d);
        const Doc *of = k == PERM_FUN ? print_slot_as(p, t, 0, LEVEL_ATOM, true, true, "i") : nat_doc(p, t->statics[1], LEVEL_ATOM);
        if (k == PERM_FUN) of = doc(p, "@ @", of, print_slot_as(p, t, 1, LEVEL_ATOM, true, true, "i"));
        return doc(p, "@ (@ @)", d, doc_text(p, perm_kind_name(k)), of);
    }
    for (int i = 0; i < t->static_count; i++) {
        bool mode = prim_static_kind(p->c, id, i) == STATIC_MODE;
        d = doc(p, "@ @", d, mode ? doc_text(p, pad_mode_name((PadMode)t->statics[i]->value)) : nat_doc(p, t->statics[i], LEVEL_ATOM));
    }
    return d;
}

/* Printed as text whose type the context gives (elab.c: is_flexible). */
static bool is_flexible(const Term *t) { return t->kind == T_LIT || (t->kind == T_SIZE && is_plain_name(t->u.nat)); }

/* Does the elaborator know the type of argument i from its context? Mirrors elab.c; when in doubt, no. */
static bool arg_known(Printer *p, const Term *t, int i, bool known)
{
    PrimId id = (PrimId)t->prim;
    bool folds = prim(id)->family == FAM_REDUCE || prim(id)->family == FAM_SCAN;
    if (folds && prim(id)->write != WRITE_BY_INDEX && id != PRIM_REDUCE_BY_INDEX) {
        if (i != 1 || known || !prim_is_fold(id)) return i == 1;
        p->short_inits += !p->long_inits;
        return !p->long_inits;
    }
    switch (id) {
    case PRIM_PAD_CONST: return i == 0;
    case PRIM_TUPLE: case PRIM_ZIP: case PRIM_TO_IMAGE: return known;
    case PRIM_AT: return i == 0;
    case PRIM_VDOT: return i == 1;
    case PRIM_VEC:
        for (int k = 0; k < (is_flexible(t->args[i]) ? t->arg_count : i); k++)
            if (k != i && !is_flexible(t->args[k])) return true;
        return known;
    default: break;
    }
    if (prim(id)->family == FAM_MEMORY) return known;
    const Scheme *s = prim_scheme(p->c, id);
    if (prim(id)->family != FAM_SCALAR || !s || s->args[i]->kind != SCH_VAR) return false;
    bool result = s->result->kind == SCH_VAR && s->result->var == s->args[i]->var;
    if (result && known) return true;
    /* rigid arguments are read in order, then the flexible ones */
    int last = is_flexible(t->args[i]) ? t->arg_count : i;
    for (int k = 0; k < last; k++)
        if (k != i && s->args[k]->kind == SCH_VAR && s->args[k]->var == s->args[i]->var && !is_flexible(t->args[k]))
            return true;
    return false;
}

static const char *print_fallback(const Term *t)
{
    PrimFamily f = prim((PrimId)t->prim)->family;
    return f == FAM_REDUCE || f == FAM_SCAN ? "acc" : t->prim == PRIM_GENERATE ? "i" : NULL;
}

/* The function of the elements of map2, map3 ... */
static const Doc *mapped_function(Printer *p, const Term *t, const Term *inner, bool known)
{
    const int names = p->name_count, depth = p->path_length;
    const bool was = p->on_path;
    p->on_path = false;
    while (t->args[0] != inner) {
        const Term *f = t->args[0];
        for (int i = 0; i < f->type->elems[0]->leaf_count; i++) names_push(p, "");     /* not mentioned in what is printed */
        for (int i = 0; i < 2; i++, p->path_length++) step_to(p, 0);
        t = f->args[0];
    }
    const Doc *d = print_slot_as(p, t, 0, LEVEL_ATOM, known, true, NULL);
    names_pop(p, names);
    p->path_length = depth;
    p->on_path = was;
    return d;
}

/* The head of an application: name, statics, and the first n arguments. */
static const Doc *head(Printer *p, const Term *t, int n, bool known, bool open)
{
    const Term *inner;
    const int rank = map_rank(p, t, &inner);
    const Doc *d = print_statics(p, t, doc_text(p, ranked(p->arena, prim((PrimId)t->prim)->name, rank))), *args = NULL;
    int first = t->prim == PRIM_REORDER ? t->arg_count - 1 : 0;       /* its functions are part of the permutation */
    PrimFamily f = prim((PrimId)t->prim)->family;
    bool result = f == FAM_REDUCE || f == FAM_SCAN || (known && (f == FAM_MAP || t->prim == PRIM_GENERATE));
    for (int i = first; i < n; i++) {
        if (open && i == t->arg_count - 1) p->open_end = t->args[i];
        const Doc *a = rank > 1 && i == 0 ? mapped_function(p, t, inner, result)
                     : t->args[i]->kind == T_LAM
                           ? print_slot_as(p, t, i, LEVEL_ATOM, result, true, print_fallback(t))
                           : print_slot(p, t, i, LEVEL_ATOM, arg_known(p, t, i, known));
        args = args ? doc(p, "@\n@", args, a) : doc(p, "\n@", a);
    }
    return args ? doc_cat(p, d, doc_nest(p, args)) : d;
}

static const Doc *form_head(Printer *p, const Form *f)
{
    const Doc *d = doc_text(p, f->name);
    for (int i = 0; i < FORM_NUMBERS && f->numbers[i]; i++) d = doc(p, "@ @", d, nat_doc(p, f->numbers[i], LEVEL_ATOM));
    if (f->mode) d = doc(p, "@ @", d, doc_text(p, f->mode));
    for (int i = 0; f->each && i < f->rank; i++) d = doc(p, "@ (@)", d, form_head(p, &f->each[i]));
    if (!f->value) return d;
    step_to(p, UINT8_MAX);                                          /* it stands in several places, or behind a function: notes are of none */
    p->path_length++;
    d = doc(p, "@ @", d, print_term(p, f->value, LEVEL_ATOM, true));
    p->path_length--;
    return d;
}

/* The link t of a chain without what it is of. */
static const Doc *link_head(Printer *p, const Term *t)
{
    const Form f = derived(p, t);
    return f.name ? form_head(p, &f) : head(p, t, t->arg_count - 1, false, false);
}

/* g1 . g2 . g3 for the links from t down to (not including) end, which is where we are then. */
static const Doc *chain(Printer *p, const Term *t, const Term *end)
{
    const Doc *d = NULL;
    const Scalar floats = p->floats, ints = p->ints;
    while (t != end) {
        const char *text = d ? note(p, false) : NULL;                   /* of the first, the caller's */
        const Term *next = behind_link(p, t);
        const Doc *h = with_note(p, text, doc_group(p, link_head(p, t)));
        d = d ? doc(p, p->o->unicode ? "@ ∘\n@" : "@ .\n@", d, h) : h;
        literals_under(p, t);
        for (; t != next; t = last_arg(t), p->links++) step_to(p, t->arg_count - 1);
    }
    p->floats = floats;
    p->ints = ints;
    return d;
}

/* A tuple that is exactly a parameter printed as one name. */
static const char *whole_name(Printer *p, const Term *t)
{
    const Term *last = t;
    while (term_is(last, PRIM_TUPLE)) last = last_arg(last);
    if (last->kind != T_VAR || !term_is_param(t, t->type, last->u.index)) return NULL;
    int from = p->name_count - 1 - last->u.index, n = t->type->leaf_count;
    if (from - n + 1 < 0) return NULL;
    for (int i = 1; i < n; i++)
        if (p->names[from - i] != p->names[from]) return NULL;
    return p->names[from];
}

/* The e of generate 1 (\_ -> e), inside of its function; NULL: it is none. */
static const Term *only_element(const Term *t)
{
    bool one = term_is(t, PRIM_GENERATE) && t->statics[0]->is_const && t->statics[0]->value == 1;
    const Term *e = one ? t->args[0]->args[0] : NULL;
    return e && !term_mentions(e, 0, 1) ? e : NULL;
}

static bool is_update(const Term *t) { return term_is(t, PRIM_SCATTER) && only_element(t->args[1]) && only_element(t->args[2]); }

/* Is the new element i of the update t an update of t's element i? */
static bool updates_on(Printer *p, const Term *t)
{
    const Term *v = only_element(t->args[2]);
    if (!is_update(v) || !term_is(v->args[0], PRIM_AT)) return false;
    return v->args[0]->args[0] == only_element(t->args[1]) && v->args[0]->args[1] == term_shift(p->c, t->args[0], 1, 0);
}

/* The only element of an argument; the value of an update with its other indices. */
static const Doc *print_update(Printer *p, const Term *t, const Doc *indices);

static const Doc *print_only(Printer *p, const Term *t, int slot, const Doc *indices)
{
    const int way[] = {slot, 0, 0};
    int names = p->name_count, depth = p->path_length;
    const Term *f = t->args[slot]->args[0];
    for (int i = 0; i < COUNT(way); i++, p->path_length++) step_to(p, way[i]);
    names_push(p, "");                                           /* not mentioned in what is printed */
    const Doc *d = indices && updates_on(p, t) ? print_update(p, f->args[0], indices) : print_term(p, f->args[0], LEVEL_LOWEST, true);
    if (indices && !updates_on(p, t)) d = doc(p, "[@] =@", indices, doc_nest(p, doc(p, "\n@", d)));
    names_pop(p, names);
    p->path_length = depth;
    return d;
}

/* "[i, j] = v", behind other indices */
static const Doc *print_update(Printer *p, const Term *t, const Doc *indices)
{
    const Doc *index = print_only(p, t, 1, NULL);
    return print_only(p, t, 2, indices ? doc(p, "@, @", indices, index) : index);
}

/* x with [i] = v, x with [:, j] = v; NULL: t is none, or the mark is in it. */
static const Doc *update(Printer *p, const Term *t, int prec)
{
    bool columns = term_is(t, PRIM_TRANSPOSE) && is_update(t->args[0]) && term_is(t->args[0]->args[0], PRIM_TRANSPOSE);
    if ((!columns && !is_update(t)) || leads_to_mark(p)) return NULL;
    int depth = p->path_length;
    bool was = p->on_path;
    p->on_path = false;
    const Term *scatter = columns ? t->args[0] : t;
    for (int i = 0; i < columns; i++, p->path_length++) step_to(p, 0);
    const Doc *value = print_update(p, scatter, columns ? doc_text(p, ":") : NULL);
    for (int i = 0; i < columns; i++, p->path_length++) step_to(p, 0);
    const Doc *x = print_slot(p, columns ? scatter->args[0] : scatter, 0, LEVEL_APP, false);
    p->path_length = depth;
    p->on_path = was;
    return doc_bracket_if(p, prec > LEVEL_LOWEST, doc_group(p, doc(p, "@ with @", x, value)));
}

/* loop k (\s i -> e) x */
static const Doc *print_loop(Printer *p, const Term *t, bool known)
{
    const int names = p->name_count, depth = p->path_length;
    const bool was = p->on_path;
    const Term *f = t->args[0];
    const Type *param = f->type->elems[0], *state = param->elems[0];
    const char *const *hints = f->u.hints + 1;
    p->on_path = false;
    const Doc *x = print_slot(p, t, 1, LEVEL_ATOM, arg_known(p, t, 1, known));
    step_to(p, 0);
    p->path_length++;
    const Doc *s = print_pattern(p, state, hints, f->args[0], 1, "acc"), *i = doc_text(p, "_");
    if (term_mentions(f->args[0], 0, 1)) i = print_pattern(p, param->elems[1], hints + hint_count(state), f->args[0], 0, "i");
    else names_push(p, "");
    const Doc *body = doc_nest(p, doc(p, "\n@", print_slot(p, f, 0, LEVEL_LOWEST, true)));
    names_pop(p, names);
    p->path_length = depth;
    p->on_path = was;
    const Doc *fun = doc_group(p, doc(p, p->o->unicode ? "(λ@ @ →@)" : "(\\@ @ ->@)", s, i, body));
    return doc_group(p, doc(p, "loop @@", nat_doc(p, t->args[2]->statics[0], LEVEL_ATOM), doc_nest(p, doc(p, "\n@\n@", fun, x))));
}

static const Doc *print_prim(Printer *p, const Term *t, int prec, bool known)
{
    const Prim *of = prim((PrimId)t->prim);
    const Infix *op = of->family == FAM_SCALAR ? infix_of(of->name) : NULL;
    if (op) {
        const Doc *a = print_slot(p, t, 0, op->level + (op->assoc != ASSOC_LEFT), arg_known(p, t, 0, known));
        const Doc *b = print_slot(p, t, 1, op->level + (op->assoc != ASSOC_RIGHT), arg_known(p, t, 1, known));
        const Doc *d = doc(p, "@ @@", a, doc_text(p, of->name), doc_nest(p, doc(p, "\n@", b)));
        return doc_bracket_if(p, prec > op->level, doc_group(p, d));
    }
    const Doc *with = update(p, t, prec);
    if (with) return with;
    switch (t->prim) {
    case PRIM_LET: {
        const Term *f = t->args[1];
        const Doc *value = print_slot(p, t, 0, LEVEL_LOWEST, false);
        int names = p->name_count;
        const Doc *name = print_pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, "t");
        const Doc *body = print_slot(p, t, 1, LEVEL_LOWEST, known);
        names_pop(p, names);
        return doc_bracket_if(p, prec > LEVEL_LOWEST, doc_group(p, doc(p, "let @ = @\nin @", name, value, body)));
    }
    case PRIM_IF: {
        const Doc *d = doc(p, "if @", print_slot(p, t, 0, LEVEL_LOWEST, true));
        d = doc(p, "@\nthen @", d, print_slot(p, t, 1, LEVEL_LOWEST, arg_known(p, t, 1, known)));
        d = doc(p, "@\nelse @", d, print_slot(p, t, 2, LEVEL_LOWEST, arg_known(p, t, 2, known)));
        return doc_bracket_if(p, prec > LEVEL_LOWEST, doc_group(p, doc_nest(p, d)));
    }
    case PRIM_TUPLE: {
        const char *name = whole_name(p, t);
        if (name) return doc_text(p, name);
        const Doc *d = NULL;
        for (int i = 0; i < t->arg_count; i++) {
            const Doc *part = print_slot(p, t, i, LEVEL_LOWEST, arg_known(p, t, i, known));
            d = d ? doc(p, "@,\n@", d, part) : part;
        }
        return doc_group(p, doc_nest(p, doc(p, "(@)", d)));
    }
    case PRIM_PROJ: case PRIM_AT: case PRIM_LANE: {
        int last = t->arg_count - 1;
        if (t->prim == PRIM_PROJ)
            return doc(p, "@@", print_slot(p, t, 0, LEVEL_ATOM, false), doc_text(p, arena_printf(p->arena, ".%d", t->u.proj)));
        if (t->prim == PRIM_AT && !term_is_atom(t->args[1]) && !term_is(t->args[1], PRIM_AT))
            return doc_bracket_if(p, prec > LEVEL_APP, doc_group(p, head(p, t, 2, false, false)));
        const Doc *in = print_slot(p, t, last, LEVEL_ATOM, false);
        const Doc *index = t->prim == PRIM_LANE ? nat_doc(p, t->statics[0], 0) : print_slot(p, t, 0, LEVEL_LOWEST, true);
        return doc(p, "@[@]", in, index);
    }
    case PRIM_NEG: case PRIM_NOT: {
        bool minus = t->prim == PRIM_NEG, minus_literal = minus && t->args[0]->kind == T_LIT;       /* -(5): not the number -5 */
        const Doc *a = print_slot(p, t, 0, minus_literal ? LEVEL_LOWEST : LEVEL_PREFIX, known && minus);
        return doc_bracket_if(p, prec > LEVEL_PREFIX, doc(p, minus_literal ? "-(@)" : minus ? "-@" : "!@", a));
    }
    default: {
        const Term *end = t;
        int links = 0;
        bool open = p->open_end == t;
        while (!open && is_link(end) && !leads_to_mark(p)) end = behind_link(p, end), links++;
        if (links == 1 && behind_link(p, t) != last_arg(t)) {
            int above = p->links;
            bool was = p->on_path;
            p->on_path = false;
            const Doc *d = chain(p, t, end);
            d = doc_group(p, doc(p, "@@", d, doc_nest(p, doc(p, "\n@", print_term(p, end, LEVEL_ATOM, false)))));
            p->on_path = was;
            p->links = above;
            return doc_bracket_if(p, prec > LEVEL_APP, d);
        }
        if (links >= 2 && term_is_atom(end) && end->kind != T_LIT && end->kind != T_SIZE) {
            bool was = p->on_path;
            int above = p->links;
            p->on_path = false;                                     /* the mark, if any, is round the whole chain */
            const Doc *d = chain(p, t, end);
            d = doc(p, "@ $ @", d, print_term(p, end, LEVEL_LOWEST, false));
            p->on_path = was;
            p->links = above;
            return doc_bracket_if(p, prec > LEVEL_LOWEST, doc_group(p, doc_nest(p, d)));
        }
        if (is_loop(t) && !leads_to_mark(p) && prelude_has(p->c, "loop") && !name_in_scope(p, "loop"))
            return doc_bracket_if(p, prec > LEVEL_APP, print_loop(p, t, known));
        bool numbers = t->prim == PRIM_GENERATE && is_own_param(t->args[0]->args[0]) && !leads_to_mark(p);
        if (numbers && prelude_has(p->c, "iota") && !name_in_scope(p, "iota"))
            return doc_bracket_if(p, prec > LEVEL_APP, print_statics(p, t, doc_text(p, "iota")));
        open = is_link(t) && (open || links >= 2);
        const Doc *d = doc_group(p, head(p, t, t->arg_count, known, open));
        return doc_bracket_if(p, prec > LEVEL_APP && (t->arg_count || t->static_count), d);
    }
    }
}

static const Doc *print_node(Printer *p, const Term *t, int prec, bool known)
{
    switch (t->kind) {
    case T_VAR: {
        int i = p->name_count - 1 - t->u.index;
        return doc_text(p, i >= 0 ? p->names[i] : arena_printf(p->arena, "_%d", t->u.index));
    }
    case T_INPUT: return doc_text(p, t->u.name);
    case T_LIT: {
        Scalar s = t->type->scalar;
        if (s == SC_BOOL) return doc_text(p, t->u.lit.i ? "true" : "false");
        bool wide = s == SC_U64 && t->u.lit.i < 0;               /* reads back with its suffix alone */
        bool negative = scalar_is_float(s) ? signbit(t->u.lit.f) && !isnan(t->u.lit.f) : t->u.lit.i < 0 && !wide;
        const Doc *d;
        if (scalar_is_float(s)) d = float_literal(p, t, known);
        else if (wide) d = doc_text(p, arena_printf(p->arena, "%lluu64", (unsigned long long)t->u.lit.i));
        else d = doc_text(p, arena_printf(p->arena, "%lld%s", (long long)t->u.lit.i, known || s == p->ints ? "" : scalar_name(s)));
        return doc_bracket_if(p, negative && prec > LEVEL_PREFIX, d);
    }
    case T_SIZE: {
        bool plain = is_plain_name(t->u.nat);
        const Doc *d = plain ? nat_doc(p, t->u.nat, LEVEL_ATOM) : doc(p, "(@ : size)", nat_doc(p, t->u.nat, 0));
        return known || t->type->scalar == SC_I32 ? d : doc(p, "(@ : @)", d, doc_text(p, scalar_name(t->type->scalar)));
    }
    case T_LAM: return function(p, t, prec, known, NULL);
    default: return print_prim(p, t, prec, known);
    }
}

/* Between the marks where the marked node is printed. */
static const Doc *marked(Printer *p, const Doc *d)
{
    bool here = p->o->mark_before && p->on_path && p->path_length == p->o->path_length;
    return here ? doc(p, "@@@", doc_text(p, p->o->mark_before), d, doc_text(p, p->o->mark_after)) : d;
}

static const Doc *print_term(Printer *p, const Term *t, int prec, bool known)
{
    if (p->o->max_depth && p->path_length > p->o->max_depth && t->arg_count) return doc_text(p, "..");
    const Doc *d = print_node(p, t, prec, known);
    if (t->kind != T_LAM) d = with_note(p, note(p, false), d);
    return marked(p, d);
}

/* ---- functions ---- */

/* \(a, b) -> a op b, and \x -> f x for scalar functions: the operator's or function's name; NULL otherwise. */
static const Doc *named_function(Printer *p, const Term *f)
{
    const Type *param = f->type->elems[0];
    const Term *b = f->args[0];
    if (term_is_param(b, param, 0)) return doc_text(p, "id");
    if (b->kind != T_PRIM || prim((PrimId)b->prim)->family != FAM_SCALAR || b->prim == PRIM_IF
        || b->prim == PRIM_NEG || b->prim == PRIM_NOT)
        return NULL;
    int parts = b->arg_count == 1 ? 1 : param->kind == TY_TUPLE ? param->count : 0;
    if (parts != b->arg_count) return NULL;
    int below = param->leaf_count;
    for (int i = 0; i < parts; i++) {
        const Type *t = parts == 1 ? param : param->elems[i];
        below -= t->leaf_count;
        if (!term_is_param(b->args[i], t, below)) return NULL;
    }
    const char *name = prim((PrimId)b->prim)->name;
    return doc_bracket_if(p, !isalpha((unsigned char)*name), doc_text(p, name));
}

/* Does some number in t hang on that length? */
static bool counts(const Term *t, const NatAtom *v)
{
    if (!v || !(t->kind == T_SIZE || t->arg_count || t->static_count)) return false;
    return (t->kind == T_SIZE && nat_mentions(t->u.nat, v)) || ANY(i, t->static_count, nat_mentions(t->statics[i], v))
        || ANY(i, t->arg_count, counts(t->args[i], v));
}

/* \x -> g1 (g2 (... x)) with x at the end only: g1 . g2 . ... (one link: a partial application); NULL otherwise. */
static const Doc *composed_function(Printer *p, const Term *f, int prec)
{
    int leaves = f->type->elems[0]->leaf_count, links = 0;
    const Term *t = f->args[0];
    for (; is_link(t) && !ANY(i, t->arg_count - 1, term_mentions(t->args[i], 0, leaves)); t = behind_link(p, t)) links++;
    const Type *param = f->type->elems[0];
    if (!links || !term_is_param(t, param, 0) || counts(f->args[0], type_any_length(param))) return NULL;
    int names = p->name_count, above = p->links;
    for (int i = 0; i < leaves; i++) names_push(p, "");        /* not mentioned in what is printed */
    step_to(p, 0);
    p->links++;
    const char *text = note(p, false);
    const Doc *d = with_note(p, text, chain(p, f->args[0], t));
    p->links = above;
    names_pop(p, names);
    bool single_word = links == 1 && f->args[0]->arg_count == 1 && f->args[0]->static_count == 0 && behind_link(p, f->args[0]) == last_arg(f->args[0]);
    int own = links > 1 ? LEVEL_COMPOSE : single_word ? LEVEL_ATOM : LEVEL_APP;
    return doc_bracket_if(p, prec > own, doc_group(p, d));
}

static const Doc *function(Printer *p, const Term *f, int prec, bool known, const char *fallback)
{
    bool plain = !leads_to_mark(p);
    const Doc *d = plain ? named_function(p, f) : NULL;
    bool named = d != NULL;
    if (!d && plain) d = composed_function(p, f, prec);
    if (d) return marked(p, with_note(p, note(p, named), d));
    int names = p->name_count;
    const Doc *param = print_pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, fallback);
    const Doc *body = doc_nest(p, doc(p, "\n@", print_slot(p, f, 0, LEVEL_LOWEST, known)));
    d = doc(p, p->o->unicode ? "λ@ →@" : "\\@ ->@", param, body);
    d = with_note(p, note(p, false), d);
    names_pop(p, names);
    return doc_bracket_if(p, prec > LEVEL_LOWEST, doc_group(p, d));
}

/* ---- entry points ---- */

static void put_flat(Buf *out, const Doc *d) { doc_layout(&(Layout){out, 0, 0}, d, 0, true); }

/* Sizes, parameters and inputs are names too: binders avoid them. */
static void reserve_nat(Printer *p, const Nat *n)
{
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    for (int i = 0; i < vars.n; i++)
        if (vars.v[i]->var != VAR_INDEX && !name_taken(p, vars.v[i]->name)) names_push(p, vars.v[i]->name);
}

static void reserve_type(Printer *p, const Type *t)
{
    if (t->size && !t->size->is_const) reserve_nat(p, t->size);
    for (int i = 0; i < t->count; i++) reserve_type(p, t->elems[i]);
}

static bool same_pointer(const void *key, const void *item) { return key == item; }

static void reserve_names(Printer *p, PtrTable *seen, const Term *t)
{
    if (ptr_table_find(seen, t->id, same_pointer, t)) return;
    ptr_table_add(seen, t->id, (void *)t);
    if (t->kind == T_INPUT) {
        if (p->input_count < INPUTS_READ) p->inputs[p->input_count++] = (Input){t->u.name, t->type};
        if (!name_in_scope(p, t->u.name)) names_push(p, t->u.name);
        reserve_type(p, t->type);
    }
    if (t->kind == T_SIZE) reserve_nat(p, t->u.nat);
    for (int i = 0; i < t->static_count; i++)
        if (t->statics[i] && !t->statics[i]->is_const) reserve_nat(p, t->statics[i]);
    for (int i = 0; i < t->arg_count; i++) reserve_names(p, seen, t->args[i]);
}

/* The names are pushed below every index, so de Bruijn lookups never reach them. */
static void reserve_all(Printer *p, const Term *root)
{
    LOCAL(ptr_table_free) PtrTable seen = {0};
    reserve_names(p, &seen, root);
}

static Printer printer(Ctx *c, const PrintOptions *o, const Term *root)
{
    Printer p = {.c = c, .arena = arena_new(), .o = o, .floats = SC_F32, .ints = SC_I32, .on_path = o->mark_before != NULL};
    p.names = arena_raw(p.arena, NAMES_MAX * sizeof *p.names);
    p.lengths = arena_raw(p.arena, NAMES_MAX * sizeof *p.lengths);
    p.before = arena_raw(p.arena, NAMES_MAX * sizeof *p.before);
    for (int i = 0; i < NAME_BUCKETS; i++) p.last[i] = -1;
    reserve_all(&p, root);
    return p;
}

static void printer_end(Printer *p) { arena_free(p->arena); }

static bool mentions_fold(const Term *t)
{
    if (!(t->flags & TF_REDUCES)) return false;
    if (t->kind == T_PRIM && prim_is_fold((PrimId)t->prim)) return true;
    return ANY(i, t->arg_count, mentions_fold(t->args[i]));
}

/* Does the text read back as this very term? Names of sizes and parameters are taken from the printer's reserved names. */
static bool reads_back(Ctx *c, Printer *p, const Term *t, const char *s)
{
    enum { MAX = 64 };
    const Nat *sizes[MAX];
    const char *params[MAX];
    Program program = {.inputs = p->inputs, .input_count = p->input_count, .sizes = sizes};
    LangScope scope = {.program = &program, .params = params};
    for (int i = 0; i < p->name_count && i < MAX; i++) {
        if (!isupper((unsigned char)*p->names[i])) params[scope.param_count++] = p->names[i];
        else if (!ANY(k, p->input_count, !strcmp(p->inputs[k].name, p->names[i])))
            sizes[program.size_count++] = nat_var(c->nats, p->names[i], VAR_SIZE, NULL, NULL);
    }
    Diag saved = diag_aside(&c->diag);
    Source source = {"printed", s, strlen(s)};
    bool same = lang_expr(c, &scope, &source, NULL) == t;
    diag_back(&c->diag, saved);
    return same;
}

/* Should initial values of left folds carry their types? Only where the short text would read as something else. */
static bool needs_long_inits(Ctx *c, const Term *root)
{
    if (!mentions_fold(root)) return false;
    PrintOptions plain = {0};
    LOCAL(printer_end) Printer p = printer(c, &plain, root);
    LOCAL(buf_free) Buf b = {0};
    put_flat(&b, print_term(&p, root, LEVEL_LOWEST, false));
    return p.short_inits > 0 && !reads_back(c, &p, root, buf_text(&b));
}

/* Push the names that the lambda, or the lambda of a let, binds; NULL: t binds nothing. */
static const Doc *bind(Printer *p, const Term *t, const char *fallback)
{
    const Term *f = t->kind == T_LAM ? t : term_is(t, PRIM_LET) ? t->args[1] : NULL;
    return f ? print_pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, f == t ? fallback : "t") : NULL;
}

static const char *fallback_below(const Term *parent) { return parent && parent->kind == T_PRIM ? print_fallback(parent) : NULL; }

/* The node at a path, or the last on it, with the names of the binders on the way pushed as they print in the whole term. */
static const Term *walk_to(Printer *p, const Term *t, const uint8_t *path, int length)
{
    const Term *parent = NULL;
    for (int i = 0; i < length && path[i] < term_slot_count(t); i++) {
        if (t->kind == T_LAM || path[i] == 1) bind(p, t, fallback_below(parent));
        parent = t;
        t = term_slot(t, path[i]);
    }
    return t;
}

/* The node at a path, or another term that could stand there. */
static void print_from(Ctx *c, const Term *root, const uint8_t *path, int length, const Term *instead,
                       const PrintOptions *o, Buf *out)
{
    LOCAL(printer_end) Printer p = printer(c, o, root);
    p.long_inits = !o->max_depth && needs_long_inits(c, root);     /* elided text does not read back anyway */
    if (instead) reserve_all(&p, instead);
    /* A term taken out of its functions has free indices: _0 is the innermost. */
    for (int i = root->free_limit - 1; i >= 0; i--) names_push(&p, arena_printf(p.arena, "_%d", i));
    const Term *t = walk_to(&p, root, path, length);
    if (instead) t = instead;
    Layout l = {out, o->width, 0};
    doc_layout(&l, print_term(&p, t, LEVEL_LOWEST, false), 0, o->width == 0);
}

void lang_print(Ctx *c, const Term *t, const PrintOptions *o, Buf *out) { print_from(c, t, NULL, 0, NULL, o, out); }

void lang_print_at(Ctx *c, const Term *root, const uint8_t *path, int length, const PrintOptions *o, Buf *out)
{
    print_from(c, root, path, length, NULL, o, out);
}

const char *lang_text(Ctx *c, const Term *root, const uint8_t *path, int length, int max)
{
    return lang_text_of(c, root, path, length, NULL, max);
}

const char *lang_text_of(Ctx *c, const Term *root, const uint8_t *path, int length, const Term *instead, int max)
{
    Buf b = {0};
    for (int depth = 12; depth >= 1; depth -= depth > 4 ? 2 : 1) {
        PrintOptions o = {.max_depth = depth};
        buf_clear(&b);
        print_from(c, root, path, length, instead, &o, &b);
        if (text_width(buf_text(&b)) <= max) break;
    }
    if (text_width(buf_text(&b)) > max) {
        b.len = text_fit(b.data, max - 2);
        buf_puts(&b, "..");
    }
    return buf_take(&b, c->diag.arena);
}

/* ---- names ---- */

const char *lang_binder(Ctx *c, const Term *root, const uint8_t *path, int path_length)
{
    PrintOptions plain = {0};
    LOCAL(printer_end) Printer p = printer(c, &plain, root);
    const Term *t = walk_to(&p, root, path, path_length), *parent = root;
    for (int i = 0; i + 1 < path_length; i++) parent = term_slot(parent, path[i]);
    const Doc *d = bind(&p, t, path_length ? fallback_below(parent) : NULL);
    Buf b = {0};
    if (d) put_flat(&b, d);
    return buf_take(&b, c->diag.arena);
}

static bool binds_name(Printer *p, const Term *t, const char *fallback, const char *name)
{
    int names = p->name_count;
    bool found = false, let = term_is(t, PRIM_LET);
    if (let) found = binds_name(p, t->args[0], NULL, name);
    if (!found && bind(p, t, fallback)) {
        /* Names that no text gave are left out: they often do not print at all. */
        const Term *f = let ? t->args[1] : t;
        bool given = f->u.hints && ANY(i, hint_count(f->type->elems[0]), f->u.hints[i]);
        found = given && ANY(i, p->name_count - names, !strcmp(p->names[names + i], name));
    }
    for (int i = let; i < term_slot_count(t) && !found; i++)
        found = binds_name(p, term_slot(t, i), fallback_below(t), name);
    names_pop(p, names);
    return found;
}

bool lang_has_name(Ctx *c, const Term *root, const char *name)
{
    PrintOptions plain = {0};
    LOCAL(printer_end) Printer p = printer(c, &plain, root);
    return ANY(i, p.name_count, !strcmp(p.names[i], name)) || binds_name(&p, root, NULL, name);
}

/* ---- trees ---- */

typedef struct Tree {
    Printer *p;
    bool types;
    Buf *out;
    int top, length;                         /* length of the path of the whole tree, of the present node */
    uint8_t path[256];                       /* nodes with longer paths have no label */
} Tree;

static void tree(Tree *t, const Term *node, const char *slot, const char *fallback)
{
    Printer *p = t->p;
    int names = p->name_count, depth = t->length - t->top;
    if (p->o->label) p->o->label(p->o->label_data, t->length <= COUNT(t->path) ? t->path : NULL, t->length, t->out);
    buf_printf(t->out, "%*s%s%s", 2 * (t->length - t->top), "", slot, *slot ? ": " : "");
    if (node->kind == T_LAM) {
        buf_puts(t->out, p->o->unicode ? "λ" : "\\");
        put_flat(t->out, bind(p, node, fallback));
    } else if (node->kind != T_PRIM) {
        put_flat(t->out, print_term(p, node, LEVEL_LOWEST, true));
    } else if (node->prim == PRIM_PROJ) {
        buf_printf(t->out, ".%d", node->u.proj);
    } else if (node->prim == PRIM_REORDER && node->arg_count == 3) {
        buf_puts(t->out, "reorder perm");
    } else {
        put_flat(t->out, print_statics(p, node, doc_text(p, prim((PrimId)node->prim)->name)));
    }
    if (t->types) {
        buf_puts(t->out, "  : ");
        type_print(node->type, t->out);
    }
    buf_putc(t->out, '\n');
    bool elide = p->o->max_depth && depth >= p->o->max_depth;
    if (elide && node->arg_count) {
        if (p->o->label) p->o->label(p->o->label_data, NULL, 0, t->out);
        buf_printf(t->out, "%*s..\n", 2 * depth + 2, "");
    }
    for (int i = 0; i < term_slot_count(node) && !elide; i++) {
        if (term_is(node, PRIM_LET) && i == 1) bind(p, node, NULL);
        if (t->length < COUNT(t->path)) t->path[t->length] = (uint8_t)i;
        t->length++;
        tree(t, term_slot(node, i), term_slot_name(p->c, node, i), fallback_below(node));
        t->length--;
    }
    names_pop(p, names);
}

void lang_print_tree(Ctx *c, const Term *root, const uint8_t *path, int length, const PrintOptions *o,
                     bool types, Buf *out)
{
    LOCAL(printer_end) Printer p = printer(c, o, root);
    Tree t = {.p = &p, .types = types, .out = out, .top = length, .length = length};
    if (length) memcpy(t.path, path, (size_t)length);
    tree(&t, walk_to(&p, root, path, length), "", NULL);
}
