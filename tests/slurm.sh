#!/bin/sh
# slurm: searches over workers that Slurm, mpirun and ssh start, as clusters have them. A slurmctld and two slurmd of this machine, with a munged
# of their own, all in a scratch folder; an sshd on the loopback likewise. By hand: daemons need root, and what is not installed is left out and
# named (Debian: slurmctld slurmd slurm-client munge openmpi-bin openssh-server). Usage: slurm.sh LATHE; 77: none of them
set -eu
lathe=$(realpath "$1")
PATH=$PATH:/usr/sbin
scratch=$(mktemp -d)
chmod 755 "$scratch"
pids=
# shellcheck disable=SC2329
finish() {
    [ ! -e "$scratch/slurmctld.pid" ] || scancel -u "$(id -un)" 2>/dev/null || true
    for p in $pids; do kill "$p" 2>/dev/null || true; done
    for p in $pids; do wait "$p" 2>/dev/null || true; done
    for f in "$scratch"/*.pid; do [ ! -s "$f" ] || kill "$(cat "$f")" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
export LANG=C.UTF-8 XDG_CONFIG_HOME="$scratch/config" XDG_STATE_HOME="$scratch/state"
program=$PWD/tests/programs/scal.fun
cd "$scratch"
bad=0 done=0
fail() { echo "slurm: $*"; bad=1; }
skip() { echo "slurm: without $1: $2"; }
missing() { for c in "$@"; do command -v "$c" >/dev/null || { echo "$c is not installed"; return; }; done; }
until_ok() { for _ in $(seq 50); do "$@" >until.out 2>&1 && return; sleep 0.2; done; return 1; }
"$lathe" --no-init -e 'device pocl0' >/dev/null 2>&1 || { echo "slurm: no PoCL"; exit 77; }

cat >search.lathe <<E2
load $program
data N = 55440
set trials 3
apply splitJoin
apply splitJoin at /in/f/body
lower
E2
# A search of 24 trials; the same by every launcher: NAME LAUNCHER DEVICES
search() {
    timeout 300 "$lathe" --json --no-init --results "$1.db" -e "set launcher \"$2\"" -f search.lathe \
        -e "search params using random --budget 24 --devices $3" >"$1.json" 2>"$1.err" ||
        { fail "$1: $(tail -1 "$1.json") $(cat "$1.err")"; return 0; }
    sed -n 's/.*"event":"trial".*"n":\([0-9]*\).*"point":"\([^"]*\)".*"state":"\([^"]*\)".*/\1 \2 \3/p' "$1.json" >"$1.trials"
    [ "$(wc -l <"$1.trials")" -ge 24 ] || fail "$1: $(wc -l <"$1.trials") trials"
    [ "$1" = here ] || cmp -s here.trials "$1.trials" || fail "$1 tries others: $(diff here.trials "$1.trials" | head -3)"
    [ "$1" = here ] || { echo "slurm: $1: a search by $2 on $3"; done=$((done + 1)); }
}
used() { for d in "$@"; do grep -q "\"device\":\"$d\"" "$name.json" || fail "$name: $d has nothing to do"; done; }
search here env pocl0

# ---- Slurm: two nodes of this machine ----
slurm() {
    name=slurm
    mkdir state spool1 spool2
    dd if=/dev/urandom of=munge.key bs=1 count=1024 2>/dev/null
    chmod 600 munge.key
    munged --foreground --force --socket="$scratch/munge.socket" --key-file="$scratch/munge.key" --pid-file="$scratch/munged.id" \
        --log-file="$scratch/munged.log" --seed-file="$scratch/munge.seed" >munged.out 2>&1 &
    pids="$pids $!"
    until_ok test -S munge.socket || { skip Slurm "munged does not start: $(tail -1 munged.out)"; return 0; }
    cat >slurm.conf <<E2
ClusterName=here
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$scratch/munge.socket
CredType=cred/munge
SlurmctldPort=17817
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdPidFile=$scratch/slurmd-%n.pid
SlurmdLogFile=$scratch/slurmd-%n.log
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=0
SlurmdParameters=config_overrides
NodeName=node[1-2] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[17818-17819] CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
E2
    export SLURM_CONF="$scratch/slurm.conf"
    slurmctld -D >slurmctld.out 2>&1 &
    pids="$pids $!"
    for n in 1 2; do
        slurmd -D -N node$n >slurmd$n.out 2>&1 &
        pids="$pids $!"
    done
    until_ok srun -n1 -w node1 true && until_ok srun -n1 -w node2 true ||
        { skip Slurm "$(cat until.out; tail -2 slurmctld.out slurmd1.out slurmd2.out)"; return 0; }
    search slurm 'srun -n1 -w %h' pocl0@node1,pocl0@node2
    used pocl0@node1 pocl0@node2
    search free 'srun -n1 --exact' 'pocl0*2'              # Slurm chooses where
    # a node goes down while a search runs there
    { sleep 8; scontrol update nodename=node2 state=down reason=test; sleep 2; kill "$(cat slurmd-node2.pid)"; } &
    pids="$pids $!"
    LATHE_WORKER_WAIT=200 search lost 'srun -n1 -w %h --immediate=5' pocl0@node1,pocl0@node2
    grep -q '"event":"lost".*pocl0@node2' lost.json || grep -q '"device":"pocl0@node2".*"event":"lost"' lost.json || fail "slurm: node2 is not named: $(grep lost lost.json)"
    timeout 120 "$lathe" --no-init -e 'set launcher "srun -n1 -w %h --immediate=3"' -e 'device pocl0@node2' >down.out 2>&1 && fail "slurm: a node that is down is taken"
    grep -q '^E60 .*srun' down.out || fail "slurm: a node that is down: $(cat down.out)"
}
why=$(missing munged slurmctld slurmd srun)
[ "$(id -u)" = 0 ] || why="${why:-its daemons are started as root}"
if [ -n "$why" ]; then skip Slurm "$why"; else slurm; fi

# ---- MPI: a process of mpirun's ----
why=$(missing mpirun)
if [ -n "$why" ]; then skip mpirun "$why"; else
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    search mpirun 'mpirun -n 1 -H localhost' 'pocl0*2'
fi

# ---- ssh over the loopback ----
loopback() {
    name=ssh
    ssh-keygen -q -t ed25519 -N '' -f host.key && ssh-keygen -q -t ed25519 -N '' -f user.key && cp user.key.pub authorized
    [ -d /run/sshd ] || mkdir /run/sshd
    "$(command -v sshd)" -D -e -f /dev/null -p 17822 -o ListenAddress=127.0.0.1 -h "$scratch/host.key" -o "AuthorizedKeysFile=$scratch/authorized" \
        -o StrictModes=no -o PermitRootLogin=yes -o UsePAM=no -o PidFile="$scratch/sshd.pid" >sshd.out 2>&1 &
    pids="$pids $!"
    ssh="ssh -F none -p 17822 -i $scratch/user.key -o StrictHostKeyChecking=no -o UserKnownHostsFile=$scratch/known -o LogLevel=ERROR -o BatchMode=yes"
    # shellcheck disable=SC2086
    until_ok $ssh 127.0.0.1 true || { skip ssh "$(cat until.out)"; return 0; }
    search ssh "$ssh %h" pocl0@127.0.0.1,pocl0@localhost
    used pocl0@127.0.0.1 pocl0@localhost
}
why=$(missing sshd ssh ssh-keygen)
[ "$(id -u)" = 0 ] || why="${why:-its daemon is started as root}"
if [ -n "$why" ]; then skip ssh "$why"; else loopback; fi
[ $bad -eq 0 ] || exit 1
[ $done -gt 0 ] || exit 77
echo "slurm: the same search $done times, by other launchers"
