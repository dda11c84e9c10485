#include "api/shared_reports.h"

#include "api/event_stream.h"
#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace footfall::api {
namespace {

using Made = Result<std::optional<ReportSource::Report>>;

/// What a source throws must not end the pool's thread.
Made make_report(ReportSource& source, bool needed) {
    try {
        return source.make(needed);
    } catch (const std::exception& error) {
        log(LogLevel::error, "a report of a live stream failed: {}", error.what());
        return fail(ErrorKind::unavailable, error.what());
    }
}

}  // namespace

std::unique_ptr<SharedReports::Watcher> SharedReports::watch(
    const std::string& subject, const MakeSource& make_source, std::function<void()> wake
) {
    const std::lock_guard lock{mutex_};
    std::shared_ptr<Subject>& watched = subjects_[subject];
    if (watched == nullptr) {
        watched = std::make_shared<Subject>(Subject{.name = subject, .source = make_source()});
    }
    auto watcher = std::make_unique<Watcher>(*this, watched, std::move(wake));
    watched->watchers.insert(watcher.get());
    return watcher;
}

void SharedReports::leave(Watcher& watcher) {
    const std::lock_guard lock{mutex_};
    Subject& subject = *watcher.subject_;
    subject.watchers.erase(&watcher);
    if (subject.watchers.empty()) {
        drop_text(subject);
        subjects_.erase(subject.name);  // a job may still hold it
    }
}

std::string SharedReports::next(Watcher& watcher, std::int64_t second) {
    const std::lock_guard lock{mutex_};
    Subject& subject = *watcher.subject_;
    // The one before: it was over when this thread got its turn.
    if (!subject.looked || second > *subject.looked || second < *subject.looked - 1) {
        subject.looked = second;
        subject.due += subject.state != State::idle || subject.source->has_news() ? 1 : 0;
    }
    std::string text = take(watcher);
    queue_if_due(watcher.subject_);
    start();
    return text;
}

/// The text that the watcher does not have; empty if there is none.
std::string SharedReports::take(Watcher& watcher) {
    Subject& subject = *watcher.subject_;
    const bool lacks_one = !watcher.seen_ || *watcher.seen_ < subject.number;
    // A first report may have been made for others if it is of the second that runs.
    const bool is_of_now = watcher.seen_ || watcher.made_for_ || subject.made == subject.looked;
    if (!lacks_one) {
        return {};
    }
    if (subject.text == nullptr || !is_of_now) {
        subject.needed = true;
        return {};
    }
    const std::uint64_t left_out = watcher.seen_ ? subject.number - *watcher.seen_ - 1 : 0;
    watcher.seen_ = subject.number;
    return left_out == 0 ? *subject.text
                         : stream_event("left_out", fmt::format(R"({{"reports":{}}})", left_out)) +
                               *subject.text;
}

/// At most one attempt a second: what fails at once would be tried without end.
void SharedReports::queue_if_due(const std::shared_ptr<Subject>& subject) {
    if (subject->state == State::idle && subject->tried != subject->looked &&
        (subject->due > 0 || subject->needed)) {
        subject->state = State::queued;
        queue_.push_back(subject);
    }
}

/// Has the pool make what is queued. If it is full, the next who asks tries again.
void SharedReports::start() {
    if (!at_work_ && !queue_.empty()) {
        at_work_ = pool_->submit([self = shared_from_this()] { self->work(); }).has_value();
    }
}

/// Makes one report; others who use the pool have their turn before the next.
void SharedReports::work() {
    std::unique_lock lock{mutex_};
    if (const std::shared_ptr<Subject> subject = take_queued()) {
        const bool needed = std::exchange(subject->needed, false);
        const std::uint64_t due = std::exchange(subject->due, 0);
        subject->state = State::in_hand;
        subject->tried = subject->looked;
        lock.unlock();
        Made made = make_report(*subject->source, needed);
        lock.lock();
        subject->state = State::idle;
        settle(*subject, std::move(made), needed, due);
        queue_if_due(subject);
    }
    at_work_ = false;
    start();
}

/// The next that somebody still watches; null if there is none.
std::shared_ptr<SharedReports::Subject> SharedReports::take_queued() {
    while (!queue_.empty()) {
        std::shared_ptr<Subject> subject = std::move(queue_.front());
        queue_.pop_front();
        if (!subject->watchers.empty()) {
            return subject;
        }
    }
    return nullptr;
}

void SharedReports::settle(Subject& subject, Made made, bool was_needed, std::uint64_t due) {
    if (!made) {
        subject.due += due;
        subject.needed |= was_needed;
    } else if (std::optional<ReportSource::Report>& report = *made) {
        publish(subject, *std::move(report), due);
    }
    if (!subject.source->has_news()) {
        subject.due = 0;  // what passed meanwhile is in the report
    }
}

void SharedReports::publish(Subject& subject, ReportSource::Report report, std::uint64_t due) {
    if (subject.watchers.empty()) {
        return;
    }
    if (report.is_new) {
        subject.number += std::max<std::uint64_t>(due, 1);
    }
    drop_text(subject);
    subject.needed = false;  // who came meanwhile has it, too
    subject.made = subject.tried;
    subject.text = std::make_shared<const std::string>(std::move(report.text));
    subject.kept = kept_.insert(kept_.end(), &subject);
    kept_bytes_ += subject.text->size();
    while (kept_bytes_ > kept_bytes_max_ && kept_.front() != &subject) {
        drop_text(*kept_.front());
    }
    for (Watcher* const watcher : subject.watchers) {
        watcher->made_for_ = true;
        if (!watcher->seen_ || *watcher->seen_ < subject.number) {
            watcher->wake_();
        }
    }
}

void SharedReports::drop_text(Subject& subject) {
    if (subject.text != nullptr) {
        kept_bytes_ -= subject.text->size();
        kept_.erase(subject.kept);
        subject.text.reset();
    }
}

}  // namespace footfall::api
