#pragma once

#include "foundation/clock.h"
#include "people/sharers.h"
#include "reading/friend_set.h"

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::reading {

/// Those of the friends of a question who have taken something back (people::Past): whether they
/// read a URL depends on what is left. A plain value of one thread, made once a question.
class Pasts {
public:
    void add(std::shared_ptr<const people::Past> past);

    /// All were added: to be called before they are asked for.
    void sort();

    bool empty() const { return of_ids_.empty(); }

    /// Takes those who are theirs out of `matched`.
    std::vector<ReaderId> take_out(std::vector<ReaderId>& matched) const;

    /// Appends the present ids of those of whom something is left. `reads`: when each of their ids
    /// last read the URL.
    void append_left(
        std::string_view url,
        std::span<const std::pair<ReaderId, Instant>> reads,
        std::vector<ReaderId>& matched
    ) const;

    /// The present ids of those of whom something is left, with when they last read it.
    std::vector<std::pair<ReaderId, Instant>> left(
        std::string_view url, std::span<const std::pair<ReaderId, Instant>> reads
    ) const;

    /// Whether it is one of theirs.
    bool has(ReaderId id) const { return past_of(id) != nullptr; }

private:
    const people::Past* past_of(ReaderId id) const;

    std::vector<std::shared_ptr<const people::Past>> pasts_;
    std::vector<std::pair<ReaderId, const people::Past*>> of_ids_;  ///< By id.
};

}  // namespace footfall::reading
