> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> data N = 4, M = 4, K = 4
> set verbose 0
> apply gemmItems{mr=2, nr=2, w=1}
@1  gemmItems{mr=2, nr=2, w=1}  at /    builtin    from @0
> show
join ∘
  mapGlobal 1
    (λxss →
      transpose ∘
        join ∘
        mapGlobal 0
          (λxss1 →
            transpose
              (mapSeqUnroll
                (mapSeqUnroll id)
                (reduceSeq
                  (λ(acc, (vs, vs1)) →
                    let b = toPrivate ∘ mapSeqUnroll id $ vs1
                    in mapSeqUnroll
                      (λ(as, y) → mapSeqUnroll (λ(as1, y1) → fma y y1 as1) (zip as b))
                      (zip acc (toPrivate ∘ mapSeqUnroll id $ vs)))
                  (toPrivate
                    (mapSeqUnroll (mapSeqUnroll id) (generate 2 (λi → generate 2 (λi1 → 0.0)))))
                  (zip (transpose xss) (transpose xss1))))) ∘
        split 2 ∘
        transpose $ B) ∘
  split 2 $ A
> code | grep 'out\['
    out[2*(gid0 + 4*gid1)] = acc_0;
    out[2*(gid0 + 4*gid1) + 1] = acc_1;
    out[4*(2*gid1 + 1) + 2*gid0] = acc_2;
    out[4*(2*gid1 + 1) + 2*gid0 + 1] = acc_3;
> goto @0
@0  source
> apply gemmGpu{mb=4, nb=4, kb=2, mr=2, nr=2, u=2, w=1}
@2  gemmGpu{mb=4, nb=4, kb=2, mr=2, nr=2, u=2, w=1}  at /  builtin    from @0
> code | grep vload
> goto @0
@0  source
> apply gemmItems{mr=2, nr=2, w=1, image=2}
@3  gemmItems{mr=2, nr=2, w=1, image=2}  at /  builtin    from @0
> code
E53 out_image is written in parts of a texel: an image takes whole ones, vectors of 4 elements (asScalar (mapSeq ... (asVector 4 ...)))
  at      /in/in/f/body/in/in/f/body/in/f/body/f/body
  or      goto @0 ; lower
> load tests/programs/waxpby.fun
waxpby : [N]f32 -> [N]f32 -> f32 -> f32 -> [N]f32        2 programs; list programs
  inlined  ax, by: used once (letDuplicate)
> apply fuse * mapGpu{w=1}
@1  fuse * mapGpu{w=1}  at /            builtin    from @0
> show
mapGlobal 0 (λ(as, y1) → alpha * as + beta * y1) (zip x y)
> goto @0
@0  source
> apply fuse * mapInGroups{n=16, items=4, w=2} * images
@2  fuse * mapInGroups{n=16, items=4, w=2} * images  at /  builtin    from @0
> show
join
  (mapWorkgroup 0
    (asScalar ∘
    join ∘
    transpose ∘
    mapLocal 0 (mapSeqUnroll (mapVec (λ(as, y1) → alpha * as + beta * y1))) ∘
    transpose ∘
    split 4 ∘
    asVector 2)
    (split 16 (zip (toImage x) (toImage y))))
> apply mapVectorise(5) at /in
E22 the argument w of mapVectorise is 1 (scalars), 2, 3, 4, 8 or 16
> # what a macro does not take
> apply images{image=3}
E22 image is 0, 1 or 2, not 3
> apply images{of=1}
E22 images has no argument of
  try     help images
> apply fuse(3)
E22 fuse takes no arguments, not 1
> apply splitRows(2, 3)
E22 splitRows takes one argument, not 2
  try     help splitRows
