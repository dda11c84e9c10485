"""Parts measured alone: bytes a token takes in memory beside Redis, and CPU a row takes to be stored beside plain RocksDB."""

import json
import os
import statistics

from clients import RedisClient, run
from programs import redis

MEMBERS_AT_ONCE = 1000


def program(settings, name, *words):
    return json.loads(run(settings, [os.path.join(settings.peers, name), *map(str, words)]))


def redis_bytes(client, size, with_expiry):
    """What Redis says its memory grew by, for one set of `size` members; the members are random 64-bit numbers."""
    client.ask("FLUSHALL", "SYNC")
    before = int(client.ask("INFO", "memory").split("used_memory:")[1].split("\r\n")[0])
    state = 1
    for start in range(0, size, MEMBERS_AT_ONCE):
        words = []
        for _ in range(min(MEMBERS_AT_ONCE, size - start)):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            words += [1_900_000_000_000 + state % 86_400_000, state] if with_expiry else [state]
        client.ask("ZADD" if with_expiry else "SADD", "key", *words)
    after = int(client.ask("INFO", "memory").split("used_memory:")[1].split("\r\n")[0])
    usage = client.ask("MEMORY", "USAGE", "key", "SAMPLES", 0)
    return {"used": (after - before) / size, "usage": usage / size}


def memory(settings):
    """Sizes between powers of ten too: both sides grow by steps, and a lucky size flatters."""
    sizes = sorted({round(10 ** (quarter / 4)) for quarter in range(8, 17 if settings.quick else 25)})
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
