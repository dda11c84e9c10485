#pragma once

#include "foundation/result.h"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::kairos {

/// `invalid_input`: "query.metric[0].limit: is a whole number".
std::unexpected<Error> wrong(std::string_view where, std::string_view what);

/// The fields of one object of a query, and where it stands, for whoever has to put it right. A
/// field that is null says nothing. The object outlives it.
class Fields {
public:
    /// `invalid_input` if `value` is no object, or has a field that is none of `known`.
    static Result<Fields> of(
        const boost::json::value& value,
        std::string where,
        std::initializer_list<std::string_view> known
    );

    const std::string& where() const { return where_; }

    std::string where(std::string_view name) const;
    std::string where(std::string_view name, std::size_t at) const;

    /// Null: it is not there.
    const boost::json::value* find(std::string_view name) const;

    bool has(std::string_view name) const { return find(name) != nullptr; }

    /// A text that is not empty, and has to be there.
    Result<std::string> text(std::string_view name) const;

    Result<bool> truth(std::string_view name, bool otherwise) const;

    /// Numbers may be in quotes: some clients write them so.
    Result<std::int64_t> whole(std::string_view name, std::int64_t least, std::int64_t most) const;
    Result<double> number(std::string_view name) const;

    /// The place of the text among `words`, in whatever case; `otherwise` if there is none.
    Result<std::size_t> one_of(
        std::string_view name, std::span<const std::string_view> words, std::size_t otherwise
    ) const;

    /// Its values, of which there may be so many; none if it is not there.
    Result<std::span<const boost::json::value>> list(std::string_view name, std::size_t most) const;

    /// The same of texts that are not empty.
    Result<std::vector<std::string>> texts(std::string_view name, std::size_t most) const;

private:
    Fields(const boost::json::object& object, std::string where)
        : object_{&object}, where_{std::move(where)} {}

    const boost::json::object* object_;
    std::string where_;
};

}  // namespace footfall::kairos
