#pragma once

#include "foundation/random.h"
#include "test_support/api.h"
#include "test_support/footfall_process.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::crash {

/// A client that sends batches of events about objects of its own, each with an id, and sends a
/// batch again until it was acknowledged, before any other. So the order of each object's events is
/// known, and with it every verdict: it judges them by brute force. Few objects are busy; beside
/// them are far more than the server has memory for. For one thread at a time.
class EventLoad {
public:
    EventLoad(std::size_t number, std::uint64_t seed) : number_{number}, random_{seed} {}

    /// Sends batches, one after the other on one connection, until the server is gone; where
    /// `many`, about so many objects that their views have to be written to make room.
    void run(const test_support::FootfallProcess& server, bool many);

    /// Sends again what was not acknowledged, then holds the views of `objects` busy objects,
    /// drawn, or of all, and of as many others, to what was sent. Reports to gtest.
    void check(const test_support::FootfallProcess& server, std::size_t objects);

    /// Of all its events that are acknowledged.
    std::uint64_t counted() const { return counted_; }

    std::uint64_t sent() const { return sent_; }

    /// What was there already of batches that were sent again after a kill.
    struct SentAgain {
        std::uint64_t nothing = 0;  ///< It was not judged yet, or not all was on the disk.
        std::uint64_t part = 0;     ///< Some of its lanes were appended.
        std::uint64_t all = 0;      ///< Only the answer was missing.
    };

    const SentAgain& sent_again() const { return sent_again_; }

    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    /// What must be told of an object.
    struct Object {
        std::uint64_t counted = 0;
        std::uint64_t repeat_fast = 0;
        std::uint64_t repeat = 0;
        std::map<std::size_t, std::vector<std::int64_t>> counted_of;  ///< Seconds, by actor.
    };

    void make_batch(bool many);
    bool send_batch(http_server::Client& client);
    void judge(std::size_t object, std::size_t actor, std::int64_t second);
    void check_object(test_support::Api& api, std::size_t object) const;
    std::string name_of(std::size_t object) const;

    const std::size_t number_;
    Random random_;
    std::map<std::size_t, Object> objects_;
    std::string batch_;  ///< What is to be acknowledged; empty: nothing.
    bool tried_ = false;
    std::uint64_t sent_ = 0;
    std::uint64_t counted_ = 0;
    SentAgain sent_again_;
    std::vector<std::string> complaints_;
};

}  // namespace footfall::crash
