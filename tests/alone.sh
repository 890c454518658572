#!/bin/sh
# alone: what a script here begins with, for the lathe that $1 is: . "$(dirname "$0")/alone.sh"
# A folder $scratch that goes at the end; no settings and no state of the user's; fail TEXT, which goes on, and skip TEXT, which does not.
lathe=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
bad=0
fail() { echo "$(basename "$0" .sh): $*"; bad=1; }
skip() { echo "$(basename "$0" .sh): $*"; exit 77; }
