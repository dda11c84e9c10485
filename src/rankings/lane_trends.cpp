#include "rankings/lane_trends.h"

#include "foundation/memory_cost.h"
#include "foundation/names.h"
#include "foundation/siphash.h"
#include "rankings/stored_bytes.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace footfall::rankings {
namespace {

constexpr char lane_version = 1;
constexpr std::chrono::minutes hot_for{1};
constexpr std::size_t node_bytes = 48;  ///< Of a map, beside what is in it.

/// Stored with what depends on it, so it is the same for ever. Whoever chose names by it would gain
/// nothing but to be forgotten.
constexpr SipKey salt_key{.k0 = 0x7472656e64, .k1 = 0x616374696f6e};

/// Who is new as one of this day.
std::uint64_t who(const TrendFact& fact, std::uint64_t person, std::uint64_t salt) {
    const auto day = static_cast<std::uint64_t>(
        std::chrono::floor<std::chrono::days>(fact.time).time_since_epoch().count()
    );
    // The finalizer of MurmurHash3: all its inputs are well mixed but the day.
    std::uint64_t mixed = fact.object_hash + (person ^ salt) + day * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 33)) * 0xff51afd7ed558ccd;
    mixed = (mixed ^ (mixed >> 33)) * 0xc4ceb9fe1a85ec53;
    return mixed ^ (mixed >> 33);
}

}  // namespace

void LaneTrends::prefetch(std::span<const TrendFact> facts) const {
    for (const TrendFact& fact : facts) {
        const Action* const action = look_up(fact.action);
        if (action != nullptr && fact.person) {
            action->candidates.prefetch(fact.object_hash);
            people_.prefetch(who(fact, *fact.person, action->salt));
        }
    }
    for (const TrendFact& fact : facts) {
        const Action* const action = look_up(fact.action);
        if (action != nullptr && fact.person) {
            action->candidates.prefetch_counter(fact.object_hash);
        }
    }
}

bool LaneTrends::add(const TrendFact& fact, const TrendSettings& settings, Instant now) {
    if (fact.may_be_hot && fact.time >= now - hot_for) {
        hot_.add(fact.object_hash, fact.object, now);
    }
    if (fact.offset < through_) {
        return false;
    }
    through_ = fact.offset + 1;
    if (!fact.person) {
        return false;
    }
    Action& action = action_of(fact, settings);
    if (people_.note(who(fact, *fact.person, action.salt))) {
        action.candidates.add(fact.object_hash, fact.object, fact.time);
    }
    return true;
}

LaneTrends::Action& LaneTrends::action_of(const TrendFact& fact, const TrendSettings& settings) {
    if (const auto found = actions_.find(fact.action); found != actions_.end()) {
        return found->second;
    }
    if (actions_.size() == actions_most) {
        const auto least = std::ranges::min_element(actions_, {}, [&](const auto& each) {
            return each.second.candidates.totals(fact.time).slow;
        });
        actions_.erase(least);
    }
    Action made{.salt = siphash13(salt_key, fact.action), .candidates = TrendCandidates{settings}};
    return actions_.emplace(std::string{fact.action}, std::move(made)).first->second;
}

const LaneTrends::Action* LaneTrends::look_up(std::string_view action) const {
    const auto found = actions_.find(action);
    return found == actions_.end() ? nullptr : &found->second;
}

const TrendCandidates* LaneTrends::find(std::string_view action) const {
    const Action* const found = look_up(action);
    return found == nullptr ? nullptr : &found->candidates;
}

std::size_t LaneTrends::bytes_of(const std::string& name, const Action& action) {
    return allocated_bytes(node_bytes + sizeof(Action)) + allocated_bytes(name.size()) +
           action.candidates.bytes();
}

std::size_t LaneTrends::bytes() const {
    std::size_t bytes = people_.bytes() + hot_.bytes();
    for (const auto& [name, action] : actions_) {
        bytes += bytes_of(name, action);
    }
    return bytes;
}

std::size_t LaneTrends::recount() const {
    std::size_t bytes = people_.bytes() + hot_.recount();
    for (const auto& [name, action] : actions_) {
        bytes += bytes_of(name, action) - action.candidates.bytes() + action.candidates.recount();
    }
    return bytes;
}

std::string LaneTrends::encode() const {
    std::string out(1, lane_version);
    append_varint(through_, out);
    people_.encode(out);
    append_varint(actions_.size(), out);
    for (const auto& [name, action] : actions_) {
        append_text(name, out);
        append_text(action.candidates.encode(), out);
    }
    append_checksum(out);
    return out;
}

Result<LaneTrends> LaneTrends::decode(std::string_view bytes, const TrendSettings& settings) {
    LaneTrends read;
    if (!take_frame(bytes, lane_version) || !read.take(bytes, settings)) {
        return fail(ErrorKind::corrupt, "the stored state of trending is damaged");
    }
    return read;
}

bool LaneTrends::take(std::string_view bytes, const TrendSettings& settings) {
    std::uint64_t actions = 0;
    if (!take_varint(bytes, through_) || !people_.decode(bytes) || !take_varint(bytes, actions) ||
        actions > actions_most) {
        return false;
    }
    for (; actions > 0; --actions) {
        std::string_view name;
        std::string_view state;
        if (!take_text(bytes, longest_name_bytes, name) || !take_text(bytes, bytes.size(), state)) {
            return false;
        }
        Result<TrendCandidates> candidates = TrendCandidates::decode(state, settings);
        if (candidates) {
            actions_.emplace(
                std::string{name},
                Action{.salt = siphash13(salt_key, name), .candidates = *std::move(candidates)}
            );
        } else if (candidates.error().kind != ErrorKind::conflict) {
            return false;
        }
    }
    return bytes.empty();
}

}  // namespace footfall::rankings
