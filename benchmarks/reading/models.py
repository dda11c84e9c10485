"""Our way beside both older ones in the same store: who read what, asked of a process that has nothing in memory."""

import json
import os
import shutil
import subprocess

import machine

MODELS = ("ours", "url-users", "user-urls", "user-urls-by-key")
TABLES = {"user-urls-by-key": "user-urls"}  # asked of the rows of another
NAMES = {"ours": "ours", "url-users": "URL to users", "user-urls": "user to hashes of URLs, whole rows", "user-urls-by-key": "the same, by key"}

# World, size, kind of question, how many of them: of ours and by rows of a URL, and of what is slower.
EMBEDDED = (("average", "5000000", "any", 200, 20), ("heavy", "1", "heavy", 100, 3), ("heavy", "1", "popular", 20, 20))
CASSANDRA = (("average", "3000000", "any", 100, 10),)
QUICK = (("average", "300000", "any", 20, 3),)


def lines(program, *words):
    done = subprocess.run([program, *words], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure(program, where, cases):
    """`where(model, world)` names the place of a model's rows. Each program ends if an answer is not as the world says."""
    rows, filled = [], {}
    for world, size, kind, many, few in cases:
        for model in MODELS:
            if kind == "heavy" and model == "user-urls-by-key":
                continue  # half a million keys a question
            place = where(TABLES.get(model, model), world)
            if place not in filled:
                filled[place] = lines(program, "fill", place, TABLES.get(model, model), world, size)[0]
            count = many if model in ("ours", "url-users") else few
            asked = lines(program, "ask", place, model, world, size, kind, str(count))[0]
            times = sorted(asked["ms"])
            rows.append({"world": world, "kind": kind, "name": NAMES[model], "reads": filled[place]["reads"], "bytes": filled[place]["bytes"],
                         "questions": len(times), "matches": asked["matches"], "cpu": asked["cpu_ms"],
                         **{f"p{share}": machine.percentile(times, share / 100) for share in (50, 90, 99)}, "worst": times[-1]})
            print(json.dumps(rows[-1]), flush=True)
    return rows, filled


def embedded(settings, cases):
    folder = os.path.join(settings.folder, "models")
    rows, _ = measure(os.path.join(settings.peers, "reading_models"), lambda model, world: os.path.join(folder, f"{world}-{model}"), cases)
    shutil.rmtree(folder)
    return rows


def cassandra(settings, cases):
    """Needs a cluster: tools/cluster up --nodes 1, its `env` sourced, and a build with it."""
    program = os.path.join(settings.peers, "reading_models_cassandra")
    rows, filled = measure(program, lambda model, world: f"bench_reading_{world}_{model}".replace("-", "_"), cases)
    for place in filled:
        subprocess.run([program, "drop", place], check=True)
    return rows


def show(rows):
    print("| reads | question | way | p50 | p90 | p99 | worst | CPU | questions | on disk |\n|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        times = " | ".join(f"{row[key]:.1f} ms" for key in ("p50", "p90", "p99", "worst", "cpu"))
        size = f"{row['bytes'] / 1e6:,.0f} MB" if row["bytes"] else ""
        print(f"| {row['reads']:,} | {row['world']}, {row['kind']} | {row['name']} | {times} | {row['questions']} | {size} |")
