#include "webhooks/deliveries.h"

#include "foundation/siphash.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"
#include "webhooks/hook_registry.h"
#include "webhooks/schema.h"
#include "webhooks/signature.h"
#include "webhooks/test_receiver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace footfall::webhooks {
namespace {

constexpr const storage::Table* delivery_tables[] = {&webhook_table, &webhook_progress_table};

/// Changes 1, 2, 3 .. of one subject.
class Counted final : public Source {
public:
    Result<std::vector<Change>> changes(
        const std::string& subject,
        const std::string& /*filter*/,
        std::uint64_t after,
        std::size_t limit
    ) override {
        const std::lock_guard lock{mutex_};
        std::vector<Change> next;
        for (std::uint64_t number = after + 1; number <= last_ && next.size() < limit; ++number) {
            next.push_back(
                {.number = number, .json = fmt::format(R"({{"id":"{}/{}"}})", subject, number)}
            );
        }
        return next;
    }

    void say(std::uint64_t more) {
        const std::lock_guard lock{mutex_};
        last_ += more;
    }

private:
    std::mutex mutex_;
    std::uint64_t last_ = 0;  ///< Guarded by mutex_.
};

/// Ids of the changes in a body.
std::vector<std::string> ids_in(const std::string& body) {
    constexpr std::string_view before = R"("id":")";
    std::vector<std::string> ids;
    for (std::size_t at = body.find(before); at != std::string::npos; at = body.find(before, at)) {
        at += before.size();
        ids.push_back(body.substr(at, body.find('"', at) - at));
    }
    return ids;
}

class DeliveriesTest : public testing::Test {
protected:
    void SetUp() override { add("crm", receiver_.url()); }

    Hook add(const std::string& name, const std::string& url) {
        auto put = registry_.put({.name = name, .subject = "buyers", .url = url});
        EXPECT_TRUE(put) << put.error().message;
        EXPECT_TRUE(deliveries_.refresh());
        return put->hook;
    }

    /// One look for what is due, and whether something was sent.
    bool deliver() {
        const auto wait = deliveries_.deliver(poster_, {});
        EXPECT_TRUE(wait) << wait.error().message;
        return wait && wait->count() == 0;
    }

    Progress progress(const std::string& name = "crm") {
        return registry_.find(name).value().value_or(HookRegistry::Listed{}).progress;
    }

    void answer_status(int status) {
        receiver_.answer([status](const Received&) {
            return http_server::Response{.status = status};
        });
    }

    TestReceiver receiver_;
    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore disk_{delivery_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
    HookRegistry registry_{store_, clock_, Reach::anywhere};
    Counted source_;
    Deliveries deliveries_{store_, clock_, source_, {.changes_max = 10}};
    Poster poster_{{.reach = Reach::anywhere}};
};

TEST_F(DeliveriesTest, what_changes_is_sent_once_signed_and_in_order) {
    EXPECT_FALSE(deliver());
    source_.say(25);
    clock_.advance(std::chrono::seconds{1});
    while (deliver()) {
    }
    const auto received = receiver_.received();
    ASSERT_EQ(received.size(), 3);
    EXPECT_EQ(received[0].id, "crm/1-10");
    EXPECT_EQ(received[1].id, "crm/11-20");
    EXPECT_EQ(received[2].id, "crm/21-25");
    const Hook hook = registry_.find("crm").value().value_or(HookRegistry::Listed{}).hook;
    std::uint64_t number = 0;
    for (const Received& each : received) {
        EXPECT_EQ(each.signature, signature(hook.secret, each.id, clock_.now(), each.body));
        for (const std::string& id : ids_in(each.body)) {
            EXPECT_EQ(id, fmt::format("buyers/{}", ++number));
        }
    }
    EXPECT_EQ(number, 25);
    EXPECT_EQ(progress().after, 25);
    EXPECT_EQ(deliveries_.figures().delivered, 25);
    // Everything is there: nothing more is sent, also by who begins anew.
    Deliveries again{store_, clock_, source_, {}};
    ASSERT_TRUE(again.refresh());
    EXPECT_NE(again.deliver(poster_, {}).value().count(), 0);
    EXPECT_EQ(receiver_.received().size(), 3);
}

TEST_F(DeliveriesTest, what_failed_is_sent_again_as_it_was_and_later_each_time) {
    source_.say(3);
    answer_status(500);
    EXPECT_TRUE(deliver());
    EXPECT_EQ(progress().failures, 1);
    EXPECT_EQ(progress().trouble, "it answered 500");
    EXPECT_FALSE(deliver());
    source_.say(4);
    clock_.advance(wait_after(1, "crm"));
    EXPECT_TRUE(deliver());
    EXPECT_FALSE(deliver());
    clock_.advance(wait_after(2, "crm") - std::chrono::milliseconds{1});
    EXPECT_FALSE(deliver());
    answer_status(204);
    clock_.advance(std::chrono::milliseconds{1});
    EXPECT_TRUE(deliver());
    const auto received = receiver_.received();
    ASSERT_EQ(received.size(), 3);
    for (const Received& each : received) {
        EXPECT_EQ(each.id, "crm/1-3");
    }
    EXPECT_EQ(progress().failures, 0);
    EXPECT_EQ(progress().trouble, "");
    EXPECT_TRUE(deliver());
    EXPECT_EQ(receiver_.received().back().id, "crm/4-7");
}

TEST_F(DeliveriesTest, a_receiver_that_asks_for_time_gets_it_within_a_bound) {
    source_.say(1);
    receiver_.answer([](const Received&) {
        return http_server::Response{.status = 429, .headers = {{"Retry-After", "600"}}};
    });
    EXPECT_TRUE(deliver());
    EXPECT_EQ(progress().due, clock_.now() + std::chrono::seconds{600});
    receiver_.answer([](const Received&) {
        return http_server::Response{.status = 429, .headers = {{"Retry-After", "9999999"}}};
    });
    clock_.advance(std::chrono::seconds{600});
    EXPECT_TRUE(deliver());
    EXPECT_EQ(progress().due, clock_.now() + std::chrono::hours{1});
}

TEST_F(DeliveriesTest, who_fails_for_days_or_is_gone_is_given_up_until_resumed) {
    source_.say(1);
    answer_status(500);
    int requests = 0;
    while (!progress().dead && requests < 1000) {
        ASSERT_TRUE(deliver());
        ++requests;
        clock_.advance(progress().due - clock_.now());
    }
    EXPECT_GT(clock_.now() - progress().failing_since, std::chrono::hours{72});
    EXPECT_EQ(deliveries_.figures().dead, 1);
    EXPECT_FALSE(deliver());

    answer_status(200);
    EXPECT_TRUE(registry_.resume("crm").value());
    ASSERT_TRUE(deliveries_.refresh());
    EXPECT_TRUE(deliver());
    EXPECT_EQ(progress().after, 1);

    source_.say(1);
    answer_status(410);
    clock_.advance(std::chrono::seconds{1});
    EXPECT_TRUE(deliver());
    EXPECT_TRUE(progress().dead);
}

TEST_F(DeliveriesTest, one_receiver_that_fails_holds_up_no_other) {
    TestReceiver other;
    add("ads", other.url());
    answer_status(500);
    source_.say(30);
    for (int each = 0; each < 10; ++each) {
        deliver();
    }
    EXPECT_EQ(progress("ads").after, 30);
    EXPECT_EQ(progress("crm").after, 0);
    EXPECT_EQ(other.received().size(), 3);
}

TEST_F(DeliveriesTest, what_a_receiver_has_and_no_row_says_comes_again_under_the_same_ids) {
    source_.say(5);
    store_.set_options({.refuse_submit = 1});
    EXPECT_FALSE(deliveries_.deliver(poster_, {}));
    store_.set_options({});
    clock_.advance(std::chrono::seconds{1});
    EXPECT_TRUE(deliver());
    const auto received = receiver_.received();
    ASSERT_EQ(received.size(), 2);
    EXPECT_EQ(received[0].id, received[1].id);
    EXPECT_EQ(received[0].body, received[1].body);
}

TEST_F(DeliveriesTest, removed_and_replaced_hooks_are_left_alone) {
    source_.say(5);
    ASSERT_TRUE(registry_.remove("crm").value());
    ASSERT_TRUE(deliveries_.refresh());
    EXPECT_FALSE(deliver());
    EXPECT_TRUE(receiver_.received().empty());
    EXPECT_EQ(deliveries_.figures().hooks, 0);
}

/// The line of the issue: a receiver that fails half the time gets each change at least once, and
/// none that is not; whatever threads send, and whoever begins anew in between.
TEST_F(DeliveriesTest, who_fails_half_the_time_gets_each_change_and_no_other) {
    std::atomic<std::uint64_t> requests = 0;
    std::mutex mutex;
    std::set<std::string> acknowledged;
    receiver_.answer([&](const Received& received) {
        if (siphash13({5, 5}, std::to_string(++requests)) % 2 == 0) {
            return http_server::Response{.status = 500};
        }
        const std::lock_guard lock{mutex};
        for (std::string& id : ids_in(received.body)) {
            acknowledged.insert(std::move(id));
        }
        return http_server::Response{};
    });
    constexpr std::uint64_t all = 2000;
    for (int round = 0; round < 20; ++round) {
        Deliveries begun{store_, clock_, source_, {.changes_max = 10}};
        ASSERT_TRUE(begun.refresh());
        source_.say(all / 20);
        std::vector<std::thread> threads;
        threads.reserve(3);
        for (int each = 0; each < 3; ++each) {
            threads.emplace_back([&] {
                Poster poster{{.reach = Reach::anywhere}};
                for (int turn = 0; turn < 40; ++turn) {
                    EXPECT_TRUE(begun.deliver(poster, {}));
                    clock_.advance(std::chrono::hours{2} / 40);
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
    ASSERT_TRUE(deliveries_.refresh());
    for (int turn = 0; turn < 1000 && progress().after < all; ++turn) {
        deliver();
        clock_.advance(std::chrono::hours{1});
    }
    ASSERT_EQ(acknowledged.size(), all);
    for (std::uint64_t number = 1; number <= all; ++number) {
        EXPECT_TRUE(acknowledged.contains(fmt::format("buyers/{}", number))) << number;
    }
    for (const Received& each : receiver_.received()) {
        for (const std::string& id : ids_in(each.body)) {
            EXPECT_TRUE(acknowledged.contains(id)) << id;
        }
    }
}

}  // namespace
}  // namespace footfall::webhooks
