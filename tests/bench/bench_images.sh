#!/bin/sh
# images: products of matrices with their inputs in images, and the result too, beside the same kernel with buffers, in turns, verified: kernels with
# tiles in local memory and such with registers alone; all four transpositions, pure and general. ours: GFLOP/s; theirs: with buffers.
# DEVICE=gpu, SIZES="1024 4096", PROGRAMS="mm mm_nt mm_tn mm_tt gemm gemm_nt gemm_tn gemm_tt", CALLS: pairs of a name and the call, up to the number of the images.
set -eu
sizes=${SIZES:-1024 4096} programs=${PROGRAMS:-mm mm_nt mm_tn mm_tt gemm gemm_nt gemm_tn gemm_tt}
calls=${CALLS:-tiles gemmGpu{ registers gemmItems{mr=8,nr=8,u=4,gh=16,gw=16,}
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
for n in $sizes; do
    for p in $programs; do
        {
            printf 'load tests/programs/%s.fun\ndata N = %s, K = %s, M = %s\nset seeds 2\nset repeats 1\nset trials 7\n' "$p" "$n" "$n" "$n"
            # shellcheck disable=SC2086
            set -- $calls
            while [ $# -gt 1 ]; do
                for image in 0 1 2; do printf 'goto @0\napply %simage=%s}\n' "$2" "$image"; done
                shift 2
            done
            # shellcheck disable=SC2086
            set -- $calls
            printf 'run'
            for v in $(seq $(($# / 2 * 3))); do printf ' @%s' "$v"; done
            printf '\nresults --columns at,state,gflops --sort id --format tsv -o %s/out\n' "$scratch"
        } >"$scratch/go.lathe"
        build/lathe -q --keep-going --no-init --results :memory: --device "${DEVICE:-gpu}" -f "$scratch/go.lathe" >"$scratch/log" 2>&1 || sed "s|^|images: |" "$scratch/log" >&2
        [ ! -s "$scratch/out" ] || awk -F'\t' -v OFS='\t' -v calls="$calls" -v p="$p" -v n="$n" -v device="${DEVICE:-gpu}" '
            BEGIN { split(calls, c, " ") }
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { v = $at["at"] - 1; kind = c[int(v / 3) * 2 + 1]; image = v % 3
              if (!image) base = $at["gflops"]
              printf("images\t%s\t%s %s, %s, %s\tbuffers\t%.0f\t%.0f\tGFLOP/s\t%s\n", device, p, n, kind, image == 0 ? "buffers" : image == 1 ? "images" : "images, the result too", $at["gflops"], base, $at["state"] == "ok" && base > 0 ? sprintf("%.2f", $at["gflops"] / base) : $at["state"]) }' "$scratch/out"
        rm -f "$scratch/out"
    done
done
