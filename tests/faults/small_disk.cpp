#include "small_disk.h"

#include "test_support/must.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mount.h>
#include <unistd.h>
#include <vector>

namespace footfall::faults {

using test_support::give_up;

std::unique_ptr<SmallDisk> SmallDisk::make(unsigned mebibytes) {
    std::unique_ptr<SmallDisk> disk{new SmallDisk};
    std::filesystem::create_directory(disk->path());
    const std::string size = fmt::format("size={}m", mebibytes);
    if (::mount("tmpfs", disk->path().c_str(), "tmpfs", 0, size.c_str()) != 0) {
        fmt::print("left out: a full disk, for mounting one failed: {}\n", std::strerror(errno));
        return nullptr;
    }
    return disk;
}

SmallDisk::~SmallDisk() {
    ::umount2(path().c_str(), MNT_DETACH);
}

void SmallDisk::resize(unsigned mebibytes) const {
    const std::string size = fmt::format("size={}m", mebibytes);
    if (::mount(nullptr, path().c_str(), nullptr, MS_REMOUNT, size.c_str()) != 0) {
        give_up("cannot resize " + path());
    }
}

void SmallDisk::fill_up() const {
    const int file = ::open(ballast().c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) {
        give_up("cannot fill " + path());
    }
    const std::vector<char> page(4096);
    while (::write(file, page.data(), page.size()) > 0) {
    }
    ::close(file);
}

void SmallDisk::make_room() const {
    std::filesystem::remove(ballast());
}

}  // namespace footfall::faults
