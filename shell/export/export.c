/* export: versions written as files for elsewhere. */
#include "child.h"
#include "commands.h"
#include "export.h"
#include "show.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- kernels ---- */

static void put_argument(Shell *sh, const Plan *plan, int i, const PlanArg *a, Buf *out)
{
    static const char *const texels[] = {[TEXELS_FLOAT] = "CL_FLOAT", [TEXELS_SIGNED] = "CL_SIGNED_INT32", [TEXELS_UNSIGNED] = "CL_UNSIGNED_INT32"};
    const PlanBuffer *b = a->kind == PLAN_ARG_BUFFER ? &plan->buffers[a->buffer] : NULL;
    const char *index = plan->long_index ? "i64" : "i32";
    buf_printf(out, " *   %2d  %-12s ", i, a->name);
    if (a->kind == PLAN_ARG_SCALAR) buf_printf(out, "%s by value\n", scalar_name(a->scalar));
    else if (!b) buf_printf(out, "%s by value, the %s\n", index, a->kind == PLAN_ARG_SIZE ? "size" : "number of the round");
    else if (b->kind == PLAN_IMAGE)
        buf_printf(out, "image of CL_RGBA, %s: the content of %s%s, %s rows of %s texels\n", texels[launch_texels(b->scalar)],
                   plan->buffers[b->of].name, a->written ? ", copied there after the launch" : "", nat_text(b->height, 0, sh->scratch),
                   nat_text(b->width, 0, sh->scratch));
    else
        buf_printf(out, "buffer, %s: %s %s of %d bytes\n", buffer_role(b->kind), nat_text(b->count, 0, sh->scratch), scalar_name(b->scalar),
                   scalar_bytes(b->scalar));
}

static void put_loop(Shell *sh, const Plan *plan, const PlanLoop *l, Buf *out)
{
    const PlanBuffer *b = plan->buffers;
    buf_printf(out, " * %s", plan->kernels[l->first].name);
    if (l->end > l->first + 1) buf_printf(out, " to %s", plan->kernels[l->end - 1].name);
    buf_printf(out, " again and again, rounds: %s\n", nat_text(l->rounds, 0, sh->scratch));
    if (l->test >= 0)
        buf_printf(out, " *   they end before %s when %s holds 0; what the round would read is the result then\n",
                   l->step < l->end ? plan->kernels[l->step].name : "the next", b[l->test].name);
    for (int i = 0; i < l->state_count; i++) {
        const PlanState *s = &l->states[i];
        buf_printf(out, " *   %s is %s first, then what the round before wrote; %s is %s and %s in turn, in the last round %s\n", b[s->from].name,
                   b[s->init].name, b[s->to].name, b[s->out].name, b[s->spare].name, b[s->out].name);
    }
}

static bool export_cl(Shell *sh, const ExportRange *range, Buf *out)
{
    Plan *plan = shell_plan_in(sh, range->to, dialect_find("opencl"));
    if (!plan) return false;
    /* What a host does to run the kernels, as a comment. */
    buf_puts(out, "/* To run: build this text with clBuildProgram; launch the kernels in this order on one queue.\n");
    for (int i = 0; i < plan->kernel_count; i++) {
        const PlanKernel *k = &plan->kernels[i];
        buf_printf(out, " * %s   global (%s)   local (%s)", k->name, kernel_global(sh, k), kernel_local(sh, k));
        if (k->local_bytes) buf_printf(out, "   %lld bytes of local memory", (long long)k->local_bytes);
        buf_putc(out, '\n');
        for (int j = 0; j < k->arg_count; j++) put_argument(sh, plan, j, &k->args[j], out);
    }
    for (int i = 0; i < plan->loop_count; i++) put_loop(sh, plan, &plan->loops[i], out);
    for (int i = 0; i < plan->fact_count; i++)
        buf_printf(out, "%s%s", i ? ", " : " * Only where ", fact_text(&plan->facts[i].fact, sh->scratch));
    buf_puts(out, plan->fact_count ? "\n */\n" : " */\n");
    buf_puts(out, plan->source);
    return true;
}

static bool export_dot(Shell *sh, const ExportRange *range, Buf *out)
{
    if (range->step) return dot_step(sh, range->to, out);
    if (!range->term) return dot_tree(sh, range->from, out), true;
    return dot_term(sh, version_name(sh, range->to), range->to->root, &(Path){0}, out);
}

/* ---- formats ---- */

static const struct Format {
    const char *name;
    bool (*write)(Shell *sh, const ExportRange *range, Buf *out);
    const char *beside;                  /* the ending of a second file beside the first; NULL: there is none */
} formats[] = {
    {"script", export_script, NULL}, {"html", export_html, NULL}, {"md", export_md, NULL}, {"tex", export_tex, NULL},
    {"dot", export_dot, NULL}, {"cl", export_cl, NULL}, {"cuda", export_cuda, ".expected"}, {"t1", export_t1, ".cl"}, {"t4", export_t4, NULL},
};

static const struct Format *find_format(Shell *sh, const Args *a)
{
    static const char *const others[][2] = {{"latex", "tex"}, {"markdown", "md"}, {"opencl", "cl"}, {"lathe", "script"}};
    static const char *const endings[][2] = {
        {".svg", "dot"}, {".pdf", "dot"}, {".png", "dot"}, {".dot", "dot"}, {".cl", "cl"}, {".cu", "cuda"}, {".py", "python"}, {".lathe", "script"},
        {".html", "html"}, {".md", "md"}, {".tex", "tex"},
    };
    const char *wanted = arg(a, 0), *names = "";
    for (int i = 0; wanted && i < COUNT(others); i++)
        if (!strcmp(others[i][0], wanted)) wanted = others[i][1];
    for (int i = 0; i < COUNT(formats); i++) {
        if (wanted && !strcmp(formats[i].name, wanted)) return &formats[i];
        names = arena_printf(sh->scratch, "%s%s%s", names, i ? ", " : "", formats[i].name);
    }
    for (int i = 0; wanted && i < COUNT(endings); i++) {
        const char *file = arg(a, 1) ? arg(a, 1) : wanted;
        if (file_ends(file, endings[i][0]))
            return shell_error(sh, E05, "\"%.60s\" is no format: one of %s, library, python\ntry export %s %s", wanted, names, endings[i][1], file), NULL;
    }
    if (!wanted) return shell_error(sh, E05, "export as what? One of %s, library, python\nform %s", names, a->command->form), NULL;
    return shell_error(sh, E05, "\"%.60s\" is no format: one of %s, library, python\nform %s", arg(a, 0), names, a->command->form), NULL;
}

/* ---- files ---- */

static bool may_write(Shell *sh, const char *file, bool force, const Args *a)
{
    if (sh->restricted) return shell_error(sh, E05, "files are off with --restricted; - is standard output");
    if (force || access(file, F_OK)) return true;
    return shell_error(sh, E17, "%s exists\ntry %s --force", file, a->text);
}

static bool deliver(Shell *sh, const Args *a, const struct Format *format, const char *file, const Buf *text, const ExportRange *range)
{
    const char *slash = strrchr(file, '/');
    const char *beside = arena_printf(sh->scratch, "%.*s%s", slash ? (int)(slash + 1 - file) : 0, file, range->beside_name);
    bool force = arg_flag(a, "force") != NULL, two = range->beside->len > 0;
    sh->exact = !strcmp(file, "-");
    if (sh->exact) return buf_write(&sh->out, buf_text(text), text->len), true;
    if (!may_write(sh, file, force, a) || (two && !may_write(sh, beside, force, a))) return false;
    bool picture = file_ends(file, ".svg") || file_ends(file, ".png") || file_ends(file, ".pdf"), ok = true;
    if (picture && !strcmp(format->name, "dot")) {
        const char *const argv[] = {"dot", arena_printf(sh->scratch, "-T%s", strrchr(file, '.') + 1), "-o", file, NULL};
        fflush(stdout);
        int code = child_feed(argv, sh->json ? STDERR_FILENO : STDOUT_FILENO, text, sh->stop);
        if (code)
            return shell_error(sh, E06, "%s was not drawn: the dot program %s\n"
                               "hint install the package graphviz, or export dot to a .dot file", file,
                               code == CHILD_NOT_STARTED ? "was not found" : "failed");
    } else ok = file_write(diag(sh), file, buf_text(text), text->len);
    if (ok && two) ok = file_write(diag(sh), beside, buf_text(range->beside), range->beside->len);
    if (ok && !sh->quiet) print(sh, "%s written\n", file);
    if (ok && two && !sh->quiet) print(sh, "%s written\n", beside);
    return ok;
}

bool cmd_export(Shell *sh, Args *a)
{
    ExportRange range = {.expand = arg_flag(a, "expand"), .term = arg_flag(a, "term"), .step = arg_flag(a, "step")};
    Buf text = {0}, beside = {0};
    if (arg(a, 0) && !strcmp(arg(a, 0), "library")) return shell_version(sh) && export_library(sh, a);
    if (arg(a, 0) && !strcmp(arg(a, 0), "python")) return shell_version(sh) && export_python(sh, a);
    const struct Format *format = shell_version(sh) ? find_format(sh, a) : NULL;
    const char *file = format ? arg(a, 1) : NULL, *versions = arg(a, 2);
    if (format && !file) return arg_error(sh, a, "export to which file? - is standard output");
    if (!file || !arg_limit(sh, a, 3)) return false;
    /* "@A..@B", "@B", or nothing: from @0 to the current version. */
    const char *dots = versions ? strstr(versions, "..") : NULL;
    range.from = dots ? session_ref(sh->session, arena_strndup(sh->scratch, versions, (size_t)(dots - versions)))
                      : derivation_version(session_current(sh->session), 0);
    range.to = !range.from ? NULL : versions ? session_ref(sh->session, dots ? dots + 2 : versions) : session_version(sh->session);
    if (!range.to) return false;
    range.beside = &beside;
    /* "sum.expected" of "folder/sum.cu": what stands beside a file; of standard output, of the program. */
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    if (!strcmp(file, "-")) base = session_current(sh->session)->name, dot = NULL;
    range.beside_name = arena_printf(sh->scratch, "%.*s%s", (int)(dot && dot > base ? dot - base : (long)strlen(base)),
                                     base, format->beside ? format->beside : "");
    bool ok = format->write(sh, &range, &text);
    if (ok && *sh->stop) ok = !diag_error(diag(sh), E25, "the export was interrupted: nothing is written");
    ok = ok && deliver(sh, a, format, file, &text, &range);
    if (ok && sh->json)
        shell_report(sh, "{format:s file:s from:s to:s text:s?}", format->name, file, version_name(sh, range.from),
                     version_name(sh, range.to), strcmp(file, "-") ? NULL : buf_text(&text));
    buf_free(&text);
    buf_free(&beside);
    return ok;
}
