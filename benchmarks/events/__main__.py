"""`./bench events`: events judged, durable and counted, beside databases that load the same file; answers are compared first."""

import argparse
import contextlib
import datetime
import gzip
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import flame  # noqa: E402
import kept  # noqa: E402
import machine  # noqa: E402
import report  # noqa: E402
import sustained  # noqa: E402
from clients import figures, http_get, run  # noqa: E402
from programs import Settings, footfall  # noqa: E402

PEERS = (("duckdb", "DuckDB"), ("clickhouse", "ClickHouse (chdb)"))
OBJECTS, PEOPLE = 10_000, 200_000
PEOPLE_ERRORS = 5  # standard errors that one object of a thousand may be off
BATCH = 500
PROFILE = os.path.join(os.environ.get("FOOTFALL_DATA_DIR", os.path.join(TOP, "..", "shared", "data")), "traffic-worldcup98",
                       "requests_per_minute.csv.gz")
DAY = "1998-06-30"
LENGTHS = 3  # of how soon events are counted, in lengths of a load
FIELDS = "id=id,time=time,action=action,object=object,actor=actor,address=address,agent=agent"
AGENTS = ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 "
          "Safari/604.1")


def write_events(path, count):
    """Views in the order of their times, over half a day that is over; the same for all sides."""
    draw = random.Random(20261122)
    start = time.time() - 86400
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            moment = datetime.datetime.fromtimestamp(start + number * 43200 / count, datetime.timezone.utc)
            obj = min(OBJECTS - 1, abs(round(draw.gauss(OBJECTS / 2, OBJECTS / 6))))
            actor = draw.randrange(PEOPLE)
            file.write(json.dumps({
                "id": f"e{number}", "time": moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z", "action": "view",
                "object": f"page-{obj}", "actor": f"user-{actor}", "address": f"100.64.{actor >> 8 & 255}.{actor & 255}",
                "agent": AGENTS[actor % len(AGENTS)]}, separators=(",", ":")) + "\n")


def peer(settings, name, path, threads):
    with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
        said = run(settings, [os.path.join(TOP, "build", "peers", "bin", "python"), os.path.join(TOP, "benchmarks", "events", "peers.py"),
                              name, path, folder, str(threads)], cores="0" if threads == 1 else "0,1")
    return json.loads(said.strip().split("\n")[-1])


def imported(settings, path, count):
    """The file through `footfall import` into a server on one core; the client is on the other."""
    with footfall(settings, "200ms") as server:
        start, busy = time.monotonic(), server.cpu_seconds()
        run(settings, [settings.footfall, "import", path, "--as", "events", "--format", "ndjson", "--map", FIELDS, "--server", f"http://127.0.0.1:{server.port}"])
        done = {"seconds": time.monotonic() - start, "cpu": server.cpu_seconds() - busy}
        done["objects"] = {}
        for obj in range(OBJECTS):
            said = json.loads(http_get(server, f"/api/v1/views/page-{obj}"))
            if said["events"]:
                done["objects"][f"page-{obj}"] = (said["events"], said["counted"], said["people"], said["error"])
        done["rate"], done["cpu_us"] = count / done["seconds"], done["cpu"] / count * 1e6
    return done


def compare(ours, peers):
    """All sides have seen the same events, to the unit; people as exactly as each says."""
    for name, theirs in peers.items():
        if {obj: seen[0] for obj, seen in ours.items()} != {obj: seen[0] for obj, seen in theirs["objects"].items()}:
            raise RuntimeError(f"{name} counts other events than we do")
        for obj, (events, counted, people, error) in ours.items():
            exact = theirs["objects"][obj][1]
            # People whose every view was refused as a repeat do not exist: the first view of each counts.
            if abs(people - exact) > PEOPLE_ERRORS * error * exact + 0.5:
                raise RuntimeError(f"{obj}: {people} people, stated error {error}, and {name} counts {exact}")


def wait_for_first_window(client):
    """Until the load generator says what it measured first: from then on the load is steady."""
    for line in client.stdout:
        if re.match(r"\s*\d+\.\d\s", line):
            return
    raise RuntimeError("the load generator ended without measuring anything")


def load(settings, sync, objects, *flags, profile=None):
    """`footfall bench events`, which checks every object's events: a wrong one ends everything."""
    path = os.path.join(settings.folder, "bench.json")
    with footfall(settings, sync) as server:
        words = ["taskset", "-c", settings.client_cores, settings.footfall, "bench", "events", "--server", f"http://127.0.0.1:{server.port}",
                 "--server-pid", str(server.pid), "--objects", str(objects), "--batch", str(BATCH), "--duration", str(settings.seconds),
                 "--warm-up", str(settings.warm_up), "--window", str(settings.seconds / 8), "--json", path, *flags]
        settings.note(words)
        client = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if profile:
            wait_for_first_window(client)
            flame.record(server.pid, settings.seconds / 2, profile)
        said = client.communicate()[0]
        if client.returncode != 0:
            raise RuntimeError(said[-3000:])
        with open(path, encoding="utf-8") as file:
            found = figures(json.load(file))
    return {"rate": found["rate"] * BATCH, "cpu_us": found["server_us"] / BATCH, "busy": found["server_busy"],
            "p50_ms": found["p50_ms"], "p99_ms": found["p99_ms"], "limited_by": found["limited_by"], "checked": found["checked"]}


LOADS = (
    ("10,000 objects, an id, a time and an actor", "200ms", 10_000, ()),
    ("the same, durable before the answer", "always", 10_000, ()),
    ("the same with address and agent", "200ms", 10_000, ("--full",)),
    ("100 objects", "200ms", 100, ()),
    ("100,000 objects", "200ms", 100_000, ()),
)


def probe(server, seconds):
    """Sends one event after the other and asks for its object's count as soon as it is acknowledged, until the event is in it. Answers
    the milliseconds from each acknowledgement to the answer that had the event, in order."""
    waits, sent, ends = [], 0, time.monotonic() + seconds
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        def ask(method, path, body=None):
            connection.request(method, path, body, {"Content-Type": "application/x-ndjson"} if body else {})
            answer = connection.getresponse()
            said = answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{method} {path}: {answer.status} {said.decode()}")
            return json.loads(said)

        while time.monotonic() < ends:
            sent += 1
            ask("POST", "/api/v1/events", json.dumps({"id": str(sent), "action": "view", "object": "probe", "actor": f"u{sent}"}))
            acknowledged = time.monotonic()
            while ask("GET", "/api/v1/views/probe")["counted"] < sent:
                if time.monotonic() - acknowledged > 10:
                    raise RuntimeError("an acknowledged event is not in its object's count after 10 s")
            waits.append((time.monotonic() - acknowledged) * 1e3)
    return sorted(waits)


def freshness(settings, rate, *flags):
    """At so many events a second."""
    batches = rate / BATCH
    with footfall(settings, "200ms") as server:
        words = ["taskset", "-c", settings.client_cores, settings.footfall, "bench", "events", "--server", f"http://127.0.0.1:{server.port}",
                 "--objects", "10000", "--batch", str(BATCH), "--rate", str(batches), "--duration", str(LENGTHS * settings.seconds),
                 "--warm-up", str(settings.warm_up), "--window", str(settings.seconds / 8), *flags]
        settings.note(words)
        client = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wait_for_first_window(client)
        waits = probe(server, 2.5 * settings.seconds)
        said = client.communicate()[0]
        if client.returncode != 0:
            raise RuntimeError(said[-3000:])
    return {"rate": batches * BATCH, "probes": len(waits), "p50_ms": machine.percentile(waits, 0.5), "p99_ms": machine.percentile(waits, 0.99),
            "max_ms": waits[-1]}


def busiest_day():
    """Where there is real data: the flags that play it, and how much more than the mean came in its busiest minute."""
    if not os.path.exists(PROFILE):
        print(f"    left out: as on a real day, for {os.path.relpath(PROFILE, TOP)} does not exist", flush=True)
        return None
    with gzip.open(PROFILE, "rt", encoding="utf-8") as file:
        counts = [int(line.rsplit(",", 1)[1]) for line in file if line.startswith(DAY)]
    return ("--profile", PROFILE, "--period", DAY), max(counts) * len(counts) / sum(counts)


def measure_freshness(settings, results, most):
    results["fresh"] = freshness(settings, 0.9 * most)
    print(f"    {results['fresh']['max_ms']:.1f} ms at most of {results['fresh']['probes']:,}", flush=True)
    day = busiest_day()
    if day:
        flags, peak = day
        results["day"] = {"peak": peak, **freshness(settings, 0.9 * most / peak, *flags)}
        print(f"    as on a real day: {results['day']['max_ms']:.1f} ms at most of {results['day']['probes']:,}", flush=True)


def measure_short(settings, results, count, picture):
    path = os.path.join(settings.folder, "events.ndjson")
    write_events(path, count)
    results["file"] = {"events": count, "bytes": os.path.getsize(path)}
    print("  the same file everywhere", flush=True)
    results["import"] = imported(settings, path, count)
    results["peers"] = {}
    for name, _ in PEERS:
        one, two = peer(settings, name, path, 1), peer(settings, name, path, 2)
        compare(results["import"]["objects"], {name: one})
        results["peers"][name] = {"version": one["version"], "one": {"rate": count / one["seconds"], "cpu_us": one["cpu"] / count * 1e6},
                                  "two": {"rate": count / two["seconds"], "cpu_us": two["cpu"] / count * 1e6}}
        print(f"    {name}: {count / one['seconds']:,.0f}/s on one core, {count / two['seconds']:,.0f}/s on two", flush=True)
    results["import"]["compared"] = len(results["import"].pop("objects"))
    print("  batches over HTTP", flush=True)
    results["loads"] = []
    for title, sync, objects, flags in LOADS:
        profile = os.path.join(settings.folder, "perf.data") if not results["loads"] else None
        found = load(settings, sync, objects, *flags, profile=profile)
        results["loads"].append({"title": title, "sync": sync, **found})
        print(f"    {title}: {found['rate']:,.0f}/s, {found['cpu_us']:.2f} us", flush=True)
        if profile:
            results["threads"] = flame.draw(profile, "footfall serve, one core, batches of 500 events", picture)
    print("  how soon an acknowledged event is counted", flush=True)
    measure_freshness(settings, results, results["loads"][0]["rate"])


def day_text(results):
    day = results.get("day")
    if not day:
        return ""
    return f"""
The same while events came as requests to the site of the World Cup of 1998 came on its busiest day, {DAY}, a day played in
{LENGTHS} times the time of a row above: {day["rate"]:,.0f} events/s on average, {day["peak"]:.1f} times that in the busiest minute, which is 90 % of the first row. {day["probes"]:,}
single events: {day["p50_ms"]:.1f} ms (p50), {day["p99_ms"]:.1f} ms (p99), {day["max_ms"]:.1f} ms at most.
"""


def document(results):
    found, taken, peers = results["machine"], results["import"], results["peers"]
    lines = "\n".join(f"| {row['title']} | {row['sync']} | {row['rate']:,.0f} | {row['cpu_us']:.2f} | {100 * row['busy']:.0f} % | {row['p50_ms']:.1f} | "
                      f"{row['p99_ms']:.1f} | {row['limited_by']} |" for row in results["loads"])
    beside = "\n".join(f"| {title} {peers[name]['version']} | {peers[name]['one']['rate']:,.0f} | {peers[name]['one']['cpu_us']:.2f} | "
                       f"{peers[name]['two']['rate']:,.0f} |" for name, title in PEERS)
    threads = ", ".join(f"{name} {100 * share:.0f} %" for name, share in sorted(results["threads"].items(), key=lambda each: -each[1]) if share > 0.01)
    commands = "\n".join(f"    {command}" for command in results["commands"])
    return f"""# Events

<!-- Written by ./bench events. To change the words, change benchmarks/events/__main__.py. -->

    ./bench events                      this document
    ./bench events --only sustained     the ten minutes again, the rest as it was
    ./bench events --quick              shorter, in a minute, to build/bench/

Run {results["date"]} at {results["commit"]}: {found["processor"]}, {found["cores"]} cores, {found["memory_gib"]} GiB, kernel
{found["kernel"]}; fdatasync of 4 KiB {results["disk"]["p50_us"]:.0f} us. {report.quietness(results["busy"])}

## Batches of {BATCH} over HTTP

The server has one core, the client the other; 8 connections, a batch in flight on each. An event is answered for when it is
judged by the standard rules, appended to the log, counted in four cells (its object and all objects, by day and ever), and, with
`always`, on the disk. At the end each of a thousand objects has exactly the events that were acknowledged, counted and refused.

| what | --sync | events/s | CPU an event, us | of the core | p50, ms a batch | p99 | limit |
|---|---|---|---|---|---|---|---|
{lines}

Where the time goes, first row ({threads}); the batches are judged on the "blocking pool":

![Flame graph](events-flame.svg)

{sustained.text(results["sustained"])}
## How soon an event is counted

At {results["fresh"]["rate"]:,.0f} events/s, 90 % of the first row, one more client sent {results["fresh"]["probes"]:,} single events and asked for the count of their
object as soon as each was acknowledged. From the acknowledgement to the answer that had the event: {results["fresh"]["p50_ms"]:.1f} ms (p50),
{results["fresh"]["p99_ms"]:.1f} ms (p99), {results["fresh"]["max_ms"]:.1f} ms at most; the target is 2 s.
{day_text(results)}
## The same file everywhere

{results["file"]["events"]:,} views of {OBJECTS:,} objects by {PEOPLE:,} people, {results["file"]["bytes"] / 1e6:,.0f} MB of NDJSON. All sides have the same number
of events of each of {taken["compared"]:,} objects, and people within the error that we state. The peers parse the file into a table and count
when they are asked; they judge nothing, refuse nothing that comes twice, and have no answer ready. **Here we lose**: loading alone costs them a fraction.

| side | events/s, one core | CPU an event, us | events/s, two cores |
|---|---|---|---|
| Footfall: `import` to a server on a core of its own | {taken["rate"]:,.0f} | {taken["cpu_us"]:.2f} | |
{beside}

## Commands

{commands}
"""


def when():
    return {"date": datetime.date.today().isoformat(), "commit": kept.commit(), "busy": {"before": machine.busy_share(2)}}


def measure(settings, results, asked, folder):
    """Both parts, or the one that is asked for; the other stays as it was measured before."""
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
        if asked.only in (None, "short"):
            results.update(**when(), machine=machine.describe(settings.folder), disk=machine.time_fdatasync(settings.folder, 200))
            measure_short(settings, results, 100_000 if asked.quick else 1_000_000, os.path.join(folder, "events-flame.svg"))
            results["busy"]["after"] = machine.busy_share(2)
        if asked.only in (None, "sustained"):
            seconds = asked.seconds or (sustained.QUICK_SECONDS if asked.quick else sustained.SECONDS)
            print(f"  for {seconds:g} s each", flush=True)
            results["sustained"] = {**when(), "runs": sustained.measure(settings, seconds, BATCH)}
            results["sustained"]["busy"]["after"] = machine.busy_share(2)
    results["commands"] = list(dict.fromkeys([*results.get("commands", []), *settings.commands]))


def main():
    parser = argparse.ArgumentParser(prog="./bench events", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the events, less time, to build/bench/")
    parser.add_argument("--only", choices=("short", "sustained"), help="measure this part only, and keep what else was measured before")
    parser.add_argument("--seconds", type=float, help=f"of each sustained run [{sustained.SECONDS}; with --quick {sustained.QUICK_SECONDS}]")
    parser.add_argument("--render", action="store_true", help="measure nothing: write the document again from what was measured")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    name = "events-quick" if asked.quick else "events"
    folder = kept.FOLDER if asked.quick else os.path.join(TOP, "docs", "benchmarks")
    os.makedirs(kept.FOLDER, exist_ok=True)
    results = kept.load(name) if asked.only or asked.render else {}
    if not asked.render:
        try:
            measure(Settings(asked.build, asked.quick), results, asked, folder)
        finally:
            kept.save(name, results)
    missing = [part for part in ("loads", "sustained") if part not in results]
    if "sustained" in results:
        sustained.draw(folder, results["sustained"]["runs"])
    if missing:
        print(f"{kept.path_of(name)} has no {', '.join(missing)} yet, so no document is written")
        return
    print(f"wrote {kept.write(folder, 'events.md', document(results))} and {kept.path_of(name)}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
