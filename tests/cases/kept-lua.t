> # Lua functions that rules name as conditions, and macros made in Lua, are kept in session files with what they use
> let f (x: [N]f32) = map (\v -> v * 2) (map (\v -> v + 1) x)
f : [N]f32 -> [N]f32
> lua limit = 3
> lua function short(n)
>   return math.type(n) == "integer" and n <= limit, "it is " .. tostring(n) .. ", the limit is " .. limit
> end
>
> lua unused = 12
> rule cut(n: size): map f x => join (map (map f) (split n x)) when n divides (length x) and short(n)
rule cut(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and short(n)
  n: a size; left out: a fresh parameter
  user; assumed
> set silence W08
> apply cut(3) at /
@1  cut(3)  at /                        assumed    from @0
  - map (λv → v * 2) ∘ map (λv → v + 1) $ x
  + join ∘ map (map (λv → v * 2)) ∘ split 3 ∘ map (λv → v + 1) $ x
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
> apply cut(4) at /in
E21 cut does not apply at /in
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x) and short(n)
  needs   short(n)
  found   it is 4, the limit is 3
  when    n divides (length x): yes, 4 divides N/3 is a fact from now on
  when    short(n): no, it is 4, the limit is 3
  try     moves /in
> lua register("both", {params = "(n)", doc = "the inner map in chunks of n"}, function(n) return nth(2, "map _ _", cut(n)) end)
> macro later = both(2)
later
  macro later = both(2)
> help both
both(n)
  the inner map in chunks of n
> save kept.session
saved kept.session: 1 program, 1 version
> !sed -n '/^lua/,/^[^l|]/p' kept.session | grep -v '^[^l|]' | sed 's/ *#.*//'
lua 1:limit
| limit = 3
lua 2:short
| function short(n)
|   return math.type(n) == "integer" and n <= limit, "it is " .. tostring(n) .. ", the limit is " .. limit
| end
lua 4:both
| return register("both", {params = "(n)", doc = "the inner map in chunks of n"}, function(n) return nth(2, "map _ _", cut(n)) end)
> open kept.session
opened kept.session: 1 program, 1 version; now f@1
  its Lua was run, without files, the system and t: limit, short, both
> log
  @0  source
* @1?  cut(3)  at /  assumed
> apply cut(4) at /in
E21 cut does not apply at /in
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x) and short(n)
  needs   short(n)
  found   it is 4, the limit is 3
  when    n divides (length x): yes, 4 divides N/3 is a fact from now on
  when    short(n): no, it is 4, the limit is 3
  try     moves /in
> apply cut(2) at /in
@2  cut(2)  at /in                      assumed    from @1
  - map (map (λv → v * 2)) ∘ split 3 ∘ map (λv → v + 1) $ x
  + join ∘ map (map (map (λv → v * 2))) ∘ split 2 ∘ split 3 ∘ map (λv → v + 1) $ x
  type   [N/3][3]f32                  unchanged
  focus  /  ->  /                     4 moves here
> help both
both(n)
  the inner map in chunks of n
> help later
later
  macro later = both(2)
> # what runs when a file is opened reaches neither files nor the session
> lua function long(n) return io ~= nil end
> lua function sly(n) t.undo() return true end
> rule cut2(n: size): map f x => join (map (map f) (split n x)) when n divides (length x) and long(n)
rule cut2(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and long(n)
  n: a size; left out: a fresh parameter
  user; assumed
> rule cut3(n: size): map f x => join (map (map f) (split n x)) when n divides (length x) and sly(n)
rule cut3(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x) and sly(n)
  n: a size; left out: a fresh parameter
  user; assumed
> apply cut2(2) at /in/in/f/body
@3  cut2(2)  at /in/in/f/body           assumed    from @2
  - map (map (λv → v * 2)) xss
  + join ∘ map (map (map (λv → v * 2))) ∘ split 2 $ xss
  type   [2][3]f32                    unchanged
  focus  /  ->  /                     4 moves here
> save kept.session --force
saved kept.session: 1 program, 3 versions
> open kept.session
opened kept.session: 1 program, 3 versions; now f@3
  its Lua was run, without files, the system and t: limit, short, both, long, sly
> apply cut3(2) at /in
E21 cut3 does not apply at /in
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x) and sly(n)
  needs   map f x
  found   join . map (join . map (map (map (\v -> ..))) . split 2) . split 2 ...
  near    /in/in: map (join . map (map (map (\v -> ..))) . split 2) . split .., but it needs sly(n) (lua:1: t is switched off in Lua that came from a session file)
  try     moves /in
> rule cut4(n: size): map f x => join (map (map f) (split n x)) when nobody(n)
rule cut4(n)
  map f x  =>  join (map (map f) (split n x))  when nobody(n)
  n: a size; left out: a fresh parameter
  user; assumed
W07 the right side of cut4 needs n divides (length x)      (rule cut4(n: size): map f x => join (map (map f) (split n x)) when nobody(n) and n divides (length x); silence: set silence W07)
> set silence W07 W08
> goto @0
@0  source
    map (λv → v * 2) ∘ map (λv → v + 1) $ x
> apply cut4(2) at /
E21 cut4 does not apply at /
  rule    map f x  =>  join (map (map f) (split n x))  when nobody(n)
  needs   nobody(n)
  found   there is no Lua function nobody
  try     moves /
> why cut(9)
cut does not apply at /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x) and short(n)
  needs   short(n)
  found   it is 9, the limit is 3
  when    n divides (length x): yes, 9 divides N is a fact from now on
  when    short(n): no, it is 9, the limit is 3
  try     moves /
> apply cut(2) at /
@4  cut(2)  at /                        assumed    from @0
  - map (λv → v * 2) ∘ map (λv → v + 1) $ x
  + join ∘ map (map (λv → v * 2)) ∘ split 2 ∘ map (λv → v + 1) $ x
  type   [N]f32                       unchanged
  focus  /  ->  /                     5 moves here
> export script part.lathe
part.lathe written
> !grep -v '^expect' part.lathe
# f, @0 to @4
# ? @4 rests on the assumed rule cut
let f (x: [N]f32) = map (\v -> v * 2) (map (\v -> v + 1) x)
lua do
limit = 3
end
lua do
function short(n)
  return math.type(n) == "integer" and n <= limit, "it is " .. tostring(n) .. ", the limit is " .. limit
end
end
rule cut(n: size): map f x => join (map (map f) (split n x)) when n divides (length x) and short(n)
apply cut(2) at /
> # a search strategy is kept, too
> lua search.strategy("halves", "every second point", {}, function(run) for k = 1, run.points.count, 2 do run:try(run.points:at(k)) end end)
> save halves.session
saved halves.session: 1 program, 4 versions
> open halves.session --force
opened halves.session: 1 program, 4 versions; now f@4
  its Lua was run, without files, the system and t: limit, short, both, long, sly, halves
> list strategies halves
  search using halves         every second point
> # so is what searches go by: data as they are, whatever made them; what has functions with the chunk that made it
> lua search.heuristics.macros = 3
> lua t.let("g (x: [N]f32) = map abs x"); search.heuristics.depth = 7; search.profiles.small = {limits = {min_group = 3}}
> lua search.constraints[1] = "s0 < 64 and 'a' ~= \"b\""
> lua most = 32
> lua table.insert(search.constraints, {"s0", function(s0) return s0 < most end, "small"})
> save searched.session
saved searched.session: 2 programs, 4 versions
> !sed -n '/^lua.*search/,/^[^l|]/p' searched.session | grep -v '^[^l|]' | sed 's/ *#.*//'
lua 8:search
| search["heuristics"] = search["heuristics"] or {}; search["heuristics"]["macros"] = 3
lua 9:search
| search["heuristics"] = search["heuristics"] or {}; search["heuristics"]["depth"] = 7
| search["profiles"] = search["profiles"] or {}; search["profiles"]["small"] = search["profiles"]["small"] or {}; search["profiles"]["small"]["limits"] = search["profiles"]["small"]["limits"] or {}; search["profiles"]["small"]["limits"]["min_group"] = 3
lua 10:search
| search["constraints"] = search["constraints"] or {}; search["constraints"][1] = "s0 < 64 and 'a' ~= \"b\""
lua 11:most
| most = 32
lua 12:search
| return table.insert(search.constraints, {"s0", function(s0) return s0 < most end, "small"})
> open searched.session
opened searched.session: 2 programs, 4 versions; now g@0
  its Lua was run, without files, the system and t: limit, short, both, long, sly, halves, search, most
> =search.heuristics.macros, search.heuristics.depth, search.profiles.small.limits.min_group, #search.constraints
3	7	3	2
> =search.constraints[1], search.constraints[2][2](31), search.constraints[2][2](32)
s0 < 64 and 'a' ~= "b"	true	false
> apply splitJoin; param s0
@1  splitJoin{n=s0}  at /               builtin    from @0
  - map abs x
  + join ∘ map (map abs) ∘ split s0 $ x
  type   [N]f32                       unchanged
  param  s0 : int    1 <= s0 <= N, s0 divides N        5 legal values for N = 256
  focus  /  ->  /                     5 moves here
  s0 : int    1 <= s0 <= N, s0 divides N        5 legal values for N = 256
  asked  s0 < 64 and 'a' ~= "b"        search.constraints[1]
  asked  small of s0        search.constraints[2]
  legal  1, 2, 4, 8, 16        for N = 256
  not    32        small of s0        search.constraints[2]
  not    64, 128, 256        s0 < 64 and 'a' ~= "b"        search.constraints[1]
> save searched.session; open searched.session
saved searched.session: 2 programs, 5 versions
opened searched.session: 2 programs, 5 versions; now g@1
  its Lua was run, without files, the system and t: limit, short, both, long, sly, halves, search, most
> =#search.constraints, search.heuristics.depth
2	7
