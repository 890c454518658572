#!/bin/sh
# fusion: every combination of fusions of a program's functions measured, beside the one that is predicted best, all functions in one kernel,
# and each in its own (fusion.lua). DEVICE=cpu|gpu (cpu), INSTANCES (262144 on a CPU, 4194304 on a GPU).
set -u
device=${DEVICE:-cpu}
case $device in gpu) n=${INSTANCES:-4194304} ;; *) n=${INSTANCES:-262144} ;; esac
build/lathe --no-init -q --device "$device" -e "load tests/programs/elements.fun" -e "data N = $n" -f tests/bench/fusion.lua |
    awk -v OFS='\t' -v device="$device" '{ print "fusion", device, $0 }'
