> export script -
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/gemv.fun
gemv : [N][M]f32 -> [M]f32 -> [N]f32 -> f32 -> f32 -> [N]f32        2 programs; list programs
> export
E05 export as what? One of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  form    export script|html|md|tex|dot|cl|cuda|t1|t4 FILE [@A..@B | @B] [--expand] [--term | --step] [--force] | library DIR | python FILE.py [@V ...] [--target opencl|cuda|c] [--pyopencl] [--cuda] [--torch] [--sizes NAME=SIZE,...] [--name NAME] [--force]
> export pdf x
E05 "pdf" is no format: one of script, html, md, tex, dot, cl, cuda, t1, t4, library, python
  form    export script|html|md|tex|dot|cl|cuda|t1|t4 FILE [@A..@B | @B] [--expand] [--term | --step] [--force] | library DIR | python FILE.py [@V ...] [--target opencl|cuda|c] [--pyopencl] [--cuda] [--torch] [--sizes NAME=SIZE,...] [--name NAME] [--force]
> export script
E05 export to which file? - is standard output
  form    export script|html|md|tex|dot|cl|cuda|t1|t4 FILE [@A..@B | @B] [--expand] [--term | --step] [--force] | library DIR | python FILE.py [@V ...] [--target opencl|cuda|c] [--pyopencl] [--cuda] [--torch] [--sizes NAME=SIZE,...] [--name NAME] [--force]
> export script - @0..@9
E13 gemv has no version @9; the newest is @0
  try     log
> set verbose 0
> data N = 512
> apply splitJoin as tiles
@1  splitJoin{n=s0}  at /               builtin    from @0
> apply topdown(reduceSeq) * topdown(mapSeq)
@2  topdown(reduceSeq) * topdown(mapSeq)  at /in  builtin    from @1
> param s0 = 8
@3  param s0 = 8        from @2
> goto @2.1; apply splitJoin{n="s0"} at /in/f/body/0/1/in
@4  reduceSeq
E11 there is no slot "0" at /in/f/body
  slots   f, in
> goto @3
@3  param s0 = 8
> lower
@5  lower                               builtin    from @3
> export script -
# gemv, @0 to @5
let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) = \
  map (\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)
data N = 512
expect 0b57ee02900ba018
apply splitJoin at /
expect 5959904a6ed63be9
tag tiles
apply topdown(reduceSeq) * topdown(mapSeq) at /
expect 6a20a53ebba3b189
param s0 = 8
expect fd8b8a1361a576be
lower
expect 0d82ba795d515086
> export script - --expand
# gemv, @0 to @5
let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) = \
  map (\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)
data N = 512
expect 0b57ee02900ba018
apply splitJoin at /
expect 5959904a6ed63be9
tag tiles
apply reduceSeq at /in/f/body/f/body/0/1
apply mapSeq at /in
expect 6a20a53ebba3b189
param s0 = 8
expect fd8b8a1361a576be
apply reduceMapFusion at /in/f/body/f/body/0/1
apply mapSeq at /in/f/body
apply mulAdd at /in/f/body/f/body
apply mulAdd at /in/f/body/f/body/2/1/f/body
expect 0d82ba795d515086
> export script - @1..@2
# gemv, @1 to @2
data N = 512
expect 5959904a6ed63be9
tag tiles
apply topdown(reduceSeq) * topdown(mapSeq) at /
expect 6a20a53ebba3b189
> export script - @2..@4
E05 @2 is not on the way to @4
  try     log @4 --path
> export script - @2.1
# gemv, @0 to @2.1
let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) = \
  map (\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)
data N = 512
expect 0b57ee02900ba018
apply splitJoin at /
expect 5959904a6ed63be9
tag tiles
apply reduceSeq at /in/f/body/f/body/0/1
expect 59b1d64850c0d162
> export md -
# gemv: @0 to @5

```
let gemv (A: [N][M]f32) (x: [M]f32) (y: [N]f32) (alpha: f32) (beta: f32) =
  map (\(row, yi) -> alpha * dot row x + beta * yi) (zip A y)
```

## @0 => @1   `splitJoin{n=s0}` at `/`

`map f x  =>  join (map (map f) (split n x))  when n divides (length x)`  
a map over chunks of n elements

```
  map (λ(row, yi) → alpha * reduce (+) 0 (map (*) (zip row x)) + beta * yi) (zip A y)
= join
    (map
      (map (λ(row, yi) → alpha * reduce (+) 0 (map (*) (zip row x)) + beta * yi))
      (split s0 (zip A y)))
```
- parameter s0 : int    1 <= s0 <= N, s0 divides N        10 legal values for N = 512

## @1 => @2   `topdown(reduceSeq) * topdown(mapSeq)` at `/in`

2 elementary steps.

```
  map
    (map (λ(row, yi) → alpha * reduce (+) 0 (map (*) (zip row x)) + beta * yi))
    (split s0 (zip A y))
= mapSeq
    (map (λ(row, yi) → alpha * reduceSeq (+) 0 (map (*) (zip row x)) + beta * yi))
    (split s0 (zip A y))
```

## @2 = @3   `param s0 = 8`


## @3 => @5   `lower` at `/in/f/body`

4 elementary steps.

```
  map (λ(row, yi) → alpha * reduceSeq (+) 0 (map (*) (zip row x)) + beta * yi) xs
= mapSeq
    (λ(row, yi) →
      fma beta yi (alpha * reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip row x)))
    xs
```

## The term of @5

```
join
  (mapSeq
    (mapSeq
      (λ(row, yi) →
        fma beta yi (alpha * reduceSeq (λ(acc, (y0, y1)) → fma y0 y1 acc) 0 (zip row x))))
    (split s0 (zip A y)))
```

Type `[N]f32`, hash `0d82ba795d515086`, trust: builtin.

## Kernels

```c
/* gemv@5  0d82ba795d515086
 *   @1 splitJoin{n=s0} at /
 *   @2 topdown(reduceSeq) * topdown(mapSeq) at /
 *   @3 param s0 = 8
 *   @5 lower
 * N=512  s0=8
 * needs 512*M < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void gemv_k0(const global float *restrict A,
                    const global float *restrict x,
                    const global float *restrict y, float alpha, float beta,
                    global float *restrict out, int M)
{
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 8; j++) {
            float acc = 0.0f;
            for (int k = 0; k < M; k++) {
                acc = fma(A[M*(8*i + j) + k], x[k], acc);
            }
            out[8*i + j] = fma(beta, y[8*i + j], alpha * acc);
        }
    }
}
```
> export tex -
\documentclass{article}
\usepackage{amsmath}
\usepackage[a4paper,margin=15mm]{geometry}
\allowdisplaybreaks
\begin{document}
\noindent\texttt{gemv}, @0 to @5
\begin{align*}
  & \mathsf{map} \\*
  & \hspace{1.0em}(\lambda (\mathit{row},\ \mathit{yi})\ \to \ \mathit{alpha}\ \cdot \ \mathsf{reduce}\ (+)\ 0\ (\mathsf{map}\ (\cdot )\ (\mathsf{zip}\ \mathit{row}\ \mathit{x}))\ +\ \mathit{beta}\ \cdot \ \mathit{yi}) \\*
  & \hspace{1.0em}(\mathsf{zip}\ \mathit{A}\ \mathit{y}) \\
={} & \quad\{\ \texttt{splitJoin\{n=s0\}}\text{ at }\texttt{/}\ \}\qquad\text{\small @1} \\*
  & \mathsf{join} \\*
  & \hspace{1.0em}(\mathsf{map} \\*
  & \hspace{2.0em}(\mathsf{map} \\*
  & \hspace{3.0em}(\lambda (\mathit{row},\ \mathit{yi})\ \to \ \mathit{alpha}\ \cdot \ \mathsf{reduce}\ (+)\ 0\ (\mathsf{map}\ (\cdot )\ (\mathsf{zip}\ \mathit{row}\ \mathit{x}))\ +\ \mathit{beta}\ \cdot \ \mathit{yi})) \\*
  & \hspace{2.0em}(\mathsf{split}\ \mathit{s0}\ (\mathsf{zip}\ \mathit{A}\ \mathit{y}))) \\
={} & \quad\{\ \texttt{topdown(reduceSeq) * topdown(mapSeq)}\text{ at }\texttt{/in}\ \}\qquad\text{\small @2} \\*
  & \mathsf{join} \\*
  & \hspace{1.0em}(\mathsf{mapSeq} \\*
  & \hspace{2.0em}(\mathsf{map} \\*
  & \hspace{3.0em}(\lambda (\mathit{row},\ \mathit{yi})\ \to  \\*
  & \hspace{4.0em}\mathit{alpha}\ \cdot \ \mathsf{reduceSeq}\ (+)\ 0\ (\mathsf{map}\ (\cdot )\ (\mathsf{zip}\ \mathit{row}\ \mathit{x}))\ +\ \mathit{beta}\ \cdot \ \mathit{yi})) \\*
  & \hspace{2.0em}(\mathsf{split}\ \mathit{s0}\ (\mathsf{zip}\ \mathit{A}\ \mathit{y}))) \\
={} & \quad\{\ \texttt{param s0 = 8}\ \}\qquad\text{\small @3} \\
={} & \quad\{\ \texttt{lower}\text{ at }\texttt{/in/f/body}\ \}\qquad\text{\small @5} \\*
  & \mathsf{join} \\*
  & \hspace{1.0em}(\mathsf{mapSeq} \\*
  & \hspace{2.0em}(\mathsf{mapSeq} \\*
  & \hspace{3.0em}(\lambda (\mathit{row},\ \mathit{yi})\ \to  \\*
  & \hspace{4.0em}\mathsf{fma} \\*
  & \hspace{5.0em}\mathit{beta} \\*
  & \hspace{5.0em}\mathit{yi} \\*
  & \hspace{5.0em}(\mathit{alpha}\ \cdot  \\*
  & \hspace{6.0em}\mathsf{reduceSeq}\ (\lambda (\mathit{acc},\ (\mathit{y0},\ \mathit{y1}))\ \to \ \mathsf{fma}\ \mathit{y0}\ \mathit{y1}\ \mathit{acc})\ 0\ (\mathsf{zip}\ \mathit{row}\ \mathit{x})))) \\*
  & \hspace{2.0em}(\mathsf{split}\ \mathit{s0}\ (\mathsf{zip}\ \mathit{A}\ \mathit{y})))
\end{align*}
\end{document}
> export dot -
digraph "gemv" {
  node [shape=box, fontname="Helvetica", fontsize=11, style=rounded];
  edge [fontname="Helvetica", fontsize=9];
  v0 [label="@0\nsource"];
  v1 [label="@1  tiles\nsplitJoin{n=s0}\nat /", style="rounded,filled", fillcolor="#e8e8e8"];
  v0 -> v1;
  v2 [label="@2\ntopdown(reduceSeq) * topdown(mapSeq)\nat /in\n2 inner steps"];
  v1 -> v2;
  v3 [label="@3\nparam s0 = 8"];
  v2 -> v3;
  v4 [label="@4\nreduceSeq\nat /in/f/body/f/body/0/1"];
  v1 -> v4;
  v5 [label="@5\nlower\n4 inner steps", penwidth=3];
  v3 -> v5;
}
> export dot - @2 --term
digraph "@2" {
  node [shape=box, fontname="Helvetica", fontsize=11, style=rounded];
  edge [fontname="Helvetica", fontsize=9];
  n0 [label="join\n[N]f32"];
  n1 [label="mapSeq\n[N/s0][s0]f32"];
  n2 [label="λ", shape=circle];
  n3 [label="map\n[s0]f32"];
  n4 [label="λ(row, yi)", shape=circle];
  n5 [label="+\nf32"];
  n6 [label="*\nf32"];
  n7 [label="alpha\nf32", shape=plaintext];
  n6 -> n7 [label="0"];
  n8 [label="reduceSeq\nf32"];
  n9 [label="λ", shape=circle];
  n10 [label="+\nf32"];
  n11 [label="acc\nf32", shape=plaintext];
  n10 -> n11 [label="0"];
  n12 [label="x1\nf32", shape=plaintext];
  n10 -> n12 [label="1"];
  n9 -> n10 [label="body"];
  n8 -> n9 [label="f"];
  n13 [label="0.0\nf32", shape=plaintext];
  n8 -> n13 [label="init"];
  n14 [label="map\n[M]f32"];
  n15 [label="λ", shape=circle];
  n16 [label="*\nf32"];
  n17 [label="x1\nf32", shape=plaintext];
  n16 -> n17 [label="0"];
  n18 [label="x2\nf32", shape=plaintext];
  n16 -> n18 [label="1"];
  n15 -> n16 [label="body"];
  n14 -> n15 [label="f"];
  n19 [label="zip\n[M](f32, f32)"];
  n20 [label="row\n[M]f32", shape=plaintext];
  n19 -> n20 [label="0"];
  n21 [label="x\n[M]f32", shape=plaintext];
  n19 -> n21 [label="1"];
  n14 -> n19 [label="in"];
  n8 -> n14 [label="in"];
  n6 -> n8 [label="1"];
  n5 -> n6 [label="0"];
  n22 [label="*\nf32"];
  n23 [label="beta\nf32", shape=plaintext];
  n22 -> n23 [label="0"];
  n24 [label="yi\nf32", shape=plaintext];
  n22 -> n24 [label="1"];
  n5 -> n22 [label="1"];
  n4 -> n5 [label="body"];
  n3 -> n4 [label="f"];
  n25 [label="xs\n[s0]([M]f32, f32)", shape=plaintext];
  n3 -> n25 [label="in"];
  n2 -> n3 [label="body"];
  n1 -> n2 [label="f"];
  n26 [label="split s0\n[N/s0][s0]([M]f32, f32)"];
  n27 [label="zip\n[N]([M]f32, f32)"];
  n28 [label="A\n[N][M]f32", shape=plaintext];
  n27 -> n28 [label="0"];
  n29 [label="y\n[N]f32", shape=plaintext];
  n27 -> n29 [label="1"];
  n26 -> n27 [label="in"];
  n1 -> n26 [label="in"];
  n0 -> n1 [label="in"];
}
> export cl -
/* To run: build this text with clBuildProgram; launch the kernels in this order on one queue.
 * gemv_k0   global (1, 1, 1)   local (1, 1, 1)
 *    0  A            buffer, input: 512*M f32 of 4 bytes
 *    1  x            buffer, input: M f32 of 4 bytes
 *    2  y            buffer, input: 512 f32 of 4 bytes
 *    3  alpha        f32 by value
 *    4  beta         f32 by value
 *    5  out          buffer, output: 512 f32 of 4 bytes
 *    6  M            i32 by value, the size
 * Only where 512*M <= 2147483647
 */
/* gemv@5  0d82ba795d515086
 *   @1 splitJoin{n=s0} at /
 *   @2 topdown(reduceSeq) * topdown(mapSeq) at /
 *   @3 param s0 = 8
 *   @5 lower
 * N=512  s0=8
 * needs 512*M < 2147483648  (int indices)
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void gemv_k0(const global float *restrict A,
                    const global float *restrict x,
                    const global float *restrict y, float alpha, float beta,
                    global float *restrict out, int M)
{
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 8; j++) {
            float acc = 0.0f;
            for (int k = 0; k < M; k++) {
                acc = fma(A[M*(8*i + j) + k], x[k], acc);
            }
            out[8*i + j] = fma(beta, y[8*i + j], alpha * acc);
        }
    }
}
> export cl - @1
E35 parameter s0 of @1 is not bound
  legal   1, 2, 4, 8, 16, 32, 64, 128, 256, 512        for N = 512
  try     goto @1 ; param s0 = 8
> # rules and macros of one's own
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> rule half: map f x => join (map (map f) (split 2 x)) when 2 divides (length x)
rule half
  map f x  =>  join (map (map f) (split 2 x))  when 2 divides (length x)
  user; assumed
> macro twice = half * topdown(mapSeq)
twice
  macro twice = half * topdown(mapSeq)
> apply twice
@1  twice  at /                         assumed    from @0
W08 rule half is "assumed": versions built with it are marked ?      (check half; silence: set silence W08)
> export script -
# scal, @0 to @1
# ? @1 rests on the assumed rule half
let scal (alpha: f32) (xs: [N]f32) = map (\x -> alpha * x) xs
rule half: map f x => join (map (map f) (split 2 x)) when 2 divides (length x)
macro twice = half * topdown(mapSeq)
expect 7a9cd53b94585050
apply twice at /
expect 2c62d3b62e26caea
> tag "end"
@1 is now "end"
> undo; tag start
@0  source
@0 is now "start"
> export script - @1
# scal, @0 to @1
# ? @1 rests on the assumed rule half
let scal (alpha: f32) (xs: [N]f32) = map (\x -> alpha * x) xs
rule half: map f x => join (map (map f) (split 2 x)) when 2 divides (length x)
macro twice = half * topdown(mapSeq)
expect 7a9cd53b94585050
tag start
apply twice at /
expect 2c62d3b62e26caea
tag end
> export script - @0..@0
# scal, @0 to @0
let scal (alpha: f32) (xs: [N]f32) = map (\x -> alpha * x) xs
expect 7a9cd53b94585050
tag start
> export dot -
digraph "scal" {
  node [shape=box, fontname="Helvetica", fontsize=11, style=rounded];
  edge [fontname="Helvetica", fontsize=9];
  v0 [label="@0  start\nsource", penwidth=3, style="rounded,filled", fillcolor="#e8e8e8"];
  v1 [label="@1?  end\ntwice\nat /\n2 inner steps", style="rounded,filled", fillcolor="#e8e8e8"];
  v0 -> v1;
}
