#include "people/ciphers.h"

#include "foundation/check.h"

#include <memory>
#include <openssl/evp.h>
#include <utility>

namespace footfall::people::ciphers {
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

EVP_CIPHER_CTX* context_of_thread() {
    thread_local const Context context{EVP_CIPHER_CTX_new()};
    CHECK(context != nullptr, "OpenSSL makes no context");
    return context.get();
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

void must(int done) {
    CHECK(done == 1, "a cipher failed in OpenSSL");
}

Block one_block(const Key& key, const Block& block, int encrypts) {
    EVP_CIPHER_CTX* const context = context_of_thread();
    Block out;
    int length = 0;
    must(EVP_CipherInit_ex2(context, ecb(), key.data(), nullptr, encrypts, nullptr));
    must(EVP_CIPHER_CTX_set_padding(context, 0));
    must(
        EVP_CipherUpdate(context, out.data(), &length, block.data(), static_cast<int>(block.size()))
    );
    CHECK(std::cmp_equal(length, block.size()), "AES gave a part of a block", length);
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
    return one_block(key, block, 1);
}

Block decrypt(const Key& key, const Block& block) {
    return one_block(key, block, 0);
}

void append_sealed(
    const Key& key,
    const Nonce& nonce,
    std::string_view beside,
    std::string_view text,
    std::string& out
) {
    EVP_CIPHER_CTX* const context = context_of_thread();
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
    EVP_CIPHER_CTX* const context = context_of_thread();
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

}  // namespace footfall::people::ciphers
