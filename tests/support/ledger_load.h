#pragma once

#include "foundation/random.h"
#include "http_server/client.h"
#include "test_support/api.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::test_support {

/// Days of the loads below, since 1970-01-01: from the first one of the sixth month before this one
/// until yesterday.
struct LedgerDays {
    static LedgerDays until_today();

    std::int32_t first = 0;
    std::int32_t last = 0;

    /// Those of them that are over, ascending, as "2026-10".
    std::vector<std::string> months() const;
};

/// A client that sends clicks, sales and refunds of resellers, publishers and ads of its own, each
/// with an id, in batches, and changes of rates between them, also for the past. What got no good
/// answer is sent again before anything else: so it knows to the millionth what each of them has
/// to have. For one thread at a time.
class LedgerLoad {
public:
    LedgerLoad(std::size_t number, std::uint64_t seed, LedgerDays days)
        : number_{number}, random_{seed}, days_{days} {}

    /// Where events are taken, and where the ledger is asked; one server can be both.
    struct Clients {
        http_server::Client* events;
        http_server::Client* ledger;
    };

    /// Sends one batch or one change. False: it got no answer.
    bool step(Clients clients);

    /// Whether nothing waits to be sent again.
    bool is_settled() const { return batch_.lines.empty() && rate_.reason.empty(); }

    /// Sends again what waits, and nothing else. False as above.
    bool settle(Clients clients);

    /// Whether as many events as were acknowledged are told of all its parties; for servers that
    /// count behind their answers.
    bool is_counted(Api& api) const;

    /// Holds what is told of some parties and ads, drawn, or of all, to what was sent: nothing may
    /// wait to be sent again. Reports to gtest.
    void check(Api& api, bool all);

    std::vector<std::string> party_paths() const;  ///< As "/api/v1/resellers/r0-1".

    std::uint64_t events() const { return events_; }

    std::uint64_t rates() const { return rates_; }

    /// Batches that were there, all or in part, when they were sent again.
    std::uint64_t found_again() const { return found_again_; }

    std::int64_t amount() const { return amount_; }  ///< Of all events, in millionths.

    /// Answers that no healthy server gives.
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    /// What has to be told of somebody.
    struct Sums {
        std::uint64_t clicks = 0;
        std::uint64_t sales = 0;
        std::uint64_t refunds = 0;
        std::uint64_t refused = 0;
        std::map<std::int32_t, std::int64_t> amounts;  ///< In millionths, by day.
    };

    struct Rate {
        std::string party;  ///< As a path.
        std::int32_t day = 0;
        std::string share;
        std::string reason;  ///< A change has one of its own; empty: there is none.
        std::int64_t ten_thousandths = 0;
    };

    struct Party {
        Sums sums;
        std::map<std::int32_t, std::int64_t> shares;  ///< In force, in ten thousandths, by day.
        std::map<std::string, Rate> changes;          ///< By their reasons.
    };

    struct Batch {
        std::string lines;
        std::uint64_t events = 0;
        bool tried = false;
    };

    std::int32_t any_day();
    void make_batch();
    void add_event();
    void note(std::string_view kind, std::int32_t day, std::int64_t amount);
    void make_rate();
    bool send_batch(http_server::Client& client);
    bool send_rate(http_server::Client& client);
    void check_rates(Api& api, const std::string& path, const Party& party) const;
    void check_party(Api& api, const std::string& path, const Party& party) const;
    void check_clicks(Api& api, const std::string& path, const Sums& sums) const;
    std::string range() const;
    static std::string income_of(const Party& party);

    const std::size_t number_;
    Random random_;
    const LedgerDays days_;
    std::map<std::string, Party> parties_;  ///< By their paths.
    std::map<std::string, Sums> ads_;       ///< By their paths.
    std::vector<Sums*> touched_;            ///< By the event that is made.
    Batch batch_;                           ///< What is to be acknowledged.
    Rate rate_;                             ///< As above.
    Rate last_rate_;                        ///< The last that was acknowledged.
    bool rate_is_repeated_ = false;         ///< On purpose: nothing may be recorded.
    bool rate_was_tried_ = false;
    std::uint64_t events_ = 0;
    std::uint64_t rates_ = 0;
    std::uint64_t found_again_ = 0;
    std::int64_t amount_ = 0;
    std::vector<std::string> complaints_;
};

}  // namespace footfall::test_support
