/* form: offsets that differ by a number alone, found to be of one form. */
#include "form.h"

/* Terms without the number; 0: there is no number to leave out. */
static int own_terms(const Nat *at, int64_t *number)
{
    const NatTerm *last = at->term_count ? &at->terms[at->term_count - 1] : NULL;
    bool whole = last && last->factor_count == 0 && last->den == 1 && last->num <= INT32_MAX && last->num >= -INT32_MAX;
    *number = whole ? last->num : 0;
    return at->term_count - whole;
}

static bool same_term(const NatTerm *x, const NatTerm *y)
{
    if (x->num != y->num || x->den != y->den || x->factor_count != y->factor_count) return false;
    for (int i = 0; x->factors != y->factors && i < x->factor_count; i++)
        if (x->factors[i].atom != y->factors[i].atom || x->factors[i].exp != y->factors[i].exp) return false;
    return true;
}

static bool same_form(const void *key, const void *item)
{
    const Nat *x = key, *y = ((const Form *)item)->rest;
    int64_t number;
    if (!y || own_terms(x, &number) != y->term_count) return false;
    return ALL(i, y->term_count, same_term(&x->terms[i], &y->terms[i]));
}

static const Form *form_new(Forms *forms, const Nat *rest, uint64_t hash)
{
    Form *f = NEW(forms->table.arena, Form);
    f->id = forms->count++;
    f->rest = rest;
    if (rest) ptr_table_add(&forms->table, hash, f);
    return f;
}

const Form *form_find(Forms *forms, const Nat *at, int64_t *number)
{
    *number = 0;
    if (!at) return form_new(forms, NULL, 0);
    own_terms(at, number);
    uint64_t h = nat_rest_key(at, *number);
    const Form *g = ptr_table_find(&forms->table, h, same_form, at);
    const Form *f = g ? g : form_new(forms, *number ? nat_sub(forms->nats, at, nat_const(forms->nats, *number)) : at, h);
    forms->recent[at->id % COUNT(forms->recent)] = (FormSeen){at, f, *number};
    return f;
}
