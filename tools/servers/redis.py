"""Redis, as Debian has it: in memory only."""

import shutil
import socket

from servers.server import Server, fail


class Redis(Server):
    kind = "redis"

    def __init__(self):
        super().__init__("redis")
        self.host = "127.0.0.1"
        self.port = 16379
        self.place = "memory"

    @staticmethod
    def fetch():
        if shutil.which("redis-server") is None:
            fail("redis-server is missing: apt-get install redis-server")

    def prepare(self):
        self.write({})

    def command(self):
        return [
            "redis-server", "--bind", self.host, "--port", str(self.port), "--save", "", "--appendonly", "no",
            "--dir", self.folder, "--set-proc-title", "no",
        ]

    def mark(self):
        return self.folder

    def serves(self):
        try:
            with socket.create_connection((self.host, self.port), timeout=5) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    @staticmethod
    def agree(_):
        return True

    @staticmethod
    def environment(servers):
        return {"FOOTFALL_TEST_REDIS": f"{servers[0].host}:{servers[0].port}"}
