#!/bin/sh
# layers: a module uses only itself and earlier ones; foreign libraries stay where they belong. NAME.c and its parts
# NAME_*.c, which share one private header, are one module.
# Usage: layers.sh OBJECT...        bottom first, as in CMakeLists.txt
set -eu
[ $# -gt 1 ] || { echo "layers: no objects given" >&2; exit 2; }
nm -A "$@" | awk '
    { object = $0; sub(/:.*/, "", object); symbol = $NF; type = $(NF - 1) }
    !(object in rank) { rank[object] = NR }
    type ~ /^[TDBRCVWi]$/ { if (symbol in home) twice[symbol] = object; else home[symbol] = object }
    type == "U" { user[NR] = object; used[NR] = symbol }
    function module(object) { sub(/.*\.dir\//, "", object); sub(/\.o$/, "", object); return object }
    function whole(object) { object = module(object); sub(/(_[a-z]+)?\.c$/, "", object); return object }
    function report(what) { print "layers: " what; bad = 1 }
    function foreign(i, pattern, where) {
        if (used[i] ~ pattern && module(user[i]) !~ where) report(module(user[i]) " uses " used[i])
    }
    END {
        for (i = 1; i <= NR; i++) if (i in used) {
            from = user[i]; to = home[used[i]]
            if (to && rank[to] > rank[from] && whole(to) != whole(from))
                report(module(from) " uses " used[i] " of " module(to) ", which comes later")
            foreign(i, "^cl[A-Z]", "^$")
            foreign(i, "^luaL?_", "^strategies/")
            foreign(i, "^sqlite3_", "^core/results/")
            foreign(i, "^(rl_|readline$|add_history$)", "^shell/")
        }
        for (name in twice) report(module(twice[name]) " defines " name " again, after " module(home[name]))
        exit bad
    }'
