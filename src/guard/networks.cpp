#include "guard/networks.h"

#include "foundation/lines.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <cstring>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::array<std::uint8_t, 12> v4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr unsigned v4_prefix_bits = 96;
constexpr unsigned all_bits = 128;

}  // namespace

std::optional<Address> Address::parse(std::string_view text) {
    const std::string terminated{text};
    if (terminated.size() != std::strlen(terminated.c_str())) {
        return std::nullopt;
    }
    Address address;
    if (::inet_pton(AF_INET6, terminated.c_str(), address.bytes_.data()) == 1) {
        return address;
    }
    std::ranges::copy(v4_prefix, address.bytes_.begin());
    if (::inet_pton(AF_INET, terminated.c_str(), &address.bytes_[v4_prefix.size()]) == 1) {
        return address;
    }
    return std::nullopt;
}

bool Address::is_v4() const {
    return std::equal(v4_prefix.begin(), v4_prefix.end(), bytes_.begin());
}

std::string Address::text() const {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const bool v4 = is_v4();
    ::inet_ntop(
        v4 ? AF_INET : AF_INET6,
        v4 ? &bytes_[v4_prefix.size()] : bytes_.data(),
        text.data(),
        text.size()
    );
    return text.data();
}

Address Address::with_tail(unsigned bits, bool value) const {
    Address changed = *this;
    for (unsigned at = bits; at < all_bits; ++at) {
        const auto bit = static_cast<std::uint8_t>(0x80U >> at % 8);
        std::uint8_t& byte = changed.bytes_[at / 8];
        byte = static_cast<std::uint8_t>(value ? byte | bit : byte & ~bit);
    }
    return changed;
}

Result<Network> Network::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::optional<Address> address = Address::parse(text.substr(0, slash));
    if (!address) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("\"{}\" is no network, such as 192.0.2.0/24 or 2001:db8::/32", text)
        );
    }
    unsigned bits = all_bits;
    if (slash != std::string_view::npos) {
        const auto written = parse_unsigned(text.substr(slash + 1));
        const unsigned longest = address->is_v4() ? all_bits - v4_prefix_bits : all_bits;
        if (!written || *written > longest) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("\"{}\": the prefix has at most {} bits", text, longest)
            );
        }
        bits = static_cast<unsigned>(*written) + all_bits - longest;
    }
    const Network network{
        .first = address->with_tail(bits, false),
        .last = address->with_tail(bits, true),
        .bits = bits
    };
    if (network.first != *address) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("\"{}\" has bits behind its prefix; is {} meant?", text, network.text())
        );
    }
    return network;
}

std::string Network::text() const {
    return fmt::format("{}/{}", first.text(), first.is_v4() ? bits - v4_prefix_bits : bits);
}

NetworkSet::NetworkSet(std::vector<Network> networks) : networks_{std::move(networks)} {
    // The larger of two that begin together first; what follows within one goes.
    std::ranges::sort(networks_, [](const Network& left, const Network& right) {
        return left.first != right.first ? left.first < right.first : left.bits < right.bits;
    });
    std::size_t kept = 0;
    for (const Network& each : networks_) {
        if (kept == 0 || networks_[kept - 1].last < each.first) {
            networks_[kept++] = each;
        }
    }
    networks_.resize(kept);
    networks_.shrink_to_fit();
}

Result<NetworkSet> NetworkSet::read(std::string_view lines) {
    std::vector<Network> networks;
    for (std::size_t number = 1; !lines.empty(); ++number) {
        const std::string_view line = take_line(lines);
        const std::string_view text = trimmed(line.substr(0, line.find('#')));
        if (text.empty()) {
            continue;
        }
        Result<Network> network = Network::parse(text);
        if (!network) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("line {}: {}", number, network.error().message)
            );
        }
        networks.push_back(*network);
    }
    return NetworkSet{std::move(networks)};
}

const Network* NetworkSet::find(const Address& address) const {
    const auto behind = std::ranges::upper_bound(networks_, address, {}, &Network::first);
    if (behind == networks_.begin() || std::prev(behind)->last < address) {
        return nullptr;
    }
    return &*std::prev(behind);
}

}  // namespace footfall::guard
