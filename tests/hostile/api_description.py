"""Holds every answer of a server to its /openapi.json, with requests that the description allows and such that it does not: schemathesis, all
checks. Routes of API keys are left out: the first key that one of them made would shut out who asks."""

import http.client
import os
import re
import subprocess

from judgement import Verdict
from served import serve

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.dirname(os.path.abspath(__file__))
LEFT_OUT = "^/api/v1/(keys|session)"
STREAM_SECONDS = 2  # a live stream never ends by itself
FAILURE = re.compile(r"^- (ST\d+ .*)$", re.MULTILINE)
STOP_SECONDS = 15


def make_key(settings, data):
    """So that requests without one are refused, as the description says."""
    words = [settings.footfall, "keys", "add", "hostile", "--scope", "read,write,money,admin", "--data", data]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def words_for(port, key, examples, seed):
    program = os.path.join(TOP, "build", "schemathesis", "bin", "schemathesis")
    return [program, "--config-file", os.path.join(FOLDER, "schemathesis.toml"), "run", f"http://127.0.0.1:{port}/openapi.json",
            "--checks", "all", "--exclude-path-regex", LEFT_OUT, "--header", f"Authorization: Bearer {key}", "--max-examples", str(examples),
            "--seed", str(seed), "--request-timeout", str(STREAM_SECONDS), "--continue-on-failure"]


def hold(settings, folder, results, examples, seed):
    """Verdicts. The report lies in `results`: schemathesis.log."""
    subprocess.run([os.path.join(TOP, "tools", "schemathesis")], check=True)
    place = os.path.join(folder, "described")
    os.makedirs(place)
    key = make_key(settings, os.path.join(place, "data"))
    server = serve(settings, place, "described")
    try:
        words = words_for(server.port, key, examples, seed)
        environment = {**os.environ, "PYTHONPATH": FOLDER, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment, cwd=place)
        with open(os.path.join(results, "schemathesis.log"), "w", encoding="utf-8") as file:
            file.write(done.stdout + done.stderr)
        answers = alive(server, key)
    finally:
        ended = server.stop(STOP_SECONDS)
    yield from judge(done.returncode, done.stdout + done.stderr)
    yield Verdict("the server answers after all requests of schemathesis", answers, answers == "200")
    yield Verdict("SIGTERM ends it with 0", f"exit status {ended}", ended == 0)


def alive(server, key):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/api/v1/views", headers={"Authorization": f"Bearer {key}"})
        return str(connection.getresponse().status)
    except (OSError, http.client.HTTPException) as failed:
        return f"{type(failed).__name__}: {failed}"


def judge(status, said):
    """Of the exit status of schemathesis and what it printed."""
    kinds = {}
    for failure in FAILURE.findall(said):
        kinds[failure] = kinds.get(failure, 0) + 1
    counted = re.search(r"^\s*(\d[\d,]*) generated.*$", said, re.MULTILINE)
    told = "; ".join(f"{kind}: {times}" for kind, times in kinds.items()) or (counted.group(0).strip() if counted else said[-500:])
    yield Verdict("every answer is as /openapi.json says, and none is a failure of the server (schemathesis, all checks)", told,
                  status == 0 and counted is not None)
