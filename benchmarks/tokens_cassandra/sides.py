"""The cluster and the three sides: ours on it, the original design on it, ours embedded. All share all cores: a node wants several."""

import contextlib
import os
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "benchmarks", "counter"))
sys.path.insert(0, os.path.join(TOP, "tools"))

from programs import TICKS, running  # noqa: E402
from servers.cassandra import CQL_PORT, Node  # noqa: E402

CONTACTS = f"127.0.0.1:{CQL_PORT}"
TTL_DAYS, LIMIT = 30, 100_000
ALL_CORES = ",".join(map(str, sorted(os.sched_getaffinity(0))))
THREADS = str(len(os.sched_getaffinity(0)))
NAMES = {"ours": "Footfall on Cassandra", "table": "the original design", "embedded": "Footfall embedded"}


def cpu_seconds(pid):
    """User and system time of all threads of a process since it started."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextlib.contextmanager
def cluster(nodes):
    """Empty nodes; yields their process ids. The Java machine compiles all it can, which tools/cluster does not ask for: tests want a
    fast start, not a fast node."""
    environment = dict(os.environ, _JAVA_OPTIONS="-XX:TieredStopAtLevel=4 -Xmx1g -Xms1g")
    tool = os.path.join(TOP, "tools", "cluster")
    subprocess.run([tool, "up", "--nodes", str(nodes)], check=True, env=environment)
    try:
        yield [Node(number, range(1, nodes + 1)).pid() for number in range(1, nodes + 1)]
    finally:
        subprocess.run([tool, "down"], check=True)


def replication(nodes):
    return f"dc1:{min(nodes, 3)}" + (",dc2:1" if nodes == 4 else "")


def ours(settings, keyspace, nodes):
    def words(folder, port):
        return [settings.footfall, "serve", "--listen", f"127.0.0.1:{port}", "--store", "cassandra", "--cassandra", CONTACTS,
                "--cassandra-keyspace", keyspace, "--cassandra-replication", replication(nodes), "--threads", THREADS, "--memory", "1GiB",
                "--config", counter_config(folder)]

    return running(settings, "footfall", words, ALL_CORES)


def embedded(settings, folder_name):
    def words(folder, port):
        return [settings.footfall, "serve", "--listen", f"127.0.0.1:{port}", "--data", os.path.join(settings.folder, folder_name), "--sync",
                "200ms", "--threads", THREADS, "--memory", "1GiB", "--config", counter_config(folder)]

    return running(settings, "footfall", words, ALL_CORES)


def counter_config(folder):
    path = os.path.join(folder, "footfall.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'[[counter]]\nname = "default"\nttl = "{TTL_DAYS}d"\nlimit = {LIMIT}\n')
    return path


def table(settings, keyspace, nodes):
    def words(_folder, port):
        return [os.path.join(settings.peers, "table_peer"), str(port), THREADS, CONTACTS, keyspace, str(min(nodes, 3)),
                str(TTL_DAYS * 86400), str(LIMIT)]

    return running(settings, "table", words, ALL_CORES)


def start(settings, side, place, nodes):
    """A server of this side, with nothing in memory, on the rows of `place`."""
    if side == "ours":
        return ours(settings, f"ours_{place}", nodes)
    if side == "table":
        return table(settings, f"table_{place}", nodes)
    return embedded(settings, f"embedded-{place}")
