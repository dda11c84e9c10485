#include "guard/networks.h"

#include "foundation/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::guard {
namespace {

/// Zero where it is none, which the tests do not use.
Address address_of(std::string_view text) {
    return Address::parse(text).value_or(Address{});
}

/// The network that holds the address, as text.
std::string found(const NetworkSet& set, std::string_view address) {
    const auto parsed = Address::parse(address);
    const Network* const network = parsed ? set.find(*parsed) : nullptr;
    return network != nullptr ? network->text() : "";
}

std::string network_fault(std::string_view lines) {
    const auto read = NetworkSet::read(lines);
    return read ? "" : read.error().message;
}

TEST(Networks, are_found_by_any_address_in_them) {
    const auto read = NetworkSet::read(
        "# our own\n192.0.2.0/24   # office\n\n 198.51.100.7 \r\n2001:db8::/33\n10.0.0.0/8\n"
    );
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size(), 4U);
    EXPECT_EQ(found(*read, "192.0.2.0"), "192.0.2.0/24");
    EXPECT_EQ(found(*read, "192.0.2.255"), "192.0.2.0/24");
    EXPECT_EQ(found(*read, "192.0.3.0"), "");
    EXPECT_EQ(found(*read, "192.0.1.255"), "");
    EXPECT_EQ(found(*read, "198.51.100.7"), "198.51.100.7/32");
    EXPECT_EQ(found(*read, "198.51.100.8"), "");
    EXPECT_EQ(found(*read, "2001:db8:7fff::1"), "2001:db8::/33");
    EXPECT_EQ(found(*read, "2001:db8:8000::"), "");
    EXPECT_EQ(found(*read, "::ffff:10.1.2.3"), "10.0.0.0/8") << "IPv4 in IPv6";
    EXPECT_EQ(found(NetworkSet{}, "10.0.0.1"), "");
}

TEST(Networks, within_another_are_one_with_it) {
    const auto read =
        NetworkSet::read("10.1.0.0/16\n10.0.0.0/8\n10.0.0.0/24\n10.255.255.255\n11.0.0.0/8\n");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size(), 2U);
    EXPECT_EQ(found(*read, "10.1.2.3"), "10.0.0.0/8");
    EXPECT_EQ(found(*read, "11.1.2.3"), "11.0.0.0/8");
}

TEST(Networks, all_there_is_is_a_network_too) {
    const auto v4 = NetworkSet::read("0.0.0.0/0");
    ASSERT_TRUE(v4);
    EXPECT_EQ(found(*v4, "255.255.255.255"), "0.0.0.0/0");
    EXPECT_EQ(found(*v4, "::1"), "");
    const auto v6 = NetworkSet::read("::/0");
    ASSERT_TRUE(v6);
    EXPECT_EQ(found(*v6, "ffff:ffff::1"), "::/0");
}

TEST(Networks, that_are_none_are_refused_by_their_line) {
    EXPECT_EQ(
        network_fault("10.0.0.0/8\n10.0.0.1/8\n"),
        "line 2: \"10.0.0.1/8\" has bits behind its prefix; is 10.0.0.0/8 meant?"
    );
    EXPECT_EQ(
        network_fault("10.0.0.0/33"), "line 1: \"10.0.0.0/33\": the prefix has at most 32 bits"
    );
    EXPECT_EQ(network_fault("::/129"), "line 1: \"::/129\": the prefix has at most 128 bits");
    for (const char* wrong :
         {"10.0.0", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "a", "1.2.3.4.5"}) {
        EXPECT_NE(network_fault(wrong), "") << wrong;
    }
    EXPECT_EQ(Address::parse(std::string_view{"1.2.3.4\0x", 9}), std::nullopt);
}

/// Beside looking at every network.
TEST(Networks, are_found_as_by_looking_at_each) {
    Random random{5};
    std::string lines;
    std::vector<Network> all;
    for (int each = 0; each < 300; ++each) {
        const auto bits = static_cast<unsigned>(4 + random.below(29));
        const Address address = address_of(
            fmt::format("{}.{}.{}.{}", random.below(256), random.below(256), random.below(256), 0)
        );
        const Network network{
            address.with_tail(96 + bits, false), address.with_tail(96 + bits, true), 96 + bits
        };
        all.push_back(network);
        lines += network.text() + "\n";
    }
    const auto set = NetworkSet::read(lines);
    ASSERT_TRUE(set);
    for (int each = 0; each < 20'000; ++each) {
        const Address address = address_of(fmt::format(
            "{}.{}.{}.{}",
            random.below(256),
            random.below(256),
            random.below(256),
            random.below(256)
        ));
        const Network* widest = nullptr;
        for (const Network& network : all) {
            const bool holds = network.first <= address && address <= network.last;
            if (holds && (widest == nullptr || network.bits < widest->bits)) {
                widest = &network;
            }
        }
        const Network* const got = set->find(address);
        ASSERT_EQ(got == nullptr, widest == nullptr);
        if (got != nullptr) {
            ASSERT_EQ(got->text(), widest->text());
        }
    }
}

}  // namespace
}  // namespace footfall::guard
