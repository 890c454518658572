#!/bin/sh
# What lathe's own Lua files name as rules are rules, also where only a run would look them up: rule_names.sh LATHE
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
name='"[A-Za-z][A-Za-z0-9.]*"'
calls="(\<R|\<once|\<sized|\<mapped|\<apply)\((q, |p, |r, |init, |q:at\(p\), )?$name"
below="\<apply_below\([a-z]+, \{[^}]*\}, $name"
names=$(cat "$root"/strategies/*.lua "$root"/strategies/search/*.lua | grep -oE "$calls|$below|\<any\(($name,? *)+" |
        grep -oE "$name" | tr -d '"' | grep -vxE 'in|f|init|body' | sort -u)
[ "$(echo "$names" | wc -l)" -ge 60 ]
"$1" -q -e "lua for name in ([[$(echo "$names" | tr '\n' ' ')]]):gmatch('%S+') do
assert(load('return ' .. name)(), 'strategies/ name a rule that there is not: ' .. name) end
"
