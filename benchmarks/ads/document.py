"""docs/benchmarks/ads.md from the results: every figure is filled in, every verdict follows from a figure."""

import report

NAMES = {"duckdb": "DuckDB", "clickhouse": "ClickHouse (chdb)"}
KINDS = {"earned": "roll-up by reseller and day, shares applied when it was made", "joined": "roll-up by reseller and day, rates joined when asked",
         "one": "the first, of this one reseller alone"}
DAYS = 3652


def within(value, most, unit, digits=2):
    return f"{value:,.{digits}f} {unit}", f"≤ {most:g} {unit}", report.verdict(value <= most)


def at_least(value, least, unit):
    return f"{value:,.0f} {unit}", f"≥ {least:,} {unit}", report.verdict(value >= least)


def fastest(results):
    """Of all peers and their roll-ups over the whole table, in nanoseconds."""
    return min(each[kind]["p50_ns"] for each in results["ranges"]["peers"].values() for kind in ("earned", "joined"))


def bytes_a_day(memory):
    return memory["bytes"] / memory["days"]


def targets(results):
    ranges, cold, loads, fill = results["ranges"], results["cold"], results["served"]["loads"], results["fill"]
    half, ratio = loads["income_half"], loads["income"]["server_us"] / loads["counter"]["server_us"]
    rows = [
        ("any range of ten years, 50 rates, in process, p50", *within(ranges["p50_ns"] / 1e3, 0.8, "µs")),
        ("the fastest peer, on its roll-up of all resellers, takes so many times that", *at_least(fastest(results) / ranges["p50_ns"], 1000, "x")),
        ("over HTTP at half the maximum rate, p50", *within(half["p50_ms"], 0.25, "ms", 3)),
        ("the same, p99", *within(half["p99_ms"], 2, "ms", 3)),
        ("the server's CPU an answer beside that of a counter's GET, both as fast as they go", *within(ratio, 1.2, "x")),
        ("after a start, a year of a reseller, p50", *within(cold["years"]["p50_ns"] / 1e6, 2, "ms")),
        ("the same, p99", *within(cold["years"]["p99_ns"] / 1e6, 20, "ms")),
        ("after a start, ten years of a reseller of all lanes", *within(cold["all_lanes_ns"] / 1e6, 50, "ms", 1)),
        ("bytes in memory a reseller-day, few lanes", *within(bytes_a_day(cold["memory"]), 12, "bytes", 1)),
        ("the same of the reseller of all lanes", *within(bytes_a_day(ranges["memory"]), 12, "bytes", 1)),
        ("bytes on disk a click, beside DuckDB's table of them", f"{fill['bytes']['ad_click'] / fill['clicks']:.1f}",
         f"DuckDB {ranges['peers']['duckdb']['bytes']['clicks'] / fill['clicks']:.1f}", ""),
    ]
    return report.table(("what", "measured", "target", ""), rows)


def peers_table(results):
    ours = results["ranges"]["p50_ns"]
    rows = [("Footfall", "a call of `income_from_page`, no rows asked for", f"{ours / 1e3:.2f}", f"{results['ranges']['p99_ns'] / 1e3:.2f}", "")]
    for name, each in results["ranges"]["peers"].items():
        rows += [(f"{NAMES[name]} {each['version']}", KINDS[kind], f"{each[kind]['p50_ns'] / 1e3:,.0f}", f"{each[kind]['p99_ns'] / 1e3:,.0f}",
                  f"{each[kind]['p50_ns'] / ours:,.0f}") for kind in KINDS if kind in each]
    return report.table(("side", "of what", "p50, µs", "p99, µs", "p50 by ours"), rows)


def loads_table(results):
    titles = {"income": "income, as fast as it goes", "income_half": "income, half of that rate", "counter": "a counter's GET, as fast as it goes",
              "counter_half": "a counter's GET, half of that rate"}
    rows = []
    for name, title in titles.items():
        each = results["served"]["loads"][name]
        rows.append((title, f"{each['rate']:,.0f}", f"{each['server_us']:.2f}", f"{100 * each['server_busy']:.0f} %", f"{each['p50_ms']:.3f}",
                     f"{each['p99_ms']:.3f}", each["limited_by"]))
    return report.table(("GETs", "a second", "server CPU each, µs", "of its core", "p50, ms", "p99, ms", "limit"), rows)


def disk_table(results):
    fill, theirs = results["fill"], results["ranges"]["peers"]["duckdb"]["bytes"]
    of_days = sum(fill["bytes"].get(name, 0) for name in ("amount_by_day", "amount_by_month"))
    of_ads = sum(fill["bytes"].get(name, 0) for name in ("amount_by_ad", "clicks_per_ad"))
    rows = [
        ("clicks", f"{fill['clicks']:,}", "`ad_click`", f"{fill['bytes']['ad_click'] / fill['clicks']:.1f}", f"{theirs['clicks'] / fill['clicks']:.1f}"),
        ("reseller-days", f"{fill['days']:,}", "`amount_by_day`, `amount_by_month`", f"{of_days / fill['days']:.1f}", f"{theirs['days'] / fill['days']:.1f}"),
        ("reseller-days", f"{fill['days']:,}", "`amount_by_ad`, `clicks_per_ad`", f"{of_ads / fill['days']:.1f}", ""),
    ]
    return report.table(("of", "how many", "our tables", "bytes each", "DuckDB, bytes each"), rows)


def where_we_lose(results):
    ratio = results["fill"]["bytes"]["ad_click"] / results["ranges"]["peers"]["duckdb"]["bytes"]["clicks"]
    return f"**Here we lose**: a click takes {ratio:.1f} times what it takes in DuckDB's columns. " if ratio > 1 else ""


def text(results):
    found, fill, ranges, served = results["machine"], results["fill"], results["ranges"], results["served"]
    cold, backdated = results["cold"], results["backdated"]
    commands = "\n".join(f"    {command}" for command in results["commands"])
    return f"""# Clicks and income

<!-- Written by ./bench ads. To change the words, change benchmarks/ads/document.py. -->

    ./bench ads                 this document, in ten minutes
    ./bench ads --only served   the part over HTTP again, the rest as it was
    ./bench ads --quick         fewer resellers, in a minute, to build/bench/

Run {results["date"]} at {results["commit"]}: {found["processor"]}, {found["cores"]} cores, {found["memory_gib"]} GiB, kernel
{found["kernel"]}; fdatasync of 4 KiB {results["disk"]["p50_us"]:.0f} us. {report.quietness(results["busy"])}

The ledger: {fill["clicks"]:,} clicks, sales and refunds of {fill["resellers"]:,} resellers on {DAYS:,} days, {fill["days"]:,} reseller-days, ending yesterday. The first
reseller has eight a day on a thousand ads, so all 64 lanes count for it, and 50 rates; each other one has one or two a day on four ads and five
rates. Rates were recorded on the day from which they hold; no month is sealed.

## Targets

{targets(results)}

## Any range of ten years

{ranges["compared"]:,} random ranges of the first reseller, in process, by the call that the route makes when the page is in memory: {ranges["calls"]:,} calls, each timed
by itself; the {ranges["clock_ns"]} ns that looking at the clock takes are in the figures. The peers have two threads and the same resellers, days and rates: sums are
integers, exact in 10^-12 of a unit. Before any figure is written, the income of every range is the same on all sides, rounded half to even,
and that of a sum over the clicks in numbers of any size.

{peers_table(results)}

A rate of the past changes the first kind of roll-up for all its days; the second kind needs no change, as ours.

## Over HTTP

A server on one core imported the clicks and rates of {served["resellers"]} of these resellers ({served["clicks"]:,} clicks); the client has the other core, {served["connections"]} connections.
`GET /api/v1/resellers/ID/income?from=..&to=..&currency=USD&group_by=none` of random ranges; {served["compared"]} of the answers were held to the sum over the
clicks, before and after. A counter's GET is measured on the same server, in turns. In the open loop a latency counts from when the request was due.

{served["date"]} at {served["commit"]}. {report.quietness(served["busy"])}

{loads_table(results)}

After that a rate of five years ago was put: the next answer had it.

## After a start

Each a new process, on files that are not in the memory of the operating system. Opening the store takes {cold["opened_ns"] / 1e6:.0f} ms. Then a random year of each
of {cold["years"]["count"]:,} resellers, none of which was asked for before: {cold["years"]["p50_ns"] / 1e6:.2f} ms (p50), {cold["years"]["p99_ns"] / 1e6:.2f} ms (p99), {cold["years"]["max_ns"] / 1e6:.2f} ms at most; the page of all ten years is made
for it. Of the reseller of all lanes, ten years: {cold["all_lanes_ns"] / 1e6:.1f} ms.

A rate of five years ago was recorded for that one, durable in {backdated["recorded_ns"] / 1e6:.1f} ms: the very next answer had it, after {backdated["next_ns"] / 1e6:.1f} ms. {backdated["ranges"]["count"]:,} random ranges
thereafter: {backdated["ranges"]["p50_ns"] / 1e3:,.1f} µs (p50), {backdated["ranges"]["p99_ns"] / 1e6:,.2f} ms (p99): an answer tells of the change, and a range that has only some of the days that it moved is
answered from rows. All answers of this section were held to the sum over the clicks.

## Bytes

In memory, as accounted for eviction: {bytes_a_day(cold["memory"]):.1f} a reseller-day of {cold["memory"]["pages"]:,} resellers of few lanes, {bytes_a_day(ranges["memory"]):.1f} of the one of all lanes. The page itself
is {cold["memory"]["page"] / DAYS:.1f} and {ranges["memory"]["page"] / DAYS:.1f} of that; the rest is what is noted, by lane and month, of the rows that it was made from.

On disk, all files compacted:

{disk_table(results)}

{where_we_lose(results)}DuckDB's tables are made of the same rows, sorted by reseller and time, in files of their own. Its days have clicks and amount; ours also quarter-hours for other time zones,
a row for each lane, when they arrived and what was refused.

## Commands

{commands}
"""
