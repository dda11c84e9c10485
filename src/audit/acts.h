#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The record of what operators did, which outsiders can check.
namespace footfall::audit {

/// Something that an act says of persons. The log holds only a commitment to it, SHA-256(salt ||
/// payload); payload and salt lie in a table beside it, until one of the persons is forgotten.
struct Personal {
    /// Whom it is about: what person_of_actor() and the others answer. Kept as a keyed hash.
    std::vector<std::string> persons;
    std::string payload;  ///< At most personal_bytes_max, UTF-8.
};

/// An act that is to be recorded.
struct Act {
    std::string kind;    ///< "key_added", "rate_set": lower case letters and _, at most 40 of them.
    std::string author;  ///< Who does it: the name of a key, or "this machine". At most 200 bytes.
    /// What is done: one JSON object, at most detail_bytes_max. It is public for ever, so it names
    /// no person: what does is in `people`, and `{"person":0}` may stand for the first of them.
    std::string detail = "{}";
    std::vector<Personal> people = {};  ///< At most people_max.
};

/// The author of what follows from the settings that a program was started with.
inline constexpr std::string_view author_settings = "settings";
/// Of what the program does by itself.
inline constexpr std::string_view author_footfall = "footfall";
/// Of what is done on a data directory that no server has open.
inline constexpr std::string_view author_directory = "this directory";

inline constexpr std::size_t detail_bytes_max = 16 << 10;
inline constexpr std::size_t personal_bytes_max = 16 << 10;
inline constexpr std::size_t people_max = 256;

/// How persons are called here, so that whoever erases one finds what was said of it: an actor; an
/// id of a network; a profile by its sid; a fact of identities, whose name is a hash of its ids.
std::string person_of_actor(std::string_view actor);
std::string person_of_id(
    std::string_view identifier, std::string_view id_name, std::string_view id_value
);
std::string person_of_sid(std::string_view sid);
std::string person_of_fact(std::string_view fact);

/// Where acts are recorded. An act is recorded before it is carried out: what cannot be recorded
/// does not happen. One that is refused afterwards is said to be by another entry.
///
/// Thread-safe. All of it blocks on the store.
class Acts {
public:
    Acts() = default;
    Acts(const Acts&) = delete;
    Acts& operator=(const Acts&) = delete;
    virtual ~Acts() = default;

    /// Gives the act the next number and answers it once it is durable and under a signed head.
    /// `invalid_input`: the act is not as Act says. Any failure of the store; after
    /// `outcome_unknown` it may have been recorded, and recorded again it has two entries.
    Result<std::uint64_t> record(Act act);

    /// The same of several, which get numbers one behind the other; answers the first. Where
    /// several processes share the log others may stand between them.
    virtual Result<std::uint64_t> record_all(std::vector<Act> acts) = 0;

    /// A hash under the deployment's secret, 64 hex digits: for what is too long to be in an entry.
    /// Whoever has the bytes and the secret can compare; nobody else learns anything.
    virtual std::string digest(std::string_view bytes) const = 0;

    /// Erases payload and salt of all that was said of any of these persons; proofs keep holding.
    /// Answers how many there were. Blocks until it is durable. Cheap where there is nothing.
    virtual Result<std::size_t> forget(std::span<const std::string> persons) = 0;

    /// The same of all that was said of anybody until then: for an older state that is put back,
    /// which has what was forgotten since, and nobody can tell of whom. Blocks, reading all of it.
    virtual Result<std::size_t> forget_until(Instant last) = 0;
};

}  // namespace footfall::audit
