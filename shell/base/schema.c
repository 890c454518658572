/* schema: what commands report with --json as a JSON Schema, and values made by such types. */
#include "shell.h"
#include "schema.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *command, *type; } reports[] = {
#define COMMAND(name, letter, group, form, args, flags, tail, help, more, report, examples) {#name, report},
#include "commands.def"
#undef COMMAND
};

/* What several commands report. */
static const struct { const char *name, *type; } shapes[] = {
    {"tree", "{var?:i input?:s literal?:n|b size?:s lambda?:s prim?:s type:s statics?:[s] slots?:{*:tree}}"},
    {"term", "{term:s tree:tree? type:s facts:[s] params:{*:i?} place:s trust:s}"},
    {"move", "{n:i rule:s place:s result?:s label?:s type?:s cost_ns?:n}"},
    {"mark", "{name:s status:s set_at:i place?:s near?:s step?:{version:i call:s place:s}}"},
    {"result", "{id:i program:s version:s state:s device:s ns:time? derivation:s params:{*:i} sizes:{*:i} features:{*:any} "
     "times:[n]|s *:any}"},
    {"setting", "{name:s value:s kind:s choices:s initial:s help:s}"},
    {"program", "{name:s type:s version:i versions:i current:b}"},
    {"parameter", "{name:s value:i? constraint:s legal:[i] complete:b rejected:[{text:s from?:s values:[i]}]}"},
    {"inner", "{call:s place:s? trust:s within:[{call:s place:s first:i}]}"},
    {"version", "{version:i parent:i? kind:s call:s place:s? trust:s hash:s tag:s? note:s? current:b same:i? params:{*:i?} "
     "inner:[inner]}"},
    {"rule", "{name:s rule:s kind:s params:[s] trust:s checked:i refuted:b}"},
    {"verdict", "{what:s verdict:s instances:i rounded:i skipped:i seed:i difference?:s replay?:[s] reason?:s}"},
    {"macro", "{name:s params:s doc:s user:b text?:s}"},
    {"run", "{state:s trust:s device:s? sizes:{*:i} params:{*:i} kernels:[s] by_kernel:[{name:s ns:time launches:n read_bytes:n "
     "written_bytes:n local_bytes:i}] transfer:s ns:time? times_ns:[time]"
     " verify:{status:s inputs:i compared:i max_ulp:n error:n own:n? power:n mute:b unseen:n inaccurate:i hanging:i special:i first:s?} saved?:[s] head?:s}"},
    {"argument", "{name:s role:s type:s count?:s}"},
    {"manifest", "{ports:[{name:s type:s shape:[any] value:b input:i part:i}] facts:[{is:s a:any b:any text:s}] "
                 "buffers:[{name:s role:s type:s count:any input?:i part?:i of?:i width?:any height?:any}] "
                 "kernels:[{name:s global:[any] local:[i] local_bytes:i launch_bytes:i "
                 "args:[{kind:s name:s buffer?:i written?:b type?:s input?:i part?:i size?:any loop?:i}]}] "
                 "loops:[{around:i first:i step:i end:i rounds:any test:i states:[{from:i to:i init:i out:i spare:i}]}] temporaries:any}"},
    {"trial", "{n:i point:s params:{*:i} version?:i state:s ns?:n known?:b same_as?:i fixed?:i message?:s device?:s *:any}"},
    {"diagnostic", "{id:s severity:s message:s file?:s line?:i column?:i *:[s]}"},
    {"flag", "{name:s value:b choices?:[s]}"},
    {"entry", "{kind:s name:s text:s details?:s form?:s short?:s group?:s arguments?:[s] flags?:[flag] examples?:[s] "
     "equation?:s conditions?:[s]"
     " params?:[{name:s kind:s given:b}] trust?:s origin?:s example?:s user?:b definition?:s scheme?:s "
     "slots?:[s] setting?:setting code?:i}"},
};

/* ---- type texts: "{name:s items:[{n:i result?:s}] tree:tree?}" ---- */

typedef struct TypeText {
    const char *at;
    bool bad;
    bool missing;                        /* json_of: a value was NULL that has to be there */
} TypeText;

static json_t *type_of(TypeText *t);

static char peek(TypeText *t)
{
    t->at += strspn(t->at, " \n");
    return *t->at;
}

static bool take(TypeText *t, char c)
{
    if (peek(t) != c) return false;
    t->at++;
    return true;
}

static void need(TypeText *t, char c) { t->bad = !take(t, c) || t->bad; }

static size_t take_name(TypeText *t, const char **name)
{
    peek(t);
    size_t n = name_length(*name = t->at);
    t->at += n;
    return n;
}

/* s i n b any time, or a shape. time: a number, "-" under `set times off`. */
static json_t *named_type(TypeText *t)
{
    static const struct { char name; const char *type; } basic[] = {{'s', "string"}, {'i', "integer"},
                                                                    {'n', "number"}, {'b', "boolean"}};
    const char *name;
    size_t n = take_name(t, &name);
    for (int i = 0; i < COUNT(basic); i++)
        if (n == 1 && *name == basic[i].name) return json_pack("{s:s}", "type", basic[i].type);
    if (n == 3 && !strncmp(name, "any", n)) return json_object();
    if (n == 4 && !strncmp(name, "time", n)) return json_pack("{s:[{s:s}, {s:s}]}", "anyOf", "type", "number", "const", "-");
    if (!ANY(i, COUNT(shapes), strlen(shapes[i].name) == n && !strncmp(shapes[i].name, name, n))) t->bad = true;
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%.*s", (int)n, name));
}

static json_t *object_type(TypeText *t)
{
    json_t *object = json_pack("{s:s, s:{}, s:[], s:b}", "type", "object", "properties", "required", "additionalProperties", 0);
    while (!t->bad && peek(t) && peek(t) != '}') {
        /* One key of an object: `key:type` is always there, `key?:type` may be missing, `*:type` is any other. */
        const char *name = "";
        bool any = take(t, '*');
        size_t n = any ? 0 : take_name(t, &name);
        bool optional = take(t, '?');
        need(t, ':');
        json_t *type = type_of(t);
        t->bad = t->bad || (!any && n == 0);
        if (any) json_object_set_new(object, "additionalProperties", type);
        else json_object_setn_new(json_object_get(object, "properties"), name, n, type);
        if (!any && !optional) json_array_append_new(json_object_get(object, "required"), json_stringn(name, n));
    }
    need(t, '}');
    return object;
}

/* t? may be null; a|b is either. */
static json_t *type_of(TypeText *t)
{
    bool list = take(t, '[');
    json_t *type = list ? json_pack("{s:s, s:o}", "type", "array", "items", type_of(t))
                        : take(t, '{') ? object_type(t) : named_type(t);
    if (list) need(t, ']');
    if (take(t, '?')) type = json_pack("{s:[o, {s:s}]}", "anyOf", type, "type", "null");
    if (!t->bad && take(t, '|')) type = json_pack("{s:[o, o]}", "anyOf", type, type_of(t));
    return type;
}

json_t *schema_of(const char *type)
{
    TypeText t = {.at = type};
    json_t *schema = type_of(&t);
    if (!t.bad && !peek(&t)) return schema;
    json_decref(schema);
    return NULL;
}

/* ---- values of such a type ---- */

json_t *json_text(const char *text, size_t n)
{
    json_t *made = text ? json_stringn(text, n) : NULL;
    if (made || !text) return made;
    LOCAL(buf_free) Buf out = {0};
    text_escape(text, n, &out);
    return json_stringn(buf_text(&out), out.len);
}

static json_t *value_of(TypeText *t, va_list *ap)
{
    json_t *made = NULL;
    const char *text;
    if (take(t, '{')) {
        for (made = json_object(); !t->bad && !take(t, '}');) {
            const char *name;
            size_t n = take_name(t, &name);
            bool optional = take(t, '?');
            need(t, ':');
            json_t *value = value_of(t, ap);
            bool zero = optional && json_is_number(value) && json_number_value(value) == 0;
            if (zero) json_decref(value);
            else if (value) json_object_setn_new(made, name, n, value);
            else t->missing |= !optional;            /* what follows is taken all the same, and released */
        }
    } else if (take(t, '[')) {
        for (made = json_array(); !t->bad && !take(t, ']');) json_array_append_new(made, value_of(t, ap));
    } else switch (*t->at++) {
        case 's':
            text = va_arg(*ap, const char *);
            made = json_text(text, text ? strlen(text) : 0);
            break;
        case 'i': made = json_integer(va_arg(*ap, int)); break;
        case 'l': made = json_integer(va_arg(*ap, int64_t)); break;
        case 'n': made = json_real(va_arg(*ap, double)); break;
        case 'b': made = json_boolean(va_arg(*ap, int)); break;
        case 'o': made = va_arg(*ap, json_t *); break;
        default: t->bad = true;
        }
    return take(t, '?') && !made ? json_null() : made;
}

json_t *json_of_args(const char *type, va_list *ap)
{
    TypeText t = {.at = type};
    json_t *made = value_of(&t, ap);
    if (!t.bad && !t.missing) return made;
    json_decref(made);
    return NULL;
}

json_t *json_of(const char *type, ...)
{
    json_t *made;
    WITH_ARGS(type, ap, made = json_of_args(type, &ap));
    return made;
}

void json_add(json_t *list, const char *type, ...)
{
    WITH_ARGS(type, ap, json_array_append_new(list, json_of_args(type, &ap)));
}

json_t *json_parts(const char *text, const char *cut)
{
    json_t *list = json_array();
    for (const char *p = text + strspn(text, cut); *p; p += strspn(p, cut)) {
        p += strspn(p, " ");
        json_array_append_new(list, json_stringn(p, strcspn(p, cut)));
        p += strcspn(p, cut);
    }
    return list;
}

/* ---- the schema ---- */

static const char line_type[] =
    "{v:i seq?:i cmd:s verb?:s? ok:b code:i version?:i hash?:s data:any diag:[diagnostic] trust?:s ms?:n text?:s id?:any parent?:any}";

/* What a long search says on the way. */
static const char event_type[] =
    "{v:i event:s n:i point:s params:{*:i} version?:i state:s ns?:n known?:b same_as?:i fixed?:i message?:s device?:s parent?:any}";

/* What a lesson says behind a command. */
static const char lesson_event_type[] = "{v:i event:s lesson:s part:i when?:s steps?:i text:s}";

json_t *schema_all(void)
{
    json_t *line = schema_of(line_type), *defs = json_object(), *cases = json_array();
    for (int i = 0; i < COUNT(shapes); i++) json_object_set_new(defs, shapes[i].name, schema_of(shapes[i].type));
    for (int i = 0; i < COUNT(reports); i++) {
        char name[64];
        snprintf(name, sizeof name, "data_%s", reports[i].command);
        json_object_set_new(defs, name, schema_of(reports[i].type));
        /* When a command of that verb succeeded, its data has this shape. */
        json_array_append_new(cases, json_pack("{s:{s:{s:{s:s}, s:{s:b}}, s:[s, s]}, s:{s:{s:{s:o}}}}", "if",
                                               "properties", "verb", "const", reports[i].command, "ok", "const", 1,
                                               "required", "verb", "ok", "then", "properties", "data", "$ref",
                                               json_sprintf("#/$defs/data_%s", reports[i].command)));
    }
    json_object_set_new(line, "allOf", cases);
    return json_pack("{s:s, s:s, s:[o, o, o], s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                     "one line of lathe --json", "anyOf", line, schema_of(event_type), schema_of(lesson_event_type),
                     "$defs", defs);
}
