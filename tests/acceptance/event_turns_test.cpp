// Single events beside batches, where there is one thread of each kind.

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using namespace test_support;

constexpr int batches = 3;
constexpr int events_a_batch = 60'000;

std::string batch_of(int number) {
    std::string lines;
    for (int event = 0; event < events_a_batch; ++event) {
        lines += fmt::format(
            R"({{"id":"{0}-{1}","action":"view","object":"batch","actor":"{0}-{1}"}})"
            "\n",
            number,
            event
        );
    }
    return lines;
}

/// One of each kind that comes alone; each is an event of its own.
void send_singles(http_server::Client& client, int round) {
    const std::string event =
        fmt::format(R"({{"action":"view","object":"single","actor":"{}"}})", round);
    const ClientResponse single = must(
        client.send(Method::post, "/api/v1/events", event, {{"Content-Type", "application/json"}})
    );
    const std::string fields = fmt::format("object=single&referrer={}", round);
    const ClientResponse script = must(client.send(Method::post, "/footfall", fields));
    const ClientResponse pixel = must(client.send(Method::get, "/pixel.gif?" + fields));
    ASSERT_EQ(single.status, 200) << single.body;
    ASSERT_EQ(script.status, 204) << script.body;
    ASSERT_EQ(pixel.status, 200) << pixel.body;
}

TEST(EventTurns, single_events_do_not_wait_for_batches) {
    const TemporaryDirectory directory;
    const FootfallProcess server{directory / "data", {"--threads", "1", "--memory", "64MiB"}};
    std::atomic<int> left = batches;
    std::vector<std::jthread> senders;
    senders.reserve(batches);
    for (int number = 0; number < batches; ++number) {
        senders.emplace_back([&, number] {
            Api api{server};
            const auto answer = api.post_events(batch_of(number));
            EXPECT_EQ(answer.at("accepted").to_number<int>(), events_a_batch);
            EXPECT_EQ(answer.at("duplicates").to_number<int>(), 0);
            --left;
        });
    }
    http_server::Client client = server.client();
    int rounds = 0;
    while (left > 0) {
        send_singles(client, rounds++);
    }
    senders.clear();
    EXPECT_GT(rounds, 10 * batches) << "each waited for a batch";
    Api api{server};
    EXPECT_EQ(api.views("batch").at("events").to_number<int>(), batches * events_a_batch);
    EXPECT_EQ(api.views("single").at("events").to_number<int>(), 3 * rounds);
}

}  // namespace
}  // namespace footfall
