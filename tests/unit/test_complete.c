/* Completion: what is offered where. */
#include "mark.h"
#include "unit.h"
#include "complete.h"

static volatile int stop;
enum { PATIENT = 600000 };               /* ms: a slow machine is no failure here */

static Shell *shell_with(const char *const *lines)
{
    Shell *sh = shell_new(&stop);
    int code;
    sh->quiet = true;
    sh->results_file = ":memory:";
    for (; *lines; lines++)
        if (!shell_line(sh, *lines, &code)) fail_msg("%s: code %d", *lines, code);
    return sh;
}

static Shell *shell_dot(void)
{
    static const char *const lines[] = {"let dot (xs : [N]f32) (ys : [N]f32) = reduce (+) 0 (map (*) (zip xs ys))", NULL};
    return shell_with(lines);
}

/* All candidates as "text text", those that do not apply with a ~ before them, what wants no space with a + behind. */
static void check_rest(Shell *sh, const char *line, bool rest, const char *want)
{
    Completion c;
    Buf b = {0};
    complete(sh, line, (int)strlen(line), rest, PATIENT, &c);
    for (int i = 0; i < c.items.n; i++)
        buf_printf(&b, "%s%s%s%s", i ? " " : "", c.items.v[i].fits ? "" : "~", c.items.v[i].text,
                   c.items.v[i].more ? "+" : "");
    if (strcmp(buf_text(&b), want)) fail_msg("completing \"%s\"\n  got  %s\n  want %s", line, buf_text(&b), want);
    buf_free(&b);
    completion_free(&c);
}

static void check(Shell *sh, const char *line, const char *want) { check_rest(sh, line, false, want); }

/* Is the candidate there, with that gloss? */
static void check_one(Shell *sh, const char *line, const char *text, const char *gloss)
{
    Completion c;
    complete(sh, line, (int)strlen(line), false, PATIENT, &c);
    for (int i = 0; i < c.items.n; i++) {
        if (strcmp(c.items.v[i].text, text)) continue;
        if (gloss && !strstr(c.items.v[i].gloss, gloss))
            fail_msg("%s of \"%s\" has the gloss %s", text, line, c.items.v[i].gloss);
        completion_free(&c);
        return;
    }
    fail_msg("completing \"%s\" does not offer %s", line, text);
}

static void commands(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    check(sh, "sho", "show");
    check(sh, "  sho", "show");
    check(sh, "show ; und", "undo");
    check(sh, "show '; (' ; und", "undo");
    check(sh, "nosuch x", "");
    check(sh, "# sho", "");
    check(sh, "show --", "--as=+ --depth=+ --full --labels --tree=+");
    check(sh, "show --as=t", "tree typed");
    check(sh, "show --as ex", "expr");
    check(sh, "code -", "-o --host --map --edit --source=+ --dialect=+");
    check(sh, "load x.fun ", "as");
    check(sh, "list ru", "rules");
    check_one(sh, "help E2", "E21", "does not apply");
    shell_free(sh);
}

/* A shape that is wanted need not be there; names are the program's, rules and kinds stand behind using. */
static void sketches(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    check(sh, "reach ", "'contains+ 'map+ 'reduce+ 'zip+ '_+");
    check(sh, "reach 'con", "'contains+");
    check(sh, "reach 'contains (reduceSeq _ _ (zip x", "'contains (reduceSeq _ _ (zip xs+");
    check(sh, "reach 'contains (reduceSeq _ _ _)", "'contains (reduceSeq _ _ _)'+");
    check_one(sh, "reach 'reduce _ _ _", "'reduce _ _ _'", "has that shape");
    check(sh, "reach 'map _ _' o", "");
    check(sh, "reach 'map _ _ o", "'map _ _ or+");
    check(sh, "reach 'map _ _' ", "through using");
    check(sh, "reach 'map _ _' through 'con", "'contains+");
    check(sh, "reach 'map _ _' using splitJoin,fis", "fission");
    check(sh, "simplify ", "using");
    shell_free(sh);
}

static void settings(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    check(sh, "set uni", "unicode");
    check(sh, "set unicode ", "auto on off");
    check_one(sh, "set unicode ", "auto", "*");
    check(sh, "set unicode off o", "");
    shell_free(sh);
}

static void places(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    int code;
    check(sh, "cd ", "f/+ init in/+ /+");
    check(sh, "cd /in/", "f/+ in/+");
    check_one(sh, "cd /in/", "in/", "zip xs ys  [N](f32, f32)");
    check(sh, "cd /in/in/", "0 1");
    check(sh, "cd /nosuch/", "");
    check(sh, "show ini", "init");
    check(sh, "where mapFusion in i", "init in/+");
    check(sh, "apply splitJoin at /i", "/in");
    check(sh, "apply splitJoin at ", "/in");
    check(sh, "apply splitJoin(4) at ", "/in");
    check(sh, "apply mapFusion ", "at as");
    check(sh, "apply splitJoin at /in ", "as");
    check(sh, "apply splitJoin at /in as cut ", "");
    check(sh, "try reduceSeq at ", "/");
    check(sh, "why mapFusion at /i", "init in/+");
    assert_true(shell_line(sh, "cd /in", &code));
    check(sh, "cd .", "..");
    shell_free(sh);
}

/* Where a lesson asks something, Tab has the answers, and with a letter the commands as well. */
static void answers(void **state)
{
    (void)state;
    static const char *const lines[] = {"lesson scripts/lessons/machine", "lesson skip ; lesson skip", NULL};
    char folder[] = "/tmp/lathe-complete-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("XDG_STATE_HOME", folder, 1);
    Shell *sh = shell_with(lines);
    check(sh, "", "1 2 3 4");
    check(sh, "check ", "1 2 3 4");
    check(sh, "lesson check /f/body/", "/f/body/f/body");
    check_one(sh, "", "2", "/f/body");
    check_one(sh, "s", "show", NULL);
    int code;
    assert_true(shell_line(sh, "2", &code));
    check_one(sh, "", "show", NULL);
    assert_true(shell_line(sh, "leave ; lesson scripts/lessons/measuring", &code));
    Completion c;                        /* a number: what is wanted is said, and no command listed */
    complete(sh, "", 0, false, 1000, &c);
    assert_int_equal(c.items.n, 0);
    assert_string_equal(c.wanted, "a number from 0 to 1000");
    completion_free(&c);
    check_one(sh, "s", "show", NULL);
    assert_true(shell_line(sh, "leave", &code));
    shell_free(sh);
    char remove[100];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
}

/* What a part keeps for later is not offered; the lesson's files are. */
static void in_a_lesson(void **state)
{
    (void)state;
    char folder[] = "/tmp/lathe-complete-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("XDG_STATE_HOME", folder, 1);
    Shell *sh = shell_dot();
    int code;
    check(sh, "help joinMa", "joinMap");
    check(sh, "load do", "");
    assert_true(shell_line(sh, "lesson tests/lessons/inventory", &code));
    check(sh, "lowe", "");
    check(sh, "und", "undo");
    check(sh, "help joinMa", "");
    check(sh, "help splitJ", "splitJoin");
    check(sh, "help fuseR", "");
    check(sh, "rule joinMa", "");
    check(sh, "where joinMa", "");
    check(sh, "where mapS", "mapSeq");
    check(sh, "set trace joinMa", "");
    check(sh, "lua joinMa", "");
    check(sh, "lua mapSe", "mapSeq+");
    check(sh, "lua t.lowe", "");
    check(sh, "lua t.versio", "version+");
    check(sh, "load do", "dot.fun");
    assert_true(shell_line(sh, "lesson skip", &code));
    check(sh, "lowe", "lower");
    check(sh, "help joinMa", "joinMap");
    check(sh, "lua t.lowe", "lower(+ lower+");
    assert_true(shell_line(sh, "lesson leave", &code));
    check(sh, "help fuseR", "fuseReduce");
    shell_free(sh);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    assert_int_equal(system(remove), 0);
}

static void patterns(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    check_one(sh, "cd 'map", "'map'", "1 match");
    check_one(sh, "cd 'map _ (zip", "'map _ (zip", "array of tuples");
    check_one(sh, "cd 'map _ _", "'map _ _'", "1 match");
    check(sh, "cd 'redu", "'reduce+");
    shell_free(sh);
}

static void strategies(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    int code;
    check_one(sh, "apply splitJ", "splitJoin", "at /in ");
    assert_true(shell_line(sh, "cd /in", &code));
    check(sh, "apply splitJ", "splitJoin");
    check_rest(sh, "apply transposeT", true, "~transposeTwice ~transposeTranspose");
    check(sh, "apply splitJoin(", "1 2 4 8 16 32 64 128 256");
    check(sh, "apply splitJoin(1", "1 16 128");
    check(sh, "apply splitJoin{", "n=+");
    check(sh, "apply splitJoin({n=3", "32");
    check(sh, "apply mapLocal(", "0 1 2");
    check(sh, "apply seq(mapSeq, splitJ", "splitJoin");
    check(sh, "apply mapSeq * topd", "topdown(+");
    check(sh, "apply splitJoin(4) ", "at as");
    check(sh, "try splitJoin(4) ", "at");
    check(sh, "apply gemmCpu{m", "mb=+ mr=+");
    assert_true(shell_line(sh, "data N = 12", &code));
    check(sh, "apply splitJoin(", "1 2 3 4 6 12");
    assert_true(shell_line(sh, "apply splitJoin", &code));
    check(sh, "apply splitJoin(", "1 2 3 4 6 12");           /* s0 is open: what may divide it */
    shell_free(sh);
}

/* What applies below the focus is offered with its place where hardly anything does here; combinators only where nothing else begins so. */
static void rules_below(void **state)
{
    (void)state;
    static const char *const lines[] = {"let turned (A: [N][M]f32) = map (map (\\x -> x + 1)) (transpose (transpose A))", NULL};
    Shell *sh = shell_with(lines);
    check(sh, "apply transposeT", "transposeTwice transposeTranspose");
    check_one(sh, "apply transposeT", "transposeTranspose", "at /in ");
    check(sh, "apply topd", "topdown(+");
    shell_free(sh);
}

/* The conditions of a rule behind `when` and `and`, permutations where a program may have one. */
static void conditions(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    check(sh, "rule r: reduce f z x => reduce f z (reorder rev", "reverse");
    check(sh, "rule r: reduce f z x => reduce f z x when asso", "associative");
    check_one(sh, "rule r: reduce f z x => reduce f z x when associative f and ", "restarts", "z f");
    check_one(sh, "rule r: reduce f z x => reduce f z x when not ", "contains", "mapSeq f");
    check(sh, "rule r: reduce f z x => reduce f z x when associative ", "");
    check(sh, "rule r: map f x => asso", "");
    shell_free(sh);
}

static void versions(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    int code;
    assert_true(shell_line(sh, "apply splitJoin at /in as cut", &code));
    assert_true(shell_line(sh, "param s0 = 4", &code));
    check(sh, "goto @", "@cut @2 @1 @0");
    check_one(sh, "goto @", "@1", "splitJoin{n=s0}");
    check(sh, "goto @c", "@cut");
    check(sh, "run @cut @2", "@2");
    assert_true(shell_line(sh, "goto @cut", &code));
    check(sh, "param ", "s0 =");
    check(sh, "param s0 = 1", "1 16 128");
    check(sh, "param s0 = 16, ", "s0 =");
    check(sh, "param s9 = 16, s0 = 1", "1 16 128");
    check(sh, "param s9=16 s0=1", "1 16 128");
    check(sh, "param s9=16,s0=1", "1 16 128");
    check(sh, "param s9=16,", "s0 =");
    check(sh, "param s9=16 ", "s0 =");
    check(sh, "param s9 = 16 s", "s0 =");
    check(sh, "data ", "N = xs = ys =");
    check(sh, "data N=8,", "N = xs = ys =");
    check(sh, "data N=8, x", "xs =");
    check(sh, "data xs = [1, 2], y", "ys =");
    check(sh, "data ys = random(1, 0, 1) xs = r", "random(+");
    check(sh, "data ys=iota,xs=r", "random(+");
    check(sh, "data xs = r", "random(+");
    shell_free(sh);
}

static void marks(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    int code;
    Path p = {.length = 1, .slots = {2}};                                /* /in */
    assert_true(session_mark_set(sh->session, "products", 0, &p));
    check(sh, "show $", "$products");
    check_one(sh, "apply mapSeq at $p", "$products", "/in");
    assert_true(shell_line(sh, "apply splitJoin(4) at /in", &code));
    check_one(sh, "cd $", "$products", "/in");
    shell_free(sh);
}

static void lua(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    check_one(sh, "=st", "string", NULL);
    check_one(sh, "=string.su", "sub", NULL);
    check_one(sh, "=1 + math.f", "floor", NULL);
    check_one(sh, "=t.sh", "show(", NULL);
    check_one(sh, "=splitJ", "splitJoin", NULL);
    check(sh, "=nosuch.", "");
    shell_free(sh);
}

/* A file of a folder of tests/cases: nothing but what the suffix allows, folders with a slash. */
static void files(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    check(sh, "load " TEST_DIR "/te", TEST_DIR "/ten.fun");
    check(sh, "source " TEST_DIR "/te", "");
    check(sh, "load " TEST_DIR "/../uni", TEST_DIR "/../unit/+");
    check(sh, "load \"" TEST_DIR "/te", "\"" TEST_DIR "/ten.fun\"");
    check(sh, "show > " TEST_DIR "/ten", TEST_DIR "/ten.fun");
    shell_free(sh);
}

static void gives_up(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    Completion c;
    complete(sh, "load " TEST_DIR "/", (int)strlen("load " TEST_DIR "/"), false, -1, &c);
    assert_int_equal(c.items.n, 0);
    completion_free(&c);
    shell_free(sh);
}

/* No line, however it is cut, may crash completion or leave an error behind. */
static void any_prefix(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "apply seq(a, {n = 'x', (((\"[[", "load \"a b", "cd 'map _ (((", "data = = =", "param = ", "show --as= --depth", "=t.a.b:c[", "goto @@@",
        "run @1 @2 -n 3 --no-verify ; apply )))}", "where in in in", "apply at at as", "set \xff\xfe x", "help /x", "x > y | z ; s",
    };
    Shell *sh = shell_dot();
    for (int i = 0; i < COUNT(lines); i++) {
        for (int n = 0; n <= (int)strlen(lines[i]); n++) {
            Completion c;
            complete(sh, lines[i], n, n % 2, COMPLETION_MS, &c);
            assert_false(diag_failed(&sh->c->diag));
            assert_in_range(c.from, 0, n);
            completion_free(&c);
        }
    }
    shell_free(sh);
}

static void kinds(void **state)
{
    (void)state;
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        char *args = strdup(c->args);
        for (char *kind = strtok(args, " "); kind; kind = strtok(NULL, " "))
            if (!completion_knows(kind)) fail_msg("commands.def: %s has arguments of kind %s, which shell/complete.c does not know", c->name, kind);
        free(args);
    }
}

static void results_by_column(void **state)
{
    (void)state;
    Shell *sh = shell_dot();
    Result r = {.key = {.program = "dot", .params = "s7=4", .sizes = "Nine=9"}, .state = RESULT_OK};
    assert_true(results_begin(shell_results(sh), &r) > 0);
    check(sh, "results gf", "gflops+");
    check(sh, "results s7", "s7+");
    check(sh, "results state=b", "building built build-failed");
    check(sh, "results --sort gb", "gbps");
    check(sh, "results --pivot=Ni", "Nine");
    check(sh, "results --format t", "table tsv t4");
    check(sh, "results --plot=", "distribution progress evolution matrix bars lines dots");
    check_one(sh, "results gflops", "gflops", "operations");
    shell_free(sh);
}

/* Where it does not matter what applies at the focus, everything of its kind is offered. */
static void kinds_without_a_place(void **state)
{
    int code;
    Shell *sh = shell_dot();
    (void)state;
    assert_true(shell_line(sh, "rule twist: map f x => map f (reorder reverse (reorder reverse x))", &code));
    assert_true(shell_line(sh, "macro twice = twist * twist", &code));
    assert_true(shell_line(sh, "tag start", &code));
    check(sh, "check splitJ", "splitJoin");
    check(sh, "check gemmC", "");
    check(sh, "where splitJ", "splitJoin");
    check(sh, "macro m = splitJ", "splitJoin");
    check(sh, "macro m = seq(mapFu", "mapFusion");
    check(sh, "rule -d ", "twist");
    check(sh, "macro -d ", "twice");
    check(sh, "tag -d ", "start");
    check(sh, "rule r: map f x => reduceSeqPr", "reduceSeqPrefetch");
    check(sh, "let g (x: [N]f32) = map (\\v -> do", "dot");
    check(sh, "replay @0..@0 on ", "dot");
    check(sh, "moves --kind f", "fusion fission");
    shell_free(sh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands), cmocka_unit_test(sketches), cmocka_unit_test(settings), cmocka_unit_test(places), cmocka_unit_test(patterns),
        cmocka_unit_test(strategies), cmocka_unit_test(versions), cmocka_unit_test(marks), cmocka_unit_test(lua), cmocka_unit_test(files),
        cmocka_unit_test(answers), cmocka_unit_test(in_a_lesson), cmocka_unit_test(gives_up), cmocka_unit_test(any_prefix), cmocka_unit_test(kinds),
        cmocka_unit_test(results_by_column), cmocka_unit_test(kinds_without_a_place), cmocka_unit_test(rules_below),
        cmocka_unit_test(conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
