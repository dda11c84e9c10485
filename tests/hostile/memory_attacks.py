"""Attacks on the memory of the HTTP server: bodies that never end, and answers that nobody reads. Each is a process of its own, so that it
does not slow down whoever measures:

    attack = StalledBodies("127.0.0.1", 8080, count=40, body_bytes=16_000_000)
    attack.start()
    ...
    attack.stop()          # attack.tally() says what came of it

Run as a program it starts a server, attacks it with all of them at once, and holds it to what is promised (memory_proof.py)."""

import collections
import errno
import multiprocessing
import re
import resource
import select
import signal
import socket
import time

PIECE = bytes(64 << 10)
PAUSE_SECONDS = 1.0  # before a connection that was ended comes again
CONNECTS_AT_ONCE = 200
STATUS_LINE = re.compile(rb"HTTP/1.1 (\d{3})")


def raise_descriptor_limit():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Attack:
    """`count` connections that each send `head` and `sent_bytes` zeros behind it, and then wait. One that the server ends comes again, until
    stop(). Unless `reads`, of an answer only the status is looked at, and it stays where it is; nor is the end seen then while it stands
    behind the answer, so such a connection comes again after `again_seconds`."""

    def __init__(self, host, port, count, head, sent_bytes=0, reads=True, again_seconds=None):
        self.address, self.count, self.head, self.sent_bytes = (host, port), count, head.encode(), sent_bytes
        self.reads, self.again_seconds = reads, again_seconds
        self._numbers = multiprocessing.Array("q", 4)
        self._statuses = multiprocessing.Array("q", 600)
        self._process = None

    def start(self):
        self._process = multiprocessing.get_context("fork").Process(target=self._run, name=type(self).__name__, daemon=True)
        self._process.start()

    def stop(self):
        """Again: changes nothing."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None

    def tally(self):
        """How many connections were made, sent all they wanted to, were answered and were ended; and the answers by their status."""
        said = dict(zip(("connected", "sent", "answered", "ended"), self._numbers))
        said["statuses"] = {status: times for status, times in enumerate(self._statuses) if times}
        return said

    def note(self, at):
        self._numbers[("connected", "sent", "answered", "ended").index(at)] += 1

    def note_status(self, answer):
        found = STATUS_LINE.match(answer)
        self.note("answered")
        self._statuses[int(found.group(1)) if found else 0] += 1

    def _run(self):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise_descriptor_limit()
        poll, open_ones = select.epoll(), {}
        due = collections.deque([0.0] * self.count)       # when a connection is to come, ascending
        leaving = collections.deque()                     # (when, descriptor, connection): to come again by then
        while True:
            now, opened = time.monotonic(), 0
            while due and due[0] <= now and opened < CONNECTS_AT_ONCE:
                due.popleft()
                opened += 1
                self._open(poll, open_ones, due, leaving)
            ended = [descriptor for descriptor, events in poll.poll(0.1) if not open_ones[descriptor].go_on(events)]
            while leaving and leaving[0][0] <= now:
                _, descriptor, connection = leaving.popleft()
                if open_ones.get(descriptor) is connection and descriptor not in ended:
                    ended.append(descriptor)
            for descriptor in ended:
                poll.unregister(descriptor)
                open_ones.pop(descriptor).socket.close()
                self.note("ended")
                due.append(time.monotonic() + PAUSE_SECONDS)

    def _open(self, poll, open_ones, due, leaving):
        client = socket.socket()
        client.setblocking(False)
        if not self.reads:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        if client.connect_ex(self.address) not in (0, errno.EINPROGRESS):
            client.close()
            due.append(time.monotonic() + PAUSE_SECONDS)
            return
        connection = _Connection(self, poll, client)
        open_ones[client.fileno()] = connection
        poll.register(client, select.EPOLLOUT | select.EPOLLIN)
        if self.again_seconds is not None:
            leaving.append((time.monotonic() + self.again_seconds, client.fileno(), connection))


class _Connection:
    """One client of an attack."""

    def __init__(self, attack, poll, client):
        self.attack, self.poll, self.socket = attack, poll, client
        self.head, self.left = attack.head, attack.sent_bytes
        self.connected = self.answered = False

    def go_on(self, events):
        """False: the server ended it."""
        try:
            if events & (select.EPOLLERR | select.EPOLLHUP):
                return False
            if events & select.EPOLLIN and not self._look():
                return False
            if events & select.EPOLLOUT:
                self._send()
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def _look(self):
        answer = self.socket.recv(64 << 10, 0 if self.attack.reads else socket.MSG_PEEK)
        if answer and not self.answered:
            self.answered = True
            self.attack.note_status(answer)
        if not self.attack.reads:
            self.poll.modify(self.socket, 0)  # what is there stays there; an error is told all the same
        return bool(answer)

    def _send(self):
        if not self.connected:
            self.connected = True
            self.attack.note("connected")
        if self.head:
            self.head = self.head[self.socket.send(self.head):]
        while not self.head and self.left:
            self.left -= self.socket.send(PIECE[:min(self.left, len(PIECE))])
        if not self.head:
            self.attack.note("sent")
            self.poll.modify(self.socket, select.EPOLLIN)


def _head(method, target, port, key, more=""):
    authorization = f"Authorization: Bearer {key}\r\n" if key else ""
    return f"{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{authorization}{more}\r\n"


class StalledBodies(Attack):
    """POSTs of `body_bytes` each that stop one byte before their end."""

    def __init__(self, host, port, count, body_bytes, target="/api/v1/events", key=None):
        more = f"Content-Type: application/x-ndjson\r\nContent-Length: {body_bytes}\r\n"
        super().__init__(host, port, count, _head("POST", target, port, key, more), body_bytes - 1)


class SilentReaders(Attack):
    """GETs whose answers are never read."""

    def __init__(self, host, port, count=500, target="/api/v1/events?limit=500", key=None, again_seconds=20.0):
        super().__init__(host, port, count, _head("GET", target, port, key), reads=False, again_seconds=again_seconds)


def all_attacks(host, port, key=None):
    """Those of issue 23, at full size: with `key` as somebody who may, without as a stranger where there are keys."""
    return [
        StalledBodies(host, port, 40, 16_000_000, key=key),
        StalledBodies(host, port, 400, 16_000_000),
        StalledBodies(host, port, 4000, 130_000, key=key),
        SilentReaders(host, port, 500, key=key),
    ]
