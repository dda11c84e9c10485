#include "ads/line.h"

#include "foundation/check.h"

#include <algorithm>
#include <functional>
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
    std::size_t end = 0;
    for (const std::string_view text : texts) {
        end += text.size();
        CHECK(end <= std::numeric_limits<std::uint16_t>::max(), "names are bounded at the door");
        bytes_.push_back(static_cast<char>(end >> 8));
        bytes_.push_back(static_cast<char>(end & 0xff));
    }
    bytes_.reserve(head_bytes + end);
    for (const std::string_view text : texts) {
        bytes_ += text;
    }
}

std::string_view LineNames::text(std::size_t at) const {
    const auto end_of = [&](std::size_t text) {
        const auto high = static_cast<unsigned char>(bytes_[end_bytes * text]);
        const auto low = static_cast<unsigned char>(bytes_[end_bytes * text + 1]);
        return (std::size_t{high} << 8) + low;
    };
    const std::size_t begin = at == 0 ? 0 : end_of(at - 1);
    return std::string_view{bytes_}.substr(head_bytes + begin, end_of(at) - begin);
}

std::size_t SharedNames::Hash::operator()(const LineNames::Texts& texts) const {
    std::size_t hash = 0;
    for (const std::string_view text : texts) {
        hash = hash * 31 + std::hash<std::string_view>{}(text);
    }
    return hash;
}

SharedNames::Found SharedNames::find_or_make(const LineNames::Texts& texts) {
    const auto found = names_.find(texts);
    if (found != names_.end()) {
        return {.names = *found};
    }
    const auto made = names_.insert(std::make_shared<const LineNames>(texts)).first;
    return {.names = *made, .is_new = true};
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

void LineSum::add(const Line& line) {
    first_arrival = count == 0 ? line.arrival : std::min(first_arrival, line.arrival);
    like = &line;
    amounts += line.amounts();
    ++count;
    through = line.offset + 1;
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
