#include "workload.h"

#include "test_support/must.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

namespace footfall::scale {
namespace {

/// Tokens of PUTs, of the filler and of the big object come from ranges of their own.
constexpr std::uint64_t drawn_tokens = std::uint64_t{1} << 40;

/// The start of the file: objects, PUTs drawn, tokens of the big object, whether all is filled.
using Head = std::array<std::uint64_t, 4>;

void append_line(std::string& lines, const std::string& object, std::uint64_t token) {
    fmt::format_to(
        std::back_inserter(lines),
        "{{\"object\":\"{}\",\"token\":\"{}\"}}\n",
        object,
        token_name(token)
    );
}

}  // namespace

std::string object_name(std::uint64_t object) {
    return object == big_object ? std::string{"big"} : fmt::format("object-{}", object);
}

std::string token_name(std::uint64_t token) {
    // Multiplied by an odd number: a bijection.
    return fmt::format("{:016x}", token * 0x9e3779b97f4a7c15);
}

std::string Workload::fill_lines(std::uint64_t first, std::uint64_t before) {
    std::string lines;
    for (std::uint64_t object = first; object < before; ++object) {
        const std::string name = object_name(object);
        for (std::uint64_t token = 0; token < filled(object); ++token) {
            append_line(lines, name, 3 * object + token);
        }
    }
    return lines;
}

std::string Workload::big_lines(std::uint64_t first, std::uint64_t before) {
    std::string lines;
    lines.reserve((before - first) * 48);
    for (std::uint64_t token = first; token < before; ++token) {
        append_line(lines, "big", token);
    }
    return lines;
}

Put Workload::draw() {
    const auto objects = static_cast<double>(extra_.size());
    for (;;) {
        // Box and Muller; what falls outside is drawn again.
        const double radius = std::sqrt(-2 * std::log(1 - random_.fraction()));
        const double normal = radius * std::cos(2 * std::numbers::pi * random_.fraction());
        const double object = objects / 2 + normal * objects / 6;
        if (object >= 0 && object < objects) {
            return {.object = static_cast<std::uint64_t>(object), .token = drawn_tokens + drawn_++};
        }
    }
}

void Workload::save(const std::filesystem::path& file) const {
    std::ofstream out{file, std::ios::binary};
    const Head head{extra_.size(), drawn_, big_tokens_, filled_ ? 1U : 0U};
    out.write(reinterpret_cast<const char*>(head.data()), sizeof head);
    out.write(
        reinterpret_cast<const char*>(extra_.data()),
        static_cast<std::streamsize>(extra_.size() * sizeof extra_[0])
    );
    if (!out.flush()) {
        test_support::give_up("cannot write " + file.string());
    }
}

bool Workload::restore(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    Head head{};
    if (!in.read(reinterpret_cast<char*>(head.data()), sizeof head) || head[0] != extra_.size()) {
        return false;
    }
    drawn_ = head[1];
    big_tokens_ = head[2];
    filled_ = head[3] != 0;
    in.read(
        reinterpret_cast<char*>(extra_.data()),
        static_cast<std::streamsize>(extra_.size() * sizeof extra_[0])
    );
    return static_cast<bool>(in);
}

}  // namespace footfall::scale
