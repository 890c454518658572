-- total: random well-typed programs over the documented forms, as users type them: lower is to make kernels of every one.
-- program(seed): its text. Types are {} for a number, {n = size, of = type} for an array, {type, type} for a tuple.
-- total(first, last, {run = every n-th is run, sizes = {{N = 7, M = 5}, ...}}): what became of the programs of these seeds.

local NUMBER = {}
local function array(n, of) return {n = n, of = of or NUMBER} end
local function tuple(...) return {...} end

local draw                                               -- a generator of its own: the same programs on every machine
local function below(n)
    draw = (draw * 6364136223846793005 + 1442695040888963407)
    return (draw >> 33) % n
end
local function chance(percent) return below(100) < percent end
local function pick(...) return (select(1 + below(select("#", ...)), ...)) end

local function type_text(t, scalar)
    if t.n then return "[" .. t.n .. "]" .. type_text(t.of, scalar) end
    if #t == 0 then return scalar end
    local parts = {}
    for i, part in ipairs(t) do parts[i] = type_text(part, scalar) end
    return "(" .. table.concat(parts, ", ") .. ")"
end
local function same(a, b) return type_text(a, "s") == type_text(b, "s") end
local function rank(t) return t.n and 1 + rank(t.of) or 0 end

-- What is in scope: numbers and arrays by name, counters (i32) apart.
local scope, counters, made, scalar, room

local function fresh(t)
    made = made + 1
    local name = "v" .. made
    scope[#scope + 1] = {name = name, t = t}
    return name
end

local function with_names(f)
    local n, c = #scope, #counters
    local text = f()
    for i = #scope, n + 1, -1 do scope[i] = nil end
    for i = #counters, c + 1, -1 do counters[i] = nil end
    return text
end

-- A pattern that binds a value of that type: a name, or of a tuple one a component.
local function pattern(t)
    if #t == 0 then return fresh(t) end
    local parts = {}
    for i, part in ipairs(t) do parts[i] = pattern(part) end
    return "(" .. table.concat(parts, ", ") .. ")"
end

local function counter()
    made = made + 1
    local name = "c" .. made
    counters[#counters + 1] = name
    return name
end

local expression, found, longer
local function operand(t, depth) return "(" .. expression(t, depth) .. ")" end
local function lambda(from, to, depth, counts)
    return with_names(function()
        local p = counts and counter() or pattern(from)
        return "(\\" .. p .. " -> " .. expression(to, depth) .. ")"
    end)
end

local floats = {f32 = true, f64 = true}
local function literal()
    local text = floats[scalar] and below(4) .. ".5" or tostring(below(4))
    return (scalar == "i32" or scalar == "f32") and text or text .. scalar         -- else it may stand where no type says what it is
end

function found(t)
    local of = {}
    for _, v in ipairs(scope) do
        if same(v.t, t) then of[#of + 1] = v.name end
    end
    return #of > 0 and of[1 + below(#of)] or nil
end

-- An index from 0 to below n.
local function index(n)
    if scalar == "i32" and chance(10) then
        local name = found(NUMBER)
        if name then return ("max 0 %s %% %s"):format(name, n) end
    end
    if #counters == 0 or chance(15) then return tostring(below(2) == 0 and 0 or n .. " - 1") end
    local i = counters[1 + below(#counters)]
    return pick(i .. " % " .. n, ("(%s + 1) %% %s"):format(i, n), ("min %s (%s - 1)"):format(i, n), ("(%s * %s + 1) %% %s"):format(i, i, n))
end

local sizes = {"N", "M", "3", "5"}
local function size() return sizes[1 + below(#sizes)] end

-- Some type of values: what loops keep, what names name.
local function state()
    local v, w = array(size()), array(size())
    return pick(NUMBER, v, v, array(size(), array(size())), tuple(NUMBER, NUMBER), tuple(v, NUMBER), tuple(v, v), tuple(v, w), tuple(NUMBER, v), tuple(v, NUMBER, w), tuple(tuple(NUMBER, v), NUMBER), array(size(), tuple(NUMBER, NUMBER)), tuple(array(size(), v), NUMBER))
end

local function condition(depth)
    local c = operand(NUMBER, depth) .. pick(" < ", " > ") .. operand(NUMBER, depth)
    return chance(15) and c .. pick(" && ", " || ") .. operand(NUMBER, depth) .. " != " .. literal() or c
end

local function steps() return pick("2", "3", "4") end
local function component(t, depth, whole)
    local at = below(2)
    local u = chance(50) and NUMBER or array(size())
    return "(" .. whole(at == 0 and tuple(t, u) or tuple(u, t), depth) .. ")." .. at
end

local function loop(t, depth)
    return with_names(function()
        local start = operand(t, depth - 1)
        if chance(15) then
            local goes_on = with_names(function() return ("(\\%s -> %s)"):format(pattern(t), condition(depth - 2)) end)
            return ("loopWhile %s %s %s %s"):format(steps(), goes_on, lambda(t, t, depth - 1), start)
        end
        if chance(30) then return ("iterate %s %s %s"):format(steps(), lambda(t, t, depth - 1), start) end
        local p = pattern(t)
        return ("loop %s (\\%s %s -> %s) %s"):format(steps(), p, counter(), expression(t, depth - 1), start)
    end)
end

-- A left fold over the elements of some array.
local function fold(t, depth)
    local of = pick(NUMBER, NUMBER, array(size()), tuple(NUMBER, NUMBER))
    local n = size()
    local step = with_names(function()
        local p, q = pattern(t), pattern(of)
        return ("(\\(%s, %s) -> %s)"):format(p, q, expression(t, depth - 1))
    end)
    return ("reduceSeq %s %s %s"):format(step, operand(t, depth - 1), operand(array(n, of), depth - 1))
end

local function sum(t) return t.n and "zipWith " .. (t.of.n and "(zipWith (+))" or "(+)") or "(+)" end

-- A reduction with an operator that is associative.
local function reduction(t, depth)
    local n = size()
    if #t > 0 then
        if same(t, tuple(NUMBER, NUMBER)) then
            local op = pick("(\\((a, b), (c, d)) -> if c > a then (c, d) else (a, b))", "(\\((a, b), (c, d)) -> (a + c, max b d))", "bestOf", floats[scalar] and "bestOf" or "after")
            return ("reduce %s %s %s"):format(op, operand(t, depth - 1), operand(array(n, t), depth - 1))
        end
        return fold(t, depth)
    end
    if not t.n then return ("reduce %s 0 %s"):format(pick("(+)", "max", "larger"), operand(array(n), depth - 1)) end
    if rank(t) > 2 or #t.of > 0 or t.of.n and #t.of.of > 0 then return fold(t, depth) end
    local op = rank(t) == 1 and pick("map (+) (zip a b)", "map max (zip a b)", "map (\\(p, q) -> p + q) (zip a b)", "if a[0] > b[0] then a else b") or "map (\\(p, q) -> map (+) (zip p q)) (zip a b)"
    return ("reduce (\\(a, b) -> %s) %s %s"):format(op, operand(t, depth - 1), operand(array(n, t), depth - 1))
end

local function mapped(t, depth)
    local of = pick(NUMBER, NUMBER, array(size()), t.of)
    if chance(35) then of = tuple(of, pick(NUMBER, array(size()), t.of)) end
    if #of == 2 then
        local parts = ("zip %s %s"):format(operand(array(t.n, of[1]), depth - 1), operand(array(t.n, of[2]), depth - 1))
        return ("map %s (%s)"):format(lambda(of, t.of, depth - 1), parts)
    end
    return ("map %s %s"):format(lambda(of, t.of, depth - 1), operand(array(t.n, of), depth - 1))
end

local function scanned(t, depth)
    if same(t.of, tuple(NUMBER, NUMBER)) and chance(50) then
        return ("scan %s %s %s"):format(floats[scalar] and "bestOf" or pick("bestOf", "after"), operand(t.of, depth - 2), operand(t, depth - 1))
    end
    if #t.of > 0 or t.of.n and chance(30) then
        local step = with_names(function()
            local p, q = pattern(t.of), pattern(NUMBER)
            return ("(\\(%s, %s) -> %s)"):format(p, q, expression(t.of, depth - 2))
        end)
        return ("scanSeq %s %s %s"):format(step, operand(t.of, depth - 2), operand(array(t.n), depth - 1))
    end
    if not t.of.n then return ("scan %s 0 %s"):format(pick("(+)", "max", "larger"), operand(t, depth - 1)) end
    if rank(t.of) > 1 or #t.of.of > 0 then return mapped(t, depth) end
    return ("scan (\\(a, b) -> map %s (zip a b)) %s %s"):format(pick("(+)", "max"), operand(t.of, depth - 1), operand(t, depth - 1))
end

local sums_of_windows = {"reduce (+) 0 (join w)", "w[0][0] - w[1][1]", "reduce max 0 (map (reduce (+) 0) w)", "reduce (+) 0 (map (\\(r, s) -> reduce (+) 0 (map (*) (zip r s))) (zip w (transpose w)))"}
local function window(t, depth)
    if rank(t) == 2 and #t.of.of == 0 then
        if chance(25) then
            return ("map2 (\\w -> w[0][1] + 2 * w[1][0]) $ slide2 2 2 $ %s"):format(operand(array("2 * " .. t.n, array("2 * " .. t.of.n)), depth - 1))
        end
        return ("map2 (\\w -> %s) $ slide2 3 1 $ %s %s"):format(sums_of_windows[1 + below(#sums_of_windows)], pick("pad2 1 1 clamp", "pad2 1 1 wrap"), operand(t, depth - 1))
    end
    if rank(t) == 3 and #t.of.of.of == 0 then
        return ("map3 (\\w -> reduce max 0 (join (join w))) $ slide3 3 1 $ pad3 1 1 clamp %s"):format(operand(t, depth - 1))
    end
    if rank(t) ~= 1 or #t.of > 0 then return mapped(t, depth) end
    local wide = operand(array("2 * " .. t.n), depth - 1)
    if chance(15) then return ("map (\\w -> %s) $ slide 2 2 %s"):format(pick("w[0] - w[1]", "max w[0] w[1]"), wide) end
    if chance(15) then return ("map (\\w -> %s) $ slide 3 2 $ %s %s"):format(pick("w[0] - w[2]", "reduce (+) 0 w"), pick("pad 1 0 clamp", "padConst 1 0 2"), wide) end
    local border = pick("pad 1 1 clamp", "pad 1 1 wrap", "pad 1 1 mirror", "padConst 1 1 0")
    return ("map (\\w -> %s) $ slide 3 1 $ %s %s"):format(pick("reduce (+) 0 w", "w[0] + 2 * w[1] - w[2]", "max w[0] w[2]"), border, operand(t, depth - 1))
end

local function indices(n, depth)
    return with_names(function() return ("(generate %s (\\%s -> %s))"):format(n, counter(), index(n)) end)
end

local segments = {"reduce (+) 0 s", "reduce max 0 s", "reduce (+) 0 (map (\\v -> v * v) s)", "reduce larger 1 s", "reduceSeq (\\(q, v) -> q / 2 + v) 0 s"}

-- The largest of what an array has, by insertion into a list that is as long as t.
local function inserted(t, depth)
    local from = operand(array(size()), depth - 1)
    if chance(50) then
        return ("reduceSeq (\\(l, d) -> if d <= l[%s - 1] then l else generate %s (\\j -> if l[j] > d then l[j] else if j > 0 && l[max 0 (j - 1)] <= d then l[max 0 (j - 1)] else d)) %s %s"):format(t.n, t.n, operand(t, depth - 2), from)
    end
    return ("reduceSeq (\\(l, d) -> %s) %s %s"):format(pick("scatter l [0] [d]", ("take %s (concat [d] l)"):format(t.n), ("scatter l [i32 (min 9 (max 0 d)) %% %s] [d]"):format(t.n),
        ("let w = take %s (padConst 1 0 d l) in if w[0] > l[0] then w else l"):format(t.n)), operand(t, depth - 2), from)
end

local layouts = {
    function(t, d) return "reorder reverse " .. operand(t, d - 1) end,
    function(t, d) return "reorder (rotate 1) " .. operand(t, d - 1) end,
    function(t, d) return ("take %s (padConst 1 0 %s %s)"):format(t.n, operand(t.of, d - 2), operand(t, d - 1)) end,
    function(t, d) return "drop 1 (pad 0 1 clamp " .. operand(t, d - 1) .. ")" end,
    function(t, d) return ("take %s (concat [%s] %s)"):format(t.n, expression(t.of, d - 2), operand(t, d - 1)) end,
    function(t, d) return ("gather %s %s"):format(indices(t.n, d), operand(t, d - 1)) end,
    function(t, d) return ("take %s (concat %s %s)"):format(t.n, operand(t, d - 1), operand(t, d - 1)) end,
    function(t, d) return t.of.n and "transpose " .. operand(array(t.of.n, array(t.n, t.of.of)), d - 1) or "join (split 1 " .. operand(t, d - 1) .. ")" end,
    function(t, d) return ("join (map (\\v -> [v]) %s)"):format(operand(t, d - 1)) end,
    function(t, d) return ("reorder (stride %s) %s"):format(pick("1", t.n), operand(t, d - 1)) end,
    function(t, d) return ("reorder (perm (\\i -> (i + 2) %% %s) (\\i -> (i + 2 * %s - 2) %% %s)) %s"):format(t.n, t.n, t.n, operand(t, d - 1)) end,
    function(t, d) return ("reorder (perm (\\i -> %s - 1 - i) (\\i -> %s - 1 - i)) %s"):format(t.n, t.n, operand(t, d - 1)) end,
    function(t, d) return ("%s (reorder (stride %s) %s)"):format(pick("take " .. t.n, "drop " .. t.n), pick("2", t.n), operand(array("2 * " .. t.n, t.of), d - 1)) end,
    function(t, d) return ("map (\\q -> q[%s]) (%s %s)"):format(pick("0", "1"), pick("split 2", "slide 2 2"), operand(array("2 * " .. t.n, t.of), d - 1)) end,
    function(t, d) return ("(transpose (split 2 %s))[%s]"):format(operand(array("2 * " .. t.n, t.of), d - 1), index("2")) end,
    function(t, d) return ("(unzip (zip %s %s)).%d"):format(operand(t, d - 1), operand(t, d - 1), below(2)) end,
    function(t, d)
        if not t.of.n then return "reorder reverse " .. operand(t, d - 1) end
        return ("map (%s) %s"):format(pick("reorder reverse", "reorder (rotate 1)", "take " .. t.of.n .. " . pad 1 0 clamp", "drop 1 . pad 0 1 wrap"), operand(t, d - 1))
    end,
    function(t, d)
        if not t.of.n or not t.of.of.n then return ("reorder reverse (reorder (rotate 1) %s)"):format(operand(t, d - 1)) end
        return "map transpose " .. operand(array(t.n, array(t.of.of.n, array(t.of.n, t.of.of.of))), d - 1)
    end,
    function(t, d)
        if not t.of.n or t.of.n ~= t.n then return ("join (transpose (split %s %s))"):format(t.n, operand(t, d - 1)) end
        return "antidiagonals " .. operand(t, d - 1)
    end,
    function(t, d)
        if t.of.n or #t.of > 0 then return ("join [%s]"):format(expression(t, d - 1)) end
        return ("%s %s $ asScalar $ map (mapVec %s) $ asVector 2 %s"):format(pick("take", "drop"), t.n, lambda(NUMBER, NUMBER, d - 2), operand(array("2 * " .. t.n), d - 1))
    end,
    function(t, d)
        if t.of.n or #t.of > 0 then return ("join [%s]"):format(expression(t, d - 1)) end
        return ("map (\\v -> %s) $ asVector 2 %s"):format(pick("v[0] - v[1]", "vdot v (vec (1, 2))", "(mapVec (\\l -> max l 1) v)[1]"), operand(array("2 * " .. t.n), d - 1))
    end,
}

local function changed(t, depth)
    if t.of.n and #t.of.of == 0 and not t.of.of.n and chance(60) then
        if chance(30) then return ("scatter %s (iota %s) %s"):format(operand(t, depth - 1), t.n, operand(t, depth - 1)) end
        local n = size()
        local op = pick("map (+) (zip a b)", "map max (zip a b)", "if a[0] < b[0] then b else a")
        return ("reduceByIndex (\\(a, b) -> %s) %s (zip %s %s)"):format(op, operand(t, depth - 1),
            with_names(function() return ("(generate %s (\\%s -> %s))"):format(n, counter(), index(t.n)) end), operand(array(n, t.of), depth - 1))
    end
    if #t.of > 0 or t.of.n then return layouts[1 + below(#layouts)](t, depth) end
    if chance(20) then return inserted(t, depth) end
    if chance(10) then
        local k = pick("1", "2")
        return ("iterate %s (\\v -> map (\\q -> %s) (split 2 v)) (join (map (\\e -> replicate %d e) %s))"):format(k, pick("q[0] + q[1]", "reduce max 0 q"), 2 ^ tonumber(k), operand(t, depth - 1))
    end
    if t.n == "N" and chance(10) then return "map (\\k -> slice 1 (\\s -> " .. segments[1 + below(#segments)] .. ") o[k] o[k + 1] w) (iota N)" end
    if t.n == "N" and chance(10) then return ("take N (scanSegments %s 0 (segmentStarts o w) w)"):format(pick("(+)", "max", "larger")) end
    if chance(10) then return ("scanSegments %s 0 (map (\\v -> v > %s) %s) %s"):format(pick("(+)", "max"), literal(), operand(t, depth - 1), operand(t, depth - 1)) end
    if t.n == "N" and chance(20) then return ("mapSegments (\\s -> %s) o w"):format(segments[1 + below(#segments)]) end
    local r = below(4)
    if r == 0 then return ("(filter (\\v -> v > %s) %s %s).0"):format(literal(), literal(), operand(t, depth - 1)) end
    if r == 1 then return ("scatter %s (iota %s) %s"):format(operand(t, depth - 1), t.n, operand(t, depth - 1)) end
    if r == 2 then return ("scatter %s [%s] [%s]"):format(operand(t, depth - 1), index(t.n), expression(NUMBER, depth - 2)) end
    return ("reduceByIndex %s %s (zip %s %s)"):format(pick("(+)", "max", "larger"), operand(t, depth - 1), indices(t.n, depth), operand(t, depth - 1))
end

local function listed(t, depth)
    local n = math.tointeger(tonumber(t.n))
    if not n then return ("replicate %s %s"):format(t.n, operand(t.of, depth - 1)) end
    local parts = {}
    for i = 1, n do parts[i] = expression(t.of, i < 3 and depth - 2 or 0) end
    return "[" .. table.concat(parts, ", ") .. "]"
end

local function named(t, depth)
    return with_names(function()
        local of = state()
        local value = operand(of, depth - 1)
        return ("let %s = %s in %s"):format(pattern(of), value, expression(t, depth - 1))
    end)
end

local function choice(t, depth) return ("if %s then %s else %s"):format(condition(depth - 2), expression(t, depth - 1), expression(t, depth - 1)) end

local function leaf(t)
    local name = chance(85) and found(t)
    if name then return name end
    if #t > 0 then
        local parts = {}
        for i, part in ipairs(t) do parts[i] = leaf(part) end
        return "(" .. table.concat(parts, ", ") .. ")"
    end
    if t.n and t.n:find(" ") then return longer(t, 0) end
    if not t.n then
        local r = below(4)
        if r == 0 then return ("x[%s]"):format(index("N")) end
        if r == 1 then return ("A[%s][%s]"):format(index("N"), index("M")) end
        if r == 2 and #counters > 0 then local i = counters[1 + below(#counters)]
            return scalar == "i32" and i or ("%s (%s %% 100)"):format(scalar, i)
        end
        return literal()
    end
    if same(t, array("N")) then return "x" end
    if same(t, array("M")) then return pick("y", "A[" .. index("N") .. "]") end
    if same(t, array("N", array("M"))) then return "A" end
    if same(t, array("M", array("N"))) then return "transpose A" end
    return with_names(function() return ("generate %s (\\%s -> %s)"):format(t.n, counter(), leaf(t.of)) end)
end

local function arithmetic(depth)
    local a, b = operand(NUMBER, depth - 1), operand(NUMBER, depth - 1)
    if chance(25) then
        local whole = pick(("band %s %s"):format(a, b), ("bxor %s 5"):format(a), ("shr %s 1"):format(a), a .. " % 7", a .. " // 3", "quot " .. a .. " 2")
        local broken = pick("sqrt (abs " .. a .. ")", "floor (" .. a .. " / 2)", "fma " .. a .. " 0.5 " .. b, "atan " .. a, a .. " / (1 + abs " .. b .. ")")
        return floats[scalar] and broken or whole
    end
    if chance(10) then return ("%s[%s]"):format(operand(tuple(NUMBER, NUMBER), 0):gsub("^%(", "(vec ("):gsub("%)$", "))"), "1") end
    return pick(a .. " + " .. b, a .. " - " .. b, "max " .. a .. " " .. b, "0 - " .. a, a .. " + 1", a .. " * 2", ("select (%s < %s) %s 1"):format(a, b, a), ("%s |> min %s"):format(a, b), "larger (" .. a .. ", " .. b .. ")")
end

function expression(t, depth)
    room = room - 1
    if t.n and t.n:find(" ") then return longer(t, depth) end
    if depth <= 0 or room < 0 or chance(6) then return leaf(t) end
    local r = below(100)
    if r < 10 then return named(t, depth) end
    if r < 18 then return choice(t, depth) end
    if r < 28 then return loop(t, depth) end
    if r < 33 then return component(t, depth, pick(loop, loop, fold, named)) end
    if r < 40 then return reduction(t, depth) end
    if r < 45 then return fold(t, depth) end
    if #t > 0 then
        local parts = {}
        for i, part in ipairs(t) do parts[i] = expression(part, depth - 1) end
        return "(" .. table.concat(parts, ", ") .. ")"
    end
    if not t.n then
        if r < 52 then local n = size() return with_names(function() return ("(%s)[%s]"):format(expression(array(n), depth - 1), index(n)) end) end
        if r < 55 then local n = size() return ("(filter (\\v -> v > %s) %s %s).0[0]"):format(literal(), literal(), operand(array(n), depth - 1)) end
        return arithmetic(depth)
    end
    if r < 65 then
        if chance(10) and not t.of.n and #t.of == 0 then            -- rows that are put together and cut again
            local n, m = t.n, pick("2", "M")
            return ("map (reduce (+) 0) (split %s (%s))"):format(m, longer(array(n .. " * " .. m), depth - 1))
        end
        return mapped(t, depth)
    end
    if r < 70 then return ("generate %s %s"):format(t.n, lambda(nil, t.of, depth - 1, true)) end
    if r < 76 then return scanned(t, depth) end
    if r < 80 then return window(t, depth) end
    if r < 89 then return layouts[1 + below(#layouts)](t, depth) end
    if r < 96 then return changed(t, depth) end
    return listed(t, depth)
end

-- Arrays of other lengths.
function longer(t, depth)
    if t.n == "N + M" then return ("concat %s %s"):format(operand(array("N", t.of), depth - 1), operand(array("M", t.of), depth - 1)) end
    local n, m = t.n:match("^(%w+) %* (%w+)$")
    if n == "2" and chance(60) then return ("concat %s %s"):format(operand(array(m, t.of), depth - 1), operand(array(m, t.of), depth - 1)) end
    if chance(40) then return "join " .. operand(array(n, array(m, t.of)), depth - 1) end
    return ("join (map %s %s)"):format(lambda(NUMBER, array(m, t.of), depth - 1), operand(array(n), depth - 1))
end

local results = {array("N + M"), array("N * M"), array("2 * N"), NUMBER, array("N"), array("N"), array("N", array("M")), array("N", array("M")), array("M"), array("N", array("3")), array("N", array("M", array("5"))), tuple(array("N"), array("M")), tuple(array("N"), NUMBER), array("N", tuple(NUMBER, NUMBER)),
    array("N", array("N")), array("M", array("N")), array("N", array("M", tuple(NUMBER, NUMBER))), array("N", tuple(array("M"), NUMBER)), array("3", array("N", array("M", array("2")))), tuple(array("N", array("M")), tuple(NUMBER, array("M")), array("N")), array("2 * N", array("2 * M"))}

function program(seed)
    draw = seed * 2654435761 + 12345
    for _ = 1, 5 do below(2) end
    made, scope, counters, room = 0, {}, {}, 60
    scalar = pick("i32", "i32", "i32", "i64", "f32", "f32", "f64", "u8", "i8", "u16", "u32", "u64")
    local t = results[1 + below(#results)]
    local body = t.n and t.n:find(" ") and longer(t, 2 + below(4)) or expression(t, 2 + below(4))
    return ("f (A: [N][M]%s) (x: [N]%s) (y: [M]%s) (o: [N + 1]i32) (w: [3 * N]%s) = %s"):format(scalar, scalar, scalar, scalar, body)
end

-- What is wrong with the program of that seed at these sizes on the device that is chosen; nil: nothing. launches: the loop that it is, and the one
-- that this is a loop of, are launches, which lower may not think worth it at sizes that can be tested.
local function fault(text, sizes, run, launches)
    local v, why = t.let(text)
    if not v then return tostring(why) end
    t.data(sizes)
    t.data{A = "random(1,0,9)", x = "random(2,0,9)", y = "random(3,0,9)"}
    if text:find("o: %[N") then t.data{o = ("offsets(5,%d)"):format(3 * sizes.N), w = "random(4,0,9)"} end
    if text:find("i: %[N%]i32") then t.data{i = ("random(4,0,%d)"):format(sizes.N - 1)} end
    if launches and t.apply(hostLoop, {at = "/"}) then t.apply(hostLoop, {at = "/f/body"}) end
    v, why = t.lower()
    if v and run then v, why = t.run{n = 1} end
    return not v and tostring(why) or nil
end

-- Operators of the user's.
local helpers = {
    "larger (a, b) = if a < b then b else a with associative commutative",
    "after ((a, b), (c, d)) = (a * c, b * c + d) with associative",
    "bestOf ((a, b), (c, d)) = if c > a then (c, d) else (a, b) with associative",
}

function total(first, last, o)
    for _, text in ipairs(helpers) do assert(t.let(text)) end
    local ran, refused, untyped = 0, {}, 0
    for seed = first, last do
        local text, run = program(seed), o.run and seed % o.run == 0
        local why = fault(text, o.sizes[seed % #o.sizes + 1], run)
        if why and why:find("^E04") then untyped = untyped + 1
        elseif why then refused[#refused + 1] = ("%d: let %s\n%s"):format(seed, text, why)
        elseif run then ran = ran + 1 end
    end
    if #refused > 0 then return table.concat(refused, "\n") end
    return ("%d lowered, %d of them run"):format(last - first + 1 - untyped, ran)
end

-- So many stages, one after the other, that each read the one before at n numbers around theirs; after(s): what is made of the last one.
local function stages(count, n, first, after)
    local s, lines = first, {}
    for k = 1, count do
        lines[k] = ("let s%d = generate %s (\\p -> %s[max 0 (p - 1)] / 2 + %s[p] + %s[min (%s - 1) (p + 1)]) "):format(k, n, s, s, s, n)
        s = "s" .. k
    end
    return ("%sin %s"):format(table.concat(lines), after and after(s) or s)
end
local windows = "x"
for _ = 1, 12 do windows = ("map (\\w -> w[0] / 2 + w[1] + w[2]) (slide 3 1 (pad 1 1 clamp (%s)))"):format(windows) end

-- What users wrote, and what was refused once. A is [N][M]f32, x and y are [N]f32, i [N]i32.
local written = {
    -- what is read in several places of what is read in several places
    stages(4, "N", "x"), stages(12, "N", "x"), "map (\\r -> " .. stages(12, "M", "r") .. ") A", windows,
    stages(9, "N", "x", function(s) return ("map (\\v -> v + reduce max 0 %s) %s"):format(s, s) end),
    "loop 3 (\\t k -> " .. stages(9, "N", "t") .. ") x",
    -- states that are arrays, in a map; starts that are rows or inputs; tuples as states, and parts of them
    "map (\\v -> loop 5 (\\s i -> map (\\q -> 0.5 * q) s) (replicate 4 v)) x",
    "loop 3 (\\s i -> map (\\q -> q + 1) s) A[0]",
    "map (\\r -> loop 3 (\\s i -> scan (+) 0 s) r) A",
    "reduceSeq (\\(s, r) -> map max (zip s r)) A[0] (drop 1 A)",
    "reduce (\\((s, n), (t, k)) -> (map (+) (zip s t), n + k)) (A[0], 0) (map (\\r -> (r, 1)) A)",
    "map (\\r -> (loop 5 (\\(s, c) i -> (map (\\q -> c * q) s, c * 0.5)) (map id r, 1.0)).0) A",
    "map (drop 2) (loop 3 (\\B i -> map (map (\\v -> v / 2)) B) A)",
    "map (\\v -> iterate 3 (\\u -> if u > 1 then u / 2 else u + 1) v) x",
    "loop 3 (\\(a, b) k -> (b, a)) (x, y)",
    "map (\\r -> (loop 3 (\\(a, b) k -> (b, map (+) (zip a b))) (r, reorder reverse r)).1) A",
    "map (\\v -> loop 2 (\\s i -> loop 2 (\\u k -> s) (map (\\q -> q + 1) s)) (replicate 3 v)) x",
    -- steps that only lay out, reduce by index, filter or scatter
    "iterate 3 (\\s -> reorder reverse s) x",
    "iterate 3 (\\s -> gather i s) x",
    "iterate 3 (\\s -> take N (padConst 1 0 0 s)) x",
    "iterate 2 (\\s -> reduceByIndex (+) (replicate N 0) (zip i s)) x",
    "iterate 2 (\\s -> (filter (\\v -> v > 1) 0 s).0) x",
    "iterate 2 (\\s -> scatter s (iota N) (reorder reverse s)) x",
    "map (\\r -> iterate 2 (\\s -> reorder (rotate 1) s) r) A",
    -- steps that leave the state as it is: in some rounds, not from some on; of arms that are not taken nothing is read
    "loop 5 (\\s k -> if k % 2 == 1 then map (\\v -> v + 1) s else s) x",
    "loop 5 (\\s k -> let n = k % 2 in let m = n * n in if m == 0 then s else map (\\v -> v + f32 m) s) x",
    "if reduce (+) 0 x < reduce (+) 0 y then map (\\v -> v + 1) x else loopWhile 3 (\\s -> s[0] > 100) (\\s -> map (\\v -> v / 2) s) y",
    "if reduce (+) 0 x > reduce (+) 0 y then map (\\v -> v + 1) x else loopWhile 3 (\\s -> s[0] > 100) (\\s -> map (\\v -> v / 2) s) y",
    "loop 2 (\\s p -> loop 2 (\\t q -> if q > p then t else generate N (\\j -> let k = bxor j (shl 1 (p - q)) in if k >= N then t[j] else t[j] + t[k])) s) x",
    -- states changed where they lie, after all that reads them
    "loop N (\\s k -> s with [k] = reduce (+) 0 s) x",
    "loop 3 (\\s k -> map (\\v -> v) s) (map (\\v -> v + 1) x)",
    "loop 3 (\\(s, t) k -> (s with [0] = t[0], t with [0] = s[0])) (x, y)",
    "loop 3 (\\s k -> (if s[k % N] > 2 then s with [0] = s[N - 1] else s) with [N - 1] = s[0]) x",
    "loop 3 (\\(B, s, n) k -> (B with [0] = map (+) (zip B[N - 1] B[0]), map (\\v -> v + B[0][0]) s, n + s[0])) (A, x, 0)",
    "loop M (\\B k -> loop N (\\C j -> if j > k then C else C with [j, k] = C[0][0] / 2 + C[j][k]) B) A",
    "loop N (\\B i -> let r = map (\\v -> v / 2) B[i] in (B with [i] = r) with [0] = map (+) (zip B[0] r)) A",
    "loop 3 (\\s k -> scatter s (iota N) (map (\\v -> v / 2) (reorder reverse s))) x",
    "loopWhile 9 (\\s -> s[0] < 9) (\\s -> s with [0] = s[0] + abs s[N - 1] + 1) x",
    "loop 3 (\\s k -> map (\\v -> v / 2) ((loop 2 (\\t j -> t with [j % N] = t[0] + s[k % N]) s) with [0] = s[0])) x",
    -- scans over arrays
    "scan (\\(a, b) -> map (+) (zip a b)) A[0] A",
    "scanSeq (\\(s, r) -> map (\\(p, q) -> p / 2 + q) (zip s r)) A[0] A",
    "map (\\v -> scan (\\(a, b) -> map max (zip a b)) [v, v] [[1, 2], [v, 4], [5, v]]) x",
    "map (\\r -> reduce (+) 0 r) (scan (\\(a, b) -> map (+) (zip a b)) A[0] A)",
    -- computed rows at shifted places
    "map (padConst 1 1 0 . map (\\v -> v + 1)) A",
    "map (\\r -> pad 1 1 clamp (scan (+) 0 r)) A",
    "map (\\r -> let s = map (\\v -> v * v) r in generate M (\\k -> s[max 0 (k - 1)] + s[k])) A",
    "map (\\r -> take M (padConst 1 0 0 (scan (+) 0 r))) A",
    "map (\\r -> concat (map (\\v -> v + 1) r) (reorder reverse (scan (+) 0 r))) A",
    "map (\\r -> let s = map (\\w -> reduce (+) 0 w) (slide 3 1 (pad 1 1 clamp r)) in map (\\w -> w[0] - w[2]) (slide 3 1 (padConst 1 1 0 s))) A",
    -- choosing between arrays
    "reduce (\\(s, t) -> if s[0] < t[0] then t else s) A[0] A",
    "let a = map (\\v -> v + 1) x in let b = scan (+) 0 y in if reduce (+) 0 a > reduce (+) 0 b then a else b",
    "map (\\(r, v) -> if v > 1 then scan (+) 0 r else r) (zip A x)",
    "reduce (\\((r, k), (s, l)) -> if reduce max 0 s > reduce max 0 r then (s, l) else (r, k)) (A[0], 0) (zip A (iota N))",
    "reduceByIndex (\\(r, s) -> if s[0] > r[0] then s else r) (replicate 4 (replicate M 0)) (zip (map (\\k -> k % 4) i) A)",
    "reduceByIndex (\\(r, s) -> map (+) (zip (reorder reverse r) s)) (replicate 4 (replicate M 0)) (zip (map (\\k -> k % 4) i) A)",
    -- short lists; scatter, filter and reductions by index in a work-item
    "map (\\r -> reduceSeq (\\(l, d) -> if d >= l[4] then l else generate 5 (\\j -> if l[j] < d then l[j] else if j > 0 && l[max 0 (j - 1)] >= d then l[max 0 (j - 1)] else d)) (replicate 5 inf) r) A",
    "map (\\r -> (filter (\\v -> v > 1) 0 r).0) A",
    "map (\\r -> reduceByIndex (+) (replicate 3 0) (map (\\v -> (i32 v % 3, v)) r)) A",
    "map (\\v -> scatter x [0] [v]) y",
    -- generates that reduce or scan, lists of rows, one value as two components
    "generate N (\\n -> scan (+) 0 (generate M (\\m -> A[n][m] * x[n])))",
    "[map (\\v -> v + 1) x, map (\\v -> v * 2) y]",
    "replicate 1 (map (\\v -> v + 1) x)",
    "let s = map (\\v -> v + 1) x in (s, s, reduce (+) 0 s)",
    "reduceByIndex (\\(a, b) -> if a < b then b else a) (replicate 3 0) (zip i x)",
    "reduceByIndex (\\(a, b) -> a + b + a * b) (replicate 3 0) (zip i x)",
    -- reductions of what is no row of its own, for each element of a map
    "map (\\v -> map (reduce (+) v) (split M (join (map (\\u -> if u < 0 then A[0] else A[N - 1]) x)))) y",
    -- states that change places, in tuples of tuples; scans of small matrices, of rows of columns; tables
    "loop 5 (\\(a, b, c) k -> (c, a, b)) (x, y, map (+) (zip x y))",
    "map (\\r -> (loop 3 (\\((a, b), n) k -> ((b, a), n + a[0])) ((r, reorder reverse r), 0)).0.1) A",
    "scan (\\(p, q) -> map (\\r -> map (\\c -> reduce (+) 0 (map (*) (zip r c))) (transpose q)) p) [[1, 0], [0, 1]] (map (\\v -> [[v, 1], [1, 0]]) x)",
    "let f = map (scan (+) 0) A in let g = map (scan max 0) (transpose f) in map (scan (+) 0) (transpose g)",
    "map (\\k -> [3, 1, 4, 1, 5][k % 5] * x[k]) i",
    -- bits that are rotated
    "map (\\k -> let u = u32 k in bor (shl u 3) (shr u 29)) i",
}

-- Those that do not lower, or are wrong, at these sizes.
function refused(sizes, run, launches)
    local found = {}
    for _, body in ipairs(written) do
        local why = fault("f (A: [N][M]f32) (x: [N]f32) (y: [N]f32) (i: [N]i32) = " .. body, sizes, run, launches)
        if why then found[#found + 1] = body .. "\n" .. why end
    end
    return #found > 0 and table.concat(found, "\n") or "none"
end
