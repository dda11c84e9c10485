#include "rankings/trends.h"

#include "foundation/log.h"
#include "projecting/lane_phase.h"
#include "rankings/schema.h"
#include "rankings/trends_wire.h"
#include "storage/blocking.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <variant>

namespace footfall::rankings {
namespace {

/// Prefetched together: more lines of cache would not stay.
constexpr std::size_t facts_at_once = 16;

constexpr std::size_t written_column = 4;
constexpr std::size_t state_column = 5;

void add(TrendsTold told, TrendsOfAll& all) {
    all.totals += told.totals;
    std::ranges::move(told.candidates, std::back_inserter(all.candidates));
}

TrendsTold told_by(
    const LaneTrends& trends, std::string_view action, Instant now, const TrendSettings& settings
) {
    const TrendCandidates* const of_action = trends.find(action);
    if (of_action == nullptr) {
        return {};
    }
    return {
        .candidates = of_action->candidates(now, settings.least_fast),
        .totals = of_action->totals(now)
    };
}

}  // namespace

Trends::Trends(storage::Store& store, const Clock& clock, Options options)
    : store_{&store}, clock_{&clock}, options_{options} {}

std::vector<storage::Value> Trends::key_of(std::uint32_t lane) const {
    return {std::string{options_.job}, static_cast<std::int64_t>(options_.log), std::int64_t{lane}};
}

Result<void> Trends::begin(std::span<const std::uint32_t> lanes) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(lanes.size());
    for (const std::uint32_t lane : lanes) {
        keys.push_back(key_of(lane));
    }
    TRY(const storage::Found found,
        storage::read_many(*store_, trend_state_table, std::move(keys)));
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        LaneTrends stored;
        if (const auto row = found.row_of_key[at]) {
            Result<LaneTrends> read =
                LaneTrends::decode(found.rows.at(*row, state_column).text(), options_.settings);
            if (read) {
                stored = *std::move(read);
            } else {
                log(LogLevel::warning,
                    "{}, lane {}: {}; it is begun anew",
                    options_.job,
                    lanes[at],
                    read.error().message);
            }
        }
        lanes_.change(lanes[at], [&](Lane& own) {
            own = Lane{.trends = std::move(stored), .drops = own.drops};
        });
    }
    return {};
}

void Trends::apply(std::uint32_t lane, std::span<const TrendFact> facts) {
    const Instant now = clock_->now();
    lanes_.change(lane, [&](Lane& own) {
        for (std::span<const TrendFact> left = facts; !left.empty();) {
            const auto some = left.first(std::min(left.size(), facts_at_once));
            left = left.subspan(some.size());
            own.trends.prefetch(some);
            for (const TrendFact& fact : some) {
                if (own.trends.add(fact, options_.settings, now) && !own.changed) {
                    own.changed = Unsaved{.offset = fact.offset, .since = now};
                }
            }
        }
    });
}

Result<void> Trends::flush(bool all) {
    const std::lock_guard alone{flushing_};
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        const std::optional<Saved> saved = encode(lane, all);
        if (!saved) {
            continue;
        }
        TRY(const storage::CommitPosition position, submit(*saved));
        // One lane is in memory a second time, and others write between two of them.
        TRY_VOID(storage::wait_durable(*store_, position));
        rows_written_ += position > 0 ? 1 : 0;  // 0: nothing of a lane that was dropped
        lanes_.change(lane, [&](Lane& own) {
            if (own.drops == saved->drops) {
                own.saving.reset();
            }
        });
    }
    return {};
}

/// What is due, also by what an earlier flush did not get through.
std::optional<Trends::Saved> Trends::encode(std::uint32_t lane, bool all) {
    const Instant now = clock_->now();
    return lanes_.change(lane, [&](Lane& own) -> std::optional<Saved> {
        const std::optional<Unsaved> unsaved = own.unsaved();
        if (!unsaved || (!all && !own.saving &&
                         !projecting::is_due(lane, unsaved->since, now, options_.interval))) {
            return std::nullopt;
        }
        own.saving = unsaved;
        own.changed.reset();
        return Saved{
            .lane = lane,
            .drops = own.drops,
            .through = own.trends.through(),
            .state = own.trends.encode()
        };
    });
}

/// Nothing of a lane that was dropped meanwhile.
Result<storage::CommitPosition> Trends::submit(const Saved& saved) {
    const std::lock_guard lock{submitting_};
    if (lanes_.look(saved.lane, [](const Lane& own) { return own.drops; }) != saved.drops) {
        return storage::CommitPosition{0};
    }
    storage::Batch batch;
    batch.upsert(
        trend_state_table,
        {options_.job,
         static_cast<std::int64_t>(options_.log),
         std::int64_t{saved.lane},
         static_cast<std::int64_t>(saved.through),
         std::int64_t{clock_->now().time_since_epoch().count()},
         saved.state}
    );
    return store_->submit(batch);
}

std::optional<std::uint64_t> Trends::first_unsaved(std::uint32_t lane) {
    return lanes_.look(lane, [](const Lane& own) {
        const std::optional<Unsaved> unsaved = own.unsaved();
        return unsaved ? std::optional{unsaved->offset} : std::nullopt;
    });
}

void Trends::drop_lane(std::uint32_t lane) {
    lanes_.change(lane, [](Lane& own) { own = Lane{.drops = own.drops + 1}; });
    const std::lock_guard until_it_is_submitted{submitting_};
}

void Trends::drop_all() {
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        drop_lane(lane);
    }
}

void Trends::add_here(std::uint32_t lane, std::string_view action, Instant now, TrendsOfAll& all) {
    add(lanes_.look(
            lane,
            [&](const Lane& own) { return told_by(own.trends, action, now, options_.settings); }
        ),
        all);
}

/// Of a lane whose owner did not answer: as it was stored.
Result<void> Trends::add_stored(
    std::uint32_t lane, std::string_view action, Instant now, TrendsOfAll& all
) {
    TRY(const auto row, storage::read_one(*store_, trend_state_table, key_of(lane)));
    if (!row) {
        return {};
    }
    TRY(const LaneTrends trends,
        LaneTrends::decode(std::get<std::string>((*row)[state_column]), options_.settings));
    const Instant written{std::chrono::microseconds{std::get<std::int64_t>((*row)[written_column])}
    };
    all.stored = std::min(all.stored.value_or(written), written);
    add(told_by(trends, action, now, options_.settings), all);
    return {};
}

bool Trends::is_here(std::uint32_t lane) const {
    return options_.owners == nullptr || options_.owners->counted_here(lane);
}

/// Of all lanes that are not here; each owner is asked once.
std::vector<Trends::Told> Trends::ask_others(const TrendQuestion& question) const {
    std::vector<Told> told;
    std::vector<projecting::LaneQuestion> questions;
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        if (!is_here(lane)) {
            told.push_back({.lane = lane, .bytes = {}});
            questions.push_back({.lane = lane, .bytes = written_question(question)});
        }
    }
    if (questions.empty()) {
        return told;
    }
    projecting::LaneAnswers answers = options_.owners->ask(options_.job, questions);
    for (std::size_t at = 0; at < told.size(); ++at) {
        if (auto& answer = answers.of_asked[at]) {
            told[at].bytes = std::move(answer->bytes);
        }
    }
    return told;
}

Result<TrendsOfAll> Trends::trends(std::string_view action, Instant now) {
    TrendsOfAll all;
    const std::vector<Told> others = ask_others(TrendsAsked{.action = action, .now = now});
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        if (!std::ranges::binary_search(others, lane, {}, &Told::lane)) {
            add_here(lane, action, now, all);
        }
    }
    for (const Told& other : others) {
        Result<TrendsTold> told =
            other.bytes ? read_trends(*other.bytes) : fail(ErrorKind::unavailable, "no answer");
        if (told) {
            add(*std::move(told), all);
            continue;
        }
        all.provisional = true;
        TRY_VOID(add_stored(other.lane, action, now, all));
    }
    return all;
}

HotOfAll Trends::hot(Instant now, std::size_t limit) {
    HotOfAll all;
    const std::vector<Told> others = ask_others(HotAsked{.now = now});
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        if (!std::ranges::binary_search(others, lane, {}, &Told::lane)) {
            std::ranges::move(
                lanes_.look(lane, [&](const Lane& own) { return own.trends.hot().top(now); }),
                std::back_inserter(all.objects)
            );
        }
    }
    for (const Told& other : others) {
        Result<std::vector<HotObject>> told =
            other.bytes ? read_hot(*other.bytes) : fail(ErrorKind::unavailable, "no answer");
        all.provisional |= !told;
        std::ranges::move(told.value_or(std::vector<HotObject>{}), std::back_inserter(all.objects));
    }
    std::ranges::sort(all.objects, [](const HotObject& left, const HotObject& right) {
        return left.events != right.events ? left.events > right.events
                                           : left.object < right.object;
    });
    all.objects.resize(std::min(all.objects.size(), limit));
    return all;
}

bool Trends::is_question(std::string_view bytes) {
    return is_trend_question(bytes);
}

Result<std::string> Trends::answer(std::uint32_t lane, std::string_view question) {
    TRY(const TrendQuestion asked, read_question(question));
    return lanes_.look(lane, [&](const Lane& own) {
        if (const auto* const trends = std::get_if<TrendsAsked>(&asked)) {
            return written_trends(
                told_by(own.trends, trends->action, trends->now, options_.settings)
            );
        }
        return written_hot(own.trends.hot().top(std::get<HotAsked>(asked).now));
    });
}

}  // namespace footfall::rankings
