#pragma once

#include "foundation_testing/temporary_directory.h"

#include <memory>
#include <string>

namespace footfall::faults {

/// A file system of a given size (tmpfs) on a directory of its own, gone at the end.
class SmallDisk {
public:
    /// Null where this process may not mount; says so.
    static std::unique_ptr<SmallDisk> make(unsigned mebibytes);

    ~SmallDisk();
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    std::string path() const { return directory_ / "disk"; }

    void resize(unsigned mebibytes) const;

    /// Takes all the room that is left, with a file of its own.
    void fill_up() const;

    /// Gives that room back.
    void make_room() const;

private:
    SmallDisk() = default;

    std::string ballast() const { return path() + "/ballast"; }

    const TemporaryDirectory directory_;
};

}  // namespace footfall::faults
