#pragma once

#include "foundation/random.h"

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::test_support {

/// What actors did, drawn at random, and what follows by going through all of it: by definition,
/// for rules of segments. Used by one thread.
class Deeds {
public:
    struct Deed {
        std::uint64_t id = 0;
        std::time_t time = 0;
        bool is_buy = false;  ///< Else the action is `open`.
        std::uint64_t object = 0;
        std::uint64_t actor = 0;
        std::uint64_t days = 0;  ///< Ago, and a half.
    };

    /// Of one person.
    using Holds = std::function<bool(const std::vector<Deed>& deeds)>;

    Deeds(std::uint64_t seed, std::uint64_t of_actors) : actors{of_actors}, random_{seed} {}

    const std::uint64_t actors;

    /// Some events as lines, of which one in ten was sent before. They come in no order of time,
    /// and none is near the edge of a window, in days, while the test runs.
    std::string lines(std::size_t count);

    /// From now on these two actors are one person. `other` was never united before.
    void unite(std::uint64_t one, std::uint64_t other) { of_[other] = one; }

    /// How many people it holds for, and their actors.
    std::pair<std::size_t, std::set<std::string>> who(const Holds& holds) const;

    /// How many of these deeds are such ones, of less than so many days ago. Object -1: of any.
    static std::size_t count(
        const std::vector<Deed>& deeds, bool buys, int object, std::uint64_t days
    );

private:
    std::uint64_t person_of(std::uint64_t actor) const;
    Deed next();

    Random random_;
    const std::time_t begun_ = std::time(nullptr);
    std::uint64_t next_ = 0;
    std::vector<Deed> sent_;
    std::set<std::uint64_t> said_;
    std::map<std::uint64_t, std::uint64_t> of_;
};

}  // namespace footfall::test_support
