"""A server further away, or slower: a proxy that has each byte, or each answer of a Cassandra node, take its time."""

import asyncio
import os
import socket
import struct
import sys

from servers.server import Server

PORTS_ABOVE = 1000
CQL_HEAD = struct.Struct(">BBhBi")
CQL_ERROR, CQL_RESULT = 0, 8


class Proxy(Server):
    """For Redis and the roles each byte takes its time, there and back. For a Cassandra node each answer does, and only some at a
    time: a node that is slow, and the slower the more is asked of it. Clients find the nodes by the address that each other tells
    and the port that they came by, so who comes by the proxy of one comes by those of all: each node needs one. Clients of
    Kafka are told by the brokers where these are, and go past a proxy."""

    kind = "delay"
    kinds = ("redis", "footfall", "cassandra")

    def __init__(self, server, milliseconds=None, at_once=None):
        """Without `milliseconds`: as it was prepared."""
        super().__init__(f"delay-{server.name}")
        self.server = server
        self.host = server.host if server.kind == "cassandra" else "127.0.0.1"
        self.port = server.port + PORTS_ABOVE
        self.setting = os.path.join(self.folder, "conf", "delay")
        if milliseconds is None:
            with open(self.setting, encoding="utf-8") as file:
                milliseconds, at_once = map(int, file.read().split())
        self.milliseconds = milliseconds
        self.at_once = at_once or 0
        self.place = f"{milliseconds} ms"

    def prepare(self):
        self.write({"delay": f"{self.milliseconds} {self.at_once}"})

    def command(self):
        where = (self.host, self.port, self.server.host, self.server.port, self.milliseconds, self.at_once)
        return [sys.executable, "-m", "servers.delay", self.mark(), *map(str, where)]

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


async def pass_answers_on(source, sink, seconds, turns):
    """What answers a request waits for one of the turns, and keeps it for `seconds`; also when who asked has gone, for the node
    does the work all the same."""
    tasks = set()

    async def deliver(frame):
        async with turns:
            await asyncio.sleep(seconds)
        if not sink.is_closing():
            sink.write(frame)

    try:
        while True:
            head = await source.readexactly(CQL_HEAD.size)
            _, _, _, opcode, length = CQL_HEAD.unpack(head)
            frame = head + await source.readexactly(length)
            if opcode in (CQL_ERROR, CQL_RESULT):
                task = asyncio.create_task(deliver(frame))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            else:
                sink.write(frame)
    except (OSError, asyncio.IncompleteReadError):
        sink.close()


async def serve(here, there, seconds, at_once):
    turns = asyncio.Semaphore(at_once) if at_once else None

    async def connected(reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_connection(*there)
        except OSError:
            writer.close()
            return
        if turns:
            await asyncio.gather(pass_on(reader, server_writer, 0), pass_answers_on(server_reader, writer, seconds, turns))
        else:
            await asyncio.gather(pass_on(reader, server_writer, seconds), pass_on(server_reader, writer, seconds))

    async with await asyncio.start_server(connected, *here) as server:
        await server.serve_forever()


def main(host, port, target_host, target_port, milliseconds, at_once):
    asyncio.run(serve((host, int(port)), (target_host, int(target_port)), int(milliseconds) / 1000, int(at_once)))


if __name__ == "__main__":
    main(*sys.argv[2:])
