/* complete: shared by the parts of completion. */
#ifndef COMPLETE_PRIVATE_H
#define COMPLETE_PRIVATE_H

#include "complete.h"

typedef struct Completer {
    Shell *sh;
    Arena *arena;                        /* of the result */
    const char *text;                    /* the argument's text, to the cursor */
    const char *word;                    /* under construction, the end of text: what a candidate must begin with */
    const char *previous;                /* the word before it */
    const char *detail;                  /* what follows the ':' of the kind of argument in commands.def, or "" */
    const Command *command;              /* whose argument it is; NULL in Lua text */
    int offset;                          /* of text in the line */
    bool rest;                           /* also what does not apply here */
    bool any;                            /* whether rules and macros apply here plays no part */
    double deadline;                     /* clock_exact_ms */
    bool late;                           /* it has passed: nothing is offered */
    Completion *out;
} Completer;

/* Candidate text, if the word begins it; NULL: it does not. The gloss may be NULL. Texts are copied. */
Candidate *offer(Completer *f, const char *text, const char *gloss);
void offer_rules(Completer *f, bool doc);                /* all; doc: with what they are said to do, not their equations */
void offer_where(Completer *f, const char *call);        /* the places where that rule or macro applies */
void offer_words(Completer *f, const char *words);       /* "on off" or "expr|tree" */
void offer_keywords(Completer *f, const Command *c);     /* those of its form: at as in */
/* The word under construction is the end of text from here on. */
void complete_from(Completer *f, const char *word);
bool complete_late(Completer *f);

/* An argument of one kind. */
typedef void OfferFn(Completer *f);
OfferFn offer_strategy, offer_rule, offer_declaration;   /* complete_rules.c */
OfferFn offer_program, offer_file;                       /* complete.c */
OfferFn offer_sketch, offer_rules_and_kinds, offer_place, offer_pattern, offer_version, offer_mark, offer_lua;            /* offer.c */
/* Legal values of the one tuning parameter, as candidates. */
void offer_param_values(Completer *f, const char *name);

#endif
