> # what the user says of versions
> note too early
E10 no program is loaded
  try     load tests/programs/dot.fun        or a file .fun of your own
> load tests/programs/dot.fun
dot : [N]f32 -> [N]f32 -> f32
> note
dot has no notes
> note "the source; as it is written"
@0 is noted        log, export and the page show it
> apply fuseReduce
@1  fuseReduce  at /                    builtin    from @0
  - reduce (+) 0 (map (*) (zip xs ys))
  + reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip xs ys)
  type   f32                          unchanged
  inner  2 steps        log --expand
  focus  /  ->  /                     5 moves here
> note @1 one kernel, "no" copies
@1 is noted        log, export and the page show it
> note @0
  @0      the source; as it is written
> note
  @0      the source; as it is written
  @1      one kernel, no copies
> log
  @0  source
      # the source; as it is written
* @1  fuseReduce  at /  (2 inner steps)
      # one kernel, no copies
> export script -
# dot, @0 to @1
let dot (xs: [N]f32) (ys: [N]f32) = reduce (+) 0 . map (*) $ zip xs ys
expect 02687f3ee255bd63
note "the source; as it is written"
apply fuseReduce at /
expect 9b009c01c1d0b597
note "one kernel, no copies"
> export md - | grep copies
one kernel, no copies
> export tex - | grep -c copies
1
> export dot - | grep copies
  v1 [label="@1\nfuseReduce\nat /\n2 inner steps\none kernel, no copies", penwidth=3];
> export dot - --step
digraph "@1" {
  node [shape=box, fontname="Helvetica", fontsize=11, style=rounded];
  edge [fontname="Helvetica", fontsize=9];
  before [shape=box, style=solid, fontname="Courier", label="reduce (+) 0 (map (*) (zip xs ys))\l"];
  after [shape=box, style=solid, fontname="Courier", label="reduceSeq (λ(acc, (y0, y1)) → acc + y0 * y1) 0 (zip xs ys)\l"];
  before -> after [fontsize=12, label="  fuseReduce\l  at /\l"];
}
> export dot - @0 --step
E05 @0 is no step that changed a term
  try     log
> export html page.html
page.html written
> ! grep -c 'class="note"' page.html
4
> save noted.session
saved noted.session: 1 program, 1 version
> open noted.session
opened noted.session: 1 program, 1 version; now dot@1
> note
  @0      the source; as it is written
  @1      one kernel, no copies
> note -d @0
@0 has no note any more
> note -d @0
E13 @0 has no note
  try     note
> note -d a text
E05 -d takes a note away: of which version?
  form    note [@VERSION] TEXT | note [@VERSION] | note -d [@VERSION]
> note @7 nobody
E13 dot has no version @7; the newest is @1
  try     log
> undo
@0  source
    reduce (+) 0 (map (*) (zip xs ys))
> drop @1
dropped @1
> note
dot has no notes
