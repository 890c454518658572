/* print_term: terms as documents: composition, patterns, literals, minimal brackets. */
#include "print_private.h"
#include "scheme.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns: which tuples are used only as wholes ---- */

/* Is every use of the leaves [base, base + n) inside a whole tuple of that type? */
static bool only_whole(const Term *t, const Type *type, int base)
{
    if (t->free_limit <= base || term_is_param(t, type, base)) return true;
    if (t->kind == T_VAR) return t->u.index < base || t->u.index >= base + type->leaf_count;
    int in = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    return ALL(i, t->arg_count, only_whole(t->args[i], type, base + in));
}

/* A parameter that is mapped over with a named element: the name's plural. */
static const char *plural_hint(Printer *p, const Term *t, int base)
{
    if (t->free_limit <= base) return NULL;
    if (t->kind == T_PRIM && prim_is_map((PrimId)t->prim) && term_is_param(t->args[1], t->args[1]->type, base)
        && t->args[0]->u.hints) {
        const char *h = t->args[0]->u.hints[0];
        if (h && strlen(h) < 12) return arena_printf(p->arena, "%ss", h);
    }
    int in = t->kind == T_LAM ? t->type->elems[0]->leaf_count : 0;
    const char *found = NULL;
    for (int i = 0; i < t->arg_count && !found; i++) found = plural_hint(p, t->args[i], base + in);
    return found;
}

const Doc *print_pattern(Printer *p, const Type *type, const char *const *hints, const Term *body, int base,
                         const char *fallback)
{
    const char *hint = hints && hints[0] ? hints[0] : NULL;
    if (!hint && !fallback && type->kind == TY_ARRAY) hint = plural_hint(p, body, base);
    if (type->kind != TY_TUPLE || only_whole(body, type, base)) {
        const char *name = name_unused(p, hint ? hint : fallback ? fallback : name_default(type));
        for (int i = 0; i < type->leaf_count; i++) names_push(p, name);
        if (p->name_count) p->lengths[p->name_count - 1] = type_any_length(type);
        return doc_text(p, name);
    }
    const Doc *d = doc_text(p, "(");
    int below = base + type->leaf_count, h = 1;
    for (int i = 0; i < type->count; i++) {
        below -= type->elems[i]->leaf_count;
        if (i) d = doc_cat(p, d, doc_text(p, ", "));
        const char *sub = hint ? arena_printf(p->arena, "%s%d", hint, i) : i == 0 ? fallback : NULL;
        d = doc_cat(p, d, print_pattern(p, type->elems[i], hints ? hints + h : NULL, body, below, sub));
        h += hint_count(type->elems[i]);
    }
    return doc_cat(p, d, doc_text(p, ")"));
}

/* ---- literals ---- */

static const Doc *float_literal(Printer *p, const Term *t, bool known)
{
    Scalar s = t->type->scalar;
    double v = t->u.lit.f;
    bool plain = known || s == SC_F32;
    if (isnan(v) || isinf(v)) {
        const char *word = isnan(v) ? "nan" : v < 0 ? "-inf" : "inf";
        return plain ? doc_text(p, word) : doc_text(p, arena_printf(p->arena, "(%s : %s)", word, scalar_name(s)));
    }
    char buf[64];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buf, sizeof buf, "%.*g", digits, v);
        double back = strtod(buf, NULL);
        if (s == SC_F32 ? (float)back == (float)v : s == SC_F16 ? (double)(_Float16)back == v : back == v) break;
    }
    if (!strpbrk(buf, ".e") && !known) strcat(buf, ".0");
    char *plus = strstr(buf, "e+");
    if (plus) memmove(plus + 1, plus + 2, strlen(plus + 2) + 1);
    const char *digits = arena_strdup(p->arena, buf);
    return plain ? doc_text(p, digits) : doc_text(p, arena_printf(p->arena, "%s%s", digits, scalar_name(s)));
}

/* The lengths of the arrays that slice and iterate hand to functions have no names in text: they are those arrays'. */
static const Nat *in_names(Printer *p, const Nat *n)
{
    NatAtomVec vars = {0};
    if (n->is_const) return n;
    nat_vars(n, &vars);
    for (int i = 0; i < vars.n; i++) {
        int k = p->name_count - 1;
        while (k >= 0 && p->lengths[k] != vars.v[i]) k--;
        if (k < 0) continue;
        const char *text = arena_printf(p->arena, "(length %s)", p->names[k]);
        NatBinding b = {vars.v[i], nat_var(p->c->nats, text, VAR_SIZE, NULL, NULL)};
        n = nat_subst(p->c->nats, n, &b, 1, NULL);
    }
    free(vars.v);
    return n;
}

static const Doc *nat_doc(Printer *p, const Nat *n, int prec)
{
    return doc_text(p, nat_text(in_names(p, n), prec > 9 ? 9 : prec, p->arena));
}

static bool is_plain_name(const Nat *n)
{
    return n->term_count == 1 && n->terms[0].factor_count == 1 && n->terms[0].num == 1 && n->terms[0].den == 1 &&
           n->terms[0].factors[0].exp == 1 && n->terms[0].factors[0].atom->kind == ATOM_VAR;
}

/* ---- terms ---- */

static const Doc *function(Printer *p, const Term *f, int prec, bool known, const char *fallback);

static bool is_prim(const Term *t, PrimId id) { return t->kind == T_PRIM && t->prim == id; }

/* Is the mark strictly below the node now printed? Then it is not folded into a chain. */
static bool leads_to_mark(const Printer *p) { return p->on_path && p->path_length < p->o->path_length; }

/* Where we are is followed for the notes. */
static void step_to(Printer *p, int slot)
{
    int at = p->path_length + p->links;
    if (at < COUNT(p->path)) p->path[at] = (uint8_t)slot;
}

static const char *note(Printer *p, bool whole)
{
    int at = p->path_length + p->links;
    return p->o->note && at <= COUNT(p->path) ? p->o->note(p->o->note_data, p->path, at, whole) : NULL;
}

static const Doc *with_note(Printer *p, const char *text, const Doc *d)
{
    return text ? doc_cat(p, doc_note(p, text), d) : d;
}

/* As a function: fallback is a name for its parameter if it has none. */
static const Doc *print_slot_as(Printer *p, const Term *t, int slot, int prec, bool known, bool as_function, const char *fallback)
{
    bool was = p->on_path;
    int depth = p->path_length;
    p->on_path = was && depth < p->o->path_length && p->o->path[depth] == slot;
    step_to(p, slot);
    p->path_length++;
    const Doc *d = as_function ? function(p, t->args[slot], prec, known, fallback)
                               : print_term(p, term_slot(t, slot), prec, known);
    p->path_length = depth;
    p->on_path = was;
    return d;
}

static const Doc *print_slot(Printer *p, const Term *t, int slot, int prec, bool known)
{
    return print_slot_as(p, t, slot, prec, known, false, NULL);
}

/* Printed as prefix application whose last argument is the data it works on: the links of chains. */
static bool is_link(const Term *t)
{
    if (t->kind != T_PRIM || t->arg_count == 0) return false;
    PrimId id = (PrimId)t->prim;
    switch (prim(id)->family) {
    case FAM_MAP: case FAM_REDUCE: case FAM_SCAN: case FAM_MEMORY: return true;
    case FAM_LAYOUT: return id != PRIM_ZIP && id != PRIM_CONCAT;
    case FAM_VECTOR: return id == PRIM_AS_VECTOR || id == PRIM_AS_SCALAR || id == PRIM_MAP_VEC;
    case FAM_ACCESS: return id == PRIM_ITERATE || id == PRIM_GATHER || id == PRIM_SLICE;
    case FAM_SCALAR: return t->arg_count == 1 && isalpha((unsigned char)*prim(id)->name) && id != PRIM_NEG;
    default: return false;
    }
}

static const Term *last_arg(const Term *t) { return t->args[t->arg_count - 1]; }

const Doc *print_statics(Printer *p, const Term *t, const Doc *d)
{
    PrimId id = (PrimId)t->prim;
    if (id == PRIM_REORDER) {
        PermKind k = (PermKind)t->statics[0]->value;
        if (k == PERM_REVERSE) return doc_cat(p, d, doc_text(p, " reverse"));
        const Doc *of = k == PERM_FUN ? print_slot_as(p, t, 0, P_ATOM, true, true, "i") : nat_doc(p, t->statics[1], P_ATOM);
        if (k == PERM_FUN) of = doc_cat3(p, of, doc_text(p, " "), print_slot_as(p, t, 1, P_ATOM, true, true, "i"));
        return doc_cat3(p, d, doc_format(p, " (%s ", perm_kind_name(k)), doc_cat(p, of, doc_text(p, ")")));
    }
    for (int i = 0; i < t->static_count; i++) {
        bool mode = prim_static_kind(p->c, id, i) == STATIC_MODE;
        const Doc *s = mode ? doc_text(p, pad_mode_name((PadMode)t->statics[i]->value))
                            : nat_doc(p, t->statics[i], P_ATOM);
        d = doc_cat3(p, d, doc_text(p, " "), s);
    }
    return d;
}

/* Printed as text whose type the context gives (elab_bind.c: is_flexible). */
static bool is_flexible(const Term *t) { return t->kind == T_LIT || (t->kind == T_SIZE && is_plain_name(t->u.nat)); }

/* Does the elaborator know the type of argument i from its context? Mirrors elab_prim.c; when in doubt, no. */
static bool arg_known(Printer *p, const Term *t, int i, bool known)
{
    PrimId id = (PrimId)t->prim;
    switch (id) {
    case PRIM_REDUCE: case PRIM_REDUCE_PART: case PRIM_SCAN: return i == 1;
    case PRIM_PAD_CONST: return i == 0;
    case PRIM_REDUCE_SEQ: case PRIM_REDUCE_SEQ_UNROLL: case PRIM_REDUCE_SEQ_PREFETCH: case PRIM_REDUCE_HOST:
    case PRIM_SCAN_SEQ: case PRIM_SCAN_SEQ_UNROLL:
        if (i != 1 || known) return i == 1;
        p->short_inits += !p->long_inits;
        return !p->long_inits;
    case PRIM_TUPLE: case PRIM_ZIP: case PRIM_TO_IMAGE: return known;
    case PRIM_AT: return i == 0;
    case PRIM_VDOT: return i == 1;
    case PRIM_VEC:
        for (int k = 0; k < (is_flexible(t->args[i]) ? t->arg_count : i); k++)
            if (k != i && !is_flexible(t->args[k])) return true;
        return known;
    default: break;
    }
    if (prim(id)->family == FAM_MEMORY) return known;
    const Scheme *s = prim_scheme(p->c, id);
    if (prim(id)->family != FAM_SCALAR || !s || s->args[i]->kind != SCH_VAR) return false;
    bool result = s->result->kind == SCH_VAR && s->result->var == s->args[i]->var;
    if (result && known) return true;
    /* rigid arguments are read in order, then the flexible ones */
    int last = is_flexible(t->args[i]) ? t->arg_count : i;
    for (int k = 0; k < last; k++)
        if (k != i && s->args[k]->kind == SCH_VAR && s->args[k]->var == s->args[i]->var && !is_flexible(t->args[k]))
            return true;
    return false;
}

const char *print_fallback(const Term *t)
{
    PrimFamily f = prim((PrimId)t->prim)->family;
    return f == FAM_REDUCE || f == FAM_SCAN ? "acc" : t->prim == PRIM_GENERATE ? "i" : NULL;
}

/* The head of an application: name, statics, and the first n arguments. */
static const Doc *head(Printer *p, const Term *t, int n, bool known, bool open)
{
    const Doc *d = print_statics(p, t, doc_text(p, prim((PrimId)t->prim)->name)), *args = NULL;
    int first = t->prim == PRIM_REORDER ? t->arg_count - 1 : 0;       /* its functions are part of the permutation */
    PrimFamily f = prim((PrimId)t->prim)->family;
    bool result = f == FAM_REDUCE || f == FAM_SCAN || (known && (f == FAM_MAP || t->prim == PRIM_GENERATE));
    for (int i = first; i < n; i++) {
        if (open && i == t->arg_count - 1) p->open_end = t->args[i];
        const Doc *a = t->args[i]->kind == T_LAM
                           ? print_slot_as(p, t, i, P_ATOM, result, true, print_fallback(t))
                           : print_slot(p, t, i, P_ATOM, arg_known(p, t, i, known));
        args = args ? doc_cat3(p, args, doc_line(p), a) : doc_cat(p, doc_line(p), a);
    }
    return args ? doc_cat(p, d, doc_nest(p, args)) : d;
}

/* g1 . g2 . g3 for the links from t down to (not including) end, which is where we are then. */
static const Doc *chain(Printer *p, const Term *t, const Term *end)
{
    const Doc *d = NULL;
    for (; t != end; t = last_arg(t)) {
        const char *text = d ? note(p, false) : NULL;                   /* of the first, the caller's */
        const Doc *h = with_note(p, text, doc_group(p, head(p, t, t->arg_count - 1, false, false)));
        d = d ? doc_cat3(p, d, doc_cat(p, doc_text(p, p->o->unicode ? " ∘" : " ."), doc_line(p)), h) : h;
        step_to(p, t->arg_count - 1);
        p->links++;
    }
    return d;
}

static int operator_prec(PrimId id)
{
    switch (id) {
    case PRIM_OR: return P_OR;
    case PRIM_AND: return P_AND;
    case PRIM_EQ: case PRIM_NE: case PRIM_LT: case PRIM_LE: case PRIM_GT: case PRIM_GE: return P_CMP;
    case PRIM_ADD: case PRIM_SUB: return P_SUM;
    case PRIM_MUL: case PRIM_DIV: case PRIM_FLOOR_DIV: case PRIM_MOD: return P_PRODUCT;
    default: return -1;
    }
}

/* A tuple that is exactly a parameter printed as one name. */
static const char *whole_name(Printer *p, const Term *t)
{
    const Term *last = t;
    while (is_prim(last, PRIM_TUPLE)) last = last_arg(last);
    if (last->kind != T_VAR || !term_is_param(t, t->type, last->u.index)) return NULL;
    int from = p->name_count - 1 - last->u.index, n = t->type->leaf_count;
    if (from - n + 1 < 0) return NULL;
    for (int i = 1; i < n; i++)
        if (p->names[from - i] != p->names[from]) return NULL;
    return p->names[from];
}

static const Doc *print_prim(Printer *p, const Term *t, int prec, bool known)
{
    int op = operator_prec((PrimId)t->prim);
    if (op >= 0) {
        bool right = op == P_OR || op == P_AND, none = op == P_CMP;
        const Doc *a = print_slot(p, t, 0, right || none ? op + 1 : op, arg_known(p, t, 0, known));
        const Doc *b = print_slot(p, t, 1, right ? op : op + 1, arg_known(p, t, 1, known));
        const Doc *d = doc_cat3(p, a, doc_format(p, " %s", prim((PrimId)t->prim)->name),
                                doc_nest(p, doc_cat(p, doc_line(p), b)));
        return doc_bracket_if(p, prec > op, doc_group(p, d));
    }
    switch (t->prim) {
    case PRIM_LET: {
        const Term *f = t->args[1];
        const Doc *value = print_slot(p, t, 0, P_TOP, false);
        int names = p->name_count;
        const Doc *name = print_pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, "t");
        const Doc *body = print_slot(p, t, 1, P_TOP, known);
        names_pop(p, names);
        const Doc *d = doc_cat3(p, doc_cat3(p, doc_text(p, "let "), name, doc_text(p, " = ")), value,
                                doc_cat3(p, doc_line(p), doc_text(p, "in "), body));
        return doc_bracket_if(p, prec > P_TOP, doc_group(p, d));
    }
    case PRIM_IF: {
        const Doc *d = doc_cat(p, doc_text(p, "if "), print_slot(p, t, 0, P_TOP, true));
        d = doc_cat3(p, d, doc_cat(p, doc_line(p), doc_text(p, "then ")),
                     print_slot(p, t, 1, P_TOP, arg_known(p, t, 1, known)));
        d = doc_cat3(p, d, doc_cat(p, doc_line(p), doc_text(p, "else ")),
                     print_slot(p, t, 2, P_TOP, arg_known(p, t, 2, known)));
        return doc_bracket_if(p, prec > P_TOP, doc_group(p, doc_nest(p, d)));
    }
    case PRIM_TUPLE: {
        const char *name = whole_name(p, t);
        if (name) return doc_text(p, name);
        const Doc *d = doc_text(p, "(");
        for (int i = 0; i < t->arg_count; i++) {
            if (i) d = doc_cat3(p, d, doc_text(p, ","), doc_line(p));
            d = doc_cat(p, d, print_slot(p, t, i, P_TOP, arg_known(p, t, i, known)));
        }
        return doc_group(p, doc_nest(p, doc_cat(p, d, doc_text(p, ")"))));
    }
    case PRIM_PROJ: case PRIM_AT: case PRIM_LANE: {
        int last = t->arg_count - 1;
        if (t->prim == PRIM_PROJ)
            return doc_cat(p, print_slot(p, t, 0, P_ATOM, false), doc_text(p, arena_printf(p->arena, ".%d", t->u.proj)));
        if (t->prim == PRIM_AT && !term_is_atom(t->args[1]) && !is_prim(t->args[1], PRIM_AT))
            return doc_bracket_if(p, prec > P_APP, doc_group(p, head(p, t, 2, false, false)));
        const Doc *in = print_slot(p, t, last, P_ATOM, false);
        const Doc *index = t->prim == PRIM_LANE ? nat_doc(p, t->statics[0], 0) : print_slot(p, t, 0, P_TOP, true);
        return doc_cat3(p, doc_cat(p, in, doc_text(p, "[")), index, doc_text(p, "]"));
    }
    case PRIM_NEG: case PRIM_NOT: {
        bool minus = t->prim == PRIM_NEG, minus_literal = minus && t->args[0]->kind == T_LIT;       /* -(5): not the number -5 */
        const Doc *a = print_slot(p, t, 0, minus_literal ? P_TOP : P_PREFIX, known && minus);
        if (minus_literal) a = doc_brackets(p, a);
        return doc_bracket_if(p, prec > P_PREFIX, doc_cat(p, doc_text(p, minus ? "-" : "!"), a));
    }
    default: {
        const Term *end = t;
        int links = 0;
        bool open = p->open_end == t;
        while (!open && is_link(end) && !leads_to_mark(p)) end = last_arg(end), links++;
        if (links >= 2 && term_is_atom(end) && end->kind != T_LIT && end->kind != T_SIZE) {
            bool was = p->on_path;
            int above = p->links;
            p->on_path = false;                                     /* the mark, if any, is round the whole chain */
            const Doc *d = doc_cat(p, chain(p, t, end), doc_text(p, " $ "));
            d = doc_cat(p, d, print_term(p, end, P_TOP, false));
            p->on_path = was;
            p->links = above;
            return doc_bracket_if(p, prec > P_TOP, doc_group(p, doc_nest(p, d)));
        }
        open = is_link(t) && (open || links >= 2);
        const Doc *d = doc_group(p, head(p, t, t->arg_count, known, open));
        return doc_bracket_if(p, prec > P_APP && (t->arg_count || t->static_count), d);
    }
    }
}

static const Doc *print_node(Printer *p, const Term *t, int prec, bool known)
{
    switch (t->kind) {
    case T_VAR: {
        int i = p->name_count - 1 - t->u.index;
        return doc_text(p, i >= 0 ? p->names[i] : arena_printf(p->arena, "_%d", t->u.index));
    }
    case T_INPUT: return doc_text(p, t->u.name);
    case T_LIT: {
        Scalar s = t->type->scalar;
        if (s == SC_BOOL) return doc_text(p, t->u.lit.i ? "true" : "false");
        bool wide = s == SC_U64 && t->u.lit.i < 0;               /* reads back with its suffix alone */
        bool negative = scalar_is_float(s) ? signbit(t->u.lit.f) && !isnan(t->u.lit.f) : t->u.lit.i < 0 && !wide;
        const Doc *d;
        if (scalar_is_float(s)) d = float_literal(p, t, known);
        else if (wide) d = doc_text(p, arena_printf(p->arena, "%lluu64", (unsigned long long)t->u.lit.i));
        else d = doc_text(p,
                          arena_printf(p->arena, "%lld%s", (long long)t->u.lit.i,
                                       known || s == SC_I32 ? "" : scalar_name(s)));
        return doc_bracket_if(p, negative && prec > P_PREFIX, d);
    }
    case T_SIZE: {
        bool plain = is_plain_name(t->u.nat);
        if (plain && (known || t->type->scalar == SC_I32)) return nat_doc(p, t->u.nat, P_ATOM);
        const Doc *d = plain ? nat_doc(p, t->u.nat, P_ATOM)
                             : doc_brackets(p, doc_cat(p, nat_doc(p, t->u.nat, 0), doc_text(p, " : size")));
        if (known || t->type->scalar == SC_I32) return d;
        return doc_brackets(p, doc_cat(p, d, doc_format(p, " : %s", scalar_name(t->type->scalar))));
    }
    case T_LAM: return function(p, t, prec, known, NULL);
    default: return print_prim(p, t, prec, known);
    }
}

/* Between the marks where the marked node is printed. */
static const Doc *marked(Printer *p, const Doc *d)
{
    bool here = p->o->mark_before && p->on_path && p->path_length == p->o->path_length;
    return here ? doc_cat3(p, doc_text(p, p->o->mark_before), d, doc_text(p, p->o->mark_after)) : d;
}

const Doc *print_term(Printer *p, const Term *t, int prec, bool known)
{
    if (p->o->max_depth && p->path_length > p->o->max_depth && t->arg_count) return doc_text(p, "..");
    const Doc *d = print_node(p, t, prec, known);
    if (t->kind != T_LAM) d = with_note(p, note(p, false), d);
    return marked(p, d);
}

/* ---- functions ---- */

/* \(a, b) -> a op b, and \x -> f x for scalar functions: the operator's or function's name; NULL otherwise. */
static const Doc *named_function(Printer *p, const Term *f)
{
    const Type *param = f->type->elems[0];
    const Term *b = f->args[0];
    if (term_is_param(b, param, 0)) return doc_text(p, "id");
    if (b->kind != T_PRIM || prim((PrimId)b->prim)->family != FAM_SCALAR || b->prim == PRIM_IF
        || b->prim == PRIM_NEG || b->prim == PRIM_NOT)
        return NULL;
    int parts = b->arg_count == 1 ? 1 : param->kind == TY_TUPLE ? param->count : 0;
    if (parts != b->arg_count) return NULL;
    int below = param->leaf_count;
    for (int i = 0; i < parts; i++) {
        const Type *t = parts == 1 ? param : param->elems[i];
        below -= t->leaf_count;
        if (!term_is_param(b->args[i], t, below)) return NULL;
    }
    const char *name = prim((PrimId)b->prim)->name;
    return doc_format(p, isalpha((unsigned char)*name) ? "%s" : "(%s)", name);
}

/* Does some number in t hang on that length? */
static bool counts(const Term *t, const NatAtom *v)
{
    if (!v || !(t->kind == T_SIZE || t->arg_count || t->static_count)) return false;
    return (t->kind == T_SIZE && nat_mentions(t->u.nat, v)) || ANY(i, t->static_count, nat_mentions(t->statics[i], v))
        || ANY(i, t->arg_count, counts(t->args[i], v));
}

/* \x -> g1 (g2 (... x)) with x at the end only: g1 . g2 . ... (one link: a partial application); NULL otherwise. */
static const Doc *composed_function(Printer *p, const Term *f, int prec)
{
    int leaves = f->type->elems[0]->leaf_count, links = 0;
    const Term *t = f->args[0];
    for (; is_link(t) && !ANY(i, t->arg_count - 1, term_mentions(t->args[i], 0, leaves)); t = last_arg(t)) links++;
    const Type *param = f->type->elems[0];
    if (!links || !term_is_param(t, param, 0) || counts(f->args[0], type_any_length(param))) return NULL;
    int names = p->name_count, above = p->links;
    for (int i = 0; i < leaves; i++) names_push(p, "");        /* not mentioned in what is printed */
    step_to(p, 0);
    p->links++;
    const char *text = note(p, false);
    const Doc *d = with_note(p, text, chain(p, f->args[0], t));
    p->links = above;
    names_pop(p, names);
    bool single_word = links == 1 && f->args[0]->arg_count == 1 && f->args[0]->static_count == 0;
    int own = links > 1 ? P_COMPOSE : single_word ? P_ATOM : P_APP;
    return doc_bracket_if(p, prec > own, doc_group(p, d));
}

static const Doc *function(Printer *p, const Term *f, int prec, bool known, const char *fallback)
{
    bool plain = !leads_to_mark(p);
    const Doc *d = plain ? named_function(p, f) : NULL;
    bool named = d != NULL;
    if (!d && plain) d = composed_function(p, f, prec);
    if (d) return marked(p, with_note(p, note(p, named), d));
    int names = p->name_count;
    const Doc *param = print_pattern(p, f->type->elems[0], f->u.hints, f->args[0], 0, fallback);
    param = doc_cat3(p, doc_text(p, p->o->unicode ? "λ" : "\\"), param, doc_text(p, p->o->unicode ? " →" : " ->"));
    d = doc_cat(p, param, doc_nest(p, doc_cat(p, doc_line(p), print_slot(p, f, 0, P_TOP, known))));
    d = with_note(p, note(p, false), d);
    names_pop(p, names);
    return doc_bracket_if(p, prec > P_TOP, doc_group(p, d));
}
