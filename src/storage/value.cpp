#include "storage/value.h"

namespace footfall::storage {

std::vector<ValueView> views_of(std::span<const Value> values) {
    return {values.begin(), values.end()};
}

std::vector<Value> owned_values(std::span<const ValueView> views) {
    std::vector<Value> owned;
    owned.reserve(views.size());
    for (const ValueView& view : views) {
        owned.push_back(view.owned());
    }
    return owned;
}

}  // namespace footfall::storage
