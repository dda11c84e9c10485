#include "client_load.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace footfall::crash {
namespace {

using http_server::Method;

constexpr int batch_tokens_max = 30;

/// About a bell curve over all objects: the mean of six uniform draws.
std::size_t draw_object(Random& random) {
    double sum = 0;
    for (int draw = 0; draw < 6; ++draw) {
        sum += random.fraction();
    }
    return static_cast<std::size_t>(sum / 6 * static_cast<double>(object_count));
}

}  // namespace

std::string object_name(std::size_t object) {
    return fmt::format("object-{}", object);
}

void ClientLoad::run(const test_support::FootfallProcess& server) {
    http_server::Client client = server.client(std::chrono::seconds{20});
    while (random_.below(20) == 0 ? put_batch(client) : put_one(client)) {
    }
}

/// Every tenth PUT repeats a token, acknowledged or not.
std::size_t ClientLoad::any_token() {
    return !tokens_.empty() && random_.below(10) == 0 ? random_.below(tokens_.size()) : new_token();
}

std::size_t ClientLoad::new_token() {
    tokens_.push_back({.object = draw_object(random_), .acknowledged = false});
    return tokens_.size() - 1;
}

/// Answers false when the server is gone.
bool ClientLoad::put_one(http_server::Client& client) {
    const std::size_t token = any_token();
    const std::size_t object = tokens_[token].object;
    ++puts_sent_;
    const auto answer =
        client.send(Method::put, "/api/v1/counter/" + object_name(object), text_of(token));
    if (!answer) {
        return false;
    }
    if (refused(*answer)) {
        return true;
    }
    acknowledge(token);
    const std::string_view body = answer->body;
    const auto count = parse_unsigned(body.substr(0, body.find('\n')));
    if (answer->status != 200 || !count || *count < acknowledged_[object]) {
        complaints_.push_back(fmt::format(
            "{} answered {} \"{}\" after {} tokens of client {}",
            object_name(object),
            answer->status,
            body,
            acknowledged_[object],
            number_
        ));
    }
    return true;
}

bool ClientLoad::put_batch(http_server::Client& client) {
    std::vector<std::size_t> tokens(1 + random_.below(batch_tokens_max));
    std::string lines;
    for (std::size_t& token : tokens) {
        token = any_token();
        lines += line_of(token);
    }
    puts_sent_ += tokens.size();
    const auto answer = client.send(Method::post, "/api/v1/counter", lines);
    if (!answer) {
        return false;
    }
    if (refused(*answer)) {
        return true;
    }
    std::ranges::for_each(tokens, [this](std::size_t token) { acknowledge(token); });
    const std::string wanted = fmt::format("{{\"accepted\":{},\"rejected\":[]}}\n", tokens.size());
    if (answer->status != 200 || answer->body != wanted) {
        complaints_.push_back(fmt::format(
            "a batch of {} was answered {} {}", tokens.size(), answer->status, answer->body
        ));
    }
    return true;
}

/// A server that is full says so, and nothing was promised.
bool ClientLoad::refused(const http_server::ClientResponse& answer) {
    refusals_ += answer.status == 503 ? 1 : 0;
    return answer.status == 503;
}

void ClientLoad::acknowledge(std::size_t token) {
    ++puts_acknowledged_;
    if (!std::exchange(tokens_[token].acknowledged, true)) {
        ++acknowledged_[tokens_[token].object];
    }
}

void ClientLoad::add_attempted(PerObject& sums) const {
    for (const Token& token : tokens_) {
        ++sums[token.object];
    }
}

void ClientLoad::add_acknowledged(PerObject& sums) const {
    for (std::size_t object = 0; object < object_count; ++object) {
        sums[object] += acknowledged_[object];
    }
}

void ClientLoad::append_acknowledged(std::vector<std::string>& lines) const {
    for (std::size_t token = 0; token < tokens_.size(); ++token) {
        if (tokens_[token].acknowledged) {
            lines.push_back(line_of(token));
        }
    }
}

void ClientLoad::append_attempted(std::vector<std::string>& lines) const {
    for (std::size_t token = 0; token < tokens_.size(); ++token) {
        lines.push_back(line_of(token));
    }
}

std::string ClientLoad::text_of(std::size_t token) const {
    return fmt::format("client-{}-token-{}", number_, token);
}

std::string ClientLoad::line_of(std::size_t token) const {
    return fmt::format(
        "{{\"object\":\"{}\",\"token\":\"{}\"}}\n",
        object_name(tokens_[token].object),
        text_of(token)
    );
}

}  // namespace footfall::crash
