"""How much one core bears with p99 below 10 ms, and how the cost of a PUT grows with objects, tokens and threads."""

from clients import bench, figures
from programs import footfall

P99_MS = 10
FILLING_PATIENCE = 120  # seconds
# Above the largest object measured, so that no answer is a lower bound.
CONFIG = '[[counter]]\nname = "default"\nlimit = 10000000\n'


def bears(settings, server, objects, rate, seed):
    """One step of a search: an open loop at `rate`; met when nothing failed, all came through, and p99 is low enough."""
    taken = figures(bench(settings, server, "--objects", objects, "--rate", round(rate), "--poisson", "--seed", seed,
                          "--connections", 256, "--patience", 1))
    taken["asked"] = round(rate)
    taken["met"] = taken["p99_ms"] < P99_MS and taken["failed"] == 0 and taken["rate"] > 0.95 * rate
    print(f"    {rate:,.0f}/s: p99 {taken['p99_ms']:.2f} ms, {taken['failed']} failed", flush=True)
    return taken


def search(settings, objects, sync):
    """Halves between what is borne and what is not; begins at what a closed loop reaches."""
    steps = []
    with footfall(settings, sync, config=CONFIG) as server:
        closed = figures(bench(settings, server, "--objects", objects, "--connections", 256, "--seed", 99))
        low, high = 0.0, closed["rate"] * 1.1
        rate = closed["rate"] * 0.85
        for seed in range(3 if settings.quick else 6):
            steps.append(bears(settings, server, objects, rate, seed + 1))
            if steps[-1]["met"]:
                low = rate
            else:
                high = rate
            rate = (low + high) / 2
        resident = server.resident_mib()
    best = max((step for step in steps if step["met"]), key=lambda step: step["asked"], default=None)
    return {"objects": objects, "sync": sync, "closed": closed, "steps": steps, "best": best, "resident_mib": resident}


def capacity(settings):
    done = []
    for objects in (1_000, 100_000) if settings.quick else (1_000, 100_000, 10_000_000):
        for sync in ("always", "200ms"):
            print(f"  capacity: {objects:,} objects, --sync {sync}", flush=True)
            done.append(search(settings, objects, sync))
    return done


def point(settings, server, x, *flags, cores=None):
    taken = figures(bench(settings, server, *flags, cores=cores))
    taken.update(x=x, resident_mib=server.resident_mib())
    print(f"    {x:,}: {taken['server_us']:.2f} us, p99 {taken['p99_ms']:.2f} ms", flush=True)
    return taken


def by_objects(settings):
    """Fresh servers; the same load on ever more objects."""
    done = []
    for power in range(3, 6 if settings.quick else 8):
        with footfall(settings, "200ms", config=CONFIG) as server:
            done.append(point(settings, server, 10**power, "--objects", 10**power))
    return done


def by_tokens(settings):
    """Ever fewer objects share a million tokens, put there before by batches; x is what one has then on average."""
    total = 100_000 if settings.quick else 1_000_000
    done = []
    tokens = 1
    while tokens <= total:
        objects = total // tokens
        # So wide a Gaussian is nearly even over all objects.
        flags = ["--objects", objects, "--deviation", objects]
        with footfall(settings, "200ms", config=CONFIG) as server:
            bench(settings, server, *flags, "--post-batch", 1000, "--requests", total // 1000, "--seed", 50, "--no-verify",
                  "--connections", 4, "--patience", FILLING_PATIENCE, seconds=FILLING_PATIENCE, warm_up=0)
            done.append(point(settings, server, tokens, *flags))
        tokens *= 10
    return done


def by_threads(settings):
    """Client and server share all cores, so rates say little on a machine with two: CPU a request is the figure."""
    cores = f"{settings.server_cores},{settings.client_cores}"
    done = []
    for threads in (1, 2):
        with footfall(settings, "200ms", threads=threads, cores=cores, config=CONFIG) as server:
            done.append(point(settings, server, threads, "--objects", 100_000, cores=cores))
    return done


def growth(settings):
    print("  growth with objects", flush=True)
    grown = {"objects": by_objects(settings)}
    print("  growth with tokens per object", flush=True)
    grown["tokens"] = by_tokens(settings)
    print("  growth with threads", flush=True)
    grown["threads"] = by_threads(settings)
    return grown
