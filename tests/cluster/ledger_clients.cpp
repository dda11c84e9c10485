#include "ledger_clients.h"

#include "test_support/eventually.h"

#include <gtest/gtest.h>

#include <utility>

namespace footfall::cluster_test {
namespace {

using namespace std::chrono_literals;

/// Others put a load on the same machine.
constexpr std::chrono::milliseconds step_pause{50};
constexpr std::chrono::seconds counted_max{120};

}  // namespace

LedgerClients::LedgerClients(Places places, std::size_t number, std::uint64_t seed)
    : places_{std::move(places)},
      load_{number, seed, test_support::LedgerDays::until_today()},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

LedgerClients::~LedgerClients() {
    stop();
}

void LedgerClients::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void LedgerClients::run(const std::stop_token& stop) {
    http_server::Client events{places_.write, 20s};
    http_server::Client ledger{places_.read, 20s};
    const test_support::LedgerLoad::Clients clients{.events = &events, .ledger = &ledger};
    while (!stop.stop_requested() || !load_.is_settled()) {
        load_.is_settled() ? load_.step(clients) : load_.settle(clients);
        std::this_thread::sleep_for(step_pause);  // tidy-allow(sleep): a steady rate
    }
}

void LedgerClients::check(http_server::Client client) {
    test_support::Api api{std::move(client)};
    EXPECT_TRUE(test_support::eventually([&] { return load_.is_counted(api); }, counted_max, 100ms)
    );
    load_.check(api, true);
    EXPECT_TRUE(load_.complaints().empty()) << load_.complaints().front();
}

}  // namespace footfall::cluster_test
