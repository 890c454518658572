> # kernels edited by hand: a version of their own, assumed, built and verified like any other
> let twice (xs: [N]f32) = mapGlobal 0 (\x -> x * 2.0) xs
twice : [N]f32 -> [N]f32
> data N = 64
> code -o k.cl
k.cl: 1 kernel of @0
> code --edit k.cl
the source is what it was; still @0
> code --edit
E05 code --edit opens an editor, and there is no terminal
  try     code -o twice.cl        edit that file, then
  next    code --edit twice.cl
> code --edit nosuch.cl
E06 cannot read nosuch.cl: No such file or directory
> !sed 's/\* 2.0f/* 3.0f/' k.cl >wrong.cl; sed 's/xs.gid0. \* 2.0f/xs[gid0] + xs[gid0]/' k.cl >sum.cl; sed 's/twice_k0/other/' k.cl >name.cl; sed 's/;/,/' k.cl >broken.cl
> code --edit sum.cl
@1?  code --edit        assumed    from @0
  next   run; diff @0 @1 --code
> code
/* twice@1  e725fcd46405386c
 *   @1 code --edit
 * ? rests on the hand-edited kernel
 * N=64
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void twice_k0(const global float *restrict xs,
                     global float *restrict out)
{
    int gid0 = get_global_id(0);
    out[gid0] = xs[gid0] + xs[gid0];
}
> show
mapGlobal 0 (λx → x * 2) xs
? @1 rests on the hand-edited kernel
> info | grep trust
  trust   assumed
> log
  @0  source
* @1?  code --edit  assumed
> explain @1
@0 =  @1  code --edit  assumed
? @1 rests on the hand-edited kernel
> diff @0 @1
@0 and @1 are the same term
kernels were edited by hand        diff @0 @1 --code
? @1 rests on the hand-edited kernel
> diff @0 @1 --code | sed 's/^+/ +/'
@@ -5,5 +5,5 @@
                      global float *restrict out)
 {
     int gid0 = get_global_id(0);
-    out[gid0] = xs[gid0] * 2.0f;
 +    out[gid0] = xs[gid0] + xs[gid0];
 }
? @1 rests on the hand-edited kernel
> run
@1?  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> export cl - | grep -A5 'kernel void'
kernel void twice_k0(const global float *restrict xs,
                     global float *restrict out)
{
    int gid0 = get_global_id(0);
    out[gid0] = xs[gid0] + xs[gid0];
}
> # it takes no steps; what comes of it can be edited further
> apply mapSeq
E18 the kernels of @1 were edited by hand: a step would change the term, not them
  try     goto @0      whose kernels these were
  or      code --edit      to edit them further
> moves
E18 the kernels of @1 were edited by hand: a step would change the term, not them
  try     goto @0      whose kernels these were
  or      code --edit      to edit them further
> try mapSeq
E18 the kernels of @1 were edited by hand: a step would change the term, not them
  try     goto @0      whose kernels these were
  or      code --edit      to edit them further
> lower
E18 the kernels of @1 were edited by hand: a step would change the term, not them
  try     goto @0      whose kernels these were
  or      code --edit      to edit them further
> param s0 = 4
E18 the kernels of @1 were edited by hand: a step would change the term, not them
  try     goto @0      whose kernels these were
  or      code --edit      to edit them further
> lua v, f = t.version():apply(mapSeq) print(f.id, v)
E18	nil
> search params using random --budget 2
E18 the kernels of @1 were edited by hand: a step would change the term, not them
  try     goto @0      whose kernels these were
  or      code --edit      to edit them further
> code --edit wrong.cl as
E06 cannot read as: No such file or directory
> code --edit wrong.cl
@2?  code --edit        assumed    from @1
  next   run; diff @1 @2 --code
> run
@2? pocl0   WRONG RESULT   input 1 small integers, compared exactly  repeat 1 of 2
  60 of 64 elements differ; first at [0]: got 3, want 2 (rel 0.5)
  the kernel does not compute what the version says
  last step before wrong: @1 was OK; @2 = code --edit
  next: diff @1 @2 --code
E63 @2 does not compute what its source does
  trust   @2 rests on the hand-edited kernel
  try     run @1; explain @2
> undo
@1?  code --edit
    mapGlobal 0 (λx → x * 2) xs
> check @2
@2 equals @0 on 100 trials, seed 1
  these are the terms; kernels that were edited by hand are tried by run
> code --edit name.cl
E61 the edited source has no kernel twice_k0
  needs   the kernels of before, with their names and arguments: they are launched as before
> code @0 --edit broken.cl
@3?  code --edit        assumed    from @0
  next   run; diff @0 @3 --code
> run
@3 pocl0   BUILD FAILED
E61 kernel twice_k0 does not build: **
  log     **
          **
          Device **
          the program does not build (CL_BUILD_PROGRAM_FAILURE, -11)
> code @0 --edit sum.cl
@4?  code --edit        assumed    from @0
  same   as @1        goto @1
  next   run; diff @0 @4 --code
> rule same: map f x => mapGlobal 0 f x
rule same
  map f x  =>  mapGlobal 0 f x
  user; assumed
> let half (xs: [N]f32) = map (\x -> x * 0.5) xs
half : [N]f32 -> [N]f32
> apply same
@1  same  at /                          assumed    from @0
  - map (λx → x * 0.5) xs
  + mapGlobal 0 (λx → x * 0.5) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
W08 rule same is "assumed": versions built with it are marked ?      (check same; silence: set silence W08)
> data N = 64
> code --source "kernel void half_k0(const global float *restrict xs, global float *restrict out) { int i = get_global_id(0); out[i] = xs[i] / 2; }"
@2?  code --edit        assumed    from @1
  next   run; diff @1 @2 --code
> show
mapGlobal 0 (λx → x * 0.5) xs
? @2 rests on the assumed rule same and the hand-edited kernel
> use twice
> run @0 @1
@0  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
@1?  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> results @1 --columns version,state
  version            state
  e725fcd46405386c   ok
  e725fcd46405386c   ok
> # kept in session files, with its text; nothing is replayed elsewhere
> tag mine @1
@1 is now "mine"
> save code.session
saved code.session: 2 programs, 6 versions
> open code.session
opened code.session: 2 programs, 6 versions; now twice@4
> log
  @0  source
  ├─ @1?  code --edit  [mine]  assumed
  │  @2?  code --edit  assumed
  ├─ @3?  code --edit  assumed
* @4?  code --edit  assumed  = @1
> code @mine
/* twice@1  e725fcd46405386c
 *   @1 code --edit
 * ? rests on the hand-edited kernel
 * N=64
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void twice_k0(const global float *restrict xs,
                     global float *restrict out)
{
    int gid0 = get_global_id(0);
    out[gid0] = xs[gid0] + xs[gid0];
}
> goto @0
@0  source
    mapGlobal 0 (λx → x * 2) xs
> replay @0..@1
@5?  code --edit                        exact         from @1 of twice
1 of 1 step replayed: 1 exact; now twice@5
> goto @0
@0  source
    mapGlobal 0 (λx → x * 2) xs
> # from Lua, and in scripts, as text
> lua t.code{source = "kernel void twice_k0(const global float *restrict xs, global float *restrict out)\n{\n    int i = get_global_id(0);\n\n    if (i >= 0) // \"]]\"\n        out[i] = 2 * xs[i];\n}"}
@6?  code --edit        assumed    from @0
  next   run; diff @0 @6 --code
> code
/* twice@6  529691fcc2d86275
 *   @6 code --edit
 * ? rests on the hand-edited kernel
 * N=64
 */

kernel void twice_k0(const global float *restrict xs, global float *restrict out)
{
    int i = get_global_id(0);

    if (i >= 0) // "]]"
        out[i] = 2 * xs[i];
}
> run
@6?  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          exact; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> export script -
# twice, @0 to @6
# ? @6 rests on the hand-edited kernel
let twice (xs: [N]f32) = mapGlobal 0 (\x -> x * 2.0) xs
data N = 64
expect 103a4effc3d37e6d
lua t.code{source = [=[
kernel void twice_k0(const global float *restrict xs, global float *restrict out)
{
    int i = get_global_id(0);
 
    if (i >= 0) // "]]"
        out[i] = 2 * xs[i];
}
]=]}
expect 529691fcc2d86275
> = t.version().kind
code
> # a script edits them under the settings and for the sizes of then
> data N = 128
> export script -
# twice, @0 to @6
# ? @6 rests on the hand-edited kernel
let twice (xs: [N]f32) = mapGlobal 0 (\x -> x * 2.0) xs
data N = 128
expect 103a4effc3d37e6d
data N = 64
lua t.code{source = [=[
kernel void twice_k0(const global float *restrict xs, global float *restrict out)
{
    int i = get_global_id(0);
 
    if (i >= 0) // "]]"
        out[i] = 2 * xs[i];
}
]=]}
data N = 128
expect 529691fcc2d86275
> data N = 64
> goto @0
@0  source
    mapGlobal 0 (λx → x * 2) xs
> set sync paranoid
> set local 32
> set sizes argument
> code -o t.cl
t.cl: 1 kernel of @0
> !sed 's/2\.0f/4.0f/' t.cl >t2.cl
> code --edit t2.cl
@7?  code --edit        assumed    from @0
  next   run; diff @0 @7 --code
> export script t.lathe
t.lathe written
> export script -
# twice, @0 to @7
# ? @7 rests on the hand-edited kernel
let twice (xs: [N]f32) = mapGlobal 0 (\x -> x * 2.0) xs
data N = 64
expect 103a4effc3d37e6d
set sizes argument
set sync paranoid
set local 32
lua t.code{source = [=[
#pragma OPENCL FP_CONTRACT OFF
 
__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void twice_k0(const global float *restrict xs,
                     global float *restrict out, int N)
{
    int gid0 = get_global_id(0);
    if (gid0 < N) {
        out[gid0] = xs[gid0] * 4.0f;
    }
}
]=]}
set sizes constant
set sync normal
set local auto
expect 635c207908006a53
> set sync normal
> set local auto
> set sizes constant
> # it holds where the same kernels would be generated
> let sums (A: [N][K]f32) = mapGlobal 0 (reduceSeq (+) 0) A
sums : [N][K]f32 -> [N]f32
> data N = 64
> code -o s.cl
s.cl: 1 kernel of @0
> code --edit s.cl
E55 of the sizes only N=64 is set: kernels are edited for all sizes, or for sizes as arguments
  try     set sizes argument        or set the others: data NAME = VALUE
> data K = 8
> code -o s.cl
s.cl: 1 kernel of @0
> !sed 's/0.0f/-0.0f/' s.cl >s2.cl
> code --edit s2.cl
@1?  code --edit        assumed    from @0
  next   run; diff @0 @1 --code
> data K = 16
> run
E55 the kernels were edited for N=64 K=8, and with N=64 K=16 others are generated
  try     data N = 64 ; data K = 8
  hint    edit the kernels of now: code --edit at the parent
> code
E55 the kernels were edited for N=64 K=8, and with N=64 K=16 others are generated
  try     data N = 64 ; data K = 8
  hint    edit the kernels of now: code --edit at the parent
> data K = 8
> run
@1?  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 1.5e-07, 0.46 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> # sizes as arguments
> let thrice (xs: [N]f32) = mapGlobal 0 (\x -> x * 3.0) xs
thrice : [N]f32 -> [N]f32
> code -o t.cl
t.cl: 1 kernel of @0
> !sed 's/\* 3.0f/* 3/' t.cl >t2.cl
> code --edit t2.cl
@1?  code --edit        assumed    from @0
  next   run; diff @0 @1 --code
> run
@1?  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 4.6e-08, 0.6 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> data N = 1024
> run
@1?  pocl0 **
  build   **
  verify  OK   3 inputs x 2 repeats; input 1 exact
          error 4.7e-08, 0.62 x the source's own; sees changes of 6e-08
          every element
  time    - ms median of 20  (IQR -, min -)    - GB/s
> # which place each line is for; the labels are those of the last display
> load tests/programs/asum.fun
asum : [N]f32 -> f32
> data N = 64
> apply reduceSplit(16) at / ; apply mapGlobal(0) at /in ; apply reduceSeq at /in/f/body ; apply topdown(toGlobal) at /in
@1  reduceSplit(16)  at /               builtin    from @0
  - reduce (+) 0 ∘ map abs $ xs
  + reduce (+) 0 ∘ map (reduce (+) 0) ∘ split 16 ∘ map abs $ xs
  type   f32                          unchanged
  focus  /  ->  /                     8 moves here
@2  mapGlobal(0)  at /in                builtin    from @1
  - map (reduce (+) 0) ∘ split 16 ∘ map abs $ xs
  + mapGlobal 0 (reduce (+) 0) ∘ split 16 ∘ map abs $ xs
  type   [N/16]f32                    unchanged
  focus  /  ->  /                     7 moves here
@3  reduceSeq  at /in/f/body            builtin    from @2
  - reduce (+) 0 xs1
  + reduceSeq (+) 0 xs1
  type   f32                          unchanged
  focus  /  ->  /                     7 moves here
@4  topdown(toGlobal)  at /in           builtin    from @3
  - mapGlobal 0 (reduceSeq (+) 0) ∘ split 16 ∘ map abs $ xs
  + toGlobal ∘ mapGlobal 0 (reduceSeq (+) 0) ∘ split 16 ∘ map abs $ xs
  type   [N/16]f32                    unchanged
  focus  /  ->  /                     7 moves here
> lower
@5  lower                               builtin    from @4
  - reduce (+) 0 ∘ toGlobal ∘ mapGlobal 0 (reduceSeq (+) 0) ∘ split 16 ∘ map abs $ xs
  + reduceSeq (+) 0 ∘ toGlobal ∘ mapGlobal 0 (reduceSeq (+) 0) ∘ split 16 ∘ mapGlobal 0 abs $ xs
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     3 moves here
> code --map
      /* asum@5  9263331e318731f4
       *   @1 reduceSplit(16) at /
       *   @2 mapGlobal(0) at /in
       *   @3 reduceSeq at /in/f/body
       *   @4 topdown(toGlobal) at /in
       *   @5 lower
       * N=64
       */

      #pragma OPENCL FP_CONTRACT OFF

      __attribute__((reqd_work_group_size(64, 1, 1)))
      kernel void asum_k0(const global float *restrict xs,
                          global float *restrict tmp2)
      {
          int gid0 = get_global_id(0);
:1        tmp2[gid0] = fabs(xs[gid0]);
      }

      __attribute__((reqd_work_group_size(4, 1, 1)))
      kernel void asum_k1(global float *restrict tmp,
                          const global float *restrict tmp2)
      {
          int gid0 = get_global_id(0);
:2        float acc = 0.0f;
:2        for (int i = 0; i < 16; i++) {
:3            acc += tmp2[16*gid0 + i];
          }
:2        tmp[gid0] = acc;
      }

      __attribute__((reqd_work_group_size(1, 1, 1)))
      kernel void asum_k2(global float *restrict out,
                          const global float *restrict tmp)
      {
:4        float acc = 0.0f;
:4        for (int i = 0; i < 4; i++) {
:5            acc += tmp[i];
          }
:4        out[0] = acc;
      }

:1    /in/in/in/in/f/body       abs x
:2    /in/in/f/body             reduceSeq (+) 0 xs1
:3    /in/in/f/body/f/body      acc + x
:4    /                         reduceSeq (+) 0 ∘ toGlobal ∘ mapGlobal 0 (reduceSeq (+) 0) ∘ spli...
:5    /f/body                   acc + x
> show :2
reduceSeq (+) 0 xs1
> code @1 --map
E51 not runnable yet: 4 nodes are still high-level
  /          reduce   as reduceSeq        moves /
  /in        map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in
  /in/f/body reduce   as reduceSeq        moves /in/f/body
  /in/in/in  map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /in/in/in
  or      lower
> code --map -o k.cl
E05 --map is for reading: its lines are no program
  try     code --map > asum.map
> code --map --host
E05 --host or --map, not both
> # a host program
> code --host | grep -A12 'cl_kernel k0'
    cl_kernel k0 = find_kernel(program, "asum_k0");
    cl_kernel k1 = find_kernel(program, "asum_k1");
    cl_kernel k2 = find_kernel(program, "asum_k2");

    for (int trial = -1; trial < TRIALS; trial++) {            /* the first is not counted */
        double from = now(queue);
        argument(k0, 0, sizeof d_xs, &d_xs);
        argument(k0, 1, sizeof d_tmp2, &d_tmp2);
        launch(queue, k0, (size_t[3]){64, 1, 1}, (size_t[3]){64, 1, 1});
        argument(k1, 0, sizeof d_tmp, &d_tmp);
        argument(k1, 1, sizeof d_tmp2, &d_tmp2);
        launch(queue, k1, (size_t[3]){4, 1, 1}, (size_t[3]){4, 1, 1});
        argument(k2, 0, sizeof d_out, &d_out);
> code --host -o host.c
host.c: a program around 3 kernels of @5
> data xs = adversarial(1)
> data N = 65536
> code --host
E37 the 65536 values of xs are given by no formula, and are too many to be written down
  hint    data xs = file("FILE"), random(seed,lo,hi), iota or const(v)
> # a replay takes edited kernels over where those they replace are generated again
> let halve (xs: [N]f32) = map (\x -> x / 2.0) xs
halve : [N]f32 -> [N]f32
> data N = 64
> apply mapGlobal(0) ; code -o h.cl
@1  mapGlobal(0)  at /                  builtin    from @0
  - map (λx → x / 2) xs
  + mapGlobal 0 (λx → x / 2) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
h.cl: 1 kernel of @1
> !sed 's| / 2.0f| * 0.5f|' h.cl >h2.cl
> code --edit h2.cl
@2?  code --edit        assumed    from @1
  next   run; diff @1 @2 --code
> save halve.session
saved halve.session: 6 programs, 18 versions
> goto @0
@0  source
    map (λx → x / 2) xs
> replay halve.session
@3  mapGlobal(0)  at /                  exact         from @1 of halve
@4?  code --edit                        exact         from @2 of halve
2 of 2 steps replayed: 2 exact; now halve@4
> goto @0
@0  source
    map (λx → x / 2) xs
> apply mapSeq
@5  mapSeq  at /                        builtin    from @0
  - map (λx → x / 2) xs
  + mapSeq (λx → x / 2) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> replay @1..@2 on @0
0 of 1 step replayed; now halve@0
E42 step @2 code --edit: not runnable yet: 1 node is still high-level
  /       map      as mapGlobal, mapWorkgroup, mapLocal, mapSeq        moves /
  or      lower
  or      replay @1..@2 on @0 --keep-going
> replay @1..@2 on @3
@6?  code --edit                        exact         from @2 of halve
1 of 1 step replayed: 1 exact; now halve@6
> goto @0
@0  source
    map (λx → x / 2) xs
> data N = 100
> replay @0..@2
@7  mapGlobal(0)  at /                  exact         from @1 of halve
1 of 2 steps replayed: 1 exact; now halve@7
E42 step @2 code --edit: the kernels were edited for N=64, and with N=100 others are generated
  differs first in line 3
  needs   __attribute__((reqd_work_group_size(64, 1, 1)))
  found   __attribute__((reqd_work_group_size(50, 1, 1)))
  try     data N = 64
  hint    edit the kernels of now: code --edit at the parent
  or      replay @0..@2 --keep-going
> data N = 64
> # strict refuses them, as it refuses rules that are only assumed
> set strict on
> goto @1
@1  mapGlobal(0)
    mapGlobal 0 (λx → x / 2) xs
> code --edit h2.cl
E26 kernels edited by hand are only assumed to be right, and strict is on
  try     set strict off
> replay @0..@2 on @0
@8  mapGlobal(0)  at /                  exact         from @1 of halve
1 of 2 steps replayed: 1 exact; now halve@8
E26 kernels edited by hand are only assumed to be right, and strict is on
  try     set strict off
> lua print(select(2, pcall(t.code, {source = "kernel void halve_k0() {}"})))
nil	E26 kernels edited by hand are only assumed to be right, and strict is on
  try     set strict off
> set strict off
> # what is generated now and differs is told by its first line
> let halve (xs: [N]f32) = map (\x -> x / 3.0) xs
halve changed; its earlier derivation is kept as halve.1
halve : [N]f32 -> [N]f32
> data N = 64
> apply mapGlobal(0)
@1  mapGlobal(0)  at /                  builtin    from @0
  - map (λx → x / 3) xs
  + mapGlobal 0 (λx → x / 3) xs
  type   [N]f32                       unchanged
  focus  /  ->  /                     4 moves here
> replay halve.session @1..@2
0 of 1 step replayed; now halve@1
E42 step @2 code --edit: other kernels are generated here than those that were edited
  differs first in line 8, of halve_k0
  needs   out[gid0] = xs[gid0] / 2.0f;
  found   out[gid0] = xs[gid0] / 3.0f;
  hint    edit the kernels of now: code --edit at the parent
  or      replay halve.session @1..@2 --keep-going
> let halve2 (xs: [N]f32) = mapGlobal 0 (\x -> x / 2.0) xs
halve2 : [N]f32 -> [N]f32
> data N = 64
> replay halve.session @1..@2
0 of 1 step replayed; now halve2@0
E42 step @2 code --edit: other kernels are generated here than those that were edited
  differs first in line 4, of halve_k0
  needs   kernel void halve_k0(const global float *restrict xs,
  found   kernel void halve2_k0(const global float *restrict xs,
  hint    edit the kernels of now: code --edit at the parent
  or      replay halve.session @1..@2 --keep-going
