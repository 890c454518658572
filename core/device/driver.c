/* driver: what the drivers share: libraries found when they are wanted, and their texts. */
#include "driver.h"

#include <dlfcn.h>

bool driver_load(const char *const *libraries, const char *const *functions, void **table)
{
    void *library = NULL;
    for (; !library && *libraries; libraries++) library = dlopen(*libraries, RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; library && functions[i]; i++)
        if (!(table[i] = dlsym(library, functions[i]))) return false;
    return library;
}

json_t *driver_text(char *s)
{
    for (char *c = s; *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e) *c = '?';
    while (*s == ' ') s++;
    for (size_t n = strlen(s); n && s[n - 1] == ' '; n--) s[n - 1] = '\0';
    return json_string(s);
}
