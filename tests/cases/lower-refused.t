> # a lowering by the names of shapes that makes no kernels is refused, with the reason, and offered by nothing
> set target h200
> lua dofile("tests/total.lua")
> =total(25, 25, {sizes = {{N = 70, M = 66}}})
1 lowered, 0 of them run
> goto @0 | head -1
@0  source
> lower lowerAs("elements")
E23 lowerAs('elements') failed: lowerAs fails at /
  needs   shapes that make kernels together
  found   tmp is written by one work-group and used by another in the same kernel; make the value a parallel nest of its own (toGlobal at the top) so that it gets its own kernel
> lower | head -1
@2  lower                               builtin    from @0
> code | grep -c kernel
8
