/* setting: the settings of settings.def. */
#include "session_private.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN, KEPT };

static const Setting table[] = {
#define SETTING(id, name, where, kind, choices, value, help) [SET_##id] = {name, where, SETTING_##kind, choices, value, help},
#include "settings.def"
#undef SETTING
};

const Setting *setting(SettingId id) { return &table[id]; }

SettingId setting_from_name(const char *name)
{
    int i = 0;
    while (i < SETTING_COUNT && strcmp(table[i].name, name)) i++;
    return (SettingId)i;
}

void settings_init(Session *s)
{
    s->columns = 100;
    for (int i = 0; i < SETTING_COUNT; i++) s->settings[i] = table[i].initial;
}

static bool int_ok(const char *choices, const char *value)
{
    char *end, *rest;
    errno = 0;
    long long v = strtoll(value, &end, 10), lo = strtoll(choices, &rest, 10), hi = strtoll(rest, NULL, 10);
    return !errno && *value && !*end && v >= lo && v <= hi;
}

/* Work-items in each dimension; 0 where nothing is said. False: no such text. */
static bool group_of(const char *value, int local[3])
{
    local[0] = local[1] = local[2] = 0;
    if (!strcmp(value, "auto")) return true;
    for (int d = 0; d < 3; d++) {
        char *end;
        long n = isdigit((unsigned char)*value) ? strtol(value, &end, 10) : 0;
        if (n < 1 || n > 65536) return false;
        local[d] = (int)n;
        if (!*end) return true;
        if (*end != 'x') return false;
        value = end + 1;
    }
    return false;
}

static bool value_ok(const Session *s, const Setting *t, const char *value)
{
    switch (t->kind) {
    case SETTING_INT: return int_ok(t->choices, value);
    case SETTING_AUTO: return !strcmp(value, "auto") || int_ok(t->choices, value);
    case SETTING_REAL: {
        char *end;
        double v = strtod(value, &end);
        return *value && !*end && isfinite(v) && v >= 0;
    }
    case SETTING_WORD: {
        size_t n = strlen(value);
        for (const char *p = t->choices; *p; p += strcspn(p, " "), p += strspn(p, " "))
            if (n > 0 && !strncmp(p, value, n) && (p[n] == ' ' || !p[n])) return true;
        return false;
    }
    case SETTING_TEXT: return true;
    case SETTING_WARNINGS: {
        /* Is every word of a list of warnings one, or the whole "none"? */
        if (!strcmp(value, "none")) return true;
        const char *p = value + strspn(value, " ,");
        bool ok = *p != 0;
        for (size_t n; *p && ok; p += n + strspn(p + n, " ,")) {
            n = strcspn(p, " ,");
            ok = warning_from_name(p, n) != WARNING_COUNT;
        }
        return ok;
    }
    case SETTING_GROUP: return group_of(value, (int[3]){0});
    case SETTING_RULE: return !strcmp(value, "none") || rules_find(s->rules, value);
    }
    return false;
}

bool session_set(Session *s, const char *name, const char *value)
{
    SettingId id = setting_from_name(name);
    if (id == SETTING_COUNT) {
        const char *near = NULL;
        Arena *arena = diag(s)->arena;
        for (int i = 0; i < SETTING_COUNT; i++) {
            NearName one = {.typed = name};
            near_try(&one, table[i].name);
            if (one.name || (name[0] && name[1] && strstr(table[i].name, name)))
                near = near ? arena_printf(arena, "%s, %s", near, table[i].name) : table[i].name;
        }
        return diag_fail(diag(s), E02, "no setting \"%s\"%s\ntry set", name, near_text(arena, near));
    }
    if (value && !value_ok(s, &table[id], value)) {
        static const char *const needs[] = {
            [SETTING_INT] = "", [SETTING_AUTO] = "auto, or ", [SETTING_REAL] = "a number that is not negative", [SETTING_WORD] = "one of: ",
            [SETTING_WARNINGS] = "none, or ids of warnings; list warnings", [SETTING_RULE] = "none, or the name of a rule; list rules",
            [SETTING_GROUP] = "auto, or the work-items in up to three dimensions: 64, 32x8, 8x8x4"};
        const Setting *t = &table[id];
        const char *choices = t->choices, *gap = strchr(choices, ' ');
        if (t->kind == SETTING_INT || t->kind == SETTING_AUTO)
            choices = arena_printf(diag(s)->arena, "a number from %.*s to %s", (int)(gap - choices), choices, gap + 1);
        return diag_fail(diag(s), E05, "\"%s\" is not a value of %s\nneeds %s%s", value, t->name, needs[t->kind], choices);
    }
    if (value) s->settings[id] = intern(s->ctx->names, value);
    return true;
}

const char *session_setting(const Session *s, SettingId id) { return s->settings[id]; }

int64_t session_setting_int(const Session *s, SettingId id)
{
    if (table[id].kind == SETTING_AUTO && !strcmp(s->settings[id], "auto")) return s->columns;
    return strtoll(s->settings[id], NULL, 10);
}

void session_set_columns(Session *s, int columns)
{
    enum { NARROWEST = 20, WIDEST = 1000 };
    s->columns = columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : columns;
}

double session_setting_real(const Session *s, SettingId id) { return strtod(s->settings[id], NULL); }
bool session_setting_is(const Session *s, SettingId id, const char *word) { return !strcmp(s->settings[id], word); }

void session_local(const Session *s, int local[3]) { group_of(session_setting(s, SET_LOCAL), local); }

bool session_silenced(const Session *s, WarningId id)
{
    const char *list = session_setting(s, SET_SILENCE);
    for (size_t n; *list; list += n + strspn(list + n, " ,")) {
        n = strcspn(list, " ,");
        if (warning_from_name(list, n) == id) return true;
    }
    return false;
}
