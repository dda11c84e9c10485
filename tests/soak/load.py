"""The load itself: `footfall bench` as processes, the other clients beside it, and what they say at the end."""

import contextlib
import json
import os
import shutil
import subprocess
import threading
import time

from identities_client import KnownPeople
from load_clients import KnownEvents, Questions, Streams
from judgement import Verdict
from samples import Sampler

BATCH = 500
OBJECTS, PEOPLE = 100_000, 20_000_000
KNOWN_SHARE, KNOWN_AT_MAXIMUM = 0.05, 1000  # of all events; a second, while the maximum is measured
TOKEN_OBJECTS, PUTS = 10_000, 300  # a second
QUESTIONS = 20  # a second
MATCHES = 200  # a second
PATIENCE = 60


def bench_words(settings, server, kind, *flags):
    return ["taskset", "-c", settings.client_cores, settings.footfall, "bench", kind, "--server", f"http://127.0.0.1:{server.port}",
            "--patience", str(PATIENCE), "--warm-up", "0", *map(str, flags)]


class Bench:
    """A running `footfall bench`, which checks counts when it ends."""

    def __init__(self, settings, server, kind, *flags):
        self.kind = kind
        self._log = os.path.join(settings.folder, f"bench-{kind}.log")
        self._json = os.path.join(settings.folder, f"bench-{kind}.json")
        self._words = bench_words(settings, server, kind, *flags, "--json", self._json)
        self._process = None
        settings.note(self._words)

    def start(self):
        with open(self._log, "wb") as said:
            self._process = subprocess.Popen(self._words, stdout=said, stderr=said)

    def wait(self, seconds):
        self._process.wait(seconds)

    def kill(self):
        if self._process and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def keep_log(self, folder):
        """What it printed: each wrong count is in it."""
        if os.path.exists(self._log):
            shutil.copy(self._log, folder)

    def report(self):
        """Its JSON, with `status`; `said` in place of it, if it did not get so far."""
        with open(self._log, encoding="utf-8", errors="replace") as file:
            said = file.read()
        report = {"said": said[-2000:]}
        with contextlib.suppress(OSError, ValueError), open(self._json, encoding="utf-8") as file:
            report = json.load(file)
        return {"status": self._process.returncode, **report}


def bench_verdicts(kind, report):
    """Of a report of Bench: counts are exact, and nothing failed."""
    check = report.get("check")
    if not check:
        return [Verdict(f"counts of {kind} are exact", f"exit status {report['status']}: {report.get('said', 'nothing was checked')}", False)]
    total = report["total"]
    failed = {**total["failed"], "lost": total["lost"], "unsent": total["unsent"]}
    told = ", ".join(f"{name}: {count}" for name, count in failed.items() if count)
    return [Verdict(f"counts of {kind} are exact", f"{check['wrong']} of {check['objects']} objects are wrong, {check['exact']} had to be exact",
                    check["wrong"] == 0 and check["exact"] > 0 and report["status"] == 0),
            Verdict(f"every request of {kind} is answered well", told or f"{total['good']:,} requests", not told)]


class Load:
    """All of it, for so many seconds: start(), wait(), end(), verdicts(); and close() in any case.

    `rate`: events a second, by a schedule; None: as fast as they are answered. `window`: latencies are told for so many seconds."""

    def __init__(self, settings, server, seconds, window, rate=None):
        known = KNOWN_SHARE * rate if rate else KNOWN_AT_MAXIMUM
        self.seconds = seconds
        self.sampler = Sampler(server)
        self.before = self.sampler.look()
        self.known = KnownEvents(server, 1, known)
        self.questions = Questions(server, 2, QUESTIONS, OBJECTS, self.known)
        self.streams = Streams(server, 3, OBJECTS)
        self.people = KnownPeople(server, 4, MATCHES)
        self.clients = [self.known, self.questions, self.streams, self.people]
        lasts = ["--duration", seconds, "--window", window]
        schedule = ["--rate", (rate - known) / BATCH] if rate else []
        self.benches = [
            Bench(settings, server, "events", "--batch", BATCH, "--objects", OBJECTS, "--people", PEOPLE, *schedule, *lasts, "--server-pid", server.pid),
            Bench(settings, server, "counter", "--objects", TOKEN_OBJECTS, "--get", 0.2, "--rate", PUTS, "--connections", 16, *lasts)]

    def start(self):
        for each in [*self.benches, self.sampler, *self.clients]:
            each.start()

    def wait(self, progress, pause):
        """Tells `progress` of the samples every `pause` seconds; ends early if a client has failed. A bench ends by itself, after it has
        compared counts."""
        clock, end = threading.Event(), time.monotonic() + self.seconds
        while (left := end - time.monotonic()) > 0 and not any(client.failure for client in [self.sampler, *self.clients]):
            clock.wait(min(pause, left))
            progress(self.sampler.samples)

    def end(self):
        self.sampler.stop()
        for client in self.clients:
            client.end()
        for bench in self.benches:
            with contextlib.suppress(subprocess.TimeoutExpired):
                bench.wait(PATIENCE + self.seconds / 4)

    def close(self):
        """Whatever happened: nothing goes on, and nothing is left open."""
        for bench in self.benches:
            bench.kill()
        for client in self.clients:
            client.end()
        self.sampler.stop()
        self.sampler.close()

    def maximum(self):
        """After the end of a load without a rate: events a second in the second of two windows."""
        report = self.benches[0].report()
        failures = [client.failure for client in [self.sampler, *self.clients] if client.failure]
        if failures or report["status"] != 0:
            raise RuntimeError(f"the maximum cannot be measured: {failures or report.get('said', report['total'])}")
        first, second = (window["rate"] * BATCH + KNOWN_AT_MAXIMUM for window in report["windows"][:2])
        return {"rate": second, "first_half": first, "limited_by": report["limited_by"]}

    def verdicts(self):
        found = [verdict for bench in self.benches for verdict in bench_verdicts(bench.kind, bench.report())]
        for client in self.clients:
            done = {"KnownEvents": f"{self.known.sent:,} events, {self.known.duplicates:,} of them sent twice, {self.known.refusals} refusals",
                    "Questions": f"{len(self.questions.latencies):,} answers",
                    "Streams": f"{self.streams.opened:,} streams, {self.streams.bytes / 1e6:,.1f} MB",
                    "KnownPeople": f"{self.people.sent:,} matches, {self.people.refusals} refusals"}[client.name]
            found.append(Verdict(f"{client.name}: all is answered well", client.failure or done, client.failure is None))
        for what, client, of in [("counts of known events are exact", self.known, "objects"), ("profiles of known people are whole", self.people, "people")]:
            asked, differences = client.differences()
            found.append(Verdict(what, "; ".join(differences[:5]) or f"{asked} {of}", asked > 0 and not differences))
        return found
