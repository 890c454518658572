/* target: records of devices, built in and from files. */
#include "target.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const TargetFieldInfo fields[] = {
#define TARGET(id, name, kind, source, unit, help) [TARGET_##id] = {name, TARGET_##kind, TARGET_##source, unit, help},
#include "target.def"
#undef TARGET
};

const TargetFieldInfo *target_field(TargetField f) { return &fields[f]; }

TargetField target_field_named(const char *name)
{
    int i = 0;
    while (i < TARGET_FIELDS && strcmp(fields[i].name, name)) i++;
    return (TargetField)i;
}

bool target_has(TargetField f, TargetKind kind) { return fields[f].kind == TARGET_ANY || fields[f].kind == kind; }

/* ---- as text ---- */

typedef struct Reading {
    const char *file;
    int line;
    Target *out;
    bool all;                  /* it has all of another record */
    bool set[TARGET_FIELDS];
    Diag *diag;
} Reading;

static bool set_number(Reading *r, const char *name, const char *value)
{
    TargetField f = target_field_named(name);
    char *end;
    double v = strtod(value, &end);
    if (f == TARGET_FIELDS) {
        NearName near = {.typed = name};
        for (int i = 0; i < TARGET_FIELDS; i++) near_try(&near, fields[i].name);
        return diag_fail(r->diag, E05, "%s:%d: a record of a device has no %s%s\ntry device -v        what it has", r->file, r->line, name,
                         near_text(r->diag->arena, near.name));
    }
    if (!*value || *end || !isfinite(v) || v < 0)
        return diag_fail(r->diag, E05, "%s:%d: %s is a number that is not negative, not \"%s\"", r->file, r->line, name, value);
    r->out->v[f] = v;
    return r->set[f] = true;
}

static bool set_kind(Reading *r, const char *value)
{
    TargetKind kind = !strcmp(value, "gpu") ? TARGET_GPU : !strcmp(value, "cpu") ? TARGET_CPU : TARGET_ANY;
    if (!kind) return diag_fail(r->diag, E05, "%s:%d: kind is gpu or cpu, not \"%s\"", r->file, r->line, value);
    if (r->all && r->out->kind != kind) return diag_fail(r->diag, E05, "%s:%d: what it is like is of the other kind", r->file, r->line);
    r->out->kind = kind;
    return true;
}

static bool set_like(Reading *r, const char *value)
{
    const Target *t = target_named(value);
    if (!t) return diag_fail(r->diag, E05, "%s:%d: no record is called %s\nneeds h200 or pocl", r->file, r->line, value);
    const char *name = r->out->name;
    *r->out = *t;
    r->out->name = name;
    return r->all = true;
}

/* NAME = VALUE, trimmed in place. */
static bool read_line(Reading *r, char *line)
{
    line[strcspn(line, "#\r")] = '\0';
    char *end = line + strlen(line), *equals = strchr(line, '=');
    while (end > line && isspace((unsigned char)end[-1])) *--end = '\0';
    while (isspace((unsigned char)*line)) line++;
    if (!*line) return true;
    if (!equals || equals == line) return diag_fail(r->diag, E03, "%s:%d: \"%s\" is no line NAME = NUMBER", r->file, r->line, line);
    char *value = equals + 1;
    *equals = '\0';
    for (end = equals; end > line && isspace((unsigned char)end[-1]);) *--end = '\0';
    while (isspace((unsigned char)*value)) value++;
    if (!strcmp(line, "like")) return set_like(r, value);
    if (!strcmp(line, "kind")) return set_kind(r, value);
    return set_number(r, line, value);
}

bool target_read(const char *text, const char *file, const char *name, Arena *arena, Target *out, Diag *diag)
{
    Reading r = {.file = file, .out = out, .diag = diag};
    *out = (Target){.name = name};
    for (char *at = arena_strdup(arena, text), *next; at; at = next) {
        next = strchr(at, '\n');
        if (next) *next++ = '\0';
        r.line++;
        if (!read_line(&r, at)) return false;
    }
    if (!out->kind) return diag_fail(diag, E05, "%s does not say what kind of device it is\nneeds like = h200        as the first line: all that it does not say", file);
    for (int i = 0; i < TARGET_FIELDS && !r.all; i++)
        if (target_has((TargetField)i, out->kind) && !r.set[i])
            return diag_fail(diag, E05, "%s has no %s\nneeds like = %s        as the first line: all that it does not say", file, fields[i].name,
                             out->kind == TARGET_GPU ? "h200" : "pocl");
    if (out->v[TARGET_UNITS] < 1 || out->v[TARGET_MAX_GROUP] < 1)
        return diag_fail(diag, E05, "%s: a device has a unit, and groups of a work-item", file);
    return true;
}

Target *target_copy(Arena *arena, const Target *t)
{
    Target *c = NEW(arena, Target);
    *c = *t;
    c->name = arena_strdup(arena, t->name);
    return c;
}

void target_write(const Target *t, Buf *out)
{
    buf_printf(out, "kind = %s\n", t->kind == TARGET_GPU ? "gpu" : "cpu");
    for (int i = 0; i < TARGET_FIELDS; i++)
        if (target_has((TargetField)i, t->kind)) buf_printf(out, "%s = %.6g\n", fields[i].name, t->v[i]);
}

/* ---- built in ---- */

const Target *target_named(const char *name)
{
    for (const Target *t = target_records; t->name; t++)
        if (!strcmp(t->name, name)) return t;
    return NULL;
}

const Target *target_of_kind(bool gpu)
{
    const Target *t = target_records;
    while (t->kind != (gpu ? TARGET_GPU : TARGET_CPU)) t++;
    return t;
}

double target_number(const Target *t, TargetKind kind, TargetField f)
{
    return (t && t->kind == kind ? t : target_of_kind(kind == TARGET_GPU))->v[f];
}
