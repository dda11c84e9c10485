#include "foundation/check.h"
#include "reading_store.h"
#include "storage_rocksdb/rocks_store.h"

#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace footfall::benchmarks {

std::unique_ptr<storage::Store> open_reading_store(
    const std::string& where,
    std::vector<const storage::Table*> tables,
    const Clock& clock,
    metrics::Metrics& metrics
) {
    std::filesystem::create_directories(where);
    auto opened = storage_rocksdb::RocksStore::open(
        {.directory = where, .tables = std::move(tables), .memory_budget_bytes = 256 << 20},
        clock,
        metrics
    );
    CHECK(opened, "the store opens", opened ? "" : opened.error().message);
    return *std::move(opened);
}

void forget_reading_store(const std::string& where) {
    ::sync();
    for (const auto& each : std::filesystem::recursive_directory_iterator{where}) {
        if (each.is_regular_file()) {
            const int file = ::open(each.path().c_str(), O_RDONLY | O_CLOEXEC);
            CHECK(file >= 0, "cannot open", each.path().string());
            CHECK(::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0, "fadvise");
            ::close(file);
        }
    }
}

std::uint64_t bytes_of_reading_store(const std::string& where) {
    std::uint64_t bytes = 0;
    for (const auto& each : std::filesystem::recursive_directory_iterator{where}) {
        bytes += each.is_regular_file() ? each.file_size() : 0;
    }
    return bytes;
}

void drop_reading_store(const std::string& where) {
    std::filesystem::remove_all(where);
}

}  // namespace footfall::benchmarks
