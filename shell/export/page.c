/* page: a derivation as a Markdown page, and as an equational chain in LaTeX. */
#include "commands.h"
#include "compare.h"
#include "export.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_WIDTH = 96, TEX_WIDTH = 76 };

/* ---- Markdown ---- */

static void page_code(Buf *out, const char *text) { buf_printf(out, "```\n%s\n```\n", text); }

bool export_md(Shell *sh, const ExportRange *range, Buf *out)
{
    ChainStep *steps;
    const Derivation *d = session_current(sh->session);
    int n = session_chain(sh->session, range->from, range->to, range->expand, sh->scratch, &steps);
    const char *first = version_name(sh, range->from), *last = version_name(sh, range->to);
    buf_printf(out, "# %s: %s to %s\n\n", d->name, first, last);
    page_code(out, d->program->text);
    if (range->from->note) buf_printf(out, "\n%s\n", range->from->note);
    if (range->from->parent >= 0) {
        buf_printf(out, "\n## %s   `%s`\n\n", first, range->from->call);
        page_code(out, show_full(sh, range->from->root, &(Path){0}, PAGE_WIDTH));
    }
    for (int i = 0; i < n && !*sh->stop; i++) {
        const Rule *rule = chain_rule(sh, &steps[i]);
        const ChainView view = chain_view(sh, &steps[i]);
        buf_printf(out, "\n## %s %s %s   `%s`", view.from, view.arrow, view.to, steps[i].call);
        if (view.place) buf_printf(out, " at `%s`", view.place);
        buf_puts(out, steps[i].trust == TRUST_ASSUMED ? " (assumed)\n\n" : "\n\n");
        if (rule) {
            buf_printf(out, "`%s`", rule->text);
            buf_printf(out, rule->doc && *rule->doc ? "  \n%s\n\n" : "\n\n", rule->doc);
        } else if (steps[i].sub_to - steps[i].sub_from > 1) {
            buf_printf(out, "%d elementary steps.\n\n", steps[i].sub_to - steps[i].sub_from);
        }
        if (view.place) {                /* as `explain` shows it */
            ChangeText t;
            size_t start = sh->out.len;
            change_make(sh, steps[i].before, steps[i].after, &view.at, PAGE_WIDTH - 2, &t);
            change_put(sh, "", "  ", NULL, t.before);
            change_put(sh, "", "= ", NULL, t.after);
            change_put_names(sh, "", &t);
            buf_printf(out, "```\n%s```\n", print_taken(sh, start));
        }
        bool whole = !steps[i].reversed && steps[i].sub_to == steps[i].version->sub_count;
        if (whole) buf_puts(out, step_params(sh, steps[i].version, "- parameter "));
        if (whole && steps[i].version->note) buf_printf(out, "\n%s\n", steps[i].version->note);
    }
    buf_printf(out, "\n## The term of %s\n\n", last);
    page_code(out, show_full(sh, range->to->root, &(Path){0}, PAGE_WIDTH));
    buf_printf(out, "\nType `%s`", type_text(sh->c, range->to->root->type));
    show_hash(sh, out, ", hash `", range->to->hash, "`");
    buf_printf(out, ", trust: %s.\n", trust_name(range->to->trust));
    Plan *plan = shell_plan(sh, range->to);      /* NULL where the version cannot be mapped as it stands */
    diag_clear(diag(sh));
    if (!plan) return true;
    size_t length = strlen(plan->source);
    buf_printf(out, "\n## Kernels\n\n```c\n%s%s```\n", plan->source, length && plan->source[length - 1] != '\n' ? "\n" : "");
    return true;
}

/* ---- LaTeX ---- */

static const struct { const char *text, *tex; } tex_signs[] = {
    {"λ", "\\lambda "}, {"∘", "\\circ "}, {"→", "\\to "}, {"->", "\\to "}, {"<=", "\\le "}, {">=", "\\ge "},
    {"==", "\\equiv "}, {"!=", "\\ne "}, {"&&", "\\land "}, {"||", "\\lor "}, {"//", "/\\!/"}, {"*", "\\cdot "},
    {"$", "\\mathbin{\\$}"}, {"%", "\\mathbin{\\%}"}, {"#", "\\#"}, {"&", "\\&"}, {"_", "\\_"}, {"{", "\\{"}, {"}", "\\}"},
    {"^", "\\hat{\\ }"}, {"~", "\\sim "}, {"\\", "\\lambda "}, {" ", "\\ "},
};

/* A name: primitives upright, others italic. */
static size_t tex_name(Buf *out, const char *text)
{
    size_t n = name_length(text);
    char name[64] = "";
    memcpy(name, text, n < sizeof name ? n : sizeof name - 1);
    buf_puts(out, prim_from_name(name) != PRIM_COUNT ? "\\mathsf{" : "\\mathit{");
    for (size_t i = 0; i < n; i++) buf_printf(out, text[i] == '_' ? "\\_" : "%c", text[i]);
    buf_putc(out, '}');
    return n;
}

static size_t tex_sign(Buf *out, const char *text)
{
    for (int i = 0; i < COUNT(tex_signs); i++) {
        size_t n = strlen(tex_signs[i].text);
        if (strncmp(text, tex_signs[i].text, n)) continue;
        buf_puts(out, tex_signs[i].tex);
        return n;
    }
    buf_putc(out, *text);
    return 1;
}

/* Text outside mathematics. */
static void tex_text(Buf *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("#$%&_{}", *text)) buf_printf(out, "\\%c", *text);
        else if (*text == '\\') buf_puts(out, "\\textbackslash{}");
        else if (*text == '^' || *text == '~') buf_printf(out, "\\%c{}", *text);
        else if ((unsigned char)*text < 128) buf_putc(out, *text);
    }
}

static void tex_term(Shell *sh, Buf *out, const Term *t)
{
    const PrintOptions o = {.width = TEX_WIDTH, .unicode = true};
    for (const char *p = show_lines(sh, t, &(Path){0}, &o); *p;) {
        size_t n = strcspn(p, "\n");
        buf_puts(out, "  & ");
        /* One line of a term as mathematics. */
        size_t blanks = strspn(p, " ");
        if (blanks) buf_printf(out, "\\hspace{%.1fem}", 0.5 * (double)blanks);
        for (size_t i = blanks; i < n;)
            i += isalpha((unsigned char)p[i]) || p[i] == '_' ? tex_name(out, p + i) : tex_sign(out, p + i);
        p += n + (p[n] != 0);
        buf_puts(out, *p ? " \\\\*\n" : "");
    }
}

bool export_tex(Shell *sh, const ExportRange *range, Buf *out)
{
    ChainStep *steps;
    const Derivation *d = session_current(sh->session);
    int n = session_chain(sh->session, range->from, range->to, range->expand, sh->scratch, &steps);
    buf_puts(out, "\\documentclass{article}\n\\usepackage{amsmath}\n\\usepackage[a4paper,margin=15mm]{geometry}\n"
                  "\\allowdisplaybreaks\n\\begin{document}\n\\noindent\\texttt{");
    tex_text(out, d->name);
    buf_printf(out, "}, %s to %s\n\\begin{align*}\n", version_name(sh, range->from), version_name(sh, range->to));
    tex_term(sh, out, range->from->root);
    for (int i = 0; i < n; i++) {
        /* The line between two terms: the sign of equality and what makes it one. */
        const ChainStep *k = &steps[i];
        const ChainView view = chain_view(sh, k);
        const char *call = show_cut(sh, k->call, TEX_WIDTH);
        buf_puts(out, " \\\\\n={} & \\quad\\{\\ \\texttt{");
        tex_text(out, call);
        buf_puts(out, "}");
        if (view.place) {
            if (strlen(call) + strlen(view.place) > TEX_WIDTH) buf_puts(out, " \\\\*\n  & \\qquad");
            buf_puts(out, "\\text{ at }\\texttt{");
            tex_text(out, view.place);
            buf_puts(out, "}");
        }
        if (k->reversed) buf_puts(out, "\\text{, from right to left}");
        if (k->trust == TRUST_ASSUMED) buf_puts(out, "\\text{, assumed}");
        buf_printf(out, "\\ \\}\\qquad\\text{\\small %s}", view.to);
        const Version *made = k->version;
        if (made->note && !k->reversed && k->sub_to == made->sub_count) {
            buf_puts(out, " \\\\*\n  & \\quad\\text{\\small\\itshape ");
            tex_text(out, made->note);
            buf_puts(out, "}");
        }
        if (!view.place) continue;
        buf_puts(out, " \\\\*\n");
        tex_term(sh, out, steps[i].after);
    }
    buf_puts(out, "\n\\end{align*}\n\\end{document}\n");
    return true;
}
