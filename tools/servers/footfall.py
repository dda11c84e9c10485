"""Footfall in its roles, as build/release/ has it: several processes of one deployment."""

import os
import subprocess
import urllib.request

from servers.server import TOP, Server, fail, our_environment

BINARY = os.path.join(TOP, "build", "release", "footfall")
SCHEMA_SECONDS = 120

# query-1 takes events, too: one address is enough to try everything.
ROLES = {
    "query-1": "collect,query",
    "collect-1": "collect",
    "guard-1": "guard",
    "guard-2": "guard",
    "project-1": "project",
    "project-2": "project",
}
FIRST_PORT = 18080  # in the order above

RULES = os.path.join(TOP, "tools", "servers", "rules.toml")

SETTINGS = """listen = "127.0.0.1:{port}"
store = "cassandra"
cassandra = "{nodes}"
cassandra_datacenter = "dc1"
log = "kafka"
kafka = "{brokers}"
kafka_replicas = {copies}
instance = "{name}"
roles = "{roles}"
judged_json = "on"
rules = "{rules}"
"""


def addresses(servers, kind):
    return ",".join(f"{server.host}:{server.port}" for server in servers if server.kind == kind)


def run(*words):
    try:
        return subprocess.run(
            [BINARY, *words], check=False, capture_output=True, text=True, env=our_environment(), timeout=SCHEMA_SECONDS
        )
    except subprocess.TimeoutExpired:
        fail(f"`footfall {' '.join(words)}` did not end within {SCHEMA_SECONDS} s")


class Role(Server):
    kind = "footfall"

    def __init__(self, name, servers):
        """`servers`: those that it works on."""
        super().__init__(name)
        self.servers = servers
        self.host = "127.0.0.1"
        self.port = FIRST_PORT + list(ROLES).index(name)
        self.place = ROLES[name]
        self.url = f"http://{self.host}:{self.port}/"
        self.settings = os.path.join(self.folder, "conf", "footfall.toml")

    @staticmethod
    def fetch():
        with_cassandra = "cmake --preset release -DWITH_CASSANDRA=ON && ninja -C build/release footfall"
        if not os.path.exists(BINARY):
            fail(f"build/release/footfall is missing: {with_cassandra}")
        if run("schema", "print", "--cassandra-replication", "dc1:1").returncode != 0:
            fail(f"build/release/footfall was built without Cassandra: {with_cassandra}  (needs Rust 1.88 or newer)")

    @staticmethod
    def apply_schema(servers):
        """Once, by one, before the roles begin."""
        nodes = [server for server in servers if server.kind == "cassandra"]
        replication = type(nodes[0]).environment(nodes)["FOOTFALL_CASSANDRA_REPLICATION"]
        applied = run("schema", "apply", "--cassandra", addresses(nodes, "cassandra"), "--cassandra-replication", replication)
        if applied.returncode != 0:
            fail(f"the schema could not be applied: {applied.stderr.strip()}")

    def prepare(self):
        nearest = [server for server in self.servers if server.place == "dc1"]
        brokers = addresses(self.servers, "kafka")
        text = SETTINGS.format(
            port=self.port, nodes=addresses(nearest, "cassandra"), brokers=brokers, copies=len(brokers.split(",")),
            name=self.name, roles=self.place, rules=RULES,
        )
        redis = addresses(self.servers, "redis")
        if redis:
            text += f'redis = "{redis}"\n'
        self.write({"footfall.toml": text})

    def command(self):
        return [BINARY, "serve", "--config", self.settings]

    def mark(self):
        return self.settings

    def serves(self):
        try:
            with urllib.request.urlopen(f"{self.url}healthz/ready", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    @staticmethod
    def agree(_):
        return True

    @staticmethod
    def environment(roles):
        reached = {role.name: f"{role.host}:{role.port}" for role in roles}
        named = {f"FOOTFALL_TEST_{name}": reached[f"{name.lower()}-1"] for name in ("QUERY", "COLLECT") if reached}
        guards = ",".join(address for name, address in reached.items() if name.startswith("guard"))
        return {**named, "FOOTFALL_TEST_GUARDS": guards}
