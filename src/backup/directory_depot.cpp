#include "backup/directory_depot.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view lock_name = "lock";

std::unexpected<Error> cannot(
    std::string_view what, const fs::path& path, const std::error_code& why
) {
    return fail(
        ErrorKind::unavailable, fmt::format("cannot {} {}: {}", what, path.string(), why.message())
    );
}

class FileReader final : public Depot::Reader {
public:
    FileReader(moving::File file, std::uint64_t size) : file_{std::move(file)}, size_{size} {}

    std::uint64_t size() const override { return size_; }

    Result<std::string> read(std::uint64_t offset, std::size_t count) override {
        return file_.read(offset, count);
    }

private:
    moving::File file_;
    const std::uint64_t size_;
};

class FileWriter final : public Depot::Writer {
public:
    explicit FileWriter(moving::File file) : file_{std::move(file)} {}

    Result<void> append(std::string_view bytes) override {
        TRY_VOID(file_.append(bytes));
        file_.begin_sync();
        return {};
    }

    Result<void> finish() override { return file_.sync(); }

private:
    moving::File file_;
};

}  // namespace

fs::path DirectoryDepot::path_of(std::string_view name) const {
    return name.empty() ? directory_ : directory_ / name;
}

std::string DirectoryDepot::where(std::string_view name) const {
    return path_of(name).string();
}

Result<std::vector<Depot::Entry>> DirectoryDepot::list(std::string_view folder) {
    std::vector<Entry> entries;
    const fs::path path = path_of(folder);
    std::error_code error;
    if (!fs::exists(path, error)) {
        return entries;
    }
    fs::directory_iterator entry{path, error};
    for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
        std::error_code no_file;
        const std::uint64_t size = entry->file_size(no_file);
        entries.push_back({.name = entry->path().filename().string(), .size = no_file ? 0 : size});
    }
    if (error) {
        return cannot("list", path, error);
    }
    std::ranges::sort(entries, {}, &Entry::name);
    return entries;
}

Result<std::unique_ptr<Depot::Reader>> DirectoryDepot::open(std::string_view name) {
    TRY(moving::File file, moving::File::open(path_of(name)));
    TRY(const std::uint64_t size, file.size());
    return std::make_unique<FileReader>(std::move(file), size);
}

Result<void> DirectoryDepot::make_parent_of(const fs::path& path) {
    const fs::path parent = path.parent_path();
    std::error_code error;
    if (fs::create_directories(parent, error)) {
        unsynced_.push_back(parent.parent_path());
    }
    if (error) {
        return cannot("make", parent, error);
    }
    if (std::ranges::find(unsynced_, parent) == unsynced_.end()) {
        unsynced_.push_back(parent);
    }
    return {};
}

Result<std::unique_ptr<Depot::Writer>> DirectoryDepot::create(std::string_view name) {
    const fs::path path = path_of(name);
    TRY_VOID(make_parent_of(path));
    TRY(moving::File file, moving::File::create(path));
    return std::make_unique<FileWriter>(std::move(file));
}

Result<void> DirectoryDepot::put(std::string_view name, std::string_view bytes) {
    const fs::path path = path_of(name);
    TRY_VOID(make_parent_of(path));
    fs::path fresh = path;
    fresh += ".new";
    TRY(moving::File file, moving::File::create(fresh));
    TRY_VOID(file.append(bytes));
    TRY_VOID(file.sync());
    TRY_VOID(moving::replace_file(fresh, path));
    return sync();
}

Result<void> DirectoryDepot::remove_file(std::string_view name) {
    const fs::path path = path_of(name);
    std::error_code error;
    fs::remove(path, error);
    if (error) {
        return cannot("remove", path, error);
    }
    return moving::sync_directory(path.parent_path());
}

Result<void> DirectoryDepot::remove_folder(std::string_view name) {
    const fs::path path = path_of(name);
    std::error_code error;
    fs::remove_all(path, error);
    return error ? Result<void>{cannot("remove", path, error)} : Result<void>{};
}

Result<void> DirectoryDepot::prepare() {
    if (lock_) {
        return {};
    }
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error) {
        return cannot("make", directory_, error);
    }
    TRY(moving::File lock, moving::File::create(path_of(lock_name)));
    TRY_VOID(lock.lock());
    lock_ = std::move(lock);
    return moving::sync_directory(directory_);
}

Result<void> DirectoryDepot::sync() {
    for (const fs::path& folder : std::exchange(unsynced_, {})) {
        TRY_VOID(moving::sync_directory(folder));
    }
    return {};
}

std::optional<std::uint64_t> DirectoryDepot::room() const {
    std::error_code error;
    const fs::space_info space = fs::space(directory_, error);
    return error ? std::nullopt : std::optional<std::uint64_t>{space.available};
}

}  // namespace footfall::backup
