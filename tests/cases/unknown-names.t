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
  in      macro.lua:1
> ! printf '%s\n' 'register("mine", {doc = "all of them"}, mapFuson + joinOfSplit)' > first.lua
> source first.lua
E24 first.lua:1: attempt to perform arithmetic on a nil value (global 'mapFuson')
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
