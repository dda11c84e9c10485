// Bytes a token takes in memory, by the size of its set: the sizes are the arguments, JSON is the
// answer.

#include "foundation/random.h"
#include "tokens/token_set.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace {

using footfall::tokens::TokenSet;

constexpr std::int64_t now = 1'800'000'000'000;  // milliseconds since 1970
constexpr std::int64_t day = 86'400'000;

double bytes_a_token(std::size_t size, bool expiring) {
    footfall::Random random{size};
    TokenSet set;
    for (std::size_t at = 0; at < size; ++at) {
        const std::int64_t expiry = expiring
                                        ? now + day + static_cast<std::int64_t>(random.below(day))
                                        : footfall::tokens::never;
        set.add(random(), expiry, now, size);
    }
    return static_cast<double>(sizeof set + set.bytes()) / static_cast<double>(size);
}

}  // namespace

int main(int argc, char** argv) {
    std::string list;
    for (int at = 1; at < argc; ++at) {
        const std::size_t size = std::stoul(argv[at]);
        list += fmt::format(
            R"({}{{"size":{},"plain":{:.2f},"expiring":{:.2f}}})",
            list.empty() ? "" : ",",
            size,
            bytes_a_token(size, false),
            bytes_a_token(size, true)
        );
    }
    std::puts(fmt::format("[{}]", list).c_str());
    return 0;
}
