"""Cassandra 5.0, as Maven fetches it."""

import concurrent.futures
import glob
import os
import socket
import struct
import subprocess

from servers.server import HOME, Server, Unreachable, fail, jars, receive

JARS = os.path.join(HOME, "jars")
CQL_PORT = 9042
JMX_PORT = 7200

# A JVM without these refuses the reflection that Cassandra does (its own conf/jvm17-server.options).
EXPORTS = """java.base/jdk.internal.misc java.base/jdk.internal.ref java.base/sun.nio.ch java.base/java.lang.ref
    java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry java.rmi/sun.rmi.server java.sql/java.sql
    jdk.unsupported/sun.misc jdk.compiler/com.sun.tools.javac.file jdk.attach/sun.tools.attach""".split()
OPENS = """java.base/java.lang java.base/java.lang.module java.base/java.lang.reflect java.base/java.io java.base/java.net
    java.base/java.nio java.base/java.util java.base/java.util.concurrent java.base/java.util.concurrent.atomic
    java.base/sun.nio.ch java.base/jdk.internal.loader java.base/jdk.internal.ref java.base/jdk.internal.reflect
    java.base/jdk.internal.math java.base/jdk.internal.module java.base/jdk.internal.util.jar
    jdk.management/com.sun.management.internal""".split()

YAML = """cluster_name: footfall
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
data_file_directories: [{folder}/data]
commitlog_directory: {folder}/commitlog
saved_caches_directory: {folder}/saved_caches
hints_directory: {folder}/hints
cdc_raw_directory: {folder}/cdc_raw
commitlog_sync: periodic
commitlog_sync_period: 1000ms
listen_address: {address}
rpc_address: {asked}
storage_port: 7000
native_transport_port: {port}
endpoint_snitch: GossipingPropertyFileSnitch
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    # All: one that is not has to find a seed that serves already, and they start together.
    parameters: [{{seeds: "{seeds}"}}]
# Empty nodes with given tokens have nothing to fetch from each other: they start at once, in any order, always the same.
auto_bootstrap: false
num_tokens: {token_count}
initial_token: {tokens}
# What a new 5.0 cluster is advised to take: lives beyond 2038, tries in memory and on disk.
storage_compatibility_mode: NONE
memtable:
  configurations:
    trie: {{class_name: TrieMemtable}}
    default: {{inherits: trie}}
memtable_allocation_type: offheap_objects
sstable: {{selected_format: bti}}
# Small nodes beside each other.
memtable_heap_space: 64MiB
memtable_offheap_space: 64MiB
file_cache_size: 64MiB
key_cache_size: 16MiB
commitlog_segment_size: 16MiB
commitlog_total_space: 256MiB
concurrent_reads: 8
concurrent_writes: 8
concurrent_compactors: 1
auto_snapshot: false
# A bad data model shall show in the log.
partition_size_warn_threshold: 50MiB
partition_tombstones_warn_threshold: 10000
"""

LOGBACK = """<configuration>
  <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d{ISO8601} %-5level [%thread] %logger{20} %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="OUT"/></root>
</configuration>
"""


# --- a little of Cassandra's protocol: enough to ask a node about itself ----------------------------------------------


def exchange(connection, opcode, body):
    connection.sendall(struct.pack(">BBhBi", 4, 0, 0, opcode, len(body)) + body)
    _, _, _, answered, length = struct.unpack(">BBhBi", receive(connection, 9))
    answer = receive(connection, length)
    if answered == 0:
        raise Unreachable(answer[6:].decode(errors="replace"))
    return answer


def take_bytes(body, place):
    length = struct.unpack_from(">i", body, place)[0]
    return (body[place + 4:place + 4 + max(length, 0)], place + 4 + max(length, 0))


def ask(address, query):
    """The rows of a query whose columns are texts, addresses or numbers: lists of bytes."""
    try:
        with socket.create_connection((address, CQL_PORT), timeout=5) as connection:
            exchange(connection, 1, struct.pack(">hh11sh5s", 1, 11, b"CQL_VERSION", 5, b"3.0.0"))
            text = query.encode()
            # consistency ONE; flag 2: without a description of the columns
            body = exchange(connection, 7, struct.pack(">i", len(text)) + text + struct.pack(">hB", 1, 2))
    except (OSError, Unreachable) as error:
        raise Unreachable(f"{address}: {error}") from error
    _, _, columns, rows = struct.unpack_from(">iiii", body)
    place, found = 16, []
    for _ in range(rows):
        row = []
        for _ in range(columns):
            cell, place = take_bytes(body, place)
            row.append(cell)
        found.append(row)
    return found


# --- nodes ------------------------------------------------------------------------------------------------------------


def place_of(number):
    return "dc2" if number == 4 else "dc1"


class Node(Server):
    kind = "cassandra"

    def __init__(self, number, numbers):
        """`numbers`: of all nodes of the cluster."""
        super().__init__(f"cassandra-{number}")
        self.number = number
        self.network = None  # its own, in place of ours
        self.place = place_of(number)
        self.address = f"127.0.0.{number}"  # for other nodes
        # For clients: dc2 is asked by a cable of its own, so that nodes can be parted that are both asked.
        self.host = self.address if self.place == "dc1" else f"127.0.1.{number}"
        self.port = CQL_PORT
        self.numbers = list(numbers)

    @staticmethod
    def fetch():
        jars("cassandra", JARS, "Cassandra's jars (65 MB)")

    def tokens(self):
        """Evenly spread within the datacenter; no token stands twice in the cluster."""
        peers = [number for number in self.numbers if place_of(number) == self.place]
        index = peers.index(self.number)
        per_node = 8
        step = 2**64 // (len(peers) * per_node)
        shift = step // 2 if self.place == "dc2" else 1
        return [-(2**63) + (round_ * len(peers) + index) * step + shift for round_ in range(per_node)]

    def prepare(self):
        tokens = self.tokens()
        settings = YAML.format(
            folder=self.folder, address=self.address, asked=self.host, port=CQL_PORT, token_count=len(tokens),
            tokens=", ".join(map(str, tokens)), seeds=",".join(f"127.0.0.{number}:7000" for number in self.numbers),
        )
        self.write({
            "cassandra.yaml": settings,
            "cassandra-rackdc.properties": f"dc={self.place}\nrack=rack{self.number}\n",
            "logback.xml": LOGBACK,
        })

    def command(self):
        conf = os.path.join(self.folder, "conf")
        # A node alone has the keyspaces of all tests, and each table takes 0.4 MB of heap for its metrics.
        # It answers enough of them to be worth compiling well, a quarter of the CPU each; several start sooner without.
        heap, compiler = ("512m", 1) if len(self.numbers) > 1 else ("1536m", 4)
        words = ["java", f"-Xms{heap}", f"-Xmx{heap}", "-XX:+UseSerialGC", f"-XX:TieredStopAtLevel={compiler}"]
        words += ["-XX:+ExitOnOutOfMemoryError", "-XX:MaxDirectMemorySize=512m"]
        words += [f"--add-exports={package}=ALL-UNNAMED" for package in EXPORTS]
        words += [f"--add-opens={package}=ALL-UNNAMED" for package in OPENS]
        words += [
            "-Djdk.attach.allowAttachSelf=true", "-Dio.netty.tryReflectionSetAccessible=true",
            "-Djava.net.preferIPv4Stack=true", f"-Djava.io.tmpdir={self.folder}", f"-Djna.tmpdir={self.folder}",
            f"-Dcassandra.config=file://{conf}/cassandra.yaml", f"-Dcassandra.storagedir={self.folder}",
            "-Dcassandra-foreground=yes", f"-Dcassandra.jmx.local.port={JMX_PORT + self.number}",
            # Nobody else is in this network: nothing to wait for.
            "-Dcassandra.ring_delay_ms=2000", "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.superuser_setup_delay_ms=0", "-Dcassandra.gossip_settle_min_wait_ms=100",
            "-Dcassandra.gossip_settle_interval_ms=100",
            # The description of each table would be a file of its own, five for each of a hundred tables; the commit log has it, too.
            *(["-Dcassandra.test.flush_local_schema_changes=false"] if os.path.exists(self.unsynced()) else []),
            "-cp", f"{conf}:{JARS}/*", "org.apache.cassandra.service.CassandraDaemon",
        ]
        return (self.network.prefix() if self.network else []) + words

    def nodetool(self, *asked):
        """Has it do what an operator asks by nodetool; what that says."""
        words = ["java", "-Xmx128m", "-XX:TieredStopAtLevel=1", *(f"--add-exports={package}=ALL-UNNAMED" for package in EXPORTS)]
        words += ["-cp", f"{JARS}/*", "org.apache.cassandra.tools.NodeTool", "-p", str(JMX_PORT + self.number), *asked]
        done = subprocess.run((self.network.prefix() if self.network else []) + words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            fail(f"{self.name}, nodetool {' '.join(asked)}: {done.stdout}{done.stderr}")
        return done.stdout

    def compact(self, keyspace):
        """Has it write and merge all of a keyspace."""
        for verb in ("flush", "compact"):
            self.nodetool(verb, keyspace)

    def import_tables(self, folder):
        """Has it take the table files in folder/KEYSPACE/TABLE, which go from there; how many tables have any."""
        tables = sorted({os.path.dirname(path) for path in glob.glob(os.path.join(folder, "*", "*", "*-Data.db"))})

        def take(table):
            keyspace, name = table.split(os.sep)[-2:]
            self.nodetool("import", keyspace, name, table)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(take, tables))
        return len(tables)

    def mark(self):
        return f"-Dcassandra.storagedir={self.folder}"

    def generation(self, of):
        """When `of` was started, as this node has heard by gossip; None if it has not."""
        rows = ask(self.host, "SELECT generation, status_with_port FROM system_views.gossip_info "
                   f"WHERE address = '{of.address}' AND port = 7000")
        if not rows or not rows[0][1].startswith(b"NORMAL"):
            return None
        return struct.unpack(">i", rows[0][0])[0]

    def serves(self):
        try:
            return self.generation(self) is not None
        except Unreachable:
            return False

    @staticmethod
    def agree(nodes):
        try:
            heard = [[node.generation(of) for of in nodes] for node in nodes]
        except Unreachable:
            return False
        return None not in heard[0] and all(line == heard[0] for line in heard)

    def heartbeat(self, of):
        """How often `of` has said that it is there, as this node has heard."""
        rows = ask(self.host, f"SELECT heartbeat FROM system_views.gossip_info WHERE address = '{of.address}' AND port = 7000")
        return struct.unpack(">i", rows[0][0])[0] if rows else -1

    @staticmethod
    def hear_each_other(nodes):
        """Whether each has lately heard each; they speak once a second."""
        try:
            return all(of.heartbeat(of) - node.heartbeat(of) < 10 for node in nodes for of in nodes)
        except Unreachable:
            return False

    @staticmethod
    def environment(nodes):
        datacenters = {}
        for node in nodes:
            datacenters[node.place] = datacenters.get(node.place, 0) + 1
        replication = ",".join(f"{name}:{count}" for name, count in datacenters.items())
        far = {"FOOTFALL_CASSANDRA_DC2": f"{node.host}:{CQL_PORT}" for node in nodes if node.place == "dc2"}
        return {"FOOTFALL_CASSANDRA": f"127.0.0.1:{CQL_PORT}", "FOOTFALL_CASSANDRA_REPLICATION": replication, **far}
