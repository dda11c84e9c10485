"""Objects whose tokens have expired while their rows of the directory have not: each has to be looked at, and none is listed. How long does a
page of `GET /api/v1/counters` take, how long do other reads wait meanwhile, and how long does the server take to stop?

    python3 tests/hostile/slow_reads.py --port 8080 [--objects 120000] [--ttl 40] [--pid PID]

attack() is for whoever runs all attacks; stop_under_reads() ends the server. A row of the directory lasts twice as long as its token, so
the attack has `ttl` seconds from when the tokens expired."""

import argparse
import contextlib
import json
import os
import signal
import socket
import time
import urllib.parse
import uuid

from waits import Waits, ask

PAGE_LIMIT_MS = 1000
WAIT_LIMIT_MS = 50
STOP_LIMIT = 2.0
A_BATCH = 50_000


def put_tokens(host, port, prefix, objects, ttl):
    """A token each. Answers when the last of them expires."""
    for first in range(0, objects, A_BATCH):
        lines = "".join(
            f'{{"object":"{prefix}{number:07}","token":"t","ttl":{ttl}}}\n' for number in range(first, min(first + A_BATCH, objects))
        )
        status, said, _ = ask(host, port, "POST", "/api/v1/counter", lines.encode())
        if status != 200:
            raise RuntimeError(f"POST /api/v1/counter: {status} {said[:300]!r}")
    return time.monotonic() + ttl


def page(host, port, cursor, limit=100):
    """Of the list by name: its JSON, and how long it took."""
    path = f"/api/v1/counters?sort=name&limit={limit}&cursor={urllib.parse.quote(cursor, safe='')}"
    status, said, seconds = ask(host, port, "GET", path)
    if status != 200:
        raise RuntimeError(f"GET {path}: {status} {said[:300]!r}")
    return json.loads(said), seconds


def all_pages(host, port, until):
    """From the first to the last, or until that moment: objects, seconds of each page, whether the end was reached."""
    objects, seconds, cursor = [], [], ""
    while time.monotonic() < until:
        part, took = page(host, port, cursor)
        objects += [each["object"] for each in part["counters"]]
        seconds.append(took)
        if part["next"] is None:
            return objects, seconds, True
        if part["next"] <= cursor:
            raise RuntimeError(f"the cursor {part['next']!r} does not go on from {cursor!r}")
        cursor = part["next"]
    return objects, seconds, False


def leave(host, port, clients, path="/api/v1/counters?sort=name"):
    """So many clients ask for the first page, and are gone a moment later."""
    with contextlib.ExitStack() as open_ones:
        for _ in range(clients):
            client = open_ones.enter_context(socket.create_connection((host, port)))
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        time.sleep(0.2)


def other_reads(run):
    """By name. None of them looks through many objects."""
    return {
        "counter": lambda number: ("GET", f"/api/v1/counter/{run}-lasting"),
        "views": lambda number: ("GET", f"/api/v1/views/{run}-lasting"),
        "event": lambda number: ("GET", f"/api/v1/events/{run}-{number}?object={run}-lasting"),
        "keys": lambda number: ("GET", "/api/v1/keys"),
    }


def attack(host, port, objects=120_000, ttl=40, gone=20):
    """Figures in milliseconds; `wrong`: what should not have happened (empty: nothing)."""
    run = f"slow-{uuid.uuid4().hex[:8]}"
    ask(host, port, "PUT", f"/api/v1/counter/{run}-lasting", "t")
    expired = put_tokens(host, port, f"{run}-brief-", objects, ttl)
    time.sleep(max(0.0, expired - time.monotonic()))
    until = time.monotonic() + ttl * 0.9
    waits = {name: Waits(name, host, port, make) for name, make in other_reads(run).items()}
    with contextlib.ExitStack() as going_on:
        for each in waits.values():
            going_on.enter_context(each)
        listed, seconds, complete = all_pages(host, port, until)
        leave(host, port, gone)
        _, after_those_who_left = page(host, port, "")
    wrong = []
    longest = max(seconds)
    if longest * 1000 > PAGE_LIMIT_MS:
        wrong.append(f"a page took {longest:.2f} s")
    if after_those_who_left * 1000 > 2 * PAGE_LIMIT_MS:
        wrong.append(f"after {gone} clients that left a page took {after_those_who_left:.2f} s")
    if complete and f"{run}-lasting" not in listed:
        wrong.append("the object that has a token is not listed")
    if any(each.startswith(f"{run}-brief-") for each in listed):
        wrong.append("an object without tokens is listed")
    for name, each in waits.items():
        figures = each.figures()
        if figures["longest"] > WAIT_LIMIT_MS:
            wrong.append(f"{name}: waited {figures['longest']} ms, more than {WAIT_LIMIT_MS}")
        if set(each.refused) - {401, 403, 404}:  # there are no such events, and keys may be somebody else's
            wrong.append(f"{name}: refused {each.refused}")
    return {
        "pages": len(seconds),
        "complete": complete,
        "page_ms": {"first": round(1000 * seconds[0], 1), "longest": round(1000 * longest, 1), "all": round(1000 * sum(seconds), 1)},
        "page_after_those_who_left_ms": round(1000 * after_those_who_left, 1),
        **{name: each.figures() for name, each in waits.items()},
        "wrong": wrong,
    }


def stop_under_reads(host, port, pid, clients=50):
    """So many ask for a page; then SIGTERM. Seconds until the process is gone, and what it said to them."""
    with contextlib.ExitStack() as open_ones:
        asking = []
        for _ in range(clients):
            client = open_ones.enter_context(socket.create_connection((host, port)))
            client.sendall(f"GET /api/v1/counters?sort=name HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            client.settimeout(60)
            asking.append(client)
        time.sleep(0.3)
        begin = time.monotonic()
        os.kill(pid, signal.SIGTERM)
        answers = {}
        for client in asking:
            try:
                said = client.recv(64).split(b"\r\n")[0].decode() or "cut off"
            except OSError as failed:
                said = type(failed).__name__
            answers[said] = answers.get(said, 0) + 1
        while is_alive(pid):
            if time.monotonic() > begin + 120:
                raise RuntimeError("the server does not stop")
            time.sleep(0.02)
        seconds = time.monotonic() - begin
    wrong = [f"SIGTERM took {seconds:.1f} s"] if seconds > STOP_LIMIT else []
    return {"stop_seconds": round(seconds, 2), "answers": answers, "wrong": wrong}


def is_alive(pid):
    """Also of a child of ours that nobody has waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--objects", type=int, default=120_000)
    parser.add_argument("--ttl", type=int, default=40)
    parser.add_argument("--pid", type=int, help="the server's: it is stopped at the end")
    settings = parser.parse_args()
    figures = attack(settings.host, settings.port, settings.objects, settings.ttl)
    if settings.pid:
        stopped = stop_under_reads(settings.host, settings.port, settings.pid)
        figures = {**figures, **stopped, "wrong": figures["wrong"] + stopped["wrong"]}
    print(json.dumps(figures, indent=2))
    return 1 if figures["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
