"""`./bench timeseries`: graphs of 100 series beside graphite-web with whisper; lines of Carbon; a million series."""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(TOP, "build/release/benchmarks/timeseries_bench")
GRAPHITE = os.path.join(TOP, "build/graphite_web")
WEBAPP = os.path.join(GRAPHITE, "graphite-web-1.1.10/webapp")
PEER = [os.path.join(GRAPHITE, "bin/python3"), os.path.join(TOP, "benchmarks/timeseries/graphite_peer.py")]
# Noon of some day; whoever fills and whoever asks is told so.
NOW = 1_796_040_000
CLOSE = 1e-9


def said_by(*words):
    return json.loads(subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1])


def points_of(path):
    """{series: [(time, value), ..]}"""
    with open(path, encoding="utf-8") as file:
        return {each["target"]: [(when, value) for value, when in each["datapoints"]] for each in json.load(file)}


def is_close(one, other):
    if one is None or other is None:
        return one is other
    return abs(one - other) <= CLOSE * max(1, abs(one), abs(other))


def compare(ours, theirs, what):
    if sorted(ours) != sorted(theirs):
        sys.exit(f"WRONG: {what}: other series")
    for name, points in ours.items():
        others = theirs[name]
        if [when for when, _ in points] != [when for when, _ in others]:
            sys.exit(f"WRONG: {what}: {name} has other times")
        for (when, one), (_, other) in zip(points, others):
            if not is_close(one, other):
                sys.exit(f"WRONG: {what}: {name} at {when} is {one} and {other}")


def means(points, times):
    """What the values from each of these times to the next come to."""
    step = times[1] - times[0]
    bands = {when: [] for when in times}
    for when, value in points:
        if value is not None:
            bands[when - when % step].append(value)
    return [(when, sum(each) / len(each) if each else None) for when, each in bands.items()]


def bytes_a_point(folder, points):
    """In the files of tables, of what is kept."""
    return sum(map(os.path.getsize, glob.glob(f"{folder}/**/*.sst", recursive=True))) / points


def beside_graphite(folder, span, rounds):
    ours = f"{folder}/{span}"
    if not os.path.exists(f"{ours}.values"):
        said_by(PROGRAM, "fill", ours, span, NOW)
    with tempfile.TemporaryDirectory(dir=folder) as whisper:
        theirs = said_by(*PEER, WEBAPP, f"{ours}.values", whisper, span, NOW, max(3, rounds // 5))
        told = said_by(PROGRAM, "render", ours, span, NOW, rounds)
        full = points_of(f"{whisper}.all.json")
        compare(points_of(f"{ours}.all.json"), full, span)
        # graphite-web writes the time of each band a step later than that of its first value, so bands are made of all its values.
        fewer = points_of(f"{ours}.most.json")
        compare(fewer, {name: means(full[name], [when for when, _ in points]) for name, points in fewer.items()}, f"{span}, consolidated")
    told["bytes_a_point"] = bytes_a_point(ours, sum(map(len, full.values())))
    for query, name in (("all", "all values"), ("most", "`maxDataPoints=1000`")):
        one, other = told[query], theirs[query]
        print(f"| a {span}, {name} | {one['p50']:.1f} | {one['cpu']:.1f} ({one['least']:.1f}) | {other['p50']:.0f} | {other['cpu']:.0f} ({other['least']:.0f}) | "
              f"{other['cpu'] / one['cpu']:.0f} times | {one['bytes'] / 1e6:.1f} MB |", flush=True)
    return f"{span}: {told['bytes_a_point']:.2f} bytes a {'point' if span == 'day' else 'cell of five figures'}, whisper {theirs['bytes_a_point']:.2f}"


def main():
    parser = argparse.ArgumentParser(prog="./bench timeseries", description=__doc__)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--keep", metavar="FOLDER", help="fill there, and ask what is filled there: filling a year takes minutes")
    chosen = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(dir=os.path.join(TOP, "build")) as folder:
        filled = chosen.keep or folder
        os.makedirs(filled, exist_ok=True)
        print("| graph of 100 series | p50 ms | CPU ms (least) | graphite-web p50 | CPU (least) | | answer |\n|---|---|---|---|---|---|---|")
        on_disk = [beside_graphite(filled, span, chosen.rounds) for span in ("day", "year")]
        print("\n" + "\n".join(on_disk))
        for number in range(3):
            print(json.dumps(said_by(PROGRAM, "lines", f"{folder}/lines{number}", 10_000, 200)), flush=True)
        print(json.dumps(said_by(PROGRAM, "names", f"{folder}/names", 1_000_000, 512)))
    print(f"load after: {os.getloadavg()[0]:.1f}")


main()
