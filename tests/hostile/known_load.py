"""Clients who behave, beside all attacks: what has to be counted of what they send is known to the unit."""

import http.client
import itertools
import threading
import time

from load_clients import Client, KnownEvents, ask

PATIENCE = 60


class FewerObjects(KnownEvents):
    """Events as in ./prove soak, on so few objects that each is checked at the end, and most more than once seen."""

    OBJECTS = 2_000
    CHECKED = 1

    def __init__(self, server, seed, rate):
        super().__init__(server, seed, rate)
        self._sending = threading.Lock()

    def due(self, rate):
        """While pause() holds, nothing is sent; what was not sent meanwhile is not made up for."""
        for number in itertools.count():
            if self._stop_asked.wait(1 / rate):
                return
            with self._sending:
                yield number

    def pause(self):
        """What is being sent is acknowledged when this returns."""
        self._sending.acquire()

    def go_on(self):
        self._sending.release()


class KnownTokens(Client):
    """PUTs of tokens, one after the other at an even pace, each until it is acknowledged; some are put again. `latencies`: (when, seconds) of
    each PUT, by the clock of time.monotonic()."""

    OBJECTS = 200
    AGAIN = 5  # one of so many is put again
    RETRY = 0.2

    def __init__(self, server, seed, rate):
        super().__init__(server, seed)
        self.rate = rate
        self.expected = [0] * self.OBJECTS
        self.latencies = []
        self.refusals = 0

    def work(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for number in self.due(self.rate):
            place = number % self.OBJECTS
            self._put(connection, place, f"token-{number}")
            self.expected[place] += 1
            if number % self.AGAIN == 0:
                self._put(connection, place, f"token-{number}")
        connection.close()

    def _put(self, connection, place, token):
        for attempt in itertools.count(1):
            begin = time.monotonic()
            try:
                status, said = ask(connection, "PUT", f"/api/v1/counter/known-{place}", token)
            except (OSError, http.client.HTTPException):
                connection.close()
                status, said = 503, b""
            self.latencies.append((begin, time.monotonic() - begin))
            if status == 200:
                return
            if status != 503 or attempt > 100:
                raise RuntimeError(f"a token was answered {status} {said.decode(errors='replace')[:300]}")
            self.refusals += 1
            self._stop_asked.wait(self.RETRY)

    def differences(self):
        """As KnownEvents.differences()."""
        found = []
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for place, tokens in enumerate(self.expected):
            status, said = ask(connection, "GET", f"/api/v1/counter/known-{place}")
            if status != 200 or int(said) != tokens:
                found.append(f"known-{place}: {tokens} tokens, answered {status} {said[:100]!r}")
        connection.close()
        return len(self.expected), found


def p99(latencies, begin, end):
    """In seconds, of what began between two moments; None: nothing did."""
    took = sorted(seconds for at, seconds in latencies if begin <= at < end)
    return took[len(took) * 99 // 100] if took else None
