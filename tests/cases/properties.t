> let odd (a, b) = a + b * 2 with associative commutative
odd : helper, typed where it is used
W16 odd is not associative at f32: a = 5, b = -1, c = 4: the result is 11 on the left, 19 on the right      (silence: set silence W16)
> let seven (a, b) = if a == 77 then b else a + b with associative
seven : helper, typed where it is used
W16 seven is not associative at f32: a = 7, b = 77, c = 3: the result is 87 on the left, 10 on the right      (silence: set silence W16)
> let add3 ((a, b, c), (d, e, f)) = (a + d, b + e, c + f) with associative commutative neutral (0, 0, 0)
add3 : helper, typed where it is used
> let product (A, B) = map (\r -> map (\c -> reduce (+) 0 (map (*) (zip r c))) (transpose B)) A with associative commutative
product : helper, typed where it is used
W16 product is not commutative at [2][2]f32: a = [[0, -1], [-4, 4]], b = [[5, 0], [-6, -1]]: element [0][0] is 6 on the left, 0 on the right      (silence: set silence W16)
> let none (a, b) = max a b with associative commutative neutral (-1)
none : helper, typed where it is used
W16 none is not neutral at f32: a = -3: the result is -1 on the left, -3 on the right      (silence: set silence W16)
> let floats (a, b) = log (exp a + exp b) with associative commutative neutral (-inf)
floats : helper, typed where it is used
> let five ((a, b, c, d, e), (f, g, h, i, j)) = (a + f, b + g, c + h, d + i, e + j) with associative
five : helper, typed where it is used
> let over (a, b) = let s = a + b in s * s / s with commutative
over : helper, typed where it is used
> let f (x: [N]i32) = reduce odd 0 x
f : [N]i32 -> i32
> why reduceReorder(reverse) at /
reduceReorder does not apply at /
  rule    reduce f z x  =>  reduce f z (reorder p x)  when associative f and commutative f
  needs   associative f
  found   unknown, odd declares it, but it does not hold (associative at i32: a = 5, b = 4, c = 4: the result is 21 on the left, 29 on the right)
  when    associative f: unknown, odd declares it, but it does not hold (associative at i32: a = 5, b = 4, c = 4: the result is 21 on the left, 29 on the right)
  when    commutative f: unknown, odd declares it, but it does not hold (commutative at i32: a = 2, b = 0: the result is 2 on the left, 4 on the right)
  instead reduceWhole at /
> let g (x: [N]f32) = reduce over 0 x
g : [N]f32 -> f32
> why reduceReorder(reverse) at /
reduceReorder does not apply at /
  rule    reduce f z x  =>  reduce f z (reorder p x)  when associative f and commutative f
  needs   associative f
  found   unknown, over declares other properties
  when    associative f: unknown, over declares other properties
  when    commutative f: yes, over declares it
  instead reduceWhole at /
> let h (x: [N]f32) = reduce floats (-inf) x
h : [N]f32 -> f32
> apply reduceReorder(reverse) at /
@1  reduceReorder(reverse)  at /        builtin    from @0
  - reduce (λ(a, b) → log (exp a + exp b)) (-inf) x
  + reduce (λ(a, b) → log (exp a + exp b)) (-inf) ∘ reorder reverse $ x
  type   f32                          unchanged
  focus  /  ->  /                     10 moves here
> save declared.session
saved declared.session: 3 programs, 1 version
> open declared.session
opened declared.session: 3 programs, 1 version; now h@1
  its function odd is not associative at f32: a = 5, b = -1, c = 4: the result is 11 on the left, 19 on the right
  its function seven is not associative at f32: a = 7, b = 77, c = 3: the result is 87 on the left, 10 on the right
  its function product is not commutative at [2][2]f32: a = [[0, -1], [-4, 4]], b = [[5, 0], [-6, -1]]: element [0][0] is 6 on the left, 0 on the right
  its function none is not neutral at f32: a = -3: the result is -1 on the left, -3 on the right
  its programs declare, and nothing has tested: five associative
> # choosing by several keys; and where f (z, z) = z is enough
> let better ((a, i), (b, j)) = if b > a || (b == a && j < i) then (b, j) else (a, i)
better : helper, typed where it is used
> let first ((a, i), (b, j)) = if b > a || (b == a && i < j) then (b, j) else (a, i)
first : helper, typed where it is used
> let loose ((a, i), (b, j)) = if b > a || (a == b && j <= i) then (b, j) else (a, i)
loose : helper, typed where it is used
> let norm (a, b) = sqrt (a * a + b * b) with associative commutative
norm : helper, typed where it is used
> let largest (x: [N]f32) = reduce better (-inf, 0) (zip x (iota N))
largest : [N]f32 -> (f32, i32)
> why reduceStrided(8) at /
reduceStrided applies at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (transpose (split n x)))  when associative f and commutative f and restarts z f and n divides (length x)
  where   n = 8
          z = (-inf, 0)
          x = zip x (iota N)
          f = \((a, i), (b, j)) -> if b > a || .. && .. then (b, j) else (a, i)
  when    associative f: yes, known by its form
  when    commutative f: yes, known by its form
  when    restarts z f: yes, known by its form
  when    n divides (length x): yes, 8 divides N is a fact from now on
  gives   reduce (\((a, i), (b, j)) -> if b > a || b == a && j < i then (b, j) else (a, i)) (-inf...
  try     apply reduceStrided(8) at /
> let latest (x: [N]f32) = reduce first (-inf, 0) (zip x (iota N))
latest : [N]f32 -> (f32, i32)
> why reduceStrided(8) at /
reduceStrided applies at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (transpose (split n x)))  when associative f and commutative f and restarts z f and n divides (length x)
  where   n = 8
          z = (-inf, 0)
          x = zip x (iota N)
          f = \((a, i), (b, j)) -> if b > a || .. && .. then (b, j) else (a, i)
  when    associative f: yes, known by its form
  when    commutative f: yes, known by its form
  when    restarts z f: yes, known by its form
  when    n divides (length x): yes, 8 divides N is a fact from now on
  gives   reduce (\((a, i), (b, j)) -> if b > a || b == a && i < j then (b, j) else (a, i)) (-inf...
  try     apply reduceStrided(8) at /
> let either (x: [N]f32) = reduce loose (-inf, 0) (zip x (iota N))
either : [N]f32 -> (f32, i32)
> why reduceSplit(8) at /
reduceSplit does not apply at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   associative f
  found   unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    associative f: unknown, + declares it, this function does not (let f (a, b) = ... with associative)
  when    restarts z f: unknown, + declares it, this function does not (let f (a, b) = ... with neutral ...)
  when    n divides (length x): yes, 8 divides N is a fact from now on
  instead reduceWhole at /
> let length2 (x: [N]f32) = reduce norm 0 x
length2 : [N]f32 -> f32
> why reduceSplit(8) at /
reduceSplit applies at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  where   n = 8
          z = 0.0
          x = x
          f = \(a, b) -> sqrt (a * a + b * b)
  when    associative f: yes, norm declares it
  when    restarts z f: yes, f (z, z) = z, and the order does not count
  when    n divides (length x): yes, 8 divides N is a fact from now on
  gives   reduce (\(a, b) -> sqrt (a * a + b * b)) 0 . map (reduce (\(a, b) -> sqrt (a * a + b * ...
  try     apply reduceSplit(8) at /
> let length3 (x: [N]f32) = reduce norm 1 x
length3 : [N]f32 -> f32
> why reduceSplit(8) at /
reduceSplit does not apply at /
  rule    reduce f z x  =>  reduce f z (map (reduce f z) (split n x))  when associative f and restarts z f and n divides (length x)
  needs   restarts z f
  found   unknown, norm declares other properties
  when    associative f: yes, norm declares it
  when    restarts z f: unknown, norm declares other properties
  when    n divides (length x): yes, 8 divides N is a fact from now on
  instead reduceReorder(reverse), reduceWhole at /
