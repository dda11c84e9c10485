#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "projecting/owners.h"
#include "runtime/blocking_pool.h"
#include "segments/combinations.h"
#include "segments/segments.h"
#include "segments_routes/audience_numbers.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segments::routes {

/// Whose owner derives segments, and so knows how many people they are: one lane has one owner.
inline constexpr std::uint32_t deriving_lane = 0;

/// Numbers of people, whichever process knows them: this one, or the one that derives segments,
/// which is asked until it has counted, as it answers other processes at once or not at all.
///
/// Thread-safe; what it is given must outlive it. Questions block: on the store, and up to ten
/// seconds on the other process. Failures: as of Segments; `unavailable`: nobody derives now.
class AskedPeople {
public:
    /// `projection`: the name under which owners know the job. `owners` null: all is derived here.
    AskedPeople(
        Segments& segments,
        const Clock& clock,
        projecting::Owners* owners,
        std::string_view projection,
        AudienceNumbers& audience
    )
        : segments_{&segments},
          clock_{&clock},
          owners_{owners},
          projection_{projection},
          audience_{&audience} {}

    AskedPeople(const AskedPeople&) = delete;
    AskedPeople& operator=(const AskedPeople&) = delete;

    ~AskedPeople() { stop(); }

    struct Sizes {
        std::vector<std::optional<std::uint64_t>> people;  ///< As asked; absent: no such segment.
        Instant as_of{};
        std::uint32_t one_of = 1;  ///< As of People.
    };

    Result<Sizes> sizes(std::span<const std::string> names);

    Result<People> count(const Expression& expression);

    Result<Overlaps> overlap(std::span<const std::string> names);

    Result<Combinations> combined(std::span<const std::string> names);

    Result<SketchedOverlaps> sketched(std::span<const std::string> names);

    /// The same for who may see numbers of people only, by the name of their key: one for each
    /// question, absent where they are too few to be shown. `overloaded`: more than a day has.
    Result<std::vector<AudienceNumbers::Shown>> for_audience(
        std::string_view key, std::span<const Expression> questions
    );

    /// What another process asks. Never waits: says that it is being counted, until it is.
    Result<std::string> answer(std::string_view question);

    void refuse_waiting() { counting_.refuse_waiting(); }

    /// Ends counting for others. Idempotent.
    void stop() { counting_.stop(); }

private:
    /// What any question comes to.
    struct Numbers {
        std::vector<std::int64_t> numbers;
        Instant as_of{};
        std::uint32_t one_of = 1;  ///< As of People.
    };

    /// A question of another process that is being answered, or was a moment ago.
    struct Counted {
        std::optional<Result<Numbers>> result = {};  ///< Absent: not yet.
        std::chrono::steady_clock::time_point at{};  ///< When it was there.
    };

    Result<Numbers> ask(char kind, const Expression& about);
    Result<Numbers> ask_owner(std::string_view question);
    Result<Numbers> compute(char kind, const Expression& about);
    Result<Numbers> compute_for_audience(std::string_view question);
    Result<Numbers> compute_asked(std::string_view question);
    void wait_until_derived() const;
    void wait_for_what_waits() const;
    void forget_old();

    static std::string written(const Result<Numbers>& result);
    static std::optional<Result<Numbers>> read(std::string_view answer);

    Segments* segments_;
    const Clock* clock_;
    projecting::Owners* owners_;
    const std::string_view projection_;
    AudienceNumbers* audience_;
    std::mutex mutex_;
    std::map<std::string, Counted, std::less<>> counted_;  ///< Guarded by mutex_.
    /// What others ask is counted one behind the other, by two threads.
    runtime::BlockingPool counting_{2, 100};
};

}  // namespace footfall::segments::routes
