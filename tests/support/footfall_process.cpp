#include "test_support/footfall_process.h"

#include "foundation/parse_number.h"
#include "test_support/eventually.h"
#include "test_support/must.h"
#include "test_support/own_port.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>

namespace footfall::test_support {
namespace {

/// A start that has much to read again, on a machine that does other things.
constexpr std::chrono::seconds start_patience{120};
/// It is ready once it has read what came before: on a cluster that took load and was killed, for
/// as long as its store takes for that.
constexpr std::chrono::minutes ready_patience{3};

constexpr std::string_view address = "http://127.0.0.1:";

/// The port of the line "... http://127.0.0.1:PORT/ ...", once that is said.
std::optional<std::uint16_t> announced_port(const std::string& output) {
    const std::size_t start = output.find(address);
    const std::size_t end = start == std::string::npos ? start : output.find('/', start + 7);
    if (end == std::string::npos) {
        return std::nullopt;
    }
    const std::size_t digits = start + address.size();
    const auto port = parse_unsigned(std::string_view{output}.substr(digits, end - digits));
    return port ? std::optional{static_cast<std::uint16_t>(*port)} : std::nullopt;
}

}  // namespace

FootfallProcess::FootfallProcess(
    std::string data, std::vector<std::string> flags, std::uint16_t port
)
    : data_{std::move(data)}, flags_{std::move(flags)}, port_{port == 0 ? own_port() : port} {
    start();
}

std::string FootfallProcess::url() const {
    return fmt::format("{}{}", address, port_);
}

http_server::Client FootfallProcess::client(std::chrono::seconds timeout) const {
    return http_server::Client{{.host = "127.0.0.1", .port = port_}, timeout};
}

void FootfallProcess::kill() {
    process_->send_signal(SIGKILL);
    process_->wait(std::chrono::seconds{20});
}

int FootfallProcess::stop(std::chrono::milliseconds patience) {
    process_->send_signal(SIGTERM);
    return process_->wait(patience).exit_code;
}

void FootfallProcess::restart(std::vector<std::string> flags) {
    flags_ = std::move(flags);
    restart();
}

void FootfallProcess::restart() {
    if (process_->running()) {
        give_up("the server still runs");
    }
    start();
}

std::vector<std::string> FootfallProcess::words(
    const std::string& data, const std::vector<std::string>& flags, std::uint16_t port
) {
    std::vector<std::string> words{"serve", "--listen", fmt::format("127.0.0.1:{}", port)};
    const std::vector<std::string> store = store_words(data);
    words.insert(words.end(), store.begin(), store.end());
    words.insert(words.end(), flags.begin(), flags.end());
    if (std::ranges::find(flags, "--metrics-own") == flags.end()) {
        // What the server says of itself would stand among what tests count, every ten seconds.
        words.insert(words.end(), {"--metrics-own", "off"});
    }
    if (log_is_kafka() && std::ranges::find(flags, "--instance") == flags.end()) {
        // With a name it takes its lanes up again at once after it was killed.
        words.insert(words.end(), {"--instance", "test"});
    }
    return words;
}

ChildProcess FootfallProcess::launch(
    const std::string& data, const std::vector<std::string>& flags, std::uint16_t port
) {
    return ChildProcess{footfall_command(words(data, flags, port))};
}

void FootfallProcess::start() {
    process_ = std::make_unique<ChildProcess>(launch(data_, flags_, port_));
    std::optional<std::uint16_t> port;
    const bool said = eventually(
        [&] {
            port = announced_port(process_->output());
            return port.has_value() || !process_->running();
        },
        start_patience
    );
    if (!said || !port) {
        give_up("the server did not start: " + process_->output() + process_->errors());
    }
    port_ = *port;
    http_server::Client asker = client();
    const bool ready = eventually(
        [&] {
            const auto answer = asker.send(http_server::Method::get, "/healthz/ready");
            return !process_->running() || (answer && answer->status == 200);
        },
        ready_patience
    );
    if (!ready || !process_->running()) {
        give_up("the server is not ready: " + process_->errors());
    }
}

}  // namespace footfall::test_support
