"""Holds a server to its promise about memory: under all attacks of memory_attacks.py at once its resident memory stays within 1.5 x `memory`
+ 50 MiB, and another client's PUTs of tokens have a p99 under 50 ms.

    python3 tests/hostile/memory_proof.py --memory 64MiB --seconds 60"""

import argparse
import http.client
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from memory_attacks import all_attacks, raise_descriptor_limit  # noqa: E402

MIB = 1 << 20
PUT_P99_SECONDS = 0.050
PUTS_A_SECOND = 100
EVENTS = 3000


def resident_bytes(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read()).group(1)) << 10


def bytes_of(size):
    return int(size[:-3]) << {"MiB": 20, "GiB": 30}[size[-3:]]


def limit_bytes(memory):
    return memory * 3 // 2 + 50 * MIB


def headers(key):
    return {"Authorization": f"Bearer {key}"} if key else {}


def fill(port, key):
    """Events that are as long as those of a chatty site, so that 500 of them are an answer of a megabyte."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for begin in range(0, EVENTS, 500):
        lines = [json.dumps({"id": f"e{number}", "action": "view", "object": f"article/{number % 50}", "actor": f"reader-{number}",
                             "agent": "a" * 250, "referrer": "https://example.org/" + "r" * 500, "attributes": {"text": "t" * 1000}})
                 for number in range(begin, begin + 500)]
        connection.request("POST", "/api/v1/events", "\n".join(lines), headers(key) | {"Content-Type": "application/x-ndjson"})
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 200 or json.loads(said)["rejected"]:
            raise RuntimeError(f"events were not taken: {answer.status} {said[:300]}")
    connection.close()


class PutClient:
    """Somebody who behaves well, in a process of its own: PUTs of tokens, one after the other at an even pace."""

    def __init__(self, port, key):
        self.port, self.key = port, key
        self.ours, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=self._run, args=(theirs,), daemon=True)
        self.process.start()

    def end(self):
        """The seconds that each PUT took, ascending, and what went wrong."""
        self.ours.send("end")
        took, failures = self.ours.recv()
        self.process.join()
        return sorted(took), failures

    def _run(self, pipe):
        took, failures, number, connection = [], [], 0, None
        begin = time.monotonic()
        while not pipe.poll(max(0.0, begin + number / PUTS_A_SECOND - time.monotonic())):
            number += 1
            before = time.monotonic()
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                connection.request("PUT", f"/api/v1/counter/page-{number % 100}", f"token-{number}", headers(self.key))
                answer = connection.getresponse()
                answer.read()
                if answer.status != 200:
                    failures.append(str(answer.status))
            except (OSError, http.client.HTTPException) as failed:
                failures.append(f"{type(failed).__name__}: {failed}")
                connection = None
            took.append(time.monotonic() - before)
        pipe.send((took, failures))


class Server:
    """`footfall serve` on a directory of its own."""

    def __init__(self, binary, memory, threads, with_keys):
        self.folder = tempfile.mkdtemp(prefix="footfall-hostile-")
        data = os.path.join(self.folder, "data")
        self.key = None
        words = ["--data", data]
        if with_keys:
            made = subprocess.run([binary, "keys", "add", "proof", "--scope", "read,write", *words], capture_output=True, text=True, check=True)
            self.key = re.search(r"\bff_\S+|\bfootfall_\S+", made.stdout + made.stderr).group(0)
        self.log = open(os.path.join(self.folder, "log"), "w", encoding="utf-8")
        self.process = subprocess.Popen(
            [binary, "serve", *words, "--listen", "127.0.0.1:0", "--memory", memory, "--threads", str(threads)],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", line).group(1))

    def stop(self):
        self.process.terminate()
        code = self.process.wait(60)
        self.log.close()
        shutil.rmtree(self.folder)
        return code


def prove(binary, memory, threads, seconds, with_keys):
    """Prints what was measured; whether all of it is as promised."""
    server = Server(binary, memory, threads, with_keys)
    try:
        fill(server.port, server.key)
        before = resident_bytes(server.process.pid)
        attacks = all_attacks("127.0.0.1", server.port, server.key)
        client = PutClient(server.port, server.key)
        for attack in attacks:
            attack.start()
        most, end = 0, time.monotonic() + seconds
        while time.monotonic() < end and server.process.poll() is None:
            most = max(most, resident_bytes(server.process.pid))
            time.sleep(0.05)
        took, failures = client.end()
        for attack in attacks:
            attack.stop()
        p99 = took[len(took) * 99 // 100]
        limit = limit_bytes(bytes_of(memory))
        kept = most <= limit and p99 < PUT_P99_SECONDS and not failures
        print(f"{memory}{', with keys' if with_keys else ''}: resident {before / MIB:.0f} MiB before, at most {most / MIB:.0f} MiB of {limit / MIB:.0f}; "
              f"{len(took)} PUTs: median {took[len(took) // 2] * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms, longest {took[-1] * 1000:.0f} ms, "
              f"{len(failures)} failed {sorted(set(failures))[:3]}: {'kept' if kept else 'BROKEN'}")
        for attack in attacks:
            print(f"    {type(attack).__name__} {attack.count} x {attack.sent_bytes + 1:,} bytes: {attack.tally()}")
        sys.stdout.flush()
        return kept
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/release/footfall")
    parser.add_argument("--memory", action="append", help="may be given again; without: 64MiB, 256MiB and 1GiB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--keys", action="store_true", help="with an API key, which one of the attackers has not got")
    given = parser.parse_args()
    raise_descriptor_limit()
    kept = [prove(given.binary, memory, given.threads, given.seconds, given.keys) for memory in given.memory or ["64MiB", "256MiB", "1GiB"]]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
