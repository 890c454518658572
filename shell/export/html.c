/* html: a derivation as one page that needs nothing else: the tree, each step with its terms, rules, kernels and
 * times. It is well-formed XML too, reads in order without its script, and prints. */
#include "html_private.h"
#include "commands.h"
#include "export.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "embedded.h"

/* larger terms show only what changed; inner steps behind so many, only what they are called */
enum { WHOLE_NODES = 3000, INNER_SHOWN = 200, PLANS_BESIDE = 40, RESULTS_SHOWN = 12 };

/* ---- rules and macros by name ---- */

/* A step as it is typed, its rules and macros with links to their cards. */
static void put_call(Page *page, const char *call)
{
    size_t n;
    for (const char *p; (p = call_name(call, &n)); call = p + n) {
        const char *name = arena_strndup(page->sh->scratch, p, n);
        html_bytes(page->out, call, (size_t)(p - call));
        const StrategyName *m = strategies_find(shell_strategies(page->sh), name);
        if (rules_find(session_rules(page->sh->session), name) || (m && m->doc && *m->doc && m->kind != NAME_VALUE)) {
            if (text_index(page->names.v, page->names.n, name) < 0) vec_push(&page->names, name);
            buf_printf(page->out, "<a class=\"rule\" href=\"#rule-%s\">%s</a>", name, name);
        } else {
            html_text(page->out, name);
        }
    }
    html_text(page->out, call);
}

static void put_element(Buf *out, const char *tag, const char *text)
{
    html_element(out, tag, text);
    buf_putc(out, '\n');
}

static void put_rule_card(Page *page, const Rule *r)
{
    Buf trust = {0}, *out = page->out;
    const char *example = rule_example(page->sh->c, r);
    put_element(out, "p class=\"eq\"", r->text);
    if (*r->doc) put_element(out, "p", r->doc);
    const char **conditions;
    int n = rule_conditions(r, page->sh->scratch, &conditions);
    for (int i = 0; i < n; i++) {
        buf_puts(page->out, i ? ", " : "<p>Only when ");
        html_element(page->out, "code", conditions[i]);
    }
    if (n) buf_puts(page->out, "</p>\n");
    if (r->param_count) buf_puts(out, "<ul>\n");
    for (int i = 0; i < r->param_count; i++) {
        const RuleParam *p = &r->params[i];
        buf_printf(out, "<li><code>%s</code>: %s%s</li>\n", p->name, rule_param_word(p), !p->given ? ", found by matching" :
                   p->kind == STATIC_SIZE ? "; left out: a fresh parameter" : "");
    }
    if (r->param_count) buf_puts(out, "</ul>\n");
    if (example) put_element(out, "p class=\"example\"", example);
    trust_text(r, &trust);
    put_element(out, "p class=\"note\"", arena_printf(page->sh->scratch, "%s; %s%s%s", r->kind, buf_text(&trust),
                                                      *r->origin ? "; from " : "", r->origin));
    buf_free(&trust);
}

static void put_cards(Page *page)
{
    if (page->names.n) qsort(page->names.v, (size_t)page->names.n, sizeof *page->names.v, compare_text);
    buf_puts(page->out, "<section id=\"rules\" class=\"cards\">\n<h2>Rules and macros</h2>\n");
    for (int i = 0; i < page->names.n && !*page->sh->stop; i++) {
        const char *name = page->names.v[i];
        Buf *out = page->out;
        const Rule *r = rules_find(session_rules(page->sh->session), name);
        const StrategyName *n = r ? NULL : strategies_find(shell_strategies(page->sh), name);
        buf_printf(out, "<article class=\"card\" id=\"rule-%s\"><h3>%s", name, name);
        for (int j = 0; r && j < r->param_count; j++) buf_printf(out, "%s%s", j ? ", " : "(", r->params[j].name);
        buf_puts(out, r && r->param_count ? ")" : "");
        html_text(out, n && n->params ? n->params : "");
        buf_puts(out, "</h3>\n");
        if (r) put_rule_card(page, r);
        if (n && n->doc) put_element(out, "p", n->doc);
        if (n && n->text) put_element(out, "p class=\"eq\"", arena_printf(page->sh->scratch, "macro %s", n->text));
        buf_puts(out, "</article>\n");
    }
    buf_puts(page->out, "</section>\n");
}

static void put_at(Page *page, const char *place) { put_element(page->out, "code class=\"place\"", place); }

static void put_facts(Page *page, const Version *v)
{
    Buf *out = page->out;
    Shell *sh = page->sh;
    const Version *same = session_same(sh->session, v);
    const char *assumed = version_assumed(sh, v);
    buf_puts(out, "<p class=\"facts\">Type ");
    html_element(out, "code", type_text(sh->c, v->root->type));
    buf_printf(out, "; %s", assumed ? "? rests on the " : trust_name(v->trust));
    html_text(out, assumed ? assumed : "");
    if (v->tag) {
        buf_puts(out, "; tag ");
        html_element(out, "span class=\"tag\"", v->tag);
    }
    if (same) buf_printf(out, "; the same term as <a href=\"#%s\">@%d</a>", html_id(page, same, 0), same->number);
    show_hash(sh, out, "; hash <code>", v->hash, "</code>");
    buf_puts(out, "</p>\n");
}

static void put_inner(Page *page, const Version *v, bool change)
{
    if (v->sub_count < 2) return;
    buf_printf(page->out, "<details class=\"inner\" open=\"\"><summary>%d inner steps</summary>\n<ol>\n", v->sub_count);
    for (int i = 0; i < v->sub_count && !*page->sh->stop; i++) {
        Path at;
        const SubStep *sub = &v->subs[i];
        const Term *before = i ? v->subs[i - 1].root : v->from->root;
        int depth = sub->within ? sub->within->depth + 1 : 0;
        place_path(sub->at, &at);
        const MacroUse *use;
        for (int level = use_shared(i ? v->subs[i - 1].within : NULL, sub->within); (use = use_at(sub->within, level)); level++) {
            buf_printf(page->out, "<li class=\"use d%d\"><code>", use->depth < 6 ? use->depth : 6);
            put_call(page, use->call);
            buf_puts(page->out, "</code> at ");
            put_at(page, use->place);
            buf_puts(page->out, "</li>\n");
        }
        buf_printf(page->out, "<li value=\"%d\" class=\"d%d\"><code>", i + 1, depth < 6 ? depth : 6);
        put_call(page, sub->call);
        buf_puts(page->out, "</code> at ");
        put_at(page, path_text(page->sh->c, before, &at));
        if (sub->trust == TRUST_ASSUMED) buf_puts(page->out, " assumed");
        term_step_place(before, sub->root, &at, &at);
        if (change && i < INNER_SHOWN) html_small_change(page, before, sub->root, &at);
        buf_puts(page->out, "</li>\n");
    }
    buf_puts(page->out, "</ol>\n</details>\n");
}

static void put_results(Page *page, const Version *v)
{
    Buf *out = page->out;
    int shown = 0;
    bool times = show_times(page->sh);
    for (int i = 0; i < page->result_count && shown < RESULTS_SHOWN; i++) {
        const Result *all = page->results, *r = &all[i];
        /* Of those with the same device and sizes the first is the fastest. */
        bool slower = ANY(j, i, all[j].key.version == v->hash && !strcmp(all[j].key.device, r->key.device)
                                && !strcmp(all[j].key.sizes, r->key.sizes));
        if (r->key.version != v->hash || slower) continue;
        if (shown++ == 0)
            buf_puts(out, "<table><caption>Runs, the fastest of each</caption>\n<thead><tr><th>device</th><th>sizes</th>"
                     "<th>parameters</th><th>result</th><th>ms</th><th>GB/s</th></tr></thead>\n<tbody>\n");
        const char *columns[] = {r->key.device, r->key.sizes, r->key.params, result_state_name(r->state)};
        buf_puts(out, "<tr>");
        for (int j = 0; j < COUNT(columns); j++) html_element(out, "td", columns[j]);
        const char *ms = r->ns > 0 ? times ? show_figure(page->sh, r->ns / 1e6) : "-" : "";
        double rate = r->ns > 0 ? r->bytes / r->ns : 0;
        const char *gbps = rate > 0 ? times ? show_figure(page->sh, rate) : "-" : "";
        buf_printf(out, "<td class=\"figure\">%s</td><td class=\"figure\">%s</td></tr>\n", ms, gbps);
    }
    if (shown) buf_puts(out, "</tbody></table>\n");
}

/* ---- sections ---- */

/* Kernels of what the page shows of a version, if it can be mapped as it stands and is not one of too many. */
static Plan *plan_for(Page *page, const Version *v, bool on_path)
{
    if (!on_path && page->plans_left == 0) return NULL;
    Plan *plan = shell_plan_mapped(page->sh, v);
    diag_clear(&page->sh->c->diag);
    if (plan && !on_path) page->plans_left--;
    return plan;
}

static void put_step(Page *page, const ChainStep *k, bool on_path)
{
    const Version *v = k->version;
    bool complete = k->sub_to == v->sub_count;
    Labels labels = {.id = html_id(page, v, k->sub_to)};
    Plan *plan = complete ? plan_for(page, v, on_path) : NULL;
    bool whole = (on_path || plan) && k->after->size <= WHOLE_NODES && k->before->size <= WHOLE_NODES;
    if (plan && whole && !k->reversed) html_places(plan, &labels);
    buf_printf(page->out, "<section id=\"%s\"%s>\n", labels.id, on_path ? " class=\"way\"" : "");
    Buf *out = page->out;
    const ChainView view = chain_view(page->sh, k);
    const char *sign = !strcmp(view.arrow, "=>") ? "→" : !strcmp(view.arrow, "<=") ? "←" : "=";
    buf_printf(out, "<h2><span class=\"ends\">%s %s %s</span> <code>", view.from, sign, view.to);
    put_call(page, k->call);
    buf_puts(out, "</code>");
    if (view.place) {
        buf_puts(out, " <span class=\"at\">at ");
        put_at(page, view.place);
        buf_puts(out, "</span>");
    }
    buf_puts(out, "</h2>\n");
    /* Of a step that is shown by itself: "step 3 of 16 in blockFold(8, 4)". */
    if (page->expand && k->sub_to - k->sub_from == 1 && v->sub_count > 1) {
        buf_printf(page->out, "<p class=\"facts\">Step %d of %d in <code>", k->sub_to, v->sub_count);
        put_call(page, v->call);
        buf_puts(page->out, "</code></p>\n");
    }
    const Rule *rule = chain_rule(page->sh, k);
    /* the macro that the step is an application of, if it is one's alone */
    const char *name = arena_strndup(page->sh->scratch, k->call, strcspn(k->call, "({"));
    const StrategyName *macro = rule || !call_is_single(k->call) ? NULL : strategies_find(shell_strategies(page->sh), name);
    if (rule) put_element(page->out, "p class=\"eq\"", rule->text);
    if (rule && *rule->doc) put_element(page->out, "p class=\"doc\"", rule->doc);
    if (macro && macro->doc) put_element(page->out, "p class=\"doc\"", macro->doc);
    html_change(page, k, whole, labels.v.n ? &labels : NULL);
    if (complete) {
        const char *params = k->reversed ? "" : step_params(page->sh, v, "");
        if (*params) put_element(out, "pre class=\"params\"", params);
        put_facts(page, v);
        put_results(page, v);
        if (!page->expand || !on_path) put_inner(page, v, on_path && !page->alone);
        if (plan) html_kernels(page, v, plan, &labels);
    }
    buf_puts(page->out, "</section>\n");
    free(labels.v.v);
}

/* Where the page begins: the source, or the version that its tree hangs from. */
static void put_top(Page *page)
{
    const Version *v = page->top;
    Labels labels = {.id = html_id(page, v, 0)};
    Plan *plan = plan_for(page, v, true);
    if (plan) html_places(plan, &labels);
    buf_printf(page->out, "<section id=\"%s\" class=\"way\">\n<h2><span class=\"ends\">%s</span> <code>", labels.id,
               version_name(page->sh, v));
    put_call(page, v->call);
    buf_puts(page->out, "</code></h2>\n");
    put_element(page->out, "pre class=\"source\"", page->d->program->text);
    if (v->parent >= 0 || plan) html_term(page, v->root, plan ? &labels : NULL);
    Values values;
    Buf text = {0};
    session_given_values(page->sh->session, v, page->sh->scratch, &values);
    values_print(&values, &text);
    if (text.len) put_element(page->out, "p class=\"facts\"", buf_text(&text));
    buf_free(&text);
    put_facts(page, v);
    put_results(page, v);
    /* Which functions share a kernel: as the path's fuseAs says, else as is predicted best. */
    const char *call = NULL;
    for (int i = 0; i < page->step_count; i++)
        if (!strncmp(page->steps[i].call, "fuseAs(", 7)) call = page->steps[i].call;
    strategies_draw_fusions(shell_strategies(page->sh), page->top, call, page->out);
    if (plan) html_kernels(page, v, plan, &labels);
    buf_puts(page->out, "</section>\n");
    free(labels.v.v);
}

/* ---- the page ---- */

const char *page_text(const char *name)
{
    const EmbeddedText *e = embedded_page;
    while (e->name && strcmp(e->name, name)) e++;
    return e->name ? e->text : "";
}

/* The page of a path, none of its parts written yet; false: E24. */
static bool begin(Shell *sh, const Version *from, const Version *to, bool expand, Page *page)
{
    ChainStep *steps;
    *page = (Page){.sh = sh, .d = session_current(sh->session), .expand = expand, .plans_left = PLANS_BESIDE};
    if (!shell_strategies(sh)) return false;
    page->step_count = session_chain(sh->session, from, to, expand, sh->scratch, &steps);
    page->steps = steps;
    page->top = session_ancestor(from, to);
    if (page->top->inner) page->top = page->top->from;
    page->shape = tree_shape(sh, page->d);
    page->on_path = NEW_ARRAY(sh->scratch, bool, page->d->versions.n);
    page->on_path[page->top->number] = true;
    for (int i = 0; i < page->step_count; i++)
        if (!page->steps[i].version->inner) page->on_path[page->steps[i].version->number] = true;
    Result *list;
    const char *const filters[] = {arena_printf(sh->scratch, "program=%s", page->d->program->name),
                                   "options!~" RESULT_PARANOID, "transfer=none"};
    ResultQuery query = {.filters = filters, .filter_count = COUNT(filters)};
    int count = results_query(shell_results(sh), &query, sh->scratch, &list, diag(sh));
    if (count > 0) page->results = list, page->result_count = count;
    return true;
}

bool export_html(Shell *sh, const ExportRange *range, Buf *out)
{
    Page page;
    if (!begin(sh, range->from, range->to, range->expand, &page)) return false;
    page.out = out;
    const char *title = arena_printf(sh->scratch, "%s: %s to %s", page.d->name, version_name(sh, range->from),
                                     version_name(sh, range->to));
    buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta name=\"generator\" content=\"lathe " LATHE_VERSION "\"/>\n");
    put_element(out, "title", title);
    buf_printf(out, "<style>/*<![CDATA[*/\n%s/*]]>*/</style>\n</head>\n<body%s>\n<nav>\n", page_text("page.css"),
               shell_lecture(sh) ? " class=\"lecture\"" : "");
    put_element(out, "h1", title);
    buf_puts(out, "<form id=\"search\" hidden=\"\"><input type=\"search\" placeholder=\"search  /\" "
                  "aria-label=\"search the steps\"/><output></output></form>\n");
    html_tree(&page);
    buf_puts(out, "<p><a href=\"#rules\">Rules and macros</a></p>\n"
             "<p id=\"keys\" hidden=\"\"><kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd>, <kbd>↑</kbd> "
             "<kbd>↓</kbd> in the tree, <kbd>/</kbd> search, <kbd>t</kbd> tree, <kbd>o</kbd> fold, <kbd>Tab</kbd> rules</p>\n"
             "</nav>\n<main>\n");
    put_top(&page);
    for (int i = 0; i < page.step_count && !*sh->stop; i++) put_step(&page, &page.steps[i], true);
    for (const Version *v = NULL; !*page.sh->stop && (v = derivation_next(page.d, v));) {
        ChainStep *steps;
        if (page.on_path[v->number] || !version_is_below(page.d, v, page.top)) continue;
        int n = session_chain(page.sh->session, derivation_version(page.d, v->parent), v, false, page.sh->scratch, &steps);
        if (n == 1) put_step(&page, &steps[0], false);
    }
    put_cards(&page);
    buf_printf(out, "</main>\n<div id=\"card\" class=\"card\" role=\"tooltip\" hidden=\"\"></div>\n"
               "<script>/*<![CDATA[*/\n%s%s/*]]>*/</script>\n</body>\n</html>\n", page_text("cards.js"), page_text("page.js"));
    free(page.names.v);
    return true;
}

bool export_html_parts(Shell *sh, Buf *tree, const Version *const *versions, int n, Buf *sections)
{
    Page page;
    const Derivation *d = session_current(sh->session);
    if (!begin(sh, d->versions.v[0], session_version(sh->session), false, &page)) return false;
    page.out = tree;
    page.alone = true;
    html_tree(&page);
    for (int i = 0; i < n && !*sh->stop; i++) {
        /* A version as it stands there: its step with whole terms, its kernels, and the cards of what it names. */
        ChainStep *steps;
        page.out = &sections[i];
        page.names.n = 0;
        if (versions[i]->parent < 0) put_top(&page);
        else if (session_chain(page.sh->session, versions[i]->from, versions[i], false, page.sh->scratch, &steps) == 1)
            put_step(&page, &steps[0], true);
        buf_puts(&sections[i], "<div hidden=\"\">\n");
        put_cards(&page);
        buf_puts(&sections[i], "</div>\n");
    }
    free(page.names.v);
    return true;
}
