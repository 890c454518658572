#!/bin/sh
# fresh: in a copy of the tree where nothing is built scripts/demo is all that it takes for what README.md and its lessons show.
# And a script finds its files from wherever it is run. Usage: fresh.sh
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
bad=0
fail() { echo "fresh: $*"; bad=1; }

mkdir "$scratch/tree" "$scratch/elsewhere"
if [ -e .git ]; then git ls-files -co --exclude-standard; else find . -path './build*' -prune -o -type f -print; fi |
    while read -r file; do [ ! -f "$file" ] || echo "$file"; done | tar -cf - -T - | tar -xf - -C "$scratch/tree"
cd "$scratch/tree" || exit 1
# What was compiled before from the same text, in another copy, is not compiled again.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
command -v ccache >/dev/null && export CMAKE_C_COMPILER_LAUNCHER=ccache
scripts/demo >"$scratch/out" 2>&1
code=$?
[ $code -ne 6 ] || exit 77      # no device
[ $code -eq 0 ] || fail "scripts/demo: code $code: $(tail -20 "$scratch/out")"
tests/transcript.sh build/lathe README.md || fail "README.md shows something else"
[ -n "$(build/lathe --no-init -e 'list lessons' 2>/dev/null)" ] || fail "there are no lessons"
for name in $(ls scripts/lessons); do
    [ ! -d "scripts/lessons/$name" ] || build/lathe --no-init -e "lesson $name" >"$scratch/out" 2>&1 </dev/null ||
        fail "lesson $name: $(cat "$scratch/out")"
done

cd "$scratch/elsewhere" || exit 1
"$scratch/tree/build/lathe" --no-init -f "$scratch/tree/scripts/derivations/mm-cpu.lathe" >"$scratch/out" 2>&1 || fail "mm-cpu: $(tail -5 "$scratch/out")"
mkdir -p a/b
echo 'let near (x: [N]f32) = map abs x' >a/b/near.fun
echo 'let above (x: [N]f32) = map abs x' >a/above.fun
echo 'let here (x: [N]f32) = map abs x' >here.fun
printf 'load near.fun\nload above.fun\nload here.fun\nsource inner.lathe\nload ./near.fun\nload ../above.fun\n' >a/b/x.lathe
printf 'load above.fun\n' >a/inner.lathe
echo 't.load("near.fun") print(t.load("above.fun"))' >a/b/x.lua
for script in a/b/x.lathe a/b/x.lua "$PWD/a/b/x.lathe"; do
    "$scratch/tree/build/lathe" --no-init "$script" >"$scratch/out" 2>&1 </dev/null || fail "$script: $(cat "$scratch/out")"
done
"$scratch/tree/build/lathe" --no-init -e 'source a/b/x.lathe' -e 'load near.fun' >"$scratch/out" 2>&1 && fail "a script's folder is searched after it"

[ $bad -eq 0 ] && echo "fresh: all as it should be"
exit $bad
