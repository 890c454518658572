/* The tables that drive help, completion, the manual and the schema: nothing is without help, and they agree with each other. */
#include <ctype.h>
#include <glob.h>

#include "names.h"
#include "unit.h"
#include "commands.h"
#include "manual.h"
#include "schema.h"

static volatile int stop;
static int problems;

/* All that is wrong is told at once. */
#define complain(...) (print_error(__VA_ARGS__), print_error("\n"), problems++)

static void told(void)
{
    int n = problems;
    problems = 0;
    if (n) fail();
}

/* ---- commands ---- */

static void commands_have_help(void **state)
{
    (void)state;
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        if (!*c->help) complain("commands.def: %s has no line of help", c->name);
        if (strncmp(c->form, c->name, strlen(c->name)))
            complain("commands.def: the form of %s does not begin with it: %s", c->name, c->form);
        for (int k = 0; k < i; k++) {
            if (c->letter && command_get(k)->letter == c->letter)
                complain("commands.def: %s and %s are both %c", command_get(k)->name, c->name, c->letter);
        }
    }
    told();
}

static void commands_have_reports(void **state)
{
    (void)state;
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        json_t *schema = schema_of(c->report);
        if (!*c->examples) complain("commands.def: %s has no example", c->name);
        if (!schema) complain("commands.def: what %s reports does not parse: %s", c->name, c->report);
        json_decref(schema);
    }
    told();
}

/* The entry of a flag in "as=expr|tree full"; '=' takes a value, 1 does not, 0: none. */
static int in_flags(const char *flags, const char *name, size_t n)
{
    for (const char *p = flags; *p; p += strspn(p, " ")) {
        size_t len = strcspn(p, "= ");
        if (len == n && !strncmp(p, name, n)) return p[len] == '=' ? '=' : 1;
        p += strcspn(p, " ");
    }
    return 0;
}

/* The next flag of a form at or behind *p: its name without dashes, and whether a value follows. */
static bool next_flag(const char **p, const char **name, size_t *n, bool *value)
{
    for (; (*p = strchr(*p, '-')); ++*p) {
        const char *at = *p + 1 + ((*p)[1] == '-');
        if (!strchr("[ |", (*p)[-1]) || !isalpha((unsigned char)*at)) continue;
        for (*n = 0; isalpha((unsigned char)at[*n]) || at[*n] == '-'; ++*n) {}
        *name = at;
        *value = at[*n] == ' ' && at[*n + 1] != '|' && at[*n + 1] != '-' && at[*n + 1] != '[';
        *p = at + *n;
        return true;
    }
    return false;
}

static bool in_form(const char *form, const char *flag, size_t n)
{
    const char *name;
    size_t len;
    bool value;
    while (next_flag(&form, &name, &len, &value))
        if (len == n && !strncmp(name, flag, n)) return true;
    return false;
}

/* Commands that take their text as it is look for their flags themselves. */
static void flags_are_in_forms(void **state)
{
    (void)state;
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        const char *form = c->form, *name;
        size_t n;
        bool value;
        while (c->tail == TAIL_WORDS && next_flag(&form, &name, &n, &value)) {
            int kind = in_flags(c->flags, name, n);
            if (!kind) complain("commands.def: %s shows -%.*s in its form, but not in its flags", c->name, (int)n, name);
            if ((kind == '=') != value) complain("commands.def: %s: -%.*s takes a value in its form or in its flags only", c->name, (int)n, name);
        }
        for (const char *p = c->flags; *p; p += strspn(p, " ")) {
            n = strcspn(p, "= ");
            if (!in_form(c->form, p, n))
                complain("commands.def: %s has the flag %.*s, but not in its form", c->name, (int)n, p);
            p += strcspn(p, " ");
        }
    }
    told();
}

/* ---- everything else that has a name ---- */

static void need_help(const char *what, const char *name, const char *help)
{
    if (!help || !*help) complain("%s %s has no help", what, name);
}

/* The text of `list` names every kind there is. */
static void kinds_are_named(void **state)
{
    (void)state;
    const Command *c = command_find(NULL, "list", NULL);
    for (int i = 0; list_kind(i); i++)
        if (!strstr(c->more, list_kind(i))) complain("commands.def: the help of list does not name %s", list_kind(i));
    told();
}

static void names_have_help(void **state)
{
    (void)state;
    Shell *sh = shell_new(&stop);
    sh->results_file = ":memory:";
    Rules *rules = session_rules(sh->session);
    Strategies *s = shell_strategies(sh);
    for (int i = 0; i < rules_count(rules); i++) need_help("rule", rules_get(rules, i)->name, rules_get(rules, i)->doc);
    for (int i = 0; i < strategies_name_count(s); i++)
        need_help("strategy", strategies_name(s, i)->name, strategies_name(s, i)->doc);
    for (int i = 0; i < PRIM_COUNT; i++) need_help("primitive", prim((PrimId)i)->name, prim((PrimId)i)->help);
    for (int i = 0; i < SETTING_COUNT; i++) need_help("setting", setting((SettingId)i)->name, setting((SettingId)i)->help);
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++) need_help("error", error_name((ErrorId)i), error_help((ErrorId)i));
    for (int i = 0; i < WARNING_COUNT; i++) need_help("warning", warning_name((WarningId)i), warning_help((WarningId)i));
    Topic t;
    Arena *arena = arena_new();
    for (int i = 0; topic_get(arena, i, &t); i++) {
        need_help("topic", t.name, t.text);
        need_help("topic", t.name, t.title);
    }
    arena_free(arena);
    shell_free(sh);
    told();
}

/* `help NAME` answers for every name there is. */
static void help_knows(Shell *sh, const char *name)
{
    int code;
    char line[200];
    snprintf(line, sizeof line, "help %s > /dev/null", name);
    if (!shell_line(sh, line, &code)) complain("%s: code %d", line, code);
}

static void help_answers(void **state)
{
    (void)state;
    Shell *sh = shell_new(&stop);
    sh->results_file = ":memory:";
    Rules *rules = session_rules(sh->session);
    Strategies *s = shell_strategies(sh);
    for (int i = 0; i < command_count(); i++) help_knows(sh, command_get(i)->name);
    for (int i = 0; i < rules_count(rules); i++) help_knows(sh, rules_get(rules, i)->name);
    for (int i = 0; i < strategies_name_count(s); i++) help_knows(sh, strategies_name(s, i)->name);
    for (int i = 0; i < PRIM_COUNT; i++)
        if (isalpha((unsigned char)*prim((PrimId)i)->name)) help_knows(sh, prim((PrimId)i)->name);
    for (int i = 0; i < SETTING_COUNT; i++) help_knows(sh, setting((SettingId)i)->name);
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++) help_knows(sh, error_name((ErrorId)i));
    for (int i = 0; i < WARNING_COUNT; i++) help_knows(sh, warning_name((WarningId)i));
    Topic t;
    Arena *arena = arena_new();
    for (int i = 0; topic_get(arena, i, &t); i++) help_knows(sh, t.name);
    arena_free(arena);
    shell_free(sh);
    told();
}

/* ---- errors are shown in a transcript; only an internal one ends lathe, in batch.sh ---- */

static char *read_all(const char *file)
{
    FILE *f = fopen(file, "r");
    Buf b = {0};
    char piece[4096];
    assert_non_null(f);
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;) buf_write(&b, piece, n);
    fclose(f);
    return b.data ? b.data : strdup("");
}

/* Does a line of the transcript begin with the id? */
static bool shown_in(const char *text, const char *id)
{
    char line[16];
    snprintf(line, sizeof line, "\n%s ", id);
    return strstr(text, line) != NULL;
}

static void errors_are_shown(void **state)
{
    (void)state;
    glob_t files;
    bool seen[ERROR_COUNT] = {false};
    assert_int_equal(glob(TEST_DIR "/../cases/*.t", 0, NULL, &files), 0);
    for (size_t k = 0; k < files.gl_pathc; k++) {
        char *text = read_all(files.gl_pathv[k]);
        for (int i = E_NONE + 1; i < ERROR_COUNT; i++) seen[i] = seen[i] || shown_in(text, error_name((ErrorId)i));
        free(text);
    }
    globfree(&files);
    char *batch = read_all(TEST_DIR "/../batch.sh");
    seen[E70] = strstr(batch, "err '^E70 ") != NULL;
    free(batch);
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++)
        if (!seen[i])
            complain("%s (%s) is in no transcript tests/cases/*.t", error_name((ErrorId)i), error_help((ErrorId)i));
    told();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_have_help), cmocka_unit_test(commands_have_reports), cmocka_unit_test(flags_are_in_forms),
        cmocka_unit_test(kinds_are_named), cmocka_unit_test(names_have_help), cmocka_unit_test(help_answers), cmocka_unit_test(errors_are_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
