#!/bin/sh
# manual: the manual page formats without a warning and has every command, option and setting. Usage: manual.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
command -v groff >/dev/null || skip "groff is not installed"
"$lathe" --man >"$scratch/lathe.1" || exit 1
LC_ALL=C grep -q "$(printf '[\200-\377]')" "$scratch/lathe.1" && fail "not ASCII"
groff -man -ww -Tutf8 "$scratch/lathe.1" 2>"$scratch/warnings" >/dev/null
[ ! -s "$scratch/warnings" ] || { cat "$scratch/warnings"; bad=1; }
groff -man -Tascii -P-cbou "$scratch/lathe.1" 2>/dev/null >"$scratch/page"
has() { grep -qF -- "$1" "$scratch/page" || fail "nothing about $1"; }
for word in $("$lathe" -e 'list commands' | awk '{ print $1 }') $("$lathe" -e 'list settings' | awk '{ print $1 }') \
    $("$lathe" -e 'list errors' | awk '{ print $1 }') SYNOPSIS FILES ENVIRONMENT; do has "$word"; done
"$lathe" --help | awk '/^  -/ { print $1 }' | tr -d , | while read -r option; do
    grep -q -- "$(printf '%s' "$option" | sed 's/-/\\\\-/g')" "$scratch/lathe.1" || { echo "manual: nothing about $option"; exit 1; }
done || bad=1
"$lathe" --schema | head -1 | grep -q '^{' || fail "--schema prints no JSON"
exit $bad
