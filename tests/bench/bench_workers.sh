#!/bin/sh
# workers: what a search gains by several workers (search --devices): the time of POINTS trials by 1, 2 and 4 workers on devices that are simulated
# to be slow (LATHE_WORKER_WAIT, so that these are not the machine's cores), and of 500 trials by one and by two workers with a core each. A trial is
# built, verified and timed. ratio: of the time that one worker takes, shared by all without loss, to the time taken: 1 is no loss.
# POINTS=96 (0: without) WAIT=100 (ms of an execution, of which such a trial has seven), TURNS=3 of each, CORES=500 (0: without); medians.
set -eu
points=${POINTS:-96} wait=${WAIT:-100} turns=${TURNS:-3} cores=${CORES:-500}
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/program.lathe" <<E2
load tests/programs/scal.fun
data N = 55440
apply splitJoin
apply splitJoin at /in/f/body
lower
E2
# The milliseconds of a search: LAUNCHER DEVICES POINTS
export POCL_CACHE_DIR="$scratch/cache"
took() {
    build/lathe --json --no-init --results :memory: -e "set launcher \"$1\"" ${few:+-e "$few"} -f "$scratch/program.lathe" \
        -e "search params using random --budget $3 --keep 1 --devices $2" >"$scratch/out" 2>&1 || { cat "$scratch/out" >&2; exit 1; }
    sed -n '/"verb":"search"/s/.*"ms":\([0-9]*\).*/\1/p' "$scratch/out"
}
middle() { sort -g "$1" | sed -n $(((turns + 1) / 2))p; }
line() { # CASE WORKERS ONE MANY
    printf 'workers\tpocl\t%s\tone worker\t%s\t%s\tms\t%s\n' "$1" "$4" "$3" "$(echo "$2 $3 $4" | awk '{ printf "%.2f", $2 / $1 / $3 }')"
}
for n in 1 2 4; do : >"$scratch/$n"; done
[ "$points" -gt 0 ] && simulated=$(seq 0 "$turns") || simulated=          # turn 0 compiles: that is the machine's cores
few='set seeds 1; set repeats 1; set warmup 0; set trials 5'
for turn in $simulated; do
    for n in 1 2 4; do
        echo "workers: turn $turn, $n simulated" >&2
        took "env LATHE_WORKER_WAIT=$([ "$turn" = 0 ] && echo 1 || echo "$wait")" "pocl0*$n" "$points" >>"$scratch/$([ "$turn" = 0 ] && echo first || echo "$n")"
    done
done
[ -z "$simulated" ] || for n in 2 4; do line "$points trials, $n workers waiting $wait ms" "$n" "$(middle "$scratch/1")" "$(middle "$scratch/$n")"; done
few=
[ "$cores" -gt 0 ] && [ "$(nproc)" -gt 1 ] || exit 0
: >"$scratch/a" && : >"$scratch/b"
for turn in $(seq "$turns"); do
    echo "workers: turn $turn, cores" >&2
    for n in a b; do                                 # every kernel is compiled anew
        rm -rf "$POCL_CACHE_DIR"
        took 'taskset -c %h' "$([ $n = a ] && echo pocl0@0 || echo pocl0@0,pocl0@1)" "$cores" >>"$scratch/$n"
    done
done
line "$cores trials, 2 workers with a core each" 2 "$(middle "$scratch/a")" "$(middle "$scratch/b")"
