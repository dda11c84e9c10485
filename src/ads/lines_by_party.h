#pragma once

#include "ads/gathered.h"
#include "ads/parties.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::ads {

/// Lines that wait, by the parties of a kind. Constant.
class LinesByParty {
public:
    LinesByParty(PartyKind kind, std::vector<WaitingLine> lines)
        : kind_{kind}, lines_{std::move(lines)} {
        std::ranges::sort(lines_, {}, [&](const WaitingLine& each) {
            return std::tuple{each.line.party(kind), each.lane, each.line.offset};
        });
    }

    std::span<const WaitingLine> of(std::string_view party) const {
        return std::ranges::equal_range(lines_, party, {}, Name{kind_});
    }

    /// Parties with lines in the currency, ascending.
    std::set<std::string> parties(std::string_view currency) const {
        std::set<std::string> parties;
        for (const WaitingLine& each : lines_) {
            if (each.line.currency() == currency) {
                parties.emplace_hint(parties.end(), each.line.party(kind_));
            }
        }
        return parties;
    }

    /// Whom these lines are of joins those that are listed, in the same order.
    void add_to(
        Parties::Listed& listed, std::string_view prefix, std::string_view after, std::size_t most
    ) const {
        std::map<std::string, std::set<std::string>> all;
        for (Parties::Named& each : listed.parties) {
            all.emplace(std::move(each.party), std::move(each.currencies));
        }
        const std::string end = listed.more && !all.empty() ? all.rbegin()->first : "";
        for (const WaitingLine& each : lines_) {
            const std::string_view party = each.line.party(kind_);
            const bool is_asked_for = !party.empty() && party.starts_with(prefix) && party > after;
            if (is_asked_for && (end.empty() || party <= end)) {
                all[std::string{party}].emplace(each.line.currency());
            }
        }
        listed.parties.clear();
        for (auto& [party, currencies] : all) {
            if (listed.parties.size() == most) {
                listed.more = true;
                break;
            }
            listed.parties.push_back({.party = party, .currencies = std::move(currencies)});
        }
    }

private:
    struct Name {
        PartyKind kind;

        std::string_view operator()(const WaitingLine& each) const { return each.line.party(kind); }
    };

    PartyKind kind_;
    std::vector<WaitingLine> lines_;
};

}  // namespace footfall::ads
