"""`./prove soak`: an hour is like its first minutes. A mixed load at 70 % of the maximum on a server with 1 GiB, every gauge sampled each
second; then all is quiet, counts are compared, and stored numbers are held to the log."""

import argparse
import http.client
import os
import shutil
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
import samples  # noqa: E402
import soak_report  # noqa: E402
from judgement import Plan, Verdict, judge_budget, judge_rate, judge_retention, judge_series, still_waiting  # noqa: E402
from load import Load  # noqa: E402
from programs import Settings, footfall  # noqa: E402

SHARE_OF_MAXIMUM = 0.7
KEEP_EVENTS = "1m"
QUIET_SECONDS = 60
STOP_SECONDS = 120
CONFIG = f'keep_events = "{KEEP_EVENTS}"\nrules = "{os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.toml")}"\n'


def serve(settings):
    return footfall(settings, "200ms", config=CONFIG)


def print_progress(taken):
    """One line of how it goes."""
    if len(taken) < 2:
        return
    last = taken[-10:]
    rate = samples.rates([last[0], last[-1]], samples.JUDGED, samples.DUPLICATES)[0][1]
    now = last[-1]
    print(f"    {now['at']:6.0f} s  {rate:9,.0f} events/s  {now['gauges']['resident_bytes'] / (1 << 20):6,.0f} MiB resident  "
          f"{now['gauges']['directory_bytes'] / (1 << 20):7,.0f} MiB on the disk", flush=True)


def wait_until_quiet(load, plan):
    """After the load. The verdict, and how it looked at the end."""
    begin, pause = time.monotonic(), threading.Event()
    while True:
        now = load.sampler.look()
        left = still_waiting(load.before["gauges"], now["gauges"], plan)
        seconds = time.monotonic() - begin
        if not left or seconds > QUIET_SECONDS:
            break
        pause.wait(0.5)
    told = ", ".join(f"{name} is {value:,.0f}" for name, value in left.items())
    return Verdict(f"what waits is gone within {QUIET_SECONDS} s after the load", told or f"after {seconds:.1f} s", not left), now


def stop_and_verify(settings, server, folder):
    """Ends the server and holds what it stored to its log; what verify prints goes into the folder, too."""
    ended = server.stop(STOP_SECONDS)
    yield Verdict("SIGTERM ends it with 0", f"exit status {ended}", ended == 0)
    begin = time.monotonic()
    words = [settings.footfall, "verify", "views", "--data", os.path.join(server.folder, "data")]
    settings.note(words)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    with open(os.path.join(folder, "verify.log"), "w", encoding="utf-8") as file:
        file.write(done.stdout + done.stderr)
    said = (done.stdout.strip() or done.stderr.strip()).split("\n")
    yield Verdict("footfall verify views prints no difference", f"{said[0] if done.returncode else said[-1]} ({time.monotonic() - begin:.0f} s)",
                  done.returncode == 0)


def measure_maximum(settings, plan):
    """Of the same mixture on a fresh directory, the events as fast as they are answered."""
    with serve(settings) as server:
        load = Load(settings, server, plan.maximum_seconds, plan.maximum_seconds / 2)
        try:
            load.start()
            load.wait(print_progress, plan.maximum_seconds / 2)
            load.end()
        finally:
            load.close()
        return load.maximum()


def put_load(settings, server, plan, rate, results):
    """Until it is over and all is quiet. Answers the load; what it showed goes into `results`."""
    load = Load(settings, server, plan.seconds, max(1.0, plan.rate_window / 6), rate)
    verdicts = results["verdicts"]
    try:
        load.start()
        load.wait(print_progress, plan.rate_window)
        load.end()
        verdicts += load.verdicts()
        quiet, results["quiet"] = wait_until_quiet(load, plan)
        verdicts.append(quiet)
    except (OSError, http.client.HTTPException) as failed:
        verdicts.append(Verdict("the server answers", f"{type(failed).__name__}: {failed}", False))
    finally:
        load.close()
        shutil.copyfile(os.path.join(server.folder, "log"), os.path.join(results["folder"], "server.log"))
        for bench in load.benches:
            bench.keep_log(results["folder"])
    if load.sampler.failure:
        verdicts.append(Verdict("the server can be watched", load.sampler.failure, False))
    results["latencies"] = {"questions": load.questions.latencies, **{bench.kind: bench.report().get("windows", []) for bench in load.benches}}
    return load


def soak(settings, plan, rate, results):
    """At so many events a second. Fills `results`."""
    verdicts = results["verdicts"] = []
    with serve(settings) as server:
        taken = put_load(settings, server, plan, rate, results).sampler.samples
        verdicts += stop_and_verify(settings, server, results["folder"])
    rates = samples.rates(taken, samples.JUDGED, samples.DUPLICATES)
    gauges, totals = samples.series(taken), samples.series(taken, "totals")
    verdicts += [judge_rate(rates, plan), judge_budget(gauges["resident_bytes"], plan),
                 judge_retention(totals.get("footfall_events_expired_total", []), plan)]
    verdicts += [judge_series(name, series, plan) for name, series in sorted(gauges.items())]
    results.update(rates=rates, gauges=gauges, totals=totals, used=samples.used(taken))


def run(asked, folder):
    settings = Settings(asked.build, quick=False)
    plan = Plan(asked.minutes)
    results = {"folder": folder, "commit": kept.commit(), "minutes": asked.minutes, "busy": {"before": machine.busy_share(2)}}
    with tempfile.TemporaryDirectory(prefix="run-", dir=folder) as settings.folder:
        results["machine"] = machine.describe(settings.folder)
        print(soak_report.introduction(results), flush=True)
        rate = asked.rate
        if rate is None:
            results["maximum"] = measure_maximum(settings, plan)
            rate = SHARE_OF_MAXIMUM * results["maximum"]["rate"]
            print(soak_report.maximum_text(results["maximum"], plan), flush=True)
        results["rate"] = rate
        print(f"==> {asked.minutes:g} minutes at {rate:,.0f} events/s", flush=True)
        soak(settings, plan, rate, results)
        results["busy"]["after"] = machine.busy_share(2)
    results["commands"] = settings.commands
    soak_report.write(folder, results, plan)
    print(soak_report.table(results), flush=True)
    return all(verdict.kept for verdict in results["verdicts"])


def main():
    parser = argparse.ArgumentParser(prog="./prove soak", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=60, help="how long the load lasts [60]")
    parser.add_argument("--rate", type=float, help="events a second, in place of 70 %% of the measured maximum")
    parser.add_argument("--folder", default=os.path.join(TOP, "build", "prove", "soak"), help="for results and plots [build/prove/soak]")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.minutes < 1 or (asked.rate is not None and asked.rate <= 0):
        parser.error("MINUTES are at least 1, for less shows nothing, and --rate is above 0")
    os.makedirs(asked.folder, exist_ok=True)
    return 0 if run(asked, asked.folder) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the server must not be left behind
    try:
        sys.exit(main())
    except (RuntimeError, KeyboardInterrupt) as failed:
        sys.exit(f"./prove soak: {failed or 'interrupted'}")
