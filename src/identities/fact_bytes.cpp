#include "identities/fact_bytes.h"

#include <algorithm>

namespace footfall::identities {

std::string bytes_of(const FactId& fact) {
    return {fact.bytes.begin(), fact.bytes.end()};
}

Result<FactId> read_fact_id(std::string_view bytes) {
    FactId fact;
    if (bytes.size() != fact.bytes.size()) {
        return fail(ErrorKind::corrupt, "a row of identities is damaged: it names no fact");
    }
    std::ranges::copy(bytes, fact.bytes.begin());
    return fact;
}

}  // namespace footfall::identities
