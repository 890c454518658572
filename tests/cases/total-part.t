> # random programs over the documented forms, by seed: of total-random.t some, and some more, under the sanitizers
> lua dofile("tests/total.lua")
> set seeds 1
> set repeats 1
> device oclgrind
oclgrind    Oclgrind Simulator
> =total(1, 40, {run = 3, sizes = {{N = 7, M = 5}, {N = 1, M = 2}, {N = 2, M = 7}, {N = 1, M = 1}}})
40 lowered, 13 of them run
> device pocl0
pocl0    **
> =total(301, 340, {run = 20, sizes = {{N = 97, M = 7}, {N = 7, M = 97}, {N = 1, M = 1}, {N = 2, M = 97}}})
40 lowered, 2 of them run
