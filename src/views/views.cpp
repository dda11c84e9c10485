#include "views/views.h"

#include "foundation/check.h"
#include "storage/blocking.h"
#include "views/schema.h"

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::views {
namespace {

/// Cells pinned, or keys read, before others may have the lane or the store.
constexpr std::size_t pinned_at_once = 256;
constexpr std::size_t read_at_once = 1000;
constexpr std::size_t looks_a_hold = 256;
/// Writes can wait while the store is this near to slowing everybody down.
constexpr double pressure_max = 0.75;

/// Keeps the sum of what all lanes take, while one is worked with.
class BytesAccount {
public:
    BytesAccount(const LaneCells& cells, std::atomic<std::size_t>& sum)
        : cells_{cells}, sum_{sum}, before_{cells.bytes()} {}

    BytesAccount(const BytesAccount&) = delete;
    BytesAccount& operator=(const BytesAccount&) = delete;

    ~BytesAccount() {
        if (const std::size_t now = cells_.bytes(); now != before_) {
            sum_ += now - before_;  // may wrap: the sum is right
        }
    }

private:
    const LaneCells& cells_;
    std::atomic<std::size_t>& sum_;
    const std::size_t before_;
};

std::unexpected<Error> writes_lost() {
    return fail(ErrorKind::unavailable, "writes were lost meanwhile; the views are read again");
}

}  // namespace

Hold::Hold(Hold&& other) noexcept
    : views_{std::exchange(other.views_, nullptr)},
      lane_{other.lane_},
      incarnation_{other.incarnation_},
      pins_{std::move(other.pins_)} {}

Hold& Hold::operator=(Hold&& other) noexcept {
    std::swap(views_, other.views_);
    std::swap(lane_, other.lane_);
    std::swap(incarnation_, other.incarnation_);
    std::swap(pins_, other.pins_);
    return *this;
}

Hold::~Hold() {
    if (views_ != nullptr) {
        views_->release(*this);
    }
}

Views::Views(
    storage::Store& store,
    std::uint64_t log_id,
    std::uint16_t sketch_key,
    const Clock& clock,
    Options options
)
    : store_{&store}, log_id_{log_id}, sketch_key_{sketch_key}, clock_{&clock}, options_{options} {}

/// All work in a lane that may change what it takes.
template <class Work>
auto Views::in_lane(std::size_t lane, const Work& work) {
    return lanes_.with(lane, [&](LaneCells& cells) {
        const BytesAccount account{cells, bytes_};
        return work(cells);
    });
}

Result<Hold> Views::hold(std::size_t lane, std::span<const Touch> touches) {
    TRY_VOID(make_room());
    Hold hold{*this, lane};
    TRY(std::vector<Hold::Pin> open, pin(hold, touches));
    TRY_VOID(load(hold, std::move(open)));
    return hold;
}

/// Answers the cells that are not loaded.
Result<std::vector<Hold::Pin>> Views::pin(Hold& hold, std::span<const Touch> touches) {
    std::vector<Hold::Pin> open;
    hold.pins_.reserve(touches.size());
    for (bool first = true; first || !touches.empty(); first = false) {
        const auto some = touches.first(std::min(touches.size(), pinned_at_once));
        touches = touches.subspan(some.size());
        const bool valid = in_lane(hold.lane_, [&](LaneCells& cells) {
            hold.incarnation_ = first ? cells.incarnation() : hold.incarnation_;
            if (hold.incarnation_ != cells.incarnation()) {
                return false;
            }
            for (const auto& [action, object, time] : some) {
                const std::uint64_t hash = LaneCells::hash_of(options_.secret, action, object);
                const Day day = day_of(time);
                const LaneCells::Pinned pinned = cells.pin(hash, action, object, day);
                hold.pins_.push_back({.object = pinned.object, .day = day});
                if (!pinned.loaded) {
                    open.push_back({.object = pinned.object, .day = day});
                    open.push_back({.object = pinned.object, .day = lifetime});
                }
            }
            return true;
        });
        if (!valid) {
            return writes_lost();
        }
    }
    return open;
}

/// Reads what is pinned but not loaded, and waits for what others are reading. Nobody waits for
/// others before all that he took on himself is read, so nobody waits for ever; if a read fails,
/// one of those who wait takes it on.
Result<void> Views::load(const Hold& hold, std::vector<Hold::Pin> open) {
    while (!open.empty()) {
        const std::uint64_t loads_before = loads_.load();
        std::vector<Hold::Pin> mine;
        std::vector<Hold::Pin> left;
        const bool valid = lanes_.with(hold.lane_, [&](LaneCells& cells) {
            if (hold.incarnation_ != cells.incarnation()) {
                return false;
            }
            for (const Hold::Pin& pin : open) {
                switch (cells.begin_load(*pin.object, pin.day)) {
                    case LaneCells::Presence::loaded:
                        break;
                    case LaneCells::Presence::loading:
                        left.push_back(pin);
                        break;
                    case LaneCells::Presence::to_load:
                        mine.push_back(pin);
                        break;
                }
            }
            return true;
        });
        if (!valid) {
            return writes_lost();
        }
        if (!mine.empty()) {
            TRY_VOID(load_these(hold, mine));
        } else if (!left.empty()) {
            loads_.wait(loads_before);
        }
        open = std::move(left);
    }
    return {};
}

/// In parts; if one fails, all that are left are left to others.
Result<void> Views::load_these(const Hold& hold, std::span<const Hold::Pin> pins) {
    Result<void> outcome;
    while (outcome && !pins.empty()) {
        const auto some = pins.first(std::min(pins.size(), read_at_once));
        outcome = load_some(hold, some);
        pins = outcome ? pins.subspan(some.size()) : pins;
    }
    if (!outcome) {
        lanes_.with(hold.lane_, [&](LaneCells& cells) {
            if (hold.incarnation_ != cells.incarnation()) {
                return;
            }
            for (const Hold::Pin& pin : pins) {
                cells.end_load(*pin.object, pin.day, std::nullopt);
            }
        });
    }
    ++loads_;
    loads_.notify_all();
    return outcome;
}

Result<void> Views::load_some(const Hold& hold, std::span<const Hold::Pin> pins) {
    const RowMark mark = mark_of(hold.lane_);
    std::array<std::vector<Hold::Pin>, 2> of_table;
    std::array<std::vector<std::vector<storage::Value>>, 2> keys;
    // With the mutex held: without it the objects might go with all others.
    lanes_.with(hold.lane_, [&](const LaneCells& cells) {
        for (std::size_t at = 0; at < pins.size() && hold.incarnation_ == cells.incarnation();
             ++at) {
            const auto& [object, day] = pins[at];
            const std::size_t table = day == lifetime ? 1 : 0;
            of_table[table].push_back(pins[at]);
            keys[table].push_back(row_key(object->action(), object->object(), day, mark));
        }
    });
    TRY(const storage::Found days,
        storage::read_many(*store_, *options_.tables.day, std::move(keys[0])));
    TRY(const storage::Found totals,
        storage::read_many(*store_, *options_.tables.total, std::move(keys[1])));
    return in_lane(hold.lane_, [&](LaneCells& cells) -> Result<void> {
        if (hold.incarnation_ != cells.incarnation()) {
            return writes_lost();
        }
        // All are understood before the first is taken in: after an error none is.
        std::vector<StoredCell> read;
        read.reserve(pins.size());
        for (const auto& [found, count] :
             {std::pair{&days, of_table[0].size()}, std::pair{&totals, of_table[1].size()}}) {
            for (std::size_t at = 0; at < count; ++at) {
                read.emplace_back();
                if (const auto row = found->row_of_key[at]) {
                    TRY(read.back(), read_row(found->rows, *row, cells.reasons(), sketch_key_));
                    ++rows_read_;
                }
            }
        }
        std::size_t next = 0;
        for (const auto& table : of_table) {
            for (const Hold::Pin& pin : table) {
                cells.end_load(*pin.object, pin.day, std::move(read[next]));
                ++next;
            }
        }
        return {};
    });
}

void Views::release(Hold& hold) {
    in_lane(hold.lane_, [&](LaneCells& cells) {
        if (hold.incarnation_ != cells.incarnation()) {
            return;
        }
        for (const Hold::Pin& pin : hold.pins_) {
            cells.unpin(*pin.object, pin.day);
        }
    });
}

void Views::apply(const Hold& hold, std::span<const Fact> facts) {
    const Instant now = clock_->now();
    in_lane(hold.lane_, [&](LaneCells& cells) {
        if (hold.incarnation_ != cells.incarnation()) {
            return;
        }
        for (const Fact& fact : facts) {
            CHECK(fact.touch < hold.pins_.size(), "events are told of what is held", fact.touch);
            const LaneCells::Change change{
                .offset = fact.offset,
                .time = fact.time,
                .refusal = fact.refusal,
                .person = fact.person
            };
            cells.apply(*hold.pins_[fact.touch].object, change, now);
        }
    });
}

Result<void> Views::flush() {
    const bool tight = bytes_ > options_.memory_bytes;
    if (!tight && store_->pressure() > pressure_max) {
        return {};
    }
    const Instant due = clock_->now() - options_.flush_interval + std::chrono::microseconds{1};
    const auto submitted = submit_changed(tight ? Instant::max() : due);
    evict(looks_a_hold);
    if (!submitted && submitted.error().kind != ErrorKind::overloaded) {
        return std::unexpected(submitted.error());
    }
    return {};
}

Result<void> Views::flush_all() {
    TRY(const storage::CommitPosition last, submit_changed(Instant::max()));
    return last == 0 ? Result<void>{} : storage::wait_durable(*store_, last);
}

/// By views of their own, which last only as long as this.
Result<void> Views::expire(
    std::size_t lane, std::span<const Touch> touches, std::span<const Fact> facts
) {
    Options options = options_;
    options.tables = expired_tables;
    Views expired{*store_, log_id_, sketch_key_, *clock_, options};
    {
        TRY(const Hold hold, expired.hold(lane, touches));
        expired.apply(hold, facts);
    }
    return expired.flush_all();
}

/// Lane after lane, a few rows at a time: their bytes are made with the mutex held. Answers the
/// last position that is not durable, of this and of earlier calls.
RowMark Views::mark_of(std::size_t lane) const {
    return {
        .tables = options_.tables,
        .writer = writer_of(log_id_, lane),
        .sketch_key = sketch_key_,
        .lane = static_cast<std::uint32_t>(lane)
    };
}

Result<storage::CommitPosition> Views::submit_changed(Instant before) {
    storage::CommitPosition last = 0;
    for (std::size_t lane = 0; lane < LaneSet::count; ++lane) {
        const RowMark mark = mark_of(lane);
        for (std::size_t rows = 1; rows > 0;) {
            TRY_VOID(in_lane(lane, [&](LaneCells& cells) -> Result<void> {
                cells.settle(*store_);
                storage::Batch batch;
                rows = cells.compose(before, mark, batch);
                if (rows > 0) {
                    TRY(const storage::CommitPosition position, store_->submit(batch));
                    cells.written(rows, position);
                }
                last = std::max(last, cells.last_position());
                return {};
            }));
            rows_written_ += rows;
        }
    }
    return last;
}

/// Before cells are added.
Result<void> Views::make_room() {
    evict(looks_a_hold);
    if (bytes_ <= 2 * options_.memory_bytes) {
        return {};
    }
    TRY_VOID(flush());
    if (bytes_ > 2 * options_.memory_bytes) {
        return fail(
            ErrorKind::overloaded, "views wait for the store to write what they counted; try again"
        );
    }
    return {};
}

/// While there is more than there may be: lane after lane, each once at most.
void Views::evict(std::size_t looks_a_lane) {
    for (std::size_t lanes = 0; lanes < LaneSet::count && bytes_ > options_.memory_bytes; ++lanes) {
        cells_evicted_ += in_lane(evict_next_++ % LaneSet::count, [&](LaneCells& cells) {
            cells.settle(*store_);
            return cells.evict(looks_a_lane);
        });
    }
}

std::uint64_t Views::checkpoint(std::size_t lane) {
    return lanes_.with(lane, [&](LaneCells& cells) {
        cells.settle(*store_);
        return cells.checkpoint();
    });
}

Instant Views::stored_until(std::size_t lane) {
    const Instant now = clock_->now();
    return lanes_.with(lane, [&](LaneCells& cells) {
        cells.settle(*store_);
        return cells.unsaved_since().value_or(now);
    });
}

void Views::drop_lane(std::size_t lane) {
    in_lane(lane, [](LaneCells& cells) { cells.clear(); });
    ++loads_;
    loads_.notify_all();
}

void Views::drop_all() {
    for (std::size_t lane = 0; lane < LaneSet::count; ++lane) {
        in_lane(lane, [](LaneCells& cells) { cells.clear(); });
    }
    ++loads_;
    loads_.notify_all();
}

Views::Figures Views::figures() {
    Figures figures{
        .bytes = bytes_,
        .rows_read = rows_read_,
        .rows_written = rows_written_,
        .cells_evicted = cells_evicted_
    };
    for (std::size_t lane = 0; lane < LaneSet::count; ++lane) {
        lanes_.with(lane, [&](const LaneCells& cells) {
            figures.objects += cells.objects();
            figures.cells += cells.cells();
            figures.unsaved += cells.unsaved();
        });
    }
    return figures;
}

}  // namespace footfall::views
