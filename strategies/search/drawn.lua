-- drawn: the functions of a program and the kernels that they share, as a figure of an HTML page (`export html`).

local engine, planner, fusions, objective = require "engine", require "planner", require "fusions", require "objective"
local time_text, map = objective.time_text, require("lists").map

local WIDTH, HEIGHT, ACROSS, DOWN, MARGIN = 204, 64, 70, 30, 16      -- of a function's box, between grounds, around parts
local COMBINATIONS = 5

local function escaped(text) return (text:gsub("[&<>]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;"})) end

-- The column of each function: before all that read it, the result in the last; its row: in the column, in the order of the plan. Gives
-- the size of the whole.
local function placed(list)
    local rows, columns, most = {}, 1, 1
    for n = #list, 1, -1 do
        list[n].column = list[n].column or 1
        for _, u in ipairs(list[n].reads) do list[u].column = math.max(list[u].column or 1, list[n].column + 1) end
        columns = math.max(columns, list[n].column)
    end
    for _, v in ipairs(list) do
        local row = rows[v.column] or 0
        rows[v.column], most = row + 1, math.max(most, row + 1)
        v.x, v.y = MARGIN + (columns - v.column) * (WIDTH + ACROSS), MARGIN + row * (HEIGHT + DOWN)
    end
    return 2 * MARGIN + columns * WIDTH + (columns - 1) * ACROSS, 2 * MARGIN + most * HEIGHT + (most - 1) * DOWN
end

-- The parts that the call of fuseAs makes; those of the best combination, if there is none: part[n] of the n-th function, how many, names.
local function parts_of(p, call)
    local part, names, count = {}, {}, 0
    if call then
        for text in call:gmatch('"([^"]*)"') do
            count = count + 1
            local numbers, how = planner.parse(text)
            for _, n in ipairs(numbers) do part[n], names[n] = count, how and how.names[n] end
        end
    else
        for i, one in ipairs(p.combinations[1].fusions) do
            count = i
            for k, n in ipairs(one.members) do part[n], names[n] = i, p.chosen and one.ways[1].made[k].name or nil end
        end
    end
    for n = 1, #p.functions do
        if not part[n] then
            count = count + 1
            part[n] = count
        end
    end
    return part, count, names
end

local function line(list, u, n, class)
    local x0, y0, x1, y1 = list[u].x + WIDTH, list[u].y + HEIGHT // 2, list[n].x, list[n].y + HEIGHT // 2
    local middle = (x0 + x1) // 2
    return ('<path class="%s" d="M%d %d C%d %d %d %d %d %d"/>\n'):format(class, x0, y0, middle, y0, middle, y1, x1, y1)
end

-- Behind the functions of the i-th part a ground that is one, along the lines between them too.
local function ground_of(list, part, i)
    local lines, class, d = {}, i % 2 == 1 and "odd" or "even", MARGIN // 2
    for n, v in ipairs(list) do
        if part[n] == i then
            lines[#lines + 1] = ('<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="8"/>\n'):format(class, v.x - d, v.y - d, WIDTH + 2 * d, HEIGHT + 2 * d)
            for _, u in ipairs(v.reads) do
                if part[u] == i then lines[#lines + 1] = line(list, u, n, class) end
            end
        end
    end
    return table.concat(lines)
end

local function nodes_of(list, part, names)
    return table.concat(map(list, function(v, n)
        local items = names[n] and ", " .. names[n] .. (tonumber(names[n]) and (names[n] == "1" and " work-item" or " work-items") or "") or ""
        return ('<g><rect class="function" x="%d" y="%d" width="%d" height="%d" rx="4"/>'):format(v.x, v.y, WIDTH, HEIGHT)
            .. ('<text x="%d" y="%d"><tspan class="no">#%d</tspan> kernel %d%s</text>'):format(v.x + 8, v.y + 20, n, part[n], escaped(items))
            .. ('<text class="code" x="%d" y="%d">%s</text>'):format(v.x + 8, v.y + 38, escaped(objective.clipped(v.text, 26)))
            .. ('<text class="soft" x="%d" y="%d">%s</text><title>%s</title></g>\n'):format(v.x + 8, v.y + 55, escaped(objective.clipped("of " .. v.of, 12) .. ", " .. time_text(v.ns, 3) .. " alone"),
                                                                                           escaped(v.text))
    end))
end

local function table_of(p)
    local lines = {"<table class=\"fusions\"><caption>the best combinations by the cost model</caption>\n<tr><th>kernels</th><th>predicted</th></tr>\n"}
    for i = 1, math.min(COMBINATIONS, #p.combinations) do
        local c = p.combinations[i]
        lines[#lines + 1] = ("<tr><td>%s</td><td>%s</td></tr>\n"):format(fusions.parts_text(c), time_text(c.ns, 3))
    end
    lines[#lines + 1] = "</table>\n"
    return table.concat(lines)
end

-- The figure for version v, where that call of fuseAs made its parts (nil: the best combination that is predicted); nil: nothing there
-- could share a kernel.
local function drawn(v, call)
    local ok, p = engine.pcall(fusions.plan_of, v, COMBINATIONS)
    if not ok then return nil end
    local list = p.functions
    local width, height = placed(list)
    local part, count, names = parts_of(p, call)
    local drawn = {}
    for i = 1, count do drawn[i] = ground_of(list, part, i) end
    for n, v in ipairs(list) do
        for _, u in ipairs(v.reads) do drawn[#drawn + 1] = line(list, u, n, part[u] == part[n] and "inside" or "between") end
    end
    return ('<figure class="fusion"><figcaption>%d functions in %d kernel%s%s: a line within a kernel is local memory, a dashed one global memory</figcaption>\n')
               :format(#list, count, count == 1 and "" or "s", call and "" or ", as predicted best")
        .. ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">\n<title>functions and kernels</title>\n')
               :format(width, height, width, height)
        .. table.concat(drawn) .. nodes_of(list, part, names) .. "</svg>\n" .. table_of(p) .. "</figure>\n"
end

return {drawn = drawn}
