#!/bin/sh
# targets: for made-up devices tests/programs lowers, at sizes as they are used, to kernels that the device takes; and most near the least that it
# needs, as predicted. Each device has every third program; tests/bench/cliffs.py has all. Usage: targets.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
command -v python3 >/dev/null || skip "no python3"

# TARGET KIND PART NEAR: the share of programs, in percent, that is to be within 5 of the bound
held() {
    python3 tests/bench/cliffs.py "$lathe" --kinds "$2" --only programs/ --part "$3" --target "tests/targets/$1.target" --limit 120 >"$scratch/$1" 2>"$scratch/said" || {
        cat "$scratch/said"
        fail "$1: cliffs"
    }
    cat "$scratch/said"
    ! grep "	-	" "$scratch/$1" || fail "$1: refused, or not what the device takes"
    near=$(sed -n 's/.*within 5 of the bound \([0-9]*\)%.*/\1/p' "$scratch/said")
    [ "$near" -ge "$4" ] || fail "$1: $near % near the bound, not $4"
}
held small gpu 1/3 70
held wide gpu 2/3 70
held cores cpu 3/3 50
