"""Clients that send again what was acknowledged, over and over and all at once: a retry storm."""

import http.client
import json
import threading
import uuid

from attack import Attack

PATIENCE = 60
EVENTS = 50


class SameIds(Attack):
    name = "a retry storm"
    promise = "the same events from many clients count once"

    def __init__(self, clients):
        self._run_id = f"same-{uuid.uuid4().hex[:8]}"
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, daemon=True) for _ in range(clients)]
        self._lock = threading.Lock()
        self._sent = self._new = 0
        self._wrong = set()
        self._port = None

    def start(self, server):
        self._port = server.port
        for thread in self._threads:
            thread.start()

    def _run(self):
        lines = "\n".join(json.dumps({"id": f"{self._run_id}-{number}", "time": "2026-11-21T10:00:00Z", "action": "view", "object": self._run_id,
                                      "actor": f"{self._run_id}-{number}"}) for number in range(EVENTS))
        while not self._stop.wait(0.05):
            try:
                status, said = self._post(lines)
            except (OSError, http.client.HTTPException):
                continue  # it is sent again, as all others are
            with self._lock:
                if status == 200:
                    answer = json.loads(said)
                    self._sent += 1
                    self._new += EVENTS - answer["duplicates"]
                    if answer["accepted"] != EVENTS:
                        self._wrong.add(f"a batch of {EVENTS} was answered {said[:200]!r}")
                elif status != 503:
                    self._wrong.add(f"answered {status} {said[:200]!r}")

    def _post(self, lines):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            connection.request("POST", "/api/v1/events", lines, {"Content-Type": "application/x-ndjson"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def stop(self):
        self._stop.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def judge(self):
        wrong = sorted(self._wrong)
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        connection.request("GET", f"/api/v1/views/{self._run_id}")
        report = json.loads(connection.getresponse().read())
        connection.close()
        if (report["events"], report["counted"], report["people"]) != (EVENTS, EVENTS, EVENTS):
            wrong.append(f"{EVENTS} events sent {self._sent} times became {json.dumps(report)[:300]}")
        # Less is possible: an answer that was lost told of new ones.
        if self._new > EVENTS:
            wrong.append(f"{self._new} of {EVENTS} events were told as new")
        return wrong

    def told(self):
        return f"{EVENTS} events were acknowledged {self._sent} times"
