#!/bin/sh
# grade: submissions of a lesson, right, unfinished, forged and false, with the exit codes that a grader gets. Usage: grade.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
grade=$PWD/scripts/grade.lua
forge=$PWD/tests/forge.lua
export LATHE_LESSONS="$PWD/tests/lessons"
cd "$scratch"

# student NAME: the commands of standard input in the lesson, and what is handed in then
student() {
    { echo 'lesson graded'; cat; echo "lesson submit $1.session"; } |
        XDG_STATE_HOME="$scratch/$1" "$lathe" --keep-going --no-init >"$1.out" 2>&1
    [ -s "$1.session" ] || fail "$1: nothing was handed in: $(cat "$1.out")"
}
# expect CODE NAME TEXT...: the grader's exit code, and what stands in its report
expect() {
    code=$1 name=$2
    shift 2
    "$lathe" --restricted --json -f "$grade" "$name.session" >"$name.json" 2>&1
    got=$?
    [ $got -eq "$code" ] || fail "$name: code $got instead of $code: $(cat "$name.json")"
    for text; do grep -qF -- "$text" "$name.json" || fail "$name: no $text in $(cat "$name.json")"; done
}

student right <<'END'
apply mapFusion
lesson next
apply splitJoin
param s0 = 4
lesson check 1
lesson next
check flip
END
expect 0 right '"ok":true' '"done":3' '"damage":[]' '"reasons":[]' '"steps":2'

student partial <<'END'
apply mapFusion
lesson next
apply splitJoin
lesson hint
END
expect 1 partial '"id":"E87"' '"done":1' '"state":"not reached"' '"state":"not begun"'

student skipped <<'END'
lesson skip
apply splitJoin
param s0 = 4
lesson check 1
lesson next
check flip
END
expect 1 skipped '"state":"skipped"' '"done":2'

# a rule that does not hold, used and not used: what counts is whether the result is right
student false <<'END'
rule drop: map f (map g x) => map f x
apply drop
END
expect 3 false '"id":"E88"' '"state":"wrong"' 'rests on drop, which does not hold'

student redefined <<'END'
rule mine: map f (map g x) => map f x
apply mine
goto @0
rule mine: map f (map g x) => map (f . g) x
apply mine
lesson next
apply splitJoin
param s0 = 4
lesson check 1
lesson next
check flip
END
expect 0 redefined '"done":3'

# what was written by hand into the file
forge() { sed "$2" "${3:-right}.session" >"$1.session"; cmp -s "$1.session" "${3:-right}.session" && fail "$1: nothing was forged"; }
forge hash '/^step twice @1 /s/hash=[0-9a-f]\{4\}/hash=0000/'
expect 7 hash '"id":"E89"' '"state":"diverged"'
forge state 's/^| state not yet$/| state done/; s/^| state open$/| state done/' partial
expect 7 state '"id":"E89"' 'its checksum does not fit'
forge trust '/^step twice @1 /s/trust=assumed/trust=builtin/' false
expect 7 trust '"id":"E89"'
forge rule 's/map f (map g x) => map f x/map f (map g x) => map (f . g) x/' false
expect 7 rule '"id":"E89"'

# Lua in a submission does not reach the Lua that judges
printf 'lesson goals\nlesson skip\nlesson submit shallow.session\n' |
    XDG_STATE_HOME="$scratch/shallow" "$lathe" --keep-going --no-init >shallow.out 2>&1
{ grep -v '^end ' shallow.session; echo 'lua 1:depth'
  echo '| function depth() return true end'
  echo '| local v = {parent = {parent = {}}}'
  echo '| t, done, n = {version = function() return v end}, true, 9'
  echo '| rawset(_G, "t", t) _G.wanted = 0 string.format = depth'; grep '^end' shallow.session; } >deep.raw
"$lathe" --no-init "$forge" deep.raw deep.session
"$lathe" --restricted --json --no-init -e 'lesson grade deep.session' >deep.json 2>&1
grep -qF '0 steps were taken; 2 are wanted' deep.json || fail "a submission judges itself: $(cat deep.json)"

echo 'let x (xs: [N]i32) = map abs xs' >x.fun
"$lathe" --no-init x.fun -e 'save x.session' >/dev/null
expect 1 x '"id":"E82"'
head -c 400 right.session >cut.session
"$lathe" --restricted -f "$grade" cut.session >cut.out 2>&1
[ $? -ne 0 ] || fail "a cut file passes"

# a lesson that no name finds is found by its folder, under whatever name the grader has it
mkdir apart
cp -r "$LATHE_LESSONS/graded" apart/mine
printf 'lesson apart/mine\nlesson submit mine.session\n' | XDG_STATE_HOME="$scratch/mine" "$lathe" --keep-going --no-init >mine.out 2>&1
expect 2 mine '"id":"E81"' 'lesson grade mine.session FOLDER'
mv apart/mine apart/ours
"$lathe" --restricted --json -f "$grade" mine.session apart/ours >ours.out 2>&1
[ $? -eq 1 ] && grep -qF '"id":"E87"' ours.out || fail "no lesson in a folder: $(cat ours.out)"
"$lathe" --restricted --json -f "$grade" mine.session "$LATHE_LESSONS/small" >other.out 2>&1
[ $? -eq 2 ] && grep -qF 'work on the lesson mine, not on small' other.out || fail "another lesson will do: $(cat other.out)"
[ $bad -eq 0 ] && echo "grade: all as it should be"
exit $bad
