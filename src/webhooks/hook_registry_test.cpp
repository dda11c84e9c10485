#include "webhooks/hook_registry.h"

#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "webhooks/schema.h"
#include "webhooks/signature.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace footfall::webhooks {
namespace {

constexpr const storage::Table* registry_tables[] = {&webhook_table, &webhook_progress_table};

class HookRegistryTest : public testing::Test {
protected:
    HookRegistry::Put put(HookRegistry::Wanted wanted) {
        if (wanted.url.empty()) {
            wanted.url = "https://example.org/hook";
        }
        if (wanted.subject.empty()) {
            wanted.subject = "buyers";
        }
        auto put = registry_.put(wanted);
        EXPECT_TRUE(put) << put.error().message;
        return put.value_or(HookRegistry::Put{});
    }

    HookRegistry::Listed find(const std::string& name) {
        return registry_.find(name).value().value_or(HookRegistry::Listed{});
    }

    void write(const Hook& hook, const Progress& progress) {
        storage::Batch batch;
        add_progress(hook, progress, batch);
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store_{registry_tables, clock_};
    HookRegistry registry_{store_, clock_, Reach::internet};
};

TEST_F(HookRegistryTest, what_was_put_is_there_with_a_secret_of_its_own) {
    const auto one = put({.name = "crm", .filter = "www", .after = 7});
    EXPECT_TRUE(one.created);
    EXPECT_TRUE(check_secret(one.hook.secret));
    const auto two = put({.name = "ads"});
    EXPECT_NE(one.hook.secret, two.hook.secret);
    const auto listed = registry_.list();
    ASSERT_TRUE(listed);
    ASSERT_EQ(listed->size(), 2);
    EXPECT_EQ(listed->front().hook, two.hook);
    EXPECT_EQ(listed->back().hook, one.hook);
    EXPECT_EQ(listed->back().progress, Progress{.after = 7});
}

TEST_F(HookRegistryTest, another_url_goes_on_where_the_receiver_is) {
    const Hook first = put({.name = "crm"}).hook;
    const Progress progress{.after = 90, .failures = 2, .trouble = "it answered 500"};
    write(first, progress);
    clock_.advance(std::chrono::hours{1});
    const auto second = put({.name = "crm", .url = "https://example.org/other"});
    EXPECT_FALSE(second.created);
    EXPECT_EQ(second.hook.secret, first.secret);
    EXPECT_EQ(find("crm").hook.url, "https://example.org/other");
    EXPECT_EQ(find("crm").progress, progress);
}

TEST_F(HookRegistryTest, another_subject_begins_anew_and_what_is_still_on_its_way_changes_nothing) {
    const Hook first = put({.name = "crm"}).hook;
    put({.name = "crm", .subject = "readers"});
    write(first, {.after = 90});
    EXPECT_EQ(find("crm").progress, Progress{});
    put({.name = "crm", .subject = "readers", .after = 5});
    EXPECT_EQ(find("crm").progress, Progress{.after = 5});
}

TEST_F(HookRegistryTest, who_was_given_up_is_resumed_where_it_was) {
    const Hook hook = put({.name = "crm"}).hook;
    write(
        hook,
        {.after = 4,
         .through = 9,
         .failures = 30,
         .due = clock_.now() + std::chrono::hours{1},
         .failing_since = clock_.now(),
         .dead = true,
         .trouble = "it answered 500"}
    );
    EXPECT_TRUE(registry_.resume("crm").value());
    EXPECT_EQ(
        find("crm").progress, (Progress{.after = 4, .through = 9, .trouble = "it answered 500"})
    );
    EXPECT_FALSE(registry_.resume("nobody").value());
}

TEST_F(HookRegistryTest, what_was_removed_is_gone) {
    put({.name = "crm"});
    EXPECT_TRUE(registry_.remove("crm").value());
    EXPECT_FALSE(registry_.remove("crm").value());
    EXPECT_TRUE(registry_.list()->empty());
    EXPECT_TRUE(read_progress(store_)->empty());
}

TEST_F(HookRegistryTest, bad_input_says_what_is_wrong_and_changes_nothing) {
    const auto wrong = [&](HookRegistry::Wanted wanted) {
        wanted.subject = "buyers";
        const auto put = registry_.put(wanted);
        EXPECT_FALSE(put);
        return put ? ErrorKind::corrupt : put.error().kind;
    };
    const std::string url = "https://example.org/";
    const auto invalid = ErrorKind::invalid_input;
    EXPECT_EQ(wrong({.name = "", .url = url}), invalid);
    EXPECT_EQ(wrong({.name = "a b", .url = url}), invalid);
    EXPECT_EQ(wrong({.name = std::string(65, 'a'), .url = url}), invalid);
    EXPECT_EQ(wrong({.name = "a", .url = "https://169.254.169.254/"}), invalid);
    EXPECT_EQ(wrong({.name = "a", .url = url, .secret = "short"}), invalid);
    EXPECT_TRUE(registry_.list()->empty());
}

TEST_F(HookRegistryTest, there_is_a_bound) {
    for (std::size_t each = 0; each < HookRegistry::hooks_max; ++each) {
        put({.name = fmt::format("hook-{}", each)});
    }
    const auto more =
        registry_.put({.name = "more", .subject = "a", .url = "https://example.org/"});
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().kind, ErrorKind::conflict);
    put({.name = "hook-7", .url = "https://example.org/again"});
}

}  // namespace
}  // namespace footfall::webhooks
