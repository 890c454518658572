#!/bin/sh
# stops: what waits, or has no end, is ended by SIGTERM, Ctrl-C or a bound; marks of byte order; output that cannot be written.
# Usage: stops.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
cd "$scratch" || exit 1
mkfifo pipe

# ends SIGNAL CODE LINE: the line, at work for a while, ends within ten seconds of the signal. (A job of a script without job
# control ignores SIGINT, and so would lathe.)
ends() {
    timeout --foreground --preserve-status -k 10 -s "$1" 1 "$lathe" --no-init -e "$3" >out 2>&1 </dev/null
    code=$?
    [ $code -eq "$2" ] || { fail "$3: code $code after $1, not $2"; cat out; }
}
for line in 'load pipe' 'source pipe' 'open pipe' 'results --from pipe'; do
    ends TERM 143 "$line"
    ends INT 130 "$line"
done
printf 'let long (x: [N]f32) = reduce (+) 0 (map exp x)\ndata N = 100000000\ndata x = adversarial(1)\neval\n' >long
ends TERM 143 'source long'                   # several threads fill the input
ends INT 130 'source long'
ends TERM 143 'list rules | sleep 9'          # nothing of lathe is under way: what it waits for ends with it
ends TERM 143 'lua os.execute("sleep 9")'
ends TERM 143 'lua while true do io.open("pipe") end'     # what Lua waits for does not: lathe ends all the same
grep -q '^terminated' out || fail "SIGTERM is obeyed without a word of what did not end"

# bounded CODE ARGUMENTS...: ends by itself and in little memory
bounded() {
    want=$1
    shift
    (ulimit -v 4000000; timeout -k 1 60 "$lathe" --no-init "$@" </dev/zero >out 2>&1)
    code=$?
    [ $code -eq "$want" ] || { fail "$*: code $code, not $want"; tail -3 out; }
}
for verb in load source open 'results --from'; do
    bounded 2 -e "$verb /dev/zero"
    grep -q 'larger than 64 MiB' out || fail "$verb /dev/zero: $(cat out)"
done
bounded 2
grep -q 'E08 the line is longer' out || fail "a line without end: $(cat out)"
bounded 2 /dev/zero.lua

# A mark of byte order in front of a file is none of its text.
mark=$(printf '\357\273\277')
says() { "$lathe" --no-init "$@" >out 2>&1 </dev/null; grep -q "$want" out || fail "$*: $(cat out)"; }
want='f : \[N\]f32'
printf '%slet f (x: [N]f32) = map sqrt x\n' "$mark" >a.fun
printf '%sload a.fun\n' "$mark" >a.lathe
printf '%sprint(6 * 7)\n' "$mark" >a.lua
says a.fun
says -f a.lathe
"$lathe" --no-init <a.lathe >out 2>&1; grep -q "$want" out || fail "a.lathe as input: $(cat out)"
want=42 says a.lua
"$lathe" --no-init a.fun -e lower -e 'code -o k.cl' -e 'save b.session' >out 2>&1 </dev/null || fail "$(cat out)"
for file in k.cl b.session; do printf '%s' "$mark" | cat - "$file" >marked && mv marked "$file"; done
want='opened b.session' says b.session -e show
want='the source is what it was' says a.fun -e lower -e 'code --edit k.cl'

# Output that cannot be written is an error of whatever printed it; a reader that has gone is none.
for json in '' --json; do
    "$lathe" $json --no-init -e 'list rules' >/dev/full 2>err && fail "list rules $json > /dev/full is no error"
    grep -q 'E06 cannot write standard output: No space' err || fail "list rules $json: $(cat err)"
done
"$lathe" --man >/dev/full 2>err && fail "--man > /dev/full is no error"
"$lathe" --no-init -e 'list rules > /dev/full' >out 2>&1 && fail "list rules > /dev/full, typed, is no error"
("$lathe" --no-init -e 'list rules' 2>err; echo $? >code) | true
[ "$(cat code)" = 0 ] && [ ! -s err ] || fail "a reader that has gone: $(cat code err)"
exit $bad
