-- depth(t): at least two steps from the source.
local wanted = 2
function depth()
    local v, n = t.version(), 0
    while v.parent do v, n = v.parent, n + 1 end
    if n < wanted then return false, n .. " steps were taken; " .. wanted .. " are wanted" end
    return true
end
