"""Parts measured alone: bytes a token takes in memory beside Redis, and CPU a row takes to be stored beside plain RocksDB."""

import json
import os
import statistics

from clients import RedisClient, run
from programs import redis

MEMBERS_AT_ONCE = 1000
MEMBERS_AT_LEAST = 50_000


def program(settings, name, *words):
    return json.loads(run(settings, [os.path.join(settings.peers, name), *map(str, words)]))


def used_memory(client):
    return int(client.ask("INFO", "memory").split("used_memory:")[1].split("\r\n")[0])


def redis_bytes(client, size, with_expiry):
    """What Redis says its memory grew by, a member; so many sets that a set's own overhead is told from the server's. The
    members are random 64-bit numbers, as the tokens are."""
    sets = max(1, MEMBERS_AT_LEAST // size)
    client.ask("FLUSHALL", "SYNC")
    before = used_memory(client)
    state = 1
    for name in range(sets):
        for start in range(0, size, MEMBERS_AT_ONCE):
            words = []
            for _ in range(min(MEMBERS_AT_ONCE, size - start)):
                state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
                words += [1_900_000_000_000 + state % 86_400_000, state] if with_expiry else [state]
            client.ask("ZADD" if with_expiry else "SADD", name, *words)
    usage = client.ask("MEMORY", "USAGE", 0, "SAMPLES", 0)
    return {"used": (used_memory(client) - before) / (sets * size), "usage": usage / size}


def memory(settings):
    """Ten sizes for each power of ten: both sides grow by steps, Redis by 2 and we by 4/3, and a lucky phase flatters. (Four
    sizes would be apart by 4/3 squared, and so always in one phase.)"""
    sizes = [round(10 ** (tenth / 10)) for tenth in range(20, 41 if settings.quick else 61)]
    ours = {row["size"]: row for row in program(settings, "token_set_memory", *sizes)}
    rows = []
    with redis(settings, "no log") as server, RedisClient(server) as client:
        for size in sizes:
            plain = redis_bytes(client, size, False)
            expiring = redis_bytes(client, size, True)
            rows.append({"size": size, "ours": ours[size]["plain"], "ours_expiring": ours[size]["expiring"],
                         "redis_set": plain["used"], "redis_set_usage": plain["usage"],
                         "redis_zset": expiring["used"], "redis_zset_usage": expiring["usage"]})
    return rows


def rows(settings):
    """CPU of all threads, interleaved; each side in a process and a folder of its own."""
    count = 200_000 if settings.quick else 4_000_000
    done = {"footfall": [], "rocksdb": []}
    for turn in range(settings.rounds):
        for side, taken in done.items():
            folder = os.path.join(settings.folder, f"rows-{side}")
            taken.append(program(settings, "row_writing", side, folder, count, turn + 1))
            print(f"    {side}: {taken[-1]['us_a_row']:.3f} us a row, settled {taken[-1]['us_a_row_settled']:.3f}", flush=True)
    medians = {side: {name: statistics.median(each[name] for each in taken)
                      for name in ("us_a_row", "us_a_row_settled", "seconds")} for side, taken in done.items()}
    ratio = {name: medians["footfall"][name] / medians["rocksdb"][name] for name in ("us_a_row", "us_a_row_settled")}
    return {"rows": count, "rounds": done, "median": medians, "ratio": ratio}
