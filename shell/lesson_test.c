/* lesson_test: `lesson test`: is a lesson well made? For authors, and run by the tests. */
#include "lesson.h"

#include <stdlib.h>
#include <string.h>

bool lesson_test(Shell *sh, const char *name)
{
    (void)name;
    diag_error(&sh->c->diag, E05, "not there yet");
    return false;
}
