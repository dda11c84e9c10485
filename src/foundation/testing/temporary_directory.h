#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace footfall {

/// A new directory, removed with all in it at the end. What goes wrong is thrown: that ends the
/// test, where a CHECK would end the program and leave the directory behind.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// The path of a file or directory in it, as text.
    std::string operator/(std::string_view name) const { return (path_ / name).string(); }

    /// Writes a file into it; answers its path.
    std::string write(std::string_view name, std::string_view text) const;

private:
    std::filesystem::path path_;
};

/// The whole text of a file.
std::string read_text(const std::filesystem::path& path);

}  // namespace footfall
