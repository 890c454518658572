/* dialect: the languages that kernels are printed in; the first is the one that devices take. */
#include "dialect.h"

#include <string.h>

#define DIALECT(id) &dialect_##id
#define COMMA() ,
static const Dialect *const dialects[] = {DIALECTS(DIALECT, COMMA)};

const Dialect *dialect_find(const char *name)
{
    for (int i = 0; i < COUNT(dialects); i++)
        if (!name || strcmp(dialects[i]->name, name) == 0) return dialects[i];
    return NULL;
}

void dialect_plan(const Dialect *d, PlanOptions *o)
{
    o->dialect = d;
    if (!d->max_group || o->on_gpu) return;
    o->on_gpu = true;
    o->prefer_single = false;
    o->max_group = d->max_group;
    memcpy(o->max_local, d->max_local, sizeof o->max_local);
}

const char *dialect_name(const Dialect *d) { return d->name; }
const char *dialect_title(const Dialect *d) { return d->title; }
