#!/bin/sh
# bench_reach: goals of `reach`, each from the program by the shapes that README.md names: seconds of the processor, e-nodes, steps,
# and all e-nodes a second.
# Usage: bench_reach.sh [LATHE]
set -eu
cd "$(dirname "$0")/../.."
lathe=${1:-build/lathe}
while IFS='|' read -r name program goal; do
    [ -n "$program" ] || continue
    "$lathe" --json "tests/programs/$program.fun" -e "reach $goal" | awk -v name="$name" '
        /"command":"reach"/ || /"seconds"/ {
            n = gsub(/"call"/, "&"); nodes = $0; sub(/.*"nodes": *[^0-9]*/, "", nodes); sub(/[^0-9].*/, "", nodes)
            s = $0; sub(/.*"seconds": */, "", s); sub(/[^0-9.eE-].*/, "", s)
            printf "%s\t%d steps\t%d e-nodes\t%.3f s\n", name, n, nodes, s
            found = 1
        }
        END { if (!found) print name "\tnot reached" }'
done <<'GOALS'
fusion of a scalar product (ICFP'15 fig. 6f)|dot|'reduceSeq _ _ (zip xs ys)'
asum as one fold|asum|'reduceSeq (\(acc, y) -> acc + abs y) 0 xs'
asum in parallel (ICFP'15 fig. 10)|asum|'reduce (+) 0 (join (map (\c -> map (reduceSeq (\(acc, a) -> acc + abs a) 0) (split n c)) (split n xs)))'
asum for Nvidia (ICFP'15 fig. 11a), two shapes between|asum|'reduceSeq (+) 0 (join (mapWorkgroup 0 (\g -> toGlobal (mapLocal 0 (reduceSeq (\(acc, a) -> acc + abs a) 0) (split 2048 (reorder (stride 128) g)))) (split 262144 xs)))' through 'reduce (+) 0 (join (map (\g -> map (reduce (+) 0) (split 2048 (reorder (stride 128) g))) (split 262144 (map abs xs))))' through 'reduce (+) 0 (join (map (\g -> map (\c -> reduce (+) 0 (map abs c)) (split 2048 (reorder (stride 128) g))) (split 262144 xs)))'
strided partial sums|asum|'reduce (+) 0 (map (reduce (+) 0) (transpose (split 64 (map abs xs))))'
rows of gemv fused|gemv|'contains (reduceSeq _ _ (zip _ _))'
interchange of loops of mm|mm|'transpose (map (\col -> map (\row -> _) A) _)'
tiles of mm|mm|'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split m _)))) (split n A))'
register blocking (GPGPU'16 slides), two shapes between|mm|'contains (reduceSeq (\(acc, x) -> map _ (zip acc _)) _ (zip _ _))' through 'join (map (\r -> transpose (map (\c -> map _ r) _)) (split 4 A))' through 'contains (reduce _ _ (transpose (map _ _)))'
tiles with vectors of products, one shape between|mm|'contains (map _ (asVector 4 (zip _ _)))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
tiles, each with its chunks of sums, one shape between|mm|'contains (map (\row -> map (\col -> reduce _ _ (map (reduce _ _) (split 4 _))) cols) _)' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
tiles with folds over chunks, one shape between|mm|'contains (map (\row -> map (\col -> reduceSeq (\(acc, c) -> reduceSeq _ acc c) _ (split 4 (zip row col))) cols) _)' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
tiles and register blocking in them, three shapes between|mm|'contains (reduceSeq (\(acc, x) -> map _ (zip acc _)) _ (zip _ _))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 32 _)))) (split 64 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (join (map (\r -> transpose (map (\c -> map _ r) cols)) (split 4 rows)))) (split 32 _)))) (split 64 A))' through 'contains (reduce _ _ (transpose (map _ _)))'
1 of 7: baseline, a fold for each element|mm|'map (\r -> map (\c -> reduceSeq _ _ (zip r c)) _) A'
2 of 7: blocking, tiles of 4 by 8 and sums in chunks of 4|mm|'contains (map (\row -> map (\col -> reduce _ _ (map (reduce _ _) (split 4 _))) cols) _)' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
3 of 7: vectorisation, the products of tiles by vectors of 4|mm|'contains (map _ (asVector 4 (zip _ _)))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
4 of 7: loop permutation, the sum outside of the tile|mm|'join (map (\rows -> transpose (join (map (\cols -> transpose (reduceSeq (\(acc, ks) -> _) _ _)) (split 8 _)))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> reduce (\p -> map _ _) _ (transpose _)) rows)) (split 8 _)))) (split 4 A))'
5 of 7: packing, columns copied to an array of their own|mm|'join (map (\rows -> transpose (join (map (\cols -> _) (split 8 (toGlobal (transpose B)))))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
6 of 7: write cache, a tile in private memory|mm|'join (map (\rows -> transpose (join (map (\cols -> toPrivate _) (split 8 _)))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))'
7 of 7: parallel, tiles by work-items in two dimensions|mm|'join (mapGlobal 1 (\rows -> transpose (join (mapGlobal 0 (\cols -> _) (split 8 _)))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))' through 'contains (map (\row -> map (\col -> reduce _ _ (map (reduce _ _) (split 4 _))) cols) _)'
4 to 7 of 7 in one term|mm|'join (mapGlobal 1 (\rows -> transpose (join (mapGlobal 0 (\cols -> toPrivate (transpose (reduceSeq (\(acc, ks) -> _) _ _))) (split 8 (toGlobal (transpose B)))))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> map _ cols) rows)) (split 8 _)))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (map (\row -> reduce (\p -> map _ _) _ (transpose _)) rows)) (split 8 _)))) (split 4 A))' through 'join (map (\rows -> transpose (join (map (\cols -> transpose (reduceSeq (\(acc, ks) -> _) _ _)) (split 8 _)))) (split 4 A))'
GOALS
