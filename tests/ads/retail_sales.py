#!/usr/bin/env python3
"""Makes sales of ledger-retail: `retail_sales.py online-retail.csv.gz > sales.csv`, then

    footfall import sales.csv --as events --format csv --set action=sale --set currency=GBP \
        --map id=row,time=time,object=code,reseller=country,publisher=customer,amount=amount

The amount is Quantity x UnitPrice to the last digit, also where it is zero or below. Some 135,000 rows have no customer, so their
sales have no publisher. The same file always makes the same bytes.
"""

import csv
import gzip
import sys
from decimal import Decimal

COLUMNS = ("row", "time", "code", "country", "customer", "amount")


def sales(lines):
    """A tuple of COLUMNS for each record below the header; rows are counted from 1."""
    for number, record in enumerate(csv.DictReader(lines), start=1):
        amount = Decimal(record["Quantity"]) * Decimal(record["UnitPrice"])
        yield number, record["InvoiceDate"], record["StockCode"], record["Country"], record["CustomerID"], f"{amount:f}"


def main(path):
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(sales(lines))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: retail_sales.py online-retail.csv.gz > sales.csv")
    main(sys.argv[1])
