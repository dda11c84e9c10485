#include "foundation/check.h"
#include "moving/row_file.h"

#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

// The first byte chooses the question. (0) The rest is a file of rows: what is read to its end has
// as many rows as it says, in order, and written again reads as the same. (1) The rest is a block:
// what is taken off it lies within it, and it ends.

namespace footfall::moving {
namespace {

/// A file in memory, by a path.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : descriptor_{::memfd_create("rows", MFD_CLOEXEC)} {
        CHECK(descriptor_ >= 0, "a file in memory");
        const auto written = ::write(descriptor_, bytes.data(), bytes.size());
        CHECK(written == static_cast<ssize_t>(bytes.size()), "memory takes all", written);
    }

    ~MemoryFile() { ::close(descriptor_); }

    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::filesystem::path path() const {
        return std::filesystem::path{"/proc/self/fd"} / std::to_string(descriptor_);
    }

private:
    int descriptor_;
};

void read_file(std::string_view bytes) {
    const MemoryFile file{bytes};
    const MemoryFile copy{""};
    auto reader = RowFileReader::open(file.path());
    if (!reader) {
        return;
    }
    auto writer = RowFileWriter::create(copy.path(), reader->header());
    CHECK(writer, "a file in memory can be written");
    for (;;) {
        const auto row = reader->next();
        if (!row) {
            return;
        }
        if (!*row) {
            break;
        }
        CHECK(writer->append(**row), "rows that are read in order can be written");
    }
    CHECK(writer->finish(), "a file in memory can be written");
    CHECK(writer->mark().tally == reader->tally(), "as many rows as it says");
    auto again = RowFileReader::open(copy.path());
    CHECK(again, "what was written is read");
    CHECK(again->header() == reader->header(), "with its header");
}

void read_block(std::string_view block) {
    while (!block.empty()) {
        const std::size_t before = block.size();
        const auto row = take_row(block);
        if (!row) {
            return;
        }
        CHECK(row->key.size() + row->values.size() < before, "within the block");
        CHECK(block.size() < before, "each row takes something");
    }
}

}  // namespace
}  // namespace footfall::moving

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view rest{reinterpret_cast<const char*>(data) + 1, size - 1};
    if (data[0] % 2 == 0) {
        footfall::moving::read_file(rest);
    } else {
        footfall::moving::read_block(rest);
    }
    return 0;
}
