#include "tokens/object_load.h"

#include "tokens/schema.h"
#include "tokens/size_class.h"

#include <algorithm>
#include <utility>

namespace footfall::tokens {
namespace {

constexpr std::size_t rows_a_page = 4096;  // of three names of at most 1 KiB each
constexpr std::size_t bytes_examined = 16 << 20;
constexpr std::size_t usual_limit = 100'000;

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
    Done done
)
    : store_{&store},
      config_{&config},
      object_{std::move(object)},
      secret_{secret},
      now_{now},
      done_{std::move(done)},
      rows_left_{std::size_t{2} * config.limit},
      bytes_left_{std::max(bytes_examined, bytes_examined / usual_limit * config.limit)} {}

void ObjectLoad::start(
    storage::Store& store,
    const CounterConfig& config,
    std::string object,
    SipKey secret,
    Instant now,
    Done done
) {
    const std::shared_ptr<ObjectLoad> load{
        new ObjectLoad{store, config, std::move(object), secret, now, std::move(done)}
    };
    if (config.ttl) {
        load->spans_ = live_spans(config, now);
        load->read_tokens({});
    } else {
        load->read_spans({});
    }
}

/// A counter without a ttl: which days its tokens expire on stands in a table of its own.
void ObjectLoad::read_spans(std::string continuation) {
    storage::RangeQuery query{
        .table = &token_span_table,
        .partition = {config_->name, object_},
        .from = {span_of(*config_, to_milliseconds(now_))},
        .max_rows = rows_a_page,
        .continuation = std::move(continuation)
    };
    store_->read_range(std::move(query), [self = shared_from_this()](Result<storage::Page> page) {
        self->take_spans(std::move(page));
    });
}

void ObjectLoad::take_spans(Result<storage::Page> page) {
    if (!page) {
        done_(std::unexpected(std::move(page).error()));
        return;
    }
    for (std::size_t row = 0; row < page->rows.size(); ++row) {
        state_.known_spans.push_back(page->rows.at(row, 2).number());
    }
    if (!page->continuation.empty()) {
        read_spans(std::move(page->continuation));
        return;
    }
    spans_ = state_.known_spans;
    spans_.push_back(never_span);
    read_tokens({});
}

void ObjectLoad::read_tokens(std::string continuation) {
    if (spans_.empty()) {
        finish();
        return;
    }
    storage::RangeQuery query{
        .table = &token_table,
        .partition = {config_->name, object_, std::int64_t{0}, std::int64_t{0}, spans_.back()},
        .max_rows = std::min(rows_a_page, rows_left_),
        .continuation = std::move(continuation)
    };
    store_->read_range(std::move(query), [self = shared_from_this()](Result<storage::Page> page) {
        self->take_tokens(std::move(page));
    });
}

void ObjectLoad::take_tokens(Result<storage::Page> page) {
    if (!page) {
        done_(std::unexpected(std::move(page).error()));
        return;
    }
    const std::int64_t now_ms = to_milliseconds(now_);
    const storage::Rows& rows = page->rows;
    std::size_t bytes = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string_view token = rows.at(row, 5).text();
        bytes += token.size();
        const std::int64_t expiry = loaded_expiry(rows.at(row, 6).number());
        if (expiry <= now_ms) {
            continue;
        }
        const auto result =
            state_.set.add(token_hash(secret_, token), expiry, now_ms, config_->limit);
        state_.saturated = state_.saturated || result.added == TokenSet::Added::refused;
    }
    rows_left_ -= std::min(rows_left_, rows.size());
    bytes_left_ -= std::min(bytes_left_, bytes);
    rows_seen_ = rows_seen_ || !rows.empty();
    const bool exhausted = rows_left_ == 0 || bytes_left_ == 0;
    if (page->continuation.empty()) {
        spans_.pop_back();
    }
    if (exhausted && !spans_.empty()) {
        state_.saturated = true;
    }
    if (state_.saturated) {
        spans_.clear();
    }
    read_tokens(std::move(page->continuation));
}

void ObjectLoad::finish() {
    const std::int64_t now_ms = to_milliseconds(now_);
    const std::size_t live = state_.set.count(now_ms);
    if (rows_seen_) {
        // Whoever put these tokens saw to a directory entry at least as high and as lasting as they
        // need; or the first PUT will.
        state_.directory = {
            .size_class = static_cast<std::int8_t>(size_class_of(live)),
            .expiry = state_.set.latest_expiry()
        };
    }
    if (state_.saturated) {
        state_.reload_below = (live + 1) / 2;
        if (live < config_->limit) {
            state_.reload_at = span_end(*config_, span_of(*config_, now_ms));
        }
    }
    done_(std::move(state_));
}

}  // namespace footfall::tokens
