#pragma once

#include "foundation/check.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "identities/fact.h"
#include "identities/sid.h"
#include "storage_cassandra/driver.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

/// What the matching service did that identities replace, and the matches that both are given.
namespace footfall::benchmarks {

using namespace std::chrono_literals;
using identities::Id;
using storage_cassandra::Answer;
using storage_cassandra::Call;
using storage_cassandra::Driver;

constexpr SipKey secret{3, 4};

template <class T>
T must(Result<T> result) {
    CHECK(result.has_value(), "the benchmark cannot go on", result.error().message);
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

inline Id id_of(const char* network, std::size_t number) {
    return {
        .identifier = network, .id_name = "id", .id_value = fmt::format("{}{:09}", network, number)
    };
}

/// Match n names customer n / 2 of the shop, and a visitor of his own: the second one of each
/// customer meets an id that is known.
inline std::vector<Id> ids_of_match(std::size_t number) {
    return {id_of("shop", number / 2), id_of("www", number)};
}

/// A cell of a length that is nobody's to free.
inline cql_cell cell_of(std::string_view bytes) {
    return {
        .data = reinterpret_cast<const std::uint8_t*>(bytes.data()),
        .length = static_cast<std::int32_t>(bytes.size())
    };
}

inline std::string big_endian(std::uint32_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(number >> shift);
    }
    return bytes;
}

/// A map of one text to a text, as the protocol has it.
inline std::string map_of(std::string_view key, std::string_view value) {
    return big_endian(1) + big_endian(static_cast<std::uint32_t>(key.size())) + std::string{key} +
           big_endian(static_cast<std::uint32_t>(value.size())) + std::string{value};
}

/// Two tables, and the sid of whichever id is known; no facts, nothing that follows from them, no
/// answer to two who write at once. A match is a read of the index, of both ids at once, and three
/// writes at once: the data of the new id's network and both rows of the index.
class Original {
public:
    Original(Driver& driver, const std::string& keyspace) : driver_{&driver} {
        const std::string data = keyspace + ".signal_data";
        const std::string index = keyspace + ".signal_index";
        must(driver.run(
            fmt::format(
                "CREATE TABLE IF NOT EXISTS {} (sid text, identifier text, ids map<text, text>, "
                "PRIMARY KEY (sid, identifier))",
                data
            ),
            60s
        ));
        must(driver.run(
            fmt::format(
                "CREATE TABLE IF NOT EXISTS {} (identifier text, \"partition\" int, id_name text, "
                "id_value text, sid text, PRIMARY KEY ((identifier, \"partition\"), id_name, "
                "id_value))",
                index
            ),
            60s
        ));
        const auto prepared = [&](const std::string& text, storage_cassandra::Use use) {
            return must(driver.prepare(text, storage::Consistency::local_quorum, use));
        };
        read_ = prepared(
            fmt::format(
                "SELECT sid FROM {} WHERE identifier = ? AND \"partition\" = ? AND id_name = ? AND "
                "id_value = ?",
                index
            ),
            storage_cassandra::Use::read
        );
        write_index_ = prepared(
            fmt::format(
                "INSERT INTO {} (identifier, \"partition\", id_name, id_value, sid) VALUES (?, ?, "
                "?, ?, ?)",
                index
            ),
            storage_cassandra::Use::write
        );
        write_data_ = prepared(
            fmt::format("UPDATE {} SET ids = ids + ? WHERE sid = ? AND identifier = ?", data),
            storage_cassandra::Use::write
        );
    }

    /// So many threads at once, each with a share of them: the two of a customer are one thread's.
    void match(std::size_t first, std::size_t count, std::size_t at_once) {
        std::vector<std::jthread> threads;
        for (std::size_t thread = 0; thread < at_once; ++thread) {
            threads.emplace_back([=, this] {
                for (std::size_t pair = first / 2 + thread; pair < (first + count) / 2;
                     pair += at_once) {
                    match(2 * pair);
                    match(2 * pair + 1);
                }
            });
        }
    }

    void match(std::size_t number) {
        const std::vector<Id> ids = ids_of_match(number);
        std::string sid;
        each_at_once(
            ids.size(),
            [&](std::size_t at, auto done) { read(ids[at], std::move(done)); },
            [&](const Answer& answer) {
                if (answer.rows() > 0) {
                    sid = answer.text(0, 0);
                }
            }
        );
        if (sid.empty()) {
            sid = identities::sid_of(secret, ids.front());
        }
        each_at_once(
            ids.size() + 1,
            [&](std::size_t at, auto done) {
                at < ids.size() ? write_index(ids[at], sid, std::move(done))
                                : write_data(ids.back(), sid, std::move(done));
            },
            [](const Answer&) {}
        );
    }

    std::string sid(const Id& id) {
        std::string found;
        each_at_once(
            1,
            [&](std::size_t, auto done) { read(id, std::move(done)); },
            [&](const Answer& answer) { found = answer.rows() > 0 ? answer.text(0, 0) : ""; }
        );
        return found;
    }

private:
    using Done = storage_cassandra::AnswerDone;

    /// Waits until all are answered; `take` is called by one thread.
    template <class Ask, class Take>
    void each_at_once(std::size_t count, const Ask& ask, const Take& take) {
        std::latch left{static_cast<std::ptrdiff_t>(count)};
        for (std::size_t at = 0; at < count; ++at) {
            ask(at, Done{[&](const Answer& answer) {
                    must(answer.outcome());
                    take(answer);
                    left.count_down();
                }});
        }
        left.wait();
    }

    void execute(std::uint32_t statement, std::span<const cql_cell> cells, Done done) {
        const Call call{.statement = statement, .cells = cells};
        must(driver_->execute({&call, 1}, 10s, {}, std::move(done)));
    }

    static std::string partition_of(const Id& id) {
        return big_endian(
            static_cast<std::uint32_t>(siphash13(secret, id.id_name + id.id_value) % 256)
        );
    }

    void read(const Id& id, Done done) {
        const std::string partition = partition_of(id);
        const std::array cells{
            cell_of(id.identifier), cell_of(partition), cell_of(id.id_name), cell_of(id.id_value)
        };
        execute(read_, cells, std::move(done));
    }

    void write_index(const Id& id, const std::string& sid, Done done) {
        const std::string partition = partition_of(id);
        const std::array cells{
            cell_of(id.identifier),
            cell_of(partition),
            cell_of(id.id_name),
            cell_of(id.id_value),
            cell_of(sid)
        };
        execute(write_index_, cells, std::move(done));
    }

    void write_data(const Id& id, const std::string& sid, Done done) {
        const std::string map = map_of(id.id_name, id.id_value);
        const std::array cells{cell_of(map), cell_of(sid), cell_of(id.identifier)};
        execute(write_data_, cells, std::move(done));
    }

    Driver* driver_;
    std::uint32_t read_ = 0;
    std::uint32_t write_index_ = 0;
    std::uint32_t write_data_ = 0;
};

}  // namespace footfall::benchmarks
