#include "foundation_testing/temporary_directory.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace footfall {

TemporaryDirectory::TemporaryDirectory() {
    std::string made = (std::filesystem::temp_directory_path() / "footfall-test-XXXXXX").string();
    if (::mkdtemp(made.data()) == nullptr) {
        throw std::runtime_error{"cannot make " + made};
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
        throw std::runtime_error{"cannot write " + file.string()};
    }
    return file.string();
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream in{path, std::ios::binary};
    if (!in) {
        throw std::runtime_error{"cannot read " + path.string()};
    }
    return {std::istreambuf_iterator<char>{in}, {}};
}

}  // namespace footfall
