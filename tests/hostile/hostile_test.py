"""Tests of tests/hostile: what is back and what is not, what a turn of attacks says, what of schemathesis is a failure."""

import os
import sys
import unittest

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(FOLDER))
sys.path[:0] = [FOLDER, os.path.join(os.path.dirname(FOLDER), "soak"), os.path.join(TOP, "benchmarks", "counter")]

import api_description  # noqa: E402
import settling  # noqa: E402
from attack import FunctionAttack  # noqa: E402
from judgement import MIB  # noqa: E402
from known_load import p99  # noqa: E402


FRESH = {"footfall_http_connections": 1.0, "footfall_token_bytes": 1.0 * MIB, "footfall_view_unsaved": 0.0, "resident_bytes": 60.0 * MIB}


class Settling(unittest.TestCase):
    def kept(self, *samples):
        return settling.judge_gauges([{**FRESH, **sample} for sample in samples], FRESH).kept

    def test_the_same_is_back(self):
        self.assertTrue(self.kept({}))

    def test_what_stays_raised_is_not(self):
        self.assertFalse(self.kept({"footfall_http_connections": 500.0}, {"footfall_http_connections": 400.0}))
        self.assertFalse(self.kept({"footfall_streams": 40.0}))

    def test_each_has_to_be_back_once(self):
        self.assertTrue(self.kept({"footfall_http_connections": 500.0}, {"footfall_streams": 40.0}))

    def test_what_is_kept_to_be_faster_may_stay_up_to_its_share(self):
        self.assertTrue(self.kept({"footfall_token_bytes": 20.0 * MIB}))
        self.assertFalse(self.kept({"footfall_token_bytes": 40.0 * MIB}))

    def test_nothing_seen_is_nothing_back(self):
        self.assertFalse(self.kept())

    def test_resident_memory_may_be_larger_by_what_is_kept(self):
        def kept(resident, tokens):
            return settling.judge_resident([{**FRESH, "resident_bytes": resident * MIB, "footfall_token_bytes": tokens * MIB}], FRESH).kept

        self.assertTrue(kept(70, 1))
        self.assertFalse(kept(100, 1))
        self.assertTrue(kept(95, 26))

    def test_the_peak_has_a_limit(self):
        self.assertFalse(settling.judge_peak("a", []).kept)
        self.assertTrue(settling.judge_peak("a", [100.0 * MIB, 146.0 * MIB]).kept)
        self.assertFalse(settling.judge_peak("a", [147.0 * MIB]).kept)


class Attacks(unittest.TestCase):
    def run_function(self, function):
        attack = FunctionAttack("a", "b", function, more=3)
        attack.start(type("Server", (), {"port": 1}))
        attack.stop()
        return attack

    def test_a_function_says_what_is_wrong(self):
        attack = self.run_function(lambda host, port, more: {"wrong": [f"{host} {port} {more}"], "seen": 4})
        self.assertEqual(attack.judge(), ["127.0.0.1 1 3"])
        self.assertEqual(attack.told(), "seen 4")
        self.assertTrue(attack.is_over())

    def test_a_function_that_fails_has_broken_its_promise(self):
        self.assertEqual(self.run_function(lambda host, port, more: 1 / 0).judge(), ["ZeroDivisionError: division by zero"])

    def test_p99_is_of_what_began_meanwhile(self):
        latencies = [(float(at), 1.0 if at < 100 else 0.001 * (at - 99)) for at in range(200)]
        self.assertAlmostEqual(p99(latencies, 100, 200), 0.1)
        self.assertIsNone(p99(latencies, 300, 400))


class Description(unittest.TestCase):
    GOOD = "Test cases:\n  1801 generated, 56 skipped\n"

    def test_no_failure_is_kept(self):
        verdict, = api_description.judge(0, self.GOOD)
        self.assertTrue(verdict.kept)
        self.assertEqual(verdict.found, "1801 generated, 56 skipped")

    def test_a_failure_is_told_by_its_kind(self):
        verdict, = api_description.judge(1, "- ST202 Schema-valid request rejected\n\n- ST202 Schema-valid request rejected\n" + self.GOOD)
        self.assertFalse(verdict.kept)
        self.assertEqual(verdict.found, "ST202 Schema-valid request rejected: 2")

    def test_a_run_that_made_no_request_is_a_failure(self):
        verdict, = api_description.judge(0, "nothing to do")
        self.assertFalse(verdict.kept)


if __name__ == "__main__":
    unittest.main()
