# Named products of small matrices, each used several times: functions of instances that lower puts into one kernel.
let mm (A, B) = map (\r -> map (\c -> reduce (+) 0 (zipWith (*) r c)) (transpose B)) A
let chain (A: [N][4][4]f32) (B: [N][4][4]f32) =
  let P = zipWith mm A B
  let Q = map (\x -> map (\r -> map (\y -> y + 1) r) x) P
  let R = zipWith mm Q P
  in zipWith mm (map transpose R) (zipWith mm P Q)
