"""`./prove hostile`: whatever is sent, and however slowly, a server with 64 MiB and one thread stays within its memory, counts exactly,
answers who behaves in time, and is as new a minute later. Attacks come in turns and then at once; then the description of the API is held to
what is answered."""

import argparse
import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(TOP, "tests", "soak"), os.path.join(TOP, "benchmarks", "counter")]

import api_description  # noqa: E402
import kept  # noqa: E402
import settling  # noqa: E402
from judgement import Verdict  # noqa: E402
from known_load import FewerObjects, KnownTokens, p99  # noqa: E402
from programs import Settings  # noqa: E402
from samples import Sampler  # noqa: E402
from served import serve  # noqa: E402
from swarm import raise_descriptor_limit  # noqa: E402
from turns import all_turns  # noqa: E402

KNOWN_EVENTS, KNOWN_PUTS = 200, 50  # a second
SETTLE_SECONDS = 60
QUIET_SECONDS = 10  # of a fresh process, until it has done what a start has to do
STOP_SECONDS = 15
LONGEST_TURN = 300  # for an attack that ends by itself
PUT_P99 = 0.050


class Run:
    """One run in a folder. What it finds stands in `verdicts`."""

    def __init__(self, settings, folder, seed, turns):
        self.settings, self.folder, self.seed, self.turns = settings, folder, seed, turns
        self.verdicts = []
        self.pause = threading.Event()  # never set: for waiting

    def turn(self, server, attacks, seconds, sampler, events, tokens):
        """Starts them all, waits until their time is over, stops them, judges them."""
        print(f"==> {', '.join(each.name for each in attacks)}", flush=True)
        alone = any(each.alone for each in attacks)
        seconds = max([seconds, *(each.least_seconds for each in attacks)])
        if alone:
            events.pause()
        begin, samples = time.monotonic(), len(sampler.samples)
        try:
            for each in attacks:
                each.start(server)
            while time.monotonic() - begin < LONGEST_TURN and server.process.poll() is None:
                over = [each.is_over() for each in attacks]
                if all(each is not False for each in over) and (None not in over or time.monotonic() - begin >= seconds):
                    break
                self.pause.wait(0.5)
            end = time.monotonic()
        finally:
            for each in attacks:
                each.stop()
            if alone:
                events.go_on()
        for each in attacks:
            wrong = judged(each)
            self.verdicts.append(Verdict(f"{each.name}: {each.promise}", "; ".join([*wrong, each.told()]), not wrong))
        took = p99(tokens.latencies, begin, end)
        self.verdicts.append(Verdict(f"PUTs meanwhile: p99 below {1000 * PUT_P99:.0f} ms ({attacks[0].name})",
                                     "nothing was put" if took is None else f"{1000 * took:.1f} ms", took is not None and took < PUT_P99))
        self.verdicts.append(settling.judge_peak(attacks[0].name, [sample["gauges"]["resident_bytes"] for sample in sampler.samples[samples:]]))

    def attack(self, server, seconds):
        """All turns, with known load beside them; then the minute in which all has to be over."""
        sampler = Sampler(server)
        events, tokens = FewerObjects(server, self.seed, KNOWN_EVENTS), KnownTokens(server, self.seed + 1, KNOWN_PUTS)
        try:
            for each in (sampler, events, tokens):
                each.start()
            for attacks in self.turns:
                self.turn(server, attacks, seconds / len(self.turns), sampler, events, tokens)
        finally:
            events.end()
            tokens.end()
        attacked = len(sampler.samples)
        self.pause.wait(SETTLE_SECONDS)
        sampler.stop()
        sampler.close()
        failures = [each.failure for each in (sampler, events, tokens) if each.failure]
        self.verdicts.append(Verdict("everybody who behaves is answered well", "; ".join(failures) or
                                     f"{events.sent:,} events, {len(tokens.latencies):,} PUTs, {events.refusals + tokens.refusals} sent again", not failures))
        return [sample["gauges"] for sample in sampler.samples[attacked:]], (events, tokens)

    def count(self, server, known, when):
        """Asks for all that is known."""
        for kind, client in zip(("events", "tokens"), known):
            client.port = server.port
            try:
                asked, wrong = client.differences()
            except (OSError, http.client.HTTPException, RuntimeError) as failed:
                asked, wrong = 0, [f"{type(failed).__name__}: {failed}"]
            self.verdicts.append(Verdict(f"counts of {kind} are exact {when}", "; ".join(wrong[:3]) or f"{asked:,} objects", asked > 0 and not wrong))

    def stop(self, server):
        begin = time.monotonic()
        ended = server.stop(STOP_SECONDS)
        self.verdicts.append(Verdict(f"SIGTERM ends it with 0 within {STOP_SECONDS} s", f"{ended} after {time.monotonic() - begin:.1f} s", ended == 0))

    def settle(self, after, known):
        """A fresh process on the same data: the same counts, and gauges to compare with."""
        server = serve(self.settings, self.folder, "fresh")
        try:
            sampler = Sampler(server)
            self.pause.wait(QUIET_SECONDS)
            fresh = sampler.look()["gauges"]
            sampler.close()
            self.verdicts += [settling.judge_gauges(after, fresh), settling.judge_resident(after, fresh)]
            self.count(server, known, "after a restart")
        finally:
            server.stop(STOP_SECONDS)

    def verify(self):
        words = [self.settings.footfall, "verify", "views", "--data", os.path.join(self.folder, "data")]
        self.settings.note(words)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        said = (done.stdout.strip() or done.stderr.strip()).split("\n")[-1]
        self.verdicts.append(Verdict("footfall verify views prints no difference", said, done.returncode == 0))

    def all(self, seconds):
        server = serve(self.settings, self.folder, "attacked")
        try:
            after, known = self.attack(server, seconds)
            self.count(server, known, "after all attacks")
            self.stop(server)
        finally:
            server.stop(STOP_SECONDS)
        self.settle(after, known)
        self.verify()


def judged(attack):
    """What it says; that it cannot say it, where the server does not answer."""
    try:
        return attack.judge()
    except (OSError, http.client.HTTPException, ValueError) as failed:
        return [f"{type(failed).__name__}: {failed}"]


def table(verdicts):
    """A line for each promise; broken ones last, where they are seen."""
    ordered = sorted(verdicts, key=lambda verdict: not verdict.kept)
    broken = sum(not verdict.kept for verdict in ordered)
    return "\n".join([*(f"{'kept' if verdict.kept else 'BROKEN':<7} {verdict.promise}: {verdict.found}" for verdict in ordered),
                      f"{len(ordered) - broken} promises kept, {broken} broken"])


def prove(asked):
    settings = Settings(asked.build, quick=False)
    others = os.sched_getaffinity(0) - {int(settings.server_cores)}
    if others:
        os.sched_setaffinity(0, others)
    raise_descriptor_limit()
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="run-", dir=asked.folder) as folder:
        print(f"==> {kept.commit()}, seed {asked.seed}", flush=True)
        if asked.only != "api":
            run = Run(settings, folder, asked.seed, [all_turns()[number - 1] for number in asked.turns])
            verdicts = run.verdicts
            with contextlib.ExitStack() as at_end:
                for name in ("attacked", "fresh"):
                    at_end.callback(keep_log, folder, name, asked.folder)
                run.all(60 * asked.minutes)
        if asked.only != "attacks":
            print("==> the description of the API against what is answered", flush=True)
            verdicts = verdicts + list(api_description.hold(settings, folder, asked.folder, asked.examples, asked.seed))
    with open(os.path.join(asked.folder, "hostile.json"), "w", encoding="utf-8") as file:
        json.dump([verdict.__dict__ for verdict in verdicts], file, indent=1)
    print(table(verdicts), flush=True)
    return all(verdict.kept for verdict in verdicts)


def keep_log(folder, name, target):
    with contextlib.suppress(FileNotFoundError):
        shutil.copy(os.path.join(folder, f"{name}.log"), target)


def main():
    parser = argparse.ArgumentParser(prog="./prove hostile", description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=7, help="how long the attacks last together, if none needs longer [7]")
    parser.add_argument("--only", choices=["attacks", "api"], help="one part alone")
    parser.add_argument("--turns", type=int, nargs="+", default=range(1, len(all_turns()) + 1), choices=range(1, len(all_turns()) + 1), metavar="N",
                        help="these turns alone, of " + ", ".join(f"{number}: {turn[0].name}" for number, turn in enumerate(all_turns()[:-1], 1)) +
                        f", {len(all_turns())}: all that can go on together")
    parser.add_argument("--examples", type=int, default=50, help="requests for each operation of the API [50]")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FOOTFALL_SEED", time.time_ns() % (1 << 31))), help="[drawn]")
    parser.add_argument("--folder", default=os.path.join(TOP, "build", "prove", "hostile"), help="for results [build/prove/hostile]")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.minutes <= 0:
        parser.error("MINUTES are above 0")
    os.makedirs(asked.folder, exist_ok=True)
    return 0 if prove(asked) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the server must not be left behind
    try:
        sys.exit(main())
    except (RuntimeError, KeyboardInterrupt) as failed:
        sys.exit(f"./prove hostile: {failed or 'interrupted'}")
