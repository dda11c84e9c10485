"""What ./prove soak leaves behind: a table, soak.json, and tables for plot.gp."""

import json
import os
import subprocess

MIB = 1 << 20
WIDEST = 110  # of what was found, in the table


def introduction(results):
    found = results["machine"]
    quiet = f"other work uses {100 * results['busy']['before']:.0f} % of the machine"
    cores = "server and clients share it" if found["cores"] == 1 else "the server has the first, the clients the second"
    return f"==> {found['processor']}, {found['cores']} cores ({cores}), kernel {found['kernel']}, {results['commit']}; {quiet}"


def maximum_text(maximum, plan):
    return (f"==> the maximum: {maximum['rate']:,.0f} events/s in the second half of {plan.maximum_seconds:.0f} s as fast as they were answered "
            f"({maximum['first_half']:,.0f} in the first; limit: {maximum['limited_by']}); 70 % of it are offered, by a schedule")


def used_text(used):
    return (f"{used['events']:,.0f} events in {used['seconds']:.0f} s, {used['cpu_us']:.2f} us of CPU, {used['view_rows']:.2f} rows of views and "
            f"{used['bulk_rows']:.2f} bulk rows written an event; the hypervisor took {100 * used['stolen']:.0f} % of a core")


def table(results):
    """A line for each promise; broken ones last, where they are seen."""
    ordered = sorted(results["verdicts"], key=lambda verdict: not verdict.kept)
    lines = [f"{'kept' if verdict.kept else 'BROKEN':<7} {verdict.promise}: {verdict.found[:WIDEST if verdict.kept else None]}" for verdict in ordered]
    broken = sum(not verdict.kept for verdict in ordered)
    return "\n".join([used_text(results["used"]), *lines, f"{len(ordered) - broken} promises kept, {broken} broken; {results['folder']}/soak.json"])


def bare(name):
    """Of a gauge, as the head of a column."""
    return name.removeprefix("footfall_").replace('"', "'")


def write_gauges(path, gauges):
    """One block a gauge: second, and percent of the most it ever was."""
    with open(path, "w", encoding="utf-8") as file:
        for name, series in sorted(gauges.items()):
            most = max(abs(value) for _, value in series) or 1.0
            file.write(f'"{bare(name)}"\n')
            file.writelines(f"{at:.1f}\t{100 * value / most:.3f}\n" for at, value in series)
            file.write("\n\n")


def write_latencies(path, latencies):
    """Three blocks: batches of events, PUTs, questions: second, p50, p99, most, in milliseconds."""
    with open(path, "w", encoding="utf-8") as file:
        for kind in ("events", "counter"):
            file.write(f"# {kind}\n")
            for window in latencies[kind]:
                told = window["latency_us"]
                at = window["start"] + window["seconds"] / 2
                file.write(f"{at:.1f}\t{told['p50'] / 1e3:.3f}\t{told['p99'] / 1e3:.3f}\t{told['max'] / 1e3:.3f}\n")
            file.write("\n\n")
        file.write("# questions\n")
        questions = latencies["questions"]
        for begin in range(0, len(questions), 100):
            some = sorted(took for _, took in questions[begin:begin + 100])
            at = questions[begin][0]
            file.write(f"{at:.1f}\t{some[len(some) // 2]:.3f}\t{some[int(0.99 * len(some))]:.3f}\t{some[-1]:.3f}\n")


def write(folder, results, plan):
    told = {**results, "verdicts": [vars(verdict) for verdict in results["verdicts"]]}
    with open(os.path.join(folder, "soak.json"), "w", encoding="utf-8") as file:
        json.dump(told, file)
    with open(os.path.join(folder, "rate.tsv"), "w", encoding="utf-8") as file:
        file.writelines(f"{at:.1f}\t{rate:.0f}\n" for at, rate in results["rates"])
    gauges = results["gauges"]
    with open(os.path.join(folder, "memory.tsv"), "w", encoding="utf-8") as file:
        columns = [dict(gauges[name]) for name in ("resident_bytes", "directory_bytes")]
        file.writelines(f"{at:.1f}\t{columns[0][at] / MIB:.1f}\t{columns[1][at] / MIB:.1f}\n" for at in columns[0])
    write_gauges(os.path.join(folder, "gauges.tsv"), gauges)
    write_latencies(os.path.join(folder, "latency.tsv"), results["latencies"])
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plot.gp")
    settled = f"settled={plan.settled}; offered={results['rate']}; gauges={len(gauges)}"
    drawn = subprocess.run(["gnuplot", "-e", f"folder='{folder}'; {settled}", script], capture_output=True, text=True, check=False)
    if drawn.returncode != 0:
        print(f"!!! no plots: gnuplot: {drawn.stderr.strip()}")
