-- recordings: the files that recorded.lua and again.lua read and write.
local columns = {"program", "device", "name", "sizes", "derivation", "params", "state", "ns", "features"}
local files = {}

-- The rows of a recording, or of what `results --format tsv -o` wrote.
function files.read(name)
    local f = assert(io.open(name))
    local rows = search.rows(f:read("a"))
    f:close()
    return rows
end

function files.write(name, rows)
    local f = assert(io.open(name, "w"))
    f:write(table.concat(columns, "\t"), "\n")
    for _, row in ipairs(rows) do
        for i, column in ipairs(columns) do f:write(i > 1 and "\t" or "", row[column] or "") end
        f:write("\n")
    end
    f:close()
end

-- The strategy that a row was made by, and the parameters that it leaves to bind (nil: none). A macro that is written with braces
-- took its parameters as arguments.
function files.call_of(row)
    local macro, arguments = row.derivation:match("^(%w+){(.-)}$")
    if macro then return macro .. "{" .. arguments .. ", " .. row.params:gsub(" ", ", ") .. "}" end
    return row.derivation, row.params ~= "" and search.params_of(row.params) or nil
end

return files
