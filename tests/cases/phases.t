> # what a choice leaves out of a sum is not counted: of each two summands one
> set repeats 1
> set seeds 1
> let spread (x: [N][C][H]f32) (w: [C][O][P]f32) = generate N (\n -> generate O (\o -> generate (2 * H) (\i -> reduce (+) 0 (generate C (\c -> reduce (+) 0 (generate P (\p -> if (i + 1 - p) % 2 == 0 && i + 1 - p >= 0 && (i + 1 - p) / 2 < H then x[n][c][(i + 1 - p) / 2] * w[c][o][p] else 0)))))))
spread : [N][C][H]f32 -> [C][O][P]f32 -> [N][O][2*H]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - generate N (λn → generate O (λo → generate (..) (λi → reduce (+) 0 (generate C (λc → reduce (...
  + generate N (λi → generate O (λj → generate (..) (λk → reduce (+) 0 (generate C (λr → reduce (...
  type   [N][O][2*H]f32               unchanged
  focus  /  ->  /                     16 moves here
> show
generate N
  (λi →
    generate O
      (λj →
        generate (2*H)
          (λk →
            reduce
              (+)
              0
              (generate C
                (λr →
                  reduce
                    (+)
                    0
                    (generate ((P + 1) // 2)
                      (λs →
                        if (k + 1) % 2 + s * 2 < P
                          then if (k + 1) // 2 - s >= 0 && (k + 1) // 2 - s < H
                            then x[i][r][(k + 1) // 2 - s] * w[r][j][(k + 1) % 2 + s * 2]
                            else 0
                          else 0)))))))
> # elements that ask for parts of their numbers, by these
> apply elementParts
@2  elementParts  at /                  builtin    from @1
  - generate N (λi → generate O (λj → generate (2*H) (λk .. + s * 2 .. + s * 2 else 0 else 0)))
  + map (map join) (map (map transpose) (map transpose (transpose (generate 2 (λk → generate N (λ...
  type   [N][O][2*H]f32               unchanged
  focus  /  ->  /                     27 moves here
> show
map
  (map join)
  (map
    (map transpose)
    (map
      transpose
      (transpose
        (generate 2
          (λk →
            generate N
              (λi →
                generate O
                  (λj →
                    generate H
                      (λk1 →
                        reduce
                          (+)
                          0
                          (generate C
                            (λr →
                              reduce
                                (+)
                                0
                                (generate ((P + 1) // 2)
                                  (λs →
                                    if s * 2 + (k + 1) % 2 < P
                                      then if k1 + (k + 1) // 2 - s >= 0 &&
                                          k1 + (k + 1) // 2 - s < H
                                        then x[i][r][k1 + (k + 1) // 2 - s] *
                                          w[r][j][s * 2 + (k + 1) % 2]
                                        else 0
                                      else 0))))))))))))
> data N = 2, C = 3, H = 5, O = 7, P = 3
> eval @0 | tail -1
  hash 4a529b66cfbe16ab
> eval @1 | tail -1
  hash 4a529b66cfbe16ab
> eval @2 | tail -1
  hash 4a529b66cfbe16ab
> # groups of channels, too
> let grouped (x: [N][G*A][L]f32) (w: [G*B][A]f32) = generate N (\n -> generate (G * B) (\o -> generate L (\l -> reduce (+) 0 (generate A (\a -> x[n][o / B * A + a][l] * w[o][a])))))
grouped : [N][A*G][L]f32 -> [B*G][A]f32 -> [N][B*G][L]f32
> apply elementParts
@1  elementParts  at /                  builtin    from @0
  - generate N (λn .. (B*G) (λo → generate L (λl .. (λa → x[n][o / B * A + a][l] * w[o][a]))))
  + map join (map transpose (transpose (generate B (λj → generate N (λi → generate G (λj1 → gener...
  type   [N][B*G][L]f32               unchanged
  focus  /  ->  /                     24 moves here
> show
map
  join
  (map
    transpose
    (transpose
      (generate B
        (λj →
          generate N
            (λi →
              generate G
                (λj1 →
                  generate L
                    (λk → reduce (+) 0 (generate A (λr → x[i][j1 * A + r][k] * w[j1 * B + j][r])))))))))
  shorter  map (join ∘ transpose) ∘ transpose ∘ map (λr → ...        apply indicesToElements
> why elementParts at /in
elementParts applies at /in
  rule    x  =>  elementParts x
  where   x = map transpose (transpose (generate B (\j -> generate N (\i -> ..))))
  gives   generate N (\i -> generate G (\j -> generate B (\k -> generate L (\l -> reduce (+) 0 (g...
  try     apply elementParts at /in
> # by templates: phases are products of matrices of their own
> let spread2 (x: [N][C][H][W]f32) (w: [C][O][3][3]f32) = generate N (\n -> generate O (\o -> generate (2 * H) (\i -> generate (2 * W) (\j -> reduce (+) 0 (generate C (\c -> reduce (+) 0 (generate 3 (\p -> reduce (+) 0 (generate 3 (\q -> if (i + 1 - p) % 2 == 0 && (j + 1 - q) % 2 == 0 && i + 1 - p >= 0 && j + 1 - q >= 0 && (i + 1 - p) / 2 < H && (j + 1 - q) / 2 < W then x[n][c][(i + 1 - p) / 2][(j + 1 - q) / 2] * w[c][o][p][q] else 0))))))))))
spread2 : [N][C][H][W]f32 -> [C][O][3][3]f32 -> [N][O][2*H][2*W]f32
> data N = 1, C = 32, H = 16, W = 16, O = 32
> device oclgrind
oclgrind    Oclgrind Simulator
> lower lowerNests | head -1
@1  lowerNests                          builtin    from @0
> data N = 1, C = 32, H = 4, W = 8, O = 32
> run
@1  oclgrind Oclgrind Simulator   N=1  C=32  H=4  W=8  O=32   WG 8x8x1 x 1x1x4
  build   - ms        local 8.0 KiB/WG   private 0 B
  verify  OK   1 input x 1 repeat; input 1 exact
          exact; sees changes of 6e-08
          every element
> # steps and dilations: of each three summands at most one counts, of a sixth of the elements none
> let apart (x: [H]f32) (w: [P]f32) = generate (5 * H + 2 * P - 8) (\i -> reduce (+) 0 (generate P (\p -> let y = i + 1 - 2 * p in if y >= 0 && y % 5 == 0 && y / 5 < H then x[y / 5] * w[p] else 0)))
apart : [H]f32 -> [P]f32 -> [5*H + 2*P - 8]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - .. (λp → let y = i + 1 - 2 * p in if y >= 0 && y % 5 == 0 && y ..[y / 5] * w[p] else 0)
  + generate (..) (λi → reduce (+) 0 (generate ((P + 4) // 5) (λr → if (i * 3 + 3) % 5 + r * 5 < ...
  type   [5*H + 2*P - 8]f32           unchanged
  focus  /  ->  /                     10 moves here
> show
generate (5*H + 2*P - 8)
  (λi →
    reduce
      (+)
      0
      (generate ((P + 4) // 5)
        (λr →
          if (i * 3 + 3) % 5 + r * 5 < P
            then if i + 1 - (i * 3 + 3) % 5 * 2 - r * 10 >= 0 &&
                (i * 3 + 3) // 5 * 2 - i - r * 2 - 1 < H
              then x[(i * 3 + 3) // 5 * 2 - i - r * 2 - 1] * w[(i * 3 + 3) % 5 + r * 5]
              else 0
            else 0)))
> data H = 6, P = 4
> eval @0 | tail -1
  hash 88371ea625bb7e54
> eval @1 | tail -1
  hash 88371ea625bb7e54
> apply elementParts
@2  elementParts  at /                  builtin    from @1
  - generate .. + r * 5 < P then if i + 1 - (..) % 5 * 2 - r * 10 .. + r * 5 else 0 else 0
  + take (..) (join (transpose (generate 5 (λi → generate (H + (2*P + 1) // 5 - 1) (λi1 → if i + ...
  type   [5*H + 2*P - 8]f32           unchanged
  focus  /  ->  /                     5 moves here
> eval @2 | tail -1
  hash 88371ea625bb7e54
> # a common factor of step and dilation
> let both (x: [H]f32) (w: [P]f32) = generate 40 (\i -> reduce (+) 0 (generate P (\p -> let y = i + 4 * p - 3 in if y >= 0 && y % 6 == 1 && y / 6 < H then x[y / 6] * w[p] else 0)))
both : [H]f32 -> [P]f32 -> [40]f32
> apply elementForm
@1  elementForm  at /                   builtin    from @0
  - generate 40 (λi → reduce (+) 0 (generate P (λp → let y = i + 4 * p - 3 in if y >= 0 && y % 6 ...
  + generate 40 (λi → reduce (+) 0 (generate ((P + 2) // 3) (λr → if (i + i // 2 * 2 + 1) % 3 + r...
  type   [40]f32                      unchanged
  focus  /  ->  /                     12 moves here
> show
generate 40
  (λi →
    reduce
      (+)
      0
      (generate ((P + 2) // 3)
        (λr →
          if (i + i // 2 * 2 + 1) % 3 + r * 3 < P
            then if i + (i + i // 2 * 2 + 1) % 3 * 4 + r * 12 - 3 >= 0 &&
                (i + (i + i // 2 * 2 + 1) % 3 * 4 + r * 12 - 3) % 6 == 1 &&
                  (i + (i + i // 2 * 2 + 1) % 3 * 4 + r * 12 - 3) / 6 < H
              then x[(i + (i + i // 2 * 2 + 1) % 3 * 4 + r * 12 - 3) / 6] *
                w[(i + i // 2 * 2 + 1) % 3 + r * 3]
              else 0
            else 0)))
> data H = 6, P = 7
> eval @0 | tail -1
  hash a89a3fe4da48b700
> eval @1 | tail -1
  hash a89a3fe4da48b700
> # a sum that is the same for all parts is made once, where there is one
> let same (w: [P]f32) = generate 3 (\i -> reduce (+) 0 (generate P (\p -> if (i + p) % 2 == 0 then w[p] else 0)))
same : [P]f32 -> [3]f32
> apply elementParts
@1  elementParts  at /                  builtin    from @0
  - generate 3 (λi → reduce (+) 0 (generate P (λp → if (i + p) % 2 == 0 then w[p] else 0)))
  + take 3 (join (transpose (let t = generate 2 (λi → reduce (+) 0 (generate ((P + 1) // 2) (λr →...
  type   [3]f32                       unchanged
  focus  /  ->  /                     7 moves here
> show
take 3
  (join
    (transpose
      (let t = generate 2
        (λi →
          reduce (+) 0 (generate ((P + 1) // 2) (λr → if i + r * 2 < P then w[i + r * 2] else 0)))
      in generate 2 (λi → generate 2 (λi1 → if i + i1 * 2 < 3 then t[i] else 0)))))
> data P = 7
> eval @0 | tail -1
  hash db7a412771524358
> eval @1 | tail -1
  hash db7a412771524358
