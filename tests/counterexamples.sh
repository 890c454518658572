#!/bin/sh
# counterexamples: `check` tells the true rules of tests/rules.txt from the false ones. What it prints for a false rule, of there and
# of tests/cases/false-rules.t, run word for word in a fresh session, must show the difference: two results that are not equal, or a
# right side that is none.
# Usage: counterexamples.sh LATHE
set -eu
lathe=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
holds=0 refuted=0 bad=0

fail() { echo "counterexamples: $1"; cat "$scratch/out"; bad=$((bad + 1)); }

replays() {
    "$lathe" --no-init --keep-going -f "$scratch/script" >"$scratch/out" 2>&1 || true
    results=$(sed -n 's/^  hash //p' "$scratch/out" | uniq | wc -l)
    none=$(grep -c -e '^E21 .* does not apply' -e '^E38 ' -e '^E36 ' "$scratch/out" || true)
    [ "$results" = 2 ] || [ "$none" = 1 ] || fail "the commands do not show a difference: $rule"
    [ "$(grep -c '^E' "$scratch/out" || true)" = "$none" ] || fail "the commands do not run as they are: $rule"
}

{ grep -v '^#' tests/rules.txt; sed -n 's/^> rule /false  /p' tests/cases/false-rules.t; } >"$scratch/rules"
while read -r truth rule; do
    case $rule in
    [a-z]*": "*) name=${rule%%[:(]*} ;;
    *) name=tried rule="tried: $rule" ;;
    esac
    code=0
    printf 'rule %s\ncheck %s\n' "$rule" "$name" | "$lathe" --no-init -q 2>"$scratch/out" >"$scratch/script" || code=$?
    case $truth$code in
    true0) holds=$((holds + 1)) ;;
    false3) refuted=$((refuted + 1)) && replays ;;
    *) cat "$scratch/script" >>"$scratch/out" && fail "check ended with code $code: $truth $rule" ;;
    esac
done <"$scratch/rules"
[ "$holds" -ge 100 ] && [ "$refuted" -ge 100 ] || bad=$((bad + 1))
echo "$holds rules hold, $refuted are refuted and replayed, $bad went wrong"
[ "$bad" = 0 ]
