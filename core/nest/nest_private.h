/* nest_private: what the files of core/nest share. */
#ifndef NEST_PRIVATE_H
#define NEST_PRIVATE_H

#include "ir.h"

/* let name = value in t, where t reads it as an input of that name; t where it does not, or only gives it back. written_out: it stays a let though it is
 * read once. NULL where a term is. */
const Term *nest_let(Ctx *c, const char *name, const Term *value, const Term *t, bool written_out);

typedef struct NamedTerm { const char *name; const Term *value; } NamedTerm;

/* t, and the named arrays that it and those behind them read, all in element form, with the last two dimensions of each in the order in which more of what reads
 * it, and of what it reads, lies along the last (orders.c). The names are interned; NULL where a term is. */
const Term *nest_orders(Ctx *c, NamedTerm *arrays, int count, const Term *t);

#endif
