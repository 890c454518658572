-- cuts: where `lower` cuts a nest in several, or makes one of several, before each gets its shape: contractions in what a map does, batches,
-- columns of which arrays are made, what is the same for every element.

local base, L = require "base", require "combinators"
local blocking, lengths, takes_columns = require "blocking", require "lengths", require("columns").takes_columns
local R, reduceNest, is_map, nested_map, known = base.R, blocking.reduceNest, blocking.is_map, blocking.nested_map, lengths.known
local contains_any, SPECIAL, layouts_out = blocking.contains_any, blocking.SPECIAL, require("macros").layouts_out

-- Two nested maps around a reduction, over arrays that do not depend on each other: their elements are used again.
local contraction = L.where(reduceNest, R("mapInterchange"))

-- In the function of a map over rows: its first fold; nil: none, or it makes arrays.
local function folded(c)
    local q = base.find(c:go("f"), function(t) return t.prim == "reduce" or t.prim == "scan" end)
    return q and (q.term.prim == "scan" or not q.term.is_array) and q or nil
end

-- A computing map in the function of the map at c that folds for its elements over what comes from around it; nil: none.
local function reuses(c)
    return base.find(c:go("f"), function(t)
        return is_map(t) and not t.closed_function and t:slot("f"):contains("reduce") and not t:slot("f").is_array
    end)
end

-- Two rules, of which the first is for a zip, whose components that nobody reads are dropped.
local drop = L.normalize(R("zipDrop"))
local function of_zip_or(zipped, plain) return L.seq(L.alt(zipped, plain), drop) end
local letOut = of_zip_or(R("letZipOut"), R("letOut"))

-- Does that condition hold for few of many numbers, as i == j does, or fail for few?
local is_rare
function is_rare(cond, equal, both)
    return cond.prim == equal or cond.prim == both and base.any(cond.children, function(side) return is_rare(side, equal, both) end)
end
-- Is a reduction in t asked for by few elements alone? Made by a map of its own it would be made for all.
local rarely_reduces
function rarely_reduces(t)
    if not t:contains("reduce") then return false end
    local chosen = t.prim == "if" and (t:slot("then"):contains("reduce") and is_rare(t:slot("cond"), "==", "&&")
                                       or t:slot("else"):contains("reduce") and is_rare(t:slot("cond"), "!=", "||"))
    return chosen or base.any(t.children, rarely_reduces)
end
local function for_many(rule) return L.where(function(t) return is_map(t) and not rarely_reduces(t:slot("f")) end, rule) end
local reduceOut = for_many(of_zip_or(R("reduceZipOut"), R("reduceOut")))
local inputOut = L.seq(of_zip_or(R("inputZipOut"), R("inputOut")), L.slot("in", L.try(L.slot("0", drop))))
local named = L.where(function(t)
    local body = is_map(t) and t:slot("f")
    return body and body.prim == "let" and body:slot("value"):contains("reduce")
end, letOut)

-- A map of what a map makes, as two. What reduces for the same array each time comes out alone where it can.
local reductionsOut = for_many(of_zip_or(R("reductionsZipOut"), R("reductionsOut")))
local of_zip = L.where(function(t)
    local x = is_map(t) and t:slot("f"):slot("in")
    return x and x.prim == "zip"
end, reductionsOut)
local rowsOut = L.alt(L.seq(R("mapMapZipOut"), R("broadcastRows")), of_zip, R("mapMapOut"),
                      L.seq(R("zipOuterOut"), drop, L.slot("in", L.slot("0", drop))), inputOut)

base.macro("contractionOut", "",
    "a contraction in what a map does becomes a nest of its own: names before it, and what is done with its elements, are maps apart",
    function() return L.alt(letOut, L.seq(L.slot("f", L.alt(named, reduceOut)), rowsOut)) end)

local function reductions_in(t)
    if not t:contains("reduce") then return 0 end
    local n = t.prim == "reduce" and 1 or 0
    for _, child in ipairs(t.children) do n = n + reductions_in(child) end
    return n
end
local function has_two_reductions(t) return reductions_in(t) > 1 end

-- A reduction that is the same for every element of a map, which a function makes, is made before it.
local invariantsOut = L.normalize(L.alt(R("reduceInvariantOut"), R("reductionsInvariantOut")))

-- The map at q: reductions of what a map inside reads that are the same for every element are made before it, and those that are the same
-- for every element of what it reads itself before the nest.
local innerOut = L.alt(R("reduceInnerOut"),
                       L.seq(L.slot("f", L.slot("f", L.topdown(reduceOut))), R("reductionsInnerOut"), L.slot("body", L.slot("f", drop))))
local function invariants(q)
    if not is_map(q.term) or reductions_in(q.term:slot("f")) == 0 then return q end
    local inner = nested_map(q)
    return inner and has_two_reductions(inner.term:slot("f")) and innerOut.run(q) or invariantsOut.run(q)
end

-- The same for each element of a batch, at q.
local of_batch
function of_batch(q)
    local inner = nested_map(q)
    local r = inner and not contraction.run(inner) and (L.contractionOut.run(inner) or of_batch(inner))
    return r and rowsOut.run(r:at(q))
end

-- What the contraction at q makes of the elements of one operand alone, for each of the other's many rows, is made before it: the place of
-- all that; nil: that is nothing, or not worth it.
local MANY = 32
local arithmetic = {"+", "-", "*", "/", "sqrt", "rsqrt"}
local makes = L.where(function(t) return is_map(t) and (contains_any(t:slot("f"), arithmetic) or contains_any(t:slot("f"), SPECIAL)) end, L.id)
local rowsMade = L.seq(L.alt(R("rowsMade"), R("rowsMadeZip"), R("rowsWeighted")), L.slot("in", makes))
local columnsMade = L.seq(L.slot("f", L.seq(L.alt(R("columnsMade"), R("columnsMadeZip"), R("columnsWeighted")), L.slot("in", makes))), R("mapInvariantOut"))
local operandsFirst = L.seq(L.try(L.operandsPaired), L.alt(L.seq(rowsMade, L.try(columnsMade)), columnsMade))
local function operands_made(q)
    local inner = nested_map(q)
    if not inner or (known(q.term) or 0) < MANY or (known(inner.term) or 0) < MANY then return nil end
    return operandsFirst.run(q)
end

-- Reductions so long that what they make is worth a place in memory, though it is only reduced again.
local DEEP = 128
local function makes_deep(q)
    local fold = folded(reuses(q))
    local n = fold and known(fold.term:slot("in"))
    return n and n >= DEEP
end

-- Sums of rows whose elements are deep contractions, or of long ones of less deep ones: the rows are a matrix of their own, unless that is
-- larger than memory may be.
local DEEP_ELEMENTS, ELEMENTS, LONG_ROW = 64, 16, 256
-- The map of reductions at q, or which comes out of what q maps, past names of scalars.
local function sums_of(q)
    local p = q.term:slot("f").prim == "reduce" and q or L.alt(reduceOut, L.seq(letOut, L.try(reduceOut))).run(q)
    for _, slot in ipairs({"in", "0"}) do
        if p and not (is_map(p.term) and p.term:slot("f").prim == "reduce") then p = p:go(slot) end
    end
    return p and is_map(p.term) and p.term:slot("f").prim == "reduce" and p
end

local rows_apart
function rows_apart(q, around)
    local inner, n = nested_map(q), (around or 1) * (known(q.term) or math.huge)
    if inner then
        local r = rows_apart(inner, n)
        return r and rowsOut.run(r:at(q))
    end
    local row = reuses(q)
    local fold, m = row and folded(row), row and known(row.term)
    local length = fold and known(fold.term:slot("in"))
    if not m or not length or length < (m < LONG_ROW and DEEP_ELEMENTS or ELEMENTS) or not lengths.fits_in_memory(n * m) then return nil end
    local out = reductionsOut.run(q)
    local sums = not out and sums_of(q)
    return out or sums and R("reduceFission").run(sums)
end

-- What is done with the elements that the map at q reads, which are made of a contraction's, in one map.
local fusedElements = L.seq(R("mapFusion"), L.slot("f", L.try(R("mapFusion"))))
local function elements_joined(q)
    local x = is_map(q.term) and not q.term:contains("scan") and not q.term:slot("f"):contains("reduce") and q:go("in")
    if not x or not is_map(x.term) or contraction.run(x) or not reuses(x) then return q end
    local r = L.contractionOut.run(x)
    local p = r and elements_joined(r)
    return p and is_map(p.term) and fusedElements.run(p:at(q)) or q
end

-- What is reduced for the elements that a map in nested maps reads beside others is made where they are read.
local zippedIn = L.normalize(L.seq(L.where(function(t)
    local zip = is_map(t) and t:slot("in")
    return zip and zip.prim == "zip" and base.any(zip.children, function(x) return is_map(x) and x:slot("f").prim == "reduce" end)
end, L.slot("in", R("zipMap"))), R("mapFusion")))

-- Names come out of expressions, to where contractions are looked for; not past a choice, which may guard what they read.
local function chooses(t) return t:contains("if") or t:contains("&&") or t:contains("||") end
local floated = L.rep(L.where(function(t) return t.prim ~= "let" and not t.is_array and not chooses(t) end, R("letFloat")))
-- An array that is named for each pair of elements, each of its elements made by itself, is made where it is read: it would be stored for all.
local remade = L.rep(L.where(function(t)
    local value = t.prim == "let" and t:slot("value")
    return value and is_map(value) and value.rank == 1 and not value:contains("reduce") and not value:contains("scan")
end, R("letDuplicate")))
local within = L.where(function(_, c) return nested_map(c) end, L.seq(L.slot("f", zippedIn), L.try(base.new("remade", function(c)
    local inner = nested_map(c)
    local r = inner and L.slot("f", remade).run(inner)
    return r and r:at(c)
end))))
local prepared = L.seq(L.slot("f", floated), L.try(within))

-- The nest at q, cut where it contains contractions; what it reads comes first.
local function cut(q)
    local n = 0
    q = is_map(q.term) and reuses(q) and prepared.run(q) or q
    while is_map(q.term) and reuses(q) and n < 8 do
        local r = not contraction.run(q) and (L.contractionOut.run(q) or of_batch(q) or makes_deep(q) and reductionsOut.run(q))
            or has_two_reductions(q.term:slot("f")) and rows_apart(q)
        if not r then break end
        q, n = r:at(q), n + 1
    end
    if n > 0 and q.term.prim ~= "let" then q = elements_joined(q) end
    return n > 0 and L.rep(R("letShare")).run(q) or q
end

-- columns and rows

-- Columns of which arrays are made, on a CPU: what is reduced of each is named and comes first, in vectors of columns; the elements are then
-- made by rows, as they lie in memory. The place; nil: they are no such.
local by_rows = L.seq(R("mapInterchangeZipOut"), L.slot("in", L.slot("in", L.try(R("transposeTranspose")))))
local function columns_cut(q)
    if not is_map(q.term) or not takes_columns(q.term) then return nil end
    local t = L.slot("f", L.seq(L.recompute, L.rowSteps)).run(q)
    local scalars = t.term:slot("f")
    while scalars.prim == "let" and not scalars:slot("value").is_array do scalars = scalars:slot("body") end
    if scalars == t.term:slot("f") or not is_map(scalars) or scalars:contains("reduce") then return nil end
    while t.term:slot("f").prim == "let" do
        t = letOut.run(t)
        if not t then return nil end
    end
    local r = L.seq(by_rows, L.rep(R("letShare"))).run(t)
    return r and r:at(q)
end

-- What is done with the elements of rows that are then joined is done with those of one long row.
local oneRow = L.normalize(L.alt(R("joinMap"), R("joinOfMaps"), L.seq(L.slot("in", R("mapMapOut")), R("joinMap")), R("joinZips"), R("joinZip"), R("mapId")))

-- The reduction at q of joined rows, each of which is made of more than its elements: of what each row is reduced to.
local function of_split(t) return t.prim == "split" or t.prim == "map" and of_split(t:slot("in")) end       -- chunks that somebody has made
local rowsReduced = L.seq(R("reduceReduce.rev"), L.slot("in", R("mapFusion")))
local function rows_reduced(q)
    local x = q.term.prim == "reduce" and q.term:slot("in")
    return x and x.prim == "join" and is_map(x:slot("in")) and not of_split(x:slot("in")) and rowsReduced.run(q) or nil
end

-- The rows of all elements of a batch as one array of rows.
local rowsAsOne = L.seq(R("rowsRejoined"), L.slot("in", oneRow))

-- The map that is at "in" of r.
local function map_in(r)
    local p = r and r:go("in")
    return p and is_map(p.term) and p or nil
end

-- Four maps in each other, more than a GPU has dimensions: as three, of the rows of all outer elements, or with the outermost within the others,
-- so that neighbours stay neighbours. The place of that; nil: there are fewer, or it can be neither.
local function fewer_dimensions(q)
    local inner = is_map(q.term) and nested_map(q)
    local deep = inner and nested_map(inner)
    deep = deep and nested_map(deep)
    if not deep then return nil end
    local r = map_in(rowsAsOne.run(q))
    if r then return r end
    local p = q
    for _ = 1, 3 do
        r = R("mapInterchange").run(p)
        if not r then return nil end
        p = r:go("in", "f")
    end
    return p:at(q):go("in")
end

-- Is every element of this array the same for all elements of the map around it? One that is looked up at an index is not.
local function is_shared(t)
    if t.prim == "at" and t:slot("index").kind ~= "literal" then return false end
    if t.prim == "zip" then return base.all(t.children, is_shared) end
    if t.kind == "input" or t.prim == "generate" then return true end
    local x = (t.is_layout or is_map(t)) and t:slot("in")
    return x and is_shared(x) or false
end

-- Nested sums as one sum, where no element is computed from another; not where each reads the same array again, which a cache then holds.
local flatSums = L.normalize(L.where(function(t)
    local of = t.prim == "reduce" and is_map(t:slot("in")) and t:slot("in"):slot("f")
    return of and of.prim == "reduce" and reductions_in(of) == 1 and not is_shared(of:slot("in"))
end, L.alt(R("reduceNested"), R("reduceReduce"), L.seq(L.slot("in", R("reduceFission")), R("reduceReduce")))))

-- Is what a reduction at or in t reads joined from rows that are computed, or of windows?
local function joins_made(t)
    local x, joined = t.prim == "reduce" and t:slot("in"), false
    while x and (is_map(x) and not x:slot("f").is_array or not joined and is_map(x) or x.prim == "join" or x.prim == "split" or x.prim == "transpose") do
        x, joined = x:slot("in"), joined or x.prim == "join"
    end
    return joined and x and (x:contains("slide") or not x.is_layout) or base.any(t.children, joins_made)
end

-- Arrays of arrays that are named in what a map does, each element made by itself, are named as one row.
local flatNames = L.normalize(L.where(function(t)
    local value = t.prim == "let" and t:slot("value")
    return value and is_map(value) and value.rank > 1 and not value:contains("reduce") and not value:contains("scan")
end, L.seq(L.slot("value", R("flattenMaps")), R("letSplitOut"))))
local unsplit = L.normalize(L.alt(R("joinSplit"), R("splitMap.rev")))

-- Sums of rows that are added up, each times a number: one sum of all.
local besideNumbers = L.alt(R("mapZipScalar"), L.seq(R("mapZipRotate"), R("mapZipScalar")))
local weightedSums = L.normalize(L.where(function(t)
    local of = t.prim == "reduce" and is_map(t:slot("in")) and t:slot("in"):slot("f")
    return of and of.prim == "*" and of:slot(2).prim == "reduce" and reductions_in(of) == 1
end, L.seq(L.slot("in", L.slot("f", L.seq(R("sumFactorIn"), L.slot("in", L.try(R("mapFusion")))))), R("reduceNested"), L.slot("in", L.slot("in", besideNumbers)))))

local function flat_sums(q)
    if not has_two_reductions(q.term) then return q end
    local rows = is_map(q.term) and not nested_map(q)
    local named = is_map(q.term) and L.slot("f", L.seq(flatNames, rows and weightedSums or L.id)).run(q)
    local r = (named and L.seq(flatSums, unsplit) or flatSums).run(named or q)
    r = r.root ~= q.root and oneRow.run(r)
    return r and not joins_made(r.term) and r or q
end

-- Rows that are reduced and of which arrays of arrays are made, as of a picture that is normalised: those as one long row, the splits last.
-- The place of the nest.
local flatRow = L.normalize(R("flattenMaps"))
local splitsOut = L.normalize(R("splitLetOut"))
local function long_row(q)
    local inner = is_map(q.term) and nested_map(q)
    if inner and not folded(inner) then return nil end
    local p
    if inner then p = long_row(inner)
    else
        p = q:go("f")
        while p and p.term.prim == "let" do p = p:go("body") end
        if not p or not is_map(p.term) or p.term.rank < 2 or p.term:slot("f"):contains("reduce") then return nil end
        local r = flatRow.run(p)
        p = r.root ~= p.root and splitsOut.run(r:at(q):go("f")) or nil
    end
    return p and layouts_out(p:at(q))
end

-- Arrays of tuples that a map takes apart for each of its elements are taken apart after it. The place of what makes them; nil: it does not.
local function unzips_out(q)
    local body = is_map(q.term) and q:go("f")
    local r
    if body and body.term.prim == "unzip" then r = is_map(body.term:slot("in")) and R("mapUnzipOut").run(q)
    elseif body and is_map(body.term) then
        local p = unzips_out(body)
        r = p and R("mapMapOut").run(p:at(q))
    end
    return r and r:go("in")
end

-- A map whose elements are tuples with arrays among their components, as a map for each component, which is worth a launch from a number of scalars on; not
-- where what they share has a name and puts its elements where data says: one work-item does that for a row, and would for each component.
local parts_out = {[2] = R("mapPartsOut"), [3] = R("mapParts3Out")}
local function parts_by_themselves(q)
    local t = is_map(q.term) and (q.term.scalars:known() or math.huge) >= lengths.GPU.units * lengths.GPU.warp and q.term:slot("f")
    while t and (t.prim == "let" or t.prim == "if") do
        if t.prim == "let" and t:slot("value"):contains("scatter") then return nil end
        t = t:slot(t.prim == "let" and "body" or "then")
    end
    local out = t and t.prim == "(,)" and base.any(t.children, function(part) return part.is_array end) and parts_out[#t.children]
    return out and out.run(q)
end

-- Columns of which several are reduced: one reduction of each, of tuples, for a column is not kept.
local function columns_together(q)
    if not is_map(q.term) or q.term:slot("f").prim ~= "(,)" or not takes_columns(q.term) then return q end
    return L.slot("f", L.reductionsTogether).run(q) or q
end

-- A batch of long rows that are reduced, on a CPU: all its rows. The place of that.
local function cpu_row() return lengths.VECTORS * lengths.CPU.lanes end      -- elements that make a row worth vectors
local function all_rows(q)
    local inner = is_map(q.term) and nested_map(q)
    if not inner or contraction.run(q) or inner.term:slot("f").is_layout or q.term:contains("slide") or takes_columns(inner.term) then return nil end
    local fold = not nested_map(inner) and folded(inner)
    local rows = nested_map(inner) and all_rows(inner) or fold and (known(fold.term:slot("in")) or 0) >= cpu_row()
    return rows and map_in(rowsAsOne.run(q))
end

local function zips(t) return t and t.prim == "zip" and #t.slots or 0 end

-- What the strategy makes of c, which has n arrays side by side, turned until it makes something of it; nil: it never does.
local function rotated(c, n, rotate, strategy)
    for _ = 1, n do
        local r = strategy.run(c)
        if r then return r end
        c = rotate.run(c)
    end
end

-- A map of rows that are zipped with others: in the place of its function's map, all that the first row is zipped with as one array.
local nested = L.seq(L.slot("in", L.try(R("zipZip"))), L.try(R("mapFusion")), L.try(R("mapZipNested")))
local scalars = L.try(L.seq(R("mapZipScalar"), L.slot("f", nested)))
local nest = L.where(reduceNest, L.id)
local partner = L.seq(L.slot("f", nested), R("mapZipPartner"), L.slot("in", L.slot("1", L.try(R("mapId")))))

base.macro_at("pairRows", "",
    "what the elements of a nest's rows are made with besides, scalars for a row too, are the rows of one array, with which the nest is zipped",
    function(c)
        local n = zips(c.term:slot("in"))
        local elements = n > 0 and is_map(c.term) and c.term:slot("f")
        local q = elements and is_map(elements) and not elements:contains("reduce")
            and rotated(c, n, R("mapZipRotate"), L.slot("in", L.slot("0", nest)))
        if not q then return nil end
        for _ = 1, n do q = L.seq(scalars, R("mapZipRotate")).run(q) end
        q = L.try(R("mapZipNested")).run(q)
        return rotated(q, zips(q.term:slot("f"):slot("in")), L.slot("f", R("mapZipRotate")), partner) or q
    end, "a map of maps of what a nest around a reduction makes")

-- Reductions of one array

-- What a reduction reads, with what is computed behind it and each array once.
local reads_made = L.normalize(L.alt(R("zipMap"), R("mapFusion"), R("zipZip"), R("zipTwice"), R("zipSame")))

base.macro("reductionsTogether", "",
    "reductions of equally many elements in a tuple or an expression as one, of tuples, which reads each array once",
    function()
        local named = L.alt(R("letReductionsNamed"), R("letReductions"))
        return L.seq(L.alt(named, R("tupleReductions")), L.rep(named), L.slot("value", L.slot("in", reads_made)))
    end)

return {operands_made = operands_made, rows_reduced = rows_reduced, sumsOut = reduceOut, letOut = letOut, sums_of = sums_of, flat_sums = flat_sums, all_rows = all_rows, unzips_out = unzips_out, parts_by_themselves = parts_by_themselves, columns_together = columns_together, long_row = long_row, contraction = contraction,
        cpu_row = cpu_row, is_shared = is_shared, folded = folded, reductions_in = reductions_in, reuses = reuses, invariants = invariants, cut = cut,
        fewer_dimensions = fewer_dimensions, columns_cut = columns_cut, oneRow = oneRow, rowsAsOne = rowsAsOne}
