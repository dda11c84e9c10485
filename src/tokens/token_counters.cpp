#include "tokens/token_counters.h"

#include "foundation/check.h"
#include "foundation/log.h"
#include "tokens/names.h"
#include "tokens/object_load.h"
#include "tokens/schema.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::tokens {

TokenCounters::TokenCounters(
    storage::Store& store,
    const Clock& clock,
    SipKey secret,
    metrics::Metrics& metrics,
    Options options
)
    : store_{&store},
      clock_{&clock},
      secret_{secret},
      options_{std::move(options)},
      puts_{metrics.counter("footfall_tokens_put_total", "Tokens put, new or not.")},
      added_{metrics.counter("footfall_tokens_added_total", "Tokens put that were not live before.")
      },
      loads_{metrics.counter("footfall_token_loads_total", "Objects read from the store.")} {
    for (const CounterConfig& config : options_.counters) {
        const Result<void> sound = check_config(config);
        CHECK(sound, "configuration is checked before", sound ? "" : sound.error().message);
    }
    for (std::size_t lane = 0; lane < decltype(lanes_)::count; ++lane) {
        lanes_.with(lane, [this](LaneState& state) {
            state.objects = Objects{0, NameHash{.secret = secret_}, NameEqual{}};
        });
    }
    store.on_lost_writes([this] { drop_objects(); });
}

Result<const CounterConfig*> TokenCounters::counter(std::string_view name) const {
    for (const CounterConfig& config : options_.counters) {
        if (config.name == name) {
            return &config;
        }
    }
    return fail(
        ErrorKind::not_found,
        fmt::format(
            "there is no counter \"{}\"; counters are named in the configuration as [[counter]]",
            name
        )
    );
}

std::optional<Result<Count>> TokenCounters::put_now(
    const CounterConfig& config,
    std::string_view object,
    std::string_view token,
    std::optional<std::chrono::seconds> ttl
) {
    const Result<Operation> operation = put_operation(config, object, token, ttl);
    if (!operation) {
        return std::unexpected(operation.error());
    }
    return operate_now(key_of(config, object), *operation);
}

void TokenCounters::put(
    const CounterConfig& config,
    std::string_view object,
    std::string_view token,
    std::optional<std::chrono::seconds> ttl,
    CountDone done
) {
    const Result<Operation> operation = put_operation(config, object, token, ttl);
    if (!operation) {
        done(std::unexpected(operation.error()));
        return;
    }
    operate(key_of(config, object), *operation, std::move(done));
}

std::optional<Result<Count>> TokenCounters::get_now(
    const CounterConfig& config, std::string_view object
) {
    if (Result<void> check = check_name("object name", object); !check) {
        return std::unexpected(std::move(check).error());
    }
    return operate_now(key_of(config, object), {.kind = Operation::Kind::get});
}

void TokenCounters::get(const CounterConfig& config, std::string_view object, CountDone done) {
    if (Result<void> check = check_name("object name", object); !check) {
        done(std::unexpected(std::move(check).error()));
        return;
    }
    operate(key_of(config, object), {.kind = Operation::Kind::get}, std::move(done));
}

/// What a PUT asks, checked.
Result<Operation> TokenCounters::put_operation(
    const CounterConfig& config,
    std::string_view object,
    std::string_view token,
    std::optional<std::chrono::seconds> ttl
) const {
    TRY_VOID(check_name("object name", object));
    TRY_VOID(check_token(token));
    TRY(const auto effective, effective_ttl(config, ttl));
    return Operation{
        .kind = Operation::Kind::put,
        .token = token,
        .token_hash = token_hash(secret_, token),
        .ttl = effective,
        .explicit_ttl = ttl.has_value()
    };
}

std::vector<ActivitySecond> TokenCounters::activity_between(
    std::int64_t from, std::int64_t before
) {
    for (std::size_t lane = 0; lane < decltype(lanes_)::count; ++lane) {
        const ActivitySecond closed = lanes_.with(lane, [before](LaneState& state) {
            return state.activity.second < before ? std::exchange(state.activity, {})
                                                  : ActivitySecond{};
        });
        activity_.add(closed);
    }
    return activity_.between(from, before);
}

std::int64_t TokenCounters::lane_of(const CounterConfig& config, std::string_view object) const {
    return static_cast<std::int64_t>(key_of(config, object).lane);
}

TokenCounters::Key TokenCounters::key_of(const CounterConfig& config, std::string_view object)
    const {
    const auto index = static_cast<std::size_t>(&config - options_.counters.data());
    CHECK(index < options_.counters.size(), "a counter of another TokenCounters", config.name);
    Key key{.config = &config, .full_name = {}, .lane = 0};
    key.full_name.reserve(object.size() + 2);
    key.full_name.push_back(static_cast<char>(index & 0xff));
    key.full_name.push_back(static_cast<char>(index >> 8));
    key.full_name.append(object);
    key.lane = decltype(lanes_)::lane_of(siphash13(secret_, key.full_name));
    return key;
}

/// Answers for an object in memory; absent when it has to be loaded first.
std::optional<Result<Count>> TokenCounters::operate_now(
    const Key& key, const Operation& operation
) {
    return lanes_.with(key.lane, [&](LaneState& lane) -> std::optional<Result<Count>> {
        const auto found = lane.objects.find(std::string_view{key.full_name});
        if (found == lane.objects.end() || found->second->busy) {
            return std::nullopt;
        }
        Applied applied = apply_in_lane(lane, key, *found->second, operation);
        if (applied.step != Applied::Step::answered) {
            return std::nullopt;
        }
        return std::move(applied.count);
    });
}

void TokenCounters::operate(const Key& key, const Operation& operation, CountDone done) {
    Followup followup;
    std::optional<Result<Count>> answer = lanes_.with(key.lane, [&](LaneState& lane) {
        return operate_or_queue(lane, key, operation, done, followup);
    });
    if (answer) {
        done(*std::move(answer));
    }
    follow(key, std::move(followup));
}

/// Answers at once if it can; else takes `done` into the object's queue and says what has to
/// follow.
std::optional<Result<Count>> TokenCounters::operate_or_queue(
    LaneState& lane, const Key& key, const Operation& operation, CountDone& done, Followup& followup
) {
    auto found = lane.objects.find(std::string_view{key.full_name});
    if (found == lane.objects.end()) {
        found = lane.objects.emplace(key.full_name, std::make_unique<Entry>()).first;
        found->second->busy = true;
        followup.kind = Followup::Kind::load;
    }
    Entry& entry = *found->second;
    if (!entry.busy) {
        Applied applied = apply_in_lane(lane, key, entry, operation);
        if (applied.step == Applied::Step::answered) {
            return std::move(applied.count);
        }
        followup = suspend(entry, operation, applied.step);
    }
    if (entry.waiting.size() >= options_.waiting_limit) {
        return fail(ErrorKind::overloaded, "too many requests wait for this object to be loaded");
    }
    entry.waiting.push_back(
        {.operation = operation, .token = std::string{operation.token}, .done = std::move(done)}
    );
    return std::nullopt;
}

Applied TokenCounters::apply_in_lane(
    LaneState& lane, const Key& key, Entry& entry, const Operation& operation
) {
    CHECK(entry.object.has_value(), "an operation on an object that is not in memory");
    const Instant now = clock_->now();
    const ObjectPlace place{
        .config = key.config, .object = key.object(), .lane = static_cast<std::int64_t>(key.lane)
    };
    Applied applied = apply(*entry.object, place, operation, now, *store_, lane.scratch);
    if (operation.kind == Operation::Kind::put && applied.step == Applied::Step::answered &&
        applied.count) {
        note(lane, applied, now);
    }
    return applied;
}

/// Marks the object busy until the store has said what `operation` has to know.
TokenCounters::Followup TokenCounters::suspend(
    Entry& entry, const Operation& operation, Applied::Step step
) const {
    CHECK(entry.object.has_value(), "only an object in memory can be suspended");
    entry.busy = true;
    const storage::CommitPosition after = entry.object->last_position;
    if (step == Applied::Step::needs_load) {
        entry.object.reset();
        return {.kind = Followup::Kind::load, .after = after};
    }
    return {
        .kind = Followup::Kind::probe,
        .token = std::string{operation.token},
        .expiry = expiry_of(clock_->now(), operation.ttl),
        .after = after
    };
}

/// Counts a PUT into the second it belongs to; a second that is over is handed on.
void TokenCounters::note(LaneState& lane, const Applied& applied, Instant now) {
    puts_.add();
    if (applied.added) {
        added_.add();
    }
    const std::int64_t second =
        std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    if (lane.activity.second != second) {
        activity_.add(lane.activity);
        lane.activity = {.second = second};
    }
    lane.activity.put += 1;
    lane.activity.added += applied.added ? 1 : 0;
}

/// Asks the store, once it holds all that was written of the object so far. Should those writes
/// have been lost, the answer is void: the handler of lost writes, which runs next, drops it.
void TokenCounters::follow(Key key, Followup followup) {
    if (followup.kind == Followup::Kind::none) {
        return;
    }
    const storage::CommitPosition after = followup.after;
    store_->when_durable(
        after,
        [this, key = std::move(key), followup = std::move(followup)](const Result<void>&) mutable {
            if (followup.kind == Followup::Kind::load) {
                load(std::move(key));
            } else {
                probe(std::move(key), followup);
            }
        }
    );
}

void TokenCounters::load(Key key) {
    loads_.add();
    const std::uint64_t incarnation = incarnation_.load();
    const CounterConfig& config = *key.config;
    std::string object{key.object()};
    ObjectLoad::start(
        *store_,
        config,
        std::move(object),
        secret_,
        clock_->now(),
        [this, key = std::move(key), incarnation](Result<CountedObject> loaded) mutable {
            take_loaded(std::move(key), incarnation, std::move(loaded));
        }
    );
}

void TokenCounters::probe(Key key, const Followup& followup) {
    const std::uint64_t incarnation = incarnation_.load();
    const std::int64_t expiry = followup.expiry;
    std::vector<std::vector<storage::Value>> rows;
    rows.push_back(
        {key.config->name,
         std::string{key.object()},
         std::int64_t{0},
         std::int64_t{0},
         span_of(*key.config, expiry),
         followup.token}
    );
    store_->read_many(
        token_table,
        std::move(rows),
        [this, key = std::move(key), incarnation, expiry](Result<storage::Found> found) mutable {
            take_probed(std::move(key), incarnation, expiry, std::move(found));
        }
    );
}

void TokenCounters::take_loaded(Key key, std::uint64_t incarnation, Result<CountedObject> loaded) {
    Answers answers;
    Followup followup;
    lanes_.with(key.lane, [&](LaneState& lane) {
        Entry& entry = *lane.objects.find(std::string_view{key.full_name})->second;
        if (incarnation != incarnation_.load()) {
            // Writes were lost since this was read: it may hold what is gone, or miss what came
            // back.
            followup.kind = Followup::Kind::load;
            return;
        }
        if (!loaded) {
            const Error error = with_context(
                std::move(loaded).error(), fmt::format("load object {}", key.object())
            );
            log(LogLevel::warning, "{}", error.message);
            for (Waiting& waiting : entry.waiting) {
                answers.emplace_back(std::move(waiting.done), std::unexpected(error));
            }
            lane.objects.erase(std::string_view{key.full_name});
            return;
        }
        entry.object = *std::move(loaded);
        followup = resume(lane, key, answers);
    });
    for (auto& [done, answer] : answers) {
        done(std::move(answer));
    }
    follow(std::move(key), std::move(followup));
}

void TokenCounters::take_probed(
    Key key, std::uint64_t incarnation, std::int64_t expiry, Result<storage::Found> found
) {
    Answers answers;
    Followup followup;
    lanes_.with(key.lane, [&](LaneState& lane) {
        Entry& entry = *lane.objects.find(std::string_view{key.full_name})->second;
        if (incarnation != incarnation_.load() || !entry.object) {
            followup.kind = Followup::Kind::load;  // the object was dropped meanwhile
            return;
        }
        Waiting& asker = entry.waiting.front();
        if (!found) {
            answers.emplace_back(std::move(asker.done), std::unexpected(std::move(found).error()));
            entry.waiting.pop_front();
        } else {
            const bool there = found->row_of_key.front().has_value();
            const std::int64_t stored =
                there ? found->rows.at(*found->row_of_key.front(), 6).number() : 0;
            if (there && stored >= expiry * 1000) {
                asker.operation.kind =
                    Operation::Kind::get;  // it lives long enough already: nothing to write
            } else {
                asker.operation.probed_span = span_of(*key.config, expiry);
            }
        }
        followup = resume(lane, key, answers);
    });
    for (auto& [done, answer] : answers) {
        done(std::move(answer));
    }
    follow(std::move(key), std::move(followup));
}

/// Applies what waited for the object, in order, until nothing waits or the store is needed again.
TokenCounters::Followup TokenCounters::resume(LaneState& lane, const Key& key, Answers& answers) {
    Entry& entry = *lane.objects.find(std::string_view{key.full_name})->second;
    entry.busy = false;
    while (!entry.waiting.empty()) {
        Waiting& waiting = entry.waiting.front();
        waiting.operation.token = waiting.token;
        Applied applied = apply_in_lane(lane, key, entry, waiting.operation);
        if (applied.step != Applied::Step::answered) {
            return suspend(entry, waiting.operation, applied.step);
        }
        answers.emplace_back(std::move(waiting.done), std::move(applied.count));
        entry.waiting.pop_front();
    }
    if (entry.object && entry.object->directory.size_class < 0) {
        // Nothing was ever put on it: asking for names that do not exist must not fill the memory.
        lane.objects.erase(std::string_view{key.full_name});
    }
    return {};
}

void TokenCounters::drop_objects() {
    incarnation_.fetch_add(1);
    for (std::size_t index = 0; index < decltype(lanes_)::count; ++index) {
        lanes_.with(index, [](LaneState& lane) {
            boost::unordered::erase_if(lane.objects, [](auto& named) {
                named.second->object.reset();
                return !named.second->busy;
            });
        });
    }
}

}  // namespace footfall::tokens
