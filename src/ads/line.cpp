#include "ads/line.h"

#include "foundation/check.h"

#include <limits>
#include <utility>

namespace footfall::ads {
namespace {

constexpr std::size_t end_bytes = 2;
constexpr std::size_t head_bytes = end_bytes * std::tuple_size_v<LineNames::Texts>;

Line::Kind kind_of(const events::JudgedEvent& judged) {
    if (judged.verdict.refusal) {
        return Line::Kind::refused;
    }
    if (judged.event.amount.value_or(0) < 0) {
        return Line::Kind::refund;
    }
    return judged.event.action == "sale" ? Line::Kind::sale : Line::Kind::click;
}

}  // namespace

bool is_of_ledger(const events::Event& event) {
    return (event.action == "click" || event.action == "sale") &&
           (event.amount || !event.reseller.empty() || !event.publisher.empty() || !event.ad.empty()
           );
}

LineNames::LineNames(const Texts& texts) {
    std::size_t bytes = head_bytes;
    for (const std::string_view text : texts) {
        bytes += text.size();
    }
    key_.reserve(bytes);
    append_key(texts, key_);
}

void LineNames::append_key(const Texts& texts, std::string& key) {
    std::size_t end = 0;
    for (const std::string_view text : texts) {
        end += text.size();
        CHECK(end <= std::numeric_limits<std::uint16_t>::max(), "names are bounded at the door");
        key.push_back(static_cast<char>(end >> 8));
        key.push_back(static_cast<char>(end & 0xff));
    }
    for (const std::string_view text : texts) {
        key += text;
    }
}

std::string_view LineNames::text(std::size_t at) const {
    const auto end_of = [&](std::size_t text) {
        const auto high = static_cast<unsigned char>(key_[end_bytes * text]);
        const auto low = static_cast<unsigned char>(key_[end_bytes * text + 1]);
        return (std::size_t{high} << 8) + low;
    };
    const std::size_t begin = at == 0 ? 0 : end_of(at - 1);
    return std::string_view{key_}.substr(head_bytes + begin, end_of(at) - begin);
}

SharedNames::Found SharedNames::find_or_make(const LineNames::Texts& texts) {
    scratch_.clear();
    LineNames::append_key(texts, scratch_);
    const auto found = by_key_.find(scratch_);
    if (found != by_key_.end()) {
        return {.names = found->second};
    }
    auto names = std::make_shared<const LineNames>(texts);
    by_key_.emplace(names->key(), names);
    return {.names = std::move(names), .is_new = true};
}

Amounts Line::amounts() const {
    if (kind == Kind::refused) {
        return {};
    }
    return {
        .clicks = kind == Kind::click ? 1U : 0U,
        .sales = kind == Kind::sale ? 1U : 0U,
        .refunds = kind == Kind::refund ? 1U : 0U,
        .amount = amount
    };
}

Line line_of(
    std::uint64_t offset,
    const events::JudgedEvent& judged,
    const LedgerZone& zone,
    std::string_view currency,
    SharedNames& names
) {
    const events::Event& event = judged.event;
    SharedNames::Found shared = names.find_or_make(
        {event.currency.empty() ? currency : event.currency,
         event.reseller,
         event.publisher,
         ad_of(event),
         judged.verdict.refusal ? std::string_view{judged.verdict.refusal->reason} : ""}
    );
    const Day day = zone.day_of(event.time);
    return {
        .offset = offset,
        .arrival = judged.arrival,
        .amount = event.amount.value_or(0),
        .day = day,
        .arrived = zone.day_of(judged.arrival),
        .booked = month_of(day),
        .quarter = static_cast<std::uint16_t>(zone.quarter_of(event.time, day)),
        .kind = kind_of(judged),
        .made_names = shared.is_new,
        .names = std::move(shared.names)
    };
}

}  // namespace footfall::ads
