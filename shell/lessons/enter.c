/* enter: a lesson with what was reached in it before, in its file in the state folder. */
#include "lesson.h"
#include "commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* Does another process append to it? */
static bool is_locked(const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
    if (fd >= 0) close(fd);
    return locked;
}

bool lesson_enter(Shell *sh, Lesson *lesson)
{
    char *file = shell_state_path(arena_printf(sh->scratch, "lessons/%s.session", lesson->name), true);
    if (file && is_locked(file)) {
        diag_error(diag(sh), E86, "%s is under way in another lathe", lesson->name);
        diag_note(diag(sh), "hint", "go on there, or leave it there: lesson leave");
        free(file);
        return false;
    }
    lesson_open(sh, lesson);
    lesson_keep_results(sh);
    if (file) {
        /* What was left there goes on; a file that cannot be read stays beside the new one. */
        ReadReport report = {0};
        Strategies *strategies = NULL;
        Buf lua = {0};
        Progress before;
        Session *s = access(file, F_OK) ? NULL : shell_read_session(sh, file, &report, &strategies, &lua);
        bool ok = s && progress_read(report.items.v, report.items.n, sh->scratch, &before);
        diag_clear(diag(sh));
        if (ok) {
            shell_announce(sh, s);
            shell_take_session(sh, s, strategies);
            trust_again(sh, &report);
            shell_take_aliases(sh, &report);
            lesson_take_progress(sh, s, &before);
        } else if (s) {
            strategies_free(strategies);
            session_free(s);
        }
        if (access(file, F_OK) == 0 && (!ok || report.losses.n)) {
            lesson_on(sh)->damaged = arena_printf(lesson_on(sh)->lesson->arena, "%s.damaged", file);
            rename(file, lesson_on(sh)->damaged);
        }
        report_free(&report);
        buf_free(&lua);
    }
    if (file) sh->keep.journal = journal_new(file);
    sh->keep.kept = file != NULL;
    keep_autosave(sh);
    free(file);
    return true;
}
