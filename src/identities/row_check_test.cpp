#include "identities/row_check.h"

#include "foundation/testing/test_seed.h"
#include "identities/identities.h"
#include "identities/schema.h"
#include "identities/test_facts.h"
#include "identities/test_history.h"
#include "identities/test_rows.h"
#include "identities/test_telling.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RowCheckTest : public testing::Test {
protected:
    void take(const std::vector<Fact>& facts) {
        Identities identities{store_, clock_, {.secret = rows_secret, .log = 1}};
        for (std::size_t at = 0; at < facts.size(); ++at) {
            tell(identities, 5, at, facts[at]);
        }
        ASSERT_TRUE(identities.flush(true));
    }

    std::vector<std::string> differences(std::size_t facts_max = 20'000) {
        RowCheck check{
            store_, {.secret = rows_secret, .facts_max = facts_max, .later_facts_max = facts_max}
        };
        const Result<void> run = check.run([] { return Result<void>{}; });
        EXPECT_TRUE(run) << run.error().message;
        ids_ = check.ids();
        return check.differences();
    }

    /// Changes the first row of a table of which `choose` holds: to be erased, or put in its place.
    void change(
        const storage::Table& table,
        const std::function<bool(const std::vector<storage::Value>&)>& choose,
        const std::function<void(std::vector<storage::Value>&)>& alter = {}
    ) {
        storage::Batch batch;
        for_each_row(store_, table, [&](const storage::Rows& rows, std::size_t row) {
            std::vector<storage::Value> values;
            values.reserve(table.width());
            for (std::size_t at = 0; at < table.width(); ++at) {
                values.push_back(rows.at(row, at).owned());
            }
            if (!batch.empty() || !choose(values)) {
                return;
            }
            if (alter) {
                alter(values);
                batch.upsert(table, storage::views_of(values));
            } else {
                values.resize(table.key_width());
                batch.erase(table, storage::views_of(values));
            }
        });
        ASSERT_FALSE(batch.empty()) << "no such row of " << table.name;
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    static std::function<bool(const std::vector<storage::Value>&)> has(
        std::size_t column, const std::string& text
    ) {
        return [=](const std::vector<storage::Value>& row) {
            return std::get<std::string>(row[column]) == text;
        };
    }

    static bool any(const std::vector<storage::Value>& /*row*/) { return true; }

    const std::vector<Fact> facts_{
        link(1, {"web:a", "mail:b"}),
        link(2, {"mail:b", "app:c"}),
        link(3, {"web:x", "mail:y"}),
        parting(4, {"web:x"}, {"web:a"}),
        link(5, {"web:x", "mail:b"})
    };
    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
    std::uint64_t ids_ = 0;
};

TEST_F(RowCheckTest, is_silent_on_what_is_sound) {
    EXPECT_THAT(differences(), IsEmpty());
    take(facts_);
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_EQ(ids_, 5U);
    const std::uint64_t seed = test_seed();
    SCOPED_TRACE(seed);
    Random random{seed};
    for (int round = 0; round < 20; ++round) {
        History history{random()};
        std::vector<Fact> said;
        constexpr int steps = 40;
        said.reserve(steps);
        for (int step = 0; step < steps; ++step) {
            said.push_back(history.step());
        }
        take(said);
        EXPECT_THAT(differences(), IsEmpty());
    }
}

TEST_F(RowCheckTest, names_an_id_whose_entry_is_missing_or_wrong) {
    take(facts_);
    change(profile_index_table, has(3, "c"));
    EXPECT_THAT(
        differences(), ElementsAre(HasSubstr("app/user/c: the index says no profile; by the facts"))
    );
    take(facts_);
    EXPECT_THAT(differences(), IsEmpty()) << "settling brings it back";
    change(profile_index_table, has(3, "c"), [](auto& row) { row[5] = std::int64_t{1}; });
    EXPECT_THAT(differences(), ElementsAre(HasSubstr(", shared; by the facts it is in profile")));
}

TEST_F(RowCheckTest, names_an_id_of_which_nothing_is_said) {
    take(facts_);
    change(profile_index_table, has(3, "c"), [](auto& row) { row[3] = "nobody"; });
    EXPECT_THAT(
        differences(),
        ElementsAre("app/user/nobody: an entry of the index stands where nobody looks for it")
    );
    storage::Batch batch;
    add_index_entry(id_of("app:d"), {.sid = "a"}, {}, batch);
    ASSERT_TRUE(storage::write_durably(store_, batch));
    EXPECT_THAT(
        differences(),
        Contains("app/user/d: the index says profile a; by the facts it is in no profile")
    );
}

TEST_F(RowCheckTest, names_what_stands_in_a_wrong_place_and_not_what_a_doubling_explains) {
    take(facts_);
    // An id that goes elsewhere when its network doubles.
    const Id id = id_of("app:c");
    int level = least_index_level;
    while (index_partition(id, level) == index_partition(id, level + 1)) {
        ++level;
        ASSERT_TRUE(IndexLevels{store_}.raise("app", {.level = level}));
    }
    const auto write = [&](int at, const std::string& sid) {
        storage::Batch batch;
        add_index_entry_at(id, {.sid = sid}, at, batch);
        ASSERT_TRUE(storage::write_durably(store_, batch));
    };
    const auto erase = [&](int at) {
        storage::Batch batch;
        erase_index_entry(id, index_partition(id, at), batch);
        ASSERT_TRUE(storage::write_durably(store_, batch));
    };
    const std::string sid = sid_of(rows_secret, id_of("mail:b"));
    const std::string other = sid_of(rows_secret, id);
    erase(least_index_level);
    write(level, sid);
    EXPECT_THAT(differences(), IsEmpty());
    const auto raise = [&](IndexPhase phase) {
        ASSERT_TRUE(IndexLevels{store_}.raise("app", {.level = level + 1, .phase = phase}));
    };
    raise(IndexPhase::copying);
    EXPECT_THAT(differences(), IsEmpty()) << "not copied yet";
    write(level + 1, other);
    EXPECT_THAT(differences(), IsEmpty()) << "it is copied again";
    raise(IndexPhase::reading);
    EXPECT_THAT(differences(), Contains(HasSubstr("app/user/c: the index says two things of it")));
    write(level + 1, sid);
    EXPECT_THAT(differences(), IsEmpty());
    erase(level);
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("in one of two places only")));
    write(level, other);
    raise(IndexPhase::emptying);
    EXPECT_THAT(differences(), IsEmpty())
        << "nobody looks at the old place, which is not erased yet";
    raise(IndexPhase::at_rest);
    EXPECT_THAT(
        differences(),
        ElementsAre("app/user/c: an entry of the index stands where nobody looks for it")
    );
}

TEST_F(RowCheckTest, names_a_profile_whose_rows_are_missing_or_wrong) {
    take(facts_);
    change(profile_table, has(1, "app"));
    EXPECT_THAT(
        differences(), ElementsAre(HasSubstr(": 2 ids in its rows; by the facts it has 3"))
    );
    take(facts_);
    change(profile_table, has(1, "app"), [](auto& row) {
        row[4] = std::string{R"([["user","c",7,"shop"]])"};
    });
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("its rows say other ids, times or sources")));
    take(facts_);
    change(profile_table, has(1, "app"), [](auto& row) { row[4] = std::string{"{"}; });
    EXPECT_THAT(differences(), Contains(HasSubstr("a row of profiles is damaged")));
}

TEST_F(RowCheckTest, names_a_profile_that_nothing_leads_to) {
    take(facts_);
    constexpr const char* sid = "7b1c2a0e-93d5-5f0e-8a53-9f8f0c7f2d11";
    change(profile_table, has(1, "app"), [](auto& row) { row[0] = stored_sid(sid); });
    EXPECT_THAT(
        differences(), ElementsAre(fmt::format("profile {}: no id of it leads to it", sid))
    );
}

/// Its rows were left by somebody who was overtaken: it has the name of one of the ids.
TEST_F(RowCheckTest, names_a_profile_that_was_to_be_erased) {
    take(facts_);
    const std::string sid = sid_of(rows_secret, id_of("app:c"));
    change(profile_table, has(1, "app"), [&](auto& row) { row[0] = stored_sid(sid); });
    EXPECT_THAT(
        differences(),
        Contains(fmt::format("profile {}: 1 ids in its rows; by the facts it is none", sid))
    );
}

TEST_F(RowCheckTest, names_a_sid_that_leads_elsewhere) {
    std::vector<Fact> facts{link(1, {"web:a", "mail:b"}), link(2, {"app:c", "tel:d"})};
    take(facts);
    facts.push_back(link(3, {"mail:b", "app:c"}));
    take(facts);
    EXPECT_THAT(differences(), IsEmpty());
    change(sid_anchor_table, has(3, "c"), [](auto& row) { row[3] = "x"; });
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("is said to be of app/user/x, and is not")));
}

TEST_F(RowCheckTest, names_a_fact_that_is_not_found_or_not_whole) {
    take(facts_);
    const std::string fact(facts_[1].id.bytes.begin(), facts_[1].id.bytes.end());
    const std::string name = text_of(facts_[1].id);
    change(fact_anchor_table, has(0, fact));
    EXPECT_THAT(differences(), Contains(HasSubstr("it is not found by its name")));
    take(facts_);
    change(fact_anchor_table, has(0, fact), [](auto& row) { row[3] = "elsewhere"; });
    EXPECT_THAT(
        differences(), Contains(fmt::format("fact {} is looked for where no row of it is", name))
    );
    take(facts_);
    change(identity_fact_table, [&](const auto& row) {
        return has(3, fact)(row) && has(2, "c")(row);
    });
    EXPECT_THAT(
        differences(),
        Contains(fmt::format("fact {} has a row under mail/user/b and none under app/user/c", name))
    );
    take(facts_);
    change(identity_fact_table, has(3, fact), [](auto& row) { row[12] = "else"; });
    EXPECT_THAT(differences(), Contains(HasSubstr("it says something else than its name does")));
    take(facts_);
    change(identity_fact_table, has(3, fact), [](auto& row) { row[9] = std::int64_t{1}; });
    EXPECT_THAT(differences(), Contains(HasSubstr("under app/user/c and mail/user/b differ")));
}

TEST_F(RowCheckTest, looks_at_profiles_one_by_one_where_too_much_hangs_together) {
    std::vector<Fact> chain;
    for (int person = 0; person < 10; ++person) {
        const std::string web = fmt::format("web:{}", person);
        const std::string mail = fmt::format("mail:{}", person);
        chain.push_back(link(person, {web, mail}));
        if (person > 0) {
            chain.push_back(parting(20, {web}, {fmt::format("web:{}", person - 1)}));
            chain.push_back(link(30, {mail, fmt::format("mail:{}", person - 1)}));
        }
    }
    take(chain);
    constexpr std::size_t facts_max = 20;
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_THAT(differences(facts_max), IsEmpty());
    change(profile_index_table, has(3, "7"));
    EXPECT_THAT(differences(facts_max), Contains(HasSubstr("user/7: the rows of its profile")));
    take(chain);
    EXPECT_THAT(differences(facts_max), IsEmpty());
    change(identity_contested_table, any);
    EXPECT_THAT(differences(facts_max), Contains(HasSubstr("the rows of its profile")));
}

TEST_F(RowCheckTest, says_what_it_did_not_check) {
    take(facts_);
    EXPECT_THAT(
        differences(2), Contains(HasSubstr("more than 2 statements hang together with these ids"))
    );
    const Guards guards{.profile_ids = 2};
    ASSERT_NO_FATAL_FAILURE(write_guards(store_, guards));
    EXPECT_THAT(
        differences(), ElementsAre(HasSubstr("guards of version 1 are not worked off yet"))
    );
}

TEST_F(RowCheckTest, looks_again_before_it_tells) {
    take(facts_);
    change(profile_index_table, has(3, "c"));
    RowCheck check{store_, {.secret = rows_secret}};
    ASSERT_TRUE(check.run([&] {
        take(facts_);
        return Result<void>{};
    }));
    EXPECT_THAT(check.differences(), IsEmpty());
}

}  // namespace
}  // namespace footfall::identities
