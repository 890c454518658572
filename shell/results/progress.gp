# The best so far of a search (ICFP'15 figure 12). $trials: number, performance, did it run; $best: corners of the staircase, for a
# line of them looks the same however many trials there are; failed: trials, in a strip below zero; marks: trials where a search
# settled on a choice (fixed: it did), or went on to the next structure; anew: where on none again (again: it did)
size = count > 2000 ? 0.2 : count > 300 ? 0.35 : 0.8
colour = count > 300 ? sky : blue
set xlabel below('evaluations')
set ylabel in_unit('performance')
set xtics 0,step(count)
set xrange [0:count*1.01 + 0.5]
set yrange [failed ? -0.07*best : 0:best*1.05]
if (failed) set arrow from graph 0, first 0 to graph 1, first 0 nohead back lw 1 lc rgb dark
do for [m in marks] { set arrow from m + 0.5, graph 0 to m + 0.5, graph 1 nohead back lw 1 dashtype 3 lc rgb grey }
do for [m in anew] { set arrow from m + 0.5, graph 0 to m + 0.5, graph 1 nohead back lw 1.5 lc rgb grey }
crosses = failed ? "$trials using 1:($3 == 0 ? $2 : NaN) with points pt 2 ps size lw 1 lc rgb grey notitle," : ''
cross = failed ? ", NaN with points pt 2 ps 0.8 lw 1 lc rgb grey title sprintf('failed (%d of %d)', failed, count)" : ''
choice = fixed ? ", NaN with lines lw 1 dashtype 3 lc rgb grey title 'a choice is fixed'" : ''
open = again ? ", NaN with lines lw 1.5 lc rgb grey title 'all are open again'" : ''
plot $trials using 1:($3 == 1 ? $2 : NaN) with points pt 7 ps size lc rgb colour notitle, @crosses \
    $best using 1:2 with steps lw 2.5 lc rgb red title 'best so far', \
    NaN with points pt 7 ps 0.8 lc rgb colour title 'a kernel' @cross @choice @open
