# How portable kernels are (GPGPU'16 figure 12). $cells: the share of the best in %, a row a kernel, a column where it ran: 0 where
# it fails, -1 where it was not tried; n: rows and columns, whose names the ticks have; note: what crosses and gaps mean, where there
# are some
set title sprintf('%s: share of the best performance there', title)
unset key
set xlabel 'run on'.(note eq '' ? '' : "\n".note)
set ylabel 'kernel that is the best on'
set xrange [-0.5:n - 0.5]
set yrange [n - 0.5:-0.5]
set cbrange [0:100]
set cblabel '% of the best'
set tics scale 0
set border 0
unset grid
set palette defined (0 '#f7fbff', 25 '#c6dbef', 50 '#6baed6', 75 '#2171b5', 100 '#08306b')
# an image needs two cells in each direction
plot $cells matrix using 1:($3 <= 0 ? NaN : $2):(0.49):(0.49):3 with boxxyerror fs solid noborder lc palette, \
    $cells matrix using 1:2:($3 < 0 ? '' : $3 == 0 ? '×' : sprintf('%.0f', $3)):($3 > 55 ? 0xffffff : 0) with labels center \
        textcolor rgb variable
