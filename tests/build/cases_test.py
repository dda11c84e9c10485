"""What a run of test programs tells: every case is counted, and one that failed is named, also when its program ended early.
A tiny project around the real cmake/module.cmake, run by ctest and read by tools/cases.

    python3 tests/build/cases_test.py [--verbose]    --verbose shows what is said
"""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILER = os.environ.get("CXX", "clang++-19")
VERBOSE = "--verbose" in sys.argv

TOP = f"""cmake_minimum_required(VERSION 3.25)
project(cases LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 23)
set(FOOTFALL_TESTS ON)
find_package(GTest REQUIRED)
include(GoogleTest)
enable_testing()
add_custom_target(unit_tests)
function(use_precompiled_headers)
endfunction()
include({ROOT}/cmake/module.cmake)
add_library(suites suites.cpp)
target_link_libraries(suites GTest::gtest)
test_program(wrong_test unit TIMEOUT 20 SHARDS 2 SOURCES empty.cpp DEPENDS suites)
test_program(ends_test unit TIMEOUT 20 SOURCES empty.cpp DEPENDS suites)
test_program(racy_test unit TIMEOUT 20 SOURCES empty.cpp DEPENDS suites)
test_program(hangs_test unit TIMEOUT 2 SOURCES empty.cpp DEPENDS suites)
"""
# Compiled once: each program runs the suite that it is named after.
SUITES = """#include <gtest/gtest.h>
#include <cstdio>
#include <cstdlib>
#include <string>
TEST(wrong, a) {}
TEST(wrong, b) { EXPECT_EQ(6 * 7, 41) << "the answer"; }
TEST(wrong, c) {}
TEST(wrong, d) {}
TEST(ends, a) {}
TEST(ends, b) { std::fputs("CHECK failed: b\\n", stderr); std::abort(); }
TEST(ends, c) {}
TEST(ends, d) {}
TEST(racy, a) {}
// As ThreadSanitizer does: it complains, goes on, and ends the program with a status of its own.
TEST(racy, b) { std::puts("WARNING: ThreadSanitizer: data race"); std::atexit([] { std::_Exit(66); }); }
TEST(racy, c) {}
TEST(hangs, a) {}
TEST(hangs, b) { for (volatile int i = 0;; i = i) {} }
int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const std::string name{argv[0]};
    const auto begin = name.rfind('/') + 1;
    testing::GTEST_FLAG(filter) = name.substr(begin, name.rfind('_') - begin) + ".*";
    return RUN_ALL_TESTS();
}
"""


class Cases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.write("CMakeLists.txt", TOP)
        cls.write("suites.cpp", SUITES)
        cls.write("empty.cpp", "")
        cls.run_step("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}")
        assert cls.run_step("cmake", "--build", "build").returncode == 0
        cls.run_step("ctest", "--test-dir", "build", "--output-junit", "report.xml")

    @classmethod
    def write(cls, path, text):
        with open(os.path.join(cls.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    @classmethod
    def run_step(cls, *words):
        done = subprocess.run(words, cwd=cls.folder, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if VERBOSE:
            print(f"\n$ {' '.join(words)}\n{done.stdout}")
        return done

    def cases(self, *words):
        return self.run_step(os.path.join(ROOT, "tools/cases"), "build/report.xml", "build/cases", *words)

    def test_every_case_is_counted(self):
        # wrong: 3 and 1. ends: 1, then 1 and 2 that did not run. racy: 2 and 1. hangs: 1 and 1.
        self.assertEqual(self.cases("--count").stdout, "7 6\n")

    def test_failed_cases_are_named_with_what_they_said(self):
        done = self.cases()
        self.assertEqual(done.returncode, 1)
        for words in ["wrong.b: failed", "the answer", "ends.b: failed", "CHECK failed: b", "racy.b: failed", "data race",
                      "hangs.b: failed", "ends_test: 2 cases that were to run after it: failed"]:
            self.assertIn(words, done.stdout)
        for name in ["wrong.a", "ends.a", "racy.a", "racy.c", "hangs.a"]:
            self.assertNotIn(name + ": failed", done.stdout)

    def test_a_run_that_left_no_report_has_no_cases(self):
        done = self.run_step(os.path.join(ROOT, "tools/cases"), "nothing.xml", "build/cases", "--count")
        self.assertEqual(done.stdout, "0 0\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + [word for word in sys.argv[1:] if word != "--verbose"])
