// Telling again where two processes share the lanes, and the log takes its time.
#include "events/event_keys.h"
#include "people/read_door.h"
#include "people/schema.h"
#include "reading/passed.h"
#include "reading/schema.h"
#include "reading/telling_again.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;

constexpr SipKey lanes_secret{11, 12};

std::vector<const storage::Table*> tables_of_lanes_test() {
    std::vector<const storage::Table*> tables{people::all_tables.begin(), people::all_tables.end()};
    tables.insert(tables.end(), all_tables.begin(), all_tables.end());
    return tables;
}

/// Every other lane is counted by this one; the others by another process, which answers at once.
class HalfOfLanes final : public projecting::Owners {
public:
    explicit HalfOfLanes(std::uint32_t first) : first_{first} {}

    void ask_there(Readership& other) { other_ = &other; }

    std::optional<std::uint64_t> counted_here(std::uint32_t lane) override {
        return lane % 2 == first_ ? std::optional<std::uint64_t>{0} : std::nullopt;
    }

    projecting::LaneAnswers ask(
        std::string_view, std::span<const projecting::LaneQuestion> asked, std::string_view of_all
    ) override {
        std::vector<projecting::AskedLane> lanes;
        for (const projecting::LaneQuestion& each : asked) {
            lanes.push_back({.lane = each.lane, .question = each.bytes});
        }
        projecting::LaneAnswers answers;
        answers.of_asked.resize(asked.size());
        auto told = other_->answer_all(lanes, of_all);
        for (std::size_t at = 0; told && at < asked.size(); ++at) {
            answers.of_asked[at] = {.bytes = std::move((*told)[at]), .counted = 0};
        }
        return answers;
    }

private:
    const std::uint32_t first_;
    Readership* other_ = nullptr;
};

/// A process: it knows people, counts its lanes, and may tell again.
struct TellingProcess {
    using Say = TellingAgain::Say;

    TellingProcess(storage::Store& store, const Clock& clock, std::uint32_t first, Say say)
        : people{*people::People::open(store, clock, {.secret = lanes_secret, .shared = true})},
          days{*people::DayKeys::open(store, clock, {.shared = true})},
          door{people->sharers(), *days, clock, {.secret = lanes_secret}},
          owners{first},
          readership{
              store,
              clock,
              people->sharers(),
              {.secret = lanes_secret, .owners = &owners, .seals = &door.seals()}
          },
          telling{
              {.readership = &readership,
               .people = people.get(),
               .seals = &door.seals(),
               .clock = &clock,
               .secret = lanes_secret,
               .say = std::move(say),
               .owners = &owners}
          } {}

    std::unique_ptr<people::People> people;
    std::unique_ptr<people::DayKeys> days;
    people::ReadDoor door;
    HalfOfLanes owners;
    Readership readership;
    TellingAgain telling;
};

class TellingAgainInLanes : public testing::Test {
protected:
    TellingAgainInLanes() {
        one_.owners.ask_there(other_.readership);
        other_.owners.ask_there(one_.readership);
    }

    void say(const people::Said& said) {
        const auto answers = one_.people->say({&said, 1});
        ASSERT_TRUE(answers && answers->front());
    }

    void share(const std::string& actor) {
        say({.actor = actor, .consent = people::Consent{.reading = people::Reading::shared}});
    }

    void take_back(const std::string& actor, const std::string& url) {
        say({.actor = actor, .take_back = {{.taken = people::Taken::url, .text = url}}});
    }

    /// It is in the log of its lane, which nobody has counted yet.
    void read(const std::string& actor, const std::string& url) {
        auto judged = std::make_shared<events::JudgedEvent>();
        judged->event = {.time = clock_.now(), .action = "read", .object = url, .actor = actor};
        one_.door.take(*judged);
        append(
            events::lane_of(url, lanes_secret),
            [judged](Readership& counting, std::uint32_t lane, std::uint64_t offset) {
                const projecting::JudgedRecord record{
                    .offset = offset, .judged = judged.get(), .person = {}
                };
                counting.apply(lane, {&record, 1});
            }
        );
    }

    using Count = std::function<void(Readership&, std::uint32_t lane, std::uint64_t offset)>;

    void append(std::uint32_t lane, Count count) { log_[lane].push_back(std::move(count)); }

    Result<void> log(std::span<const events::ControlInLane> controls) {
        ++writes_;
        for (const events::ControlInLane& each : controls) {
            std::holds_alternative<events::ReadsMark>(each.control) ? ++marks_ : ++told_;
            append(
                each.lane,
                [control = each.control](
                    Readership& counting, std::uint32_t lane, std::uint64_t offset
                ) { counting.control(lane, offset, control); }
            );
        }
        return {};
    }

    /// Whoever owns the lane counts what stands there.
    void count(std::uint32_t lane) {
        for (; !log_[lane].empty(); log_[lane].pop_front()) {
            log_[lane].front()(
                lane % 2 == 0 ? one_.readership : other_.readership, lane, ++offset_
            );
        }
    }

    void count_all_but(std::optional<std::uint32_t> lagging) {
        ASSERT_TRUE(other_.people->read_changes());
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            if (lane != lagging) {
                count(lane);
            }
        }
    }

    void store_all() {
        ASSERT_TRUE(one_.readership.flush(true));
        ASSERT_TRUE(other_.readership.flush(true));
    }

    void turn_both() {
        ASSERT_TRUE(other_.people->read_changes());
        ASSERT_TRUE(one_.telling.turn());
        ASSERT_TRUE(other_.telling.turn());
    }

    std::vector<std::string> listed(const std::string& actor) {
        std::vector<std::string> urls;
        const auto own = own_reads(one_.readership, readers_of(one_.people->sharers(), actor));
        for (const OwnRead& each : own.value_or(std::vector<OwnRead>{})) {
            urls.push_back(each.url);
        }
        return urls;
    }

    bool knows_pasts() const {
        return !one_.people->sharers().pasts().empty() || !other_.people->sharers().pasts().empty();
    }

    /// Marks are said, and all lanes come past them.
    void pass_a_mark() {
        clock_.advance(1us);
        turn_both();
        count_all_but({});
        store_all();
    }

    ManualClock clock_{Instant{std::chrono::days{20'000}} + 12h};
    storage::MemoryStore store_{tables_of_lanes_test(), clock_};
    TellingAgain::Say say_ = [this](std::span<const events::ControlInLane> controls) {
        return log(controls);
    };
    TellingProcess one_{store_, clock_, 0, say_};
    TellingProcess other_{store_, clock_, 1, say_};
    std::array<std::deque<Count>, runtime::lane_count> log_;
    std::uint64_t offset_ = 0;
    int writes_ = 0;
    int marks_ = 0;
    int told_ = 0;
};

const std::string kept_url = "https://a.example/";
const std::string taken_url = "https://b.example/";

TEST_F(TellingAgainInLanes, waits_for_a_lane_that_lags_and_loses_nothing_of_it) {
    share("ann");
    read("ann", taken_url);
    read("ann", kept_url);
    take_back("ann", taken_url);
    const std::uint32_t lagging = events::lane_of(kept_url, lanes_secret);
    clock_.advance(TellingAgain::after);
    turn_both();
    EXPECT_EQ(marks_, 64) << "one of the two says it, in each lane";
    for (int hours = 0; hours < 5; ++hours) {
        count_all_but(lagging);
        store_all();
        clock_.advance(1h);
        turn_both();
        EXPECT_EQ(told_, 0) << "a read under the former reader may be on its way";
    }
    count_all_but({});
    turn_both();
    EXPECT_EQ(told_, 0) << "it is counted, and in no row yet";
    store_all();
    turn_both();
    EXPECT_EQ(told_, 1);
    EXPECT_TRUE(knows_pasts()) << "what was told is not counted yet";
    count_all_but({});
    store_all();
    turn_both();
    pass_a_mark();
    turn_both();
    EXPECT_FALSE(knows_pasts()) << "in the process that told, and in the other";
    EXPECT_EQ(told_, 1);
    EXPECT_EQ(listed("ann"), std::vector<std::string>{kept_url});
}

TEST_F(TellingAgainInLanes, is_done_by_the_owner_of_one_lane) {
    share("ann");
    read("ann", kept_url);
    take_back("ann", taken_url);
    count_all_but({});
    store_all();
    for (int rounds = 0; rounds < 5; ++rounds) {
        clock_.advance(TellingAgain::after);
        ASSERT_TRUE(other_.telling.turn());
        EXPECT_EQ(other_.telling.pause(), 5s) << "what that one erases is to go here, too";
    }
    EXPECT_EQ(writes_, 0);
    turn_both();
    EXPECT_EQ(one_.telling.pause(), 5s) << "lanes are waited for";
    pass_a_mark();
    pass_a_mark();
    pass_a_mark();
    EXPECT_EQ(told_, 1);
    EXPECT_FALSE(knows_pasts());
    EXPECT_EQ(one_.telling.pause(), 60s);
}

TEST_F(TellingAgainInLanes, says_a_mark_again_that_a_lane_has_forgotten) {
    share("ann");
    read("ann", kept_url);
    take_back("ann", taken_url);
    clock_.advance(TellingAgain::after);
    turn_both();
    count_all_but({});
    store_all();
    other_.readership.drop_lane(3);
    for (auto minutes = 0min; minutes < TellingAgain::mark_again; minutes += 1min) {
        EXPECT_EQ(marks_, 64);
        turn_both();
        clock_.advance(1min);
    }
    EXPECT_EQ(told_, 0);
    turn_both();
    EXPECT_EQ(marks_, 2 * 64);
    count_all_but({});
    store_all();
    turn_both();
    EXPECT_EQ(told_, 1);
}

TEST_F(TellingAgainInLanes, tells_of_many_people_in_few_writes) {
    constexpr int many = 1000;
    for (int each = 0; each < many; ++each) {
        const std::string actor = "p" + std::to_string(each);
        share(actor);
        read(actor, kept_url);
        take_back(actor, taken_url);
    }
    count_all_but({});
    store_all();
    clock_.advance(TellingAgain::after);
    pass_a_mark();
    pass_a_mark();
    EXPECT_EQ(told_, many);
    EXPECT_LE(writes_, 4) << "marks twice, and what is told";
    pass_a_mark();
    pass_a_mark();
    EXPECT_FALSE(knows_pasts());
    EXPECT_EQ(told_, many);
    EXPECT_EQ(listed("p7"), std::vector<std::string>{kept_url});
}

TEST(Passed, is_a_moment_in_an_answer) {
    for (const Instant moment : {Instant{}, Instant{-1us}, Instant{1'763'719'200'000'001us}}) {
        EXPECT_EQ(read_passed(written_passed(moment)), moment);
    }
    EXPECT_EQ(read_passed(written_passed({})), std::nullopt);
    EXPECT_EQ(read_passed("\x01\x01"), std::nullopt);
}

}  // namespace
}  // namespace footfall::reading
