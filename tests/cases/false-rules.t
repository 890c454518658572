> set silence W07
> rule swapped: join (transpose (split k x)) => x
rule swapped
  join (transpose (split k x))  =>  x
  user; assumed
> check swapped
# a counterexample to swapped, of seed 1
rule swapped: join (transpose (split k x)) => x
let counterexample (x: [4]f32) = join . transpose . split 2 $ x
data x = [0, 0, 1, 0]
eval
apply swapped at /
eval
E31 swapped does not hold
  rule    join (transpose (split k x))  =>  x
  found   element [1] is 1 on the left, 0 on the right
  try     check swapped > swapped.lathe        keeps these commands
  next    source swapped.lathe
> rule uneven(n): map f x => join (map (map f) (split n x))
rule uneven(n)
  map f x  =>  join (map (map f) (split n x))
  n: a size; left out: a fresh parameter
  user; assumed
> check uneven
# a counterexample to uneven, of seed 1
rule uneven(n): map f x => join (map (map f) (split n x))
let counterexample (x: [1]f32) = map (\x1 -> (1 + 1) * 2) x
data x = [3]
eval
apply uneven(2) at /
E31 uneven does not hold
  rule    map f x  =>  join (map (map f) (split n x))
  found   the rule does not apply: it needs a right side that fits, found split: 2 must divide 1
  try     check uneven > uneven.lathe        keeps these commands
  next    source uneven.lathe
> rule strided(s): map f x => reorder (stride ((length x)/s)) (map f (reorder (stride s) x))
rule strided(s)
  map f x  =>  reorder (stride ((length x)/s)) (map f (reorder (stride s) x))
  s: a size; left out: a fresh parameter
  user; assumed
> check strided
# a counterexample to strided, of seed 1
rule strided(s): map f x => reorder (stride ((length x)/s)) (map f (reorder (stride s) x))
let counterexample (x: [1]f32) = map (\x1 -> (1 + 1) * 2) x
data x = [3]
eval
apply strided(2) at /
E31 strided does not hold
  rule    map f x  =>  reorder (stride ((length x)/s)) (map f (reorder (stride s) x))
  found   the rule does not apply: it needs a right side that fits, found this exact division of sizes does not come out even
  try     check strided > strided.lathe        keeps these commands
  next    source strided.lathe
> rule chunked(n): reduce f z x => reduce f z (map (reduce f z) (split n x)) when n divides (length x)
rule chunked(n)
  reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> check chunked
# a counterexample to chunked, of seed 1
rule chunked(n): reduce f z x => reduce f z (map (reduce f z) (split n x)) when n divides (length x)
let counterexample (z: i32) (x: [1]i32) = reduce (+) z x
data z = 1
data x = [0]
eval
apply chunked(1) at /
eval
E31 chunked does not hold
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when n divides (length x)
  found   the result is 1 on the left, 2 on the right
  try     check chunked > chunked.lathe        keeps these commands
  next    source chunked.lathe
> rule shuffled(p): reduce f z x => reduce f z (reorder p x) when associative f
rule shuffled(p)
  reduce f z x  =>  reduce f z (reorder p x)  when associative f
  p: a permutation
  user; assumed
> check shuffled
# a counterexample to shuffled, of seed 1
rule shuffled(p): reduce f z x => reduce f z (reorder p x) when associative f
let affine ((a, b), (c, d)) = (a * c, b * c + d) with associative neutral (1, 0)
let counterexample (z: (i32, i32)) (x: [2](i32, i32)) = reduce (\((a, b), (c, d)) -> (a * c, b * c + d)) z x
data z = (0, 0)
data x = [(0, 0), (0, 1)]
eval
apply shuffled(perm([[\x -> 1 - x]], [[\x -> 1 - x]])) at /
eval
E31 shuffled does not hold
  rule    reduce f z x  =>  reduce f z (reorder p x)  when associative f
  found   the result, component 1 is 1 on the left, 0 on the right
  try     check shuffled > shuffled.lathe        keeps these commands
  next    source shuffled.lathe
> rule turned: map (\a -> map (\b -> e a b) ys) xs => map (\b -> map (\a -> e a b) xs) ys
rule turned
  map (\a -> map (\b -> e a b) ys) xs  =>  map (\b -> map (\a -> e a b) xs) ys
  user; assumed
> check turned
# a counterexample to turned, of seed 1
rule turned: map (\a -> map (\b -> e a b) ys) xs => map (\b -> map (\a -> e a b) xs) ys
let counterexample (xs: [2]f32) (ys: [2]i32) = map (\a -> map (\b -> a) ys) xs
data xs = [0, 1]
data ys = [0, 0]
eval
apply turned at /
eval
E31 turned does not hold
  rule    map (\a -> map (\b -> e a b) ys) xs  =>  map (\b -> map (\a -> e a b) xs) ys
  found   element [0][1] is 0 on the left, 1 on the right
  try     check turned > turned.lathe        keeps these commands
  next    source turned.lathe
> rule captured: map (\c -> reduceSeq (\(acc, x) -> e acc x) (z c) (xs c)) cs => reduceSeq (\(accs, ys) -> map (\(acc, x) -> e acc x) (zip accs ys)) (map (\c -> z (cs[0])) cs) (transpose (map (\c -> xs c) cs))
rule captured
  map (\c -> reduceSeq (\(acc, x) -> e acc x) (z c) (xs c)) cs  =>  reduceSeq (\(accs, ys) -> map (\(acc, x) -> e acc x) (zip accs ys)) (map (\c -> z (cs[0])) cs) (transpose (map (\c -> xs c) cs))
  user; assumed
> check captured
# a counterexample to captured, of seed 1
rule captured: map (\c -> reduceSeq (\(acc, x) -> e acc x) (z c) (xs c)) cs => reduceSeq (\(accs, ys) -> map (\(acc, x) -> e acc x) (zip accs ys)) (map (\c -> z (cs[0])) cs) (transpose (map (\c -> xs c) cs))
let counterexample (cs: [2]f32) = map (\c -> reduceSeq (\(acc, x) -> x + acc) (max c c) (generate 1 (\i -> f32 i - c))) cs
data cs = [0, 1]
eval
apply captured at /
eval
E31 captured does not hold
  rule    map (\c -> reduceSeq (\(acc, x) -> e acc x) (z c) (xs c)) cs  =>  reduceSeq (\(accs, ys) -> map (\(acc, x) -> e acc x) (zip accs ys)) (map (\c -> z (cs[0])) cs) (transpose (map (\c -> xs c) cs))
  found   element [1] is 0 on the left, -1 on the right
  try     check captured > captured.lathe        keeps these commands
  next    source captured.lathe
> rule slid: slide k 1 x => slide k 1 (drop 1 (pad 0 1 clamp x))
rule slid
  slide k 1 x  =>  slide k 1 (drop 1 (pad 0 1 clamp x))
  user; assumed
> check slid
# a counterexample to slid, of seed 1
rule slid: slide k 1 x => slide k 1 (drop 1 (pad 0 1 clamp x))
let counterexample (x: [2]f32) = slide 2 1 x
data x = [0, 1]
eval
apply slid at /
eval
E31 slid does not hold
  rule    slide k 1 x  =>  slide k 1 (drop 1 (pad 0 1 clamp x))
  found   element [0][0] is 0 on the left, 1 on the right
  try     check slid > slid.lathe        keeps these commands
  next    source slid.lathe
> rule gathered: gather is x => scatter x is x
rule gathered
  gather is x  =>  scatter x is x
  user; assumed
> check gathered
# a counterexample to gathered, of seed 1
rule gathered: gather is x => scatter x is x
let counterexample (is: [2]i32) (x: [2]i32) = gather is x
data is = [0, 0]
data x = [0, 0]
eval
apply gathered at /
eval
E31 gathered does not hold
  rule    gather is x  =>  scatter x is x
  found   the left side has a value, the right side has none: scatter in /: index 0 is written twice
  try     check gathered > gathered.lathe        keeps these commands
  next    source gathered.lathe
> rule shared: map (\x -> map (\y -> e x y) (g x)) xs => map (\w -> map (\y -> e y y) w) (map (\x -> g x) xs)
rule shared
  map (\x -> map (\y -> e x y) (g x)) xs  =>  map (\w -> map (\y -> e y y) w) (map (\x -> g x) xs)
  user; assumed
> check shared
# a counterexample to shared, of seed 1
rule shared: map (\x -> map (\y -> e x y) (g x)) xs => map (\w -> map (\y -> e y y) w) (map (\x -> g x) xs)
let counterexample (xs: [1]i32) = map (\x -> map (\y -> abs . f32 $ x) (generate 1 (\i -> min i x))) xs
data xs = [1]
eval
apply shared at /
eval
E31 shared does not hold
  rule    map (\x -> map (\y -> e x y) (g x)) xs  =>  map (\w -> map (\y -> e y y) w) (map (\x -> g x) xs)
  found   element [0][0] is 1 on the left, 0 on the right
  try     check shared > shared.lathe        keeps these commands
  next    source shared.lathe
> rule fused: map f (map g x) => map (g . f) x
rule fused
  map f (map g x)  =>  map (g . f) x
  user; assumed
> check fused
# a counterexample to fused, of seed 1
rule fused: map f (map g x) => map (g . f) x
let counterexample (x: [1]i32) = map (\x1 -> x1 + x1) . map (\x1 -> x1 - -2) $ x
data x = [0]
eval
apply fused at /
eval
E31 fused does not hold
  rule    map f (map g x)  =>  map (g . f) x
  found   element [0] is 4 on the left, 2 on the right
  try     check fused > fused.lathe        keeps these commands
  next    source fused.lathe
> rule folded: reduceSeq f z (map g x) => reduceSeq (\(acc, y) -> g (f (acc, y))) z x
rule folded
  reduceSeq f z (map g x)  =>  reduceSeq (\(acc, y) -> g (f (acc, y))) z x
  user; assumed
> check folded
# a counterexample to folded, of seed 1
rule folded: reduceSeq f z (map g x) => reduceSeq (\(acc, y) -> g (f (acc, y))) z x
let counterexample (z: i32) (x: [1]i32) = reduceSeq (\(acc, x1) -> acc + acc) z . map (\x1 -> x1 - -2) $ x
data z = 0
data x = [0]
eval
apply folded at /
eval
E31 folded does not hold
  rule    reduceSeq f z (map g x)  =>  reduceSeq (\(acc, y) -> g (f (acc, y))) z x
  found   the result is 0 on the left, 2 on the right
  try     check folded > folded.lathe        keeps these commands
  next    source folded.lathe
> list rules -v fused
  fused                   map f (map g x)  =>  map (g . f) x
      user; assumed; refuted by check, seed 1
> # numbers of 8 bits: every value of one, and of several the ends of the type and what meets these after a step with a literal
> rule least: abs ((a: i8) - 61) < 0 && abs ((b: i8) - 59) < 0 => false
rule least
  abs ((a: i8) - 61) < 0 && abs ((b: i8) - 59) < 0  =>  false
  user; assumed
> check least
# a counterexample to least, of seed 1
rule least: abs ((a: i8) - 61) < 0 && abs ((b: i8) - 59) < 0 => false
let counterexample (a: i8) (b: i8) (us: [2]i32) = map (\x -> abs (a - 61) < 0 && abs (b - 59) < 0) us
data a = -67
data b = -69
data us = [0, 0]
eval
apply least at /f/body
eval
E31 least does not hold
  rule    abs ((a: i8) - 61) < 0 && abs ((b: i8) - 59) < 0  =>  false
  found   element [0] is true on the left, false on the right
  try     check least > least.lathe        keeps these commands
  next    source least.lathe
> rule leasts: abs ((a: i8) - 64) < 0 && abs ((b: i8) - 64) < 0 && abs ((c: i8) - 64) < 0 => false
rule leasts
  abs ((a: i8) - 64) < 0 && abs ((b: i8) - 64) < 0 && abs ((c: i8) - 64) < 0  =>  false
  user; assumed
> check leasts
# a counterexample to leasts, of seed 1
rule leasts: abs ((a: i8) - 64) < 0 && abs ((b: i8) - 64) < 0 && abs ((c: i8) - 64) < 0 => false
let counterexample (a: i8) (b: i8) (c: i8) (us: [1]i32) = map (\x -> abs (select (bool a) (select (bool a) a a) (min 2 a) - 64) < 0 && abs (reduceSeq (\(acc, x1) -> if reduceSeq (\(acc1, x2) -> if reduceSeq (\(acc2, x3) -> acc2) acc1 (iota 4) then acc1 else acc1) (bool x1) (iota 1) then acc else acc) b (iota 4) - (b - b) - 64) < 0 && abs (c - 64) < 0) us
data a = -64
data b = -64
data c = -64
data us = [0]
eval
apply leasts at /f/body
eval
E31 leasts does not hold
  rule    abs ((a: i8) - 64) < 0 && abs ((b: i8) - 64) < 0 && abs ((c: i8) - 64) < 0  =>  false
  found   element [0] is true on the left, false on the right
  try     check leasts > leasts.lathe        keeps these commands
  next    source leasts.lathe
> # an array that is read at every number below a size is as long as that where the rule's own numbers ask for it
> rule read37: map (\i -> if i == 37 then 1 else x[i]) (iota n) => map (\i -> x[i]) (iota n)
rule read37
  map (\i -> if i == 37 then 1 else x[i]) (iota n)  =>  map (\i -> x[i]) (iota n)
  user; assumed
> check read37 | tail -3
eval
apply read37 at /
eval
E31 read37 does not hold
  rule    map (\i -> if i == 37 then 1 else x[i]) (iota n)  =>  map (\i -> x[i]) (iota n)
  found   the left side has a value, the right side has none: x[i] in /f/body: index 37 is out of range
  try     check read37 > read37.lathe        keeps these commands
  next    source read37.lathe
> rule read100: generate n (\i -> if i > 99 then y[i] else x[i]) => generate n (\i -> x[i])
rule read100
  generate n (\i -> if i > 99 then y[i] else x[i])  =>  generate n (\i -> x[i])
  user; assumed
> check read100 | tail -3
eval
apply read100 at /
eval
E31 read100 does not hold
  rule    generate n (\i -> if i > 99 then y[i] else x[i])  =>  generate n (\i -> x[i])
  found   element [100] of component 1 is 0 on the left, 1 on the right
  try     check read100 > read100.lathe        keeps these commands
  next    source read100.lathe
> rule read63: map (\i -> x[i] + y[i]) (iota n) => map (\i -> x[i] + y[min i 63]) (iota n)
rule read63
  map (\i -> x[i] + y[i]) (iota n)  =>  map (\i -> x[i] + y[min i 63]) (iota n)
  user; assumed
> check read63 | tail -3
eval
apply read63 at /
eval
E31 read63 does not hold
  rule    map (\i -> x[i] + y[i]) (iota n)  =>  map (\i -> x[i] + y[min i 63]) (iota n)
  found   element [64] is 1 on the left, 0 on the right
  try     check read63 > read63.lathe        keeps these commands
  next    source read63.lathe
> # two sizes, each of which is to be a number of its own
> rule both53and3: if length x == 53 && length y == 3 then 1 else 0 => 0
rule both53and3
  if length x == 53 && length y == 3 then 1 else 0  =>  0
  user; assumed
> check both53and3 | tail -1
eval
E31 both53and3 does not hold
  rule    if length x == 53 && length y == 3 then 1 else 0  =>  0
  found   the result is 1 on the left, 0 on the right
  try     check both53and3 > both53and3.lathe        keeps these commands
  next    source both53and3.lathe
> rule three: if length x == 3 && 53 == length y && length z == 7 then 1 else 0 => 0
rule three
  if length x == 3 && 53 == length y && length z == 7 then 1 else 0  =>  0
  user; assumed
> check three | tail -1
eval
E31 three does not hold
  rule    if length x == 3 && 53 == length y && length z == 7 then 1 else 0  =>  0
  found   the result is 1 on the left, 0 on the right
  try     check three > three.lathe        keeps these commands
  next    source three.lathe
