> # random programs over the documented forms, by seed: more than total.t has, in one half of the tests
> lua dofile("tests/total.lua")
> set seeds 1
> set repeats 1
> set run_timeout 60
> device oclgrind
oclgrind    Oclgrind Simulator
> =total(1, 300, {run = 3, sizes = {{N = 7, M = 5}, {N = 1, M = 2}, {N = 2, M = 7}, {N = 1, M = 1}}})
300 lowered, 100 of them run
> =total(1, 300, {sizes = {{N = 1000, M = 97}}})
300 lowered, 0 of them run
> set sizes argument
> =total(301, 400, {run = 3, sizes = {{N = 7, M = 5}, {N = 1, M = 2}, {N = 2, M = 7}, {N = 1, M = 1}}})
100 lowered, 33 of them run
> set sizes constant
> device pocl0
pocl0    **
> =total(1, 300, {run = 20, sizes = {{N = 97, M = 7}, {N = 7, M = 97}, {N = 1, M = 1}, {N = 2, M = 97}}})
300 lowered, 15 of them run
