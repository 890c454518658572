#!/bin/sh
# sections: many small tests typed into one lathe, whose worker is started, and loads its device's library of functions, once. Sourced by
# derivations.sh and oclgrind.sh, after alone.sh; they set `options`.
# Each section begins with an empty session (settings as in `options`); what it prints is kept by itself.

"$lathe" $options -e "save $scratch/empty.session" >/dev/null
sections=0

# section NAME RUNS PATTERN LINE...: the lines end well, with so many verified runs, and print the pattern; a pattern ^... once
section() {
    sections=$((sections + 1))
    printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$scratch/wanted"
    printf 'lua print("== %d")\nopen %s/empty.session --force\n' $sections "$scratch"
    shift 3
    printf '%s\n' "$@"
}

# type_sections OPTION...: those that standard input has, into out.1, out.2 ...
type_sections() {
    cat >"$scratch/all.lathe"
    "$lathe" $options --keep-going "$@" -f "$scratch/all.lathe" >"$scratch/out" 2>&1 || true
    parts "$scratch/out" "$scratch/out"
}

# fail TEXT FILE: with the end of what that has
fail() {
    echo "$(basename "$0" .sh): $1"
    tail -8 "$scratch/$2"
    bad=1
}

check_sections() {
    n=0
    while IFS='	' read -r name runs pattern; do
        n=$((n + 1))
        [ -s "$scratch/out.$n" ] || { fail "$name was not typed" out && continue; }
        grep -q '^E[0-9][0-9] ' "$scratch/out.$n" && fail "$name" "out.$n"
        [ "$(grep -c 'verify  OK' "$scratch/out.$n")" -eq "$runs" ] || fail "$name is not verified" "out.$n"
        case $pattern in
        ^*) [ "$(grep -c "$pattern" "$scratch/out.$n")" -eq 1 ] || fail "$name: not once $pattern" "out.$n" ;;
        *) grep -q "$pattern" "$scratch/out.$n" || fail "$name: no $pattern" "out.$n" ;;
        esac
    done <"$scratch/wanted"
}
