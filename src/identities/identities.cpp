#include "identities/identities.h"

#include "events/event_keys.h"
#include "identities/said_facts.h"
#include "projecting/writer.h"
#include "storage/blocking.h"

#include <fmt/format.h>

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

}  // namespace

std::size_t Identities::Said::heap_bytes_of(const Said& said) {
    return identities::heap_bytes_of(said.fact.ids) + identities::heap_bytes_of(said.fact.others) +
           said.fact.source.capacity() + said.fact.author.capacity() + said.fact.reason.capacity();
}

Identities::Identities(storage::Store& store, const Clock& clock, Options options)
    : store_{&store},
      clock_{&clock},
      options_{std::move(options)},
      settling_{store, {.secret = options_.secret, .guards = options_.guards}},
      waiting_{
          store,
          clock,
          [this](std::span<const Waiting::Part> parts, storage::Batch& /*batch*/) {
              return write(parts);
          },
          [](std::span<const Waiting::Part>) {},
          {.interval = options_.interval, .memory = options_.memory, .entries_at_once = 512}
      } {}

void Identities::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    std::vector<Said> said;
    for (const projecting::JudgedRecord& each : records) {
        if (auto fact = link_of(*each.judged)) {
            said.push_back({.offset = each.offset, .fact = *std::move(fact)});
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
    const auto* const decided = std::get_if<events::IdentityDecided>(&control);
    auto fact = decided == nullptr ? std::nullopt : decision_of(*decided);
    if (fact) {
        waiting_.add(lane, [&](const auto& add, bool /*is_first*/) {
            add({.offset = offset, .fact = *std::move(fact)});
        });
    }
}

/// Facts first, and profiles second: whoever else settles the same ids meanwhile sees the facts.
/// Both are durable when this returns, so there is nothing left to write.
Result<void> Identities::write(std::span<const Waiting::Part> parts) {
    std::map<std::pair<std::string, FactId>, Fact> told;
    std::set<Id> ids;
    for (const Waiting::Part& part : parts) {
        const std::string writer = projecting::writer_of(options_.log, part.lane);
        for (const Said& each : part.entries) {
            const auto [at, is_new] = told.try_emplace({writer, each.fact.id}, each.fact);
            if (is_new) {
                const std::vector<Id> of_fact = ids_of(each.fact);
                ids.insert(of_fact.begin(), of_fact.end());
            } else {
                merge(at->second, each.fact);
            }
        }
    }
    std::vector<ToldFact> facts;
    facts.reserve(told.size());
    for (auto& [key, fact] : told) {
        facts.push_back({.writer = key.first, .fact = std::move(fact)});
    }
    TRY_VOID(merge_with_rows(*store_, facts));
    storage::Batch batch;
    for (const ToldFact& each : facts) {
        add_rows(each, batch);
    }
    TRY_VOID(storage::write_durably(*store_, batch));
    facts_written_ += facts.size();
    const std::vector<Id> touched{ids.begin(), ids.end()};
    return settle(parts, touched);
}

/// Half of what was begun here may be written when this fails.
Result<void> Identities::settle(std::span<const Waiting::Part> parts, std::span<const Id> ids) {
    const std::lock_guard lock{finished_mutex_};
    for (const Waiting::Part& part : parts) {
        if (!finished_.contains(part.lane)) {
            TRY_VOID(settling_.finish(projecting::writer_of(options_.log, part.lane)));
            finished_.insert(part.lane);
        }
    }
    const std::uint32_t lane = parts.front().lane;
    const auto settled = settling_.settle_each(ids, projecting::writer_of(options_.log, lane));
    if (!settled) {
        finished_.erase(lane);
        return std::unexpected(settled.error());
    }
    if (const std::size_t left = *settled; left > 0) {
        ids_not_settled_ += left;
        troubles_.say(
            LogLevel::warning,
            fmt::format(
                "identities: too much hangs together with {} ids: what was said of them is kept, "
                "and no profile is made of it",
                left
            )
        );
    }
    return {};
}

void Identities::drop() {
    waiting_.drop();
    const std::lock_guard lock{finished_mutex_};
    finished_.clear();
}

void Identities::drop_lane(std::uint32_t lane) {
    waiting_.drop_lane(lane);
    const std::lock_guard lock{finished_mutex_};
    finished_.erase(lane);
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
