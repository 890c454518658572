# A checksum: the exclusive or of all words, each mixed by multiplications modulo 2^64.
let mix (x: u64) = let y = bxor x (shr x 33) * 18397679294719823053u64 in let z = bxor y (shr y 33) * 14181476777654086739u64 in bxor z (shr z 33)
let mix_u64 (xs: [N]u64) = reduce bxor 0 (map mix xs)
