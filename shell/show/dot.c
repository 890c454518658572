/* dot: the derivation tree, or a term, for Graphviz. */
#include "show.h"

#include <string.h>

enum { NODES_MAX = 3000, CALL_MAX = 48 };

/* Text in a quoted dot label; "\n" stays a line break. */
static void label(Buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') buf_putc(out, '\\');
        buf_putc(out, *text == '\n' ? ' ' : *text);
    }
}

static void begin(Buf *out, const char *name)
{
    buf_puts(out, "digraph \"");
    label(out, name);
    buf_puts(out, "\" {\n  node [shape=box, fontname=\"Helvetica\", fontsize=11, style=rounded];\n"
                  "  edge [fontname=\"Helvetica\", fontsize=9];\n");
}

void dot_tree(Shell *sh, const Version *top, Buf *out)
{
    const Derivation *d = session_current(sh->session);
    begin(out, d->name);
    for (const Version *v = NULL; (v = derivation_next(d, v));) {
        if (!version_is_below(d, v, top)) continue;
        const Version *parent = derivation_version(d, v->parent), *same = session_same(sh->session, v);
        buf_printf(out, "  v%d [label=\"@%d%s", v->number, v->number, v->trust == TRUST_ASSUMED ? "?" : "");
        if (v->tag) buf_printf(out, "  %s", v->tag);
        buf_puts(out, "\\n");
        label(out, show_cut(sh, v->call, CALL_MAX));
        if (parent && v->at) {
            const char *place = v->sub_count > 1 ? steps_place(sh, parent->root, v->subs, v->sub_count) : place_text(sh->c, parent->root, v->at);
            buf_puts(out, "\\nat ");
            label(out, show_cut(sh, place, CALL_MAX));
        }
        if (v->sub_count > 1) buf_printf(out, "\\n%d inner steps", v->sub_count);
        if (v->run && v->run->best_ns > 0 && show_times(sh)) buf_printf(out, "\\n%s ms", show_figure(sh, v->run->best_ns / 1e6));
        if (v->note) {
            buf_puts(out, "\\n");
            label(out, show_cut(sh, v->note, CALL_MAX));
        }
        buf_putc(out, '"');
        if (v->number == d->current) buf_puts(out, ", penwidth=3");
        if (v->tag) buf_puts(out, ", style=\"rounded,filled\", fillcolor=\"#e8e8e8\"");
        else if (v->trust == TRUST_ASSUMED) buf_puts(out, ", style=\"rounded,dashed\"");
        buf_puts(out, "];\n");
        if (same) buf_printf(out, "  v%d -> v%d [style=dotted, dir=none, constraint=false, label=\"=\"];\n", same->number,
                             v->number);
        if (v != top) buf_printf(out, "  v%d -> v%d;\n", v->parent, v->number);
    }
    buf_puts(out, "}\n");
}

/* ---- one step ---- */

/* A box of text, its lines from the left; SVG would drop common blanks at their beginning. */
static void text_box(Buf *out, const char *name, const char *text)
{
    buf_printf(out, "  %s [shape=box, style=solid, fontname=\"Courier\", label=\"", name);
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        LOCAL(buf_free) Buf line = {0};
        for (; *p == ' '; p++) buf_puts(out, "\u00a0");
        buf_write(&line, p, strcspn(p, "\n"));
        label(out, buf_text(&line));
        buf_puts(out, "\\l");
    }
    buf_puts(out, "\"];\n");
}

bool dot_step(Shell *sh, const Version *v, Buf *out)
{
    enum { WIDTH = 72 };
    ChangeText t;
    Path at = {0};
    if (!v->from || v->from->root == v->root) return shell_error(sh, E05, "%s is no step that changed a term\ntry log", version_name(sh, v));
    if (v->at) at = place_path(v->at);
    change_make(sh, v->from->root, v->root, &at, WIDTH, &t);
    const char *place = step_place(sh->c, v->from, v);
    begin(out, version_name(sh, v));
    text_box(out, "before", t.before);
    text_box(out, "after", t.after);
    buf_puts(out, "  before -> after [fontsize=12, label=\"  ");
    label(out, show_cut(sh, v->call, CALL_MAX));
    buf_puts(out, "\\l  at ");
    label(out, place);
    const Rule *rule = rules_called(session_rules(sh->session), v->call);
    if (rule && *rule->doc) buf_puts(out, "\\l  "), label(out, rule->doc);
    buf_puts(out, "\\l\"];\n");
    for (int i = 0; i < t.count; i++) {
        LOCAL(buf_free) Buf name = {0};
        buf_printf(&name, "%s = %s", t.names[i], t.texts[i]);
        text_box(out, arena_printf(sh->scratch, "name%d", i), buf_text(&name));
    }
    buf_puts(out, "}\n");
    return true;
}

/* ---- a term ---- */

typedef struct TermDot {
    Shell *sh;
    Buf *out;
    const Term *root;
    Path at;
    int count;
} TermDot;

/* What stands at a node without its slots: "λrow", "slide 3 1". */
static const char *head(TermDot *k, const Term *t)
{
    if (t->kind == T_PRIM && t->arg_count) {
        const char *text = prim((PrimId)t->prim)->name;
        for (int i = 0; t->prim != PRIM_REORDER && i < t->static_count; i++)
            text = arena_printf(k->sh->scratch, "%s %s", text, nat_text(t->statics[i], 0, k->sh->scratch));
        return text;
    }
    const char *text = show_short(k->sh, k->root, &k->at, CALL_MAX);
    if (t->kind != T_LAM) return text;
    const char *sign = shell_unicode(k->sh) ? "λ" : "\\", *end = strstr(text, shell_unicode(k->sh) ? " →" : " ->");
    return strncmp(text, sign, strlen(sign)) || !end ? sign : arena_strndup(k->sh->scratch, text, (size_t)(end - text));
}

static int term_node(TermDot *k, const Term *t)
{
    int me = k->count++;
    buf_printf(k->out, "  n%d [label=\"", me);
    label(k->out, head(k, t));
    if (t->kind != T_LAM) {
        buf_puts(k->out, "\\n");
        label(k->out, type_text(k->sh->c, t->type));
    }
    buf_printf(k->out, "\"%s];\n", t->kind == T_LAM ? ", shape=circle" : t->arg_count == 0 ? ", shape=plaintext" : "");
    for (int i = 0; i < term_slot_count(t) && k->at.length < PATH_MAX_LENGTH; i++) {
        k->at.slots[k->at.length++] = (uint8_t)i;
        int child = term_node(k, term_slot(t, i));
        k->at.length--;
        buf_printf(k->out, "  n%d -> n%d [label=\"%s\"];\n", me, child, term_slot_name(k->sh->c, t, i));
    }
    return me;
}

bool dot_term(Shell *sh, const char *name, const Term *root, const Path *at, Buf *out)
{
    const Term *t = path_term(root, at);
    if (t->size > NODES_MAX) return shell_error(sh, E08, "the term has %u nodes, a picture has at most %d", t->size, NODES_MAX);
    TermDot k = {.sh = sh, .out = out, .root = root, .at = *at};
    begin(out, name);
    term_node(&k, t);
    buf_puts(out, "}\n");
    return true;
}
