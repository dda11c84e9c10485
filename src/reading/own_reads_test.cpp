#include "reading/own_reads.h"

#include "events/event_keys.h"
#include "people/sharers.h"
#include "reading/schema.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr SipKey own_secret{17, 4};
constexpr std::uint64_t ann = 7;

class OwnReadsTest : public testing::Test {
protected:
    void read(std::uint64_t reader, const std::string& url) {
        events::JudgedEvent judged;
        judged.event = {.time = clock_.now(), .action = "read", .object = url};
        judged.read = events::ReadBy{.reader = reader};
        const projecting::JudgedRecord record{.offset = offset_++, .judged = &judged, .person = {}};
        readership_.apply(events::lane_of(url, own_secret), {&record, 1});
    }

    std::vector<std::string> listed() {
        std::vector<std::string> urls;
        const auto own = own_reads(readership_, {.formers = {}, .present = ann});
        EXPECT_TRUE(own);
        for (const OwnRead& each : own.value_or(std::vector<OwnRead>{})) {
            urls.push_back(each.url);
        }
        return urls;
    }

    std::size_t rows() {
        return storage::scan_page(store_, {.table = &read_fact_table})->rows.size() +
               storage::scan_page(store_, {.table = &read_page_table})->rows.size();
    }

    ManualClock clock_{Instant{std::chrono::days{20'000}} + 12h};
    storage::MemoryStore store_{all_tables, clock_};
    people::Sharers sharers_{own_secret};
    Readership readership_{store_, clock_, sharers_, {.secret = own_secret}};
    std::uint64_t offset_ = 0;
};

TEST_F(OwnReadsTest, a_list_has_what_waits_and_what_is_stored_and_writes_nothing) {
    read(ann, "https://a.example/");
    read(8, "https://of-bob.example/");
    EXPECT_THAT(listed(), ElementsAre("https://a.example/"));
    EXPECT_EQ(rows(), 0);
    ASSERT_TRUE(readership_.flush(true));
    EXPECT_EQ(rows(), 4);
    EXPECT_THAT(listed(), ElementsAre("https://a.example/"));
    clock_.advance(15min);
    read(ann, "https://of-bob.example/");  // its name is stored, the fact waits
    read(ann, "https://b.example/");
    EXPECT_THAT(
        listed(), ElementsAre("https://b.example/", "https://of-bob.example/", "https://a.example/")
    );
    EXPECT_EQ(rows(), 4);
}

TEST_F(OwnReadsTest, what_waits_ends_with_its_last_day_as_what_is_stored) {
    read(ann, "https://a.example/");
    clock_.set(std::chrono::floor<std::chrono::days>(clock_.now()) + 31 * 24h - 1us);
    EXPECT_THAT(listed(), ElementsAre("https://a.example/"));
    clock_.advance(1us);
    EXPECT_THAT(listed(), IsEmpty());
}

}  // namespace
}  // namespace footfall::reading
