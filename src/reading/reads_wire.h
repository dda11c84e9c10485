#pragma once

#include "foundation/result.h"
#include "reading/friend_list.h"
#include "reading/url_readers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What is asked of the owner of a lane about who read URLs of it, and what that answers: bytes
/// that begin with a version. Between processes of one deployment, never stored; who does not
/// understand the other takes it for one that did not answer. Pure.
namespace footfall::reading {

/// Of one lane in one question, at most.
inline constexpr std::size_t urls_asked_max = 1'000;

/// Of whom is asked of all lanes: the numbers of a list.
std::string written_list(std::span<const std::uint64_t> numbers);

/// `invalid_input`: it is none, or longer than friend_list_max.
Result<std::vector<std::uint64_t>> read_list(std::string_view bytes);

/// Who read these URLs of a lane.
struct ReadsAsked {
    std::optional<ListKey> list = {};  ///< Who of these did; absent: whoever did.
    /// Of the first so many of the list only whether they did; of the others when they last did.
    std::uint32_t untimed = 0;
    people::UtcDay first = 0;              ///< The day whose facts are the oldest that live.
    std::vector<std::uint64_t> urls = {};  ///< By their hashes.
};

std::string written_question(const ReadsAsked& asked);

/// `invalid_input`: it is none.
Result<ReadsAsked> read_reads_question(std::string_view bytes);

/// The URL is not in memory there, or not as the asker has to see it: what may not be in rows yet.
/// The asker adds rows.
struct WaitingTold {
    std::vector<UrlRead> reads = {};
};

/// All who read it: nothing is in rows beside.
struct AllTold {
    std::vector<UrlRead> reads = {};
};

/// By their place in the list, each once.
struct ReadersTold {
    struct Timed {
        std::uint32_t at = 0;
        QuarterOfTime latest = 0;
    };

    std::vector<std::uint32_t> untimed = {};
    std::vector<Timed> timed = {};
};

using UrlTold = std::variant<WaitingTold, AllTold, ReadersTold>;

/// Of each URL asked, in their order; absent: the list is not known there, send it.
using ReadsTold = std::optional<std::vector<UrlTold>>;

/// Readers without a time take a byte or two each, or a bit for each of the list: what is less.
std::string written_reads(const ReadsTold& told, const ReadsAsked& asked);

/// `corrupt`: it is no answer to this, about a list of so many.
Result<ReadsTold> read_reads(std::string_view bytes, const ReadsAsked& asked, std::size_t listed);

}  // namespace footfall::reading
