"""Tests of tools/tidy: each rule fires on a bad line, stays silent on the good one, and names the replacement."""

import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.join(ROOT, "tools/tidy")
loader = importlib.machinery.SourceFileLoader("tidy", PROGRAM)
tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", loader))
loader.exec_module(tidy)


def rules(text, path="src/views/view.cpp"):
    """The rules that fire on the text, as a sorted list."""
    return sorted({line.split("[")[1].split("]")[0] for line in tidy.source_findings(tidy.Source(path, text))})


def messages(text, path="src/views/view.cpp"):
    return list(tidy.source_findings(tidy.Source(path, text)))


def function_sizes(text):
    return [(last - first + 1, header) for first, last, header in tidy.functions(tidy.Source("a.cpp", text))]


class Includes(unittest.TestCase):
    def test_a_foreign_header_is_included_only_in_its_module(self):
        for header, owner in [("rocksdb/db.h", "storage_rocksdb"), ("librdkafka/rdkafka.h", "journal_kafka"),
                              ("boost/beast/core.hpp", "http_server"), ("boost/asio.hpp", "runtime")]:
            text = f"#include <{header}>\n"
            self.assertEqual(rules(text), ["include"], header)
            self.assertEqual(rules(text, f"src/{owner}/a.cpp"), [], header)

    def test_the_message_names_the_folder_and_the_replacement(self):
        line = messages("\n#include <rocksdb/db.h>\n")[0]
        self.assertTrue(line.startswith("src/views/view.cpp:2: [include]"), line)
        self.assertIn("src/storage_rocksdb/", line)
        self.assertIn("storage/store.h", line)

    def test_no_way_upwards(self):
        self.assertEqual(rules('#include "../guard/rule.h"\n'), ["include"])
        self.assertEqual(rules('#include "guard/rule.h"\n'), [])


class BannedWords(unittest.TestCase):
    def test_each_word_fires_and_its_neighbour_does_not(self):
        for rule, bad, good in [
            ("skip", "GTEST_SKIP();", "skip();"),
            ("skip", "TEST(Views, DISABLED_counts) {}", "TEST(Views, counts) {}"),
            ("sleep", "std::this_thread::sleep_for(1s);", "clock.advance(1s);"),
            ("sleep", "sleep(1);", "host.sleep(1);"),
            ("detach", "std::thread(work).detach();", "thread.join();"),
            ("assert", "assert(x);", "static_assert(x);"),
            ("regex", "std::regex pattern;", "Pattern pattern;"),
            ("atoi", "int n = atoi(s);", "auto n = parse_number(s);"),
            ("sprintf", "snprintf(b, 3, s);", "fmt::format(s);"),
            ("rand", "int n = rand();", "int n = operand();"),
            ("fixme", "// FIXME later", "// XXXX is no word of ours"),
            ("fixme", "// XXX later", 'std::string currency = "XXX";'),
            ("todo", "// TODO later", "// TODO(#12): later"),
        ]:
            self.assertEqual(rules(bad + "\n"), [rule], bad)
            self.assertEqual(rules(good + "\n"), [], good)

    def test_comments_and_strings_are_no_code(self):
        self.assertEqual(rules('// assert(x)\n/* rand() */ f("sleep(1)", R"x(atoi("1"))x", \'"\', 1\'000);\n'), [])

    def test_a_line_is_excused_with_a_reason_only(self):
        self.assertEqual(rules("sleep(1);  // tidy-allow(sleep): the child sends no event\n"), [])
        self.assertEqual(rules("sleep(1);  // tidy-allow(sleep):\n"), ["sleep"])
        self.assertEqual(rules("sleep(1);  // tidy-allow(rand): wrong rule\n"), ["sleep"])


class CoAwait(unittest.TestCase):
    def test_no_brace_or_lambda_inside_the_expression(self):
        for bad in ["co_await f(Request{s, 1});", "auto x = co_await v.op({s, 1});", "co_await f([s] { g(); });",
                    "if (co_await f(Request{s})) {\n}", "co_return co_await f(\n    Request{s});"]:
            self.assertEqual(rules(f"void g() {{ {bad} }}\n"), ["co_await"], bad)

    def test_named_values_are_fine(self):
        for good in ["co_await f(std::move(request));", "if (co_await f(x)) { g(); }", "for (auto x : co_await f()) { g(x); }",
                     "co_await f(); auto y = Request{s};", "CO_TRY(auto row, co_await store.read(key)); h({1});"]:
            self.assertEqual(rules(f"void g() {{ {good} }}\n"), [], good)
        self.assertEqual(rules("auto operator co_await() { return 1; }\n"), [])


class Lengths(unittest.TestCase):
    def test_a_file_has_a_limit(self):
        self.assertEqual(rules("int a;\n" * 500), [])
        self.assertEqual(rules("int a;\n" * 501), ["length"])
        self.assertEqual(rules("text\n" * 501, "docs/long.md"), [])

    def test_a_function_has_a_limit(self):
        body = "    f();\n"
        self.assertEqual(rules("void g() {\n" + body * 68 + "}\n"), [])
        self.assertEqual(rules("void g() {\n" + body * 69 + "}\n"), ["length"])

    def test_functions_are_found_in_namespaces_and_classes(self):
        text = """
namespace footfall {
enum class Kind { a, b };
const std::array<int, 2> table = {
    1, 2};
template <class T>
struct Box : Base<T> {
public:
    struct Inner {
        int x = 0;
    };
    Box(int a, Options o = {}) : a_{a}, b_{o} {
        f([a] {
            return a;
        });
    }
    int get() const { return a_; }
};
TEST(Box, holds_what_it_was_given) {
    if (x) {
    }
}
extern "C" int entry(const char* data) {
    return 0;
}
}
"""
        self.assertEqual([size for size, _ in function_sizes(text)], [5, 1, 4, 3])

    def test_a_type_or_a_table_is_no_function(self):
        self.assertEqual(function_sizes("struct alignas(64) A {\n int b;\n};\nint x[] = {\n1};\n"), [])


class Machines(unittest.TestCase):
    def test_no_path_of_one_machine(self):
        for folder in ("work", "farm", "root", "home"):
            self.assertEqual(rules(f"see /{folder}/x\n", "docs/a.md"), ["machine"], folder)
            for before in ("https://example.org", "..", "$dir"):
                self.assertEqual(rules(f"see {before}/{folder}/x\n", "docs/a.md"), [], before)

    def test_no_registry_in_a_lock_file(self):
        self.assertEqual(rules('  "resolved": "https://registry.example.org/a.tgz"\n', "web/package-lock.json"), ["machine"])
        self.assertEqual(rules('  "integrity": "sha512-x"\n', "web/package-lock.json"), [])


class WholeTree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        subprocess.run(["git", "init", "-q", self.folder.name], check=True)

    def write(self, path, text="", mode=0o644):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(full, mode)

    def run_tidy(self):
        done = subprocess.run([PROGRAM, "--root", self.folder.name], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_a_clean_tree_passes(self):
        self.write("src/views/CMakeLists.txt")
        self.write("src/views/README.md")
        self.write("docs/architecture.md", "| views | counts |")
        self.write("run", "#!/bin/sh\n", 0o755)
        self.assertEqual(self.run_tidy(), (0, "tidy: clean\n"))

    def test_a_module_needs_a_readme_and_its_line_in_the_architecture(self):
        self.write("src/views/CMakeLists.txt")
        status, text = self.run_tidy()
        self.assertEqual(status, 1)
        self.assertIn("no README.md", text)
        self.assertIn("docs/architecture.md", text)

    def test_programs_can_be_started_and_big_files_stay_out(self):
        self.write("run", "#!/bin/sh\n")
        self.write("tools/list", "# read by others, not a program\n")
        self.write("web/logo.png", "x" * ((1 << 20) + 1))
        text = self.run_tidy()[1]
        self.assertIn("run: [run-bit]", text)
        self.assertIn("web/logo.png: [size]", text)
        self.assertTrue(text.endswith("tidy: 2 findings\n"), text)

    def test_two_files_of_a_module_keep_no_name_twice(self):
        def file(body):
            return "namespace footfall::a {\nnamespace {\n\n" + body + "\n}  // namespace\n}  // namespace footfall::a\n"

        first = "constexpr int most = 3;\nstruct Part {\n    int x = 0;\n};\nvoid put(int a, long b) {\n    f();\n}\n"
        self.write("src/a/one.cpp", file(first))
        self.write("src/a/two.cpp", file("const int most = 4;\nstruct Part {\n};\nvoid put(int c, long) {\n}\nvoid put(int c) {\n}\n"))
        self.write("src/a/one_test.cpp", file(first))
        self.write("src/b/one.cpp", file(first))
        text = self.run_tidy()[1]
        self.assertIn("src/a/two.cpp:4: [own-name] 'most' is also in src/a/one.cpp:4", text)
        self.assertIn("src/a/two.cpp:5: [own-name] 'Part'", text)
        self.assertIn("src/a/two.cpp:7: [own-name] 'put(int, long)'", text)
        self.assertTrue(text.endswith("tidy: 3 findings\n"), text)

    def test_a_test_that_can_start_threads_is_one_of_threaded_tests(self):
        self.write("docs/architecture.md", "| a | counts |")
        self.write("src/a/README.md")
        self.write("src/a/CMakeLists.txt", "module(a\n    SOURCES pool.cpp\n    TESTS alone_test.cpp pool_test.cpp\n        own_test.cpp\n"
                   "    THREADED_TESTS known_test.cpp)\n")
        self.write("src/a/pool.h", "#pragma once\n")
        self.write("src/a/pool_parts.cpp", '#include "a/pool.h"\n\n#include <thread>\n')
        self.write("src/a/pool_test.cpp", '#include "a/pool.h"\n')
        self.write("src/a/own_test.cpp", "#include <future>\n")
        self.write("src/a/known_test.cpp", "#include <thread>\n")
        self.write("src/a/alone_test.cpp", "#include <vector>\n")
        text = self.run_tidy()[1]
        self.assertIn("[threads] pool_test.cpp can start threads (src/a/pool.h, src/a/pool_parts.cpp): it belongs to THREADED_TESTS", text)
        self.assertIn("[threads] own_test.cpp can start threads (itself)", text)
        self.assertTrue(text.endswith("tidy: 2 findings\n"), text)

    def test_a_header_starts_with_pragma_once(self):
        self.write("src/a.h", "// words\n#pragma once\n")
        self.assertIn("src/a.h:1: [pragma]", self.run_tidy()[1])


if __name__ == "__main__":
    unittest.main()
