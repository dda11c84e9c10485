#include "guard_redis/reply_reader.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <hiredis/read.h>
#include <utility>

namespace footfall::guard_redis {
namespace {

constexpr int pieces_max = 1 << 16;

}  // namespace

/// hiredis' parser, and what it calls for each piece. It keeps what they answer, and only looks
/// whether it is null: then it gives up.
struct ReplyReader::Parser {
    static void* add(const redisReadTask* task, std::string_view text) {
        Reply& reply = *static_cast<Reply*>(task->privdata);
        if (task->type == REDIS_REPLY_ERROR && !reply.failed_) {
            reply.failed_ = true;
            reply.error_at_ = reply.pieces_.size();
        }
        reply.pieces_.push_back({.begin = reply.bytes_.size(), .size = text.size()});
        reply.bytes_.append(text);
        return &reply;
    }

    static void* text(const redisReadTask* task, char* bytes, std::size_t size) {
        return add(task, {bytes, size});
    }

    static void* number(const redisReadTask* task, long long number) {
        return add(task, fmt::to_string(number));
    }

    static void* nothing(const redisReadTask* task) { return add(task, {}); }

    static void* list(const redisReadTask* task, int pieces) {
        return pieces > pieces_max ? nullptr : task->privdata;
    }

    static void forget(void*) {}

    static inline redisReplyObjectFunctions functions{
        .createString = text,
        .createArray = list,
        .createInteger = number,
        .createNil = nothing,
        .freeObject = forget,
    };

    std::unique_ptr<redisReader, void (*)(redisReader*)> reader{
        redisReaderCreateWithFunctions(&functions), redisReaderFree
    };
};

ReplyReader::ReplyReader() : parser_{std::make_unique<Parser>()} {
    CHECK(parser_->reader != nullptr, "memory for a parser");
    parser_->reader->privdata = &reply_;
}

ReplyReader::~ReplyReader() = default;

Result<void> ReplyReader::feed(std::string_view bytes) {
    redisReader& reader = *parser_->reader;
    if (redisReaderFeed(&reader, bytes.data(), bytes.size()) != REDIS_OK) {
        return fail(ErrorKind::unavailable, reader.errstr);
    }
    return {};
}

Result<const Reply*> ReplyReader::next() {
    redisReader& reader = *parser_->reader;
    if (reader.reply == nullptr) {  // else part of it is there
        reply_.bytes_.clear();
        reply_.pieces_.clear();
        reply_.failed_ = false;
    }
    void* whole = nullptr;
    if (redisReaderGetReply(&reader, &whole) != REDIS_OK) {
        return fail(ErrorKind::unavailable, fmt::format("no answer of Redis: {}", reader.errstr));
    }
    return whole == nullptr ? nullptr : &reply_;
}

}  // namespace footfall::guard_redis
