#!/bin/sh
# counterexamples: what `check` prints for a false rule, run word for word in a fresh session, must show the difference: two results
# that are not equal, or a right side that is none. The rules are those of tests/cases/false-rules.t.
# Usage: counterexamples.sh LATHE
set -eu
lathe=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
count=0

fail() { echo "counterexamples: $1"; cat "$scratch/out"; exit 1; }

sed -n 's/^> rule //p' tests/cases/false-rules.t >"$scratch/rules"
while IFS= read -r rule; do
    name=${rule%%[:(]*}
    code=0
    printf 'rule %s\ncheck %s\n' "$rule" "$name" | "$lathe" --no-init -q 2>"$scratch/err" >"$scratch/script" || code=$?
    cp "$scratch/script" "$scratch/out"
    [ "$code" = 3 ] || fail "check $name ended with code $code, not 3"
    "$lathe" --no-init --keep-going -f "$scratch/script" >"$scratch/out" 2>&1 || true
    sed -n 's/^  hash //p' "$scratch/out" | uniq >"$scratch/results"
    wrong=$(grep -c -e '^E21 .* does not apply' -e '^E38 ' "$scratch/out" || true)
    [ "$(wc -l <"$scratch/results")" = 2 ] || [ "$wrong" = 1 ] || fail "$name: the commands do not show a difference"
    [ "$(grep -c '^E' "$scratch/out" || true)" = "$wrong" ] || fail "$name: the commands do not run as they are"
    count=$((count + 1))
done <"$scratch/rules"
[ "$count" -ge 10 ] || fail "only $count rules"
echo "$count counterexamples replayed"
