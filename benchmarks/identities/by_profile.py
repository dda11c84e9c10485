"""What people by profile cost a server of its own, each answer held to a count by hand.

    python3 benchmarks/identities/by_profile.py PROGRAM [--events 1000000] [--actors 100000]

Half of the events are views of one object, half clicks on an ad by a thousand objects, over 28 days; one actor in five is matched with
another one, two and two. Printed for each question: records of the log that were looked at, events that count, actors, people, and of
three times asked the median on the wall and of CPU of the server.
"""

import argparse
import collections
import datetime
import http.client
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")
DAYS = 28
# No two events of an actor on an object are nearer than two hours, so none is refused as a repeat.
TURNS = DAYS * 12
LINES = 50_000
MATCHES = 2_000


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def ask(connection, method, path, body=None):
    connection.request(method, path, body, {"Content-Type": "application/x-ndjson"} if body else {})
    response = connection.getresponse()
    text = response.read().decode()
    if response.status != 200:
        sys.exit(f"{method} {path}: {response.status}: {text}")
    return text


def person_of(actor, actors):
    """Of the first fifth of the actors two and two are one."""
    return actor - actor % 2 if actor < actors // 5 else actor


def events_of(asked, begin):
    """(action, object, actor, day) with the line that says it."""
    chance = random.Random(1)
    rounds = asked.events // (2 * asked.actors)
    for action in ("view", "click"):
        for actor in range(asked.actors):
            for turn in chance.sample(range(TURNS), rounds):
                when = begin + datetime.timedelta(hours=2 * turn)
                event = {"action": action, "object": "hot", "actor": f"u{actor}", "time": when.isoformat() + "Z"}
                if action == "click":
                    event |= {"object": f"o{chance.randrange(1000)}", "ad": "banner"}
                yield (action, event["object"], actor, when.date()), json.dumps(event)


def load(connection, asked, begin):
    """Sends all of it; answers who did what on which day."""
    said = collections.defaultdict(list)
    lines = []
    for (action, name, actor, day), line in events_of(asked, begin):
        said[action, "hot" if action == "view" else "banner"].append((actor, day))
        if action == "click":
            said[action, name].append((actor, day))
        lines.append(line)
        if len(lines) == LINES:
            ask(connection, "POST", "/api/v1/events", "\n".join(lines))
            lines.clear()
    if lines:
        ask(connection, "POST", "/api/v1/events", "\n".join(lines))
    pairs = [json.dumps({"ids": [{"identifier": "footfall", "id_name": "actor", "id_value": f"u{each}"} for each in (first, first + 1)]})
             for first in range(0, asked.actors // 5 - 1, 2)]
    for first in range(0, len(pairs), MATCHES):
        ask(connection, "POST", "/api/v1/identities/match", "\n".join(pairs[first:first + MATCHES]))
    return said


def wait_until_merged(connection):
    """What was sent is merged with its rows behind the answers, which takes CPU that is no question's."""
    waiting = re.compile(r"^footfall_(?:view_unsaved|ads_waiting|identities_waiting) [1-9]", re.MULTILINE)
    while waiting.search(ask(connection, "GET", "/metrics")):
        time.sleep(0.1)


def check(path, answer, counted, said, asked):
    if answer[counted] != len(said) or answer["actors"] != len({actor for actor, _ in said}):
        sys.exit(f"{path}: other events than were sent")
    if answer["people"] != len({person_of(actor, asked.actors) for actor, _ in said}):
        sys.exit(f"{path}: {answer['people']} people")
    people = collections.defaultdict(set)
    for actor, day in said:
        people[day.isoformat()].add(person_of(actor, asked.actors))
    if {each["day"]: each["people"] for each in answer["days"]} != {day: len(each) for day, each in people.items()}:
        sys.exit(f"{path}: other people by day")


def measure(server, connection, name, path, counted, said, asked):
    walls, cpus = [], []
    for _ in range(3):
        cpu, wall = cpu_seconds(server.pid), time.monotonic()
        answer = json.loads(ask(connection, "GET", path))
        cpus.append(cpu_seconds(server.pid) - cpu)
        walls.append(time.monotonic() - wall)
        check(path, answer, counted, said, asked)
    print(f"{name}: {answer['looked_at']} records, {answer[counted]} events of {answer['actors']} actors who are {answer['people']}: "
          f"{statistics.median(walls):.2f} s, {statistics.median(cpus):.2f} s of CPU")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--events", type=int, default=1_000_000, help="of both kinds together (1,000,000)")
    parser.add_argument("--actors", type=int, default=100_000, help="who did them (100,000)")
    asked = parser.parse_args()
    today = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    begin = today - datetime.timedelta(days=DAYS + 1)
    with tempfile.TemporaryDirectory() as folder:
        words = [asked.program, "serve", "--data", os.path.join(folder, "data"), "--listen", "127.0.0.1:0"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
            try:
                port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline()).group(1))
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
                said = load(connection, asked, begin)
                wait_until_merged(connection)
                day = begin.date() + datetime.timedelta(days=DAYS - 1)
                views = said["view", "hot"]
                clicks, clicks_of_one = said["click", "banner"], said["click", "o7"]
                for name, path, counted, of in (
                        ("the walk alone, all lanes", "ads/nobody/clicks?by=profile", "clicks", []),
                        ("clicks of an ad", "ads/banner/clicks?by=profile", "clicks", clicks),
                        ("views of an object, all in one lane", "views/hot?by=profile", "counted", views),
                        ("the same, of one day", f"views/hot?by=profile&from={day}&to={day}", "counted", [each for each in views if each[1] == day]),
                        ("clicks on one object of a thousand", "views/o7?by=profile&action=click", "counted", clicks_of_one)):
                    measure(server, connection, name, f"/api/v1/{path}", counted, of, asked)
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
