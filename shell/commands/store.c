/* store: save, open, replay. */
#include "cmdline.h"
#include "commands.h"
#include "guide.h"
#include "keep.h"
#include "show.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char *count_text(Shell *sh, int programs, int versions)
{
    return arena_printf(sh->scratch, "%d program%s, %d version%s", programs, plural(programs), versions, plural(versions));
}

/* What a file of this session may be called. */
static const char *program_name(Shell *sh)
{
    const Derivation *d = session_current(sh->session);
    return d ? d->name : "lathe";
}

bool cmd_save(Shell *sh, Args *a)
{
    const char *file = arg(a, 0) ? arg(a, 0) : sh->keep.file ? keep_name(sh) : NULL;
    if (!arg_limit(sh, a, 1)) return false;
    if (!file)
        return shell_error(sh, E05, "save to which file? This session came from none\ntry save %s.session", program_name(sh));
    if (file_ends(file, ".fun") || file_ends(file, ".lathe") || file_ends(file, ".lua"))
        return shell_error(sh, E05, "%s is named like a program or a script; a session file ends in .session\n"
                           "try save %.*s.session", file, (int)(strrchr(file, '.') - file), file);
    if (sh->restricted) return shell_error(sh, E05, "save is switched off by --restricted");
    if (!arg_flag(a, "force") && !keep_may_write(sh, file)) return false;
    file = arena_strdup(sh->scratch, file);
    if (!keep_save(sh, file, arg_flag(a, "with-ir"))) return false;
    int programs = session_count(sh->session), versions = 0;
    for (int i = 0; i < programs; i++) versions += session_get(sh->session, i)->live - 1;
    shell_report(sh, "{file:s programs:i versions:i}", file, programs, versions);
    if (sh->quiet) return true;
    print(sh, "saved %s: %s\n", file, count_text(sh, programs, versions));
    return true;
}

/* ---- open ---- */

Strategies *shell_define_items(Shell *sh, Session *s, ReadReport *report, Buf *lua)
{
    int left = 0, defined;
    Diag *d = &session_ctx(s)->diag;
    const char **missing = NEW_ARRAY(sh->scratch, const char *, report->items.n);      /* why it is not defined yet; NULL: it is */
    for (int i = 0; i < report->items.n; i++) {
        const char *kind = report->items.v[i].kind;
        if (!strcmp(kind, "lua") || !strcmp(kind, "macro")) missing[i] = "interrupted", left++;
    }
    Strategies *strategies = left ? shell_strategies_over(sh, s) : NULL;
    if (!strategies) return NULL;
    do {                                 /* macros are kept by name and may use what stands behind them: as long as a round gives any */
        defined = 0;
        for (int i = 0; i < report->items.n && !*sh->stop; i++) {
            if (!missing[i]) continue;
            LOCAL(buf_free) Buf made = {0};
            bool ok = strategies_reopen(strategies, &report->items.v[i], &made);
            bool again = lua && !strcmp(buf_text(&made), "search") && strstr(buf_text(lua), "search");     /* several may change its data */
            if (lua && made.len && !again) buf_printf(lua, "%s%s", lua->len ? ", " : "", buf_text(&made));
            missing[i] = ok ? NULL : arena_strdup(sh->scratch, d->message ? d->message : "");
            defined += ok;
            diag_clear(d);
        }
        left -= defined;
    } while (defined && left);
    for (int i = 0; i < report->items.n; i++) {
        const StoreItem *item = &report->items.v[i];
        if (missing[i])
            vec_push(&report->losses, ((Loss){0, arena_printf(sh->scratch, "%s %s", item->kind, item->name), missing[i]}));
    }
    return strategies;
}

void shell_take_aliases(Shell *sh, const ReadReport *report)
{
    for (int i = 0; i < report->items.n; i++)
        if (!strcmp(report->items.v[i].kind, "alias") && !alias_take(sh, report->items.v[i].name, report->items.v[i].text))
            diag_clear(diag(sh));        /* what is a command stays one */
}

typedef enum Weaker { IS_OFF, IS_MORE, IS_LESS, IS_OTHER } Weaker;

/* Is a the weaker value? */
static bool is_weaker(Weaker how, const char *a, const char *b)
{
    switch (how) {
    case IS_OFF: return !strcmp(a, "off") && strcmp(b, "off");
    case IS_MORE: return strtod(a, NULL) > strtod(b, NULL);
    case IS_LESS: return strtod(a, NULL) < strtod(b, NULL);
    default: return strcmp(a, b);
    }
}

void shell_announce(Shell *sh, const Session *read)
{
    /* Settings that come with a session and weaken what verdicts say, or let more time and memory be spent, than the
     * initial values or those that were valid here. */
    static const struct {
        SettingId id;
        Weaker how;
    } all[] = {
        {SET_VERIFY, IS_OFF},      {SET_STRICT, IS_OFF},         {SET_TOL, IS_MORE},         {SET_SEEDS, IS_LESS},
        {SET_REPEATS, IS_LESS},    {SET_ORACLE_WORK, IS_LESS},   {SET_SILENCE, IS_OTHER},    {SET_FUEL, IS_MORE},
        {SET_LUA_MEMORY, IS_MORE}, {SET_BUILD_TIMEOUT, IS_MORE}, {SET_RUN_TIMEOUT, IS_MORE},
    };
    LOCAL(buf_free) Buf b = {0};
    for (int i = 0; i < COUNT(all); i++) {
        const char *now = session_setting(read, all[i].id), *initial = setting(all[i].id)->initial;
        bool here = all[i].how != IS_OTHER && is_weaker(all[i].how, now, session_setting(sh->session, all[i].id));
        if (!here && !is_weaker(all[i].how, now, initial)) continue;
        buf_printf(&b, "%s%s %s", b.len ? ", " : "", setting(all[i].id)->name, now);
    }
    if (b.len) print(sh, "  its settings that weaken verdicts or limits: %s\n", buf_text(&b));
    LOCAL(buf_free) Buf untested = {0};
    const Defs *d = session_defs(read);
    for (int i = 0; i < defs_count(d); i++) {
        const Program *program;
        const char *text, *declared = defs_declares(d, i), *name = defs_name(d, i, &text, &program), *why = defs_refuted(d, i, false), *assumed = defs_refuted(d, i, true);
        if (assumed) print(sh, "  its function %s is assumed to be, and is not, %s\n", name, assumed);
        if (why) print(sh, "  its function %s is not %s\n", name, why);
        else if (declared && !defs_is_tested(d, i)) buf_printf(&untested, "%s%s %s", untested.len ? "; " : "", name, declared);
    }
    if (untested.len) print(sh, "  its programs declare, and nothing has tested: %s\n", buf_text(&untested));
}

/* The session that was read takes the place of the old one. */
static bool take_over(Shell *sh, const char *file, Session *s, Strategies *strategies, ReadReport *report, const char *lua)
{
    Buf said = sh->out;
    sh->out = (Buf){0};
    shell_announce(sh, s);
    keep_leave_journal(sh);
    shell_take_session(sh, s, strategies);
    trust_again(sh, report);
    const char *changed = buf_take(&sh->out, sh->scratch);
    sh->out = said;
    shell_take_aliases(sh, report);
    if (keep_is_autosave(file)) keep_adopt(sh, file);
    else keep_file(sh, file, false);
    sh->keep.damaged = report->losses.n > 0;
    if (sh->keep.damaged) {              /* then it holds what is nowhere else */
        free(sh->keep.adopted);
        sh->keep.adopted = NULL;
    }
    const Loss *l = report->losses.v;
    shell_report(sh, "{file:s programs:i versions:i lost:o announced:o}", file, report->programs, report->versions,
                 JSON_LIST(i, report->losses.n, json_of("{line:i what:s why:s}", l[i].line, l[i].what, l[i].why)),
                 json_parts(changed, "\n"));
    if (sh->keep.damaged) {
        enum { SHOWN = DIAG_NOTES - 4 };
        int n = report->losses.n, shown = n > SHOWN ? SHOWN - 1 : n;
        diag_error(diag(sh), E41, "%s is not intact; the rest of it was opened", file);
        for (int i = 0; i < shown; i++)
            diag_note(diag(sh), l[i].line ? arena_printf(sh->scratch, "line %d", l[i].line) : "lost", "%s%s%s", l[i].what,
                      *l[i].what ? ": " : "", l[i].why);
        if (n > shown) diag_note(diag(sh), "lost", "and %d more", n - shown);
        diag_note(diag(sh), "kept", "%s", count_text(sh, report->programs, report->versions));
        if (report->other_rules)
            diag_note(diag(sh), "because", "lathe %s, which wrote it, had other built-in rules", report->made_by);
        if (FIND(report->items.v, report->items.n, kind, "ir"))
            diag_note(diag(sh), "ir", "the terms of its versions stand in it as text, in the records `ir PROGRAM@N`");
        if (report->programs) diag_note(diag(sh), "try", "replay %s", file);
    } else if (!sh->quiet) {
        const Version *v = session_version(sh->session);
        print(sh, "opened %s: %s", file, count_text(sh, report->programs, report->versions));
        if (v) print(sh, "; now %s@%d", session_current(sh->session)->name, v->number);
        print(sh, "\n");
        if (*lua) print(sh, "  its Lua was run, without files, the system and t: %s\n", lua);
    }
    buf_puts(&sh->out, changed);
    return !sh->keep.damaged;
}

Session *shell_read_session(Shell *sh, const char *file, ReadReport *report, Strategies **strategies, Buf *lua)
{
    Session *s = session_read(file, sh->stop, sh->scratch, diag(sh), report);
    *strategies = s ? shell_define_items(sh, s, report, lua) : NULL;
    return s;
}

bool cmd_open(Shell *sh, Args *a)
{
    LOCAL(report_free) ReadReport report = {0};
    const char *file = arg(a, 0);
    bool drops = arg_flag(a, "drop") != NULL;
    const bool old = arg_flag(a, "old") || drops;
    if (old && sh->restricted) return shell_error(sh, E05, "files are off with --restricted");
    int64_t number = 0;
    if (old && file) {
        if (!arg_int(sh, "open --old", file, 1, INT32_MAX, &number)) return false;
        const char *found = keep_old_file(sh->scratch, (int)number);
        if (!found) return shell_error(sh, E05, "no session %.60s ended without saving\ntry open --old", file);
        if (!drops) file = found;
    }
    if (drops || (old && !file)) {
        int n = keep_old((int)number, drops, &sh->out);
        if (drops) print(sh, "%d session%s dropped\n", n, plural(n));
        else if (!n) print(sh, "no session ended without saving\n");
        return shell_report(sh, "{old:i dropped:b text:s}", n, drops, buf_text(&sh->out));
    }
    if (!file) return arg_error(sh, a, "which file?");
    if (!arg_limit(sh, a, 1)) return false;
    if (!arg_flag(a, "force") && keep_unsaved(sh)) {
        const char *work = keep_work_text(sh);
        if (!shell_may_ask(sh))
            return shell_error(sh, E17, "this session has unsaved work: %s\ntry save %s\nor open %s --force", work,
                               sh->keep.file ? keep_name(sh) : arena_printf(sh->scratch, "%s.session", program_name(sh)), file);
        sh->status = 1;                  /* what a No gives */
        if (!shell_ask(arena_printf(sh->scratch, "not saved: %s; autosave keeps it. Open %s?", work, file), false)) return false;
        sh->status = 0;
    }
    Strategies *strategies;
    LOCAL(buf_free) Buf lua = {0};
    Session *s = shell_read_session(sh, file, &report, &strategies, &lua);
    const char *guided = NULL;
    if (s) sh->guide->adopt(sh, s, &report, &guided);
    bool ok = s && take_over(sh, file, s, strategies, &report, buf_text(&lua));
    if (guided && !sh->quiet) print(sh, "  it is of %s\n", guided);
    return ok;
}

/* ---- replay ---- */

typedef struct Redo {                    /* one replay */
    Past past;
    bool verify, keep_going, wrong;
    const char *from;                    /* what it replays: "dot.session", "@2..@5" */
    int done, diverged, levels[REPLAY_SHAPE + 1];
    json_t *steps;
} Redo;

/* "@2..@5" cut in two; false: it is no range. */
static bool range(Shell *sh, const char *text, const char **from, const char **to)
{
    const char *dots = text && *text == '@' ? strstr(text, "..") : NULL;
    if (!dots) return false;
    *from = arena_strndup(sh->scratch, text, (size_t)(dots - text));
    *to = arena_strdup(sh->scratch, dots + 2);
    return true;
}

/* The number that a reference has in a session that was read; its last version, or the last that is
 * recorded, when there is none. */
static int number_in(Shell *sh, Session *read, const ReadReport *report, const char *program, const char *ref)
{
    int last = session_version(read) ? session_version(read)->number : 0;
    const char *digits = ref ? ref + (*ref == '@') : "";
    /* lost ones too */
    if (*digits && digits[strspn(digits, "0123456789")] == 0 && strlen(digits) < 9) return atoi(digits);
    if (ref) {
        const Version *v = session_ref(read, ref);
        if (!v) diag_copy(diag(sh), &session_ctx(read)->diag);
        return v ? v->number : -1;
    }
    if (report->losses.n == 0) return last;
    for (int i = 0; i < report->steps.n; i++)
        if (!strcmp(report->steps.v[i].program, program) && report->steps.v[i].number > last) last = report->steps.v[i].number;
    return last;
}

/* The steps from one version to another that stand in a file, of the program in it that is called like the current one, else of
 * the one that was current in it. */
static bool past_of_file(Shell *sh, const char *file, const char *from, const char *to, Past *out)
{
    LOCAL(report_free) ReadReport report = {0};
    Session *read = session_read(shell_path(sh, file), sh->stop, sh->scratch, diag(sh), &report);
    const Derivation *here = session_current(sh->session);
    for (int i = 0; read && here && i < session_count(read); i++)
        if (!strcmp(session_get(read, i)->name, here->name)) session_use(read, here->name);
    bool ok = read && session_current(read);
    const char *program = ok ? arena_strdup(sh->scratch, session_current(read)->name) : NULL;
    if (read && !ok) diag_error(diag(sh), E13, "%s has no program that can be read", file);
    int a = ok && from ? number_in(sh, read, &report, program, from) : 0;
    int b = ok && a >= 0 ? number_in(sh, read, &report, program, to) : -1;
    ok = ok && b >= 0 && report_past(&report, read, program, a, b, sh->scratch, diag(sh), out);
    if (ok && report.losses.n && !sh->quiet)
        print(sh, "%s is not intact: %d loss%s; open shows them\n", file, report.losses.n, report.losses.n == 1 ? "" : "es");
    session_free(read);
    return ok;
}

static bool parse_replay(Shell *sh, const Args *a, Redo *r, const char **target)
{
    const char *from = NULL, *to = NULL, *what = arg(a, 0);
    int i = 1;
    if (!what) return arg_error(sh, a, "replay what?");
    bool here = range(sh, what, &from, &to);
    if (!here && *what == '@') return arg_error(sh, a, "a range has two ends, as @0..@4");
    if (!here && range(sh, arg(a, 1), &from, &to)) i++;
    if (arg(a, i) && !strcmp(arg(a, i), "on")) {
        if (!arg(a, i + 1)) return arg_error(sh, a, "on which program or version?");
        *target = arg(a, i + 1);
        i += 2;
    }
    if (!arg_limit(sh, a, i)) return false;
    r->verify = arg_flag(a, "verify") != NULL;
    r->keep_going = arg_flag(a, "keep-going") != NULL;
    r->from = what;
    if (!here) return past_of_file(sh, what, from, to, &r->past);
    const Version *first = shell_version(sh) ? session_ref(sh->session, from) : NULL, *last = first ? session_ref(sh->session, to) : NULL;
    return last && session_past(sh->session, first, last, sh->scratch, &r->past);
}

/* --verify: is it still the program? Against its source, on random inputs. */
static bool verified(Shell *sh, const Version *v)
{
    enum { TRIALS = 20 };
    CheckResult k = source_check(sh, v, TRIALS, 1);
    if (k.verdict == CHECK_PASSED) return true;
    bool impossible = k.verdict == CHECK_IMPOSSIBLE;
    return shell_error(sh, impossible ? E42 : E31, "@%d %s: %s\ntry check @%d", v->number,
                       impossible ? "could not be verified" : "differs from @0", impossible ? k.reason : k.difference, v->number);
}

static void print_done(Shell *sh, Redo *r, const PastStep *step, const ReplayResult *done)
{
    const Version *v = done->made;
    const char *level = replay_level_name(done->level);
    json_add(r->steps, "{from:i to:i call:s level:s how:s same_hash:b}", step->number, v->number, v->call, level, done->how,
             step->hash == v->hash);
    if (sh->quiet) return;
    print(sh, "%s  %s", version_marked(sh, v), v->call);
    if (v->at) print(sh, "  at %s", step_place(sh->c, v->from, v));
    print(sh, AT(40) "%s" AT(54) "from @%d of %s\n", level, step->number, r->past.program);
    if (*done->how) print(sh, "  %s\n", done->how);
}

static bool do_steps(Shell *sh, Redo *r, Replay *replay)
{
    bool ok = true;
    for (int i = 0; i < r->past.count && !*sh->stop && (ok || r->keep_going); i++) {
        ReplayResult done;
        const PastStep *step = &r->past.steps[i];
        diag_clear(diag(sh));
        if (!guide_may_repeat(sh, step)) return false;
        /* As much of a strategy's result as trust is about. */
        StrategyResult rules = {.call_text = step->call, .steps = NEW_ARRAY(sh->scratch, SubStep, step->count)};
        for (int k = 0; k < step->count; k++) {
            const Rule *rule = rules_called(session_rules(sh->session), step->rewrites[k].call);
            if (!rule) continue;
            rules.steps[rules.step_count++].rule = rule;
            if (rule->trust > rules.trust) rules.trust = rule->trust;
        }
        if (!trust_allows(sh, &rules) || (step->code && !trust_allows_code(sh))) return false;
        const char *sizes, *source = step->code ? code_replaced(sh, session_version(sh->session), step->code, &sizes) : NULL;
        ok = step->code ? replay_code(replay, step, source, sizes, &done) : replay_step(replay, step, &done);
        if (!ok) {
            /* What diverged, when it goes on: one line each; the first error stays for the end. */
            json_add(r->steps, "{from:i call:s level:s how:s}", step->number, step->call, "diverged", diag(sh)->message);
            if (r->keep_going) print(sh, "    diverged: %s\n", diag(sh)->message);
            r->diverged++;
            continue;
        }
        trust_warn(sh, &rules);
        r->done++;
        r->levels[done.level]++;
        print_done(sh, r, step, &done);
        if (r->verify && !verified(sh, done.made)) return r->wrong = true, false;
    }
    return r->diverged == 0;
}

bool cmd_replay(Shell *sh, Args *a)
{
    Redo r = {.steps = json_array()};
    const char *target = NULL;
    if (!parse_replay(sh, a, &r, &target) || (target && !shell_use(sh, target)) || !shell_version(sh))
        return json_decref(r.steps), false;
    Replay *replay = replay_new(sh->session, &r.past);
    bool ok = do_steps(sh, &r, replay);
    if (!sh->quiet) {
        print(sh, "%d of %d step%s replayed", r.done, r.past.count, plural(r.past.count));
        const char *sep = ": ";
        for (int i = 0; i <= REPLAY_SHAPE; i++) {
            if (!r.levels[i]) continue;
            print(sh, "%s%d %s", sep, r.levels[i], replay_level_name((ReplayLevel)i));
            sep = ", ";
        }
        print(sh, "%s; now %s@%d\n", r.verify && r.done && !r.wrong ? "; verified" : "",
              session_current(sh->session)->name, session_version(sh->session)->number);
    }
    /* The error of a whole replay: the divergence that stopped it, or how many there were. */
    if (r.diverged && !r.keep_going) diag_note(diag(sh), "or", "%s --keep-going", a->text);
    else if (r.diverged) {
        diag_clear(diag(sh));
        diag_error(diag(sh), E42, "%d of %d steps of %s diverged", r.diverged, r.past.count, r.from);
    }
    shell_report(sh, "{steps:o diverged:i}", r.steps, r.diverged);
    replay_free(replay);
    return ok;
}
