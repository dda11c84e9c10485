#include "identities/contested_rows.h"

#include "foundation/clock.h"
#include "identities/schema.h"
#include "identities/test_facts.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <optional>
#include <set>
#include <vector>

namespace footfall::identities {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class ContestedRowsTest : public testing::Test {
protected:
    /// Every tenth link is objected to by a parting, the others by a shared id.
    void write_links(int count) {
        storage::Batch batch;
        for (int number = 0; number < count; ++number) {
            const Fact said = link(1, {"web:a", fmt::format("mail:m{}", number)});
            const Objection objection = number % 10 == 0 ? Objection::parting : Objection::shared;
            add_contested({.fact = said.id, .ids = said.ids, .objection = objection}, batch);
        }
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    /// Goes on until there are no more; of each page it counts the links.
    std::vector<std::size_t> walk(ContestedAsked asked, std::set<FactId>& found) {
        std::vector<std::size_t> pages;
        do {
            const auto page = contested_after(store_, asked);
            EXPECT_TRUE(page);
            pages.push_back(page->links.size());
            for (const Contested& each : page->links) {
                EXPECT_TRUE(!asked.objection || each.objection == *asked.objection);
                EXPECT_TRUE(found.insert(each.fact).second) << "told twice";
            }
            asked.after = page->next;
        } while (asked.after);
        return pages;
    }

    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
};

TEST_F(ContestedRowsTest, are_told_page_by_page_each_once) {
    write_links(95);
    std::set<FactId> found;
    EXPECT_THAT(walk({.most = 10}, found), SizeIs(10));
    EXPECT_THAT(found, SizeIs(95));
}

TEST_F(ContestedRowsTest, of_one_objection_leave_others_out) {
    write_links(95);
    std::set<FactId> found;
    EXPECT_EQ(
        walk({.objection = Objection::parting, .most = 4}, found), (std::vector{4UL, 4UL, 2UL})
    );
    std::set<FactId> none;
    EXPECT_EQ(walk({.objection = Objection::per_profile}, none), (std::vector{0UL}));
    EXPECT_THAT(none, IsEmpty());
}

TEST_F(ContestedRowsTest, that_are_far_between_end_a_page_early_and_it_goes_on) {
    write_links(95);
    std::set<FactId> found;
    const auto pages =
        walk({.objection = Objection::parting, .most = 100, .looked_at_most = 20}, found);
    EXPECT_THAT(pages, SizeIs(5));
    EXPECT_THAT(found, SizeIs(10));
}

}  // namespace
}  // namespace footfall::identities
