# Kernels by their share of the best performance (GPGPU'16 figure 10). $bins; most: in one; valid: of the kernels; shown: the best as
# text; low, median, high: quartiles; digits: size of the numbers above the bars, as large as their width allows, 0: none
set xlabel below(sprintf('performance (%% of the best, %s)', shown))
set ylabel valid == count ? sprintf('kernels (%d)', count) : sprintf('kernels (%d valid of %d)', valid, count)
set ytics 0,step(most)
set xrange [0:100]
set xtics 20
set yrange [0:most*1.1]
set boxwidth 4.4
# upright lines behind the bars, which let them through
set arrow from low, graph 0 to low, graph 1 nohead back lw 1.5 dashtype 2 lc rgb red
set arrow from median, graph 0 to median, graph 1 nohead back lw 2.5 lc rgb red
set arrow from high, graph 0 to high, graph 1 nohead back lw 1.5 dashtype 2 lc rgb red
numbers = ''
if (digits) numbers = ", $bins using 1:($2 > 0 ? $2 : NaN):(sprintf('%d', $2)) with labels boxed offset 0,0.6 ". \
    "font sprintf(',%d', digits) textcolor rgb dark notitle"
plot $bins using 1:2 with boxes fs transparent solid 0.8 noborder lc rgb blue notitle, \
    NaN with lines lw 2.5 lc rgb red title sprintf('median %.1f %%', median), \
    NaN with lines lw 1.5 dashtype 2 lc rgb red title sprintf('quartiles %.1f %% and %.1f %%', low, high) @numbers
