#include "owners/lane_owners.h"

#include "foundation/log.h"
#include "intake/schema.h"
#include "owners/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::owners {
namespace {

/// So often at most, however often owners say that they are none.
constexpr std::chrono::milliseconds read_period{100};
constexpr std::chrono::milliseconds read_patience{2'000};

}  // namespace

std::shared_ptr<const LaneOwnerTable> LaneOwners::latest() {
    {
        const std::lock_guard lock{mutex_};
        if (reading_ || std::chrono::steady_clock::now() < due_) {
            return latest_;
        }
        reading_ = true;
    }
    Result<LaneOwnerTable> table = read();
    const std::lock_guard lock{mutex_};
    reading_ = false;
    due_ = std::chrono::steady_clock::now() + fresh_for_;
    if (table) {
        latest_ = std::make_shared<const LaneOwnerTable>(*std::move(table));
    } else {
        log(LogLevel::warning, "who counts which lane is not known: {}", table.error().message);
    }
    return latest_;
}

void LaneOwners::read_again() {
    const std::lock_guard lock{mutex_};
    due_ = std::min(due_, std::chrono::steady_clock::now() + read_period);
}

Result<LaneOwnerTable> LaneOwners::read() const {
    TRY(const storage::Rows rows,
        storage::read_all(
            *store_,
            {.table = &lane_owner_table, .partition = {intake::signed_of(log_)}},
            read_patience
        ));
    LaneOwnerTable table;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto lane = static_cast<std::size_t>(rows.at(row, 1).number());
        if (lane < table.size() && table[lane].generation == 0) {  // the highest comes first
            table[lane] = {
                .generation = rows.at(row, 2).number(),
                .address = std::string{rows.at(row, 3).text()},
                .stored = Instant{std::chrono::microseconds{rows.at(row, 4).number()}}
            };
        }
    }
    return table;
}

}  // namespace footfall::owners
