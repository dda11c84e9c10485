#include "people/sharers.h"

#include "foundation/random.h"
#include "storage/testing/random_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <map>

namespace footfall::people {
namespace {

using namespace std::chrono_literals;

constexpr SipKey sharers_secret{1, 2};
constexpr Instant now{1000h};

Reader reader_of(std::uint64_t number) {
    Reader reader{.number = number};
    std::memcpy(reader.key.data(), &number, sizeof(number));
    return reader;
}

Consent sharing() {
    return {.reading = Reading::shared};
}

TEST(Sharers, who_shares_is_found_by_name_number_and_id) {
    Sharers sharers{sharers_secret};
    EXPECT_FALSE(sharers.sharing("ann", "paper.example", now));
    sharers.put("ann", reader_of(7), sharing());
    ASSERT_TRUE(sharers.sharing("ann", "paper.example", now));
    const auto ann = sharers.sharing("ann", "paper.example", now).value_or(Sharers::Sharing{});
    EXPECT_EQ(ann.reader, reader_of(7));
    EXPECT_EQ(sharers.id_of("ann"), ann.id);
    EXPECT_EQ(sharers.id_of_reader(7), ann.id);
    EXPECT_EQ(sharers.actor_of(ann.id), "ann");
    EXPECT_EQ(sharers.reader_of(ann.id), reader_of(7));
    EXPECT_FALSE(sharers.id_of_reader(8));
    EXPECT_EQ(sharers.actor_of(ann.id + 1), "");
}

TEST(Sharers, who_takes_something_back_keeps_the_readers_they_were) {
    Sharers sharers{sharers_secret};
    sharers.put("ann", reader_of(7), sharing());
    EXPECT_EQ(sharers.past_of(0), nullptr);
    const FormerReader was{.reader = reader_of(7), .at = now, .hash = 1};
    sharers.put("ann", reader_of(8), sharing(), {&was, 1});
    const Sharers::Id id = sharers.id_of("ann").value_or(99);
    EXPECT_EQ(sharers.id_of_reader(8), id);
    EXPECT_EQ(sharers.id_of_reader(7), 0);
    EXPECT_EQ(sharers.actor_of(0), "ann");
    EXPECT_EQ(sharers.reader_of(0), reader_of(7));
    EXPECT_EQ(sharers.size(), 1);
    for (const Sharers::Id each : {Sharers::Id{0}, id}) {
        const auto past = sharers.past_of(each);
        ASSERT_NE(past, nullptr);
        EXPECT_EQ(past->now, id);
        EXPECT_EQ(past->before, std::vector<Sharers::Id>{0});
        EXPECT_EQ(past->formers, std::vector{was});
    }
    EXPECT_EQ(sharers.pasts().size(), 1);
    sharers.put("ann", reader_of(8), sharing());
    EXPECT_FALSE(sharers.id_of_reader(7));
    EXPECT_EQ(sharers.past_of(id), nullptr);
    EXPECT_TRUE(sharers.pasts().empty());
}

TEST(Sharers, who_is_off_has_no_past) {
    Sharers sharers{sharers_secret};
    const FormerReader was{.reader = reader_of(7), .at = now, .hash = 1};
    sharers.put("ann", reader_of(8), sharing(), {&was, 1});
    EXPECT_TRUE(sharers.id_of_reader(7));
    sharers.remove("ann");
    EXPECT_FALSE(sharers.id_of_reader(7));
    EXPECT_FALSE(sharers.id_of_reader(8));
    EXPECT_TRUE(sharers.pasts().empty());
}

TEST(Sharers, a_former_reader_that_is_the_present_one_is_none_yet) {
    Sharers sharers{sharers_secret};
    const FormerReader was{.reader = reader_of(7), .at = now, .hash = 1};
    sharers.put("ann", reader_of(7), sharing(), {&was, 1});
    EXPECT_EQ(sharers.past_of(0), nullptr);
}

TEST(Sharers, who_left_is_nobody_and_another_reader_has_another_id) {
    Sharers sharers{sharers_secret};
    sharers.put("ann", reader_of(7), sharing());
    const Sharers::Id before = sharers.id_of("ann").value_or(99);
    sharers.put("ann", reader_of(8), sharing());
    const Sharers::Id after = sharers.id_of("ann").value_or(before);
    EXPECT_NE(before, after);
    EXPECT_EQ(sharers.actor_of(before), "");
    EXPECT_FALSE(sharers.reader_of(before));
    EXPECT_FALSE(sharers.id_of_reader(7));
    sharers.remove("ann");
    EXPECT_FALSE(sharers.id_of("ann"));
    EXPECT_EQ(sharers.actor_of(after), "");
    EXPECT_EQ(sharers.size(), 0);
}

TEST(Sharers, a_pause_and_sites_hide_what_is_read_and_nobody) {
    Sharers sharers{sharers_secret};
    Consent consent = sharing();
    consent.sites = {"paper.example"};
    sharers.put("ann", reader_of(7), consent);
    EXPECT_TRUE(sharers.sharing("ann", "www.paper.example", now));
    EXPECT_FALSE(sharers.sharing("ann", "other.example", now));
    EXPECT_FALSE(sharers.sharing("ann", "", now));
    consent.reading = Reading::paused;
    consent.until = now + 1h;
    sharers.put("ann", reader_of(7), consent);
    EXPECT_FALSE(sharers.sharing("ann", "paper.example", now));
    EXPECT_FALSE(sharers.sharing("ann", "paper.example", now + 1h - 1us));
    EXPECT_TRUE(sharers.sharing("ann", "paper.example", now + 1h));
    EXPECT_TRUE(sharers.id_of("ann"));
    sharers.put("ann", reader_of(7), {.reading = Reading::paused});
    EXPECT_FALSE(sharers.sharing("ann", "paper.example", now + 10'000h));
    sharers.put("ann", reader_of(7), sharing());
    EXPECT_TRUE(sharers.sharing("ann", "other.example", now));
}

TEST(Sharers, hold_what_a_plain_map_holds) {
    const auto seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    Sharers sharers{sharers_secret};
    std::map<std::string, std::uint64_t> plain;
    for (int step = 0; step < 30'000; ++step) {
        const std::string actor = fmt::format("actor {}", random.below(2'000));
        switch (random.below(3)) {
            case 0:
                sharers.remove(actor);
                plain.erase(actor);
                break;
            default:
                const std::uint64_t number = random();
                sharers.put(actor, reader_of(number), sharing());
                plain[actor] = number;
        }
    }
    EXPECT_EQ(sharers.size(), plain.size());
    for (int at = 0; at < 2'000; ++at) {
        const std::string actor = fmt::format("actor {}", at);
        const auto known = plain.find(actor);
        const auto id = sharers.id_of(actor);
        ASSERT_EQ(id.has_value(), known != plain.end()) << actor;
        if (id) {
            ASSERT_EQ(sharers.reader_of(*id), reader_of(known->second));
            ASSERT_EQ(sharers.id_of_reader(known->second), id);
            ASSERT_EQ(sharers.actor_of(*id), actor);
        }
    }
}

TEST(Sharers, take_at_most_64_bytes_each) {
    Random random{1};
    Sharers sharers{sharers_secret};
    for (int at = 0; at < 1'000'000; ++at) {
        sharers.put(fmt::format("reader-{:05x}", at), reader_of(random()), sharing());
        if (at == 250'000 || at == 500'000) {
            EXPECT_LE(sharers.bytes() / sharers.size(), 64) << at;
        }
    }
    EXPECT_LE(sharers.bytes() / sharers.size(), 64);
    fmt::print("{:.1f} bytes a sharer\n", static_cast<double>(sharers.bytes()) / 1e6);
}

}  // namespace
}  // namespace footfall::people
