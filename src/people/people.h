#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "people/person.h"
#include "people/person_rows.h"
#include "people/sharers.h"
#include "storage/store.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::people {

class SaidWork;

/// What people say about their reading, and whom they list as friends: tables of record, with all
/// who share in memory. What is said is durable before it is answered, and holds here from then on;
/// in other processes from their next read_changes() on.
///
/// Of two processes that are told of one person at once the later one stands, by their clocks.
/// Thread-safe. `store` and `clock` must outlive it.
class People {
public:
    /// For read_changes(): consent is to hold everywhere within a second.
    static constexpr std::chrono::milliseconds read_every{300};

    struct Options {
        SipKey secret;
        /// Whether other processes say, and want to know, too.
        bool shared = false;
    };

    /// Reads all who share. Blocks, some seconds for a million. `corrupt`: a row that nobody here
    /// wrote.
    static Result<std::unique_ptr<People>> open(
        storage::Store& store, const Clock& clock, Options options
    );

    People(const People&) = delete;
    People& operator=(const People&) = delete;
    ~People() = default;

    /// Takes what is said, in its order, and answers how each person stands after it; an error
    /// stands for what was not taken: `invalid_input`, more than friends_max friends;
    /// `overloaded`, more than former_readers_max former readers. Names are
    /// texts that an event may have. Said again it writes nothing. Blocks until all is durable: a
    /// few ways to the store for each 200 lists of friends that change, however many are said
    /// together; these lists are in memory. An error for all: each may have become so or not; say
    /// it again.
    Result<std::vector<Result<Person>>> say(std::span<const Said> said);

    /// Who has never been told of is off. Blocks for a read.
    Result<Person> find(const std::string& actor);

    /// Whom they listed, by name. Blocks for two reads.
    Result<std::vector<std::string>> friends_of(const std::string& actor);

    /// Of each of these whether they list `actor`. Blocks for two reads, however many they are.
    Result<std::vector<bool>> who_lists(
        const std::vector<std::string>& actors, const std::string& actor
    );

    /// Somebody, and until when they were readers whose reads are known under another one by now.
    struct Forgotten {
        std::string actor;
        Instant through{};
    };

    /// These former readers and their keys go, for good. Nothing else of the people is written;
    /// others see it by their forget_with_others(). Blocks until it is durable: a read and a write.
    Result<void> forget_formers(std::span<const Forgotten> whom);

    /// Withdraws all that these said, and leaves no row of them: they are off, list nobody, and the
    /// keys of what they shared are destroyed. Blocks. On failure say it again.
    Result<void> erase(std::span<const std::string> actors);

    /// Forgets those former readers of these people whose rows another process has erased. Blocks
    /// for a read.
    Result<void> forget_with_others(const std::vector<std::string>& actors);

    /// Reads what others were told since this was last called. Blocks. What others acknowledged, by
    /// a clock like ours, is seen at once; by one that differs by less than three minutes, within
    /// deep_every. `unavailable`: it could not be read for a week, and some of it is gone.
    Result<void> read_changes();

    static constexpr std::chrono::seconds deep_every{20};

    const Sharers& sharers() const { return sharers_; }

private:
    /// Who changes a person waits for others who change the same one.
    static constexpr std::size_t stripe_count = 64;
    using Held = std::vector<std::unique_lock<std::mutex>>;

    People(storage::Store& store, const Clock& clock, Options options)
        : store_{&store},
          clock_{&clock},
          options_{options},
          sharers_{options.secret},
          read_until_{clock.now()},
          read_deeply_{read_until_ - deep_every} {}

    Result<void> load();
    template <class OfSomebody>
    Held hold(std::span<const OfSomebody> each_of);
    Result<void> say_together(std::span<const Said> said, std::vector<Result<Person>>& answers);
    Result<void> erase_rows(std::span<const Said> said);
    Result<void> tell_who_looks(SaidWork& work, Instant told_at) const;
    Instant known_change(const std::string& actor);
    void install(
        const std::string& actor,
        const Consent& consent,
        const std::optional<Reader>& reader,
        std::span<const FormerReader> formers,
        Instant changed_at
    );
    void forget_recent();

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    Sharers sharers_;
    std::array<std::mutex, stripe_count> stripes_;
    std::mutex reading_;   ///< Held by read_changes(); guards the two below.
    Instant read_until_;   ///< What was said before is known, but for clocks that differ.
    Instant read_deeply_;  ///< The same, and for clocks that differ by more.
    std::mutex installing_;
    /// When the latest known change of a person was made, as long as an earlier one may be read
    /// still. Guarded by installing_.
    std::map<std::string, Instant, std::less<>> recent_;
};

}  // namespace footfall::people
