"""Whether a server is as one that was just started, once the attacks are over: pure functions of what both say of themselves."""

from judgement import MIB, Verdict, floor_of, shown

MEMORY_BYTES = 64 * MIB
# What is kept to be faster: it may stay, up to this share of --memory.
KEPT = {
    "footfall_token_bytes": 0.45,
    "footfall_view_bytes": 0.45,
    "footfall_store_pending_bytes": 0.2,
}
# Said of what is kept, or of the machine: no promise by themselves.
FREE = ("footfall_token_objects", "footfall_token_cold_objects", "footfall_view_objects", "footfall_view_cells", "footfall_store_pending_rows",
        "footfall_store_disk_free_bytes", "footfall_memory_resident_bytes", "directory_bytes", "open_files", "resident_bytes")
# Times and versions of the process: larger or smaller without meaning.
CLOCKS = ("_seconds", "_info", "_timestamp")
SHARE = 0.1


def budget(memory_bytes):
    """What a server may be resident with at any moment, whatever is sent."""
    return 1.5 * memory_bytes + 50 * MIB


def is_judged(name):
    bare = name.partition("{")[0]
    return bare not in FREE and not any(bare.endswith(end) for end in CLOCKS)


def still_raised(now, fresh, memory_bytes=MEMORY_BYTES):
    """Which gauges are above those of a fresh process, and by more than noise: {name: (now, allowed)}. Both arguments: {name: value}."""
    raised = {}
    for name, value in now.items():
        if not is_judged(name):
            continue
        was = fresh.get(name, 0.0)
        allowed = max(was * (1 + SHARE), was + floor_of(name))
        share = KEPT.get(name.partition("{")[0])
        if share is not None:
            allowed = max(allowed, share * memory_bytes)
        if value > allowed:
            raised[name] = (value, allowed)
    return raised


def kept_bytes(gauges):
    return sum(value for name, value in gauges.items() if name.partition("{")[0] in KEPT)


def judge_gauges(samples, fresh, memory_bytes=MEMORY_BYTES):
    """`samples`: gauges of each second after the attacks, for a minute. Each gauge has to be back once at least."""
    best = None
    for sample in samples:
        raised = still_raised(sample, fresh, memory_bytes)
        best = raised if best is None else {name: said for name, said in best.items() if name in raised}
    told = ", ".join(f"{name} {shown(name, value)}, allowed {shown(name, allowed)}" for name, (value, allowed) in (best or {}).items())
    return Verdict("gauges are back to those of a fresh process within a minute", told or f"all of {len(fresh)}", best is not None and not best)


def judge_resident(samples, fresh):
    """The same of resident memory: it may be larger by what is kept to be faster, and by what the heap keeps of it."""
    least = min((sample["resident_bytes"] - max(0.0, kept_bytes(sample) - kept_bytes(fresh)) for sample in samples), default=float("inf"))
    allowed = fresh["resident_bytes"] * (1 + SHARE) + floor_of("resident_bytes")
    return Verdict("resident memory is back to that of a fresh process within a minute",
                   f"{shown('bytes', least)} without what is kept, {shown('bytes', fresh['resident_bytes'])} fresh, allowed {shown('bytes', allowed)}",
                   least <= allowed)


def judge_peak(attack, resident, memory_bytes=MEMORY_BYTES):
    """`resident`: bytes, sampled while the attack went on."""
    peak = max(resident, default=float("inf"))
    return Verdict(f"resident memory meanwhile: 1.5 x memory + 50 MiB = {shown('bytes', budget(memory_bytes))} at most ({attack})",
                   shown("bytes", peak), peak <= budget(memory_bytes))
