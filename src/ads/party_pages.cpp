#include "ads/party_pages.h"

#include "ads/schema.h"

#include <algorithm>

namespace footfall::ads {
namespace {

constexpr std::size_t bytes_without_share = 32 << 20;
/// A node of the table, and what is behind its pointer.
constexpr std::size_t node_bytes = 96;

}  // namespace

bool PageHorizon::has(std::uint32_t lane, const Line& line) const {
    const std::pair place{lane, line.booked};
    const auto row = std::ranges::lower_bound(rows, place, {}, &Row::place);
    return line.offset < taken_before.at(lane) ||
           (row != rows.end() && row->place() == place && line.offset < row->through);
}

std::string PartyPages::key_of(PartyKind kind, std::string_view party, std::string_view currency) {
    std::string key;
    key.reserve(party.size() + currency.size() + 2);
    key += kind == PartyKind::reseller ? 'r' : 'p';
    key += currency;
    key += '\0';
    key += party;
    return key;
}

std::shared_ptr<PartyPages::Held> PartyPages::held(const std::string& key) const {
    const std::shared_lock lock{table_mutex_};
    const auto found = table_.find(key);
    return found == table_.end() ? nullptr : found->second;
}

Result<std::optional<PageAnswer>> PartyPages::find(
    PartyKind kind, std::string_view party, std::string_view currency, DayRange range
) {
    const std::shared_ptr<Held> held = this->held(key_of(kind, party, currency));
    if (held == nullptr) {
        return std::optional<PageAnswer>{};
    }
    held->used.store(true, std::memory_order_relaxed);
    const std::lock_guard lock{held->mutex};
    if (held->is_making || held->is_void || !held->page) {
        return std::optional<PageAnswer>{};
    }
    return answer(*held->page, range);
}

Result<std::optional<PageAnswer>> PartyPages::ask(
    PartyKind kind, const std::string& party, const std::string& currency, DayRange range
) {
    const std::string key = key_of(kind, party, currency);
    std::shared_ptr<Held> held;
    bool is_new = false;
    {
        const std::lock_guard lock{table_mutex_};
        std::shared_ptr<Held>& place = table_[key];
        is_new = place == nullptr;
        if (is_new) {
            place = std::make_shared<Held>();
            place->bytes = node_bytes + sizeof(Held) + key.capacity();
            bytes_ += place->bytes;
        }
        held = place;
    }
    held->used.store(true, std::memory_order_relaxed);
    if (is_new) {
        const Result<void> made = make(*held, kind, party, currency);
        if (!made) {
            erase(key, held);
            return std::unexpected(made.error());
        }
        book(*held, key.capacity());
        evict();
    }
    return wait_for(*held, range);
}

Result<std::optional<PageAnswer>> PartyPages::answer(const Page& page, DayRange range) {
    TRY(auto report, page.report(range));
    if (!report) {
        return std::optional<PageAnswer>{};
    }
    return std::optional{
        PageAnswer{.report = *std::move(report), .days = page.days(), .sealed = page.sealed()}
    };
}

/// Waits while another thread makes it.
Result<std::optional<PageAnswer>> PartyPages::wait_for(Held& held, DayRange range) {
    std::unique_lock lock{held.mutex};
    held.ready.wait(lock, [&] { return !held.is_making; });
    if (held.failure) {
        return std::unexpected(*held.failure);
    }
    if (!held.page) {
        return std::optional<PageAnswer>{};
    }
    return answer(*held.page, range);
}

/// What comes meanwhile waits, and is taken in unless the page has it already.
Result<void> PartyPages::make(
    Held& held, PartyKind kind, const std::string& party, const std::string& currency
) {
    Result<MadePage> made = make_(kind, party, currency);
    ++made_pages_;
    {
        const std::lock_guard lock{held.mutex};
        held.is_making = false;
        if (!made) {
            held.failure = made.error();
        } else {
            held.page = std::move(made->page);
            held.horizon = std::move(made->horizon);
            for (const WaitingLine& each : held.came) {
                add(held, each.lane, each.line);
            }
        }
        held.came = {};
    }
    held.ready.notify_all();
    if (!made) {
        return std::unexpected(std::move(made).error());
    }
    return {};
}

/// With the page's mutex held.
void PartyPages::add(Held& held, std::uint32_t lane, const Line& line) {
    if (held.is_void || !held.page || held.horizon.has(lane, line)) {
        return;
    }
    const auto added = held.page->add(line.day, line.booked, line.amounts());
    if (!added || !*added) {
        held.page.reset();
        held.is_void = true;
    }
}

void PartyPages::hand_over(std::uint32_t lane, const Entry& entry) {
    const auto* const line = std::get_if<Line>(&entry.what);
    if (line != nullptr && line->refusal().empty()) {
        hand_line(lane, *line, PartyKind::reseller);
        hand_line(lane, *line, PartyKind::publisher);
    }
}

void PartyPages::hand_line(std::uint32_t lane, const Line& line, PartyKind kind) {
    const std::string key = key_of(kind, line.party(kind), line.currency());
    const std::shared_ptr<Held> held = this->held(key);
    if (held == nullptr) {
        return;
    }
    bool is_void = false;
    {
        const std::lock_guard lock{held->mutex};
        if (held->is_making) {
            held->came.push_back({.lane = lane, .line = line});
            return;
        }
        add(*held, lane, line);
        is_void = held->is_void;
    }
    if (is_void) {
        erase(key, held);
    } else {
        book(*held, key.capacity());
    }
}

/// One that was taken out of the table is in no account.
void PartyPages::book(Held& held, std::size_t key_bytes) {
    const std::lock_guard lock{held.mutex};
    if (held.is_void) {
        return;
    }
    const std::size_t now = node_bytes + sizeof(Held) + key_bytes +
                            (held.page ? held.page->bytes() : 0) +
                            held.horizon.rows.capacity() * sizeof(PageHorizon::Row);
    bytes_ += now - held.bytes;
    held.bytes = now;
}

void PartyPages::erase(const std::string& key, const std::shared_ptr<Held>& held) {
    const std::lock_guard lock{table_mutex_};
    const auto found = table_.find(key);
    if (found != table_.end() && found->second == held) {
        const std::lock_guard page_lock{held->mutex};
        bytes_ -= held->bytes;
        held->is_void = true;
        table_.erase(found);
    }
}

void PartyPages::forget(PartyKind kind, std::string_view party) {
    const std::lock_guard lock{table_mutex_};
    std::erase_if(table_, [&](const auto& each) {
        const std::string_view key = each.first;
        const bool is_of_party = key.front() == (kind == PartyKind::reseller ? 'r' : 'p') &&
                                 key.substr(key.find('\0') + 1) == party;
        if (is_of_party) {
            const std::lock_guard page_lock{each.second->mutex};
            bytes_ -= each.second->bytes;
            each.second->is_void = true;
        }
        return is_of_party;
    });
}

void PartyPages::forget_all() {
    const std::lock_guard lock{table_mutex_};
    for (const auto& [key, held] : table_) {
        const std::lock_guard page_lock{held->mutex};
        bytes_ -= held->bytes;
        held->is_void = true;
    }
    table_.clear();
}

/// Those that were not asked for since the last round go, until there is room.
void PartyPages::evict() {
    while (bytes() > bytes_max()) {
        const std::lock_guard lock{table_mutex_};
        const std::size_t before = table_.size();
        std::erase_if(table_, [&](const auto& each) {
            Held& held = *each.second;
            if (bytes() <= bytes_max() / 10 * 9 || held.used.exchange(false)) {
                return false;
            }
            const std::lock_guard page_lock{held.mutex};
            bytes_ -= held.bytes;
            held.is_void = true;
            return true;
        });
        if (before <= 1 && table_.size() == before) {
            return;  // the one that was just made
        }
    }
}

std::size_t PartyPages::bytes_max() const {
    return memory_ != nullptr ? memory_->bytes() / 100 * percent_ : bytes_without_share;
}

std::size_t PartyPages::pages() const {
    const std::shared_lock lock{table_mutex_};
    return table_.size();
}

}  // namespace footfall::ads
