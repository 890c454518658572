/* program: load, let, use, show, info, data. */
#include "cmdline.h"
#include "commands.h"
#include "data_file.h"
#include "guide.h"
#include "show.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- programs ---- */

const char *program_type(Shell *sh, const Program *p) { return program_type_text(sh->c, sh->scratch, p); }

/* It is there. what: the file, NULL: a definition that was typed. */
static void loaded(Shell *sh, const Loaded *l, const char *what)
{
    const Derivation *d = l->first;
    if (d && sh->guided && sh->guided->begins) session_goto(sh->session, 0);
    const Defs *defs = session_defs(sh->session);
    shell_report(sh, "{program:s? type:s? programs:i kept:s?}", d ? d->name : NULL, d ? program_type(sh, d->program) : NULL, l->count,
                 l->kept);
    for (int i = l->defs; i < defs_count(defs); i++) {
        const char *text, *why = defs_refuted(defs, i, false);
        const Program *program;
        if (!why) continue;
        shell_warn(sh, W16, NULL, "%s is not %s; with assumed %.*s insists", defs_name(defs, i, &text, &program), why, (int)strcspn(why, " "), why);
    }
    if (sh->quiet) return;
    if (l->kept) print(sh, "%s changed; its earlier derivation is kept as %s\n", d ? d->name : what, l->kept);
    if (!d) {
        const char *text;
        const Program *none;
        if (what) print(sh, "%s: %d program%s, no one to start with\n", what, l->count, plural(l->count));
        else print(sh, "%s : helper, typed where it is used\n", defs_name(defs, l->defs, &text, &none));
        for (int i = l->defs; i < defs_count(defs) && !l->count; i++) {
            const char *size = defs_lower_size(defs, i);
            if (size) print(sh, "  %s is no program: a size that it is given has an upper-case name, (%c%s: size), not (%s: size)\n",
                            defs_name(defs, i, &text, &none), toupper((unsigned char)*size), size + 1, size);
        }
        return;
    }
    print(sh, "%s : %s", d->name, program_type(sh, d->program));
    if (l->count > 1) print(sh, "        %d programs; list programs", l->count);
    buf_putc(&sh->out, '\n');
    const Program *p = d->program;
    for (int i = p->size_count - p->open_count; i < p->size_count; i++) {
        const char *size = nat_atom(p->sizes[i])->name;
        print(sh, "  size     %s, which is the length of no input: data %s = ...\n", size, size);
    }
    if (p->inlined) print(sh, "  inlined  %s\n", inlined_text(sh, p->inlined));
}

bool cmd_load(Shell *sh, Args *a)
{
    Loaded l;
    const char *file = arg(a, 0), *as = NULL;
    if (!file) return arg_error(sh, a, "which file?");
    if (a->count > 1 && (strcmp(a->words[1], "as") || a->count == 2)) return arg_error(sh, a, "a name is given with: as NAME");
    if (a->count == 3) as = a->words[2];
    if (!arg_limit(sh, a, 3) || !session_load(sh->session, shell_path(sh, file), as, &l)) return false;
    loaded(sh, &l, file);
    return true;
}

bool cmd_let(Shell *sh, Args *a)
{
    Loaded l;
    if (!*a->rest) return arg_error(sh, a, "nothing is defined");
    if (!session_define(sh->session, MAKE(sh->scratch, Source, "let", a->rest, strlen(a->rest)), &l)) return false;
    loaded(sh, &l, NULL);
    return true;
}

bool shell_use(Shell *sh, const char *text)
{
    const char *at = strchr(text, '@');
    const char *name = arena_strndup(sh->scratch, text, at ? (size_t)(at - text) : strlen(text));
    const Derivation *old = session_current(sh->session);
    if (*name && !session_use(sh->session, name)) return false;
    const Version *v = at ? session_ref(sh->session, at) : session_version(sh->session);
    if (v) return session_open(sh->session, v) != NULL;
    if (old) session_use(sh->session, old->name);
    return false;
}

bool cmd_use(Shell *sh, Args *a)
{
    if (!arg(a, 0)) return arg_error(sh, a, "which program?");
    if (!arg_limit(sh, a, 1) || !shell_use(sh, arg(a, 0))) return false;
    return shell_report(sh, "{program:s version:i}", session_current(sh->session)->name, session_version(sh->session)->number);
}

/* ---- looking at terms ---- */

bool cmd_show(Shell *sh, Args *a)
{
    Path p = {0};
    const Version *v = shell_version(sh);
    const char *as = arg_flag(a, "as"), *depth = arg_flag(a, "depth");
    PrintOptions o = show_options(sh);
    int64_t n = o.max_depth;
    int at = arg(a, 0) && *arg(a, 0) == '@';
    if (!v || (at && !(v = session_ref(sh->session, arg(a, 0)))) || !arg_limit(sh, a, at + 1)) return false;
    /* of another version than the current one, paths start at its root */
    const char *place = arg(a, at);
    bool current = v == session_version(sh->session);
    if (place && !(current ? shell_place(sh, place, &p) : shell_place_in(sh, v, &(Path){0}, place, &p))) return false;
    if (depth && !arg_int(sh, "--depth", depth, 0, 1000, &n)) return false;
    o.max_depth = arg_flag(a, "full") ? 0 : (int)n;
    if (!as) as = "expr";
    bool typed = !strcmp(as, "typed");
    json_term(sh, v, v->root, &p, !arg_flag(a, "tree") || strcmp(arg_flag(a, "tree"), "no"));
    if (!strcmp(as, "expr")) {
        Path focus = place_path(v->focus);
        if (!place && focus.length > 0) {
            o.mark_before = o.unicode ? "►" : ">";
            o.mark_after = "";
            o.path = focus.slots;
            o.path_length = focus.length;
        }
        size_t start = sh->out.len;
        lang_print_at(sh->c, v->root, p.slots, p.length, &o, &sh->out);
        buf_putc(&sh->out, '\n');
        show_painted_term(sh, start);
        bool shorter = false;
        const Term *elements = arg_flag(a, "depth") ? NULL : shorter_form(sh, v, &p, &shorter);
        if (shorter)
            print(sh, "  shorter  %s        apply %s%s%s\n", show_short(sh, elements, &p, show_left(sh, 50)), by_elements,
                  p.length ? " at " : "", p.length ? path_text(sh->c, v->root, &p) : "");
    } else if (typed || !strcmp(as, "tree")) show_tree(sh, v, &p, &o, typed);
    else if (!strcmp(as, "json")) {
        const Term *t = path_term(v->root, &p);
        if (t->depth > 400) return shell_error(sh, E08, "the term is too deep for JSON");
        json_put(json_tree(sh, t), JSON_INDENT(2), &sh->out);
        return true;
    } else return dot_term(sh, version_name(sh, v), v->root, &p, &sh->out);
    if (arg_flag(a, "labels") && !strcmp(as, "expr")) show_labels(sh, v, &p);
    show_trust(sh, v);
    return true;
}

static const char *term_kind(Shell *sh, const Term *t)
{
    switch ((TermKind)t->kind) {
    case T_VAR: return "variable";
    case T_INPUT: return arena_printf(sh->scratch, "input %s", t->u.name);
    case T_LIT: return "literal";
    case T_SIZE: return "size";
    case T_LAM: return "function";
    case T_PRIM: break;
    }
    const Prim *p = prim((PrimId)t->prim);
    return arena_printf(sh->scratch, "%s    %s", p->name, p->help);
}

/* Bytes of a value of that type in a buffer; NULL: a function has none. */
static const Nat *type_bytes(Ctx *c, const Type *t)
{
    const Nat *n = NULL;
    switch (t->kind) {
    case TY_SCALAR: return nat_const(c->nats, scalar_bytes(t->scalar));
    case TY_VECTOR: return nat_const(c->nats, (int64_t)t->width * scalar_bytes(t->scalar));
    case TY_ARRAY: return (n = type_bytes(c, t->elems[0])) ? nat_mul(c->nats, t->size, n) : NULL;
    case TY_FUN: return NULL;
    case TY_TUPLE: break;
    }
    for (int i = 0; i < t->count; i++) {
        const Nat *part = type_bytes(c, t->elems[i]);
        if (!part) return NULL;
        n = n ? nat_add(c->nats, n, part) : part;
    }
    return n;
}

/* "4*N*K = 65536": the footprint of a value that is stored. In scratch; NULL for a function. */
static const char *bytes_text(Shell *sh, const Version *v, const Type *t)
{
    const Nat *n = type_bytes(sh->c, t);
    Values values;
    int64_t now;
    if (!n) return NULL;
    const char *text = nat_text(n, 0, sh->scratch);
    param_values(sh, v, &values);
    return !n->is_const && values_nat(&values, n, &now) ? arena_printf(sh->scratch, "%s = %lld", text, (long long)now) : text;
}

static const char *memory_name(const Term *t) { return t->kind == T_PRIM ? prim_memory((PrimId)t->prim) : NULL; }

/* Is what stands in that slot of t a part of the value of t, in the same memory? */
static bool is_part(const Term *t, int slot)
{
    if (t->kind != T_PRIM) return t->kind == T_LAM;
    switch (t->prim) {
    case PRIM_TUPLE: case PRIM_AS_VECTOR: case PRIM_AS_SCALAR: return true;
    case PRIM_LET: return slot == 1;
    case PRIM_IF: return slot > 0;
    case PRIM_MAP: return term_is_layout(t->args[0]);
    default: return prim((PrimId)t->prim)->family == FAM_LAYOUT || (prim_is_mapped((PrimId)t->prim) && slot == 0);
    }
}

/* Where an array that is computed at a place goes: up to the memory it is written to. */
static const char *written_space(Shell *sh, const Term *root, const Path *p)
{
    static const char undecided[] = "not decided: toGlobal, toLocal or toPrivate would";
    const Term *made = path_term(root, p), *t = made;
    if (made->kind == T_PRIM && made->prim == PRIM_MAP) return undecided;
    for (Path up = *p; up.length > 0;) {
        int slot = up.slots[--up.length];
        t = path_term(root, &up);
        if (memory_name(t)) return arena_printf(sh->scratch, "%s, by %s", memory_name(t), prim((PrimId)t->prim)->name);
        if (is_part(t, slot)) continue;
        const Term *init = t->kind == T_PRIM && prim((PrimId)t->prim)->family == FAM_REDUCE && slot == 0 ? t->args[1] : NULL;
        if (init && memory_name(init)) return arena_printf(sh->scratch, "%s, the accumulator's", memory_name(init));
        while (up.length > 0 && t->kind != T_LAM) up.length--, t = path_term(root, &up);
        bool inside = t->kind == T_LAM, parallel = made->kind == T_PRIM && prim_is_parallel((PrimId)made->prim);
        return parallel && !inside ? "global, a buffer between kernels" : undecided;
    }
    return p->length == 0 ? "global, the result" : "global, in the result";
}

/* Where the value at a place lives, as far as the term says (stages.md); NULL for a function. In scratch. */
static const char *space_text(Shell *sh, const Term *root, const Path *p)
{
    const Term *t = path_term(root, p);
    if (t->kind == T_LAM) return NULL;
    if (t->kind == T_INPUT) return t->type->kind == TY_ARRAY ? "global, an input" : "an argument";
    if (memory_name(t)) return memory_name(t);
    if (p->length == 0) return "global, the result";
    if (type_is_scalar_like(t->type)) return "private";
    if (t->kind == T_VAR) return "that of what it is an element of";
    Path up = *p;
    up.length--;
    return term_is_layout(t) && !memory_name(path_term(root, &up)) ? "none of its own, a view" : written_space(sh, root, p);
}

const char *input_spec_text(Shell *sh, const RunInput *in)
{
    Buf b = {0};
    if (in->spec.kind == FILL_DEFAULT) return NULL;
    fill_print(&in->spec, &b);
    return buf_take(&b, sh->scratch);
}

/* What an input's file holds; NULL: it has none, or it cannot be read. In scratch. */
static const char *file_holds(Shell *sh, const RunInput *in)
{
    FileArray a;
    Buf b = {0};
    if (in->spec.kind != FILL_FILE || !file_look(in->spec.path, &a, NULL)) return NULL;
    file_array_print(&a, &b);
    return buf_take(&b, sh->scratch);
}

bool cmd_info(Shell *sh, Args *a)
{
    Path p;
    const Version *v = shell_version(sh);
    if (!v || !arg_limit(sh, a, 1) || !shell_place(sh, arg(a, 0), &p)) return false;
    const Term *t = path_term(v->root, &p);
    const Version *origin = version_origin(v, &p);
    const Derivation *d = session_current(sh->session);
    const char *bytes = bytes_text(sh, v, t->type), *space = space_text(sh, v->root, &p);
    bool whole = p.length == 0;
    json_t *params = json_array(), *slots = json_array();
    print(sh, "%s of %s@%d\n", path_text(sh->c, v->root, &p), d->name, v->number);
    print(sh, "  kind    %s\n", term_kind(sh, t));
    print(sh, "  type    %s\n", type_text(sh->c, t->type));
    if (t->type->kind == TY_ARRAY) print(sh, "  length  %s\n", nat_text(t->type->size, 0, sh->scratch));
    if (bytes) print(sh, "  bytes   %s\n", bytes);
    /* Where an input's values come from, when that was said. */
    for (int i = 0; t->kind == T_INPUT && i < d->program->input_count; i++) {
        const RunInput *in = &d->inputs[i];
        if (strcmp(in->name, t->u.name) || in->spec.kind == FILL_DEFAULT) continue;
        const char *holds = file_holds(sh, in);
        print(sh, "  data    %s%s%s\n", input_spec_text(sh, in), holds ? "    " : "", holds ? holds : "");
    }
    if (space) print(sh, "  space   %s\n", space);
    PlanFact *facts = NULL;
    int n = whole ? session_facts(sh->session, v, sh->scratch, &facts) : plan_facts(sh->c, sh->scratch, t, &facts);
    for (int i = 0; i < n; i++) {
        print(sh, "  fact    %s", fact_text(&facts[i].fact, sh->scratch));
        if (whole && facts[i].who) print(sh, AT(38) "%s", facts[i].who);
        print(sh, "\n");
    }
    Values values;
    if (whole) param_values(sh, v, &values);
    for (int i = 0; whole && i < v->param_count && !*sh->stop; i++) show_param(sh, &values, &v->params[i], "  param   ", params);
    enum { BESIDE = 50, BEFORE = 17, GAP = 3 };      /* the type takes half of the line, or what is left */
    int left = show_left(sh, BESIDE), room = left > BESIDE ? BESIDE : left;
    for (int i = 0; i < term_slot_count(t) && p.length < PATH_MAX_LENGTH; i++) {
        Path child = p;
        child.slots[child.length++] = (uint8_t)i;
        const char *name = term_slot_name(sh->c, t, i), *type = type_text(sh->c, term_slot(t, i)->type);
        print(sh, "  slot    %-6s %s" AT(%d) "%s\n", name, show_short(sh, v->root, &child, room), BEFORE + room + GAP, type);
        json_add(slots, "{name:s term:s type:s}", name, show_short(sh, v->root, &child, 0), type);
    }
    if (whole && d->program->undecided) print(sh, "  literal %s: nothing else decides\n", d->program->undecided);
    print(sh, "  nodes   %u\n", t->size);
    if (whole) print(sh, "  trust   %s\n", trust_name(v->trust));
    if (whole) show_hash(sh, &sh->out, "  hash    ", v->hash, "\n");
    print(sh, "  origin  @%d %s\n", origin->number, origin->call);
    return shell_report(sh, "{bytes:s? space:s? place:s version:i kind:s type:s facts:o params:o slots:o nodes:i "
                        "origin:{version:i call:s} trust:s hash:s}", bytes, space, path_text(sh->c, v->root, &p), v->number,
                        term_kind(sh, t), type_text(sh->c, t->type), json_facts(sh, v, t, whole), params, slots, (int)t->size,
                        origin->number, origin->call, trust_name(v->trust), hash_text(sh, v->hash));
}

/* ---- data ---- */

/* listed: printed, too; only: of that size or input, NULL: of all. */
static bool report_data(Shell *sh, bool listed, const char *only)
{
    Values values;
    const Derivation *d = session_current(sh->session);
    json_t *sizes = json_array(), *inputs = json_array();
    param_values(sh, session_version(sh->session), &values);
    for (int i = 0; i < d->program->size_count; i++) {
        const Binding *b = &values.b[i];
        json_add(sizes, "{name:s value:o default:b of:s?}", b->name, b->set ? json_integer(b->value) : json_null(),
                 b->set && values.chosen[i], values.from_input[i]);
        if (!listed || (only && strcmp(only, b->name))) continue;
        if (!b->set) print(sh, "  %s : not set, and no default meets the facts\n", b->name);
        else print(sh, "  %s = %lld%s\n", b->name, (long long)b->value, values.chosen[i] ? "    (default)"
                   : values.from_input[i] ? arena_printf(sh->scratch, "    (of %s)", values.from_input[i]) : "");
    }
    for (int i = 0; i < d->program->input_count; i++) {
        const RunInput *in = &d->inputs[i];
        const char *holds = file_holds(sh, in), *type = type_text(sh->c, in->type);
        const char *spec = input_spec_text(sh, in);
        json_add(inputs, "{name:s type:s spec:s? holds:s?}", in->name, type, spec, holds);
        if (listed && (!only || !strcmp(only, in->name)))
            print(sh, "  %s : %s" AT(28) "%s%s%s\n", in->name, type, spec ? spec : "(default; random)", holds ? "    " : "",
                  holds ? holds : "");
    }
    return shell_report(sh, "{sizes:o inputs:o}", sizes, inputs);
}

static bool set_size_named(void *derivation, const char *name, double *out)
{
    const Derivation *d = derivation;
    for (int i = 0; i < d->program->size_count; i++)
        if (!strcmp(size_name(d->program, i), name) && d->sizes[i] > 0) return *out = (double)d->sizes[i], true;
    return false;
}

/* From other sizes that are set, 2*M + 1; false: it is no such. */
static bool calculated_size(Shell *sh, const Derivation *d, const char *text, int64_t *out)
{
    double n = 0;
    LOCAL(diag_free) Diag none = diag_new();
    if (!fill_calculate(sh->c, text, set_size_named, (void *)d, &n, &none) || n != floor(n) || n < 1 || n > 0x1p40) return false;
    return *out = (int64_t)n, true;
}

/* One after the other. sized: was one of them a size? */
static bool set_data(Shell *sh, const Args *a, bool *sized)
{
    char *name, *value;
    const Derivation *d = session_current(sh->session);
    bool *given = NEW_ARRAY(sh->scratch, bool, d->program->input_count);
    for (const char *rest = a->rest; *rest;) {
        if (!arg_assignment(sh, &rest, &name, &value)) return arg_error(sh, a, "data takes NAME = SPEC");
        FillSpec spec = {.kind = FILL_DEFAULT};
        bool digits = *value && strspn(value, "0123456789") == strlen(value), unset = !strcmp(value, "?");
        Datum datum = derivation_datum(d, name);
        if (datum == DATUM_SIZE || (digits && datum == DATUM_NONE)) {
            int64_t n = 0;
            if (!unset && !calculated_size(sh, d, value, &n) && !arg_int(sh, name, value, 1, (int64_t)1 << 40, &n)) return false;
            if (!session_set_size(sh->session, name, n)) return false;
            *sized = true;
            continue;
        }
        if (!unset && !input_spec_parse(sh->c, value, &spec)) return false;
        if (spec.kind == FILL_FILE) spec.path = shell_path(sh, spec.path);
        for (int i = 0; i < d->program->input_count; i++) given[i] = given[i] || !strcmp(d->inputs[i].name, name);
        if (!session_set_input(sh->session, name, &spec)) return false;
    }
    /* Files have what their inputs need: of those just given it is an error if not, of others, whose sizes may have
     * changed, a warning. */
    Values values;
    session_given_values(sh->session, session_version(sh->session), sh->scratch, &values);
    for (int i = 0; i < d->program->input_count; i++) {
        const RunInput *in = &d->inputs[i];
        if (in->spec.kind != FILL_FILE) continue;
        if (access(in->spec.path, R_OK)) {
            if (given[i]) print(sh, "warning: cannot read %s: %s\n", in->spec.path, strerror(errno));
            continue;
        }
        if (session_file_fits(sh->session, &values, i)) continue;
        diag_note(diag(sh), "input", "%s", in->name);
        if (given[i]) return false;
        print(sh, "warning: %s\n", diag(sh)->message);
        diag_clear(diag(sh));
    }
    return true;
}

/* All of them or none. */
static bool set_all_data(Shell *sh, const Version *v, const Args *a)
{
    bool sized = false;
    const Derivation *d = session_current(sh->session);
    const Program *p = d->program;
    int64_t *sizes = NEW_ARRAY(sh->scratch, int64_t, p->size_count);
    FillSpec *specs = NEW_ARRAY(sh->scratch, FillSpec, p->input_count);
    for (int i = 0; i < p->size_count; i++) sizes[i] = d->sizes[i];
    for (int i = 0; i < p->input_count; i++) specs[i] = d->inputs[i].spec;
    if (set_data(sh, a, &sized)) {
        /* Decided in decisions.md, Sizes: a fact that a size breaks is a warning now and an error when something is run. */
        Values values;
        session_given_values(sh->session, v, sh->scratch, &values);
        const PlanFact *bad = sized ? session_violated(sh->session, &values, sh->scratch) : NULL;
        if (!bad) return true;
        const char *again = lower_again(sh, v);
        print(sh, "warning: now %s does not hold%s%s; @%d cannot be run%s%s\n", fact_text(&bad->fact, sh->scratch), bad->who ? " for " : "",
              bad->who ? bad->who : "", v->number, again ? "        " : "", again ? again : "");
        return true;
    }
    for (int i = 0; i < p->size_count; i++) session_set_size(sh->session, size_name(p, i), sizes[i]);
    for (int i = 0; i < p->input_count; i++) session_set_input(sh->session, p->inputs[i].name, &specs[i]);
    return false;
}

bool cmd_data(Shell *sh, Args *a)
{
    const Version *v = shell_version(sh);
    if (!v) return false;
    Datum named = a->count ? derivation_datum(session_current(sh->session), a->words[0]) : DATUM_NONE;
    if (!*a->rest) return report_data(sh, true, NULL);
    if (a->count == 1 && named && !strcmp(a->rest, a->words[0])) return report_data(sh, true, a->words[0]);
    if (a->count == 2 && named && !strchr(a->rest, '='))
        return shell_error(sh, E05, "data takes NAME = SPEC\nform %s\ntry data %s = %s", a->command->form, a->words[0], a->words[1]);
    return set_all_data(sh, v, a) && report_data(sh, false, NULL);
}
