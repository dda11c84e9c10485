#include "events/control.h"

#include "events/identifier_code.h"
#include "events/wire.h"
#include "foundation/check.h"
#include "foundation/varint.h"

#include <chrono>
#include <limits>
#include <utility>

namespace footfall::events {
namespace {

// Of a control record: which one it is.
constexpr std::uint64_t rules_tag = 1;
constexpr std::uint64_t rate_tag = 2;
constexpr std::uint64_t month_tag = 3;
constexpr std::uint64_t reads_tag = 4;
constexpr std::uint64_t mark_tag = 5;
constexpr std::uint64_t identity_tag = 6;
constexpr std::uint64_t guards_tag = 7;

struct RulesTags {
    static constexpr std::uint64_t version = 1;
    static constexpr std::uint64_t digest = 2;
};

struct RateTags {
    static constexpr std::uint64_t kind = 1;
    static constexpr std::uint64_t party = 2;
    static constexpr std::uint64_t effective = 3;
    static constexpr std::uint64_t share = 4;
    static constexpr std::uint64_t reason = 5;
    static constexpr std::uint64_t author = 6;
    static constexpr std::uint64_t if_match = 7;
    static constexpr std::uint64_t said = 8;
    static constexpr std::uint64_t id = 9;
    static constexpr std::uint64_t source = 10;
};

struct MonthTags {
    static constexpr std::uint64_t month = 1;
    static constexpr std::uint64_t reason = 2;
    static constexpr std::uint64_t author = 3;
    static constexpr std::uint64_t said = 4;
    static constexpr std::uint64_t id = 5;
    static constexpr std::uint64_t source = 6;
};

struct ReadsTags {
    static constexpr std::uint64_t seal = 1;
    static constexpr std::uint64_t source = 2;
};

struct MarkTags {
    static constexpr std::uint64_t said = 1;
    static constexpr std::uint64_t source = 2;
};

struct IdentityTags {
    static constexpr std::uint64_t kind = 1;
    static constexpr std::uint64_t ids = 2;
    static constexpr std::uint64_t others = 3;
    static constexpr std::uint64_t about = 4;
    static constexpr std::uint64_t reason = 5;
    static constexpr std::uint64_t author = 6;
    static constexpr std::uint64_t said = 7;
    static constexpr std::uint64_t id = 8;
    static constexpr std::uint64_t source = 9;
};

struct GuardsTags {
    static constexpr std::uint64_t version = 1;
    static constexpr std::uint64_t guards = 2;
    static constexpr std::uint64_t said = 3;
    static constexpr std::uint64_t source = 4;
};

void append_signed(std::uint64_t tag, std::int64_t number, std::string& out) {
    append_number_field(tag, zigzag(number), out);
}

void append_source(std::uint64_t tag, std::optional<std::uint64_t> source, std::string& out) {
    if (source) {
        append_number_field(tag, *source + 1, out);
    }
}

void append_fields(const RulesInForce& rules, std::string& out) {
    append_number_field(RulesTags::version, rules.version, out);
    append_text_field(RulesTags::digest, rules.digest, out);
}

void append_fields(const RateSaid& rate, std::string& out) {
    append_number_field(RateTags::kind, std::to_underlying(rate.kind), out);
    append_text_field(RateTags::party, rate.party, out);
    append_signed(RateTags::effective, rate.effective, out);
    if (rate.share) {
        append_number_field(RateTags::share, *rate.share, out);
    }
    append_text_field(RateTags::reason, rate.reason, out);
    append_text_field(RateTags::author, rate.author, out);
    if (rate.if_match) {
        append_bytes_field(RateTags::if_match, *rate.if_match, out);
    }
    append_signed(RateTags::said, rate.said.time_since_epoch().count(), out);
    append_text_field(RateTags::id, rate.id, out);
    append_source(RateTags::source, rate.source, out);
}

void append_fields(const MonthSealed& sealed, std::string& out) {
    append_signed(MonthTags::month, sealed.month, out);
    append_text_field(MonthTags::reason, sealed.reason, out);
    append_text_field(MonthTags::author, sealed.author, out);
    append_signed(MonthTags::said, sealed.said.time_since_epoch().count(), out);
    append_text_field(MonthTags::id, sealed.id, out);
    append_source(MonthTags::source, sealed.source, out);
}

void append_fields(const ReadsToldAgain& told, std::string& out) {
    append_bytes_field(ReadsTags::seal, told.seal, out);
    append_source(ReadsTags::source, told.source, out);
}

void append_fields(const ReadsMark& mark, std::string& out) {
    append_signed(MarkTags::said, mark.said.time_since_epoch().count(), out);
    append_source(MarkTags::source, mark.source, out);
}

void append_fields(const IdentityDecided& decided, std::string& out) {
    append_number_field(IdentityTags::kind, std::to_underlying(decided.kind), out);
    for (const Identifier& each : decided.ids) {
        append_identifier(IdentityTags::ids, each, out);
    }
    for (const Identifier& each : decided.others) {
        append_identifier(IdentityTags::others, each, out);
    }
    append_bytes_field(IdentityTags::about, decided.about, out);
    append_text_field(IdentityTags::reason, decided.reason, out);
    append_text_field(IdentityTags::author, decided.author, out);
    append_signed(IdentityTags::said, decided.said.time_since_epoch().count(), out);
    append_text_field(IdentityTags::id, decided.id, out);
    append_source(IdentityTags::source, decided.source, out);
}

void append_fields(const IdentityGuards& guards, std::string& out) {
    append_number_field(GuardsTags::version, guards.version, out);
    append_text_field(GuardsTags::guards, guards.guards, out);
    append_signed(GuardsTags::said, guards.said.time_since_epoch().count(), out);
    append_source(GuardsTags::source, guards.source, out);
}

std::uint64_t tag_of(const RulesInForce&) {
    return rules_tag;
}

std::uint64_t tag_of(const RateSaid&) {
    return rate_tag;
}

std::uint64_t tag_of(const MonthSealed&) {
    return month_tag;
}

std::uint64_t tag_of(const ReadsToldAgain&) {
    return reads_tag;
}

std::uint64_t tag_of(const ReadsMark&) {
    return mark_tag;
}

std::uint64_t tag_of(const IdentityDecided&) {
    return identity_tag;
}

std::uint64_t tag_of(const IdentityGuards&) {
    return guards_tag;
}

bool read_number(std::uint64_t said, std::uint32_t& number) {
    number = static_cast<std::uint32_t>(said);
    return said <= std::numeric_limits<std::uint32_t>::max();
}

bool read_signed(std::uint64_t said, std::int32_t& number) {
    const std::int64_t whole = from_zigzag(said);
    number = static_cast<std::int32_t>(whole);
    return number == whole;
}

bool read_source(std::uint64_t said, std::optional<std::uint64_t>& source) {
    source = said - 1;
    return said > 0;
}

Instant instant_of(std::uint64_t said) {
    return Instant{std::chrono::microseconds{from_zigzag(said)}};
}

bool set_field(const WireField& field, RulesInForce& rules) {
    switch (field.tag) {
        case RulesTags::version:
            return read_number(field.number, rules.version);
        case RulesTags::digest:
            rules.digest = field.bytes;
            return true;
        default:
            return true;
    }
}

bool set_field(const WireField& field, RateSaid& rate) {
    switch (field.tag) {
        case RateTags::kind:
            rate.kind = static_cast<PartyKind>(field.number);
            return field.number <= std::to_underlying(PartyKind::publisher);
        case RateTags::party:
            rate.party = field.bytes;
            return true;
        case RateTags::effective:
            return read_signed(field.number, rate.effective);
        case RateTags::share:
            return read_number(field.number, rate.share.emplace());
        case RateTags::reason:
            rate.reason = field.bytes;
            return true;
        case RateTags::author:
            rate.author = field.bytes;
            return true;
        case RateTags::if_match:
            rate.if_match = field.bytes;
            return true;
        case RateTags::said:
            rate.said = instant_of(field.number);
            return true;
        case RateTags::id:
            rate.id = field.bytes;
            return true;
        case RateTags::source:
            return read_source(field.number, rate.source);
        default:
            return true;
    }
}

bool set_field(const WireField& field, MonthSealed& sealed) {
    switch (field.tag) {
        case MonthTags::month:
            return read_signed(field.number, sealed.month);
        case MonthTags::reason:
            sealed.reason = field.bytes;
            return true;
        case MonthTags::author:
            sealed.author = field.bytes;
            return true;
        case MonthTags::said:
            sealed.said = instant_of(field.number);
            return true;
        case MonthTags::id:
            sealed.id = field.bytes;
            return true;
        case MonthTags::source:
            return read_source(field.number, sealed.source);
        default:
            return true;
    }
}

bool set_field(const WireField& field, ReadsToldAgain& told) {
    switch (field.tag) {
        case ReadsTags::seal:
            told.seal = field.bytes;
            return true;
        case ReadsTags::source:
            return read_source(field.number, told.source);
        default:
            return true;
    }
}

bool set_field(const WireField& field, ReadsMark& mark) {
    switch (field.tag) {
        case MarkTags::said:
            mark.said = instant_of(field.number);
            return true;
        case MarkTags::source:
            return read_source(field.number, mark.source);
        default:
            return true;
    }
}

bool set_field(const WireField& field, IdentityDecided& decided) {
    switch (field.tag) {
        case IdentityTags::kind:
            decided.kind = static_cast<IdentityKind>(field.number);
            return field.number <= std::to_underlying(IdentityKind::lift);
        case IdentityTags::ids:
            return read_identifier(field.bytes, decided.ids.emplace_back());
        case IdentityTags::others:
            return read_identifier(field.bytes, decided.others.emplace_back());
        case IdentityTags::about:
            decided.about = field.bytes;
            return true;
        case IdentityTags::reason:
            decided.reason = field.bytes;
            return true;
        case IdentityTags::author:
            decided.author = field.bytes;
            return true;
        case IdentityTags::said:
            decided.said = instant_of(field.number);
            return true;
        case IdentityTags::id:
            decided.id = field.bytes;
            return true;
        case IdentityTags::source:
            return read_source(field.number, decided.source);
        default:
            return true;
    }
}

bool set_field(const WireField& field, IdentityGuards& guards) {
    switch (field.tag) {
        case GuardsTags::version:
            return read_number(field.number, guards.version);
        case GuardsTags::guards:
            guards.guards = field.bytes;
            return true;
        case GuardsTags::said:
            guards.said = instant_of(field.number);
            return true;
        case GuardsTags::source:
            return read_source(field.number, guards.source);
        default:
            return true;
    }
}

template <class Kind>
Result<Control> read_fields(std::string_view bytes) {
    Kind control;
    WireField field;
    while (!bytes.empty()) {
        if (!take_field(bytes, field) || !set_field(field, control)) {
            return fail(ErrorKind::corrupt, "a control record in the log is damaged");
        }
    }
    return control;
}

/// Of one that the judge of a lane writes: it came from nowhere.
template <class Kind>
concept Said = requires(Kind control) { control.source; };

}  // namespace

bool is_said(const Control& control) {
    return std::visit([]<class Kind>(const Kind&) { return Said<Kind>; }, control);
}

std::optional<std::uint64_t> source_of(const Control& control) {
    return std::visit(
        []<class Kind>(const Kind& each) -> std::optional<std::uint64_t> {
            if constexpr (Said<Kind>) {
                return each.source;
            }
            return std::nullopt;
        },
        control
    );
}

void set_source(Control& control, std::uint64_t source) {
    CHECK(is_said(control), "the judge of a lane writes it by itself");
    std::visit(
        [source]<class Kind>(Kind& each) {
            if constexpr (Said<Kind>) {
                each.source = source;
            }
        },
        control
    );
}

void append_control(const Control& control, std::string& out) {
    append_written_field(control_tag, out, [&] {
        std::visit(
            [&](const auto& each) {
                append_written_field(tag_of(each), out, [&] { append_fields(each, out); });
            },
            control
        );
    });
}

Result<Control> read_control(std::string_view bytes) {
    WireField field;
    if (take_field(bytes, field)) {
        switch (field.tag) {
            case rules_tag:
                return read_fields<RulesInForce>(field.bytes);
            case rate_tag:
                return read_fields<RateSaid>(field.bytes);
            case month_tag:
                return read_fields<MonthSealed>(field.bytes);
            case reads_tag:
                return read_fields<ReadsToldAgain>(field.bytes);
            case mark_tag:
                return read_fields<ReadsMark>(field.bytes);
            case identity_tag:
                return read_fields<IdentityDecided>(field.bytes);
            case guards_tag:
                return read_fields<IdentityGuards>(field.bytes);
            default:
                break;
        }
    }
    return fail(
        ErrorKind::corrupt,
        "a control record in the log is damaged, or of a newer version of the program"
    );
}

}  // namespace footfall::events
