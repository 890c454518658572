-- indices: random programs that read their arrays by the numbers of loops: is what indicesToElements makes of them equal?
-- agree(count, seed): says of how many it made something, and the first program whose results differ.

local numbers = {"i", "j", "k", "l", "m"}

local function pick(...) return (select(math.random(select("#", ...)), ...)) end

-- An index from 0 to below the size n that the number v of a loop of that length gives.
local function index(v, n)
    local c = math.random(2)
    return pick(v, v, n .. " - 1 - " .. v, ("(%s + %d) %% %s"):format(v, c, n), ("(%s + %s - %d) %% %s"):format(v, n, c, n), ("(%s - %d) %% %s"):format(v, c, n),
        ("max 0 (min (%s - 1) (%s - %d))"):format(n, v, c), ("min (%s - 1) (max 0 (%s - %d))"):format(n, v, c), ("%s // %d"):format(v, c), ("%s %% %d"):format(v, c),
        ("max 0 (%s - %d)"):format(v, c), ("min (%s - 1) (%s + %d)"):format(n, v, c), tostring(c - 1))
end

local function number_of(loops, size)
    local of = {}
    for _, loop in ipairs(loops) do
        if loop.size == size then of[#of + 1] = loop.number end
    end
    return #of > 0 and pick(table.unpack(of)) or nil
end

local function element(loops)
    local i, j = number_of(loops, "N"), number_of(loops, "M")
    if not i or not j then return i and ("x[%s]"):format(index(i, "N")) or ("y[%s]"):format(index(j, "M")) end
    return pick("x[" .. index(i, "N") .. "]", ("A[%s][%s]"):format(index(i, "N"), index(j, "M")), ("B[%s][%s]"):format(index(j, "M"), index(i, "N")),
        ("F[%s * M + %s]"):format(i, j), ("F[%s + M * %s]"):format(j, i), ("w[%s + %s]"):format(i, j), ("D[2 * %s + 1][%s]"):format(i, index(j, "M")),
        ("D[%s * 2][%s]"):format(i, j), ("(if %s > 0 then A[%s - 1][%s] else 0)"):format(i, i, j),
        ("(if %s + 1 < N then A[%s + 1][%s] else 1)"):format(i, i, j), ("(if %s == 0 then 7 else x[%s - 1])"):format(i, i), ("(if %s > 0 then x[%s - 1] else 0)"):format(i, i),
        ("E[2 * %s + 3 * %s]"):format(i, j), ("E[%s + %s * 2]"):format(i, j), ("E[3 * %s]"):format(j), ("Q[%s][%s]"):format(i, i),
        ("(if %s %% 2 == 0 then x[%s // 2] else B[0][%s / 2])"):format(i, i, i),
        ("(if %s %% 3 == 2 then x[%s // 3] else if 0 == %s %% 3 then B[1][%s / 3] else Q[0][%s // 3])"):format(i, i, i, i, i),
        ("reduce (+) 0 (generate 3 (\\v -> if v != 0 then (if v > 1 then x[%s] else B[%s][%s]) else B[1][%s]))"):format(i, j, i, i),
        ("(if %s < 2 then y[%s] else if %s < M + 2 then y[%s - 2] else x[%s - 2 - M])"):format(i, i, i, i, i),
        ("(if %s >= 2 && %s < M then y[%s - 2] else 0)"):format(j, j, j), ("(if %s < 1 then 7 else y[%s - 1])"):format(j, j),
        ("(if %s < M || 0 == %s || %s < 1 then 0 else A[%s - 1][%s - M])"):format(j, i, i, i, j),
        ("(if %s != 0 && 2 <= %s && !(%s > M) then B[%s - 2][%s - 1] else 3)"):format(i, j, j, j, i),
        ("(if %s %% 2 == 1 || %s %% 3 != 0 then 0 else A[%s // 2][%s / 3])"):format(i, j, i, j))
end

local function expression(loops, depth)
    local r = math.random()
    if depth == 0 or r < 0.3 or #loops == #numbers then return element(loops) end
    if r < 0.75 then return ("(%s %s %s)"):format(expression(loops, depth - 1), pick("+", "-", "*"), expression(loops, depth - 1)) end
    local loop = {number = numbers[#loops + 1], size = pick("N", "M")}
    local inner = table.move(loops, 1, #loops, 1, {})
    inner[#inner + 1] = loop
    return ("reduce (+) 0 (generate %s (\\%s -> %s))"):format(loop.size, loop.number, expression(inner, depth - 1))
end

local function program()
    local loops = pick({{number = "i", size = "N"}, {number = "j", size = "M"}}, {{number = "i", size = "M"}, {number = "j", size = "N"}}, {{number = "i", size = "N"}})
    local body = expression(loops, 3)
    for k = #loops, 1, -1 do body = ("(generate %s (\\%s -> %s))"):format(loops[k].size, loops[k].number, body) end
    return "f (x: [N]i32) (y: [M]i32) (A: [N][M]i32) (B: [M][N]i32) (F: [N*M]i32) (w: [N+M-1]i32) (E: [2*N+3*M]i32) (Q: [N][N]i32) (D: [2*N][M]i32) = " .. body
end

function agree(count, seed)
    math.randomseed(seed)
    local made = 0
    for _ = 1, count do
        local text, sizes = program(), pick({N = 5, M = 4}, {N = 3, M = 7}, {N = 6, M = 6})
        t.let(text)
        t.data(sizes)
        local before = t.eval().hash
        if t.apply("indicesToElements") then
            made = made + 1
            if t.eval().hash ~= before then return "other results: let " .. text end
        end
    end
    return made > count // 2 and "equal" or "made something of only " .. made
end
