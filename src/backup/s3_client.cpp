#include "backup/s3_client.h"

#include "backup/s3_answers.h"
#include "ciphers/ciphers.h"
#include "foundation/check.h"
#include "foundation/hex.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <curl/curl.h>
#include <mutex>

namespace footfall::backup::s3 {
namespace {

constexpr int tries_max = 5;
constexpr std::chrono::milliseconds first_pause{200};
constexpr long connect_patience_ms = 5000;
constexpr long still_seconds_max = 30;
constexpr int too_many_requests = 429;
constexpr int server_error = 500;

void start_curl_once() {
    static std::once_flag once;
    std::call_once(once, [] {
        CHECK(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK, "libcurl starts");
    });
}

bool is_unreserved(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || std::string_view{"-._~"}.contains(letter);
}

/// As the signature wants it: all but unreserved letters by their digits, and slashes where they
/// divide.
std::string encoded(std::string_view text, bool divided) {
    std::string out;
    for (const char letter : text) {
        if (is_unreserved(letter) || (divided && letter == '/')) {
            out += letter;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
        }
    }
    return out;
}

/// An answer that comes in.
struct Coming {
    Answered answered;
    std::size_t bytes_max = 0;
    bool too_long = false;
};

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* with) {
    auto& coming = *static_cast<Coming*>(with);
    const std::string_view part{bytes, size * count};
    if (coming.answered.body.size() + part.size() > coming.bytes_max) {
        coming.too_long = true;
        return 0;
    }
    coming.answered.body += part;
    return part.size();
}

int ask_whether_to_stop(
    void* with, curl_off_t /*total*/, curl_off_t /*now*/, curl_off_t /*up*/, curl_off_t /*done*/
) {
    return static_cast<const std::stop_token*>(with)->stop_requested() ? 1 : 0;
}

/// Waits for so long, or until a stop is requested.
void pause_for(std::chrono::milliseconds pause, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock{mutex};
    stopped.wait_for(lock, stop, pause, [] { return false; });
}

struct HeaderList {
    HeaderList() = default;
    HeaderList(const HeaderList&) = delete;
    HeaderList& operator=(const HeaderList&) = delete;

    ~HeaderList() { curl_slist_free_all(list); }

    void add(const std::string& line) {
        curl_slist* const longer = curl_slist_append(list, line.c_str());
        CHECK(longer != nullptr, "memory for a header");
        list = longer;
    }

    curl_slist* list = nullptr;
};

bool again_later(int status) {
    return status == too_many_requests || status >= server_error;
}

}  // namespace

struct Client::Handle {
    Handle() {
        start_curl_once();
        curl = curl_easy_init();
        CHECK(curl != nullptr, "memory for a request");
    }

    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    ~Handle() { curl_easy_cleanup(curl); }

    template <class Value>
    void set(CURLoption option, Value value) {
        CHECK(curl_easy_setopt(curl, option, value) == CURLE_OK, "libcurl knows the option");
    }

    void prepare(const Account& account, const std::stop_token& stop, Coming& coming) {
        curl_easy_reset(curl);  // connections stay
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_FOLLOWLOCATION, 0L);
        set(CURLOPT_CONNECTTIMEOUT_MS, connect_patience_ms);
        set(CURLOPT_LOW_SPEED_LIMIT, 1L);
        set(CURLOPT_LOW_SPEED_TIME, still_seconds_max);
        set(CURLOPT_USERAGENT, "Footfall");
        set(CURLOPT_AWS_SIGV4, fmt::format("aws:amz:{}:s3", account.region).c_str());
        set(CURLOPT_USERPWD, fmt::format("{}:{}", account.key_id, account.secret).c_str());
        set(CURLOPT_WRITEFUNCTION, &take_body);
        set(CURLOPT_WRITEDATA, &coming);
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &ask_whether_to_stop);
        set(CURLOPT_XFERINFODATA, &stop);
        details[0] = '\0';
        set(CURLOPT_ERRORBUFFER, details);
    }

    /// With a body it is signed with the body's hash, whatever the method is called.
    void set_method(const Asked& asked) {
        if (asked.method == "HEAD") {
            set(CURLOPT_NOBODY, 1L);
        } else if (asked.method != "GET") {
            set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(asked.body.size()));
            set(CURLOPT_POSTFIELDS,
                static_cast<const void*>(asked.body.empty() ? "" : asked.body.data()));
            set(CURLOPT_CUSTOMREQUEST, asked.method.c_str());
        }
        if (asked.range) {
            const auto [first, last] = *asked.range;
            set(CURLOPT_RANGE, fmt::format("{}-{}", first, last).c_str());
        }
    }

    std::string header(const char* name) const {
        curl_header* found = nullptr;
        return curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value
                                                                                      : "";
    }

    CURL* curl = nullptr;
    char details[CURL_ERROR_SIZE] = {};
};

Client::Client(Account account, std::stop_token stop)
    : account_{std::move(account)}, stop_{std::move(stop)}, handle_{std::make_unique<Handle>()} {}

Client::~Client() = default;

std::string Client::url_of(const Asked& asked) const {
    std::string url =
        account_.endpoint.empty()
            ? fmt::format("https://{}.s3.{}.amazonaws.com/", account_.bucket, account_.region)
            : fmt::format("{}/{}/", account_.endpoint, account_.bucket);
    if (asked.key.empty() && !account_.endpoint.empty()) {
        url.pop_back();
    }
    url += encoded(asked.key, true);
    char joint = '?';
    for (const auto& [name, value] : asked.query) {
        url += fmt::format("{}{}={}", joint, name, encoded(value, false));
        joint = '&';
    }
    return url;
}

Result<Answered> Client::ask(const Asked& asked) {
    const std::string url = url_of(asked);
    for (int tried = 1;; ++tried) {
        Result<Answered> answered = ask_once(asked, url);
        const bool final = answered ? !again_later(answered->status)
                                    : answered.error().kind != ErrorKind::unavailable;
        if (final) {
            return answered;
        }
        if (tried == tries_max) {
            return answered ? fail(
                                  ErrorKind::unavailable,
                                  fmt::format(
                                      "{} {}: the server answers {} {}",
                                      asked.method,
                                      url,
                                      answered->status,
                                      error_text(answered->body)
                                  )
                              )
                            : std::move(answered);
        }
        pause_for(first_pause * (1 << tried), stop_);
    }
}

Result<Answered> Client::ask_once(const Asked& asked, const std::string& url) {
    Coming coming{.bytes_max = asked.answer_bytes_max};
    handle_->prepare(account_, stop_, coming);
    HeaderList list;
    list.add("Expect:");  // nobody is asked first whether a body may come
    list.add("Content-Type: application/octet-stream");
    // Where it is left out, libcurl 7.88 signs what some servers do not take.
    const ciphers::Key hash = ciphers::digest(asked.body);
    list.add(
        "x-amz-content-sha256: " + hex({reinterpret_cast<const char*>(hash.data()), hash.size()})
    );
    if (!account_.session.empty()) {
        list.add("x-amz-security-token: " + account_.session);
    }
    handle_->set(CURLOPT_HTTPHEADER, list.list);
    handle_->set(CURLOPT_URL, url.c_str());
    handle_->set_method(asked);
    const CURLcode code = curl_easy_perform(handle_->curl);
    if (coming.too_long) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} {}: the answer is longer than it can be", asked.method, url)
        );
    }
    if (code == CURLE_ABORTED_BY_CALLBACK || stop_.stop_requested()) {
        return fail(ErrorKind::cancelled, "the program stops");
    }
    if (code != CURLE_OK) {
        const char* const details = handle_->details;
        return fail(
            ErrorKind::unavailable,
            fmt::format(
                "{} {}: {}",
                asked.method,
                url,
                *details == '\0' ? curl_easy_strerror(code) : details
            )
        );
    }
    long status = 0;
    curl_easy_getinfo(handle_->curl, CURLINFO_RESPONSE_CODE, &status);
    curl_off_t length = 0;
    curl_easy_getinfo(handle_->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    coming.answered.status = static_cast<int>(status);
    coming.answered.etag = handle_->header("ETag");
    coming.answered.length = length < 0 ? 0 : static_cast<std::uint64_t>(length);
    return std::move(coming.answered);
}

}  // namespace footfall::backup::s3
