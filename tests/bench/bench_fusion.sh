#!/bin/sh
# fusion: every implementation of every fusion of a program's functions measured, and all combinations of fusions, beside the one that is
# predicted best, all functions in one kernel, and each in its own; and how well both predictors order them (fusion.lua).
# DEVICE=cpu|gpu (cpu), INSTANCES (262144 on a CPU, 4194304 on a GPU), RESULTS: a file where what was measured is kept, so that the same
# command goes on; BUDGET as search has it (all).
set -u
device=${DEVICE:-cpu}
case $device in gpu) n=${INSTANCES:-4194304} ;; *) n=${INSTANCES:-262144} ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
build/lathe --no-init -q --results "${RESULTS:-$scratch/results.db}" --device "$device" -e "load tests/programs/elements.fun" -e "data N = $n" \
    -e "set verify off" -e "lua BUDGET = '${BUDGET:-100000}'" -f tests/bench/fusion.lua |
    awk -v OFS='\t' -v device="$device" '{ print "fusion", device, $0 }'
