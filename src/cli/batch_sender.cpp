#include "cli/batch_sender.h"

#include "cli/server_options.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <utility>

namespace footfall::cli {
namespace {

using http_server::ClientResponse;

struct RejectedLine {
    std::size_t line;
    std::string detail;
};

struct BatchAnswer {
    std::uint64_t accepted = 0;
    std::uint64_t duplicates = 0;
    std::vector<RejectedLine> rejected = {};
};

std::optional<std::uint64_t> number_in(const boost::json::object& object, std::string_view name) {
    const boost::json::value* value = object.if_contains({name.data(), name.size()});
    boost::json::error_code error;
    const auto number = value == nullptr ? 0 : value->to_number<std::uint64_t>(error);
    return value == nullptr || error ? std::nullopt : std::optional{number};
}

/// Absent when it is not the answer to a batch.
std::optional<BatchAnswer> read_answer(std::string_view body) {
    boost::json::error_code error;
    const boost::json::value document = boost::json::parse({body.data(), body.size()}, error);
    const boost::json::object* object = error ? nullptr : document.if_object();
    if (object == nullptr) {
        return std::nullopt;
    }
    const auto accepted = number_in(*object, "accepted");
    const boost::json::value* rejected = object->if_contains("rejected");
    if (!accepted || rejected == nullptr || !rejected->is_array()) {
        return std::nullopt;
    }
    BatchAnswer answer{
        .accepted = *accepted, .duplicates = number_in(*object, "duplicates").value_or(0)
    };
    for (const boost::json::value& each : rejected->get_array()) {
        const boost::json::object* one = each.if_object();
        const boost::json::value* detail = one == nullptr ? nullptr : one->if_contains("detail");
        const auto line = one == nullptr ? std::nullopt : number_in(*one, "line");
        if (!line || detail == nullptr || !detail->is_string()) {
            return std::nullopt;
        }
        answer.rejected.push_back({.line = *line, .detail = std::string{detail->get_string()}});
    }
    return answer;
}

}  // namespace

BatchSender::BatchSender(
    http_server::ServerUrl server,
    std::string target,
    RejectLine reject,
    Pause pause,
    http_server::Method method
)
    : client_{std::move(server), std::move(pause)},
      method_{method},
      target_{std::move(target)},
      reject_{std::move(reject)} {}

Result<void> BatchSender::end_line(std::uint64_t source_line) {
    body_ += '\n';
    source_lines_.push_back(source_line);
    return source_lines_.size() >= lines_max || body_.size() >= bytes_max ? send() : Result<void>{};
}

Result<void> BatchSender::finish() {
    return source_lines_.empty() ? Result<void>{} : send();
}

Result<void> BatchSender::send() {
    TRY(const ClientResponse response,
        client_.send(method_, target_, body_, {{"Content-Type", "application/x-ndjson"}}));
    if (response.status != 200) {
        return std::unexpected(refusal_of(response));
    }
    TRY_VOID(take_answer(response.body));
    body_.clear();
    source_lines_.clear();
    return {};
}

Result<void> BatchSender::take_answer(std::string_view body) {
    const std::optional<BatchAnswer> answer = read_answer(body);
    if (!answer) {
        return fail(
            ErrorKind::unavailable, "the server's answer is not the one of a footfall server"
        );
    }
    accepted_ += answer->accepted;
    duplicates_ += answer->duplicates;
    for (const RejectedLine& each : answer->rejected) {
        const bool known = each.line >= 1 && each.line <= source_lines_.size();
        reject_(known ? source_lines_[each.line - 1] : 0, each.detail);
    }
    return {};
}

}  // namespace footfall::cli
