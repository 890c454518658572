> # a comment
>    
> ; ;
> show # nothing is loaded
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/dot.fun; show # this one is
dot : [N]f32 -> [N]f32 -> f32
reduce (+) 0 (map (*) (zip xs ys))
> sh
reduce (+) 0 (map (*) (zip xs ys))
> s
reduce (+) 0 (map (*) (zip xs ys))
> lo
E01 "lo" is short for several commands: load lower log
  try     help
> l
E01 "l" is short for several commands: list lua lesson load let lower log
  try     help
> z
E01 no command "z"
  try     help
> load tests/programs/dot.fun ; bogus ; show
dot : [N]f32 -> [N]f32 -> f32
E01 no command "bogus"
  try     help
> show > /no/such/folder/file
E06 cannot write /no/such/folder/file: No such file or directory
> show >
E03 a file name is missing after >
> show |
E03 a program is missing after |
> show | cat
reduce (+) 0 (map (*) (zip xs ys))
> show | tr a-z A-Z | cat
REDUCE (+) 0 (MAP (*) (ZIP XS YS))
> show | no_such_program_at_all 2>/dev/null
E06 cannot start no_such_program_at_all 2>/dev/null
> !echo system
system
> !exit 3
E05 the system command failed with status 3
> =1 + 1
2
> data xs = file("two words.bin")
warning: cannot read two words.bin: No such file or directory
> apply seq(mapSeq,
>   mapSeq)
E23 mapSeq * mapSeq failed: mapSeq does not apply at /
  place   /
  rule    map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   map f x
  found   reduce (+) 0 (map (*) (zip xs ys))
  near    /in: map (*) (zip xs ys)
  try     apply mapSeq at /in
> cd \
> /in
> cd
/in
> undo --bogus
E05 undo has no flag "--bogus"
  form    undo [N]
> undo -1
E05 undo must be a whole number from 1 to 2147483647, not "-1"
> source no_such.lathe
E06 cannot read no_such.lathe: No such file or directory
> source script.lua
E06 cannot read script.lua: No such file or directory
> source tests
E06 cannot read tests: Is a directory
  has     forge.lua forms.lua images.lua indices.lua names.lua total.lua
> source
E05 which script? source FILE [ARG ...]
> quit many
E05 the exit code must be a whole number from 0 to 255, not "many"
> quit 3 4
E05 "4" is one argument too many for quit
  form    quit [CODE]
> apply (
E03 the bracket ( is not closed
  opened  line 35: apply (
  needs   to be closed before line 36, which begins with a command; indent lines that continue
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> apply seq(fuse,
E03 the bracket ( is not closed
  opened  line 37: apply seq(fuse,
  needs   to be closed before line 38, which begins with a command; indent lines that continue
> show
reduce (+) 0 ►(map (*) (zip xs ys))
> show (
>
>   /in
E03 the bracket ( is not closed
  opened  line 39: show (
  needs   to be closed before line 42, which begins with a command; indent lines that continue
> cd
/in
> # flags may be shortened like commands; the short ones are what they are
> show --fu
reduce (+) 0 ►(map (*) (zip xs ys))
> log --p
* @0  source
> results --fo
E05 "--fo" is short for several flags of results: --format --forget
  form    results [FILTER ...] [--all] [--from FILE] [--sort COLUMN,...] [--limit N] [--columns LIST] [--format FORMAT] [-o FILE] [--pivot COLUMN] [--value COLUMN] [--baseline NAME] [--matrix] [--histogram] [--plot KIND [--log]] [--forget]
  | results --import FILE [--program NAME] [--device NAME] ...
> show --nosuch
E05 show has no flag "--nosuch"
  form    show [@VERSION] [PLACE] [--as expr|tree|typed|json|dot] [--depth N] [--full] [--labels] [--tree yes|no]
> check mapFusion --tr 5 --se=2
mapFusion holds on 5 instances, seed 2
