/* session_private: what is behind a Session, shared by session.c, history.c, values.c and setting.c only. */
#ifndef SESSION_PRIVATE_H
#define SESSION_PRIVATE_H

#include "session.h"

struct Session {
    Ctx *ctx;
    Defs *defs;
    Rules *rules;
    Arena *arena;                        /* versions, places, texts: as long as the session */
    VEC(Derivation *) derivations;
    Derivation *current;
    char *settings[SETTING_COUNT];       /* malloc */
};

/* A derivation that holds only @0. */
Derivation *derivation_new(Session *s, const char *name, const Program *program);
void derivation_free(Derivation *d);     /* what does not lie in the arena */
/* Every size or parameter variable of a term, each once, in pre-order of first appearance. */
void term_vars(const Term *t, VarKind kind, NatAtomVec *out);
const char *size_name(const Program *p, int i);
/* Where the focus of the parent is after v's step. */
const PlaceRef *forward_focus(Session *s, const Version *parent, const Version *v);
/* Settings at their initial values. */
void settings_init(Session *s);
void settings_free(Session *s);

#endif
