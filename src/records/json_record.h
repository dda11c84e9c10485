#pragma once

#include "foundation/result.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::records {

struct WantedField {
    std::string name;    ///< As it reads when decoded.
    bool needed = true;  ///< False: empty where it is missing or null.
    bool list = false;   ///< An array, which is given as it is written, checked no further.
};

/// Reads the wanted fields from one JSON object, such as a line of an NDJSON file.
///
/// A string is given decoded; a number, true or false as it is written. Only the object's own
/// fields are looked at, not those of objects in it. Memory is reused: nothing is allocated for a
/// line unless it is longer than every line before. For one thread.
class JsonRecordReader {
public:
    /// `wanted`: each name once.
    explicit JsonRecordReader(std::vector<WantedField> wanted);
    JsonRecordReader(JsonRecordReader&&) noexcept;
    JsonRecordReader& operator=(JsonRecordReader&&) noexcept;
    JsonRecordReader(const JsonRecordReader&) = delete;
    JsonRecordReader& operator=(const JsonRecordReader&) = delete;
    ~JsonRecordReader();

    /// The fields as wanted and in that order, valid until the next call. `invalid_input` with what
    /// is wrong: the text is not one JSON object, or a wanted field is an object, an array (or, if
    /// a list is wanted, none), there twice, or needed but missing or null. Values that are not
    /// wanted are not checked further than needed to find their end.
    Result<std::span<const std::string_view>> parse(std::string_view text);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace footfall::records
