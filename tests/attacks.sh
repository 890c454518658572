#!/bin/sh
# attacks: session files with hostile Lua. Opening one, and trying the rule that asks it, ends soon and in good order, and the
# user's own Lua is afterwards what it was. Usage: attacks.sh LATHE
set -u
. "$(dirname "$0")/alone.sh"
forge=$PWD/tests/forge.lua
cd "$scratch"

"$lathe" --no-init -e 'let f (x: [N]f32) = map abs x' \
    -e 'rule asks(n: size): map f x => join (map (map f) (split n x)) when n divides (length x) and ok(n)' \
    -e 'save base.session' >/dev/null || fail "no base"

cat >own.lua <<'END'
-- the user's Lua behind an attack
assert(select("#", pcall(error, "x")) == 2 and pcall(function() end))
assert(getmetatable("").__index == string and ("ab"):upper() == "AB" and ("x"):rep(3) == "xxx" and #"abc" == 3)
assert(string.format("%d", 3) == "3" and table.concat({1, 2}, "-") == "1-2" and math.max(1, 2) == 2 and tostring(12) == "12")
local n = 0
for _ in pairs({a = 1, b = 2}) do n = n + 1 end
for _ in ipairs({1, 2}) do n = n + 1 end
assert(n == 4 and next({}) == nil and type(print) == "function" and select(2, 1, 2) == 2 and rawget({1}, 1) == 1)
assert(t.version().n == 0 and tostring(mapFusion) == "mapFusion" and tostring(lower):find("lower"))
assert(coroutine.wrap(function() return 7 end)() == 7 and setmetatable({}, {__index = {a = 1}}).a == 1)
assert(seen == nil, "a global that the file did not name")
assert(t.try(splitJoin, {at = "/"}))
print("all as it was")
END

# attack NAME: a session whose rule asks `ok`, in the Lua of standard input
attack() {
    echo "$1" >>attacks
    { sed -n '1,/^rule asks/p' base.session; sed -n '/^rule asks/{n;p}' base.session; echo 'lua 1:ok'; sed 's/^/| /'
      sed '1,/^rule asks/d' base.session | sed 1d; } >"$1.raw"
}

# attack_macro NAME DEFINITION: a session with a macro
attack_macro() {
    echo "$1" >>attacks_macro
    { cat base.session; echo "macro $1"; printf '| %s\n' "$2"; } | sed '/^end /d' >"$1.raw"
}

# attacked NAME COMMAND...: the session is opened, with a tenth of the fuel that there is of itself, but for two; what comes of the commands
attacked() {
    name=$1
    shift
    began=$(date +%s)
    fuel='--set fuel=100000'
    case $name in generations | closes_in_coroutine) fuel= ;; esac
    # shellcheck disable=SC2086
    timeout -k 5 60 "$lathe" --no-init --keep-going $fuel -e "open $name.session --force" -e 'set fuel 100000' "$@" -e 'goto @0' \
        -e 'source own.lua' >"$name.out" 2>&1
    code=$?
    [ $code -le 8 ] || fail "$name: code $code: $(head -c 600 "$name.out")"
    [ $(($(date +%s) - began)) -le 30 ] || fail "$name: it took $(($(date +%s) - began)) s"
    grep -q '^all as it was' "$name.out" || fail "$name: the user's Lua is not what it was: $(head -c 900 "$name.out")"
}

# loops that nothing counts, or that catch what ends them
attack finalizer <<'END'
function ok() return true end
setmetatable({}, {__gc = function() while true do end end})
for i = 1, 100000 do local _ = {} end
END
attack late_finalizer <<'END'
function ok() return true end
local m = {}
local x = setmetatable({}, m)
m.__gc = function() while true do end end
pcall(setmetatable, x, m)
pcall(setmetatable, {}, m)
x = nil
for i = 1, 100000 do local _ = {} end
END
attack closes <<'END'
function ok()
  local x <close> = setmetatable({}, {__close = ok})
  while true do end
end
ok()
END
attack closes_in_coroutine <<'END'
function ok()
  local function body()
    local x <close> = setmetatable({}, {__close = function() while true do end end})
    while true do end
  end
  pcall(coroutine.wrap(body))
  local co = coroutine.create(body)
  coroutine.resume(co)
  coroutine.close(co)
  for i = 1, 10 do coroutine.close(co) end
end
ok()
END
attack kept_coroutine <<'END'
dead = dead or coroutine.create(function()
  local x <close> = setmetatable({}, {__close = function() while true do end end})
  while true do end
end)
function ok() coroutine.resume(dead) coroutine.close(dead) while true do end end
END
attack closes_suspended <<'END'
function ok()
  local co = coroutine.create(function()
    local x <close> = setmetatable({}, {__close = function() while true do pcall(function() while true do end end) end end})
    coroutine.yield()
  end)
  coroutine.resume(co)
  coroutine.close(co)
end
ok()
END
attack generations <<'END'
function ok() local co = coroutine.wrap(ok) while true do pcall(co) co = coroutine.wrap(ok) end end
ok()
END
attack catches <<'END'
function ok() while true do pcall(function() while true do pcall(ok) end end) end end
END
attack error_value <<'END'
function ok() error(setmetatable({}, {__index = function() while true do end end, __tostring = function() while true do end end})) end
ok()
END
attack error_value_fails <<'END'
function ok() error(setmetatable({}, {__index = function(_, k) error(k) end, __name = 1})) end
ok()
END
attack error_fields <<'END'
function ok() error({message = "x", id = {}, notes = {{{}, {}}}}) end
ok()
END
attack concat <<'END'
function ok() return table.concat(setmetatable({}, {__index = table.concat}), "", 1, 1 << 62) end
ok()
END
attack concat_length <<'END'
function ok() return table.concat(setmetatable({}, {__index = type, __len = function() return 1 << 62 end})) end
ok()
END
attack sorts <<'END'
function ok() table.sort(setmetatable({}, {__len = function() return (1 << 31) - 2 end, __index = rawlen}), rawequal) end
ok()
END
attack moves <<'END'
function ok() table.move(setmetatable({}, {__index = math.max}), 1, 1 << 60, 2) end
ok()
END
attack patterns <<'END'
function ok() return ((("a"):rep(40)):find(("a?"):rep(40) .. ("a"):rep(40))) end
ok()
END
attack nexts <<'END'
local t = {}
for i = 1, 1000000 do t["k" .. i] = true end
for i = 1, 1000000 do t["k" .. i] = nil end
function ok() while true do pcall(next, t) end end
ok()
END
attack compares <<'END'
local a, b = ("x"):rep(1 << 19), ("x"):rep((1 << 19) - 1) .. "x"
function ok() while true do local _ = a == b, a < b end end
ok()
END
attack numbers <<'END'
local a = (" "):rep(1 << 19) .. "1"
function ok() while true do local _ = tonumber(a), tonumber(a, 36), a + 1 end end
ok()
END
attack formats <<'END'
local f = ("b"):rep(1 << 19)
function ok() while true do pcall(string.packsize, f) pcall(f.packsize, f) pcall(utf8.len, f) pcall(f.byte, f, 1, -1) end end
ok()
END
attack deep <<'END'
function ok(n) return ok(n) + ok(n) end
local function nest(t) return nest(setmetatable({}, {__index = t})) + 1 end
pcall(nest, {})
pcall(ok)
local x = {} for i = 1, 100000 do x = setmetatable({}, {__index = x}) end
local _ = x.a
END
attack tostrings <<'END'
local m = {}
m.__tostring = function(x) return tostring(x) end
m.__concat = function(a, b) return a .. b end
m.__eq, m.__lt, m.__le, m.__len, m.__call = m.__concat, m.__concat, m.__concat, function(a) return #a end, function(a) return a() end
function ok() return pcall(tostring, setmetatable({}, m)), setmetatable({}, m) .. "" end
pcall(ok)
ok()
END

# the same in other words
attack debugs <<'END'
function ok() if debug then debug.sethook() debug.setmetatable("", {__index = ok}) end while true do end end
if debug then debug.getregistry()[1] = nil end
ok()
END
attack loads <<'END'
local f = load or loadstring
function ok() if f then return f("while true do end")() end while true do end end
if f then f("_G.pcall = nil seen = 2")() pcall(f, string.dump and string.dump(ok) or "x", "b", "b") end
for _, n in ipairs({"require", "package", "os", "io", "dofile", "loadfile", "collectgarbage", "debug"}) do
  local v = _G[n] if v then pcall(v, "x") if type(v) == "table" then for k, g in pairs(v) do pcall(g, "full") end end end
end
ok()
END
attack rep_empty <<'END'
function ok() return (("")):rep(1 << 62) end
ok()
END
attack unpacks <<'END'
function ok()
  while true do
    pcall(table.unpack, {}, 1, 1e6)
    pcall(table.pack, table.unpack({}, 1, 200000))
    pcall(select, -1, table.unpack({}, 1, 100000))
  end
end
ok()
END
attack handler <<'END'
function ok() xpcall(error, function(e) while true do end end, 1) end
pcall(ok)
function ok() xpcall(error, function(e) error(e) end, 1) while true do xpcall(ok, ok) end end
ok()
END
attack close_error <<'END'
function ok()
  local loops = {__tostring = function(x) return x .. x end, __concat = function() while true do end end}
  local m = {__close = function(_, e) error(setmetatable({}, loops)) end}
  local a <close>, b <close> = setmetatable({}, m), setmetatable({}, m)
  error("x")
end
ok()
END
attack environment <<'END'
local e = _ENV
setmetatable(e, {__index = function(_, k) while true do end end, __newindex = function() while true do end end})
function ok() return nothing end
END
attack gsub_grow <<'END'
function ok() local s = "a" while true do s = s:gsub("a", "aaaaaaaaaaaaaaaa") end end
ok()
END
attack returns_odd <<'END'
local n = 0
function ok() n = n + 1 return n % 2 == 0 and setmetatable({}, {__tostring = error}) or nil, error end
END
attack yields <<'END'
function ok() coroutine.yield(1) return true end
END
attack insert_far <<'END'
function ok()
  local t = setmetatable({}, {__len = function() return 1 << 40 end})
  table.insert(t, 1, 1)
  table.remove(t, 1)
  while true do pcall(table.insert, t, 1, 1) end
end
ok()
END
attack names <<'END'
function ok() return true end
function mapFusion() while true do end end
function tostring() while true do end end
function assert() while true do end end
print = ok
string = nil table = nil
_VERSION = 1
END
attack register_bad <<'END'
function ok() return true end
pcall(register, ("x"):rep(1 << 19), {}, ok)
pcall(register, "lower", {}, function() while true do end end)
pcall(register, "mapFusion", {}, function() while true do end end)
pcall(register, "a\0b", {doc = ok}, ok)
pcall(register, "id", {}, ok)
register("apply", {}, function() while true do end end)
END

# memory
attack bomb <<'END'
local s = "x"
for i = 1, 40 do s = s .. s end
function ok() return true end
END
attack many_texts <<'END'
all = {}
function ok() for i = 1, 1e9 do all[i] = ("x"):rep(1 << 19) .. i end end
ok()
END
attack many_tables <<'END'
all = {}
function ok() while true do all = {all, all} end end
ok()
END
attack full_heap <<'END'
all = {}
function ok() while true do pcall(function() for i = 1, 1e9 do all[#all + 1] = {i} end end) end end
ok()
END
attack prints <<'END'
function ok() while true do print(("x"):rep(1 << 19)) end end
END

# what is everybody's
attack globals <<'END'
function ok() return true end
seen = 1
_G.seen = 1
rawset(_G, "seen", 1)
pcall, error, t, string, table, math, next, type, tostring, getmetatable, setmetatable, lower, mapFusion, engine, select =
  ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok, ok
_G._G, _G.pairs, _G.ipairs, _G.print, _G.coroutine, _G.rawget = 1, 1, 1, 1, 1, 1
END
attack libraries <<'END'
function ok() return true end
for _, name in ipairs({"string", "table", "math", "utf8", "coroutine"}) do
  for key in pairs(_G[name] or {}) do _G[name][key] = ok end
end
END
attack library_fields <<'END'
function ok() return true end
string.format, string.rep, string.upper, table.concat, table.insert, table.sort = ok, ok, ok, ok, ok, ok
math.max, math.type, coroutine.wrap, coroutine.create, utf8.len = ok, ok, ok, ok, ok
END
attack string_metatable <<'END'
function ok() return true end
local m = getmetatable("")
if m then m.__index, m.__len, m.__call, m.__gc = ok, ok, ok, ok end
END
attack strategies <<'END'
function ok() return true end
lower.run, lower.label, splitJoin.run, try.x = ok, "x", ok, 1
END
attack strategies_raw <<'END'
function ok() return true end
for _, s in ipairs({lower, simplify, mapFusion, splitJoin}) do
  rawset(s, "run", ok) rawset(s, "with_args", ok) rawset(s, "label", "x")
  local m = getmetatable(s)
  if type(m) == "table" then m.__index, m.__call, m.__tostring = ok, ok, ok end
end
END
attack failures <<'END'
function ok() return true end
local c
register("spy", {doc = "x"}, function(cursor)
  local r, f = mapFusion(cursor)
  for _, v in ipairs({cursor, f, cursor.term}) do
    local m = getmetatable(v)
    if type(m) == "table" then m.__index, m.__tostring = ok, ok end
  end
end)
END
attack search_data <<'END'
function ok() return true end
local t = {}
for i = 1, 200 do t[i] = t end
search.heuristics.x = t
search.strategy = ok
END

# macros of a file
attack_macro writes 'writes = (t.save("pwned.session", {force = true}) and id)'
attack_macro loops 'loops = (function() while true do end end)()'
attack_macro runs_on 'runs_on = function(c) while true do end end'
attack_macro ends 'ends = (function() local x <close> = setmetatable({}, {__close = function() t.quit() end}) end)() or id'

# shellcheck disable=SC2046
"$lathe" --no-init "$forge" $(sed 's/.*/&.raw &.session/' attacks attacks_macro) || fail "they cannot be forged"
while read -r name; do attacked "$name" -e 'why asks(2)' -e 'apply asks(2)' -e 'apply asks(4)' </dev/null; done <attacks
while read -r name; do
    attacked "$name" -e "apply $name" -e "apply $name" </dev/null
    [ ! -e pwned.session ] || fail "$name: it wrote a file"
done <attacks_macro

# what a file says of itself
"$lathe" --no-init -e 'let f (x: [N]f32) = map (\v -> v * 2) (map (\v -> v + 1) x)' \
    -e 'rule wrong: map f (map g x) => map g (map f x)' -e 'rule right: map f x => mapSeq f x' \
    -e 'let odd (a, b) = a + b * 2 with associative commutative' \
    -e 'check right' -e 'apply wrong' -e 'set verify off' -e 'set tol 0.5' -e 'set fuel 900000000' -e 'alias mend = check' \
    -e 'save said.session' >/dev/null || fail "nothing to forge"
sed -e '/^trust right/{p;s/right/wrong/;}' -e 's/^alias mend/alias run/' said.session >said.raw
cmp -s said.session said.raw && fail "nothing was forged"
"$lathe" --no-init "$forge" said.raw said.session
"$lathe" --no-init --keep-going -e 'set strict on' -e 'open said.session --force' -e log -e 'rule right' -e 'alias' -e 'set strict on' -e 'goto @0' \
    -e 'apply wrong' >said.out 2>&1
said() { grep -qF -- "$1" said.out || fail "open does not say: $1: $(cat said.out)"; }
said 'its settings that weaken verdicts or limits: verify off, strict off, tol 0.5, fuel 900000000'
said 'its rule wrong is not checked any more, but assumed: it does not hold: '
said 'its function odd is not associative at f32: a = '
said '@1?  wrong'
said 'checked by 500 instances, seed 1'
said 'E26 wrong was refuted, and strict is on'
said 'no aliases'
"$lathe" --no-init --json -e 'open said.session' >said.out 2>&1
said '"announced":["its settings that weaken verdicts or limits: verify off, tol 0.5, fuel 900000000","its function odd is not associative'
said '"its rule wrong is not checked any more, but assumed: it does not hold: '
"$lathe" --no-init -e 'lesson terms' -e 'set tol 0.5' -e 'lesson leave' >said.out 2>&1 || fail "no lesson: $(cat said.out)"
"$lathe" --no-init -e 'lesson terms' >said.out 2>&1
said 'its settings that weaken verdicts or limits: tol 0.5'

# a rule whose condition never ends: checking it again does
{ sed '/^end /d' base.session; echo 'trust asks checked seed=1 count=500'; echo 'lua 1:ok'
  echo '| function ok() while true do pcall(ok) end end'; grep '^end' base.session; } >slow.raw
"$lathe" --no-init "$forge" slow.raw slow.session
timeout -k 5 60 "$lathe" --no-init -e 'open slow.session' -e 'rule asks' >said.out 2>&1 || fail "slow: $(cat said.out)"
said 'its rule asks is not checked any more, but assumed: '

# a step where the condition of its rule, which is right, does not hold
"$lathe" --no-init -e 'let f (x: [N]f32) = map abs x' -e 'lua function one(n) return n < 3 end' -e 'set silence W07 W08' \
    -e 'rule strided(n: size): x => reorder (stride n) x when n divides (length x) and one(n)' -e 'apply strided(2) at /in' \
    -e 'goto @0' -e 'apply strided(1) at /in' -e 'save step.session' >/dev/null || fail "no step to forge"
sed -e 's/n < 3/n < 2/' -e 's/^end /trust strided checked seed=1 count=500\n&/' step.session >step.raw
"$lathe" --no-init "$forge" step.raw step.session
"$lathe" --no-init -e 'open step.session' -e log -e 'rule strided' -e 'check strided' -e log >said.out 2>&1 || fail "step: $(cat said.out)"
said '@1?  strided(2)'
said '@2  strided(1)'
said 'checked by 500 instances, seed 1'
said 'assumed, for the condition of strided does not hold where they were made: @1'

[ $bad -eq 0 ] && echo "attacks: all held"
exit $bad
