#include "ciphers/ciphers.h"

#include "foundation/check.h"

#include <memory>
#include <openssl/evp.h>
#include <utility>

namespace footfall::ciphers {
namespace {

struct FreeContext {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

/// Looked up once, for as long as the program runs: OpenSSL's own look-up takes locks and
/// allocates.
const EVP_CIPHER* cipher_named(const char* name) {
    EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, name, nullptr);
    CHECK(cipher != nullptr, "OpenSSL has no", name);
    return cipher;
}

const EVP_CIPHER* ecb() {
    static const EVP_CIPHER* const cipher = cipher_named("AES-256-ECB");
    return cipher;
}

const EVP_CIPHER* gcm() {
    static const EVP_CIPHER* const cipher = cipher_named("AES-256-GCM");
    return cipher;
}

Context new_context() {
    Context context{EVP_CIPHER_CTX_new()};
    CHECK(context != nullptr, "OpenSSL makes no context");
    return context;
}

/// For GCM alone: a context that changes from one cipher to another is made anew by OpenSSL.
EVP_CIPHER_CTX* gcm_context() {
    thread_local const Context context = new_context();
    return context.get();
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

void must(int done) {
    CHECK(done == 1, "a cipher failed in OpenSSL");
}

/// Keys for single blocks that a thread used last: those of a day come again with each read, and to
/// set one takes many times as long as a block.
class BlockContexts {
public:
    /// One that is set to the key, and encrypts (1) or decrypts (0) whole blocks.
    EVP_CIPHER_CTX* with(const Key& key, int encrypts) {
        for (Set& each : sets_) {
            if (each.context != nullptr && each.encrypts == encrypts && each.key == key) {
                return each.context.get();
            }
        }
        Set& own = sets_[next_++ % sets_.size()];
        if (own.context == nullptr) {
            own.context = new_context();
        }
        own.key = key;
        own.encrypts = encrypts;
        must(EVP_CipherInit_ex2(own.context.get(), ecb(), key.data(), nullptr, encrypts, nullptr));
        must(EVP_CIPHER_CTX_set_padding(own.context.get(), 0));
        return own.context.get();
    }

private:
    struct Set {
        Context context;
        Key key{};
        int encrypts = 1;
    };

    /// Both keys of today and yesterday.
    std::array<Set, 4> sets_;
    std::size_t next_ = 0;
};

/// Whole blocks, each as it is.
template <class Blocks>
Blocks run_blocks(const Key& key, const Blocks& blocks, int encrypts) {
    thread_local BlockContexts contexts;
    EVP_CIPHER_CTX* const context = contexts.with(key, encrypts);
    Blocks out;
    int length = 0;
    must(EVP_CipherUpdate(
        context, out.data(), &length, blocks.data(), static_cast<int>(blocks.size())
    ));
    CHECK(std::cmp_equal(length, blocks.size()), "AES gave a part of a block", length);
    return out;
}

}  // namespace

Key digest(std::string_view text) {
    Key digest;
    unsigned length = 0;
    must(EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr));
    CHECK(length == digest.size(), "SHA-256 has 32 bytes", length);
    return digest;
}

Block encrypt(const Key& key, const Block& block) {
    return run_blocks(key, block, 1);
}

Block decrypt(const Key& key, const Block& block) {
    return run_blocks(key, block, 0);
}

Key encrypt(const Key& key, const Key& blocks) {
    return run_blocks(key, blocks, 1);
}

void append_sealed(
    const Key& key,
    const Nonce& nonce,
    std::string_view beside,
    std::string_view text,
    std::string& out
) {
    EVP_CIPHER_CTX* const context = gcm_context();
    must(EVP_EncryptInit_ex2(context, gcm(), key.data(), nonce.data(), nullptr));
    int length = 0;
    must(EVP_EncryptUpdate(
        context, nullptr, &length, bytes_of(beside), static_cast<int>(beside.size())
    ));
    const std::size_t start = out.size();
    out.resize(start + text.size() + tag_bytes);
    auto* const to = reinterpret_cast<unsigned char*>(out.data() + start);
    must(EVP_EncryptUpdate(context, to, &length, bytes_of(text), static_cast<int>(text.size())));
    unsigned char* const end = to + text.size();
    must(EVP_EncryptFinal_ex(context, end, &length));
    must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_bytes, end));
}

std::optional<std::string> open(
    const Key& key, const Nonce& nonce, std::string_view beside, std::string_view sealed
) {
    if (sealed.size() < tag_bytes) {
        return std::nullopt;
    }
    const std::size_t bytes = sealed.size() - tag_bytes;
    std::string tag{sealed.substr(bytes)};
    std::string text(bytes, '\0');
    EVP_CIPHER_CTX* const context = gcm_context();
    must(EVP_DecryptInit_ex2(context, gcm(), key.data(), nonce.data(), nullptr));
    int length = 0;
    must(EVP_DecryptUpdate(
        context, nullptr, &length, bytes_of(beside), static_cast<int>(beside.size())
    ));
    must(EVP_DecryptUpdate(
        context,
        reinterpret_cast<unsigned char*>(text.data()),
        &length,
        bytes_of(sealed),
        static_cast<int>(bytes)
    ));
    must(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag.data()));
    unsigned char nothing = 0;
    if (EVP_DecryptFinal_ex(context, &nothing, &length) != 1) {
        return std::nullopt;
    }
    return text;
}

}  // namespace footfall::ciphers
