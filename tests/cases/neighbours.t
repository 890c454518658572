> # by indices, neighbours of several rows are read once for all: an item makes elements of rows beside each other
> set target h200
> let heat (A: [X][Y][Z]f32) = iterate 2 (\a -> generate X (\i -> generate Y (\j -> generate Z (\l -> if i == 0 || i == X - 1 || j == 0 || j == Y - 1 || l == 0 || l == Z - 1 then a[i][j][l] else (a[i][j][l+1] + a[i][j][l-1] + a[i][j-1][l] + a[i][j+1][l] + a[i-1][j][l] + a[i+1][j][l]) / 36 + a[i][j][l] / 6)))) A
heat : [X][Y][Z]f32 -> [X][Y][Z]f32
> data X = 9, Y = 184, Z = 173
> lower --explain | grep elements
  or         4.73 us   elements    lower lowerAs("elements")
> lower lowerAs("elements") | head -1
@1  lowerAs("elements")                 builtin    from @0
> run | grep verify
  verify  OK   3 inputs x 2 repeats
> code | grep "a_next\["
        a_next[346*(gid1 + 92*gid2) + gid0] = gid2 == 0
        a_next[173*(2*(gid1 + 92*gid2) + 1) + gid0] = gid2 == 0
