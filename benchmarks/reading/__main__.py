"""`./bench reading`: which of M friends read which of 100 URLs, beside Redis and DuckDB; answers are compared first."""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

import kept  # noqa: E402
import machine  # noqa: E402
import models  # noqa: E402
from clients import RedisClient, run  # noqa: E402
from programs import Settings, redis  # noqa: E402

# Shape of who_read_bench, friends, questions to us, of which peers are asked the first.
CASES = ((0, 450, 200, 20), (0, 5_000, 200, 20), (2, 5_000, 200, 20), (3, 5_000, 100, 5), (4, 5_000, 100, 5))
URLS = range(100)


def read_pairs(path):
    """The second of each line by the first."""
    found = {}
    with open(path, encoding="utf-8", newline="") as file:
        for first, second in csv.reader(file):
            found.setdefault(int(first), []).append(second)
    return found


class SetClient(RedisClient):
    """Also commands that answer many integers, or many texts."""

    def ask_many(self, *words):
        texts = [str(word).encode() for word in words]
        self._socket.sendall(b"*%d\r\n" % len(texts) + b"".join(b"$%d\r\n%s\r\n" % (len(text), text) for text in texts))
        count = int(self._lines.readline()[1:])
        if count and self._lines.peek(1)[:1] == b":":
            return [int(self._lines.readline()[1:]) for _ in range(count)]
        return [self._lines.read(int(self._lines.readline()[1:]) + 2)[:-2] for _ in range(count)]


def in_redis(settings, reads, questions):
    """CPU of the server for a question, in microseconds: asked by member, and as an intersection with a set of the friends."""
    with redis(settings, "no log") as server, SetClient(server) as client:
        for url, readers in reads.items():
            for first in range(0, len(readers), 1000):
                client.ask("SADD", f"url:{url}", *readers[first:first + 1000])
        ways = {"SMISMEMBER": lambda url, friends: sum(client.ask_many("SMISMEMBER", f"url:{url}", *friends)),
                "SINTER": lambda url, _: len(client.ask_many("SINTER", f"url:{url}", "friends"))}
        found = {}
        for way, ask in ways.items():
            matches, taken = [], []
            for friends in questions:
                client.ask("DEL", "friends")
                for first in range(0, len(friends), 1000):
                    client.ask("SADD", "friends", *friends[first:first + 1000])
                busy = server.cpu_seconds()
                matches.append(sum(ask(url, friends) for url in URLS))
                taken.append((server.cpu_seconds() - busy) * 1e6)
            found[way] = {"matches": matches, "us": sum(taken) / len(taken)}
        return found


def in_duckdb(folder, questions):
    """CPU of the process for a question, in microseconds."""
    import duckdb
    base = duckdb.connect()
    base.execute("set threads=1")
    base.execute(f"create table reads as select * from read_csv('{folder}/reads.csv', columns={{url: 'INTEGER', reader: 'INTEGER'}}) order by url, reader")
    matches, taken = [], []
    for friends in questions:
        base.execute("create or replace temp table friends as select unnest(?::integer[]) as reader", [[int(each) for each in friends]])
        busy = time.process_time()
        answer = base.execute("select url, list(reader) from reads semi join friends using (reader) group by url").fetchall()
        taken.append((time.process_time() - busy) * 1e6)
        matches.append(sum(len(readers) for _, readers in answer))
    return {"matches": matches, "us": sum(taken) / len(taken)}


def measure(settings, case):
    shape, friends, ours, peers = case
    with tempfile.TemporaryDirectory(prefix="reading-", dir=kept.FOLDER) as folder:
        found = json.loads(run(settings, [os.path.join(settings.peers, "who_read_bench"), str(shape), str(friends), str(ours), folder]))
        questions = read_pairs(os.path.join(folder, "friends.csv"))
        asked = [questions[at] for at in range(peers)]
        sides = in_redis(settings, read_pairs(os.path.join(folder, "reads.csv")), asked)
        sides["DuckDB"] = in_duckdb(folder, asked)
    for side, said in sides.items():
        if said["matches"] != found["matches"][:peers]:
            raise RuntimeError(f"{side} finds {said['matches'][0]} matches where we find {found['matches'][0]}")
    row = {"name": found["name"], "friends": friends, "matches": found["matches"][0], "p50": machine.percentile(sorted(found["us"]), 0.5),
           "p99": machine.percentile(sorted(found["us"]), 0.99), **{side: said["us"] for side, said in sides.items()}}
    print(json.dumps(row), flush=True)
    return row


def beside_older_models(settings, asked):
    measured, cases = (models.embedded, models.EMBEDDED) if asked.models == "embedded" else (models.cassandra, models.CASSANDRA)
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
        rows = measured(settings, models.QUICK if asked.quick else cases)
    kept.save(f"reading-{asked.models}", {"rows": rows, "commit": kept.commit()})
    models.show(rows)


def main():
    parser = argparse.ArgumentParser(prog="./bench reading", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the first case alone, or few reads")
    parser.add_argument("--models", choices=("embedded", "cassandra"), help="both older models in the same store in place of other peers: 30 min")
    parser.add_argument("--build", default=os.path.join(TOP, "build", "release"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    settings = Settings(asked.build, asked.quick)
    os.makedirs(kept.FOLDER, exist_ok=True)
    if asked.models:
        beside_older_models(settings, asked)
        return
    with tempfile.TemporaryDirectory(prefix="run-", dir=kept.FOLDER) as settings.folder:
        rows = [measure(settings, case) for case in (CASES[:1] if asked.quick else CASES)]
    kept.save("reading", {"rows": rows, "commit": kept.commit()})
    print("| URLs | friends | matches | ours p50 | p99 | Redis SMISMEMBER | Redis SINTER | DuckDB |\n|---|---|---|---|---|---|---|---|")
    for row in rows:
        peers = " | ".join(f"{row[side] / 1000:.1f} ms, {row[side] / row['p99']:.0f}x" for side in ("SMISMEMBER", "SINTER", "DuckDB"))
        print(f"| {row['name']} | {row['friends']:,} | {row['matches']:,} | {row['p50']:.0f} us | {row['p99']:.0f} us | {peers} |")
    print(f"kept in {kept.path_of('reading')}")


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, KeyboardInterrupt, subprocess.CalledProcessError) as failed:
        sys.exit(f"./bench: {failed or 'interrupted'}")
