#include "foundation/check.h"
#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "sets/number_set.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

// The input is a stored set but for its checksum, which is added. Whatever is read is a set like
// any other: its members rise and are as many as it says, and it comes back from its own bytes.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace footfall;
    using namespace footfall::sets;
    std::string bytes{reinterpret_cast<const char*>(data), size};
    append_fixed(crc32c(bytes), bytes);
    const Result<NumberSet> read = NumberSet::read(bytes);
    if (!read) {
        return 0;
    }
    std::uint64_t members = 0;
    std::optional<Number> before;
    read->for_each([&](Number number) {
        CHECK(!before || number > *before, "members that do not rise", number);
        before = number;
        ++members;
    });
    CHECK(members == read->size(), "another number of members", members, read->size());
    const Result<NumberSet> again = NumberSet::read(read->written());
    CHECK(again.has_value() && *again == *read, "another set comes back");
    return 0;
}
