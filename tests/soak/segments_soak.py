"""`./prove segments`: minutes of members, ends, merges, detaches, questions and webhooks on a server with little memory; then all is quiet:
no change is missing, what waits is gone, memory has levelled off, and `footfall verify segments` finds no difference."""

import argparse
import collections
import http.client
import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import kept  # noqa: E402
import samples  # noqa: E402
from judgement import MIB, Plan, Verdict, growth, judge_budget  # noqa: E402
from programs import Settings, footfall  # noqa: E402

IDS = 100_000  # of each of two networks
SEGMENTS = ("spring", "summer", "autumn", "winter")
TOLD, TOLD_MEMBERS = "told", 40  # the segment of webhooks: a receiver that fails half the time takes a request in one to two seconds
MEMBERS, REMOVED, LINKS = 1_500, 150, 100  # of a request
PATIENCE, QUIET_SECONDS = 60, 60
ALL_CORES = ",".join(map(str, sorted(os.sched_getaffinity(0))))
PARTS = ("footfall_segments_", "footfall_audience_", "footfall_audit_", "footfall_webhook", "footfall_account_differences")
NDJSON = {"Content-Type": "application/x-ndjson"}


def member(network, number, **more):
    return {"identifier": network, "id_name": "id", "id_value": f"u{number}", **more}


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


class Asking:
    """One connection with a key. Who is told to wait waits."""

    def __init__(self, server, key):
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.answers = collections.Counter()

    def ask(self, method, path, body=None, headers=None):
        until = time.monotonic() + 60
        while True:
            self._connection.request(method, path, body, {**self._headers, **(headers or {})})
            answer = self._connection.getresponse()
            said = answer.read()
            self.answers[answer.status] += 1
            if answer.status != 503 or time.monotonic() > until:
                return answer.status, said
            time.sleep(min(5.0, float(answer.headers.get("Retry-After", "1"))))

    def must(self, method, path, body=None, headers=None):
        status, said = self.ask(method, path, body, headers)
        if status not in (200, 201, 204):
            raise RuntimeError(f"{method} {path}: {status} {said[:300].decode(errors='replace')}")
        return said


class Receiver(http.server.BaseHTTPRequestHandler):
    """Fails half the time at /half, always at /never. `taken`: numbers by webhook, of what it answered for."""

    taken = collections.defaultdict(set)
    chance = random.Random(7)

    def do_POST(self):  # noqa: N802: the name is the library's
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        good = self.path == "/half" and self.chance.random() < 0.5
        if good:
            self.taken[said["webhook"]].update(change["number"] for change in said["changes"])
        self.send_response(200 if good else 500)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Load:
    """What is sent, a thread for each kind, until stop(). Failures end it."""

    def __init__(self, server, admin, audience):
        self.server, self.admin, self.audience = server, admin, audience
        self.stopped = threading.Event()
        self.failures, self.done = [], collections.Counter()
        self.answers = collections.Counter()
        self.changes, self.gaps = 0, 0
        self._sids = collections.deque(maxlen=1000)
        self._threads = [threading.Thread(target=self._run, args=kind) for kind in (
            (self._members, 0.5, 1), (self._links, 0.2, 2), (self._detach, 0.2, 3), (self._questions, 0.3, 4), (self._changes, 0.1, 5))]

    def start(self):
        for each in self._threads:
            each.start()

    def stop(self):
        self.stopped.set()
        for each in self._threads:
            each.join()

    def _run(self, turn, pause, seed):
        asking, outsider = Asking(self.server, self.admin), Asking(self.server, self.audience)
        chance = random.Random(seed)
        try:
            while not self.stopped.wait(pause):
                turn(asking, outsider, chance)
        except (OSError, http.client.HTTPException, RuntimeError, KeyError, ValueError) as failed:
            self.failures.append(f"{turn.__name__}: {failed}")
            self.stopped.set()
        self.answers.update(asking.answers + outsider.answers)

    def _members(self, asking, _, chance):
        segment = chance.choice(SEGMENTS)
        some = [member(chance.choice(("www", "app")), chance.randrange(IDS), **({"ttl": chance.randrange(1, 60)} if chance.random() < 0.2 else {}))
                for _ in range(MEMBERS)]
        asking.must("POST", f"/api/v1/segments/{segment}/members", lines_of(some), NDJSON)
        gone = [member(chance.choice(("www", "app")), chance.randrange(IDS)) for _ in range(REMOVED)]
        asking.must("DELETE", f"/api/v1/segments/{segment}/members", lines_of(gone), NDJSON)
        for method in ("POST", "DELETE"):
            some = [member(chance.choice(("www", "app")), chance.randrange(IDS)) for _ in range(TOLD_MEMBERS)]
            asking.must(method, f"/api/v1/segments/{TOLD}/members", lines_of(some), NDJSON)
        self.done["members"] += MEMBERS + TOLD_MEMBERS
        self.done["removed"] += REMOVED + TOLD_MEMBERS

    def _links(self, asking, _, chance):
        numbers = [chance.randrange(IDS) for _ in range(LINKS)]
        said = asking.must("POST", "/api/v1/identities/match",
                           lines_of({"ids": [member("www", each), member("app", each)], "source": "soak"} for each in numbers), NDJSON)
        for number, line in list(zip(numbers, said.splitlines(), strict=True))[:10]:
            self._sids.append((json.loads(line).get("sid"), number))
        self.done["matches"] += LINKS

    def _detach(self, asking, _, chance):
        if not self._sids:
            return
        sid, number = self._sids.popleft()
        status, said = asking.ask("POST", f"/api/v1/profiles/{sid}/detach", json.dumps({"ids": [member("app", number)], "reason": "soak"}))
        if status >= 500:
            raise RuntimeError(f"detach: {status} {said[:300]}")
        self.done["detaches" if status < 300 else "detaches that were none"] += 1

    def _questions(self, asking, outsider, chance):
        two = json.dumps({"segments": chance.sample(SEGMENTS, 2)})
        status, said = outsider.ask("POST", "/api/v1/segments/overlap", two)
        if status not in (200, 429):
            raise RuntimeError(f"overlap of an outsider: {status} {said[:300]}")
        asking.must("POST", "/api/v1/segments/overlap", json.dumps({"segments": list(SEGMENTS)}))
        asking.must("GET", f"/api/v1/segments/{chance.choice(SEGMENTS)}/members/www/id/u{chance.randrange(IDS)}")
        asking.must("POST", "/api/v1/webhooks/never/resume")  # an act of the audit log
        self.done["questions"] += 4

    def _changes(self, asking, *_):
        """All of one segment, each once."""
        said = json.loads(asking.must("GET", f"/api/v1/segments/spring/changes?after={self.changes}&limit=10000"))
        for change in said["changes"]:
            self.gaps += change["number"] != self.changes + 1
            self.changes = change["number"]

    def read_changes(self):
        asking, before = Asking(self.server, self.admin), -1
        while before != self.changes:
            before = self.changes
            self._changes(asking)


class Watching:
    """A sample of all gauges each second."""

    def __init__(self, server, admin):
        self.server, self._asking = server, Asking(server, admin)
        self.taken, self.begin = [], time.monotonic()

    def look(self):
        gauges, totals = samples.parse_metrics(self._asking.must("GET", "/metrics").decode())
        gauges.update(samples.of_process(self.server.pid))
        self.taken.append({"at": time.monotonic() - self.begin, "gauges": gauges, "totals": totals})
        return self.taken[-1]

    def until(self, is_over, pause=1.0):
        clock = threading.Event()
        while not is_over():
            now = self.look()
            if len(self.taken) % 15 == 0:
                gauges = now["gauges"]
                print(f"    {now['at']:5.0f} s  {gauges['resident_bytes'] / MIB:6.0f} MiB resident  {gauges['footfall_segments_people']:8,.0f} people  "
                      f"behind {gauges['footfall_segments_behind_seconds']:.1f} s  waiting {gauges['footfall_segments_waiting']:,.0f}", flush=True)
            clock.wait(pause)

    def resident(self, begin, end):
        return [(each["at"], each["gauges"]["resident_bytes"]) for each in self.taken if begin <= each["at"] < end]


def is_quiet(gauges, hooks, number):
    return gauges["footfall_segments_waiting"] == 0 and gauges["footfall_segments_behind_seconds"] < 2 and number <= max(hooks, default=0)


def drifted(before, after):
    """Gauges of these parts of which something is left that was not there before: {name: value}."""
    return {name: value for name, value in after.items()
            if name.startswith(PARTS) and any(word in name for word in ("waiting", "queued", "pending", "behind", "differences", "in_flight"))
            and value > before.get(name, 0) + (2 if "behind" in name else 0)}


def run(settings, asked):
    plan = Plan(asked.minutes, memory_bytes=asked.memory << 20)
    hooks = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=hooks.serve_forever, daemon=True).start()
    with footfall(settings, "always", threads=0, cores=ALL_CORES, config='segments_webhooks = "anywhere"\n', memory=f"{asked.memory}MiB") as server:
        keys = {}
        for name, scope in (("ops", "admin"), ("partner", "audience")):
            words = [settings.footfall, "keys", "add", name, "--scope", scope, "--json", "--server", f"http://127.0.0.1:{server.port}"]
            keys[name] = json.loads(subprocess.run(words, capture_output=True, check=True, text=True,
                                                   env={**os.environ, "FOOTFALL_KEY": keys.get("ops", "")}).stdout)["key"]
        asking = Asking(server, keys["ops"])
        for segment in (*SEGMENTS, TOLD):
            asking.must("POST", f"/api/v1/segments/{segment}/members", lines_of([member("www", 0)]), NDJSON)
        for name in ("half", "never"):
            url = f"http://127.0.0.1:{hooks.server_port}/{name}"
            asking.must("PUT", f"/api/v1/webhooks/{name}", json.dumps({"segment": TOLD, "network": "www", "url": url}))
        watching, load = Watching(server, keys["ops"]), Load(server, keys["ops"], keys["partner"])
        before = watching.look()["gauges"]
        load.start()
        end = time.monotonic() + plan.seconds
        watching.until(lambda: load.stopped.is_set() or time.monotonic() > end)
        load.stop()
        loaded = watching.taken[-1]["at"]
        # The ends of members that were sent last come within a minute.
        over = time.monotonic() + 60
        watching.until(lambda: time.monotonic() > over)
        deadline = time.monotonic() + QUIET_SECONDS
        asking, www = Asking(server, keys["ops"]), set()  # the server ends connections on which nothing is asked

        def told():
            load.read_changes()
            www.update(each["number"] for each in changes_of(asking, max(www, default=0)))
            return (is_quiet(watching.taken[-1]["gauges"], Receiver.taken["half"], max(www, default=0))
                    and www <= Receiver.taken["half"]) or time.monotonic() > deadline

        watching.until(told)
        after = watching.look()["gauges"]
        yield from verdicts(load, before, after, watching, loaded, plan, www)
        ended = server.stop()
        yield Verdict("SIGTERM ends it with 0", f"exit status {ended}", ended == 0)
        words = [settings.footfall, "verify", "segments", "--data", os.path.join(server.folder, "data")]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        yield Verdict("footfall verify segments prints no difference", (done.stdout.strip() or done.stderr.strip()).split("\n")[-1], done.returncode == 0)
    hooks.shutdown()


def changes_of(asking, after):
    while True:
        said = json.loads(asking.must("GET", f"/api/v1/segments/{TOLD}/changes?network=www&after={after}&limit=10000"))
        yield from said["changes"]
        if not said["more"]:
            return
        after = said["next"]


def verdicts(load, before, after, watching, loaded, plan, www):
    yield Verdict("all is answered well", "; ".join(load.failures) or f"{dict(load.done)}, by status {dict(load.answers)}", not load.failures)
    yield Verdict("changes have no gap", f"{load.changes:,} changes, {load.gaps} gaps", load.changes > 0 and load.gaps == 0)
    taken = Receiver.taken["half"]
    yield Verdict("a receiver that fails half the time has each change of its network, and no other",
                  f"{len(www):,} changes, {len(www - taken):,} missing, {len(taken - www):,} others", bool(www) and www == taken)
    left = drifted(before, after)
    yield Verdict("what waits is gone", str(left or "nothing is left"), not left)
    # A process that has not begun to derive yet does not say how far it is.
    behind = [each["gauges"]["footfall_segments_behind_seconds"] for each in watching.taken
              if each["at"] < loaded and "footfall_segments_behind_seconds" in each["gauges"]]
    yield Verdict("numbers are as of 2 s ago at the latest, in 99 of 100 seconds", f"longest {max(behind):.1f} s, of 100 the second {sorted(behind)[len(behind) * 99 // 100]:.1f} s",
                  sorted(behind)[len(behind) * 99 // 100] <= 2)
    resident = watching.resident(0, loaded)
    yield judge_budget(resident, plan)
    grown, level, spread = growth(watching.resident(loaded / 2, loaded))
    yield Verdict("resident memory levels off in the second half", f"{grown / MIB:.1f} MiB more than {level / MIB:.0f} MiB",
                  grown <= max(16 * MIB, spread / 2))
    for name in sorted(after):
        if name.startswith(PARTS) or name == "resident_bytes":
            print(f"    {name}: {before.get(name, 0):,.0f} before, {after[name]:,.0f} after")


def main():
    parser = argparse.ArgumentParser(prog="./prove segments", description=__doc__)
    parser.add_argument("minutes", type=float, nargs="?", default=6)
    parser.add_argument("--memory", type=int, default=96, metavar="MIB", help="of the server (96)")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    settings = Settings(asked.build, quick=False)
    os.makedirs(kept.FOLDER, exist_ok=True)
    print(f"load before: {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(prefix="segments-soak-", dir=kept.FOLDER) as settings.folder:
        kept_promises = [print_verdict(each) for each in run(settings, asked)]
    print(f"load after: {os.getloadavg()[0]:.1f}")
    return 0 if all(kept_promises) else 1


def print_verdict(verdict):
    print(f"{'ok    ' if verdict.kept else 'BROKEN'}  {verdict.promise}: {verdict.found}", flush=True)
    return verdict.kept


if __name__ == "__main__":
    sys.exit(main())
