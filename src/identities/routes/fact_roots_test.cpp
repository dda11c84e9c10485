#include "identities_routes/fact_roots.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace footfall::identities::routes {
namespace {

class KeptActs final : public audit::Acts {
public:
    Result<std::uint64_t> record_all(std::vector<audit::Act> acts) override {
        details.push_back(acts.front().detail);
        return 0;
    }

    std::string digest(std::string_view bytes) const override { return std::string{bytes}; }

    Result<std::size_t> forget(std::span<const std::string>) override { return 0; }

    Result<std::size_t> forget_until(Instant) override { return 0; }

    std::vector<std::string> details;
};

FactId fact_numbered(std::uint8_t number) {
    FactId fact{};
    fact.bytes[0] = number;
    return fact;
}

/// The root over these facts, in base64.
std::string root_of(std::initializer_list<std::uint8_t> facts) {
    audit::Edge edge;
    for (const std::uint8_t each : facts) {
        const FactId fact = fact_numbered(each);
        edge.add(
            audit::leaf_hash({reinterpret_cast<const char*>(fact.bytes.data()), fact.bytes.size()})
        );
    }
    return audit::base64_of(edge.root());
}

TEST(FactRoots, are_of_each_lane_what_was_written_since_the_last_entry) {
    KeptActs acts;
    FactRoots roots{acts, 0xabc};
    EXPECT_EQ(roots.enter(), false);
    roots.add(3, 10, fact_numbered(1));
    roots.add(3, 10, fact_numbered(2));
    roots.add(7, 4, fact_numbered(3));
    roots.add(3, 12, fact_numbered(4));
    EXPECT_EQ(roots.enter(), true);
    ASSERT_EQ(acts.details.size(), 1U);
    EXPECT_EQ(
        acts.details[0],
        fmt::format(
            R"({{"log":"0000000000000abc","lanes":[)"
            R"({{"lane":3,"from":10,"through":12,"facts":3,"root":"{}"}},)"
            R"({{"lane":7,"from":4,"through":4,"facts":1,"root":"{}"}}]}})",
            root_of({1, 2, 4}),
            root_of({3})
        )
    );
    EXPECT_EQ(roots.enter(), false);
}

TEST(FactRoots, have_no_fact_twice_that_is_told_again) {
    KeptActs acts;
    FactRoots roots{acts, 1};
    roots.add(3, 10, fact_numbered(1));
    roots.add(3, 11, fact_numbered(2));
    roots.add(3, 10, fact_numbered(1));
    ASSERT_EQ(roots.enter(), true);
    roots.add(3, 11, fact_numbered(2));
    EXPECT_EQ(roots.enter(), false);
    roots.add(3, 12, fact_numbered(3));
    ASSERT_EQ(roots.enter(), true);
    EXPECT_THAT(acts.details[0], testing::HasSubstr(R"("facts":2)"));
    EXPECT_THAT(acts.details[1], testing::HasSubstr(R"("from":12,"through":12,"facts":1)"));
}

}  // namespace
}  // namespace footfall::identities::routes
