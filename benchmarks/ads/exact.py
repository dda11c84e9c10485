"""What the ledger has to answer, computed from the files that it was filled from with numbers of any size."""

import bisect
import collections
import csv
import datetime

MILLION = 1_000_000
DAY_SECONDS = 86_400


def micros(text):
    """Of a decimal text with at most six decimals."""
    whole, _, fraction = text.lstrip("-").partition(".")
    value = int(whole or "0") * MILLION + int(fraction.ljust(6, "0"))
    return -value if text.startswith("-") else value


def day_number(text):
    return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days


def day_text(day):
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()


def half_even(exact):
    """A sum in 10^-12 of a unit as micros, half to even."""
    whole, rest = divmod(exact, MILLION)
    return whole + (rest * 2 > MILLION or (rest * 2 == MILLION and whole % 2 == 1))


class Books:
    """Amounts by reseller and day, and rates; some of the resellers, or all."""

    def __init__(self, clicks, rates, resellers=None):
        self.amounts = collections.defaultdict(lambda: collections.defaultdict(int))
        self.shares = collections.defaultdict(dict)
        with open(clicks, encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                if row[0] != "id" and (resellers is None or row[4] in resellers):
                    self.amounts[row[4]][int(row[1]) // DAY_SECONDS] += micros(row[5])
        with open(rates, encoding="utf-8", newline="") as file:
            for reseller, since, share in csv.reader(file):
                if reseller != "reseller" and (resellers is None or reseller in resellers):
                    self.shares[reseller][day_number(since)] = micros(share)
        self._sums = {}

    def set_rate(self, reseller, day, share):
        self.shares[reseller][day] = share
        self._sums.pop(reseller, None)

    def income(self, reseller, first, last):
        """Of days `first` to `last`, in micros."""
        if reseller not in self._sums:
            self._sums[reseller] = self._sum_up(reseller)
        days, sums = self._sums[reseller]
        return half_even(sums[bisect.bisect_right(days, last)] - sums[bisect.bisect_left(days, first)])

    def reseller_days(self):
        return sum(len(days) for days in self.amounts.values())

    def _sum_up(self, reseller):
        turns = sorted(self.shares[reseller])
        days, sums = sorted(self.amounts[reseller]), [0]
        for day in days:
            at = bisect.bisect_right(turns, day)
            share = self.shares[reseller][turns[at - 1]] if at else 0
            sums.append(sums[-1] + self.amounts[reseller][day] * share)
        return days, sums
