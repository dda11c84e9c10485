"""How many events one and two guards judge while the Cassandra node is slow: each answer takes 200 ms, and 32 do so at a time.

    python3 benchmarks/cluster/slow_store.py --build build/release [--build FOLDER ...]

starts one node, one broker and a proxy to the node (tools/cluster delay), guards that go by the proxy, and sends events with ids
that gather in the log (the collector goes past the proxy); of several builds one after the other. Prints a line for each, and stops everything.
Nothing else of tools/cluster may run. Six minutes a build; the figures are of the proxy, so a busy machine does little to them.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import kept  # noqa: E402
import rig  # noqa: E402
import traffic  # noqa: E402
from programs import Settings  # noqa: E402

PROXY = "127.0.0.1:10042"
JUDGED = "footfall_events_judged_total"
FAILED = "footfall_cassandra_failed_reads_total"
LANES = "footfall_lanes"
LIMIT = "footfall_cassandra_limit"
OBJECTS = 1000
WARM_UP = 20


def sums(guards):
    """Of all guards together: events judged, and reads that failed."""
    found = [rig.metrics(guard) for guard in guards]
    return [sum(rig.total(each, name) for each in found) for name in (JUDGED, FAILED)]


def measure(settings, env, name, guards, asked):
    """Events a second, failed reads a second, and where the limits stood at the end."""
    near, far = (rig.Place(settings, env, name, f"{name}.") for _ in range(2))
    far.words[far.words.index("--cassandra") + 1] = PROXY
    with contextlib.ExitStack() as stack:
        # Before there is something to do, or the first would not let the second begin.
        servers = [stack.enter_context(rig.process(settings, far, "guard", settings.server_cores)) for _ in range(guards)]
        rig.wait_until(lambda: all(rig.total(rig.metrics(server), LANES) > 0 for server in servers), "a guard has no lanes")
        with rig.process(settings, near, "collect", settings.client_cores) as collector:
            traffic.send(collector, traffic.Traffic(OBJECTS, True, True), asked.events)
        time.sleep(WARM_UP)
        before, began = sums(servers), time.monotonic()
        time.sleep(asked.seconds)
        after, took = sums(servers), time.monotonic() - began
        limits = [rig.by_label(rig.metrics(server), LIMIT, "kind") for server in servers]
    if after[0] >= asked.events:
        raise RuntimeError(f"all {asked.events} events were judged before the end: give --events more")
    judged, failed = ((now - then) / took for then, now in zip(before, after))
    return judged, failed, limits


def slow(milliseconds, at_once):
    words = ("delay", "cassandra-1", str(milliseconds), "--at-once", str(at_once))
    subprocess.run([os.path.join(TOP, "tools", "cluster"), *words], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", action="append", help="a folder with `footfall`, built with Cassandra; build/release")
    parser.add_argument("--guards", default="1,2", help="how many, with commas between")
    parser.add_argument("--events", type=int, default=150_000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--milliseconds", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=32)
    asked = parser.parse_args()
    os.makedirs(kept.FOLDER, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as folder, rig.cluster("") as env:
        slow(asked.milliseconds, asked.at_once)
        print(f"the node answers after {asked.milliseconds} ms, {asked.at_once} at a time: {1000 * asked.at_once / asked.milliseconds:.0f} answers/s at most")
        for turn, build in enumerate(asked.build or [os.path.join(TOP, "build", "release")]):
            settings = Settings(os.path.abspath(build), False)
            settings.folder = folder
            for guards in map(int, asked.guards.split(",")):
                judged, failed, limits = measure(settings, env, f"slow_{turn}_{guards}", guards, asked)
                print(f"{build}: {guards} guards: {judged:,.0f} events/s, {failed:.1f} failed reads/s, limits {limits or 'none'}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"slow_store: {failed or 'interrupted'}")
