# A pivot: bars in groups, a group a row (ICFP'15 figures 1, 14 and 15), lines over the rows (GATLAS' charts), or dots (joined: 0) where their order means nothing. $series: block by
# block x, y and the number above a bar; names, colours: of the blocks; low, high: of y; baseline: what others are compared with, '':
# nothing; the ticks have the rows' names, or are numbers; left: letters that stand out on that side; rows: how many; dots: their size
set title title
set xlabel below(xlabel)
set ylabel ylabel
set yrange [low:high]
if (baseline ne '') set arrow from graph 0, first 1 to graph 1, first 1 nohead front lw 1.5 dashtype 2 lc rgb dark
if (bars && left > 8) set lmargin left
if (bars) set xrange [-0.6:rows - 0.4]
if (bars) set boxwidth blocks ? 0.92*0.8/blocks : 1
all = ''
if (blocks && bars) all = ", for [k=1:blocks] $series index k - 1 using 1:2 with boxes fs solid 0.9 noborder lc rgb colours[k] title names[k], ". \
    "for [k=1:blocks] $series index k - 1 using 1:2:3 with labels offset 0,0.6 font ',10' textcolor rgb dark notitle"
if (blocks && !bars) all = ", for [k=1:blocks] $series index k - 1 using 1:2 with ".(joined ? "linespoints lw 2" : "points")." pt 7 ps dots lc rgb colours[k] ". \
    "title names[k]"
one = baseline eq '' ? '' : ", NaN with lines lw 1.5 dashtype 2 lc rgb dark title baseline.' = 1'"
plot NaN notitle @all @one
