# What random search may expect (GPGPU'16 figure 11). $curve: draws, the expected best, from where to where it is in most searches;
# share90, share95 of the performance are reached in needed90, needed95 draws with 95 % confidence: dots on lines of their own
set xlabel below('kernels tested')
set ylabel in_unit('best so far')
if (count > 100) set logscale x; else set xtics 0,step(count)
set xrange [1:count > 1 ? count : 2]
set yrange [0:best*1.05]
do for [i=1:2] {
    at = best*(i == 1 ? share90 : share95)
    set arrow from graph 0, first at to graph 1, first at nohead front lw 1 dashtype 3 lc rgb dark
    set label '' front point pt 7 ps 1.2 lc rgb red at i == 1 ? needed90 : needed95, at
}
plot $curve using 1:3:4 with filledcurves fs solid 0.25 noborder lc rgb blue title '5 % to 95 % of the searches', \
    $curve using 1:2 with lines lw 2.5 lc rgb blue title 'expected best', \
    NaN with points pt 7 ps 1.2 lc rgb red title sprintf('95 %% confidence: 90 %% of the best in %d, 95 %% in %d', needed90, needed95)
