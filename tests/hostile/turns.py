"""Which attacks there are, and in which order they come: each kind by itself, then all that can go on together at once."""

import threading
import time

import clocks_and_ids
import large_batch
import memory_attacks
import slow_reads
import watchers
from attack import Attack, FunctionAttack
from same_ids import SameIds
from swarm import swarms


class Memory(Attack):
    """All of memory_attacks.py at once. That memory stays bounded is judged over the whole run."""

    name = "stalled bodies, silent readers"
    promise = "they reach the server; what memory they take is judged below"

    def __init__(self):
        self._attacks = []

    def start(self, server):
        self._attacks = memory_attacks.all_attacks("127.0.0.1", server.port)
        for each in self._attacks:
            each.start()

    def stop(self):
        for each in self._attacks:
            each.stop()

    def judge(self):
        return [f"{type(each).__name__} did not reach the server" for each in self._attacks if not each.tally()["connected"]]

    def told(self):
        return "; ".join(f"{type(each).__name__} {each.tally()['connected']}, answered {each.tally()['statuses']}" for each in self._attacks)


class Crowd(Attack):
    """watchers.py: many clients of the live stream of one busy object."""

    name = "600 watchers of one busy object"
    promise = "each gets 90 % of its reports, and is told of the others"
    CLIENTS, EVENTS_A_SECOND = 600, 500

    def __init__(self):
        self._thread = None
        self._stop_asked = threading.Event()
        self._wrong, self._figures = ["nobody watched"], {}

    def start(self, server):
        self._thread = threading.Thread(target=self._run, args=(server.port,), daemon=True)
        self._thread.start()

    def _run(self, port):
        try:
            self._watch(port)
        except (OSError, RuntimeError) as failed:
            self._wrong = [f"{type(failed).__name__}: {failed}"]

    def _watch(self, port):
        busy = watchers.BusyObject(port, "hostile-busy", self.EVENTS_A_SECOND)
        crowd = watchers.Watchers(port, "hostile-busy", self.CLIENTS)
        try:
            busy.start()
            crowd.start()
            crowd.all_have_one()
            crowd.begin_count()
            begin = time.monotonic()
            self._stop_asked.wait()
            seconds = busy.seconds_since(begin)
            self._figures = crowd.figures(seconds)
            self._wrong = watchers.judge(self._figures) + ([busy.failure] if busy.failure else [])
        finally:
            crowd.end()
            busy.end()

    def stop(self):
        self._stop_asked.set()
        if self._thread is not None:
            self._thread.join()

    def judge(self):
        return self._wrong

    def told(self):
        return ", ".join(f"{name} {value}" for name, value in self._figures.items())


def large_batches():
    """It counts all events that there are, before and after."""
    attack = FunctionAttack("batches of 100,000 events", "single events wait at most 50 ms, all are counted once", large_batch.attack)
    attack.alone = True
    return attack


def all_turns():
    """A list of attacks for each turn. Everything is at full size."""
    return [
        [Memory()],
        swarms(),
        [FunctionAttack("a listing of 120,000 expired objects", "a page takes at most 1 s, others wait at most 50 ms", slow_reads.attack)],
        [large_batches()],
        [SameIds(16), FunctionAttack("several contents under one id", "one counts, the others are refused, each once", clocks_and_ids.conflicting_ids)],
        [Crowd()],
        [Memory(), *swarms(), SameIds(16), Crowd()],
    ]
