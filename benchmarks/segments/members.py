"""`./bench members`: members sent to a server on a disk, durable before each answer: CPU of its threads; how long until a merge is in the size of a
segment meanwhile; and how long what follows takes to be derived."""

import argparse
import collections
import csv
import glob
import gzip
import http.client
import json
import os
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import kept  # noqa: E402
from programs import TICKS, Settings, footfall  # noqa: E402

AT_ONCE, MATCHES_AT_ONCE = 100_000, 20_000
MERGES = 60
PATIENCE = 120
ALL_CORES = ",".join(map(str, sorted(os.sched_getaffinity(0))))
DERIVING = "segments"  # the thread that derives
REGISTER = os.path.join(os.environ.get("FOOTFALL_DATA_DIR", os.path.join(TOP, "..", "shared", "data")), "identity-chadwick")


class Client:
    """One connection. Who is told to wait waits, for so long at most; `answers` counts by status."""

    def __init__(self, server):
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self.answers = collections.Counter()

    def ask(self, method, path, body=None, kind="application/x-ndjson"):
        until = time.monotonic() + PATIENCE
        while True:
            self._connection.request(method, path, body, {"Content-Type": kind})
            answer = self._connection.getresponse()
            said = answer.read()
            self.answers[answer.status] += 1
            if answer.status == 200:
                return said
            if answer.status != 503 or time.monotonic() > until:
                raise RuntimeError(f"{method} {path}: {answer.status} {said[:300]}")
            time.sleep(min(5.0, float(answer.headers.get("Retry-After", "1"))))

    def add(self, segment, ids):
        self.ask("POST", f"/api/v1/segments/{segment}/members", "".join(as_json(each) + "\n" for each in ids))

    def people(self, segment):
        return json.loads(self.ask("GET", f"/api/v1/segments/{segment}"))["people"]

    def behind(self):
        for line in self.ask("GET", "/metrics").decode().splitlines():
            if line.startswith("footfall_segments_behind_seconds "):
                return float(line.split()[1])
        raise RuntimeError("/metrics does not say how far segments are behind")


def wait_until(holds, what, pause=0.25):
    """Asks again and again, for PATIENCE seconds at most."""
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            raise RuntimeError(f"after {PATIENCE} s still not: {what}")
        time.sleep(pause)


def as_json(identifier):
    return json.dumps({"identifier": identifier[0], "id_name": "id", "id_value": identifier[1]})


def cpu_of_threads(pid):
    """Seconds by name of thread."""
    found = collections.Counter()
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8") as file:
            head, _, tail = file.read().rpartition(")")
        fields = tail.split()
        found[head.partition("(")[2]] += (int(fields[11]) + int(fields[12])) / TICKS
    return found


class Merges(threading.Thread):
    """Merges two people of a segment after the other, and asks for its size until it has one less."""

    def __init__(self, server):
        super().__init__()
        self.client, self.seconds, self.failure, self.over = Client(server), [], None, threading.Event()
        self.client.add("merged", [(network, f"g{pair}") for pair in range(MERGES) for network in "ab"])
        wait_until(lambda: self.client.people("merged") == 2 * MERGES, "all that are to be merged are counted")

    def run(self):
        try:
            for pair in range(MERGES):
                if self.over.is_set():
                    return
                ids = ",".join(as_json((network, f"g{pair}")) for network in "ab")
                self.client.ask("POST", "/api/v1/identities/match", '{"ids":[' + ids + "]}", "application/json")
                begun = time.perf_counter()
                wait_until(lambda left=2 * MERGES - pair: self.client.people("merged") < left, "a merge is in the size", 0.005)
                self.seconds.append(time.perf_counter() - begun)
                self.over.wait(0.1)
        except (OSError, http.client.HTTPException, RuntimeError) as failed:
            self.failure = failed


def wait_until_derived(client):
    """Until everything that is durable by now is in numbers."""
    asked = time.monotonic()
    # What was durable when this began is in numbers once they are of a moment after that.
    wait_until(lambda: time.monotonic() - asked > client.behind() + 1, "what is durable is in numbers")


def measure_members(server, count, rate):
    client, merges = Client(server), Merges(server)
    bodies = ["".join(as_json(("www", f"w{number:09}")) + "\n" for number in range(first, first + AT_ONCE)) for first in range(0, count, AT_ONCE)]
    merges.start()
    before, busy, begun = cpu_of_threads(server.pid), server.cpu_seconds(), time.perf_counter()
    for at, body in enumerate(bodies):
        if rate:
            time.sleep(max(0.0, begun + at * AT_ONCE / rate - time.perf_counter()))
        client.ask("POST", "/api/v1/segments/buyers/members", body)
    wall, cpu = time.perf_counter() - begun, server.cpu_seconds() - busy
    by_thread = cpu_of_threads(server.pid) - before
    merges.over.set()
    merges.join()
    if merges.failure:
        raise RuntimeError(f"a merge: {merges.failure}")
    wait_until_derived(client)
    people = client.people("buyers")
    if people != len(bodies) * AT_ONCE:
        raise RuntimeError(f"{people} people of {count} members")
    later = time.perf_counter() - begun
    sent = len(bodies) * AT_ONCE
    print(f"{sent:,} members in {wall:.1f} s, {sent / wall:,.0f} a second; answers by status {dict(client.answers)}")
    print(f"CPU {cpu:.2f} s of the process; {cpu - by_thread[DERIVING]:.2f} s without the thread that derives: {sent / (cpu - by_thread[DERIVING]):,.0f} a second of it")
    print("by thread: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in by_thread.most_common() if seconds > 0.05))
    waits = sorted(merges.seconds)
    print(f"{len(waits)} merges meanwhile are in the size after {waits[len(waits) // 2]:.3f} s (median), {waits[-1]:.3f} s (longest)")
    print(f"derived {later:.1f} s after the first was sent, by {server.cpu_seconds() - busy:.1f} s of CPU; {server.resident_mib():.0f} MiB resident", flush=True)


def register():
    """People of the register, each with its ids."""
    for path in sorted(glob.glob(os.path.join(REGISTER, "people-*.csv.gz"))):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield [(key[4:], value) for key, value in row.items() if key.startswith("key_") and key not in ("key_person", "key_uuid") and value]


def measure_register(server):
    client, people = Client(server), [each for each in register() if each]
    by_system = collections.defaultdict(list)
    for ids in people:
        for each in ids:
            by_system[each[0]].append(each)
    client.add("mlbam", by_system["mlbam"][:1])  # from the first member on moves of profiles are noted
    busy, begun = server.cpu_seconds(), time.perf_counter()
    lines = ['{"ids":[' + ",".join(map(as_json, ids)) + "]}\n" for ids in people if len(ids) > 1]
    for first in range(0, len(lines), MATCHES_AT_ONCE):
        client.ask("POST", "/api/v1/identities/match", "".join(lines[first:first + MATCHES_AT_ONCE]))
    matched = time.perf_counter() - begun
    for system, ids in by_system.items():
        for first in range(0, len(ids), AT_ONCE):
            client.add(system, ids[first:first + AT_ONCE])
    taken = time.perf_counter() - begun
    wait_until_derived(client)
    for system, ids in by_system.items():
        if client.people(system) != len(ids):
            raise RuntimeError(f"{client.people(system)} people of {len(ids)} in {system}")
    print(f"the register of Chadwick: {len(lines):,} matches in {matched:.1f} s, {sum(map(len, by_system.values())):,} members in {taken - matched:.1f} s, "
          f"all derived {time.perf_counter() - begun:.1f} s after the first match, by {server.cpu_seconds() - busy:.1f} s of CPU")


def main():
    parser = argparse.ArgumentParser(prog="./bench members", description=__doc__)
    parser.add_argument("--members", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=0, help="members a second; 0: as fast as they are answered")
    parser.add_argument("--memory", default="256MiB")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    settings = Settings(asked.build, quick=False)
    os.makedirs(kept.FOLDER, exist_ok=True)
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="members-", dir=kept.FOLDER) as settings.folder:
        with footfall(settings, "always", threads=0, cores=ALL_CORES, memory=asked.memory) as server:
            measure_members(server, asked.members, asked.rate)
        if os.path.isdir(REGISTER):
            with footfall(settings, "always", threads=0, cores=ALL_CORES, memory=asked.memory) as server:
                measure_register(server)
    print(f"load after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
