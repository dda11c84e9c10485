"""A process of the cluster: its folder, its settings, its process id; and what all kinds share."""

import os
import shutil
import signal
import subprocess
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = os.path.join(TOP, "build", "cluster")
NO_SYNC = "libeatmydata.so"  # fsync() and its like do nothing in a process that preloads it


def fail(message):
    sys.exit("cluster: " + message)


def wait_until(condition, seconds, message):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            fail(message() if callable(message) else message)
        time.sleep(0.1)  # another program's state: there is nothing to wait on but asking again


def our_environment():
    """What somebody has set for a Footfall of theirs is not for those that we start."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FOOTFALL_")}
    return environment | {"PYTHONPATH": os.path.join(TOP, "tools")}


class Unreachable(Exception):
    pass


def receive(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise Unreachable("closed")
        data += part
    return data


def jars(kind, folder, what):
    """Has Maven fetch and check what tools/KIND/pom.xml names, unless it did."""
    pom = os.path.join(TOP, "tools", kind, "pom.xml")
    with open(pom, encoding="utf-8") as file:
        wanted = file.read()
    mark = os.path.join(folder, "pom.xml")
    if os.path.exists(mark):
        with open(mark, encoding="utf-8") as file:
            if file.read() == wanted:
                return
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            fail(f"{program} is missing: apt-get install maven openjdk-17-jre-headless")
    print(f"cluster: fetching {what}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    words = ["mvn", "-q", "-B", "-C", "-f", pom, f"-Djars={folder}", "dependency:copy-dependencies"]
    if subprocess.run(words, check=False).returncode != 0:
        fail("Maven could not fetch the jars; the message above says why")
    with open(mark, "w", encoding="utf-8") as file:
        file.write(wanted)


class Server:
    """What a kind adds: `kind`, `host`, `port` and `place` (said by status); fetch(), once for all of the kind; prepare(), an
    empty folder with settings; command() and the word of it by which the process is known, mark(); serves(); agree(), whether
    those that run know of each other; environment(), how a client finds them."""

    def __init__(self, name):
        self.name = name
        self.folder = os.path.join(HOME, name)
        self.log = os.path.join(self.folder, "log")

    def write(self, files):
        """Begins an empty folder with these files in conf/."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "conf"))
        for name, text in files.items():
            with open(os.path.join(self.folder, "conf", name), "w", encoding="utf-8") as file:
                file.write(text)

    def pid(self):
        """The id of the running process; None when there is none. An id that another program got since is not ours."""
        try:
            with open(os.path.join(self.folder, "pid"), encoding="utf-8") as file:
                pid = int(file.read())
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                ended = file.read().rpartition(")")[2].split()[0] in "ZX"
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            ours = words == [b""] or self.mark().encode() in words  # none: about to begin
            return pid if ours and not ended else None
        except (OSError, ValueError):
            return None

    def unsynced(self):
        """A file that is there when the server shall not wait for the disk: what a killed process wrote is still in the
        system's memory, so nothing is lost unless the machine fails."""
        return os.path.join(self.folder, "conf", "unsynced")

    def launch(self):
        environment = our_environment()
        if os.path.exists(self.unsynced()):
            environment["LD_PRELOAD"] = NO_SYNC
        with open(self.log, "ab") as log:
            process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
                env=environment,
            )
        with open(os.path.join(self.folder, "pid"), "w", encoding="utf-8") as file:
            file.write(str(process.pid))

    def kill(self):
        pid = self.pid()
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: self.pid() is None, 60, f"{self.name} does not end; its process is {pid}")

    def wipe(self):
        """Leaves its settings and its log, and nothing of what it had."""
        for name in os.listdir(self.folder):
            path = os.path.join(self.folder, name)
            if os.path.isdir(path) and name != "conf":
                shutil.rmtree(path)

    def log_end(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return "".join("    " + line for line in file.readlines()[-15:])
