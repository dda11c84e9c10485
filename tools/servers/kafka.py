"""Kafka 3.9, as Maven fetches it: each process is broker and controller (KRaft)."""

import os
import socket
import struct
import subprocess

from servers.server import HOME, Server, Unreachable, fail, jars, receive

JARS = os.path.join(HOME, "kafka-jars")
JOIN_DELAY = os.environ.get("FOOTFALL_KAFKA_JOIN_DELAY", "0")  # Milliseconds a new group waits for more members.
CLUSTER_ID = "Zm9vdGZhbGwtY2x1c3Rlcg"  # any 16 bytes; the same for all

SETTINGS = """process.roles=broker,controller
node.id={number}
controller.quorum.voters={voters}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
advertised.listeners=PLAINTEXT://127.0.0.1:{port}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={folder}/data
auto.create.topics.enable=false
default.replication.factor={total}
min.insync.replicas={most}
offsets.topic.num.partitions=4
offsets.topic.replication.factor={total}
transaction.state.log.num.partitions=4
transaction.state.log.replication.factor={total}
transaction.state.log.min.isr={most}
# Tests do not wait for members that may come, notice soon that a broker is gone, and that records were deleted.
group.initial.rebalance.delay.ms={join_delay}
group.min.session.timeout.ms=1000
broker.session.timeout.ms=4000
broker.heartbeat.interval.ms=500
replica.fetch.wait.max.ms=50
# Small brokers beside each other.
num.network.threads=2
num.io.threads=4
log.index.size.max.bytes=1048576
log.cleaner.dedupe.buffer.size=4194304
"""


def brokers_known_to(port):
    """The ids of the brokers that this one knows to be alive, by a Metadata request (version 1) for no topic."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            request = struct.pack(">hhih7si", 3, 1, 1, 7, b"cluster", 0)
            connection.sendall(struct.pack(">i", len(request)) + request)
            answer = receive(connection, struct.unpack(">i", receive(connection, 4))[0])
    except OSError as error:
        raise Unreachable(str(error)) from error
    count = struct.unpack_from(">i", answer, 4)[0]
    place, found = 8, set()
    for _ in range(count):
        number, host = struct.unpack_from(">ih", answer, place)
        place += 6 + host + 4
        place += 2 + max(struct.unpack_from(">h", answer, place)[0], 0)
        found.add(number)
    return found


def port_of(number):
    """Below the ports that the system gives to clients."""
    return 19092 + 100 * number


class Broker(Server):
    kind = "kafka"

    def __init__(self, number, total):
        super().__init__(f"kafka-{number}")
        self.number = number
        self.host = "127.0.0.1"
        self.port = port_of(number)
        self.place = "broker"
        self.total = total
        self.settings = os.path.join(self.folder, "conf", "server.properties")

    @staticmethod
    def fetch():
        jars("kafka", JARS, "Kafka's jars (46 MB)")

    def prepare(self):
        voters = ",".join(f"{number}@127.0.0.1:{port_of(number) + 1}" for number in range(1, self.total + 1))
        self.write({"server.properties": SETTINGS.format(
            number=self.number, voters=voters, port=self.port, controller=self.port + 1, folder=self.folder,
            total=self.total, most=self.total // 2 + 1, join_delay=JOIN_DELAY,
        )})
        words = self.java("64m") + ["kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", self.settings]
        formatted = subprocess.run(words, check=False, capture_output=True, text=True)
        if formatted.returncode != 0:
            fail(f"{self.name} cannot be formatted: {formatted.stderr[-2000:]}")

    def java(self, heap, compiler=1):
        return [
            "java", f"-Xms{heap}", f"-Xmx{heap}", "-XX:+UseSerialGC", f"-XX:TieredStopAtLevel={compiler}", "-XX:+ExitOnOutOfMemoryError",
            "-XX:MaxDirectMemorySize=128m", "-Djava.net.preferIPv4Stack=true", f"-Djava.io.tmpdir={self.folder}",
            "-Dorg.slf4j.simpleLogger.showDateTime=true", "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
            "-cp", f"{JARS}/*",
        ]

    def command(self):
        return self.java("256m", 1 if self.total > 1 else 4) + ["kafka.Kafka", self.settings]

    def mark(self):
        return self.settings

    def serves(self):
        try:
            return self.number in brokers_known_to(self.port)
        except Unreachable:
            return False

    @staticmethod
    def agree(brokers):
        try:
            return all(brokers_known_to(broker.port) >= {other.number for other in brokers} for broker in brokers)
        except Unreachable:
            return False

    @staticmethod
    def environment(brokers):
        return {"FOOTFALL_TEST_KAFKA": ",".join(f"{broker.host}:{broker.port}" for broker in brokers)}
