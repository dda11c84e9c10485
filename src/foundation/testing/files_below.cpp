#include "foundation_testing/files_below.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

namespace footfall {

bool is_in_files_below(const std::filesystem::path& directory, std::string_view bytes) {
    std::error_code gone;  // what goes while it is looked for is not there
    std::filesystem::recursive_directory_iterator each{directory, gone};
    for (; each != std::filesystem::recursive_directory_iterator{}; each.increment(gone)) {
        if (!each->is_regular_file(gone)) {
            continue;
        }
        std::ifstream file{each->path(), std::ios::binary};
        const std::string text{std::istreambuf_iterator<char>{file}, {}};
        if (text.contains(bytes)) {
            return true;
        }
    }
    return false;
}

bool goes_from_files_below(const std::filesystem::path& directory, std::string_view bytes) {
    constexpr std::chrono::seconds patience{20};
    constexpr std::chrono::milliseconds pause{10};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (is_in_files_below(directory, bytes)) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(pause);  // tidy-allow(sleep): files that go have no event
    }
    return true;
}

}  // namespace footfall
