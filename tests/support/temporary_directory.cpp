#include "test_support/temporary_directory.h"

#include "test_support/must.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace footfall::test_support {

TemporaryDirectory::TemporaryDirectory() {
    std::string made = (std::filesystem::temp_directory_path() / "footfall-test-XXXXXX").string();
    if (::mkdtemp(made.data()) == nullptr) {
        give_up("cannot make " + made);
    }
    path_ = made;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::write(std::string_view name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::ofstream out{file, std::ios::binary};
    out << text;
    out.close();
    if (!out) {
        give_up("cannot write " + file.string());
    }
    return file.string();
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream in{path, std::ios::binary};
    if (!in) {
        give_up("cannot read " + path.string());
    }
    return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace footfall::test_support
