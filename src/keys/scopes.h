#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::keys {

/// What somebody may do: `read` asks for data, `write` puts tokens and sends events, `people` says
/// what persons said and asks who read what, `money` is for rates and income, `audience` sees
/// how many people are in segments, with noise, and `admin` is for everything else and implies the
/// others.
enum class Scope : std::uint8_t {
    read = 1,
    write = 2,
    people = 4,
    money = 8,
    admin = 16,
    audience = 32
};

std::string_view name_of(Scope scope);

/// A set of scopes. A plain value.
class Scopes {
public:
    Scopes() = default;

    static Scopes all();

    /// The scope of this name; `invalid_input` names those there are.
    Result<void> add(std::string_view name);

    /// Reads "read,write": at least one, in any order, each at most once.
    static Result<Scopes> parse(std::string_view list);

    /// Whether whoever has these may do what needs `needed`.
    bool allow(Scope needed) const {
        return (bits_ & static_cast<unsigned>(needed)) != 0 || has(Scope::admin);
    }

    /// Whether `scope` itself is one of them.
    bool has(Scope scope) const { return (bits_ & static_cast<unsigned>(scope)) != 0; }

    bool empty() const { return bits_ == 0; }

    /// In the order of Scope, whatever order they were given in.
    std::vector<std::string_view> names() const;

    /// "read,write": what parse() reads.
    std::string text() const;

    friend bool operator==(const Scopes&, const Scopes&) = default;

private:
    unsigned bits_ = 0;
};

}  // namespace footfall::keys
