#include "reading/reads_wire.h"

#include "foundation/fixed_bytes.h"
#include "foundation/varint.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace footfall::reading {
namespace {

/// Questions of other kinds begin with other bytes; of an earlier version there was none that had
/// this length.
constexpr char wire_version = 2;

/// What an answer is.
constexpr char list_is_unknown = 0;
constexpr char urls_follow = 1;

/// What follows of a URL.
constexpr char waiting = 0;
constexpr char all = 1;
constexpr char few_of_list = 2;
constexpr char many_of_list = 3;

constexpr std::size_t bits_a_byte = 8;

/// No quarter is so far, in zigzag, from the first day that lives.
constexpr std::uint64_t quarters_most = std::uint64_t{1} << 40;

std::unexpected<Error> no_question() {
    return fail(ErrorKind::invalid_input, "this is no question about who read URLs");
}

std::unexpected<Error> no_answer() {
    return fail(ErrorKind::corrupt, "this is no answer about who read URLs");
}

bool take_version(std::string_view& bytes) {
    char first = 0;
    return take_fixed(bytes, first) && first == wire_version;
}

bool take_hashes(std::string_view bytes, std::size_t most, std::vector<std::uint64_t>& hashes) {
    if (bytes.size() % sizeof(std::uint64_t) != 0 || bytes.size() / sizeof(std::uint64_t) > most) {
        return false;
    }
    hashes.resize(bytes.size() / sizeof(std::uint64_t));
    std::ranges::copy(bytes, reinterpret_cast<char*>(hashes.data()));
    return true;
}

/// The places of some, ascending, as the steps between them.
void append_few(std::vector<std::uint32_t> places, std::string& bytes) {
    std::ranges::sort(places);
    append_varint(places.size(), bytes);
    std::uint32_t before = 0;
    for (const std::uint32_t each : places) {
        append_varint(each - before, bytes);
        before = each;
    }
}

/// `below`: all places are.
bool take_few(std::string_view& bytes, std::uint64_t below, std::vector<std::uint32_t>& places) {
    std::uint64_t count = 0;
    if (!take_varint(bytes, count) || count > below || count > bytes.size()) {
        return false;
    }
    std::uint64_t place = 0;
    for (std::uint64_t left = count; left > 0; --left) {
        std::uint64_t step = 0;
        if (!take_varint(bytes, step) || step >= below || (place += step) >= below ||
            (step == 0 && left < count)) {
            return false;
        }
        places.push_back(static_cast<std::uint32_t>(place));
    }
    return true;
}

void append_bits(const std::vector<std::uint32_t>& places, std::size_t below, std::string& bytes) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + (below + bits_a_byte - 1) / bits_a_byte);
    for (const std::uint32_t each : places) {
        char& byte = bytes[begin + each / bits_a_byte];
        byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << each % bits_a_byte);
    }
}

bool take_bits(std::string_view& bytes, std::uint64_t below, std::vector<std::uint32_t>& places) {
    const std::size_t length = (below + bits_a_byte - 1) / bits_a_byte;
    if (bytes.size() < length) {
        return false;
    }
    for (std::size_t at = 0; at < length; ++at) {
        for (unsigned byte = static_cast<unsigned char>(bytes[at]); byte != 0; byte &= byte - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(byte));
            places.push_back(static_cast<std::uint32_t>(at * bits_a_byte + bit));
        }
    }
    bytes.remove_prefix(length);
    return places.empty() || places.back() < below;
}

void append_readers(const ReadersTold& told, const ReadsAsked& asked, std::string& bytes) {
    // A place takes a byte where the next one is near, which it is where there are many.
    if (told.untimed.size() * bits_a_byte < asked.untimed) {
        bytes.push_back(few_of_list);
        append_few(told.untimed, bytes);
    } else {
        bytes.push_back(many_of_list);
        append_bits(told.untimed, asked.untimed, bytes);
    }
    append_varint(told.timed.size(), bytes);
    const QuarterOfTime begin = asked.first * quarters_a_day;
    for (const ReadersTold::Timed& each : told.timed) {
        append_varint(each.at - asked.untimed, bytes);
        append_varint(zigzag(std::int64_t{each.latest} - begin), bytes);
    }
}

bool take_timed(
    std::string_view& bytes,
    const ReadsAsked& asked,
    std::size_t listed,
    std::vector<ReadersTold::Timed>& timed
) {
    std::uint64_t count = 0;
    const std::size_t times = listed - asked.untimed;
    if (!take_varint(bytes, count) || count > times) {
        return false;
    }
    for (std::uint64_t left = count; left > 0; --left) {
        std::uint64_t at = 0;
        std::uint64_t quarter = 0;
        if (!take_varint(bytes, at) || at >= times || !take_varint(bytes, quarter) ||
            quarter > quarters_most) {
            return false;
        }
        timed.push_back(
            {.at = static_cast<std::uint32_t>(asked.untimed + at),
             .latest = static_cast<QuarterOfTime>(
                 from_zigzag(quarter) + std::int64_t{asked.first} * quarters_a_day
             )}
        );
    }
    return true;
}

std::string written_url(const UrlTold& told, const ReadsAsked& asked) {
    std::string bytes;
    if (const auto* const readers = std::get_if<ReadersTold>(&told)) {
        append_readers(*readers, asked, bytes);
    } else if (const auto* const everybody = std::get_if<AllTold>(&told)) {
        bytes.push_back(all);
        append_reads(everybody->reads, bytes);
    } else {
        bytes.push_back(waiting);
        append_reads(std::get<WaitingTold>(told).reads, bytes);
    }
    return bytes;
}

Result<UrlTold> read_url(std::string_view bytes, const ReadsAsked& asked, std::size_t listed) {
    char kind = 0;
    if (!take_fixed(bytes, kind)) {
        return no_answer();
    }
    if (kind == waiting) {
        WaitingTold told;
        TRY_VOID(take_reads(bytes, told.reads));
        return told;
    }
    if (kind == all && !asked.list) {
        AllTold told;
        TRY_VOID(take_reads(bytes, told.reads));
        return told;
    }
    ReadersTold told;
    const bool is_one = asked.list && asked.untimed <= listed &&
                        ((kind == few_of_list && take_few(bytes, asked.untimed, told.untimed)) ||
                         (kind == many_of_list && take_bits(bytes, asked.untimed, told.untimed))) &&
                        take_timed(bytes, asked, listed, told.timed) && bytes.empty();
    if (!is_one) {
        return no_answer();
    }
    return told;
}

}  // namespace

std::string written_list(std::span<const std::uint64_t> numbers) {
    std::string bytes(1, wire_version);
    bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
    return bytes;
}

Result<std::vector<std::uint64_t>> read_list(std::string_view bytes) {
    std::vector<std::uint64_t> numbers;
    if (!take_version(bytes) || !take_hashes(bytes, friend_list_max, numbers)) {
        return fail(ErrorKind::invalid_input, "this is no list of friends");
    }
    return numbers;
}

/// Parts of one length but for the URLs. Without the URLs 26 bytes: no multiple of eight, which a
/// question of the version before was.
std::string written_question(const ReadsAsked& asked) {
    const ListKey list = asked.list.value_or(ListKey{});
    std::string bytes(1, wire_version);
    bytes.push_back(asked.list ? '\1' : '\0');
    append_fixed(list.one, bytes);
    append_fixed(list.other, bytes);
    append_fixed(asked.untimed, bytes);
    append_fixed(asked.first, bytes);
    bytes.append(
        reinterpret_cast<const char*>(asked.urls.data()), asked.urls.size() * sizeof(std::uint64_t)
    );
    return bytes;
}

Result<ReadsAsked> read_reads_question(std::string_view bytes) {
    ReadsAsked asked;
    ListKey list;
    char has_list = 0;
    const bool is_one = take_version(bytes) && take_fixed(bytes, has_list) &&
                        take_fixed(bytes, list.one) && take_fixed(bytes, list.other) &&
                        take_fixed(bytes, asked.untimed) && take_fixed(bytes, asked.first) &&
                        take_hashes(bytes, urls_asked_max, asked.urls);
    if (!is_one || has_list < 0 || has_list > 1) {
        return no_question();
    }
    if (has_list == 1) {
        asked.list = list;
    }
    return asked;
}

std::string written_reads(const ReadsTold& told, const ReadsAsked& asked) {
    std::string bytes(1, wire_version);
    bytes.push_back(told ? urls_follow : list_is_unknown);
    if (told) {
        for (const UrlTold& each : *told) {
            const std::string url = written_url(each, asked);
            append_varint(url.size(), bytes);
            bytes += url;
        }
    }
    return bytes;
}

Result<ReadsTold> read_reads(std::string_view bytes, const ReadsAsked& asked, std::size_t listed) {
    char kind = 0;
    if (!take_version(bytes) || !take_fixed(bytes, kind)) {
        return no_answer();
    }
    if (kind == list_is_unknown && asked.list && bytes.empty()) {
        return ReadsTold{};
    }
    if (kind != urls_follow) {
        return no_answer();
    }
    std::vector<UrlTold> urls;
    for (std::size_t left = asked.urls.size(); left > 0; --left) {
        std::uint64_t length = 0;
        if (!take_varint(bytes, length) || length > bytes.size()) {
            return no_answer();
        }
        TRY(urls.emplace_back(), read_url(bytes.substr(0, length), asked, listed));
        bytes.remove_prefix(length);
    }
    if (!bytes.empty()) {
        return no_answer();
    }
    return urls;
}

}  // namespace footfall::reading
