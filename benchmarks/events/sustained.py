"""A load of events for ten minutes: what is left of the rate of the first seconds once compaction has begun and memory is exceeded."""

import json
import os
import subprocess

import plots
import report
from clients import figures, http_get
from programs import footfall

PEOPLE = 20_000_000
SECONDS, QUICK_SECONDS = 600, 6
WINDOWS = 60
PICTURE = "events-sustained"

# What is shown, --memory, objects. The second is what a server has that is told nothing.
RUNS = (
    ("100,000 objects, 1 GiB", "1GiB", 100_000, plots.OURS),
    ("100,000 objects, 256 MiB, the default", "256MiB", 100_000, plots.PEER),
    ("100 million objects, 1 GiB", "1GiB", 100_000_000, plots.OURS_TOO),
)
ROWS = {"views": ("footfall_view_rows_written_total",), "bulk": ("footfall_store_bulk_rows_written_total",)}


def totals(server):
    """What was written since the start: {what: rows}."""
    said = http_get(server, "/metrics").decode().split("\n")
    lines = [line.rpartition(" ") for line in said if line and not line.startswith("#")]
    return {what: sum(float(value) for name, _, value in lines if name.partition("{")[0] in names) for what, names in ROWS.items()}


def measure_one(settings, memory, objects, seconds, batch):
    path = os.path.join(settings.folder, "sustained.json")
    with footfall(settings, "200ms", memory=memory) as server:
        words = ["taskset", "-c", settings.client_cores, settings.footfall, "bench", "events", "--server", f"http://127.0.0.1:{server.port}",
                 "--server-pid", str(server.pid), "--objects", str(objects), "--people", str(PEOPLE), "--batch", str(batch),
                 "--duration", str(seconds), "--warm-up", "0", "--window", str(seconds / WINDOWS), "--json", path]
        settings.note(words)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout[-3000:] + done.stderr[-3000:])
        written, resident = totals(server), server.resident_mib()
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    found = figures(said)
    events = said["total"]["good"] * batch
    return {"rate": found["rate"] * batch, "cpu_us": found["server_us"] / batch, "checked": found["checked"], "failed": found["failed"],
            "rows": {what: rows / events for what, rows in written.items()}, "resident_mib": resident,
            "windows": [{"end": each["start"] + each["seconds"], "rate": each["rate"] * batch, "p99_ms": each["latency_us"]["p99"] / 1e3}
                        for each in said["windows"][:WINDOWS]]}


def rate_of(windows, begin, end):
    """The mean of the windows of this part of the run; both shares of it."""
    part = windows[round(begin * len(windows)):round(end * len(windows))]
    return sum(each["rate"] for each in part) / len(part)


def measure(settings, seconds, batch):
    """A list of runs."""
    found = []
    for title, memory, objects, _ in RUNS:
        run = {"title": title, "memory": memory, "seconds": seconds, **measure_one(settings, memory, objects, seconds, batch)}
        # Of ten minutes the second, and the last.
        run.update(second=rate_of(run["windows"], 0.1, 0.2), last=rate_of(run["windows"], 0.9, 1))
        found.append(run)
        print(f"    {title}: {run['second']:,.0f}/s in the second tenth of the time, {run['last']:,.0f}/s in the last", flush=True)
    return found


def draw(folder, runs):
    body = "".join(plots.block(f"run{at}", [(each["end"] / 60, each["rate"] / 1000) for each in run["windows"]]) for at, run in enumerate(runs))
    lines = ", ".join(plots.line(f"run{at}", 2, colour, title) for at, (title, _, _, colour) in enumerate(RUNS))
    plots.draw(folder, PICTURE, "Events a second against time", f"""{body}{plots.title("Thousand events a second, judged and durable (more is better)")}
set xlabel "minutes since the start"
set xrange [0:*]
set autoscale xfixmax
set yrange [0:*]
set tmargin 7
set key at graph 0,1.32
set label 1 at graph 0,1.41
plot {lines}
""")


def text(found):
    """Its part of the document."""
    runs = found["runs"]
    rows = "\n".join(f"| {run['title']} | {run['windows'][0]['rate']:,.0f} | {run['second']:,.0f} | {run['last']:,.0f} | "
                     f"{100 * run['last'] / run['second']:.0f} % | {run['rows']['views']:.2f} | {run['rows']['bulk']:.2f} | {run['cpu_us']:.2f} | "
                     f"{run['resident_mib']:,.0f} | {run['failed']:,} |" for run in runs)
    first, tenth = runs[0]["seconds"] / WINDOWS, runs[0]["seconds"] / 10
    return f"""## For {runs[0]["seconds"] / 60:.3g} minutes

Run {found["date"]} at {found["commit"]}. {report.quietness(found["busy"])}

Ten seconds are not the truth about events: compaction begins later, and what rules and views remember fills its share of memory later. The same
load with {PEOPLE:,} people, `--sync 200ms`; at the end each of a thousand objects has exactly its events. Rows are those written for an event:
of views, and in sorted bulk (ids, repeats). Events/s of the first {first:.3g} s, the second and the last {tenth:.3g} s, and the last beside the second:

| what | first | second | last | last / second | rows of views | bulk rows | CPU an event, us | resident MiB at the end | batches that failed |
|---|---|---|---|---|---|---|---|---|---|
{rows}

![Events a second against time]({PICTURE}.svg)
"""
