"""docs/benchmarks/tokens-cassandra.md from the results: every figure is filled in, every verdict follows from a figure."""

import report
from sides import LIMIT, NAMES, TTL_DAYS

SIDES = ("ours", "table", "embedded")


def limit_of(shown, cores):
    """Whose the limit was: all processes share the machine, so it is full or it is not."""
    busy = {"the client": shown["client_busy"], "the service": shown["server_busy"], "Cassandra": shown["cassandra_busy"]}
    name = max(busy, key=busy.get)
    return f"all cores, {name} most" if sum(busy.values()) >= 0.9 * cores else "what is in flight"


def sides_table(part, cores):
    rows = []
    for side in SIDES:
        shown = part["median"][side]
        rows.append((NAMES[side], report.number(shown["rate"]), f"{shown['p50_ms']:.2f} / {shown['p99_ms']:.2f}", f"{shown['server_us']:.1f}",
                     f"{shown['cassandra_us']:.1f}" if side != "embedded" else "", f"{shown['client_us']:.1f}",
                     f"{shown['loads']:.2f}" if shown["loads"] is not None else "", limit_of(shown, cores)))
    return report.table(("", "PUT/s", "p50 / p99, ms", "CPU a PUT, us: the service", "Cassandra", "the client", "loads a PUT", "the limit"), rows)


def ratios(results):
    rows = []
    for part in results["parts"]:
        peer = part["median"]["table"]["rate"]
        for side, target in (("ours", None), ("embedded", 20)):
            ratio = part["median"][side]["rate"] / peer
            rows.append((part["name"], NAMES[side], f"{ratio:.1f}", f">= {target} x" if target else "",
                         report.verdict(ratio >= target) if target else ""))
    return report.table(("objects", "", "PUT/s : the original design", "target", ""), rows)


def driver_table(rows):
    return report.table(("statement", "in flight", "CPU a statement, us", "statements/s"),
                        [(row["what"], row["in_flight"], f"{row['cpu_us']:.1f}", f"{row['rate']:,.0f}") for row in rows])


def document(results):
    found = results["machine"]
    parts = "\n\n".join(f"**{part['name'].capitalize()}**: {part['how']}.\n\n{sides_table(part, found['cores'])}" for part in results["parts"])
    commands = "\n".join(f"    {command}" for command in results["commands"])
    return f"""# Tokens on Cassandra

<!-- Written by ./bench tokens-cassandra. To change the words, change benchmarks/tokens_cassandra/document.py. -->

    ./bench tokens-cassandra              this document
    ./bench tokens-cassandra --quick      the same machinery, small, to build/bench/
    ./bench tokens-cassandra --nodes 4    on three copies, and a second datacenter of one node

Run {results["date"]} at {results["commit"]}: {found["processor"]}, {found["cores"]} cores, {found["memory_gib"]} GiB, kernel
{found["kernel"]}; {results["nodes"]} node(s) of Cassandra 5.0. {report.quietness(results["busy"])}

## How it is measured

- The original design (`benchmarks/table_peer.cpp`): a table (object, token) with a time to live of {TTL_DAYS} days and levelled compaction; a PUT is an
  INSERT, then a SELECT COUNT(*) with LIMIT {LIMIT:,}, both at LOCAL_ONE, as it was. It has our HTTP server and our driver, prepared
  statements and token awareness, so that the design is what differs. Ours writes at LOCAL_QUORUM, and a counter has the same ttl and limit.
- One client for all, `footfall bench counter`: PUTs only, random 64-bit tokens, objects from a Gaussian, closed loop, {results["connections"]} connections.
  In turn, {results["rounds"]} round(s) of {results["seconds"]} s; medians. A round begins with a service that has nothing in memory.
- Answers first: {results["filled"]:,} equal PUTs went into each side, and {results["compared"]:,} objects have the same count on all. Where it is warmed up,
  each side had to count what was acknowledged, to the token.
- All processes share all cores, the node included, so CPU an operation is the figure to go by. What each can do alone is more.
- The embedded store (`--sync 200ms`) stands beside it because the target names it; Cassandra here syncs its log every second.

## PUT

{parts}

{ratios(results)}

## What a statement costs in the driver

One prepared statement of one row through `drivers/cql` and the thread that takes its answers, nothing else in the process
(`benchmarks/driver_bench.cpp`), user and system time.

{driver_table(results["driver"])}

## Commands

{commands}
"""
