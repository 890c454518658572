-- blocking: macros that block loop nests for caches, registers, vectors and local memory, and the derivations of matrix
-- multiplication made of them (walkthrough.md). All point by structure.

local engine, base, L = require "engine", require "base", require "combinators"
local R, test, macro, past_layouts = base.R, base.test, base.macro, require("macros").past_layouts
local lengths, takes_columns = require "lengths", require("columns").takes_columns
local VECTOR = lengths.VECTOR

-- predicates

-- A test of terms that has a name: what failures say that it needs, and its documentation.
local function predicate(name, needs, doc, holds, ...)
    local p = test(name, needs, holds, ...)
    base.name(name, "", doc, "predicate", p)
    return p
end

local function is_fold(t) return t.prim == "reduceSeq" or t.prim == "reduceSeqUnroll" end
local function has_fold(t) return t:contains("reduceSeq") or t:contains("reduceSeqUnroll") end
local function is_map(t) return t ~= nil and t.prim == "map" and not t.layout_map end

-- What maps make the array of.
local function made_of(t)
    while is_map(t) do t = t:slot("in") end
    return t
end

-- What a map over a zip with another map has in that map's place: the function of `map g` in map f (zip (map
-- g x) y); nil: it is no such.
local function partner(t)
    local zip = is_map(t) and t:slot("in")
    local rows = zip and zip.prim == "zip" and zip:slot("0")
    return rows and is_map(rows) and rows:slot("f") or nil
end

local writes, dims = base.prims "write", base.prims "dims"

-- The computing map that is the body of q's function, or stands there under views. Not one that reads what is computed
-- beside it: every work-item of the inner dimension would compute that again, into the same memory.
local function nested_map(q)
    local p = q:go("f")
    while p and dims[p.term.prim] and writes[p.term.prim] == "INVERSE" do p = p:go("in") end
    return p and is_map(p.term) and p.term:slot("in").is_layout and p or nil
end

-- The map at c and those that stand one in the other in it, from the outermost.
local function levels(c)
    local list = {}
    while c do list[#list + 1], c = c, nested_map(c) end
    return list
end

-- Primitives that take many instructions, or much of the hardware's time; does t have one of those of a list?
local SPECIAL = {"exp", "exp2", "log", "log2", "sin", "cos", "tan", "tanh", "asin", "acos", "atan", "atan2", "sinh", "cosh", "erf", "pow", "expm1", "log1p", "lgamma"}
local LONG = {"/", "floor", "ceil", "round", "sqrt", "rsqrt", table.unpack(SPECIAL)}
local function contains_any(t, names) return base.any(names, function(name) return t:contains(name) end) end
local function takes_long(t) return contains_any(t, LONG) end

-- What two maps in each other make an element of.
local function element_of(t)
    local inner = t.prim == "map" and t:slot("f")
    return inner and inner.prim == "map" and inner:slot("f")
end
local reduceNest = predicate("reduceNest", "two nested maps around a reduction", "two nested maps around a reduction", function(t)
    local body = element_of(t)
    return body and (body.prim == "reduce" or is_fold(body))
end, "map")
local innerFold = predicate("innerFold", "a fold (reduceSeq) with no other inside", "a sequential fold with no other inside",
                            function(t) return is_fold(t) and not has_fold(t:slot("f")) end, "reduceSeq", "reduceSeqUnroll")
local outerFold = predicate("outerFold", "a fold (reduceSeq) whose function folds", "a sequential fold whose function folds",
                            function(t) return is_fold(t) and has_fold(t:slot("f")) end, "reduceSeq", "reduceSeqUnroll")
local foldNest = predicate("foldNest", "two nested maps around a fold (reduceSeq)", "two nested maps around a sequential fold", function(t)
    local body = element_of(t)
    return body and is_fold(body)
end, "map")

-- What is done with a block of accumulators: a map over them, which may be mapped already.
local epilogueMap = test("epilogueMap", "a map over the result of a fold", function(t)
    local input = t:slot("in")
    if input and input.prim == "zip" then input = input:slot("0") end
    return t:slot("f") ~= nil and input ~= nil and is_fold(input)
end)

local function first(p, a) return L.topdown(L.where(p, a)) end

-- fusing what an interchange leaves behind; pure layouts stay maps of their own, or interchanges would be undone

local fuseComputing = L.alt(R("reduceMapFusion"), R("zipMap"), L.where(L.computes, R("mapFusion")))
local cleanUp = L.normalize(L.alt(R("transposeMapZip"), R("mapId"), R("transposeTranspose"), R("asVectorAsScalar"),
                                  fuseComputing))

-- blocks

macro("splitRows", "(n)", "the outer map of a nest around a fold in chunks of n", function(n)
    return first(foldNest, R("splitJoin", n and {n = n}))
end)

macro("blockFold", "(m, n)",
    "a nest around a fold in blocks of m by n, each one fold with m*n accumulators (2-D register blocking)",
    function(m, n)
        return L.seq(first(foldNest, L.tile(m, n)), L.blockMapIntoReduce, L.blockMapIntoReduce)
    end)

macro("blockFoldRows", "(m)",
    "a nest around a fold in blocks of m rows, each one fold over whole rows (1-D register blocking)",
    function(m) return L.seq(L.splitRows(m), L.blockMapIntoReduce, L.blockMapIntoReduce) end)

macro("tileFold", "(n)", "the innermost fold in tiles of n elements: a fold of folds", function(n)
    local split = L.seq(R("splitReduce", n and {n = n}), L.slot("in", L.try(R("splitZip"))),
                        L.try(R("reduceMapFusion")))
    return first(innerFold, split)
end)

-- Layouts between a map and the fold inside it become maps of their own; then the fold comes out.
local foldOut = L.where(test("foldOut", "a map around a fold", function(t) return t.prim == "map" and has_fold(t:slot("f")) end, "map"),
                        past_layouts(R("mapReduceSeqInterchange")))


macro("foldOutOfMap", "",
    "the fold inside the lowest map comes out of it, past layouts; it keeps all the accumulators",
    L.seq(L.bottomup(foldOut), cleanUp))

-- Tiles as they come out of foldOutOfMap: rows of chunks, cut again where there are blocks. A matrix that is read by
-- columns lies in memory with the other dimension first: its tiles keep that order.
local function wholeTile(slot, by_columns)
    local tile = by_columns and L.alt(R("tileLayoutChunks"), R("tileLayout"), R("splitColumns"))
                 or L.try(L.alt(R("tileLayoutTChunks"), R("tileLayoutT")))
    return L.slot("in", L.slot(slot, tile))
end

macro("wholeTiles", "(a, b)",
    "the outermost fold runs over whole tiles; a, b: the first, second matrix is read by columns",
    function(a, b) return L.seq(first(outerFold, L.seq(wholeTile("0", a), wholeTile("1", b))), cleanUp) end)

-- operands

-- The nest at q by these steps in its fold, with the operands that they leave, if it is a contraction of two then; nil: it is not.
local ofRows, ofColumns = L.try(R("rowOperandOut")), L.seq(L.try(R("operandOrder")), L.try(R("operandOut")))
local closed = L.where(function(t) return t:slot("f"):slot("in").is_layout end, R("mapInterchange"))
local function of_two(q, grouped)
    local r = L.seq(L.slot("f", L.seq(L.slot("f", L.slot("in", grouped)), ofColumns)), ofRows).run(q)
    local zip = r and r.term:slot("f"):slot("f"):slot("in"):slot("in")
    return zip and #zip.slots == 2 and zip:slot("0").is_atom and zip:slot("1").is_atom and closed.run(r) and r
end

base.macro_at("operandsPaired", "",
    "two maps around a reduction of several arrays side by side, as a contraction of two: those that are a row's and those that are a column's, as tuples",
    function(q)
        local fold = reduceNest.run(q) and q.term:slot("f"):slot("f")
        local zip = fold and is_map(fold:slot("in")) and fold:slot("in"):slot("in")
        if not zip or zip.prim ~= "zip" then return nil, base.failure(q, "operandsPaired", "a reduction of arrays side by side") end
        local nested, turned = R("mapZipNested"), L.id
        for _ = 1, #zip.slots do
            local r = #zip.slots == 2 and of_two(q, turned) or of_two(q, L.seq(turned, nested)) or of_two(q, L.seq(turned, R("mapZipPair"), nested))
            if r then return r end
            turned = L.seq(turned, R("mapZipRotate"))
        end
    end, "arrays that are a row's or a column's")

-- sizes that no tile divides

-- Two maps around a reduction, padded by rows of zeros that change nothing and rows and columns that are dropped; what the outer map takes
-- then goes by `copied`.
local function padded(m, n, k, copied)
    m, n, k = m or 64, n or 64, k or 16
    local rows = L.seq(L.slot("f", R("padMap", {n = n})), R("mapTakeOut"), L.slot("in", L.slot("in", copied)))
    local fold = L.alt(R("padFold", {n = k}), R("padFold3", {n = k}), R("padFoldFrom", {n = k}))
    return first(reduceNest, L.seq(L.slot("f", L.slot("f", fold)), L.operandsPaired, R("padMap", {n = m}), L.slot("in", rows)))
end
local function copied_by(d)
    if d > 0 then return L.seq(R("copyGlobal", {d = d}), L.slot("f", copied_by(d - 1))) end
    local vectors = L.where(lengths.in_warps, R("copyVectorsGlobal", {w = VECTOR, d = 0}))
    return L.alt(vectors, R("copyGlobal", {d = 0}))
end

macro("padNest", "(m, n, k)",
    "two maps around a reduction that zeros do not change, padded to multiples of m, n and k (64, 64 and 16 where they are left out), the first "
    .. "in memory; the rest is dropped",
    function(m, n, k)
        local columns = L.where(function(t) return t:contains("transpose") end, L.seq(R("transposeTwice"), L.slot("in", copied_by(1))))
        return padded(m, n, k, L.alt(columns, copied_by(1)))
    end)

macro("padBatch", "(m, n, k)",
    "a map of such nests, each of a pair of matrices or of one and a matrix that all share, as padNest pads one, in memory but for the columns "
    .. "beside what is shared; the rest is dropped last",
    function(m, n, k)
        local as_it_lies = L.where(function(t) return t:slot("f"):contains("transpose") end, L.seq(L.slot("f", R("transposeTwice")), R("mapTransposeOut")))
        local columns = L.alt(L.seq(as_it_lies, L.slot("in", copied_by(2))), copied_by(2))
        local pairs = L.seq(R("batchRowsOut"), R("batchColumnsOut"), L.slot("in", L.seq(L.slot("0", copied_by(2)), L.slot("1", columns))),
                            L.try(L.seq(L.slot("in", R("zipMap")), R("mapFusion"))))
        local apart = L.slot("in", L.seq(R("mapMapOut"), L.slot("in", L.alt(pairs, R("batchRowsShared")))))
        return L.seq(L.slot("f", padded(m, n, k, L.id)), R("mapTakeOut"), apart)
    end)

-- vectors

local clean_vectors = L.normalize(L.alt(R("zipMap"), R("mapFusion"), R("asVectorAsScalar")))

macro("vectoriseBlock", "(w)",
    "the innermost map of a block of accumulators w at a time, and the accumulators as vectors",
    function(w)
        return L.seq(L.bottomup(R("vectorise", {w = w})), first(innerFold, R("accAsVector", {w = w})), clean_vectors)
    end)

-- memory

-- Else what is copied to the accumulator's place are arrays, not their elements.
local rows = test("rows", "a fold (reduceSeq) with an accumulator of rank 3", function(t) return t.rank == 3 end)

local function cpu_memory(outer) return L.seq(first(innerFold, R("accPrivate2")), first(outerFold, outer), L.fuseSums) end

macro("cpuMemory", "(w[, read])",
    "accumulators in registers, the second tile in local memory, the outer accumulator in the destination; read: there too",
    function(w, read)
        return cpu_memory(L.where(rows, L.seq(R("tileLocal", {w = w}), R(read and "accLocal3" or "accGlobal3"))))
    end)

macro("cpuPanels", "(w[, read])",
    "accumulators in registers, the second tile in local memory in panels, the outer accumulator in the destination; "
    .. "read: there too",
    function(w, read)
        return cpu_memory(L.seq(R("tileLocalPanels", {w = w}), R(read and "accLocal4" or "accGlobal4")))
    end)

macro("gpuMemory", "(w, l[, read[, turned[, turned2]]])",
    "both tiles in local memory, copied by l work-items a row, the first, the second one turned on request; accumulators "
    .. "spread over the work-items; read: not copied",
    function(w, l, read, turned, turned2)
        local args = {w = w, l = l}
        local copies = L.seq(R(turned2 and "tileLocalSecondT" or "tileLocalSecond", args), R(turned and "tileLocalFirstT" or "tileLocalFirst", args))
        return L.seq(first(outerFold, L.seq(copies, read and R("accInItems4Read") or R("accInItems4", {w = w}))), L.fuseSums)
    end)

-- mapping

local function mapped(rule, d) return first(L.computes, rule({d = d})) end
local function both_mapped(rule) return L.seq(mapped(rule, 1), mapped(rule, 0)) end
local unrollMaps = L.normalize(L.where(L.computes, R("mapSeqUnroll")))

macro("unrollBlock", "", "the maps of the innermost fold become straight-line code", first(innerFold, L.slot("f", unrollMaps)))

-- The six orders of the loops of a fold over pairs (a row's element, a column's), made of a block of accumulators: over its steps l, rows i
-- and columns j.
local rowsOut, columnsOut = R("reduceSeqRowsOut"), R("reduceSeqColumnsOut")
local swap = L.seq(L.slot("f", L.interchange), R("accTransposed"), L.normalize(R("transposeTranspose")))
local orders = {[0] = L.id, rowsOut, L.seq(rowsOut, L.slot("f", columnsOut)), swap, L.seq(swap, L.slot("in", columnsOut)),
                L.seq(swap, L.slot("in", L.seq(columnsOut, L.slot("f", rowsOut))))}

local function has_fold_of_folds(t) return is_fold(t) and has_fold(t:slot("f")) or base.any(t.children, has_fold_of_folds) end
local blockLoop = test("blockLoop", "a fold of folds with no other such inside", function(t)
    return is_fold(t) and has_fold(t:slot("f")) and not has_fold_of_folds(t:slot("f"))
end, "reduceSeq", "reduceSeqUnroll")

macro("unrollSteps", "(u[, order])",
    "the innermost fold in blocks of u steps, straight-line code: their loops over steps l, rows i and columns j as the order says, "
    .. "0 to 5: lij, ilj, ijl, lji, jli, jil",
    function(u, order)
        local ordered = orders[order or 0]
        if not ordered then base.bad_call("an order of loops is 0 to 5, not " .. tostring(order)) end
        return L.seq(L.tileFold(u), first(innerFold, ordered), first(blockLoop, L.slot("f", unrollMaps)),
                     first(innerFold, R("reduceUnroll")))
    end)

macro("groupsOf", "", "two outer maps over work-groups, the rest of the block in one work-item",
    L.seq(both_mapped(R("mapWorkgroup")), L.unrollBlock,
          L.normalize(L.where(L.computes, R("mapSeq")))))

macro("globalItemsOf", "", "two outer maps over global work-items, the block unrolled", L.seq(both_mapped(R("mapGlobal")), L.unrollBlock))

macro("itemsOf", "(u[, order])",
    "two outer maps over work-groups, those in the outermost fold over their work-items; u steps of the fold unrolled, with its loops in "
    .. "that order (unrollSteps)",
    function(u, order)
        local items = L.slot("f", both_mapped(R("mapLocal")))
        local groups = L.seq(both_mapped(R("mapWorkgroup")), first(outerFold, items))
        if u then return L.seq(groups, L.unrollSteps(u, order)) end
        return L.seq(groups, L.unrollBlock, first(innerFold, R("reduceUnroll")))
    end)

macro("strideColumns", "(s, w)",
    "the inner map of a nest around a fold by strides: s work-items touch s vectors of w side by side",
    function(s, w)
        return first(foldNest, L.seq(L.slot("f", R("mapStrideChunks", {s = s, w = w})), R("mapChunksOut")))
    end)

macro("blockFoldApart", "(w[, m, n])",
    "blockFold whose columns lie apart, w side by side: those of neighbouring blocks are neighbours in memory",
    function(w, m, n)
        return first(foldNest, base.new("blockFoldApart", function(c)
            local inner, columns = c.term:slot("f"), n and engine.size(n)
            if not n then c, columns = c:fresh() end
            return L.seq(L.strideColumns(inner.length / columns, w), L.blockFold(m, columns)).run(c)
        end))
    end)

-- numbers of calls, which may be parameters: sizes

local function number(n) return math.type(n) == "integer" and n or type(n) == "userdata" and n.value or nil end

-- a / b, which divides it
local function quotient(a, b) return engine.size(a) / engine.size(b) end

-- Is a below b, as far as they are numbers?
local function is_below(a, b) return not number(a) or not number(b) or number(a) < number(b) end

-- What decides the structure is a number.
local function decided(who, o, ...)
    for _, name in ipairs({...}) do
        if not number(o[name]) then
            base.bad_call(("%s of %s chooses a structure: it is a number, not %s"):format(name, who, tostring(o[name])))
        end
    end
    return o
end

-- matrix multiplication

local function under(c, top)
    return top.place == "/" or c.place == top.place or c.place:sub(1, #top.place + 1) == top.place .. "/"
end

-- The computing map that reads the product at c, at or under top; nil: none.
local function epilogue_of(c, top)
    local up = c:up()
    if up and up.term.prim == "zip" then up = up:up() end
    local reads = up and up.term.prim == "map" and not up.term.layout_map
    return reads and under(up, top) and up or nil
end

-- blocks at the first matrix product; then what is done with its elements moves in, when that works; then memory at the whole, told
-- whether something moved in, what the product was, and whether what moved in reads rows of another array. blocks, memory: functions that
-- give strategies.
local function product(name, blocks, memory)
    return base.new(name, function(c)
        local place
        local r, f = first(reduceNest, base.new(name, function(p)
            place = p
            return blocks(p.term).run(p)
        end)).run(c)
        if not r then return nil, f end
        r = r:at(place)
        local map = epilogue_of(r, c)
        local fused = map and L.fuseEpilogue.run(map)
        local other = fused and map.term:slot("in").prim == "zip" and map.term:slot("in"):slot("1")
        local rows = other and not other:contains("generate")         -- not the same for all rows
        r, f = memory(fused ~= nil, place.term, rows).run(fused or r)
        return r and r:at(c), f
    end)
end

macro("epilogueVectors", "(w)", "what is done with the elements of a block, w of them at a time", function(w)
    return L.try(L.topdown(L.where(epilogueMap, L.bottomup(L.alt(R("vectorise", {w = w}), R("mapVectorise", {w = w}))))))
end)

-- Rows of a block whose partners are loaded together: more would not fit in registers beside the accumulators.
local LOADED = 4
local itemMap = test("itemMap", "the map of a group's work-items", function(t) return t.prim == "mapLocal" and t:slot("f").prim ~= "mapLocal" end)
local zipped = test("zipped", "straight-line code over arrays side by side", function(t) return t.prim == "mapSeqUnroll" and t:slot("in").prim == "zip" end)

macro("epilogueItems", "([w[, load]])",
    "what is done with the elements of a block: two maps over the work-items, the rest unrolled, w at a time; load: other arrays some rows ahead",
    function(w, load)
        local items = both_mapped(R("mapLocal"))
        local loaded = load and L.try(first(itemMap, L.slot("f", first(zipped, R("partnersFirst", {n = LOADED, w = w}))))) or L.id
        return L.seq(items, w and L.epilogueVectors(w) or L.id, unrollMaps, loaded)
    end)

-- Blocks of whole rows of a tile: the second tile lies in local memory as it is.
local function gemm_rows(o)
    return L.seq(L.fuseReduce, first(foldNest, L.tile(o.mb, o.nb)), L.blockFoldRows(o.mr), L.tileFold(o.kb),
                 L.blockMapIntoReduce, L.vectoriseBlock(o.w))
end

-- Blocks of mr by nr; a: is the first matrix read by columns? The second one is, or is rows that somebody has turned twice.
local function gemm_panels(o, a)
    return L.seq(L.fuseReduce, first(foldNest, L.tile(o.mb, o.nb)), L.blockFold(o.mr, o.nr), L.tileFold(o.kb),
                 L.foldOutOfMap, L.foldOutOfMap, L.wholeTiles(a, true), L.vectoriseBlock(o.w))
end


local input = test("isInput", "an input", function(t) return t.kind == "input" end)

macro("images", "{image=1}", "every input that an image can hold is read through one; image=2: what is made, at the place, is written to one, "
    .. "too; 0: neither",
    function(o)
        decided("images", o, "image")
        if o.image < 0 or o.image > 2 then base.bad_call("image is 0, 1 or 2, not " .. o.image) end
        local read = L.rep(L.topdown(L.where(input, R("toImage"))))
        return o.image == 0 and L.id or L.seq(read, o.image == 2 and R("toGlobalImage") or L.id)
    end)

macro("gemmCpu", "{mb=256, nb=32, kb=256, mr=8, w=16, nr=nb, image=0}",
    "matrix product, one work-item a group: blocks of mb by nb, tiles of kb, mr rows of nr in registers, vectors of w; "
    .. "nr < nb: the tile of the second matrix in panels of nr columns; image=1: inputs as images",
    function(o)
        decided("gemmCpu", o, "w", "image")
        local function is_turned(t) return takes_columns(t) or t:slot("in").prim == "transpose" end
        local function in_panels(t) return o.nr ~= 0 and o.nr ~= o.nb and is_turned(t:slot("f")) end
        return product("gemmCpu", function(t)
            return in_panels(t) and gemm_panels(o, takes_columns(t)) or gemm_rows(o)
        end, function(read, t)
            local memory = in_panels(t) and L.cpuPanels or L.cpuMemory
            return L.seq(read and L.epilogueVectors(o.w) or L.id, L.groupsOf, memory(o.w, read), L.images({image = o.image}))
        end)
    end)

-- The blocks of gemmGpu after its tiles are chosen; a, b: is the first, second matrix read by columns?
local function gemm_gpu(o, a, b)
    return L.seq(L.fuseReduce, first(foldNest, L.tile(o.mb, o.nb)),
                 is_below(o.w, o.nr) and L.strideColumns(quotient(o.nb, o.nr), o.w) or L.id, L.blockFold(o.mr, o.nr), L.tileFold(o.kb),
                 L.foldOutOfMap, L.foldOutOfMap, L.wholeTiles(a, b))
end

-- Else what lies by rows seems to be read by columns, which work-items side by side would do far apart.
local as_it_lies = L.normalize(R("transposeTranspose"))

macro("gemmGpu", "{mb=128, nb=128, kb=16, mr=8, nr=8, u=16, w=4, stages=2, turn=1, pad=0, order=0, image=0}",
    "matrix product, tiles by kb in local memory, mr by nr registers an item, u steps unrolled, vectors of w; pad: elements behind each "
    .. "row of a tile; order: of the loops in u steps (unrollSteps); image=1: inputs as images, 2: the result too",
    function(o)
        decided("gemmGpu", o, "w", "stages", "turn", "order", "image")
        return L.seq(as_it_lies, product("gemmGpu", function(t) return gemm_gpu(o, takes_columns(t), takes_columns(t:slot("f"))) end,
                     function(read, t, rows)
            return L.seq(L.itemsOf((o.order ~= 0 or is_below(o.u, o.kb)) and o.u or nil, o.order), read and L.epilogueItems(o.w, rows) or L.id,
                         L.gpuMemory(o.w, quotient(o.nb, o.nr), read, o.turn == 1 and not takes_columns(t),
                                     o.turn == 1 and not takes_columns(t:slot("f"))),
                         o.pad ~= 0 and L.normalize(R("padLocal", {k = o.pad})) or L.id,
                         o.stages > 1 and first(outerFold, R("prefetch")) or L.id, L.images({image = o.image}))
        end))
    end)

-- The same block for matrix units: each of its parts a warp's.
local unitFold = test("unitFold", "a fold whose step is a matrix unit's", function(t) return is_fold(t) and t:slot("f"):contains("mma") end)
-- By how many products of TF32 one of floats is made; 0: none, for halves and bf16 are products as they are.
local TO_UNITS = {[0] = R("mmaFold"), [1] = L.seq(L.topdown(R("productTf32")), R("mmaFoldTf32")), [3] = L.seq(L.topdown(R("product3xTf32")), R("mmaFold3xTf32"))}
local function toUnits(tf32)
    return L.seq(first(innerFold, TO_UNITS[tf32]), as_it_lies, first(unitFold, L.seq(R("mmaPairsOut"), L.slot("in", R("warpsTogether")))))
end

-- The pieces of tiles in another order in each row. Lanes read halves as whole pieces, floats also 8 side by side from each of 4 long rows: then twice
-- as long pieces lie in banks of their own.
local function swizzled(w, floats)
    local pieces = R("swizzleLocal", {k = w})
    if not floats then return L.normalize(pieces) end
    local long = test("longRows", "rows of more pieces than all banks have", function(t) return t.scalars:known() > w * lengths.GPU.banks // VECTOR * t.length:known() end)
    return L.normalize(L.alt(L.where(long, R("swizzleLocal", {k = 2 * w})), pieces))
end

macro("gemmUnits", "{mb=128, nb=128, kb=32, mw=64, nw=64, w=8, stages=3, pad=0, tf32=0}",
    "matrix product by matrix units, tiles by kb in local memory, copied w elements at a time; warps of mw by nw; pad: elements behind each row of a tile, "
    .. "0: pieces of w in another order in each; of floats, which is approximate: tf32=1: rounded to TF32, 3: three such products for one",
    function(o)
        decided("gemmUnits", o, "w", "stages", "tf32")
        if not TO_UNITS[o.tf32] then base.bad_call("tf32 is 0, 1 or 3, not " .. o.tf32) end
        return L.seq(as_it_lies, product("gemmUnits", function(t)
            return L.seq(L.fuseReduce, first(foldNest, L.tile(o.mb, o.nb)), L.blockFold(o.mw, o.nw), L.tileFold(o.kb), L.foldOutOfMap, L.foldOutOfMap,
                         L.wholeTiles(takes_columns(t), takes_columns(t:slot("f"))), toUnits(o.tf32))
        end, function(read)
            local copies = L.seq(R("tileWarpsSecond", {w = o.w}), R("tileWarpsFirst", {w = o.w}))
            local fold = L.seq(copies, mapped(R("mapLocal"), 2), read and R("accFragmentsRead") or R("accFragments"))
            local pairs = L.seq(R("splitJoin", {n = 2}), L.slot("in", L.seq(L.slot("f", R("mapSeqUnroll")), R("mapLocal", {d = 0}))))
            local epilogue = L.seq(mapped(R("mapLocal"), 2), mapped(R("mapLocal"), 1), first(L.computes, pairs))
            return L.seq(both_mapped(R("mapWorkgroup")), read and epilogue or L.id, first(unitFold, fold), o.pad ~= 0 and L.normalize(R("padLocal", {k = o.pad})) or swizzled(o.w, o.tf32 ~= 0),
                         o.stages > 1 and first(unitFold, R("pipe", {q = o.stages})) or L.id)
        end))
    end)

macro("gemmItems", "{mr=8, nr=4, w=4, u=1, order=0, gh=0, gw=0, image=0}",
    "matrix product, a work-item for a block of mr by nr in registers, w columns at a time, u steps unrolled; no local memory; order: of the "
    .. "loops in u steps (unrollSteps), read where they are used but for 0; gh, gw: in groups of gh by gw work-items, 0: by global ones; "
    .. "image=1: inputs as images, 2: the result too",
    function(o)
        decided("gemmItems", o, "w", "order", "image")
        local ordered, groups = o.order ~= 0, o.gh ~= 0 and o.gw ~= 0
        local tiles = groups and first(foldNest, L.tile(engine.size(o.gh) * o.mr, engine.size(o.gw) * o.nr)) or L.id
        local items = groups and L.seq(both_mapped(R("mapWorkgroup")), both_mapped(R("mapLocal"))) or both_mapped(R("mapGlobal"))
        local steps = is_below(1, o.u) and L.seq(L.tileFold(o.u), first(innerFold, R("reduceUnroll"))) or L.id
        return product("gemmItems", function() return L.seq(L.fuseReduce, tiles, L.blockFold(o.mr, o.nr)) end, function(read)
            local acc = read and R("accInPrivateRows") or R("accPrivateRows", {w = o.w})
            return L.seq(read and L.epilogueVectors(o.w) or L.id, items, ordered and L.id or L.unrollBlock,
                         first(innerFold, L.seq(ordered and L.id or R("operandsPrivate", {w = o.w}), acc)), L.fuseSums,
                         ordered and L.unrollSteps(o.u, o.order) or steps, read and unrollMaps or L.id, L.images({image = o.image}))
        end)
    end)

-- A map in chunks of n elements, each a work-group: of one item that takes them one after the other, or of what is done inside.
local function in_groups(n, inside)
    local group = R("mapWorkgroup", {d = 0})
    return L.seq(R("splitJoin", n and {n = n}), L.slot("in", inside and L.seq(group, L.slot("f", inside)) or L.seq(L.slot("f", R("mapSeq")), group)))
end

-- A map by s, w elements at a time.
local function by_vectors(w, s) return w == 1 and s or L.seq(R("mapVectorise", {w = w}), L.slot("in", s)) end

-- The first place that `found` gives for q or for what the maps and zips from there inwards read, false: it ends there.
local function read_by(q, found)
    local p = found(q)
    if p ~= nil then return p or nil end
    local x = q.term.prim == "map" and q:go("in")
    if not x or x.term.prim ~= "zip" then return x and read_by(x, found) or nil end
    for _, slot in ipairs(x.term.slots) do
        p = read_by(x:go(slot), found)
        if p then return p end
    end
end

-- A map of arrays side by side, two zips as one or an array that stands there twice once. A name above that is then used once is none any more.
local read_once = L.alt(L.seq(L.slot("in", R("zipZip")), R("mapFusion")), R("zipTwice"))

-- Behind what is peeled, or split: it is taken of what makes it, and columns where rows are read; also of arrays one after the other. Rows
-- that are computed are not made anew for each part of their columns.
local of_columns = L.seq(L.alt(R("takeTranspose"), R("dropTranspose")), L.slot("in", L.try(L.where(function(t) return t.is_layout end, R("mapFusion")))))
local part_read, chunk_read = L.alt(R("takeMap"), R("dropMap"), R("takeZip"), R("dropZip"), of_columns), L.alt(R("splitMap"), R("splitZip"))
local parts_read, concat_parts = L.normalize(part_read), L.normalize(L.alt(part_read, R("takeConcat"), R("dropConcat")))

return {read_by = read_by, part_read = part_read, chunk_read = chunk_read, parts_read = parts_read, concat_parts = concat_parts,
        by_vectors = by_vectors, under = under, read_once = read_once, first = first, element_of = element_of,
        innerFold = innerFold, reduceNest = reduceNest, is_fold = is_fold, has_fold = has_fold, is_map = is_map, made_of = made_of, partner = partner,
        nested_map = nested_map, levels = levels, SPECIAL = SPECIAL, LONG = LONG, contains_any = contains_any, takes_long = takes_long, mapped = mapped,
        both_mapped = both_mapped, in_groups = in_groups, clean_vectors = clean_vectors}
