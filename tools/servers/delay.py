"""A server further away: a proxy that has each byte take its time, there and back."""

import asyncio
import os
import socket
import sys

from servers.server import Server

PORTS_ABOVE = 1000


class Proxy(Server):
    """For Redis and the roles. Clients of Cassandra and Kafka are told by the servers where these are, and go past a proxy."""

    kind = "delay"
    kinds = ("redis", "footfall")

    def __init__(self, server, milliseconds=None):
        """Without `milliseconds`: as it was prepared."""
        super().__init__(f"delay-{server.name}")
        self.server = server
        self.host = "127.0.0.1"
        self.port = server.port + PORTS_ABOVE
        self.setting = os.path.join(self.folder, "conf", "milliseconds")
        if milliseconds is None:
            with open(self.setting, encoding="utf-8") as file:
                milliseconds = int(file.read())
        self.milliseconds = milliseconds
        self.place = f"{milliseconds} ms"

    def prepare(self):
        self.write({"milliseconds": str(self.milliseconds)})

    def command(self):
        return [sys.executable, "-m", "servers.delay", self.mark(), *map(str, (self.port, self.server.port, self.milliseconds))]

    def mark(self):
        return self.folder

    def serves(self):
        try:
            with socket.create_connection((self.host, self.port), timeout=5):
                return True
        except OSError:
            return False

    @staticmethod
    def agree(_):
        return True


async def pass_on(source, sink, seconds):
    loop = asyncio.get_running_loop()
    waiting = asyncio.Queue(maxsize=1000)

    async def deliver():
        while True:
            when, data = await waiting.get()
            await asyncio.sleep(max(0, when - loop.time()))
            if not data:
                break
            sink.write(data)
            await sink.drain()
        sink.close()

    delivering = asyncio.create_task(deliver())
    data = True
    while data and not delivering.done():
        try:
            data = await source.read(65536)
        except OSError:
            data = b""
        await waiting.put((loop.time() + seconds, data))
    await asyncio.wait([delivering])


async def serve(port, target, seconds):
    async def connected(reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pass_on(reader, server_writer, seconds), pass_on(server_reader, writer, seconds))

    async with await asyncio.start_server(connected, "127.0.0.1", port) as server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]) / 1000))
