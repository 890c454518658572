> # rewriting as people type it: rules, strategies, macros, parameters, conditions
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> apply
E05 which rule or macro?
  form    apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
  try     moves
> apply 99
E14 no moves were listed yet
  try     moves
> apply -1
E24 this is a number, not a strategy
  hint    `moves` numbers what applies: apply 3
> apply 1.5
E24 this is a number, not a strategy
  hint    `moves` numbers what applies: apply 3
> apply nil
E24 this is nothing, not a strategy
  hint    a * b does one behind the other, a + b the first that applies
> apply map
E02 map is a primitive, not a rule
  try     list rules map
> apply transposeAgain
E02 no rule, macro or Lua value called "transposeAgain"
  try     list rules transpose
> apply everything
E02 no rule, macro or Lua value called "everything"
  try     list rules
> apply splitjoin(4)
E02 no rule, macro or Lua value called "splitjoin"; did you mean splitJoin?
  try     apply splitJoin(4)
> apply "splitJoin"
E24 this is a string, not a strategy
  hint    without the quotes it is a rule or a macro
> apply 'splitJoin'
E24 this is a string, not a strategy
  hint    without the quotes it is a rule or a macro
> apply split-join
E02 split is a primitive, not a rule
  try     list rules split
> apply splitJoin[4]
E24 this is nothing, not a strategy
  hint    arguments stand in round brackets: splitJoin(4)
> apply splitJoin.4
E24 `.4` is not expected there in a strategy
  hint    a * b does one behind the other, a + b the first that applies
> apply splitJoin n=4
@1  splitJoin(4)  at /in                builtin    from @0
  - map (*) (zip xs ys)
  + join (map (map (*)) (split 4 (zip xs ys)))
  type   [N]f32                       unchanged
  focus  /  ->  /                     11 moves here
> apply splitJoin n = 4, m = 2
E22 splitJoin has no argument "m"; it takes n
> apply splitJoin{m=4}
E22 splitJoin has no argument "m"; it takes n
> apply splitJoin{n="a"}
E02 no size called "a"
  hint    sizes in types have upper-case names; a tuning parameter is declared: param a
> apply splitJoin 4 4
E22 splitJoin has no argument number 2; it takes n
> apply splitJoin(0)
E21 splitJoin does not apply at /
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   map f x
  found   reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  near    /in/in: map (map (*)) (split 4 (zip xs ys)), but it needs n divides (length x) (0 does not divide N/4)
  try     moves /
> apply splitJoin(2.5)
E22 a size is an integer or text such as "N/4", not number
> apply mapGlobal
E22 mapGlobal needs its argument d: 0, 1 or 2
  try     apply mapGlobal(0)
> apply mapGlobal(3)
E22 the argument d of mapGlobal is 0, 1 or 2
> apply mapGlobal(-1)
E22 the argument d of mapGlobal is 0, 1 or 2
> apply mapGlobal(0,1)
E22 mapGlobal has no argument number 2; it takes d
> apply mapGlobal 0 at
E05 the form is not complete
  form    apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
> apply mapGlobal 0 at /f at /in
E24 `0` is not expected there in a strategy
  hint    a * b does one behind the other, a + b the first that applies
> apply mapGlobal(0) in /f/body
E21 mapGlobal does not apply at /f/body
  rule    map f x  =>  mapGlobal d f x  when ...        help mapGlobal
  needs   map f x
  found   acc + x
  near    /in/in: map (map (*)) (split 4 (zip xs ys))
  try     apply mapGlobal(0) at /in/in
> apply mapGlobal(0) as best of all
E05 the form is not complete
  form    apply [--trace [--depth N]] STRATEGY|NUMBER [at PLACE] [as TAG]
> apply mapGlobal(0) as 7up
E05 "7up" is not a tag: letters, digits, _ and -, not starting with a digit
> apply vectorise(5)
E22 the argument w of vectorise is 1 (scalars), 2, 3, 4, 8 or 16
> apply topdown
E24 topdown needs a strategy, not a place: topdown(mapFusion)
> apply topdown()
E24 topdown needs a strategy, not nothing: topdown(mapFusion)
> apply topdown mapFusion
E23 topdown(mapFusion) failed: mapFusion does not apply at /in/in
  place   /in/in
  rule    map f (map g x)  =>  map (f . g) x
  needs   map g x at /in/in/in
  found   split 4 (zip xs ys)
  try     apply splitZip at /in/in/in ; apply mapFusion at /in/in
> apply topdown(mapFussion)
E02 no rule, macro or Lua value called "mapFussion"; did you mean mapFusion?
  try     apply topdown(mapFusion)
> apply mapFusion^
E24 the strategy ends where more is expected
  hint    a * b does one behind the other, a + b the first that applies
> apply mapFusion *
E24 the strategy ends where more is expected
  hint    a * b does one behind the other, a + b the first that applies
> apply mapFusion . reduceSeq
E24 this is nothing, not a strategy
  hint    a * b does one behind the other, a + b the first that applies
> apply mapFusion, reduceSeq
E24 one strategy is expected, not several
  hint    a * b does one behind the other
> apply mapFusion then reduceSeq
E24 `then` is not expected there in a strategy
  hint    a * b does one behind the other, a + b the first that applies
> apply mapFusion; reduceSeq
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  near    /in/in: map (map (*)) (split 4 (zip xs ys)), but it needs map g x at /in/in/in
  try     apply splitZip at /in/in/in ; apply mapFusion at /in/in
> apply apply mapFusion
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  near    /in/in: map (map (*)) (split 4 (zip xs ys)), but it needs map g x at /in/in/in
  try     apply splitZip at /in/in/in ; apply mapFusion at /in/in
> apply undo
E02 no rule, macro or Lua value called "undo"
  try     undo
  hint    undo is a command by itself
> apply id
id changed nothing; still @1
> apply function() end
E23 function failed: a Lua function fails at /
  found   reduce (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
> try
E05 which rule or macro?
  form    try [--trace [--depth N]] STRATEGY [at PLACE]
  try     moves
> try foo
E02 no rule, macro or Lua value called "foo"
  try     list rules
> why
E05 which rule or macro?
  form    why STRATEGY|NUMBER|'PATTERN' [at PLACE]
  try     moves
> why foo
E02 no rule, macro or Lua value called "foo"
  try     list rules
> why 99
E14 no moves were listed yet
  try     moves
> why apply reduceSeq
reduceSeq applies at /
  rule    reduce f z x  =>  reduceSeq f z x  when not contains mapGlobal f and not contains mapWorkgroup f
  where   z = 0.0
          x = join (map (map (*)) (split 4 (zip xs ys)))
          f = (+)
  when    not contains mapGlobal f: yes, it does not contain mapGlobal
  when    not contains mapWorkgroup f: yes, it does not contain mapWorkgroup
  gives   reduceSeq (+) 0 (join (map (map (*)) (split 4 (zip xs ys))))
  try     apply reduceSeq at /
> lower now
E02 no rule, macro or Lua value called "now"
  try     list rules
> lower @0
E05 lower goes on from the current version
  form    lower [--trace [--depth N]] [STRATEGY] [as TAG] | lower --explain [at PLACE]
  try     goto @0 ; lower
> lower --verbose
E05 lower has no flag "--verbose"
  form    lower [--trace [--depth N]] [STRATEGY] [as TAG] | lower --explain [at PLACE]
> lower --explain /in
E05 `at PLACE` is expected there
  form    lower [--trace [--depth N]] [STRATEGY] [as TAG] | lower --explain [at PLACE]
> macro m
E02 no macro called "m"
  try     list macros
  form    macro NAME[(P, ...)] = STRATEGY
> macro m =
E05 a macro is NAME = STRAT or NAME(P, ...) = STRAT
> macro m = splitJoin(
E24 the strategy ends where more is expected
  hint    a * b does one behind the other, a + b the first that applies
> macro m = mapFusion; undo
E24 `undo` is not expected there in a strategy
  hint    a * b does one behind the other, a + b the first that applies
> macro 2m = mapFusion
E05 a macro is NAME = STRAT or NAME(P, ...) = STRAT
> macro m(n) splitJoin(n)
E05 a macro is NAME = STRAT or NAME(P, ...) = STRAT
> macro m(n) = splitJoin(n) * foo
E02 no rule, macro or Lua value called "foo"
  try     list rules
> macro splitJoin = mapFusion
E05 splitJoin is a rule already
> macro m = m
E02 no rule, macro or Lua value called "m"
  try     list rules
> macro -d nope
E02 no macro called "nope"
  try     list macros
> rule x
E02 no rule called "x"
  try     list rules
  form    rule NAME[(PARAMS)]: LHS => RHS [when COND]
> rule x:
E03 expected an expression, found the end of the input
  rule:1:3
  | x:
  |   ^
> rule x: map f y
E03 expected an operator, `=>` or `<=>`, found the end of the input
  rule:1:11
  | x: map f y
  |           ^
> rule x: map f y => map g y
E30 the left side does not bind "g"
  rule:1:19
  | x: map f y => map g y
  |                   ^
  hint    put it on the left, or make it a parameter: rule x(g): ...
> rule x: map f y = y
E03 expected an operator, `=>` or `<=>`, found `=`
  rule:1:12
  | x: map f y = y
  |            ^
  hint    => stands between the sides of a rule
> rule x: map f y -> y
E03 expected an operator, `=>` or `<=>`, found `->`
  rule:1:12
  | x: map f y -> y
  |            ^~
  hint    => stands between the sides of a rule
> rule x y: map f z => z
E03 expected `:` behind the rule's name and parameters, found the name `y`
  rule:1:3
  | x y: map f z => z
  |   ^
> rule 3: map f y => y
E03 expected the name of a rule, found the number `3`
  rule:1:1
  | 3: map f y => y
  | ^
> rule mapFusion: map f x => map f x
E30 mapFusion cannot be the name of a rule: it is a built-in one
  hint    another name, such as mapFusion2
> rule x: reduce + z y => reduce (*) z y
E04 a function stands where a value is needed
  rule:1:4
  | x: reduce + z y => reduce (*) z y
  |    ^~~~~~~~~~~~
  hint    an operator that is an argument stands in brackets: (+)
> rule x: map f y => map f y when foo
E03 expected `divides`, a comparison or an operator, found the end of the input
  rule:1:31
  | x: map f y => map f y when foo
  |                               ^
  hint    a condition: n divides (length x), n < k, associative f, commutative f ... (help rules)
> rule x: map f y => map f y when f associative
E03 the word of a condition stands in front
  rule:1:28
  | x: map f y => map f y when f associative
  |                            ^~~~~~~~~~~~~
  hint    associative f
> rule x: map f y => map f y when n divides
E03 expected an expression, found the end of the input
  rule:1:37
  | x: map f y => map f y when n divides
  |                                     ^
> rule -d mapFusion
E27 mapFusion is a built-in rule
> rule -d zzz
E02 no rule called "zzz"
  try     list rules
> check
E05 which rule or version is to be checked?
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> check foo
E02 no rule called "foo"
  try     list rules
> check @9
E13 dot has no version @9; the newest is @1
  try     log
> check mapFusion --trials lots
E05 --trials must be a whole number from 1 to 1000000, not "lots"
> check mapFusion splitJoin
E05 "splitJoin" is one argument too many for check
  form    check RULE | @VERSION [@VERSION] [--trials N] [--seed S]
> param
@1 has no tuning parameters: a rule whose size is left out makes one
> param s0
E02 @1 has no tuning parameter "s0"
  has     none: a rule whose size is left out makes one, as splitJoin
> apply splitJoin at /in
E21 splitJoin does not apply at /in
  rule    map f x  =>  join (map (map f) (split n x))  when n divides (length x)
  needs   map f x
  found   join (map (map (*)) (split 4 (zip xs ys)))
  near    /in/in: map (map (*)) (split 4 (zip xs ys))
  try     apply splitJoin at /in/in
  try     apply joinMap at /in ; apply splitJoin at /in
> param s0 =
E05 param takes NAME = VALUE
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> param s0 4
E05 "4" is one argument too many for param
  form    param [NAME [--all | = VALUE | = ? [, NAME = ...]]]
> param s1 = 4
E02 @1 has no tuning parameter "s1"
  has     none: a rule whose size is left out makes one, as splitJoin
> param s0 = x
E05 s0 must be a whole number, not "x"
> data N = 64
> param s0 = 5
E02 @1 has no tuning parameter "s0"
  has     none: a rule whose size is left out makes one, as splitJoin
> param s0 = 2^3
E02 @1 has no tuning parameter "s0"
  has     none: a rule whose size is left out makes one, as splitJoin
> search foo
E05 search params, search rules or search fusions?
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> search params 10
E05 `using` and a strategy are expected there
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> search params using foo
E02 no search strategy called "foo"
  has     exhaustive random **
  try     list strategies
> search params using random --budget lots
E05 lots is no budget
  form    --budget 50 (evaluations), 10% (of the points), 60s or 5m (time), "<0.4ms" (good enough), or several: 50,60s
  hint    with -o gflops, ">100" (good enough)
> search params --budget 5
E05 a search needs a strategy: without `using` the space is described
  hint    search params using random --budget 5
> search rules using
E05 using which strategy? `list strategies`
  form    search [params|rules|fusions [using STRATEGY]] [-o OBJECTIVE] [--budget N,N%,TIME,<TIME] [--keep K] [--go] [--set OPTION=VALUE,...] [--again] [--force] [--all] [--plot] [--devices ID,ID*N] [--sizes NAME=SIZE,SIZE,...] [--transfer none|to|from|both] [--call STRATEGY] [--choices "NAME=VALUE,VALUE ..."]
  | search rules [--generate [-o FOLDER] [--budget N]]
  | search [params [using STRATEGY,...]] --simulate [--from FILE] [--seeds N] [--budget N]
  | search params --from FILE.json
  | search params|rules|fusions using STRATEGY --replay FILE ...
> results ms<
E05 ms is a number: "" is none
> results foo=1
no results yet: run and search record them
> results --sort foo
no results yet: run and search record them
> results --columns foo
E05 results have no column "foo"
  try     list columns
> results --format xml
E05 --format is one of table, csv, tsv, json, t4, not "xml"
> results --plot pie
E05 --plot is one of distribution, progress, evolution, matrix, bars, lines, dots, not "pie"
> results --baseline zz
E05 --baseline is a column of --pivot
  form    results [FILTER ...] [--all] [--from FILE] [--sort COLUMN,...] [--limit N] [--columns LIST] [--format FORMAT] [-o FILE] [--pivot COLUMN] [--value COLUMN] [--baseline NAME] [--matrix] [--histogram] [--plot KIND [--log]] [--forget]
  | results --import FILE [--program NAME] [--device NAME] ...
> fuse --best
E05 --best needs a value
  form    fuse [--best K] [--limit K] [--implementations] [--routines] [--measure [--budget N,TIME] [--force]] [--set device=cpu|gpu]
> tune now
E05 "now" is one argument too many for tune
  form    tune [--budget N,TIME,<TIME] [--keep K] [--again] [--force] [--all]
