"""`./bench people`: what counting people takes beside Redis and Apache DataSketches; answers are compared first."""

import argparse
import csv
import datetime
import json
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import kept  # noqa: E402
import machine  # noqa: E402
import report  # noqa: E402
from clients import RedisClient, run  # noqa: E402
from programs import Settings, redis  # noqa: E402

SIZES = (1, 10, 100, 1_000, 10_000, 1_000_000)
OURS, PEERS = ("closed", "open"), ("hll", "cpc")
ELEMENTS_AT_ONCE = 1000
ERRORS_ALLOWED = 5  # standard errors
ERROR_POINTS = (1, 8, 126, 251, 1_000, 7_943, 31_623, 125_893, 1_000_000, 31_622_777, 1_000_000_000)
HLL_ERROR = 0.0081


def person(obj, number):
    return obj << 32 | number


def used_memory(client):
    return int(client.ask("INFO", "memory").split("used_memory:")[1].split("\r\n")[0])


def fill(client, obj, people):
    for first in range(0, people, ELEMENTS_AT_ONCE):
        client.ask("PFADD", obj, *(person(obj, number) for number in range(first, min(people, first + ELEMENTS_AT_ONCE))))


def in_redis(settings, objects_of):
    """Objects of each size; Redis' CPU for what it does, its own word for its memory."""
    rows = []
    with redis(settings, "no log") as server, RedisClient(server) as client:
        for people in SIZES:
            client.ask("FLUSHALL", "SYNC")
            objects = min(objects_of[people], 4000)
            before, busy = used_memory(client), server.cpu_seconds()
            for obj in range(objects):
                fill(client, obj, people)
            busy = server.cpu_seconds() - busy
            resident = (used_memory(client) - before) / objects
            unions, start = 5000, server.cpu_seconds()
            for _ in range(unions):
                both = client.ask("PFCOUNT", 0, 1)
            rows.append({"people": people, "objects": objects, "resident": resident, "at_rest": client.ask("STRLEN", 0),
                         "usage": client.ask("MEMORY", "USAGE", 0), "add_ns": busy * 1e9 / objects / people,
                         "union_us": (server.cpu_seconds() - start) * 1e6 / unions, "union_count": both,
                         "counts": [client.ask("PFCOUNT", obj) for obj in range(4)]})
            print(f"    redis, {people:,} people: {rows[-1]['resident']:.0f} bytes", flush=True)
        rows.append(multitude(settings, server, client))
    return rows[:-1], rows[-1]


def multitude(settings, server, client):
    """16,384 elements that count as a thousand million."""
    said = subprocess.run([os.path.join(settings.peers, "people_sketch"), "multitude"], capture_output=True, check=True).stdout
    subprocess.run(["redis-cli", "-p", str(server.port), "--pipe"], input=said, capture_output=True, check=True)
    return client.ask("PFCOUNT", "multitude")


def program(settings, name, *words):
    return json.loads(run(settings, [os.path.join(settings.peers, name), *map(str, words)]))


def compare(results):
    """Nothing is worth a figure that counts wrong."""
    for peer, expected in zip(results["redis"], results["like_redis"], strict=True):
        if peer["counts"] != [round(count) for count in expected["counts"]]:
            raise RuntimeError(f"our HyperLogLog is not that of Redis: {peer['counts']} and {expected['counts']}")
    for side in (*OURS, *PEERS, "redis"):
        for row in results[side]:
            allowed = ERRORS_ALLOWED * HLL_ERROR * row["people"] + 0.5
            wrong = [count for count in row["counts"] if abs(count - row["people"]) > allowed]
            if wrong or abs(row["union_count"] - 2 * row["people"]) > 2 * allowed:
                raise RuntimeError(f"{side} counts {row['counts']}, and {row['union_count']} of two, for {row['people']}")
    if results["multitude"] < 1e9:
        raise RuntimeError("the elements that are chosen to count as many do not in Redis")


def measure_sizes(settings, results):
    for side in (*OURS, "redis"):
        results["like_redis" if side == "redis" else side] = program(settings, "people_sketch", side, *SIZES)
    if os.path.exists(os.path.join(settings.peers, "datasketches_peer")):
        for side in PEERS:
            results[side] = program(settings, "datasketches_peer", side, *SIZES)
    else:
        raise RuntimeError("datasketches_peer was not built: tools/datasketches tells why")
    results["redis"], results["multitude"] = in_redis(settings, {row["people"]: row["objects"] for row in results["closed"]})
    compare(results)


def population(settings, objects):
    """The same objects on both sides, with P(people >= n) = 1/n."""
    ours = program(settings, "people_sketch", "population", objects)
    with redis(settings, "no log") as server, RedisClient(server) as client:
        before = used_memory(client)
        commands = subprocess.Popen([os.path.join(settings.peers, "people_sketch"), "commands", str(objects)], stdout=subprocess.PIPE)
        subprocess.run(["redis-cli", "-p", str(server.port), "--pipe"], stdin=commands.stdout, capture_output=True, check=True)
        if commands.wait() != 0 or client.ask("DBSIZE") != objects:
            raise RuntimeError("Redis did not take the whole population")
        taken = (used_memory(client) - before) / objects
    return {"ours": ours, "redis": {"resident": taken}, "date": datetime.date.today().isoformat(), "commit": kept.commit()}


def table(results):
    sides = (("closed", "ours, closed"), ("open", "ours, open"), ("redis", "Redis"), ("hll", "DataSketches HLL_4"), ("cpc", "DataSketches CPC"))
    lines = []
    for title, figure, form in (("Bytes of an object in memory", "resident", "{:,.0f}"), ("Bytes at rest", "at_rest", "{:,.0f}"),
                                ("Adding a person, ns of CPU", "add_ns", "{:,.0f}"), ("Uniting two and counting, us of CPU", "union_us", "{:,.1f}")):
        lines += ["", f"## {title}", "", "| people | " + " | ".join(name for _, name in sides) + " |", "|---" * (len(sides) + 1) + "|"]
        for at, people in enumerate(SIZES):
            lines.append(f"| {people:,} | " + " | ".join(form.format(results[side][at][figure]) for side, _ in sides) + " |")
    return "\n".join(lines)


def population_text(results):
    if "population" not in results:
        return ""
    ours, peer = results["population"]["ours"], results["population"]["redis"]
    run_at = results["population"]
    return (f"\n\n## {ours['objects']:,} objects\n\nRun {run_at['date']} at {run_at['commit']}. P(people >= n) = 1/n, up to a million; {ours['people']:,} "
            f"people in all.\nIn memory {ours['resident']:.1f} bytes an object : Redis {peer['resident']:.1f} "
            f"({ours['resident'] / peer['resident']:.2f}); at rest {ours['at_rest']:.1f}.")


def found_errors():
    """What the last `./prove people` found, if there was one."""
    path = os.path.join(TOP, "build", "prove", "people", "error.csv")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {"error": list(csv.DictReader(file))}


def error_text(results):
    if "error" not in results:
        return ""
    of = {(int(row["people"]), row["way"]): row for row in results["error"]}
    lines = []
    for people in ERROR_POINTS:
        served, united, redis_row = (of[people, way] for way in ("served", "halves", "redis"))
        cells = (served["rmse"], served["theory"], united["rmse"], united["theory"], redis_row["rmse"])
        lines.append(f"| {people:,} | " + " | ".join(f"{100 * float(cell):.3f}" for cell in cells) + " |")
    rows = "\n".join(lines)
    return f"""

## How close

![Error against people, and bias](people-error.svg)

Of {int(results["error"][0]["runs"]):,} runs by `./prove people`: root mean square of the relative error, %, beside the error that a sketch states.
Half of the people were seen by each of two sketches that were united; up to 128, where a sketch keeps people one by one, that
column is of registers all the same.

| people | one stream | stated | united | stated | Redis |
|---|---|---|---|---|---|
{rows}"""


def document(results):
    found = results["machine"]
    return f"""# Counting people

<!-- Written by ./bench people. To change the words, change benchmarks/people/__main__.py. -->

    ./bench people                          this document
    ./bench people --population 10000000    with a population beside Redis; takes 8 GB

Run {results["date"]} at {results["commit"]}: {found["processor"]}, {found["cores"]} cores, {found["memory_gib"]} GiB, kernel
{found["kernel"]}; redis-server {found["versions"]["redis-server"]}, Apache DataSketches 4.1.0. {report.quietness(results["busy"])}

Answers first: the HyperLogLog of `./prove people` answers what Redis does, to the unit; all sides count every size within five
standard errors. 16,384 elements that somebody chose who knows Redis' hash count as {results["multitude"]:,} there; here the hash
has a secret, and `people_test` counts them one by one.

Sides: `Sketch` closed (as it waits for the next visitor) and open (as busy objects are); Redis' PFADD, default settings; HLL_4 with
2^14 and CPC with 2^13 registers, which are as close as Redis. In memory: what the allocator gave, the slot in a vector included;
of Redis the growth of `used_memory` a key, in which are its name and its place in the table. At rest: the written form; of Redis
STRLEN. CPU: ours and DataSketches in one process; of Redis the whole server's, commands of 1,000 elements at most, so for small
objects that of a command.
{table(results)}{population_text(results)}{error_text(results)}
"""


def main():
    parser = argparse.ArgumentParser(prog="./bench people", description=__doc__)
    parser.add_argument("--population", type=int, metavar="OBJECTS", help="beside Redis, in memory: 600 bytes an object on both sides together")
    parser.add_argument("--render", action="store_true", help="measure nothing: write the document again from what was measured")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    results = kept.load("people")
    if not asked.render:
        settings = Settings(asked.build, False)
        with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
            results.update(machine=machine.describe(settings.folder), date=datetime.date.today().isoformat(), commit=kept.commit(),
                           busy={"before": machine.busy_share(2)})
            measure_sizes(settings, results)
            if asked.population:
                results["population"] = population(settings, asked.population)
            results["busy"]["after"] = machine.busy_share(2)
    results.update(found_errors())
    kept.save("people", results)
    path = kept.write(os.path.join(TOP, "docs", "benchmarks"), "people.md", document(results))
    print(f"wrote {path} and {kept.path_of('people')}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
