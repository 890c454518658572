-- library: what lathe defines, in the order in which it is listed.

for _, name in ipairs({"macros", "lower", "nests", "group_loops", "session", "shapes", "epilogue", "vectors", "scans", "segments", "by_index", "stencils", "online", "attention", "tupling", "rowfolds", "indices", "fusion", "planner", "command", "explain",
                       "tuning", "fuse", "fit"}) do
    require(name)
end

local names, texts, mappings = require "names", require "texts", require "mappings"

-- What lathe's own files name is there: files are their functions. Asked when lathe is built (lua_check.c).
local function check(files)
    for _, f in ipairs(files) do names.check_own(f) end
    for _, text in ipairs(mappings.texts()) do texts.to_strategy(text) end
end

return {check = check}
