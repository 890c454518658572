/* program: files and declarations to programs; text read in a scope. */
#include "elab.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- which definitions use which ---- */

static bool decl_mentions(const AstDecl *d, const char *name)
{
    if (ANY(i, d->param_count, pattern_binds(d->params[i], name))) return false;
    return ast_mentions(d->body, name) || (d->neutral && ast_mentions(d->neutral, name));
}

static bool find_cycle(const Defs *d, int i, uint8_t *state, Buf *path);

enum { ON_PATH = 1, DONE = 2, USED = 4 };        /* bits of a definition's state; USED: another uses it */

/* A cycle through a name in a part of definition i? */
static bool find_cycle_in(const Defs *d, int i, const Ast *part, uint8_t *state, Buf *path)
{
    if (part->kind != AST_NAME) return ANY(k, part->kid_count, find_cycle_in(d, i, part->kids[k], state, path));
    const Def *other = def_in(&d->defs, part->name);
    const ptrdiff_t k = other ? other - d->defs.v : 0;
    if (!other || !decl_mentions(d->defs.v[i].decl, other->name)) return false;
    state[k] |= USED;
    if (state[k] & DONE) return false;
    Buf rest = {0};
    const bool closes = state[k] & ON_PATH;
    if (!closes && !find_cycle(d, (int)k, state, &rest)) return false;
    buf_printf(path, "%s uses %s%s%s", d->defs.v[i].name, other->name, closes ? "" : ", ", closes ? "" : buf_text(&rest));
    buf_free(&rest);
    return true;
}

/* Depth-first search for a cycle among the definitions. */
static bool find_cycle(const Defs *d, int i, uint8_t *state, Buf *path)
{
    const AstDecl *decl = d->defs.v[i].decl;
    state[i] |= ON_PATH;
    if (find_cycle_in(d, i, decl->body, state, path) || (decl->neutral && find_cycle_in(d, i, decl->neutral, state, path))) return true;
    state[i] = (state[i] & USED) | DONE;
    return false;
}

/* ---- programs ---- */

static bool is_data_annotation(const AstType *t)
{
    if (t->kind == ASTTYPE_FUN || t->kind == ASTTYPE_SIZE) return false;
    return ALL(i, t->kid_count, is_data_annotation(t->kids[i]));
}

/* (K: size), a size variable that stands in no input's type. */
static bool is_size_parameter(const AstPat *p) { return p->annot->kind == ASTTYPE_SIZE && isupper((unsigned char)*p->name); }

static bool is_program(const AstDecl *d)
{
    AstPat *const *p = d->params;
    return ALL(i, d->param_count, p[i]->annot && p[i]->name && (is_data_annotation(p[i]->annot) || is_size_parameter(p[i])));
}

const char *defs_lower_size(const Defs *d, int i)
{
    const AstDecl *decl = d->defs.v[i].decl;
    const char *found = NULL;
    for (int k = decl->param_count; k-- > 0;) {
        const AstPat *p = decl->params[k];
        if (!p->annot || !p->name) return NULL;
        if (p->annot->kind == ASTTYPE_SIZE && !is_size_parameter(p)) found = p->name;
        else if (p->annot->kind != ASTTYPE_SIZE && !is_data_annotation(p->annot)) return NULL;
    }
    return found;
}

const Env *elab_params(Elab *e, const Defs *d)
{
    const Env *env = NULL;
    for (int i = 0; d && i < d->params.n; i++)
        BIND(e->arena, &env, d->params.v[i], BIND_SIZE, .nat = nat_var(e->c->nats, d->params.v[i], VAR_PARAM, NULL, NULL));
    return env;
}

static void bind_inputs(Elab *e, const Env **env, const Program *p)
{
    for (int i = 0; i < p->input_count; i++)
        BIND(e->arena, env, p->inputs[i].name, BIND_TERM, .term = term_input(e->c, p->inputs[i].name, p->inputs[i].type));
}

/* A name may not be both a size and a value parameter, and no two parameters may share one. */
static bool check_parameter_names(Elab *e, Scope s, const AstDecl *decl)
{
    for (int i = 0; i < decl->param_count; i++) {
        const AstPat *p = decl->params[i];
        for (int k = 0; k < i; k++)
            if (decl->params[k]->name == p->name && strcmp(p->name, "_") != 0)
                return ctx_error_at(e->c, E04, s.source, p->span, "two parameters are called \"%s\"", p->name);
        const Env *b = is_size_parameter(p) ? NULL : env_find(s.env, p->name);
        if (b && b->kind == BIND_SIZE && nat_var(e->c->nats, p->name, VAR_SIZE, NULL, NULL) == b->nat)
            return ctx_error_at(e->c, E04, s.source, p->span, "\"%s\" is used as a size and as a parameter", p->name);
    }
    return true;
}

/* The sizes that are bound in front of outer, in that order; how many. all may be NULL. */
static int list_sizes(const Env *sizes, const Env *outer, const Nat **all)
{
    if (sizes == outer) return 0;
    int n = list_sizes(sizes->next, outer, all);
    if (all) all[n] = sizes->nat;
    return n + 1;
}

static Program *elaborate_program(Defs *d, const Def *def)
{
    const AstDecl *decl = def->decl;
    Ctx *c = d->c;
    LOCAL(drop_arena) Arena *scratch = arena_new();
    Elab e = elab_start(c, scratch, d);
    const char *inlined = NULL;
    Program *p = NEW(d->arena, Program);
    const Env *outer = elab_params(&e, d), *sizes = outer;
    p->name = decl->name;
    p->inputs = NEW_ARRAY(d->arena, Input, decl->param_count);
    for (int i = 0; i < decl->param_count; i++) {
        if (is_size_parameter(decl->params[i])) {
            elab_bind_size(&e, decl->params[i]->name, &sizes);
            continue;
        }
        Input *in = &p->inputs[p->input_count++];
        in->name = decl->params[i]->name;
        in->type = elab_type(&e, (Scope){sizes, 0, def->source}, decl->params[i]->annot, &sizes);
        if (!in->type) return NULL;
    }
    Scope s = {sizes, 0, def->source};
    if (!check_parameter_names(&e, s, decl)) return NULL;
    bind_inputs(&e, &s.env, p);
    OpenSizes open = {0};
    e.open = &open;
    const Type *want = decl->result ? elab_type(&e, s, decl->result, NULL) : NULL;
    if (decl->result && !want) return NULL;
    e.inlined = &inlined;
    p->body = elab_whole(&e, s, decl->body, want);
    if (!p->body) return NULL;
    int named = list_sizes(sizes, outer, NULL);
    p->open_count = list_sizes(open.sizes, NULL, NULL);
    p->size_count = named + p->open_count;
    p->sizes = NEW_ARRAY(d->arena, const Nat *, p->size_count);
    list_sizes(sizes, outer, p->sizes);
    list_sizes(open.sizes, NULL, p->sizes + named);
    if (want && p->body->type != want)
        return ctx_error_at(c, E04, def->source, decl->result->span, "%s gives %s" NOTE("needs") "%s", p->name,
                            type_text(c, p->body->type), type_text(c, want));
    p->text = arena_strndup(d->arena, def->source->text + decl->span.from, decl->span.to - decl->span.from);
    p->undecided = e.undecided ? arena_strdup(d->arena, e.undecided) : NULL;
    if (inlined) {
        p->inlined = arena_strdup(d->arena, inlined);
        e.inlined = NULL;
        e.as_written = true;
        p->written = elab_whole(&e, s, decl->body, want);
        if (!p->written) diag_clear(&c->diag);
    }
    return p;
}

const char *program_type_text(Ctx *c, Arena *arena, const Program *p)
{
    Buf b = {0};
    for (int i = 0; i < p->input_count; i++)
        if (p->inputs[i].type->kind != TY_FUN) buf_printf(&b, "%s -> ", type_text(c, p->inputs[i].type));
    buf_puts(&b, type_text(c, p->body->type));
    return buf_take(&b, arena);
}

/* ---- loading ---- */

static const Source *copy_source(Defs *d, const Source *s)
{
    return MAKE(d->arena, Source, arena_strdup(d->arena, s->name), arena_strndup(d->arena, s->text, s->len), s->len);
}

static bool add_decl(Defs *d, const Source *s, const AstDecl *decl, int from)
{
    const char *name = decl->name;
    const Def *other = def_in(&d->defs, name);
    if (other && other - d->defs.v >= from)
        return ctx_error_at(d->c, E04, s, decl->name_span, "\"%s\" is defined twice", name);
    if (prim_from_name(name) != PRIM_COUNT || strcmp(name, "length") == 0)
        return ctx_error_at(d->c, E04, s, decl->name_span, "\"%s\" is a primitive and cannot be redefined" NOTE("needs")
                            "another name: %s_ or my_%s; help %s says what it does", name, name, name, name);
    prelude_shadow(d->c, name);
    defs_push(&d->defs, (Def){.name = name, .source = s, .decl = decl});
    return true;
}

static bool elaborate_from(Defs *d, int from)
{
    LOCAL(drop) uint8_t *state = mem_alloc((size_t)d->defs.n);
    LOCAL(buf_free) Buf path = {0};
    for (int i = from; i < d->defs.n; i++) {
        const Def *def = &d->defs.v[i];
        if (!(state[i] & DONE) && find_cycle(d, i, state, &path))
            return ctx_error_at(d->c, E07, def->source, def->decl->name_span, "recursion is not possible: %s", buf_text(&path));
    }
    for (int i = from; i < d->defs.n; i++) {
        Def *def = &d->defs.v[i];
        if (!is_program(def->decl)) continue;
        Program *p = elaborate_program(d, def);
        if (!p) return false;
        def->program = p;
        p->used = state[i] & USED;
    }
    return true;
}

bool defs_load(Ctx *c, Defs *d, const Source *source, const Program **first)
{
    const Source *s = copy_source(d, source);
    int defs_before = d->defs.n, params_before = d->params.n;
    Parser parser = {.arena = d->arena, .names = c->names, .diag = &c->diag};
    AstFile *f = parse_file(&parser, s);
    bool ok = f != NULL;
    for (int i = 0; ok && i < f->param_count; i++)
        if (!defs_is_param(d, f->params[i])) vec_push(&d->params, f->params[i]);
    for (int i = 0; ok && i < f->decl_count; i++) ok = add_decl(d, s, f->decls[i], defs_before);
    ok = ok && elaborate_from(d, defs_before);
    if (!ok) {
        defs_cut(&d->defs, defs_before);
        d->params.n = params_before;
        return false;
    }
    *first = NULL;
    for (int i = defs_before; i < d->defs.n && !*first; i++)
        if (d->defs.v[i].program && !d->defs.v[i].program->used) *first = d->defs.v[i].program;
    return true;
}

bool defs_define(Ctx *c, Defs *d, const Source *source, const Program **program)
{
    const Source *s = copy_source(d, source);
    int before = d->defs.n;
    Parser parser = {.arena = d->arena, .names = c->names, .diag = &c->diag};
    AstDecl *decl = parse_decl(&parser, s);
    if (!decl || !add_decl(d, s, decl, before) || !elaborate_from(d, before)) {
        defs_cut(&d->defs, before);
        return false;
    }
    *program = d->defs.v[before].program;
    return true;
}

/* ---- text in a scope ---- */

typedef enum Reading { READ_TERM, READ_SIZE, READ_TYPE } Reading;

/* Its tree and environment live as long as this takes. */
static const void *read_text(Ctx *c, const LangScope *ls, const Source *s, Reading what, const Type *want)
{
    const Program *p = ls->program;
    LOCAL(drop_arena) Arena *arena = arena_new();
    Parser parser = {.arena = arena, .names = c->names, .diag = &c->diag};
    Elab e = elab_start(c, arena, ls->defs);
    const Env *env = elab_params(&e, ls->defs);
    for (int i = 0; i < ls->param_count; i++)
        BIND(arena, &env, intern(c->names, ls->params[i]), BIND_SIZE, .nat = nat_var(c->nats, ls->params[i], VAR_PARAM, NULL, NULL));
    for (int i = 0; p && i < p->size_count; i++)
        BIND(arena, &env, intern(c->names, nat_atom(p->sizes[i])->name), BIND_SIZE, .nat = p->sizes[i]);
    if (p) bind_inputs(&e, &env, p);
    const Ast *a = what == READ_TYPE ? parse_type(&parser, s) : parse_expr(&parser, s);
    Scope scope = {env, 0, s};
    if (!a) return NULL;
    return what == READ_TERM ? (const void *)elab_whole(&e, scope, a, want)
         : what == READ_SIZE ? (const void *)elab_size(&e, scope, a) : elab_type(&e, scope, a, NULL);
}

const Term *lang_expr(Ctx *c, const LangScope *ls, const Source *s, const Type *want) { return read_text(c, ls, s, READ_TERM, want); }
const Nat *lang_size(Ctx *c, const LangScope *ls, const Source *s) { return read_text(c, ls, s, READ_SIZE, NULL); }
const Type *lang_type(Ctx *c, const LangScope *ls, const Source *s) { return read_text(c, ls, s, READ_TYPE, NULL); }
