/* manifest: what a program must know that calls kernels: what it passes, and plans as JSON, with sizes as trees. */
#include "manifest.h"

#include "code_host.h"
#include "commands.h"
#include "show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes as trees: 64, "N", {"op": "*", "args": [...]}; the operators are + * // % min max ---- */

static json_t *node(const char *op, json_t *args)
{
    if (json_array_size(args) > 1 || *op == '/' || *op == '%') return json_of("{op:s args:o}", op, args);
    json_t *only = json_incref(json_array_get(args, 0));
    json_decref(args);
    return only;
}

static json_t *atom_tree(const NatAtom *a)
{
    static const char *const ops[] = {[ATOM_DIV] = "//", [ATOM_MOD] = "%", [ATOM_MIN] = "min", [ATOM_MAX] = "max"};
    if (a->kind == ATOM_VAR) return json_string(a->name);
    json_t *args = json_array();
    json_array_append_new(args, size_tree(a->a));
    json_array_append_new(args, size_tree(a->b));
    return node(ops[a->kind], args);
}

/* A product; of factors with negative exponents those alone, or the others. */
static json_t *product(int64_t number, const NatTerm *t, bool below)
{
    json_t *args = json_array();
    for (int i = 0; i < t->factor_count; i++)
        for (int k = 0, exp = below ? -t->factors[i].exp : t->factors[i].exp; k < exp; k++)
            json_array_append_new(args, atom_tree(t->factors[i].atom));
    if (number != 1 || !json_array_size(args)) json_array_insert_new(args, 0, json_integer(number));
    return node("*", args);
}

static bool is_one(const json_t *t) { return json_is_integer(t) && json_integer_value(t) == 1; }

json_t *size_tree(const Nat *n)
{
    /* Fractions, as N/2 + 1/2, are wholes together: over their common denominator. */
    json_t *args = json_array();
    int64_t den = 1;
    if (!n) return json_null();
    for (int i = 0; i < n->term_count; i++) den = den / gcd64(den, n->terms[i].den) * n->terms[i].den;
    for (int i = 0; i < n->term_count; i++) {
        const NatTerm *t = &n->terms[i];
        json_t *up = product(t->num * (den / t->den), t, false), *down = product(1, t, true);
        if (is_one(down)) json_decref(down);
        else {
            json_t *both = json_array();
            json_array_append_new(both, up);
            json_array_append_new(both, down);
            up = node("//", both);
        }
        json_array_append_new(args, up);
    }
    if (!json_array_size(args)) json_array_append_new(args, json_integer(0));
    json_t *sum = node("+", args);
    if (den == 1) return sum;
    json_t *both = json_array();
    json_array_append_new(both, sum);
    json_array_append_new(both, json_integer(den));
    return node("//", both);
}

/* ---- a version ---- */

static json_t *fact_json(Shell *sh, const Fact *f)
{
    return json_of("{is:s a:o b:o text:s}", fact_word(f->kind), size_tree(f->a), size_tree(f->b), fact_text(f, sh->scratch));
}

static json_t *argument_json(const Plan *plan, const PlanArg *a)
{
    static const char *const kinds[] = {[PLAN_ARG_BUFFER] = "buffer", [PLAN_ARG_SCALAR] = "scalar",
        [PLAN_ARG_SIZE] = "size", [PLAN_ARG_ROUND] = "round"};
    const char *index = plan->long_index ? "i64" : "i32";
    json_t *o = json_of("{kind:s name:s}", kinds[a->kind], a->name);
    if (a->kind == PLAN_ARG_BUFFER) json_object_set_new(o, "buffer", json_integer(a->buffer));
    else json_object_set_new(o, "type", json_string(a->kind == PLAN_ARG_SCALAR ? scalar_name(a->scalar) : index));
    if (a->kind == PLAN_ARG_BUFFER) json_object_set_new(o, "written", json_boolean(a->written));
    if (a->kind == PLAN_ARG_SCALAR) json_object_set_new(o, "input", json_integer(a->input)),
        json_object_set_new(o, "part", json_integer(a->part));
    if (a->kind == PLAN_ARG_SIZE) json_object_set_new(o, "size", size_tree(a->size));
    if (a->kind == PLAN_ARG_ROUND) json_object_set_new(o, "loop", json_integer(a->loop));
    return o;
}

json_t *version_manifest(Shell *sh, const Plan *plan)
{
    json_t *buffers = json_array(), *kernels = json_array(), *loops = json_array();
    EACH_BUFFER(plan, b) {
        json_t *o = json_of("{name:s role:s type:s count:o}", b->name, buffer_role(b->kind), scalar_name(b->scalar), size_tree(b->count));
        if (b->kind == PLAN_INPUT) json_object_set_new(o, "input", json_integer(b->input));
        if (b->kind == PLAN_INPUT || b->kind == PLAN_OUTPUT) json_object_set_new(o, "part", json_integer(b->part));
        if (b->kind == PLAN_IMAGE) {
            json_object_set_new(o, "of", json_integer(b->of));
            json_object_set_new(o, "width", size_tree(b->width));
            json_object_set_new(o, "height", size_tree(b->height));
        }
        json_array_append_new(buffers, o);
    }
    for (const PlanKernel *k = plan->kernels; k < plan->kernels + plan->kernel_count; k++)
        json_add(kernels, "{name:s global:o local:o local_bytes:l launch_bytes:l args:o}", k->name,
                 JSON_LIST(d, 3, k->global[d] ? size_tree(k->global[d]) : json_integer(1)),
                     JSON_LIST(d, 3, json_integer(k->local[d] ? k->local[d] : 1)),
                 k->local_bytes, k->launch_bytes, JSON_LIST(i, k->arg_count, argument_json(plan, &k->args[i])));
    for (const PlanLoop *l = plan->loops; l < plan->loops + plan->loop_count; l++) {
        const PlanState *s = l->states;
        json_add(loops, "{around:i first:i step:i end:i rounds:o test:i states:o}", l->around, l->first, l->step, l->end,
            size_tree(l->rounds), l->test,
                 JSON_LIST(i, l->state_count, json_of("{from:i to:i init:i out:i spare:i}", s[i].from, s[i].to, s[i].init,
                     s[i].out, s[i].spare)));
    }
    return json_of("{facts:o buffers:o kernels:o loops:o temporaries:o}",
                   JSON_LIST(i, plan->fact_count, fact_json(sh, &plan->facts[i].fact)), buffers, kernels, loops,
                       size_tree(plan->temp_bytes));
}

/* ---- what a caller passes ---- */

const char *c_word(Arena *a, const char *text)
{
    Buf b = {0};
    for (const char *p = text; *p; p++) buf_putc(&b, isalnum((unsigned char)*p) ? *p : '_');
    const char *name = buf_take(&b, a);
    return kernel_word(a, isdigit((unsigned char)*name) ? arena_printf(a, "_%s", name) : name);
}

typedef struct PortVec { int n, cap; Port *v; } PortVec;

static void add_ports(Shell *sh, PortVec *all, const char *name, Port like, const Type *t, int parts)
{
    for (; t->kind == TY_ARRAY; t = t->elems[0]) like.dims[like.rank++] = t->size;
    if (t->kind == TY_TUPLE) {
        for (int i = 0; i < t->count; i++) {
            like.part = all->n ? all->v[all->n - 1].part + 1 : 0;
            if (!all->n || all->v[all->n - 1].input != like.input) like.part = 0;
            add_ports(sh, all, name, like, t->elems[i], parts);
        }
        return;
    }
    if (t->kind == TY_VECTOR) like.dims[like.rank++] = nat_const(sh->c->nats, t->width);
    like.scalar = t->scalar;
    like.name = parts > 1 ? arena_printf(sh->scratch, "%s_%d", name, like.part) : name;
    while (ANY(i, all->n, !strcmp(all->v[i].name, like.name))) like.name = arena_printf(sh->scratch, "%s_", like.name);
    like.count = nat_const(sh->c->nats, 1);
    for (int d = 0; d < like.rank; d++) like.count = nat_mul(sh->c->nats, like.count, like.dims[d]);
    vec_push(all, like);
}

int ports_find(Shell *sh, const Program *p, const char ***sizes, Port **out)
{
    PortVec all = {0};
    *sizes = NEW_ARRAY(sh->scratch, const char *, p->size_count);
    for (int i = 0; i < p->size_count; i++) (*sizes)[i] = c_word(sh->scratch, size_name(p, i));
    for (int i = 0; i < p->size_count; i++) vec_push(&all, ((Port){.name = (*sizes)[i], .input = -2}));       /* their names are taken */
    for (int i = 0; i < p->input_count; i++)
        add_ports(sh, &all, c_word(sh->scratch, p->inputs[i].name), (Port){.input = i,
            .value = type_is_scalar_like(p->inputs[i].type)}, p->inputs[i].type,
                  type_components(p->inputs[i].type));
    add_ports(sh, &all, "out", (Port){.input = -1}, p->body->type, type_components(p->body->type));
    int count = all.n - p->size_count;
    *out = arena_copy(sh->scratch, all.v + p->size_count, sizeof *all.v * (size_t)count);
    free(all.v);
    return count;
}

json_t *port_json(const Port *p)
{
    return json_of("{name:s type:s shape:o value:b input:i part:i}", p->name, scalar_name(p->scalar),
        JSON_LIST(d, p->rank, size_tree(p->dims[d])), p->value,
                   p->input, p->part);
}
