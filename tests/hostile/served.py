"""A server on a directory that stays when it is stopped, so that another one can be started on it."""

import os
import subprocess

from programs import Server, free_port, wait_for_port

MEMORY = "64MiB"


def serve(settings, folder, name):
    """Starts it and waits until it is ready. Listens where nobody did before: what others still have open is none of its business."""
    port = free_port()
    words = [settings.footfall, "serve", "--listen", f"127.0.0.1:{port}", "--data", os.path.join(folder, "data"), "--memory", MEMORY, "--threads", "1",
             "--metrics-own", "off"]  # so that a server which just began has as many series as one that has run for long
    settings.note(["taskset", "-c", settings.server_cores, *words])
    log = os.path.join(folder, f"{name}.log")
    with open(log, "wb") as said:
        process = subprocess.Popen(["taskset", "-c", settings.server_cores, *words], stdout=said, stderr=said, cwd=folder)
    try:
        wait_for_port(process, port, log)
    except RuntimeError:
        process.kill()
        raise
    return Server(process, port, name, folder)
