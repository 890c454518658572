#!/bin/sh
# layers: a file uses only itself and earlier ones, but for the cycles of tests/cycles.txt; foreign libraries stay where they
# belong. A listed cycle that is none any more fails too: the list only shrinks.
# Usage: layers.sh OBJECT...        bottom first, as in CMakeLists.txt
set -eu
[ $# -gt 1 ] || { echo "layers: no objects given" >&2; exit 2; }
{ sed 's/^/cycle: /' "$(dirname "$0")/cycles.txt"; nm -A "$@"; } | awk '
    function report(what) { print "layers: " what; bad = 1 }
    function foreign(user, symbol, pattern, where) {
        if (symbol ~ pattern && user !~ where) report(user " uses " symbol)
    }
    # Is `to` reached from `from` within the cycle c?
    function reached(c, from, to,        seen, queue, head, tail, i, at) {
        queue[tail++] = from
        while (head < tail) {
            at = queue[head++]
            for (i = 2; i <= length_of[c]; i++) {
                if (!((at, member[c, i]) in uses) || (member[c, i] in seen)) continue
                if (member[c, i] == to) return 1
                seen[member[c, i]] = 1
                queue[tail++] = member[c, i]
            }
        }
        return 0
    }
    /^cycle: ($|#)/ { next }
    /^cycle: / {
        if (!/: .*: ./) report("cycles.txt gives no reason: " $0)
        sub(/: [^:]*$/, "")
        length_of[++cycles] = NF
        for (i = 2; i <= NF; i++) { member[cycles, i] = $i; within[cycles, $i] = 1 }
        next
    }
    {
        object = $0; sub(/:.*/, "", object); sub(/.*\.dir\//, "", object); sub(/\.c\.o$/, "", object)
        symbol = $NF; type = $(NF - 1)
    }
    !(object in rank) { rank[object] = NR }
    type ~ /^[TDBRCVWi]$/ {
        if (symbol in home) report(object " defines " symbol " again, after " home[symbol])
        home[symbol] = object
    }
    type == "U" { user[NR] = object; used[NR] = symbol }
    END {
        for (i in used) {
            from = user[i]; to = home[used[i]]
            if (to && to != from) uses[from, to] = 1
            if (to && rank[to] > rank[from]) {
                allowed = 0
                for (c = 1; c <= cycles; c++) if ((c, from) in within && (c, to) in within) allowed = 1
                if (!allowed) report(from " uses " used[i] " of " to ", which comes later")
            }
            foreign(from, used[i], "^cl[A-Z]", "^$")
            foreign(from, used[i], "^luaL?_", "^strategies/")
            foreign(from, used[i], "^sqlite3_", "^core/results/")
            foreign(from, used[i], "^MHD_", "^shell/serve/")
            foreign(from, used[i], "^(rl_|readline$|add_history$)", "^shell/line/")
        }
        for (c = 1; c <= cycles; c++) for (i = 3; i <= length_of[c]; i++)
            if (!reached(c, member[c, 2], member[c, i]) || !reached(c, member[c, i], member[c, 2]))
                report("cycles.txt: " member[c, 2] " and " member[c, i] " do not use each other any more: take them apart")
        exit bad
    }'
