"""Batches of 100,000 events at once, and beside them single events, the script and the pixel: how long do those wait?

    python3 tests/hostile/large_batch.py --port 8080 [--batches 3] [--events 100000]

attack() is for whoever runs all attacks. The server may have one thread (--threads 1). Nothing else may send events meanwhile, for all are
counted at the end."""

import argparse
import json
import threading
import time
import urllib.parse
import uuid

from waits import Waits, ask

LIMIT_MS = 50


def batch_of(run, number, events, objects):
    lines = (
        f'{{"id":"{run}-{number}-{each}","action":"view","object":"{run}-{each % objects}","actor":"{run}-{number}-{each}"}}\n'
        for each in range(events)
    )
    return "".join(lines).encode()


def stored_events(host, port):
    """Of all objects, whatever was decided of them."""
    status, said, _ = ask(host, port, "GET", "/api/v1/views")
    if status != 200:
        raise RuntimeError(f"GET /api/v1/views: {status} {said[:300]!r}")
    return json.loads(said)["events"]


class Batch(threading.Thread):
    """One that is sent until it is taken: where memory is small, not all of them have room at once, and the others are told 503 by then."""

    PAUSE, PATIENCE = 0.2, 300

    def __init__(self, host, port, body):
        super().__init__(daemon=True)
        self._where, self._body = (host, port), body
        self.status, self.said, self.seconds, self.refusals = None, b"", 0.0, 0

    def run(self):
        headers = {"Content-Type": "application/x-ndjson"}
        begin = time.monotonic()
        while self.status in (None, 503) and time.monotonic() - begin < self.PATIENCE:
            if self.status == 503:
                time.sleep(self.PAUSE)
            try:
                self.status, self.said, _ = ask(*self._where, "POST", "/api/v1/events", self._body, headers, patience=self.PATIENCE)
            except (BrokenPipeError, ConnectionResetError):  # refused by its header, while the body was being sent
                self.status, self.refusals = 503, self.refusals + 1
        self.seconds = time.monotonic() - begin


def probes(run):
    """By name, what a single one sends. Each is an event."""

    def single(number):
        event = {"id": f"{run}-single-{number}", "action": "view", "object": f"{run}-single", "actor": f"s{number}"}
        return "POST", "/api/v1/events", json.dumps(event), {"Content-Type": "application/json"}

    def script(number):
        return "POST", "/footfall", f"object={run}-script&action=view&referrer={number}", {"User-Agent": "Mozilla/5.0 Firefox/140.0"}

    def pixel(number):
        return "GET", f"/pixel.gif?object={urllib.parse.quote(run)}-pixel&referrer={number}", None, {"User-Agent": "Mozilla/5.0 Firefox/140.0"}

    return {"single": single, "script": script, "pixel": pixel}


def attack(host, port, batches=3, events=100_000, objects=5000):
    """Figures of each kind of single request, in milliseconds; `wrong`: what should not have happened (empty: nothing)."""
    run = f"large-{uuid.uuid4().hex[:8]}"
    before = stored_events(host, port)
    senders = [Batch(host, port, batch_of(run, number, events, objects)) for number in range(batches)]
    waits = {name: Waits(name, host, port, make) for name, make in probes(run).items()}
    for each in [*waits.values(), *senders]:
        each.start()
    for each in senders:
        each.join()
    for each in waits.values():
        each.end()
    wrong = []
    for each in senders:
        if each.status != 200:
            wrong.append(f"a batch was answered {each.status} {each.said[:300].decode(errors='replace')}")
        elif (answer := json.loads(each.said))["accepted"] + answer["duplicates"] != events or answer["rejected"]:
            wrong.append(f"a batch was answered {answer}")
    sent = batches * events
    for name, each in waits.items():
        figures = each.figures()
        sent += each.answered_well()
        if each.refused:
            wrong.append(f"{name}: refused {each.refused}")
        if figures["longest"] > LIMIT_MS:
            wrong.append(f"{name}: waited {figures['longest']} ms, more than {LIMIT_MS}")
    stored = stored_events(host, port) - before
    if stored != sent:
        wrong.append(f"{sent} events were acknowledged, {stored} are counted")
    return {
        "batch_seconds": [round(each.seconds, 2) for each in senders],
        **{name: each.figures() for name, each in waits.items()},
        "acknowledged": sent,
        "counted": stored,
        "wrong": wrong,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--batches", type=int, default=3)
    parser.add_argument("--events", type=int, default=100_000)
    settings = parser.parse_args()
    figures = attack(settings.host, settings.port, settings.batches, settings.events)
    print(json.dumps(figures, indent=2))
    return 1 if figures["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
