#include "segment_events/segment_events.h"

#include "projecting/writer.h"
#include "segment_rules/rule.h"

#include <memory>

namespace footfall::segment_events {
namespace {

std::size_t heap_bytes_of(const std::string& text) {
    return text.capacity() > std::string{}.capacity() ? text.capacity() + 1 : 0;
}

}  // namespace

std::size_t SegmentEvents::Cell::heap_bytes(const Key& key) {
    return heap_bytes_of(key.first.identifier) + heap_bytes_of(key.first.id_name) +
           heap_bytes_of(key.first.id_value);
}

SegmentEvents::SegmentEvents(
    storage::Store& store,
    const Clock& clock,
    const TermsInForce& terms,
    NoteIds note,
    const Options& options
)
    : store_{&store},
      terms_{&terms},
      note_{std::move(note)},
      options_{options},
      waiting_{
          store,
          clock,
          [this](std::uint32_t lane, const WriteBehind::Waiting& some, storage::Batch& batch) {
              return merge(lane, some, batch);
          },
          {.interval = options.interval, .memory = options.memory}
      } {}

void SegmentEvents::apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) {
    const std::shared_ptr<const CountedTerms> terms = terms_->now();
    if (terms->empty()) {
        return;
    }
    waiting_.add(lane, [&](const auto& add) {
        for (const projecting::JudgedRecord& record : records) {
            const events::Event& event = record.judged->event;
            if (!record.judged->verdict.counted()) {
                continue;
            }
            for (const CountedTerms::Counted& each : terms->of_action(event.action)) {
                if (!segment_rules::is_counted_by(each.term, event)) {
                    continue;
                }
                if (const std::optional<Id> id = id_of(event)) {
                    add({options_.known_as ? options_.known_as(*id) : *id, each.hash},
                        {.time = event.time, .offset = record.offset});
                }
            }
        }
    });
}

Result<void> SegmentEvents::merge(
    std::uint32_t lane, const WriteBehind::Waiting& some, storage::Batch& batch
) {
    const std::string writer = projecting::writer_of(options_.log, lane);
    Marks marks;
    for (const auto& [key, changes] : some) {
        auto& added = marks[{.id = key.first, .term = key.second, .writer = writer}];
        for (const Cell::Change& change : changes) {
            added.push_back({.time = change.time, .lane = lane, .offset = change.offset});
        }
    }
    TRY(const std::vector<Id> changed, merge_marks(*store_, marks, *terms_->now(), batch));
    if (changed.empty()) {
        return {};
    }
    if (options_.tell) {
        const std::lock_guard lock{telling_};
        changed_.insert(changed.begin(), changed.end());
    }
    return note_(changed, batch);
}

/// Others may flush meanwhile: what they merged is durable once they are waited for.
Result<void> SegmentEvents::flush(bool all) {
    Result<void> flushed = waiting_.flush(all);
    std::set<Id> changed;
    {
        const std::lock_guard lock{telling_};
        changed.swap(changed_);
    }
    if (changed.empty()) {
        return flushed;
    }
    const Result<void> others = waiting_.flush(false);
    const std::vector<Id> ids{changed.begin(), changed.end()};
    options_.tell(ids);
    return flushed ? others : flushed;
}

}  // namespace footfall::segment_events
