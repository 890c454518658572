> # what rests on an assumed rule says so wherever it is shown, until `check` has passed
> let f (x: [N]f32) = map (\v -> v * 2) (map (\v -> v + 1) x)
f : [N]f32 -> [N]f32
> rule swapMaps: map f (map g x) => map g (map f x)
rule swapMaps
  map f (map g x)  =>  map g (map f x)
  user; assumed
> rule same: map f x => mapGlobal 0 f x
rule same
  map f x  =>  mapGlobal 0 f x
  user; assumed
> set silence W08
> apply swapMaps
@1  swapMaps  at /                      assumed    from @0
  - map (λv → v * 2) ∘ map (λv → v + 1) $ x
  + map (λv → v + 1) ∘ map (λv → v * 2) $ x
  type   [N]f32                       unchanged
  focus  /  ->  /                     18 moves here
> show
map (λv → v + 1) ∘ map (λv → v * 2) $ x
? @1 rests on the assumed rule swapMaps
> apply fuse
@2  fuse  at /                          builtin    from @1
  - map (λv → v + 1) ∘ map (λv → v * 2) $ x
  + map (λv → v * 2 + 1) x
  type   [N]f32                       unchanged
  focus  /  ->  /                     16 moves here
> show /f --as tree
:1    λv
:2      body: +
:3        0: *
:4          0: v
:5          1: 2
:6        1: 1
? @2 rests on the assumed rule swapMaps
> goto @1
@1?  swapMaps
    map (λv → v + 1) ∘ map (λv → v * 2) $ x
> log
  @0  source
* @1?  swapMaps  at /  assumed
  @2?  fuse  at /  assumed
> explain @2
@0 => @1  swapMaps  at /  assumed
      map (λv → v * 2) ∘ map (λv → v + 1) $ x
    = map (λv → v + 1) ∘ map (λv → v * 2) $ x
@1 => @2  fuse  at /
      map (λv → v + 1) ∘ map (λv → v * 2) $ x
    = map (λv → v * 2 + 1) x
? @2 rests on the assumed rule swapMaps
> explain @1 @2
? @1 rests on the assumed rule swapMaps
@1 => @2  fuse  at /
      map (λv → v + 1) ∘ map (λv → v * 2) $ x
    = map (λv → v * 2 + 1) x
? @2 rests on the assumed rule swapMaps
> diff @0 @1
/
  - map (λv → v * 2) ∘ map (λv → v + 1) $ x
  + map (λv → v + 1) ∘ map (λv → v * 2) $ x
? @1 rests on the assumed rule swapMaps
> diff @1 @2 --side
@1?  swapMaps                                       @2?  fuse
map (λv → v + 1) ∘ map (λv → v * 2) $ x           | map (λv → v * 2 + 1) x
> info / | grep trust
  trust   assumed
> goto @2; apply same
@2?  fuse
    map (λv → v * 2 + 1) x
@3  same  at /                          assumed    from @2
  - map (λv → v * 2 + 1) x
  + mapGlobal 0 (λv → v * 2 + 1) x
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> data N = 64
> code
/* f@3  0aef0bae29a36807
 *   @1 swapMaps at /
 *   @2 fuse at /
 *   @3 same at /
 * ? rests on the assumed rules same, swapMaps
 * N=64
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void f_k0(const global float *restrict x, global float *restrict out)
{
    int gid0 = get_global_id(0);
    out[gid0] = x[gid0] * 2.0f + 1.0f;
}
> export script -
# f, @0 to @3
# ? @3 rests on the assumed rules same, swapMaps
let f (x: [N]f32) = map (\v -> v * 2) (map (\v -> v + 1) x)
data N = 64
rule swapMaps: map f (map g x) => map g (map f x)
rule same: map f x => mapGlobal 0 f x
expect 48500dada594698f
apply swapMaps at /
expect 1d9f790054b2a48f
apply fuse at /
expect d92da815cf7c4a43
apply same at /
expect 0aef0bae29a36807
> export dot - | grep 'v[123] '
  v1 [label="@1?\nswapMaps\nat /", style="rounded,dashed"];
  v2 [label="@2?\nfuse\nat /", style="rounded,dashed"];
  v1 -> v2;
  v3 [label="@3?\nsame\nat /", penwidth=3, style="rounded,dashed"];
  v2 -> v3;
> set silence none
> undo; undo; undo; apply fuse; apply same as good
@2?  fuse
    map (λv → v * 2 + 1) x
@1?  swapMaps
    map (λv → v + 1) ∘ map (λv → v * 2) $ x
@0  source
    map (λv → v * 2) ∘ map (λv → v + 1) $ x
@4  fuse  at /                          builtin    from @0
  - map (λv → v * 2) ∘ map (λv → v + 1) $ x
  + map (λv → (v + 1) * 2) x
  type   [N]f32                       unchanged
  focus  /  ->  /                     16 moves here
@5  same  at /                          assumed    from @4
  - map (λv → (v + 1) * 2) x
  + mapGlobal 0 (λv → (v + 1) * 2) x
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> show
mapGlobal 0 (λv → (v + 1) * 2) x
? @5 rests on the assumed rule same
> check same
same holds on 500 instances, seed 1
  same is checked now; it was assumed
  so this version does not rest on an assumed rule any more: @5
> show @good
mapGlobal 0 (λv → (v + 1) * 2) x
> log
  @0  source
  ├─ @1?  swapMaps  at /  assumed
  │  @2?  fuse  at /  assumed
  │  @3?  same  at /  assumed
  @4  fuse  at /
* @5  same  at /  [good]  checked
> # a checked rule that asks Lua is assumed again when that Lua changes, or what it uses
> let g (x: [N]f32) = map (\v -> v * 2) (map (\v -> v + 1) x)
g : [N]f32 -> [N]f32
> lua limit = 3
> lua function short(n) return math.type(n) == "integer" and n <= limit end
> rule cut(n: size): map f x => join (map (map f) (split n x)) when n divides (length x) and short(n)
rule cut(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and short(n)
  n: a size; left out: a fresh parameter
  user; assumed
> check cut
cut holds on 500 instances, seed 1
  cut is checked now; it was assumed
> apply cut(3); apply fuse
@1  cut(3)  at /                        checked    from @0
  - map (λv → v * 2) ∘ map (λv → v + 1) $ x
  + join ∘ map (map (λv → v * 2)) ∘ split 3 ∘ map (λv → v + 1) $ x
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
fuse changed nothing; still @1
> lua unused = 7
> lua function short(n) return math.type(n) == "integer" and n <= limit end
> log
  @0  source
* @1  cut(3)  at /  checked
> lua limit = 5
W12 cut is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @1      (check cut; silence: set silence W12)
> log
  @0  source
* @1?  cut(3)  at /  assumed
> show
join ∘ map (map (λv → v * 2)) ∘ split 3 ∘ map (λv → v + 1) $ x
? @1 rests on the assumed rule cut
> export script - | grep '?'
# ? @1 rests on the assumed rule cut
> set strict on
> apply cut(5) at /in
E26 cut is only assumed, and strict is on
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x) and short(n)
  try     check cut
  try     set strict off
> set strict off
> check cut
cut holds on 500 instances, seed 1
  cut is checked now; it was assumed
  so this version does not rest on an assumed rule any more: @1
> log
  @0  source
* @1  cut(3)  at /  checked
> save trust.session
saved trust.session: 2 programs, 6 versions
> open trust.session
opened trust.session: 2 programs, 6 versions; now g@1
  its Lua was run, without files, the system and t: short, limit
> log
  @0  source
* @1  cut(3)  at /  checked
> # a table that it uses counts with what was put into it, in session files too
> lua most = {length = 3}
> lua function few(n) return math.type(n) == "integer" and n <= most.length end
> rule bits(n: size): map f x => join (map (map f) (split n x)) when n divides (length x) and few(n)
rule bits(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and few(n)
  n: a size; left out: a fresh parameter
  user; assumed
> check bits
bits holds on 500 instances, seed 1
  bits is checked now; it was assumed
> apply bits(3) at /in
@2  bits(3)  at /in                     checked    from @1
  - map (map (λv → v * 2)) ∘ split 3 ∘ map (λv → v + 1) $ x
  + join ∘ map (map (map (λv → v * 2))) ∘ split 3 ∘ split 3 ∘ map (λv → v + 1) $ x
  type   [N/3][3]f32                  unchanged
  focus  /  ->  /                     4 moves here
> lua print(most.length == 3)
true
> log
  @0  source
  @1  cut(3)  at /  checked
* @2  bits(3)  at /in  checked
> lua most.length = 7
W12 bits is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @2      (check bits; silence: set silence W12)
> save trust.session --force
saved trust.session: 2 programs, 7 versions
> open trust.session
opened trust.session: 2 programs, 7 versions; now g@2
  its Lua was run, without files, the system and t: short, limit, most, few
> why bits(5) at /in/in | grep few
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x) and few(n)
  when    few(n): yes
> check bits
bits holds on 500 instances, seed 1
  bits is checked now; it was assumed
  so this version does not rest on an assumed rule any more: @2
> lua table.insert(most, 1)
W12 bits is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @2      (check bits; silence: set silence W12)
> # within a chunk too
> lua t.check("cut") short = function() return true end
W12 cut is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @1      (check cut; silence: set silence W12)
> log
  @0  source
  @1?  cut(3)  at /  assumed
* @2?  bits(3)  at /in  assumed
> = t.list("rules", "cut")
  cut                     map f x  =>  join (map (map f) (split n x))  when n divides (length x) and short(n)
> # what a condition reaches counts too: tables of the functions that it calls, in upvalues and globals
> lua do local allowed = {[2] = true, [4] = true} ; function is_allowed(n) return allowed[n] == true end ; function allow(n) allowed[n] = true end end
> lua limits = {small = {most = 8}}
> lua tried = 0 ; known = {}
> lua function fine(n) tried = tried + 1 ; known[n] = true ; return is_allowed(n) and n <= limits.small.most end
> let reach (xs: [64]f32) = map (\x -> x + 1) xs
reach : [64]f32 -> [64]f32
> rule chop(n): map f x => join (map (map f) (split n x)) when n divides (length x) and fine(n)
rule chop(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and fine(n)
  n: a size; left out: a fresh parameter
  user; assumed
> check chop --trials 20
chop holds on 20 instances, seed 1
  chop is checked now; it was assumed
> apply chop(2)
@1  chop(2)  at /                       checked    from @0
  - map (λv → v + 1) xs
  + join ∘ map (map (λv → v + 1)) ∘ split 2 $ xs
  type   [64]f32                      unchanged
  focus  /  ->  /                     6 moves here
> # a table that the condition itself fills is no change
> apply chop(4) at /in
@2  chop(4)  at /in                     checked    from @1
  - map (map (λv → v + 1)) ∘ split 2 $ xs
  + join ∘ map (map (map (λv → v + 1))) ∘ split 4 ∘ split 2 $ xs
  type   [32][2]f32                   unchanged
  focus  /  ->  /                     5 moves here
> rule chop
rule chop(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and fine(n)
  n: a size; left out: a fresh parameter
  user; checked by 20 instances, seed 1
> lua unrelated = {1, 2, 3}
> lua limits.small.most = 16
W12 chop is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @1, @2      (check chop; silence: set silence W12)
> check chop --trials 20
chop holds on 20 instances, seed 1
  chop is checked now; it was assumed
  so these versions do not rest on an assumed rule any more: @1, @2
> lua allow(8)
W12 chop is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @1, @2      (check chop; silence: set silence W12)
> rule chop
rule chop(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and fine(n)
  n: a size; left out: a fresh parameter
  user; assumed
> lua limits.small.most = 16
> # what strategies and macros do to such a table counts as well, and globals and functions that are reached by other ways
> lua function raise() limits.small.most = limits.small.most + 1 ; return id end
> check chop --trials 20 | tail -n 0
> apply seq(raise(), id)
seq(raise(), id) changed nothing; still @2
W12 chop is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @1, @2      (check chop; silence: set silence W12)
> macro raised = seq((function() limits.small.most = limits.small.most + 1 ; return id end)(), id)
raised
  macro raised = seq((function() limits.small.most = limits.small.most + 1 ; return id end)(), id)
> check chop --trials 20 | tail -n 0
> apply raised
raised changed nothing; still @2
W12 chop is assumed again: the Lua that its `when` asks has changed since it was checked; resting on it: @1, @2      (check chop; silence: set silence W12)
> lua op = {larger = math.max}
> lua do local globals = _ENV ; function far(n) return op.larger(n, 64) == globals["far" .. "thest"] end end
> lua farthest = 64
> rule slice(n): map f x => join (map (map f) (split n x)) when n divides (length x) and far(n)
rule slice(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and far(n)
  n: a size; left out: a fresh parameter
  user; assumed
> check slice --trials 20
slice holds on 20 instances, seed 1
  slice is checked now; it was assumed
> lua local name = "far" .. "thest" ; _G[name] = 63 ; _G[name] = 64
> lua local name = "far" .. "thest" ; _G[name] = 65
W12 slice is assumed again: the Lua that its `when` asks has changed since it was checked      (check slice; silence: set silence W12)
> lua farthest = 64
> check slice --trials 20
slice holds on 20 instances, seed 1
  slice is checked now; it was assumed
> lua local o = op ; o.larger = function(a, b) return math.max(a, b) end
W12 slice is assumed again: the Lua that its `when` asks has changed since it was checked      (check slice; silence: set silence W12)
> check slice --trials 20
slice holds on 20 instances, seed 1
  slice is checked now; it was assumed
> lua local library = math ; library.max = math.min
W12 slice is assumed again: the Lua that its `when` asks has changed since it was checked      (check slice; silence: set silence W12)
> # a condition that reads what leaves no trace when it changes cannot be checked once and for all
> lua function there(n) return io.open("there.txt") == nil end
> rule thin(n): map f x => join (map (map f) (split n x)) when n divides (length x) and there(n)
rule thin(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and there(n)
  n: a size; left out: a fresh parameter
  user; assumed
> check thin --trials 20
thin holds on 20 instances, seed 1
  it stays assumed: the Lua that its `when` asks reads io, which can change unseen
> lua function there(n) return #t.log() < 100 end
> check thin --trials 20
thin holds on 20 instances, seed 1
  it stays assumed: the Lua that its `when` asks reads t, which can change unseen
> lua function there(n) return math.random() < 2 end
> check thin --trials 20
thin holds on 20 instances, seed 1
  it stays assumed: the Lua that its `when` asks reads math.random, which can change unseen
> lua function there(n) local t, io, random = 1, 2, 3 ; return n < 100 and math.type(n) == "integer" end
> check thin --trials 20
thin holds on 20 instances, seed 1
  thin is checked now; it was assumed
> lua do local s = t ; there = function() return s ~= nil end end
W12 thin is assumed again: the Lua that its `when` asks reads t, which can change unseen      (check thin; silence: set silence W12)
> rule thin
rule thin(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and there(n)
  n: a size; left out: a fresh parameter
  user; assumed
> check thin --trials 20
thin holds on 20 instances, seed 1
  it stays assumed: the Lua that its `when` asks reads t, which can change unseen
> lua do local more = coroutine.wrap(function() while true do coroutine.yield(true) end end) ; function there() return more() end end
> check thin --trials 20
thin holds on 20 instances, seed 1
  it stays assumed: the Lua that its `when` asks reads a coroutine, which can change unseen
> # what was refuted says so, wherever trust is shown
> let plus (xs: [N]f32) = map (\x -> x + 1) (map abs xs)
plus : [N]f32 -> [N]f32
> rule lost: map f (map g x) => map f x
rule lost
  map f (map g x)  =>  map f x
  user; assumed
> check lost | tail -0
E31 lost does not hold
  rule    map f (map g x)  =>  map f x
  found   element [0] is 0 on the left, 1 on the right
  try     check lost > lost.lathe        keeps these commands
  next    source lost.lathe
> why lost
lost applies at /
  rule    map f (map g x)  =>  map f x
  where   x = xs
          g = abs
          f = \v -> v + 1
  trust   assumed; refuted by check, seed 1        check lost
  gives   map (\v -> v + 1) xs
  try     apply lost at /
> apply lost
@1  lost  at /                          assumed    from @0
  - map (λv → v + 1) ∘ map abs $ xs
  + map (λv → v + 1) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     21 moves here
W08 rule lost was refuted by a counterexample: versions built with it are marked ?      (check lost; silence: set silence W08)
> why lost at /in
lost does not apply at /in
  rule    map f (map g x)  =>  map f x
  needs   map f (map g x)
  found   xs
  near    /: map (\v -> v + 1) xs, but it needs map g x at /in
  try     moves /in
  trust   assumed; refuted by check, seed 1        check lost
> show
map (λv → v + 1) xs
? @1 rests on the refuted rule lost
> rule twiceMapped: map f x => map (\y -> f y) x
rule twiceMapped
  map f x  =>  map (\y -> f y) x
  user; assumed
> apply twiceMapped
twiceMapped changed nothing; still @1
> show
map (λv → v + 1) xs
? @1 rests on the refuted rule lost
> set strict on
> goto @0
@0  source
    map (λv → v + 1) ∘ map abs $ xs
> apply lost
E26 lost was refuted, and strict is on
  rule    map f (map g x)  =>  map f x
  try     check lost
  try     set strict off
