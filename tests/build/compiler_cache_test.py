"""What the compiler cache hands out is right, and of use to other clones: a tiny project around the real cmake/ files.

    python3 tests/build/compiler_cache_test.py [--verbose]    --verbose shows what CMake and the compiler say
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILER = os.environ.get("CXX", "clang++-19")
VERBOSE = "--verbose" in sys.argv

FILES = {
    "CMakeLists.txt": f"""cmake_minimum_required(VERSION 3.25)
project(cached LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 23)
list(APPEND CMAKE_MODULE_PATH "{ROOT}/cmake")
find_package(fmt REQUIRED)
include(compiler_cache)
include(units)
include(options)
include(precompiled)
include(module)
add_subdirectory(page)
add_executable(show main.cpp)
target_link_libraries(show PRIVATE page)
""",
    "main.cpp": '#include "page/page.h"\n#include <cstdio>\nint main() { return std::puts(page_text()) < 0 || std::puts(place()) < 0; }\n',
    "page/CMakeLists.txt": "module(page SOURCES page.cpp place.cpp HEADERS page.h)\n",
    "page/page.h": "#pragma once\nconst char* page_text();\nconst char* place();\n",
    "page/page.cpp": """#include "page/page.h"
#pragma clang diagnostic ignored "-Wc23-extensions"
static constexpr char text[] = {
#embed "page.txt"
    , 0};
const char* page_text() { return text; }
""",
    "page/place.cpp": '#include "page/page.h"\nconst char* place() { return __FILE__; }\n',
    "page/page.txt": "first",
}


class CompilerCache(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = os.path.realpath(folder.name)
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith("CCACHE_")}
        cls.environment["CCACHE_DIR"] = os.path.join(cls.folder, "cache")
        cls.environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)

    def setUp(self):
        """A first clone; what it does not find in the cache is made."""
        self.clone("one")
        self.assertEqual(self.built("one"), ["first", "page/place.cpp"])
        self.run_step("ccache", "--zero-stats")

    def run_step(self, *words):
        done = subprocess.run(words, env=self.environment, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if VERBOSE:
            print(f"\n$ {' '.join(words)}\n{done.stdout}")
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def write(self, clone, path, text):
        full = os.path.join(self.folder, clone, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def clone(self, name):
        for path, text in FILES.items():
            self.write(name, path, text)
        self.run_step("cmake", "-S", os.path.join(self.folder, name), "-B", self.build_of(name), "-G", "Ninja",
                      f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCMAKE_CXX_FLAGS=-O1 -g1", "-DFOOTFALL_SOURCES_A_UNIT=12")

    def build_of(self, clone):
        return os.path.join(self.folder, clone, "build/some")

    def built(self, clone):
        """Builds; what the program says: the page, and where its source stands."""
        self.run_step("cmake", "--build", self.build_of(clone))
        return self.run_step(os.path.join(self.build_of(clone), "show")).split()

    def compiled(self):
        """How often the compiler ran since the last question, and how often it did not have to."""
        counts = dict(line.split("\t") for line in self.run_step("ccache", "--print-stats").splitlines())
        self.run_step("ccache", "--zero-stats")
        return int(counts["cache_miss"]), int(counts["direct_cache_hit"])

    def test_a_changed_file_that_is_embedded_is_seen(self):
        self.write("one", "page/page.txt", "other")
        self.assertEqual(self.built("one")[0], "other")
        self.assertEqual(self.compiled(), (1, 0))
        self.write("one", "page/page.txt", "first")
        self.assertEqual(self.built("one")[0], "first")
        self.assertEqual(self.compiled(), (0, 1))

    def test_a_clone_elsewhere_compiles_nothing_again(self):
        shutil.rmtree(os.path.join(self.folder, "one"))
        self.clone("elsewhere/two")
        self.assertEqual(self.built("elsewhere/two"), ["first", "page/place.cpp"])
        self.assertEqual(self.compiled(), (0, 4))  # main, page and place as one, precompiled headers, what carries them
        # And what it has of the first clone serves when it compiles itself.
        self.write("elsewhere/two", "page/page.txt", "third")
        self.assertEqual(self.built("elsewhere/two")[0], "third")
        with open(os.path.join(self.build_of("elsewhere/two"), "show"), "rb") as file:
            self.assertNotIn(self.folder.encode(), file.read(), "a folder of this machine is in the program")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + [word for word in sys.argv[1:] if word != "--verbose"])
