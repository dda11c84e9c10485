"""What a run of ./prove soak has to show: pure functions of what was measured, and what may grow for a reason, as data.

A series is a list of (second, value), in the order of time; seconds count from the start of the load."""

import dataclasses
import statistics

MIB = 1 << 20
FIFTHS = 5
SHARE = 0.05  # of its level, which a series may grow by in an hour; more in less time, see Plan
FEWEST = 25  # samples, below which nothing is said of growth
LEAST_RATE = 0.9  # of that of the second to fifth minute

# What growing is not, in the unit of each series: the last part of its name decides, and then the whole name.
FLOORS = {"bytes": 8 * MIB, "cells": 2000, "rows": 2000, "objects": 2000, "unstored": 2000, "resident_bytes": 16 * MIB, "threads": 4, "sockets": 8,
          "open_files": 16}


@dataclasses.dataclass(frozen=True)
class Grows:
    """A series that may grow, why, and up to which share of --memory; None: however far."""

    because: str
    most: float | None = None


MAY_GROW = {
    "directory_bytes": Grows("rows of new objects and new tokens stay, and so do the counts of events that went"),
    "open_files": Grows("a directory of more bytes has more files; the store keeps them open"),
    "footfall_store_pending_bytes": Grows("bulk rows gather until a generation is full, and a few of them may wait to be written", 0.2),
    "footfall_store_pending_rows": Grows("the same"),
    "footfall_store_disk_free_bytes": Grows("it is told of the whole disk, which others use, too"),
    "footfall_token_objects": Grows("objects stay in memory until their share is full, which footfall_token_bytes tells"),
    "footfall_token_cold_objects": Grows("the same"),
    "footfall_token_bytes": Grows("objects stay in memory until their share of it is full", 0.45),
    "footfall_view_objects": Grows("objects stay in memory until their share is full, which footfall_view_bytes tells"),
    "footfall_view_cells": Grows("the same"),
    "footfall_view_bytes": Grows("objects stay in memory until their share of it is full", 0.10),
    "footfall_memory_resident_bytes": Grows("resident_bytes is the same, and is judged"),
}

# The same in less than twenty minutes.
MAY_GROW_AT_FIRST = {
    "resident_bytes": Grows("caches and waiting rows fill their shares for the first ten minutes, which looks like a leak", 1.45),
}

# What waits, by a part of its name: gone within a minute after the load, or as low as before it. With what may be left for a reason.
WAITING = ("unsaved", "unstored", "pending", "queued", "waiting", "in_flight", "connections", "streams", "sockets")
MAY_WAIT = {
    "footfall_store_pending_bytes": Grows("bulk rows wait until a generation is full, however long that takes", 0.07),
    "footfall_store_pending_rows": Grows("the same"),
}


@dataclasses.dataclass(frozen=True)
class Plan:
    """How long a run is, and when what is judged. From twenty minutes on all is as promised; in less, all times are as much shorter,
    and growth may be as much larger: much of a short run is warm-up."""

    minutes: float
    memory_bytes: int = 1 << 30

    @property
    def seconds(self):
        return 60 * self.minutes

    @property
    def scale(self):
        return min(1.0, self.minutes / 20)

    @property
    def maximum_seconds(self):
        """For which the maximum is measured: ten minutes, of which the second half counts: memory is full by then, sketches have grown, as many
        events go as come, and files are merged. What the first minutes bear no server bears for an hour."""
        return max(10.0, 600 * self.scale)

    @property
    def settled(self):
        """From here on nothing may grow: the end of the tenth minute."""
        return 600 * self.scale

    @property
    def reference(self):
        """The second to fifth minute."""
        return 60 * self.scale, 300 * self.scale

    @property
    def rate_window(self):
        """Throughput is judged in stretches of this many seconds."""
        return max(10.0, 60 * self.scale)

    @property
    def growth_share(self):
        return SHARE / self.scale


@dataclasses.dataclass(frozen=True)
class Verdict:
    promise: str
    found: str
    kept: bool


def between(series, begin, end=float("inf")):
    return [(at, value) for at, value in series if begin <= at < end]


def _tenths(values):
    """The tenth percentile, the median, and the ninetieth."""
    cuts = statistics.quantiles(values, n=10, method="inclusive")
    return cuts[0], cuts[4], cuts[8]


def growth(series):
    """How much a series grows from its first fifth to its last, and the level and spread of the first: (grown, level, spread).

    The least of four answers, so that what only swings has not grown: the change of the tenth percentile, of the median, of the
    ninetieth, and of a straight line through all points (least squares). A leak raises all four; a saw-tooth whose teeth the fifths cut at
    different heights raises one or two."""
    start, end = series[0][0], series[-1][0]
    fifth = (end - start) / FIFTHS
    first = [value for at, value in series if at <= start + fifth]
    last = [value for at, value in series if at >= end - fifth]
    line = statistics.linear_regression([at for at, _ in series], [value for _, value in series])
    low, level, high = _tenths(first)
    changes = [after - before for before, after in zip((low, level, high), _tenths(last), strict=True)]
    return min([*changes, line.slope * (end - start - fifth)]), level, high - low


def floor_of(name):
    bare = name.partition("{")[0]
    return FLOORS.get(bare, FLOORS.get(bare.rpartition("_")[2], 0))


def judge_series(name, series, plan):
    """One gauge, resident memory, or whatever else was sampled."""
    bare = name.partition("{")[0]
    allowed = MAY_GROW.get(bare) or (MAY_GROW_AT_FIRST.get(bare) if plan.scale < 1 else None)
    if allowed:
        most, peak = allowed.most, max(value for _, value in series)
        bound = None if most is None else most * plan.memory_bytes
        limit = "" if bound is None else f", up to {shown(name, bound)}"
        return Verdict(f"{name} may grow{limit}: {allowed.because}", f"{shown(name, peak)} at most", bound is None or peak <= bound)
    settled = between(series, plan.settled)
    promise = f"{name} does not grow"
    if len(settled) < FEWEST:
        return Verdict(promise, f"only {len(settled)} samples after second {plan.settled:.0f}: too few to tell", False)
    grown, level, spread = growth(settled)
    room = max(floor_of(name), plan.growth_share * abs(level), spread / 2)
    return Verdict(promise, f"{shown(name, grown)} more than {shown(name, level)}; allowed {shown(name, room)}", grown <= room)


def judge_budget(resident, plan):
    """As ./prove scale has it: what --memory says, a quarter more for the heap's waste, and the program itself."""
    limit = 1.25 * plan.memory_bytes + 200 * MIB
    peak = max(value for _, value in resident)
    return Verdict(f"resident memory is at most {shown('bytes', limit)}", shown("bytes", peak), peak <= limit)


def judge_retention(expired, plan):
    """`expired`: how many events had gone, sampled. They go about once a minute."""
    sweeps = sum(after > before for (_, before), (_, after) in zip(expired, expired[1:]))
    gone = expired[-1][1] if expired else 0
    return Verdict("events that were kept for a minute go", f"{gone:,.0f}, seen to go in {sweeps} seconds", gone > 0 or plan.minutes < 3)


def judge_rate(rates, plan):
    """`rates`: events a second, sampled each second."""
    begin, end = plan.reference
    reference = [value for _, value in between(rates, begin, end)]
    if len(reference) < 5:
        return Verdict("throughput stays", "the run is too short to tell", False)
    usual, worst, at = statistics.fmean(reference), float("inf"), end
    # A last piece that is shorter than a window says nothing.
    while at + plan.rate_window <= plan.seconds:
        values = [value for _, value in between(rates, at, at + plan.rate_window)]
        worst = min(worst, statistics.fmean(values) if values else 0.0)
        at += plan.rate_window
    return Verdict(
        f"throughput stays above {100 * LEAST_RATE:.0f} % of that of seconds {begin:.0f} to {end:.0f}",
        f"{usual:,.0f} events/s then, {worst:,.0f} in the worst {plan.rate_window:.0f} s since ({100 * worst / usual:.1f} %)" if usual else "nothing came",
        usual > 0 and LEAST_RATE * usual <= worst < float("inf"))


def still_waiting(before, now, plan):
    """Which of what waits is not back to what it was before the load: {name: value}. Both arguments: {name: value}."""
    left = {}
    for name, value in now.items():
        bare = name.partition("{")[0]
        if not any(part in bare for part in WAITING):
            continue
        allowed = MAY_WAIT.get(bare)
        if allowed and (allowed.most is None or value <= allowed.most * plan.memory_bytes):
            continue
        if value > before.get(name, 0):
            left[name] = value
    return left


def shown(name, value):
    """A value with its unit."""
    return f"{value / MIB:,.1f} MiB" if "bytes" in name else f"{value:,.0f}"
