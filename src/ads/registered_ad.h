#pragma once

#include "events/event.h"
#include "foundation/clock.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

inline constexpr std::size_t targets_max = 32;
inline constexpr std::size_t longest_target = 2 << 10;  ///< In bytes.

/// What a click on an ad is worth, who shows it, and where it leads.
struct AdTerms {
    std::vector<std::string> targets;  ///< The first is where a link leads that names none.
    events::Micros price = 0;
    std::string currency;
    std::string publisher;  ///< Empty: nobody's.

    friend bool operator==(const AdTerms&, const AdTerms&) = default;
};

/// An ad that somebody registered; the only ones that links may lead through. A plain value.
struct RegisteredAd {
    std::string ad;
    AdTerms terms;
    std::string author;    ///< Who registered it, or changed it last.
    Instant changed_at{};  ///< When.
};

/// Why nothing can lead to `target`; absent: it can. A target is an absolute http or https URL of
/// none but the letters of RFC 3986, so a browser has nothing to mend in it: the scheme in small
/// letters, then "//", a host of letters, digits, ".", "-" and "_" or an IPv6 address in brackets,
/// perhaps a port, and neither a name nor a password before the host. What has other letters (a
/// space, a backslash, an umlaut) is to be percent-encoded, or written in its ASCII form. Pure.
std::optional<std::string> fault_of_target(std::string_view target);

/// Where a link leads that asks for `to`; empty: it asks for nothing. Null: nowhere. What is asked
/// for has to be one of the targets, letter by letter: nothing of it is taken apart, so nothing can
/// be forged in it, and no target stands for others that begin like it. Points into `terms`.
const std::string* target_of(const AdTerms& terms, std::string_view to);

/// Why there can be no such ad; the field is one of id, targets, price, currency, publisher. Every
/// ad without a fault makes a good event: click_on().
std::optional<events::EventFault> fault_of_ad(const RegisteredAd& ad);

/// Adds to `event`, which says who clicked and when, on what.
void click_on(const RegisteredAd& ad, events::Event& event);

}  // namespace footfall::ads
