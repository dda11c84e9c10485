#pragma once

#include "foundation/random.h"
#include "http_server/client.h"
#include "test_support/api.h"

#include <boost/json/object.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace footfall::test_support {

/// Some people who say whether they share, who is whose friend, what they read and what they take
/// back, at random, one thing after the other; and what should hold of them. Sent again until it is
/// acknowledged. Not thread-safe.
class ReadingLoad {
public:
    /// Where it is sent: events, and everything else.
    struct Clients {
        http_server::Client* events = nullptr;
        http_server::Client* people = nullptr;
    };

    /// `number`: no other load has it. `known_after`: so long after somebody has said something all
    /// processes go by it; nothing is read by them before.
    ReadingLoad(
        std::size_t number,
        std::uint64_t seed,
        std::chrono::milliseconds known_after = std::chrono::milliseconds{0}
    )
        : number_{number}, random_{seed}, known_after_{known_after} {}

    /// Says or sends one thing more. False: no answer, or 5xx; nobody knows whether it was done.
    bool step(const Clients& clients);

    /// What nobody knew is said again.
    bool settle(const Clients& clients) { return !pending_ || send(clients); }

    /// Where answers differ from what should be, or are none; "": nowhere.
    std::string difference(Api& api) const;

    /// How many reads should be told of.
    std::size_t facts() const;

    /// How many reads, and things said, were acknowledged.
    std::uint64_t reads() const { return reads_; }

    std::uint64_t said() const { return said_; }

    /// What people said, in order, and after how many reads of theirs: to look into a difference.
    const std::vector<std::string>& history() const { return history_; }

    /// Answers that are neither good nor 5xx: there should be none.
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    static constexpr std::size_t actors = 6;

    enum class Reading : std::uint8_t { off, shared, paused };

    struct Actor {
        Reading reading = Reading::off;
        std::set<std::size_t> urls;  ///< That count as facts.
        std::size_t next = 0;        ///< Each reads each URL once: no rule refuses it.
        std::size_t parts = 0;       ///< Taken back since all was; few may be.
        /// When the last thing about their reading was; first that they share.
        std::chrono::steady_clock::time_point said{};
    };

    struct Op {
        http_server::Method method = http_server::Method::put;
        std::string target;
        std::string body;
        std::size_t actor = 0;
        std::optional<Reading> reading = {};
        std::optional<std::vector<std::string>> friends = {};
        std::size_t reads = 0;
        bool takes_back = false;
        std::optional<std::size_t> url = {};  ///< That is taken back; absent: all.
    };

    /// Whom an answer may show: everybody, or these.
    struct Asked {
        bool everybody = true;
        std::set<std::string> names;
    };

    std::string name(std::size_t actor) const;
    std::optional<Op> draw();
    Op read_some(std::size_t actor);
    Op list_friends();
    Op take_something_back(std::size_t actor);
    bool send(const Clients& clients);
    void take(const Op& op);
    std::string difference(Api& api, boost::json::object question, const Asked& asked) const;

    const std::size_t number_;
    Random random_;
    const std::chrono::milliseconds known_after_;
    std::array<Actor, actors> people_{};
    std::vector<std::string> friends_;
    std::optional<Op> pending_;
    std::uint64_t reads_ = 0;
    std::uint64_t said_ = 0;
    std::vector<std::string> complaints_;
    std::vector<std::string> history_;
};

}  // namespace footfall::test_support
