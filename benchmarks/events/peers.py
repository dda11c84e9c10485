"""Peers that load the same events into a table: one process each, so that its processor time is its own.

    peers.py duckdb|clickhouse EVENTS.ndjson FOLDER THREADS

Prints JSON: seconds and CPU of the load, and events and people of each object as that peer counts them."""

import json
import os
import resource
import sys
import time

COLUMNS = "{id: 'VARCHAR', time: 'TIMESTAMP', action: 'VARCHAR', object: 'VARCHAR', actor: 'VARCHAR', address: 'VARCHAR', agent: 'VARCHAR'}"


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def duckdb_side(path, folder, threads):
    import duckdb
    base = duckdb.connect(os.path.join(folder, "events.duckdb"))
    base.execute(f"set threads={threads}")

    def load():
        base.execute(f"create table events as select * from read_ndjson('{path}', columns={COLUMNS})")
        base.execute("checkpoint")  # into its file, as our log has them

    def count():
        return base.execute("select object, count(*), count(distinct actor) from events group by object").fetchall()

    return duckdb.__version__, load, count


def clickhouse_side(path, folder, threads):
    import chdb
    from chdb import session
    base = session.Session(os.path.join(folder, "clickhouse"))
    base.query("create database bench")
    base.query("create table bench.events (id String, time DateTime64(3), action String, object String, actor String, address String, "
               "agent String) engine = MergeTree order by (object, time)")

    def load():
        base.query(f"insert into bench.events select * from file('{path}', JSONEachRow, 'id String, time DateTime64(3), action String, "
                   f"object String, actor String, address String, agent String') settings max_threads={threads}, "
                   f"max_insert_threads={threads}, date_time_input_format='best_effort'")

    def count():
        said = base.query("select object, count(), uniqExact(actor) from bench.events group by object", "JSONCompact")
        return [(name, int(events), int(people)) for name, events, people in json.loads(str(said))["data"]]

    return chdb.__version__, load, count


def main():
    name, path, folder, threads = sys.argv[1:]
    version, load, count = {"duckdb": duckdb_side, "clickhouse": clickhouse_side}[name](path, folder, int(threads))
    start, busy = time.monotonic(), cpu_seconds()
    load()
    loaded = {"seconds": time.monotonic() - start, "cpu": cpu_seconds() - busy}
    print(json.dumps({"version": str(version), **loaded, "objects": {name: (events, people) for name, events, people in count()}}))


main()
