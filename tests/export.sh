#!/bin/sh
# export: what `export script` writes gives the same terms in a fresh lathe; files, pictures and pages. Usage: export.sh LATHE
set -eu
lathe=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
bad=0

fail() {
    echo "export: $1"
    [ ! -f "$scratch/out" ] || tail -5 "$scratch/out"
    bad=1
}

run() { "$lathe" --no-init --set verbose=0 "$@" >"$scratch/out" 2>&1; }

# hash_of SCRIPT: of the version that is current after it
hash_of() { "$lathe" --no-init --set verbose=0 -f "$1" -e 'info /' 2>/dev/null | sed -n 's/^  hash  *//p'; }

# again NAME: scripts exported after $scratch/NAME.lathe, with macros and with their inner steps, come to the same hash
again() {
    want=$(hash_of "$scratch/$1.lathe")
    [ -n "$want" ] || fail "$1 does not run"
    for flag in '' --expand; do
        made=$scratch/$1$flag-made.lathe
        run -f "$scratch/$1.lathe" -e "export script $made $flag" || fail "$1 $flag is not exported"
        [ "$(tail -1 "$made" | sed 's/^tag .*//')" = "expect $want" ] || grep -q "^expect $want" "$made" || fail "$1 $flag does not expect its hash"
        run -f "$made" || fail "$1 $flag does not repeat"
        [ "$(hash_of "$made")" = "$want" ] || fail "$1 $flag comes to another hash"
    done
}

for name in register-blocking mm-cpu mm-gpu combined dot-gpu asum-fused gemv-gpu; do
    echo "source scripts/derivations/$name.lathe" >"$scratch/$name.lathe"
    again $name
done

cat >"$scratch/edited.lathe" <<'EOF'
let twice (xs: [N]f32) = map (\x -> x * 2.0) xs
apply mapGlobal(0)
lua t.code{source = "kernel void twice_k0(const global float *restrict xs, global float *restrict out)\n{\n\n    out[get_global_id(0)] = 2 * xs[get_global_id(0)];\n}"}
EOF
again edited

cat >"$scratch/params.lathe" <<'EOF'
load tests/programs/mm.fun
data N = 512
data A = iota
apply splitJoin
apply mapInterchange at /in/f/body
param s0 = 8
apply splitJoin at /in/f/body/in as tiles
param s1 = ?
param s0 = 16
lower
EOF
again params

cat >"$scratch/inner.lathe" <<'EOF'
load tests/programs/mm.fun
rule half(n): map f x => join (map (map f) (split n x)) when n divides (length x)
macro halves(k) = half(k) * topdown(reduceSeq) * half(2) ^ 0
apply halves(4)
goto @1.1
apply topdown(reduceSeq) * everywhere(reduceMapFusion)
EOF
again inner

# a step that drifts is named, with exit code 7
sed 's/splitJoin(4)/splitJoin(8)/' "$scratch/register-blocking-made.lathe" >"$scratch/drift.lathe"
code=0
run -f "$scratch/drift.lathe" || code=$?
[ $code -eq 7 ] && grep -q '^E40 mm@1 .*splitJoin(8)' "$scratch/out" || fail "a drifted step is not found (code $code)"

# files: an existing one stays unless forced; --restricted writes none
echo kept >"$scratch/there"
if run tests/programs/scal.fun -e "export md $scratch/there"; then fail "an existing file was written over"; fi
[ "$(cat "$scratch/there")" = kept ] || fail "an existing file was changed"
run tests/programs/scal.fun -e "export md $scratch/there --force" || fail "--force does not write"
grep -q '^# scal' "$scratch/there" || fail "the page is not there"
if run --restricted tests/programs/scal.fun -e "export md $scratch/no"; then fail "--restricted writes files"; fi
if run tests/programs/scal.fun -e "export md $scratch/no/such/folder"; then fail "a folder that does not exist"; fi

if command -v dot >/dev/null; then
    run tests/programs/mm.fun -e 'apply splitJoin' -e "export dot \"$scratch/a tree.svg\"" -e "export dot $scratch/term.png --term" || fail "no pictures"
    grep -q '<svg' "$scratch/a tree.svg" || fail "the tree is no SVG"
    [ "$(head -c 4 "$scratch/term.png" | tail -c 3)" = PNG ] || fail "the term is no PNG"
fi
if command -v pdflatex >/dev/null; then
    run -f "$scratch/inner.lathe" -e "export tex $scratch/chain.tex" || fail "no LaTeX"
    (cd "$scratch" && pdflatex -interaction=nonstopmode -halt-on-error chain.tex >out 2>&1) || fail "LaTeX does not take the chain"
fi
exit $bad
