/* fit: the numbers of a macro, gemmCpu{mb=256, kb=256} or tile(32, 16), with which what it asks of the sizes holds: for an error that says so. */
#include "commands.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { FARTHEST = 4096, TRIALS = 50000, SHOWN = 12 };

typedef struct Option {
    const char *name;
    int64_t value;                       /* as given, else the macro's own; 0: as another, nr=nb */
    bool given, open;                    /* open: what would do is looked for */
    bool fixed;                          /* it chooses a structure: it is a number in every call */
} Option;

typedef struct Fitting {
    Shell *sh;
    const Version *v;
    const Path *at;
    const char *macro;
    VEC(Option) options;
    bool by_order;                       /* (32, 16): all are given */
    StrategyResult r;                    /* with the open ones as parameters of their names */
    Values values;                       /* of the sizes, and of those; the options' stand behind the others */
    int trials;                          /* of values so far */
    ErrorId id;                          /* of the last call that failed */
} Fitting;

/* "{mb=256, nr=nb}" over what is known; false: it has another form. */
static bool read_options(Fitting *f, const char *text, bool given)
{
    if (*text != '{') return false;
    for (text++; *(text += strspn(text, " ,")) && *text != '}';) {
        size_t n = name_length(text);
        const char *name = arena_strndup(f->sh->scratch, text, n), *value = text + n + strspn(text + n, " =");
        char *end;
        Option one = {.name = name, .value = strtoll(value, &end, 10), .given = given};
        int i = 0;
        while (i < f->options.n && strcmp(f->options.v[i].name, name)) i++;
        if (!n || (given && (end == value || i == f->options.n))) return false;
        if (i == f->options.n) vec_push(&f->options, one);
        else f->options.v[i] = one;
        text = end == value ? value + name_length(value) : end;
        if (!*text || !strchr(" ,}", *text)) return false;
    }
    return *text == '}' && !text[1 + strspn(text + 1, " ")];
}

/* "(m, n, ...)", the macro's own names, or "(32, 16)"; false: it has another form. */
static bool read_in_order(Fitting *f, const char *text, bool given)
{
    if (*text != '(') return false;
    f->by_order = true;
    text++;
    for (int i = 0; *(text += strspn(text, " ,")) && *text != ')' && *text != '.'; i++) {
        char *end = NULL;
        size_t n = given ? 0 : name_length(text);
        int64_t value = given ? strtoll(text, &end, 10) : 0;
        if (given ? end == text || value < 1 : !n) return false;
        if (i == f->options.n)
            vec_push(&f->options, ((Option){.name = given ? arena_printf(f->sh->scratch, "n%d", i + 1) : arena_strndup(f->sh->scratch, text, n)}));
        f->options.v[i].value = value;
        f->options.v[i].given = given;
        text += given ? (size_t)(end - text) : n;
    }
    return *text == ')' || !given;
}

/* The call, with open options as parameters or with the values that were found for them. */
static const char *call_of(const Fitting *f, bool found)
{
    Buf b = {0};
    buf_puts(&b, f->macro);
    const char *gap = f->by_order ? "(" : "{";
    for (int i = 0; i < f->options.n; i++) {
        const Option *o = &f->options.v[i];
        int64_t value = o->open ? f->values.b[f->values.count - f->options.n + i].value : o->value;
        if (!o->given && (!o->open || (found && value == o->value))) continue;
        buf_printf(&b, "%s%s%s", gap, f->by_order ? "" : o->name, f->by_order ? "" : "=");
        if (o->open && !found) buf_puts(&b, o->name);
        else buf_printf(&b, "%lld", (long long)value);
        gap = ", ";
    }
    if (*gap == ',') buf_putc(&b, f->by_order ? ')' : '}');
    return buf_take(&b, f->sh->scratch);
}

static bool run(Fitting *f, const char *call, StrategyResult *out)
{
    LOCAL(scope_free) Scope scope = {0};
    RewriteEnv env;
    LowerHints hints;
    present_env(f->sh, f->v, &scope, &env);
    env.advise = false;
    lower_hints(f->sh, f->v, f->sh->scratch, &hints);
    *out = (StrategyResult){0};
    bool ok = strategy_run(shell_strategies(f->sh), &env, f->sh->scratch, call, &hints, f->v->root, f->at, out);
    f->id = diag(f->sh)->id;
    diag_clear(diag(f->sh));
    return ok;
}

static const Fact *broken(const Fitting *f, const StrategyResult *r)
{
    return FIRST(i, r->facts, r->fact_count, values_break(&f->values, &r->facts[i]));
}

static Binding *binding_of(Fitting *f, int option) { return &f->values.b[f->values.count - f->options.n + option]; }

/* Values for the open options from i on, each as near as may be to what it is. */
static bool choose(Fitting *f, int i)
{
    while (i < f->options.n && !f->options.v[i].open) i++;
    if (i == f->options.n) return true;
    Binding *b = binding_of(f, i);
    b->set = true;
    for (int64_t d = 0; d <= FARTHEST; d++)
        for (int sign = -1; sign <= (d ? 1 : -1); sign += 2) {
            b->value = f->options.v[i].value + sign * d;
            if (b->value < 1) continue;
            if (++f->trials > TRIALS) return false;
            if (!broken(f, &f->r) && choose(f, i + 1)) return true;
        }
    b->set = false;
    return false;
}

static bool open_option(Fitting *f, Option *o)
{
    StrategyResult r;
    if (o->open || o->fixed) return false;
    o->open = true;
    o->fixed = !run(f, call_of(f, false), &r) && f->id == E22;
    if (o->fixed) o->open = false;
    return o->open;
}

/* Those with the number are opened, or halved where they have to be numbers; true: there were any. */
static bool open_with(Fitting *f, const Nat *number)
{
    bool any = false;
    for (int i = 0; i < f->options.n && number->is_const; i++) {
        Option *o = &f->options.v[i];
        if (o->open || o->value != number->value) continue;
        bool opened = open_option(f, o), halves = !opened && o->value % 2 == 0 && o->value > 0;
        if (halves) o->value /= 2, o->given = true;
        any = any || opened || halves;
    }
    return any;
}

/* Options that have the number which a fact does not hold of are opened, until none fails for one. False: it is about something else. */
static bool open_those_to_blame(Fitting *f)
{
    for (;;) {
        if (!run(f, call_of(f, false), &f->r)) return false;
        const Fact *bad = broken(f, &f->r);
        if (!bad) return true;
        if (!open_with(f, bad->a)) return false;
    }
}

/* Values for the open options; where there are none, those that bind them are opened, too: 16 divides nb, where w is 16. */
static bool fit(Fitting *f)
{
    while (open_those_to_blame(f)) {
        bool any = ANY(i, f->options.n, f->options.v[i].open), more = false;
        if (any && choose(f, 0)) return true;
        for (int i = 0; any && i < f->r.fact_count; i++) {
            const Fact *fact = &f->r.facts[i];
            if (!fact->b->is_const) more = open_with(f, fact->a) || more;
        }
        for (int i = 0; i < f->options.n; i++) binding_of(f, i)->set = false;
        if (!more) return false;
    }
    return false;
}

/* The number that a fact does not hold of becomes another: where several options have it, that one which the fact is about, else all. */
static bool change_number(Fitting *f, Fact bad, int64_t to)
{
    int64_t number = bad.a->value;
    int changed = 0;
    for (int i = 0; i < f->options.n; i++) {
        int64_t *value = &f->options.v[i].value;
        if (*value != number) continue;
        *value = to;
        bool runs = run(f, call_of(f, true), &f->r);
        if (runs && !ANY(k, f->r.fact_count, f->r.facts[k].a == bad.a && f->r.facts[k].b == bad.b)) return true;
        *value = number;
    }
    for (int i = 0; i < f->options.n; i++)
        if (f->options.v[i].value == number) f->options.v[i].value = to, changed++;
    return changed;
}

/* Where they are numbers by their order, none is open: the number that a fact does not hold of becomes the nearest with which it does. */
static bool fit_in_order(Fitting *f)
{
    for (int tries = 0; tries <= 2 * f->options.n; tries++) {
        if (!run(f, call_of(f, true), &f->r)) return false;
        const Fact *bad = broken(f, &f->r);
        if (!bad) return true;
        if (!bad->a->is_const) return false;
        int64_t number = bad->a->value, near = 0;
        for (int64_t d = 1; !near && d <= FARTHEST; d++)
            for (int sign = -1; !near && sign <= 1; sign += 2) {
                Fact other = {bad->kind, nat_const(f->sh->c->nats, number + sign * d), bad->b};
                if (number + sign * d > 1 && !values_break(&f->values, &other)) near = number + sign * d;
            }
        if (!near || !change_number(f, *bad, near)) return false;
    }
    return false;
}

/* It goes nowhere with the numbers that are given: which of them would do, or, if that is not all, which of the others? */
static void open_given(Fitting *f)
{
    StrategyResult r;
    for (int given = 1; given >= 0; given--) {
        for (int i = 0; i < f->options.n; i++)
            if (f->options.v[i].given == given && f->options.v[i].value > 0) open_option(f, &f->options.v[i]);
        if (run(f, call_of(f, false), &r)) return;
    }
}

static void note_legal(Fitting *f, int option)
{
    LOCAL(buf_free) Buf b = {0};
    Binding *one = binding_of(f, option);
    int64_t chosen = one->value;
    int n = 0;
    for (one->value = 1; one->value <= FARTHEST && n <= SHOWN; one->value++) {
        if (broken(f, &f->r)) continue;
        if (n++ < SHOWN) buf_printf(&b, "%s%lld", n > 1 ? ", " : "", (long long)one->value);
        else buf_puts(&b, " ...");
    }
    one->value = chosen;
    diag_note(diag(f->sh), "legal", "%s = %s", one->name, buf_text(&b));
}

void note_fitting(Shell *sh, const Version *v, const char *call, const Path *at)
{
    const char *name = arena_strndup(sh->scratch, call, name_length(call)), *rest = call + strlen(name);
    Strategies *s = shell_strategies(sh);
    const StrategyName *macro = s ? strategies_find(s, name) : NULL;
    Fitting f = {.sh = sh, .v = v, .at = at, .macro = name};
    bool asked = diag(sh)->id == E36 || (diag(sh)->id == E23 && *rest);
    bool in_order = macro && read_in_order(&f, macro->params, false) && read_in_order(&f, rest, true);
    bool known = asked && macro && macro->kind <= NAME_LOWERING
        && (in_order || (!f.by_order && read_options(&f, macro->params, false) && (!*rest || read_options(&f, rest, true))));
    Diag kept = diag_aside(diag(sh));
    Values given;
    StrategyResult again;
    const char *found = NULL;
    session_given_values(sh->session, v, sh->scratch, &given);
    f.values = given;
    f.values.count = given.count + f.options.n;
    f.values.b = NEW_ARRAY(sh->scratch, Binding, f.values.count);
    for (int i = 0; i < given.count; i++) f.values.b[i] = given.b[i];
    for (int i = 0; i < f.options.n; i++) *binding_of(&f, i) = (Binding){.name = f.options.v[i].name, .kind = VAR_PARAM};
    if (known && !in_order && kept.id == E23) open_given(&f);
    bool fits = known && (!in_order ? fit(&f) : kept.id == E36 && fit_in_order(&f));
    if (fits) found = call_of(&f, true);
    fits = fits && run(&f, found, &again) && !broken(&f, &again);
    diag_back(diag(sh), kept);
    Diag *d = diag(sh);
    if (fits) {
        for (int i = 0; i < f.options.n; i++)
            if (f.options.v[i].open && binding_of(&f, i)->value != f.options.v[i].value) note_legal(&f, i);
        int kept_notes = 0;
        for (int i = 0; i < d->note_count; i++)
            if (strcmp(d->notes[i].label, "try")) d->notes[kept_notes++] = d->notes[i];
        d->note_count = kept_notes;
        diag_note(d, "try", "apply %s at %s", found, path_text(sh->c, v->root, at));
    }
    free(f.options.v);
}
