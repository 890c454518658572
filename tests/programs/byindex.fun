# Programs that read their arrays by the numbers of loops, as they stand in books and in C.
let product (A: [N][K]f32) (B: [K][M]f32) =
  generate N (\i -> generate M (\j -> reduce (+) 0 (generate K (\k -> A[i][k] * B[k][j]))))
let convolution (X: [C][H][W]f32) (F: [O][C][3][3]f32) =
  generate O (\o -> generate (H - 2) (\y -> generate (W - 2) (\x ->
    reduce (+) 0 (generate C (\c -> reduce (+) 0 (generate 3 (\i -> reduce (+) 0 (generate 3 (\j -> X[c][y + i][x + j] * F[o][c][i][j])))))))))
let relaxed (A: [N][M]f32) = generate N (\i -> generate M (\j ->
  if i > 0 && i < N - 1 && j > 0 && j < M - 1 then 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) else A[i][j]))
let inner (A: [N][M]f32) = generate (N - 2) (\i -> generate (M - 2) (\j -> A[i][j + 1] + A[i + 2][j + 1] + A[i + 1][j] + A[i + 1][j + 2] - 4 * A[i + 1][j + 1]))
let smoothed (x: [N]f32) = generate N (\i -> x[max 0 (i - 1)] + 2 * x[i] + x[min (N - 1) (i + 1)])
let flat (A: [N*K]f32) (B: [K*M]f32) = generate N (\i -> generate M (\j -> reduce (+) 0 (generate K (\k -> A[i * K + k] * B[M * k + j]))))
let pairs (x: [2*N]f32) = generate N (\i -> x[2 * i] * x[1 + i * 2])
let around (x: [N]f32) = generate N (\i -> x[(i + 1) % N] - x[(i + N - 1) % N] + x[N - 1 - i] + x[(i - 2) % N])
let beside (A: [N][M]f32) (b: [N]f32) = map (\(i, s) -> s + reduce (+) 0 A[i]) (zip (iota N) b)
let filtered (x: [N+7]f32) (h: [8]f32) = generate N (\i -> reduce (+) 0 (generate 8 (\t -> x[t + i] * h[t])))
let exchanged (x: [N]f32) (d: i32) = generate N (\i -> x[bxor i d])
let weighed (A: [N][M]f32) (b: [N]f32) = generate M (\j -> reduce (+) 0 (map (\(r, s) -> s * r[j]) (zip A b)))
