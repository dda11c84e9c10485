#include "events/url_host.h"

#include "events/ascii.h"
#include "events/percent_encoding.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <idn2.h>
#include <memory>
#include <span>

namespace footfall::events {
namespace {

bool may_stand_in_label(char letter) {
    return is_letter_or_digit(letter) || letter == '-' || letter == '_';
}

struct MappedLabel {
    int status = IDN2_OK;
    std::string ascii;
};

/// As libidn2 has a label. It is asked for labels rather than for hosts: it refuses "--" in the
/// third place, which servers of videos have beside labels of other letters.
MappedLabel mapped_label(std::string_view label) {
    const std::string terminated{label};
    std::uint8_t* found = nullptr;
    const int status = ::idn2_lookup_u8(
        reinterpret_cast<const std::uint8_t*>(terminated.c_str()), &found, IDN2_NONTRANSITIONAL
    );
    const std::unique_ptr<std::uint8_t, void (*)(void*)> owner{found, ::idn2_free};
    if (status != IDN2_OK) {
        return {.status = status, .ascii = {}};
    }
    return {.status = status, .ascii = reinterpret_cast<const char*>(found)};
}

/// Whether a label in lower case that begins "xn--" stands for one of other letters. Symbols such
/// as emoji are letters by UTS #46, though not by IDNA 2008, which is what `IDN2_DISALLOWED` says.
bool stands_for_label(std::string_view label) {
    const int status = mapped_label(label).status;
    return status == IDN2_OK || status == IDN2_DISALLOWED;
}

bool append_ascii_label(std::string_view label, std::string& to) {
    if (label.empty() || label.size() > longest_label ||
        !std::ranges::all_of(label, may_stand_in_label)) {
        return false;
    }
    const std::size_t begin = to.size();
    to += label;
    for (char& letter : std::span{to}.subspan(begin)) {
        letter = to_lower(letter);
    }
    const std::string_view written = std::string_view{to}.substr(begin);
    return !written.starts_with("xn--") || stands_for_label(written);
}

bool append_label(std::string_view label, std::string& to) {
    if (std::ranges::all_of(label, is_ascii)) {
        return append_ascii_label(label, to);
    }
    // What libidn2 would cut off or map to something else.
    if (!std::ranges::all_of(label, [](char letter) {
            return !is_ascii(letter) || may_stand_in_label(letter);
        })) {
        return false;
    }
    const MappedLabel mapped = mapped_label(label);
    return mapped.status == IDN2_OK && append_ascii_label(mapped.ascii, to);
}

/// The length of a dot at the beginning of `text`; 0: there is none. Those of Chinese and Japanese
/// keyboards are dots, too (UTS #46).
std::size_t leading_dot(std::string_view text) {
    if (is_ascii(text[0])) {
        return text[0] == '.' ? 1 : 0;
    }
    for (const std::string_view dot : {"\u3002", "\uff0e", "\uff61"}) {
        if (text.starts_with(dot)) {
            return dot.size();
        }
    }
    return 0;
}

bool append_labels(std::string_view host, std::string& to) {
    const std::size_t begin = to.size();
    while (!host.empty()) {
        std::size_t end = 0;
        std::size_t dot = 0;
        while (end < host.size() && (dot = leading_dot(host.substr(end))) == 0) {
            ++end;
        }
        if (!append_label(host.substr(0, end), to) || to.size() - begin > longest_host) {
            return false;
        }
        host.remove_prefix(end + dot);
        if (!host.empty()) {
            to += '.';
        }
    }
    return to.size() > begin;
}

bool append_ipv6(std::string_view address, std::string& to) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.size() >= text.size() || address.contains('\0')) {
        return false;
    }
    std::ranges::copy(address, text.begin());
    std::array<std::uint8_t, 16> bytes{};
    if (::inet_pton(AF_INET6, text.data(), bytes.data()) != 1) {
        return false;
    }
    ::inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
    to.append("[").append(text.data()).append("]");
    return true;
}

}  // namespace

bool append_host(std::string_view host, std::string& to) {
    if (host.starts_with('[')) {
        return host.ends_with(']') && append_ipv6(host.substr(1, host.size() - 2), to);
    }
    if (!host.contains('%')) {
        return append_labels(host, to);
    }
    return append_labels(percent_decoded(host), to);
}

}  // namespace footfall::events
