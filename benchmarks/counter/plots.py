"""Plots by gnuplot: SVG without a background whose text follows the reader's light or dark theme."""

import os
import subprocess

# A colour no plot uses; becomes the text colour of the theme.
TEXT = "#010203"
QUIET = "#8a8f98"
# Told apart on white and on black, also by the colour-blind (after Okabe and Ito).
OURS, OURS_TOO, PEER, PEER_TOO = "#0a84c6", "#4fb3e8", "#d5691e", "#e0a64b"
STYLE = ("<style>svg{color:#1c2024;font-variant-numeric:tabular-nums}"
         "@media(prefers-color-scheme:dark){svg{color:#e6e8ea}}</style>")
HEAD = f"""
set encoding utf8
set border 1 linecolor rgb "{QUIET}" linewidth 1
set tics nomirror scale 0.5 textcolor rgb "{TEXT}"
set ytics scale 0
set grid ytics linecolor rgb "{QUIET}" linewidth 0.4 dashtype 3
set tmargin 5
set xlabel textcolor rgb "{TEXT}"
set ylabel textcolor rgb "{TEXT}"
set label textcolor rgb "{TEXT}"
set key at graph 0,1.17 left top Left reverse horizontal samplen 1.2 textcolor rgb "{TEXT}"
set style fill solid 1 noborder
"""


def draw(folder, name, says, body):
    """`says` is what the picture shows, for those who hear it."""
    path = os.path.join(folder, f"{name}.svg")
    script = f'set terminal svg size 880,360 font "system-ui,Segoe UI,Helvetica,Arial,sans-serif,13"\nset output "{path}"\n{HEAD}{body}'
    done = subprocess.run(["gnuplot"], input=script, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"gnuplot: {done.stderr}")
    with open(path, encoding="utf-8") as file:
        svg = file.read()
    # gnuplot writes colours as rgb(r, g, b), in several spellings.
    for spelling in ("rgb(1,2,3)", "rgb( 1, 2, 3)", "rgb(  1,   2,   3)"):
        svg = svg.replace(spelling, "currentColor")
    svg = svg.replace(' color="black"', "").replace("<title>Gnuplot</title>", f"<title>{says}</title>")
    svg = svg.replace("<g id=\"gnuplot_canvas\">", STYLE + "<g id=\"gnuplot_canvas\">", 1)
    with open(path, "w", encoding="utf-8") as file:
        file.write(svg)


def title(text):
    """Above the plot at its left; the key stands below it."""
    return f'set label 1 "{text}" at graph 0,1.27 left font ",15" textcolor rgb "{TEXT}"\n'


def block(name, rows):
    """A table that a script can plot from."""
    lines = "\n".join(" ".join(f'"{cell}"' if isinstance(cell, str) else f"{cell:.6g}" for cell in row) for row in rows)
    return f"${name} << EOD\n{lines}\nEOD\n"


def line(data, column, colour, title, width=2):
    return (f'${data} using 1:{column} with linespoints linecolor rgb "{colour}" linewidth {width} '
            f'pointtype 7 pointsize 0.6 title "{title}"')


def growth(folder, name, what, points):
    """Two panels: what a PUT costs, and how long it takes."""
    rows = [(each["x"], each["server_us"], each["p50_ms"], each["p99_ms"]) for each in points]
    body = block("data", rows) + f"""
set logscale x
set format x "10^{{%L}}"
set xlabel "{what}"
set xrange [{min(row[0] for row in rows) / 1.5}:{max(row[0] for row in rows) * 1.5}]
set yrange [0:*]
set multiplot layout 1,2
{title("CPU of the server a PUT, µs")}set key off
plot {line("data", 2, OURS, "")}
{title("Latency, ms")}set key on
plot {line("data", 4, PEER, "99 %")}, {line("data", 3, OURS, "median")}
unset multiplot
"""
    draw(folder, name, f"Cost of a PUT against {what}", body)


def bars(rows, columns):
    """Grouped bars with their figures above; a row: label, value...; a column: title, colour, format."""
    parts = [f'$data using {at + 2}:xtic(1) linecolor rgb "{colour}" title "{title}"'
             for at, (title, colour, _) in enumerate(columns)]
    width = 1 / (len(columns) + 1)
    for at, (_, _, shown) in enumerate(columns):
        shift = (at - (len(columns) - 1) / 2) * width
        parts.append(f'$data using ($0{shift:+.4f}):{at + 2}:(${at + 2} > 0 ? sprintf("{shown}", ${at + 2}) : "none") '
                     f'with labels offset 0,0.6 font ",11" textcolor rgb "{TEXT}" notitle')
    return block("data", rows) + "set style data histograms\nset style histogram clustered gap 1\n" \
        "set boxwidth 0.92 relative\nset xtics scale 0\nset yrange [0:*]\nset offsets 0,0,graph 0.12,0\n" \
        f"set xrange [-0.6:{len(rows) - 0.4}]\nset bmargin 3.5\nplot " + ", ".join(parts) + "\n"


def processor_time(folder, comparisons):
    labels = {1: "PUT,\\nwithin 200 ms", 2: "PUT,\\ndurable", 3: "PUT, durable,\\n16 in flight", 5: "GET"}
    rows = [(labels[each["target"]], each["median"]["footfall"]["server_us"], each["median"]["redis"]["server_us"])
            for each in comparisons if each["target"] in labels]
    draw(folder, "redis", "CPU a request beside Redis", title("CPU of the server a request, µs (less is better)")
         + bars(rows, [("Footfall", OURS, "%.2f"), ("Redis", PEER, "%.2f")]))
    http = {6: "one at a time", 7: "16 in flight"}
    rows = [(http[each["target"]], *(each["median"][name]["server_us"] for name in ("footfall", "h2o", "beast")))
            for each in comparisons if each["target"] in http]
    draw(folder, "http", "CPU of an HTTP GET beside H2O and Beast", title("CPU of the server an HTTP GET, µs (less is better)")
         + bars(rows, [("Footfall", OURS, "%.2f"), ("H2O", PEER, "%.2f"), ("Beast, as in its examples", PEER_TOO, "%.2f")]))


def capacity(folder, cells):
    by_objects = {}
    for cell in cells:
        best = cell["best"]["asked"] / 1000 if cell["best"] else 0
        by_objects.setdefault(cell["objects"], {})[cell["sync"]] = best
    rows = [(f"{objects:,} objects", syncs["always"], syncs["200ms"]) for objects, syncs in by_objects.items()]
    draw(folder, "capacity", "PUTs a second with p99 below 10 ms",
         title("Thousand PUTs a second with p99 below 10 ms (more is better)")
         + bars(rows, [("durable before the answer", OURS, "%.0f"), ("synced every 200 ms", OURS_TOO, "%.0f")]))


def memory(folder, rows):
    data = [(row["size"], row["ours"], row["ours_expiring"], row["redis_set"], row["redis_zset"]) for row in rows]
    body = block("data", data) + f"""
{title("Bytes a token in memory (less is better)")}set logscale x
set format x "10^{{%L}}"
set xlabel "tokens of an object"
set yrange [0:*]
set tmargin 7
set key at graph 0,1.32
set label 1 at graph 0,1.41
plot {line("data", 5, PEER_TOO, "Redis ZSET, expiring")}, {line("data", 4, PEER, "Redis SET")}, \
{line("data", 3, OURS_TOO, "Footfall, expiring")}, {line("data", 2, OURS, "Footfall")}
"""
    draw(folder, "memory", "Bytes a token against the size of a set", body)


def all_plots(folder, results):
    os.makedirs(folder, exist_ok=True)
    processor_time(folder, results["comparisons"])
    capacity(folder, results["capacity"])
    growth(folder, "growth-objects", "objects", results["growth"]["objects"])
    growth(folder, "growth-tokens", "tokens of an object", results["growth"]["tokens"])
    memory(folder, results["memory"])
