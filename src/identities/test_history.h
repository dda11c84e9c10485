#pragma once

#include "foundation/random.h"
#include "identities/resolution.h"
#include "identities/standing.h"
#include "identities/test_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::identities {

// Random facts, and guards for them. For tests.

inline constexpr std::array networks{"app", "mail", "web"};
inline constexpr std::array values{"a", "b", "c", "d"};
inline constexpr std::array data_names{"age", "city"};

/// Facts about a dozen ids of three networks, at a few times so that many are equal.
class History {
public:
    /// With data, which a log tells with a link beside.
    explicit History(std::uint64_t seed, bool has_data = false)
        : random_{seed}, guards_{some_guards()}, has_data_{has_data} {}

    /// The same with times that are so far apart, and networks of which ids live for some of them.
    History(std::uint64_t seed, bool has_data, std::chrono::seconds apart)
        : History{seed, has_data} {
        apart_ = apart.count();
        for (const char* const network : networks) {
            if (one_in(2)) {
                guards_.identifiers[network].ttl =
                    apart * static_cast<std::int64_t>(1 + random_.below(5));
            }
        }
    }

    /// One statement more, which is answered as it was said: new, or of a fact that is there.
    Fact step() {
        const std::uint64_t kind = facts_.empty() ? 0 : random_.below(has_data_ ? 14 : 13);
        if (kind == 12) {
            return add(lift(some_time(), some_ids(1).front()));
        }
        if (kind == 13) {
            return add(datum(
                some_time(),
                some_ids(1).front(),
                one_of(data_names),
                fmt::format("{}", random_.below(30)),
                one_in(4) ? "desk" : "shop"
            ));
        }
        if (kind < 5) {
            return add(link(some_time(), some_ids(one_in(4) ? 8 : 3), one_in(4) ? "desk" : "shop"));
        }
        if (kind < 7) {
            return add(parting(some_time(), some_ids(3), some_ids(3)));
        }
        if (kind < 8) {
            Fact again = one_of(facts_);
            again.first = again.last = again.recorded = at_second(some_time());
            return add(again);
        }
        constexpr std::array kinds{FactKind::accept, FactKind::reject, FactKind::revoke};
        return add(decision(one_of(kinds), some_time(), one_of(facts_)));
    }

    void part_and_revoke() {
        Fact parting{.kind = FactKind::parting, .ids = {}, .source = "a mistake"};
        parting.ids = ids_named(some_ids(3));
        parting.others = ids_named(some_ids(3));
        add(said(parting, 7));
        add(decision(FactKind::revoke, 8, facts_.back()));
    }

    /// Rejects all links of the shop that nobody rejected yet.
    std::vector<Fact> undo() {
        const std::vector<bool> taken = taken_back(facts_);
        std::vector<Fact> rejects;
        for (std::size_t at = 0; at < facts_.size(); ++at) {
            if (facts_[at].kind == FactKind::link && facts_[at].source == "shop" && !taken[at]) {
                rejects.push_back(decision(FactKind::reject, 9, facts_[at]));
            }
        }
        return add_all(rejects);
    }

    std::vector<Fact> revoke(const std::vector<Fact>& decisions) {
        std::vector<Fact> revokes;
        revokes.reserve(decisions.size());
        for (const Fact& each : decisions) {
            revokes.push_back(decision(FactKind::revoke, 9, each));
        }
        return add_all(revokes);
    }

    void shuffle() { std::ranges::shuffle(facts_, random_); }

    const std::vector<Fact>& facts() const { return facts_; }

    const Guards& guards() const { return guards_; }

private:
    bool one_in(std::uint64_t many) { return random_.below(many) == 0; }

    template <class List>
    const typename List::value_type& one_of(const List& list) {
        return list[random_.below(list.size())];
    }

    std::int64_t some_time() { return static_cast<std::int64_t>(random_.below(6)) * apart_; }

    std::vector<std::string> some_ids(std::uint64_t most) {
        std::vector<std::string> ids;
        for (std::uint64_t left = 1 + random_.below(most); left > 0; --left) {
            ids.push_back(fmt::format("{}:{}", one_of(networks), one_of(values)));
        }
        return ids;
    }

    Guards some_guards() {
        Guards guards;
        if (one_in(2)) {
            guards.profile_ids = 1 + random_.below(8);
        }
        if (one_in(4)) {
            guards.shared_above = 2 + random_.below(8);
        }
        guards.lifted_above = 3 + random_.below(8);
        for (const char* const network : networks) {
            IdentifierGuards of_network;
            if (one_in(2)) {
                of_network.per_profile = 1 + random_.below(3);
            }
            if (one_in(6)) {
                of_network.shared_above = random_.below(9);
            }
            if (one_in(6)) {
                of_network.never = {"a", "z"};
            }
            of_network.keeps = one_in(4) ? Keeps::latest : Keeps::first;
            if (!one_in(4)) {
                guards.identifiers[network] = of_network;
            }
        }
        return guards;
    }

    std::vector<Fact> add_all(const std::vector<Fact>& facts) {
        for (const Fact& each : facts) {
            add(each);
        }
        return facts;
    }

    Fact add(const Fact& fact) {
        const auto known = std::ranges::find(facts_, fact.id, &Fact::id);
        if (known == facts_.end()) {
            facts_.push_back(fact);
        } else {
            merge(*known, fact);
        }
        return fact;
    }

    Random random_;
    Guards guards_;
    bool has_data_;
    std::int64_t apart_ = 1;
    std::vector<Fact> facts_;
};

}  // namespace footfall::identities
