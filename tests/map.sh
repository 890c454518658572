#!/bin/sh
# map: a newcomer finds the way: every folder has a README.md, every source file opens with a line that says what it is for,
# every page that is named is there, and what stands in the pages of help as code fits into a terminal of 80 columns.
set -eu
bad=0
complain() { echo "map: $*"; bad=1; }

for folder in core core/* shell shell/* strategies strategies/* tests tests/*; do
    [ ! -d "$folder" ] || [ -s "$folder/README.md" ] || complain "$folder has no README.md"
done
sources=$(find core shell strategies tests -name '*.[ch]' -o -name '*.def' -o -name '*.lua' -o -name '*.sh')
for file in $sources; do
    case $(head -n 1 "$file") in
    '/* '* | '-- '*) ;;
    '#!'*) sed -n 2p "$file" | grep -q '^# ' || complain "$file does not say what it is for" ;;
    *) complain "$file does not say what it is for" ;;
    esac
done
# shellcheck disable=SC2086
named=$(sed -nE 's/^(.*[^A-Za-z_-])?([a-z][a-z_-]*\.md)\b.*/\2/p' $sources scripts/* 2>/dev/null | sort -u)
for page in $named; do
    [ -n "$(find README.md core shell strategies tests scripts -name "$page")" ] || complain "$page is named and not there"
done
for page in shell/help/*.md; do
    tr -d '\200-\277' <"$page" | awk -v page="$page" '        # a character counts once
        /^```/ { on = !on; next }
        on && length > 76 { print "map: " page ":" FNR ": " length " columns of code"; bad = 1 }
        END { exit bad }' || bad=1
done
exit $bad
