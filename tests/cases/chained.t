> # scans in one pass: a group tells the others the sum of its chunk, and looks back at what those before it have told
> device oclgrind
oclgrind    Oclgrind Simulator
> load tests/programs/prefix.fun
prefix : [N]f32 -> [N]f32
> data N = 1024
> apply scanChained(256)
@1  scanChained(256)  at /              builtin    from @0
  - scan (+) 0 x
  + join (map (λ(o, c) → map (λv → o + v) ∘ scan (+) 0 $ c) (scanGroups (+) 0.0 (λc → (reduce (+)...
  type   [N]f32                       unchanged
  focus  /  ->  /                     7 moves here
> show
join
  (map
    (λ(o, c) → map (λv → o + v) ∘ scan (+) 0 $ c)
    (scanGroups (+) 0.0 (λc → (reduce (+) 0 c, c)) (split 256 x)))
> apply mapWorkgroup(0) at /in
@2  mapWorkgroup(0)  at /in             builtin    from @1
  - map (λ(o, c) → map (λv → o + v) ∘ scan (+) 0 $ c) (scanGroups (+) 0.0 (λc → (..)) (split 256 x))
  + mapWorkgroup 0 (..) (scanGroups (+) 0.0 (λc → (reduce (+) 0 c, c)) (split 256 x))
  type   [N/256][256]f32              unchanged
  focus  /  ->  /                     7 moves here
> apply reduceInItems(16) at /in/in/g/body/0
@3  reduceInItems(16)  at /in/in/g/body/0  builtin    from @2
  - reduce (+) 0 c
  + reduceSeq (+) 0 ∘ toLocal ∘ mapLocal 0 (reduceSeqUnroll (+) 0 ∘ toPrivate ∘ mapSeqUnroll id) ...
  type   f32                          unchanged
  inner  7 steps        log --expand
  focus  /  ->  /                     7 moves here
> apply scanInItems(4, 1, 0, 4) at /in/f/body
@4  scanInItems(4, 1, 0, 4)  at /in/f/body  builtin    from @3
  - map (λv → o + v) ∘ scan (+) 0 $ c
  + let p = toPrivate ∘ mapSeqUnroll (mapLocal 0 (scanSeqUnroll (+) 0 ∘ asScalar ∘ toPrivate ∘ ma...
  type   [256]f32                     unchanged
  inner  45 steps        log --expand
  focus  /  ->  /                     7 moves here
> code | grep 'kernel void\|tmp\|told'
kernel void prefix_k0(global ulong *restrict tmp)
    tmp[gid0] = 0uL;
kernel void prefix_k1(const global float *restrict x,
                      global float *restrict out, global ulong *tmp)
    local ulong told[16] __attribute__((aligned(64)));
            atom_cmpxchg((volatile global ulong *)&tmp[wg0], 0, (ulong)(more ? 1 : 2) << 32 | as_uint(own));
                    word0 = atom_cmpxchg((volatile global ulong *)&tmp[near - item], 0, 0);
                told[item] = word0;
                seen = as_float((uint)told[back]);
                more = told[back] >> 32 == 1;
            atom_cmpxchg((volatile global ulong *)&tmp[wg0], (ulong)1 << 32 | as_uint(own), (ulong)2 << 32 | as_uint(all));
> run -n 1
@4  oclgrind Oclgrind Simulator   N=1024   WG 4 x 1   WG 16 x 4
  build   - ms        2 kernels   local 400 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 7.5e-07, 0.056 x the source's own; sees changes of 6e-08
          every element
> # the parts of a chunk are scanned and kept, and their ends are its sum
> goto @0
@0  source
    scan (+) 0 x
> apply scanInGroups{n=256, each=4, rounds=1, beside=4}
@5  scanInGroups{n=256, each=4, rounds=1, beside=4}  at /  builtin    from @0
  - scan (+) 0 x
  + join (mapWorkgroup 0 (λ(o, (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal 0 (λ(c, ...
  type   [N]f32                       unchanged
  inner  41 steps        log --expand
  focus  /  ->  /                     7 moves here
> show
join
  (mapWorkgroup 0
    (λ(o, (p, s)) →
      join
        (join
          (mapSeqUnroll
            (λ(ys, ys1) →
              mapLocal 0
                (λ(c, o1) → asScalar ∘ mapSeqUnroll (mapVec (λv → o + (o1 + v))) ∘ asVector 4 $ c)
                (zip ys ys1))
            (zip (split 16 p) (split 16 ∘ take 64 ∘ padConst 1 0 0 $ s)))))
    (scanGroups
      (+)
      0.0
      (λc →
        let p = toPrivate ∘
          mapSeqUnroll
            (mapLocal 0 (scanSeqUnroll (+) 0 ∘ asScalar ∘ toPrivate ∘ mapSeqUnroll id ∘ asVector 4)) ∘
          split 16 ∘
          split 4 $ c
        in let s = let p1 = toPrivate ∘
          mapLocal 0 (scanSeqUnroll (+) 0 ∘ asScalar ∘ toPrivate ∘ mapSeqUnroll id ∘ asVector 4) ∘
          toLocal ∘
          mapSeqUnroll (mapLocal 0 (λc1 → c1[4 - 1])) $ p
        in join
          (toLocal
            (mapLocal 0
              (λ(c1, o) → asScalar ∘ mapSeqUnroll (mapVec (λv → o + v)) ∘ asVector 4 $ c1)
              (zip
                p1
                (take 4 ∘
                  padConst 1 0 0 ∘
                  join ∘
                  toLocal ∘
                  mapLocal 0
                    (scanSeqUnroll (+) 0 ∘ asScalar ∘ toPrivate ∘ mapSeqUnroll id ∘ asVector 4) ∘
                  split 4 ∘
                  toLocal ∘
                  mapLocal 0 (λc1 → c1[16 - 1]) $ p1))))
        in (s[256 / 4 - 1], (join p, s)))
      (split 256 x)))
> run -n 1
@5  oclgrind Oclgrind Simulator   N=1024   WG 4 x 1   WG 16 x 4
  build   - ms        2 kernels   local 400 B/WG   private 0 B
  verify  OK   3 inputs x 1 repeat; input 1 exact
          error 1.2e-06, 0.088 x the source's own; sees changes of 6e-08
          every element
> # several scalars, whose order counts; each a word of its own
> let comb ((a, b), (c, d)) = (a * c, c * b + d) with associative
comb : helper, typed where it is used
> let linear (a: [N]f32) (b: [N]f32) = scan comb (1, 0) (zip a b)
linear : [N]f32 -> [N]f32 -> [N](f32, f32)
> apply scanInGroups{n=128, each=4, rounds=1, beside=2}
@1  scanInGroups{n=128, each=4, rounds=1, beside=2}  at /  builtin    from @0
  - scan (λ((a1, b1), (c, d)) → (a1 * c, c * b1 + d)) (1, 0) (zip a b)
  + join (mapWorkgroup 0 (λ((o0, o1), (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal 0...
  type   [N](f32, f32)                unchanged
  inner  40 steps        log --expand
  focus  /  ->  /                     6 moves here
> code | grep 'word'
                ulong word0 = (ulong)2 << 32;
                ulong word1 = (ulong)2 << 32;
                    word0 = atom_cmpxchg((volatile global ulong *)&tmp[2*(near - item)], 0, 0);
                    word1 = atom_cmpxchg((volatile global ulong *)&tmp[2*(near - item) + 1], 0, 0);
                } while (word0 >> 32 == 0 || word1 >> 32 != word0 >> 32);
                told[2*item] = word0;
                told[2*item + 1] = word1;
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> # as lower has it, of more than a group takes
> use prefix
> goto @0
@0  source
    scan (+) 0 x
> data N = 65536
> lower --explain | grep -v '^ *[tbho]'
#1 /         scan (+) 0 x
  scan       8.86 us   0.37 of the bound
             scanInGroups{beside=8, each=4, n=8192, rounds=2}
in all       8.86 us on a GPU   0.37 of the bound: 3.3 us, launches
> # numbers of 64 bits are two words, shorter ones and truths one
> let wide (x: [N]f64) = scan (+) 0 x
wide : [N]f64 -> [N]f64
> data N = 512
> apply scanInGroups{n=128, each=4, rounds=1, beside=2}
@1  scanInGroups{n=128, each=4, rounds=1, beside=2}  at /  builtin    from @0
  - scan (+) 0 x
  + join (mapWorkgroup 0 (λ(o, (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal 0 (λ(c, ...
  type   [N]f64                       unchanged
  inner  40 steps        log --expand
  focus  /  ->  /                     7 moves here
> code | grep 'word\|own\|seen'
    double own;
    double seen;
    own = tile2[31];
            atom_cmpxchg((volatile global ulong *)&tmp[2*(wg0)], 0, (ulong)(more ? 1 : 2) << 32 | (uint)as_ulong(own));
            atom_cmpxchg((volatile global ulong *)&tmp[2*(wg0) + 1], 0, (ulong)(more ? 1 : 2) << 32 | as_ulong(own) >> 32);
                ulong word0 = (ulong)2 << 32;
                ulong word1 = (ulong)2 << 32;
                    word0 = atom_cmpxchg((volatile global ulong *)&tmp[2*(near - item)], 0, 0);
                    word1 = atom_cmpxchg((volatile global ulong *)&tmp[2*(near - item) + 1], 0, 0);
                } while (word0 >> 32 == 0 || word1 >> 32 != word0 >> 32);
                told[2*item] = word0;
                told[2*item + 1] = word1;
                seen = as_double(told[2*back + 1] << 32 | (uint)told[2*back]);
                before = seen + before;
        all = before + own;
            atom_cmpxchg((volatile global ulong *)&tmp[2*(wg0)], (ulong)1 << 32 | (uint)as_ulong(own), (ulong)2 << 32 | (uint)as_ulong(all));
            atom_cmpxchg((volatile global ulong *)&tmp[2*(wg0) + 1], (ulong)1 << 32 | as_ulong(own) >> 32, (ulong)2 << 32 | as_ulong(all) >> 32);
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> let whole (x: [N]i32) = scan (+) 0 (map (\v -> i64 v) x)
whole : [N]i32 -> [N]i64
> apply scanInGroups{n=128, each=4, rounds=1, beside=2}
@1  scanInGroups{n=128, each=4, rounds=1, beside=2}  at /  builtin    from @0
  - scan (+) 0 ∘ map i64 $ x
  + join (mapWorkgroup 0 (λ(o, (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal 0 (λ(c, ...
  type   [N]i64                       unchanged
  inner  45 steps        log --expand
  focus  /  ->  /                     7 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> let comb ((f, a), (g, b)) = (f || g, if g then b else a + b) with associative neutral (false, 0)
comb : helper, typed where it is used
> let segments (fl: [N]bool) (x: [N]f32) = scan comb (false, 0) (zip fl x)
segments : [N]bool -> [N]f32 -> [N](bool, f32)
> apply scanInGroups{n=128, each=4, rounds=1, beside=2}
@1  scanInGroups{n=128, each=4, rounds=1, beside=2}  at /  builtin    from @0
  - scan (λ((f, a), (g, b)) → (f || g, if g then b else a + b)) (false, 0) (zip fl x)
  + join (mapWorkgroup 0 (λ((o0, o1), (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal 0...
  type   [N](bool, f32)               unchanged
  inner  40 steps        log --expand
  focus  /  ->  /                     6 moves here
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> let most (x: [N]u8) = scan max 0 x
most : [N]u8 -> [N]u8
> apply scanInGroups{n=128, each=4, rounds=1, beside=2}
@1  scanInGroups{n=128, each=4, rounds=1, beside=2}  at /  builtin    from @0
  - scan max 0 x
  + join (mapWorkgroup 0 (λ(o, (p, s)) → join (join (mapSeqUnroll (λ(ys, ys1) → mapLocal 0 (λ(c, ...
  type   [N]u8                        unchanged
  inner  40 steps        log --expand
  focus  /  ->  /                     6 moves here
> code --dialect cuda | grep 'seen ='
                seen = (unsigned char)((unsigned)told[back]);
> run -n 1 | grep verify
  verify  OK   3 inputs x 1 repeat; input 1 exact
> data N = 65536
> use wide
> goto @0
@0  source
    scan (+) 0 x
> lower --explain | grep scan
#1 /         scan (+) 0 x
  scan       4.03 us   0.82 of the bound
             scanWhole
             scanInItems(4, 1, 0, 1)
> let half (x: [N]f16) = scan (+) 0 x
half : [N]f16 -> [N]f16
> apply scanChained(256)
@1  scanChained(256)  at /              builtin    from @0
  - scan (+) 0 x
  + join (map (λ(o, c) → map (λv → o + v) ∘ scan (+) 0 $ c) (scanGroups (+) 0.0f16 (λc → (reduce ...
  type   [N]f16                       unchanged
  focus  /  ->  /                     6 moves here
> apply mapWorkgroup(0) at /in
@2  mapWorkgroup(0)  at /in             builtin    from @1
  - map (λ(o, c) → map (λv → o + v) ∘ scan (+) 0 $ c) (scanGroups (+) 0.0f16 (..) (split 256 x))
  + mapWorkgroup 0 (..) (scanGroups (+) 0.0f16 (λc → (reduce (+) 0 c, c)) (split 256 x))
  type   [N/256][256]f16              unchanged
  focus  /  ->  /                     6 moves here
> lower
E53 groups tell each other 32 scalars at most, and none of f16 or bf16: not f16
  at      /in/in
> # read by the groups alone
> let sums (x: [N]f32) = mapGlobal 0 (\(o, c) -> o) (scanGroups (+) 0.0 (\c -> (reduceSeq (+) 0 c, c)) (split 64 x))
sums : [N]f32 -> [N/64]f32
> run
E53 scanGroups is read by mapWorkgroup 0, element by element, and no other dimension has groups
  at      /in
