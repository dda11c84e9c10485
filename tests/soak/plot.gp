# The plots of ./prove soak: gnuplot -e "folder='build/prove/soak'; settled=600; offered=50000; gauges=12" tests/soak/plot.gp
set terminal svg size 960,420 font "sans-serif,13" background "#ffffff" linewidth 1.2
set border 3 linecolor "#666666"
set tics nomirror textcolor "#333333"
set grid ytics linecolor "#dddddd" linewidth 0.6
set key outside top horizontal left reverse Left textcolor "#333333"
set xlabel "minutes since the start" textcolor "#333333"
set xrange [0:*]
set autoscale xfixmax
set rmargin 4
set arrow from settled/60,graph 0 to settled/60,graph 1 nohead dashtype 2 linecolor "#b00020"
set label "from here on nothing may grow" at settled/60,graph 0.97 offset 0.6,0 textcolor "#b00020" font ",11"

set output folder."/rate.svg"
set title "Events judged and answered for, duplicates too" textcolor "#111111"
set ylabel "thousand events/s" textcolor "#333333"
set yrange [0:*]
plot offered/1000 with lines dashtype 2 linecolor "#666666" title "offered, without those sent twice", \
     folder."/rate.tsv" using ($1/60):($2/1000) with lines linecolor "#0b5fa5" title "each second"

set output folder."/memory.svg"
set title "Memory and disk, every second" textcolor "#111111"
set ylabel "MiB" textcolor "#333333"
plot folder."/memory.tsv" using ($1/60):2 with lines linecolor "#0b5fa5" title "resident", \
     "" using ($1/60):3 with lines linecolor "#d5691e" title "data directory"

set output folder."/latency.svg"
set title "Latency: p99, and p50 below it" textcolor "#111111"
set ylabel "milliseconds" textcolor "#333333"
set logscale y
set yrange [0.1:*]
colours = "#0b5fa5 #d5691e #5aa469"
names = "'a batch of 500 events' 'a PUT' 'a question'"
plot for [i=0:2] folder."/latency.tsv" index i using ($1/60):3 with lines linecolor rgb word(colours, i+1) title word(names, i+1), \
     for [i=0:2] folder."/latency.tsv" index i using ($1/60):2 with lines dashtype 3 linecolor rgb word(colours, i+1) notitle
unset logscale y

set terminal svg size 960,160*((gauges+2)/3) font "sans-serif,11" background "#ffffff" linewidth 1.2
set output folder."/gauges.svg"
unset label
unset title
unset xlabel
set key outside top left
set ylabel "% of its most"
set yrange [0:105]
set multiplot layout (gauges+2)/3,3
do for [i=0:gauges-1] {
    plot folder."/gauges.tsv" index i using ($1/60):2 with lines linecolor "#0b5fa5" title columnheader(1) noenhanced
}
unset multiplot
