/* lang: definitions, elaboration of text to typed terms, and printing of terms back to text (language.md). */
#ifndef LANG_H
#define LANG_H

#include "ir.h"
#include "syntax.h"

/* ---- definitions ---- */

typedef struct Input { const char *name; const Type *type; } Input;

/* A definition whose parameters are all typed with data types. Lives as long as its Defs (until redefined:
 * the old one stays valid). */
typedef struct Program {
    const char *name;
    int input_count;
    Input *inputs;                       /* declared order */
    int size_count;
    const Nat **sizes;                   /* its size variables in order of first appearance */
    int open_count;                      /* the last of them, which no parameter names */
    const Term *body;
    const char *text;                    /* the declaration as written */
    const char *inlined;                 /* by its lets, whose values stand where they are used, which is once: "y, z"; NULL: none */
    const char *undecided;               /* literals whose type nothing decides, with what they are: "0 is i32"; NULL: none */
    const Term *written;                 /* the body with these lets (term_let_written); NULL: it has none */
    bool used;                           /* another definition of the same file uses it */
} Program;

const char *program_type_text(Ctx *c, Arena *arena, const Program *p);   /* "[N]f32 -> f32" */

typedef struct Defs Defs;                /* definitions by name: programs, helpers, tuning parameters; and the prelude */
Defs *defs_new(Ctx *c);
void defs_free(Defs *d);
/* Read a file of declarations: parses, checks names and cycles (E07), elaborates every program. All or nothing.
 * The source is copied. *first: the first program that no other definition of the file uses, NULL if there is none. */
bool defs_load(Ctx *c, Defs *d, const Source *s, const Program **first);
/* From now on typed is told of every expression and every name of a pattern that gets a type in texts that d reads, and in those that these
 * use. They are read in rounds: what is said last of a span holds. For editors. */
typedef void DefsTyped(void *data, const Source *s, Span span, const Type *t);
void defs_watch(Defs *d, DefsTyped *typed, void *data);
/* One declaration (the text after or with `let`). *program is NULL for a helper. */
bool defs_define(Ctx *c, Defs *d, const Source *s, const Program **program);
const Program *defs_program(const Defs *d, const char *name);      /* NULL: no such program */
int defs_count(const Defs *d);
/* i-th definition in order of definition: name, its text, and the program or NULL for a helper. */
const char *defs_name(const Defs *d, int i, const char **text, const Program **program);
/* The properties that it declares: "associative, neutral"; NULL: none. Static, or in the diag arena. */
const char *defs_declares(const Defs *d, int i);
unsigned defs_properties(const Defs *d, int i);                    /* the same as PropKind bits */
/* The i-th definition as a lambda from one type to the other, with the neutral element that it declares (NULL: none of that
 * type); NULL: it is none between these. */
const Term *defs_function(Ctx *c, const Defs *d, int i, const Type *from, const Type *to, const Term **neutral);
/* The same of the prelude, by its name. */
const Term *prelude_function(Ctx *c, const char *name, const Type *from, const Type *to);
/* What tests of its declared properties found: it has been tested; over values of that type some do not hold, and are
 * not believed there from now on. why is copied. */
void defs_tested(Defs *d, int i);
void defs_refute(Defs *d, int i, const Type *value, unsigned kinds, const char *why);
bool defs_is_tested(const Defs *d, int i);
/* Why a property that it declares, or one that it assumes, does not hold, the first one; NULL: nothing is refuted. */
const char *defs_refuted(const Defs *d, int i, bool assumed);
bool defs_is_param(const Defs *d, const char *name);               /* declared by `param` */
/* The first size (k: size) that alone keeps the i-th definition from being a program, for its name is in lower case; NULL: none does. */
const char *defs_lower_size(const Defs *d, int i);
const char *defs_prelude_name(const Ctx *c, int i);                /* of its i-th definition; NULL: there are fewer */
/* The text of a definition of the prelude, and the comment before it; NULL: it has none of that name. */
const char *defs_prelude(const Ctx *c, Arena *arena, const char *name, const char **about);
/* What is known, definitions, primitives and the prelude, for "did you mean". */
void defs_suggest(Ctx *c, const Defs *d, NearName *near);

/* ---- text to terms ---- */

/* Where text is read: names that are free in it. Sizes and params are Nats of kind VAR_SIZE and VAR_PARAM. */
typedef struct LangScope {
    const Defs *defs;                    /* may be NULL: prelude only */
    const Program *program;              /* its inputs and sizes are visible; may be NULL */
    const char *const *params;           /* tuning parameters in scope */
    int param_count;
} LangScope;

/* An expression as a term; want: its type if known (types literals), else NULL. NULL + E03/E04/E02/E08. */
const Term *lang_expr(Ctx *c, const LangScope *scope, const Source *s, const Type *want);
const Nat *lang_size(Ctx *c, const LangScope *scope, const Source *s);       /* `4096`, `N / 4` */
const Type *lang_type(Ctx *c, const LangScope *scope, const Source *s);

/* ---- declared properties of functions ---- */

/* Is f (a lambda over a pair) known to be associative / commutative / to have that neutral element? Built-in operators, and
 * functions declared `with`. neutral: e is a closed term of f's result type. reason: what is known, for messages. */
bool lang_property(Ctx *c, const Defs *d, PropKind kind, const Term *f, const Term *e, const char **reason);
/* Does e (k, s, m) bring a sum s that was taken with key k to the key m, the sums being by g from w, and m what f makes of k and
 * other keys? Then e (m, e (k, s, m), n) = e (k, s, n), e (k, w, m) = w and e (k, g (s, t), m) = g (e (k, s, m), e (k, t, m)), up to
 * rounding, unless keys are infinite: f is max and e multiplies by exp (k - m), say. Without g and w: does e (k, m) times the sum? */
bool lang_rescales(Ctx *c, const Defs *d, const Term *e, const Term *f, const Term *g, const Term *w, const char **reason);
/* Can kernels replace a by f (a, b) so that nobody comes between, scalar by scalar: is each made of the same scalar of a and of b's, and of
 * a type that has atomic operations? */
bool lang_atomic(const Term *f, const char **reason);

/* ---- printing ---- */

typedef struct PrintOptions {
    int width;                           /* break lines beyond this column; 0: never (one line) */
    bool unicode;                        /* λ ∘ → */
    int max_depth;                       /* elide deeper nodes as `..`; 0: no limit (elided text does not parse back) */
    /* Unless mark_before is NULL: put mark_before and mark_after round the node at this path of slot numbers (term_slot). */
    const uint8_t *path;
    int path_length;
    const char *mark_before, *mark_after;
    /* Terms: gives a text that goes in front of a node and takes no room, or NULL; path is from the node that is printed. whole: what
     * is inside is not printed by itself (a function that goes by its operator's name). Not asked beyond 256 slots. May be NULL. */
    const char *(*note)(void *data, const uint8_t *path, int length, bool whole);
    void *note_data;
    /* Trees: called at the beginning of every line, to print a label; path is the node's, NULL for `..`. May be NULL. */
    void (*label)(void *data, const uint8_t *path, int length, Buf *out);
    void *label_data;
} PrintOptions;

/* The term in the language; free indices (of a term taken out of its functions) print as _0, _1 ...
 * What is printed without elision parses back to the same term in the version's scope. */
void lang_print(Ctx *c, const Term *t, const PrintOptions *o, Buf *out);
/* A subterm under binders: path from root; binder names are as they print in the whole term. */
void lang_print_at(Ctx *c, const Term *root, const uint8_t *path, int path_length, const PrintOptions *o, Buf *out);
/* What the lambda or let at a path binds, as it prints in the whole term: "row", "(acc, x)". In the diag arena. */
const char *lang_binder(Ctx *c, const Term *root, const uint8_t *path, int path_length);
/* Is it a name in the printed term: of an input, a size, a parameter, or of a binder that a program or rule named? */
bool lang_has_name(Ctx *c, const Term *root, const char *name);
/* A tree with one node a line: slot, head, type. */
void lang_print_tree(Ctx *c, const Term *root, const uint8_t *path, int path_length, const PrintOptions *o,
                     bool types, Buf *out);
/* One line of at most max characters, elided, for listings and messages; in the diag arena. */
const char *lang_text(Ctx *c, const Term *root, const uint8_t *path, int path_length, int max);
/* The same for another term that could stand at the path: its free indices are the binders there. A function may be one. */
const char *lang_text_of(Ctx *c, const Term *root, const uint8_t *path, int path_length, const Term *t, int max);

#endif
