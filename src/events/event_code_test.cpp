#include "events/event_code.h"

#include "events/wire.h"
#include "foundation/random.h"
#include "foundation_testing/repository.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

namespace footfall::events {
namespace {

constexpr SipKey secret{.k0 = 1, .k1 = 2};

Event full_event() {
    return {
        .id = "e-1",
        .time = Instant{std::chrono::microseconds{1'763'719'200'000'001}},
        .action = "click",
        .object = "post-1",
        .actor = "u1",
        .address = "192.0.2.7",
        .agent = "Mozilla/5.0",
        .referrer = "https://example.org/",
        .amount = 5'000,
        .currency = "USD",
        .reseller = "r",
        .ad = "a",
        .publisher = "p",
        .identifiers = {{"www", "id", "w111"}, {"app", "device", "d-7"}},
        .attributes = R"({"colour":"red"})"
    };
}

std::string bytes_of(const Event& event) {
    std::string bytes;
    append_event(event, bytes);
    return bytes;
}

TEST(EventCode, gives_back_what_was_written) {
    EXPECT_EQ(read_event(bytes_of(full_event())).value(), full_event());
    Event least{.time_given = false, .action = "view", .object = "a"};
    EXPECT_EQ(read_event(bytes_of(least)).value(), least);
    least.amount = -7;
    least.time = Instant{std::chrono::microseconds{-1}};
    EXPECT_EQ(read_event(bytes_of(least)).value(), least);
}

TEST(Wire, writes_a_field_in_its_place_as_it_writes_bytes) {
    for (const std::size_t size : {0UZ, 1UZ, 127UZ, 128UZ, 16'383UZ, 16'384UZ, 3'000'000UZ}) {
        const std::string bytes(size, 'x');
        std::string copied = "before";
        append_bytes_field(7, bytes, copied);
        std::string written = "before";
        append_written_field(7, written, [&] { written += bytes; });
        EXPECT_EQ(written, copied) << size;
    }
}

TEST(EventCode, passes_over_fields_of_a_later_version) {
    const std::string later = bytes_of(full_event()) + "\xa0\x06\x2a" + "\xaa\x06\x03new";
    EXPECT_EQ(read_event(later).value(), full_event());
}

TEST(EventCode, says_that_bytes_are_damaged_and_never_crashes) {
    const std::string bytes = bytes_of(full_event());
    std::size_t refused = 0;
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        refused += read_event(std::string_view{bytes}.substr(0, size)) ? 0 : 1;
    }
    EXPECT_GT(refused, bytes.size() * 8 / 10) << "all but where a field ends";
    Random random{7};
    for (int round = 0; round < 10'000; ++round) {
        std::string damaged = bytes;
        damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        const auto read = read_event(damaged);
        EXPECT_TRUE(read || read.error().kind == ErrorKind::corrupt);
    }
}

TEST(EventCode, is_that_of_the_document) {
    std::ifstream document{in_repository("docs/formats/event.md")};
    const std::string text{std::istreambuf_iterator<char>{document}, {}};
    std::string hex;
    for (const char byte : bytes_of(full_event())) {
        hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    std::string shown;
    const std::size_t start = text.find("```hex\n");
    ASSERT_NE(start, std::string::npos);
    for (const char letter : text.substr(start + 7, text.find("```", start + 7) - start - 7)) {
        shown += letter == ' ' || letter == '\n' ? "" : std::string{letter};
    }
    EXPECT_EQ(hex, shown);
}

TEST(EventCode, content_is_all_but_the_id_and_the_time_of_arrival) {
    const std::uint64_t hash = content_hash(full_event(), secret);
    Event other = full_event();
    other.id = "e-2";
    EXPECT_EQ(content_hash(other, secret), hash);
    other.attributes.clear();
    EXPECT_NE(content_hash(other, secret), hash);
    other = full_event();
    other.time += std::chrono::seconds{1};
    EXPECT_NE(content_hash(other, secret), hash);

    Event untimed = full_event();
    untimed.time_given = false;
    Event again = untimed;
    again.time += std::chrono::seconds{1};
    EXPECT_EQ(content_hash(again, secret), content_hash(untimed, secret));
    EXPECT_NE(content_hash(untimed, secret), hash);
}

}  // namespace
}  // namespace footfall::events
