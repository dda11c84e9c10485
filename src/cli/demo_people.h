#pragma once

#include "foundation/clock.h"
#include "foundation/random.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Made-up people in circles of friends, what they said about their reading, and what they read. All
// of it is a pure function of seeds and hours.

namespace footfall::cli {

struct DemoPerson {
    std::string name;
    std::size_t circle = 0;       ///< Those with the same one know each other, and read alike.
    std::string_view reading;     ///< "shared", "private" or "off".
    std::string_view site;        ///< The only one on which they share; empty: they do on all.
    bool is_for_friends = false;  ///< They appear to friends alone.
    bool is_shown = false;        ///< The dashboard offers them; the demo leaves them as they are.
    std::vector<std::size_t> friends;  ///< Places in the list of all; one way.

    /// What they said, as JSON; where `until` is given, they pause until then.
    std::string consent(std::optional<Instant> until = {}) const;
    /// All that they said, friends included, as a line of NDJSON with its end.
    std::string line() const;
};

/// All of them, the same each time. Lives as long as the program.
std::span<const DemoPerson> demo_people();

/// The number of the article that came last: one comes each minute.
std::uint64_t demo_article_at(Instant time);
std::string demo_article(std::uint64_t number);

struct DemoRead {
    std::string id;               ///< Empty: it has none.
    std::optional<Instant> time;  ///< Absent: now.
    const DemoPerson* person = nullptr;
    std::string url;

    /// As a line of NDJSON, with its end.
    std::string event() const;
};

/// Some hundred reads of an hour, counted from 1970.
std::vector<DemoRead> demo_reads_of(std::int64_t hour);

/// Reads of now. A pure function of its seed and the times it is asked at.
class DemoReads {
public:
    explicit DemoReads(std::uint64_t seed) : random_{seed} {}

    DemoRead next(Instant now);

    /// How many a second there should be, `seconds` after the start: a bit less than one, in waves.
    static double rate_at(double seconds);

private:
    Random random_;
};

}  // namespace footfall::cli
