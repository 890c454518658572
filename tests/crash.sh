#!/bin/sh
# crash: kill -9 at random moments of a session; no version that a prompt acknowledged may be lost, no file unreadable.
# Usage: crash.sh LATHE [COUNT [SEED]]        10 kills, seed 1
set -eu
. "$(dirname "$0")/alone.sh"
count=${2:-10} seed=${3:-1}
program=$PWD/tests/programs/dot.fun
autosave=$scratch/state/lathe/autosave
cd "$scratch"
lost() { fail "run $run, killed after $delay s: $*"; }

# A session of some 280 commands: steps, branches, parameters, tags, a rule, an alias, and saving again and again.
awk -v program="$program" 'BEGIN {
    print "load " program
    print "data N = 4096"
    print "rule half: map f x => join (map (map f) (split 2 x)) when 2 divides (length x)"
    print "alias back = goto @"
    for (i = 1; i <= 30; i++) {
        print "goto @0"
        print "apply splitJoin at /in as a" i
        print "cd /in/in"
        print "param s0 = " 2 ^ (i % 5 + 1)
        print "undo"
        print (i % 3 ? "apply half at /in/in" : "apply reducePartIntro * topdown(reducePartToReduce) at /")
        print (i == 1 ? "save dot.session" : "save")
        if (i % 4 == 0) print "tag -d a" i
        print "apply topdown(mapSeq) at /"
    }
    for (i = 1; i <= 12; i++) print "apply topdown(mapSeq) at /"
}' >typed

# start: lathe with the commands before it; each answers with a line that names the version it led to and its hash.
start() {
    rm -rf "$autosave" dot.session log
    "$lathe" --json --keep-going --no-init --set autosave=on --set times=off <in >log 2>err &
    pid=$!
    exec 3>in
    cat typed >&3
}
stop() {
    kill -9 "$pid"
    wait "$pid" 2>/dev/null || true
    exec 3>&-
}

# versions: "NUMBER HASH" of each answer
versions() { sed -n 's/.*"version":\([0-9]*\),"hash":"\([0-9a-f]*\)".*/\1 \2/p'; }

# holds FILE WANTED: the session in FILE opens whole, and has all these versions
holds() {
    awk -v file="$1" 'BEGIN { print "open " file } { print "goto @" $1 }' "$2" | "$lathe" --json --no-init >again 2>&1 ||
        { lost "$1: $(grep -v '"ok":true' again)"; return; }
    tail -n +2 again | versions | sort -u | diff - "$2" >differ || lost "$1: other versions: $(cat differ)"
}

run=0 bad=0 delay=-
mkfifo in
start
begin=$(date +%s%N)
while [ "$(wc -l <log)" -lt "$(wc -l <typed)" ]; do sleep 0.02; done
span=$(( ($(date +%s%N) - begin) / 1000000 ))
stop

while [ $run -lt "$count" ]; do
    run=$((run + 1))
    delay=$(awk -v seed=$((seed * 1000 + run)) -v span=$span 'BEGIN { srand(seed); printf "%.3f", rand() * span / 1000 }')
    start
    sleep "$delay"
    stop
    # An answer is acknowledged once the next one is there: the autosave is written in between. The last line may be torn.
    grep '}$' log | sed '$d' | versions | sort -u >all
    grep -v '^0 ' all >acknowledged || true
    kept=$(ls "$autosave" 2>/dev/null | grep -v tmp || true)
    if [ -s acknowledged ] && [ -z "$kept" ]; then lost "there is no autosave"; fi
    for file in $kept; do holds "$autosave/$file" acknowledged; done
    : >none
    [ ! -e dot.session ] || holds dot.session none
    [ ! -s err ] || lost "$(cat err)"
    total=$((${total:-0} + $(wc -l <acknowledged)))
done
[ "${total:-0}" -gt 0 ] || fail "no version was ever acknowledged"
echo "crash: $run kills within $span ms, $total acknowledged versions, all kept: $([ $bad -eq 0 ] && echo yes || echo NO)"
exit $bad
