#include "crowd.h"

#include "test_support/eventually.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace footfall::crash {
namespace {

using namespace test_support;

constexpr std::size_t client_count = 3;
constexpr std::size_t bulk_client_count = 2;
constexpr std::size_t event_client_count = 2;
/// Bounds what has to be put again at the end; enough for a second and a half of flat-out filling.
constexpr std::size_t batches_a_round = 40;
constexpr std::size_t lines_a_part = 50'000;
constexpr std::size_t sampled_objects = 20;
constexpr std::size_t sampled_pages = 5;
/// Of those that an event client has, at the end; all numbers are verified beside it.
constexpr std::size_t checked_pages = 1000;
constexpr const char* added = "footfall_tokens_added_total";

/// Puts lines until the server, which may be full for a while, takes them.
void put_again(const FootfallProcess& server, const std::string& lines) {
    http_server::Client client = server.client();
    const bool taken = eventually(
        [&] {
            const auto answer =
                must(client.send(http_server::Method::post, "/api/v1/counter", lines));
            if (answer.status != 200 && answer.status != 503) {
                give_up(fmt::format("a batch was answered {} {}", answer.status, answer.body));
            }
            return answer.status == 200;
        },
        std::chrono::seconds{60}
    );
    EXPECT_TRUE(taken) << "the server stayed full for a minute";
}

void put_again(const FootfallProcess& server, std::span<const std::string> lines) {
    while (!lines.empty()) {
        const auto part = lines.first(std::min(lines.size(), lines_a_part));
        lines = lines.subspan(part.size());
        put_again(server, fmt::format("{}", fmt::join(part, "")));
    }
}

}  // namespace

Crowd::Crowd(std::uint64_t seed) {
    for (std::size_t number = 0; number < client_count; ++number) {
        clients_.emplace_back(number, seed + number);
    }
    for (std::size_t number = 0; number < bulk_client_count; ++number) {
        bulk_clients_.emplace_back(number);
    }
    for (std::size_t number = 0; number < event_client_count; ++number) {
        event_clients_.emplace_back(number, seed + client_count + number);
    }
}

std::vector<std::jthread> Crowd::start(const FootfallProcess& server, Flood flood) {
    std::vector<std::jthread> threads;
    threads.reserve(clients_.size() + bulk_clients_.size() + event_clients_.size());
    for (ClientLoad& client : clients_) {
        threads.emplace_back([&client, &server] { client.run(server); });
    }
    for (BulkLoad& client : bulk_clients_) {
        const std::size_t batches = flood == Flood::tokens ? batches_a_round : 0;
        threads.emplace_back([&client, &server, batches] { client.run(server, batches); });
    }
    for (EventLoad& client : event_clients_) {
        const bool many = flood == Flood::views;
        threads.emplace_back([&client, &server, many] { client.run(server, many); });
    }
    return threads;
}

void Crowd::check_complaints() const {
    const auto report = [](const auto& client) {
        for (const std::string& complaint : client.complaints()) {
            ADD_FAILURE() << complaint;
        }
    };
    std::ranges::for_each(clients_, report);
    std::ranges::for_each(bulk_clients_, report);
    std::ranges::for_each(event_clients_, report);
}

void Crowd::check_sample(const FootfallProcess& server, Random& random) {
    check_complaints();
    for (EventLoad& client : event_clients_) {
        client.check(server, sampled_pages);
    }
    PerObject attempted{};
    PerObject acknowledged{};
    for (const ClientLoad& client : clients_) {
        client.add_attempted(attempted);
        client.add_acknowledged(acknowledged);
    }
    Api api{server};
    for (std::size_t object = 0; object < object_count; ++object) {
        const std::uint64_t count = api.count(object_name(object));
        EXPECT_GE(count, acknowledged[object]) << object_name(object) << " lost what it had";
        EXPECT_LE(count, attempted[object]) << object_name(object) << " counts too much";
    }
    for (const BulkLoad& client : bulk_clients_) {
        for (std::size_t sample = 0; sample < sampled_objects && client.batches() > 0; ++sample) {
            // Half of them from what the last load left behind.
            const std::size_t newest = std::min(client.batches(), batches_a_round);
            const std::size_t batch = sample % 2 == 0 ? random.below(client.batches())
                                                      : client.batches() - 1 - random.below(newest);
            const auto bounds = client.bounds_of_an_object_in(batch, random.below(100));
            const std::uint64_t count = api.count(bounds.object);
            EXPECT_GE(count, bounds.least) << bounds.object << " lost what it had";
            EXPECT_LE(count, bounds.most) << bounds.object << " counts too much";
        }
    }
}

void Crowd::put_bulk_again(const FootfallProcess& server, bool all) const {
    for (const BulkLoad& client : bulk_clients_) {
        for (std::size_t batch = 0; batch < client.batches(); ++batch) {
            if (all || client.acknowledged(batch)) {
                put_again(server, client.lines_of(batch));
            }
        }
    }
}

void Crowd::check_acknowledged(const FootfallProcess& server) const {
    std::vector<std::string> lines;
    for (const ClientLoad& client : clients_) {
        client.append_acknowledged(lines);
    }
    const std::uint64_t before = Api{server}.metric(added);
    put_again(server, lines);
    put_bulk_again(server, false);
    EXPECT_EQ(Api{server}.metric(added) - before, 0U) << "acknowledged tokens were lost";
}

void Crowd::check_sums(const FootfallProcess& server) const {
    std::vector<std::string> lines;
    PerObject attempted{};
    for (const ClientLoad& client : clients_) {
        client.append_attempted(lines);
        client.add_attempted(attempted);
    }
    put_again(server, lines);
    put_bulk_again(server, true);
    Api api{server};
    for (std::size_t object = 0; object < object_count; ++object) {
        EXPECT_EQ(api.count(object_name(object)), attempted[object]) << object_name(object);
    }
    for (const BulkLoad& client : bulk_clients_) {
        for (std::size_t batch = 0; batch < client.batches(); ++batch) {
            const auto bounds = client.bounds_of_an_object_in(batch, batch % 100);
            EXPECT_EQ(api.count(bounds.object), bounds.most) << bounds.object;
        }
    }
}

void Crowd::check_views(const FootfallProcess& server) {
    std::uint64_t counted = 0;
    for (EventLoad& client : event_clients_) {
        client.check(server, checked_pages);
        counted += client.counted();
    }
    const boost::json::object all = Api{server}.get_json("/api/v1/views");
    EXPECT_EQ(all.at("counted").to_number<std::uint64_t>(), counted) << "of all objects together";
}

void Crowd::print_sums() const {
    std::uint64_t sent = 0;
    std::uint64_t acknowledged = 0;
    std::uint64_t refused = 0;
    for (const ClientLoad& client : clients_) {
        sent += client.puts_sent();
        acknowledged += client.puts_acknowledged();
        refused += client.refusals();
    }
    std::uint64_t bulk_sent = 0;
    std::uint64_t bulk_acknowledged = 0;
    for (const BulkLoad& client : bulk_clients_) {
        bulk_sent += client.batches() * BulkLoad::lines_a_batch;
        bulk_acknowledged += client.tokens_acknowledged();
        refused += client.refusals();
    }
    fmt::print("{} of {} single PUTs acknowledged\n", acknowledged, sent);
    fmt::print("{} of {} tokens in bulk acknowledged\n", bulk_acknowledged, bulk_sent);
    std::uint64_t events = 0;
    EventLoad::SentAgain again;
    for (const EventLoad& client : event_clients_) {
        events += client.sent();
        again.nothing += client.sent_again().nothing;
        again.part += client.sent_again().part;
        again.all += client.sent_again().all;
    }
    fmt::print(
        "{} events sent; of batches sent again {} had left nothing, {} a part, {} everything\n",
        events,
        again.nothing,
        again.part,
        again.all
    );
    fmt::print("{} requests were refused because the server was full\n", refused);
}

}  // namespace footfall::crash
