> # random programs over the documented forms, by seed: more than total.t has, in one half of the tests; each in one of these ways
> lua dofile("tests/total.lua")
> set seeds 1
> set repeats 1
> device oclgrind
oclgrind    Oclgrind Simulator
> =total(1, 120, {run = 2, sizes = {{N = 7, M = 5}, {N = 1, M = 2}, {N = 2, M = 7}, {N = 1, M = 1}}})
120 lowered, 60 of them run
> =total(121, 220, {sizes = {{N = 1000, M = 97}}})
100 lowered, 0 of them run
> set sizes argument
> =total(301, 360, {run = 3, sizes = {{N = 7, M = 5}, {N = 1, M = 2}, {N = 2, M = 7}, {N = 1, M = 1}}})
60 lowered, 20 of them run
> set sizes constant
> device pocl0
pocl0    **
> =total(221, 300, {run = 5, sizes = {{N = 97, M = 7}, {N = 7, M = 97}, {N = 1, M = 1}, {N = 2, M = 97}}})
80 lowered, 16 of them run
