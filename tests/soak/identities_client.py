"""A client that says who is who, in batches: what profile follows is known of each person."""

import collections
import http.client
import json

from load_clients import PATIENCE, Client, ask, ask_json


class KnownPeople(Client):
    """People of whom each has an id in several networks, linked one by one; links of many people come mixed. Half of what is said has been
    said before."""

    BATCH = 100
    NETWORKS = 4
    LATELY = 10_000  # people, of whom more is said
    CHECKED = 50  # one of so many people is remembered, and checked at the end
    RETRY = 0.2

    def __init__(self, server, seed, rate):
        super().__init__(server, seed)
        self.rate = rate
        self.sent = self.refusals = 0
        self.expected = collections.defaultdict(set)  # person: networks
        self._people = 0

    def work(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for _ in self.due(self.rate / self.BATCH):
            self._send(connection, [self._link() for _ in range(self.BATCH)])
            self.sent += self.BATCH
        connection.close()

    def _link(self):
        """A person, and which two of their ids are linked: as a chain, so that any order unites them."""
        if self.random.random() < 0.25:
            self._people += 1
        person = self._people - self.random.randrange(min(self._people + 1, self.LATELY))
        first = self.random.randrange(self.NETWORKS - 1)
        if person % self.CHECKED == 0:
            self.expected[person].add(first)
        return person, first

    def _send(self, connection, links):
        """Until it is acknowledged: said again it is the same."""
        lines = "".join(json.dumps({"ids": [self._id(person, first), self._id(person, first + 1)], "source": "soak"}) + "\n" for person, first in links)
        while True:
            try:
                status, said = ask(connection, "POST", "/api/v1/identities/match", lines, {"Content-Type": "application/x-ndjson"})
            except (OSError, http.client.HTTPException):
                connection.close()
                status, said = 503, b""
            answers = [json.loads(line) for line in said.splitlines()] if status == 200 else []
            if answers and all("sid" in answer and not answer["contested"] for answer in answers):
                if len(answers) != len(links):
                    raise RuntimeError(f"{len(links)} lines have {len(answers)} answers")
                return
            if status not in (200, 503) or any(answer.get("status", 503) != 503 for answer in answers):
                raise RuntimeError(f"a batch was answered {status} {said.decode(errors='replace')[:300]}")
            self.refusals += 1
            if self._stop_asked.wait(self.RETRY) and self.refusals > 100:
                raise RuntimeError("the server takes no more matches")

    @staticmethod
    def _id(person, network):
        return {"identifier": f"network-{network}", "id_name": "id", "id_value": f"p{person}"}

    def differences(self):
        """Asks for each remembered person. How many were asked, and a sentence for each that is not as it must be."""
        found = []
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        for person, firsts in self.expected.items():
            for chain in chains_of(firsts):
                sid = ask_json(connection, f"/api/v1/identities/network-{chain[0]}/id/p{person}")["sid"]
                ids = [each["identifier"] for each in ask_json(connection, f"/api/v1/profiles/{sid}")["ids"]]
                if ids != [f"network-{network}" for network in chain]:
                    found.append(f"p{person} is {ids} in place of {chain}")
        connection.close()
        return len(self.expected), found


def chains_of(firsts):
    """Networks that hang together, where each of `firsts` is linked with the next one: {0, 1, 3} is [0, 1, 2] and [3, 4]."""
    chains = []
    for first in sorted(firsts):
        if chains and chains[-1][-1] == first:
            chains[-1].append(first + 1)
        else:
            chains.append([first, first + 1])
    return chains
