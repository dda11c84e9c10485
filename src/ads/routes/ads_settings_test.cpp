#include "ads_routes/ads_settings.h"

#include <gtest/gtest.h>

#include <vector>

namespace footfall::ads::routes {
namespace {

Result<std::shared_ptr<const jobs::Options>> read(const std::vector<jobs::GivenValue>& values) {
    return ads_settings.read({.sections = {}, .values = values});
}

TEST(AdsSettings, areUtcAndNoCurrencyIfNobodySaysAnything) {
    const auto options = read({});
    ASSERT_TRUE(options);
    const auto& ads = dynamic_cast<const AdsOptions&>(**options);
    EXPECT_EQ(ads.zone.zone().name(), "UTC");
    EXPECT_EQ(ads.currency, "XXX");
}

TEST(AdsSettings, takeAZoneAndACurrency) {
    const auto options = read(
        {{.name = "ledger_zone", .text = "Europe/Berlin", .origin = "a:1"},
         {.name = "ledger_currency", .text = "EUR", .origin = "a:2"}}
    );
    ASSERT_TRUE(options);
    const auto& ads = dynamic_cast<const AdsOptions&>(**options);
    EXPECT_EQ(ads.zone.zone().name(), "Europe/Berlin");
    EXPECT_EQ(ads.currency, "EUR");
}

TEST(AdsSettings, takeHowLongClicksAreKept) {
    const auto kept = [](const std::string_view text) {
        const auto options = read({{.name = "keep_clicks", .text = text, .origin = "a:1"}});
        return options ? dynamic_cast<const AdsOptions&>(**options).keep_clicks
                       : std::optional<std::chrono::seconds>{std::chrono::seconds{-1}};
    };
    EXPECT_EQ(kept("90d"), std::chrono::days{90});
    EXPECT_EQ(kept("forever"), std::nullopt);
    for (const std::string_view wrong : {"", "0d", "1h", "36501d", "long"}) {
        EXPECT_EQ(kept(wrong), std::chrono::seconds{-1}) << wrong;
    }
}

TEST(AdsSettings, nameWhereItIsWrong) {
    const auto zone = read({{.name = "ledger_zone", .text = "Europe/Nowhere", .origin = "a:1"}});
    ASSERT_FALSE(zone);
    EXPECT_TRUE(zone.error().message.starts_with("a:1: ")) << zone.error().message;
    for (const std::string_view wrong : {"eur", "EURO", "E1R", ""}) {
        const auto currency =
            read({{.name = "ledger_currency", .text = wrong, .origin = "--ledger-currency"}});
        ASSERT_FALSE(currency) << wrong;
        EXPECT_TRUE(currency.error().message.starts_with("--ledger-currency: "));
    }
}

}  // namespace
}  // namespace footfall::ads::routes
