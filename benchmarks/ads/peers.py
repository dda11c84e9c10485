"""DuckDB and the ClickHouse engine on the same clicks and rates: a process each.

    peers.py duckdb|clickhouse FOLDER QUESTIONS.json THREADS

FOLDER has clicks.csv and rates.csv. QUESTIONS.json: a list of [reseller, first day, last day]. Prints JSON: of each kind of roll-up the
answers, exact in 10^-12 of a unit, and what each took in nanoseconds; of DuckDB the bytes of its files, too."""

import json
import os
import sys
import tempfile
import time

# Of a reseller and day the amount in micros; and with the share of that day applied, in 10^-12.
DAYS = "select reseller, time // 86400 as day, count(*) as clicks, cast(sum(amount) * 1000000 as bigint) as micros from clicks group by all"
RATES = """select reseller, date_diff('day', date '1970-01-01', effective_since) as since, cast(reward_percent * 1000000 as bigint) as share,
           lead(since, 1, 1000000) over (partition by reseller order by since) as until from read_csv('{path}', columns={{reseller: 'VARCHAR',
           effective_since: 'DATE', reward_percent: 'DECIMAL(9,6)'}})"""
EARNED = """select d.*, micros * share as earned from days d join rates r on r.reseller = d.reseller and day >= since and day < until
            order by d.reseller, day"""
JOINED = """select sum(micros * share) from days d join rates r on r.reseller = d.reseller and day >= since and day < until
            where d.reseller = {0} and day between {1} and {2}"""
SUMMED = "select sum(earned) from {table} where reseller = {0} and day between {1} and {2}"


def timed(ask, questions):
    """After one round that is not counted."""
    for each in questions[:50]:
        ask(*each)
    answers, taken = [], []
    for each in questions:
        start = time.perf_counter_ns()
        answers.append(int(ask(*each)))
        taken.append(time.perf_counter_ns() - start)
    return {"answers": answers, "ns": taken}


def duckdb_side(folder, questions, threads):
    import duckdb

    def connect(name):
        base = duckdb.connect(os.path.join(place, name))
        base.execute(f"set threads={threads}")
        return base

    def size(base, name):
        base.execute("checkpoint")
        base.close()
        return os.path.getsize(os.path.join(place, name))

    clicks = os.path.join(folder, "clicks.csv")
    with tempfile.TemporaryDirectory(dir=folder) as place:
        base = connect("clicks")
        base.execute("create table clicks as select id, to_timestamp(time) as time, action, object, reseller, amount from "
                     f"read_csv('{clicks}', columns={{id: 'VARCHAR', time: 'BIGINT', action: 'VARCHAR', object: 'VARCHAR', "
                     "reseller: 'VARCHAR', amount: 'DECIMAL(18,6)'}) order by reseller, time")
        found = {"version": duckdb.__version__, "bytes": {"clicks": size(base, "clicks")}}
        base = connect("days")
        base.execute(f"attach '{os.path.join(place, 'clicks')}' as other (read_only)")
        base.execute("create table days as " + DAYS.replace("time //", "cast(epoch(time) as bigint) //").replace("from clicks", "from other.clicks")
                     + " order by reseller, day")
        base.execute("detach other")
        found["bytes"]["days"] = size(base, "days")
        base = connect("days")
        base.execute("create table rates as " + RATES.format(path=os.path.join(folder, "rates.csv")))
        base.execute("create table earned as " + EARNED)
        base.execute("create table one as select * from earned where reseller = ? order by day", [questions[0][0]])
        found["rows"] = base.execute("select count(*) from earned").fetchone()[0]
        for name, query in (("earned", SUMMED.replace("{table}", "earned")), ("joined", JOINED), ("one", SUMMED.replace("{table}", "one"))):
            base.execute(f"prepare ask_{name} as " + query.format("$1", "$2", "$3"))

            def ask(reseller, first, last, name=name):
                return base.execute(f"execute ask_{name}('{reseller}', {first}, {last})").fetchone()[0]

            found[name] = timed(ask, questions)
        base.close()
    return found


def clickhouse_side(folder, questions, threads):
    import chdb
    from chdb import session
    with tempfile.TemporaryDirectory(dir=folder) as place:
        base = session.Session(os.path.join(place, "clickhouse"))
        base.query("create database bench")
        base.query("use bench")
        base.query("create table days engine = MergeTree order by (reseller, day) as select reseller, intDiv(time, 86400) as day, "
                   "toInt64(sum(amount) * 1000000) as micros from "
                   f"file('{os.path.join(folder, 'clicks.csv')}', CSVWithNames, 'id String, time Int64, action String, object String, "
                   "reseller String, amount Decimal(38, 6)') group by reseller, day")
        base.query("create table rates engine = MergeTree order by (reseller, since) as select reseller, toInt64(toInt32(effective_since)) as since, "
                   "toInt64(reward_percent * 1000000) as share, leadInFrame(since, 1, 1000000) over (partition by reseller order by since "
                   "rows between unbounded preceding and unbounded following) as until from "
                   f"file('{os.path.join(folder, 'rates.csv')}', CSVWithNames, 'reseller String, effective_since Date32, reward_percent Decimal(38, 6)')")
        base.query("create table earned engine = MergeTree order by (reseller, day) as " + EARNED.replace("d.*", "d.reseller as reseller, day, micros"))
        base.query("optimize table earned final")
        base.query("optimize table days final")
        found = {"version": chdb.__version__, "rows": int(str(base.query("select count() from earned", "TabSeparated")))}
        for name, query in (("earned", SUMMED.replace("{table}", "earned")), ("joined", JOINED)):
            def ask(reseller, first, last, query=query):
                return str(base.query(query.format(f"'{reseller}'", first, last) + f" settings max_threads={threads}", "TabSeparated"))

            found[name] = timed(ask, questions)
        base.close()
    return found


def main():
    name, folder, path, threads = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        questions = json.load(file)
    print(json.dumps({"duckdb": duckdb_side, "clickhouse": clickhouse_side}[name](folder, questions, int(threads))))


main()
