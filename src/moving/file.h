#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace footfall::moving {

/// An open file; errors name it. Nobody but its owner may read it: an export holds secrets.
/// Movable, not thread-safe.
class File {
public:
    /// Empty, whatever was there before.
    static Result<File> create(const std::filesystem::path& path);

    /// To be read.
    static Result<File> open(const std::filesystem::path& path);

    /// To be appended to behind its first `length` bytes; the rest is cut off. `corrupt` when it is
    /// shorter.
    static Result<File> reopen(const std::filesystem::path& path, std::uint64_t length);

    File(File&& other) noexcept;
    File& operator=(File&& other) noexcept;
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();

    Result<void> append(std::string_view bytes);

    /// So many bytes from `offset` on; fewer where the file ends.
    Result<std::string> read(std::uint64_t offset, std::size_t count);

    Result<std::uint64_t> size() const;

    /// Has the disk begin to write what was appended, and waits for what it began the last time. So
    /// sync() has little left to wait for, and so has everybody else who syncs just then.
    void begin_sync();

    /// Returns when what was appended survives a crash of the machine.
    Result<void> sync();

    /// Keeps others out who ask for the same, as long as this is open; `conflict` when another has
    /// it.
    Result<void> lock();

    const std::filesystem::path& path() const { return path_; }

private:
    static Result<File> opened(const std::filesystem::path& path, int flags);
    std::unexpected<Error> failed(std::string_view doing) const;
    void close();

    File(int descriptor, std::filesystem::path path);

    int descriptor_;
    std::filesystem::path path_;
    std::uint64_t appended_ = 0;  ///< Where it ends.
    std::uint64_t begun_ = 0;     ///< So much of it begin_sync() knows of.
};

/// Puts `fresh`, which was synced, in the place of `path`, durably.
Result<void> replace_file(const std::filesystem::path& fresh, const std::filesystem::path& path);

/// Makes what was created and removed in a directory durable.
Result<void> sync_directory(const std::filesystem::path& directory);

}  // namespace footfall::moving
