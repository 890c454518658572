> # a template of the user's beside lathe's own
> set repeats 1
> set seeds 1
> set trials 1
> let bent (x: [N][S]f32) = map (map (\v -> v * 2 + 1)) x
bent : [N][S]f32 -> [N][S]f32
> data N = 120, S = 1000
> lua function pieces(name, points)
>   table.insert(search.templates, {name = name, doc = "an item for some neighbours in turn", points = points,
>     make = function(nest, p) return countersAsOne(p.n) * topdown(splitJoin(p.n)) * topdown(mapGlobal(0)) * topdown(mapSeq) end})
> end
>
> lua seen, own = nil, #search.templates
> lua pieces("pieces", function(nest, target) seen = {nest.rank, nest.made, nest.extents[2], #nest.sums, target.units > 0} return {n = {3, 7, 40}} end)
> # what divides the elements, and what does not
> lower lowerNests("pieces n=40") | head -1
@1  lowerNests("pieces n=40")           builtin    from @0
> =table.concat(seen, " ", 1, 4), seen[5]
2 120000 1000 0	true
> code | grep -c for
1
> run | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> undo | head -1
@0  source
> lower lowerNests("pieces n=7") | head -1
@2  lowerNests("pieces n=7")            builtin    from @0
> run | grep verify
  verify  OK   1 input x 1 repeat; input 1 exact
> undo | head -1
@0  source
> lower lowerNests("pieces n=8")
E23 lowerNests('pieces n=8') failed: lowerNests fails at /
  needs   an array that pieces n=8 makes
  found   map (map (\v -> v * 2 + 1)) x
> lower lowerNests("", "pieces")
E23 lowerNests('', 'pieces') failed: lowerNests fails at /
  needs   2 arrays
  found   1 in all
> lower lowerNests("parts")
E23 lowerNests('parts') failed: lowerNests fails at /
  needs   an array that parts makes
  found   map (map (\v -> v * 2 + 1)) x
> lower lowerNests("piece")
E24 there is no template piece: items, **
> lower lowerNests("pieces n=all")
E24 n=all: a parameter of a template is a number, true or false
> # what search rules and tune try has it
> lua search.templates[#search.templates].points = function() return {{n = 3}} end
> goto @0 | head -1
@0  source
> lua do local e, n = search.explore(t.version(), {device = "cpu"}), 0 for i = 1, #e.structures do if e.structures[i].derivation:find("pieces") then n = n + 1 end end print(n) end
1
> # a session has it
> lower lowerNests("pieces n=3") | grep -c builtin
1
> save templates.session | head -1
saved templates.session: **
> lua while #search.templates > own do table.remove(search.templates) end
> lower lowerNests("pieces")
E24 there is no template pieces: items, **
> open templates.session --force | head -1
opened templates.session: **
> goto @0 | head -1
@0  source
> lower lowerNests("pieces") | grep -c builtin
1
> # what is no template says so
> lua search.templates[#search.templates] = {name = "odd", doc = "", points = function() return 3 end, make = print}
> lower lowerNests("items")
E24 template odd: points gives a table of parameters
> lua search.templates[#search.templates].points = function() return {n = 4} end
> lower lowerNests("items")
E24 template odd: points gives the values of each parameter: {n = {...}}
> lua search.templates[#search.templates].points = function() return {{}} end
> lua search.templates[#search.templates].make = function() return 4 end
> lower lowerNests("items")
E24 template odd: make gives a strategy, or the place that one led to, not a number
> lua search.templates[#search.templates].make = nil
> lower lowerNests("items")
E24 template odd: make is a function
> lua search.templates[#search.templates].make = function(nest) return nest.nothing.here end
> lower lowerNests("items")
E24 lua:1: attempt to index a nil value (field 'nothing')
