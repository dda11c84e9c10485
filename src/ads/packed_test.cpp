#include "ads/packed.h"

#include "foundation_testing/repository.h"
#include "foundation_testing/temporary_directory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <string_view>

namespace footfall::ads {
namespace {

using testing::HasSubstr;

std::string block(std::string_view name, std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    return fmt::format("\n```{}\n{}\n```\n", name, text);
}

AmountsByDay some_days() {
    return {
        {16'037, {.clicks = 1, .amount = 5'000}},
        {16'038, {.clicks = 1, .refunds = 1, .amount = -2'500}},
        {16'040, {.sales = 300, .amount = 40'000'000}}
    };
}

TEST(Packed, is_written_as_its_document_says) {
    const std::string document = read_text(in_repository("docs/formats/ads.md"));
    EXPECT_THAT(document, HasSubstr(block("days", packed_days(some_days()))));
    const std::string refusals =
        packed_refusals({{"repeat", {{40, 1}, {41, 300}}}, {"not_human", {{0, 2}}}});
    EXPECT_THAT(document, HasSubstr(block("refusals", refusals)));
}

TEST(Packed, is_read_as_it_was_written) {
    const Amounts largest{
        .clicks = std::numeric_limits<std::uint64_t>::max() >> 2,
        .sales = std::numeric_limits<std::uint64_t>::max(),
        .refunds = std::numeric_limits<std::uint64_t>::max(),
        .amount = std::numeric_limits<WideMicros>::min()
    };
    AmountsByDay days = some_days();
    days[-719'162] = largest;
    days[std::numeric_limits<Day>::max()] = {.amount = std::numeric_limits<WideMicros>::max()};
    const auto read = read_days(packed_days(days));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, days);
    const AmountsByQuarter quarters{{0, {.clicks = 2}}, {99, {.sales = 1, .amount = -1}}};
    const auto read_back = read_quarters(packed_quarters(quarters));
    ASSERT_TRUE(read_back);
    EXPECT_EQ(*read_back, quarters);
}

TEST(Packed, is_damaged_if_anything_is_missing_or_too_much) {
    const std::string days = packed_days(some_days());
    for (std::size_t length = 0; length < days.size(); ++length) {
        EXPECT_FALSE(read_days(days.substr(0, length))) << length;
    }
    EXPECT_FALSE(read_days(days + '\0'));
    EXPECT_FALSE(read_days('\2' + days.substr(1)));
    const std::string refusals = packed_refusals({{"repeat", {{40, 1}}}});
    for (std::size_t length = 0; length < refusals.size(); ++length) {
        EXPECT_FALSE(read_refusals(refusals.substr(0, length))) << length;
    }
}

}  // namespace
}  // namespace footfall::ads
