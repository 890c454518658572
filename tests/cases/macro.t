> let p (xs: [N]f32) = map (\x -> x + 1) (map (\x -> x * 2) xs)
p : [N]f32 -> [N]f32
> macro
no macros of your own; macro NAME = STRATEGY defines one, list macros shows all
> macro chunks(n) = splitJoin(n) * topdown(mapSeq) -- chunks of n, each a loop
chunks(n)
  chunks of n, each a loop
  macro chunks(n) = splitJoin(n) * topdown(mapSeq) -- chunks of n, each a loop
> help chunks
chunks(n)
  chunks of n, each a loop
  macro chunks(n) = splitJoin(n) * topdown(mapSeq) -- chunks of n, each a loop
> list macros chunks
  chunksInItem(r)             r chunks of a reduction side by side in one fold, a work-group of one item for them
  chunks(n)                   chunks of n, each a loop
  scanChunks(n)               a map of arrays' scans, and of what is made of their elements, on a GPU: a work-item of dimension 0 for an array, of dimension 1 for n elements of it, which are reduced before, and those results scanned
  reduceChunks(n)             the first reduction as one of the reductions of chunks of n elements
  rowChunks(n)                a map over row sums in chunks of n rows, together with their partners
  keptInChunks(n)             a map that is named and a reduction of what it makes: both of each chunk of n elements, then the partial results
  tile(m, n, ...)             nested maps in tiles, as many levels as sizes are given: first a map over the chunks of each level, then the nest
  splitRows(n)                the outer map of a nest around a fold in chunks of n
  scanInItems(n[, rounds[, d[, beside]]])  a scan, or a map of one, by the work-items of a group in dimension d, each of n elements, and of so many such chunks that lie apart; their results are combined sixteen at a time, or by another number that divides them, in rounds
  rowsInGroups{items=256, each=16, w=1, beside=1, dim=0, side=1, group=0, rounds=1, keep=false}  a map of rows: a work-group takes a number of neighbouring rows; for each, some of its items (in dimension dim) share each step; results of reductions and scans are combined sixteen at a time, in rounds; each: elements an item scans, in each of so many chunks beside, or reduces, and one of the rest, where items divide no row; w: elements of a reduction that an item loads together; keep: the row is read once, to registers
  reduceCpuRows{n=8192, r=8, w=16, u=1}  a reduction on a CPU: a work-group of one item for r chunks of n side by side, each with u vectors of w; then their sum
  rowFoldsGpu{rows=32, each=32, side=1, rounds=1, pad=0}  reductions of columns that read what is reduced of rows, in one pass, on a GPU: each group takes a number of neighbouring chunks of rows; an item keeps a number of elements of a row, and of the accumulators; results are combined sixteen at a time, in rounds; pad: rows are padded with zeros to a multiple of this number of elements
  byIndexColumns{chunk=1024, side=32, w=8}  a reduction by index of arrays on a GPU: work-groups for chunks and side columns of them, an item for each column with elements of its own in local memory, which takes the pairs one after the other, w of them loaded together; and what they make of each element
  indicesToElements           arrays that are read by the numbers of loops are what the loops are over: rows, columns, windows, chunks, arrays joined
> apply chunks(4)
@1  chunks(4)  at /                     builtin    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + join ∘ mapSeq (map (λx → x + 1)) ∘ split 4 ∘ map (λx → x * 2) $ xs
  type   [N]f32                       unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> macro chunks
chunks(n)
  chunks of n, each a loop
  macro chunks(n) = splitJoin(n) * topdown(mapSeq) -- chunks of n, each a loop
> macro
chunks(n)
  chunks of n, each a loop
  macro chunks(n) = splitJoin(n) * topdown(mapSeq) -- chunks of n, each a loop
> undo
@0  source
    map (λx → x + 1) ∘ map (λx → x * 2) $ xs
> macro chunks(n) =
>   seq(splitJoin(n),
>       topdown(mapSeq))
chunks(n)
  macro chunks(n) =
  seq(splitJoin(n),
      topdown(mapSeq))
> apply chunks(8)
@2  chunks(8)  at /                     builtin    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + join ∘ mapSeq (map (λx → x + 1)) ∘ split 8 ∘ map (λx → x * 2) $ xs
  type   [N]f32                       unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     4 moves here
> macro late =
>
E05 a macro is NAME = STRAT or NAME(P, ...) = STRAT
> macro open = seq(mapFusion,
>
E24 the strategy ends where more is expected
  hint    a * b does one behind the other, a + b the first that applies
> macro typo = mapFuson
E02 no rule, macro or Lua value called "mapFuson"; did you mean mapFusion?
  try     macro typo = mapFusion
> macro simplify = mapFusion
E05 simplify is a macro already
> macro splitJoin = mapFusion
E05 splitJoin is a rule already
> macro end = mapFusion
E05 end is a Lua keyword already
> macro bad = 3
E24 bad needs a strategy, not a number
> apply bad
E02 no rule, macro or Lua value called "bad"
  try     list rules
> macro inner = mapFusion
inner
  macro inner = mapFusion
> macro outer = inner^0
outer
  macro outer = inner^0
> undo
@0  source
    map (λx → x + 1) ∘ map (λx → x * 2) $ xs
> apply outer
@3  outer  at /                         builtin    from @0
  - map (λx → x + 1) ∘ map (λx → x * 2) $ xs
  + map (λx → x * 2 + 1) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     15 moves here
> undo
@0  source
    map (λx → x + 1) ∘ map (λx → x * 2) $ xs
> macro inner = fail
inner
  macro inner = fail
> apply outer
outer changed nothing; still @0
> macro -d inner
macro inner is gone
> apply outer
E02 no rule, macro or Lua value called "inner"; did you mean innermost?
> macro -d inner
E02 no macro called "inner"
  try     list macros
> macro -d simplify
E27 simplify is a built-in macro
> macro -d topdown
E02 topdown is no macro; help topdown
  try     list macros
> macro nosuch
E02 no macro called "nosuch"
  try     list macros
  form    macro NAME[(P, ...)] = STRATEGY
> macro -d
E05 which macro is to go?
  form    macro [NAME[(P, ...)] = STRATEGY | NAME | -d NAME]
