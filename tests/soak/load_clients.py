"""Clients beside the load: events of which every fate is known, questions, and live streams. Each on a thread of its own."""

import collections
import http.client
import itertools
import json
import random
import selectors
import socket
import threading
import time

PATIENCE = 30


class Client(threading.Thread):
    """Works until it is told to stop; what went wrong stands in `failure`."""

    def __init__(self, server, seed):
        super().__init__(name=type(self).__name__)
        self.port = server.port
        self.random = random.Random(seed)
        self.failure = None
        self._stop_asked = threading.Event()

    def run(self):
        try:
            self.work()
        except (OSError, http.client.HTTPException, RuntimeError, ValueError) as failed:
            self.failure = f"{type(failed).__name__}: {failed}"

    def work(self):
        raise NotImplementedError

    def end(self):
        """Again: changes nothing."""
        self._stop_asked.set()
        if self.is_alive():
            self.join()

    def due(self, rate):
        """Numbers from 0 on, each when its turn has come at so many a second, until the end."""
        begin = time.monotonic()
        for number in itertools.count():
            self._stop_asked.wait(max(0.0, begin + number / rate - time.monotonic()))
            if self._stop_asked.is_set():
                return
            yield number


def ask(connection, method, path, body=None, headers=None):
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    return answer.status, answer.read()


def ask_json(connection, path):
    status, said = ask(connection, "GET", path)
    if status != 200:
        raise RuntimeError(f"GET {path}: {status} {said.decode(errors='replace')[:300]}")
    return json.loads(said)


class KnownEvents(Client):
    """Views of a long tail of objects, by people of whom each is new: what becomes of each event is known beforehand. Some come a
    second time, under another id (refused as repeats); some batches are sent again as they were (duplicates, counted once)."""

    BATCH = 100
    OBJECTS = 5_000_000
    REPEATS = 20  # one of so many events has a repeat
    AGAIN = 10  # one of so many batches is sent again
    LATER = 5.0  # seconds later: while events are kept
    CHECKED = 500  # one of so many objects is remembered, and checked at the end
    RETRY = 0.2

    def __init__(self, server, seed, rate):
        super().__init__(server, seed)
        self.rate = rate
        self.sent = self.duplicates = self.refusals = 0
        self.expected = collections.defaultdict(lambda: [0, 0])  # object: counted, refused as repeats
        self.last_ids = collections.deque(maxlen=1000)  # for questions
        self._number = 0
        self._later = collections.deque()  # when, batch

    def work(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for number in self.due(self.rate / self.BATCH):
            batch = self._batch()
            self._send(connection, batch, known=0)
            self.sent += self.BATCH
            self.last_ids.append(f"k{self._number}")
            if number % self.AGAIN == 0:
                self._later.append((time.monotonic() + self.LATER, batch))
            while self._later and self._later[0][0] <= time.monotonic():
                self._send(connection, self._later.popleft()[1], known=self.BATCH)
                self.duplicates += self.BATCH
        connection.close()

    def _batch(self):
        """As NDJSON. What is expected of it counts from now on: a batch is sent until it is acknowledged."""
        milliseconds = time.time_ns() // 1_000_000
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000)) + f".{milliseconds % 1000:03}Z"
        lines, repeated = [], None
        while len(lines) < self.BATCH:
            self._number += 1
            if repeated is None:
                obj, person = self.random.randrange(self.OBJECTS), self._number
            else:
                obj, person = repeated
            lines.append(f'{{"id":"k{self._number}","time":"{moment}","action":"view","object":"tail-{obj}","actor":"known-{person}"}}\n')
            if obj % self.CHECKED == 0:
                self.expected[obj][repeated is not None] += 1
            repeats = repeated is None and self._number % self.REPEATS == 0 and len(lines) < self.BATCH
            repeated = (obj, person) if repeats else None
        return "".join(lines)

    def _send(self, connection, batch, known):
        """Until it is acknowledged. `known`: how many of it the server must have had before."""
        again = False
        while True:
            try:
                status, said = ask(connection, "POST", "/api/v1/events", batch, {"Content-Type": "application/x-ndjson"})
            except (OSError, http.client.HTTPException):
                connection.close()
                status, said = 503, b""
            if status == 200:
                answer = json.loads(said)
                if answer["accepted"] != self.BATCH or (answer["duplicates"] != known and not again):
                    raise RuntimeError(f"a batch of {self.BATCH} of which {known} were there was answered {said.decode()[:300]}")
                return
            if status != 503:
                raise RuntimeError(f"a batch was answered {status} {said.decode(errors='replace')[:300]}")
            again = True
            self.refusals += 1
            if self._stop_asked.wait(self.RETRY) and self.refusals > 100:
                raise RuntimeError("the server takes no more events")

    def differences(self):
        """Asks for each remembered object. How many were asked, and a sentence for each that is not as it must be."""
        found = []
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for obj, (counted, repeats) in sorted(self.expected.items()):
            said = ask_json(connection, f"/api/v1/views/tail-{obj}")
            refused = sum(said["refused"].values())
            if (said["events"], said["counted"], refused) != (counted + repeats, counted, repeats) or (said["exact"] and said["people"] != counted):
                found.append(f"tail-{obj}: {counted} events must count, {repeats} be repeats: {json.dumps(said)[:300]}")
        connection.close()
        return len(self.expected), found


class Questions(Client):
    """Asks one after the other, at so many a second; every answer has to be good. Times stand in `latencies` as (second, milliseconds)."""

    def __init__(self, server, seed, rate, objects, known):
        super().__init__(server, seed)
        self.rate = rate
        self.objects = objects
        self.known = known
        self.latencies = []

    def paths(self):
        hot = min(self.objects - 1, max(0, round(self.random.gauss(self.objects / 2, self.objects / 6))))
        yield from (f"/api/v1/views/{hot}", "/api/v1/views", f"/api/v1/views/{hot}?tz=Europe/Berlin", "/api/v1/top?by=people",
                    f"/api/v1/events?object={hot}", f"/api/v1/views/tail-{self.random.randrange(KnownEvents.OBJECTS)}",
                    f"/api/v1/counter/{self.random.randrange(1000)}", "/api/v1/counters", "/api/v1/rules")
        if self.known.last_ids:
            yield f"/api/v1/events/{self.known.last_ids[-1]}"

    def work(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        begin, turn = time.monotonic(), iter(())
        for _ in self.due(self.rate):
            path = next(turn, None)
            if path is None:
                turn = self.paths()
                path = next(turn)
            asked = time.monotonic()
            ask_json(connection, path)
            self.latencies.append((asked - begin, (time.monotonic() - asked) * 1e3))
        connection.close()


class Streams(Client):
    """Live streams that stay, of which one after the other is left and another opened: each has to say something every few seconds."""

    OPEN = 12
    SILENCE = 15.0  # seconds
    CHANGED = 2.0  # one is left so often

    def __init__(self, server, seed, objects):
        super().__init__(server, seed)
        self.objects = objects
        self.bytes = self.opened = 0

    def work(self):
        selector = selectors.DefaultSelector()
        streams = collections.deque(self._open(selector) for _ in range(self.OPEN))
        change = time.monotonic() + self.CHANGED
        while not self._stop_asked.is_set():
            for key, _ in selector.select(0.5):
                part = key.fileobj.recv(1 << 18)
                if not part:
                    raise RuntimeError("the server ended a live stream")
                self.bytes += len(part)
                key.data["heard"] = time.monotonic()
            now = time.monotonic()
            if any(now - stream["heard"] > self.SILENCE for stream in streams):
                raise RuntimeError(f"a live stream said nothing for {self.SILENCE} s")
            if now >= change:
                change = now + self.CHANGED
                self._leave(selector, streams.popleft())
                streams.append(self._open(selector))
        for stream in streams:
            self._leave(selector, stream)
        selector.close()

    def _open(self, selector):
        paths = ("/api/v1/live/views", f"/api/v1/live/views?object={self.random.randrange(self.objects)}", "/api/v1/live/counters")
        stream = {"socket": socket.create_connection(("127.0.0.1", self.port), PATIENCE), "heard": time.monotonic()}
        stream["socket"].sendall(f"GET {paths[self.opened % len(paths)]} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        selector.register(stream["socket"], selectors.EVENT_READ, stream)
        self.opened += 1
        return stream

    @staticmethod
    def _leave(selector, stream):
        selector.unregister(stream["socket"])
        stream["socket"].close()
