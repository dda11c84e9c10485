"""What a running server says of itself, each second: every gauge and total of /metrics, and what the kernel says of its process."""

import http.client
import os
import threading
import time

from programs import TICKS

PAUSE = 1.0
JUDGED, DUPLICATES = "footfall_events_judged_total", "footfall_events_duplicate_total"


def parse_metrics(text):
    """Gauges and totals by name, each {name: value}; a name has its labels. Histograms are left out."""
    kinds, gauges, totals = {}, {}, {}
    for line in text.split("\n"):
        words = line.split()
        if line.startswith("# TYPE "):
            kinds[words[2]] = words[3]
        elif line and not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            kind = kinds.get(name.partition("{")[0])
            if kind in ("gauge", "counter"):
                (gauges if kind == "gauge" else totals)[name] = float(value)
    return gauges, totals


def directory_bytes(folder):
    """Of all files below it; those that go meanwhile do not count."""
    size = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                size += os.stat(os.path.join(path, name)).st_size
            except FileNotFoundError:
                pass
    return size


def of_process(pid):
    """Resident memory, threads, open files, and sockets: connections and streams, and what it listens on."""
    found = {}
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name == "VmRSS":
                found["resident_bytes"] = float(value.split()[0]) * 1024
            elif name == "Threads":
                found["threads"] = float(value)
    targets = []
    for each in os.listdir(f"/proc/{pid}/fd"):
        try:
            targets.append(os.readlink(f"/proc/{pid}/fd/{each}"))
        except FileNotFoundError:
            pass  # closed meanwhile
    found["sockets"] = float(sum(target.startswith("socket:") for target in targets))
    found["open_files"] = len(targets) - found["sockets"]
    return found


def cores_of_machine():
    """Seconds that all cores were busy, and that the hypervisor took of them, since the machine started."""
    with open("/proc/stat", encoding="utf-8") as file:
        times = [int(word) / TICKS for word in file.readline().split()[1:]]
    return sum(times) - times[3] - times[4], times[7]


class Sampler:
    """Samples a server from start() to stop(), on a thread of its own, over one connection."""

    def __init__(self, server):
        self._server = server
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sampler")
        self._begin = None
        self.failure = None
        self.samples = []  # {"at", "gauges", "totals", "busy", "stolen", "cpu"}, in the order of time

    def look(self):
        """One sample, now. Not beside the thread."""
        self._connection.request("GET", "/metrics")
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"/metrics: {answer.status} {text}")
        gauges, totals = parse_metrics(text)
        gauges.update(of_process(self._server.pid), directory_bytes=float(directory_bytes(os.path.join(self._server.folder, "data"))))
        busy, stolen = cores_of_machine()
        at = time.monotonic() - (self._begin if self._begin is not None else time.monotonic())
        return {"at": at, "gauges": gauges, "totals": totals, "busy": busy, "stolen": stolen, "cpu": self._server.cpu_seconds()}

    def start(self):
        self._begin = time.monotonic()
        self._thread.start()

    def stop(self):
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def close(self):
        self._connection.close()

    def _run(self):
        due = self._begin
        try:
            while not self._stop.is_set():
                self.samples.append(self.look())
                due = max(due + PAUSE, time.monotonic())
                self._stop.wait(due - time.monotonic())
        except (OSError, http.client.HTTPException, RuntimeError) as failed:
            self.failure = f"{type(failed).__name__}: {failed}"


def series(samples, kind="gauges"):
    """{name: [(second, value)]} of every name that was ever sampled."""
    found = {}
    for sample in samples:
        for name, value in sample[kind].items():
            found.setdefault(name, []).append((sample["at"], value))
    return found


def total_of(sample, *families):
    """The sum over labels of these totals."""
    return sum(value for name, value in sample["totals"].items() if name.partition("{")[0] in families)


def used(samples):
    """Of the whole time: what an event cost, and what was taken of the machine."""
    first, last = samples[0], samples[-1]
    seconds = last["at"] - first["at"]
    grown = {name: total_of(last, name) - total_of(first, name)
             for name in (JUDGED, DUPLICATES, "footfall_view_rows_written_total", "footfall_store_bulk_rows_written_total")}
    events = max(1.0, grown[JUDGED] + grown[DUPLICATES])
    return {"seconds": seconds, "events": events, "cpu_us": (last["cpu"] - first["cpu"]) / events * 1e6,
            "view_rows": grown["footfall_view_rows_written_total"] / events, "bulk_rows": grown["footfall_store_bulk_rows_written_total"] / events,
            "stolen": (last["stolen"] - first["stolen"]) / seconds}


def rates(samples, *families):
    """How fast these totals grew, a second: [(second, rate)], each at the end of its second."""
    found = []
    for before, after in zip(samples, samples[1:]):
        seconds = after["at"] - before["at"]
        if seconds > 0:
            found.append((after["at"], (total_of(after, *families) - total_of(before, *families)) / seconds))
    return found
