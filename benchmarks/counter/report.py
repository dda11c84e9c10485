"""docs/benchmarks.md from the results: every figure is filled in, every verdict follows from a figure."""

GENERATED = "<!-- Written by ./bench counter. To change the words, change benchmarks/counter/report.py. -->"

QUIET_SHARE = 0.1  # others may use so much of the machine before the figures are doubtful


def quietness(busy):
    most = max(busy.values())
    said = f"Other work used {100 * busy['before']:.0f} % of the machine before the run and {100 * busy['after']:.0f} % after it."
    return said if most <= QUIET_SHARE else f"**{said} Rates and latencies of such a run say little, CPU a request is too high.**"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"


def verdict(met):
    return "met" if met else "**not met**"


def goals_table(results):
    rows = []
    for each in results["comparisons"]:
        for goal in each["goals"]:
            sign = "≥" if goal["sense"] == "at least" else "≤"
            peer = number(goal["peer"]) if goal["peer"] is not None else ""
            ratio = f"{goal['ratio']:.2f}" if goal["ratio"] is not None else ""
            target = f"{sign} {goal['target']:,}" + (" x" if ratio else "")
            rows.append((each["target"], each["title"], goal["what"], number(goal["ours"]), peer, ratio, target, verdict(goal["met"])))
    for goal in results["memory_goals"]:
        rows.append((12, goal["title"], "bytes a token", number(goal["ours"]), number(goal["peer"]), f"{goal['ratio']:.2f}",
                     f"≤ {goal['target']} x", verdict(goal["met"])))
    stored = results["rows"]
    for name, title in (("us_a_row", "Storing a token row"), ("us_a_row_settled", "the same, compacted")):
        ratio = stored["ratio"][name]
        rows.append((18, title, "CPU a row, µs", number(stored["median"]["footfall"][name]), number(stored["median"]["rocksdb"][name]),
                     f"{ratio:.2f}", "≤ 0.15 x" if name == "us_a_row" else "", verdict(ratio <= 0.15) if name == "us_a_row" else ""))
    return table(("#", "what", "measure", "ours", "peer", "ratio", "target", ""), rows)


def limits(shown):
    """Who was the limit; wrk says nothing of itself, so a server below its core was waiting for it."""
    if shown["limited_by"] != "unknown":
        return shown["limited_by"]
    return "server" if shown["server_busy"] >= 0.9 else "client"


def comparison(each):
    rows = []
    for name, shown in each["median"].items():
        latency = f"{shown['p50_ms']:.2f} / {shown['p99_ms']:.2f}" if "p50_ms" in shown else ""
        rows.append((name, number(shown["rate"]), f"{shown['server_us']:.2f}", f"{100 * shown['server_busy']:.0f} %", latency, limits(shown)))
    if "redis_benchmark" in each:
        check = each["redis_benchmark"]
        rows.append(("redis, by redis-benchmark", number(check["rate"]), f"{check['server_us']:.2f}", "", "", ""))
    return f"**{each['target']}. {each['title']}**: {each['how']}.\n\n" + table(
        ("", "requests/s", "CPU a request, µs", "server's core", "p50 / p99, ms", "the limit"), rows)


def capacity(results):
    rows = []
    for cell in results["capacity"]:
        best = cell["best"]
        rows.append((f"{cell['objects']:,}", cell["sync"], number(best["asked"]) if best else "none of those tried",
                     f"{best['p50_ms']:.2f} / {best['p99_ms']:.2f}" if best else "", f"{best['server_us']:.2f}" if best else "",
                     best["limited_by"] if best else "", number(cell["closed"]["rate"]), f"{cell['resident_mib']:,.0f}"))
    return table(("objects", "sync", "requests/s with p99 < 10 ms", "p50 / p99, ms", "CPU a request, µs", "the limit",
                  "closed loop", "resident, MiB"), rows)


def growth(points, what):
    rows = [(f"{each['x']:,}", number(each["rate"]), f"{each['server_us']:.2f}", f"{each['p50_ms']:.2f} / {each['p99_ms']:.2f}",
             f"{each['resident_mib']:,.0f}", each["limited_by"]) for each in points]
    return table((what, "requests/s", "CPU a PUT, µs", "p50 / p99, ms", "resident, MiB", "the limit"), rows)


def stored_rows(rows):
    return table(("", "CPU a row, µs", "compacted", "wall, s"), [
        (name, f"{shown['us_a_row']:.3f}", f"{shown['us_a_row_settled']:.3f}", f"{shown['seconds']:.1f}")
        for name, shown in rows["median"].items()])


def losses(results):
    lost = []
    for each in results["comparisons"]:
        for goal in each["goals"]:
            if not goal["met"]:
                against = f"{goal['ratio']:.2f} x the peer" if goal["ratio"] is not None else number(goal["ours"])
                lost.append(f"- {each['title']}: {goal['what']} is {against}; the target is {goal['sense']} {goal['target']:,}.")
    for goal in results["memory_goals"]:
        if not goal["met"]:
            lost.append(f"- {goal['title']}: {goal['ratio']:.2f} x the bytes; the target is at most {goal['target']}.")
    if results["rows"]["ratio"]["us_a_row"] > 0.15:
        lost.append(f"- Storing a row takes {results['rows']['ratio']['us_a_row']:.2f} x the CPU of plain RocksDB; the target is at most 0.15.")
    for cell in results["capacity"]:
        if not cell["best"]:
            lost.append(f"- {cell['objects']:,} objects, --sync {cell['sync']}: no rate that was tried kept p99 below 10 ms.")
    return "\n".join(lost) if lost else "Nowhere in this run."


def document(results):
    machine, disk, settings = results["machine"], results["disk"], results["settings"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    growing = results["growth"]
    comparisons = "\n\n".join(comparison(each) for each in results["comparisons"])
    commands = "\n".join(results["commands"])
    return f"""# Benchmarks

{GENERATED}

    ./bench counter            this document, about {results['minutes']:.0f} minutes
    ./bench counter --quick    the same machinery in three minutes, written to build/bench/

Run {results['date']} at {results['commit']}: {machine['processor']}, {machine['cores']} cores, {machine['memory_gib']} GiB, kernel
{machine['kernel']}, {machine['file_system']}. {versions}.

{quietness(results['busy'])}

The disk itself, measured before and after: 4 KiB appended and synced takes {disk['before']['p50_us']:.0f} µs (p50) and
{disk['before']['p99_us']:.0f} µs (p99), then {disk['after']['p50_us']:.0f} and {disk['after']['p99_us']:.0f}. No durable write of one
client can be faster; on a disk that takes ten times as long, durable rates need ten times the connections.

## How it is measured

- One server thread on core {settings['server_cores']}, one client on core {settings['client_cores']}, loopback. {settings['rounds']} rounds, interleaved
  (ours, peer, ours, peer, ...), of {settings['seconds']} s after {settings['warm_up']} s of warm-up; medians. A fresh server and an empty
  directory each round.
- The same client for both sides: `footfall bench counter` speaks HTTP and Redis' protocol, with the same tokens on the same
  objects (random 64-bit tokens; objects from a Gaussian). `redis-benchmark` ran too, to show that it does not hold Redis back.
- Answers first: {results['same_counts']['operations']:,} equal operations went into both, and {results['same_counts']['objects']} objects had the same count
  here and by SCARD. After every PUT run a sample of objects had to count exactly what was acknowledged.
- CPU is user and system time of the whole server process by /proc/PID/stat, over the measured time. It is the figure to go
  by: rates swing on a shared machine, and where "the limit" is the client, the server could do more.
- Closed loop unless said otherwise: its latencies are service times. Open loops count from when a request was due.
- "The limit" is whose core was at least 90 % busy. Neither: what was in flight, the disk, the rate asked for, or other work
  on the machine.
- An SADD answers whether the member is new, a PUT how many there are. Redis' log is never rewritten here, which spares it work;
  our compactions are in our figures.

## Targets

{goals_table(results)}

## Where we lose

{losses(results)}

## Beside others

![CPU a request beside Redis](benchmarks/redis.svg)

![CPU of an HTTP GET beside H2O and Beast](benchmarks/http.svg)

{comparisons}

## What one core bears

Open loop (Poisson), 256 connections, the highest rate found by halving at which p99 stays below 10 ms, nothing fails and
everything due is sent.

![PUTs a second with p99 below 10 ms](benchmarks/capacity.svg)

{capacity(results)}

The counters that this program replaces were tested with the same load: two nodes of 16 cores and 64 GB with an HTTP server of
32 cores bore 700 requests a second at first and 2,500 in the end.

## Growth

--sync 200ms, closed loop, 64 connections. With objects: a fresh server, so with many objects nearly every PUT is the first of
its object.

![Cost against objects](benchmarks/growth-objects.svg)

{growth(growing['objects'], "objects")}

With tokens: the objects hold that many each before, put there by batches.

![Cost against tokens per object](benchmarks/growth-tokens.svg)

{growth(growing['tokens'], "tokens an object")}

With threads: client and server share the {machine['cores']} cores, so compare the CPU.

{growth(growing['threads'], "server threads")}

## Memory of a token

The set of one object, from 100 tokens on, ten sizes for each power of ten, since both sides grow by steps. Redis: growth of
`used_memory` a member. Redis keeps a sorted set of up to 128 members in one packed block.

![Bytes a token](benchmarks/memory.svg)

## Storing a row

{results['rows']['rows']:,} random token rows, durable every 1,000, all threads counted; the peer is RocksDB with default options
and the same bytes as ordinary puts. A sample of rows was read back and compared. What either side still holds in memory at
the end, beside its log, is not in the first figure; "compacted" writes that too, and then rewrites all files of both.

{stored_rows(results["rows"])}

## Commands

Without ports, seeds, sizes and durations.

```
{commands}
```
"""
