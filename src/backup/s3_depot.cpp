#include "backup/s3_depot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace footfall::backup {
namespace {

constexpr std::size_t part_bytes = 8 << 20;
constexpr std::size_t parts_max = 10'000;  ///< Amazon's bound.
constexpr std::size_t page_bytes_max = 8 << 20;
constexpr std::size_t files_max = 10'000'000;  ///< Of one list.

constexpr int ok = 200;
constexpr int no_content = 204;
constexpr int partial_content = 206;
constexpr int unauthorized = 401;
constexpr int forbidden = 403;
constexpr int not_there = 404;

std::string variable(const char* name, const char* other = "") {
    for (const char* const each : {name, other}) {
        const char* const value = std::getenv(each);  // NOLINT(concurrency-mt-unsafe): nobody sets
        if (value != nullptr && *value != '\0') {
            return value;
        }
    }
    return {};
}

/// Why an answer is not what was asked for.
std::unexpected<Error> refused(
    std::string_view doing, const std::string& where, const s3::Answered& answered
) {
    const bool by_key = answered.status == unauthorized || answered.status == forbidden;
    const std::string said = s3::error_text(answered.body);
    return fail(
        answered.status == not_there ? ErrorKind::not_found
        : by_key                     ? ErrorKind::invalid_input
                                     : ErrorKind::unavailable,
        fmt::format(
            "cannot {} {}: the server answers {}{}{}{}",
            doing,
            where,
            answered.status,
            said.empty() ? "" : " ",
            said,
            by_key ? "; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY say who asks" : ""
        )
    );
}

/// Reads a part at a time, so that portions that follow each other do not take a request each.
class ObjectReader final : public Depot::Reader {
public:
    ObjectReader(s3::Client& client, std::string key, std::string where, std::uint64_t size)
        : client_{&client}, key_{std::move(key)}, where_{std::move(where)}, size_{size} {}

    std::uint64_t size() const override { return size_; }

    Result<std::string> read(std::uint64_t offset, std::size_t count) override {
        std::string bytes;
        const std::uint64_t end = std::min<std::uint64_t>(size_, offset + count);
        while (offset < end) {
            if (offset < begin_ || offset >= begin_ + part_.size()) {
                TRY_VOID(fetch(offset));
            }
            const std::string_view rest = std::string_view{part_}.substr(offset - begin_);
            bytes += rest.substr(0, end - offset);
            offset += std::min<std::uint64_t>(rest.size(), end - offset);
        }
        return bytes;
    }

private:
    Result<void> fetch(std::uint64_t offset) {
        const std::uint64_t end = std::min<std::uint64_t>(size_, offset + part_bytes);
        TRY(s3::Answered answered,
            client_->ask(
                {.key = key_, .range = std::pair{offset, end - 1}, .answer_bytes_max = part_bytes}
            ));
        const bool whole = answered.status == ok && offset == 0 && end == size_;
        if (answered.status != partial_content && !whole) {
            return refused("read", where_, answered);
        }
        if (answered.body.size() != end - offset) {
            return fail(
                ErrorKind::corrupt,
                fmt::format(
                    "{} is damaged: the server gives {} bytes from byte {} on and should give {}",
                    where_,
                    answered.body.size(),
                    offset,
                    end - offset
                )
            );
        }
        begin_ = offset;
        part_ = std::move(answered.body);
        return {};
    }

    s3::Client* const client_;
    const std::string key_;
    const std::string where_;
    const std::uint64_t size_;
    std::uint64_t begin_ = 0;
    std::string part_;
};

class ObjectWriter final : public Depot::Writer {
public:
    ObjectWriter(s3::Client& client, std::string key, std::string where)
        : client_{&client}, key_{std::move(key)}, where_{std::move(where)} {}

    /// What was begun and not ended is taken back: it would be paid for, and seen by nobody.
    ~ObjectWriter() override {
        if (!upload_.empty()) {
            static_cast<void>(
                client_->ask({.method = "DELETE", .key = key_, .query = {{"uploadId", upload_}}})
            );
        }
    }

    ObjectWriter(const ObjectWriter&) = delete;
    ObjectWriter& operator=(const ObjectWriter&) = delete;

    Result<void> append(std::string_view bytes) override {
        while (!bytes.empty()) {
            if (part_.size() == part_bytes) {
                TRY_VOID(upload_part());
            }
            const std::string_view taken = bytes.substr(0, part_bytes - part_.size());
            part_ += taken;
            size_ += taken.size();
            bytes.remove_prefix(taken.size());
        }
        return {};
    }

    Result<void> finish() override {
        if (etags_.empty()) {
            TRY(const s3::Answered answered,
                client_->ask({.method = "PUT", .key = key_, .body = part_}));
            if (answered.status != ok) {
                return refused("write", where_, answered);
            }
        } else {
            TRY_VOID(upload_part());
            TRY_VOID(complete());
        }
        return check_size();
    }

private:
    Result<void> begin() {
        TRY(const s3::Answered answered,
            client_->ask({.method = "POST", .key = key_, .query = {{"uploads", ""}}}));
        if (answered.status != ok) {
            return refused("write", where_, answered);
        }
        TRY(upload_, s3::upload_of(answered.body));
        return {};
    }

    Result<void> upload_part() {
        if (upload_.empty()) {
            TRY_VOID(begin());
        }
        if (etags_.size() == parts_max) {
            return fail(
                ErrorKind::invalid_input,
                fmt::format("cannot write {}: it has more than {} parts", where_, parts_max)
            );
        }
        const std::string number = std::to_string(etags_.size() + 1);
        TRY(s3::Answered answered,
            client_->ask(
                {.method = "PUT",
                 .key = key_,
                 .query = {{"partNumber", number}, {"uploadId", upload_}},
                 .body = part_}
            ));
        if (answered.status != ok || answered.etag.empty()) {
            return refused("write", where_, answered);
        }
        etags_.push_back(std::move(answered.etag));
        part_.clear();
        return {};
    }

    Result<void> complete() {
        std::string body = "<CompleteMultipartUpload>";
        for (std::size_t at = 0; at < etags_.size(); ++at) {
            body += fmt::format(
                "<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", at + 1, etags_[at]
            );
        }
        body += "</CompleteMultipartUpload>";
        TRY(const s3::Answered answered,
            client_->ask(
                {.method = "POST", .key = key_, .query = {{"uploadId", upload_}}, .body = body}
            ));
        if (answered.status != ok) {
            return refused("write", where_, answered);
        }
        TRY_VOID(s3::completed(answered.body));
        upload_.clear();
        return {};
    }

    /// A server that says that it is done is asked what it has.
    Result<void> check_size() {
        TRY(const s3::Answered answered, client_->ask({.method = "HEAD", .key = key_}));
        if (answered.status != ok || answered.length != size_) {
            return fail(
                ErrorKind::unavailable,
                fmt::format(
                    "cannot write {}: the server took {} bytes of it and has {} (status {})",
                    where_,
                    size_,
                    answered.length,
                    answered.status
                )
            );
        }
        return {};
    }

    s3::Client* const client_;
    const std::string key_;
    const std::string where_;
    std::string part_;
    std::uint64_t size_ = 0;
    std::string upload_;  ///< "": none was begun.
    std::vector<std::string> etags_;
};

bool is_bucket(std::string_view name) {
    constexpr std::size_t shortest = 3;
    constexpr std::size_t longest = 63;
    return name.size() >= shortest && name.size() <= longest &&
           std::ranges::all_of(name, [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
                      letter == '-' || letter == '.';
           });
}

}  // namespace

Result<S3Address> read_s3_address(std::string_view place) {
    const auto wrong = [&](std::string_view why) {
        return fail(ErrorKind::invalid_input, fmt::format("{}: {}", place, why));
    };
    constexpr std::string_view scheme = "s3://";
    std::string_view rest = place.substr(std::min(place.size(), scheme.size()));
    const std::string_view bucket = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), bucket.size() + 1));
    while (rest.ends_with('/')) {
        rest.remove_suffix(1);
    }
    if (!is_bucket(bucket)) {
        return wrong("a bucket has 3 to 63 small letters, digits, dots and hyphens");
    }
    S3Address address{
        .account =
            {.bucket = std::string{bucket},
             .endpoint = variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"),
             .key_id = variable("AWS_ACCESS_KEY_ID"),
             .secret = variable("AWS_SECRET_ACCESS_KEY"),
             .session = variable("AWS_SESSION_TOKEN")},
        .prefix = rest.empty() ? "" : fmt::format("{}/", rest)
    };
    s3::Account& account = address.account;
    if (std::string region = variable("AWS_REGION", "AWS_DEFAULT_REGION"); !region.empty()) {
        account.region = std::move(region);
    }
    while (account.endpoint.ends_with('/')) {
        account.endpoint.pop_back();
    }
    if (account.key_id.empty() || account.secret.empty()) {
        return wrong(
            "who asks is not known: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and "
            "AWS_REGION, "
            "or AWS_ENDPOINT_URL where the server is not Amazon's"
        );
    }
    if (!account.endpoint.empty() && !account.endpoint.starts_with("https://") &&
        !account.endpoint.starts_with("http://")) {
        return wrong(fmt::format(
            "AWS_ENDPOINT_URL begins with https:// or http://, and not as {}", account.endpoint
        ));
    }
    return address;
}

S3Depot::S3Depot(S3Address address, std::stop_token stop)
    : bucket_{address.account.bucket},
      prefix_{std::move(address.prefix)},
      client_{std::move(address.account), std::move(stop)} {}

std::string S3Depot::key_of(std::string_view name) const {
    return fmt::format("{}{}", prefix_, name);
}

std::string S3Depot::where(std::string_view name) const {
    std::string where = fmt::format("s3://{}/{}", bucket_, key_of(name));
    while (where.ends_with('/')) {
        where.pop_back();
    }
    return where;
}

Result<s3::Page> S3Depot::page(const std::string& prefix, bool divided, const std::string& from) {
    std::vector<std::pair<std::string, std::string>> query;
    if (!from.empty()) {
        query.emplace_back("continuation-token", from);
    }
    if (divided) {
        query.emplace_back("delimiter", "/");
    }
    query.emplace_back("list-type", "2");
    query.emplace_back("prefix", prefix);
    TRY(const s3::Answered answered,
        client_.ask({.query = std::move(query), .answer_bytes_max = page_bytes_max}));
    if (answered.status != ok) {
        return refused("list", fmt::format("s3://{}/{}", bucket_, prefix), answered);
    }
    TRY(s3::Page page, s3::page_of(answered.body));
    const auto strange = [&](std::string_view key) {
        return !key.starts_with(prefix) || key.size() == prefix.size();
    };
    // An object called as the folder itself is how some programs make a folder.
    std::erase_if(page.files, [&](const s3::Page::File& file) { return file.key == prefix; });
    if (std::ranges::any_of(page.files, strange, &s3::Page::File::key) ||
        std::ranges::any_of(page.folders, strange)) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("s3://{}/{}: the server lists what lies elsewhere", bucket_, prefix)
        );
    }
    return page;
}

template <class Take>
Result<void> S3Depot::each_page(const std::string& prefix, bool divided, const Take& take) {
    std::string from;
    std::size_t count = 0;
    do {
        TRY(s3::Page page, this->page(prefix, divided, from));
        count += page.files.size() + page.folders.size() + 1;
        if (count > files_max || (!page.next.empty() && page.next == from)) {
            return fail(
                ErrorKind::corrupt,
                fmt::format("s3://{}/{}: the server's list does not end", bucket_, prefix)
            );
        }
        from = page.next;
        TRY_VOID(take(page));
    } while (!from.empty());
    return {};
}

Result<std::vector<Depot::Entry>> S3Depot::list(std::string_view folder) {
    const std::string prefix = folder.empty() ? prefix_ : key_of(folder) + "/";
    std::vector<Entry> entries;
    TRY_VOID(each_page(prefix, true, [&](const s3::Page& page) -> Result<void> {
        for (const s3::Page::File& file : page.files) {
            entries.push_back({.name = file.key.substr(prefix.size()), .size = file.size});
        }
        for (const std::string& each : page.folders) {
            std::string name = each.substr(prefix.size());
            name.resize(name.find('/') == std::string::npos ? name.size() : name.find('/'));
            entries.push_back({.name = std::move(name)});
        }
        return {};
    }));
    std::ranges::sort(entries, {}, &Entry::name);
    return entries;
}

Result<std::unique_ptr<Depot::Reader>> S3Depot::open(std::string_view name) {
    std::string key = key_of(name);
    TRY(const s3::Answered answered, client_.ask({.method = "HEAD", .key = key}));
    if (answered.status != ok) {
        return refused("open", where(name), answered);
    }
    return std::make_unique<ObjectReader>(client_, std::move(key), where(name), answered.length);
}

Result<std::unique_ptr<Depot::Writer>> S3Depot::create(std::string_view name) {
    return std::make_unique<ObjectWriter>(client_, key_of(name), where(name));
}

Result<void> S3Depot::put(std::string_view name, std::string_view bytes) {
    TRY(const auto writer, create(name));
    TRY_VOID(writer->append(bytes));
    return writer->finish();
}

Result<void> S3Depot::remove_file(std::string_view name) {
    TRY(const s3::Answered answered, client_.ask({.method = "DELETE", .key = key_of(name)}));
    if (answered.status != no_content && answered.status != ok && answered.status != not_there) {
        return refused("remove", where(name), answered);
    }
    return {};
}

Result<void> S3Depot::remove_folder(std::string_view name) {
    std::vector<std::string> keys;
    TRY_VOID(each_page(key_of(name) + "/", false, [&](const s3::Page& page) -> Result<void> {
        for (const s3::Page::File& file : page.files) {
            keys.push_back(file.key.substr(prefix_.size()));
        }
        return {};
    }));
    for (const std::string& key : keys) {
        TRY_VOID(remove_file(key));
    }
    return {};
}

}  // namespace footfall::backup
