#include "tokens/counted_object.h"

#include "foundation/memory_cost.h"
#include "tokens/levels.h"
#include "tokens/schema.h"
#include "tokens/size_class.h"

#include <algorithm>
#include <utility>

namespace footfall::tokens {
namespace {

/// Expiries are stored in microseconds, and `never` as 0.
std::int64_t stored_expiry(std::int64_t expiry) {
    return expiry == never ? 0 : expiry * 1000;
}

/// The directory entry an object needs once a token with `expiry` is on it: in the class of its
/// count (absent: nobody knows how many), and counting as long as its tokens do. Written for twice
/// the token's life, so that a steady stream of PUTs seldom has to renew it.
DirectoryEntry needed_entry(
    const CountedObject& state,
    const CounterConfig& config,
    std::int64_t expiry,
    std::int64_t now,
    std::optional<std::uint64_t> count
) {
    const auto size_class =
        static_cast<std::int8_t>(count ? size_class_of(*count) : top_size_class);
    const DirectoryEntry& current = state.directory;
    if (current.confirmed && size_class <= current.size_class && expiry <= current.expiry) {
        return current;
    }
    std::int64_t until = never;
    if (expiry != never && (config.ttl || !state.saturated())) {
        until = expiry + (config.ttl ? config.ttl->count() * 1000 : expiry - now);
    }
    return {
        .expiry = std::max(until, current.expiry),
        .size_class = std::max(size_class, current.size_class),
        .confirmed = true
    };
}

/// Puts the entry in place of the old one, where the two are written as one. Where one may be lost
/// without the other the old one stays: an object that is not in the directory is in no list.
void write_entry(
    const DirectoryEntry& old_entry,
    const DirectoryEntry& entry,
    const ObjectPlace& place,
    bool as_one,
    storage::Batch& batch
) {
    if (entry == old_entry) {
        return;
    }
    const std::string& counter = place.config->name;
    batch.upsert(
        token_object_table,
        {counter,
         std::int64_t{entry.size_class},
         place.lane,
         place.object,
         stored_expiry(entry.expiry)}
    );
    if (as_one && old_entry.size_class >= 0 && old_entry.size_class != entry.size_class) {
        batch.erase(
            token_object_table,
            {counter, std::int64_t{old_entry.size_class}, place.lane, place.object}
        );
    }
}

/// Adds the span to the object's list if it is not there; answers whether it was new.
bool write_span(
    const CountedObject& state, const ObjectPlace& place, std::int64_t span, storage::Batch& batch
) {
    if (place.config->ttl || span == never_span || state.knows_span(span)) {
        return false;
    }
    // A span is the day on which its tokens expire: nothing in it counts after the day is over.
    const std::int64_t day_end = stored_expiry(span_end(*place.config, span));
    batch.upsert(token_span_table, {place.config->name, place.object, span, day_end});
    return true;
}

/// The level that the row of the token is to lie in; `count`: absent, nobody knows how many there
/// are. Never lower than before.
std::int64_t level_to_write(
    std::int64_t known,
    const ObjectPlace& place,
    std::uint64_t token_hash,
    std::optional<std::uint64_t> count
) {
    if (!count && begins_next_level(token_hash, known, place.rows_a_partition)) {
        return known + 1;
    }
    return std::max(known, level_for(count.value_or(place.config->limit), place.rows_a_partition));
}

/// Puts the token where it belongs, and says in the levels below that there is a higher one.
void write_token(
    const ObjectPlace& place,
    const SpanLevel& known,
    std::int64_t level,
    const Operation& operation,
    std::int64_t expiry,
    storage::Batch& batch
) {
    const std::string& counter = place.config->name;
    const std::int64_t span = known.span;
    const std::int64_t span_ends = stored_expiry(span_end(*place.config, span));
    for (std::int64_t below = known.marked; below < level; ++below) {
        batch.upsert(
            token_table,
            {counter, place.object, below, std::int64_t{0}, span, level_marker, span_ends}
        );
    }
    const std::int64_t bucket = bucket_of(operation.token_hash, level);
    batch.upsert(
        token_table,
        {counter, place.object, level, bucket, span, operation.token, stored_expiry(expiry)}
    );
}

/// Whether the token is new for certain, and the object stays one that needs nothing `rare`.
bool takes_by_short_hash(
    CountedObject& state,
    const CounterConfig& config,
    std::uint64_t hash,
    std::int64_t expiry,
    std::int64_t now
) {
    return !state.set.holds(hash) &&
           state.set.count(now) < std::min<std::size_t>(config.limit, short_hashes_max) &&
           (config.ttl || expiry == never);
}

Applied put(
    CountedObject& state,
    const ObjectPlace& place,
    const Operation& operation,
    Instant now,
    storage::Store& store,
    storage::Batch& batch
) {
    const CounterConfig& config = *place.config;
    const std::int64_t now_ms = to_milliseconds(now);
    const std::int64_t expiry = expiry_of(now, operation.ttl);
    const std::uint64_t hash = state.held_hash(operation.token_hash);
    if (state.short_hashes && !takes_by_short_hash(state, config, hash, expiry, now_ms)) {
        return {.step = Applied::Step::needs_load};
    }
    const TokenSet::AddResult result = state.set.add(hash, expiry, now_ms, config.limit);
    const auto answer = [&](bool added, bool unsure) {
        return Applied{
            .count =
                Count{
                    .count = state.set.count(now_ms),
                    .at_least = state.saturated(),
                    .limit = config.limit,
                    .position = state.last_position
                },
            .added = added,
            .unsure = unsure
        };
    };
    const bool unchanged = result.added == TokenSet::Added::unchanged;
    if (unchanged && state.directory.confirmed) {
        return answer(false, false);
    }
    const bool is_live = unchanged || result.added == TokenSet::Added::extended;
    const bool unsure = state.saturated() && !is_live;
    const std::int64_t span = span_of(config, expiry);
    // The stored row may live longer than what is in memory says; a PUT never shortens it.
    const bool may_shorten = operation.explicit_ttl && (unsure || (state.shared() && !unchanged));
    if (may_shorten && operation.probed_span != span) {
        state.set.undo(hash, result);
        return {.step = Applied::Step::needs_probe};
    }

    const bool above_limit = state.saturated() || result.added == TokenSet::Added::refused;
    const std::optional<std::uint64_t> count =
        above_limit ? std::nullopt : std::optional{state.set.count(now_ms)};
    const SpanLevel known = state.level_of(span);
    const std::int64_t level = level_to_write(known.level, place, operation.token_hash, count);
    batch.clear();
    bool new_span = false;
    if (!unchanged) {
        write_token(place, known, level, operation, expiry, batch);
        new_span = write_span(state, place, span, batch);
    }
    const DirectoryEntry entry = needed_entry(state, config, expiry, now_ms, count);
    write_entry(state.directory, entry, place, store.loses_only_the_end(), batch);
    Result<storage::CommitPosition> submitted = store.submit(batch);
    if (!submitted) {
        state.set.undo(hash, result);
        return {.count = std::unexpected(std::move(submitted).error())};
    }
    if (new_span) {
        state.rare_state().known_spans.push_back(span);
    }
    if (!unchanged && level > known.marked) {
        state.note_level({.span = span, .level = level, .marked = level});
    }
    state.directory = entry;
    state.last_position = *submitted;
    if (above_limit && !state.saturated()) {
        state.rare_state().saturated = true;
        state.rare_state().reload_below = (config.limit + 1) / 2;
    }
    return answer(!is_live && !unsure, unsure);
}

}  // namespace

RareState& CountedObject::rare_state() {
    if (!rare) {
        rare = std::make_unique<RareState>();
    }
    return *rare;
}

bool CountedObject::knows_span(std::int64_t span) const {
    return rare && std::ranges::find(rare->known_spans, span) != rare->known_spans.end();
}

SpanLevel CountedObject::level_of(std::int64_t span) const {
    if (rare) {
        const auto found = std::ranges::find(rare->levels, span, &SpanLevel::span);
        if (found != rare->levels.end()) {
            return *found;
        }
    }
    return {.span = span};
}

void CountedObject::note_level(const SpanLevel& span) {
    std::vector<SpanLevel>& levels = rare_state().levels;
    const auto found = std::ranges::find(levels, span.span, &SpanLevel::span);
    if (found == levels.end()) {
        levels.push_back(span);
    } else {
        *found = span;
    }
}

bool CountedObject::worth_reloading(std::int64_t now) {
    return now >= fresh_until ||
           (rare && (set.count(now) < rare->reload_below || now >= rare->reload_at));
}

std::size_t CountedObject::bytes() const {
    std::size_t total = set.bytes();
    if (rare) {
        total += allocated_bytes(sizeof(RareState)) +
                 allocated_bytes(rare->known_spans.capacity() * sizeof(std::int64_t)) +
                 allocated_bytes(rare->levels.capacity() * sizeof(SpanLevel));
    }
    return total;
}

Applied apply(
    CountedObject& state,
    const ObjectPlace& place,
    const Operation& operation,
    Instant now,
    storage::Store& store,
    storage::Batch& scratch
) {
    const std::int64_t now_ms = to_milliseconds(now);
    if (state.worth_reloading(now_ms)) {
        return {.step = Applied::Step::needs_load};
    }
    if (operation.kind == Operation::Kind::put) {
        return put(state, place, operation, now, store, scratch);
    }
    return {
        .count =
            Count{
                .count = state.set.count(now_ms),
                .at_least = state.saturated(),
                .limit = place.config->limit,
                .position = state.last_position
            }
    };
}

}  // namespace footfall::tokens
