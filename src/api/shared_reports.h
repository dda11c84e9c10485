#pragma once

#include "foundation/result.h"
#include "runtime/blocking_pool.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace footfall::api {

/// What live streams report of: an object, say.
class ReportSource {
public:
    struct Report {
        std::string text;     ///< Server-sent events, ready to be sent.
        bool is_new = false;  ///< Something happened since the report before.
    };

    ReportSource() = default;
    ReportSource(const ReportSource&) = delete;
    ReportSource& operator=(const ReportSource&) = delete;
    virtual ~ReportSource() = default;

    /// Whether there may be something new since the last make() that went well. Called by any
    /// thread, also during make(); never waits.
    virtual bool has_news() const = 0;

    /// A report of now. Nothing if nothing is new, unless it is `needed` all the same, by somebody
    /// who has none. After a failure what was new is still new. Called by one thread at a time; may
    /// wait for the store.
    virtual Result<std::optional<Report>> make(bool needed) = 0;
};

/// The reports of a live stream, each made once for all who watch the same: that is, who have the
/// same name of it here, and with it the same object, parameters and rights.
///
/// A report falls due in a second in which there may be something new, and when somebody comes who
/// has none. What is due waits in a queue of which one report at a time is made, on a thread of the
/// pool; so streams take one place in the pool's queue and one of its threads, however many they
/// are. If the queue is longer than a second, or the pool is full, or a report cannot be made, the
/// next one tells what this one would have told; a client that did not get some is told how many,
/// with the one that it gets. Nobody's first report is left out: it is made as soon as it can be.
///
/// Memory: the latest report of each subject, `kept_bytes_max` for all of them and one report.
/// Beyond that the ones made longest ago are dropped, and made again for a client that was so slow.
///
/// Thread-safe, behind one mutex; no report is made under it. The pool must outlive the last
/// watcher.
class SharedReports : public std::enable_shared_from_this<SharedReports> {
    struct Subject;

public:
    static constexpr std::size_t kept_bytes_default = 4 << 20;

    using MakeSource = std::function<std::unique_ptr<ReportSource>()>;

    /// A client that watches, for as long as this lives. Used by one thread at a time; must not
    /// outlive the reports.
    class Watcher {
    public:
        Watcher(
            SharedReports& reports, std::shared_ptr<Subject> subject, std::function<void()> wake
        )
            : reports_{&reports}, subject_{std::move(subject)}, wake_{std::move(wake)} {}

        Watcher(const Watcher&) = delete;
        Watcher& operator=(const Watcher&) = delete;

        ~Watcher() { reports_->leave(*this); }

        /// The report that this client does not have yet, if it is made; empty otherwise. Called
        /// once a second and when it was woken. `second`: the one that runs, by the clock.
        std::string next(std::int64_t second) { return reports_->next(*this, second); }

    private:
        friend class SharedReports;

        SharedReports* reports_;
        std::shared_ptr<Subject> subject_;
        std::function<void()> wake_;
        std::optional<std::uint64_t> seen_;  ///< The number of the latest that it was given.
        bool made_for_ = false;              ///< One was made since it came.
    };

    explicit SharedReports(
        runtime::BlockingPool& pool, std::size_t kept_bytes_max = kept_bytes_default
    )
        : pool_{&pool}, kept_bytes_max_{kept_bytes_max} {}

    /// `make_source` is asked if nobody watches the subject yet. `wake` is called when there is a
    /// report to be had, under the mutex: it must only hand on, and never throw.
    std::unique_ptr<Watcher> watch(
        const std::string& subject, const MakeSource& make_source, std::function<void()> wake
    );

private:
    enum class State { idle, queued, in_hand };

    struct Subject {
        std::string name;
        std::unique_ptr<ReportSource> source;
        std::unordered_set<Watcher*> watchers = {};
        State state = State::idle;
        std::shared_ptr<const std::string> text = {};  ///< Of the latest; null: it is not kept.
        std::list<Subject*>::iterator kept = {};       ///< Its place in kept_, if there is a text.
        std::uint64_t number = 0;  ///< Of the latest; what was left out has numbers, too.
        std::uint64_t due = 0;     ///< Reports that fell due since.
        bool needed = false;       ///< Somebody waits for one, be there news or not.
        std::optional<std::int64_t> looked = {};  ///< The second in which it was asked for news,
        std::optional<std::int64_t> tried = {};   ///< that in which a report was begun,
        std::optional<std::int64_t> made = {};    ///< and that in which the text was.
    };

    std::string next(Watcher& watcher, std::int64_t second);
    void leave(Watcher& watcher);
    std::string take(Watcher& watcher);
    void queue_if_due(const std::shared_ptr<Subject>& subject);
    void start();
    void work();
    std::shared_ptr<Subject> take_queued();
    void settle(
        Subject& subject,
        Result<std::optional<ReportSource::Report>> made,
        bool was_needed,
        std::uint64_t due
    );
    void publish(Subject& subject, ReportSource::Report report, std::uint64_t due);
    void drop_text(Subject& subject);

    runtime::BlockingPool* const pool_;
    const std::size_t kept_bytes_max_;
    std::mutex mutex_;  ///< Guards all below, the subjects and what watchers hold.
    std::unordered_map<std::string, std::shared_ptr<Subject>> subjects_;
    std::deque<std::shared_ptr<Subject>> queue_;
    bool at_work_ = false;      ///< The pool has a job of ours.
    std::list<Subject*> kept_;  ///< Those with a text, the one made longest ago first.
    std::size_t kept_bytes_ = 0;
};

}  // namespace footfall::api
