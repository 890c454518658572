-- library: what lathe defines, in the order in which it is listed. It names nothing that is not there (check, which a unit test calls).

for _, name in ipairs({"macros", "lower", "shapes", "epilogue", "vectors", "folds", "scans", "segments", "by_index", "stencils", "online", "tupling", "fusion", "planner", "command", "explain",
                       "tuning", "fuse"}) do
    require(name)
end

local base, texts, mappings = require "base", require "texts", require "mappings"

-- What macros are made of, and the strategies that schemes and macro rules have as texts.
local function check()
    base.check_macros()
    for _, text in ipairs(mappings.texts()) do base.check_names(function() texts.to_strategy(text) end) end
end

return {check = check}
