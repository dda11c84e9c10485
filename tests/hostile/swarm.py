"""Many connections that are slow on purpose: each sends a few bytes, or takes a few, and waits; one that the server ends comes again."""

import collections
import multiprocessing
import re
import resource
import select
import socket
import time

from attack import Attack

TICK = 0.25  # seconds
CONNECTS_AT_ONCE = 200  # in a tick
STATUS_LINE = re.compile(rb"HTTP/1.1 (\d{3})")


def held_by(port):
    """The ports of those whose connections the process that listens there has still open. What it closed is none of them, although the kernel may
    still have bytes for the other end, who then does not see that it was closed."""
    held = set()
    with open("/proc/net/tcp", encoding="ascii") as file:
        next(file)
        for line in file:
            words = line.split()
            if int(words[1].rpartition(":")[2], 16) == port and words[9] != "0":
                held.add(int(words[2].rpartition(":")[2], 16))
    return held


def raise_descriptor_limit():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Swarm(Attack):
    """`count` connections, in a process of its own, so that whoever measures is not slowed down. Each sends head() at once; then, every second,
    `drips` bytes more, or takes `sips` bytes of what the server says. None may live longer than `life` seconds: the server has to end it."""

    drips = sips = 0
    life = 0

    def __init__(self, count):
        self.count = count
        self._numbers = multiprocessing.Array("d", 3)  # connections, ended by the server, the longest life
        self._statuses = multiprocessing.Array("q", 600)
        self._process = None

    @property
    def least_seconds(self):
        return self.life + 10

    def head(self, port):
        """The bytes that each sends first."""
        raise NotImplementedError

    def start(self, server):
        self._process = multiprocessing.get_context("fork").Process(target=self._run, args=(server.port,), daemon=True)
        self._process.start()

    def stop(self):
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None

    def judge(self):
        made, _, longest = self._numbers
        wrong = [] if made >= self.count else [f"only {made:.0f} of {self.count} connections came about"]
        if longest > self.life:
            wrong.append(f"a connection lived for {longest:.0f} s, more than {self.life}")
        failures = {status: times for status, times in enumerate(self._statuses) if times and status >= 500 and status != 503}
        return wrong + ([f"answered {failures}"] if failures else [])

    def told(self):
        made, ended, longest = self._numbers
        statuses = {status: times for status, times in enumerate(self._statuses) if times}
        return f"{made:.0f} connections, {ended:.0f} ended by the server, the longest lived {longest:.0f} s; answered {statuses}"

    def _run(self, port):
        raise_descriptor_limit()
        poll, open_ones, due = select.poll(), {}, collections.deque([0.0] * self.count)
        turn = time.monotonic()
        while True:
            now, opened = time.monotonic(), 0
            while due and due[0] <= now and opened < CONNECTS_AT_ONCE:
                due.popleft()
                opened += 1
                self._open(port, poll, open_ones, due)
            for descriptor, events in poll.poll(TICK * 1000):
                if events & (select.POLLERR | select.POLLHUP) or not open_ones[descriptor].look(self):
                    self._close(poll, open_ones.pop(descriptor), due)
            if now >= turn:
                turn = now + 1.0
                held = held_by(port) if self.sips else None
                for connection in list(open_ones.values()):
                    self._numbers[2] = max(self._numbers[2], now - connection.since)
                    is_held = held is None or now - connection.since < 1 or connection.port in held
                    if not is_held or not connection.go_on(self):
                        del open_ones[connection.descriptor]
                        self._close(poll, connection, due)

    def _open(self, port, poll, open_ones, due):
        try:
            connection = _Connection(port, self.head(port), self.sips)
        except OSError:
            due.append(time.monotonic() + 1.0)
            return
        self._numbers[0] += 1
        open_ones[connection.descriptor] = connection
        # Who sips is not woken by what waits for him.
        poll.register(connection.descriptor, 0 if self.sips else select.POLLIN)

    def _close(self, poll, connection, due):
        self._numbers[1] += 1
        poll.unregister(connection.descriptor)
        connection.socket.close()
        due.append(time.monotonic() + 1.0)

    def note_status(self, said):
        found = STATUS_LINE.match(said)
        self._statuses[int(found.group(1)) if found else 0] += 1


class _Connection:
    def __init__(self, port, head, sips):
        self.socket = socket.socket()
        if sips:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        try:
            self.socket.settimeout(5)
            self.socket.connect(("127.0.0.1", port))
            self.socket.setblocking(False)
            self.socket.send(head)
        except OSError:
            self.socket.close()
            raise
        self.since, self.descriptor, self.answered = time.monotonic(), self.socket.fileno(), False
        self.port = self.socket.getsockname()[1]

    def look(self, swarm, most=1 << 16):
        """Takes what there is. False: the server ended it."""
        try:
            said = self.socket.recv(most)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if said and not self.answered:
            self.answered = True
            swarm.note_status(said)
        return bool(said)

    def go_on(self, swarm):
        if swarm.sips:
            return self.look(swarm, swarm.sips)
        if not swarm.drips:
            return True
        try:
            self.socket.send(b"a" * swarm.drips)
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True


class IdleConnections(Swarm):
    name = "idle connections"
    promise = "each is ended after 75 s"
    life = 90

    def head(self, port):
        return b""


class SlowHeaders(Swarm):
    name = "headers that never end"
    promise = "each is ended after 30 s"
    life = 45
    drips = 1

    def head(self, port):
        return f"GET /api/v1/counters HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Slow: ".encode()


class TricklingBodies(Swarm):
    name = "bodies that trickle"
    promise = "each is refused, or ended after 30 s"
    life = 45
    drips = 100

    def head(self, port):
        return (f"POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/x-ndjson\r\n"
                "Content-Length: 16000000\r\n\r\n").encode()


class SippingReaders(Swarm):
    name = "readers that sip"
    promise = "each is ended after 30 s, a second for each 32 KiB of its answer, and 75 s of idleness"
    life = 120
    sips = 64

    def head(self, port):
        return f"GET /api/v1/events?limit=500 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()


def swarms():
    """At full size."""
    return [IdleConnections(3000), SlowHeaders(500), TricklingBodies(200), SippingReaders(300)]
