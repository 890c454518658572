/* setting: the settings of a session, as settings.def declares them. */
#ifndef SETTING_H
#define SETTING_H

#include "session.h"

typedef enum SettingId {
#define SETTING(id, ...) SET_##id,
#include "settings.def"
#undef SETTING
    SETTING_COUNT
} SettingId;
typedef enum SettingKind {
    SETTING_INT, SETTING_AUTO, SETTING_REAL, SETTING_WORD, SETTING_TEXT, SETTING_WARNINGS, SETTING_RULE,
    SETTING_GROUP                        /* auto, or up to three numbers as 32x8 */
} SettingKind;
typedef struct Setting {
    const char *name;
    bool kept;                           /* in session files; not those of the display */
    SettingKind kind;
    const char *choices;                 /* WORD: "on off"; INT, AUTO: "0 2" smallest and largest; else "" */
    const char *initial, *help;
} Setting;
const Setting *setting(SettingId id);
SettingId setting_from_name(const char *name);                       /* SETTING_COUNT: none */
/* E02 with near names, E05 with the legal values; value NULL: only check the name. */
bool session_set(Session *s, const char *name, const char *value);
const char *session_setting(const Session *s, SettingId id);
int64_t session_setting_int(const Session *s, SettingId id);         /* AUTO at auto: the columns below */
void session_set_columns(Session *s, int columns);                   /* of the terminal; 100 until told */
double session_setting_real(const Session *s, SettingId id);
bool session_setting_is(const Session *s, SettingId id, const char *word);
void session_local(const Session *s, int local[3]);                  /* `set local`; 0: auto */
bool session_silenced(const Session *s, WarningId id);               /* by `set silence` */

#endif
