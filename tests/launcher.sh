#!/bin/sh
# launcher: a device's worker that a launcher starts elsewhere, over its standard streams: the same results; a dead host, a slow one, one
# with an older worker, one that prints; a kernel that hangs there; a search on two places; nothing is left running. By a script in place of ssh, and by
# mpirun where that is installed. Usage: launcher.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
program=$PWD/tests/programs/scal.fun
matrices=$PWD/tests/programs/mm.fun
cd "$scratch"
"$lathe" --no-init -e 'device pocl0' >/dev/null 2>&1 || skip "no PoCL"

cat >ssh <<'E1'
#!/bin/sh
host=$1
shift
case $host in
dead) echo "connect to host dead port 22: No route to host" >&2; exit 255 ;;
slow) sleep 2 ;;
old) echo "lathe-worker is started by lathe; it has no use of its own" >&2; exit 2 ;;
older) # its first reply, which says protocol 5
    json='{"protocol":5,"devices":[],"id":1,"status":"ok","code":0,"blobs":[0]}'
    printf "\\$(printf %o $((${#json} + 4)))\\0\\0\\0\\$(printf %o ${#json})\\0\\0\\0%s" "$json"
    exec sleep 1 ;;
chatty) echo "Welcome" >&2 ;;
motd) echo "Last login: today" ;;
esac
echo $$ >>pids
exec env PLACE="$host" "$@"
E1
chmod +x ssh
by() { timeout 300 "$lathe" --no-init --results "$scratch/results.db" -e "set launcher \"$scratch/ssh %h\"" "$@"; }

# ---- the same results: contents of several pieces go there and back ----
work="load $matrices"
by -e "$work" -e 'data N = 64, K = 64, M = 64' -e 'device pocl0@a' -e lower -e 'run -n 3' >out 2>&1 || fail "a: $(cat out)"
grep -q '^@1 *pocl0@a ' out || fail "the place is not named: $(cat out)"
grep -q 'verify  OK' out || fail "a: $(cat out)"
by -e "load $program" -e 'data N = 5000000' -e 'device pocl0@a' -e lower -e 'run -n 1 --save far.npy' >out 2>&1 || fail "large: $(cat out)"
"$lathe" --no-init -e "load $program" -e 'data N = 5000000' -e 'device pocl0' -e lower -e 'run -n 1 --save near.npy' >out 2>&1 || fail "here: $(cat out)"
cmp far.npy near.npy || fail "what is computed there differs"
by -e "load $program" -e 'data N = 4096' -e 'device pocl0@slow' -e lower -e 'run -n 1' >out 2>&1 || fail "a slow host: $(cat out)"
by -e "load $program" -e 'data N = 4096' -e 'device pocl0@chatty' -e lower -e 'run -n 1' >out 2>&1 || fail "a chatty host: $(cat out)"
by --json -e 'results --all' -e 'device pocl0' >out 2>&1 || fail "here beside there: $(cat out)"

# ---- what is wrong there is said ----
says() { # HOST TEXT
    ! by -e "device pocl0@$1" >out 2>&1 || fail "$1 has a device"
    grep -q "^E60 .*$2" out || fail "$1: $(cat out)"
    ! by -e "load $program" -e 'data N = 64' -e lower -e "device pocl0@$1" -e "device pocl0@$1" >out 2>&1 || fail "$1 has a device later"
    grep -q "$2" out || fail "$1, again: $(cat out)"
}
says dead 'ssh dead ended with code 255: connect to host dead port 22: No route to host'
says old 'it has no use of its own (an older one, which works on its own machine only)'
says older 'belongs to another version of lathe: it speaks protocol 5'
says motd 'cannot be read; does something else print'
! timeout 60 "$lathe" --no-init -e 'set launcher "/nonexistent/launcher"' -e 'device pocl0' >out 2>&1 || fail "there is no such launcher"
grep -q '^E60 .*nonexistent' out || fail "no such launcher: $(cat out)"
! LATHE_WORKER=/nonexistent/worker "$lathe" --no-init -e 'device pocl0' >out 2>&1 || fail "there is no such worker"
[ "$(grep -o 'cannot start' out | wc -l)" = 1 ] || fail "what keeps the worker from starting is said once: $(cat out)"
timeout 60 "$lathe" --no-init --restricted -e "set launcher \"touch $scratch/touched\"" -e device >out 2>&1 || true
[ ! -e touched ] || fail "--restricted starts launchers"

# ---- a kernel that does not end: the worker there is given up, ends by itself, and the next run has another ----
cat >hang.lathe <<E1
load $program
data N = 64
set run_timeout 1
device pocl0@a
lower
code --source "kernel void scal_k0(float alpha, const global float *restrict xs, global float *restrict out) { while (alpha != xs[0] + 12345) out[0] += 1; }"
run -n 1
goto @1
run -n 1
E1
by --keep-going -f hang.lathe >out 2>&1 || true
grep -q 'pocl0@a' out || fail "hang: $(cat out)"
grep -q 'verify  OK' out || fail "after a hang: $(cat out)"

# ---- a search on two places at the same time ----
cat >search.lathe <<E1
load $program
data N = 4096
set trials 1
apply splitJoin
apply splitJoin at /in/f/body
lower
search params using random --budget 10 --devices pocl0@a,pocl0@b
E1
by -f search.lathe >out 2>&1 || fail "search: $(cat out)"
[ "$(by -e "results --all state=ok --format tsv" 2>/dev/null | grep -c "random")" -eq 10 ] || fail "search: $(cat out)"

# ---- by the launchers of clusters ----
if command -v mpirun >/dev/null; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 "$lathe" --no-init -e 'set launcher "mpirun -n 1"' \
        -e "load $program" -e 'data N = 5000000' -e 'device pocl0' -e lower -e 'run -n 1 --save mpi.npy' >out 2>&1 || fail "mpirun: $(cat out)"
    cmp mpi.npy near.npy || fail "what mpirun computes differs"
fi

# ---- nothing is left ----
sleep 2
while read -r pid; do
    ! grep -q lathe-worker "/proc/$pid/cmdline" 2>/dev/null || fail "worker $pid is left"
done <pids
[ $bad -eq 0 ] && echo "launcher: the same results elsewhere; what is wrong there is said; nothing is left"
exit $bad
