/* offer: candidates of a completion: what begins as the word under construction does. */
#include "complete_private.h"
#include "guide.h"

#include <string.h>

bool complete_late(Completer *f)
{
    f->late = f->late || clock_exact_ms() > f->deadline;
    return f->late;
}

Candidate *offer(Completer *f, const char *text, const char *gloss)
{
    if (strncmp(text, f->word, strlen(f->word)) || FIND(f->out->items.v, f->out->items.n, text, text)) return NULL;
    char *copy = arena_strdup(f->arena, text);
    Candidate c = {.text = copy, .shown = copy, .gloss = gloss ? arena_strdup(f->arena, gloss) : "", .fits = true};
    vec_push(&f->out->items, c);
    return &f->out->items.v[f->out->items.n - 1];
}

void offer_rules(Completer *f, bool doc)
{
    Rules *rules = session_rules(f->sh->session);
    for (int i = 0; i < rules_count(rules); i++) {
        const Rule *r = rules_get(rules, i);
        if (guide_allows(f->sh, NAMED_RULE, r->name)) offer(f, r->name, r->text && !doc ? r->text : r->doc);
    }
}

void offer_words(Completer *f, const char *words)
{
    for (const char *p = words; *p; p += strspn(p, " |")) {
        size_t n = strcspn(p, " |");
        offer(f, arena_strndup(f->arena, p, n), NULL);
        p += n;
    }
}

void complete_from(Completer *f, const char *word)
{
    f->word = word;
    f->out->from = f->offset + (int)(word - f->text);
}

/* The words that stand in the form as they are: "[as NAME]", "[in PLACE]". */
void offer_keywords(Completer *f, const Command *c)
{
    for (const char *p = strchr(c->form, '['); p; p = strchr(p + 1, '[')) {
        size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz");
        if (n && p[n + 1] == ' ') offer(f, arena_strndup(f->arena, p + 1, n), NULL);
    }
}
