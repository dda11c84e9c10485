#pragma once

#include "backup/depot.h"
#include "backup/s3_answers.h"
#include "backup/s3_client.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace footfall::backup {

/// The account that `s3://BUCKET/PREFIX` is asked with, and the prefix.
struct S3Address {
    s3::Account account;
    std::string prefix;  ///< "", or with a slash at its end.
};

/// Reads `s3://BUCKET/PREFIX`, and from the environment what all programs of this kind read there:
/// AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION (or AWS_DEFAULT_REGION)
/// and AWS_ENDPOINT_URL (or AWS_ENDPOINT_URL_S3). `invalid_input` says what is missing.
Result<S3Address> read_s3_address(std::string_view place);

/// A depot behind S3's interface. A file larger than a part is uploaded in parts of 8 MiB, and
/// appears when the last one is there; what a killed program had uploaded of one costs until the
/// bucket's rules remove it. Nobody is kept out: one server a prefix. Memory: a part a file.
class S3Depot final : public Depot {
public:
    /// See s3::Client.
    explicit S3Depot(S3Address address, std::stop_token stop = {});

    std::string where(std::string_view name) const override;
    Result<std::vector<Entry>> list(std::string_view folder) override;
    Result<std::unique_ptr<Reader>> open(std::string_view name) override;
    Result<std::unique_ptr<Writer>> create(std::string_view name) override;
    Result<void> put(std::string_view name, std::string_view bytes) override;
    Result<void> remove_file(std::string_view name) override;
    Result<void> remove_folder(std::string_view name) override;

    Result<void> prepare() override { return {}; }

    Result<void> sync() override { return {}; }  // what was answered is durable

    std::optional<std::uint64_t> room() const override { return std::nullopt; }

private:
    Result<s3::Page> page(const std::string& prefix, bool divided, const std::string& from);

    template <class Take>
    Result<void> each_page(const std::string& prefix, bool divided, const Take& take);

    std::string key_of(std::string_view name) const;

    const std::string bucket_;
    const std::string prefix_;
    s3::Client client_;
};

}  // namespace footfall::backup
