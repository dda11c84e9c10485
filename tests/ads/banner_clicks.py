#!/usr/bin/env python3
"""Keeps the rows of ads-openbandit-women that are clicks: `banner_clicks.py random_women.csv.gz > clicks.csv`, then

    footfall import clicks.csv --as events --format csv --set action=click --set reseller=random \
        --map time=timestamp,object=item_id,publisher=position,actor=row

The data does not say who clicked, so each click is somebody else's. Every row is a view, and `footfall import` reads those from the
file as it is.
"""

import csv
import gzip
import sys

COLUMNS = ("timestamp", "item_id", "position")  # behind the number of the row, whose column has no name


def main(path):
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("row", *COLUMNS))
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        writer.writerows([row[name] for name in ("", *COLUMNS)] for row in csv.DictReader(lines) if row["click"] == "1")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: banner_clicks.py random_women.csv.gz > clicks.csv")
    main(sys.argv[1])
