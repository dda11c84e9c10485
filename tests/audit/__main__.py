"""Records acts on a server of its own, by several clients and through kills, and holds its audit log to a program of others."""
import argparse
import http.client
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

clients = 8


def start(binary, data):
    server = subprocess.Popen([binary, "serve", "--data", data, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    for line in server.stdout:
        if "serves http://" in line:
            return server, line.split("http://127.0.0.1:")[1].split("/")[0]
    raise SystemExit("the server did not start")


def set_rates(port, round_, client, acts, failed):
    connection = http.client.HTTPConnection("127.0.0.1", int(port))
    for at in range(acts):
        connection.request("PUT", f"/api/v1/resellers/r-{round_}-{client}-{at}/rates/2099-01-01", '{"reward_percent":"0.05"}')
        answer = connection.getresponse()
        answer.read()
        if answer.status != 201:
            failed.append(answer.status)


def record(port, round_, acts):
    failed = []
    threads = [threading.Thread(target=set_rates, args=(port, round_, client, acts // clients, failed)) for client in range(clients)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if failed:
        raise SystemExit(f"acts were answered {failed[:5]}")


def main():
    parser = argparse.ArgumentParser(prog="./prove audit", description=__doc__)
    parser.add_argument("--acts", type=int, default=4000)
    parser.add_argument("--binary", default="build/release/footfall")
    parser.add_argument("--checker", default="build/audit/check_log")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, kept = f"{folder}/data", pathlib.Path(folder, "head")
        server, port = start(options.binary, data)
        record(port, 1, options.acts // 2)
        connection = http.client.HTTPConnection("127.0.0.1", int(port))
        connection.request("GET", "/api/v1/audit/head")
        kept.write_bytes(connection.getresponse().read())
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        begun = time.monotonic()
        server, port = start(options.binary, data)
        print(f"started again after {time.monotonic() - begun:.1f} s")
        record(port, 2, options.acts // 2)
        checked = subprocess.run([options.checker, f"http://127.0.0.1:{port}", kept]).returncode
        server.terminate()
        server.wait()
    sys.exit(checked)


if __name__ == "__main__":
    main()
