/* features: what a kernel does, counted without running it: operations, bytes by memory, strides, barriers. */
#include "features_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One walk over a kernel; a statement is looked at once and counts as often as the loops around it go round. What an index does
 * from one work-item to the next depends on few of its terms: accesses that share these share the answer. */

enum { WARP_MOST = 64, BANKS_MOST = 64, BANK_BYTES = 4, DIMS_MAX = 24 };

/* Rounds that a GPU's compilers write out, all of those in each other together (32 loads of an inner loop are made once on an H200, and take an eighth so). */
enum { COMPILERS_KEEP = 32 };

/* Work-items whose elements lie in one line where loaded numbers say which: molecules and boxes have their neighbours near (lavamd, md, spmv on an H200). */
enum { LOADED_BESIDE = 4 };

/* Offsets from the first feature of a kind of access. */
enum { M_BYTES, M_ACCESSES, M_W1, M_W2, M_W4, M_W8, M_W16, M_COALESCED, M_UNIFORM, M_STRIDED, M_MOVED };

typedef struct Pattern {                 /* of accesses whose addresses differ by what is the same for all work-items of a group */
    uint64_t key;
    int class;                           /* M_COALESCED, M_UNIFORM, M_STRIDED */
    bool bent;                           /* FEATURE_BENT */
    double moved;                        /* bytes an access of one work-item */
    double lines;                        /* that a warp's access looks up, a work-item */
} Pattern;

typedef struct Reach {                   /* reads of a buffer that differ by a constant */
    uint64_t key;
    const Buffer *buf;
    int width, axis_count;
    Axis axes[DIMS_MAX];
    VEC(double) offsets;
} Reach;

typedef struct Seen { uint64_t key; int block; } Seen;

typedef struct Around {                  /* a loop around what is looked at */
    const NatAtom *var;
    double rounds, times;                /* times: that its body is reached */
} Around;

typedef struct Tally {
    Build *b;
    Kernel *k;
    Numbers numbers;
    double *v;                           /* the features */
    int64_t items, group;
    int lanes;                           /* work-items that run in step */
    double sector;                       /* bytes that memory moves at least */
    int banks;                           /* of local memory */
    double lane_id[WARP_MOST][3];
    Caches *caches;
    double share;                        /* of the rounds of the loop around that come to what is looked at */
    const NatAtom *round;                /* variable of the innermost loop; NULL: none */
    const NatAtom *counted;              /* that of the innermost one that is not written out */
    VEC(Around) around;                  /* the outermost first */
    double written;                      /* rounds of the loops within that are written out by compilers; infinity: not all of them are */
    double *loaded, *stored;             /* per global buffer: bytes read and written */
    double *updates, *starts;            /* per private buffer: stores that read the element they write, and others */
    VEC(const Buffer *) updated;
    PtrTable patterns, seen;
    int block, blocks;
    VEC(Reach *) reaches;
    PtrTable reach_of;
} Tally;

/* ---- from one work-item to the next ---- */

/* The value of n where only that lane's ids, or only the variable `round`, differ from 0. */
static double value_at(Tally *t, const Nat *n, const double *lane, const NatAtom *round)
{
    double sum = 0;
    for (int i = 0; i < n->term_count; i++) {
        double x = (double)n->terms[i].num / (double)n->terms[i].den;
        for (int f = 0; f < n->terms[i].factor_count && x != 0; f++) {
            const NatAtom *a = n->terms[i].factors[f].atom;
            const AtomUse *u = numbers_use(&t->numbers, a);
            double v = 0;
            if (a == round) v = 1;
            else if (a->kind == ATOM_VAR && u->lane && lane) v = u->loaded ? 0 : lane[kernel_var(t->k, a)->dim];
            else if (a->kind == ATOM_VAR && !u->moves && a->var != VAR_INDEX) v = u->mean;
            else if (a->kind != ATOM_VAR) {
                double p = value_at(t, a->a, lane, round), q = value_at(t, a->b, lane, round);
                v = a->kind == ATOM_MIN ? fmin(p, q) : a->kind == ATOM_MAX ? fmax(p, q) :
                    q < 1 ? 0 : a->kind == ATOM_DIV ? floor(p / q) : p - q * floor(p / q);
            }
            x *= numbers_power(v, n->terms[i].factors[f].exp);
        }
        sum += x;
    }
    return sum;
}

/* Units of `unit` bytes that the lanes' accesses touch. */
static int touched(const double *at, int lanes, double bytes, double size, double unit, double *units)
{
    int n = 0;
    for (int i = 0; i < lanes; i++)
        for (double u = floor(at[i] * size / unit); u * unit < at[i] * size + bytes && n < WARP_MOST * 40; u++) units[n++] = u;
    return numbers_different(units, n);
}

static double wavefronts(const double *words, int n, int banks)
{
    int load[BANKS_MOST] = {0}, most = 1;
    for (int i = 0; i < n; i++) {
        int bank = (int)(words[i] - banks * floor(words[i] / banks));
        if (++load[bank] > most) most = load[bank];
    }
    return most;
}

/* Of a Pattern, Reach or Seen, which begin with it. */
static bool same_key(const void *key, const void *item) { return *(const uint64_t *)item == *(const uint64_t *)key; }

typedef struct Parts { uint64_t lanes, but_constant; double constant; bool loaded; } Parts;

/* Does the next work-item, or round of the innermost loop, change an operand of a quotient, a rest, a least or a largest in the index? */
static bool is_bent(Tally *t, const Nat *at)
{
    if (t->lanes == 1) return t->round && nat_bends(at, t->round);
    for (int i = 0; i < at->term_count; i++)
        for (int f = 0; f < at->terms[i].factor_count; f++) {
            const NatAtom *a = at->terms[i].factors[f].atom;
            if (a->kind != ATOM_VAR && numbers_use(&t->numbers, a)->lane) return true;
        }
    return false;
}

/* What the work-items of a group do beside each other is counted as on a GPU, what a core's caches fetch as on a CPU, whichever it is for. */
static double number(const Tally *t, TargetKind kind, TargetField f) { return target_number(t->b->options->target, kind, f); }

static const Pattern *pattern(Tally *t, const Place *p, const Parts *parts)
{
    Pattern *found = ptr_table_find(&t->patterns, parts->lanes, same_key, &parts->lanes);
    if (found) return found;
    found = NEW(t->b->arena, Pattern);
    double at[WARP_MOST], units[WARP_MOST * 40], size = scalar_bytes(p->buf->scalar), bytes = p->width * size;
    bool alone = t->lanes == 1, local = p->buf->space == SPACE_LOCAL;
    for (int i = 0; i < t->lanes; i++) at[i] = value_at(t, p->at, t->lane_id[i], NULL);
    double step = alone ? t->round ? value_at(t, p->at, t->lane_id[0], t->round) - at[0] : 0 : at[1] - at[0];
    found->class = parts->loaded ? M_STRIDED : step == 0 ? M_UNIFORM : step == p->width ? M_COALESCED : M_STRIDED;
    found->bent = found->class != M_STRIDED && is_bent(t, p->at);
    found->lines = alone ? 1 : (double)touched(at, t->lanes, bytes, size, number(t, TARGET_GPU, TARGET_LINE), units) / t->lanes;
    if (alone) {
        found->moved = found->class == M_STRIDED ? fmax(bytes, t->sector) : bytes;
    } else if (parts->loaded) {
        found->moved = local ? t->banks * BANK_BYTES / 4 : fmax(bytes, t->sector);
    } else {
        /* Scalars of local memory at the same place in 16 bytes for every work-item: compilers load those beside them with one access. */
        bool merged = local && bytes == BANK_BYTES && ALL(i, t->lanes, fmod(at[i] - at[0], 4) == 0);
        int n = touched(at, t->lanes, merged ? 4 * bytes : bytes, size, local ? BANK_BYTES : t->sector, units);
        found->moved = (local ? wavefronts(units, n, t->banks) * t->banks * BANK_BYTES : n * t->sector) / t->lanes
                     / (merged ? 4 : 1);
    }
    found->key = parts->lanes;
    ptr_table_add(&t->patterns, found->key, found);
    return found;
}

/* ---- how much of a buffer a group reads ---- */

typedef struct Move {                    /* of a term of an index */
    const NatTerm *term;
    double step, count;                  /* between values that are next to each other; how many */
    bool rest;                           /* what is left of several terms (see_reach) */
} Move;

static Move move_of(Tally *t, const Place *p, const NatTerm *m)
{
    Move r = {m, (double)m->num / (double)m->den, 1, false};
    for (int f = 0; f < m->factor_count; f++) {
        const AtomUse *u = numbers_use(&t->numbers, m->factors[f].atom);
        if (u->moves) r.count *= u->loaded ? numbers_mean(&t->numbers, p->buf->count) : u->span;
        else r.step *= numbers_power(u->mean, m->factors[f].exp);
    }
    return r;
}

static bool move_alike(Tally *t, const NatTerm *x, const NatTerm *y)
{
    int i = 0, j = 0;
    for (;; i++, j++) {
        while (i < x->factor_count && !numbers_use(&t->numbers, x->factors[i].atom)->moves) i++;
        while (j < y->factor_count && !numbers_use(&t->numbers, y->factors[j].atom)->moves) j++;
        if (i == x->factor_count || j == y->factor_count) return i == x->factor_count && j == y->factor_count;
        if (x->factors[i].atom != y->factors[j].atom || x->factors[i].exp != y->factors[j].exp) return false;
    }
}

/* How often x is in the sum of the moves, as it is in none of them alone; 0: it is not. Those that it is made of are in `of`. */
static double times_within(Tally *t, const Place *p, const Nat *x, Move *moves, int n, Move **of, int *of_count)
{
    double times = 0;
    *of_count = 0;
    for (int i = 0; i < x->term_count; i++) {
        Move part = move_of(t, p, &x->terms[i]), *found = NULL;
        if (part.count <= 1) continue;
        for (int k = 0; k < n && !found; k++)
            if (moves[k].count > 1 && !moves[k].rest && move_alike(t, moves[k].term, part.term)) found = &moves[k];
        if (!found || part.step == 0 || (times != 0 && found->step / part.step != times)) return 0;
        times = found->step / part.step;
        of[(*of_count)++] = found;
    }
    return times;
}

static void see_reach(Tally *t, const Place *p, const Parts *parts)
{
    Reach *r = ptr_table_find(&t->reach_of, parts->but_constant, same_key, &parts->but_constant);
    if (!r) {
        r = MAKE(t->b->arena, Reach, .key = parts->but_constant, .buf = p->buf, .width = p->width);
        Move moves[DIMS_MAX / 2];
        int n = 0;
        for (int i = 0; i < p->at->term_count && n < DIMS_MAX / 2; i++) {
            moves[n] = move_of(t, p, &p->at->terms[i]);
            if (moves[n].count > 1) n++;
        }
        for (int k = 0; k < n; k++) {
            const NatTerm *m = moves[k].term;
            const NatAtom *q = m->factor_count ? m->factors[m->factor_count - 1].atom : NULL;
            for (int f = 0; f < m->factor_count; f++)
                if (numbers_use(&t->numbers, m->factors[f].atom)->moves) q = m->factors[f].atom;
            if (!q || q->kind != ATOM_DIV || moves[k].count != numbers_use(&t->numbers, q)->span
                || q->a->term_count > DIMS_MAX)
                continue;
            Move *of[DIMS_MAX];
            int of_count;
            double by = numbers_mean(&t->numbers, q->b), times = times_within(t, p, q->a, moves, n, of, &of_count),
                   span = 1;
            if (times == 0) continue;
            for (int i = 0; i < of_count; i++) span *= of[i]->count;
            for (int i = 0; i < of_count; i++) of[i]->count = 1;
            of[0]->rest = true;
            of[0]->step = times;
            of[0]->count = fmin(span, by);
            moves[k].step += times * by;
        }
        for (int k = 0; k < n; k++)
            if (moves[k].count > 1 && moves[k].step != 0)
                r->axes[r->axis_count++] = (Axis){fabs(moves[k].step), moves[k].count};
        ptr_table_add(&t->reach_of, r->key, r);
        vec_push(&t->reaches, r);
    }
    if (!r->offsets.n || r->offsets.v[r->offsets.n - 1] != parts->constant) vec_push(&r->offsets, parts->constant);
}

static double footprint(Tally *t)
{
    double *elements = NEW_ARRAY(t->b->arena, double, t->b->globals.n), sum = 0;
    for (int i = 0; i < t->reaches.n; i++) {
        Reach *r = t->reaches.v[i];
        r->axis_count += numbers_axes(r->offsets.v, r->offsets.n, r->axes + r->axis_count, DIMS_MAX - r->axis_count);
        /* Different elements: axes that reach beyond those with smaller steps multiply, others only stretch them. What lies between runs of elements comes
         * with them where it is in their sectors. */
        double span = r->width, count = r->width, run = 0, gap = 0, size = scalar_bytes(r->buf->scalar);
        numbers_sort_axes(r->axes, r->axis_count);
        for (int j = 0; j < r->axis_count; j++) {
            const Axis *a = &r->axes[j];
            double wide = a->step * (a->count - 1) + span;
            if (a->step > span && run == 0) run = span, gap = a->step - span;
            count = a->step >= span ? count * a->count
                                    : fmin(count * a->count, count == span ? wide : fmax(count, wide * count / span));
            span = wide;
        }
        double whole = run > 0 ? fmin(ceil(run * size / t->sector) * t->sector / size, run + gap) / run : 1;
        elements[r->buf->plan] += count * whole;
        free(r->offsets.v);
    }
    for (int i = 0; i < t->b->globals.n; i++) {
        const Buffer *buf = t->b->globals.v[i];
        sum += fmin(elements[i], numbers_mean(&t->numbers, buf->count)) * scalar_bytes(buf->scalar);
    }
    return sum;
}

/* ---- counting ---- */

/* Is it seen for the first time in the block? */
static bool is_new(Tally *t, uint64_t key)
{
    Seen *s = ptr_table_find(&t->seen, key, same_key, &key);
    if (!s) {
        s = NEW(t->b->arena, Seen);
        s->key = key;
        ptr_table_add(&t->seen, key, s);
    }
    bool first = s->block != t->block;
    s->block = t->block;
    return first;
}

/* Is that place, of an image that texel, loaded for the first time in the block? */
static bool is_first(Tally *t, const Place *p)
{
    bool part = p->buf->image_of && p->width < p->buf->texel;
    const Nat *at = part ? nat_div(t->b->n, p->at, nat_const(t->b->n, p->buf->texel), t->b->facts) : p->at;
    return is_new(t, hash_mix(hash_pair((uint64_t)p->buf->id, at->id), part ? (uint64_t)p->buf->texel : (uint64_t)p->width));
}

enum { QUOTIENT_OPERATIONS = 4, QUOTIENT_KEY = 0x71 };       /* a product, its upper half, a shift, and what is left; one by a power of two */

/* What quotients and rests in n take in each round; the others are made once, in front of the loop. */
static void count_index(Tally *t, const Nat *n, double times)
{
    for (int i = 0; t->counted && nat_bends(n, t->counted) && i < n->term_count; i++)
        for (int f = 0; f < n->terms[i].factor_count; f++) {
            const NatAtom *a = n->terms[i].factors[f].atom;
            if (!(nat_mentions(a->a, t->counted) || nat_mentions(a->b, t->counted)) || !is_new(t, hash_pair(QUOTIENT_KEY, a->id))) continue;
            bool quotient = (a->kind == ATOM_DIV || a->kind == ATOM_MOD) && !(a->b->is_const && (a->b->value & (a->b->value - 1)) == 0);
            t->v[FEATURE_INDEX] += times * (quotient ? QUOTIENT_OPERATIONS : 1);
            count_index(t, a->a, times);
            count_index(t, a->b, times);
        }
}

static bool same_value(Tally *t, const Expr *e);

/* Does a value in it that is loaded differ within a warp, as far as is known? */
static bool loaded_apart(Tally *t, const Nat *n)
{
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    for (int i = 0; i < vars.n; i++) {
        const VarInfo *v = kernel_var(t->k, vars.v[i]);
        if (v && v->kind == VAR_OPAQUE && !v->shared && !(v->loaded && t->lanes > 1 && same_value(t, v->loaded))) return true;
    }
    return false;
}

static bool same_number(Tally *t, const Nat *n)
{
    double first = value_at(t, n, t->lane_id[0], NULL);
    return !loaded_apart(t, n) && ALL(i, t->lanes, value_at(t, n, t->lane_id[i], NULL) == first);
}

/* Have all of a warp that value, as far as its indices tell? What is loaded once for a row is one place for those that take the row's elements. */
static bool same_value(Tally *t, const Expr *e)
{
    if (e->kind == X_NAT) return same_number(t, e->nat);
    if (e->kind == X_LOAD) return e->place.buf->space != SPACE_PRIVATE && same_number(t, e->place.at);
    return ALL(i, e->arg_count, same_value(t, e->args[i]));
}

/* How often what never changes is loaded from there on a GPU: once for the rounds of a loop that are at the same place, where those within it are few and are
 * written out, so that registers keep what each of them loads; not what is loaded on a condition. */
static double loads_of(const Tally *t, const Place *p, double times)
{
    if (index_is_loaded(t->k, p->at)) return times;
    double reached = times, kept = 1;
    for (int i = t->around.n - 1; i >= 0; i--) {
        const Around *a = &t->around.v[i];
        if (reached < (1 - 1e-9) * a->times) break;
        reached /= a->rounds;
        if (!nat_mentions(p->at, a->var)) times /= a->rounds;
        else if ((kept *= a->rounds) > COMPILERS_KEEP) break;
    }
    return times;
}

/* Lines that a warp's access looks up, a work-item, where loaded numbers say which. */
static double loaded_lines(Tally *t, const Buffer *buf)
{
    double all = ceil(numbers_mean(&t->numbers, buf->count) * scalar_bytes(buf->scalar) / number(t, TARGET_GPU, TARGET_LINE));
    return t->lanes == 1 ? 1 : fmin(t->lanes / (double)LOADED_BESIDE, all) / t->lanes;
}

static void count_access(Tally *t, const Place *p, bool write, double times)
{
    bool local = p->buf->space == SPACE_LOCAL;
    if (p->buf->lane && lane_is_own(p)) return;
    if (p->buf->space == SPACE_PRIVATE) {
        int width = p->lane ? 1 : p->buf->width;
        double bytes = times * width * scalar_bytes(p->buf->scalar);
        t->v[write ? FEATURE_PRIVATE_STORE : FEATURE_PRIVATE_LOAD] += bytes;
        if (p->buf->rank && !p->buf->split && !p->buf->unrolled) t->v[FEATURE_PRIVATE_ARRAY] += bytes;
        return;
    }
    double each = times * p->width * scalar_bytes(p->buf->scalar);
    if (!write && !local && p->buf->read_only && t->b->options->on_gpu) times = loads_of(t, p, times);
    uint64_t start = hash_pair((uint64_t)p->width, (uint64_t)p->buf->space << 8 | (uint64_t)p->buf->scalar);
    Parts parts = {start, hash_mix(start, (uint64_t)p->buf->id), 0, false};
    if (t->lanes == 1) parts.lanes = hash_mix(parts.lanes, t->round ? t->round->id : 0);
    for (int i = 0; i < p->at->term_count; i++) {
        const NatTerm *m = &p->at->terms[i];
        bool lane = false;
        for (int f = 0; f < m->factor_count; f++) {
            const AtomUse *u = numbers_use(&t->numbers, m->factors[f].atom);
            lane |= u->lane || (t->lanes == 1 && u->moves);
            parts.loaded |= u->loaded && loaded_apart(t, nat_self(m->factors[f].atom));
        }
        if (!m->factor_count) parts.constant = (double)m->num / (double)m->den;
        if (lane) parts.lanes = hash_mix(numbers_term_hash(m), parts.lanes);
        if (m->factor_count) parts.but_constant = hash_mix(numbers_term_hash(m), parts.but_constant);
    }
    count_index(t, p->at, times);
    const Pattern *q = pattern(t, p, &parts);
    double bytes = times * p->width * scalar_bytes(p->buf->scalar);
    double *v = t->v + (local ? write ? FEATURE_LOCAL_STORE_BYTES : FEATURE_LOCAL_LOAD_BYTES :
                        write ? FEATURE_GLOBAL_STORE_BYTES : FEATURE_GLOBAL_LOAD_BYTES);
    v[M_BYTES] += bytes;
    v[M_ACCESSES] += times;
    v[p->width >= 16 ? M_W16 : p->width >= 8 ? M_W8 : p->width > 2 ? M_W4 : p->width == 2 ? M_W2 : M_W1] += bytes;
    v[q->class] += bytes;
    if (q->bent) t->v[FEATURE_BENT] += bytes;
    v[M_MOVED] += times * q->moved;
    if (write && p->buf->image_of) t->v[FEATURE_IMAGE_STORES] += bytes;
    if (!write && is_first(t, p)) {
        t->v[FEATURE_LOADS] += times;
        if (!local) t->v[FEATURE_GLOBAL_LOADS] += times, t->v[FEATURE_GLOBAL_LINES] += times * (parts.loaded ? loaded_lines(t, p->buf) : q->lines);
        if (p->buf->image_of) t->v[FEATURE_IMAGE_LOADS] += times;
        t->v[local ? FEATURE_LOCAL_LOADS_MOVED : FEATURE_GLOBAL_LOADS_MOVED] += times * q->moved;
    }
    if (!local) (write ? t->stored : t->loaded)[p->buf->plan] += each;
    if (!local && !write) see_reach(t, p, &parts);
}

static bool is_product(const Expr *e) { return e->kind == X_OP && e->op == PRIM_MUL && scalar_is_float(e->scalar); }

static Feature kind_of(const Expr *e)
{
    if (!scalar_is_float(e->scalar)) return FEATURE_OTHER;
    if (e->op == PRIM_VDOT) return FEATURE_FMA;
    switch (prim(e->op)->work) {
    case WORK_SUM: return is_product(e->args[0]) || is_product(e->args[1]) ? FEATURE_FMA : FEATURE_ADD;
    case WORK_PRODUCT: return FEATURE_MUL;
    case WORK_FMA: return FEATURE_FMA;
    case WORK_QUOTIENT: return FEATURE_DIV;
    case WORK_SPECIAL: return FEATURE_SPECIAL;
    case WORK_NONE: case WORK_CHEAP: break;
    }
    return FEATURE_OTHER;
}

static void count_expr(Tally *t, const Expr *e, double times, const Buffer *target);

static void count_args(Tally *t, const Expr *e, double times, const Buffer *target)
{
    for (int i = 0; i < e->arg_count; i++) count_expr(t, e->args[i], times, target);
}

/* Made of literals: compilers work it out. */
static bool is_constant(const Expr *e) { return e->kind == X_LIT || (e->kind == X_OP && ALL(i, e->arg_count, is_constant(e->args[i]))); }

static void count_expr(Tally *t, const Expr *e, double times, const Buffer *target)
{
    if (is_constant(e)) return;
    if (e->kind == X_NAT) count_index(t, e->nat, times);
    if (e->kind == X_LOAD) count_access(t, &e->place, false, times);
    if (e->kind == X_LOAD) caches_touch(t->caches, &e->place, true, t->share);
    if (e->kind == X_LOAD && e->place.buf == target) {
        if (t->updates[target->id] == 0) vec_push(&t->updated, target);
        t->updates[target->id] += times;
    }
    if (e->kind == X_OP) {
        Feature kind = kind_of(e);
        int width = e->op == PRIM_VDOT ? e->args[0]->width : e->width;
        double flops = kind == FEATURE_OTHER ? 0 : times * width * (kind == FEATURE_FMA ? 2 : 1);
        t->v[kind] += times * width;
        t->v[FEATURE_INSTRUCTIONS] += times;
        t->v[FEATURE_FLOPS] += flops;
        if (width > 1) t->v[FEATURE_VECTOR_FLOPS] += flops;
    }
    if (e->kind == X_OP && e->op == PRIM_IF) {
        double part = numbers_share(&t->numbers, e->args[0]);
        count_expr(t, e->args[0], times, target);
        count_expr(t, e->args[1], times * part, target);
        count_expr(t, e->args[2], times * (1 - part), target);
    } else if (e->kind == X_OP && kind_of(e) == FEATURE_FMA && e->op != PRIM_FMA && e->op != PRIM_VDOT) {
        int product = is_product(e->args[1]) ? 1 : 0;          /* one product goes with the sum */
        count_args(t, e->args[product], times, target);
        count_expr(t, e->args[!product], times, target);
    } else {
        count_args(t, e, times, target);
    }
}

/* A line is updated by one work-item after the other. */
static void count_scattered(Tally *t, const Buffer *buf, double times)
{
    t->v[FEATURE_SCATTERED_ATOMICS] += times;
    t->v[FEATURE_LINE_ATOMICS] += times / ceil(numbers_mean(&t->numbers, buf->count) * scalar_bytes(buf->scalar) / number(t, TARGET_GPU, TARGET_LINE));
}

/* Does the array live on behind s, where it is declared or used? */
static bool lives_on(const Stmt *s, const Buffer *buf)
{
    for (s = s->next; s; s = s->next)
        if (stmt_mentions(s, buf)) return true;
    return false;
}

/* The most elements, and scalars, of private arrays of the block that are alive together. */
static void count_private(Tally *t, const Block *blk)
{
    LOCAL(drop) VEC(const Buffer *) alive = {0};
    double elements = 0, scalars = 0;
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->kind != S_ALLOC || !s->buf->rank) continue;
        int kept = 0;
        double e = (double)s->buf->own_count, n = e * s->buf->width;
        for (int i = 0; i < alive.n; i++) {
            if (!lives_on(s, alive.v[i])) continue;
            e += (double)alive.v[i]->own_count;
            n += (double)alive.v[i]->own_count * alive.v[i]->width;
            alive.v[kept++] = alive.v[i];
        }
        alive.n = kept;
        vec_push(&alive, s->buf);
        elements = fmax(elements, e);
        scalars = fmax(scalars, n);
    }
    t->v[FEATURE_PRIVATE_ELEMENTS] += elements;
    t->v[FEATURE_PRIVATE_ARRAYS] += scalars;
}

enum { LONG = 16 };                      /* rounds that are worth vectors */

/* Of one of a warp's lanes: its share of the products, and what it reads of local memory. */
static void count_unit(Tally *t, const Unit *u, double times)
{
    int lanes = UNIT_ITEMS0 * UNIT_ITEMS1, depth = 32 / scalar_bytes(u->scalar);
    t->v[FEATURE_MATRIX_FLOPS] += times * scalar_bytes(u->scalar) * 16 * 8 * depth * u->rows * u->columns * u->steps / lanes;
    const Fragments *const both[] = {&u->a, &u->b};
    for (int i = 0; i < COUNT(both); i++) {
        double bytes = both[i]->load == LOAD_EACH ? scalar_bytes(u->scalar) : 16, all = times * both[i]->count * bytes;
        t->v[FEATURE_LOADS] += times * both[i]->count;
        t->v[FEATURE_LOCAL_LOAD_ACCESSES] += times * both[i]->count;
        t->v[FEATURE_LOCAL_LOAD_BYTES] += all;
        t->v[FEATURE_LOCAL_LOAD_MOVED] += all;
        t->v[FEATURE_LOCAL_LOADS_MOVED] += all;
    }
}

static double plain_work(const Tally *t)
{
    return t->v[FEATURE_ADD] + t->v[FEATURE_MUL] + t->v[FEATURE_FMA] + t->v[FEATURE_OTHER] + t->v[FEATURE_LOOPS] + t->v[FEATURE_LOADS];
}

static double dear_work(const Tally *t) { return t->v[FEATURE_DIV] + t->v[FEATURE_SPECIAL]; }

static void count_block(Tally *t, const Block *blk, double times)
{
    int around = t->block;
    t->block = ++t->blocks;
    count_private(t, blk);
    for (const Stmt *s = blk->first; s; s = s->next) {
        t->v[FEATURE_STATEMENTS]++;
        switch (s->kind) {
        case S_STORE: {
            const Buffer *own = s->place.buf->space == SPACE_PRIVATE ? s->place.buf : NULL;
            double before = own ? t->updates[own->id] : 0;
            count_expr(t, s->value, times, own);
            if (own && t->updates[own->id] == before) t->starts[own->id] += times;
            count_access(t, &s->place, true, times);
            caches_touch(t->caches, &s->place, false, t->share);
            break;
        }
        case S_ALLOC: break;
        case S_FOR: {
            const NatAtom *round = t->round, *counts = t->counted;
            double rounds = numbers_rounds(&t->numbers, s);
            double counted = s->unrolled ? 0 : times * rounds, written = t->written;
            t->written = 1;
            if (!s->var->is_const) t->round = nat_atom(s->var);
            if (!s->var->is_const && !s->unrolled) t->counted = t->round;
            double barriers = t->v[FEATURE_BARRIERS], loops = t->v[FEATURE_LOOPS];
            caches_enter(t->caches, s, rounds);
            if (!s->var->is_const) vec_push(&t->around, ((Around){nat_atom(s->var), rounds, times * rounds}));
            count_block(t, &s->body, times * rounds);
            if (!s->var->is_const) t->around.n--;
            caches_leave(t->caches);
            if (t->b->options->on_gpu && t->v[FEATURE_BARRIERS] == barriers && rounds * t->written <= COMPILERS_KEEP) t->written *= rounds, counted = 0;
            else t->written = INFINITY;
            t->written = fmax(t->written, written);
            if (t->v[FEATURE_BARRIERS] == barriers) t->v[FEATURE_OWN_LOOPS] += counted;
            if (t->v[FEATURE_LOOPS] == loops && rounds >= LONG) t->v[FEATURE_LONG_LOOPS] += counted;
            t->v[FEATURE_LOOPS] += counted;
            t->round = round;
            t->counted = counts;
            break;
        }
        case S_IF: {
            bool alone = s->single && t->group > 1 && s->limit->value >> 3 * ID_LOCAL & 7;
            double plain = plain_work(t), dear = dear_work(t), all = t->share, part = s->single ? numbers_single(&t->numbers, (unsigned)s->limit->value) : numbers_share(&t->numbers, s->value);
            if (!s->single) count_expr(t, s->value, times, NULL);
            if (!s->single && !s->uniform) t->v[FEATURE_BRANCHES] += times;
            t->share = all * part;
            count_block(t, &s->body, times * part);
            t->share = all * (1 - part);
            count_block(t, &s->other, times * (1 - part));
            t->share = all;
            if (alone) t->v[FEATURE_ALONE] += plain_work(t) - plain, t->v[FEATURE_ALONE_DEAR] += dear_work(t) - dear;
            break;
        }
        case S_WAIT: break;
        case S_UNIT:
            if (s->unit) count_unit(t, s->unit, times);
            else count_block(t, &s->body, times);
            break;
        case S_ATOMIC:
            count_block(t, &s->body, times);
            count_expr(t, s->value, times, NULL);
            count_access(t, &s->place, false, times);
            count_access(t, &s->place, true, times);
            caches_touch(t->caches, &s->place, false, t->share);
            t->v[s->place.buf->space == SPACE_LOCAL ? FEATURE_LOCAL_ATOMICS : FEATURE_GLOBAL_ATOMICS] += times;
            if (s->place.buf->space == SPACE_GLOBAL && loaded_apart(t, s->place.at)) count_scattered(t, s->place.buf, times);
            break;
        case S_LOOK_BACK:                /* a group tells twice, and looks once at as many others as it does together */
            count_block(t, &s->body, times);
            count_block(t, &s->other, times);
            t->v[FEATURE_GLOBAL_ATOMICS] += times * (2 + s->look->width) * s->look->words / (double)t->group;
            t->v[FEATURE_LOOK_BACKS] += times / (double)t->group;
            t->v[FEATURE_BARRIERS] += times * 2 / (double)t->items;
            break;
        case S_BARRIER: if (!s->warp) t->v[FEATURE_BARRIERS] += times / (double)t->items; break;
        }
    }
    t->block = around;
}

void features_kernel(Build *b, Kernel *k, PlanKernel *out)
{
    PlanFeatures *f = NEW(b->arena, PlanFeatures);
    Tally t = {.b = b, .k = k, .numbers = {.b = b, .k = k}, .v = f->v, .share = 1, .updates = NEW_ARRAY(b->arena, double, b->buffer_ids),
               .starts = NEW_ARRAY(b->arena, double, b->buffer_ids), .loaded = NEW_ARRAY(b->arena, double, b->globals.n),
               .stored = NEW_ARRAY(b->arena, double, b->globals.n)};
    t.items = t.group = 1;
    for (int d = 0; d < 3; d++) {
        int64_t global = (int64_t)numbers_mean(&t.numbers, t.k->global[d]);
        t.numbers.groups[d] = (global + t.k->local[d] - 1) / t.k->local[d];
        t.items *= t.numbers.groups[d] * t.k->local[d];
        t.group *= t.k->local[d];
    }
    t.sector = number(&t, TARGET_GPU, TARGET_SECTOR);
    t.banks = (int)fmin(fmax(number(&t, TARGET_GPU, TARGET_BANKS), 1), BANKS_MOST);
    t.lanes = (int)fmin((double)t.group, fmin(fmax(number(&t, TARGET_GPU, TARGET_WARP), 1), WARP_MOST));
    for (int i = 0; i < t.lanes; i++) {
        int rest = i;
        for (int d = 0; d < 3; d++) {
            t.lane_id[i][d] = rest % t.k->local[d];
            rest /= t.k->local[d];
        }
    }
    t.caches = caches_new(&t.numbers);
    t.v[FEATURE_LAUNCHES] = 1;
    t.v[FEATURE_ITEMS] = (double)t.items;
    t.v[FEATURE_GROUPS] = (double)(t.items / t.group);
    t.v[FEATURE_GROUP_SIZE] = (double)t.group;
    count_block(&t, &k->body, (double)t.items);
    /* The updates of a buffer go round its elements. */
    for (int i = 0; i < t.updated.n; i++) {
        const Buffer *buf = t.updated.v[i];
        double each = (double)t.items * (buf->own_count > 0 ? (double)buf->own_count : 1);
        if (t.updates[buf->id] / each <= t.v[FEATURE_CHAIN]) continue;
        t.v[FEATURE_CHAIN] = t.updates[buf->id] / each;
        t.v[FEATURE_CHAINS] = t.starts[buf->id] / each;
    }
    f->v[FEATURE_FOOTPRINT] = footprint(&t);
    double sum = 0;
    for (int i = 0; i < t.b->globals.n; i++) {
        const Buffer *buf = t.b->globals.v[i];
        double whole = numbers_mean(&t.numbers, buf->count) * scalar_bytes(buf->scalar);
        out->read_bytes += fmin(t.loaded[i], whole);
        out->written_bytes += fmin(t.stored[i], whole);
        sum += fmin(t.loaded[i] + t.stored[i], whole);
    }
    f->v[FEATURE_DISTINCT] = sum;
    Fetched fetched[2];
    double line = number(&t, TARGET_CPU, TARGET_LINE);
    const Cache caches[] = {{number(&t, TARGET_CPU, TARGET_L1), number(&t, TARGET_CPU, TARGET_L1_WAYS), line},
                            {number(&t, TARGET_CPU, TARGET_L2), number(&t, TARGET_CPU, TARGET_L2_WAYS), line}};
    f->v[FEATURE_STREAMS] = caches_fetched(t.caches, caches, 2, fetched);
    f->v[FEATURE_BEYOND_L1] = fetched[0].bytes;
    f->v[FEATURE_BEYOND_L2] = fetched[1].bytes;
    f->v[FEATURE_JUMPS] = fetched[1].jumps;
    f->v[FEATURE_JUMPED] = fetched[1].jumped;
    f->v[FEATURE_STAGES] = 1;
    for (int i = 0; i < k->locals.n; i++)
        if (k->locals.v[i]->phase) f->v[FEATURE_STAGES] = 2;
    f->v[FEATURE_LOCAL_SIZE] = (double)out->local_bytes;
    f->v[FEATURE_PRIVATE_SCALARS] = (double)out->private_scalars;
    f->v[FEATURE_CODE_BYTES] = (double)strlen(out->body);
    out->features = f;
    ptr_table_free(&t.numbers.atoms);
    ptr_table_free(&t.patterns);
    ptr_table_free(&t.seen);
    ptr_table_free(&t.reach_of);
    free(t.reaches.v);
    free(t.updated.v);
    free(t.around.v);
}

/* ---- the table ---- */

enum { SUM, MAX };
static const struct { const char *name, *text; int combine; } table[] = {
#define FEATURE(id, name, combine, text) {name, text, combine},
#include "features.def"
};

const char *plan_feature_name(Feature f) { return table[f].name; }
const char *plan_feature_text(Feature f) { return table[f].text; }

/* How often a kernel is launched; a count that is an argument as other sizes are, loops that end early as if they did not. */
double plan_rounds(const Plan *p, int kernel)
{
    double rounds = 1;
    for (int i = 0; i < p->loop_count; i++) {
        const PlanLoop *l = &p->loops[i];
        if (kernel >= l->first && kernel < l->end) rounds *= l->rounds->is_const ? (double)l->rounds->value : 1024;
    }
    return rounds;
}

void plan_features(const Plan *p, PlanFeatures *out)
{
    *out = (PlanFeatures){0};
    for (int k = 0; k < p->kernel_count; k++) {
        double rounds = plan_rounds(p, k);
        for (int i = 0; i < FEATURE_COUNT; i++) {
            double x = p->kernels[k].features->v[i];
            out->v[i] = table[i].combine == SUM ? out->v[i] + rounds * x : fmax(out->v[i], x);
        }
    }
}
