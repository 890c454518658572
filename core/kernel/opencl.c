/* opencl: the dialect OpenCL C. */
#include "printer.h"

/* ---- types and vectors ---- */

static void put_type(Printer *p, const char *element, int width)
{
    buf_puts(p->out, element);
    if (width > 1) buf_int(p->out, width);
}

static void put_vector(Printer *p, const char *element, int width, bool all)
{
    (void)all;
    buf_putc(p->out, '(');
    put_type(p, element, width);
    buf_puts(p->out, ")(");
}

static void put_convert(Printer *p, const char *element, int width) { buf_printf(p->out, "convert_%s%d(", element, width); }
static void put_reinterpret(Printer *p, const char *element, int width) { buf_printf(p->out, "as_%s%d(", element, width); }

static void put_same_bits(Printer *p, const char *element, int width)
{
    if (width > 1) put_reinterpret(p, element, width);
    else buf_printf(p->out, "as_%s(", element);
}

/* Which vector of its buffer it is, end to end; NULL: it may lie across two. */
static const Nat *vector_index(const Printer *p, const Place *q)
{
    const Nat *w = nat_const(p->b->n, q->width), *i = q->width != 3 && !q->buf->swizzle.piece ? nat_exact(p->b->n, q->at, w) : NULL;
    return i && (nat_is_whole(i) || nat_divides(p->b->n, w, q->at, p->b->facts)) ? i : NULL;
}

/* "vload4" or "vstore4"; of halves, which are floats when they are loaded, "vload_half4", and "vloada_half4" where it is aligned. A store
 * rounds to the nearest. */
static void put_access(Printer *p, const char *what, const Place *q)
{
    bool half = printer_keeps_half(p, q->buf), aligned = half && q->width > 1 && p->b->options->on_gpu && vector_index(p, q);
    buf_puts(p->out, what);
    if (half) buf_puts(p->out, aligned ? "a_half" : "_half");
    if (q->width > 1) buf_int(p->out, q->width);
    if (half && what[1] == 's') buf_puts(p->out, "_rte");
    buf_putc(p->out, '(');
}

/* On a GPU a vector is one access only where its type says that it is aligned; vload and vstore promise that of its elements.
 * Buffers begin at the alignment of the largest type, local arrays at 64 bytes. False: nothing is printed. */
static bool put_aligned(Printer *p, const Place *q, bool load)
{
    const Nat *i = vector_index(p, q);
    bool aligned = i && q->buf->space != SPACE_PRIVATE && q->buf->scalar != SC_BOOL && q->width * scalar_bytes(q->buf->scalar) <= 64;
    if (!p->b->options->on_gpu || !aligned || printer_keeps_half(p, q->buf)) return false;
    printer_put(p->out, (const char *[]){"((", load ? "const " : "", space_name(q->buf->space), " ", p->d->scalars[q->buf->scalar], NULL});
    buf_int(p->out, q->width);
    printer_put(p->out, (const char *[]){" *)", q->buf->name, ")[", NULL});
    printer_nat(p, i, P_TOP);
    buf_putc(p->out, ']');
    return true;
}

/* "i, buffer" of vload and vstore. */
static void put_base(Printer *p, const Place *q)
{
    const Nat *i = q->buf->rank <= 1 ? vector_index(p, q) : NULL;
    if (i) {
        printer_nat(p, i, P_TOP);
        printer_put(p->out, (const char *[]){", ", q->buf->name, NULL});
        return;
    }
    buf_puts(p->out, "0, ");
    printer_address(p, q);
}

/* ---- images ---- */

#define LANE_OF "lathe_lane_"            /* and a vector's type: a lane of it that is computed */
#define NEAREST "lathe_nearest"          /* the sampler */

/* What 8 bytes have goes through its bits. */
static bool is_bits(const Buffer *image) { return image->texel == 2; }

/* "f" of read_imagef */
static const char *texel_kind(const Buffer *image)
{
    return is_bits(image) || image->scalar == SC_U32 ? "ui" : image->scalar == SC_F32 ? "f" : "i";
}

/* "(int2)(x, y)" of the texel with the scalar at that offset */
static void put_coordinates(Printer *p, const Place *q, const Nat *at)
{
    Nats *n = p->b->n;
    const Buffer *image = q->buf;
    const Nat *y = q->line ? q->line : nat_div(n, at, image->row, p->b->facts);
    const Nat *column = q->line ? nat_sub(n, at, nat_mul(n, y, image->row)) : nat_mod(n, at, image->row, p->b->facts);
    const char *cast = p->b->long_index ? "(int)(" : "", *end = *cast ? ")" : "";
    printer_put(p->out, (const char *[]){"(int2)(", cast, NULL});
    printer_nat(p, nat_div(n, column, nat_const(n, image->texel), p->b->facts), P_TOP);
    printer_put(p->out, (const char *[]){end, ", ", cast, NULL});
    printer_nat(p, y, P_TOP);
    printer_put(p->out, (const char *[]){end, ")", NULL});
}

static void put_load(Printer *p, const Place *q)
{
    if (q->buf->image_of) {
        /* In pieces, each from one texel. */
        Nats *n = p->b->n;
        const Nat *texel = nat_const(n, q->buf->texel), *first = nat_mod(n, q->at, texel, p->b->facts);
        bool one = q->width == 1 || (first->is_const && first->value + q->width <= q->buf->texel);
        if (!one) put_vector(p, p->d->scalars[q->buf->scalar], q->width, false);
        for (int i = 0, step; i < q->width; i += step) {
            const Nat *at = nat_add(n, q->at, nat_const(n, i)), *lane = nat_mod(n, at, texel, p->b->facts);
            int left = lane->is_const ? q->buf->texel - (int)lane->value : 1;
            step = left < q->width - i ? left : q->width - i;
            if (i) buf_puts(p->out, ", ");
            /* Elements of one texel, from that lane on; a lane that is no number: one element. */
            const Buffer *image = q->buf;
            if (!lane->is_const) {
                p->b->needs.image_lanes[image->scalar] = true;
                buf_printf(p->out, LANE_OF "%s%d(", p->d->scalars[image->scalar], image->texel);
            }
            /* The texel with the scalar at that offset: "read_imagef(A_image, lathe_nearest, (int2)(x, y))" */
            if (is_bits(q->buf)) buf_printf(p->out, "as_%s2(", p->d->scalars[q->buf->scalar]);
            const char *const text[] = {"read_image", texel_kind(q->buf), "(", q->buf->name, ", " NEAREST ", ", NULL};
            printer_put(p->out, text);
            put_coordinates(p, q, at);
            buf_puts(p->out, is_bits(q->buf) ? "))" : ")");
            if (!lane->is_const) {
                buf_puts(p->out, ", ");
                printer_nat(p, lane, P_TOP);
                buf_putc(p->out, ')');
            } else if (step < image->texel) {
                buf_puts(p->out, ".s");
                for (int k = 0; k < step; k++) buf_int(p->out, lane->value + k);
            }
        }
        if (!one) buf_putc(p->out, ')');
        return;
    }
    if (put_aligned(p, q, true)) return;
    put_access(p, "vload", q);
    put_base(p, q);
    buf_putc(p->out, ')');
}

/* "write_imagef(out_image, (int2)(x, y), value)", a texel each; several are one expression. */
static void put_image_store(Printer *p, const Stmt *s)
{
    const Place *q = &s->place;
    Nats *n = p->b->n;
    int texel = q->buf->texel;
    if (q->width % texel || !nat_divides(n, nat_const(n, texel), q->at, p->b->facts)) {
        build_fail(p->b, E53, s->origin ? s->origin : p->k->root, "%s is written in parts of a texel: an image takes whole ones, vectors of %d elements "
                   "(asScalar (mapSeq ... (asVector %d ...)))", q->buf->name, texel, texel);
        return;
    }
    for (int i = 0; i < q->width; i += texel) {
        printer_put(p->out, (const char *[]){i ? ", " : "", "write_image", texel_kind(q->buf), "(", q->buf->name, ", ", NULL});
        put_coordinates(p, q, nat_add(n, q->at, nat_const(n, i)));
        bool part = q->width > texel;
        printer_put(p->out, (const char *[]){", ", is_bits(q->buf) ? "as_uint4(" : "", part ? "(" : "", NULL});
        printer_stored(p, s->value, q);
        if (part) buf_puts(p->out, ").s");
        for (int k = 0; part && k < texel; k++) buf_printf(p->out, "%x", i + k);
        buf_puts(p->out, is_bits(q->buf) ? "))" : ")");
    }
}

#define STREAM "lathe_stream_"           /* and type and width: a store past the caches */

static void put_store(Printer *p, const Stmt *s, bool stream)
{
    const Place *q = &s->place;
    if (q->buf->image_of) {
        put_image_store(p, s);
        return;
    }
    if (!stream && put_aligned(p, q, false)) {
        buf_puts(p->out, " = ");
        printer_stored(p, s->value, q);
        return;
    }
    if (stream) p->b->needs.streams[q->buf->scalar] |= 1u << q->width;
    if (stream) buf_printf(p->out, STREAM "%s%d(", p->d->scalars[q->buf->scalar], q->width);
    else put_access(p, "vstore", q);
    printer_stored(p, s->value, q);
    buf_puts(p->out, ", ");
    put_base(p, q);
    buf_putc(p->out, ')');
}

/* ---- operations ---- */

/* Numbers of 64 bits have an extension's functions. Sums of floats are helpers (put_sums). */
static const char *atomic(PrimId op, Scalar s, Space space)
{
    static const char *const sums[][2] = {{"lathe_add_local", "lathe_add_local64"}, {"lathe_add_global", "lathe_add_global64"}};
    if (op == PRIM_ADD && (s == SC_F32 || s == SC_F64)) return sums[space == SPACE_GLOBAL][s == SC_F64];
    bool wide = s == SC_I64 || s == SC_F64, whole = s == SC_I32 || s == SC_U32;
    if (op == PRIM_COUNT) return wide ? "atom_cmpxchg" : whole || s == SC_F32 ? "atomic_cmpxchg" : NULL;
    static const char *const names[PRIM_COUNT] = {[PRIM_ADD] = "atomic_add", [PRIM_MIN] = "atomic_min", [PRIM_MAX] = "atomic_max",
                                                  [PRIM_BAND] = "atomic_and", [PRIM_BOR] = "atomic_or", [PRIM_BXOR] = "atomic_xor"};
    return whole ? names[op] : s == SC_I64 && op == PRIM_ADD ? "atom_add" : NULL;
}

static void put_bits(Printer *p, Scalar s, bool back)
{
    printer_put(p->out, (const char *[]){"as_", back ? p->d->scalars[s] : printer_word(p->d, s), "(", NULL});
}

static void put_word(Printer *p, const Place *q)
{
    printer_put(p->out, (const char *[]){"(volatile ", space_name(q->buf->space), " ", printer_word(p->d, q->buf->scalar), " *)&", NULL});
    printer_place(p, q);
}

/* ---- kernels and programs ---- */

static void put_kernel(Printer *p, const char *name)
{
    const int *local = p->k->local;
    buf_printf(p->out, "__attribute__((reqd_work_group_size(%d, %d, %d)))\nkernel void %s(", local[0], local[1], local[2], name);
}

static void put_locals(Printer *p, PlanKernel *k)
{
    (void)k;
    for (int i = 0; i < p->k->locals.n; i++) {
        const Buffer *buf = p->k->locals.v[i];
        if (buf->storage) continue;
        if (buf->lane) {
            buf_printf(p->out, "    LATHE_LANES(%s, %s, %lld);\n", printer_memory(p->d, buf->scalar), buf->name, (long long)buf->count->value);
            continue;
        }
        bool half = printer_keeps_half(p, buf);                          /* there are only pointers to them */
        printer_put(p->out, (const char *[]){"    local ", printer_memory(p->d, half ? SC_U16 : buf->scalar), half ? " lathe_bits_" : " ",
                                             buf->name, "[", NULL});
        buf_int(p->out, buf->count->value);
        buf_puts(p->out, "] __attribute__((aligned(64)));\n");
        if (half) printer_put(p->out, (const char *[]){"    local half *", buf->name, " = (local half *)lathe_bits_", buf->name, ";\n", NULL});
    }
    for (int i = 0; i < p->k->locals.n; i++) {
        const Buffer *buf = p->k->locals.v[i];
        if (buf->storage) printer_put(p->out, (const char *[]){"    local ", printer_memory(p->d, buf->scalar), " *", buf->name, " = ", buf->storage->name, ";\n", NULL});
    }
}

static void put_id(Printer *p, IdKind kind, int dim)
{
    static const char *const calls[ID_KINDS] = {"get_global_id(", "get_group_id(", "get_local_id("};
    buf_puts(p->out, calls[kind]);
    buf_int(p->out, dim);
    buf_putc(p->out, ')');
}

static void put_barrier(Printer *p, const Stmt *s)
{
    if (s->warp) buf_puts(p->out, s->lanes ? "lathe_lanes_" : "lathe_warp_");
    printer_put(p->out, (const char *[]){"barrier(", s->local_fence ? "CLK_LOCAL_MEM_FENCE" : "",
                                         s->local_fence && s->global_fence ? " | " : "",
                                         s->global_fence ? "CLK_GLOBAL_MEM_FENCE)" : ")", NULL});
}

static void put_head(Build *b, Buf *out)
{
    if (b->needs.uses_f64) buf_puts(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (b->needs.uses_f16) buf_puts(out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    if (b->needs.uses_atomics64) buf_puts(out, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
    if (b->needs.uses_warps)                   /* CUDA has its own */
        buf_puts(out, "#ifndef LATHE_WARPS\n#define LATHE_WARPS\n#if defined(__NV_CL_C_VERSION)\n"
                      "#define lathe_warp_barrier(fence) asm volatile(\"bar.warp.sync 0xffffffff;\" : : : \"memory\")\n#else\n"
                      "#define lathe_warp_barrier(fence) barrier(fence)\n#endif\n#endif\n\n");
    if (b->needs.made[SC_F16] || b->needs.made[SC_F32] || b->needs.made[SC_F64]) buf_puts(out, "#pragma OPENCL FP_CONTRACT OFF\n");
}

static const PtxWords ptx = {
    .condition = "defined(__NV_CL_C_VERSION)", .function = "static ", .local = "local ", .global = "global ", .in_local = "local ",
    .barrier = {"lathe_lanes_barrier(fence)", "barrier(fence)"}, .piece = "uint4", .word = "uint",
    .address = {"(uint)(ulong)", ""}, .wide = {"(ulong)", ""}, .to_float = "as_float",
};

/* Sums of floats in memory as one step: PTX has one, which takes turns at one place; elsewhere the sum is made again until nobody was quicker. */
static void put_sums(const Build *b, Buf *out)
{
    for (Space space = SPACE_LOCAL; space <= SPACE_GLOBAL; space++)
        for (int wide = 0; wide < 2; wide++) {
            const char *name = atomic(PRIM_ADD, wide ? SC_F64 : SC_F32, space), *type = wide ? "double" : "float", *word = wide ? "ulong" : "uint";
            bool global = space == SPACE_GLOBAL;
            if (!(b->needs.float_sums[space] >> wide & 1)) continue;
            buf_printf(out, "#ifndef %1$s\n#define %1$s %1$s\nstatic void %1$s(volatile %2$s %3$s *at, %3$s x)\n{\n#if %4$s\n", name, space_name(space), type,
                       ptx.condition);
            buf_printf(out, "    asm volatile(\"red.%s.add.f%d [%%0], %%1;\" : : \"%s\"(%sat), \"%s\"(x) : \"memory\");\n#else\n", global ? "global" : "shared",
                       wide ? 64 : 32, global ? "l" : "r", global ? ptx.wide[0] : ptx.address[0], wide ? "d" : "f");
            buf_printf(out, "    volatile %1$s %2$s *word = (volatile %1$s %2$s *)at;\n", space_name(space), word);
            const Rounds rounds = {.word = word, .function = atomic(PRIM_COUNT, wide ? SC_F64 : SC_F32, space), .at = "word", .held = "held", .next = "next",
                                   .seen = "seen"};
            printer_rounds_begin(out, 4, &rounds);
            buf_printf(out, "        next = as_%s(as_%s(held) + x);\n", word, type);
            printer_rounds_end(out, 4, &rounds);
            buf_puts(out, "#endif\n}\n#endif\n\n");
        }
}

static void put_helpers(Build *b, const Plan *plan, Buf *out)
{
    put_sums(b, out);
    /* Programs that are built as one may each have these. */
    if (b->needs.reads_images)
        buf_puts(out, "#ifndef LATHE_NEAREST\n#define LATHE_NEAREST\nconstant sampler_t " NEAREST
                      " = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n#endif\n\n");
    for (int s = 0; s < SC_COUNT; s++) {
        const char *type = dialect_opencl.scalars[s];
        int texel = 16 / scalar_bytes((Scalar)s);
        if (!b->needs.image_lanes[s]) continue;
        buf_printf(out,
                   "#ifndef LATHE_LANE_%s\n#define LATHE_LANE_%s\nstatic %s " LANE_OF "%s%d(%s%d v, int i)\n{\n    return ",
                   type, type, type, type, texel, type, texel);
        buf_puts(out, texel == 2 ? "i ? v.s1 : v.s0" : "i < 2 ? (i ? v.s1 : v.s0) : i == 2 ? v.s2 : v.s3");
        buf_puts(out, ";\n}\n#endif\n\n");
    }
    ptx_helpers(b, &ptx, out);
    static const char *const widths[17] = {[1] = "", [2] = "2", [3] = "3", [4] = "4", [8] = "8", [16] = "16"};
    for (int i = 0; i < COUNT(roundings); i++)
        for (int w = 1; w <= 16; w++) {
            const Rounding *r = &roundings[i];
            const char *n = widths[w];
            if (!(b->needs.rounded[r->op] & 1u << w)) continue;
            buf_printf(out,
                       "static float%s __attribute__((overloadable)) %s(float%s x)\n{\n    uint%s u = as_uint%s(x);\n"
                       "    return as_float%s(select((u + %s) & %s, (u & %s) | 0x400000u, isnan(x)));\n}\n\n",
                       n, r->name, n, n, n, n, r->up, r->mask, r->mask);
        }
    /* A float, or a double, rounded to what a half holds. */
    for (int wide = 0; wide < 2; wide++)
        for (int w = 1; w <= 16; w++) {
            const char *n = widths[w], *type = wide ? "double" : "float";
            if (!(b->needs.halves[wide] & 1u << w)) continue;
            buf_printf(
                out,
                "static float%s lathe_half_%s%d(%s%s x)\n{\n    ushort h[%d];\n    vstore_half%s_rte(x, 0, (half *)h);\n"
                "    return vload_half%s(0, (const half *)h);\n}\n\n",
                n, type, w, type, n, w, n, n);
        }
    /* vstoreN past the caches, for compilers that have a way to say so. NVIDIA's has the builtin, but makes a store to
     * the generic address space of it, and moves loads of a restrict pointer across that. */
    (void)plan;
    bool any = false;
    for (int s = 0; s < SC_COUNT; s++)
        for (int w = 2; w <= 16; w *= 2) {
            if (!(b->needs.streams[s] & 1u << w)) continue;
            const char *type = dialect_opencl.scalars[s];
            if (!any) buf_puts(out, "#ifndef __has_builtin\n#define __has_builtin(name) 0\n#endif\n");
            any = true;
            buf_printf(out,
                       "#if __has_builtin(__builtin_nontemporal_store) && !defined(__NV_CL_C_VERSION)\n"
                       "#define " STREAM "%s%d(v, i, p) __builtin_nontemporal_store(v, (global %s%d *)(p) + (i))\n#else\n"
                       "#define " STREAM "%s%d(v, i, p) vstore%d(v, i, p)\n#endif\n",
                       type, w, type, w, type, w, w);
        }
    if (any) buf_putc(out, '\n');
}

#define WORD(A, id, name, class, key, type, opencl, ...) [SC_##id] = opencl,

const Dialect dialect_opencl = {
    .name = "opencl", .title = "OpenCL C",
    .scalars = {SCALARS(WORD, )},
    .long_suffix = "L", .half = {"", "h"}, .special = {[SC_F16] = "", [SC_F32] = "", [SC_F64] = ""}, .function = "static ", .single = "", .global = "global ", .restricted = "restrict ",
    .any = "any", .lanes = {".s", ""}, .stores_half = true, .image = "image2d_t ",
    .type = put_type, .vector = put_vector, .convert = put_convert, .reinterpret = put_reinterpret, .same_bits = put_same_bits,
    .load = put_load, .store = put_store,
    .ptx = &ptx, .word_16 = "*(const local ushort *)(",
    .atomic = atomic, .bits = put_bits, .word = put_word,
    .kernel = put_kernel, .locals = put_locals, .id = put_id, .barrier = put_barrier, .head = put_head, .helpers = put_helpers,
};
