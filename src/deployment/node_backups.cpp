#include "deployment/node_backups.h"

#include "backup/place.h"
#include "backup/restore.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace footfall::deployment {
namespace {

namespace fs = std::filesystem;

/// Of backups of snapshots, as data directories have theirs.
constexpr std::uint64_t snapshot_format = 1;
constexpr std::string_view restoring_folder = "restoring";
constexpr std::string_view snapshots_folder = "snapshots";

Result<void> done(const std::error_code& error, std::string_view what, const fs::path& path) {
    return error ? Result<void>{fail(
                       ErrorKind::unavailable,
                       fmt::format("cannot {} {}: {}", what, path.string(), error.message())
                   )}
                 : Result<void>{};
}

/// Whether a word is the name of one folder, and can stand in a list of a backup.
bool is_folder_name(std::string_view name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find_first_of("/ \n") == std::string_view::npos;
}

/// The part of a deployment that is backed up here: nodes have different rows of one keyspace, so
/// two of them in one place would be taken for each other.
Result<std::string> whose(const NodeSnapshot& snapshot) {
    constexpr std::size_t longest = 256;
    std::array<char, longest> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) {
        return fail(ErrorKind::unavailable, "this machine does not say its name");
    }
    return fmt::format("{}@{}", snapshot.keyspace, host.data());
}

/// Links to the files of a snapshot, as KEYSPACE/TABLE/FILE: Cassandra has them in folders that are
/// named after the ids of tables, which differ from one cluster to the next. Removed at the end.
class LinkedSnapshot {
public:
    explicit LinkedSnapshot(const fs::path& in)
        : folder_{in / fmt::format("footfall-snapshot-{:08x}", std::random_device{}())} {}

    ~LinkedSnapshot() {
        std::error_code error;
        fs::remove_all(folder_, error);
    }

    LinkedSnapshot(const LinkedSnapshot&) = delete;
    LinkedSnapshot& operator=(const LinkedSnapshot&) = delete;

    const fs::path& folder() const { return folder_; }

    Result<void> link(const NodeSnapshot& snapshot) {
        std::size_t tables = 0;
        for (const fs::path& data : snapshot.data) {
            std::error_code error;
            fs::directory_iterator table{data / snapshot.keyspace, error};
            TRY_VOID(done(error, "list", data / snapshot.keyspace));
            for (; table != fs::directory_iterator{}; table.increment(error)) {
                const fs::path files = table->path() / snapshots_folder / snapshot.name;
                if (fs::is_directory(files, error)) {
                    // "token-0f62b1c0cd1e11f0b3a55f3d8f2a7f6e"
                    const std::string folder = table->path().filename().string();
                    const fs::path linked =
                        folder_ / snapshot.keyspace / folder.substr(0, folder.rfind('-'));
                    TRY_VOID(link_table(files, linked));
                    ++tables;
                }
            }
            TRY_VOID(done(error, "list", data / snapshot.keyspace));
        }
        return tables > 0 ? Result<void>{} : none(snapshot);
    }

private:
    /// A directory of indexes below it is none of ours: no table of ours has one.
    static Result<void> link_table(const fs::path& files, const fs::path& linked) {
        std::error_code error;
        fs::create_directories(linked, error);
        TRY_VOID(done(error, "make", linked));
        fs::directory_iterator file{files, error};
        for (; !error && file != fs::directory_iterator{}; file.increment(error)) {
            if (file->is_regular_file(error)) {
                const fs::path path = fs::absolute(file->path());
                const fs::path link = linked / path.filename();
                // What a table has one of stands in each of several data directories.
                if (is_description(path) && fs::exists(link)) {
                    continue;
                }
                fs::create_symlink(path, link, error);
                TRY_VOID(done(error, "link to", path));
            }
        }
        return done(error, "list", files);
    }

    static bool is_description(const fs::path& path) {
        return path.filename() == "manifest.json" || path.filename() == "schema.cql";
    }

    static Result<void> none(const NodeSnapshot& snapshot) {
        return fail(
            ErrorKind::not_found,
            fmt::format(
                "no table of the keyspace {} in {} has a snapshot {}: `nodetool snapshot -t {} {}` "
                "makes one, `nodetool listsnapshots` says which there are",
                snapshot.keyspace,
                snapshot.data.front().string(),
                snapshot.name,
                snapshot.name,
                snapshot.keyspace
            )
        );
    }

    fs::path folder_;
};

Result<void> check_words(const NodeSnapshot& snapshot) {
    if (!is_folder_name(snapshot.name) || !is_folder_name(snapshot.keyspace)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "\"{}\" of the keyspace \"{}\" is no snapshot: --snapshot takes the name that "
                "`nodetool snapshot -t NAME KEYSPACE` was given",
                snapshot.name,
                snapshot.keyspace
            )
        );
    }
    const auto lacking = std::ranges::find_if(snapshot.data, [&](const fs::path& data) {
        std::error_code error;
        return !fs::is_directory(data / snapshot.keyspace, error);
    });
    if (snapshot.data.empty() || lacking != snapshot.data.end()) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{} holds no keyspace {}: --node-data takes the node's data_file_directories, "
                "/var/lib/cassandra/data unless cassandra.yaml says otherwise, and "
                "--cassandra-keyspace names the keyspace",
                snapshot.data.empty() ? "nothing" : lacking->string(),
                snapshot.keyspace
            )
        );
    }
    return {};
}

}  // namespace

Result<backup::Taken> take_node_backup(
    const NodeSnapshot& snapshot, const Clock& clock, const backup::TakeOptions& options
) {
    TRY_VOID(check_words(snapshot));
    TRY(const std::string deployment, whose(snapshot));
    std::error_code error;
    const fs::path in = fs::temp_directory_path(error);
    TRY_VOID(done(error, "use", in));
    LinkedSnapshot linked{in};
    TRY_VOID(linked.link(snapshot));
    return backup::take(
        {.deployment = deployment,
         .format = snapshot_format,
         .freeze = [&]() -> Result<backup::Frozen> {
             return backup::Frozen{.directory = linked.folder()};
         },
         .past_folder = {},
         .write_beside = {},
         .keyspace = snapshot.keyspace,
         .snapshot = snapshot.name,
         // The other files of a table are small, and Cassandra writes some of them anew.
         .unchanging =
             {"-Data.db", "-Index.db", "-Partitions.db", "-Rows.db", "-Filter.db", "-Summary.db"}},
        clock,
        options
    );
}

Result<backup::Manifest> restore_node_backup(const NodeRestore& terms) {
    TRY(const backup::Manifest found, backup::find(*terms.depot, terms.name));
    if (found.keyspace.empty()) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "the backup {} is of a data directory, and no node's snapshot: --data DIR says "
                "where it is restored, in place of --tables",
                found.name
            )
        );
    }
    return backup::restore(
        {.depot = terms.depot,
         .name = found.name,
         .target = terms.target,
         .format = snapshot_format,
         .folder = std::string{restoring_folder},
         .last_file = found.keyspace,
         .finish = [](const fs::path&) { return Result<void>{}; },
         .before_step = terms.before_step}
    );
}

Result<void> check_is_directory(const backup::Manifest& manifest) {
    return manifest.keyspace.empty()
               ? Result<void>{}
               : fail(
                     ErrorKind::invalid_input,
                     fmt::format(
                         "the backup {} is of a snapshot of a Cassandra node (keyspace {}), and no "
                         "data directory: `footfall restore --tables DIR` puts its table files "
                         "where `nodetool import` and sstableloader take them",
                         manifest.name,
                         manifest.keyspace
                     )
                 );
}

}  // namespace footfall::deployment
