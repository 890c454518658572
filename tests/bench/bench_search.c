/* How many evaluations each strategy needs on recorded spaces (tests/bench/recorded), without a device: with 95 % of 100 seeds it is as
 * close to the best by then; beside it what random search needs by the exact formula. More than allowed: never. */
#include "bench.h"
#include "lua_host.h"
#include "strategy.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_text(const char *file)
{
    char piece[8192];
    Buf text = {0};
    FILE *f = fopen(file, "rb");
    for (size_t n; f && (n = fread(piece, 1, sizeof piece, f)) > 0;) buf_write(&text, piece, n);
    if (f) fclose(f);
    return text.data;
}

static double number(const json_t *need, const char *key, double otherwise)
{
    const json_t *v = json_object_get(need, key);
    return json_is_number(v) ? json_number_value(v) : otherwise;
}

static void print_need(const json_t *report, const json_t *strategy, const json_t *need, const json_t *exact)
{
    char what[120];
    double never = number(report, "evaluations", 0) + 1;
    snprintf(what, sizeof what, "%s, %s, within %d %%", json_string_value(json_object_get(report, "program")),
             json_string_value(json_object_get(strategy, "strategy")), (int)number(need, "within", 0));
    const BenchLine line = {"search", json_string_value(json_object_get(report, "device")), what, "random by formula", number(need, "n95", never),
                            number(exact, "n95", never), "evaluations", false};
    bench_print(&line);
}

static void print_report(const json_t *report)
{
    const json_t *all = json_object_get(report, "strategies"), *exact = json_object_get(json_array_get(all, 0), "needs");
    for (size_t i = 1; i < json_array_size(all); i++) {
        const json_t *strategy = json_array_get(all, i), *needs = json_object_get(strategy, "needs");
        for (size_t k = 0; k < json_array_size(needs); k++)
            print_need(report, strategy, json_array_get(needs, k), json_array_get(exact, k));
    }
}

static int compare(const char *file)
{
    Session *s = session_new();
    Ctx *c = session_ctx(s);
    Strategies *st = strategies_new(c, session_rules(s), session_defs(s));
    char *text = read_text(file);
    json_t *report = NULL, *spec = json_pack("{s:b, s:s, s:s*}", "simulate", 1, "using", "all", "text", text);
    Buf out = {0};
    bool ok = st && text && strategies_command(st, "command", spec, &out, &report);
    fputs(buf_text(&out), stderr);
    if (ok) print_report(report);
    else fprintf(stderr, "search: %s: %s\n", file, c->diag.message ? c->diag.message : "cannot be read");
    buf_free(&out);
    json_decref(spec);
    json_decref(report);
    free(text);
    strategies_free(st);
    session_free(s);
    return !ok;
}

int main(void)
{
    glob_t found;
    int bad = 0;
    if (glob("tests/bench/recorded/*.tsv", 0, NULL, &found)) return fputs("search: there are no recordings\n", stderr), 1;
    for (size_t i = 0; i < found.gl_pathc; i++) bad += compare(found.gl_pathv[i]);
    globfree(&found);
    return bad > 0;
}
