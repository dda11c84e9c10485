#include "segments/rule_book.h"

#include "segment_rules/rule_json.h"
#include "storage/blocking.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace footfall::segments {
namespace {

constexpr std::chrono::seconds read_period{2};

using segment_rules::EventTerm;

}  // namespace

Result<std::shared_ptr<const Rules>> RuleBook::now() {
    const std::lock_guard lock{mutex_};
    const Instant now = clock_->now();
    const bool is_old = shared_ && (now - read_ >= read_period || now < read_);
    if (rules_ == nullptr || is_old) {
        TRY_VOID(read_again());
        read_ = now;
    }
    return rules_;
}

/// With mutex_ held.
Result<void> RuleBook::read_again() {
    TRY(std::vector<RuleRow> rows, read_rules(*store_));
    std::vector<RuleRow> live;
    for (RuleRow& each : rows) {
        TRY(const auto segment, catalogue_->find(each.name));
        if (segment && segment->number == each.segment) {
            live.push_back(std::move(each));
        }
    }
    if (rules_ != nullptr && live == rows_) {
        return {};
    }
    TRY(rules_, made_of(live));
    rows_ = std::move(live);
    std::set<EventTerm> terms;
    for (const auto& [term, hash] : rules_->hashes) {
        terms.insert(term);
    }
    terms_.set(segment_events::CountedTerms{terms});
    return {};
}

/// Two processes that write at once may write a circle: the rule that was written last is left out
/// of it then.
Result<std::shared_ptr<const Rules>> RuleBook::made_of(const std::vector<RuleRow>& rows) {
    segment_rules::Rules named;
    std::map<std::string, const RuleRow*, std::less<>> row_of;
    for (const RuleRow& each : rows) {
        TRY(named[each.name], rule_in(each));
        row_of.emplace(each.name, &each);
    }
    segment_rules::Order order = segment_rules::order_of(named);
    while (!order.circle.empty()) {
        const auto newest = std::ranges::max_element(
            order.circle, {}, [&](const std::string& name) { return row_of.at(name)->since; }
        );
        named.erase(*newest);
        order = segment_rules::order_of(named);
    }
    auto rules = std::make_shared<Rules>();
    std::set<EventTerm> terms;
    for (const std::string& name : order.names) {
        const segment_rules::Rule& rule = named.at(name);
        for (const EventTerm& each : segment_rules::event_terms_of(rule)) {
            terms.insert(each);
            rules->hashes.emplace(each, segment_events::hash_of(each));
        }
        for (const std::string& each : segment_rules::segments_of(rule)) {
            TRY(const auto found, catalogue_->find(each));
            if (found) {
                rules->numbers.emplace(each, found->number);
            }
        }
        rules->has_data |= segment_rules::goes_by_data(rule);
        rules->in_order.push_back({.row = *row_of.at(name), .rule = rule});
    }
    rules->terms = segment_events::CountedTerms{terms};
    return rules;
}

Result<void> RuleBook::check_named(const segment_rules::Rule& rule) {
    for (const std::string& each : segment_rules::segments_of(rule)) {
        TRY(const auto found, catalogue_->find(each));
        if (!found) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("the rule names the segment \"{}\", which is not there", each)
            );
        }
    }
    return {};
}

Result<void> RuleBook::put(
    const Segment& segment, const segment_rules::Rule& rule, std::string author
) {
    const std::lock_guard lock{mutex_};
    TRY_VOID(read_again());
    segment_rules::Rules all;
    std::set<EventTerm> terms = segment_rules::event_terms_of(rule);
    std::optional<RuleRow> before;
    for (const RuleRow& each : rows_) {
        if (each.name == segment.name) {
            before = each;
            continue;
        }
        TRY(const segment_rules::Rule other, rule_in(each));
        terms.merge(segment_rules::event_terms_of(other));
        all.emplace(each.name, other);
    }
    all.insert_or_assign(segment.name, rule);
    if (all.size() > rules_max || terms.size() > rule_events_max) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "at most {} segments have rules, with {} event terms in all",
                rules_max,
                rule_events_max
            )
        );
    }
    if (const segment_rules::Order order = segment_rules::order_of(all); !order.circle.empty()) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("rules go round in a circle: {}", fmt::join(order.circle, " > "))
        );
    }
    RuleRow row{
        .name = segment.name,
        .segment = segment.number,
        .text = boost::json::serialize(segment_rules::json_of(rule)),
        .author = std::move(author),
        .since = clock_->now()
    };
    if (before && before->segment == row.segment) {
        if (before->text == row.text) {
            return {};
        }
        row.since = std::max(row.since, before->since + std::chrono::microseconds{1});
    }
    storage::Batch batch;
    add_rule(row, batch);
    TRY_VOID(storage::write_durably(*store_, batch));
    return read_again();
}

Result<bool> RuleBook::remove(std::string_view name) {
    const std::lock_guard lock{mutex_};
    TRY(const auto row, read_rule_of(*store_, name));
    if (!row) {
        return false;
    }
    storage::Batch batch;
    erase_rule(name, batch);
    TRY_VOID(storage::write_durably(*store_, batch));
    TRY_VOID(read_again());
    return true;
}

Result<std::string> RuleBook::who_names(std::string_view name) {
    TRY(const auto rules, now());
    for (const Rules::Kept& each : rules->in_order) {
        if (segment_rules::segments_of(each.rule).contains(std::string{name})) {
            return each.row.name;
        }
    }
    return std::string{};
}

}  // namespace footfall::segments
