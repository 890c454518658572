/* team: independent tasks on all cores. */
#include "team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

typedef struct Team {
    TeamTask *task;
    void *data;
    int64_t n;
    _Atomic int64_t next;
} Team;

typedef struct Member { Team *team; int number; pthread_t thread; } Member;

int team_size(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n < 1 ? 1 : n > TEAM_MAX ? TEAM_MAX : n;
}

static void *work(void *member)
{
    Member *m = member;
    for (int64_t i; (i = atomic_fetch_add(&m->team->next, 1)) < m->team->n;) m->team->task(m->team->data, i, m->number);
    return NULL;
}

/* Puts the members to work, number 0 here. */
static void work_together(Team *team, int members)
{
    Member m[TEAM_MAX] = {{.team = team}};
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};          /* are of the thread that has them */
    sigset_t all, before;
    int count = 1;
    sigfillset(&all);
    for (int i = 0; i < COUNT(faults); i++) sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; count < members && count < team->n; count++) {
        m[count] = (Member){.team = team, .number = count};
        if (pthread_create(&m[count].thread, NULL, work, &m[count])) break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    work(&m[0]);
    while (--count > 0) pthread_join(m[count].thread, NULL);
}

void team_run(int members, int64_t n, TeamTask *task, void *data)
{
    Team team = {.task = task, .data = data, .n = n};
    if (n > 1 && members < 1) members = team_size();
    if (n > 1 && members > 1) work_together(&team, members < TEAM_MAX ? members : TEAM_MAX);
    else for (int64_t i = 0; i < n; i++) task(data, i, 0);
}
