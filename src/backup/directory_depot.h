#pragma once

#include "backup/depot.h"
#include "moving/file.h"

#include <filesystem>
#include <optional>

namespace footfall::backup {

/// A depot in a directory of this machine. Files can be read by their owner alone. Whoever writes
/// holds `lock`, which keeps other processes out for as long as this lives.
class DirectoryDepot final : public Depot {
public:
    explicit DirectoryDepot(std::filesystem::path directory) : directory_{std::move(directory)} {}

    std::string where(std::string_view name) const override;
    Result<std::vector<Entry>> list(std::string_view folder) override;
    Result<std::unique_ptr<Reader>> open(std::string_view name) override;
    Result<std::unique_ptr<Writer>> create(std::string_view name) override;
    Result<void> put(std::string_view name, std::string_view bytes) override;
    Result<void> remove_file(std::string_view name) override;
    Result<void> remove_folder(std::string_view name) override;
    Result<void> prepare() override;
    Result<void> sync() override;
    std::optional<std::uint64_t> room() const override;

private:
    std::filesystem::path path_of(std::string_view name) const;
    Result<void> make_parent_of(const std::filesystem::path& path);

    const std::filesystem::path directory_;
    std::optional<moving::File> lock_;
    std::vector<std::filesystem::path> unsynced_;  ///< Folders whose names may not be durable.
};

}  // namespace footfall::backup
