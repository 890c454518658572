#!/bin/sh
# images: products, through buffers and images, on a CPU and under the checking device (images.lua). Usage: images.sh LATHE all|part
# part: on a CPU only, one transposition.
set -eu
. "$(dirname "$0")/alone.sh"
tried=0
for device in cpu $([ "$2" = part ] || echo oclgrind); do
    "$1" -q --no-init -e "device $device" >/dev/null 2>&1 || continue        # not installed
    "$1" tests/images.lua "$device" "$2"
    tried=1
done
[ "$tried" = 1 ] || exit 77
