#include "cli/audit_source.h"

#include "audit/rows.h"
#include "cli/patient_client.h"
#include "deployment/deployment.h"
#include "foundation/json_string.h"
#include "jobs/list.h"

#include <CLI/Option.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <utility>

namespace footfall::cli {
namespace {

using http_server::Method;

constexpr std::size_t entries_a_page = 1000;
constexpr std::uint64_t leaves_a_tile = 256;
/// No entry of ours has a longer line.
constexpr std::size_t line_bytes_max = 256 << 10;

std::unexpected<Error> not_ours(std::string_view whose) {
    return fail(
        ErrorKind::unavailable, fmt::format("{} is not the one of a footfall server", whose)
    );
}

std::string_view next_line_of(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// A text member of a JSON object; empty: there is none.
std::string member_of(const boost::json::object& object, std::string_view name) {
    const boost::json::value* const value = object.if_contains({name.data(), name.size()});
    return value != nullptr && value->is_string() ? std::string{value->get_string()}
                                                  : std::string{};
}

class ServerAudit final : public AuditSource {
public:
    static Result<std::unique_ptr<AuditSource>> open(const ServerOptions& options) {
        TRY(http_server::ServerUrl url, options.address());
        std::unique_ptr<ServerAudit> opened{new ServerAudit{std::move(url)}};
        TRY(opened->checkpoint_, opened->get("/head"));
        TRY(std::string key, opened->get("/key"));
        opened->vkey_ = key.substr(0, key.find('\n'));
        return opened;
    }

    /// Of what the head has: more may come meanwhile.
    Result<void> for_each(const Take& take) override {
        TRY(const audit::Checkpoint head, audit::read_checkpoint(checkpoint_));
        std::uint64_t read = 0;
        while (read < head.head.size) {
            const std::uint64_t wanted =
                std::min<std::uint64_t>(entries_a_page, head.head.size - read);
            const std::string after = read == 0 ? "" : fmt::format("&after={}", read - 1);
            TRY(const std::string page,
                get(fmt::format("?limit={}{}", wanted, after), "application/x-ndjson"));
            std::uint64_t lines = 0;
            for (std::string_view left{page}; !left.empty(); ++lines) {
                TRY_VOID(take(next_line_of(left)));
            }
            read += lines;
            if (lines < wanted) {
                break;
            }
        }
        return {};
    }

    std::optional<audit::Hash> tree_leaf(std::uint64_t entry) override {
        const std::uint64_t tile = entry / leaves_a_tile;
        if (tile != tile_) {
            tile_ = tile;
            leaves_ = read_tile(tile);
        }
        const std::size_t at = static_cast<std::size_t>(entry % leaves_a_tile) * 32;
        const auto hash =
            audit::hash_from(std::string_view{leaves_}.substr(std::min(at, leaves_.size()), 32));
        return hash ? std::optional{*hash} : std::nullopt;
    }

    Result<std::vector<std::string>> inclusion(std::uint64_t entry, std::uint64_t size) override {
        return hashes(fmt::format("/inclusion?entry={}&size={}", entry, size));
    }

    Result<std::vector<std::string>> consistency(std::uint64_t from, std::uint64_t to) override {
        return hashes(fmt::format("/consistency?from={}&to={}", from, to));
    }

private:
    explicit ServerAudit(http_server::ServerUrl url) : client_{std::move(url)} {}

    Result<std::string> get(const std::string& rest, const char* accept = "*/*") {
        TRY(http_server::ClientResponse response,
            client_.send(Method::get, "/api/v1/audit" + rest, {}, {{"Accept", accept}}));
        if (response.status >= 300) {
            return std::unexpected(refusal_of(response));
        }
        return std::move(response.body);
    }

    /// As many hashes as the head has of it; none of a tile that is beyond it.
    std::string read_tile(std::uint64_t tile) {
        const auto head = audit::read_checkpoint(checkpoint_);
        if (!head || tile > head->head.size / leaves_a_tile) {
            return "";
        }
        const std::uint64_t width = std::min(leaves_a_tile, head->head.size - tile * leaves_a_tile);
        std::string path = fmt::format("{:03}", tile % 1000);
        for (std::uint64_t above = tile / 1000; above > 0; above /= 1000) {
            path = fmt::format("x{:03}/{}", above % 1000, path);
        }
        if (width < leaves_a_tile) {
            path += fmt::format(".p/{}", width);
        }
        return get("/tile/0/" + path).value_or("");
    }

    Result<std::vector<std::string>> hashes(const std::string& rest) {
        TRY(const std::string json, get(rest));
        boost::json::error_code error;
        const boost::json::value document = boost::json::parse(json, error);
        const auto* const object = error ? nullptr : document.if_object();
        const auto* const found = object == nullptr ? nullptr : object->if_contains("hashes");
        const auto* const list = found == nullptr ? nullptr : found->if_array();
        if (list == nullptr) {
            return not_ours("the answer");
        }
        std::vector<std::string> texts;
        for (const boost::json::value& each : *list) {
            texts.emplace_back(each.is_string() ? std::string{each.get_string()} : "");
        }
        return texts;
    }

    PatientClient client_;
    std::uint64_t tile_ = std::numeric_limits<std::uint64_t>::max();
    std::string leaves_;  ///< Of that tile.
};

class DirectoryAudit final : public AuditSource {
public:
    static Result<std::unique_ptr<AuditSource>> open(const std::string& path) {
        std::unique_ptr<DirectoryAudit> opened{new DirectoryAudit};
        deployment::DeploymentOptions options{
            .place = deployment::DirectoryPlace{.path = path, .create = false},
            .events = false,
            .jobs = jobs::all(),
            .open_jobs = false
        };
        TRY(opened->directory_,
            deployment::Deployment::open(std::move(options), opened->clock_, opened->metrics_));
        TRY(const audit::SignedHead head, opened->log().head());
        opened->checkpoint_ = head.checkpoint;
        opened->vkey_ = opened->log().verifier().vkey();
        return opened;
    }

    /// As rows stand there, those behind the head too.
    Result<void> for_each(const Take& take) override {
        TRY(const audit::Checkpoint head, audit::read_checkpoint(checkpoint_));
        std::uint64_t next = 0;
        while (true) {
            TRY(const auto entries,
                audit::read_entries(directory_->store(), log().name(), next, entries_a_page));
            for (const audit::StoredEntry& each : entries) {
                TRY_VOID(take(audit::entry_line(audit::entry_bytes(each.entry), each.leaf)));
            }
            if (!entries.empty()) {
                next = entries.back().entry.number + 1;
            } else if (next < head.head.size) {
                next = (next / leaves_a_tile + 1) * leaves_a_tile;  // a chunk is gone
            } else {
                return {};
            }
        }
    }

    std::optional<audit::Hash> tree_leaf(std::uint64_t entry) override {
        const std::uint64_t tile = entry / leaves_a_tile;
        if (tile != tile_) {
            tile_ = tile;
            leaves_ = audit::read_tile(directory_->store(), log().name(), 0, tile)
                          .value_or(std::vector<std::pair<std::uint64_t, audit::Hash>>{});
        }
        const auto found = std::ranges::find(
            leaves_, entry % leaves_a_tile, &std::pair<std::uint64_t, audit::Hash>::first
        );
        return found == leaves_.end() ? std::nullopt : std::optional{found->second};
    }

    Result<std::vector<std::string>> inclusion(std::uint64_t entry, std::uint64_t size) override {
        return texts(log().inclusion(entry, size));
    }

    Result<std::vector<std::string>> consistency(std::uint64_t from, std::uint64_t to) override {
        return texts(log().consistency(from, to));
    }

private:
    DirectoryAudit() = default;

    audit::Log& log() { return directory_->audit(); }

    static Result<std::vector<std::string>> texts(const Result<std::vector<audit::Hash>>& hashes) {
        if (!hashes) {
            return std::unexpected(hashes.error());
        }
        std::vector<std::string> texts;
        for (const audit::Hash& each : *hashes) {
            texts.push_back(audit::base64_of(each));
        }
        return texts;
    }

    SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<deployment::Deployment> directory_;
    std::uint64_t tile_ = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::pair<std::uint64_t, audit::Hash>> leaves_;
};

class FileAudit final : public AuditSource {
public:
    static Result<std::unique_ptr<AuditSource>> open(const std::string& path) {
        std::unique_ptr<FileAudit> opened{new FileAudit};
        opened->file_.open(path);
        if (!opened->file_) {
            return fail(ErrorKind::not_found, fmt::format("{} cannot be read", path));
        }
        return opened;
    }

    Result<void> for_each(const Take& take) override {
        std::string line;
        while (std::getline(file_, line)) {
            if (line.size() > line_bytes_max) {
                return fail(ErrorKind::corrupt, "a line is too long for an exported audit log");
            }
            if (line.starts_with(R"({"checkpoint":)")) {
                read_end(line);
            } else if (!line.empty()) {
                TRY_VOID(take(line));
            }
        }
        return {};
    }

    std::optional<audit::Hash> tree_leaf(std::uint64_t /*entry*/) override { return std::nullopt; }

    Result<std::vector<std::string>> inclusion(std::uint64_t, std::uint64_t) override {
        return no_proofs();
    }

    Result<std::vector<std::string>> consistency(std::uint64_t, std::uint64_t) override {
        return no_proofs();
    }

private:
    FileAudit() = default;

    static std::unexpected<Error> no_proofs() {
        return fail(ErrorKind::invalid_input, "proofs are made with --server or --data");
    }

    void read_end(const std::string& line) {
        boost::json::error_code error;
        const boost::json::value document = boost::json::parse(line, error);
        if (const auto* const object = error ? nullptr : document.if_object()) {
            checkpoint_ = member_of(*object, "checkpoint");
            vkey_ = member_of(*object, "vkey");
        }
    }

    std::ifstream file_;
};

}  // namespace

void AuditPlace::add_to(CLI::App& verb, bool takes_file) {
    CLI::Option* const at_server = server.add_to(verb);
    CLI::Option* const in_directory =
        verb.add_option("--data", data, "A data directory that no server has open")
            ->type_name("DIR");
    at_server->excludes(in_directory);
    if (takes_file) {
        verb.add_option("file", file, "A log that was exported")
            ->type_name("FILE")
            ->excludes(at_server)
            ->excludes(in_directory);
    }
}

Result<std::unique_ptr<AuditSource>> AuditSource::open(const AuditPlace& place) {
    if (!place.file.empty()) {
        return FileAudit::open(place.file);
    }
    return place.data.empty() ? ServerAudit::open(place.server) : DirectoryAudit::open(place.data);
}

std::string export_end(std::string_view checkpoint, std::string_view vkey) {
    return fmt::format(
        R"({{"checkpoint":{},"vkey":{}}})", json_string(checkpoint), json_string(vkey)
    );
}

}  // namespace footfall::cli
