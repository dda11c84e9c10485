#include "owners/owner_client.h"

#include "foundation/address.h"
#include "foundation/log.h"
#include "owners/proof.h"
#include "owners/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::owners {
namespace {

using http_server::ClientResponse;
using http_server::ClientSet;
using http_server::Post;

/// Who did not answer in time once would keep others waiting each time.
constexpr std::chrono::seconds silence{1};
/// Addresses that are gone are forgotten.
constexpr std::size_t silent_max = 1000;

constexpr const char* outcomes_name = "footfall_owner_answers_total";
constexpr const char* outcomes_help =
    "What came of asking owners: answered, refused (some lane was not theirs any more), timed_out "
    "or failed.";

constexpr const char* bytes_name = "footfall_owner_bytes_total";
constexpr const char* bytes_help = "Bytes sent to the owners of lanes, and answered by them.";

}  // namespace

/// To one owner.
struct OwnerClient::Question {
    std::string address;  ///< As the table has it: HOST:PORT.
    std::string host;
    std::uint16_t port = 0;
    std::vector<WirePart> asked;
    std::vector<std::size_t> places;  ///< In the batch, of those.
};

OwnerClient::OwnerClient(const Options& options)
    : options_{options},
      owners_{*options.store, options.log, options.fresh_for},
      asked_{options.metrics->counter(
          "footfall_owner_asks_total", "Questions to the owners of lanes, one a batch and owner."
      )},
      bytes_asked_{options.metrics->counter(bytes_name, bytes_help, {{"of", "questions"}})},
      bytes_answered_{options.metrics->counter(bytes_name, bytes_help, {{"of", "answers"}})},
      answered_{options.metrics->counter(outcomes_name, outcomes_help, {{"outcome", "answered"}})},
      refused_{options.metrics->counter(outcomes_name, outcomes_help, {{"outcome", "refused"}})},
      timed_out_{options.metrics->counter(outcomes_name, outcomes_help, {{"outcome", "timed_out"}})
      },
      failed_{options.metrics->counter(outcomes_name, outcomes_help, {{"outcome", "failed"}})} {}

std::optional<std::uint64_t> OwnerClient::counted_here(std::uint32_t lane) {
    return here_ == nullptr ? std::nullopt : here_->counted(lane);
}

projecting::LaneAnswers OwnerClient::ask(
    std::string_view projection,
    std::span<const projecting::LaneQuestion> asked,
    std::string_view of_all
) {
    projecting::LaneAnswers answer;
    answer.of_asked.resize(asked.size());
    const auto owners = owners_.latest();
    const std::vector<Question> questions = questions_to(*owners, asked, of_all);
    send(projection, questions, of_all, answer);
    Instant stored = Instant::max();
    for (std::size_t at = 0; at < asked.size(); ++at) {
        if (!answer.of_asked[at]) {
            stored = std::min(stored, (*owners)[asked[at].lane].stored);
        }
    }
    if (stored > Instant{} && stored < Instant::max()) {
        answer.stored = stored;
    }
    return answer;
}

/// One to each owner that can be asked.
std::vector<OwnerClient::Question> OwnerClient::questions_to(
    const LaneOwnerTable& owners,
    std::span<const projecting::LaneQuestion> asked,
    std::string_view of_all
) {
    std::map<std::string, Question> questions;
    for (std::size_t at = 0; at < asked.size(); ++at) {
        const LaneOwner& owner = owners[asked[at].lane];
        if (owner.address.empty()) {
            continue;
        }
        Question& question = questions[owner.address];
        question.address = owner.address;
        question.asked.push_back(
            {.lane = asked[at].lane, .generation = owner.generation, .bytes = asked[at].bytes}
        );
        question.places.push_back(at);
    }
    std::vector<Question> possible;
    for (auto& [address, question] : questions) {
        auto place = parse_address(address);
        if (place && place->port != 0 && !is_silent(address)) {
            question.host = std::move(place->address);
            question.port = place->port;
            question.asked.resize(asked_at_once(question.asked, of_all));
            possible.push_back(std::move(question));
        }
    }
    return possible;
}

void OwnerClient::send(
    std::string_view projection,
    const std::vector<Question>& questions,
    std::string_view of_all,
    projecting::LaneAnswers& answer
) {
    std::vector<Post> posts;
    for (const Question& each : questions) {
        Post post{.address = each.host, .port = each.port, .target = owner_path};
        post.body =
            written_question({.projection = projection, .of_all = of_all, .parts = each.asked});
        bytes_asked_.add(static_cast<double>(post.body.size()));
        post.headers.emplace_back(
            proof_header, make_proof(options_.secret, post.body, options_.clock->now())
        );
        posts.push_back(std::move(post));
    }
    if (posts.empty()) {
        return;
    }
    asked_.add(static_cast<double>(posts.size()));
    auto clients = take_clients();
    const auto responses = clients->send(posts, options_.patience);
    give_back(std::move(clients));
    bool all = true;
    for (std::size_t at = 0; at < questions.size(); ++at) {
        all = take_answer(questions[at], responses[at], answer) && all;
    }
    if (!all) {
        owners_.read_again();
    }
}

/// Answers whether all that was asked was told.
bool OwnerClient::take_answer(
    const Question& question,
    const Result<ClientResponse>& response,
    projecting::LaneAnswers& answer
) {
    if (!response) {
        const bool late = response.error().kind == ErrorKind::timed_out;
        (late ? timed_out_ : failed_).add();
        if (late) {
            note_silent(question.address);
        }
        log(LogLevel::debug, "an owner of lanes: {}", response.error().message);
        return false;
    }
    bytes_answered_.add(static_cast<double>(response->body.size()));
    Result<WireAnswer> parts =
        response->status == 200
            ? read_answer(response->body, question.asked.size())
            : fail(ErrorKind::unavailable, fmt::format("it answered {}", response->status));
    if (!parts) {
        failed_.add();
        log(LogLevel::warning, "owner {} of lanes: {}", question.address, parts.error().message);
        return false;
    }
    bool all = true;
    for (std::size_t at = 0; at < parts->size(); ++at) {
        all = all && (*parts)[at].has_value();
        answer.of_asked[question.places[at]] = std::move((*parts)[at]);
    }
    (all ? answered_ : refused_).add();
    return all;
}

std::unique_ptr<ClientSet> OwnerClient::take_clients() {
    const std::lock_guard lock{mutex_};
    if (clients_.empty()) {
        return std::make_unique<ClientSet>();
    }
    auto clients = std::move(clients_.back());
    clients_.pop_back();
    return clients;
}

void OwnerClient::give_back(std::unique_ptr<ClientSet> clients) {
    const std::lock_guard lock{mutex_};
    clients_.push_back(std::move(clients));
}

bool OwnerClient::is_silent(const std::string& address) {
    const std::lock_guard lock{mutex_};
    const auto silent = silent_until_.find(address);
    return silent != silent_until_.end() && std::chrono::steady_clock::now() < silent->second;
}

void OwnerClient::note_silent(const std::string& address) {
    const std::lock_guard lock{mutex_};
    if (silent_until_.size() >= silent_max) {
        silent_until_.clear();
    }
    silent_until_[address] = std::chrono::steady_clock::now() + silence;
}

}  // namespace footfall::owners
