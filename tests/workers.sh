#!/bin/sh
# workers: a search spread over several workers: each candidate once, in the order of one worker; a worker that is lost is named and its candidates
# go to another (tests/unit/test_search.c has one at which a second is lost); what is known of one worker is known of all; two kinds of devices have a
# search each. By a script in place of ssh. Usage: workers.sh LATHE
set -eu
. "$(dirname "$0")/alone.sh"
program=$PWD/tests/programs/scal.fun
cd "$scratch"
"$lathe" --no-init -e 'device pocl0' >/dev/null 2>&1 || skip "no PoCL"

# ---- places: "a" "b" ... are this machine; a place in the folder `dying` is lost at its second launch of a worker for the search ----
mkdir dying dead
cat >ssh <<E2
#!/bin/sh
host=\$1
shift
[ ! -e "$scratch/dead/\$host" ] || { echo "connect to host \$host port 22: No route to host" >&2; exit 255; }
if [ -e "$scratch/dying/\$host" ]; then
    [ -e "$scratch/dying/\$host.listed" ] || { : >"$scratch/dying/\$host.listed"; exec "\$@"; }
    LATHE_WORKER_WAIT=50 "\$@" <&0 &
    sleep 1.5
    : >"$scratch/dead/\$host"
    kill -9 \$!
    exit 255
fi
exec "\$@"
E2
chmod +x ssh
cat >search.lathe <<E2
load $program
data N = 4096
set trials 2
apply splitJoin
apply splitJoin at /in/f/body
lower
E2
search() { # NAME DEVICES MORE: out NAME.out, events NAME.json
    name=$1 devices=$2
    shift 2
    timeout 300 "$lathe" --json --no-init --results "$scratch/$name.db" -e "set launcher \"$scratch/ssh %h\"" -f search.lathe \
        -e "search params using random $* --devices $devices" >"$name.json" 2>"$name.err"
}
# Of the trials of a search, a line each: number, point, state, and what else is asked for.
trials() { grep '"event": *"trial"' "$1.json" | python3 -c '
import json, sys
for line in sys.stdin:
    t = json.loads(line)
    print(t["n"], t["point"], *[t.get(k) for k in sys.argv[1:]])' "${2:-state}" ${3:+"$3"}; }

# ---- each candidate once, numbered as by one worker; both work; one history, one store ----
search one pocl0@a --budget 40 || fail "one: $(cat one.err)"
search two pocl0@a,pocl0@b --budget 40 || fail "two: $(cat two.err)"
trials one >one.trials
trials two >two.trials
[ "$(wc -l <two.trials)" -ge 40 ] || fail "two: $(wc -l <two.trials) trials"
cmp -s one.trials two.trials || fail "two workers try other candidates than one: $(diff one.trials two.trials | head -4)"
for place in a b; do trials two device | grep "pocl0@$place" >/dev/null || fail "two: pocl0@$place has nothing to do"; done
count=$("$lathe" --no-init --results two.db -e 'results --all state=ok --format tsv' 2>/dev/null | grep -c random || true)
[ "$count" -eq 40 ] || fail "two: the store has $count results of the search"

# ---- what several workers recorded is one journal, without a device too ----
"$lathe" --no-init --results two.db -e 'results --all --format tsv -o two.tsv' >/dev/null 2>&1
{ cat search.lathe; echo 'search params using random --budget 40 --replay two.tsv'; } >replay.lathe
OCL_ICD_VENDORS=/nonexistent "$lathe" --json --no-init -f replay.lathe >replay.json 2>&1 || fail "replay: $(tail -1 replay.json)"
trials replay | cmp -s - two.trials || fail "replay: other trials: $(trials replay | diff - two.trials | head -4)"

# ---- a search of one worker goes on by others: what one knows all know ----
search one pocl0@c,pocl0@d,pocl0@a --budget 40 || fail "known: $(cat one.err)"
trials one known | grep -v 'True$' >/dev/null && fail "known: measured again: $(trials one known | grep -v 'True$' | head -2)"

# ---- several workers of one device ----
search times 'pocl0@a*3' --budget 20 || fail "*3: $(cat times.err)"
[ "$(trials times | wc -l)" -ge 20 ] || fail "*3: $(trials times | wc -l) trials"
! search twice pocl0@a,pocl0@a --budget 20 || fail "named twice"
grep -q 'pocl0@a is named twice' twice.json twice.err || fail "named twice: $(cat twice.json)"

# ---- a lost worker: it is named, its candidates go to the other, and none is held against them ----
: >dying/e
search lost pocl0@a,pocl0@e --budget 60 || fail "lost: $(cat lost.err)"
[ -e dead/e ] || fail "lost: pocl0@e was not lost"
grep -q '"event": *"lost"' lost.json || fail "lost: nothing is said"
grep '"event": *"lost"' lost.json | grep -q 'pocl0@e.*No route to host' || fail "lost: the host is not named: $(grep '"lost"' lost.json)"
trials lost | grep -v ' ok$' && fail "lost: candidates suffer"
[ "$(trials lost | awk '!seen[$1]++' | wc -l)" -eq "$(trials lost | wc -l)" ] || fail "lost: a number twice"
search whole pocl0@b --budget 60 || fail "whole: $(cat whole.err)"
trials whole >whole.trials
trials lost | cmp -s - whole.trials || fail "lost: other candidates: $(trials lost | diff - whole.trials | head -4)"

# ---- all are lost: the search ends, and says so; what was done is kept ----
: >dying/f; : >dying/g
search all pocl0@f,pocl0@g --budget 91 && fail "all lost: no error"
grep -q 'E62' all.json all.err || fail "all lost: $(tail -3 all.json)"
grep -q 'no device is left of 2' all.json all.err || fail "all lost: $(tail -3 all.json)"

# ---- other kinds of devices: a search each ----
if "$lathe" --no-init -e 'device oclgrind' >/dev/null 2>&1; then
    search kinds pocl0@a,oclgrind,pocl0@b --budget 6 || fail "kinds: $(cat kinds.err)"
    python3 - <<'E3' || fail "kinds: $(tail -1 kinds.json)"
import json
reports = [json.loads(l) for l in open("kinds.json") if '"devices"' in l][-1]["data"]["devices"]
assert [r["device"] for r in reports] == ["pocl0@a,pocl0@b", "oclgrind"], [r["device"] for r in reports]
assert all(r["evaluations"] == 6 for r in reports)
E3
fi

# ---- a dead one is said before anything is tried ----
: >dead/h
! search dead pocl0@a,pocl0@h --budget 20 || fail "a dead host is taken"
grep -q 'No route to host' dead.json dead.err || fail "dead: $(cat dead.json)"
[ $bad -eq 0 ] && echo "workers: each candidate once, in one order; lost workers are named, and their candidates go to others"
exit $bad
