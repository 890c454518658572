> # pages of help: found by name and by what stands in them, wrapped to the width
> list topics
  language        the language of programs: text, grammar, names, printing
  types           types, sizes and facts; numbers and what is done with them
  primitives      the primitives: what each means, its type, the facts it needs
  prelude         the prelude: sums, windows, axes and complex numbers by name
  rules           rules: how they are written, what they match, when they apply
  stages          the stages from text to a measured kernel, and where each can be seen
  decisions       decisions that rules, kernels and results rest on
  walkthrough     a matrix product from its definition to a fast kernel
  syntax          how a command line is read
  places          how to point at a part of the term
  versions        the tree of versions
  trust           what a version rests on
  strategies      how rules are combined
  macros          macro rules: derivations with a name
  lowering        what lower chooses, why, and how to do better
  fusion          which functions of a program share a kernel
  sketches        say where to go, not how
  proofs          proofs of rules, and of versions
  scripts         scripts in Lua, at the prompt and in files
  kernels         kernels: looking at them, changing them, taking them elsewhere
  files           values in files: .npy, pictures and raw bytes, read and written
  measurements    what was measured, and how to ask for it
  exploration     how search rules finds variants, and how to change that
  searching       trying points on a device, and a search strategy of your own
  sessions        sessions: what is kept, and how it comes back
  lessons         how to learn with lessons, and how to write and grade them
  batch           lathe without a terminal: options, exit codes, scripts
  json            output for programs
  editors         notebooks and editors
  errors          what an error says
> set width 60
> help errors
what an error says

  An error begins with its id and a line that stands alone.
  Below it stand what was asked for and what is there
  (`rule`, `needs`, `found`), where it would apply (`near`),
  and commands to paste (`try`, `or`, `next`); behind two
  blanks what they do. Every command that is named has been
  tried.

    > let scaled (xs: [N]f32) = map (\x -> x + 1) (join (split 4 xs))
    scaled : [N]f32 -> [N]f32
    > apply mapFusion
    E21 mapFusion does not apply at /
      rule    map f (map g x)  =>  map (f . g) x
      needs   map g x at /in
      found   join . split 4 $ xs

  A failing command changes nothing. `help E21` explains an
  id, `list errors` shows all. `W..` are warnings: the
  command went on; `set silence W08` hides one.

  See also: `help batch` (exit codes), `help why`.
> set width 72
> help primitives | sed -n '/^  Layout/,/^  Access/p'
  Layout
    zip
        arrays of equal length to an array of tuples
    unzip
        an array of tuples to a tuple of arrays
    split : k:size -> [n]a -> [n/k][k]a {k divides n}
        chunks of k elements
    join : [m][k]a -> [m*k]a        chunks one after another
    transpose : [n][m]a -> [m][n]a  rows become columns
    antidiagonals : [n][n]a -> [n][n]a
        out[k][i] = x[n-1 - (k+i) % n][i]: antidiagonals, which hold
        mirror images, become rows; its own inverse
    slide : k:size -> s:size -> [n]a -> [(n-k)/s+1][k]a {1 <= k, k <= n, s divides n-k}
        windows of k elements, step s
    pad : l:size -> r:size -> m:mode -> [n]a -> [l+n+r]a {0 <= l, 0 <= r}
        add l elements before and r behind; mode clamp, mirror or wrap
    padConst : l:size -> r:size -> a -> [n]a -> [l+n+r]a {0 <= l, 0 <= r}
        add l times v before and r times v behind
    take : k:size -> [n]a -> [k]a {0 <= k, k <= n}
        the first k elements
    drop : k:size -> [n]a -> [n-k]a {0 <= k, k < n}
        all but the first k elements
    concat : [n]a -> [m]a -> [n+m]a
        x, then y
    reorder
        out[i] = x[p(i)]; p: reverse, rotate k, stride s, (perm f g)
        with inverse
    toImage : [n]a -> [n]a
        read this value, an input or one in global memory, as an image:
        its rows by texels of 16 bytes

  Access
> set width auto
> help /dimension
  reduceInItems(n[, rounds[, d[, w]]])  a reduction by n work-items of a group in dimension d, each of every n-th element, w of them loaded together, or of the next ones if their order counts; their results by sixteens, or what divides them, in so many rounds
  mapInItems(n[, d])          a map by n work-items of a group in dimension d, each of every n-th element
  keepInItems(n[, d])         the map that a name stands for by n work-items of a group in dimension d, each of every n-th element: in their registers if they are few, or in local memory
  rowsInGroups{items=256, each=16, w=1, beside=1, dim=0, side=1, group=0, rounds=1, keep=false}  a map of rows: a work-group for so many rows side by side, items of it (in dimension dim) for each, which share each step; results of reductions and scans by sixteens in so many rounds; each: elements an item scans, in each of so many chunks beside, or reduces, and one of the rest, where items divide no row; w: elements of a reduction that an item loads together; keep: the row is read once, to registers
  scanInItems(n[, rounds[, d[, beside]]])  a scan, or a map of one, by the work-items of a group in dimension d, each of n elements, and of so many such chunks that lie apart; their results by sixteens, or what divides them, in so many rounds
  scanChunks(n)               a map of arrays' scans, and of what is made of their elements, on a GPU: a work-item of dimension 0 for an array, of dimension 1 for n elements of it, which are reduced before, and those results scanned
  mapsInItems                 maps in each other on a GPU: a work-item for each element, the innermost in dimension 0
  reduceSlicesInItems(n[, rounds[, d]])  a reduction of any length by n work-items of a group in dimension d, each of every n-th element; their results by sixteens in so many rounds
  mapGlobal       d:dim -> (a -> b) -> [n]a -> [n]b               map over the global work-items of dimension d
  mapWorkgroup    d:dim -> (a -> b) -> [n]a -> [n]b               map over the work-groups of dimension d
  mapLocal        d:dim -> (a -> b) -> [n]a -> [n]b               map over the work-items of a group, dimension d
  mma             [m][k]flt -> [n][w][k]flt -> [m][n][w]f32 -> [m][n][w]f32  acc[i][j] + sum of a[i] * b[j] by a warp: work-items 4 by 8 in dimensions 0 and 1; by a matrix unit where one takes that tile
  pad2            pad2 l r m x                                    pad l r m in each of 2 dimensions
  padConst2       padConst2 l r v x                               padConst l r v in each of 2 dimensions
  every2          every2 k x                                      every k in each of 2 dimensions
  spread2         spread2 k v x                                   spread k v in each of 2 dimensions
  slide2          slide2 k s x                                    slide k s in each of 2 dimensions
  slideFloor2     slideFloor2 k s x                               slideFloor k s in each of 2 dimensions
  slideDilated2   slideDilated2 k d s x                           slideDilated k d s in each of 2 dimensions
  windows2        windows2 f0 f1 x                                windows of 2 dimensions, by a function for each: windows2 (slide 3 1) (slideFloor 5 2) x
  dims2           dims2 f0 f1 x                                   each of 2 dimensions by its function: dims2 (spread 2 0) (pad 1 1 clamp) x
  language        - Static arguments (sizes, dimensions, widths, modes, permutations) come first and
                  are always given:
  prelude         With a number behind the name they do so in each of so many dimensions:
                  `slideFloor2 3 2 img`,
  prelude         `padConst2 1 1 0 img`, up to 6. Where dimensions differ, `windows2` takes a
                  function for each and `dims2`
  prelude         The dimensions of an array are numbered from 0, the outermost; -1 is the last one.
                  Where only one
  prelude         dimension has a length, that names it, too: `overAxis C sum x` of an `x:
                  [N][C][H][W]f32`.
  prelude         - `nest d f x` is `f` under d dimensions: `map (map f) x` where d is 2.
  rules           `splitJoin{n = 32}`. A size that is left out becomes a new tuning parameter; a
                  dimension or a
  stages          `mapGlobal` with neither; no dimension occurs twice on one path. `lower` is all or
                  nothing: it
  stages          of each row in another order, to the same end and without room. A dimension
  stages          dimensions 0 and 1, which a group with an `mma` has; `mapLocal 2` counts warps.
                  Where the tile is one that a matrix unit takes (halves,
  stages          `asVector` and `asScalar` may stand between. The last dimension is a row of the
                  image, the others
  lowering        once has a name of its own with the dimensions that it depends on, and what does
                  not depend on a loop
  fusion          `mapLocal` of dimension 2 of it, with others below. It has a name, and fits where
                  `fits`, given the
  proofs          elements apart. Dimensions, widths,
  files           - `.npy`: an array as NumPy writes it, of version 1 to 3, in either order of bytes
                  and of dimensions
  files           Tuples of scalars of one type are one more dimension, the last: `[N](f32, f32)`
                  takes a complex64 of
> help /semantics
nothing mentions "semantics"
> set width 60
> help /strip-mining
  walkthrough     Rows and columns in tiles (tiling,
                  strip-mining with interchange): blocks of
                  256 rows by 32
> set width auto
> help language | head -5
the language of programs: text, grammar, names, printing

  A program is a function over arrays, written with a few dozen primitives (`help primitives`). It
  is read from a file that ends in `.fun`, or typed after `let`. Every array has its length in its
  type (`help types`).
> help tilings
E02 no help for "tilings"
  try     help /tilings
> help /tilings
nothing mentions "tilings"
