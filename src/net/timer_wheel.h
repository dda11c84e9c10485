#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace footfall::net {

/// Deadlines counted in ticks, for many entries of which few ever come due. Setting a deadline
/// writes two words: an entry that is put off stays in its bucket and is moved on when its old turn
/// comes. A tick looks at one bucket, not at every entry.
///
/// A plain value for one thread. Entries unlink themselves when they are destroyed, so neither side
/// has to outlive the other.
class TimerWheel {
public:
    class Entry {
    public:
        Entry() = default;
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;

        ~Entry() { unlink(); }

    private:
        friend class TimerWheel;

        bool linked() const { return next_ != this; }

        void unlink() {
            previous_->next_ = next_;
            next_->previous_ = previous_;
            previous_ = next_ = this;
        }

        void link_behind(Entry& head) {
            previous_ = &head;
            next_ = head.next_;
            next_->previous_ = this;
            head.next_ = this;
        }

        std::uint64_t deadline_ = 0;   ///< 0: none.
        std::uint64_t scheduled_ = 0;  ///< The tick of its bucket; at or before the deadline.
        Entry* previous_ = this;
        Entry* next_ = this;
    };

    /// `entry` is due `ticks` full ticks from now. Replaces what was set before.
    void set(Entry& entry, std::uint64_t ticks) {
        entry.deadline_ = now_ + ticks + 1;  // the tick that runs now is not a full one
        if (!entry.linked() || entry.deadline_ < entry.scheduled_) {
            schedule(entry);
        }
    }

    /// Ticks so far.
    std::uint64_t now() const { return now_; }

    /// `entry` is not due any more.
    static void clear(Entry& entry) { entry.deadline_ = 0; }

    /// Goes on by one tick and calls `expired(entry)` for each entry that is due, which has no
    /// deadline then. `expired` may set, clear and destroy any entry.
    template <class Expired>
    void advance(Expired expired) {
        ++now_;
        Entry due;
        take_bucket(due);
        while (due.linked()) {
            Entry& entry = *due.next_;
            entry.unlink();
            if (entry.deadline_ > now_) {
                schedule(entry);
            } else if (entry.deadline_ != 0) {
                entry.deadline_ = 0;
                expired(entry);
            }
        }
    }

private:
    static constexpr std::size_t bucket_count = 128;  ///< Further deadlines go round again.

    Entry& bucket(std::uint64_t tick) { return buckets_[tick % bucket_count]; }

    void schedule(Entry& entry) {
        entry.unlink();
        entry.scheduled_ = entry.deadline_;
        entry.link_behind(bucket(entry.deadline_));
    }

    /// Moves this tick's entries to `head`.
    void take_bucket(Entry& head) {
        Entry& full = bucket(now_);
        if (full.linked()) {
            head.link_behind(full);
            full.unlink();
        }
    }

    std::uint64_t now_ = 0;
    std::array<Entry, bucket_count> buckets_;
};

}  // namespace footfall::net
