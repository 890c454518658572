/* editors: lathe in notebooks and editors. */
#ifndef EDITORS_H
#define EDITORS_H

#include "shell.h"

/* Writes the kernel for Jupyter to where it looks for the user's, $JUPYTER_DATA_DIR or ~/.local/share/jupyter; it starts this lathe.
 * What was done, and what comes next, is printed to out. False + error in the diag: E06. */
bool jupyter_install(Diag *diag, Buf *out);
/* The same for an editor, vim, nvim, emacs or vscode: files in a folder of the home, or in FOLDER of "vim=FOLDER". False + E05 E06. */
bool editor_install(Diag *diag, const char *which, Buf *out);

/* The language server for programs and scripts: `lathe --lsp` answers an editor on standard input and output until it says exit. The
 * exit code. */
int lsp_serve(Shell *sh);

#endif
