#!/bin/sh
# host: the programs of `code --host` compile without a warning, run, and print what `eval` says. Usage: host.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
command -v cc >/dev/null || skip "no C compiler"

numbers() { sed 's/^[a-z_0-9]*: //; s/true/1/g; s/false/0/g' | grep -oE -- '-?[0-9][0-9.]*(e[-+]?[0-9]+)?' | sort -g | head -"$1"; }

# same NAME COUNT: numbers of the program NAME and of `eval`, both sorted; the head that both print is all there is
same() {
    (cd "$scratch" && "./$1") >"$scratch/said" || { fail "$1 does not run, or is wrong: $(cat "$scratch/said")"; return; }
    grep -q '^time: [0-9.]* ms median of 3 ' "$scratch/said" || fail "$1 has no time: $(cat "$scratch/said")"
    grep -q ' compared, 0 wrong$' "$scratch/said" || fail "$1 compares nothing: $(cat "$scratch/said")"
    grep -v -e '^time: ' -e ' compared, ' "$scratch/said" >"$scratch/out"
    numbers "$2" <"$scratch/out" >"$scratch/got"
    sed -n '2p' "$scratch/eval" | numbers "$2" >"$scratch/want"
    [ "$(wc -l <"$scratch/got")" = "$2" ] || fail "$1 prints $(cat "$scratch/out")"
    paste "$scratch/got" "$scratch/want" | awk '{ d = $1 - $2; m = $2 < 0 ? -$2 : $2 } d > 1e-4 * (m + 1) || -d > 1e-4 * (m + 1) || NF != 2 { exit 1 }' ||
        fail "$1 prints $(tr '\n' ' ' <"$scratch/got"), eval says $(tr '\n' ' ' <"$scratch/want")"
}

# try NAME COUNT: the session $scratch/NAME.lathe
try() {
    "$lathe" --no-init --set verbose=0 --set trials=3 -f "$scratch/$1.lathe" -e "code --host -o $scratch/$1.c" -e "eval > $scratch/eval" >"$scratch/log" 2>&1 ||
        { fail "$1: $(tail -2 "$scratch/log")"; return; }
    cc -Wall -Wextra -Werror -O1 "$scratch/$1.c" -lOpenCL -lm -o "$scratch/$1" 2>"$scratch/log" || { fail "$1 does not compile: $(head -3 "$scratch/log")"; return; }
    same "$1" "$2"
}

cat >"$scratch/sum.lathe" <<'E1'
load tests/programs/dot.fun
data N = 4096
lower
E1
try sum 1

# a name that would end the comment in which it stands
mkdir "$scratch/a*"
head -c 4096 /dev/zero >"$scratch/a*/b.bin"
cat >"$scratch/named.lathe" <<E1
let f (xs: [N]f32) = reduce (+) 0 (map (\\x -> x + 1) xs)
data N = 1024
data xs = file("$scratch/a*/b.bin")
lower
E1
try named 1

cat >"$scratch/image.lathe" <<'E1'
load tests/programs/blur.fun
data N = 2
data M = 4
lower
E1
try image 8

# an image that is written, by a kernel that the next one reads it of
cat >"$scratch/written.lathe" <<'E1'
let written (A: [N][M]f32) = mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x * 2)) (asVector 4 r))) (toImage (toGlobalImage (mapGlobal 1 (\r -> asScalar (mapGlobal 0 (mapVec (\x -> x + 1)) (asVector 4 r))) A)))
data N = 2
data M = 4
apply toGlobalImage
E1
try written 8

# loops: of a known number of rounds, one within another, ended by a test
cat >"$scratch/heat.lathe" <<'E1'
load tests/programs/heat.fun
data N = 2
data M = 4
lower
E1
try heat 8

cat >"$scratch/bitonic.lathe" <<'E1'
load tests/programs/bitonic.fun
data N = 8
lower
E1
try bitonic 8

# tuples, booleans, a scalar by value, values that are written down
cat >"$scratch/mixed.lathe" <<'E1'
let mixed (a : f32) (b : i64) (xs: [N](i32, f64)) (flags: [N]bool) = mapGlobal 0 (\(f, (i, d)) -> (if f then i else 7, d * 2.0)) (zip flags xs)
data N = 4
data xs = [(1, 2.5), (3, -1e300), (4, 0.1), (-5, 6.0)]
E1
try mixed 8

cat >"$scratch/scaled.lathe" <<'E1'
let scaled (a : f32) (k : i32) (xs: [N]i32) (ys: [N]u32) = mapGlobal 0 (\(x, y) -> f32 (x * k) * a + f32 y) (zip xs ys)
data a = const(0.5)
data xs = random(3, -5.5, 5.5)
data ys = iota
set sizes argument
E1
try scaled 8

cat >"$scratch/brains.lathe" <<'E1'
let brains (a: bf16) (xs: [N](bf16, bf16)) (zs: [N]bf16) (n: [N]bf16) = mapGlobal 0 (\((x, y), v, k) -> a * x + y - v * k) (zip xs zs n)
data N = 4
data a = 0.75
data xs = [(1.5, 0.25), (-3, 300), (0.5, 7.125), (1, 2)]
data zs = const(0.5)
data n = iota
E1
try brains 4

# small types, by value and written down; a half by value, on devices that only store it
cat >"$scratch/small.lathe" <<'E1'
let small (a : i8) (h : f16) (xs: [N](u8, i16)) (ys: [N]u64) (zs: [N]u16) = mapGlobal 0 (\((x, y), z, v) -> (x + 200, y * i16 a, bxor z 255, f16 (f32 h * f32 v))) (zip xs ys zs)
data N = 2
data a = const(-7)
data h = const(0.5)
data xs = [(255, -32768), (3, 300)]
data ys = [18446744073709551615, 7]
data zs = random(3, 0, 1e9)
E1
try small 8

printf '\001\000\000\000\002\000\000\000\003\000\000\000\004\000\000\000' >"$scratch/xs.bin"
cat >"$scratch/file.lathe" <<E1
let file (xs: [4]i32) = mapGlobal 0 (\\x -> x * x) xs
data xs = file("$scratch/xs.bin")
E1
try file 4
printf '\005\000\000\000\005\000\000\000\005\000\000\000\005\000\000\000' >"$scratch/other.bin"
[ "$("$scratch/file" "$scratch/other.bin" | grep -v '^time: ')" = "out: 25 25 25 25" ] || fail "a file on the command line is not read"
! "$scratch/file" "$scratch/file.c" >/dev/null 2>&1 || fail "a file of another size is read"

# one that is wrong says so
sed 's/\(file_k0\|out\[.*\]\) = \(.*\);\\n/\1 = \2 + 1;\\n/' "$scratch/file.c" >"$scratch/wrong.c"
cmp -s "$scratch/file.c" "$scratch/wrong.c" && fail "nothing was made wrong"
cc "$scratch/wrong.c" -lOpenCL -lm -o "$scratch/wrong"
"$scratch/wrong" >"$scratch/out" && fail "a wrong kernel is right: $(cat "$scratch/out")"
grep -q '^out: 4 of 4 elements compared, 4 wrong$' "$scratch/out" || fail "a wrong kernel: $(cat "$scratch/out")"

# kernels edited by hand
sed 's/^let file/let edited/; $a code --edit '"$scratch"'/new.cl' "$scratch/file.lathe" >"$scratch/edited.lathe"
echo 'kernel void edited_k0(const global int *restrict xs, global int *restrict out) { int i = get_global_id(0); out[i] = xs[i] * xs[i]; }' >"$scratch/new.cl"
try edited 4
exit $bad
