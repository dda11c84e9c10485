#include "views/lane_cells.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace footfall::views {
namespace {

/// Of action and object together: twice what events have.
constexpr std::size_t longest_names = 2 << 10;

CellChange change_of(const Changes::Entry& entry, Day day, const Reasons& reasons) {
    return {
        .offset = entry.offset,
        .quarter = day == lifetime ? 0 : entry.quarter,
        .reason = reasons.text_of(entry.reason),
        .person = entry.person
    };
}

}  // namespace

std::uint64_t LaneCells::hash_of(SipKey secret, std::string_view action, std::string_view object) {
    std::array<char, longest_names> text;  // NOLINT: what is used of it is written
    CHECK(action.size() + object.size() < longest_names, "names are bounded before", object.size());
    text[0] = static_cast<char>(action.size());
    std::ranges::copy(object, std::ranges::copy(action, text.begin() + 1).out);
    return siphash13(secret, {text.data(), 1 + action.size() + object.size()});
}

/// Whatever changes an object goes through this, so that the sums are right.
template <class Work>
void LaneCells::change(ObjectCells& object, const Work& work) {
    const auto add = [&](auto sign) {
        const std::size_t bytes = object.bytes();
        bytes_ += sign * bytes;
        busy_bytes_ += sign * (object.is_busy() ? bytes : 0);
        waiting_ += sign * object.waiting().size();
    };
    add(~std::size_t{0});  // minus 1: the sums may wrap, and come back
    work();
    add(std::size_t{1});
}

ObjectCells& LaneCells::find_or_make(const Name& name) {
    if (const auto slot = objects_.find(name); slot != objects_.end()) {
        return *slot->object;
    }
    const auto made = ObjectCells::make(name.hash, name.action, name.object);
    objects_.insert({.hash = name.hash, .object = made});
    bytes_ += made->bytes();
    return *made;
}

void LaneCells::apply(const Name& name, const Change& change, Instant now, std::size_t busy_at) {
    ObjectCells& object = find_or_make(name);
    Changes::Entry entry{
        .offset = change.offset,
        .day = day_of(change.time),
        .quarter = quarter_of(change.time),
        .reason = reasons_.id_of(change.refusal)
    };
    if (change.person && entry.reason == 0) {
        entry.person = sketches::token_of(*change.person);
    }
    this->change(object, [&] { object.apply(entry); });
    if (object.waiting().size() >= busy_at && !object.wants_cells) {
        object.wants_cells = true;
        wanting_.emplace_back(&object);
    }
    end_ = std::max(end_, change.offset + 1);
    dirty_since_ = dirty_since_.value_or(now);
}

std::vector<ObjectCells::Owner> LaneCells::take_wanting() {
    for (const ObjectCells::Owner& object : wanting_) {
        object->wants_cells = false;
    }
    return std::exchange(wanting_, {});
}

std::vector<ObjectCells::Owner> LaneCells::begin_round(std::size_t& left) {
    CHECK(!round_since_, "one round begins when the other has ended");
    round_end_ = end_;
    round_since_ = std::exchange(dirty_since_, std::nullopt);
    std::vector<ObjectCells::Owner> dirty;
    dirty.reserve(round_since_ ? objects_.size() : 0);
    left += boost::unordered::erase_if(objects_, [&](const Slot& slot) {
        const ObjectCells& object = *slot.object;
        if (object.is_dirty()) {
            dirty.push_back(slot.object);
        }
        if (!object.is_stored() || object.events() > 0) {
            return false;
        }
        bytes_ -= object.bytes();
        busy_bytes_ -= object.is_busy() ? object.bytes() : 0;
        return true;
    });
    shrink();
    return dirty;
}

void LaneCells::end_round(bool stored) {
    if (stored) {
        stored_before_ = std::max(stored_before_, round_end_);
    } else if (round_since_) {
        dirty_since_ = round_since_;
    }
    round_since_.reset();
}

std::size_t LaneCells::unstored() const {
    return static_cast<std::size_t>(std::ranges::count_if(objects_, [](const Slot& slot) {
        return !slot.object->is_stored();
    }));
}

void LaneCells::keep(ObjectCells& object, std::vector<Cell> rows) {
    change(object, [&] { object.keep(std::move(rows)); });
}

void LaneCells::merge(
    ObjectCells& object, std::vector<Cell> rows, bool stay, const std::function<void(Cell&)>& write
) {
    change(object, [&] { object.merge(std::move(rows), stay, write); });
}

void LaneCells::undo(ObjectCells& object) {
    change(object, [&] { object.undo(); });
}

void LaneCells::settle(ObjectCells& object) {
    change(object, [&] { object.settle(); });
    if (object.is_stored() && !object.is_busy()) {
        bytes_ -= object.bytes();
        const auto slot = objects_.find(
            Name{.hash = object.hash(), .action = object.action(), .object = object.object()}
        );
        CHECK(slot != objects_.end(), "an object leaves once");
        objects_.erase(slot);
    }
}

/// After many have left.
void LaneCells::shrink() {
    if (objects_.size() < objects_.bucket_count() / 8) {
        objects_.rehash(0);
    }
}

void LaneCells::copy(
    const Name& name, const ReportDays& days, const std::string& writer, CellCopies& copies
) const {
    const auto slot = objects_.find(name);
    if (slot == objects_.end()) {
        return;
    }
    const ObjectCells& object = *slot->object;
    const auto is_asked = [&](Day day) {
        return day == lifetime || (days.most > 0 && day >= days.first && day <= days.last);
    };
    for (const Cell& cell : object.cells()) {
        if ((cell.changed || cell.writing) && is_asked(cell.day)) {
            CellCopy& copy = copies[cell.day][writer];
            copy.whole = true;
            copy.counts = cell.counts.told(reasons_);
            copy.people = cell.people.clone();
            copy.through = cell.through;
        }
    }
    const auto copy_changes = [&](const Changes& changes) {
        changes.for_each([&](const Changes::Entry& entry) {
            for (const Day day : {entry.day, lifetime}) {
                if (is_asked(day)) {
                    copies[day][writer].changes.push_back(change_of(entry, day, reasons_));
                }
            }
        });
    };
    if (const Changes* const written = object.written()) {
        copy_changes(*written);
    }
    copy_changes(object.waiting());
}

void LaneCells::clear() {
    objects_ = {};
    wanting_ = {};
    end_ = 0;
    stored_before_ = 0;
    dirty_since_.reset();
    round_since_.reset();
    bytes_ = 0;
    busy_bytes_ = 0;
    waiting_ = 0;
}

std::size_t LaneCells::table_bytes() const {
    return allocated_bytes(objects_.bucket_count() * (sizeof(Slot) + 1)) +
           allocated_bytes(wanting_.capacity() * sizeof(ObjectCells::Owner));
}

std::size_t LaneCells::recount() const {
    std::size_t bytes = table_bytes();
    for (const Slot& slot : objects_) {
        bytes += slot.object->bytes();
    }
    return bytes;
}

}  // namespace footfall::views
