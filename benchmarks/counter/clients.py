"""Clients: the program's own load generator, wrk, redis-benchmark, and two small ones for comparing answers."""

import json
import os
import re
import socket
import subprocess
import urllib.request

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "pipeline.lua")


def run(settings, words, cores=None):
    words = ["taskset", "-c", cores or settings.client_cores, *words]
    settings.note(words)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def bench(settings, server, *flags, scheme="http", seconds=None, warm_up=None, cores=None):
    """`footfall bench counter`, which checks counts too: a wrong one ends everything. Answers its JSON."""
    report = os.path.join(settings.folder, "bench.json")
    run(settings, [
        settings.footfall, "bench", "counter", "--server", f"{scheme}://127.0.0.1:{server.port}",
        "--server-pid", str(server.pid), "--duration", str(settings.seconds if seconds is None else seconds),
        "--warm-up", str(settings.warm_up if warm_up is None else warm_up), "--json", report, *map(str, flags),
    ], cores)
    with open(report, encoding="utf-8") as file:
        return json.load(file)


def figures(report):
    """Of a report of bench(), what is compared."""
    total = report["total"]
    return {
        "rate": total["rate"],
        "server_us": total["server_cpu"]["total_us"],
        "server_busy": total["server_cpu"]["cores_busy"],
        "client_us": total["client_cpu"]["total_us"],
        "p50_ms": total["latency_us"]["p50"] / 1e3,
        "p99_ms": total["latency_us"]["p99"] / 1e3,
        "failed": sum(total["failed"].values()) + total["lost"] + total["unsent"],
        "limited_by": report["limited_by"],
        "checked": report.get("check", {}).get("objects", 0),
        "exact": report.get("check", {}).get("exact", 0),
    }


def wrk(settings, server, path, depth):
    """GETs by wrk; CPU time of the server over the same time."""
    words = ["wrk", "-t1", "-c64", f"-d{max(1, round(settings.seconds))}s", "--latency"]
    if depth > 1:
        words += ["-s", SCRIPT]
    words.append(f"http://127.0.0.1:{server.port}{path}")
    if depth > 1:
        words += ["--", str(depth)]
    before = server.cpu_seconds()
    said = run(settings, words)
    spent = server.cpu_seconds() - before
    requests, seconds = re.search(r"(\d+) requests in ([\d.]+)s", said).groups()
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    if bad or int(requests) == 0:
        raise RuntimeError(f"{server.name}: {said}")
    rate = int(requests) / float(seconds)
    return {"rate": rate, "server_us": spent / int(requests) * 1e6, "server_busy": spent / float(seconds)}


def redis_benchmark(settings, server, connections, depth, requests):
    """Redis' own client, as a check that ours does not hold Redis back; as many keys, and nearly always a new member."""
    before = server.cpu_seconds()
    said = run(settings, ["redis-benchmark", "-p", str(server.port), "-c", str(connections), "-P", str(depth), "-n",
                          str(requests), "-r", "100000", "--csv", "SADD", "key:__rand_int__", "__rand_int__"])
    spent = server.cpu_seconds() - before
    rate = float(said.strip().split("\n")[-1].split(",")[-7].strip('"'))
    return {"rate": rate, "server_us": spent / requests * 1e6}


def http_get(server, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=10) as answer:
        return answer.read()


def http_put(server, path, body):
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", body, method="PUT")
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read()


class RedisClient:
    """Commands and their answers, one after the other; integers, texts and status lines."""

    def __init__(self, server):
        self._socket = socket.create_connection(("127.0.0.1", server.port), 60)
        self._lines = self._socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *failed):
        self._lines.close()
        self._socket.close()

    def ask(self, *words):
        texts = [str(word).encode() for word in words]
        self._socket.sendall(b"*%d\r\n" % len(texts) + b"".join(b"$%d\r\n%s\r\n" % (len(text), text) for text in texts))
        line = self._lines.readline().rstrip(b"\r\n")
        if line.startswith(b":"):
            return int(line[1:])
        if line.startswith(b"+"):
            return line[1:].decode()
        if line.startswith(b"$"):
            return self._lines.read(int(line[1:]) + 2)[:-2].decode()
        raise RuntimeError(f"redis: {line.decode()}")
