/* ptx: helpers that are NVIDIA's PTX: copies to local memory that need not have ended, fragments of matrices, products by the matrix units of a
 * warp, and what its lanes read of each other's registers (PTX ISA: cp.async, ldmatrix, mma, shfl). Programs that are built as one may each have them. */
#include "printer.h"

static void put_copies(const PtxWords *w, Buf *out)
{
    buf_printf(out, "#ifndef LATHE_COPIES\n#define LATHE_COPIES\n#if %s\n%svoid lathe_copy16(%svoid *to, const %svoid *from)\n{\n", w->condition, w->function,
               w->local, w->global);
    buf_printf(out, "    asm volatile(\"cp.async.cg.shared.global [%%0], [%%1], 16;\" : : \"r\"(%sto%s), \"l\"(%sfrom%s) : \"memory\");\n}\n", w->address[0],
               w->address[1], w->wide[0], w->wide[1]);
    buf_printf(out,
               "#define lathe_copies_sent() asm volatile(\"cp.async.commit_group;\" : : : \"memory\")\n"
               "#define lathe_copies_wait(n) asm volatile(\"cp.async.commit_group; cp.async.wait_group %%0;\" : : \"n\"(n) : \"memory\")\n#else\n"
               "%1$svoid lathe_copy16(%2$svoid *to, const %3$svoid *from) { *(%2$s%4$s *)to = *(const %3$s%4$s *)from; }\n"
               "#define lathe_copies_sent()\n#define lathe_copies_wait(n)\n#endif\n#endif\n\n", w->function, w->local, w->global, w->piece);
}

static void put_units(const Build *b, const PtxWords *w, Buf *out)
{
    buf_printf(out, "#if %s && !defined(LATHE_UNITS)\n#define LATHE_UNITS\n", w->condition);
    for (int turned = 0; turned < 2; turned++)
        buf_printf(out,
                   "%svoid lathe_pieces%s(%s *r, const %svoid *at)\n{\n"
                   "    asm volatile(\"ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {%%0, %%1, %%2, %%3}, [%%4];\"\n"
                   "                 : \"=r\"(r[0]), \"=r\"(r[1]), \"=r\"(r[2]), \"=r\"(r[3]) : \"r\"(%sat%s) : \"memory\");\n}\n",
                   w->function, turned ? "_turned" : "", w->word, w->local, turned ? ".trans" : "", w->address[0], w->address[1]);
    buf_puts(out, "#endif\n");
    static const struct { const char *type; int depth; } kinds[SC_COUNT] = {[SC_BF16] = {"bf16", 16}, [SC_F16] = {"f16", 16}, [SC_F32] = {"tf32", 8}};
    for (Scalar s = 0; s < SC_COUNT; s++)
        if (b->needs.uses_units & 1u << s)
            buf_printf(out,
                       "#if %4$s && !defined(LATHE_MMA_%1$s)\n#define LATHE_MMA_%1$s\n"
                       "%3$svoid lathe_mma_%1$s(float *c0, float *c1, float *c2, float *c3, const %5$s *a, const %5$s *b)\n{\n"
                       "    asm(\"mma.sync.aligned.m16n8k%2$d.row.col.f32.%1$s.%1$s.f32 {%%0, %%1, %%2, %%3}, {%%4, %%5, %%6, %%7}, {%%8, %%9}, {%%0, %%1, %%2, %%3};\"\n"
                       "        : \"+f\"(*c0), \"+f\"(*c1), \"+f\"(*c2), \"+f\"(*c3)\n"
                       "        : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), \"r\"(b[1]));\n}\n#endif\n",
                       kinds[s].type, kinds[s].depth, w->function, w->condition, w->word);
    if (b->needs.uses_units & 1u << SC_F32)
        buf_printf(out, "#if %1$s && !defined(LATHE_TF32)\n#define LATHE_TF32\n"
                   "%2$s%3$s lathe_tf32_bits(float x)\n{\n    %3$s r;\n    asm(\"cvt.rna.tf32.f32 %%0, %%1;\" : \"=r\"(r) : \"f\"(x));\n    return r;\n}\n"
                   "%2$s%3$s lathe_tf32_rest(float x) { return lathe_tf32_bits(x - %4$s(lathe_tf32_bits(x))); }\n"
                   "%2$svoid lathe_tf32_parts(%3$s *x, %3$s *rest)\n"
                   "{\n    float v = %4$s(*x);\n    *x = lathe_tf32_bits(v);\n    *rest = lathe_tf32_bits(v - %4$s(*x));\n}\n"
                   "#define LATHE_TF32_PIECES(take) \\\n"
                   "    %2$svoid take##_pieces(%3$s *r, const %5$svoid *at) \\\n"
                   "    { lathe_pieces(r, at); r[0] = take(%4$s(r[0])); r[1] = take(%4$s(r[1])); r[2] = take(%4$s(r[2])); r[3] = take(%4$s(r[3])); }\n"
                   "LATHE_TF32_PIECES(lathe_tf32_bits)\nLATHE_TF32_PIECES(lathe_tf32_rest)\n#endif\n",
                   w->condition, w->function, w->word, w->to_float, w->local);
    buf_putc(out, '\n');
}

/* Arrays of a warp's lanes: there each lane has its element, elsewhere they are local memory. */
static void put_lanes(const Build *b, const PtxWords *w, Buf *out)
{
    buf_printf(out, "#ifndef LATHE_LANES\n#if %1$s\n#define LATHE_LANES(type, name, n) type name\n#define lathe_lane(name, i) name\n#define %2$s\n#else\n"
               "#define LATHE_LANES(type, name, n) %3$stype name[n]\n#define lathe_lane(name, i) name[i]\n#define %2$s %4$s\n#endif\n#endif\n",
               w->condition, w->barrier[0], w->in_local, w->barrier[1]);
    for (Scalar s = 0; s < SC_COUNT; s++)
        if (b->needs.shuffles & 1u << s)
            buf_printf(out,
                       "#ifndef LATHE_LANE_OF_%1$s\n#define LATHE_LANE_OF_%1$s\n#if %2$s\n"
                       "%3$s%4$s lathe_lane_of_%1$s(%4$s x, int lane)\n{\n    %4$s r;\n"
                       "    asm volatile(\"shfl.sync.idx.b32 %%0, %%1, %%2, 31, 0xffffffff;\" : \"=%5$s\"(r) : \"%5$s\"(x), \"r\"(lane) : \"memory\");\n    return r;\n}\n"
                       "#else\n#define lathe_lane_of_%1$s(name, i) name[i]\n#endif\n#endif\n",
                       scalar_name(s), w->condition, w->function, b->dialect->scalars[s], scalar_is_float(s) ? "f" : "r");
    buf_putc(out, '\n');
}

void ptx_helpers(const Build *b, const PtxWords *w, Buf *out)
{
    if (b->needs.uses_copies) put_copies(w, out);
    if (b->needs.uses_units) put_units(b, w, out);
    if (b->needs.shuffles) put_lanes(b, w, out);
}
