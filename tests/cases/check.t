> check mapFusion
mapFusion holds on 500 instances, seed 1
> help mapFusion
rule mapFusion
  map f (map g x)  =>  map (f . g) x
  two maps in a row are one map of the composition
  fusion; builtin; checked by 500 instances, seed 1; from ICFP'15 fig. 6f
  for example  map f32 . map (\x1 -> x1 + x1) $ x  =>  map (\x1 -> f32 (x1 + x1)) x      x: [5]i32
> check mapSeq --trials 50
mapSeq holds on 50 instances, seed 1
  its sides are one to the interpreter; what it says about work-items and memory shows when kernels run
> check transposeMaps --seed 7 --trials 100
transposeMaps holds on 100 instances, seed 7
transposeMaps.rev holds on 100 instances, seed 7
> list rules transposeMaps -v
  transposeMaps           transpose (map (map f) x)  =>  map (map f) (transpose x)
      layout; builtin; checked by 100 instances, seed 7; an element-wise map commutes with transpose; GPGPU'16
  transposeMaps.rev       map (map f) (transpose x)  =>  transpose (map (map f) x)
      layout; builtin; checked by 100 instances, seed 7; an element-wise map commutes with transpose; GPGPU'16
> rule half(n): reduce f z x => reduce f z (map (reduce f z) (split n x)) when associative f and neutral z f and n divides (length x)
rule half(n)
  reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and neutral z f and n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> let sum (xs: [N]f32) = reduce (+) 0 (map (\x -> x * 2) xs)
sum : [N]f32 -> f32
> apply half
@1  half{n=s0}  at /                    assumed    from @0
  - reduce (+) 0 ∘ map (λx → x * 2) $ xs
  + reduce (+) 0 ∘ map (reduce (+) 0) ∘ split s0 ∘ map (λx → x * 2) $ xs
  type   f32                          unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        9 legal values for N = 256
  focus  /  ->  /                     9 moves here
W08 rule half is "assumed": versions built with it are marked ?      (check half; silence: set silence W08)
> apply topdown(mapSeq)
@2  topdown(mapSeq)  at /in             builtin    from @1
  - map (reduce (+) 0) ∘ split s0 ∘ map (λx → x * 2) $ xs
  + mapSeq (reduce (+) 0) ∘ split s0 ∘ map (λx → x * 2) $ xs
  type   [N/s0]f32                    unchanged
  focus  /  ->  /                     8 moves here
> check half --seed 3
half holds on 500 instances, seed 3; 2 of them up to rounding (help trust)
  half is checked now; it was assumed
  so these versions do not rest on an assumed rule any more: @1, @2
> help half
rule half(n)
  reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and neutral z f and n divides (length x)
  n: a size; left out: a fresh parameter
  user; checked by 500 instances, seed 3
  for example  reduce (*) 1 x  =>  reduce (*) 1 . map (reduce (*) 1) . split 4 $ x      x: [4]f32
> log
  @0  source
  @1  half{n=s0}  at /  checked
* @2  topdown(mapSeq)  at /in  checked
> rule swap: map f (map g x) => map (g . f) x
rule swap
  map f (map g x)  =>  map (g . f) x
  user; assumed
> rule twice: map f x => map (f . f) x
rule twice
  map f x  =>  map (f . f) x
  user; assumed
> apply topdown(twice)
@3  topdown(twice)  at /in/in/in        assumed    from @2
  - map (λx → x * 2) xs
  + map (λx → x * 2 * 2) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     8 moves here
W08 rule twice is "assumed": versions built with it are marked ?      (check twice; silence: set silence W08)
> check @1
@1 equals @0 on 100 trials, seed 1; 7 of them up to rounding (help trust)
> check @2 @1
@1 equals @2 on 100 trials, seed 1
> check @3
# where @0 and @3 differ
use sum
data N = 1
data xs = [1]
eval @0
goto @3
param s0 = 1
eval
E31 @3 differs from @0
  found   the result is 2 on the left, 4 on the right; left is @0, right is @3
  try     check @3 > sum-3.lathe        keeps these commands
  next    source sum-3.lathe
> check @3 @2 --trials 20
# where @3 and @2 differ
use sum
data N = 1
data xs = [1]
goto @3
param s0 = 1
eval
goto @2
param s0 = 1
eval
E31 @2 differs from @3
  found   the result is 4 on the left, 2 on the right; left is @3, right is @2
  try     check @3 @2 --trials 20 > sum-2.lathe        keeps these commands
  next    source sum-2.lathe
> check twice
# a counterexample to twice, of seed 1
rule twice: map f x => map (f . f) x
let counterexample (x: [1]f32) = map (\x1 -> x1 + 3) x
data x = [0]
eval
apply twice at /
eval
E31 twice does not hold
  rule    map f x  =>  map (f . f) x
  found   element [0] is 3 on the left, 6 on the right
  try     check twice > twice.lathe        keeps these commands
  next    source twice.lathe
> log
  @0  source
  @1  half{n=s0}  at /  checked
  @2  topdown(mapSeq)  at /in  checked
* @3?  topdown(twice)  at /in/in/in  assumed
> undo; apply topdown(twice)
@2  topdown(mapSeq)
    reduce (+) 0 ∘ mapSeq (reduce (+) 0) ∘ split s0 ∘ map (λx → x * 2) $ xs
@4  topdown(twice)  at /in/in/in        assumed    from @2
  - map (λx → x * 2) xs
  + map (λx → x * 2 * 2) xs
  type   [N]f32                       unchanged
  same   term as @3        goto @3
  focus  /  ->  /                     8 moves here
W08 rule twice was refuted by a counterexample: versions built with it are marked ?      (check twice; silence: set silence W08)
> check @3 --seed 2
# where @0 and @3 differ
use sum
data N = 1
data xs = [1]
eval @0
goto @3
param s0 = 1
eval
E31 @3 differs from @0
  found   the result is 2 on the left, 4 on the right; left is @0, right is @3
  try     check @3 --seed 2 > sum-3.lathe        keeps these commands
  next    source sum-3.lathe
> rule even(n): map f x => join (map (map f) (split n x)) when good(n) and n divides (length x)
rule even(n)
  map f x  =>  join (map (map f) (split n x))  when good(n) and n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> check even
E32 no verdict on even after 0 instances: good(n) does not hold on what was drawn: there is no Lua function good
  skipped 401 draws gave no instance
> rule none: split 5 (take 3 x) => split 5 (take 3 x)
rule none
  split 5 (take 3 x)  =>  split 5 (take 3 x)
  user; assumed
> check none
E32 no verdict on none after 0 instances: no small sizes meet the facts of the left side and of `when`
  skipped 401 draws gave no instance
> check
E05 which rule or version is to be checked?
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> check half @1
E05 "@1" is one argument too many for check
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> check @1 @2 @3
E05 "@3" is one argument too many for check
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> check @9
E13 sum has no version @9; the newest is @4
  try     log
> check nosuch
E02 no rule called "nosuch"
  try     list rules
> check half --trials 0
E05 --trials must be a whole number from 1 to 1000000, not "0"
> check half --trials
E05 --trials needs a value
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> check half --bogus
E05 check has no flag "--bogus"
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> check tt.rev
E02 no rule called "tt.rev"
  try     list rules
> rule late: reduce f z x => reduce f z (reorder (stride 3) x) when associative f and commutative f
rule late
  reduce f z x  =>  reduce f z (reorder (stride 3) x)  when associative f and commutative f
  user; assumed
W07 the right side of late needs 3 divides (length x)      (rule late: reduce f z x => reduce f z (reorder (stride 3) x) when associative f and commutative f and 3 divides (length x); silence: set silence W07)
> check late
# a counterexample to late, of seed 1
rule late: reduce f z x => reduce f z (reorder (stride 3) x) when associative f and commutative f
let counterexample (z: f32) (x: [1]f32) = reduce (+) z x
data z = -4
data x = [7]
eval
apply late at /
E31 late does not hold
  rule    reduce f z x  =>  reduce f z (reorder (stride 3) x)  when associative f and commutative f
  found   the rule does not apply: it needs a right side that fits, found reorder: 3 must divide 1
  try     check late > late.lathe        keeps these commands
  next    source late.lathe
> # conditions that are Lua functions are asked on every draw
> lua function good(n) return n % 2 == 0, n .. " is odd" end
> check even
even holds on 500 instances, seed 1
  even is checked now; it was assumed
> lua function good(n) return n > 100 end
W12 even is assumed again: the Lua that its `when` asks has changed since it was checked      (check even; silence: set silence W12)
> check even
E32 no verdict on even after 0 instances: good(n) does not hold on what was drawn: it does not hold
  skipped 401 draws gave no instance
> rule swapNice: map f (map g x) => map g (map f x) when nice(f)
rule swapNice
  map f (map g x)  =>  map g (map f x)  when nice(f)
  user; assumed
> lua function nice(f) seen = f return f.size > 2 end
> check swapNice
# a counterexample to swapNice, of seed 1
lua do
function nice(f) seen = f return f.size > 2 end
end
rule swapNice: map f (map g x) => map g (map f x) when nice(f)
let counterexample (x: [1]i32) = map (\x1 -> x1 + x1) . map (\x1 -> x1 - -2) $ x
data x = [0]
eval
apply swapNice at /
eval
E31 swapNice does not hold
  rule    map f (map g x)  =>  map g (map f x)  when nice(f)
  found   element [0] is 4 on the left, 2 on the right
  try     check swapNice > swapNice.lathe        keeps these commands
  next    source swapNice.lathe
> =seen.size
E24 lua:1: this was part of a term that was only tried, and is gone
> # chunks that small sizes do not fill: multiples of the constants are tried
> let tiles (xs: [N]f32) = map (reduce (+) 0) (split 64 xs)
tiles : [N]f32 -> [N/64]f32
> apply splitJoin(32)
@1  splitJoin(32)  at /                 builtin    from @0
  - map (reduce (+) 0) ∘ split 64 $ xs
  + join ∘ map (map (reduce (+) 0)) ∘ split 32 ∘ split 64 $ xs
  type   [N/64]f32                    unchanged
  focus  /  ->  /                     5 moves here
> check @1
@1 equals @0 on 100 trials, seed 1
> # a rule written with <=> is refuted in one direction alone: which one, what stands, and how that is kept
> set silence W07 W08
> rule three: join (split 3 x) <=> x
rule three
  join (split 3 x)  =>  x
  user; assumed
rule three.rev
  x  =>  join (split 3 x)
  user; assumed
> let pieces (x: [9]f32) = join (split 3 x)
pieces : [9]f32 -> [9]f32
> apply three; apply three.rev
@1  three  at /                         assumed    from @0
  - join ∘ split 3 $ x
  + x
  type   [9]f32                       unchanged
  focus  /  ->  /                     6 moves here
@2  three.rev  at /                     assumed    from @1
  - x
  + join ∘ split 3 $ x
  type   [9]f32                       unchanged
  same   term as @0        goto @0
  focus  /  ->  /                     8 moves here
> check three
# a counterexample to three.rev, of seed 1
rule three: join (split 3 x) <=> x
let counterexample (x: [1]f32) = x
data x = [-2]
eval
apply three.rev at /
E31 three.rev does not hold
  rule    x  =>  join (split 3 x)
  found   the rule does not apply: it needs a right side that fits, found split: 3 must divide 1
  try     check three > three.rev.lathe        keeps these commands
  next    source three.rev.lathe
  stands  three: join (split 3 x)  =>  x        on 500 instances, seed 1
  try     rule three: join (split 3 x) => x        keeps only what stands
> log
  @0  source
  @1  three  at /  checked
* @2?  three.rev  at /  assumed  = @0
> rule three
rule three
  join (split 3 x)  =>  x
  user; checked by 500 instances, seed 1
> rule three.rev
rule three.rev
  x  =>  join (split 3 x)
  user; assumed; refuted by check, seed 1
> check three.rev > three.rev.lathe
E31 three.rev does not hold
  rule    x  =>  join (split 3 x)
  found   the rule does not apply: it needs a right side that fits, found split: 3 must divide 1
  try     check three.rev > three.rev.lathe        keeps these commands
  next    source three.rev.lathe
  stands  three: join (split 3 x)  =>  x        on 500 instances, seed 1
  try     rule three: join (split 3 x) => x        keeps only what stands
> !head -n 2 three.rev.lathe
# a counterexample to three.rev, of seed 1
rule three: join (split 3 x) <=> x
> rule three: join (split 3 x) => x
three is replaced; @1, @2 rest on the old one, which is kept as three_1
rule three
  join (split 3 x)  =>  x
  user; assumed
> rule three.rev
E02 no rule called "three.rev"; did you mean three_1.rev?
  try     rule three_1.rev
  form    rule NAME[(PARAMS)]: LHS => RHS [when COND]
> rule tail(n: size): x <=> join (split 3 x) when n divides (length x)
rule tail(n)
  x  =>  join (split 3 x)  when n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
rule tail.rev(n)
  join (split 3 x)  =>  x  when n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> check tail
# a counterexample to tail, of seed 1
rule tail(n: size): x <=> join (split 3 x) when n divides (length x)
let counterexample (x: [1]f32) = x
data x = [8]
eval
apply tail(1) at /
E31 tail does not hold
  rule    x  =>  join (split 3 x)  when n divides (length x)
  found   the rule does not apply: it needs a right side that fits, found split: 3 must divide 1
  try     check tail > tail.lathe        keeps these commands
  next    source tail.lathe
  stands  tail.rev: join (split 3 x)  =>  x  when n divides (length x)        on 500 instances, seed 1
  try     rule tail(n: size): join (split 3 x) => x when n divides (length x)        keeps only what stands
> rule thrice: map f (map f x) <=> map f x
rule thrice
  map f (map f x)  =>  map f x
  user; assumed
rule thrice.rev
  map f x  =>  map f (map f x)
  user; assumed
> check thrice
# a counterexample to thrice, of seed 1
rule thrice: map f (map f x) <=> map f x
let counterexample (x: [1]f32) = map (\x1 -> x1 + 3) . map (\x1 -> x1 + 3) $ x
data x = [0]
eval
apply thrice at /
eval
E31 thrice does not hold
  rule    map f (map f x)  =>  map f x
  found   element [0] is 6 on the left, 3 on the right
  try     check thrice > thrice.lathe        keeps these commands
  next    source thrice.lathe
  other   thrice.rev: map f x  =>  map f (map f x)        refuted, too
> set silence none
> rule halves: floor (a + 0.5) => round a
rule halves
  floor (a + 0.5)  =>  round a
  user; assumed
> let rounded (x: [N]f32) = map (\a -> floor (a + 0.5)) x
rounded : [N]f32 -> [N]f32
> apply halves at /f/body
@1  halves  at /f/body                  assumed    from @0
  - floor (a + 0.5)
  + round a
  type   f32                          unchanged
  focus  /  ->  /                     * moves here
W08 rule halves is "assumed": versions built with it are marked ?      (check halves; silence: set silence W08)
> check @1
# where @0 and @1 differ
use rounded
data N = 2
data x = [0, -3.5]
eval @0
eval @1
E31 @1 differs from @0
  found   element [1] is -3 on the left, -4 on the right; left is @0, right is @1
  try     check @1 > rounded-1.lathe        keeps these commands
  next    source rounded-1.lathe
> rule numbers: if a == a then b else c => b
rule numbers
  if a == a then b else c  =>  b
  user; assumed
> let known (x: [N]f32) = map (\a -> if a == a then 1 else 0) x
known : [N]f32 -> [N]i32
> apply numbers at /f/body
@1  numbers  at /f/body                 assumed    from @0
  - if a == a then 1 else 0
  + 1
  type   i32                          unchanged
  focus  /  ->  /                     * moves here
W08 rule numbers is "assumed": versions built with it are marked ?      (check numbers; silence: set silence W08)
> check @1
# where @0 and @1 differ
use known
data N = 1
data x = [nan]
eval @0
eval @1
E31 @1 differs from @0
  found   element [0] is 0 on the left, 1 on the right; left is @0, right is @1
  try     check @1 > known-1.lathe        keeps these commands
  next    source known-1.lathe
> # as far as the rule's own numbers ask, in lengths, indices and counts
> set silence W07
> rule wrapped: generate n (\i -> f (i % 50)) => generate n (\i -> f i)
rule wrapped
  generate n (\i -> f (i % 50))  =>  generate n (\i -> f i)
  user; assumed
> check wrapped
# a counterexample to wrapped, of seed 1
rule wrapped: generate n (\i -> f (i % 50)) => generate n (\i -> f i)
let counterexample = generate 51 (\i -> f32 (i % 50))
eval
apply wrapped at /
eval
E31 wrapped does not hold
  rule    generate n (\i -> f (i % 50))  =>  generate n (\i -> f i)
  found   element [50] is 0 on the left, 50 on the right
  try     check wrapped > wrapped.lathe        keeps these commands
  next    source wrapped.lathe
> rule often: iterate k f x => iterate (min k 6) f x
rule often
  iterate k f x  =>  iterate (min k 6) f x
  user; assumed
> check often
# a counterexample to often, of seed 1
rule often: iterate k f x => iterate (min k 6) f x
let counterexample (x: [7]i32) = iterate 7 (map (\x1 -> x1 - x1 - x1 * 4)) x
data x = [0, 0, 0, 0, 0, 0, 1]
eval
apply often at /
eval
E31 often does not hold
  rule    iterate k f x  =>  iterate (min k 6) f x
  found   element [6] is -16384 on the left, 4096 on the right
  try     check often > often.lathe        keeps these commands
  next    source often.lathe
> # what rounding explains, and what it does not
> rule again: (a + 1e12) - 1e12 => a
rule again
  (a + 1e12) - 1e12  =>  a
  user; assumed
> check again
again holds on 500 instances, seed 1; 470 of them up to rounding (help trust)
  again is checked now; it was assumed
> rule more: (a + 1e12) - 1e12 => a + 1
rule more
  (a + 1e12) - 1e12  =>  a + 1
  user; assumed
> check more
# a counterexample to more, of seed 1
rule more: (a + 1e12) - 1e12 => a + 1
let counterexample (a: f32) = a + 1e12 - 1e12
data a = 0
eval
apply more at /
eval
E31 more does not hold
  rule    (a + 1e12) - 1e12  =>  a + 1
  found   the result is 0 on the left, 1 on the right
  try     check more > more.lathe        keeps these commands
  next    source more.lathe
> rule narrowed: f32 (f16 a) => a
rule narrowed
  f32 (f16 a)  =>  a
  user; assumed
> check narrowed
# a counterexample to narrowed, of seed 1
rule narrowed: f32 (f16 a) => a
let counterexample (a: f32) = f32 . f16 $ a
data a = 2.4615967
eval
apply narrowed at /
eval
E31 narrowed does not hold
  rule    f32 (f16 a)  =>  a
  found   the result is 2.4609375 on the left, 2.4615967 on the right
  try     check narrowed > narrowed.lathe        keeps these commands
  next    source narrowed.lathe
> # what fails where the left side has a value
> rule guarded: if a == 0 then 0 else b // a => b // a
rule guarded
  if a == 0 then 0 else b // a  =>  b // a
  user; assumed
> check guarded
# a counterexample to guarded, of seed 1
rule guarded: if a == 0 then 0 else b // a => b // a
let counterexample (a: i32) (b: i32) = if a == 0 then 0 else b // a
data a = 0
data b = 0
eval
apply guarded at /
eval
E31 guarded does not hold
  rule    if a == 0 then 0 else b // a  =>  b // a
  found   the left side has a value, the right side has none: // in /: integer division of 0 by zero
  try     check guarded > guarded.lathe        keeps these commands
  next    source guarded.lathe
> rule unguarded: b // a => if a == 0 then 0 else b // a
rule unguarded
  b // a  =>  if a == 0 then 0 else b // a
  user; assumed
> check unguarded
unguarded holds on 500 instances, seed 1
  unguarded is checked now; it was assumed
> # a rule is checked by its name; => is no redirection
> check map f (map g x) => map (f . g) x
E05 check takes a rule by its name
  try     rule mine: map f (map g x) => map (f . g) x
  hint    then `check mine`
> # what is declared associative is so for all values that are drawn
> rule regroup: f (a, f (b, c)) => f (f (a, b), c) when associative f
rule regroup
  f (a, f (b, c))  =>  f (f (a, b), c)  when associative f
  user; assumed
> check regroup --trials 2000
regroup holds on 2000 instances, seed 1; 20 of them up to rounding (help trust)
  regroup is checked now; it was assumed
W15 regroup is true but applied to none of them itself: once read, none had the form of its left side      (rule regroup; silence: set silence W15)
