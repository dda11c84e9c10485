#pragma once

#include "events/event.h"
#include "events/verdict.h"
#include "guard/rule.h"

#include <string>

namespace footfall::guard {

/// What was decided and on which evidence, as a sentence for people: "Not counted: this person's
/// view of the same object 12 seconds earlier was counted already, and repeats within 30 seconds
/// are not." Further sentences for rules in shadow. From the evidence alone, so that it can be said
/// also when the rules have changed since. Pure.
std::string why(const events::Verdict& verdict, const events::Event& event);

/// What a rule does, as a sentence for people: "Not counted: a view, click or read less than 30
/// seconds before or after one that was counted, by the same person and of the same object." Pure.
std::string describe(const Rule& rule);

}  // namespace footfall::guard
