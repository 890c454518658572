/* cuda: the dialect CUDA C. Vectors of any width are a struct of their lanes, with the operators that the kernels use. */
#include "printer.h"

#include <string.h>

enum { STATIC_MOST = 48 << 10, ALIGNED = 64 };       /* bytes of local memory that need no leave of the launch; of each array there */

/* Scalars that an item keeps with which it wants more than 128 registers, and can do with as many; items with 128 that have
 * room. */
enum { KEPT_LEAST = 48, KEPT_MOST = 80, ITEMS_RESIDENT = 512 };

/* What a program defines for its kernels, as bits of Build.helpers. */
enum { USES_VECTORS = HELPER_COUNT, USES_LOAD, USES_LOAD_ALIGNED, USES_STORE, USES_STORE_ALIGNED, USES_STORE_STREAM, USES_CONVERT,
       USES_SELECT, USES_SHL, USES_SHR, USES_SIGN, USES_POPCOUNT, USES_CLZ, USES_BITS };

static void uses(Printer *p, int helper) { p->b->needs.helpers |= 1u << helper; }

/* ---- types and vectors ---- */

static void put_type(Printer *p, const char *element, int width)
{
    if (width > 1) uses(p, USES_VECTORS);
    if (width > 1) buf_printf(p->out, "lathe_vec<%s, %d>", element, width);
    else buf_puts(p->out, element);
}

static void put_vector(Printer *p, const char *element, int width, bool all)
{
    (void)all;
    put_type(p, element, width);
    buf_putc(p->out, '(');
}

static void put_convert(Printer *p, const char *element, int width)
{
    (void)width;
    uses(p, USES_CONVERT);
    buf_printf(p->out, "lathe_convert<%s>(", element);
}

static void put_same_bits(Printer *p, const char *element, int width)
{
    uses(p, USES_BITS);
    buf_puts(p->out, "lathe_bits<");
    put_type(p, element, width);
    buf_puts(p->out, ">(");
}

/* Can it be reached by accesses of 16 bytes, or by one of them all? */
static bool is_aligned(const Printer *p, const Place *q)
{
    int lanes = 16 / scalar_bytes(q->buf->scalar);
    return q->width != 3 && nat_divides(p->b->n, nat_const(p->b->n, q->width < lanes ? q->width : lanes), q->at, p->b->facts);
}

static void put_load(Printer *p, const Place *q)
{
    bool aligned = is_aligned(p, q);
    uses(p, aligned ? USES_LOAD_ALIGNED : USES_LOAD);
    buf_printf(p->out, "lathe_load%s<%d>(", aligned ? "_aligned" : "", q->width);
    printer_address(p, q);
    buf_putc(p->out, ')');
}

static void put_store(Printer *p, const Stmt *s, bool stream)
{
    bool aligned = is_aligned(p, &s->place);
    uses(p, stream ? USES_STORE_STREAM : aligned ? USES_STORE_ALIGNED : USES_STORE);
    buf_printf(p->out, "lathe_store%s(", stream ? "_stream" : aligned ? "_aligned" : "");
    printer_address(p, &s->place);
    buf_puts(p->out, ", ");
    printer_stored(p, s->value, &s->place);
    buf_putc(p->out, ')');
}

/* ---- operations ---- */

static const char *function_name(PrimId op, Scalar s)
{
    (void)s;
    switch (op) {
    case PRIM_SIGN: return "lathe_sign";
    case PRIM_SHL: return "lathe_shl";
    case PRIM_SHR: return "lathe_shr";
    case PRIM_POPCOUNT: return "lathe_popcount";
    case PRIM_CLZ: return "lathe_clz";
    default: return NULL;
    }
}

/* Shifts take their count modulo the width, and no `? :` takes a vector. */
static bool put_operation(Printer *p, const Expr *e, int prec)
{
    (void)prec;
    if (e->op == PRIM_SIGN) uses(p, USES_SIGN);
    if (e->op == PRIM_POPCOUNT || e->op == PRIM_CLZ) uses(p, e->op == PRIM_CLZ ? USES_CLZ : USES_POPCOUNT);
    if (e->op == PRIM_SHL || e->op == PRIM_SHR) {
        uses(p, e->op == PRIM_SHL ? USES_SHL : USES_SHR);
        printer_lanewise(p, e->op, e->scalar, e->width);
        buf_puts(p->out, function_name(e->op, e->scalar));
        printer_arguments(p, e, e->width);
        return true;
    }
    if (!prim_chooses(e->op) || e->args[0]->width == 1) return false;
    uses(p, USES_SELECT);
    buf_puts(p->out, "lathe_select(");
    printer_mask(p, e->args[0], e->width, e->scalar == SC_BOOL ? 32 : 8 * scalar_bytes(e->scalar), P_TOP);
    printer_sides(p, e);
    return true;
}

static const char *atomic(PrimId op, Scalar s, Space space)
{
    (void)space;
    static const char *const names[PRIM_COUNT] = {[PRIM_ADD] = "atomicAdd", [PRIM_MIN] = "atomicMin", [PRIM_MAX] = "atomicMax",
                                                  [PRIM_BAND] = "atomicAnd", [PRIM_BOR] = "atomicOr", [PRIM_BXOR] = "atomicXor"};
    bool whole = s == SC_I32 || s == SC_U32, real = s == SC_F32 || s == SC_F64, wide = s == SC_I64;
    if (op == PRIM_COUNT) return whole || real || wide ? "atomicCAS" : NULL;
    bool has = whole || (op == PRIM_ADD ? real : wide && (op == PRIM_MIN || op == PRIM_MAX));     /* signed ones of 64 bits have no sum */
    return has ? names[op] : NULL;
}

static void put_bits(Printer *p, Scalar s, bool back)
{
    static const char *const to[SC_COUNT] = {[SC_F32] = "__float_as_uint", [SC_F64] = "(unsigned long long)__double_as_longlong",
                                             [SC_I64] = "(unsigned long long)", [SC_I32] = "(unsigned int)", [SC_U32] = "", [SC_U64] = ""};
    static const char *const from[SC_COUNT] = {[SC_F32] = "__uint_as_float", [SC_F64] = "__longlong_as_double", [SC_I64] = "(long long)",
                                               [SC_I32] = "(int)", [SC_U32] = "", [SC_U64] = ""};
    printer_put(p->out, (const char *[]){back ? from[s] : to[s], "(", NULL});
}

static void put_word(Printer *p, const Place *q)
{
    printer_put(p->out, (const char *[]){"(", printer_word(p->d, q->buf->scalar), " *)&", NULL});
    printer_place(p, q);
}

/* ---- kernels ---- */

/* Scalars of private arrays that live through a loop of the block: those of an item of a product in blocks. */
static int64_t kept_through_loops(const Block *blk)
{
    int64_t scalars = 0;
    for (const Stmt *s = blk->first; s; s = s->next) {
        if (s->kind != S_ALLOC || !s->buf->rank) continue;
        const Stmt *loop = s->next;
        while (loop && !(loop->kind == S_FOR && stmt_mentions(loop, s->buf))) loop = loop->next;
        if (loop) scalars += s->buf->own_count * s->buf->width;
    }
    return scalars;
}

/* Left to itself, the compiler gives an item that keeps much some registers too many for a second group on a multiprocessor, which has 64 Ki:
 * where 128 an item are enough, it is told of as many groups as these have room for (a product of 2048: 157, and 0.84 of the speed). */
static void put_kernel(Printer *p, const char *name)
{
    const int *local = p->k->local, items = local[0] * local[1] * local[2];
    int64_t kept = kept_through_loops(&p->k->body);
    bool bounded = items < ITEMS_RESIDENT && kept >= KEPT_LEAST && kept <= KEPT_MOST;
    int64_t most = (int64_t)target_number(p->b->options->target, TARGET_GPU, TARGET_UNITS) * items;             /* no second group comes to where all have room as the only one */
    for (int d = 0; d < 3; d++) most = p->k->global[d]->is_const ? most / p->k->global[d]->value : 0;
    bounded &= most == 0;
    buf_printf(p->out, "extern \"C\" __global__ __launch_bounds__(%d", items);
    if (bounded) buf_printf(p->out, ", %d", ITEMS_RESIDENT / items);
    buf_printf(p->out, ")\nvoid %s(", name);
}

static int64_t local_room(const Buffer *buf)
{
    int64_t bytes = buf->count->value * scalar_bytes(buf->scalar);
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* What is more than a kernel may declare is given to it by the launch. */
static void put_locals(Printer *p, PlanKernel *k)
{
    int64_t all = 0, at = 0;
    for (int i = 0; i < p->k->locals.n; i++) all += p->k->locals.v[i]->storage || p->k->locals.v[i]->lane ? 0 : local_room(p->k->locals.v[i]);
    bool given = all > STATIC_MOST;
    if (given) k->launch_bytes = all;
    if (given) buf_printf(p->out, "    extern __shared__ __align__(%d) unsigned char lathe_local[];\n", ALIGNED);
    for (int i = 0; i < p->k->locals.n; i++) {
        const Buffer *buf = p->k->locals.v[i];
        const char *type = printer_memory(p->d, buf->scalar);
        if (buf->storage) continue;
        if (buf->lane) {
            buf_printf(p->out, "    LATHE_LANES(%s, %s, %lld);\n", type, buf->name, (long long)buf->count->value);
            continue;
        }
        if (given) buf_printf(p->out, "    %s *const %s = (%s *)(lathe_local + %lld);\n", type, buf->name, type, (long long)at);
        else buf_printf(p->out, "    __shared__ __align__(%d) %s %s[%lld];\n", ALIGNED, type, buf->name, (long long)buf->count->value);
        at += local_room(buf);
    }
    for (int i = 0; i < p->k->locals.n; i++) {
        const Buffer *buf = p->k->locals.v[i];
        if (buf->storage) buf_printf(p->out, "    %s *const %s = %s;\n", printer_memory(p->d, buf->scalar), buf->name, buf->storage->name);
    }
}

static void put_id(Printer *p, IdKind kind, int dim)
{
    static const char *const axes[3] = {"x", "y", "z"};
    if (kind == ID_LOCAL) buf_printf(p->out, "threadIdx.%s", axes[dim]);
    else buf_printf(p->out, "%sblockIdx.%s", p->b->long_index && kind == ID_GLOBAL ? "(long long)" : "", axes[dim]);
    if (kind == ID_GLOBAL && p->k->local[dim] > 1) buf_printf(p->out, " * %d + threadIdx.%s", p->k->local[dim], axes[dim]);
}

static void put_barrier(Printer *p, const Stmt *s)
{
    buf_puts(p->out, s->lanes ? "lathe_lanes_barrier()" : s->warp ? "__syncwarp()" : "__syncthreads()");
}

/* ---- the program: what the kernels use ---- */

static void put_head(Build *b, Buf *out)
{
    buf_puts(out, "/* CUDA C, for nvcc -O3 -fmad=false -prec-div=false -prec-sqrt=false: a kernel says itself where a product and a sum are one\n"
             " * fma, and OpenCL C asks for no more of / and sqrt. */\n");
    if (b->needs.uses_f16) buf_puts(out, "#include <cuda_fp16.h>\n");
}

static const char half[] =
    "/* A half that is rounded after each operation. */\n"
    "struct lathe_half {\n"
    "    __half v;\n"
    "    lathe_half() = default;\n"
    "    __host__ __device__ lathe_half(__half x) : v(x) {}\n"
    "    __host__ __device__ lathe_half(float x) : v(__float2half_rn(x)) {}\n"
    "    template <class T> __host__ __device__ lathe_half(T x) : v(__double2half((double)x)) {}\n"
    "    __host__ __device__ operator float() const { return __half2float(v); }\n"
    "};\n"
    "static __device__ lathe_half operator+(lathe_half a, lathe_half b) { return __hadd_rn(a.v, b.v); }\n"
    "static __device__ lathe_half operator-(lathe_half a, lathe_half b) { return __hsub_rn(a.v, b.v); }\n"
    "static __device__ lathe_half operator*(lathe_half a, lathe_half b) { return __hmul_rn(a.v, b.v); }\n"
    "static __device__ lathe_half operator/(lathe_half a, lathe_half b) { return (float)a / (float)b; }\n"
    "static __device__ lathe_half operator-(lathe_half a) { return __hneg(a.v); }\n"
    "static __device__ lathe_half &operator+=(lathe_half &a, lathe_half b) { return a = a + b; }\n"
    "static __device__ lathe_half &operator-=(lathe_half &a, lathe_half b) { return a = a - b; }\n"
    "static __device__ lathe_half &operator*=(lathe_half &a, lathe_half b) { return a = a * b; }\n"
    "\n";

static const char clamps[] =
    "template <class T> static __device__ T clamp(T x, T lo, T hi) { return min(max(x, lo), hi); }\n\n";

static const char vectors[] =
    "/* N values side by side, aligned for accesses of up to 16 bytes. */\n"
    "template <class T, int N> struct alignas(N == 3 ? sizeof(T) : sizeof(T) * N < 16 ? sizeof(T) * N : 16) lathe_vec {\n"
    "    T s[N];\n"
    "    lathe_vec() = default;\n"
    "    explicit __device__ lathe_vec(T x) { for (int i = 0; i < N; i++) s[i] = x; }\n"
    "    template <class... More> __device__ lathe_vec(T a, T b, More... more) : s{a, b, T(more)...} {}\n"
    "};\n";

static const char sames[] =
    "template <class T> struct lathe_same_as { typedef T type; };\n"
    "template <class T> using lathe_same = typename lathe_same_as<T>::type;      /* whatever becomes a T */\n";

static const char masks[] =
    "template <int BYTES> struct lathe_mask_of { typedef int type; };             /* true is -1 */\n"
    "template <> struct lathe_mask_of<1> { typedef signed char type; };\n"
    "template <> struct lathe_mask_of<2> { typedef short type; };\n"
    "template <> struct lathe_mask_of<8> { typedef long long type; };\n"
    "template <class T, int N> using lathe_mask = lathe_vec<typename lathe_mask_of<sizeof(T)>::type, N>;\n";

/* One definition of each operator and function that vectors are given to. */
static const char infix[] =              /* %1$s and %2$s: around a left operand */
    "#define LATHE_INFIX(OP) \\\n"
    "    template <class T, int N> static __device__ lathe_vec<T, N> operator OP(lathe_vec<T, N> a, lathe_vec<T, N> b) \\\n"
    "    { for (int i = 0; i < N; i++) a.s[i] = %1$sa.s[i]%2$s OP b.s[i]; return a; } \\\n"
    "    template <class T, int N> static __device__ lathe_vec<T, N> operator OP(lathe_vec<T, N> a, lathe_same<T> b) \\\n"
    "    { for (int i = 0; i < N; i++) a.s[i] = %1$sa.s[i]%2$s OP b; return a; } \\\n"
    "    template <class T, int N> static __device__ lathe_vec<T, N> operator OP(lathe_same<T> a, lathe_vec<T, N> b) \\\n"
    "    { for (int i = 0; i < N; i++) b.s[i] = %1$sa%2$s OP b.s[i]; return b; } \\\n"
    "    template <class T, int N> static __device__ lathe_vec<T, N> &operator OP##=(lathe_vec<T, N> &a, lathe_vec<T, N> b) \\\n"
    "    { return a = a OP b; }\n";

static const char wide[] =               /* C makes ints of them, in which a product overflows */
    "template <class T> static __device__ T lathe_wide(T x) { return x; }\n"
    "static __device__ unsigned lathe_wide(unsigned short x) { return x; }\n";

static const char decision[] =
    "#define LATHE_DECISION(OP) \\\n"
    "    template <class T, int N> static __device__ lathe_mask<T, N> operator OP(lathe_vec<T, N> a, lathe_vec<T, N> b) \\\n"
    "    { lathe_mask<T, N> m; for (int i = 0; i < N; i++) m.s[i] = -(a.s[i] OP b.s[i]); return m; } \\\n"
    "    template <class T, int N> static __device__ lathe_mask<T, N> operator OP(lathe_vec<T, N> a, lathe_same<T> b) \\\n"
    "    { return a OP lathe_vec<T, N>(b); } \\\n"
    "    template <class T, int N> static __device__ lathe_mask<T, N> operator OP(lathe_same<T> a, lathe_vec<T, N> b) \\\n"
    "    { return lathe_vec<T, N>(a) OP b; }\n";

static const char *const calls[4] = {
    NULL,
    "#define LATHE_CALL_1(F) \\\n"
    "    template <class T, int N> static __device__ lathe_vec<T, N> F(lathe_vec<T, N> a) \\\n"
    "    { for (int i = 0; i < N; i++) a.s[i] = F(a.s[i]); return a; }\n",
    "#define LATHE_CALL_2(F) \\\n"
    "    template <class T, int N> static __device__ lathe_vec<T, N> F(lathe_vec<T, N> a, lathe_vec<T, N> b) \\\n"
    "    { for (int i = 0; i < N; i++) a.s[i] = F(a.s[i], b.s[i]); return a; }\n",
    "#define LATHE_CALL_3(F) \\\n"
    "    template <class T, int N> static __device__ lathe_vec<T, N> F(lathe_vec<T, N> a, lathe_vec<T, N> b, lathe_vec<T, N> c) \\\n"
    "    { for (int i = 0; i < N; i++) a.s[i] = F(a.s[i], b.s[i], c.s[i]); return a; }\n",
};

static const struct { int helper; const char *text; } scalar_helpers[] = {
    {USES_SHL, "template <class T> static __device__ T lathe_shl(T a, T b) { return (T)((unsigned long long)a << (b & (8 * sizeof(T) - 1))); }\n"},
    {USES_SHR, "template <class T> static __device__ T lathe_shr(T a, T b) { return a >> (b & (8 * sizeof(T) - 1)); }\n"},
    {USES_SIGN, "template <class T> static __device__ T lathe_sign(T x) { return x > T(0) ? T(1) : x < T(0) ? T(-1) : x == x ? x : T(0); }\n"},
    {USES_POPCOUNT,
     "template <class T> static __device__ T lathe_popcount(T x) { return (T)__popcll((unsigned long long)x << (64 - 8 * sizeof(T))); }\n"},
    {USES_CLZ,
     "template <class T> static __device__ T lathe_clz(T x)\n"
     "{ return (T)(x ? __clzll((long long)((unsigned long long)x << (64 - 8 * sizeof(T)))) : 8 * (int)sizeof(T)); }\n"},
    {USES_BITS, "template <class T, class From> static __device__ T lathe_bits(From x) { T r; memcpy(&r, &x, sizeof r); return r; }\n"},
}, vector_helpers[] = {
    {USES_CONVERT,
     "template <class T, class From, int N> static __device__ lathe_vec<T, N> lathe_convert(lathe_vec<From, N> a)\n"
     "{ lathe_vec<T, N> r; for (int i = 0; i < N; i++) r.s[i] = (T)a.s[i]; return r; }\n"},
    {USES_SELECT,
     "template <class M, class T, int N> static __device__ lathe_vec<T, N> lathe_select(lathe_vec<M, N> c, lathe_vec<T, N> a, lathe_vec<T, N> b)\n"
     "{ for (int i = 0; i < N; i++) a.s[i] = c.s[i] ? a.s[i] : b.s[i]; return a; }\n"},
    {USES_LOAD,
     "template <int N, class T> static __device__ lathe_vec<T, N> lathe_load(const T *p)\n"
     "{ lathe_vec<T, N> r; for (int i = 0; i < N; i++) r.s[i] = p[i]; return r; }\n"},
    {USES_LOAD_ALIGNED,
     "template <int N, class T> static __device__ lathe_vec<T, N> lathe_load_aligned(const T *p) { return *(const lathe_vec<T, N> *)p; }\n"},
    {USES_STORE,
     "template <class T, int N> static __device__ void lathe_store(T *p, lathe_vec<T, N> v) { for (int i = 0; i < N; i++) p[i] = v.s[i]; }\n"},
    {USES_STORE_ALIGNED,
     "template <class T, int N> static __device__ void lathe_store_aligned(T *p, lathe_vec<T, N> v) { *(lathe_vec<T, N> *)p = v; }\n"},
    {USES_STORE_STREAM,                  /* past the caches */
     "template <class T, int N> static __device__ void lathe_store_stream(T *p, lathe_vec<T, N> v)\n"
     "{\n"
     "    if (sizeof v % 16) *(lathe_vec<T, N> *)p = v;\n"
     "    else for (int i = 0; i < (int)(sizeof v / 16); i++) __stcs((int4 *)p + i, ((const int4 *)&v)[i]);\n"
     "}\n"},
};

typedef enum Shape { SHAPE_INFIX, SHAPE_DECISION, SHAPE_MINUS, SHAPE_NOT, SHAPE_CALL, SHAPES } Shape;

/* How an operator is applied to lanes: *text is the operator, or the function; a call's arguments are counted. */
static Shape shape_of(const Build *b, PrimId op, Scalar s, const char **text, int *arguments)
{
    bool shift = op == PRIM_SHL || op == PRIM_SHR;                       /* functions here */
    if (!shift && (*text = printer_infix(b->arena, op))) return printer_decides(op) ? SHAPE_DECISION : SHAPE_INFIX;
    if (op == PRIM_NEG || op == PRIM_NOT) return op == PRIM_NEG ? SHAPE_MINUS : SHAPE_NOT;
    *text = printer_function(&dialect_cuda, b->arena, op, s);
    *arguments = prim_arg_count(b->c, op);
    return SHAPE_CALL;
}

/* The operators and functions of one shape that are applied to vectors, each once: two may have one text. */
static void put_shape(const Build *b, Shape shape, int arguments, Buf *out)
{
    const char *done[PRIM_COUNT];
    int count = 0;
    for (int op = 0; op < PRIM_COUNT; op++)
        for (int s = 0; s < SC_COUNT; s++) {
            const char *text = NULL;
            int n = 0, i = 0;
            if (!(b->needs.lanewise[op] & 1u << s) || shape_of(b, (PrimId)op, (Scalar)s, &text, &n) != shape || n != arguments) continue;
            while (i < count && text && strcmp(done[i], text)) i++;
            if (i < count || count == COUNT(done)) continue;
            if (!count && shape == SHAPE_INFIX) {
                bool shorts = b->needs.lanewise[PRIM_MUL] & 1u << SC_U16;
                if (shorts) buf_puts(out, wide);
                buf_printf(out, infix, shorts ? "lathe_wide(" : "", shorts ? ")" : "");
            }
            if (!count && shape == SHAPE_DECISION) buf_puts(out, decision);
            if (!count && shape == SHAPE_CALL) buf_puts(out, calls[n]);
            done[count++] = text;
            if (shape == SHAPE_INFIX) buf_printf(out, "LATHE_INFIX(%s)\n", text);
            if (shape == SHAPE_DECISION) buf_printf(out, "LATHE_DECISION(%s)\n", text);
            if (shape == SHAPE_CALL) buf_printf(out, "LATHE_CALL_%d(%s)\n", n, text);
        }
}

static bool any_of(const Build *b, Shape shape)
{
    const char *text;
    int n;
    for (int op = 0; op < PRIM_COUNT; op++)
        if (b->needs.lanewise[op] && shape_of(b, (PrimId)op, SC_F32, &text, &n) == shape) return true;
    return false;
}

static const PtxWords ptx = {
    .condition = "__CUDA_ARCH__ >= 800", .function = "static __device__ ", .local = "", .global = "", .in_local = "__shared__ ",
    .barrier = {"lathe_lanes_barrier()", "__syncwarp()"}, .piece = "int4", .word = "unsigned",
    .address = {"(unsigned)__cvta_generic_to_shared(", ")"}, .wide = {"__cvta_generic_to_global(", ")"}, .to_float = "__uint_as_float",
};

static void put_helpers(Build *b, const Plan *plan, Buf *out)
{
    bool clamped = false;
    for (int i = 0; i < plan->kernel_count; i++) clamped = clamped || strstr(plan->kernels[i].body, "clamp(");
    if (clamped) buf_puts(out, clamps);
    if (b->needs.uses_f16) buf_puts(out, half);
    ptx_helpers(b, &ptx, out);
    size_t from = out->len;
    for (int i = 0; i < COUNT(roundings); i++)
        if (b->needs.rounded[roundings[i].op])
            buf_printf(out,
                       "static __device__ float %s(float x)\n{\n    unsigned u = __float_as_uint(x);\n"
                       "    return __uint_as_float(isnan(x) ? (u & %s) | 0x400000u : (u + %s) & %s);\n}\n",
                       roundings[i].name, roundings[i].mask, roundings[i].up, roundings[i].mask);
    for (int i = 0; i < COUNT(scalar_helpers); i++)
        if (b->needs.helpers & 1u << scalar_helpers[i].helper) buf_puts(out, scalar_helpers[i].text);
    if (b->needs.uses_f16) {
        /* Functions of halves, of what they are of floats; what vectors of them are given to is a function of their lanes too. */
        static const char *const forms[4] = {
            NULL, "static __device__ lathe_half %s(lathe_half a) { return %s((float)a); }\n",
            "static __device__ lathe_half %s(lathe_half a, lathe_half b) { return %s((float)a, (float)b); }\n", NULL};
        for (int op = 0; op < PRIM_COUNT; op++) {
            const char *text;
            int n = 0;
            if (!(b->needs.lanewise[op] & 1u << SC_F16) || op == PRIM_SIGN || shape_of(b, (PrimId)op, SC_F16, &text, &n) != SHAPE_CALL) continue;
            if (op == PRIM_FMA) buf_printf(out, "static __device__ lathe_half %s(lathe_half a, lathe_half b, lathe_half c) "
                                           "{ return __hfma(a.v, b.v, c.v); }\n", text);
            else buf_printf(out, forms[n], text, text);
        }
    }
    if (out->len > from) buf_putc(out, '\n');
    if (b->needs.helpers & 1u << USES_VECTORS || b->needs.helpers >> USES_LOAD & 0x7f) {
        bool decides = any_of(b, SHAPE_DECISION), negates = any_of(b, SHAPE_NOT);
        buf_puts(out, vectors);
        if (decides || any_of(b, SHAPE_INFIX)) buf_puts(out, sames);
        if (decides || negates) buf_puts(out, masks);
        if (any_of(b, SHAPE_MINUS))
            buf_puts(out, "template <class T, int N> static __device__ lathe_vec<T, N> operator-(lathe_vec<T, N> a)\n"
                          "{ for (int i = 0; i < N; i++) a.s[i] = -a.s[i]; return a; }\n");
        if (negates)
            buf_puts(out, "template <class T, int N> static __device__ lathe_mask<T, N> operator!(lathe_vec<T, N> a)\n"
                          "{ lathe_mask<T, N> m; for (int i = 0; i < N; i++) m.s[i] = -!a.s[i]; return m; }\n");
        put_shape(b, SHAPE_INFIX, 0, out);
        put_shape(b, SHAPE_DECISION, 0, out);
        for (int n = 1; n <= 3; n++) put_shape(b, SHAPE_CALL, n, out);
        for (int i = 0; i < COUNT(vector_helpers); i++)
            if (b->needs.helpers & 1u << vector_helpers[i].helper) buf_puts(out, vector_helpers[i].text);
        buf_putc(out, '\n');
    }
}

#define WORD(A, id, name, class, key, type, opencl, cuda, ...) [SC_##id] = cuda,

const Dialect dialect_cuda = {
    .name = "cuda", .title = "CUDA C", .max_group = 1024, .max_local = {1024, 1024, 64},
    .scalars = {SCALARS(WORD, )}, .long_suffix = "LL", .half = {"lathe_half(", ")"},
    .special = {[SC_F16] = "(lathe_half)", [SC_F32] = "", [SC_F64] = "(double)"}, .function = "static __device__ ", .single = "f", .global = "", .image = "",
    .restricted = "__restrict__ ", .lanes = {".s[", "]"},
    .type = put_type, .vector = put_vector, .convert = put_convert, .reinterpret = put_convert, .same_bits = put_same_bits,
    .load = put_load, .store = put_store,
    .ptx = &ptx, .word_16 = "*(const unsigned short *)(",
    .function_name = function_name, .operation = put_operation, .atomic = atomic, .bits = put_bits, .word = put_word,
    .kernel = put_kernel, .locals = put_locals, .id = put_id, .barrier = put_barrier, .head = put_head, .helpers = put_helpers,
};
