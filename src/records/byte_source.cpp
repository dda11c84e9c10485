#include "records/byte_source.h"

#include "foundation/check.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace footfall::records {
namespace {

/// Large enough that a read call is noise, small enough to stay in the second-level cache together
/// with what reads from it.
constexpr std::size_t buffer_size = 256 * 1024;
constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
constexpr std::size_t magic_size_max = 4;

std::string text_of_errno(int error) {
    return std::generic_category().message(error);
}

using Buffer = std::unique_ptr<char[]>;

Buffer new_buffer() {
    return std::make_unique_for_overwrite<char[]>(buffer_size);
}

class DescriptorSource final : public ByteSource {
public:
    DescriptorSource(int descriptor, std::string name, std::optional<std::uint64_t> size)
        : descriptor_{descriptor}, name_{std::move(name)}, size_{size} {}

    DescriptorSource(const DescriptorSource&) = delete;
    DescriptorSource& operator=(const DescriptorSource&) = delete;
    DescriptorSource(DescriptorSource&&) = delete;
    DescriptorSource& operator=(DescriptorSource&&) = delete;

    ~DescriptorSource() override {
        if (descriptor_ != STDIN_FILENO) {
            ::close(descriptor_);
        }
    }

    Result<std::string_view> next() override {
        ssize_t count = 0;
        do {
            count = ::read(descriptor_, buffer_.get(), buffer_size);
        } while (count < 0 && errno == EINTR);
        if (count < 0) {
            return fail(
                ErrorKind::unavailable,
                fmt::format("read {} at byte {}: {}", name_, position_, text_of_errno(errno))
            );
        }
        position_ += static_cast<std::uint64_t>(count);
        return std::string_view{buffer_.get(), static_cast<std::size_t>(count)};
    }

    std::uint64_t stored_position() const override { return position_; }

    std::optional<std::uint64_t> stored_size() const override { return size_; }

    const std::string& name() const override { return name_; }

private:
    int descriptor_;
    std::string name_;
    std::optional<std::uint64_t> size_;
    std::uint64_t position_ = 0;
    Buffer buffer_ = new_buffer();
};

class MemorySource final : public ByteSource {
public:
    MemorySource(std::string name, std::string bytes, std::size_t chunk_size)
        : name_{std::move(name)}, bytes_{std::move(bytes)}, chunk_size_{chunk_size} {
        CHECK(chunk_size > 0, "chunks must not be empty");
    }

    Result<std::string_view> next() override {
        const auto chunk = std::string_view{bytes_}.substr(position_, chunk_size_);
        position_ += chunk.size();
        return chunk;
    }

    std::uint64_t stored_position() const override { return position_; }

    std::optional<std::uint64_t> stored_size() const override { return bytes_.size(); }

    const std::string& name() const override { return name_; }

private:
    std::string name_;
    std::string bytes_;
    std::size_t chunk_size_;
    std::size_t position_ = 0;
};

/// What a decompressor reads from. Begins with the bytes that were looked at to recognise the
/// format, since a pipe may hand out a magic number in pieces. Stays where it was made, as it holds
/// views of itself.
class StoredInput {
public:
    explicit StoredInput(std::unique_ptr<ByteSource> source) : source_{std::move(source)} {}

    StoredInput(const StoredInput&) = delete;
    StoredInput& operator=(const StoredInput&) = delete;
    StoredInput(StoredInput&&) = delete;
    StoredInput& operator=(StoredInput&&) = delete;
    ~StoredInput() = default;

    /// Makes at least `magic_size_max` bytes available, or all there are. To be called once, first.
    Result<std::string_view> peek() {
        TRY(rest_, source_->next());
        while (!rest_.empty() && rest_.size() < magic_size_max) {
            head_ = rest_;
            TRY(const auto more, source_->next());
            head_.append(more);
            rest_ = head_;
            if (more.empty()) {
                break;
            }
        }
        return rest_;
    }

    /// Fetches the next chunk when the last one is used up; ended() tells whether there was one.
    Result<void> refill() {
        if (rest_.empty() && !ended_) {
            TRY(rest_, source_->next());
            ended_ = rest_.empty();
        }
        return {};
    }

    bool ended() const { return ended_; }

    std::string_view rest() const { return rest_; }

    void consume(std::size_t count) { rest_.remove_prefix(count); }

    const ByteSource& source() const { return *source_; }

    std::uint64_t position() const { return source_->stored_position() - rest_.size(); }

    std::unexpected<Error> damaged(std::string_view how) const {
        return fail(
            ErrorKind::corrupt,
            fmt::format(
                "{}: {} at byte {} of the file: nothing behind that place can be read, fetch the "
                "file again",
                source_->name(),
                how,
                position()
            )
        );
    }

private:
    std::unique_ptr<ByteSource> source_;
    std::string head_;
    std::string_view rest_;
    bool ended_ = false;
};

/// One compressed format.
class Decoder {
public:
    virtual ~Decoder() = default;

    /// Writes the next bytes to `out` and returns how many, at least one; 0 at the end.
    virtual Result<std::size_t> decode(StoredInput& input, std::span<char> out) = 0;
};

class GzipDecoder final : public Decoder {
public:
    GzipDecoder() {
        constexpr int window_bits = 15;
        constexpr int gzip_only = 16;
        CHECK(inflateInit2(stream_.get(), window_bits + gzip_only) == Z_OK, "zlib does not start");
    }

    Result<std::size_t> decode(StoredInput& input, std::span<char> out) override {
        for (;;) {
            TRY_VOID(input.refill());
            if (between_members_) {
                TRY(const bool another, enter_member(input));
                if (!another) {
                    return 0;
                }
                continue;
            }
            const auto before = input.rest();
            const int outcome = inflate_some(input, out);
            const std::size_t written = out.size() - stream_->avail_out;
            between_members_ = outcome == Z_STREAM_END;
            if (written > 0) {
                return written;
            }
            if (outcome == Z_BUF_ERROR && before.empty() && input.ended()) {
                return input.damaged("the gzip data ends early");
            }
            if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR) {
                return input.damaged(fmt::format(
                    "the gzip data is damaged ({})",
                    stream_->msg != nullptr ? stream_->msg : "no reason known"
                ));
            }
        }
    }

private:
    int inflate_some(StoredInput& input, std::span<char> out) {
        const auto in = input.rest();
        // zlib promises not to write to its input; its C header lacks the const.
        stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_->avail_in = static_cast<uInt>(std::min(in.size(), input_size_max));
        const auto offered = stream_->avail_in;
        stream_->next_out = reinterpret_cast<Bytef*>(out.data());
        stream_->avail_out = static_cast<uInt>(out.size());
        const int outcome = inflate(stream_.get(), Z_NO_FLUSH);
        input.consume(offered - stream_->avail_in);
        return outcome;
    }

    /// Whether a further member begins here. Zero bytes behind the last one are padding, as gzip(1)
    /// has it; anything else is left to zlib, which names what is wrong with it.
    Result<bool> enter_member(StoredInput& input) {
        if (input.ended()) {
            return false;
        }
        if (input.rest().front() == '\0') {
            padding_ = true;
            input.consume(1);
        } else if (padding_) {
            return input.damaged("the gzip data goes on behind its padding");
        } else {
            inflateReset(stream_.get());
            between_members_ = false;
        }
        return true;
    }

    static constexpr std::size_t input_size_max = std::size_t{1} << 30;

    struct End {
        void operator()(z_stream* stream) const {
            inflateEnd(stream);
            delete stream;
        }
    };

    std::unique_ptr<z_stream, End> stream_{new z_stream{}};
    bool between_members_ = false;
    bool padding_ = false;
};

class ZstdDecoder final : public Decoder {
public:
    Result<std::size_t> decode(StoredInput& input, std::span<char> out) override {
        for (;;) {
            TRY_VOID(input.refill());
            if (input.ended() && between_frames_) {
                return 0;
            }
            ZSTD_outBuffer written{.dst = out.data(), .size = out.size(), .pos = 0};
            ZSTD_inBuffer read{.src = input.rest().data(), .size = input.rest().size(), .pos = 0};
            const std::size_t outcome = ZSTD_decompressStream(stream_.get(), &written, &read);
            input.consume(read.pos);
            if (ZSTD_isError(outcome) != 0) {
                return input.damaged(
                    fmt::format("the zstd data is damaged ({})", ZSTD_getErrorName(outcome))
                );
            }
            between_frames_ = outcome == 0;
            if (written.pos > 0) {
                return written.pos;
            }
            if (input.ended() && !between_frames_) {
                return input.damaged("the zstd data ends early");
            }
        }
    }

private:
    struct End {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };

    std::unique_ptr<ZSTD_DStream, End> stream_{ZSTD_createDStream()};
    bool between_frames_ = true;
};

std::unique_ptr<Decoder> decoder_for(std::string_view head) {
    // A zstd file may begin with a frame that carries no data: 0x184D2A50 to 0x184D2A5F.
    const bool skippable = head.size() >= magic_size_max && head.substr(1, 3) == "\x2a\x4d\x18" &&
                           (head[0] & 0xf0) == 0x50;
    if (head.starts_with(gzip_magic)) {
        return std::make_unique<GzipDecoder>();
    }
    if (head.starts_with(zstd_magic) || skippable) {
        return std::make_unique<ZstdDecoder>();
    }
    return nullptr;
}

/// A file as its reader wants it. Without a decoder the chunks of the input are passed on uncopied.
class DecodedSource final : public ByteSource {
public:
    explicit DecodedSource(std::unique_ptr<ByteSource> stored) : input_{std::move(stored)} {}

    /// Looks at the first bytes; to be called once, before next().
    Result<void> recognise() {
        TRY(const auto head, input_.peek());
        decoder_ = decoder_for(head);
        if (decoder_) {
            buffer_ = new_buffer();
        }
        return {};
    }

    Result<std::string_view> next() override {
        if (!decoder_) {
            TRY_VOID(input_.refill());
            const auto chunk = input_.rest();
            input_.consume(chunk.size());
            return chunk;
        }
        TRY(const auto size, decoder_->decode(input_, {buffer_.get(), buffer_size}));
        return std::string_view{buffer_.get(), size};
    }

    std::uint64_t stored_position() const override { return input_.position(); }

    std::optional<std::uint64_t> stored_size() const override {
        return input_.source().stored_size();
    }

    const std::string& name() const override { return input_.source().name(); }

private:
    StoredInput input_;
    std::unique_ptr<Decoder> decoder_;
    Buffer buffer_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> stored) {
    auto source = std::make_unique<DecodedSource>(std::move(stored));
    TRY_VOID(source->recognise());
    return source;
}

std::unique_ptr<ByteSource> bytes_in_memory(
    std::string name, std::string bytes, std::size_t chunk_size
) {
    return std::make_unique<MemorySource>(std::move(name), std::move(bytes), chunk_size);
}

Result<std::unique_ptr<ByteSource>> open_byte_source(const std::string& path) {
    const bool is_stdin = path == "-";
    const int descriptor =
        is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT
    if (descriptor < 0) {
        const int error = errno;
        return fail(
            error == ENOENT ? ErrorKind::not_found : ErrorKind::unavailable,
            fmt::format(
                "open {}: {}; check the path and the right to read it, or give - to read standard "
                "input",
                path,
                text_of_errno(error)
            )
        );
    }
    std::string name = is_stdin ? "standard input" : path;
    struct stat status{};
    const bool known = ::fstat(descriptor, &status) == 0;
    std::optional<std::uint64_t> size;
    if (known && S_ISREG(status.st_mode)) {
        size = static_cast<std::uint64_t>(status.st_size);
    }
    auto source = std::make_unique<DescriptorSource>(descriptor, std::move(name), size);
    if (known && S_ISDIR(status.st_mode)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("open {}: it is a folder; name the files in it, as in {}/*", path, path)
        );
    }
    return decompressed(std::move(source));
}

}  // namespace footfall::records
