-- figures: the figures of the papers: measured or read, drawn, described. scripts/figures runs it, a process for each figure.
--   lathe tests/figures/figures.lua list                         names, the benchmarks that each takes, titles
--   lathe tests/figures/figures.lua make OUT NAME SIZE FROM DEVICE,...     SIZE: full, small; FROM: folder of recorded .tsv, or -
--   lathe tests/figures/figures.lua page OUT                     the page of all figures that are there
-- A figure is {name, title, paper = what the paper's figure shows, benches = names for scripts/bench,
-- measure = function(c) rows, or nil and why not, pictures = function(c) list of {name, options of results} or {name, text = an SVG}, table = options of it,
-- listing = function() a text that is shown line by line}.
local page, rows = dofile("tests/figures/page.lua"), dofile("tests/figures/rows.lua")

local figures = {}
for _, paper in ipairs({"icfp15", "gpgpu16", "gatlas", "fusion"}) do
    for _, f in ipairs(dofile("tests/figures/" .. paper .. ".lua")) do figures[#figures + 1] = f end
end

local function figure_called(name)
    for _, f in ipairs(figures) do
        if f.name == name then return f end
    end
    error("no figure is called " .. name .. ": scripts/figures has the list", 0)
end

-- The devices that are meant, {id, gpu, name}: of a kind, or by their names, pocl0 or pocl0@a, each of which there is; unasked all but those that
-- only check.
local function devices_of(text)
    local list = {}
    for word in (text == "-" and "gpu,cpu" or text):gmatch("[^,]+") do
        local kind, found = word == "gpu" or word == "cpu", text == "-"
        for _, d in ipairs(assert(t.device()).devices) do
            local meant = kind and not d.checker and d.gpu == (word == "gpu") or word:match("[^@]+") == d.id
            if meant then list[#list + 1] = {id = kind and d.id or word, gpu = d.gpu, name = d.name} end
            found = found or meant
        end
        assert(found, "no device is called " .. word)
    end
    return list
end

-- What a figure is made with: c.devices, c.small, c.out; c:size(cpu, gpu, small) by the device d; c:note(text) stands on the page.
local function context(out, f, size, devices)
    local c = {out = out, figure = f, small = size == "small", asked = devices ~= "-", devices = devices_of(devices), notes = {}}
    function c:size(d, cpu, gpu, small) return self.small and small or d.gpu and gpu or cpu end
    function c:note(...) self.notes[#self.notes + 1] = string.format(...) end
    function c:path(ending) return self.out .. "/" .. f.name .. ending end
    return c
end

local function read(name)
    local file = io.open(name)
    if not file then return nil end
    local text = file:read("a")
    file:close()
    return text
end

local function write(name, text)
    local file = assert(io.open(name, "w"))
    file:write(text)
    file:close()
end

-- What scripts/bench search keeps, where no device is asked for.
local function kept(c)
    if not c.figure.recorded or c.asked or c.small then return nil end
    local list = {}
    for _, name in ipairs(c.figure.recorded) do
        for _, row in ipairs(rows.read("tests/bench/recorded/" .. name .. ".tsv")) do list[#list + 1] = row end
        c:note("Read from what was recorded: tests/bench/recorded/%s.tsv. With --device it is measured.", name)
    end
    return list
end

-- OUT/NAME.tsv, and what is said of it, as NAME.notes: there already, from a folder, kept, or measured. nil and why: there is none.
local function obtain(c, from)
    if read(c:path(".tsv")) then return read(c:path(".notes")) or "" end
    local recorded = from ~= "-" and read(from .. "/" .. c.figure.name .. ".tsv")
    if recorded then
        c:note("Read from what was recorded: %s/%s.tsv", from, c.figure.name)
        write(c:path(".tsv"), recorded)
        return table.concat(c.notes, "\n") .. "\n" .. (read(from .. "/" .. c.figure.name .. ".notes") or "")
    end
    local list, why = kept(c)
    if not list then list, why = c.figure.measure(c) end
    if not list then return nil, why end
    rows.write(c:path(".tsv"), list)
    return table.concat(c.notes, "\n") .. "\n"
end

local function draw(c)
    local pictures = {}
    for _, p in ipairs(c.figure.pictures(c)) do
        local file = c:path((p.name and "-" .. p.name or "") .. ".svg")
        local options = {from = c:path(".tsv"), o = file}
        for k, v in pairs(p) do
            if type(k) == "string" and k ~= "name" and k ~= "says" then options[k] = v end
        end
        local made, why = p.text or nil, nil
        if made then write(file, p.text) else made, why = t.results(rows.words(p, options)) end
        if made then pictures[#pictures + 1] = {file = file, says = p.says}
        else c:note("Not drawn: %s", tostring(why):match("[^\n]*")) end
    end
    return pictures
end

local function table_of(c)
    if not c.figure.table then return nil end
    local options = {from = c:path(".tsv")}
    for k, v in pairs(c.figure.table) do options[k] = v end
    local made, why = t.results(options)
    return (tostring(made or why):gsub(" by derivation\n", "\n"))          -- what stands there is who or what it is
end

local function make(out, name, size, from, devices)
    local f = figure_called(name)
    local c = context(out, f, size, devices)
    local notes, why = obtain(c, from)
    if notes then
        write(c:path(".notes"), notes)
        c.notes = {}
        for line in notes:gmatch("[^\n]+") do c.notes[#c.notes + 1] = line end
    else c:note("Not made: %s", why) end
    local pictures = notes and draw(c) or {}
    write(c:path(".part"), page.section(f, pictures, notes and table_of(c), c.notes, f.listing and f.listing()))
    if #pictures == 0 then error(name .. " was not made: " .. (why or c.notes[1] or "nothing was drawn"), 0) end
    print(name .. ": " .. #pictures .. (#pictures == 1 and " picture" or " pictures"))
end

local what, out = ...
if what == "list" then
    for _, f in ipairs(figures) do print(f.name .. "\t" .. (f.benches or "") .. "\t" .. f.title) end
elseif what == "make" then make(out, select(3, ...))
elseif what == "page" then
    local parts = {}
    for _, f in ipairs(figures) do parts[#parts + 1] = read(out .. "/" .. f.name .. ".part") end
    write(out .. "/index.html", page.whole(parts))
    print(out .. "/index.html: " .. #parts .. " figures")
else error("list, make or page", 0) end
