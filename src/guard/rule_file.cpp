// Reads a rule file: docs/formats/rules.md.
#include "foundation/lines.h"
#include "foundation/siphash.h"
#include "foundation/toml.h"
#include "foundation/utf8.h"
#include "guard/rule_keys.h"
#include "guard/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::size_t rule_file_bytes_max = 1 << 20;
constexpr std::uintmax_t list_bytes_max = 64 << 20;
constexpr std::size_t rules_max = 200;
constexpr std::size_t lists_max = 20;
constexpr std::size_t condition_bytes_max = 4 << 10;
/// So many events of one actor or address are kept at most.
constexpr std::uint32_t rate_limit_max = 10'000;

/// Nobody needs these bytes to be secret: they only tell texts apart.
constexpr SipKey first_half{.k0 = 1, .k1 = 2};
constexpr SipKey second_half{.k0 = 3, .k1 = 4};

/// What a rule file names beside itself, and a digest of all of it.
class ListFiles {
public:
    ListFiles(std::string_view rule_file, const ListReader& reader) : reader_{reader} {
        add(rule_file);
    }

    Result<std::string> read(const std::string& name) {
        TRY(std::string text, reader_(name));
        add(text);
        return text;
    }

    std::string digest() const {
        return fmt::format(
            "{:016x}{:016x}", siphash13(first_half, digests_), siphash13(second_half, digests_)
        );
    }

private:
    void add(std::string_view text) {
        for (const SipKey key : {first_half, second_half}) {
            fmt::format_to(std::back_inserter(digests_), "{:016x}", siphash13(key, text));
        }
    }

    const ListReader& reader_;
    std::string digests_;
};

/// Reads each list that the key names, by `parse`.
template <class List>
Result<std::vector<List>> read_lists(
    RuleKeys& keys, std::string_view key, ListFiles& files, Result<List> (*parse)(std::string_view)
) {
    TRY(const std::vector<std::string> names, keys.texts(key));
    if (names.size() > lists_max) {
        return keys.wrong(key, fmt::format("takes at most {} lists", lists_max));
    }
    std::vector<List> lists;
    for (const std::string& name : names) {
        const Result<std::string> text = files.read(name);
        if (!text) {
            return keys.wrong(key, text.error().message);
        }
        Result<List> list = parse(*text);
        if (!list) {
            return keys.wrong(key, fmt::format("{}: {}", name, list.error().message));
        }
        lists.push_back(*std::move(list));
    }
    return lists;
}

Result<std::vector<Field>> read_fields(RuleKeys& keys) {
    TRY(const std::vector<std::string> names, keys.texts("fields"));
    std::vector<Field> fields;
    for (const std::string& name : names) {
        const std::optional<Field> field = field_named(name);
        if (!field) {
            return keys.wrong(
                "fields",
                fmt::format(
                    "there is no field \"{}\"; there are actor, address, agent, referrer, amount, "
                    "currency, reseller, ad, publisher, time",
                    name
                )
            );
        }
        fields.push_back(*field);
    }
    return fields;
}

Result<RuleKind> read_id_conflict(RuleKeys&, ListFiles&) {
    return IdConflictRule{};
}

Result<RuleKind> read_impossible_time(RuleKeys& keys, ListFiles&) {
    ImpossibleTimeRule rule;
    TRY(const auto ahead, keys.duration("ahead"));
    TRY(rule.late_max, keys.duration("late"));
    rule.ahead_max = ahead.value_or(rule.ahead_max);
    return rule;
}

Result<RuleKind> read_repeat(RuleKeys& keys, ListFiles&) {
    TRY(const auto window, keys.duration("window"));
    if (!window) {
        return keys.missing("window", "a time, such as \"30s\"");
    }
    return RepeatRule{.window = *window};
}

Result<RuleKind> read_not_human(RuleKeys& keys, ListFiles& files) {
    NotHumanRule rule;
    TRY(const auto own, keys.one_of("robots", {"standard", "none"}));
    TRY(rule.lists, read_lists<AgentList>(keys, "lists", files, AgentList::read));
    if (own != "none") {
        TRY(AgentList standard, AgentList::read(standard_robots()));
        rule.lists.insert(rule.lists.begin(), std::move(standard));
    }
    return rule;
}

Result<NetworksRule> read_some_networks(RuleKeys& keys, ListFiles& files) {
    NetworksRule rule;
    TRY(rule.networks, read_lists<NetworkSet>(keys, "lists", files, NetworkSet::read));
    TRY(const std::vector<std::string> written, keys.texts("networks"));
    std::string lines;
    for (const std::string& each : written) {
        lines.append(each).push_back('\n');
    }
    Result<NetworkSet> networks = NetworkSet::read(lines);
    if (!networks) {
        return keys.wrong("networks", networks.error().message);
    }
    rule.networks.push_back(*std::move(networks));
    return rule;
}

bool is_nobody(const NetworksRule& rule) {
    return rule.actors.empty() &&
           std::ranges::all_of(rule.networks, [](const auto& set) { return set.size() == 0; });
}

Result<RuleKind> read_networks(RuleKeys& keys, ListFiles& files) {
    TRY(NetworksRule rule, read_some_networks(keys, files));
    if (is_nobody(rule)) {
        return keys.missing(
            "networks", R"(texts such as ["192.0.2.0/24"]; or name files in lists)"
        );
    }
    return rule;
}

Result<RuleKind> read_internal(RuleKeys& keys, ListFiles& files) {
    TRY(NetworksRule rule, read_some_networks(keys, files));
    TRY(const std::vector<std::string> actors, keys.texts("actors"));
    rule.actors = {actors.begin(), actors.end()};
    rule.internal = true;
    if (is_nobody(rule)) {
        return keys.missing(
            "networks", R"(texts such as ["192.0.2.0/24"]; or name files in lists, or actors)"
        );
    }
    return rule;
}

Result<RuleKind> read_missing(RuleKeys& keys, ListFiles&) {
    TRY(std::vector<Field> fields, read_fields(keys));
    if (fields.empty()) {
        return keys.missing("fields", R"(names of fields, such as ["actor"])");
    }
    return MissingRule{.fields = std::move(fields)};
}

using OwnersOf = decltype(OwnObjectRule::owners_of);

/// An object a line, and behind it, each after a tab, the actors it belongs to.
Result<OwnersOf> parse_owners(std::string_view lines) {
    OwnersOf owners_of;
    for (std::size_t number = 1; !lines.empty(); ++number) {
        std::string_view line = take_line(lines);
        line = line.substr(0, line.find_last_not_of('\r') + 1);
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const std::size_t tab = line.find('\t');
        if (tab == 0 || tab == std::string_view::npos || line.ends_with('\t')) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("line {}: an object, a tab and an actor are wanted", number)
            );
        }
        auto& owners = owners_of[std::string{line.substr(0, tab)}];
        for (line.remove_prefix(tab); !line.empty();) {
            line.remove_prefix(1);
            const std::string_view owner = line.substr(0, line.find('\t'));
            owners.emplace(owner);
            line.remove_prefix(owner.size());
        }
    }
    return owners_of;
}

Result<RuleKind> read_owner(RuleKeys& keys, ListFiles& files) {
    OwnObjectRule rule;
    TRY(rule.fields, read_fields(keys));
    TRY(std::vector<OwnersOf> lists, read_lists<OwnersOf>(keys, "lists", files, parse_owners));
    for (OwnersOf& list : lists) {
        for (auto& [object, owners] : list) {
            rule.owners_of[object].merge(owners);
        }
    }
    if (rule.fields.empty() && rule.owners_of.empty()) {
        return keys.missing("fields", R"(["publisher"], say; or name files in lists)");
    }
    return rule;
}

Result<RuleKind> read_rate(RuleKeys& keys, ListFiles&) {
    TRY(const auto per, keys.one_of("per", {"actor", "address"}));
    TRY(const auto limit, keys.number("limit", rate_limit_max));
    TRY(const auto window, keys.duration("window"));
    TRY(const auto on_missing, keys.one_of("on_missing", {"open", "closed"}));
    if (!per) {
        return keys.missing("per", "\"actor\" or \"address\"");
    }
    if (!limit) {
        return keys.missing("limit", "a number of events");
    }
    if (!window || *window == window->zero()) {
        return keys.missing("window", "a time above 0, such as \"1m\"");
    }
    return RateRule{
        .per = *per == "actor" ? Field::actor : Field::address,
        .limit = {.count = *limit, .window = *window},
        .on_missing = on_missing == "closed" ? OnMissing::closed : OnMissing::open
    };
}

Result<RuleKind> read_condition(RuleKeys& keys, ListFiles&) {
    TRY(std::optional<std::string> source, keys.text("when", condition_bytes_max));
    if (!source) {
        return keys.missing("when", "a condition, such as \"amount > 100\"");
    }
    Result<Condition> condition = Condition::compile(*std::move(source));
    if (!condition) {
        return keys.wrong("when", condition.error().message);
    }
    return ConditionRule{.when = *std::move(condition)};
}

struct KindReader {
    std::string_view kind;
    Result<RuleKind> (*read)(RuleKeys&, ListFiles&);
};

constexpr std::array<KindReader, 10> kind_readers{{
    {"id_conflict", read_id_conflict},
    {"impossible_time", read_impossible_time},
    {"repeat", read_repeat},
    {"not_human", read_not_human},
    {"networks", read_networks},
    {"internal", read_internal},
    {"missing", read_missing},
    {"owner", read_owner},
    {"rate", read_rate},
    {"condition", read_condition},
}};

Result<RuleKind> read_kind(RuleKeys& keys, ListFiles& files) {
    std::vector<std::string_view> kinds(kind_readers.size());
    std::ranges::transform(kind_readers, kinds.begin(), &KindReader::kind);
    TRY(const auto kind, keys.one_of("kind", kinds));
    if (!kind) {
        return keys.missing("kind", fmt::format("one of {}", fmt::join(kinds, ", ")));
    }
    return std::ranges::find(kind_readers, *kind, &KindReader::kind)->read(keys, files);
}

Result<std::vector<std::string>> read_actions(RuleKeys& keys, const RuleKind& kind) {
    TRY(std::vector<std::string> actions, keys.texts("actions"));
    const bool sales_pass =
        std::holds_alternative<RepeatRule>(kind) || std::holds_alternative<RateRule>(kind);
    for (const std::string& action : actions) {
        if (!is_word(action)) {
            return keys.wrong(
                "actions", fmt::format("\"{}\" is no action, such as \"view\"", action)
            );
        }
        if (sales_pass && action == "sale") {
            return keys.wrong("actions", "a sale is neither a repeat nor too many; leave it out");
        }
    }
    return actions;
}

Result<Rule> read_rule(const toml::table& table, ListFiles& files) {
    RuleKeys keys{table};
    TRY(const auto name, keys.word("name"));
    if (!name) {
        return keys.missing("name", "a word that is the rule's own");
    }
    keys.set_name(*name);
    TRY(const auto reason, keys.word("reason"));
    TRY(const auto mode, keys.one_of("mode", {"on", "off", "shadow"}));
    TRY(const auto door, keys.one_of("door", {"public", "trusted", "both"}));
    Rule rule{.name = *name, .reason = reason.value_or(*name)};
    if (mode && *mode != "on") {
        rule.mode = *mode == "off" ? RuleMode::off : RuleMode::shadow;
    }
    if (door && *door != "both") {
        rule.door = *door == "public" ? events::Door::public_door : events::Door::trusted_door;
    }
    TRY(rule.kind, read_kind(keys, files));
    TRY(rule.actions, read_actions(keys, rule.kind));
    TRY_VOID(keys.all_taken());
    return rule;
}

std::unexpected<Error> wrong_at(const toml::node& node, std::string_view what) {
    return fail(
        ErrorKind::invalid_input, fmt::format("line {}: {}", node.source().begin.line, what)
    );
}

Result<std::vector<Rule>> read_rules(const toml::table& document, ListFiles& files) {
    std::vector<Rule> rules;
    for (const auto& [key, node] : document) {
        const toml::array* const tables = node.as_array();
        if (key != "rule" || tables == nullptr || tables->size() > rules_max) {
            return wrong_at(
                node,
                fmt::format("{}: a rule file has [[rule]], at most {} times", key.str(), rules_max)
            );
        }
        for (const toml::node& each : *tables) {
            const toml::table* const table = each.as_table();
            if (table == nullptr) {
                return wrong_at(each, "a rule is written as [[rule]]");
            }
            TRY(Rule rule, read_rule(*table, files));
            if (std::ranges::find(rules, rule.name, &Rule::name) != rules.end()) {
                return wrong_at(*table, fmt::format("there are two rules \"{}\"", rule.name));
            }
            rules.push_back(std::move(rule));
        }
    }
    return rules;
}

/// Letters beyond ASCII are let in where the parser looks for nothing but the end of the line:
/// foundation/toml.h says why.
Result<void> check_letters(std::string_view toml) {
    if (!is_utf8(toml)) {
        return fail(ErrorKind::invalid_input, "a rule file is UTF-8");
    }
    for (std::size_t number = 1; !toml.empty(); ++number) {
        const std::string_view line = take_line(toml);
        const bool is_ascii = std::ranges::all_of(line, [](char letter) {
            return static_cast<unsigned char>(letter) < 0x80;
        });
        if (!is_ascii && !trimmed(line).starts_with('#')) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format(
                    "line {}: only lines of remarks may have letters beyond ASCII; write them as "
                    "\\u00e9 in a text between double quotes",
                    number
                )
            );
        }
    }
    return {};
}

}  // namespace

ListReader lists_in(std::filesystem::path folder) {
    return [folder = std::move(folder)](const std::string& name) -> Result<std::string> {
        const std::filesystem::path path = folder / name;
        std::error_code fault;
        const std::uintmax_t size = std::filesystem::file_size(path, fault);
        if (fault || !std::filesystem::is_regular_file(path, fault) || size > list_bytes_max) {
            return fail(
                ErrorKind::not_found,
                fmt::format(
                    "\"{}\" is no file of at most {} MiB", path.string(), list_bytes_max >> 20
                )
            );
        }
        std::string text(size, '\0');
        std::ifstream file{path, std::ios::binary};
        if (!file.read(text.data(), static_cast<std::streamsize>(size))) {
            return fail(
                ErrorKind::unavailable, fmt::format("\"{}\" cannot be read", path.string())
            );
        }
        return text;
    };
}

Result<RuleSet> RuleSet::read(std::string_view toml, const ListReader& lists) {
    if (toml.size() > rule_file_bytes_max) {
        return fail(ErrorKind::invalid_input, "a rule file has at most 1 MiB");
    }
    TRY_VOID(check_letters(toml));
    toml::table document;
    try {
        document = toml::parse(toml);
    } catch (const toml::parse_error& error) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("line {}: {}", error.source().begin.line, error.description())
        );
    } catch (const TomlGaveUp&) {
        return fail(ErrorKind::invalid_input, toml_gave_up_message);
    }
    ListFiles files{toml, lists};
    TRY(std::vector<Rule> rules, read_rules(document, files));
    return RuleSet{std::move(rules), std::string{toml}, files.digest()};
}

}  // namespace footfall::guard
