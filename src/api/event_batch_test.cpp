#include "api/event_batch.h"

#include "api/event_batch_turns.h"
#include "api/test_world.h"

#include <boost/asio/io_context.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace footfall::api {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

/// Says that everything is durable at once.
class NoWriter final : public journal::Writer {
public:
    std::uint32_t lanes() const override { return 1; }

    Result<storage::CommitPosition> append(std::uint32_t, std::span<const std::string_view>)
        override {
        return 0;
    }

    bool is_in(const storage::Store&) const override { return true; }

    bool durable(storage::CommitPosition) const override { return true; }

    void when_durable(storage::CommitPosition, storage::DurableDone done) override { done({}); }
};

/// Keeps the objects of what it takes, turn by turn; and does what a test says, before.
class Notes final : public intake::Collector {
public:
    Result<intake::Taken> collect(intake::Arrived arrived) override {
        const std::string first = arrived.events.empty() ? "" : arrived.events.front().object;
        if (before) {
            TRY_VOID(before(first));
        }
        const std::lock_guard lock{mutex_};
        turns_.push_back(first);
        for (const events::Event& each : arrived.events) {
            ids_.push_back(each.id);
        }
        changed_.notify_all();
        return intake::Taken{.position = turns_.size()};
    }

    Result<void> say_each(std::span<const events::ControlInLane>) override {
        return fail(ErrorKind::unavailable, "nobody says anything here");
    }

    journal::Writer& writer() override { return writer_; }

    Result<void> health() const override { return {}; }

    /// Whether an event of this object comes first in a turn, within some seconds.
    bool wait_for(const std::string& object) {
        std::unique_lock lock{mutex_};
        return changed_.wait_for(lock, 20s, [&] {
            return std::ranges::find(turns_, object) != turns_.end();
        });
    }

    std::vector<std::string> turns() {
        const std::lock_guard lock{mutex_};
        return turns_;
    }

    std::vector<std::string> ids() {
        const std::lock_guard lock{mutex_};
        return ids_;
    }

    std::function<Result<void>(const std::string& object)> before;

private:
    NoWriter writer_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> turns_;  // guarded by mutex_
    std::vector<std::string> ids_;    // guarded by mutex_
};

std::string events_of(const std::string& object, int events) {
    std::string lines;
    for (int event = 0; event < events; ++event) {
        lines += fmt::format(
            R"({{"id":"{0}{1}","action":"view","object":"{0}"}})"
            "\n",
            object,
            event
        );
    }
    return lines;
}

class EventBatchesTest : public testing::Test {
protected:
    /// Several of them are on their way at a time; finish() waits for all.
    OneExchange& post(const std::string& body) {
        bodies_.push_back(std::make_unique<std::string>(body));
        http_server::Request request;
        request.method = http_server::Method::post;
        request.body = *bodies_.back();
        exchanges_.push_back(std::make_unique<OneExchange>(std::move(request)));
        OneExchange& exchange = *exchanges_.back();
        runtime::spawn(context_.get_executor(), "test", batches_.post(&exchange));
        context_.restart();
        context_.poll();  // as far as it goes without the pool
        context_.restart();
        return exchange;
    }

    void finish() { context_.run(); }

    std::latch all_posted_{1};
    KeyWorld world_;
    Notes notes_;
    std::vector<std::unique_ptr<std::string>> bodies_;
    std::vector<std::unique_ptr<OneExchange>> exchanges_;
    boost::asio::io_context context_{1};
    EventBatches batches_{notes_, world_.store, world_.clock, 1};
};

TEST_F(EventBatchesTest, a_single_event_does_not_wait_for_a_batch) {
    bool passed = false;
    notes_.before = [&](const std::string& object) -> Result<void> {
        if (object == "many") {
            passed = passed || notes_.wait_for("one");
        }
        return {};
    };
    OneExchange& batch = post(events_of("many", 1000));
    OneExchange& single = post(events_of("one", 1));
    finish();
    EXPECT_TRUE(passed) << "the single event came after the batch";
    EXPECT_EQ(single.response().status, 200);
    EXPECT_THAT(batch.response().body, HasSubstr(R"("accepted":1000)"));
}

TEST_F(EventBatchesTest, an_event_of_the_public_door_does_not_wait_for_a_batch) {
    bool passed = false;
    notes_.before = [&](const std::string& object) -> Result<void> {
        if (object == "many") {
            passed = passed || notes_.wait_for("seen");
        }
        return {};
    };
    OneExchange& batch = post(events_of("many", 1000));
    OneExchange pixel{http_server::Request{}};
    CollectedEvent seen;
    seen.event.object = "seen";
    runtime::spawn(context_.get_executor(), "test", batches_.take_one(&pixel, std::move(seen)));
    finish();
    EXPECT_TRUE(passed);
    EXPECT_EQ(pixel.response().status, 200);
    EXPECT_EQ(batch.response().status, 200);
}

TEST_F(EventBatchesTest, batches_take_turns) {
    notes_.before = [&](const std::string& object) -> Result<void> {
        if (object == "a" && notes_.turns().empty()) {
            all_posted_.wait();
        }
        return {};
    };
    OneExchange& first = post(events_of("a", 9000));
    OneExchange& second = post(events_of("b", 600));
    all_posted_.count_down();
    finish();
    const std::vector<std::string> turns = notes_.turns();
    EXPECT_LT(std::ranges::find(turns, "b") - turns.begin(), 2) << "after the first turn of a";
    EXPECT_EQ(turns.back(), "a");
    EXPECT_THAT(first.response().body, HasSubstr(R"("accepted":9000)"));
    EXPECT_THAT(second.response().body, HasSubstr(R"("accepted":600)"));
}

TEST_F(EventBatchesTest, the_events_of_a_batch_are_taken_in_their_order) {
    OneExchange& batch = post(events_of("a", 5000));
    finish();
    EXPECT_GT(notes_.turns().size(), 1U);
    EXPECT_EQ(batch.response().hold_until, notes_.turns().size()) << "of the last turn";
    std::vector<std::string> expected;
    expected.reserve(5000);
    for (int event = 0; event < 5000; ++event) {
        expected.push_back(fmt::format("a{}", event));
    }
    EXPECT_EQ(notes_.ids(), expected);
}

TEST_F(EventBatchesTest, a_failure_says_whether_something_was_taken) {
    int turns = 0;
    int good = 0;
    notes_.before = [&](const std::string&) -> Result<void> {
        return turns++ < good ? Result<void>{} : fail(ErrorKind::overloaded, "no room");
    };
    OneExchange& none = post(events_of("a", 3000));
    finish();
    EXPECT_EQ(none.response().status, 503);
    EXPECT_THAT(none.response().body, HasSubstr("nothing of the batch was taken"));
    turns = 0;
    good = 1;
    OneExchange& some = post(events_of("a", 3000));
    finish();
    EXPECT_THAT(some.response().body, HasSubstr("/problems/outcome-unknown"));
    EXPECT_THAT(some.response().body, HasSubstr("some events of the batch may have been taken"));
}

TEST_F(EventBatchesTest, a_stop_waits_for_what_is_begun_and_not_for_the_queue) {
    notes_.before = [&](const std::string&) -> Result<void> {
        all_posted_.wait();
        return {};
    };
    std::vector<OneExchange*> posted;
    for (const char* const object : {"a", "b", "c", "d"}) {
        posted.push_back(&post(events_of(object, 3000)));
    }
    batches_.refuse_waiting();
    OneExchange& late = post(events_of("late", 2));
    all_posted_.count_down();
    finish();
    for (std::size_t at = 0; at < posted.size(); ++at) {
        EXPECT_EQ(posted[at]->response().status, at < 2 ? 200 : 503) << at;
    }
    EXPECT_EQ(late.response().status, 503);
    EXPECT_EQ(notes_.ids().size(), 6000U);
}

TEST_F(EventBatchesTest, a_body_without_events_asks_nobody) {
    OneExchange& empty = post("[]");
    OneExchange& nothing = post("");
    finish();
    EXPECT_EQ(empty.response().body, "{\"accepted\":0,\"duplicates\":0,\"rejected\":[]}\n");
    EXPECT_EQ(nothing.response().status, 400) << "as JSON, for it says nothing else";
    EXPECT_THAT(notes_.turns(), IsEmpty());
}

TEST(EventBatch, knows_a_single_event_by_its_body) {
    const struct {
        std::string content_type;
        std::string body;
        bool single;
    } cases[] = {
        {"", R"({"action":"view","object":"a"})", true},
        {"", "{\"action\":\"view\",\n \"object\":\"a\"}\n", true},
        {"application/json", R"( {"action":"view","object":"a"})", true},
        {"application/cloudevents+json", R"({"specversion":"1.0"})", true},
        {"application/x-ndjson", "{\"object\":\"a\"}\n", true},
        {"application/x-ndjson", "\n{\"object\":\"a\"}\r\n\n", true},
        {"application/x-ndjson", "{\"object\":\"a\"}\n{\"object\":\"b\"}\n", false},
        {"", "{\"object\":\"a\"}\n{\"object\":\"b\"}\n", false},
        {"application/json", R"([{"action":"view","object":"a"}])", false},
        {"application/cloudevents-batch+json", "[]", false},
        {"text/html", "{}", false},
        {"application/json", "{" + std::string(64 << 10, ' ') + "}", false},
        {"", "", false},
    };

    for (const auto& [content_type, body, single] : cases) {
        http_server::Request request;
        request.body = body;
        request.headers.emplace_back("Content-Type", content_type);
        EXPECT_EQ(has_one_event(request), single) << content_type << ": " << body.substr(0, 80);
        request.known.content_encoding = "gzip";
        EXPECT_FALSE(has_one_event(request)) << "who knows how many it unpacks to";
    }
}

}  // namespace
}  // namespace footfall::api
