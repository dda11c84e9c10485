#pragma once

#include "storage/store.h"
#include "storage_cassandra/driver.h"
#include "storage_cassandra/keyspaces.h"
#include "storage_cassandra/request_gate.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace footfall::storage_cassandra {

/// Reads whole tables, in the order of the cluster's tokens. A page goes on behind the key of the
/// last row answered: first the rest of its partition, then others of the same token (names can be
/// made to collide, and names are what outsiders choose), then greater tokens. So a continuation is
/// a key, and outlives the process.
///
/// Read by LOCAL_QUORUM whatever the table says: what is moved or checked must not miss what was
/// acknowledged. Costs up to three requests a page. Thread-safe; answers as Reader.
class Scanner {
public:
    struct Options {
        Keyspaces keyspaces;
        std::size_t in_flight = 16;                  ///< Pages that are being read.
        std::chrono::milliseconds deadline{30'000};  ///< For all attempts of one request.
        std::chrono::milliseconds speculate{2'000};  ///< Then a second node is asked; 0: never.
    };

    /// Does not pass the gate of reads, for pages of scans take long whatever the load; but asks
    /// nothing twice while reads queue. Both must outlive this.
    Scanner(Options options, Driver& driver, const RequestGate& reads);
    Scanner(const Scanner&) = delete;
    Scanner& operator=(const Scanner&) = delete;
    ~Scanner() = default;

    void scan(storage::ScanQuery query, storage::PageDone done);

private:
    struct Scan;
    using Then = void (Scanner::*)(const std::shared_ptr<Scan>&, const Answer&);

    void ask_slice(const std::shared_ptr<Scan>& scan);
    void take_slice(const std::shared_ptr<Scan>& scan, const Answer& answer);
    void ask_same_token(const std::shared_ptr<Scan>& scan);
    void take_same_token(const std::shared_ptr<Scan>& scan, const Answer& answer);
    void ask_greater_tokens(const std::shared_ptr<Scan>& scan);
    void take_greater_tokens(const std::shared_ptr<Scan>& scan, const Answer& answer);
    void ask(const std::shared_ptr<Scan>& scan, const std::string& cql, Then then);
    void ask_prepared(const std::shared_ptr<Scan>& scan, std::uint32_t statement, Then then);
    void end(const std::shared_ptr<Scan>& scan, Result<storage::Page> page);

    const Options options_;
    Driver& driver_;
    const RequestGate& reads_;
    std::atomic<std::size_t> in_flight_ = 0;
    std::mutex mutex_;
    std::map<std::string, std::uint32_t, std::less<>> prepared_;  // guarded by mutex_
};

}  // namespace footfall::storage_cassandra
