// Keys that are destroyed, on the real store: an hour later they are in no file, and what was
// sealed under them is nobody's. By an injected clock; with files as they are and compressed.
#include "events/verdict.h"
#include "foundation_testing/files_below.h"
#include "foundation_testing/temporary_directory.h"
#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "people/key_care.h"
#include "people/people.h"
#include "people/read_door.h"
#include "people/schema.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage_rocksdb/rocks_store.h"
#include "test_support/must.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using namespace test_support;

constexpr SipKey secret{5, 6};
const Instant noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 12h};

class KeyShred : public testing::TestWithParam<bool> {
protected:
    void SetUp() override { open(); }

    /// Also once more, as another process: it knows what is in the files, and no more.
    void open() {
        care_.reset();
        log_.reset();
        days_.reset();
        people_.reset();
        store_.reset();
        std::vector<const storage::Table*> tables{
            &storage::deployment_table,
            &journal_rocksdb::log_block_table,
            &journal_rocksdb::log_lane_table,
            &journal_rocksdb::log_begin_table
        };
        tables.insert(tables.end(), people::all_tables.begin(), people::all_tables.end());
        store_ = must(storage_rocksdb::RocksStore::open(
            {.directory = directory_.path(), .tables = tables, .compress = GetParam()},
            clock_,
            metrics_
        ));
        people_ = must(people::People::open(*store_, clock_, {.secret = secret}));
        days_ = must(people::DayKeys::open(*store_, clock_, {}));
        log_ = must(journal_rocksdb::StoreLog::open(*store_));
        care_ = std::make_unique<people::KeyCare>(*days_, *store_, clock_);
        must(care_->turn());
    }

    void say(const std::string& actor, people::Reading reading) {
        const people::Said said{.actor = actor, .consent = people::Consent{.reading = reading}};
        must(must(people_->say({&said, 1})).front());
    }

    /// The key in a row of one of the secret tables.
    std::string key_in(const storage::Table& table, storage::Value of) {
        const auto row = must(storage::read_one(*store_, table, {std::move(of)}));
        return row ? std::get<std::string>(row->back()) : "no such row";
    }

    bool is_there(const std::string& bytes) { return is_in_files_below(directory_.path(), bytes); }

    bool goes(const std::string& bytes) { return goes_from_files_below(directory_.path(), bytes); }

    people::ReadDoor door() {
        return {people_->sharers(), *days_, clock_, {.secret = secret, .salt = 9}};
    }

    void read_by(const std::string& actor) {
        events::JudgedEvent judged;
        judged.event = {
            .id = "of-" + actor,
            .time = clock_.now(),
            .action = "read",
            .object = "https://news.example/a",
            .actor = actor
        };
        judged.arrival = clock_.now();
        const people::ReadDoor reads = door();
        reads.take(judged);
        reads.seals().seal(judged);
        std::string record;
        append_judged(judged, record);
        const std::string_view view{record};
        must(storage::wait_durable(*store_, must(log_->append(0, {&view, 1}))));
    }

    /// Who read, of each record of the log; "" is nobody.
    std::vector<std::string> readers() {
        std::vector<std::string> actors;
        const auto records = must(log_->read(0, 0, {}));
        for (std::size_t at = 0; at < records.size(); ++at) {
            auto judged = std::get<events::JudgedEvent>(must(events::read_record(records[at])));
            door().seals().open(judged);
            actors.push_back(judged.event.actor);
        }
        return actors;
    }

    /// Turns, as they come in that time.
    void pass(std::chrono::minutes time) {
        for (auto passed = 0min; passed < time; passed += people::KeyCare::usual_period) {
            clock_.advance(people::KeyCare::usual_period);
            must(care_->turn());
        }
    }

    const TemporaryDirectory directory_;
    ManualClock clock_{noon};
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<people::People> people_;
    std::unique_ptr<people::DayKeys> days_;
    std::unique_ptr<journal_rocksdb::StoreLog> log_;
    std::unique_ptr<people::KeyCare> care_;
};

TEST_P(KeyShred, the_key_of_who_is_off_is_in_no_file_an_hour_later) {
    say("ann", people::Reading::shared);
    say("bob", people::Reading::shared);
    const std::string of_ann = key_in(people::reader_key_table, "ann");
    const std::string of_bob = key_in(people::reader_key_table, "bob");
    EXPECT_TRUE(is_there(of_ann)) << "in the write-ahead log";
    pass(40min);
    EXPECT_TRUE(is_there(of_ann)) << "in a file of the table";
    read_by("ann");
    read_by("bob");
    EXPECT_EQ(readers(), (std::vector<std::string>{"ann", "bob"}));
    say("ann", people::Reading::off);
    EXPECT_TRUE(is_there(of_ann)) << "erasing alone leaves it";
    pass(60min);
    EXPECT_TRUE(goes(of_ann));
    EXPECT_TRUE(is_there(of_bob));
    EXPECT_EQ(readers(), (std::vector<std::string>{"", "bob"}));
    open();
    EXPECT_EQ(readers(), (std::vector<std::string>{"", "bob"}));
    say("ann", people::Reading::shared);
    EXPECT_EQ(readers().front(), "") << "with another key";
}

TEST_P(KeyShred, the_key_of_a_day_is_in_no_file_an_hour_after_its_facts_end) {
    say("ann", people::Reading::shared);
    read_by("ann");
    const people::UtcDay day = people::utc_day_of(noon);
    const std::string of_day = key_in(people::day_key_table, std::int64_t{day});
    const std::string of_next = key_in(people::day_key_table, std::int64_t{day + 1});
    clock_.set(noon + 30 * 24h + 12h - 1us);
    must(care_->turn());
    EXPECT_TRUE(is_there(of_day)) << "a microsecond before the last midnight";
    EXPECT_EQ(readers().front(), "ann");
    clock_.advance(1us);
    EXPECT_EQ(readers().front(), "") << "whether the key is still in a file or not";
    pass(60min);
    EXPECT_TRUE(goes(of_day));
    EXPECT_TRUE(is_there(of_next));
    clock_.set(noon);  // what a clock that is set back brings to life again
    EXPECT_EQ(readers().front(), "");
}

TEST_P(KeyShred, what_a_process_left_that_was_killed_goes_when_the_next_one_starts) {
    say("ann", people::Reading::shared);
    const std::string of_ann = key_in(people::reader_key_table, "ann");
    say("ann", people::Reading::off);
    EXPECT_TRUE(is_there(of_ann));
    open();
    EXPECT_TRUE(goes(of_ann));
}

INSTANTIATE_TEST_SUITE_P(
    Files,
    KeyShred,
    testing::Bool(),
    [](const testing::TestParamInfo<bool>& info) {
        return info.param ? "compressed" : "uncompressed";
    }
);

}  // namespace
}  // namespace footfall
