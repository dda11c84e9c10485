#include "people/person.h"

#include <gtest/gtest.h>

#include <chrono>

namespace footfall::people {
namespace {

using namespace std::chrono_literals;

TEST(Person, what_has_a_name_is_found_by_it) {
    for (const Reading each : {Reading::off, Reading::shared, Reading::paused}) {
        EXPECT_EQ(reading_named(name_of(each)), each);
    }
    EXPECT_EQ(name_of(Reading::paused), "private");
    for (const Audience each : {Audience::anyone, Audience::friends}) {
        EXPECT_EQ(audience_named(name_of(each)), each);
    }
    EXPECT_FALSE(reading_named("paused"));
    EXPECT_FALSE(audience_named(""));
}

TEST(Person, a_site_is_its_host_and_those_below_it) {
    EXPECT_TRUE(is_on_sites("any.example", {}));
    const std::vector<std::string> sites{"paper.example", "b.example"};
    EXPECT_TRUE(is_on_sites("paper.example", sites));
    EXPECT_TRUE(is_on_sites("www.paper.example", sites));
    EXPECT_TRUE(is_on_sites("b.example", sites));
    EXPECT_FALSE(is_on_sites("newspaper.example", sites));
    EXPECT_FALSE(is_on_sites("example", sites));
    EXPECT_FALSE(is_on_sites("paper.example.org", sites));
    EXPECT_FALSE(is_on_sites("", sites));
}

TEST(Person, a_pause_ends_at_its_instant) {
    const Instant end{1h};
    const Consent paused{.reading = Reading::paused, .until = end};
    EXPECT_EQ(effective(paused, end - 1us), paused);
    EXPECT_EQ(effective(paused, end), (Consent{.reading = Reading::shared}));
    const Consent for_good{.reading = Reading::paused};
    EXPECT_EQ(effective(for_good, end), for_good);
}

}  // namespace
}  // namespace footfall::people
