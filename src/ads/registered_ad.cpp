#include "ads/registered_ad.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::ads {
namespace {

bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

bool is_hex(char letter) {
    return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

bool is_alphanumeric(char letter) {
    return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/// Whether a URL may have it, "%" aside.
bool is_url_letter(char letter) {
    constexpr std::string_view others = "-._~:/?#[]@!$&'()*+,;=";
    return is_alphanumeric(letter) || others.contains(letter);
}

bool has_only_url_letters(std::string_view url) {
    for (std::size_t at = 0; at < url.size(); ++at) {
        if (url[at] == '%') {
            if (at + 2 >= url.size() || !is_hex(url[at + 1]) || !is_hex(url[at + 2])) {
                return false;
            }
        } else if (!is_url_letter(url[at])) {
            return false;
        }
    }
    return true;
}

bool is_host(std::string_view host) {
    if (host.starts_with('[')) {
        return host.size() > 3 && host.ends_with(']') &&
               std::ranges::all_of(host.substr(1, host.size() - 2), [](char letter) {
                   return is_hex(letter) || letter == ':' || letter == '.';
               });
    }
    return !host.empty() && host.front() != '.' && std::ranges::all_of(host, [](char letter) {
        return is_alphanumeric(letter) || letter == '.' || letter == '-' || letter == '_';
    });
}

/// "host" or "host:port".
bool is_authority(std::string_view text) {
    const std::size_t behind_brackets = text.starts_with('[') ? text.find(']') : 0;
    const std::size_t colon = text.find(':', std::min(behind_brackets, text.size()));
    if (colon == std::string_view::npos) {
        return is_host(text);
    }
    const auto port = parse_unsigned(text.substr(colon + 1));
    return is_host(text.substr(0, colon)) && port && *port >= 1 && *port <= 65'535;
}

events::EventFault fault(std::string field, std::string detail) {
    return {.field = std::move(field), .detail = std::move(detail)};
}

}  // namespace

std::optional<std::string> fault_of_target(std::string_view target) {
    if (target.size() > longest_target) {
        return fmt::format("a target has at most {} bytes", longest_target);
    }
    std::string_view rest = target;
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (rest.starts_with(scheme)) {
            rest.remove_prefix(scheme.size());
            break;
        }
    }
    if (rest.size() == target.size()) {
        return "a target is an absolute URL that begins with https:// or http://";
    }
    if (!has_only_url_letters(rest)) {
        return "a target has only the letters of a URL: all others are percent-encoded";
    }
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    if (authority.contains('@')) {
        return "a target has no name and no password before its host";
    }
    if (!is_authority(authority)) {
        return "a target has a host of letters, digits, \".\", \"-\" and \"_\", and perhaps a port";
    }
    return std::nullopt;
}

const std::string* target_of(const AdTerms& terms, std::string_view to) {
    const auto found = to.empty() ? terms.targets.begin() : std::ranges::find(terms.targets, to);
    return found == terms.targets.end() ? nullptr : &*found;
}

std::optional<events::EventFault> fault_of_ad(const RegisteredAd& ad) {
    const AdTerms& terms = ad.terms;
    if (terms.targets.empty() || terms.targets.size() > targets_max) {
        return fault("targets", fmt::format("an ad has 1 to {} targets", targets_max));
    }
    for (const std::string& each : terms.targets) {
        if (auto detail = fault_of_target(each)) {
            return fault("targets", *std::move(detail));
        }
    }
    if (terms.price < 0 || terms.price > events::largest_amount) {
        return fault("price", "a price is not below 0, and no more than an amount may be");
    }
    if (ad.ad.empty()) {
        return fault("id", "the id of an ad is empty");
    }
    events::Event click{.action = "click"};
    click_on(ad, click);
    auto of_event = events::tidy_event(click);
    if (of_event && (of_event->field == "ad" || of_event->field == "object")) {
        of_event->field = "id";
    }
    if (!of_event && terms.currency.empty()) {
        return fault("currency", "an ad has a currency: three capital letters, such as USD");
    }
    return of_event;
}

void click_on(const RegisteredAd& ad, events::Event& event) {
    event.action = "click";
    event.object = ad.ad;
    event.ad = ad.ad;
    event.amount = ad.terms.price;
    event.currency = ad.terms.currency;
    event.publisher = ad.terms.publisher;
}

}  // namespace footfall::ads
