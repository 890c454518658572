> help
session    help,h  **
programs   load  **
pointing   cd  **
rewriting  moves,m  **
           **
history    undo,u  **
device     device  **
topics     language types primitives prelude rules stages decisions walkthrough syntax places
           versions trust strategies macros lowering fusion papers sketches proofs scripts lua-api
           kernels files measurements exploration searching sessions lessons course batch json
           editors errors
list commands: a line each        help COMMAND, TOPIC, RULE or E21: all of it
help /WORD searches everything    lesson terms: learn by doing
> help apply
apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
  rewrite; success makes one new version
  short: a
  STRATEGY is a Lua expression over rules and macros: splitJoin(4), topdown(mapFusion), a * b
    sequence, a + b choice, a^0 repeat, a^-1 try.
  A failure changes nothing.
  Without a place it is the focus; a rule or macro that does not apply there goes to the only place
    below where it does, and of several all are listed with labels: apply reduceSeq at :2.
  mapGlobal 0 is mapGlobal(0).
  example  apply splitJoin(4) at /in
           apply topdown(splitJoin) as cut
> help a
apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
  rewrite; success makes one new version
  short: a
  STRATEGY is a Lua expression over rules and macros: splitJoin(4), topdown(mapFusion), a * b
    sequence, a + b choice, a^0 repeat, a^-1 try.
  A failure changes nothing.
  Without a place it is the focus; a rule or macro that does not apply there goes to the only place
    below where it does, and of several all are listed with labels: apply reduceSeq at :2.
  mapGlobal 0 is mapGlobal(0).
  example  apply splitJoin(4) at /in
           apply topdown(splitJoin) as cut
> help app
apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
  rewrite; success makes one new version
  short: a
  STRATEGY is a Lua expression over rules and macros: splitJoin(4), topdown(mapFusion), a * b
    sequence, a + b choice, a^0 repeat, a^-1 try.
  A failure changes nothing.
  Without a place it is the focus; a rule or macro that does not apply there goes to the only place
    below where it does, and of several all are listed with labels: apply reduceSeq at :2.
  mapGlobal 0 is mapGlobal(0).
  example  apply splitJoin(4) at /in
           apply topdown(splitJoin) as cut
> help splitJoin
rule splitJoin(n)
  map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  a map over chunks of n elements
  n: a size; left out: a fresh parameter
  split; builtin; from ICFP'15 fig. 6c
  for example  map f32 x  =>  join . map (map f32) . split 2 $ x      x: [2]i32
> help map
map : (a -> b) -> [n]a -> [n]b
  apply f to every element
  slots: f in
> help tol
  tol             1e-05                 relative error of f32 results that is never called inaccurate
  initially 1e-05
> help E21
E21  the rule does not apply here
  exit code 1
> help /interchange
macros
  interchange             swap a map with the map in it: over independent arrays, through zips on...
rules
  mapInterchange          map (\a -> map (\b -> e a b) ys) xs  =>  transpose (map (\b -> map (\a ...
  mapInterchangeInner     map (map f) x  =>  transpose (map (map f) (transpose x))
  mapInterchangeZipIn     map (\x -> map (\(as.., a, bs..) -> e as.. a bs..) (zip as.. x bs..)) x...
  mapInterchangeZipOut    map (\(as.., x, bs..) -> map (\c -> e as.. c bs..) x) (zip as.. xs bs.....
  mapInterchangeZips      map (\(as.., x, xs.., bs..) -> map (\(cs.., x, xs.., ds..) -> e as.. bs...
  mapReduceInterchange    map (reduce f z) x  =>  reduce (\(acc, r) -> map f (zip acc r)) (genera...
  ... * more        list rules interchange
pages: help NAME
  sketches                @2    mapInterchange  at /in/f/body  (4 lines)
  walkthrough             Rows and columns in tiles (tiling, strip-mining with interch...  (2 lines)
  macros                  - By hand: `fuse`, `simplify`, `interchange`, `tile`, `registerBlock`, ...
  proofs                  mapInterchangeInner  at /
> help nosuch
E02 no help for "nosuch"
  try     help /nosuch
> help two words
E05 "words" is one argument too many for help
  form    help [TOPIC | COMMAND | RULE | PRIMITIVE | SETTING | ERROR | /WORD]
  hint    one word at a time: help words
> list
E05 list what?
  one of  commands programs rules macros strategies inputs params tags marks devices settings functions aliases errors warnings topics columns lessons
> list things
E05 no kind "things" to list
  one of  commands programs rules macros strategies inputs params tags marks devices settings functions aliases errors warnings topics columns lessons
> list inputs
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> list params
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> list tags
no tags
> list settings unicode
  unicode         auto                  print λ ∘ → rather than \ . ->; auto: in a UTF-8 locale
> list commands run
  run [@VERSION ...] [-n TRIALS] [--transfer none|to|from|both] [--kernels] [--show | --full] [--no-verify] [--force] [--save FILE | --save COMPONENT=FILE,...]  build, run, verify, time
  source FILE [ARG ...]                                     run a command script (.lathe) or a Lua script (.lua)
  lua CHUNK                                                 run Lua in the session's state
  eval [@VERSION | EXPR] [--trace] [--full] [--save FILE | --save COMPONENT=FILE,...]  run the reference interpreter on the inputs
> list errors loaded
  E10   no program is loaded; `load FILE` or `let NAME ... = ...`
> list rules splitJoin
  splitJoin               map f x  =>  join (map (map f) (split n x))  when n divides (length x)
> list functions transpose
  transpose       [n][m]a -> [m][n]a                              rows become columns
> set tol
  tol             1e-05                 relative error of f32 results that is never called inaccurate
  initially 1e-05
> set unicode
  unicode         auto                  print λ ∘ → rather than \ . ->; auto: in a UTF-8 locale
  one of: auto on off; initially auto
> set width 5
E05 "5" is not a value of width
  needs   auto, or a number from 20 to 1000
> set width
  width           auto                  columns for printed terms and programs; auto: the terminal's, or 100
  auto, or from 20 to 1000, initially auto
> set verbose 3
E05 "3" is not a value of verbose
  needs   a number from 0 to 2
> set unicode perhaps
E05 "perhaps" is not a value of unicode
  needs   one of: auto on off
> set verbsoe 1
E02 no setting "verbsoe"; did you mean verbose?
  try     set verbose 1
> set times
  times           off                   show measured figures; off: - in their place
  one of: on off; initially on
> set nosuch 1
E02 no setting "nosuch"
  try     set
> set width 100 3
E05 "3" is one argument too many for set
  form    set [NAME [VALUE]]
> set color never
> set prompt "%p> "
> set prompt
  prompt          %p>                   %p program, %v version, %t trust mark, %s * for unsaved work, %f focus
  initially %p@%v%t%s %f> 
> undo --help
undo [N]
  go to the N-th ancestor
  short: u
  Nothing is deleted.
  example  apply splitJoin(4) at /in ; undo
> lua --help
lua CHUNK
  run Lua in the session's state
  Globals persist.
  t is the session: t.apply("splitJoin(4)", {at = "/in"}), t.version(), t.run{n = 5}: every command
    by its name; nil and a failure say what went wrong.
  v = t.version() has .n .parent .params .hash ..., v:try(s) looks ahead.
  Strategies are values: s = topdown(mapFusion)^0; register(name, {params =, doc =}, s) makes a
    macro.
  The values of an expression are printed, as with =EXPR.
  Lines are read on until the chunk is complete; an empty line ends it.
  Ctrl-C ends a chunk wherever it is, in a pattern of text too; what runs as a strategy, and what
    conditions and macros do, costs fuel as well (`set fuel`, `set lua_memory`).
  example  lua print(1 + 1)
> apply --help | head -3
apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
  rewrite; success makes one new version
  short: a
