/* script: the steps to a version as a .lathe script that makes the same term again in a fresh lathe. Every line that
 * it writes for a step was run here first and gave the recorded term. */
#include "commands.h"
#include "compare.h"
#include "export.h"
#include "keep.h"
#include "replay.h"
#include "show.h"
#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Script {
    Shell *sh;
    const Derivation *d;
    Buf *out;
    Texts *macros;                       /* of the user's, that the steps name: what they use stands before them */
    bool *written;                       /* definitions, by number */
    Session *fresh;                      /* which has those alone: do they give the same source? */
} Script;

/* The next name in a text, NULL at its end; strings and comments are passed over. *p moves behind it. */
static const char *next_name(Script *s, const char **p, bool lua)
{
    for (;;) {
        while (**p && !isalpha((unsigned char)**p) && **p != '_' && **p != '"' && **p != '\'' && **p != '#') (*p)++;
        if (!**p) return NULL;
        if (**p == '#' && !lua) {
            *p += strcspn(*p, "\n");
        } else if (**p == '"' || **p == '\'') {
            const char *end = strchr(*p + 1, **p);
            *p = end ? end + 1 : *p + strlen(*p);
        } else if (**p == '#') {
            ++*p;
        } else {
            size_t n = name_length(*p);
            *p += n;
            return arena_strndup(s->sh->scratch, *p - n, n);
        }
    }
}

/* ---- definitions ---- */

/* A declaration on lines that go on with \, without comments: to the prompt a line may be complete too early. */
static void put_lines(Script *s, const char *verb, const char *text)
{
    const char *separator = verb;
    for (bool first = true; *text; text += *text == '\n', first = false) {
        size_t n = strcspn(text, "\n"), end = strcspn(text, "\n#");
        while (end > 0 && isspace((unsigned char)text[end - 1])) end--;
        if (end > strspn(text, " \t") || first) buf_printf(s->out, "%s%.*s", separator, (int)end, text), separator = " \\\n";
        text += n;
    }
    buf_putc(s->out, '\n');
}

static void put_definition(Script *s, int i)
{
    const Defs *defs = session_defs(s->sh->session);
    const char *text;
    Loaded loaded;
    if (s->written[i]) return;
    s->written[i] = true;
    defs_name(defs, i, &text, NULL);
    const char *p = text + (strncmp(text, "let", 3) || isalnum((unsigned char)text[3]) ? 0 : 3);
    p += strspn(p, " \t");
    for (const char *at = p, *name; (name = next_name(s, &at, false));) {
        int k = defs_count(defs) - 1;    /* the latest of that name */
        while (k >= 0 && strcmp(defs_name(defs, k, NULL, NULL), name)) k--;
        if (k >= 0 && !s->written[k]) put_definition(s, k);
    }
    put_lines(s, "let ", p);
    session_define(s->fresh, &(Source){"let", p, strlen(p)}, &loaded);
}

static bool put_program(Script *s)
{
    const Defs *defs = session_defs(s->sh->session);
    const Program *p = NULL;
    int i = 0, n = defs_count(defs);
    while (i < n && (defs_name(defs, i, NULL, &p), p != s->d->program)) i++;
    s->written = NEW_ARRAY(s->sh->scratch, bool, n);
    s->fresh = session_new();
    if (i < n) put_definition(s, i);
    const Version *v = session_version(s->fresh);
    bool repeats = v && v->hash == s->d->versions.v[0]->hash;
    session_free(s->fresh);
    return repeats || shell_error(s->sh, E40, "the source of %s cannot be written as declarations: a definition it uses was changed, or it has "
                                  "`param` declarations\ntry save %s.session", s->d->name, s->d->name);
}

static void put_data(Script *s)
{
    const Program *p = s->d->program;
    for (int i = 0; i < p->size_count; i++)
        if (s->d->sizes[i]) buf_printf(s->out, "data %s = %lld\n", size_name(p, i), (long long)s->d->sizes[i]);
    for (int i = 0; i < p->input_count; i++) {
        const char *spec = input_spec_text(s->sh, &s->d->inputs[i]);
        if (spec) buf_printf(s->out, "data %s = %s\n", s->d->inputs[i].name, spec);
    }
}

/* ---- steps ---- */

/* Does that line give that term, through `count` elementary steps, when typed at `before`? */
static bool repeats(Script *s, const Version *before, const char *text, bool lowering, const Path *at, const Term *want,
                    int count, int next) {
    Shell *sh = s->sh;
    Scope scope;
    RewriteEnv env;
    LowerHints hints;
    StrategyResult r = {0};
    Strategies *strategies = shell_strategies(sh);
    if (!strategies || !path_term(before->root, at)) return false;
    session_env(sh->session, before, &scope, &env);
    lower_hints(sh, before, sh->scratch, &hints);
    bool ok = lowering ? strategy_lower(strategies, &env, sh->scratch, strcmp(text, "lower") ? text : NULL, &hints,
                                        before->root, &r)
                       : strategy_run(strategies, &env, sh->scratch, text, &hints, before->root, at, &r);
    scope_free(&scope);
    diag_clear(diag(s->sh));
    return ok && r.root == want && r.step_count == count && env.next_param == next;
}

static void put_apply(Script *s, const Term *root, const char *text, const Path *at)
{
    buf_printf(s->out, "apply %s at %s\n", text, path_text(s->sh->c, root, at));
}

static bool put_inner(Script *s, const Version *v)
{
    for (int i = 0; i < v->sub_count; i++) {
        Arena *arena = s->sh->scratch;
        const Version *before = i ? session_ref(s->sh->session, arena_printf(arena, "@%d.%d", v->number, i)) : v->from;
        const char *text = arena_strdup(arena, substep_typed(s->sh->session, before, &v->subs[i]));
        Path at = place_path(v->subs[i].at);
        if (!repeats(s, before, text, false, &at, v->subs[i].root, 1, v->subs[i].next_param))
            return shell_error(s->sh, E40, "@%d cannot be written as commands: its inner step %d, %s, does not repeat\n"
                               "try save %s.session", v->number, i + 1, text, s->d->name);
        put_apply(s, before->root, text, &at);
    }
    return true;
}

/* Would a fresh lathe know every name in that strategy, once the user's macros among them are defined? Those are added to the
 * script's; false: Lua made one, or it asks for something else. Names before = are those of arguments. params: of a macro's own text. */
static bool is_portable(Script *s, const char *text, const Texts *params)
{
    Strategies *strategies = shell_strategies(s->sh);
    for (const char *p = text, *name; (name = next_name(s, &p, true));) {
        const StrategyName *found = strategies ? strategies_find(strategies, name) : NULL;
        bool argument = p[strspn(p, " ")] == '=' && p[strspn(p, " ") + 1] != '=', literal = !strcmp(name, "true") ||
            !strcmp(name, "false");
        if (argument || literal || text_index(params->v, params->n, name) >= 0) continue;
        if (found && found->user) {
            if (!found->text) return false;
            if (text_index(s->macros->v, s->macros->n, found->text) >= 0) continue;
            LOCAL(drop) Texts own = {0};
            const char *body = found->text + strcspn(found->text, "="), *doc = strstr(body, "--");
            for (const char *q = found->text, *param; (param = next_name(s, &q, true)) && q <= body;) vec_push(&own, param);
            if (!is_portable(s, doc ? arena_strndup(s->sh->scratch, body, (size_t)(doc - body)) : body, &own)) return false;
            vec_push(s->macros, found->text);
        } else if (!found && !rules_find(session_rules(s->sh->session), name)) return false;
    }
    return true;
}

/* A macro or lowering as it was typed, when that gives the same steps here; NULL: its elementary steps have to do. */
static const char *typed_again(Script *s, const Version *v)
{
    Path at;
    bool lowering = v->kind == STEP_LOWER;
    if (v->kind != STEP_MACRO && !lowering) return NULL;
    int next = v->next_param, macros = s->macros->n;
    char *text = arena_strdup(s->sh->scratch, v->call);
    for (char *p = text; *p; p++)
        if (*p == '\n') *p = ' ';
    at = place_path(v->at);
    if (is_portable(s, text, &(Texts){0}) && repeats(s, v->from, text, lowering, &at, v->root, v->sub_count, next)) return text;
    s->macros->n = macros;
    return NULL;
}

static void put_typed(Script *s, const Version *v, const char *text)
{
    Path at = place_path(v->at);
    if (v->kind == STEP_MACRO) put_apply(s, v->from->root, text, &at);
    else if (!strcmp(text, "lower")) buf_puts(s->out, "lower\n");
    else buf_printf(s->out, "lower %s\n", text);
}

/* The settings that its kernels were edited under, or (begin: false) those of a fresh session again. */
static void put_settings(Script *s, const EditedCode *c, bool begin)
{
    if (c->arguments) buf_printf(s->out, "set sizes %s\n", begin ? "argument" : "constant");
    if (c->paranoid) buf_printf(s->out, "set sync %s\n", begin ? "paranoid" : "normal");
    if (!c->local[0]) return;
    buf_puts(s->out, "set local ");
    for (int d = 0; begin && d < 3 && c->local[d]; d++) buf_printf(s->out, "%s%d", d ? "x" : "", c->local[d]);
    buf_puts(s->out, begin ? "\n" : "auto\n");
}

static void put_code(Script *s, const Version *v)
{
    Values given;
    const EditedCode *c = v->code;
    session_given_values(s->sh->session, v, s->sh->scratch, &given);
    bool sized = !*c->sizes || !strcmp(record_sizes(s->sh, &given), c->sizes);
    if (!sized) buf_puts(s->out, sizes_commands(s->sh, c->sizes, "\n"));
    put_settings(s, c, true);
    /* As Lua text. An empty line would end the command, so it gets a blank, which is taken away again. */
    int level = 1;
    const char *bars = "==========";
    while (level < 9 && strstr(c->source, arena_printf(s->sh->scratch, "]%.*s]", level, bars))) level++;
    buf_printf(s->out, "lua t.code{source = [%.*s[\n", level, bars);
    for (const char *p = c->source; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        int n = (int)strcspn(p, "\n");
        buf_printf(s->out, "%.*s\n", n ? n : 1, n ? p : " ");
    }
    buf_printf(s->out, "]%.*s]}\n", level, bars);
    put_settings(s, c, false);
    if (!sized) put_data(s);
}

static bool calls(const char *call, const char *name, size_t n) { return !strncmp(call, name, n) && !is_name_char(call[n]); }

static bool names(Script *s, const char *text, const char *wanted)
{
    for (const char *name; (name = next_name(s, &text, true));)
        if (!strcmp(name, wanted)) return true;
    return false;
}

/* What the user calls that version, and says of it. */
static void put_names(Buf *out, const Version *v)
{
    if (v->tag) buf_printf(out, "tag %s\n", v->tag);
    if (!v->note) return;
    buf_puts(out, "note ");
    buf_quoted(out, v->note);
    buf_putc(out, '\n');
}

bool export_script(Shell *sh, const ExportRange *range, Buf *out)
{
    LOCAL(drop) Texts macros = {0};
    Script s = {.sh = sh, .d = session_current(sh->session), .out = out, .macros = &macros};
    ChainStep *steps;
    const Version *from = range->from, *to = range->to;
    if (session_ancestor(from, to) != from)
        return shell_error(sh, E05, "%s is not on the way to %s\n"
                           "try log %s --path", version_name(sh, from), version_name(sh, to), version_name(sh, to));
    int n = session_chain(sh->session, from, to, false, sh->scratch, &steps);
    buf_printf(out, "# %s, %s to %s\n", s.d->name, version_name(sh, from), version_name(sh, to));
    if (version_assumed(sh, to)) buf_printf(out, "# ? %s rests on the %s\n", version_name(sh, to), version_assumed(sh, to));
    if (from->parent < 0 && !put_program(&s)) return false;
    put_data(&s);
    const char **typed = NEW_ARRAY(sh->scratch, const char *, n);        /* of macros; NULL: step by step */
    for (int i = 0; i < n && !range->expand; i++) typed[i] = typed_again(&s, steps[i].version);
    /* The user's rules among those of the path and of its macros, each once, in order of definition; of NAME.rev its NAME. */
    const Rule *rule;
    for (int i = 0; (rule = rules_user(session_rules(s.sh->session), i)); i++) {
        if (rule->reversed) continue;
        size_t length = strlen(rule->name);
        bool used = ANY(k, n, ANY(j, steps[k].version->sub_count, calls(steps[k].version->subs[j].call, rule->name, length)))
            || ANY(k, macros.n, names(&s, macros.v[k], rule->name));
        if (used && rule_asks(rule)) put_lua(s.sh, rule, s.out);
        if (used) put_lines(&s, "rule ", rule_definition(rule));
    }
    for (int i = 0; i < macros.n; i++) put_lines(&s, "macro ", macros.v[i]);
    buf_printf(out, "expect %s\n", hash_text(sh, from->hash));
    put_names(out, from);
    for (int i = 0; i < n; i++) {
        const Version *v = steps[i].version;
        bool ok = true;
        if (v->kind == STEP_CODE) put_code(&s, v);
        else if (v->kind == STEP_PARAM) buf_printf(s.out, "%s\n", v->call);
        else if (typed[i]) put_typed(&s, v, typed[i]);
        else ok = put_inner(&s, v);
        buf_printf(s.out, "expect %s\n", hash_text(s.sh, v->hash));
        put_names(s.out, v);
        if (!ok) return false;
    }
    return true;
}
