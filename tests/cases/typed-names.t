> # what people type for commands, names and help, and what a colleague would answer: what is wrong, and the next step
> exit please
E05 the exit code must be a whole number from 0 to 255, not "please"
> help me
E02 no help for "me"
  try     help /me
> help mapFussion
E02 no help for "mapFussion"; did you mean mapFusion?
  try     help mapFusion
> help /zzzz
nothing mentions "zzzz"
> help 5
E02 no help for "5"
  try     help /5
> help set width
E05 "width" is one argument too many for help
  form    help [TOPIC | COMMAND | RULE | PRIMITIVE | SETTING | ERROR | /WORD]
  hint    one word at a time: help width
> help apply splitJoin
E05 "splitJoin" is one argument too many for help
  form    help [TOPIC | COMMAND | RULE | PRIMITIVE | SETTING | ERROR | /WORD]
  hint    one word at a time: help splitJoin
> help E99
E02 no help for "E99"
  try     list errors
> help W99
E02 no help for "W99"
  try     list warnings
> help @1
E02 no help for "@1"
  try     help /@1
> hlep
E01 no command "hlep"; did you mean help?
  try     help
> Load tests/programs/dot.fun
E01 no command "Load"; did you mean load?
  try     load tests/programs/dot.fun
> LOAD tests/programs/dot.fun
E01 no command "LOAD"; did you mean load?
  try     load tests/programs/dot.fun
> load
E05 which file?
  form    load FILE [as NAME]
> load nofile
E06 cannot read nofile: No such file or directory
  hint    a program is a file .fun, or defined here: let NAME PARAM ... = EXPR
  hint    programs to begin with are in tests/programs/: load tests/programs/dot.fun
> load tests/programs/dto.fun
E06 cannot read tests/programs/dto.fun: No such file or directory
  try     load tests/programs/dot.fun
> load tests/programs/mm.fun tests/programs/dot.fun
E05 a name is given with: as NAME
  form    load FILE [as NAME]
> source
E05 which script? source FILE [ARG ...]
> source nofile
E06 cannot read nofile: No such file or directory
> open
E05 which file?
  form    open FILE [--force] | --old [N] [--drop]
> open nofile
E06 cannot read nofile: No such file or directory
> use mm
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> use
E05 which program?
  form    use NAME[@VERSION]
> show @1
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> use mm@7
E02 no program "mm"
  try     list programs
> use dott
E02 no program "dott"; did you mean dot?
  try     use dot
> dot
E01 no command "dot"
  try     use dot
> xs
E01 no command "xs"
  try     eval xs
> N
E01 no command "N"
  try     data N
> N = 5
E01 no command "N"
  try     data N = 5
> K = 3
E01 no command "K"
  try     let K = 3
> s0
E01 no command "s0"
  try     help
> :1
E01 no command ":1"
  try     cd :1
> /in
E01 no command "/in"
  try     cd /in
> @0
E01 no command "@0"
  try     goto @0
> mark acc
  $acc  /                         reduce (+) 0 (map (*) (zip xs ys))
> $acc
E01 no command "$acc"
  try     cd $acc
> 'map'
E01 no command "'map'"
  try     cd 'map'
> 42
E01 no command "42"
  try     help
> foo
E01 no command "foo"
  try     help
> mapFusion
E01 no command "mapFusion"
  hint    apply mapFusion applies it, where it may be
  try     where mapFusion
> map
E01 no command "map"
  hint    eval EXPR works out an expression, let NAME = EXPR makes it a program
  try     help
> tree
E01 no command "tree"
  try     show --as tree
> undo all
E05 undo must be a whole number from 1 to 2147483647, not "all"
> undo -1
E05 undo must be a whole number from 1 to 2147483647, not "-1"
> redo
E15 nothing to redo: @0 is the last on its branch
> redo 1 2
E05 "2" is one argument too many for redo
  form    redo [N | @CHILD]
> set foo
E02 no setting "foo"
  try     set
> set wdth
E02 no setting "wdth"; did you mean width?
  try     set width
> set width wide
E05 "wide" is not a value of width
  needs   auto, or a number from 20 to 1000
> set width 5
E05 "5" is not a value of width
  needs   auto, or a number from 20 to 1000
> set trials 0
E05 "0" is not a value of trials
  needs   a number from 1 to 10000
> set times maybe
E05 "maybe" is not a value of times
  needs   one of: on off
> set silence W99
E05 "W99" is not a value of silence
  needs   none, or ids of warnings; list warnings
> set unicode maybe
E05 "maybe" is not a value of unicode
  needs   one of: auto on off
> set depth -1
E05 "-1" is not a value of depth
  needs   a number from 0 to 1000
> alias x
E02 no alias "x"
  try     help alias
> alias x y
E02 no alias "x y"
  try     help alias
> alias log = show
E05 "log" is a command
  hint    another name
> alias -d nope
E02 no alias "nope"
  try     help alias
> alias again = again
> again
E05 the alias again stands for itself: again -> again
  try     alias again
> list
E05 list what?
  one of  commands programs rules macros strategies inputs params tags marks devices settings functions aliases errors warnings topics columns lessons
> list foo
E05 no kind "foo" to list
  one of  commands programs rules macros strategies inputs params tags marks devices settings functions aliases errors warnings topics columns lessons
> list rules zzzz
no rules with zzzz
> list programs foo
no programs with foo
> list tags
no tags
> list marks
  $acc            /                         reduce (+) 0 (map (*) (zip xs ys))
> list params
no params
> lesson foo
E81 no lesson "foo"
  try     list lessons
> lesson 99
E81 no lesson "99"
  try     list lessons
> lesson chekc
E81 no lesson "chekc"
  try     lesson check
  hint    did you mean check?
> lesson next
E82 no lesson is on
  try     list lessons
> lesson hint
E82 no lesson is on
  try     list lessons
> lesson submit
E82 no lesson is on
  try     list lessons
> lesson grade nofile
E06 cannot read nofile: No such file or directory
> lesson record
E05 record into which folder?
  try     lesson record mylesson
> hint
E82 no lesson is on
  try     list lessons
> serve maybe
E05 the port must be a whole number from 1 to 65535, not "maybe"
> serve 99999
E05 the port must be a whole number from 1 to 65535, not "99999"
> quit 300
E05 the exit code must be a whole number from 0 to 255, not "300"
> quit -1
E05 the exit code must be a whole number from 0 to 255, not "-1"
> !false
E05 the system command failed with status 1
> save a b
E05 "b" is one argument too many for save
  form    save [FILE] [--with-ir] [--force]
> save nowhere/x.session
E06 cannot write nowhere/x.session: No such file or directory
> expect
E05 which hash?
  form    expect HASH
> expect abc
E05 a hash is 16 hexadecimal digits, as info prints it
  form    expect HASH
> expect 0000000000000000
E40 dot@0 is 02687f3ee255bd63, not 0000000000000000: it drifted at its source
  found   reduce (+) 0 (map (*) (zip xs ys))
  try     info /
