#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace footfall::sketches {

/// Writes bits from the lowest of each byte on. All are written once it is gone. Not thread-safe.
class BitWriter {
public:
    /// Appends to `out`, which must outlive it; what is left of the last byte is 0.
    explicit BitWriter(std::string& out) : out_{&out} {}

    BitWriter(const BitWriter&) = delete;
    BitWriter& operator=(const BitWriter&) = delete;

    ~BitWriter() {
        for (; used_ > 0; used_ -= std::min(used_, 8U)) {
            out_->push_back(static_cast<char>(bits_ & 0xff));
            bits_ >>= 8;
        }
    }

    /// The lowest `count` bits of `bits`, 32 at most.
    void put(std::uint32_t bits, unsigned count) {
        const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
        bits_ |= (bits & mask) << used_;  // fewer than 32 are used
        used_ += count;
        if (used_ >= 32) {
            std::array<char, 4> bytes;
            for (unsigned byte = 0; byte < bytes.size(); ++byte) {
                bytes[byte] = static_cast<char>(bits_ >> (8 * byte) & 0xff);
            }
            out_->append(bytes.data(), bytes.size());
            bits_ >>= 32;
            used_ -= 32;
        }
    }

    /// So many ones, and a zero.
    void put_unary(std::uint32_t ones) {
        for (; ones >= 31; ones -= 31) {
            put(~std::uint32_t{0}, 31);
        }
        put((std::uint32_t{1} << ones) - 1, ones + 1);
    }

private:
    std::string* out_;
    std::uint64_t bits_ = 0;  ///< That are not written yet, the first the lowest.
    unsigned used_ = 0;       ///< So many.
};

/// Reads what BitWriter wrote. Behind the end stand zeros, and is_sound() tells. Not thread-safe.
class BitReader {
public:
    explicit BitReader(std::string_view bytes) : bytes_{bytes} {}

    /// 32 at most.
    std::uint32_t take(unsigned count) {
        const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
        const auto bits = static_cast<std::uint32_t>(next() & mask);
        skip(count);
        return bits;
    }

    /// `most` at most; more is not sound.
    std::uint32_t take_unary(std::uint32_t most) {
        std::uint32_t ones = 0;
        for (;;) {
            const auto run = static_cast<unsigned>(std::countr_one(next()));
            const unsigned seen = std::min(run, next_bits);
            ones += seen;
            if (ones > most) {
                sound_ = false;
                return 0;
            }
            if (seen < next_bits) {
                skip(seen + 1);
                return ones;
            }
            skip(seen);
        }
    }

    bool is_sound() const { return sound_; }

    /// Whether nothing is left but the zeros that fill the last byte.
    bool is_done() {
        const bool last = (at_ + 7) / 8 == bytes_.size();
        if (last && next() != 0) {
            sound_ = false;
        }
        return sound_ && last;
    }

private:
    /// So many bits of next() are those that come next.
    static constexpr unsigned next_bits = 56;

    std::uint64_t next() const {
        const std::size_t byte = at_ / 8;
        std::uint64_t bits = 0;
        if (byte + sizeof(bits) <= bytes_.size()) {
            std::memcpy(&bits, bytes_.data() + byte, sizeof(bits));
            if constexpr (std::endian::native == std::endian::big) {
                bits = std::byteswap(bits);
            }
        } else {
            for (std::size_t at = byte; at < bytes_.size(); ++at) {
                bits |= std::uint64_t{static_cast<unsigned char>(bytes_[at])} << (8 * (at - byte));
            }
        }
        return bits >> at_ % 8 & ((std::uint64_t{1} << next_bits) - 1);
    }

    void skip(unsigned count) {
        at_ += count;
        if (at_ > bytes_.size() * 8) {
            at_ = bytes_.size() * 8;
            sound_ = false;
        }
    }

    std::string_view bytes_;
    std::size_t at_ = 0;  ///< In bits.
    bool sound_ = true;
};

}  // namespace footfall::sketches
