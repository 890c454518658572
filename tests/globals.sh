#!/bin/sh
# globals: no object has writable data. Constants with addresses in them (.data.rel.ro) are not writable once loaded.
# Usage: globals.sh OBJECT...
set -eu
[ $# -gt 0 ] || { echo "globals: no objects given" >&2; exit 2; }
nm -A -f sysv "$@" | awk -F'|' '
    $NF ~ /^ *(\.t?data|\.t?bss|\*COM\*)/ && $NF !~ /\.data\.rel\.ro/ {
        sub(/.*\.dir\//, "", $1); sub(/ +$/, "", $1)
        print "globals: " $1 " is writable"; bad = 1
    }
    END { exit bad }'
