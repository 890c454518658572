/* test_data_file: values written to files and read from them: every kind, order and type; what does not fit; and that no file,
 * however it is damaged, does more than be refused. */
#include <unistd.h>

#include "unit.h"
#include "data_file.h"

/* ---- types and files ---- */

typedef struct World {
    Ctx *c;
    Diag diag;
    Arena *arena;                        /* names of files, what was read */
    char folder[32];
} World;

static World open_world(void)
{
    World w = {.c = ctx_new(), .arena = arena_new(), .folder = "/tmp/lathe-files-XXXXXX"};
    w.diag = diag_new();
    assert_non_null(mkdtemp(w.folder));
    return w;
}

static const char *path(const World *w, const char *name) { return arena_printf(w->arena, "%s/%s", w->folder, name); }

static void close_world(World *w)
{
    Buf command = {0};
    buf_printf(&command, "rm -r %s", w->folder);
    assert_int_equal(system(buf_text(&command)), 0);
    buf_free(&command);
    diag_free(&w->diag);
    arena_free(w->arena);
    ctx_free(w->c);
}

/* [a][b][c] of a scalar; 0: no further dimension */
static const Type *shaped(Ctx *c, Scalar s, int64_t a, int64_t b, int64_t n)
{
    const Type *t = type_scalar(c, s);
    const int64_t dims[] = {n, b, a};
    for (int i = 0; i < 3; i++)
        if (dims[i]) t = type_array(c, nat_const(c->nats, dims[i]), t);
    return t;
}

static void put(const char *name, const void *bytes, size_t n)
{
    FILE *f = fopen(name, "wb");
    assert_true(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
}

static void put_text(const char *name, const char *text) { put(name, text, strlen(text)); }

static void put_npy(const char *name, int version, const char *header, const void *bytes, size_t n)
{
    Buf b = {0};
    size_t length = strlen(header);
    buf_write(&b, "\x93NUMPY", 6);
    buf_putc(&b, (char)version);
    buf_putc(&b, 0);
    for (int i = 0; i < (version == 1 ? 2 : 4); i++) buf_putc(&b, (char)(length >> 8 * i));
    buf_puts(&b, header);
    buf_write(&b, bytes, n);
    put(name, b.data, b.len);
    buf_free(&b);
}

/* As it prints; of what is refused the message without the folder. */
static const char *read_text(World *w, const Type *t, const char *name)
{
    Buf b = {0};
    diag_clear(&w->diag);
    Data *d = data_new(w->c, t);
    const char *file = path(w, name);
    if (data_read_file(d, file, &w->diag)) {
        data_print_head(d, 100, &b);
    } else {
        const char *at = strstr(w->diag.message, w->folder);
        buf_printf(&b, "%s %.*s%s", error_name(w->diag.id), at ? (int)(at - w->diag.message) : 0, w->diag.message,
                   at ? at + strlen(w->folder) + 1 : w->diag.message);
    }
    data_free(d);
    const char *text = arena_strdup(w->arena, buf_text(&b));
    buf_free(&b);
    return text;
}

#define READS(w, t, name, text) assert_string_equal(read_text((w), (t), (name)), (text))

/* ---- there and back ---- */

static void test_round_trips(void **state)
{
    (void)state;
    static const char *const names[] = {"x.npy", "x.bin"};
    World w = open_world();
    for (Scalar s = 0; s < SC_COUNT; s++)
        for (int rank = 0; rank < 4; rank++)
            for (int k = 0; k < COUNT(names); k++) {
                const Type *t = shaped(w.c, s, rank > 0 ? 3 : 0, rank > 1 ? 5 : 0, rank > 2 ? 2 : 0);
                Data *d = data_new(w.c, t), *back = data_new(w.c, t);
                data_fill_adversarial(d, 7, 1000);
                assert_true(data_write_file(d, -1, path(&w, names[k]), &w.diag));
                assert_true(data_read_file(back, path(&w, names[k]), &w.diag));
                assert_memory_equal(d->parts[0].values, back->parts[0].values, (size_t)d->parts[0].count * (size_t)scalar_bytes(s));
                data_free(d);
                data_free(back);
            }
    close_world(&w);
}

static void test_components(void **state)
{
    (void)state;
    World w = open_world();
    const Type *parts[] = {shaped(w.c, SC_F32, 0, 0, 0), shaped(w.c, SC_I32, 2, 0, 0), type_vector(w.c, 4, shaped(w.c, SC_F32, 0, 0, 0))};
    const Type *t = type_array(w.c, nat_const(w.c->nats, 3), type_tuple(w.c, parts, 3));
    Data *d = data_new(w.c, t), *back = data_new(w.c, t);
    data_fill_iota(d);
    assert_true(data_write_file(d, -1, path(&w, "all.raw"), &w.diag) && data_read_file(back, path(&w, "all.raw"), &w.diag));
    assert_true(data_write_file(d, 1, path(&w, "one.npy"), &w.diag) && data_write_file(d, 2, path(&w, "two.npy"), &w.diag));
    for (int i = 0; i < 3; i++)
        assert_memory_equal(d->parts[i].values, back->parts[i].values, (size_t)d->parts[i].count * 4);
    READS(&w, shaped(w.c, SC_I32, 3, 2, 0), "one.npy", "[[0, 1], [2, 3], [4, 5]]");
    READS(&w, shaped(w.c, SC_F32, 3, 4, 0), "two.npy", "[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]");
    READS(&w, type_array(w.c, nat_const(w.c->nats, 3), parts[2]), "two.npy", "[<0, 1, 2, 3>, <4, 5, 6, 7>, <8, 9, 10, 11>]");
    READS(&w, t, "one.npy", "E37 one.npy is one array, and [3](f32, [2]i32, <4>f32) has 3 components");
    diag_clear(&w.diag);
    assert_false(data_write_file(d, -1, path(&w, "all.npy"), &w.diag));
    assert_int_equal(w.diag.id, E05);
    data_free(d);
    data_free(back);
    close_world(&w);
}

static void test_pictures(void **state)
{
    (void)state;
    World w = open_world();
    Data *d = data_new(w.c, shaped(w.c, SC_F32, 2, 3, 0));
    const float values[] = {-3, 0.49f, 0.5f, 254.4f, 300, 0.0f / 0.0f};
    memcpy(d->parts[0].values, values, sizeof values);
    assert_true(data_write_file(d, -1, path(&w, "x.pgm"), &w.diag));
    READS(&w, d->type, "x.pgm", "[[0, 0, 1], [254, 255, 0]]");
    READS(&w, shaped(w.c, SC_I64, 2, 3, 0), "x.pgm", "[[0, 0, 1], [254, 255, 0]]");
    READS(&w, shaped(w.c, SC_F32, 3, 2, 0), "x.pgm", "E37 x.pgm holds u8 [2][3], not [3][2]f32");
    assert_false(data_write_file(d, -1, path(&w, "x.ppm"), &w.diag));
    data_free(d);
    diag_clear(&w.diag);
    d = data_new(w.c, shaped(w.c, SC_I32, 1, 2, 3));
    data_fill_iota(d);
    assert_true(data_write_file(d, -1, path(&w, "x.ppm"), &w.diag));
    READS(&w, d->type, "x.ppm", "[[[0, 1, 2], [3, 4, 5]]]");
    data_free(d);
    put_text(path(&w, "text.pgm"), "P2 # two\n2 2\n# most\n1000 0 1\n999\t1000");
    READS(&w, shaped(w.c, SC_F32, 2, 2, 0), "text.pgm", "[[0, 1], [999, 1000]]");
    put_text(path(&w, "text.ppm"), "P3 1 1 9 1 2 3");
    READS(&w, shaped(w.c, SC_F32, 1, 1, 3), "text.ppm", "[[[1, 2, 3]]]");
    put_text(path(&w, "wide.pgm"), "P5 2 1 1000\n\1\2\3\4");
    READS(&w, shaped(w.c, SC_F32, 1, 2, 0), "wide.pgm", "[[258, 772]]");
    put_text(path(&w, "high.pgm"), "P2 1 1 9 10");
    READS(&w, shaped(w.c, SC_F32, 1, 1, 0), "high.pgm", "E06 high.pgm has no number from 0 to 9 for its sample 0");
    put_text(path(&w, "bits.pgm"), "P4 8 1 a");
    READS(&w, shaped(w.c, SC_F32, 1, 8, 0), "bits.pgm", "E06 bits.pgm is no picture that is read here");
    put_text(path(&w, "cut.pgm"), "P5 2 2 255\nabc");
    READS(&w, shaped(w.c, SC_F32, 2, 2, 0), "cut.pgm", "E06 cut.pgm is cut short: its header asks for 4 bytes of elements, 3 are there");
    close_world(&w);
}

/* ---- .npy as others write it ---- */

static void test_orders(void **state)
{
    (void)state;
    static const float rows[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 4, 2, 5, 3, 6};
    World w = open_world();
    const Type *t = shaped(w.c, SC_F32, 2, 3, 0);
    for (int version = 1; version <= 3; version++) {
        put_npy(path(&w, "x.npy"), version, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", rows, sizeof rows);
        READS(&w, t, "x.npy", "[[1, 2, 3], [4, 5, 6]]");
    }
    put_npy(path(&w, "x.npy"), 1, "{\"shape\":(2L,3L),\"fortran_order\":True,\"descr\":\"=f4\"}", columns, sizeof columns);
    READS(&w, t, "x.npy", "[[1, 2, 3], [4, 5, 6]]");
    put_npy(path(&w, "x.npy"), 1, "{'descr': '>i2', 'fortran_order': False, 'shape': (3,)}", "\377\377\1\0\0\1", 6);
    READS(&w, shaped(w.c, SC_I32, 3, 0, 0), "x.npy", "[-1, 256, 1]");
    READS(&w, shaped(w.c, SC_F32, 3, 0, 0), "x.npy", "[-1, 256, 1]");
    READS(&w, shaped(w.c, SC_F16, 3, 0, 0), "x.npy", "E37 x.npy holds i16 [3], not [3]f16");
    READS(&w, shaped(w.c, SC_U32, 3, 0, 0), "x.npy", "E37 x.npy holds i16 [3], not [3]u32");
    put_npy(path(&w, "x.npy"), 1, "{'descr': '<V2', 'fortran_order': False, 'shape': (2,)}", "\200\77\0\300", 4);
    READS(&w, shaped(w.c, SC_BF16, 2, 0, 0), "x.npy", "[1, -2]");
    READS(&w, shaped(w.c, SC_F32, 2, 0, 0), "x.npy", "E37 x.npy holds bf16 [2], not [2]f32");
    put_npy(path(&w, "x.npy"), 1, "{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", "\0\2", 2);
    READS(&w, shaped(w.c, SC_BOOL, 2, 0, 0), "x.npy", "[false, true]");
    READS(&w, shaped(w.c, SC_F32, 2, 0, 0), "x.npy", "[0, 1]");
    put_npy(path(&w, "x.npy"), 1, "{'descr': '<f8', 'fortran_order': False, 'shape': ()}", &(double){0.1}, 8);
    READS(&w, shaped(w.c, SC_F64, 0, 0, 0), "x.npy", "0.1");
    READS(&w, shaped(w.c, SC_F32, 0, 0, 0), "x.npy", "E37 x.npy holds f64, not f32");
    READS(&w, shaped(w.c, SC_F64, 1, 0, 0), "x.npy", "E37 x.npy holds f64, not [1]f64");
    /* Complex numbers are pairs, which lie together in either order of the dimensions, or one more dimension. */
    const Type *f64 = shaped(w.c, SC_F64, 0, 0, 0), *f32 = shaped(w.c, SC_F32, 0, 0, 0);
    const Type *pair = type_tuple(w.c, (const Type *[]){f64, f64}, 2), *small = type_tuple(w.c, (const Type *[]){f32, f32}, 2);
    const Nat *two = nat_const(w.c->nats, 2), *three = nat_const(w.c->nats, 3);
    const Type *pairs = type_array(w.c, two, type_array(w.c, three, pair));
    static const double by_columns[] = {1, -1, 4, -4, 2, -2, 5, -5, 3, -3, 6, -6};
    put_npy(path(&w, "x.npy"), 1, "{'descr': '<c16', 'fortran_order': True, 'shape': (2, 3)}", by_columns, sizeof by_columns);
    READS(&w, pairs, "x.npy", "[[(1, -1), (2, -2), (3, -3)], [(4, -4), (5, -5), (6, -6)]]");
    READS(&w, shaped(w.c, SC_F64, 2, 3, 2), "x.npy", "[[[1, -1], [2, -2], [3, -3]], [[4, -4], [5, -5], [6, -6]]]");
    READS(&w, type_array(w.c, two, type_array(w.c, three, small)), "x.npy", "E37 x.npy holds complex128 [2][3] by columns, not [2][3](f32, f32)");
    put_npy(path(&w, "x.npy"), 1, "{'descr': '<c8', 'fortran_order': False, 'shape': (3,)}", (float[]){1, 2, 3, 4, 5, 6}, 24);
    READS(&w, type_array(w.c, three, pair), "x.npy", "[(1, 2), (3, 4), (5, 6)]");
    READS(&w, type_array(w.c, three, small), "x.npy", "[(1, 2), (3, 4), (5, 6)]");
    READS(&w, f64, "x.npy", "E37 x.npy holds complex64 [3], not f64");
    put_npy(path(&w, "x.npy"), 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)}", (float[]){1, 2, 3, 4, 5, 6}, 24);
    READS(&w, type_array(w.c, three, small), "x.npy", "[(1, 2), (3, 4), (5, 6)]");
    put(path(&w, "x.cf32"), (float[]){1, 2, 3, 4, 5, 6}, 24);
    READS(&w, type_array(w.c, three, small), "x.cf32", "[(1, 2), (3, 4), (5, 6)]");
    put(path(&w, "x.bin"), (float[]){1, 2, 3, 4, 5, 6}, 24);
    READS(&w, type_array(w.c, three, small), "x.bin", "[(1, 4), (2, 5), (3, 6)]");
    static const char *const written[] = {"y.npy", "y.cf64", "y.bin"};
    for (int i = 0; i < COUNT(written); i++) {
        Data *d = data_new(w.c, pairs), *back = data_new(w.c, pairs);
        data_fill_random(d, 3, -1, 1);
        assert_true(data_write_file(d, -1, path(&w, written[i]), &w.diag) && data_read_file(back, path(&w, written[i]), &w.diag));
        for (int k = 0; k < 2; k++) assert_memory_equal(d->parts[k].values, back->parts[k].values, 48);
        data_free(d);
        data_free(back);
    }
    close_world(&w);
}

static void test_headers(void **state)
{
    (void)state;
    static const struct { const char *header, *said; } cases[] = {
        {"{'descr': '<c4', 'fortran_order': False, 'shape': (1,)}", "E37 x.npy holds elements of NumPy's type '<c4'"},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", "E06 x.npy has more than 15 dimensions"},
        {"{'descr': '<f1', 'fortran_order': False, 'shape': (1,)}", "E37 x.npy holds elements of NumPy's type '<f1'"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", "E37 x.npy holds elements of NumPy's type '|O'"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "E37 x.npy holds records of several fields"},
        {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}", "E06 x.npy has a fortran_order that is neither True nor False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,2}", "E06 x.npy has a shape that is none in its header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "E06 x.npy has a shape that is none in its header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "E06 x.npy has a length that is too large"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "E06 x.npy says it has more elements than can be counted"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}", "E06 x.npy has more than 16 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False}", "E06 x.npy lacks descr, fortran_order or shape in its header"},
        {"{'descr': '<f4', 'descr': '<f4'}", "E06 x.npy has \"descr\" in its header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
         "E06 x.npy is cut short: its header asks for 8 bytes of elements, 4 are there"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}", "E37 x.npy holds f32 [0], not [1]f32"},
        {"[]", "E06 x.npy has no header as a .npy file has"},
    };
    World w = open_world();
    for (int i = 0; i < COUNT(cases); i++) {
        put_npy(path(&w, "x.npy"), 1, cases[i].header, "\0\0\0\0", 4);
        READS(&w, shaped(w.c, SC_F32, 1, 0, 0), "x.npy", cases[i].said);
    }
    put_npy(path(&w, "x.npy"), 9, "{}", "", 0);
    READS(&w, shaped(w.c, SC_F32, 1, 0, 0), "x.npy", "E06 x.npy is of version 9 of .npy; 1 to 3 are known");
    put(path(&w, "x.npy"), "PK\3\4 a zip", 10);
    READS(&w, shaped(w.c, SC_F32, 1, 0, 0), "x.npy", "E06 x.npy does not begin as a .npy file does");
    put(path(&w, "x.npy"), "", 0);
    READS(&w, shaped(w.c, SC_F32, 1, 0, 0), "x.npy", "E06 x.npy does not begin as a .npy file does");
    put(path(&w, "x.npy"), "\x93NUMPY\1\0\377\377", 10);
    READS(&w, shaped(w.c, SC_F32, 1, 0, 0), "x.npy", "E06 x.npy is cut short in its header");
    READS(&w, shaped(w.c, SC_F32, 1, 0, 0), "absent.npy", "E06 cannot read absent.npy");
    READS(&w, shaped(w.c, SC_F32, 1, 0, 0), ".", "E06 cannot read .: Is a directory");
    put(path(&w, "x.bin"), "\0\0\0\0\0", 5);
    READS(&w, shaped(w.c, SC_F32, 1, 0, 0), "x.bin", "E06 x.bin has the wrong size");
    close_world(&w);
}

/* ---- big ones ---- */

static void test_mapped(void **state)
{
    (void)state;
    enum { MANY = 1 << 20 };
    World w = open_world();
    const Type *t = shaped(w.c, SC_F32, MANY, 0, 0);
    Data *d = data_new(w.c, t), *back = data_new(w.c, t), *again = data_new(w.c, t);
    data_fill_random(d, 1, -1, 1);
    static const char *const names[] = {"x.npy", "x.bin"};
    for (int k = 0; k < 2; k++) {
        const char *file = path(&w, names[k]);
        assert_true(data_write_file(d, -1, file, &w.diag) && data_read_file(back, file, &w.diag));
        assert_non_null(back->parts[0].map);
        assert_memory_equal(d->parts[0].values, back->parts[0].values, MANY * 4);
        data_fill_const(back, 3);                        /* the file stays as it is */
        assert_true(data_read_file(again, file, &w.diag));
        assert_memory_equal(d->parts[0].values, again->parts[0].values, MANY * 4);
        assert_true(data_write_file(back, -1, file, &w.diag));           /* what is mapped stays, too */
        assert_memory_equal(d->parts[0].values, again->parts[0].values, MANY * 4);
        data_free(back);
        data_free(again);
        back = data_new(w.c, t);
        again = data_new(w.c, t);
    }
    data_free(d);
    data_free(back);
    data_free(again);
    close_world(&w);
}

/* ---- damaged ones ---- */

static void damage(Rng *r, uint8_t *bytes, size_t *n)
{
    static const char digits[] = "0123456789 ,()'{}#\n";
    for (int64_t k = 1 + rng_below(r, 3); k > 0; k--) {
        size_t at = (size_t)rng_below(r, (int64_t)*n);
        switch (rng_below(r, 4)) {
        case 0: bytes[at] ^= (uint8_t)(1 << rng_below(r, 8)); break;
        case 1: bytes[at] = (uint8_t)digits[rng_below(r, sizeof digits - 1)]; break;
        case 2: memmove(bytes + at, bytes + at + 1, *n - at - 1), *n -= *n > 1; break;
        default: if (rng_below(r, 8) == 0) *n = at + 1;
        }
    }
}

static void test_damaged(void **state)
{
    (void)state;
    enum { TRIES = 4000 };
    World w = open_world();
    Data *d = data_new(w.c, shaped(w.c, SC_F32, 4, 3, 0));
    data_fill_iota(d);
    static const char *const names[] = {"x.npy", "x.pgm", "x.bin"};
    Rng r = {1};
    int read = 0;
    for (int k = 0; k < COUNT(names); k++) {
        const char *file = path(&w, names[k]);
        uint8_t whole[256], bytes[256];
        assert_true(data_write_file(d, -1, file, &w.diag));
        FILE *f = fopen(file, "rb");
        size_t size = fread(whole, 1, sizeof whole, f);
        fclose(f);
        for (int i = 0; i < TRIES; i++) {
            size_t n = size;
            memcpy(bytes, whole, n);
            if (k == 1 && i % 2) bytes[1] = "2356"[rng_below(&r, 4)];
            damage(&r, bytes, &n);
            put(file, bytes, n);
            const Type *t = shaped(w.c, (Scalar)rng_below(&r, SC_COUNT), 4, 3, 0);
            read += *read_text(&w, rng_below(&r, 4) ? d->type : t, names[k]) == '[';
            FileArray a;
            diag_clear(&w.diag);
            if (file_look(file, &a, &w.diag)) assert_true(a.at <= n && a.rank <= FILE_RANK);
        }
    }
    assert_in_range(read, TRIES / 4, 2 * TRIES);         /* some are as good as before */
    data_free(d);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips), cmocka_unit_test(test_components), cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_orders), cmocka_unit_test(test_headers), cmocka_unit_test(test_mapped), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
