#include "moving/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace footfall::moving {
namespace {

constexpr mode_t owner_only = 0600;

std::unexpected<Error> system_failure(std::string_view doing, const std::filesystem::path& path) {
    const int error = errno;
    return fail(
        error == ENOENT ? ErrorKind::not_found : ErrorKind::unavailable,
        fmt::format(
            "cannot {} {}: {}", doing, path.string(), std::generic_category().message(error)
        )
    );
}

}  // namespace

Result<File> File::opened(const std::filesystem::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, owner_only);
    if (descriptor < 0) {
        return system_failure("open", path);
    }
    return File{descriptor, path};
}

Result<File> File::create(const std::filesystem::path& path) {
    return opened(path, O_WRONLY | O_CREAT | O_TRUNC);
}

Result<File> File::open(const std::filesystem::path& path) {
    return opened(path, O_RDONLY);
}

Result<File> File::reopen(const std::filesystem::path& path, std::uint64_t length) {
    TRY(File file, opened(path, O_WRONLY | O_APPEND));
    TRY(const std::uint64_t size, file.size());
    if (size < length) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} has {} bytes and should have {}", path.string(), size, length)
        );
    }
    if (::ftruncate(file.descriptor_, static_cast<off_t>(length)) != 0) {
        return file.failed("shorten");
    }
    file.appended_ = file.begun_ = length;
    return file;
}

File::File(int descriptor, std::filesystem::path path)
    : descriptor_{descriptor}, path_{std::move(path)} {}

File::File(File&& other) noexcept
    : descriptor_{std::exchange(other.descriptor_, -1)},
      path_{std::move(other.path_)},
      appended_{other.appended_},
      begun_{other.begun_} {}

File& File::operator=(File&& other) noexcept {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    path_ = std::move(other.path_);
    appended_ = other.appended_;
    begun_ = other.begun_;
    return *this;
}

File::~File() {
    close();
}

void File::close() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

Result<void> File::append(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return failed("write");
        }
        bytes.remove_prefix(static_cast<std::size_t>(written < 0 ? 0 : written));
        appended_ += static_cast<std::uint64_t>(written < 0 ? 0 : written);
    }
    return {};
}

/// Where a file system does not do it nothing is lost: sync() does all.
void File::begin_sync() {
    const std::uint64_t before = std::exchange(begun_, appended_);
    constexpr unsigned wait =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    const auto at = static_cast<off_t>(before);
    std::ignore = ::sync_file_range(
        descriptor_, at, static_cast<off_t>(appended_ - before), SYNC_FILE_RANGE_WRITE
    );
    if (before > 0) {  // 0 bytes would be the whole file
        std::ignore = ::sync_file_range(descriptor_, 0, at, wait);
    }
}

Result<std::string> File::read(std::uint64_t offset, std::size_t count) {
    std::string bytes(count, '\0');
    std::size_t filled = 0;
    while (filled < count) {
        const ssize_t taken = ::pread(
            descriptor_, bytes.data() + filled, count - filled, static_cast<off_t>(offset + filled)
        );
        if (taken < 0 && errno != EINTR) {
            return failed("read");
        }
        if (taken == 0) {
            break;
        }
        filled += static_cast<std::size_t>(taken < 0 ? 0 : taken);
    }
    bytes.resize(filled);
    return bytes;
}

Result<std::uint64_t> File::size() const {
    struct stat facts{};
    if (::fstat(descriptor_, &facts) != 0) {
        return failed("look at");
    }
    return static_cast<std::uint64_t>(facts.st_size);
}

Result<void> File::sync() {
    return ::fdatasync(descriptor_) == 0 ? Result<void>{} : failed("sync");
}

Result<void> File::lock() {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
        return {};
    }
    return fail(
        ErrorKind::conflict, fmt::format("another footfall is working on {}", path_.string())
    );
}

std::unexpected<Error> File::failed(std::string_view doing) const {
    return system_failure(doing, path_);
}

Result<void> replace_file(const std::filesystem::path& fresh, const std::filesystem::path& path) {
    if (::rename(fresh.c_str(), path.c_str()) != 0) {
        return system_failure("put in place", path);
    }
    return sync_directory(path.parent_path());
}

Result<void> sync_directory(const std::filesystem::path& directory) {
    TRY(File opened, File::open(directory.empty() ? "." : directory));
    return opened.sync();
}

}  // namespace footfall::moving
