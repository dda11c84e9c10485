"""`./bench cluster`: what judging and counting an event takes on a cluster, with one and two projections, and what is written of it."""

import argparse
import contextlib
import datetime
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import kept  # noqa: E402
import machine  # noqa: E402
import report  # noqa: E402
import rig  # noqa: E402
import traffic  # noqa: E402
from programs import Settings  # noqa: E402

OBJECTS = 1000
JUDGED, PROJECTED = "footfall_events_judged_total", "footfall_events_projected_total"
ROWS = "footfall_store_rows_written_total"
RATES = (1_000, 10_000, 100_000)
BUSY = 0.9  # of its core: the process was the limit
PAUSE = 0.05


class Watch:
    """What processes did together and what it took them, from one look to the next."""

    def __init__(self, servers, name):
        self.servers = servers
        self.name = name
        self.looks = []

    def look(self):
        self.looks.append([(time.monotonic(), rig.total(rig.metrics(server), self.name), server.cpu_seconds()) for server in self.servers])
        return [done for _, done, _ in self.looks[-1]]

    def until(self, condition, what):
        """Looks again and again until `condition` holds of what each has done."""
        rig.wait_until(lambda: condition(self.look()), what, pause=PAUSE)

    def between(self, first, last):
        """Figures of the looks `first` to `last`."""
        seconds = self.looks[last][0][0] - self.looks[first][0][0]
        each = [(after[1] - before[1], after[2] - before[2]) for before, after in zip(self.looks[first], self.looks[last])]
        events = sum(done for done, _ in each)
        return {"events": events, "seconds": seconds, "rate": events / seconds, "cpu_us": sum(cpu for _, cpu in each) / events * 1e6,
                "busy": [cpu / seconds for _, cpu in each]}

    def steady(self):
        """Figures of the time in which all of them worked: from the look at which all had begun to the last at which none was done."""
        working = [at for at in range(1, len(self.looks))
                   if all(after[1] > before[1] for before, after in zip(self.looks[at - 1], self.looks[at]))]
        if not working or working[0] == working[-1]:
            return self.between(0, len(self.looks) - 1)  # too few events to see more
        return self.between(working[0], working[-1])


def judge(settings, place, count):
    """Events that wait in the log, judged by one process on one core."""
    with rig.process(settings, place, "guard", settings.server_cores, ready=False) as guard:
        watch = Watch([guard], JUDGED)
        watch.until(lambda done: done[0] >= count, "not all events are judged")
        # Rows follow their records, and are part of the work.
        rig.wait_until(lambda: rig.total(rig.metrics(guard), "footfall_events_unstored") == 0, "rows of events are not stored")
        watch.look()
    begun = next(at for at, look in enumerate(watch.looks) if look[0][1] > watch.looks[0][0][1])
    return watch.between(begun, -1)


def project(settings, place, cores, expected):
    """The whole judged log counted by as many processes as cores are named; each object's count is compared."""
    with contextlib.ExitStack() as stack:
        servers = []
        for core in cores:
            for earlier in servers:
                os.kill(earlier.pid, signal.SIGSTOP)  # or it would be done with much before the others have begun
            servers.append(stack.enter_context(rig.process(settings, place, "project", core, ready=False)))
        for each in servers:
            os.kill(each.pid, signal.SIGCONT)
        watch = Watch(servers, PROJECTED)
        watch.until(lambda done: sum(done) >= sum(events for events, _ in expected.values()), "not all events are counted")
        for server in servers:
            rig.wait_until(lambda: rig.is_ready(server), "a projection has not caught up")
    with rig.process(settings, place, "query", settings.client_cores) as query:
        compared = traffic.compare(query, expected)
    return {"processes": len(cores), "compared": compared, **watch.steady()}


def rows_written(settings, place, rate, objects, named):
    """Events at a steady rate into one process with all roles: rows given to the store meanwhile, by table."""
    seconds = 5 if settings.quick else 20
    sent = []
    with rig.process(settings, place, "collect,guard,project,query", settings.server_cores + "," + settings.client_cores) as server:
        def run():
            sent.append(traffic.send_steadily(server, traffic.Traffic(objects, named, named), rate, seconds + settings.warm_up))

        sender = threading.Thread(target=run)
        sender.start()
        time.sleep(settings.warm_up)
        before, began, busy = rig.metrics(server), time.monotonic(), server.cpu_seconds()
        sender.join()
        after, took, spent = rig.metrics(server), time.monotonic() - began, server.cpu_seconds() - busy
        if not sent:
            raise RuntimeError("events were not taken; the message above says why")
        events = rig.total(after, PROJECTED) - rig.total(before, PROJECTED)
        earlier = rig.by_label(before, ROWS, "table")
        rows = {table: (count - earlier.get(table, 0)) / took for table, count in rig.by_label(after, ROWS, "table").items()}
    return {"asked": rate, "objects": objects, "named": named, "rate": events / took, "rows": {name: each for name, each in rows.items() if each},
            "cpu_us": spent / max(1, events) * 1e6}


def collect(settings, place, wanted, count):
    with rig.process(settings, place, "collect", settings.server_cores) as collector:
        began = collector.cpu_seconds()
        seconds = traffic.send(collector, wanted, count)
        spent = collector.cpu_seconds() - began
    return {"events": count, "rate": count / seconds, "cpu_us": spent / count * 1e6}


def measure_steps(settings, results, env):
    """Each alone, on a log that is full before it begins."""
    most = 100_000 if settings.quick else 1_000_000
    results["collect"], results["judge"], results["project"] = [], [], []
    for ids, count, prefix in ((True, most // 10, "ids."), (False, most, "")):
        place = rig.Place(settings, env, f"bench_judge_{len(results['judge'])}", f"bench.{prefix}")
        results["collect"].append(collect(settings, place, traffic.Traffic(OBJECTS, True, ids), count))
        results["judge"].append(judge(settings, place, count))
        for name in ("collect", "judge"):
            found = results[name][-1]
            print(f"    {name}, {'with' if ids else 'without'} ids: {found['rate']:,.0f}/s, {found['cpu_us']:.2f} us", flush=True)
    expected = traffic.Traffic(OBJECTS, True, False).expected(most)
    for turn, cores in enumerate(([settings.server_cores], [settings.server_cores, settings.client_cores])):
        # The same deployment and log, and nothing counted of it yet.
        found = project(settings, rig.copied(settings, env, place, f"bench_project_{turn}"), cores, expected)
        results["project"].append(found)
        print(f"    project, {len(cores)} processes: {found['rate']:,.0f}/s, {found['cpu_us']:.2f} us", flush=True)


def measure_rows(settings, results, env):
    results["rows"] = []
    loads = [(rate, 100, False) for rate in RATES] + [(10_000, objects, False) for objects in (1000, 10_000)] + [(rate, 100, True) for rate in RATES[:2]]
    for turn, (rate, objects, named) in enumerate(loads):
        place = rig.Place(settings, env, f"bench_rows_{turn}", f"bench.rows{turn}.")
        found = rows_written(settings, place, rate, objects, named)
        results["rows"].append(found)
        print(f"    {rate:,}/s of {objects:,} objects: {found['rate']:,.0f}/s, rows a second {found['rows']}", flush=True)


VIEW_TABLES = ("view_day", "view_total", "view_rank")
EVENT_TABLES = ("event_by_id", "guard_seen")


def figures_of(step):
    limit = "the process" if min(step["busy"]) >= BUSY else "brokers, nodes, or waiting for them"
    return [f"{step['rate']:,.0f}", f"{step['cpu_us']:.2f}", ", ".join(f"{100 * share:.0f} %" for share in step["busy"]), limit]


def row_of(found):
    def rows(tables):
        return f"{sum(found['rows'].get(table, 0) for table in tables):,.0f}"

    others = [table for table in found["rows"] if table not in VIEW_TABLES + EVENT_TABLES]
    return [f"{found['asked']:,}", f"{found['rate']:,.0f}", f"{found['objects']:,}", "yes" if found["named"] else "no", rows(VIEW_TABLES),
            rows(EVENT_TABLES), rows(others), f"{found['cpu_us']:.2f}"]


def document(results):
    found, judged = results["machine"], results["judge"]
    steps = []
    for what, collected, judged in zip(("collect, with ids", "collect"), results["collect"], judged):
        steps.append([what, 1, f"{collected['events']:,}", f"{collected['rate']:,.0f}", f"{collected['cpu_us']:.2f}", "", ""])
        steps.append([what.replace("collect", "guard"), 1, f"{collected['events']:,}", *figures_of(judged)])
    for each in results["project"]:
        steps.append(["project", each["processes"], f"{results['collect'][-1]['events']:,}", *figures_of(each)])
    return f"""# Events on a cluster

<!-- Written by ./bench cluster. To change the words, change benchmarks/cluster/__main__.py. -->

    ./bench cluster            this document
    ./bench cluster --quick    a tenth of the events, to build/bench/

Run {results["date"]} at {results["commit"]}: {found["processor"]}, {found["cores"]} cores, {found["memory_gib"]} GiB, kernel
{found["kernel"]}. {report.quietness(results["busy"])}

One Cassandra node, one broker, {results["servers"]}. Events about {OBJECTS:,}
objects, each with a time and an actor; every tenth repeats the one before it. They are collected, then judged, then counted, each step
alone and from a log that is full before it begins. Counted was exactly what was sent, refused exactly the repeats: {results["project"][0]["compared"]:,} objects
were compared after each run of projections.

## Throughput

Each process has a core of its own. CPU is user and system time of the processes by /proc/PID/stat, the threads of both clients
included, brokers and nodes not. The collector's client sends one batch after the other. Of several processes the time counts in which
all of them worked.

{report.table(["role", "processes", "events", "events/s", "CPU an event, us", "of its core", "the limit"], steps)}

## Rows a second

One process with all roles, events at a steady rate. What is counted is written once a second: a row for each object that changed,
for its day and for all its days, of rankings when it has become larger by a class, and the same of all objects together in each lane. Rows
of events are those by which an id or a repeat is found again: one for each event with an id, one for each that counted and has an actor.
The others are checkpoints of lanes.

{report.table(["events/s asked", "reached", "objects", "with id and actor", "rows/s of views", "rows/s of events", "others", "CPU an event, us"],
              [row_of(each) for each in results["rows"]])}
"""


def main():
    parser = argparse.ArgumentParser(prog="./bench cluster", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the events, less time")
    parser.add_argument("--render", action="store_true", help="measure nothing: write the document again from what was measured")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    name = "cluster-quick" if asked.quick else "cluster"
    folder = kept.FOLDER if asked.quick else os.path.join(TOP, "docs", "benchmarks")
    if asked.render:
        results = kept.load(name)
    else:
        settings = Settings(asked.build, asked.quick)
        results = {"date": datetime.date.today().isoformat(), "commit": kept.commit(), "busy": {"before": machine.busy_share(2)}}
        spare = sorted(os.sched_getaffinity(0))[2:]
        results["servers"] = "on cores of their own" if spare else "on the same cores as the processes that are measured"
        os.makedirs(kept.FOLDER, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder, rig.cluster(",".join(map(str, spare))) as env:
            results["machine"] = machine.describe(settings.folder)
            measure_steps(settings, results, env)
            measure_rows(settings, results, env)
        results["busy"]["after"] = machine.busy_share(2)
        kept.save(name, results)
    print(f"wrote {kept.write(folder, 'cluster.md', document(results))} and {kept.path_of(name)}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
