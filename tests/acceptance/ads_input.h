#pragma once

#include "test_support/bad_request.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A ledger that people ask for what they should not.

namespace footfall::test_support {

inline const std::string reseller = "/api/v1/resellers/r-7";
inline const std::string range = "from=2013-11-28&to=2013-12-01";

class AdsInput : public RunningServer {
protected:
    /// Three clicks of reseller r-7 at its first two rates, and one in another currency of another.
    void SetUp() override {
        const auto click = [](std::string_view id, std::string_view day, std::string_view more) {
            return fmt::format(
                R"({{"id":"{0}","time":"{1}T10:00:00Z","action":"click","object":"banner","actor":"{0}",)"
                R"("ad":"banner","publisher":"site-3",{2}}})"
                "\n",
                id,
                day,
                more
            );
        };
        const std::string of_r7 = R"("currency":"USD","reseller":"r-7","amount":)";
        api_.post_events(
            click("c-1", "2013-11-28", of_r7 + R"("0.005")") +
            click("c-2", "2013-11-29", of_r7 + R"("0.0075")") +
            click("c-3", "2013-12-01", of_r7 + R"("0.01")") +
            click("c-4", "2013-12-01", R"("currency":"EUR","reseller":"two","amount":"1")") +
            click("c-5", "2013-12-01", R"("currency":"USD","reseller":"two","amount":"1")")
        );
        for (const auto& [day, share] : {std::pair{"2012-01-22", "0.25"}, {"2013-11-30", "0.3"}}) {
            const auto put = api_.send(http_server::Method::put, rates(day), share_of(share));
            ASSERT_EQ(put.status, 201) << put.body;
        }
    }

    static std::string rates(std::string_view day) {
        return fmt::format("{}/rates/{}", reseller, day);
    }

    static std::string share_of(std::string_view text) {
        return fmt::format(R"({{"reward_percent":"{}"}})", text);
    }

    /// All that the ledger says; today's date left out.
    std::string all_there_is() {
        std::string all;
        for (const std::string& target :
             {reseller + "/rates",
              fmt::format("{}/income?{}", reseller, range),
              reseller + "/clicks",
              std::string{"/api/v1/publishers/site-3/clicks"},
              fmt::format("/api/v1/publishers/site-3/income?currency=EUR&{}", range),
              fmt::format("/api/v1/ledger/split?currency=USD&{}", range),
              std::string{"/api/v1/ledger/months"},
              std::string{"/api/v1/resellers"},
              std::string{"/api/v1/publishers"}}) {
            boost::json::object answer = api_.get_json(target);
            answer.erase("as_of");
            all += boost::json::serialize(answer) + "\n";
        }
        return all;
    }

    /// Asks each, and looks after each whether all is as it was.
    void expect_refused(const std::vector<Bad>& all) {
        test_support::expect_refused(api_, all, [this] { return all_there_is(); });
    }
};

}  // namespace footfall::test_support
