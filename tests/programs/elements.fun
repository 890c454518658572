# Listing 1 of Fousek, Filipovic and Madzin: |A B v| (C D + C) for each instance, from six elementary functions.
let dot (a, b) = reduce (+) 0 (map (*) (zip a b))

let mmul (A, B) = map (\row -> map (\col -> dot (row, col)) (transpose B)) A

let mvmul (A, v) = map (\row -> dot (row, v)) A

let norm v = sqrt (dot (v, v))

let madd (A, B) = zipWith (\(a, b) -> zipWith (+) a b) A B

let smmul (s, A) = map2 (\x -> s * x) A

let elements (A: [N][3][3]f32) (B: [N][3][3]f32) (v: [N][3]f32) (C: [N][5][5]f32) (D: [N][5][5]f32) =
  let T1 = zipWith mmul A B
  let T2 = zipWith mvmul T1 v
  let n = map norm T2
  let T3 = zipWith mmul C D
  let T4 = zipWith madd T3 C
  in zipWith smmul n T4
