"""The graph of modules cannot be broken: tiny projects around the real cmake/module.cmake.

    python3 tests/build/module_graph_test.py [--verbose]    --verbose shows what CMake and the compiler say
"""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILER = os.environ.get("CXX", "clang++-19")
VERBOSE = "--verbose" in sys.argv

TOP = """cmake_minimum_required(VERSION 3.25)
project(graph LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 23)
set_property(GLOBAL PROPERTY GLOBAL_DEPENDS_NO_CYCLES ON)
add_library(footfall_options INTERFACE)
function(use_precompiled_headers)
endfunction()
include({root}/cmake/module.cmake)
{modules}
"""
MODULE = "module({name} SOURCES {name}.cpp HEADERS {name}.h DEPENDS {depends})\n"
HEADER = "#pragma once\n{includes}inline int {name}_value() {{ return 1; }}\n"


class ModuleGraph(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, path, text):
        full = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def project(self, *modules, includes=()):
        """modules: (name, depends), in the order of src/CMakeLists.txt; includes: (module, header it includes)."""
        for name, depends in modules:
            lines = "".join(f'#include "{other}/{other}.h"\n' for module, other in includes if module == name)
            self.write(f"{name}/CMakeLists.txt", MODULE.format(name=name, depends=depends))
            self.write(f"{name}/{name}.h", HEADER.format(name=name, includes=lines))
            self.write(f"{name}/{name}.cpp", f'#include "{name}/{name}.h"\nint {name}_main() {{ return {name}_value(); }}\n')
        order = "\n".join(f"add_subdirectory({name})" for name, _ in modules)
        self.write("CMakeLists.txt", TOP.format(root=ROOT, modules=order))

    def run_step(self, *words):
        done = subprocess.run(words, cwd=self.folder.name, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if VERBOSE:
            print(f"\n$ {' '.join(words)}\n{done.stdout}")
        return done.returncode, " ".join(done.stdout.split())

    def configure(self):
        return self.run_step("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={COMPILER}")

    def build(self, target="all"):
        return self.run_step("ninja", "-C", "build", target)

    def test_a_legal_graph_builds_and_each_header_compiles_alone(self):
        self.project(("low", ""), ("middle", "low"), ("high", "middle"), includes=[("high", "middle"), ("high", "low")])
        self.assertEqual(self.configure()[0], 0)
        self.assertEqual(self.build()[0], 0)
        self.assertEqual(self.build("all_verify_interface_header_sets")[0], 0)

    def test_a_header_of_a_module_not_depended_on_is_not_found(self):
        self.project(("low", ""), ("left", "low"), ("right", "low"), includes=[("right", "left")])
        self.assertEqual(self.configure()[0], 0)
        status, text = self.build()
        self.assertNotEqual(status, 0)
        self.assertIn("'left/left.h' file not found", text)

    def test_a_cycle_stops_the_configuration(self):
        self.project(("low", "high"), ("high", "low"))
        status, text = self.configure()
        self.assertNotEqual(status, 0)
        self.assertIn("module(low): high is not a module below it", text)

    def test_a_header_that_leans_on_its_includer_fails(self):
        self.project(("low", ""))
        self.write("low/low.h", "#pragma once\ninline std::size_t low_value() { return 1; }\n")
        self.write("low/low.cpp", '#include <cstddef>\n#include "low/low.h"\nstd::size_t low_main() { return low_value(); }\n')
        self.assertEqual(self.configure()[0], 0)
        self.assertEqual(self.build()[0], 0)
        self.assertNotEqual(self.build("all_verify_interface_header_sets")[0], 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + [word for word in sys.argv[1:] if word != "--verbose"])
