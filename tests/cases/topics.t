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
  papers          the papers, figure by figure: what shows each of them here
  sketches        say where to go, not how
  proofs          proofs of rules, and of versions
  scripts         scripts in Lua, at the prompt and in files
  lua-api         what Lua gets of a session: every field and method
  kernels         kernels: looking at them, changing them, taking them elsewhere
  files           values in files: .npy, pictures and raw bytes, read and written
  measurements    what was measured, and how to ask for it
  exploration     how search rules finds variants, and how to change that
  searching       trying points on a device, and a search strategy of your own
  sessions        sessions: what is kept, and how it comes back
  lessons         how to learn with lessons, and how to write and grade them
  course          how to teach a course with lathe: twelve weeks
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
      try     moves /

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
macros
  reduceInItems           a reduction by n work-items of a group in dimension d, each of every n-...
  mapInItems              a map by n work-items of a group in dimension d, each of every n-th ele...
  keepInItems             the map that a name stands for by n work-items of a group in dimension ...
  scanInItems             a scan, or a map of one, by the work-items of a group in dimension d, e...
  rowsInGroups            a map of rows: a work-group takes a number of neighbouring rows; for ea...
  scanChunks              a map of arrays' scans, and of what is made of their elements, on a GPU...
  ... * more        list macros dimension
functions
  mapGlobal               d:dim -> (a -> b) -> [n]a -> [n]b               map over the global wor...
  mapWorkgroup            d:dim -> (a -> b) -> [n]a -> [n]b               map over the work-group...
  mapLocal                d:dim -> (a -> b) -> [n]a -> [n]b               map over the work-items...
  mma                     [m][k]flt -> [n][w][k]flt -> [m][n][w]f32 -> [m][n][w]f32  acc[i][j] + ...
  pad2                    pad2 l r m x                                    pad l r m in each of 2 ...
  padConst2               padConst2 l r v x                               padConst l r v in each ...
  ... 7 more        list functions dimension
pages: help NAME
  prelude                 With a number behind the name they do so in each of that man...  (5 lines)
  stages                  under `mapWorkgroup d`; `mapGlobal` with neither; no dimensi...  (4 lines)
  files                   - `.npy`: an array as NumPy writes it, of version 1 to 3, in...  (2 lines)
  language                - Static arguments (sizes, dimensions, widths, modes, permutations) com...
  rules                   `splitJoin{n = 32}`. A size that is left out becomes a new tuning param...
  lowering                name of its own with the dimensions that it depends on, and what does n...
  ... 2 more
> help /semantics
nothing mentions "semantics"
> set width 60
> help /strip-mining
pages: help NAME
  walkthrough             Rows and columns in tiles (tili...
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
