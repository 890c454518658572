#!/bin/sh
# layers: a file uses only itself and earlier ones, but for the cycles of tests/cycles.txt; foreign libraries stay where they
# belong. A listed cycle that is none any more fails too: the list only shrinks. Lua files have no order but that of their uses, by
# `require` or by a name that another one gives the library (R("NAME"), L.NAME): these go round in no circle, and none sets a field of another's but
# of `search`, the table that users see.
# Usage: layers.sh OBJECT...        bottom first, as in CMakeLists.txt
set -eu
[ $# -gt 1 ] || { echo "layers: no objects given" >&2; exit 2; }
cd "$(dirname "$0")/.."
# "lua: USER USED HOW" for every use, "set: USER FIELD" where a field of another file's is set
lua_uses() {
    find strategies -name '*.lua' | sort | awk '
        function module(file) { sub(/.*\//, "", file); sub(/\.lua$/, "", file); return file }
        { files[++count] = $0; path[module($0)] = $0 }
        END {
            for (i = 1; i <= count; i++) while ((getline line < files[i]) > 0) {
                sub(/--.*/, "", line)
                lines[i] = lines[i] line "\n"
                if (match(line, /(macro|macro_at|name)\("[A-Za-z0-9_]+"/)) {
                    split(substr(line, RSTART, RLENGTH), part, "\"")
                    home[part[2]] = files[i]
                }
            }
            for (i = 1; i <= count; i++) {
                rest = lines[i]
                while (match(rest, /require *\(?"[a-z_]+"|(R\(|L\.)"?[A-Za-z0-9_]+/)) {
                    use = substr(rest, RSTART, RLENGTH)
                    rest = substr(rest, RSTART + RLENGTH)
                    name = use
                    gsub(/^require|^R\(|^L\.|[ ("]/, "", name)
                    to = use ~ /^require/ ? path[name] : home[name]
                    if (to && to != files[i]) print "lua:", files[i], to, use ~ /^require/ ? "it" : name
                }
                n = split(lines[i], each, "\n")
                delete required
                for (k = 1; k <= n; k++) {
                    if (match(each[k], /^ *local [^=]*= *require/)) {
                        names = each[k]
                        sub(/^ *local /, "", names)
                        values = names
                        sub(/ *=.*/, "", names)
                        sub(/[^=]*= */, "", values)
                        m = split(names, left, /, */)
                        split(values, right, /, */)
                        for (j = 1; j <= m; j++) if (right[j] ~ /^require *\(?"[a-z_]+"\)?$/ && left[j] != "search") required[left[j]] = 1
                    }
                    set = each[k]
                    sub(/^ *(function )?(base\.search\.)?/, "", set)
                    if (match(set, /^[A-Za-z_]+[.:]/) && (substr(set, 1, RLENGTH - 1) in required) \
                        && (each[k] ~ /^ *function / || set ~ /^[A-Za-z_.]+(, *[A-Za-z_.]+)* *=[^=]/)) print "set:", files[i], set
                }
            }
        }'
}
{ sed 's/^/cycle: /' tests/cycles.txt; lua_uses; nm -A "$@"; } | awk '
    function report(what) { print "layers: " what; bad = 1 }
    function foreign(user, symbol, pattern, where) {
        if (symbol ~ pattern && user !~ where) report(user " uses " symbol)
    }
    # Is `to` reached from `from` by files among member[c, 2], ..., member[c, length_of[c]]?
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
    function allowed(from, to,        c) {
        for (c = 1; c <= cycles; c++) if ((c, from) in within && (c, to) in within) return 1
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
    /^set: / { report($2 " sets what is another file\047s: " substr($0, length($2) + 7)); next }
    /^lua: / {
        uses[$2, $3] = 1
        how[$2, $3] = $4
        if (!($2 in all)) { all[$2] = 1; member["lua", ++lua + 1] = $2; length_of["lua"] = lua + 1 }
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
            if (to && rank[to] > rank[from] && !allowed(from, to)) report(from " uses " used[i] " of " to ", which comes later")
            foreign(from, used[i], "^cl[A-Z]", "^$")
            foreign(from, used[i], "^luaL?_", "^strategies/")
            foreign(from, used[i], "^sqlite3_", "^core/results/")
            foreign(from, used[i], "^MHD_", "^shell/serve/")
            foreign(from, used[i], "^(rl_|readline$|add_history$)", "^shell/line/")
        }
        if (!lua) report("no Lua file uses another")
        for (pair in how) {
            split(pair, end, SUBSEP)
            if (!allowed(end[1], end[2]) && reached("lua", end[2], end[1])) report(end[1] " uses " how[pair] " of " end[2] ", which uses it")
        }
        for (c = 1; c <= cycles; c++) for (i = 3; i <= length_of[c]; i++)
            if (!reached(c, member[c, 2], member[c, i]) || !reached(c, member[c, i], member[c, 2]))
                report("cycles.txt: " member[c, 2] " and " member[c, i] " do not use each other any more: take them apart")
        exit bad
    }'
