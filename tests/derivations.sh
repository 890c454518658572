#!/bin/sh
# derivations: the scripts of scripts/derivations run and verify at small sizes. Usage: derivations.sh LATHE
# Of those marked `all`, every version on the way does: it is lowered as it stands and run.
set -eu
lathe=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
options='--no-init --set verbose=0 --set trials=1 --set warmup=0 --set seeds=1 --set repeats=1'
code=0
"$lathe" $options tests/programs/scal.fun -e lower -e run >/dev/null 2>&1 || code=$?
[ $code -ne 6 ] || exit 77      # no device
bad=0

# sizes NAME=VALUE...: as commands
sizes() { for size; do echo "data ${size%=*} = ${size#*=}"; done; }

# versions SCRIPT: the numbers of the versions that it makes
versions() { "$lathe" $options -e "source $1" | sed -n 's/^@\([0-9]*\) .*/\1/p'; }

# derivation all|last NAME SIZE...
derivation() {
    which=$1 name=$2
    shift 2
    script=scripts/derivations/$name.lathe
    list=$(versions "$script")
    if [ "$which" = all ]; then list="0 $list"; else list=$(echo "$list" | tail -1); fi
    { echo "source $script"; sizes "$@"; for v in $list; do printf 'goto @%s\nlower\nrun\n' "$v"; done; } >"$scratch/script.lathe"
    "$lathe" $options "$scratch/script.lathe" >"$scratch/out" 2>&1 || { echo "derivations: $name"; tail -8 "$scratch/out"; bad=1; return; }
    [ "$(grep -c 'verify  OK' "$scratch/out")" -eq "$(echo $list | wc -w)" ] || { echo "derivations: $name is not verified"; bad=1; }
}

derivation all register-blocking N=8 K=4 M=4
derivation all tiling N=8 K=8 M=16
derivation all combined N=16 K=8 M=16
derivation last asum-fused N=1024
derivation last mm-cpu N=256 K=256 M=32
derivation last mm-gpu N=64 K=16 M=128
derivation last scal-cpu N=65536
derivation last scal-gpu N=1024
derivation last asum-cpu N=65536
derivation last asum-gpu N=16777216
derivation last dot-cpu N=65536
derivation last dot-gpu N=16777216
derivation last gemv-cpu N=64 M=64
derivation last gemv-gpu N=2 M=256
exit $bad
