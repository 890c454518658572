> # what a file says never commands a terminal: escape sequences, C1, a bell, returns, marks that turn the direction of writing
> !printf 'program\tsizes\tdevice\tstate\tns\tparams\tderivation\twhen\nmm\033[2J\tN=1\tpocl0\342\200\256\tok\t100\t\tA\302\233B\007\t\033[31mred\n' >evil.tsv
> results --from evil.tsv --columns program,device,derivation,state
  program   device   derivation   state
  mm?[2J    pocl0?   A?B?         ok
> results --from evil.tsv --format csv | od -c | grep -c 033
1
> !printf 'let f (x: [N]f32) = map\rabs \033]0;title\007 x\r\n' >evil.fun
> load evil.fun
E03 there is a control character 0x1b in the text
  evil.fun:1:29
  | let f (x: [N]f32) = map?abs ?]0;title? x
  |                             ^
> !printf 'state\n' >bad.tsv
> results --from bad.tsv
E03 bad.tsv: its first line has no column "ns"
  needs   what `results --format tsv -o FILE` writes, or a result store
> !printf '\223NUMPY\001\000\024\000{\033]0;x\007            \n' >evil.npy
> let g (x: [N]f32) = map abs x
g : [N]f32 -> [N]f32
> data x = file("evil.npy")
E06 evil.npy has no header as a .npy file has
  input   x
> eval
@0  [256]f32    N=256 (default; data N = ...)
  [0.64912224, 0.18101203, 0.88867086, 0.5085838, 0.157309, 0.9625242, 0.044096235, 0.6274365, ...]
  hash f457a90f207f6866
> !printf 'lathe-session 1\nprogram \033[2J evil\n' >evil.session
> open evil.session --force
E41 evil.session is not a session file
> !mkdir evil ; printf '# 1. title\033[2J\n\ntext \302\233 here\n\n## part\n\n```start\nlet f (x: [N]f32) = map abs x\n```\n\n```goal\nlowered\n```\n' >evil/lesson.md
> lesson ./evil
1. title?[2J
text ? here

part 1 of 1: part
    let f (x: [N]f32) = map abs x

  goal    every part of the term is an OpenCL primitive
  help    lesson check: what is missing; lesson skip: go on without it
> lesson leave
left evil: 0 of 1        lesson evil goes on
back in your session: g@0
> set color always
> results --from evil.tsv --columns program,state
  program   state
  mm?[2J    ok
> lua print("\27[2J\27[31mred\r\u{202e}")
?[2J?[31mred??
> lua error("\27[2J\27[31mred\r\u{202e}")
E24 lua:1: ?[2J?[31mred??
