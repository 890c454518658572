#!/bin/sh
# transcript: type the lines of FILE that start with "> " into lathe; the lines between them must come back.
# Usage: transcript.sh LATHE FILE        FILE.md: the blocks fenced with ```lathe, all one session, in a page of help as
# wide as fits into one of 80 columns
# A word * stands for any one word, ** for the rest of the line. How many moves a focus line counts, and how many rules a search went
# through, is not compared: a new rule changes them everywhere; nor are figures in lines of what is measured (build, verify, time). In FILE.md, lines of devices
# need only begin alike. BLESS=1 rewrites a FILE.t that differs, unless lathe failed. lathe runs in a scratch folder
# with links to what is in this one, so that a transcript may write files.
set -eu
. "$(dirname "$0")/alone.sh"
file=$2

case $file in
*.md) awk '/^```/ { on = $0 == "```lathe"; next } on' "$file" >"$scratch/want" ;;
*) cp "$file" "$scratch/want" ;;
esac
sed -n 's/^> \{0,1\}//p' "$scratch/want" >"$scratch/typed"
[ -s "$scratch/typed" ] || { echo "transcript: nothing is typed in $file" >&2; exit 1; }

case $file in */help/*) set -- --set width=76 ;; *) set -- ;; esac
# What takes a second on a quiet machine takes many on another. A session that is opened would say that it has a longer limit.
grep -Eq '(^|; *)open ' "$scratch/typed" || set -- --set run_timeout=60 "$@"
mkdir "$scratch/work"
ln -s "$PWD"/* "$scratch/work"
code=0
(cd "$scratch/work" && "$lathe" -x --keep-going --no-init --set times=off "$@" <"$scratch/typed") >"$scratch/out" 2>&1 || code=$?
if [ "$code" -gt 8 ]; then      # not an outcome of a command: an internal error, a sanitizer, a signal
    cat "$scratch/out"
    echo "transcript: $lathe ended with code $code" >&2
    exit 1
fi

# The next line that was typed comes back as "+ LINE" and becomes "> LINE". Lines that agree become the wanted ones; which of them
# belong together is found by what they say, so that what follows a line that is gone or new keeps its wildcards.
awk -v want="$scratch/want" -v typed="$scratch/typed" -v page="$(expr "$file" : '.*\.md$')" '
    function agree(line, pattern,    a, b, n, i) {
        split(line, a); n = split(pattern, b)
        for (i = 1; i <= n && b[i] != "**"; i++) if (b[i] != "*" && a[i] != b[i]) return 0
        return b[i] == "**" || !(i in a)
    }
    function figures(line) {             # free, as the space around them
        gsub(/[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?/, "#", line); gsub(/ -#?/, " #", line); gsub(/# [KM]iB/, "# B", line); gsub(/ +/, " ", line)
        return line
    }
    function measured(line) {
        if (page && match(line, /^@[0-9]+  [a-z]+[0-9]+ /)) return substr(line, 1, RLENGTH)
        if (line ~ /^(  (build|time|verify)  |          (error|exact))/) return figures(line)
        if (match(line, /^  focus  .* [0-9]+ moves? here/)) { sub(/[0-9]+ moves? here/, "* moves here", line); return line }
        if (match(line, /^  graph  .* rounds? of [0-9]+ rules/)) { sub(/of [0-9]+ rules/, "of * rules", line); return line }
        if (match(line, /^[0-9]+ more are not in this lesson yet/)) { sub(/^[0-9]+/, "*", line); return line }
    }
    function bare(line) { sub(/[ \t]+$/, "", line); return line }
    function likeness(i, j) {            # 2: equal
        if (wanted[i] == got[j]) return 2
        if (wild[i]) return agree(got[j], wanted[i]) || (measured(wanted[i]) && agree(measured(got[j]), measured(wanted[i])))
        return measured(wanted[i]) && measured(got[j]) == measured(wanted[i])
    }
    function align(    i, j, k, best, first, last) {
        while (first < n && first < m && likeness(first + 1, first + 1)) { first++; got[first] = wanted[first] }
        for (; last < n - first && last < m - first && likeness(n - last, m - last); last++) got[m - last] = wanted[n - last]
        for (i = n - last; i > first; i--) for (j = m - last; j > first; j--) {
            k = likeness(i, j)
            best = k ? total[i + 1, j + 1] + k : 0
            if (total[i + 1, j] > best) { best = total[i + 1, j]; k = 0 }
            if (total[i, j + 1] > best) { best = total[i, j + 1]; k = 0 }
            total[i, j] = best
            pair[i, j] = k
        }
        for (i = j = first + 1; i <= n - last && j <= m - last;) {
            if (pair[i, j]) got[j++] = wanted[i++]
            else if (total[i + 1, j] >= total[i, j + 1]) i++
            else j++
        }
    }
    BEGIN {
        while ((getline line < want) > 0) { wanted[++n] = line; wild[n] = line ~ /(^| )\*\*?( |$)/ }
        while ((getline line < typed) > 0) lines[++all] = line
    }
    /^\+( |$)/ {
        for (k = at + 1; k <= all && bare(lines[k]) != bare(substr($0, 3)); k++) {}
        if (k <= all) { at = k; $0 = lines[k] == "" ? ">" : "> " lines[k] }
    }
    { got[++m] = $0 }
    END { align(); for (j = 1; j <= m; j++) print got[j] }' "$scratch/out" >"$scratch/got"

if diff -u --label "$file" --label "what lathe printed" "$scratch/want" "$scratch/got"; then exit 0; fi
case ${BLESS:-}$file in
1*.t) cp "$scratch/got" "$file" && echo "transcript: blessed $file" ;;
*) exit 1 ;;
esac
