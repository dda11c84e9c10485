// The stored form of a set: docs/formats/number_set.md.

#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "foundation/varint.h"
#include "sets/number_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace footfall::sets {
namespace {

constexpr char version = 1;

enum class Form : unsigned char { gaps, runs, bitmap };

constexpr std::size_t bitmap_bytes = bitmap_lows * sizeof(Low);

/// Numbers that follow each other.
struct Run {
    std::uint32_t first;
    std::uint32_t end;  ///< Behind the last.
};

template <class Take>
void for_each_run(const Block& block, const Take& take) {
    Run run{.first = 0, .end = 0};
    block.for_each([&](Low low) {
        if (low != run.end || run.first == run.end) {
            if (run.first != run.end) {
                take(run);
            }
            run.first = low;
        }
        run.end = low + 1U;
    });
    take(run);
}

/// Calls `take` for each number that one of these forms consists of, in order.
template <class Take>
void for_each_gap(const Block& block, const Take& take) {
    std::uint32_t next = 0;
    block.for_each([&](Low low) {
        take(low - next);
        next = low + 1U;
    });
}

template <class Take>
void for_each_of_runs(const Block& block, const Take& take) {
    std::uint32_t next = 0;
    for_each_run(block, [&](Run run) {
        take(run.first - next);
        take(run.end - run.first - 1);
        next = run.end + 1;  // at least one is missing between two runs
    });
}

void append_bitmap(const Block& block, std::string& out) {
    Bitmap bits{};
    block.add_to(bits);
    for (const Low low : bits) {
        append_fixed(low, out);
    }
}

void append_block(const Block& block, std::string& out) {
    std::size_t gap_bytes = varint_bytes(block.size() - 1);
    for_each_gap(block, [&](std::uint32_t gap) { gap_bytes += varint_bytes(gap); });
    std::size_t runs = 0;
    std::size_t run_bytes = 0;
    for_each_of_runs(block, [&](std::uint32_t number) {
        ++runs;
        run_bytes += varint_bytes(number);
    });
    runs /= 2;
    run_bytes += varint_bytes(runs - 1);
    const auto append = [&](std::uint32_t number) { append_varint(number, out); };
    if (std::min(gap_bytes, run_bytes) >= bitmap_bytes) {
        out.push_back(static_cast<char>(Form::bitmap));
        append_bitmap(block, out);
    } else if (run_bytes < gap_bytes) {
        out.push_back(static_cast<char>(Form::runs));
        append_varint(runs - 1, out);
        for_each_of_runs(block, append);
    } else {
        out.push_back(static_cast<char>(Form::gaps));
        append_varint(block.size() - 1, out);
        for_each_gap(block, append);
    }
}

/// Takes a number that must be below `bound`.
bool take_below(std::string_view& bytes, std::uint64_t bound, std::uint64_t& number) {
    return take_varint(bytes, number) && number < bound;
}

bool take_gaps(std::string_view& bytes, std::vector<Low>& members) {
    std::uint64_t last = 0;
    if (!take_below(bytes, block_numbers, last)) {
        return false;
    }
    std::uint64_t next = 0;
    for (std::uint64_t at = 0; at <= last; ++at) {
        std::uint64_t gap = 0;
        if (!take_below(bytes, block_numbers - next, gap)) {
            return false;
        }
        members.push_back(static_cast<Low>(next + gap));
        next += gap + 1;
    }
    return true;
}

bool take_runs(std::string_view& bytes, std::vector<Low>& members) {
    std::uint64_t last = 0;
    if (!take_below(bytes, block_numbers / 2, last)) {
        return false;
    }
    std::uint64_t next = 0;
    for (std::uint64_t at = 0; at <= last; ++at) {
        std::uint64_t gap = 0;
        std::uint64_t more = 0;
        if (next > block_numbers || !take_below(bytes, block_numbers - next, gap) ||
            !take_below(bytes, block_numbers - next - gap, more)) {
            return false;
        }
        for (std::uint64_t low = next + gap; low <= next + gap + more; ++low) {
            members.push_back(static_cast<Low>(low));
        }
        next += gap + more + 2;
    }
    return true;
}

bool take_bitmap(std::string_view& bytes, std::vector<Low>& members) {
    Bitmap bits{};
    for (Low& low : bits) {
        if (!take_fixed(bytes, low)) {
            return false;
        }
    }
    for_each_bit(bits, [&](Low low) { members.push_back(low); });
    return !members.empty();
}

bool take_members(std::string_view& bytes, std::vector<Low>& members) {
    members.clear();
    if (bytes.empty()) {
        return false;
    }
    const auto form = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    switch (form) {
        case static_cast<unsigned char>(Form::gaps):
            return take_gaps(bytes, members);
        case static_cast<unsigned char>(Form::runs):
            return take_runs(bytes, members);
        case static_cast<unsigned char>(Form::bitmap):
            return take_bitmap(bytes, members);
        default:
            return false;
    }
}

}  // namespace

std::string NumberSet::written() const {
    std::string bytes(1, version);
    append_varint(blocks_.size(), bytes);
    std::uint32_t next = 0;
    for (const Block& block : blocks_) {
        append_varint(block.key() - next, bytes);
        next = block.key() + 1U;
        append_block(block, bytes);
    }
    append_fixed(crc32c(bytes), bytes);
    return bytes;
}

Result<NumberSet> NumberSet::read(std::string_view bytes) {
    const auto corrupt = [](const char* why) {
        return fail(ErrorKind::corrupt, std::string{"a set of numbers "} + why);
    };
    std::uint32_t sum = 0;
    if (bytes.size() < sizeof sum) {
        return corrupt("ends too early");
    }
    std::string_view end = bytes.substr(bytes.size() - sizeof sum);
    bytes.remove_suffix(sizeof sum);
    if (!take_fixed(end, sum) || sum != crc32c(bytes)) {
        return corrupt("whose checksum is wrong");
    }
    if (bytes.empty() || bytes.front() != version) {
        return corrupt("of an unknown version");
    }
    bytes.remove_prefix(1);
    std::uint64_t blocks = 0;
    if (!take_below(bytes, block_numbers + 1, blocks) || blocks > bytes.size()) {
        return corrupt("with more blocks than there are");
    }
    NumberSet set;
    set.blocks_.reserve(blocks);
    std::vector<Low> members;
    std::uint64_t next = 0;
    for (std::uint64_t at = 0; at < blocks; ++at) {
        std::uint64_t gap = 0;
        if (!take_below(bytes, block_numbers - next, gap) || !take_members(bytes, members)) {
            return corrupt("with a block that is none");
        }
        set.append(Block{static_cast<Low>(next + gap), members});
        next += gap + 1;
    }
    if (!bytes.empty()) {
        return corrupt("that goes on behind its end");
    }
    return set;
}

}  // namespace footfall::sets
