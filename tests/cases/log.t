> load tests/programs/mm.fun
mm : [N][K]f32 -> [K][M]f32 -> [N][M]f32
> set verbose 0
> log
* @0  source
> apply splitJoin as tiled
@1  splitJoin{n=s0}  at /               builtin    from @0
> apply mapInterchange at /in/f/body
@2  mapInterchange  at /in/f/body       builtin    from @1
> goto @tiled
@1  splitJoin{n=s0}
> apply topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(mapSeq)
@3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(mapSeq)  at /in  builtin    from @1
> param s0 = 8
@4  param s0 = 8        from @3
> goto @tiled
@1  splitJoin{n=s0}
> apply mapInterchange at /in/f/body
@5  mapInterchange  at /in/f/body       builtin    from @1
> log
  @0  source
  @1  splitJoin{n=s0}  at /  [tiled]
  ├─ @2  mapInterchange  at /in/f/body
  ├─ @3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(m...  at /in  (3 inner steps)
  │  @4  param s0 = 8
* @5  mapInterchange  at /in/f/body  = @2
> log --expand
  @0  source
  @1  splitJoin{n=s0}  at /  [tiled]
  ├─ @2  mapInterchange  at /in/f/body
  ├─ @3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(m...  at /in
  │      .1  reduceSeq  at /in/f/body/f/body/f/body
  │      .2  reduceMapFusion  at /in/f/body/f/body/f/body
  │      .3  mapSeq  at /in
  │  @4  param s0 = 8
* @5  mapInterchange  at /in/f/body  = @2
2 rewrites in 2 steps to @5
> log @3
  @3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(m...  at /in  (3 inner steps)
  @4  param s0 = 8
> log @3 --expand
  @3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(m...  at /in
      .1  reduceSeq  at /in/f/body/f/body/f/body
      .2  reduceMapFusion  at /in/f/body/f/body/f/body
      .3  mapSeq  at /in
> log @4 --path
  @0  source
  @1  splitJoin{n=s0}  at /  [tiled]
  @3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(m...  at /in  (3 inner steps)
  @4  param s0 = 8
> set unicode off; log @tiled; set unicode auto
  @1  splitJoin{n=s0}  at /  [tiled]
  |- @2  mapInterchange  at /in/f/body
  |- @3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(m...  at /in  (3 inner steps)
  |  @4  param s0 = 8
* @5  mapInterchange  at /in/f/body  = @2
> set width 60; log @3; set width 100
  @3  topdown(reduceSeq) * ...  at /in  (3 inner steps)
  @4  param s0 = 8
> # inner steps: terms between the versions, which goto makes versions of their own
> show @3.1
join ∘
  map (map (λrow → map (λcol → reduceSeq (+) 0 (map (*) (zip row col))) ∘ transpose $ B)) ∘
  split s0 $ A
> show @3.1 /in/f
map (λrow → map (λcol → reduceSeq (+) 0 (map (*) (zip row col))) ∘ transpose $ B)
> goto @3.2
@6  first 2 inner steps of topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(mapSeq)
> goto @3.1
@7  reduceSeq
> goto @3.2
@6  first 2 inner steps of topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(mapSeq)
> goto @3.3
@3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(mapSeq)
> goto @3.4
E13 @3 has inner steps @3.1 to @3.3
  try     log @3 --expand
> goto @3.0
E13 @3 has inner steps @3.1 to @3.3
  try     log @3 --expand
> goto @3.x
E13 @3 has inner steps @3.1 to @3.3
  try     log @3 --expand
> goto @2.1
E13 @2 is a single step: mapInterchange
  try     log @2 --expand
> tag inner @3.1
E13 @3.1 is an inner step of @3 and no version of its own yet
  try     goto @3.1
> log @1
  @1  splitJoin{n=s0}  at /  [tiled]
  ├─ @2  mapInterchange  at /in/f/body
  ├─ @5  mapInterchange  at /in/f/body  = @2
  ├─ @6  first 2 inner steps of topdown(reduceSeq) * topdown(reduc...  at /in/f/body/f/body/f/body  (2 inner steps)
  ├─ @7  reduceSeq  at /in/f/body/f/body/f/body
* @3  topdown(reduceSeq) * topdown(reduceMapFusion) * topdown(m...  at /in  (3 inner steps)
  @4  param s0 = 8
> eval @3.1
E35 parameter s0 of @3.1 is not bound
  legal   1, 2, 4, 8, 16, 32, 64, 128, 256        for N = 256
  try     goto @3.1 ; param s0 = 8
> show @nosuch
E13 mm has no version tagged "nosuch"
  try     list tags
> show @0
map (λrow → map (λcol → reduce (+) 0 (map (*) (zip row col))) ∘ transpose $ B) A
> # a long tree is drawn around the current version
> load tests/programs/scal.fun
scal : f32 -> [N]f32 -> [N]f32
> set unicode off
> apply id^0 * splitJoin
@1  id^0 * splitJoin  at /              builtin    from @0
> apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal
@2  toGlobal  at /                      builtin    from @1
@3  toGlobal  at /                      builtin    from @2
@4  toGlobal  at /                      builtin    from @3
@5  toGlobal  at /                      builtin    from @4
@6  toGlobal  at /                      builtin    from @5
@7  toGlobal  at /                      builtin    from @6
@8  toGlobal  at /                      builtin    from @7
@9  toGlobal  at /                      builtin    from @8
@10  toGlobal  at /                     builtin    from @9
@11  toGlobal  at /                     builtin    from @10
> apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal
@12  toGlobal  at /                     builtin    from @11
@13  toGlobal  at /                     builtin    from @12
@14  toGlobal  at /                     builtin    from @13
@15  toGlobal  at /                     builtin    from @14
@16  toGlobal  at /                     builtin    from @15
@17  toGlobal  at /                     builtin    from @16
@18  toGlobal  at /                     builtin    from @17
@19  toGlobal  at /                     builtin    from @18
@20  toGlobal  at /                     builtin    from @19
@21  toGlobal  at /                     builtin    from @20
> apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal
@22  toGlobal  at /                     builtin    from @21
@23  toGlobal  at /                     builtin    from @22
@24  toGlobal  at /                     builtin    from @23
@25  toGlobal  at /                     builtin    from @24
@26  toGlobal  at /                     builtin    from @25
@27  toGlobal  at /                     builtin    from @26
@28  toGlobal  at /                     builtin    from @27
@29  toGlobal  at /                     builtin    from @28
@30  toGlobal  at /                     builtin    from @29
@31  toGlobal  at /                     builtin    from @30
> tag far @25; goto @3; apply toGlobal; apply toGlobal
@25 is now "far"
@3  toGlobal
@32  toGlobal  at /                     builtin    from @3
@33  toGlobal  at /                     builtin    from @32
> goto @8; apply mapSeq at /in/in/in/in/in/in/in/in/in; goto @20
@8  toGlobal
E21 mapSeq does not apply at /in/in/in/in/in/in/in/in/in
  rule    map f x  =>  mapSeq f x  when not contains mapGlobal f and not contains mapWorkgroup f
  needs   map f x
  found   split s0 xs
  near    /in/in/in/in/in/in/in/in: map (map (\x -> alpha * x)) . split s0 $ xs
  try     apply mapSeq at /in/in/in/in/in/in/in/in
> apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal
@34  toGlobal  at /                     builtin    from @8
@35  toGlobal  at /                     builtin    from @34
@36  toGlobal  at /                     builtin    from @35
@37  toGlobal  at /                     builtin    from @36
@38  toGlobal  at /                     builtin    from @37
@39  toGlobal  at /                     builtin    from @38
@40  toGlobal  at /                     builtin    from @39
@41  toGlobal  at /                     builtin    from @40
@42  toGlobal  at /                     builtin    from @41
@43  toGlobal  at /                     builtin    from @42
> apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal; apply toGlobal
@44  toGlobal  at /                     builtin    from @43
@45  toGlobal  at /                     builtin    from @44
@46  toGlobal  at /                     builtin    from @45
@47  toGlobal  at /                     builtin    from @46
@48  toGlobal  at /                     builtin    from @47
@49  toGlobal  at /                     builtin    from @48
@50  toGlobal  at /                     builtin    from @49
@51  toGlobal  at /                     builtin    from @50
@52  toGlobal  at /                     builtin    from @51
@53  toGlobal  at /                     builtin    from @52
> log
  @0  source
  @1  id^0 * splitJoin  at /
  @2  toGlobal  at /
  :  @3 to @7: 5 steps, 2 versions on branches        log --full
  @8  toGlobal  at /
  |- @9  toGlobal  at /
  |  : 22 more, tagged ones too        log @9
  :  @34 to @42: 9 steps        log --full
  @43  toGlobal  at /  = @18
  @44  toGlobal  at /  = @19
  @45  toGlobal  at /  = @20
  @46  toGlobal  at /  = @21
  @47  toGlobal  at /  = @22
  @48  toGlobal  at /  = @23
  @49  toGlobal  at /  = @24
  @50  toGlobal  at /  = @25
  @51  toGlobal  at /  = @26
  @52  toGlobal  at /  = @27
* @53  toGlobal  at /  = @28
> goto @35
@35  toGlobal
> log
  @0  source
  @1  id^0 * splitJoin  at /
  @2  toGlobal  at /
  @3  toGlobal  at /
  |- @32  toGlobal  at /  = @4
  |  : 1 more        log @32
  @4  toGlobal  at /
  @5  toGlobal  at /
  @6  toGlobal  at /
  @7  toGlobal  at /
  @8  toGlobal  at /
  |- @9  toGlobal  at /
  |  : 22 more, tagged ones too        log @9
  @34  toGlobal  at /  = @9
* @35  toGlobal  at /  = @10
  @36  toGlobal  at /  = @11
  @37  toGlobal  at /  = @12
  @38  toGlobal  at /  = @13
  @39  toGlobal  at /  = @14
  @40  toGlobal  at /  = @15
  @41  toGlobal  at /  = @16
  :  @42 to @52: 11 steps        log --full
  @53  toGlobal  at /  = @28
