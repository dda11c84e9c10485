#include "audit/note.h"

#include "foundation/check.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <openssl/evp.h>
#include <optional>
#include <utility>

namespace footfall::audit {
namespace {

constexpr std::string_view ed25519{"\1", 1};
constexpr std::string_view signature_mark = "\u2014 ";
constexpr std::size_t signature_bytes = 64;
constexpr std::size_t key_hash_bytes = 4;
/// More signatures than this are not looked at: each costs as much as a hundred entries.
constexpr std::size_t most_signatures = 64;

struct FreeSigningKey {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

struct FreeSigningContext {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

using SigningKey = std::unique_ptr<EVP_PKEY, FreeSigningKey>;
using SigningContext = std::unique_ptr<EVP_MD_CTX, FreeSigningContext>;

std::string_view text_of_key(const KeyBytes& key) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return {reinterpret_cast<const char*>(key.data()), key.size()};
}

const unsigned char* signed_bytes(std::string_view text) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return reinterpret_cast<const unsigned char*>(text.data());
}

bool is_key_name(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char letter) {
        return letter > ' ' && letter < '\x7f' && letter != '+';
    });
}

/// A line of `text`, which is cut off it; absent: there is no whole one.
std::optional<std::string_view> next_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return line;
}

std::unexpected<Error> no_checkpoint(std::string_view why) {
    return fail(ErrorKind::corrupt, fmt::format("this is no checkpoint: {}", why));
}

/// The text of a note, its last line feed included, and its signatures.
struct NoteParts {
    std::string_view text;
    std::string_view signatures;
};

Result<NoteParts> split_note(std::string_view note) {
    const std::size_t blank = note.rfind("\n\n");
    if (blank == std::string_view::npos) {
        return no_checkpoint("nobody has signed it");
    }
    return NoteParts{.text = note.substr(0, blank + 1), .signatures = note.substr(blank + 2)};
}

}  // namespace

std::uint32_t Verifier::key_hash() const {
    const Hash hash = sha256({name_, "\n", ed25519, text_of_key(key_)});
    return std::uint32_t{hash[0]} << 24 | std::uint32_t{hash[1]} << 16 |
           std::uint32_t{hash[2]} << 8 | hash[3];
}

Verifier Verifier::make(std::string name, const KeyBytes& public_key) {
    CHECK(is_key_name(name), "a key's name", name);
    Verifier verifier;
    verifier.name_ = std::move(name);
    verifier.key_ = public_key;
    return verifier;
}

Result<Verifier> Verifier::parse(std::string_view vkey) {
    const auto refused = [] {
        return fail(
            ErrorKind::invalid_input,
            "a key is written <name>+<8 hex digits>+<base64>, as `footfall audit key` shows it"
        );
    };
    const std::size_t first = vkey.find('+');
    const std::size_t second = first == std::string_view::npos ? first : vkey.find('+', first + 1);
    if (second == std::string_view::npos || !is_key_name(vkey.substr(0, first))) {
        return refused();
    }
    const auto bytes = bytes_of_base64(vkey.substr(second + 1));
    KeyBytes key;
    if (!bytes || bytes->size() != key.size() + 1 || !bytes->starts_with(ed25519)) {
        return refused();
    }
    std::ranges::copy(std::string_view{*bytes}.substr(1), key.begin());
    Verifier verifier = make(std::string{vkey.substr(0, first)}, key);
    if (verifier.vkey() != vkey) {
        return refused();
    }
    return verifier;
}

std::string Verifier::vkey() const {
    return fmt::format(
        "{}+{:08x}+{}",
        name_,
        key_hash(),
        base64_of(fmt::format("{}{}", ed25519, text_of_key(key_)))
    );
}

Result<void> Verifier::check(std::string_view note) const {
    TRY(NoteParts parts, split_note(note));
    const std::string hash = fmt::format("{:08x}", key_hash());
    const SigningKey key{
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key_.data(), key_.size())
    };
    if (key == nullptr) {
        return fail(ErrorKind::corrupt, "the public key is none of Ed25519");
    }
    for (std::size_t looked = 0; looked < most_signatures; ++looked) {
        const auto line = next_line(parts.signatures);
        if (!line) {
            break;
        }
        const std::string begin = fmt::format("{}{} ", signature_mark, name_);
        const auto bytes =
            line->starts_with(begin) ? bytes_of_base64(line->substr(begin.size())) : std::nullopt;
        if (!bytes || bytes->size() != key_hash_bytes + signature_bytes) {
            continue;
        }
        std::string shown;
        for (const char byte : std::string_view{*bytes}.substr(0, key_hash_bytes)) {
            shown += fmt::format("{:02x}", static_cast<unsigned char>(byte));
        }
        const SigningContext context{EVP_MD_CTX_new()};
        if (shown == hash && context != nullptr &&
            EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
            EVP_DigestVerify(
                context.get(),
                signed_bytes(*bytes) + key_hash_bytes,
                signature_bytes,
                signed_bytes(parts.text),
                parts.text.size()
            ) == 1) {
            return {};
        }
    }
    return fail(
        ErrorKind::corrupt, fmt::format("the head has no good signature of the key {}", vkey())
    );
}

Result<Signer> Signer::make(std::string name, const KeyBytes& seed) {
    const SigningKey key{
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size())
    };
    KeyBytes public_key;
    std::size_t length = public_key.size();
    if (key == nullptr || EVP_PKEY_get_raw_public_key(key.get(), public_key.data(), &length) != 1) {
        return fail(ErrorKind::unavailable, "OpenSSL makes no key of Ed25519");
    }
    Signer signer;
    signer.seed_ = seed;
    signer.verifier_ = Verifier::make(std::move(name), public_key);
    return signer;
}

Result<std::string> Signer::sign(std::string_view text) const {
    CHECK(text.ends_with('\n'), "a note ends with a line feed");
    const SigningKey key{
        EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed_.data(), seed_.size())
    };
    const SigningContext context{EVP_MD_CTX_new()};
    std::array<unsigned char, signature_bytes> signature;
    std::size_t length = signature.size();
    if (key == nullptr || context == nullptr ||
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
        EVP_DigestSign(context.get(), signature.data(), &length, signed_bytes(text), text.size()) !=
            1 ||
        length != signature.size()) {
        return fail(ErrorKind::unavailable, "OpenSSL does not sign with Ed25519");
    }
    const std::uint32_t hash = verifier_.key_hash();
    std::string bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        bytes += static_cast<char>(hash >> shift & 0xff);
    }
    bytes.append(signature.begin(), signature.end());
    return fmt::format("{}\n{}{} {}\n", text, signature_mark, verifier_.name(), base64_of(bytes));
}

std::string checkpoint_text(std::string_view origin, const TreeHead& head) {
    return fmt::format("{}\n{}\n{}\n", origin, head.size, base64_of(head.root));
}

Result<Checkpoint> read_checkpoint(std::string_view note) {
    TRY(NoteParts parts, split_note(note));
    const auto origin = next_line(parts.text);
    const auto size = next_line(parts.text);
    const auto root = next_line(parts.text);
    if (!origin || origin->empty() || !size || !root) {
        return no_checkpoint("it has no three lines");
    }
    Checkpoint read{.origin = std::string{*origin}, .head = {}};
    const auto number = parse_unsigned(*size);
    if (!number || fmt::format("{}", *number) != *size) {
        return no_checkpoint("its second line is no number of entries");
    }
    const auto bytes = bytes_of_base64(*root);
    if (!bytes || bytes->size() != read.head.root.size()) {
        return no_checkpoint("its third line is no root");
    }
    read.head.size = *number;
    TRY(read.head.root, hash_from(*bytes));
    return read;
}

}  // namespace footfall::audit
