#include "views/counts.h"

#include "foundation/check.h"
#include "foundation/varint.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::views {
namespace {

constexpr std::uint64_t version = 1;
constexpr std::size_t longest_reason = 256;

}  // namespace

ReasonId Reasons::id_of(std::string_view reason) {
    const std::optional<ReasonId> id = find_id(reason);
    CHECK(id, "rules have few reasons", reason);
    return *id;
}

std::optional<ReasonId> Reasons::find_id(std::string_view reason) {
    if (const auto known = ids_.find(reason); known != ids_.end()) {
        return known->second;
    }
    if (texts_.size() == reasons_max) {
        return std::nullopt;
    }
    const auto id = static_cast<ReasonId>(texts_.size());
    ids_.emplace(reason, id);
    texts_.emplace_back(reason);
    return id;
}

void Counts::add(unsigned quarter, ReasonId reason, std::uint64_t events) {
    CHECK(quarter < quarters && reason < Reasons::reasons_max, "no such count", quarter, reason);
    const std::uint64_t key = (std::uint64_t{quarter} << reason_bits | reason) << events_bits;
    const auto slots = slots_.all();
    const auto place = std::ranges::lower_bound(slots, key);
    const auto at = static_cast<std::size_t>(place - slots.begin());
    if (place == slots.end() || *place >> events_bits != key >> events_bits) {
        CHECK(events <= events_max, "more events than can be counted", events);
        slots_.insert(at, key | events);
        return;
    }
    CHECK(events <= events_max - (*place & events_max), "more events than can be counted", events);
    *place += events;
}

std::uint64_t Counts::counted() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t slot : slots_.all()) {
        const Entry entry = entry_of(slot);
        sum += entry.reason == 0 ? entry.events : 0;
    }
    return sum;
}

std::uint64_t Counts::refused() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t slot : slots_.all()) {
        const Entry entry = entry_of(slot);
        sum += entry.reason == 0 ? 0 : entry.events;
    }
    return sum;
}

std::string Counts::written(const Reasons& reasons) const {
    std::map<std::string_view, std::vector<Entry>> by_reason;
    for (const std::uint64_t slot : slots_.all()) {
        const Entry entry = entry_of(slot);
        by_reason[reasons.text_of(entry.reason)].push_back(entry);
    }
    std::string bytes;
    append_varint(version, bytes);
    append_varint(by_reason.size(), bytes);
    for (const auto& [reason, entries] : by_reason) {
        append_varint(reason.size(), bytes);
        bytes += reason;
        append_varint(entries.size(), bytes);
        unsigned before = 0;
        for (const Entry& entry : entries) {
            append_varint(entry.quarter - before, bytes);
            append_varint(entry.events, bytes);
            before = entry.quarter;
        }
    }
    return bytes;
}

Result<Counts> Counts::read(std::string_view bytes, Reasons& reasons) {
    const auto corrupt = [] { return fail(ErrorKind::corrupt, "counts of views are damaged"); };
    std::uint64_t number = 0;
    std::uint64_t reasons_left = 0;
    if (!take_varint(bytes, number) || number != version || !take_varint(bytes, reasons_left)) {
        return corrupt();
    }
    Counts read;
    std::optional<std::string_view> reason_before;
    for (; reasons_left > 0; --reasons_left) {
        if (!take_varint(bytes, number) || number > std::min(bytes.size(), longest_reason)) {
            return corrupt();
        }
        const std::string_view text = bytes.substr(0, number);
        bytes.remove_prefix(number);
        const std::optional<ReasonId> reason = reasons.find_id(text);
        if (!reason || (reason_before && text <= *reason_before)) {
            return corrupt();
        }
        reason_before = text;
        std::uint64_t entries = 0;
        if (!take_varint(bytes, entries) || entries > quarters) {
            return corrupt();
        }
        std::uint64_t quarter = 0;
        for (std::uint64_t at = 0; at < entries; ++at) {
            std::uint64_t events = 0;
            if (!take_varint(bytes, number) || !take_varint(bytes, events) || number >= quarters ||
                (at > 0 && number == 0) || events == 0 || events > events_max) {
                return corrupt();
            }
            quarter += number;
            if (quarter >= quarters) {
                return corrupt();
            }
            read.add(static_cast<unsigned>(quarter), *reason, events);
        }
    }
    if (!bytes.empty()) {
        return corrupt();
    }
    return read;
}

std::vector<CountOfReason> Counts::told(const Reasons& reasons) const {
    std::vector<CountOfReason> told;
    told.reserve(slots_.size());
    for (const std::uint64_t slot : slots_.all()) {
        const Entry entry = entry_of(slot);
        told.push_back(
            {.quarter = entry.quarter,
             .reason = reasons.text_of(entry.reason),
             .events = entry.events}
        );
    }
    return told;
}

Result<Counts> Counts::of(std::span<const CountOfReason> told, Reasons& reasons) {
    Counts counts;
    for (const CountOfReason& each : told) {
        const std::optional<ReasonId> reason = reasons.find_id(each.reason);
        if (!reason) {
            return fail(ErrorKind::corrupt, "events were refused for too many reasons");
        }
        counts.add(each.quarter, *reason, each.events);
    }
    return counts;
}

}  // namespace footfall::views
