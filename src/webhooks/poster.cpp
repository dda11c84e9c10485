#include "webhooks/poster.h"

#include "foundation/check.h"
#include "webhooks/public_address.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <curl/curl.h>
#include <mutex>
#include <utility>

namespace footfall::webhooks {
namespace {

constexpr std::size_t url_bytes_max = 2048;
constexpr std::size_t kept_bytes_max = 256;        ///< Of an answer.
constexpr std::size_t taken_bytes_max = 64 << 10;  ///< Of an answer; who sends more is cut off.
constexpr std::chrono::milliseconds connect_patience{5000};

void start_curl_once() {
    static std::once_flag once;
    std::call_once(once, [] {
        CHECK(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK, "libcurl starts");
    });
}

struct CurlText {
    char* text = nullptr;

    CurlText() = default;
    CurlText(const CurlText&) = delete;
    CurlText& operator=(const CurlText&) = delete;

    ~CurlText() { curl_free(text); }

    std::string_view view() const { return text == nullptr ? std::string_view{} : text; }
};

struct UrlParts {
    UrlParts() { CHECK(parts != nullptr, "memory for a URL"); }

    UrlParts(const UrlParts&) = delete;
    UrlParts& operator=(const UrlParts&) = delete;

    ~UrlParts() { curl_url_cleanup(parts); }

    bool has(CURLUPart part) const {
        CurlText text;
        return curl_url_get(parts, part, &text.text, 0) == CURLUE_OK;
    }

    std::string get(CURLUPart part) const {
        CurlText text;
        curl_url_get(parts, part, &text.text, 0);
        return std::string{text.view()};
    }

    CURLU* parts = curl_url();
};

/// Whether a host is an address, and not a public one.
bool is_private_address(std::string host) {
    if (host.starts_with('[') && host.ends_with(']')) {
        host = host.substr(1, host.size() - 2);
        in6_addr v6{};
        return inet_pton(AF_INET6, host.c_str(), &v6) != 1 || !is_public(v6);
    }
    in_addr v4{};
    // Also as 0x7f.1 or 2130706433, which is the same address.
    return inet_aton(host.c_str(), &v4) == 1 && !is_public(v4);
}

/// What happens while a request is under way.
struct Sending {
    Reach reach;
    const std::stop_token* stop;
    Reply reply = {};
    std::size_t taken = 0;
    bool refused_address = false;
};

curl_socket_t open_socket(void* with, curlsocktype /*purpose*/, curl_sockaddr* address) {
    auto& sending = *static_cast<Sending*>(with);
    if (sending.reach == Reach::internet && !is_public(address->addr)) {
        sending.refused_address = true;
        return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* with) {
    auto& sending = *static_cast<Sending*>(with);
    const std::string_view part{bytes, size * count};
    sending.taken += part.size();
    sending.reply.beginning += part.substr(0, kept_bytes_max - sending.reply.beginning.size());
    return sending.taken > taken_bytes_max ? 0 : part.size();
}

int ask_whether_to_stop(
    void* with, curl_off_t /*total*/, curl_off_t /*now*/, curl_off_t /*up*/, curl_off_t /*done*/
) {
    return static_cast<Sending*>(with)->stop->stop_requested() ? 1 : 0;
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

Error error_of(CURLcode code, const Sending& sending, const std::string& url, const char* details) {
    if (sending.refused_address) {
        return {
            .kind = ErrorKind::invalid_input,
            .message = fmt::format(
                "{} leads to an address of this machine or a private network, where nothing is "
                "sent",
                url
            )
        };
    }
    if (code == CURLE_ABORTED_BY_CALLBACK) {
        return {.kind = ErrorKind::cancelled, .message = "the program stops"};
    }
    const std::string_view why = *details == '\0' ? curl_easy_strerror(code) : details;
    return {
        .kind = code == CURLE_OPERATION_TIMEDOUT ? ErrorKind::timed_out : ErrorKind::unavailable,
        .message = fmt::format("POST {}: {}", url, why)
    };
}

}  // namespace

Result<void> check_url(const std::string& url, Reach reach) {
    const auto wrong = [](std::string why) {
        return fail(ErrorKind::invalid_input, std::move(why));
    };
    if (url.empty() || url.size() > url_bytes_max) {
        return wrong(fmt::format("a URL has 1 to {} bytes", url_bytes_max));
    }
    const UrlParts parts;
    if (const CURLUcode code = curl_url_set(parts.parts, CURLUPART_URL, url.c_str(), 0);
        code != CURLUE_OK) {
        return wrong(fmt::format("it is no URL: {}", curl_url_strerror(code)));
    }
    const std::string scheme = parts.get(CURLUPART_SCHEME);
    if (scheme != "https" && (scheme != "http" || reach == Reach::internet)) {
        return wrong(
            reach == Reach::internet ? "it has to begin with https://"
                                     : "it has to begin with https:// or http://"
        );
    }
    if (parts.has(CURLUPART_USER) || parts.has(CURLUPART_PASSWORD)) {
        return wrong("it must not have a user's name or a password; what is sent is signed");
    }
    if (parts.has(CURLUPART_FRAGMENT)) {
        return wrong("it must not have a fragment, which is never sent");
    }
    if (reach == Reach::internet && is_private_address(parts.get(CURLUPART_HOST))) {
        return wrong(
            "its host is an address of this machine or a private network, where nothing is sent"
        );
    }
    return {};
}

struct Poster::Handle {
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

    void prepare(const Options& options, Sending& sending) {
        curl_easy_reset(curl);  // connections stay
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_FOLLOWLOCATION, 0L);
        set(CURLOPT_PROXY, "");
        set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.patience.count()));
        set(CURLOPT_CONNECTTIMEOUT_MS,
            static_cast<long>(std::min(options.patience, connect_patience).count()));
        set(CURLOPT_USERAGENT, "Footfall");
        set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
        set(CURLOPT_OPENSOCKETDATA, &sending);
        set(CURLOPT_WRITEFUNCTION, &take_body);
        set(CURLOPT_WRITEDATA, &sending);
        set(CURLOPT_NOPROGRESS, 0L);
        set(CURLOPT_XFERINFOFUNCTION, &ask_whether_to_stop);
        set(CURLOPT_XFERINFODATA, &sending);
        details[0] = '\0';
        set(CURLOPT_ERRORBUFFER, details);
    }

    CURL* curl = nullptr;
    char details[CURL_ERROR_SIZE] = {};
};

Poster::Poster(Options options) : options_{options}, handle_{std::make_unique<Handle>()} {}

Poster::~Poster() = default;

Result<Reply> Poster::post(
    const std::string& url,
    const std::vector<std::string>& headers,
    std::string_view body,
    const std::stop_token& stop
) {
    Sending sending{.reach = options_.reach, .stop = &stop};
    handle_->prepare(options_, sending);
    HeaderList list;
    for (const std::string& line : headers) {
        list.add(line);
    }
    list.add("Expect:");  // nobody is asked first whether a body may come
    handle_->set(CURLOPT_HTTPHEADER, list.list);
    handle_->set(CURLOPT_URL, url.c_str());
    handle_->set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    // The size is said above, so no end is looked for.
    handle_->set(CURLOPT_POSTFIELDS, static_cast<const void*>(body.data()));
    const CURLcode code = curl_easy_perform(handle_->curl);
    long status = 0;
    curl_easy_getinfo(handle_->curl, CURLINFO_RESPONSE_CODE, &status);
    const bool too_long = code == CURLE_WRITE_ERROR && sending.taken > taken_bytes_max;
    if (code != CURLE_OK && !too_long) {
        return std::unexpected(error_of(code, sending, url, handle_->details));
    }
    sending.reply.status = static_cast<int>(status);
    curl_off_t wait = 0;
    if (curl_easy_getinfo(handle_->curl, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK && wait > 0) {
        sending.reply.retry_after = std::chrono::seconds{wait};
    }
    return std::move(sending.reply);
}

}  // namespace footfall::webhooks
