#pragma once

#include "foundation/result.h"
#include "foundation/toml.h"
#include "guard/rules.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::guard {

/// The keys of one [[rule]], taken one after the other; those that nobody took are unknown. Errors
/// are `invalid_input`: "line 3: rule \"repeat\": window: ...". For rule_file.cpp alone.
class RuleKeys {
public:
    /// `table` outlives it.
    explicit RuleKeys(const toml::table& table) : table_{table} {}

    /// Names the rule in errors.
    void set_name(std::string name) { name_ = std::move(name); }

    /// A text of 1 to `longest` bytes. Absent: the key is not there; so with all others.
    Result<std::optional<std::string>> text(std::string_view key, std::size_t longest);

    /// A text that is one of `words`.
    Result<std::optional<std::string>> one_of(
        std::string_view key, const std::vector<std::string_view>& words
    );

    /// A word for programs: a-z, 0-9, "_", "-", ".".
    Result<std::optional<std::string>> word(std::string_view key);

    /// From 0 to 30 days.
    Result<std::optional<std::chrono::microseconds>> duration(std::string_view key);

    Result<std::optional<std::uint32_t>> number(std::string_view key, std::uint32_t largest);

    /// One or more texts; empty: the key is not there.
    Result<std::vector<std::string>> texts(std::string_view key);

    /// The key has to be there.
    std::unexpected<Error> missing(std::string_view key, std::string_view takes) const;

    /// Something is wrong with the key's value.
    std::unexpected<Error> wrong(std::string_view key, std::string_view what) const;

    /// Success if every key was taken.
    Result<void> all_taken() const;

private:
    const toml::node* take(std::string_view key);

    const toml::table& table_;
    std::string name_;
    std::set<std::string, std::less<>> taken_;
};

bool is_word(std::string_view text);

}  // namespace footfall::guard
