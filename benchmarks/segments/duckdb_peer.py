"""DuckDB in ./bench segments: every pair of sets of a file, by joining the table with itself; what that took as JSON on standard output.

    duckdb_peer.py FILE SETS OUT
"""

import json
import resource
import sys
import time

import duckdb
import numpy


def main():
    members, sets, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    numbers = numpy.fromfile(members, dtype=numpy.uint32)
    which = numpy.repeat(numpy.arange(sets, dtype=numpy.uint8), len(numbers) // sets)
    base = duckdb.connect()
    base.execute("set threads=1")
    before = time.process_time()
    base.register("arrays", {"which": which, "number": numbers})
    base.execute("create table members as select * from arrays")
    build = time.process_time() - before
    before = time.process_time()
    pairs = base.execute("select a.which, b.which, count(*) from members a join members b on a.number = b.number and a.which <= b.which group by all").fetchall()
    taken = time.process_time() - before
    with open(out, "w", encoding="utf-8") as file:
        counts = {(one, other): count for one, other, count in pairs}
        for one in range(sets):
            for other in range(one, sets):
                file.write(f"{one},{other},{counts.get((one, other), 0)}\n")
    print(json.dumps({"build_s": round(build, 3), "pairs_s": round(taken, 3), "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3}))


main()
