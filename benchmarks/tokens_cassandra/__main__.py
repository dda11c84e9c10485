"""`./bench tokens-cassandra`: PUTs of tokens on Cassandra beside the design that Footfall replaces, on the same node by the same client; and
what a statement costs in the driver."""

import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

import sides  # first: it says where the modules of ./bench counter are
import clients
import kept
import machine
from document import SIDES, document
from programs import Settings

CONNECTIONS = 64
FILL_SEED, CHECKED = 1, 300


def put(settings, server, objects, seed, *flags):
    """The client, which checks what it put unless told otherwise."""
    return clients.bench(settings, server, "--objects", objects, "--seed", seed, "--connections", CONNECTIONS, *flags, cores=sides.ALL_CORES,
                         warm_up=0)


def fill(settings, side, part, nodes, requests):
    """The same PUTs for every side; answers the counts of some objects."""
    with sides.start(settings, side, part["place"], nodes) as server:
        clients.bench(settings, server, "--objects", part["objects"], "--seed", FILL_SEED, "--connections", CONNECTIONS, "--requests", requests,
                      "--no-verify", seconds=3600, warm_up=0, cores=sides.ALL_CORES)
        middle = part["objects"] // 2
        return [int(clients.http_get(server, f"/api/v1/counter/{middle + at}")) for at in range(-CHECKED // 2, CHECKED // 2)]


def loads_of(server):
    """How many objects were loaded; nothing of who has no such figure."""
    text = clients.http_get(server, "/metrics").decode()
    return sum(float(value) for value in re.findall(r"^footfall_token_loads_total\S* (\S+)$", text, re.M))


def measure_side(settings, side, part, nodes, pids, seed):
    with sides.start(settings, side, part["place"], nodes) as server:
        if part["warm"]:
            put(settings, server, part["objects"], seed + 1)
        loads = loads_of(server) if side != "table" else None
        busy = sum(map(sides.cpu_seconds, pids))
        found = put(settings, server, part["objects"], seed, "--no-verify")
        spent = sum(map(sides.cpu_seconds, pids)) - busy
        shown = clients.figures(found)
        if shown["failed"]:
            raise RuntimeError(f"{side}: {shown['failed']} requests failed")
        shown["client_busy"] = found["total"]["client_cpu"]["cores_busy"]
        shown["cassandra_us"] = spent / found["total"]["good"] * 1e6
        shown["cassandra_busy"] = spent / found["total"]["seconds"]
        shown["loads"] = (loads_of(server) - loads) / found["total"]["good"] if loads is not None else None
        return shown


def median_of(rounds):
    """Of each figure; what is not a number, as the first has it."""
    first = rounds[0]
    return {name: statistics.median(each[name] for each in rounds) if isinstance(value, (int, float)) else value for name, value in first.items()}


def measure_part(settings, part, nodes, pids):
    print(f"==> {part['name']}", flush=True)
    counts = {side: fill(settings, side, part, nodes, part["fill"]) for side in SIDES}
    if len(set(map(tuple, counts.values()))) != 1:
        raise RuntimeError(f"the sides count differently: {counts}")
    rounds = {side: [] for side in SIDES}
    for number in range(settings.rounds):
        for side in SIDES:
            shown = measure_side(settings, side, part, nodes, pids, seed=100 + 2 * number)
            rounds[side].append(shown)
            print(f"    {sides.NAMES[side]}: {shown['rate']:,.0f}/s, p99 {shown['p99_ms']:.1f} ms, CPU {shown['server_us']:.0f} us, Cassandra "
                  f"{shown['cassandra_us']:.0f} us", flush=True)
    return {**part, "median": {side: median_of(found) for side, found in rounds.items()}, "rounds": rounds}


def parts_of(quick):
    hot, cold = (200, 4000) if quick else (1000, 100_000)
    return (
        {"name": "hot objects", "place": "hot", "objects": hot, "fill": hot * 40, "warm": True,
         "how": f"{hot:,} objects of about 40 tokens and more with every PUT, all in memory of ours"},
        {"name": "cold objects", "place": "cold", "objects": cold, "fill": cold, "warm": False,
         "how": f"{cold:,} objects of about one token each; those that a round meets first have to be loaded"},
    )


def driver(settings):
    said = clients.run(settings, [os.path.join(settings.peers, "driver_bench"), sides.CONTACTS, "4000" if settings.quick else "40000"],
                       sides.ALL_CORES)
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def measure(settings, nodes, results):
    parts = parts_of(settings.quick)
    with sides.cluster(nodes) as pids:
        print("==> the driver", flush=True)
        results["driver"] = driver(settings)
        for row in results["driver"]:
            print(f"    {row['what']}, {row['in_flight']} in flight: {row['cpu_us']:.1f} us", flush=True)
        results["parts"] = [measure_part(settings, part, nodes, pids) for part in parts]
    results.update(filled=sum(part["fill"] for part in parts), compared=len(parts) * CHECKED, nodes=nodes, connections=CONNECTIONS,
                   rounds=settings.rounds, seconds=settings.seconds)


def main():
    parser = argparse.ArgumentParser(prog="./bench tokens-cassandra", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every part small, for trying, written to build/bench/")
    parser.add_argument("--nodes", type=int, choices=(1, 4), default=1, help="of Cassandra [1]")
    parser.add_argument("--render", action="store_true", help="measure nothing: write the document again from what was measured")
    parser.add_argument("--build", default=os.path.join(sides.TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    name = "tokens-cassandra-quick" if asked.quick else "tokens-cassandra"
    if asked.render:
        results = kept.load(name)
    else:
        settings = Settings(asked.build, asked.quick)
        results = {"date": datetime.date.today().isoformat(), "commit": kept.commit(), "busy": {"before": machine.busy_share(2)}}
        os.makedirs(kept.FOLDER, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
            results["machine"] = machine.describe(settings.folder)
            measure(settings, asked.nodes, results)
        results["busy"]["after"] = machine.busy_share(2)
        results["commands"] = settings.commands
        kept.save(name, results)
    folder = kept.FOLDER if asked.quick else os.path.join(sides.TOP, "docs", "benchmarks")
    print(f"wrote {kept.write(folder, 'tokens-cassandra.md', document(results))} and {kept.path_of(name)}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
