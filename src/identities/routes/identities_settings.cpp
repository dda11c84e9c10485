#include "identities_routes/identities_settings.h"

#include "events/event.h"
#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "foundation/utf8.h"
#include "identities/guards_text.h"
#include "identities/normalised.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace footfall::identities::routes {
namespace {

constexpr std::string_view profile_ids_name = "identities_profile_ids";
constexpr std::string_view shared_above_name = "identities_shared_above";
constexpr std::string_view data_name = "identities_data";
constexpr std::string_view partition_bytes_name = "identities_index_partition_bytes";
constexpr std::size_t partition_bytes_least = 1024;
constexpr std::size_t partition_bytes_most = std::size_t{1} << 30;
constexpr std::string_view replay_name = "identities_replay";
constexpr std::int64_t replay_min = 100;
constexpr std::int64_t replay_max = 200'000;
/// Of each guard that is a number.
constexpr std::int64_t guard_max = 100'000;
constexpr std::size_t never_max = 1000;

constexpr std::array<jobs::ValueSetting, 5> values{
    {{.name = profile_ids_name,
      .takes = "N",
      .without = {.text = "1000", .is_value = true},
      .help = "Most ids that links unite in a profile: one that would make it more is contested"},
     {.name = shared_above_name,
      .takes = "N",
      .without = {.text = "64", .is_value = true},
      .help = "An id that is linked with more others than that is shared, and unites nobody"},
     {.name = data_name,
      .takes = "RULES",
      .without = {.text = "the latest value wins; of consent the strictest", .is_value = false},
      .help = "Which value of a datum a profile has, such as "
              "city=first,name=longest,segment=sources:crm>shop,consent=strictest:denied>granted"},
     {.name = partition_bytes_name,
      .takes = "N",
      .without = {.text = "10485760", .is_value = true},
      .help = "Bytes of a partition of the index, above which its network doubles them"},
     {.name = replay_name,
      .takes = "N",
      .without = {.text = "20000", .is_value = true},
      .help = "Statements that are looked at before an answer: where more hang together with an id "
              "it is settled behind the answers"}}
};

std::unexpected<Error> fault(const std::string& origin, std::string_view what) {
    return fail(ErrorKind::invalid_input, fmt::format("{}: {}", origin, what));
}

std::unexpected<Error> fault(const jobs::SectionField& field, std::string_view what) {
    return fault(fmt::format("{}: {}", field.origin, field.name), what);
}

Result<std::size_t> read_number(const jobs::SectionField& field) {
    const auto* const number = std::get_if<std::int64_t>(&field.value);
    if (number == nullptr || *number < 1 || *number > guard_max) {
        return fault(
            field, fmt::format("this is a number of ids, from 1 to {}, without quotes", guard_max)
        );
    }
    return static_cast<std::size_t>(*number);
}

/// Whether this can be a part of an id, as those that are sent.
bool is_part_of_id(std::string_view text) {
    return !text.empty() && text.size() <= events::longest_id && is_utf8(text) &&
           !events::has_control_character(text);
}

Result<std::string> read_name(const jobs::SectionField& field) {
    const auto* const name = std::get_if<std::string>(&field.value);
    if (name == nullptr || !is_part_of_id(*name)) {
        return fault(
            field,
            fmt::format(
                "the identifier of ids, as it is sent: a text of 1 to {} bytes, such as \"www\"",
                events::longest_id
            )
        );
    }
    return *name;
}

Result<std::set<std::string, std::less<>>> read_never(const jobs::SectionField& field) {
    const auto* const texts = std::get_if<std::vector<std::string>>(&field.value);
    if (texts == nullptr) {
        return fault(
            field, "these are values that stand for nobody, such as [\"none@example.com\"]"
        );
    }
    if (texts->size() > never_max) {
        return fault(
            field,
            fmt::format(
                "these are {} values, and up to {} are looked for; an id that many share is found "
                "by shared_above without being named",
                texts->size(),
                never_max
            )
        );
    }
    std::set<std::string, std::less<>> never;
    for (const std::string& each : *texts) {
        if (!is_part_of_id(each)) {
            return fault(
                field,
                fmt::format(
                    "\"{}\" is no id_value: that has 1 to {} bytes", each, events::longest_id
                )
            );
        }
        never.insert(each);
    }
    return never;
}

template <class Value>
Result<Value> read_word(
    const jobs::SectionField& field,
    std::optional<Value> (*named)(std::string_view),
    std::string_view words
) {
    const auto* const text = std::get_if<std::string>(&field.value);
    const auto value = text == nullptr ? std::nullopt : named(*text);
    if (!value) {
        return fault(field, fmt::format("this is {}", words));
    }
    return *value;
}

Result<std::chrono::seconds> read_ttl(const jobs::SectionField& field) {
    const auto* const text = std::get_if<std::string>(&field.value);
    const auto ttl = text == nullptr ? std::nullopt : parse_duration(*text);
    if (!ttl || *ttl < ttl_min || *ttl > ttl_max) {
        return fault(
            field,
            fmt::format(
                "what is said of such an id holds so long after it was said last: {}h to {}d, such "
                "as \"30d\"",
                ttl_min.count(),
                ttl_max.count()
            )
        );
    }
    return *ttl;
}

Result<void> read_field(const jobs::SectionField& field, std::string& name, IdentifierGuards& own) {
    if (field.name == "name") {
        TRY(name, read_name(field));
    } else if (field.name == "per_profile") {
        TRY(own.per_profile, read_number(field));
    } else if (field.name == "shared_above") {
        TRY(own.shared_above, read_number(field));
    } else if (field.name == "never") {
        TRY(own.never, read_never(field));
    } else if (field.name == "keeps") {
        TRY(own.keeps, read_word(field, keeps_named, R"("first" or "latest")"));
    } else if (field.name == "normalise") {
        TRY(own.normalise,
            read_word(field, normalise_named, R"("none", "lower", "email" or "phone")"));
    } else if (field.name == "ttl") {
        TRY(own.ttl, read_ttl(field));
    } else {
        return fault(
            field,
            "an [[identifier]] has name, per_profile, shared_above, never, keeps, normalise and ttl"
        );
    }
    return {};
}

Result<void> read_section(const jobs::Section& section, Guards& guards) {
    std::string name;
    IdentifierGuards own;
    for (const jobs::SectionField& field : section.fields) {
        TRY_VOID(read_field(field, name, own));
    }
    if (name.empty()) {
        return fault(section.origin, "an [[identifier]] has a name: that of ids as they are sent");
    }
    std::set<std::string, std::less<>> never;
    for (const std::string& each : own.never) {
        never.insert(normalised(own.normalise, each));
    }
    own.never = std::move(never);
    if (!guards.identifiers.try_emplace(name, std::move(own)).second) {
        return fault(section.origin, fmt::format("there are two identifiers \"{}\"", name));
    }
    return {};
}

Result<void> read_value(const jobs::GivenValue& given, std::size_t& guard) {
    const auto number = parse_unsigned(given.text);
    if (!number || *number < 1 || *number > std::uint64_t{guard_max}) {
        return fault(
            std::string{given.origin},
            fmt::format("this is a number of ids, from 1 to {}", guard_max)
        );
    }
    guard = *number;
    return {};
}

Result<void> read_partition_bytes(const jobs::GivenValue& given, std::size_t& bytes) {
    const auto number = parse_unsigned(given.text);
    if (!number || *number < partition_bytes_least || *number > partition_bytes_most) {
        return fault(
            std::string{given.origin},
            fmt::format(
                "this is a number of bytes, from {} to {}",
                partition_bytes_least,
                partition_bytes_most
            )
        );
    }
    bytes = *number;
    return {};
}

Result<void> read_replay(const jobs::GivenValue& given, std::size_t& replay) {
    const auto number = parse_unsigned(given.text);
    if (!number || *number < std::uint64_t{replay_min} || *number > std::uint64_t{replay_max}) {
        return fault(
            std::string{given.origin},
            fmt::format("this is a number of statements, from {} to {}", replay_min, replay_max)
        );
    }
    replay = *number;
    return {};
}

const IdentitiesOptions& own_options(const jobs::Options& options) {
    const auto* const own = dynamic_cast<const IdentitiesOptions*>(&options);
    CHECK(own != nullptr, "the options of another job were taken for those of identities");
    return *own;
}

Result<std::shared_ptr<const jobs::Options>> read_settings(const jobs::Written& written) {
    auto options = std::make_shared<IdentitiesOptions>();
    Guards& guards = options->guards;
    for (const jobs::GivenValue& each : written.values) {
        if (each.name == profile_ids_name) {
            TRY_VOID(read_value(each, guards.profile_ids));
        } else if (each.name == shared_above_name) {
            TRY_VOID(read_value(each, guards.shared_above));
        } else if (each.name == replay_name) {
            TRY_VOID(read_replay(each, options->replay));
        } else if (each.name == data_name) {
            auto rules = read_rules(each.text);
            if (!rules) {
                return fault(std::string{each.origin}, rules.error().message);
            }
            options->rules = *std::move(rules);
        } else if (each.name == partition_bytes_name) {
            TRY_VOID(read_partition_bytes(each, options->index_partition_bytes));
        }
    }
    for (const jobs::Section& each : written.sections) {
        TRY_VOID(read_section(each, guards));
    }
    if (text_of(guards).size() > guards_text_max) {
        return fault(
            written.sections.back().origin,
            fmt::format(
                "all [[identifier]]s together have more than {} KiB: name fewer values in never",
                guards_text_max >> 10
            )
        );
    }
    return std::shared_ptr<const jobs::Options>{std::move(options)};
}

}  // namespace

Guards guards_in(const jobs::Options* options) {
    return options == nullptr ? Guards{} : own_options(*options).guards;
}

DatumRules rules_in(const jobs::Options* options) {
    return options == nullptr ? default_rules() : own_options(*options).rules;
}

std::size_t index_partition_bytes_in(const jobs::Options* options) {
    return options == nullptr ? IdentitiesOptions{}.index_partition_bytes
                              : own_options(*options).index_partition_bytes;
}

std::size_t replay_in(const jobs::Options* options) {
    return options == nullptr ? IdentitiesOptions{}.replay : own_options(*options).replay;
}

const jobs::JobSettings identities_settings{
    .section = "identifier", .values = values, .read = read_settings
};

}  // namespace footfall::identities::routes
