> # errors that no other transcript shows
> let f (x : [N]f32) = map
E04 "map" is a function; a value is needed here
  let:1:18
  | f (x : [N]f32) = map
  |                  ^~~
> let f (x : [N]f32) = map f x
E07 recursion is not possible: f uses f
  let:1:1
  | f (x : [N]f32) = map f x
  | ^
> let f (x : [N]f32) = take 99999999999999999999 x
E08 the number `99999999999999999999` is too large: the most is 2^63 - 1
  let:1:23
  | f (x : [N]f32) = take 99999999999999999999 x
  |                       ^~~~~~~~~~~~~~~~~~~~
> let twice (x : [N]f32) = map (\v -> v + v) x
twice : [N]f32 -> [N]f32
> apply mapLocal at /
E22 mapLocal needs its argument d: 0, 1 or 2
  try     apply mapLocal(0)
> apply (function() while true do end end)()
E25 the strategy ran out of fuel: too many Lua instructions; is there an endless loop?
  spent   0 rule applications tried, 0 rewrites done
  try     set fuel 10000000
> data N = 3
> data x = [1, 2]
> eval
E37 the values do not fit: expected , and more elements at "]"
  needs   [3]f32
  input   x
> let pick (is : [N]i32) (x : [N]f32) = gather is x
pick : [N]i32 -> [N]f32 -> [N]f32
> data N = 8
> data is = const(99)
> eval
E38 gather in /: index 99 is out of range
  needs   0 <= index < 8
  found   99
  try     data is = random(1, 0, 7)
> let local (x : [N]f32) = mapLocal 0 (\v -> v * 2) x
local : [N]f32 -> [N]f32
> code
E53 mapLocal at /: mapLocal stands under mapWorkgroup only
  found   / : [N]f32
> let copies (x : [N]f32) = mapGlobal 0 (\r -> reduceSeq (+) 0 (mapSeq (\v -> v * 2) r)) (split 4 x)
copies : [N]f32 -> [N/4]f32
> code
E52 mapSeq at /f/body/in makes an array that reduceSeq at /f/body reads: it needs toPrivate, toLocal or toGlobal
  producer /f/body/in  mapSeq : [4]f32
  reader  /f/body  reduceSeq
  choose  toPrivate (one work-item), toLocal (a work-group), toGlobal (all)
  try     apply toPrivate at /f/body/in
  or      lower
> let deep (x : [1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]f32) = mapGlobal 0 id x
deep : [1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]f32 -> [1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]f32
> code
E54 an array has more than 16 dimensions
  at      /
> let edge (x : [N]f32) = pad 1 1 (const 0) x
E04 a padding mode is clamp, mirror or wrap
  let:1:29
  | edge (x : [N]f32) = pad 1 1 (const 0) x
  |                             ^~~~~~~~~
  hint    a value of your own around the array: padConst 1 1 0 xs
