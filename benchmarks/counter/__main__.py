"""`./bench counter`: measures, keeps everything as JSON, writes docs/benchmarks.md and its plots."""

import argparse
import datetime
import os
import shutil
import sys
import tempfile
import time

import capacity
import comparisons
import kept
import machine
import modules
import plots
import report
from programs import Settings

PARTS = ("comparisons", "capacity", "growth", "memory", "rows")


def memory_goals(rows):
    """Over all sizes, so that no lucky one decides."""
    def mean(name):
        return sum(row[name] for row in rows) / len(rows)

    goals = []
    for title, ours, peer, target in (("A token in memory : Redis set", "ours", "redis_set", 0.4),
                                      ("The same with expiry : sorted set", "ours_expiring", "redis_zset", 0.2)):
        ratio = mean(ours) / mean(peer)
        goals.append({"title": title, "ours": mean(ours), "peer": mean(peer), "ratio": ratio, "target": target, "met": ratio <= target})
    return goals


def part(name, results, measure):
    print(f"==> {name}", flush=True)
    results[name] = measure()


def measure_all(settings, wanted, results):
    disk_rounds = 200 if settings.quick else 2000
    started = time.monotonic()
    results.update(machine=machine.describe(settings.folder), date=datetime.date.today().isoformat(), commit=kept.commit(),
                   settings={name: getattr(settings, name) for name in ("rounds", "seconds", "warm_up", "server_cores", "client_cores")})
    busy = {"before": machine.busy_share(2)}
    disk = {"before": machine.time_fdatasync(settings.folder, disk_rounds)}
    found = results["machine"]
    print(f"{found['processor']}, {found['cores']} cores, {found['memory_gib']} GiB, kernel {found['kernel']}; fdatasync of 4 KiB: "
          f"{disk['before']['p50_us']:.0f} us (p50), {disk['before']['p99_us']:.0f} us (p99)", flush=True)
    if busy["before"] > report.QUIET_SHARE:
        print(f"!!! {100 * busy['before']:.0f} % of this machine is in use by others: the figures will say little", flush=True)
    if "comparisons" in wanted:
        part("same_counts", results, lambda: comparisons.same_counts(settings))
        part("comparisons", results, lambda: list(comparisons.all_comparisons(settings)))
    for name, measure in (("capacity", capacity.capacity), ("growth", capacity.growth), ("memory", modules.memory), ("rows", modules.rows)):
        if name in wanted:
            part(name, results, lambda measure=measure: measure(settings))
    if "memory" in wanted:
        results["memory_goals"] = memory_goals(results["memory"])
    busy["after"] = machine.busy_share(2)
    disk["after"] = machine.time_fdatasync(settings.folder, disk_rounds)
    results.update(disk=disk, busy=busy, minutes=(time.monotonic() - started) / 60, commands=settings.commands)


def write_document(results, folder):
    plots.all_plots(os.path.join(folder, "benchmarks"), results)
    return kept.write(folder, "benchmarks.md", report.document(results))


def main():
    parser = argparse.ArgumentParser(prog="./bench counter", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every part small, for trying: about three minutes, written to build/bench/")
    parser.add_argument("--only", choices=PARTS, action="append", help="measure this part only, and keep what else was measured before")
    parser.add_argument("--render", action="store_true", help="measure nothing: write the document again from what was measured")
    parser.add_argument("--build", default=os.path.join(kept.TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    settings = Settings(asked.build, asked.quick)
    name = "counter-quick" if asked.quick else "counter"
    results = kept.load(name) if asked.only or asked.render else {}
    if not asked.render:
        os.makedirs(kept.FOLDER, exist_ok=True)
        settings.folder = tempfile.mkdtemp(prefix="run-", dir=kept.FOLDER)
        try:
            measure_all(settings, asked.only or PARTS, results)
        finally:
            shutil.rmtree(settings.folder, ignore_errors=True)
            kept.save(name, results)
    missing = [name for name in PARTS if name not in results]
    if missing:
        print(f"{kept.path_of(name)} has no {', '.join(missing)} yet, so no document is written")
        return
    folder = kept.FOLDER if asked.quick else os.path.join(kept.TOP, "docs")
    print(f"wrote {write_document(results, folder)} and {kept.path_of(name)}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
