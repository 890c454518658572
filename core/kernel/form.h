/* form: the offsets of unrolled code, which differ by numbers: what was found out about one holds for all. */
#ifndef FORM_H
#define FORM_H

#include "ir.h"

/* What such offsets have in common: all but a number (a class of uniformly generated references). Equal ones are the same
 * pointer. */
typedef struct Form {
    int id;                              /* within the kernel */
    const Nat *rest;                     /* no constant term; NULL: unknown */
} Form;

typedef struct FormSeen { const Nat *at; const Form *form; int64_t number; } FormSeen;

typedef struct Forms {                   /* zero, then forms_start */
    Nats *nats;
    PtrTable table;                      /* its arena has the forms too */
    int count;
    FormSeen recent[512];
} Forms;
static inline void forms_start(Forms *f, Nats *nats, Arena *arena)     /* f is zero */
{
    f->nats = nats;
    f->table.arena = arena;
}
const Form *form_find(Forms *f, const Nat *at, int64_t *number);      /* as form_of, where it was not asked for lately */
/* The form of `at` and the number beside it. NULL is a form of its own each time. */
static inline const Form *form_of(Forms *f, const Nat *at, int64_t *number)
{
    const FormSeen *seen = at ? &f->recent[at->id % COUNT(f->recent)] : NULL;
    if (!seen || seen->at != at) return form_find(f, at, number);
    *number = seen->number;
    return seen->form;
}
/* `at` is of that form, with that number: nobody has to find out. */
static inline void forms_note(Forms *f, const Nat *at, const Form *form, int64_t number)
{
    f->recent[at->id % COUNT(f->recent)] = (FormSeen){at, form, number};
}

#endif
