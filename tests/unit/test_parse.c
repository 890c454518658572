/* test_parse: what the language reads, as S-expressions; where errors stand; that no text at all does harm. */
#include <ctype.h>

#include "unit.h"
#include "scalars.h"
#include "syntax.h"

/* ---- a parser with everything it needs, and the text it last dumped ---- */

typedef struct Fixture {
    Parser parser;
    Diag diag;
    Source source;
    Buf out;
} Fixture;

static int setup(void **state)
{
    Fixture *f = mem_alloc(sizeof *f);
    f->diag = diag_new();
    f->parser = (Parser){arena_new(), interns_new(), &f->diag, false};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    arena_free(f->parser.arena);
    interns_free(f->parser.names);
    diag_free(&f->diag);
    buf_free(&f->out);
    free(f);
    return 0;
}

static const Source *source(Fixture *f, const char *text, size_t len)
{
    arena_reset(f->parser.arena);
    diag_clear(&f->diag);
    buf_clear(&f->out);
    f->source = (Source){"test", text, len};
    return &f->source;
}

/* ---- dumps ---- */

static void dump(Buf *b, const Ast *e);
static void dump_type(Buf *b, const AstType *t);

static void dump_pat(Buf *b, const AstPat *a)
{
    if (a->name) buf_puts(b, a->name);
    else buf_putc(b, '(');
    for (int i = 0; i < a->kid_count; i++) {
        if (i) buf_putc(b, ' ');
        dump_pat(b, a->kids[i]);
    }
    if (!a->name) buf_putc(b, ')');
    if (a->spread) buf_puts(b, "..");
    if (a->annot) buf_putc(b, ':');
    if (a->annot) dump_type(b, a->annot);
}

static void dump_types(Buf *b, const char *head, const AstType *t)
{
    buf_printf(b, "(%s", head);
    for (int i = 0; i < t->kid_count; i++) {
        buf_putc(b, ' ');
        dump_type(b, t->kids[i]);
    }
    buf_putc(b, ')');
}

static void dump_type(Buf *b, const AstType *t)
{
    switch (t->kind) {
    case ASTTYPE_SCALAR: buf_puts(b, t->name); break;
    case ASTTYPE_VECTOR: buf_printf(b, "<%d>%s", (int)t->width, t->name); break;
    case ASTTYPE_SIZE: buf_puts(b, "size"); break;
    case ASTTYPE_TUPLE: dump_types(b, ",", t); break;
    case ASTTYPE_FUN: dump_types(b, "->", t); break;
    case ASTTYPE_ARRAY:
        buf_putc(b, '[');
        dump(b, t->size);
        buf_putc(b, ']');
        dump_type(b, t->kids[0]);
        break;
    default: fail_msg("no type");
    }
}

static const char *suffix_text(int suffix) { return suffix == SUFFIX_NONE ? "" : scalar_name((Scalar)(suffix - 1)); }

/* The word behind the bracket of a node with kids. */
static void dump_head(Buf *b, const Ast *e)
{
    switch (e->kind) {
    case AST_LAMBDA: buf_putc(b, '\\'); break;
    case AST_LET: buf_puts(b, "let"); break;
    case AST_IF: buf_puts(b, "if"); break;
    case AST_TUPLE: buf_putc(b, ','); break;
    case AST_PROJ: buf_printf(b, ".%d", (int)e->ival); break;
    case AST_AT: buf_puts(b, "[]"); break;
    case AST_ARRAY: buf_puts(b, "[,]"); break;
    case AST_BINARY: buf_puts(b, e->name); break;
    case AST_UNARY: buf_printf(b, "%s_", e->name); break;
    case AST_SECTION_LEFT: buf_printf(b, "left%s", e->name); break;
    case AST_SECTION_RIGHT: buf_printf(b, "right%s", e->name); break;
    case AST_ANNOT: buf_putc(b, ':'); break;
    case AST_SPREAD: buf_puts(b, ".."); break;
    default: break;
    }
}

static void dump_inner(Buf *b, const Ast *e)
{
    buf_putc(b, '(');
    dump_head(b, e);
    for (int i = 0; i < e->pat_count; i++) {
        buf_putc(b, ' ');
        dump_pat(b, e->pats[i]);
    }
    if (e->annot) buf_putc(b, ' ');
    if (e->annot) dump_type(b, e->annot);
    for (int i = 0; i < e->kid_count; i++) {
        if (i || e->kind != AST_APP) buf_putc(b, ' ');
        dump(b, e->kids[i]);
    }
    buf_putc(b, ')');
}

static void dump(Buf *b, const Ast *e)
{
    switch (e->kind) {
    case AST_NAME: buf_puts(b, e->name); break;
    case AST_INT: buf_printf(b, "%lld%s", (long long)e->ival, suffix_text(e->suffix)); break;
    case AST_FLOAT: buf_printf(b, "%.17g%s", e->fval, suffix_text(e->suffix)); break;
    case AST_BOOL: buf_puts(b, e->ival ? "true" : "false"); break;
    case AST_OP: buf_printf(b, "{%s}", e->name); break;
    default: dump_inner(b, e);
    }
}

static void dump_cond(Buf *b, const AstCond *c)
{
    static const char *const kinds[] = {"divides", "compare", "constant", "associative", "commutative", "neutral", "restarts",
                                        "rescales", "atomic", "computes", "layout", "repeats", "identity", "shares", "indexes", "scalar", "finite", "image", "imageOut", "under", "contains", "call"};
    buf_printf(b, " (%s%s%s%s", c->negated ? "not " : "", kinds[c->kind], c->name ? " " : "", c->name ? c->name : "");
    for (int i = 0; i < c->arg_count; i++) {
        buf_putc(b, ' ');
        dump(b, c->args[i]);
    }
    buf_putc(b, ')');
}

/* ---- every node lies inside its parent and below its height ---- */

static void check_inside(Span outer, int height, Span inner, int inner_height)
{
    assert_true(outer.from <= inner.from && inner.from < inner.to && inner.to <= outer.to);
    assert_true(inner_height >= 1 && inner_height < height && height <= AST_DEPTH);
}

static void check_tree(const Ast *e);

static void check_type(const AstType *t)
{
    if (t->size) check_inside(t->span, t->height, t->size->span, t->size->height);
    if (t->size) check_tree(t->size);
    for (int i = 0; i < t->kid_count; i++) {
        check_inside(t->span, t->height, t->kids[i]->span, t->kids[i]->height);
        check_type(t->kids[i]);
    }
}

static void check_pat(const AstPat *a)
{
    assert_true(a->name ? a->kid_count == 0 : a->kid_count >= 1);
    if (a->annot) check_inside(a->span, a->height, a->annot->span, a->annot->height);
    if (a->annot) check_type(a->annot);
    for (int i = 0; i < a->kid_count; i++) {
        check_inside(a->span, a->height, a->kids[i]->span, a->kids[i]->height);
        check_pat(a->kids[i]);
    }
}

static void check_tree(const Ast *e)
{
    assert_true(e->kind != AST_APP || (e->kid_count >= 2 && e->kids[0]->kind != AST_APP));
    if (e->annot) check_inside(e->span, e->height, e->annot->span, e->annot->height);
    if (e->annot) check_type(e->annot);
    for (int i = 0; i < e->pat_count; i++) {
        check_inside(e->span, e->height, e->pats[i]->span, e->pats[i]->height);
        check_pat(e->pats[i]);
    }
    for (int i = 0; i < e->kid_count; i++) {
        check_inside(e->span, e->height, e->kids[i]->span, e->kids[i]->height);
        check_tree(e->kids[i]);
    }
}

static void check_decl(const AstDecl *d)
{
    for (int i = 0; i < d->param_count; i++) check_pat(d->params[i]);
    if (d->result) check_type(d->result);
    check_tree(d->body);
    assert_int_equal((d->props & PROP_NEUTRAL) != 0, d->neutral != NULL);
}

static void check_rule(const AstRule *r)
{
    check_tree(r->lhs);
    check_tree(r->rhs);
    for (int i = 0; i < r->cond_count; i++)
        for (int k = 0; k < r->conds[i]->arg_count; k++) check_tree(r->conds[i]->args[k]);
}

/* ---- reading one text, by what it is ---- */

/* e expression, t type, d declaration, r rule, f file. The dump lands in f->out. False after an error. */
static bool read_decl(Fixture *f, const AstDecl *d)
{
    if (!d) return false;
    check_decl(d);
    buf_printf(&f->out, "(%s", d->name);
    for (int i = 0; i < d->param_count; i++) {
        buf_putc(&f->out, ' ');
        dump_pat(&f->out, d->params[i]);
    }
    if (d->result) buf_puts(&f->out, " : ");
    if (d->result) dump_type(&f->out, d->result);
    buf_puts(&f->out, " = ");
    dump(&f->out, d->body);
    if (d->props) buf_printf(&f->out, " with %u", d->props);
    if (d->neutral) buf_putc(&f->out, ' ');
    if (d->neutral) dump(&f->out, d->neutral);
    buf_putc(&f->out, ')');
    return true;
}

static bool read_rule(Fixture *f, const AstRule *r)
{
    if (!r) return false;
    check_rule(r);
    buf_printf(&f->out, "(%s", r->name);
    for (int i = 0; i < r->param_count; i++) {
        buf_printf(&f->out, " %s", r->params[i]);
        if (r->kinds[i]) buf_printf(&f->out, ":%s", r->kinds[i]);
    }
    buf_puts(&f->out, " : ");
    dump(&f->out, r->lhs);
    buf_puts(&f->out, r->both_ways ? " <=> " : " => ");
    dump(&f->out, r->rhs);
    for (int i = 0; i < r->cond_count; i++) dump_cond(&f->out, r->conds[i]);
    buf_putc(&f->out, ')');
    return true;
}

static bool read_file(Fixture *f, const AstFile *file)
{
    for (int i = 0; file && i < file->decl_count; i++) read_decl(f, file->decls[i]);
    return file != NULL;
}

static bool read_expr(Fixture *f, const Ast *e)
{
    if (!e) return false;
    check_tree(e);
    dump(&f->out, e);
    return true;
}

static bool read_type(Fixture *f, const AstType *t)
{
    if (!t) return false;
    check_type(t);
    dump_type(&f->out, t);
    return true;
}

static bool read_bytes(Fixture *f, char what, const char *text, size_t len)
{
    const Source *s = source(f, text, len);
    bool ok = what == 'e'   ? read_expr(f, parse_expr(&f->parser, s))
              : what == 't' ? read_type(f, parse_type(&f->parser, s))
              : what == 'd' ? read_decl(f, parse_decl(&f->parser, s))
              : what == 'r' ? read_rule(f, parse_rule(&f->parser, s))
                            : read_file(f, parse_file(&f->parser, s));
    assert_int_equal(ok, !diag_failed(&f->diag));
    assert_true(f->diag.span.from <= f->diag.span.to && f->diag.span.to <= len);
    if (ok) assert_false(f->parser.at_end);
    return ok;
}

static bool read_text(Fixture *f, char what, const char *text) { return read_bytes(f, what, text, strlen(text)); }

typedef struct Case { const char *text, *want; } Case;

static void same(Fixture *f, char what, const Case *cases, int count)
{
    for (int i = 0; i < count; i++) {
        if (!read_text(f, what, cases[i].text)) fail_with(&f->diag, cases[i].text);
        assert_string_equal(buf_text(&f->out), cases[i].want);
    }
}

/* ---- tokens ---- */

static void tokens(Fixture *f, const char *text, Buf *out)
{
    static const char *const kinds[] = {"end", "error", "name", "int", "float", "proj", "field", "index", "op", "keyword"};
    const Source *s = source(f, text, strlen(text));
    uint32_t offset = 0;
    buf_clear(out);
    for (Token t = {.kind = TOK_NAME}; t.kind != TOK_END;) {
        t = lex_token(s, &offset, f->parser.names, NULL);
        if (t.kind == TOK_END) break;
        buf_printf(out, "%s%s:", out->len ? " " : "", kinds[t.kind]);
        buf_write(out, text + t.span.from, t.span.to - t.span.from);
    }
}

static void test_tokens(void **state)
{
    static const Case cases[] = {
        {"", ""},
        {" # x\n\t\r\n#", ""},
        {"p.0.1", "name:p proj:.0 proj:.1"},
        {"f . g z.re.im (f x).y w[0].z .g", "name:f op:. name:g name:z field:.re field:.im op:( name:f name:x op:) field:.y name:w "
         "index:[ int:0 op:] field:.z op:. name:g"},
        {"(x).0", "op:( name:x op:) proj:.0"},
        {"w[0].1[2]", "name:w index:[ int:0 op:] proj:.1 index:[ int:2 op:]"},
        {"w [0]", "name:w op:[ int:0 op:]"},
        {"xs..", "name:xs op:.."},
        {"p.0..", "name:p proj:.0 op:.."},
        {"1.5.x", "float:1.5 op:. name:x"},
        {"1.5 1e-3 2.0e6 3i64 1.5f64", "float:1.5 float:1e-3 float:2.0e6 int:3i64 float:1.5f64"},
        {"1.f 1..", "int:1 op:. name:f int:1 op:.."},
        {"1.5.2", "float:1.5 error:.2"},
        {"x .5", "name:x error:.5"},
        {"true.0", "keyword:true error:.0"},
        {"12abc p.0x 1e", "error:12abc name:p error:.0x error:1e"},
        {"let letx _ _x x_1", "keyword:let name:letx op:_ name:_x name:x_1"},
        {"in if then else with param false rule when", "keyword:in keyword:if keyword:then keyword:else keyword:with "
         "keyword:param keyword:false name:rule name:when"},
        {"<=><=>=!=->=>|>//||&&->", "op:<=> op:<=> op:= op:!= op:-> op:=> op:|> op:// op:|| op:&& op:->"},
        {"\xce\xbbx\xe2\x86\x92" "f\xe2\x88\x98g", "op:\xce\xbb name:x op:\xe2\x86\x92 name:f op:\xe2\x88\x98 name:g"},
        {"\xef\xbb\xbf" "x", "name:x"},
        {"& | '", "error:& error:| error:'"},
        {"\xff\xc3\xa9\xc3", "error:\xff error:\xc3\xa9 error:\xc3"},
        {"\xed\xa0\x80", "error:\xed error:\xa0 error:\x80"},
        {"...", "error:..."},
        {"9223372036854775807 9223372036854775808", "int:9223372036854775807 error:9223372036854775808"},
        {"x#)\n.0", "name:x error:.0"},
    };
    Buf out = {0};
    for (int i = 0; i < COUNT(cases); i++) {
        tokens(*state, cases[i].text, &out);
        assert_string_equal(buf_text(&out), cases[i].want);
    }
    buf_free(&out);
}

static void test_unicode_equals_ascii(void **state)
{
    Fixture *f = *state;
    assert_true(read_text(f, 'e', "\xce\xbbx \xe2\x86\x92 f \xe2\x88\x98 g $ x"));
    assert_string_equal(buf_text(&f->out), "(\\ x ($ (. f g) x))");
}

/* ---- expressions ---- */

static void test_precedence(void **state)
{
    static const Case cases[] = {
        {"f p.0 w[i]", "(f (.0 p) ([] w i))"},                          /* 10 */
        {"p.0.1[2][3].4", "(.4 ([] ([] (.1 (.0 p)) 2) 3))"},
        {"(f x).0", "(.0 (f x))"},
        {"w[i + 1]", "([] w (+ i 1))"},
        {"f x y z", "(f x y z)"},                                       /* 9 */
        {"(f x) y", "(f x y)"},
        {"((f x) y) z w", "(f x y z w)"},
        {"f (g x) y", "(f (g x) y)"},
        {"f . g . h", "(. f (. g h))"},                                 /* 8 */
        {"f x . g y $ z", "($ (. (f x) (g y)) z)"},
        {"- f x", "(-_ (f x))"},                                        /* 7 */
        {"- f . g", "(-_ (. f g))"},
        {"-a * b", "(* (-_ a) b)"},
        {"a * -b", "(* a (-_ b))"},
        {"- - a", "(-_ (-_ a))"},
        {"f -1", "(- f 1)"},
        {"f (-1)", "(f (-_ 1))"},
        {"f [1, a + b] [c]", "(f ([,] 1 (+ a b)) ([,] c))"},
        {"[[1], [2]][0] - 1", "(- ([] ([,] ([,] 1) ([,] 2)) 0) 1)"},
        {"!a && !b", "(&& (!_ a) (!_ b))"},
        {"-p.0", "(-_ (.0 p))"},
        {"a * b / c // d % e", "(% (// (/ (* a b) c) d) e)"},           /* 6 */
        {"a + b * c", "(+ a (* b c))"},
        {"a - b - c + d", "(+ (- (- a b) c) d)"},                       /* 5 */
        {"a - (b - c)", "(- a (- b c))"},
        {"a - -b", "(- a (-_ b))"},
        {"a + 1 < b * 2", "(< (+ a 1) (* b 2))"},                       /* 4 */
        {"a == b && c != d", "(&& (== a b) (!= c d))"},
        {"(a < b) == c", "(== (< a b) c)"},
        {"a <= b || c >= d || e > f", "(|| (<= a b) (|| (>= c d) (> e f)))"},
        {"a && b && c || d", "(|| (&& a (&& b c)) d)"},                 /* 3, 2 */
        {"a || b && c", "(|| a (&& b c))"},
        {"xs |> f |> g x", "(|> (|> xs f) (g x))"},                     /* 1 */
        {"xs |> f || g", "(|> xs (|| f g))"},
        {"f $ g $ x", "($ f ($ g x))"},                                 /* 0 */
        {"xs |> f $ y", "($ (|> xs f) y)"},
        {"f $ xs |> g", "($ f (|> xs g))"},
    };
    same(*state, 'e', cases, COUNT(cases));
}

static void test_open_ended(void **state)
{
    static const Case cases[] = {
        {"\\x -> x + 1", "(\\ x (+ x 1))"},
        {"\\x (a, _) ((b, c), d) -> x", "(\\ x (a _) ((b c) d) x)"},
        {"\\(x: [N]f32) -> x", "(\\ x:[N]f32 x)"},
        {"\\(x) -> x", "(\\ x x)"},
        {"xs |> map $ \\x -> x |> f", "($ (|> xs map) (\\ x (|> x f)))"},
        {"a * \\x -> x + 1", "(* a (\\ x (+ x 1)))"},
        {"f . \\x -> g x", "(. f (\\ x (g x)))"},
        {"a + if c then d else e + 1", "(+ a (if c d (+ e 1)))"},
        {"- if c then d else e", "(-_ (if c d e))"},
        {"if a then if b then c else d else e", "(if a (if b c d) e)"},
        {"let x = 1 in x + 1", "(let x 1 (+ x 1))"},
        {"let x = 1 let y = 2 in x", "(let x 1 (let y 2 x))"},
        {"let x: i32 = 1 in x", "(let x i32 1 x)"},
        {"let (a, b) = p in a", "(let (a b) p a)"},
        {"let a = let b = 1 in b in a", "(let a (let b 1 b) a)"},
        {"let a = let b = 1 let c = 2 in c in a", "(let a (let b 1 (let c 2 c)) a)"},
        {"let f = \\x -> x let g = f in g", "(let f (\\ x x) (let g f g))"},
        {"f $ let x = 1 in x", "($ f (let x 1 x))"},
        {"f (\\x -> x) (if a then b else c) (let x = 1 in x)", "(f (\\ x x) (if a b c) (let x 1 x))"},
    };
    same(*state, 'e', cases, COUNT(cases));
}

static void test_atoms(void **state)
{
    static const Case cases[] = {
        {"12", "12"},
        {"3i64", "3i64"},
        {"1.5f64", "1.5f64"},
        {"2f32", "2f32"},
        {"1e-3", "0.001"},
        {"0.356563782", "0.356563782"},
        {"(true, false)", "(, true false)"},
        {"(x)", "x"},
        {"(a, b, c)", "(, a b c)"},
        {"(x : f32 -> bool)", "(: (-> f32 bool) x)"},
        {"(x + 1 : [N/4]<4>f32)", "(: [(/ N 4)]<4>f32 (+ x 1))"},
        {"map (+) xs", "(map {+} xs)"},
        {"((-), (.), ($), (|>), (!), (//))", "(, {-} {.} {$} {|>} {!} {//})"},
        {"(* 2)", "(right* 2)"},
        {"(2 *)", "(left* 2)"},
        {"(x -)", "(left- x)"},
        {"(- x)", "(-_ x)"},
        {"(- x + 1)", "(+ (-_ x) 1)"},
        {"(! x)", "(!_ x)"},
        {"(. f)", "(right. f)"},
        {"(f .)", "(left. f)"},
        {"(|> f)", "(right|> f)"},
        {"(a + b *)", "(left* (+ a b))"},
        {"(* a + b)", "(right* (+ a b))"},
        {"(< 3)", "(right< 3)"},
        {"f(a, b)", "(f (, a b))"},
        {"map _ (zip _ _)", "(map _ (zip _ _))"},
        {"pi + inf", "(+ pi inf)"},
        {"rule when and not divides", "(rule when and not divides)"},
    };
    same(*state, 'e', cases, COUNT(cases));
}

static void test_spreads(void **state)
{
    static const Case cases[] = {
        {"zip as.. b cs..", "(zip (.. as) b (.. cs))"},
        {"zip (split n xs)..", "(zip (.. (split n xs)))"},
        {"(as.., g y, cs..)", "(, (.. as) (g y) (.. cs))"},
        {"(xs..)", "(, (.. xs))"},
        {"((f x).., y)", "(, (.. (f x)) y)"},
        {"(f xs.., y)", "(, (f (.. xs)) y)"},
        {"\\(as.., y) -> y", "(\\ (as.. y) y)"},
        {"\\(xs..) -> zip xs..", "(\\ (xs..) (zip (.. xs)))"},
        {"p.0..", NULL},
        {"a + xs..", NULL},
        {"xs..", NULL},
        {"xs.. y", NULL},
        {"(a + xs.., y)", NULL},
    };
    same(*state, 'e', cases, 8);
    for (int i = 8; i < COUNT(cases); i++) assert_false(read_text(*state, 'e', cases[i].text));
}

static void test_types(void **state)
{
    static const Case cases[] = {
        {"f32", "f32"},
        {"size", "size"},
        {"[N][M]f32", "[N][M]f32"},
        {"[N] [M] f32", "[N][M]f32"},
        {"[(n - k)/s + 1][k]i64", "[(+ (/ (- n k) s) 1)][k]i64"},
        {"[N//2*3%c]bool", "[(% (* (// N 2) 3) c)]bool"},
        {"<4>f16", "<4>f16"},
        {"[N]<4>f32", "[N]<4>f32"},
        {"(f32)", "f32"},
        {"[J](f32, [N]i32, u32)", "[J](, f32 [N]i32 u32)"},
        {"f32 -> f64 -> i32", "(-> f32 (-> f64 i32))"},
        {"(f32 -> f64) -> i32", "(-> (-> f32 f64) i32)"},
        {"([n]f32, size) -> [n]f32", "(-> (, [n]f32 size) [n]f32)"},
    };
    same(*state, 't', cases, COUNT(cases));
}

/* ---- declarations ---- */

static void test_declarations(void **state)
{
    static const Case cases[] = {
        {"let f x = x", "(f x = x)"},
        {"f x = x", "(f x = x)"},
        {"let c = 1", "(c = 1)"},
        {"let f (xs: [N]f32) _ (a, (b, c)) : f32 = 0", "(f xs:[N]f32 _ (a (b c)) : f32 = 0)"},
        {"let f(a, b) = a", "(f (a b) = a)"},
        {"let f (n: size) = n", "(f n:size = n)"},
        {"let add (a, b) = a + b with associative commutative neutral 0", "(add (a b) = (+ a b) with 7 0)"},
        {"let g = h with neutral (0, 0, 0)", "(g = h with 4 (, 0 0 0))"},
        {"let g x = let y = x in y with commutative", "(g x = (let y x y) with 2)"},
    };
    same(*state, 'd', cases, COUNT(cases));
}

static void test_where_declarations_end(void **state)
{
    static const Case cases[] = {
        {"", ""},
        {"let f = a let g = b", "(f = a)(g = b)"},
        {"let f = let x = a let y = b in y let g = c", "(f = (let x a (let y b y)))(g = c)"},
        {"let f = g x y let h = 1", "(f = (g x y))(h = 1)"},
        {"let f = \\x -> let y = x in y let h = 1", "(f = (\\ x (let y x y)))(h = 1)"},
        {"let f = if a then b else let c = 1 in c let h = 1", "(f = (if a b (let c 1 c)))(h = 1)"},
        {"let f = (let x = 1 let y = 2 in y) let h = 1", "(f = (let x 1 (let y 2 y)))(h = 1)"},
        {"let f = a with commutative let g = b", "(f = a with 2)(g = b)"},
        {"param s0, s1 let f = s0 param s2", "(f = s0)"},
    };
    same(*state, 'f', cases, COUNT(cases));
}

static void test_tuning_params(void **state)
{
    Fixture *f = *state;
    AstFile *file = parse_file(&f->parser, source(f, "param a, b let f = a param c", 28));
    assert_non_null(file);
    assert_int_equal(file->param_count, 3);
    assert_string_equal(file->params[2], "c");
    assert_ptr_equal(file->params[0], intern(f->parser.names, "a"));
}

static const char ten_programs[] =
    "let scal (alpha: f32) (xs: [N]f32) = map (\\x -> alpha * x) xs\n"
    "let asum (xs: [N]f32) = xs |> map abs |> reduce (+) 0\n"
    "let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys\n"
    "let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) =\n"
    "  map (\\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)\n"
    "let mm (A: [N][K]f32) (B: [K][M]f32) =\n"
    "  map (\\row -> map (\\col -> reduce (+) 0 (map (*) (zip row col))) (transpose B)) A\n"
    "\n"
    "let add3 ((ax, ay, az), (bx, by, bz)) = (ax + bx, ay + by, az + bz) with associative commutative "
      "neutral (0, 0, 0)\n"
    "let force (px, py, pz) cut lj1 lj2 (qx, qy, qz) =\n"
    "  let dx = px - qx let dy = py - qy let dz = pz - qz\n"
    "  let r2 = dx*dx + dy*dy + dz*dz\n"
    "  let i2 = 1 / r2\n"
    "  let i6 = i2 * i2 * i2\n"
    "  let f = i2 * i6 * (lj1 * i6 - lj2)\n"
    "  in if r2 < cut then (f*dx, f*dy, f*dz) else (0, 0, 0)\n"
    "let md (ps: [N](f32, f32, f32)) (near: [J][N]i32) (cut: f32) (lj1: f32) (lj2: f32) =\n"
    "  map (\\(p, is) -> gather is ps |> map (force p cut lj1 lj2) |> reduce add3 (0, 0, 0)) (zip ps "
      "(transpose near))\n"
    "\n"
    "let phi x =\n"
    "  let l = abs x\n"
    "  let k = 1 / (1 + 0.2316419 * l)\n"
    "  let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * "
      "1.330274429))))\n"
    "  let w = 1 - 0.39894228 * exp (-l * l / 2) * poly\n"
    "  in select (x < 0) (1 - w) w\n"
    "let option r v (s, x, t) =\n"
    "  let d1 = (log (s / x) + (r + v * v / 2) * t) / (v * sqrt t)\n"
    "  let d2 = d1 - v * sqrt t\n"
    "  let e = x * exp (-r * t)\n"
    "  in (s * phi d1 - e * phi d2, e * phi (-d2) - s * phi (-d1))\n"
    "let blackScholes (s: [N]f32) (x: [N]f32) (t: [N]f32) (r: f32) (v: f32) = map (option r v) (zip3 s x t)\n"
    "\n"
    "let around x = map transpose . slide 3 1 . map (slide 3 1) $ x            # [n][m]a -> [n-2][m-2][3][3]a\n"
    "let edges x = pad 1 1 clamp (map (pad 1 1 clamp) x)\n"
    "let blur (img: [N][M]f32) (w: [3][3]f32) =\n"
    "  map (map (\\nb -> dot (join nb) (join w))) . around . edges $ img\n"
    "\n"
    "let dist p c = reduce (+) 0 (map (\\(x, y) -> (x - y) * (x - y)) (zip p c))\n"
    "let nearer ((d, i), (e, j)) = if e < d then (e, j) else (d, i)\n"
    "let kmeans (features: [F][P]f32) (clusters: [C][F]f32) =\n"
    "  map (\\p -> (reduce nearer (inf, 0) (zip (map (dist p) clusters) (iota C))).1) (transpose features)\n"
    "\n"
    "let pull eps (px, py, pz, pm) (qx, qy, qz, qm) =\n"
    "  let dx = qx - px let dy = qy - py let dz = qz - pz\n"
    "  let i = rsqrt (dx*dx + dy*dy + dz*dz + eps)\n"
    "  let s = qm * i * i * i\n"
    "  in (dx * s, dy * s, dz * s)\n"
    "let move dt (px, py, pz, pm) (vx, vy, vz) (ax, ay, az) =\n"
    "  ((px + vx*dt + ax*dt*dt/2, py + vy*dt + ay*dt*dt/2, pz + vz*dt + az*dt*dt/2, pm), (vx + ax*dt, vy "
      "+ ay*dt, vz + az*dt))\n"
    "let nbody (pos: [N](f32, f32, f32, f32)) (vel: [N](f32, f32, f32)) (eps: f32) (dt: f32) =\n"
    "  map (\\(p, v) -> move dt p v (reduce add3 (0, 0, 0) (map (pull eps p) pos))) (zip pos vel)\n"
    "let vectorScal (xs: [N]i32) =\n"
    "  join . mapWorkgroup 0 (asScalar . mapLocal 0 (mapVec (\\x -> x * 3)) . asVector 4) . split 1024 $ xs\n"
    ;

static const AstDecl *find(const AstFile *file, const char *name)
{
    for (int i = 0; i < file->decl_count; i++)
        if (strcmp(file->decls[i]->name, name) == 0) return file->decls[i];
    return NULL;
}

static void test_ten_programs(void **state)
{
    Fixture *f = *state;
    AstFile *file = parse_file(&f->parser, source(f, ten_programs, strlen(ten_programs)));
    if (!file) fail_with(&f->diag, "the ten programs");
    assert_int_equal(file->decl_count, 21);
    for (int i = 0; i < file->decl_count; i++) check_decl(file->decls[i]);
    assert_true(read_decl(f, find(file, "dot")));
    assert_string_equal(buf_text(&f->out), "(dot xs:[N]f32 ys:[N]f32 = ($ (. (reduce {+} 0) (map {*})) (zip xs ys)))");
    buf_clear(&f->out);
    assert_true(read_decl(f, find(file, "nearer")));
    assert_string_equal(buf_text(&f->out), "(nearer ((d i) (e j)) = (if (< e d) (, e j) (, d i)))");
    assert_int_equal(find(file, "force")->param_count, 5);
    assert_int_equal(find(file, "phi")->body->kind, AST_LET);
    assert_int_equal(find(file, "add3")->props, PROP_ASSOCIATIVE | PROP_COMMUTATIVE | PROP_NEUTRAL);
}

/* ---- rules ---- */

static const char *const rules[] = {
    "rule mapFusion: map f (map g x) => map (f . g) x",
    "rule splitJoin(n): map f x => join (map (map f) (split n x)) when n divides (length x)",
    "rule mapInterchange: map (\\a -> map (\\b -> e a b) ys) xs => transpose (map (\\b -> map (\\a -> e a b) xs) "
    "ys)",
    "rule reducePartIntro(m): reduce f z x => reduce f z (reducePart m f z x) when associative f and neutral "
    "z f and m divides (length x)",
    "rule reducePartFull: reducePart 1 f z x => map (reduce f z) (split (length x) x)",
    "rule reducePartSplit(n): reducePart m f z x => join (map (reducePart (n*m/(length x)) f z) (split n x)) "
    "when (length x)/m divides n and n divides (length x)",
    "rule mapReduceInterchange: map (reduce f z) x => reduce (\\(acc, r) -> map f (zip acc r)) (generate "
    "(length x) (\\i -> z)) (transpose x)",
    "rule splitOfJoin: join (split k x) => x",
    "rule transposeMaps: transpose (map (map f) x) <=> map (map f) (transpose x)",
    "rule mapVectorise(w): map f x => asScalar (map (mapVec f) (asVector w x)) when w divides (length x) and "
    "scalar (f _)",
    "rule splitJoin(n): map f x => join (map (\\c -> map f c) (split n x)) when n divides (length x)",
    "rule mapFusion: map f (map g x) => map (\\v -> f (g v)) x",
    "rule mapId: map (\\v -> v) x => x",
    "rule transposeTranspose: transpose (transpose x) => x",
    "rule joinSplit: join (split n x) => x",
    "rule splitJoinId: split n (join x) => x",
    "rule asVectorAsScalar: asVector w (asScalar x) => x",
    "rule asScalarAsVector: asScalar (asVector w x) => x",
    "rule mapInterchange: map (\\a -> map (\\b -> e a b) ys) xs => transpose (map (\\b -> map (\\a -> e a b) xs) "
    "ys)",
    "rule mapInterchangeInner: map (\\a -> map (\\b -> e b) a) xs => transpose (map (\\c -> map (\\b -> e b) c) "
    "(transpose xs))",
    "rule mapInterchangeZipIn: map (\\x -> map (\\(as.., a, bs..) -> e as.. a bs..) (zip as.. x bs..)) xs => "
    "transpose (map (\\(as.., c, bs..) -> map (\\a -> e as.. a bs..) c) (zip as.. (transpose xs) bs..))",
    "rule mapInterchangeZipOut: map (\\(as.., x, bs..) -> map (\\c -> e as.. c bs..) x) (zip as.. xs bs..) => "
    "transpose (map (\\y -> map (\\(as.., c, bs..) -> e as.. c bs..) (zip as.. y bs..)) (transpose xs))",
    "rule reduceFission: map (\\x -> reduce f z (g x)) xs => map (\\y -> reduce f z y) (map (\\x -> g x) xs)",
    "rule mapReduceInterchange: map (\\y -> reduce f z y) ys => reduce (\\(acc, x) -> map f (zip acc x)) "
    "(generate (length ys) (\\i -> z)) (transpose ys)",
    "rule reduceSeq: reduce f z x => reduceSeq f z x",
    "rule reduceMapFusion: reduceSeq f z (map g x) => reduceSeq (\\(acc, y) -> f (acc, g y)) z x",
    "rule zipMap: zip as.. (map g b) cs.. => map (\\(as.., y, cs..) -> (as.., g y, cs..)) (zip as.. b cs..)",
    "rule mapReduceSeqInterchange: map (\\c -> reduceSeq (\\(acc, x) -> e acc x) z (xs c)) cs => reduceSeq "
    "(\\(accs, ys) -> map (\\(acc, x) -> e acc x) (zip accs ys)) (generate (length cs) (\\i -> z)) (transpose "
    "(map (\\c -> xs c) cs))",
    "rule transposeMapZip: transpose (map (\\c -> zip as.. (g c) bs..) cs) => map (\\(as.., ys, bs..) -> map "
    "(\\y -> (as.., y, bs..)) ys) (zip as.. (transpose (map (\\c -> g c) cs)) bs..)",
    "rule splitReduce(n): reduceSeq f z x => reduceSeq (\\(acc, c) -> reduceSeq f acc c) z (split n x) when n "
    "divides (length x)",
    "rule reduceJoin: reduceSeq f z (join x) => reduceSeq (\\(acc, c) -> reduceSeq f acc c) z x",
    "rule splitZip: split n (zip xs..) => map (\\(ys..) -> zip ys..) (zip (split n xs)..)",
    "rule splitMap: split n (map f x) => map (\\c -> map f c) (split n x)",
    "rule splitTranspose: split n (transpose x) => map (\\t -> transpose t) (transpose (map (\\r -> split n r) "
    "x))",
    "rule tileLayout: transpose (map (\\r -> split n (transpose r)) (split m x)) => map (\\t -> transpose (map "
    "(\\r -> split m r) t)) (split n (transpose x))",
    "rule tileLayoutT: transpose (map (\\r -> split n (transpose r)) (split m x)) => map (\\t -> map (\\r -> "
    "transpose r) (split m t)) (transpose (map (\\r -> split n r) x))",
    "rule vectorise(w): map (\\(xs..) -> e xs..) (zip ys..) => asScalar (map (\\(xs..) -> e xs..) (zip "
    "(asVector w ys)..)) when w divides (length ys)",
    "rule vectorise1(w): map (\\x -> e x) y => asScalar (map (\\x -> e x) (asVector w y))",
    "rule accAsVector(w): reduceSeq (\\(acc, x) -> e acc x) z xs => map (\\r -> asScalar r) (reduceSeq (\\(acc, "
    "x) -> map (\\r -> asVector w r) (e (map (\\r -> asScalar r) acc) x)) (map (\\r -> asVector w r) z) xs)",
    "rule mulAdd: c + a * b => fma a b c",
    "rule copyToLocal: reduceSeq (\\(acc, x) -> e acc x) z xs => reduceSeq (\\(acc, x) -> let t = toLocal (map "
    "(\\r -> map (\\v -> v) r) x) in e acc t) z xs",
    "rule accGlobal: reduceSeq f z x => reduceSeq f (toGlobal (copySeq z)) x",
    "rule accPrivate: reduceSeq f z x => copyU (reduceSeq f (toPrivate (copyU z)) x)",
    "rule tileLocal(w): reduceSeq (\\(acc, (p, q)) -> e acc p q) z x => reduceSeq (\\(acc, (p, q)) -> let t = "
    "toLocal (mapSeq (\\r -> asScalar (mapSeqU (\\v -> v) (asVector w r))) q) in e acc p t) z x",
    "rule mapGlobal(d): map f x => mapGlobal d f x",
    "rule mapWorkgroup(d): map f x => mapWorkgroup d f x",
    "rule mapLocal(d): map f x => mapLocal d f x",
    "rule mapSeq: map f x => mapSeq f x",
    "rule mapSeqU: map f x => mapSeqU f x",
    "rule reduceU: reduceSeq f z x => reduceSeqU f z x",
    "rule mapTransposeOut: map (\\x -> transpose (e x)) xs => map (\\y -> transpose y) (map (\\x -> e x) xs)",
    "rule mapJoinOut: map (\\x -> join (e x)) xs => map (\\y -> join y) (map (\\x -> e x) xs)",
    "rule mapMapOut: map (\\x -> map f (e x)) xs => map (\\y -> map f y) (map (\\x -> e x) xs)",
    "rule tilesLocal(w, lx, m, n): reduceSeq (\\(acc, (p, q)) -> e acc p q) z x => reduceSeq (\\(acc, (p, q)) "
    "-> let tileA = toLocal (split m (asScalar (join (mapLocal 1 (\\r -> mapLocal 0 (\\v -> v) r) (split lx "
    "(asVector w (join p))))))) in let tileB = toLocal (split n (asScalar (join (mapLocal 1 (\\r -> mapLocal "
    "0 (\\v -> v) r) (split lx (asVector w (join q))))))) in e acc tileA tileB) z x",
    "rule accPrivateDist(w): reduceSeq f z x => mapLocal 1 (\\a -> mapLocal 0 (\\b -> mapSeqU (\\r -> asScalar "
    "(mapSeqU (\\v -> v) (asVector w r))) b) a) (reduceSeq f (toPrivate (mapLocal 1 (\\a -> mapLocal 0 (\\b -> "
    "copyU b) a) z)) x)",
    "rule mapReduceSeqInterchangeDep: map (\\c -> reduceSeq (\\(acc, x) -> e acc x c) (z c) (xs c)) cs => "
    "reduceSeq (\\(accs, ys) -> map (\\(acc, x, c) -> e acc x c) (zip accs ys cs)) (map (\\c -> z c) cs) "
    "(transpose (map (\\c -> xs c) cs))",
    "rule reduceSplit(n): reduce f z x => reduce f z (map (\\c -> reduce f z c) (split n x)) when n divides "
    "(length x) and associative f and neutral z f",
    "rule accSplit(n): reduceSeq (\\(acc, x) -> e acc x) z xs => join (reduceSeq (\\(acc, x) -> split n (e "
    "(join acc) x)) (split n z) xs)",
    "rule accTranspose: reduceSeq (\\(acc, x) -> e acc x) z xs => transpose (reduceSeq (\\(acc, x) -> "
    "transpose (e (transpose acc) x)) (transpose z) xs)",
    "rule reduceSeqMapOut: reduceSeq (\\(accs, ys) -> map (\\(acc, y) -> e acc y) (zip accs ys)) zs xs => map "
    "(\\(z, ys) -> reduceSeq (\\(acc, y) -> e acc y) z ys) (zip zs (transpose xs))",
    "rule tupleMap: (map f a, map g b) => (map (\\(x, y) -> f x) (zip a b), map (\\(x, y) -> g y) (zip a b))",
};

static void test_rules(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < COUNT(rules); i++)
        if (!read_text(f, 'r', rules[i])) fail_with(&f->diag, rules[i]);
}

static void test_rule_forms(void **state)
{
    static const Case cases[] = {
        {"rule a: x => y", "(a : x => y)"},
        {"a: x <=> y", "(a : x <=> y)"},
        {"rule: x => y", "(rule : x => y)"},
        {"rule rule: x => y", "(rule : x => y)"},
        {"a(n, w: width, d: dim): f => g", "(a n w:width d:dim : f => g)"},
        {"a: f (when x) => g when n divides (length x)", "(a : (f (when x)) => g (divides n (length x)))"},
        {"a: f => g when n divides length x and m < n", "(a : f => g (divides n (length x)) (compare < m n))"},
        {"a: f => g when (length x)/m divides n", "(a : f => g (divides (/ (length x) m) n))"},
        {"a: f => g when length(x)/m divides n + 1", "(a : f => g (divides (/ (length x) m) (+ n 1)))"},
        {"a: f => g when not n == m and not constant n + 1",
         "(a : f => g (not compare == n m) (not constant (+ n 1)))"},
        {"a: f => g when associative f and commutative (+) and neutral z f",
         "(a : f => g (associative f) (commutative {+}) (neutral z f))"},
        {"a: f => g when computes f and layout f and not scalar (f _)",
         "(a : f => g (computes f) (layout f) (not scalar (f _)))"},
        {"a: f => g when under mapWorkgroup 0 and not under mapLocal and contains mapLocal f",
         "(a : f => g (under mapWorkgroup 0) (not under mapLocal) (contains mapLocal f))"},
        {"a: f => g when ok(n, m) and not good(x) and always() and odd(n + 1)",
         "(a : f => g (call ok n m) (not call good x) (call always) (call odd (+ n 1)))"},
        {"a: f => g when scalar divides layout", "(a : f => g (divides scalar layout))"},
        {"a: f => \\x -> let t = g x in t when n < 3", "(a : f => (\\ x (let t (g x) t)) (compare < n 3))"},
    };
    same(*state, 'r', cases, COUNT(cases));
}

static void test_rule_text(void **state)
{
    Fixture *f = *state;
    const char *text = "rule a(n: size): x => y when n < 3 and f(n)  # done";
    AstRule *r = parse_rule(&f->parser, source(f, text, strlen(text)));
    assert_non_null(r);
    assert_ptr_equal(r->kinds[0], intern(f->parser.names, "size"));
    assert_int_equal(r->cond_text.from, strstr(text, "when") - text);
    assert_int_equal(r->cond_text.to, strstr(text, "  #") - text);
    assert_int_equal(r->span.from, 0);
    assert_int_equal(r->span.to, r->cond_text.to);
}

/* ---- spans ---- */

/* The node reached by a path of kid numbers covers exactly `want`. */
static void test_spans(void **state)
{
    static const struct { const char *text, *path, *want; } cases[] = {
        {" f  x y ", "", "f  x y"},
        {"f x (g y) ", "2", "(g y)"},
        {"f x (g y) ", "21", "y"},
        {"(a + b) * c", "", "(a + b) * c"},
        {"(a + b) * c", "0", "(a + b)"},
        {"(a + b) * c", "01", "b"},
        {"(f x) y", "", "(f x) y"},
        {"p.0[1] # x", "", "p.0[1]"},
        {"p.0[1] # x", "0", "p.0"},
        {"1 - -x", "1", "-x"},
        {"\\x -> x + 1 ", "", "\\x -> x + 1"},
        {"let x = 1 in x + 1 ", "1", "x + 1"},
        {"a + (2 *)", "1", "(2 *)"},
        {"a + (* 2)", "1", "(* 2)"},
        {"f (+)", "1", "(+)"},
        {"(a, (b : f32))", "1", "(b : f32)"},
        {"(a, (b : f32))", "10", "b"},
        {"zip xs.. y", "1", "xs.."},
    };
    Fixture *f = *state;
    for (int i = 0; i < COUNT(cases); i++) {
        const Ast *e = parse_expr(&f->parser, source(f, cases[i].text, strlen(cases[i].text)));
        assert_non_null(e);
        for (const char *k = cases[i].path; *k; k++) e = e->kids[*k - '0'];
        const char *got = arena_strndup(f->parser.arena, cases[i].text + e->span.from, e->span.to - e->span.from);
        assert_string_equal(got, cases[i].want);
    }
}

static void test_declaration_spans(void **state)
{
    Fixture *f = *state;
    const char *text = "  let foo (x: f32) = x + 1 # c";
    AstDecl *d = parse_decl(&f->parser, source(f, text, strlen(text)));
    assert_non_null(d);
    assert_int_equal(d->span.from, 2);
    assert_int_equal(d->span.to, 26);
    assert_int_equal(d->name_span.from, 6);
    assert_int_equal(d->name_span.to, 9);
    assert_int_equal(d->params[0]->span.from, 10);
    assert_int_equal(d->params[0]->span.to, 18);
    assert_int_equal(d->params[0]->annot->span.from, 14);
}

/* ---- errors ---- */

typedef struct Wrong {
    char what;
    const char *text;
    ErrorId id;
    int from;               /* where the caret stands */
    bool at_end;
    const char *says;       /* part of the rendered error */
} Wrong;

static const Wrong errors[] = {
    {'e', "", E03, 0, true, "expected an expression, found the end of the input"},
    {'e', "a +  ", E03, 3, true, "found the end of the input"},
    {'e', "f (a, b", E03, 7, true, "opened  `(` at test:1:3"},
    {'e', "w[0", E03, 3, true, "opened  `[` at test:1:2"},
    {'e', "(a\n  b", E03, 6, true, "test:2:4"},
    {'e', "f (a ]", E03, 5, false, "opened  `(` at test:1:3"},
    {'e', "\\x", E03, 2, true, "`->`"},
    {'e', "if a then b", E03, 11, true, "`else`"},
    {'e', "let x = 1", E03, 9, true, "`in`"},
    {'d', "let f x =", E03, 9, true, "an expression"},
    {'d', "let f = let x = 1", E03, 17, true, "`in`"},
    {'d', "let f x", E03, 7, true, "`=`"},
    {'r', "rule a: x =>", E03, 12, true, "an expression"},
    {'r', "rule a", E03, 6, true, "`:`"},
    {'r', "a: x => y when n", E03, 16, true, "`divides`"},
    {'t', "[N]", E03, 3, true, "a type"},
    {'e', "a < b < c", E03, 6, false, "comparisons do not chain"},
    {'e', "a == b != c", E03, 7, false, "comparisons do not chain"},
    {'e', "map \\x -> x", E03, 4, false, "hint    brackets: (\\x -> ...)"},
    {'e', "f if a then b else c", E03, 2, false, "brackets: (if"},
    {'e', "f (let x = 1 in x) (g let y = 2 in y)", E03, 22, false, "brackets: (let"},
    {'e', "f !x", E03, 2, false, "brackets: (! x)"},
    {'e', "f . -x", E03, 4, false, "brackets: (- x)"},
    {'e', "[]", E03, 0, false, "one element"},
    {'e', "()", E03, 0, false, "empty tuple"},
    {'e', "f x)", E03, 3, false, "found `)`"},
    {'e', "(a = b)", E03, 3, false, "`==` compares"},
    {'e', "x -> x", E03, 2, false, "\\x -> ..."},
    {'e', "map (\\x -> x +) xs", E03, 13, false, "brackets around the lambda"},
    {'e', "1. + x", E03, 3, false, "both sides of a float's point"},
    {'e', ".5 + x", E03, 0, false, "both sides of a float's point"},
    {'e', "1.5.2", E03, 3, false, "neither a float nor a projection"},
    {'e', "a + 12abc", E03, 4, false, "neither a number nor a name"},
    {'e', "1.5i32", E03, 0, false, "f16, f32 or f64"},
    {'e', "a + 9223372036854775808", E08, 4, false, "too large"},
    {'e', "1e999", E08, 0, false, "too large"},
    {'e', "p.99999999999999999999", E08, 1, false, "too large"},
    {'e', "then", E03, 0, false, "the keyword `then`"},
    {'e', "x' y", E03, 1, false, "primes"},
    {'e', "a & b", E03, 2, false, "`&&`"},
    {'e', "a \x01 b", E03, 2, false, "control character 0x01"},
    {'e', "a \xff b", E03, 2, false, "0xff is not UTF-8"},
    {'e', "a \xc2\xa0 b", E03, 2, false, "U+00A0"},
    {'e', "xs... y", E03, 2, false, "`xs..`"},
    {'e', "\\0 -> 1", E03, 1, false, "expected a name"},
    {'d', "let in x = 3", E03, 4, false, "`in` is a keyword"},
    {'d', "let _ = 3", E03, 4, false, "the name of a declaration"},
    {'d', "let f (x: float) = x", E03, 10, false, "hint    f32"},
    {'d', "let f (a, b: f32 = a", E03, 17, false, "`,` or `)` in a pattern"},
    {'e', "x with [i:j] = v", E03, 9, false, "scatter x is vs sets many"},
    {'e', "x[1:3]", E03, 3, false, "take (b - a) (drop a x)"},
    {'d', "let f x = let x[0] = 1 in x", E03, 15, false, "let y = x with [i] = v"},
    {'e', "x with [i] v", E03, 11, false, "`=` and the new value"},
    {'d', "let f (as.., b) = b", E03, 9, false, "belongs to rules"},
    {'d', "let f = zip xs..", E03, 14, false, "belongs to rules"},
    {'d', "let f = 1 with neutral -1", E03, 23, false, "brackets: (- x)"},
    {'d', "let f = 1 with odd", E03, 15, false, "associative, commutative or neutral"},
    {'d', "let f = 1 with assumed odd", E03, 23, false, "what is assumed"},
    {'d', "let f = 1 with neutral 0 neutral 1", E03, 25, false, "already given"},
    {'d', "let f = a let g = b", E03, 10, false, "the end of the declaration"},
    {'f', "foo", E03, 0, false, "`let` or `param`"},
    {'f', "let f x = x ) let g = 1", E03, 12, false, "found `)`"},
    {'f', "let f =\n  let x = 1\nlet g y = x let h = 2", E03, 41, true, "missing before the `let` of line 3?"},
    {'f', "param a, let", E03, 9, false, "`let` is a keyword"},
    {'t', "[n[m]]f32", E03, 1, false, "no size"},
    {'t', "[f x]f32", E03, 1, false, "no size"},
    {'t', "[-1]f32", E03, 1, false, "no size"},
    {'t', "[1.5]f32", E03, 1, false, "no size"},
    {'t', "<n>f32", E03, 1, false, "a vector width"},
    {'t', "<4>[N]f32", E03, 3, false, "a type"},
    {'t', "(f32, i32", E03, 9, true, "opened  `(` at test:1:1"},
    {'r', "a(n: foo): x => y", E03, 5, false, "size, dim, width, perm or mode"},
    {'r', "a: x = y", E03, 5, false, "`=>`"},
    {'r', "a: x => y when n < m < k", E03, 21, false, "`and`"},
    {'r', "a: x => y when f x", E03, 18, true, "`divides`"},
    {'r', "a: x => y when neutral z and b < c", E03, 25, false, "an expression"},
};

static void test_errors(void **state)
{
    Fixture *f = *state;
    Buf b = {0};
    for (int i = 0; i < COUNT(errors); i++) {
        const Wrong *w = &errors[i];
        assert_false(read_text(f, w->what, w->text));
        buf_clear(&b);
        diag_render(&f->diag, &b);
        if (!strstr(buf_text(&b), w->says)) fail_with(&f->diag, w->says);
        if ((int)f->diag.span.from != w->from || f->parser.at_end != w->at_end) fail_with(&f->diag, w->text);
        assert_int_equal(f->diag.id, w->id);
    }
    buf_free(&b);
}

/* Every beginning of a correct text that fails does so at its end, unless it cuts a token. */
static void test_prefixes(void **state)
{
    Fixture *f = *state;
    static const char text[] = "let f (x: [N]f32) (a, b) : (f32, f32) = let y = x |> map (\\v -> v + 1.5) "
                               "in if a < y.0 then (a, b[0]) else (b, - a) with commutative neutral (0, 0)";
    for (size_t n = 1; n < sizeof text; n++) {
        char cut[sizeof text] = {0};
        memcpy(cut, text, n);
        bool inside = (isalnum(text[n - 1]) && isalnum(text[n])) || strchr("|-.", text[n - 1]);
        if (!read_bytes(f, 'd', cut, n) && !inside && !f->parser.at_end) fail_with(&f->diag, cut);
    }
}

/* ---- text that means harm ---- */

static void repeat(Buf *b, const char *text, int times)
{
    for (int i = 0; i < times; i++) buf_puts(b, text);
}

typedef struct Bomb { char what; const char *start, *before, *inner, *after, *end; } Bomb;

static const Bomb bombs[] = {
    {'e', "", "(", "x", ")", ""},          {'e', "", "\\x -> ", "x", "", ""},     {'e', "", "x $ ", "x", "", ""},
    {'e', "", "- ", "x", "", ""},          {'e', "", "!", "x", "", ""},           {'e', "", "1 + ", "x", "", ""},
    {'e', "", "let y = ", "x", " in y", ""}, {'e', "", "let y = 1 ", "in x", "", ""}, {'e', "", "if ", "", "", ""},
    {'e', "", "if a then b else ", "x", "", ""}, {'e', "", "w[", "x", "]", ""},   {'e', "", "f (", "x", ")", ""},
    {'e', "", "(a, ", "x", ")", ""},       {'e', "", "", "x", ".0", ""},          {'e', "", "", "x", "[0]", ""},
    {'e', "", "a . ", "x", "", ""},        {'e', "\\", "(", "x", ")", " -> x"},
    {'e', "\\", "(a, ", "x", ")", " -> x"},
    {'e', "", "(", "x", " +)", ""},        {'e', "", "(+ ", "x", ")", ""},        {'e', "", "x |> ", "x", "", ""},
    {'e', "", "x && ", "x", "", ""},       {'e', "", "(", "x", " : f32)", ""},    {'e', "", "(", "x", "..)", ""},
    {'e', "", "\xce\xbbx\xe2\x86\x92", "x", "", ""}, {'e', "(x : ", "(", "f32", ")", ")"},
    {'t', "", "[n]", "f32", "", ""},       {'t', "", "(", "f32", ")", ""},        {'t', "", "f32 -> ", "f32", "", ""},
    {'t', "", "(f32, ", "f32", ")", ""},   {'t', "[", "(", "n", ")", "]f32"},     {'t', "[", "n + ", "n", "", "]f32"},
    {'d', "let f ", "(", "x", ")", " = x"}, {'f', "let f = ", "(", "x", ")", ""},
    {'f', "let f = ", "let y = 1 ", "in x", "", ""},
    {'r', "a: ", "(", "x", ")", " => y"},  {'r', "a: x => y when n < ", "(", "x", ")", ""},
};

static bool read_bomb(Fixture *f, const Bomb *b, int depth, Buf *text)
{
    buf_clear(text);
    buf_puts(text, b->start);
    repeat(text, b->before, depth);
    buf_puts(text, b->inner);
    repeat(text, b->after, depth);
    buf_puts(text, b->end);
    return read_bytes(f, b->what, buf_text(text), text->len);
}

static void test_bombs(void **state)
{
    Fixture *f = *state;
    Buf text = {0};
    for (int i = 0; i < COUNT(bombs); i++) {
        assert_false(read_bomb(f, &bombs[i], 100000, &text));
        assert_int_equal(f->diag.id, E08);
        assert_false(f->parser.at_end);
    }
    buf_free(&text);
}

/* The limit is AST_DEPTH itself: brackets and nodes that deep are read, one more is not. */
static void test_depth_limit(void **state)
{
    static const struct { Bomb bomb; int most; } limits[] = {
        {{'e', "", "(", "x", ")", ""}, AST_DEPTH},           {{'t', "", "(", "f32", ")", ""}, AST_DEPTH},
        {{'e', "", "-", "x", "", ""}, AST_DEPTH - 1},        {{'e', "", "1 + ", "x", "", ""}, AST_DEPTH - 1},
        {{'e', "", "x $ ", "x", "", ""}, AST_DEPTH - 1},     {{'e', "", "", "x", "[0]", ""}, AST_DEPTH - 1},
        {{'e', "", "\\x -> ", "x", "", ""}, AST_DEPTH - 1},  {{'e', "", "(a + ", "x", ")", ""}, AST_DEPTH - 1},
        {{'e', "", "(-", "x", ")", ""}, AST_DEPTH - 1},      {{'e', "", "\\x -> - ", "x", "", ""}, AST_DEPTH / 2 - 1},
        {{'t', "", "[n]", "f32", "", ""}, AST_DEPTH - 1},    {{'t', "", "(f32 -> ", "f32", ")", ""}, AST_DEPTH - 1},
        {{'e', "", "(let y = ", "x", " in y)", ""}, AST_DEPTH - 1},
    };
    Fixture *f = *state;
    Buf text = {0};
    for (int i = 0; i < COUNT(limits); i++) {
        if (!read_bomb(f, &limits[i].bomb, limits[i].most, &text)) fail_with(&f->diag, buf_text(&text));
        assert_false(read_bomb(f, &limits[i].bomb, limits[i].most + 1, &text));
        assert_int_equal(f->diag.id, E08);
    }
    buf_free(&text);
}

/* Wide text is no problem, nor is its cost: flattening nested applications does not copy them again and again. */
static void test_wide(void **state)
{
    Fixture *f = *state;
    Buf text = {0};
    repeat(&text, "(", 200);
    buf_puts(&text, "f");
    repeat(&text, " x", 50000);
    repeat(&text, " y)", 200);
    const Ast *e = parse_expr(&f->parser, source(f, buf_text(&text), text.len));
    assert_non_null(e);
    assert_int_equal(e->kid_count, 50201);
    assert_int_equal(e->height, 2);
    assert_true(f->parser.arena->total < (size_t)16 << 20);
    buf_free(&text);
}

static const char *const vocabulary[] = {
    "let", "in", "if", "then", "else", "with", "param", "true", "false", "rule", "when", "and", "not",
    "divides", "neutral", "under", "scalar", "x", "f", "N", "f32", "size", "1", "2.5", "3i64", ".0", "[", "[",
    "]", "(", "(", "(", ")", ")", ")", ",", "..", ".", "->", "=>", "<=>", ":", "=", "=", "\\", "\\", "$", "|>",
    "+", "-", "*", "/", "//", "%", "==", "<", ">", "&&", "||", "!", "_", "<4>", "xs..", "#", "\n", "\xce\xbb",
    "\xe2\x88\x98", "\xc3", "\x01", "'", "&", "1.", "1e", "...",
};

static void random_text(Rng *r, Buf *b)
{
    buf_clear(b);
    int64_t n = rng_below(r, 30);
    bool bytes = rng_below(r, 4) == 0;
    for (int64_t i = 0; i < n; i++) {
        if (bytes) buf_putc(b, (char)rng_below(r, 256));
        else buf_puts(b, vocabulary[rng_below(r, COUNT(vocabulary))]);
        if (!bytes && rng_below(r, 3)) buf_putc(b, ' ');
    }
}

static void test_random(void **state)
{
    Rng r = {20240229};
    Buf text = {0};
    for (int i = 0; i < 20000; i++) {
        random_text(&r, &text);
        read_bytes(*state, "edrft"[i % 5], buf_text(&text), text.len);
    }
    buf_free(&text);
}

/* The programs with a few bytes changed, cut or doubled: closer to what can go wrong than noise. */
static void test_mutations(void **state)
{
    Rng r = {7};
    Buf text = {0};
    for (int i = 0; i < 1000; i++) {
        int64_t from = rng_below(&r, (int64_t)sizeof ten_programs - 1);
        int64_t len = rng_below(&r, (int64_t)sizeof ten_programs - from);
        buf_clear(&text);
        buf_write(&text, ten_programs + from, (size_t)len);
        if (len) text.data[rng_below(&r, len)] = ten_programs[rng_below(&r, (int64_t)sizeof ten_programs - 1)];
        read_bytes(*state, 'f', buf_text(&text), text.len);
        buf_clear(&text);
        const char *rule = rules[rng_below(&r, COUNT(rules))];
        buf_puts(&text, rule);
        text.data[rng_below(&r, (int64_t)text.len)] = rule[rng_below(&r, (int64_t)text.len)];
        read_bytes(*state, 'r', buf_text(&text), text.len);
    }
    buf_free(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tokens), TEST(test_unicode_equals_ascii), TEST(test_precedence), TEST(test_open_ended),
        TEST(test_atoms), TEST(test_spreads), TEST(test_types), TEST(test_declarations),
        TEST(test_where_declarations_end), TEST(test_tuning_params), TEST(test_ten_programs), TEST(test_rules),
        TEST(test_rule_forms), TEST(test_rule_text), TEST(test_spans), TEST(test_declaration_spans),
        TEST(test_errors), TEST(test_prefixes), TEST(test_bombs), TEST(test_depth_limit), TEST(test_wide),
        TEST(test_random), TEST(test_mutations),
    };
    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
