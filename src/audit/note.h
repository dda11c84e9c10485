#pragma once

#include "audit/sha256.h"
#include "foundation/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// Heads of the log as others read them: C2SP tlog-checkpoint, which is a C2SP signed-note with
/// Ed25519 (c2sp.org/tlog-checkpoint, c2sp.org/signed-note).
namespace footfall::audit {

/// 32 bytes: the private key of Ed25519 (RFC 8032), or the public one.
using KeyBytes = std::array<std::uint8_t, 32>;

/// Whose signature a head has, and how it is looked at. A plain value; thread-safe.
class Verifier {
public:
    /// Reads "<name>+<hash, 8 hex digits>+<base64 of 0x01 and the public key>", as Go's
    /// `sumdb/note` writes it. `invalid_input`.
    static Result<Verifier> parse(std::string_view vkey);

    /// The same of a key; the name has no blank and no '+', and is not empty.
    static Verifier make(std::string name, const KeyBytes& public_key);

    const std::string& name() const { return name_; }

    std::string vkey() const;

    /// Whether one of the note's signatures is of this key. `corrupt`: none is, or it is no note.
    Result<void> check(std::string_view note) const;

    std::uint32_t key_hash() const;

private:
    std::string name_;
    KeyBytes key_{};
};

/// Signs heads. Thread-safe.
class Signer {
public:
    /// `seed`: of the system's randomness.
    static Result<Signer> make(std::string name, const KeyBytes& seed);

    const Verifier& verifier() const { return verifier_; }

    /// The note of this text, which ends with a line feed. About 50 us.
    Result<std::string> sign(std::string_view text) const;

private:
    KeyBytes seed_{};
    Verifier verifier_;
};

/// A head: so many entries, and the root above them.
struct TreeHead {
    std::uint64_t size = 0;
    Hash root{};

    friend bool operator==(const TreeHead&, const TreeHead&) = default;
};

/// The text that is signed: the log's name, the size, the root.
std::string checkpoint_text(std::string_view origin, const TreeHead& head);

/// What a checkpoint says; whether its signature is good is for Verifier::check(). `corrupt`: it is
/// none.
struct Checkpoint {
    std::string origin;
    TreeHead head;
};

Result<Checkpoint> read_checkpoint(std::string_view note);

}  // namespace footfall::audit
