#include "cli/people_sink.h"
#include "people/people.h"

#include <algorithm>

namespace footfall::cli {
namespace {

/// So many are said together, in a few durable writes.
constexpr std::size_t said_at_once = 1000;

class DirectoryPeopleSink final : public PeopleSink {
public:
    explicit DirectoryPeopleSink(people::People& people) : people_{&people} {}

    Result<void> say(std::span<const people::Said> said, const RefuseSaid& refuse) override {
        for (std::size_t first = 0; first < said.size(); first += said_at_once) {
            const std::size_t count = std::min(said_at_once, said.size() - first);
            TRY(const auto answers, people_->say(said.subspan(first, count)));
            for (std::size_t at = 0; at < count; ++at) {
                const Result<people::Person>& person = answers[at];
                if (person) {
                    continue;
                }
                if (person.error().kind != ErrorKind::invalid_input) {
                    return std::unexpected(person.error());
                }
                refuse(first + at, person.error().message);
            }
        }
        return {};
    }

private:
    people::People* people_;
};

}  // namespace

std::unique_ptr<PeopleSink> make_directory_people_sink(people::People& people) {
    return std::make_unique<DirectoryPeopleSink>(people);
}

}  // namespace footfall::cli
