#include "shell.h"

#include <stdlib.h>
#include <string.h>

static Diag *diag(Shell *sh) { return &sh->c->diag; }

static bool form_error(Shell *sh, const Args *a, const char *what)
{
    diag_error(diag(sh), E05, "%s", what);
    diag_note(diag(sh), "form", "%s", a->command->form);
    return false;
}

static int count_versions(const Session *s)
{
    int n = 0;
    for (int i = 0; i < session_count(s); i++) n += session_get(s, i)->live - 1;
    return n;
}

static void count_text(Shell *sh, int programs, int versions)
{
    buf_printf(&sh->out, "%d program%s, %d version%s", programs, programs == 1 ? "" : "s", versions, versions == 1 ? "" : "s");
}

/* ---- save ---- */

static bool has_suffix(const char *file, const char *suffix)
{
    const char *dot = strrchr(file, '.');
    return dot && !strcmp(dot, suffix);
}

static bool save_name(Shell *sh, const Args *a, const char **file)
{
    *file = arg(a, 0) ? arg(a, 0) : sh->keep.file ? keep_name(sh) : NULL;
    if (!*file) {
        diag_error(diag(sh), E05, "save to which file? This session came from none");
        return diag_note(diag(sh), "try", "save NAME.session"), false;
    }
    if (has_suffix(*file, ".fun") || has_suffix(*file, ".lathe") || has_suffix(*file, ".lua")) {
        diag_error(diag(sh), E05, "%s is named like a program or a script; a session file ends in .session", *file);
        return diag_note(diag(sh), "try", "save %.*s.session", (int)(strrchr(*file, '.') - *file), *file), false;
    }
    return true;
}

bool cmd_save(Shell *sh, Args *a)
{
    const char *file;
    if (!arg_limit(sh, a, 1) || !save_name(sh, a, &file)) return false;
    if (sh->restricted) return diag_error(diag(sh), E05, "save is switched off by --restricted"), false;
    if (!arg_flag(a, "force") && !keep_may_write(sh, file)) return false;
    file = arena_strdup(sh->scratch, file);
    if (!keep_save(sh, file)) return false;
    int programs = session_count(sh->session), versions = count_versions(sh->session);
    if (sh->json) sh->data = json_pack("{s:s, s:i, s:i}", "file", file, "programs", programs, "versions", versions);
    if (sh->quiet) return true;
    buf_printf(&sh->out, "saved %s: ", file);
    count_text(sh, programs, versions);
    buf_putc(&sh->out, '\n');
    return true;
}

/* ---- open ---- */

static bool may_leave(Shell *sh, const char *file)
{
    if (!keep_unsaved(sh)) return true;
    const char *work = keep_work_text(sh);
    if (shell_may_ask(sh)) {
        sh->status = 1;                  /* what a No gives */
        if (!shell_ask(arena_printf(sh->scratch, "not saved: %s; autosave keeps it. Open %s?", work, file), false)) return false;
        return sh->status = 0, true;
    }
    diag_error(diag(sh), E17, "this session has unsaved work: %s", work);
    diag_note(diag(sh), "try", "save %s", sh->keep.file ? keep_name(sh) : "NAME.session");
    diag_note(diag(sh), "or", "open %s --force", file);
    return false;
}

static void define_items(Shell *sh, ReadReport *report)
{
    for (int i = 0; i < report->items.n; i++) {
        const StoreItem *item = &report->items.v[i];
        if (!strcmp(item->kind, "alias")) {
            alias_set(sh, item->name, item->text);
            continue;
        }
        Strategies *s = shell_strategies(sh);
        if (s && strategies_define(s, item->text)) continue;
        Loss loss = {0, arena_printf(sh->scratch, "macro %s", item->name), arena_strdup(sh->scratch, diag(sh)->message)};
        vec_push(&report->losses, loss);
        diag_clear(diag(sh));
    }
}

static json_t *losses_json(const ReadReport *report)
{
    json_t *all = json_array();
    for (int i = 0; i < report->losses.n; i++) {
        const Loss *l = &report->losses.v[i];
        json_array_append_new(all, json_pack("{s:i, s:s, s:s}", "line", l->line, "what", l->what, "why", l->why));
    }
    return all;
}

static void report_losses(Shell *sh, const char *file, const ReadReport *report)
{
    enum { SHOWN = DIAG_NOTES - 3 };
    int n = report->losses.n, shown = n > SHOWN ? SHOWN - 1 : n;
    diag_error(diag(sh), E41, "%s is not intact; the rest of it was opened", file);
    for (int i = 0; i < shown; i++) {
        const Loss *l = &report->losses.v[i];
        const char *line = l->line ? arena_printf(sh->scratch, "line %d", l->line) : "lost";
        diag_note(diag(sh), line, "%s%s%s", l->what, *l->what ? ": " : "", l->why);
    }
    if (n > shown) diag_note(diag(sh), "lost", "and %d more", n - shown);
    diag_note(diag(sh), "kept", "%d program%s, %d version%s", report->programs, report->programs == 1 ? "" : "s", report->versions,
              report->versions == 1 ? "" : "s");
    if (report->other_rules) diag_note(diag(sh), "because", "lathe %s, which wrote it, had other built-in rules", report->made_by);
    if (report->programs) diag_note(diag(sh), "try", "replay %s", file);
}

static void print_opened(Shell *sh, const char *file, const ReadReport *report)
{
    const Version *v = session_version(sh->session);
    if (sh->quiet) return;
    buf_printf(&sh->out, "opened %s: ", file);
    count_text(sh, report->programs, report->versions);
    if (v) buf_printf(&sh->out, "; now %s@%d", session_current(sh->session)->name, v->number);
    buf_putc(&sh->out, '\n');
}

/* The session that was read takes the place of the old one. */
static bool take_over(Shell *sh, const char *file, Session *s, ReadReport *report)
{
    keep_leave_journal(sh);
    shell_take_session(sh, s);
    define_items(sh, report);
    if (keep_is_autosave(file)) keep_adopt(sh, file);
    else keep_file(sh, file, false);
    sh->keep.damaged = report->losses.n > 0;
    if (sh->keep.damaged) {              /* then it holds what is nowhere else */
        free(sh->keep.adopted);
        sh->keep.adopted = NULL;
    }
    if (sh->json)
        sh->data = json_pack("{s:s, s:i, s:i, s:o}", "file", file, "programs", report->programs, "versions", report->versions, "lost",
                             losses_json(report));
    if (sh->keep.damaged) report_losses(sh, file, report);
    else print_opened(sh, file, report);
    return !sh->keep.damaged;
}

bool cmd_open(Shell *sh, Args *a)
{
    ReadReport report = {0};
    const char *file = arg(a, 0);
    if (!file) return form_error(sh, a, "which file?");
    if (!arg_limit(sh, a, 1) || (!arg_flag(a, "force") && !may_leave(sh, file))) return false;
    Session *s = session_read(file, sh->scratch, diag(sh), &report);
    bool ok = s && take_over(sh, file, s, &report);
    free(report.losses.v);
    free(report.items.v);
    return ok;
}
