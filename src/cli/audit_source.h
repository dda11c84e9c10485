#pragma once

#include "audit/sha256.h"
#include "cli/server_options.h"
#include "foundation/result.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::cli {

/// Where an audit log is that verbs look at: `--server URL`, `--data DIR`, or a file.
struct AuditPlace {
    ServerOptions server;
    std::string data;
    std::string file;  ///< Empty: one of the others.

    /// Adds the options to a verb; this must outlive the parsing.
    void add_to(CLI::App& verb, bool takes_file);
};

/// An audit log, wherever it is. For one thread.
class AuditSource {
public:
    AuditSource() = default;
    AuditSource(const AuditSource&) = delete;
    AuditSource& operator=(const AuditSource&) = delete;
    virtual ~AuditSource() = default;

    /// Opens it, and reads its head. Failures: there is none; it cannot be reached.
    static Result<std::unique_ptr<AuditSource>> open(const AuditPlace& place);

    /// Calls `take` with each entry's line, in their order: once.
    using Take = std::function<Result<void>(std::string_view line)>;
    virtual Result<void> for_each(const Take& take) = 0;

    /// The leaf of an entry as the tree beside the entries has it; absent: it has none.
    virtual std::optional<audit::Hash> tree_leaf(std::uint64_t entry) = 0;

    /// Hashes of proofs, in base64. `invalid_input` where there is nobody who makes them.
    virtual Result<std::vector<std::string>> inclusion(std::uint64_t entry, std::uint64_t size) = 0;
    virtual Result<std::vector<std::string>> consistency(std::uint64_t from, std::uint64_t to) = 0;

    /// Its newest head, and the key that it says it is signed by. Of a file they are there once all
    /// lines were read.
    const std::string& checkpoint() const { return checkpoint_; }

    const std::string& vkey() const { return vkey_; }

protected:
    std::string checkpoint_;
    std::string vkey_;
};

/// The line that ends an exported log.
std::string export_end(std::string_view checkpoint, std::string_view vkey);

}  // namespace footfall::cli
