/* complete: what may follow, by the argument kinds of the command table. Never runs anything. */
#include "shell.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { RECENT_VERSIONS = 10 };

typedef struct Found {
    Shell *sh;
    const char *word;                    /* what is typed so far */
    const char *before;                  /* part of it that candidates keep in front */
    VEC(char *) v;
    bool more;
} Found;

static void offer(Found *f, const char *name, const char *tail)
{
    Buf b = {0};
    buf_printf(&b, "%s%s%s", f->before, name, tail);
    if (strncmp(b.data, f->word, strlen(f->word))) buf_free(&b);
    else vec_push(&f->v, b.data);
}

/* ---- names ---- */

static void offer_commands(Found *f)
{
    for (int i = 0; i < command_count(); i++) offer(f, command_get(i)->name, "");
}

static void offer_rules(Found *f, bool here)
{
    const Version *v = session_version(f->sh->session);
    Rules *rules = session_rules(f->sh->session);
    Scope scope;
    RewriteEnv env;
    Path focus;
    session_focus(f->sh->session, &focus);
    here = here && v;
    if (here) session_scope(f->sh->session, v, &scope);
    if (here) shell_env(f->sh, v, &scope, &env);
    for (int i = 0; i < rules_count(rules); i++)
        if (!here || rule_fits(&env, rules_get(rules, i), v->root, &focus)) offer(f, rules_get(rules, i)->name, "");
    if (here) scope_free(&scope);
}

static void offer_macros(Found *f)
{
    Strategies *s = shell_strategies(f->sh);
    for (int i = 0; s && i < strategies_name_count(s); i++) offer(f, strategies_name(s, i)->name, "");
}

/* The name under construction in "seq(a, splitJ" starts behind the last bracket, comma or operator. */
static void offer_strategy(Found *f)
{
    size_t n = strlen(f->word), from = n;
    while (from > 0 && !strchr("(,*+^{=", f->word[from - 1])) from--;
    char *before = strndup(f->word, from);
    f->before = before;
    offer_rules(f, true);
    if (f->v.n == 0) {
        offer_rules(f, false);
        offer_macros(f);
    }
    f->before = "";
    free(before);
}

static void offer_topics(Found *f)
{
    offer_commands(f);
    offer_rules(f, false);
    for (int i = 0; i < PRIM_COUNT; i++) offer(f, prim((PrimId)i)->name, "");
    for (int i = 0; i < SETTING_COUNT; i++) offer(f, setting((SettingId)i)->name, "");
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++) offer(f, error_name((ErrorId)i), "");
}

static void offer_words(Found *f, const char *words)
{
    while (*words) {
        char *word = strndup(words, strcspn(words, " |"));
        offer(f, word, "");
        words += strlen(word) + (words[strlen(word)] != 0);
        free(word);
    }
}

static void offer_values(Found *f, const char *name)
{
    SettingId id = setting_from_name(name);
    if (id != SETTING_COUNT && setting(id)->kind == SETTING_WORD) offer_words(f, setting(id)->choices);
}

static void offer_data(Found *f)
{
    const Derivation *d = session_current(f->sh->session);
    for (int i = 0; d && i < d->program->size_count; i++) offer(f, d->program->sizes[i]->terms[0].factors[0].atom->name, "");
    for (int i = 0; d && i < d->program->input_count; i++) offer(f, d->inputs[i].name, "");
}

static void offer_params(Found *f)
{
    const Version *v = session_version(f->sh->session);
    for (int i = 0; v && i < v->param_count; i++) offer(f, v->params[i].name, "");
}

static void offer_versions(Found *f)
{
    const Derivation *d = session_current(f->sh->session);
    f->before = "@";
    for (int i = 0; d && i < d->versions.n; i++)
        if (d->versions.v[i]->tag) offer(f, d->versions.v[i]->tag, "");
    for (int i = d && d->versions.n > RECENT_VERSIONS ? d->versions.n - RECENT_VERSIONS : 0; d && i < d->versions.n; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        if (derivation_version(d, i)) offer(f, number, "");
    }
    f->before = "";
}

static void offer_devices(Found *f)
{
    const DeviceInfo *list;
    if (!f->sh->devices) return;         /* asking OpenCL may take long */
    int n = devices_list(f->sh->devices, &list);
    for (int i = 0; i < n; i++) offer(f, list[i].id, "");
}

/* ---- places ---- */

static void offer_places(Found *f)
{
    const Version *v = session_version(f->sh->session);
    const char *slash = strrchr(f->word, '/');
    Path base, focus;
    if (!v) return;
    session_focus(f->sh->session, &focus);
    base = focus;
    char *before = slash ? strndup(f->word, (size_t)(slash - f->word) + 1) : strdup("");
    char *folder = slash ? strndup(f->word, slash == f->word ? 1 : (size_t)(slash - f->word)) : NULL;
    bool ok = !folder || path_parse(f->sh->c, v->root, &focus, folder, &base);
    const Term *t = ok ? path_term(v->root, &base) : NULL;
    f->before = before;
    for (int i = 0; t && i < term_slot_count(t); i++) {
        int old = f->v.n;
        offer(f, term_slot_name(f->sh->c, t, i), "");
        f->more = f->more || (f->v.n > old && term_slot_count(term_slot(t, i)) > 0);
    }
    if (!slash) offer(f, "..", "");
    f->before = "";
    free(before);
    free(folder);
}

/* ---- files ---- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), k = strlen(suffix);
    return n >= k && !strcmp(name + n - k, suffix);
}

static void offer_files(Found *f, const char *suffix)
{
    const char *slash = strrchr(f->word, '/');
    char *before = slash ? strndup(f->word, (size_t)(slash - f->word) + 1) : strdup("");
    DIR *dir = opendir(*before ? before : ".");
    f->before = before;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct stat st;
        if (*e->d_name == '.' || fstatat(dirfd(dir), e->d_name, &st, 0)) continue;
        bool folder = S_ISDIR(st.st_mode);
        int old = f->v.n;
        if (folder || ends_with(e->d_name, suffix)) offer(f, e->d_name, folder ? "/" : "");
        f->more = f->more || (folder && f->v.n > old);
    }
    if (dir) closedir(dir);
    f->before = "";
    free(before);
}

/* ---- the whole ---- */

static void offer_kind(Found *f, const char *kind, const char *previous)
{
    if (!strcmp(kind, "topic")) offer_topics(f);
    else if (!strcmp(kind, "kind")) for (int i = 0; list_kind(i); i++) offer(f, list_kind(i), "");
    else if (!strcmp(kind, "setting")) for (int i = 0; i < SETTING_COUNT; i++) offer(f, setting((SettingId)i)->name, "");
    else if (!strcmp(kind, "value")) offer_values(f, previous);
    else if (!strncmp(kind, "file:", 5)) offer_files(f, kind + 5);
    else if (!strcmp(kind, "program")) for (int i = 0; i < session_count(f->sh->session); i++) offer(f, session_get(f->sh->session, i)->name, "");
    else if (!strcmp(kind, "place")) offer_places(f);
    else if (!strcmp(kind, "strategy")) offer_strategy(f);
    else if (!strcmp(kind, "rule")) offer_rules(f, false);
    else if (!strcmp(kind, "macro")) offer_macros(f);
    else if (!strcmp(kind, "param")) offer_params(f);
    else if (!strcmp(kind, "data")) offer_data(f);
    else if (!strcmp(kind, "version")) offer_versions(f);
    else if (!strcmp(kind, "device")) offer_devices(f);
}

static void offer_flags(Found *f, const Command *c)
{
    for (const char *p = c->flags; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, "= ");
        char *name = strndup(p, n);
        f->before = n == 1 ? "-" : "--";
        offer(f, name, "");
        f->before = "";
        free(name);
        p += strcspn(p, " ");
    }
}

/* The i-th word of "setting value" (the last one for all further arguments). */
static char *kind_of(const char *args, int i)
{
    const char *p = args;
    for (; i > 0 && strchr(p, ' '); i--) p = strchr(p, ' ') + 1;
    return strndup(p, strcspn(p, " "));
}

static void offer_argument(Found *f, Arena *arena, const char *text)
{
    int *starts, *ends;
    int n = line_words(arena, text, &starts, &ends);
    const char *verb = n ? line_word(arena, text, starts[0], ends[0]) : "";
    const char *previous = n ? line_word(arena, text, starts[n - 1], ends[n - 1]) : "";
    if (n == 0) {
        offer_commands(f);
        return;
    }
    const Command *c = command_find(verb, NULL);
    if (!c) return;
    char *kind = n > 1 && (!strcmp(previous, "at") || !strcmp(previous, "in")) ? strdup("place") : kind_of(c->args, n - 1);
    if (*f->word == '-') offer_flags(f, c);
    else offer_kind(f, kind, previous);
    free(kind);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* As Readline wants them: what all have in common first, unless there is one only. */
static char **as_matches(Found *f)
{
    if (f->v.n == 0) return NULL;
    qsort(f->v.v, (size_t)f->v.n, sizeof *f->v.v, compare_texts);
    char **all = malloc(sizeof *all * (size_t)(f->v.n + 2));
    if (!all) return NULL;
    int at = 0;
    if (f->v.n > 1) {
        const char *a = f->v.v[0], *b = f->v.v[f->v.n - 1];
        size_t same = 0;
        while (a[same] && a[same] == b[same]) same++;
        all[at++] = strndup(a, same);
    }
    for (int i = 0; i < f->v.n; i++) all[at++] = f->v.v[i];
    all[at] = NULL;
    free(f->v.v);
    return all;
}

char **complete(Shell *sh, const char *line, int start, int end, bool *more)
{
    Arena *arena = arena_new();
    int from = start;
    while (from > 0 && line[from - 1] != ';') from--;
    Found f = {.sh = sh, .word = arena_strndup(arena, line + start, (size_t)(end - start)), .before = ""};
    offer_argument(&f, arena, arena_strndup(arena, line + from, (size_t)(start - from)));
    diag_clear(&sh->c->diag);
    *more = f.more;
    char **all = as_matches(&f);
    arena_free(arena);
    return all;
}
