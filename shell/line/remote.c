/* remote: what a program asks that drives lathe by lines of JSON: a command, or what may stand in a line that is being typed. */
#include "remote.h"

#include "cmdline.h"
#include "commands.h"
#include "complete.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* The byte at which a character of the text is; behind the end: the end. Others count characters, not bytes. */
static int byte_at(const char *text, json_int_t character)
{
    int at = 0;
    for (; text[at] && character > 0; character--) {
        at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80) at++;
    }
    return at;
}

static json_int_t character_at(const char *text, int byte)
{
    json_int_t n = 0;
    for (int i = 0; i < byte && text[i]; i++) n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

static json_t *completions(Shell *sh, const char *text, int at)
{
    Completion found;
    complete(sh, text, at, true, COMPLETION_MS, &found);
    json_t *items = JSON_LIST(i, found.items.n, json_of("{text:s gloss:s fits:b}", found.items.v[i].text,
        found.items.v[i].gloss, found.items.v[i].fits));
    json_t *data = json_of("{from:l to:l items:o}", (int64_t)character_at(text, found.from), (int64_t)character_at(text, at), items);
    completion_free(&found);
    return data;
}

/* Is it a command, or the beginning of one? */
static json_t *completeness(Shell *sh, const char *text)
{
    return json_of("{status:s}", line_incomplete(sh, text) ? "incomplete" : "complete");
}

/* `help` for the word that the character is in, or behind. */
static char *inspection(const char *text, int at)
{
    int from = at;
    while (from > 0 && name_length((const char[]){text[from - 1], 0})) from--;
    while (from < at && !name_length(text + from)) from++;
    size_t n = name_length(text + from);
    Buf b = {0};
    buf_printf(&b, "help %.*s", (int)n, text + from);
    char *line = strdup(buf_text(&b));
    buf_free(&b);
    return line;
}

bool remote_read(Shell *sh, const char *line, RemoteRequest *out)
{
    json_error_t error;
    const char *text;
    json_t *o = json_loads(line, JSON_ALLOW_NUL, &error);
    *out = (RemoteRequest){0};
    if (!o) return shell_error(sh, E03, "this is no JSON: %s\nform {\"id\": 7, \"cmd\": \"lower\"}", error.text);
    json_t *id = json_object_get(o, "id"), *pos = json_object_get(o, "pos");
    bool ok = json_is_integer(id) || json_is_string(id);
    if (ok) out->id = json_incref(id);
    if (!ok) shell_error(sh, E05, "a request has an id, a number or a text\nform {\"id\": 7, \"cmd\": \"lower\"}");
    else if ((text = json_string_value(json_object_get(o, "cmd")))) out->cmd = strdup(text);
    else if ((text = json_string_value(json_object_get(o, "complete"))))
        out->data = completions(sh, text, byte_at(text, pos ? json_integer_value(pos) : INT32_MAX));
    else if ((text = json_string_value(json_object_get(o, "inspect"))))
        out->cmd = inspection(text, byte_at(text, pos ? json_integer_value(pos) : INT32_MAX));
    else if ((text = json_string_value(json_object_get(o, "iscomplete")))) out->data = completeness(sh, text);
    else ok = shell_error(sh, E05, "a request asks for cmd, complete, inspect or iscomplete, each with a text\nform {\"id\": 7, \"cmd\": \"lower\"}");
    json_decref(o);
    return ok;
}
