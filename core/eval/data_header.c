/* data_header: the headers of .npy files and of pictures. */
#include "data_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
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
    bool power = a->bytes == 1 || a->bytes == 2 || a->bytes == 4 || a->bytes == 8;
    bool known = a->letter == 'i' || a->letter == 'u' || (a->letter == 'f' && a->bytes > 1) || (a->letter == 'b' && a->bytes == 1);
    if (power && known) return true;
    return diag_fail(h->diag, E37, "%s holds elements of NumPy's type '%s'\n"
                     "needs bool, int8 to int64, uint8 to uint64, float16, float32 or float64", h->name, text);
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
    return seen == 7 || bad(h, "lacks descr, fortran_order or shape in its header");
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

bool file_header(const char *name, const uint8_t *bytes, size_t n, size_t whole, FileArray *out, Diag *diag)
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
    else buf_printf(out, "%c%d", a->letter, 8 * a->bytes);
    for (int i = 0; i < a->rank; i++) buf_printf(out, "%s[%lld]", i ? "" : " ", (long long)a->dims[i]);
    if (a->by_columns && a->rank > 1) buf_puts(out, " by columns");
}
