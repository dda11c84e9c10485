#pragma once

#include "foundation/result.h"
#include "journal/writer.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace footfall::journal {

/// A name and a value that stand beside a record.
using Header = std::pair<std::string_view, std::string_view>;

/// A record for other programs. All of it is copied.
struct Message {
    std::string_view value;
    std::string_view key = {};
    std::span<const Header> headers = {};
};

/// A Writer of records that have keys and headers.
class MessageWriter : public Writer {
public:
    /// Of key, value and headers together a record has less.
    static constexpr std::size_t message_bytes_max = 2 << 20;

    /// Appends a record. Never waits. Answers what to wait for.
    virtual Result<storage::CommitPosition> write(std::uint32_t lane, const Message& message) = 0;
};

}  // namespace footfall::journal
