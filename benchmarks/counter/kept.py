"""What a benchmark leaves behind: its figures as JSON in build/bench, and the document made of them."""

import json
import os
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(TOP, "build", "bench")


def commit():
    done = subprocess.run(["git", "-C", TOP, "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "an unknown commit"


def path_of(name):
    os.makedirs(FOLDER, exist_ok=True)
    return os.path.join(FOLDER, f"{name}.json")


def load(name):
    """What an earlier run kept; nothing if there was none."""
    if not os.path.exists(path_of(name)):
        return {}
    with open(path_of(name), encoding="utf-8") as file:
        return json.load(file)


def save(name, results):
    with open(path_of(name), "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)


def write(folder, name, text):
    """A document; answers its path."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
