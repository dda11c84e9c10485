"""`./bench segments`: every pair of 100 segments, beside CRoaring, DuckDB and theta sketches; two beside Redis. Answers are compared first."""

import argparse
import array
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import kept  # noqa: E402
from clients import RedisClient, run  # noqa: E402
from programs import Settings, redis  # noqa: E402

DUCKDB = [os.path.join(TOP, "build/peers/bin/python3"), os.path.join(TOP, "benchmarks/segments/duckdb_peer.py")]
# Numbers, of a hundred members so many from a twentieth of the numbers that all sets share.
WORLDS = ((15_000_000, 0), (150_000_000, 0), (150_000_000, 50))
SETS, MEMBERS = 100, 1_000_000
# Theta sketches with 4,096 samples: a count is off by more than five of its standard errors in one of two million cases.
SAMPLES, ERRORS = 4096, 5


def counts_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {(int(one), int(other)): float(count) for one, other, count in csv.reader(file)}


def mean_error(found, exact):
    """How far counts of pairs are off: the root of the mean square, relative."""
    off = [found[pair] / count - 1 for pair, count in exact.items() if pair[0] != pair[1] and count]
    return (sum(each * each for each in off) / len(off)) ** 0.5


def check_theta(found, exact):
    """A sample of both sets is one of the common numbers with a chance of their share in the union."""
    for (one, other), count in exact.items():
        union = exact[one, one] + exact[other, other] - count if one != other else count
        allowed = ERRORS * (count * union / SAMPLES) ** 0.5 + ERRORS * union / SAMPLES
        if abs(found[one, other] - count) > allowed:
            raise RuntimeError(f"theta: {found[one, other]} of sets {one} and {other}, which have {count} in common: off by more than {allowed:.0f}")


def every_pair(settings, folder, members, asked):
    program = os.path.join(settings.peers, "sets_bench")
    sides = {"ours": [program, "pairs"], "CRoaring": [os.path.join(settings.peers, "roaring_peer")], "DuckDB": DUCKDB,
             "theta": [os.path.join(settings.peers, "theta_peer")], "ours, by sketches": [program, "sketches"]}
    rows, exact = {}, {}
    for side, words in sides.items():
        if side in asked.without:
            continue
        out = os.path.join(folder, "pairs.csv")
        rows[side] = json.loads(run(settings, [*words, members, str(SETS), out]))
        found = counts_of(out)
        if side == "ours":
            exact = found
        elif side in ("CRoaring", "DuckDB"):
            if found != exact:
                raise RuntimeError(f"{side} counts other pairs than we do")
        else:
            rows[side]["error"] = mean_error(found, exact)
            if side == "theta":
                check_theta(found, exact)
        print(side, json.dumps(rows[side]), flush=True)
    return rows, exact


def in_redis(settings, members, expected):
    """CPU of the server for the intersection of the first two sets, in microseconds."""
    with open(members, "rb") as file, redis(settings, "no log") as server, RedisClient(server) as client:
        for key in ("a", "b"):
            numbers = array.array("I", file.read(4 * MEMBERS))
            for first in range(0, MEMBERS, 10_000):
                client.ask("SADD", key, *numbers[first:first + 10_000])
        taken, walls = [], []
        for _ in range(5):
            busy, wall = server.cpu_seconds(), time.perf_counter()
            common = client.ask("SINTERCARD", 2, "a", "b")
            walls.append((time.perf_counter() - wall) * 1e6)
            taken.append((server.cpu_seconds() - busy) * 1e6)
            if common != expected:
                raise RuntimeError(f"Redis counts {common} where we count {expected}")
    return {"us": sorted(taken)[2], "wall_us": sorted(walls)[2]}


def measure(settings, world, asked):
    numbers, shared = world
    with tempfile.TemporaryDirectory(prefix="segments-", dir=kept.FOLDER) as folder:
        members = os.path.join(folder, "members")
        program = os.path.join(settings.peers, "sets_bench")
        run(settings, [program, "write", members, str(SETS), str(MEMBERS), str(numbers), str(shared)])
        rows, exact = every_pair(settings, folder, members, asked)
        two = json.loads(run(settings, [program, "two", members, str(SETS)]))
        if two["common"] != exact[0, 1]:
            raise RuntimeError(f"two sets have {two['common']} in common, or {exact[0, 1]}")
        peer = in_redis(settings, members, two["common"])
        several = json.loads(run(settings, [program, "several", members, str(SETS)]))
    print(f"\n| {numbers:,} numbers, {shared} % shared | CPU | ours is faster | memory | off |\n|---|---|---|---|---|")
    for side, row in rows.items():
        memory = row.get("resident_mb", row.get("peak_mb"))
        off = f"{row['error'] * 100:.1f} %" if "error" in row else "exact"
        print(f"| {side} | {row['pairs_s']:.3f} s | {row['pairs_s'] / rows['ours']['pairs_s']:.1f}x | {memory:.0f} MB | {off} |")
    print(f"| two sets: ours | {two['us'] / 1e3:.3f} ms | | | |")
    print(f"| two sets: Redis SINTERCARD | {peer['us'] / 1e3:.1f} ms ({peer['wall_us'] / 1e3:.1f} ms on the wall) | {peer['us'] / two['us']:.0f}x | | |")
    print(f"\n{json.dumps(several)}\n", flush=True)
    return {"numbers": numbers, "shared": shared, "pairs": rows, "two": two, "redis": peer, "several": several}


def main():
    parser = argparse.ArgumentParser(prog="./bench segments", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the first world alone")
    parser.add_argument("--without", action="append", default=[], metavar="SIDE", help="leave a side out: DuckDB takes minutes")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    settings = Settings(asked.build, asked.quick)
    os.makedirs(kept.FOLDER, exist_ok=True)
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
        rows = [measure(settings, world, asked) for world in (WORLDS[:1] if asked.quick else WORLDS)]
    kept.save("segments", {"rows": rows, "commit": kept.commit()})
    print(f"load after: {os.getloadavg()[0]:.1f}; kept in {kept.path_of('segments')}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
