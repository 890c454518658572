#!/bin/sh
# counterexamples: `check` tells the true rules of tests/rules.txt from the false ones. What it prints for a false rule, of there and
# of tests/cases/false-rules.t, run word for word in a fresh session, must show the difference: two results that are not equal, or a
# right side that is none.
# Usage: counterexamples.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
holds=0 refuted=0

fail() { echo "counterexamples: $1"; cat "$2"; bad=$((bad + 1)); }

# A session for each rule and each replay, all in one lathe: with a process each, most of the time went into starting them.
"$lathe" --no-init -e "save $scratch/empty.session" >/dev/null
{ grep -v '^#' tests/rules.txt; sed -n 's/^> rule /false  /p' tests/cases/false-rules.t; } |
    sed -E '/^[a-z]+ +[a-z][A-Za-z0-9]*(\([^)]*\))?: /!s/^([a-z]+ +)/\1tried: /' >"$scratch/rules"
n=0
while read -r truth rule; do
    n=$((n + 1))
    printf 'lua print("== %d") io.stderr:write("== %d\\n")\nopen %s/empty.session --force\nrule %s\ncheck %s\n' $n $n "$scratch" "$rule" "${rule%%[:(]*}"
done <"$scratch/rules" >"$scratch/check.lathe"
"$lathe" --no-init -q --keep-going -f "$scratch/check.lathe" >"$scratch/said" 2>"$scratch/errors" || true
parts "$scratch/said" "$scratch/script"
parts "$scratch/errors" "$scratch/error"

n=0
while read -r truth rule; do
    n=$((n + 1))
    case $truth$(sed -n 's/^\(E[0-9]*\) .*/\1/p' "$scratch/error.$n" | tr -d '\n') in
    true) holds=$((holds + 1)) ;;
    falseE31) refuted=$((refuted + 1)) && printf '%d %s\n' $n "$rule" >>"$scratch/refuted" ;;
    *) cat "$scratch/script.$n" >>"$scratch/error.$n" && fail "check does not know: $truth $rule" "$scratch/error.$n" ;;
    esac
done <"$scratch/rules"

while read -r n rule; do
    printf 'lua print("== %d")\nopen %s/empty.session --force\n' "$n" "$scratch"
    cat "$scratch/script.$n"
done <"$scratch/refuted" >"$scratch/replay.lathe"
"$lathe" --no-init --keep-going -f "$scratch/replay.lathe" >"$scratch/said" 2>&1 || true
parts "$scratch/said" "$scratch/out"
while read -r n rule; do
    out=$scratch/out.$n
    results=$(sed -n 's/^  hash //p' "$out" | uniq | wc -l)
    none=$(grep -c -e '^E21 .* does not apply' -e '^E38 ' -e '^E36 ' "$out" || true)
    [ "$results" = 2 ] || [ "$none" = 1 ] || fail "the commands do not show a difference: $rule" "$out"
    [ "$(grep -c '^E' "$out" || true)" = "$none" ] || fail "the commands do not run as they are: $rule" "$out"
done <"$scratch/refuted"
[ "$holds" -ge 100 ] && [ "$refuted" -ge 100 ] || bad=$((bad + 1))
echo "$holds rules hold, $refuted are refuted and replayed, $bad went wrong"
[ "$bad" = 0 ]
