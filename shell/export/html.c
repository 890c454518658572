/* html: a derivation as one page that needs nothing else: the tree, each step with its terms, rules, kernels and
 * times. It is well-formed XML too, reads in order without its script, and prints. */
#include "commands.h"
#include "compare.h"
#include "export.h"
#include "show.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistr.h>

#include "check.h"
#include "embedded.h"

enum {
    WHOLE_NODES = 3000,                  /* larger terms show only what changed */
    INNER_SHOWN = 200,                   /* inner steps behind so many show only what they are called */
    PLANS_BESIDE = 40, RESULTS_SHOWN = 12,
    TERM_WIDTH = 78,
    FOLDED = 8,                          /* so many versions on branches of one version are folded */
    CALL_MAX = 60,
};
/* The printer puts these round what changed and in front of what has a label; they become tags. */
enum { MARK = 1, MARK_END = 2, LABEL = 3, LABEL_END = 4 };

typedef struct Page {
    Shell *sh;
    Buf *out;
    const Derivation *d;
    const Version *top;
    const ChainStep *steps;              /* the path that is stepped through */
    int step_count;
    bool expand;
    bool alone;                          /* sections stand by themselves: inner steps without their changes */
    bool brief;                          /* what one command did: no kernels, runs or cards beside it */
    bool *on_path;                       /* by number: its step is one of the path's; top is on it too */
    TreeShape shape;
    int plans_left;                      /* versions beside the path whose kernels may still be shown */
    Texts names;                         /* rules and macros that are named; a card is made for each */
    int result_count;
    const Result *results;               /* of the program, the fastest first */
} Page;

typedef struct Label { const char *place; bool shown; } Label;
/* Places of one version that lines of its kernels were made for; label i is i + 1. */
typedef struct Labels {
    const char *id;                      /* of the section: label 3 of v7 is v7-3 */
    bool hovering;                       /* they are not shown: the word behind one says its place where one points at it */
    VEC(Label) v;
} Labels;

/* ---- text ---- */

/* Text between tags or in an attribute; what is no character of a page (control characters, broken UTF-8) is replaced. */
static void html_bytes(Buf *out, const char *text, size_t left)
{
    while (left) {
        ucs4_t c;
        int bytes = u8_mbtoucr(&c, (const unsigned char *)text, left);
        bool control = (c < ' ' && c != '\n' && c != '\t') || (c >= 0x80 && c < 0xa0) || c == 0xfffe || c == 0xffff;
        size_t n = bytes > 0 && !control ? (size_t)bytes : 0;
        if (n == 0) buf_puts(out, "\uFFFD");
        else if (*text == '<') buf_puts(out, "&lt;");
        else if (*text == '>') buf_puts(out, "&gt;");
        else if (*text == '&') buf_puts(out, "&amp;");
        else if (*text == '"') buf_puts(out, "&quot;");
        else buf_write(out, text, n);
        text += n ? n : 1;
        left -= n ? n : 1;
    }
}

/* As printf of %s and %d alone; what stands for %s is a text between tags or in an attribute. */
PRINTF_LIKE(2, 3) static void put(Page *page, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    for (const char *p; (p = strchr(fmt, '%')); fmt = p + 2) {
        const char *text = "";
        buf_write(page->out, fmt, (size_t)(p - fmt));
        if (p[1] == 'd') buf_int(page->out, va_arg(ap, int));
        else text = va_arg(ap, const char *);
        html_bytes(page->out, text, strlen(text));
    }
    va_end(ap);
    buf_puts(page->out, fmt);
}

/* "v7", "v7.3": of the section of a step. */
static const char *html_id(Page *page, const Version *v, int sub)
{
    Arena *arena = page->sh->scratch;
    bool inner = v->inner || (sub && sub < v->sub_count);
    return inner ? arena_printf(arena, "v%d.%d", v->number, sub ? sub : v->inner) : arena_printf(arena, "v%d", v->number);
}

/* ---- terms: printed with marks ---- */

typedef struct Labelling {
    Page *page;
    const Term *root;
    Labels *labels;
} Labelling;

/* Labels that stand in front of a node; whole: also those of what is inside it. */
static const char *label_note(void *data, const uint8_t *path, int length, bool whole)
{
    Labelling *l = data;
    Shell *sh = l->page->sh;
    const char *text = NULL;
    Path p = {.length = (uint8_t)length};
    if (length > PATH_MAX_LENGTH) return NULL;
    memcpy(p.slots, path, (size_t)length);
    const char *here = path_text(sh->c, l->root, &p);
    size_t n = strlen(here);
    for (int i = 0; i < l->labels->v.n; i++) {
        Label *label = &l->labels->v.v[i];
        bool inside = whole && !strncmp(label->place, here, n) && label->place[n] == '/';
        if (label->shown || (strcmp(label->place, here) && !inside)) continue;
        label->shown = true;
        text = arena_printf(sh->scratch, "%s%c%d%c", text ? text : "", LABEL, i, LABEL_END);
    }
    return text;
}

/* The place and the type of every node, in front of it. */
static const char *place_note(void *data, const uint8_t *path, int length, bool whole)
{
    Labelling *l = data;
    Shell *sh = l->page->sh;
    Path p = {.length = (uint8_t)length};
    (void)whole;
    if (length > PATH_MAX_LENGTH) return NULL;
    memcpy(p.slots, path, (size_t)length);
    vec_push(&l->labels->v, ((Label){arena_printf(sh->scratch, "%s : %s", path_text(sh->c, l->root, &p),
                                                  type_text(sh->c, path_term(l->root, &p)->type)), true}));
    return arena_printf(sh->scratch, "%c%d%c", LABEL, l->labels->v.n - 1, LABEL_END);
}

static const char *printed(Page *page, const Term *root, const Path *mark, Labels *labels)
{
    static const char begin[] = {MARK, 0}, end[] = {MARK_END, 0};
    Labelling l = {page, root, labels};
    PrintOptions o = {.width = TERM_WIDTH, .unicode = shell_unicode(page->sh)};
    if (mark) o.path = mark->slots, o.path_length = mark->length, o.mark_before = begin, o.mark_after = end;
    if (labels) o.note = labels->hovering ? place_note : label_note, o.note_data = &l;
    return show_lines(page->sh, root, &(Path){0}, &o);
}

/* The words of what is marked; all where nothing is. */
static void words_of(const char *text, bool marked, Words *out)
{
    bool inside = !marked;
    for (const char *p = text; *p;) {
        if (*p == MARK || *p == MARK_END) inside = *p++ == MARK;
        else if (*p == LABEL) p = strchr(p, LABEL_END) + 1;
        else if (*p == ' ' || *p == '\n') p++;
        else {
            size_t n = word_length(p);
            if (inside) vec_push(&out->v, ((Word){.at = p, .n = n}));
            p += n;
        }
    }
}

/* ---- tags ---- */

static void put_printed(Page *page, const char *text, const Words *words, const Labels *labels)
{
    Buf *out = page->out;
    const Word *w = words ? words->v.v : NULL, *end = words ? w + words->v.n : NULL;
    const char *pointed = NULL;          /* what the next word says */
    bool open = false, marked = false;
    for (const char *p = text; *p;) {
        if (*p == LABEL) {
            int i = (int)strtol(p + 1, NULL, 10);
            if (labels->hovering) pointed = labels->v.v[i].place;
            else put(page, "<sup id=\"%s-%d\" title=\"%s\">%d</sup>", labels->id, i + 1, labels->v.v[i].place, i + 1);
            p = strchr(p, LABEL_END) + 1;
        } else if (*p == MARK || *p == MARK_END) {
            marked = *p++ == MARK;
            buf_puts(out, marked ? "<mark>" : "</mark>");
        } else if (*p == '\n') {
            /* Blanks at the beginning of a line are not highlighted. */
            size_t n = 1 + strspn(p + 1, " ");
            buf_puts(out, marked ? "</mark>" : "");
            buf_write(out, p, n);
            buf_puts(out, marked ? "<mark>" : "");
            p += n;
        } else if (w != end && p == w->at) {
            if (w->changed && !open) buf_puts(out, "<b>");
            html_bytes(out, w->at, w->n);
            p = w->at + w->n;
            /* With only blanks up to the next word two changed words are one stretch. */
            open = w->changed && w + 1 != end && w[1].changed && p + strspn(p, " ") >= w[1].at;
            if (w->changed && !open) buf_puts(out, "</b>");
            w++;
        } else {
            size_t n = *p == ' ' ? 1 : word_length(p);
            bool says = pointed && *p != ' ' && *p != '(';
            if (says) put(page, "<span title=\"%s\">", pointed), pointed = NULL;
            html_bytes(out, p, n);
            buf_puts(out, says ? "</span>" : "");
            p += n;
        }
    }
}

static void put_pair(Page *page, const ChainView *view, const char *before, const char *after, bool marked, const Labels *labels)
{
    const char *texts[] = {before, after};
    Words words[2] = {{{0}}};
    for (int k = 0; k < 2; k++) words_of(texts[k], marked, &words[k]);
    words_compare(page->sh, &words[0], &words[1]);
    put(page, "<div class=\"change\">\n");
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "after" : "before";
        put(page, "<figure class=\"%s\"><figcaption><span class=\"sign\">%s</span> %s %s</figcaption><pre>", name, k ? "+" : "−", name,
            k ? view->to : view->from);
        put_printed(page, texts[k], &words[k], k ? labels : NULL);
        put(page, "</pre></figure>\n");
        free(words[k].v.v);
    }
    put(page, "</div>\n");
}

static void html_term(Page *page, const Term *root, Labels *labels)
{
    put(page, "<pre class=\"same\">");
    put_printed(page, printed(page, root, NULL, labels), NULL, labels);
    put(page, "</pre>\n");
}

static void put_names(Page *page, const ChangeText *t)
{
    if (t->count) put(page, "<dl class=\"names\">");
    for (int i = 0; i < t->count; i++) put(page, "<dt>%s</dt><dd><pre>%s</pre></dd>", t->names[i], t->texts[i]);
    if (t->count) put(page, "</dl>\n");
}

/* Terms before and after a step side by side, what changed between them highlighted; in one figure where nothing did.
 * whole: all of the terms, else the changed part with names for what both share. labels: shown in the term after; may be
 * NULL. */
static void html_change(Page *page, const ChainStep *k, bool whole, Labels *labels)
{
    const ChainView view = chain_view(page->sh, k);
    if (k->before == k->after && whole) {
        html_term(page, k->after, labels);
    } else if (k->before == k->after) {
        const Version *from = k->version->from;
        put(page, "<p>The term is that of <a href=\"#%s\">@%d</a>.</p>\n", html_id(page, from, 0), from->number);
    } else if (whole) {
        const char *before = printed(page, k->before, &view.at, NULL), *after = printed(page, k->after, &view.at, labels);
        put_pair(page, &view, before, after, true, labels);
    } else {
        ChangeText t;
        change_make(page->sh, k->before, k->after, &view.at, TERM_WIDTH, &t);
        put_pair(page, &view, t.before, t.after, false, NULL);
        put_names(page, &t);
    }
}

/* The change of an elementary rewrite in few lines. */
static void html_small_change(Page *page, const Term *before, const Term *after, const Path *at)
{
    ChangeText t;
    change_make(page->sh, before, after, at, TERM_WIDTH, &t);
    put(page, "<pre class=\"small\"><span class=\"sign\">−</span>%s</pre><pre class=\"small\"><span class=\"sign\">+</span>%s</pre>\n",
        t.before, t.after);
    put_names(page, &t);
}

/* ---- kernels, each line with a link to the node of the term that it was made for ---- */

static int label_of(const Labels *labels, const char *place)
{
    for (int i = 0; place && i < labels->v.n; i++)
        if (!strcmp(labels->v.v[i].place, place)) return i;
    return -1;
}

/* The places that the lines of the plan were made for. */
static void html_places(const Plan *plan, Labels *labels)
{
    for (int i = 0; i < plan->kernel_count; i++) {
        const PlanKernel *k = &plan->kernels[i];
        for (int j = 0; j < k->origin_count; j++)
            if (k->origins[j].place && label_of(labels, k->origins[j].place) < 0)
                vec_push(&labels->v, ((Label){k->origins[j].place, false}));
    }
}

/* After the term with the labels. */
static void html_kernels(Page *page, const Version *v, const Plan *plan, const Labels *labels)
{
    put(page, "<details class=\"kernels\" open=\"\"><summary>OpenCL of %s%s</summary>\n<ul>\n", version_name(page->sh, v),
        v->code ? ", edited by hand" : "");
    for (int i = 0; i < plan->kernel_count; i++) {
        const PlanKernel *k = &plan->kernels[i];
        put(page, "<li><code>%s</code> global (%s), local (%s)", k->name, kernel_global(page->sh, k), kernel_local(page->sh, k));
        if (k->local_bytes) buf_printf(page->out, ", %lld bytes of local memory", (long long)k->local_bytes);
        if (k->barriers) put(page, ", %d barrier%s", k->barriers, plural(k->barriers));
        put(page, "</li>\n");
    }
    for (int i = 0; i < plan->loop_count; i++) {
        const PlanLoop *l = &plan->loops[i];
        put(page, "<li><code>%s</code>", plan->kernels[l->first].name);
        if (l->end > l->first + 1) put(page, " to <code>%s</code>", plan->kernels[l->end - 1].name);
        put(page, " in a loop, rounds: %s", nat_text(l->rounds, 0, page->sh->scratch));
        if (l->test >= 0) put(page, " at most, while <code>%s</code>", plan->buffers[l->test].name);
        put(page, "</li>\n");
    }
    put(page, "</ul>\n<pre class=\"code%s\">", labels->v.n ? " mapped" : "");
    for (CodeLine l = {.at = source_body(plan->source)}; code_line(plan, &l);) {
        int label = label_of(labels, l.place);
        if (labels->v.n && label < 0) put(page, "<i></i>");
        else if (label >= 0 && labels->v.v[label].shown) put(page, "<a href=\"#%s-%d\">%d</a>", labels->id, label + 1, label + 1);
        else if (label >= 0) put(page, "<i title=\"%s\">%d</i>", labels->v.v[label].place, label + 1);
        html_bytes(page->out, l.text, (size_t)l.n);
        put(page, "\n");
    }
    put(page, "</pre>\n</details>\n");
}

/* ---- the tree: nested lists of links ----
 *
 * As in log, the way to the version that the page leads to goes straight down, and so does every line on along the branch last
 * visited; other branches hang off it. */

static void put_entry(Page *page, const char *id, const char *name, const char *call, const Version *v)
{
    bool on = page->on_path[v->number];
    buf_printf(page->out, "<a href=\"#%s\"%s>", id, on ? " class=\"way\"" : "");
    put(page, "<span class=\"dot\">%s</span><span class=\"no\">%s</span> %s</a>", on ? "●" : "○", name,
        show_cut(page->sh, call, CALL_MAX));
}

static void put_line(Page *page, const Version *v)
{
    put(page, "<ol>\n");
    for (const Version *next; v && !*page->sh->stop; v = next) {
        next = derivation_version(page->d, tree_next(page->d, page->on_path, v));
        put(page, "<li>");
        const Result *best = NULL;       /* that is known of the version */
        for (int i = 0; i < page->result_count && !best; i++)
            if (page->results[i].key.version == v->hash && page->results[i].ns > 0) best = &page->results[i];
        const Version *same = session_same(page->sh->session, v);
        if (page->expand && page->on_path[v->number] && v->sub_count > 1) {
            put(page, "<ol>\n");
            for (int i = 1; i < v->sub_count; i++) {
                put(page, "<li>");
                put_entry(page, html_id(page, v, i), arena_printf(page->sh->scratch, "@%d.%d", v->number, i), v->subs[i - 1].call, v);
                put(page, "</li>\n");
            }
            put(page, "</ol>\n");
        }
        put_entry(page, html_id(page, v, 0), version_marked(page->sh, v), v->call, v);
        if (v->tag) put(page, " <span class=\"tag\">%s</span>", v->tag);
        if (same) put(page, " <span class=\"twin\">= @%d</span>", same->number);
        if (best) put(page, " <span class=\"time\">%s ms</span>", show_times(page->sh) ? show_figure(page->sh, best->ns / 1e6) : "-");
        put(page, "\n");
        /* The branches of v that leave its line; next: the child on it. */
        int count = 0, branches = 0;
        for (int i = v->first_child; i >= 0; i = page->d->versions.v[i]->next_sibling) {
            if (page->d->versions.v[i] == next) continue;
            count += page->shape.below[i];
            branches++;
        }
        if (count > FOLDED)
            put(page, "<details open=\"\"><summary>%d versions on %d branch%s</summary>\n", count, branches, branches == 1 ? "" : "es");
        for (int i = v->first_child; i >= 0 && !*page->sh->stop; i = page->d->versions.v[i]->next_sibling)
            if (page->d->versions.v[i] != next) put_line(page, page->d->versions.v[i]);
        if (count > FOLDED) put(page, "</details>\n");
        put(page, "</li>\n");
    }
    put(page, "</ol>\n");
}

static void html_tree(Page *page)
{
    put(page, "<div class=\"tree\">\n");
    put_line(page, page->top);
    put(page, "</div>\n");
}

/* ---- rules and macros by name ---- */

/* A step as it is typed, its rules and macros with links to their cards. */
static void put_call(Page *page, const char *call)
{
    size_t n;
    put(page, "<code>");
    for (const char *p; (p = call_name(call, &n)); call = p + n) {
        const char *name = arena_strndup(page->sh->scratch, p, n);
        html_bytes(page->out, call, (size_t)(p - call));
        const StrategyName *m = strategies_find(shell_strategies(page->sh), name);
        if (rules_find(session_rules(page->sh->session), name) || (m && m->doc && *m->doc && m->kind != NAME_VALUE)) {
            const Rule *r = rules_find(session_rules(page->sh->session), name);
            if (text_index(page->names.v, page->names.n, name) < 0) vec_push(&page->names, name);
            if (page->brief) put(page, "<span class=\"rule\" title=\"%s\">%s</span>", r ? r->text : m->doc, name);
            else put(page, "<a class=\"rule\" href=\"#rule-%s\">%s</a>", name, name);
        } else put(page, "%s", name);
    }
    put(page, "%s</code>", call);
}

static void put_rule_card(Page *page, const Rule *r)
{
    LOCAL(buf_free) Buf trust = {0};
    const char *example = rule_example(page->sh->c, r), **conditions;
    put(page, "<p class=\"eq\">%s</p>\n", r->text);
    if (*r->doc) put(page, "<p>%s</p>\n", r->doc);
    int n = rule_conditions(r, page->sh->scratch, &conditions);
    for (int i = 0; i < n; i++) put(page, i ? ", <code>%s</code>" : "<p>Only when <code>%s</code>", conditions[i]);
    if (n) put(page, "</p>\n");
    if (r->param_count) put(page, "<ul>\n");
    for (int i = 0; i < r->param_count; i++) {
        const RuleParam *p = &r->params[i];
        put(page, "<li><code>%s</code>: %s%s</li>\n", p->name, rule_param_word(p), rule_param_more(p));
    }
    if (r->param_count) put(page, "</ul>\n");
    if (example) put(page, "<p class=\"example\">%s</p>\n", example);
    trust_text(r, &trust);
    put(page, "<p class=\"note\">%s; %s%s%s</p>\n", r->kind, buf_text(&trust), *r->origin ? "; from " : "", r->origin);
}

static void put_cards(Page *page)
{
    if (page->names.n) qsort(page->names.v, (size_t)page->names.n, sizeof *page->names.v, compare_text);
    put(page, "<section id=\"rules\" class=\"cards\">\n<h2>Rules and macros</h2>\n");
    for (int i = 0; i < page->names.n && !*page->sh->stop; i++) {
        const char *name = page->names.v[i];
        const Rule *r = rules_find(session_rules(page->sh->session), name);
        const StrategyName *n = r ? NULL : strategies_find(shell_strategies(page->sh), name);
        put(page, "<article class=\"card\" id=\"rule-%s\"><h3>%s", name, name);
        for (int j = 0; r && j < r->param_count; j++) put(page, "%s%s", j ? ", " : "(", r->params[j].name);
        put(page, "%s%s</h3>\n", r && r->param_count ? ")" : "", n && n->params ? n->params : "");
        if (r) put_rule_card(page, r);
        if (n && n->doc) put(page, "<p>%s</p>\n", n->doc);
        if (n && n->text) put(page, "<p class=\"eq\">macro %s</p>\n", n->text);
        put(page, "</article>\n");
    }
    put(page, "</section>\n");
}

static void put_facts(Page *page, const Version *v)
{
    Shell *sh = page->sh;
    const Version *same = session_same(sh->session, v);
    const char *assumed = version_assumed(sh, v);
    put(page, "<p class=\"facts\">Type <code>%s</code>; %s%s", type_text(sh->c, v->root->type),
        assumed ? "? rests on the " : trust_name(v->trust), assumed ? assumed : "");
    if (v->tag) put(page, "; tag <span class=\"tag\">%s</span>", v->tag);
    if (same) put(page, "; the same term as <a href=\"#%s\">@%d</a>", html_id(page, same, 0), same->number);
    show_hash(sh, page->out, "; hash <code>", v->hash, "</code>");
    put(page, "</p>\n");
    if (v->note) put(page, "<p class=\"note\">%s</p>\n", v->note);
}

static void put_inner(Page *page, const Version *v, bool change)
{
    if (v->sub_count < 2) return;
    put(page, page->brief ? "<details class=\"inner\"><summary>%d inner steps</summary>\n<ol>\n"
                          : "<details class=\"inner\" open=\"\"><summary>%d inner steps</summary>\n<ol>\n", v->sub_count);
    for (int i = 0; i < v->sub_count && !*page->sh->stop; i++) {
        const SubStep *sub = &v->subs[i];
        const Term *before = i ? v->subs[i - 1].root : v->from->root;
        int depth = sub->within ? sub->within->depth + 1 : 0;
        Path at = place_path(sub->at);
        const MacroUse *use;
        for (int level = use_shared(i ? v->subs[i - 1].within : NULL, sub->within); (use = use_at(sub->within, level)); level++) {
            put(page, "<li class=\"use d%d\">", use->depth < 6 ? use->depth : 6);
            put_call(page, use->call);
            put(page, " at <code class=\"place\">%s</code>\n</li>\n", use->place);
        }
        put(page, "<li value=\"%d\" class=\"d%d\">", i + 1, depth < 6 ? depth : 6);
        put_call(page, sub->call);
        put(page, " at <code class=\"place\">%s</code>\n", path_text(page->sh->c, before, &at));
        if (sub->trust == TRUST_ASSUMED) put(page, " assumed");
        term_step_place(before, sub->root, &at, &at);
        if (change && i < INNER_SHOWN) html_small_change(page, before, sub->root, &at);
        put(page, "</li>\n");
    }
    put(page, "</ol>\n</details>\n");
}

/* A figure that was measured; - under `set times off`, nothing where there is none. */
static const char *figure(const Page *page, double v)
{
    return v <= 0 ? "" : show_times(page->sh) ? show_figure(page->sh, v) : "-";
}

static void put_results(Page *page, const Version *v)
{
    int shown = 0;
    for (int i = 0; i < page->result_count && shown < RESULTS_SHOWN; i++) {
        const Result *all = page->results, *r = &all[i];
        /* Of those with the same device and sizes the first is the fastest. */
        bool slower = ANY(j, i, all[j].key.version == v->hash && !strcmp(all[j].key.device, r->key.device)
                                && !strcmp(all[j].key.sizes, r->key.sizes));
        if (r->key.version != v->hash || slower) continue;
        if (shown++ == 0)
            put(page, "<table><caption>Runs, the fastest of each</caption>\n<thead><tr><th>device</th><th>sizes</th>"
                "<th>parameters</th><th>result</th><th>ms</th><th>GB/s</th></tr></thead>\n<tbody>\n");
        put(page, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td class=\"figure\">%s</td><td class=\"figure\">%s</td></tr>\n",
            r->key.device, r->key.sizes, r->key.params, result_state_name(r->state), figure(page, r->ns / 1e6),
            figure(page, r->ns > 0 ? r->bytes / r->ns : 0));
    }
    if (shown) put(page, "</tbody></table>\n");
}

/* ---- sections ---- */

/* Kernels of what the page shows of a version, if it can be mapped as it stands and is not one of too many. */
static Plan *plan_for(Page *page, const Version *v, bool on_path)
{
    if (page->brief || (!on_path && page->plans_left == 0)) return NULL;
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
    const ChainView view = chain_view(page->sh, k);
    const char *sign = !strcmp(view.arrow, "=>") ? "→" : !strcmp(view.arrow, "<=") ? "←" : "=";
    put(page, "<h2><span class=\"ends\">%s %s %s</span> ", view.from, sign, view.to);
    put_call(page, k->call);
    if (view.place) put(page, " <span class=\"at\">at <code class=\"place\">%s</code>\n</span>", view.place);
    put(page, "</h2>\n");
    /* Of a step that is shown by itself: "step 3 of 16 in blockFold(8, 4)". */
    if (page->expand && k->sub_to - k->sub_from == 1 && v->sub_count > 1) {
        put(page, "<p class=\"facts\">Step %d of %d in ", k->sub_to, v->sub_count);
        put_call(page, v->call);
        put(page, "</p>\n");
    }
    const Rule *rule = chain_rule(page->sh, k);
    /* the macro that the step is an application of, if it is one's alone */
    const char *name = arena_strndup(page->sh->scratch, k->call, strcspn(k->call, "({"));
    const StrategyName *macro = rule || !call_is_single(k->call) ? NULL : strategies_find(shell_strategies(page->sh), name);
    if (rule) put(page, "<p class=\"eq\">%s</p>\n", rule->text);
    if (rule && *rule->doc) put(page, "<p class=\"doc\">%s</p>\n", rule->doc);
    if (macro && macro->doc) put(page, "<p class=\"doc\">%s</p>\n", macro->doc);
    html_change(page, k, whole, labels.v.n ? &labels : NULL);
    if (complete) {
        const char *params = k->reversed ? "" : step_params(page->sh, v, "");
        if (*params) put(page, "<pre class=\"params\">%s</pre>\n", params);
        put_facts(page, v);
        if (!page->brief) put_results(page, v);
        if (!page->expand || !on_path) put_inner(page, v, on_path && !page->alone);
        if (plan) html_kernels(page, v, plan, &labels);
    }
    put(page, "</section>\n");
    free(labels.v.v);
}

/* Where the page begins: the source, or the version that its tree hangs from. */
static void put_top(Page *page)
{
    const Version *v = page->top;
    Labels labels = {.id = html_id(page, v, 0)};
    Plan *plan = plan_for(page, v, true);
    if (plan) html_places(plan, &labels);
    put(page, "<section id=\"%s\" class=\"way\">\n<h2><span class=\"ends\">%s</span> ", labels.id, version_name(page->sh, v));
    put_call(page, v->call);
    put(page, "</h2>\n<pre class=\"source\">%s</pre>\n", page->d->program->text);
    if (v->parent >= 0 || plan) html_term(page, v->root, plan ? &labels : NULL);
    Values values;
    LOCAL(buf_free) Buf text = {0};
    session_given_values(page->sh->session, v, page->sh->scratch, &values);
    values_print(&values, &text);
    if (text.len) put(page, "<p class=\"facts\">%s</p>\n", buf_text(&text));
    put_facts(page, v);
    if (!page->brief) put_results(page, v);
    /* Which functions share a kernel: as the path's fuseAs says, else as is predicted best. */
    const char *call = NULL;
    for (int i = 0; i < page->step_count; i++)
        if (!strncmp(page->steps[i].call, "fuseAs(", 7)) call = page->steps[i].call;
    if (!page->brief) strategies_draw_fusions(shell_strategies(page->sh), page->top, call, page->out);
    if (plan) html_kernels(page, v, plan, &labels);
    put(page, "</section>\n");
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
    put(&page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"generator\" content=\"lathe " LATHE_VERSION "\"/>\n<title>%s</title>\n", title);
    buf_printf(out, "<style>/*<![CDATA[*/\n%s%s/*]]>*/</style>\n</head>\n<body%s>\n<nav>\n", page_text("parts.css"), page_text("page.css"),
               shell_lecture(sh) ? " class=\"lecture\"" : "");
    put(&page, "<h1>%s</h1>\n<form id=\"search\" hidden=\"\"><input type=\"search\" placeholder=\"search  /\" "
        "aria-label=\"search the steps\"/><output></output></form>\n", title);
    html_tree(&page);
    put(&page, "<p><a href=\"#rules\">Rules and macros</a></p>\n"
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

/* ---- what one command showed ---- */

/* parts.css for a part of somebody else's page, which is in a div of the class lathe. */
static void put_own_style(Buf *out)
{
    static const char root[] = ":root";
    buf_puts(out, "<style>\n.lathe { & { box-sizing: border-box; color: var(--ink); background: var(--paper); font: .95rem/1.5 var(--text); padding: .4rem; }\n");
    const char *text = page_text("parts.css");
    for (const char *p; (p = strstr(text, root)); text = p + sizeof root - 1) {
        buf_write(out, text, (size_t)(p - text));
        buf_putc(out, '&');
    }
    buf_printf(out, "%s}\n</style>\n", text);
}

static void put_difference(Page *page, const Version *from, const Version *to)
{
    Path at;
    term_step_place(from->root, to->root, &(Path){0}, &at);
    const ChainView view = {.from = version_name(page->sh, from), .to = version_name(page->sh, to)};
    put_pair(page, &view, printed(page, from->root, &at, NULL), printed(page, to->root, &at, NULL), true, NULL);
}

bool export_html_shown(Shell *sh, HtmlShown what, const Version *from, const Version *v, const Path *at, Buf *out)
{
    Page page;
    ChainStep *steps;
    Labels labels = {.id = "", .hovering = true};
    Plan *plan = NULL;
    if (!begin(sh, derivation_version(session_current(sh->session), 0), v, false, &page)) return false;
    page.out = out;
    page.alone = page.brief = true;
    buf_puts(out, "<div class=\"lathe\">\n");
    put_own_style(out);
    switch (what) {
    case SHOWN_STEP:
        if (v->parent < 0) put_top(&page);
        else if (session_chain(sh->session, v->from, v, false, sh->scratch, &steps) == 1) put_step(&page, &steps[0], true);
        break;
    case SHOWN_TERM:
        put(&page, "<pre class=\"same\">");
        put_printed(&page, printed(&page, path_term(v->root, at), NULL, &labels), NULL, &labels);
        put(&page, "</pre>\n");
        if (!at->length) put_facts(&page, v);
        break;
    case SHOWN_KERNELS:
        if (!(plan = shell_plan_mapped(sh, v))) break;
        labels = (Labels){.id = html_id(&page, v, 0)};
        html_places(plan, &labels);
        html_term(&page, v->root, &labels);
        html_kernels(&page, v, plan, &labels);
        break;
    case SHOWN_TREE: html_tree(&page); break;
    case SHOWN_CHANGE: put_difference(&page, from, v); break;
    }
    buf_puts(out, "</div>\n");
    free(labels.v.v);
    free(page.names.v);
    diag_clear(diag(sh));
    return !*sh->stop;
}
