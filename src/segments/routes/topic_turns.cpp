#include "segments_routes/topic_turns.h"

#include "foundation/json_string.h"
#include "segments/derived_rows.h"
#include "segments_routes/change_json.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds topic_idle{200};
constexpr milliseconds topic_after_failure{1000};
/// All segments are looked at so often, whatever was heard of: what a write told that seemed to
/// have failed is among it.
constexpr std::chrono::seconds look_period{60};
constexpr std::size_t published_at_once = 500;
constexpr std::size_t segments_at_once = 1000;
constexpr std::size_t segments_a_turn = 64;
/// Who stops waits no longer.
constexpr std::chrono::seconds brokers_patience{1};

/// {"segment":"spring","id":"2207/7","number":7,..}
std::string record_of(const std::string& segment, const std::string& id, const Change& change) {
    std::string json = fmt::format(R"({{"segment":{},)", json_string(segment));
    std::string rest;
    append_change(change, id, rest);
    return json + rest.substr(1);
}

}  // namespace

TopicTurns::TopicTurns(Segments& segments, storage::Store& store, journal::OutgoingTopics& topics)
    : segments_{&segments}, store_{&store}, topics_{&topics} {}

void TopicTurns::start() {
    turns_.emplace(
        "segments-topic",
        runtime::Urgency::background,
        [this](const std::stop_token& /*stop*/) { return turn(); }
    );
}

milliseconds TopicTurns::turn() {
    const Result<milliseconds> pause = publish();
    if (!pause) {
        troubles_.say(
            LogLevel::warning,
            fmt::format("changes of segments do not reach their topic: {}", pause.error().message)
        );
    }
    return pause.value_or(topic_after_failure);
}

Result<milliseconds> TopicTurns::publish() {
    if (!segments_->is_derived_here()) {
        // Whoever derives meanwhile goes on by rows, and so does this process after it.
        looked_.reset();
        published_until_.clear();
        behind_.clear();
        behind_count_ = 0;
        written_.clear();
        return topic_idle;
    }
    const auto now = std::chrono::steady_clock::now();
    if (!looked_ || now - *looked_ >= look_period) {
        TRY_VOID(look_for_segments());
        looked_ = now;
    }
    for (const std::int64_t each : segments_->take_news()) {
        behind_.insert(each);
    }
    behind_count_ = behind_.size();
    if (written_.empty()) {
        const Result<void> wrote = write_of_each();
        if (!wrote && written_.empty()) {
            return std::unexpected(wrote.error());
        }
    }
    TRY_VOID(note_written());
    behind_count_ = behind_.size();
    return behind_.empty() && written_.empty() ? topic_idle : milliseconds{0};
}

/// One part of some segments, in turn: one that is far behind, or whose rows are damaged, holds up
/// no other one.
Result<void> TopicTurns::write_of_each() {
    storage::CommitPosition last = 0;
    Result<void> wrote;
    for (std::size_t left = std::min(behind_.size(), segments_a_turn); left > 0; --left) {
        auto next = behind_.upper_bound(tried_);
        next = next == behind_.end() ? behind_.begin() : next;
        tried_ = *next;
        const Result<bool> more = write_some(tried_, last);
        if (!more) {
            wrote = std::unexpected(more.error());
            break;
        }
        if (!*more) {
            behind_.erase(tried_);
        }
    }
    if (!written_.empty()) {
        const auto answered = std::make_shared<std::promise<Result<void>>>();
        stands_ = answered->get_future();
        topic_->when_durable(last, [answered](const Result<void>& stands) {
            answered->set_value(stands);
        });
    }
    return wrote;
}

/// Nothing is written again before it is known what became of it.
Result<void> TopicTurns::note_written() {
    if (written_.empty()) {
        return {};
    }
    if (stands_.wait_for(brokers_patience) != std::future_status::ready) {
        return {};
    }
    const Result<void> stands = stands_.get();
    const std::vector<Written> written = std::exchange(written_, {});
    for (const Written& each : written) {
        behind_.insert(each.segment);
    }
    TRY_VOID(stands);
    storage::Batch batch;
    for (const Written& each : written) {
        add_published(each.segment, each.until, batch);
    }
    TRY_VOID(storage::write_durably(*store_, batch));
    for (const Written& each : written) {
        published_until_[each.segment] = each.until;
        published_ += each.changes;
    }
    return {};
}

Result<void> TopicTurns::find_names() {
    std::map<std::int64_t, std::string> names;
    std::string cursor;
    do {
        TRY(Listed<Segment> page, segments_->list("", cursor, segments_at_once));
        for (Segment& each : page.rows) {
            names.emplace(each.number, std::move(each.name));
        }
        cursor = std::move(page.cursor);
    } while (!cursor.empty());
    names_ = std::move(names);
    std::erase_if(published_until_, [&](const auto& each) { return !names_.contains(each.first); });
    return {};
}

Result<void> TopicTurns::look_for_segments() {
    TRY_VOID(find_names());
    for (const auto& each : names_) {
        behind_.insert(each.first);
    }
    return {};
}

/// Sends some of the segment's next changes on their way. False: there are none.
Result<bool> TopicTurns::write_some(std::int64_t segment, storage::CommitPosition& last) {
    if (!names_.contains(segment)) {
        TRY_VOID(find_names());
    }
    const auto named = names_.find(segment);
    if (named == names_.end()) {
        return false;
    }
    if (!published_until_.contains(segment)) {
        TRY(published_until_[segment], read_published(*store_, segment));
    }
    const auto page =
        segments_->changes(named->second, published_until_[segment], "", published_at_once);
    TRY(const std::optional<Segment> found, segments_->find(named->second));
    // Asked behind the changes: no number of a segment comes again, so these are of this one.
    if (!found || found->number != segment) {
        names_.erase(named);
        return false;
    }
    if (!page) {
        return std::unexpected(page.error());
    }
    if (page->rows.empty()) {
        return false;
    }
    if (topic_ == nullptr) {
        TRY(topic_, topics_->open(TopicTurns::name));
    }
    const std::uint32_t lane = topics_->lane_of(named->second, topic_->lanes());
    for (const Change& each : page->rows) {
        const std::string id = fmt::format("{}/{}", segment, each.number);
        const std::string json = record_of(named->second, id, each);
        const std::array<journal::Header, 2> headers{{
            {"content-type", "application/json"},
            {"footfall-change", id},
        }};
        TRY(last, topic_->write(lane, {.value = json, .key = named->second, .headers = headers}));
    }
    written_.push_back({.segment = segment, .until = page->after, .changes = page->rows.size()});
    return true;
}

void TopicTurns::tell(metrics::Figures& figures) const {
    figures.raise(
        "footfall_segments_published_total",
        "Changes that stand in the topic for other programs.",
        published_
    );
    figures.set(
        "footfall_segments_publishing",
        "Segments of which changes are still to be written to the topic.",
        behind_count_
    );
}

Result<void> add_topic(Segments& segments, storage::Store& store, Erasing::Hearers& hearers) {
    std::string cursor;
    do {
        TRY(Listed<Segment> page, segments.list("", cursor, segments_at_once));
        for (const Segment& each : page.rows) {
            TRY(const std::uint64_t after, read_published(store, each.number));
            hearers[each.number].push_back({.network = {}, .after = after});
        }
        cursor = std::move(page.cursor);
    } while (!cursor.empty());
    return {};
}

}  // namespace footfall::segments::routes
