-- two: the current version is made by two kernels.
function two()
    local made = t.code()
    if not made then return false, "it has no code yet: fuseAs, then lower" end
    local n = #made.kernels
    if n ~= 2 then return false, ("it is made by %d kernel%s; wanted: 2"):format(n, n == 1 and "" or "s") end
    return true
end
