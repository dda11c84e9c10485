#include "segments/rule_rows.h"

#include "identities/stored_instant.h"
#include "segment_rules/rule_json.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <boost/json/parse.hpp>
#include <boost/system/error_code.hpp>

#include <utility>

namespace footfall::segments {
namespace {

/// The only partition.
constexpr std::string_view all_rules = "segments";

}  // namespace

Result<std::vector<RuleRow>> read_rules(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &segment_rule_table, .partition = {std::string{all_rules}}}
        ));
    std::vector<RuleRow> rules;
    rules.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto text = [&](std::size_t column) {
            return std::string{rows.at(row, column).text()};
        };
        rules.push_back(
            {.name = text(1),
             .segment = rows.at(row, 2).number(),
             .text = text(3),
             .author = text(4),
             .since = identities::instant_of(rows.at(row, 5).number())}
        );
    }
    return rules;
}

Result<std::optional<RuleRow>> read_rule_of(storage::Store& store, std::string_view name) {
    TRY(const auto row,
        storage::read_one(store, segment_rule_table, {std::string{all_rules}, std::string{name}}));
    if (!row) {
        return std::nullopt;
    }
    return RuleRow{
        .name = std::string{name},
        .segment = std::get<std::int64_t>((*row)[2]),
        .text = std::get<std::string>((*row)[3]),
        .author = std::get<std::string>((*row)[4]),
        .since = identities::instant_of(std::get<std::int64_t>((*row)[5]))
    };
}

void add_rule(const RuleRow& rule, storage::Batch& batch) {
    batch.upsert(
        segment_rule_table,
        {all_rules,
         rule.name,
         rule.segment,
         rule.text,
         rule.author,
         identities::microseconds_of(rule.since)}
    );
}

void erase_rule(std::string_view name, storage::Batch& batch) {
    batch.erase(segment_rule_table, {all_rules, name});
}

Result<segment_rules::Rule> rule_in(const RuleRow& row) {
    boost::system::error_code failed;
    const boost::json::value value = boost::json::parse(row.text, failed);
    auto rule =
        failed ? std::unexpected(segment_rules::RuleFault{}) : segment_rules::read_rule(value);
    if (!rule) {
        return fail(ErrorKind::corrupt, "the rule of a segment is damaged: " + row.name);
    }
    return *std::move(rule);
}

Result<Filled> read_filled(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &segment_filled_table, .partition = {std::string{all_rules}}}
        ));
    Filled filled;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        filled.emplace(rows.at(row, 1).number(), identities::instant_of(rows.at(row, 2).number()));
    }
    return filled;
}

void add_filled(std::int64_t segment, Instant since, storage::Batch& batch) {
    batch.upsert(segment_filled_table, {all_rules, segment, identities::microseconds_of(since)});
}

void erase_filled(std::int64_t segment, storage::Batch& batch) {
    batch.erase(segment_filled_table, {all_rules, segment});
}

}  // namespace footfall::segments
