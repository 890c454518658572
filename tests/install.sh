#!/bin/sh
# install: what `cmake --install` puts somewhere works from there: programs, scripts and lessons are found, the worker starts, a library is exported;
# the manual page and the completions are there. Usage: install.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
command -v cmake >/dev/null || skip "no cmake"
cmake --install "$(dirname "$lathe")" --prefix "$scratch/usr" >"$scratch/log" 2>&1 || { fail "$(tail -3 "$scratch/log")"; exit 1; }
unset LATHE_WORKER LATHE_LESSONS
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere"
PATH="$scratch/usr/bin:$PATH"
lathe --no-init -q -e 'load tests/programs/mm.fun; data N = 16, K = 16, M = 16; lower; run' >out 2>&1 || [ $? = 6 ] || fail "$(tail -3 out)"
lathe --no-init -q -e 'source scripts/derivations/mm-cpu.lathe; list lessons' >out 2>&1 || fail "$(tail -3 out)"
grep -q '^ *terms ' out || fail "no lessons are found: $(tail -3 out)"
lathe --no-init -q -e 'lesson terms' >out 2>&1 </dev/null || fail "$(tail -3 out)"
groff -man -ww -Tutf8 "$scratch/usr/share/man/man1/lathe.1" >/dev/null 2>out || ! command -v groff >/dev/null || fail "$(cat out)"
bash -n "$scratch/usr/share/bash-completion/completions/lathe" || fail "bash does not read its completion"
[ "$(bash -c '. "$0"; COMP_WORDS=(lathe --js) COMP_CWORD=1; _lathe lathe --js lathe; echo "${COMPREPLY[*]}"' "$scratch/usr/share/bash-completion/completions/lathe")" = --json ] ||
    fail "bash completes --js otherwise"
for shell in zsh fish; do
    file=$(ls "$scratch"/usr/share/$shell/*/*lathe*)
    ! command -v $shell >/dev/null || $shell -n "$file" || fail "$shell does not read its completion"
    grep -q -- json "$file" || fail "$file has no --json"
done
exit $bad
