#include "tokens/object_load.h"

#include "tokens/levels.h"
#include "tokens/schema.h"
#include "tokens/size_class.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace footfall::tokens {
namespace {

constexpr std::size_t rows_a_page = 4096;  // of three names of at most 1 KiB each
constexpr std::size_t rows_now = 256;      // at 0.2 us each
constexpr std::size_t bytes_examined = 16 << 20;
constexpr std::size_t usual_limit = 100'000;
constexpr std::size_t fewest_spans = 16;
constexpr std::size_t parts_at_once = 8;

std::int64_t loaded_expiry(std::int64_t stored) {
    return stored == 0 ? never : stored / 1000;
}

}  // namespace

std::uint64_t token_hash(SipKey secret, std::string_view token) {
    return siphash13(secret, token);
}

ObjectLoad::ObjectLoad(
    storage::Store& store,
    const CounterConfig& config,
    std::string object,
    SipKey secret,
    Instant now,
    const DirectoryEntry& directory,
    std::optional<WasAhead> was_ahead
)
    : store_{&store},
      config_{&config},
      object_{std::move(object)},
      secret_{secret},
      now_{now},
      directory_{directory},
      rows_left_{std::size_t{2} * config.limit},
      spans_left_{std::max(fewest_spans, rows_left_)},
      bytes_left_{std::max(bytes_examined, bytes_examined / usual_limit * config.limit)} {
    if (config.ttl) {
        for (const std::int64_t span : live_spans(config, now)) {
            parts_.push_back({.span = span});
        }
        if (was_ahead) {
            add_spans_ahead(*was_ahead);
        }
        spans_known_ = true;
    }
}

/// Of a counter with a ttl. A PUT has a later expiry from the moment on when the clock was set
/// back, so that it is written: where the clock is right nobody looks for the other row.
void ObjectLoad::add_spans_ahead(const WasAhead& was_ahead) {
    const std::chrono::seconds ttl = config_->ttl.value_or(std::chrono::seconds{0});
    const std::int64_t granted = to_milliseconds(was_ahead.set_back + ttl) - 1;
    if (to_milliseconds(now_) > granted) {
        return;  // nothing of it is live
    }
    latest_expiry_ = latest_expiry(*config_, now_);
    granted_expiry_ = granted;
    for (const std::int64_t span : live_spans(*config_, was_ahead.latest)) {
        if (std::ranges::find(parts_, span, &Part::span) == parts_.end()) {
            parts_.push_back({.span = span});
        }
    }
}

std::optional<Result<CountedObject>> ObjectLoad::read_now() {
    std::size_t left = rows_now;
    while (!complete()) {
        if (left == 0) {
            return std::nullopt;
        }
        std::optional<Result<storage::Page>> page = store_->read_range_now(next_query(left));
        if (!page) {
            return std::nullopt;
        }
        if (!*page) {
            return std::unexpected(std::move(*page).error());
        }
        left -= std::min(left, (*page)->rows.size());
        take(*std::move(*page));
    }
    return finish();
}

/// A load that lives until its answer is given.
struct ObjectLoad::Reading {
    ObjectLoad load;
    Done done;
};

void ObjectLoad::read_on(ObjectLoad load, Done done) {
    read_more(std::make_shared<Reading>(std::move(load), std::move(done)));
}

void ObjectLoad::read_more(const std::shared_ptr<Reading>& reading) {
    ObjectLoad& load = reading->load;
    load.take_ahead();
    if (load.complete()) {
        reading->done(load.finish());
        return;
    }
    std::vector<Part> parts = load.parts_to_ask();
    if (parts.size() > 1) {
        read_parts(reading, std::move(parts));
    } else {
        read_page(reading);
    }
}

void ObjectLoad::read_page(const std::shared_ptr<Reading>& reading) {
    ObjectLoad& load = reading->load;
    load.store_->read_range(load.next_query(rows_a_page), [reading](Result<storage::Page> page) {
        if (!page) {
            reading->done(std::unexpected(std::move(page).error()));
            return;
        }
        reading->load.take(*std::move(page));
        read_more(reading);
    });
}

/// Asks for the first pages of all these.
void ObjectLoad::read_parts(const std::shared_ptr<Reading>& reading, std::vector<Part> parts) {
    ObjectLoad& load = reading->load;
    std::vector<storage::RangeQuery> queries;
    queries.reserve(parts.size());
    for (const Part& part : parts) {
        queries.push_back(load.part_query(part, rows_a_page));
    }
    load.store_->read_ranges(
        std::move(queries),
        [reading, parts = std::move(parts)](Result<std::vector<storage::Page>> pages) {
            if (!pages) {
                reading->done(std::unexpected(std::move(pages).error()));
                return;
            }
            for (std::size_t at = 0; at < parts.size(); ++at) {
                reading->load.ahead_.push_back({parts[at], std::move((*pages)[at])});
            }
            read_more(reading);
        }
    );
}

/// Those whose first page is to be asked for next; none in the middle of one, or before they are
/// known.
std::vector<ObjectLoad::Part> ObjectLoad::parts_to_ask() const {
    std::vector<Part> parts;
    if (!spans_known_ || !continuation_.empty()) {
        return parts;
    }
    for (std::size_t at = parts_.size(); at > 0 && parts.size() < parts_at_once; --at) {
        const Part& part = parts_[at - 1];
        if (std::ranges::none_of(ahead_, [&](const Ahead& ahead) {
                return ahead.part.same_rows(part);
            })) {
            parts.push_back(part);
        }
    }
    return parts;
}

/// Takes what was read ahead and whose turn it is.
void ObjectLoad::take_ahead() {
    while (!complete() && continuation_.empty()) {
        const auto found = std::ranges::find_if(ahead_, [this](const Ahead& ahead) {
            return spans_known_ && ahead.part.same_rows(parts_.back());
        });
        if (found == ahead_.end()) {
            return;
        }
        storage::Page page = std::move(found->page);
        ahead_.erase(found);
        take(std::move(page));
    }
}

/// The next page. In a counter without a ttl, which days its tokens expire on stands in a table of
/// its own, and is read first.
storage::RangeQuery ObjectLoad::next_query(std::size_t most_rows) const {
    storage::RangeQuery query;
    if (spans_known_) {
        query = part_query(parts_.back(), most_rows);
    } else {
        query = {
            .table = &token_span_table,
            .partition = {config_->name, object_},
            .from = {span_of(*config_, to_milliseconds(now_))},
            .max_rows = std::min(most_rows, spans_left_)
        };
    }
    query.continuation = continuation_;
    return query;
}

/// The first page of a part.
storage::RangeQuery ObjectLoad::part_query(const Part& part, std::size_t most_rows) const {
    return {
        .table = &token_table,
        .partition = {config_->name, object_, part.level, part.bucket, part.span},
        .max_rows = part.levels_only ? 1 : std::min(most_rows, rows_left_)
    };
}

void ObjectLoad::take(storage::Page page) {
    continuation_ = std::move(page.continuation);
    if (spans_known_) {
        take_tokens(page.rows);
    } else {
        take_spans(page.rows);
    }
}

void ObjectLoad::take_spans(const storage::Rows& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        parts_.push_back({.span = rows.at(row, 2).number()});
    }
    spans_left_ -= std::min(spans_left_, rows.size());
    if (!continuation_.empty() && spans_left_ > 0) {
        return;
    }
    if (!continuation_.empty()) {
        state_.rare_state().saturated = true;
        continuation_.clear();
    }
    spans_known_ = true;
    for (const Part& part : parts_) {
        state_.rare_state().known_spans.push_back(part.span);
    }
    parts_.push_back({.span = never_span});
}

void ObjectLoad::take_tokens(const storage::Rows& rows) {
    next_level_ = next_level_ || (!rows.empty() && rows.at(0, 5).text() == level_marker);
    if (parts_.back().levels_only) {
        end_part();
        return;
    }
    const std::size_t bytes = add_tokens(rows);
    rows_left_ -= std::min(rows_left_, rows.size());
    bytes_left_ -= std::min(bytes_left_, bytes);
    rows_seen_ = rows_seen_ || !rows.empty();
    const bool part_read = continuation_.empty();
    const bool exhausted = rows_left_ == 0 || bytes_left_ == 0;
    const bool full =
        state_.saturated() && state_.set.count(to_milliseconds(now_)) >= config_->limit;
    if (part_read) {
        end_part();
    }
    if (exhausted && !parts_.empty()) {
        state_.rare_state().saturated = true;
    }
    if (exhausted || full) {
        read_levels_only();
    }
}

/// Adds the live ones; answers the bytes of all.
std::size_t ObjectLoad::add_tokens(const storage::Rows& rows) {
    const std::int64_t now_ms = to_milliseconds(now_);
    std::size_t bytes = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string_view token = rows.at(row, 5).text();
        bytes += token.size();
        const std::int64_t stored = loaded_expiry(rows.at(row, 6).number());
        const std::int64_t expiry = stored > latest_expiry_ ? granted_expiry_ : stored;
        if (expiry <= now_ms || token == level_marker) {
            continue;
        }
        const auto result =
            state_.set.add(token_hash(secret_, token), expiry, now_ms, config_->limit);
        if (result.added == TokenSet::Added::refused) {
            state_.rare_state().saturated = true;
        }
    }
    return bytes;
}

/// Goes on to the next part: those of the next level, bucket 0 first, where there is one.
void ObjectLoad::end_part() {
    const Part part = parts_.back();
    parts_.pop_back();
    continuation_.clear();
    if (!std::exchange(next_level_, false) || part.level == top_level) {
        return;
    }
    const std::int64_t level = part.level + 1;
    const std::int64_t marked = store_->loses_only_the_end() ? level : 0;
    state_.note_level({.span = part.span, .level = level, .marked = marked});
    const std::int64_t last = part.levels_only ? 0 : buckets_of(level) - 1;
    for (std::int64_t bucket = last; bucket >= 0; --bucket) {
        parts_.push_back({part.span, level, bucket, part.levels_only});
    }
}

/// No more tokens are read, but to which level those are written that come has to be known. Of
/// counters without a ttl only for tokens that never expire: their days may be thousands.
void ObjectLoad::read_levels_only() {
    if (!parts_.empty() && !continuation_.empty()) {
        end_part();
    }
    std::erase_if(parts_, [this](const Part& part) {
        return part.bucket != 0 || (!config_->ttl && part.span != never_span);
    });
    for (Part& part : parts_) {
        part.levels_only = true;
    }
}

CountedObject ObjectLoad::finish() {
    const std::int64_t now_ms = to_milliseconds(now_);
    const std::size_t live = state_.set.count(now_ms);
    if (rows_seen_ || state_.saturated()) {
        // Whoever put these tokens saw to a directory entry at least as high and as lasting as they
        // need. Where the two may have been parted, the first PUT writes it again.
        state_.directory = {
            .expiry = state_.set.latest_expiry(),
            .size_class = static_cast<std::int8_t>(size_class_of(live)),
            .confirmed = store_->loses_only_the_end()
        };
        if (directory_.confirmed) {
            state_.directory = directory_;
        }
    }
    if (state_.saturated()) {
        state_.rare_state().reload_below = (live + 1) / 2;
        if (live < config_->limit) {
            state_.rare_state().reload_at = span_end(*config_, span_of(*config_, now_ms));
        }
    }
    return std::move(state_);
}

}  // namespace footfall::tokens
