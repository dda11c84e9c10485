#include "storage_rocksdb/disk_watch.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

constexpr std::uint64_t disk_parts_reserved_max = 20;
constexpr double mebibyte = 1 << 20;

DiskWatch::Options with_look(DiskWatch::Options options) {
    if (!options.look) {
        options.look = [directory = options.directory](std::error_code& error) {
            return std::filesystem::space(directory, error);
        };
    }
    return options;
}

}  // namespace

DiskWatch::DiskWatch(Options options, metrics::Metrics& metrics)
    : options_{with_look(std::move(options))},
      free_{metrics.gauge(
          "footfall_store_disk_free_bytes", "Room left on the disk of the data directory."
      )} {}

void DiskWatch::start() {
    look();
    turns_.emplace("disk watch", runtime::Urgency::work, [this](const std::stop_token&) {
        look();
        return options_.pause;
    });
}

void DiskWatch::stop() {
    turns_.reset();
}

Result<void> DiskWatch::health() const {
    if (!full_.load(std::memory_order_acquire)) {
        return {};
    }
    const std::lock_guard lock{mutex_};
    return error_ ? Result<void>{std::unexpected(*error_)} : Result<void>{};
}

void DiskWatch::look() {
    std::error_code unknown;
    const std::filesystem::space_info space = options_.look(unknown);
    if (unknown) {
        return;
    }
    free_.set(static_cast<double>(space.available));
    const std::uint64_t reserve =
        std::min<std::uint64_t>(options_.reserve_bytes, space.capacity / disk_parts_reserved_max);
    const bool was_full = full_.load(std::memory_order_relaxed);
    const bool full = space.available < (was_full ? reserve + reserve / 4 : reserve);
    if (full != was_full) {
        change(full, reserve);
    }
    if (full) {
        said_ |= options_.troubles->say(
            LogLevel::error, "no more writes are accepted: " + health().error().message
        );
    } else if (std::exchange(said_, false)) {
        log(LogLevel::info, "there is room on the disk again");
    }
}

void DiskWatch::change(bool full, std::uint64_t reserve) {
    const std::lock_guard lock{mutex_};
    error_.reset();
    if (full) {
        error_ = Error{
            .kind = ErrorKind::unavailable,
            .message = fmt::format(
                "the disk is full: less than {:.1f} MiB free on the disk of {}",
                static_cast<double>(reserve) / mebibyte,
                options_.directory.string()
            )
        };
    }
    full_.store(full, std::memory_order_release);
}

}  // namespace footfall::storage_rocksdb
