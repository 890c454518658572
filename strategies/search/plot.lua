-- plot: the trials of a search as text, for a terminal: times, the shortest at the bottom, in the order they were tried.

local objective = require "objective"

local WIDTH, ROWS, LABEL = 60, 8, 10

-- Lines, each ended: . a trial, * one that was better than all before it, the row by the logarithm of the time. "" where none was timed.
local function plot(trials)
    local least, most, count = math.huge, 0, 0
    for _, t in ipairs(trials) do
        if t.ns then least, most, count = math.min(least, t.ns), math.max(most, t.ns), count + 1 end
    end
    if count == 0 then return "" end
    local span, rows = math.max(math.log(most / least), 1e-9), {}
    for y = 1, ROWS do rows[y] = {} end
    for n, t in ipairs(trials) do
        if t.ns then
            local x = #trials <= WIDTH and n or 1 + (n - 1) * WIDTH // #trials
            local y = 1 + math.floor(math.log(most / t.ns) / span * (ROWS - 1) + 0.5)
            if rows[y][x] ~= "*" then rows[y][x] = t.improved and "*" or "." end
        end
    end
    local lines = {}
    for y, row in ipairs(rows) do
        local label = y == 1 and objective.time_text(most, 3) or y == ROWS and objective.time_text(least, 3) or ""
        local cells = {}
        for x = 1, WIDTH do cells[x] = row[x] or " " end
        lines[y] = ("%" .. LABEL .. "s |%s"):format(label, (table.concat(cells):gsub(" +$", "")))
    end
    return table.concat(lines, "\n") .. "\n"
end

return {plot = plot}
