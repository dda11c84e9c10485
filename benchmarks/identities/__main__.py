"""`./bench identities`: who is one person, beside Splink's deterministic rules; answers are compared first."""

import argparse
import collections
import csv
import datetime
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(TOP, "build/release/benchmarks/identities_records")
PEER = [os.path.join(TOP, "build/peers/bin/python3"), os.path.join(TOP, "benchmarks/identities/splink_peer.py")]
SYSTEMS = ("mlbam", "retro", "bbref", "bbref_minors", "fangraphs", "npb", "sr_nfl", "sr_nba", "sr_nhl", "wikidata")

# Of the records of the truth set. Those with a star: nobody has two.
IDENTIFIERS = ("email", "phone", "ssn*", "passport*", "licence*", "national_id*", "name_and_birth", "surname_and_birth", "name_and_address")
DATES = ("%m/%d/%Y", "%m/%d/%y", "%d/%m/%Y", "%Y-%m-%d", "%d-%b-%y", "%b %d %Y", "%Y")
# An identifier that comes with more others than that is shared: nobody's own.
SHARED_ABOVE = "16"


def small(text):
    """Letters and digits alone, in small letters."""
    return re.sub(r"[^\w]|_", "", (text or "").lower())


def together(*texts):
    """All of them, or nothing where one is missing."""
    return "-".join(texts) if all(texts) else ""


def day(text):
    for form in DATES:
        try:
            return datetime.datetime.strptime(text.strip(), form).date().isoformat()
        except ValueError:
            pass
    return small(text)


def of_truth_set(row):
    """The identifiers of a record, written in one way: so both sides are given the same."""
    def get(column):
        return row.get(column) or ""
    surname = small(get("PRIMARY_NAME_LAST"))
    name = get("PRIMARY_NAME_FULL") or get("PRIMARY_NAME_ORG") or f"{get('PRIMARY_NAME_FIRST')} {get('PRIMARY_NAME_LAST')}"
    name = "".join(sorted(map(small, name.split())))
    address = small(get("ADDR_FULL") or get("ADDR_LINE1"))
    birth = day(get("DATE_OF_BIRTH"))
    return [re.sub(r".*<(.*)>", r"\1", get("EMAIL_ADDRESS")).lower().strip(), small(get("PHONE_NUMBER")), small(get("SSN_NUMBER")),
            small(get("PASSPORT_NUMBER")), together(small(get("DRIVERS_LICENSE_NUMBER")), small(get("DRIVERS_LICENSE_STATE"))),
            small(get("NATIONAL_ID_NUMBER") or get("TAX_ID_NUMBER")), together(name, birth), together(surname, birth),
            together(name, address)]


def rows_of(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def write_records(path, identifiers, records):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(("record", *identifiers)) + "\n")
        for record, cells in records:
            file.write("\t".join((record, *cells)) + "\n")


def truth_set(data):
    """Records, and the cluster of each as the publisher says."""
    records = []
    for name in ("customers", "reference", "watchlist"):
        records += [(f"{row['DATA_SOURCE']}-{row['RECORD_ID']}", of_truth_set(row)) for row in rows_of(f"{data}/{name}.csv.gz")]
    truth = {f"{row['DATA_SOURCE']}-{row['RECORD_ID']}": row["CLUSTER_ID"] for row in rows_of(f"{data}/actual_truthset_key.csv.gz")}
    return records, truth


def register(data, wanted, times):
    """So many records of two identifiers of one person each, and who that is. Each pair comes so many times."""
    records, truth = [], {}
    for shard in "0123456789bce":
        for row in rows_of(f"{data}/people-{shard}.csv.gz"):
            known = [(at, row[f"key_{system}"]) for at, system in enumerate(SYSTEMS) if row[f"key_{system}"]]
            ring = list(zip(known, known[1:] + known[:1] if len(known) > 2 else known[1:]))
            for one, two in ring * times:
                if len(records) == wanted:
                    return records, truth
                cells = [""] * len(SYSTEMS)
                cells[one[0]], cells[two[0]] = one[1], two[1]
                name = f"r{len(records)}"
                records.append((name, cells))
                truth[name] = row["key_uuid"]
    return records, truth


def groups(clusters):
    """Sets of records."""
    found = collections.defaultdict(set)
    for record, cluster in clusters.items():
        found[cluster].add(record)
    return set(map(frozenset, found.values()))


def pairs(clusters):
    return {(one, two) for group in groups(clusters) for one in group for two in group if one < two}


def judged(found, truth):
    """Precision, recall, F1 of pairs."""
    said, true = pairs(found), pairs(truth)
    precision, recall = len(said & true) / len(said), len(said & true) / len(true)
    return precision, recall, 2 * precision * recall / (precision + recall)


def ask(words, records, target):
    """What it took, and the cluster of each record."""
    done = subprocess.run([*words[:1 + (words is PEER)], records, target, *words[1 + (words is PEER):]], check=True, stdout=subprocess.PIPE, text=True)
    with open(target, encoding="utf-8") as file:
        return json.loads(done.stdout), dict(line.rstrip("\n").split("\t") for line in file)


def judge_truth_set(data, folder):
    records, truth = truth_set(data)
    path = f"{folder}/truth-set"
    write_records(path, IDENTIFIERS, records)
    print("| records of the truth set | pairs | precision | recall | F1 |\n|---|---|---|---|---|")
    found = {}
    for side, words in (("ours, without guards", [PROGRAM]), ("Splink", PEER), ("ours, with guards", [PROGRAM, "--guards", SHARED_ABOVE])):
        found[side] = ask(words, path, f"{folder}/clusters")[1]
        if found[side].keys() != truth.keys():
            sys.exit(f"WRONG: {side} answers other records than there are")
        print(f"| {side} | {len(pairs(found[side]))} | " + " | ".join(f"{each:.3f}" for each in judged(found[side], truth)) + " |")
    if groups(found["ours, without guards"]) != groups(found["Splink"]):
        sys.exit("WRONG: without guards the answers are not Splink's")


def measure(data, folder, times, chosen):
    records, truth = register(data, chosen.records, times)
    path = f"{folder}/register"
    write_records(path, [f"{system}*" for system in SYSTEMS], records)
    print(f"\n| {len(records)} records, {len(groups(truth))} people | wall s | CPU s | Splink's wall | Splink's CPU |\n|---|---|---|---|---|")
    for number in range(chosen.rounds):
        sides = [("Splink", PEER), ("ours, in process", [PROGRAM]), ("ours, with guards", [PROGRAM, "--guards", "64"])]
        if chosen.durable and number == 0:
            sides.append(("ours, durable", [PROGRAM, "--store", tempfile.mkdtemp(dir=folder)]))
        taken = {}
        for side, words in sides:
            taken[side], clusters = ask(words, path, f"{folder}/clusters")
            if groups(clusters) != groups(truth):
                sys.exit(f"WRONG: {side} finds other people than there are")
        for side, took in taken.items():
            ratios = [f"{taken['Splink'][what] / took[what]:.1f}x" for what in ("wall", "cpu")]
            print(f"| {number + 1}: {side} | {took['wall']} | {took['cpu']} | {ratios[0]} | {ratios[1]} |", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./bench identities", description=__doc__)
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--durable", action="store_true", help="once also fact by fact through a store, which takes minutes")
    chosen = parser.parse_args()
    data = os.environ.get("FOOTFALL_DATA_DIR", os.path.join(TOP, "../shared/data"))
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(dir=os.path.join(TOP, "build")) as folder:
        judge_truth_set(f"{data}/identity-truthset", folder)
        for times in (1, 10):
            measure(f"{data}/identity-chadwick", folder, times, chosen)
    print(f"load after: {os.getloadavg()[0]:.1f}")


main()
