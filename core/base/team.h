/* team: independent tasks on all cores. Threads live as long as one call, take no signals (handlers run in the thread that
 * called) and end when all tasks are done: nothing is left behind. */
#ifndef TEAM_H
#define TEAM_H

#include "base.h"

enum { TEAM_MAX = 64 };
int team_size(void);                     /* cores that this process may use, at most TEAM_MAX */
/* One of the tasks 0 .. n-1, by a member of the team; no two run at once under one member's number, so each may have things
 * of its own. */
typedef void TeamTask(void *data, int64_t task, int member);
/* Every task once, in no order, by at most `members` threads (0: team_size), the caller being number 0. Where no thread can be
 * had the caller does all. */
void team_run(int members, int64_t n, TeamTask *task, void *data);

#endif
