"""`./prove retention`: on a cluster events go after `keep_events`. Events with ids come at a steady rate to all roles, on a node of Cassandra
and a broker of Kafka; bytes of the judged log have to stop growing, rows of events have to leave when they may, and all is counted."""

import argparse
import datetime
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, *words) for words in (("benchmarks", "counter"), ("benchmarks", "cluster"), ("tests", "soak"))]

import kept  # noqa: E402
import machine  # noqa: E402
import rig  # noqa: E402
from judgement import MIB, Verdict, between  # noqa: E402
from load import bench_verdicts  # noqa: E402
from programs import Settings  # noqa: E402
from samples import directory_bytes, of_process  # noqa: E402

ROLES = "collect,guard,project,query"
KEYSPACE, PREFIX = "retention", "retention."
BATCH, OBJECTS, PEOPLE = 250, 1000, 1_000_000
PAUSE = 10
# What is kept in a file of the log is there until all of the file is older (a tenth of what is kept), and brokers look every five minutes.
LOG_SLACK = 1.1, 5 * 60
# Rows live an hour longer than their events, and leave the files of Cassandra three hours after they were written at the earliest.
ROWS_STAY = 3 * 3600
ROOM = 1.10  # the last quarter may have so much of the most that there was when the first events had gone
CLUSTER = os.path.join(TOP, "build", "cluster")
RULES = os.path.join(TOP, "tests", "soak", "rules.toml")  # which look back no further than a minute
ROW_TABLES = "event_by_id", "guard_seen"


def look(server, begin):
    """Bytes of each topic and table, and what the process says of itself."""
    found = {"at": time.monotonic() - begin, "resident": of_process(server.pid)["resident_bytes"]}
    partitions = os.path.join(CLUSTER, "kafka-1", "data")
    for name in os.listdir(partitions):
        if name.startswith(PREFIX):
            topic = "topic " + name.rpartition("-")[0]
            found[topic] = found.get(topic, 0) + directory_bytes(os.path.join(partitions, name))
    tables = os.path.join(CLUSTER, "cassandra-1", "data", KEYSPACE)
    for name in os.listdir(tables):
        table = "table " + name.rpartition("-")[0]
        found[table] = found.get(table, 0) + directory_bytes(os.path.join(tables, name))
    said = rig.metrics(server)
    for name in ("footfall_events_judged_total", "footfall_events_projected_total", "footfall_events_expired_total"):
        found[name] = rig.total(said, name)
    return found


def watch(server, bench, begin, taken):
    """Until the load ends. Fills `taken`."""
    clock, told = threading.Event(), 0
    while bench.poll() is None:
        taken.append(look(server, begin))
        if taken[-1]["at"] >= told:
            now = taken[-1]
            told += 60
            print(f"    {now['at']:6.0f} s  {now['footfall_events_judged_total']:11,.0f} judged  {now['footfall_events_expired_total']:11,.0f} gone  "
                  f"judged {now[f'topic {PREFIX}judged'] / MIB:8,.1f} MiB  rows {sum(now[f'table {name}'] for name in ROW_TABLES) / MIB:8,.1f} MiB  "
                  f"{now['resident'] / MIB:6,.0f} MiB resident", flush=True)
        clock.wait(PAUSE)


def stops_growing(name, taken, kept_for):
    """Of a series of bytes: what the last quarter of the run has at most, beside the most there was when the first had gone. None, and a
    line that says so, where the run is too short to tell."""
    series = [(each["at"], each.get(name, 0)) for each in taken]
    end = series[-1][0]
    promise = f"bytes of {name} stop growing {kept_for / 60:.0f} minutes after the start"
    first, last = between(series, kept_for * 0.8, kept_for * 1.2), between(series, end - min(end / 4, end - kept_for))
    if end < 1.5 * kept_for or not first or not last:
        print(f"left out: {promise}: not to be seen in {end / 60:.0f} minutes; {series[-1][1] / MIB:,.1f} MiB at the end", flush=True)
        return None
    most, later = (max(value for _, value in part) for part in (first, last))
    return Verdict(promise, f"{most / MIB:,.1f} MiB then, at most {later / MIB:,.1f} MiB in the last quarter", later <= ROOM * most)


def verify(settings, place):
    begin = time.monotonic()
    words = [settings.footfall, "verify", "views", *place.words, *place.kafka[:-2]]
    settings.note(words)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    lines = (done.stdout.strip() or done.stderr.strip()).split("\n")
    return Verdict("footfall verify views prints no difference", f"{lines[0] if done.returncode else lines[-1]} ({time.monotonic() - begin:.0f} s)",
                   done.returncode == 0)


def run(asked, folder):
    settings = Settings(asked.build, quick=False)
    keep = 60 * asked.keep
    results = {"commit": kept.commit(), "minutes": asked.minutes, "rate": asked.rate, "date": datetime.date.today().isoformat()}
    taken = results["taken"] = []
    every = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    with tempfile.TemporaryDirectory(prefix="run-", dir=folder) as settings.folder, rig.cluster(None) as env:
        results["machine"] = machine.describe(settings.folder)
        place = rig.Place(settings, env, KEYSPACE, PREFIX)
        report = os.path.join(folder, "bench.json")
        with rig.process(settings, place, ROLES, every, flags=["--keep-events", f"{asked.keep:g}m", "--rules", RULES]) as server:
            words = [settings.footfall, "bench", "events", "--server", f"http://127.0.0.1:{server.port}", "--objects", OBJECTS, "--people", PEOPLE,
                     "--batch", BATCH, "--rate", asked.rate / BATCH, "--duration", 60 * asked.minutes, "--window", 60, "--warm-up", 0,
                     "--patience", 60, "--verify-all", "--json", report]
            settings.note(list(map(str, words)))
            print(f"==> {asked.minutes:g} minutes of {asked.rate:,.0f} events/s that are kept for {asked.keep:g} minutes", flush=True)
            with open(os.path.join(folder, "bench.log"), "wb") as said, subprocess.Popen(list(map(str, words)), stdout=said, stderr=said) as bench:
                try:
                    watch(server, bench, time.monotonic(), taken)
                finally:
                    bench.kill()
            with open(report, encoding="utf-8") as file:
                verdicts = bench_verdicts("events", {"status": bench.returncode, **json.load(file)})
            verdicts.append(verify(settings, place))
    gone = taken[-1]["footfall_events_expired_total"]
    verdicts.append(Verdict("events go", f"{gone:,.0f} of {taken[-1]['footfall_events_judged_total']:,.0f} have gone", gone > 0))
    verdicts.append(stops_growing(f"topic {PREFIX}judged", taken, LOG_SLACK[0] * keep + LOG_SLACK[1]))
    verdicts += [stops_growing(f"table {name}", taken, max(keep + 3600, ROWS_STAY) + 3600) for name in ROW_TABLES]
    verdicts = [verdict for verdict in verdicts if verdict is not None]
    results.update(verdicts=list(map(vars, verdicts)), commands=settings.commands)
    with open(os.path.join(folder, "retention.json"), "w", encoding="utf-8") as file:
        json.dump(results, file)
    for verdict in sorted(verdicts, key=lambda verdict: not verdict.kept):
        print(f"{'kept' if verdict.kept else 'BROKEN':<7} {verdict.promise}: {verdict.found}")
    return all(verdict.kept for verdict in verdicts)


def main():
    parser = argparse.ArgumentParser(prog="./prove retention", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=40, help="how long the load lasts; rows of events leave after 5 hours [40]")
    parser.add_argument("--keep", type=float, default=10, metavar="MINUTES", help="how long events are kept [10]")
    parser.add_argument("--rate", type=float, default=1000, help="events a second [1000]")
    parser.add_argument("--folder", default=os.path.join(TOP, "build", "prove", "retention"), help="for results [build/prove/retention]")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if min(asked.minutes, asked.rate) <= 0 or asked.keep < 1:
        parser.error("MINUTES and --rate are above 0, and --keep is at least 1")
    os.makedirs(asked.folder, exist_ok=True)
    return 0 if run(asked, asked.folder) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # servers must not be left behind
    try:
        sys.exit(main())
    except (RuntimeError, KeyboardInterrupt) as failed:
        sys.exit(f"./prove retention: {failed or 'interrupted'}")
