#include "load/protocol.h"
#include "load/wire_text.h"

#include <algorithm>
#include <cctype>

namespace footfall::load {
namespace {

constexpr std::string_view head_end = "\r\n\r\n";
constexpr std::string_view status_start = "HTTP/1.1 ";

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
    for (std::size_t at = 0; at < lower.size(); ++at) {
        if (std::tolower(static_cast<unsigned char>(text[at])) != lower[at]) {
            return false;
        }
    }
    return true;
}

/// The Content-Length among header lines. False: none, or no number; chunked answers are not sent
/// by what we measure.
bool body_length(std::string_view lines, std::uint64_t& length) {
    constexpr std::string_view name = "content-length:";
    while (!lines.empty()) {
        // One comparison tells most lines apart: the colon is where that of Content-Length stands.
        if (lines.size() > name.size() && lines[name.size() - 1] == ':' &&
            equal_ignoring_case(lines, name)) {
            std::string_view value = lines.substr(name.size());
            value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
            return read_number(value, length);
        }
        const std::size_t end = lines.find('\n');
        lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    }
    return false;
}

/// The count in "43\n", in {"count":43,"at_least":true,...} or in {"accepted":43,...}.
void read_body(std::string_view body, Answer& answer) {
    if (!body.starts_with('{')) {
        answer.has_number = read_number(body, answer.number);
        return;
    }
    for (const std::string_view field : {"\"count\":", "\"accepted\":"}) {
        const std::size_t at = body.find(field);
        if (at != std::string_view::npos) {
            answer.has_number = read_number(body.substr(at + field.size()), answer.number);
        }
    }
    answer.at_least = body.find("\"at_least\":true") != std::string_view::npos;
}

class HttpProtocol final : public Protocol {
public:
    HttpProtocol(const std::string& host, const std::string& counter)
        : query_{counter == "default" ? "" : "?counter=" + counter},
          after_target_{" HTTP/1.1\r\nHost: " + host + "\r\n"},
          put_end_{query_ + after_target_ + "Content-Length: "},
          get_end_{query_ + after_target_ + "\r\n"},
          check_end_{query_ + after_target_ + "Accept: application/json\r\n\r\n"},
          post_{"POST /api/v1/counter" + put_end_} {}

    void append_put(std::string& out, const Operation& operation) const override {
        const Digits token{operation.token};
        out.append("PUT /api/v1/counter/").append(Digits{operation.object}.text());
        out.append(put_end_).append(Digits{token.text().size()}.text());
        out.append(head_end).append(token.text());
    }

    void append_batch(std::string& out, std::span<const Operation> operations) const override {
        // The length of the body comes before it: room of fixed width is left and filled in after.
        out.append(post_);
        const std::size_t length_at = out.size();
        out.append(length_width, '0').append(head_end);
        const std::size_t body_at = out.size();
        for (const Operation& operation : operations) {
            out.append(R"({"object":")").append(Digits{operation.object}.text());
            out.append(R"(","token":")").append(Digits{operation.token}.text()).append("\"}\n");
        }
        const Digits length{out.size() - body_at};
        out.replace(
            length_at + length_width - length.text().size(), length.text().size(), length.text()
        );
    }

    void append_get(std::string& out, std::uint64_t object) const override {
        out.append("GET /api/v1/counter/").append(Digits{object}.text()).append(get_end_);
    }

    void append_check(std::string& out, std::uint64_t object) const override {
        out.append("GET /api/v1/counter/").append(Digits{object}.text()).append(check_end_);
    }

    ReadAnswer read(std::string_view bytes) const override {
        const std::size_t end = bytes.find(head_end);
        if (end == std::string_view::npos) {
            return {.state = ReadAnswer::State::incomplete};
        }
        ReadAnswer read{.state = ReadAnswer::State::broken};
        std::uint64_t status = 0;
        std::uint64_t length = 0;
        if (!bytes.starts_with(status_start) ||
            !read_number(bytes.substr(status_start.size()), status) || status > 999 ||
            !body_length(bytes.substr(status_start.size(), end - status_start.size()), length)) {
            return read;
        }
        const std::size_t body_at = end + head_end.size();
        if (length > bytes.size() - body_at) {
            return {.state = ReadAnswer::State::incomplete};
        }
        read.state = ReadAnswer::State::complete;
        read.bytes = body_at + length;
        read.answer.status = static_cast<int>(status);
        read_body(bytes.substr(body_at, length), read.answer);
        return read;
    }

private:
    static constexpr std::size_t length_width = 9;

    std::string query_;
    std::string after_target_;
    std::string put_end_;
    std::string get_end_;
    std::string check_end_;
    std::string post_;
};

}  // namespace

std::unique_ptr<Protocol> http_protocol(const std::string& host, const std::string& counter) {
    return std::make_unique<HttpProtocol>(host, counter);
}

}  // namespace footfall::load
