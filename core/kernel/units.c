/* units: products of tiles by the matrix units of warps (mma): what they mean in the term, and where their lanes find what they multiply. */
#include "dialect.h"
#include "plan_private.h"
#include "translate_emit.h"

#include <stdlib.h>

/* ---- in terms ---- */

static bool is_mma(void *unused, const Term *t)
{
    (void)unused;
    return term_is(t, PRIM_MMA);
}

const Term *unit_mma(const Build *b, const Term *meaning)
{
    for (int i = 0; i < b->units.n; i++)
        if (b->units.v[i].meaning == meaning) return b->units.v[i].mma;
    return NULL;
}

static bool is_spelt_out(void *build, const Term *t) { return unit_mma(build, t); }

bool plan_has_units(const Build *b)
{
    return b->dialect->ptx && b->options->on_gpu && target_number(b->options->target, TARGET_GPU, TARGET_MATRIX) > 0;
}

bool units_in(Build *b, const Term *root) { return b->units.n && term_find(root, is_spelt_out, b); }

const Term *units_spelt_out(Build *b, const Term *t)
{
    if (!(t->flags & TF_MAPPED) || !term_find(t, is_mma, NULL)) return t;
    const Term *r = TERM_MAP(b->c, t, i, units_spelt_out(b, t->args[i]));
    if (!r || !term_is(r, PRIM_MMA)) return r;
    const Term *meaning = term_meaning(b->c, r);
    if (meaning) vec_push(&b->units, ((Spelt){meaning, r}));
    return meaning;
}

/* ---- fragments ---- */

/* The operand whose row i is view_at(rows, i); of the second they lie in pairs. */
typedef struct Operand { View *rows; bool pairs; } Operand;

static View *element(Build *b, const Operand *o, const Nat *row, const Nat *column)
{
    const Nat *two = nat_const(b->n, 2);
    View *v = o->pairs ? view_at(b, view_at(b, o->rows, nat_div(b->n, row, two, b->facts)), nat_mod(b->n, row, two, b->facts)) : view_at(b, o->rows, row);
    return view_at(b, v, column);
}

static bool is_read(const Place *p) { return p->at && p->width == 1 && !p->buf->image_of; }

static bool cell(Build *b, const Operand *o, const Nat *row, const Nat *column, Place *out)
{
    return view_place(element(b, o, row, column), out) && is_read(out);
}

/* x of `tf32 x`; NULL: it is none */
static const Expr *unrounded(const Expr *e) { return e->kind == X_OP && e->op == PRIM_TF32 ? e->args[0] : NULL; }

/* What a value has that the block names; another one as it is. */
static const Expr *named(const Block *blk, const Expr *e)
{
    for (const Stmt *s = blk->first; s && e->kind == X_LOAD; s = s->next)
        if (s->kind == S_STORE && s->place.buf == e->place.buf && s->place.buf->once) return s->value;
    return e;
}

/* tf32 x, or tf32 (x - tf32 x), of what lies somewhere. */
static bool rounded_cell(Build *b, const Operand *o, const Nat *row, const Nat *column, Place *out, bool *rest)
{
    Block *aside = NEW(b->arena, Block);                                 /* what is named on the way is no part of the kernel */
    EmitScope scope = emit_enter(b, aside);
    const Expr *x = unrounded(view_value(b, element(b, o, row, column)));
    emit_leave(b, scope);
    if (b->failed || !x) return false;
    *rest = x->kind == X_OP && x->op == PRIM_SUB;
    const Expr *from = *rest ? x->args[0] : x, *less = *rest ? unrounded(x->args[1]) : NULL;
    if (from->kind != X_LOAD || (*rest && !(less && less->kind == X_LOAD && place_same(&less->place, &from->place)))) return false;
    from = named(aside, from);
    if (from->kind != X_LOAD) return false;
    *out = from->place;
    return is_read(out);
}

static const Nat *num(Build *b, int64_t v) { return nat_const(b->n, v); }
static const Nat *plus(Build *b, const Nat *n, int64_t v) { return nat_add(b->n, n, num(b, v)); }
static const Nat *times(Build *b, const Nat *n, int64_t v) { return nat_mul(b->n, n, num(b, v)); }
static const Nat *over(Build *b, const Nat *n, int64_t v) { return nat_div(b->n, n, num(b, v), b->facts); }
static const Nat *rest(Build *b, const Nat *n, int64_t v) { return nat_mod(b->n, n, num(b, v), b->facts); }

/* A float that is rounded to TF32 lies there, or a half or bf16. */
static bool unit_cell(Build *b, const Operand *o, int width, const Nat *row, const Nat *column, Place *out, bool *rest)
{
    return width == 1 ? rounded_cell(b, o, row, column, out, rest) : cell(b, o, row, column, out);
}

/* Are the elements from there along a row, or down a column, one piece of 16 bytes? Floats: of those that are taken in one way. */
static bool is_piece(Build *b, const Operand *o, int width, const Nat *row, const Nat *column, bool down)
{
    Place first, at;
    int log = width == 1 ? 2 : 3;
    bool rest = false, other = false;
    if (!unit_cell(b, o, width, row, column, &first, &rest) || first.buf->space != SPACE_LOCAL || (first.buf->swizzle.piece && first.buf->swizzle.piece < log)
        || !nat_divides(b->n, num(b, 1 << log), first.at, b->facts)) return false;
    for (int i = 1; i < 1 << log; i++) {
        if (!unit_cell(b, o, width, down ? plus(b, row, i) : row, down ? column : plus(b, column, i), &at, &other) || at.buf != first.buf || rest != other)
            return false;
        const Nat *step = nat_sub(b->n, at.at, first.at);
        if (!step || !step->is_const || step->value != i) return false;
    }
    return true;
}

/* Where a lane finds fragments, all of a step together: tiles of 16 rows by 32 bytes of the sum, for each lane the beginning of one of
 * their 32 pieces. The registers are then, of the first operand: rows 0 to 7 and 8 to 15 of the first half of the step, then of the second;
 * of the second operand: both halves of rows 0 to 7, then of 8 to 15. */
static void piece_of(Build *b, const Operand *o, int width, bool down, const Nat **row, const Nat **column)
{
    const Nat *l0 = b->k->id[ID_LOCAL][0], *l1 = b->k->id[ID_LOCAL][1];
    const Nat *low = nat_add(b->n, l0, times(b, rest(b, l1, 2), 4));            /* lane % 8 */
    const Nat *middle = rest(b, over(b, l1, 2), 2), *high = over(b, l1, 4);     /* lane / 8 % 2, lane / 16 */
    const Nat *rows = times(b, o->pairs ? high : middle, 8), *columns = times(b, o->pairs ? middle : high, 4 * width);
    *row = down ? rows : nat_add(b->n, low, rows);
    *column = down ? nat_add(b->n, low, columns) : columns;
}

/* tiles: of 16 rows (of the second operand: two of 8); steps of 8 words. Only 16 bits are turned on their way. */
static bool find_pieces(Build *b, const Operand *o, int tiles, int steps, int width, bool down, Fragments *out)
{
    const Nat *row, *column;
    piece_of(b, o, width, down, &row, &column);
    if (!is_piece(b, o, width, row, column, down)) return false;
    *out = (Fragments){.load = down ? LOAD_COLUMNS : LOAD_ROWS, .count = steps * tiles, .at = NEW_ARRAY(b->arena, Place, steps * tiles)};
    if (width == 1) out->rest = NEW_ARRAY(b->arena, bool, out->count);
    for (int s = 0; s < steps; s++)
        for (int i = 0; i < tiles; i++) {
            int n = s * tiles + i;
            if (!unit_cell(b, o, width, plus(b, row, 16 * i), plus(b, column, 8 * width * s), &out->at[n], out->rest ? &out->rest[n] : NULL)) return false;
        }
    return true;
}

/* Every element of every register: words of 32 bits, of one element or of two. */
static bool find_elements(Build *b, const Operand *o, int rows, int steps, int width, Fragments *out)
{
    const Nat *l0 = b->k->id[ID_LOCAL][0], *l1 = b->k->id[ID_LOCAL][1];
    int n = 0, depth = 8 * width;
    *out = (Fragments){.load = LOAD_EACH, .count = steps * rows * 2 * width, .at = NEW_ARRAY(b->arena, Place, steps * rows * 2 * width)};
    if (width == 1) out->rest = NEW_ARRAY(b->arena, bool, out->count);
    for (int s = 0; s < steps; s++)
        for (int i = 0; i < rows; i += o->pairs ? 1 : 2)
            for (int r = 0; r < (o->pairs ? 2 : 4); r++)
                for (int e = 0; e < width; e++) {
                    const Nat *row = plus(b, l1, 8 * (o->pairs ? i : i + r % 2));
                    const Nat *column = plus(b, times(b, l0, width), depth * s + depth / 2 * (o->pairs ? r : r / 2) + e);
                    if (!unit_cell(b, o, width, row, column, &out->at[n], out->rest ? &out->rest[n] : NULL)) return false;
                    if (width == 2 && out->at[n].buf->space != SPACE_LOCAL) return false;
                    n++;
                }
    return true;
}

/* rows: in tiles of 8 */
static bool find_fragments(Build *b, const Operand *o, int rows, const Unit *u, Fragments *out)
{
    int width = 4 / scalar_bytes(u->scalar);
    if (rows % 2 == 0 && (find_pieces(b, o, rows / 2, u->steps, width, false, out) || (width == 2 && find_pieces(b, o, rows / 2, u->steps, width, true, out))))
        return true;
    return find_elements(b, o, rows, u->steps, width, out);
}

/* Those of acc, which are updated where they are. */
static bool find_sums(Build *b, View *acc, View *dst, Unit *u)
{
    const Nat *l0 = b->k->id[ID_LOCAL][0], *l1 = b->k->id[ID_LOCAL][1];
    u->sums = NEW_ARRAY(b->arena, Place, unit_sums(u));
    for (int i = 0, n = 0; i < u->rows; i++)
        for (int j = 0; j < u->columns; j++)
            for (int e = 0; e < 4; e++, n++) {
                const Nat *at[] = {plus(b, l1, 16 * i + 8 * (e / 2)), plus(b, l0, 4 * j), num(b, e % 2)};
                View *from = acc, *to = dst;
                Place was;
                for (int d = 0; d < 3; d++) from = view_at(b, from, at[d]), to = view_at(b, to, at[d]);
                if (!view_place(to, &u->sums[n]) || !view_place(from, &was) || !place_same(&was, &u->sums[n])) return false;
            }
    return true;
}

Unit *unit_of(Build *b, View *const args[3], View *dst)
{
    const Type *a = view_type(args[0]), *second = view_type(args[1]);
    const Nat *m = a->size, *n = second->size, *k = a->elems[0]->size;
    Unit *u = MAKE(b->arena, Unit, .scalar = a->elems[0]->elems[0]->scalar);
    if (!plan_has_units(b)) return NULL;
    if ((u->scalar != SC_F16 && u->scalar != SC_BF16 && u->scalar != SC_F32) || b->k->local[0] != UNIT_ITEMS0 || b->k->local[1] != UNIT_ITEMS1) return NULL;
    int depth = 32 / scalar_bytes(u->scalar);
    const Nat *pair = second->elems[0]->size;
    if (!m->is_const || !n->is_const || !k->is_const || !pair->is_const || m->value % 16 || n->value % 4 || pair->value != 2 || k->value % depth) return NULL;
    u->rows = (int)m->value / 16, u->columns = (int)n->value / 4, u->steps = (int)k->value / depth;
    Operand rows = {args[0], false}, columns = {args[1], true};
    bool found = find_fragments(b, &rows, 2 * u->rows, u, &u->a) && find_fragments(b, &columns, u->columns, u, &u->b) && find_sums(b, args[2], dst, u);
    return found ? u : NULL;
}
