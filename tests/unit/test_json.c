/* --json: the examples of every command, run by lathe; every line has the shape that the schema promises. */
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "shell.h"
#include "schema.h"

/* ---- the part of JSON Schema that schema.c writes ---- */

static bool valid(json_t *root, json_t *schema, json_t *value, const char *where, Buf *why);

static bool is_type(const char *type, json_t *v)
{
    if (!strcmp(type, "string")) return json_is_string(v);
    if (!strcmp(type, "integer")) return json_is_integer(v);
    if (!strcmp(type, "number")) return json_is_number(v);
    if (!strcmp(type, "boolean")) return json_is_boolean(v);
    if (!strcmp(type, "array")) return json_is_array(v);
    if (!strcmp(type, "null")) return json_is_null(v);
    return !strcmp(type, "object") && json_is_object(v);
}

static bool wrong(Buf *why, const char *where, const char *what, const char *detail)
{
    buf_printf(why, "  %s %s %s\n", *where ? where : "data", what, detail);
    return false;
}

static bool valid_object(json_t *root, json_t *schema, json_t *value, const char *where, Buf *why)
{
    json_t *properties = json_object_get(schema, "properties"), *v, *name;
    json_t *more = json_object_get(schema, "additionalProperties");
    const char *key;
    size_t i;
    json_array_foreach(json_object_get(schema, "required"), i, name)
        if (!json_object_get(value, json_string_value(name))) return wrong(why, where, "lacks", json_string_value(name));
    json_object_foreach(value, key, v) {
        char at[300];
        json_t *type = json_object_get(properties, key);
        snprintf(at, sizeof at, "%s.%s", where, key);
        if (!type && json_is_false(more)) return wrong(why, where, "has a key that is not in the schema:", key);
        if (!type) type = more;
        if (type && !valid(root, type, v, at, why)) return false;
    }
    return true;
}

static bool valid_any_of(json_t *root, json_t *options, json_t *value, const char *where, Buf *why)
{
    json_t *option;
    size_t i;
    Buf all = {0};
    json_array_foreach(options, i, option) {
        bool ok = valid(root, option, value, where, &all);
        if (ok) buf_free(&all);
        if (ok) return true;
    }
    buf_puts(why, buf_text(&all));
    buf_free(&all);
    return false;
}

static json_t *referred(json_t *root, const char *ref)
{
    assert_int_equal(strncmp(ref, "#/$defs/", 8), 0);
    json_t *def = json_object_get(json_object_get(root, "$defs"), ref + 8);
    if (!def) fail_msg("the schema refers to %s, which it does not define", ref);
    return def;
}

static bool valid(json_t *root, json_t *schema, json_t *value, const char *where, Buf *why)
{
    const char *ref = json_string_value(json_object_get(schema, "$ref"));
    const char *type = json_string_value(json_object_get(schema, "type"));
    json_t *constant = json_object_get(schema, "const"), *any = json_object_get(schema, "anyOf"), *v;
    size_t i;
    if (ref) return valid(root, referred(root, ref), value, where, why);
    if (any) return valid_any_of(root, any, value, where, why);
    if (constant) return json_equal(constant, value) || wrong(why, where, "is not", "the constant");
    if (type && !is_type(type, value)) return wrong(why, where, "is no", type);
    if (json_is_object(value) && !valid_object(root, schema, value, where, why)) return false;
    json_t *items = json_object_get(schema, "items");
    json_array_foreach(value, i, v) {
        char at[300];
        snprintf(at, sizeof at, "%s[%zu]", where, i);
        if (items && !valid(root, items, v, at, why)) return false;
    }
    return true;
}

/* ---- running examples ---- */

static const char dot[] = "let dot (xs : [N]f32) (ys : [N]f32) = reduce (+) 0 (map (*) (zip xs ys))\n";
static const char setup[] = "load dot.fun\ndata N = 64\n";

static char folder[64];
static int problems;
#define complain(...) (print_error(__VA_ARGS__), print_error("\n"), problems++)

static void write_text(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static FILE *run(const char *lines)
{
    char command[600];
    write_text("commands", lines);
    snprintf(command, sizeof command, "cd %s && XDG_STATE_HOME=%s/state XDG_CONFIG_HOME=%s/config %s --json --no-init --set times=off <commands 2>errors",
             folder, folder, folder, LATHE);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    return f;
}

/* Without a device nothing can be run. */
static bool lacks_device(json_t *line)
{
    const char *id = json_string_value(json_object_get(json_array_get(json_object_get(line, "diag"), 0), "id"));
    return id && !strcmp(id, "E60");
}

static void check_line(json_t *schema, const char *text, const char *example, const char *command, bool *seen)
{
    json_error_t error;
    Buf why = {0};
    json_t *line = json_loads(text, 0, &error);
    if (!line) {
        complain("no JSON in the output of \"%s\": %s: %s", example, error.text, text);
        return;
    }
    const char *verb = json_string_value(json_object_get(line, "verb"));
    if (!valid(schema, schema, line, "", &why))
        complain("a line of --json is not as the schema says, for \"%s\":\n%s%.300s", example, buf_text(&why), text);
    if (lacks_device(line) || json_object_get(line, "event")) {
        *seen = *seen || lacks_device(line);
        buf_free(&why);
        json_decref(line);
        return;
    }
    if (!json_is_true(json_object_get(line, "ok")))
        complain("the example \"%s\" of %s fails: %.600s", example, command, text);
    if (verb && !strcmp(verb, command)) {
        json_t *type = schema_of(command_find(NULL, verb, NULL)->report);
        *seen = *seen || !strcmp(verb, command);
        if (!valid(schema, type, json_object_get(line, "data"), "", &why))
            complain("the JSON data of %s is not what commands.def says, for \"%s\":\n%s%.300s", verb, example,
                     buf_text(&why), text);
        json_decref(type);
    }
    buf_free(&why);
    json_decref(line);
}

static void check_example(json_t *schema, const char *example, const char *command)
{
    Buf lines = {0};
    char *line = NULL;
    size_t cap = 0;
    bool seen = false;
    buf_printf(&lines, "%s%s\n", setup, example);
    FILE *f = run(lines.data);
    while (getline(&line, &cap, f) > 0) check_line(schema, line, example, command, &seen);
    int status = pclose(f);
    if (status && WEXITSTATUS(status) != error_code(E60)) complain("lathe fails on the example \"%s\"", example);
    if (!seen) complain("the example \"%s\" does not run %s", example, command);
    free(line);
    buf_free(&lines);
}

/* Examples are lines; one that begins with a blank goes on with the one before. */
static void check_examples(json_t *schema, const Command *c)
{
    for (const char *p = c->examples; *p;) {
        size_t n = strcspn(p, "\n");
        while (p[n] && p[n + 1] == ' ') n += 1 + strcspn(p + n + 1, "\n");
        char *example = strndup(p, n);
        check_example(schema, example, c->name);
        free(example);
        p += n + (p[n] == '\n');
    }
}

static void examples(void **state)
{
    (void)state;
    json_t *schema = schema_all();
    assert_non_null(schema);
    for (int i = 0; i < command_count(); i++) check_examples(schema, command_get(i));
    json_decref(schema);
    assert_int_equal(problems, 0);
}

/* Failures have the envelope too. */
static void failures(void **state)
{
    (void)state;
    static const char *const lines[] = {"bogus", "show /nosuch", "apply mapFusion", "show (", "!false", "goto @99",
                                        "load nosuch.fun", "data N = x", "set width 1", "reach 'contains (scan _ _ _)' using splitJoin", "prove addSum"};
    json_t *schema = schema_all();
    for (int i = 0; i < COUNT(lines); i++) {
        char *line = NULL;
        size_t cap = 0;
        int count = 0;
        Buf text = {0}, why = {0};
        buf_printf(&text, "%s%s\n", setup, lines[i]);
        FILE *f = run(text.data);
        for (; getline(&line, &cap, f) > 0; count++) {
            json_t *o = json_loads(line, 0, NULL);
            if (!o || !valid(schema, schema, o, "", &why)) fail_msg("\"%s\": %s%s", lines[i], buf_text(&why), line);
            assert_int_equal(json_is_true(json_object_get(o, "ok")), count < 2);
            if (count == 2) assert_true(json_array_size(json_object_get(o, "diag")) > 0);
            json_decref(o);
        }
        assert_int_equal(count, 3);
        pclose(f);
        free(line);
        buf_free(&text);
        buf_free(&why);
    }
    json_decref(schema);
}

/* What failed reports how far it came, with what is there of it. */
static void partial(void **state)
{
    (void)state;
    char *line = NULL, last[4000] = "";
    size_t cap = 0;
    char text[400];
    snprintf(text, sizeof text, "%sreach 'contains (scan _ _ _)' through 'contains (split 4 _)' using splitJoin\n", setup);
    FILE *f = run(text);
    while (getline(&line, &cap, f) > 0) snprintf(last, sizeof last, "%s", line);
    json_t *o = json_loads(last, 0, NULL), *data = json_object_get(o, "data");
    assert_false(json_is_true(json_object_get(o, "ok")));
    assert_string_equal(json_string_value(json_object_get(data, "end")), "saturated");
    assert_int_equal(json_array_size(json_object_get(data, "missing")), 1);
    assert_int_equal(json_array_size(json_object_get(data, "steps")), 1);
    assert_true(json_integer_value(json_object_get(data, "nodes")) > 0);
    json_decref(o);
    pclose(f);
    free(line);
}

/* The validator itself refuses what it must. */
static void refusals(void **state)
{
    (void)state;
    static const struct { const char *type, *json; bool ok; } cases[] = {
        {"{a:s b?:i}", "{\"a\":\"x\"}", true}, {"{a:s b?:i}", "{\"b\":1}", false}, {"{a:s b?:i}", "{\"a\":\"x\",\"c\":1}", false},
        {"[i?]", "[1,null]", true}, {"[i?]", "[1,\"x\"]", false}, {"{*:n}", "{\"x\":1.5}", true}, {"{*:i}", "{\"x\":1.5}", false},
        {"s|[s]", "[\"a\"]", true}, {"s|[s]", "1", false}, {"time", "\"-\"", true}, {"time", "\"+\"", false}, {"{}", "{}", true}, {"{}", "{\"a\":1}", false},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        Buf why = {0};
        json_t *schema = schema_of(cases[i].type), *value = json_loads(cases[i].json, JSON_DECODE_ANY, NULL);
        assert_non_null(schema);
        if (valid(schema, schema, value, "", &why) != cases[i].ok) fail_msg("%s against %s", cases[i].json, cases[i].type);
        json_decref(schema);
        json_decref(value);
        buf_free(&why);
    }
    assert_null(schema_of("{a:}"));
    assert_null(schema_of("{a:s"));
    assert_null(schema_of("[nosuch]"));
    assert_null(schema_of("s s"));
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/json-lathe-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    write_text("dot.fun", dot);
    write_text("script.lathe", "show\n");
    return 0;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refusals), cmocka_unit_test(examples), cmocka_unit_test(failures), cmocka_unit_test(partial)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
