#include "test_support/seal_load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace footfall::test_support {

using http_server::Method;

void SealLoad::seal_next() {
    wanted_ = std::min(wanted_ + 1, months_.size());
}

bool SealLoad::step(http_server::Client& client, Random& random) {
    if (is_sealing()) {
        return said_ ? keep_statements(client) : seal(client);
    }
    if (statements_.empty()) {
        return client.send(Method::get, "/api/v1/ledger/months").has_value();
    }
    const auto drawn =
        std::next(statements_.begin(), static_cast<long>(random.below(statements_.size())));
    const auto answer = client.send(Method::get, drawn->first);
    if (answer && answer->status != 503 && answer->body != drawn->second) {
        complaints_.push_back(
            fmt::format("{} was {} and is {}", drawn->first, drawn->second, answer->body)
        );
    }
    return answer.has_value();
}

bool SealLoad::seal(http_server::Client& client) {
    const auto answer = client.send(
        Method::put,
        "/api/v1/ledger/months/" + months_[sealed_],
        R"({"state":"sealed","reason":"over"})",
        {{"Content-Type", "application/json"}}
    );
    if (!answer) {
        return false;
    }
    said_ = answer->status == 200 || answer->status == 201;
    if (!said_ && answer->status != 503) {
        complaints_.push_back(fmt::format("a seal: {} {}", answer->status, answer->body));
    }
    return true;
}

/// Once it is sealed, and no sooner.
bool SealLoad::keep_statements(http_server::Client& client) {
    const std::string& month = months_[sealed_];
    const auto state = client.send(Method::get, "/api/v1/ledger/months");
    if (!state) {
        return false;
    }
    if (!state->body.contains(fmt::format(R"("month":"{}","state":"sealed")", month))) {
        return true;
    }
    std::map<std::string, std::string> statements;
    for (const std::string& party : parties_) {
        const std::string path = fmt::format("{}/statements/{}", party, month);
        const auto answer = client.send(Method::get, path);
        if (!answer) {
            return false;
        }
        if (answer->status == 503) {
            return true;
        }
        if (answer->status == 200) {  // 404: nobody has heard of it yet
            statements.emplace(path, answer->body);
        }
    }
    statements_.merge(statements);
    said_ = false;
    ++sealed_;
    return true;
}

void SealLoad::check(Api& api) const {
    for (const auto& [path, statement] : statements_) {
        EXPECT_EQ(api.send(Method::get, path).body, statement) << path;
    }
}

}  // namespace footfall::test_support
