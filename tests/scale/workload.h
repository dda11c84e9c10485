#pragma once

#include "foundation/random.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace footfall::scale {

/// One PUT: everything that is sent follows from two numbers.
struct Put {
    std::uint64_t object;
    std::uint64_t token;
};

/// The object that gets all the tokens of the phase "big".
inline constexpr std::uint64_t big_object = ~std::uint64_t{0};

std::string object_name(std::uint64_t object);

/// Sixteen hexadecimal digits; different numbers have different names, and neighbours nothing in
/// common.
std::string token_name(std::uint64_t token);

/// What is sent, and what the counts must be afterwards. A plain value that can be kept in a file,
/// so that a later run goes on where this one ended. Not thread-safe.
class Workload {
public:
    /// `objects` with one to three tokens each by the filler, more by PUTs.
    Workload(std::uint64_t objects, std::uint64_t seed) : extra_(objects), random_{seed} {}

    std::uint64_t objects() const { return extra_.size(); }

    /// How many tokens the filler puts on an object: 1, 2 or 3.
    static std::uint64_t filled(std::uint64_t object) { return 1 + object % 3; }

    /// Lines of a batch for the objects [first, before).
    static std::string fill_lines(std::uint64_t first, std::uint64_t before);

    /// Lines of a batch for the big object, tokens [first, before).
    static std::string big_lines(std::uint64_t first, std::uint64_t before);

    /// A new token for an object drawn from a bell curve over all: mean in the middle, deviation a
    /// sixth.
    Put draw();

    /// A PUT of draw() was acknowledged.
    void acknowledged(const Put& put) { ++extra_[put.object]; }

    /// The filler is through.
    void set_filled() { filled_ = true; }

    std::uint64_t expected(std::uint64_t object) const {
        return (filled_ ? filled(object) : 0) + extra_[object];
    }

    std::uint64_t big_tokens() const { return big_tokens_; }

    void add_big_tokens(std::uint64_t tokens) { big_tokens_ += tokens; }

    /// Keeps what was acknowledged in a file; takes it back, false if there is none for as many
    /// objects.
    void save(const std::filesystem::path& file) const;
    bool restore(const std::filesystem::path& file);

private:
    std::vector<std::uint32_t> extra_;  // acknowledged PUTs by object
    std::uint64_t drawn_ = 0;
    std::uint64_t big_tokens_ = 0;
    bool filled_ = false;
    Random random_;
};

}  // namespace footfall::scale
