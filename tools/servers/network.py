"""A network of its own for the second datacenter, on cables that can be cut."""

import os
import subprocess
from typing import NamedTuple

from servers.server import Server, Unreachable, wait_until

class Cable(NamedTuple):
    """A veth between our network and that of dc2: its ends, each named after where it leads, and who is at which of them."""

    here: str
    there: str
    near: list
    far: list
    number: int

    def hardware(self, end):
        """The address of an end of the cable itself."""
        return f"02:00:00:00:{self.number:02}:{'01' if end == self.here else '04'}"


CLIENTS = "127.0.1.1"  # where clients of dc2 are, as it sees them


def call(*words):
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unreachable(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Network(Server):
    """A network namespace of Linux, held by a process that does nothing else, so that it stays when its servers are killed.

    Addresses are the same as without: 127.0.0.4 and 127.0.1.4 are there, all others are here, and each side has a route to those of
    the other in the table that is asked first. What goes to 127.0.0.4, which is what nodes send each other, has another cable
    than what clients ask of 127.0.1.4. A cable (veth) takes loopback addresses only with route_localnet. No firewall is needed."""

    kind = "network"

    def __init__(self, servers):
        """`servers`: all of the cluster."""
        super().__init__("dc2")
        self.far = [server for server in servers if server.place == "dc2"]
        addresses = [server.address for server in self.far]
        asked = [server.host for server in self.far]
        others = sorted({server.host for server in servers if server.place != "dc2"})
        self.nodes = Cable("footfall-dc2", "footfall-dc1", others, addresses, 0)
        self.clients = Cable("footfall-ask2", "footfall-ask1", [CLIENTS], asked, 1)

    def command(self):
        return ["unshare", "--net", "bash", "-c", 'exec -a "$0" sleep infinity', self.mark()]

    def mark(self):
        return self.folder

    def prefix(self):
        """What a command begins with that is to run in this network."""
        return ["nsenter", f"--net=/proc/{self.pid()}/ns/net"]

    def make(self):
        """Raises Unreachable, saying why, where this machine or this user cannot."""
        if os.geteuid() != 0:
            raise Unreachable("it needs root")
        self.write({})
        self.launch()
        ours = os.readlink("/proc/self/ns/net")
        try:
            wait_until(lambda: self.pid() is None or os.readlink(f"/proc/{self.pid()}/ns/net") != ours, 10, "unshare hangs")
            if self.pid() is None:
                raise Unreachable(self.log_end().strip())
            # Only its own addresses are loopback there: who is cut off finds no way, rather than itself.
            call(*self.prefix(), "ip", "link", "set", "lo", "up")
            call(*self.prefix(), "ip", "address", "flush", "dev", "lo")
            for host in self.nodes.far + self.clients.far:
                call(*self.prefix(), "ip", "address", "add", host + "/32", "dev", "lo")
            # Java's management listens at 127.0.0.1, and nobody asks it.
            call(*self.prefix(), "sysctl", "-qw", "net.ipv4.ip_nonlocal_bind=1")
            for cable in (self.nodes, self.clients):
                call("ip", "link", "add", cable.here, "type", "veth", "peer", "name", cable.there, "netns", str(self.pid()))
                self.plug(cable, cable.here)
                self.plug(cable, cable.there)
        except Unreachable:
            self.kill()
            raise

    def plug(self, cable, end):
        is_here = end == cable.here
        prefix = [] if is_here else self.prefix()
        ours, theirs = (cable.near, cable.far) if is_here else (cable.far, cable.near)
        call(*prefix, "sysctl", "-qw", f"net.ipv4.conf.{end}.route_localnet=1")
        # The only address beside loopback would be of IPv6, and Kafka's client would take no other kind (AI_ADDRCONFIG).
        call(*prefix, "sysctl", "-eqw", f"net.ipv6.conf.{end}.disable_ipv6=1")
        call(*prefix, "ip", "link", "set", end, "address", cable.hardware(end), "up")
        for host in theirs:
            call(*prefix, "ip", "route", "replace", host + "/32", "dev", end, "src", ours[0], "table", "local")
            call(*prefix, "ip", "neighbour", "replace", host, "lladdr", cable.hardware(cable.there if is_here else cable.here), "dev", end)

    def is_down(self, cable):
        return self.pid() is not None and ",UP" not in call(*self.prefix(), "ip", "-o", "link", "show", cable.there)

    def is_parted(self):
        """Whether nodes here and there do not reach each other."""
        return self.is_down(self.nodes)

    def is_cut(self):
        """Whether nothing there can be reached."""
        return self.is_parted() and self.is_down(self.clients)

    def cut(self, nodes_only):
        if nodes_only:
            self.plug(self.clients, self.clients.there)
        # The far end: the near one keeps its routes, so what is sent from here is lost without a word.
        for cable in (self.nodes,) if nodes_only else (self.nodes, self.clients):
            call(*self.prefix(), "ip", "link", "set", cable.there, "down")

    def join(self):
        for cable in (self.nodes, self.clients):
            self.plug(cable, cable.there)
