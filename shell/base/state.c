/* state: the parts of a Shell, made when first used, and the arguments of a command. */
#include "shell.h"
#include "text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the shell ---- */

char *shell_state_path(const char *name, bool make)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    Buf b = {0};
    if (state && *state == '/') buf_puts(&b, state);
    else if (home && *home == '/') buf_printf(&b, "%s/.local/state", home);
    else return NULL;
    buf_printf(&b, "/lathe/%s", name);
    for (char *p = b.data + 1; make && (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(b.data, 0700);
        *p = '/';
    }
    return b.data;
}

int folder_names(Arena *arena, const char *folder, const char ***out)
{
    Texts names = {0};
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (*e->d_name != '.') vec_push(&names, arena_strdup(arena, e->d_name));
    if (dir) closedir(dir);
    if (names.n) qsort(names.v, (size_t)names.n, sizeof *names.v, compare_text);
    *out = vec_take(&names, arena);
    return names.n;
}

const char *shell_temporary(Shell *sh, const char *ending, const char *text)
{
    const char *folder = getenv("TMPDIR");
    char *name = arena_printf(sh->scratch, "%s/lathe-XXXXXX%s", folder && *folder ? folder : "/tmp", ending);
    int fd = mkstemps(name, (int)strlen(ending));
    if (fd < 0) return shell_error(sh, E06, "cannot write %s: %s", name, strerror(errno)), NULL;
    close(fd);
    return file_write(diag(sh), name, text, strlen(text)) ? name : NULL;
}

void shell_settle(Shell *sh)
{
    for (int i = 0; i < sh->retired.n; i++) {
        strategies_free(sh->retired.v[i].strategies);
        session_free(sh->retired.v[i].session);
    }
    sh->retired.n = 0;
}

void shell_forget(Shell *sh)
{
    for (int i = 0; i < sh->aliases.n; i++) {
        free(sh->aliases.v[i].name);
        free(sh->aliases.v[i].line);
    }
    free(sh->aliases.v);
    arena_free(sh->moves.arena);
    arena_free(sh->labels.arena);
    free(sh->labels.places.v);
}

void shell_free(Shell *sh)
{
    shell_settle(sh);
    free(sh->retired.v);
    device_close(sh->device);
    results_close(sh->results);
    devices_free(sh->devices);
    strategies_free(sh->strategies);
    session_free(sh->session);
    shell_forget(sh);
    free((char *)sh->device_wanted);
    if (sh->target_arena) arena_free(sh->target_arena);
    free(sh->again);
    free(sh->suggested);
    free(sh->enters);
    free(sh);
}

/* Strategies are fuelled; a chunk or script of the user's is not. */
static void set_limits(Shell *sh, Strategies *strategies)
{
    enum { INSTRUCTIONS = 200, REWRITES = 20 };           /* to a rule that is tried: of 16, one rewrites, where lower chooses among templates */
    int64_t fuel = session_setting_int(sh->session, SET_FUEL);
    StrategyLimits limits = {
        .instructions = fuel * INSTRUCTIONS, .attempts = (int)fuel, .steps = (int)(fuel / REWRITES),
        .memory = (size_t)session_setting_int(sh->session, SET_LUA_MEMORY) << 20, .stop = sh->stop,
        };
    strategies_limit(strategies, &limits);
}

Strategies *shell_strategies_over(Shell *sh, Session *s)
{
    Strategies *made = strategies_new(session_ctx(s), session_rules(s), session_defs(s));
    if (!made) return NULL;
    set_limits(sh, made);
    strategies_host(made, &(StrategyHost){0}, s);
    if (sh->restricted) strategies_restrict(made);
    return made;
}

Strategies *shell_strategies(Shell *sh)
{
    if (sh->strategies) set_limits(sh, sh->strategies);
    if (sh->strategies) return sh->strategies;
    sh->strategies = shell_strategies_over(sh, sh->session);
    if (sh->strategies) strategies_host(sh->strategies, &sh->host, sh->session);
    return sh->strategies;
}

void shell_strategy_limits(Shell *sh) { set_limits(sh, sh->strategies); }

void shell_copy_display(const Session *from, Session *to)
{
    for (int i = 0; i < SETTING_COUNT; i++)
        if (!setting((SettingId)i)->kept) session_set(to, setting((SettingId)i)->name, session_setting(from, (SettingId)i));
    if (session_setting_is(from, SET_WIDTH, "auto")) session_set_columns(to, (int)session_setting_int(from, SET_WIDTH));
}

void shell_take_session(Shell *sh, Session *s, Strategies *strategies)
{
    shell_copy_display(sh->session, s);
    vec_push(&sh->retired, ((Retired){sh->session, sh->strategies}));
    sh->session = s;
    sh->c = session_ctx(s);
    sh->c->stop = sh->stop;
    sh->strategies = strategies;
    if (strategies) strategies_host(strategies, &sh->host, s);
    sh->moves.moves = NULL;
    sh->labels.version = NULL;
    sh->labels.derivation = NULL;
    sh->labels.places.n = 0;
}

const Version *shell_version(Shell *sh)
{
    const Version *v = session_version(sh->session);
    if (v) return v;
    return shell_error(sh, E10, NO_PROGRAM), NULL;
}

/* ---- what is said of a command: errors, warnings, JSON ---- */

const char *print_taken(Shell *sh, size_t start)
{
    const char *text = arena_strdup(sh->scratch, buf_text(&sh->out) + start);
    if (sh->out.len > start) sh->out.data[sh->out.len = start] = 0;
    return text;
}

void vprint(Shell *sh, const char *fmt, va_list ap)
{
    size_t from = sh->out.len;
    buf_vprintf(&sh->out, fmt, ap);
    if (!strchr(fmt, '\v')) return;
    const char *text = print_taken(sh, from), *stop, *end;
    for (; (stop = strchr(text, '\v')) && (end = strchr(stop + 1, '\v')); text = end + 1) {
        buf_write(&sh->out, text, (size_t)(stop - text));
        show_column(sh, atoi(stop + 1));
    }
    buf_puts(&sh->out, text);
}

void print(Shell *sh, const char *fmt, ...)
{
    WITH_ARGS(fmt, ap, vprint(sh, fmt, ap));
}

void show_column(Shell *sh, int column)
{
    size_t line = sh->out.len;
    while (line && sh->out.data[line - 1] != '\n') line--;
    int at = text_width_of(sh->out.data + line, sh->out.len - line);
    buf_printf(&sh->out, "%*s", at + 2 <= column ? column - at : 2, "");
}

void shell_put(const Shell *sh, FILE *to, const char *text)
{
    LOCAL(buf_free) Buf b = {0};
    text_shown(text, sh->ink, &b);
    fputs(buf_text(&b), to);
}

void shell_complain(Shell *sh)
{
    LOCAL(buf_free) Buf b = {0};
    diag_render(diag(sh), &b);
    shell_put(sh, stderr, buf_text(&b));
}

bool shell_report(Shell *sh, const char *type, ...)
{
    json_t *data;
    WITH_ARGS(type, ap, data = json_of_args(type, &ap));
    json_decref(sh->json ? sh->data : data);
    if (sh->json) sh->data = data;
    return true;
}

void shell_warn(Shell *sh, WarningId id, const char *hint, const char *fmt, ...)
{
    if (session_silenced(sh->session, id)) return;
    Warning w = {id, FORMATTED(sh->scratch, fmt), hint ? arena_strdup(sh->scratch, hint) : NULL};
    vec_push(&sh->warnings, w);
}

/* ---- arguments ---- */

const char *arg(const Args *a, int i) { return i < a->count ? a->words[i] : NULL; }

const char *arg_flag(const Args *a, const char *name)
{
    const struct Flag *flag = FIND(a->flags, a->flag_count, name, name);
    return flag ? flag->value : NULL;
}

const char *flag_find(const char *flags, const char *name, size_t n)
{
    for (const char *p = flags; *p; p += strcspn(p, " "), p += strspn(p, " "))
        if (strcspn(p, "= ") == n && !strncmp(p, name, n)) return p;
    return NULL;
}

const char *arg_deleted(Shell *sh, const Args *a)
{
    if (strncmp(a->rest, "-d", 2) || (a->rest[2] && !isspace((unsigned char)a->rest[2]))) return NULL;
    return arena_strdup(sh->scratch, a->rest + 2 + strspn(a->rest + 2, " \t\n"));
}

bool arg_limit(Shell *sh, const Args *a, int most)
{
    if (a->count <= most) return true;
    return shell_error(sh, E05, "\"%.60s\" is one argument too many for %s\n"
                       "form %s", a->words[most], a->command->name, a->command->form);
}

bool arg_error(Shell *sh, const Args *a, const char *what) { return shell_error(sh, E05, "%s\nform %s", what, a->command->form); }

/* A factor: digits, with an exponent of ten, a power, or Ki, Mi, Gi behind them. */
static bool factor(const char **text, int64_t *out)
{
    static const char *const units[] = {"Ki", "Mi", "Gi"};
    char *end;
    bool negative = **text == '-';
    errno = 0;
    if (!isdigit((unsigned char)(*text)[negative])) return false;
    int64_t n = strtoll(*text, &end, 10), power;
    bool ok = !errno;
    char op = strchr("^e", *end) ? *end : 0;
    if (op && isdigit((unsigned char)end[1])) {
        int64_t base = op == 'e' ? 10 : n;
        power = strtoll(end + 1, &end, 10);
        if (op == '^') n = 1;
        ok = ok && power < 64;
        while (ok && power-- > 0) ok = mul_ok(n, base, &n);
    }
    for (int i = 0; i < COUNT(units); i++)
        if (!strncmp(end, units[i], 2)) ok = ok && mul_ok(n, (int64_t)1 << 10 * (i + 1), &n), end += 2;
    *text = end + strspn(end, " ");
    return *out = n, ok;
}

bool whole_number(const char *text, int64_t *out)
{
    int64_t more;
    if (!factor(&text, out)) return false;
    while (*text == '*') {
        text += 1 + strspn(text + 1, " ");
        if (!factor(&text, &more) || !mul_ok(*out, more, out)) return false;
    }
    return !*text;
}

bool arg_int(Shell *sh, const char *what, const char *text, int64_t lo, int64_t hi, int64_t *out)
{
    if (whole_number(text, out) && *out >= lo && *out <= hi) return true;
    const char *from = lo == INT64_MIN ? "" : arena_printf(diag(sh)->arena, " from %lld", (long long)lo);
    const char *to = lo == INT64_MIN ? "" : hi == INT64_MAX ? " on" : arena_printf(diag(sh)->arena, " to %lld", (long long)hi);
    return shell_error(sh, E05, "%s must be a whole number%s%s, not \"%.60s\"", what, from, to, text);
}

/* ---- rules ---- */

void shell_env(Shell *sh, const Version *v, Scope *scope, RewriteEnv *env)
{
    session_env(sh->session, v, scope, env);
    if (sh->strategies) strategies_serve_conditions(sh->strategies, env);
}

void shell_env_now(Shell *sh, const Version *v, Scope *scope, RewriteEnv *env)
{
    Values *values = NEW(sh->scratch, Values);
    shell_env(sh, v, scope, env);
    session_given_values(sh->session, v, sh->scratch, values);
    env->value = values_of;
    env->value_data = values;
}

bool rule_fits(RewriteEnv *env, const Rule *rule, const Term *root, const Path *at)
{
    Diag *diag = &env->c->diag;
    bool failed = diag_failed(diag), fits = path_term(root, at)->kind != T_LAM && rule_applies_now(env, rule, root, at);
    if (!failed && diag_failed(diag)) diag_clear(diag);
    return fits;
}

bool shell_offers_enter(const Shell *sh) { return sh->interactive && !sh->captured && sh->depth == 0; }

void shell_offer_enter(Shell *sh, const char *line)
{
    if (!shell_offers_enter(sh)) return;
    free(sh->enters);
    sh->enters = strdup(line);
}
