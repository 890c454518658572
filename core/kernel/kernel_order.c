/* kernel_order: the statements of a block in the order in which their local arrays need the least memory. */
#include "kernel.h"

/* A linearisation of the graph of what needs what (Fousek, Filipovic and Madzin, section 4.3.2), found among all: what is alive after some
 * stages does not depend on their order, so the least that leads to a set of them follows from the sets with one stage fewer. */

static int64_t alive_at(const StageGraph *g, unsigned before, int s)
{
    int64_t sum = 0;
    for (int a = 0; a < g->arrays; a++)
        if (g->touches[a] & (before | 1u << s) && g->touches[a] & ~before) sum += g->bytes[a];
    return sum;
}

int64_t stages_least(const StageGraph *g, int *order)
{
    int64_t least[1 << STAGES_MAX] = {0};
    unsigned char last[1 << STAGES_MAX];
    unsigned all = (1u << g->count) - 1;
    for (unsigned set = 1; set <= all; set++) least[set] = INT64_MAX;
    for (unsigned set = 0; set < all; set++)
        for (int s = 0; s < g->count && least[set] < INT64_MAX; s++) {
            if (set >> s & 1 || g->needs[s] & ~set) continue;
            int64_t here = alive_at(g, set, s), *there = &least[set | 1u << s];
            if (here < least[set]) here = least[set];
            if (here >= *there) continue;
            *there = here;
            last[set | 1u << s] = (unsigned char)s;
        }
    for (unsigned set = all, i = (unsigned)g->count; set; set &= ~(1u << order[i])) order[--i] = last[set];
    return least[all];
}

static int64_t as_written(const StageGraph *g)
{
    int64_t most = 0;
    for (int s = 0; s < g->count; s++) {
        int64_t here = alive_at(g, (1u << s) - 1, s);
        if (here > most) most = here;
    }
    return most;
}

/* ---- of a block ---- */

enum { STMTS_MAX = 64 };                 /* bits of a set of statements */

typedef struct Order {
    Build *b;
    Kernel *k;
    int *accesses;                       /* in all of the kernel, by buffer */
    int count;
    Stmt *stmts[STMTS_MAX];
    uint64_t needs[STMTS_MAX];           /* earlier ones that it must come after, directly or not */
    uint64_t stage[STAGES_MAX];          /* statements of each, next to one another but for some without local arrays */
    uint64_t *reads, *writes;            /* statements by buffer */
    int *inside;                         /* accesses in the block, by buffer */
} Order;

static const Buffer *memory_of(const Buffer *buf) { return buf->image_of ? buf->image_of : buf; }

static bool count_access(void *data, const Place *p, bool write)
{
    (void)write;
    ((int *)data)[p->buf->id]++;
    return false;
}

static bool see(void *data, const Place *p, bool write)
{
    Order *o = data;
    int id = memory_of(p->buf)->id;
    o->needs[o->count] |= o->writes[id] | (write ? o->reads[id] : 0);
    (write ? o->writes : o->reads)[id] |= (uint64_t)1 << o->count;
    o->inside[p->buf->id]++;
    return false;
}

/* Is all that s does, and what it hangs on, in its places? */
static bool is_plain(const Stmt *s)
{
    if (s->kind != S_STORE && s->kind != S_ALLOC && s->kind != S_FOR && s->kind != S_IF) return false;
    if (s->kept || s->async) return false;
    for (const Block *blk = &s->body; blk; blk = blk == &s->body ? &s->other : NULL)
        for (const Stmt *t = blk->first; t; t = t->next)
            if (!is_plain(t)) return false;
    return true;
}

static bool look(Order *o, const Block *blk)
{
    size_t buffers = (size_t)o->b->buffer_ids;
    o->reads = NEW_ARRAY(o->b->arena, uint64_t, buffers), o->writes = NEW_ARRAY(o->b->arena, uint64_t, buffers);
    o->inside = NEW_ARRAY(o->b->arena, int, buffers);
    for (Stmt *s = blk->first; s; s = s->next) {
        if (o->count == STMTS_MAX || !is_plain(s)) return false;
        o->stmts[o->count] = s;
        if (s->kind == S_ALLOC) o->writes[s->buf->id] |= (uint64_t)1 << o->count;
        stmt_places(s, EVERY_SPACE, true, see, o);
        uint64_t *needs = &o->needs[o->count], own = (uint64_t)1 << o->count;
        *needs &= ~own;
        for (int i = o->count - 1; i >= 0; i--)
            if (*needs >> i & 1) *needs |= o->needs[i];
        o->count++;
    }
    return true;
}

/* The stages of the block and the arrays that only they touch; false: there are too many. */
static bool find_stages(Order *o, StageGraph *g)
{
    unsigned before = 0;
    for (int i = 0; i < o->count; i++) {
        unsigned touched = 0;
        uint64_t self = (uint64_t)1 << i;
        for (int a = 0; a < o->k->locals.n; a++) {
            int id = o->k->locals.v[a]->id;
            if ((o->reads[id] | o->writes[id]) & self) touched |= 1u << a;
        }
        if (!touched) continue;
        if (touched != before && g->count == STAGES_MAX) return false;
        if (touched != before) g->count++;
        o->stage[g->count - 1] |= self;
        before = touched;
    }
    for (int s = 0; s < g->count; s++)
        for (int i = 0; i < o->count; i++) {
            if (!(o->stage[s] >> i & 1)) continue;
            for (int t = 0; t < g->count; t++)
                if (t != s && o->stage[t] & o->needs[i]) g->needs[s] |= 1u << t;
        }
    for (int a = 0; a < o->k->locals.n; a++) {
        const Buffer *buf = o->k->locals.v[a];
        if (o->inside[buf->id] != o->accesses[buf->id]) continue;
        for (int s = 0; s < g->count; s++)
            if (o->stage[s] & (o->reads[buf->id] | o->writes[buf->id])) g->touches[g->arrays] |= 1u << s;
        g->bytes[g->arrays++] = buf->count->value * scalar_bytes(buf->scalar);
    }
    return true;
}

/* Behind `at`: the statements of wanted that are not in *done, each behind what it needs. */
static Stmt **emit(Order *o, Stmt **at, uint64_t wanted, uint64_t *done)
{
    for (int i = 0; i < o->count; i++) {
        uint64_t self = (uint64_t)1 << i;
        if (!(wanted & ~*done & self)) continue;
        at = emit(o, at, o->needs[i], done);
        *done |= self;
        *at = o->stmts[i];
        at = &o->stmts[i]->next;
    }
    return at;
}

static void order_block(Build *b, Kernel *k, Block *blk, int *accesses)
{
    Order o = {.b = b, .k = k, .accesses = accesses};
    StageGraph g = {0};
    int order[STAGES_MAX];
    for (Stmt *s = blk->first; s; s = s->next)             /* not in a loop: stages apart have barriers between them, in each round */
        if (s->kind == S_IF) order_block(b, k, &s->body, accesses), order_block(b, k, &s->other, accesses);
    if (!look(&o, blk) || !find_stages(&o, &g) || g.arrays < 2 || stages_least(&g, order) >= as_written(&g)) return;
    uint64_t done = 0;
    Stmt **at = &blk->first;
    for (int s = 0; s < g.count; s++) at = emit(&o, at, o.stage[order[s]], &done);
    at = emit(&o, at, ~(uint64_t)0, &done);
    *at = NULL;
    for (blk->last = blk->first; blk->last->next;) blk->last = blk->last->next;
}

void kernel_order(Build *b, Kernel *k)
{
    if (k->locals.n < 2 || k->locals.n > ARRAYS_MAX) return;
    for (size_t i = 0; i < k->vars.used; i++)
        if (((const VarInfo *)k->vars.items[i])->kind == VAR_OPAQUE) return;         /* an index that is loaded is in no place */
    int *accesses = NEW_ARRAY(b->arena, int, b->buffer_ids);
    block_places(&k->body, EVERY_SPACE, count_access, accesses);
    order_block(b, k, &k->body, accesses);
}
