> # what a user asks of parameters besides: searches, param and export t1 keep it, and name it
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> data N = 4096
> set trials 1; set verbose 0
> apply splitJoin
@1  splitJoin{n=s0}  at /               builtin    from @0
> apply splitJoin at /in/f/body
@2  splitJoin{n=s1}  at /in/f/body      builtin    from @1
> lower
@3  lower                               builtin    from @2
> param
  s0 : int    1 <= s0 <= N, s1 divides s0, s0 divides N        13 legal values for N = 4096
  s1 : int    1 <= s1 <= s0, s1 divides s0        13 legal values for N = 4096
  91 points in all        for N = 4096
> lua table.insert(search.constraints, "s0 < 64 or s1 >= 16")
> lua table.insert(search.constraints, {"s0", "s1", function(s0, s1) return s0 < 1024 or s1 >= 256 end, "short runs"})
> lua table.insert(search.constraints, "s9 > 3")
> param
  s0 : int    1 <= s0 <= N, s1 divides s0, s0 divides N        13 legal values for N = 4096
  s1 : int    1 <= s1 <= s0, s1 divides s0        13 legal values for N = 4096
  asked  s0 < 64 or s1 >= 16        search.constraints[1]
  asked  short runs of s0, s1        search.constraints[2]
  asked  s9 > 3        search.constraints[3]: not about @3, which has no s9
  51 points in all        for N = 4096
> search params
space of scal@3   51 points
  s0       13 values   1, 2, 4, 8, 16, 32, 64, 128, 256, 512, ... 4096
  s1       13 values   1, 2, 4, 8, 16, 32, 64, 128, 256, 512, ... 4096
  rejected       78   divides: s1 divides s0, s0 divides 4096
  rejected       28   asked: s0 < 64 or s1 >= 16
  rejected       12   short runs: short runs of s0, s1
> param s0 = 512, s1 = 4
E34 s0 = 512 is not legal: s0 < 64 or s1 >= 16 (constraint from search.constraints[1])
  nearest legal: 32        all: param s0
> param s0 = 2048, s1 = 128
E34 s0 = 2048 is not legal: short runs of s0, s1 (constraint from search.constraints[2])
  nearest legal: 512        all: param s0
> param s0 = 512
@4  param s0 = 512        from @3
> param s1
  s1 : int    1 <= s1 <= s0, s1 divides s0        6 legal values
  asked  s0 < 64 or s1 >= 16        search.constraints[1]
  asked  short runs of s0, s1        search.constraints[2]
  legal  16, 32, 64, 128, 256, 512
  not    1, 2, 4, 8        s0 < 64 or s1 >= 16        search.constraints[1]
  not    1024, 2048, 4096        s1 divides s0
> param s1 = 4
E34 s1 = 4 is not legal: s0 < 64 or s1 >= 16 (constraint from search.constraints[1])
  nearest legal: 16        all: param s1
> lua print(table.concat(t.version():legal("s1"), " "), t.param{s1 = 8}, t.version():with{s1 = 8})
16 32 64 128 256 512	nil	(not kept)  param s1 = 8
> param s1 = 32
@5  param s1 = 32        from @4
> lua search.constraints[3] = "s1 > 32"
> param
  s0 = 512    1 <= s0 <= N, s1 divides s0, s0 divides N
  s1 = 32    1 <= s1 <= s0, s1 divides s0
  asked  s0 < 64 or s1 >= 16        search.constraints[1]
  asked  short runs of s0, s1        search.constraints[2]
  asked  s1 > 32        search.constraints[3]: does not hold
  22 points in all        for N = 4096
> # where no values of the others go with it
> param s0 = ?, s1 = ?
@6  param s0 = ?, s1 = ?        from @5
  same   as @3        goto @3
> lua search.constraints[3] = "s1 > 4096 and s0 < 20"
> param s0
  s0 : int    1 <= s0 <= N, s1 divides s0, s0 divides N        0 legal values for N = 4096
  asked  s0 < 64 or s1 >= 16        search.constraints[1]
  asked  short runs of s0, s1        search.constraints[2]
  asked  s1 > 4096 and s0 < 20        search.constraints[3]
  legal  none        for N = 4096
  not    1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, ... (13)
         s1 > 4096 and s0 < 20: no values of the other parameters go with it        search.constraints[3]
> param s0 = 16
E34 s0 = 16 is not legal: s1 > 4096 and s0 < 20: no values of the other parameters go with it (constraint from search.constraints[3])
> search params using random --budget 3
E05 no point of the space is legal: nothing can be tried
  try     search params        says what rejects them
> # what goes wrong in one
> lua search.constraints[3] = "s0 +"
> param s0 = 16
E24 search.constraints[3]:1: unexpected symbol near <eof>
> lua search.constraints[3] = "s0.x > 3"
> param
  s0 : int
  s1 : int
  asked  s0 < 64 or s1 >= 16        search.constraints[1]
  asked  short runs of s0, s1        search.constraints[2]
  asked  s0.x > 3        search.constraints[3]
E24 search.constraints[3]:1: attempt to index a number value (local 's0')
> param s0
E24 search.constraints[3]:1: attempt to index a number value (local 's0')
> param s0 = 16
E24 search.constraints[3]:1: attempt to index a number value (local 's0')
> search params
E24 search.constraints[3]:1: attempt to index a number value (local 's0')
> apply mapFusion
E21 mapFusion does not apply at /
  rule    map f (map g x)  =>  map (f . g) x
  needs   map f (map g x)
  found   join . mapGlobal 2 (join . mapGlobal 1 (mapGlobal 0 (\x -> ..)) . sp..
  try     moves /
> lua search.constraints[3] = {"s0", function(s0) while true do end end}
> set fuel 10000
> param s0 = 16
E25 the strategy ran out of fuel: too many Lua instructions; is there an endless loop?
  try     set fuel 100000
> set fuel 1000000
> lua search.constraints[3] = {"s0", 7}
> param s0
E24 search.constraints[3] is not "s0 < 64 or s1 == 1" or {"s0", ..., function(s0, ...) ... end, "reason"}
> search params
E24 search.constraints[3] is not "s0 < 64 or s1 == 1" or {"s0", ..., function(s0, ...) ... end, "reason"}
> lua search.constraints[3] = "1 < 2"
> param s0
E24 search.constraints[3] reads no parameter: 1 < 2
> # all trials of a search, in each structure that has the parameters
> lua search.constraints = {"s0 >= 256"}
> param s0
  s0 : int    1 <= s0 <= N, s1 divides s0, s0 divides N        5 legal values for N = 4096
  asked  s0 >= 256        search.constraints[1]
  legal  256, 512, 1024, 2048, 4096        for N = 4096
  not    1, 2, 4, 8, 16, 32, 64, 128        s0 >= 256        search.constraints[1]
> search params using exhaustive --budget 3
search params using exhaustive on pocl0   55 points
      1  @7     s0=256 s1=1                   ok
      2  @8     s0=256 s1=2                   ok
      3  @9     s0=256 s1=4                   ok
  3 of 55 tried: 3 ok
  the budget of evaluations is spent
> lua c = search.candidates(t.version("@0"), {device = "cpu"}); for i = 1, c.count do local s0 = c:at(i).params.s0; assert(not s0 or s0 >= 256) end; print(c.count > 0)
true
> # in Python, where that says the same
> lua search.constraints = {"s0 < 64 or s1 >= 16", "s0 ~= 3 and not (math.sin(s0) > 0.9)"}
> export t1 - | grep -A12 '"s1",\|s0 <\|sin'
    "Name": "s1",
    "Type": "int",
    "Values": "[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]"
   }
  ],
  "Conditions": [
   {
    "Parameters": [
     "s1",
     "s0"
    ],
    "Expression": "(s0) % (s1) == 0"
   },
   {
    "Parameters": [
     "s0"
    ],
    "Expression": "(4096) % (s0) == 0"
   },
   {
    "Parameters": [
--
    "Expression": "s0 < 64 or s1 >= 16"
   }
  ]
 },
 "General": {
  "FormatVersion": 1,
  "TimeUnit": "Milliseconds",
  "OutputFormat": "JSON",
  "LoggingLevel": "Info"
 },
 "KernelSpecification": {
  "Language": "OpenCL",
  "KernelName": "scal_k0",
--
   "X": "s1",
   "Y": "s0//s1",
   "Z": "4096//s0"
  },
  "LocalSize": {
   "X": "1 if (s0, s1, ) in ((1, 1), (4, 1), (16, 1), (32, 1), ) else 2 if (s0, s1, ) in ((4, 2), (16, 2), (32, 2), ) else 4 if (s0, s1, ) in ((4, 4), (16, 4), (32, 4), ) else 8 if (s0, s1, ) in ((16, 8), (32, 8), ) else 16 if (s0, s1, ) in ((16, 16), (32, 16), (128, 16), (256, 16), (512, 16), (1024, 16), (2048, 16), (4096, 16), ) else 32 if (s0, s1, ) in ((32, 32), (128, 32), (256, 32), (512, 32), (1024, 32), (2048, 32), (4096, 32), ) else 64",
   "Y": "1 if (s0, s1, ) in ((1, 1), (4, 2), (4, 4), (16, 2), (16, 4), (16, 8), (16, 16), (32, 2), (32, 4), (32, 8), (32, 16), (32, 32), (128, 16), (128, 32), (128, 64), (128, 128), (256, 16), (256, 32), (256, 64), (256, 128), (256, 256), (512, 16), (512, 32), (512, 64), (512, 128), (512, 256), (512, 512), (1024, 16), (1024, 32), (1024, 64), (1024, 128), (1024, 256), (1024, 512), (1024, 1024), (2048, 16), (2048, 32), (2048, 64), (2048, 128), (2048, 256), (2048, 512), (2048, 1024), (2048, 2048), (4096, 16), (4096, 32), (4096, 64), (4096, 128), (4096, 256), (4096, 512), (4096, 1024), (4096, 2048), (4096, 4096), ) else 4 if (s0, s1, ) in ((4, 1), ) else 16 if (s0, s1, ) in ((16, 1), ) else 32",
   "Z": "64 if (s0, s1, ) in ((1, 1), ) else 1"
  },
  "Arguments": [
   {
    "Name": "alpha",
    "Type": "float",
W14 s0 ~= 3 and not (math.sin(s0) > 0.9) of search.constraints[2] is no Python and was left out      (silence: set silence W14)
> # what it names is a parameter, of this version or another, or a size
> lua search.constraints = {"S0 <= 16"}
> param s0
E24 search.constraints[1] names S0, which is no parameter and no size: parameters are s0, s1; sizes N
> search params
E24 search.constraints[1] names S0, which is no parameter and no size: parameters are s0, s1; sizes N
> lua search.constraints = {"s0 <= limit"}
> param s0 = 16
E24 search.constraints[1] names limit, which is no parameter and no size: parameters are s0, s1; sizes N
> lua search.constraints = {"s0 << 2"}
> search params
E24 search.constraints[1] gives 4, a number; a condition is true or false: s0 << 2
> lua search.constraints = {"s0 * s0 <= N and s1 < 8"}
> param s0 = 128
E34 s0 = 128 is not legal: s0 * s0 <= N and s1 < 8: no values of the other parameters go with it (constraint from search.constraints[1])
  nearest legal: 64        all: param s0
> search params using random --budget 1 | head -1
search params using random on pocl0   18 points
> # what is asked of sizes alone holds for every point, or for none
> goto @3
@3  lower
> lua search.constraints = {"N >= 4096"}
> search params | head -1
space of scal@3   91 points
> lua search.constraints = {"N > 4096"}
> search params
space of scal@3   0 points
  s0        0 values   
  s1        0 values   
  rejected       78   divides: s1 divides s0, s0 divides 4096
  rejected       91   asked: N > 4096
> lua search.constraints = {}
