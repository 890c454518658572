-- indices: programs that read arrays by the numbers of their loops, as maps over these arrays. What loops read then is what rules for maps,
-- windows and columns are about.

local base, L = require "base", require "combinators"
local R, places, set = base.R, base.places, base.set

local WINDOW = 64                        -- elements of a window that constants reach into, at most
local LAST = math.huge
local elements = set("at")
local layouts = base.merged(base.prims "dims", set("map", "at"))    -- and what may be one

-- The loop that the number at index place e counts, which is a map over numbers, or over such beside others; nil: it is no such number.
local function loop_of(e)
    local loop = e.term.kind == "var" and e:binder()
    if not loop then return nil end
    local over = loop.term.prim == "generate" and loop.term or loop.term.prim == "map" and loop.term:slot("in")
    local counts = over and (over.prim == "generate" or over.prim == "zip" and base.any(over.children, function(t) return t.prim == "generate" end))
    return counts and loop or nil
end

-- How far out the loop of an index stands: the level of its place; numbers that are none of a loop stand within all of them.
local function level(e)
    local loop = loop_of(e)
    return loop and loop.level or LAST
end

local function difference(a, b) return a and b and (a - b).value end

-- A layout of one array.
local function is_layout(t) return t.layout_node and t.prim ~= "zip" and t.prim ~= "at" or t.layout_map end

-- The form of an index

-- The number that an index adds to that of a loop, or takes from it, between the ends of the array or round them, too, and the place of that; nil:
-- another form.
local function shift_of(e)
    local t = e.term
    if t.kind == "var" then return 0, e end
    if t.prim == "max" or t.prim == "min" then e, t = e:go("1"), t:slot(2)
    elseif t.prim == "%" then e, t = e:go("0"), t:slot(1) end
    local c = (t.prim == "+" or t.prim == "-") and t:slot(2).kind == "literal" and tonumber(t:slot(2).text)
    return c and (t.prim == "+" and c or -c), c and e:go("0")
end

-- The array, or what holds it, that is read at p, in which dimension, and its row for a loop.
local function key_of(loop, t)
    local dimension = 0
    while (t.prim == "at" or is_layout(t)) and t:slot("in") do
        if t.prim == "at" then dimension = dimension + 1 end
        t = t:slot("in")
    end
    return loop.place .. " " .. dimension .. " " .. t.text
end

-- How far each loop at and below p reaches in each array that it reads: elements before and behind its own; alone: it reads one only.
local function reaches_of(p)
    local reaches = {}
    for q in places(p, elements) do
        local c, number = shift_of(q:go("index"))
        local loop = number and loop_of(number)
        if loop then
            local key = key_of(loop, q.term:slot("in"))
            local r = reaches[key] or {0, 0, first = c, alone = true}
            reaches[key] = {math.max(r[1], -c), math.max(r[2], c), first = r.first, alone = r.alone and r.first == c,
                            wraps = r.wraps or q.term:slot("index").prim == "%"}
        end
    end
    return reaches
end

-- Read x[i + c] as element i of drop c x where the loop reads nothing else of x, which needs no windows; else as element c of a window at i; x is
-- padded where the loop runs past its end, by elements that are not used.
local function window_of_constants(p, reaches)
    local c, number = shift_of(p:go("index"))
    local loop = number and loop_of(number)
    local reach = loop and p.term:slot("in").prim ~= "slide" and reaches[key_of(loop, p.term:slot("in"))]
    local over = reach and difference(p.term:slot("in").length, loop.term.length)
    local e = p.term:slot("index")
    if over and reach.alone and c >= 0 then
        if c == 0 then return nil end
        if c <= over and e.prim == "+" then return R("atDrop", {c = c}).run(p) end
    end
    if not over or over < 0 or over >= WINDOW then return nil end
    if reach.wraps then
        if reach.alone or math.max(reach[1], reach[2]) > (p.term:slot("in").length:known() or 1) then return nil end
        local sides = {l = reach[1], r = reach[2]}
        if c == 0 then return R("atWrap", sides).run(p) end
        sides.d = reach[1] + c
        return e.prim == "%" and R(c < 0 and "atWrapBefore" or "atWrapBehind", sides).run(p) or nil
    end
    if over > 0 then return (c == 0 and R("atWindowFirst", {k = over + 1}) or R("atWindow", {k = over + 1})).run(p) end
    if c == 0 then return R("atPad", {l = reach[1], r = reach[2]}).run(p) end
    local args = {l = reach[1], r = reach[2], d = reach[1] + c}
    local clamps = e.prim == "max" or e.prim == "min"
    return R(clamps and (c < 0 and "atClampBefore" or "atClampBehind") or c < 0 and "atPadBefore" or "atPadBehind", args).run(p)
end

-- The loop whose number, or so many times that, stands at e, and how many times: one, or what the other factor is if that is a number.
local function loop_times(e)
    if e.term.prim ~= "*" then return loop_of(e), 1 end
    for k = 0, 1 do
        local loop = loop_of(e:go(tostring(k)))
        if loop then return loop, tonumber(e.term:slot(2 - k).text) end
    end
end

-- A sum of the numbers of two loops: the outer one numbers windows, so many elements apart as it is multiplied by, which are as long as the inner
-- one counts; where that is multiplied, every so-manieth element of one.
local function window(p)
    local outer, inner, apart = loop_times(p:go("index", "0")), loop_times(p:go("index", "1"))
    if not outer or not inner then return nil end
    if outer.level > inner.level then return window(R("atSumTurned").run(p)) end
    local k = apart and {k = (inner.term.length - 1) * apart + 1}
    if not k then return nil end
    local step = R("atWindowStep", k)
    return p:go("index", "0").term.prim == "*" and L.alt(step, R("atPartTurned") * step).run(p) or R("atWindow", k).run(p)
end

-- Elements of chunks: of as many as there are whole ones, or on the condition that there are only such.
local function in_chunks(split, stride)
    return {["+"] = L.alt(split, R("atSumTurned") * split, R("atPartTurned") * split, R("atSumTurned") * R("atPartTurned") * split),
            ["*"] = L.alt(stride, R("atProductTurned") * stride, R("atEvery"), R("atProductTurned") * R("atEvery"))}
end
local whole_chunks, only_chunks = in_chunks(R("atSplitFloor"), R("atStrideFloor")), in_chunks(R("atSplit"), R("atStride"))
local as_windows = {["+"] = L.fail, ["*"] = whole_chunks["*"]}      -- slideFloor s s
local round = L.alt(R("atRotate"), R("atRotateBack"), R("atRotateRound"))

local same_round = L.alt(R("atRoundBefore"), R("atRoundTurned"), R("atRoundBehind"))

-- Elements of arrays joined, padded and repeated

-- How many elements the loop at number e counts beyond those of x, and that loop; nil: it counts none, or so many are not known.
local function beyond(e, x)
    local loop = e and loop_of(e)
    local over = loop and difference(loop.term.length, x.length)
    return over, loop
end

-- Is the value at e computed of the number of a loop for which is(loop)? Through names.
local function counts(e, is)
    for v in places(e) do
        local loop, named = loop_of(v), v.term.kind == "var" and v:value()
        if loop and is(loop) or named and counts(named, is) then return true end
    end
    return false
end

-- Is an array read at or below p by such a value?
local function reads_by_number(p, is)
    for q in places(p, elements) do
        if counts(q:go("index"), is) then return true end
    end
    return false
end

local function is_of(loop) return function(l) return l.place == loop.place end end

-- The loop whose number the comparison at p is of, and how it is computed of it: i, i - n, i % s.
local function compared(p)
    local e = p.term.children and p:go("0")
    local loop, part = e and loop_of(e), e and p:go("0", "0")
    if loop or not part then return loop, "i" end
    return loop_of(part), e.term.prim
end

-- The comparison at p in the spelling that rules know: i < n, i >= n, i % s == 0; nil: it is.
local turned = {["<"] = R("lessTurned"), [">"] = R("lessTurned.rev"), ["<="] = R("atMostTurned"), [">="] = R("atMostTurned.rev"), ["=="] = R("equalTurned")}
local function respelt(p)
    local op, loop, form = p.term.prim, compared(p)
    if op == "!=" then return R("unequal").run(p) end
    if not loop then return turned[op] and compared(turned[op].run(p)) and turned[op].run(p) or nil end
    local k = {k = loop.term.length}
    if form == "%" then return R("indexOdd", k).run(p) end
    if form == "-" then return L.alt(R("indexLess", k), R("indexFrom", k)).run(p) end
    return L.alt(R("indexAbove", k), R("indexUpTo", k), R("indexFirst", k), R("indexLast")).run(p)
end

local apart = L.alt(R("choiceNot"), R("choiceOfTwo"), R("choiceOfEither"))

-- The choices at p, one by a comparison each, in one spelling: where one side reads by the number that is compared it stands first, where both do
-- it asks for the lower numbers. nil: they ask for something else, too.
local function spelt(p)
    local t = p.term
    if t.prim ~= "if" then return p end
    local r = apart.run(p)
    if not r then
        r = respelt(p:go("cond"))
        r = r and r:at(p)
    end
    if r then return spelt(r) end
    local op, loop = t:slot("cond").prim, compared(p:go("cond"))
    if not loop or op ~= "<" and op ~= ">=" and op ~= "==" then return nil end
    local first, second = reads_by_number(p:go("then"), is_of(loop)), reads_by_number(p:go("else"), is_of(loop))
    local k = {k = loop.term.length}
    if op == ">=" and second then p = R("choiceLess.rev", k).run(p)
    elseif op == "<" and second and not first then p = R("choiceLess", k).run(p) end
    for _, side in ipairs{"then", "else"} do
        local q = p and spelt(p:go(side))
        p = q and q:at(p)
    end
    return p
end

-- The choices at p and below, of which each has the other's second value, the outermost loop's first, and of one loop the one from below.
local function sorted(p)
    local inner = p:go("then")
    if inner.term.prim ~= "if" then return p end
    local s = sorted(inner)
    p = s:at(p)
    inner = p:go("then")
    local a, b = compared(p:go("cond")), compared(inner:go("cond"))
    if a.level < b.level or a.level == b.level and (p.term:slot("cond").prim == ">=" or inner.term:slot("cond").prim == "<") then return p end
    local r = R("choicesTurned").run(p)
    return r and sorted(r) or p
end

-- The first elements of what is read at q, as many as its loop counts.
local function first_of(q, n) return difference(q.term:slot("in").length, n) == 0 and q or R("atTake", {n = n}).run(q) end

-- The element at p, read by the number of that loop last.
local function read_last(p, loop)
    if counts(p:go("index"), is_of(loop)) then return p end
    local row = p:go("in")
    if is_layout(row.term) then row = R("atLayout").run(row) end
    row = row and row.term.prim == "at" and read_last(row, loop)
    return row and R("atTranspose").run(row:at(p))
end

-- The element at p, read by the numbers of outer loops first, though it be one of a layout.
local function read_in_order(p)
    local row = p:go("in")
    if row.term.prim ~= "at" and is_layout(row.term) then
        local r = row:go("in").term.prim == "at" and R("atLayout").run(row)
        if not r then return p end
        p = r:at(p)
        row = p:go("in")
    end
    if row.term.prim ~= "at" then return p end
    if level(p:go("index")) < level(row:go("index")) then p = R("atTranspose").run(p) end
    return read_in_order(p:go("in")):at(p)
end

-- An element where the choices at p say that there is one, another value elsewhere: the innermost loop's padded first.
local function padded(p)
    local loop, within = compared(p:go("cond")), p:go("then")
    local pair = within.term.prim == "if" and compared(within:go("cond")).place == loop.place
    local element = pair and within:go("then") or within
    if element.term.prim == "if" then element = padded(element) end
    element = element and element.term.prim == "at" and read_last(element, loop)
    if not element then return nil end
    local c, number = shift_of(element:go("index"))
    local over = c and beyond(number, element.term:slot("in"))
    local behind = over and {r = over + c}
    local r = element:at(p)
    if not behind then r = R("atSpread").run(r)
    elseif pair then r = R("atPadWithin", behind).run(r)
    else r = L.alt(R("atPadFirst"), R("atPadLast", behind), R("atPadWithin", behind)).run(r) end
    return r and read_in_order(first_of(r, loop.term.length) or r)
end

-- What all choices at p read by the same index of what they choose from: that index, behind the choices.
local function hoisted(p)
    local inner = p.term:slot("else").prim == "if" and hoisted(p:go("else"))
    return R("atChoice").run(inner and inner:at(p) or p)
end

local function literal_first(cond)
    local t = cond:slot(1)
    return t and t.kind == "literal"
end

-- The choice at p by a number below m, asked as number < n.
local function asked_below(p, m)
    local cond, k = p:go("cond"), {k = m}
    local turn = literal_first(cond.term) and turned[cond.term.prim]
    local r = L.alt(turn or L.fail, R("unequal"), R("indexFirst", k), R("indexLast"), R("indexAbove", k), R("indexUpTo", k)).run(cond)
    r = r and r:at(p) or R("choiceNot").run(p) or R("choiceLess.rev", k).run(p)
    return r and asked_below(r, m) or p
end

-- The choice at p of one of several arrays by a number below m, 0 for the first: a row of all of them.
local function one_of(p, m)
    p = asked_below(p, m)
    local rows = {n = p.term:slot("then").length, m = m}
    local r = rows.n and R("rowsFirst", rows).run(p)
    while r and r.term.prim == "if" do
        local q = L.try(R("indexNext", {m = m})).run(r)
        q = q.term:slot("else").prim == "if" and asked_below(q:go("else"), m):at(q) or q
        r = R("rowsNext", rows).run(q) or R("rowsLast", {n = rows.n}).run(r)
    end
    return r and L.normalize(R("concatSplit")).run(r)
end

-- The choice at p of one of several arrays by the number of a loop, or of several in turn.
local function one_or_in_turn(p)
    local cond = p:go("cond")
    local e = cond:go(literal_first(cond.term) and "1" or "0")
    local loop = e and loop_of(e)
    if loop then return one_of(p, loop.term.length) end
    local m, up = e and e.term.prim == "%" and tonumber(e.term:slot(2).text), p.slot == "in" and p:up()
    local r = m and up and one_of(p, m)
    return r and (R("atTranspose") * R("atJoin")).run(r:at(up))
end

-- The choices at p, spelt, between elements of arrays, one behind the other, by the number of a loop: an element of all of them.
local function one_behind_other(p)
    local loop = p.term.prim == "if" and compared(p:go("cond"))
    if not loop then return nil end
    local k = {k = loop.term.length}
    p = L.try(L.normalize(L.alt(R("choiceWithin", k), R("choiceOutside", k), R("choiceInside", k), R("atTwice")))).run(p)
    while p and p.term:slot("else").prim == "if" do p = R("atConcatNext", k).run(p) end
    return p and R("atConcat").run(p)
end

-- The choice at p by the number of a loop: an element of several arrays, one behind the other or in turn, or of one with a value before, between or
-- behind its own.
local function choice(p)
    if p.term.prim ~= "if" then return nil end             -- between an array and itself
    local q = hoisted(p)
    local r = q and choice(q:go("in")) or one_or_in_turn(p)
    if r then return r end
    local c = spelt(p)
    return c and (one_behind_other(c) or padded(sorted(c))) or nil
end

-- The element at p, read from end to end, several times, beyond the ends, or from so far on as sizes say.
local function repeated(p)
    local e, x = p.term:slot("index"), p.term:slot("in")
    if e.prim == "%" then
        local loop = loop_of(p:go("index", "0"))
        if loop then return R("atCycle", {m = loop.term.length // x.length}).run(p) end
        local c, number = shift_of(p:go("index", "0"))
        local over = c and beyond(number, x)
        return over and over + c >= 0 and R("atRound", {r = over + c}).run(p) or nil
    end
    if e.prim == "+" then return L.alt(R("atDrop"), R("atSumTurned") * R("atDrop")).run(p) end
    if e.prim ~= "max" and e.prim ~= "min" then return R("atRepeat").run(p) end
    local inner = p:go("index", "1", "1")          -- of max 0 (min n i)
    if not inner then return nil end
    local c, number = shift_of(inner)
    local over = c and beyond(number, x)
    return over and over + c >= 0 and L.alt(R("atClamp", {r = over + c}), R("atClampTurned", {r = over + c})).run(p)
end

-- The element at p by another index: one that is the number of a loop, or a constant.
local function formed(p, reaches, chunks, also)
    local e = p.term:slot("index")
    local function plain()
        if e.prim == "%" then return R("atJoin").run(p) or window_of_constants(p, reaches) or round.run(p) end
        if e.prim == "*" then return chunks["*"].run(p) end
        return window_of_constants(p, reaches) or e.prim == "-" and R("atReverse").run(p) or e.prim == "+" and (chunks["+"].run(p) or window(p))
    end
    return plain() or also and also(p) or nil
end

-- Elements of the diagonal of a square, which is cut out of what has more rows or columns.
local function diagonal(p)
    local row = p.term.prim == "at" and p:go("in")
    local loop = row and row.term.prim == "at" and loop_of(p:go("index"))
    local other = loop and loop_of(row:go("index"))
    if not other or other.place ~= loop.place then return nil end
    local n = loop.term.length
    local square = first_of(p, n)
    if square and square.term:slot("in").prim == "take" then square = R("atLayout").run(square:go("in")) end
    square = square and first_of(square:at(p):go("in"), n)
    square = square and square:at(p)
    return square and R("atDiagonal", {n = n + 1}).run(square) or R("atDiagonal", {n = p.term:slot("in").length + 1}).run(p)
end

-- The order of indices: the outermost loop's first

local function ordered(p)
    local row = p.term.prim == "at" and p:go("in")
    if not row or row.term.prim ~= "at" or level(p:go("index")) >= level(row:go("index")) then return nil end
    return R("atTranspose").run(p)
end

-- Is an element read of what is made, by layouts, of the value at p?
local function is_read(p)
    local up = p.slot == "in" and p:up()
    return up and (up.term.prim == "at" or is_layout(up.term) and is_read(up))
end

-- A layout of a row that a loop, or a constant, numbers, of all rows.
local function layout_out(p)
    local row = is_layout(p.term) and p:go("in")
    local e = row and row.term.prim == "at" and row:go("index")
    return e and (loop_of(e) or e.term.kind == "literal" and is_read(p)) and R("atLayout").run(p) or nil
end

-- Of each row that the map at p is over the element that the number of a loop around it names: the map over these elements.
local function column(p)
    local t = p.term
    if t.prim ~= "map" or not t:slot("in").is_layout or not t:slot("f"):contains("at") then return nil end
    for q in places(p:go("f"), elements) do
        local row = q:go("in")
        local of, loop = row.term.kind == "var" and row:binder(), loop_of(q:go("index"))
        if of and loop and of.place == p.place and loop.level < p.level then return L.alt(R("atColumn"), R("atColumnZip")).run(p) end
    end
end

-- Loops over what they read

local function fits(t, n)
    local over = difference(t.length, n)
    local length, loop = t.length:known(), n:known()
    return over and over >= 0 or length and loop and length >= loop
end

-- Is an array, as long as the map at p at least, read in it by the number of the map?
local function reads(p)
    for q in places(p:go("f"), elements) do
        local loop = loop_of(q:go("index"))
        if loop and loop.place == p.place and fits(q.term:slot("in"), p.term.length) then return true end
    end
    return false
end

local function over_elements(p) return reads(p) and L.alt(R("atAll"), R("atElement"), R("atElementZip")).run(p) or nil end

local function made_by_number(p)
    local numbered = p.term:slot("f").kind ~= "var" and reads_by_number(p, function(loop) return loop.place == p.place end)
    return numbered and R("generateMap").run(p) or nil
end

-- Windows of rows stand before those of columns, and layouts of each row, one behind another, are one function, the outermost first: slide2, slide3,
-- every.
local function of_first_rows(t)
    local rows = t.prim == "slide" and t:slot("in")
    return rows and rows.prim == "map" and is_layout(rows) and rows:slot("in").prim == "take"
end
local function of_every_row(t)
    local joined = t.prim == "map" and is_layout(t) and t:slot("in")
    return joined and joined.prim == "join" and joined:slot("in").prim == "slide"
end
local rows_first = L.alt(L.where(of_first_rows, L.slot("in", R("mapTake"))), L.where(of_every_row, R("mapJoin")))        -- slideFloor2, every2
local windows = L.normalize(L.alt(R("takeAll"), R("zipTwice"), R("zipDrop"), R("mapId"), R("slideLayout"), R("padRows"), rows_first))
local function two_layouts(t) return t.prim == "map" and is_layout(t) and t:slot("in").prim == "map" and is_layout(t:slot("in")) end
-- Windows of elements some apart, of rows of which there are such windows already, stand behind what changes their order: slideDilated2, slideDilated3.
local function every_of_rows(t)
    local in_each = t.prim == "map" and is_layout(t) or t.prim == "transpose"
    if in_each then return every_of_rows(t:slot("in")) end
    local joined = t.prim == "join" and t:slot("in").prim == "slide" and t:slot("in"):slot("in")
    return joined and joined.prim == "map" and is_layout(joined)
end
local function of_apart(t) return t.prim == "map" and every_of_rows(t:slot("f")) end
local function behind_order(p)
    if p.term:slot("f").prim == "join" then return p end
    p = R("mapFission").run(p)
    local every = p.term:slot("in"):slot("f").prim == "join"
    return every and p or R("mapFusion").run(behind_order(p:go("in")):at(p))
end
local apart_first = L.where(of_apart, R("slideLayoutFirst")) * L.try(L.slot("in", rows_first)) * base.new("behind order", behind_order)
local tidy = L.try(windows) * (L.topdown(L.where(two_layouts, R("mapFusion"))) * L.try(windows)) ^ 0 * L.topdown(apart_first) ^ 0

-- Is an array read at or below p by a product?
local function reads_chunks(p)
    for q in places(p, elements) do
        if q.term:slot("index"):contains("*") then return true end
    end
    return false
end

-- Is an array read at or below p by such a value, and by none of a form that no rule takes (a name's, a choice)? That one would stay.
local forms = set("+", "-", "*", "%", "/", "//", "max", "min")
local function reads_by_forms(p, is)
    local found = false
    for q in places(p, elements) do
        local e = q:go("index")
        if not e then return false end                       -- deeper than places go
        if counts(e, is) then
            if not forms[e.term.prim or ""] and not loop_of(e) then return false end
            found = true
        end
    end
    return found
end

local function sweep(p, phase) return base.exhaust(p, phase, true) end

-- The loops at and below p over what they read; nil: they read nothing by their numbers, or something still would be. joins: where they choose
-- between arrays, or read them several times, over these joined, padded, repeated.
local function by_elements(p, joins)
    local function within(loop) return loop.level >= p.level end
    if not p.term:contains("at") or not reads_by_forms(p, within) then return nil end
    local from = sweep(p, {R("atQuotient").run, elements})
    if joins then from = sweep(from, {choice, set("if")}) end
    from = sweep(from, {made_by_number, set("generate")})
    from = sweep(from, {same_round.run, elements})
    local reaches = reaches_of(from)
    local function over(chunks)
        local r = sweep(from, {function(q) return formed(q, reaches, chunks, joins and repeated) end, elements})
        r = sweep(sweep(r, {function(q) return layout_out(q) or diagonal(q) or ordered(q) or column(q) end, layouts}), {over_elements, set("map")})
        return not reads_by_number(r, within) and L.try(tidy).run(r) or nil
    end
    local made, chunks = over(whole_chunks), reads_chunks(from)
    local windows = joins and chunks and over(as_windows)
    if windows and made and made.term:contains("take") and windows.term.size <= made.term.size then made = windows end
    return made or chunks and over(only_chunks) or nil
end

local loops = set("map", "generate")

-- The loops at and below c over what they read. longest(q): of how many nodes those over arrays joined, padded or repeated may be at q; nil: none are.
local function all_by_elements(c, longest)
    local lowered = c.term.has_parallel
    local q, r = c.term:contains("at") and c.term:contains("generate") and not lowered and places(c, loops)(), nil
    while q do
        local made, joined = by_elements(q), longest and by_elements(q, true)
        if joined and (made and joined.term.size <= made.term.size or not made and joined.term.size < longest(q)) then made = joined end
        r = made or r
        q = (made or q):next(c, loops)
    end
    return r and r:at(c)
end

local function no_longer(q) return q.term.size + 1 end
local function of_any_length() return math.huge end

base.macro_at("indicesToElements", "", "arrays that are read by the numbers of loops are what the loops are over: rows, columns, windows, chunks, arrays joined",
    function(c) return all_by_elements(c, no_longer) or all_by_elements(c, of_any_length) end, "arrays that are read by the numbers of loops")

-- run: for kernels, which choose between two arrays, or divide a number, for less than joined arrays take.
return {run = function(c) return all_by_elements(c) end}
