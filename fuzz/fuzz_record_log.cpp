#include "foundation/check.h"
#include "storage_rocksdb/manifest.h"
#include "storage_rocksdb/record_log.h"

#include <rocksdb/env.h>  // tidy-allow(include): the reader takes files of the engine

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

// The input is a file in the engine's log format. Whatever it holds: the whole records end within
// it; cut there, it has the same records and a clean end; cut anywhere, it has no more of them. The
// records are applied as edits of a list of files, which takes or refuses them.

namespace footfall::storage_rocksdb {
namespace {

class Bytes final : public rocksdb::SequentialFile {
public:
    explicit Bytes(std::string_view bytes) : left_{bytes} {}

    rocksdb::Status Read(std::size_t size, rocksdb::Slice* result, char* scratch) override {
        const std::size_t taken = std::min(size, left_.size());
        std::memcpy(scratch, left_.data(), taken);
        *result = {scratch, taken};
        left_.remove_prefix(taken);
        return rocksdb::Status::OK();
    }

    rocksdb::Status Skip(std::uint64_t) override { return rocksdb::Status::NotSupported(); }

private:
    std::string_view left_;
};

RecordLog read(std::string_view bytes) {
    Bytes file{bytes};
    Manifest list;
    bool known = true;
    auto log = read_record_log(
        file,
        4,
        std::numeric_limits<std::size_t>::max(),
        [&](std::string_view record) { known = known && list.apply(record); }
    );
    CHECK(log, "bytes in memory can be read");
    (void)list.tables();
    (void)list.first_log();
    return *log;
}

}  // namespace
}  // namespace footfall::storage_rocksdb

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using footfall::storage_rocksdb::read;
    using footfall::storage_rocksdb::RecordLog;
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    const RecordLog all = read(bytes);
    CHECK(all.whole_bytes <= size, "records end within the file", all.whole_bytes);
    const RecordLog whole = read(bytes.substr(0, all.whole_bytes));
    CHECK(whole.records == all.records, "the same records", whole.records);
    CHECK(whole.end == RecordLog::End::clean, "and nothing else");
    CHECK(read(bytes.substr(0, size / 2)).records <= all.records, "no more in a part");
    return 0;
}
