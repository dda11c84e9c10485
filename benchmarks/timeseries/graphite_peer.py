"""graphite-web with whisper files of the same values: what /render answers, and what it takes. For __main__.py."""

import array
import json
import os
import statistics
import sys
import time

SERIES = 100


def values_of(path):
    """The values of each series."""
    all_values = array.array("d")
    with open(path, "rb") as file:
        all_values.frombytes(file.read())
    each = len(all_values) // SERIES
    return [all_values[at * each:(at + 1) * each] for at in range(SERIES)]


def fill(folder, values, step, now):
    """A file of each series; the bytes of all of them."""
    import whisper

    size = 0
    for number, series in enumerate(values):
        path = f"{folder}/servers/web{number:02}/load/shortterm.wsp"
        os.makedirs(os.path.dirname(path))
        whisper.create(path, [(step, len(series))], aggregationMethod="average")
        start = now - len(series) * step
        whisper.update_many(path, [(start + at * step, value) for at, value in enumerate(series)], now)
        size += os.path.getsize(path)
    return size


def serve(webapp, folder):
    """A client of graphite-web, in this process."""
    sys.path.insert(0, webapp)
    with open(f"{folder}/peer_settings.py", "w", encoding="utf-8") as file:
        file.write(f"from graphite.settings import *\nWHISPER_DIR = STORAGE_DIR = {folder!r}\nSTANDARD_DIRS = [WHISPER_DIR]\n"
                   f"DATABASES['default']['NAME'] = {folder + '/graphite.db'!r}\n"
                   "SECRET_KEY = 'of a benchmark'\nCARBONLINK_HOSTS = []\nTIME_ZONE = 'UTC'\nLOG_DIR = WHISPER_DIR\n")
    sys.path.insert(0, folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = "peer_settings"
    os.environ.setdefault("GRAPHITE_NO_PREFIX", "1")
    import django

    django.setup()
    from django.test import Client
    return Client(HTTP_HOST="localhost")


def timed(client, query, rounds):
    waited, cpu = [], []
    for number in range(rounds + 1):
        cpu_before, before = time.process_time(), time.perf_counter()
        answer = client.get("/render?" + query)
        if answer.status_code != 200:
            sys.exit(answer.content[:500])
        if number:
            waited.append((time.perf_counter() - before) * 1000)
            cpu.append((time.process_time() - cpu_before) * 1000)
    return {"p50": statistics.median(waited), "cpu": statistics.median(cpu), "least": min(cpu), "bytes": len(answer.content)}, answer.content


def main():
    webapp, values_path, folder, span, now, rounds = sys.argv[1:]
    step, since = (10, "-1d") if span == "day" else (3600, "-1y")
    values = values_of(values_path)
    size = fill(folder, values, step, int(now))
    client = serve(webapp, folder)
    query = f"target=servers.*.load.shortterm&from={since}&now={now}&format=json&noCache=1"
    told = {"bytes_a_point": size / sum(map(len, values))}
    for name, rest in (("all", ""), ("most", "&maxDataPoints=1000")):
        told[name], content = timed(client, query + rest, int(rounds))
        with open(f"{folder}.{name}.json", "wb") as file:
            file.write(content)
    print(json.dumps(told))


main()
