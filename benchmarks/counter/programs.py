"""Servers under test, each in a folder and on a port of its own, pinned to cores; ended with the block that started them."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")
START_PATIENCE = 60
STOP_PATIENCE = 60


class Settings:
    """Where things are and how long each part takes. Made once, from the command line."""

    def __init__(self, build, quick):
        self.footfall = os.path.join(build, "footfall")
        self.peers = os.path.join(build, "benchmarks")
        self.quick = quick
        self.rounds = 1 if quick else 3
        self.warm_up = 0.5 if quick else 2
        self.seconds = 1.5 if quick else 8
        self.server_cores = "0"
        self.client_cores = "1" if len(os.sched_getaffinity(0)) > 1 else "0"
        self.folder = None  # set by main
        self.commands = []  # every kind of command once, for the document

    def note(self, words):
        """Keeps one command of each kind for the document, without what differs from run to run."""
        shown = " ".join(os.path.basename(word) if word.startswith("/") else word for word in words)
        shown = shown.replace("--save  ", "--save '' ")
        shown = re.sub(r" --(server-pid|json|seed|duration|warm-up|patience|requests|objects|rate|deviation|dir) \S+", "", shown)
        shown = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", shown)
        shown = re.sub(r"(?<= )\d{3,}(?= |$)", "N", shown)
        shown = re.sub(r"( N)+", " N", shown)
        if shown not in self.commands:
            self.commands.append(shown)


class Server:
    """A running server: its process, where it listens, and its processor time."""

    def __init__(self, process, port, name, folder):
        self.process = process
        self.port = port
        self.name = name
        self.folder = folder

    @property
    def pid(self):
        return self.process.pid

    def cpu_seconds(self):
        """User and system time of all its threads since it started."""
        with open(f"/proc/{self.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def resident_mib(self):
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0.0

    def stop(self, patience=STOP_PATIENCE):
        """Ends it, as its users do, and answers its exit status; one that does not end by itself is killed. Again: changes nothing."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(process, port, log):
    """Until something listens; what the server said is the error if nothing does."""
    deadline = time.monotonic() + START_PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    with open(log, encoding="utf-8", errors="replace") as said:
        raise RuntimeError(f"the server did not start: {said.read()[-2000:]}")


@contextlib.contextmanager
def running(settings, name, words_for, cores=None):
    """Starts what `words_for(folder, port)` says and yields the Server; stops it and removes its folder at the end."""
    folder = tempfile.mkdtemp(prefix=f"{name}-", dir=settings.folder)
    port = free_port()
    words = words_for(folder, port)
    cores = cores or settings.server_cores
    settings.note(["taskset", "-c", cores, *words])
    log = os.path.join(folder, "log")
    with open(log, "wb") as said:
        process = subprocess.Popen(["taskset", "-c", cores, *words], stdout=said, stderr=said, cwd=folder)
    server = Server(process, port, name, folder)
    try:
        wait_for_port(process, port, log)
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def footfall(settings, sync, threads=1, cores=None, config=None, memory="1GiB"):
    def words(folder, port):
        extra = []
        if config:
            path = os.path.join(folder, "footfall.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(config)
            extra = ["--config", path]
        return [settings.footfall, "serve", "--listen", f"127.0.0.1:{port}", "--data", os.path.join(folder, "data"),
                "--sync", sync, "--threads", str(threads), "--memory", memory, *extra]

    return running(settings, "footfall", words, cores)


def redis(settings, fsync):
    """As its documents advise for durability; never rewriting its log, which would cost it more."""
    def words(folder, port):
        log = ["--appendonly", "no"] if fsync == "no log" else ["--appendonly", "yes", "--appendfsync", fsync]
        return ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", *log,
                "--auto-aof-rewrite-percentage", "0"]

    return running(settings, "redis", words)


def http_peer(settings, name):
    return running(settings, name, lambda folder, port: [os.path.join(settings.peers, f"{name}_peer"), str(port)])
