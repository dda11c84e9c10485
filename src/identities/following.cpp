#include "identities/following.h"

#include "identities/fact_rows.h"
#include "identities/networks.h"
#include "identities/schema.h"
#include "projecting/writer.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

namespace footfall::identities {
namespace {

/// Lanes that have a turn together, and rows of each.
constexpr std::size_t lanes_at_once = 64;
constexpr std::size_t rows_at_once = 16;
/// Ids that are settled together.
constexpr std::size_t settled_at_once = 512;
constexpr std::size_t facts_a_page = 1000;
/// Buckets that may be empty are passed over, so many a turn.
constexpr int buckets_a_turn = 64;

std::uint32_t lane_number(const std::string& writer) {
    return projecting::writer_in(writer).value_or(projecting::Writer{}).lane;
}

/// What was said long ago is here when all facts are read; of what was said of late some may be on
/// its way, so a lane is followed from the bucket before the last one on.
std::uint64_t first_followed(const FeedEnd& end) {
    return feed_bucket_begin(std::max<std::int64_t>(feed_bucket(end.next) - 1, 0));
}

/// Rows of whom another region erased may be on their way for so long.
constexpr std::chrono::minutes erased_patience{5};

/// Whether a row of a fact says it as it was told.
bool says(const Fact& row, const FeedFact& fact) {
    return row.first <= fact.first && fact.last <= row.last;
}

template <class Take>
bool names(const FeedFact& fact, const Take& is_one) {
    return std::ranges::any_of(fact.holders, is_one) || std::ranges::any_of(fact.others, is_one);
}

}  // namespace

Following::Following(Identities& identities, std::string region)
    : identities_{&identities}, region_{std::move(region)} {}

storage::Store& Following::store() const {
    return identities_->settling().store();
}

Result<bool> Following::go_on(const std::stop_token& stop) {
    TRY(const std::vector<FeedEnd> ends, ends_of_my_lanes());
    TRY_VOID(take_in(ends, stop));
    std::vector<Lane> lanes = lanes_behind(ends);
    TRY_VOID(read_rows(lanes));
    TRY_VOID(keep_those_here(lanes));
    TRY(const bool followed, follow(lanes));
    lanes_behind(ends);
    return followed;
}

/// Of the lanes that are told here: those of other regions. Lanes that were another's, or come
/// back, are read anew.
Result<std::vector<FeedEnd>> Following::ends_of_my_lanes() {
    if (std::set<std::uint32_t> mine = identities_->lanes(); mine != mine_) {
        mine_ = std::move(mine);
        next_.clear();
        bucket_.clear();
    }
    if (mine_.empty()) {
        return std::vector<FeedEnd>{};
    }
    TRY(std::vector<FeedEnd> ends, read_feed_ends(store()));
    std::erase_if(ends, [&](const FeedEnd& each) {
        return each.region == region_ || !mine_.contains(lane_number(each.writer));
    });
    return ends;
}

/// Reads how far these are followed.
Result<void> Following::read_next(const std::set<std::string>& writers) {
    const std::vector<std::string> asked{writers.begin(), writers.end()};
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(asked.size());
    for (const std::string& each : asked) {
        keys.push_back({each});
    }
    TRY(const storage::Found found,
        storage::read_many(store(), identity_followed_table, std::move(keys)));
    for (std::size_t at = 0; at < asked.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            next_[asked[at]] = static_cast<std::uint64_t>(found.rows.at(*row, 1).number());
        }
    }
    return {};
}

/// Of lanes that were never followed reads all facts; our own are among them, since rows of
/// profiles are of this region alone, and facts may be older. From where the feed goes on is looked
/// up before that.
Result<void> Following::take_in(std::span<const FeedEnd> ends, const std::stop_token& stop) {
    std::set<std::string> unknown;
    const auto note = [&](const std::string& writer) {
        if (!next_.contains(writer)) {
            unknown.insert(writer);
        }
    };
    for (const std::uint32_t each : mine_) {
        note(projecting::writer_of(identities_->log_id(), each));
    }
    for (const FeedEnd& each : ends) {
        note(each.writer);
    }
    if (unknown.empty()) {
        return {};
    }
    TRY_VOID(read_next(unknown));
    for (const std::string& each : expired_) {
        next_.erase(each);
    }
    std::erase_if(unknown, [&](const std::string& each) { return next_.contains(each); });
    if (unknown.empty()) {
        return {};
    }
    const Instant now = identities_->clock().now();
    std::map<std::string, std::uint64_t> begins;
    std::set<std::uint32_t> lanes;
    for (const std::string& each : unknown) {
        lanes.insert(lane_number(each));
        const auto end = std::ranges::find(ends, each, &FeedEnd::writer);
        begins[each] = end == ends.end() ? 0 : first_followed(*end);
    }
    TRY_VOID(settle_all_under(lanes, stop));
    storage::Batch batch;
    for (const auto& [writer, next] : begins) {
        batch.upsert(identity_followed_table, {writer, static_cast<std::int64_t>(next)});
        taken_in_[writer] = now;
    }
    TRY_VOID(storage::write_durably(store(), batch));
    next_.insert(begins.begin(), begins.end());
    expired_.clear();
    return {};
}

/// Settles the ids of all facts that lanes of these numbers were told, of whatever log.
Result<void> Following::settle_all_under(
    const std::set<std::uint32_t>& lanes, const std::stop_token& stop
) {
    storage::ScanQuery query{.table = &identity_fact_table, .max_rows = facts_a_page};
    Identities::Touched touched;
    std::deque<Fact> said;  // a deque, so that none moves
    const erasure::Ledger* const ledger = identities_->ledger();
    std::set<Id> erased;
    do {
        if (stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "following other regions was stopped");
        }
        TRY(const storage::Page page, storage::scan_page(store(), query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(FactRow read, read_fact_row(page.rows, row));
            if (lanes.contains(lane_number(read.told.writer))) {
                const Fact& fact = said.emplace_back(std::move(read.told.fact));
                identities_->touch(fact, touched);
                for (Id& each : ids_of(fact)) {
                    if (ledger != nullptr && ledger->drops(each, fact.recorded)) {
                        erased.insert(std::move(each));
                    }
                }
            }
        }
        query.continuation = page.continuation;
        if (touched.ids.size() + touched.later.size() >= settled_at_once ||
            query.continuation.empty()) {
            TRY_VOID(settle(*lanes.begin(), touched));
            TRY_VOID(erase(erased));
            touched = {};
            said.clear();
            erased.clear();
        }
    } while (!query.continuation.empty());
    return {};
}

/// Who erased them here knew nothing of these facts, which came from a region that was away.
Result<void> Following::erase(const std::set<Id>& ids) {
    if (ids.empty()) {
        return {};
    }
    const std::vector<Id> all{ids.begin(), ids.end()};
    const Result<std::size_t> left = identities_->erase(all);
    return left ? Result<void>{} : std::unexpected(left.error());
}

Result<void> Following::settle(std::uint32_t lane, const Identities::Touched& touched) {
    if (touched.empty()) {
        return {};
    }
    storage::Batch networks;
    std::set<std::string> named;
    for (const std::set<Id>* const ids : {&touched.ids, &touched.later}) {
        for (const Id& each : *ids) {
            if (named.insert(each.identifier).second) {
                add_network(each.identifier, networks);
            }
        }
    }
    TRY_VOID(storage::write_durably(store(), networks));
    return identities_->settle_told(lane, touched);
}

/// Some of those that are behind, each in its turn.
std::vector<Following::Lane> Following::lanes_behind(std::span<const FeedEnd> ends) {
    std::vector<Lane> lanes;
    for (const FeedEnd& each : ends) {
        const auto next = next_.find(each.writer);
        if (next != next_.end() && next->second < each.next) {
            lanes.push_back({.end = &each, .number = lane_number(each.writer)});
        }
    }
    lanes_behind_ = lanes.size();
    const auto writer = [](const Lane& lane) -> const std::string& { return lane.end->writer; };
    std::ranges::sort(lanes, {}, writer);
    const auto turn = std::ranges::upper_bound(lanes, last_, {}, writer);
    std::ranges::rotate(lanes, turn);
    lanes.resize(std::min(lanes.size(), lanes_at_once));
    if (!lanes.empty()) {
        last_ = lanes.back().end->writer;
    }
    return lanes;
}

/// The next rows of each. A bucket that has none, where later ones do, is passed over.
Result<void> Following::read_rows(std::span<Lane> lanes) {
    std::vector<Lane*> left;
    for (Lane& each : lanes) {
        const std::int64_t bucket = feed_bucket(next_.at(each.end->writer));
        bucket_.try_emplace(each.end->writer, bucket);
        left.push_back(&each);
    }
    for (int turn = 0; turn < buckets_a_turn && !left.empty(); ++turn) {
        std::vector<storage::RangeQuery> queries;
        queries.reserve(left.size());
        for (const Lane* const each : left) {
            const std::string& writer = each->end->writer;
            queries.push_back(feed_query(writer, next_.at(writer), bucket_.at(writer), rows_at_once)
            );
        }
        TRY(const std::vector<storage::Page> pages,
            storage::read_pages(store(), std::move(queries)));
        std::vector<Lane*> further;
        for (std::size_t at = 0; at < left.size(); ++at) {
            const storage::Rows& rows = pages[at].rows;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                TRY(FeedRow read, read_feed_row(rows, row));
                left[at]->rows.push_back(std::move(read));
            }
            std::int64_t& bucket = bucket_.at(left[at]->end->writer);
            if (rows.empty() && bucket < feed_bucket(left[at]->end->next)) {
                ++bucket;
                further.push_back(left[at]);
            }
        }
        left = std::move(further);
    }
    for (Lane& each : lanes) {
        keep_those_in_order(each);
    }
    return {};
}

/// Without those before which something is missing. A row that does not follow may be one that its
/// writer did not end, with another behind it that has all: so those behind it are looked at.
void Following::keep_those_in_order(Lane& lane) {
    const std::string& writer = lane.end->writer;
    std::uint64_t next = next_.at(writer);
    const bool has_rows = !lane.rows.empty();
    const Instant now = identities_->clock().now();
    const auto known = taken_in_.find(writer);
    const Instant taken_in = known == taken_in_.end() ? Instant{} : known->second;
    bool has_expired = false;
    std::erase_if(lane.rows, [&](const FeedRow& row) {
        if (row.since > next && row.before > taken_in) {
            has_expired = has_expired || row.before <= now;
            return true;
        }
        next = std::max(next, row.offset + 1);
        return false;
    });
    if (!has_rows || !lane.rows.empty()) {
        return;
    }
    // What is missing may come late, in a bucket that was passed over.
    bucket_.erase(writer);
    if (has_expired) {
        next_.erase(writer);
        expired_.insert(writer);
        troubles_.say(
            LogLevel::warning,
            fmt::format(
                "identities: what was said in region {} was not followed for so long that its feed "
                "has expired; all facts are read anew",
                lane.end->region
            )
        );
    }
}

/// Whether it names somebody who was ever erased: its rows may be others by now.
bool Following::names_erased(const FeedFact& fact) const {
    const erasure::Ledger* const ledger = identities_->ledger();
    return ledger != nullptr && !ledger->empty() &&
           names(fact, [&](const Id& each) { return ledger->find(each).has_value(); });
}

/// Whether it names somebody who was erased since it was said.
bool Following::is_erased(const FeedFact& fact) const {
    return names_erased(fact) && names(fact, [&](const Id& each) {
               return identities_->ledger()->drops(each, fact.recorded);
           });
}

Result<bool> Following::has_row_under(
    const Id& holder, const FeedFact& fact, const std::string& writer
) const {
    storage::RangeQuery query{
        .table = &identity_fact_table,
        .partition = {holder.identifier, holder.id_name, holder.id_value},
        .max_rows = facts_a_page
    };
    do {
        TRY(const storage::Page page, storage::read_page(store(), query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(const FactRow read, read_fact_row(page.rows, row));
            if (read.told.writer == writer && says(read.told.fact, fact)) {
                return true;
            }
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return false;
}

/// Of a fact that names somebody who was erased, whether it is here, or what was left of it, which
/// has another name: under each id that stays a row of this writer is looked for that was said of
/// the same times. There may be none for ever, where nothing was left, so a lane waits once and not
/// for long, and then not again until it has caught up.
Result<bool> Following::is_left(const FeedFact& fact, const std::string& writer) {
    bool is_here = true;
    for (const Id& each : fact.holders) {
        if (is_here && !identities_->ledger()->drops(each, fact.recorded)) {
            TRY(is_here, has_row_under(each, fact, writer));
        }
    }
    if (is_here) {
        return true;
    }
    const Instant now = identities_->clock().now();
    return waits_since_.try_emplace(writer, now).first->second + erased_patience <= now;
}

/// Without those of which a fact has no row here yet, and those behind them.
Result<void> Following::keep_those_here(std::span<Lane> lanes) {
    std::vector<FactPlace> places;
    std::deque<bool> may_be_others;  // of each fact, since the ledger may grow meanwhile
    for (const Lane& lane : lanes) {
        for (const FeedRow& row : lane.rows) {
            for (const FeedFact& fact : row.facts) {
                may_be_others.push_back(names_erased(fact));
                for (const Id& each : may_be_others.back() ? std::vector<Id>{} : fact.holders) {
                    places.push_back({.holder = each, .fact = fact.fact, .writer = lane.end->writer}
                    );
                }
            }
        }
    }
    std::vector<std::optional<Fact>> there;
    for (std::size_t at = 0; at < places.size(); at += settled_at_once) {
        TRY(auto some,
            read_places(
                store(),
                std::span{places}.subspan(at, std::min(settled_at_once, places.size() - at))
            ));
        std::ranges::move(some, std::back_inserter(there));
    }
    auto place = there.begin();
    for (Lane& lane : lanes) {
        bool are_here = true;
        std::ptrdiff_t kept = 0;
        for (const FeedRow& row : lane.rows) {
            for (const FeedFact& fact : row.facts) {
                const bool may_be_other = may_be_others.front();
                may_be_others.pop_front();
                if (!may_be_other) {
                    for (std::size_t at = 0; at < fact.holders.size(); ++at, ++place) {
                        are_here = are_here && place->has_value() && says(**place, fact);
                    }
                } else if (are_here) {
                    TRY(are_here, is_left(fact, lane.end->writer));
                }
            }
            kept += are_here ? 1 : 0;
        }
        lane.rows.erase(lane.rows.begin() + kept, lane.rows.end());
    }
    return {};
}

/// Settles what these name, and says how far that is. Answers whether it was anything.
Result<bool> Following::follow(std::span<const Lane> lanes) {
    Identities::Touched touched;
    std::uint64_t facts = 0;
    std::set<Id> erased;
    storage::Batch batch;
    std::map<std::string, std::uint64_t> next;
    std::optional<std::uint32_t> lane;
    for (const Lane& each : lanes) {
        if (each.rows.empty()) {
            continue;
        }
        lane = lane.value_or(each.number);
        for (const FeedRow& row : each.rows) {
            std::uint64_t& of_lane = next[each.end->writer];
            of_lane = std::max(of_lane, row.offset + 1);
            for (const FeedFact& fact : row.facts) {
                std::vector<Id> named = fact.holders;
                named.insert(named.end(), fact.others.begin(), fact.others.end());
                identities_->touch(
                    named, stands_first(fact.fact) ? fact.holders : std::vector<Id>{}, touched
                );
                // Whether it is one that ends is looked at when it is due.
                touched.lasting.push_back(
                    {.fact = fact.fact, .ids = &fact.holders, .last = fact.last}
                );
                if (is_erased(fact)) {
                    std::ranges::copy_if(
                        named,
                        std::inserter(erased, erased.end()),
                        [&](const Id& each) {
                            return identities_->ledger()->find(each).has_value();
                        }
                    );
                }
                ++facts;
            }
        }
        const std::string& writer = each.end->writer;
        if (next.at(writer) >= each.end->next) {
            waits_since_.erase(writer);
        }
        batch.upsert(identity_followed_table, {writer, static_cast<std::int64_t>(next.at(writer))});
    }
    if (!lane) {
        return false;
    }
    TRY_VOID(settle(*lane, touched));
    TRY_VOID(erase(erased));
    TRY_VOID(storage::write_durably(store(), batch));
    for (const auto& [writer, followed] : next) {
        next_[writer] = followed;
        bucket_.erase(writer);
    }
    facts_followed_ += facts;
    return true;
}

}  // namespace footfall::identities
