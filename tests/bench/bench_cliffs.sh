#!/bin/sh
# cliffs: whatever is lowered, what it is predicted to take beside the least that the device needs (cliffs.py; --help says the options).
set -eu
command -v python3 >/dev/null || { echo "bench: cliffs: no python3" >&2; exit 77; }
exec python3 tests/bench/cliffs.py build/lathe "$@"
