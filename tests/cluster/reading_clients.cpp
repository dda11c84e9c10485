#include "reading_clients.h"

#include "test_support/eventually.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;

/// Others put a load on the same machine; and each of six may read 120 times a minute, a few at
/// once.
constexpr std::chrono::milliseconds reading_pause{1000};
/// A second, where nobody is killed.
constexpr std::chrono::seconds known_after{10};
constexpr std::chrono::seconds told_max{120};

}  // namespace

ReadingClients::ReadingClients(Places places, std::size_t number, std::uint64_t seed)
    : places_{std::move(places)},
      load_{number, seed, known_after},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

ReadingClients::~ReadingClients() {
    stop();
}

void ReadingClients::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void ReadingClients::run(const std::stop_token& stop) {
    http_server::Client events{places_.write, 20s};
    http_server::Client people{places_.read, 20s};
    const test_support::ReadingLoad::Clients clients{.events = &events, .people = &people};
    for (bool settled = true; !stop.stop_requested() || !settled;) {
        settled = settled ? load_.step(clients) : load_.settle(clients);
        std::this_thread::sleep_for(reading_pause);  // tidy-allow(sleep): a steady rate
    }
}

void ReadingClients::check(http_server::Client client) {
    EXPECT_GT(load_.facts(), 0U) << "nothing is left of which to be told";
    test_support::Api api{std::move(client)};
    std::string difference;
    test_support::eventually(
        [&] {
            difference = load_.difference(api);
            return difference.empty();
        },
        told_max,
        500ms
    );
    EXPECT_EQ(difference, "") << fmt::format("{}", fmt::join(load_.history(), "\n"));
    EXPECT_TRUE(load_.complaints().empty()) << load_.complaints().front();
}

}  // namespace footfall::cluster_test
