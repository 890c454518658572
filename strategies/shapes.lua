-- shapes: the default lowering with other shapes for its nests than it chooses, and other values of the options that make them:
-- "SHAPE", "SHAPE MACRO.OPTION=VALUE ..."; "": as lower chooses. They are what searches and tune try beside it.

local base, defaults, lower, blocking = require "base", require "defaults", require "lower", require "blocking"

local PLAIN = "plain"                    -- of a nest that has no shape: loops, and maps over global work-items

local values = {["true"] = true, ["false"] = false}

-- "long map mapCpu.w=8": the shape's name or nil, and {["mapCpu.w"] = 8}; an error: it is no such text.
local function parse(text)
    if type(text) ~= "string" then error("a shape is a text, as lower --explain says it", 0) end
    local words, others = {}, {}
    for word in text:gmatch("%S+") do
        local option, value = word:match("^(%w+%.%w+)=(%w+)$")
        if option then
            if values[value] ~= nil then others[option] = values[value] else others[option] = math.tointeger(value) end
            if others[option] == nil then error(word .. ": an option is a number, true or false", 0) end
        else words[#words + 1] = word end
    end
    return #words > 0 and table.concat(words, " ") or nil, others
end

local function text_of(shape, others)
    local names, parts = {}, {shape}
    for name in pairs(others) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do parts[#parts + 1] = name .. "=" .. tostring(others[name]) end
    return table.concat(parts, " ")
end

-- What lower makes of the term at c when its i-th nest is as wanted[i] says (nil: ""), and its nests: {at = the nest before, shape =,
-- others =, options = those that its macros have} each. nil, the nests and a failure: one cannot be so, or there are not so many.
local function lowered(c, wanted)
    local nests, misfit = {}, nil
    local r = lower.by(c, function(q)
        local text = wanted[#nests + 1] or ""
        local shape, others = parse(text)
        local nest = {at = q, others = others}
        nests[#nests + 1] = nest
        local made
        if shape ~= PLAIN then nest.options, made, nest.shape = blocking.with_options(others, defaults.shaped, q, shape) end
        for option in pairs(others) do
            if made and nest.options[option] == nil then made = nil end
        end
        if not made and (shape or next(others)) and shape ~= PLAIN then
            misfit = misfit or base.failure(q, "lowerAs", "a nest that can be " .. text)
        end
        nest.shape = nest.shape or PLAIN
        return made
    end)
    if #nests < #wanted then misfit = misfit or base.failure(c, "lowerAs", #wanted .. " nests", #nests .. " in all") end
    if misfit then return nil, nests, misfit end
    return r, nests
end

base.name("lowerAs", "(shape, ...)",
          "lower, but that its nests have these shapes, in the order of lower --explain; \"\": the one that lower chooses", "lowering",
    function(...)
        local wanted = {...}
        for _, text in ipairs(wanted) do parse(text) end
        return base.new("lowerAs", function(c)
            local r, _, misfit = lowered(c, wanted)
            return r, misfit
        end)
    end)

-- The call that makes it; "lower" where all is as it chooses.
local function call_of(wanted)
    local last = #wanted
    while last > 0 and wanted[last] == "" do last = last - 1 end
    local parts = {}
    for i = 1, last do parts[i] = ("%q"):format(wanted[i]) end
    return last == 0 and "lower" or "lowerAs(" .. table.concat(parts, ", ") .. ")"
end

-- What an option may be instead: twice as much, half of it.
local function nearby(value)
    if type(value) == "boolean" then return {not value} end
    local n = math.type(value) == "integer" and value or type(value) == "userdata" and value:known()
    if not n or n < 1 then return {} end
    return n % 2 == 0 and {2 * n, n // 2} or {2 * n}
end

local names = table.move(defaults.names, 1, #defaults.names, 2, {PLAIN})

-- The steps from wanted: one nest in another shape, or with another value of one option; a list of such lists. nests: of `lowered`.
local function steps(wanted, nests)
    local list = {}
    local function add(i, text)
        local step = {}
        for k = 1, #nests do step[k] = wanted[k] or "" end
        step[i] = text
        list[#list + 1] = step
    end
    for i, nest in ipairs(nests) do
        for _, shape in ipairs(names) do
            if shape ~= nest.shape and (shape == PLAIN or defaults.shaped(nest.at, shape)) then add(i, shape) end
        end
        local options = {}
        for option in pairs(nest.options or {}) do options[#options + 1] = option end
        table.sort(options)
        for _, option in ipairs(options) do
            for _, value in ipairs(nearby(nest.options[option])) do
                local others = {[option] = value}
                for name, given in pairs(nest.others) do
                    if name ~= option then others[name] = given end
                end
                add(i, text_of(nest.shape, others))
            end
        end
    end
    return list
end

return {PLAIN = PLAIN, names = names, lowered = lowered, call_of = call_of, steps = steps}
