#!/bin/sh
# bench_units: programs whose types or `set precision` let a GPU's matrix units take them, by `lower` alone, beside PyTorch in the same run.
# Usage and options: units.py
exec python3 tests/bench/units.py "$@"
