> # log --expand shows macros within macros as a tree, which --depth folds; files keep it
> load tests/programs/gemm.fun
gemm : [N][K]f32 -> [K][M]f32 -> [N][M]f32 -> f32 -> f32 -> [N][M]f32
> set verbose 0
> apply gemmCpu{mb=64, nb=32, kb=64, mr=4, w=16}
@1  gemmCpu{mb=64, nb=32, kb=64, mr=4, w=16}  at /  builtin    from @0
> log @1 --expand --depth 0
* @1  gemmCpu{mb=64, nb=32, kb=64, mr=4, w=16}  at /
      fuseReduce  at /in/0/f/body/f/body  (.1 to .2)
      tile(64, 32)  at /in/0  (.3 to .6)
      blockFoldRows(4)  at /in/0/in/f/body/in/in/f/body/in  (.7 to .19)
      tileFold(64)  at /in/0/in/f/body/in/in/f/body/in/in/f/body  (.20 to .22)
      blockMapIntoReduce  at /in/0/in/f/body/in/in/f/body/in/in  (.23 to .27)
      vectoriseBlock(16)  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body  (.28 to .34)
      fuseEpilogue  at /  (.35 to .45)
      epilogueVectors(16)  at /in/f/body/in/in/f/body/in/in/f/body/f/body  (1 step)
      groupsOf  at /in  (.47 to .54)
      cpuMemory(16, true)  at /in/f/body/in/in/f/body/in/in  (.55 to .59)
> log @1 --expand --depth 1
* @1  gemmCpu{mb=64, nb=32, kb=64, mr=4, w=16}  at /
      fuseReduce  at /in/0/f/body/f/body
         .1  reduceSeq  at /in/0/f/body/f/body
         .2  reduceMapFusion  at /in/0/f/body/f/body
      tile(64, 32)  at /in/0
         .3  splitJoin(64)  at /in/0
         .4  mapInterchange  at /in/0/in/f/body
         .5  splitJoin(32)  at /in/0/in/f/body/in
         .6  mapInterchange  at /in/0/in/f/body/in/in/f/body
      blockFoldRows(4)  at /in/0/in/f/body/in/in/f/body/in
         splitRows(4)  at /in/0/in/f/body/in/in/f/body/in  (1 step)
         blockMapIntoReduce  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body  (.8 to .13)
         blockMapIntoReduce  at /in/0/in/f/body/in/in/f/body/in/in/f/body  (.14 to .19)
      tileFold(64)  at /in/0/in/f/body/in/in/f/body/in/in/f/body
         .20  splitReduce(64)  at /in/0/in/f/body/in/in/f/body/in/in/f/body
         .21  splitZip  at /in/0/in/f/body/in/in/f/body/in/in/f/body/in
         .22  reduceMapFusion  at /in/0/in/f/body/in/in/f/body/in/in/f/body
      blockMapIntoReduce  at /in/0/in/f/body/in/in/f/body/in/in
         .23  mapReduceSeqInterchange  at /in/0/in/f/body/in/in/f/body/in/in
         .24  transposeMapZip  at /in/0/in/f/body/in/in/f/body/in/in/in
         .25  reduceMapFusion  at /in/0/in/f/body/in/in/f/body/in/in
         .26  zipMap  at /in/0/in/f/body/in/in/f/body/in/in/f/body/in
         .27  mapFusion  at /in/0/in/f/body/in/in/f/body/in/in/f/body
      vectoriseBlock(16)  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body
         .28  vectorise(16)  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body/f/body/f/body
         .29  accAsVector(16)  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body
         .30  mapFusion  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body/in/f/body
         .31  asVectorAsScalar  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body/in/f/body/f/body
         .32  zipMap  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body/in/f/body/in
         .33  mapFusion  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body/in/f/body
         .34  asVectorAsScalar  at /in/0/in/f/body/in/in/f/body/in/in/f/body/f/body/in/f/body/f/body/in/0
      fuseEpilogue  at /
         .35  mapZipJoin  at /
         .36  zipMap  at /in/in
         .37  mapFusion  at /in
         .38  mapZipTranspose  at /in/f/body
         .39  mapZipJoin  at /in/f/body/in
         .40  zipMap  at /in/f/body/in/in/in
         .41  mapFusion  at /in/f/body/in/in
         .42  mapZipTranspose  at /in/f/body/in/in/f/body
         .43  mapZipJoin  at /in/f/body/in/in/f/body/in
         .44  mapId  at /in/f/body/in/in/f/body/in/in/in/1/in/in
         .45  mapId  at /in/f/body/in/in/in/1/in/in
      epilogueVectors(16)  at /in/f/body/in/in/f/body/in/in/f/body/f/body
         .46  vectorise(16)  at /in/f/body/in/in/f/body/in/in/f/body/f/body
      groupsOf  at /in
         .47  mapWorkgroup(1)  at /in
         .48  mapWorkgroup(0)  at /in/f/body/in/in
         unrollBlock  at /in/f/body/in/in/f/body/in/in/in/0/f/body/f/body/in/f/body  (.49 to .50)
         .51  mapSeq  at /in/f/body/in/in/f/body/in/in
         .52  mapSeq  at /in/f/body/in/in/f/body/in/in/f/body
         .53  mapSeq  at /in/f/body/in/in/f/body/in/in/f/body/f/body/in
         .54  mapSeq  at /in/f/body/in/in/f/body/in/in/in/0/f/body
      cpuMemory(16, true)  at /in/f/body/in/in/f/body/in/in
         .55  accPrivate2  at /in/f/body/in/in/f/body/in/in/in/0/f/body/f/body/in
         .56  tileLocal(16)  at /in/f/body/in/in/f/body/in/in/in/0
         .57  accLocal3  at /in/f/body/in/in/f/body/in/in/in/0
         fuseSums  at /in/f/body/in/in/f/body/in/in  (.58 to .59)
> macro fused = topdown(fuseReduce)
fused
  macro fused = topdown(fuseReduce)
> macro twice = fused * try(fused)
twice
  macro twice = fused * try(fused)
> use gemm@0
> apply twice * try(fuse)
@2  twice * try(fuse)  at /             builtin    from @0
> log @2 --expand
* @2  twice * try(fuse)  at /
      twice  at /in/0/f/body/f/body
         fused  at /in/0/f/body/f/body
            fuseReduce  at /in/0/f/body/f/body
               .1  reduceSeq  at /in/0/f/body/f/body
               .2  reduceMapFusion  at /in/0/f/body/f/body
      fuse  at /
         .3  zipMap  at /in
         .4  mapFusion  at /
         .5  zipMap  at /f/body/in
         .6  mapFusion  at /f/body
> save nesting.session
saved nesting.session: 1 program, 2 versions
> !sed -n '/@2 from/,$p' nesting.session | grep '^|'
| { twice at /
| { fused at /
| { fuseReduce at /
| reduceSeq at /in/0/f/body/f/body
| reduceMapFusion at /in/0/f/body/f/body
| }
| }
| }
| { fuse at /
| zipMap at /in
| mapFusion at /
| zipMap at /f/body/in
| mapFusion at /f/body
| fused = topdown(fuseReduce)
| twice = fused * try(fused)
> open nesting.session
opened nesting.session: 1 program, 2 versions; now gemm@2
> log @2 --expand
* @2  twice * try(fuse)  at /
      twice  at /in/0/f/body/f/body
         fused  at /in/0/f/body/f/body
            fuseReduce  at /in/0/f/body/f/body
               .1  reduceSeq  at /in/0/f/body/f/body
               .2  reduceMapFusion  at /in/0/f/body/f/body
      fuse  at /
         .3  zipMap  at /in
         .4  mapFusion  at /
         .5  zipMap  at /f/body/in
         .6  mapFusion  at /f/body
> =#t.version("@2").steps, table.concat(t.version("@2").steps[1].within, "; ")
6	twice at /; fused at /; fuseReduce at /
