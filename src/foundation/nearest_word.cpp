#include "foundation/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace footfall {
namespace {

/// How many letters have to be put in, taken out, replaced or swapped with the next one to make
/// `left` of `right`.
std::size_t mistakes(std::string_view left, std::string_view right) {
    // rows[0]: from all beginnings of `right` to the beginning of `left` at hand; rows[1], rows[2]:
    // to those that are one and two letters shorter.
    std::vector<std::size_t> rows[3]{};
    std::ranges::fill(rows, std::vector<std::size_t>(right.size() + 1));
    std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
    for (std::size_t from = 0; from < left.size(); ++from) {
        std::swap(rows[1], rows[2]);
        std::swap(rows[0], rows[1]);
        rows[0][0] = from + 1;
        for (std::size_t to = 0; to < right.size(); ++to) {
            const std::size_t replaced = rows[1][to] + (left[from] == right[to] ? 0 : 1);
            rows[0][to + 1] = std::min({replaced, rows[1][to + 1] + 1, rows[0][to] + 1});
            if (from > 0 && to > 0 && left[from] == right[to - 1] && left[from - 1] == right[to]) {
                rows[0][to + 1] = std::min(rows[0][to + 1], rows[2][to - 1] + 1);
            }
        }
    }
    return rows[0].back();
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string> words) {
    std::string_view nearest;
    std::size_t fewest = std::max<std::size_t>(word.size() / 3, 1) + 1;
    for (const std::string& each : words) {
        const std::size_t number = mistakes(word, each);
        if (number < fewest) {
            fewest = number;
            nearest = each;
        }
    }
    return nearest;
}

}  // namespace footfall
