#include "segments_routes/audience_numbers.h"

#include <fmt/format.h>

#include <set>
#include <string>

namespace footfall::segments::routes {

/// By the lives of segments, not by their names, and in an order of their own: so the same question
/// is one however it is put.
Result<std::uint64_t> AudienceNumbers::hash_of(const Expression& question) {
    std::string text;
    for (const auto* const list : {&question.all, &question.any, &question.none}) {
        std::set<std::int64_t> lives;
        for (const std::string& name : *list) {
            TRY(const std::optional<Segment> segment, segments_->find(name));
            if (!segment) {
                return fail(ErrorKind::not_found, fmt::format("there is no segment \"{}\"", name));
            }
            lives.insert(segment->number);
        }
        for (const std::int64_t each : lives) {
            text += fmt::format("{},", each);
        }
        text += ';';
    }
    return days_.hash_of(text);
}

Result<std::vector<AudienceNumbers::Shown>> AudienceNumbers::answer(
    std::string_view key, std::span<const Expression> questions
) {
    std::vector<std::uint64_t> hashes;
    hashes.reserve(questions.size());
    for (const Expression& each : questions) {
        TRY(const std::uint64_t hash, hash_of(each));
        hashes.push_back(hash);
    }
    return days_.ask(
        key,
        hashes,
        [&](std::span<const std::size_t> places) -> Result<std::vector<std::uint64_t>> {
            std::vector<std::uint64_t> people;
            people.reserve(places.size());
            for (const std::size_t at : places) {
                const Result<People> counted = segments_->count(questions[at]);
                if (!counted && counted.error().kind != ErrorKind::overloaded) {
                    return std::unexpected(counted.error());
                }
                // Noise hides one person; in an estimate one person weighs as much as many.
                if (!counted || counted->one_of != 1) {
                    return fail(
                        ErrorKind::unavailable,
                        "numbers with noise are made of what is counted, and people of segments "
                        "take more memory just now than there is for counting them"
                    );
                }
                people.push_back(counted->people);
            }
            return people;
        }
    );
}

}  // namespace footfall::segments::routes
