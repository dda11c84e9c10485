"""What the figures depend on and cannot be seen in them: processor, kernel, memory, and how long the disk takes."""

import os
import statistics
import subprocess
import time


def first_value(path, key):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            if name.strip() == key:
                return value.strip()
    return "unknown"


def package_version(name):
    shown = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False)
    return shown.stdout.strip() or "unknown"


def file_system_of(path):
    shown = subprocess.run(["df", "--output=fstype", path], capture_output=True, text=True, check=False)
    return shown.stdout.split("\n")[1].strip() if shown.returncode == 0 else "unknown"


def describe(folder):
    return {
        "processor": first_value("/proc/cpuinfo", "model name"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(int(first_value("/proc/meminfo", "MemTotal").split()[0]) / (1 << 20), 1),
        "kernel": os.uname().release,
        "file_system": file_system_of(folder),
        "versions": {name: package_version(name) for name in ("redis-server", "libh2o-evloop0.13", "libboost1.81-dev", "librocksdb7.8", "wrk")},
    }


def busy_share(seconds):
    """How much of all cores others use, while we do nothing."""
    def read():
        with open("/proc/stat", encoding="utf-8") as file:
            times = [int(word) for word in file.readline().split()[1:]]
        return sum(times), times[3] + times[4]  # idle, and waiting for the disk

    total, idle = read()
    time.sleep(seconds)
    total_after, idle_after = read()
    return 1 - (idle_after - idle) / max(1, total_after - total)


def percentile(values, share):
    """Of sorted values, the one that a share of all do not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


def time_fdatasync(folder, rounds):
    """Microseconds of 4 KiB appended and synced: what no durable write on this disk can be faster than."""
    path = os.path.join(folder, "fdatasync")
    block = os.urandom(4096)
    taken = []
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    try:
        for _ in range(rounds):
            start = time.perf_counter()
            os.write(file, block)
            os.fdatasync(file)
            taken.append((time.perf_counter() - start) * 1e6)
    finally:
        os.close(file)
        os.unlink(path)
    taken.sort()
    return {"p50_us": statistics.median(taken), "p99_us": percentile(taken, 0.99), "max_us": taken[-1], "rounds": rounds}
