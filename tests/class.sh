#!/bin/sh
# class: the submissions of a class as a table, as CSV and as a page: right, unfinished, wrong, forged, copied, late. Usage: class.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
forge=$PWD/tests/forge.lua
export LATHE_LESSONS="$PWD/tests/lessons"
given=$LATHE_LESSONS
cd "$scratch"
mkdir class

# student NAME: the commands of standard input in the lesson, and what is handed in then
student() {
    { echo 'lesson graded'; cat; echo "lesson submit class/$1.session"; } |
        XDG_STATE_HOME="$scratch/$1" "$lathe" --keep-going --no-init >"$1.out" 2>&1
    [ -s "class/$1.session" ] || fail "$1: nothing was handed in: $(cat "$1.out")"
}
# second STEPS: the other parts done, the second one in these steps
second() { printf 'apply mapFusion\nlesson next\n%s\nlesson check 3\nlesson check 1\nlesson next\ncheck flip\n' "$1"; }

second 'apply splitJoin ; param s0 = 4' | student anna
second 'apply splitJoin ; param s0 = 4' | student berta
second 'apply splitJoin ; param s0 = 8 ; undo ; param s0 = 2 ; param s0 = 4' | student carla
second 'apply splitJoin ; param s0 = 2 ; param s0 = 4' | student dora
second 'apply splitJoin ; param s0 = 8 ; param s0 = 4' | student emil
printf 'apply mapFusion\nlesson next\nlesson hint\nlesson check 7\n' | student fritz
printf 'rule drop: map f (map g x) => map f x\napply drop\n' | student gerd
sed '/^step twice @1 /s/hash=[0-9a-f]\{4\}/hash=0000/' class/anna.session >class/hans.session
sed '/^lesson graded/,$s/^| parts .*/| parts 1/' class/anna.session >class/jan.session
head -c 900 class/anna.session >class/karl.session
echo nonsense >class/ida.session
echo text >class/lea.docx
touch -d '2026-01-02 12:00' class/*.session
touch -d '2026-01-03 09:30' class/berta.session

"$lathe" --no-init -e 'lesson grade class --csv class.csv --page class.html --deadline "2026-01-02 23:59"' >table 2>&1 || fail "code $?: $(cat table)"
# shows TEXT...: a line of the table, but for the space in it, begins so
shows() { for text; do sed 's/  */ /g' table | grep -q -- "^ $text" || fail "no '$text' in $(cat table)"; done; }
shows 'anna done 30/30 3/3 0 1$' 'berta done 30/30 3/3 0 1 late$' 'carla done 28/30' 'the same: part 2 as dora$' 'the same: part 2 as carla$' 'emil done 28/30' \
    'fritz unfinished 10/30 1/3 0 1' 'gerd wrong 0/30 0/3' 'hans forged 0/30' 'jan forged 0/30' 'karl forged 0/30' 'ida unreadable 0/30' 'lea.docx is not graded' '1 Fuse 6 6 2 0 0' '2 Go on 5 2 1 0 7: 3 (6 times), 7'
[ "$(grep -c 'the same' table)" -eq 2 ] || fail "others did the same: $(cat table)"
[ "$(wc -l <class.csv)" -eq 12 ] && grep -q '^carla,done,28,30,3,,2026-01-02 12:00,0,1,part 2 as dora,,done in 1 (par 1),done in 3 (par 2),done' class.csv ||
    fail "as CSV: $(cat class.csv)"
grep -q '<td>gerd</td><td>wrong</td>.*computes something else' class.html || fail "as a page: $(cat class.html)"
"$lathe" --no-init -e 'lesson grade class --points 1' | grep -q 'anna .* 3/3 ' || fail "points are not counted"

# the lesson's own two steps the other way round are no sign: who takes both has one of two orders
mkdir -p lessons/pairs pairs
cat >lessons/pairs/lesson.md <<'END'
# Pairs

Two.

## Two results

Leave one map in each.

```load
let both (xs: [N]f32) (ys: [N]f32) = (map (\x -> x + 1) (map (\x -> x * 2) xs), map (\y -> y - 1) (map abs ys))
```
```goal
no map _ (map _ _)
```
```solution
apply mapFusion at /0
apply mapFusion at /1
```
END
export LATHE_LESSONS="$scratch/lessons"
pair() {
    { echo 'lesson pairs'; cat; echo "lesson submit pairs/$1.session"; } | XDG_STATE_HOME="$scratch/pair-$1" "$lathe" --keep-going --no-init >"$1.out" 2>&1
}
for name in mona nora; do printf 'apply mapFusion at /1\napply mapFusion at /0\n' | pair $name; done
for name in olga pina; do printf 'apply mapFusion at /1\napply splitJoin(4) at /1\napply mapFusion at /0\n' | pair $name; done
printf 'apply mapFusion at /1\napply splitJoin(8) at /1\napply mapFusion at /0\n' | pair rosa
printf 'apply mapFusion at /1\napply mapFusion at /0\napply splitJoin(4) at /1\n' | pair sara
"$lathe" --no-init -e 'lesson grade pairs' >table 2>&1 || fail "pairs: $(cat table)"
shows 'the same: part 1 as pina$' 'the same: part 1 as olga$'
[ "$(grep -c 'the same' table)" -eq 2 ] || fail "an order is taken for a copy: $(cat table)"
export LATHE_LESSONS="$given"
for wrong in '--deadline soon' '--points many'; do
    "$lathe" --no-init -e "lesson grade class $wrong" >out 2>&1 && fail "$wrong passes"
    grep -q '^E05' out || fail "$wrong: $(cat out)"
done
[ "$bad" -eq 0 ] && echo "class: all as it should be"
exit "$bad"
