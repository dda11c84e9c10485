"""Income over HTTP: a server that imported clicks and rates, under load; and a counter's GET on the same server."""

import json
import os
import random
import re
import shutil
import statistics
import time
import urllib.request

import exact
from clients import bench, figures, http_get, run
from programs import footfall

RESELLERS = 16
QUESTIONS = 10_000
CHECKED = 300
COUNTERS = 10_000
CONNECTIONS = 64
ROWS_PATIENCE = 120
BACKDATED = 1_826  # days before the last


def some(folder, target):
    """The clicks and rates of the first resellers, as files of their own."""
    names = {f"reseller-{number}" for number in range(RESELLERS)}
    os.makedirs(target)
    for name, column in (("clicks.csv", 4), ("rates.csv", 0)):
        with open(os.path.join(folder, name), encoding="utf-8") as source, open(os.path.join(target, name), "w", encoding="utf-8") as file:
            file.write(next(source))
            file.writelines(line for line in source if line.split(",")[column] in names)
    return names


def load_server(settings, server, folder):
    """Rates first: then no click is there before the rate it is paid at."""
    url = f"http://127.0.0.1:{server.port}"
    run(settings, [settings.footfall, "import", os.path.join(folder, "rates.csv"), "--as", "rates", "--format", "csv", "--map",
                   "reseller=reseller,effective_since=effective_since,reward_percent=reward_percent", "--set", "reason=agreed", "--server", url])
    run(settings, [settings.footfall, "import", os.path.join(folder, "clicks.csv"), "--as", "events", "--format", "csv", "--map",
                   "id=id,time=time,action=action,object=object,reseller=reseller,amount=amount", "--set", "currency=USD", "--time-format", "unix",
                   "--server", url])


def wait_for_rows(server):
    """Until all that was imported is in rows: what is measured is answering, not this."""
    deadline = time.monotonic() + ROWS_PATIENCE
    while time.monotonic() < deadline:
        if re.search(r"^footfall_ads_waiting 0$", http_get(server, "/metrics").decode(), re.MULTILINE):
            return
        time.sleep(0.2)
    raise RuntimeError(f"the clicks were not in rows after {ROWS_PATIENCE} s")


def target(question):
    reseller, first, last = question
    return f"/api/v1/resellers/{reseller}/income?from={exact.day_text(first)}&to={exact.day_text(last)}&currency=USD&group_by=none"


def draw(fill):
    source = random.Random(16)
    questions = []
    for _ in range(QUESTIONS):
        days = sorted(source.randint(fill["first_day"], fill["last_day"]) for _ in range(2))
        questions.append((f"reseller-{source.randrange(RESELLERS)}", *days))
    return questions


def compare(server, books, questions):
    for question in questions:
        income = exact.micros(json.loads(http_get(server, target(question)))["income"])
        if income != books.income(*question):
            raise RuntimeError(f"GET {target(question)} has {income} micros, and should have {books.income(*question)}")


def gets(settings, server, path, rate=None):
    """By `footfall bench gets`; every answer has to be 200."""
    report = os.path.join(settings.folder, "bench.json")
    words = [settings.footfall, "bench", "gets", path, "--server", f"http://127.0.0.1:{server.port}", "--server-pid", str(server.pid),
             "--connections", str(CONNECTIONS), "--duration", str(settings.seconds), "--warm-up", str(settings.warm_up), "--json", report]
    run(settings, words + (["--rate", str(round(rate))] if rate else []))
    with open(report, encoding="utf-8") as file:
        found = figures(json.load(file))
    if found["failed"]:
        raise RuntimeError(f"{found['failed']} of the GETs failed")
    return found


def write_lines(settings, name, lines):
    path = os.path.join(settings.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def medians(rounds):
    shown = {name: statistics.median(each[name] for each in rounds) for name in ("rate", "server_us", "server_busy", "p50_ms", "p99_ms")}
    shown["limited_by"] = statistics.mode(each["limited_by"] for each in rounds)
    return shown


def put_rate(server, reseller, day, share):
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/api/v1/resellers/{reseller}/rates/{exact.day_text(day)}",
        json.dumps({"reward_percent": f"0.{share:06}", "reason": "agreed anew"}).encode(), {"Content-Type": "application/json"}, method="PUT")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.status


def measure_loads(settings, server, questions):
    incomes = write_lines(settings, "incomes", map(target, questions))
    counters = write_lines(settings, "counters", (f"/api/v1/counter/{number}" for number in range(COUNTERS)))
    bench(settings, server, "--objects", COUNTERS, "--no-verify", "--connections", CONNECTIONS)  # so that there is something to count
    rounds = {"income": [], "counter": [], "income_half": [], "counter_half": []}
    for _ in range(settings.rounds):
        for name, path in (("income", incomes), ("counter", counters)):
            most = gets(settings, server, path)
            rounds[name].append(most)
            rounds[name + "_half"].append(gets(settings, server, path, most["rate"] / 2))
    return {name: medians(each) for name, each in rounds.items()}


def measure(settings, folder, fill):
    mine = os.path.join(settings.folder, "served")
    names = some(folder, mine)
    books = exact.Books(os.path.join(mine, "clicks.csv"), os.path.join(mine, "rates.csv"), names)
    questions = draw(fill)
    with footfall(settings, "200ms") as server:
        load_server(settings, server, mine)
        wait_for_rows(server)
        compare(server, books, questions[:CHECKED])
        found = {"resellers": RESELLERS, "connections": CONNECTIONS, "clicks": sum(1 for _ in open(os.path.join(mine, "clicks.csv"), encoding="utf-8")) - 1, "compared": CHECKED,
                 "loads": measure_loads(settings, server, questions)}
        compare(server, books, questions[:CHECKED])
        # The very next answer has a rate of the past.
        day, share = fill["last_day"] - BACKDATED, 654_321
        if put_rate(server, "reseller-0", day, share) != 201:
            raise RuntimeError("the rate was not recorded")
        books.set_rate("reseller-0", day, share)
        compare(server, books, [("reseller-0", fill["first_day"], fill["last_day"])])
    shutil.rmtree(mine)
    for name, each in found["loads"].items():
        print(f"    {name}: {each['rate']:,.0f}/s, {each['server_us']:.2f} us, p50 {each['p50_ms']:.3f} ms, p99 {each['p99_ms']:.3f} ms", flush=True)
    return found
