"""Tests of benchmarks/counter and sustained loads of events: verdicts follow from figures, a loss is told, a command is kept once and without its numbers."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "benchmarks", "counter"), os.path.join(ROOT, "benchmarks", "events")]

import comparisons  # noqa: E402
import machine  # noqa: E402
import report  # noqa: E402
import sustained  # noqa: E402
from programs import Settings  # noqa: E402


def results(goals, ratio=0.1, best=None):
    """As much of a run as `losses` looks at."""
    return {"comparisons": [{"title": "PUT", "goals": goals}], "memory_goals": [], "rows": {"ratio": {"us_a_row": ratio}},
            "capacity": [{"objects": 1000, "sync": "always", "best": best}]}


class Goals(unittest.TestCase):
    def test_a_rate_has_to_be_at_least_and_a_cost_at_most(self):
        self.assertTrue(comparisons.goal("rate", 210, 200, "at least", 1.05)["met"])
        self.assertFalse(comparisons.goal("rate", 209, 200, "at least", 1.05)["met"])
        self.assertTrue(comparisons.goal("CPU", 9, 10, "at most", 0.9)["met"])
        self.assertFalse(comparisons.goal("CPU", 9.1, 10, "at most", 0.9)["met"])
        self.assertFalse(comparisons.floor("rate", 199_999, 200_000)["met"])

    def test_median_is_taken_of_each_figure(self):
        rounds = [{"rate": rate, "server_us": 10 / rate, "limited_by": by} for rate, by in ((1, "server"), (5, "client"), (2, "server"))]
        self.assertEqual(comparisons.median_of(rounds), {"rate": 2, "server_us": 5, "limited_by": "server"})


class Losses(unittest.TestCase):
    def test_nothing_lost_is_said_so(self):
        goal = comparisons.goal("rate", 2, 1, "at least", 1.05)
        self.assertEqual(report.losses(results([goal], best={"asked": 1})), "Nowhere in this run.")

    def test_every_kind_of_loss_is_told(self):
        goals = [comparisons.goal("CPU", 2, 1, "at most", 0.9), comparisons.floor("rate", 7, 200_000)]
        told = report.losses(results(goals, ratio=0.2)).split("\n")
        self.assertEqual(len(told), 4)
        for line, word in zip(told, ("2.00 x the peer", "7.00", "0.20 x the CPU", "1,000 objects"), strict=True):
            self.assertIn(word, line)


class Quietness(unittest.TestCase):
    def test_a_machine_in_use_is_told_in_bold(self):
        self.assertNotIn("**", report.quietness({"before": 0.02, "after": 0.1}))
        self.assertIn("say little", report.quietness({"before": 0.02, "after": 0.11}))


class Sustained(unittest.TestCase):
    def test_the_last_tenth_stands_beside_the_second(self):
        windows = [{"end": end, "rate": 100 if end <= 30 else 25, "p99_ms": 1} for end in range(1, 61)]
        self.assertEqual(sustained.rate_of(windows, 0.1, 0.2), 100)
        self.assertEqual(sustained.rate_of(windows, 0.9, 1), 25)
        run = {"title": "T", "seconds": 600, "windows": windows, "second": 100, "last": 25, "rows": {"views": 0.5, "bulk": 2}, "cpu_us": 9,
               "resident_mib": 1000, "failed": 0}
        told = sustained.text({"date": "D", "commit": "C", "busy": {"before": 0.5, "after": 0}, "runs": [run]})
        for words in ("For 10 minutes", "| T | 100 | 100 | 25 | 25 % | 0.50 | 2.00 |", "say little", "first 10 s", "last 60 s"):
            self.assertIn(words, told)


class Commands(unittest.TestCase):
    def test_one_of_each_kind_is_kept(self):
        settings = Settings("build", True)
        for port, seed in (("18431", "1"), ("18432", "2")):
            settings.note(["taskset", "-c", "0", "/tmp/x/footfall", "bench", "counter", "--server", f"http://127.0.0.1:{port}",
                           "--seed", seed, "--connections", "64"])
        settings.note(["redis-server", "--port", "18433", "--save", "", "--dir", "/tmp/redis-abc"])
        self.assertEqual(settings.commands, [
            "taskset -c 0 footfall bench counter --server http://127.0.0.1:PORT --connections 64",
            "redis-server --port N --save ''"])


class Disk(unittest.TestCase):
    def test_percentiles_are_of_sorted_values(self):
        self.assertEqual(machine.percentile(list(range(100)), 0.99), 99)
        self.assertEqual(machine.percentile([5], 0.99), 5)


if __name__ == "__main__":
    unittest.main()
