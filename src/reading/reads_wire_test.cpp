#include "reading/reads_wire.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace footfall::reading {
namespace {

constexpr people::UtcDay first = 20'000;

ReadsAsked a_question(Random& random, std::size_t listed) {
    ReadsAsked asked{
        .list = ListKey{.one = random(), .other = random()},
        .untimed = static_cast<std::uint32_t>(random.below(listed + 1)),
        .first = first,
        .urls = {}
    };
    for (std::uint64_t left = random.below(5); left > 0; --left) {
        asked.urls.push_back(random());
    }
    return asked;
}

std::vector<UrlRead> some_reads(Random& random) {
    std::vector<UrlRead> reads(random.below(4));
    for (UrlRead& each : reads) {
        each.reader = random();
        each.quarter = first * quarters_a_day + static_cast<QuarterOfTime>(random.below(3'000));
    }
    return reads;
}

/// Each of `count` places with a chance that differs from answer to answer.
UrlTold a_url(Random& random, const ReadsAsked& asked, std::size_t listed) {
    if (random.below(3) == 0) {
        return WaitingTold{.reads = some_reads(random)};
    }
    if (!asked.list) {
        return AllTold{.reads = some_reads(random)};
    }
    ReadersTold told;
    const std::uint64_t one_of = 1 + random.below(40);
    for (std::uint32_t at = 0; at < listed; ++at) {
        if (random.below(one_of) != 0) {
            continue;
        }
        if (at < asked.untimed) {
            told.untimed.push_back(at);
        } else {
            told.timed.push_back(
                {.at = at, .latest = first * quarters_a_day - 5 + static_cast<QuarterOfTime>(at)}
            );
        }
    }
    return told;
}

std::string text_of(const UrlTold& told) {
    std::string text = std::to_string(told.index()) + ":";
    const auto add = [&](const auto&... numbers) {
        ((text += std::to_string(numbers) + " "), ...);
    };
    if (const auto* const readers = std::get_if<ReadersTold>(&told)) {
        for (const std::uint32_t each : readers->untimed) {
            add(each);
        }
        for (const ReadersTold::Timed& each : readers->timed) {
            add(each.at, each.latest);
        }
        return text;
    }
    const auto* const all = std::get_if<AllTold>(&told);
    for (const UrlRead& each : all != nullptr ? all->reads : std::get<WaitingTold>(told).reads) {
        add(each.reader, each.quarter);
    }
    return text;
}

/// A question, about a list or everybody, and what is told.
std::pair<ReadsAsked, std::vector<UrlTold>> an_exchange(Random& random, std::size_t listed) {
    ReadsAsked asked = a_question(random, listed);
    if (random.below(4) == 0) {
        asked.list.reset();
    }
    std::vector<UrlTold> urls;
    for (std::size_t left = asked.urls.size(); left > 0; --left) {
        urls.push_back(a_url(random, asked, listed));
    }
    return {asked, urls};
}

TEST(ReadsWire, questions_and_lists_come_as_they_were_asked) {
    Random random{1};
    for (int round = 0; round < 200; ++round) {
        ReadsAsked asked = a_question(random, 5'000);
        if (random.below(2) == 0) {
            asked.list.reset();
        }
        const std::string bytes = written_question(asked);
        EXPECT_NE(bytes.size() % 8, 0) << "what the version before took for hashes of URLs";
        const auto read = read_reads_question(bytes);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->list, asked.list);
        EXPECT_EQ(read->untimed, asked.untimed);
        EXPECT_EQ(read->first, asked.first);
        EXPECT_EQ(read->urls, asked.urls);
    }
    std::vector<std::uint64_t> numbers(friend_list_max);
    std::ranges::generate(numbers, random);
    EXPECT_EQ(read_list(written_list(numbers)).value(), numbers);
    EXPECT_TRUE(read_list(written_list({})).value().empty());
    numbers.push_back(0);
    EXPECT_FALSE(read_list(written_list(numbers)));
}

TEST(ReadsWire, answers_come_as_they_were_told) {
    Random random{2};
    for (int round = 0; round < 300; ++round) {
        const std::size_t listed = random.below(300);
        const auto [asked, urls] = an_exchange(random, listed);
        const auto read = read_reads(written_reads(urls, asked), asked, listed);
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_TRUE(*read);
        ASSERT_EQ((*read)->size(), urls.size());
        for (std::size_t at = 0; at < urls.size(); ++at) {
            EXPECT_EQ(text_of((**read)[at]), text_of(urls[at]));
        }
        if (asked.list) {
            EXPECT_FALSE(*read_reads(written_reads({}, asked), asked, listed));
        } else {
            EXPECT_FALSE(read_reads(written_reads({}, asked), asked, listed)) << "there is no list";
        }
    }
}

TEST(ReadsWire, a_hundred_urls_that_5000_friends_read_take_a_bit_each) {
    constexpr std::size_t listed = 5'000;
    const ReadsAsked asked{
        .list = ListKey{},
        .untimed = listed,
        .first = first,
        .urls = std::vector<std::uint64_t>(100)
    };
    ReadersTold all;
    all.untimed.resize(listed);
    std::iota(all.untimed.begin(), all.untimed.end(), 0);
    const std::string dense = written_reads(std::vector<UrlTold>(100, all), asked);
    EXPECT_LT(dense.size(), 100 * (listed / 8 + 8));
    ReadersTold few;
    few.untimed = {17, 1'003, 4'999};
    EXPECT_LT(written_reads(std::vector<UrlTold>(100, few), asked).size(), 100 * 12);
}

TEST(ReadsWire, an_answer_to_another_question_is_none) {
    const ReadsAsked asked{.list = ListKey{}, .untimed = 10, .first = first, .urls = {1, 2}};
    const std::string bytes = written_reads(
        std::vector<UrlTold>{ReadersTold{.untimed = {9}}, ReadersTold{.timed = {{.at = 11}}}}, asked
    );
    EXPECT_TRUE(read_reads(bytes, asked, 12));
    EXPECT_FALSE(read_reads(bytes, asked, 11)) << "a place that is not in the list";
    EXPECT_FALSE(read_reads(bytes, asked, 9)) << "more without a time than there are";
    ReadsAsked other = asked;
    other.untimed = 9;
    EXPECT_FALSE(read_reads(bytes, other, 12));
    other = asked;
    other.urls.push_back(3);
    EXPECT_FALSE(read_reads(bytes, other, 12)) << "more URLs";
    other.urls.resize(1);
    EXPECT_FALSE(read_reads(bytes, other, 12)) << "fewer URLs";
    other = asked;
    other.list.reset();
    EXPECT_FALSE(read_reads(bytes, other, 12));
    const std::string everybody =
        written_reads(std::vector<UrlTold>(2, AllTold{}), {.urls = {1, 2}});
    EXPECT_FALSE(read_reads(everybody, asked, 12)) << "who is not in the list";
}

TEST(ReadsWire, refuses_bad_questions) {
    Random random{3};
    const std::string good = written_question(a_question(random, 100));
    EXPECT_FALSE(read_reads_question(""));
    EXPECT_FALSE(read_reads_question(good + "1"));
    EXPECT_FALSE(read_reads_question(good.substr(0, 20)));
    std::string bytes = good;
    bytes[0] = '\1';
    EXPECT_FALSE(read_reads_question(bytes)) << "another version";
    bytes = good;
    bytes[1] = '\2';
    EXPECT_FALSE(read_reads_question(bytes)) << "neither with a list nor without";
    EXPECT_FALSE(read_reads_question(
        written_question({.urls = std::vector<std::uint64_t>(urls_asked_max + 1)})
    ));
    EXPECT_FALSE(read_list(""));
    EXPECT_FALSE(
        read_list("\2"
                  "1234567")
    );
    EXPECT_FALSE(
        read_list("\1"
                  "12345678")
    );
}

/// Bytes that are cut or changed are refused or read, and no place is outside the list.
TEST(ReadsWire, survives_damage) {
    Random random{5};
    for (int round = 0; round < 20'000; ++round) {
        const std::size_t listed = random.below(60);
        const auto [asked, urls] = an_exchange(random, listed);
        std::string bytes = written_reads(urls, asked);
        bytes.resize(random.below(4) == 0 ? random.below(bytes.size() + 1) : bytes.size());
        for (std::uint64_t left = 1 + random.below(3); left > 0 && !bytes.empty(); --left) {
            bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
        }
        std::ignore = read_reads_question(bytes);
        const auto read = read_reads(bytes, asked, listed);
        if (!read || !*read) {
            continue;
        }
        ASSERT_EQ((*read)->size(), asked.urls.size());
        for (const UrlTold& each : **read) {
            if (const auto* const readers = std::get_if<ReadersTold>(&each)) {
                for (const std::uint32_t place : readers->untimed) {
                    ASSERT_LT(place, asked.untimed);
                }
                for (const ReadersTold::Timed& timed : readers->timed) {
                    ASSERT_GE(timed.at, asked.untimed);
                    ASSERT_LT(timed.at, listed);
                }
            }
        }
    }
}

}  // namespace
}  // namespace footfall::reading
