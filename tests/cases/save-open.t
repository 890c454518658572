> save
E05 save to which file? This session came from none
  try     save lathe.session
> open
E05 which file?
  form    open FILE [--force] | --old [N] [--drop]
> open nosuch.session
E06 cannot read nosuch.session: No such file or directory
> open tests/programs/dot.fun
E41 tests/programs/dot.fun is not a session file
  try     load tests/programs/dot.fun
> set verbose 0
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> save dot.fun
E05 dot.fun is named like a program or a script; a session file ends in .session
  try     save dot.session
> save dot.session
saved dot.session: 2 programs, 0 versions
> apply splitJoin at /in as chunks
@1  splitJoin{n=s0}  at /in             builtin    from @0
> cd /in/in
> param s0 = 32
@2  param s0 = 32        from @1
> undo
@1  splitJoin{n=s0}        focus /in/in
> apply topdown(mapFusion) + splitJoin(4) at /in/in
@3  topdown(mapFusion) + splitJoin(4)  at /in/in  builtin    from @1
> rule half: map f x => join (map (map f) (split 2 x)) when 2 divides (length x)
rule half
  map f x  =>  join (map (map f) (split 2 x))  when 2 divides (length x)
  user; assumed
> apply half at /in/in/in/f/body as halved
@4  half  at /in/in/in/f/body           assumed    from @3
W08 rule half is "assumed": versions built with it are marked ?      (check half; silence: set silence W08)
> check half --trials 20
half holds on 20 instances, seed 1
  half is checked now; it was assumed
  so this version does not rest on an assumed rule any more: @4
> macro twice(n) = splitJoin(n) * topdown(mapSeq) -- for saving
twice(n)
  for saving
  macro twice(n) = splitJoin(n) * topdown(mapSeq) -- for saving
> alias l = log --path
> data N = 4096
> data xs = random(7,-0.1,3)
> data ys = file("a \"b\".bin")
warning: cannot read a "b".bin: No such file or directory
> set seeds 2
> set width 90
> use scal
> apply splitJoin(8) * topdown(mapSeq)
@1  splitJoin(8) * topdown(mapSeq)  at /  builtin    from @0
> use dot
> open dot.session
E17 this session has unsaved work: 5 versions
  try     save dot.session
  or      open dot.session --force
> save
saved dot.session: 2 programs, 5 versions
> !cat dot.session
lathe-session 1 saved lathe=0.1 **
source 1 file tests/programs/scal.fun  #aab84aa0
| # A vector scaled by a number.
| let scal (alpha: f32) (xs: [N]f32) = map (\x -> alpha * x) xs
|
source 2 file tests/programs/dot.fun  #b2e3b966
| # The scalar product of two vectors.
| let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
|
rule half  #d18196d6
| half: map f x => join (map (map f) (split 2 x)) when 2 divides (length x)
program scal source=1 name=scal hash=7a9cd53b94585050  #7ccddb79
program dot source=2 name=dot hash=02687f3ee255bd63  #c016e3d3
step scal @1 from=@0 macro trust=builtin next=0 hash=2eb9a1ee447c3aa6 at=/ "splitJoin(8) * topdown(mapSeq)"  #2b6a1e81
| splitJoin(8) at /
| mapSeq at /in
step dot @1 from=@0 rule trust=builtin next=1 hash=a145c31fadd9e151 at=/in "splitJoin{n=s0}"  #fe54b1d2
| splitJoin{n=s0} at /in
step dot @2 from=@1 param trust=builtin next=1 hash=ddd1ca1bfba88b1b name=s0 value=32 "param s0 = 32"  #c0942b7a
step dot @3 from=@1 rule trust=builtin next=1 hash=d8c17fb935cd70b1 at=/in/in "topdown(mapFusion) + splitJoin(4)"  #741ff56c
| splitJoin(4) at /in/in
step dot @4 from=@3 rule trust=checked next=1 hash=80aeda00d8b02f56 at=/in/in/in/f/body half  #3b7742c8
| half at /in/in/in/f/body
set seeds 2  #6bb69d5b
macro twice  #19942394
| twice(n) = splitJoin(n) * topdown(mapSeq) -- for saving
alias l  #62da0ccf
| log --path
trust half checked seed=1 count=20  #45cccba6
focus scal @1 /  #def0d3b7
at scal @1 @0  #a6355568
size dot N 4096  #e349116d
input dot xs "random(7,-0.1,3)"  #ad66d6d7
input dot ys "file(\"a \\\"b\\\".bin\")"  #c2f467c9
tag dot @1 chunks  #1f37c027
tag dot @4 halved  #543a2056
focus dot @1 /in/in  #8055cd7f
focus dot @2 /in/in  #27f94148
focus dot @3 /in/in  #8bdd4445
focus dot @4 /in/in  #fe1fee08
at dot @4 @3  #9c48fbe9
use dot  #8705b389
end  #2fc0b94a
> open dot.session
opened dot.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
> l
  @0  source
  @1  splitJoin{n=s0}  at /in  [chunks]
  @3  topdown(mapFusion) + splitJoin(4)  at /in/in
* @4  half  at /in/in/in/f/body  [halved]  checked
> list aliases
  l               log --path
> list macros saving
  twice(n)                    for saving
> list rules half -v | head -2
  half                    map f x  =>  join (map (map f) (split 2 x))  when 2 divides (length x)
      user; checked by 20 instances, seed 1
> data
  N = 4096
  xs : [N]f32               random(7,-0.1,3)
  ys : [N]f32               file("a \"b\".bin")
> set seeds
  seeds           2                     different inputs of a verification
  from 1 to 100, initially 3
> set width
  width           90                    columns for printed terms and programs; auto: the terminal's, or 100
  auto, or from 20 to 1000, initially auto
> list programs
  scal            @1, 2 versions              [N]f32
  dot             @4, 5 versions  (current)   f32
> cd
/in/in
> save again.session
saved again.session: 2 programs, 5 versions
> !diff dot.session again.session && echo equal
equal
> goto @chunks
@1  splitJoin{n=s0}        focus /in/in
> cd
/in/in
> redo
@3  topdown(mapFusion) + splitJoin(4)        focus /in/in
> use scal
> log --expand
  @0  source
* @1  splitJoin(8) * topdown(mapSeq)  at /
      .1  splitJoin(8)  at /
      .2  mapSeq  at /in
2 rewrites in 1 step to @1
> use dot
> open dot.session
opened dot.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
> save again.session
E17 again.session exists, and this session did not come from it
  try     save again.session --force
  or      save again-2.session
> save again.session --force
saved again.session: 2 programs, 5 versions
> apply splitJoin(4) at /in/in/in as low
@5  splitJoin(4)  at /in/in/in          builtin    from @4
> open dot.session
E17 this session has unsaved work: 1 version
  try     save again.session
  or      open dot.session --force
> save low.session
saved low.session: 2 programs, 6 versions
> open dot.session --force
opened dot.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
> log
  @0  source
  @1  splitJoin{n=s0}  at /in  [chunks]
  ├─ @2  param s0 = 32
  @3  topdown(mapFusion) + splitJoin(4)  at /in/in
* @4  half  at /in/in/in/f/body  [halved]  checked
> open low.session
opened low.session: 2 programs, 6 versions; now dot@5
  its settings that weaken verdicts or limits: seeds 2
> log @low
* @5  splitJoin(4)  at /in/in/in  [low]  checked
> save
saved low.session: 2 programs, 6 versions
> !echo >> low.session
> save
E17 low.session was changed by another program since it was opened
  try     save low.session --force
  or      save low-2.session
> open dot.session
opened dot.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
> !sed 's/half at/hilf at/' dot.session > damaged.session
> open damaged.session
  its settings that weaken verdicts or limits: seeds 2
E41 damaged.session is not intact; the rest of it was opened
  line 22 its checksum does not fit
  line 36 tag dot@4: its version was not read
  kept    2 programs, 4 versions
  try     replay damaged.session
> log
  @0  source
  @1  splitJoin{n=s0}  at /in  [chunks]
  ├─ @2  param s0 = 32
* @3  topdown(mapFusion) + splitJoin(4)  at /in/in
> save
E17 damaged.session was damaged when it was opened: saving would remove what could not be read
  try     save damaged.session --force
  or      save damaged-2.session
> save damaged.session --force
saved damaged.session: 2 programs, 4 versions
> !head -c 900 dot.session > cut.session
> open cut.session
E41 cut.session is not intact; the rest of it was opened
  line 19 the file ends in the middle of it
  lost    its end is missing: it was cut
  kept    2 programs, 2 versions
  try     replay cut.session
> log
  @0  source
* @1  splitJoin{n=s0}  at /in
> # with the terms of all versions as text, for archives
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> open dot.session --force
opened dot.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
> save whole.session --with-ir
saved whole.session: 2 programs, 5 versions
> !grep -A1 "^ir " whole.session
ir scal@0  #af3bce61
| map (\x -> alpha * x) xs
ir scal@1  #0b6646f5
| join . mapSeq (map (\x -> alpha * x)) . split 8 $ xs
ir dot@0  #546d9f0a
| reduce (+) 0 (map (*) (zip xs ys))
ir dot@1  #048d3ad9
| reduce (+) 0 (join (map (map (*)) (split s0 (zip xs ys))))
ir dot@2  #2f5926a5
| reduce (+) 0 (join (map (map (*)) (split s0 (zip xs ys))))
ir dot@3  #d9c93068
| reduce (+) 0 (join (join (map (map (map (*))) (split 4 (split s0 (zip xs ys))))))
ir dot@4  #d1ddafb8
| reduce
> open whole.session
opened whole.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
> save
saved whole.session: 2 programs, 5 versions
> !grep "^ir " whole.session
E05 the system command failed with status 1
> # a file whose steps do not repeat says that the terms are in it
> !cp dot.session steps.session
> open steps.session
opened steps.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
> save whole.session --with-ir --force
saved whole.session: 2 programs, 5 versions
> !sed -e "/^step dot @4/s/#.*/#00000000/" whole.session > broken.session
> open broken.session --force
  its settings that weaken verdicts or limits: seeds 2
E41 broken.session is not intact; the rest of it was opened
  line 22 its checksum does not fit
  line 53 tag dot@4: its version was not read
  kept    2 programs, 4 versions
  ir      the terms of its versions stand in it as text, in the records `ir PROGRAM@N`
  try     replay broken.session
> # one whose line breaks another system has changed
> !sed -e "s/$/\r/" whole.session > breaks.session
> open breaks.session --force
opened breaks.session: 2 programs, 5 versions; now dot@4
  its settings that weaken verdicts or limits: seeds 2
