> let p (xs: [N]f32) = map (\x -> x + 1) (map (\x -> x * 2) xs)
p : [N]f32 -> [N]f32
> rule
no rules of your own; rule NAME: LHS => RHS defines one, list rules shows all
> rule fuse2: map f (map g x) => map (f . g) x
rule fuse2
  map f (map g x)  =>  map (f . g) x
  user; assumed
> rule
rule fuse2: map f (map g x) => map (f . g) x
  assumed
> rule fuse2
rule fuse2
  map f (map g x)  =>  map (f . g) x
  user; assumed
> help fuse2
rule fuse2
  map f (map g x)  =>  map (f . g) x
  user; assumed
  for example  map f32 . map (\x1 -> x1 + x1) $ x  =>  map (\x1 -> f32 (x1 + x1)) x      x: [5]i32
> list rules fuse2 -v
  fuse2                   map f (map g x)  =>  map (f . g) x
      user; assumed
> rule fuse2: map f (map g x) => map (f . g) x
fuse2 is that rule already
rule fuse2
  map f (map g x)  =>  map (f . g) x
  user; assumed
> apply fuse2
@1  fuse2  at /                         assumed    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + map (λx → x * 2 + 1) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     15 moves here
W08 rule fuse2 is "assumed": versions built with it are marked ?      (check fuse2; silence: set silence W08)
> undo; apply fuse2
@0  source
    map (λx → x + 1) ∘ map (λx → x * 2) $ xs
@2  fuse2  at /                         assumed    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + map (λx → x * 2 + 1) xs
  type   [N]f32                       unchanged
  same   term as @1        goto @1
  focus  /  ->  /                     15 moves here
> undo
@0  source
    map (λx → x + 1) ∘ map (λx → x * 2) $ xs
> rule fuse2: map f (map g x) => map (g . f) x
fuse2 is replaced; @1, @2 rest on the old one, which is kept as fuse2_1
rule fuse2
  map f (map g x)  =>  map (g . f) x
  user; assumed
> log
* @0  source
  ├─ @1?  fuse2_1  at /  assumed
  @2?  fuse2_1  at /  assumed  = @1
> apply fuse2
@3  fuse2  at /                         assumed    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + map (λx → (x + 1) * 2) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     15 moves here
W08 rule fuse2 is "assumed": versions built with it are marked ?      (check fuse2; silence: set silence W08)
> list rules fuse2 -v
  fuse2                   map f (map g x)  =>  map (g . f) x
      user; assumed
  fuse2_1                 map f (map g x)  =>  map (f . g) x
      user; assumed
> check fuse2_1
fuse2_1 holds on 500 instances, seed 1
  fuse2_1 is checked now; it was assumed
  so these versions do not rest on an assumed rule any more: @1, @2
> log
  @0  source
  ├─ @1  fuse2_1  at /  checked
  ├─ @2  fuse2_1  at /  checked  = @1
* @3?  fuse2  at /  assumed
> set strict on
> undo; apply fuse2
@0  source
    map (λx → x + 1) ∘ map (λx → x * 2) $ xs
E26 fuse2 is only assumed, and strict is on
  rule    map f (map g x)  =>  map (g . f) x
  try     check fuse2
  try     set strict off
> apply fuse2_1
@4  fuse2_1  at /                       checked    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + map (λx → x * 2 + 1) xs
  type   [N]f32                       unchanged
  same   term as @1        goto @1
  focus  /  ->  /                     15 moves here
> rule -d fuse2
E27 fuse2 is needed: @3 was made with it
  try     drop @3
> rule -d fuse2_1
E27 fuse2_1 is needed: @1, @2, @4 were made with it
  try     drop @1
> rule -d mapFusion
E27 mapFusion is a built-in rule
> rule -d nosuch
E02 no rule called "nosuch"
  try     list rules
> rule -d
E05 which rule is to go?
  form    rule [NAME[(PARAMS)]: LHS => RHS [when COND] | NAME | -d NAME]
> rule mapFusion: x => x
E30 mapFusion cannot be the name of a rule: it is a built-in one
  hint    another name, such as mapFusion2
> rule seq: x => x
E30 seq cannot be the name of a rule: it is a combinator
  hint    another name, such as seq2
> rule and: x => x
E30 and cannot be the name of a rule: it is a Lua keyword
  hint    another name, such as and2
> rule tt: map f x => map f (take 0 x)
E30 map needs [M]a4, found [0]a0
  rule:1:22
  | tt: map f x => map f (take 0 x)
  |                      ^~~~~~~~~~
  needs   [M]a4
  found   [0]a0
> rule a: map f x => map q x
E30 the left side does not bind "q"
  rule:1:19
  | a: map f x => map q x
  |                   ^
  hint    put it on the left, or make it a parameter: rule a(q): ...
> rule b: map f x => map f x when n divides (length x)
E30 the left side does not bind "n"
  rule:1:28
  | b: map f x => map f x when n divides (length x)
  |                            ^
  hint    put it on the left, or make it a parameter: rule b(n): ...
> rule c: map f x
>   # a comment goes on
>   => join (map (map f)
>        (split n x))
E30 the left side does not bind "n"
  rule:4:15
  |        (split n x))
  |               ^
  hint    put it on the left, or make it a parameter: rule c(n): ...
>
> rule c(n): map f x
>   => join (map (map f) (split n x)) when
>   n divides (length x)
rule c(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> rule c
rule c(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> rule both: transpose (map (map f) x) <=> map (map f) (transpose x)
rule both
  transpose (map (map f) x)  =>  map (map f) (transpose x)
  user; assumed
rule both.rev
  map (map f) (transpose x)  =>  transpose (map (map f) x)
  user; assumed
> rule -d both.rev
E27 both.rev is the other direction of a rule and goes with it
  try     rule -d both
> rule -d both
rule both is gone
> rule both.rev
E02 no rule called "both.rev"
  try     list rules
  form    rule NAME[(PARAMS)]: LHS => RHS [when COND]
> rule one(n): map f x => join (map (map f) (split n x))
E30 one cannot be the name of a rule: it is a combinator
  hint    another name, such as one2
> set silence W07
> rule two(n): map f x => join (map f (split n x))
E30 f needs a0, found [n]a0
  rule:1:30
  | two(n): map f x => join (map f (split n x))
  |                              ^
  needs   a0
  found   [n]a0
> rule two(n): map f x => join (map (map f) (split n x))
rule two(n)
  map f x  =>  join (map (map f) (split n x))
  n: a size; left out: a fresh parameter
  user; assumed
> set silence W99
E05 "W99" is not a value of silence
  needs   none, or ids of warnings; list warnings
> list warnings
  W07   the right side of a rule needs a size fact that neither its left side nor `when` gives
  W08   a rule that is only assumed was used: versions built with it are marked ?; `check RULE` tries it
  W10   results cannot be kept in their file: they are in memory, and gone when lathe ends; `lathe --results FILE` names another
  W11   an earlier lathe ended in the middle of a build or run; what it was doing is recorded as died and tried once more; after a second time only with --force
  W12   a checked rule names a Lua function in its `when` that has changed since, or something that this reads: it is assumed again; `check RULE` tries it anew
  W13   a device is paused, because its worker died three times in a row; `device ID` takes it up again
  W14   an exported tuning problem (T1) has no place for it: a constraint of yours (search.constraints), kernels besides one
  W15   a rule holds but did not apply itself: elaboration gave every instance of its left side another form (help trust)
  W16   a function does not have a property that it declares; rules that ask for it do not apply to it, unless it is assumed (help trust)
  W17   kernels in a dialect of GPUs alone, of a version that `lower` made for a CPU: they are right, and slow
  W18   a version of a library is for the sizes of the session alone, because its kernels are for no others (help kernels)
  W19   a library has no version for all sizes: it gives an error for those that its last version does not take (help kernels)
> help W08
W08  a rule that is only assumed was used: versions built with it are marked ?; `check RULE` tries it
  set silence W08
> lua function small(x) return x.length.value == nil, "its length is open" end
> set strict off
> rule open(n): map f x => join (map (map f) (split n x)) when small(x) and n divides (length x)
rule open(n)
  map f x  =>  join (map (map f) (split n x))  when small(x) and n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> rule opened(n): map f x => join (map (map f) (split n x)) when small(x) and n divides (length x)
rule opened(n)
  map f x  =>  join (map (map f) (split n x))  when small(x) and n divides (length x)
  n: a size; left out: a fresh parameter
  user; assumed
> let r (xs: [N]f32) = map (\x -> x + 1) xs
r : [N]f32 -> [N]f32
> why opened(2)
opened applies at /
  rule    map f x  =>  join (map (map f) (split n x))  when small(x) and n divides (length x)
  where   n = 2
          x = xs
          f = \x -> x + 1
  when    small(x): yes, its length is open
  when    n divides (length x): yes, 2 divides N is a fact from now on
  trust   assumed        check opened
  gives   join . map (map (\x -> x + 1)) . split 2 $ xs
  try     apply opened(2) at /
> lua function small(x) return false, "not today" end
> apply opened(2)
E21 opened does not apply at /
  rule    map f x  =>  join (map (map f) (split n x))  when small(x) and n divides (length x)
  needs   small(x)
  found   not today
  when    small(x): no, not today
  when    n divides (length x): yes, 2 divides N is a fact from now on
  try     moves /
> rule odd: map f x => map f x when nosuch(x)
rule odd
  map f x  =>  map f x  when nosuch(x)
  user; assumed
> apply odd
E21 odd does not apply at /
  rule    map f x  =>  map f x  when nosuch(x)
  needs   nosuch(x)
  found   there is no Lua function nosuch
  try     moves /
> # a user's rule through let: what is used several times has a name again
> rule unnamed: let x = e in b x => b e
rule unnamed
  let x = e in b x  =>  b e
  user; assumed
> rule computed: let x = e in b x => b (inline e)
rule computed
  let x = e in b x  =>  b (inline e)
  user; assumed
> let twice (xs: [N]f32) = let y = map (\a -> exp a) xs in map (+) (zip y (reorder reverse y))
twice : [N]f32 -> [N]f32
> apply unnamed
unnamed changed nothing; still @0
  hint    what is used several times has a name again in `b e`; `b (inline e)` computes it wherever b uses it
> apply computed | head -1
@1  computed  at /                      assumed    from @0
W08 rule computed is "assumed": versions built with it are marked ?      (check computed; silence: set silence W08)
> show
map (+) (zip (map exp xs) (reorder reverse ∘ map exp $ xs))
? @1 rests on the assumed rule computed
> # a composition is cut in two where the outermost function takes what it works on; it is asked for by name, and is no move
> let halves (xs: [N][M]f32) = map (\x -> sqrt (reduce (+) 0 (map (\y -> 2 * y) x))) xs
halves : [N][M]f32 -> [N]f32
> apply mapFission
@1  mapFission  at /                    builtin    from @0
  - map (sqrt ∘ reduce (+) 0 ∘ map (λy → 2 * y)) xs
  + map sqrt ∘ map (reduce (+) 0 ∘ map (λy → 2 * y)) $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     22 moves here
> apply mapFission at /in
@2  mapFission  at /in                  builtin    from @1
  - map (reduce (+) 0 ∘ map (λy → 2 * y)) xs
  + map (reduce (+) 0) ∘ map (map (λy → 2 * y)) $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     22 moves here
> moves | grep -c mapFission
0
> apply mapFusion
@3  mapFusion  at /                     builtin    from @2
  - map sqrt ∘ map (reduce (+) 0) ∘ map (map (λy → 2 * y)) $ xs
  + map (sqrt ∘ reduce (+) 0) ∘ map (map (λy → 2 * y)) $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     22 moves here
> let same (xs: [N]f32) = map (\x -> x + 1) xs
same : [N]f32 -> [N]f32
> apply mapFission
E21 mapFission does not apply at /
  rule    map (f . g) x  =>  map f (map g x)  when not identity g
  needs   not identity g
  found   it does not hold
  try     moves /
> # a helper on the left side would stand for any function
> rule copies: replicate n (f a) => map f (replicate n a)
E30 the left side of a rule knows primitives, not helpers; `replicate` is one: write what it is made of
  rule:1:9
  | copies: replicate n (f a) => map f (replicate n a)
  |         ^~~~~~~~~
  next    help replicate
> rule steps: loop k (\s i -> f s) z => iterate k f z
E30 the left side of a rule knows primitives, not helpers; `loop` is one: write what it is made of
  rule:1:8
  | steps: loop k (\s i -> f s) z => iterate k f z
  |        ^~~~
  next    help loop
> rule steps: iterate k f z => loop k (\s i -> f s) z
rule steps
  iterate k f z  =>  loop k (\s i -> f s) z
  user; assumed
