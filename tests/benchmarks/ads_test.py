"""Tests of benchmarks/ads: what the ledger's answers are held to, and that a figure that is missed is told."""

import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "benchmarks", "counter"), os.path.join(ROOT, "benchmarks", "ads")]

import document  # noqa: E402
import exact  # noqa: E402

CLICKS = """id,time,action,object,reseller,amount
a,86400,click,o,r,0.5
b,172799,click,o,r,-0.000001
c,172800,sale,o,r,12
d,259200,click,o,other,1
"""
RATES = """reseller,effective_since,reward_percent
r,1970-01-02,0.5
r,1970-01-03,0.000001
"""


class Money(unittest.TestCase):
    def test_a_text_is_read_to_the_millionth(self):
        for text, micros in (("12", 12_000_000), ("-0.000001", -1), ("0.05", 50_000), (".1", 100_000)):
            self.assertEqual(exact.micros(text), micros)

    def test_halves_go_to_even_on_both_sides_of_zero(self):
        for sum_, micros in ((500_000, 0), (1_500_000, 2), (2_500_000, 2), (2_500_001, 3), (-500_000, 0), (-1_500_000, -2), (-2_500_001, -3)):
            self.assertEqual(exact.half_even(sum_), micros)


class Books(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.paths = [os.path.join(folder.name, name) for name in ("clicks.csv", "rates.csv")]
        for path, text in zip(self.paths, (CLICKS, RATES), strict=True):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def test_each_day_has_the_rate_that_holds_on_it(self):
        books = exact.Books(*self.paths)
        self.assertEqual(books.reseller_days(), 3)
        self.assertEqual(books.income("r", 0, 1), 250_000)  # 249,999.5 goes to even
        self.assertEqual(books.income("r", 2, 9), 12)
        self.assertEqual(books.income("r", 0, 9), 250_012)  # 250,011.5
        self.assertEqual(books.income("other", 0, 9), 0)

    def test_a_rate_of_the_past_changes_what_was_summed_up(self):
        books = exact.Books(*self.paths, {"r"})
        self.assertEqual(books.income("r", 1, 1), 250_000)
        books.set_rate("r", 1, 0)
        self.assertEqual(books.income("r", 1, 1), 0)


class Verdicts(unittest.TestCase):
    def test_what_is_missed_is_told(self):
        self.assertEqual(document.within(0.8, 0.8, "µs")[2], "met")
        self.assertEqual(document.within(0.81, 0.8, "µs")[2], "**not met**")
        self.assertEqual(document.at_least(999, 1000, "x")[2], "**not met**")


if __name__ == "__main__":
    unittest.main()
