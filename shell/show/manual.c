/* manual: the pages of help, the options, and the manual page, in roff, made of them and of all tables. */
#include "manual.h"
#include "show.h"

#include <string.h>
#include <unistr.h>

#include "embedded.h"

static const struct Option { const char *name, *letter, *value, *help; } options[] = {
#define OPTION(name, letter, value, help) {name, letter, value, help},
#include "options.def"
#undef OPTION
};

/* ---- pages ---- */

bool topic_get(Arena *arena, int i, Topic *out)
{
    const char *text = embedded_help[i].text;
    if (!text) return false;
    size_t mark = strspn(text, "# "), line = strcspn(text, "\n");
    *out = (Topic){embedded_help[i].name, arena_strndup(arena, text + mark, line - mark), text + line + strspn(text + line, "\n")};
    return true;
}

const char *prim_family_title(PrimFamily family)
{
    static const char *const titles[] = {
        [FAM_MAP] = "Maps", [FAM_REDUCE] = "Reductions", [FAM_SCAN] = "Scans", [FAM_LAYOUT] = "Layout", [FAM_ACCESS] = "Access",
        [FAM_MEMORY] = "Memory", [FAM_VECTOR] = "Short vectors", [FAM_BIND] = "Binding", [FAM_SCALAR] = "Scalars",
        };
    return (int)family < COUNT(titles) ? titles[family] : NULL;
}

/* ---- options ---- */

static const char *option_form(Arena *arena, const struct Option *o)
{
    return arena_printf(arena, "%s%s%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "", o->letter ? ", " : "",
                        o->letter ? o->letter : "");
}

/* ---- completion of the command line of lathe, by shells ---- */

enum { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

/* For a string in single quotes; zsh ends an explanation at a bracket. */
static void put_quoted(const char *text, bool brackets, Buf *out)
{
    for (; *text; text++)
        if (*text == '\'') buf_puts(out, "'\\''");
        else if (brackets && strchr("[]:", *text)) buf_printf(out, "\\%c", *text);
        else buf_putc(out, *text);
}

bool completions_print(const char *shell, Buf *out)
{
    static const char *const shells[] = {"bash", "zsh", "fish"}, *const heads[] = {
        "_lathe()\n{\n    case ${COMP_WORDS[COMP_CWORD-1]} in\n    --color) COMPREPLY=($(compgen -W 'auto always never' -- \"$2\")); return;;\n"
        "    -f|--session|--results) COMPREPLY=($(compgen -f -- \"$2\")); return;;\n    esac\n"
        "    case $2 in\n    -*) COMPREPLY=($(compgen -W '",
        "#compdef lathe\n_arguments \\\n",
        "complete -c lathe -f\ncomplete -c lathe -a '(__fish_complete_suffix .fun .lathe .lua .session)'\n"}, *const feet[] = {
        "' -- \"$2\"));;\n    *) COMPREPLY=($(compgen -d -- \"$2\"; compgen -f -- \"$2\" | grep -E '\\.(fun|lathe|lua|session)$'));;\n    esac\n}\n"
        "complete -o filenames -F _lathe lathe\n",
        "    '*:file:_files -g \"*.(fun|lathe|lua|session)\"'\n", ""};
    int which = text_index(shells, COUNT(shells), shell);
    if (which < 0) return false;
    buf_puts(out, heads[which]);
    for (int i = 0; i < COUNT(options); i++) {
        const struct Option *o = &options[i];
        bool file = o->value && (!strcmp(o->value, "FILE") || !strcmp(o->value, "SCRIPT"));
        if (which == SHELL_BASH) buf_printf(out, "%s%s", i ? " " : "", o->name);
        else if (which == SHELL_ZSH) {
            buf_printf(out, "    '%s[", o->name);
            put_quoted(o->help, true, out);
            buf_printf(out, "]%s%s%s' \\\n", o->value ? ":" : "", o->value ? o->value : "", file ? ":_files" : o->value ? ":" : "");
        } else {
            bool word = o->name[1] == '-';
            buf_printf(out, "complete -c lathe -%c %s%s -d '", word ? 'l' : 's', o->name + 1 + word, file ? " -r -F" : o->value ? " -x" : "");
            put_quoted(o->help, false, out);
            buf_puts(out, "'\n");
        }
    }
    buf_puts(out, feet[which]);
    return true;
}

void options_print(Buf *out)
{
    LOCAL(drop_arena) Arena *arena = arena_new();
    for (int i = 0; i < COUNT(options); i++) buf_printf(out, "  %-18s %s\n", option_form(arena, &options[i]), options[i].help);
}

/* ---- roff ---- */

/* One character; non-ASCII by its code point. Returns how many bytes it had. */
static int put_char(const char *s, Buf *out)
{
    static const struct { char c; const char *roff; } special[] = {
        {'\\', "\\e"}, {'-', "\\-"}, {'^', "\\(ha"}, {'~', "\\(ti"}, {'`', "\\(ga"}, {'\'', "\\(aq"}, {'"', "\\(dq"},
    };
    ucs4_t code;
    int bytes = u8_mbtouc(&code, (const uint8_t *)s, strlen(s));
    if (bytes > 1) return buf_printf(out, "\\[u%04X]", code), bytes;
    for (int i = 0; i < COUNT(special); i++)
        if (special[i].c == *s) return buf_puts(out, special[i].roff), 1;
    return buf_putc(out, *s), 1;
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

static void put_prims(Arena *arena, Buf *out)
{
    for (int family = 0; prim_family_title((PrimFamily)family); family++) {
        buf_printf(out, ".PP\n.B %s\n", prim_family_title((PrimFamily)family));
        for (int i = 0; i < PRIM_COUNT; i++) {
            const Prim *p = prim((PrimId)i);
            if ((int)p->family == family) entry(arena_printf(arena, *p->scheme ? "%s : %s" : "%s", p->name, p->scheme), p->help, out);
        }
    }
}

static void put_lua(Buf *out)
{
    const LuaApi *a;
    for (int of = 0; of < API_OF_COUNT; of++) {
        buf_printf(out, ".PP\n.B %s\n", api_title((LuaApiOf)of));
        for (int i = 0; (a = api_entry(i)); i++)
            if ((int)a->of == of) entry(a->form, a->about, out);
    }
}

/* Sentences, with what stands between ` in bold. */
static void put_sentences(const char *text, size_t n, Buf *out)
{
    bool code = false, first = true;
    for (const char *p = text; p < text + n;) {
        if (first) p += strspn(p, " ");
        if (first && *p == '.') buf_puts(out, "\\&");
        first = *p == '\n';
        if (*p == '`') buf_puts(out, (code = !code) ? "\\fB" : "\\fR"), p++;
        else p += put_char(p, out);
    }
    buf_putc(out, '\n');
}

static void put_piece(Arena *arena, const Prose *piece, Buf *out)
{
    size_t mark = strcspn(piece->text, " ") + 1;            /* of an item */
    const char *text = arena_strndup(arena, piece->text, piece->n);
    switch (piece->kind) {
    case PROSE_GAP: break;
    case PROSE_HEADING: buf_puts(out, ".PP\n.B "), put(text, out); break;
    case PROSE_PARAGRAPH: buf_puts(out, ".PP\n"), put_sentences(piece->text, piece->n, out); break;
    case PROSE_ITEM: buf_puts(out, ".IP \\(bu 2\n"), put_sentences(piece->text + mark, piece->n - mark, out); break;
    case PROSE_CODE: case PROSE_LINE:
        buf_puts(out, ".PP\n.RS 2\n");
        verbatim(text, out);
        buf_puts(out, ".RE\n");
        break;
    case PROSE_MARK:
        if (strcmp(text, "lua")) put_prims(arena, out);
        else put_lua(out);
        break;
    }
}

void manual_print(const char *version, Buf *out)
{
    Arena *arena = arena_new();
    buf_printf(out, ".TH LATHE 1 \"\" \"lathe %s\" \"User Commands\"\n", version);
    put_part("manual.txt", "head", out);
    for (int i = 0; i < COUNT(options); i++) entry(option_form(arena, &options[i]), options[i].help, out);
    const char *group = "";
    buf_puts(out, ".SH COMMANDS\n");
    for (int i = 0; i < command_count(); i++) {
        const Command *c = command_get(i);
        if (strcmp(group, c->group)) buf_printf(out, ".SS %s\n", group = c->group);
        entry(c->form, c->help, out);
        if (c->letter) buf_printf(out, "(short: %c)\n", c->letter);
        if (*c->more) buf_puts(out, ".br\n"), put(c->more, out);
        buf_puts(out, ".RS\n");
        verbatim(c->examples, out);
        buf_puts(out, ".RE\n");
    }
    Topic t;
    buf_puts(out, ".SH TOPICS\n");
    for (int i = 0; topic_get(arena, i, &t); i++) {
        buf_printf(out, ".SS help %s: ", t.name);
        put(t.title, out);
        const char *text = t.text;
        for (Prose piece; prose_next(&text, &piece);) put_piece(arena, &piece, out);
    }
    buf_puts(out, ".SH SETTINGS\n");
    for (int i = 0; i < SETTING_COUNT; i++) {
        const Setting *s = setting((SettingId)i);
        entry(s->name, arena_printf(arena, "%s (initially %s)", s->help, *s->initial ? s->initial : "empty"), out);
    }
    buf_puts(out, ".SH ERRORS\n");
    for (ErrorId i = E_NONE + 1; i < ERROR_COUNT; i++)
        entry(error_name(i), arena_printf(arena, "%s (exit code %d)", error_help(i), error_code(i)), out);
    buf_puts(out, ".SH WARNINGS\n");
    for (int i = 0; i < WARNING_COUNT; i++) entry(warning_name((WarningId)i), warning_help((WarningId)i), out);
    arena_free(arena);
    put_part("manual.txt", "foot", out);
}
