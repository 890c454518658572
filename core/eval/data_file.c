/* data_file: the headers of .npy files and of pictures; files mapped or read, their elements as values, and values written. */
#include "data_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_HEADER = 1 << 16 };          /* bytes of a file in which its header is looked for */
enum { MAPPED_FROM = 1 << 20 };          /* smaller files are read: another program may cut them short meanwhile */

/* ---- headers ---- */

typedef struct Header {
    const char *name;
    const uint8_t *at, *from, *end;      /* end: of what is there */
    size_t whole;
    FileArray *out;
    Diag *diag;
} Header;

static bool PRINTF_LIKE(2, 3) bad(Header *h, const char *fmt, ...)
{
    char what[160];
    WITH_ARGS(fmt, ap, vsnprintf(what, sizeof what, fmt, ap));
    return diag_fail(h->diag, E06, "%s %s", h->name, what);
}

FileKind file_kind(const char *name)
{
    static const struct { const char *ending; FileKind kind; } kinds[] = {
        {".npy", FILE_NPY}, {".pgm", FILE_PICTURE}, {".ppm", FILE_PICTURE}, {".pnm", FILE_PICTURE}};
    size_t n = strlen(name);
    for (int i = 0; i < COUNT(kinds); i++)
        if (n > 4 && !strcasecmp(name + n - 4, kinds[i].ending)) return kinds[i].kind;
    return FILE_RAW;
}

/* Does a raw file of that name have the components of each element together, as others write complex numbers? */
static bool is_interleaved(const char *name)
{
    static const char *const endings[] = {".cf32", ".cf64", ".aos"};
    const char *point = strrchr(name, '.');
    return point && ANY(i, COUNT(endings), !strcasecmp(point, endings[i]));
}

/* Are so many elements there? */
static bool count_elements(Header *h)
{
    FileArray *a = h->out;
    int64_t bytes;
    a->count = 1;
    if (!ALL(i, a->rank, mul_ok(a->count, a->dims[i], &a->count)) || !mul_ok(a->count, a->bytes, &bytes))
        return bad(h, "says it has more elements than can be counted");
    return a->digits || (uint64_t)bytes <= h->whole - a->at
        || bad(h, "is cut short: its header asks for %lld bytes of elements, %zu are there", (long long)bytes, h->whole - a->at);
}

/* ---- .npy: a line of Python, {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } ---- */

static void npy_blank(Header *h)
{
    while (h->at < h->end && isspace(*h->at)) h->at++;
}

static bool npy_take(Header *h, const char *what)
{
    size_t n = strlen(what);
    npy_blank(h);
    if ((size_t)(h->end - h->at) < n || memcmp(h->at, what, n)) return false;
    h->at += n;
    return true;
}

static bool npy_quoted(Header *h, char *out, size_t room)
{
    size_t n = 0;
    npy_blank(h);
    if (h->at == h->end || (*h->at != '\'' && *h->at != '"')) return false;
    uint8_t quote = *h->at++;
    for (; h->at < h->end && *h->at != quote; h->at++)
        if (n + 1 < room) out[n++] = isprint(*h->at) ? (char)*h->at : '?';
    out[n] = 0;
    return h->at < h->end && h->at++;
}

/* "<f4" "|u1" "?" */
static bool npy_element(Header *h)
{
    char text[24];
    FileArray *a = h->out;
    if (npy_take(h, "["))
        return diag_fail(h->diag, E37, "%s holds records of several fields\nhint one field in a file: numpy.save(\"x.npy\", a[\"x\"])", h->name);
    if (!npy_quoted(h, text, sizeof text)) return bad(h, "has no type of elements in its header");
    const char *p = text + (*text && strchr("<>|=", *text) ? 1 : 0);
    a->swapped = *text == '>';
    a->letter = *p == '?' ? 'b' : *p;
    a->bytes = *p == '?' ? 1 : p[0] && isdigit((unsigned char)p[1]) && !p[2] ? p[1] - '0' : 0;
    a->complex = !strcmp(p, "c8") || !strcmp(p, "c16");
    if (a->complex) a->letter = 'f', a->bytes = p[1] == '8' ? 4 : 8;
    bool power = a->bytes == 1 || a->bytes == 2 || a->bytes == 4 || a->bytes == 8;
    bool known = a->letter == 'i' || a->letter == 'u' || (a->letter == 'f' && a->bytes > 1) || (a->letter == 'b' && a->bytes == 1) || (a->letter == 'V' && a->bytes == 2);
    if (power && known) return true;
    return diag_fail(h->diag, E37, "%s holds elements of NumPy's type '%s'\n"
                     "needs bool, int8 to int64, uint8 to uint64, float16, float32, float64, complex64, complex128 or ml_dtypes' bfloat16", h->name, text);
}

static bool npy_shape(Header *h)
{
    FileArray *a = h->out;
    if (!npy_take(h, "(")) return bad(h, "has no shape in its header");
    while (!npy_take(h, ")")) {
        int64_t n = 0;
        const uint8_t *first = h->at;
        for (; h->at < h->end && isdigit(*h->at); h->at++)
            if (!mul_ok(n, 10, &n) || !add_ok(n, *h->at - '0', &n)) return bad(h, "has a length that is too large");
        if (h->at == first) return bad(h, "has a shape that is none in its header");
        if (a->rank == FILE_RANK) return bad(h, "has more than %d dimensions", FILE_RANK);
        a->dims[a->rank++] = n;
        npy_take(h, "L");
        if (!npy_take(h, ",") && (h->at == h->end || *h->at != ')')) return bad(h, "has a shape that is none in its header");
        npy_blank(h);
    }
    return true;
}

static bool npy_dictionary(Header *h)
{
    int seen = 0;
    char key[24];
    if (!npy_take(h, "{")) return bad(h, "has no header as a .npy file has");
    while (!npy_take(h, "}")) {
        if (!npy_quoted(h, key, sizeof key) || !npy_take(h, ":")) return bad(h, "has no header as a .npy file has");
        int k = !strcmp(key, "descr") ? 1 : !strcmp(key, "fortran_order") ? 2 : !strcmp(key, "shape") ? 4 : 0;
        if (!k || seen & k) return bad(h, "has \"%s\" in its header", key);
        seen |= k;
        if (k == 1 && !npy_element(h)) return false;
        if (k == 2 && !(h->out->by_columns = npy_take(h, "True")) && !npy_take(h, "False"))
            return bad(h, "has a fortran_order that is neither True nor False");
        if (k == 4 && !npy_shape(h)) return false;
        npy_take(h, ",");
    }
    if (seen != 7) return bad(h, "lacks descr, fortran_order or shape in its header");
    FileArray *a = h->out;
    if (a->complex && a->rank == FILE_RANK) return bad(h, "has more than %d dimensions", FILE_RANK - 1);
    if (a->complex) a->dims[a->rank++] = 2;
    return true;
}

static bool npy_header(Header *h)
{
    size_t n = (size_t)(h->end - h->at);
    if (n < 10 || memcmp(h->at, "\x93NUMPY", 6)) return bad(h, "does not begin as a .npy file does");
    int version = h->at[6], width = version == 1 ? 2 : 4;
    if (version < 1 || version > 3) return bad(h, "is of version %d of .npy; 1 to 3 are known", version);
    if (n < 8u + (size_t)width) return bad(h, "is cut short in its header");
    size_t length = 0;
    for (int i = width; i-- > 0;) length = length << 8 | h->at[8 + i];
    h->at += 8 + width;
    if (length > h->whole - (size_t)(8 + width)) return bad(h, "is cut short in its header");
    if (length > (size_t)(h->end - h->at)) return bad(h, "has a header of %zu bytes, which is too long", length);
    h->end = h->at + length;
    h->out->at = (size_t)(h->end - h->from);
    return npy_dictionary(h) && count_elements(h);
}

/* ---- pictures: "P5 640 480 255", each with blanks and comments before it, then one blank ---- */

static bool picture_number(Header *h, int64_t most, int64_t *out)
{
    *out = 0;
    while (h->at < h->end && (isspace(*h->at) || *h->at == '#')) {
        if (*h->at == '#')
            while (h->at < h->end && *h->at != '\n') h->at++;
        else h->at++;
    }
    if (h->at == h->end || !isdigit(*h->at)) return false;
    for (; h->at < h->end && isdigit(*h->at); h->at++) {
        *out = *out * 10 + (*h->at - '0');
        if (*out > most) return false;
    }
    return *out > 0 && h->at < h->end && isspace(*h->at);
}

/* The header of a file of that name and `whole` bytes, of which the first n are there, all or FILE_HEADER at least. E06: it is
 * none, or is cut short; E37: elements of a type that no scalar has. */
static bool file_header(const char *name, const uint8_t *bytes, size_t n, size_t whole, FileArray *out, Diag *diag)
{
    Header h = {name, bytes, bytes, bytes + n, whole, out, diag};
    *out = (FileArray){.kind = file_kind(name), .bytes = 1, .rank = 1, .dims = {(int64_t)whole}, .count = (int64_t)whole};
    if (out->kind == FILE_RAW) return true;
    out->rank = 0;
    if (out->kind == FILE_NPY) return npy_header(&h);
    FileArray *a = h.out;
    int64_t most;
    if (h.end - h.at < 3 || *h.at != 'P' || !strchr("2356", h.at[1]) || !isspace(h.at[2])) {
        bad(&h, "is no picture that is read here");
        diag_note(h.diag, "needs", "P2 or P5 (grey), P3 or P6 (colours) at its beginning");
        return false;
    }
    bool colours = h.at[1] == '3' || h.at[1] == '6', text = h.at[1] < '5';
    h.at += 2;
    if (!picture_number(&h, INT32_MAX, &a->dims[1]) || !picture_number(&h, INT32_MAX, &a->dims[0])
        || !picture_number(&h, 65535, &most))
        return bad(&h, "has no width, height and largest sample at its beginning");
    a->dims[2] = 3;
    a->rank = colours ? 3 : 2;
    a->letter = 'u';
    a->bytes = most > 255 ? 2 : 1;
    a->swapped = !text && a->bytes == 2;
    a->digits = text ? most : 0;
    a->at = (size_t)(h.at + 1 - h.from);
    return count_elements(&h);
}

void file_array_print(const FileArray *a, Buf *out)
{
    if (a->kind == FILE_RAW) {
        buf_printf(out, "%lld byte%s", (long long)a->count, a->count == 1 ? "" : "s");
        return;
    }
    if (a->letter == 'b') buf_puts(out, "bool");
    else if (a->letter == 'V') buf_puts(out, scalar_name(SC_BF16));
    else buf_printf(out, "%s%d", a->complex ? "complex" : (char[]){a->letter, 0}, (a->complex ? 16 : 8) * a->bytes);
    for (int i = 0; i < a->rank - a->complex; i++) buf_printf(out, "%s[%lld]", i ? "" : " ", (long long)a->dims[i]);
    if (a->by_columns && a->rank - a->complex > 1) buf_puts(out, " by columns");
}

/* ---- the bytes of a file ---- */

typedef struct View {
    uint8_t *bytes;                      /* NULL: none */
    size_t size;
    bool mapped;                         /* privately: writing to it changes no file */
} View;

static void view_close(View *v)
{
    if (v->mapped) munmap(v->bytes, v->size);
    else free(v->bytes);
}

static bool cannot(Diag *diag, const char *what, const char *name, int error)
{
    return diag_fail(diag, E06, "cannot %s %s%s%s", what, name, error == ENOENT ? "" : ": ", error == ENOENT ? "" : strerror(error));
}

/* The first bytes, at most so many; *whole: of the file. */
static bool view_open(const char *name, size_t most, View *out, size_t *whole, Diag *diag)
{
    struct stat st = {0};
    *out = (View){0};
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    bool ok = fd >= 0 && !fstat(fd, &st);
    if (ok && !S_ISREG(st.st_mode)) errno = S_ISDIR(st.st_mode) ? EISDIR : ESPIPE, ok = false;
    size_t size = (size_t)st.st_size < most ? (size_t)st.st_size : most;
    if (ok && size >= MAPPED_FROM) {
        void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
        ok = at != MAP_FAILED;
        if (ok) *out = (View){at, size, true};
    } else if (ok) {
        out->bytes = mem_alloc(size + 1);
        for (ssize_t n; ok && out->size < size && (n = read(fd, out->bytes + out->size, size - out->size)) != 0;) {
            if (n > 0) out->size += (size_t)n;
            else ok = errno == EINTR;
        }
    }
    int error = errno;
    if (fd >= 0) close(fd);
    *whole = out->size < most ? out->size : (size_t)st.st_size;
    if (!ok) view_close(out);
    return ok || cannot(diag, "read", name, error);
}

bool file_look(const char *name, FileArray *out, Diag *diag)
{
    View v;
    size_t whole;
    if (!view_open(name, FILE_HEADER, &v, &whole, diag)) return false;
    bool ok = file_header(name, v.bytes, v.size, whole, out, diag);
    view_close(&v);
    return ok;
}

/* ---- does it fit? ---- */

bool type_shape(const Type *t, TypeShape *out)
{
    *out = (TypeShape){0};
    for (; t->kind == TY_ARRAY; t = t->elems[0]) {
        if (out->rank == FILE_RANK - 1) return false;
        out->dims[out->rank++] = t->size;
    }
    bool tuple = t->kind == TY_TUPLE;
    out->width = t->kind == TY_VECTOR ? t->width : tuple ? t->count : 0;
    for (int i = 1; tuple && i < t->count; i++)
        if (t->elems[i] != t->elems[0]) return false;
    if (tuple) t = t->elems[0];
    out->scalar = t->scalar;
    return t->kind == TY_SCALAR || (t->kind == TY_VECTOR && !tuple);
}

/* The lengths of what a file holds of a type with constant lengths: of a component, or of all of tuples of alike scalars. */
static bool whole_shape(const Type *t, int part, PartShape *out)
{
    TypeShape all;
    if (part >= 0 || type_components(t) == 1) return type_part(t, part < 0 ? 0 : part, out);
    if (!type_shape(t, &all) || !type_part(t, 0, out) || out->rank == SHAPE_RANK) return false;
    out->dims[out->rank++] = all.width;
    return true;
}

bool file_element_fits(const FileArray *a, Scalar s)
{
    char want = scalar_npy(s)[1];
    int bits = 8 * a->bytes - (a->letter == 'i'), bytes = scalar_bytes(s);
    if (a->letter == want || a->letter == 'V') return a->letter == want && a->bytes <= bytes;
    if (a->letter == 'b') return true;
    if (want == 'i') return a->letter == 'u' && a->bytes < bytes;
    return scalar_is_float(s) && a->letter != 'f' && ldexp(1, bits) <= float_ranges[s].exact;
}

bool file_misfit(const char *name, const FileArray *a, const char *needs, Scalar s, Diag *diag)
{
    LOCAL(buf_free) Buf found = {0};
    file_array_print(a, &found);
    if (diag_error(diag, E37, "%s holds %s, not %s", name, buf_text(&found), needs) && !file_element_fits(a, s)) {
        const char *own = scalar_name(s), *numpy = *own == 'f' ? "numpy.float" : *own == 'i' ? "numpy.int" : *own == 'u' ? "numpy.uint" : "numpy.bool";
        if (a->complex && *own == 'f') own = s == SC_F32 ? "_64" : "_128", numpy = "numpy.complex";
        if (s == SC_BF16) own = "_16", numpy = "ml_dtypes.bfloat";
        if (a->kind == FILE_NPY) diag_note(diag, "hint", "in NumPy: numpy.save(\"x.npy\", a.astype(%s%s))", numpy, s == SC_BOOL ? "" : own + 1);
        else diag_note(diag, "hint", "an input of f32 takes the samples of a picture");
    }
    return false;
}

static bool fits(const char *name, const FileArray *a, const Data *d, Diag *diag)
{
    PartShape s;
    LOCAL(buf_free) Buf needs = {0};
    type_print(d->type, &needs);
    bool single = whole_shape(d->type, -1, &s);
    bool ok = single && file_element_fits(a, s.scalar) && s.rank == a->rank && ALL(i, s.rank, s.dims[i] == a->dims[i]);
    if (ok) return true;
    return single ? file_misfit(name, a, buf_text(&needs), s.scalar, diag)
                  : diag_fail(diag, E37, "%s is one array, and %s has %d components\n"
                              "hint raw bytes, component after component, in a file called x.bin", name, buf_text(&needs), d->part_count);
}

/* ---- elements as values ---- */

static void store_element(const FileArray *a, const uint8_t *from, Data *d, int64_t i)
{
    uint64_t bits = 0;
    int part = (int)(i % d->part_count);
    i /= d->part_count;
    for (int k = 0; k < a->bytes; k++) bits |= (uint64_t)from[a->swapped ? a->bytes - 1 - k : k] << 8 * k;
    if (a->letter == 'f') {
        union { uint64_t bits; _Float16 f16; float f32; double f64; } v = {bits};
        data_set(d, part, i, a->bytes == 2 ? (double)v.f16 : a->bytes == 4 ? (double)v.f32 : v.f64);
    } else {
        int unused = 64 - 8 * a->bytes;
        data_set_int(d, part, i, a->letter == 'i' ? (int64_t)(bits << unused) >> unused : a->letter == 'b' ? bits != 0 : (int64_t)bits);
    }
}

/* Where the elements come in Fortran's order, the first index runs fastest. */
static void store_columns(const FileArray *a, const uint8_t *from, Data *d)
{
    int64_t index[FILE_RANK] = {0}, stride[FILE_RANK], flat = 0;
    int rank = a->rank - a->complex, together = a->complex ? 2 : 1;
    for (int i = rank; i-- > 0;) stride[i] = i == rank - 1 ? 1 : stride[i + 1] * a->dims[i + 1];
    for (int64_t k = 0; k < a->count; k += together) {
        for (int part = 0; part < together; part++) store_element(a, from + (k + part) * a->bytes, d, together * flat + part);
        for (int i = 0; i < rank; i++) {
            flat += stride[i];
            if (++index[i] < a->dims[i]) break;
            flat -= stride[i] * a->dims[i];
            index[i] = 0;
        }
    }
}

static bool store_digits(const char *name, const FileArray *a, const View *v, Data *d, Diag *diag)
{
    const uint8_t *p = v->bytes + a->at, *end = v->bytes + v->size;
    for (int64_t k = 0; k < a->count; k++) {
        int64_t n = 0;
        while (p < end && isspace(*p)) p++;
        const uint8_t *first = p;
        for (; p < end && isdigit(*p) && n <= a->digits; p++) n = n * 10 + (*p - '0');
        if (p == first || n > a->digits)
            return diag_fail(diag, E06, "%s has no number from 0 to %lld for its sample %lld", name, (long long)a->digits, (long long)k);
        data_set_int(d, (int)(k % d->part_count), k / d->part_count, n);
    }
    return true;
}

bool file_is_values(const FileArray *a, Scalar s)
{
    return a->letter == scalar_npy(s)[1] && a->bytes == scalar_bytes(s) && !a->swapped && !a->digits && s != SC_BOOL
        && (!a->by_columns || a->rank - a->complex < 2);
}

static bool store_array(const char *name, const FileArray *a, View *v, Data *d, Diag *diag)
{
    DataPart *p = &d->parts[0];
    const uint8_t *from = v->bytes + a->at;
    if (a->digits) return store_digits(name, a, v, d, diag);
    if (d->part_count > 1 || !file_is_values(a, p->scalar)) {
        if (a->by_columns) store_columns(a, from, d);
        else for (int64_t i = 0; i < a->count && !(d->stop && *d->stop); i++) store_element(a, from + i * a->bytes, d, i);
    } else if (v->mapped && a->at % (size_t)a->bytes == 0) {
        free(p->values);
        p->values = v->bytes + a->at;
        p->map = v->bytes;
        p->map_bytes = v->size;
        *v = (View){0};
    } else {
        memcpy(p->values, from, (size_t)p->count * (size_t)a->bytes);
    }
    return true;
}

static bool alike_counts(const Data *d, const char *name, Diag *diag)
{
    return ALL(i, d->part_count, d->parts[i].count == d->parts[0].count)
        || diag_fail(diag, E37, "%s has the components of each element together, and here they are of several lengths", name);
}

static bool store_together(Data *d, const uint8_t *from, const char *name, Diag *diag)
{
    if (!alike_counts(d, name, diag)) return false;
    for (int64_t i = 0; i < d->parts[0].count; i++)
        for (int k = 0; k < d->part_count; k++) {
            int bytes = scalar_bytes(d->parts[k].scalar);
            memcpy((uint8_t *)d->parts[k].values + i * bytes, from, (size_t)bytes);
            if (d->parts[k].scalar == SC_BOOL) data_set_int(d, k, i, *from);
            from += bytes;
        }
    return true;
}

static bool store_raw(const char *name, View *v, Data *d, Diag *diag)
{
    if (v->size != data_bytes(d)) {
        bool first = !diag_failed(diag), numpy = v->size > 6 && !memcmp(v->bytes, "\x93NUMPY", 6);
        diag_fail(diag, E06, "%s has the wrong size\nfound %zu bytes\nneeds %zu bytes: raw little-endian, component after component",
                  name, v->size, data_bytes(d));
        if (first && numpy) diag_note(diag, "hint", "it begins as a .npy file does: give it that ending");
        return false;
    }
    Scalar s = d->parts[0].scalar;
    FileArray a = {.letter = scalar_npy(s)[1], .bytes = scalar_bytes(s), .count = d->parts[0].count};
    if (d->part_count == 1) return store_array(name, &a, v, d, diag);
    const uint8_t *from = v->bytes;
    if (is_interleaved(name) && d->part_count > 1) return store_together(d, from, name, diag);
    for (int i = 0; i < d->part_count; i++) {
        size_t n = (size_t)d->parts[i].count * (size_t)scalar_bytes(d->parts[i].scalar);
        memcpy(d->parts[i].values, from, n);
        for (int64_t k = 0; d->parts[i].scalar == SC_BOOL && k < d->parts[i].count; k++) data_set_int(d, i, k, from[k]);
        from += n;
    }
    return true;
}

bool data_read_file(Data *d, const char *name, Diag *diag)
{
    View v;
    FileArray a;
    size_t whole;
    if (!view_open(name, SIZE_MAX, &v, &whole, diag)) return false;
    bool ok = file_header(name, v.bytes, v.size, whole, &a, diag);
    if (ok && a.kind == FILE_RAW) ok = store_raw(name, &v, d, diag);
    else if (ok) ok = fits(name, &a, d, diag) && store_array(name, &a, &v, d, diag);
    view_close(&v);
    return ok;
}

/* ---- writing ---- */

static int only_part(const Type *t, int part) { return part < 0 && type_components(t) == 1 ? 0 : part; }

bool file_can_hold(const Type *t, int part, const char *name, Diag *diag)
{
    PartShape a;
    FileKind kind = file_kind(name);
    LOCAL(buf_free) Buf type = {0};
    type_print(t, &type);
    part = only_part(t, part);
    bool whole = whole_shape(t, part, &a), several = kind != FILE_RAW && part < 0 && !whole;
    bool deep = kind == FILE_NPY && !several && a.rank > FILE_RANK;
    char middle = (char)tolower((unsigned char)name[strlen(name) - 2]);      /* .pgm .ppm .pnm */
    bool other = kind == FILE_PICTURE && !several && !((a.rank == 2 && middle != 'p') || (a.rank == 3 && a.dims[2] == 3 && middle != 'g'));
    if (several)
        return diag_fail(diag, E05, "%s holds one array, and %s has %d\nform --save 0=%s,...    for component 0, and so on", name, buf_text(&type),
                         type_components(t), name);
    if (deep) return diag_fail(diag, E05, "%s holds at most %d dimensions", name, FILE_RANK);
    return !other || diag_fail(diag, E05, "%s is a picture, and %s is none\n"
                               "needs [height][width] for .pgm, [height][width][3] for .ppm, either for .pnm", name, buf_text(&type));
}

/* Element after element, each with all its components. */
static bool write_together(const Data *d, FILE *f)
{
    for (int64_t i = 0; i < d->parts[0].count; i++)
        for (int k = 0; k < d->part_count; k++) {
            size_t bytes = (size_t)scalar_bytes(d->parts[k].scalar);
            if (fwrite((const uint8_t *)d->parts[k].values + (size_t)i * bytes, bytes, 1, f) != 1) return false;
        }
    return true;
}

static bool write_parts(const Data *d, int part, const PartShape *a, const char *name, FILE *f)
{
    FileKind kind = file_kind(name);
    if (kind == FILE_PICTURE) {
        fprintf(f, "P%d\n%lld %lld\n255\n", a->rank == 3 ? 6 : 5, (long long)a->dims[1], (long long)a->dims[0]);
        int first = part < 0 ? 0 : part, together = part < 0 ? d->part_count : 1;
        for (int64_t i = 0; i < d->parts[first].count * together; i++) {
            double v = data_get(d, first + (int)(i % together), i / together) * (d->parts[first].scalar == SC_BOOL ? 255 : 1);
            putc(v > 0 ? (int)fmin(floor(v + 0.5), 255) : 0, f);         /* nan is not above 0 */
        }
        return true;
    }
    if (kind == FILE_NPY) {
        const DataPart *p = &d->parts[part < 0 ? 0 : part];
        int bytes = scalar_bytes(p->scalar);
        bool complex = part < 0 && d->part_count == 2 && (p->scalar == SC_F32 || p->scalar == SC_F64);
        int rank = a->rank - complex;
        LOCAL(buf_free) Buf b = {0};
        buf_printf(&b, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (", bytes > 1 ? '<' : '|',
                   complex ? 'c' : scalar_npy(p->scalar)[1], complex ? 2 * bytes : bytes);
        for (int i = 0; i < rank; i++) buf_printf(&b, "%s%lld", i ? ", " : "", (long long)a->dims[i]);
        buf_puts(&b, rank == 1 ? ",), }" : "), }");
        while ((b.len + 11) % 64) buf_putc(&b, ' ');
        buf_putc(&b, '\n');
        const char head[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(b.len & 255), (char)(b.len >> 8)};
        fwrite(head, 1, sizeof head, f);
        fwrite(b.data, 1, b.len, f);
        if (part < 0) return write_together(d, f);
        return fwrite(p->values, (size_t)bytes, (size_t)p->count, f) == (size_t)p->count;
    }
    if (part < 0 && is_interleaved(name)) return write_together(d, f);
    for (int i = part < 0 ? 0 : part; i < (part < 0 ? d->part_count : part + 1); i++) {
        const DataPart *p = &d->parts[i];
        if (fwrite(p->values, (size_t)scalar_bytes(p->scalar), (size_t)p->count, f) != (size_t)p->count) return false;
    }
    return true;
}

bool data_write_file(const Data *d, int part, const char *name, Diag *diag)
{
    PartShape a = {0};
    struct stat st;
    LOCAL(buf_free) Buf beside = {0};
    if (!file_can_hold(d->type, part, name, diag)) return false;
    part = only_part(d->type, part);
    whole_shape(d->type, part, &a);
    if (file_kind(name) == FILE_RAW && part < 0 && is_interleaved(name) && !alike_counts(d, name, diag)) return false;
    bool proper = stat(name, &st) ? true : S_ISREG(st.st_mode);    /* what may be mapped stays as it is until it is replaced */
    buf_printf(&beside, proper ? "%s.tmp%ld" : "%s", name, (long)getpid());
    FILE *f = fopen(buf_text(&beside), "wb");
    bool ok = f && write_parts(d, part, &a, name, f);
    if (f) ok = !ferror(f) & (fclose(f) == 0) & ok;
    if (proper) ok = ok && rename(buf_text(&beside), name) == 0;
    int error = errno;
    if (!ok && f && proper) unlink(buf_text(&beside));
    return ok || cannot(diag, "write", name, error);
}
