#include "identities/identities.h"

#include "events/event_keys.h"
#include "foundation/log.h"
#include "identities/erasing.h"
#include "identities/guards_text.h"
#include "identities/lifetime.h"
#include "identities/networks.h"
#include "identities/said_facts.h"
#include "projecting/writer.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

namespace footfall::identities {
namespace {

std::size_t heap_bytes_of(const std::vector<Id>& ids) {
    std::size_t bytes = ids.capacity() * sizeof(Id);
    for (const Id& each : ids) {
        bytes += each.identifier.capacity() + each.id_name.capacity() + each.id_value.capacity();
    }
    return bytes;
}

std::size_t bytes_of_datum(const Fact& fact) {
    return fact.datum ? fact.datum->name.capacity() + fact.datum->first.capacity() +
                            fact.datum->latest.capacity() + fact.datum->longest.capacity()
                      : 0;
}

/// Noted ids of which others are told.
constexpr std::size_t noted_asked_max = 200'000;

/// In whose name profiles are settled anew, whichever process does it.
constexpr std::string_view anew_writer = "anew";
/// The same where something has ended.
constexpr std::string_view ended_writer = "ended";

}  // namespace

std::size_t Identities::Said::heap_bytes_of(const Said& said) {
    return identities::heap_bytes_of(said.fact.ids) + identities::heap_bytes_of(said.fact.others) +
           said.fact.source.capacity() + said.fact.author.capacity() + said.fact.reason.capacity() +
           bytes_of_datum(said.fact);
}

Identities::Identities(storage::Store& store, const Clock& clock, Options options)
    : store_{&store},
      clock_{&clock},
      options_{std::move(options)},
      settling_{
          store,
          {.secret = options_.secret,
           .ledger = options_.ledger,
           .guards = options_.guards,
           .data = options_.data,
           .sight = {.facts_max = options_.replay},
           .clock = &clock,
           .later_facts_max = std::max(options_.later_facts_max, options_.replay),
           .shared = options_.shared}
      },
      guards_{.version = {}, .guards = settling_.guards()},
      feed_{store, clock, options_.log, options_.region},
      waiting_{
          store,
          clock,
          [this](std::span<const Waiting::Part> parts, storage::Batch& /*batch*/) {
              return write(parts);
          },
          [](std::span<const Waiting::Part>) {},
          {.interval = options_.interval, .memory = options_.memory, .entries_at_once = 512}
      } {}

Result<void> Identities::begin(std::span<const projecting::LaneStart> lanes) {
    KnownGuards known;
    for (const projecting::LaneStart& each : lanes) {
        TRY(lane_guards_.at(each.lane),
            read_lane_guards(*store_, projecting::writer_of(options_.log, each.lane), known));
    }
    TRY_VOID(feed_.begin(lanes));
    const std::lock_guard lock{mutex_};
    for (const projecting::LaneStart& each : lanes) {
        told_.insert(each.lane);
    }
    return {};
}

std::set<std::uint32_t> Identities::lanes() const {
    const std::lock_guard lock{mutex_};
    return told_;
}

void Identities::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    std::vector<Said> said;
    for (const projecting::JudgedRecord& each : records) {
        const Guards* const guards = in_force_at(lane_guards_.at(lane), each.offset);
        for (Fact& fact : facts_of(*each.judged, guards)) {
            said.push_back({.offset = each.offset, .fact = std::move(fact)});
        }
    }
    if (said.empty()) {
        return;
    }
    waiting_.add(lane, [&](const auto& add, bool /*is_first*/) {
        for (Said& each : said) {
            add(std::move(each));
        }
    });
}

void Identities::control(std::uint32_t lane, std::uint64_t offset, const events::Control& control) {
    if (const auto* const guards = std::get_if<events::IdentityGuards>(&control)) {
        take_guards(lane, offset, *guards);
        return;
    }
    const auto* const decided = std::get_if<events::IdentityDecided>(&control);
    auto fact = decided == nullptr ? std::nullopt : decision_of(*decided);
    if (fact) {
        waiting_.add(lane, [&](const auto& add, bool /*is_first*/) {
            add({.offset = offset, .fact = *std::move(fact)});
        });
    }
}

void Identities::take_guards(
    std::uint32_t lane, std::uint64_t offset, const events::IdentityGuards& said
) {
    auto guards = read_guards(said.guards);
    if (!guards) {
        log(LogLevel::error, "identities: {}; those before them hold on", guards.error().message);
        return;
    }
    const GuardsVersion version{.version = said.version, .digest = digest_of(said.guards)};
    std::vector<LaneGuards>& of_lane = lane_guards_.at(lane);
    const auto known = std::ranges::find_if(of_lane, [&](const LaneGuards& each) {
        return each.guards.version == version;
    });
    if (known != of_lane.end() && known->offset < offset) {
        return;  // said again
    }
    const RecordedGuards recorded{
        .version = version, .guards = std::make_shared<const Guards>(*std::move(guards))
    };
    if (known == of_lane.end()) {
        of_lane.push_back({.offset = offset, .guards = recorded});
    }
    waiting_.add(lane, [&](const auto& add, bool /*is_first*/) {
        add(
            {.offset = offset,
             .fact = {.ids = {}, .first = said.said},
             .guards = std::make_shared<const RecordedGuards>(recorded)}
        );
    });
}

/// The facts of these records, merged with what their lanes were told before.
Result<std::vector<ToldFact>> Identities::merged_facts(std::span<const Waiting::Part> parts) {
    std::map<std::pair<std::string, FactId>, Fact> told;
    for (const Waiting::Part& part : parts) {
        const std::string writer = projecting::writer_of(options_.log, part.lane);
        for (const Said& each : part.entries) {
            if (each.guards != nullptr) {
                continue;
            }
            Fact fact = each.fact;
            if (options_.ledger != nullptr && !say_without_erased(*options_.ledger, fact)) {
                continue;
            }
            const FactId id = fact.id;
            const auto [at, is_new] = told.try_emplace({writer, id}, fact);
            if (!is_new) {
                merge(at->second, fact);
            }
        }
    }
    std::vector<ToldFact> facts;
    facts.reserve(told.size());
    for (auto& [key, fact] : told) {
        facts.push_back({.writer = key.first, .fact = std::move(fact)});
    }
    TRY_VOID(merge_with_rows(*store_, facts));
    return facts;
}

/// Adds those networks that may have no rows yet.
void Identities::note_networks(const std::set<Id>& ids, storage::Batch& batch) {
    constexpr std::size_t remembered_max = 10'000;
    if (networks_.size() > remembered_max) {
        networks_.clear();
    }
    for (const Id& each : ids) {
        if (networks_.insert(each.identifier).second) {
            add_network(each.identifier, batch);
        }
    }
}

void Identities::add_to_feed(std::span<const Waiting::Part> parts, storage::Batch& batch) {
    std::vector<RecordedFact> facts;
    for (const Waiting::Part& part : parts) {
        facts.clear();
        for (const Said& each : part.entries) {
            if (each.guards == nullptr) {
                facts.push_back({.offset = each.offset, .fact = &each.fact});
            }
        }
        feed_.add(part.lane, facts, batch);
    }
}

/// Adds the rows of these, and of guards.
Identities::Touched Identities::add_told(
    std::span<const ToldFact> facts, std::span<const Waiting::Part> parts, storage::Batch& batch
) {
    Touched touched;
    for (const ToldFact& each : facts) {
        add_rows(each, batch);
        touch(each.fact, touched);
    }
    for (const Waiting::Part& part : parts) {
        for (const Said& each : part.entries) {
            if (each.guards != nullptr) {
                add_guards(
                    projecting::writer_of(options_.log, part.lane),
                    {.offset = each.offset, .guards = *each.guards},
                    each.fact.first,
                    batch
                );
            }
        }
    }
    note_networks(touched.ids, batch);
    note_networks(touched.later, batch);
    add_to_feed(parts, batch);
    return touched;
}

void Identities::tell_written(const Waiting::Part& part) const {
    if (!options_.on_written) {
        return;
    }
    for (const Said& each : part.entries) {
        if (each.guards == nullptr) {
            options_.on_written(part.lane, each.offset, each.fact.id);
        }
    }
}

/// All is durable when this returns, so there is nothing left to write.
Result<void> Identities::write(std::span<const Waiting::Part> parts) {
    TRY(const std::vector<ToldFact> facts, merged_facts(parts));
    storage::Batch batch;
    const Touched touched = add_told(facts, parts, batch);
    std::vector<std::uint32_t> lanes;
    lanes.reserve(parts.size());
    for (const Waiting::Part& part : parts) {
        lanes.push_back(part.lane);
    }
    if (Result<void> written = write_told(lanes, facts, touched, batch); !written) {
        networks_.clear();
        return written;
    }
    facts_written_ += facts.size();
    for (const Waiting::Part& part : parts) {
        feed_.written(part.lane);
        tell_written(part);
    }
    return {};
}

/// Facts and guards first, and profiles second: whoever else settles the same ids meanwhile sees
/// them. Where nobody else does, both at once.
Result<void> Identities::write_told(
    std::span<const std::uint32_t> lanes,
    std::span<const ToldFact> facts,
    const Touched& touched,
    storage::Batch& batch
) {
    if (!options_.shared && touched.decided.empty() && touched.later.empty()) {
        for (const std::uint32_t each : lanes) {
            TRY_VOID(finish(each));
        }
        TRY(const bool is_settled,
            write_at_once(facts, touched, projecting::writer_of(options_.log, lanes.front()), batch)
        );
        if (is_settled) {
            return {};
        }
    }
    TRY_VOID(storage::write_durably(*store_, batch));
    return settle_for(lanes, touched);
}

/// False: it is to be written once more, since too much hangs together, or others settle.
Result<bool> Identities::write_at_once(
    std::span<const ToldFact> told,
    const Touched& touched,
    const std::string& writer,
    storage::Batch& batch
) {
    Facts facts;
    for (const ToldFact& each : told) {
        const auto [known, is_new] = facts.try_emplace(each.fact.id, each.fact);
        if (!is_new) {
            merge(known->second, each.fact);
        }
    }
    const std::vector<Id> ids{touched.ids.begin(), touched.ids.end()};
    TRY(const RecordedGuards before, refresh_guards());
    add_expiries(expiries_of(touched.lasting), batch);
    TRY(const bool is_settled, settling_.settle_with(ids, list_of(facts), batch, writer));
    if (!is_settled) {
        return false;
    }
    TRY(const RecordedGuards after, refresh_guards());
    return after.version == before.version;
}

RecordedGuards Identities::guards() const {
    const std::lock_guard lock{mutex_};
    return guards_;
}

Result<RecordedGuards> Identities::refresh_guards() {
    TRY(RecordedGuards newest,
        newest_guards(*store_, std::make_shared<const Guards>(options_.guards)));
    const std::lock_guard lock{mutex_};
    if (guards_.version < newest.version) {
        guards_ = std::move(newest);
        settling_.use(guards_.guards);
    }
    return guards_;
}

Result<void> Identities::settle_told(std::uint32_t lane, const Touched& touched) {
    return settle_for({&lane, 1}, touched);
}

/// Half of what is begun here may be written when this fails. What is left to be settled later is
/// noted when it does not, so the log may go on.
Result<void> Identities::settle_for(std::span<const std::uint32_t> lanes, const Touched& touched) {
    for (const std::uint32_t each : lanes) {
        TRY_VOID(finish(each));
    }
    const std::vector<Id> later{touched.later.begin(), touched.later.end()};
    TRY_VOID(settling_.note(later, LaterReason::said));
    const std::string writer = projecting::writer_of(options_.log, lanes.front());
    const Result<std::size_t> left = under_newest_guards([&]() -> Result<std::size_t> {
        // First, as guards may have changed since the facts were written: so none is without.
        TRY_VOID(write_expiries(expiries_of(touched.lasting)));
        std::size_t all = 0;
        for (const Id& each : touched.decided) {
            TRY(const std::size_t of_id, settling_.settle_decided(each, writer));
            all += of_id;
        }
        const std::vector<Id> ids{touched.ids.begin(), touched.ids.end()};
        TRY(const std::size_t of_ids, settling_.settle_each(ids, writer));
        return all + of_ids;
    });
    if (!left) {
        forget_finished(lanes.front());
        return std::unexpected(left.error());
    }
    ids_left_ += later.size() + *left;
    return {};
}

/// What whoever had the lane before has left half done.
Result<void> Identities::finish(std::uint32_t lane) {
    {
        const std::lock_guard lock{mutex_};
        if (finished_.contains(lane)) {
            return {};
        }
    }
    TRY_VOID(settling_.finish(projecting::writer_of(options_.log, lane)));
    const std::lock_guard lock{mutex_};
    finished_.insert(lane);
    return {};
}

void Identities::forget_finished(std::uint32_t lane) {
    const std::lock_guard lock{mutex_};
    finished_.erase(lane);
}

void Identities::drop() {
    waiting_.drop();
    const std::lock_guard lock{mutex_};
    finished_.clear();
    told_.clear();
}

void Identities::drop_lane(std::uint32_t lane) {
    waiting_.drop_lane(lane);
    const std::lock_guard lock{mutex_};
    finished_.erase(lane);
    told_.erase(lane);
}

Result<std::size_t> Identities::settle_anew(std::span<const Id> ids) {
    return under_newest_guards([&]() -> Result<std::size_t> {
        TRY_VOID(write_expiries_of(ids));
        return settling_.settle_each(ids, std::string{anew_writer}, /*trusts_shared=*/false);
    });
}

Result<std::size_t> Identities::settle_ended(std::span<const Id> ids) {
    return under_newest_guards([&] { return settling_.settle_each(ids, std::string{ended_writer}); }
    );
}

Result<void> Identities::finish_ended() {
    return settling_.finish(std::string{ended_writer});
}

Result<Settling::StillNoted> Identities::settle_noted(
    std::span<const Id> ids, LaterReason reason, const std::stop_token& stop
) {
    Settling::StillNoted left;
    const Result<std::size_t> settled = under_newest_guards([&]() -> Result<std::size_t> {
        TRY(left, settling_.settle_noted(ids, reason, stop));
        return left.again.size();
    });
    return settled ? Result<Settling::StillNoted>{std::move(left)}
                   : std::unexpected(settled.error());
}

Result<std::vector<Id>> Identities::half_settled() const {
    std::vector<std::string> writers{
        std::string{anew_writer}, std::string{ended_writer}, std::string{erased_writer}
    };
    for (std::size_t lane = 0; lane < runtime::lane_count; ++lane) {
        writers.push_back(projecting::writer_of(options_.log, lane));
    }
    writers.push_back(Settling::noted_writer());
    TRY(std::vector<Id> ids, read_unfinished_ids(*store_, writers));
    TRY(const std::vector<Later> notes, read_later(*store_, noted_asked_max));
    for (const Later& each : notes) {
        ids.insert(ids.end(), each.ids.begin(), each.ids.end());
    }
    return ids;
}

Result<void> Identities::finish_anew() {
    return settling_.finish(std::string{anew_writer});
}

Result<std::size_t> Identities::under_newest_guards(
    const std::function<Result<std::size_t>()>& settle
) {
    TRY(RecordedGuards before, refresh_guards());
    for (;;) {
        TRY(const std::size_t left, settle());
        TRY(RecordedGuards after, refresh_guards());
        if (after.version == before.version) {
            return left;
        }
        before = std::move(after);
    }
}

std::uint32_t Identities::lane_of(std::span<const Id> ids) const {
    return events::lane_of(object_of(ids.front()), options_.secret);
}

std::vector<runtime::AuditedAccount> Identities::accounts() {
    return {{.of = std::string{name}, .audit = [this](std::size_t lane) {
                 return waiting_.audit(lane);
             }}};
}

}  // namespace footfall::identities
