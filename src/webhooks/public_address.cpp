#include "webhooks/public_address.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace footfall::webhooks {
namespace {

/// So many leading bits of an address say that it is one of a network.
struct Network {
    std::array<std::uint8_t, 16> first;
    int bits;
};

constexpr std::array not_public_v4{
    Network{{0}, 8},              // this network
    Network{{10}, 8},             // private
    Network{{100, 64}, 10},       // shared by customers of a provider
    Network{{127}, 8},            // this machine
    Network{{169, 254}, 16},      // this link
    Network{{172, 16}, 12},       // private
    Network{{192, 0, 0}, 24},     // protocols
    Network{{192, 0, 2}, 24},     // documentation
    Network{{192, 88, 99}, 24},   // 6to4 relays
    Network{{192, 168}, 16},      // private
    Network{{198, 18}, 15},       // measurements
    Network{{198, 51, 100}, 24},  // documentation
    Network{{203, 0, 113}, 24},   // documentation
    Network{{224}, 4},            // many receivers
    Network{{240}, 4},            // reserved, and all on this link
};

/// All that is given out to networks lies here.
constexpr Network global_v6{{0x20}, 3};

/// What is set apart in it.
constexpr std::array not_public_v6{
    Network{{0x20, 0x01, 0x00}, 23},        // protocols, Teredo among them
    Network{{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    Network{{0x20, 0x02}, 16},              // 6to4
    Network{{0x3f, 0xff}, 20},              // documentation
};

bool is_of(const Network& network, const std::uint8_t* address) {
    const int whole = network.bits / 8;
    if (std::memcmp(network.first.data(), address, static_cast<std::size_t>(whole)) != 0) {
        return false;
    }
    const int left = network.bits % 8;
    const auto mask = static_cast<std::uint8_t>(0xff << (8 - left));
    const auto at = static_cast<std::size_t>(whole);
    return left == 0 || (address[at] & mask) == (network.first[at] & mask);
}

}  // namespace

bool is_public(const in_addr& address) {
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &address, bytes.size());
    return std::ranges::none_of(not_public_v4, [&](const Network& network) {
        return is_of(network, bytes.data());
    });
}

bool is_public(const in6_addr& address) {
    return is_of(global_v6, address.s6_addr) &&
           std::ranges::none_of(not_public_v6, [&](const Network& network) {
               return is_of(network, address.s6_addr);
           });
}

bool is_public(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, &address, sizeof(v4));
        return is_public(v4.sin_addr);
    }
    if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6{};
        std::memcpy(&v6, &address, sizeof(v6));
        return is_public(v6.sin6_addr);
    }
    return false;
}

}  // namespace footfall::webhooks
