# What each picture begins with: the file, colours that those who see fewer of them can tell apart (Okabe and Ito), axes, functions.
# kind, output: of the file; width, height: in pixels
blue = '#0072B2'
red = '#D55E00'
grey = '#777777'
dark = '#333333'
sky = '#56B4E9'
if (kind eq 'svg') set terminal svg noenhanced size width,height font 'Helvetica,Arial,sans-serif,14' background rgb 'white'
if (kind eq 'png') set terminal pngcairo noenhanced size width*3/2,height*3/2 font 'Sans,14' background rgb 'white'
if (kind eq 'pdf') set terminal pdfcairo noenhanced size width/120.0,height/120.0 font 'Sans,10' background rgb 'white'
set output output
set encoding utf8
set border 3 lc rgb dark
set tics nomirror out
set style textbox opaque noborder fillcolor rgb 'white' margins 0.2,0.2
set grid ytics lw 0.5 lc rgb '#dddddd'
set key bmargin center horizontal Left reverse samplen 2 maxcols 4
# ticks at whole numbers, six or so up to most
power(most) = 10**floor(log10(most > 6 ? most/6.0 : 1))
factor(n) = n <= 1 ? 1 : n > 5 ? 10 : n > 2 ? 5 : 2
step(most) = power(most)*factor(most/6.0/power(most))
# below an axis an empty line, as the legend would touch its name
below(name) = name eq '' ? '' : name."\n "
in_unit(name) = unit eq '' ? name.' (% of the best)' : sprintf('%s (%s)', name, unit)
