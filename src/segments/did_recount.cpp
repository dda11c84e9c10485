#include "segments/did_recount.h"

#include "events/rfc3339.h"
#include "identities/normalised.h"
#include "identities/recorded_guards.h"
#include "identities/stored_ids.h"
#include "projecting/writer.h"
#include "segment_events/schema.h"
#include "segment_rules/rule.h"
#include "segment_rules/rule_json.h"
#include "segments/catalogue.h"
#include "segments/verify_rules.h"
#include "storage/blocking.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace footfall::segments {
namespace {

using segment_rules::EventMark;
using segment_rules::EventTerm;
using segment_rules::LatestEvents;

Result<std::set<EventTerm>> read_terms_in_force(storage::Store& store) {
    TRY(const std::vector<Segment> all, Catalogue::read_all(store));
    TRY(const RulesInForceByName rules, read_rules_in_force(store, all));
    std::set<EventTerm> terms;
    for (const auto& [name, kept] : rules) {
        terms.merge(segment_rules::event_terms_of(kept.rule));
    }
    return terms;
}

/// Who wrote a row, as events came or when a rule was new; absent: nobody of ours.
std::optional<projecting::Writer> writer_of_did(std::string_view writer) {
    constexpr char filled = 'f';
    if (const auto counted = projecting::writer_in(writer)) {
        return counted;
    }
    return writer.ends_with(filled) ? projecting::writer_in(writer.substr(0, writer.size() - 1))
                                    : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<DidRecount>> DidRecount::begin(storage::Store& store, Instant now) {
    TRY(const std::set<EventTerm> terms, read_terms_in_force(store));
    TRY(const auto recorded,
        identities::newest_guards(store, std::make_shared<const identities::Guards>()));
    return std::unique_ptr<DidRecount>{
        new DidRecount{segment_events::CountedTerms{terms}, recorded.guards, now}
    };
}

void DidRecount::begin_lane(std::uint32_t lane, bool begins_later) {
    lane_number_ = lane;
    lane_ = &lanes_[lane];
    *lane_ = {.is_whole = !begins_later};
}

void DidRecount::add(std::uint64_t offset, const events::JudgedEvent* judged) {
    lane_->first = lane_->first.value_or(offset);
    lane_->end = offset + 1;
    if (judged == nullptr || !judged->verdict.counted()) {
        return;
    }
    const events::Event& event = judged->event;
    for (const auto& [term, hash] : terms_.of_action(event.action)) {
        if (event.time + term.within <= now_ || !segment_rules::is_counted_by(term, event)) {
            continue;
        }
        if (auto id = segment_events::id_of(event)) {
            said_.try_emplace({identities::normalised(*guards_, *std::move(id)), hash}, term.times)
                .first->second.add({.time = event.time, .lane = lane_number_, .offset = offset});
            lane_->wanted_end = offset + 1;
            ++events_;
        }
    }
}

DidRecount::Place DidRecount::place_of(const EventMark& mark, bool alone) const {
    const auto found = lanes_.find(mark.lane);
    if (found == lanes_.end()) {
        return Place::added;  // there is no such lane
    }
    const Lane& lane = found->second;
    if (!lane.is_whole && (!lane.first || mark.offset < *lane.first)) {
        return Place::not_there_any_more;
    }
    return mark.offset >= lane.end && !alone ? Place::later : Place::added;
}

/// What cannot be held to the log is taken as said by both.
Result<void> DidRecount::read_rows(storage::Store& store, const Asked& asked) {
    storage::ScanQuery query{.table = &segment_events::segment_did_table};
    do {
        TRY(storage::Page page, storage::scan_page(store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            segment_events::DidRow did = segment_events::read_did_row(page.rows, row);
            const auto* const counted = terms_.find(did.key.term);
            const auto writer = writer_of_did(did.key.writer);
            if (counted == nullptr || !writer || writer->log != asked.log) {
                continue;
            }
            const std::uint32_t times = counted->term.times;
            TRY(const LatestEvents events, LatestEvents::read(did.events, times));
            const Key key{identities::normalised(*guards_, std::move(did.key.id)), did.key.term};
            for (const EventMark& mark : events.marks()) {
                stored_.try_emplace(key, times).first->second.add(mark);
                if (place_of(mark, asked.alone) != Place::added) {
                    said_.try_emplace(key, times).first->second.add(mark);
                }
            }
        }
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

/// The events that may still hold: rows of others may be gone.
std::set<EventMark> DidRecount::living(const Counted& all, const Key& key, Instant now) const {
    std::set<EventMark> living;
    if (const auto found = all.find(key); found != all.end()) {
        const std::chrono::seconds within = terms_.find(key.second)->term.within;
        for (const EventMark& each : found->second.marks()) {
            if (now < each.time + within) {
                living.insert(each);
            }
        }
    }
    return living;
}

std::string DidRecount::text_of(const Key& key, const EventMark& mark, bool is_in_rows) const {
    return fmt::format(
        "{} did {} at {}: {} record {} of lane {}",
        identities::stored_text({key.first}),
        boost::json::serialize(segment_rules::json_of({terms_.find(key.second)->term})),
        events::format_rfc3339(mark.time),
        is_in_rows ? "rows say so, and not" : "no row says so, but",
        mark.offset,
        mark.lane
    );
}

Result<DidRecount::Found> DidRecount::compare(storage::Store& store, const Asked& asked) {
    Found found;
    if (terms_.empty()) {
        return found;
    }
    TRY_VOID(read_rows(store, asked));
    // Rules that are gone meanwhile have rows that nobody keeps up.
    TRY(const std::set<EventTerm> still, read_terms_in_force(store));
    const Instant now = asked.now();
    std::set<Key> keys;
    for (const Counted* const each : {&said_, &stored_}) {
        std::ranges::transform(*each, std::inserter(keys, keys.end()), [](const auto& one) {
            return one.first;
        });
    }
    for (const Key& key : keys) {
        if (!still.contains(terms_.find(key.second)->term) || asked.was_erased(key.first)) {
            continue;
        }
        const std::set<EventMark> said = living(said_, key, now);
        const std::set<EventMark> stored = living(stored_, key, now);
        ++found.compared;
        std::vector<EventMark> differing;
        std::ranges::set_symmetric_difference(said, stored, std::back_inserter(differing));
        for (const EventMark& mark : differing) {
            ++found.count;
            if (found.differences.size() < asked.differences_max) {
                found.differences.push_back(text_of(key, mark, stored.contains(mark)));
            }
        }
    }
    return found;
}

}  // namespace footfall::segments
