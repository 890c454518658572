> lua search.heuristics.plan = false
> lua dofile("tests/forms.lua")
> =found("mm", {N=1024, M=1024, K=1024}, "gpu", "gemmGpu{mb=128, nb=128, kb=8, mr=16, nr=8, u=8, w=4, stages=2, turn=1}", {s0=128, s1=128, s2=8, s3=16, s4=8}, 'itemsOf * outermost(outerFold, tileLocalSecond{w=4, l="s1/s2"}) * outermost(outerFold, tileLocalFirstT{w=4')
gemmGpu{mb=128, nb=128, kb=8, mr=16, nr=8, u=8, w=4, stages=2, turn=1}: mm/c0c4
> =found("mm", {N=1024, M=1024, K=1024}, "cpu", "gemmCpu{mb=256, nb=64, kb=512, mr=4, w=16}", {s0=256, s1=64, s2=4, s3=512}, "cpuMemory(16)")
gemmCpu{mb=256, nb=64, kb=512, mr=4, w=16}: mm/26f1
> =found("mm", {N=1024, M=1024, K=1024}, "cpu", "gemmCpu{mb=256, nb=128, kb=512, mr=8, w=16, nr=32}", {s0=256, s1=128, s2=8, s3=32, s4=512}, "cpuPanels(16)")
gemmCpu{mb=256, nb=128, kb=512, mr=8, w=16, nr=32}: mm/7274
> =found("asum", {N=1048576}, "cpu", "reduceCpu{chunk=65536, w=16, u=4}", {65536, 64})
reduceCpu{chunk=65536, w=16, u=4}: asum/3a7b
> =found("asum", {N=1048576}, "cpu", "reduceCpuRows{n=8192, r=8, w=16, u=2}", {8192, 8, 32})
reduceCpuRows{n=8192, r=8, w=16, u=2}: asum/b404
> =found("asum", {N=16777216}, "gpu", "reduceGpu{chunk=16384, l=256, w=4, again=false}", {16384, 1024})
reduceGpu{chunk=16384, l=256, w=4, again=false}: asum/3050
> =found("asum", {N=16777216}, "gpu", "reduceGpu{chunk=16384, l=256, w=4, again=true}", {16384, 1024, 1024, 1024})
reduceGpu{chunk=16384, l=256, w=4, again=true}: asum/bb1a
> =found("dot", {N=1048576}, "cpu", "reduceCpu{chunk=65536, w=16, u=4}", {65536, 64})
reduceCpu{chunk=65536, w=16, u=4}: dot/34e6
> =found("scal", {N=1048576}, "cpu", "mapCpu{chunk=65536, w=16}", {65536})
mapCpu{chunk=65536, w=16}: scal/f9ea
> =found("scal", {N=1048576}, "cpu", "mapCpu{chunk=65536, w=16, r=4, stream=true}", {65536, 1024})
mapCpu{chunk=65536, w=16, r=4, stream=true}: scal/0dc9
> =found("scal", {N=1048576}, "gpu", "mapGpu{w=4}", {})
mapGpu{w=4}: scal/4f19
> =found("gemv", {N=1024, M=1024}, "cpu", "gemvCpu{rows=64, w=16, u=4}", {64, 64})
gemvCpu{rows=64, w=16, u=4}: gemv/34bc
> =found("gemv", {N=1024, M=1024}, "gpu", "gemvGpu{l=64, w=4}", {256})
gemvGpu{l=64, w=4}: gemv/bfe0
> =found("gemv_parts", {N=1024, M=1024}, "cpu", "gemvCpuRows{rows=32, r=8, w=16, u=2}", {4, 8, 32})
gemvCpuRows{rows=32, r=8, w=16, u=2}: gemv/6068
> =found("gemv_parts", {N=1024, M=1024}, "gpu", "gemvGpu{rows=2, l=128, w=4}", {2, 512})
gemvGpu{rows=2, l=128, w=4}: gemv/6c10
> =found("smooth", {N=65536}, "gpu", "stencilGroups(256)", {256})
stencilGroups(256): not found
> =found("blur", {N=1024, M=1024}, "gpu", "stencilGroups2{u=8, v=32}", {8, 32})
stencilGroups2{u=8, v=32}: not found
> =found("smooth", {N=65536}, "cpu", "stencilCpu{n=1024}", {1024})
stencilCpu{n=1024}: not found
> =found("blur", {N=1024, M=1024}, "cpu", "stencilCpu{n=16}", {16})
stencilCpu{n=16}: not found
