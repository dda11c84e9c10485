#pragma once

#include "foundation/seldom_log.h"
#include "journal/outgoing_topics.h"
#include "metrics/figures.h"
#include "runtime/turns.h"
#include "segments/erasing.h"
#include "segments/segments.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segments::routes {

/// Writes changes of all segments to a topic for other programs, where segments are derived: one
/// process of a deployment. docs/segments.md has the form of its records.
///
/// Each change at least once, those of a segment in the order of their numbers: how far a segment
/// is stands in a row once the brokers have its changes, so whoever is killed writes some again,
/// and so may two processes that both take themselves for the one. Numbers tell repeats.
///
/// Cost: a read of each segment a minute; where something changes a read of the segment's new
/// changes, and a row for up to some hundred of them. Thread-safe. What it is given must outlive
/// it, and the store be open until stop().
class TopicTurns {
public:
    static constexpr std::string_view name = "segments.changes";

    /// The topic is opened once there is something to do.
    TopicTurns(Segments& segments, storage::Store& store, journal::OutgoingTopics& topics);
    TopicTurns(const TopicTurns&) = delete;
    TopicTurns& operator=(const TopicTurns&) = delete;

    ~TopicTurns() { stop(); }

    /// Has a thread publish until stop().
    void start();

    /// Writes some changes, or waits for a moment for the brokers to have them; answers after what
    /// pause there may be more. One thread at a time. Failures: the store's, the brokers'; nothing
    /// is left out then, and some may come twice.
    Result<std::chrono::milliseconds> publish();

    /// Ends the thread. Idempotent.
    void stop() { turns_.reset(); }

    void tell(metrics::Figures& figures) const;

private:
    std::chrono::milliseconds turn();
    Result<void> look_for_segments();
    Result<void> find_names();
    Result<void> write_of_each();
    Result<bool> write_some(std::int64_t segment, storage::CommitPosition& last);
    Result<void> note_written();

    /// Changes of a segment that are on their way.
    struct Written {
        std::int64_t segment = 0;
        std::uint64_t until = 0;
        std::size_t changes = 0;
    };

    Segments* segments_;
    storage::Store* store_;
    journal::OutgoingTopics* topics_;
    std::unique_ptr<journal::MessageWriter> topic_;  ///< Null: not open yet.
    std::map<std::int64_t, std::string> names_;      ///< Of segments, by number.
    std::map<std::int64_t, std::uint64_t> published_until_;
    std::set<std::int64_t> behind_;     ///< Segments that may have more.
    std::int64_t tried_ = 0;            ///< The last of these that was written of.
    std::vector<Written> written_;      ///< The brokers have not answered for them.
    std::future<Result<void>> stands_;  ///< Whether they do; valid while there are some.
    std::optional<std::chrono::steady_clock::time_point> looked_;
    std::atomic<std::size_t> behind_count_ = 0;
    std::atomic<std::uint64_t> published_ = 0;
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::optional<runtime::Turns> turns_;  // last: ends before what it uses
};

/// Adds the topic to those who are to hear of changes before these lose an id that was erased.
/// Blocks.
Result<void> add_topic(Segments& segments, storage::Store& store, Erasing::Hearers& hearers);

}  // namespace footfall::segments::routes
