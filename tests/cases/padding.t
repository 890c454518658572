> # Rows of a local array further apart: those of a column are in other banks.
> let turned (A: [N][M]f32) = mapWorkgroup 0 (\rows -> mapLocal 0 (\c -> reduceSeq (+) 0 c) (transpose (toLocal (mapLocal 0 (mapSeq id) rows)))) (split 4 A)
turned : [N][M]f32 -> [N/4][M]f32
> data N = 8, M = 4
> apply padLocal(1) at /f/body/in/in
@1  padLocal(1)  at /f/body/in/in       builtin    from @0
  - toLocal ∘ mapLocal 0 (mapSeq id) $ rows
  + toLocalPadded 1 ∘ mapLocal 0 (mapSeq id) $ rows
  type   [4][M]f32                    unchanged
  focus  /  ->  /                     4 moves here
> code | grep -v get_
/* turned@1  89069da9ce687025
 *   @1 padLocal(1) at /f/body/in/in
 * N=8  M=4
 */

#pragma OPENCL FP_CONTRACT OFF

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void turned_k0(const global float *restrict A,
                      global float *restrict out)
{
    local float tileA[20] __attribute__((aligned(64)));
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            tileA[5*i + j] = A[4*(i + 4*wg0) + j];
        }
    }
    for (int i = 0; i < 4; i++) {
        float acc = 0.0f;
        for (int j = 0; j < 4; j++) {
            acc += tileA[i + 5*j];
        }
        out[i + 4*wg0] = acc;
    }
}
> run -n 1 --no-verify | tail -1 | cut -c1-10
  time    
> # how far is a parameter: at most as far as a row is long
> goto @0
@0  source
    mapWorkgroup 0 (mapLocal 0 (reduceSeq (+) 0) ∘ transpose ∘ toLocal ∘ mapLocal 0 (mapSeq id)) ...
> apply padLocal at /f/body/in/in
@2  padLocal{k=s0}  at /f/body/in/in    builtin    from @0
  - toLocal ∘ mapLocal 0 (mapSeq id) $ rows
  + toLocalPadded s0 ∘ mapLocal 0 (mapSeq id) $ rows
  type   [4][M]f32                    unchanged
  param  s0 : int    1 <= s0, s0 <= M        4 legal values for M = 4
  focus  /  ->  /                     4 moves here
> search params
space of turned@2   4 points
  s0        4 values   1, 2, 3, 4
  rejected     4092   fact: s0 <= 4
> goto @0
@0  source
    mapWorkgroup 0 (mapLocal 0 (reduceSeq (+) 0) ∘ transpose ∘ toLocal ∘ mapLocal 0 (mapSeq id)) ...
> why padLocal(5) at /f/body/in/in
padLocal applies at /f/body/in/in with other sizes
  rule    toLocal x  =>  toLocalPadded k x  when k <= length (x[0])
  where   k = 5
          x = mapLocal 0 (mapSeq id) rows
  when    k <= length (x[0]): yes, 5 <= M is a fact from now on; at present it does not hold: 5 <= 4
  gives   toLocalPadded 5 . mapLocal 0 (mapSeq id) $ rows
  try     apply padLocal at /f/body/in/in        leaves it open, and says what is legal
> let row (xs: [N]f32) = mapWorkgroup 0 (\r -> mapLocal 0 (\v -> v + 1) (toLocal (mapLocal 0 id r))) (split 4 xs)
row : [N]f32 -> [N/4][4]f32
> why padLocal(1) at /f/body/in
padLocal does not apply at /f/body/in
  rule    toLocal x  =>  toLocalPadded k x  when k <= length (x[0])
  needs   k <= length (x[0])
  found   there is no such size here
  try     moves /f/body/in
