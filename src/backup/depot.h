#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::backup {

/// Where the bytes of backups lie: files with names such as "backups/20261130T030000.000000Z/list",
/// in folders that are there as long as they hold something. Errors name a file as a person finds
/// it. Blocks. For one thread at a time.
class Depot {
public:
    struct Entry {
        std::string name;        ///< Within its folder.
        std::uint64_t size = 0;  ///< Of a folder: anything.

        friend bool operator==(const Entry&, const Entry&) = default;
    };

    /// A file that is read.
    class Reader {
    public:
        Reader() = default;
        Reader(const Reader&) = delete;
        Reader& operator=(const Reader&) = delete;
        virtual ~Reader() = default;

        virtual std::uint64_t size() const = 0;

        /// So many bytes from `offset` on; fewer where the file ends. `corrupt` when it can be seen
        /// that they are not what was written.
        virtual Result<std::string> read(std::uint64_t offset, std::size_t count) = 0;
    };

    /// A file that is written. Until finish() it may be there in part, or not at all.
    class Writer {
    public:
        Writer() = default;
        Writer(const Writer&) = delete;
        Writer& operator=(const Writer&) = delete;
        virtual ~Writer() = default;

        virtual Result<void> append(std::string_view bytes) = 0;

        /// Returns when the bytes are durable; the name is once Depot::sync() was called.
        virtual Result<void> finish() = 0;
    };

    Depot() = default;
    Depot(const Depot&) = delete;
    Depot& operator=(const Depot&) = delete;
    virtual ~Depot() = default;

    /// What people call a file of it; the depot itself for "".
    virtual std::string where(std::string_view name) const = 0;

    /// What lies in a folder, in the order of names; the topmost for "". Nothing where there is no
    /// such folder.
    virtual Result<std::vector<Entry>> list(std::string_view folder) = 0;

    /// `not_found`: there is none.
    virtual Result<std::unique_ptr<Reader>> open(std::string_view name) = 0;

    virtual Result<std::unique_ptr<Writer>> create(std::string_view name) = 0;

    /// A small file as a whole, durably: at any moment there is the old one or the new one.
    virtual Result<void> put(std::string_view name, std::string_view bytes) = 0;

    /// Durable when it returns.
    virtual Result<void> remove_file(std::string_view name) = 0;

    /// With all that is in it.
    virtual Result<void> remove_folder(std::string_view name) = 0;

    /// To be called before anything is written. `conflict` when another process writes here, as far
    /// as that can be known.
    virtual Result<void> prepare() = 0;

    /// Makes the names of finished files durable.
    virtual Result<void> sync() = 0;

    /// So many bytes have room; absent: nobody knows.
    virtual std::optional<std::uint64_t> room() const = 0;
};

/// The bytes of a small file; `corrupt` when it is larger than anybody writes one, `not_found`.
Result<std::string> read_small(Depot& depot, std::string_view name);

}  // namespace footfall::backup
