/* kernel: what fails on the way; names, index variables, buffers and statements of the imperative form. */
#include "dialect.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *space_name(Space s)
{
    static const char *const names[] = {"private", "local", "global"};
    return names[s];
}

/* ---- the build: errors, sizes as the program has them, warnings ---- */

bool build_fail(Build *b, ErrorId id, const Term *at, const char *fmt, ...)
{
    if (b->failed) return false;
    b->failed = true;
    char *text = FORMATTED(b->c->diag.arena, fmt);
    if (diag_error(&b->c->diag, id, "%s", text)) diag_note(&b->c->diag, "at", "%s", build_path(b, at ? at : b->root));
    return false;
}

bool build_needs_constant(Build *b, const Term *at, const char *what, const Nat *count, const Type *type)
{
    const Nat *plain = count ? build_plain(b, count) : NULL;
    LOCAL(drop) NatAtomVec vars = nat_vars_in(plain);
    const NatAtom *free = vars.n ? vars.v[0] : NULL;
    const char *of = type ? type_text(b->c, type) : NULL;
    if (b->failed) return false;
    if (!free || free->var == VAR_INDEX) return build_fail(b, E53, at, "%s needs a constant size%s%s", what, of ? ": " : "", of ? of : "");
    build_fail(b, E53, at, "%s needs a constant size, and %s%s%s is not a number", what, free->name, of ? " of " : "", of ? of : "");
    if (free->var == VAR_PARAM) diag_note(&b->c->diag, "try", "param %s        lists its legal values", free->name);
    else diag_note(&b->c->diag, "try", "data %s = 64 ; set sizes constant", free->name);
    return false;
}

bool build_goes_on(Build *b, const Term *at)
{
    enum { NODES_MOST = 1 << 21, BUFFERS_MOST = 1024 };
    if (b->failed) return false;
    const Nat *indexed = at ? term_indexed_length(at) : NULL;
    if (indexed && !(indexed->is_const && indexed->value <= INT32_MAX) && !(b->indexed.n && b->indexed.v[b->indexed.n - 1] == at))
        vec_push(&b->indexed, at);
    if (ctx_stopped(b->c)) return build_fail(b, E25, at, "interrupted while the kernels were made");
    if (++b->translated <= NODES_MOST && b->plan_buffers.n <= BUFFERS_MOST) return true;
    return build_fail(b, E54, at, "the kernels would take more than %d buffers, or more than %d nodes to translate", BUFFERS_MOST,
                      NODES_MOST);
}

const Nat *build_printable(Build *b, const Nat *n)
{
    const Nat *plain = build_plain(b, n);
    for (int i = 0; i < plain->term_count; i++)
        if (plain->terms[i].den != 1 && plain->terms[i].factor_count > 1) return n;
    return plain;
}

const Nat *build_plain(Build *b, const Nat *n)
{
    const Nat *r = b->subst->count ? nat_subst(b->n, n, b->subst->back, b->subst->count, NULL) : n;
    if (!r && n) build_fail(b, E54, NULL, "an index is too large");
    return r ? r : nat_const(b->n, 0);
}

void build_warn(Build *b, const char *fmt, ...)
{
    const char *text = FORMATTED(b->arena, fmt);
    for (int i = 0; i < b->warnings.n; i++)
        if (strcmp(b->warnings.v[i], text) == 0) return;
    vec_push(&b->warnings, text);
}

/* ---- names ---- */

/* What nothing of ours is called, in whatever dialect: words of C, C++, OpenCL C and CUDA, what their headers define, and what generated
 * text itself calls, besides the families and functions below. Sorted. */
static const char *const words[] = {
    "BUFSIZ", "EOF", "EXPECTED", "HUGE", "I", "INFINITY", "INTTYPE", "MAXFLOAT", "NAN", "NFDBITS", "NGREG", "NULL",
    "P_tmpdir", "SNAN", "SNANF", "SNANL", "TRIALS", "WARMUP", "WCONTINUED", "WEXITED", "WNOHANG", "WNOWAIT", "WSTOPPED",
    "WUNTRACED", "abs", "alignas", "alignof", "and", "and_eq", "asm", "assert", "atomic_double", "atomic_flag",
    "atomic_float", "atomic_int", "atomic_long", "atomic_uint", "atomic_ulong", "auto", "barrier", "bitand", "bitor",
    "blockDim", "blockIdx", "bool", "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "clamp", "class",
    "clk_event_t", "co_await", "co_return", "co_yield", "compl", "complex", "concept", "const", "const_cast", "constant",
    "consteval", "constexpr", "constinit", "continue", "convert", "cudaError_t", "decltype", "default", "delete", "dim3",
    "do", "dot", "double", "dynamic_cast", "else", "enum", "errno", "event_t", "explicit", "export", "extern", "fabs",
    "fabsf", "false", "float", "fmax", "fmaxf", "fmin", "fminf", "for", "friend", "generic", "global", "goto", "gridDim",
    "half", "i386", "if", "imaginary", "inline", "int", "intptr_t", "kernel", "linux", "llabs", "local", "long", "main",
    "math_errhandling", "max", "mem_fence", "memory_order", "memory_scope", "min", "mutable", "namespace", "ndrange_t",
    "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "pipe", "private", "protected", "ptrdiff_t",
    "public", "quad", "queue_t", "read_only", "read_write", "register", "reinterpret_cast", "requires", "reserve_id_t",
    "restrict", "return", "round", "sampler_t", "select", "short", "signed", "size_t", "sizeof", "static", "static_assert",
    "static_cast", "stderr", "stdin", "stdout", "struct", "switch", "template", "this", "threadIdx", "thread_local",
    "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "uchar", "uint", "uintptr_t", "ulong", "union",
    "unix", "unsigned", "ushort", "using", "vec", "vec_step", "virtual", "void", "volatile", "warpSize", "wchar_t", "while",
    "write_only", "xor", "xor_eq"};

/* Do that many characters, before the digits at the end of a name, make up a type of vectors? */
static bool vector_word(const char *name, size_t stem)
{
    static const char *const bases[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float",
                                        "double", "half", "bool"};
    for (int i = 0; i < COUNT(bases); i++)
        if (bases[i][0] == name[0] && strlen(bases[i]) == stem && memcmp(name, bases[i], stem) == 0) return true;
    return false;
}

static bool is_function(const char *name)
{
    for (int id = 0; id < PRIM_COUNT; id++) {
        const char *f = prim((PrimId)id)->function;
        if (!f || *f != *name || !*f) continue;
        size_t n = strlen(f);
        if (!strncmp(name, f, n) && (!name[n] || !strcmp(name + n, "f"))) return true;       /* C has another for floats */
    }
    return false;
}

/* FLT_MAX, CLK_LOCAL_MEM_FENCE, but not A_1 */
static bool is_macro_like(const char *name)
{
    bool two = false;
    for (const char *p = name; *p; p++) {
        if (*p != '_' && !isupper((unsigned char)*p) && !isdigit((unsigned char)*p)) return false;
        two = two || (*p == '_' && isupper((unsigned char)p[1]));
    }
    return two;
}

static bool begins_with(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

static int compare_word(const void *name, const void *word) { return strcmp(name, *(const char *const *)word); }

static bool is_word(const char *name)
{
    static const char *const families[] = {"M_", "CLK_", "CL_", "atom_", "atomic_", "cl_", "get_", "image1d_", "image2d_", "image3d_", "lathe_",
                                           "read_image", "vload", "vstore", "write_image"};
    static const char *const of_types[] = {"as_", "convert_"};
    size_t n = strlen(name), ends = n;
    while (ends && name[ends - 1] == '_') ends--;
    /* What C keeps for itself ends in two underscores if it ends in any, and nothing else ends in one. */
    if (n - ends == 1 || n - ends > 2) return false;
    if (name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]))) return true;
    size_t stem = n;
    while (stem && isdigit((unsigned char)name[stem - 1])) stem--;
    if (stem && stem < n && name[stem - 1] == '_') return false;                               /* an element, a component */
    if (stem > 2 && stem < n && !memcmp(name + stem - 2, "_k", 2)) return true;                /* a kernel */
    for (int i = 0; i < COUNT(families); i++)
        if (families[i][0] == *name && begins_with(name, families[i])) return true;
    for (int i = 0; i < COUNT(of_types); i++)
        if (of_types[i][0] == *name && begins_with(name, of_types[i]) && vector_word(name + strlen(of_types[i]), stem - strlen(of_types[i]))) return true;
    return vector_word(name, stem) || is_macro_like(name) || bsearch(name, words, COUNT(words), sizeof *words, compare_word) || is_function(name);
}

const char *kernel_word(Arena *a, const char *name) { return is_word(name) ? arena_printf(a, "%s_", name) : name; }

static bool same_name(const void *key, const void *item) { return strcmp(key, ((const NameUse *)item)->name) == 0; }

/* In the current kernel what the plan has named counts as used. */
static NameUse *name_use(Build *b, PtrTable *names, const char *name)
{
    uint64_t h = hash_bytes(0, name, strlen(name));
    NameUse *u = ptr_table_find(names, h, same_name, name);
    if (u) return u;
    u = MAKE(b->arena, NameUse, .name = name, .count = names != &b->names && ptr_table_find(&b->names, h, same_name, name));
    ptr_table_add(names, h, u);
    return u;
}

const char *kernel_numbered(Arena *a, const char *name, const char *gap, int number)
{
    char digits[12], *d = digits + sizeof digits;
    size_t n = strlen(name), g = strlen(gap);
    do *--d = (char)('0' + number % 10); while (number /= 10);
    size_t k = (size_t)(digits + sizeof digits - d);
    char *text = arena_alloc(a, n + g + k + 1);
    memcpy(text, name, n);
    memcpy(text + n, gap, g);
    memcpy(text + n + g, d, k);
    return text;
}

/* The only way in which a name becomes another: `_` behind a word, then the first number that is free. */
static const char *fresh_name(Build *b, PtrTable *names, const char *hint)
{
    NameUse *t = name_use(b, names, hint);
    if (!t->c) t->c = is_word(t->name) ? arena_printf(b->arena, "%s_", t->name) : t->name;
    NameUse *u = t->c == t->name ? t : name_use(b, names, t->c);
    if (u->count++ == 0) return u->name;
    const char *gap = isdigit((unsigned char)u->name[strlen(u->name) - 1]) ? "_" : "";      /* a1_2, not a12 */
    for (;;) {
        NameUse *v = name_use(b, names, kernel_numbered(b->arena, u->name, gap, u->count));
        if (v->count == 0 && !is_word(v->name)) {
            v->count++;
            return v->name;
        }
        u->count++;
    }
}

const char *kernel_name(Build *b, const char *hint) { return fresh_name(b, &b->k->names, hint ? hint : "t"); }

const char *plan_name(Build *b, const char *hint)
{
    for (;;) {
        const char *name = fresh_name(b, &b->names, hint);
        NameUse *u = b->k ? ptr_table_find(&b->k->names, hash_bytes(0, name, strlen(name)), same_name, name) : NULL;
        if (!u || u->count++ == 0) return name;
    }
}

const char *plan_part_name(Build *b, const char *name, int part, int total)
{
    return total == 1 ? name : plan_name(b, kernel_numbered(b->arena, name, "_", part));
}

bool kernel_loop_name(Build *b, const char *name)
{
    NameUse *u = name_use(b, &b->k->names, name);
    if (u->count && !u->loop) return false;
    u->count = u->count ? u->count : 1;
    u->loop = true;
    return true;
}

/* ---- kernels and index variables ---- */

static bool same_atom(const void *key, const void *item) { return ((const VarInfo *)item)->atom == key; }

const VarInfo *kernel_var(const Kernel *k, const NatAtom *atom)
{
    return atom->var == VAR_INDEX ? ptr_table_find(&k->vars, hash_mix(7, atom->id), same_atom, atom) : NULL;
}

static void keep_var(Build *b, VarInfo info, const Nat *v)
{
    VarInfo *kept = NEW(b->arena, VarInfo);
    *kept = info;
    kept->atom = nat_atom(v);
    ptr_table_add(&b->k->vars, hash_mix(7, kept->atom->id), kept);
}

const Nat *kernel_index(Build *b, VarInfo info, const char *name, const Nat *extent)
{
    if (extent && extent->is_const && extent->value == 1) return nat_const(b->n, 0);
    const Nat *v = nat_fresh_index(b->n, name, extent), *plain = build_plain(b, v);
    keep_var(b, info, v);
    if (plain != v && plain->term_count) keep_var(b, info, plain);
    return v;
}

const Nat *kernel_upper_bound(Build *b, const Nat *n)
{
    const Nat *most = n, *one = nat_const(b->n, 1);
    for (int rounds = 0; rounds < RANK_MAX && most && !most->is_const; rounds++) {
        const NatAtom *sliced = nat_var_of(most, VAR_INDEX, NULL);
        if (!sliced) break;
        most = nat_subst(b->n, most, &(NatBinding){sliced, nat_sub(b->n, sliced->hi, one)}, 1, b->facts);
    }
    return most && nat_less_eq(b->n, n, most) ? most : NULL;
}

const char *const kernel_ids[ID_KINDS][3] = {{"gid0", "gid1", "gid2"}, {"wg0", "wg1", "wg2"}, {"l0", "l1", "l2"}};

Kernel *kernel_new(Build *b, const Term *root)
{
    Kernel *k = NEW(b->arena, Kernel);
    b->k = k;
    b->block = NULL;
    block_open(b, &k->body);
    k->root = root;
    forms_start(&k->forms, b->n, b->arena);
    k->vars.arena = k->names.arena = k->elements.arena = k->own.arena = b->arena;
    ptr_table_reserve(&k->names, 128);
    for (int d = 0; d < 3; d++) k->local[d] = 1;
    return k;
}

void kernel_drop(Kernel *k)
{
    free(k->locals.v);
    free(k->splits.v);
}

IdKind kernel_id_of_map(const Build *b, const Term *e)
{
    IdKind kind = id_of_map(e);
    return kind == ID_GLOBAL && b->k->joined ? ID_LOCAL : kind;
}

typedef struct Wanted { const Buffer *buf; const Nat *const *idx; } Wanted;

static bool same_element(const void *key, const void *item)
{
    const Wanted *w = key;
    const Element *e = item;
    if (e->buf != w->buf) return false;
    for (int d = 0; d < w->buf->rank; d++)
        if (e->idx[d] != w->idx[d]) return false;
    return true;
}

Element *element_of(Build *b, const Buffer *buf, const Nat *const *idx)
{
    Wanted key = {buf, idx};
    uint64_t h = (uint64_t)buf->id;
    for (int d = 0; d < buf->rank; d++) h = (h ^ idx[d]->id) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
    Element *e = ptr_table_find(&b->k->elements, h, same_element, &key);
    if (e) return e;
    e = arena_alloc(b->arena, sizeof *e + sizeof *idx * (size_t)buf->rank);
    *e = (Element){.buf = buf, .id = b->k->element_count++};
    for (int d = 0; d < buf->rank; d++) e->idx[d] = idx[d];
    ptr_table_add(&b->k->elements, h, e);
    return e;
}

Buffer *buffer_new(Build *b, Space space, Scalar scalar, int width, const char *name)
{
    Buffer *buf = MAKE(b->arena, Buffer, .id = b->buffer_ids++, .name = name, .space = space, .scalar = scalar, .width = width, .plan = -1);
    buf->count = nat_const(b->n, width);
    b->needs.made[scalar] = true;
    return buf;
}

/* ---- expressions ---- */

static Expr *expr_new(Build *b, ExprKind kind, Scalar s, int width, const Expr *const *args, int arg_count)
{
    Expr *e = arena_alloc(b->arena, sizeof *e + sizeof *args * (size_t)arg_count);
    e->args = (const Expr **)(e + 1);
    e->arg_count = arg_count;
    for (int i = 0; i < arg_count; i++) e->args[i] = args[i];
    e->kind = kind;
    e->scalar = s;
    e->width = width;
    e->id = b->expr_ids++;
    b->needs.made[s] = true;
    return e;
}

Expr *expr_copy(Build *b, const Expr *e)
{
    Expr *copy = arena_raw(b->arena, sizeof *e + sizeof *e->args * (size_t)e->arg_count);
    *copy = *e;
    copy->id = b->expr_ids++;
    copy->args = (const Expr **)(copy + 1);
    for (int i = 0; i < e->arg_count; i++) copy->args[i] = e->args[i];
    return copy;
}

const Expr *expr_lit(Build *b, Scalar s, LitValue v)
{
    Expr *e = expr_new(b, X_LIT, s, 1, NULL, 0);
    e->lit = v;
    return e;
}

const Expr *expr_value(Build *b, Scalar s, const char *name)
{
    Expr *e = expr_new(b, X_VALUE, s, 1, NULL, 0);
    e->name = name;
    return e;
}

const Expr *expr_nat(Build *b, Scalar s, const Nat *n)
{
    if (n && !n->is_const) build_one_round(b);
    return expr_index(b, s, n);
}

const Expr *expr_index(Build *b, Scalar s, const Nat *n)
{
    if (!n) build_fail(b, E54, b->in.reader, "an index is too large or does not divide evenly");
    Expr *e = expr_new(b, X_NAT, s, 1, NULL, 0);
    e->nat = n ? n : nat_const(b->n, 0);
    return e;
}

const Expr *expr_load(Build *b, const Place *p)
{
    Expr *e = expr_new(b, X_LOAD, p->buf->scalar, p->width, NULL, 0);
    e->place = *p;
    if (p->tag) b->tags.v[p->tag - 1] = true;
    return e;
}

const Expr *expr_vec(Build *b, Scalar s, const Expr *const *lanes, int n) { return expr_new(b, X_VEC, s, n, lanes, n); }

const Expr *expr_lane(Build *b, const Expr *v, int lane)
{
    if (v->width == 1) return v;
    if (v->kind == X_VEC) return v->args[lane];
    if (v->kind == X_LOAD && v->place.buf->space != SPACE_PRIVATE) {
        Place p = place_moved(b, &v->place, nat_const(b->n, lane));
        p.width = 1;
        return expr_load(b, &p);
    }
    Expr *e = expr_new(b, X_LANE, v->scalar, 1, &v, 1);
    e->lane = lane;
    return e;
}

const Nat *expr_integer(Build *b, const Expr *e)
{
    if (e->width != 1 || (e->scalar != SC_I32 && e->scalar != SC_I64)) return NULL;
    if (e->kind == X_NAT) return e->nat;
    return e->kind == X_LIT ? nat_const(b->n, e->lit.i) : NULL;
}

static bool positive(Build *b, const Nat *n) { return nat_less(b->n, nat_const(b->n, 0), n); }

/* Integer arithmetic over indices stays an index, so that it simplifies. y: NULL where there is one argument. */
static const Nat *fold(Build *b, PrimId op, const Nat *x, const Nat *y)
{
    if (op == PRIM_NEG) return nat_sub(b->n, nat_const(b->n, 0), x);
    bool divides = prim(op)->traits & PT_DIVIDES, towards_zero = op == PRIM_QUOT || op == PRIM_REM;
    if (!y || (divides && !positive(b, y)) || (towards_zero && !nat_is_nonneg(b->n, x))) return NULL;
    return prim_calculate(b->n, op, x, y, b->facts);
}

/* Only while no bound shows that the value leaves the ints: beyond that integers wrap, Nats do not. What is an i64 is computed with
 * indices that are ints, and has to be one provably. */
static bool stays_int(Build *b, const Nat *n, Scalar s)
{
    int64_t lo, hi;
    if (s != SC_I32 && (n->is_const || b->long_index)) return true;
    if (s != SC_I32) return nat_lower(b->n, n, &lo) && lo >= INT32_MIN && nat_upper(b->n, n, &hi) && hi <= INT32_MAX;
    if (nat_lower(b->n, n, &lo) && lo < INT32_MIN) return false;
    return !nat_upper(b->n, n, &hi) || hi <= INT32_MAX;
}

static const Expr *fold_op(Build *b, PrimId op, Scalar s, const Expr *const *args, int n)
{
    if (n > 2 || (s != SC_I32 && s != SC_I64)) return NULL;
    if (args[0]->kind != X_NAT && (n < 2 || args[1]->kind != X_NAT)) return NULL;
    const Nat *x = expr_integer(b, args[0]), *y = n > 1 ? expr_integer(b, args[1]) : NULL;
    if (!x || (n > 1 && !y)) return NULL;
    const Nat *r = fold(b, op, x, y);
    return r && stays_int(b, r, s) ? expr_index(b, s, r) : NULL;
}

/* A comparison that the ranges of the indices decide: 1, 0, or -1 for unknown. */
static int decided(Build *b, PrimId op, const Expr *const *args)
{
    const Nat *x = expr_integer(b, args[0]), *y = expr_integer(b, args[1]);
    return x && y ? prim_decide(b->n, op, x, y) : -1;
}

static bool is_truth(const Expr *e, int v) { return e->kind == X_LIT && e->scalar == SC_BOOL && e->lit.i == v; }

static const Expr *fold_truth(Build *b, PrimId op, const Expr *const *args, int n)
{
    int d = n == 2 ? decided(b, op, args) : -1;
    if (d >= 0) return expr_lit(b, SC_BOOL, (LitValue){.i = d});
    if (op == PRIM_AND || op == PRIM_OR) {
        int unit = op == PRIM_AND;
        if (is_truth(args[0], unit)) return args[1];
        return is_truth(args[1], unit) || is_truth(args[0], !unit) ? args[0] : NULL;
    }
    if (!prim_chooses(op)) return NULL;
    return is_truth(args[0], 1) ? args[1] : is_truth(args[0], 0) ? args[2] : NULL;
}

const Expr *expr_op(Build *b, PrimId op, Scalar s, const Expr *const *args, int n)
{
    if (op == prim_cast(args[0]->scalar)) return args[0];
    const Nat *x = prim_is_cast(op) && scalar_is_float(s) ? expr_integer(b, args[0]) : NULL;
    int64_t most = s == SC_BF16 ? 256 : 2048;
    if (x && x->is_const && x->value >= -most && x->value <= most)           /* the float holds it exactly */
        return expr_lit(b, s, (LitValue){.f = (double)x->value});
    const Expr *folded = fold_op(b, op, s, args, n);
    if (!folded) folded = fold_truth(b, op, args, n);
    if (folded) return folded;
    int width = 1;
    for (int i = 0; i < n; i++)
        if (args[i]->width > width) width = args[i]->width;
    Expr *e = expr_new(b, X_OP, s, op == PRIM_VDOT ? 1 : width, args, n);
    e->op = op;
    return e;
}

const Expr *expr_binary(Build *b, PrimId op, Scalar s, const Expr *x, const Expr *y)
{
    const Expr *args[2] = {x, y};
    return expr_op(b, op, s, args, 2);
}

const Nat *expr_counts_from(const Build *b, const Expr *e)
{
    if (e->kind != X_VEC || e->args[0]->kind != X_NAT) return NULL;
    for (int i = 1; i < e->arg_count; i++)
        if (e->args[i]->kind != X_NAT || e->args[i]->nat != nat_add(b->n, e->args[0]->nat, nat_const(b->n, i))) return NULL;
    return e->args[0]->nat;
}

bool expr_is_atom(const Expr *e)
{
    if (e->kind == X_LOAD) return e->place.buf->space == SPACE_PRIVATE && (e->place.buf->rank == 0 || !e->place.lane);
    if (e->kind == X_NAT) return e->nat->term_count <= 1;
    return e->kind == X_LIT || e->kind == X_VALUE;
}

bool kernel_any_var(const Kernel *k, const Nat *n, bool (*is)(const VarInfo *v))
{
    bool found = false;
    LOCAL(drop) NatAtomVec vars = nat_vars_in(n);
    for (int i = 0; i < vars.n && !found; i++) found = is(kernel_var(k, vars.v[i]));
    return found;
}

static bool is_loaded(const VarInfo *v) { return v && v->kind == VAR_OPAQUE; }
bool index_is_loaded(const Kernel *k, const Nat *n) { return kernel_any_var(k, n, is_loaded); }

/* A loaded index lies in range only where the program asks for that element. */
static bool is_within(Build *b, const Nat *at, int width, const Nat *count)
{
    const Nat *last = nat_add(b->n, at, nat_const(b->n, width - 1));
    return !index_is_loaded(b->k, at) && nat_is_nonneg(b->n, at) && nat_less(b->n, last, count);
}

static bool place_is_safe(Build *b, const Place *p)
{
    if (p->buf->space == SPACE_PRIVATE && !p->buf->rank) return true;
    if (p->buf->space != SPACE_PRIVATE) return is_within(b, p->at, p->width, p->buf->count);
    return ALL(d, p->buf->rank, is_within(b, p->element->idx[d], 1, p->buf->dims[d]));
}

bool expr_is_total(Build *b, const Expr *e)
{
    if (e->kind == X_LOAD && !place_is_safe(b, &e->place)) return false;
    if (e->kind == X_OP && (prim(e->op)->traits & PT_DIVIDES) && !scalar_is_float(e->scalar)) {
        const Expr *y = e->args[1];
        if (!(y->kind == X_LIT && y->lit.i != 0) && !(y->kind == X_NAT && positive(b, y->nat))) return false;
    }
    return ALL(i, e->arg_count, expr_is_total(b, e->args[i]));
}

bool block_is_total(Build *b, const Block *blk)
{
    for (const Stmt *s = blk->first; s; s = s->next) {
        bool plain = s->kind == S_STORE || s->kind == S_FOR || s->kind == S_IF || s->kind == S_ALLOC || s->kind == S_BARRIER;
        if (!plain || (s->value && !expr_is_total(b, s->value)) || (s->kind == S_STORE && !place_is_safe(b, &s->place))) return false;
        if (stmt_has_bodies(s) && !(block_is_total(b, &s->body) && block_is_total(b, &s->other))) return false;
    }
    return true;
}

const Nat *expr_gap(Build *b, const Expr *e, bool *below)
{
    if (e->kind != X_OP) return NULL;
    bool turned = prim_is_upper(e->op) != prim_is_strict(e->op);         /* x <= y says of y - x what x >= y says of x - y */
    *below = prim_is_strict(e->op);
    if (!prim_orders(e->op)) return NULL;
    const Nat *x = expr_integer(b, e->args[turned]), *y = expr_integer(b, e->args[!turned]);
    return x && y ? nat_sub(b->n, x, y) : NULL;
}

/* ---- bounds ---- */

Bounds scalar_bounds(Scalar s) { return (Bounds){scalar_least(s), s == SC_U64 ? (Wide)UINT64_MAX : scalar_most(s)}; }

static Bounds hull(Bounds a, Bounds b) { return (Bounds){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi}; }

/* All sums, differences or products of a value in a and one in b. False: some are too large. */
static bool combine(PrimId op, Bounds a, Bounds b, Bounds *out)
{
    Wide x[4];
    bool big = false;
    if (op == PRIM_ADD) {
        big = __builtin_add_overflow(a.lo, b.lo, &out->lo) | __builtin_add_overflow(a.hi, b.hi, &out->hi);
    } else if (op == PRIM_SUB) {
        big = __builtin_sub_overflow(a.lo, b.hi, &out->lo) | __builtin_sub_overflow(a.hi, b.lo, &out->hi);
    } else {
        for (int i = 0; i < 4; i++) big |= __builtin_mul_overflow(i & 1 ? a.hi : a.lo, i & 2 ? b.hi : b.lo, &x[i]);
        if (!big) *out = hull(hull((Bounds){x[0], x[0]}, (Bounds){x[1], x[1]}), hull((Bounds){x[2], x[2]}, (Bounds){x[3], x[3]}));
    }
    return !big;
}

/* The exact value of + - * and negation lies in *out. False: it may be out of the type's range. */
bool expr_exact_bounds(Build *b, const Expr *e, Bounds *out)
{
    Bounds whole = scalar_bounds(e->scalar), a = expr_bounds(b, e->args[0]);
    bool negation = e->op == PRIM_NEG;
    bool fits = negation ? combine(PRIM_SUB, (Bounds){0, 0}, a, out) : combine(e->op, a, expr_bounds(b, e->args[1]), out);
    return fits && out->lo >= whole.lo && out->hi <= whole.hi;
}

/* Bounds of an integer expression, both included. */
Bounds expr_bounds(Build *b, const Expr *e)
{
    Bounds all = scalar_bounds(e->scalar), x, y, r = all;
    int64_t end;
    if (e->kind == X_LIT && e->scalar == SC_U64) return (Bounds){(uint64_t)e->lit.i, (uint64_t)e->lit.i};
    if (e->kind == X_LIT) return (Bounds){e->lit.i, e->lit.i};
    if (e->kind == X_NAT) {
        if (nat_lower(b->n, e->nat, &end)) r.lo = end;
        else if (nat_is_nonneg(b->n, e->nat)) r.lo = 0;
        if (nat_upper(b->n, e->nat, &end)) r.hi = end;
        return r.lo < all.lo || r.hi > all.hi ? all : r;
    }
    if (e->kind == X_VEC) {
        r = expr_bounds(b, e->args[0]);
        for (int i = 1; i < e->arg_count; i++) r = hull(r, expr_bounds(b, e->args[i]));
        return r;
    }
    if (e->kind != X_OP || scalar_is_float(e->args[0]->scalar) || e->op == PRIM_VDOT) return all;
    if (expr_is_ring_op(e->op)) return expr_exact_bounds(b, e, &r) ? r : all;
    if (prim_chooses(e->op)) return hull(expr_bounds(b, e->args[1]), expr_bounds(b, e->args[2]));
    if (e->arg_count > 2) return all;
    x = expr_bounds(b, e->args[0]);
    y = e->arg_count > 1 ? expr_bounds(b, e->args[1]) : all;
    Wide to_zero_lo = x.lo < 0 ? x.lo : 0, to_zero_hi = x.hi > 0 ? x.hi : 0;
    switch (e->op) {
    case PRIM_MIN: return (Bounds){x.lo < y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
    case PRIM_MAX: return (Bounds){x.lo > y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi};
    case PRIM_MOD: return y.lo > 0 ? (Bounds){0, y.hi - 1} : all;
    case PRIM_REM: return y.lo > 0 ? (Bounds){x.lo < 0 ? 1 - y.hi : 0, x.hi > 0 ? y.hi - 1 : 0} : all;
    case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_QUOT: return y.lo > 0 ? (Bounds){to_zero_lo, to_zero_hi} : all;
    case PRIM_SHR: return (Bounds){to_zero_lo, to_zero_hi};
    case PRIM_POPCOUNT: case PRIM_CLZ: return (Bounds){0, 8 * scalar_bytes(e->scalar)};
    case PRIM_ABS: return x.lo == all.lo && x.lo < 0 ? all : (Bounds){0, -to_zero_lo > x.hi ? -to_zero_lo : x.hi};
    case PRIM_BAND: return x.lo < 0 && y.lo < 0 ? all : (Bounds){0, x.lo < 0 ? y.hi : y.lo < 0 || x.hi < y.hi ? x.hi : y.hi};
    default: return !prim_is_cast(e->op) || x.lo < all.lo || x.hi > all.hi ? all : x;
    }
}

bool atom_mentions(const NatAtom *a, const NatAtom *var)
{
    return a == var || (a->kind != ATOM_VAR && (nat_mentions(a->a, var) || nat_mentions(a->b, var)));
}

int64_t index_step(const Nat *n, const NatAtom *var)
{
    int64_t c = 0;
    for (int k = 0; k < n->term_count; k++) {
        const NatTerm *t = &n->terms[k];
        bool lone = t->factor_count == 1 && t->factors[0].atom == var && t->factors[0].exp == 1 && t->den == 1;
        if (lone) c = t->num;
        else if (ANY(f, t->factor_count, atom_mentions(t->factors[f].atom, var))) return 0;
    }
    return c;
}

/* ---- statements ---- */

void block_open(Build *b, Block *blk)
{
    if (!blk->id) blk->id = ++b->block_ids;
    blk->up = b->block;
    b->block = blk;
}

bool block_is_open(const Build *b, int id)
{
    for (const Block *blk = b->block; blk; blk = blk->up)
        if (blk->id == id) return true;
    return false;
}

Stmt *stmt_new(Build *b, StmtKind kind)
{
    Stmt *s = MAKE(b->arena, Stmt, .kind = kind, .origin = b->origin);
    if (b->block->last) b->block->last->next = s;
    else b->block->first = s;
    b->block->last = s;
    return s;
}

bool place_same(const Place *a, const Place *b)
{
    return a->buf == b->buf && a->element == b->element && a->at == b->at && a->lane == b->lane && a->width == b->width;
}

bool expr_same(const Expr *a, const Expr *b)
{
    if (a == b) return true;
    if (a->kind != b->kind || a->scalar != b->scalar || a->width != b->width || a->op != b->op || a->arg_count != b->arg_count) return false;
    switch (a->kind) {
    case X_LIT: return a->lit.i == b->lit.i;
    case X_NAT: return a->nat == b->nat;
    case X_VALUE: return a->name == b->name;
    case X_LOAD: if (!place_same(&a->place, &b->place)) return false; break;
    case X_OP: break;
    default: return false;
    }
    return ALL(i, a->arg_count, expr_same(a->args[i], b->args[i]));
}

Place place_moved(Build *b, const Place *p, const Nat *by)
{
    Place q = *p;
    q.at = nat_add(b->n, p->at, by);
    if (p->packed) q.packed = nat_add(b->n, p->packed, by);
    return q;
}

void stmt_assign(Build *b, const Place *p, const Expr *value)
{
    bool same = value->kind == X_LOAD && place_same(&value->place, p);
    if (same && !value->place.tag) return;
    Stmt *s = stmt_new(b, S_STORE);
    s->place = *p;
    s->value = value;
    s->kept = same ? value->place.tag : 0;
    if (same) return;
    s->stream = b->stream && p->buf->space == SPACE_GLOBAL;
    p->buf->written = true;
}

/* In a round that stands for all of them the name is only the hint. */
Buffer *stmt_declare(Build *b, const char *hint, Scalar s, int width, bool once)
{
    Buffer *v = buffer_new(b, SPACE_PRIVATE, s, width, b->any_round ? hint : kernel_name(b, hint));
    v->once = once;
    stmt_new(b, S_ALLOC)->buf = v;
    return v;
}

Buffer *stmt_value(Build *b, const char *hint, const Expr *value)
{
    Buffer *v = stmt_declare(b, hint, value->scalar, value->width, true);
    Place p = place_of(v);
    stmt_assign(b, &p, value);
    return v;
}

const Expr *expr_named(Build *b, const char *hint, const Expr *value)
{
    Place p = place_of(stmt_value(b, hint, value));
    return expr_load(b, &p);
}

/* ---- walking over places ---- */

static bool expr_places(const Expr *e, int spaces, PlaceVisit *visit, void *data)
{
    if (e->kind == X_LOAD && spaces & 1 << e->place.buf->space) return visit(data, &e->place, false);
    for (int i = 0; i < e->arg_count; i++) {
        const Expr *a = e->args[i];             /* most are loads */
        if (a->kind == X_LOAD ? spaces & 1 << a->place.buf->space && visit(data, &a->place, false)
                              : a->arg_count && expr_places(a, spaces, visit, data)) return true;
    }
    return false;
}

bool stmt_places(const Stmt *s, int spaces, bool inside, PlaceVisit *visit, void *data)
{
    if (s->value && expr_places(s->value, spaces, visit, data)) return true;
    if (stmt_writes(s) && spaces & 1 << s->place.buf->space && visit(data, &s->place, true)) return true;
    return inside && stmt_has_bodies(s) && (block_places(&s->body, spaces, visit, data) || block_places(&s->other, spaces, visit, data));
}

bool block_places(const Block *blk, int spaces, PlaceVisit *visit, void *data)
{
    for (const Stmt *s = blk->first; s; s = s->next)
        if (stmt_places(s, spaces, true, visit, data)) return true;
    return false;
}

static bool is_of(void *data, const Place *p, bool write)
{
    (void)write;
    return p->buf == data;
}

bool stmt_mentions(const Stmt *s, const Buffer *buf) { return stmt_places(s, 1 << buf->space, true, is_of, (void *)buf); }
bool expr_reads(const Expr *e, const Buffer *buf) { return expr_places(e, 1 << buf->space, is_of, (void *)buf); }
