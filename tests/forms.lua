-- forms: are the programs that lathe's own macros make, up to parameters, among the structures of an exploration?
-- found(program, sizes, device, call, values[, with]): the structure that gives the very kernel of the call. values: those of the
-- parameters in any order, or by name. with: only structures with that text in their derivation.

local function permutations(list, f, n)
    n = n or #list
    if n == 0 then return f(list) end
    for i = 1, n do
        list[i], list[n] = list[n], list[i]
        local r = permutations(list, f, n - 1)
        if r then return r end
        list[i], list[n] = list[n], list[i]
    end
end

local function names_of(s)
    local names = {}
    for name in pairs(s.light.params) do names[#names + 1] = name end
    return names
end

local explored = {}
local function exploration(program, sizes, device)
    local key = program .. device
    if not explored[key] then
        t.load("tests/programs/" .. program .. ".fun")
        t.data(sizes)
        explored[key] = search.explore(t.version(), {device = device})
    end
    t.use(explored[key].version.program)
    return explored[key]
end

function found(program, sizes, device, call, values, with)
    local e = exploration(program, sizes, device)
    local version, why = e.version:try(call)
    if not version then return call .. ": " .. tostring(why) end
    local wanted = search.kernel(version, {}, device)
    for _, s in ipairs(e.structures) do
        local names = names_of(s)
        local function gives(params)
            local made = search.kernel(s.light, params, device)
            return made and made.digest == wanted.digest and params
        end
        if (#names == #values or values.s0) and (not with or s.derivation:find(with, 1, true)) then
            local point = values.s0 and gives(values) or not values.s0 and permutations(values, function(list)
                local params = {}
                for i, name in ipairs(names) do params[name] = list[i] end
                return gives(params)
            end)
            if point then
                return call .. ": " .. s.label .. (s.space:index(point) and "" or ", not a legal point: " .. s.space:violated(point).text)
            end
        end
    end
    return call .. ": not found"
end
