"""Events with a known outcome, sent in batches: each object's count, and how many of its events are repeats, follow from the numbers."""

import concurrent.futures
import contextlib
import http.client
import itertools
import json
import time

BATCH = 5000
SENDERS = 4
STOCK = 10_000  # events by nobody: not fewer than there are objects
REPEAT_EVERY = 10  # the last event of so many is the one before it once more, under an id of its own


class Traffic:
    """Event n is about an object by turns, by an actor of its own, or, without `actors`, by nobody; `ids`: with an id of its own."""

    def __init__(self, objects, actors, ids):
        self.objects = objects
        self.actors = actors
        self.ids = ids
        self.start_ms = int(time.time() * 1000) - 3_600_000

    def repeats(self, number):
        return self.actors and number % REPEAT_EVERY == REPEAT_EVERY - 1

    def object_of(self, number):
        number -= self.repeats(number)
        return f"page-{(number * 7919 + number // REPEAT_EVERY if self.actors else number) % self.objects}"

    def line(self, number):
        event = {"action": "view", "object": self.object_of(number)}
        if self.ids:
            event["id"] = f"e{number}"
        if self.actors:
            seconds, thousandths = divmod(self.start_ms + number, 1000)
            event["actor"] = f"user-{number - self.repeats(number)}"
            event["time"] = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{thousandths:03}Z"
        return json.dumps(event, separators=(",", ":"))

    def batch(self, first, count=BATCH):
        return "\n".join(self.line(number) for number in range(first, first + count)).encode()

    def expected(self, count):
        """{object: (events, counted)} of the first so many."""
        found = {}
        for number in range(count):
            name = self.object_of(number)
            events, counted = found.get(name, (0, 0))
            found[name] = (events + 1, counted + (not self.repeats(number)))
        return found


def ask(connection, method, path, body=None):
    connection.request(method, path, body, {"Content-Type": "application/x-ndjson"} if body else {})
    answer = connection.getresponse()
    said = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{method} {path}: {answer.status} {said[:500].decode()}")
    return said


def send(server, traffic, count):
    """The first so many events, one batch after the other; answers the seconds it took."""
    began = time.monotonic()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        for first in range(0, count, BATCH):
            ask(connection, "POST", "/api/v1/events", traffic.batch(first, min(BATCH, count - first)))
    return time.monotonic() - began


def send_steadily(server, traffic, rate, seconds):
    """So many events a second as far as the server takes them; those by nobody again and again. Answers how many were sent."""
    size = max(1, min(BATCH, rate // 10))
    bodies = [] if traffic.actors else [traffic.batch(turn * size, size) for turn in range(max(1, STOCK // size))]
    turns, began = itertools.count(), time.monotonic()

    def run(_):
        sent = 0
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
            while time.monotonic() < began + seconds:
                turn = next(turns)
                time.sleep(max(0, began + turn * size / rate - time.monotonic()))
                ask(connection, "POST", "/api/v1/events", bodies[turn % len(bodies)] if bodies else traffic.batch(turn * size, size))
                sent += size
        return sent

    with concurrent.futures.ThreadPoolExecutor(SENDERS) as senders:
        return sum(senders.map(run, range(SENDERS)))


def compare(server, expected, most=1000):
    """Every object, or so many of them, by the server's own answers. The first difference ends everything."""
    names = sorted(expected)[:most]
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)) as connection:
        for name in names:
            events, counted = expected[name]
            said = json.loads(ask(connection, "GET", f"/api/v1/views/{name}"))
            if (said["events"], said["counted"]) != (events, counted):
                raise RuntimeError(f"{name}: {said['events']} events, {said['counted']} counted; there should be {events} and {counted}")
    return len(names)
