#include "views/lane_cells.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace footfall::views {
namespace {

/// Of one submit: it is made with the lane's mutex held, and a sketch of registers takes 0.2 ms.
constexpr std::size_t rows_max = 64;
constexpr std::size_t bytes_max = 16 << 10;
/// Of action and object together: twice what events have.
constexpr std::size_t longest_names = 2 << 10;
/// Registers to which so many people came between two rows are better open, and those to which
/// fewer came than that closed.
constexpr std::uint8_t worth_opening = 64;
constexpr std::uint8_t worth_closing = 16;

}  // namespace

std::uint64_t LaneCells::hash_of(SipKey secret, std::string_view action, std::string_view object) {
    std::array<char, longest_names> text;  // NOLINT: what is used of it is written
    CHECK(action.size() + object.size() < longest_names, "names are bounded before", object.size());
    text[0] = static_cast<char>(action.size());
    std::ranges::copy(object, std::ranges::copy(action, text.begin() + 1).out);
    return siphash13(secret, {text.data(), 1 + action.size() + object.size()});
}

ObjectCells* LaneCells::find(std::uint64_t hash, std::string_view action, std::string_view object)
    const {
    const auto slot = objects_.find(Name{.hash = hash, .action = action, .object = object});
    return slot == objects_.end() ? nullptr : slot->object;
}

/// Whatever changes what is counted in bytes_ and cells_.
template <class Work>
void LaneCells::with_object(ObjectCells& object, const Work& work) {
    bytes_ -= object.bytes();
    cells_ -= object.cells().size();
    work();
    bytes_ += object.bytes();
    cells_ += object.cells().size();
}

template <class Work>
void LaneCells::with_cell(Cell& cell, const Work& work) {
    bytes_ -= cell.bytes();
    work();
    bytes_ += cell.bytes();
}

LaneCells::Pinned LaneCells::pin(
    std::uint64_t hash, std::string_view action, std::string_view object, Day day
) {
    ObjectCells* found = find(hash, action, object);
    if (found == nullptr) {
        ObjectCells::Owner made = ObjectCells::make(hash, action, object);
        found = made.get();
        found->place = static_cast<std::uint32_t>(order_.size());
        order_.push_back(std::move(made));
        objects_.insert({.hash = hash, .object = found});
        bytes_ += found->bytes();
    }
    const bool has_total = pin_cell(*found, lifetime);
    const bool has_day = pin_cell(*found, day);
    return {.object = found, .loaded = has_total && has_day};
}

/// Answers whether the cell is loaded.
bool LaneCells::pin_cell(ObjectCells& object, Day day) {
    Cell* cell = object.find(day);
    if (cell == nullptr) {
        with_object(object, [&] { cell = &object.find_or_add(day); });
    } else {
        cell->used = true;
    }
    ++cell->pins;
    return cell->loaded;
}

void LaneCells::unpin(ObjectCells& object, Day day) {
    // The day first: an object whose last cell goes is gone.
    unpin_cell(object, day);
    unpin_cell(object, lifetime);
}

void LaneCells::unpin_cell(ObjectCells& object, Day day) {
    Cell& cell = cell_of(object, day);
    CHECK(cell.pins > 0, "a cell is unpinned once for each pin");
    --cell.pins;
    if (!cell.loaded && may_go(cell)) {
        let_go(object, day);
    }
}

LaneCells::Presence LaneCells::begin_load(ObjectCells& object, Day day) {
    Cell& cell = cell_of(object, day);
    if (cell.loaded) {
        return Presence::loaded;
    }
    if (cell.loading) {
        return Presence::loading;
    }
    cell.loading = true;
    return Presence::to_load;
}

void LaneCells::end_load(ObjectCells& object, Day day, std::optional<StoredCell> stored) {
    Cell& cell = cell_of(object, day);
    CHECK(cell.loading && !cell.loaded, "a cell is loaded once");
    cell.loading = false;
    if (!stored) {
        return;
    }
    with_cell(cell, [&] {
        cell.loaded = true;
        cell.counts = std::move(stored->counts);
        cell.people = std::move(stored->people);
        cell.through = stored->through;
    });
}

void LaneCells::apply(ObjectCells& object, const Change& change, Instant now) {
    const ReasonId reason = reasons_.id_of(change.refusal);
    apply_to(object, day_of(change.time), quarter_of(change.time), reason, change, now);
    apply_to(object, lifetime, 0, reason, change, now);
    end_ = std::max(end_, change.offset + 1);
}

void LaneCells::apply_to(
    ObjectCells& object,
    Day day,
    unsigned quarter,
    ReasonId reason,
    const Change& change,
    Instant now
) {
    Cell& cell = cell_of(object, day);
    CHECK(cell.loaded && cell.pins > 0, "events are told of cells that are held", day);
    if (change.offset < cell.through) {
        return;
    }
    with_cell(cell, [&] {
        cell.counts.add(quarter, reason);
        if (reason == 0 && change.person && cell.people.add(*change.person)) {
            cell.added += cell.added < 255 ? 1 : 0;
            if (cell.added >= worth_opening) {
                cell.people.open();
            }
        }
    });
    cell.through = change.offset + 1;
    if (!cell.changed) {
        cell.changed = true;
        ++cell.unsaved;
        changed_.push_back(
            {.object = &object, .day = day, .first = change.offset, .since = now, .position = 0}
        );
    }
}

std::size_t LaneCells::compose(Instant before, const RowMark& mark, storage::Batch& batch) const {
    std::size_t composed = 0;
    for (const Unsaved& unsaved : changed_) {
        if (unsaved.since >= before || composed == rows_max || batch.bytes() >= bytes_max) {
            break;
        }
        const ObjectCells& object = *unsaved.object;
        append_row(
            object.action(),
            object.object(),
            cell_of(*unsaved.object, unsaved.day),
            reasons_,
            mark,
            batch
        );
        if (mark.tables.ranked && unsaved.day == lifetime && object.object() != all_objects) {
            append_ranks(
                object.action(), object.object(), cell_of(*unsaved.object, lifetime), mark, batch
            );
        }
        ++composed;
    }
    return composed;
}

void LaneCells::written(std::size_t cells, storage::CommitPosition position) {
    for (std::size_t at = 0; at < cells; ++at) {
        Unsaved unsaved = changed_.front();
        changed_.pop_front();
        Cell& cell = cell_of(*unsaved.object, unsaved.day);
        cell.changed = false;
        if (unsaved.day == lifetime) {
            note_ranks(cell);
        }
        if (cell.added < worth_closing) {
            with_cell(cell, [&] { cell.people.close(); });
        }
        cell.added = 0;
        unsaved.position = position;
        written_.push_back(unsaved);
    }
}

void LaneCells::settle(const storage::Store& store) {
    while (!written_.empty() && store.durable(written_.front().position)) {
        const Unsaved& done = written_.front();
        --cell_of(*done.object, done.day).unsaved;
        written_.pop_front();
    }
}

std::optional<Instant> LaneCells::unsaved_since() const {
    if (!written_.empty()) {
        return written_.front().since;
    }
    return changed_.empty() ? std::nullopt : std::optional{changed_.front().since};
}

std::uint64_t LaneCells::checkpoint() const {
    if (!written_.empty()) {
        return written_.front().first;
    }
    return changed_.empty() ? end_ : changed_.front().first;
}

void LaneCells::copy(
    ObjectCells* object, const ReportDays& days, const std::string& writer, CellCopies& copies
) const {
    if (object == nullptr) {
        return;
    }
    const auto copy_cell = [&](const Cell& cell) {
        if (cell.unsaved > 0) {
            copies[cell.day].try_emplace(
                writer,
                CellCopy{
                    .counts = cell.counts.written(reasons_),
                    .people = cell.people.clone(),
                    .through = cell.through
                }
            );
        }
    };
    std::size_t left = days.most + 1;
    const std::vector<Cell>& cells = object->cells();
    for (auto cell = cells.rbegin(); cell != cells.rend() && left > 0; ++cell) {
        if (cell->day >= days.first && cell->day <= days.last) {
            copy_cell(*cell);
            --left;
        }
    }
    if (const Cell* const total = object->find(lifetime)) {
        copy_cell(*total);
    }
}

std::size_t LaneCells::evict(std::size_t most) {
    std::size_t evicted = 0;
    std::vector<Day> leaving;
    for (std::size_t looked = 0; looked < most && !order_.empty(); ++looked) {
        hand_ = hand_ < order_.size() ? hand_ : 0;
        ObjectCells& object = *order_[hand_];
        leaving.clear();
        for (Cell& cell : object.cells()) {
            if (may_go(cell) && !cell.used) {
                leaving.push_back(cell.day);
            }
            cell.used = false;
        }
        evicted += leaving.size();
        // The last of the order stands in the place of an object that leaves: it is looked at next.
        hand_ += leaving.size() == object.cells().size() ? 0 : 1;
        for (const Day day : leaving) {
            let_go(object, day);
        }
    }
    if (order_.size() < order_.capacity() / 4) {
        order_.shrink_to_fit();
        objects_.rehash(0);
    }
    return evicted;
}

bool LaneCells::may_go(const Cell& cell) {
    return cell.pins == 0 && cell.unsaved == 0 && !cell.loading;
}

/// The object goes with its last cell.
void LaneCells::let_go(ObjectCells& object, Day day) {
    bytes_ -= cell_of(object, day).bytes();
    with_object(object, [&] { object.remove(day); });
    if (!object.cells().empty()) {
        return;
    }
    bytes_ -= object.bytes();
    objects_.erase(Slot{.hash = object.hash(), .object = &object});
    const std::uint32_t place = object.place;
    std::swap(order_[place], order_.back());
    order_[place]->place = place;
    order_.pop_back();
}

void LaneCells::clear() {
    objects_.clear();
    order_.clear();
    changed_.clear();
    written_.clear();
    end_ = 0;
    cells_ = 0;
    bytes_ = 0;
    ++incarnation_;
}

Cell& LaneCells::cell_of(ObjectCells& object, Day day) {
    Cell* const cell = object.find(day);
    CHECK(cell != nullptr, "a cell stays while somebody needs it", day);
    return *cell;
}

std::size_t LaneCells::bytes() const {
    return bytes_ + unsaved() * sizeof(Unsaved) +
           allocated_bytes(order_.capacity() * sizeof(ObjectCells::Owner)) +
           allocated_bytes(objects_.bucket_count() * (sizeof(Slot) + 1));
}

}  // namespace footfall::views
