#include "identities/profile_rows.h"
#include "identities/sid.h"
#include "identities/stored_ids.h"
#include "segments/catalogue.h"
#include "segments/consent.h"
#include "segments/derived_rows.h"
#include "segments/member_rows.h"
#include "segments/schema.h"
#include "segments/segments.h"
#include "segments/verify_rules.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace footfall::segments {
namespace {

using identities::Id;

/// By segment the ids that are in it.
using IdsOfSegments = std::map<std::int64_t, std::set<Id>>;

/// Calls `take(rows, row)` with each row of a table.
template <class Take>
Result<void> for_each_row_of(storage::Store& store, const storage::Table& table, const Take& take) {
    storage::ScanQuery query{.table = &table};
    do {
        TRY(storage::Page page, storage::scan_page(store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY_VOID(take(page.rows, row));
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

Id id_in(const storage::Rows& rows, std::size_t row, std::size_t column) {
    return {
        std::string{rows.at(row, column).text()},
        std::string{rows.at(row, column + 1).text()},
        std::string{rows.at(row, column + 2).text()}
    };
}

class Check {
public:
    Check(
        storage::Store& store,
        const identities::SidNames& names,
        Instant now,
        std::size_t differences_max
    )
        : store_{&store}, sid_names_{names}, now_{now}, differences_max_{differences_max} {}

    Result<Verified> run() {
        TRY(const std::vector<Segment> all, Catalogue::read_all(*store_));
        for (const Segment& each : all) {
            names_.emplace(each.number, each.name);
        }
        found_.segments = all.size();
        TRY_VOID(ruled_.read(*store_, all));
        TRY_VOID(read_both_rows_of_members());
        TRY_VOID(find_people());
        TRY_VOID(check_people());
        TRY_VOID(check_told());
        TRY_VOID(check_changes());
        return std::move(found_);
    }

private:
    void differ(const std::string& what) {
        ++found_.count;
        if (found_.differences.size() < differences_max_) {
            found_.differences.push_back(what);
        }
    }

    std::string name_of(std::int64_t segment) const {
        const auto name = names_.find(segment);
        return name == names_.end() ? fmt::format("number {}", segment) : name->second;
    }

    Result<void> read_both_rows_of_members() {
        std::set<std::pair<std::int64_t, Id>> by_id;
        TRY_VOID(for_each_row_of(
            *store_,
            segment_member_table,
            [&](const storage::Rows& rows, std::size_t row) {
                const std::int64_t segment = rows.at(row, 0).number();
                if (names_.contains(segment) && is_live(rows.at(row, 5).number(), now_)) {
                    members_[segment].insert(id_in(rows, row, 2));
                    ++found_.members;
                }
                return Result<void>{};
            }
        ));
        TRY_VOID(for_each_row_of(
            *store_,
            segment_of_table,
            [&](const storage::Rows& rows, std::size_t row) {
                const std::int64_t segment = rows.at(row, 3).number();
                if (names_.contains(segment) && is_live(rows.at(row, 4).number(), now_)) {
                    by_id.emplace(segment, id_in(rows, row, 0));
                }
                return Result<void>{};
            }
        ));
        for (const auto& [segment, ids] : members_) {
            for (const Id& each : ids) {
                if (by_id.erase({segment, each}) == 0) {
                    differ(fmt::format(
                        "{} is a member of {}, and no row of it says so",
                        identities::stored_text({each}),
                        name_of(segment)
                    ));
                }
            }
        }
        for (const auto& [segment, id] : by_id) {
            differ(fmt::format(
                "{} is said to be in {}, which has no such member",
                identities::stored_text({id}),
                name_of(segment)
            ));
        }
        return {};
    }

    /// Of all members, by their profiles; and the ids of these.
    Result<void> find_people() {
        std::map<Id, std::string> sids;
        std::set<Id> all;
        for (const auto& [segment, ids] : members_) {
            all.insert(ids.begin(), ids.end());
        }
        all.insert(ruled_.ids().begin(), ruled_.ids().end());
        const std::vector<Id> ids{all.begin(), all.end()};
        constexpr std::size_t some = 1000;
        for (std::size_t at = 0; at < ids.size(); at += some) {
            const std::span<const Id> part{&ids[at], std::min(some, ids.size() - at)};
            TRY(const identities::Index index, identities::read_index(*store_, part));
            std::set<std::string> in_profiles;
            for (const Id& each : part) {
                const auto entry = index.find(each);
                std::string sid = entry == index.end() ? sid_names_.of(each) : entry->second.sid;
                if (entry == index.end()) {
                    ids_of_person_[sid].insert(each);
                } else {
                    in_profiles.insert(sid);
                }
                sids.emplace(each, std::move(sid));
            }
            TRY(const auto profiles, identities::read_profiles(*store_, in_profiles));
            for (const auto& [sid, members] : profiles) {
                for (const identities::Member& each : members) {
                    ids_of_person_[sid].insert(each.id);
                }
                if (!may_be_told(members)) {
                    not_told_.insert(sid);
                }
                ruled_.say(sid, members);
            }
        }
        for (const auto& [segment, of_segment] : members_) {
            for (const Id& each : of_segment) {
                segments_of_person_[sids.at(each)].insert(segment);
            }
        }
        for (const auto& [sid, of_person] : ids_of_person_) {
            const auto members = segments_of_person_.find(sid);
            std::set<std::int64_t> segments = ruled_.segments_of(
                sid,
                of_person,
                members == segments_of_person_.end() ? std::set<std::int64_t>{} : members->second,
                now_
            );
            if (!segments.empty()) {
                segments_of_person_[sid] = std::move(segments);
            }
        }
        found_.people = segments_of_person_.size();
        return {};
    }

    Result<void> check_people() {
        auto wanted = segments_of_person_;
        std::map<std::int64_t, std::string> numbers;
        TRY_VOID(for_each_row_of(
            *store_,
            segment_person_table,
            [&](const storage::Rows& rows, std::size_t row) -> Result<void> {
                TRY(const auto person, read_person(rows, row));
                const auto& [sid, there] = person;
                std::set<std::int64_t> segments;
                for (const std::int64_t each : there.segments) {
                    if (names_.contains(each)) {
                        segments.insert(each);
                    }
                }
                if (const auto [other, is_new] = numbers.emplace(there.number, sid); !is_new) {
                    differ(fmt::format("{} and {} have one number", sid, other->second));
                }
                const auto found = wanted.find(sid);
                const bool differs =
                    found == wanted.end() ? !segments.empty() : found->second != segments;
                if (differs && !ruled_.is_unsure(sid)) {
                    differ(fmt::format(
                        "person {} is in {} segments, where its row says {}",
                        sid,
                        found == wanted.end() ? 0 : found->second.size(),
                        segments.size()
                    ));
                }
                wanted.erase(sid);
                return {};
            }
        ));
        for (const auto& [sid, segments] : wanted) {
            if (ruled_.is_unsure(sid)) {
                continue;
            }
            differ(fmt::format("person {} is in {} segments, and has no row", sid, segments.size())
            );
        }
        return {};
    }

    /// Of those whom others may be told of.
    IdsOfSegments ids_of_people() const {
        IdsOfSegments ids;
        for (const auto& [sid, segments] : segments_of_person_) {
            if (not_told_.contains(sid)) {
                continue;
            }
            const std::set<Id>& of_person = ids_of_person_.at(sid);
            for (const std::int64_t each : segments) {
                ids[each].insert(of_person.begin(), of_person.end());
            }
        }
        return ids;
    }

    void compare_ids(IdsOfSegments is, const std::string& by) {
        IdsOfSegments wanted = ids_of_people();
        for (const auto& [segment, name] : names_) {
            const std::set<Id>& there = is[segment];
            const std::set<Id>& follows = wanted[segment];
            std::vector<Id> differing;
            std::ranges::set_symmetric_difference(there, follows, std::back_inserter(differing));
            for (const Id& each : differing) {
                if (ruled_.is_unsure(each)) {
                    continue;
                }
                differ(fmt::format(
                    "{} {} in {}, by {} it {}",
                    identities::stored_text({each}),
                    follows.contains(each) ? "is" : "is not",
                    name,
                    by,
                    there.contains(each) ? "is" : "is not"
                ));
            }
        }
    }

    Result<void> check_told() {
        IdsOfSegments told;
        TRY_VOID(for_each_row_of(
            *store_,
            segment_told_table,
            [&](const storage::Rows& rows, std::size_t row) {
                told[rows.at(row, 3).number()].insert(id_in(rows, row, 0));
                return Result<void>{};
            }
        ));
        compare_ids(std::move(told), "what was told of it");
        return {};
    }

    Result<void> check_changes() {
        constexpr std::size_t changes_at_once = 1000;
        IdsOfSegments replayed;
        for (const auto& [segment, name] : names_) {
            std::uint64_t last = 0;
            bool are_all_there = true;
            std::set<Id>& ids = replayed[segment];
            for (;;) {
                TRY(const std::vector<Change> changes,
                    read_changes(*store_, segment, last, changes_at_once));
                if (changes.empty()) {
                    break;
                }
                for (const Change& each : changes) {
                    if (each.number != last + 1) {
                        differ(
                            fmt::format("change {} of {} comes behind {}", each.number, name, last)
                        );
                    }
                    last = each.number;
                    if (each.is_erased()) {
                        are_all_there = false;
                        continue;
                    }
                    const bool is_change =
                        each.joined ? ids.insert(each.id).second : ids.erase(each.id) == 1;
                    // Of who is erased, where it joined loses the id first.
                    if (!is_change && (each.joined || are_all_there)) {
                        differ(fmt::format("change {} of {} changes nothing", each.number, name));
                    }
                }
            }
        }
        compare_ids(std::move(replayed), "its changes");
        return {};
    }

    storage::Store* store_;
    const identities::SidNames sid_names_;
    const Instant now_;
    const std::size_t differences_max_;
    Verified found_;
    RuledRecount ruled_;
    std::map<std::int64_t, std::string> names_;
    IdsOfSegments members_;
    std::map<std::string, std::set<std::int64_t>> segments_of_person_;
    std::map<std::string, std::set<Id>> ids_of_person_;
    std::set<std::string> not_told_;  ///< Sids of whoever does not consent.
};

}  // namespace

Result<Verified> verify(
    storage::Store& store,
    const identities::SidNames& names,
    Instant now,
    std::size_t differences_max
) {
    return Check{store, names, now, differences_max}.run();
}

}  // namespace footfall::segments
