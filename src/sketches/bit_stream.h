#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace footfall::sketches {

/// Writes bits from the lowest of each byte on. Not thread-safe.
class BitWriter {
public:
    /// Appends to `out`, which must outlive it; what is left of the last byte is 0.
    explicit BitWriter(std::string& out) : out_{&out} {}

    /// The lowest `count` bits of `bits`, 32 at most.
    void put(std::uint32_t bits, unsigned count) {
        for (unsigned at = 0; at < count; ++at) {
            put_bit((bits >> at & 1) != 0);
        }
    }

    /// So many ones, and a zero.
    void put_unary(std::uint32_t ones) {
        for (; ones > 0; --ones) {
            put_bit(true);
        }
        put_bit(false);
    }

private:
    void put_bit(bool bit) {
        if (used_ == 0) {
            out_->push_back('\0');
        }
        out_->back() = static_cast<char>(static_cast<unsigned char>(out_->back()) | bit << used_);
        used_ = (used_ + 1) % 8;
    }

    std::string* out_;
    unsigned used_ = 0;  ///< Bits of the last byte.
};

/// Reads what BitWriter wrote. Behind the end stand zeros, and is_sound() tells. Not thread-safe.
class BitReader {
public:
    explicit BitReader(std::string_view bytes) : bytes_{bytes} {}

    std::uint32_t take(unsigned count) {
        std::uint32_t bits = 0;
        for (unsigned at = 0; at < count; ++at) {
            bits |= std::uint32_t{take_bit()} << at;
        }
        return bits;
    }

    /// `most` at most; more is not sound.
    std::uint32_t take_unary(std::uint32_t most) {
        std::uint32_t ones = 0;
        while (take_bit()) {
            if (++ones > most) {
                sound_ = false;
                return 0;
            }
        }
        return ones;
    }

    bool is_sound() const { return sound_; }

    /// Whether nothing is left but the zeros that fill the last byte.
    bool is_done() {
        const bool last = (at_ + 7) / 8 == bytes_.size();
        while (last && at_ < bytes_.size() * 8) {
            sound_ = !take_bit() && sound_;
        }
        return sound_ && last;
    }

private:
    bool take_bit() {
        if (at_ >= bytes_.size() * 8) {
            sound_ = false;
            return false;
        }
        const bool bit = (static_cast<unsigned char>(bytes_[at_ / 8]) >> at_ % 8 & 1) != 0;
        ++at_;
        return bit;
    }

    std::string_view bytes_;
    std::size_t at_ = 0;  ///< In bits.
    bool sound_ = true;
};

}  // namespace footfall::sketches
