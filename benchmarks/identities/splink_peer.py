"""Splink's deterministic rules on DuckDB: records are one person when they agree on any identifier, and so on from record to record.

    build/peers/bin/python3 benchmarks/identities/splink_peer.py RECORDS CLUSTERS

RECORDS and CLUSTERS as of identities_records.cpp. Prints JSON of what it took, from a table in memory to clusters in memory.
"""

import json
import sys
import time

import duckdb
from splink import DuckDBAPI, Linker, SettingsCreator, block_on


def clusters_of(connection, columns):
    records = DuckDBAPI(connection=connection).register("records")
    settings = SettingsCreator(link_type="dedupe_only", unique_id_column_name="record",
                               blocking_rules_to_generate_predictions=[block_on(f'"{column}"') for column in columns])
    linker = Linker(records, settings, log_level="ERROR")
    pairs = linker.inference.deterministic_link()
    clustered = linker.clustering.cluster_pairwise_predictions_at_threshold(pairs)
    return connection.execute(f"SELECT record, cluster_id FROM {clustered.physical_name}").fetchall()


def main():
    source, target = sys.argv[1:]
    connection = duckdb.connect()
    with open(source, encoding="utf-8") as file:
        columns = [name.rstrip("*") for name in file.readline().rstrip("\n").split("\t")]
    types = ", ".join(f"'{column}': 'VARCHAR'" for column in columns)
    connection.execute(f"CREATE TABLE records AS SELECT * FROM read_csv('{source}', delim='\t', skip=1, header=false, quote='', "
                       f"nullstr='', columns={{{types}}})")
    cpu, wall = time.process_time(), time.monotonic()
    clusters = clusters_of(connection, columns[1:])
    print(json.dumps({"records": len(clusters), "cpu": round(time.process_time() - cpu, 3), "wall": round(time.monotonic() - wall, 3)}))
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(f"{record}\t{cluster}\n" for record, cluster in clusters)


main()
