-- good: the strategy called mine needs clearly fewer evaluations than random search, on the recorded table.
local wanted = 120

function good()
    local result, failure = t.search{using = "mine", simulate = true, from = "mm.tsv", seeds = 50}
    if not result then
        return false, failure.id == "E02" and "there is no search strategy called mine: lua search.strategy(\"mine\", ...)"
                      or tostring(failure)
    end
    local needs = result.strategies[2].needs[2].n95
    if not needs then return false, "with some seeds mine never comes within 5 % of the best: does it end too early?" end
    if needs > wanted then
        return false, ("mine needs %d evaluations to come within 5 %% with 95 %% of the seeds; %d are allowed"):format(needs, wanted)
    end
    return true
end
