# The plots of ./prove people: gnuplot -e "folder='build/prove/people'" tests/people/plot.gp
set terminal svg size 960,640 font "sans-serif,13" background "#ffffff" linewidth 1.2
set datafile separator ","
set border 3 linecolor "#666666"
set tics nomirror textcolor "#333333"
set grid ytics linecolor "#dddddd" linewidth 0.6
file = folder."/error.csv"
of(way) = "< grep ',".way.",' ".file
set output folder."/error.svg"
set logscale x
set xrange [1:1e9]
set xtics ("1" 1, "10" 10, "100" 100, "1,000" 1e3, "10,000" 1e4, "100,000" 1e5, "1 M" 1e6, "10 M" 1e7, "100 M" 1e8, "1,000 M" 1e9)
set lmargin 9
set rmargin 4
set multiplot

set origin 0, 0.33
set size 1, 0.67
set title "How far off a count of people is" textcolor "#111111" offset 0, 1.6
set key at graph 0, 1.07 left bottom horizontal reverse Left textcolor "#333333" maxrows 1
set ylabel "standard error, %" textcolor "#333333"
set yrange [0:0.9]
plot of("redis") using 1:(100*$7) with lines dashtype 2 linewidth 0.8 linecolor "#d08a8a" notitle, \
     of("likelihood") using 1:(100*$7) with lines dashtype 2 linewidth 0.8 linecolor "#8fc79b" notitle, \
     of("served") using 1:(100*$7) with lines dashtype 2 linewidth 0.8 linecolor "#86addb" notitle, \
     of("redis") using 1:(100*$5) with linespoints pointtype 7 pointsize 0.3 linecolor "#b00020" title "Redis, 12,304 bytes", \
     of("halves") using 1:(100*$5) with linespoints pointtype 7 pointsize 0.3 linecolor "#3f8f52" title "ours, united", \
     of("served") using 1:(100*$5) with linespoints pointtype 7 pointsize 0.3 linecolor "#0b5fa5" title "ours, of one stream, 4.6 KB at most", \
     1/0 with lines dashtype 2 linewidth 0.8 linecolor "#888888" title "theory"

set origin 0, 0
set size 1, 0.35
unset title
unset key
set ylabel "bias, %" textcolor "#333333"
set xlabel "people" textcolor "#333333"
set yrange [-0.05:0.05]
set ytics 0.03
plot 0.03 with lines dashtype 2 linewidth 0.8 linecolor "#888888", \
     -0.03 with lines dashtype 2 linewidth 0.8 linecolor "#888888", \
     of("redis") using 1:(100*$4) with linespoints pointtype 7 pointsize 0.3 linecolor "#b00020", \
     of("halves") using 1:(100*$4) with linespoints pointtype 7 pointsize 0.3 linecolor "#3f8f52", \
     of("served") using 1:(100*$4) with linespoints pointtype 7 pointsize 0.3 linecolor "#0b5fa5"
unset multiplot
