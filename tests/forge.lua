-- forge: a session file as if lathe had written it: every record gets the checksum that its text has now.
-- Usage: lathe tests/forge.lua FILE OUT [FILE OUT]...

local FORMAT = 1

local function hash(h, text)             -- hash_bytes of core/base
    h = h ~ 0xcbf29ce484222325
    for i = 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
    return h ~ h >> 29
end

local function forge(from, to)
    local out, head, lines = {}, nil, {}
    local function flush()
        if not head then return end
        local text = table.concat(lines)
        out[#out + 1] = ("%s  #%08x\n%s"):format(head, hash(hash(FORMAT, head), text) & 0xffffffff, text)
        head, lines = nil, {}
    end
    for line in io.lines(from) do
        if line:sub(1, 1) == "|" then lines[#lines + 1] = line .. "\n"
        else
            flush()
            head = line:gsub("  #%x%x%x%x%x%x%x%x$", "")
        end
    end
    flush()
    local file = assert(io.open(to, "w"))
    file:write(table.concat(out))
    file:close()
end
local files = {...}
for i = 1, #files, 2 do forge(files[i], files[i + 1]) end
