#!/bin/sh
# search: the same search from the prompt, from Lua and in batch gives the same trials; a search that was ended by Ctrl-C or kill -9
# goes on where it was, without repeating or losing a trial. Usage: search.sh LATHE all|part
# part: without `search` alone, the best again and most of --replay, for the sanitizers, which see these in search.t and workers.sh.
set -eu
. "$(dirname "$0")/alone.sh"
program=$PWD/tests/programs/scal.fun
cd "$scratch"

cat >head <<END
load $program
data N = 4096
set trials 1
apply splitJoin
apply splitJoin at /in/f/body
lower
END
"$lathe" device 2>/dev/null </dev/null || true
{ cat head; echo 'param s0 = 4 ; param s1 = 1 ; run'; } | XDG_STATE_HOME="$scratch/probe" "$lathe" --no-init >probe 2>&1 || {
    grep -q E60 probe && skip "no device"
    cat probe
    exit 1
}

# journal STATE: order, points and states of the trials that were recorded, each point once; the best, measured again, are runs
journal() {
    printf 'load %s\nresults --all --sort trial --format tsv\n' "$program" | XDG_STATE_HOME="$scratch/$1" "$lathe" --no-init 2>/dev/null |
        awk -F'\t' '/^$/ { next } !named && /\tstate/ { for (i = 1; i <= NF; i++) at[$i] = i; named = 1; next }
                    named && $at["trial"] != "" { print $at["trial"] "\t" $at["params"] "\t" $at["state"] }'
}

# ---- three ways, one journal ----
search='search params using genetic --budget 40 --set population=8'
cp head batch && echo "$search" >>batch
XDG_STATE_HOME="$scratch/batch.d" "$lathe" --no-init -f batch >out.batch 2>&1 || fail "batch: $(cat out.batch)"
{ cat head; echo 'search params using genetic --budget 16 --set population=8'; } | XDG_STATE_HOME="$scratch/prompt.d" "$lathe" --no-init >out.prompt 2>&1 || fail "prompt: $(cat out.prompt)"
{ cat head; echo 'lua t.search{what = "params", using = "genetic", budget = 16, set = {population = 8}}'; } >lua
XDG_STATE_HOME="$scratch/lua.d" "$lathe" --no-init -f lua >out.lua 2>&1 || fail "lua: $(cat out.lua)"
for way in batch prompt lua; do journal $way.d | head -8 >journal.$way; done
[ "$(wc -l <journal.batch)" -eq 8 ] || fail "the journal has $(wc -l <journal.batch) lines"
diff journal.batch journal.prompt || fail "batch and prompt differ"
diff journal.batch journal.lua || fail "batch and Lua differ"

# ---- a journal is gone through again without a device: the same trials, then what was recorded ends it ----
points() { sed -n 's/.*"event":"trial".*"n":\([0-9]*\).*"point":"\([^"]*\)".*"state":"\([^"]*\)".*/\1 \2 \3/p' "$1"; }
XDG_STATE_HOME="$scratch/batch.d" "$lathe" --no-init -e "load $program" -e 'results --all --format tsv -o journal.tsv' -e 'results --all --format t4 -o journal.json' >out.journal 2>&1 ||
    fail "journal: $(cat out.journal)"
for device in pocl0 none; do
    [ $device = none ] && export OCL_ICD_VENDORS=/nonexistent
    more=$([ $device = none ] && echo '--replay journal.tsv' || true)
    { cat head; echo "$search --all $more"; } | XDG_STATE_HOME="$scratch/batch.d" "$lathe" --json --no-init >again.$device 2>&1 || fail "again by $device: $(tail -1 again.$device)"
    points again.$device >points.$device
done
[ "$(wc -l <points.none)" -ge 40 ] || fail "replay: $(wc -l <points.none) trials"
diff points.pocl0 points.none || fail "a journal without a device gives other trials"
{ cat head; echo 'search params using random --budget 91 --replay journal.tsv'; } >more && XDG_STATE_HOME="$scratch/none.d" "$lathe" --no-init -f more >out.more 2>&1 ||
    fail "replay of another strategy: $(cat out.more)"
grep -q 'was not recorded: s0=' out.more || fail "a replay does not say where the journal ends: $(tail -3 out.more)"
grep -q 'E03\|E05' out.more && fail "replay: $(cat out.more)"
unset OCL_ICD_VENDORS

# ---- kill -9, then again ----
{ cat head; echo 'search params using random --budget 30'; } >whole
XDG_STATE_HOME="$scratch/whole.d" "$lathe" --no-init -f whole >/dev/null 2>&1
journal whole.d >journal.whole
[ "$(wc -l <journal.whole)" -eq 30 ] || fail "30 trials, not $(wc -l <journal.whole)"
for signal in KILL INT; do
    state=$signal.d
    : >events                            # the process beside this one may open it late
    XDG_STATE_HOME="$scratch/$state" "$lathe" --json --no-init -f whole >events 2>&1 &
    pid=$!
    while [ "$(grep -c '"event":"trial"' events)" -lt 9 ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
    kill -$signal $pid 2>/dev/null || true
    code=0
    wait $pid 2>/dev/null || code=$?
    if [ $signal = INT ]; then           # it says what it did, and is no error of its own
        [ $code -eq 130 ] || fail "INT: code $code"
        grep '"verb":"search","ok":true' events | grep '"evaluations":[1-9]' | grep -q '"reason":"stopped"' || fail "INT: no report: $(tail -1 events)"
        ! grep -q '"id":"E25"' events || fail "INT: E25"
    fi
    before=$(journal $state | grep -c -v -e died -e stopped || true)
    [ "$before" -ge 9 ] && [ "$before" -lt 30 ] || fail "$signal: $before trials before: $(tail -3 events)"
    XDG_STATE_HOME="$scratch/$state" "$lathe" --no-init -f whole >out.again 2>&1 || fail "$signal: $(cat out.again)"
    grep -q "$before known before" out.again || fail "$signal: not $before known: $(cat out.again)"
    journal $state | grep -v -e died -e stopped >journal.$signal
    diff journal.whole journal.$signal || fail "$signal: trials were lost or repeated"
done

# ---- killed while it ran: tried once more, by run as by search; a second time it is a culprit ----
sed s/4096/1048576/ head >wide
{ cat wide; echo 'param s0 = 4 ; param s1 = 1'; } >bound
one='search params using exhaustive --set from=4 --budget 1'             # the same point
culprit() { XDG_STATE_HOME="$scratch/culprit.d" "$lathe" --no-init "$@"; }
left() { culprit -e 'results --all state=running' 2>/dev/null | grep -c running; }
kill_running() {
    XDG_STATE_HOME="$scratch/culprit.d" "$lathe" --no-init -f slow >out.slow 2>&1 &
    pid=$!
    while [ "$(left)" -eq 0 ]; do
        kill -0 $pid 2>/dev/null || { fail "$1 ended: $(tail -3 out.slow)"; return; }
        sleep 0.05
    done
    kill -KILL $pid
    wait $pid 2>/dev/null || true
}
{ cat bound; echo 'run -n 10000'; } >slow
kill_running run
{ cat wide; echo "$one"; } >again
culprit -f again >out.once 2>&1 || fail "after one kill: $(cat out.once)"
grep -q 's0=4 s1=1 .* [um]s$' out.once || fail "search does not try once more what was killed: $(cat out.once)"
culprit -e 'results --all --forget' >/dev/null 2>&1 || true
kill_running run
{ cat wide; echo 'set trials 10000'; echo "$one"; } >slow
kill_running search
culprit -f again >out.twice 2>&1 && fail "search runs what was killed twice: $(cat out.twice)"
grep -q 's0=4 s1=1 .*died: lathe ended while it was running, once more   known' out.twice || fail "search does not name it: $(cat out.twice)"
grep -q '1 died or did not end before and was not run again: --force' out.twice || fail "search does not say how: $(cat out.twice)"
{ cat bound; echo run; } >again
culprit -f again >out.twice 2>&1 && fail "run runs what was killed twice: $(cat out.twice)"
grep -q 'was not run: it died before' out.twice || fail "run does not say so: $(cat out.twice)"
{ cat wide; echo "$one --force"; } >again
culprit -f again >out.force 2>&1 || fail "--force does not try it: $(cat out.force)"

# ---- several devices at once: each has its own trials ----
devices=$("$lathe" --no-init -e device | sed -n 's/^[* ]* [0-9]  \([a-z0-9]*\) .*/\1/p' | head -2 | paste -sd,)
case $devices in
*,*)
    { cat head; echo "search params using random --budget 5 --devices $devices"; } >several
    XDG_STATE_HOME="$scratch/several.d" "$lathe" --no-init -f several >out.several 2>&1 || fail "devices: $(cat out.several)"
    [ "$(journal several.d | sort | uniq -c | grep -c '^ *2 ')" -eq 5 ] || fail "5 trials on each of $devices: $(journal several.d)"
    [ "$(grep -c '5 of 91 tried: 5 ok' out.several)" -eq 2 ] || fail "not all ok on $devices: $(cat out.several)"

    { cat head; echo "search params using random --budget 2 --devices $devices"; } >memory
    "$lathe" --no-init --results /proc/nowhere/results.db -f memory >out.memory 2>&1 || fail "in memory: $(cat out.memory)"
    grep -q 'one device after the other, for results are kept in memory' out.memory || fail "in memory: not said: $(cat out.memory)"
    [ "$(grep -c '2 of 91 tried: 2 ok' out.memory)" -eq 2 ] || fail "in memory: $(cat out.memory)"

    case $devices in
    *oclgrind*)                          # what is only checked is valid, too
        { cat head; echo 'device oclgrind'; echo 'search params using random --budget 2'; } >checked
        "$lathe" --no-init --results "$scratch/checked.db" -f checked >out.checked 2>&1 || fail "checked: $(cat out.checked)"
        grep -q '2 of 91 tried: 2 ok' out.checked || fail "checked: $(cat out.checked)"
        grep -q 'nothing is timed on oclgrind' out.checked || fail "checked: not said: $(cat out.checked)"
        ;;
    esac

    # Ctrl-C: all end after their trials, and say what they did
    { cat head; echo "search params using random --budget 91 --devices $devices"; } >ended
    rm -f ended.db*
    "$lathe" --no-init --results "$scratch/ended.db" -f ended >out.ended 2>&1 &
    pid=$!
    ended() { "$lathe" --no-init --results "$scratch/ended.db" -e "load $program" -e 'results --all --format tsv' 2>/dev/null | wc -l; }
    while [ "$(ended)" -lt 12 ] && kill -0 $pid 2>/dev/null; do sleep 0.1; done
    kill -INT $pid 2>/dev/null || true
    code=0
    wait $pid || code=$?
    [ $code -eq 130 ] || fail "INT on several devices: code $code: $(cat out.ended)"
    [ "$(grep -c 'stopped; `search` goes on' out.ended)" -eq 2 ] || fail "INT on several devices: $(cat out.ended)"
    grep -q '[1-9][0-9]* of 91 tried: [1-9]' out.ended || fail "INT on several devices: no report: $(cat out.ended)"

    # one whose worker does not start is paused, the others go on
    cat >worker <<END
#!/bin/sh
[ -n "\$OCL_ICD_VENDORS" ] && [ -e "$scratch/broken" ] && exit 1
exec "$(dirname "$lathe")/lathe-worker" "\$@"
END
    chmod +x worker
    {
        echo 'device ; ! touch broken'
        cat head
        echo "search params using random --budget 6 --devices $devices"
        echo 'param s0 = 4 ; param s1 = 1 ; device oclgrind'
        printf 'run\nrun\nrun\nrun\ndevice\n'
    } >several
    case $devices in
    *oclgrind*)
        LATHE_WORKER="$scratch/worker" XDG_STATE_HOME="$scratch/paused.d" "$lathe" --no-init --keep-going -f several \
            >out.paused 2>&1 || true
        grep -q '6 of 91 tried: 6 ok' out.paused || fail "the other device did not go on: $(cat out.paused)"
        grep -q '3 of 91 tried: 3 failed' out.paused && grep -q 'stopped: the device is paused' out.paused || fail "no pause: $(cat out.paused)"
        grep -q 'W13 oclgrind is paused' out.paused && grep -q 'E62 oclgrind is paused' out.paused && grep -q 'checker, paused' out.paused ||
            fail "run goes on with what is paused: $(cat out.paused)"
        ;;
    esac
    ;;
esac

if [ "$2" = part ]; then exit $bad; fi

# ---- `search` alone, in another process: goes on with the last one ----
XDG_STATE_HOME="$scratch/alone.d"
export XDG_STATE_HOME
: >events
{ cat head; echo 'search params using random --budget 24 --keep 3'; } >one
"$lathe" --no-init -f one >/dev/null 2>&1
journal alone.d >journal.one
"$lathe" --no-init -e "load $program" -e 'results --all --forget' >/dev/null 2>&1
"$lathe" --json --no-init -f one >events 2>&1 &
pid=$!
while [ "$(grep -c '"event":"trial"' events)" -lt 7 ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
kill -KILL $pid 2>/dev/null || true
wait $pid 2>/dev/null || true
before=$(journal alone.d | grep -c -v -e died -e stopped || true)
[ "$before" -ge 7 ] && [ "$before" -lt "$(wc -l <journal.one)" ] || fail "alone: $before trials before: $(tail -3 events)"
{ cat head; echo 'goto @0'; echo search; } >alone
"$lathe" --no-init -f alone >out.alone 2>&1 || fail "alone: $(cat out.alone)"
grep -q 'search params using random of @3 on' out.alone || fail "alone: it is not the last search: $(cat out.alone)"
grep -q "$before known before" out.alone || fail "alone: not $before known: $(cat out.alone)"
journal alone.d | grep -v -e died -e stopped >journal.alone
diff journal.one journal.alone || fail "alone: trials were lost or repeated"
for line in 'data N = 2048' 'data xs = iota'; do
    { cat head; echo "$line"; echo search; } >alone
    "$lathe" --no-init -f alone >out.alone 2>&1 && fail "it goes on after $line: $(cat out.alone)"
    grep -q -e 'at other sizes' -e 'with other inputs' out.alone || fail "$line: $(cat out.alone)"
done
"$lathe" --no-init -e "load $program" -e 'data N = 4096' -e search >out.alone 2>&1 && fail "it goes on without the version: $(cat out.alone)"
grep -q 'needs   splitJoin{n=s0}; splitJoin{n=s1} at /in/f/body; lower' out.alone || fail "the version is not named: $(cat out.alone)"
{ cat head; echo 'search --budget 40'; } >alone
"$lathe" --no-init -f alone >out.alone 2>&1 || fail "with a larger budget: $(cat out.alone)"
grep -q '40 of 91 tried' out.alone || fail "with a larger budget: $(cat out.alone)"
unset XDG_STATE_HOME

# ---- the best is measured again, in turns with the next four, and the fastest of these is called best ----
{ cat head; echo 'search params using random --budget 8'; } >settled
"$lathe" --no-init --results "$scratch/settled.db" -f settled >out.settled 2>&1 || fail "settled: $(cat out.settled)"
awk '/the best again, in turns/ { on = 1; next }
     on && $1 == "best" { exit !(n == 5 && $2 == least) }
     on { n++; ns = $2 * ($3 == "ms" ? 1e6 : $3 == "us" ? 1e3 : 1); if (n == 1 || ns < low) { low = ns; least = $1 } }' out.settled ||
    fail "settled: $(cat out.settled)"
{ cat head; echo 'search params using random --budget 8 --keep 1'; } >settled
"$lathe" --no-init --results "$scratch/settled.db" -f settled >out.settled 2>&1 || fail "settled: $(cat out.settled)"
! grep -q 'again, in turns' out.settled || fail "one that is kept is measured again alone: $(cat out.settled)"

# ---- the same search again by what was recorded, without a device: the same trials; and what was not recorded is said ----
replay() { OCL_ICD_VENDORS=/nonexistent "$lathe" --no-init --json --results "$scratch/nothing.db" -f replay 2>/dev/null; }
trials_of() { sed -n 's/.*"verb":"search".*"trials":\(\[.*\]\).*/\1/p' "$1" | grep -o '"point":"[^"]*"\|"state":"[^"]*"\|"ns":[0-9]*'; }
climb='search params using climb --budget 12'
{ cat head; echo "$climb"; echo 'results --format tsv -o journal.tsv'; } >one
"$lathe" --no-init --json --results "$scratch/replay.db" -f one >out.one 2>&1 || fail "replay: $(cat out.one)"
{ cat head; echo "$climb --replay journal.tsv"; } >replay
replay >out.replay || fail "replay: $(tail -2 out.replay)"
trials_of out.one >trials.one
trials_of out.replay >trials.replay
[ "$(grep -c point trials.one)" -eq 12 ] || fail "replay: $(grep -c point trials.one) trials, not 12"
diff trials.one trials.replay || fail "replay: the trials differ"
{ cat head; echo "search params using climb --budget 30 --replay journal.tsv"; } >replay
replay >out.replay || fail "replay further: $(tail -2 out.replay)"
grep -q '"reason":"unrecorded"' out.replay || fail "replay further: $(tail -2 out.replay)"
{ sed s/4096/8192/ head; echo "$climb --replay journal.tsv"; } >replay
! replay >out.replay || fail "it replays at another size"
grep -q 'the recording has nothing at these sizes, N=8192' out.replay || fail "at another size: $(tail -2 out.replay)"

# of several structures, whose points are others on a GPU; kernels with sizes as arguments have times of their own
printf 'load %s\ndata N = 256, K = 256, M = 256\nset trials 1\n' "${program%/*}/mm.fun" >head
call='search params using random --budget 8 --call "gemmItems{mr=mr, nr=nr, w=4, u=u, gh=8, gw=8, image=image}" --choices "image=0,1 sizes=constant,argument"'
{ cat head; echo "$call"; echo 'results --format tsv -o calls.tsv'; } >one
"$lathe" --no-init --json --results "$scratch/replay.db" -f one >out.one 2>&1 || fail "replay of a call: $(cat out.one)"
{ cat head; echo "$call --replay calls.tsv"; } >replay
replay >out.replay || fail "replay of a call: $(tail -2 out.replay)"
trials_of out.one >trials.one
trials_of out.replay >trials.replay
[ "$(grep -c point trials.one)" -ge 8 ] || fail "a call: $(grep -c point trials.one) trials"
diff trials.one trials.replay || fail "replay of a call: the trials differ"

[ $bad -eq 0 ] && echo "search: the same trials from prompt, Lua and batch; nothing lost or repeated by kill -9 and Ctrl-C"
exit $bad
