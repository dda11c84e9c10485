"""How long one kind of request waits while something else goes on: one thread that asks again and again, and what it saw."""

import http.client
import threading
import time

PATIENCE = 120


def ask(host, port, method, path, body=None, headers=None, patience=PATIENCE):
    """Of a connection of its own: status, body, seconds from the first byte sent to the last one received."""
    connection = http.client.HTTPConnection(host, port, timeout=patience)
    try:
        connection.connect()
        begin = time.monotonic()
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        said = answer.read()
        return answer.status, said, time.monotonic() - begin
    finally:
        connection.close()


class Waits(threading.Thread):
    """Asks every `pause` seconds until end(): `make(number)` says method, path, body. Use as a context manager."""

    def __init__(self, name, host, port, make, pause=0.02):
        super().__init__(name=name, daemon=True)
        self._target_host, self._target_port, self._make, self._pause = host, port, make, pause
        self._ended = threading.Event()
        self.seconds = []  # of each answer
        self.refused = {}  # status or kind of failure: how often

    def run(self):
        number = 0
        while not self._ended.is_set():
            number += 1
            begin = time.monotonic()
            try:
                status, _, seconds = ask(self._target_host, self._target_port, *self._make(number))
                if status >= 300:
                    self.refused[status] = self.refused.get(status, 0) + 1
            except (OSError, http.client.HTTPException) as failed:
                seconds = time.monotonic() - begin
                kind = type(failed).__name__
                self.refused[kind] = self.refused.get(kind, 0) + 1
            self.seconds.append(seconds)
            self._ended.wait(self._pause)

    def end(self):
        self._ended.set()
        self.join()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.end()

    def answered_well(self):
        return len(self.seconds) - sum(self.refused.values())

    def figures(self):
        """Milliseconds."""
        ordered = sorted(self.seconds) or [0.0]

        def at(share):
            return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)

        return {"requests": len(self.seconds), "p50": at(0.5), "p99": at(0.99), "longest": at(1.0), "refused": self.refused}
