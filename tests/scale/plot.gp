# The plots of ./prove scale: gnuplot -e "folder='build/prove/scale'; limit=1480" tests/scale/plot.gp
set terminal svg size 960,420 font "sans-serif,13" background "#ffffff" linewidth 1.2
set border 3 linecolor "#666666"
set tics nomirror textcolor "#333333"
set grid ytics linecolor "#dddddd" linewidth 0.6
set key outside top horizontal left reverse Left textcolor "#333333"
set xlabel "minutes since the start" textcolor "#333333"
set xrange [0:*]
set autoscale xfixmax
set rmargin 4
windows = folder."/windows.tsv"
memory = folder."/memory.tsv"

set output folder."/latency.svg"
set title "PUT beside filling, then flat out: latency in 10 s windows" textcolor "#111111"
set ylabel "milliseconds" textcolor "#333333"
set logscale y
set yrange [0.1:*]
plot 10 with lines dashtype 2 linecolor "#b00020" title "promised: p99 below 10 ms", \
     windows using ($2/60):6 with points pointtype 7 pointsize 0.25 linecolor "#c9c9c9" title "slowest", \
     windows using ($2/60):5 with linespoints pointtype 7 pointsize 0.3 linecolor "#0b5fa5" title "p99", \
     windows using ($2/60):4 with linespoints pointtype 7 pointsize 0.3 linecolor "#5aa469" title "p50", \
     windows every ::0::0 using ($2/60):6:1 with labels left offset 0.5,0.6 textcolor "#666666" notitle
unset logscale y

set output folder."/rate.svg"
set title "Durable PUTs a second over 64 connections" textcolor "#111111"
set ylabel "thousand PUT/s" textcolor "#333333"
set yrange [0:*]
plot windows using ($2/60):($3/1000) with lines linecolor "#0b5fa5" notitle

set output folder."/memory.svg"
set title "Resident memory of the server, every second" textcolor "#111111"
set ylabel "MiB" textcolor "#333333"
plot limit with lines dashtype 2 linecolor "#b00020" title "promised: budget + 25 % + 200 MiB", \
     memory using ($1/60):2 with lines linecolor "#0b5fa5" title "VmRSS"
