"""A network of its own for the second datacenter, on a cable that can be cut."""

import os
import subprocess

from servers.server import Server, Unreachable, wait_until

HERE, THERE = "footfall-dc2", "footfall-dc1"  # the ends of the cable, by where they lead
ENDS = {HERE: "02:00:00:00:00:01", THERE: "02:00:00:00:00:04"}


def call(*words):
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unreachable(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


class Network(Server):
    """A network namespace of Linux, held by a process that does nothing else, so that it stays when its servers are killed.

    Addresses are the same as without: 127.0.0.4 is there, all others are here, and each side has a route to those of the other
    in the table that is asked first. A cable (veth) takes loopback addresses only with route_localnet. No firewall is needed."""

    kind = "network"

    def __init__(self, servers):
        """`servers`: all of the cluster."""
        super().__init__("dc2")
        self.far = [server.host for server in servers if server.place == "dc2"]
        self.near = sorted({server.host for server in servers} - set(self.far))

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
            call("ip", "link", "add", HERE, "type", "veth", "peer", "name", THERE, "netns", str(self.pid()))
            # Only its own address is loopback there: who is cut off finds no way, rather than itself.
            call(*self.prefix(), "ip", "link", "set", "lo", "up")
            call(*self.prefix(), "ip", "address", "flush", "dev", "lo")
            for host in self.far:
                call(*self.prefix(), "ip", "address", "add", host + "/32", "dev", "lo")
            # Java's management listens at 127.0.0.1, and nobody asks it.
            call(*self.prefix(), "sysctl", "-qw", "net.ipv4.ip_nonlocal_bind=1")
            self.plug([], HERE, THERE, self.far, self.near[0])
            self.plug(self.prefix(), THERE, HERE, self.near, self.far[0])
        except Unreachable:
            self.kill()
            raise

    @staticmethod
    def plug(prefix, end, other, hosts, source):
        call(*prefix, "sysctl", "-qw", f"net.ipv4.conf.{end}.route_localnet=1")
        # The only address beside loopback would be of IPv6, and Kafka's client would take no other kind (AI_ADDRCONFIG).
        call(*prefix, "sysctl", "-eqw", f"net.ipv6.conf.{end}.disable_ipv6=1")
        call(*prefix, "ip", "link", "set", end, "address", ENDS[end], "up")
        for host in hosts:
            call(*prefix, "ip", "route", "replace", host + "/32", "dev", end, "src", source, "table", "local")
            call(*prefix, "ip", "neighbour", "replace", host, "lladdr", ENDS[other], "dev", end)

    def is_cut(self):
        return self.pid() is not None and ",UP" not in call(*self.prefix(), "ip", "-o", "link", "show", THERE)

    def cut(self):
        # The far end: the near one keeps its routes, so what is sent from here is lost without a word.
        call(*self.prefix(), "ip", "link", "set", THERE, "down")

    def join(self):
        self.plug(self.prefix(), THERE, HERE, self.near, self.far[0])
