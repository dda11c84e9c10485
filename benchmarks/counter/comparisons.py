"""Footfall beside its peers: rounds interleaved (A B A B A B), medians, answers compared before anything is timed."""

import random
import statistics

from clients import RedisClient, bench, figures, http_get, http_put, redis_benchmark, wrk
from programs import footfall, http_peer, redis

OBJECTS = 100_000
SHOWN = ("rate", "server_us", "server_busy", "client_us", "p50_ms", "p99_ms")


def median_of(rounds):
    shown = {name: statistics.median(each[name] for each in rounds) for name in SHOWN if name in rounds[0]}
    shown["limited_by"] = statistics.mode(each.get("limited_by", "unknown") for each in rounds)
    return shown


def goal(what, ours, peer, sense, factor):
    """A target as performance targets are written: the ratio of ours to the peer's, at least or at most."""
    ratio = ours / peer
    return {"what": what, "ours": ours, "peer": peer, "ratio": ratio, "sense": sense, "target": factor,
            "met": ratio >= factor if sense == "at least" else ratio <= factor}


def floor(what, ours, least):
    """A target that is a figure of its own."""
    return {"what": what, "ours": ours, "peer": None, "ratio": None, "sense": "at least", "target": least, "met": ours >= least}


def interleaved(settings, sides):
    """`sides`: name -> function of the round. Answers name -> rounds."""
    taken = {name: [] for name in sides}
    for turn in range(settings.rounds):
        for name, measure in sides.items():
            taken[name].append(measure(turn))
            print(f"    {name}: {taken[name][-1]['rate']:,.0f}/s, {taken[name][-1]['server_us']:.2f} us", flush=True)
    return taken


def comparison(number, title, how, rounds, goals):
    return {"target": number, "title": title, "how": how, "rounds": rounds,
            "median": {name: median_of(each) for name, each in rounds.items()}, "goals": goals}


def same_counts(settings):
    """The same operations into both: every object asked must have the same count in Redis and here."""
    flags = ["--objects", 2000, "--requests", 10_000, "--seed", 7]
    asked = random.Random(7).sample(range(2000), 500)
    with footfall(settings, "200ms") as ours, redis(settings, "everysec") as peer:
        bench(settings, ours, *flags, seconds=60, warm_up=0)
        bench(settings, peer, *flags, seconds=60, warm_up=0, scheme="redis")
        with RedisClient(peer) as client:
            wrong = [name for name in asked
                     if int(http_get(ours, f"/api/v1/counter/{name}")) != client.ask("SCARD", name)]
    if wrong:
        raise RuntimeError(f"counts differ from SCARD: {wrong[:10]}")
    return {"objects": len(asked), "operations": 10_000}


def puts(settings, number, title, sync, fsync, connections, depth, goals_of):
    flags = ["--objects", OBJECTS, "--connections", connections, "--pipeline", depth]

    def ours(turn):
        with footfall(settings, sync) as server:
            return figures(bench(settings, server, *flags, "--seed", turn + 1))

    def peer(turn):
        with redis(settings, fsync) as server:
            return figures(bench(settings, server, *flags, "--seed", turn + 1, scheme="redis"))

    rounds = interleaved(settings, {"footfall": ours, "redis": peer})
    done = comparison(number, title, f"{connections} connections, {depth} in flight, {OBJECTS:,} objects, new tokens; "
                      f"footfall --sync {sync} : redis --appendfsync {fsync}", rounds, [])
    done["goals"] = goals_of(done["median"]["footfall"], done["median"]["redis"])
    requests = int(done["median"]["redis"]["rate"] * settings.seconds / 2) + 1000
    with redis(settings, fsync) as server:
        done["redis_benchmark"] = redis_benchmark(settings, server, connections, depth, requests)
    return done


def gets(settings):
    flags = ["--objects", OBJECTS]
    rounds = {"footfall": [], "redis": []}
    with footfall(settings, "200ms") as ours, redis(settings, "everysec") as peer:
        sides = {"footfall": (ours, "http"), "redis": (peer, "redis-strings")}
        for server, scheme in sides.values():
            bench(settings, server, *flags, "--no-verify", scheme=scheme, seconds=max(settings.seconds / 2, 1))

        def measure(name):
            server, scheme = sides[name]
            return lambda turn: figures(bench(settings, server, *flags, "--get", 1, "--seed", turn + 1, "--no-verify",
                                              scheme=scheme))

        rounds = interleaved(settings, {name: measure(name) for name in sides})
    done = comparison(5, "GET of a count", f"64 connections, {OBJECTS:,} objects; Redis: GET of a string", rounds, [])
    ours, peer = done["median"]["footfall"], done["median"]["redis"]
    done["goals"] = [goal("CPU a request", ours["server_us"], peer["server_us"], "at most", 0.9),
                     floor("requests a second", ours["rate"], 200_000)]
    return done


def http(settings):
    """The HTTP loop alone: a GET of one object whose count never changes, beside servers that answer a constant."""
    path = "/api/v1/counter/object"
    done = []
    with footfall(settings, "200ms") as ours, http_peer(settings, "beast") as beast, http_peer(settings, "h2o") as h2o:
        for token in range(43):
            http_put(ours, path, b"token-%d" % token)
        servers = {"footfall": ours, "beast": beast, "h2o": h2o}
        bodies = {name: http_get(server, path) for name, server in servers.items()}
        if set(bodies.values()) != {b"43\n"}:
            raise RuntimeError(f"bodies differ: {bodies}")
        for depth in (1, 16):
            print(f"  {depth} in flight", flush=True)
            done.append(interleaved(settings, {
                name: (lambda turn, server=server, depth=depth: wrk(settings, server, path, depth))
                for name, server in servers.items()}))
    alone = comparison(6, "HTTP GET", "wrk -t1 -c64; the same three bytes from all", done[0], [])
    ours, beast, h2o = (alone["median"][name] for name in ("footfall", "beast", "h2o"))
    alone["goals"] = [goal("CPU a request : Beast", ours["server_us"], beast["server_us"], "at most", 0.65),
                      goal("CPU a request : H2O", ours["server_us"], h2o["server_us"], "at most", 1.05)]
    piped = comparison(7, "HTTP GET, pipelined", "wrk -t1 -c64, 16 requests a write", done[1], [])
    ours, h2o = piped["median"]["footfall"], piped["median"]["h2o"]
    piped["goals"] = [goal("requests a second : H2O", ours["rate"], h2o["rate"], "at least", 1.7)]
    return [alone, piped]


def all_comparisons(settings):
    def relaxed(ours, peer):
        return [goal("requests a second", ours["rate"], peer["rate"], "at least", 1.05),
                goal("CPU a request", ours["server_us"], peer["server_us"], "at most", 0.9)]

    def at_least(factor):
        return lambda ours, peer: [goal("requests a second", ours["rate"], peer["rate"], "at least", factor)]

    print("  PUT, synced within 200 ms", flush=True)
    yield puts(settings, 1, "PUT of a new token, synced within 200 ms", "200ms", "everysec", 64, 1, relaxed)
    print("  PUT, durable before the answer", flush=True)
    yield puts(settings, 2, "PUT of a new token, durable before the answer", "always", "always", 256, 1, at_least(1.2))
    print("  PUT, durable, 16 in flight", flush=True)
    yield puts(settings, 3, "PUT of a new token, durable, 16 in flight", "always", "always", 64, 16, at_least(1.5))
    print("  GET", flush=True)
    yield gets(settings)
    print("  HTTP", flush=True)
    yield from http(settings)
