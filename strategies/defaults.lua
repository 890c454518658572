-- defaults: what `lower` makes of a program as it was written, when its sizes are known: the macro for its shape with
-- numbers that divide the sizes, by kind of device. nil where none fits; then lower maps loops one by one.

local engine = engine
local L = engine.library
local R = engine.R
local reduceNest = engine.reduceNest

local CPU_PARTS, CPU_MIN = 64, 4096      -- chunks of a long array; shorter ones are not worth it
local CPU_FAR = 1 << 21                  -- so long an array is in no cache of a core's own: its results are written past
                                         -- them, and it is read in several places at once
local CPU_FEW, CPU_CHUNK = 8, 512        -- groups that keep a CPU busy; elements that a group is worth
local GPU_GROUPS = 132                   -- groups that keep a GPU busy

local function known(t) return t and t.length and t.length:known() end

-- The largest divisor of n that is a multiple of m and at most most.
local function fitting(n, most, m)
    for d = math.min(most, n) // m * m, m, -m do
        if n % d == 0 then return d end
    end
end

-- w lanes and u vectors with w*u dividing n: as many as do.
local function lanes(n)
    for _, shape in ipairs({{16, 4}, {16, 2}, {16, 1}, {8, 1}, {4, 1}}) do
        if n % (shape[1] * shape[2]) == 0 then return shape[1], shape[2] end
    end
end

-- matrix products

-- The product: the program itself, or what an element-wise map over it reads.
local function product_of(c)
    for _, path in ipairs({{}, {"in"}, {"in", "0"}, {"in", "1"}}) do
        local q = c:go(table.unpack(path))
        if q and reduceNest.run(q) then return q end
    end
end

-- Blocks of 4 rows by 4 vectors where the sizes allow, in panels of so many columns; few tiles along the reduction (with
-- one alone no zeros are stored first), of at most half a MiB.
local function gemm_cpu(rows, columns, length)
    local w, u = lanes(columns)
    local kb = fitting(length, 2048, 1)
    if not w or (kb < 16 and kb < length) then return nil end
    local mr = fitting(rows, 16 // u, 1)
    return L.gemmCpu({mb = fitting(rows, 256, mr), nb = fitting(columns, kb > 1024 and 64 or 128, u * w), kb = kb, mr = mr,
                      w = w, nr = u * w})
end

local gpu_tiles = {{128, 128, 8, 16, 8, 8}, {128, 64, 16, 8, 8, 8}, {64, 64, 16, 8, 4, 8}, {32, 32, 8, 4, 4, 8}}

local function gemm_gpu(rows, columns, length)
    local best
    for _, t in ipairs(gpu_tiles) do
        if rows % t[1] == 0 and columns % t[2] == 0 and length % t[3] == 0 then
            best = t
            if rows // t[1] * (columns // t[2]) >= GPU_GROUPS then break end
        end
    end
    if not best then return nil end
    return L.gemmGpu({mb = best[1], nb = best[2], kb = best[3], mr = best[4], nr = best[5], u = best[6], w = 4})
end

local function product(c, gpu)
    local q = product_of(c)
    if not q then return nil end
    local inner = q.term:slot("f")
    local rows, columns, length = known(q.term), known(inner), known(inner:slot("f"):slot("in"))
    if not (rows and columns and length) then return nil end
    return (gpu and gemm_gpu or gemm_cpu)(rows, columns, length)
end

-- reductions

local function reduction(c, gpu)
    local t = c.term
    local n = t.prim == "reduce" and not t.is_array and engine.reassociates(c) and known(t:slot("in"))
    if not n or n < CPU_MIN then return nil end
    if gpu then
        local chunk = fitting(n, 16384, 1024)
        return chunk and L.reduceGpu({chunk = chunk, l = 256, w = 4, again = n // chunk % 1024 == 0})
    end
    local chunk = n // fitting(n, CPU_PARTS, 1)
    local w, u = lanes(chunk)
    local plain = w and L.reduceCpu({chunk = chunk, w = w, u = u})
    if n < CPU_FAR or n % (8 * 8192) ~= 0 then return plain end
    return L.alt(L.reduceCpuRows({n = 8192, r = 8}), plain)
end

-- A map over rows, each of which is reduced: the length of a row.
local function row_length(c)
    local q = c:go("f")
    while q and q.level >= c.level do
        if q.term.prim == "reduce" and not q.term.is_array then return known(q.term:slot("in")) end
        q = q:next(c)
    end
end

local function rows(c, gpu)
    local t = c.term
    local n = t.prim == "map" and not t:slot("f").is_array and t:contains("reduce") and known(t)
    local length = n and row_length(c)
    if not length then return nil end
    if gpu then return length % 256 == 0 and L.gemvGpu({l = 64, w = 4}) or nil end
    local w, u = lanes(length)
    return w and length >= 64 and L.gemvCpu({rows = fitting(n, 64, 1), w = w, u = u})
end

-- maps and stencils

-- A map that reduces for each of its elements, which are scalars or columns: as many side by side as a vector has.
local function long_loops(c, gpu)
    local t = c.term
    local n = not gpu and t.prim == "map" and t.rank == 1 and t:contains("reduce") and known(t)
    local w = n and n >= CPU_FEW * 16 and lanes(n)
    if not w then return nil end
    local chunks = R("splitJoin", {n = n // w // fitting(n // w, CPU_PARTS, 1)})
    local groups = L.seq(L.slot("f", R("mapSeq")), R("mapWorkgroup", {d = 0}))
    return L.seq(L.alt(R("mapVectorise", {w = w}), R("vectoriseColumns", {w = w})),
                 L.slot("in", L.seq(chunks, L.slot("in", groups))))
end

local function long_map(c, gpu)
    local t = c.term
    local n = t.prim == "map" and t.rank == 1 and not t:contains("reduce") and known(t)
    if not n or n < CPU_MIN then return nil end
    if gpu then return n % 4 == 0 and L.mapGpu({w = 4}) or nil end
    local chunk = n // fitting(n, CPU_PARTS, 1)
    local w = lanes(chunk)
    if not w then return nil end
    local plain = L.mapCpu({chunk = chunk, w = w})
    if n < CPU_FAR then return plain end
    return L.alt(L.mapCpu({chunk = chunk, w = w, r = fitting(chunk // w, 4, 1), stream = true}), plain)
end

local function over_windows(t) return t:slot("in") ~= nil and t:slot("in").prim == "slide" end

local function stencil_gpu(c, n)
    local t = c.term
    if over_windows(t) then
        local u = fitting(n, 256, 32)
        return u and L.stencilGroups(u)
    end
    local m = t:slot("f").prim == "map" and known(t:slot("f"))
    local turned = t:slot("in")
    if not m or turned.prim ~= "map" or not over_windows(turned) then return nil end
    local v = fitting(m, 32, 8)
    return v and L.stencilGroups2({u = fitting(n, 8, 1), v = v})
end

-- How many elements nested maps make for one of the outermost; nil: that is not known.
local function inside(c)
    local total = 1
    c = engine.nested_map(c)
    while c do
        local n = known(c.term)
        if not n then return nil end
        c, total = engine.nested_map(c), total * n
    end
    return total
end

-- Loops long enough to be vectors, in groups that are enough and have enough to do. Where no number divides the length, a row
-- is a group, or what is left is a nest of its own.
local function stencil_cpu(c, n)
    local row = inside(c)
    if not row or n < CPU_FEW or n * row < CPU_MIN then return nil end
    local parts = math.min(CPU_PARTS, math.max(CPU_FEW, n * row // CPU_CHUNK))
    local even = fitting(n, parts, 1)
    if even >= CPU_FEW then return L.stencilCpu({n = n // even}) end
    if row >= CPU_CHUNK or n < 4 * parts then return L.stencilCpu end
    return L.seq(R("mapPeelLast", {n = n % parts}), L.slot("0", L.stencilCpu({n = n // parts})),
                 row > 1 and L.slot("1", L.stencilCpu) or L.id)
end

local function stencil(c, gpu)
    local t = c.term
    local n = t.prim == "map" and not t.layout_function and known(t)
    if not n or not (t:contains("slide") or t:contains("pad") or t:contains("padConst")) then return nil end
    return (gpu and stencil_gpu or stencil_cpu)(c, n)
end

-- The program at c after the first of these that fits and works; nil: none.
local function shaped(c, shapes)
    local gpu = engine.hint("gpu")
    for _, shape in ipairs(shapes) do
        local strategy = shape(c, gpu)
        local r = strategy and strategy.run(c)
        if r then return r:at(c) end
    end
end

-- The maps that what q reads is computed by, down to its inputs.
local function shaped_inputs(q)
    for _, child in ipairs(q:children()) do
        if child.slot ~= "f" then
            local at = q:at(child)
            local r = shaped(at, {stencil}) or at
            q = shaped_inputs(r):at(q)
        end
    end
    return q
end

function engine.by_shape(c)
    local r = shaped(c, {stencil, product, reduction, long_loops, rows, long_map})
    return r and (engine.hint("gpu") and r or shaped_inputs(r))
end
