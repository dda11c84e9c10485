#include "filler.h"

#include "test_support/eventually.h"
#include "test_support/must.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

namespace footfall::scale {

using namespace std::chrono_literals;
using test_support::give_up;

void Filler::run() {
    begin_ = std::chrono::steady_clock::now();
    std::vector<std::future<void>> connections;
    connections.reserve(options_.connections);
    for (std::size_t number = 0; number < options_.connections; ++number) {
        connections.push_back(std::async(std::launch::async, [this] { run_connection(); }));
    }
    for (std::future<void>& connection : connections) {
        connection.get();
    }
}

void Filler::run_connection() {
    http_server::Client client{{.host = "127.0.0.1", .port = options_.port}};
    for (;;) {
        const std::uint64_t first = next_.fetch_add(options_.things_a_batch);
        if (first >= options_.things) {
            return;
        }
        const std::uint64_t before = std::min(first + options_.things_a_batch, options_.things);
        const std::string lines = options_.lines(first, before);
        const auto count = static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
        wait_until_due(first);
        post(client, lines, count);
        done_ += before - first;
        lines_ += count;
    }
}

void Filler::wait_until_due(std::uint64_t first) const {
    if (options_.rate) {
        const std::chrono::duration<double> after{static_cast<double>(first) / *options_.rate};
        const auto due = begin_ + std::chrono::duration_cast<std::chrono::nanoseconds>(after);
        std::this_thread::sleep_until(due);  // tidy-allow(sleep): a rate is kept by the clock
    }
}

void Filler::post(http_server::Client& client, const std::string& lines, std::uint64_t count) {
    const std::string wanted = fmt::format("{{\"accepted\":{},\"rejected\":[]}}\n", count);
    const bool taken = test_support::eventually(
        [&] {
            const auto answer =
                test_support::must(client.send(http_server::Method::post, "/api/v1/counter", lines)
                );
            if (answer.status != 503 && answer.body != wanted) {
                give_up(fmt::format("a batch was answered {} {}", answer.status, answer.body));
            }
            refused_ += answer.status == 503 ? 1 : 0;
            return answer.status == 200;
        },
        5min,
        50ms
    );
    if (!taken) {
        give_up("the server was full for five minutes");
    }
}

}  // namespace footfall::scale
