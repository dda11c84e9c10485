#include "reading_routes/people_batch.h"

#include "api/answers.h"
#include "api/gzip_body.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "foundation/json_string.h"
#include "foundation/lines.h"
#include "http_server/problem.h"
#include "reading_routes/person_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::reading::routes {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;
using runtime::Task;

/// So many lines are said together, before others have their turn.
constexpr std::size_t lines_a_turn = 1000;
/// And so many bytes of them: lists of friends are long.
constexpr std::size_t bytes_a_turn = 1 << 20;

/// One request on its way. Owned by its coroutine, worked on by one thread at a time.
class Batch {
public:
    /// Absent: it is taken; else the refusal of all of it.
    std::optional<Response> begin(const Request& request) {
        if (auto refused = api::refuse_unknown_parameter(request, {})) {
            return refused;
        }
        const auto body = api::decoded_body(request, people_bytes_max, unpacked_);
        if (!body) {
            return body.error();
        }
        left_ = *body;
        const auto lines = static_cast<std::size_t>(std::ranges::count(left_, '\n')) + 1;
        if (lines > people_lines_max + 1) {
            return http_server::problem(
                413, "body-too-large", fmt::format("a batch has at most {} lines", people_lines_max)
            );
        }
        return std::nullopt;
    }

    /// Says some more lines; answers when there are none left, or the store fails.
    std::optional<Response> take_turn(const PeopleSources& sources) {
        std::vector<people::Said> said;
        std::vector<std::size_t> numbers;
        read_some(sources.clock->now(), said, numbers);
        if (!said.empty()) {
            const auto answers = sources.people->say(said);
            if (!answers) {
                return api::answer_error(answers.error());
            }
            for (std::size_t at = 0; at < answers->size(); ++at) {
                const Result<people::Person>& person = (*answers)[at];
                if (person) {
                    ++accepted_;
                } else if (person.error().kind == ErrorKind::invalid_input) {
                    reject(numbers[at], person.error().message);
                } else {
                    return api::answer_error(person.error());
                }
            }
        }
        if (!left_.empty()) {
            return std::nullopt;
        }
        return api::json_answer(
            fmt::format(R"({{"accepted":{},"rejected":[{}]}})", accepted_, rejected_)
        );
    }

private:
    void read_some(
        Instant now, std::vector<people::Said>& said, std::vector<std::size_t>& numbers
    ) {
        std::size_t bytes = 0;
        while (!left_.empty() && said.size() < lines_a_turn && bytes < bytes_a_turn) {
            const std::string_view line = take_line(left_);
            ++number_;
            bytes += line.size();
            if (is_blank(line)) {
                continue;
            }
            auto person = read_person_line(line, now);
            if (person) {
                said.push_back(*std::move(person));
                numbers.push_back(number_);
            } else {
                reject(number_, person.error().detail);
            }
        }
    }

    void reject(std::size_t line, std::string_view detail) {
        rejected_ += fmt::format(
            R"({}{{"line":{},"type":"/problems/invalid-input","detail":{}}})",
            rejected_.empty() ? "" : ",",
            line,
            json_string(detail)
        );
    }

    std::string unpacked_;
    std::string_view left_;
    std::size_t number_ = 0;  ///< Of the last line read.
    std::uint64_t accepted_ = 0;
    std::string rejected_;
};

Task<> post(PeopleSources sources, Exchange* exchange) {
    Batch batch;
    bool begun = false;
    auto turn = [&]() -> std::optional<Response> {
        if (!std::exchange(begun, true)) {
            if (auto refused = batch.begin(exchange->request())) {
                return refused;
            }
        }
        return batch.take_turn(sources);
    };
    exchange->response() = co_await api::on_pool_in_turns(sources.surveys, std::move(turn));
}

}  // namespace

void add_people_batch_route(api::FrontDoor& door, const PeopleSources& sources) {
    door.acting({.kind = "people_said", .about = api::ActAbout::persons})
        .add(
            keys::Scope::people,
            http_server::Method::post,
            "/api/v1/people",
            [sources](Exchange& exchange) { return std::optional{post(sources, &exchange)}; },
            {.bytes = people_bytes_max}
        );
}

}  // namespace footfall::reading::routes
