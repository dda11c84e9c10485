#pragma once

#include "ads/account.h"
#include "ads/month.h"
#include "foundation/result.h"

#include <boost/container/flat_map.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace footfall::ads {

// What rows hold of many small amounts, packed: docs/formats/ads.md. The same bytes for the same
// amounts. Reading answers `corrupt` for anything else than what was written. Pure.

/// By ledger day. Few, and read by the thousand: they stand side by side.
using AmountsByDay = boost::container::flat_map<Day, Amounts>;

/// By quarter-hour of a ledger day (LedgerZone::quarter_of).
using AmountsByQuarter = boost::container::flat_map<unsigned, Amounts>;

/// Numbers of refused events by reason, and of these by quarter-hour of a ledger day.
using RefusalsByQuarter = std::map<std::string, std::map<unsigned, std::uint64_t>, std::less<>>;

std::string packed_days(const AmountsByDay& days);
Result<AmountsByDay> read_days(std::string_view bytes);

std::string packed_quarters(const AmountsByQuarter& quarters);
Result<AmountsByQuarter> read_quarters(std::string_view bytes);

std::string packed_refusals(const RefusalsByQuarter& refusals);
Result<RefusalsByQuarter> read_refusals(std::string_view bytes);

/// Appends amounts, about six bytes where there are few; take_amounts() takes them off the front of
/// `bytes`, or answers false.
void append_amounts(const Amounts& amounts, std::string& out);
bool take_amounts(std::string_view& bytes, Amounts& amounts);

/// The same of an amount alone: a byte for each seven bits.
void append_micros(WideMicros amount, std::string& out);
bool take_micros(std::string_view& bytes, WideMicros& amount);

}  // namespace footfall::ads
