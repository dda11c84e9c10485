#include "storage_rocksdb/record_log.h"

#include "foundation/crc32c.h"
#include "storage_rocksdb/fixed_bytes.h"
#include "storage_rocksdb/rocks_options.h"

#include <fmt/format.h>
#include <rocksdb/env.h>

#include <cstddef>
#include <expected>
#include <memory>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

using End = RecordLog::End;

constexpr std::size_t block_size = 32768;
constexpr std::size_t checked_from = 6;  // checksum (4), length (2); then the type, checked too
constexpr std::size_t header_size = 7;
constexpr std::size_t recyclable_header_size = 11;  // and the number of its file (4)

/// A checksum as it stands in RocksDB's files: turned and shifted, so that the checksum of bytes
/// that hold checksums stays a good one.
constexpr std::uint32_t masked_crc(std::uint32_t crc) {
    return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

enum class Place { full, first, middle, last };

struct Fragment {
    Place place = Place::full;
    std::size_t size = 0;  ///< With its header.
    std::string_view payload;
};

/// A fragment, or why there is none.
using Look = std::expected<Fragment, End>;

bool all_zeros(std::string_view bytes) {
    return bytes.find_first_not_of('\0') == std::string_view::npos;
}

/// The size of the header that `bytes` begin with; zero if it is none.
std::size_t header_of(std::string_view bytes) {
    const auto type = static_cast<unsigned char>(bytes[checked_from]);
    if (type == 0 || type > 8) {
        return 0;
    }
    return type > 4 ? recyclable_header_size : header_size;
}

bool begins(const Fragment& fragment) {
    return fragment.place == Place::full || fragment.place == Place::first;
}

/// Whether a fragment that seems to end behind the file stands there in full, but for its length.
bool whole_but_for_length(std::string_view bytes) {
    if (bytes.size() < header_size || header_of(bytes) == 0) {
        return false;
    }
    std::uint32_t crc = 0;
    for (std::size_t at = checked_from; at < bytes.size(); ++at) {
        crc = crc32c(bytes.substr(at, 1), crc);
        if (masked_crc(crc) == fixed<std::uint32_t>(bytes)) {
            return true;
        }
    }
    return false;
}

class Scanner {
public:
    Scanner(
        rocksdb::SequentialFile& file,
        std::uint64_t number,
        std::size_t wanted,
        const OnRecord& on_record
    )
        : file_{&file},
          number_{static_cast<std::uint32_t>(number)},
          wanted_{wanted},
          on_record_{&on_record} {}

    rocksdb::Status run() {
        rocksdb::Status status;
        do {
            start_ += block_.size();
            status = read_block();
        } while (status.ok() && !block_.empty() && scan_block());
        if (found_.end == End::clean && in_record_) {
            found_.end = End::cut;
        }
        return status;
    }

    RecordLog take() { return std::move(found_); }

private:
    rocksdb::Status read_block() {
        rocksdb::Slice read;
        const rocksdb::Status status = file_->Read(block_size, &read, buffer_.data());
        block_ = {read.data(), read.size()};
        return status;
    }

    /// False when nothing more has to be known.
    bool scan_block() {
        std::size_t at = 0;
        while (found_.end == End::clean && at < block_.size()) {
            if (!take_fragment(at)) {
                break;
            }
        }
        return found_.end == End::clean || (found_.end != End::damaged && search(at));
    }

    /// Goes on behind the fragment at `at`, or notes why there is none.
    bool take_fragment(std::size_t& at) {
        if (block_size - at < header_size) {
            at = block_.size();  // the end of a block has no room for a header
            return true;
        }
        const Look fragment = look(at);
        if (!fragment) {
            if (block_size - at < recyclable_header_size && all_zeros(block_.substr(at))) {
                at = block_.size();
                return true;
            }
            found_.end = fragment.error();
            if (found_.end == End::cut && whole_but_for_length(block_.substr(at))) {
                found_.end = End::damaged;
                found_.damage = fmt::format("the length of the one at {} changed", start_ + at);
            }
            return false;
        }
        if (begins(*fragment) == in_record_) {  // one has no end, or no beginning
            found_.end = End::broken;
            return false;
        }
        at += fragment->size;
        in_record_ = fragment->place == Place::first || fragment->place == Place::middle;
        record_.append(fragment->payload.substr(0, wanted_ - record_.size()));
        if (!in_record_) {
            end_record(start_ + at);
        }
        return true;
    }

    void end_record(std::uint64_t end) {
        ++found_.records;
        found_.whole_bytes = end;
        (*on_record_)(record_);
        record_.clear();
    }

    Look look(std::size_t at) const {
        const std::string_view rest = block_.substr(at);
        if (rest.size() < header_size || all_zeros(rest)) {
            return std::unexpected(End::cut);
        }
        const std::size_t header = header_of(rest);
        const std::size_t size = header + fixed<std::uint16_t>(rest.substr(4));
        if (header == 0 || at + size > block_size) {
            return std::unexpected(End::broken);
        }
        if (size > rest.size()) {
            return std::unexpected(End::cut);
        }
        const std::string_view checked = rest.substr(checked_from, size - checked_from);
        if (masked_crc(crc32c(checked)) != fixed<std::uint32_t>(rest) ||
            (header == recyclable_header_size &&
             fixed<std::uint32_t>(rest.substr(header_size)) != number_)) {
            return std::unexpected(End::broken);
        }
        return Fragment{
            .place = static_cast<Place>((rest[checked_from] - 1) % 4),
            .size = size,
            .payload = rest.substr(header, size - header)
        };
    }

    /// Behind a record that is not whole: is there the beginning of another one? False if so.
    bool search(std::size_t at) {
        while (at + header_size <= block_.size()) {
            const bool likely = header_of(block_.substr(at)) != 0;
            const Look fragment = likely ? look(at) : std::unexpected(End::broken);
            if (fragment && begins(*fragment)) {
                found_.end = End::damaged;
                found_.damage = fmt::format("a whole one follows at {}", start_ + at);
                return false;
            }
            at += fragment ? fragment->size : 1;
        }
        return true;
    }

    rocksdb::SequentialFile* file_;
    const std::uint32_t number_;
    const std::size_t wanted_;
    const OnRecord* on_record_;
    std::string buffer_ = std::string(block_size, '\0');
    std::string_view block_;
    std::uint64_t start_ = 0;  ///< Of the block in the file.
    bool in_record_ = false;
    std::string record_;
    RecordLog found_;
};

}  // namespace

Result<RecordLog> read_record_log(
    rocksdb::SequentialFile& file,
    std::uint64_t number,
    std::size_t wanted,
    const OnRecord& on_record
) {
    Scanner scanner{file, number, wanted, on_record};
    if (const rocksdb::Status status = scanner.run(); !status.ok()) {
        return std::unexpected(to_error(status, "read a log"));
    }
    return scanner.take();
}

Result<RecordLog> read_record_log(
    rocksdb::Env& env,
    const std::string& path,
    std::uint64_t number,
    std::size_t wanted,
    const OnRecord& on_record
) {
    std::unique_ptr<rocksdb::SequentialFile> file;
    const rocksdb::Status status = env.NewSequentialFile(path, &file, rocksdb::EnvOptions{});
    if (!status.ok()) {
        return std::unexpected(to_error(status, fmt::format("open {}", path)));
    }
    return read_record_log(*file, number, wanted, on_record);
}

}  // namespace footfall::storage_rocksdb
