#!/bin/sh
# What lathe's own Lua files name as rules are rules, also where only a run would look them up: rule_names.sh LUA_CHECK
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
"$1"
cat >file.lua <<'END'
local base, L = require "base", require "combinators"
local R = base.R
base.macro("twice", "(n)", "a branch that is not taken, in a function that is not called", function(n)
    local function unused() return L.seq(R("mapFusion"), SECOND) end
    return n and R("splitJoin", {n = n}) or R("mapFusion")
end)
END
refuse() {                               # SECOND EXPECTED
    sed "s/SECOND/$1/" file.lua >wrong.lua
    if "$check" wrong.lua 2>said; then echo "$1 is accepted"; exit 1; fi
    grep -qF "$2" said || { echo "$1:"; cat said; exit 1; }
}
check=$1
sed 's/SECOND/R(unused and "transposeMaps" or "mapId")/' file.lua >right.lua
"$check" right.lua
refuse 'R("mapFuson")' 'E02 no rule, macro or Lua value called "mapFuson"; did you mean mapFusion?'
refuse 'R("mapFuson")' 'in      wrong.lua:4'
refuse 'R(unused and "mapId" or "mapIdd")' 'did you mean mapId?'
refuse 'L.topdwon(R("mapId"))' 'did you mean topdown?'
refuse 'topdown(R("mapId"))' '"topdown"'
refuse 'R(unused)' 'wrong.lua:4: R takes the name of a rule as it is'
