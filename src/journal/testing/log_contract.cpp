#include "journal_testing/log_contract.h"

#include "foundation/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <thread>
#include <utility>

namespace footfall::journal {

std::string implementation_name(const testing::TestParamInfo<LogImplementation>& info) {
    return info.param.name;
}

std::uint64_t LogContract::append(std::uint32_t lane, const std::vector<std::string>& records) {
    const std::vector<std::string_view> views{records.begin(), records.end()};
    const std::uint64_t first = log().end(lane);
    const auto appended = log().append(lane, views);
    EXPECT_TRUE(appended) << (appended ? "" : appended.error().message);
    if (appended) {
        EXPECT_EQ(log().end(lane), first + records.size());
        std::promise<Result<void>> done;
        log().when_durable(*appended, [&](Result<void> durable) {
            done.set_value(std::move(durable));
        });
        EXPECT_TRUE(done.get_future().get());
        EXPECT_TRUE(log().durable(*appended));
    }
    return first;
}

std::vector<std::string> LogContract::read_all(
    std::uint32_t lane, std::uint64_t from, ReadLimit limit
) {
    std::vector<std::string> all;
    for (;;) {
        const auto read = log().read(lane, from, limit);
        EXPECT_TRUE(read) << (read ? "" : read.error().message);
        if (!read || read->empty()) {
            return all;
        }
        EXPECT_EQ(read->first(), from);
        EXPECT_LE(read->size(), limit.records);
        for (std::size_t at = 0; at < read->size(); ++at) {
            all.emplace_back((*read)[at]);
        }
        from = read->next();
    }
}

namespace {

std::vector<std::string> numbered(std::size_t from, std::size_t count) {
    std::vector<std::string> records;
    for (std::size_t at = from; at < from + count; ++at) {
        records.push_back(fmt::format("record {}", at));
    }
    return records;
}

std::vector<std::string> behind(const std::vector<std::string>& all, std::size_t from) {
    return {all.begin() + static_cast<std::ptrdiff_t>(std::min(from, all.size())), all.end()};
}

}  // namespace

TEST_P(LogContract, is_empty_at_first) {
    EXPECT_GT(log().lanes(), 0U);
    for (std::uint32_t lane = 0; lane < log().lanes(); ++lane) {
        EXPECT_EQ(log().end(lane), 0U);
    }
    EXPECT_TRUE(read_all(0).empty());
    EXPECT_TRUE(read_all(0, 7).empty());
}

TEST_P(LogContract, gives_records_back_in_their_order_from_any_of_them_on) {
    std::vector<std::string> all;
    for (const std::size_t count : {1UL, 2UL, 500UL, 1UL, 30UL}) {
        const auto records = numbered(all.size(), count);
        EXPECT_EQ(append(3, records), all.size());
        all.insert(all.end(), records.begin(), records.end());
    }
    EXPECT_EQ(read_all(3), all);
    for (const std::size_t from :
         {0UL, 1UL, 2UL, 3UL, 250UL, 502UL, 503UL, 504UL, 533UL, 534UL, 535UL, 10'000UL}) {
        EXPECT_EQ(read_all(3, from), behind(all, from)) << from;
    }
    EXPECT_TRUE(read_all(4).empty()) << "lanes have nothing to do with each other";
}

TEST_P(LogContract, holds_any_bytes_and_none_and_many) {
    std::string every;
    for (int byte = 0; byte < 256; ++byte) {
        every.push_back(static_cast<char>(byte));
    }
    const std::vector<std::string> records{
        "", every, std::string(Log::record_bytes_max, 'x'), "", "end"
    };
    append(0, records);
    EXPECT_EQ(read_all(0), records);
}

TEST_P(LogContract, takes_more_at_once_than_it_reads_at_once) {
    constexpr std::size_t many = 140'000;
    append(1, numbered(0, many));
    append(1, {"last"});
    EXPECT_EQ(read_all(1).size(), many + 1);
    EXPECT_EQ(read_all(1, many - 1), (std::vector<std::string>{"record 139999", "last"}));
    for (std::uint64_t from = 65'500; from < 65'600; ++from) {
        const auto read = log().read(1, from, {.records = 7});
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_EQ(read->size(), 7U) << from;
        ASSERT_EQ((*read)[6], fmt::format("record {}", from + 6));
    }
}

TEST_P(LogContract, reads_no_more_than_was_asked_for_but_at_least_one) {
    append(0, {std::string(1000, 'a'), std::string(1000, 'b'), std::string(1000, 'c')});
    const auto limited = [&](ReadLimit limit) {
        const auto read = log().read(0, 0, limit);
        return read ? read->size() : 99;
    };
    EXPECT_EQ(limited({.records = 2}), 2U);
    EXPECT_EQ(limited({.bytes = 1}), 1U);
    EXPECT_EQ(limited({.bytes = 2000}), 2U);
    EXPECT_EQ(limited({.bytes = 2001}), 2U);
    EXPECT_EQ(limited({}), 3U);
}

TEST_P(LogContract, refuses_a_record_that_is_too_large_and_nothing_else_with_it) {
    const std::string large(Log::record_bytes_max + 1, 'x');
    const std::vector<std::string_view> records{"a", large};
    const auto appended = log().append(0, records);
    ASSERT_FALSE(appended);
    EXPECT_EQ(appended.error().kind, ErrorKind::invalid_input);
    EXPECT_EQ(log().end(0), 0U);
    EXPECT_TRUE(read_all(0).empty());
}

TEST_P(LogContract, is_what_it_was_after_a_restart) {
    const LogId id = log().id();
    append(5, numbered(0, 3));
    append(6, numbered(0, 10'000));
    reopen();
    EXPECT_EQ(log().id(), id);
    EXPECT_EQ(log().end(5), 3U);
    EXPECT_EQ(log().end(6), 10'000U);
    EXPECT_EQ(append(5, numbered(3, 2)), 3U);
    EXPECT_EQ(read_all(5), numbered(0, 5));
    EXPECT_EQ(read_all(6), numbered(0, 10'000));
}

TEST_P(LogContract, keeps_what_it_is_told_to_and_forgets_what_came_before) {
    append(3, numbered(0, 2500));
    append(3, numbered(2500, 3));
    append(4, {"another"});
    ASSERT_TRUE(log().retain(3, 1010));
    const auto check = [&](std::uint64_t begin, std::size_t size) {
        EXPECT_EQ(log().begin(3), begin);
        EXPECT_EQ(log().end(3), size);
        const auto read = log().read(3, 0, {.records = 2});
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->first(), begin);
        EXPECT_EQ(read_all(3, begin), behind(numbered(0, size), begin));
        EXPECT_EQ(read_all(3, begin + 1), behind(numbered(0, size), begin + 1));
    };
    check(1010, 2503);
    ASSERT_TRUE(log().find_begins());
    check(1010, 2503);
    log().rest(3);
    log().rest(3);
    check(1010, 2503);
    ASSERT_TRUE(log().retain(3, 7)) << "that is gone already";
    check(1010, 2503);
    reopen();
    check(1010, 2503);
    ASSERT_TRUE(log().retain(3, 2503));
    check(2503, 2503);
    reopen();
    check(2503, 2503);
    EXPECT_EQ(append(3, numbered(2503, 2)), 2503U);
    check(2503, 2505);
    EXPECT_EQ(log().begin(4), 0U);
    EXPECT_EQ(read_all(4), std::vector<std::string>{"another"});
}

TEST_P(LogContract, is_read_while_its_beginning_goes) {
    constexpr std::uint64_t many = 20'000;
    append(0, numbered(0, many));
    std::jthread reader{[&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            const auto read = log().read(0, 0, {.records = 5});
            ASSERT_TRUE(read) << read.error().message;
            ASSERT_FALSE(read->empty());
            EXPECT_EQ((*read)[0], fmt::format("record {}", read->first()));
        }
    }};
    for (std::uint64_t from = 100; from < many; from += 700) {
        ASSERT_TRUE(log().retain(0, from));
    }
}

/// Beside a vector for each lane.
TEST_P(LogContract, is_what_vectors_are) {
    Random random{42};
    std::map<std::uint32_t, std::vector<std::string>> lanes;
    std::map<std::uint32_t, std::uint64_t> begins;
    for (int step = 0; step < 300; ++step) {
        const auto lane = static_cast<std::uint32_t>(random.below(4));
        std::vector<std::string>& all = lanes[lane];
        const std::uint64_t choice = random.below(20);
        if (choice == 0) {
            reopen();
        } else if (choice < 8) {
            const std::uint64_t begin = begins[lane];
            const std::uint64_t from = begin + random.below(all.size() - begin + 2);
            const ReadLimit limit{.records = 1 + random.below(1000), .bytes = random.below(50'000)};
            ASSERT_EQ(read_all(lane, from, limit), behind(all, from)) << "step " << step;
        } else if (choice == 8) {
            begins[lane] = std::max(begins[lane], random.below(all.size() + 1));
            ASSERT_TRUE(log().retain(lane, begins[lane]));
            ASSERT_EQ(log().begin(lane), begins[lane]);
        } else {
            const auto records = numbered(all.size(), 1 + random.below(300));
            ASSERT_EQ(append(lane, records), all.size());
            all.insert(all.end(), records.begin(), records.end());
        }
    }
}

}  // namespace footfall::journal
