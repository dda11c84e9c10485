#pragma once

#include "backup/depot.h"
#include "ciphers/ciphers.h"

#include <memory>
#include <string>
#include <string_view>

namespace footfall::backup {

/// The key of an operator that backups are sealed with: 32 bytes that nobody can guess.
struct SealingKey {
    ciphers::Key bytes{};

    /// Tells keys apart, and tells nothing of them: 16 hexadecimal digits.
    std::string id() const;
};

/// A key from a file of 64 hexadecimal digits, as `openssl rand -hex 32` makes one. `invalid_input`
/// when it has anything else, or others than its owner can read it.
Result<SealingKey> read_sealing_key(const std::string& path);

/// The first bytes of every sealed file.
inline constexpr std::string_view sealed_magic = "footfall-sealed1";

/// A depot in which every file is sealed, lists too; names, sizes and times are not. AES-256-GCM
/// (NIST SP 800-38D) a portion of 1 MiB, under a key for each file, made of the operator's and of a
/// salt. A portion is bound to its file's name, to its place, and to being the last one (STREAM:
/// Hoang, Reyhanitabar, Rogaway and Vizar, "Online authenticated-encryption and its
/// nonce-reuse misuse-resistance", CRYPTO 2015), so none can be changed, left out, put elsewhere or
/// cut off unseen. Who can write to the depot can remove a backup, or put an older one back.
/// A file that is not sealed, or under another key, is `invalid_input`; a changed one `corrupt`.
/// Form: docs/formats/sealed.md. Memory: two portions a file.
class SealedDepot final : public Depot {
public:
    SealedDepot(std::unique_ptr<Depot> depot, const SealingKey& key)
        : depot_{std::move(depot)}, key_{key} {}

    std::string where(std::string_view name) const override { return depot_->where(name); }

    Result<std::vector<Entry>> list(std::string_view folder) override;
    Result<std::unique_ptr<Reader>> open(std::string_view name) override;
    Result<std::unique_ptr<Writer>> create(std::string_view name) override;
    Result<void> put(std::string_view name, std::string_view bytes) override;

    Result<void> remove_file(std::string_view name) override { return depot_->remove_file(name); }

    Result<void> remove_folder(std::string_view name) override {
        return depot_->remove_folder(name);
    }

    Result<void> prepare() override { return depot_->prepare(); }

    Result<void> sync() override { return depot_->sync(); }

    std::optional<std::uint64_t> room() const override { return depot_->room(); }

private:
    const std::unique_ptr<Depot> depot_;
    const SealingKey key_;
};

}  // namespace footfall::backup
