#include "people/former_readers.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <vector>

namespace footfall::people {
namespace {

using namespace std::chrono_literals;
using Times = std::vector<std::optional<Instant>>;

constexpr Instant noon{std::chrono::days{20'000} + 12h};
constexpr const char* article = "https://a.news.example/1";

FormerReader former(std::uint64_t number, const TakeBack& what) {
    Reader reader{.number = number};
    std::memcpy(reader.key.data(), &number, sizeof(number));
    return former_reader(reader, noon, what);
}

TEST(FormerReaders, a_url_is_hidden_and_no_other) {
    const FormerReader one = former(1, {.taken = Taken::url, .text = article});
    EXPECT_TRUE(hides(one, article, noon));
    EXPECT_FALSE(hides(one, "https://a.news.example/2", noon));
    EXPECT_NE(one.hash, former(2, {.taken = Taken::url, .text = article}).hash);
}

TEST(FormerReaders, a_site_is_hidden_with_those_below_it) {
    const FormerReader one = former(1, {.taken = Taken::site, .text = "news.example"});
    EXPECT_TRUE(hides(one, article, noon));
    EXPECT_TRUE(hides(one, "http://news.example:81/", noon));
    EXPECT_FALSE(hides(one, "https://oldnews.example/1", noon));
    EXPECT_FALSE(hides(one, "https://example/1", noon));
    EXPECT_FALSE(hides(one, "an article without a URL", noon));
}

TEST(FormerReaders, since_an_instant_begins_with_its_quarter_hour) {
    const FormerReader one = former(1, {.taken = Taken::since, .since = noon + 7min});
    EXPECT_TRUE(hides(one, article, noon));
    EXPECT_FALSE(hides(one, article, noon - 1us));
}

TEST(FormerReaders, what_is_read_again_stays) {
    const std::vector<FormerReader> formers{
        former(1, {.taken = Taken::url, .text = article}),
        former(2, {.taken = Taken::url, .text = "https://b.example/"})
    };
    EXPECT_EQ(left_of(formers, article, Times{noon, {}, {}}), std::nullopt);
    EXPECT_EQ(left_of(formers, article, Times{noon, noon + 1h, {}}), noon + 1h);
    EXPECT_EQ(left_of(formers, article, Times{noon + 2h, {}, noon + 1h}), noon + 1h);
    EXPECT_EQ(left_of(formers, "https://c.example/", Times{noon + 1h, noon, {}}), noon + 1h);
}

TEST(FormerReaders, since_an_instant_takes_a_fact_by_its_latest_read) {
    const std::vector<FormerReader> formers{
        former(1, {.taken = Taken::url, .text = "https://b.example/"}),
        former(2, {.taken = Taken::since, .since = noon})
    };
    EXPECT_EQ(left_of(formers, article, Times{noon - 2h, noon - 1h, {}}), noon - 1h);
    EXPECT_EQ(left_of(formers, article, Times{noon - 2h, noon, {}}), std::nullopt);
    EXPECT_EQ(left_of(formers, article, Times{noon, noon - 1h, {}}), std::nullopt);
    EXPECT_EQ(left_of(formers, article, Times{noon, {}, noon - 3h}), noon - 3h);
}

}  // namespace
}  // namespace footfall::people
