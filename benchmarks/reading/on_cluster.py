"""Which friends read which of 100 URLs on a cluster of two processes, each of which counts half of the lanes: times over HTTP, CPU of both,
bytes to owners. On a cluster that runs (FOOTFALL_CASSANDRA, FOOTFALL_TEST_KAFKA); `--beside PROGRAM` asks an earlier build the same of the
same rows, and its answers have to be the same.

    source build/cluster/env && python3 benchmarks/reading/on_cluster.py --beside /tmp/footfall
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "benchmarks", "counter"), os.path.join(TOP, "benchmarks", "cluster")]

import machine  # noqa: E402
from programs import Settings  # noqa: E402
from rig import Place, metrics, process, total, wait_until  # noqa: E402
from traffic import ask  # noqa: E402

URLS = [f"https://news.example/{at}" for at in range(100)]
ASKERS = {"ask-450": 450, "ask-5000": 5_000}
LINES = 10_000


def lines_of(values):
    return "\n".join(json.dumps(each, separators=(",", ":")) for each in values).encode()


def in_parts(values):
    for first in range(0, len(values), LINES):
        yield values[first:first + LINES]


def send(server, path, values):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)) as connection:
        for part in in_parts(values):
            ask(connection, "POST", path, lines_of(part))


def fill(servers, people, readers, rng):
    """{URL: who read it}"""
    names = [f"person-{at}" for at in range(people)]
    for at, count in enumerate(ASKERS.values()):
        send(servers[0], "/api/v1/people", [{"actor": list(ASKERS)[at], "friends": rng.sample(names, count)}])
    send(servers[0], "/api/v1/people", [{"actor": name, "reading": "shared"} for name in names])
    for server in servers:
        wait_until(lambda server=server: total(metrics(server), "footfall_reading_sharers") == people, "not all sharers are known")
    reads = {url: sorted(rng.sample(names, readers)) for url in URLS}
    events = [{"action": "read", "object": url, "actor": name} for url, read in reads.items() for name in read]
    rng.shuffle(events)
    send(servers[1], "/api/v1/events", events)
    return reads


def question(asker, friends=None):
    """About the friends whom the asker lists, which are read from the store, or about these."""
    return json.dumps({"actor": asker, "urls": URLS, "names": 10, **({"friends": friends} if friends else {})}).encode()


def friends_of(server, asker):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)) as connection:
        return json.loads(ask(connection, "GET", f"/api/v1/people/{asker}/friends"))["friends"]


def who(connection, asker):
    return json.loads(ask(connection, "POST", "/api/v1/reading/who", question(asker)))["urls"]


def counts(server, asker):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)) as connection:
        return [each["count"] for each in who(connection, asker)]


def timed(servers, asker, questions, friends=None):
    """Milliseconds of each question to the first, CPU of both for one, and what metrics rose by."""
    before, busy = [metrics(server) for server in servers], [server.cpu_seconds() for server in servers]
    taken = []
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", servers[0].port, timeout=300)) as connection:
        body = question(asker, friends)
        begin = time.monotonic()
        for _ in range(questions):
            started = time.monotonic()
            ask(connection, "POST", "/api/v1/reading/who", body)
            taken.append((time.monotonic() - started) * 1e3)
        seconds = time.monotonic() - begin
    cpu = [(server.cpu_seconds() - was) * 1e3 / questions for server, was in zip(servers, busy)]
    rose = {}
    for key, value in metrics(servers[0]).items():
        if key[0].startswith(("footfall_owner", "footfall_reading_owner")):
            rose[" ".join(key)] = (value - before[0].get(key, 0)) / questions
    return {"p50": machine.percentile(sorted(taken), 0.5), "p99": machine.percentile(sorted(taken), 0.99), "seconds": seconds,
            "cpu_asked_ms": cpu[0], "cpu_other_ms": cpu[1], "load": os.getloadavg()[0], "rose": rose}


def measure(program, settings, place, questions, expected=None, fill_with=None):
    settings.footfall = program
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(process(settings, place, "collect,guard,project,query", "0,1", flags=("--instance", name))) for name in ("one", "other")]
        if fill_with:
            expected = fill_with(servers)
        first = {asker: timed(servers, asker, 1)["rose"] for asker in ASKERS}  # the list is sent
        for server in servers:
            for asker, wanted in expected.items():
                wait_until(lambda server=server, asker=asker, wanted=wanted: counts(server, asker) == wanted, f"{asker} is not answered right", 600, 1)
        found = []
        for asker in ASKERS:
            for given in (None, friends_of(servers[0], asker)):
                found.append({"friends": ASKERS[asker], "given": given is not None, **timed(servers, asker, questions, given), "first": first[asker]})
            if counts(servers[0], asker) != expected[asker]:
                raise RuntimeError(f"{program} answers something else")
        return found, expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", help="an earlier build, to be asked the same")
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--readers", type=int, default=1_000, help="of each URL")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"))
    asked = parser.parse_args()
    settings = Settings(asked.build, True)
    env = {name: os.environ[name] for name in ("FOOTFALL_CASSANDRA", "FOOTFALL_TEST_KAFKA")}
    rng = random.Random(7)
    name = f"whoread{os.getpid()}"
    programs = [settings.footfall, *([asked.beside] if asked.beside else [])]
    with tempfile.TemporaryDirectory() as settings.folder:
        place = Place(settings, env, name, name)

        def fill_with(servers):
            reads = fill(servers, asked.people, asked.readers, rng)
            friends = {asker: set(friends_of(servers[0], asker)) for asker in ASKERS}
            return {asker: [len(friends[asker].intersection(reads[url])) for url in URLS] for asker in ASKERS}

        expected = None
        for program in programs:
            found, expected = measure(program, settings, place, asked.questions, expected, None if expected else fill_with)
            for each in found:
                print(json.dumps({"program": program, "matches": sum(expected[f"ask-{each['friends']}"]), **each}), flush=True)


if __name__ == "__main__":
    main()
