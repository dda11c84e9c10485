#!/usr/bin/env python3
"""Many clients watch one busy object: does each get every report, what does that cost, and is who was passed over told so?

As a program it starts a server of its own, sends it events of one object, opens the streams, and says what came of it; it fails
if a client did not get its share. As a module: `Watchers` are the clients, `BusyObject` sends the events, each on a thread of
its own; `judge` says what went wrong.
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 30
EVENT = re.compile(rb"event: (\w+)\ndata: ([^\n]*)\n\n")


class BusyObject(threading.Thread):
    """Sends `rate` views a second of one object, by people of whom each is new, in batches; counts what was accepted."""

    BATCHES = 10  # a second

    def __init__(self, port, name, rate):
        super().__init__(name="busy object")
        self.port, self.object, self.rate = port, name, rate
        self.accepted = 0
        self.seconds = set()  # whole ones of time.monotonic() in which some were accepted: each has to be reported
        self.failure = None
        self._stop_asked = threading.Event()

    def run(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            size = self.rate // self.BATCHES
            begin = time.monotonic()
            number = 0
            while not self._stop_asked.wait(max(0.0, begin + number / self.BATCHES - time.monotonic())):
                actors = range(number * size, (number + 1) * size)
                lines = (json.dumps({"action": "view", "object": self.object, "actor": f"a{actor}"}) for actor in actors)
                connection.request("POST", "/api/v1/events", "\n".join(lines), {"Content-Type": "application/x-ndjson"})
                answer = connection.getresponse()
                said = answer.read()
                if answer.status == 200:
                    self.accepted += json.loads(said)["accepted"]
                    self.seconds.add(int(time.monotonic()))
                elif answer.status != 503:
                    raise RuntimeError(f"{answer.status} {said[:200]!r}")
                number += 1
        except (OSError, http.client.HTTPException, RuntimeError, ValueError) as failed:
            self.failure = f"{type(failed).__name__}: {failed}"

    def seconds_since(self, begin):
        """In how many there was something new. Events that are refused for want of memory are no news."""
        return sum(second >= begin for second in self.seconds.copy())

    def end(self):
        self._stop_asked.set()
        self.join()


class Watcher:
    """One client of the live stream of an object."""

    def __init__(self, port, target, headers=""):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n".encode())
        self.unread = b""
        self.reports = self.left_out = self.seconds = self.bytes = 0
        self.opened = self.heard = time.monotonic()
        self.first = None  # seconds until the first report
        self.longest = 0.0  # between two reports
        self.ended = False

    def receive(self):
        part = self.socket.recv(1 << 18)
        self.ended = not part
        self.bytes += len(part)
        self.unread += part
        last = 0
        for event in EVENT.finditer(self.unread):
            last = event.end()
            self.take(event[1], event[2])
        self.unread = self.unread[last:]

    def take(self, kind, data):
        if kind == b"report":
            now = time.monotonic()
            if self.first is None:
                self.first = now - self.opened
            else:
                self.longest = max(self.longest, now - self.heard)
            self.heard = now
            self.reports += 1
        elif kind == b"left_out":
            self.left_out += json.loads(data)["reports"]
        elif kind == b"second":
            self.seconds += 1


class Watchers(threading.Thread):
    """So many clients of one stream, who read all that comes; begin_count() forgets what came before."""

    def __init__(self, port, name, clients, headers=""):
        super().__init__(name="watchers")
        self.target = f"/api/v1/live/views?object={name}"
        self.selector = selectors.DefaultSelector()
        self.watchers = []
        self.lock = threading.Lock()
        self._stop_asked = threading.Event()
        for _ in range(clients):
            watcher = Watcher(port, self.target, headers)
            self.selector.register(watcher.socket, selectors.EVENT_READ, watcher)
            self.watchers.append(watcher)

    def run(self):
        while not self._stop_asked.is_set():
            for key, _ in self.selector.select(0.2):
                with self.lock:
                    key.data.receive()
                if key.data.ended:
                    self.selector.unregister(key.fileobj)

    def all_have_one(self, patience=PATIENCE):
        until = time.monotonic() + patience
        while time.monotonic() < until and any(watcher.first is None for watcher in self.watchers):
            self._stop_asked.wait(0.2)
        return all(watcher.first is not None for watcher in self.watchers)

    def begin_count(self):
        with self.lock:
            for watcher in self.watchers:
                watcher.reports = watcher.left_out = watcher.seconds = watcher.bytes = 0
                watcher.longest = 0.0

    def figures(self, seconds):
        """What came since begin_count(), of which there was something new in so many seconds."""
        with self.lock:
            reports = sorted(watcher.reports for watcher in self.watchers)
            return {
                "seconds": seconds,
                "clients": len(self.watchers),
                "ended": sum(watcher.ended for watcher in self.watchers),
                "without_first": sum(watcher.first is None for watcher in self.watchers),
                "slowest_first_s": round(max(PATIENCE if watcher.first is None else watcher.first for watcher in self.watchers), 2),
                "share": round(sum(reports) / (len(reports) * max(seconds, 1)), 3),
                "least_share": round(reports[0] / max(seconds, 1), 3),
                "told_left_out": sum(watcher.left_out for watcher in self.watchers),
                "longest_gap_s": round(max(watcher.longest for watcher in self.watchers), 2),
                "received_mib": round(sum(watcher.bytes for watcher in self.watchers) / (1 << 20), 1),
            }

    def end(self):
        self._stop_asked.set()
        self.join()
        for watcher in self.watchers:
            watcher.socket.close()
        self.selector.close()


def judge(figures):
    """What went wrong, a line each: everybody gets a first report, and each other one or word that it was left out."""
    wrong = []
    if not figures["seconds"]:
        return ["no event of the object was accepted"]
    if figures["ended"]:
        wrong.append(f"{figures['ended']} streams were ended by the server")
    if figures["without_first"]:
        wrong.append(f"{figures['without_first']} clients got no report at all")
    told = figures["told_left_out"] / (figures["clients"] * figures["seconds"])
    if figures["share"] + told < 0.95:
        wrong.append(f"clients got {figures['share']:.0%} of their reports and were told of {told:.0%} left out: others went silently")
    if figures["share"] < 0.9:
        wrong.append(f"clients got {figures['share']:.0%} of their reports")
    return wrong


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) // 1024


def free_port():
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


def wait_until_ready(port, process):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
            connection.request("GET", "/healthz/ready")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise RuntimeError("the server did not become ready")


def run(process, port, options):
    busy = BusyObject(port, "busy", options.rate)
    watchers = Watchers(port, "busy", options.clients)
    try:
        busy.start()
        watchers.start()
        watchers.all_have_one()
        watchers.begin_count()
        cpu, begin, accepted = cpu_seconds(process.pid), time.monotonic(), busy.accepted
        time.sleep(options.seconds)
        spent = time.monotonic() - begin
        news = busy.seconds_since(begin)
        figures = watchers.figures(news)
        figures["cpu_s_per_minute"] = round((cpu_seconds(process.pid) - cpu) * 60 / spent, 1)
        figures["events_per_s"] = round((busy.accepted - accepted) / spent)
        figures["resident_mib"] = resident_mib(process.pid)
    finally:
        watchers.end()
        busy.end()
    return figures, judge(figures) + ([busy.failure] if busy.failure else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--footfall", default="build/release/footfall")
    parser.add_argument("--clients", type=int, default=600)
    parser.add_argument("--rate", type=int, default=2000, help="events a second (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="footfall-watchers-") as data:
        command = [options.footfall, "serve", "--listen", f"127.0.0.1:{port}", "--data", data, "--threads", "1", "--memory", "64MiB"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                wait_until_ready(port, process)
                figures, wrong = run(process, port, options)
            finally:
                process.terminate()
    print(json.dumps(figures))
    for each in wrong:
        print(f"FAILED: {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
