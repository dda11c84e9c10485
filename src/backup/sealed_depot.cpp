#include "backup/sealed_depot.h"

#include "backup/file_sums.h"
#include "foundation/hex.h"
#include "foundation/secret_random.h"
#include "moving/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace footfall::backup {
namespace {

constexpr std::size_t id_bytes = 8;
constexpr std::size_t salt_bytes = 24;
constexpr std::size_t head_bytes = sealed_magic.size() + id_bytes + salt_bytes;
constexpr std::size_t sealed_portion_bytes = portion_bytes + ciphers::tag_bytes;

using Salt = std::array<char, salt_bytes>;

std::string_view text_of(const ciphers::Key& key) {
    return {reinterpret_cast<const char*>(key.data()), key.size()};
}

std::string id_bytes_of(const SealingKey& key) {
    std::string text{"footfall backup key id"};
    text += text_of(key.bytes);
    return std::string{text_of(ciphers::digest(text)).substr(0, id_bytes)};
}

ciphers::Key file_key(const SealingKey& key, std::string_view salt) {
    std::string text{"footfall backup file"};
    text += text_of(key.bytes);
    text += salt;
    return ciphers::digest(text);
}

/// How many bytes are sealed in a file of `stored`; absent: it can be none.
std::optional<std::uint64_t> plain_bytes(std::uint64_t stored) {
    if (stored < head_bytes + ciphers::tag_bytes) {
        return std::nullopt;
    }
    const std::uint64_t body = stored - head_bytes;
    const std::uint64_t portions = (body + sealed_portion_bytes - 1) / sealed_portion_bytes;
    const std::uint64_t tags = portions * ciphers::tag_bytes;
    return body < tags ? std::nullopt : std::optional{body - tags};
}

/// One portion of a file: which, and whether it is the last.
struct Part {
    std::uint64_t number = 0;
    bool last = false;

    ciphers::Nonce nonce() const {
        ciphers::Nonce nonce{};
        std::uint64_t left = number;
        for (std::size_t at = 0; at < sizeof left; ++at, left >>= 8U) {
            nonce.at(at) = static_cast<unsigned char>(left);
        }
        nonce.back() = last ? 1 : 0;
        return nonce;
    }
};

class SealedReader final : public Depot::Reader {
public:
    SealedReader(
        std::unique_ptr<Depot::Reader> file,
        std::string name,
        std::string where,
        const ciphers::Key& key,
        std::uint64_t size
    )
        : file_{std::move(file)},
          name_{std::move(name)},
          where_{std::move(where)},
          key_{key},
          size_{size} {}

    std::uint64_t size() const override { return size_; }

    Result<std::string> read(std::uint64_t offset, std::size_t count) override {
        std::string bytes;
        const std::uint64_t end = std::min<std::uint64_t>(size_, offset + count);
        while (offset < end) {
            const std::uint64_t number = offset / portion_bytes;
            const std::uint64_t begin = number * portion_bytes;
            const std::uint64_t stop = std::min(end, begin + portion_bytes);
            TRY(const std::string portion, open_portion(number));
            bytes += portion.substr(offset - begin, stop - offset);
            offset = stop;
        }
        return bytes;
    }

    Result<std::string> open_portion(std::uint64_t number) {
        const std::uint64_t begin = number * portion_bytes;
        const std::uint64_t end = std::min<std::uint64_t>(begin + portion_bytes, size_);
        TRY(const std::string sealed,
            file_->read(
                head_bytes + number * sealed_portion_bytes,
                static_cast<std::size_t>(end - begin) + ciphers::tag_bytes
            ));
        const Part part{.number = number, .last = end == size_};
        auto portion = ciphers::open(key_, part.nonce(), name_, sealed);
        if (!portion || portion->size() != end - begin) {
            return fail(
                ErrorKind::corrupt,
                fmt::format("{} is damaged between byte {} and byte {}", where_, begin, end)
            );
        }
        return *std::move(portion);
    }

private:
    const std::unique_ptr<Depot::Reader> file_;
    const std::string name_;
    const std::string where_;
    const ciphers::Key key_;
    const std::uint64_t size_;
};

class SealedWriter final : public Depot::Writer {
public:
    SealedWriter(std::unique_ptr<Depot::Writer> file, std::string name, const ciphers::Key& key)
        : file_{std::move(file)}, name_{std::move(name)}, key_{key} {}

    Result<void> append(std::string_view bytes) override {
        while (!bytes.empty()) {
            // The last portion is sealed otherwise, so a full one waits until more comes.
            if (waiting_.size() == portion_bytes) {
                TRY_VOID(write_portion(false));
            }
            const std::string_view taken = bytes.substr(0, portion_bytes - waiting_.size());
            waiting_ += taken;
            bytes.remove_prefix(taken.size());
        }
        return {};
    }

    Result<void> finish() override {
        TRY_VOID(write_portion(true));
        return file_->finish();
    }

private:
    Result<void> write_portion(bool last) {
        std::string sealed;
        sealed.reserve(waiting_.size() + ciphers::tag_bytes);
        const Part part{.number = number_++, .last = last};
        ciphers::append_sealed(key_, part.nonce(), name_, waiting_, sealed);
        waiting_.clear();
        return file_->append(sealed);
    }

    const std::unique_ptr<Depot::Writer> file_;
    const std::string name_;
    const ciphers::Key key_;
    std::string waiting_;
    std::uint64_t number_ = 0;
};

/// What stands before the portions, and the key of the file.
struct Head {
    std::string bytes;
    ciphers::Key key{};
};

Result<Head> new_head(const SealingKey& key) {
    TRY(const Salt salt, draw_secret<Salt>());
    const std::string_view salt_text{salt.data(), salt.size()};
    Head head{.bytes = std::string{sealed_magic}, .key = file_key(key, salt_text)};
    head.bytes += id_bytes_of(key);
    head.bytes += salt_text;
    return head;
}

}  // namespace

std::string SealingKey::id() const {
    return hex(id_bytes_of(*this));
}

Result<SealingKey> read_sealing_key(const std::string& path) {
    const auto wrong = [&](std::string_view why) {
        return fail(ErrorKind::invalid_input, fmt::format("the key in {}: {}", path, why));
    };
    constexpr std::string_view remedy =
        "64 hexadecimal digits are wanted, as `openssl rand -hex 32` makes them";
    std::error_code error;
    const auto facts = std::filesystem::status(path, error);
    if (!std::filesystem::is_regular_file(facts)) {
        return wrong("there is no such file");
    }
    using std::filesystem::perms;
    if ((facts.permissions() & (perms::group_all | perms::others_all)) != perms::none) {
        return wrong("others than its owner can read or change it; `chmod 600` keeps them out");
    }
    TRY(moving::File file, moving::File::open(path));
    constexpr std::size_t read_bytes = 256;
    TRY(std::string text, file.read(0, read_bytes));
    while (text.ends_with('\n') || text.ends_with('\r')) {
        text.pop_back();
    }
    const auto bytes = unhex(text);
    SealingKey key;
    if (!bytes || bytes->size() != key.bytes.size()) {
        return wrong(remedy);
    }
    std::ranges::copy(*bytes, key.bytes.begin());
    return key;
}

Result<std::vector<Depot::Entry>> SealedDepot::list(std::string_view folder) {
    TRY(auto entries, depot_->list(folder));
    for (Entry& entry : entries) {
        entry.size = plain_bytes(entry.size).value_or(0);
    }
    return entries;
}

Result<std::unique_ptr<Depot::Reader>> SealedDepot::open(std::string_view name) {
    TRY(auto file, depot_->open(name));
    TRY(const std::string head, file->read(0, head_bytes));
    if (!head.starts_with(sealed_magic)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{} is not encrypted: leave --encryption-key (backup_encryption_key) out, or "
                "choose "
                "another place for encrypted backups",
                where(name)
            )
        );
    }
    const auto size = plain_bytes(file->size());
    if (!size || head.size() != head_bytes) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} is damaged: it has {} bytes", where(name), file->size())
        );
    }
    const std::string_view id = std::string_view{head}.substr(sealed_magic.size(), id_bytes);
    if (id != id_bytes_of(key_)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "{} is encrypted with the key {}, and the one that was given is {}",
                where(name),
                hex(id),
                key_.id()
            )
        );
    }
    const std::string_view salt = std::string_view{head}.substr(head_bytes - salt_bytes);
    auto reader = std::make_unique<SealedReader>(
        std::move(file), std::string{name}, where(name), file_key(key_, salt), *size
    );
    if (*size == 0) {  // nobody will read its one portion
        TRY_VOID(reader->open_portion(0));
    }
    return reader;
}

Result<std::unique_ptr<Depot::Writer>> SealedDepot::create(std::string_view name) {
    TRY(const Head head, new_head(key_));
    TRY(auto file, depot_->create(name));
    TRY_VOID(file->append(head.bytes));
    return std::make_unique<SealedWriter>(std::move(file), std::string{name}, head.key);
}

Result<void> SealedDepot::put(std::string_view name, std::string_view bytes) {
    TRY(const Head head, new_head(key_));
    std::string sealed = head.bytes;
    Part part;
    while (!part.last) {
        const std::string_view portion = bytes.substr(0, portion_bytes);
        bytes.remove_prefix(portion.size());
        part.last = bytes.empty();
        ciphers::append_sealed(head.key, part.nonce(), name, portion, sealed);
        ++part.number;
    }
    return depot_->put(name, sealed);
}

}  // namespace footfall::backup
