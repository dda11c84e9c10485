// What an operator lifts unites again, with all that was said before, until the lift is revoked.
#include "identities/identities.h"
#include "identities/row_check.h"
#include "identities/test_facts.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class LiftTest : public testing::Test {
protected:
    /// A kiosk with so many others, each of its own, all of one log.
    void say_kiosk(std::size_t others) {
        for (std::size_t number = 0; number < others; ++number) {
            say(link(static_cast<std::int64_t>(number), {kiosk, fmt::format("mail:m{}", number)}));
        }
        flush();
    }

    void say(const Fact& fact) {
        tell(*identities_, identities_->lane_of(fact.ids), said_.size(), fact);
        said_.push_back(fact);
    }

    void flush() { ASSERT_TRUE(identities_->flush(true)); }

    void use(const Guards& guards) {
        identities_ = std::make_unique<Identities>(
            store_, clock_, Identities::Options{.secret = rows_secret, .log = 1, .guards = guards}
        );
        guards_ = guards;
    }

    void expect_what_follows() {
        ASSERT_NO_FATAL_FAILURE(expect_rows_follow(store_, said_, guards_));
        RowCheck check{store_, {.secret = rows_secret}};
        ASSERT_TRUE(check.run([] { return Result<void>{}; }));
        EXPECT_THAT(check.differences(), IsEmpty());
    }

    bool is_shared() { return rows_there(store_).index.at(id_of(kiosk)).shared; }

    std::optional<IndexEntry> entry_at(std::int64_t second) {
        auto entry = identities_->settling().entry_at(id_of("mail:m7"), at_second(second));
        EXPECT_TRUE(entry);
        return *std::move(entry);
    }

    static constexpr const char* kiosk = "web:kiosk";

    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
    Guards guards_;
    std::unique_ptr<Identities> identities_ = std::make_unique<Identities>(
        store_, clock_, Identities::Options{.secret = rows_secret, .log = 1}
    );
    std::vector<Fact> said_;
};

TEST_F(LiftTest, what_was_said_before_unites_until_the_lift_is_revoked) {
    say_kiosk(100);
    ASSERT_TRUE(is_shared());
    const RowsOfProfiles before = rows_there(store_);
    say(lift(200, kiosk));
    flush();
    EXPECT_FALSE(is_shared());
    EXPECT_THAT(rows_there(store_).profiles, SizeIs(1));
    EXPECT_THAT(rows_there(store_).contested, IsEmpty());
    expect_what_follows();
    say(link(300, {kiosk, "mail:later"}));
    flush();
    EXPECT_THAT(rows_there(store_).profiles, SizeIs(1)) << "what is said later, too";
    expect_what_follows();
    say(decision(FactKind::revoke, 400, said_[said_.size() - 2]));
    flush();
    EXPECT_TRUE(is_shared());
    EXPECT_THAT(rows_there(store_).profiles, SizeIs(before.profiles.size() + 1));
    expect_what_follows();
    say(lift(500, kiosk));
    flush();
    EXPECT_FALSE(is_shared()) << "the later decision holds";
    expect_what_follows();
}

/// More than are read of an id that is not known to be shared: links of which nothing is read when
/// it is found so are contested by another guard until then.
TEST_F(LiftTest, of_thousands_all_rows_follow) {
    say_kiosk(5000);
    say(lift(6000, kiosk));
    flush();
    EXPECT_FALSE(is_shared());
    ASSERT_NO_FATAL_FAILURE(expect_rows_follow(store_, said_, guards_));
    EXPECT_THAT(rows_there(store_).contested, SizeIs(5000 - 999)) << "so many are too many";
    say(decision(FactKind::revoke, 7000, said_.back()));
    flush();
    EXPECT_TRUE(is_shared());
    expect_rows_follow(store_, said_, guards_);
}

TEST_F(LiftTest, those_that_stand_for_nobody_stay_shared) {
    use({.shared_above = 2, .identifiers = {{"web", {.never = {"kiosk"}}}}});
    say_kiosk(4);
    say(lift(10, kiosk));
    flush();
    EXPECT_TRUE(is_shared());
    expect_rows_follow(store_, said_, guards_);
}

TEST_F(LiftTest, what_grows_beyond_all_bounds_is_shared_again) {
    use({.shared_above = 2, .lifted_above = 4});
    say_kiosk(4);
    ASSERT_TRUE(is_shared());
    say(lift(10, kiosk));
    flush();
    EXPECT_FALSE(is_shared());
    say(link(20, {kiosk, "mail:one-too-many"}));
    flush();
    EXPECT_TRUE(is_shared());
    expect_rows_follow(store_, said_, guards_);
}

TEST_F(LiftTest, before_it_the_past_is_as_it_was) {
    say_kiosk(100);
    say(lift(200, kiosk));
    flush();
    EXPECT_EQ(entry_at(199), (IndexEntry{.sid = sid_of(rows_secret, id_of("mail:m7"))}));
    EXPECT_EQ(entry_at(200), (IndexEntry{.sid = sid_of(rows_secret, id_of("mail:m0"))}));
}

}  // namespace
}  // namespace footfall::identities
