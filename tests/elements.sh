#!/bin/sh
# elements: every program of tests/programs that has an element form is, to the last bit, what it was before (the interpreter's word), and most have one.
# Usage: elements.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"

n=0 made=0
while read -r program _ sizes _; do
    case "$program" in '#'* | '') continue ;; esac
    [ -n "$sizes" ] || continue
    set -- "tests/programs/$program.fun"
    for size in $(echo "$sizes" | tr , ' '); do set -- "$@" -e "data $size"; done
    n=$((n + 1))
    "$lathe" --no-init --results :memory: "$@" -e eval -e 'lua print("==")' -e "apply elementForm at / > /dev/null" -e eval >"$scratch/both" 2>"$scratch/err" || continue
    sed '/^==$/,$d; s/^@[0-9]*//' "$scratch/both" >"$scratch/was"
    sed '1,/^==$/d; s/^@[0-9]*//' "$scratch/both" >"$scratch/is"
    [ -s "$scratch/was" ] || continue
    cmp -s "$scratch/was" "$scratch/is" || fail "$program: $(cat "$scratch/err"; diff "$scratch/was" "$scratch/is" | head -5)"
    made=$((made + 1))
done <tests/programs/sizes
echo "$made of $n programs have an element form"
[ $((2 * made)) -gt "$n" ] || fail "only $made of $n programs have an element form"
