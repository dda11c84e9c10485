#pragma once

#include "http_server/client.h"
#include "timeline.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace footfall::cluster_test {

constexpr std::size_t known_objects = 40;

/// How many were acknowledged of each object, and when. Thread-safe.
class Acknowledged {
public:
    /// Thing n is of object n modulo known_objects.
    void add(std::uint64_t first, std::uint64_t count);

    std::uint64_t of(std::size_t object) const;
    std::uint64_t all() const;

    /// How long before `when` more than `shown` of an object were acknowledged; 0 if they were not.
    std::chrono::milliseconds behind(
        std::size_t object, std::uint64_t shown, std::chrono::steady_clock::time_point when
    ) const;

private:
    mutable std::mutex mutex_;
    /// When each one was. Guarded by mutex_.
    std::array<std::vector<std::chrono::steady_clock::time_point>, known_objects> moments_;
};

/// Events and tokens with known ids, and reads of them, at a steady rate, by several connections at
/// once. What got no good answer is sent again until it gets one: so what was acknowledged is what
/// has to be there, each once.
class KnownLoad {
public:
    struct Places {
        http_server::ServerUrl write;
        http_server::ServerUrl read;
    };

    /// `name`: of this load, which no other on the cluster had. The timeline must outlive it.
    KnownLoad(Places places, std::string name, Timeline& timeline);
    KnownLoad(const KnownLoad&) = delete;
    KnownLoad& operator=(const KnownLoad&) = delete;
    ~KnownLoad();

    /// Returns when all that was begun is acknowledged.
    void stop();

    std::string object(std::size_t number) const;

    const Acknowledged& events() const { return events_; }

    /// The number that the next event gets: event N of object N modulo known_objects has id `eN`.
    std::uint64_t next_event() const { return next_event_; }

    const Acknowledged& tokens() const { return tokens_; }

    /// Answers that are neither good nor 5xx: there should be none. After stop().
    const std::vector<std::string>& wrong_answers() const { return wrong_answers_; }

private:
    std::string batch_from(std::uint64_t first) const;
    void write_without_end(const std::stop_token& stop, Deed deed);
    void read_without_end(const std::stop_token& stop, std::size_t first);
    void read_object(http_server::Client& client, std::size_t number, bool events);
    Ending judge(
        const Result<http_server::ClientResponse>& answer, std::string_view good_beginning
    );

    const Places places_;
    const std::string name_;
    Timeline* timeline_;
    Acknowledged events_;
    Acknowledged tokens_;
    std::atomic<std::uint64_t> next_event_ = 0;
    std::atomic<std::uint64_t> next_token_ = 0;
    std::mutex mutex_;
    std::vector<std::string> wrong_answers_;  ///< Guarded by mutex_.
    std::vector<std::jthread> threads_;
};

}  // namespace footfall::cluster_test
