/* change: two forms of a term as text, with what they share under names; the steps between versions. */
#include "show.h"
#include "compare.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES = 9 };

static const char *const signs[] = {"①", "②", "③", "④", "⑤", "⑥", "⑦", "⑧", "⑨"};
static const char *const plain[] = {"<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "<7>", "<8>", "<9>"};

static const char *term_text(Shell *sh, const Term *root, const Path *at, int width)
{
    Buf b = {0};
    PrintOptions o = show_options(sh);
    o.width = width;
    o.max_depth = 0;
    lang_print_at(sh->c, root, at->slots, at->length, &o, &b);
    while (b.len && b.data[b.len - 1] == '\n') b.data[--b.len] = 0;
    const char *text = arena_strdup(sh->scratch, buf_text(&b));
    buf_free(&b);
    return text;
}

void change_make(Shell *sh, const Term *before, const Term *after, const Path *at, int width, ChangeText *out)
{
    *out = (ChangeText){term_text(sh, before, at, 0), term_text(sh, after, at, 0), 0, NULL, NULL};
    if (text_width(out->before) <= width && text_width(out->after) <= width) return;
    SharedTerm *shared = NEW_ARRAY(sh->scratch, SharedTerm, NAMES);
    out->count = terms_share(sh->c, sh->scratch, &before, &after, at, shell_unicode(sh) ? signs : plain, NAMES, shared);
    out->before = term_text(sh, before, at, width);
    out->after = term_text(sh, after, at, width);
    out->names = NEW_ARRAY(sh->scratch, const char *, out->count);
    out->texts = NEW_ARRAY(sh->scratch, const char *, out->count);
    for (int i = 0; i < out->count; i++) {
        out->names[i] = shared[i].name;
        out->texts[i] = term_text(sh, shared[i].root, &shared[i].at, width > 20 ? width - 12 : 8);
    }
}

void change_put(Shell *sh, const char *indent, const char *sign, const char *color, const char *text)
{
    for (bool first = true; *text; first = false) {
        size_t n = strcspn(text, "\n");
        const char *line = arena_printf(sh->scratch, "%s%.*s", first ? sign : "  ", (int)n, text);
        buf_puts(&sh->out, indent);
        if (color) show_color(sh, color, line);
        else buf_puts(&sh->out, line);
        buf_putc(&sh->out, '\n');
        text += n + (text[n] != 0);
    }
}

void change_put_names(Shell *sh, const char *indent, const ChangeText *t)
{
    for (int i = 0; i < t->count; i++)
        change_put(sh, indent, arena_printf(sh->scratch, "  where %s = ", t->names[i]), NULL, t->texts[i]);
}

/* ---- steps of a chain ---- */

static const char *sub_name(Shell *sh, const Version *v, int sub)
{
    if (sub == 0) return version_name(sh, v->from);
    return sub == v->sub_count ? version_name(sh, v) : arena_printf(sh->scratch, "@%d.%d", v->number, sub);
}

void chain_ends(Shell *sh, const ChainStep *k, const char **from, const char **to)
{
    const char *a = sub_name(sh, k->version, k->sub_from);
    const char *b = k->sub_to ? sub_name(sh, k->version, k->sub_to) : version_name(sh, k->version);
    *from = k->reversed ? b : a;
    *to = k->reversed ? a : b;
}

void chain_place(const ChainStep *k, Path *out)
{
    if (k->placed && k->sub_to - k->sub_from <= 1) term_step_place(k->before, k->after, &k->at, out);
    else term_changed_place(k->before, k->after, out);
}

const char *chain_arrow(const ChainStep *k) { return k->before == k->after ? "=" : k->reversed ? "<=" : "=>"; }

const Rule *chain_rule(Shell *sh, const ChainStep *k)
{
    const SubStep *sub = k->sub_to - k->sub_from == 1 ? &k->version->subs[k->sub_from] : NULL;
    if (!sub) return NULL;
    return sub->rule ? sub->rule : rules_called(session_rules(sh->session), sub->call);
}
