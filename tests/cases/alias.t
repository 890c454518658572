> alias
no aliases; alias NAME = LINE makes one
> list aliases
no aliases
> alias t = try $1 at $2
> alias two = show; info
> alias l = log --path
> alias t
  t = try $1 at $2
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> t splitJoin /in
try  splitJoin{n=s0}  at /in            builtin    from @0
  - map (*) (zip xs ys)
  + join (map (map (*)) (split s0 (zip xs ys)))
  type   [N]f32                       unchanged
  param  s0 : int
> t splitJoin
E05 t takes 2 arguments, not 1
  is      t = try $1 at $2
> l
* @0  source
> two /in
reduce (+) 0 (map (*) (zip xs ys))
/in of dot@0
  kind    map    apply f to every element
  type    [N]f32
  length  N
  bytes   4*N = 1024
  space   not decided: toGlobal, toLocal or toPrivate would
  slot    f      (*)                                                  ((f32, f32) -> f32)
  slot    in     zip xs ys                                            [N](f32, f32)
  nodes   8
  origin  @0 source
> alias show = show --full
E05 "show" is a command
  hint    another name
> alias q = log
E05 "q" is short for the command quit
  hint    another name
> alias 3 = log
E05 "3" is no name for an alias: letters, digits, _ and -, a letter first
> alias a-b = log
> a-b --path
* @0  source
> alias nothing =
E05 nothing would stand for nothing; alias -d nothing deletes it
> alias lo = log
> lo
* @0  source
> alias la = la2 /in
> alias la2 = lb
> alias lb = la
> la
E05 the alias la stands for itself: la -> la2 -> lb -> la
  try     alias la
> alias sh = show --depth 1
> sh
reduce (+) 0 (map (*) ..)
> alias out = show > $1
> alias head = help show | head -$1
> head 2
show [@VERSION] [PLACE] [--as expr|tree|typed|json|dot] [--depth N] [--full] [--labels] [--tree
      yes|no]
> alias
  t = try $1 at $2
  two = show; info
  l = log --path
  a-b = log
  lo = log
  la = la2 /in
  la2 = lb
  lb = la
  sh = show --depth 1
  out = show > $1
  head = help show | head -$1
> list aliases two
  two             show; info
> alias -d t
> alias -d t
E02 no alias "t"
  try     list aliases
> alias -d
E05 delete which alias?
  form    alias [NAME [= LINE]] | -d NAME
> alias nosuch
E02 no alias "nosuch"
  try     list aliases
> alias n = show # comment
> n
reduce (+) 0 (map (*) (zip xs ys))
> alias msg = let k = 3; show
> l # a comment; not a command
* @0  source
> l; sh
* @0  source
reduce (+) 0 (map (*) ..)
> alias bad = bogus $1
> bad 1
E01 no command "bogus"
  try     help
