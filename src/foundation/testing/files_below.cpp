#include "foundation_testing/files_below.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

namespace footfall {

namespace {

void add_files_below(
    const std::filesystem::path& directory, std::vector<std::filesystem::path>& files
) {
    std::error_code gone;
    for (std::filesystem::directory_iterator each{directory, gone};
         !gone && each != std::filesystem::directory_iterator{};
         each.increment(gone)) {
        std::error_code is_gone;
        if (each->is_directory(is_gone)) {
            add_files_below(each->path(), files);
        } else {
            files.push_back(each->path());
        }
    }
}

}  // namespace

std::vector<std::filesystem::path> files_below(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    add_files_below(directory, files);
    return files;
}

std::string bytes_of_file(const std::filesystem::path& path) {
    std::error_code gone;
    const std::uintmax_t size = std::filesystem::file_size(path, gone);
    std::string bytes(gone ? 0 : size, '\0');
    std::ifstream file{path, std::ios::binary};
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool is_in_files_below(const std::filesystem::path& directory, std::string_view bytes) {
    return std::ranges::any_of(files_below(directory), [&](const std::filesystem::path& each) {
        return bytes_of_file(each).contains(bytes);
    });
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
