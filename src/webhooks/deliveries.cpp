#include "webhooks/deliveries.h"

#include "foundation/json_string.h"
#include "storage/blocking.h"
#include "webhooks/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::webhooks {
namespace {

constexpr std::chrono::seconds asked_wait_max = std::chrono::hours{1};
constexpr int gone = 410;

bool is_success(int status) {
    return status >= 200 && status < 300;
}

std::string body_of(const Hook& hook, const std::vector<Change>& changes) {
    std::string body = R"({"webhook":)" + json_string(hook.name) + R"(,"segment":)" +
                       json_string(hook.subject) + R"(,"changes":[)";
    for (const Change& change : changes) {
        if (&change != &changes.front()) {
            body += ',';
        }
        body += change.json;
    }
    return body + "]}";
}

std::string trouble_of(const Reply& reply) {
    if (reply.status >= 300 && reply.status < 400) {
        return fmt::format("it answered {}, and redirects are not followed", reply.status);
    }
    return fmt::format("it answered {}", reply.status);
}

}  // namespace

Deliveries::Deliveries(storage::Store& store, const Clock& clock, Source& source, Options options)
    : store_{&store}, clock_{&clock}, source_{&source}, options_{options} {}

Result<void> Deliveries::refresh() {
    TRY(Hooks hooks, read_hooks(*store_));
    TRY(AllProgress all, read_progress(*store_));
    const std::lock_guard lock{mutex_};
    std::erase_if(entries_, [&](const auto& entry) { return !hooks.contains(entry.first); });
    for (auto& [name, hook] : hooks) {
        Entry& entry = entries_[name];
        Progress stored = std::move(all[{name, hook.created}]);
        const bool another = entry.hook.created != hook.created;
        // Only rows know that it was resumed; only memory, that it is left alone for a moment.
        const bool moved =
            stored.after != entry.progress.after || stored.failures != entry.progress.failures;
        if (another || (moved && !entry.taken)) {
            entry.progress = std::move(stored);
        }
        entry.hook = std::move(hook);
    }
    return {};
}

std::optional<Deliveries::Taken> Deliveries::take_due() {
    const Instant now = clock_->now();
    const std::lock_guard lock{mutex_};
    Entry* first = nullptr;
    for (auto& [name, entry] : entries_) {
        const bool due = !entry.taken && !entry.progress.dead && entry.progress.due <= now;
        if (due && (first == nullptr || entry.progress.due < first->progress.due)) {
            first = &entry;
        }
    }
    if (first == nullptr) {
        return std::nullopt;
    }
    first->taken = true;
    return Taken{.hook = first->hook, .progress = first->progress};
}

void Deliveries::give_back(const Hook& hook, const Progress& progress) {
    const std::lock_guard lock{mutex_};
    const auto found = entries_.find(hook.name);
    if (found == entries_.end()) {
        return;
    }
    found->second.taken = false;
    // One that took its place meanwhile has a progress of its own.
    if (found->second.hook.created == hook.created) {
        found->second.progress = progress;
    }
}

std::chrono::milliseconds Deliveries::until_due() const {
    const Instant now = clock_->now();
    std::chrono::milliseconds wait = options_.idle;
    const std::lock_guard lock{mutex_};
    for (const auto& [name, entry] : entries_) {
        if (!entry.taken && !entry.progress.dead) {
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(entry.progress.due - now);
            wait = std::min(wait, std::max(left, std::chrono::milliseconds{0}));
        }
    }
    return wait;
}

Result<std::chrono::milliseconds> Deliveries::deliver(Poster& poster, const std::stop_token& stop) {
    std::optional<Taken> taken = take_due();
    if (!taken) {
        return until_due();
    }
    Progress progress = taken->progress;
    const Result<bool> sent = send(taken->hook, progress, poster, stop);
    if (!sent) {
        // Nobody knows what stands in the row; the receiver is asked to take it again.
        progress = taken->progress;
        progress.due = clock_->now() + options_.idle;
    }
    give_back(taken->hook, progress);
    if (!sent) {
        return std::unexpected(sent.error());
    }
    return *sent ? std::chrono::milliseconds{0} : until_due();
}

Result<bool> Deliveries::send(
    const Hook& hook, Progress& progress, Poster& poster, const std::stop_token& stop
) {
    TRY(std::vector<Change> changes,
        source_->changes(hook.subject, hook.filter, progress.after, options_.changes_max));
    if (progress.through > progress.after) {
        // What failed is sent again as it was: its id says so.
        std::erase_if(changes, [&](const Change& change) {
            return change.number > progress.through;
        });
    }
    if (changes.empty()) {
        progress.through = progress.after;
        progress.due = clock_->now() + options_.idle;
        return false;
    }
    progress.through = changes.back().number;
    const std::string id =
        fmt::format("{}/{}-{}", hook.name, changes.front().number, progress.through);
    const std::string body = body_of(hook, changes);
    const Instant now = clock_->now();
    const Result<Reply> reply = poster.post(
        hook.url,
        {"content-type: application/json",
         "webhook-id: " + id,
         fmt::format(
             "webhook-timestamp: {}",
             std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count()
         ),
         "webhook-signature: " + signature(hook.secret, id, now, body)},
        body,
        stop
    );
    if (!reply && reply.error().kind == ErrorKind::cancelled) {
        return false;
    }
    note_answer(reply, hook, progress);
    TRY_VOID(write(hook, progress));
    if (progress.failures == 0) {
        delivered_ += changes.size();
    } else {
        ++failures_;
    }
    return true;
}

void Deliveries::note_answer(const Result<Reply>& reply, const Hook& hook, Progress& progress) {
    const Instant now = clock_->now();
    if (reply && is_success(reply->status)) {
        progress.after = progress.through;
        progress.failures = 0;
        progress.due = now;
        progress.answered = now;
        progress.trouble.clear();
        return;
    }
    if (progress.failures == 0) {
        progress.failing_since = now;
    }
    ++progress.failures;
    progress.trouble = reply ? trouble_of(*reply) : reply.error().message;
    std::chrono::milliseconds wait = wait_after(progress.failures, hook.name);
    if (reply && reply->retry_after) {
        wait = std::max<std::chrono::milliseconds>(
            wait, std::min(*reply->retry_after, asked_wait_max)
        );
    }
    progress.due = now + wait;
    progress.dead =
        (reply && reply->status == gone) || now - progress.failing_since >= options_.give_up_after;
}

Result<void> Deliveries::write(const Hook& hook, const Progress& progress) {
    storage::Batch batch;
    add_progress(hook, progress, batch);
    return storage::write_durably(*store_, batch);
}

Deliveries::Figures Deliveries::figures() const {
    Figures figures{.delivered = delivered_.load(), .failures = failures_.load()};
    const std::lock_guard lock{mutex_};
    figures.hooks = entries_.size();
    for (const auto& [name, entry] : entries_) {
        figures.dead += entry.progress.dead ? 1 : 0;
        figures.failing += entry.progress.failures > 0 && !entry.progress.dead ? 1 : 0;
    }
    return figures;
}

}  // namespace footfall::webhooks
