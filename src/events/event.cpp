#include "events/event.h"

#include "events/action.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>

namespace footfall::events {
namespace {

using Fault = std::optional<EventFault>;

bool is_control(char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
}

Fault check_text(std::string_view field, std::string_view text, std::size_t bytes_max) {
    if (text.size() > bytes_max) {
        return EventFault{
            std::string{field}, fmt::format("{} is longer than {} bytes", field, bytes_max)
        };
    }
    if (has_control_character(text)) {
        return EventFault{
            std::string{field}, fmt::format("{} has a control character in it", field)
        };
    }
    return std::nullopt;
}

Fault check_action(std::string_view action) {
    if (action.empty()) {
        return EventFault{"action", "action is missing: what was done, such as \"view\""};
    }
    if (!is_action(action)) {
        return EventFault{
            "action",
            fmt::format(
                "action is a word of a-z, 0-9, \"_\", \"-\" and \".\", of at most {} letters",
                longest_action
            )
        };
    }
    return std::nullopt;
}

bool is_address(const std::string& text) {
    if (text.contains('\0')) {
        return false;  // inet_pton would look at what stands before it
    }
    std::array<unsigned char, sizeof(in6_addr)> into{};
    return ::inet_pton(AF_INET, text.c_str(), into.data()) == 1 ||
           ::inet_pton(AF_INET6, text.c_str(), into.data()) == 1;
}

bool is_currency(std::string_view text) {
    return text.size() == 3 &&
           std::ranges::all_of(text, [](char letter) { return letter >= 'A' && letter <= 'Z'; });
}

Fault check_identifiers(const std::vector<Identifier>& identifiers) {
    if (identifiers.size() > identifiers_max) {
        return EventFault{
            "identifiers", fmt::format("there are more than {} identifiers", identifiers_max)
        };
    }
    for (const Identifier& each : identifiers) {
        if (each.identifier.empty() || each.id_name.empty() || each.id_value.empty()) {
            return EventFault{
                "identifiers", "an identifier has an identifier, an id_name and an id_value"
            };
        }
        for (const std::string* text : {&each.identifier, &each.id_name, &each.id_value}) {
            if (Fault fault = check_text("identifiers", *text, longest_id)) {
                return fault;
            }
        }
    }
    return std::nullopt;
}

}  // namespace

bool has_control_character(std::string_view text) {
    return std::ranges::any_of(text, is_control);
}

std::string_view cut_text(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) {
        return text;
    }
    std::size_t end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
        --end;  // within a letter
    }
    return text.substr(0, end);
}

std::optional<EventFault> tidy_event(Event& event) {
    event.agent.resize(cut_text(event.agent, longest_agent).size());
    event.referrer.resize(cut_text(event.referrer, longest_referrer).size());
    if (Fault fault = check_action(event.action)) {
        return fault;
    }
    if (event.object.empty()) {
        return EventFault{"object", "object is missing: what it was done to"};
    }

    struct Text {
        std::string_view field;
        const std::string* text;
        std::size_t bytes_max;
    };

    for (const Text& each :
         {Text{"id", &event.id, longest_id},
          Text{"object", &event.object, longest_name},
          Text{"actor", &event.actor, longest_name},
          Text{"agent", &event.agent, longest_agent},
          Text{"referrer", &event.referrer, longest_referrer},
          Text{"reseller", &event.reseller, longest_id},
          Text{"ad", &event.ad, longest_id},
          Text{"publisher", &event.publisher, longest_id}}) {
        if (Fault fault = check_text(each.field, *each.text, each.bytes_max)) {
            return fault;
        }
    }
    if (!event.address.empty() && !is_address(event.address)) {
        return EventFault{"address", "address is an IPv4 or IPv6 address, such as 192.0.2.7"};
    }
    if (!event.currency.empty() && !is_currency(event.currency)) {
        return EventFault{"currency", "currency is three capital letters, such as USD"};
    }
    if (event.attributes.size() > attributes_bytes_max) {
        return EventFault{
            "attributes", fmt::format("attributes take more than {} bytes", attributes_bytes_max)
        };
    }
    return check_identifiers(event.identifiers);
}

}  // namespace footfall::events
