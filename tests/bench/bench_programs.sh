#!/bin/sh
# programs: programs as a newcomer writes them (programs.tsv), as `lower` alone makes them or as `tune` does, verified; beside PyTorch, in
# turns, where python3 has it. DEVICE=cpu|gpu (cpu), TUNE=EVALUATIONS (none: lower alone), PROGRAMS="NAME ..." (all).
set -u
device=${DEVICE:-cpu} bad=0
case $device in gpu) column=3 rival=cuda ;; *) column=2 rival=cpu ;; esac
torch=${PYTHON:-python3}
"$torch" -c 'import torch' 2>/dev/null || torch=
log=$(mktemp) && trap 'rm -f "$log"' EXIT

grep -v '^#' tests/bench/programs.tsv | while read -r line; do
    name=$(printf '%s' "$line" | cut -f 1) sizes=$(printf '%s' "$line" | cut -f "$column")
    case " ${PROGRAMS:-$name} " in *" $name "*) ;; *) continue ;; esac
    set -- -e "load tests/programs/$name.fun" -e "use $name"
    for size in $sizes; do set -- "$@" -e "data ${size%=*} = ${size#*=}"; done
    set -- "$@" -e "${TUNE:+tune --budget }${TUNE:-lower}" -e 'run -n 20'
    build/lathe --no-init --device "$device" "$@" >"$log" 2>&1
    grep -q '^  verify  OK' "$log" || { echo "bench: programs: $name is not verified" >&2; tail -3 "$log" >&2; bad=1; }
    ours=$(awk '$1 == "time" && $3 == "ms" { t = $2 } END { print t }' "$log")
    theirs=
    # shellcheck disable=SC2086
    [ -z "$torch" ] || theirs=$("$torch" tests/bench/programs.py "$rival" "$name" $sizes 2>/dev/null)
    printf 'programs\t%s\t%s %s\t%s\n' "$device" "$name" "$sizes" "$theirs" | awk -F '\t' -v OFS='\t' -v ours="$ours" '
        { print $1, $2, $3, $5 ? $5 : "-", ours, $4 ? $4 : "-", "ms", $4 && ours ? sprintf("%.2f", $4 / ours) : "-" }'
    [ "$bad" = 0 ] || exit 1
done
