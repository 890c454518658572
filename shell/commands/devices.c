/* devices: which device a run takes, opened when it is needed, and what its limits are. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "file.h"
#include "show.h"

Devices *shell_devices(Shell *sh)
{
    const char *launcher = sh->restricted ? "none" : session_setting(sh->session, SET_LAUNCHER);
    if (!sh->devices) {
        LOCAL(drop) char *folder = shell_state_path("targets", false);
        sh->devices = devices_new();
        if (!sh->results_fleeting && !(sh->results_file && !strcmp(sh->results_file, ":memory:"))) devices_set_records(sh->devices, folder);
    }
    devices_set_stop(sh->devices, sh->stop);
    if (devices_set_launcher(sh->devices, launcher)) {
        device_close(sh->device);
        sh->device = NULL;
    }
    return sh->devices;
}

const DeviceInfo *shell_find_device(Shell *sh, const char *text) { return devices_find(shell_devices(sh), text, diag(sh)); }

static void say_waiting(void *sh) { show_beneath(sh, "ends after this trial; Ctrl-C again kills it"); }

void shell_watch(Shell *sh, Device *d) { device_set_stop(d, sh->stop, sh->interactive ? say_waiting : NULL, sh); }

/* The one to run on; NULL + E60 */
static const DeviceInfo *device_to_run_on(Shell *sh)
{
    if (sh->device) return device_info(sh->device);
    if (sh->device_wanted) return shell_find_device(sh, sh->device_wanted);
    const DeviceInfo *found = devices_default(shell_devices(sh)), *list;
    if (found) return found;
    int n = devices_list(shell_devices(sh), &list);
    if (devices_stopped(sh->devices, diag(sh))) return NULL;
    diag_error(diag(sh), E60, n ? "no OpenCL device but the checker; name it: device %s" : "no OpenCL device was found",
               n ? list[0].id : "");
    const char *problem = devices_problem(shell_devices(sh));
    if (*problem) diag_note(diag(sh), "found", "%s", problem);
    diag_note(diag(sh), "try", "eval        runs the program without a device");
    return NULL;
}

Device *shell_device(Shell *sh)
{
    shell_devices(sh);                   /* by another launcher the device is another one */
    for (int i = 0; i < sh->team_count && device_paused(sh->device, NULL); i++)
        if (!device_paused(sh->team[i], NULL)) sh->device = sh->team[i];         /* the first was lost */
    if (sh->device) return sh->device;
    const DeviceInfo *info = device_to_run_on(sh);
    if (!info) return NULL;
    sh->device = device_open(info);
    shell_watch(sh, sh->device);
    return sh->device;
}

const DeviceInfo *shell_run_device(Shell *sh)
{
    if (sh->target_arena) return &sh->target;
    bool failed = diag_failed(diag(sh));
    const DeviceInfo *info = device_to_run_on(sh);
    if (!info && !failed) diag_clear(diag(sh));
    return info;
}

const DeviceInfo *shell_chosen_device(Shell *sh) 
{
    return sh->target_arena || sh->device || sh->device_wanted ? shell_run_device(sh) : NULL;
}

void shell_limit_to(Shell *sh, const DeviceInfo *info)
{
    TuneLimits limits = {0};
    tune_device_limits(info, &limits);
    session_set_limits(sh->session, info->id, &limits);
}

bool shell_take_target(Shell *sh)
{
    const char *said = session_setting(sh->session, SET_TARGET), *text;
    Arena *arena = arena_new();
    const Target *t = target_named(said);
    bool none = !strcmp(said, "auto");
    if (!none && !t && (text = text_read(diag(sh), arena, said, NULL, NULL))) {
        const char *slash = strrchr(said, '/'), *name = slash ? slash + 1 : said;
        Target *read = NEW(arena, Target);
        if (target_read(text, said, arena_printf(arena, "%.*s", (int)strcspn(name, "."), name), arena, read, diag(sh))) t = read;
    }
    if (sh->target_arena) arena_free(sh->target_arena);
    sh->target_arena = t ? arena : NULL;
    if (t) sh->target = device_of_target(t);
    else arena_free(arena);
    const DeviceInfo *now = shell_chosen_device(sh);
    if (now) shell_limit_to(sh, now);
    else session_set_limits(sh->session, NULL, NULL);
    if (!t && !none) {
        session_set(sh->session, "target", "auto");
        diag_note(diag(sh), "try", "set target h200        or pocl, or a file that device -v > FILE made");
    }
    return t || none;
}

void shell_note_limits(Shell *sh)
{
    if (!sh->device_wanted || session_limits(sh->session, NULL)) return;
    const DeviceInfo *info = shell_chosen_device(sh);
    if (info) shell_limit_to(sh, info);
}

bool shell_on_gpu(Shell *sh)
{
    const DeviceInfo *device = shell_run_device(sh);
    return device && device->is_gpu;
}
