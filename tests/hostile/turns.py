"""Which attacks there are, and in which order they come: each kind by itself, then all that can go on together at once."""

import importlib
import threading
import time

from attack import Attack, FunctionAttack
from same_ids import SameIds
from swarm import swarms


class Memory(Attack):
    """All of memory_attacks.py at once. That memory stays bounded is judged over the whole run."""

    name = "stalled bodies, silent readers"
    promise = "they reach the server; what memory they take is judged below"

    def __init__(self, module):
        self._module = module
        self._attacks = []

    def start(self, server):
        self._attacks = self._module.all_attacks("127.0.0.1", server.port)
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

    def __init__(self, module):
        self._module = module
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
        busy = self._module.BusyObject(port, "hostile-busy", self.EVENTS_A_SECOND)
        crowd = self._module.Watchers(port, "hostile-busy", self.CLIENTS)
        try:
            busy.start()
            crowd.start()
            crowd.all_have_one()
            crowd.begin_count()
            begin = time.monotonic()
            self._stop_asked.wait()
            seconds = time.monotonic() - begin
            self._figures = crowd.figures(seconds)
            self._wrong = self._module.judge(self._figures, seconds) + ([busy.failure] if busy.failure else [])
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


def slow_listing(module):
    return FunctionAttack("a listing of 120,000 expired objects", "a page takes at most 1 s, others wait at most 50 ms", module.attack)


def large_batches(module):
    """It counts all events that there are, before and after."""
    attack = FunctionAttack("batches of 100,000 events", "single events wait at most 50 ms, all are counted once", module.attack)
    attack.alone = True
    return attack


def conflicting_ids(module):
    return FunctionAttack("several contents under one id", "one counts, the others are refused, each once", module.conflicting_ids)


class Missing(Attack):
    """In place of an attack whose module is not there."""

    def __init__(self, module):
        self.name, self.promise = module, f"tests/hostile/{module}.py is there"

    def start(self, server):
        pass

    def stop(self):
        pass

    def is_over(self):
        return True

    def judge(self):
        return ["it is not"]


def of_module(name, make):
    """What `make` makes of a module of this folder."""
    try:
        return make(importlib.import_module(name))
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return Missing(name)


def all_turns():
    """A list of attacks for each turn. Everything is at full size."""
    return [
        [of_module("memory_attacks", Memory)],
        swarms(),
        [of_module("slow_reads", slow_listing)],
        [of_module("large_batch", large_batches)],
        [SameIds(16), of_module("clocks_and_ids", conflicting_ids)],
        [of_module("watchers", Crowd)],
        [of_module("memory_attacks", Memory), *swarms(), SameIds(16), of_module("watchers", Crowd)],
    ]
