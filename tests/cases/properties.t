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
  when    commutative f: unknown, odd declares it, but it does not hold (commutative at i32: a = 2, b = -4: the result is -6 on the left, 0 on the right)
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
