/* parse: recursive descent from tokens to trees, in reading order: errors, tokens, nodes; types and binding patterns; expressions by
 * precedence; rules and their conditions; declarations, and whole texts of each kind. read_X reads one X, whose production is that
 * of language.md or rules.md.
 *
 * A function that fails has reported why and returns NULL or false; from then on the current token is TOK_END,
 * so every loop stops. Node makers pass NULL on. Recursion goes through nest, which bounds the stack. */
#include "nat.h"
#include "prim.h"
#include "scalars.h"
#include "syntax.h"

#include <ctype.h>
#include <string.h>

enum { NEST_MAX = 2 * AST_DEPTH,       /* every level is an open bracket or becomes a node */
       SOURCE_MAX = 1 << 30 };         /* bytes; so that spans and counts fit */

typedef struct Parse {
    Parser *out;
    const Source *source;
    Token tok;                      /* the current token */
    uint32_t offset;                /* behind it */
    uint32_t last;                  /* end of the token before */
    uint32_t operand;               /* start of the postfix expression read last */
    int depth, brackets;
    bool failed;
    bool spreads;                   /* `xs..` is allowed */
    bool records;                   /* one was read */
    uint32_t line_let;              /* 1 + where the first `let` stands that goes on from another but begins a line; 0: none */
    bool open_end;                  /* the expression read last ends in an unbracketed lambda, let or if */
    const char *const *stops;       /* names that end an application here, NULL-terminated; none inside brackets */
} Parse;

/* ---- errors: the first one stops the parse. What reports one returns NULL, which is false, too ---- */

/* True: this was the first. */
static bool stop(Parse *p)
{
    bool first = !p->failed;
    p->failed = true;
    p->tok = (Token){.kind = TOK_END, .span = {p->last, p->last}};
    return first;
}

static void too_deep(Parse *p, Span span)
{
    if (stop(p)) diag_error_at(p->out->diag, E08, p->source, span, "this is nested too deeply (more than %d levels)", AST_DEPTH);
}

static void *error_with_note(Parse *p, Span span, const char *message, const char *label, const char *note)
{
    if (stop(p) && diag_error_at(p->out->diag, E03, p->source, span, "%s", message) && note)
        diag_note(p->out->diag, label, "%s", note);
    return NULL;
}

static void *wrong(Parse *p, Span span, const char *message) { return error_with_note(p, span, message, NULL, NULL); }

static bool tok_is_name(const Parse *p, const char *text) { return p->tok.kind == TOK_NAME && strcmp(p->tok.text, text) == 0; }

/* An operator or a keyword? Most are not it: starting lathe reads some hundred rules. */
static bool tok_is(const Parse *p, const char *text)
{
    bool fixed = p->tok.kind == TOK_OP || p->tok.kind == TOK_INDEX || p->tok.kind == TOK_KEYWORD;
    return fixed && *p->tok.text == *text && strcmp(p->tok.text, text) == 0;
}

const char *foreign_name(const char *name)
{
    static const struct { const char *there, *here; } known[] = {            /* what others call it */
        {"fold", "reduce f z xs"}, {"scanl1", "scan f z xs, z being neutral"}, {"foldr1", "reduce f z xs, z being neutral"},
        {"np", "functions stand by themselves: sum x, exp x; help prelude"}, {"jnp", "functions stand by themselves: sum x, exp x; help prelude"},
        {"torch", "functions stand by themselves: sum x, exp x; help prelude"}, {"uncurry", "f takes a pair as well: map (+) (zip xs ys)"},
        {"curry", "f takes its parts one by one as well"}, {"minmax", "(minimum xs, maximum xs)"}, {"mapi", "zipWith f (iota N) xs"}, {"imap", "zipWith f (iota N) xs"},
        {"scan1", "scan f z xs, z being neutral"}, {"reduce1", "reduce f z xs, z being neutral"}, {"do", "let x = e in ..."}, {"case", "if x == a then e else ..."}, {"match", "if x == a then e else ..."},
        {"begin", "let x = e in ..."}, {"def", "let f x = e"}, {"return", "a definition is its value: let f x = e"},
        {"foldl", "reduceSeq f z xs goes from the left, reduce f z xs in any order"},
        {"foldr", "reduce f z xs, of an f that is associative"}, {"foldl1", "reduce f z xs, z being neutral"},
        {"len", "length xs"}, {"size", "length xs"}, {"range", "iota N"},
        {"arange", "iota N"}, {"repeat", "replicate N v"},
        {"zeros", "generate N (\\i -> 0.0)"}, {"ones", "generate N (\\i -> 1.0)"}, {"reverse", "reorder reverse xs"},
        {"flatten", "join xss"}, {"chunk", "split k xs"}, {"chunks", "split k xs"}, {"chunksOf", "split k xs"},
        {"windows", "slide k 1 xs"}, {"first", "xs[0]"},
        {"append", "concat xs ys"}, {"cumsum", "scan (+) 0 xs"}, {"prefix", "scan (+) 0 xs"}, {"scanl", "scan f z xs"},
        {"histogram", "reduceByIndex (+) zeros pairs: help reduceByIndex"}, {"not", "!x"}, {"and", "a && b"},
        {"or", "a || b"}, {"xor", "bxor a b of integers, a != b of bools"}, {"mod", "a % b of integers"}, {"div", "a // b of integers"}, {"ceiling", "ceil x"},
        {"int", "i32 x"}, {"float", "f32 x"}, {"double", "f64 x"}, {"lambda", "a lambda is \\x -> ..."},
        {"variance", "let m = mean xs in mean (map (\\x -> (x - m) * (x - m)) xs)"}, {"std", "sqrt of mean (map (\\x -> (x - m) * (x - m)) xs)"},
        {"norm", "sqrt (dot xs xs)"}, {"clip", "max lo (min hi x)"},
        {"count", "sum (map (\\x -> if p x then 1 else 0) xs)"}, {"flip", "reorder reverse xs"}, {"roll", "reorder (rotate k) xs"},
        {"expand", "broadcast d n xs"}, {"moveaxis", "lastAxis d xs, firstAxis d xs"}, {"dilate", "spread k 0 xs, or slideDilated k d s xs"},
        {"conv2d", "map2 (\\w -> dot (join w) (join k)) (slide2 3 1 xs)"}, {"maxpool", "map2 (\\w -> maximum (join w)) (slideFloor2 k s xs)"},
        {"fn", "a lambda is \\x -> ..."}, {"fun", "a lambda is \\x -> ..."}, {"where", "let x = e in ..., or of each element: zipWith3 (\\c a b -> if c then a else b) cs xs ys"},
        {"compose", "f . g"}, {"log10", "log x / log 10"}, {"cbrt", "pow x (1 / 3)"}, {"hypot", "sqrt (x * x + y * y)"}, {"fabs", "abs x"},
        {"power", "pow x y"}, {"ln", "log x"}, {"leakyrelu", "if x < 0 then 0.01 * x else x"}, {"silu", "x * sigmoid x"},
        {"swish", "x * sigmoid x"}, {"elu", "if x < 0 then expm1 x else x"}, {"softplus", "log1p (exp x)"}, {"linspace", "generate n (\\i -> a + f32 i * (b - a) / (n - 1))"},
        {"tabulate", "generate n (\\i -> e)"}, {"build", "generate n (\\i -> e)"}, {"generate2", "generate n (\\i -> generate m (\\j -> e))"},
        {"reshape", "join x has a dimension less, split k x one more"}, {"concatMap", "join (map f xs)"}, {"outer", "map (\\x -> map (* x) ys) xs"},
        {"matvec", "map (dot x) A"}, {"diag", "generate n (\\i -> A[i, i])"}, {"permute", "transpose x, lastAxis d x, firstAxis d x"},
        {"sort", "none is built in; a bitonic or radix sort is a loop of scatters or compares"}, {"sum2", "sum (join A); of each row: map sum A"},
        {"enumerate", "zip (iota (length xs)) xs"}, {"zipwith", "zipWith f xs ys"}, {"unique", "reduceByIndex counts what is there"},
        {"for", "map f xs, or in turn: loop n (\\s i -> e) z"}, {"while", "loopWhile n (\\s -> p) (\\s -> e) z, for n steps at most"}, {"clamp", "max lo (min hi x)"},
        {"cumprod", "scan (*) 1 xs"}, {"eye", "generate n (\\i -> generate n (\\j -> if i == j then 1 else 0))"}, {"bincount", "reduceByIndex (+) (replicate n 0) (map (\\i -> (i, 1)) is)"},
        {"argsort", "none is built in; the rank of each is map (\\x -> sum (map (\\y -> i32 (y < x)) xs)) xs"},
    };
    for (int i = 0; i < COUNT(known); i++)
        if (!strcasecmp(known[i].there, name)) return known[i].here;
    return NULL;
}

/* What stands here for the word of another language that the text before the token, up to what opened it, begins with: as in
 * `case x of {`, `lambda x: x + 1`; NULL: there is none. */
static const char *said_elsewhere(const Parse *p)
{
    static const char *const words[] = {"match", "case", "where", "for", "while", "fun", "fn", "lambda", "def", "return", "do"};
    const char *text = p->source->text;
    for (uint32_t at = p->tok.span.from; at && !strchr("()[=\\,\n", text[at - 1]);) {
        const uint32_t to = at;
        while (at && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_')) at--;
        for (int i = 0; i < COUNT(words); i++)
            if (to - at == strlen(words[i]) && !strncmp(text + at, words[i], to - at)) return foreign_name(words[i]);
        if (at == to) at--;
    }
    return NULL;
}

/* What to write instead of the token; NULL: nobody knows. */
static const char *meant(const Parse *p)
{
    if (tok_is(p, "in")) return "`in` stands behind a `let`; e for each x of xs is map (\\x -> e) xs";
    const char *elsewhere = said_elsewhere(p);
    if (elsewhere) return elsewhere;
    /* Was the token before a point right behind a digit, as in `1. + x`? */
    const char *text = p->source->text;
    if (p->last > 1 && text[p->last - 1] == '.' && text[p->last - 2] >= '0' && text[p->last - 2] <= '9')
        return "digits on both sides of a float's point: 1.0";
    bool rule = !strcmp(p->source->name, "rule");
    if (rule && (tok_is(p, "=") || tok_is(p, "->"))) return "=> stands between the sides of a rule";
    bool unequal = tok_is(p, "=") && p->tok.span.from && text[p->tok.span.from - 1] == '/';
    if (unequal) return "`!=` is unequal";
    if (tok_is(p, "=")) return "`==` compares; `let x = ... in ...` names a value; `xs with [i] = v` is xs but for element i";
    if (tok_is(p, "->")) return "a lambda starts with a backslash: \\x -> ...";
    if (tok_is(p, "=>")) return "a lambda is \\x -> ..., a rule: rule NAME: LEFT => RIGHT";
    if (tok_is(p, "<=>")) return "a rule: rule NAME: LEFT <=> RIGHT";
    if (tok_is(p, ":") && p->depth <= 1 && !rule) return "`concat [a] xs` has a in front; a lambda with a type is \\(x: f32) -> ...";
    if (tok_is(p, ":") && !rule) return "a lambda is \\x -> ..., with a type \\(x: f32) -> ...";
    if (tok_is(p, ".")) return "a lambda is \\x -> ...";
    if (tok_is(p, "..")) return rule ? "`..` stands behind one name or bracket, as an argument or inside a tuple" : "iota n is 0, 1 ... n-1";
    if (tok_is(p, ",")) return "several stand in brackets, (a, b); a lambda of two is \\a b -> ...";
    if (tok_is(p, "with")) return "x with [i] = v sets an element; parts of a record are all written: {a = 1, b = r.b}";
    if (tok_is(p, "[")) return "an index follows its array without a space: w[0]";
    bool operator = !strcmp(p->source->name, "pattern") && p->tok.kind == TOK_OP && p->tok.span.to == p->source->len;
    if (operator) return "an operator by itself stands in brackets, (*); a product is _ * _";
    if (tok_is(p, "+")) return "`concat a b` is a, then b";
    if (tok_is(p, ">") && p->tok.span.from && text[p->tok.span.from - 1] == '<') return "`!=` is unequal";
    const char *next = text + p->tok.span.to;
    if (tok_is(p, "<") && *next == '-') return "`=` names and sets: let x = e in ..., xs with [i] = v";
    if (tok_is(p, ">") || tok_is(p, "<")) return tok_is(p, ">") ? "`shr a b` shifts a right by b" : "`shl a b` shifts a left by b";
    bool comment = tok_is(p, "//") || (tok_is(p, "-") && *next == '-') || (tok_is(p, "/") && *next == '*');
    if (comment) return "a comment begins with #";
    if (tok_is(p, "-")) return "brackets: (- x)";
    if (tok_is(p, "!")) return *next == '!' ? "an element is xs[0]" : "brackets: (! x)";
    if (tok_is(p, "\\")) return "brackets: (\\x -> ...)";
    if (tok_is(p, "let")) return "brackets: (let x = ... in ...)";
    if (tok_is(p, "if")) return "brackets: (if ... then ... else ...)";
    return NULL;
}

/* "the name `x`", "`)`", "the end of the input" */
static const char *described(Parse *p, const Token *t)
{
    static const char *const kinds[] = {
        [TOK_NAME] = "the name ", [TOK_INT] = "the number ", [TOK_FLOAT] = "the number ",
        [TOK_PROJ] = "the projection ", [TOK_FIELD] = "the part ", [TOK_KEYWORD] = "the keyword ",
    };
    if (t->kind == TOK_END) return "the end of the input";
    const char *kind = (int)t->kind < COUNT(kinds) && kinds[t->kind] ? kinds[t->kind] : "";
    uint32_t len = t->span.to - t->span.from;
    return arena_printf(p->out->arena, "%s`%.*s%s`", kind, len < 40 ? (int)len : 37, p->source->text + t->span.from,
                        len < 40 ? "" : "...");
}

/* The current token is not what stands in `what`. */
static void *unexpected(Parse *p, const char *what, const char *hint)
{
    Token t = p->tok;
    if (p->failed) return NULL;
    p->out->at_end = t.kind == TOK_END;
    return error_with_note(p, t.kind == TOK_END ? (Span){p->last, p->last} : t.span,
                           arena_printf(p->out->arena, "expected %s, found %s", what, described(p, &t)), "hint", hint);
}

/* The same in or behind an expression, where a guess can be made of what was meant. */
static void *expected(Parse *p, const char *what) { return unexpected(p, what, meant(p)); }

/* ---- tokens ---- */

static void tok_next(Parse *p)
{
    if (p->failed) return;
    p->last = p->tok.span.to;
    p->open_end = false;
    p->tok = lex_token(p->source, &p->offset, p->out->names, p->out->diag);
    if (p->tok.kind == TOK_ERROR) stop(p);
}

/* The token behind the current one, if *offset is p->offset; moves that on. TOK_ERROR is reported when it becomes current. */
static Token tok_peek(const Parse *p, uint32_t *offset) { return lex_token(p->source, offset, p->out->names, NULL); }

/* Is it the operator behind the current token? */
static bool tok_peek_is(const Parse *p, const char *op)
{
    uint32_t offset = p->offset;
    Token t = tok_peek(p, &offset);
    return (t.kind == TOK_OP || t.kind == TOK_INDEX) && strcmp(t.text, op) == 0;
}

static bool tok_accept(Parse *p, const char *op)
{
    bool is = tok_is(p, op);
    if (is) tok_next(p);
    return is;
}

static bool tok_expect(Parse *p, const char *op, const char *what) { return tok_accept(p, op) || expected(p, what); }

/* `what` says what it would be the name of. */
static const char *tok_expect_name(Parse *p, const char *what)
{
    Token t = p->tok;
    if (t.kind == TOK_NAME) {
        tok_next(p);
        return t.text;
    }
    unexpected(p, what, tok_is(p, "{") ? "parts of a record r are r.x, r.y; as a tuple it is (x, y)"
                        : tok_is(p, "[") ? "an array has one name, and its elements are xs[0], xs[1]" : said_elsewhere(p));
    if (t.kind == TOK_KEYWORD) diag_note(p->out->diag, "needs", "another name: `%s` is a keyword", t.text);
    return NULL;
}

/* One level deeper; the caller takes it back. */
static bool nest(Parse *p)
{
    if (p->failed) return false;
    if (++p->depth > NEST_MAX) too_deep(p, p->tok.span);
    return !p->failed;
}

/* Inside brackets no name ends an application. */
typedef struct Bracket { Span span; const char *const *stops; } Bracket;

static Bracket bracket_open(Parse *p)
{
    Bracket b = {p->tok.span, p->stops};
    p->stops = NULL;
    if (++p->brackets > AST_DEPTH) too_deep(p, b.span);
    tok_next(p);
    return b;
}

static bool bracket_close(Parse *p, Bracket b, const char *close, const char *what)
{
    p->stops = b.stops;
    p->brackets--;
    if (p->failed || tok_expect(p, close, what)) return !p->failed;
    int line, column;
    source_position(p->source, b.span.from, &line, &column);
    diag_note(p->out->diag, "opened", "`%c` at %s:%d:%d", p->source->text[b.span.from], p->source->name, line, column);
    return false;
}

/* ---- nodes ---- */

/* Lists double whenever their length is a power of two: adding is amortised constant, no capacity is stored,
 * and a list that was filled this way can be taken over and grown on. */
static void *grown(Parse *p, void *items, int n, size_t size)
{
    if (n & (n - 1)) return items;
    char *wider = arena_alloc(p->out->arena, size * (size_t)(n ? 2 * n : 1));
    if (n) memcpy(wider, items, size * (size_t)n);
    return wider;
}
#define ADD(p, list, n, item) ((list) = grown((p), (list), (n), sizeof *(list)), (list)[(n)++] = (item))

/* Raises the height of e to stand above a child's. False, and reported, when it gets too high. */
static bool raise_above(Parse *p, Ast *e, const Ast *child)
{
    if (e->height <= child->height) e->height = child->height + 1;
    if (e->height > AST_DEPTH) too_deep(p, p->tok.span);
    return !p->failed;
}

int zip_count(const char *name)
{
    return strncmp(name, "zip", 3) == 0 && name[3] >= '2' && name[3] <= '9' && !name[4] ? name[3] - '0' : 0;
}

PrimId named_prim(const char *name)
{
    if (zip_count(name)) return PRIM_ZIP;
    PrimId id = prim_from_name(name);
    switch ((int)id) {
    case PRIM_LET: case PRIM_TUPLE: case PRIM_PROJ: case PRIM_IF: case PRIM_LANE: return PRIM_COUNT;
    default: return id;
    }
}

PrimId ast_prim(const Ast *a)
{
    if (a->prim) return (PrimId)(a->prim - 1);
    return a->kind == AST_NAME ? named_prim(a->name) : a->kind == AST_OP || a->kind == AST_BINARY ? prim_from_name(a->name) : PRIM_COUNT;
}

static Ast *ast_named(Parse *p, AstKind kind, uint32_t from, const char *name)
{
    if (p->failed) return NULL;
    Ast *a = MAKE(p->out->arena, Ast, .kind = kind, .span = {from, p->last}, .name = name, .height = 1);
    a->prim = (uint16_t)(ast_prim(a) + 1);
    return a;
}

static Ast *ast_node(Parse *p, AstKind kind, uint32_t from) { return ast_named(p, kind, from, NULL); }

/* The span drawn on to the last token read. */
static Ast *ast_with(Parse *p, Ast *e, Ast *kid)
{
    if (!e || !kid || !raise_above(p, e, kid)) return NULL;
    ADD(p, e->kids, e->kid_count, kid);
    e->span.to = p->last;
    return e;
}

static Ast *ast_with_pat(Parse *p, Ast *e, AstPat *pat)
{
    if (!e || !pat || !raise_above(p, e, pat)) return NULL;
    ADD(p, e->pats, e->pat_count, pat);
    return e;
}

/* A lambda with its body; a body that is a lambda itself gives its parameters: \x -> \y -> e is \x y -> e, for no function gives one. */
static Ast *ast_with_body(Parse *p, Ast *f, Ast *body)
{
    if (!body || body->kind != AST_LAMBDA) return ast_with(p, f, body);
    if (!f || !raise_above(p, f, body)) return NULL;
    for (int i = 0; i < body->pat_count; i++) f = ast_with_pat(p, f, body->pats[i]);
    return ast_with(p, f, body->kids[0]);
}

static Ast *ast_with_annot(Parse *p, Ast *e, AstType *annot)
{
    if (!e || !annot || !raise_above(p, e, annot)) return NULL;
    e->annot = annot;
    return e;
}

static Ast *ast_spanning(Ast *e, Span span)
{
    if (e) e->span = span;
    return e;
}

static AstType *read_type(Parse *p);

/* Operands joined by operators that bind at least as tightly as `lowest`. An operator before `)` makes a section. */
static Ast *read_level(Parse *p, int lowest);
static Ast *read_expr(Parse *p) { return read_level(p, LEVEL_LOWEST); }

/* ---- types: type = ptype [ "->" type ] ---- */

static AstType *scalar(Parse *p, AstKind kind, uint32_t from)
{
    const char *name = p->tok.text;
    Scalar s;
    if (p->tok.kind != TOK_NAME || !scalar_from_name(p->tok.text, &s)) {
        static const struct { const char *text, *hint; } usual[] = {
            {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"char", "i8"}, {"short", "i16"}, {"int", "i32"}, {"long", "i64"},
            {"byte", "u8"}, {"uchar", "u8"}, {"ushort", "u16"}, {"uint", "u32"}, {"ulong", "u64"}, {"float16", "f16"}, {"bfloat16", "bf16"}, {"bfloat", "bf16"}, {"float32", "f32"},
            {"float64", "f64"}, {"int8", "i8"}, {"int16", "i16"}, {"int32", "i32"}, {"int64", "i64"}, {"uint8", "u8"}, {"uint16", "u16"},
            {"uint32", "u32"}, {"uint64", "u64"}, {"boolean", "bool"}, {"complex", "(f32, f32)"}, {"complex64", "(f32, f32)"},
            {"complex128", "(f64, f64)"}, {"c64", "(f32, f32)"}, {"c128", "(f64, f64)"},
            {"string", "[N]u8"}, {"str", "[N]u8"}, {"array", "[N]f32"}, {"list", "[N]f32"}, {"vector", "[N]f32"}, {"matrix", "[N][M]f32"},
            {"tensor", "[N][M]f32"},
        };
        Token t = p->tok;
        const char *elsewhere = said_elsewhere(p);
        unexpected(p, "a type", elsewhere);
        if (elsewhere) return NULL;
        if (t.kind != TOK_NAME) return NULL;
        diag_note(p->out->diag, "needs", "%s size, [N]type, <4>scalar, (type, type), type -> type", scalar_names());
        for (int i = 0; i < COUNT(usual); i++)
            if (strcasecmp(t.text, usual[i].text) == 0) diag_note(p->out->diag, "hint", "%s", usual[i].hint);
        return NULL;
    }
    tok_next(p);
    return ast_named(p, kind, from, name);
}

/* True when e may be a size; reports the part that may not. */
static bool check_size(Parse *p, const Ast *e)
{
    bool ok = (e->kind == AST_INT && !e->suffix) || (e->kind == AST_NAME && strcmp(e->name, "_") != 0) ||
              (e->kind == AST_BINARY && nat_is_operator(e->name));
    bool power = e->kind == AST_BINARY && ast_prim(e) == PRIM_POW;
    if (!ok) return error_with_note(p, e->span, "this is no size", "needs", power ? "a name for the power: [N], and data N = 2^12 sets it"
                                                                                  : "integers, names and + - * / // % between brackets");
    return ALL(i, e->kid_count, check_size(p, e->kids[i]));
}

/* "{" name sep kid { "," name sep kid } "}", the parts of a record, to the tuple e. */
static Ast *read_record(Parse *p, Ast *e, const char *separator, Ast *(*read)(Parse *p))
{
    enum { PARTS = 64 };
    const uint32_t from = p->tok.span.from;
    const char *labels[PARTS];
    Bracket b = bracket_open(p);
    do {
        Token t = p->tok;
        const int n = e ? e->kid_count : 0;
        if (n == PARTS) return wrong(p, t.span, "a record has too many parts");
        labels[n] = tok_expect_name(p, "the name of a part");
        if (labels[n] && ANY(i, n, labels[i] == labels[n])) return wrong(p, t.span, "two parts of a record have one name");
        if (!tok_accept(p, separator))
            return unexpected(p, arena_printf(p->out->arena, "`%s` behind the name of a part", separator), tok_is(p, "with") ? meant(p) : "a part's type stands behind `:`, its value behind `=`");
        e = ast_with(p, e, read(p));
    } while (e && tok_accept(p, ","));
    if (!e || !bracket_close(p, b, "}", "`,` or `}`")) return NULL;
    if (e->kid_count < 2) return wrong(p, (Span){from, p->last}, "a record has two parts at least");
    p->records = true;
    e->labels = arena_copy(p->out->arena, labels, sizeof *labels * (size_t)e->kid_count);
    return ast_spanning(e, (Span){from, p->last});
}

static AstType *ptype(Parse *p)
{
    uint32_t from = p->tok.span.from;
    /* "[" size "]" ptype */
    if (tok_is(p, "[")) {
        if (!nest(p)) return NULL;
        AstType *t = ast_node(p, ASTTYPE_ARRAY, from);
        Bracket b = bracket_open(p);
        if (tok_is(p, "]")) return unexpected(p, "a length", "every length has a name or is a number: [N]f32");
        Ast *size = read_expr(p);
        if (!size || !check_size(p, size) || !bracket_close(p, b, "]", "`]`")) return NULL;
        if (!raise_above(p, t, size)) return NULL;
        t->size = size;
        t = ast_with(p, t, ptype(p));
        p->depth--;
        return t;
    }
    if (tok_is(p, "<")) {
        /* "<" int ">" scalar */
        tok_next(p);
        int64_t width = p->tok.ival;
        if (p->tok.kind == TOK_INT && !p->tok.suffix) tok_next(p);
        else unexpected(p, "a vector width: 2, 4, 8 or 16", NULL);
        if (!tok_expect(p, ">", "`>` behind the vector width")) return NULL;
        AstType *t = scalar(p, ASTTYPE_VECTOR, from);
        if (t) t->width = width;
        return t;
    }
    if (tok_is(p, "(")) {
        /* "(" type { "," type } ")" */
        Bracket b = bracket_open(p);
        AstType *t = read_type(p);
        if (t && tok_is(p, ",")) t = ast_with(p, ast_node(p, ASTTYPE_TUPLE, from), t);
        while (t && tok_accept(p, ",")) t = ast_with(p, t, read_type(p));
        if (!t || !bracket_close(p, b, ")", "`,` or `)` in a tuple type")) return NULL;
        return ast_spanning(t, (Span){from, p->last});
    }
    if (tok_is(p, "{")) return read_record(p, ast_node(p, ASTTYPE_TUPLE, from), ":", read_type);
    if (!tok_is_name(p, "size")) return scalar(p, ASTTYPE_SCALAR, from);
    tok_next(p);
    return ast_node(p, ASTTYPE_SIZE, from);
}

static AstType *read_type(Parse *p)
{
    if (!nest(p)) return NULL;
    AstType *t = ptype(p);
    if (t && tok_accept(p, "->")) {
        AstType *f = ast_with(p, ast_node(p, ASTTYPE_FUN, t->span.from), t);
        t = ast_with(p, f, read_type(p));
    }
    p->depth--;
    return t;
}

/* ---- patterns ---- */

static bool at_param(const Parse *p) { return p->tok.kind == TOK_NAME || tok_is(p, "_") || tok_is(p, "("); }

static AstPat *pat_name(Parse *p)
{
    uint32_t from = p->tok.span.from;
    const char *name = p->tok.text;
    if (tok_is(p, "_")) tok_next(p);
    else if (tok_is(p, ")")) return unexpected(p, "a name, `_` or a bracketed pattern", "what takes nothing has no brackets: let c = 3");
    else name = tok_expect_name(p, "a name, `_` or a bracketed pattern");
    return ast_named(p, AST_PATTERN, from, name);
}

static bool spread_allowed(Parse *p)
{
    return p->spreads || wrong(p, p->tok.span, "a spread `..` belongs to rules, not to programs");
}

static AstPat *read_pattern(Parse *p);

/* pattern [ ":" type ], and in rules also name ".." */
static AstPat *pat_part(Parse *p)
{
    AstPat *a = read_pattern(p);
    if (a && tok_accept(p, ":")) return ast_with_annot(p, a, read_type(p));
    if (!a || !a->name || !tok_is(p, "..") || !spread_allowed(p)) return a;
    tok_next(p);
    a->spread = true;
    a->span.to = p->last;
    return a;
}

/* pattern = name | "_" | "(" part { "," part } ")" */
static AstPat *read_pattern(Parse *p)
{
    uint32_t from = p->tok.span.from;
    if (!tok_is(p, "(")) return pat_name(p);
    if (!nest(p)) return NULL;
    Bracket b = bracket_open(p);
    AstPat *a = pat_part(p);
    bool annotated = a && a->annot;
    if (a && (a->spread || tok_is(p, ","))) {                  /* one alone is no tuple unless it is a spread */
        a = ast_with(p, ast_node(p, AST_PATTERN, from), a);
        while (a && tok_accept(p, ",")) a = ast_with(p, a, pat_part(p));
    }
    if (annotated && tok_is(p, "[")) return unexpected(p, "`,` or `)` behind the type", "lengths stand in front: [N]f32");
    if (a && !annotated && at_param(p)) return unexpected(p, "`,` or `)` in a pattern", "the parts of a tuple have commas, (a, b); a lambda of two is \\a b -> ...");
    if (!a || !bracket_close(p, b, ")", annotated ? "`,` or `)` behind the type" : "`,` or `)` in a pattern")) return NULL;
    p->depth--;
    return ast_spanning(a, (Span){from, p->last});
}

/* ---- atoms ---- */

static const Infix infixes[] = {
    {".", 8, ASSOC_RIGHT}, {"*", 6, ASSOC_LEFT},  {"/", 6, ASSOC_LEFT},  {"//", 6, ASSOC_LEFT},  {"%", 6, ASSOC_LEFT},
    {"+", 5, ASSOC_LEFT},  {"-", 5, ASSOC_LEFT},  {"==", 4, ASSOC_NONE}, {"!=", 4, ASSOC_NONE},  {"<", 4, ASSOC_NONE},
    {"<=", 4, ASSOC_NONE}, {">", 4, ASSOC_NONE},  {">=", 4, ASSOC_NONE}, {"&&", 3, ASSOC_RIGHT},
    {"||", 2, ASSOC_RIGHT}, {"|>", 1, ASSOC_LEFT}, {"$", 0, ASSOC_RIGHT},
};

const Infix *infix_of(const char *op)
{
    return FIRST(i, infixes, COUNT(infixes), *op == *infixes[i].text && strcmp(op, infixes[i].text) == 0);
}

static const Infix *infix_here(const Parse *p)
{
    static const Infix power = {"pow", 7, ASSOC_RIGHT};       /* typed `**` or `^`, printed pow a b */
    return p->tok.kind != TOK_OP ? NULL : !strcmp(p->tok.text, power.text) ? &power : infix_of(p->tok.text);
}

static bool at_atom(const Parse *p)
{
    switch (p->tok.kind) {
    case TOK_INT: case TOK_FLOAT: return true;
    case TOK_NAME:
        for (const char *const *s = p->stops; s && *s; s++)
            if (tok_is_name(p, *s)) return false;
        return true;
    case TOK_KEYWORD: return tok_is(p, "true") || tok_is(p, "false");
    default: return tok_is(p, "(") || tok_is(p, "_") || tok_is(p, "[") || tok_is(p, "{");
    }
}

/* One token as a node. */
static Ast *leaf(Parse *p, AstKind kind)
{
    Token t = p->tok;
    tok_next(p);
    Ast *e = ast_named(p, kind, t.span.from, kind == AST_NAME || kind == AST_OP ? t.text : NULL);
    if (!e) return NULL;
    e->ival = kind == AST_BOOL ? strcmp(t.text, "true") == 0 : t.ival;
    e->fval = t.fval;
    e->suffix = t.suffix;
    return e;
}

static Ast *spread(Parse *p, Ast *e)
{
    if (!e || !spread_allowed(p)) return NULL;
    tok_next(p);
    return ast_with(p, ast_node(p, AST_SPREAD, e->span.from), e);
}

/* expr, and in rules also a name or bracket with ".." */
static Ast *part(Parse *p)
{
    Ast *e = read_expr(p);
    if (!e || !tok_is(p, "..")) return e;
    if (p->operand == e->span.from) return spread(p, e);
    return expected(p, "`,` or `)`");
}

/* An operator between brackets with one operand, at the operator. */
static Ast *section(Parse *p, AstKind kind, uint32_t from)
{
    const char *name = p->tok.text;
    tok_next(p);
    return ast_named(p, kind, from, name);
}

/* What stands between round brackets. */
static Ast *bracketed(Parse *p, uint32_t from)
{
    bool prefix = tok_is(p, "-") || tok_is(p, "!");
    /* "(" op ")" and "(" op expr ")", behind the bracket */
    if ((infix_here(p) && !prefix) || (prefix && tok_peek_is(p, ")"))) {
        if (tok_peek_is(p, ")")) return leaf(p, AST_OP);
        Ast *e = section(p, AST_SECTION_RIGHT, from);
        return ast_with(p, e, read_expr(p));
    }
    Ast *e = part(p);
    if (!e) return NULL;
    if (e->kind == AST_SPREAD || tok_is(p, ",")) {
        e = ast_with(p, ast_node(p, AST_TUPLE, from), e);
        while (e && tok_accept(p, ",")) e = ast_with(p, e, part(p));
        return e;
    }
    if (tok_accept(p, ":")) return ast_with_annot(p, ast_with(p, ast_node(p, AST_ANNOT, from), e), read_type(p));
    if (infix_here(p) && tok_peek_is(p, ")")) {
        /* "(" expr op ")" */
        if (p->open_end)
            return error_with_note(p, p->tok.span, "this operator has no right operand", "needs",
                                   "brackets around the lambda, let or if on its left, or it would belong to that");
        return ast_with(p, section(p, AST_SECTION_LEFT, from), e);
    }
    return e;
}

static Ast *read_atom(Parse *p)
{
    if (!at_atom(p)) return expected(p, "an expression");
    if (p->tok.kind == TOK_INT) return leaf(p, AST_INT);
    if (p->tok.kind == TOK_FLOAT) return leaf(p, AST_FLOAT);
    if (p->tok.kind == TOK_KEYWORD) return leaf(p, AST_BOOL);
    if (tok_is(p, "{")) return read_record(p, ast_node(p, AST_TUPLE, p->tok.span.from), "=", read_expr);
    bool array = tok_is(p, "[");                               /* "[" expr { "," expr } "]" */
    if (!array && !tok_is(p, "(")) return leaf(p, AST_NAME);
    uint32_t from = p->tok.span.from;
    const char *close = array ? "]" : ")";
    Bracket b = bracket_open(p);
    if (tok_is(p, close))
        wrong(p, (Span){from, p->tok.span.to}, array ? "an array has one element at least" : "there is no empty tuple `()`: a function takes what stands behind it, sum x");
    Ast *e = array ? ast_with(p, ast_node(p, AST_ARRAY, from), read_expr(p)) : bracketed(p, from);
    while (array && e && tok_accept(p, ",")) e = ast_with(p, e, read_expr(p));
    if (!e || !bracket_close(p, b, close, array ? "an operator, `,` or `]`" : "an operator, `,` or `)`")) return NULL;
    return ast_spanning(e, (Span){from, p->last});
}

/* ---- expressions ---- */

/* ---- elements ---- */

enum { INDICES = 8 };

static Ast *app_of(Parse *p, Span span, const char *name, Ast *a, Ast *b, Ast *c)
{
    Ast *e = ast_spanning(ast_with(p, ast_named(p, AST_APP, span.from, NULL), ast_spanning(ast_named(p, AST_NAME, span.from,
                          intern(p->out->names, name)), span)), span);
    Ast *const kids[] = {a, b, c};
    for (int i = 0; i < 3 && kids[i]; i++) e = ast_with(p, e, kids[i]);
    return ast_spanning(e, span);
}

static bool is_all(const Ast *index) { return index->kind == AST_OP; }

/* Do all behind the first take everything? */
static bool is_last(Ast **index, int n) { return ALL(i, n - 1, is_all(index[i + 1])); }

/* Its dimensions d and d + 1 in the other order. */
static Ast *swapped(Parse *p, Ast *x, int d)
{
    if (!x) return NULL;
    Ast *f = ast_spanning(ast_named(p, AST_NAME, x->span.from, intern(p->out->names, "transpose")), x->span);
    if (d == 0) return app_of(p, x->span, "transpose", x, NULL, NULL);
    for (int i = 1; i < d; i++) f = app_of(p, x->span, "map", f, NULL, NULL);
    return app_of(p, x->span, "map", f, x, NULL);
}

/* index { "," index } "]", index = expr | ":", behind the "[" of b. Their number; 0: an error. */
static int read_indices(Parse *p, Bracket b, Ast *index[INDICES])
{
    int n = 0;
    do {
        if (n == INDICES) return wrong(p, p->tok.span, "an element has at most 8 indices") != NULL;
        index[n] = tok_is(p, ":") ? leaf(p, AST_OP) : read_expr(p);
        if (index[n] && is_all(&(Ast){.kind = index[n]->kind}) && !tok_is(p, ",") && !tok_is(p, "]"))
            return error_with_note(p, p->tok.span, "a range is no index", "hint", "the first n are take n x, all but the last init x") != NULL;
        if (index[n] && index[n]->kind == AST_UNARY && *index[n]->name == '-' && index[n]->kids[0]->kind == AST_INT)
            return error_with_note(p, index[n]->span, "no element has a negative number", "hint", "the last one is xs[length xs - 1]") != NULL;
    } while (index[n++] && tok_accept(p, ","));
    if (tok_is(p, ":"))
        error_with_note(p, p->tok.span, "a range is no index", "hint", "elements a to b-1 are take (b - a) (drop a x), or slice 1 f a b x of "
                        "bounds that are values; scatter x is vs sets many");
    return !p->failed && bracket_close(p, b, "]", "an operator, `,` or `]` behind the index") ? n : 0;
}

/* x[i, ..]: x[i][..]; x[:, j] is row j of the transposed array. */
static Ast *element(Parse *p, Span span, Ast *x, Ast **index, int n)
{
    for (int i = 0; i < n; i++) {
        int k = i;
        while (k < n && is_all(index[k])) k++;
        if (k == n) break;
        for (; k > i; k--) {
            Ast *all = index[k - 1];
            index[k - 1] = index[k];
            index[k] = all;
            x = swapped(p, x, k - 1 - i);
        }
        x = ast_spanning(ast_with(p, ast_with(p, ast_node(p, AST_AT, span.from), x), index[i]), span);
    }
    return x;
}

/* postfix = atom { "." int | "." name | "[" index { "," index } "]" } */
static Ast *read_postfix(Parse *p)
{
    uint32_t from = p->tok.span.from;
    Ast *e = read_atom(p);
    while (e && (p->tok.kind == TOK_PROJ || p->tok.kind == TOK_FIELD || p->tok.kind == TOK_INDEX)) {
        uint32_t start = e->span.from;
        if (p->tok.kind == TOK_FIELD) {
            Ast *label = ast_named(p, AST_NAME, p->tok.span.from + 1, p->tok.text);
            const Span span = {p->tok.span.from + 1, p->tok.span.to};
            tok_next(p);
            e = ast_with(p, ast_with(p, ast_named(p, AST_FIELD, start, label ? label->name : NULL), e), ast_spanning(label, span));
        } else if (p->tok.kind == TOK_PROJ) {
            int64_t component = p->tok.ival;
            tok_next(p);
            e = ast_with(p, ast_node(p, AST_PROJ, start), e);
            if (e) e->ival = component;
        } else {
            Ast *index[INDICES];
            int n = read_indices(p, bracket_open(p), index);
            e = n ? element(p, (Span){start, p->last}, e, index, n) : NULL;
        }
    }
    p->operand = from;
    return e;
}

static Ast *open_ended(Parse *p, Ast *e)
{
    p->open_end = true;
    return e;
}

/* What a let binds and its value; `let f x = e` is `let f = \x -> e`. */
static Ast *let_value(Parse *p)
{
    uint32_t from = p->tok.span.from;
    tok_next(p);
    Ast *e = ast_with_pat(p, ast_node(p, AST_LET, from), read_pattern(p));
    bool function = e && e->pats[0]->name && at_param(p);
    uint32_t params = p->tok.span.from;
    Ast *f = function ? ast_node(p, AST_LAMBDA, params) : NULL;
    while (f && at_param(p)) f = ast_with_pat(p, f, read_pattern(p));
    if (!e || (function && !f)) return NULL;
    AstType *annot = tok_accept(p, ":") ? read_type(p) : NULL;
    if (annot && !function) e = ast_with_annot(p, e, annot);
    if (tok_is(p, "[") && !function) return unexpected(p, "`=`", "an array with another element: let y = x with [i] = v in ...");
    if (p->failed || !tok_expect(p, "=", function ? "a parameter, `:` or `=`" : "`=`")) return NULL;
    Ast *value = read_expr(p);
    if (function && annot) value = ast_with_annot(p, ast_with(p, ast_node(p, AST_ANNOT, params), value), annot);
    return ast_with(p, e, function ? ast_with_body(p, f, value) : value);
}

/* x with [i, ..] = v: scatter x [i] [v]; of more indices the new element i is x[i] with the others; a `:` is behind the next index in
 * the transposed array. So patterns and rules need not know of it. An index that is no name, like x, has a name that nobody can type. */
/* generate 1 (\_ -> e) */
static Ast *one_element(Parse *p, Ast *e)
{
    if (!e) return NULL;
    Ast *one = ast_spanning(ast_named(p, AST_INT, e->span.from, NULL), e->span);
    if (!one) return NULL;
    one->ival = 1;
    Ast *f = ast_with_pat(p, ast_node(p, AST_LAMBDA, e->span.from), ast_named(p, AST_PATTERN, e->span.from, intern(p->out->names, "_")));
    return app_of(p, e->span, "generate", one, ast_spanning(ast_with(p, f, e), e->span), NULL);
}

static Ast *updated(Parse *p, Span span, Ast *x, Ast **index, int n, Ast *v)
{
    int k = 0;
    while (k < n && is_all(index[k])) k++;
    if (k == n || !x || !v) return v;
    if (k > 0) {
        Ast *all = index[k - 1];
        index[k - 1] = index[k];
        index[k] = all;
        return swapped(p, updated(p, span, swapped(p, x, k - 1), index, n, v), k - 1);
    }
    if (!is_last(index, n)) {
        Ast *at = ast_spanning(ast_with(p, ast_with(p, ast_node(p, AST_AT, span.from), x), index[0]), span);
        v = updated(p, span, at, index + 1, n - 1, v);
    }
    return app_of(p, span, "scatter", x, one_element(p, index[0]), one_element(p, v));
}

/* e, or a name for it, which the let around what is made gives it: a let is added to *lets. */
static Ast *named_once(Parse *p, Ast *e, Ast **lets, int *count)
{
    if (!e || e->kind == AST_NAME || e->kind == AST_INT || e->kind == AST_OP) return e;
    const char *name = intern(p->out->names, arena_printf(p->out->arena, "%d", *count));
    Ast *pat = ast_spanning(ast_named(p, AST_PATTERN, e->span.from, name), e->span);
    lets[(*count)++] = ast_with(p, ast_with_pat(p, ast_node(p, AST_LET, e->span.from), pat), e);
    return ast_spanning(ast_named(p, AST_NAME, e->span.from, name), e->span);
}

/* postfix "with" "[" index { "," index } "]" "=" expr, index = expr | ":", at the with */
static Ast *read_update(Parse *p, Ast *x)
{
    Ast *index[INDICES], *lets[INDICES + 1];
    int count = 0;
    tok_next(p);
    int n = read_indices(p, bracket_open(p), index);
    if (n && tok_is(p, "[")) return unexpected(p, "`=` and the new value", "indices stand together: x with [i, j] = v");
    if (!n || !tok_expect(p, "=", "`=` and the new value")) return NULL;
    Ast *v = read_expr(p);
    if (!v) return NULL;
    Span span = {x->span.from, p->last};
    int first = 0;
    while (first < n - 1 && is_all(index[first])) first++;
    if (!is_last(index + first, n - first)) x = named_once(p, x, lets, &count);
    for (int i = first; !is_last(index + i, n - i); i++) index[i] = named_once(p, index[i], lets, &count);
    Ast *e = updated(p, span, x, index, n, v);
    while (count > 0 && e) e = ast_with(p, lets[--count], e);
    return ast_spanning(e, span);
}

/* What may stand beside an operator of the given level. */
static Ast *operand(Parse *p, int lowest)
{
    /* "\" param { param } "->" expr */
    if (tok_is(p, "\\")) {
        uint32_t from = p->tok.span.from;
        tok_next(p);
        Ast *e = ast_with_pat(p, ast_node(p, AST_LAMBDA, from), read_pattern(p));
        while (e && at_param(p)) e = ast_with_pat(p, e, read_pattern(p));
        if (!e || !tok_expect(p, "->", "a parameter or `->`")) return NULL;
        return open_ended(p, ast_with_body(p, e, read_expr(p)));
    }
    /* "let" ( pattern | name param { param } ) [ ":" type ] "=" expr [ "in" ] expr */
    if (tok_is(p, "let")) {
        Ast *e = let_value(p);
        bool line = tok_is(p, "let") && p->tok.span.from && p->source->text[p->tok.span.from - 1] == '\n';
        if (line && !p->line_let) p->line_let = 1 + p->tok.span.from;
        if (!e || tok_is(p, "let") || tok_accept(p, "in")) return e ? open_ended(p, ast_with(p, e, read_expr(p))) : NULL;
        bool ends = p->tok.kind == TOK_END;
        expected(p, "an operator, `in` or the next `let`");
        int at, column;
        source_position(p->source, p->line_let ? p->line_let - 1 : e->span.from, &at, &column);
        if (ends) diag_note(p->out->diag, "hint", p->line_let ? "is an `in` missing before the `let` of line %d?" : "the `let` of line %d has no `in`", at);
        return NULL;
    }
    /* "if" expr "then" expr "else" expr */
    if (tok_is(p, "if")) {
        uint32_t from = p->tok.span.from;
        tok_next(p);
        Ast *e = ast_with(p, ast_node(p, AST_IF, from), read_expr(p));
        if (!e || !tok_expect(p, "then", "an operator or `then`")) return NULL;
        e = ast_with(p, e, read_expr(p));
        if (e && !tok_is(p, "else")) return unexpected(p, "an operator or `else`", "an `if` is a value and has an `else`; a further case is `else if`");
        if (!e) return NULL;
        tok_next(p);
        return open_ended(p, ast_with(p, e, read_expr(p)));
    }
    if (lowest <= LEVEL_PREFIX && (tok_is(p, "-") || tok_is(p, "!"))) {
        Token op = p->tok;
        tok_next(p);
        Ast *e = ast_named(p, AST_UNARY, op.span.from, op.text);
        if (e) e->ival = tok_is(p, "(");
        return ast_with(p, e, read_level(p, LEVEL_PREFIX));
    }
    /* app = postfix { postfix }; in rules a spread is an argument too */
    Ast *e = read_postfix(p);
    if (e && e->kind != AST_APP && at_atom(p)) e = ast_with(p, ast_node(p, AST_APP, e->span.from), e);
    while (e && at_atom(p)) {
        Ast *argument = read_postfix(p);
        e = ast_with(p, e, tok_is(p, "..") ? spread(p, argument) : argument);
    }
    /* What follows an application but could only be meant as one more argument. */
    const char *what = tok_is(p, "\\")         ? "a lambda as an argument needs brackets"
                     : tok_is(p, "if") ? "an `if` as an argument needs brackets"
                     : tok_is(p, "!")          ? "an argument that starts with `!` needs brackets" : NULL;
    if (e && tok_is(p, "with") && tok_peek_is(p, "[")) return open_ended(p, read_update(p, e));
    return !e || !what ? e : error_with_note(p, p->tok.span, what, "hint", meant(p));
}

static Ast *read_level(Parse *p, int lowest)
{
    if (!nest(p)) return NULL;
    Ast *e = operand(p, lowest);
    const Infix *op;
    while (e && (op = infix_here(p)) && op->level >= lowest && !tok_peek_is(p, ")")) {
        const char *name = p->tok.text;
        tok_next(p);
        Ast *right = read_level(p, op->assoc == ASSOC_RIGHT ? op->level : op->level + 1);
        Ast *x = right ? ast_with(p, ast_with(p, ast_named(p, AST_BINARY, e->span.from, name), e), right) : NULL;
        const Infix *again = infix_here(p);
        bool chained = x && op->assoc == ASSOC_NONE && again && again->level == op->level;
        if (chained) error_with_note(p, p->tok.span, "comparisons do not chain", "hint", "a < b && b < c, or with ||");
        e = p->failed ? NULL : x;
    }
    p->depth--;
    return e;
}

/* ---- rules ---- */

static const char *const stop_when[] = {"when", NULL};
static const char *const stop_cond[] = {"and", "divides", NULL};
static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">="};

/* How the arguments behind a condition's word are read. */
typedef enum CondForm { FORM_VALUES, FORM_SIZE, FORM_PRIM } CondForm;

typedef struct CondWord { const char *text, *takes; CondKind kind; CondForm form; int least, most; PropKind prop; } CondWord;

static const CondWord cond_words[] = {
    {"associative", "f", COND_ASSOCIATIVE, FORM_VALUES, 1, 1, PROP_ASSOCIATIVE},
    {"commutative", "f", COND_COMMUTATIVE, FORM_VALUES, 1, 1, PROP_COMMUTATIVE},
    {"neutral", "z f", COND_NEUTRAL, FORM_VALUES, 2, 2, PROP_NEUTRAL},
    {"restarts", "z f", COND_RESTARTS, FORM_VALUES, 2, 2, PROP_RESTARTS}, {"constant", "n", COND_CONSTANT, FORM_SIZE, 1, 1, 0},
    {"rescales", "e f [g z]", COND_RESCALES, FORM_VALUES, 2, 4, 0}, {"atomic", "f", COND_ATOMIC, FORM_VALUES, 1, 1, 0},
    {"computes", "f", COND_COMPUTES, FORM_VALUES, 1, 1, 0}, {"layout", "f", COND_LAYOUT, FORM_VALUES, 1, 1, 0},
    {"repeats", "f", COND_REPEATS, FORM_VALUES, 1, 1, 0}, {"identity", "f", COND_IDENTITY, FORM_VALUES, 1, 1, 0},
    {"shares", "x y", COND_SHARES, FORM_VALUES, 2, 2, 0}, {"scalar", "x", COND_SCALAR, FORM_VALUES, 1, 1, 0},
    {"under", "mapSeq", COND_UNDER, FORM_PRIM, 0, 1, 0}, {"contains", "mapSeq f", COND_CONTAINS, FORM_PRIM, 1, 2, 0},
    {"indexes", "i x", COND_INDEXES, FORM_VALUES, 2, 2, 0}, {"finite", "x", COND_FINITE, FORM_VALUES, 1, 1, 0},
    {"image", "x", COND_IMAGE, FORM_VALUES, 1, 1, 0}, {"imageOut", "x", COND_IMAGE_OUT, FORM_VALUES, 1, 1, 0},
};

const char *parse_condition_word(int i, const char **takes)
{
    if (i >= COUNT(cond_words)) return NULL;
    *takes = cond_words[i].takes;
    return cond_words[i].text;
}

static bool cond_add(Parse *p, AstCond *c, Ast *argument)
{
    if (argument) ADD(p, c->args, c->arg_count, argument);
    return argument != NULL;
}

/* The word of a condition, unless it is a size of that name: `scalar divides n`. */
static const CondWord *cond_word(const Parse *p)
{
    for (int i = 0; i < COUNT(cond_words); i++) {
        if (!tok_is_name(p, cond_words[i].text)) continue;
        Parse ahead = *p;
        ahead.tok = tok_peek(p, &ahead.offset);
        return infix_here(&ahead) || tok_is_name(&ahead, "divides") ? NULL : &cond_words[i];
    }
    return NULL;
}

/* size "divides" size | size cmp size | name "(" args ")" */
static bool cond_sizes(Parse *p, AstCond *c)
{
    /* name "(" ")" */
    uint32_t offset = p->offset;
    Token open = tok_peek(p, &offset), close = tok_peek(p, &offset);
    if (p->tok.kind == TOK_NAME && open.kind == TOK_OP && close.kind == TOK_OP && strcmp(open.text, "(") == 0
        && strcmp(close.text, ")") == 0) {
        c->kind = COND_CALL;
        c->name = p->tok.text;
        for (int i = 0; i < 3; i++) tok_next(p);
        return true;
    }
    Ast *left = read_level(p, LEVEL_SUM);
    if (!left) return false;
    if (!tok_is_name(p, "divides") && !ANY(i, COUNT(comparisons), tok_is(p, comparisons[i]))) {
        /* name "(" args ")" was read as the application of a name to a bracket: take it apart again. */
        const Ast *last = left->kind == AST_APP ? left->kids[left->kid_count - 1] : left;
        for (int i = 0; i < COUNT(cond_words); i++) {
            if (last->kind != AST_NAME || strcmp(last->name, cond_words[i].text)) continue;
            return error_with_note(p, left->span, "the word of a condition stands in front", "hint",
                                   arena_printf(p->out->arena, "%s %s", last->name, cond_words[i].form == FORM_PRIM ? "mapSeq" : "f"));
        }
        bool call = left->kind == AST_APP && left->kid_count == 2 && left->kids[0]->kind == AST_NAME
                 && p->source->text[left->kids[1]->span.from] == '(';
        if (!call) {
            expected(p, "`divides`, a comparison or an operator");
            diag_note(p->out->diag, "hint", "a condition: n divides (length x), n < k, associative f, commutative f ... (help rules)");
            return false;
        }
        c->kind = COND_CALL;
        c->name = left->kids[0]->name;
        if (left->kids[1]->kind != AST_TUPLE) return cond_add(p, c, left->kids[1]);
        c->args = left->kids[1]->kids;
        c->arg_count = left->kids[1]->kid_count;
        return true;
    }
    c->kind = tok_is_name(p, "divides") ? COND_DIVIDES : COND_COMPARE;
    c->name = c->kind == COND_COMPARE ? p->tok.text : NULL;
    tok_next(p);
    return cond_add(p, c, left) && cond_add(p, c, read_level(p, LEVEL_SUM));
}

/* "when" cond { "and" cond } */
static bool when(Parse *p, AstRule *r)
{
    r->cond_text = p->tok.span;
    p->stops = stop_cond;
    do {
        tok_next(p);
        /* cond = [ "not" ] ( ... ) */
        AstCond *k = MAKE(p->out->arena, AstCond, .span = p->tok.span, .negated = tok_is_name(p, "not"));
        if (k->negated) tok_next(p);
        const CondWord *w = cond_word(p);
        if (w) {
            k->kind = w->kind;
            k->prop = w->prop;
            tok_next(p);
            if (w->form == FORM_PRIM && !(k->name = tok_expect_name(p, "the name of a primitive"))) return false;
        } else if (!cond_sizes(p, k)) {
            return false;
        }
        while (w && k->arg_count < w->most && (k->arg_count < w->least || (at_atom(p) && !tok_is_name(p, "and"))))
            if (!cond_add(p, k, w->form == FORM_SIZE ? read_level(p, LEVEL_SUM) : read_postfix(p))) return false;
        k->span.to = p->last;
        ADD(p, r->conds, r->cond_count, k);
    } while (tok_is_name(p, "and"));
    r->cond_text.to = p->last;
    return !p->failed;
}

/* [ "(" param { "," param } ")" ], param = name [ ":" kind ] */
static bool rule_params(Parse *p, AstRule *r)
{
    if (!tok_is(p, "(")) return !p->failed;
    Bracket b = bracket_open(p);
    do {
        const char *name = tok_expect_name(p, "the name of a rule parameter"), *kind = NULL;
        if (name && tok_accept(p, ":")) {
            kind = p->tok.text;
            if (p->tok.kind == TOK_NAME && static_kind_from_name(kind) >= 0) tok_next(p);
            else unexpected(p, "a parameter kind: size, dim, width, perm or mode", NULL);
        }
        int kinds = r->param_count;
        ADD(p, r->kinds, kinds, kind);
        ADD(p, r->params, r->param_count, name);
    } while (tok_accept(p, ","));
    return !p->failed && bracket_close(p, b, ")", "`,` or `)` in the rule's parameters");
}

/* Below a, `inline e` as an argument becomes e, which is marked. */
static void take_inlined(Ast *a)
{
    for (int i = 0; i < a->kid_count; i++) {
        Ast *k = a->kids[i];
        bool inlined = i > 0 && a->kind == AST_APP && k->kind == AST_APP && k->kid_count == 2 && k->kids[0]->kind == AST_NAME
            && strcmp(k->kids[0]->name, "inline") == 0;
        if (inlined) {
            a->kids[i] = k->kids[1];
            a->kids[i]->inlined = true;
        }
        take_inlined(a->kids[i]);
    }
}

/* ---- declarations ---- */

/* "with" prop { prop }, prop = [ "assumed" ] ("associative" | "commutative" | "neutral" atom) */
static bool with_props(Parse *p, AstDecl *d)
{
    static const char *const words[] = {"associative", "commutative", "neutral"};
    static const PropKind kinds[] = {PROP_ASSOCIATIVE, PROP_COMMUTATIVE, PROP_NEUTRAL};
    tok_next(p);
    do {
        bool assumed = p->tok.kind == TOK_NAME && !strcmp(p->tok.text, "assumed");
        if (assumed) tok_next(p);
        int i = p->tok.kind == TOK_NAME ? text_index(words, COUNT(words), p->tok.text) : -1;
        if (i < 0) return expected(p, assumed ? "what is assumed: associative, commutative or neutral VALUE"
                                              : "a property: [assumed] associative, commutative or neutral VALUE");
        if (d->props & kinds[i]) return wrong(p, p->tok.span, "this property was already given");
        d->props |= kinds[i];
        if (assumed) d->assumed |= kinds[i];
        tok_next(p);
        if (kinds[i] == PROP_NEUTRAL) d->neutral = read_atom(p);
    } while (!p->failed && p->tok.kind == TOK_NAME);
    return !p->failed;
}

/* [ "let" ] name { param } [ ":" type ] "=" expr [ "with" prop { prop } ] */
static AstDecl *declaration(Parse *p)
{
    uint32_t from = p->tok.span.from;
    AstDecl *d = NEW(p->out->arena, AstDecl);
    p->records = false;
    tok_accept(p, "let");
    d->name_span = p->tok.span;
    d->name = tok_expect_name(p, "the name of a declaration");
    while (d->name && at_param(p)) {
        AstPat *a = read_pattern(p);
        if (!a) return NULL;
        ADD(p, d->params, d->param_count, a);
    }
    if (p->failed) return NULL;
    if (tok_accept(p, ":")) d->result = read_type(p);
    else if (tok_is(p, "->"))
        return unexpected(p, "a parameter, `:` or `=`", "the type of a result stands behind a colon: f (x: f32): f32 = ...");
    if (!tok_expect(p, "=", d->result ? "`=` behind the type" : "a parameter, `:` or `=`")) return NULL;
    d->body = read_expr(p);
    if (d->body && d->body->kind == AST_LAMBDA && d->param_count > 0 && !d->result) {     /* let f x = \y -> e is let f x y = e */
        for (int i = 0; i < d->body->pat_count; i++) ADD(p, d->params, d->param_count, d->body->pats[i]);
        d->body = d->body->kids[0];
    }
    if (!d->body || (tok_is(p, "with") && !with_props(p, d))) return NULL;
    d->span = (Span){from, p->last};
    d->records = p->records;
    return d;
}

/* ---- entry points ---- */

static Parse start(Parser *out, const Source *s)
{
    Parse p = {.out = out, .source = s};
    out->at_end = false;
    if (s->len <= SOURCE_MAX) tok_next(&p);
    else if (stop(&p)) diag_error(out->diag, E08, "%s is too long: more than %d bytes", s->name, SOURCE_MAX);
    p.last = p.tok.span.from;
    return p;
}

/* The whole text must be used up. */
static bool ended(Parse *p, const char *what) { return p->tok.kind == TOK_END ? !p->failed : expected(p, what) != NULL; }

AstFile *parse_file(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    AstFile *f = NEW(out->arena, AstFile);
    f->source = s;
    while (p.tok.kind != TOK_END) {
        if (tok_is(&p, "param")) {                             /* "param" name { "," name } */
            do {
                tok_next(&p);
                const char *name = tok_expect_name(&p, "the name of a tuning parameter");
                if (!name) return NULL;
                ADD(&p, f->params, f->param_count, name);
            } while (tok_is(&p, ","));
            continue;
        }
        /* What follows a complete declaration and is no new one belongs to an expression that went wrong. */
        if (!tok_is(&p, "let")) return expected(&p, f->decl_count ? "an operator, `with`, `let` or `param`" : "`let` or `param`");
        AstDecl *d = declaration(&p);
        if (!d) return NULL;
        ADD(&p, f->decls, f->decl_count, d);
    }
    return p.failed ? NULL : f;
}

AstDecl *parse_decl(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    AstDecl *d = declaration(&p);
    return d && ended(&p, "an operator, `with` or the end of the declaration") ? d : NULL;
}

Ast *parse_expr(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    p.spreads = true;
    Ast *e = read_expr(&p);
    return e && ended(&p, "an operator or the end of the expression") ? e : NULL;
}

/* Has it a composition of two names? */
static bool cuts_functions(const Ast *a)
{
    bool cut = a->kind == AST_BINARY && !strcmp(a->name, ".") && ALL(i, 2, a->kids[i]->kind == AST_NAME);
    return cut || ANY(i, a->kid_count, cuts_functions(a->kids[i]));
}

/* [ "rule" ] name [ params ] ":" expr ( "=>" | "<=>" ) expr [ "when" conds ] */
AstRule *parse_rule(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    uint32_t offset = p.offset, from = p.tok.span.from;
    p.spreads = true;
    if (tok_is_name(&p, "rule") && tok_peek(&p, &offset).kind != TOK_OP) tok_next(&p);
    AstRule *r = MAKE(out->arena, AstRule, .source = s, .name = tok_expect_name(&p, "the name of a rule"));
    if (!r->name || !rule_params(&p, r) || !tok_expect(&p, ":", "`:` behind the rule's name and parameters")) return NULL;
    p.stops = stop_when;
    r->lhs = read_expr(&p);
    r->both_ways = tok_is(&p, "<=>");
    if (!r->lhs || !(tok_accept(&p, "<=>") || tok_expect(&p, "=>", "an operator, `=>` or `<=>`"))) return NULL;
    r->rhs = read_expr(&p);
    r->cuts = cuts_functions(r->lhs);
    if (r->rhs) take_inlined(r->rhs);
    const Ast *called = r->rhs && r->rhs->kind == AST_APP && r->rhs->kid_count == 2 ? r->rhs->kids[0] : NULL;
    for (RuleElements e = ELEMENTS_OF; e < ELEMENTS_COUNT; e++)
        if (called && called->kind == AST_NAME && !strcmp(called->name, elements_word(e))) r->elements = e;
    if (r->elements) r->rhs = r->rhs->kids[1];
    if (!r->rhs || (tok_is_name(&p, "when") && !when(&p, r))) return NULL;
    r->span = (Span){from, p.last};
    return ended(&p, r->cond_count ? "`and` or the end of the rule" : "an operator, `when` or the end of the rule") ? r : NULL;
}

AstType *parse_type(Parser *out, const Source *s)
{
    Parse p = start(out, s);
    AstType *t = read_type(&p);
    return t && ended(&p, "`->` or the end of the type") ? t : NULL;
}
