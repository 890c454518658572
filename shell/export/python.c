/* python: versions as a function of Python, in one file: `export python`. What runs them is always the same (python.txt) and reads their
 * manifest. */
#include "commands.h"
#include "export.h"
#include "library.h"
#include "show.h"

#include <string.h>
#include <unistd.h>

/* A name that Python has not. */
static const char *word(Arena *a, const char *name)
{
    static const char *const words[] = {"and", "as", "assert", "async", "await", "class", "def", "del", "elif", "except",
        "finally", "from", "global",
                                        "import", "in", "is", "lambda", "None", "nonlocal", "not", "or", "pass", "raise",
                                            "True", "False", "try",
                                        "with", "yield"};
    return ANY(i, COUNT(words), !strcmp(words[i], name)) ? arena_printf(a, "%s_", name) : name;
}

/* "A, B" with what stands behind each. */
static const char *names(const Library *l, bool annotated)
{
    Buf b = {0};
    for (const Port *p = l->ports; p < l->ports + l->port_count; p++) {
        if (p->input < 0) continue;
        buf_printf(&b, "%s%s", b.len ? ", " : "", word(l->sh->scratch, p->name));
        if (annotated) buf_printf(&b, ": %s", !p->value ? "torch.Tensor" : scalar_is_float(p->scalar) ? "float"
            : p->scalar == SC_BOOL ? "bool" : "int");
    }
    return buf_take(&b, l->sh->scratch);
}

static void put_library(const Library *l, const char *name, Buf *out)
{
    LOCAL(buf_free) Buf manifest = {0};
    json_put(library_manifest(l), JSON_COMPACT, &manifest);
    for (int i = 0; i < l->version_count; i++)
        buf_printf(out, "%s_%d = r'''\n%s'''\n\n", name, i + 1, l->versions[i].plan->source);
    buf_printf(out, "%s = _Library(r'''%s''',\n    [", name, buf_text(&manifest));
    for (int i = 0; i < l->version_count; i++) buf_printf(out, "%s%s_%d", i ? ", " : "", name, i + 1);
    buf_puts(out, "])\n\n");
}

static void put_about(const Library *l, const char *kind, Buf *out)
{
    buf_printf(out, "\"\"\"%s, made by lathe: %s.\n\n    %s : %s\n\n    %s(%s)", l->name, kind, l->program->name,
        program_type(l->sh, l->program), l->name,
               names(l, false));
    int results = 0;
    for (const Port *p = l->ports; p < l->ports + l->port_count; p++)
        if (p->input < 0) buf_printf(out, "%s%s", results++ ? ", " : " -> ", p->name);
    buf_puts(out, "\n\nThe first of these versions is run that is for the sizes, and for the device:\n");
    for (int i = 0; i < l->version_count; i++) {
        const char *facts = library_facts(l, &l->versions[i]);
        buf_printf(out, "    %d  %s%s%s\n", i + 1, version_name(l->sh, l->versions[i].version), *facts ? "  where " : "  all sizes", facts);
    }
    buf_puts(out, "A size that follows from no shape is given by name. An argument of another type is refused.\n\"\"\"\n");
}

static const char *function_word(const Library *l) { return word(l->sh->scratch, l->name); }

static void put_torch_function(const Library *l, Buf *out)
{
    int results = 0;
    for (const Port *p = l->ports; p < l->ports + l->port_count; p++) results += p->input < 0;
    Buf type = {0};
    buf_puts(&type, results > 1 ? "Tuple[" : "torch.Tensor");
    for (int i = 0; results > 1 && i < results; i++) buf_printf(&type, "%storch.Tensor", i ? ", " : "");
    if (results > 1) buf_putc(&type, ']');
    Buf parameters = {0}, given = {0};
    for (int i = 0; i < l->program->size_count; i++) {
        const char *size = size_name(l->program, i), *name = word(l->sh->scratch, size);
        buf_printf(&parameters, "%s, %s: Optional[int] = None", i ? "" : ", *", name);
        buf_printf(&given, "%s\"%s\": %s", i ? ", " : "", size, name);
    }
    buf_printf(out, "_operator = None\nif hasattr(torch.library, \"custom_op\"):\n    @torch.library.custom_op(\"lathe::%s\", mutates_args=())\n"
                    "    def _operator(%s%s) -> %s:\n        return _call_torch((%s,), {%s})\n\n    _operator.register_fake(_fake)\n\n\n",
               l->name, names(l, true), buf_take(&parameters, l->sh->scratch), buf_take(&type, l->sh->scratch), names(l, false),
               buf_take(&given, l->sh->scratch));
    buf_printf(out, "def %s(%s, **sizes):\n    return _operator(%s, **sizes) if _operator else _call_torch((%s,), sizes)\n", function_word(l), names(l, false),
               names(l, false), names(l, false));
}

bool export_python(Shell *sh, Args *a)
{
    const char *file = arg(a, 1);
    bool cuda = arg_flag(a, "cuda"), torch = arg_flag(a, "torch");
    Library opencl = {0}, for_cuda = {0};
    LOCAL(buf_free) Buf out = {0};
    if (!file) return arg_error(sh, a, "export Python to which file? - is standard output");
    if ((arg_flag(a, "pyopencl") != NULL) + cuda + torch > 1) return shell_error(sh, E05, "one of --pyopencl, --cuda, --torch");
    if (arg_flag(a, "target")) return shell_error(sh, E05, "--target is of libraries\nhint of Python: --pyopencl, --cuda, --torch");
    if (!cuda && !library_open(&opencl, sh, a, "opencl", arg_flag(a, "name"))) return false;
    if ((cuda || torch) && !library_open(&for_cuda, sh, a, "cuda", arg_flag(a, "name"))) return false;
    const Library *l = cuda ? &for_cuda : &opencl;
    put_about(l, torch ? "a function of PyTorch's tensors" : cuda ? "a function of NumPy's and CuPy's arrays"
        : "a function of NumPy's and PyOpenCL's arrays", &out);
    buf_puts(&out, cuda || torch ? "import ctypes\nimport glob\nimport json\nimport math\nimport os\nimport sys\n"
        : "import json\nimport math\n");
    if (torch) buf_puts(&out, "from typing import Optional, Tuple\n");
    buf_puts(&out, "\nimport numpy as np\n");
    if (torch) buf_puts(&out, "import torch\n");
    if (torch) buf_puts(&out, "\ntry:                                     # for tensors on a CPU alone\n    import pyopencl as cl\n    import pyopencl.array as cl_array\n"
                              "except ImportError:\n    pass\n");
    else if (!cuda) buf_puts(&out, "import pyopencl as cl\nimport pyopencl.array as cl_array\n");
    buf_putc(&out, '\n');
    put_part("python.txt", "common", &out);
    buf_putc(&out, '\n');
    if (!cuda) put_library(&opencl, "_OPENCL", &out);
    if (cuda || torch) put_library(&for_cuda, "_CUDA", &out);
    buf_putc(&out, '\n');
    if (!cuda) put_part("python.txt", "opencl", &out), buf_putc(&out, '\n');
    if (cuda || torch) put_part("python.txt", "cuda", &out), buf_putc(&out, '\n');
    if (cuda) put_part("python.txt", "cuda-call", &out), buf_putc(&out, '\n');
    if (torch) put_part("python.txt", "torch", &out), buf_putc(&out, '\n');
    if (torch) put_torch_function(l, &out);
    else buf_printf(&out, "def %s(%s, **sizes):\n    return _call_%s((%s,), sizes)\n", function_word(l), names(l, false),
        cuda ? "cuda" : "opencl", names(l, false));
    bool screen = !strcmp(file, "-");
    if (screen) buf_write(&sh->out, buf_text(&out), out.len), sh->exact = true;
    else {
        if (sh->restricted) return shell_error(sh, E05, "files are off with --restricted; - is standard output");
        if (!arg_flag(a, "force") && !access(file, F_OK)) return shell_error(sh, E17, "%s exists\ntry %s --force", file, a->text);
        if (!file_write(diag(sh), file, buf_text(&out), out.len)) return false;
        if (!sh->quiet) print(sh, "%s written\n", file);
    }
    return !sh->json || shell_report(sh, "{format:s file:s text:s? versions:i}", "python", file, screen ? buf_text(&out)
        : NULL, l->version_count);
}
