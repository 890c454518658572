> # a derivation begins at the program as it is written, whatever was made of it before
> lua function made(name) assert(t.source("scripts/derivations/asum-" .. name .. ".lathe")) return t.version().hash end
> =made("nvidia") == made("nvidia"), made("amd") == made("nvidia")
true	false
