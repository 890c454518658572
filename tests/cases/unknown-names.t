> # a rule's name that is none is found when a file is read, in what it makes and in the functions that its macros are
> let p (xs: [N]f32) = map (\x -> x + 1) (map (\x -> x * 2) xs)
p : [N]f32 -> [N]f32
> ! printf '%s\n' 'local s = mapFusion' 's = seq(s,' '        topdown(splitJoinId))' > made.lua
> source made.lua
E02 no rule, macro or Lua value called "splitJoinId"; did you mean splitJoin?
  in      made.lua:3
> ! printf '%s\n' 'register("mine", {params = "(n)"}, function(n)' '    return topdown(mapFuson)' 'end)' > macro.lua
> source macro.lua
E02 no rule, macro or Lua value called "mapFuson"; did you mean mapFusion?
  in      macro.lua:2
> ! printf '%s\n' 'register("mine", {doc = "all of them"}, mapFuson + joinOfSplit)' > first.lua
> source first.lua
E02 no rule, macro or Lua value called "mapFuson"; did you mean mapFusion?
  in      first.lua:1
> # in a branch that is not taken, and in what a macro calls; what the file defines further down is there
> ! printf '%s\n' 'local function inner(n)' '    return n > 4 and splitJoim(n) or twice(n)' 'end' > branch.lua
> ! printf '%s\n' 'register("mine", {params = "(n)"}, function(n) return inner_of(n) end)' 'function inner_of(n) return inner(n) end' >> branch.lua
> ! printf '%s\n' 'register("twice", {params = "(n)"}, function(n) return splitJoin(n) end)' >> branch.lua
> source branch.lua
E02 no rule, macro or Lua value called "splitJoim"; did you mean splitJoin?
  in      branch.lua:2
> apply twice(2)
E02 no rule, macro or Lua value called "twice"
  try     list rules
> macro sometimes(n) = n > 4 and splitJoim(n) or splitJoin(n)
E02 no rule, macro or Lua value called "splitJoim"; did you mean splitJoin?
  try     macro sometimes(n) = n > 4 and splitJoin(n) or splitJoin(n)
> # nothing was made by them; what needs its arguments is no unknown name
> apply mine
E02 no rule, macro or Lua value called "mine"
  try     list rules
> ! printf '%s\n' 'register("chunks", {params = "(n)"}, function(n)' '    return n.low > 1 and splitJoin(n.low) or splitJoin' 'end)' > good.lua
> source good.lua
> apply chunks{low = 4}
@1  chunks{low = 4}  at /               builtin    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + join ∘ map (map (λx → x + 1)) ∘ split 4 ∘ map (λx → x * 2) $ xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
> ! sed -i s/splitJoim/splitJoin/ branch.lua
> source branch.lua
> apply mine(8) at /in
@2  mine(8)  at /in                     builtin    from @1
  - map (map (λx → x + 1)) ∘ split 4 ∘ map (λx → x * 2) $ xs
  + join ∘ map (map (map (λx → x + 1))) ∘ split 8 ∘ split 4 ∘ map (λx → x * 2) $ xs
  type   [N/4][4]f32                  unchanged
  focus  /  ->  /                     7 moves here
> # what has no name is nothing, and a global may be absent
> lua topdown(nil)
E24 topdown needs a strategy, not nothing: topdown(mapFusion)
> lua if absent == nil then print("none") end
none
> lua topdown(absent)
E02 no rule, macro or Lua value called "absent"
  try     list rules
> lua local s = seq(mapFusion, nil)
E24 seq needs a strategy, not nothing: seq(mapFusion)
