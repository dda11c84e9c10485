#include "records/field_map.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace footfall::records {
namespace {

/// Some of the kinds.
struct Kinds {
    bool tokens = false;
    bool events = false;
    bool rates = false;
    bool people = false;
    bool identities = false;

    bool have(ImportKind kind) const {
        switch (kind) {
            case ImportKind::tokens:
                return tokens;
            case ImportKind::events:
                return events;
            case ImportKind::rates:
                return rates;
            case ImportKind::people:
                return people;
            case ImportKind::identities:
                break;
        }
        return identities;
    }
};

struct Target {
    TargetField field;
    std::string_view name;
    Kinds kinds;
    Kinds needed_by = {};
};

constexpr Kinds tokens_alone{.tokens = true};
constexpr Kinds events_alone{.events = true};
constexpr Kinds rates_alone{.rates = true};
constexpr Kinds people_alone{.people = true};
constexpr Kinds tokens_and_events{.tokens = true, .events = true};
constexpr Kinds events_and_rates{.events = true, .rates = true};
constexpr Kinds events_and_people{.events = true, .people = true};
constexpr Kinds events_and_identities{.events = true, .identities = true};
constexpr Kinds identities_alone{.identities = true};

constexpr std::array targets = {
    Target{TargetField::object, "object", tokens_and_events, tokens_and_events},
    Target{TargetField::token, "token", tokens_alone, tokens_alone},
    Target{TargetField::ttl, "ttl", tokens_alone},
    Target{TargetField::action, "action", events_alone, events_alone},
    Target{TargetField::id, "id", events_alone},
    Target{TargetField::time, "time", events_and_identities},
    Target{TargetField::actor, "actor", events_and_people, people_alone},
    Target{TargetField::address, "address", events_alone},
    Target{TargetField::agent, "agent", events_alone},
    Target{TargetField::referrer, "referrer", events_alone},
    Target{TargetField::amount, "amount", events_alone},
    Target{TargetField::currency, "currency", events_alone},
    Target{TargetField::reseller, "reseller", events_and_rates},
    Target{TargetField::ad, "ad", events_alone},
    Target{TargetField::publisher, "publisher", events_and_rates},
    Target{TargetField::effective_since, "effective_since", rates_alone, rates_alone},
    Target{TargetField::reward_percent, "reward_percent", rates_alone, rates_alone},
    Target{TargetField::reason, "reason", rates_alone},
    Target{TargetField::reading, "reading", people_alone},
    Target{TargetField::until, "until", people_alone},
    Target{TargetField::sites, "sites", people_alone},
    Target{TargetField::audience, "to", people_alone},
    Target{TargetField::friends, "friends", people_alone},
    Target{TargetField::one_friend, "friend", people_alone},
    Target{TargetField::source, "source", identities_alone},
    Target{TargetField::network_id, "NETWORK/NAME", identities_alone},
};

template <class Value>
struct Choice {
    std::string_view name;
    Value value;
};

constexpr std::array import_kinds = {
    Choice<ImportKind>{"tokens", ImportKind::tokens},
    Choice<ImportKind>{"events", ImportKind::events},
    Choice<ImportKind>{"rates", ImportKind::rates},
    Choice<ImportKind>{"people", ImportKind::people},
    Choice<ImportKind>{"identities", ImportKind::identities}
};

constexpr std::array input_formats = {
    Choice<InputFormat>{"csv", InputFormat::csv},
    Choice<InputFormat>{"tsv", InputFormat::tsv},
    Choice<InputFormat>{"ndjson", InputFormat::ndjson},
    Choice<InputFormat>{"common", InputFormat::common},
    Choice<InputFormat>{"combined", InputFormat::combined},
};

template <class Choices>
auto choose(const Choices& choices, std::string_view option, std::string_view text)
    -> Result<decltype(choices[0].value)> {
    std::vector<std::string_view> names;
    for (const auto& choice : choices) {
        if (choice.name == text) {
            return choice.value;
        }
        names.push_back(choice.name);
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format("{} {}: choose one of {}", option, text, fmt::join(names, ", "))
    );
}

std::string_view plural_of(ImportKind kind) {
    return std::ranges::find(import_kinds, kind, &Choice<ImportKind>::value)->name;
}

std::string target_names(ImportKind kind) {
    std::vector<std::string_view> names;
    for (const auto& target : targets) {
        if (target.kinds.have(kind)) {
            names.push_back(target.name);
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string_view trimmed(std::string_view text) {
    const auto begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

bool is_access_log(InputFormat format) {
    return format == InputFormat::common || format == InputFormat::combined;
}

/// What an example of a map begins with.
std::string_view first_field(ImportKind kind) {
    switch (kind) {
        case ImportKind::tokens:
        case ImportKind::events:
            return "object";
        case ImportKind::rates:
            return "reseller";
        case ImportKind::people:
            return "actor";
        case ImportKind::identities:
            break;
    }
    return "NETWORK/NAME";
}

std::string_view default_map(ImportKind kind, InputFormat format) {
    if (kind != ImportKind::tokens && kind != ImportKind::events) {
        return "";
    }
    const bool tokens = kind == ImportKind::tokens;
    switch (format) {
        case InputFormat::common:
            return tokens ? "object=url,token=address" : "object=url,time=time,address=address";
        case InputFormat::combined:
            return tokens ? "object=url,token=address"
                          : "object=url,time=time,address=address,agent=agent,referrer=referrer";
        case InputFormat::csv:
        case InputFormat::tsv:
        case InputFormat::ndjson:
            break;
    }
    return "";
}

std::unexpected<Error> wrong(std::string message) {
    return fail(ErrorKind::invalid_input, std::move(message));
}

Result<std::size_t> numbered_column(const FieldMap::Mapping& mapping, std::size_t column_count) {
    const auto number = parse_unsigned(mapping.column);
    if (!number) {
        return wrong(fmt::format(
            "--map {}={}: without a header a column is given by its number, from 1 to {}",
            mapping.name,
            mapping.column,
            column_count
        ));
    }
    if (*number < 1 || *number > column_count) {
        return wrong(fmt::format(
            "--map {}={}: columns are numbered from 1 to {}",
            mapping.name,
            mapping.column,
            column_count
        ));
    }
    return static_cast<std::size_t>(*number - 1);
}

Result<std::size_t> named_column(
    const FieldMap::Mapping& mapping, std::span<const std::string_view> header
) {
    const auto found = std::ranges::find(header, mapping.column);
    if (found == header.end()) {
        if (parse_unsigned(mapping.column)) {
            return numbered_column(mapping, header.size());
        }
        return wrong(fmt::format(
            "--map {}={}: there is no column {}; the columns are {}",
            mapping.name,
            mapping.column,
            mapping.column,
            fmt::join(header, ", ")
        ));
    }
    if (std::find(found + 1, header.end(), mapping.column) != header.end()) {
        return wrong(fmt::format(
            "--map {}={}: two columns have this name; give the number of the one you mean, from 1 "
            "to {}",
            mapping.name,
            mapping.column,
            header.size()
        ));
    }
    return static_cast<std::size_t>(found - header.begin());
}

}  // namespace

Result<ImportKind> parse_import_kind(std::string_view text) {
    return choose(import_kinds, "--as", text);
}

Result<InputFormat> parse_input_format(std::string_view text) {
    return choose(input_formats, "--format", text);
}

std::string_view name_of(TargetField field) {
    return std::ranges::find(targets, field, &Target::field)->name;
}

bool is_list(TargetField field) {
    return field == TargetField::sites || field == TargetField::friends;
}

Result<FieldMap> FieldMap::parse(const Options& options) {
    FieldMap map{options.kind};
    const bool by_default = trimmed(options.map).empty();
    std::string_view text = by_default ? default_map(options.kind, options.format) : options.map;
    if (text.empty()) {
        return wrong(fmt::format(
            "--map is needed for this format, as in --map {}=COLUMN,...", first_field(options.kind)
        ));
    }
    for (const auto& constant : options.constants) {
        TRY_VOID(map.add_constant(constant));
    }
    for (;;) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        // A constant takes the place of what is only the default.
        if (!by_default || !map.has_constant(part.substr(0, part.find('=')))) {
            TRY_VOID(map.add_mapping(part));
        }
        if (comma == std::string_view::npos) {
            break;
        }
        text.remove_prefix(comma + 1);
    }
    if (options.kind == ImportKind::events && is_access_log(options.format) &&
        !map.has(TargetField::action)) {
        map.constants_.push_back({.target = TargetField::action, .value = "view"});
    }
    TRY_VOID(map.check_complete());
    return map;
}

Result<void> FieldMap::add_mapping(std::string_view part) {
    const auto equals = part.find('=');
    const auto name = trimmed(part.substr(0, equals));
    const auto column =
        equals == std::string_view::npos ? std::string_view{} : trimmed(part.substr(equals + 1));
    if (name.empty() || column.empty()) {
        return wrong(fmt::format("--map {}: each part must read TARGET=COLUMN", part));
    }
    TRY(const auto target, new_target(name));
    mappings_.push_back({.target = target, .column = std::string{column}, .name = std::string{name}}
    );
    return {};
}

Result<void> FieldMap::add_constant(std::string_view part) {
    const auto equals = part.find('=');
    const auto name = trimmed(part.substr(0, equals));
    if (equals == std::string_view::npos || name.empty() || equals + 1 == part.size()) {
        return wrong(fmt::format("--set {}: it must read TARGET=VALUE", part));
    }
    TRY(const auto target, new_target(name));
    if (target == TargetField::network_id) {
        return wrong(fmt::format("--set {}: an id is another one in every record; --map it", part));
    }
    constants_.push_back({.target = target, .value = std::string{part.substr(equals + 1)}});
    return {};
}

Result<TargetField> FieldMap::new_target(std::string_view name) const {
    const auto slash = name.find('/');
    if (kind_ == ImportKind::identities && slash != 0 && slash < name.size() - 1) {
        return std::ranges::find(mappings_, name, &Mapping::name) == mappings_.end()
                   ? Result<TargetField>{TargetField::network_id}
                   : wrong(fmt::format("the field {} is given twice by --map", name));
    }
    const auto target = std::ranges::find(targets, name, &Target::name);
    if (target == targets.end() || !target->kinds.have(kind_)) {
        return wrong(fmt::format(
            "{} have no field {}; they have {}", plural_of(kind_), name, target_names(kind_)
        ));
    }
    if (has(target->field)) {
        return wrong(fmt::format("the field {} is given twice by --map and --set", name));
    }
    return target->field;
}

Result<void> FieldMap::check_complete() const {
    for (const auto& target : targets) {
        if (target.needed_by.have(kind_) && !has(target.field)) {
            return wrong(fmt::format(
                "{0} need the field {1}; add {1}=COLUMN to --map, or --set {1}=VALUE",
                plural_of(kind_),
                target.name
            ));
        }
    }
    switch (kind_) {
        case ImportKind::tokens:
        case ImportKind::events:
            return {};
        case ImportKind::rates:
            return check_rates();
        case ImportKind::people:
            return check_people();
        case ImportKind::identities:
            break;
    }
    return check_identities();
}

Result<void> FieldMap::check_rates() const {
    return has(TargetField::reseller) != has(TargetField::publisher)
               ? Result<void>{}
               : wrong("rates need either the field reseller or the field publisher");
}

/// Without `reading` the others would be of somebody who is off, and withdraw all they shared.
Result<void> FieldMap::check_people() const {
    const bool friends = has(TargetField::friends);
    const bool one_friend = has(TargetField::one_friend);
    if (friends && one_friend) {
        return wrong(
            "people have either friends, which replaces them all, or friend, which adds one"
        );
    }
    if (has(TargetField::reading)) {
        return {};
    }
    for (const TargetField each : {TargetField::until, TargetField::sites, TargetField::audience}) {
        if (has(each)) {
            return wrong(fmt::format("people need the field reading beside {}", name_of(each)));
        }
    }
    return friends || one_friend ? Result<void>{}
                                 : wrong("people need one of the fields reading, friends, friend");
}

Result<void> FieldMap::check_identities() const {
    constexpr std::ptrdiff_t ids_max = 32;
    const auto ids = std::ranges::count(mappings_, TargetField::network_id, &Mapping::target);
    return ids >= 1 && ids <= ids_max
               ? Result<void>{}
               : wrong(fmt::format(
                     "identities need 1 to {} ids, as in --map www/id=COLUMN,shop/customer=COLUMN",
                     ids_max
                 ));
}

bool FieldMap::needs(TargetField field) const {
    return std::ranges::find(targets, field, &Target::field)->needed_by.have(kind_);
}

bool FieldMap::has_constant(std::string_view name) const {
    return std::ranges::any_of(constants_, [name](const Constant& constant) {
        return name_of(constant.target) == name;
    });
}

bool FieldMap::has(TargetField target) const {
    return std::ranges::find(mappings_, target, &Mapping::target) != mappings_.end() ||
           std::ranges::find(constants_, target, &Constant::target) != constants_.end();
}

Result<std::vector<std::size_t>> FieldMap::columns_in(std::span<const std::string_view> header
) const {
    std::vector<std::size_t> columns;
    for (const auto& mapping : mappings_) {
        TRY(const auto column, named_column(mapping, header));
        columns.push_back(column);
    }
    return columns;
}

Result<std::vector<std::size_t>> FieldMap::columns_by_number(std::size_t column_count) const {
    std::vector<std::size_t> columns;
    for (const auto& mapping : mappings_) {
        TRY(const auto column, numbered_column(mapping, column_count));
        columns.push_back(column);
    }
    return columns;
}

}  // namespace footfall::records
