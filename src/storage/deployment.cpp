#include "storage/deployment.h"

#include "foundation/secret_random.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <string>

namespace footfall::storage {
namespace {

constexpr std::string_view secret_name = "hash_secret";

}  // namespace

Result<std::optional<std::string>> stored_fact(Store& store, std::string_view name) {
    TRY(const auto row, read_one(store, deployment_table, {std::string{name}}));
    return row ? std::optional{std::get<std::string>((*row)[1])} : std::nullopt;
}

Result<std::string> settle_fact(Store& store, std::string_view name, std::string_view value) {
    TRY(const auto row,
        store.insert_new(deployment_table, {std::string{name}, std::string{value}}));
    return std::get<std::string>(row[1]);
}

Result<void> replace_fact(Store& store, std::string_view name, std::string_view value) {
    Batch batch;
    batch.upsert(deployment_table, {name, value});
    return write_durably(store, batch);
}

Result<std::optional<std::string>> stored_secret(Store& store) {
    return stored_fact(store, secret_name);
}

Result<SipKey> load_secret(Store& store) {
    SipKey secret;
    TRY(std::optional<std::string> stored, stored_secret(store));
    if (!stored) {
        std::string drawn(sizeof(secret), '\0');
        TRY_VOID(draw_secret(std::as_writable_bytes(std::span{drawn})));
        TRY(stored, settle_fact(store, secret_name, drawn));
    }
    if (stored->size() != sizeof(secret)) {
        return fail(ErrorKind::corrupt, "the deployment's hash secret has not 16 bytes");
    }
    std::memcpy(&secret, stored->data(), sizeof(secret));
    return secret;
}

std::string deployment_id(SipKey secret) {
    return fmt::format("{:016x}", siphash13(secret, "id of the deployment"));
}

}  // namespace footfall::storage
