#!/bin/sh
# transcript: type the lines of FILE that start with "> " into lathe; the lines between them must come back.
# Usage: transcript.sh LATHE FILE        FILE.md: the blocks fenced with ```lathe, all one session
# A word * stands for any one word, ** for the rest of the line. In FILE.md, lines of measured figures (device, build,
# verify OK, time) need only begin alike. BLESS=1 rewrites a FILE.t that differs, unless lathe failed. lathe runs in a scratch folder
# with links to what is in this one, so that a transcript may write files.
set -eu
lathe=$(realpath "$1") file=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"

case $file in
*.md) awk '/^```/ { on = $0 == "```lathe"; next } on' "$file" >"$scratch/want" ;;
*) cp "$file" "$scratch/want" ;;
esac
sed -n 's/^> \{0,1\}//p' "$scratch/want" >"$scratch/typed"
[ -s "$scratch/typed" ] || { echo "transcript: nothing is typed in $file" >&2; exit 1; }

mkdir "$scratch/work"
ln -s "$PWD"/* "$scratch/work"
code=0
(cd "$scratch/work" && "$lathe" -x --keep-going --no-init --set times=off <"$scratch/typed") >"$scratch/out" 2>&1 || code=$?
if [ "$code" -gt 8 ]; then      # not an outcome of a command: an internal error, a sanitizer, a signal
    cat "$scratch/out"
    echo "transcript: $lathe ended with code $code" >&2
    exit 1
fi

# What was echoed as "+ LINE" was typed as "> LINE"; a line that agrees with the wanted one becomes that line.
awk -v want="$scratch/want" -v page="$(expr "$file" : '.*\.md$')" '
    function agree(line, pattern,    a, b, n, i) {
        split(line, a); n = split(pattern, b)
        for (i = 1; i <= n && b[i] != "**"; i++) if (b[i] != "*" && a[i] != b[i]) return 0
        return b[i] == "**" || !(i in a)
    }
    function measured(line) {
        if (match(line, /^(  (build|time) |  verify  OK |@[0-9]+  [a-z]+[0-9]+ )/)) return substr(line, 1, RLENGTH)
    }
    { sub(/^\+ /, "> "); sub(/^(\+|> )$/, ">") }
    (getline line < want) > 0 {
        if (line ~ /(^| )\*\*?( |$)/ && agree($0, line)) $0 = line
        else if (page && measured(line) && measured($0) == measured(line)) $0 = line
    }
    { print }' "$scratch/out" >"$scratch/got"

if diff -u --label "$file" --label "what lathe printed" "$scratch/want" "$scratch/got"; then exit 0; fi
case ${BLESS:-}$file in
1*.t) cp "$scratch/got" "$file" && echo "transcript: blessed $file" ;;
*) exit 1 ;;
esac
