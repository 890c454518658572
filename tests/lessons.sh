#!/bin/sh
# lessons: every lesson is well made (`lesson test`); a lesson goes on after kill -9; the user's own session is untouched.
# Usage: lessons.sh LATHE [all|part]      part: two of the lessons
set -eu
. "$(dirname "$0")/alone.sh"
export LATHE_LESSONS="$PWD/tests/lessons"

case ${2:-all} in
all) tested='lesson test' ;;
*) tested='lesson test reductions; lesson test naming' ;;
esac
LATHE_LESSONS="$PWD/scripts/lessons" "$lathe" -e "$tested" >"$scratch/out" 2>&1 || fail "$(grep -v '^  ok' "$scratch/out")"
"$lathe" -e 'lesson test goals' >"$scratch/out" 2>&1 || fail "goals: $(cat "$scratch/out")"
"$lathe" --restricted -e 'lesson test small' >"$scratch/out" 2>&1 || fail "restricted: $(cat "$scratch/out")"

# A student's session, one line after the other; each is answered before the next. The last one is killed.
program=$PWD/tests/programs/dot.fun
cd "$scratch"
mkfifo in
"$lathe" --json --no-init --set autosave=on --set times=off <in >log 2>err &
pid=$!
exec 3>in
answered=0
type() {
    echo "$1" >&3
    answered=$((answered + 1))
    for i in $(seq 1 100); do
        [ "$(grep -c '"seq":' log)" -ge "$answered" ] && return
        sleep 0.1
    done
    fail "no answer to $1"
}
type "load $program"
type "apply splitJoin(8) at /in as own"
type "lesson small"
type "apply splitJoin(16) at /in"
type "lesson next"
type "lesson check 64"
type "lesson hint"
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
exec 3>&-
grep -q '"event":"goal"' log || fail "no event says that the goal is reached: $(cat log)"

"$lathe" -e 'lesson small' -e 'log' >again 2>&1 || fail "it does not go on: $(cat again)"
grep -q '^going on where it was left: 2 of 4$' again || fail "progress is lost: $(cat again)"
grep -q '^\* @1  splitJoin(16)  at /in' again || fail "its versions are lost: $(cat again)"
own=$(ls state/lathe/autosave/*)
"$lathe" -e "open $own" -e 'goto @own' -e 'list tags' >again 2>&1 || fail "the user's own session is lost: $(cat again)"
grep -q 'own  *@1  splitJoin(8)' again || fail "it is not what it was: $(cat again)"

# What a lesson does is nowhere in the session that it interrupts.
cat >typed <<END
load $program
apply splitJoin(8) at /in
mark chunks /in
cd /in
set seeds 2
macro twice(n) = splitJoin(n) * splitJoin(n)
alias here = info /
END
"$lathe" -f typed -e 'save plain.session' >/dev/null
"$lathe" -f typed -e 'lesson small' -e 'lesson reset all' -e 'apply splitJoin(16) at /in' -e 'set seeds 9' -e 'alias here = log' \
    -e 'rule mine: map f x => map f x' -e 'macro twice(n) = splitJoin(n)' -e 'lua x = 1' -e 'tag t' -e 'lesson leave' \
    -e 'save lesson.session' >/dev/null
cmp -s plain.session lesson.session || fail "a lesson changes the session: $(diff plain.session lesson.session)"

# Hints that were shown may be gone from the lesson since.
mkdir less
cp -r "$LATHE_LESSONS/small" less/small
hint() { LATHE_LESSONS=$scratch/less XDG_STATE_HOME=$scratch/less "$lathe" "$@" >again 2>&1 || fail "hints: $(cat again)"; }
hint -e 'lesson small' -e 'lesson reset all' -e 'lesson hint' -e 'lesson hint' -e 'lesson hint'
grep -q 'hint 3 of 3' again || fail "no three hints: $(cat again)"
sed -i '/^```hint$/,/^```$/d' less/small/lesson.md
hint -e 'lesson small' -e 'lesson hint' -e lesson
grep -q 'from @0 to the goal: apply splitJoin at /in' again || fail "hints that are gone: $(cat again)"

# A damaged file of progress is no end of the lesson.
sed -i 's/^step /stop /' state/lathe/lessons/small.session
"$lathe" -e 'lesson small' -e 'lesson show' >again 2>&1 || fail "a damaged file: $(cat again)"
[ -e state/lathe/lessons/small.session.damaged ] || fail "the damaged file is gone"
exit $bad
