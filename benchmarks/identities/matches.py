"""What a match costs a server of its own, by NDJSON, each answer held to what was said.

    python3 benchmarks/identities/matches.py PROGRAM [--matches 50000] [--lines 5000] [--memory 1GiB] [--core 0]

Each match has two ids: a browser that is new, and a customer who is new in the first two parts, and in the two after them known in every
second match. Every answer is durable, and the profiles stand when it comes. Printed for each part: matches a second on the wall, and CPU
of the server for a match. At the end, one by one: matches of which the customer is known, and look-ups of browsers at random.
"""

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def line(browser, customer):
    return json.dumps({"source": "shop", "ids": [
        {"identifier": "www", "id_name": "browser", "id_value": f"b{browser}"},
        {"identifier": "crm", "id_name": "customer", "id_value": f"c{customer}"},
    ]})


class Customers:
    """Who each customer is, by the answers so far."""

    def __init__(self):
        self.sids = {}
        self.chance = random.Random(1)

    def next(self, number, share_known):
        return self.chance.randrange(number) if self.chance.random() < share_known else number

    def check(self, customers, answers):
        for customer, answer in zip(customers, answers, strict=True):
            if self.sids.setdefault(customer, answer["sid"]) != answer["sid"]:
                sys.exit(f"customer {customer} is in two profiles")
        if len(set(self.sids.values())) != len(self.sids):
            sys.exit("two customers are in one profile")


def connect(port):
    return http.client.HTTPConnection("127.0.0.1", port, timeout=300)


def post(connection, lines):
    connection.request("POST", "/api/v1/identities/match", "\n".join(lines), {"Content-Type": "application/x-ndjson"})
    response = connection.getresponse()
    body = response.read().decode()
    if response.status != 200:
        sys.exit(f"{response.status}: {body}")
    return [json.loads(each) for each in body.splitlines()]


def measure(server, port, customers, begin, share_known, asked):
    connection = connect(port)
    said = []
    cpu, wall = cpu_seconds(server.pid), time.monotonic()
    for first in range(begin, begin + asked.matches, asked.lines):
        numbers = range(first, min(first + asked.lines, begin + asked.matches))
        named = [customers.next(each, share_known) for each in numbers]
        said.append((named, post(connection, [line(*each) for each in zip(numbers, named)])))
    cpu, wall = cpu_seconds(server.pid) - cpu, time.monotonic() - wall
    for named, answers in said:
        customers.check(named, answers)
    print(f"{asked.matches} matches, {share_known:.0%} known: {asked.matches / wall:.0f}/s, {1e6 * cpu / asked.matches:.0f} us of CPU a match")


def one_by_one(what, number, ask):
    times = []
    for _ in range(number):
        begin = time.monotonic()
        ask()
        times.append(1e3 * (time.monotonic() - begin))
    times.sort()
    print(f"{number} {what}, one by one: p50 {times[number // 2]:.2f} ms, p99 {times[number * 99 // 100]:.2f} ms")


def match_one(connection, customers, browser):
    customer = customers.chance.randrange(browser)
    connection.request("POST", "/api/v1/identities/match", line(browser, customer), {"Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    if customers.sids.setdefault(customer, answer["sid"]) != answer["sid"]:
        sys.exit(f"customer {customer} is in two profiles")


def look_up(connection, customers, browsers):
    connection.request("GET", f"/api/v1/identities/www/browser/b{customers.chance.randrange(browsers)}")
    response = connection.getresponse()
    body = response.read()
    if response.status != 200:
        sys.exit(f"a browser is not found: {body.decode()}")


def resident_mebibytes(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) // 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--matches", type=int, default=50_000, help="in each part (50,000)")
    parser.add_argument("--lines", type=int, default=5_000, help="in each request (5,000)")
    parser.add_argument("--memory", help="of the server, as 1GiB (its own choice)")
    parser.add_argument("--core", type=int, help="the only one that the server may run on (any)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = [asked.program, "serve", "--data", os.path.join(folder, "data"), "--listen", "127.0.0.1:0"]
        words += ["--memory", asked.memory] if asked.memory else []
        words = ["taskset", "--cpu-list", str(asked.core), *words] if asked.core is not None else words
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
            try:
                port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline()).group(1))
                customers = Customers()
                for part, share_known in enumerate((0, 0, 0.5, 0.5)):
                    measure(server, port, customers, part * asked.matches, share_known, asked)
                    print(f"    {resident_mebibytes(server.pid)} MiB are resident", flush=True)
                connection = connect(port)
                browsers = iter(range(4 * asked.matches, 5 * asked.matches))
                one_by_one("matches", 1000, lambda: match_one(connection, customers, next(browsers)))
                one_by_one("look-ups", 5000, lambda: look_up(connection, customers, 4 * asked.matches))
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
