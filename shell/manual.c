/* manual: the manual page, in roff, and the options, from the tables. */
#include "shell.h"

#include <string.h>

static const struct Option { const char *name, *letter, *value, *help; } options[] = {
#define OPTION(name, letter, value, help) {name, letter, value, help},
#include "options.def"
#undef OPTION
};

static const Topic topics[] = {
#define TOPIC(name, title, text) {#name, title, text},
#include "topics.def"
#undef TOPIC
};

const Topic *topic_get(int i) { return i < COUNT(topics) ? &topics[i] : NULL; }

/* ---- options ---- */

const char *option_find(const char *name, bool *takes_value)
{
    const struct Option *found = NULL;
    size_t n = strlen(name);
    int count = 0;
    for (int i = 0; i < COUNT(options); i++) {
        const struct Option *o = &options[i];
        bool whole = !strcmp(o->name, name) || (o->letter && !strcmp(o->letter, name));
        if (!whole && (n < 3 || strncmp(name, "--", 2) || strncmp(o->name, name, n))) continue;
        found = o;
        count++;
        if (whole) count = 1, i = COUNT(options);
    }
    if (count != 1) return NULL;
    *takes_value = found->value != NULL;
    return found->name;
}

static void option_form(const struct Option *o, Buf *out)
{
    buf_puts(out, o->name);
    if (o->value) buf_printf(out, " %s", o->value);
    if (o->letter) buf_printf(out, ", %s", o->letter);
}

void options_print(Buf *out)
{
    for (int i = 0; i < COUNT(options); i++) {
        Buf form = {0};
        option_form(&options[i], &form);
        buf_printf(out, "  %-18s %s\n", buf_text(&form), options[i].help);
        buf_free(&form);
    }
}

/* ---- roff ---- */

/* One character; non-ASCII by its code point. Returns how many bytes it had. */
static int put_char(const char *s, Buf *out)
{
    static const struct { char c; const char *roff; } special[] = {
        {'\\', "\\e"}, {'-', "\\-"}, {'^', "\\(ha"}, {'~', "\\(ti"}, {'`', "\\(ga"}, {'\'', "\\(aq"}, {'"', "\\(dq"},
    };
    unsigned char c = (unsigned char)*s;
    int extra = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
    unsigned code = extra ? c & (0x3fu >> extra) : c;
    for (int i = 1; i <= extra; i++) code = code << 6 | ((unsigned char)s[i] & 0x3f);
    if (extra) buf_printf(out, "\\[u%04X]", code);
    for (int i = 0; i < COUNT(special); i++)
        if (special[i].c == *s) return buf_puts(out, special[i].roff), 1;
    if (!extra) buf_putc(out, *s);
    return extra + 1;
}

/* Lines of text; a dot at the beginning of one is no request. */
static void put(const char *text, Buf *out)
{
    for (bool first = true; *text;) {
        if (first && *text == '.') buf_puts(out, "\\&");
        first = *text == '\n';
        text += put_char(text, out);
    }
    buf_putc(out, '\n');
}

static void verbatim(const char *text, Buf *out)
{
    buf_puts(out, ".nf\n");
    put(text, out);
    buf_puts(out, ".fi\n");
}

/* What a thing is called, in bold, and what it is. */
static void entry(const char *name, const char *text, Buf *out)
{
    buf_puts(out, ".TP\n.B ");
    put(name, out);
    put(text, out);
}

static void put_options(Buf *out)
{
    buf_puts(out, ".SH OPTIONS\n");
    for (int i = 0; i < COUNT(options); i++) {
        Buf form = {0};
        option_form(&options[i], &form);
        entry(buf_text(&form), options[i].help, out);
        buf_free(&form);
    }
}

static void put_command(const Command *c, Buf *out)
{
    const Report *r = report_find(c->name);
    entry(c->form, c->help, out);
    if (c->letter) buf_printf(out, "(short: %c)\n", c->letter);
    if (*c->more) buf_puts(out, ".br\n"), put(c->more, out);
    if (!r) return;
    buf_puts(out, ".RS\n");
    verbatim(r->examples, out);
    buf_puts(out, ".RE\n");
}

static void put_commands(Buf *out)
{
    const char *group = "";
    buf_puts(out, ".SH COMMANDS\n");
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        if (strcmp(group, c->group)) buf_printf(out, ".SS %s\n", group = c->group);
        put_command(c, out);
    }
}

static void put_topics(Buf *out)
{
    buf_puts(out, ".SH TOPICS\n");
    for (int i = 0; i < COUNT(topics); i++) {
        buf_puts(out, ".SS ");
        put(topics[i].title, out);
        verbatim(topics[i].text, out);
    }
}

static void put_settings(Buf *out)
{
    buf_puts(out, ".SH SETTINGS\n");
    for (int i = 0; i < SETTING_COUNT; i++) {
        const Setting *s = setting((SettingId)i);
        Buf text = {0};
        buf_printf(&text, "%s (initially %s)", s->help, *s->initial ? s->initial : "empty");
        entry(s->name, buf_text(&text), out);
        buf_free(&text);
    }
}

static void put_messages(Buf *out)
{
    buf_puts(out, ".SH ERRORS\n");
    for (int i = E_NONE + 1; i < ERROR_COUNT; i++) {
        Buf text = {0};
        buf_printf(&text, "%s (exit code %d)", error_help((ErrorId)i), error_code((ErrorId)i));
        entry(error_name((ErrorId)i), buf_text(&text), out);
        buf_free(&text);
    }
    buf_puts(out, ".SH WARNINGS\n");
    for (int i = 0; i < WARNING_COUNT; i++) entry(warning_name((WarningId)i), warning_help((WarningId)i), out);
}

void manual_print(const char *version, Buf *out)
{
    buf_printf(out, ".TH LATHE 1 \"\" \"lathe %s\" \"User Commands\"\n", version);
    buf_puts(out,
             ".SH NAME\nlathe \\- an interactive shell that rewrites data\\-parallel programs and runs them through OpenCL\n"
                  ".SH SYNOPSIS\n.B lathe\n"
                  "[\\fIFILE\\fR ...] [\\fB\\-e\\fR \\fILINE\\fR] ... [\\fB\\-f\\fR \\fISCRIPT\\fR] ... "
                  "[\\fIOPTION\\fR ...]\n"
                  ".SH DESCRIPTION\n"
                  "A functional program over arrays is loaded, rewritten step by step with rules that keep its meaning, "
                  "lowered to OpenCL,\n"
                  "run, verified against an interpreter, and timed. "
                  "Every step is a version in a tree that nothing is lost from.\n"
                  ".PP\nWithout \\fB\\-e\\fR and \\fB\\-f\\fR, and with a terminal as standard input, it is interactive.\n"
                  "A \\fIFILE\\fR that ends in .fun is loaded, one that ends in .lathe or .lua is run, "
                  "one that ends in .session opened.\n");
    put_options(out);
    put_commands(out);
    put_topics(out);
    put_settings(out);
    put_messages(out);
    buf_puts(out, ".SH FILES\n.TP\n.I $XDG_STATE_HOME/lathe/history\nthe lines typed (default: ~/.local/state)\n"
                  ".TP\n.I $XDG_STATE_HOME/lathe/results.db\nwhat was measured, an SQLite database\n"
                  ".TP\n.I $XDG_CONFIG_HOME/lathe/init.lathe\nrun before an interactive session (default: ~/.config)\n"
                  ".TP\n.I ~/.inputrc\n"
                  "key bindings of Readline; those for lathe between \\(lq$if lathe\\(rq and \\(lq$endif\\(rq\n"
                  ".SH ENVIRONMENT\n.TP\n.B PAGER\nshows long output at a terminal when \\(lqset pager auto\\(rq\n"
                  ".TP\n.B NO_COLOR\nno colour, when it is not empty\n.TP\n.B TERM\nno colour when it is dumb\n"
                  ".TP\n.B LANG\nin a UTF\\-8 locale terms are printed with Greek letters and arrows\n");
}
