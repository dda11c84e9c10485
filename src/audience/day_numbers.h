#pragma once

#include "audience/terms.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::audience {

/// Answers questions for numbers of people for whoever may see numbers only. The first answer to a
/// question on a day (UTC), noise included, is its answer all that day: whoever adds an id to a set
/// and asks again learns nothing. A key may ask so many different ones a day.
///
/// One process of a deployment answers such questions. State: what was asked and answered on the
/// day that is now, behind a mutex that is held while it is read, counted and written, so that no
/// two threads answer a question differently; a row is durable before anything is shown.
/// Thread-safe; blocks.
class DayNumbers {
public:
    /// Counts the people of the questions at these places, in their order.
    using Count =
        std::function<Result<std::vector<std::uint64_t>>(std::span<const std::size_t> places)>;

    /// A number to be shown; absent: that they are fewer than least_shown().
    using Shown = std::optional<std::uint64_t>;

    DayNumbers(storage::Store& store, const Clock& clock, SipKey secret, const Terms& terms)
        : store_{&store}, clock_{&clock}, secret_{secret}, terms_{terms} {}

    /// The hash of a question: a text that is the same for the same sets in the same places, by
    /// what never names another set (not their names).
    std::uint64_t hash_of(std::string_view question) const;

    /// Answers questions, by hash, in their order. `overloaded`: the key would have asked more than
    /// a day has; none is answered, and it says when there are new ones. Else what `count` or the
    /// store say.
    Result<std::vector<Shown>> ask(
        std::string_view key, std::span<const std::uint64_t> questions, const Count& count
    );

    /// How many a key may still ask today.
    Result<std::size_t> left(std::string_view key);

private:
    using Questions = std::set<std::uint64_t>;

    void enter_day(std::int32_t day);
    Result<Questions*> asked_by(std::string_view key);
    Result<void> read_answers(std::span<const std::uint64_t> questions);
    Result<void> answer_missing(std::span<const std::uint64_t> questions, const Count& count);
    Result<void> write_asked(std::string_view key, const Questions& fresh);

    storage::Store* store_;
    const Clock* clock_;
    const SipKey secret_;
    const Terms terms_;
    std::mutex mutex_;
    std::int32_t day_ = 0;                                 ///< Of the others. Guarded by mutex_.
    std::map<std::string, Questions, std::less<>> asked_;  ///< By key. Guarded by mutex_.
    std::map<std::uint64_t, Shown> answers_;               ///< By question. Guarded by mutex_.
};

}  // namespace footfall::audience
