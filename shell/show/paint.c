/* paint: terms and kernels in colour, where a terminal shows them. What a colour says, the text says too. */
#include "show.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const char PRIMITIVE[] = "36", KEYWORD[] = "36", COMMENT[] = "2", WAIT[] = "33";

/* Is it one of the words in " a b c "? A vector's type counts as that of its elements. */
static bool is_word_of(const char *words, const char *name, size_t n)
{
    char padded[24];
    while (n > 1 && strchr("0123456789", name[n - 1])) n--;
    if (n + 3 > sizeof padded) return false;
    snprintf(padded, sizeof padded, " %.*s ", (int)n, name);
    return strstr(words, padded) != NULL;
}

static const char *color_in_term(const char *name, size_t n)
{
    char text[32] = "";
    if (n < sizeof text) memcpy(text, name, n);
    return prim_from_name(text) != PRIM_COUNT ? PRIMITIVE : NULL;
}

static const char *color_in_code(const char *name, size_t n)
{
    static const char words[] = " kernel global local private constant const restrict void bool char uchar short ushort int uint long ulong"
                                " half float double size_t struct typedef if else for while do return break continue __kernel __global"
                                " __local __shared__ __restrict__ __device__ extern static inline unsigned ";
    static const char waits[] = " barrier mem_fence __syncthreads ";
    return is_word_of(words, name, n) ? KEYWORD : is_word_of(waits, name, n) ? WAIT : NULL;
}

typedef struct Paint {
    Shell *sh;
    const char *(*color)(const char *name, size_t n);
    bool code;
    const char *end;                     /* within a comment: of it; NULL: in none */
} Paint;

static void put(Shell *sh, const char *color, const char *text, size_t n)
{
    if (color && n) show_color(sh, color, arena_strndup(sh->scratch, text, n));
    else buf_write(&sh->out, text, n);
}

/* What begins at p and is shown in one colour, up to the end of its line: how long it is. */
static size_t put_piece(Paint *k, const char *p, const char *line)
{
    size_t left = strcspn(p, "\n"), n = name_length(p);
    if (k->code && !k->end && (!strncmp(p, "//", 2) || (p == line && *p == '#'))) k->end = p + left;
    if (k->code && !k->end && !strncmp(p, "/*", 2)) k->end = strstr(p + 2, "*/") ? strstr(p + 2, "*/") + 2 : p + strlen(p);
    if (k->end) {
        size_t all = (size_t)(k->end - p);
        put(k->sh, COMMENT, p, all < left ? all : left);
        if (all <= left) k->end = NULL;
        return all < left ? all : left;
    }
    put(k->sh, n ? k->color(p, n) : NULL, p, n ? n : 1);
    return n ? n : 1;
}

static void paint(Paint *k, size_t start)
{
    Shell *sh = k->sh;
    if (!sh->color) return;
    const char *text = print_taken(sh, start), *line = text;
    for (const char *p = text; *p;) {
        if (*p == '\n') {
            buf_putc(&sh->out, *p++);
            line = p;
        } else if (*p == '\033') {       /* a colour that is there already stays */
            size_t n = strcspn(p, "m") + 1;
            put(sh, NULL, p, n);
            p += n;
        } else p += put_piece(k, p, line);
    }
}

void show_painted_term(Shell *sh, size_t start) { paint(&(Paint){.sh = sh, .color = color_in_term}, start); }
void show_painted_code(Shell *sh, size_t start) { paint(&(Paint){.sh = sh, .color = color_in_code, .code = true}, start); }
