#pragma once

#include "segment_rules/rule.h"

#include <boost/json/value.hpp>

#include <expected>
#include <string>

namespace footfall::segment_rules {

/// Why a text is no rule: `field` ("rule.all[1].event.within") is at fault.
struct RuleFault {
    std::string field;
    std::string detail;
};

/// Reads a rule, an object with one of these:
///
///   {"event":{"action":"click","ad":"X","times":2,"within":"30d"}}
///   {"datum":{"name":"city","is":"Oslo"}}    {"datum":{"name":"age","at_least":18,"at_most":65}}
///   {"segment":"buyers"}
///   {"all":[..]}    {"any":[..]}    {"not":{..}}
///
/// Checked against the bounds of rule.h, and to be grounded. `field` is how the value is called.
/// Whether segments are there, and go round in a circle, is for who knows all rules.
std::expected<Rule, RuleFault> read_rule(
    const boost::json::value& value, const std::string& field = "rule"
);

/// What read_rule() reads, with nothing that says what is so anyway: one text a rule.
boost::json::value json_of(const Rule& rule);

}  // namespace footfall::segment_rules
