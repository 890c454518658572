#!/bin/sh
# batch: exit codes, options and JSON of lathe without a terminal (batch.md). Usage: batch.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
dot=tests/programs/dot.fun

# code WANTED ARGUMENTS...: standard input is empty
code() {
    want=$1
    shift
    "$lathe" "$@" </dev/null >"$scratch/out" 2>"$scratch/err"
    got=$?
    [ $got -eq "$want" ] || { echo "batch: code $got, not $want: lathe $*"; cat "$scratch/err"; bad=1; }
}
# out PATTERN, err PATTERN: what the last command printed
out() { grep -q -- "$1" "$scratch/out" || fail "no '$1' on standard output"; }
err() { grep -q -- "$1" "$scratch/err" || fail "no '$1' on standard error"; }

code 0 --version; out '^lathe '
code 0 --help; out '--keep-going'
if "$lathe" -e 'device oclgrind' </dev/null >/dev/null 2>&1; then          # --device decides how to lower before anything ran there
    code 0 --device oclgrind tests/programs/asum.fun -e 'data N = 65536' -e lower -e show; out 'mapLocal 0'
    code 0 tests/programs/asum.fun -e 'data N = 65536' -e 'device oclgrind' -e lower -e show; out 'mapLocal 0'
fi
code 2 --bogus; err 'E05'
code 2 -e; err 'value is missing'
code 2 file.txt; err '.fun'
code 2 no_such.fun; err 'E06'
code 2 --set nosuch=1; err 'E02'
code 2 --set width=1; err 'E05'
code 2 --color=sometimes; err 'auto always never'
code 0 --seed=5 -e 'set seed'; out '5'
esc=$(printf '\033')
code 0 --color=always $dot -e show; out "$esc\\[36mreduce$esc\\[0m (+) 0 "
code 0 --color=always $dot -e 'data N = 64' -e lower -e 'undo 1' -e 'lower lowerSeq' -e code; out "^$esc\\[2m/\\* dot@"; out "^$esc\\[36mkernel$esc\\[0m "; out "^$esc\\[2m#pragma"
code 0 --color=always $dot -e 'show | cat'; out '^reduce (+) 0 '
code 0 $dot -e show; out '^reduce (+) 0 '
code 0 $dot -e show; out 'reduce'
code 1 $dot -e 'apply mapFusion' -e show; err 'E21'
[ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "a failure does not stop the rest"
code 1 --keep-going $dot -e 'apply mapFusion' -e show; out 'reduce'
code 2 --keep-going $dot -e bogus -e 'apply mapFusion'
code 1 -e show; err 'E10'
code 7 -e 'quit 7' -e show
code 0 -e 'check mapFusion --trials 20'; out 'holds on 20'
code 3 -e 'rule wrong: map f (map g x) => map (g . f) x' -e 'check wrong' -e show; err 'E31'; out '^eval'
code 1 -e 'rule lua: map f x => map f x when nice(f)' -e 'check lua'; err 'E32'
code 2 -e 'rule x: map f x => g'; err 'E30'
code 0 --json $dot -e 'rule same: reduce f z x => reduce f z x' -e 'rule loud: map f x => map f (map id x)' -e 'apply topdown(loud)'
out '"id":"W08","severity":"warning","message":"rule loud .*"try":\["check loud"\]'; out '"trust":"assumed"'
code 1 --set strict=on $dot -e 'rule loud: map f x => map f (map id x)' -e 'apply topdown(loud)'; err 'E26'
code 6 --device no_such_device $dot -e lower -e run; err 'E60'
code 1 $dot -e 'apply splitJoin at /in' -e eval; err 'E35'
code 1 $dot -e 'apply splitJoin(4) at /in' -e 'data N = 3' -e eval; err 'E36'
code 2 --restricted -e '!echo hello'; err 'restricted'
code 2 --restr -e '!echo hello'; err 'restricted'
code 2 --restricted -e 'let g (x: [N]f32) = mapGlobal 0 id x' -e 'code --source "kernel void g_k0() {}"'; err 'restricted'
code 0 -e 'let g (x: [N]f32) = mapGlobal 0 id x' -e 'code --source "kernel void g_k0() {}"' -e "save $scratch/code.session"
code 2 --restricted "$scratch/code.session" -e run; err 'edited by hand are not run'
code 2 --re -e help; err 'short for several'
code 2 --json=1 -e help; err 'no value belongs to --json'
code 2 --restricted -e "help > $scratch/file"; [ ! -e "$scratch/file" ] || fail "--restricted wrote a file"
code 0 -qe 'help' -- "$dot"
code 0 -q $dot -e 'data N = 4'; [ ! -s "$scratch/out" ] || fail "-q is not quiet"
code 0 -x $dot -e show; out '^+ show'

cat >"$scratch/a.lua" <<'END'
#!/usr/bin/env lathe
local file, n = ...
print(arg[0]:match("[^/]*$"), #arg, n)
assert(t.load(file))
local v = assert(t.apply("splitJoin(4)", {at = "/in"}))
print(v.n, t.show().type)
assert(t.apply("mapFusion"))
END
code 1 "$scratch/a.lua" $dot "two words"; out '^a.lua	2	two words$'; out '^1	f32$'; err '^E21'; err 'a.lua:7$'
code 2 --keep-going -f "$scratch/a.lua" -e show; err 'E05 which file'; err 'a.lua:4'; err 'E10'
code 0 $dot -e 'lua t.quit(0) error("not reached")' -e bogus
code 9 $dot -e 'lua os.exit(9)'
code 2 -e 'lua error("boom")'; err 'E24 lua:1: boom'
printf 'x = = 1\n' >"$scratch/b.lua"
code 2 "$scratch/b.lua"; err 'b.lua:1: unexpected symbol'
printf 'local function f(x) return x.y end\n\nf()\n' >"$scratch/c.lua"
code 2 "$scratch/c.lua"; err 'c.lua:1: attempt to index'
code 2 no_such.lua; err 'E06'
code 2 --restricted -e 'lua io.open("x")'; err 'io'
code 2 --restricted -e 'alias z = !echo hi' -e z; err restricted
code 2 --restricted $dot -e "search rules --generate --budget 1 -o $scratch/made"; err 'restricted'; [ ! -e "$scratch/made" ] || bad=1
code 0 $dot -e "search rules --generate --budget 1 -o $scratch/made"; [ "$(ls "$scratch/made" | wc -l)" -eq 1 ] || fail "--generate wrote no kernel"
code 0 -e 'lua here = 5 for k, v in pairs(_G) do print(k, v) end'; out '^here	5$'
for way in 'export md x' 'export script x' 'code --edit' 'code --edit FILE' 'save x' 'results -o x --format csv' 'show > x' 'show | cat' 'source x.lua' \
    '=os.time()' '=io.read()' '=require("x")' '=package.path' '=load("x")' '=debug.getinfo(1)' '=dofile("x")' 'lua t.save("x.session")'; do
    (cd "$scratch" && XDG_STATE_HOME=$scratch/state "$lathe" --no-init --restricted -e 'let g (x: [N]f32) = mapGlobal 0 (\v -> v) x' -e "$way") </dev/null >"$scratch/out" 2>"$scratch/err" &&
        fail "--restricted lets $way through"
    [ ! -e "$scratch/x" ] && [ ! -e "$scratch/x.session" ] || fail "--restricted: $way wrote a file"
done
code 2 --restricted -e 'lua load("x")'; err "global 'load'"
code 2 --restricted -e 'lua os.execute("true")'; err "global 'os'"
code 0 --json -e '=1, {a = 2}' ; out '"values":\[1,{"a":2}\]'
code 0 scripts/search.lua tests/programs/mm.fun 100 -e log; out '^100 variants'; out '\[best\]'
code 1 --json $dot -e 'try --trace topdown(mapFusion)'; out '"trace":{"attempts":'

printf 'load %s\nshow\nbogus\nshow\n' $dot >"$scratch/a.lathe"
code 2 "$scratch/a.lathe"; err 'a.lathe:3'
code 2 --keep-going -f "$scratch/a.lathe"; [ "$(grep -c reduce "$scratch/out")" -eq 2 ] || fail "--keep-going stops"
printf 'load %s\napply seq(fuse,\n  fuse\nshow\n' $dot >"$scratch/c.lathe"      # an open bracket does not swallow the rest
code 2 --keep-going -f "$scratch/c.lathe"; err 'c.lathe:2'; err 'opened  line 2: apply seq(fuse'; err 'before line 4'; out reduce
printf 'load %s\nshow (\n\n' $dot >"$scratch/c.lathe"
code 2 -f "$scratch/c.lathe"; err 'c.lathe:2'; err 'opened  line 2: show ('
printf 'source %s/b.lathe\n' "$scratch" >"$scratch/b.lathe"
code 2 -f "$scratch/b.lathe"; err 'E08'

mkdir -p "$scratch/config/lathe"
echo 'load tests/programs/scal.fun' >"$scratch/config/lathe/init.lathe"
code 1 -e show
code 0 --init -e show; out 'alpha'

code 0 --json --set times=off $dot -e 'moves' -e 'data N = 4' -e eval
out '^{"v":1,"seq":1,"cmd":"load .*,"ok":true,"code":0,"version":0,"hash":"[0-9a-f]*","data":{'
out '"items":\[{"n":1,'
out '"data":{"type":"f32","head":".*","hash":"[0-9a-f]*"}'
[ "$(wc -l <"$scratch/out")" -eq 4 ] || fail "not one JSON line a command"
code 1 --json $dot -e 'apply mapFusion'; out '"diag":\[{"id":"E21","severity":"error"'
[ ! -s "$scratch/err" ] || fail "--json writes on standard error too"
# nothing is cut for a program, however wide the screen
code 0 --json --set width=40 --set times=off tests/programs/mm.fun -e moves -e "find reduce" -e info -e "apply reduceSeq" -e "moves --deep"
[ "$(grep -c "\.\.\.\"" "$scratch/out")" -eq 0 ] || fail "--json cuts what it says"

# sessions: opened if there, saved at the end, even after a failure; damage is code 7 and the file stays as it is
s=$scratch/s.session
code 0 --session "$s" $dot -e 'apply splitJoin(4) at /in'; [ -s "$s" ] || fail "--session does not save"
code 1 --session "$s" -e 'data N = 64' -e 'apply mapFusion' -e show; err 'E21'
code 0 "$s" -e log -e data; out 'splitJoin(4)'; out 'N = 64'
code 0 --json $dot -e '!echo hi' -e 'show | wc -c'; out '"data":{"text":"hi\\n"}'
[ "$(grep -vc '^{' "$scratch/out")" -eq 0 ] || fail "what programs print is among the JSON Lines"
code 0 --session "$s" --json -e show; out '"cmd":"open .*"programs":1,"versions":1,"lost":\[\]'
code 0 --seed 9 "$s" -e 'set seed'; out '9'
code 1 "$s" -e 'apply splitJoin(8) at /in/in as x' -e "open $s"; err 'E17'
code 0 "$s" -e 'apply splitJoin(8) at /in/in' -e "open $s --force" -e log
sed 's/splitJoin(4) at/splitJoin(2) at/' "$s" >"$scratch/d.session"; cp "$scratch/d.session" "$scratch/d.copy"
code 7 "$scratch/d.session" -e log; err 'E41'; [ ! -s "$scratch/out" ] || fail "went on with a damaged session"
code 7 --keep-going --session "$scratch/d.session" -e 'apply mapSeq at /in'; err 'E17'
cmp -s "$scratch/d.session" "$scratch/d.copy" || fail "a damaged session was overwritten"
ls "$scratch"/state/lathe/autosave/* >/dev/null || fail "and its new work is nowhere"
code 2 --restricted "$s" -e 'save x.session'; err 'restricted'

# a fault of lathe itself: it says so, the work is kept and opens again
printf 'load %s\napply splitJoin(4) at /in\n!kill -ABRT $PPID\nshow\n' $dot >"$scratch/f.lathe"
"$lathe" --set autosave=on <"$scratch/f.lathe" >"$scratch/out" 2>"$scratch/err"
[ $? -eq 70 ] || fail "an internal error is not code 70"
err '^E70 an internal error: signal 6'
kept=$(sed -n 's/^  kept    //p' "$scratch/err")
code 0 -e "open $kept" -e log; out 'splitJoin(4)'

# a kill in `save` leaves a file behind, which goes when the session is saved or opened again; autosaves go after a while
for pid in 99999999 $$; do : >"$s.tmp$pid"; touch -d '1 hour ago' "$s.tmp$pid"; done
code 0 "$s" -e log
[ ! -e "$s.tmp99999999" ] && [ -e "$s.tmp$$" ] || fail "what a killed save left stays"
rm -f "$s.tmp$$"; keep=$XDG_STATE_HOME/lathe/autosave; rm -rf "$keep"; mkdir -p "$keep"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do : >"$keep/$i"; touch -d "$((i + 20)) days ago" "$keep/$i"; done
code 0 --set autosave=on -f - ; printf 'let f (x: [N]f32) = map (\\v -> v) x\nlet g (x: [N]f32) = map (\\v -> v) x\nquit\n' | "$lathe" --set autosave=on >/dev/null
[ ! -e "$keep/21" ] && [ -e "$keep/20" ] && [ -e "$keep/1" ] || { echo "batch: old autosaves are not taken away as they should be"; ls "$keep"; bad=1; }

# a script in Lua with arguments: calls that do not fit are named, the best one is current
code 0 --seed 1 tests/programs/mm.fun -e 'data N = 16' -e 'data M = 16' -e 'data K = 16' -e 'source scripts/tune.lua gemmCpu mb=8 nb=8 kb=8 mr=3,4 w=4 rounds=1' -e show
out 'mr=4, w=4} .* ms   @'; out 'mr=3, w=4} .*E[0-9]'; out 'mapWorkgroup'

printf 'help quit\0x\nhelp quit\n' | "$lathe" --keep-going >"$scratch/out" 2>"$scratch/err"
out '^quit'; err 'NUL'
head -c 1000000 /dev/zero | tr '\0' 'a' | "$lathe" >"$scratch/out" 2>"$scratch/err"; err 'E01'
head -c 1000000 /dev/zero | tr '\0' '(' | "$lathe" >"$scratch/out" 2>"$scratch/err"; err 'E0'
{ printf 'let x = '; head -c 1000000 /dev/zero | tr '\0' '('; } | "$lathe" >"$scratch/out" 2>"$scratch/err"; err 'E08'
exit $bad
