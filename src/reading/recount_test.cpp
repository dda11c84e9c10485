#include "reading/recount.h"

#include "events/event_keys.h"
#include "people/people.h"
#include "people/read_door.h"
#include "people/schema.h"
#include "projecting/writer.h"
#include "reading/readership.h"
#include "reading/reading_projection.h"
#include "reading/schema.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace footfall::reading {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SipKey recount_secret{11, 12};
constexpr const char* read_twice = "https://a.example/";

std::vector<const storage::Table*> recount_tables() {
    std::vector<const storage::Table*> tables{people::all_tables.begin(), people::all_tables.end()};
    tables.insert(tables.end(), all_tables.begin(), all_tables.end());
    return tables;
}

/// Rows are written up to there, and no further.
class WrittenUpTo final : public projecting::WrittenRows {
public:
    explicit WrittenUpTo(std::uint64_t end) : end_{end} {}

    std::uint64_t end() const override { return end_; }

    Result<bool> wait() override { return false; }

private:
    const std::uint64_t end_;
};

/// Two people read one article: records 5 and 6 of its lane.
class ReadingRecountTest : public testing::Test {
protected:
    void SetUp() override {
        std::uint64_t offset = 5;
        for (const char* actor : {"ann", "bob"}) {
            const people::Said said{
                .actor = actor, .consent = people::Consent{.reading = people::Reading::shared}
            };
            ASSERT_TRUE(people_->say({&said, 1}));
            read(offset++, actor);
        }
    }

    void read(std::uint64_t offset, const std::string& actor) {
        events::JudgedEvent judged;
        judged.event = {
            .time = clock_.now(), .action = "read", .object = read_twice, .actor = actor
        };
        door_.take(judged);
        const projecting::JudgedRecord record{.offset = offset, .judged = &judged, .person = {}};
        projection_.apply(lane_, {&record, 1});
        door_.seals().seal(judged);
        events::ReadBy sealed = judged.read.value_or(events::ReadBy{});
        sealed.reader.reset();
        judged.read = std::move(sealed);
        log_.emplace_back(offset, std::move(judged));
    }

    static projecting::JudgedRecord told(const std::pair<std::uint64_t, events::JudgedEvent>& record
    ) {
        return {.offset = record.first, .judged = &record.second, .person = {}};
    }

    std::vector<std::string> differences(std::size_t records = 2, std::size_t behind = 2) {
        EXPECT_TRUE(projection_.flush(true));
        const auto recount = make_recount(
            {.store = &store_,
             .secret = recount_secret,
             .lane = lane_,
             .seals = &door_.seals(),
             .now = clock_.now()}
        );
        for (std::size_t at = 0; at < records; ++at) {
            EXPECT_TRUE(recount->add(told(log_[at])));
        }
        WrittenUpTo rows{7};
        EXPECT_TRUE(recount->read_stored(rows));
        for (std::size_t at = records; at < behind; ++at) {
            recount->add_behind(told(log_[at]));
        }
        return recount->differences();
    }

    void erase(const storage::Table& table, std::vector<storage::Value> key) {
        storage::Batch batch;
        batch.erase(table, std::vector<storage::ValueView>(key.begin(), key.end()));
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    ManualClock clock_{Instant{std::chrono::days{20'000}}};
    storage::MemoryStore store_{recount_tables(), clock_};
    std::unique_ptr<people::People> people_ =
        *people::People::open(store_, clock_, {.secret = recount_secret});
    std::unique_ptr<people::DayKeys> days_ = *people::DayKeys::open(store_, clock_, {});
    people::ReadDoor door_{people_->sharers(), *days_, clock_, {.secret = recount_secret}};
    Readership readership_{store_, clock_, people_->sharers(), {.secret = recount_secret}};
    DayRanks ranks_{store_, clock_, {}};
    rankings::Trends trends_{store_, clock_, {.job = "reading"}};
    ReadingProjection projection_{readership_, ranks_, trends_, recount_secret};
    const std::uint32_t lane_ = events::lane_of(read_twice, recount_secret);
    const std::int64_t hash_ = static_cast<std::int64_t>(siphash13(recount_secret, read_twice));
    std::vector<std::pair<std::uint64_t, events::JudgedEvent>> log_;
};

TEST_F(ReadingRecountTest, finds_nothing_where_all_is_as_it_should_be) {
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_THAT(differences(1), IsEmpty()) << "a row includes what came behind the end";
}

TEST_F(ReadingRecountTest, finds_a_read_that_is_in_no_row) {
    ASSERT_TRUE(projection_.flush(true));
    const auto row = *storage::read_all(store_, {.table = &read_url_table, .partition = {hash_}});
    ASSERT_EQ(row.size(), 1);
    erase(
        read_url_table,
        {hash_, row.at(0, 1).number(), std::string{row.at(0, 2).text()}, row.at(0, 3).number()}
    );
    const auto found = differences();
    EXPECT_EQ(found.size(), 2);
    EXPECT_THAT(
        found.front(),
        HasSubstr(
            "https://a.example/: a read of the quarter-hour 2024-10-04T00:00:00Z is in the log"
        )
    );
}

TEST_F(ReadingRecountTest, finds_a_reader_who_did_not_read) {
    EXPECT_THAT(differences(1, 1), ElementsAre(HasSubstr("is in a row, and not in the log")));
    const people::Said off{.actor = "bob", .consent = people::Consent{}};
    ASSERT_TRUE(people_->say({&off, 1}));
    EXPECT_THAT(differences(1, 1), IsEmpty()) << "who is nobody any more";
}

TEST_F(ReadingRecountTest, finds_a_list_without_a_read_and_a_hash_without_a_name) {
    ASSERT_TRUE(projection_.flush(true));
    const auto id = people_->sharers().id_of("ann");
    const auto ann = people_->sharers().reader_of(id.value_or(99)).value_or(people::Reader{});
    erase(
        read_fact_table,
        {static_cast<std::int64_t>(ann.number),
         std::int64_t{20'000},
         hash_,
         std::int64_t{20'000 * quarters_a_day}}
    );
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("is in no list of its reader")));
    erase(read_page_table, {hash_});
    EXPECT_EQ(differences().size(), 2);
}

TEST_F(ReadingRecountTest, finds_an_article_that_no_list_of_the_most_read_finds) {
    ASSERT_TRUE(projection_.flush(true));
    erase(
        rankings::rank_day_table,
        {std::string{"reading"},
         std::string{"read"},
         std::string{"people"},
         std::int64_t{20'000},
         std::int64_t{0},
         std::int64_t{lane_},
         std::string{read_twice}}
    );
    EXPECT_THAT(
        differences(),
        ElementsAre("https://a.example/: a row of 2024-10-04 is missing by which a list of the "
                    "most read finds it")
    );
    clock_.advance(std::chrono::days{33});
    EXPECT_THAT(differences(), IsEmpty()) << "no window begins there any more";
}

TEST_F(ReadingRecountTest, looks_at_no_day_that_has_ended) {
    ASSERT_TRUE(projection_.flush(true));
    erase(read_page_table, {hash_});
    EXPECT_EQ(differences().size(), 1);
    clock_.advance(std::chrono::days{31});
    EXPECT_THAT(differences(), IsEmpty());
}

}  // namespace
}  // namespace footfall::reading
