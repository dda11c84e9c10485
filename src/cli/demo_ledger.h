#pragma once

#include "cli/demo_ads.h"
#include "cli/demo_client.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "http_server/client.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace footfall::cli {

/// Fills a server's ledger by HTTP, as anybody would: registers demo_ads(), sends three years of
/// clicks and what everybody's shares were, once for a ledger, and later the days on which it
/// rested; then clicks as they happen, a third of them on links, and every few minutes a rate that
/// changes the past. Owns one thread, which tries again when the server is away; ends when
/// destroyed.
class DemoLedger {
public:
    struct Options {
        /// Whether months are sealed. Nothing undoes that, so only where the ledger is the demo's.
        bool seals = false;
        std::uint64_t seed = 0;
    };

    /// `clock` must outlive it.
    DemoLedger(http_server::ServerUrl server, const Clock& clock, Options options);

private:
    void run(const std::stop_token& stop);
    Result<void> set_up(const std::stop_token& stop);
    Result<bool> is_set_up();
    Result<void> register_ads();
    Result<void> send_days(std::span<const std::int32_t> days, const std::stop_token& stop);
    Result<void> send_missing(const std::stop_token& stop);
    Result<bool> is_quiet(std::int32_t day);
    Result<void> seal_months();
    Result<void> put_rate(const DemoRate& rate);
    Result<void> send_click();
    Result<void> follow_link(const DemoClick& click);
    std::int32_t today() const;

    http_server::ServerUrl server_;
    const Clock* clock_;
    Options options_;
    DemoClient client_;
    DemoClicks clicks_;
    Random random_;
    std::map<std::pair<std::string_view, std::string_view>, std::string> links_;
    std::jthread thread_;  // last: ends before what it uses
};

}  // namespace footfall::cli
