"""Tests of tests/soak: a slow leak is found, noise and the saw-tooth of flushes are not; throughput, what waits, and what is parsed."""

import os
import random
import sys
import unittest

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "benchmarks", "counter")]

import identities_client  # noqa: E402
import judgement  # noqa: E402
import load  # noqa: E402
import samples  # noqa: E402
from judgement import MIB, Plan, judge_rate, judge_series, still_waiting  # noqa: E402

HOUR = Plan(60)
STAGE = Plan(5)


def made(plan, value, noise=0.0, seed=1):
    """A sample a second; `value(second)`, and normal noise of this deviation."""
    draw = random.Random(seed)
    return [(second + 0.01 * draw.random(), value(second) + draw.gauss(0, noise)) for second in range(int(plan.seconds))]


def kept(series, name="footfall_some_bytes", plan=HOUR):
    return judge_series(name, series, plan).kept


class People(unittest.TestCase):
    def test_links_of_neighbours_make_chains(self):
        self.assertEqual(identities_client.chains_of({0, 1, 3}), [[0, 1, 2], [3, 4]])
        self.assertEqual(identities_client.chains_of({2}), [[2, 3]])


class Growth(unittest.TestCase):
    def test_what_stays_is_kept_however_noisy(self):
        for seed in range(50):
            for noise in (0, 1 * MIB, 30 * MIB):
                self.assertTrue(kept(made(HOUR, lambda _: 200 * MIB, noise, seed)), (seed, noise))
                self.assertTrue(kept(made(STAGE, lambda _: 200 * MIB, noise, seed), plan=STAGE), (seed, noise))

    def test_a_slow_leak_is_found(self):
        for seed in range(50):
            leak = made(HOUR, lambda second: 100 * MIB + 25 * MIB * second / 3600, 4 * MIB, seed)
            self.assertFalse(kept(leak), seed)

    def test_a_leak_below_a_saw_tooth_is_found(self):
        leak = made(HOUR, lambda second: 50 * MIB + 40 * MIB * (second % 60) / 60 + 60 * MIB * second / 3600)
        self.assertFalse(kept(leak))

    def test_the_saw_tooth_of_flushes_is_no_growth(self):
        for period in (7, 10, 60, 300, 560, 900):
            for shift in range(0, period, max(1, period // 8)):
                teeth = made(HOUR, lambda second, period=period, shift=shift: 80 * MIB * ((second + shift) % period) / period)
                self.assertTrue(kept(teeth), (period, shift))

    def test_in_five_minutes_a_leak_of_the_account_of_views_is_found(self):
        # 40 bytes a row written, half a row an event, 50,000 events a second.
        leak = made(STAGE, lambda second: 20 * MIB + 1e6 * second, 2 * MIB)
        self.assertFalse(kept(leak, plan=STAGE))

    def test_growing_before_the_tenth_minute_is_warming_up(self):
        self.assertTrue(kept(made(HOUR, lambda second: min(second, 600) * MIB)))
        self.assertFalse(kept(made(HOUR, lambda second: min(second, 2000) * MIB)))
        self.assertTrue(kept(made(STAGE, lambda second: min(second, 150) * MIB), plan=STAGE))

    def test_only_in_a_short_run_resident_memory_may_fill(self):
        self.assertFalse(kept(made(HOUR, lambda second: 400 * MIB + second * MIB / 20), "resident_bytes"))
        self.assertTrue(kept(made(STAGE, lambda second: 400 * MIB + second * MIB), "resident_bytes", STAGE))
        self.assertFalse(kept(made(STAGE, lambda second: 400 * MIB + 5 * second * MIB), "resident_bytes", STAGE))

    def test_shrinking_is_no_growth(self):
        self.assertTrue(kept(made(HOUR, lambda second: (4000 - second) * MIB)))

    def test_what_is_small_may_grow_by_its_floor_only(self):
        self.assertTrue(kept(made(HOUR, lambda second: second / 1800), "threads"))
        self.assertFalse(kept(made(HOUR, lambda second: second / 400), "threads"))
        self.assertFalse(kept(made(HOUR, lambda second: second / 400), 'footfall_strange{kind="a"}'))

    def test_too_few_samples_are_no_proof(self):
        self.assertFalse(kept(made(HOUR, lambda _: 1.0)[:610]))

    def test_what_may_grow_has_a_reason_and_mostly_a_bound(self):
        share = judgement.MAY_GROW["footfall_view_bytes"].most * HOUR.memory_bytes
        fills = made(HOUR, lambda second: share * second / 4000)
        self.assertTrue(kept(fills, "footfall_view_bytes"))
        self.assertFalse(kept(made(HOUR, lambda second: share * second / 3000), "footfall_view_bytes"))
        for allowed in [*judgement.MAY_GROW.values(), *judgement.MAY_GROW_AT_FIRST.values(), *judgement.MAY_WAIT.values()]:
            self.assertTrue(allowed.because)


class Rates(unittest.TestCase):
    def test_less_than_nine_tenths_of_the_beginning_is_too_little(self):
        for plan in (HOUR, STAGE):
            late = 0.8 * plan.seconds
            self.assertTrue(judge_rate(made(plan, lambda _: 50_000, 4_000), plan).kept)
            self.assertTrue(judge_rate(made(plan, lambda second, late=late: 46_000 if second > late else 50_000), plan).kept)
            self.assertFalse(judge_rate(made(plan, lambda second, late=late: 44_000 if second > late else 50_000), plan).kept)

    def test_a_minute_of_standing_still_is_found(self):
        self.assertFalse(judge_rate(made(HOUR, lambda second: 0 if 1800 <= second < 1860 else 50_000), HOUR).kept)

    def test_a_run_that_ends_early_is_found(self):
        self.assertFalse(judge_rate(made(HOUR, lambda _: 50_000)[:1800], HOUR).kept)
        self.assertFalse(judge_rate([], HOUR).kept)


class Bounds(unittest.TestCase):
    def test_resident_memory_has_a_limit_beside_not_growing(self):
        self.assertTrue(judgement.judge_budget([(0, 1400.0 * MIB)], HOUR).kept)
        self.assertFalse(judgement.judge_budget([(0, 1500.0 * MIB), (1, 1.0)], HOUR).kept)

    def test_a_run_in_which_no_event_went_does_not_show_what_it_should(self):
        self.assertTrue(judgement.judge_retention([(0, 0.0), (1, 5.0)], HOUR).kept)
        self.assertFalse(judgement.judge_retention([(0, 0.0), (1, 0.0)], HOUR).kept)
        self.assertFalse(judgement.judge_retention([], STAGE).kept)


class Quiet(unittest.TestCase):
    def test_what_waits_has_to_be_as_low_as_before_the_load(self):
        before = {"sockets": 3.0, "footfall_view_unsaved_cells": 0.0, "footfall_view_bytes": 0.0}
        self.assertEqual(still_waiting(before, {**before, "footfall_view_bytes": 5e7}, HOUR), {})
        self.assertEqual(still_waiting(before, {**before, "sockets": 4.0}, HOUR), {"sockets": 4.0})
        self.assertEqual(still_waiting(before, {**before, "footfall_view_unsaved_cells": 1.0}, HOUR), {"footfall_view_unsaved_cells": 1.0})

    def test_a_gauge_that_came_with_the_load_counts_as_none_before(self):
        self.assertEqual(still_waiting({}, {'footfall_job_pending_rows{job="views"}': 2.0}, HOUR), {'footfall_job_pending_rows{job="views"}': 2.0})

    def test_a_generation_that_is_not_full_may_wait(self):
        self.assertEqual(still_waiting({}, {"footfall_store_pending_bytes": 16.0 * MIB}, HOUR), {})
        self.assertNotEqual(still_waiting({}, {"footfall_store_pending_bytes": 160.0 * MIB}, HOUR), {})


class Samples(unittest.TestCase):
    TEXT = "\n".join(("# HELP a_bytes What.", "# TYPE a_bytes gauge", "a_bytes 7", "# TYPE b_total counter", 'b_total{verdict="counted"} 3',
                      'b_total{verdict="a b"} 4.5e1', "# TYPE c_seconds histogram", 'c_seconds_bucket{le="+Inf"} 1', "c_seconds_sum 0.5", ""))

    def test_gauges_and_totals_are_told_apart(self):
        gauges, totals = samples.parse_metrics(self.TEXT)
        self.assertEqual(gauges, {"a_bytes": 7})
        self.assertEqual(totals, {'b_total{verdict="counted"}': 3, 'b_total{verdict="a b"}': 45})

    def test_rates_are_of_all_labels_together(self):
        taken = [{"at": at, "totals": {"b_total{x}": 10.0 * at, "b_total{y}": 5.0 * at, "c_total": 1.0}} for at in (0.0, 2.0, 3.0)]
        self.assertEqual(samples.rates(taken, "b_total"), [(2.0, 15.0), (3.0, 15.0)])


class Counts(unittest.TestCase):
    REPORT = {"status": 0, "check": {"wrong": 0, "objects": 1000, "exact": 990}, "total": {"failed": {}, "lost": 0, "unsent": 0, "good": 5}}

    def broken(self, **changed):
        return [verdict.promise for verdict in load.bench_verdicts("events", {**self.REPORT, **changed}) if not verdict.kept]

    def test_a_wrong_count_and_a_refused_request_are_told(self):
        self.assertEqual(self.broken(), [])
        self.assertEqual(self.broken(check={"wrong": 1, "objects": 1000, "exact": 990}), ["counts of events are exact"])
        self.assertEqual(self.broken(total={**self.REPORT["total"], "failed": {"503": 2}}), ["every request of events is answered well"])
        self.assertEqual(self.broken(check=None, status=3), ["counts of events are exact"])


if __name__ == "__main__":
    unittest.main()
