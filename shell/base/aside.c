/* aside: another session in the place of the present one, for a while. */
#include "cmdline.h"
#include "keep.h"

#include <stdlib.h>
#include <string.h>

void shell_put_aside(Shell *sh, Aside *out)
{
    const char *limited;
    const TuneLimits *limits = session_limits(sh->session, &limited);
    *out = (Aside){.session = sh->session, .strategies = sh->strategies, .keep = sh->keep, .moves = sh->moves,
                   .labels = sh->labels, .aliases = sh->aliases, .chunks = sh->chunks, .device = sh->device != NULL,
                   .device_wanted = sh->device_wanted ? strdup(sh->device_wanted) : NULL, .results = sh->results,
                   .results_file = sh->results_file, .results_fleeting = sh->results_fleeting};
    sh->session = session_new();
    sh->c = session_ctx(sh->session);
    sh->c->stop = sh->stop;
    shell_copy_display(out->session, sh->session);
    if (limits) session_set_limits(sh->session, limited, limits);
    sh->strategies = NULL;
    sh->keep = (Keep){0};
    sh->moves = (MoveList){.arena = arena_new()};
    sh->labels = (LabelList){.arena = arena_new()};
    sh->aliases = (Aliases){0};
    sh->chunks = 0;
    sh->results = NULL;
    sh->results_file = NULL;
    sh->results_fleeting = true;
    for (int i = 0; i < out->aliases.n; i++) alias_set(sh, out->aliases.v[i].name, out->aliases.v[i].line);
}

void shell_take_back(Shell *sh, Aside *from)
{
    vec_push(&sh->retired, ((Retired){sh->session, sh->strategies}));
    shell_forget(sh);
    sh->session = from->session;
    sh->c = session_ctx(sh->session);
    sh->strategies = from->strategies;
    sh->keep = from->keep;
    sh->moves = from->moves;
    sh->labels = from->labels;
    sh->aliases = from->aliases;
    sh->chunks = from->chunks;
    results_close(sh->results);
    sh->results = from->results;
    sh->results_file = from->results_file;
    sh->results_fleeting = from->results_fleeting;
    /* The device that was chosen then; it is opened again when it was open. */
    const char *now = sh->device_wanted ? sh->device_wanted : "", *then = from->device_wanted ? from->device_wanted : "";
    bool same = !strcmp(now, then);
    if (!same) {
        device_close(sh->device);
        sh->device = NULL;
        free((char *)sh->device_wanted);
        sh->device_wanted = from->device_wanted;
    } else free(from->device_wanted);
    if (!same && from->device && !sh->host.device(sh)) diag_clear(&sh->c->diag);
}
