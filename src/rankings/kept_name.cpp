#include "rankings/kept_name.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"
#include "foundation/names.h"

#include <algorithm>

namespace footfall::rankings {

void KeptName::assign(std::string_view name) {
    CHECK(name.size() <= longest_name_bytes, "a name that no door lets in", name.size());
    if (bytes_of(name.size()) != bytes()) {
        text_ = name.empty() ? nullptr : std::make_unique<char[]>(usable_bytes(name.size()));
    }
    std::ranges::copy(name, text_.get());
    size_ = static_cast<std::uint16_t>(name.size());
}

void KeptName::clear() {
    text_.reset();
    size_ = 0;
}

std::size_t KeptName::bytes_of(std::size_t size) {
    return allocated_bytes(size);
}

}  // namespace footfall::rankings
