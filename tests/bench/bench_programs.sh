#!/bin/sh
# programs: programs as a newcomer writes them (programs.tsv), as `lower` alone makes them, verified; beside PyTorch, in turns, where python3
# has it, and beside a copy that reads and writes as many bytes as their inputs and results have. DEVICE=cpu|gpu (cpu); TUNE=BUDGET as tune
# takes it (none: lower alone): what tune finds, too; PROGRAMS="NAME ..." (all); SIZES="N=... M=..." in place of programs.tsv's.
set -u
device=${DEVICE:-cpu} bad=0
case $device in gpu) column=3 rival=cuda ;; *) column=2 rival=cpu ;; esac
torch=${PYTHON:-python3}
"$torch" -c 'import torch' 2>/dev/null || torch=
scratch=$(mktemp -d) && trap 'exec 3>&-; rm -rf "$scratch"' EXIT
log=$scratch/log

mkfifo "$scratch/asked" "$scratch/said"
[ -z "$torch" ] || "$torch" tests/bench/programs.py "$rival" <"$scratch/asked" >"$scratch/said" 2>/dev/null &
[ -z "$torch" ] || exec 3>"$scratch/asked" 4<"$scratch/said"

# line CASE RIVAL OURS THEIRS
line() {
    printf 'programs\t%s\t%s\t%s\t%s\t%s\n' "$device" "$1" "$2" "$3" "$4" | awk -F '\t' -v OFS='\t' '
        { print $0, "ms", $5 && $6 ? sprintf("%.2f", $6 / $5) : "-" }'
}
# What `run` says of the time, the first of the log, the second, in ms
ours() { awk -v want="$1" '$1 == "time" { t = $2 * ($3 == "s" ? 1000 : $3 == "us" ? 0.001 : 1); if (++n == want) print t }' "$log"; }

grep -v '^#' tests/bench/programs.tsv | { while read -r row; do
    name=$(printf '%s' "$row" | cut -f 1) sizes=${SIZES:-$(printf '%s' "$row" | cut -f "$column")}
    case " ${PROGRAMS:-$name} " in *" $name "*) ;; *) continue ;; esac
    set -- -e "load tests/programs/$name.fun" -e "use $name"
    for size in $sizes; do set -- "$@" -e "data ${size%=*} = ${size#*=}"; done
    set -- "$@" -e lower -e 'run -n 20'
    [ -z "${TUNE:-}" ] || set -- "$@" -e 'goto @0' -e "tune --budget $TUNE" -e 'run -n 20'
    build/lathe --no-init --results :memory: --device "$device" "$@" >"$log" 2>&1
    grep -q '^  verify  OK' "$log" || { echo "bench: programs: $name is not verified" >&2; tail -3 "$log" >&2; bad=1; }
    theirs='' form=- copy='' single=''
    [ -z "$torch" ] || { echo "$name $sizes" >&3; IFS='	' read -r theirs form copy single <&4; }
    line "$name $sizes" "$form" "$(ours 1)" "$theirs"
    [ -z "$single" ] || line "$name $sizes" "PyTorch, single calls" "$(ours 1)" "$single"
    [ -z "$copy" ] || line "$name $sizes" "copy of as many bytes" "$(ours 1)" "$copy"
    [ -z "${TUNE:-}" ] || line "$name $sizes, tuned" "$form" "$(ours 2)" "$theirs"
    [ -z "${TUNE:-}" ] || sed -n 's/^tuned to/bench: programs: '"$name"': tuned to/p' "$log" >&2
done; exit $bad; }
