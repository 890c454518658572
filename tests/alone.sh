#!/bin/sh
# alone: what a script here begins with, for the lathe that $1 is: . "$(dirname "$0")/alone.sh"
# A folder $scratch that goes at the end; no settings and no state of the user's; fail TEXT, which goes on, and skip TEXT, which does not;
# parts FILE TO: what was printed behind each line "== NAME" goes to TO.NAME, of many small tests in one lathe.
lathe=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset LC_ALL LC_CTYPE
export LANG=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config"
bad=0
fail() { echo "$(basename "$0" .sh): $*"; bad=1; }
skip() { echo "$(basename "$0" .sh): $*"; exit 77; }
parts() { awk -v to="$2." '/^== [a-z0-9-]+$/ { close(to n); n = $2; printf "" >(to n); next } n { print >(to n) }' "$1"; }
