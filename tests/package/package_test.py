"""What ./package packs: the files, what dpkg is told, and that systemd takes the units.

    FOOTFALL_BUILD=build/release python3 tests/package/package_test.py
"""

import glob
import os
import re
import subprocess
import tempfile
import unittest

BUILD = os.path.abspath(os.environ.get("FOOTFALL_BUILD", "build/release"))
UNITS = "usr/lib/systemd/system"
FILES = {
    "etc/footfall/footfall.toml": "-rw-r--r--",
    "usr/bin/footfall": "-rwxr-xr-x",
    f"{UNITS}/footfall.service": "-rw-r--r--",
    f"{UNITS}/footfall@.service": "-rw-r--r--",
    "usr/lib/sysusers.d/footfall.conf": "-rw-r--r--",
    "usr/share/doc/footfall/changelog.gz": "-rw-r--r--",
    "usr/share/doc/footfall/copyright": "-rw-r--r--",
    "usr/share/doc/footfall/operations.md.gz": "-rw-r--r--",
}
# Of 100: what the unit leaves to a process. 96 without its settings.
EXPOSURE = "20"


def run(*words, **others):
    done = subprocess.run(words, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **others)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout}")
    return done.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        run("cpack", "--config", f"{BUILD}/CPackConfig.cmake", "-B", folder.name)
        (cls.package,) = glob.glob(f"{folder.name}/footfall_*.deb")
        cls.root, cls.control = f"{folder.name}/root", f"{folder.name}/control"
        run("dpkg-deb", "--extract", cls.package, cls.root)
        run("dpkg-deb", "--control", cls.package, cls.control)

    def text(self, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_has_these_files_of_root_and_no_others(self):
        listed = [line.split() for line in run("dpkg-deb", "--contents", self.package).splitlines()]
        files = {words[5].removeprefix("./"): words[0] for words in listed if not words[0].startswith("d")}
        self.assertEqual(files, FILES)
        self.assertEqual({words[1] for words in listed}, {"root/root"})
        self.assertEqual({words[0] for words in listed if words[0].startswith("d")}, {"drwxr-xr-x"})

    def test_keeps_a_configuration_that_somebody_changed(self):
        self.assertEqual(self.text(f"{self.control}/conffiles"), "/etc/footfall/footfall.toml\n")

    def test_needs_what_the_program_is_linked_with(self):
        depends = run("dpkg-deb", "--field", self.package, "Depends")
        for needed in ["libc6", "librocksdb7.8", "librdkafka1", "libjemalloc2", "tzdata", "systemd-standalone-sysusers | systemd"]:
            self.assertIn(needed, depends)

    def test_the_program_is_of_the_version_of_the_package(self):
        version = run("dpkg-deb", "--field", self.package, "Version").strip()
        self.assertIn(f"footfall {version} ", run(f"{self.root}/usr/bin/footfall", "version"))

    def test_its_scripts_are_shell_and_delete_nothing(self):
        for name in ["postinst", "prerm", "postrm"]:
            path = f"{self.control}/{name}"
            run("sh", "-n", path)
            self.assertTrue(os.access(path, os.X_OK), name)
            self.assertIsNone(re.search(r"\b(rm|userdel|deluser)\b", self.text(path)), name)

    def test_systemd_takes_the_units_and_finds_them_confined(self):
        for unit in ["footfall.service", "footfall@.service"]:
            path = f"{self.root}/{UNITS}/{unit}"
            settings = self.text(path)
            self.assertNotRegex(settings, "@FOOTFALL_")
            # It wants the program in its place.
            there = os.path.join(os.path.dirname(self.root), unit.replace("@", "@node"))
            with open(there, "w", encoding="utf-8") as file:
                file.write(settings.replace("/usr/bin/footfall", f"{self.root}/usr/bin/footfall"))
            said = run("systemd-analyze", "verify", "--recursive-errors=no", "--man=no", there)
            self.assertNotIn("footfall", said)
            run("systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE}", there)


if __name__ == "__main__":
    unittest.main()
