#pragma once

#include "events/event.h"
#include "events/verdict.h"
#include "foundation/result.h"
#include "guard/rate.h"
#include "guard/repeat.h"
#include "guard/rule.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::guard {

/// What rules go by beside the event itself.
struct Circumstances {
    Instant arrival{};
    events::Door door = events::Door::trusted_door;
    std::string_view machine_sign = {};  ///< As of events::JudgedEvent.
    const events::Evidence* id_conflict =
        nullptr;  ///< What the id was used for before; null: nothing.
    std::optional<NearestCounted> nearest = {};  ///< Absent: memory does not suffice to say.
    const RateState* rates = nullptr;            ///< Null: rules on rates do not object.
    std::optional<EventPlace> place = {};        ///< Where it stands, if it does already.
    bool rates_away = false;  ///< `rates` may lack what other processes counted (SharedRates).
};

/// Gives a list that a rule file names, as text.
using ListReader = std::function<Result<std::string>(const std::string& name)>;

/// The files of a folder, of at most 64 MiB each.
ListReader lists_in(std::filesystem::path folder);

/// The rules, in the order in which they are asked: the first that is on and objects refuses the
/// event, and those behind it are not asked. Rules in shadow that are asked say what they would
/// have said, and change nothing.
///
/// Immutable once it is shared; any number of threads may judge with it. Judging is pure: the same
/// event under the same circumstances gets the same verdict.
/// Cost: 0.2 us an event with the standard rules, 0.4 with those on rates; 0.4 more for an agent
/// that was not seen lately.
class RuleSet {
public:
    /// Reads a rule file (docs/formats/rules.md). `invalid_input` names line, rule and key.
    static Result<RuleSet> read(std::string_view toml, const ListReader& lists);

    /// Of standard_rules().
    static RuleSet standard();

    /// Absent: a rule against repeats was reached and circumstances.nearest is not known. The
    /// counted events near it have to be looked up, and the event judged again.
    std::optional<events::Verdict> judge(
        const events::Event& event, const Circumstances& circumstances
    ) const;

    /// Whether judge() may want circumstances.nearest. If not, `NearestCounted{}` will do.
    bool asks_for_repeats(const events::Event& event, events::Door door) const;

    /// Appends whom rules on rates limit of those who did this event.
    void append_rate_keys(
        const events::Event& event,
        events::Door door,
        const RateState& rates,
        std::vector<RateKey>& keys
    ) const;

    /// Tells rules on rates that the event was counted.
    void note_counted(
        const events::Event& event, events::Door door, EventPlace place, RateState& rates
    ) const;

    /// The largest window of rules against repeats that are not off.
    std::chrono::microseconds repeat_reach() const;

    /// The same of rules on rates: how far back the log is noted again at start-up.
    std::chrono::microseconds rate_reach() const;

    std::span<const Rule> rules() const { return rules_; }

    /// The rule file, as it was read.
    const std::string& text() const { return text_; }

    /// Of the file and of all lists that it names, so that a change of any is noticed: 32 hex
    /// digits. No protection against who forges one.
    const std::string& digest() const { return digest_; }

    /// Under which number it is registered; 0: not yet.
    std::uint32_t version() const { return version_; }

    /// Before it is shared.
    void set_version(std::uint32_t version) { version_ = version; }

private:
    RuleSet(std::vector<Rule> rules, std::string text, std::string digest);

    std::vector<Rule> rules_;
    std::string text_;
    std::string digest_;
    std::uint32_t version_ = 0;
};

/// The rules that hold where no others are given, as a rule file.
std::string_view standard_rules();

/// The programs that are known without any file: expressions, one a line.
std::string_view standard_robots();

}  // namespace footfall::guard
