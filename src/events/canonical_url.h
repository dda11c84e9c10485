#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::events {

/// Of the rules and of the list of tracking parameters. Raised when a URL gets another form.
inline constexpr std::uint32_t canonical_version = 1;

/// One name for an article, however its URL was spelled: docs/formats/url.md has the rules. What is
/// no http or https URL is its own form, unchanged. The form of a form is itself.
///
/// Pure, so any number of threads may ask. In linear time; nothing is fetched.
std::string canonical_url(std::string_view object);

/// The object that an article is: its form, or, where escapes made that longer than an object's
/// name may be, the article as it was named.
std::string article_named(std::string_view object);

/// The host of a form that canonical_url answered: a part of it, without the port, an IPv6 address
/// in its brackets. Empty: it is no URL.
std::string_view site_of(std::string_view canonical);

}  // namespace footfall::events
