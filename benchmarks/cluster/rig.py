"""One Cassandra node and one broker, and processes of the program on them, each with its roles."""

import contextlib
import http.client
import os
import re
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))

from programs import running  # noqa: E402
from traffic import ask  # noqa: E402

PATIENCE = 300
METRIC = re.compile(r'^(\w+)(?:\{(.*)\})? (\S+)$')


@contextlib.contextmanager
def cluster(cores):
    """Its servers run on these cores, or on all where there are none left."""
    def tool(*words):
        pin = ["taskset", "-c", cores] if cores else []
        # Or the first of two processes would do much alone, and hand half over, before both work.
        environment = {**os.environ, "FOOTFALL_KAFKA_JOIN_DELAY": "1500"}
        subprocess.run([*pin, os.path.join(TOP, "tools", "cluster"), *words], check=True, env=environment)

    tool("up", "--nodes", "1", "--brokers", "1")
    try:
        with open(os.path.join(TOP, "build", "cluster", "env"), encoding="utf-8") as file:
            yield dict(line.split(" ", 1)[1].strip().split("=", 1) for line in file)
    finally:
        tool("down")


class Place:
    """Where a deployment is: its keyspace and its topics."""

    def __init__(self, settings, env, keyspace, prefix):
        self.prefix = prefix
        self.words = ["--store", "cassandra", "--cassandra", env["FOOTFALL_CASSANDRA"], "--cassandra-keyspace", keyspace]
        self.kafka = ["--log", "kafka", "--kafka", env["FOOTFALL_TEST_KAFKA"], "--kafka-prefix", prefix, "--kafka-replicas", "1"]
        subprocess.run([settings.footfall, "schema", "apply", *self.words[2:], "--cassandra-replication", "dc1:1"], check=True,
                       stdout=subprocess.DEVNULL)


def copied(settings, env, place, keyspace):
    """The same deployment, with the tables that it has now, in another keyspace: topics are only read with the secret they were written under."""
    copy = Place(settings, env, keyspace, place.prefix)
    with tempfile.TemporaryDirectory() as folder:
        for words in (["export", folder, *place.words], ["import-tables", folder, *copy.words]):
            subprocess.run([settings.footfall, *words], check=True, stdout=subprocess.DEVNULL)
    return copy


@contextlib.contextmanager
def process(settings, place, roles, cores, ready=True, flags=()):
    """A process with these roles, pinned; of a projection one does not wait until it is ready, which is when it has caught up."""
    def words(_, port):
        return [settings.footfall, "serve", "--listen", f"127.0.0.1:{port}", "--roles", roles, "--memory", "1GiB", *place.words, *place.kafka, *flags]

    with running(settings, roles.replace(",", "-"), words, cores) as server:
        if ready:
            wait_until(lambda: is_ready(server), f"{roles} is not ready")
        yield server


def is_ready(server):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        connection.request("GET", "/healthz/ready")
        return connection.getresponse().status == 200


def wait_until(condition, what, seconds=PATIENCE, pause=0.05):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what} after {seconds} s")
        time.sleep(pause)


def metrics(server):
    """{(name, labels): value}"""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)) as connection:
        text = ask(connection, "GET", "/metrics").decode()
    found = {}
    for line in text.split("\n"):
        match = METRIC.match(line)
        if match:
            found[match[1], match[2] or ""] = float(match[3])
    return found


def total(found, name):
    return sum(value for (each, _), value in found.items() if each == name)


def by_label(found, name, label):
    """{the label's value: the metric}"""
    return {re.search(f'{label}="([^"]*)"', labels)[1]: value for (each, labels), value in found.items() if each == name}
