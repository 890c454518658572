/* export: the formats of `export`. */
#ifndef EXPORT_H
#define EXPORT_H

#include "cmdline.h"
#include "shell.h"

typedef struct ExportRange {
    const Version *from, *to;
    bool expand, term;                   /* elementary steps; dot: the term rather than the tree */
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
bool export_python(Shell *sh, Args *a);   /* a file; E05 E17 and what the plans say */
bool export_library(Shell *sh, Args *a);  /* a folder of files; E05 E06 E17 E18 and what the plans say */
const char *page_text(const char *name); /* "page.css": a style or a script of pages; "": there is none of that name */
bool export_md(Shell *sh, const ExportRange *range, Buf *out);
bool export_tex(Shell *sh, const ExportRange *range, Buf *out);

#endif
