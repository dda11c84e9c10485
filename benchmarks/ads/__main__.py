"""`./bench ads`: income of any range of ten years beside DuckDB and the ClickHouse engine, after a start, and over HTTP; answers are compared first."""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import document  # noqa: E402
import exact  # noqa: E402
import kept  # noqa: E402
import machine  # noqa: E402
import served  # noqa: E402
from clients import run  # noqa: E402
from programs import Settings  # noqa: E402

RANGES, ROUNDS = 1_000, 100
PEERS = ("duckdb", "clickhouse")
FIRST = "reseller-0"


def ads_bench(settings, *words, cores="0"):
    said = run(settings, [os.path.join(settings.peers, "ads_bench"), *map(str, words)], cores=cores)
    return json.loads(said)


def compare(books, answers, who):
    """Every answer is that of the whole story in numbers of any size."""
    for reseller, first, last, income, _ in answers:
        wanted = books.income(reseller, first, last)
        if income != wanted:
            raise RuntimeError(f"{who}: {reseller} from day {first} to {last} has {income} micros, and should have {wanted}")


def spread(nanoseconds):
    taken = sorted(nanoseconds)
    return {"count": len(taken), "p50_ns": machine.percentile(taken, 0.5), "p99_ns": machine.percentile(taken, 0.99), "max_ns": taken[-1]}


def peer(settings, folder, name, questions):
    path = os.path.join(settings.folder, "questions.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(questions, file)
    said = run(settings, [os.path.join(TOP, "build", "peers", "bin", "python"), os.path.join(TOP, "benchmarks", "ads", "peers.py"), name, folder,
                          path, "2"], cores="0,1")
    return json.loads(said.strip().split("\n")[-1])


def measure_ranges(settings, results, folder, books):
    """Of the first reseller, whose page is in memory; and the same questions to the peers."""
    ours = ads_bench(settings, "ranges", folder, RANGES, ROUNDS)
    compare(books, ours["answers"], "Footfall")
    wanted = [each[3] for each in ours["answers"]]
    results["ranges"] = {**{name: ours[name] for name in ("calls", "p50_ns", "p99_ns", "clock_ns", "memory")}, "compared": len(wanted), "peers": {}}
    print(f"    Footfall {ours['p50_ns']} ns", flush=True)
    for name in PEERS:
        theirs = peer(settings, folder, name, [each[:3] for each in ours["answers"]])
        found = {"version": theirs["version"], "rows": theirs["rows"], "bytes": theirs.get("bytes")}
        for kind in ("earned", "joined", "one"):
            if kind in theirs:
                if [exact.half_even(each) for each in theirs[kind]["answers"]] != wanted:
                    raise RuntimeError(f"{name} ({kind}) has other incomes than Footfall")
                found[kind] = spread(theirs[kind]["ns"])
                print(f"    {name}, {kind}: {found[kind]['p50_ns'] / 1e3:.0f} us", flush=True)
        results["ranges"]["peers"][name] = found


def measure_cold(settings, results, folder, books, resellers):
    """Each time a process that starts, on files that are not in memory. The rate comes last: it stays in the store."""
    found = ads_bench(settings, "cold", folder, resellers, cores="0,1")
    compare(books, found["answers"], "after a start")
    results["cold"] = {"opened_ns": found["opened_ns"], "memory": found["memory"], "years": spread(each[4] for each in found["answers"])}
    found = ads_bench(settings, "backdated", folder, RANGES, cores="0,1")
    compare(books, found["before"], "all lanes")
    books.set_rate(FIRST, found["effective"], found["share"])
    compare(books, found["answers"], "after a rate of the past")
    results["cold"]["all_lanes_ns"] = found["before"][0][4]
    results["backdated"] = {"recorded_ns": found["recorded_ns"], "next_ns": found["answers"][0][4], "changed": found["answers"][0][3] != found["before"][0][3],
                            "ranges": spread(each[4] for each in found["answers"][1:])}
    print(f"    a year p50 {results['cold']['years']['p50_ns'] / 1e6:.2f} ms, all lanes {results['cold']['all_lanes_ns'] / 1e6:.1f} ms", flush=True)


def when():
    return {"date": datetime.date.today().isoformat(), "commit": kept.commit(), "busy": {"before": machine.busy_share(2)}}


def measure_served(settings, results, folder, fill):
    """With a date of its own: it can be measured again alone."""
    print("  over HTTP", flush=True)
    moment = when()
    results["served"] = {**served.measure(settings, folder, fill), **moment}
    results["served"]["busy"]["after"] = machine.busy_share(2)


def measure_only_served(settings, results):
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
        folder = os.path.join(settings.folder, "ledger")
        measure_served(settings, results, folder, ads_bench(settings, "fill", folder, served.RESELLERS, cores="0,1"))


def measure(settings, results, asked):
    resellers = asked.resellers or (30 if asked.quick else 1_000)
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
        results.update(**when(), machine=machine.describe(settings.folder), disk=machine.time_fdatasync(settings.folder, 200))
        folder = os.path.join(settings.folder, "ledger")
        print(f"  ten years of {resellers:,} resellers", flush=True)
        results["fill"] = ads_bench(settings, "fill", folder, resellers, cores="0,1")
        books = exact.Books(os.path.join(folder, "clicks.csv"), os.path.join(folder, "rates.csv"))
        results["fill"]["days"] = books.reseller_days()
        print("  any range, in process", flush=True)
        measure_ranges(settings, results, folder, books)
        measure_served(settings, results, folder, results["fill"])
        print("  after a start", flush=True)
        measure_cold(settings, results, folder, books, resellers)
        results["busy"]["after"] = machine.busy_share(2)
    results["commands"] = settings.commands


def main():
    parser = argparse.ArgumentParser(prog="./bench ads", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="30 resellers, less time, to build/bench/")
    parser.add_argument("--resellers", type=int, help="how many there are [1000; with --quick 30]")
    parser.add_argument("--only", choices=("served",), help="measure this part only, and keep what else was measured before")
    parser.add_argument("--render", action="store_true", help="measure nothing: write the document again from what was measured")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.resellers is not None and not 2 <= asked.resellers <= 100_000:
        parser.error("--resellers is from 2 to 100000")
    name = "ads-quick" if asked.quick else "ads"
    folder = kept.FOLDER if asked.quick else os.path.join(TOP, "docs", "benchmarks")
    os.makedirs(kept.FOLDER, exist_ok=True)
    again = asked.render or asked.only
    results = kept.load(name) if again else {}
    if again and "backdated" not in results:
        raise RuntimeError(f"{kept.path_of(name)} has no whole run yet")
    if not asked.render:
        settings = Settings(asked.build, asked.quick)
        try:
            if asked.only:
                measure_only_served(settings, results)
            else:
                measure(settings, results, asked)
        finally:
            kept.save(name, results)
    print(f"wrote {kept.write(folder, 'ads.md', document.text(results))} and {kept.path_of(name)}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
