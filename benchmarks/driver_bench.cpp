// What one statement costs this process in the driver alone (drivers/cql and the thread that takes
// its answers), with nothing of the store around it: prepared INSERTs and SELECTs of one row, so
// many in flight. Prints a line of JSON each. Needs a cluster: tools/cluster up --nodes 1.
#include "foundation/check.h"
#include "storage_cassandra/driver.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <future>
#include <string>
#include <string_view>
#include <sys/resource.h>

namespace {

using namespace footfall;
using namespace std::chrono_literals;
using storage_cassandra::Answer;
using storage_cassandra::Call;
using storage_cassandra::Driver;

template <class T>
T must(Result<T> result) {
    CHECK(result, "the cluster", result ? "" : result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

std::int64_t cpu_microseconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto of = [](const timeval& time) { return time.tv_sec * 1'000'000 + time.tv_usec; };
    return of(used.ru_utime) + of(used.ru_stime);
}

/// Executes one statement for the keys 0 to count - 1, so many at once: each answer sends the next,
/// so that only the driver's own threads have work.
class Run {
public:
    Run(Driver& driver, std::uint32_t statement, bool with_value, int count)
        : driver_{driver}, statement_{statement}, with_value_{with_value}, count_{count} {}

    void run(int in_flight) {
        for (int at = 0; at < in_flight; ++at) {
            send();
        }
        done_.get_future().get();
    }

private:
    void send() {
        const int key = next_++;
        if (key >= count_) {
            return;
        }
        const auto bytes =
            std::bit_cast<std::array<std::uint8_t, 8>>(std::byteswap(static_cast<std::int64_t>(key))
            );
        const std::array cells{
            cql_cell{.data = bytes.data(), .length = 8},
            cql_cell{
                .data = reinterpret_cast<const std::uint8_t*>(value_.data()),
                .length = static_cast<std::int32_t>(value_.size())
            }
        };
        const Call call{.statement = statement_, .cells = {cells.data(), with_value_ ? 2U : 1U}};
        must(driver_.execute({&call, 1}, 10s, {}, [this](const Answer& answer) {
            must(answer.outcome());
            CHECK(with_value_ || answer.rows() == 1, "a row is missing");
            if (++answered_ == count_) {
                done_.set_value();
            } else {
                send();
            }
        }));
    }

    Driver& driver_;
    const std::uint32_t statement_;
    const bool with_value_;
    const int count_;
    const std::string value_ = std::string(40, 't');
    std::atomic<int> next_ = 0;
    int answered_ = 0;  // by the thread of answers
    std::promise<void> done_;
};

void measure(
    Driver& driver,
    std::string_view what,
    std::uint32_t statement,
    bool with_value,
    int count,
    int in_flight
) {
    const std::int64_t cpu = cpu_microseconds();
    const auto start = std::chrono::steady_clock::now();
    Run{driver, statement, with_value, count}.run(in_flight);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    fmt::print(
        R"({{"what":"{}","in_flight":{},"statements":{},"cpu_us":{:.2f},"rate":{:.0f}}})"
        "\n",
        what,
        in_flight,
        count,
        static_cast<double>(cpu_microseconds() - cpu) / count,
        count / wall.count()
    );
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: driver_bench CONTACTS STATEMENTS\n");
        return 2;
    }
    const int count = std::stoi(argv[2]);
    const auto driver =
        must(Driver::make({.contacts = argv[1], .datacenter = "dc1", .keyspaces = "driver_bench"}));
    must(driver->connect(30s));
    must(driver->run(
        "CREATE KEYSPACE IF NOT EXISTS driver_bench WITH replication = {'class': "
        "'NetworkTopologyStrategy', 'dc1': 1}",
        30s
    ));
    must(driver->run(
        "CREATE TABLE IF NOT EXISTS driver_bench.row (key bigint PRIMARY KEY, value text)", 30s
    ));
    const auto level = storage::Consistency::local_quorum;
    const std::uint32_t insert = must(driver->prepare(
        "INSERT INTO driver_bench.row (key, value) VALUES (?, ?)",
        level,
        storage_cassandra::Use::write
    ));
    const std::uint32_t select = must(driver->prepare(
        "SELECT value FROM driver_bench.row WHERE key = ?", level, storage_cassandra::Use::read
    ));
    Run{*driver, insert, true, count}.run(64
    );  // connections, caches and the node's compiler are warm
    for (const int in_flight : {1, 16, 128}) {
        const int statements = in_flight == 1 ? count / 8 : count;
        measure(*driver, "INSERT", insert, true, statements, in_flight);
        measure(*driver, "SELECT", select, false, statements, in_flight);
    }
    driver->close();
    return 0;
}
