#!/bin/sh
# oneliners: programs of one line over every scalar type, lowered by default at a size that makes vectors and at an odd one, run and verified;
# integers also on the extremes of their types. Then programs whose integers hang on float tests. Usage: oneliners.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
"$lathe" -q --no-init -e 'device cpu' >/dev/null 2>&1 || exit 77        # no device to run on

cat >"$scratch/table" <<'END'
f32 map (\a -> if a > 0.5 then sqrt a else if a < -0.5 then -a else a * a) x
f32 map (\a -> select (a > 0) a (a * 2)) x
f32 map (\a -> min a 0.25 + max a (-0.25)) x
f32 map (\a -> i32 (floor (a * 100)) % 7) x
f32 map (\a -> if i32 (a * 8) == 3 then 1 else 0) x
f32 map (\a -> f64 a * 2.0) x
f32 map (\a -> if !(a > 0) || a > 0.5 then a else 0) x
f32 map (\a -> if a * a + a * 0.3 > 0.25 then 1 else 0) x
f32 map (\a -> i64 (a * 1000)) x
f64 map (\a -> if a > 0 then a else a * 2) x
f64 map (\a -> select (a > 0) a (a * 2)) x
f64 map (\a -> if a > 0 && a < 0.5 then sqrt a else a) x
f64 map (\a -> if a > 0 then 1 else 0) x
f64 map (\a -> i64 (a * 100) // 3) x
f64 map (\a -> a == 0 || a != a) x
f64 map (\a -> if i32 (a * 8) > 3 then a else -a) x
f64 map (\a -> if (a > 0) == (f32 a > 0.5f32) then 1i64 else 2i64) x
i32 map (\a -> select (a > 0) a (a * 2)) x
i32 map (\a -> if a + 1 > a then 1 else 0) x
i32 map (\a -> if a - 1 < a then 1 else 0) x
i32 map (\a -> if a * 2 // 2 == a then 1 else 0) x
i32 map (\a -> if -a < 0 then 1 else 0) x
i32 map (\a -> if abs a >= 0 then abs (a - 3) else 0) x
i32 map (\a -> shl a 1 + shl 1 a) x
i32 map (\a -> shr a 33 + shr a (band a 31)) x
i32 map (\a -> a // 3 + a % 3) x
i32 map (\a -> quot a 3 + rem a 3) x
i32 map (\a -> a // (-1) + a % (-1)) x
i32 map (\a -> quot a (-1) + rem a (-1)) x
i32 map (\a -> a // (bor a (-1)) + a % (bor a (-1))) x
i32 map (\a -> quot a (bor a (-1)) + rem a (bor a (-1))) x
i64 map (\a -> a // (bor a (-1)) - quot a (bor a (-1))) x
i32 map (\a -> if a == 0 then 7 else 100 / a + 100 % a) x
i32 map (\a -> min a 3 - max a (-3)) x
i32 map (\a -> f32 a * 0.5) x
i32 map (\a -> f64 a * 0.5) x
i32 map (\a -> i64 a * i64 a - i64 a) x
i32 map (\a -> u32 (band a 255) + u32 (a % 7)) x
i32 map (\a -> (a > 0) == (a < 5)) x
i32 map (\a -> a * a * a - -a) x
i32 map (\a -> 2147483647 + 1 + a) x
i32 reduce (+) 0 x
i32 reduce (+) 0 (map (\a -> if a > 0 then a * 3 else 1) x)
i64 map (\a -> if a > 0 && a < 5 then a else 0) x
i64 map (\a -> select (a > 0) a (a * 2)) x
i64 map (\a -> if a + 1 > a then 1 else 0) x
i64 map (\a -> abs a - 1) x
i64 map (\a -> shl a 3 + shl 1 a + shr a 65) x
i64 map (\a -> a // 3 + a % 3) x
i64 map (\a -> quot a (-1) + rem a (-1)) x
i64 map (\a -> if a > 1 then f32 1 else f32 a) x
i64 map (\a -> i32 (a % 100)) x
i64 map (\a -> if a == 0 then 7 else 100 / a) x
i64 reduce (+) 0 x
u32 map (\a -> select (a > 3) a (a - 5)) x
u32 map (\a -> if a + 1 > a then a - 1 else -a) x
u32 map (\a -> shl a 31 + shl a (a + 30) + shr a 1) x
u32 map (\a -> abs a // 3 + a % 3) x
u32 map (\a -> if a > 7 then i64 a - 10 else i64 a) x
bool map (\a -> if a then 1.5 else 2.5) x
bool map (\a -> if a then f64 1 else f64 2) x
bool map (\a -> if a then i64 1 else i64 2) x
bool map (\a -> i32 a + 1 + (i32 (!a))) x
bool map (\a -> (a && !a || a) == select a false true) x
END
# integers that C makes ints of, and those of 64 bits without a sign
for type in i8 u8 i16 u16 u64; do
    sed "s/^/$type /" <<'END'
map (\a -> (a + 1, a * a - 3, -a, abs a, min a 3, max a (a - 5), a * a * a - -a)) x
map (\a -> (a // 3, a % 3, quot a 3, rem a 3, a // bor a 1, a % bor a 1, quot a (bor a 1), rem a (bor a 1))) x
map (\a -> (shl a 1 + shl 1 a, shr a 3, shr a (a + 9), band a 6, bor a 1, bxor a (a + 1))) x
map (\a -> (if a + 1 > a then a - 1 else -a, a == 3, a * 2 // 2 == a, min (a + 1) (a * 3), select (a * 3 > a + 1 && a != 5) 7 (max a 2))) x
map (\a -> let b = band a 15 in (i8 b + 127, u8 b - 3, i16 b * 4000, u16 b * 60000, i64 b * 3, u64 b - 7, bool a, f64 a)) x
map (\a -> a * a + shr a 2) x
scan (+) 1 x
reduce (+) 0 (map (\a -> if a > 3 then a * 3 else 1) x)
END
done >>"$scratch/table"
for type in i8 i16; do
    sed "s/^/$type /" <<'END'
map (\a -> (a // bor a (-1), quot a (bor a (-1)) + rem a (bor a (-1)), abs (a - 3), a // (-1) + a % (-1))) x
END
done >>"$scratch/table"

# runs COMMAND...: every line of the table after these commands
i=0
runs() {
    while read -r type body; do
        i=$((i + 1))
        printf 'let line%d (x: [N]%s) = %s\n' "$i" "$type" "$body"
        for command; do echo "$command"; done
        printf 'lower\nrun\n'
    done <"$scratch/table"
}

{
    runs 'data N = 4096'
    runs 'data N = 97'
    grep '^[iu]' "$scratch/table" | grep -v 'if a == 0\|f32\|f64\|u32 (\|i32 (' >"$scratch/defined"
    mv "$scratch/defined" "$scratch/table"
    runs 'data N = 97' 'data x = adversarial(3)'
    cat <<'END'
let mandelbrot (xs: [M]f32) (ys: [N]f32) = map (\cy -> map (\cx -> (reduceSeq (\((x, y, n), i) -> let u = x*x - y*y + cx in let v = 2*x*y + cy in if x*x + y*y > 4.0 then (x, y, n) else (u, v, n + 1)) (0.0, 0.0, 0) (iota 64)).2) xs) ys
data N = 128
data M = 128
data xs = random(1,-2,1)
data ys = random(2,-1,1)
lower
run
let logistic (x: [N]f32) = map (\a -> reduceSeq (\(v, i) -> 3.9 * v * (1 - v) + 0.01 * v * v) (abs a) (iota 60) > 0.5) x
data N = 4096
lower
run
let digits (x: [N]f32) = map (\a -> i32 (floor (10 * (reduceSeq (\(s, i) -> s + 0.1 * f32 i) a (iota 50))))) x
data N = 4096
data x = const(0)
lower
run
END
} >"$scratch/script.lathe"
wanted=$(grep -c '^run$' "$scratch/script.lathe")
"$lathe" -q --no-init --keep-going --set trials=1 --set warmup=0 --set seeds=1 -x -f "$scratch/script.lathe" >"$scratch/out" 2>&1 || true
[ "$(grep -c 'verify  OK' "$scratch/out")" -eq "$wanted" ] && exit 0
awk '/^\+ let/ { program = $0 } /^E[0-9]/ { print program; print }' "$scratch/out"
tail -3 "$scratch/out"
exit 1
