#include "load/http_wire.h"
#include "load/protocol.h"
#include "load/wire_text.h"

namespace footfall::load {
namespace {

class HttpProtocol final : public Protocol {
public:
    HttpProtocol(
        const std::string& host, const std::string& counter, const std::string& authorization
    )
        : query_{counter == "default" ? "" : "?counter=" + counter},
          after_target_{common_head(host, authorization)},
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
        out.append(post_);
        append_body(out, [&](std::string& body) {
            for (const Operation& operation : operations) {
                body.append(R"({"object":")").append(Digits{operation.object}.text());
                body.append(R"(","token":")").append(Digits{operation.token}.text());
                body.append("\"}\n");
            }
        });
    }

    void append_get(std::string& out, std::uint64_t object) const override {
        out.append("GET /api/v1/counter/").append(Digits{object}.text()).append(get_end_);
    }

    void append_check(std::string& out, std::uint64_t object) const override {
        out.append("GET /api/v1/counter/").append(Digits{object}.text()).append(check_end_);
    }

    ReadAnswer read(std::string_view bytes) const override { return read_http_answer(bytes); }

private:
    std::string query_;
    std::string after_target_;
    std::string put_end_;
    std::string get_end_;
    std::string check_end_;
    std::string post_;
};

}  // namespace

std::unique_ptr<Protocol> http_protocol(
    const std::string& host, const std::string& counter, const std::string& authorization
) {
    return std::make_unique<HttpProtocol>(host, counter, authorization);
}

}  // namespace footfall::load
