/* session_private: what is behind a Session, shared by the files of this folder only. */
#ifndef SESSION_PRIVATE_H
#define SESSION_PRIVATE_H

#include "file.h"
#include "setting.h"
#include "values.h"

/* A text that was loaded or defined; session files keep it. */
typedef struct Load {
    const char *name, *text;
    bool declaration;                    /* one declaration (`let`), not a file */
    int from, to;                        /* the definitions it made: indices of defs_name */
} Load;

struct Session {
    Ctx *ctx;
    Defs *defs;
    Rules *rules;
    Arena *arena;                        /* versions, places, texts: as long as the session */
    VEC(Derivation *) derivations;
    Derivation *current;
    VEC(Load) loads;
    const char *settings[SETTING_COUNT];
    int columns;                         /* of the terminal */
    TuneLimits limits;                   /* of the device that was chosen */
    char device[64];                     /* its id; "": none was */
    ConditionCall *call;                 /* session_serve; NULL: none */
    void *call_data;
    AskedCall *asked;                    /* session_ask; NULL: none */
    void *asked_data;
};

static inline Diag *diag(const Session *s) { return &s->ctx->diag; }
/* Read a text into Defs, remembering it; *first as for defs_load. The text must live as long as the session. */
bool session_load_text(Session *s, const Source *text, bool declaration, const Program **first);
const EditedCode *code_copy(Arena *arena, const EditedCode *code);
/* Those sizes, by Program.sizes, 0: unset, and the parameters of v that are bound. */
void values_with_sizes(const Derivation *d, const Version *v, const int64_t *sizes, Arena *arena, Values *out);
/* As session_plan, of a version of that program. */
Plan *session_plan_of(const Session *s, const Program *p, const Values *values, bool sizes, Arena *arena, PlanOptions how);
/* Which of the program's functions are associative or commutative: of the same text a helper that is typed again may say more. */
uint64_t properties_known(Session *s, const Program *p);
/* A derivation that holds only @0. */
Derivation *derivation_new(Session *s, const char *name, const Program *program);
Derivation *derivation_called(const Session *s, const char *name);   /* NULL: none has that name */
void derivation_free(Derivation *d);     /* what does not lie in the arena */
/* Where the focus of the parent is after v's step. */
const PlaceRef *forward_focus(Session *s, const Version *parent, const Version *v);
enum { STORE_FORMAT = 1 };               /* of session files (store_write.c) */
uint32_t record_check(const char *head, size_t head_len, const char *lines, size_t lines_len);
/* Take away what is left of writing that file in a process that was killed. */
void store_sweep(const char *file);
/* Settings at their initial values. */
void settings_init(Session *s);

#endif
