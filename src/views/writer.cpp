#include "views/writer.h"

#include "storage/blocking.h"
#include "views/ranks.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace footfall::views {
namespace {

/// Objects whose rows are read, merged and submitted together.
constexpr std::size_t places_at_once = 256;
/// A batch ends after the object that passes this: it is one block of the store.
constexpr std::size_t batch_bytes_max = 512 << 10;
/// Submitted, and kept in memory until they are durable.
constexpr std::size_t submitted_max = 16;
/// A round of few objects is written at once, unless the store is this near to slowing everybody
/// down.
constexpr double pressure_max = 0.75;
/// Above it, all others are slowed down already, and not much more makes the store refuse them.
constexpr double pressure_max_when_tight = 1.2;
/// Rows of an object that has many events are this many times as large as those of one with one.
constexpr std::uint32_t heaviest = 8;
/// Of an object of so many events a round less than one of this part of busy_at() ceases to be
/// busy.
constexpr std::size_t stays_busy = 2;
/// Busy objects may have this part of the memory, in percent, and get more below the other.
constexpr std::size_t busy_percent_high = 60;
constexpr std::size_t busy_percent_low = 30;
constexpr std::size_t busy_at_most = 1 << 20;
/// More are many.
constexpr std::size_t many_objects = 10'000;
/// For so much of the time until the next one a round of many is written.
constexpr double part_of_interval = 5.0 / 6;

/// Of a name, as a number that is in the same order.
std::uint64_t beginning(std::string_view name) {
    std::array<unsigned char, sizeof(std::uint64_t)> bytes{};
    std::ranges::copy(name.substr(0, bytes.size()), bytes.begin());
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0}, [](auto sum, auto byte) {
        return sum << 8 | byte;
    });
}

}  // namespace

RowMark Writer::mark_of(std::size_t lane) const {
    return {
        .tables = options_.tables,
        .writer = writer_of(options_.log_id, lane),
        .sketch_key = options_.sketch_key,
        .lane = static_cast<std::uint32_t>(lane)
    };
}

Result<void> Writer::turn() {
    const std::lock_guard lock{mutex_};
    return turn_alone();
}

Result<void> Writer::try_turn() {
    const std::unique_lock lock{mutex_, std::try_to_lock};
    return lock ? turn_alone() : fail(ErrorKind::overloaded, "views are being written");
}

Result<void> Writer::turn_alone() {
    settle_submitted();
    note_arrivals();
    if (!round_ && is_tight()) {
        options_.memory->note_short();
        begin_round();
    } else if (!round_ && is_due()) {
        begin_round();
    }
    Result<void> ran = run(false, std::chrono::steady_clock::now() + options_.turn);
    if (!ran && ran.error().kind != ErrorKind::overloaded) {
        return ran;
    }
    return take_damage();
}

Result<void> Writer::write_all() {
    const std::lock_guard lock{mutex_};
    TRY_VOID(finish());  // one that is under way may have passed what is dirty now
    begin_round();
    return finish();
}

/// Ends the round, if there is one.
Result<void> Writer::finish() {
    if (!round_) {
        return {};
    }
    TRY_VOID(run(true, std::chrono::steady_clock::time_point::max()));
    if (!submitted_.empty()) {
        TRY_VOID(storage::wait_durable(*store_, submitted_.back().position));
    }
    settle_submitted();
    return take_damage();
}

/// A row that could not be merged, told once.
Result<void> Writer::take_damage() {
    if (std::optional<Error> damage = std::exchange(damage_, std::nullopt)) {
        return std::unexpected(*std::move(damage));
    }
    return {};
}

void Writer::settle() {
    if (const std::unique_lock lock{mutex_, std::try_to_lock}; lock) {
        settle_submitted();
    }
}

/// Whether more has come since the last turn.
void Writer::note_arrivals() {
    std::uint64_t arrived = 0;
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        arrived += lanes_->cells.look(lane, [](const LaneCells& cells) { return cells.end(); });
    }
    if (std::exchange(arrived_, arrived) != arrived) {
        came_at_ = clock_->now();
    }
}

/// Of few objects sooner: newcomers are ranked once they have rows. Of many later, so that a row is
/// written for more events. When nothing comes any more there is no reason to wait.
bool Writer::is_due() {
    std::size_t objects = 0;
    std::optional<Instant> oldest;
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        const auto since = lanes_->cells.look(lane, [&](const LaneCells& cells) {
            objects += cells.objects();
            return cells.dirty_since();
        });
        if (since) {
            oldest = std::min(oldest.value_or(*since), *since);
        }
    }
    const auto interval = objects > many_objects ? options_.interval_of_many : options_.interval;
    return oldest && (is_quiet() || is_past(*oldest, interval));
}

/// Whether so much has passed since. Who goes by a clock that was ahead is not waited for.
bool Writer::is_past(Instant since, std::chrono::microseconds interval) const {
    const Instant now = clock_->now();
    return since <= now - interval || since > now;
}

void Writer::begin_round() {
    choose_busy();
    Round& round = round_.emplace(Round{.begun = clock_->now()});
    std::size_t left = 0;
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        lanes_->cells.change(lane, [&](LaneCells& cells) {
            round.drops[lane] = lanes_->drops[lane];
            for (ObjectCells::Owner& object : cells.begin_round(left)) {
                const std::uint64_t begins_with = beginning(object->object());
                const std::uint32_t weight = std::clamp(object->events(), 1U, heaviest);
                round.weight += weight;
                round.places.push_back(
                    {.object = std::move(object),
                     .lane = static_cast<std::uint32_t>(lane),
                     .weight = weight,
                     .begins_with = begins_with}
                );
            }
        });
    }
    evicted_ += left;
    std::ranges::sort(round.places, [](const Place& left, const Place& right) {
        if (left.begins_with != right.begins_with) {
            return left.begins_with < right.begins_with;
        }
        const auto key = [](const Place& place) {
            return std::tuple{place.object->object(), place.object->action(), place.lane};
        };
        return key(left) < key(right);
    });
}

/// How many events make an object busy, by what memory busy ones take.
void Writer::choose_busy() {
    std::size_t bytes = 0;
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        bytes +=
            lanes_->cells.look(lane, [](const LaneCells& cells) { return cells.busy_bytes(); });
    }
    const std::size_t percent = bytes / (options_.memory->bytes() / 100 + 1);
    if (percent > busy_percent_high) {
        busy_at_ = std::min(busy_at_most, (percent > 2 * busy_percent_high ? 8 : 2) * busy_at());
    } else if (percent < busy_percent_low) {
        busy_at_ = std::max(options_.busy_at_least, busy_at() / 2);
    }
}

/// Many objects are spread over the time until the next round: rows of 100,000 at once would fill
/// the store's memory, for which events and tokens then wait. Few are written at once, but under
/// pressure no faster than that. What memory is short of is written as long as the store has room
/// for others.
bool Writer::may_wait(const Round& round) const {
    const double pressure = store_->pressure();
    if (is_tight()) {
        return pressure > pressure_max_when_tight;
    }
    const bool many = round.places.size() > many_objects;
    if ((!many || is_quiet()) && pressure <= pressure_max) {
        return false;
    }
    using Seconds = std::chrono::duration<double>;
    const Seconds lasts =
        many ? part_of_interval * Seconds{options_.interval_of_many} : Seconds{options_.interval};
    const Seconds passed{clock_->now() - round.begun};
    const double due = passed / lasts * static_cast<double>(round.weight);
    const bool clock_was_ahead = passed < Seconds{0};
    return !clock_was_ahead && static_cast<double>(round.written) >= due;
}

/// As far as there is time, and as it is due.
Result<void> Writer::run(bool all, std::chrono::steady_clock::time_point end) {
    TRY_VOID(make_busy());
    while (round_ && round_->next < round_->places.size()) {
        if (!all && std::chrono::steady_clock::now() >= end) {
            break;
        }
        if (!all && may_wait(*round_)) {
            break;
        }
        TRY_VOID(write_some(*round_));
        settle_submitted();
        TRY_VOID(make_busy());
    }
    settle_submitted();
    return {};
}

Writer::Drops Writer::drops_now() const {
    Drops drops{};
    std::ranges::copy(lanes_->drops, drops.begin());
    return drops;
}

/// Objects of which so much came since the last time that they should not wait for their turn.
Result<void> Writer::make_busy() {
    const Drops drops = drops_now();
    std::vector<Place> places;
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        if (!lanes_->cells.look(lane, [](const LaneCells& cells) { return cells.has_wanting(); })) {
            continue;
        }
        lanes_->cells.change(lane, [&](LaneCells& cells) {
            for (ObjectCells::Owner& object : cells.take_wanting()) {
                // What is not durable might be read as it was before.
                if (!object->is_writing() && !object->waiting().empty()) {
                    places.push_back(
                        {.object = std::move(object), .lane = static_cast<std::uint32_t>(lane)}
                    );
                }
            }
        });
    }
    for (std::span<const Place> left{places}; !left.empty();) {
        const auto some = left.first(std::min(left.size(), places_at_once));
        left = left.subspan(some.size());
        TRY(CellsOfPlaces rows, read(some, drops));
        for (std::size_t at = 0; at < some.size(); ++at) {
            lanes_->cells.change(some[at].lane, [&](LaneCells& cells) {
                if (is_valid(some[at], drops) && !rows[at].empty()) {
                    cells.keep(*some[at].object, std::move(rows[at]));
                }
            });
        }
    }
    return {};
}

/// The next objects of the round.
Result<void> Writer::write_some(Round& round) {
    if (submitted_.size() >= submitted_max) {
        TRY_VOID(storage::wait_durable(*store_, submitted_.front().position));
        settle_submitted();
    }
    const std::size_t left = round.places.size() - round.next;
    std::span<const Place> some =
        std::span{round.places}.subspan(round.next, std::min(left, places_at_once));
    const Drops& drops = round.drops;
    TRY(CellsOfPlaces rows, read(some, drops));
    storage::Batch batch;
    const Instant now = clock_->now();
    std::size_t count = 0;
    std::vector<Place> merged;
    for (; count < some.size() && batch.bytes() < batch_bytes_max; ++count) {
        const Place& place = some[count];
        const RowMark mark = mark_of(place.lane);
        lanes_->cells.change(place.lane, [&](LaneCells& cells) {
            ObjectCells& object = *place.object;
            if (!is_valid(place, drops) || (rows[count].empty() && !object.is_busy())) {
                return;
            }
            const std::size_t least = object.is_busy() ? busy_at() / stays_busy : busy_at();
            const bool stay = object.events() >= least;
            evicted_ += object.is_busy() && !stay ? 1 : 0;
            cells.merge(object, std::move(rows[count]), stay, [&](Cell& cell) {
                append_row(object.action(), object.object(), cell, cells.reasons(), mark, batch);
                if (mark.tables.ranked) {
                    append_ranks(object.action(), object.object(), cell, mark, now, batch);
                    note_ranks(cell);
                }
                ++rows_written_;
            });
            merged.push_back(place);
        });
    }
    const Result<storage::CommitPosition> position = submit(batch, merged, drops);
    if (!position) {
        for (const Place& place : merged) {
            lanes_->cells.change(place.lane, [&](LaneCells& cells) {
                if (is_valid(place, drops)) {
                    cells.undo(*place.object);
                }
            });
        }
        return std::unexpected(position.error());
    }
    if (!merged.empty()) {
        submitted_.push_back({.position = *position, .places = std::move(merged), .drops = drops});
    }
    for (Place& place : std::span{round.places}.subspan(round.next, count)) {
        round.written += place.weight;
        place.object.reset();
    }
    round.next += count;
    return {};
}

/// Unless one of the places was dropped since: then some rows are another's now, or say what was
/// lost. `overloaded` says the same as a store without room: the others' come again.
Result<storage::CommitPosition> Writer::submit(
    const storage::Batch& batch, std::span<const Place> places, const Drops& drops
) {
    const std::lock_guard lock{submitting_};
    if (!std::ranges::all_of(places, [&](const Place& place) { return is_valid(place, drops); })) {
        return fail(ErrorKind::overloaded, "views of a lane were dropped meanwhile");
    }
    return store_->submit(batch);
}

/// The cells of rows that these objects need, of each object all or, where one is damaged, none. An
/// object without a row of all days has none of a day that is to be kept: they are written
/// together, and before a checkpoint says so.
Result<Writer::CellsOfPlaces> Writer::read(std::span<const Place> places, const Drops& drops) {
    std::vector<std::vector<Day>> days(places.size());
    Wanted totals;
    for (std::size_t at = 0; at < places.size(); ++at) {
        const Place& place = places[at];
        lanes_->cells.look(place.lane, [&](const LaneCells&) {
            const ObjectCells& object = *place.object;
            if (!is_valid(place, drops)) {
                return;
            }
            days[at] = object.days_wanted();
            if (!object.is_busy()) {
                want(totals, place, at, lifetime);
            }
        });
    }
    Cells cells{.of = CellsOfPlaces(places.size()), .damaged = std::vector<bool>(places.size())};
    TRY(const auto new_places, read_rows(*options_.tables.total, std::move(totals), places, cells));
    for (const std::size_t at : new_places) {
        for (const Day day : std::exchange(days[at], {})) {
            cells.of[at].push_back(cell_of(day, std::nullopt));
        }
    }
    Wanted of_days;
    for (std::size_t at = 0; at < places.size(); ++at) {
        std::ranges::sort(days[at], std::greater{});
        for (const Day day : days[at]) {
            want(of_days, places[at], at, day);
        }
    }
    TRY_VOID(read_rows(*options_.tables.day, std::move(of_days), places, cells));
    for (std::size_t at = 0; at < places.size(); ++at) {
        if (cells.damaged[at]) {
            cells.of[at].clear();
        }
    }
    return std::move(cells.of);
}

void Writer::want(Wanted& wanted, const Place& place, std::size_t at, Day day) const {
    wanted.keys.push_back(
        row_key(place.object->action(), place.object->object(), day, mark_of(place.lane))
    );
    wanted.of_key.emplace_back(at, day);
}

/// Adds a cell for each row that is wanted; answers of which places one was not there.
Result<std::vector<std::size_t>> Writer::read_rows(
    const storage::Table& table, Wanted wanted, std::span<const Place> places, Cells& cells
) {
    std::vector<std::size_t> absent;
    if (wanted.keys.empty()) {
        return absent;
    }
    rows_asked_ += wanted.keys.size();
    TRY(const storage::Found found, storage::read_many(*store_, table, std::move(wanted.keys)));
    for (std::size_t key = 0; key < wanted.of_key.size(); ++key) {
        const auto [at, day] = wanted.of_key[key];
        const Place& place = places[at];
        std::optional<StoredCell> stored;
        if (const auto row = found.row_of_key[key]) {
            ++rows_read_;
            Result<StoredCell> read = lanes_->cells.change(place.lane, [&](LaneCells& lane) {
                return read_row(found.rows, *row, lane.reasons(), options_.sketch_key);
            });
            if (!read) {
                damage_ = read.error();
                cells.damaged[at] = true;
                if (round_) {
                    round_->failed[place.lane] = true;
                }
                continue;
            }
            stored = *std::move(read);
        } else {
            absent.push_back(at);
        }
        cells.of[at].push_back(cell_of(day, std::move(stored)));
    }
    return absent;
}

/// In the order in which they were submitted. What was dropped is nobody's.
void Writer::settle_submitted() {
    while (!submitted_.empty()) {
        const Submitted& first = submitted_.front();
        const bool durable = store_->durable(first.position);
        if (!durable && std::ranges::any_of(first.places, [&](const Place& place) {
                return is_valid(place, first.drops);
            })) {
            return;
        }
        for (const Place& place : first.places) {
            lanes_->cells.change(place.lane, [&](LaneCells& cells) {
                if (is_valid(place, first.drops)) {
                    cells.settle(*place.object);
                }
            });
        }
        submitted_.pop_front();
    }
    if (!round_ || round_->next < round_->places.size()) {
        return;
    }
    for (std::size_t lane = 0; lane < ViewLanes::count; ++lane) {
        lanes_->cells.change(lane, [&](LaneCells& cells) {
            if (round_->drops[lane] == lanes_->drops[lane]) {
                cells.end_round(!round_->failed[lane]);
            }
        });
    }
    round_.reset();
}

}  // namespace footfall::views
