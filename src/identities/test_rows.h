#pragma once

#include "identities/contested_rows.h"
#include "identities/fact_bytes.h"
#include "identities/profile_rows.h"
#include "identities/resolution.h"
#include "identities/schema.h"
#include "identities/sid.h"
#include "storage/blocking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::identities {

// What the tables say of profiles, whole, beside what they ought to say. For tests.

inline constexpr SipKey rows_secret{3, 4};

struct RowsOfProfiles {
    Index index;
    StoredProfiles profiles;
    ContestedLinks contested;

    friend bool operator==(const RowsOfProfiles&, const RowsOfProfiles&) = default;
};

/// Calls `take(rows, row)` with each row of a table.
template <class Take>
void for_each_row(storage::Store& store, const storage::Table& table, const Take& take) {
    storage::ScanQuery query{.table = &table};
    do {
        const auto page = storage::scan_page(store, query);
        ASSERT_TRUE(page) << page.error().message;
        for (std::size_t row = 0; row < page->rows.size(); ++row) {
            take(page->rows, row);
        }
        query.continuation = page->continuation;
    } while (!query.continuation.empty());
}

inline std::string text_at(const storage::Rows& rows, std::size_t row, std::size_t column) {
    return std::string{rows.at(row, column).text()};
}

/// All cells of the rows that follow from facts.
inline std::string bytes_of_profiles(storage::Store& store) {
    std::set<std::string> all;
    for (const storage::Table* const table :
         {&profile_index_table, &profile_table, &identity_contested_table}) {
        for_each_row(store, *table, [&](const storage::Rows& rows, std::size_t row) {
            std::string cells{table->name};
            for (std::size_t column = 0; column < table->width(); ++column) {
                const storage::ValueView cell = rows.at(row, column);
                cells += '|';
                cells += cell.is_text() ? std::string{cell.text()} : std::to_string(cell.number());
            }
            all.insert(cells);
        });
    }
    std::string bytes;
    for (const std::string& each : all) {
        bytes += each + '\n';
    }
    return bytes;
}

inline RowsOfProfiles rows_there(storage::Store& store) {
    std::set<Id> found;
    for_each_row(store, profile_index_table, [&](const storage::Rows& rows, std::size_t row) {
        found.insert({text_at(rows, row, 0), text_at(rows, row, 2), text_at(rows, row, 3)});
    });
    const std::vector<Id> ids{found.begin(), found.end()};
    std::set<std::string> sids;
    for_each_row(store, profile_table, [&](const storage::Rows& rows, std::size_t row) {
        sids.insert(read_sid(text_at(rows, row, 0)));
    });
    std::set<FactId> links;
    for_each_row(store, identity_contested_table, [&](const storage::Rows& rows, std::size_t row) {
        const auto link = read_fact_id(rows.at(row, 1).text());
        ASSERT_TRUE(link);
        links.insert(*link);
    });
    auto index = read_index(store, ids);
    auto profiles = read_profiles(store, sids);
    auto contested = read_contested(store, links);
    EXPECT_TRUE(index && profiles && contested);
    EXPECT_EQ(index->size(), ids.size()) << "an entry stands where nobody looks for it";
    return {
        .index = *std::move(index),
        .profiles = *std::move(profiles),
        .contested = *std::move(contested)
    };
}

inline RowsOfProfiles rows_that_follow(
    const std::vector<Fact>& facts, const Guards& guards, Instant now = Instant::min()
) {
    const Resolution resolution = resolve(facts, guards, {.now = now});
    RowsOfProfiles rows;
    for (const Profile& profile : resolution.profiles) {
        const std::string sid = sid_of(rows_secret, profile.named_after);
        rows.profiles.emplace(sid, profile.members);
        for (const Member& each : profile.members) {
            rows.index.emplace(
                each.id, IndexEntry{.sid = sid, .shared = resolution.shared.contains(each.id)}
            );
        }
    }
    std::map<FactId, const Fact*> links;
    for (const Fact& fact : facts) {
        links.emplace(fact.id, &fact);
    }
    for (const Contested& each : resolution.contested) {
        if (!std::ranges::all_of(links.at(each.fact)->ids, [&](const Id& id) {
                return resolution.shared.contains(id);
            })) {
            rows.contested.emplace(each.fact, each);
        }
    }
    return rows;
}

inline void expect_rows_follow(
    storage::Store& store,
    const std::vector<Fact>& facts,
    const Guards& guards = {},
    Instant now = Instant::min()
) {
    const RowsOfProfiles there = rows_there(store);
    const RowsOfProfiles wanted = rows_that_follow(facts, guards, now);
    ASSERT_TRUE(there.index == wanted.index)
        << there.index.size() << " entries where " << wanted.index.size() << " follow";
    ASSERT_TRUE(there.profiles == wanted.profiles)
        << there.profiles.size() << " profiles where " << wanted.profiles.size() << " follow";
    ASSERT_TRUE(there.contested == wanted.contested)
        << there.contested.size() << " contested where " << wanted.contested.size() << " follow";
}

/// Each of these sids is that of a profile, or leads to an id, the id to a sid, and that to a
/// profile with this id. Adds those that the index has.
inline void expect_sids_lead_on(storage::Store& store, std::set<std::string>& ever) {
    const RowsOfProfiles there = rows_there(store);
    for (const auto& [id, entry] : there.index) {
        ever.insert(entry.sid);
    }
    for (const std::string& sid : ever) {
        if (there.profiles.contains(sid)) {
            continue;
        }
        const auto anchor = read_anchor(store, sid);
        ASSERT_TRUE(anchor && anchor->has_value()) << sid;
        const Id named_after = anchor->value_or(Id{});
        EXPECT_EQ(sid_of(rows_secret, named_after), sid);
        const auto entry = there.index.find(named_after);
        ASSERT_NE(entry, there.index.end()) << sid;
        const auto profile = there.profiles.find(entry->second.sid);
        ASSERT_NE(profile, there.profiles.end()) << sid;
        EXPECT_NE(
            std::ranges::find(profile->second, named_after, &Member::id), profile->second.end()
        );
    }
}

}  // namespace footfall::identities
