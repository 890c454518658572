#!/bin/sh
# terminal: lathe at a real terminal (tmux): completion, Ctrl-C, resizing, pasting, history, the pager. Usage: terminal.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
command -v tmux >/dev/null || skip "tmux is not installed"
server= started=0
t() { tmux -L "$server" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$scratch"' EXIT
unset NO_COLOR PAGER TMUX
export INPUTRC="$scratch/inputrc"

screen() { t capture-pane -p -J; }
# start ENVIRONMENT ARGUMENTS...: a fresh screen, 100 x 40
start() {
    settings=$1
    shift
    started=$((started + 1))
    server="lathe-test-$$-$started"      # one that is ending cannot be started
    t new-session -d -x 100 -y 40 "env $settings $lathe $* 2>&1; echo left with \$?; sleep 100" || exit 77
    wait_for '>'
}
stop() { t kill-server; }
keys() { t send-keys "$@"; }
line() { t send-keys -l "$1"; t send-keys Enter; }
# wait_for PATTERN: until the screen shows it, at most 30 s
wait_for() {
    for _ in $(seq 600); do
        if screen | grep -q -- "$1"; then return 0; fi
        sleep 0.05
    done
    echo "terminal: no '$1' on the screen:"; screen; bad=1
}
# tab PATTERN: completes until the screen shows it: what takes too long on a busy machine is given up, and the next Tab asks again
tab() {
    for _ in $(seq 30); do
        keys Tab
        for _ in $(seq 20); do screen | grep -q -- "$1" && return; sleep 0.05; done
    done
    wait_for "$1"
}
count() { screen | grep -c -- "$1"; }
# clean: nothing but a prompt, so that what is waited for is new
clean() { keys C-c; keys C-l; wait_for '^[a-z]*@[^ ]* [^ ]*> *$'; }
# resize COLUMNS ROWS: goes on once the terminal that lathe sees has that size, which tmux may give it later
resize() {
    t resize-window -x "$1" -y "$2"
    tty=$(t list-panes -F '#{pane_tty}')
    for _ in $(seq 100); do [ "$(stty size <"$tty")" = "$2 $1" ] && return; sleep 0.05; done
    echo "terminal: it is no $1 x $2: $(stty size <"$tty")"
    bad=1
}
# busy: until lathe, which reads lines letter by letter, is at work on one: Ctrl-C that comes before it takes the line back
busy() {
    tty=$(t list-panes -F '#{pane_tty}')
    for _ in $(seq 600); do stty -a <"$tty" | grep -q ' icanon' && return; sleep 0.05; done
    echo "terminal: it does not begin:"; screen
    bad=1
}
never() { if screen | grep -q -- "$1"; then echo "terminal: '$1' is on the screen:"; screen; bad=1; fi; }

# the suggestion is one key away, and gone with the next answer; a line with text in it is only edited
start '' tests/programs/dot.fun
line 'aply splitJoin'; wait_for 'did you mean apply'
keys Right; wait_for 'dot@0 /> apply splitJoin$'; clean
line 'apply mapSeq at /'; wait_for 'try     apply mapSeq at /in'
keys -l 'sho'; keys Left C-f; keys -l 'w'; wait_for '> show$'; clean
line 'why mapSeq'; wait_for '^mapSeq does not apply'; keys C-f; wait_for 'dot@0 /> apply mapSeq at /in$'
keys -l ' '; keys -l 'as here'; keys Enter; wait_for '^@1  mapSeq'
keys Right; keys -l 'goto @0'; keys Enter; wait_for '^dot@0[*] />'

# Enter takes what next proposes, right behind it alone
clean; line 'next --kind reduce --budget 60'; wait_for 'apply 1        or Enter'
keys Enter; wait_for '^@2  reduceWhole'
clean; line 'next --kind fusion'; wait_for '^  try     '; line 'show /'; keys Enter; wait_for '^dot@2[*] /> *$'; never '^@3'
line 'goto @0'

# an error is no wider than the screen, broken at words below what it says; no colour where none is wanted
resize 60 40
line 'apply mapGlobal(0) at /in/f'; line 'apply mapGlobal(0) at /'; wait_for '^          [a-z]* '
# so are verdicts and lists, where they go to the screen; text for another command is not
clean; line 'set pager off'; line 'list settings width'; wait_for '^  *or 100$'; never '^.\{61,\}$'
line 'list settings width | wc -l'; wait_for '^1$'
stop
start NO_COLOR=1 tests/programs/dot.fun
line 'why'; wait_for '^E05 which rule'
stop

# an editor whose three runs differ
mkdir "$scratch/tmp"
cat >"$scratch/editor" <<EOF
#!/bin/sh
echo run >>"$scratch/edits"
case \$(wc -l <"$scratch/edits") in
1) exit 3 ;;
2) ;;
*) sed -i 's|/ 2.0f|* 0.5f|' "\$1" ;;
esac
EOF
chmod +x "$scratch/editor"
start "VISUAL=$scratch/editor TMPDIR=$scratch/tmp" tests/programs/dot.fun
wait_for 'dot@0 />'

# an empty line ends what was begun, and says what is not closed
clean; line 'apply splitJoin('; wait_for '^[.][.][.]>'; keys Enter; wait_for '^E03 the bracket ( is not closed'; wait_for '^dot@0[*]* /> *$'

# completion: one Tab lists what there is
line 'cd in'; wait_for 'dot@0 /in>'
keys -l 'set unicode '; keys Tab; wait_for 'auto  *\* now'; clean
keys -l 'apply splitJ'; tab 'apply splitJoin $'; clean
keys -l 'cd /in/'; keys Tab; tab 'f/ .*(f32, f32) -> f32'; wait_for 'in/  *zip xs ys  \[N\](f32, f32)'; clean
keys -l 'apply transpose'; keys Tab; tab '✗ transpose'; clean
keys -l 'set unicode '; keys Tab; tab 'auto  *\* now'; clean
keys -l 'apply splitJoin(1'; keys Tab; tab '128  *n'; clean
keys -l 'nosuch '; keys Tab; tab 'nosuch $'; clean
keys -l 'data N = '; keys Tab; tab '256  *now, by default'; clean
keys -l 'data N=64 y'; tab 'data N=64 ys = *$'; clean
keys -l 'data xs = fi'; tab 'xs = file("$'; keys -l 'tests/programs/dot.'; tab 'xs = file("tests/programs/dot.fun")'; clean
keys -l 'results --columns state,sou'; tab 'state,source *$'; clean
keys -l 'results --sort -verif'; tab 'sort -verify *$'; clean

# what was typed is found by Ctrl-R, and Ctrl-G gives it up
line 'info /in'; wait_for 'nodes'; line 'show'; clean
keys C-r; keys -l 'inf'; wait_for "reverse-i-search)\`inf': info /in"; keys Enter; wait_for 'nodes'; clean
keys C-r; keys -l 'info /no'; wait_for 'failed reverse-i-search'; keys C-g; wait_for '^dot@0 /in> *$'; clean

# Ctrl-C: the line; a line that goes on; a strategy that does not end, and the session is still there
keys -l 'bogus'; keys C-c; wait_for '^dot@0 /in> *$'; line 'show'; wait_for 'reduce'; never E01; clean
line 'apply seq('; wait_for '\.\.\.>'; keys C-c; wait_for '^dot@0 /in> *$'; clean
line 'set fuel 1000000000'
line 'apply (function() while true do end end)()'
busy; sleep 0.25; keys C-c; wait_for 'interrupted'; line 'set fuel 1000000'; line 'show'; wait_for 'reduce'; clean

# what was typed survives resizing, and terms are printed for the new width
line 'load tests/programs/mm.fun'; wait_for 'mm@0 />'
line 'apply splitJoin(4) at /'; wait_for 'mm@1\** />'
line "show --full > $scratch/wide"
keys -l "show --full > $scratch/nar"; resize 40 30; wait_for 'nar'; line 'row'
wait_for 'mm@1\** />'
for _ in $(seq 100); do [ -s "$scratch/narrow" ] && break; sleep 0.05; done
[ "$(wc -l <"$scratch/narrow")" -gt "$(wc -l <"$scratch/wide")" ] || { echo "terminal: resizing does not change the width"; cat "$scratch/narrow"; bad=1; }
clean; line 'apply splitJoin(4) at /in'; wait_for '^ *builtin  *from'; line 'undo'; wait_for '^@1'; clean       # columns that do not fit
resize 100 40; clean

# after a stop (Ctrl-Z, fg) the prompt and what was typed are there again
lathe_pid=$(pgrep -P "$(t list-panes -F '#{pane_pid}')")
keys -l 'show /in'; wait_for 'show /in$'; kill -STOP "$lathe_pid"; keys -R; kill -CONT "$lathe_pid"
wait_for '> show /in$'; keys Enter; wait_for '^split\|^map'; clean

# a paste of several lines is read line by line
printf 'let twice (xs: [N]f32) =\n  map (\\x -> x + x)\n    (map (\\y -> y)\n      xs)\nuse twice\nshow' >"$scratch/paste"
t load-buffer "$scratch/paste"; t paste-buffer -p; keys Enter
wait_for 'twice : \[N\]f32 -> \[N\]f32'; wait_for '^map (λx → x + x) ∘ map id'; clean

# a pasted declaration may hold empty lines; so may Lua
printf 'let four (xs: [N]f32) =\n\n  map (\\x -> x * 4) xs\nuse four\nlua function five()\n\n  return 5\nend\n= five() * 11\nlet six (xs: [N]f32) =\n\nuse twice\n' >"$scratch/paste"
t load-buffer "$scratch/paste"; t paste-buffer -p; keys Enter
wait_for 'four : \[N\]f32 -> \[N\]f32'; wait_for '^55$'; wait_for '^E03 expected an expression'; wait_for 'twice@0'; clean

# a pasted transcript is what was typed in it; each line stands before what it prints
printf '> use four\nwhat it printed\n> show /in\n' >"$scratch/paste"
t load-buffer "$scratch/paste"; t paste-buffer -p; keys Enter
wait_for '^twice@0.* /> use four$'; wait_for '^four@0.* /> show /in$'; never E01; line 'use twice'; wait_for '^twice@0[*]* /> *$'; clean

# what fills more than the screen comes with another Tab
keys -l 'apply '; keys Tab; tab '[0-9] more  *type a letter, or Tab again for all'; tab 'foldNest'; clean
keys -l 'apply mapFusion at '; tab 'mapFusion at / *$'; clean

# an empty line repeats when that is set
line 'set repeat on'; line 'show'; wait_for 'map'; before=$(count '^map'); keys Enter; wait_for 'map'
for _ in $(seq 100); do [ "$(count '^map')" -gt "$before" ] && break; sleep 0.05; done
[ "$(count '^map')" -gt "$before" ] || { echo "terminal: an empty line does not repeat show"; screen; bad=1; }
line 'set repeat off'; clean

# the pager gets what is longer than the screen, and only that
line "set pager \"cat > $scratch/paged\""; line 'show'; wait_for '^map'
[ ! -e "$scratch/paged" ] || fail "short output goes to the pager"
line 'list rules'
for _ in $(seq 100); do [ -s "$scratch/paged" ] && break; sleep 0.05; done
[ "$(wc -l <"$scratch/paged" 2>/dev/null || echo 0)" -gt 40 ] || fail "long output does not go to the pager"
line 'set pager off'; clean

# kernels in an editor: one that fails, one that changes nothing, one that edits
line 'let half (x: [N]f32) = mapGlobal 0 (\v -> v / 2) x'; wait_for 'half@0'
line 'code --edit'; wait_for 'ended with status 3'
line 'code --edit'; wait_for 'the source is what it was; still @0'
line 'code --edit'; wait_for '@1?  code --edit'; wait_for 'half@1?'
line 'code'; wait_for 'x.gid0. \* 0.5f'
ls "$scratch"/tmp/lathe-* 2>/dev/null && fail "the edited file is left behind"
line 'use twice'; wait_for 'twice@0'; clean

# history: kept over a restart, each line once, none that begins with a space; Ctrl-D leaves
line ' info'; wait_for 'origin'
line 'let seven (xs: [N]f32) ='; wait_for '\.\.\.>'; line '  map abs xs'; wait_for 'seven :'; line 'use twice'; wait_for 'twice@0'
line 'eval'; wait_for 'hash'; line 'show'; line 'eval'; wait_for 'hash'
keys C-d; wait_for 'left with 0'; stop
[ "$(grep -c '^eval$' "$scratch/state/lathe/history")" -eq 1 ] && [ "$(tail -1 "$scratch/state/lathe/history")" = eval ] || :
grep -q '^  map abs xs$' "$scratch/state/lathe/history" || fail "a line that continues another is not kept"
grep -q '^ info' "$scratch/state/lathe/history" && fail "a line that begins with a space is kept"
printf '$if lathe\n"\\C-xs": "show\\n"\n$endif\n' >"$scratch/inputrc"
start "" tests/programs/dot.fun
keys Up; wait_for '> eval$'; keys Up; wait_for '> show$'; clean
line 'cd /in/in'; wait_for '/in/in>'; keys -l 'show '; keys M-.; wait_for 'show /in/in'; clean
keys C-x s; wait_for 'reduce'
t capture-pane -p -e | grep -q "$(printf '\033\\[1m')dot@0" || fail "the prompt is not bold"
line 'quit 3'; wait_for 'left with 3'; stop
[ "$(grep -c '^eval$' "$scratch/state/lathe/history")" -eq 1 ] || fail "a line is in the history more than once"

# Ctrl-C ends whatever takes long; the session is as it was
for _ in $(seq 20000); do echo info; done >"$scratch/long.lathe"
{ cat tests/programs/mm.fun; printf 'let slow (x: [N]f32) = mapGlobal 0 (\\v -> reduceSeq (\\(a, i) -> a * v + f32 i) 0.0 (generate 2000000000 (\\i -> 1))) x\n'; } >"$scratch/slow.fun"
"$lathe" tests/programs/mm.fun -e 'lua for i = 1, 30000 do assert(t.apply("topdown(splitJoin(" .. i .. "))")) t.undo() end' \
    -e "save $scratch/long.session" >/dev/null
start "" "$scratch/slow.fun"
line 'use mm'; wait_for 'mm@0'; line 'set pager off'; line 'data N = 1024; data K = 1024; data M = 1024; apply gemmCpu; set run_timeout 60'
wait_for 'mm@1'
# ends COMMAND MESSAGE: within a second where nothing else runs; 10 are the limit, for a machine that is shared
ends() {
    clean; line "$1"; busy; sleep 0.25; began=$(date +%s%N); keys C-c; wait_for "$2"; wait_for '^mm@1[*]* /> *$'
    [ $(($(date +%s%N) - began)) -lt 10000000000 ] || fail "Ctrl-C takes long in $1"
}
ends 'eval @0' 'E25 evaluation was interrupted'
ends 'check @0 @0 --trials 1000000' 'E32 .* interrupted'
ends 'check splitJoin --trials 1000000' 'E32 .* interrupted'
ends 'moves --deep --cost' '^interrupted: this may not be all'
ends 'search rules using random --budget 100' 'stopped; `search` goes on\|E25 interrupted'
ends "source $scratch/long.lathe" 'E25 .*long.lathe was interrupted'
ends "open $scratch/long.session --force" 'E25 interrupted while .*long.session was read; nothing has changed'
ends "replay $scratch/long.session" 'E25 interrupted while .*long.session was read; nothing has changed'
ends 'lua while true do t.info() end' 'E25 interrupted'
ends '= (function() while true do end end)()' 'E25 interrupted'
ends 'lua string.find(string.rep("a", 40000), (".-"):rep(20) .. "b")' 'E25 interrupted'
ends 'lua local s = string.rep("x", 1 << 25) while true do local _ = s .. "y" end' 'E25 interrupted'
clean; line 'lua v = t.version("@0") for _ = 1, 250 do v = v:apply("topdown(splitJoin(1))") end'
line 'lua print("made @" .. v.n)'; wait_for '^made @251'
ends "export html $scratch/page.html @0..@251" 'E25 the export was interrupted: nothing is written'
[ ! -e "$scratch/page.html" ] || fail "an interrupted export leaves a file"
line 'goto @251'; wait_for '^mm@251[*]* /> *$'; line 'goto @1'; wait_for '^mm@1[*]* /> *$'

# a kernel that does not end: once waits for the trial, twice kills the worker
clean; line 'use slow'; wait_for 'slow@0'; line 'run --no-verify'; wait_for '^@0   time trial 1 of 20$'
lathe_pid=$(pgrep -P "$(t list-panes -F '#{pane_pid}')")
for _ in $(seq 600); do for p in $(pgrep -P "$lathe_pid"); do grep -q slow_k0 "/proc/$p/maps" && break 2; done; sleep 0.05; done
sleep 0.5; keys C-c; wait_for 'ends after this trial; Ctrl-C again kills it'
keys C-c; wait_for 'E62 interrupted; the worker was killed'; wait_for '^slow@0[*]* /> *$'

# Space leaves the end of a page (one too many is echoed before the prompt); Ctrl-C any of it
line 'set pager auto'; line 'help course'; for _ in 1 2 3 4 5 6 7 8; do sleep 0.3; keys Space; done; wait_for '^ *slow@0[*]* /> *$'; keys C-u; clean
# in the pager too
line 'set pager auto'; line 'list rules'; wait_for '^q leaves, Space goes on *$'
keys -l '!'; wait_for '[Cc]ommand not available'; keys Enter; keys C-c; wait_for '^slow@0[*]* /> *$'
stop

# a part of a lesson is read to its end, and the prompt is there
start '' ; resize 80 24
line 'lesson scripts/lessons/terms'; wait_for '^q leaves, Space goes on'; keys Space; sleep 0.5; keys Space; sleep 0.5; keys Space
wait_for '^lesson 1/7  dot@0 /> *$'; line 'leave'; wait_for '^left terms'
# who leaves the text early has the question below it
line 'lesson scripts/lessons/terms'; wait_for '^q leaves, Space goes on'; keys q; wait_for '^  answer  1 .. 3'; wait_for '^lesson 1/7'
# an answer that is begun in words is offered beside the commands
keys C-l; keys m a; tab '^map  *2$'; wait_for '^mark '; keys C-u; line 'leave'; wait_for '^left terms'

# a part that is done says so, and Enter goes on, whatever was looked at since; an answer is one, though a command begins with it
line 'lesson tests/lessons/small'; wait_for '^lesson 1/4  [^ ]* /> *$'
line 'apply splitJoin(16) at /in'; wait_for '^lesson 1/4 done  [^ ]* /> *$'; line 'show /in'; wait_for '^join'; line 'help undo'; wait_for '^undo '; keys Enter; wait_for '^lesson 2/4  '; line 'leave'
line 'lesson reductions'; wait_for '^q leaves'; keys q; wait_for '^lesson 1/7'
for part in 2 3 4; do line 'skip'; sleep 1; keys q; keys C-u; wait_for "^lesson $part/7"; done
line 'no'; wait_for '^right'; line 'leave'
# behind the last part Enter takes what is proposed, too
line 'lesson tests/lessons/back'; wait_for '^lesson 1/2'; line 'apply splitMap.rev'; wait_for '^lesson 1/2 done'; keys Enter; wait_for '^lesson 2/2'
line 'apply mapSeq'; line 'apply mapSeq at /f/body'; wait_for 'or Enter'; wait_for '^lesson 2/2 done'; keys Enter; wait_for '^left back'; stop

# without colour and Unicode where they do not work
start "NO_COLOR=1 LANG=C" tests/programs/dot.fun
line 'apply splitJoin at /in'; wait_for 'dot@1'
t capture-pane -p -e | grep -q "$(printf '\033')" && fail "colours in spite of NO_COLOR"
screen | LC_ALL=C grep -q "$(printf '[\200-\377]')" && fail "not ASCII under LANG=C"
line 'data N = 4096; lower; param s0 = 64; goto @0; lower; run @3 @4'; wait_for '^@[34] is [0-9.e+]* x as fast as @[34]$'; never 'time trial'
# a block that was interrupted comes back whole
clean; line 'lua for i = 1, 2 do'; line '  print(i * 7)'; keys C-c; wait_for '^dot@[0-9]*[*]* /> *$'; keys Up; wait_for 'for i = 1, 2 do'; keys Enter; line 'end'; line ''; wait_for '^14$'
# a search drawn as it goes on, and gone when it ends
clean; line 'data N = 4194304; goto @2; search params using random --budget 20 --plot'; wait_for ' |\*'; keys C-c; wait_for 'stopped; .search. goes on'; never ' |\*'
stop

# what ended without saving is told once; all of it can be dropped
start '' tests/programs/dot.fun
rm -f "$scratch"/state/lathe/autosave/*
for _ in 1 2; do
    line 'load tests/programs/dot.fun'; line 'apply splitJoin(4) at /in'; wait_for '^dot@1[*]* /> *$'; line 'info'; wait_for 'origin'
    kill -KILL "$(pgrep -P "$(t list-panes -F '#{pane_pid}')")"; wait_for 'left with'; stop
    start '' tests/programs/dot.fun
done
wait_for '^open --old lists all 2, open --old --drop drops them'; [ "$(count 'ended without saving')" -eq 1 ] || fail "told more than once"
stop; start '' tests/programs/dot.fun
line 'info'; wait_for 'origin'; never 'ended without saving'
line 'open --old'; wait_for 'dot, 1 version; open --old 2 opens it'; line 'open --old 3'; wait_for '^E05 no session 3'
line 'open --old 2 --drop'; wait_for '^1 session dropped'; line 'open --old 1'; wait_for '^dot@1'; line 'undo'; line 'goto @0'
line 'open --old --drop'; wait_for '^0 sessions dropped'; line 'open --old'; wait_for '^no session ended without saving'
stop
exit $bad
