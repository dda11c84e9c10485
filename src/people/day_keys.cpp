#include "people/day_keys.h"

#include "ciphers/ciphers.h"
#include "foundation/secret_random.h"
#include "people/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::people {
namespace {

using ciphers::Key;

Key part_of(std::string_view purpose, std::string_view key) {
    return ciphers::digest(std::string{purpose} + std::string{key});
}

Result<std::shared_ptr<const DayKey>> key_in(std::string_view stored) {
    if (stored.size() != Key{}.size()) {
        return fail(
            ErrorKind::corrupt, fmt::format("table day_key: a key has {} bytes", stored.size())
        );
    }
    return std::make_shared<const DayKey>(DayKey{
        .names = part_of("footfall names of readers", stored),
        .seals = part_of("footfall seals of reads", stored)
    });
}

}  // namespace

UtcDay utc_day_of(Instant instant) {
    return static_cast<UtcDay>(
        std::chrono::floor<std::chrono::days>(instant).time_since_epoch().count()
    );
}

Result<std::unique_ptr<DayKeys>> DayKeys::open(
    storage::Store& store, const Clock& clock, Options options
) {
    std::unique_ptr<DayKeys> keys{new DayKeys{store, clock, options}};
    TRY_VOID(keys->turn());
    return keys;
}

bool DayKeys::is_live(UtcDay day) const {
    return day >= first_live();
}

std::shared_ptr<const DayKey> DayKeys::find(UtcDay day) const {
    if (!is_live(day)) {
        return nullptr;
    }
    const std::shared_lock lock{mutex_};
    const auto found = keys_.find(day);
    return found == keys_.end() ? nullptr : found->second;
}

Result<void> DayKeys::turn() {
    const UtcDay first = first_live();
    const UtcDay last = first + ttl_ + days_ahead;
    TRY(auto stored, read_days());
    std::vector<UtcDay> missing;
    for (UtcDay day = first; day <= last; ++day) {
        if (!stored.contains(day)) {
            missing.push_back(day);
        }
    }
    if (draws_) {
        TRY_VOID(draw(missing, stored));
    }
    std::map<UtcDay, std::shared_ptr<const DayKey>> keys;
    storage::Batch destroyed;
    for (const auto& [day, key] : stored) {
        if (day < first) {
            destroyed.erase(day_key_table, {std::int64_t{day}});
        } else {
            TRY(keys[day], key_in(key));
        }
    }
    {
        const std::lock_guard lock{mutex_};
        keys_ = std::move(keys);
    }
    return destroyed.empty() || !draws_ ? Result<void>{}
                                        : storage::write_durably(*store_, destroyed);
}

Result<std::map<UtcDay, std::string>> DayKeys::read_days() {
    std::map<UtcDay, std::string> keys;
    storage::ScanQuery query{.table = &day_key_table};
    do {
        TRY(storage::Page page, storage::scan_page(*store_, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            keys[static_cast<UtcDay>(page.rows.at(row, 0).number())] = page.rows.at(row, 1).text();
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return keys;
}

/// Of several processes that draw a day's key at once one does; the others have the same.
Result<void> DayKeys::draw(std::span<const UtcDay> days, std::map<UtcDay, std::string>& keys) {
    storage::Batch batch;
    for (const UtcDay day : days) {
        TRY(const auto drawn, draw_secret<Key>());
        std::string key{drawn.begin(), drawn.end()};
        if (shared_) {
            TRY(const auto row, store_->insert_new(day_key_table, {std::int64_t{day}, key}));
            key = std::get<std::string>(row.at(1));
        } else {
            batch.upsert(day_key_table, {std::int64_t{day}, key});
        }
        keys[day] = std::move(key);
    }
    return batch.empty() ? Result<void>{} : storage::write_durably(*store_, batch);
}

}  // namespace footfall::people
