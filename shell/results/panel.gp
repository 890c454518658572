# What each panel begins with. title: what it is of; count: of its kernels; best: of its performance, in that unit ('': in %)
set title title
unset label
unset arrow
unset logscale x
set xtics autofreq
set ytics autofreq
