-- limits: what holds each kernel of a version back, as the cost model has it: for `plan`.

local engine, model, lists = require "engine", require "model", require "lists"
local time_text = require("objective").time_text

-- {version = "@4"}: a list of the texts of each kernel, in their order; empty where there is no prediction.
local function command(spec)
    local v, kind = assert(engine.version(spec.version)), engine.on_gpu() and "gpu" or "cpu"
    local kernels = engine.features_of(v, {{}}, kind)[1] or {}
    local assumed = engine.default_sizes(v) and " at default sizes" or ""
    return {kernels = lists.json(lists.map(kernels, function(f)
        local ns, terms = model.cost_of({f}, kind)
        local _, most = model.explain_terms(ns, terms)
        local texts = {("limited by %s: %s of the %s expected%s"):format(model.meanings[most] or most, time_text(terms[most], 3), time_text(ns, 3), assumed)}
        if kind == "gpu" then
            local room, by = model.room_of(f)
            texts[2] = ("%s a unit at once: %s"):format(lists.count(room, "group"), by)
        end
        return lists.json(texts)
    end))}
end

return {command = command}
