/* print: whole terms, binders and trees as text. */
#include "print_private.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- entry points ---- */

static void put_flat(Buf *out, const Doc *d) { doc_layout(&(Layout){out, 0, 0}, d, 0, true); }

/* Sizes, parameters and inputs are names too: binders avoid them. */
static void reserve_nat(Printer *p, const Nat *n)
{
    NatAtomVec vars = {0};
    nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++)
        if (vars.v[i]->var != VAR_INDEX && !name_taken(p, vars.v[i]->name)) names_push(p, vars.v[i]->name);
    free(vars.v);
}

static void reserve_type(Printer *p, const Type *t)
{
    if (t->size && !t->size->is_const) reserve_nat(p, t->size);
    for (int i = 0; i < t->count; i++) reserve_type(p, t->elems[i]);
}

typedef struct Seen { Printer *p; PtrTable terms; } Seen;
static bool same_pointer(const void *key, const void *item) { return key == item; }

static void reserve_names(Seen *s, const Term *t)
{
    if (ptr_table_find(&s->terms, t->id, same_pointer, t)) return;
    ptr_table_add(&s->terms, t->id, (void *)t);
    if (t->kind == T_INPUT) {
        if (!name_taken(s->p, t->u.name)) names_push(s->p, t->u.name);
        reserve_type(s->p, t->type);
    }
    if (t->kind == T_SIZE) reserve_nat(s->p, t->u.nat);
    for (int i = 0; i < t->static_count; i++)
        if (t->statics[i] && !t->statics[i]->is_const) reserve_nat(s->p, t->statics[i]);
    for (int i = 0; i < t->arg_count; i++) reserve_names(s, t->args[i]);
}

/* The names are pushed below every index, so de Bruijn lookups never reach them. */
static void reserve_all(Printer *p, const Term *root)
{
    Seen s = {.p = p};
    reserve_names(&s, root);
    ptr_table_free(&s.terms);
}

static Printer printer(Ctx *c, const PrintOptions *o, const Term *root)
{
    Printer p = {.c = c, .arena = arena_new(), .o = o, .on_path = o->mark_before != NULL};
    p.names = arena_raw(p.arena, NAMES_MAX * sizeof *p.names);
    p.lengths = arena_raw(p.arena, NAMES_MAX * sizeof *p.lengths);
    p.before = arena_raw(p.arena, NAMES_MAX * sizeof *p.before);
    for (int i = 0; i < NAME_BUCKETS; i++) p.last[i] = -1;
    reserve_all(&p, root);
    return p;
}

static bool mentions_fold(const Term *t)
{
    if (!(t->flags & TF_REDUCES)) return false;
    if (t->kind == T_PRIM && prim_is_fold((PrimId)t->prim)) return true;
    return ANY(i, t->arg_count, mentions_fold(t->args[i]));
}

static void free_inputs(const Term *t, Program *out, int max, PtrTable *seen)
{
    if (ptr_table_find(seen, t->id, same_pointer, t)) return;
    ptr_table_add(seen, t->id, (void *)t);
    if (t->kind == T_INPUT && out->input_count < max) out->inputs[out->input_count++] = (Input){t->u.name, t->type};
    for (int i = 0; i < t->arg_count; i++) free_inputs(t->args[i], out, max, seen);
}

/* Does the text read back as this very term? Names of sizes and parameters are taken from the printer's reserved names. */
static bool reads_back(Ctx *c, Printer *p, const Term *t, const char *s)
{
    enum { MAX = 64 };
    Input inputs[MAX];
    const Nat *sizes[MAX];
    const char *params[MAX];
    Program program = {.inputs = inputs, .sizes = sizes};
    LangScope scope = {.program = &program, .params = params};
    PtrTable seen = {0};
    free_inputs(t, &program, MAX, &seen);
    ptr_table_free(&seen);
    for (int i = 0; i < p->name_count && i < MAX; i++) {
        if (isupper((unsigned char)*p->names[i])) {
            if (!ANY(k, program.input_count, !strcmp(inputs[k].name, p->names[i])))
                sizes[program.size_count++] = nat_var(c->nats, p->names[i], VAR_SIZE, NULL, NULL);
        } else {
            params[scope.param_count++] = p->names[i];
        }
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
    Printer p = printer(c, &plain, root);
    Buf b = {0};
    put_flat(&b, print_term(&p, root, P_TOP, false));
    bool needs = p.short_inits > 0 && !reads_back(c, &p, root, buf_text(&b));
    buf_free(&b);
    arena_free(p.arena);
    return needs;
}

/* Push the names that the lambda, or the lambda of a let, binds; NULL: t binds nothing. */
static const Doc *bind(Printer *p, const Term *t, const char *fallback)
{
    const Term *f = t->kind == T_LAM ? t : t->kind == T_PRIM && t->prim == PRIM_LET ? t->args[1] : NULL;
    return f ? print_pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, f == t ? fallback : "t") : NULL;
}

static const char *fallback_below(const Term *parent)
{
    return parent && parent->kind == T_PRIM ? print_fallback(parent) : NULL;
}

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
    Printer p = printer(c, o, root);
    p.long_inits = !o->max_depth && needs_long_inits(c, root);     /* elided text does not read back anyway */
    if (instead) reserve_all(&p, instead);
    /* A term taken out of its functions has free indices: _0 is the innermost. */
    for (int i = root->free_limit - 1; i >= 0; i--) names_push(&p, arena_printf(p.arena, "_%d", i));
    const Term *t = walk_to(&p, root, path, length);
    if (instead) t = instead;
    Layout l = {out, o->width, 0};
    doc_layout(&l, print_term(&p, t, P_TOP, false), 0, o->width == 0);
    arena_free(p.arena);
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
    Printer p = printer(c, &plain, root);
    const Term *t = walk_to(&p, root, path, path_length), *parent = root;
    for (int i = 0; i + 1 < path_length; i++) parent = term_slot(parent, path[i]);
    const Doc *d = bind(&p, t, path_length ? fallback_below(parent) : NULL);
    Buf b = {0};
    if (d) put_flat(&b, d);
    const char *s = buf_take(&b, c->diag.arena);
    arena_free(p.arena);
    return s;
}

static bool binds_name(Printer *p, const Term *t, const char *fallback, const char *name)
{
    int names = p->name_count;
    bool found = false, let = t->kind == T_PRIM && t->prim == PRIM_LET;
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
    Printer p = printer(c, &plain, root);
    bool found = ANY(i, p.name_count, !strcmp(p.names[i], name)) || binds_name(&p, root, NULL, name);
    arena_free(p.arena);
    return found;
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
        put_flat(t->out, print_term(p, node, P_TOP, true));
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
        if (node->kind == T_PRIM && node->prim == PRIM_LET && i == 1) bind(p, node, NULL);
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
    Printer p = printer(c, o, root);
    Tree t = {.p = &p, .types = types, .out = out, .top = length, .length = length};
    if (length) memcpy(t.path, path, (size_t)length);
    tree(&t, walk_to(&p, root, path, length), "", NULL);
    arena_free(p.arena);
}
