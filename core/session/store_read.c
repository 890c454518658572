/* store_read: a session rebuilt from its file, whose format store_write.c describes. */
#include "mark.h"
#include "replay.h"
#include "session_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERSIONS_MAX = 1000000,              /* numbers beyond it are nonsense */
    MACRO_DEPTH = 64,                    /* macros in each other beyond it are not read */
    CHECK_DIGITS = 8, CHECK_LENGTH = CHECK_DIGITS + 3,           /* "  #1a2b3c4d" */
};

/* ---- records ---- */

typedef struct Record {
    int line;                            /* of its head, from 1 */
    const char *kind;
    int word_count, pair_count, line_count;
    const char **words, **keys, **values, **lines;
} Record;

typedef struct RecordReader {
    Arena *arena;                        /* of the records */
    const char *text;
    size_t len, at;
    int line;                            /* lines before at */
} RecordReader;

/* A value at *p, plain or quoted; *p moves behind it. NULL: a quote is not closed. */
static const char *take_value(Arena *arena, const char **p)
{
    const char *s = *p;
    if (*s != '"') {
        size_t n = strcspn(s, " ");
        *p = s + n;
        return arena_strndup(arena, s, n);
    }
    char *out = arena_strdup(arena, s), *to = out;
    for (s++; *s && *s != '"'; s++) {
        if (*s != '\\') {
            *to++ = *s;
            continue;
        }
        if (!*++s) return NULL;
        bool hex = *s == 'x' && isxdigit((unsigned char)s[1]) && isxdigit((unsigned char)s[2]);
        *to++ = *s == 'n' ? '\n' : *s == 't' ? '\t' : hex ? (char)strtol((char[]){s[1], s[2], 0}, NULL, 16) : *s;
        s += hex ? 2 : 0;
    }
    *to = 0;
    if (!*s) return NULL;
    *p = s + 1;
    return out;
}

static bool split_head(Arena *arena, const char *head, Record *out)
{
    int most = 1;
    for (const char *p = head; *p; p++) most += *p == ' ';
    out->words = NEW_ARRAY(arena, const char *, most);
    out->keys = NEW_ARRAY(arena, const char *, most);
    out->values = NEW_ARRAY(arena, const char *, most);
    const char *p = head;
    out->kind = take_value(arena, &p);
    while (out->kind && *p) {
        if (*p++ != ' ') return false;
        /* Length of KEY in KEY=..., 0: it is a word. */
        size_t m = strspn(p, "abcdefghijklmnopqrstuvwxyz");
        size_t n = p[m] == '=' ? m : 0;
        const char *key = n ? arena_strndup(arena, p, n) : NULL;
        p += n ? n + 1 : 0;
        const char *value = take_value(arena, &p);
        if (!value) return false;
        if (key) out->keys[out->pair_count] = key, out->values[out->pair_count++] = value;
        else out->words[out->word_count++] = value;
    }
    return out->kind && *out->kind;
}

/* The end of the line at `at`, where its line break or the end of the text is. */
static size_t line_end(const RecordReader *r, size_t at)
{
    const char *end = memchr(r->text + at, '\n', r->len - at);
    return end ? (size_t)(end - r->text) : r->len;
}

/* Collect the continuation lines; returns the end of the record, behind its last line break. */
static size_t take_lines(RecordReader *r, size_t at, Record *out)
{
    VEC(const char *) lines = {0};
    while (at < r->len && r->text[at] == '|') {
        size_t stop = line_end(r, at), from = at + 1 + (at + 1 < stop && r->text[at + 1] == ' ');
        vec_push(&lines, arena_strndup(r->arena, r->text + from, stop > from ? stop - from : 0));
        at = stop + (stop < r->len);
    }
    out->line_count = lines.n;
    out->lines = vec_take(&lines, r->arena);
    return at;
}

/* The next record. False at the end. why is set, and kind is "", for one that is damaged: it is passed over. */
static bool record_next(RecordReader *r, Record *out, const char **why)
{
    *out = (Record){.kind = "", .line = r->line + 1};
    *why = NULL;
    if (r->at >= r->len) return false;
    size_t to = line_end(r, r->at), body = to + (to < r->len), end = take_lines(r, body, out), n = to - r->at;
    const char *head = r->text + r->at;
    char check[CHECK_DIGITS + 1] = "";
    bool has_check = n > CHECK_LENGTH && !strncmp(head + n - CHECK_LENGTH, "  #", 3);
    if (has_check) snprintf(check, sizeof check, "%08x", record_check(head, n - CHECK_LENGTH, r->text + body, end - body));
    if (end == 0 || r->text[end - 1] != '\n') *why = "the file ends in the middle of it";
    else if (!has_check) *why = "it has no checksum";
    else if (memcmp(check, head + n - CHECK_DIGITS, CHECK_DIGITS)) *why = "its checksum does not fit";
    else if (memchr(head, 0, end - r->at)) *why = "it holds a NUL byte";
    else if (!split_head(r->arena, arena_strndup(r->arena, head, n - CHECK_LENGTH), out)) *why = "it is not well formed";
    if (*why) out->kind = "";
    r->at = end;
    r->line += 1 + out->line_count;
    return true;
}

/* ---- a reading ---- */

typedef struct In {                      /* one reading */
    Session *s;
    Arena *arena;
    ReadReport *report;
    const Record *record;
    Derivation *d;                       /* what the record is about, as its reader has it */
    Version *v;
    VEC(int) loads;                      /* by number in the file: index in Session.loads, -1 lost */
    bool header, saved, end;
    const char *why;                     /* reason of the failure just met; NULL: that in the diag */
} In;

static void lose(In *in, int line, const char *what, const char *why) { vec_push(&in->report->losses, ((Loss){line, what, why})); }

static bool fail(In *in, const char *why)
{
    in->why = why;
    return false;
}

static void lose_record(In *in)
{
    Diag *diag = &in->s->ctx->diag;
    const Record *r = in->record;
    bool version = r->word_count > 1 && r->words[1][0] == '@';              /* it was about: "step dot @3" */
    const char *why = in->why ? in->why : diag_failed(diag) ? diag->message : "it cannot be understood";
    lose(in, r->line, arena_printf(in->arena, "%s%s%s%s", r->kind, r->word_count ? " " : "", r->word_count ? r->words[0] : "",
                                   version ? r->words[1] : ""), arena_strdup(in->arena, why));
    diag_clear(diag);
}

/* ---- parts of records ---- */

static const char *word(const In *in, int i) { return i < in->record->word_count ? in->record->words[i] : ""; }

/* NULL: not there */
static const char *value(const In *in, const char *key)
{
    int i = text_index(in->record->keys, in->record->pair_count, key);
    return i < 0 ? NULL : in->record->values[i];
}

/* "@12"; -1: it is none. */
static int number(const char *text)
{
    char *end;
    if (*text != '@' || text[1] < '0' || text[1] > '9') return -1;
    long n = strtol(text + 1, &end, 10);
    return *end || n >= VERSIONS_MAX ? -1 : (int)n;
}

static long long integer(const char *text, long long otherwise)
{
    char *end;
    long long n = text ? strtoll(text, &end, 10) : 0;
    return text && *text && !*end ? n : otherwise;
}

static int whole(const In *in, const char *key) { return (int)integer(value(in, key), 0); }
static uint64_t hash_of(const In *in, const char *key) { return value(in, key) ? strtoull(value(in, key), NULL, 16) : 0; }

/* The continuation lines as one text. */
static Source *text_of(In *in, const char *name)
{
    Buf b = {0};
    for (int i = 0; i < in->record->line_count; i++) buf_printf(&b, "%s%s", i ? "\n" : "", in->record->lines[i]);
    Source *s = NEW(in->s->arena, Source);
    *s = (Source){.name = arena_strdup(in->s->arena, name), .len = b.len};
    s->text = buf_take(&b, in->s->arena);
    return s;
}

/* One whose record is lost is made from the definitions: its versions prove whether it is the right one. */
static Derivation *program_of(In *in)
{
    const char *name = word(in, 0);
    Derivation *d = derivation_called(in->s, name);
    const Program *p = d ? NULL : defs_program(in->s->defs, name);
    if (p) {
        d = derivation_new(in->s, name, p);
        vec_push(&in->s->derivations, d);
    }
    if (!d) fail(in, "its program was not read");
    return d;
}

/* The version that word i names. NULL: it was not read. */
static Version *version_of(In *in, int i)
{
    int n = number(word(in, i));
    Version *v = n >= 0 && n < in->d->versions.n ? in->d->versions.v[n] : NULL;
    return v && !v->dropped ? v : (fail(in, "its version was not read"), NULL);
}

/* ---- header, sources, rules, programs ---- */

static bool read_header(In *in)
{
    in->header = true;
    in->saved = !strcmp(word(in, 1), "saved");
    if (value(in, "lathe")) in->report->made_by = value(in, "lathe");
    in->report->other_rules = value(in, "rules") && hash_of(in, "rules") != rules_hash();
    return true;
}

static bool read_source(In *in)
{
    const Program *first;
    int n = (int)integer(word(in, 0), 0);
    if (n <= 0 || n > VERSIONS_MAX) return false;
    while (in->loads.n <= n) vec_push(&in->loads, -1);
    if (!session_load_text(in->s, text_of(in, word(in, 2)), !strcmp(word(in, 1), "let"), &first)) return false;
    in->loads.v[n] = in->s->loads.n - 1;
    return true;
}

static bool hash_is(const In *in, uint64_t hash) { return value(in, "hash") && strlen(value(in, "hash")) == 16 && hash_of(in, "hash") == hash; }

static bool read_program(In *in)
{
    const char *name = value(in, "name");
    int source = whole(in, "source");
    if (!*word(in, 0) || !name) return false;
    if (derivation_called(in->s, word(in, 0))) return fail(in, "a program of that name is there already");
    if (source <= 0 || source >= in->loads.n || in->loads.v[source] < 0) return fail(in, "its text was not read");
    const Load *load = &in->s->loads.v[in->loads.v[source]];
    const Program *p = NULL;
    for (int i = load->from; i < load->to && !p; i++)
        if (strcmp(defs_name(in->s->defs, i, NULL, &p), name)) p = NULL;
    if (!p) return fail(in, "its text does not define it");
    Derivation *d = derivation_new(in->s, word(in, 0), p);
    vec_push(&in->s->derivations, d);
    return hash_is(in, d->versions.v[0]->hash) || fail(in, "its text now gives another term than when it was saved");
}

/* ---- versions ---- */

/* A number that stays empty: its version was dropped, or is lost. explained: "" when it needs no mention
 * any more, see session_read. */
static void add_gap(In *in, Derivation *d, const char *explained)
{
    Version *v = NEW(in->s->arena, Version);
    *v = (Version){.number = d->versions.n, .dropped = true, .root = d->versions.v[0]->root,
                   .from = d->versions.v[0], .call = "", .tag = explained,
                   .first_child = -1, .last_child = -1, .next_sibling = -1, .visited_child = -1};
    vec_push(&d->versions, v);
}

/* What a record of a binding binds. */
static int bindings_of(In *in, const TuneParam **out)
{
    TuneParam *b;
    const char *call = word(in, 3);
    int n = call && !strncmp(call, "param ", 6) ? bindings_read(call + 6, in->arena, &b) : -1;
    for (int i = 0; i < n; i++)
        if (b[i].value < 0) n = -1;
    *out = n > 0 ? b : NULL;
    return n > 0 ? n : 0;
}

static Version *make_code(In *in, const Version *parent)
{
    const char *local = value(in, "local"), *most = value(in, "most"), *sizes = value(in, "sizes"), *dialect = value(in, "dialect");
    EditedCode c = {.dialect = dialect ? dialect : "opencl", .source = text_of(in, "code")->text, .replaces = hash_of(in, "replaces"), .single = whole(in, "single"), .gpu = whole(in, "gpu"),
                    .arguments = whole(in, "arguments"), .paranoid = whole(in, "paranoid"), .sizes = sizes ? sizes : ""};
    long long m[3] = {0};
    if (!dialect_find(c.dialect)) return fail(in, "it names no language that kernels are made in"), NULL;
    if (!value(in, "replaces") || !local || sscanf(local, "%dx%dx%d", &c.local[0], &c.local[1], &c.local[2]) != 3)
        return fail(in, "it does not say what its kernels replace"), NULL;
    if (most && sscanf(most, "%dx%lldx%lldx%lld", &c.max_group, &m[0], &m[1], &m[2]) != 4)
        return fail(in, "it does not say how large groups may be"), NULL;
    for (int d = 0; d < 3; d++) c.max_local[d] = m[d];
    return session_make_code(in->s, parent, &c);
}

/* The lines of a step are its rewrites, "splitJoin{n=s0} at /in", and where a macro began, "{ tile(4) at /in", and ended, "}". */
static void read_rewrites(In *in, PastStep *step)
{
    const Record *r = in->record;
    const MacroUse *use = NULL;
    int beyond = 0;                      /* macros that are not read */
    step->rewrites = NEW_ARRAY(in->arena, PastRewrite, r->line_count);
    for (int i = 0; i < r->line_count; i++) {
        const char *line = r->lines[i], *at = NULL;
        for (const char *p = line; (p = strstr(p, " at /")); p++) at = p;
        const char *call = at ? arena_strndup(in->arena, line, (size_t)(at - line)) : line, *place = at ? at + 4 : "";
        if (*line == '{' && use && use->depth >= MACRO_DEPTH - 1) beyond++;
        else if (*line == '{' && at)
            use = MAKE(in->arena, MacroUse, call + 1 + (call[1] == ' '), place, use, use ? use->depth + 1 : 0);
        else if (*line == '}' && beyond) beyond--;
        else if (*line == '}') use = use ? use->outer : NULL;
        else if (*line != '{') step->rewrites[step->count++] = (PastRewrite){.call = call, .place = place, .within = use, .head = ""};
    }
}

static Version *make_version(In *in, const Derivation *d, const PastStep *step)
{
    if (step->kind == STEP_SOURCE) return fail(in, "it is of an unknown kind"), NULL;
    if (step->parent < 0 || step->parent >= d->versions.n) return fail(in, "it has no parent"), NULL;
    const Version *from = d->versions.v[step->parent];
    if (from->dropped) return in->why = arena_printf(in->arena, "it comes after @%d, which is lost", step->parent), NULL;
    if (step->kind == STEP_CODE) return make_code(in, from);
    if (step->kind == STEP_PARAM) {
        if (ANY(i, step->param_count, !version_has_param(from, step->params[i].name))) return fail(in, "there is no such parameter"), NULL;
        return step->param_count ? session_make_params(in->s, from, step->params, step->param_count) : (fail(in, "it binds nothing"), NULL);
    }
    NewStep made;
    int failed;
    if (!step_repeat(in->s, from, step, in->arena, &made, &failed)) {
        const char *why = in->s->ctx->diag.message;
        const PastRewrite *at = &step->rewrites[failed];
        if (step->count > 1)
            in->why = arena_printf(in->arena, "inner step %d, %s%s%s: %s", failed + 1, at->call, *at->place ? " at " : "", at->place, why ? why : "");
        return NULL;
    }
    made.next_param = whole(in, "next");
    return session_make(in->s, from, &made);
}

void report_free(ReadReport *r)
{
    free(r->losses.v);
    free(r->items.v);
    free(r->claims.v);
    free(r->steps.v);
    *r = (ReadReport){0};
}

static bool read_step(In *in)
{
    Derivation *d = program_of(in);
    /* Remember what the record says, for a replay. */
    const char *from = value(in, "from");
    int n = number(word(in, 1));
    PastStep step = {.program = word(in, 0), .number = n, .parent = number(from ? from : ""), .call = word(in, 3),
                     .place = value(in, "at"), .hash = hash_of(in, "hash")};
    step.param_count = bindings_of(in, &step.params);
    while (step.kind < STEP_KINDS && strcmp(step_kind_name(step.kind), word(in, 2))) step.kind++;
    step.kind %= STEP_KINDS;             /* of an unknown kind: STEP_SOURCE, which no step is */
    if (step.kind != STEP_CODE) read_rewrites(in, &step);
    if (n > 0 && step.parent >= 0 && step.kind != STEP_SOURCE) vec_push(&in->report->steps, step);
    if (!d) return false;
    if (n <= 0) return fail(in, "it has no number");
    if (n < d->versions.n) return fail(in, "its number is taken");
    while (d->versions.n < n) add_gap(in, d, NULL);
    in->s->current = d;
    Version *v = make_version(in, d, &step);
    if (v && !hash_is(in, v->hash)) {
        in->why = arena_printf(in->arena, "it now leads to another term: hash %016llx", (unsigned long long)v->hash);
        v = NULL;
    }
    if (!v) return add_gap(in, d, ""), false;
    v->focus = NULL;
    session_keep(in->s, v);
    session_goto(in->s, n);
    return true;
}

/* ---- state ---- */

static bool read_dropped(In *in)
{
    Derivation *d = in->d;
    for (int i = 1; i < in->record->word_count; i++) {
        int n = number(word(in, i));
        if (n <= 0) return fail(in, "it names no version");
        while (d->versions.n <= n) add_gap(in, d, NULL);
        if (!d->versions.v[n]->dropped) session_drop(in->s, n, true);
        d->versions.v[n]->tag = "";
    }
    return true;
}

static bool read_trust(In *in)
{
    Rule *r = rules_find(in->s->rules, word(in, 0));
    if (!r || r->trust == TRUST_BUILTIN) return fail(in, "its rule was not read");
    if (strcmp(word(in, 1), "checked")) return fail(in, "it says nothing known");
    vec_push(&in->report->claims, ((TrustClaim){r->name, (uint64_t)integer(value(in, "seed"), 0), integer(value(in, "count"), 0)}));
    return true;
}

static bool read_item(In *in)
{
    StoreItem item = {in->record->kind, word(in, 0), text_of(in, "")->text}, *all = in->report->items.v;
    for (int i = 0; i < in->report->items.n; i++)
        if (!strcmp(all[i].kind, item.kind) && !strcmp(all[i].name, item.name)) return all[i] = item, true;
    vec_push(&in->report->items, item);
    return true;
}

/* "/in/f" of v as word i. */
static bool read_place(In *in, const Version *v, int i, Path *out)
{
    return v && *word(in, i) == '/' && path_parse(in->s->ctx, v->root, NULL, word(in, i), out);
}

/* K(kind, its word, about). PROGRAM, VERSION: the first word, the second too, say what it is about, which is current meanwhile. PLACE: of a
 * version, too; where the user was is lost together with it, and that is reported already. */
typedef enum About { SELF, PROGRAM, VERSION, PLACE } About;
#define KINDS(K) K(HEADER, "lathe-session", SELF) K(SOURCE, "source", SELF) K(RULE, "rule", SELF) K(DEFINED, "program", SELF) K(STEP, "step", SELF) \
    K(SET, "set", SELF) K(TRUST, "trust", SELF) K(USE, "use", SELF) K(ALIAS, "alias", SELF) K(MACRO, "macro", SELF) K(LUA, "lua", SELF) \
    K(LESSON, "lesson", SELF) K(IR, "ir", SELF) K(END, "end", SELF) K(DROPPED, "dropped", PROGRAM) K(SIZE, "size", PROGRAM) \
    K(INPUT, "input", PROGRAM) K(MARK, "mark", PROGRAM) K(TAG, "tag", VERSION) K(NOTE, "note", VERSION) K(FOCUS, "focus", PLACE) K(VISITED, "visited", PLACE) K(AT, "at", PLACE)
#define KIND(kind, word, about) RECORD_##kind,
typedef enum RecordKind { KINDS(KIND) RECORD_KINDS } RecordKind;
#undef KIND

static bool read_record(In *in)
{
#define KIND(kind, word, about) {word, about},
    static const struct { const char *word; About about; } kinds[] = {KINDS(KIND)};
#undef KIND
    Path p;
    FillSpec spec;
    Rule *reverse;
    const Version *other;
    Session *s = in->s;
    int i = 0;
    in->why = NULL;
    while (i < RECORD_KINDS && strcmp(kinds[i].word, in->record->kind)) i++;
    if (i == RECORD_KINDS) return fail(in, "this version of lathe does not know such records");
    About about = kinds[i].about;
    in->d = about == SELF ? NULL : program_of(in);
    if (about != SELF && !in->d) return about == PLACE;
    if (about == PROGRAM || about == VERSION) s->current = in->d;
    in->v = about == VERSION || about == PLACE ? version_of(in, 1) : NULL;
    if ((about == VERSION || about == PLACE) && !in->v) return about == PLACE;
    switch ((RecordKind)i) {
    case RECORD_HEADER: return read_header(in);
    case RECORD_SOURCE: return read_source(in);
    case RECORD_RULE: return rules_define(s->ctx, s->rules, text_of(in, "rule"), &reverse) != NULL;
    case RECORD_DEFINED: return read_program(in);
    case RECORD_STEP: return read_step(in);
    case RECORD_SET: return session_set(s, word(in, 0), word(in, 1));
    case RECORD_TRUST: return read_trust(in);
    case RECORD_USE:
        in->d = program_of(in);
        if (in->d) s->current = in->d;
        return true;
    case RECORD_END: return in->end = true;
    case RECORD_DROPPED: return read_dropped(in);
    case RECORD_SIZE: return integer(word(in, 2), -1) >= 0 && session_set_size(s, word(in, 1), integer(word(in, 2), -1));
    case RECORD_INPUT: return input_spec_parse(s->ctx, word(in, 2), &spec) && session_set_input(s, word(in, 1), &spec);
    case RECORD_MARK:
        other = version_of(in, 2);
        return read_place(in, other, 3, &p) && session_mark_set(s, word(in, 1), other->number, &p);
    case RECORD_TAG: return session_tag(s, in->v->number, word(in, 2));
    case RECORD_NOTE: return session_note(s, in->v->number, word(in, 2));
    case RECORD_FOCUS: return read_place(in, in->v, 2, &p) && (in->v->focus = session_place(s, &p));
    case RECORD_VISITED:
        other = version_of(in, 2);
        if (other ? other->parent == in->v->number : !strcmp(word(in, 2), "@-1")) in->v->visited_child = other ? other->number : -1;
        return true;
    case RECORD_AT:
        other = version_of(in, 2);
        in->d->current = in->v->number;
        in->d->previous = other ? other->number : -1;
        return true;
    default: return read_item(in);
    }
}

/* ---- the whole ---- */

/* Is there any record in it, and none of a later format? False + E41. */
static bool is_session(Diag *diag, const char *file, const RecordReader *reader)
{
    RecordReader copy = *reader;
    Record record;
    const char *why;
    bool any = false;
    while (!any && record_next(&copy, &record, &why)) any = !why;
    if (!any) {
        const char *verb = file_ends(file, ".fun") ? "load" : file_ends(file, ".lathe") || file_ends(file, ".lua") ? "source" : NULL;
        if (diag_error(diag, E41, "%s is not a session file", file) && verb) diag_note(diag, "try", "%s %s", verb, file);
        return false;
    }
    if (strcmp(record.kind, "lathe-session") || record.word_count == 0 || atoi(record.words[0]) <= STORE_FORMAT) return true;
    return diag_fail(diag, E41, "%s was written by a newer lathe (format %s, this one reads %d)", file, record.words[0], STORE_FORMAT);
}

/* Line breaks as they were written, where something on the way made CR LF of all of them. Returns the length. */
static size_t plain_breaks(char *text, size_t len)
{
    const char *first = memchr(text, '\n', len);
    size_t n = 0;
    if (!first || first == text || first[-1] != '\r') return len;
    for (size_t i = 0; i < len; i++)
        if (text[i] != '\r' || i + 1 == len || text[i + 1] != '\n') text[n++] = text[i];
    return n;
}

Session *session_read(const char *file, const volatile int *stop, Arena *arena, Diag *diag, ReadReport *out)
{
    *out = (ReadReport){.made_by = "?"};
    RecordReader reader = {.arena = arena};
    Record record;
    const char *why;
    store_sweep(file);
    char *text = file_read(diag, arena, file, stop, &reader.len);
    if (text) reader.len = plain_breaks(text, reader.len);
    reader.text = text;
    if (!text || !is_session(diag, file, &reader)) return NULL;
    Session *s = session_new();
    Derivation *use = NULL;
    In in = {.s = s, .arena = arena, .report = out, .record = &record};
    s->ctx->stop = stop;
    while (!(stop && *stop) && record_next(&reader, &record, &why)) {
        if (why) lose(&in, record.line, "", why);
        else if (!read_record(&in)) lose_record(&in);
        if (!strcmp(record.kind, "use")) use = s->current;
    }
    diag_clear(&s->ctx->diag);
    free(in.loads.v);
    if (stop && *stop) {
        session_free(s);
        return diag_fail(diag, E25, "interrupted while %s was read; nothing has changed", file), NULL;
    }
    if (use) s->current = use;
    for (int i = 0; i < s->derivations.n; i++) {
        const Derivation *d = s->derivations.v[i];
        /* Numbers without a version that no `dropped` explains: neighbours are one loss. */
        for (int from = 1, to; from < d->versions.n; from = to + 1) {
            for (to = from; to < d->versions.n && d->versions.v[to]->dropped && !d->versions.v[to]->tag; to++) {}
            if (to == from + 1) lose(&in, 0, arena_printf(arena, "%s@%d", d->name, from), "it could not be rebuilt");
            if (to > from + 1) lose(&in, 0, arena_printf(arena, "%s@%d to @%d", d->name, from, to - 1), "they could not be rebuilt");
        }
        for (int k = 1; k < d->versions.n; k++) {
            out->versions += !d->versions.v[k]->dropped;
            if (d->versions.v[k]->dropped) d->versions.v[k]->tag = NULL;
        }
    }
    out->programs = s->derivations.n;
    if (!s->current && s->derivations.n) s->current = s->derivations.v[0];
    if (!in.header) lose(&in, 1, "", "its first record, the header, is missing");
    if (in.saved && !in.end) lose(&in, 0, "", "its end is missing: it was cut");
    return s;
}
