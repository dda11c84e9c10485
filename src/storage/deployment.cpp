#include "storage/deployment.h"

#include "storage/blocking.h"

#include <cstring>
#include <string>
#include <sys/random.h>

namespace footfall::storage {
namespace {

constexpr const char* secret_name = "hash_secret";

}  // namespace

Result<std::optional<std::string>> stored_secret(Store& store) {
    TRY(const auto row, read_one(store, deployment_table, {std::string{secret_name}}));
    return row ? std::optional{std::get<std::string>((*row)[1])} : std::nullopt;
}

Result<SipKey> load_secret(Store& store) {
    SipKey secret;
    TRY(const std::optional<std::string> stored, stored_secret(store));
    if (stored) {
        if (stored->size() != sizeof(secret)) {
            return fail(ErrorKind::corrupt, "the deployment's hash secret has not 16 bytes");
        }
        std::memcpy(&secret, stored->data(), sizeof(secret));
        return secret;
    }
    if (getrandom(&secret, sizeof(secret), 0) != sizeof(secret)) {
        return fail(ErrorKind::unavailable, "the system gives no random bytes");
    }
    std::string bytes(sizeof(secret), '\0');
    std::memcpy(bytes.data(), &secret, sizeof(secret));
    Batch batch;
    batch.upsert(deployment_table, {secret_name, std::string_view{bytes}});
    TRY_VOID(write_durably(store, batch));
    return secret;
}

}  // namespace footfall::storage
