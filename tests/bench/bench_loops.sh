#!/bin/sh
# loops: programs of the papers and loops over a state as `lower` makes them on a CPU, beside plain loops in C (loops.c), in three turns each;
# medians. HOST_OPTIONS: of the C compiler. --small: tiny sizes, to try it.
set -u
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=199309L ${HOST_OPTIONS:--O3 -march=native -fopenmp} tests/bench/loops.c -o "$scratch/loops" -lm || exit 1
device=$(build/lathe --no-init -q -e 'lua for _, d in ipairs(t.device().devices) do if not d.gpu then return print(d.name) end end')
middle() { sort -g "$1" | sed -n 2p; }
heat=2048 blackscholes=4194304 md=65536
[ "${1:-}" != --small ] || heat=64 blackscholes=4096 md=256
while read -r name sizes; do
    : >"$scratch/ours" && : >"$scratch/theirs"
    data=$(echo "$sizes" | sed 's/\([A-Z]\)=/\1 = /g')
    for _ in 1 2 3; do
        build/lathe --no-init -q --device cpu -e "load tests/programs/$name.fun" -e "data $data" -e lower -e 'run --no-verify -n 11' |
            awk '$1 == "time" && $3 == "ms" { print $2 }' >>"$scratch/ours"
        # shellcheck disable=SC2046
        "$scratch/loops" "$name" $(echo "$sizes" | sed 's/[A-Z]=//g; s/,//g') >>"$scratch/theirs"
    done
    printf 'loops\t%s\t%s %s\topenmp\t%s\t%s\n' "$device" "$name" "$sizes" "$(middle "$scratch/ours")" "$(middle "$scratch/theirs")" |
        awk -F '\t' -v OFS='\t' '{ print $0, "ms", $5 ? sprintf("%.2f", $6 / $5) : "-" }'
done <<E1
heat N=$heat, M=$heat
blackscholes N=$blackscholes
md N=$md, M=64
E1
