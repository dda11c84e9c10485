#include "identities/feed.h"

#include "projecting/writer.h"
#include "storage/blocking.h"

#include <algorithm>
#include <map>
#include <utility>

namespace footfall::identities {
namespace {

/// A row is closed when it has so many facts, or ids.
constexpr std::size_t facts_of_row = 128;
constexpr std::size_t ids_of_row = 512;

}  // namespace

Feed::Feed(storage::Store& store, const Clock& clock, journal::LogId log, std::string region)
    : store_{&store}, clock_{&clock}, log_{log}, region_{std::move(region)} {}

/// The next row is to begin where those that surely stand end, or within one of them: back from the
/// end, row by row, each says where the one before it ends.
Result<Feed::Next> Feed::next_of(const FeedEnd& end, std::uint64_t start) const {
    const bool has_rows = end.since < end.next;
    Next next{.since = end.next, .before = has_rows ? end.said + feed_lives : Instant{}};
    std::uint64_t since = end.since;
    while (start < since) {
        TRY(const auto row, find_feed_row(*store_, end.writer, since - 1));
        if (!row) {
            return Next{.since = start};  // the feed begins there, or what was before has expired
        }
        next = {.since = since, .before = row->expires};
        since = row->since;
    }
    next.since = std::min(next.since, start);
    return next;
}

/// Where the feed of a lane begins is said at once: others read then what was said before.
Result<void> Feed::begin(std::span<const projecting::LaneStart> lanes) {
    if (!is_on()) {
        return {};
    }
    TRY(const std::vector<FeedEnd> ends, read_feed_ends(*store_));
    std::map<std::string, const FeedEnd*> by_writer;
    for (const FeedEnd& each : ends) {
        by_writer.emplace(each.writer, &each);
    }
    storage::Batch begun;
    for (const projecting::LaneStart& each : lanes) {
        const std::string writer = projecting::writer_of(log_, each.lane);
        const auto end = by_writer.find(writer);
        Next next{.since = each.offset};
        if (end != by_writer.end()) {
            TRY(next, next_of(*end->second, each.offset));
        } else {
            add_feed_end(
                {.region = region_,
                 .writer = writer,
                 .next = next.since,
                 .since = next.since,
                 .said = clock_->now()},
                begun
            );
        }
        const std::lock_guard lock{mutex_};
        lanes_.at(each.lane) = {.next = next, .added = next};
    }
    return begun.empty() ? Result<void>{} : storage::write_durably(*store_, begun);
}

void Feed::add(std::uint32_t lane, std::span<const RecordedFact> facts, storage::Batch& batch) {
    if (!is_on() || facts.empty()) {
        return;
    }
    const std::string writer = projecting::writer_of(log_, lane);
    Next next;
    {
        const std::lock_guard lock{mutex_};
        next = lanes_.at(lane).next;
    }
    const Instant now = clock_->now();
    FeedRow row{.since = next.since, .expires = now + feed_lives, .before = next.before};
    std::size_t ids = 0;
    const auto close = [&] {
        add_feed_row(writer, row, batch);
        row.since = row.offset + 1;
        row.before = row.expires;
        row.facts.clear();
        ids = 0;
    };
    for (const RecordedFact& each : facts) {
        const bool is_full = row.facts.size() >= facts_of_row || ids >= ids_of_row;
        if (is_full && each.offset != row.offset) {
            close();
        }
        row.offset = each.offset;
        row.facts.push_back(feed_fact_of(*each.fact));
        ids += row.facts.back().holders.size() + row.facts.back().others.size();
    }
    close();
    add_feed_end(
        {.region = region_, .writer = writer, .next = row.since, .since = next.since, .said = now},
        batch
    );
    const std::lock_guard lock{mutex_};
    lanes_.at(lane).added = {.since = row.since, .before = row.before};
}

void Feed::written(std::uint32_t lane) {
    const std::lock_guard lock{mutex_};
    lanes_.at(lane).next = lanes_.at(lane).added;
}

}  // namespace footfall::identities
