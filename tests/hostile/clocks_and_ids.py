"""Clients that send several contents under one id, and each of them again and again: each counts, or is refused, once.

A clock that is ahead cannot be played over HTTP: the server stamps what comes by its own. The unit tests of intake, tokens, keys, views and
runtime do it by clocks that are set by hand."""

import http.client
import json
import sys
import threading
import time
import uuid

PATIENCE = 60
EVENT_TIME = "2026-11-21T10:00:00Z"


def conflicting_ids(host, port, ids=40, contents=3, retries=10, clients=4):
    """Each client sends all contents of all ids, `retries` times. Answers what was counted and, in `wrong`, what should not have been: of each id
    one content counts, the others are refused as id_conflict, and whatever is sent again is a duplicate. Events are taken again after a 503."""
    run = f"conflict-{uuid.uuid4().hex[:8]}"
    lines = [json.dumps({"id": f"{run}-{number}", "time": EVENT_TIME, "action": "view", "object": run, "actor": f"{run}-{number}-{content}"})
             for number in range(ids) for content in range(contents)]
    new, wrong, lock = [0], set(), threading.Lock()

    def send_again_and_again(client):
        for retry in range(retries):
            shift = (client + retry) * len(lines) // (clients + 1) % len(lines)
            status, answer = _post_until_taken(host, port, "\n".join(lines[shift:] + lines[:shift]))
            with lock:
                if status == 200:
                    new[0] += len(lines) - answer["duplicates"]
                else:
                    wrong.add(f"answered {status} {str(answer)[:200]}")

    threads = [threading.Thread(target=send_again_and_again, args=(client,), daemon=True) for client in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    report = _report_of(host, port, run, len(lines))
    refused = report["refused"].get("id_conflict", 0)
    if (report["events"], report["counted"], refused) != (len(lines), ids, ids * (contents - 1)):
        wrong.add(f"{contents} contents of {ids} ids, sent {clients * retries} times, became {json.dumps(report)[:300]}")
    # Less is possible: an answer that was lost told of new ones.
    if new[0] > len(lines):
        wrong.add(f"{new[0]} of {len(lines)} events were told as new")
    return {"sent": clients * retries * len(lines), "counted": report["counted"], "refused": refused, "wrong": sorted(wrong)}


def _post_until_taken(host, port, body):
    """The status and the answer; after a 503, or without an answer, the same is sent again."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            status, said = _ask(host, port, "POST", "/api/v1/events", body)
        except (OSError, http.client.HTTPException) as failed:
            status, said = 0, str(failed)
        if status not in (0, 503) or time.monotonic() > ends:
            return status, json.loads(said) if status == 200 else said
        time.sleep(0.1)


def _report_of(host, port, name, events):
    """What the views of an object say once all events are counted, which on a cluster takes a moment."""
    ends = time.monotonic() + PATIENCE
    while True:
        status, said = _ask(host, port, "GET", f"/api/v1/views/{name}")
        report = json.loads(said) if status == 200 else {"events": 0, "counted": 0, "refused": {}}
        if report["events"] >= events or time.monotonic() > ends:
            return report
        time.sleep(0.1)


def _ask(host, port, method, path, body=None):
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {"Content-Type": "application/x-ndjson"} if body else {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


if __name__ == "__main__":
    outcome = conflicting_ids(sys.argv[1], int(sys.argv[2]))
    print(json.dumps(outcome, indent=1))
    sys.exit(1 if outcome["wrong"] else 0)
