#!/bin/sh
# bless: what transcript.sh accepts, and what BLESS=1 makes of a transcript that differs. Usage: bless.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
run=$PWD/tests/transcript.sh
cd "$scratch"
unset BLESS CI

# expect NAME: that BLESS=1 makes NAME.good of NAME.t, and that this passes then
expect() {
    sh "$run" "$lathe" "$1.t" >"$1.out" 2>&1 && fail "$1 passes as it is"
    BLESS=1 sh "$run" "$lathe" "$1.t" >"$1.out" 2>&1
    diff -u "$1.good" "$1.t" || fail "$1: not what was to come of it"
    sh "$run" "$lathe" "$1.t" >"$1.out" 2>&1 || fail "$1 does not pass: $(cat "$1.out")"
}

cat >good <<'END'
> let f (x: [N]f32) = map abs x
f : ** -> [N]f32
> !echo one two; echo three; echo '* 4'
one *
three
* 4
> !printf '+ seen\n+ let me\n> no\n\n'
+ seen
+ let me
> no

> !echo $$
*
> data N = 4
> = 1 + 1
2
END
cp good good.t
sh "$run" "$lathe" good.t >good.out 2>&1 && fail "it typed an output"
grep -v '^> no' good | sed 's/> no.n//' >good.t
cp good.t base
sh "$run" "$lathe" good.t >good.out 2>&1 || fail "a good one: $(cat good.out)"

# lines that are gone, new and changed before wildcards
{ echo '> = 7'; echo 8; echo 'and gone'; cat base; } >gone.t
{ echo '> = 7'; echo 7; cat base; } >gone.good
expect gone
{ echo '> !echo a; echo b; echo c'; cat base; } >new.t
{ echo '> !echo a; echo b; echo c'; printf 'a\nb\nc\n'; cat base; } >new.good
expect new
sed '/^three/d; s/^2$/3/' base >inside.t
cp base inside.good
expect inside
sed 's/^one \*/two */; s/^+ seen/+ lost/' base >other.t
sed 's/^one \*/one two/' base >other.good
expect other

# of what is measured the figures are free, and no word is
cat >figures.t <<'END'
> !printf '  build   31 ms   local 0 B/WG\n          error 1e-07, 2 x the source\n'
  build   - ms        local 2.5 KiB/WG
          error 0.003, 1.5e+02 x **
END
sh "$run" "$lathe" figures.t >figures.out 2>&1 || fail "figures: $(cat figures.out)"
sed '2s/local/private/' figures.t >words.t
sh "$run" "$lathe" words.t >words.out 2>&1 && fail "another word passes"

[ $bad -eq 0 ] && echo "bless: as it should be"
exit $bad
