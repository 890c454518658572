/* export: the formats of `export`. */
#ifndef EXPORT_H
#define EXPORT_H

#include "cmdline.h"
#include "shell.h"

typedef struct ExportRange {
    const Version *from, *to;
    bool expand, term, step;             /* elementary steps; dot: the term, or one step, rather than the tree */
    const char *beside_name;             /* of a second file beside the first, without its folder, for formats that have one */
    Buf *beside;                         /* its content; empty: there is none */
} ExportRange;
bool export_script(Shell *sh, const ExportRange *range, Buf *out);       /* E05 E40 */
/* The parameter space of range->to within the selected device's limits as a tuning problem; results
 * of its program. E36, E08 */
bool export_t1(Shell *sh, const ExportRange *range, Buf *out);
bool export_t4(Shell *sh, const ExportRange *range, Buf *out);
bool export_cuda(Shell *sh, const ExportRange *range, Buf *out);         /* E18 E36 to E54 */
bool export_html(Shell *sh, const ExportRange *range, Buf *out);         /* E24 */
/* Parts of such a page of the whole tree: the tree, and a section of each of n versions of it, with cards of the rules that it names. E24 */
bool export_html_parts(Shell *sh, Buf *tree, const Version *const *versions, int n, Buf *sections);
/* What one command showed, for a part of somebody else's page, with its style: a step with its terms; a term, whose words say their places
 * and types; kernels and the term that their lines are for; the tree; two terms. at: of SHOWN_TERM; from: of SHOWN_CHANGE. E24 E25 */
typedef enum HtmlShown { SHOWN_STEP, SHOWN_TERM, SHOWN_KERNELS, SHOWN_TREE, SHOWN_CHANGE } HtmlShown;
bool export_html_shown(Shell *sh, HtmlShown what, const Version *from, const Version *v, const Path *at, Buf *out);
/* The same of the command that has just been carried out, before which `before` was the current version, and pictures that it wrote, by their
 * types: {"text/html": ..., "image/svg+xml": ...}, those that sh->display asks for. NULL: there is nothing but its text. */
json_t *export_display(Shell *sh, const Piece *p, const Version *before);
bool export_python(Shell *sh, Args *a);   /* a file; E05 E17 and what the plans say */
bool export_library(Shell *sh, Args *a);  /* a folder of files; E05 E06 E17 E18 and what the plans say */
const char *page_text(const char *name); /* "parts.css": a style or a script of pages; "": there is none of that name */
bool export_md(Shell *sh, const ExportRange *range, Buf *out);
bool export_tex(Shell *sh, const ExportRange *range, Buf *out);

#endif
