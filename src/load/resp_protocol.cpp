#include "foundation/check.h"
#include "load/protocol.h"
#include "load/wire_text.h"

namespace footfall::load {
namespace {

constexpr std::string_view line_end = "\r\n";

void append_word(std::string& out, std::string_view word) {
    out.append("$").append(Digits{word.size()}.text()).append(line_end);
    out.append(word).append(line_end);
}

/// "$5\r\n12345\r\n" after its first line. The text of an absent value is that of the number 0.
ReadAnswer read_bulk(std::string_view bytes, std::string_view line, std::size_t after_line) {
    if (line.starts_with("-1")) {
        return {
            .state = ReadAnswer::State::complete,
            .bytes = after_line,
            .answer = {.status = 200, .has_number = true}
        };
    }
    std::uint64_t length = 0;
    if (!read_number(line, length)) {
        return {.state = ReadAnswer::State::broken};
    }
    if (bytes.size() < after_line + length + line_end.size()) {
        return {.state = ReadAnswer::State::incomplete};
    }
    ReadAnswer read{
        .state = ReadAnswer::State::complete,
        .bytes = after_line + length + line_end.size(),
        .answer = {.status = 200}
    };
    read.answer.has_number = read_number(bytes.substr(after_line, length), read.answer.number);
    return read;
}

/// RESP 2, https://redis.io/docs/latest/develop/reference/protocol-spec/
class RespProtocol final : public Protocol {
public:
    explicit RespProtocol(RedisType type)
        : put_{type == RedisType::set ? "*3\r\n$4\r\nSADD\r\n" : "*3\r\n$3\r\nSET\r\n"},
          get_{type == RedisType::set ? "*2\r\n$5\r\nSCARD\r\n" : "*2\r\n$3\r\nGET\r\n"} {}

    void append_put(std::string& out, const Operation& operation) const override {
        out.append(put_);
        append_word(out, Digits{operation.object}.text());
        append_word(out, Digits{operation.token}.text());
    }

    void append_batch(std::string&, std::span<const Operation>) const override {
        CHECK(false, "Redis has no batch over several keys; run_load refuses to ask for one");
    }

    void append_get(std::string& out, std::uint64_t object) const override {
        out.append(get_);
        append_word(out, Digits{object}.text());
    }

    void append_check(std::string& out, std::uint64_t object) const override {
        append_get(out, object);
    }

    ReadAnswer read(std::string_view bytes) const override {
        const std::size_t end = bytes.find(line_end);
        if (end == std::string_view::npos) {
            return {.state = ReadAnswer::State::incomplete};
        }
        const std::string_view line = bytes.substr(1, end - 1);
        const std::size_t after_line = end + line_end.size();
        ReadAnswer read{.state = ReadAnswer::State::complete, .bytes = after_line};
        switch (bytes.front()) {
            case ':':
                read.answer = {.status = 200};
                read.answer.has_number = read_number(line, read.answer.number);
                return read;
            case '+':  // OK to a SET: one value stands there.
                read.answer = {.status = 200, .has_number = true, .number = 1};
                return read;
            case '-':
                read.answer = {.status = 500};
                return read;
            case '$':
                return read_bulk(bytes, line, after_line);
            default:
                return {.state = ReadAnswer::State::broken};
        }
    }

private:
    std::string put_;
    std::string get_;
};

}  // namespace

std::unique_ptr<Protocol> resp_protocol(RedisType type) {
    return std::make_unique<RespProtocol>(type);
}

}  // namespace footfall::load
