#include "segments/catalogue.h"

#include "events/event.h"
#include "foundation/utf8.h"
#include "identities/stored_instant.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

namespace footfall::segments {
namespace {

/// The only partition of segments, and of those that were dropped.
constexpr std::string_view all_segments = "segments";

constexpr std::size_t name_column = 1;
constexpr std::size_t number_column = 2;
constexpr std::size_t created_column = 3;

Segment segment_in(const storage::Rows& rows, std::size_t row) {
    return {
        .name = std::string{rows.at(row, name_column).text()},
        .number = rows.at(row, number_column).number(),
        .created = identities::instant_of(rows.at(row, created_column).number())
    };
}

Segment segment_in(const std::vector<storage::Value>& row) {
    return {
        .name = std::get<std::string>(row[name_column]),
        .number = std::get<std::int64_t>(row[number_column]),
        .created = identities::instant_of(std::get<std::int64_t>(row[created_column]))
    };
}

/// Above 0, and drawn once in nine quintillions.
std::int64_t draw_number() {
    std::random_device device;
    const std::uint64_t bits = (std::uint64_t{device()} << 32) | device();
    return static_cast<std::int64_t>(bits >> 1);
}

}  // namespace

Result<void> check_name(std::string_view name) {
    if (name.empty() || name.size() > name_bytes_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "the name of a segment has 1 to {} bytes, not {}", name_bytes_max, name.size()
            )
        );
    }
    if (!is_utf8(name) || events::has_control_character(name)) {
        return fail(
            ErrorKind::invalid_input, "the name of a segment is UTF-8 without control characters"
        );
    }
    return {};
}

Result<std::vector<Segment>> Catalogue::read_all(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &segment_table, .partition = {std::string{all_segments}}}
        ));
    std::vector<Segment> segments;
    segments.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        segments.push_back(segment_in(rows, row));
    }
    return segments;
}

/// With mutex_ held.
Result<void> Catalogue::load() {
    if (shared_ || is_known_) {
        return {};
    }
    TRY(std::vector<Segment> all, read_all(*store_));
    for (Segment& each : all) {
        std::string name = each.name;
        known_.emplace(std::move(name), std::move(each));
    }
    is_known_ = true;
    return {};
}

Result<std::optional<Segment>> Catalogue::find(std::string_view name) {
    TRY_VOID(check_name(name));
    if (!shared_) {
        const std::lock_guard lock{mutex_};
        TRY_VOID(load());
        const auto found = known_.find(name);
        return found == known_.end() ? std::nullopt : std::optional{found->second};
    }
    TRY(const auto row,
        storage::read_one(*store_, segment_table, {std::string{all_segments}, std::string{name}}));
    return row ? std::optional{segment_in(*row)} : std::nullopt;
}

Result<Segment> Catalogue::get(std::string_view name) {
    TRY(auto found, find(name));
    if (!found) {
        return fail(ErrorKind::not_found, "there is no segment of this name");
    }
    return *std::move(found);
}

Result<Segment> Catalogue::create(std::string_view name) {
    TRY(auto found, find(name));
    if (found) {
        return *std::move(found);
    }
    const std::lock_guard lock{mutex_};
    TRY_VOID(load());
    std::size_t there = 0;
    if (is_known_) {
        there = known_.size();
    } else {
        TRY(const std::vector<Segment> all, read_all(*store_));
        there = all.size();
    }
    if (there >= segments_max) {
        return fail(
            ErrorKind::overloaded, fmt::format("there are {} segments already", segments_max)
        );
    }
    TRY(const std::vector<storage::Value> row,
        store_->insert_new(
            segment_table,
            {std::string{all_segments},
             std::string{name},
             draw_number(),
             identities::microseconds_of(clock_->now())}
        ));
    Segment segment = segment_in(row);
    if (is_known_) {
        known_.insert_or_assign(segment.name, segment);
    }
    return segment;
}

Result<bool> Catalogue::drop(std::string_view name) {
    TRY(const auto found, find(name));
    if (!found) {
        return false;
    }
    const std::lock_guard lock{mutex_};
    storage::Batch noted;
    noted.upsert(
        segment_dropped_table,
        {all_segments, found->number, name, identities::microseconds_of(clock_->now())}
    );
    TRY_VOID(storage::write_durably(*store_, noted));
    storage::Batch gone;
    gone.erase(segment_table, {all_segments, name});
    TRY_VOID(storage::write_durably(*store_, gone));
    if (is_known_) {
        known_.erase(found->name);
    }
    return true;
}

Result<std::vector<Catalogue::Dropped>> Catalogue::dropped() {
    constexpr std::size_t some = 16;
    TRY(const storage::Page page,
        storage::read_page(
            *store_,
            {.table = &segment_dropped_table,
             .partition = {std::string{all_segments}},
             .max_rows = some}
        ));
    std::vector<Dropped> dropped;
    dropped.reserve(page.rows.size());
    for (std::size_t row = 0; row < page.rows.size(); ++row) {
        dropped.push_back(
            {.number = page.rows.at(row, 1).number(),
             .name = std::string{page.rows.at(row, 2).text()}}
        );
    }
    return dropped;
}

Result<void> Catalogue::hide(const Dropped& dropped) {
    TRY(const auto found, find(dropped.name));
    if (!found || found->number != dropped.number) {
        return {};
    }
    const std::lock_guard lock{mutex_};
    storage::Batch gone;
    gone.erase(segment_table, {all_segments, dropped.name});
    TRY_VOID(storage::write_durably(*store_, gone));
    if (is_known_) {
        known_.erase(dropped.name);
    }
    return {};
}

Result<void> Catalogue::forget(const Dropped& dropped) {
    storage::Batch batch;
    batch.erase(segment_dropped_table, {all_segments, dropped.number});
    return storage::write_durably(*store_, batch);
}

/// The cursor is the last name of the page before.
Result<Listed<Segment>> Catalogue::list(
    std::string_view prefix, std::string_view cursor, std::size_t limit
) {
    const std::size_t most = std::clamp<std::size_t>(limit, 1, page_max);
    const std::string_view from = std::max(prefix, cursor);
    TRY(const storage::Page page,
        storage::read_page(
            *store_,
            {.table = &segment_table,
             .partition = {std::string{all_segments}},
             .from = {std::string{from}},
             .max_rows = most + 1}
        ));
    Listed<Segment> listed;
    for (std::size_t row = 0; row < page.rows.size(); ++row) {
        Segment segment = segment_in(page.rows, row);
        if (!segment.name.starts_with(prefix)) {
            return listed;
        }
        if (segment.name == cursor && !cursor.empty()) {
            continue;
        }
        if (listed.rows.size() == most) {
            break;
        }
        listed.rows.push_back(std::move(segment));
    }
    const bool has_more = page.rows.size() == most + 1 || !page.continuation.empty();
    if (has_more && !listed.rows.empty()) {
        listed.cursor = listed.rows.back().name;
    }
    return listed;
}

}  // namespace footfall::segments
